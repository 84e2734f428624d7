"""The drawn style: thin walls on a canvas of four columns and two rows a square, and no mark in a dead place."""

import pytest

from engine.errors import Unreadable
from engine.geometry.battlefield import SKY, Battlefield
from engine.geometry.squares import Edge, Square
from maps import parse_map

HEAD = """\
format = 1
name = "Dock shed"
[scale]
square = 5
unit = "feet"
[map]
drawn = '''
"""
ROWS = """\
+---+---+-D-+---+
| .   o | .   . :
+---+-w-+       +
| .   .   ~   ,
+-b-+---+---+-c-+
"""


def battlefield(rows: str, then: str = "") -> Battlefield:
    return parse_map(HEAD + rows + "'''\n" + then, "dock.toml").battlefield


def the_problem(rows: str, then: str = "") -> tuple[int, int, str]:
    with pytest.raises(Unreadable) as caught:
        battlefield(rows, then)
    (problem,) = caught.value.problems
    return problem.line, problem.column, problem.message


def test_squares_stand_between_the_walls() -> None:
    field = battlefield(ROWS)
    assert (field.columns, field.rows) == (4, 2)
    assert [field.ground_at(Square(column, 0)).name for column in range(4)] == ["floor", "crate", "floor", "floor"]
    assert [field.ground_at(Square(column, 1)).name for column in range(4)] == [
        "floor",
        "floor",
        "shallow water",
        "rubble",
    ]


def test_every_stroke_is_a_barrier_on_its_edge() -> None:
    barriers = battlefield(ROWS).barriers
    assert {(edge.name, barrier.kind) for edge, barrier in barriers.items()} == {
        ("A1 N", "wall"),
        ("B1 N", "wall"),
        ("C1 N", "door"),
        ("D1 N", "wall"),
        ("A1 W", "wall"),
        ("C1 W", "wall"),
        ("E1 W", "railing"),
        ("A2 N", "wall"),
        ("B2 N", "window"),
        ("A2 W", "wall"),
        ("A3 N", "bars"),
        ("B3 N", "wall"),
        ("C3 N", "wall"),
        ("D3 N", "curtain"),
    }
    assert barriers[Edge(2, 0, "N")].state == "closed"
    assert (barriers[Edge(1, 1, "N")].sill, barriers[Edge(1, 1, "N")].lintel) == (300, 650)
    assert barriers[Edge(0, 0, "W")].top == SKY


def test_edge_glyphs_can_be_given_meanings() -> None:
    then = '[edges]\n":" = { kind = "fence", height = 4.5, cover = "none" }\nD = "locked door"\n'
    barriers = battlefield(ROWS, then).barriers
    fence, door = barriers[Edge(4, 0, "W")], barriers[Edge(2, 0, "N")]
    assert (fence.kind, fence.top, fence.cover) == ("fence", 450, "")
    assert (door.kind, door.state) == ("door", "locked")


def test_edge_table_changes_a_drawn_door() -> None:
    field = battlefield(ROWS, '[[edge]]\nat = "C1"\nside = "N"\nstate = "broken"\n')
    assert field.barriers[Edge(2, 0, "N")].is_open


def test_door_may_be_a_square_of_a_canvas() -> None:
    field = battlefield("+---+---+---+\n  .   +   .\n+---+---+---+\n")
    assert field.barriers[Edge(1, 0, "W")].kind == "door"


def test_layers_go_by_squares_and_not_by_the_canvas() -> None:
    field = battlefield(ROWS, "[elevation]\nrows = '''\n..1\n...2\n'''\n")
    assert field.elevation == (0, 0, 500, 0, 0, 0, 0, 1000)


@pytest.mark.parametrize(
    ("row", "old", "new", "column", "part"),
    [
        (0, "+---+---+", "+---D---+", 5, "a corner takes only + - | or a space"),
        (0, "+---+", "+D--+", 2, "stands in the middle between two corners"),
        (0, "+---+", "+-|-+", 3, "is drawn as ---"),
        (0, "+---+", "+- -+", 3, "half an edge"),
        (1, "| .  ", "- .  ", 1, "is drawn as |"),
        (1, "| .  ", "|.   ", 2, "a square's glyph stands in the middle between two edges"),
        (1, "| .  ", "| . -", 5, "is drawn as |"),
        (2, "+---+-w-+", "+---+-W-+", 7, "'W' is not in the edges; did you mean 'w'?"),
        (1, "| .   o |", "| .   Q |", 7, "'Q' is not in the legend"),
        (3, "| .   .   ~   ,", "| .   .   ~   ,   .", 18, "row 4 has 19 characters; the first row has 17"),
    ],
)
def test_mark_in_a_wrong_place(row: int, old: str, new: str, column: int, part: str) -> None:
    rows = ROWS.splitlines(keepends=True)
    assert rows[row].startswith(old)
    rows[row] = new + rows[row][len(old) :]
    found = the_problem("".join(rows))
    assert found[:2] == (8 + row, column)
    assert part in found[2]


def test_first_row_must_fit_the_pitch() -> None:
    found = the_problem("+---+---\n| . | .\n+---+---\n")
    assert found[0] == 8
    assert "the first row is 8 characters long" in found[2]


def test_plus_is_no_edge() -> None:
    assert "'+' marks corners" in the_problem(ROWS, '[edges]\n"+" = "door"\n')[2]
