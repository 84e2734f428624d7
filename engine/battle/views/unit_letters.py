"""Letters of units: given when a player first sees a unit and never changed; until then the GM's board has a digit.

A gap among letters that follow the names would tell players that somebody is missing, so nobody has one unseen. The
players' side is the first of the battle that is not called OPPONENTS; its own units that are not hidden have theirs at
once. Where all ten digits are worn, the next ones have other signs: none is a letter of the alphabet that units are
given letters of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from engine.battle.events import LettersGiven
from engine.battle.state.battle import Battle
from engine.battle.state.units import OPPONENTS, Placement, Unit
from engine.battle.views.seen_units import seen_others

UNSEEN = "1234567890@#$%&=+!~^"
"""Signs of units that no player has seen: digits, then others that every terminal has."""
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
NONE_LEFT = "?"


def letter_event(before: Battle, after: Battle, once: Mapping[str, str] | None = None) -> LettersGiven | None:
    """The event that gives letters and digits to those who need them after a command; None where nobody does.

    A battle of an earlier version has none at all: each unit then keeps the letter that it was shown with.

    Args:
        before: the battle before the command.
        after: the battle after it.
        once: every letter ever given, by unit id, also in commands that were undone: players have seen it, so it is
            its unit's again and nobody else's.
    """
    if before.units and not before.letters and not before.digits:
        return LettersGiven(dict(assign_letters(after.units.values())), {})
    missing = [unit for unit in after.units.values() if unit.id not in after.letters]
    if not missing:
        return None
    seen = {unit.id for unit in _seen(after)}
    new = [unit for unit in missing if unit.id in seen]
    given = {**(once or {}), **after.letters}
    free = {id: letter for id, letter in given.items() if letter not in after.letters.values()}
    letters = {unit.id: free[unit.id] for unit in new if unit.id in free}
    first_seen = (unit for unit in new if unit.id not in letters)
    letters |= assign_letters(first_seen, given, players_side(after))
    unseen = [unit for unit in missing if unit.id not in seen and unit.id not in after.digits]
    digits = digits_for(sorted(unseen, key=lambda unit: unit.is_hidden), after)
    return LettersGiven(letters, digits) if letters or digits else None


def digits_for(units: Iterable[Unit], battle: Battle) -> Mapping[str, str]:
    """A digit for each unit: the number of its name where free, else rather one that is no other name's number."""
    digits: dict[str, str] = {}
    worn = {sign for id, sign in battle.digits.items() if id in battle.units and id not in battle.letters}
    numbers = {_number(unit) for unit in battle.units.values()}
    free = {sign for sign in UNSEEN if sign not in worn}
    for unit in sorted(units, key=lambda unit: _number(unit) not in free):
        left = [sign for sign in UNSEEN if sign in free and sign not in digits.values()]
        unused = [sign for sign in left if sign not in battle.digits.values()]
        own = [sign for sign in left if sign == _number(unit)]
        others = [sign for sign in unused if sign not in numbers]
        digits[unit.id] = next(iter((*own, *others, *unused, *left)), NONE_LEFT)
    return digits


def _number(unit: Unit) -> str:
    """The number at the end of a unit's name: "3" of Goon 3; NONE_LEFT for none."""
    last = unit.name.rpartition(" ")[2]
    return last if last.isdecimal() else NONE_LEFT


def signs_of(battle: Battle) -> Mapping[str, str]:
    """The letter or the digit that each unit wears on the GM's board."""
    if not battle.letters and not battle.digits:
        return assign_letters(battle.units.values())
    given = {id: battle.letters.get(id) or battle.digits.get(id, "") for id in battle.units}
    others = [unit for unit in battle.units.values() if not given[unit.id]]
    return given | dict(assign_letters(others, given, players_side(battle)))


def assign_letters(
    units: Iterable[Unit | Placement], taken: Mapping[str, str] | None = None, first: str = ""
) -> Mapping[str, str]:
    """A letter for each unit: of its name where free, capitals for the first side; then any free letter, then "?".

    Args:
        units: who gets one, in this order.
        taken: the letters that are not free, by the ids of those who have them.
        first: the side with capitals; "" for that of the first unit.
    """
    letters: dict[str, str] = {}
    units = tuple(units)
    held: Collection[str] = set((taken or {}).values())
    first = first or next((unit.side for unit in units), "")
    alphabet = ALPHABET if taken is not None else f"{ALPHABET}0123456789"
    for unit in units:
        own = unit.character.letter if unit.character else ""
        wanted = [sign for sign in own + unit.name if sign.isascii() and sign in f"{alphabet}{alphabet.upper()}"]
        case = str.upper if unit.side == first else str.lower
        free = (
            case(sign) for sign in (*wanted, *alphabet) if case(sign) not in letters.values() and case(sign) not in held
        )
        letters[unit.id] = next(free, NONE_LEFT)
    return letters


def players_side(battle: Battle) -> str:
    """The first side that is not called OPPONENTS; "" where there is none yet."""
    return next((unit.side for unit in battle.units.values() if unit.side != OPPONENTS), "")


def _seen(battle: Battle) -> Iterable[Unit]:
    """The units of the players' side, and those of others that one of them sees; hidden ones are not among them."""
    side = players_side(battle)
    yield from (unit for unit in battle.units.values() if unit.side == side and not unit.is_hidden)
    if not battle.is_set_up:
        yield from seen_others(battle, side, battle.letters)
