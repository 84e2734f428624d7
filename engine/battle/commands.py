"""Commands: wishes of the GM, imperative. `decide.decide` turns one into events or says why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from types import MappingProxyType

from engine.battle.table.commands import Draw as Draw
from engine.battle.table.commands import Give as Give
from engine.battle.table.commands import SetEdges as SetEdges
from engine.battle.table.commands import SetElevation as SetElevation
from engine.battle.table.commands import SetGround as SetGround
from engine.battle.table.commands import SetLamp as SetLamp
from engine.battle.table.commands import SetLight as SetLight
from engine.battle.table.commands import TakeAway as TakeAway
from engine.battle.turns.commands import Delay as Delay
from engine.battle.turns.commands import DissolveGroup as DissolveGroup
from engine.battle.turns.commands import FormGroup as FormGroup
from engine.battle.turns.commands import SetPlace as SetPlace
from engine.battle.turns.commands import Surprise as Surprise
from engine.field.battlefield import Height
from engine.field.burst.clouds import THICK
from engine.field.squares import Direction, Edge, Square
from engine.frozen import dataclass
from engine.rules.ledger import Adjustment

Typed = tuple[tuple[int, ...], ...]
"""Typed dice, one group for each roll in turn; an empty group lets the seed roll."""
Answers = tuple[tuple[str, str, str], ...]
"""Defences against attacks that are made by themselves: which attack, who is struck ("" for its one target), and the id
of the defence, "" for none."""


@dataclass(frozen=True, slots=True)
class RollInitiative:
    """Roll the order of the units anew and begin a round with the first of them."""

    declared: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Action ids by unit id, where the ruleset rolls for what units declare. The others attack with what they hold."""


@dataclass(frozen=True, slots=True)
class Move:
    """Walk a path, its start first. An empty action takes the ruleset's first move that can reach so far.

    With an altitude, in hundredths of the map's unit, a flyer goes to it first; its path may be its own square.
    """

    unit: str
    path: tuple[Square, ...]
    action: str = ""
    altitude: Height | None = None
    answers: Answers = ()
    """What was said against the attacks that it draws and that are made by themselves."""


@dataclass(frozen=True, slots=True)
class Attack:
    """Attack a unit, or a square. Empty weapon: the one in hand. Empty action: the first that fits the weapon."""

    unit: str
    target: str
    weapon: str = ""
    action: str = ""
    is_free: bool = False
    """Costs nothing and needs no turn: an interrupt, or the GM's leave."""
    square: Square | None = None
    """A bare square to aim at in place of a unit, by what bursts or strikes an area."""
    defence: str | None = None
    """Id of the defence that is taken against it, with ":" and the ally's id where an ally takes it; "" for none; None
    where nobody has said yet."""
    share: tuple[tuple[str, int], ...] = ()
    """Hits that go to others than the target: unit ids, each with how many; the target has the rest, one at least."""
    defences: tuple[tuple[str, str], ...] = ()
    """What those do whom a cone or a burst strikes: unit ids, each with the id of a defence, or "" for none; those left
    out have not said yet."""
    answers: Answers = ()
    """What was said against the attacks that it draws and that are made by themselves."""


@dataclass(frozen=True, slots=True)
class Act:
    """Take an action that is neither an attack nor a move; on a target or a square where the action is about one."""

    unit: str
    action: str
    target: str = ""
    square: Square | None = None
    attack: str = ""
    """Id of the attack that is declared with it, where the action declares one."""
    is_free: bool = False
    """Costs nothing, needs no turn, and nobody has to stand near the square for it: the GM's leave."""
    answers: Answers = ()
    """What was said against the attacks that it draws and that are made by themselves."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the active unit's turn; the next one's begins."""

    answers: Answers = ()
    """What was said against the attacks that it draws and that are made by themselves."""


@dataclass(frozen=True, slots=True)
class Face:
    """Turn on the spot; out of the unit's turn it is the GM who turns it."""

    unit: str
    facing: Direction


@dataclass(frozen=True, slots=True)
class Ready:
    """Take another of its weapons in hand."""

    unit: str
    weapon: str
    is_free: bool = False
    """Costs nothing and needs no turn: the GM's leave."""


@dataclass(frozen=True, slots=True)
class SetBarrier:
    """Open, close, lock or break what stands on an edge."""

    edge: Edge
    state: str


@dataclass(frozen=True, slots=True)
class SetPool:
    """The GM sets one of a unit's numbers."""

    unit: str
    pool: str
    value: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class SetBudget:
    """The GM sets what a unit has left to spend."""

    unit: str
    budget: str
    value: int


@dataclass(frozen=True, slots=True)
class SetCondition:
    """The GM begins or ends a condition."""

    unit: str
    condition: str
    is_on: bool
    rounds: int = 0
    """How many rounds it lasts; 0 for until its own moment."""
    about: str = ""
    """Id of the unit or weapon, or name of the square, that it is about; without one the weapon in hand, where it is
    about a weapon, and the unit's own square, where it is about a square."""


@dataclass(frozen=True, slots=True)
class SetPosture:
    """The GM puts a unit into a posture; no action is paid."""

    unit: str
    posture: str


@dataclass(frozen=True, slots=True)
class SetInitiative:
    """The GM gives a unit another place in the order: among those with that score, the last."""

    unit: str
    score: int


@dataclass(frozen=True, slots=True)
class SetAltitude:
    """The GM lifts or lowers a unit: its feet above the ground of its square, in hundredths of the map's unit."""

    unit: str
    altitude: Height


