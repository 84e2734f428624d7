"""Action menu: attacks, moves and other actions of the unit in focus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.narration.preview_text import verdict
from engine.battle.state.units import Unit
from engine.battle.wording import left_words
from engine.rules.model import Action
from engine.values import replace
from tui.application.focus import focus as foci
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.action_rows import (
    action_choices,
    throws,
    with_numbers,
)
from tui.application.presenter.aim_mode import aim_attack, do_aimed, take_act
from tui.application.presenter.move_mode import show_reach
from tui.application.presenter.presenter import NO_TARGET, Presenter
from tui.application.prompts.choice import GROUP, Choice, MenuQuestion, group_of, grouped

ATTACK = "attack"
COLUMNS = ("cost", "hit", "avg", "kills")


def choose_act(presenter: Presenter) -> None:
    """Opens the action menu of the unit in focus and runs the chosen action."""
    battle, rules = presenter.session.battle, presenter.session.rules
    unit = battle.units.get(presenter.focus.unit)
    if unit is None:
        return
    if presenter.is_aiming:
        do_aimed(presenter)
        return

    focus = presenter.focus
    choices = action_choices(focus, battle, rules)
    thrown = throws(focus, battle, rules)
    shot = foci.shot(focus, battle, rules)
    usual = shot.situation.action.id if isinstance(shot, AttackPreview) else ""
    target = battle.units.get(focus.target)
    left = left_words(unit, rules, is_short=True)[:1]
    who = f"{unit.name} ▸ {target.name}" if target else f"{unit.name} · no target"

    def offer(title: str, shown: Sequence[Choice], marked: str) -> None:
        def later() -> Iterator[Choice | None]:
            for one in shown:
                if one.heading == ATTACK and not one.reason and not one.is_group:
                    yield (yield from with_numbers(one, focus, battle, rules))

        question = MenuQuestion(title, shown, folds=True, columns=COLUMNS, usual=marked, later=later)
        presenter.display.offer(question, lambda picked: chosen(picked.id))

    def chosen(id: str) -> None:
        if id.startswith(GROUP):
            label = next(one.group for one in choices if one.group and one.key[:1] == id.removeprefix(GROUP))
            offer(f"{who}  {label}", group_of(choices, id), usual)
        elif id in thrown:
            _throw(presenter, *thrown[id])
        elif id:
            _do(presenter, unit, rules.actions[id])

    rows = grouped(choices)
    in_group = next((f"{GROUP}{one.key[:1]}" for one in choices if one.id == usual and one.group), usual)
    offer("  ".join([who, *left]), rows, usual if any(one.id == usual for one in rows) else in_group)


def _do(presenter: Presenter, unit: Unit, action: Action) -> None:
    """Puts an attack into focus, shows the reach of a move, or takes another action."""
    if action.kind == "attack":
        focus = replace(presenter.focus, action=action.id)
        if not aim_attack(presenter, focus):
            presenter.look_at(focus)
            presenter.say(with_keys(_next_step(presenter, action)))
    elif action.kind == "move":
        show_reach(presenter, action.id, unit.at)
        presenter.plan_move(unit.id)
    else:
        take_act(presenter, unit, action)


def _next_step(presenter: Presenter, action: Action) -> str:
    """The key that makes the attack in focus and what it would be, or why there is none."""
    shot = presenter.shot
    if isinstance(shot, AttackPreview):
        return f"{{battle.fire}} attacks with “{action.label}”. {verdict(shot, presenter.session.rules)}"
    return f"“{action.label}”: {shot or NO_TARGET}"


def _throw(presenter: Presenter, weapon: str, action: Action) -> None:
    """Aims a throw: at the cursor's square, from the thrower's own at the target or next enemy.

    What does not burst is thrown at the target in focus. The overlay shows where it may come down.
    """
    if not aim_attack(presenter, replace(presenter.focus, weapon=weapon, action=action.id)):
        presenter.say(with_keys(_next_step(presenter, action)))
