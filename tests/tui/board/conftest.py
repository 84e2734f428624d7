"""A small battle by hand: walls thin and thick, doors of all states, smoke, darkness, heights, five units."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from engine.battle.narration.unit_states import StateShown
from engine.battle.views.view import Gauge, UnitView, View
from engine.geometry.battlefield import SKY, Barrier, Battlefield, Ground
from engine.geometry.squares import Direction, Edge, Square, parse_square
from engine.values import replace
from tui.application.overlays.markings import Markings

ROWS = (
    "##########################",
    "#...........~~~...........",
    "#....*......~~~.....,,,...",
    "#..........oo.......,,,...",
    "#..........o..............",
    "#.....................o...",
    "#......o..................",
    "#.............h...........",
    "#.............h.......T...",
    "#..........^^.............",
    "#..........^..............",
    "##########################",
)
SMOKE = {(18, 4): 1, (19, 4): 2, (20, 4): 2, (18, 5): 2, (19, 5): 2, (20, 5): 2, (19, 6): 2, (20, 6): 1}
DARK = {(column, row): 0 for column in range(21, 26) for row in range(1, 8)} | {(20, row): 1 for row in range(1, 8)}
HIGH = {(column, row): 500 for column in range(16, 22) for row in range(8, 11)} | {
    (column, row): 1000 for column in range(18, 21) for row in range(9, 11)
}
LEGEND = {
    ".": Ground("floor"),
    "#": Ground("wall", "", SKY, True, True, True, True, "heavy"),
    "~": Ground("shallow water", move_cost=2),
    ",": Ground("rubble", move_cost=2),
    "o": Ground("floor", "crate", 400, True, True, True, cover="medium"),
    "h": Ground("grass", "hedge", 500, blocks_sight=True),
    "^": Ground("dirt", "boulder", 500, True, True, True, cover="heavy"),
    "T": Ground("grass", "tree", 2000, True, True, True, cover="medium"),
    "*": Ground("floor", "table", 250, True, True, cover="light"),
}
WALL = Barrier("wall", cover="heavy")


def edges() -> Mapping[Edge, Barrier]:
    """A house in the west with doors and windows, and one of every other thin thing."""
    found: dict[Edge, Barrier] = {}
    for column in range(1, 9):
        found[Edge(column, 5, "N")] = found[Edge(column, 8, "N")] = WALL
    for row in range(1, 8):
        found[Edge(9, row, "W")] = WALL
    for row in range(1, 5):
        found[Edge(5, row, "W")] = WALL
    door = Barrier("door", "closed")
    found |= {
        Edge(9, 3, "W"): door,
        Edge(9, 6, "W"): replace(door, state="open"),
        Edge(5, 2, "W"): replace(door, state="locked"),
        Edge(5, 4, "W"): replace(door, state="broken"),
        Edge(3, 5, "N"): replace(door, state="open"),
        Edge(7, 5, "N"): door,
        Edge(3, 8, "N"): Barrier("window", sill=300, lintel=650),
        Edge(4, 8, "N"): Barrier("window", sill=300, lintel=650),
        Edge(9, 5, "W"): Barrier("window", sill=300, lintel=650),
        Edge(6, 8, "N"): Barrier("curtain", "closed", stops_shots=False),
        Edge(7, 8, "N"): Barrier("bars", blocks_sight=False, stops_shots=False),
        Edge(9, 2, "W"): Barrier("glass", blocks_sight=False),
    }
    railing = Barrier("railing", top=350, blocks_sight=False, stops_shots=False)
    parapet = Barrier("parapet", top=350)
    found |= {Edge(16, row, "W"): railing for row in range(8, 11)}
    found |= {Edge(column, 8, "N"): parapet for column in range(18, 22)}
    return found


def field() -> Battlefield:
    legend = tuple(LEGEND.values())
    number = {glyph: place for place, glyph in enumerate(LEGEND)}
    places = [(column, row) for row in range(len(ROWS)) for column in range(len(ROWS[0]))]
    return Battlefield(
        name="Dock shed",
        columns=26,
        rows=12,
        unit="feet",
        square_size=500,
        legend=legend,
        ground=tuple(number[ROWS[row][column]] for column, row in places),
        elevation=tuple(HIGH.get(place, 0) for place in places),
        smoke=tuple(SMOKE.get(place, 0) for place in places),
        light=tuple(DARK.get(place, 2) for place in places),
        barriers=edges(),
    )


def unit(name: str, letter: str, side: int, at: str, facing: Direction, **other: object) -> UnitView:
    plain = UnitView(
        id=name.lower(),
        name=name,
        letter=letter,
        side=("law", "gang", "town")[side],
        side_index=side,
        role="gunman",
        at=parse_square(at),
        size=1,
        facing=facing,
        posture="standing",
        altitude=0,
        is_active=False,
        is_defeated=False,
        weapon="USP9",
        rounds=12,
        magazine=15,
        pools=(Gauge("hp", "hits", 20, 20),),
        budget=(),
        stats=(),
        conditions=(),
        initiative=10,
    )
    return replace(plain, **other)  # type: ignore[arg-type]


def view() -> View:
    return View(
        field=field(),
        ruleset="Occult Ops",
        round=2,
        active="todd",
        order=("todd", "bandit", "cop", "mara", "drone", "fallen"),
        upcoming=("bandit", "cop", "mara", "drone"),
        units=(
            unit("Todd", "T", 0, "H7", Direction.E, is_active=True),
            unit("Mara", "M", 0, "D3", Direction.S, posture="kneeling", pools=(Gauge("hp", "hits", 7, 16),)),
            unit("Bandit", "b", 1, "U4", Direction.W, conditions=(StateShown("p", "pinned"),)),
            unit("Cop", "c", 1, "T6", Direction.SW, posture="prone"),
            unit("Drone", "d", 2, "T10", Direction.NW, altitude=1500),
            unit("Fallen", "f", 1, "J8", Direction.N, is_defeated=True),
        ),
    )


def shot() -> Markings:
    """Todd aims at the bandit; the line meets a crate."""
    line = "H7 I7 J6 K6 L5 M5 N5 O5 P4 Q4 R4 S4 T4 U4"
    return Markings(
        cursor=Square(12, 7),
        selected="todd",
        target="bandit",
        line=tuple(parse_square(name) for name in line.split()),
        stop=parse_square("L5"),
    )


def bands() -> Markings:
    """The shot over range bands, without its blocker, and a planned way."""
    here = parse_square("H7")
    tints = {
        Square(column, row): f"band-{min(4, max(abs(column - here.column), abs(row - here.row)) // 4)}"
        for column in range(1, 26)
        for row in range(1, 11)
    }
    path = tuple(parse_square(name) for name in ["H7", "I7", "J7", "K8", "L8", "M8"])
    return replace(shot(), tints=tints, stop=None, path=path, cursor=Square(12, 7))


@pytest.fixture
def sample() -> View:
    return view()


@pytest.fixture
def aimed() -> Markings:
    return shot()


@pytest.fixture
def banded() -> Markings:
    return bands()


@pytest.fixture
def make_unit() -> Callable[..., UnitView]:
    return unit
