"""The report on what one unit sees: every square of the map as a sign, and every other unit with its share."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct

from engine.battle.state.units import Placement
from engine.battle.views.unit_letters import assign_badges
from engine.geometry.battlefield import LIGHTS, Battlefield
from engine.geometry.body import Body
from engine.geometry.los.sight import trace
from engine.geometry.los.trace import Trace
from tui.application.describe.glyphs import ASCII
from tui.application.overlays.visibility_counts import KINDS, Survey, is_wall, survey, survey_words
from tui.application.reports.endpoints import End, Stance, end_of, find_end, obstacles, stand
from tui.application.reports.report_scene import Scene
from tui.application.reports.sight_report import shares_json
from tui.application.terminal.output import column_heads, wrapped

OBSERVER, WALL, UNSEEN = "@", "#", " "
IN_DARKNESS = {"seen": ":", "part": "~", "little": "%", "unseen": UNSEEN}
"""Signs of squares in darkness; those of others are the board's."""

SIGNS = {
    OBSERVER: "the observer",
    ASCII.tints["seen"]: "fully visible",
    ASCII.tints["part"]: "half or more of a standing unit visible",
    ASCII.tints["little"]: "less than half",
    IN_DARKNESS["seen"]: "fully, but dark",
    IN_DARKNESS["part"]: "half or more, but dark",
    IN_DARKNESS["little"]: "less than half, and dark",
    UNSEEN: "not seen",
    WALL: "solid up to the sky",
}
DIGITS = 4
"""Decimals of a share."""


class Sighted(NamedTuple):
    """Another unit, and the line to it."""

    unit: Placement
    trace: Trace
    letter: str
    """As on the board."""


class Panorama(Struct, frozen=True):
    """Who looks round, in which posture, and what there is to be seen."""

    field: Battlefield
    observer: End
    posture: str
    survey: Survey
    units: tuple[Sighted, ...]


def observe_map(scene: Scene, observer: str, posture: str = "") -> Panorama:
    """What a unit, or somebody on a square, sees of the map.

    Args:
        scene: the map or battle with its units.
        observer: a unit's id or a square.
        posture: standing, kneeling or prone; "" is the unit's own, standing on a bare square.

    Raises:
        Unknown, OffMap: see `endpoints.find_end` and `endpoints.stand`.
    """
    battle_map, battle = scene.map, scene.battle
    field, end = battle_map.battlefield, find_end(battle_map, observer, battle)
    posture = posture.strip().casefold() or (end.unit.posture if end.unit else "standing")
    end = stand(battle_map, end, Stance(posture=posture))
    units = [
        (unit, trace(field, end.body, other.body, obstacles(battle_map, (end, other), battle)))
        for unit in battle_map.placements
        if (other := end_of(battle_map, unit, battle)).id != end.id
    ]
    badges = assign_badges(battle_map.placements)
    sighted = tuple(
        Sighted(unit, line, badges[unit.id][0]) for unit, line in sorted(units, key=lambda pair: not pair[1].can_see)
    )
    return Panorama(
        field, end, posture, survey(field, end.body, obstacles=obstacles(battle_map, [end], battle)), sighted
    )


def view_words(panorama: Panorama) -> list[str]:
    """The map in signs, what they mean, and a line for each unit."""
    field = panorama.field
    signs = _signs(panorama)
    margin = len(str(field.rows))
    used = set("".join(signs))
    known = {seen.letter for seen in panorama.units}
    keys = [f"{sign} {what}" for sign, what in SIGNS.items() if sign in used - known and sign != UNSEEN]
    lines = [
        *wrapped(_summary(panorama), 0),
        "",
        *(f"{'':{margin}} {head}" for head in column_heads(range(field.columns))),
    ]
    lines += [f"{number:{margin}} {row}".rstrip() for number, row in enumerate(signs, 1)]
    lines += ["", *wrapped("; ".join([*keys, "blank not seen"]), 0)]
    for title, group in (
        ("Sees:", [seen for seen in panorama.units if seen.trace.can_see]),
        ("Does not see:", [seen for seen in panorama.units if not seen.trace.can_see]),
    ):
        if group:
            lines += ["", title]
            lines += [f"  {seen.letter} {_sighted_text(seen)}" for seen in group]
    return lines


def _sighted_text(seen: Sighted) -> str:
    return f"{seen.unit.name} at {seen.unit.at.name}: {seen.trace.words}"


def view_json(panorama: Panorama) -> dict[str, Any]:
    """The same for scripts: shares of somebody standing on each square, in rows from north to south."""
    field, observer, shares = panorama.field, panorama.observer, panorama.survey.shares
    visible, covered = (share.round(DIGITS).tolist() for share in (shares.visible, shares.covered))
    layers = visible, covered, panorama.survey.light.tolist()
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
                "light": [LIGHTS[level] for level in light],
            }
            for number, (signs, visible, covered, light) in enumerate(zip(_signs(panorama), *layers, strict=True), 1)
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
        "sign": seen.letter if line.can_see else None,
        "can_see": line.can_see,
        **shares_json(line),
        "clear": line.clear,
        "light": line.light,
        "words": line.words,
    }


def _signs(panorama: Panorama) -> list[str]:
    """One sign for each square, a string for each row."""
    field, found = panorama.field, panorama.survey
    rows = [[UNSEEN] * field.columns for _ in range(field.rows)]
    for square in field.squares():
        column, row = square
        ground, kind = field.ground_at(square), KINDS[found.kinds[row, column]]
        if is_wall(ground):
            rows[row][column] = UNSEEN if ground.glyph == UNSEEN else WALL
        else:
            rows[row][column] = (ASCII.tints if found.light[row, column] else IN_DARKNESS)[kind]
    for sign, footprint in (
        *((seen.letter, Body(seen.unit.at, seen.unit.size).squares) for seen in panorama.units if seen.trace.can_see),
        (OBSERVER, panorama.observer.body.squares),
    ):
        for column, row in footprint:
            rows[row][column] = sign
    return ["".join(row) for row in rows]


def _counts(panorama: Panorama) -> dict[str, int]:
    """How many of the squares that are neither the observer's nor wall are seen, and how."""
    found = panorama.survey
    whole, half, less = (found.counts[kind] for kind in ("seen", "part", "little"))
    squares = sum(found.counts.values())
    return {
        "squares": squares,
        "seen": whole + half + less,
        "whole": whole,
        "half": half,
        "less": less,
        "dark": found.dark,
    }


def _summary(panorama: Panorama) -> str:
    who = f"{panorama.observer.phrase}, {panorama.posture}"
    if not sum(panorama.survey.counts.values()):
        return f"{who}: there is no other open square."
    return survey_words(panorama.survey, f"{who}, sees", ASCII.tints)
