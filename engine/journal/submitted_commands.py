"""A command as the journal keeps it, in front of the events that it led to, with what was answered. And an undo or a
redo, which is a row of its own. Who gave it, and when, says the stamp of the batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from engine.answers import Given
from engine.battle.command import Command
from engine.battle.state.codec import from_json, to_json
from engine.bounds import MOST_TEXT, Position
from engine.journal.row_kinds import COMMANDS, kind_of
from engine.text import clean
from engine.values import Stored


class SubmittedCommand(Struct, frozen=True):
    """A command, and the answers that people gave for it."""

    command: Command
    answers: Given = ()
    corrects: int = 0
    """The batch that it takes the place of; 0 for none."""


class CommandBody(Stored, frozen=True):
    """Body of a command's row; the command's own fields are read by its kind."""

    fields: Mapping[str, Any]
    answers: Given
    corrects: Position


class UndoRedoBody(Stored, frozen=True):
    """Body of an undo or redo row: the batch that it undoes or redoes, 0 for any."""

    batch: Position = 0


def write_command(submitted: SubmittedCommand) -> tuple[str, dict[str, Any]]:
    """Kind and body of a command's row; what was typed into it is made plain, as it is in the events."""
    answers = [
        {name: item for name, item in to_json(one).items() if item is not None and item is not False}
        for one in submitted.answers
    ]
    fields = to_json(submitted.command)
    del fields[submitted.command.__struct_config__.tag_field]
    body = {"fields": fields, "answers": answers}
    return kind_of(submitted.command), {**_plain(body), "corrects": submitted.corrects}


def _plain(value: Any) -> Any:
    match value:
        case str():
            return clean(value, MOST_TEXT)[:MOST_TEXT]
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {_plain(key): _plain(item) for key, item in value.items()}
    return value


def read_command(kind: str, body: Mapping[str, Any]) -> SubmittedCommand:
    """A command from its row.

    Raises:
        ValueError: not a command of ours.
    """
    if kind not in COMMANDS:
        raise ValueError(f"unknown command kind {kind!r}")
    found = from_json(CommandBody, dict(body))
    command: Command = from_json(COMMANDS[kind], dict(found.fields))
    return SubmittedCommand(command, found.answers, found.corrects)
