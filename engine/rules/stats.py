"""Stats of units: what a number, a yes or no, or a choice on a sheet may be, and what it is for. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from engine.dice.dice_text import number
from engine.rules.expressions import shown
from engine.values import Value

STAT_KINDS = NUMBER, FLAG, CHOICE = ("number", "flag", "choice")


class Stat(Struct, frozen=True):
    """A value on a unit's sheet that never changes in a fight. As a fact, a choice is its id."""

    id: str
    label: str
    kind: str
    """One of STAT_KINDS."""
    default: Value
    group: str
    """The heading under which forms and the rule book list it."""
    help: str
    """What it does at the table, in one line."""
    low: int = 0
    high: int = 0
    """Of a number: the smallest and the largest that a file or the GM may give. Equipment may add beyond them."""
    choices: Mapping[str, str] = {}
    """Of a choice: what it may be, with labels."""
    is_listed: bool = False
    """Whether lists of units show it too."""

    def accepts(self, value: Value) -> bool:
        """Whether a file or the GM may give it this value."""
        if self.kind == FLAG:
            return isinstance(value, bool)
        if self.kind == CHOICE:
            return isinstance(value, str) and value in self.choices
        return isinstance(value, int | Fraction) and not isinstance(value, bool) and self.low <= value <= self.high

    @property
    def allowed(self) -> str:
        """What it may be: "0 to 120", "yes or no", "small, medium or large"."""
        if self.kind == FLAG:
            return "yes or no"
        if self.kind == CHOICE:
            *others, last = self.choices
            return f"{', '.join(others)} or {last}" if others else last
        return f"{number(self.low)} to {number(self.high)}"

    def refusal(self, value: Value) -> str:
        """Why it may not have this value, in one sentence: "Long Arms is 0 to 120, not 500."."""
        said = f"“{value}”" if isinstance(value, str) else shown(value) if isinstance(value, bool) else number(value)
        return f"{self.title} is {self.allowed}, not {said}."

    @property
    def title(self) -> str:
        """The label as a sentence begins with it."""
        return self.label[:1].upper() + self.label[1:]

    def labelled(self, value: Value) -> Value:
        """The value as people read it: the label of what is chosen; any other as it is."""
        return self.choices.get(value, value) if isinstance(value, str) else value
