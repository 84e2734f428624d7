"""A map is read whole or refused with every problem at its line and column."""

import pytest

from engine.battle.state.units import ROLES
from engine.errors import Unreadable
from engine.geometry.battlefield import NOTHING, SKY, Lamp
from engine.geometry.squares import Direction, Edge, Square
from maps import BattleMap, parse_map, write_map

HEAD = """\
format = 1
name = "Dock shed, night"
[scale]
square = 5
unit = "feet"
"""
SMALL = f"""\
{HEAD}[map]
squares = '''
######
#.o.,#
#...~+
######
'''
"""
UNIT = """\
[[unit]]
id = "todd"
role = "gunman"
side = "law"
at = "C3"
"""


def read(text: str) -> BattleMap:
    return parse_map(text, "dock.toml")


def problems(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(Unreadable) as caught:
        read(text)
    return [(problem.line, problem.column, problem.message) for problem in caught.value.problems]


def the_problem(text: str) -> tuple[int, int, str]:
    (problem,) = problems(text)
    return problem


def drawn_map(*rows: str, then: str = "") -> str:
    return HEAD + "[map]\nsquares = '''\n" + "".join(row + "\n" for row in rows) + "'''\n" + then


def test_minimal_map_has_the_roguelike_habits() -> None:
    field = read(SMALL).battlefield
    assert (field.name, field.columns, field.rows, field.unit, field.square_size) == (
        "Dock shed, night",
        6,
        4,
        "feet",
        500,
    )
    assert field.ground_at(Square(0, 0)).name == "wall"
    assert field.ground_at(Square(0, 0)).height == SKY
    assert field.ground_at(Square(2, 1)).name == "crate"
    assert field.ground_at(Square(2, 1)).height == 400
    assert field.ground_at(Square(4, 1)).move_cost == 2
    assert field.ground_at(Square(4, 2)).name == "shallow water"
    assert set(field.light) == {2}
    assert not any(field.smoke)
    assert not any(field.elevation)


def test_metric_map_has_metric_furniture() -> None:
    field = read(SMALL.replace("5", "1.5", 1).replace("feet", "m")).battlefield
    assert (field.unit, field.square_size) == ("metres", 150)
    assert field.ground_at(Square(2, 1)).height == 120


def test_short_rows_end_outside_and_trailing_spaces_do_not_count() -> None:
    field = read(drawn_map("####", "#.  ", " #", "", "")).battlefield
    assert (field.columns, field.rows) == (4, 3)
    assert field.ground_at(Square(2, 1)) == NOTHING
    assert field.ground_at(Square(0, 2)) == NOTHING


def test_size_may_be_stated() -> None:
    text = drawn_map(" ##", "###").replace("[map]", "[map]\ncolumns = 4\nrows = 3\nindoors = true")
    field = read(text).battlefield
    assert (field.columns, field.rows, field.is_indoors) == (4, 3, True)
    assert the_problem(text.replace("rows = 3", "rows = 1"))[2] == "there are 2 rows; [map] rows = 1"


# Doors and windows as squares.


def test_door_square_hangs_between_the_walls_beside_it() -> None:
    field = read(drawn_map("#####", "#...#", "##+##", "#,,,#", "#####")).battlefield
    assert set(field.barriers) == {Edge(2, 2, "N")}
    door = field.barriers[Edge(2, 2, "N")]
    assert (door.kind, door.state, door.can_open) == ("door", "closed", True)
    assert field.ground_at(Square(2, 2)).name == "floor"


def test_open_door_square_lets_through() -> None:
    field = read(drawn_map("###", ".'.", "###")).battlefield
    assert {edge: barrier.is_open for edge, barrier in field.barriers.items()} == {Edge(1, 1, "W"): True}


def test_double_doors_and_doors_at_the_end_of_the_map() -> None:
    assert set(read(drawn_map("....", "#++#")).battlefield.barriers) == {Edge(1, 1, "N"), Edge(2, 1, "N")}


def test_window_square_has_sill_and_lintel() -> None:
    text = drawn_map("...", "#W#", "___", then='[legend]\n"W" = "window"\n"_" = "planks"\n')
    field = read(text).battlefield
    (barrier,) = field.barriers.values()
    assert (barrier.kind, barrier.sill, barrier.lintel) == ("window", 300, 650)


def test_door_stands_on_its_neighbours_floor() -> None:
    field = read(drawn_map("###", ",+.", "###")).battlefield
    assert field.ground_at(Square(1, 1)).name == "rubble"


def test_door_that_leads_neither_way_is_refused() -> None:
    assert the_problem(drawn_map("....", ".+..", "....")) == (
        9,
        2,
        "the door is not in a wall; expected a wall on two opposite sides of it",
    )


# Legend.


def legend(entry: str) -> str:
    return drawn_map("..X.", then=f"[legend]\n{entry}\n")


@pytest.mark.parametrize(
    ("entry", "name", "height", "cover"),
    [
        ('X = "tree"', "tree", 2000, "medium"),
        ('X = "low-wall"', "low wall", 300, "heavy"),
        ('X = { object = "crate", height = 1.25, cover = "heavy" }', "crate", 125, "heavy"),
        ('X = { object = "anvil", height = 2 }', "anvil", 200, "medium"),
        ('X = { terrain = "lava", move_cost = 3 }', "lava", 0, ""),
        ('X = { terrain = "wall", height = 8 }', "wall", 800, "heavy"),
        ('X = { object = "mast", height = "sky", cover = "none" }', "mast", SKY, ""),
    ],
)
def test_legend_entry(entry: str, name: str, height: int, cover: str) -> None:
    ground = read(legend(entry)).battlefield.ground_at(Square(2, 0))
    assert (ground.name, ground.height, ground.cover, ground.glyph) == (name, height, cover, "X")


def test_legend_answers_the_four_questions() -> None:
    flags = "blocks_sight = false, stops_shots = true, blocks_movement = false, contains_blast = true, move_cost = 4"
    ground = read(legend(f'X = {{ object = "crate", {flags} }}')).battlefield.ground_at(Square(2, 0))
    assert not ground.blocks_sight and ground.stops_shots and not ground.blocks_movement and ground.contains_blast
    assert ground.move_cost == 4


@pytest.mark.parametrize(
    ("entry", "column", "part"),
    [
        ('X = "cratte"', 5, "'cratte' is not a kind of square; did you mean 'crate'?"),
        ('X = { object = "cratte" }', 16, "did you mean 'crate'?"),
        ('X = { object = "zzz" }', 16, "a custom one needs height"),
        ('X = { terrain = "flor" }', 17, "did you mean 'floor'?"),
        ('X = { objekt = "crate" }', 7, "[legend] X has no key 'objekt'; did you mean 'object'?"),
        ('X = { object = "crate", height = 1.234 }', 34, "too many decimals"),
        ('X = { object = "crate", height = -1 }', 34, "expected 0 to 10000"),
        ('X = { object = "crate", height = "high" }', 34, "expected a number of feet or metres, or “sky”"),
        ('X = { object = "crate", cover = "hevy" }', 33, "did you mean 'heavy'?"),
        ('X = { object = "crate", blocks_sight = 1 }', 40, "expected true or false"),
        ("X = 3", 5, "expected a table"),
        ('"XY" = "crate"\nX = "crate"', 8, "more than one character"),
        ('"\\\\" = "crate"\nX = "crate"', 8, "a backslash"),
        ("'\"' = 'crate'\nX = 'crate'", 7, "a quotation mark"),
        ('"é́" = "crate"\nX = "crate"', 8, "more than one character"),
        ('"忍" = "crate"\nX = "crate"', 7, "two columns wide"),
        ('" " = "crate"\nX = "crate"', 7, "outside the map"),
    ],
)
def test_bad_legend_entry(entry: str, column: int, part: str) -> None:
    found = the_problem(legend(entry))
    assert found[:2] == (11, column)
    assert part in found[2]


# Drawing.


def test_unknown_glyph_is_shown_once_with_a_near_miss() -> None:
    found = the_problem(drawn_map("....", ".t.t", "T..."))
    assert found == (9, 2, "'t' is not in the legend (2 times); did you mean 'T'?")
    assert "expected one of # ." in the_problem(drawn_map("..Q."))[2]


def test_ragged_row_gives_both_lengths() -> None:
    assert the_problem(drawn_map("####", "#..##", "####")) == (9, 5, "row 2 has 5 squares; the first row has 4")


@pytest.mark.parametrize(
    ("row", "column", "part"),
    [
        (".\t..", 2, "a tab"),
        ("..忍", 3, "a character two columns wide"),
        ("..\u0301.", 3, "a combining mark"),
        (".\u202e..", 2, "U+202E"),
        (".\\..", 2, "a backslash"),
        ('."..', 2, "a quotation mark"),
    ],
)
def test_character_that_cannot_be_a_glyph(row: str, column: int, part: str) -> None:
    found = the_problem(drawn_map("....", row))
    assert found[:2] == (9, column)
    assert part in found[2]


def test_map_is_drawn_exactly_once() -> None:
    assert (
        "drawn only once"
        in the_problem(SMALL.replace("squares =", "drawn = '''\n+---+\n| . |\n+---+\n'''\nsquares ="))[2]
    )
    assert problems(HEAD)[0][2] == "the map has no drawing; expected squares or drawn in [map]"
    assert the_problem(drawn_map())[2] == "the map is empty; expected rows of squares"


def test_limits() -> None:
    assert read(drawn_map(*["." * 500] * 500)).battlefield.columns == 500
    assert "501 × 1 squares; at most 500 × 500" in the_problem(drawn_map("." * 501))[2]
    assert "1 × 501 squares; at most 500 × 500" in the_problem(drawn_map(*["."] * 501))[2]
    crowd = "".join(f'[[unit]]\nid = "u-{n}"\nrole = "gunman"\nside = "a"\nat = "A{n + 1}"\n' for n in range(500))
    assert len(read(drawn_map(*[".."] * 500, then=crowd)).placements) == 500
    more = crowd + UNIT.replace("C3", "B1")
    assert "501 units; at most 500" in the_problem(drawn_map(*[".."] * 500, then=more))[2]


# Layers.


def test_elevation_counts_steps_with_digits_and_letters() -> None:
    text = SMALL + "[elevation]\nrows = '''\n..19a\nz\n'''\n"
    field = read(text).battlefield
    assert [field.elevation_at(Square(column, 0)) for column in range(6)] == [0, 0, 500, 4500, 5000, 0]
    assert field.elevation_at(Square(0, 1)) == 17500
    assert read(text.replace("[map]", "step = 2.5\n[map]")).battlefield.elevation_at(Square(2, 0)) == 250


def test_elevation_legend_states_heights_below_ground() -> None:
    text = SMALL + "[elevation]\nrows = '''\n.g1\n'''\n[elevation.legend]\ng = -4.5\n"
    assert read(text).battlefield.elevation[:3] == (0, -450, 500)
    assert "cannot stand for a height" in the_problem(text.replace("g = -4.5", "g = 1\n'.' = 2"))[2]


def test_smoke_and_light() -> None:
    field = read(
        SMALL + "[smoke]\nrows = '''\n.12\n'''\n[light]\nambient = \"dim\"\nrows = '''\n.02\n'''\n"
    ).battlefield
    assert field.smoke[:4] == (0, 1, 2, 0)
    assert field.light[:4] == (1, 0, 2, 1)


@pytest.mark.parametrize(
    ("layer", "place", "part"),
    [
        ("[elevation]\nrows = '''\n......\n.Q\n'''", (16, 2), "elevation row 2, column 2: 'Q' is not known"),
        ("[smoke]\nrows = '''\n.3\n'''", (15, 2), "expected 0 for clear"),
        ("[light]\nrows = '''\n3\n'''", (15, 1), "expected 0 for dark"),
        ("[light]\nambient = 'dimm'", (14, 11), "did you mean 'dim'?"),
        ("[smoke]\nrows = '''\n.......1\n'''", (15, 7), "smoke row 1 has 8 squares; the map has 6"),
        ("[smoke]\nrows = '''\n\n\n\n\n1\n'''", (19, 1), "smoke has 5 rows; the map has 4"),
        ("[smoke]\nrow = '''\n1\n'''", (14, 1), "did you mean 'rows'?"),
    ],
)
def test_bad_layer(layer: str, place: tuple[int, int], part: str) -> None:
    found = the_problem(SMALL + layer)
    assert found[:2] == place
    assert part in found[2]


# Edges.


def test_edge_puts_one_kind_on_several_squares() -> None:
    edge = '[[edge]]\nat = ["B2", "b3"]\nside = "e"\nkind = "railing"\nheight = 2\nname = "chain"\n'
    barriers = read(SMALL + edge).battlefield.barriers
    assert {(barriers[Edge(2, row, "W")].kind, barriers[Edge(2, row, "W")].top) for row in (1, 2)} == {("chain", 200)}


def test_edge_without_kind_changes_what_is_drawn() -> None:
    edge = '[[edge]]\nat = "F3"\nside = "W"\nstate = "locked"\n'
    assert [barrier.state for barrier in read(SMALL + edge).battlefield.barriers.values()] == ["locked"]


def test_bad_square_of_a_list_is_pointed_at() -> None:
    edge = '[[edge]]\nat = ["B2", "Q9",\n  "B"]\nside = "E"\nkind = "wall"\n'
    assert [problem[:2] for problem in problems(SMALL + edge)] == [(14, 13), (15, 3)]


DOOR = '[[edge]]\nat = ["C2", "C3"]\nside = "W"\nkind = "door"\ndoor = "hall"\n'


def test_edges_with_the_same_door_are_one_door() -> None:
    field = read(SMALL + DOOR).battlefield
    hall = (Edge(2, 1, "W"), Edge(2, 2, "W"))
    assert field.one_door(hall[0]) == hall
    opened = field.with_state(hall[1], "open")
    assert [opened.barriers[edge].is_open for edge in hall] == [True, True]
    assert parse_map(write_map(read(SMALL + DOOR)), "again.toml") == read(SMALL + DOOR)


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        ('[[edge]]\nat = "C2"\nside = "W"\nstate = "open"\n', "the door 'hall' has edges that are closed and open"),
        ('[[edge]]\nat = "E3"\nside = "E"\nkind = "wall"\ndoor = "hall"\n', "a part of the door 'hall' does not open"),
    ],
)
def test_parts_of_a_door_must_open_together(lines: str, part: str) -> None:
    line, _, message = the_problem(SMALL + DOOR + lines)
    assert line > SMALL.count("\n")
    assert part in message


