"""Balance at a glance: how long two sides last under each other's fire, by the means of the same odds as every attack.

All who can fight attack one target after the other, until the whole side is down; who is out already is not counted.
Armour that wears off is shot away first. Left out are losses of the attackers, cover, movement, area attacks, special
actions and luck: it says which side hits harder, not who wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

from msgspec import Struct

from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.dice.dice_text import number
from engine.geometry.battlefield import Height
from engine.rules.model import Ruleset
from engine.tactics.duel import Round, is_out, round_between
from engine.values import replace

CALCULATING = "calculating …"
ROUNDS: Cache[Round | None] = Cache(1024)
"""The best round of one unit against another at a distance."""


class Kind(Struct, frozen=True):
    """Units that are alike, and how many."""

    unit: Unit
    count: int = 1


class Losses(Struct, frozen=True):
    """What a side loses to the other."""

    count: int = 0
    """Of its units that can fight."""
    out: int = 0
    """Of those who are out already, and not counted."""
    points: int = 0
    """What the first vital pools of those who are counted have together."""
    rounds: Fraction | None = None
    """Until all of them are down; None where they never are."""

    @property
    def a_round(self) -> Fraction:
        """Mean loss of these points a round, until all are down."""
        return self.points / self.rounds if self.rounds else Fraction(0)


class Balance(Struct, frozen=True):
    """What two sides do to each other, as far as it is worked out."""

    ours: Losses = Losses()
    theirs: Losses = Losses()
    pool: str = ""
    """Label of the first vital pool."""
    is_whole: bool = False

    @property
    def words(self) -> str:
        """As "They deal 2.8 damage a round to your 29 hit points: your two are down in about 10 rounds. You …"."""
        if not self.is_whole:
            return CALCULATING
        return " ".join(_sentences("They", "your", self.ours, self.pool) + _sentences("You", "their", self.theirs))


def weigh(
    rules: Ruleset, ours: Sequence[Kind], theirs: Sequence[Kind], distance: int, unit: str, square: Height
) -> Iterator[Balance]:
    """The balance of two sides; one that is not whole for each pair of kinds that is worked out, then the whole.

    Args:
        rules: the ruleset.
        ours, theirs: the kinds of each side; none for a side that is empty.
        distance: between them, in squares.
        unit, square: the map's unit, and the side of a square in hundredths of it.
    """
    scale = distance, unit, square
    able = [[kind for kind in side if not is_out(rules, kind.unit, unit, square)] for side in (ours, theirs)]
    for one, other in ((one, other) for one in able[0] for other in able[1]):
        for attacker, target in ((one.unit, other.unit), (other.unit, one.unit)):
            _rounds_of(rules, attacker, target, scale)
            yield Balance()
    pool = next(iter(vital_pools(rules)), "")
    losses = (
        _losses(rules, able[0], ours, able[1], pool, scale),
        _losses(rules, able[1], theirs, able[0], pool, scale),
    )
    yield Balance(*losses, rules.units.pools[pool].label.lower() if pool else "", is_whole=True)


Scale = tuple[int, str, Height]
"""The distance in squares, the map's unit, the side of a square."""


def _losses(
    rules: Ruleset, able: Sequence[Kind], everybody: Sequence[Kind], enemies: Sequence[Kind], pool: str, scale: Scale
) -> Losses:
    count = sum(kind.count for kind in able)
    points = sum(kind.count * kind.unit.pools.get(pool, 0) for kind in able)
    each = [(kind.count, _until_down(rules, kind.unit, enemies, pool, scale)) for kind in able]
    whole = [many * rounds for many, rounds in each if rounds is not None]
    rounds = sum(whole, Fraction(0)) if able and len(whole) == len(each) else None
    return Losses(count, sum(kind.count for kind in everybody) - count, points, rounds)


def _until_down(rules: Ruleset, target: Unit, enemies: Sequence[Kind], pool: str, scale: Scale) -> Fraction | None:
    """Rounds until all enemies together bring down a target, by the means; None where they never do.

    As long as its armour lasts it loses what goes past it, and then what it loses without armour.
    """
    vital = target.pools.get(pool, 0)
    loss = bare = wear = Fraction(0)
    for enemy in enemies:
        armoured, unarmoured = _rounds_of(rules, enemy.unit, target, scale)
        if armoured is not None:
            loss += enemy.count * _share(armoured, vital)
            wear += enemy.count * armoured.attacks * sum((mean for _, mean in armoured.odds.worn), Fraction(0))
        if unarmoured is not None:
            bare += enemy.count * _share(unarmoured, vital)
    worn_out = sum(target.pools.get(id, 0) for id in _armour(rules)) / wear if wear else None
    if worn_out is None or loss * worn_out >= 1:
        return 1 / loss if loss else None
    bare = max(bare, loss)
    return worn_out + (1 - loss * worn_out) / bare if bare else None


def _share(met: Round, vital: int) -> Fraction:
    """The share of a target that a round takes: of its points, or of its chance to stay in the fight."""
    return max(met.damage / vital if vital else Fraction(0), met.odds.drop * met.attacks)


def _rounds_of(rules: Ruleset, attacker: Unit, target: Unit, scale: Scale) -> tuple[Round | None, Round | None]:
    """The best round of one against another, as it is and when all its armour is worn off."""
    bare = replace(target, pools={**target.pools, **dict.fromkeys(_armour(rules), 0)})
    found = [
        ROUNDS.get((rules, attacker, one), scale, partial(round_between, rules, attacker, one, *scale))
        for one in (target, bare)[: 2 if bare.pools != target.pools else 1]
    ]
    return found[0], found[-1]


def _armour(rules: Ruleset) -> list[str]:
    """The pools that protect and wear off."""
    return [pool.id for pool in rules.units.pools.values() if pool.protects]


def _sentences(who: str, whose: str, losses: Losses, pool: str = "") -> list[str]:
    out = f"{_count(losses.out)} {'is' if losses.out == 1 else 'are'} out"
    if not losses.count:
        return [f"Nobody of {whose} side can fight{f': {out}' if losses.out else ''}."]
    many = f"{whose} {_count(losses.count)}{f' ({out})' if losses.out else ''}"
    if losses.rounds is None:
        return [f"{who} cannot drop all of {many}."]
    about = max(1, round(losses.rounds))
    last = f"about {about} round{'' if about == 1 else 's'}" if about < 100 else "more than 99 rounds"
    points = f"{losses.points} {pool}".rstrip()
    are = "is" if losses.count == 1 else "are"
    return [f"{who} deal {_rate(losses.a_round)} damage a round to {whose} {points}: {many} {are} down in {last}."]


def _rate(damage: Fraction) -> str:
    return number(Fraction(round(damage))) if damage >= 100 else f"{float(damage):.1f}"


def _count(many: int) -> str:
    words = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return words[many] if many < len(words) else str(many)
