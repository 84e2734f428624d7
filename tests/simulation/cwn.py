"""Six attacks of Cities Without Number, thrown a million times: a d20 and bonuses against an Armor Class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.simulation.book import Book, Numbers, Outcome, Simulated, ThrownDice, parts

UNSKILLED = -2
TOTAL_DEFENCE = 2


def to_hit(sheet: Mapping[str, Any], weapon: Mapping[str, Any]) -> int:
    """Attack bonus, the better attribute of the weapon's, and the skill; an NPC has its bonus alone."""
    if sheet["npc"]:
        return int(sheet["attack_bonus"] + attribute(sheet, weapon))
    skill = sheet[weapon["skill"]]
    return int(sheet["attack_bonus"] + attribute(sheet, weapon) + (skill if skill >= 0 else UNSKILLED))


def attribute(sheet: Mapping[str, Any], weapon: Mapping[str, Any]) -> int:
    """Modifier of the attribute that the weapon goes by, the better one where it is either."""
    listed = [sheet[f"{name}_mod"] for name in ("strength", "dexterity") if weapon[name]]
    return int(max(listed, default=0))


def lands(roll: Numbers, bonus: int, armor_class: int) -> Numbers:
    """A natural 1 misses, a natural 20 hits, else the total must reach the Armor Class."""
    hit: Numbers = ((roll + bonus >= armor_class) | (roll == 20)) & (roll != 1)
    return hit


def trauma(dice: ThrownDice, weapon: Mapping[str, Any], target: Mapping[str, Any]) -> Numbers:
    """What damage is multiplied by: the Trauma die against the Trauma Target, where there is one."""
    if not target["trauma_target"] or not weapon["trauma_die"]:
        return np.ones(dice.die(2).shape, int)
    return np.where(dice.total(weapon["trauma_die"]) >= target["trauma_target"], weapon["trauma_rating"], 1)


def outcome(target: Mapping[str, Any], hit: Numbers, harm: Numbers, graded: Mapping[str, Numbers]) -> Outcome:
    """Armour soaks what it can; hit points never fall below 0."""
    lost = np.minimum(np.maximum(0, harm - target["damage_soak"]), target["hit_points"])
    return Outcome(hit, lost, lost >= target["hit_points"], graded)


def graded(roll: Numbers, hit: Numbers) -> dict[str, Numbers]:
    return {"natural-one": roll == 1, "natural-twenty": roll == 20, "struck": hit & (roll != 20)}


def attack(
    dice: ThrownDice,
    weapon: Mapping[str, Any],
    target: Mapping[str, Any],
    bonus: int,
    armor_class: int,
    *,
    more: int = 0,
    shock: int = 0,
    swarm: int = 0,
) -> Simulated:
    """An attack on a target that may answer with total defence: 2 Armor Class more, and no Shock.

    Args:
        dice: to throw.
        weapon: its numbers.
        target: the sheet of the one attacked.
        bonus: of the roll.
        armor_class: to reach.
        more: added to damage.
        shock: what a miss does, and a hit at least.
        swarm: what others of a swarm add to damage, never above the most that the weapon does.
    """
    roll = dice.die(20)
    hit = lands(roll, bonus, armor_class)
    damage = dice.total(weapon["damage"])
    number, sides, added = parts(weapon["damage"])
    damage = np.minimum(damage + swarm, np.maximum(damage, number * sides + added)) + more
    full = np.maximum(0, damage) * trauma(dice, weapon, target)
    plain = outcome(target, hit, np.where(hit, np.maximum(full, shock), shock), graded(roll, hit))
    still = lands(roll, bonus, armor_class + TOTAL_DEFENCE)
    if (hit == still).all() and not shock:
        return Simulated(plain)
    after = np.where(still, np.maximum(full, shock), 0)
    return Simulated(plain, outcome(target, still, after, {}))


def cover(book: Book, covered: float) -> int:
    """Half behind cover −2, almost wholly −4."""
    return -4 if 100 * covered >= book.ruling("near_full_cover") else -2 if covered >= 0.5 else 0


