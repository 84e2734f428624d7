"""Six attacks of Occult Ops, thrown a million times: d100 below a target number, armour that wears off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tests.simulation.book import Book, Numbers, Outcome, Simulated, ThrownDice, parts

HIT_POINTS = {4: 16, 6: 20, 8: 22, 10: 26}
STRIKE = {2: -20, 4: -10, 6: 0, 8: 10, 10: 25}
STRENGTH = {2: -2, 4: -2, 6: 0, 8: 2, 10: 4}
FUMBLE = 90


class Grades(NamedTuple):
    """Grade of each attack roll: one of the four, or none for a miss."""

    fumble: Numbers
    critical: Numbers
    past: Numbers
    armour: Numbers

    @property
    def hit(self) -> Numbers:
        return self.critical | self.past | self.armour


def even(score: int) -> int:
    """The even score at or below a score, as the tables have them."""
    return min(10, score // 2 * 2)


def grade(roll: Numbers, number: int) -> Grades:
    """Above 90 fumbles; below a tenth is critical, below half passes the armour, any other success strikes it."""
    fumble = roll > FUMBLE
    success = (roll < number) & ~fumble
    critical = success & (10 * roll < number)
    past = success & ~critical & (roll < number // 2)
    return Grades(fumble, critical, past, success & ~critical & ~past)


def most(notation: str) -> int:
    number, sides, added = parts(notation)
    return number * sides + added


def inflict(
    target: Mapping[str, Any],
    force: Numbers,
    to_armour: Numbers,
    to_body: Numbers,
) -> tuple[Numbers, Numbers]:
    """Hit points and armour points that damage takes.

    Armour resists its share of the points that are left, cut to a whole number, and nothing below 10 points; what is
    more wears it off, and beyond the last point it goes on to the wearer.
    """
    points = target["armour_points"]
    resisted = points * target["armour_resistance"] // 100 if points >= 10 else 0
    after = np.maximum(0, force - resisted)
    worn = np.where(to_armour, np.minimum(after, points), 0)
    through = np.where(to_armour, after - worn, 0)
    hurt = np.where(to_body, force, through)
    return np.minimum(hurt, HIT_POINTS[even(target["endurance"])]), worn


def outcome(target: Mapping[str, Any], hit: Numbers, hurt: Numbers, worn: Numbers, graded: Grades | None) -> Outcome:
    named = {}
    if graded is not None:
        named = {
            "epic-fumble": graded.fumble,
            "critical": graded.critical,
            "past-armour": graded.past,
            "armour-hit": graded.armour,
        }
    return Outcome(hit, hurt, hurt >= HIT_POINTS[even(target["endurance"])], named, {"armour points": worn})


def attack(
    dice: ThrownDice,
    target: Mapping[str, Any],
    number: int,
    damage: str,
    *,
    times: tuple[int, int] = (1, 1),
    more: int = 0,
) -> Outcome:
    """An attack on one target: the roll, the fumble that hits after all, damage of the dice times a number, rounded up.

    A critical hit does the most that its dice can do, and a d6 that is not multiplied.
    """
    graded = grade(dice.die(100), number)
    after_all = graded.fumble & (dice.die(20) == 1)
    rolled = np.where(graded.critical, most(damage), dice.total(damage))
    force = -(-rolled * times[0] // times[1]) + np.where(graded.critical, dice.die(6), 0) + more
    force = np.maximum(0, force)
    hurt, worn = inflict(target, force, graded.armour | after_all, graded.critical | graded.past)
    return outcome(target, graded.hit, hurt, worn, graded)


def strike(book: Book, role: str, *, skill: str = "") -> int:
    """Strike of DEX, and what a Weapon skill adds, or −20 without it."""
    sheet = book.sheet(role)
    trained = 0 if not skill else 10 if sheet[f"weapon_{skill}"] else -20
    return STRIKE[even(sheet["dexterity"])] + trained


def defence(book: Book, role: str) -> int:
    return {2: -20, 4: -10, 6: 0, 8: 10, 10: 25}[even(book.sheet(role)["dexterity"])]


def base(feet: int, maximum: int) -> int:
    """To hit at a distance; the bands begin at shares of the maximum range, and short where point blank ends."""
    if feet <= 5:
        return 80
    edges = ((maximum, 10), (maximum // 2, 20), (maximum // 4, 40), (0, 60))
    assert feet <= maximum
    return next(number for begins, number in edges if feet >= begins)


def cover(book: Book, covered: float) -> int:
    """Partial cover 10, full cover 25, by how much of the body is hidden."""
    percent = 100 * covered
    return 25 if percent >= book.ruling("full_cover") else 10 if percent >= book.ruling("partial_cover") else 0


def plain_shot(book: Book, dice: ThrownDice, covered: float) -> Simulated:
    """The chapter's example: a pistol at 20 feet, a target behind partial cover."""
    gun = book.weapon("usp9")
    number = base(20, gun["max_range"]) + strike(book, "gunman", skill="pistol")
    number -= defence(book, "gunman") + cover(book, covered)
    assert number == 60
    return Simulated(attack(dice, book.sheet("gunman"), number, gun["damage"]))


