"""The report on what one unit sees: every square of the map as a sign, and every other unit with its share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Any, NamedTuple

from engine.battle.units import Placement
from engine.field.battlefield import LIGHTS, SKY, Battlefield
from engine.field.fan.overlook import overlook
from engine.field.sight import trace
from engine.field.silhouette import Body, body
from engine.field.squares import Square, column_name
from engine.field.trace import Trace
from maps import BattleMap
from tui.reports.ends import End, Stance, find_end, stand
from tui.reports.output import exact, wrapped

OBSERVER, WALL, UNSEEN, CROWD = "@", "#", " ", "*"
SEEN = {(False, False): ".", (True, False): "+", (False, True): "-", (True, True): "="}
"""By whether more than half of somebody who stands there is covered, and whether it is dark there."""

SIGNS = {
    OBSERVER: "the observer",
    SEEN[False, False]: "seen",
    SEEN[True, False]: "seen, more than half covered",
    SEEN[False, True]: "seen, but dark",
    SEEN[True, True]: "seen, more than half covered and dark",
    UNSEEN: "not seen",
    WALL: "solid up to the sky",
}
DIGITS = 4
"""Decimals of a share."""


class Squares(NamedTuple):
    """What is seen of somebody standing on each square, in rows from north to south."""

    visible: Sequence[Sequence[float]]
    covered: Sequence[Sequence[float]]
    clear: Sequence[Sequence[bool]]
    light: Sequence[Sequence[int]]
    """Index into LIGHTS."""


class Sighted(NamedTuple):
    """Another unit, and the line to it."""

    unit: Placement
    trace: Trace
    sign: str
    """What stands for it on the map; "" when it is not seen."""


@dataclass(frozen=True, slots=True)
class Panorama:
    """Who looks round, in which posture, and what there is to be seen."""

    field: Battlefield
    observer: End
    posture: str
    squares: Squares
    units: tuple[Sighted, ...]

    @property
    def open_squares(self) -> list[Square]:
        """The squares that are neither the observer's nor wall."""
        own = set(self.observer.body.squares)
        return [square for square in self.field.squares() if square not in own and not is_wall(self.field, square)]


def look_round(battle_map: BattleMap, observer: str, posture: str = "") -> Panorama:
    """What a unit, or somebody on a square, sees of the map.

    Args:
        battle_map: the map with its units.
        observer: a unit's id or a square.
        posture: standing, kneeling or prone; "" is the unit's own, standing on a bare square.

    Raises:
        Unknown, OffMap: see `ends.find_end` and `ends.stand`.
    """
    field, end = battle_map.battlefield, find_end(battle_map, observer)
    posture = posture.strip().casefold() or (end.unit.posture if end.unit else "standing")
    end = stand(battle_map, end, Stance(posture=posture))
    units = [
        (unit, trace(field, end.body, body(unit.at, field.unit, unit.posture, unit.size, unit.altitude)))
        for unit in battle_map.placements
        if end.unit is None or unit.id != end.unit.id
    ]
    signs = iter(ascii_letters)
    sighted = tuple(
        Sighted(unit, line, next(signs, CROWD) if line.can_see else "")
        for unit, line in sorted(units, key=lambda pair: not pair[1].can_see)
    )
    return Panorama(field, end, posture, _squares(field, end.body), sighted)


def _squares(field: Battlefield, observer: Body) -> Squares:
    """Somebody of human build who stands is looked for on every square."""
    seen = overlook(field, observer, body(observer.at, field.unit))
    visible, covered = (shares.round(DIGITS).tolist() for shares in (seen.visible, seen.covered))
    return Squares(visible, covered, seen.clear.tolist(), seen.light.tolist())


def is_wall(field: Battlefield, square: Square) -> bool:
    """Whether nobody stands there or looks over it: solid to the sky, or outside of the drawing."""
    ground = field.ground_at(square)
    return ground.blocks_sight and ground.blocks_movement and ground.height >= SKY


