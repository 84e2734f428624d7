"""Giving hits of a burst to others than its target, before it is rolled."""

from __future__ import annotations

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.attacks.split_hits import Share, can_share, check_share, no_share_reasons
from engine.errors import Illegal
from engine.values import replace
from tui.focus import focus as foci
from tui.keys.battle_keys import with_keys
from tui.modals.choice import Choice
from tui.presenter.presenter import Presenter

ALL_BACK = "all back"
"""The choice that gives every hit back to the target; ids of units have no spaces."""


def choose_share(presenter: Presenter) -> None:
    """Offers those near the target, and gives one hit more to whom is chosen; the attack itself is made as ever."""
    battle, rules = presenter.session.battle, presenter.session.rules
    shot = foci.shot(presenter.focus, battle, rules)
    if not isinstance(shot, AttackPreview):
        presenter.say(shot or "Pick a target and a burst first: then hits of it may go to others.")
        return
    action = shot.situation.action.label
    if not can_share(rules, shot):
        presenter.say(f"“{action}” has no hits to split: it scores one hit at most.")
        return
    reasons = no_share_reasons(battle, rules, shot)
    if not reasons:
        presenter.say(f"Nobody else can have hits of “{action}”: there is no other enemy.")
        return
    given = dict(presenter.focus.share)
    names = {unit_id: battle.units[unit_id].name for unit_id in reasons}
    choices = [
        Choice(unit_id, f"a hit to {names[unit_id]}", f"{given.get(unit_id, 0)} so far", reason)
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

    presenter.choose("Hits of this burst", choices, chosen)


def share_words(share: Share, names: dict[str, str]) -> str:
    """Who has how many hits; "" where the target has them all."""
    told = ", ".join(f"{hits} to {names.get(unit_id, unit_id)}" for unit_id, hits in share)
    keys = with_keys("{battle.share} gives more, {battle.fire} fires.")
    return f"Hits given away: {told}; the target is hit first. {keys}" if told else ""