def test_edge_may_be_taken_away() -> None:
    edge = '[[edge]]\nat = "F3"\nside = "W"\nkind = "none"\n'
    assert not read(SMALL + edge).battlefield.barriers


@pytest.mark.parametrize(
    ("lines", "place", "part"),
    [
        ('at = "B2"\nside = "N"\nstate = "open"', (14, 6), "there is nothing to change at B2 N"),
        ('at = "Z9"\nside = "N"\nkind = "door"', (14, 6), "Z9 is off the map; expected a square from A1 to F4"),
        ('at = "9Z"\nside = "N"\nkind = "door"', (14, 6), "is not a square"),
        ('at = "B2"\nside = "NE"\nkind = "door"', (15, 8), "'NE' is not a side"),
        ('at = "B2"\nside = "N"\nkind = "dor"', (16, 8), "did you mean 'door'?"),
        ('at = "B2"\nside = "N"\nkind = "wall"\nstate = "open"', (17, 9), "a wall cannot have a state"),
        ('at = "B2"\nside = "N"\nkind = "door"\nstate = "opn"', (17, 9), "did you mean 'open'?"),
        ('at = "B2"\nside = "N"\nkind = "window"\nsill = 7', (13, 3), "heights are out of order"),
        ('at = "B2"\nside = "N"\nkind = "door"\nheigth = 7', (17, 1), "did you mean 'height'?"),
        ('at = "B2"\nkind = "door"', (13, 3), "has no 'side'"),
    ],
)
def test_bad_edge(lines: str, place: tuple[int, int], part: str) -> None:
    found = the_problem(SMALL + "[[edge]]\n" + lines)
    assert found[:2] == place
    assert part in found[2]


