"""Scatter: the landing square of a throw, rolled in play or as exact odds. Its blast is in `blast_rings`.

`scatter_after` finds the table that applies. In play `roll_landing` rolls on it; before the throw `scatter_odds` and
`landing_odds` have the exact chances. One `ThrowScatter` serves both, so that the chance shown is the chance there is.

The tables and their directions are `Scatter` and `RINGS` of `engine.rules.space_rules`; what stops a flight is decided
in `engine.geometry.blast.scatter_path`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from math import floor

from msgspec import Struct

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.distances import range_side
from engine.dice.dice_expressions import Dice, parse_dice
from engine.dice.distributions import distribution
from engine.dice.sources import DiceSource, Roll, roll
from engine.errors import BattleboardError
from engine.geometry.battlefield import Battlefield
from engine.geometry.blast.scatter_path import OFF_MAP, flight_path
from engine.geometry.metric import level_distance
from engine.geometry.squares import Square
from engine.rules.derived_facts import all_asked, grades_ask
from engine.rules.effects import comes_after
from engine.rules.expressions import Expression
from engine.rules.formula_values import number
from engine.rules.model import Ruleset, Value
from engine.rules.roll_odds import judged_rolls
from engine.rules.space_rules import AGAIN, RINGS, STAYS, Scatter

Chances = Mapping[Square, Fraction]
"""The chance of each square to be the centre of the burst; they sum to one, less what leaves the map and is gone."""


class Throw(Struct, frozen=True):
    """Who throws from where to where, and how the ruleset measures: a square's side in its unit, and its metric."""

    start: Square
    aim: Square
    side: int | Fraction
    metric: str


class ThrowScatter(Struct, frozen=True):
    """A scatter table with its formulas worked out for one throw."""

    label: str
    at: str
    dice: Dice | None
    towards: tuple[tuple[int, str], ...]
    distance: Dice
    again_distance: Dice
    plus: Fraction
    in_squares: bool
    is_lost_off_map: bool = False
    """Whether what leaves the map is gone."""


class Landing(Struct, frozen=True):
    """Landing square of a throw, its rolls, and what stopped it; "" for nothing.

    What was stopped by OFF_MAP has left the map over the square given.
    """

    at: Square
    rolls: tuple[Roll, ...]
    stopped_by: str


def scatter_after(rules: Ruleset, facts: Mapping[str, Value], grade: str, is_hit: bool) -> ThrowScatter | None:
    """The scatter of a throw after a grade; None when it lands as aimed.

    Args:
        rules: the ruleset.
        facts: of the attack and its roll, as far as the tables ask for them.
        grade: id of the grade.
        is_hit: whether that grade is a hit.

    Raises:
        BattleboardError: a formula asks for a fact that is not there.
    """
    for scatter in rules.space.scatters:
        if comes_after(scatter.on, grade, is_hit) and worked_out(scatter.when, facts):
            return _for_throw(scatter, facts)
    return None


def scatter_odds(rules: Ruleset, shot: AttackPreview) -> tuple[tuple[Fraction, ThrowScatter | None], ...]:
    """All ways in which an attack's throw can scatter, with exact chances; None is as aimed. They sum to one."""
    found: dict[ThrowScatter | None, int] = {}
    whole, rolls = judged_rolls(rules, shot.situation.facts, shot.ledger, asked_of_scatter(rules))
    for weight, rolled, known in rolls:
        scatter = scatter_after(rules, known, rolled.grade.id, rolled.grade.is_hit)
        found[scatter] = found.get(scatter, 0) + weight
    return tuple((Fraction(weight, whole), scatter) for scatter, weight in found.items())


