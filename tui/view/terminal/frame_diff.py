"""What of a frame has to be written, when it is known what the terminal shows already: the cells that differ.

Textual writes whatever was drawn again, each run with all its colours. Here a frame is compared, cell by cell, with
what was written before; rows and lines that only moved are moved by the terminal. This stands between Textual's
compositor and its driver, on parts of Textual that are not public: `applies` says where it may.

Every cell, its text and its style, is known by one code, a character of a string: comparing and finding are then
what strings do quickly.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, pairwise
from operator import ne
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes
from rich.color import ColorSystem
from rich.console import Console, RenderableType
from rich.segment import Segment, Segments
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.driver import Driver
from textual.strip import Strip

from engine.text import is_clean
from tui.application.terminal.version import version
from tui.view.terminal.sgr import PLAIN, Look, between, blank_look, look_of

TEXTUAL = "8.2.8"
"""The only release of Textual that this is known to fit."""

SWITCH = "BATTLEBOARD_REPAINT"
"""With the value "whole" in the environment, Textual writes whole frames."""

UNKNOWN = "\0"
"""The code of a cell with unknown contents."""

MOST_CODES = 500_000
"""Most distinct cells; beyond that the cache is cleared and the screen rewritten."""

MOST_RUNS = 2_048
"""Most texts in one style whose cells are kept: five screens full of them."""

BRIDGE = 4
"""Unchanged cells that are rewritten rather than skipped, if the style stays the same."""

PROBE = 10
"""Cells in a row that show how far a line has moved."""

MOVE_COST = 20
"""Bytes that moving part of a line takes."""

LOOK_COST, STEP_COST = 15, 6
"""Bytes that setting a look takes, and stepping over what is written later."""

LEAST_MOVED = 16
"""Least differing cells of a line before it is checked for a shift."""


ERASE_IN_COLOUR = ("xterm", "alacritty", "foot", "kitty", "konsole", "linux", "rxvt", "wezterm")
"""Terminals by their TERM whose terminfo has "bce", as curses too believes; screen and tmux are not among them."""

ERASED = 10
"""Blanks in a row that are erased rather than written."""

WORDS = re.compile(" +|[^ ]+")
"""Blanks, and what stands between them."""

Line = tuple[int, str, str]
"""A line of the screen: its number, the codes that it shows and those that it should show."""


def applies(driver: Driver | None) -> bool:
    """Whether differences may be written: right release of Textual, a real terminal, not switched off."""
    return (
        driver is not None
        and not (driver.is_headless or driver.is_inline or driver.is_web)
        and os.environ.get(SWITCH) != "whole"
        and version("textual") == TEXTUAL
    )


def erases_in_colour() -> bool:
    """Whether the terminal fills what it erases with the ground it writes on ("bce"), by what terminals are named."""
    return os.environ.get("TERM", "").startswith(ERASE_IN_COLOUR)


class Difference(CompositorUpdate):
    """A frame of Textual's, written as its difference from what the terminal shows."""

    def __init__(self, written: str) -> None:
        self._written = written

    def render_segments(self, console: Console) -> str:
        return self._written


