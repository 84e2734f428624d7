"""What the board shows of the last command: a function of the battle before it and of its events."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.battle.command import Attack, Command, Move
from engine.battle.commands.gear_commands import Give
from engine.battle.commands.terrain_commands import SetBarrier, SetEdges
from engine.battle.commands.unit_actions import Ready
from engine.battle.commands.unit_edits import DamageUnits, HealUnits
from engine.battle.events import BurstCaught, BurstLanded, ConditionBegan, PoolChanged, UnitFell
from engine.battle.views.aftermath import (
    AFFECTED,
    FELL,
    HEALED,
    HIT,
    MISS,
    NOTHING_DONE,
    STRUCK,
    UNHURT,
    Aftermath,
    Mark,
    Shot,
    Walk,
    aftermath,
    together,
)
from engine.geometry.blast.scatter_path import OFF_MAP
from engine.geometry.squares import Edge, Square, parse_square
from engine.values import replace
from maps import kinds
from tests.examples import examples
from tests.rules.table import Table, fight


def done(table: Table, command: Command, dice: tuple[int, ...] = ()) -> Aftermath:
    before = table.battle
    table.do(command, dice)
    return aftermath(before, table.events, table.rules)


def sq(*names: str) -> tuple[object, ...]:
    return tuple(parse_square(name) for name in names)


def test_a_hit_has_its_line_and_its_loss() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    found = done(table, Attack("a", "b"), (3,))
    (shot,) = found.shots
    assert shot.is_hit and shot.squares == sq("A1", "B1", "C1", "D1")
    (mark,) = found.marks
    assert (mark.unit, mark.at, mark.kind) == ("b", parse_square("D1"), HIT) and mark.amount > 0
    assert found.changed == {"b"}


def test_a_miss_has_its_line_and_its_mark() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    found = done(table, Attack("a", "b"), (98,))
    assert [shot.is_hit for shot in found.shots] == [False]
    assert found.marks == (Mark("b", parse_square("D1"), 1, MISS),)


def test_a_missed_blow_is_told_from_a_missed_shot() -> None:
    table = fight("occult-ops", "ab.", a="gunman", b="gunman")
    assert [shot.is_melee for shot in done(table, Attack("a", "b", "knife"), (98,)).shots] == [True]
    table = fight("occult-ops", "a.b", a="gunman", b="gunman")
    assert [shot.is_melee for shot in done(table, Attack("a", "b"), (98,)).shots] == [False]


def test_a_walk_leaves_its_way_behind() -> None:
    table = fight("occult-ops", "a....", ".....", a="gunman")
    found = done(table, Move("a", sq("A1", "B1", "C2")))  # type: ignore[arg-type]
    assert found.trail == sq("A1", "B1") and not found.marks


def test_the_gms_damage_and_healing_are_marked() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    assert done(table, DamageUnits(("a", "b"), 5)).marks == (
        Mark("a", parse_square("A1"), 1, HIT, 5),
        Mark("b", parse_square("D1"), 1, HIT, 5),
    )
    assert done(table, HealUnits(("b",), 3)).marks == (Mark("b", parse_square("D1"), 1, HEALED, 3),)


def test_nothing_done_is_nothing_to_show() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    assert aftermath(table.battle, (), table.rules) == NOTHING_DONE


def test_what_leaves_the_map_has_no_blast() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    table.arm("a", "frag-grenade")
    before = table.battle
    table.do(Attack("a", "b"), (3,), (1, 1, 1, 1, 1, 1))
    assert aftermath(before, table.events, table.rules).rings
    gone = [
        replace(event, stopped_by=OFF_MAP) if isinstance(event, BurstLanded) else event
        for event in table.events
        if not isinstance(event, BurstCaught)
    ]
    assert not aftermath(before, gone, table.rules).rings


def test_a_fall_says_how_far() -> None:
    table = fight("cwn", "a..b", a="flyer", b="gunman", altitudes={"a": 10})
    unit = table.unit("a")
    found = aftermath(table.battle, (UnitFell("a", 1000),), table.rules)
    assert found.marks == (Mark("a", unit.at, 1, FELL, 1000),)


SQUARES = st.builds(Square, st.integers(0, 5), st.integers(0, 5))
UNITS = st.sampled_from("abcd")
ALL_SQUARES = [Square(column, row) for column in range(6) for row in range(6)]
WAYS = st.lists(SQUARES, min_size=1, max_size=4).map(tuple)
DONE = st.builds(
    Aftermath,
    walks=st.lists(st.builds(Walk, UNITS, WAYS), max_size=3).map(tuple),
    shots=st.lists(st.builds(Shot, UNITS, UNITS, WAYS, st.booleans()), max_size=3).map(tuple),
    marks=st.lists(st.builds(Mark, UNITS, SQUARES, st.just(1), st.sampled_from([HIT, MISS])), max_size=4).map(tuple),
    thrower=UNITS,
    aimed=st.none() | SQUARES,
    landed=st.none() | SQUARES,
    rings=st.lists(WAYS, max_size=3).map(tuple),
    edges=st.lists(st.builds(Edge, st.integers(0, 5), st.integers(0, 5), st.sampled_from("NW")), max_size=3).map(tuple),
    wrecks=st.lists(SQUARES, max_size=3).map(tuple),
)


@pytest.mark.long
@examples(100)
@given(done=DONE, other=DONE, known=st.sets(UNITS), squares=st.sets(SQUARES))
def test_a_side_is_shown_nothing_that_it_does_not_know_of(
    done: Aftermath, other: Aftermath, known: set[str], squares: set[Square]
) -> None:
    """What units out of sight do, wherever they are, leaves what a side is shown as it is."""
    own = {unit for unit in known if unit == "a"}
    seen = done.seen_by(own, known, squares)
    assert {walk.unit for walk in seen.walks} | seen.changed | {seen.thrower} - {""} <= known
    assert {unit for shot in seen.shots for unit in (shot.attacker, shot.target)} - {""} <= known
    assert all(shot.target or (shot.attacker in own and not shot.squares) for shot in seen.shots)
    assert {there for walk in seen.walks if walk.unit not in own for there in walk.squares} <= squares
    assert {there for there in (seen.aimed, seen.landed) if there} <= squares
    assert {there for ring in seen.rings for there in ring} <= squares
    assert all(set(edge.squares) & squares for edge in seen.edges) and set(seen.wrecks) <= squares
    more = replace(
        done,
        walks=done.walks + tuple(walk for walk in other.walks if walk.unit not in known),
        shots=done.shots
        + tuple(shot for shot in other.shots if shot.attacker not in own and not {shot.attacker, shot.target} <= known),
        marks=done.marks + tuple(mark for mark in other.marks if mark.unit not in known),
    )
    assert more.seen_by(own, known, squares) == seen
    assert seen.seen_by(own, known, squares) == seen


def test_a_target_without_a_known_shooter_has_its_mark_without_the_line() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    found = done(table, Attack("a", "b"), (3,))
    seen = found.seen_by({"b"}, {"b"}, set(ALL_SQUARES))
    assert seen.shots == () and seen.marks == found.marks
    assert found.seen_by({"a"}, {"a", "b"}, set(ALL_SQUARES)) == found
    assert found.seen_by({"c"}, {"c"}, set(ALL_SQUARES)).is_empty


def test_a_door_that_was_opened_is_marked() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    edge = Edge(2, 0, "W")
    table.do(SetEdges((edge,), replace(kinds.barrier("door", "feet"), state="closed")))
    assert done(table, SetBarrier(edge, "open")).edges == (edge,)
    assert done(table, SetEdges((edge,), None)).edges == (edge,)


def test_a_loss_is_not_counted_with_the_wounds_it_is() -> None:
    table = fight("volt", "a..b", a="gunman", b="gunman")
    found = done(table, Attack("a", "b"), (7, 7))
    (lost,) = (one for one in table.events if isinstance(one, PoolChanged) and one.pool == "health")
    assert [mark.amount for mark in found.marks] == [lost.before - lost.after], "not with the Injury beside it"


def test_a_hit_that_only_pushes_or_stuns_is_called_a_hit() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    before = table.battle
    table.do(Attack("a", "b"), (30,), (1, 1))
    rolled = [one for one in table.events if not isinstance(one, PoolChanged)]
    assert [mark.kind for mark in aftermath(before, rolled, table.rules).marks] == [UNHURT]
    stunned = (*rolled, ConditionBegan("b", "winded", "winded"))
    assert [mark.kind for mark in aftermath(before, stunned, table.rules).marks] == [STRUCK]


def test_units_that_suppressive_fire_only_pinned_have_the_condition_and_players_see_that_of_their_own() -> None:
    table = fight("eva", "a....b..c", a="gunman", b="gunman", c="gunman")
    table.do(Give("a", "submachine-gun"))
    table.do(Ready("a", "submachine-gun", is_free=True))
    fire = Attack("a", "b", "submachine-gun", "suppress-auto", is_free=True)
    found = done(table, fire, (99,))
    pinned = {mark.unit for mark in found.marks if (mark.kind, mark.label) == (AFFECTED, "pinned")}
    assert pinned and pinned == {unit.id for unit in table.battle.units.values() if "pinned" in unit.conditions}
    assert not any(mark.kind in (HIT, STRUCK) for mark in found.marks)
    assert not any(mark.kind == AFFECTED for mark in found.seen_by({"a"}, {"a", "b", "c"}, set(ALL_SQUARES)).marks)
    own = found.seen_by(pinned, {"a", "b", "c"}, set(ALL_SQUARES)).marks
    assert {mark.unit for mark in own if mark.kind == AFFECTED} == pinned


def test_a_unit_that_was_caught_where_nothing_came_of_it_has_no_mark() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    assert aftermath(table.battle, (BurstCaught("a", "b", "", Fraction(1)),), table.rules).marks == ()


def test_several_commands_together_sum_what_each_unit_lost_and_keep_the_last_blast() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    units = table.battle.units
    there = units["a"].at

    def mark(kind: str, amount: int = 0, label: str = "") -> Mark:
        return Mark("a", Square(0, 0), 1, kind, amount, label=label)

    parts = [
        Aftermath(marks=(mark(HIT, 3), mark(FELL, 200)), landed=Square(1, 1), thrower="b"),
        Aftermath(marks=(mark(MISS),), landed=Square(2, 2)),
        Aftermath(marks=(mark(HEALED, 1), Mark("gone", Square(0, 0), 1, HIT, 2))),
    ]
    found = together(parts, units)
    assert [(one.kind, one.amount, one.at) for one in found.marks] == [(HIT, 2, there), (FELL, 200, there)]
    assert (found.landed, found.thrower) == (Square(2, 2), "")
    assert together(parts[:1], units) is parts[0]
