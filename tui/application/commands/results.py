"""Results of parsing a typed line (command, undo, answer …), and the context for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from engine.rules.named_rules import NamedRule


class Setting(Struct, frozen=True):
    """The context of a typed line."""

    battle: Battle
    rules: Ruleset
    unit: str = ""
    """Id of the default unit; "" for the acting unit."""
    square: Square | None = None
    """The default square; None for the default unit's."""
    attack: Attack | None = None
    """The latest attack: changes of modifiers refer to its lines."""
    steps: Sequence[Step] = ()
    """The steps so far, oldest first."""
    is_ascii: bool = True
    """Whether answers draw with ASCII characters."""
    name_keys: Callable[[str], str] | None = None
    """Puts the keys that hold into a sentence such as "{battle.act} a"; None where there are no keys."""

    @property
    def actor(self) -> str:
        return self.unit or self.battle.turns.active

    @property
    def ledger(self) -> Ledger | None:
        """The present ledger of the latest attack."""
        try:
            return consider(self.battle, self.rules, self.attack).ledger if self.attack else None
        except BattleboardError:
            return None


MOST_MEANT = 2
"""Most commands that a message suggests."""


def suggestion(line: str, key: str, setting: Setting) -> str:
    """A line that is meant, with the board's key for it."""
    named = setting.name_keys(key).strip() if setting.name_keys else ""
    return f"“{line}” ({named})" if named else f"“{line}”"


def did_you_mean(suggestions: Sequence[str]) -> str:
    """The question of a message that suggests commands."""
    return f"Did you mean {' or '.join(suggestions[:MOST_MEANT])}?"


class SubmitCommand(Struct, frozen=True):
    """A command to commit, with its typed dice and answers."""

    command: Command
    answers: Given = ()
    asks: bool = False
    """Whether to ask for each roll that is not typed."""
    note: str = ""
    """A note after the outcome; "" for none."""


class UndoRedo(Struct, frozen=True):
    """Number of commands to undo, or to redo if negative."""

    back: int


class RuleCard(Struct, frozen=True):
    """The short answer about a rule."""

    label: str
    kind: str
    sentence: str
    rows: tuple[tuple[str, str], ...]
    """Rows below it: what each says in a word, as "number", and its text."""


class TextResult(Struct, frozen=True):
    """An answer: it changes nothing."""

    title: str
    lines: tuple[str, ...]
    attack: Attack | None = None
    """The described attack."""
    is_list: bool = False
    """Whether the lines are separate items, never joined on one row."""
    cards: tuple[RuleCard, ...] = ()
    """Rules that stand above the lines, each as a card."""
    more: Callable[[], Sequence[str]] | None = None
    """What Enter shows instead; None for nothing."""
    names: tuple[NamedRule, ...] = ()
    """Rules of which one is to be chosen; the screen lists them in place of the lines."""


class Correction(Struct, frozen=True):
    """Corrected dice for the last command, which is undone and repeated."""

    typed: Given


class ShowPanel(Struct, frozen=True):
    """Asks the screen to show or hide a panel."""

    name: str
    is_shown: bool


class StartTour(Struct, frozen=True):
    """Asks the screen to start the tour."""


class Finish(Struct, frozen=True):
    """Ends the battle, if it is not finished yet, and carries over what it has changed of characters."""

    units: tuple[str, ...] | None = ()
    """Ids of those whose changes are written into their files; None to ask."""


class SaveEncounter(Struct, frozen=True):
    """Asks to write what stands in the battle as an encounter file."""

    name: str
    is_sure: bool = False
    """Whether it may replace an encounter of that name."""


class NewEncounter(Struct, frozen=True):
    """Asks for another battle, in its set-up phase, to go on with."""

    map: str
    party: str = ""
    ruleset: str = ""


class Export(Struct, frozen=True):
    """Asks to write the battle into a new file."""

    format: str
    """One of `format_list`."""
    name: str = ""
    """The file; "" for the battle's name."""
    side: str = ""
    """Only what this side saw; "" for all that the GM has not hidden."""


class TakePicture(Struct, frozen=True):
    """Asks the screen to write what it shows into a new file."""

    name: str = ""
    """The file; "" for the battle's name."""


Spoken = (
    SubmitCommand
    | UndoRedo
    | TextResult
    | Correction
    | ShowPanel
    | StartTour
    | Finish
    | SaveEncounter
    | NewEncounter
    | Export
    | TakePicture
)
