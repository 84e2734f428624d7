"""Effects: the base of every kind, what one does to the facts, and what it changes in a battle.

A kind of effect is one class that holds all of itself: how it is read, what it asks for, how it runs, which events it
makes, how it is described. The kinds are in `battle.effects`, for they make events; what all of them share, and all
that rules and odds ask of one, is here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self

from msgspec import Struct

from engine.dice.dice_expressions import Dice
from engine.errors import BattleboardError
from engine.rules.compiled import Facts
from engine.rules.expressions import Expression, Template
from engine.rules.formula_values import number
from engine.rules.functions import Value
from engine.rules.origin import Origin
from engine.toml_reader import Reader
from engine.values import replace

TURNED = "turned into"
"""Under this name, which no formula can ask for, the odds hold the grades that an attack has turned into."""
Common = tuple[str, str, tuple[str, ...], Expression, str, Origin, bool, Expression | None, Expression | None]
"""The fields that effects of all kinds have, in order."""


class Certain(Struct, frozen=True):
    """Result of an effect without dice: the facts that it changes."""

    facts: Mapping[str, Value] = {}
    is_shown: bool = False
    """Whether the log shows them."""


class Chance(Struct, frozen=True):
    """Result of dice: the fact `name` is their sum."""

    name: str
    dice: Dice
    because: Template | None = None
    """What the dice are up against, shown with the label."""
    is_shared: bool = False
    """Whether one roll serves all whom a burst catches."""


NOTHING_CERTAIN = Certain()


class StateChange(Struct, frozen=True):
    """A change of a unit's state whose chance is shown beside the damage."""

    id: str
    """As "prone", "stunned", "disarmed"."""
    words: str
    """With the gap `{condition}` for the label of the condition that begins or ends."""


class RuleText(Struct, frozen=True):
    """Description of a rule as data: `words` with gaps in braces, and the text for each gap.

    The gaps `pool`, `condition` and `grade` hold ids, which are shown by their labels; `{whom}` and `{unit}`, the
    ruleset's unit of distance, are filled without being given.
    """

    words: str
    gaps: Mapping[str, str] = {}
    details: tuple[str, ...] = ()
    """Lines that stand under it, whole."""


class RuleRow(Protocol):
    """A rule in a file, as its kind reads it; what is wrong is noted at its place, and a harmless value returned."""

    entry: Reader

    def amount(self, key: str) -> Expression:
        """A formula whose value is a number."""

    def any_value(self, key: str) -> Expression:
        """A formula whose value is a number, yes or no, or a word."""

    def dice(self, key: str) -> Expression:
        """Dice, or a formula that names them."""

    def template(self, key: str) -> Template:
        """A text with formulas in braces."""


class EffectRow(RuleRow, Protocol):
    """The same for an effect."""

    grades: tuple[str, ...]
    """Ids of the grades after which it may happen; none for an effect that follows from no roll of an attack."""
    has_target: bool
    """Whether there is somebody else whom it may be about."""
    is_by_itself: bool
    """Whether it is part of a moment, without an acting unit."""
    pools: Collection[str]
    budgets: Collection[str]
    conditions: Collection[str]

    def common(self, kind: type[Effect]) -> Common:
        """The fields that effects of all kinds have."""

    def new_fact(self, key: str, *, is_lasting: bool = False) -> str:
        """A name for a fact that there is not yet, but for one that lasts: that is known from the first hit on."""


