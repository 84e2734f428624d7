"""Balance at a glance: what two sides do to each other in a round, by the means of the same odds as every attack.

Each kind of unit is weighed once against each kind of the other side. Left out are cover, movement, area attacks on
several, special actions and luck: it says which side hits harder, not who wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.dice.dice_text import number
from engine.geometry.battlefield import Height
from engine.rules.model import Ruleset
from engine.tactics.duel import Round, round_between

ROUNDS: Cache[Round | None] = Cache(1024)
"""The best round of one unit against another at a distance."""


class Kind(Struct, frozen=True):
    """Units that are alike, and how many."""

    unit: Unit
    count: int = 1


class Balance(Struct, frozen=True):
    """What two sides do to each other in a round, as far as it is worked out."""

    ours: Fraction
    """Mean damage a round of our side, each attacking whom it may meet, evenly."""
    theirs: Fraction
    our_count: int
    their_count: int
    we_last: Fraction | None
    """Rounds until all of us are down, were nobody of theirs lost; None where they cannot bring us down."""
    they_last: Fraction | None
    is_whole: bool

    @property
    def words(self) -> str:
        """In one sentence: "they 9.4, you 7.1 a round; your four last about 5 rounds, their five about 4"."""
        if not self.is_whole:
            return "…"
        rates = f"they {_rate(self.theirs)}, you {_rate(self.ours)} a round"
        ours = f"your {_count(self.our_count)} {'lasts' if self.our_count == 1 else 'last'} {_rounds(self.we_last)}"
        theirs = f"their {_count(self.their_count)} {_rounds(self.they_last, is_short=True)}"
        return f"{rates}; {ours}, {theirs}"


def weigh(
    rules: Ruleset, ours: Sequence[Kind], theirs: Sequence[Kind], distance: int, unit: str, square: Height
) -> Iterator[Balance]:
    """The balance of two sides, ever more of it, a pair of kinds at a time; the last is whole.

    Args:
        rules: the ruleset.
        ours, theirs: the kinds of each side; none for a side that is empty.
        distance: between them, in squares.
        unit, square: the map's unit, and the side of a square in hundredths of it.
    """
    pairs = [(one, other) for mine, yours in ((ours, theirs), (theirs, ours)) for one in mine for other in yours]
    found: dict[tuple[int, int], Round | None] = {}
    for place, (one, other) in enumerate(pairs):
        found[id(one), id(other)] = _round(rules, one.unit, other.unit, distance, unit, square)
        yield _summed(rules, ours, theirs, found, is_whole=place == len(pairs) - 1)
    if not pairs:
        yield _summed(rules, ours, theirs, found, is_whole=True)


def _round(rules: Ruleset, one: Unit, other: Unit, distance: int, unit: str, square: Height) -> Round | None:
    rests_on = distance, unit, square
    return ROUNDS.get((rules, one, other), rests_on, lambda: round_between(rules, one, other, *rests_on))


def _summed(
    rules: Ruleset,
    ours: Sequence[Kind],
    theirs: Sequence[Kind],
    found: Mapping[tuple[int, int], Round | None],
    *,
    is_whole: bool,
) -> Balance:
    our_rate, they_last = _rate_and_rounds(rules, ours, theirs, found)
    their_rate, we_last = _rate_and_rounds(rules, theirs, ours, found)
    counts = [sum(kind.count for kind in side) for side in (ours, theirs)]
    return Balance(our_rate, their_rate, counts[0], counts[1], we_last, they_last, is_whole)


def _rate_and_rounds(
    rules: Ruleset, attackers: Sequence[Kind], targets: Sequence[Kind], found: Mapping[tuple[int, int], Round | None]
) -> tuple[Fraction, Fraction | None]:
    """Mean damage a round of a side, and the rounds in which it brings down all of the other."""
    many = sum(kind.count for kind in targets)
    if not many:
        return Fraction(0), None
    damage = falls = Fraction(0)
    for one in attackers:
        for other in targets:
            met = found.get((id(one), id(other)))
            if met is not None:
                share = Fraction(one.count * other.count, many)
                damage += share * met.damage
                falls += share * _falls(rules, other.unit, met)
    return damage, many / falls if falls else None


def _falls(rules: Ruleset, target: Unit, met: Round) -> Fraction:
    """How many targets such a round brings down, by the means: of what keeps it up, the share that a round takes.

    What protects it and wears off keeps it up as well.
    """
    vital = sum(target.pools.get(pool, 0) for pool in vital_pools(rules)[:1])
    labels = {pool.label: pool.id for pool in rules.units.pools.values()}
    worn = [(target.pools.get(labels.get(label, ""), 0), mean) for label, mean in met.odds.worn if mean]
    before = sum((Fraction(have) / (mean * met.attacks) for have, mean in worn), Fraction(0))
    lost = max(met.damage / vital if vital else Fraction(0), met.odds.drop * met.attacks)
    if not lost:
        return Fraction(0)
    return 1 / (before + 1 / lost) if before > 1 else lost


def _rate(damage: Fraction) -> str:
    return number(Fraction(round(damage, 1))) if damage >= 100 else f"{float(damage):.1f}"


def _count(many: int) -> str:
    words = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return words[many] if many < len(words) else str(many)


def _rounds(rounds: Fraction | None, *, is_short: bool = False) -> str:
    if rounds is None:
        return "for good"
    about = max(1, round(rounds))
    count = f"about {about}" if about < 100 else "more than 99"
    return count + ("" if is_short else " round" if about == 1 else " rounds")
