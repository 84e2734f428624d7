"""What a typed line comes to: a command, a step back or on, or an answer; and what it is heard against."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.answers import Given
from engine.battle.attacks.attack_preview import consider
from engine.battle.command import Attack, Command
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.journal.history import Step
from engine.rules.ledger import Ledger
from engine.rules.model import Ruleset


class Setting(Struct, frozen=True):
    """What a line is heard against."""

    battle: Battle
    rules: Ruleset
    unit: str = ""
    """Id of the unit that is meant where nobody is named; "" for whoever's turn it is."""
    square: Square | None = None
    """The square that is meant where none is named; None for that unit's."""
    attack: Attack | None = None
    """The attack that was looked at last: a change to its ledger names that one's lines."""
    steps: Sequence[Step] = ()
    """What happened so far, oldest first."""
    is_ascii: bool = True
    """Whether an answer draws with plain characters."""

    @property
    def actor(self) -> str:
        return self.unit or self.battle.turns.active

    @property
    def ledger(self) -> Ledger | None:
        """The ledger of the attack that was looked at last, as it is now."""
        try:
            return consider(self.battle, self.rules, self.attack).ledger if self.attack else None
        except BattleboardError:
            return None


class SubmitCommand(Struct, frozen=True):
    """A command to commit, with the dice and the answers that were typed for it."""

    command: Command
    answers: Given = ()
    asks: bool = False
    """Whether the table is asked for each roll that is not typed."""
    note: str = ""
    """What is said after what the command came to; "" for nothing."""


class UndoRedo(Struct, frozen=True):
    """Commands to take back, or to do again where the number is below 0."""

    back: int


class TextResult(Struct, frozen=True):
    """An answer: it changes nothing."""

    title: str
    lines: tuple[str, ...]
    attack: Attack | None = None
    """The attack that it is about."""
    is_list: bool = False
    """Whether each line is about a thing of its own: none follows another on its row."""


class Correction(Struct, frozen=True):
    """Other dice for the last command, which is taken back and done again."""

    typed: Given


class ShowPanel(Struct, frozen=True):
    """A panel of the screen to be shown or hidden."""

    name: str
    is_shown: bool


class StartTour(Struct, frozen=True):
    """The tour of the screen shall begin."""


Spoken = SubmitCommand | UndoRedo | TextResult | Correction | ShowPanel | StartTour