def plain_shot(book: Book, dice: ThrownDice, covered: float, metres: int) -> Simulated:
    """A pistol past its normal range, −2, at a target behind cover."""
    gun, target = book.weapon("heavy-pistol"), book.sheet("gunman")
    assert gun["normal_range"] < metres <= gun["long_range"]
    bonus = to_hit(book.sheet("brawler"), gun) - 2 + cover(book, covered)
    return attack(dice, gun, target, bonus, target["ranged_ac"] + target["dexterity_mod"])


def snap_attack(book: Book, dice: ThrownDice) -> Simulated:
    """A snap attack, −4, by a unit with attribute and skill, at a machine that has no Trauma."""
    gun, target = book.weapon("submachine-gun"), book.sheet("drone")
    own = book.sheet("flyer")
    armor_class = target["ranged_ac"] + target["dexterity_mod"]
    return attack(dice, gun, target, to_hit(own, gun) - 4, armor_class, more=attribute(own, gun))


def burst(book: Book, dice: ThrownDice) -> Simulated:
    """A burst, +2 to hit and 2 damage, at a prone target farther off, −2."""
    gun, target = book.weapon("combat-rifle"), book.sheet("leader")
    bonus = to_hit(book.sheet("rifleman"), gun) + 2 - 2
    return attack(dice, gun, target, bonus, target["ranged_ac"] + target["dexterity_mod"], more=2)


def blow(book: Book, dice: ThrownDice, stats: Mapping[str, Any]) -> Simulated:
    """A blow with a club: Strength adds to damage and to Shock, which a miss does where the Armor Class is low."""
    club, own, target = book.weapon("club"), book.sheet("machine-gunner"), {**book.sheet("leader"), **stats}
    armor_class = target["melee_ac"] + target["dexterity_mod"]
    shock = max(0, club["shock"] + attribute(own, club)) if armor_class <= club["shock_ac"] else 0
    return attack(dice, club, target, to_hit(own, club), armor_class, more=attribute(own, club), shock=shock)


def swarm(book: Book, dice: ThrownDice, others: int, stats: Mapping[str, Any]) -> Simulated:
    """One of a swarm strikes: +2 and 1 damage for each other, and Shock whatever Armor Class and shield."""
    knife, own, target = book.weapon("knife"), book.sheet("gunman"), {**book.sheet("leader"), **stats}
    bonus = to_hit(own, knife) + min(6, 2 * others)
    shock = max(0, knife["shock"] + attribute(own, knife))
    armor_class = target["melee_ac"] + target["dexterity_mod"]
    more = attribute(own, knife)
    return attack(dice, knife, target, bonus, armor_class, more=more, shock=shock, swarm=min(3, others))


def grenade(
    book: Book,
    dice: ThrownDice,
    at: tuple[int, int],
    units: Mapping[str, tuple[str, tuple[int, int]]],
) -> Simulated:
    """A fragmentation grenade at a point, Armor Class 10; squares of two metres, a diagonal step counts as one.

    A miss bounces 1d10 metres in one of eight directions, to the nearest square. Damage is rolled once for all; an
    Evasion save halves it, rounded up, armour above 14 takes its part, Trauma is rolled for each.
    """
    weapon, thrower = book.weapon("frag-grenade"), book.sheet("grenadier")
    roll = dice.die(20)
    hit = lands(roll, to_hit(thrower, weapon), book.ruling("point_ac"))
    ways = np.array([(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)])[dice.die(8) - 1]
    far = np.where(hit, 0, (dice.die(10) + 1) // 2)
    column, row = at[0] + ways[:, 0] * far, at[1] + ways[:, 1] * far
    damage = dice.total(weapon["damage"])
    caught = {}
    for name, (role, (own_column, own_row)) in units.items():
        target = book.sheet(role)
        reached = 2 * np.maximum(np.abs(column - own_column), np.abs(row - own_row)) <= weapon["radius"]
        saved = dice.die(20) >= target["evasion_save"]
        left = np.where(saved, -(-damage // 2), damage)
        left = np.maximum(0, left - max(0, target["melee_ac"] + target["dexterity_mod"] - 14))
        harm = np.where(reached, left * trauma(dice, weapon, target), 0)
        caught[name] = outcome(target, reached, harm, {})
    return Simulated(caught=caught)
