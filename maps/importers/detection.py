"""The formats of other tools that are imported, and which one a text is in: by what it holds, never by its name."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

from msgspec import Struct

from engine.errors import BattleboardError
from maps.importers.donjon import is_donjon, read_donjon
from maps.importers.foundry import is_foundry, read_foundry
from maps.importers.plan import Imported, Sketch
from maps.importers.text_maps import is_drawn, read_drawn
from maps.importers.unsupported import unread_json, unread_lines, unread_text
from maps.importers.uvtt import is_uvtt, read_uvtt
from maps.importers.watabou import is_watabou, read_watabou


class Format(Struct, frozen=True):
    """A format that is imported. What it recognises and reads is the parsed JSON object, or the text."""

    name: str
    recognises: Callable[[Any], bool]
    reads: Callable[[Any, Sketch], Imported]
    is_json: bool = True


FORMATS = (
    Format("Universal VTT (.dd2vtt, .uvtt, .df2vtt)", is_uvtt, read_uvtt),
    Format("Foundry scenes (JSON)", is_foundry, read_foundry),
    Format("One Page Dungeons (JSON)", is_watabou, read_watabou),
    Format("donjon's dungeons (TSV)", is_donjon, read_donjon, is_json=False),
    Format("maps drawn in characters", is_drawn, read_drawn, is_json=False),
)
"""The first that recognises a file reads it; what none does is refused, by name where `unsupported` knows it."""
*_FIRST, _LAST = (format.name for format in FORMATS)
IMPORTED = f"battleboard imports {', '.join(_FIRST)} and {_LAST}"

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
    size, unit = (scale.square_size, scale.unit) if scale else (0, "")
    sketch = Sketch(file, name, size, unit, level, IMPORTED)
    is_json = text.lstrip().startswith(("{", "["))
    if not is_json and len(text) > MOST_TEXT:
        sketch.refuse(f"it is too large for a map; at most {MOST_TEXT:,} characters are read")
    content: Any = _json(text, file) if is_json else text
    for one in FORMATS:
        if one.is_json == is_json and one.recognises(content):
            return one.reads(content, sketch)
    what = unread_json(content) if is_json else unread_text(content)
    raise BattleboardError(refusal(file, what or "JSON of a kind that is not known here"))


def refusal(file: str, what: str) -> str:
    """The sentence that names a file's format and those that are imported."""
    is_what, _, helps = what.partition(". ")
    return f"{file} is {is_what}; {IMPORTED}.{f' {helps}.' if helps else ''}"


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