def aimed_shot(book: Book, dice: ThrownDice, feet: int) -> Simulated:
    """An aimed shot, +15, through a scope, +5, at a dodging target, −20."""
    gun = book.weapon("sniper-rifle")
    number = base(feet, gun["max_range"]) + strike(book, "marksman", skill="rifle") + 15 + 5
    number -= defence(book, "rifleman") + 20
    return Simulated(attack(dice, book.sheet("rifleman"), number, gun["damage"]))


def long_burst(book: Book, dice: ThrownDice, feet: int) -> Simulated:
    """A whole magazine, +5 and four times the damage, fired kneeling, +5, at a prone target, −20."""
    gun = book.weapon("assault-rifle")
    number = base(feet, gun["max_range"]) + strike(book, "rifleman", skill="rifle") + 5 + 5
    number -= defence(book, "brawler") + 20
    return Simulated(attack(dice, book.sheet("brawler"), number, gun["damage"], times=(4, 1)))


def leap_attack(book: Book, dice: ThrownDice) -> Simulated:
    """A leap with bare hands at a prone target, +20: the punch doubled, then the bonus of Strength."""
    sheet = book.sheet("brawler")
    number = 50 + strike(book, "brawler", skill="unarmed") + 20 - defence(book, "civilian")
    damage = book.weapon("punch")["damage"]
    more = STRENGTH[even(sheet["strength"])]
    return Simulated(attack(dice, book.sheet("civilian"), number, damage, times=(2, 1), more=more))


def short_burst(book: Book, dice: ThrownDice, feet: int, points: int) -> Simulated:
    """A tenth of the magazine, +5 and half as much damage again, at a hull that resists no more."""
    gun = book.weapon("machine-gun")
    number = base(feet, gun["max_range"]) + strike(book, "machine-gunner", skill="heavy") + 5
    number -= defence(book, "drone")
    target = {**book.sheet("drone"), "armour_points": points}
    return Simulated(attack(dice, target, number, gun["damage"], times=(3, 2)))


def grenade(
    book: Book,
    dice: ThrownDice,
    at: tuple[int, int],
    thrown_from: tuple[int, int],
    units: Mapping[str, tuple[str, tuple[int, int]]],
    aimed_at: str,
) -> Simulated:
    """A fragmentation grenade at a unit on an open map; squares of five feet, a diagonal step counts as one.

    A miss goes 1d4 squares in one of eight directions; above 90 it goes off in the hand. The unit aimed at is struck
    as the roll says, everybody else in the armour. Damage is rolled once for all, a critical hit's by itself.
    """
    weapon = book.weapon("frag-grenade")
    number = 40 + strike(book, "grenadier", skill="thrown") - defence(book, units[aimed_at][0])
    graded = grade(dice.die(100), number)
    ways = np.array([(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)])[dice.die(8) - 1]
    far = dice.die(4)
    column = np.where(graded.hit, at[0], np.where(graded.fumble, thrown_from[0], at[0] + ways[:, 0] * far))
    row = np.where(graded.hit, at[1], np.where(graded.fumble, thrown_from[1], at[1] + ways[:, 1] * far))
    damage = dice.total(weapon["damage"])
    critical = most(weapon["damage"]) + dice.die(6)
    caught = {}
    for name, (role, (own_column, own_row)) in units.items():
        feet = 5 * np.maximum(np.abs(column - own_column), np.abs(row - own_row))
        rings = [feet <= weapon[f"radius_{ring}"] for ring in ("short", "medium", "long")]
        parts_of = np.select(rings, [4, 2, 1], 0)
        is_aimed = graded.hit & (name == aimed_at)
        force = np.where(is_aimed & graded.critical, critical, damage) * parts_of // 4
        to_body = is_aimed & (graded.critical | graded.past)
        hurt, worn = inflict(book.sheet(role), force, (parts_of > 0) & ~to_body, to_body)
        caught[name] = outcome(book.sheet(role), parts_of > 0, hurt, worn, None)
    return Simulated(caught=caught)
