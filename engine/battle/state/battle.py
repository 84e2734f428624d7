"""A battle at one moment: field, units, turn order, GM overrides. Immutable."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Literal

from engine.answers import Given
from engine.battle.state.codec import canonical, to_json
from engine.battle.state.gm_overrides import ASK, CoverRuling, Note, Policy
from engine.battle.state.reasons import Because
from engine.battle.state.units import Turn, Unit
from engine.bounds import Count, Id, ListOf, Text
from engine.errors import Unknown
from engine.geometry.battlefield import Battlefield, Height
from engine.geometry.blast.smoke_clouds import Cloud, Wind, smoke_with
from engine.geometry.squares import Edge, Square
from engine.rules.ledger import Adjustment
from engine.values import Stored, replace

PLAYERS = "players"
"""The seat of all players, in whose eyes their side sees."""


class Dropped(Stored, frozen=True):
    """A weapon that lies on a square, with the rounds in it; None where none are counted."""

    weapon: str
    at: Square
    rounds: Count | None


class Charge(Stored, frozen=True):
    """A weapon that was laid on a square and waits to go off: a mine. Only the GM sees it."""

    id: Id
    unit: Id
    """Whose it is."""
    weapon: Id
    at: Square
    reach: Fraction
    """How near somebody must walk to set it off, in squares; 0 where nobody's step does."""
    action: Id
    """Id of the act by which it was laid."""


class Worn(Stored, frozen=True):
    """How much has been taken from something that covers: what stands on the edge, or on the square where that is None.

    What the amount counts is for the ruleset to say.
    """

    square: Square
    edge: Edge | None
    amount: int

    @property
    def place(self) -> Square | Edge:
        return self.edge or self.square


class Opening(Stored, frozen=True):
    """An open reaction: a right to attack a unit at once, out of turn. Gone when used, or when the turn ends.

    A reaction to an action also lapses when the acting unit continues.
    """

    unit: str
    against: str
    because: Because
    reaction: str = ""
    """Id of the ruleset's reaction that it is; "" for one that no act has drawn."""
    attack: str = ""
    """Id of the only attack that may be made; "" for any."""
    cost: Mapping[str, int] = {}
    """What it takes from the unit's budget."""


class Interrupted(Stored, frozen=True):
    """A turn that waits: one that was interrupted, or an extra one of the active unit that comes after its own."""

    unit: Id
    is_extra: bool = False
    turn: Turn | None = None
    """What is left of it, kept while the unit takes an extra turn in between."""


class Declared(Stored, frozen=True):
    """A declared and paid move for the end of the round; the unit's square first."""

    unit: str
    action: str
    path: tuple[Square, ...]
    altitude: Height | None = None
    """Where a flyer rises or sinks to first; None for where it is."""


class DiceState(Stored, frozen=True):
    """Where the battle's dice come from."""

    seed: str = ""
    drawn: int = 0
    """Dice drawn from the seed so far."""


class HeldCommand(Stored, frozen=True):
    """The rest of a command that waits for the reactions it has provoked; its fields are the command's own."""

    kind: Literal["move", "attack", "act"]
    unit: Id
    action: Text = ""
    target: Text = ""
    weapon: Text = ""
    attack: Text = ""
    path: ListOf[Square] = ()
    altitude: Height | None = None
    square: Square | None = None
    is_free: bool = False
    answers: Given = ()
    """Answers that people gave for it and that are not used yet."""


