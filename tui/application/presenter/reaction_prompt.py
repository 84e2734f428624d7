"""Text of a reaction prompt: who may attack whom, the chance to hit, and a key for each answer."""

from __future__ import annotations

from engine.battle.attacks.attack_choices import weapon_of_opening
from engine.battle.attacks.attack_preview import consider
from engine.battle.attacks.reactions import can_answer, takes_any_action
from engine.battle.command import Attack
from engine.battle.state.battle import Battle, Opening
from engine.dice.dice_text import percent
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from engine.text import cells, upper_first
from tui.application.describe.text_layout import fit_name
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import REACTION_KEYS

SHORTEST, SHORTEST_ALONE = 6, 3
"""Least cells of a unit's name beside the odds, and without them; below that the reaction's name is left out."""
NO_REACTION = "Opportunity"
"""Label of an attack out of turn without a reaction of the ruleset."""
STOPPED = {"move": "next squares", "attack": "attack", "act": "action"}
"""What is not made of a stopped command when the turn ends."""


def reaction_question(opening: Opening, battle: Battle, rules: Ruleset, width: int) -> str:
    """Formats a row of at most `width` cells with every answer.

    If room is short, the reaction has its short label, then the names are cut, then the odds go.

    As "Overwatch: Todd may fire at Bandit (59 %).  x fire  n let pass  A always fire".
    """
    reactor, other = battle.unit(opening.unit), battle.unit(opening.against)
    weapon = rules.gear.weapons.get(weapon_of_opening(battle, rules, opening))
    is_fire = weapon is not None and weapon.kind == "ranged"
    verb = "fire" if is_fire else "attack"
    can = can_answer(battle, rules, opening) or not takes_any_action(rules, opening.reaction)
    fire = f"  {{battle.interrupt}} {verb}" if can else ""
    act = "  {battle.act} act" if takes_any_action(rules, opening.reaction) else ""
    always = f"  {{battle.policy}} always {verb}" if opening.reaction and can else ""
    keys = with_keys(f"{fire}{act}  {{reaction.pass}} let pass{always}", REACTION_KEYS)
    reactions = ((known.label, known.short) for known in rules.turns.reactions if known.id == opening.reaction)
    label, short_label = next(reactions, (NO_REACTION, ""))
    may, odds = f" may {verb}{' at' if is_fire else ''} ", f"{_odds(opening, battle, rules)}."
    if not can:
        may, odds = " may act before ", "."
    whole, short = (f"{upper_first(said)}: " for said in (label, short_label or label))
    for head, end in ((whole, odds), (short, odds), (short, "."), ("", ".")):
        room = width - cells(f"{head}{may}{end}{keys}")
        least = SHORTEST if end == odds else SHORTEST_ALONE
        if room >= cells(reactor.name + other.name) or room >= 2 * least or not head:
            by, against = _names(reactor.name, other.name, room)
            return f"{head}{by}{may}{against}{end}{keys}"
    raise AssertionError("the last head always fits")


def turn_ends_words(battle: Battle) -> str:
    """What an answer does if the turn ends after it: "The answer ends Cutter's turn, without its attack." """
    active = battle.units.get(battle.turns.active)
    if active is None:
        return ""
    stopped = battle.turns.held_by(active.id)
    without = f", without its {STOPPED[stopped.kind]}" if stopped is not None else ""
    return f"The answer ends {active.name}'s turn{without}."


def _odds(held: Opening, battle: Battle, rules: Ruleset) -> str:
    """Formats the chance to hit; "" if there is none."""
    try:
        shot = consider(battle, rules, Attack(held.unit, held.against, action=held.attack))
    except BattleboardError:
        return ""
    return f" ({percent(shot.odds.hit)})" if shot.ledger.is_possible else ""


def _names(one: str, other: str, room: int) -> tuple[str, str]:
    """Cuts two names to so many cells, the longer one first, then both."""
    if cells(one) + cells(other) <= room:
        return one, other
    half = max(2, room // 2)
    first = min(cells(one), max(half, room - cells(other)))
    return fit_name(one, first).rstrip(), fit_name(other, min(cells(other), max(2, room - first))).rstrip()
