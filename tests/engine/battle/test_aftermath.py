"""What the board shows of the last command: a function of the battle before it and of its events."""

from __future__ import annotations

from engine.battle.command import Attack, Command, Move
from engine.battle.commands.unit_edits import DamageUnits, HealUnits
from engine.battle.events import UnitFell
from engine.battle.views.aftermath import FELL, HEALED, HIT, MISS, NOTHING_DONE, Aftermath, Mark, aftermath
from engine.geometry.squares import parse_square
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


def test_a_fall_says_how_far() -> None:
    table = fight("cwn", "a..b", a="flyer", b="gunman", altitudes={"a": 10})
    unit = table.unit("a")
    found = aftermath(table.battle, (UnitFell("a", 1000),), table.rules)
    assert found.marks == (Mark("a", unit.at, 1, FELL, 1000),)