class TurnOrder(Stored, frozen=True):
    """The round, the turn order, and whose turn it is."""

    round: int = 0
    """0 before the order is rolled."""
    order: tuple[str, ...] = ()
    initiative: Mapping[str, int] = {}
    announced: Mapping[str, str] = {}
    """Labels of what units declared when the order was rolled, by unit id, where the ruleset asks it."""
    announced_in: int = 0
    """The round for which they did."""
    groups: tuple[tuple[str, ...], ...] = ()
    """Units that share one place in the order, and one roll for it."""
    active: str = ""
    """Id of the unit whose turn it is; "" before the first turn."""
    interrupted: tuple[Interrupted, ...] = ()
    """Turns that wait for the active unit's turn to end; the first to continue is last."""
    started: tuple[str, ...] = ()
    """Those whose turn of this round has begun and was not put off, the earliest first."""
    ended: tuple[str, ...] = ()
    """Those of them whose turn of this round is over."""
    surprised: tuple[str, ...] = ()
    """Those who lose their turn in this round."""
    delayed: tuple[str, ...] = ()
    """Those whose turn has begun in this round and was put off."""
    declared: tuple[Declared, ...] = ()
    """Moves that are made when the round ends."""
    closing: tuple[str, ...] = ()
    """In the closing part of a round, those who may attack after their move; the one whose part it is first."""
    held: tuple[HeldCommand, ...] = ()
    """Commands that wait for the reactions that they have drawn, one a unit at most."""

    @property
    def current_place(self) -> str:
        """The unit whose place in the order is current: the first of the interrupted turns, or else the active unit."""
        return self.interrupted[0].unit if self.interrupted else self.active

    def is_passed_over(self, unit_id: str) -> bool:
        """Whether a unit is surprised and has no turn this round, unless the GM has given it one."""
        return unit_id in self.surprised and unit_id != self.active

    @property
    def is_own_turn(self) -> bool:
        """Whether the active unit has its turn of this round, not an extra one or its part after the moves."""
        return self.active in self.started and self.active not in self.ended and not self.is_waiting(self.active)

    def is_waiting(self, unit_id: str) -> bool:
        """Whether a unit's turn of this round is interrupted and continues."""
        return any(waiting.unit == unit_id and not waiting.is_extra for waiting in self.interrupted)

    def held_by(self, unit_id: str) -> HeldCommand | None:
        """The rest of a unit's command that waits for reactions; None for none."""
        return next((held for held in self.held if held.unit == unit_id), None)

    def group_of(self, unit_id: str) -> tuple[str, ...]:
        """Units that share a unit's place in the turn order, in order; the unit alone without a group."""
        members = next((group for group in self.groups if unit_id in group), ())
        return tuple(one for one in self.order if one in members) or members or (unit_id,)


