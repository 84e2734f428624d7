"""The side view of a line for scripts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.geometry.battlefield import SKY, Height
from engine.geometry.los.profile import Figure, Profile
from tui.application.terminal.output import exact


def profile_json(view: Profile) -> dict[str, Any]:
    """The side view: shares of the way as [numerator, denominator], heights over the map's zero in its unit.

    A bottom of null is the ground or whatever lies below it, a top of null the roof or the sky.
    """
    return {
        "length_squares": round(float(view.length), 2),
        "observer": _figure_json(view.observer),
        "target": _figure_json(view.target),
        "sight_ends": exact(view.sight_ends) if view.sight_ends is not None else None,
        "shot_ends": exact(view.shot_ends) if view.shot_ends is not None else None,
        "stretches": [
            {
                "square": stretch.square.name,
                "name": stretch.name,
                "start": exact(stretch.start),
                "end": exact(stretch.end),
                "ground": height(stretch.ground),
                "top": height(stretch.top),
                "line_start": height(stretch.line_start),
                "line_end": height(stretch.line_end),
                "smoke": stretch.smoke,
                "blocks_sight": stretch.blocks_sight,
                "stops_shots": stretch.stops_shots,
            }
            for stretch in view.stretches
        ],
        "uprights": [
            {
                "square": upright.square.name,
                "edge": upright.edge.name if upright.edge else None,
                "name": upright.name,
                "at": exact(upright.at),
                "base": height(upright.base),
                "solids": [[height(bottom), height(top)] for bottom, top in upright.solids],
                "line": height(upright.line),
                "blocks_sight": upright.blocks_sight,
                "stops_shots": upright.stops_shots,
            }
            for upright in view.uprights
        ],
    }


def _figure_json(figure: Figure) -> dict[str, Any]:
    return {"feet": height(figure.feet), "eyes": height(figure.eyes), "crown": height(figure.crown)}


def height(hundredths: Fraction | Height) -> float | None:
    """A height in the map's unit; None for one that no map reaches."""
    return round(float(Fraction(hundredths, 100)), 2) if -SKY < hundredths < SKY else None