@dataclass(frozen=True, slots=True)
class Place:
    """The GM puts a unit on a square, as if picked up by hand."""

    unit: str
    at: Square


@dataclass(frozen=True, slots=True)
class Adjust:
    """The GM changes the ledger of the next attack."""

    adjustment: Adjustment


@dataclass(frozen=True, slots=True)
class ClearAdjustments:
    """Take all the GM's changes to the ledger back, pinned ones too."""

    entries: tuple[str, ...] = field(default=())
    """Ids of the entries to clear; none means all."""


@dataclass(frozen=True, slots=True)
class SetRuling:
    """The GM decides one of the ruleset's rulings otherwise, for this battle."""

    ruling: str
    value: bool | int | str


@dataclass(frozen=True, slots=True)
class SetCloud:
    """The GM lays a cloud of smoke, or changes the one of that id; an empty id makes a new one."""

    centre: Square
    radius: int
    density: int = THICK
    rounds: int = 0
    """How many rounds it has; 0 for as long as nobody clears it."""
    cloud: str = ""


@dataclass(frozen=True, slots=True)
class ClearCloud:
    """The GM takes a cloud of smoke away; an empty id all of them."""

    cloud: str = ""


@dataclass(frozen=True, slots=True)
class SetOff:
    """The GM lets go off what was laid on a square."""

    square: Square


@dataclass(frozen=True, slots=True)
class ClearCharge:
    """The GM takes up what was laid on a square."""

    square: Square


@dataclass(frozen=True, slots=True)
class SetWind:
    """The GM says where to the wind blows, and how many squares a round; 0 squares are no wind."""

    towards: Direction
    squares: int


@dataclass(frozen=True, slots=True)
class AddUnit:
    """The GM puts new units on the table, fresh from the sheet of a role.

    They stand on `at`, or where that is taken on the first free squares around it; several are numbered.
    """

    role: str
    side: str
    at: Square
    name: str = ""
    """What it is called; "" for its role."""
    count: int = 1
    facing: Direction | None = None
    """None for towards the nearest enemy; north where there is none."""
    posture: str = "standing"
    altitude: Height = 0
    size: int = 1
    is_neutral: bool = False
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class AddGroup:
    """The GM puts a whole group on the table at once; of each the free squares around its `at` are taken."""

    members: tuple[AddUnit, ...]


@dataclass(frozen=True, slots=True)
class CopyUnit:
    """The GM puts the like of a unit on the table, wounds, rounds and conditions included, around a square."""

    unit: str
    at: Square
    count: int = 1


@dataclass(frozen=True, slots=True)
class RemoveUnit:
    """The GM takes a unit off the table, and others with it; its turn, if it is its turn, ends first."""

    unit: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RenameUnit:
    unit: str
    name: str


@dataclass(frozen=True, slots=True)
class SetSide:
    """The GM lets a unit fight for another side, or for nobody."""

    unit: str
    side: str
    is_neutral: bool = False


@dataclass(frozen=True, slots=True)
class SetHidden:
    """The GM hides a unit from the players, or shows it."""

    unit: str
    is_hidden: bool = True


@dataclass(frozen=True, slots=True)
class SetOut:
    """The GM takes a unit out of the fight, with a word why; without one it takes part again."""

    unit: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class SetTurn:
    """The GM says whose turn it is: the active one's ends, this one's begins, and the order goes on from it."""

    unit: str


@dataclass(frozen=True, slots=True)
class SetAmmunition:
    """The GM says how many rounds are in a weapon; an empty weapon is the one in hand."""

    unit: str
    rounds: int
    weapon: str = ""


@dataclass(frozen=True, slots=True)
class SetCover:
    """The GM says how well a target is covered from an attacker; without a share, what is seen counts again."""

    attacker: str
    target: str
    covered: Fraction | None
    """Share of the body, 0 to 1."""
    material: str = "medium"
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class SetPolicy:
    """The GM says whether reactions and defences are asked for: of a kind or all, for a unit, a side or everybody."""

    how: str
    """"off", "ask" or "auto"; "" for as if nothing had been said."""
    kind: str = ""
    unit: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class SetNote:
    """The GM pins a note where no player sees it; with the id of one, changes that. Without text, it is taken away."""

    text: str
    at: Square | None = None
    unit: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Dice for whatever the table wants: "3d6+2"."""

    dice: str
    purpose: str = ""


Answering = Move | Attack | Act | EndTurn
"""Commands that carry answers."""

Command = (
    RollInitiative
    | Move
    | Attack
    | Act
    | EndTurn
    | Face
    | Ready
    | SetBarrier
    | SetPool
    | SetBudget
    | SetCondition
    | SetPosture
    | SetInitiative
    | Delay
    | SetPlace
    | FormGroup
    | DissolveGroup
    | Surprise
    | SetAltitude
    | Place
    | Adjust
    | ClearAdjustments
    | SetRuling
    | SetCloud
    | ClearCloud
    | SetWind
    | SetOff
    | ClearCharge
    | AddUnit
    | AddGroup
    | CopyUnit
    | RemoveUnit
    | RenameUnit
    | SetSide
    | SetHidden
    | SetOut
    | SetTurn
    | SetAmmunition
    | Give
    | TakeAway
    | SetGround
    | SetElevation
    | SetEdges
    | Draw
    | SetLight
    | SetLamp
    | SetCover
    | SetPolicy
    | SetNote
    | ThrowDice
)
