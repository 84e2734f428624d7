"""Events of attacks: rolls, blasts, effects."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from engine.battle.events.event import Event, LogEvent
from engine.battle.state.battle import Battle, Opening, Worn
from engine.battle.state.open_reactions import resumed
from engine.battle.state.reasons import Because
from engine.bounds import MANY, Amount, Id, ListOf, Text, Whole
from engine.dice.sources import Roll
from engine.geometry.squares import Edge, Square
from engine.rules.ledger import Entry
from engine.values import Number, replace

__all__ = [
    "AttackRolled",
    "AttackTurned",
    "BurstCaught",
    "BurstLanded",
    "CoverWorn",
    "DefenceTaken",
    "EffectComputed",
    "EffectRolled",
    "OpeningGiven",
    "ReactionTaken",
    "StrikeBegan",
]


class OpeningGiven(Event, frozen=True, tag="opening-given"):
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

    def apply(self, battle: Battle) -> Battle:
        """The battle with a new open reaction; the same action does not provoke it again."""
        cost = dict(self.cost)
        opening = Opening(self.unit, self.against, self.because, self.reaction, self.attack, cost)
        battle = replace(battle, openings=(*battle.openings, opening))
        if not self.reaction:
            return battle
        actor, name = battle.units[self.against], f"{self.reaction} {self.unit}"
        if self.is_by_move:
            turn = replace(actor.turn, drawn_by_move=(*actor.turn.drawn_by_move, name))
        else:
            turn = replace(actor.turn, drawn_by_attack=(*actor.turn.drawn_by_attack, name))
        return battle.with_unit(replace(actor, turn=turn))


class ReactionTaken(LogEvent, frozen=True, tag="reaction-taken"):
    """A unit reacts automatically with an attack on another: nobody was asked."""

    unit: Id
    against: Id
    because: Because


class AttackRolled(Event, frozen=True, tag="attack-rolled"):
    """An attack with its whole receipt: action, weapon, every line of the ledger, dice and result."""

    unit: Id
    target: Id
    weapon: Id
    weapon_label: Text
    action: Id
    action_label: Text
    distance: Text
    """As it is shown: "20 ft"."""
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

    def apply(self, battle: Battle) -> Battle:
        used = battle.opening(self.unit, self.target, self.action)
        battle = replace(battle, openings=tuple(held for held in battle.openings if held != used))
        unit = battle.units[self.unit]
        turn = replace(unit.turn, attacks=unit.turn.attacks + 1, drawn_by_attack=())
        return resumed(battle.with_unit(replace(unit, turn=turn)), unit.id)


class DefenceTaken(Event, frozen=True, tag="defence-taken"):
    """A unit defends against a rolled attack; `budget` is what it has left afterwards."""

    unit: Id
    against: Id
    defence: Id
    label: Text
    spent: Annotated[Mapping[Id, Amount], MANY]
    budget: Annotated[Mapping[Id, Amount], MANY]
    is_by_itself: bool = False
    """Whether nobody was asked."""

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(replace(unit, turn=replace(unit.turn, budget=self.budget)))


class BurstLanded(LogEvent, frozen=True, tag="burst-landed"):
    """Square where a blast went off, its rolls, and what stopped it in flight; "" for nothing.

    What was stopped by OFF_MAP has left the map over that square and is gone.
    """

    unit: Id
    weapon_label: Text
    at: Square
    rolls: ListOf[Roll]
    stopped_by: Text


class BurstCaught(LogEvent, frozen=True, tag="burst-caught"):
    """A unit in one of the rings of a blast, or in the cone of an attack; `ring` is its label."""

    unit: Id
    target: Id
    ring: Id
    share: Fraction


class AttackTurned(LogEvent, frozen=True, tag="attack-turned"):
    """An attack changes to another grade, or to another target; without a grade before it is rolled."""

    unit: Id
    target: Id
    grade: Id
    grade_label: Text
    because: Text


class StrikeBegan(LogEvent, frozen=True, tag="strike-began"):
    """One of the several strikes of a hit; `strikes` is their number, 0 for none."""

    unit: Id
    target: Id
    label: Text
    number: Whole
    strikes: Whole


class CoverWorn(Event, frozen=True, tag="cover-worn"):
    """Cover took damage meant for its target: its total before and after.

    It stands on the edge, or on the square where that is None; `name` is what it is.
    """

    square: Square
    edge: Edge | None
    name: Text
    before: Amount
    after: Amount
    because: Text

    def apply(self, battle: Battle) -> Battle:
        place = self.edge or self.square
        others = tuple(worn for worn in battle.scene.worn if worn.place != place)
        worn = (*others, Worn(self.square, self.edge, self.after))
        return replace(battle, scene=replace(battle.scene, worn=worn))


class EffectRolled(LogEvent, frozen=True, tag="effect-rolled"):
    """Dice that followed from an attack or an action."""

    unit: Id
    label: Text
    roll: Roll
    against: Id = ""
    """What they were up against, in words; "" where nothing says so."""


class EffectComputed(LogEvent, frozen=True, tag="effect-reckoned"):
    """Result of an effect without dice: damage stopped by armour.

    With a value, `words` are how it comes about: "(3 + attribute 1) × 3"; without, why the effect did nothing.
    """

    unit: Id
    label: Text
    value: Number = 0
    words: Because = ""