class Shown:
    """What the terminal shows, as far as it is known. One for each terminal."""

    def __init__(self, *, erases: bool = False) -> None:
        """Nothing is known yet; `erases` when the terminal fills what it erases with the ground it writes on."""
        self._erases = erases
        self._begin(ColorSystem.TRUECOLOR)

    def _begin(self, system: ColorSystem) -> None:
        self._system = system
        self._rows: list[str] = []
        self._runs: dict[tuple[str, Style | None], str] = {}
        self._codes: dict[tuple[str, Look, bool], str] = {}
        self._cells: list[tuple[str, Look]] = [(" ", PLAIN)]
        self._odd: set[str] = set()
        """Codes of cells that terminals may not agree on the width of, and of those that take two places."""

    def forget(self) -> None:
        """Nothing is known any more: what is drawn next is written whole."""
        self._rows = [UNKNOWN * len(row) for row in self._rows]

    def difference(
        self, update: RenderableType | None, console: Console, is_typed_in: bool = False
    ) -> RenderableType | None:
        """The frame to write in place of Textual's, None where the terminal shows it; from now on it counts as shown.

        Anything but a frame is itself, and leaves nothing known. After what is a frame itself Textual puts the
        terminal's cursor where somebody types, `is_typed_in`; else that is left out.
        """
        if isinstance(update, (LayoutUpdate, ChopsUpdate)):
            written = self.written(update, console._color_system or ColorSystem.TRUECOLOR)
            if not written:
                return None
            return Difference(written) if is_typed_in else Segments([Segment(written)])  # type: ignore[return-value]
        if update is not None:
            self.forget()
        return update

    def written(self, update: CompositorUpdate, system: ColorSystem) -> str:
        """What makes the terminal show a frame, where it showed what is known so far."""
        if system is not self._system or len(self._cells) > MOST_CODES:
            self._begin(system)
        wanted: dict[int, str] = {}
        spans: dict[tuple[int, int], list[int]] = {}
        for y, x, codes in self._drawn(update):
            row = wanted.get(y, self._rows[y])
            if row[x : x + len(codes)] != codes:
                wanted[y] = row[:x] + codes + row[x + len(codes) :]
                spans.setdefault((x, x + len(codes)), []).append(y)
        pen = _Pen(self._cells, self._erases)
        for span, lines in _columns_of(spans).items():
            self._move_lines(span, lines, wanted, pen)
        for span, lines in spans.items():
            self._move_cells(span, lines, wanted, pen)
        alone: list[Line] = []
        together: list[Line] = []
        for y in sorted(wanted):
            # A sign that takes two places must not be overtaken by what is beside it.
            is_odd = not self._odd.isdisjoint(self._rows[y]) or not self._odd.isdisjoint(wanted[y])
            (alone if is_odd else together).append((y, self._rows[y], wanted[y]))
        for line in alone:
            pen.write(*line)
        pen.write_lines(together)
        self._rows = [wanted.get(y, row) for y, row in enumerate(self._rows)]
        return pen.output()

    # What is drawn, as codes

    def _drawn(self, update: CompositorUpdate) -> Iterator[tuple[int, int, str]]:
        """Yields line, first column and codes of the redrawn parts of a frame."""
        if isinstance(update, LayoutUpdate):
            self._fit(update.region.right, update.region.bottom)
            for y, strips in enumerate(update.strips, update.region.y):
                x = update.region.x
                for strip in strips:
                    codes = self._cut(self._coded(strip), update.region.right - x)
                    yield y, x, codes
                    x += len(codes)
        elif isinstance(update, ChopsUpdate):
            self._fit(max((ends[-1] for ends in update.chop_ends), default=0), len(update.chops))
            for y, start, stop in update.spans:
                for end, (x, drawn) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
                    if drawn is not None and x < stop and end > start:
                        yield y, x, self._cut(self._coded(drawn), min(end, stop) - x)

    def _fit(self, width: int, height: int) -> None:
        if len(self._rows) != height or (height and len(self._rows[0]) != width):
            self._rows = [UNKNOWN * width] * height

    def _cut(self, codes: str, width: int) -> str:
        """No more codes than there is room for, and no half of a wide sign."""
        if len(codes) <= width:
            return codes
        visible = codes[:width]
        text, look = self._cells[ord(visible[-1])] if visible else ("", PLAIN)
        return visible[:-1] + self._code(" ", look) if cell_len(text) > 1 else visible

    def _coded(self, strip: Strip) -> str:
        known = self._runs
        found = [known.get((text, style)) or self._run(text, style) for text, style, control in strip if not control]
        return "".join(found)

    def _run(self, text: str, style: Style | None) -> str:
        if len(self._runs) >= MOST_RUNS:
            self._runs.clear()
        look = look_of(Strip.render_ansi(style, self._system)) if style is not None else PLAIN
        if text.isascii() and text.isprintable():
            found = "".join([self._code(sign, look) for sign in text])
        else:
            found = "".join(self._graphemes(text, look))
        self._runs[text, style] = found
        return found

    def _graphemes(self, text: str, look: Look) -> Iterator[str]:
        """Codes of a text of which some signs take no place or two; what could steer the terminal is replaced."""
        for start, end, width in split_graphemes(text)[0]:
            sign = text[start:end]
            if not width:
                continue
            if not is_clean(sign):
                yield self._code("\N{REPLACEMENT CHARACTER}", look) * width
                continue
            code = self._code(sign, look)
            if width > 1 or len(sign) > 1 or sign > "\uffff":
                self._odd.add(code)
            yield code
            if width > 1:
                tail = self._code(sign, look, is_tail=True)
                self._odd.add(tail)
                yield tail * (width - 1)

    def _code(self, sign: str, look: Look, is_tail: bool = False) -> str:
        if sign == " ":
            look = blank_look(look)
        found = self._codes.get((sign, look, is_tail))
        if found is None:
            found = self._codes[sign, look, is_tail] = chr(len(self._cells))
            self._cells.append(("" if is_tail else sign, look))
        return found

    # What only moved

    def _move_lines(self, span: tuple[int, int], lines: list[int], wanted: dict[int, str], pen: _Pen) -> None:
        """Has the terminal move whole lines up or down, where that leaves less to write."""
        if len(lines) < 4:
            return
        start, end = span
        top, bottom = min(lines), max(lines) + 1
        was = Counter(row[start:end] for row in self._rows[top:bottom])
        places = {row[start:end]: y for y, row in enumerate(self._rows[top:bottom], top)}
        steps = Counter(
            places[slice] - y for y in lines if was[slice := wanted[y][start:end]] == 1 and places[slice] != y
        )
        if not steps:
            return
        step, votes = steps.most_common(1)[0]
        if votes < 3:
            return
        fitting = [
            y for y in lines if top <= y + step < bottom and wanted[y][start:end] == self._rows[y + step][start:end]
        ]
        ends = [*fitting, *(y + step for y in fitting)]
        top, bottom = min(ends), max(ends) + 1
        here = self._rows[top:bottom]
        blank = [UNKNOWN * len(here[0])] * abs(step)
        moved = here[step:] + blank if step > 0 else blank + here[:step]
        goal = [wanted.get(y, row) for y, row in enumerate(here, top)]
        there = set("".join(here))
        if UNKNOWN in there:  # unknown cells would move along and stay wrong
            return
        if not self._odd.isdisjoint(there) or _differing(moved, goal) >= _differing(here, goal):
            return
        if self._cost(moved, goal) >= self._cost(here, goal):
            return
        pen.move_lines(top, bottom, step)
        self._rows[top:bottom] = moved
        wanted.update(enumerate(goal, top))

    def _cost(self, rows: Iterable[str], goal: Iterable[str]) -> int:
        """How long it would be to write lines over others."""
        pen = _Pen(self._cells, self._erases)
        for y, (old, new) in enumerate(zip(rows, goal, strict=True)):
            pen.write(y, old, new)
        return len(pen.output())

    def _move_cells(self, span: tuple[int, int], lines: list[int], wanted: dict[int, str], pen: _Pen) -> None:
        """Has the terminal move the cells of lines left or right, where that leaves less to write."""
        start, end = span
        steps: Counter[int] = Counter()
        for y in lines:
            old, new = self._rows[y][start:end], wanted[y][start:end]
            if sum(map(ne, old, new)) > LEAST_MOVED:
                steps.update(_steps(old, new))
        if not steps or steps.most_common(1)[0][1] < 3:
            return
        step = steps.most_common(1)[0][0]
        for y in lines:
            old, new = self._rows[y], wanted[y]
            first, last = _bounds(old[start:end], new[start:end])
            a, b = start + first, start + last
            if b - a <= abs(step) or not self._odd.isdisjoint(old):
                continue
            gap = UNKNOWN * abs(step)
            middle = old[a + step : b] + gap if step > 0 else gap + old[a : b + step]
            moved = old[:a] + middle + old[b:]
            if self._cost([moved], [new]) + MOVE_COST < self._cost([old], [new]):
                pen.move_cells(y, a, b, step, len(old))
                self._rows[y] = moved


