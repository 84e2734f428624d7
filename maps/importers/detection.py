"""Which tool a text is from, by what it holds and never by its name, and who reads it."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from msgspec import Struct

from engine.errors import BattleboardError
from maps.importers.donjon import is_donjon, read_donjon
from maps.importers.foundry import read_foundry
from maps.importers.plan import Imported, Sketch
from maps.importers.text_maps import read_drawn
from maps.importers.unsupported import IMPORTED, refusal, unread_json, unread_lines, unread_text
from maps.importers.uvtt import read_uvtt
from maps.importers.watabou import read_watabou

MOST_TEXT = 4_000_000
"""Characters of a map that is drawn or in words; the largest box of + - and | has half as many."""
MOST_VALUES = 1_000_000
"""Values in JSON, counted roughly by brackets and commas before any of it is read."""
MOST_DIGITS = 40
"""Of a whole number."""


class Scale(Struct, frozen=True):
    """What most files do not say: the side of a square, in hundredths of the unit."""

    square_size: int = 500
    unit: str = "feet"


def import_map(text: str, file: str, name: str, scale: Scale | None = None, level: str = "") -> Imported:
    """The map in a text of another tool.

    Args:
        text: the whole file.
        file: its name, for messages.
        name: what the map is called where the file does not say.
        scale: of a square, where the Game Master says it; None: as the file says, else five feet.
        level: which level of a scene that has several, by name; "": the one that it opens with.

    Raises:
        BattleboardError: it is none, or one that cannot be carried over; nothing of it was taken.
    """
    sketch = Sketch(file, name, scale.square_size if scale else 0, scale.unit if scale else "")
    if not text.lstrip().startswith(("{", "[")):
        if len(text) > MOST_TEXT:
            sketch.refuse(f"it is too large for a map; at most {MOST_TEXT:,} characters are read")
        if what := unread_text(text):
            raise BattleboardError(refusal(file, what))
        return read_donjon(text, sketch) if is_donjon(text) else read_drawn(text, sketch)
    value = _json(text, file)
    if "line_of_sight" in value and "resolution" in value:
        return read_uvtt(value, sketch)
    if what := unread_json(value):
        raise BattleboardError(refusal(file, what))
    if "walls" in value and "grid" in value:
        return read_foundry(value, sketch, level)
    if "rects" in value and "doors" in value:
        return read_watabou(value, sketch)
    raise BattleboardError(refusal(file, "JSON of a kind that is not known here"))


def _json(text: str, file: str) -> dict[str, Any]:
    if sum(map(text.count, "[{,")) > MOST_VALUES:
        raise BattleboardError(f"{file} holds too many values for a map; at most {MOST_VALUES:,} are read.")
    try:
        value = json.loads(text, parse_int=_whole, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        if what := unread_lines(text):
            raise BattleboardError(refusal(file, what)) from None
        raise BattleboardError(f"{file}:{error.lineno}:{error.colno}: this is not JSON: {error.msg}.") from None
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:120]
        raise BattleboardError(f"{file} cannot be read as a map: {why}.") from None
    if not isinstance(value, dict):
        raise BattleboardError(f"{file} holds no single map; {IMPORTED}.")
    return value


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number in it has {len(digits.lstrip('-')):,} digits; at most {MOST_DIGITS} are read")
    return int(digits)
