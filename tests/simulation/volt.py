"""Six attacks of VOLT, thrown a million times: two d20, each for itself at or under a value and above a number."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, sqrt
from typing import Any

import numpy as np

from tests.simulation.book import Book, Numbers, Outcome, Simulated, ThrownDice

RANGES = ((4, 0), (14, 1), (34, 2), (74, 3), (149, 4), (299, 5), (599, 6), (1199, 7))
"""Up to which whole metre a range number holds: under 5 m, then about 10, 25, 50, 100, 200, 400, 800 m."""
ROWS = 20


def range_number(metres: float) -> int:
    """Of a distance, cut to whole metres."""
    return next(number for most, number in RANGES if floor(metres) <= most)


def read_dice(first: Numbers, second: Numbers, value: int) -> tuple[Numbers, Numbers]:
    """What each die counts: a value over 20 gives 20 to a die that still fits."""
    more = [np.maximum(0, (value - die) // 20) * 20 for die in (first, second)]
    return first + more[0], second + more[1]


def hitting(first: Numbers, second: Numbers, value: int, to_beat: Numbers | int) -> Numbers:
    """How many of the dice are at or under the value and above the number to beat."""
    hits: Numbers = ((first <= value) & (first > to_beat)) + 0 + ((second <= value) & (second > to_beat))
    return hits


def wound_row(dice: ThrownDice, force: Numbers, injuries: int = 0) -> Numbers:
    """The row that damage marks: two d20 against the Damage value; none fits, and it is the lowest free row."""
    first, second = dice.die(20), dice.die(20)
    best = np.zeros(force.shape, int)
    for die in (first, second):
        counted = die + 20 * np.maximum(0, (force - die) // 20)
        best = np.where((die <= force) & (counted > best), counted, best)
    lowest = injuries + 1
    return np.where((best == 0) & (lowest <= force), lowest, best)


def struck(
    book: Book,
    dice: ThrownDice,
    weapon: Mapping[str, Any],
    target: Mapping[str, Any],
    hits: Numbers,
    placed: Numbers,
    *,
    modifier: int = 0,
    more: Numbers | int = 0,
    full: Numbers | None = None,
    graded: Mapping[str, Numbers] | None = None,
) -> Outcome:
    """What a hit does: armour, Pierce against Protection, and the row that the Damage value marks.

    Args:
        book: for the rulings.
        dice: to throw.
        weapon: its numbers.
        target: the sheet of the one struck.
        hits: how many dice hit; two are a full hit, with 2 more Pierce and 5 more Damage.
        placed: the white die: above Coverage it passes the armour.
        modifier: Damage modifier of a blow, for Pierce as well.
        more: further Damage.
        full: throws that count as a full hit, if it is not by the dice.
        graded: results with a name.
    """
    is_hit = hits > 0
    full = hits == 2 if full is None else full
    pierce = weapon["pierce"] + 2 * full + modifier
    bare = target["coverage"] <= 0
    past = (placed > target["coverage"]) & (target["coverage"] < 20)
    holds = ~past & (pierce < target["protection"]) & (not bare)
    force = weapon["damage"] + 5 * full + modifier + more - np.where(holds, target["protection"] - pierce, 0)
    force = np.maximum(0, force)
    row = np.where(is_hit, wound_row(dice, force), 0)
    if not weapon["stuns"]:  # armour that holds makes a Stun of an Injury
        injury, stun = np.where(holds, 0, row), np.where(holds, row, 0)
    else:  # armour that holds stops a Stun; a full hit marks an Injury besides, or a Stun where armour holds
        stun = np.where(holds, 0, row)
        again = np.where(hits == 2, wound_row(dice, force), 0)
        injury = np.where(holds, 0, again)
        stun = np.maximum(stun, np.where(holds, again, 0))
    injury = np.minimum(injury, ROWS)
    stun = np.minimum(stun, ROWS)
    out = (injury >= book.ruling("out_by_injury")) | (stun >= book.ruling("out_by_stun"))
    harms = {"Injury": injury > 0, "Stun": stun > 0}
    return Outcome(is_hit, injury + (injury > 0) + stun, out, graded or {}, harms=harms)


def attack(
    book: Book,
    dice: ThrownDice,
    weapon: str,
    target: str,
    value: int,
    to_beat: int,
    **more: Any,
) -> Outcome:
    """An attack with a value against a range number or a Guard."""
    white, black = dice.die(20), dice.die(20)
    hits = hitting(*read_dice(white, black, value), value, to_beat)
    graded = {"full-hit": hits == 2, "struck": hits == 1}
    return struck(book, dice, book.weapon(weapon), book.sheet(target), hits, white, graded=graded, **more)


def directed_shot(book: Book, dice: ThrownDice, covered: float, metres: float) -> Simulated:
    """A directed shot; the target's firing position costs a third of the worst for each quarter of the body."""
    value = book.weapon("pistol")["directed"] + book.sheet("gunman")["ranged_combat"]
    worst = book.ruling("position")
    value -= min(worst, floor(4 * covered * worst / 3))
    return Simulated(attack(book, dice, "pistol", "rifleman", value, range_number(metres)))


