"""The question that a reaction asks: who may attack whom now, how likely that hits, and a key for each answer."""

from __future__ import annotations

from engine.battle.attacks.attack_preview import consider
from engine.battle.command import Attack
from engine.battle.state.battle import Battle, Opening
from engine.dice.dice_text import percent
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from engine.text import cells, sentence
from tui.describe.styled_text import fit
from tui.keys.battle_keys import with_keys
from tui.keys.bindings import REACTION_KEYS

SHORTEST = 6
"""Cells that a name keeps; before it would have less, the reaction's own name is left out."""
NO_REACTION = "Opportunity"
"""What an attack at once is called that no reaction of the ruleset gives."""


def reaction_question(held: Opening, battle: Battle, rules: Ruleset, width: int) -> str:
    """One row of at most `width` cells with every choice in it; where room is short, the names give way.

    As "Overwatch: Todd may fire at Bandit (59 %).  x fire  n let pass  A always fire".
    """
    reactor, other = battle.unit(held.unit), battle.unit(held.against)
    weapon = rules.gear.weapons.get(reactor.gear.weapon)
    is_fire = weapon is not None and weapon.kind == "ranged"
    verb = "fire" if is_fire else "attack"
    always = f"  {{battle.policy}} always {verb}" if held.reaction else ""
    keys = with_keys(f"  {{battle.interrupt}} {verb}  {{reaction.pass}} let pass{always}", REACTION_KEYS)
    label = next((one.label for one in rules.turns.reactions if one.id == held.reaction), NO_REACTION)
    may, odds = f" may {verb}{' at' if is_fire else ''} ", f"{_odds(held, battle, rules)}."
    for head in (f"{sentence(label).rstrip('.')}: ", ""):
        room = width - cells(f"{head}{may}{odds}{keys}")
        if room >= cells(reactor.name + other.name) or room >= 2 * SHORTEST or not head:
            one, two = _names(reactor.name, other.name, room)
            return f"{head}{one}{may}{two}{odds}{keys}"
    raise AssertionError("the last head is taken whatever room there is")


def _odds(held: Opening, battle: Battle, rules: Ruleset) -> str:
    """The chance to hit; nothing where there is none to be told."""
    try:
        shot = consider(battle, rules, Attack(held.unit, held.against, action=held.attack))
    except BattleboardError:
        return ""
    return f" ({percent(shot.odds.hit)})" if shot.ledger.is_possible else ""


def _names(one: str, other: str, room: int) -> tuple[str, str]:
    """Two names in so many cells: the longer one is cut first, then both alike."""
    if cells(one) + cells(other) <= room:
        return one, other
    half = max(2, room // 2)
    first = min(cells(one), max(half, room - cells(other)))
    return fit(one, first).rstrip(), fit(other, min(cells(other), max(2, room - first))).rstrip()
