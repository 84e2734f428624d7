"""Scatter: exact chances against counting every face of every die, and against throw after throw of the roll itself."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from engine.answers import typed_dice
from engine.battle.attacks.scatter import Throw, ThrowScatter, landing_odds, roll_landing, scatter_after
from engine.battle.distances import radius_squares
from engine.dice.sources import SeededSource, TableSource
from engine.errors import BattleboardError
from engine.geometry.battlefield import Battlefield
from engine.geometry.blast.scatter_path import stopped_between
from engine.geometry.metric import distance
from engine.geometry.squares import Direction, Square, parse_square
from engine.values import replace
from rulesets import parse_ruleset
from tests.engine.geometry.bursting import walled
from tests.engine.geometry.drawing import DOOR, WALL
from tests.examples import sample
from tests.rules.table import ruleset
from tests.rulesets.test_scatter_tables import BLOCK, EIGHT, HEAD, HUNDRED, TEN, with_table

FIELD = walled(
    "............",
    "...#........",
    "........##..",
    ".#..........",
    "......#.....",
    "............",
    "...###......",
    "............",
    barriers={"H4 W": WALL, "F3 N": DOOR, "G7 W": replace(DOOR, state="open")},
)
AIM = parse_square("F4")
FACTS = {"attacker.skill": 35, "margin": -20, "weapon.damage": "1d6", "thrown": True}


def stray(text: str) -> ThrowScatter:
    found = scatter_after(parse_ruleset(with_table(HEAD + text), "small"), FACTS, "bad", False)
    assert found is not None
    return found


def throw(metric: str = "chebyshev", side: Fraction | int = 1, start: str = "A8") -> Throw:
    return Throw(parse_square(start), AIM, side, metric)


def thrown_by_hand(field: Battlefield, one: Throw, table: ThrowScatter, way: str, total: int) -> Square:
    """Where one direction and one total of the distance lead: square by square along one of the eight directions."""
    far = max(Fraction(0), total + table.plus)
    if not table.in_squares:
        far = Fraction(int(far / one.side + Fraction(1, 2)))
    at = one.aim
    if way == "stays":
        return at
    while True:
        there = at.step(Direction[way])
        gone = distance(one.metric, there.column - one.aim.column, there.row - one.aim.row)
        if gone > far or stopped_between(field, at, there):
            return at
        at = there


def counted(field: Battlefield, one: Throw, table: ThrowScatter, faces: dict[str, int], again: int, sides: int) -> dict:
    """Every face of the direction's die with every face of the distance's dice; `again` of them roll once more."""
    found: Counter[Square] = Counter()
    proper = sum(faces.values())
    for (way, weight), (dice, share) in product(
        faces.items(), ((table.distance, sides - again), (table.again_distance, again))
    ):
        count, each = (int(part) for part in dice.text.split("d"))
        for shown in product(range(1, each + 1), repeat=count) if share else ():
            at = thrown_by_hand(field, one, table, way, sum(shown))
            found[at] += Fraction(weight * share, proper * sides * each**count)
    return dict(found)


@pytest.mark.parametrize("metric", ["chebyshev", "alternating", "euclidean"])
def test_eight_ways_and_four_squares_as_counted(metric: str):
    table = stray(EIGHT + 'distance = "1d4"\nsquares = true\n')
    exact = landing_odds(FIELD, throw(metric), [(Fraction(1), table)])
    assert exact == counted(FIELD, throw(metric), table, dict.fromkeys((each.name for each in Direction), 1), 0, 8)
    assert sum(exact.values()) == 1


@pytest.mark.parametrize("side", sample([Fraction(1524, 1000), 1, Fraction(3, 2)]))
def test_a_hundred_sides_two_tens_and_another_roll_as_counted(side: Fraction | int):
    table = stray(HUNDRED.replace("4d10", "4d5"))
    exact = landing_odds(FIELD, throw(side=side), [(Fraction(1), table)])
    faces = dict.fromkeys((each.name for each in Direction), 12)
    assert exact == counted(FIELD, throw(side=side), table, faces, 4, 100)
    assert sum(exact.values()) == 1


def test_uneven_faces_less_a_skill_as_counted():
    table = stray(TEN)
    assert table.plus == -4
    faces = {"NW": 1, "N": 1, "NE": 1, "W": 1, "E": 1, "SW": 2, "S": 1, "SE": 2}
    exact = landing_odds(FIELD, throw(), [(Fraction(1), table)])
    assert exact == counted(FIELD, throw(), table, faces, 0, 10)
    assert exact[AIM] >= Fraction(4, 10)


def test_a_margin_lengthens_and_some_faces_stay():
    table = stray(BLOCK)
    assert table.plus == 7
    exact = landing_odds(FIELD, throw(), [(Fraction(1), table)])
    assert sum(exact.values()) == 1
    assert exact[AIM] >= Fraction(2, 10)


@pytest.mark.parametrize(("start", "ahead"), [("F8", "N"), ("A9", "NE"), ("A4", "E"), ("L4", "W"), ("F1", "S")])
def test_along_the_throw_means_its_own_eight_directions(start: str, ahead: str):
    compass = [each.name for each in Direction]
    turn = compass.index(ahead)
    along = stray(BLOCK)
    bearings = dict(along.towards)
    towards = tuple((total, "stays" if total > 8 else compass[(total - 1 + turn) % 8]) for total in bearings)
    level = replace(along, towards=towards)
    one = throw(start=start)
    assert landing_odds(FIELD, one, [(Fraction(1), along)]) == landing_odds(FIELD, one, [(Fraction(1), level)])


def test_hits_land_as_aimed_and_misses_by_the_table():
    table = stray(EIGHT + 'distance = "1d4"\nsquares = true\n')
    alone = landing_odds(FIELD, throw(), [(Fraction(1), table)])
    mixed = landing_odds(FIELD, throw(), [(Fraction(2, 5), None), (Fraction(3, 5), table)])
    assert mixed[AIM] == Fraction(2, 5) + alone.get(AIM, 0) * Fraction(3, 5)
    assert sum(mixed.values()) == 1
    assert landing_odds(FIELD, throw(), [(Fraction(1), None), (Fraction(0), table)]) == {AIM: 1}


@pytest.mark.slow
@pytest.mark.parametrize("count", [10_000, 100_000])
def test_throw_after_throw_agrees_with_the_chances(count: int):
    table, one = stray(HUNDRED), throw(side=Fraction(3, 2))
    exact = landing_odds(FIELD, one, [(Fraction(1), table)])
    dice = SeededSource("scatter")
    shown = Counter(roll_landing(FIELD, one, table, dice).at for _ in range(count))
    assert shown.keys() <= exact.keys()
    for square, chance in exact.items():
        expected = float(chance) * count
        assert abs(shown[square] - expected) <= 5 * (expected * (1 - float(chance))) ** 0.5 + 1


def test_typed_dice_say_where_it_comes_down():
    table = stray(HUNDRED)
    found = roll_landing(FIELD, throw(), table, TableSource(typed_dice(((99,), (100,), (40,), (1, 1, 1, 1)))))
    assert found.at.name == "G4"
    assert found.stopped_by == "the wall on H4 W"
    assert [roll.total for roll in found.rolls] == [99, 100, 40, 4]
    near = roll_landing(FIELD, throw(), table, TableSource(typed_dice(((13,), (1, 1)))))
    assert (near.at.name, near.stopped_by) == ("F3", "the door on F3 N")
    stays = roll_landing(FIELD, throw(), stray(BLOCK), TableSource(typed_dice(((10,),))))
    assert (stays.at, len(stays.rolls)) == (AIM, 1)
    assert roll_landing(FIELD, throw(), None, TableSource(())).at == AIM


@pytest.mark.parametrize(
    ("rounding", "radius", "most"),
    [
        ("nearest", 5, 3),
        ("down", 5, 3),
        ("up", 5, 3),
        ("exact", 5, 3),
        ("down", 6, 4),
        ("nearest", 4, 2),
        ("down", 4, 3),
    ],
)
def test_a_radius_holds_the_distances_that_are_reported_within_it(rounding: str, radius: int, most: int):
    field = replace(walled("."), square_size=150)
    rules = replace(ruleset("cwn"), distance=replace(ruleset("cwn").distance, blasts=rounding))
    found = radius_squares(field, rules, Fraction(radius))
    assert [squares for squares in range(8) if squares <= found][-1] == most


def test_a_formula_that_asks_for_a_thrower_says_so():
    rules = parse_ruleset(with_table(HEAD + TEN), "small")
    with pytest.raises(BattleboardError, match=r"needs attacker\.skill: name the unit that throws"):
        scatter_after(rules, {}, "", False)
