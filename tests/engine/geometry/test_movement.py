"""Movement: single steps by hand, whole searches against an independent one."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Illegal
from engine.geometry.battlefield import OffMap
from engine.geometry.metric import METRICS
from engine.geometry.movement.paths import path_cost, path_through
from engine.geometry.movement.reach import reach
from engine.geometry.movement.steps import MoveRules
from engine.geometry.squares import Direction, Edge, Square, parse_square
from engine.values import replace
from tests.engine.geometry.drawing import CURTAIN, DOOR, LOW, WALL, drawn, random_field
from tests.examples import examples


def squares(names: str) -> tuple[Square, ...]:
    return tuple(parse_square(name) for name in names.split())


@pytest.mark.parametrize(("metric", "cost"), [("chebyshev", 3), ("alternating", 4), ("euclidean", Fraction(9, 2))])
def test_diagonals(metric, cost):
    field = drawn("....", "....", "....", "....")
    assert path_cost(field, squares("A1 B2 C3 D4"), MoveRules(metric)) == cost
    assert reach(field, parse_square("A1"), 9, MoveRules(metric)).cost(parse_square("D4")) == cost


def test_the_alternation_lasts_the_whole_path():
    field = drawn("......", "......")
    assert path_cost(field, squares("A1 B2 C2 D1"), MoveRules("alternating")) == 1 + 1 + 2


@pytest.mark.parametrize(("metric", "cost"), [("chebyshev", 3), ("alternating", 5), ("euclidean", Fraction(9, 2))])
def test_a_path_after_an_odd_number_of_diagonals_begins_with_a_dear_one(metric, cost):
    field, rules = drawn("....", "....", "....", "...."), MoveRules(metric)
    assert path_cost(field, squares("A1 B2 C3 D4"), rules, odd=True) == cost
    assert path_through(field, squares("A1 D4"), cost, rules, odd=True) == squares("A1 B2 C3 D4")
    if metric == "alternating":
        with pytest.raises(Illegal, match="out of reach"):
            path_through(field, squares("A1 D4"), cost - Fraction(1, 2), rules, odd=True)


def test_difficult_ground_costs_what_it_says_and_diagonals_multiply():
    field = drawn(".~.", "..~")
    assert path_cost(field, squares("A1 B1")) == 2
    assert path_cost(field, squares("B1 C2"), MoveRules("euclidean")) == 3
    assert path_cost(field, squares("B1 C1")) == 1
    assert path_cost(field, squares("A1 B1"), MoveRules(flies=True)) == 1


def test_reach_keeps_to_the_budget():
    found = reach(drawn(".....", "....."), parse_square("A1"), 2)
    assert {square.name for square in found.costs} == {"A1", "A2", "B1", "B2", "C1", "C2"}
    assert found.costs[parse_square("A1")] == 0
    assert found.path(parse_square("A1")) == squares("A1")
    assert parse_square("D1") not in found
    with pytest.raises(Illegal, match=r"^D1 is out of reach\.$"):
        found.path(parse_square("D1"))


@pytest.mark.parametrize(
    ("field", "path", "sentence"),
    [
        (drawn("...", barriers={"C1 W": DOOR}), "A1 B1 C1", "A closed door stands between B1 and C1."),
        (drawn("...", barriers={"C1 W": WALL}), "A1 B1 C1", "A wall stands between B1 and C1."),
        (drawn(".#"), "A1 B1", "The wall blocks B1."),
        (drawn(".c"), "A1 B1", "The crate blocks B1."),
        (drawn(".."), "A1 C1", "A1 and C1 are not adjacent."),
        (drawn(".."), "A1 A1", "A1 and A1 are not adjacent."),
        (drawn(".."), "A1 B2", "The map ends at A1."),
        (drawn(".#", ".."), "A1 B2", "The wall at B1 blocks the corner between A1 and B2."),
        (drawn("..", "..", barriers={"B2 W": LOW}), "A1 B2", "A low wall on B2 W blocks the corner between A1 and B2."),
        (drawn("..", elevation={"B1": 250}), "A1 B1", "B1 lies 2.5 m above A1: too high to climb."),
        (drawn("..", elevation={"A1": 250}), "A1 B1", "B1 lies 2.5 m below A1: too far to climb down."),
    ],
)
def test_a_refused_step_says_which_and_why(field, path, sentence):
    with pytest.raises(Illegal) as refused:
        path_cost(field, squares(path))
    assert str(refused.value) == sentence
    assert squares(path)[-1] == squares(path)[0] or squares(path)[-1] not in reach(field, squares(path)[0], 1)


@pytest.mark.parametrize("name", ["B1 W", "A2 N", "B2 N", "B2 W"])
def test_every_barrier_round_a_corner_bars_the_diagonal(name):
    field = drawn("..", "..", barriers={name: LOW})
    for one, other in [("A1", "B2"), ("B2", "A1"), ("B1", "A2"), ("A2", "B1")]:
        with pytest.raises(Illegal, match="blocks the corner"):
            path_cost(field, squares(f"{one} {other}"))


def test_open_doors_and_curtains_let_through():
    for barrier in (replace(DOOR, state="open"), replace(DOOR, state="broken"), CURTAIN):
        assert path_cost(drawn("..", barriers={"B1 W": barrier}), squares("A1 B1")) == 1


def test_climbing():
    field = drawn("...", elevation={"B1": 90, "C1": 190})
    rules = MoveRules(climb_cost=Fraction(2))
    assert path_cost(field, squares("A1 B1"), rules) == 1  # half a human height is walked
    assert path_cost(field, squares("B1 C1"), rules) == 1 + Fraction(3, 2)  # 2 * 100 / 150 = 1 1/3, up to half squares
    assert path_cost(field, squares("C1 B1"), rules) == Fraction(5, 2)


def test_a_flight_is_level_over_rising_ground_until_the_ground_is_higher():
    field, low = drawn("....", "...."), {"B1": 90, "C1": 190}
    rising = drawn("....", "....", elevation=low)
    assert path_cost(rising, squares("A1 B1 C1 D1"), MoveRules(flies=True, feet=190)) == 3
    with pytest.raises(Illegal, match=r"^The ground at C1 lies 0\.4 m above its flight\.$"):
        path_cost(rising, squares("A1 B1 C1"), MoveRules(flies=True, feet=150))
    with pytest.raises(Illegal, match=r"^The ground at C1 lies 0\.4 m above its flight, at the corner between B1"):
        path_cost(rising, squares("B1 C2"), MoveRules(flies=True, feet=150))
    cliff = replace(field, elevation=tuple(900 if square.column == 1 else 0 for square in field.squares()))
    assert set(reach(cliff, parse_square("A1"), 9, MoveRules(flies=True, feet=100)).costs) == set(squares("A1 A2"))
    with pytest.raises(Illegal, match=r"^C1 is out of reach\.$"):
        path_through(cliff, squares("A1 C1"), 9, MoveRules(flies=True, feet=100))
    with pytest.raises(Illegal, match=r"^B1 is out of reach: the ground at B1 lies 8 m above its flight\.$"):
        path_through(cliff, squares("A1 B1"), 9, MoveRules(flies=True, feet=100))
    assert path_cost(cliff, squares("A1 B1 C1"), MoveRules(flies=True, feet=900)) == 2


def test_what_stands_on_higher_ground_is_passed_over_above_its_top():
    field = drawn(".c.", elevation={"B1": 300}, barriers={"C1 W": LOW})
    assert path_cost(field, squares("A1 B1 C1"), MoveRules(flies=True, feet=420)) == 2
    with pytest.raises(Illegal, match="The crate blocks B1"):
        path_cost(field, squares("A1 B1"), MoveRules(flies=True, feet=419))
    wall = drawn("...", elevation={"B1": 300}, barriers={"C1 W": LOW})
    with pytest.raises(Illegal, match="between B1 and C1"):
        path_cost(wall, squares("A1 B1 C1"), MoveRules(flies=True, feet=300))


def test_who_stands_in_the_way():
    field = drawn("....")
    friend = MoveRules(occupied={parse_square("B1"): False})
    assert path_cost(field, squares("A1 B1 C1"), friend) == 2
    with pytest.raises(Illegal, match=r"^B1 is occupied\.$"):
        path_cost(field, squares("A1 B1"), friend)
    assert {square.name for square in reach(field, parse_square("A1"), 9, friend).costs} == {"A1", "C1", "D1"}
    foe = MoveRules(occupied={parse_square("B1"): True})
    with pytest.raises(Illegal, match=r"^An enemy occupies B1\.$"):
        path_cost(field, squares("A1 B1 C1"), foe)
    assert set(reach(field, parse_square("A1"), 9, foe).costs) == {parse_square("A1")}


def test_flying_passes_over_what_is_lower():
    field = drawn(".c.", barriers={"C1 W": LOW})
    assert path_cost(field, squares("A1 B1 C1"), MoveRules(flies=True, feet=120)) == 2
    with pytest.raises(Illegal, match="The crate blocks B1"):
        path_cost(field, squares("A1 B1 C1"), MoveRules(flies=True, feet=119))
    with pytest.raises(Illegal, match="The wall blocks B1"):
        path_cost(drawn(".#"), squares("A1 B1"), MoveRules(flies=True, feet=9999))


def test_large_bodies_need_room():
    rules = MoveRules(size=2)
    field = drawn("......", "......", "...#..")
    assert path_cost(field, squares("A1 B1 C1"), rules) == 2
    with pytest.raises(Illegal, match="The wall blocks D3"):
        path_cost(field, squares("C1 C2"), rules)
    with pytest.raises(Illegal, match="The map ends at"):
        path_cost(field, squares("E1 F1"), rules)
    walled = drawn("....", "....", barriers={"D1 W": LOW})
    with pytest.raises(Illegal, match="A low wall stands between C1 and D1"):
        path_cost(walled, squares("B1 C1"), rules)
    steep = drawn("...", "...", elevation={"C1": 170, "C2": 0})
    assert path_cost(steep, squares("A1 B1"), rules) == 1 + Fraction(3, 2)  # 170 / 150 squares, up to half squares
    swamp = drawn("..~", "...")
    assert path_cost(swamp, squares("A1 B1"), rules) == 2
    tunnel = drawn("..", "..", "..", "..", barriers={"B2 W": LOW})
    with pytest.raises(Illegal, match=r"^A low wall stands between A2 and B2: no room\.$"):
        path_cost(tunnel, squares("A3 A2"), rules)


def test_own_squares_are_never_in_the_way():
    rules = MoveRules(size=2, occupied=dict.fromkeys(squares("A1 B1 A2 B2"), True))
    assert path_cost(drawn("...", "..."), squares("A1 B1"), rules) == 1


def test_what_is_refused_outright():
    with pytest.raises(OffMap):
        reach(drawn(".."), Square(2, 0), 3)
    with pytest.raises(OffMap):
        path_cost(drawn(".."), [Square(1, 0)], MoveRules(size=2))
    with pytest.raises(ValueError, match="taxicab"):
        MoveRules("taxicab")


def test_crawling_pays_for_every_square():
    assert path_cost(drawn("..~."), squares("A1 B1 C1"), MoveRules(pace=Fraction(2))) == 6


def test_more_than_a_human_s_height_is_climbed_neither_up_nor_down():
    field = drawn("..", elevation={"B1": 300})
    for path in (squares("A1 B1"), squares("B1 A1")):
        with pytest.raises(Illegal, match=r"too (high to climb|far to climb down)"):
            path_cost(field, path)


def test_doors_are_opened_on_the_way_where_that_has_a_cost():
    field = drawn("...", "...", barriers={"B1 W": DOOR, "B2 W": replace(DOOR, state="locked")})
    opens = MoveRules(door_cost=Fraction(1))
    assert path_cost(field, squares("A1 B1"), opens) == 2
    with pytest.raises(Illegal, match="A locked door stands between A2 and B2"):
        path_cost(field, squares("A2 B2"), opens)
    with pytest.raises(Illegal, match="blocks the corner"):
        path_cost(field, squares("A1 B2"), opens)


def test_a_turnstile_lets_through_one_way_only():
    field = drawn("..", "..", barriers={"B1 W": replace(WALL, walked_through=Direction.E)})
    assert path_cost(field, squares("A1 B1")) == 1
    with pytest.raises(Illegal, match="A wall stands between B1 and A1"):
        path_cost(field, squares("B1 A1"))
    with pytest.raises(Illegal, match="blocks the corner"):
        path_cost(field, squares("A2 B1"))
    found = reach(field, parse_square("B1"), 3)
    assert found.cost(parse_square("A1")) == 3


def test_nothing_is_free():
    with pytest.raises(ValueError, match="costs more than nothing"):
        MoveRules(pace=Fraction(0))


# --- through several squares ----------------------------------------------------------------------------------------


def test_a_path_comes_through_its_way_points_in_order():
    path = path_through(drawn(".....", "....."), squares("A1 C1 A2 E2"), 20)
    assert [path[0], path[-1]] == list(squares("A1 E2"))
    assert [square for square in path if square in squares("C1 A2")] == list(squares("C1 A2"))
    assert path_cost(drawn(".....", "....."), path) == 8
    assert path_through(drawn("."), squares("A1"), 0) == squares("A1")


def test_diagonals_are_counted_on_from_leg_to_leg():
    field, rules = drawn("...", "...", "..."), MoveRules("alternating")
    path = path_through(field, squares("A1 B2 C3"), 3, rules)
    assert path == squares("A1 B2 C3")
    assert path_cost(field, path, rules) == 3
    with pytest.raises(Illegal, match=r"^Leg 2, B2 to C3: C3 is out of reach\.$"):
        path_through(field, squares("A1 B2 C3"), 2, rules)


def test_the_first_leg_that_fails_is_named():
    field = drawn("...#.")
    with pytest.raises(Illegal, match="Leg 2, C1 to E1"):
        path_through(field, squares("A1 C1 E1 A1"), 30)


def test_way_points_may_lie_under_friends_and_goals_may_not():
    rules = MoveRules(occupied={parse_square("B1"): False})
    assert path_through(drawn("..."), squares("A1 B1 C1"), 5, rules) == squares("A1 B1 C1")
    with pytest.raises(Illegal, match="B1 is occupied"):
        path_through(drawn("..."), squares("A1 C1 B1"), 5, rules)


@examples(60)
@given(st.integers(0, 10**9).map(Random), st.sampled_from(METRICS))
def test_a_path_through_a_square_costs_the_least_of_all_that_go_there(random, metric):
    field, rules = drawn(*["." * 5] * 5), MoveRules(metric)
    start, over, goal = (random.choice(field.squares()) for _ in range(3))
    path = path_through(field, [start, over, goal], 99, rules)
    parts = [reach(field, start, 99, rules).arrivals(over)]
    least = min(
        arrival.cost + later.cost
        for arrival in parts[0]
        for later in reach(field, over, 99, rules, arrival.odd).arrivals(goal)
    )
    assert path_cost(field, path, rules) == least


def plain_cost(field, here, there, rules, odd):
    """Half squares for one step of a walker of one square, or None: the rules once more, as plainly as can be."""

    def shut(edge):
        barrier = field.barriers.get(edge)
        return barrier is not None and barrier.blocks_movement and barrier.state not in ("open", "broken")

    def solid(square):
        return field.ground_at(square).blocks_movement

    dx, dy = there.column - here.column, there.row - here.row
    if there not in field or solid(there) or rules.occupied.get(there):
        return None
    x, y = max(here.column, there.column), max(here.row, there.row)
    if dx and dy:
        if solid(Square(there.column, here.row)) or solid(Square(here.column, there.row)):
            return None
        if any(shut(edge) for edge in (Edge(x, y, "W"), Edge(x, y - 1, "W"), Edge(x, y, "N"), Edge(x - 1, y, "N"))):
            return None
    elif shut(Edge(x, y, "W" if dx else "N")):
        return None
    rise = abs(field.elevation_at(there) - field.elevation_at(here))
    if rise > 180:
        return None
    step = 2 if not (dx and dy) else {"chebyshev": 2, "euclidean": 3, "alternating": 4 if odd else 2}[rules.metric]
    climb = ceil(2 * rules.climb_cost * Fraction(rise, 150)) if rise > 90 else 0
    return step * field.ground_at(there).move_cost + climb


def relaxed(field, start, rules):
    """Cheapest cost of every square, in half squares, by relaxing all steps until nothing changes."""
    costs = {(start, False): 0}
    changed = True
    while changed:
        changed = False
        for (here, odd), cost in list(costs.items()):
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    there = Square(here.column + dx, here.row + dy)
                    step = plain_cost(field, here, there, rules, odd) if dx or dy else None
                    after = (there, odd != (rules.metric == "alternating" and bool(dx and dy)))
                    if step is not None and cost + step < costs.get(after, 10**9):
                        costs[after] = cost + step
                        changed = True
    best: dict[Square, int] = {}
    for (square, _), cost in costs.items():
        best[square] = min(cost, best.get(square, cost))
    return best


@examples(120)
@given(st.integers(0, 10**9).map(Random), st.sampled_from(METRICS))
def test_reach_agrees_with_an_independent_search(random, metric):
    field = random_field(random, 6, 5)
    start = random.choice(field.squares())
    others = random.sample(field.squares(), random.choice([0, 3, 8]))
    occupied = {square: random.random() < 0.5 for square in others if square != start}
    rules = MoveRules(metric, occupied, climb_cost=Fraction(random.randrange(4), 2))
    budget = Fraction(random.randrange(1, 24), 2)
    found = reach(field, start, budget, rules)
    expected = {
        square: Fraction(cost, 2)
        for square, cost in relaxed(field, start, rules).items()
        if cost <= 2 * budget and square not in occupied
    }
    assert dict(found.costs) == expected
    assert list(found.costs.values()) == sorted(found.costs.values())
    for goal, cost in expected.items():
        way = found.path(goal)
        assert (way[0], way[-1]) == (start, goal)
        assert path_cost(field, way, rules) == cost


@examples(60)
@given(st.integers(0, 10**9).map(Random), st.sampled_from(METRICS), st.sampled_from([2, 3]), st.booleans())
def test_every_path_of_a_large_or_flying_body_is_allowed(random, metric, size, flies):
    field = random_field(random)
    start = Square(random.randrange(field.columns - size + 1), random.randrange(field.rows - size + 1))
    rules = MoveRules(metric, size=size, flies=flies, feet=150 if flies else 0)
    found = reach(field, start, 5, rules)
    for goal, cost in found.costs.items():
        assert path_cost(field, found.path(goal), rules) == cost <= 5
