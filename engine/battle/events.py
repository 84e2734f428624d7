"""Events: facts about a battle, in the past tense. They hold results (dice, damage, squares), never formulas.

`KINDS` is the register by which the journal reads them back; an event's kind is its class name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.battle.units import Unit
from engine.dice.sources import Roll
from engine.field.battlefield import Height
from engine.field.burst.clouds import Cloud, Wind
from engine.field.squares import Direction, Edge, Square
from engine.rules.ledger import Adjustment, Entry


@dataclass(frozen=True, slots=True)
class BattleBegan:
    """The units as the ruleset's sheets made them, and the seed of the dice."""

    units: tuple[Unit, ...]
    seed: str


@dataclass(frozen=True, slots=True)
class InitiativeRolled:
    """One roll for initiative. `who` is a unit id or a side."""

    who: str
    roll: Roll
    bonus: int
    total: int


@dataclass(frozen=True, slots=True)
class OrderSet:
    """Who acts in which order from now on; `scores` by unit id."""

    order: tuple[str, ...]
    scores: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RoundBegan:
    round: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A unit's turn begins with a full budget. An extra one interrupts the active unit's."""

    unit: str
    budget: Mapping[str, int]
    is_extra: bool = False


@dataclass(frozen=True, slots=True)
class TurnEnded:
    unit: str


@dataclass(frozen=True, slots=True)
class TurnWaits:
    """An extra turn of the active unit comes when its present one is over."""

    unit: str


@dataclass(frozen=True, slots=True)
class TurnDropped:
    """A turn waits no longer: it begins now, or its unit is out of the fight."""

    unit: str


@dataclass(frozen=True, slots=True)
class TurnResumed:
    """A turn that was interrupted goes on with what was left of it."""

    unit: str


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """A unit pays for an action. `budget` is what it has left afterwards."""

    unit: str
    action: str
    label: str
    spent: Mapping[str, int]
    budget: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class UnitMoved:
    """A unit walked `path` (its start first). `stride` is what is left of the move action."""

    unit: str
    action: str
    path: tuple[Square, ...]
    cost: Fraction
    stride: Fraction
    facing: Direction


@dataclass(frozen=True, slots=True)
class UnitPushed:
    """A unit was moved along `path` (its start first) without a step of its own."""

    unit: str
    path: tuple[Square, ...]
    because: str


@dataclass(frozen=True, slots=True)
class UnitFell:
    """A unit fell so far, in hundredths of the map's unit, to where it is now."""

    unit: str
    drop: Height


@dataclass(frozen=True, slots=True)
class StrideForfeited:
    """What was left of the unit's move is gone."""

    unit: str


@dataclass(frozen=True, slots=True)
class UnitPlaced:
    """The GM put a unit somewhere."""

    unit: str
    before: Square
    after: Square


@dataclass(frozen=True, slots=True)
class AltitudeChanged:
    """Feet above the ground, in hundredths of the map's unit."""

    unit: str
    before: Height
    after: Height


@dataclass(frozen=True, slots=True)
class UnitTurned:
    unit: str
    facing: Direction


@dataclass(frozen=True, slots=True)
class PostureTaken:
    unit: str
    posture: str


@dataclass(frozen=True, slots=True)
class WeaponReadied:
    unit: str
    weapon: str
    label: str


@dataclass(frozen=True, slots=True)
class WeaponDropped:
    """The weapon in hand lies on a square now."""

    unit: str
    weapon: str
    label: str
    at: Square
    rounds: int | None


@dataclass(frozen=True, slots=True)
class WeaponTaken:
    """A unit took up a weapon from its square."""

    unit: str
    weapon: str
    label: str
    rounds: int | None


@dataclass(frozen=True, slots=True)
class WeaponBroken:
    """The weapon in hand is of no more use."""

    unit: str
    weapon: str
    label: str


@dataclass(frozen=True, slots=True)
class OpeningGiven:
    """A unit may attack another at once, out of turn and for nothing."""

    unit: str
    against: str
    because: str


@dataclass(frozen=True, slots=True)
class AttackRolled:
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
    total: int | Fraction
    target_number: int | Fraction
    chance: Fraction
    roll: Roll
    grade: str
    grade_label: str
    is_hit: bool
    square: Square | None = None
    """Where it was aimed, when at no unit."""