def test_what_works_one_way_says_which() -> None:
    edge = '[[edge]]\nat = "B2"\nside = "E"\nkind = "mirror"\nseen_through = "w"\n'
    mirror = read(SMALL + edge).battlefield.barriers[Edge(2, 1, "W")]
    assert (mirror.kind, mirror.seen_through, mirror.walked_through) == ("mirror", Direction.W, None)
    assert (mirror.blocks_sight, mirror.stops_shots, mirror.blocks_movement) == (True, False, True)
    edge = '[[edge]]\nat = "F3"\nside = "W"\nwalked_through = "E"\n'
    door = read(SMALL + edge).battlefield.barriers[Edge(5, 2, "W")]
    assert (door.kind, door.state, door.walked_through) == ("door", "closed", Direction.E)


ONE_WAY_CANVAS = f"""\
{HEAD}[map]
drawn = '''
+---+---+
| . m . |
+   +-m-+
| . | . |
+---+---+
'''
[edges]
m = {{ kind = "turnstile", walked_through = "E" }}
"""


def test_what_works_one_way_may_be_drawn_where_it_leads_across() -> None:
    fault = the_problem(ONE_WAY_CANVAS)
    assert fault == (10, 7, "walked_through = 'E' runs along the edge B2 N; expected N or S")
    barriers = read(ONE_WAY_CANVAS.replace("+-m-+", "+---+")).battlefield.barriers
    assert barriers[Edge(1, 0, "W")].walked_through is Direction.E


