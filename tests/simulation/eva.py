"""Nine attacks of Evangelion d100, thrown a million times: d100 at or under a score, hits by degrees, soak, wounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tests.simulation.book import THROWS, Book, Numbers, Outcome, Simulated, ThrownDice

HEAD, RIGHT_ARM, LEFT_ARM, BODY, RIGHT_LEG, LEFT_LEG = range(6)
PLACES = ((10, HEAD), (20, RIGHT_ARM), (30, LEFT_ARM), (70, BODY), (85, RIGHT_LEG), (100, LEFT_LEG))
"""Up to which reversed roll."""
ARMOUR = ("armour_head", "armour_arms", "armour_arms", "armour_body", "armour_legs", "armour_legs")
HIDDEN_FROM = (0.9, 0.7, 0.7, 0.5, 0.2, 0.2)
"""Share of the body behind cover from which each place is behind it, too."""
NO_PLACE = -1


class Target(NamedTuple):
    """The target of an attack; cover hides from below and has armour points of its own."""

    sheet: Mapping[str, Any]
    covered: float = 0
    cover_points: int = 0

    @property
    def lethal(self) -> int:
        return 10 if self.sheet["fate_points"] else 0

    @property
    def stamina(self) -> int:
        return int(self.sheet["toughness"] // 10 + 1)


class Losses:
    """Pools of a target during several hits; hits on a target that is out have no effect."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.wounds = np.full(THROWS, target.sheet["wound_points"])
        self.lethal = np.full(THROWS, target.lethal)
        self.stamina = np.full(THROWS, target.stamina)

    @property
    def out(self) -> Numbers:
        out: Numbers = ((self.wounds <= 0) & (self.lethal <= 0)) | (self.stamina <= 0)
        return out

    def outcome(self, hit: Numbers, graded: Mapping[str, Numbers] | None = None) -> Outcome:
        """Wounds and lethal damage together; levels of fatigue by themselves."""
        damage = self.target.sheet["wound_points"] + self.target.lethal - self.wounds - self.lethal
        tired = self.target.stamina - self.stamina
        return Outcome(hit, damage, self.out, graded or {}, harms={"fatigue": tired > 0})


