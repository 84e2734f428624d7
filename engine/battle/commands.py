"""Commands: wishes of the GM, imperative. `decide.decide` turns one into events or says why not."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

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
from engine.bounds import StatValue
from engine.field.battlefield import Height
from engine.field.burst.clouds import THICK
from engine.field.squares import Direction, Edge, Square
from engine.rules.ledger import Adjustment
from engine.values import Stored


class RollInitiative(Stored, frozen=True, tag="roll-initiative"):
    """Roll the order of the units anew and begin a round with the first of them."""

    declared: Mapping[str, str] = {}
    """Action ids by unit id, where the ruleset rolls for what units declare. The others attack with what they hold."""


class Move(Stored, frozen=True, tag="move"):
    """Walk a path, its start first. An empty action takes the ruleset's first move that can reach so far.

    With an altitude, in hundredths of the map's unit, a flyer goes to it first; its path may be its own square.
    """

    unit: str
    path: tuple[Square, ...]
    action: str = ""
    altitude: Height | None = None


class Attack(Stored, frozen=True, tag="attack"):
    """Attack a unit, or a square. Empty weapon: the one in hand. Empty action: the first that fits the weapon."""

    unit: str
    target: str
    weapon: str = ""
    action: str = ""
    is_free: bool = False
    """Costs nothing and needs no turn: an interrupt, or the GM's leave."""
    square: Square | None = None
    """A bare square to aim at in place of a unit, by what bursts or strikes an area."""


class Act(Stored, frozen=True, tag="act"):
    """Take an action that is neither an attack nor a move; on a target or a square where the action is about one."""

    unit: str
    action: str
    target: str = ""
    square: Square | None = None
    attack: str = ""
    """Id of the attack that is declared with it, where the action declares one."""
    is_free: bool = False
    """Costs nothing, needs no turn, and nobody has to stand near the square for it: the GM's leave."""


class EndTurn(Stored, frozen=True, tag="end-turn"):
    """End the active unit's turn; the next one's begins."""


class Face(Stored, frozen=True, tag="face"):
    """Turn on the spot; out of the unit's turn it is the GM who turns it."""

    unit: str
    facing: Direction


class Ready(Stored, frozen=True, tag="ready"):
    """Take another of its weapons in hand."""

    unit: str
    weapon: str
    is_free: bool = False
    """Costs nothing and needs no turn: the GM's leave."""


class SetBarrier(Stored, frozen=True, tag="set-barrier"):
    """Open, close, lock or break what stands on an edge."""

    edge: Edge
    state: str


class SetPool(Stored, frozen=True, tag="set-pool"):
    """The GM sets one of a unit's numbers."""

    unit: str
    pool: str
    value: int
    note: str = ""


class DamageUnits(Stored, frozen=True, tag="damage-units"):
    """The GM takes points from one pool of several units at once; nothing that they wear counts."""

    units: tuple[str, ...]
    amount: int
    pool: str = ""
    """"" for the first that the ruleset's rule of defeat asks for."""


class SetStat(Stored, frozen=True, tag="set-stat"):
    """The GM sets a stat of a unit; the value of its sheet is the sheet's again."""

    unit: str
    stat: str
    value: StatValue


class SetBudget(Stored, frozen=True, tag="set-budget"):
    """The GM sets what a unit has left to spend."""

    unit: str
    budget: str
    value: int


class SetCondition(Stored, frozen=True, tag="set-condition"):
    """The GM begins or ends a condition."""

    unit: str
    condition: str
    is_on: bool
    rounds: int = 0
    """How many rounds it lasts; 0 for until its own moment."""
    about: str = ""
    """Id of the unit or weapon, or name of the square, that it is about; without one the weapon in hand, where it is
    about a weapon, and the unit's own square, where it is about a square."""


class SetPosture(Stored, frozen=True, tag="set-posture"):
    """The GM puts a unit into a posture; no action is paid."""

    unit: str
    posture: str


class SetInitiative(Stored, frozen=True, tag="set-initiative"):
    """The GM gives a unit another place in the order: among those with that score, the last."""

    unit: str
    score: int


class SetAltitude(Stored, frozen=True, tag="set-altitude"):
    """The GM lifts or lowers a unit: its feet above the ground of its square, in hundredths of the map's unit."""

    unit: str
    altitude: Height


class Place(Stored, frozen=True, tag="place"):
    """The GM puts a unit on a square, as if picked up by hand."""

    unit: str
    at: Square


