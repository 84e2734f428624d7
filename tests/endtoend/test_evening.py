"""A scripted evening: one fight under each ruleset through real keys in a terminal, and the same in words.

A battle played in this process decides what is done; the keys for it are pressed in a real terminal, its words go to
the command line, and all three have to end in the same battle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.answers import Needs
from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.attacks.reactions import drawn_by_attack
from engine.battle.command import Attack, Command, EndTurn, Move
from engine.battle.moves.moves import movement_range
from engine.battle.narration.differences import differences
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.journal.session import Session
from maps import shipped_maps
from tests.endtoend.terminal import Terminal
from tests.rules.table import defence_asked, defends
from tests.tui.play import shipped_rulesets
from tui.__main__ import main
from tui.application.focus import focus as foci
from tui.application.focus.contacts import enemies
from tui.application.focus.focus import Focus
from tui.application.library.battle_files import begin_battle, open_battle, read_scenario
from tui.application.presenter.command_questions import POLICY_KEYS
from tui.application.presenter.menu_choices import defence_choices

SEED = "an evening"
MAP = "frontier-trail"
SIZES = {"aog": (80, 24), "cwn": (120, 40), "eva": (80, 24), "occult-ops": (120, 40), "volt": (80, 24)}
CURSOR = {
    (-1, -1): "hk", (0, -1): "k", (1, -1): "lk", (-1, 0): "h", (1, 0): "l", (-1, 1): "hj", (0, 1): "j", (1, 1): "lj",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayedAction:
    """One thing done: the keys for it, and the words."""

    keys: str
    words: str


def played(session: Session, turns: int) -> Iterator[PlayedAction]:
    """Plays turns in this process: who sees an enemy shoots at the nearest, who does not goes nearer."""
    for _ in range(turns):
        unit = session.battle.units[session.battle.turns.active]
        if not enemies(session.battle, unit.id):
            return
        yield from _attacked(session, unit.id) or _moved(session, unit.id)
        if session.battle.turns.active == unit.id:
            asked = _submit(session, EndTurn())
            yield PlayedAction("e\r" if asked else "e", "end")


def _attacked(session: Session, unit: str) -> list[PlayedAction]:
    battle, rules = session.battle, session.rules
    focus = foci.next_target(Focus(unit, cursor=battle.units[unit].at), battle, rules)
    shot = foci.shot(focus, battle, rules)
    if (
        not isinstance(shot, AttackPreview)
        or shot.refusal
        or not shot.odds.hit
        or drawn_by_attack(battle, rules, shot.situation)
    ):
        return []
    nobody = ""
    try:
        session.submit(Attack(unit, focus.target), asks=True)
    except Needs as need:
        session.submit(Attack(unit, focus.target), need.answered(defends(focus.target, "")), asks=True)
        nobody = defence_choices(defence_asked(need), rules, POLICY_KEYS)[0].key
    return [PlayedAction(f"tf\r{nobody}", f"shoot {unit} {focus.target} defence none")]


def _moved(session: Session, unit: str) -> list[PlayedAction]:
    battle, rules = session.battle, session.rules
    here = battle.units[unit].at
    enemy = enemies(battle, unit)[0].at
    try:
        found = movement_range(battle, rules, battle.units[unit])
    except BattleboardError:
        return []
    squares = {square for one in found.reaches for square in one.costs}

    def far(square: Square) -> tuple[int, int, int]:
        apart = abs(square.column - enemy.column), abs(square.row - enemy.row)
        return max(apart), sum(apart), square.row * 1000 + square.column

    goal = min(squares, key=far, default=here)
    if goal == here:
        return []
    path = found.path(goal)
    actions = [PlayedAction(f"m{_to(here, goal)}m", _in_words(unit, path))]
    session.submit(Move(unit, path))
    while (openings := session.battle.openings) and (at := session.battle.units[unit].at) != goal:
        rest = path[path.index(at) :]
        session.submit(Move(unit, rest))
        actions.append(PlayedAction("n" * len(openings), _in_words(unit, rest)))  # each reaction is let pass
    return actions


def _in_words(unit: str, path: Sequence[Square]) -> str:
    return f"move {unit} {' '.join(square.name for square in path[1:])}"


def _to(start: Square, goal: Square) -> str:
    """Keys that bring the cursor from one square to another."""
    columns, rows = goal.column - start.column, goal.row - start.row
    keys = ""
    while columns or rows:
        step = (columns > 0) - (columns < 0), (rows > 0) - (rows < 0)
        keys += CURSOR[step]
        columns, rows = columns - step[0], rows - step[1]
    return keys


def _submit(session: Session, command: Command) -> bool:
    """Submits a command as the board does, and says whether it asked for dice."""
    try:
        session.submit(command, asks_dice=True)
    except Needs:
        session.submit(command, asks=True)
        return True
    return False


def evening(folder: Path, ruleset: str, turns: int) -> None:
    """Plays an evening three ways and compares what it comes to."""
    session = begin_battle(read_scenario(shipped_maps()[MAP], ruleset), SEED, folder / "here")
    actions = list(played(session, turns))
    session.close()
    left = {unit.side for unit in session.battle.units.values() if not (unit.is_defeated or unit.is_neutral)}
    assert len(actions) >= turns or len(left) == 1  # the fight is over
    environment = {"BATTLEBOARD_DATA": str(folder / "keys")}
    terminal = Terminal(["play", MAP, "--ruleset", ruleset, "--seed", SEED], environment, *SIZES[ruleset])
    terminal.wait_for("Round 1")
    terminal.read()
    if session.rules.turns.initiative.declares:  # the board asks what each side declares
        terminal.send("\x1b")
        terminal.read()
    for action in actions:
        terminal.send(action.keys)
        terminal.read(0.02)
    terminal.send("Q")
    assert terminal.wait() == 0
    (pressed,) = (folder / "keys" / "battles").iterdir()
    typed = begin_battle(read_scenario(shipped_maps()[MAP], ruleset), SEED, folder / "words")
    typed.close()
    assert main(["do", str(typed.journal.path), *(action.words for action in actions)]) == 0
    for path, how in ((typed.journal.path, "words"), (pressed, "keys")):
        again = open_battle(path, read_only=True)
        otherwise = differences(session.battle, again.battle, session.rules)
        assert (otherwise, again.battle == session.battle) == ([], True), f"in {how} it ends otherwise"
        again.close()


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_keys_words_and_the_engine_play_the_same_battle(tmp_path: Path, ruleset: str) -> None:
    evening(tmp_path, ruleset, 12)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_a_whole_fight(tmp_path: Path, ruleset: str) -> None:
    evening(tmp_path, ruleset, 100)
