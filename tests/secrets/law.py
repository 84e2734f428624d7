"""A story with secret commands in it and without them, and everything that is made of it for players."""

from __future__ import annotations

from engine.battle import command as cmd
from engine.battle.command import Command
from engine.battle.commands.order_commands import RollInitiative, SetInitiative, SetPlace, SetTurn
from engine.battle.commands.roster_commands import AddUnit
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_edits import DamageUnits, Place
from engine.battle.views.fog_of_war import sides_of
from engine.errors import Illegal, Unknown
from engine.geometry.squares import parse_square
from engine.values import replace
from tests.secrets.secret_commands import FIGHT, MOMENTS, SET_UP, Secret
from tests.secrets.stage import VIEWERS, Stage, watched
from tui.application.exports.format_list import PLAYERS
from tui.application.reports.seat_report import SeatReport

SCORES = {"ada": 20, "mole": 18, "imp": 17, "ghost": 16, "bo": 14, "ben": 12, "cy": 10, "lurker": 8}
Made = list[tuple[str, object]]


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
        AddUnit("leader", "law", at("C2"), "New"),
        AddUnit("leader", "seventh", at("C6")),
        SetPlace("cy", "ada"),
    ]


class Published:
    """Everything that was made for players of a battle as it went on: each publication once, and the files."""

    def __init__(self, viewers: tuple[str, ...]) -> None:
        self.viewers = viewers
        self.published: dict[str, list[str]] = {viewer: [] for viewer in viewers}
        self.files: Made = []
        self._seats: dict[str, SeatReport] = {}

    def look(self, stage: Stage) -> None:
        for side in self.viewers:
            if side != PLAYERS and side in sides_of(stage.battle):
                self._seats[side] = stage.seat(side, self._seats.get(side))
                seat = watched(self._seats[side])
                if self.published[side][-1:] != [seat]:
                    self.published[side].append(seat)

    def write(self, stage: Stage, *, is_whole: bool) -> None:
        for side in self.viewers:
            if side == PLAYERS or side in stage.sides():
                made = stage.files(side) if is_whole else stage.seen(side)
                self.files += [(f"{name} of {side}", text) for name, text in made.items()]

    def differences(self, other: Published) -> list[str]:
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
) -> tuple[Published, set[type[object]]]:
    """The whole story with some secrets in it; gives what was made for players, and the kinds that were accepted.

    Args:
        rules: id of a ruleset.
        secrets: those given, each at its moment.
        viewers: the sides that look, PLAYERS among them.
        moments: how far the story goes.
        is_whole: whether every file is written in the end; else the values that they are drawn of.
    """
    stage, made, accepted = Stage.begin(rules), Published(viewers), set()

    def give(command: Command | str) -> bool:
        try:
            stage.do(command)
        except (Illegal, Unknown):
            return False
        made.look(stage)
        return True

    for moment in moments:
        made.files += [("refused", not give(command)) for command in story(moment)]
        for secret in (one for one in secrets if one.moment == moment):
            for command in secret.before:
                give(command)
            if secret.command is not None and give(secret.command):
                accepted.add(type(secret.command))
        made.write(stage, is_whole=False)
    made.files += [("refused", not give(command)) for command in ending()]
    made.write(stage, is_whole=is_whole)
    return made, accepted


def viewers_of(secret: Secret) -> tuple[str, ...]:
    return VIEWERS if secret.is_for_table else ("law",)


def without(secret: Secret) -> Secret:
    """The same moment without the secret command, but with what goes before it in both battles."""
    return replace(secret, command=secret.instead)


def differences(
    rules: str,
    secrets: list[Secret],
    viewers: tuple[str, ...],
    *,
    moments: tuple[str, ...] = MOMENTS,
) -> list[str]:
    """What differs of all that is made for players between the story with some secrets in it and without them."""
    with_them, _ = play(rules, secrets, viewers, moments=moments)
    base, _ = play(rules, [without(one) for one in secrets], viewers, moments=moments)
    return with_them.differences(base)
