"""Check of a battle's file when the battle is left, and a new file if it is incomplete."""

from __future__ import annotations

import uuid

from engine.errors import BattleboardError
from engine.journal.batches import Batch
from engine.journal.history import command_rows, event_rows
from engine.journal.session import Session
from engine.journal.store import OpenElsewhere
from engine.text import visible
from engine.values import replace
from tui.application.library.battle_files import free_path, stamp
from tui.application.settings.folders import data_folder
from tui.application.terminal.version import version


def rescue(session: Session) -> tuple[str, int]:
    """Reads the file of a battle that is left, and writes the battle into a new file if it is incomplete.

    Args:
        session: the battle; it may be closed already.

    Returns:
        A message for the Game Master, and the exit status: "" and 0 if the file holds every command; also 0 if another
        program blocks the file, as no fault is known then.
    """
    journal = session.journal
    if not journal.is_writer:
        return "", 0
    path = visible(str(journal.path))
    try:
        if not (fault := journal.fault()):
            return "", 0
    except OpenElsewhere:
        return f"{path} is being used by another program; it was not checked.", 0
    from tui.application.exports.restore import keep_rows  # with all that reads a record

    header = replace(journal.header, battle_id=str(uuid.uuid4()), version=version())
    batches: list[Batch] = []
    for step in session.history.steps():
        commands = (replace(one, corrects=0) for one in step.commands)  # only what counts is written
        batches.append(Batch([*command_rows(*commands), *event_rows(step.events)], stamp()))
    lost = f"{path} does not contain the whole battle: {fault}."
    try:
        rescued = keep_rows(header, batches, free_path(data_folder() / "battles", header.title))
    except BattleboardError as reason:
        return f"{lost} A new file could not be written either. {reason}", 1
    return f"{lost} It is saved to a new file: “battleboard play {rescued.stem}” continues it.", 1


def is_held(session: Session) -> bool:
    """Whether a battle's file was read and is complete."""
    try:
        return not session.journal.fault()
    except OpenElsewhere:
        return False


def saved_message(session: Session) -> str:
    """Message that a battle is saved, and how to continue it; "" if its file is incomplete."""
    if not is_held(session):
        return ""
    name = session.journal.path.stem
    if session.battle.is_finished:
        return f"Saved as {name}, finished. “battleboard” opens the library."
    named = f"“battleboard play '{name}'”" if " " in name else f"“battleboard play {name}”"
    return f"Saved as {name}. “battleboard” continues the latest battle, {named} this one."
