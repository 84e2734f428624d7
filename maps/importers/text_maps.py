"""Maps drawn in characters, as roguelikes have them or as boxes of + - and |: the text becomes a map's drawing."""

from __future__ import annotations

import re
from collections import Counter
from math import ceil

import tomli_w

from engine.errors import Unreadable
from engine.geometry.battlefield import MAX_COLUMNS, MAX_ROWS
from engine.text import clean
from engine.values import replace
from maps import kinds
from maps.importers.plan import MOST_NAME, NEAREST, Imported, Sketch, areas, areas_text
from maps.importers.unsupported import unread_text
from maps.model import FLOOR, OUTSIDE
from maps.reader import parse_map
from maps.writer import figure

BOX = re.compile(r"( {4})*\+(-.-\+|   \+)+")
"""The first line of a map with thin walls; no two ways of it match the same text, which would take ages."""
BOX_PITCH = 4
"""Characters that a square of such a map takes across."""
FIGURE = "@"
"""The player's figure in other games."""
ALIKE = {"|": "#", "-": "#", FIGURE: FLOOR, "_": FLOOR, "·": FLOOR, "█": "#", "▒": "#"}
"""What other games write for the same."""
DOORS = "+'"
WALLS = "#" + DOORS + OUTSIDE
LEAST_SHARE = 0.5
"""Of the characters, that have to mean something for a text to be a map."""


def is_drawn(text: str) -> bool:
    """Whether a text is not known to be anything else."""
    return not unread_text(text)


def read_drawn(text: str, sketch: Sketch) -> Imported:
    """The map of such a text; characters that mean nothing become floor."""
    rows = [line.rstrip() for line in text.expandtabs(1).splitlines()]
    while rows and not rows[0]:
        rows.pop(0)
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        sketch.refuse("it is empty; expected a map")
    is_box = BOX.fullmatch(rows[0]) is not None
    wide = max(map(len, rows))
    most_rows, most_wide = (2 * MAX_ROWS + 1, 4 * MAX_COLUMNS + 1) if is_box else (MAX_ROWS, MAX_COLUMNS)
    if len(rows) > most_rows or wide > most_wide:
        sketch.refuse(f"it is larger than {MAX_COLUMNS} by {MAX_ROWS} squares")
    if not is_box:
        rows = _known(rows, sketch)
    if not sketch.square_size:
        sketch.square_size, sketch.unit = NEAREST["feet"], "feet"
        sketch.notes.append("The file has no scale: a square is 5 feet. --square and --unit say otherwise.")
    head = tomli_w.dumps({"format": 1, "name": clean(sketch.name, MOST_NAME) or "Imported map"})
    scale = tomli_w.dumps({"square": figure(sketch.square_size), "unit": sketch.unit})
    columns = ceil((wide - 1) / BOX_PITCH) if is_box else wide
    start = f"{head}[scale]\n{scale}[map]\ncolumns = {columns}\n{'drawn' if is_box else 'squares'} = '''\n"
    whole = "\n".join([*rows, ""]).replace("'''", "...")
    try:
        found = parse_map(f"{start}{whole}'''\n", sketch.file)
    except Unreadable as error:
        skipped = start.count("\n")
        moved = (replace(problem, line=max(1, problem.line - skipped)) for problem in error.problems)
        raise Unreadable(sketch.file, moved) from None
    field = found.battlefield
    sketch.notes.append(f"{field.columns} by {field.rows} squares; closed areas: {areas_text(areas(field))}.")
    return Imported(found, tuple(sketch.notes))


def _known(rows: list[str], sketch: Sketch) -> list[str]:
    """The rows in the usual characters; doors that hang nowhere become floor."""
    wide = max(map(len, rows))
    strangers: Counter[str] = Counter()
    plain: list[list[str]] = []
    for row in rows:
        line = []
        for glyph in row.ljust(wide):
            glyph = ALIKE.get(glyph, glyph)
            if glyph not in kinds.SQUARE_GLYPHS and glyph != OUTSIDE:
                strangers[glyph] += 1
                glyph = FLOOR
            line.append(glyph)
        plain.append(line)
    drawn = sum(glyph != OUTSIDE for line in plain for glyph in line)
    if sum(strangers.values()) > drawn * LEAST_SHARE:
        sketch.refuse(f"most of its characters mean nothing on a map drawn in characters; {sketch.imported}")
    loose = [(row, column) for row, line in enumerate(plain) for column, glyph in enumerate(line)
             if glyph in DOORS and not _hangs(plain, row, column)]  # fmt: skip
    for down, right in loose:
        plain[down][right] = FLOOR
    if loose:
        sketch.notes.append(f"{len(loose)} doors between no two walls became floor.")
    if any(FIGURE in row for row in rows):
        sketch.notes.append(f"{FIGURE} became floor: figures are not imported.")
    if strangers:
        listed = " ".join(clean(glyph, 2) or "?" for glyph in sorted(strangers)[:20])
        sketch.notes.append(f"Characters that mean nothing here became floor: {listed}.")
    return ["".join(line).rstrip() for line in plain]


def _hangs(rows: list[list[str]], row: int, column: int) -> bool:
    """Whether a door has more wall on two opposite sides than on the others."""

    def is_wall(down: int, right: int) -> bool:
        inside = 0 <= row + down < len(rows) and 0 <= column + right < len(rows[0])
        return not inside or rows[row + down][column + right] in WALLS

    return is_wall(0, -1) + is_wall(0, 1) != is_wall(-1, 0) + is_wall(1, 0)
