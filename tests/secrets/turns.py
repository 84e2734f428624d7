"""A battle in which those who are hidden end their turns at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.battle import command as cmd
from engine.battle.command import Command
from engine.battle.commands.order_commands import RollInitiative, SetInitiative
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.views.known_battle import is_hidden_turn
from tests.secrets.law import SCORES, Published
from tests.secrets.stage import VIEWERS, Stage


def turns_played(
    rules: str,
    moves: Sequence[Command],
    *,
    until: str,
    secrets: Sequence[Command] = (),
    acts: Mapping[str, Command] = {},
) -> Published:
    """What was made for players of some commands in a battle; those who are hidden end their turns at once.

    Args:
        rules: id of a ruleset.
        moves: what everybody may know.
        secrets: commands before them.
        until: id of the unit in whose turn they are given.
        acts: what those who are hidden do in their first turn after that, by their ids.
    """
    stage, made = Stage.begin(rules), Published(VIEWERS)
    begin = [RollInitiative(), SetPolicy("off"), *(SetInitiative(unit, score) for unit, score in SCORES.items())]
    for command in (*begin, *secrets):
        stage.do(command)
    while stage.battle.turns.active != until:
        stage.do(cmd.EndTurn())
    made.look(stage)
    left = dict(acts)

    def give(command: Command) -> None:
        stage.do(command)
        made.look(stage)

    for command in moves:
        give(command)
        while is_hidden_turn(stage.battle):
            give(left.pop(stage.battle.turns.active, cmd.EndTurn()))
    assert not left
    made.write(stage, is_whole=False)
    return made
