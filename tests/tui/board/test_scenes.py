"""The board on the shipped maps: what is read can be read, a side has one colour, and rows cost few bytes."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from rich.color import ColorSystem
from rich.style import Style
from textual.color import Color

from engine.battle.narration.unit_states import StateShown
from engine.battle.views.aftermath import Aftermath, Mark, Shot, Walk
from engine.battle.views.attack_outcomes import HIT
from engine.battle.views.view import Gauge, UnitView, View, project
from engine.geometry.squares import Square
from engine.geometry.straight_lines import straight_path
from engine.values import replace
from maps import shipped_maps
from tests.tui.play import session_for
from tui.application.describe.glyphs import ASCII, UNICODE
from tui.application.overlays.markings import BANDS, BURST, Markings
from tui.view.board.ground import Cell, DrawingStyle
from tui.view.board.palette import MONO, Palette, Paper, contrast
from tui.view.board.picture import Picture, draw_row
from tui.view.board.themes import THEMES
from tui.view.board.tokens import side_ink
from tui.view.board.zoom_levels import SMALL, ZOOMS, Zoom

LEAST = 4.5
ROUNDED = 0.06
"""What rounding to whole parts of red, green and blue may take away."""
WIDTH = 76
"""Columns of the board at 120 by 40."""
MEDIAN, MEDIAN_SHADED, MOST = 20, 25, 40
HEIGHTS = "¹²³⁴⁵⁶⁷⁸⁹₁₂₃₄₅₆₇₈₉"
MAPS = sorted(shipped_maps())
SYSTEMS = ("truecolor", "256")


@cache
def scene(map_id: str) -> View:
    """The map with its units: one hurt, one nearly out, one out, one hidden, one in the air, one with conditions."""
    with TemporaryDirectory() as folder, closing(session_for(Path(folder), map_id, "cwn")) as session:
        view = project(session.battle, session.rules)
    changes = [
        {"pools": (Gauge("hp", "hits", 9, 20),)},
        {"pools": (Gauge("hp", "hits", 2, 20),)},
        {"is_defeated": True},
        {"is_hidden": True, "letter": "1"},
        {"altitude": 250, "side_index": 2},
        {
            "conditions": (
                StateShown("p", "pinned"),
                StateShown("d", "dazed"),
                StateShown("s", "stunned"),
                StateShown("q", "q"),
            ),
            "side_index": 3,
        },
    ]
    first, *rest = view.units
    changed = (replace(unit, **change) for unit, change in zip(rest, changes, strict=False))
    return replace(view, units=(first, *changed, *rest[len(changes) :]))


def overlays(view: View) -> Iterator[tuple[str, Markings]]:
    """Nothing, an aimed shot, range bands, and a blast with its labels."""
    actor, target = view.units[0], next(unit for unit in view.units[1:] if unit.side != view.units[0].side)
    line = straight_path(actor.at, target.at)
    usual = Markings(selected=actor.id, target=target.id, cursor=target.at)
    yield "plain", Markings(selected=actor.id, cursor=actor.at)
    yield "aimed", replace(usual, line=line)
    squares = {square: _distance(square, actor.at) for square in view.field.squares()}
    yield "bands", replace(usual, tints={square: BANDS[min(4, far // 5)] for square, far in squares.items()})
    near = {square: far for square in squares if (far := _distance(square, target.at)) < 6}
    done = Aftermath(
        walks=(Walk(actor.id, (Square(0, 0),)),),
        shots=(Shot(actor.id, target.id, line, True),),
        marks=(Mark(target.id, target.at, target.size, HIT, 7), Mark(actor.id, actor.at, actor.size, HIT, 12)),
        landed=target.at,
    )
    yield "blast", replace(usual, tints={square: BURST[far // 2] for square, far in near.items()}, aftermath=done)


def _distance(one: Square, other: Square) -> int:
    return max(abs(one.column - other.column), abs(one.row - other.row))


def cells_of(view: View, markings: Markings, zoom: Zoom, palette: Palette) -> list[list[Cell]]:
    picture = Picture(view, markings, DrawingStyle(zoom, UNICODE, palette))
    width, height = picture.size
    return [picture.cells(y, 0, width) for y in range(height)]


def is_read(glyph: str) -> bool:
    return (glyph.isascii() and glyph.isalnum()) or glyph in HEIGHTS


QUICK = [(THEMES[0], MAPS[-1], SYSTEMS[0]), (THEMES[1], MAPS[-1], SYSTEMS[1])]


@pytest.mark.parametrize(
    ("theme", "map_id", "system"),
    [
        pytest.param(*each, marks=() if each in QUICK else pytest.mark.slow, id=f"{each[0].name}-{each[1]}-{each[2]}")
        for each in product(THEMES, MAPS, SYSTEMS)
    ],
)
def test_every_text_on_the_board_can_be_read(theme, map_id: str, system: str) -> None:  # type: ignore[no-untyped-def]
    view, palette = scene(map_id), Palette(theme.variables, system)
    seen: set[Style] = set()
    for _, markings in overlays(view):
        for zoom in ZOOMS:
            seen |= {
                cell.style for row in cells_of(view, markings, zoom, palette) for cell in row if is_read(cell.glyph)
            }
    for style in seen:
        assert style.color is not None and style.bgcolor is not None
        found = contrast(Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor))
        assert found >= LEAST - ROUNDED, str(style)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_a_side_has_one_colour_in_every_token(theme) -> None:  # type: ignore[no-untyped-def]
    view, palette = scene("warehouse"), Palette(theme.variables)
    for zoom in ZOOMS:
        for name, markings in overlays(view):
            picture = Picture(view, markings, DrawingStyle(zoom, UNICODE, palette))
            for unit in view.units:
                if unit.is_defeated or unit.is_hidden:  # dimmed, and on a ground of their own
                    continue
                letter = letter_of(picture, unit, zoom)
                side = Color.parse(theme.variables[side_ink(unit)]).rich_color
                assert side in (letter.style.color, letter.style.bgcolor), (name, zoom.name, unit.name)


def letter_of(picture: Picture, unit: UnitView, zoom: Zoom) -> Cell:
    x, y = unit.at.column * zoom.width, unit.at.row * zoom.height
    return next(cell for cell in picture.cells(y, x, x + zoom.width) if cell.glyph == unit.letter)


@pytest.mark.parametrize("zoom", ZOOMS, ids=lambda zoom: zoom.name)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=lambda glyphs: glyphs.name)
def test_states_of_a_token_differ_without_colour(zoom: Zoom, glyphs) -> None:  # type: ignore[no-untyped-def]
    view = scene("warehouse")
    unit = replace(view.units[0], at=Square(3, 3), is_active=False, side_index=1)
    field = replace(view.field, barriers={}, smoke=(0,) * len(view.field.smoke))
    hurt = (Gauge("hp", "hits", 4, 20),)
    states = {
        "usual": (unit, Markings()),
        "hurt": (replace(unit, pools=hurt), Markings()),
        "acts": (replace(unit, is_active=True), Markings()),
        "aimed at": (unit, Markings(target=unit.id)),
        "changed": (unit, Markings(aftermath=Aftermath(marks=(Mark(unit.id, unit.at, 1, HIT, 3),)))),
        "out": (replace(unit, is_defeated=True), Markings()),
        "third side": (replace(unit, side_index=2), Markings()),
        "fourth side": (replace(unit, side_index=3), Markings()),
        "hidden": (replace(unit, is_hidden=True), Markings()),
        "hidden and acts": (replace(unit, is_hidden=True, is_active=True), Markings()),
    }
    drawn = {}
    for name, (there, markings) in states.items():
        picture = Picture(replace(view, field=field, units=(there,)), markings, DrawingStyle(zoom, glyphs, MONO))
        x, y = unit.at.column * zoom.width, unit.at.row * zoom.height
        rows = [picture.cells(line, x - 1, x + 4 * zoom.width) for line in range(y, y + zoom.height)]
        drawn[name] = tuple((cell.glyph, cell.style) for row in rows for cell in row)
    assert len(set(drawn.values())) == len(drawn)


@pytest.mark.parametrize("zoom", ZOOMS, ids=lambda zoom: zoom.name)
@pytest.mark.parametrize("system", [None, "standard"], ids=["no colour", "16 colours"])
def test_a_hidden_unit_has_its_sign_where_there_is_no_tint(zoom: Zoom, system: str | None) -> None:
    view, palette = scene("warehouse"), Palette(THEMES[0].variables, system) if system else MONO
    for is_active in (False, True):
        units = tuple(replace(unit, is_hidden=True, is_active=is_active, conditions=()) for unit in view.units[:1])
        cells = cells_of(replace(view, units=units), Markings(), zoom, palette)
        drawn = [cell.glyph for row in cells for cell in row]
        assert drawn.count(UNICODE.veil) == (1 if zoom is SMALL else 2)


@pytest.mark.parametrize("zoom", [zoom for zoom in ZOOMS if zoom is not SMALL], ids=lambda zoom: zoom.name)
@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_two_of_a_side_beside_each_other_are_two_tokens(zoom: Zoom, theme) -> None:  # type: ignore[no-untyped-def]
    view, palette = scene("warehouse"), Palette(theme.variables)
    field = replace(view.field, barriers={})
    west = replace(view.units[0], at=Square(3, 3), is_active=False, conditions=())
    hurt = (Gauge("hp", "hits", 1, 20),)
    for near in (replace(west, id="east", at=Square(4, 3)), replace(west, id="east", at=Square(4, 3), pools=hurt)):
        cells = cells_of(replace(view, field=field, units=(west, near)), Markings(), zoom, palette)
        border, lines = 4 * zoom.width, range(3 * zoom.height, 4 * zoom.height)
        plate = Color.parse(theme.variables["plate"]).rich_color
        assert cells[lines[0]][border].style.bgcolor == plate, "a gap between the badges"
        assert cells[lines[-1]][border].glyph == UNICODE.gap, "and half of one between the bars"


def changes(picture: Picture, y: int, start: int, end: int) -> int:
    """How often ink or ground change along a row in 256 colours; the ink of a blank is not seen."""
    found, ground, ink = 0, None, None
    for text, style in draw_row(picture, y, start, end):
        assert style.color is not None and style.bgcolor is not None
        new_ground = style.bgcolor.downgrade(ColorSystem.EIGHT_BIT).number
        new_ink = style.color.downgrade(ColorSystem.EIGHT_BIT).number if text.strip() or style.underline else None
        if new_ground != ground or (new_ink is not None and ink is not None and new_ink != ink):
            found, ground, ink = found + 1, new_ground, new_ink
        elif new_ink is not None:
            ink = new_ink
    return found - 1


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("map_id", MAPS)
def test_a_row_changes_its_colours_seldom(map_id: str, theme) -> None:  # type: ignore[no-untyped-def]
    view, palette = scene(map_id), Palette(theme.variables, "256")
    for name, markings in overlays(view):
        picture = Picture(view, markings, DrawingStyle(SMALL, UNICODE, palette))
        width, height = picture.size
        found = [changes(picture, y, 0, min(width, WIDTH)) for y in range(height)]
        assert statistics.median(found) <= (MEDIAN_SHADED if markings.tints else MEDIAN), name
        assert max(found) <= MOST, (name, found)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_in_256_colours_ground_has_no_hue_that_it_lacks(theme) -> None:  # type: ignore[no-untyped-def]
    """Rich alone rounds brown ground to olive and red; what is mixed here is sent as it was rounded."""
    full, palette = Palette(theme.variables), Palette(theme.variables, "256")
    hues = [name.removeprefix("ground-") for name in theme.variables if name.startswith("ground-")]
    for paper in (Paper(*each) for each in product(hues, (False, True), (-2, 0, 1, 4), range(4))):
        wanted, found = full.ground(paper), palette.ground(paper)
        sent = Color.from_rich_color(found.rich_color.downgrade(ColorSystem.EIGHT_BIT))
        assert max(abs(a - b) for a, b in zip(found.rgb, sent.rgb, strict=True)) <= 7, paper
        assert spread(found) <= max(40, spread(wanted) + 30), (paper, wanted.hex, found.hex)
        assert 0.6 <= contrast(found, Color(0, 0, 0)) / contrast(wanted, Color(0, 0, 0)) <= 1.6, (paper, found.hex)


def spread(colour: Color) -> int:
    """How far a colour is from grey."""
    return max(colour.rgb) - min(colour.rgb)
