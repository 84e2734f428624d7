"""Seven attacks of Ashes of Gaia, thrown a million times: d100 at or under a number made of steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.simulation.book import Book, Numbers, Outcome, Simulated, ThrownDice

HEAD, CHEST, STOMACH, ARM, LEG = "head", "chest", "stomach", "arm", "leg"
LOCATIONS = ((8, HEAD), (24, ARM), (50, CHEST), (75, STOMACH), (100, LEG))
"""Up to which reversed roll; both arms and both legs are alike to damage."""
PIECES = {HEAD: "head", CHEST: "torso", STOMACH: "torso", ARM: "arms", LEG: "legs"}
SHARES = {HEAD: 2.0, CHEST: 1.0, STOMACH: 1.0, ARM: 0.5, LEG: 0.5}
SKILLS = {"small-arms": "small_arms", "long-arms": "long_arms", "heavy-arms": "heavy_arms", "throw": "throw"} | {
    "short": "short_melee",
    "medium": "medium_melee",
    "long": "long_melee",
}
IMPOSSIBLE = 10_000


def reversed_digits(roll: Numbers) -> Numbers:
    """07 read backwards is 70; 00 stands for 100 and stays it."""
    return np.where(roll == 100, 100, roll % 10 * 10 + roll // 10)


def degree(roll: Numbers, number: Numbers | int) -> Numbers:
    """4 for a quarter of the number or less, 3 for a half, 2 for three quarters, 1 for the number itself, else 0."""
    steps = np.zeros(roll.shape, int)
    for limit in (np.asarray(number), 3 * np.asarray(number) // 4, np.asarray(number) // 2, np.asarray(number) // 4):
        steps += roll <= limit
    return steps


def range_step(distance: float, standard: float) -> int:
    """What the distance takes off."""
    for times, off in ((1, 0), (2, -30), (3, -60)):
        if distance <= times * standard:
            return off
    return -IMPOSSIBLE


def cover_step(book: Book, covered: float, material: str, *, window: bool = False) -> int:
    """What cover takes off; the share of the body that it hides is geometry and is given."""
    percent = 100 * covered
    if covered >= 1:
        return -IMPOSSIBLE
    if percent < book.ruling("light_cover"):
        return 0
    is_medium = percent >= book.ruling("medium_cover") or material == "heavy" or window
    return -30 if is_medium else -15


def wounds(
    book: Book,
    dice: ThrownDice,
    weapon: Mapping[str, Any],
    attacker: Mapping[str, Any],
    target: Mapping[str, Any],
    spot: Numbers | str,
    critical: Numbers,
    *,
    precise: Numbers | int = 0,
    melee: bool = False,
    extra_die: bool = False,
    share: Numbers | float = 1.0,
    dodged_off: Numbers | int = 0,
    bonus: int = 0,
    damage: Numbers | None = None,
    impaled: Numbers | None = None,
) -> Numbers:
    """Hit points that a strike takes: dice, armour of the piece that is struck, share of the location."""
    damage = dice.total(weapon["damage"]) if damage is None else damage
    if extra_die:
        damage = damage + dice.total(weapon["die"])
    if weapon["impale"]:
        damage = damage + np.where(critical, dice.total(weapon["dice"]) if impaled is None else impaled, 0)
    damage = damage + bonus + precise
    force = np.maximum(0, np.floor(share * np.maximum(0, damage)) - dodged_off)
    build = target["build"]
    lost = np.zeros(force.shape)
    for place in SHARES:
        here = np.full(force.shape, spot == place) if isinstance(spot, str) else located(spot, place)
        rating = target[f"{PIECES[place]}_{weapon['type']}"]
        if weapon["fragmentation"] and target["anti_frag"]:
            rating *= 2
        stopped = np.minimum(force, max(0, rating + build) / (2 if melee else 1))
        lost = np.where(here, np.ceil((force - stopped) * SHARES[place]), lost)
    return lost


def located(spot: Numbers, place: str) -> Numbers:
    """Throws whose reversed roll names a place of the body."""
    least = 0
    for most, name in LOCATIONS:
        if name == place:
            return (spot > least) & (spot <= most)
        least = most
    raise AssertionError(place)


def hit_points(sheet: Mapping[str, Any]) -> int:
    return int((sheet["constitution"] + sheet["bulk"]) // 10)


def outcome(hit: Numbers, lost: Numbers, target: Mapping[str, Any], graded: Mapping[str, Numbers]) -> Outcome:
    """Hit points never fall below 0; there the target is out."""
    most = hit_points(target)
    damage = np.where(hit, np.minimum(lost, most), 0)
    return Outcome(hit, damage, damage >= most, graded)


def defended(before: Outcome, evaded: Numbers) -> Outcome:
    """The same attack when a defence undoes some of its hits."""
    hit = before.hit & ~evaded
    return Outcome(hit, np.where(hit, before.damage, 0), before.out & hit)


def fire(book: Book, dice: ThrownDice, weapon: Mapping[str, Any], number: int) -> tuple[Numbers, Numbers, Numbers]:
    """Roll, degree and jam of a shot; a roll in the weapon's jam range misses."""
    roll = dice.die(100)
    jam = roll >= weapon["jam"]
    return roll, np.where(jam, 0, degree(roll, number)), jam


