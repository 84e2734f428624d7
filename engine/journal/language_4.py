"""Rulesets of language 4, which named the weapon of empty hands where it was used, in language 5: innate weapons."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from engine.errors import Unreadable
from engine.toml_positions import STRING, Path
from engine.toml_reader import Document, parse

KINDS = {"weapon": ("weapons", '"melee"'), "counter_weapon": ("counter_weapons", '"melee"'), "empty_handed": ("", "")}
"""By old key: the new key with its value; empty for a key that is left out."""
BETWEEN = re.compile(r"[ \t]*=[ \t]*")
LINE_END = re.compile(r"[ \t]*(?:,[ \t]*|\r?\n|\Z)")


def with_innate_weapons(texts: Mapping[str, str]) -> dict[str, str]:
    """The files of a ruleset with `innate_weapons`; what is not TOML or names none stays as it is."""
    return {name: _rewritten(text) if any(key in text for key in KINDS) else text for name, text in texts.items()}


def _rewritten(text: str) -> str:
    try:
        document = parse(text, "")
    except Unreadable:
        return text
    text, innate = document.text, dict[str, None]()
    for path, start, weapon in sorted(_named(document), key=lambda one: -one[1]):
        value = STRING.match(text, start)
        begin = text.rfind(str(path[-1]), 0, start)
        new, kinds = KINDS[str(path[-1])]
        if value is None or BETWEEN.fullmatch(text, begin + len(str(path[-1])), start) is None:
            continue
        innate[weapon] = None
        end = value.end()
        if not new:
            after = LINE_END.match(text, end)
            end = after.end() if after else end
        text = text[:begin] + (f"{new} = {kinds}" if new else "") + text[end:]
    return f"innate_weapons = {json.dumps([*innate][::-1])}\n{text}" if innate else text


def _named(document: Document) -> Iterator[tuple[Path, int, str]]:
    """Where a reaction, a defence or an attack names a weapon, or the template of one."""
    for path, start in document.positions.values.items():
        match = STRING.match(document.text, start)
        is_of_reaction = path[0] in ("reaction", "template") or path[-1] != "weapon"
        if path[-1] in KINDS and match is not None and is_of_reaction:
            yield path, start, match[0].strip("'\"")
