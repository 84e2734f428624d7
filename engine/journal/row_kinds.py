"""The kinds of rows that a journal holds, each with its version: the tags of commands and events, undo and redo.

A file that was written stays readable. Who gives a kind other fields, or one of the values inside, gives its class the
next `version`, and `upcasters.UPCASTERS` what makes of a row of the version before one of this. A test holds the
classes against the list of each released format; docs/battles.md has the list of today (`scripts/write_tables.py`).
The values inside of rows, and the stamp of a batch, have no version.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle import events
from engine.battle.command import Command
from engine.battle.commands import command_list
from engine.battle.events import Event

COMMAND, EVENT = "command/", "event/"
UNDO, REDO = "undo", "redo"


def kind_of(value: Command | Event) -> str:
    """The kind of the row that holds a command or an event."""
    return KINDS[type(value)]


KINDS: Mapping[type[Command | Event], str] = {
    kind: f"{group}{kind.__struct_config__.tag}"
    for group, kinds in ((COMMAND, command_list.COMMANDS), (EVENT, events.EVENTS))
    for kind in kinds
}
COMMANDS: Mapping[str, type[Command]] = {KINDS[kind]: kind for kind in command_list.COMMANDS}
EVENTS: Mapping[str, type[Event]] = {KINDS[kind]: kind for kind in events.EVENTS}
VERSIONS: Mapping[str, int] = {UNDO: 1, REDO: 1, **{kind: row.version for row, kind in KINDS.items()}}
"""The version in which a row of each kind is written."""
