"""What the check of map files says of the map that a battle's terrain would be saved as."""

from __future__ import annotations

import re

from msgspec import Struct

from engine.errors import BattleboardError, Unreadable
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import NotASquare, Square, parse_square
from engine.journal.session import Session
from maps import idle_parts, parse_map, write_map
from tui.application.library.save_as_map import map_of

FILE = "map.toml"
ZONE = re.compile(r"\bzone (\S+)")


class MapFinding(Struct, frozen=True):
    """Something of a map that is wrong, or that changes nothing."""

    words: str
    at: Square | None
    """Where it is; None where it has no one place."""
    is_error: bool = False
    """Whether the map cannot be saved."""


def map_findings(session: Session) -> tuple[MapFinding, ...]:
    """What `battleboard check` would say of the battle's terrain and units as a map: errors, else warnings."""
    battle, is_error = session.battle, False
    try:
        drawn = parse_map(write_map(map_of(session, battle.field.name)), FILE)
        words = [problem.message for problem in idle_parts(drawn, FILE)]
    except Unreadable as unreadable:
        words, is_error = [problem.message for problem in unreadable.problems], True
    except BattleboardError as reason:
        words, is_error = [str(reason)], True
    return tuple(MapFinding(said, _place_in(said, battle.field), is_error) for said in dict.fromkeys(words))


def _place_in(words: str, field: Battlefield) -> Square | None:
    """The first square that a message names, or the corner of the first zone."""
    for word in words.split():
        try:
            square = parse_square(word.strip(".,:;'“”"))
        except NotASquare:
            continue
        return Square(min(square.column, field.columns - 1), min(square.row, field.rows - 1))
    named = ZONE.search(words)
    return next((zone.corner for zone in field.zones if named and zone.id == named[1].rstrip(".,:;")), None)