@dataclass(frozen=True, slots=True)
class BurstLanded:
    """Where a burst went off, what was rolled for it, and what stopped it on its way; "" when nothing did."""

    unit: str
    weapon_label: str
    at: Square
    rolls: tuple[Roll, ...]
    stopped_by: str


@dataclass(frozen=True, slots=True)
class BurstCaught:
    """A unit in one of a burst's rings."""

    unit: str
    target: str
    ring: str
    share: Fraction


@dataclass(frozen=True, slots=True)
class AttackTurned:
    """An attack that was rolled counts as another grade, or against somebody else."""

    unit: str
    target: str
    grade: str
    grade_label: str
    because: str


@dataclass(frozen=True, slots=True)
class EffectRolled:
    """Dice that followed from an attack or an action."""

    unit: str
    label: str
    roll: Roll


@dataclass(frozen=True, slots=True)
class EffectReckoned:
    """What followed from an attack without dice: what armour stopped; or in `words`, that nobody was near."""

    unit: str
    label: str
    value: int | Fraction = 0
    words: str = ""


@dataclass(frozen=True, slots=True)
class DiceDrawn:
    """The seed's dice have been drawn up to `position`."""

    position: int


@dataclass(frozen=True, slots=True)
class PoolChanged:
    unit: str
    pool: str
    label: str
    before: int
    after: int
    because: str


@dataclass(frozen=True, slots=True)
class RoundsChanged:
    """Rounds in a magazine."""

    unit: str
    weapon: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class ConditionBegan:
    """`rounds` is how many rounds it lasts, 0 for until its own moment; `about` the unit that it is about, if any."""

    unit: str
    condition: str
    label: str
    rounds: int = 0
    about: str = ""


@dataclass(frozen=True, slots=True)
class ConditionTicked:
    """A round less of a condition that lasts a number of them."""

    unit: str
    condition: str
    left: int


@dataclass(frozen=True, slots=True)
class ConditionEnded:
    unit: str
    condition: str
    label: str
    because: str


@dataclass(frozen=True, slots=True)
class UnitDefeated:
    unit: str


@dataclass(frozen=True, slots=True)
class UnitRecovered:
    unit: str


@dataclass(frozen=True, slots=True)
class BarrierChanged:
    """A door or its like was opened, closed, locked or broken."""

    edge: Edge
    kind: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The GM changed the ledger of the next attack."""

    adjustment: Adjustment


@dataclass(frozen=True, slots=True)
class AdjustmentsCleared:
    """Changes that held for one attack are spent."""

    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CloudSet:
    """A cloud of smoke lies there now, in place of one of the same id."""

    cloud: Cloud


@dataclass(frozen=True, slots=True)
class CloudCleared:
    """The GM took a cloud away."""

    cloud: Cloud


@dataclass(frozen=True, slots=True)
class WindSet:
    """Where to the wind blows; None for no wind."""

    wind: Wind | None


@dataclass(frozen=True, slots=True)
class CloudsDrifted:
    """A round has gone over all clouds; those that are no longer there are gone."""

    before: tuple[Cloud, ...]
    after: tuple[Cloud, ...]


Event = (
    BattleBegan
    | InitiativeRolled
    | OrderSet
    | RoundBegan
    | TurnBegan
    | TurnEnded
    | TurnWaits
    | TurnDropped
    | TurnResumed
    | ActionTaken
    | UnitMoved
    | UnitPushed
    | UnitFell
    | StrideForfeited
    | UnitPlaced
    | AltitudeChanged
    | UnitTurned
    | PostureTaken
    | WeaponReadied
    | WeaponDropped
    | WeaponTaken
    | WeaponBroken
    | OpeningGiven
    | AttackRolled
    | BurstLanded
    | BurstCaught
    | AttackTurned
    | EffectRolled
    | EffectReckoned
    | DiceDrawn
    | PoolChanged
    | RoundsChanged
    | ConditionBegan
    | ConditionTicked
    | ConditionEnded
    | UnitDefeated
    | UnitRecovered
    | BarrierChanged
    | Adjusted
    | AdjustmentsCleared
    | CloudSet
    | CloudCleared
    | WindSet
    | CloudsDrifted
)

KINDS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in Event.__args__}
