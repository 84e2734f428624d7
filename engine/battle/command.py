"""Commands: intents of the people at the table, imperative. Each is one object: fields and `decide`.

Here stands what all have in common, with the four that attacks, moves and turns name themselves: what carries these
out lies above them, and comes with the context (`Resolvers`). The others are in `commands`, a family each;
`command_list.COMMANDS` has all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from engine.battle.defence_choices import NOBODY_ASKED, Choices
from engine.battle.event_builder import EventBuilder, refuse_in_set_up
from engine.battle.events import Event
from engine.battle.parameters import ActionId, UnitId, WeaponId
from engine.battle.state.battle import Battle, HeldCommand
from engine.dice.sources import DiceSource
from engine.geometry.battlefield import Height
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.values import Stored

Events = tuple[Event, ...]
Permission = Literal["gm", "own"]
GM: Permission = "gm"
OWN: Permission = "own"
"""Who may give a command: the Game Master alone, or a player too, for a unit of their own."""


class Resolvers(Struct, frozen=True):
    """What carries out the commands that attacks, moves and turns name; `unit_actions.RESOLVERS` are the engine's."""

    move: Callable[[Deciding, Move], Events]
    attack: Callable[[Deciding, Attack], Events]
    act: Callable[[Deciding, Act], Events]
    end_of_turn: Callable[[Deciding], Events]


class Deciding(Struct, frozen=True):
    """Context in which a command is decided."""

    battle: Battle
    rules: Ruleset
    dice: DiceSource
    resolvers: Resolvers
    choices: Choices = NOBODY_ASKED
    """Who defends."""
    tells: bool = True
    """Whether events have what only people read: calculations, odds, reasons. All else of them is the same without."""

    def draft(self) -> EventBuilder:
        """Where its events are collected: none yet."""
        return EventBuilder(self.battle, self.rules, tells=self.tells)


class Command(Stored, frozen=True):
    """Checked against a battle and its ruleset, it becomes events, or one sentence why not."""

    version = 1
    """Of the fields, as files have them; see `journal.row_kinds`."""
    ends_turns = False
    """Whether turns end and begin by it: then it sees itself to what happens at such moments."""
    may = GM
    """Who may give it; see `seats`."""

    def ordered(self, battle: Battle) -> tuple[str, ...]:
        """Ids of the units that it orders, whether or not they are there; of no use where only the GM may give it."""
        return (getattr(self, "unit", ""),)

    def needs_leave(self, battle: Battle, rules: Ruleset) -> bool:
        """Whether it goes beyond the rules, so that a player may not give it."""
        return bool(getattr(self, "is_free", False))

    def decide(self, now: Deciding) -> Events:
        """Events of the command.

        Raises:
            Illegal: not allowed now.
            Unknown, OffMap: it names something that is not there.
        """
        raise NotImplementedError


class Move(Command, frozen=True, tag="move"):
    """Walk a path, its start first. An empty action takes the ruleset's first move that can reach so far.

    With an altitude, in hundredths of the map's unit, a flyer goes to it first; its path may be its own square.
    """

    may = OWN

    unit: UnitId
    path: tuple[Square, ...]
    action: ActionId = ""
    altitude: Height | None = None

    def decide(self, now: Deciding) -> Events:
        refuse_in_set_up(now.battle)
        return now.resolvers.move(now, self)


class Attack(Command, frozen=True, tag="attack"):
    """Attack a unit, or a square. Empty weapon: the one in hand. Empty action: the first that fits the weapon."""

    may = OWN

    unit: UnitId
    target: UnitId
    weapon: WeaponId = ""
    action: ActionId = ""
    is_free: bool = False
    """Costs nothing and needs no turn: an interrupt, or the GM's leave."""
    square: Square | None = None
    """A bare square to aim at in place of a unit, by what bursts or strikes an area."""

    def decide(self, now: Deciding) -> Events:
        if not self.is_free:
            refuse_in_set_up(now.battle)
        return now.resolvers.attack(now, self)


class Act(Command, frozen=True, tag="act"):
    """Take an action that is neither an attack nor a move; on a target or a square where the action is about one."""

    may = OWN

    unit: UnitId
    action: ActionId
    target: UnitId = ""
    square: Square | None = None
    attack: ActionId = ""
    """Id of the attack that is declared with it, where the action declares one."""
    is_free: bool = False
    """Costs nothing, needs no turn, and nobody has to stand near the square for it: the GM's leave."""

    def decide(self, now: Deciding) -> Events:
        if not self.is_free:
            refuse_in_set_up(now.battle)
        return now.resolvers.act(now, self)


class EndTurn(Command, frozen=True, tag="end-turn"):
    """End the active unit's turn; the next one's begins."""

    ends_turns = True
    may = OWN

    def ordered(self, battle: Battle) -> tuple[str, ...]:
        return (battle.turns.active,)

    def decide(self, now: Deciding) -> Events:
        refuse_in_set_up(now.battle)
        return now.resolvers.end_of_turn(now)


def held_command(command: Move | Attack | Act) -> HeldCommand:
    """A command as it is held until the reactions that it has drawn are over."""
    match command:
        case Move(unit, path, action, altitude):
            return HeldCommand("move", unit, action, path=path, altitude=altitude)
        case Attack(unit, target, weapon, action, is_free, square):
            return HeldCommand("attack", unit, action, target, weapon, square=square, is_free=is_free)
        case Act(unit, action, target, square, attack, is_free):
            return HeldCommand("act", unit, action, target, attack=attack, square=square, is_free=is_free)


def command_of(held: HeldCommand) -> Move | Attack | Act:
    """The command that is held."""
    match held.kind:
        case "move":
            return Move(held.unit, held.path, held.action, held.altitude)
        case "attack":
            return Attack(held.unit, held.target, held.weapon, held.action, held.is_free, held.square)
        case "act":
            return Act(held.unit, held.action, held.target, held.square, held.attack, held.is_free)
