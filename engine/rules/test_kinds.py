"""Tests: the kinds of roll that resolve an attack: number needed, grading, and their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import ClassVar, Protocol, Self

from msgspec import Struct

from engine.dice.dice_expressions import Dice
from engine.dice.dice_text import number as number_text
from engine.dice.dice_text import one_by_one, signed, sum_words
from engine.dice.distributions import single_dice
from engine.dice.sources import Roll
from engine.rules.effect_kinds import RuleRow, RuleText
from engine.rules.expressions import Expression
from engine.rules.formula_values import number
from engine.rules.functions import Number, Value
from engine.rules.origin import Origin

Common = tuple[Dice, bool, str, Origin]
"""The fields that tests of all kinds have, in order."""


class LedgerTotals(Protocol):
    """What a test asks of an attack's ledger: its total, the number needed, and what a die read apart must beat."""

    @property
    def total(self) -> Number: ...

    @property
    def target_number(self) -> Number: ...

    @property
    def beats(self) -> Number: ...


class RollNeed(Struct, frozen=True):
    """What an attack's dice need, in words: the dice with what is added to them, and when they hit."""

    dice: str
    """"1d20 +9"; "" where the condition says it all."""
    condition: str
    joint: str = ", "
    """What stands between the two."""

    @property
    def words(self) -> str:
        """Both: "1d100 under 60", "2d20: a 4 on either die hits", "needs a natural 20"."""
        return f"{self.dice}{self.joint}{self.condition}" if self.dice else self.condition

    def listed(self, dice: Dice) -> str:
        """The same without a colon, and never without the dice: "1d20, needs a natural 20"."""
        return f"{self.dice or dice}{self.joint.replace(':', ',')}{self.condition}"


class Test(Struct, frozen=True):
    """The roll that resolves an attack. For most kinds the roll must be below the ledger's total."""

    kind: ClassVar[str] = ""
    is_under: ClassVar[bool] = True
    """Whether the ledger's total is what the dice must stay below."""
    reads_each_die: ClassVar[bool] = False
    """Whether the dice are read apart, never added up."""

    dice: Dice
    equal_succeeds: bool
    """Whether a roll equal to the number needed is a success."""
    difficulty_label: str
    """What the number needed is called."""
    origin: Origin

    @classmethod
    def read(cls, row: RuleRow, common: Common) -> Self:
        """The test that a file writes."""
        _refuse_difficulty(row, cls.kind)
        return cls(*common)

    @property
    def die_names(self) -> tuple[str, ...]:
        """Names of the dice, in the order in which they are typed; empty where they have none."""
        return ()

    @property
    def has_difficulty(self) -> bool:
        """Whether there is a number to beat besides the ledger's total, which modifiers may change."""
        return False

    def target_number(self, total: Number, facts: Mapping[str, Value], change: Number = 0) -> Number:
        """The number needed, from the ledger's total for the roll and its change of the number to beat."""
        return total

    def least(self, facts: Mapping[str, Value], change: Number = 0) -> Number:
        """What a die must be more than as well, to be of use, with the ledger's change of it; 0 for nothing."""
        return 0

    def succeeds(self, margin: Number) -> bool:
        """Whether a margin is one of success."""
        return margin >= 0 if self.equal_succeeds else margin > 0

    def margin(self, target: Number, total: Number, roll: int, dice: Sequence[int]) -> tuple[Number, bool]:
        """How far inside success a roll is, and whether it is a success.

        Args:
            target, total: the number needed, and the total of the attack's modifiers.
            roll: sum of the dice.
            dice: what each of them shows.
        """
        margin = target - roll
        return margin, self.succeeds(margin)

    def is_decided_by(self, value: Number, target: Number, total: Number, roll: int) -> bool:
        """Whether the result would differ without an entry of this value in the ledger."""
        margin, is_success = self.margin(target, total, roll, ())
        return is_success != self.succeeds(margin - value)

    def needs(self, what: LedgerTotals, hit: Fraction) -> RollNeed:
        """Dice needed, in words; `hit`, the chance to hit, shows where only one face hits or misses."""
        if not hit and what.target_number < self.dice.lowest + (0 if self.equal_succeeds else 1):
            return RollNeed(f"{self.dice}", "no roll can hit", ": ")
        target = number_text(what.target_number)
        if self.equal_succeeds:
            return RollNeed(f"{self.dice}", f"{target} or less")
        return RollNeed(f"{self.dice}", f"under {target}", " ")

    def least_natural(self, what: LedgerTotals, hit: Fraction) -> int:
        """The least face of the one die that hits, where exactly the faces from it on make `hit`; 0 elsewhere."""
        return 0

    def result_text(self, roll: Roll, what: LedgerTotals) -> str:
        """Result of the dice, in words: "rolled 14 + 9 = 23 vs 17"."""
        return f"rolled {self.roll_against(roll, what)}"

    def roll_against(self, roll: Roll, what: LedgerTotals) -> str:
        """The dice against the number needed: "14 + 9 = 23 vs 17"."""
        return self._against(roll, what, 0, "under")

    def describe(self) -> RuleText:
        """What is rolled."""
        return RuleText(
            f"{{dice}}, {'at most' if self.equal_succeeds else 'under'} the sum of the modifiers", self._gaps
        )

    @property
    def _gaps(self) -> dict[str, str]:
        return {"dice": self.dice.text, "label": self.difficulty_label}

    def _against(self, roll: Roll, what: LedgerTotals, added: Number, needed: str) -> str:
        """A sum against the number needed, with a note where it is just that and not enough."""
        target = number_text(what.target_number)
        is_equal = roll.total + added == what.target_number and not self.equal_succeeds
        return f"{sum_words(roll, added)} vs {target}{f' (needs {needed} {target})' if is_equal else ''}"


