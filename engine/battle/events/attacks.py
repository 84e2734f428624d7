"""Events of attacks: rolls, bursts, what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.bounds import Amount
from engine.dice.sources import Roll
from engine.field.squares import Edge, Square
from engine.rules.ledger import Entry
from engine.values import Number, Stored


class OpeningGiven(Stored, frozen=True, tag="opening-given"):
    """A unit may attack another at once, out of turn: with any attack or the one named, at that cost."""

    unit: str
    against: str
    because: str
    reaction: str = ""
    """Id of the reaction that the other's act has drawn; "" where it is not that."""
    attack: str = ""
    cost: Mapping[str, Amount] = {}
    is_by_move: bool = False
    """Whether a move has drawn it, which has stopped for it; else an attack, which is not made yet."""


class ReactionTaken(Stored, frozen=True, tag="reaction-taken"):
    """A unit makes use of its right to attack another at once by itself: nobody was asked."""

    unit: str
    against: str
    because: str


class AttackRolled(Stored, frozen=True, tag="attack-rolled"):
    """An attack with its whole receipt: what it was, every line of the ledger, the dice, and what they came to."""

    unit: str
    target: str
    weapon: str
    weapon_label: str
    action: str
    action_label: str
    distance: str
    """As it is told: "20 ft"."""
    sight: str
    entries: tuple[Entry, ...]
    total: Number
    target_number: Number
    chance: Fraction
    roll: Roll
    grade: str
    grade_label: str
    is_hit: bool
    square: Square | None = None
    """Where it was aimed, when at no unit."""
    beats: Number = 0
    """What a die that is read apart had to be more than; 0 where nothing says so."""


class DefenceTaken(Stored, frozen=True, tag="defence-taken"):
    """A unit defends against an attack that was rolled. `budget` is what it has left afterwards."""

    unit: str
    against: str
    defence: str
    label: str
    spent: Mapping[str, Amount]
    budget: Mapping[str, Amount]
    is_by_itself: bool = False
    """Whether nobody was asked."""


class BurstLanded(Stored, frozen=True, tag="burst-landed"):
    """Where a burst went off, what was rolled for it, and what stopped it on its way; "" when nothing did."""

    unit: str
    weapon_label: str
    at: Square
    rolls: tuple[Roll, ...]
    stopped_by: str


class BurstCaught(Stored, frozen=True, tag="burst-caught"):
    """A unit in one of a burst's rings, or in the cone of an attack; `ring` is what that is called."""

    unit: str
    target: str
    ring: str
    share: Fraction


class AttackTurned(Stored, frozen=True, tag="attack-turned"):
    """An attack that was rolled counts as another grade, or against somebody else."""

    unit: str
    target: str
    grade: str
    grade_label: str
    because: str


class StrikeBegan(Stored, frozen=True, tag="strike-began"):
    """One of the several times that a hit strikes; `strikes` is how many, 0 when it comes to none."""

    unit: str
    target: str
    label: str
    number: int
    strikes: int


class CoverWorn(Stored, frozen=True, tag="cover-worn"):
    """Something that covered a target took what was meant for it: what it has taken so far, before and after.

    It stands on the edge, or on the square where that is None; `name` is what it is.
    """

    square: Square
    edge: Edge | None
    name: str
    before: Amount
    after: Amount
    because: str


class EffectRolled(Stored, frozen=True, tag="effect-rolled"):
    """Dice that followed from an attack or an action."""

    unit: str
    label: str
    roll: Roll
    against: str = ""
    """What they were up against, in words; "" where nothing says so."""


class EffectReckoned(Stored, frozen=True, tag="effect-reckoned"):
    """What followed from an attack without dice: what armour stopped; or in `words`, that nobody was near."""

    unit: str
    label: str
    value: Number = 0
    words: str = ""