def _columns_of(spans: dict[tuple[int, int], list[int]]) -> dict[tuple[int, int], list[int]]:
    """The lines of spans that begin alike, together, as far as all of them go: what lies over a corner parts no map."""
    found: dict[int, tuple[int, list[int]]] = {}
    for (start, end), lines in spans.items():
        nearest, more = found.get(start, (end, []))
        found[start] = min(end, nearest), [*more, *lines]
    return {(start, end): lines for start, (end, lines) in found.items()}


def _differing(rows: Iterable[str], goal: Iterable[str]) -> int:
    """How many cells would be written over: a quick look before the cost is worked out."""
    return sum(sum(map(ne, old, new)) for old, new in zip(rows, goal, strict=True))


def _bounds(old: str, new: str) -> tuple[int, int]:
    """The first place that differs, and the one after the last."""
    places = [x for x, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
    return (places[0], places[-1] + 1) if places else (0, 0)


def _steps(old: str, new: str) -> set[int]:
    """How far to the left the line may have moved, by what stands only once in it."""
    found = set()
    for place in range(0, len(new) - PROBE, PROBE):
        probe = new[place : place + PROBE]
        was = old.find(probe)
        if was >= 0 and was != place and old.find(probe, was + 1) < 0:
            found.add(was - place)
    return found


class _Run(NamedTuple):
    """Cells side by side that differ and are written in one look."""

    y: int
    start: int
    end: int
    look: Look
    text: str
    is_odd: bool = False
    """Whether terminals may not agree where it ends."""


def _by_colours(look: Look) -> tuple[str, list[str], str]:
    """The order in which looks differ least."""
    return look.ground, sorted(look.attributes), look.ink


def _is_odd(sign: str) -> bool:
    """Whether terminals may not agree where a sign ends, and for the second place of a sign that takes two."""
    return len(sign) != 1 or sign > "\uffff"


class _Pen:
    """Writes cells; knows where the terminal's cursor is and in which style it would write."""

    def __init__(self, cells: list[tuple[str, Look]], erases: bool) -> None:
        self._cells = cells
        self._erases = erases
        self._out: list[str] = []
        self._look = PLAIN
        self._x = self._y = -1
        self._erased = -1, 0, 0
        """Line, first column and the one after the last of the blanks that were erased last."""

    def write(self, y: int, old: str, new: str) -> None:
        """Writes the cells of a line that differ, from left to right."""
        self._write_runs(self._runs(y, old, new), {y: new})

    def write_lines(self, lines: Sequence[Line]) -> None:
        """Writes the cells of lines that differ: in reading order, or look by look where that takes less."""
        runs = [run for line in lines for run in self._runs(*line)]
        neighbours = list(pairwise(runs))
        changes = sum(one.look is not other.look for one, other in neighbours) + 1
        joints = sum(one.end == other.start and one.y == other.y for one, other in neighbours)
        looks = sorted({run.look for run in runs}, key=_by_colours)
        if (changes - len(looks)) * LOOK_COST > joints * STEP_COST:
            places = {look: place for place, look in enumerate(looks)}
            runs.sort(key=lambda run: places[run.look])
        self._write_runs(runs, {y: new for y, _, new in lines})

    def _runs(self, y: int, old: str, new: str) -> Iterator[_Run]:
        """The cells of a line that differ, in pieces of one look; blanks go with a sign beside them on their ground."""
        if old == new:
            return
        start = end = -1
        signs: list[str] = []
        run = PLAIN
        for x in compress(range(len(new)), map(ne, old, new)):
            sign, look = self._cells[ord(new[x])]
            is_odd = _is_odd(sign)
            if x == end and look is run and not is_odd:  # as most are
                signs.append(sign)
                end = x + 1
                continue
            if (
                is_odd
                or x != end
                or not (
                    look is run
                    or (sign == " " and look is blank_look(run))
                    or (run is blank_look(look) and not any(map(str.strip, signs)))
                )
            ):
                if signs:
                    yield _Run(y, start, end, run, "".join(signs))
                start, signs = x, []
            run = run if signs and sign == " " else look
            signs.append(sign)
            end = x + 1
            if is_odd:
                yield _Run(y, start, end, look, sign, is_odd=True)
                signs, end = [], -1
        if signs:
            yield _Run(y, start, end, run, "".join(signs))

    def _write_runs(self, runs: Iterable[_Run], rows: Mapping[int, str]) -> None:
        for run in runs:
            row, x = rows[run.y], run.start
            line, first, last = self._erased
            if run.y == line and first <= x < last:
                x = last
                if run.end <= last:
                    continue
            text = run.text[x - run.start :]
            for part in WORDS.findall(text) if self._erases and "  " in text else (text,):
                self._go(x, run.y, row)
                if run.look is not self._look:
                    sequence, self._look = between(self._look, run.look, not text.strip())
                    self._out.append(sequence)
                end = self._blanks_end(x, row) if part[:1] == " " else x
                if end > x:
                    self._erased = run.y, x, end
                    self._out.append(f"\x1b[{end - x}X")
                else:
                    self._out.append(part)
                    self._x = x + len(part)
                x += len(part)
            if run.is_odd or self._x == len(row):
                self._x = self._y = -1

    def _blanks_end(self, x: int, row: str) -> int:
        """The column after the blanks at `x` that can be erased; `x` where they are to be written."""
        code = row[x]
        if not self._erases or not row.startswith(code * ERASED, x) or self._cells[ord(code)][1].attributes:
            return x
        return len(row) - len(row[x:].lstrip(code))

    def _go(self, x: int, y: int, row: str) -> None:
        if (x, y) == (self._x, self._y):
            return
        if y == self._y and self._x < x:
            gap = [self._cells[ord(code)] for code in row[self._x : x]]
            if len(gap) <= BRIDGE and all(self._is_ready(text, look) for text, look in gap):
                self._out.append("".join(text for text, _ in gap))
            else:
                self._out.append(f"\x1b[{x - self._x}C" if x - self._x > 1 else "\x1b[C")
        elif y == self._y and self._x - x < 5:
            self._out.append("\b" * (self._x - x))
        elif y == self._y + 1 and 0 <= self._x - x < 4:
            self._out.append("\x1b[B" + "\b" * (self._x - x))
        else:
            self._out.append(f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H")
        self._x, self._y = x, y

    def _is_ready(self, text: str, look: Look) -> bool:
        """Whether a sign can be written as things are."""
        if text == " ":
            return not between(self._look, look, True)[0]
        return look is self._look and text.isascii() and bool(text)

    def move_lines(self, top: int, bottom: int, step: int) -> None:
        """Moves the lines from `top` up to `bottom` upwards by so many, or downwards."""
        self._plain()
        sequence = f"\x1b[{step}M" if step > 0 else f"\x1b[{-step}L"
        self._out.append(f"\x1b[{top + 1};{bottom}r\x1b[{top + 1}H{sequence}\x1b[r")
        self._x = self._y = -1

    def move_cells(self, y: int, start: int, end: int, step: int, width: int) -> None:
        """Moves the cells of a line from `start` up to `end` leftwards by so many, or rightwards; the others stay."""
        self._plain()
        first, second = (start, end - step) if step > 0 else (end + step, start)
        far = abs(step)
        self._x = self._y = -1
        self._go(first, y, "")
        self._out.append(f"\x1b[{far}P")
        if step < 0 or end < width:
            self._out.append(f"\x1b[{second + 1}G\x1b[{far}@")
            self._x = second

    def _plain(self) -> None:
        """What the terminal clears takes the style's ground with some terminals, and not with others."""
        if self._look is not PLAIN:
            self._out.append("\x1b[m")
            self._look = PLAIN

    def output(self) -> str:
        """All that is to be written; the style afterwards is the plain one."""
        self._plain()
        return "".join(self._out)