def grades(steps: Numbers) -> dict[str, Numbers]:
    return {name: steps == step for step, name in ((4, "extreme"), (3, "hard"), (2, "normal"), (1, "simple"))}


def dodge(dice: ThrownDice, target: Mapping[str, Any], steps: Numbers, off: int = 0) -> Numbers:
    """Throws in which a dodge of at least the attack's degree undoes it; armour may hinder it."""
    number = max(0, target["dodge"] - 20 * target["cumbersome"] - off)
    own = degree(dice.die(100), number)
    return (own > 0) & (own >= steps)


def shot(
    book: Book,
    dice: ThrownDice,
    attacker: str,
    target: str,
    weapon: str,
    distance: float,
    modifier: int,
    *,
    called: str = "",
    skill: int | None = None,
) -> Simulated:
    """A shot at a person: the range's step, and the sum of all other modifiers."""
    gun, shooter, victim = book.weapon(weapon), book.sheet(attacker), book.sheet(target)
    number = (shooter[SKILLS[gun["skill"]]] if skill is None else skill) + range_step(distance, gun["range"]) + modifier
    roll, steps, jam = fire(book, dice, gun, number)
    critical = (steps > 0) & (roll <= book.ruling("critical"))
    precise = np.choose(steps, (0, 0, 1, 2, 4)) if gun["precise"] else 0
    spot = called or reversed_digits(roll)
    lost = wounds(book, dice, gun, shooter, victim, spot, critical, precise=precise)
    plain = outcome(steps > 0, lost, victim, {"jam": jam, **grades(steps)})
    return Simulated(plain, defended(plain, dodge(dice, victim, steps)))


def plain_shot(book: Book, dice: ThrownDice, skill: int, covered: float, material: str, distance: float) -> Simulated:
    """The first shot of a turn with a pistol at a target behind cover that may dodge."""
    off = cover_step(book, covered, material)
    return shot(book, dice, "gunman", "civilian", "pistol-nash-x-17", distance, off, skill=skill)


def called_shot(book: Book, dice: ThrownDice, distance: float) -> Simulated:
    """An aimed shot at the head with a precise rifle: +5 for one action of aiming, −40 for the head."""
    return shot(book, dice, "marksman", "rifleman", "rifle-gorro-m2t1", distance, 5 - 40, called=HEAD)


def third_of_a_burst(book: Book, dice: ThrownDice, distance: float) -> Simulated:
    """The third shot of full auto in a turn, −40, in partial darkness, −10."""
    return shot(book, dice, "machine-gunner", "brawler", "lmg-bgr-77", distance, -40 - 10)


def strong_attack(book: Book, dice: ThrownDice, skill: int, damage_modifier: int) -> Simulated:
    """A strong attack with the shorter weapon: −20 and −30, one die more; the target parries with its own weapon."""
    blade, striker, victim = book.weapon("combat-knife"), book.sheet("gunman"), book.sheet("brawler")
    number = skill - 20 - 30
    roll = dice.die(100)
    steps = degree(roll, number)
    critical = (steps > 0) & (roll <= book.ruling("critical"))
    precise = np.choose(steps, (0, 0, 1, 2, 4)) if blade["precise"] else 0
    lost = wounds(
        book,
        dice,
        blade,
        striker,
        victim,
        reversed_digits(roll),
        critical,
        precise=precise,
        melee=True,
        extra_die=True,
        bonus=damage_modifier,
    )
    plain = outcome(steps > 0, lost, victim, grades(steps))
    guard = book.weapon("tactical-machete")
    own_steps = degree(dice.die(100), victim[SKILLS[guard["skill"]]])
    return Simulated(plain, defended(plain, (own_steps > 0) & (own_steps >= steps)))


def closing_in(book: Book, dice: ThrownDice) -> Simulated:
    """Who has the shorter weapon comes inside the longer one's reach: the higher degree wins, a draw keeps it off."""
    inward, outward = (book.weapon(weapon)["skill"] for weapon in ("combat-knife", "tactical-machete"))
    mine = degree(dice.die(100), book.sheet("gunman")[SKILLS[inward]])
    theirs = degree(dice.die(100), book.sheet("brawler")[SKILLS[outward]])
    return Simulated(wins=mine > theirs)


