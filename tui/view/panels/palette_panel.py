"""Palette of the terrain editor: keys, the brushes last used, and the square under the cursor."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct
from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import var

from engine.text import cells
from tui.application.describe.text_layout import fit, wrap
from tui.application.keys.battle_keys import with_keys
from tui.view.panels.panel import Panel
from tui.view.panels.styled_text import join, plain

NAME = 5
"""Cells before the name of a brush."""
COVER, HIGH = 6, 5
"""Cells of the columns behind it."""
FIRST, LOWER = 6, 5
"""The row of the first brush, and the rows of the square."""


class SquareShown(Struct, frozen=True):
    """The square under the cursor."""

    words: str
    height: str
    """Height of its ground."""
    edges: tuple[tuple[str, str], ...]
    """What stands on each side: N, E, S and W."""


class BrushShown(Struct, frozen=True):
    """A brush that has a key."""

    sign: str
    ink: str
    """The style of its sign."""
    name: str
    cover: str
    """How well it covers, or what kind of brush it is; with no height as long as it takes."""
    high: str
    is_current: bool


class PaletteShown(Struct, frozen=True):
    """What the palette shows."""

    brushes: tuple[BrushShown, ...]
    here: SquareShown
    step: str
    """How much one key raises the ground."""
    mark: str
    """Before the present brush."""


class PalettePanel(Panel):
    """The palette; its brushes can be clicked."""

    TITLE = "Palette"
    shown: var[PaletteShown | None] = var(None, init=False)

    @dataclass
    class BrushChosen(Message):
        """A click on the brush with that key."""

        number: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._upper: list[Content] = []
        self._upper_of: tuple[object, ...] = ()
        """What those rows were built of: they stay the same while the cursor moves on level ground."""

    def build_rows(self, width: int, height: int) -> list[Content]:
        shown = self.shown
        if shown is None:
            return []
        made_of = shown.brushes, shown.here.height, width, height
        if self._upper_of != made_of:
            self.head(self.TITLE, with_keys("{terrain.brush_1}–{terrain.brush_6} last used"))
            self._upper, self._upper_of = upper_rows(shown, width, height), made_of
        lower = square_rows(shown.here, width)
        return [*self._upper, *[plain("")] * (height - len(self._upper) - len(lower)), *lower]

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if place is not None and self.shown is not None and 0 <= place.y - FIRST < len(self.shown.brushes):
            self.post_message(self.BrushChosen(place.y - FIRST + 1))


def upper_rows(shown: PaletteShown, width: int, height: int) -> list[Content]:
    """The keys and the brushes; below them the other keys, where there is room above the square."""
    height_words = with_keys(f"{{terrain.lower}} {shown.here.height} {{terrain.raise}}")
    rows = [
        _key_row("terrain.paint", "paint …", "ground, objects,", width),
        _key_row("", "", "lamp, smoke, zone", width),
        _key_row("terrain.thin", "edges …", "wall, door, bars", width),
        _key_row("terrain.height", "height", f"{height_words}   {shown.step}", width),
        plain(""),
        plain(f"   {fit('last used', width - 6 - COVER - HIGH)} {'cover':<{COVER}} {'high':>{HIGH}}", "$muted"),
        *(brush_row(number, brush, shown.mark, width) for number, brush in enumerate(shown.brushes, 1)),
    ]
    has_room = height - len(rows) - LOWER > len(OTHERS) + 1
    return [*rows, plain(""), *_other_keys()] if has_room else rows


OTHERS = (
    (("board.choose", "paint"), ("terrain.brush", "pen")),
    (("terrain.mark", "corner"), ("terrain.fill", "fill")),
    (("terrain.bare", "clear"), ("terrain.pick", "pick")),
    (("terrain.north terrain.east terrain.south terrain.west terrain.around", "edge"),),
    (("terrain.save", "save as"), ("terrain.go", "go to a warning")),
)


def _other_keys() -> list[Content]:
    """The rows of the keys that are no brushes."""
    rows = [plain(" other keys", "$muted")]
    for row in OTHERS:
        pieces: list[Content | str] = []
        for ids, words in row:
            keys = " ".join(with_keys(f"{{{id}}}") for id in ids.split())
            pieces += [plain(f" {keys}", "$ink bold"), plain(f" {words} ")]
        rows.append(join(pieces))
    return rows


def _key_row(id: str, words: str, note: str, width: int) -> Content:
    key = with_keys(f"{{{id}}}") if id else " "
    return join([plain(f" {key} ", "bold"), plain(f"{words:<8}"), plain(fit(note, width - 11).rstrip(), "$muted")])


def brush_row(number: int, brush: BrushShown, mark: str, width: int) -> Content:
    """A brush: its key, sign and name, and what it is; the present one is marked."""
    note = f"{brush.cover:<{COVER}} {brush.high:>{HIGH}}" if brush.high or len(brush.cover) <= COVER else brush.cover
    row = join(
        [
            plain(f"{mark if brush.is_current else ' '}{with_keys(f'{{terrain.brush_{number}}}')} ", "bold"),
            plain(f"{brush.sign} ", brush.ink),
            plain(fit(brush.name, width - NAME - cells(note) - 2), "bold" if brush.is_current else ""),
            plain(f" {note} ", "" if brush.is_current else "$muted"),
        ]
    )
    return row.stylize("on $prompt-back") if brush.is_current else row


def square_rows(here: SquareShown, width: int) -> list[Content]:
    """The square in two rows, and its four edges in two."""
    words = wrap(here.words, width - 1)[:2]
    north, east, south, west = (" ".join(edge) for edge in here.edges)
    half = width // 2
    return [
        plain(f" {'─' * (width - 2)}", "$panel-line"),
        *(plain(f" {row}", "" if place else "bold") for place, row in enumerate(words)),
        *[plain("")] * (2 - len(words)),
        _pair(north, east, half, width),
        _pair(south, west, half, width),
    ]


def _pair(left: str, right: str, half: int, width: int) -> Content:
    return plain(f" {fit(left, half - 1)}{fit(right, width - half)}", "$muted")
