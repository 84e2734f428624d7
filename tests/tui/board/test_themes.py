"""The three themes and the terminal's own sixteen colours: what is read can be read."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from rich._palettes import STANDARD_PALETTE
from rich.color import Color as RichColor
from rich.color import ColorSystem
from textual.color import Color
from textual.pilot import Pilot
from textual.theme import Theme

from tests.tui.play import USUAL, app_for, play, screen_of
from tui.application.describe.glyphs import UNICODE
from tui.application.overlays.markings import BANDS, SCALE, TINTS
from tui.application.settings.settings import THEME_NAMES
from tui.view.board.colours_256 import rounded_theme
from tui.view.board.palette import Palette, Paper, contrast
from tui.view.board.sixteen_colours import TINTS as SIXTEEN_TINTS
from tui.view.board.sixteen_colours import has_sixteen_colours
from tui.view.board.themes import CONTRAST, GAME_COLOURS, SIXTEEN, THEMES, VARIABLES
from tui.view.screens.battle_screen import BattleScreen

LEAST = {"lamplight": 4.5, "daylight": 4.5, "contrast": 7.0}
INKS = ("ink", "muted", "faint", "good", "warn", "bad", "panel-title")
BACKS = ("panel-back", "bar-back")
SELECTED = "block-cursor-blurred-background"
SIDES = ("side-0", "side-1", "side-2", "side-3")
GROUNDS = [name.removeprefix("ground-") for name in GAME_COLOURS if name.startswith("ground-")]
ROUNDED = 0.06
"""What rounding to whole parts of red, green and blue may take away."""
FLAGS = ("plate", "name pale plate", "reverse", "veil", "down", "down plate")
READ = [*(f"{side} {flag}" for side in SIDES[:2] for flag in FLAGS), "line", "line reverse", "path", "path plate"]
READ += ["label", "block", "stop", "cursor", "object name", "bar-warn plate", "bar-bad plate"]


def papers() -> list[Paper]:
    """Every ground under every tint, in every light, high, level and low."""
    everything = product(GROUNDS, (False,), (0, 9, -9), (0, 1, 2, 3), ("", "object heavy"), ("", *TINTS))
    return [Paper(*each) for each in everything]


@pytest.mark.parametrize("is_rounded", [False, True], ids=["true colour", "256 colours"])
@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_every_text_ink_can_be_read_on_every_panel_bar_and_selected_line(theme: Theme, is_rounded: bool) -> None:
    variables = (rounded_theme(theme) if is_rounded else theme).variables
    colours = {name: Color.parse(variables[name]) for name in (*INKS, *BACKS, *SIDES, "prompt-back", SELECTED)}
    pairs = [*product(INKS, BACKS), *product(SIDES, ("panel-back",)), ("ink", "prompt-back")]
    for ink, back in [*pairs, *product(("ink", "muted"), (SELECTED,))]:
        assert contrast(colours[ink], colours[back]) >= LEAST[theme.name] - is_rounded * 0.3, f"{ink} on {back}"


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_units_and_lines_can_be_read_on_all_ground_there_is(theme: Theme) -> None:
    palette = Palette(theme.variables)
    for ink in READ:
        for style in {palette.style(ink, paper) for paper in papers()}:
            assert style.color is not None and style.bgcolor is not None
            found = contrast(Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor))
            assert found >= LEAST[theme.name] - ROUNDED, f"{ink}: {style}"


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_a_theme_has_every_colour(theme: Theme) -> None:
    assert set(VARIABLES) <= set(theme.variables)


def matched(colour: str, matrix: tuple[tuple[float, float, float], ...]) -> Color:
    """A colour as eyes see it that lack one kind of cone."""
    parts = Color.parse(colour).normalized
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    seen = [max(0.0, min(1.0, sum(row * part for row, part in zip(rows, linear, strict=True)))) for rows in matrix]
    back = [12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in seen]
    return Color(*(round(part * 255) for part in back))


# Viénot, Brettel and Mollon 1999, in linear RGB.
NO_RED = ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0))
NO_GREEN = ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0))


def apart(one: Color, other: Color) -> float:
    return max(abs(a - b) for a, b in zip(one.rgb, other.rgb, strict=True))


@pytest.mark.parametrize("matrix", [NO_RED, NO_GREEN], ids=["no red", "no green"])
def test_high_contrast_is_safe_for_the_colour_blind(matrix: tuple[tuple[float, float, float], ...]) -> None:
    pairs = [(one, other) for place, one in enumerate(SIDES) for other in SIDES[place + 1 :]]
    for one, other in [*pairs, ("good", "bad"), ("tint-seen", "tint-little"), ("tint-seen", "tint-part")]:
        seen = [matched(CONTRAST.variables[name], matrix) for name in (one, other)]
        assert apart(*seen) >= 45, f"{one} and {other}"


@pytest.mark.parametrize("names", [BANDS, SCALE], ids=["bands", "scale"])
def test_scales_of_high_contrast_go_from_light_to_dark(names: tuple[str, ...]) -> None:
    light = [contrast(Color.parse(CONTRAST.variables[f"tint-{name}"]), Color(0, 0, 0)) for name in names]
    assert light == sorted(light) or light == sorted(light, reverse=True)
    assert all(max(a, b) / min(a, b) > 1.3 for a, b in pairwise(light))


@pytest.mark.parametrize("names", [BANDS, SCALE], ids=["bands", "scale"])
@pytest.mark.parametrize("hue", GROUNDS)
def test_neighbours_on_a_scale_of_high_contrast_differ_on_the_board(hue: str, names: tuple[str, ...]) -> None:
    palette = Palette(CONTRAST.variables)
    styles = [palette.style("tint", Paper(hue, tint=name)) for name in names]
    for one, other in pairwise(styles):
        assert one.color and other.color and one.bgcolor and other.bgcolor
        signs = [Color.from_rich_color(style.color) for style in (one, other) if style.color]
        grounds = [Color.from_rich_color(style.bgcolor) for style in (one, other) if style.bgcolor]
        assert contrast(*signs) >= 1.4
        assert contrast(*grounds) >= 1.05


@pytest.mark.parametrize("bar", ["bar-good", "bar-warn", "bar-bad", "bar-rest"])
def test_with_high_contrast_a_closed_door_has_the_colour_of_no_bar_of_health(bar: str) -> None:
    door, health = (Color.parse(CONTRAST.variables[name]) for name in ("door", bar))
    assert apart(door, health) >= 70


@pytest.mark.parametrize("hue", GROUNDS)
def test_range_bands_of_high_contrast_differ_in_more_than_lightness(hue: str) -> None:
    palette = Palette(CONTRAST.variables)
    for one, other in pairwise(palette.ground(Paper(hue, tint=name)) for name in BANDS):
        assert apart(one, other) >= 25


def rounded(colour: RichColor) -> RichColor:
    """A colour as a terminal of sixteen colours shows it."""
    number = colour.downgrade(ColorSystem.STANDARD).number
    assert number is not None
    return RichColor.from_triplet(STANDARD_PALETTE[number])


def test_on_sixteen_colours_every_ink_differs_from_its_paper() -> None:
    palette = Palette(SIXTEEN.variables, "standard")
    roles = [name for name in GAME_COLOURS if not name.startswith(("ground-", "tint-", "mark-"))]
    for role in [*roles, "mark", "terrain", "smoke", "dark", "label", "ledge", "block", "tint"]:
        for tint in ("", *TINTS):
            style = palette.style(role, Paper("floor", tint=tint))
            assert style.color != style.bgcolor, role
            assert style.color is not None and style.color == rounded(style.color), role
    assert set(SIXTEEN_TINTS) == set(TINTS)


def test_the_sixteen_are_not_rounded() -> None:
    for ink in (*INKS, *BACKS, *SIDES, "panel-line"):
        colour = Color.parse(SIXTEEN.variables[ink]).rich_color
        assert rounded(colour) == colour, ink


@pytest.mark.slow
def test_a_terminal_of_sixteen_colours_gets_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert has_sixteen_colours(app.console)
        assert app.theme == SIXTEEN.name
        picture = screen.board.picture
        assert picture is not None and picture.manner.palette.is_sixteen
        await pilot.press("t", "v", "1")
        for y in range(screen.board.size.height):
            for segment in screen.board.render_line(y):
                assert segment.style is None or segment.style.color != segment.style.bgcolor or not segment.text.strip()

    play(app, script, USUAL)


@pytest.mark.slow
@pytest.mark.parametrize("theme", [theme.name for theme in THEMES])
def test_look_of_each_theme(snap_compare: Any, tmp_path: Path, theme: str) -> None:
    app = app_for(tmp_path, "warehouse", "cwn")

    async def press(pilot: Pilot[None]) -> None:
        await pilot.pause()
        app.theme = theme
        await pilot.press("t", "v", "1")
        await pilot.pause()

    assert snap_compare(app, run_before=press, terminal_size=USUAL)


@pytest.mark.slow
def test_the_board_follows_the_theme(tmp_path: Path) -> None:
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        picture = screen.board.picture
        assert picture is not None and picture.manner.glyphs is UNICODE
        before = picture.manner.palette
        app.theme = "daylight"
        await pilot.pause()
        after = screen_of(app).board.picture
        assert after is not None and after.manner.palette is not before

    play(app, script, USUAL)


def test_the_themes_are_those_that_the_settings_name() -> None:
    assert tuple(theme.name for theme in THEMES) == THEME_NAMES
