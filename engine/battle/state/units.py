"""Units: place and state. A placement is a unit of a map, before any ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from msgspec import Struct

from engine.battle.state.characters import Character
from engine.bounds import MANY, Amount, Count, Id, ListOf, Size, StatValue, Text
from engine.geometry.battlefield import Battlefield, Height
from engine.geometry.body import Body, body
from engine.geometry.squares import Direction, Square
from engine.values import Stored

ROLES = (
    "gunman",
    "rifleman",
    "marksman",
    "machine-gunner",
    "grenadier",
    "brawler",
    "shield-bearer",
    "leader",
    "flyer",
    "drone",
    "civilian",
)
"""Roles that maps give and every ruleset has a sheet for, so that any map plays under any ruleset."""


OPPONENTS = "opponents"
"""The side of an encounter's opponents that names none."""
FLYING_ROLES = ("flyer", "drone")
"""Roles of those who may take off."""


class Placement(Struct, frozen=True):
    """A unit on a map: its role is turned into numbers by the ruleset's sheet for that role."""

    id: str
    name: str
    role: str
    side: str
    at: Square
    facing: Direction = Direction.N
    posture: str = "standing"
    size: int = 1
    altitude: Height = 0
    is_neutral: bool = False
    """Nobody's enemy, whatever its side: a bystander."""
    is_hidden: bool = False
    """Only the GM sees it."""
    sheet: str = ""
    """A sheet of a ruleset's own to take in place of the role's, under a ruleset that has it: a starship."""
    character_file: str = ""
    """The character whose sheet it has in place of the role's, by the name of its file; "" for none."""
    character: Character | None = None
    """That sheet, once it was read."""
    stats: tuple[tuple[str, StatValue], ...] = ()
    """Stats that are other than its sheet's, with their values."""


class Gear(Stored, frozen=True):
    """Gear of a unit: what it carries, wears and has loaded."""

    weapons: ListOf[Id] = ()
    weapon: Id = ""
    """Id of the weapon in hand; "" for none."""
    rounds: Annotated[Mapping[Id, Amount], MANY] = {}
    """Rounds left in the magazine, by weapon id."""


class UnitOverrides(Stored, frozen=True):
    """The GM's changes of a unit's sheet."""

    armour: Id | None = None
    """Id of the armour that she has given it, "" for none; None for that of its sheet."""
    accessories: ListOf[Id] | None = None
    """Ids of what it wears besides, where she has changed that; None for those of its sheet."""
    stats: ListOf[tuple[Id, StatValue]] = ()
    """Ids of stats with the values that she has set."""

    def stat(self, stat: str) -> StatValue | None:
        """The GM's value of a stat; None where the sheet and the gear decide."""
        return dict(self.stats).get(stat)


AS_THE_SHEET = UnitOverrides()
"""Nothing is changed."""


class Turn(Stored, frozen=True):
    """Actions of a unit in its latest turn, and its budgets."""

    budget: Annotated[Mapping[Id, Amount], MANY] = {}
    """What is left to spend this turn."""
    start: Square = Square(0, 0)
    """Where the turn began."""
    moved: Fraction = Fraction(0)
    """Movement spent since, in squares."""
    trail: ListOf[Square] = ()
    """Squares walked since, where it started first; empty before it moved."""
    odd_diagonals: bool = False
    """Whether it walked an odd number of diagonal steps since: where diagonals alternate, the next one costs double. A
    push or the GM's hand does not change it."""
    stride: Fraction = Fraction(0)
    """Squares left of the latest move action, to be walked before another is paid for."""
    stride_action: Id = ""
    """Id of that move action."""
    attacks: Count = 0
    tally: Annotated[Mapping[Id, Count], MANY] = {}
    """Times each action was taken."""
    drawn_by_move: ListOf[Id] = ()
    """Reactions that its latest move action has drawn, each with whose it is: "fleeing bandit"."""
    drawn_by_attack: ListOf[Id] = ()
    """Reactions that the attack it is about to make has drawn."""

    @property
    def is_used(self) -> bool:
        """Whether the unit has done anything in it."""
        return bool(self.attacks or self.moved or self.tally)


class Unit(Stored, frozen=True):
    """A unit in a battle. Stats live in its character, or else in the ruleset's sheet for `role`; changes live here."""

    id: Id
    name: Text
    role: Id
    side: Id
    at: Square
    facing: Direction
    posture: Id
    size: Size
    altitude: Height
    gear: Gear
    pools: Annotated[Mapping[Id, Amount], MANY]
    turn: Turn
    conditions: ListOf[Id] = ()
    timers: Annotated[Mapping[Id, Count], MANY] = {}
    """Rounds left of those conditions that last a number of rounds."""
    about: Annotated[Mapping[Id, Text], MANY] = {}
    """What its conditions are about, where they are: id of a unit, a weapon or an attack, or the name of a square."""
    markers: Annotated[Mapping[Text, Count], MANY] = {}
    """Markers that the GM has put on it, each with the rounds left; 0 until it is taken away."""
    is_defeated: bool = False
    is_neutral: bool = False
    """Nobody's enemy, whatever its side."""
    is_hidden: bool = False
    """Only the GM sees it."""
    out: Text = ""
    """Why the GM has taken it out of the fight, as "surrenders"; "" when she has not."""
    overrides: UnitOverrides = AS_THE_SHEET
    character: Character | None = None
    """Its own sheet, which takes the place of the ruleset's for its role; None for that one."""
    full_name: Text = ""
    """Of a unit that is called by its noun, what its sheet says, without a number; "" where the name is whole."""

    def body(self, field: Battlefield) -> Body:
        """Its body on a map, by the rules of sight there."""
        return body(
            self.at, field.unit, self.posture, self.size, self.altitude, self.name, field.sight, self.conditions
        )

    @property
    def sheet_name(self) -> str:
        """Its full name, with its number: "Veteran gang gunman 3"."""
        number = self.name.rpartition(" ")[2]
        return f"{self.full_name or self.name}{f' {number}' * (bool(self.full_name) and number.isdecimal())}"

    @property
    def squares(self) -> tuple[Square, ...]:
        return (self.at,) if self.size == 1 else Body(self.at, self.size).squares

    @property
    def can_fly(self) -> bool:
        return self.altitude > 0 or self.role in FLYING_ROLES

    def is_enemy_of(self, other: Unit) -> bool:
        """Whether the two are on different sides and neither is neutral."""
        return self.side != other.side and not self.is_neutral and not other.is_neutral


def placed(unit: Unit) -> Placement:
    """A unit as it stands, as a map would have it, but seen by all."""
    return Placement(
        unit.id,
        unit.name,
        unit.role,
        unit.side,
        unit.at,
        unit.facing,
        unit.posture,
        unit.size,
        unit.altitude,
        unit.is_neutral,
        character_file=unit.character.file if unit.character else "",
        character=unit.character,
        stats=unit.overrides.stats,
    )
