"""What is written reads back the same: shipped maps, and any battlefield at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.battle.state.units import ROLES, Placement
from engine.geometry.battlefield import NOTHING, SKY, Barrier, Battlefield, Ground, Lamp
from engine.geometry.squares import Direction, Edge, Square
from engine.text import clean
from engine.values import replace
from maps import BattleMap, kinds, load_map, parse_map, shipped_maps, write_map
from tests.examples import examples

NAMES = st.text(max_size=12).map(lambda text: clean(text, 20)).filter(bool)
HEIGHTS = st.sampled_from([50, 90, 120, 300, 333, SKY]) | st.integers(1, 2000)
COVERS = st.sampled_from(["", "light", "medium", "heavy"])
FLAGS = st.booleans()
GROUNDS = st.builds(
    Ground,
    terrain=st.sampled_from(["floor", "rubble", "wall"]) | NAMES,
    object=st.sampled_from(["", "crate", "hedge"]) | NAMES,
    height=HEIGHTS,
    blocks_sight=FLAGS,
    stops_shots=FLAGS,
    blocks_movement=FLAGS,
    contains_blast=FLAGS,
    cover=COVERS,
    move_cost=st.integers(1, 9),
    glyph=st.sampled_from(list(".#oX+ '\"\\忍")),
)
KNOWN_GROUNDS = st.builds(
    kinds.ground, st.sampled_from(list(kinds.TERRAINS)), st.just(""), st.just("feet"), st.just(".")
)
BARRIERS = st.builds(
    Barrier,
    kind=st.sampled_from(list(kinds.EDGES)) | NAMES,
    state=st.sampled_from(["", "open", "closed", "locked", "broken"]),
    bottom=st.sampled_from([0, 10]),
    top=st.sampled_from([250, 3000, SKY]),
    sill=st.sampled_from([None, 20, 90]),
    lintel=st.sampled_from([None, 150, 200]),
    blocks_sight=FLAGS,
    stops_shots=FLAGS,
    blocks_movement=FLAGS,
    contains_blast=FLAGS,
    cover=COVERS,
)


@st.composite
def battlefields(draw: st.DrawFn) -> Battlefield:
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    legend = tuple(draw(st.lists(GROUNDS | KNOWN_GROUNDS | st.just(NOTHING), min_size=1, max_size=4)))
    count = columns * rows

    def layer(values: st.SearchStrategy[int]) -> tuple[int, ...]:
        return tuple(draw(st.lists(values, min_size=count, max_size=count)))

    ground = layer(st.integers(0, len(legend) - 1))
    edges = st.builds(Edge, st.integers(0, columns - 1), st.integers(0, rows - 1), st.sampled_from("NW"))
    edges |= st.builds(Edge, st.just(columns), st.integers(0, rows - 1), st.just("W"))
    edges |= st.builds(Edge, st.integers(0, columns - 1), st.just(rows), st.just("N"))
    barriers = draw(st.dictionaries(edges, BARRIERS, max_size=4))
    for edge, barrier in barriers.items():
        ways = st.sampled_from(
            [None, *((Direction.N, Direction.S) if edge.side == "N" else (Direction.E, Direction.W))]
        )
        barriers[edge] = replace(barrier, seen_through=draw(ways), walked_through=draw(ways))
    open_squares = [
        Square(number % columns, number // columns)
        for number, index in enumerate(ground)
        if not (legend[index].blocks_sight and legend[index].height == SKY)
    ]
    lamps = st.builds(
        lambda at, bright, more, height: Lamp(at, bright, bright + more, height),
        st.sampled_from(open_squares or [Square(0, 0)]),
        st.integers(0, 3),
        st.integers(0, 50),
        st.sampled_from([0, 0, 150, 333, SKY]),
    )
    return Battlefield(
        name=draw(NAMES),
        columns=columns,
        rows=rows,
        unit=draw(st.sampled_from(["feet", "metres"])),
        square_size=draw(st.sampled_from([500, 150, 133])),
        legend=legend,
        ground=ground,
        elevation=layer(st.sampled_from([0, 150, 500, 501, -250, 900_000])),
        smoke=layer(st.integers(0, 2)),
        light=layer(st.integers(0, 2)),
        barriers=barriers,
        is_indoors=draw(FLAGS),
        lamps=tuple(draw(st.lists(lamps, max_size=3))) if open_squares else (),
    )


def without_glyph(ground: Ground) -> Ground:
    return replace(ground, glyph="")


def reread(battle_map: BattleMap) -> BattleMap:
    return parse_map(write_map(battle_map), "written.toml")


@pytest.mark.long
@examples(150)
@given(battlefields())
def test_any_battlefield_reads_back_the_same(field: Battlefield) -> None:
    again = reread(BattleMap(field, (), "What it is about.")).battlefield
    assert reread(BattleMap(again)).battlefield == again
    assert again.barriers == field.barriers
    assert [without_glyph(again.ground_at(square)) for square in again.squares()] == [
        without_glyph(field.ground_at(square)) for square in field.squares()
    ]
    layers = ("name", "columns", "rows", "unit", "square_size", "elevation", "smoke", "light", "is_indoors", "lamps")
    assert [getattr(again, layer) for layer in layers] == [getattr(field, layer) for layer in layers]


@pytest.mark.parametrize("id", shipped_maps())
def test_shipped_map_reads_back_the_same(id: str) -> None:
    battle_map = load_map(shipped_maps()[id])
    written = write_map(battle_map)
    assert parse_map(written, "written.toml") == battle_map
    assert write_map(parse_map(written, "written.toml")) == written


@given(
    st.builds(
        Placement,
        id=st.sampled_from(["todd", "a-1"]),
        name=NAMES,
        role=st.sampled_from(ROLES),
        side=NAMES,
        at=st.just(Square(1, 1)),
        facing=st.sampled_from(Direction),
        posture=st.sampled_from(["standing", "kneeling", "prone"]),
        size=st.integers(1, 3),
        altitude=st.sampled_from([0, 150, 125]),
        is_neutral=st.booleans(),
        is_hidden=st.booleans(),
        sheet=st.sampled_from(("", "starship")),
    )
)
def test_units_read_back_the_same(unit: Placement) -> None:
    field = parse_map(
        "format = 1\nname = 'x'\n[scale]\nsquare = 5\nunit = 'feet'\n[map]\nsquares = '''\n....\n....\n....\n....\n'''",
        "f",
    ).battlefield
    assert reread(BattleMap(field, (unit,), "d")) == BattleMap(field, (unit,), "d")


def test_rows_stay_aligned_in_what_is_written() -> None:
    written = write_map(load_map(shipped_maps()["warehouse"]))
    rows = written.split('squares = """\n')[1].split('"""')[0].splitlines()
    assert {len(row) for row in rows} == {26}


def test_many_kinds_find_glyphs() -> None:
    legend = tuple(Ground(f"kind {number}", glyph=".") for number in range(200))
    field = Battlefield("x", 20, 10, "feet", 500, legend, tuple(range(200)), tuple(range(200)), (0,) * 200, (2,) * 200)
    again = reread(BattleMap(field)).battlefield
    assert [ground.name for ground in again.legend] == [ground.name for ground in legend]
    assert again.elevation == field.elevation
