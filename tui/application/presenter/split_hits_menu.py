"""Menu that splits the hits of a burst among enemies, before the roll."""

from __future__ import annotations

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.attacks.split_hits import Share, can_share, check_share, no_share_reasons
from engine.errors import Illegal
from engine.values import replace
from tui.application.focus import focus as foci
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.presenter import Presenter
from tui.application.prompts.choice import Choice

ALL_BACK = "all back"
"""Id of the choice that returns all hits to the target; ids of units have no spaces."""


def choose_share(presenter: Presenter) -> None:
    """Opens a menu of enemies near the target, and assigns one more hit to the chosen one."""
    battle, rules = presenter.session.battle, presenter.session.rules
    shot = foci.shot(presenter.focus, battle, rules)
    if not isinstance(shot, AttackPreview):
        presenter.say(shot or "Choose a target and a burst first, then split its hits.")
        return
    action = shot.situation.action.label
    if not can_share(rules, shot):
        presenter.say(f"“{action}” has no hits to split: it scores one hit at most.")
        return
    reasons = no_share_reasons(battle, rules, shot)
    if not reasons:
        presenter.say(f"“{action}” cannot split hits: there is no other enemy.")
        return
    given = dict(presenter.focus.share)
    names = {unit_id: battle.units[unit_id].name for unit_id in reasons}
    choices = [
        Choice(unit_id, f"one hit to {names[unit_id]}", f"{given.get(unit_id, 0)} so far", reason)
        for unit_id, reason in reasons.items()
    ]
    choices += [Choice(ALL_BACK, f"all to {shot.situation.target.name}", "")] * bool(given)

    def chosen(unit_id: str) -> None:
        if not unit_id:
            return
        more = {} if unit_id == ALL_BACK else {**given, unit_id: given.get(unit_id, 0) + 1}
        share = tuple(more.items())
        try:
            check_share(battle, rules, shot, share)
        except Illegal as reason:
            presenter.say(str(reason))
            return
        presenter.look_at(replace(presenter.focus, share=share))
        presenter.say(share_words(share, names) or "All hits go to the target.")

    presenter.choose("Split the hits of this burst", choices, chosen)


def share_words(share: Share, names: dict[str, str]) -> str:
    """Describes the split of the hits; "" if the target has them all."""
    listed = ", ".join(f"{hits} to {names.get(unit_id, unit_id)}" for unit_id, hits in share)
    keys = with_keys("{battle.share} splits more, {battle.fire} fires.")
    return f"Split hits: {listed}; the target takes the first hit. {keys}" if listed else ""