class RollUnderTest(Test, frozen=True):
    """The roll must be below the ledger's total, or at it where that succeeds."""

    kind: ClassVar[str] = "roll-under"


class RollOverTest(Test, frozen=True):
    """The ledger's total is added to the roll, which must reach the difficulty, or pass it."""

    kind: ClassVar[str] = "roll-over"
    is_under: ClassVar[bool] = False

    difficulty: Expression

    @classmethod
    def read(cls, row: RuleRow, common: Common) -> Self:
        return cls(*common, row.amount("difficulty"))

    @property
    def has_difficulty(self) -> bool:
        return True

    def target_number(self, total: Number, facts: Mapping[str, Value], change: Number = 0) -> Number:
        return number(self.difficulty, facts) + change

    def margin(self, target: Number, total: Number, roll: int, dice: Sequence[int]) -> tuple[Number, bool]:
        margin = roll + total - target
        return margin, self.succeeds(margin)

    def needs(self, what: LedgerTotals, hit: Fraction) -> RollNeed:
        least = what.target_number - what.total + (0 if self.equal_succeeds else 1)
        highest = self.dice.highest
        if not hit and least > highest:
            return RollNeed(f"{self.dice}", "no roll can hit", ": ")
        if single_dice(self.dice) == (highest,):
            if least >= highest and hit == Fraction(1, highest):
                return RollNeed("", f"needs a natural {highest}")
            if least <= 1 and hit == 1 - Fraction(1, highest):
                return RollNeed("", "misses only on a natural 1")
        bonus = f" {signed(what.total)}" if what.total else ""
        needed = number_text(what.target_number)
        return RollNeed(f"{self.dice}{bonus}", f"{needed} or more" if self.equal_succeeds else f"more than {needed}")

    def least_natural(self, what: LedgerTotals, hit: Fraction) -> int:
        least = what.target_number - what.total
        face = ceil(least) if self.equal_succeeds else floor(least) + 1
        highest = self.dice.highest
        is_one_die = single_dice(self.dice) == (highest,)
        is_true = is_one_die and 1 < face < highest and hit == Fraction(highest - face + 1, highest)
        return face if is_true else 0

    def roll_against(self, roll: Roll, what: LedgerTotals) -> str:
        return self._against(roll, what, what.total, "more than")

    def describe(self) -> RuleText:
        words = f"{{dice}} plus the modifiers, {'at least' if self.equal_succeeds else 'more than'} {{label}}"
        return RuleText(words, self._gaps, (f"{self.difficulty_label}: {self.difficulty}",))