@pytest.mark.parametrize(
    ("lines", "place", "part"),
    [
        ('kind = "mirror"', (13, 3), "a mirror works in one direction; expected seen_through = one of N, E, S, W"),
        ('kind = "turnstile"', (13, 3), "a turnstile works in one direction; expected walked_through"),
        (
            'kind = "mirror"\nseen_through = "NE"',
            (17, 16),
            "'NE' is not a direction across an edge; expected one of N, E, S, W",
        ),
        ('kind = "mirror"\nseen_through = "E"', (17, 16), "'E' runs along the edge B2 N; expected N or S"),
        ('kind = "door"\nwalked_through = "W"', (17, 18), "'W' runs along the edge B2 N; expected N or S"),
        ('kind = "mirror"\nseen_through = 3', (17, 16), "seen_through is 3; expected text"),
        ('kind = "mirror"\nseen_throuhg = "N"', None, "did you mean 'seen_through'?"),
    ],
)
def test_bad_way(lines: str, place: tuple[int, int] | None, part: str) -> None:
    found = problems(SMALL + '[[edge]]\nat = "B2"\nside = "N"\n' + lines)
    assert place is None or found[0][:2] == place
    assert any(part in problem[2] for problem in found)


# Lamps.


def test_lamps_hang_where_they_are_said_to() -> None:
    lamps = '[[lamp]]\nat = ["B2", "e3"]\nbright = 2\ndim = 4\nheight = 7.5\n[[lamp]]\nat = "C3"\nbright = 1\n'
    assert read(SMALL + lamps).battlefield.lamps == (
        Lamp(Square(1, 1), 2, 4, 750),
        Lamp(Square(4, 2), 2, 4, 750),
        Lamp(Square(2, 2), 1, 1, 0),
    )