class Adjust(Stored, frozen=True, tag="adjust"):
    """The GM changes the ledger of the next attack."""

    adjustment: Adjustment


class ClearAdjustments(Stored, frozen=True, tag="clear-adjustments"):
    """Take all the GM's changes to the ledger back, pinned ones too."""

    entries: tuple[str, ...] = ()
    """Ids of the entries to clear; none means all."""


class SetRuling(Stored, frozen=True, tag="set-ruling"):
    """The GM decides one of the ruleset's rulings otherwise, for this battle."""

    ruling: str
    value: bool | int | str


class SetCloud(Stored, frozen=True, tag="set-cloud"):
    """The GM lays a cloud of smoke, or changes the one of that id; an empty id makes a new one."""

    centre: Square
    radius: int
    density: int = THICK
    rounds: int = 0
    """How many rounds it has; 0 for as long as nobody clears it."""
    cloud: str = ""


class ClearCloud(Stored, frozen=True, tag="clear-cloud"):
    """The GM takes a cloud of smoke away; an empty id all of them."""

    cloud: str = ""


class SetOff(Stored, frozen=True, tag="set-off"):
    """The GM lets go off what was laid on a square."""

    square: Square


class ClearCharge(Stored, frozen=True, tag="clear-charge"):
    """The GM takes up what was laid on a square."""

    square: Square


class SetWind(Stored, frozen=True, tag="set-wind"):
    """The GM says where to the wind blows, and how many squares a round; 0 squares are no wind."""

    towards: Direction
    squares: int


class AddUnit(Stored, frozen=True, tag="add-unit"):
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


class AddGroup(Stored, frozen=True, tag="add-group"):
    """The GM puts a whole group on the table at once; of each the free squares around its `at` are taken."""

    members: tuple[AddUnit, ...]


class CopyUnit(Stored, frozen=True, tag="copy-unit"):
    """The GM puts the like of a unit on the table, wounds, rounds and conditions included, around a square."""

    unit: str
    at: Square
    count: int = 1


class RemoveUnit(Stored, frozen=True, tag="remove-unit"):
    """The GM takes a unit off the table, and others with it; its turn, if it is its turn, ends first."""

    unit: str
    others: tuple[str, ...] = ()


class RenameUnit(Stored, frozen=True, tag="rename-unit"):
    unit: str
    name: str


class SetSide(Stored, frozen=True, tag="set-side"):
    """The GM lets a unit fight for another side, or for nobody."""

    unit: str
    side: str
    is_neutral: bool = False


class SetHidden(Stored, frozen=True, tag="set-hidden"):
    """The GM hides a unit from the players, or shows it."""

    unit: str
    is_hidden: bool = True


class SetOut(Stored, frozen=True, tag="set-out"):
    """The GM takes a unit out of the fight, with a word why; without one it takes part again."""

    unit: str
    why: str = ""


class SetTurn(Stored, frozen=True, tag="set-turn"):
    """The GM says whose turn it is: the active one's ends, this one's begins, and the order goes on from it."""

    unit: str


class SetAmmunition(Stored, frozen=True, tag="set-ammunition"):
    """The GM says how many rounds are in a weapon; an empty weapon is the one in hand."""

    unit: str
    rounds: int
    weapon: str = ""


class SetCover(Stored, frozen=True, tag="set-cover"):
    """The GM says how well a target is covered from an attacker; without a share, what is seen counts again."""

    attacker: str
    target: str
    covered: Fraction | None
    """Share of the body, 0 to 1."""
    material: str = "medium"
    is_pinned: bool = False


class SetPolicy(Stored, frozen=True, tag="set-policy"):
    """The GM says whether reactions and defences are asked for: of a kind or all, for a unit, a side or everybody."""

    how: str
    """"off", "ask" or "auto"; "" for as if nothing had been said."""
    kind: str = ""
    unit: str = ""
    side: str = ""


class SetNote(Stored, frozen=True, tag="set-note"):
    """The GM pins a note where no player sees it; with the id of one, changes that. Without text, it is taken away."""

    text: str
    at: Square | None = None
    unit: str = ""
    note: str = ""


class ThrowDice(Stored, frozen=True, tag="throw-dice"):
    """Dice for whatever the table wants: "3d6+2"."""

    dice: str
    purpose: str = ""


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
    | SetStat
    | DamageUnits
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
