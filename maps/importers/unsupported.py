"""Formats of other tools that are not imported: told by what a file holds, so that the refusal can name them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

SCENE = "In Foundry, open the scene's menu, choose Export Data, and import that file"
UVTT = "Export it as Universal VTT (.dd2vtt, .uvtt) and import that file"
PACK = "a Foundry pack (a LevelDB folder)"
HEX_BOARD = re.compile(r"(\s*#[^\n]*\n)*\s*size\s+\d+\s+\d+\s*(\n|$)")
TILED = re.compile(r"<\s*map\b[^>]*\b(tiledversion|orientation)\s*=", re.DOTALL)
TILESET = re.compile(r"<\s*tileset\b")
HEAD = 4096
"""Characters in which a text says what it is."""
MOST_LINES = 5
"""Lines of a pack that are looked at."""


def unread_text(text: str) -> str:
    """What a text is that is not JSON and is not imported, as "a Tiled map (.tmx)" with what helps; "" if unknown."""
    head = text[:HEAD]
    if TILED.search(head):
        return "a Tiled map (.tmx)"
    if head.lstrip().startswith("<") and TILESET.search(head):
        return "a Tiled tileset (.tsx)"
    if HEX_BOARD.match(head):
        return "a MegaMek board (.board), which has hexes"
    return ""


def unread_json(value: Any) -> str:
    """What a parsed JSON value is that is not imported, with what helps; "" if unknown."""
    if not isinstance(value, dict):
        return ""
    return next((what for what, is_one in JSON_FORMATS.items() if is_one(value)), "")


def unread_lines(text: str) -> str:
    """What a text is whose lines are JSON each: a pack of Foundry's older kind; "" if it is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        first = [json.loads(line) for line in lines[:MOST_LINES]]
    except (ValueError, RecursionError):
        return ""
    if len(first) < 2 or not all(isinstance(one, dict) and "_id" in one for one in first):
        return ""
    return f"a Foundry pack (.db) with {len(lines)} entries. {SCENE}"


def unread_path(path: Path) -> str:
    """What a folder is, or a file in it, that is not imported: a pack of Foundry's newer kind; "" if it is none."""
    folder = path if path.is_dir() else path.parent
    if (folder / "CURRENT").is_file() and any(folder.glob("MANIFEST-*")):
        return f"{PACK if path.is_dir() else f'part of {PACK}'}. {SCENE}"
    return ""


def is_alchemist(value: dict[str, Any]) -> bool:
    """Whether a JSON object is Dungeon Alchemist's own; it has walls, as a Foundry scene."""
    walls = value.get("walls")
    first = walls[0] if isinstance(walls, list) and walls else None
    return isinstance(first, dict) and ("wall3D" in first or "wallSection" in first)


def _names(kind: str, *keys: str) -> Callable[[dict[str, Any]], bool]:
    return lambda value: value.get("type") == kind and all(key in value for key in keys)


def _has(*keys: str) -> Callable[[dict[str, Any]], bool]:
    return lambda value: all(key in value for key in keys)


JSON_FORMATS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "a Tiled map (.tmj)": lambda value: "layers" in value and ("tilewidth" in value or "tiledversion" in value),
    "a Tiled tileset (.tsj)": _names("tileset", "tilewidth"),
    "Dungeon Alchemist's own JSON. Export it for Foundry and import that file": is_alchemist,
    f"a Foundry adventure. {SCENE}": lambda value: isinstance(value.get("scenes"), list) and "journal" in value,
    "donjon's dungeon as JSON. Download it as TSV and import that file": _has("cells", "cell_bit"),
    f"a Dungeondraft map. {UVTT}": lambda value: "world" in value and isinstance(value.get("header"), dict),
    "a town or region of Watabou's, which has no squares": _names("FeatureCollection", "features"),
}
"""What a JSON object is, and how that is told."""
