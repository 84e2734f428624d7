"""Scatter: the landing square of a throw, rolled or as exact chances. Its blast is in `blast_rings`.

One `ScatterRoll` serves the roll in play and the chances before it, so that the chance shown is the chance there is.
"""

from __future__ import annotations

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
from engine.geometry.blast.scatter_path import OFF_MAP, Flight, course
from engine.geometry.metric import level_distance
from engine.geometry.squares import Direction, Square
from engine.rules.derived_facts import all_asked, grades_ask
from engine.rules.effects import comes_after
from engine.rules.expressions import Expression
from engine.rules.formula_values import number
from engine.rules.model import Ruleset, Value
from engine.rules.roll_odds import judged_rolls
from engine.rules.space_rules import AGAIN, BEARINGS, COMPASS, STAYS, Scatter

Chances = Mapping[Square, Fraction]
"""The chance of each square to be the centre of the burst; they sum to one, less what leaves the map and is gone."""


class Throw(Struct, frozen=True):
    """Who throws from where to where, and how the ruleset measures: a square's side in its unit, and its metric."""

    start: Square
    aim: Square
    side: int | Fraction
    metric: str


class ScatterRoll(Struct, frozen=True):
    """A scatter table with its formulas worked out for one attack."""

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


def stray_of(rules: Ruleset, facts: Mapping[str, Value], grade: str, is_hit: bool) -> ScatterRoll | None:
    """How a throw strays after a grade; None when it lands as aimed.

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
            return _stray(scatter, facts)
    return None


def strays(rules: Ruleset, shot: AttackPreview) -> tuple[tuple[Fraction, ScatterRoll | None], ...]:
    """All ways in which an attack's throw can scatter, with exact chances; None is as aimed. They sum to one."""
    found: dict[ScatterRoll | None, int] = {}
    whole, rolls = judged_rolls(rules, shot.situation.facts, shot.ledger, asked_of_strays(rules))
    for weight, rolled, known in rolls:
        stray = stray_of(rules, known, rolled.grade.id, rolled.grade.is_hit)
        found[stray] = found.get(stray, 0) + weight
    return tuple((Fraction(weight, whole), stray) for stray, weight in found.items())


def asked_of_strays(rules: Ruleset) -> frozenset[str]:
    """Every fact of a roll that the scatter tables ask for."""
    asked = grades_ask(rules).union(
        *(one.when.names | one.distance.names | one.plus.names | one.lost_off_map.names for one in rules.space.scatters)
    )
    again = (one.again_distance.names for one in rules.space.scatters if one.again_distance is not None)
    return all_asked(rules.attack.facts, asked.union(*again))


def throw_of(battlefield: Battlefield, rules: Ruleset, start: Square, aim: Square) -> Throw:
    """A throw on this map under this ruleset."""
    return Throw(start, aim, range_side(battlefield, rules), rules.distance.metric)


def landing(battlefield: Battlefield, throw: Throw, outcomes: Iterable[tuple[Fraction, ScatterRoll | None]]) -> Chances:
    """The exact chance of each square to be where the throw comes down; what is lost off the map is left out.

    Args:
        battlefield: with the walls that stop it.
        throw: from where to where.
        outcomes: chances that sum to one, each with how the throw strays then; None lands as aimed.
    """
    found: dict[Square, Fraction] = {}
    for chance, stray in outcomes:
        if chance:
            for square, share in _spread(battlefield, throw, stray):
                found[square] = found.get(square, Fraction(0)) + chance * share
    return found


def scattered(battlefield: Battlefield, throw: Throw, stray: ScatterRoll | None, dice: DiceSource) -> Landing:
    """Rolls the landing square: the direction, again as long as the table says so, then the distance."""
    if stray is None:
        return Landing(throw.aim, (), "")
    start = _start(throw, stray)
    if stray.dice is None:
        return Landing(start, (), "")
    towards, lengths = dict(stray.towards), stray.distance
    purpose = f"{stray.label}: direction ({direction_words(stray.towards)})"
    rolls = [roll(stray.dice, dice, purpose)]
    while towards[rolls[-1].total] == AGAIN:
        lengths = stray.again_distance
        rolls.append(roll(stray.dice, dice, purpose))
    way = towards[rolls[-1].total]
    if way == STAYS:
        return Landing(start, tuple(rolls), "")
    far = roll(lengths, dice, f"{stray.label}: distance")
    most = _squares(far.total, throw, stray)
    flown = course(battlefield, start, *_heading(throw, way), most, throw.metric)
    is_lost = stray.is_lost_off_map and flown.left_after is not None
    rolled = (*rolls, far) if far.faces or far.is_typed else tuple(rolls)
    return Landing(flown.squares[-1], rolled, OFF_MAP if is_lost else flown.stopped_by)


