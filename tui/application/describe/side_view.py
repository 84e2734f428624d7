"""Side view in characters: height scale, terrain, objects, walls, bodies and the line of sight."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from msgspec import Struct

from engine.geometry.battlefield import SKY, Height
from engine.geometry.los.profile import Figure, Profile, Stretch
from engine.geometry.los.sight_sentence import SIGN
from engine.geometry.los.trace import Trace
from engine.text import verb
from engine.values import replace

LEAST_COLUMNS, LEAST_ROWS = 24, 5
STEPS = (50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 1000000, 10000000)
"""Heights that the scale may count in."""


class Signs(Struct, frozen=True):
    """What the drawing is made of; all one cell wide."""

    ground: str
    thing: str
    wall: str
    smoke: str
    """Thin, then thick."""
    line: str
    unseen: str
    """The line past the point where sight ends."""
    axis: str
    observer: str = "A"
    target: str = "B"
    other: str = "o"
    sight_ends: str = "X"
    shot_ends: str = "x"


UNICODE = Signs("█", "▓", "┃", "░▒", "•", "·", "┤")
ASCII = Signs("#", "%", "|", ":;", "*", ".", "|")


class _Frame(Struct, frozen=True):
    """Where squares and heights lie in the drawing: columns from the left, cells from the bottom."""

    columns: int
    cells: int
    length: Fraction
    low: Fraction
    """Height of the lower edge of the lowest cell."""
    cell: Fraction
    """Height of one cell."""

    def column(self, share: Fraction) -> int:
        place = (share * self.length + Fraction(1, 2)) / (self.length + 1)
        return max(0, min(self.columns - 1, floor(place * self.columns)))

    def share(self, column: int) -> Fraction:
        """The share of the way at the middle of a column, from 0 to 1."""
        if not self.length:
            return Fraction(0)
        place = Fraction(2 * column + 1, 2 * self.columns) * (self.length + 1) - Fraction(1, 2)
        return max(Fraction(0), min(Fraction(1), place / self.length))

    def level(self, height: Fraction | Height) -> int:
        """Cells that lie below a height, to the nearest."""
        return max(0, min(self.cells, floor((height - self.low) / self.cell + Fraction(1, 2))))

    def cell_at(self, height: Fraction | Height) -> int:
        """The cell that a height lies in."""
        return max(0, min(self.cells - 1, floor((height - self.low) / self.cell)))


def drawn(
    profile: Profile,
    columns: int = 78,
    rows: int = 12,
    *,
    is_ascii: bool = False,
    letters: tuple[str, str] = ("A", "B"),
) -> list[str]:
    """The side view in at most that many rows of at most that many columns, the observer on the left, A, B the target.

    What is lower than a cell is drawn one cell high; what reaches far over both bodies is cut off at the top, and so is
    ground far below them at the bottom. The last row names squares, as many as there is room for.

    Args:
        profile: what to draw.
        columns: 24 or more.
        rows: 5 or more.
        is_ascii: whether to draw with plain characters.
        letters: what stands for observer and target.

    Raises:
        ValueError: there is less room than that.
    """
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        raise ValueError(f"{columns} by {rows} is too small; a side view needs {LEAST_COLUMNS} by {LEAST_ROWS}")
    signs = replace(ASCII if is_ascii else UNICODE, observer=letters[0], target=letters[1])
    low, high = _extent(profile)
    cells = rows - 1
    cell = max(high - low, Fraction(1)) / (cells - 1)
    labels = _scale(profile.unit, low - cell, cell, cells)
    gutter = max(map(len, labels.values())) + 1
    frame = _Frame(columns - gutter - 1, cells, profile.length, low - cell, cell)
    grid = [[" "] * frame.columns for _ in range(cells)]
    _draw_ground(grid, frame, profile, signs)
    _draw_bodies(grid, frame, profile, signs)
    _draw_line(grid, frame, profile, signs)
    lines = [
        (labels.get(level, "").rjust(gutter) + (signs.axis if level in labels else "|" if is_ascii else "│")).ljust(
            gutter + 1
        )
        + "".join(grid[level])
        for level in reversed(range(cells))
    ]
    return [line.rstrip() for line in [*lines, " " * (gutter + 1) + _names(frame, profile)]]


def key(line: Trace, observer: str, target: str, letters: tuple[str, str] = ("A", "B")) -> str:
    """Key of the side view: names of observer and target, and cover beside the line."""
    said = f"Line from eye to eye: {letters[0]} is {observer}, {letters[1]} is {target}"
    cover = line.cover
    if cover is None or any((one.edge or one.square) == (cover.edge or cover.square) for one in line.crossings):
        return said
    lies = "lies" if cover.is_body else verb(cover.name, "lies", "lie")
    covers = "cover" if lies == "lie" else "covers"
    return f"{said}; {cover.phrase} {lies} beside this line and {covers} a part of {letters[1]}"


def _extent(profile: Profile) -> tuple[Fraction, Fraction]:
    """The lowest and the highest height to draw: both bodies, and what lies not far below and above them."""
    ends = (profile.observer, profile.target)
    low, middle = min(figure.feet for figure in ends), max(figure.crown for figure in ends)
    deep = min(stretch.ground for stretch in profile.stretches)
    low = max(min(low, deep), 2 * low - middle)
    tops = [stretch.top for stretch in profile.stretches]
    tops += [top for upright in profile.uprights for _, top in upright.solids]
    tops += [figure.crown for figure in profile.others]
    most = middle + max((middle - low) // 3, profile.target.crown - profile.target.feet)
    high = max([middle, *(top for top in tops if top < SKY)])
    return Fraction(low), Fraction(min(most, high))


def _draw_ground(grid: list[list[str]], frame: _Frame, profile: Profile, signs: Signs) -> None:
    """Ground and what stands on it, smoke in the air over it, then the thin things between squares."""
    for column in range(frame.columns):
        stretch = _stretch_at(profile, frame.share(column))
        ground = frame.level(stretch.ground)
        top = ground if stretch.top <= stretch.ground else max(ground + 1, frame.level(stretch.top))
        air = signs.smoke[min(stretch.smoke, 2) - 1] if stretch.smoke else " "
        for level in range(frame.cells):
            grid[level][column] = signs.ground if level < ground else signs.thing if level < top else air
    for upright in profile.uprights:
        column = frame.column(upright.at)
        for bottom, top in upright.solids:
            lowest = frame.level(max(bottom, upright.base))
            for level in range(lowest, max(lowest + 1, frame.level(top))):
                if level < frame.cells:
                    grid[level][column] = signs.wall


def _stretch_at(profile: Profile, share: Fraction) -> Stretch:
    for stretch in profile.stretches:
        if share <= stretch.end:
            return stretch
    return profile.stretches[-1]


def _draw_bodies(grid: list[list[str]], frame: _Frame, profile: Profile, signs: Signs) -> None:
    """Bodies from feet to crown, each in one column; two in one place side by side."""
    for figure in profile.others:
        _stand(grid, frame, figure, frame.column((figure.start + figure.end) / 2), signs.other)
    aside = 0 if profile.length else 1
    _stand(grid, frame, profile.observer, frame.column(Fraction(0)) - aside, signs.observer)
    _stand(grid, frame, profile.target, frame.column(Fraction(1)) + aside, signs.target)


def _stand(grid: list[list[str]], frame: _Frame, figure: Figure, column: int, sign: str) -> None:
    feet = min(frame.level(figure.feet), frame.cell_at(figure.eyes))
    for level in range(feet, max(frame.cell_at(figure.eyes) + 1, frame.level(figure.crown))):
        grid[level][column] = sign


def _draw_line(grid: list[list[str]], frame: _Frame, profile: Profile, signs: Signs) -> None:
    """The line between the two bodies: over everything as far as it goes, through the air alone where it does not."""
    if not profile.length:
        return
    first, last = frame.column(Fraction(0)), frame.column(Fraction(1))
    eye, rise = profile.observer.eyes, profile.target.eyes - profile.observer.eyes
    for column in range(first + 1, last):
        share = frame.share(column)
        cell = frame.cell_at(eye + rise * share)
        if profile.sight_ends is None or share < profile.sight_ends:
            if grid[cell][column] != signs.other:
                grid[cell][column] = signs.line
        elif grid[cell][column] in (" ", *signs.smoke):
            grid[cell][column] = signs.unseen
    for end, sign in ((profile.shot_ends, signs.shot_ends), (profile.sight_ends, signs.sight_ends)):
        if end is not None:
            column = max(first + 1, min(last - 1, frame.column(end)))
            grid[frame.cell_at(eye + rise * end)][column] = sign


def _scale(unit: str, low: Fraction, cell: Fraction, cells: int) -> dict[int, str]:
    """The labels of the scale by their cells from the bottom: round heights, not in every row."""
    step = next((step for step in STEPS if step >= 2 * cell), STEPS[-1])
    found: dict[int, str] = {}
    number = -floor(-low / step)
    while (level := floor((number * step - low) / cell)) < cells:
        found[level] = f"{number * step / 100:g} {SIGN[unit]}"
        number += 1
    return found or {0: f"{float(low) / 100:.1f} {SIGN[unit]}"}


def _names(frame: _Frame, profile: Profile) -> str:
    """Names of squares under their stretches: the two ends first, then those between that fit."""
    row = [" "] * frame.columns
    stretches = profile.stretches
    for stretch in (stretches[0], stretches[-1], *stretches[1:-1]):
        name = stretch.square.name
        middle = (stretch.start + stretch.end) / 2
        middle = Fraction(0) if stretch is stretches[0] else Fraction(1) if stretch is stretches[-1] else middle
        start = max(0, min(frame.columns - len(name), frame.column(middle) - (len(name) - 1) // 2))
        if all(sign == " " for sign in row[max(0, start - 1) : start + len(name) + 1]):
            row[start : start + len(name)] = name
    return "".join(row)