def view_words(panorama: Panorama) -> list[str]:
    """The map in signs, what they mean, and a line for each unit."""
    field = panorama.field
    signs = _signs(panorama)
    margin = len(str(field.rows))
    names = [column_name(column) for column in range(field.columns)]
    longest = len(names[-1])
    heads = ["".join(name.rjust(longest)[place] for name in names) for place in range(longest)]
    used = set("".join(signs))
    known = {seen.sign for seen in panorama.units}
    keys = [f"{sign} {what}" for sign, what in SIGNS.items() if sign in used - known and sign != UNSEEN]
    lines = [*wrapped(_summary(panorama), 0), "", *(f"{'':{margin}} {head}".rstrip() for head in heads)]
    lines += [f"{number:{margin}} {row}".rstrip() for number, row in enumerate(signs, 1)]
    lines += ["", *wrapped("; ".join([*keys, "blank not seen"]), 0)]
    for title, group in (
        ("Sees:", [seen for seen in panorama.units if seen.sign]),
        ("Does not see:", [seen for seen in panorama.units if not seen.sign]),
    ):
        if group:
            lines += ["", title]
            lines += [f"  {seen.sign or ' '} {_told(seen)}" for seen in group]
    return lines


def _told(seen: Sighted) -> str:
    return f"{seen.unit.name} at {seen.unit.at.name}: {seen.trace.words}"


def view_json(panorama: Panorama) -> dict[str, Any]:
    """The same for scripts: shares of somebody standing on each square, in rows from north to south."""
    field, observer, squares = panorama.field, panorama.observer, panorama.squares
    return {
        "map": field.name,
        "from": observer.id,
        "from_square": observer.at.name,
        "posture": panorama.posture,
        "columns": field.columns,
        "summary": _counts(panorama),
        "signs": SIGNS,
        "rows": [
            {
                "row": number,
                "signs": signs,
                "visible": visible,
                "covered": covered,
                "clear": clear,
                "light": [LIGHTS[level] for level in light],
            }
            for number, (signs, visible, covered, clear, light) in enumerate(
                zip(_signs(panorama), *squares, strict=True), 1
            )
        ],
        "units": [_unit_json(seen) for seen in panorama.units],
        "words": _summary(panorama),
    }


def _unit_json(seen: Sighted) -> dict[str, Any]:
    unit, line = seen.unit, seen.trace
    return {
        "id": unit.id,
        "name": unit.name,
        "side": unit.side,
        "at": unit.at.name,
        "sign": seen.sign or None,
        "can_see": line.can_see,
        "visible": float(line.visible),
        "visible_exact": exact(line.visible),
        "covered": float(line.covered),
        "covered_exact": exact(line.covered),
        "clear": line.clear,
        "light": line.light,
        "words": line.words,
    }


def _signs(panorama: Panorama) -> list[str]:
    """One sign for each square, a string for each row."""
    field, squares = panorama.field, panorama.squares
    rows = [[UNSEEN] * field.columns for _ in range(field.rows)]
    for square in field.squares():
        column, row = square
        if is_wall(field, square):
            rows[row][column] = UNSEEN if field.ground_at(square).glyph == UNSEEN else WALL
        elif squares.visible[row][column] > 0:
            rows[row][column] = SEEN[squares.covered[row][column] > 0.5, squares.light[row][column] == 0]
    for sign, footprint in (
        *((seen.sign, Body(seen.unit.at, seen.unit.size).squares) for seen in panorama.units),
        (OBSERVER, panorama.observer.body.squares),
    ):
        for column, row in footprint if sign else ():
            rows[row][column] = sign
    return ["".join(row) for row in rows]


def _counts(panorama: Panorama) -> dict[str, int]:
    """How many of the squares that are neither the observer's nor wall are seen, and how."""
    squares = panorama.squares
    seen = [(row, column) for column, row in panorama.open_squares if squares.visible[row][column] > 0]
    return {
        "squares": len(panorama.open_squares),
        "seen": len(seen),
        "covered": sum(squares.covered[row][column] > 0.5 for row, column in seen),
        "dark": sum(squares.light[row][column] == 0 for row, column in seen),
    }


def _summary(panorama: Panorama) -> str:
    counts = _counts(panorama)
    who = f"{panorama.observer.told}, {panorama.posture}"
    if not counts["squares"]:
        return f"{who}: there is no other open square."
    return (
        f"{who}, sees {counts['seen']} of {counts['squares']} open squares; somebody standing there would be more than "
        f"half covered on {counts['covered']}, in darkness on {counts['dark']}."
    )
