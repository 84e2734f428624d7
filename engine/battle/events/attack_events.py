"""Events of attacks: rolls, bursts, what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from engine.battle.state.reasons import Because
from engine.bounds import MANY, Amount, Id, ListOf, Text, Whole
from engine.dice.sources import Roll
from engine.geometry.squares import Edge, Square
from engine.rules.ledger import Entry
from engine.values import Number, Stored


class OpeningGiven(Stored, frozen=True, tag="opening-given"):
    """A unit may attack another at once, out of turn: with any attack or the one named, at that cost."""

    unit: Id
    against: Id
    because: Because
    reaction: Id = ""
    """Id of the reaction that the other's act has drawn; "" where it is not that."""
    attack: Id = ""
    cost: Annotated[Mapping[Id, Amount], MANY] = {}
    is_by_move: bool = False
    """Whether a move has drawn it, which has stopped for it; else an attack, which is not made yet."""


class ReactionTaken(Stored, frozen=True, tag="reaction-taken"):
    """A unit makes use of its right to attack another at once by itself: nobody was asked."""

    unit: Id
    against: Id
    because: Because


class AttackRolled(Stored, frozen=True, tag="attack-rolled"):
    """An attack with its whole receipt: what it was, every line of the ledger, the dice, and what they came to."""

    unit: Id
    target: Id
    weapon: Id
    weapon_label: Text
    action: Id
    action_label: Text
    distance: Text
    """As it is told: "20 ft"."""
    sight: Text
    entries: ListOf[Entry]
    total: Number
    target_number: Number
    chance: Fraction
    roll: Roll
    grade: Id
    grade_label: Text
    is_hit: bool
    square: Square | None = None
    """Where it was aimed, when at no unit."""
    beats: Number = 0
    """What a die that is read apart had to be more than; 0 where nothing says so."""


class DefenceTaken(Stored, frozen=True, tag="defence-taken"):
    """A unit defends against an attack that was rolled. `budget` is what it has left afterwards."""

    unit: Id
    against: Id
    defence: Id
    label: Text
    spent: Annotated[Mapping[Id, Amount], MANY]
    budget: Annotated[Mapping[Id, Amount], MANY]
    is_by_itself: bool = False
    """Whether nobody was asked."""


class BurstLanded(Stored, frozen=True, tag="burst-landed"):
    """Where a burst went off, what was rolled for it, and what stopped it on its way; "" when nothing did."""

    unit: Id
    weapon_label: Text
    at: Square
    rolls: ListOf[Roll]
    stopped_by: Text


class BurstCaught(Stored, frozen=True, tag="burst-caught"):
    """A unit in one of a burst's rings, or in the cone of an attack; `ring` is what that is called."""

    unit: Id
    target: Id
    ring: Id
    share: Fraction


class AttackTurned(Stored, frozen=True, tag="attack-turned"):
    """An attack that was rolled counts as another grade, or against somebody else."""

    unit: Id
    target: Id
    grade: Id
    grade_label: Text
    because: Text


class StrikeBegan(Stored, frozen=True, tag="strike-began"):
    """One of the several times that a hit strikes; `strikes` is how many, 0 when it comes to none."""

    unit: Id
    target: Id
    label: Text
    number: Whole
    strikes: Whole


class CoverWorn(Stored, frozen=True, tag="cover-worn"):
    """Something that covered a target took what was meant for it: what it has taken so far, before and after.

    It stands on the edge, or on the square where that is None; `name` is what it is.
    """

    square: Square
    edge: Edge | None
    name: Text
    before: Amount
    after: Amount
    because: Text


class EffectRolled(Stored, frozen=True, tag="effect-rolled"):
    """Dice that followed from an attack or an action."""

    unit: Id
    label: Text
    roll: Roll
    against: Id = ""
    """What they were up against, in words; "" where nothing says so."""


class EffectComputed(Stored, frozen=True, tag="effect-reckoned"):
    """What followed from an attack without dice: what armour stopped; or in `words`, that nobody was near."""

    unit: Id
    label: Text
    value: Number = 0
    words: Because = ""