def into_melee(book: Book, dice: ThrownDice, distance: float) -> Simulated:
    """A shot into melee: reversed digits of 01–35 strike the ally there, hit or miss."""
    gun, shooter, victim = book.weapon("pistol-nash-x-17"), book.sheet("gunman"), book.sheet("civilian")
    number = shooter["small_arms"] + range_step(distance, gun["range"])
    roll, steps, jam = fire(book, dice, gun, number)
    astray = reversed_digits(roll) <= 35
    steps = np.where(astray, 0, steps)
    critical = (steps > 0) & (roll <= book.ruling("critical"))
    lost = wounds(book, dice, gun, shooter, victim, reversed_digits(roll), critical)
    plain = outcome(steps > 0, lost, victim, {"astray": astray, "jam": jam & ~astray, **grades(steps)})
    return Simulated(plain, defended(plain, dodge(dice, victim, steps)))


def alternating(across: Numbers, down: Numbers) -> Numbers:
    """Metres between squares of one metre: every second diagonal step counts twice."""
    across, down = np.abs(across), np.abs(down)
    return np.maximum(across, down) + np.minimum(across, down) // 2


def stray(dice: ThrownDice) -> tuple[Numbers, Numbers]:
    """Columns and rows that a throw is off on squares of one metre: one of eight directions of twelve numbers each.

    97–100 asks for another direction, until there is one, and for 4d10 metres in place of 2d10.
    """
    roll = dice.die(100)
    far = roll > 96
    direction = np.where(far, dice.random.integers(0, 8, roll.shape), (roll - 1) // 12)
    metres = np.where(far, dice.total("4d10"), dice.total("2d10"))
    ways = np.array([(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)])[direction]
    is_diagonal = ways.all(axis=1)
    steps = np.where(is_diagonal, longest_diagonal(metres), metres)
    return ways[:, 0] * steps, ways[:, 1] * steps


def longest_diagonal(metres: Numbers) -> Numbers:
    """Diagonal steps within so many metres, every second one counted twice."""
    counts = [max(steps for steps in range(most + 1) if steps + steps // 2 <= most) for most in range(41)]
    return np.array(counts)[metres]


def grenade(
    book: Book,
    dice: ThrownDice,
    at: tuple[int, int],
    thrown_from: tuple[int, int],
    size: tuple[int, int],
    units: Mapping[str, tuple[str, tuple[int, int]]],
    modifier: int = 0,
) -> Simulated:
    """A fragmentation grenade thrown at a unit on an open map of squares of one metre.

    A miss strays; what leaves the map is gone. Full damage within five metres, three quarters within ten, half within
    fifteen, a quarter within twenty. The dice of the damage are rolled once, the place struck for each unit; each
    unit may dodge the blast, for a d6 less by each degree.
    """
    weapon, thrower = book.weapon("frag-grenade"), book.sheet("grenadier")
    away = alternating(np.array(at[0] - thrown_from[0]), np.array(at[1] - thrown_from[1]))
    number = thrower["throw"] + range_step(float(away), thrower["strength"] // 5) + modifier
    roll = dice.die(100)
    hit = degree(roll, number) > 0
    across, down = stray(dice)
    column = np.where(hit, at[0], at[0] + across)
    row = np.where(hit, at[1], at[1] + down)
    gone = (column < 0) | (row < 0) | (column >= size[0]) | (row >= size[1])
    critical = hit & (roll <= book.ruling("critical"))
    damage, impaled = dice.total(weapon["damage"]), dice.total(weapon["dice"])
    caught = {}
    for name, (role, (own_column, own_row)) in units.items():
        victim = book.sheet(role)
        far = alternating(column - own_column, row - own_row)
        share = np.select([gone, far <= 5, far <= 10, far <= 15, far <= 20], [0, 1, 0.75, 0.5, 0.25], 0.0)
        escape = degree(dice.die(100), max(0, victim["dodge"] - 20 * victim["cumbersome"]))
        less = dice.several(4, 6)
        dodged_off = np.where(np.arange(1, 5)[:, None] <= escape, less, 0).sum(axis=0)
        lost = wounds(
            book,
            dice,
            weapon,
            thrower,
            victim,
            dice.die(100),
            critical,
            share=share,
            dodged_off=dodged_off,
            damage=damage,
            impaled=impaled,
        )
        caught[name] = outcome(share > 0, lost, victim, {})
    return Simulated(caught=caught)
