"""One secret command changes no byte of anything made for players."""

from __future__ import annotations

import pytest

from engine.battle import command as cmd
from engine.battle.command import Command
from engine.battle.commands.command_list import COMMANDS
from engine.battle.commands.order_commands import RollInitiative, SetInitiative, SetPlace, SetTurn
from engine.battle.commands.roster_commands import AddUnit
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_edits import DamageUnits, Place
from engine.dice.sources import SeededSource
from engine.errors import Illegal, Unknown
from engine.geometry.squares import parse_square
from rulesets import shipped_rulesets
from tests.secrets.secret_commands import FIGHT, MOMENTS, NONE, SET_UP, Secret, forms
from tests.secrets.stage import VIEWERS, Stage, watched
from tui.exports.format_list import PLAYERS
from tui.reports.seat_report import Seat

SCORES = {"ada": 20, "mole": 18, "imp": 17, "ghost": 16, "bo": 14, "ben": 12, "cy": 10, "lurker": 8}
Made = list[tuple[str, object]]


@pytest.fixture(autouse=True)
def even_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that fall alike whatever was rolled before: else a secret roll would be seen in the next one."""
    monkeypatch.setattr(SeededSource, "draw", lambda self, sides: (2 * sides + 2) // 3)


def story(moment: str) -> list[Command]:
    """What everybody may know, up to a moment and after it."""
    at = parse_square
    begin: list[Command] = [RollInitiative(), SetPolicy("off")]
    begin += [SetInitiative(unit, score) for unit, score in SCORES.items()]
    if moment == SET_UP:
        return [AddUnit("gunman", "law", at("B3"), "Cole"), Place("ben", at("C5"))]
    if moment == FIGHT:
        return [*begin, SetTurn("ada"), cmd.Attack("ada", "bo", is_free=True)]
    return [
        cmd.Attack("ada", "bo", is_free=True),
        DamageUnits(("ben",), 1),
        cmd.EndTurn(),
    ]


def ending() -> list[Command]:
    """What happens in the end: who joins is numbered and looks at somebody, and places in the order change."""
    at = parse_square
    return [
        DamageUnits(("ben",), 1),
        SetTurn("bo"),
        AddUnit("gunman", "outlaws", at("H3"), "Thug", 2),
        AddUnit("leader", "law", at("C1"), "New"),
        AddUnit("leader", "seventh", at("C6")),
        SetPlace("cy", "ada"),
    ]


class Told:
    """Everything that was made for players of a battle as it went on: each publication once, and the files."""

    def __init__(self, viewers: tuple[str, ...]) -> None:
        self.viewers = viewers
        self.published: dict[str, list[str]] = {viewer: [] for viewer in viewers}
        self.files: Made = []
        self._seats: dict[str, Seat] = {}

    def look(self, stage: Stage) -> None:
        for side in self.viewers:
            if side != PLAYERS and side in stage.sides():
                self._seats[side] = stage.seat(side, self._seats.get(side))
                seat = watched(self._seats[side])
                if self.published[side][-1:] != [seat]:
                    self.published[side].append(seat)

    def write(self, stage: Stage, *, is_whole: bool) -> None:
        for side in self.viewers:
            if side == PLAYERS or side in stage.sides():
                made = stage.files(side) if is_whole else stage.seen(side)
                self.files += [(f"{name} of {side}", text) for name, text in made.items()]

    def differences(self, other: Told) -> list[str]:
        found = [name for (name, one), (_, two) in zip(self.files, other.files, strict=True) if one != two]
        return list(dict.fromkeys(found)) + [
            f"watch of {side}" for side in self.viewers if self.published[side] != other.published[side]
        ]


def play(
    rules: str,
    secrets: list[Secret],
    viewers: tuple[str, ...],
    *,
    moments: tuple[str, ...] = MOMENTS,
    is_whole: bool = False,
) -> tuple[Told, set[type[object]]]:
    """The whole story with some secrets in it; gives what was made for players, and the kinds that were accepted."""
    stage, told, accepted = Stage.begin(rules), Told(viewers), set()

    def give(command: Command | str) -> bool:
        try:
            stage.do(command)
        except (Illegal, Unknown):
            return False
        told.look(stage)
        return True

    for moment in moments:
        told.files += [("refused", not give(command)) for command in story(moment)]
        for secret in (one for one in secrets if one.moment == moment):
            for command in secret.before:
                give(command)
            if secret.command is not None and give(secret.command):
                accepted.add(type(secret.command))
        told.write(stage, is_whole=is_whole)
    told.files += [("refused", not give(command)) for command in ending()]
    told.write(stage, is_whole=is_whole)
    return told, accepted


def viewers_of(secret: Secret) -> tuple[str, ...]:
    return VIEWERS if secret.is_for_table else ("law",)


def without(secret: Secret) -> Secret:
    """The same moment without the secret command, but with what goes before it in both battles."""
    return Secret(None, secret.moment, secret.is_for_table, secret.before)


@pytest.mark.parametrize("rules", shipped_rulesets())
def test_secret_commands_change_no_byte_of_anything_made_for_players(rules: str) -> None:
    """All of them in one battle, up to the fight; the slow test below tells which one it is that tells."""
    moments = (SET_UP, FIGHT)
    for is_for_table, viewers in ((True, VIEWERS), (False, ("law",))):
        secrets = [one for one in forms(Stage.begin(rules)) if one.is_for_table == is_for_table]
        with_them, _ = play(rules, secrets, viewers, moments=moments)
        base, _ = play(rules, [without(one) for one in secrets], viewers, moments=moments)
        assert with_them.differences(base) == []


@pytest.mark.slow
@pytest.mark.parametrize("rules", shipped_rulesets())
@pytest.mark.parametrize("kind", [one for one in COMMANDS if one not in NONE], ids=lambda kind: kind.__name__)
def test_one_secret_command_changes_no_byte_of_any_file_for_players(rules: str, kind: type[Command]) -> None:
    for secret in forms(Stage.begin(rules)):
        if type(secret.command) is kind:
            viewers = viewers_of(secret)
            with_it, _ = play(rules, [secret], viewers, is_whole=True)
            base, _ = play(rules, [without(secret)], viewers, is_whole=True)
            assert (secret.command, with_it.differences(base)) == (secret.command, [])


def test_every_command_has_a_secret_form_or_a_reason_why_it_has_none() -> None:
    tried = {type(one.command) for rules in shipped_rulesets() for one in forms(Stage.begin(rules))}
    assert tried.isdisjoint(NONE)
    assert {*COMMANDS} == {*(one for one in tried if one is not str), *NONE}
