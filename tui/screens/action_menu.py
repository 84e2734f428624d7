"""Choosing what a unit does: a way to attack, a move, or another act, on somebody or at the cursor's square."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.battle.attacks.attack_preview import Shot
from engine.battle.command import Act
from engine.battle.commands.other_actions import chance_of_success, declarable, refusal, targets
from engine.battle.distances import distance_between
from engine.battle.narration.preview_text import verdict
from engine.battle.state.units import Unit
from engine.dice.dice_text import percent
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import SQUARE, Action
from engine.values import replace
from tui.keys.battle_keys import with_keys
from tui.modals.menu import Choice
from tui.screens.conversation import NO_TARGET
from tui.screens.menu_choices import action_choices, picked
from tui.screens.move_mode import show_reach

if TYPE_CHECKING:
    from tui.screens.conversation import Conversation


def choose_act(talk: Conversation) -> None:
    """Offers all that the unit in focus may do, and does what is chosen."""
    battle, rules = talk.session.battle, talk.session.rules
    unit = battle.units.get(talk.looked.unit)
    if unit is None:
        return

    def chosen(action_id: str | None) -> None:
        if not action_id:
            return
        action = rules.actions[action_id]
        if action.kind == "attack":
            talk.look(replace(talk.looked, action=action_id))
            shot = talk.shot
            told = f"{{battle.fire}} rolls it. {verdict(shot, rules)}" if isinstance(shot, Shot) else shot or NO_TARGET
            talk.say(with_keys(f"{action.label}: {told}"))
        elif action.kind == "move":
            show_reach(talk, action_id, unit.at)
            talk.has_drawn(unit.id)
        elif action.target == SQUARE:
            _declare(talk, unit, action, Act(unit.id, action_id, square=talk.looked.cursor))
        elif action.target:
            _act_on(talk, unit, action)
        else:
            _declare(talk, unit, action, Act(unit.id, action_id))

    talk.choose(f"{unit.name} acts", action_choices(talk.looked, battle, rules), chosen)


def _act_on(talk: Conversation, unit: Unit, action: Action) -> None:
    """Acts on the target that is picked, else on one of a list."""
    battle, rules = talk.session.battle, talk.session.rules
    on = picked(talk.looked, battle, rules, unit, action)
    if on:
        _declare(talk, unit, action, Act(unit.id, action.id, on))
        return
    sign = UNIT_SIGNS[rules.distance.unit]

    def note(other: Unit) -> str:
        far = f"{float(distance_between(battle.field, rules, unit, other)):g} {sign}"
        chance = chance_of_success(battle, rules, unit, action, other.id)
        return far if chance is None else f"{far}, succeeds {percent(chance)}"

    choices = [
        Choice(other.id, other.name, note(other), refusal(battle, rules, unit, action, other.id))
        for other in targets(battle, rules, unit, action)
    ]

    def chosen(target: str | None) -> None:
        if target:
            _declare(talk, unit, action, Act(unit.id, action.id, target))

    talk.choose(f"{action.label}: on whom?", choices, chosen)


def _declare(talk: Conversation, unit: Unit, action: Action, wish: Act) -> None:
    """Does an act; where one of several attacks is declared with it, the board asks which first."""
    rules = talk.session.rules
    ways = declarable(rules, unit, action)
    if len(ways) < 2:
        talk.roll(wish)
        return

    def chosen(attack: str | None) -> None:
        if attack:
            talk.roll(replace(wish, attack=attack))

    held = rules.gear.weapons[unit.gear.weapon].label
    choices = [Choice(way.id, way.label, held) for way in ways]
    talk.choose(f"{action.label}: with which attack?", choices, chosen)
