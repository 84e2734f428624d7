"""Whole fights as texts: units that a policy plays from a seed, and the log kept in `transcripts/` beside the tests.

def policy(table):                       # for the unit whose turn it is; what is refused is passed over
    if (yield Attack(table.battle.active, "b")):
        return
    yield Move(...)

lines = play(fight("occult-ops", "a..b", a="gunman", b="gunman", is_begun=False), policy, rounds=8)
hold(lines, "duel", request)             # `pytest --snapshot-update` writes the file anew: read it, every line
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.battle import command as cmd
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.unit_actions import Ready
from engine.battle.narration import continuity, narrate
from engine.errors import Illegal, Unknown
from tests.rules.table import Table, defends

FOLDER = Path(__file__).parent / "transcripts"


class Defended(NamedTuple):
    """An attack, and the id of the defence that its target takes, "" for none."""

    attack: cmd.Attack
    defence: str


Try = cmd.Command | Defended
Policy = Callable[[Table], Generator[Try, bool, None]]
"""Yields what the active unit tries, and is told whether it was done."""


def play(table: Table, policy: Policy, rounds: int, begins: cmd.Command | None = None) -> list[str]:
    """The log of a fight until one side is left or the rounds are over, each command before what came of it.

    Args:
        table: the fight, its order not rolled yet.
        policy: what the active unit does in its turn, which is ended for it.
        rounds: how many at most.
        begins: how the order is rolled, where that takes more than the plain command.
    """
    lines: list[str] = []
    _do(table, begins or RollInitiative(), lines)
    while len(_sides(table)) > 1 and table.battle.turns.round <= rounds:
        turn = (table.battle.turns.active, table.battle.turns.round)
        choices = policy(table)
        was_done: bool | None = None
        while (table.battle.turns.active, table.battle.turns.round) == turn and len(_sides(table)) > 1:
            try:
                wish = choices.send(was_done) if was_done is not None else next(choices)  # type: ignore[arg-type]
            except StopIteration:
                break
            was_done = _do(table, wish, lines)
        if len(_sides(table)) > 1:
            whole = len(lines)
            _do(table, cmd.EndTurn(), lines)
            if table.battle.turns.round > rounds:
                del lines[whole:]
    left = ", ".join(unit.name for unit in table.battle.units.values() if not unit.is_defeated)
    return [*lines, "", f"Left in the fight after {min(rounds, table.battle.turns.round)} rounds: {left}."]


def hold(lines: list[str], name: str, request: pytest.FixtureRequest) -> None:
    """Compares lines with the text kept under that name."""
    file = FOLDER / f"{name}.txt"
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    if request.config.option.update_snapshots:
        FOLDER.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


def _do(table: Table, wish: Try, lines: list[str]) -> bool:
    """Whether a command was carried out; its words and what came of it are added."""
    said = (defends(wish.attack.target, wish.defence),) if isinstance(wish, Defended) else ()
    wish = wish.attack if isinstance(wish, Defended) else wish
    try:
        table.do(wish, *said)
    except (Illegal, Unknown):
        return False
    ahead, behind = continuity(table.events, table.battle)
    told: list[str] = []
    for place, event in enumerate(table.events):
        told += filter(None, (ahead.get(place), narrate(event, table.battle, table.rules), behind.get(place)))
    if not isinstance(wish, cmd.EndTurn):
        lines.append(f"> {_words(wish)}")
    for line in (line for text in told for line in text.splitlines()):
        lines.extend(("", line) if line.startswith("Round ") else (line,))
    return True


def _words(wish: cmd.Command) -> str:
    match wish:
        case cmd.Attack():
            aim = wish.square.name if wish.square else wish.target
            return " ".join(word for word in (wish.unit, wish.action or "attack", aim, wish.weapon) if word)
        case cmd.Move():
            return f"{wish.unit} {wish.action or 'move'} {wish.path[0].name} to {wish.path[-1].name}"
        case cmd.Act():
            return f"{wish.unit} {wish.action}"
        case Ready():
            return f"{wish.unit} ready {wish.weapon}"
    return type(wish).__name__


def _sides(table: Table) -> set[str]:
    units = table.battle.units.values()
    return {unit.side for unit in units if not unit.is_defeated and not unit.is_neutral}
