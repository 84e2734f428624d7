"""Rules of space in a ruleset: sight, heights, movement, scatter, blasts. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from engine.dice.dice_expressions import Dice
from engine.rules.expressions import Expression, constant
from engine.rules.origin import Origin

NOTHING = constant(0)
LANDS_AT = ("aim", "attacker")
COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
BEARINGS = ("ahead", "ahead-right", "right", "back-right", "back", "back-left", "left", "ahead-left")
"""The eight directions seen along the line of the throw, clockwise as COMPASS."""
STAYS, AGAIN = "stays", "again"


class SightRule(Struct, frozen=True):
    """A ruleset's rule for lines of sight."""

    units_cover: bool
    """Whether bodies of others in the line hide and protect what is behind them."""
    origin: Origin


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

    `dice` give the direction: `towards` says for each of their totals one of COMPASS, or of BEARINGS when it is counted
    from the line of the throw; or STAYS; or AGAIN, which rolls once more, with `again_distance` from then on.
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

    Costs are squares to pay: `pace` for each square moved, `terrain` in place of the map's own cost for terrain named
    there, `climb_cost` and `drop_cost` for each square's side of height over what is taken in stride, `door_cost` for
    opening a door on the way, `lift_cost` for each square's side that a flyer rises or sinks.
    """

    id: str
    label: str
    when: Expression
    origin: Origin
    pace: Fraction = Fraction(1)
    terrain: Mapping[str, Fraction] = {}
    shut: tuple[str, ...] = ()
    """Terrain that may not be entered this way."""
    climb_cost: Fraction = Fraction(1)
    drop_cost: Fraction | None = None
    """None is the same as `climb_cost`."""
    walks: Fraction | None = None
    """Height taken in stride, in the ruleset's unit; None is half a human's."""
    climbs: Fraction | None = None
    """Most height climbed in one step, in the ruleset's unit; None is a human's."""
    drops: Fraction | None = None
    """The same on the way down."""
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
