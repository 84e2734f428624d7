"""Badges of units: a letter, in a group with a number, from the set-up on and for good; and those that players read.

A group's letter is the first free one of its noun. Players number the members of a group as they first see them, and
their letters are free for all whom they have not seen: a gap would tell them that somebody is missing. The players'
side is the first of the battle that is not called OPPONENTS; its own units that are not hidden have theirs at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from engine.battle.events import LettersGiven
from engine.battle.state.battle import PLAYERS, Battle
from engine.battle.state.units import OPPONENTS, Placement, Unit
from engine.battle.unit_names import known_as, number_in, number_of, renumbered, stem_of, words_of
from engine.battle.views.seen_units import seen_others
from engine.rules.rulings import ONE_NUMBERING
from engine.values import replace

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
NONE_LEFT = "?"
Badges = Mapping[str, str]
"""Badges by unit id."""


def letter_event(before: Battle, after: Battle, once: Mapping[str, Badges] | None = None) -> LettersGiven | None:
    """The event that gives badges, and players theirs, to those who need them after a command; None for nobody.

    A battle of an earlier version has none at all: players know its units as they were shown.

    Args:
        before: the battle before the command.
        after: the battle after it.
        once: every badge by which a seat has ever known a unit, also in commands that were undone: players have seen
            it, so it is its unit's again and nobody else's.
    """
    missing = [unit for unit in after.units.values() if unit.id not in after.badges]
    missing.sort(key=lambda unit: unit.is_hidden)
    badges = assign_badges(missing, after.badges, players_side(after), after) if missing else {}
    if before.units and not before.badges:
        return LettersGiven(badges, {PLAYERS: badges})
    known = after.seen_as.get(PLAYERS, {})
    new = [unit for unit in _seen(after) if unit.id not in known]
    seen = badges_for(new, after, known, (once or {}).get(PLAYERS, {})) if new else {}
    return LettersGiven(badges, {PLAYERS: seen} if seen else {}) if badges or seen else None


def signs_of(battle: Battle) -> Mapping[str, str]:
    """The badge that each unit wears: "g3", "T"."""
    missing = [unit for unit in battle.units.values() if unit.id not in battle.badges]
    given = {id: battle.badges[id] for id in battle.units if id in battle.badges}
    return given | dict(assign_badges(missing, battle.badges, players_side(battle), battle)) if missing else given


def assign_badges(
    units: Iterable[Unit | Placement], taken: Badges | None = None, first: str = "", battle: Battle | None = None
) -> Badges:
    """A badge for each unit: a letter of its noun where free, capitals for the first side, and the number of its name.

    Those of one name and case share a letter. After the noun's letters come those of the name, then any; then "?".

    Args:
        units: who gets one, in this order.
        taken: the badges that are given, by the ids of those who have them.
        first: the side with capitals; "" for that of the first unit.
        battle: where those are.
    """
    units, taken = tuple(units), taken or {}
    first = first or next((unit.side for unit in units), "")
    held = {badge[0] for badge in taken.values()}
    shared = {_group_of(battle.called(id), badge): badge[0] for id, badge in taken.items()} if battle else {}
    badges: dict[str, str] = {}
    for unit in units:
        number, is_first = number_of(unit.name), unit.side == first
        group = stem_of(unit.name).casefold(), is_first
        letter = shared.get(group, "") if number else ""
        if not letter:
            letter = _free_letter(unit, held, is_capital=is_first)
            held.add(letter)
            shared.setdefault(group, letter)
        badges[unit.id] = f"{letter}{number or ''}"
    return badges


def _group_of(name: str, badge: str) -> tuple[str, bool]:
    """What the badges of a group have in common: the name without its number, and whether they are capitals."""
    return stem_of(name).casefold(), badge[0].isupper()


def _free_letter(unit: Unit | Placement, held: Collection[str], *, is_capital: bool) -> str:
    own = unit.character
    is_hero = own is not None and not own.is_opponent
    noun = "" if is_hero else words_of(unit.name)[-1]
    wanted = f"{own.letter if own else ''}{noun}{unit.name}{ALPHABET}"
    case = str.upper if is_capital else str.lower
    signs = (case(sign) for sign in wanted if sign.isascii() and sign.isalpha())
    return next((sign for sign in signs if sign not in held), NONE_LEFT)


def players_side(battle: Battle) -> str:
    """The first side that is not called OPPONENTS; "" where there is none yet."""
    return next((unit.side for unit in battle.units.values() if unit.side != OPPONENTS), "")


def _seen(battle: Battle) -> Iterable[Unit]:
    """The units of the players' side, and those of others that one of them sees; hidden ones are not among them."""
    side = players_side(battle)
    yield from (unit for unit in battle.units.values() if unit.side == side and not unit.is_hidden)
    if not battle.is_set_up:
        yield from seen_others(battle, side, battle.seen_as.get(PLAYERS, {}))