def has_scatter(rules: Ruleset, shot: AttackPreview) -> bool:
    """Whether an attack has a blast and its miss may scatter, so that its hit is to land as aimed."""
    facts = {**shot.situation.facts, **shot.ledger.band_facts}
    if rules.space.burst is None or shot.situation.action.used_as == "melee":
        return False
    try:
        return any(worked_out(scatter.when, facts) for scatter in rules.space.scatters) and any(
            number_of(zone.radius, facts) > 0 for zone in rules.space.zones
        )
    except BattleboardError:  # a rule that fails: making the attack reports it
        return False


def asked_of_scatter(rules: Ruleset) -> frozenset[str]:
    """Every fact of a roll that the scatter tables ask for."""
    formulas = (formula for one in rules.space.scatters for formula in one.formulas.values())
    return all_asked(rules.attack.facts, grades_ask(rules).union(*(formula.names for formula in formulas)))


def throw_of(battlefield: Battlefield, rules: Ruleset, start: Square, aim: Square) -> Throw:
    """A throw on this map under this ruleset."""
    return Throw(start, aim, range_side(battlefield, rules), rules.distance.metric)


def landing_odds(
    battlefield: Battlefield, throw: Throw, outcomes: Iterable[tuple[Fraction, ThrowScatter | None]]
) -> Chances:
    """The exact chance of each square to be where the throw comes down; what is lost off the map is left out.

    Args:
        battlefield: with the walls that stop it.
        throw: from where to where.
        outcomes: chances that sum to one, each with the scatter of the throw then; None lands as aimed.
    """
    found: dict[Square, Fraction] = {}
    for chance, scatter in outcomes:
        if chance:
            for square, share in _spread(battlefield, throw, scatter):
                found[square] = found.get(square, Fraction(0)) + chance * share
    return found


def roll_landing(battlefield: Battlefield, throw: Throw, scatter: ThrowScatter | None, dice: DiceSource) -> Landing:
    """Rolls the landing square: the direction, again as long as the table says so, then the distance."""
    if scatter is None:
        return Landing(throw.aim, (), "")
    start = _start(throw, scatter)
    if scatter.dice is None:
        return Landing(start, (), "")
    towards, lengths = dict(scatter.towards), scatter.distance
    purpose = f"{scatter.label}: direction ({direction_words(scatter.towards)})"
    rolls = [roll(scatter.dice, dice, purpose)]
    while towards[rolls[-1].total] == AGAIN:
        lengths = scatter.again_distance
        rolls.append(roll(scatter.dice, dice, purpose))
    heading = towards[rolls[-1].total]
    if heading == STAYS:
        return Landing(start, tuple(rolls), "")
    far = roll(lengths, dice, f"{scatter.label}: distance")
    most = _squares(far.total, throw, scatter)
    flown = flight_path(battlefield, start, *_heading(throw, heading), most, throw.metric)
    is_lost = scatter.is_lost_off_map and flown.left_after is not None
    rolled = (*rolls, far) if far.faces or far.is_typed else tuple(rolls)
    return Landing(flown.squares[-1], rolled, OFF_MAP if is_lost else flown.stopped_by)


def _spread(battlefield: Battlefield, throw: Throw, scatter: ThrowScatter | None) -> Iterator[tuple[Square, Fraction]]:
    """Landing squares of one scatter rule, with their chances."""
    if scatter is None:
        yield throw.aim, Fraction(1)
        return
    start = _start(throw, scatter)
    if scatter.dice is None:
        yield start, Fraction(1)
        return
    towards = dict(scatter.towards)
    shares: dict[str, Fraction] = {}
    for total, chance in distribution(scatter.dice).items():
        shares[towards[total]] = shares.get(towards[total], Fraction(0)) + chance
    again = shares.pop(AGAIN, Fraction(0))
    far: dict[Fraction, Fraction] = {}
    for dice, weight in ((scatter.distance, 1 - again), (scatter.again_distance, again)):
        for total, chance in distribution(dice).items() if weight else ():
            most = _squares(total, throw, scatter)
            far[most] = far.get(most, Fraction(0)) + chance * weight
    for heading, share in shares.items():
        share /= 1 - again
        if heading == STAYS:
            yield start, share
            continue
        across, down = _heading(throw, heading)
        whole = flight_path(battlefield, start, across, down, max(far), throw.metric)
        squares = whole.squares
        flown = [
            level_distance(throw.metric, square.column - start.column, square.row - start.row) for square in squares[1:]
        ]
        for most, chance in far.items():
            if scatter.is_lost_off_map and whole.left_after is not None and most >= whole.left_after:
                continue
            yield squares[bisect_right(flown, most)], share * chance