def aimed_shot(book: Book, dice: ThrownDice, metres: float) -> Simulated:
    """A turn spent aiming, then a shot one step beyond the rifle's range, −5."""
    value = book.weapon("assault-rifle")["aimed"] + book.sheet("rifleman")["ranged_combat"]
    assert range_number(metres) == book.weapon("assault-rifle")["range"] + 1
    value -= 5
    return Simulated(attack(book, dice, "assault-rifle", "gunman", value, range_number(metres)))


def burst(book: Book, dice: ThrownDice, metres: float) -> Simulated:
    """Five shots, +1 up to range 3, at a target that has declared a move."""
    value = book.weapon("assault-rifle")["directed"] + book.sheet("rifleman")["ranged_combat"]
    assert range_number(metres) <= 3
    value += 1 - book.ruling("moving_target")
    return Simulated(attack(book, dice, "assault-rifle", "rifleman", value, range_number(metres)))


def fast_snap(book: Book, dice: ThrownDice, metres: float) -> Simulated:
    """Two shots from a weapon that points elsewhere: Damage +1 up to range 4."""
    value = book.weapon("pistol")["snap"] + book.sheet("gunman")["ranged_combat"]
    assert range_number(metres) <= 4
    return Simulated(attack(book, dice, "pistol", "civilian", value, range_number(metres), more=1))


def blow(book: Book, dice: ThrownDice) -> Simulated:
    """A blow at a swordsman with a shield: against his unarmed Guard, or against his sword's if he counterattacks."""
    club, striker, other = book.weapon("club"), book.sheet("brawler"), book.sheet("shield-bearer")
    value = club["strike"] + striker["close_combat"]
    shield = book.ruling("shield")
    unready = book.ruling("unarmed_guard") + other["close_combat"] + shield
    ready = book.weapon("sword")["guard"] + other["close_combat"] + shield
    modifier = striker["damage_modifier"]
    plain = attack(book, dice, "club", "shield-bearer", value, unready, modifier=modifier)
    answered = attack(book, dice, "club", "shield-bearer", value, ready, modifier=modifier)
    return Simulated(plain, answered)


def longest_diagonal(metres: Numbers) -> Numbers:
    """Diagonal steps of 1.41 m within so many metres, distances cut to whole metres."""
    return np.array([max(step for step in range(most + 2) if step * sqrt(2) <= most) for most in range(20)])[metres]


def grenade(
    book: Book,
    dice: ThrownDice,
    at: tuple[int, int],
    thrown_from: tuple[int, int],
    size: tuple[int, int],
    units: Mapping[str, tuple[str, tuple[int, int]]],
) -> Simulated:
    """A grenade thrown at a unit on an open map of squares of one metre; a miss strays 1d6 m and the range number.

    In the blast it is a full hit, in the fragments beyond it a hit with 5 less Damage. A white die of its own says
    for each unit whether armour is passed. What would leave the map stays on its edge.
    """
    weapon, thrower = book.weapon("fragmentation-grenade"), book.sheet("grenadier")
    metres = sqrt((at[0] - thrown_from[0]) ** 2 + (at[1] - thrown_from[1]) ** 2)
    number = range_number(metres)
    value = weapon["directed"] + thrower["ranged_combat"]
    if number == weapon["range"] + 1:
        value -= 5
    white, black = dice.die(20), dice.die(20)
    hit = hitting(*read_dice(white, black, value), value, number) > 0
    ways = np.array([(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)])[dice.die(8) - 1]
    far = dice.die(6) + number
    steps = np.where(ways.all(axis=1), longest_diagonal(far), far)
    column = np.where(hit, at[0], at[0] + ways[:, 0] * steps)
    row = np.where(hit, at[1], at[1] + ways[:, 1] * steps)
    assert column.min() >= 0 and row.min() >= 0 and column.max() < size[0] and row.max() < size[1]
    caught = {}
    for name, (role, (own_column, own_row)) in units.items():
        away = np.hypot(column - own_column, row - own_row)
        blast, fragments = away <= weapon["radius_blast"], away <= weapon["radius_fragments"]
        less = np.where(blast, 0, -5)
        hits = np.where(fragments, 1, 0)
        caught[name] = struck(book, dice, weapon, book.sheet(role), hits, dice.die(20), full=blast, more=less)
    return Simulated(caught=caught)
