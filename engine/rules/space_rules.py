"""Rules of space in a ruleset: sight, heights, movement, scatter, blasts. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from engine.compass import COMPASS
from engine.dice.dice_expressions import Dice
from engine.rules.expressions import Expression, constant
from engine.rules.origin import Origin
from engine.sight_model import PLAIN, SightModel
from engine.smoke_opacity import SmokeOpacity

NOTHING = constant(0)
LANDS_AT = ("aim", "attacker")
STAYS, AGAIN = "stays", "again"


class DirectionRing(Struct, frozen=True):
    """Directions that a scatter table may name, clockwise from the first."""

    label: str
    steps: Mapping[str, tuple[int, int]]
    """Columns and rows of each, east and south positive; only their ratio counts. No word is in two rings."""
    is_along_throw: bool = False
    """Whether (0, -1) is straight on along the line of the throw; else it is north."""


RINGS = (
    DirectionRing("compass directions", COMPASS),
    DirectionRing(
        "directions along the throw",
        {
            "ahead": (0, -1),
            "ahead-right": (1, -1),
            "right": (1, 0),
            "back-right": (1, 1),
            "back": (0, 1),
            "back-left": (-1, 1),
            "left": (-1, 0),
            "ahead-left": (-1, -1),
        },
        is_along_throw=True,
    ),
)
"""Every direction of scatter tables; a table keeps to one ring. A clock of its own is one more entry."""


class SightRule(Struct, frozen=True):
    """A ruleset's rule for lines of sight."""

    origin: Origin
    smoke: SmokeOpacity = SmokeOpacity()
    model: SightModel = PLAIN
    """Who sees whom; its keys are rulings, too."""


class AltitudeBand(Struct, frozen=True):
    """One band of heights above the ground, in the ruleset's unit: from `start` up to and including `upto`.

    At a height that two bands share the lower one counts. Without `upto` it has no end.
    """

    id: str
    label: str
    start: int | Fraction
    upto: int | Fraction | None
    origin: Origin


class Scatter(Struct, frozen=True):
    """Where something comes down that does not land as aimed. The first whose grade and condition fit counts.

    `dice` give the direction: `towards` says for each of their totals a direction of one of RINGS; or STAYS; or AGAIN,
    which rolls once more, with `again_distance` from then on.
    """

    id: str
    label: str
    on: tuple[str, ...]
    """Grades after which it happens, as for effects."""
    when: Expression
    """Over the attack with its range band."""
    at: str
    """One of LANDS_AT: whence it strays, the point aimed at or the attacker itself."""
    dice: Dice | None
    """None: it comes down right there."""
    towards: Mapping[int, str]
    distance: Expression
    """Dice, over the attack and its roll: how far, in the ruleset's unit or in squares."""
    again_distance: Expression | None
    plus: Expression
    """Added to the distance, over the attack and its roll; a distance is never below 0."""
    in_squares: bool
    lost_off_map: Expression
    """Whether what leaves the map is gone; else it comes down on the last square. Over the attack and its roll."""
    origin: Origin

    @property
    def distances(self) -> Mapping[str, Expression]:
        """The formulas of dice for how far, by their keys."""
        again = {} if self.again_distance is None else {"again_distance": self.again_distance}
        return {"distance": self.distance, **again}

    @property
    def formulas(self) -> Mapping[str, Expression]:
        """Every formula of the table, by its key."""
        return {"when": self.when, **self.distances, "plus": self.plus, "lost_off_map": self.lost_off_map}


class BlastZone(Struct, frozen=True):
    """One ring of a burst: up to `radius` from its centre (none where that is 0) it does `share` of its effect.

    Where the share is 0 nobody is struck.
    """

    id: str
    label: str
    radius: Expression
    """In the ruleset's unit, over the attack with its range band."""
    share: Expression
    origin: Origin


class Cone(Struct, frozen=True):
    """Cone of an attack: it hits every unit in an arc of so many degrees that the attacker sees."""

    arc: int
    """The whole width, 1 to 360, around the line to what is aimed at."""
    length: Expression
    """In the ruleset's unit, over the attack."""


class Mode(Struct, frozen=True):
    """Movement mode: on foot, crawling, swimming. A unit moves in the first whose `when` holds.

    Costs are squares to pay: `pace` for each square moved, `climb_cost` for each square's side of height climbed up or
    down, `door_cost` for opening a door on the way, `lift_cost` for each square's side that a flyer rises or sinks.
    """

    id: str
    label: str
    when: Expression
    origin: Origin
    pace: Fraction = Fraction(1)
    climb_cost: Fraction = Fraction(1)
    door_cost: Fraction | None = None
    """None lets closed doors bar the way."""
    lift_cost: Fraction = Fraction(1)


class BurstRule(Struct, frozen=True):
    """Rule for units in a blast: they are hit as by an attack with the grade of that id."""

    grade: str
    origin: Origin
    smoke: Expression = NOTHING
    """How far a cloud of smoke spreads where it goes off, in the ruleset's unit, over the attack; 0 for none."""
    smoke_rounds: Expression = NOTHING
    """How many rounds that has; 0 for as long as nobody clears it."""
    aimed_keeps_grade: Expression = NOTHING
    """Whether the unit aimed at is struck with the grade of the roll, where that is a hit; over the attack."""
    occupied: Expression = NOTHING
    """Whether a burst that is aimed at a square is aimed at the unit that stands there, over the attack on it."""
