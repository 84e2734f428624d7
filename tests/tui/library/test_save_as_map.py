"""A battle's ground and units saved as a map: what is read again is what was on the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.battle import command as cmd
from engine.battle.commands.roster_commands import AddUnit
from engine.battle.commands.scene_commands import SetCloud
from engine.battle.commands.terrain_commands import (
    SetBarrier,
    SetEdges,
    SetElevation,
    SetGround,
    SetLamp,
    SetLight,
    SetSmoke,
    SetZone,
)
from engine.errors import BattleboardError, Illegal
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Edge, Square
from engine.journal.session import Session
from engine.values import replace
from maps import load_map, palette, parse_map, shipped_maps, write_map
from tests.examples import examples
from tests.tui.play import session_for
from tui.application.commands.runner import do
from tui.application.library.save_as_map import left_out, map_id, map_of, save_map


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "maps"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    found = session_for(tmp_path)
    yield found
    found.close()


def alike(one: Battlefield, other: Battlefield) -> bool:
    """Whether two battlefields are the same but for the glyphs and order of their legends."""

    def plain(field: Battlefield) -> Battlefield:
        return replace(field, legend=(), ground=())

    return plain(one) == plain(other) and all(
        replace(one.ground_at(square), glyph="") == replace(other.ground_at(square), glyph="")
        for square in one.squares()
    )


@pytest.mark.parametrize("name", shipped_maps())
def test_an_untouched_map_is_saved_as_it_is(name: str, tmp_path: Path) -> None:
    session = session_for(tmp_path, name)
    drawn = load_map(shipped_maps()[name])
    saved = load_map(save_map(session, drawn.battlefield.name))
    assert saved.battlefield == drawn.battlefield and saved.description == drawn.description
    assert {placement.id: placement for placement in saved.placements} == {
        placement.id: placement for placement in drawn.placements
    }
    session.close()


@pytest.mark.slow
def test_what_was_drawn_and_added_is_in_the_map_and_smoke_clouds_are_not(session: Session) -> None:
    field = session.battle.field
    here = next(square for square in field.squares() if not session.battle.at(square))
    wishes: tuple[cmd.Command, ...] = (
        SetGround((here,), palette.thing("crate", field.unit, field.ground_at(here))),
        SetElevation((here,), 700),
        SetEdges((Edge(here.column, here.row, "N"),), palette.thin("window", field.unit)),
        SetBarrier(Edge(here.column, here.row, "N"), "broken"),
        SetLight("dim"),
        SetCloud(here, 2),
        AddUnit(
            "rifleman",
            "third",
            here.step(next(iter(session.battle.units.values())).facing),
            "Ambusher",
            2,
            is_hidden=True,
        ),
    )
    for wish in wishes:
        session.submit(wish)
    saved = load_map(save_map(session, "As it was"))
    assert alike(saved.battlefield, replace(session.battle.bare_field, name="As it was"))
    assert not any(saved.battlefield.smoke)
    assert [placement.is_hidden for placement in saved.placements if placement.name.startswith("Ambusher")] == [
        True
    ] * 2


PAINTS = [
    *(palette.terrain(name, "feet") for name in palette.TERRAINS),
    *(palette.thing(name, "feet") for name in palette.THINGS),
]
SQUARES = st.builds(Square, st.integers(0, 11), st.integers(0, 7))
EDGES = st.builds(Edge, st.integers(0, 11), st.integers(0, 7), st.sampled_from("NW"))
STROKES = st.one_of(
    st.builds(SetGround, st.lists(SQUARES, min_size=1, max_size=6).map(tuple), st.sampled_from(PAINTS)),
    st.builds(
        SetElevation,
        st.lists(SQUARES, min_size=1, max_size=6).map(tuple),
        st.integers(-3, 40).map(lambda n: n * 125),
    ),
    st.builds(
        SetEdges,
        st.lists(EDGES, min_size=1, max_size=4).map(tuple),
        st.none() | st.sampled_from([palette.thin(name, "feet") for name in palette.EDGES]),
    ),
    st.builds(SetBarrier, EDGES, st.sampled_from(["open", "broken"])),
    st.builds(SetLight, st.sampled_from(["dark", "dim", "bright"]), st.lists(SQUARES, max_size=4).map(tuple)),
    st.builds(SetSmoke, st.lists(SQUARES, min_size=1, max_size=6).map(tuple), st.integers(0, 2)),
    st.builds(
        SetZone, st.sampled_from(["A", "D"]), st.lists(SQUARES, min_size=1, max_size=6).map(tuple), st.booleans()
    ),
    st.builds(SetLamp, SQUARES, st.integers(0, 2), st.integers(0, 6), st.sampled_from([0, 625])),
)


@pytest.mark.slow
@examples(60)
@given(st.lists(STROKES, max_size=12))
def test_whatever_is_drawn_reads_back_the_same(tmp_path: Path, strokes: list[cmd.Command]) -> None:
    session = session_for(tmp_path, "frontier-trail")
    for stroke in strokes:
        try:
            session.submit(stroke)
        except BattleboardError:
            continue
    made = map_of(session, "Drawn")
    again = parse_map(write_map(made), "drawn.toml")
    assert alike(again.battlefield, made.battlefield) and again.placements == made.placements
    assert parse_map(write_map(again), "drawn.toml") == again
    session.close()


def test_a_map_that_is_there_is_not_lost_unless_the_gm_is_sure(session: Session, folder: Path) -> None:
    path = save_map(session, "Docks")
    assert path == folder / "docks.toml"
    before = path.read_text()
    session.submit(SetLight("dark"))
    with pytest.raises(FileExistsError):
        save_map(session, "docks")
    assert path.read_text() == before
    save_map(session, "docks", is_sure=True)
    assert path.read_text() != before
    assert [entry.name for entry in folder.iterdir()] == ["docks.toml"]


def test_names_that_are_none_and_folders_that_take_nothing_are_refused(session: Session, folder: Path) -> None:
    with pytest.raises(Illegal):
        save_map(session, "../…")
    assert map_id("../../etc/passwd") == "etc-passwd"
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way")
    with pytest.raises(BattleboardError, match="cannot be written"):
        save_map(session, "docks")


def test_what_a_map_does_not_hold_of_the_units_is_named(session: Session) -> None:
    assert not list(left_out(session))
    first, second, *_ = session.battle.units.values()
    pool = next(iter(first.pools))
    do(session, f"set {first.id} {pool} 1")
    weapon = next(one for one in session.rules.gear.weapons if one not in second.gear.weapons)
    do(session, f"give {second.id} {weapon}")
    assert list(left_out(session)) == [f"wounds and wear ({first.name})", f"gear given or taken ({second.name})"]