@pytest.mark.parametrize(
    ("lines", "place", "part"),
    [
        ("bright = 2", (13, 3), "has no 'at'"),
        ('at = "Z9"\nbright = 2', (14, 6), "Z9 is off the map; expected a square from A1 to F4"),
        ('at = ["B2", "9"]\nbright = 2', (14, 13), "is not a square"),
        ('at = "A1"\nbright = 2', (14, 6), "a lamp cannot stand inside wall at A1"),
        ('at = "B2"', (13, 3), "the lamp gives no light"),
        ('at = "B2"\nbright = 3\ndim = 2', (16, 7), "dim is 2, less than bright (3)"),
        ('at = "B2"\nbright = -1', (15, 10), "bright is -1; expected 0 to 100"),
        ('at = "B2"\nbright = 101', (15, 10), "bright is 101; expected 0 to 100"),
        ('at = "B2"\nbright = 1.5', (15, 10), "expected a whole number"),
        ('at = "B2"\nbright = 1\nheigth = 2', (16, 1), "did you mean 'height'?"),
        ('at = "B2"\nbright = 1\nheight = -2', (16, 10), "height is -2; expected 0 to"),
    ],
)
def test_bad_lamp(lines: str, place: tuple[int, int], part: str) -> None:
    found = the_problem(SMALL + "[[lamp]]\n" + lines)
    assert found[:2] == place
    assert part in found[2]


