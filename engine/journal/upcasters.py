"""Upcasters: rows, maps and rules of earlier versions in today's form.

Rows of format 1 are another matter, see `format_1`; here they are of format 2 already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from engine.battle.state.battle import PLAYERS
from engine.journal.language_2 import with_whole_stats
from engine.journal.language_4 import with_innate_weapons
from engine.journal.row_kinds import VERSIONS
from engine.rules.renamed_words import with_new_words, with_restrictions

Body = Mapping[str, Any]
Texts = Mapping[str, str]

UPCASTERS: dict[tuple[str, int], Callable[[Body], Body]] = dict.fromkeys(
    (
        ("command/add-group", 1),  # a unit may have a character since; without one, the default says it
        ("command/add-unit", 1),
        ("command/draw", 1),  # it may have more kinds of edits since
        ("command/edit-units", 1),
        ("command/edit-units", 2),
        ("command/set-turn", 1),
        ("event/battle-began", 1),
        ("event/initiative-rolled", 1),  # whose it is was its name alone
        ("event/tie-rolled", 1),
        ("event/turn-given", 1),  # it ended all turns that were interrupted, and the closing part of the round
        ("event/turn-waits", 1),
        ("event/units-added", 1),
        ("event/units-added", 2),  # a unit has a full name beside its name since
        ("event/battle-began", 2),
        ("event/unit-moved", 1),  # before, a flyer's altitude stayed as it was
        ("event/unit-pushed", 1),
    ),
    lambda body: body,
) | {
    ("event/letters-given", 1): lambda body: _with_badges(body.get("letters", {})),
    ("event/action-taken", 1): lambda body: _renamed(body, "goes_on", "resumes"),
    ("event/unit-turned", 1): lambda body: _renamed(body, "is_wish", "is_chosen"),
}
"""By kind and version, what makes of such a row's body one of the next version; what does not fit it leaves for the
reader to refuse."""


def _renamed(body: Body, old: str, new: str) -> Body:
    """The body with another name of a field."""
    return {new if key == old else key: value for key, value in body.items()}


def _with_badges(letters: Mapping[str, str]) -> Body:
    """The letters of the units that players had seen, whose names were the same for all; those unseen had digits."""
    return {"badges": letters, "seen_as": {PLAYERS: letters}}


class TextUpcaster(Struct, frozen=True):
    """What makes of the texts that a battle began with those of the next language: renamed words, new keys."""

    map: Callable[[str], str] = lambda text: text
    ruleset: Callable[[Texts], Texts] = lambda texts: texts


TEXTS: list[TextUpcaster] = [
    TextUpcaster(ruleset=with_new_words),
    TextUpcaster(ruleset=with_whole_stats),
    TextUpcaster(ruleset=with_restrictions),
    TextUpcaster(ruleset=with_innate_weapons),
]
"""The first is for texts of language 1, the second for those of language 2, and so on."""


def language() -> str:
    """In which language maps and rules are written today."""
    return str(1 + len(TEXTS))


def upcast(kind: str, version: int, body: Body) -> Body:
    """The body of a row as today's version writes it.

    Raises:
        ValueError: nothing is known of this version.
    """
    today = VERSIONS.get(kind, 1)
    while version != today:
        change = UPCASTERS.get((kind, version))
        if change is None or version > today:
            raise ValueError(f"{kind} has version {version}; this battleboard reads version {today}")
        body, version = change(body), version + 1
    return body


def upcast_texts(written: str, map_text: str, ruleset_texts: Texts) -> tuple[str, Texts]:
    """The map and the rules that a battle began with, in today's language.

    Raises:
        ValueError: they are in a language that is not known.
    """
    if not written.isascii() or not written.isdecimal() or not 1 <= int(written[:9]) <= 1 + len(TEXTS):
        raise ValueError(f"its map and rules use language {written[:9]!r}; this battleboard reads {language()}")
    for upcaster in TEXTS[int(written) - 1 :]:
        map_text, ruleset_texts = upcaster.map(map_text), upcaster.ruleset(ruleset_texts)
    return map_text, ruleset_texts