def _spread(battlefield: Battlefield, throw: Throw, stray: ScatterRoll | None) -> Iterator[tuple[Square, Fraction]]:
    """Landing squares of one scatter rule, with their chances."""
    if stray is None:
        yield throw.aim, Fraction(1)
        return
    start = _start(throw, stray)
    if stray.dice is None:
        yield start, Fraction(1)
        return
    towards = dict(stray.towards)
    shares: dict[str, Fraction] = {}
    for total, chance in distribution(stray.dice).items():
        shares[towards[total]] = shares.get(towards[total], Fraction(0)) + chance
    again = shares.pop(AGAIN, Fraction(0))
    far: dict[Fraction, Fraction] = {}
    for dice, weight in ((stray.distance, 1 - again), (stray.again_distance, again)):
        for total, chance in distribution(dice).items() if weight else ():
            most = _squares(total, throw, stray)
            far[most] = far.get(most, Fraction(0)) + chance * weight
    for way, share in shares.items():
        share /= 1 - again
        if way == STAYS:
            yield start, share
            continue
        across, down = _heading(throw, way)
        whole = course(battlefield, start, across, down, max(far), throw.metric)
        for most, chance in far.items():
            if stray.is_lost_off_map and whole.left_after is not None and most >= whole.left_after:
                continue
            yield _resting(whole, most, throw.metric), share * chance


def _resting(whole: Flight, most: Fraction, metric: str) -> Square:
    """Last square of a flight along a path up to a distance."""
    start, at = whole.squares[0], whole.squares[0]
    for square in whole.squares[1:]:
        if level_distance(metric, square.column - start.column, square.row - start.row) > most:
            break
        at = square
    return at


def direction_words(towards: Iterable[tuple[int, str]]) -> str:
    """Totals of the direction dice in words: "1 north, then clockwise".

    >>> direction_words(enumerate(COMPASS, 1)), direction_words([(1, "right"), (2, "right"), (3, "stays")])
    ('1 N, then clockwise', '1–2 right, 3 stays')
    """
    runs = [
        (word, [total for total, _ in totals]) for word, totals in groupby(sorted(towards), key=lambda pair: pair[1])
    ]
    ranges = [f"{'–'.join(map(str, sorted({totals[0], totals[-1]})))} {word}" for word, totals in runs]
    words = tuple(word for word, _ in runs)[: len(COMPASS)]
    for ring in (COMPASS, BEARINGS):
        if words[0] in ring and words == (*ring[ring.index(words[0]) :], *ring[: ring.index(words[0])]):
            ranges[1 : len(ring)] = ["then clockwise"]
    return ", ".join(ranges)


def _start(throw: Throw, stray: ScatterRoll) -> Square:
    return throw.aim if stray.at == "aim" else throw.start


def _heading(throw: Throw, way: str) -> tuple[int, int]:
    """The direction that a word of the table means, as columns and rows."""
    if way in COMPASS:
        direction = Direction[way]
        return direction.dx, direction.dy
    across, down = throw.aim.column - throw.start.column, throw.aim.row - throw.start.row
    if across == down == 0:
        across, down = Direction.N.dx, Direction.N.dy
    for _ in range(BEARINGS.index(way)):  # an eighth turn clockwise, drawn longer so that it stays whole
        across, down = across - down, across + down
    return across, down


def _squares(total: int, throw: Throw, stray: ScatterRoll) -> Fraction:
    """A rolled distance in squares; one in the ruleset's unit goes to the nearest whole number of squares."""
    far = max(Fraction(0), total + stray.plus)
    return far if stray.in_squares else Fraction(floor(far / throw.side + Fraction(1, 2)))


def _stray(scatter: Scatter, facts: Mapping[str, Value]) -> ScatterRoll:
    far = parse_dice(str(worked_out(scatter.distance, facts)))
    again = far if scatter.again_distance is None else parse_dice(str(worked_out(scatter.again_distance, facts)))
    towards = tuple(scatter.towards.items())
    plus, is_lost = number_of(scatter.plus, facts), bool(worked_out(scatter.lost_off_map, facts))
    return ScatterRoll(scatter.label, scatter.at, scatter.dice, towards, far, again, plus, scatter.in_squares, is_lost)


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
