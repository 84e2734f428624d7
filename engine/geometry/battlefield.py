"""The battlefield: what lies on every square and every edge, with heights. Immutable; geometry, no rules.

Heights are whole hundredths of the map's unit (feet or metres), so that sight can be decided exactly. Everything that
counts squares is in squares.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.bounds import Id, Text, Whole
from engine.errors import BattleboardError
from engine.geometry.squares import Direction, Edge, Square
from engine.geometry.zones import StartZone
from engine.sight_model import PLAIN, SightModel
from engine.smoke_opacity import SmokeOpacity
from engine.values import Stored, replace

Height = Whole
"""Hundredths of the map's unit: 120 is 1.2 metres on a metric map."""

SKY: Height = 1_000_000_00
"""Higher than anything on a map: the top of a wall that goes up to the roof."""

MAX_COLUMNS = MAX_ROWS = 500
LIGHTS = ("dark", "dim", "bright")
SMOKE_NAMES = ("clear air", "thin smoke", "thick smoke")
"""By density."""


class OffMap(BattleboardError):
    """A square outside the battlefield."""

    def __init__(self, square: Square, battlefield: Battlefield) -> None:
        last = Square(battlefield.columns - 1, battlefield.rows - 1)
        super().__init__(f"{square.name} is off the map: the last square is {last.name}.")


class Ground(Stored, frozen=True):
    """What fills a square: terrain and perhaps an object standing on it. One entry of a map's legend.

    `height` is the object's height above the square's ground. The four questions are never mixed: a hedge blocks sight
    and stops no shot, a pane of armoured glass the other way round.
    """

    terrain: Id
    object: Id = ""
    height: Height = 0
    blocks_sight: bool = False
    stops_shots: bool = False
    blocks_movement: bool = False
    contains_blast: bool = False
    cover: Id = ""
    """How well it protects: "", "light", "medium" or "heavy". Rulesets say what that is worth."""
    move_cost: Whole = 1
    """Squares of movement to enter; 2 is difficult ground."""
    glyph: Text = "."

    @property
    def name(self) -> str:
        """What a sentence calls it: the object when there is one, else the terrain."""
        return self.object or self.terrain


class Barrier(Stored, frozen=True):
    """Something thin on an edge: wall, door, window, railing, bars, curtain.

    It fills the edge from `bottom` to `top` above the higher ground of its two squares, except for the opening between
    `sill` and `lintel` where there is one (a window). An open or broken door fills nothing.
    """

    kind: Id
    state: Id = ""
    """"" for what has none; else "open", "closed", "locked" or "broken"."""
    bottom: Height = 0
    top: Height = SKY
    sill: Height | None = None
    lintel: Height | None = None
    blocks_sight: bool = True
    stops_shots: bool = True
    blocks_movement: bool = True
    contains_blast: bool = True
    cover: Id = "medium"
    seen_through: Direction | None = None
    """The way in which one looks through it all the same, as if it hid nothing: a one-way mirror. One of four."""
    walked_through: Direction | None = None
    """The way in which one walks through it all the same: a turnstile. One of four."""
    door: Id = ""
    """Edges with the same name here are one door: they open, close and break together. "" stands alone."""

    @property
    def is_open(self) -> bool:
        """Whether it fills nothing now: its state is open or broken."""
        return self.state in ("open", "broken")

    @property
    def can_open(self) -> bool:
        """Whether it has a state that can change: open, closed or locked. What is broken cannot."""
        return self.state in ("open", "closed", "locked")


NOTHING = Ground(
    "rock",
    height=SKY,
    blocks_sight=True,
    stops_shots=True,
    blocks_movement=True,
    contains_blast=True,
    glyph=" ",
)
"""What lies outside the drawing."""


class Lamp(Stored, frozen=True):
    """A source of light on a square: bright up to `bright` squares from its centre, dim up to `dim`, in straight lines.

    It shines from `height` above the ground of its square and casts shadows: what blocks sight blocks its light. Of a
    light that goes 0 squares there is none at all.
    """

    at: Square
    bright: Whole
    dim: Whole
    height: Height = 0


class Battlefield(Stored, frozen=True):
    """A whole map's geometry. Layers are row-major with `columns * rows` entries."""

    name: str
    columns: int
    rows: int
    unit: str
    """"feet" or "metres"."""
    square_size: Height
    """Side of a square in hundredths of the unit: 500 for five feet."""
    legend: tuple[Ground, ...]
    ground: tuple[int, ...]
    """Index into `legend` for each square."""
    elevation: tuple[Height, ...]
    smoke: tuple[int, ...]
    """Density for each square, 0 for clear air, 1 thin, 2 thick."""
    light: tuple[int, ...]
    """Index into LIGHTS for each square, without the light of lamps; `lighting.lit` adds that."""
    barriers: Mapping[Edge, Barrier] = {}
    is_indoors: bool = False
    lamps: tuple[Lamp, ...] = ()
    smoke_opacity: SmokeOpacity = SmokeOpacity()
    """As the rules of the battle have it; a map alone says nothing of it."""
    sight: SightModel = PLAIN
    """Likewise."""
    zones: tuple[StartZone, ...] = ()
    """Where units start, in the map's order."""

    def __contains__(self, square: object) -> bool:
        return isinstance(square, Square) and 0 <= square.column < self.columns and 0 <= square.row < self.rows

    def index(self, square: Square) -> int:
        """Position of the square in the layers.

        Raises:
            OffMap: the square is outside.
        """
        column, row = square
        if 0 <= column < self.columns and 0 <= row < self.rows:
            return row * self.columns + column
        raise OffMap(square, self)

    def ground_at(self, square: Square) -> Ground:
        """What fills the square.

        Raises:
            OffMap: the square is outside.
        """
        return self.legend[self.ground[self.index(square)]]

    def elevation_at(self, square: Square) -> Height:
        """Height of the ground itself, without any object on it, in hundredths above the map's zero.

        Raises:
            OffMap: the square is outside.
        """
        return self.elevation[self.index(square)]

    def top_at(self, square: Square) -> Height:
        """Height of the ground and the object on it, in hundredths above the map's zero.

        Raises:
            OffMap: the square is outside.
        """
        return min(SKY, self.elevation_at(square) + self.ground_at(square).height)

    def smoke_at(self, square: Square) -> int:
        """Density of the smoke on the square; 0 for clear air.

        Raises:
            OffMap: the square is outside.
        """
        return self.smoke[self.index(square)]

    def barrier_base(self, edge: Edge) -> Height:
        """Ground that a barrier's heights are measured from: the higher of its two squares."""
        return max((self.elevation_at(square) for square in edge.squares if square in self), default=0)

    def squares(self) -> list[Square]:
        """Every square, row by row."""
        return [Square(column, row) for row in range(self.rows) for column in range(self.columns)]

    def one_door(self, edge: Edge) -> tuple[Edge, ...]:
        """The edges of the door that a barrier is part of, itself included; itself alone where it has no name."""
        name = self.barriers[edge].door
        if not name:
            return (edge,)
        return tuple(sorted(other for other, barrier in self.barriers.items() if barrier.door == name))

    def with_state(self, edge: Edge, state: str) -> Battlefield:
        """The same battlefield with the barrier on an edge opened, closed, locked or broken, and its whole door."""
        changed = {part: replace(self.barriers[part], state=state) for part in self.one_door(edge)}
        return replace(self, barriers={**self.barriers, **changed})

    def in_units(self, height: Height) -> float:
        """Hundredths turned into the map's unit."""
        return height / 100