class Effect(Struct, frozen=True):
    """One step of the effects of a roll, or of an action without one. Steps run in order."""

    kind: ClassVar[str] = ""
    """The key that stands for it in a file."""
    words: ClassVar[str] = ""
    """What it does, with gaps for fields of its own, for `whom`, and for `unit`, the ruleset's unit of distance."""
    changes_units: ClassVar[bool] = True
    """Whether it changes anything; the others only set a fact, each time again."""
    is_early: ClassVar[bool] = False
    """Whether it may be worked out as soon as what it asks for is known: it has no dice and changes nothing."""
    has_dice: ClassVar[bool] = False
    formulas: ClassVar[tuple[str, ...]] = ()
    """The fields, besides `when`, on which it rests what happens to the facts."""
    several: ClassVar[tuple[str, ...]] = ()
    """Words for those nearby whom it may be about (see NEARBY)."""
    is_about_held: ClassVar[bool] = False
    """Whether it may be about the unit that a condition of the acting one is about."""
    only_whom: ClassVar[str] = ""
    """Whom it is always about; "" where the file says."""
    needs_attack: ClassVar[bool] = False
    """Whether it follows from attacks alone."""
    needs_target: ClassVar[bool] = False
    """Whether there must be somebody who is attacked or acted on."""
    only_in_acts: ClassVar[bool] = False
    """Whether no attack leads to it."""
    only_by_somebody: ClassVar[bool] = False
    """Whether no moment leads to it."""
    reloads: ClassVar[bool] = False
    """Whether it fills the magazine of the weapon in hand."""
    lays_charge: ClassVar[bool] = False
    """Whether it lays the weapon in hand on the act's square."""
    no_state_change: ClassVar[str] = ""
    """Why odds show no chance of its own for it; "" for a kind that has a `state_change`."""

    id: str
    label: str
    on: tuple[str, ...]
    """Grades after which it happens; "hit", "miss" and "always" name all grades that are such."""
    when: Expression
    whom: str
    """"attacker", "target", or somebody `within` a distance: "allies", the attacker's side near it, without itself;
    "nearest_ally", the nearest of them; "enemies", its enemies near it; "ally_near_target", its ally that is nearest to
    the target; "<condition>_on", the unit that this condition of the attacker refers to. "attacker" is the acting
    unit of an action that is not an attack."""
    origin: Origin
    is_once: bool
    """Whether it happens for the first of several strikes only."""
    within: Expression | None
    """For those who are named by a distance: how far off, in the ruleset's unit."""
    nth: Expression | None
    """For the nearest of several: which one, 1 the nearest; without it that one."""

    @property
    def state_change(self) -> StateChange | None:
        """What it changes of a unit besides its numbers; None for a kind that says why it has none."""
        return None

    def can_change(self, unit: Any, weapon: str, facts: Facts) -> bool:
        """Whether its `state_change` is one for a unit of a battle as that is now: nobody is disarmed of nothing.

        Args:
            unit: the `Unit` that it is about, of which rules know nothing.
            weapon: id of the weapon that the unit attacks with, or else has in hand.
            facts: those of the attack.
        """
        return True

    @property
    def needs_ground(self) -> bool:
        """Whether it makes a unit kneel or lie, as nobody does in the air."""
        return False

    @classmethod
    def misplaced(cls, row: EffectRow) -> str:
        """Why an effect of this kind cannot stand where the row is; "" where it can."""
        if (cls.needs_attack and not row.grades) or (cls.needs_target and not row.has_target):
            return f"{cls.kind} needs an attack roll; an action without one has no target"
        if cls.only_in_acts and row.grades:
            return f"{cls.kind} belongs to an action; an attack places no charges"
        if cls.only_by_somebody and row.is_by_itself:
            return f"{cls.kind} needs an acting unit; a moment has none"
        return ""

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        """The effect that a row of a file writes."""
        if not row.entry.flag(cls.kind):
            row.entry.problem(cls.kind, f"{cls.kind} = false does nothing; remove the effect")
        return cls(*row.common(cls))

    def asks(self) -> frozenset[str]:
        """The names that it asks for, as far as its facts rest on them."""
        return self.when.names

    def makes(self) -> frozenset[str]:
        """The name that it may change, if any."""
        return frozenset()

    def settled(self, known: Facts, left_open: Collection[str]) -> Self | None:
        """The same effect with its formulas settled as far as these facts go; None where it cannot happen.

        Args:
            known: the facts.
            left_open: names that may have any value, whatever `known` says.
        """
        when = self.when.settled(known, left_open)
        try:
            if not when.can_hold:
                return None
        except BattleboardError:  # it breaks in play as well
            pass
        now: dict[str, Any] = {"when": when} if when is not self.when else {}
        for name in self.formulas:
            before: Expression = getattr(self, name)
            formula = before.settled(known, left_open)
            if formula is not before:
                now[name] = formula
        return replace(self, **now) if now else self

    @property
    def is_fixed(self) -> bool:
        """Whether it happens for certain, and does the same to the facts whatever they are."""
        return self.when.is_fixed and all(getattr(self, name).is_fixed for name in self.formulas)

    def split_by_rolls(self, rolled: Collection[str]) -> Sequence[Effect]:
        """The same in several steps, each of which asks for fewer of the rolled facts, where that can be."""
        return (self,)

    @property
    def is_idle(self) -> bool:
        """Whether it only repeats a known fact."""
        return False

    def run(self, facts: Facts) -> Certain | Chance:
        """What it does to the facts: no battle, and no dice but those it names. Play and odds both ask this.

        Raises:
            BrokenRule, ExpressionError: a formula came out as something that it cannot use.
        """
        return NOTHING_CERTAIN

    def change(self, facts: Facts, made: Facts) -> EffectChange | None:
        """Its change of a battle, with details that odds do not need; None for nothing.

        Args:
            facts: before it.
            made: the facts that `run` made other than they were.
        """
        return EffectChange(self)

    def events(self, change: Any, unit_id: str, draft: Any, cause: Any) -> None:
        """Adds the events of a change of its own on one unit; here for those that make none.

        Args:
            change: from `change`.
            unit_id: the unit that it is about.
            draft: the battle's `EventBuilder`, of which rules know nothing.
            cause: the battle's `Cause`: who did it to whom, with what.
        """

    def describe(self) -> RuleText:
        """What it does."""
        own = self.__struct_fields__[len(Effect.__struct_fields__) :]
        return RuleText(self.words, {name: str(getattr(self, name)) for name in own})

    def typical(self, sample: Facts) -> Value | None:
        """A value to try later formulas on, of the fact that it makes known; None where it makes none known."""
        return None

    def is_thrown_with(self, first: Effect) -> bool:
        """Whether its dice are rolled together with those of another."""
        return False

    @property
    def thrown(self) -> Expression | None:
        """The formula that names the dice it rolls; None where it rolls none."""
        return None

    @property
    def formula(self) -> Expression | None:
        """The formula whose value its fact is; None where it does something else."""
        return None

    @property
    def begins(self) -> str:
        """Id of the condition that it begins; "" for none."""
        return ""

    @property
    def ends(self) -> str:
        """Id of the condition that it ends; "" for none."""
        return ""

    @property
    def takes_square(self) -> bool:
        """Whether an act on somebody may name a square for it besides its target."""
        return False

    @property
    def lasts(self) -> bool:
        """Whether the fact that it sets is still known for the attack's further hits, on whomever they strike."""
        return False

    @property
    def outcome(self) -> str:
        """The fact that says whether the test succeeds which the effects make up; "" for every other effect."""
        return ""

    @property
    def repeats(self) -> bool:
        """Whether the log tells a value too that is just a number that it has already."""
        return True

    @property
    def makes_critical(self) -> bool:
        """Whether a hit is a critical hit once it happens."""
        return False

    @property
    def turns_into(self) -> str:
        """Id of the grade as which the attack counts from then on; "" for none."""
        return ""


class ValueEffect(Effect, frozen=True):
    """An effect with one formula under its own key: an amount or a value."""

    formulas: ClassVar[tuple[str, ...]] = ("value",)

    value: Expression

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        return cls(*row.common(cls), row.amount(cls.kind))

    def asks(self) -> frozenset[str]:
        return self.when.names | self.value.names


class EffectChange(Struct, frozen=True):
    """Change of a battle by one run of an effect; kinds with more fields have a class of their own.

    `within` is how near those are whom it is about, where they are named by a distance; `nth` which of them it is where
    it is about the nearest, 1 for that one.
    """

    effect: Effect
    within: int | Fraction = 0
    nth: int = 1


class NumberChange(EffectChange, frozen=True, kw_only=True):
    """A number of a unit's, or of its cover, goes from one value to another."""

    before: int
    after: int


class AmountChange(EffectChange, frozen=True, kw_only=True):
    """Something happens by so much, in the ruleset's unit of distance."""

    amount: int | Fraction


class AmountEffect(ValueEffect, frozen=True):
    """An effect whose `value` is how far, or how near."""

    def change(self, facts: Facts, made: Facts) -> AmountChange:
        return AmountChange(self, amount=number(self.value, facts))
