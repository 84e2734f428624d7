"""Rulesets of language 2, whose stats say label and default alone, in language 3: kind, bounds, group and help."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from engine.errors import Unreadable
from engine.toml_reader import MOST_NUMBER, Document, parse

OPENING = re.compile(r"[^\n{,]*\Z")
"""What stands before a key: its indentation, and the table of a dotted key."""
GROUP, HELP = "Stats", "From a battle that began before stats had help."
BOUNDS = {"min": -MOST_NUMBER, "max": MOST_NUMBER}


def with_whole_stats(texts: Mapping[str, str]) -> dict[str, str]:
    """The files of a ruleset with what stats have to say today; what is not TOML stays as it is, for the reader."""
    documents: dict[str, Document] = {}
    for name, text in texts.items():
        try:
            documents[name] = parse(text, "")
        except Unreadable:
            continue
    written = {name: [*_words(document.tables)] for name, document in documents.items()}
    words = [one for found in written.values() for one in found]
    return {name: _rewritten(documents[name], words) if name in documents else text for name, text in texts.items()}


def _rewritten(document: Document, words: list[tuple[str, str]]) -> str:
    """A file with what its stats lack; `words` are stats with words that sheets and equipment give them."""
    text = document.text
    stats = document.tables.get("stat")
    if not isinstance(stats, dict):
        return text
    places = {path[1]: at for path, at in document.positions.keys.items() if (*path[::2],) == ("stat", "default")}
    for name, at in sorted(places.items(), key=lambda place: -place[1]):
        more = _lacking(stats[name], [word for stat, word in words if stat == name])
        before = OPENING.search(text, text.rfind("\n", 0, at) + 1, at)
        opening = before[0] if before else ""
        end = "\n" if at == len(opening) or text[at - len(opening) - 1] == "\n" else ", "
        added = "".join(f"{opening.strip()}{key} = {value}{end}" for key, value in more.items())
        start = at - len(opening.lstrip())
        text = text[:start] + added + text[start:]
    return text


def _lacking(stat: Mapping[str, object], words: list[str]) -> dict[str, str]:
    """The keys that a stat lacks, with their values as TOML."""
    match stat["default"]:
        case bool():
            own: dict[str, object] = {"kind": "flag"}
        case str() as word:
            own = {"kind": "choice", "choices": dict.fromkeys((word, *words))}
        case int() | Fraction():
            own = {"kind": "number", **BOUNDS}
        case _:
            own = {}
    found = {key: value for key, value in {**own, "group": GROUP, "help": HELP}.items() if key not in stat}
    return {key: _toml(value) for key, value in found.items()}


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_toml(word)} = {_toml(word)}' for word in value)} }}"
    return json.dumps(value, ensure_ascii=False)


def _words(tables: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Stats with the words that sheets, armour and accessories give them."""
    for kind in ("sheet", "armour", "accessory"):
        entries = tables.get(kind)
        for entry in entries if isinstance(entries, list) else ():
            stats = entry.get("stats") if isinstance(entry, dict) else None
            for name, value in stats.items() if isinstance(stats, dict) else ():
                if isinstance(value, str):
                    yield name, value