class EachUnderTest(Test, frozen=True):
    """The dice are read apart: one of them must be below the ledger's total, or at it where that succeeds."""

    kind: ClassVar[str] = "each-under"
    reads_each_die: ClassVar[bool] = True

    beats: Expression | None
    """What a die must be more than as well, to be of use."""
    die_names: tuple[str, ...]

    @classmethod
    def read(cls, row: RuleRow, common: Common) -> Self:
        _refuse_difficulty(row, cls.kind)
        dice = common[0]
        beats = row.amount("beats") if row.entry.has("beats") else None
        names = row.entry.texts("die_names") if row.entry.has("die_names") else ()
        if names and len(names) != dice.count:
            row.entry.problem("die_names", f"{dice.text} has {dice.count} dice; expected a name for each")
        return cls(*common, beats, names)

    @property
    def has_difficulty(self) -> bool:
        return self.beats is not None

    def least(self, facts: Mapping[str, Value], change: Number = 0) -> Number:
        return number(self.beats, facts) + change if self.beats is not None else 0

    def margin(self, target: Number, total: Number, roll: int, dice: Sequence[int]) -> tuple[Number, bool]:
        most = target if self.equal_succeeds else target - 1  # dice show whole numbers
        counted = max([die for die in dice if die <= most], default=0) or min(dice, default=0)
        margin = target - counted
        return margin, self.succeeds(margin)

    def is_decided_by(self, value: Number, target: Number, total: Number, roll: int) -> bool:
        return False

    def needs(self, what: LedgerTotals, hit: Fraction) -> RollNeed:
        span = self._span(what)
        if span is None:
            return RollNeed(f"{self.dice}", "no die can hit", ": ")
        low, high = span
        faces = _with_article(high) if low == high else f"{low} to {high}" if low else f"{high} or less"
        which = "either die" if self.dice.count == 2 else "any die"
        return RollNeed(f"{self.dice}", f"{faces} on {which} hits", ": ")

    def roll_against(self, roll: Roll, what: LedgerTotals) -> str:
        span = self._span(what)
        if span is None:
            return f"{one_by_one(roll)}, no die can hit"
        low, high = max(span[0], 1), span[1]
        return f"{one_by_one(roll)} vs {high if low == high else f'{low}–{high}'}"

    def describe(self) -> RuleText:
        return RuleText(super().describe().words.replace("{dice},", "{dice}, each die separately,"), self._gaps)

    def _span(self, what: LedgerTotals) -> tuple[int, int] | None:
        """The lowest and highest face of use, 0 for no lowest; None where no face is."""
        high = floor(what.target_number) if self.equal_succeeds else ceil(what.target_number) - 1
        low = floor(what.beats) + 1 if what.beats else 0
        sides = single_dice(self.dice) or (high,)
        return (low, min(high, *sides)) if max(low, 1) <= min(high, *sides) else None


def _refuse_difficulty(row: RuleRow, kind: str) -> None:
    if row.entry.has("difficulty"):
        row.entry.problem("difficulty", f"the {kind} test has no difficulty; the ledger's total is the target number")


def _with_article(face: int) -> str:
    return f"{'an' if face in (8, 11, 18) or 80 <= face < 90 else 'a'} {face}"


TESTS: tuple[type[Test], ...] = (RollUnderTest, RollOverTest, EachUnderTest)
"""Every kind of test, in the order in which messages name them."""
