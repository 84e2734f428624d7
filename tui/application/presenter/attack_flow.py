"""Attacks out of turn on request: open rights to attack, and units that hold an action."""

from __future__ import annotations

from engine.battle.event_builder import acts_any_time
from engine.battle.narration import reason_words, summarise
from engine.values import replace
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.command_questions import POLICY_KEYS
from tui.application.presenter.presenter import Presenter
from tui.application.prompts.choice import Choice, MenuQuestion, Picked


def interrupt(presenter: Presenter) -> None:
    """Starts an attack out of turn, from a menu if there are several; else selects a unit that holds its action."""
    battle, rules = presenter.session.battle, presenter.session.rules
    openings = {f"{held.unit} {held.against} {held.reaction}": held for held in battle.openings}
    if not openings:
        _resume_waiting(presenter)
        return

    def chosen(picked: Picked) -> None:
        if not picked.id:
            return
        held = openings[picked.id]
        if picked.key:
            presenter.learn_opening(picked.key, held)
            if picked.key in "nN":
                events = presenter.session.history.steps()[-1].events
                presenter.say(summarise(events, presenter.session.battle, rules))
                return
        presenter.attack_out_of_turn(held)

    if len(openings) == 1:
        presenter.attack_out_of_turn(next(iter(openings.values())))
        return
    choices = [
        Choice(
            key,
            f"{battle.units[held.unit].name} → {battle.units[held.against].name}",
            reason_words(held.because, battle),
        )
        for key, held in openings.items()
    ]
    presenter.display.offer(MenuQuestion("Attack out of turn", choices, more_keys=POLICY_KEYS), chosen)


def _resume_waiting(presenter: Presenter) -> None:
    """Puts a unit that holds its action into focus, from a menu if there are several."""
    battle, rules = presenter.session.battle, presenter.session.rules
    waiting = [unit for unit in battle.units.values() if unit.id != battle.turns.active and acts_any_time(unit, rules)]
    if not waiting:
        presenter.say(with_keys("No unit may attack out of turn now. {battle.fire_free} makes any attack, at no cost."))
        return

    def chosen(unit_id: str) -> None:
        if unit_id:
            unit = battle.units[unit_id]
            presenter.look_at(replace(presenter.focus.on_unit(unit_id), cursor=unit.at, overlay="plain"))
            keys = "{battle.next_target} aims, {battle.act} acts."
            presenter.say(with_keys(f"{unit.name} holds its action and may act now: {keys}"))

    if len(waiting) == 1:
        chosen(waiting[0].id)
    else:
        presenter.choose("Units that hold an action", [Choice(unit.id, unit.name) for unit in waiting], chosen)
