"""What a ruleset says of the course of a battle: who acts when, and what happens by itself. Data only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from engine.dice.expressions import Dice
from engine.rules.expressions import Expression
from engine.rules.origin import Origin

if TYPE_CHECKING:
    from engine.rules.model import Effect

INITIATIVE_KINDS = ("each", "sides")
EVERY = ("battle", "round")
MOMENTS = ("round start", "round end", "own turn start", "own turn end", "moves", "falls", "defeated")


class Initiative(Struct, frozen=True):
    """Who acts when. `each`: every unit rolls `dice` plus `bonus`; `sides`: each side once, adding its best bonus.

    High goes first; ties go by `ties`, then by a roll of `tie_dice`, then by the order of the units on the map.
    """

    kind: str
    dice: Dice
    bonus: Expression
    origin: Origin
    every: str = "battle"
    """One of EVERY: whether the order stays, or is rolled anew when a round begins."""
    score: Expression | None = None
    """What the roll comes to, over INITIATIVE_FACTS besides the unit's; None adds the bonus to the dice."""
    ties: Expression | None = None
    """None: the bonus."""
    tie_dice: Dice | None = None
    declares: bool = False
    """Whether units declare what they will do: its facts are then known, `action.` and the `weapon.` for it."""


class Moment(Struct, frozen=True):
    """What happens by itself to every unit to which the moment `at` comes (one of MOMENTS), where `when` holds.

    `when` and the effects ask of it under `unit.`, and for `fallen`, how far it fell. Rounds begin and end for those
    out of the fight too.
    """

    id: str
    label: str
    at: str
    when: Expression
    effects: tuple[Effect, ...]
    origin: Origin