def direction_words(towards: Iterable[tuple[int, str]]) -> str:
    """Totals of the direction dice in words, as "then clockwise" where all directions of a ring are as wide in order.

    >>> direction_words(enumerate(RINGS[0].steps, 1)), direction_words([(1, "right"), (2, "right"), (3, "stays")])
    ('1 N, then clockwise', '1–2 right, 3 stays')
    """
    runs = [
        (word, [total for total, _ in totals]) for word, totals in groupby(sorted(towards), key=lambda pair: pair[1])
    ]
    ranges = [f"{'–'.join(map(str, sorted({totals[0], totals[-1]})))} {word}" for word, totals in runs]
    for ring in (tuple(one.steps) for one in RINGS):
        words, sizes = [word for word, _ in runs][: len(ring)], {len(totals) for _, totals in runs[: len(ring)]}
        first = ring.index(words[0]) if words[0] in ring else 0
        if words == [*ring[first:], *ring[:first]] and len(sizes) == 1:
            ranges[1 : len(ring)] = ["then clockwise"]
    return ", ".join(ranges)


def _start(throw: Throw, scatter: ThrowScatter) -> Square:
    return throw.aim if scatter.at == "aim" else throw.start


def _heading(throw: Throw, heading: str) -> tuple[int, int]:
    """The direction that a word of the table means, as columns and rows; who throws at its own feet throws north."""
    ring = next(ring for ring in RINGS if heading in ring.steps)
    x, y = ring.steps[heading]
    across, down = throw.aim.column - throw.start.column, throw.aim.row - throw.start.row
    if not ring.is_along_throw or across == down == 0:
        return x, y
    return -x * down - y * across, x * across - y * down


def _squares(total: int, throw: Throw, scatter: ThrowScatter) -> Fraction:
    """A rolled distance in squares; one in the ruleset's unit goes to the nearest whole number of squares."""
    far = max(Fraction(0), total + scatter.plus)
    return far if scatter.in_squares else Fraction(floor(far / throw.side + Fraction(1, 2)))


def _for_throw(scatter: Scatter, facts: Mapping[str, Value]) -> ThrowScatter:
    far = parse_dice(str(worked_out(scatter.distance, facts)))
    again = far if scatter.again_distance is None else parse_dice(str(worked_out(scatter.again_distance, facts)))
    towards = tuple(scatter.towards.items())
    plus, is_lost = number_of(scatter.plus, facts), bool(worked_out(scatter.lost_off_map, facts))
    return ThrowScatter(scatter.label, scatter.at, scatter.dice, towards, far, again, plus, scatter.in_squares, is_lost)


def worked_out(formula: Expression, facts: Mapping[str, Value]) -> Value:
    """Value of a formula; raises an error for users when it needs a fact of a thrower who is not there."""
    _refuse_unless_known(formula, facts)
    return formula.evaluate(facts)


def number_of(formula: Expression, facts: Mapping[str, Value]) -> Fraction:
    """The same for a formula that is a number."""
    _refuse_unless_known(formula, facts)
    return Fraction(number(formula, facts))


def _refuse_unless_known(formula: Expression, facts: Mapping[str, Value]) -> None:
    missing = sorted(name for name in formula.names if name not in facts)
    if missing:
        raise BattleboardError(f"The rule “{formula.text}” needs {missing[0]}: name the unit that throws.")