def test_too_many_lamps_are_refused() -> None:
    squares = ", ".join(['"B2"'] * 501)
    assert "501 lamps; at most 500 fit" in the_problem(f"{SMALL}[[lamp]]\nat = [{squares}]\nbright = 1")[2]


# Units.


def test_unit_has_sensible_defaults() -> None:
    (unit,) = read(SMALL + UNIT.replace("todd", "old-todd")).placements
    assert (unit.id, unit.name, unit.role, unit.side) == ("old-todd", "Old todd", "gunman", "law")
    assert (unit.at, unit.posture, unit.size, unit.altitude) == (Square(2, 2), "standing", 1, 0)
    assert unit.facing is Direction.E
    assert not unit.is_neutral


def test_unit_may_say_everything() -> None:
    more = 'name = "Todd 「T」"\nfacing = "sw"\nposture = "prone"\naltitude = 7.5\nneutral = true\n'
    (unit,) = read(SMALL + UNIT + more).placements
    assert unit.is_neutral
    assert (unit.name, unit.facing, unit.posture, unit.altitude) == ("Todd 「T」", Direction.SW, "prone", 750)


def test_flyer_may_be_over_what_nobody_stands_on() -> None:
    assert read(SMALL + UNIT.replace("C3", "C2") + "altitude = 4\n").placements[0].at == Square(2, 1)


@pytest.mark.parametrize("role", ROLES)
def test_every_role_is_known(role: str) -> None:
    assert read(SMALL + UNIT.replace("gunman", role)).placements[0].role == role


@pytest.mark.parametrize(
    ("old", "new", "place", "part"),
    [
        ('"gunman"', '"gunmen"', (15, 8), "no role is called 'gunmen'; did you mean 'gunman'?"),
        ('"gunman"', '"wizard"', (15, 8), "known: gunman, rifleman, marksman"),
        ('"C3"', '"G3"', (17, 6), "'todd' is off the map at G3; expected a square from A1 to F4"),
        ('"C3"', '"C2"', (17, 6), "a unit cannot stand on C2 (crate)"),
        ('"C3"', '"A1"', (17, 6), "a unit cannot stand on A1 (wall)"),
        ('"C3"', '"C2"\naltitude = 3.9', (17, 6), "a unit cannot stand on C2"),
        ('"C3"', '"D3"\nsize = 2', (17, 6), "a unit cannot stand on D4 (wall)"),
        ('"C3"', '"3C"', (17, 6), "is not a square"),
        ('"C3"', '""', (17, 6), "at is empty; expected text"),
        ('"gunman"', '""', (15, 8), "role is empty"),
        ('"C3"', '"C3"\nfacing = "up"', (18, 10), "'up' is not a direction"),
        ('"C3"', '"C3"\nposture = "flat"', (18, 11), "is not known"),
        ('"C3"', '"C3"\nsize = 5', (18, 8), "expected 1 to 4"),
        ('"C3"', '"C3"\naltitud = 5', (18, 1), "did you mean 'altitude'?"),
        ('"C3"', '"C3"\nsheet = "Star Ship"', (18, 9), "is not a valid sheet name"),
        ('"C3"', '"C3"\nneutral = "yes"', (18, 11), "expected true or false"),
        ('id = "todd"', 'id = "to dd"', (14, 6), "is not a valid id"),
        ('id = "todd"', 'id = "b2"', (14, 6), "is also the name of a square"),
        ('id = "todd"\n', "", (13, 3), "[[unit]] has no 'id'"),
    ],
)
def test_bad_unit(old: str, new: str, place: tuple[int, int], part: str) -> None:
    assert old in UNIT
    found = the_problem(SMALL + UNIT.replace(old, new))
    assert found[:2] == place
    assert part in found[2]