def degrees(roll: Numbers, number: int) -> Numbers:
    """One for passing, and one for each ten that roll and number differ in their tens."""
    return np.where(roll <= number, 1 + number // 10 - roll // 10, 0)


def place_of(roll: Numbers) -> Numbers:
    """Where the roll read backwards says."""
    backwards = np.where(roll == 100, 100, roll % 10 * 10 + roll // 10)
    return np.select([backwards <= most for most, _ in PLACES], [place for _, place in PLACES])


def place_of_hit(first: Numbers, number: int) -> Numbers:
    """Where a further hit of a burst strikes: the second as the first, then by the family's table."""
    if number <= 2:
        return first
    is_arm = (first == RIGHT_ARM) | (first == LEFT_ARM)
    is_leg = (first == RIGHT_LEG) | (first == LEFT_LEG)
    by_first = {
        3: (RIGHT_ARM, BODY, RIGHT_ARM, BODY),
        4: (BODY, HEAD, HEAD, RIGHT_ARM),
    }[number]
    return np.select([first == HEAD, is_arm, first == BODY, is_leg], by_first)


def evades(dice: ThrownDice, score: int) -> Numbers:
    """Degrees of an evasion."""
    return degrees(dice.die(100), score)


def hit(
    dice: ThrownDice,
    weapon: Mapping[str, Any],
    losses: Losses,
    strikes: Numbers,
    place: Numbers,
    degree: Numbers,
    score: int,
    *,
    may_swap: Numbers | bool = True,
    added: Numbers | int = 0,
    more: Numbers | int = 0,
    rolled: Numbers | None = None,
) -> Numbers:
    """One hit where it strikes; returns the most that degrees have added past soak so far.

    Args:
        dice: to throw.
        weapon: its numbers.
        losses: of the target.
        strikes: throws in which it strikes.
        place: of the body.
        degree: of success of the attack.
        score: the bare one that confirms a critical hit.
        may_swap: throws in which the degrees may replace its lowest die.
        added: what they have added past soak on earlier hits of the attack; a hit on which they add more has the rest.
        more: further damage.
        rolled: its dice, if all targets share them.
    """
    target, sheet = losses.target, losses.target.sheet
    strikes = strikes & ~losses.out
    faces = dice.several(weapon["dice"], weapon["sides"]) if rolled is None else rolled
    gain = np.where(may_swap, np.maximum(0, degree - faces.min(axis=0)), 0)
    points = np.array([sheet[name] for name in ARMOUR])[place]
    if sheet["shield"]:
        points = points + 4 * ((place == BODY) | (place == LEFT_ARM))
    stops = sheet["toughness"] // 10 + np.maximum(0, points - weapon["penetration"])
    if not weapon["blast"]:
        hidden = np.array([target.covered >= share for share in HIDDEN_FROM])[place]
        stops = stops + np.where(hidden & (target.covered > 0), target.cover_points, 0)
    plain = faces.sum(axis=0) + weapon["plus"] + more
    by_degrees = np.maximum(0, plain + gain - stops) - np.maximum(0, plain - stops)
    past = np.maximum(0, plain - stops) + np.maximum(0, by_degrees - added)
    confirmed = (faces == weapon["sides"]).any(axis=0) & (dice.die(100) <= score)
    dealt = np.where(strikes, np.where(past > 0, past, confirmed), 0)
    beyond = np.where(losses.lethal > 0, np.maximum(0, dealt - losses.wounds), 0)
    losses.wounds = np.maximum(0, losses.wounds - dealt)
    losses.lethal = np.maximum(0, losses.lethal - beyond)
    charted = strikes & ((confirmed & (past > 0)) | (beyond > 0))
    tires = charted & (dice.die(5) == 4)
    if weapon["group"] == "unarmed":  # before soak, by the ruling
        tires = tires + 0 + (strikes & (np.maximum(0, plain + gain) >= sheet["toughness"] // 10))
    losses.stamina = np.maximum(0, losses.stamina - tires)
    most: Numbers = np.maximum(added, np.where(strikes, by_degrees, 0))
    return most


def one_hit(
    dice: ThrownDice,
    weapon: Mapping[str, Any],
    target: Target,
    number: int,
    score: int,
    evasion: int,
    *,
    jams_from: int = 101,
    place: int = NO_PLACE,
    more: int = 0,
    extra: tuple[int, int] | None = None,
) -> Simulated:
    """An attack of one hit, evaded by one test; `extra` is a die more for every so many degrees, twice at most."""
    roll = dice.die(100)
    jam = roll >= jams_from
    degree = np.where(jam, 0, degrees(roll, number))
    added: Numbers | int = more
    if extra is not None:
        sides, every = extra
        added = more + np.where(degree >= every, dice.die(sides), 0) + np.where(degree >= 2 * every, dice.die(sides), 0)
    where = place_of(roll) if place == NO_PLACE else np.full(roll.shape, place)
    losses = Losses(target)
    hit(dice, weapon, losses, degree > 0, where, degree, score, more=added)
    graded = {"struck": degree > 0}
    if jams_from <= 100:
        graded["jam"] = jam
    plain = losses.outcome(degree > 0, graded)
    kept = plain.hit & (evades(dice, evasion) == 0)
    harms = {label: thrown & kept for label, thrown in plain.harms.items()}
    return Simulated(plain, Outcome(kept, np.where(kept, plain.damage, 0), plain.out & kept, harms=harms))


def distance_bonus(weapon: Mapping[str, Any], metres: int) -> int:
    """+10 up to half the weapon's range, −10 beyond it, nothing between."""
    return 10 if metres <= weapon["range"] // 2 else 0 if metres <= weapon["range"] else -10


def dodge(sheet: Mapping[str, Any]) -> int:
    """Agility, at −20 without training."""
    return int(sheet["agility"] - (0 if sheet["dodge_trained"] else 20))


def plain_shot(book: Book, dice: ThrownDice, covered: float, metres: int) -> Simulated:
    """A standard attack, +10, with a pistol at a target behind sandbags that may dodge."""
    gun, own, other = book.weapon("pistol"), book.sheet("gunman"), book.sheet("rifleman")
    number = own["ballistic_skill"] + 10 + distance_bonus(gun, metres)
    target = Target(other, covered, book.ruling("heavy_cover"))
    return one_hit(dice, gun, target, number, own["ballistic_skill"], dodge(other), jams_from=96)


def aimed_shot(book: Book, dice: ThrownDice, metres: int, stats: Mapping[str, Any]) -> Simulated:
    """A full action of aiming, +20, and an accurate rifle; the target has fate points and a deflector."""
    gun, own, other = book.weapon("sniper-rifle"), book.sheet("marksman"), {**book.sheet("leader"), **stats}
    number = own["ballistic_skill"] + 10 + 20 + distance_bonus(gun, metres)
    evasion = max(other["deflector_strength"], dodge(other))
    extra = (10, 2) if gun["accurate"] else None
    return one_hit(dice, gun, Target(other), number, own["ballistic_skill"], evasion, jams_from=96, extra=extra)


def called_shot(book: Book, dice: ThrownDice, metres: int) -> Simulated:
    """A called shot at the head, −20 in place of +10, with a shotgun within half its range."""
    gun, own, other = book.weapon("shotgun"), book.sheet("rifleman"), book.sheet("gunman")
    assert 2 < metres <= gun["range"] // 2
    penalty = -10 if book.ruling("called_shot_keeps_bonus") else -20
    number = own["ballistic_skill"] + penalty + distance_bonus(gun, metres) + (10 if gun["scatter"] else 0)
    return one_hit(dice, gun, Target(other), number, own["ballistic_skill"], dodge(other), jams_from=96, place=HEAD)


def heavy_attack(book: Book, dice: ThrownDice) -> Simulated:
    """A heavy attack, +30, at a shield, parried with a club."""
    sword, own, other = book.weapon("sword"), book.sheet("brawler"), book.sheet("shield-bearer")
    number = own["weapon_skill"] + 30
    evasion = max(other["weapon_skill"], dodge(other))
    return one_hit(dice, sword, Target(other), number, own["weapon_skill"], evasion, more=own["strength"] // 10)


def fists(book: Book, dice: ThrownDice) -> Simulated:
    """Bare hands: a hit of at least the Toughness bonus tires the target."""
    hands, own, other = book.weapon("unarmed"), book.sheet("brawler"), book.sheet("civilian")
    number = own["weapon_skill"] + 10
    return one_hit(dice, hands, Target(other), number, own["weapon_skill"], dodge(other), more=own["strength"] // 10)


def burst(book: Book, dice: ThrownDice, metres: int, hits: int) -> Simulated:
    """A burst: +10 and −5 for each hit meant, a hit for each degree; a dodge takes off one for each of its own.

    Which hit has a die replaced by the degrees is the attacker's choice: by the ruling that on which they add most past
    soak.
    """
    gun, own, other = book.weapon("assault-rifle"), book.sheet("rifleman"), book.sheet("brawler")
    score = own["ballistic_skill"]
    number = score + max(-30, 10 - 5 * hits) + distance_bonus(gun, metres)
    roll = dice.die(100)
    jam = roll >= 94
    degree = np.where(jam, 0, degrees(roll, number))
    first = place_of(roll)
    struck = np.minimum(degree, hits)
    kept = np.maximum(0, struck - evades(dice, dodge(other)))
    assert (book.ruling("swap_hit"), book.ruling("swap_die")) == (0, "lowest")
    outcomes = []
    for count in (struck, kept):
        losses = Losses(Target(other))
        added: Numbers | int = 0
        for one in range(1, hits + 1):
            place = place_of_hit(first, one)
            added = hit(dice, gun, losses, count >= one, place, degree, score, added=added)
        outcomes.append(losses.outcome(count > 0))
    return Simulated(outcomes[0]._replace(graded={"jam": jam, "struck": degree > 0}), outcomes[1])


def suppressive_fire(book: Book, dice: ThrownDice, units: Sequence[tuple[str, str]]) -> Simulated:
    """Semi-automatic fire into a kill zone: −20 and no bonus; a success hits one, and one more for every two degrees.

    The units stand in order of distance. The last digit of the roll gives the first who is hit, the others follow in
    that order. One die is replaced by degrees, of the first of the hits.
    """
    gun, score = book.weapon("assault-rifle"), book.sheet("rifleman")["ballistic_skill"]
    roll = dice.die(100)
    degree = np.where(roll >= 94, 0, degrees(roll, score - 20))
    hits = np.where(degree > 0, np.minimum(gun["semi"], 1 + degree // 2), 0)
    assert gun["semi"] <= len(units)
    first = roll % len(units)
    nearest_hit = np.where(first + hits > len(units), 0, first)
    caught = {}
    for place, (name, role) in enumerate(units):
        losses = Losses(Target(book.sheet(role)))
        strikes = (place - first) % len(units) < hits
        hit(dice, gun, losses, strikes, place_of(roll), degree, score, may_swap=place == nearest_hit)
        caught[name] = losses.outcome(np.ones(THROWS, bool))
    return Simulated(caught=caught)


def knock_down(book: Book, dice: ThrownDice) -> Simulated:
    """Strength against Strength, +10 after a half move: degrees decide, then the higher score."""
    own, other = book.sheet("gunman")["strength"] + 10, book.sheet("brawler")["strength"]
    mine, theirs = degrees(dice.die(100), own), degrees(dice.die(100), other)
    return Simulated(wins=(mine > 0) & ((mine > theirs) | ((mine == theirs) & (own >= other))))


def grenade(
    book: Book,
    dice: ThrownDice,
    at: tuple[int, int],
    thrown_from: tuple[int, int],
    units: Mapping[str, tuple[str, tuple[int, int]]],
) -> Simulated:
    """A fragmentation grenade at a unit, on an open map of squares of one metre; a diagonal step counts as one.

    A throw that misses goes 1d5 metres by the family's diagram for a d10. The dice of the damage are rolled once for
    all in the blast.
    """
    weapon, own = book.weapon("frag-grenade"), book.sheet("grenadier")
    away = max(abs(at[0] - thrown_from[0]), abs(at[1] - thrown_from[1]))
    reach = weapon["throw"] * (own["strength"] // 10)
    number = own["ballistic_skill"] + 10 + (0 if away <= reach else -10)
    roll = dice.die(100)
    degree = degrees(roll, number)
    struck = degree > 0
    north, south = -1, 1
    diagram = [(-1, north), (0, north), (1, north), (-1, 0), (1, 0), (-1, south), (-1, south), (0, south)]
    ways = np.array([*diagram, (1, south), (1, south)])[dice.die(10) - 1]
    far = np.where(struck, 0, dice.die(5))
    column, row = at[0] + ways[:, 0] * far, at[1] + ways[:, 1] * far
    rolled = dice.several(weapon["dice"], weapon["sides"])
    caught = {}
    for name, (role, (own_column, own_row)) in units.items():
        reached = np.maximum(np.abs(column - own_column), np.abs(row - own_row)) <= weapon["blast"]
        losses = Losses(Target(book.sheet(role)))
        hit(dice, weapon, losses, reached, place_of(roll), degree, own["ballistic_skill"], rolled=rolled)
        caught[name] = losses.outcome(reached)
    return Simulated(caught=caught)
