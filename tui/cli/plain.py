"""The board without a screen: a conversation line by line, for screen readers, pipes, scripts and slow lines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from engine.battle.commands.order_commands import RollInitiative
from engine.battle.views.view import project
from engine.errors import BattleboardError
from engine.journal.session import Session
from engine.journal.store import CannotSave, OpenElsewhere
from tui.application.commands.order import declare_words, declaring_sides, parse_declared
from tui.application.commands.questions import turn_words
from tui.application.commands.registry import BY_WORD, hear
from tui.application.commands.results import NewEncounter, Setting, TextResult
from tui.application.commands.runner import begun_by, describe_events, do
from tui.application.describe.battle_start import asks_declarations, opening_words
from tui.application.library.battle_files import old_words, open_battle
from tui.application.library.rescue import rescue
from tui.application.terminal.output import complain, say

PROMPT = "> "
WAITING = "Waiting for another program that is reading the battle file…"
MOST_LINE = 60
"""Characters of a line that is named where it could not be done."""
LEAVE = ("quit", "exit", "bye", "q")
WELCOME = (
    "help lists the commands, order shows the turn order, map draws the map, quit exits. {saved} "
    "Dice are rolled for you. Add “dice 45 / 4” to a command to enter your own rolls; “dice” alone asks for each roll."
)
SAVED, NOT_SAVED = "Everything is saved at once.", "This is the demo: nothing is saved."


def converse(session: Session, *, is_kept: bool = True) -> int:
    """Talks until the input ends or the Game Master leaves. A line that cannot be done says why, and changes nothing.

    Args:
        session: the battle.
        is_kept: whether its file stays, and has to hold it.

    Returns:
        0; 1 when the input came from a file or a pipe and a line of it could not be done, or the file was lost.

    Raises:
        KeyboardInterrupt: Ctrl+C; the battle is closed.
    """
    say_when_waiting(session)
    view = project(session.battle, session.rules)
    say(
        "\n".join(
            filter(
                None,
                (
                    f"{view.field.name}, {view.ruleset}. {turn_words(view)}",
                    opening_words(session, "initiative"),
                    WELCOME.format(saved=SAVED if is_kept else NOT_SAVED),
                    old_words(session),
                ),
            )
        )
    )
    status, lost, attack = 0, 0, None
    try:
        first = _declare(session) if asks_declarations(session) else None
        while (line := first or _read(())) is not None and line.strip().casefold() not in LEAVE:
            first = None
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            try:
                lines, spoken = do(session, line, _answer, attack)
                if isinstance(spoken, NewEncounter):
                    lines, session, attack = *_go_on(session, spoken, is_kept=is_kept), None
                    is_kept = True
            except _Gone:
                say(f"Cancelled: “{line.strip()}”.")
                break
            except BattleboardError as reason:
                complain(str(reason))
                status = 0 if sys.stdin.isatty() else 1
            else:
                say("\n".join(lines))
                attack = (spoken.attack if isinstance(spoken, TextResult) else None) or attack
    finally:  # by Ctrl+C, too
        words, lost = rescue(session) if is_kept else ("", 0)
        session.close()
        if words:
            complain(words)
    return lost or status


def _declare(session: Session) -> str | None:
    """Asks each side of a new battle what it declares, and rolls for that.

    Returns:
        The first line that is no answer but a command, which is to be done next; None where all have answered.
    """
    battle, rules, declared = session.battle, session.rules, dict[str, str]()
    line: str | None = None
    for side in declaring_sides(battle, rules):
        question = f"{declare_words(battle, rules, side)}. Press Enter if the whole side attacks, or type any command."
        while (line := _read((question,))) is not None and line.strip():
            if line.lstrip().startswith("#"):
                continue
            word = line.split()[0].casefold()
            if word in BY_WORD or word in LEAVE:
                break
            try:
                declared |= parse_declared(line, battle, rules).declared
            except BattleboardError as reason:
                complain(str(reason))
                continue
            line = ""
            break
        if line is None or line.strip():
            break
    if declared:
        try:
            said = describe_events(session.submit(RollInitiative(declared)), session)
        except BattleboardError as reason:
            said = [str(reason)]
        say("\n".join([*said, turn_words(project(session.battle, session.rules))]))
    return line if line and line.strip() else None


def _go_on(session: Session, command: NewEncounter, *, is_kept: bool = True) -> tuple[list[str], Session]:
    """Starts another battle in place of an open one, and says which; the open one is closed. Raises as `begun_by`."""
    begun = begun_by(command)
    words, _ = rescue(session) if is_kept else ("", 0)
    session.close()
    if words:
        complain(words)
    say_when_waiting(begun)
    view = project(begun.battle, begun.rules)
    return [f"{view.field.name}, {view.ruleset}: {begun.journal.path.stem}. {turn_words(view)}"], begun


def do_lines(path: Path, lines: Sequence[str]) -> None:
    """Runs command lines in a battle's file one after another and prints each result; asks nothing.

    Of a battle that is open elsewhere questions are answered, and nothing else is done.

    Raises:
        BattleboardError: a line cannot be done; those before it are. Of several lines the error says which it was.
    """
    elsewhere: OpenElsewhere | None = None
    try:
        session = open_battle(path)
    except OpenElsewhere as reason:
        session, elsewhere = open_battle(path, read_only=True), reason
    say_when_waiting(session)
    notice = old_words(session)
    with ExitStack() as opened:
        opened.callback(lambda: session.close())
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            if elsewhere and not isinstance(hear(line, Setting(session.battle, session.rules)), TextResult):
                raise elsewhere
            try:
                said, spoken = do(session, line)
                if isinstance(spoken, NewEncounter):
                    said, session = _go_on(session, spoken)
            except CannotSave:
                words, _ = rescue(session)
                if words:
                    complain(words)
                raise
            except BattleboardError as reason:
                if len(lines) > 1:
                    reason.add_note(_stopped_words(lines, number))
                raise
            say("\n".join(said))
        if notice and not session.journal.is_old:
            complain(notice)


def _stopped_words(lines: Sequence[str], number: int) -> str:
    """Where a list of commands ended, and how many were not run; `number` is the line that could not be done."""
    left = sum(map(bool, lines[number:]))
    rest = f"{left:,} after it {'was' if left == 1 else 'were'} not run" if left else "it was the last"
    return f"Stopped at line {number:,}, “{lines[number - 1][:MOST_LINE]}”: {rest}."


def say_when_waiting(session: Session) -> None:
    """From now on it is said, once each time, that saving waits for another program."""

    def on_wait(seconds: int) -> None:
        if not seconds:
            complain(WAITING)

    session.journal.on_wait = on_wait


class _Gone(Exception):
    """The input ended, or the Game Master left, where an answer was wanted."""


def _answer(question: Sequence[str]) -> str:
    line = _read(question)
    if line is None or line.strip().casefold() in LEAVE:
        raise _Gone
    return line.strip()


def _read(question: Sequence[str]) -> str | None:
    """The next line, after a question; None at the end of the input."""
    if question:
        say("\n".join(question))
    if sys.stdin.isatty():
        sys.stdout.write(PROMPT)
        sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        return None
    return line if line else None