def test_two_units_share_neither_id_nor_square() -> None:
    found = problems(SMALL + UNIT + UNIT)
    assert [problem[:2] for problem in found] == [(19, 6), (22, 6)]
    assert "the id 'todd' is already used" in found[0][2]
    assert "'todd' already stands on C3" in found[1][2]


# The whole file.


@pytest.mark.parametrize(
    ("old", "new", "place", "part"),
    [
        ("format = 1", "format = 2", (1, 10), "this battleboard reads format 1"),
        ("format = 1\n", "", (1, 1), "the file has no 'format'"),
        ('name = "Dock shed, night"\n', "nmae = 'x'\n", (1, 1), "the file has no 'name'"),
        ('"feet"', '"yards"', (5, 8), "expected feet or metres"),
        ("square = 5", "square = 0", (4, 10), "square is 0; expected 0.01 to 1000"),
        ("square = 5", "square = inf", (4, 10), "expected a number"),
        ("square = 5", "sqare = 5", (3, 2), "[scale] has no 'square'"),
    ],
)
def test_bad_head(old: str, new: str, place: tuple[int, int], part: str) -> None:
    found = problems(SMALL.replace(old, new))[0]
    assert found[:2] == place
    assert part in found[2]


def test_several_problems_come_at_once_in_order_with_carets() -> None:
    text = (
        SMALL.replace("#.o.,#", "#.Q.,##").replace('"feet"', '"yard"') + UNIT.replace("gunman", "gunnman") + "[extra]\n"
    )
    with pytest.raises(Unreadable) as caught:
        read(text)
    assert str(caught.value).splitlines() == [
        "dock.toml:5:8: unit = 'yard' is not known; expected feet or metres",
        '    unit = "yard"',
        "           ^",
        "dock.toml:9:3: 'Q' is not in the legend; expected one of # . , ~ T % o = & O < > + ' or an entry in [legend]",
        "    #.Q.,##",
        "      ^",
        "dock.toml:9:7: row 2 has 7 squares; the first row has 6",
        "    #.Q.,##",
        "          ^",
        "dock.toml:15:8: no role is called 'gunnman'; did you mean 'gunman'?",
        '    role = "gunnman"',
        "           ^",
        "dock.toml:18:2: the file has no key 'extra'; "
        "known keys: description, edge, edges, elevation, format, lamp, legend, light, map, name, scale, smoke, unit, "
        "zone",
        "    [extra]",
        "     ^",
    ]


def test_names_are_made_plain() -> None:
    text = SMALL.replace("Dock shed, night", "Dock \\u001b[31mshed\\u202e") + UNIT + 'name = "[@click=x]\\u0007Orc"\n'
    battle_map = read(text)
    assert battle_map.battlefield.name == "Dock [31mshed"
    assert battle_map.placements[0].name == "[@click=x]Orc"


def test_the_side_of_a_square_is_a_number() -> None:
    found = the_problem(drawn_map("..").replace("square = 5", 'square = "big"'))
    assert found[2] == "square = 'big' is not a length; expected a number of feet or metres"