class SceneState(Stored, frozen=True):
    """Objects on the map: dropped weapons, charges, damage of cover, smoke, wind."""

    dropped: tuple[Dropped, ...] = ()
    charges: tuple[Charge, ...] = ()
    """What was laid and has not gone off, the latest last."""
    worn: tuple[Worn, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    """Clouds of smoke; their smoke is laid into the battle's field."""
    own_smoke: tuple[int, ...] = ()
    """The map's own smoke, to be had back when clouds are gone; empty while there are none."""
    wind: Wind | None = None

    def lying_at(self, square: Square) -> tuple[Dropped, ...]:
        """Weapons that lie on a square, the latest first."""
        return tuple(item for item in reversed(self.dropped) if item.at == square)

    def lying_under(self, unit: Unit) -> tuple[Dropped, ...]:
        """Weapons that lie on any square of a unit, its first square's first, on each the latest first."""
        return tuple(item for square in unit.squares for item in self.lying_at(square))

    def wear(self, place: Square | Edge) -> int:
        """Damage of a thing that gives cover."""
        return next((worn.amount for worn in self.worn if worn.place == place), 0)


class GmOverrides(Stored, frozen=True):
    """The GM's modifiers, rulings, notes and policies."""

    adjustments: tuple[Adjustment, ...] = ()
    """Changes that hold for the next attack, and those pinned."""
    rulings: Mapping[str, bool | int | str] = {}
    """Rulings that the GM has changed for this battle."""
    notes: tuple[Note, ...] = ()
    covers: tuple[CoverRuling, ...] = ()
    """Who is covered from whom, in place of what is seen."""
    policies: tuple[Policy, ...] = ()
    """Reactions and defences that are not asked for any more."""

    def cover_ruling(self, attacker: str, target: str) -> CoverRuling | None:
        """The GM's cover ruling for one unit against another, if any."""
        return next((held for held in self.covers if held.pair == (attacker, target)), None)

    def policy(self, unit: Unit, kind: str) -> str:
        """Policy of a reaction or defence of a unit: the unit's own counts before its side's.

        Of either, what is said of the kind counts before what is said of all.
        """
        if not self.policies:
            return ASK
        said = {policy.about: policy.how for policy in self.policies}
        nearest = ((kind, unit.id, ""), ("", unit.id, ""), (kind, "", unit.side), ("", "", unit.side), (kind, "", ""))
        return next((said[about] for about in (*nearest, ("", "", "")) if about in said), ASK)


class Battle(Stored, frozen=True):
    """Everything that undo must give back."""

    field: Battlefield
    units: Mapping[str, Unit] = {}
    gone: Mapping[str, str] = {}
    """Names of removed units, by id."""
    badges: Mapping[str, str] = {}
    """What units wear on the board, also removed ones, by id: a letter, in a group with a number."""
    seen_as: Mapping[str, Mapping[str, str]] = {}
    """By seat, the badges by which it knows the units that it has seen; it counts each group as it sees them."""
    dice: DiceState = DiceState()
    turns: TurnOrder = TurnOrder()
    openings: tuple[Opening, ...] = ()
    scene: SceneState = SceneState()
    gm: GmOverrides = GmOverrides()
    is_finished: bool = False
    """Whether the GM has ended it: no command is possible any more."""
    party: str = ""
    """Id of the party that it is for; "" for none."""

    @property
    def is_set_up(self) -> bool:
        """Whether it is in its set-up phase: initiative is not rolled yet, and nobody has a turn."""
        return not self.turns.round

    def unit(self, unit_id: str) -> Unit:
        """The unit of that id.

        Raises:
            Unknown: there is none; the message names the nearest.
        """
        if unit_id not in self.units:
            raise Unknown("unit", unit_id, self.units)
        return self.units[unit_id]

    def called(self, unit_id: str) -> str:
        """Name of a unit, also of a removed one; else the id."""
        return self.units[unit_id].name if unit_id in self.units else self.gone.get(unit_id, unit_id)

    def on(self, square: Square) -> list[Unit]:
        """Everybody on a square or above it: those still in the fight first, of them whose turn it is."""
        here = [unit for unit in self.units.values() if square in unit.squares]
        return sorted(here, key=lambda unit: (unit.is_defeated, unit.id != self.turns.active))

    def at(self, square: Square) -> Unit | None:
        """The first unit on a square; None for none."""
        return next(iter(self.on(square)), None)

    def opening(self, unit_id: str, against: str, attack: str = "") -> Opening | None:
        """A unit's right to attack another at once, if it has one; with that attack, if one is named."""
        held = (one for one in self.openings if (one.unit, one.against) == (unit_id, against))
        return next((one for one in held if not attack or one.attack in ("", attack)), None)

    def foes(self, unit: Unit) -> list[Unit]:
        """The enemies of a unit that are in the fight."""
        return [other for other in self.units.values() if unit.is_enemy_of(other) and not other.is_defeated]

    def known_foes(self, unit: Unit) -> list[Unit]:
        """The same without those that the GM has hidden, unless she has hidden the unit, too: what is worked out from
        them players see."""
        return [foe for foe in self.foes(unit) if unit.is_hidden or not foe.is_hidden]

    def with_unit(self, unit: Unit) -> Battle:
        return replace(self, units={**self.units, unit.id: unit})

    def with_order(self, order: tuple[str, ...], scores: Mapping[str, int]) -> Battle:
        """The battle with another turn order, and the scores that made it, by unit id."""
        return replace(self, turns=replace(self.turns, order=order, initiative=scores))

    @property
    def bare_field(self) -> Battlefield:
        """The field with the map's own smoke alone, without that of clouds."""
        return replace(self.field, smoke=self.scene.own_smoke) if self.scene.own_smoke else self.field

    def with_field(self, field: Battlefield) -> Battle:
        """The same battle on a changed field of its own, with the smoke of its clouds."""
        if not self.scene.own_smoke:
            return replace(self, field=field)
        bare = replace(field, smoke=self.scene.own_smoke)
        return replace(self, field=replace(bare, smoke=smoke_with(bare, self.scene.clouds)))

    def with_clouds(self, clouds: tuple[Cloud, ...]) -> Battle:
        """The same battle with other clouds, and their smoke in its field."""
        if not clouds and not self.scene.own_smoke:
            return self
        bare = self.bare_field
        own = bare.smoke if clouds else ()
        scene = replace(self.scene, clouds=clouds, own_smoke=own)
        return replace(self, scene=scene, field=replace(bare, smoke=smoke_with(bare, clouds)))

    def encode(self) -> bytes:
        """The whole state as canonical bytes; equal states give equal bytes."""
        return canonical(to_json(self))


SMOKE = "smoke"
"""What ids of clouds begin with."""


def free_id(stem: str, taken: Collection[str], first: int = 1) -> str:
    """An id that nothing has: the stem with the first number that is free, as "smoke-1"."""
    number = first
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"