def players_badge(battle: Battle, unit_id: str) -> str:
    """The badge by which players know a unit, where that is another than the Game Master's; "" otherwise."""
    badge = battle.badges.get(unit_id, "")
    known = battle.seen_as.get(PLAYERS, {}).get(unit_id, badge)
    return known if known != badge and not battle.gm.rulings.get(ONE_NUMBERING) else ""


def badges_for(new: Iterable[Unit], battle: Battle, given: Badges, once: Badges) -> Badges:
    """The badges by which a seat knows units that it sees for the first time, in this order.

    Args:
        new: who they are.
        battle: with their names.
        given: the badges that the seat knows units by.
        once: those that it knew them by in commands that were undone, too.
    """
    known = {**once, **given}
    free = {id: badge for id, badge in once.items() if badge not in given.values()}
    used: dict[str, set[int]] = {}
    for id, badge in known.items():
        name = battle.called(id)
        used.setdefault(stem_of(name).casefold(), set()).add(number_in(badge) or number_of(name) or 1)
    found: dict[str, str] = {}
    named: list[Unit] = []
    for unit in new:
        taken = used.setdefault(stem_of(unit.name).casefold(), set())
        if unit.id in free:
            found[unit.id] = free[unit.id]
            continue
        number = next(one for one in range(1, len(taken) + 2) if one not in taken) if number_of(unit.name) else 1
        taken.add(number)
        named.append(replace(unit, name=renumbered(unit.name, number)) if number_of(unit.name) else unit)
    return {**found, **assign_badges(named, known, players_side(battle), battle)}


def named_for(battle: Battle, order: Iterable[Unit] = (), seat: str = PLAYERS) -> Battle:
    """The battle with the names and badges by which a seat knows its units.

    Args:
        battle: as the Game Master knows it, or as the seat does already.
        order: those whom the seat has seen, the earliest first; then all others follow.
        seat: whose record counts; "" for a seat without one, which counts by `order` alone.
    """
    if battle.gm.rulings.get(ONE_NUMBERING) or not battle.badges:
        return battle
    given = battle.seen_as.get(seat, {})
    others = sorted(battle.units.values(), key=lambda unit: unit.is_hidden)  # no badge tells of somebody hidden
    everybody = {unit.id: unit for unit in (*order, *others) if unit.id in battle.units}
    missing = [unit for unit in everybody.values() if unit.id not in given]
    badges = {**given, **badges_for(missing, battle, given, {})} if missing else given
    called = {id: known_as(unit.name, badges[id], battle.badges.get(id, "")) for id, unit in battle.units.items()}
    return replace(
        battle,
        units={
            id: unit if unit.name == called[id] else replace(unit, name=called[id]) for id, unit in battle.units.items()
        },
        badges=badges,
        gone={
            id: known_as(name, badges[id], battle.badges.get(id, "")) if id in badges else name
            for id, name in battle.gone.items()
        },
    )
