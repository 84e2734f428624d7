"""The report on where a unit can go: squares by kind of move, and what a path costs and draws.

It asks the same `movement_range` and `plan_path` as the board does, on the battle asked about
or, for a map, on one that has just begun.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from engine.battle.attacks.reactions import ProvokedReaction, threatened
from engine.battle.commands.other_actions import refusal
from engine.battle.distances import counted_distance
from engine.battle.moves.movement_modes import MoveOptions, mode_of
from engine.battle.moves.moves import PlannedPath, movement_range, plan_path
from engine.battle.narration.preview_text import provoked_words, set_off_words
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.wording import measured, squares
from engine.dice.dice_text import number as number_text
from engine.errors import BattleboardError, Unknown
from engine.geometry.battlefield import Battlefield, Height, OffMap
from engine.geometry.squares import Square, parse_square
from engine.rules.model import Action, Ruleset
from engine.rules.space_rules import Mode
from engine.text import clause
from engine.values import replace
from tui.application.reports.endpoints import find_end
from tui.application.reports.odds_report import fresh_turn
from tui.application.reports.report_scene import Scene
from tui.application.terminal.output import column_heads, number, table, wrapped

NUMBER = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")
MARKS = "123456789abcdefghijklmnopqrstuvw"
"""Marks of the moves on the drawn map, in their order."""


class ReachQuery(Struct, frozen=True):
    """Who shall move how and where to, as the command line says it; empty texts leave the choice to the ruleset."""

    unit: str
    action: str = ""
    mode: str = ""
    altitude: str = ""
    goal: str = ""
    via: Sequence[str] = ()


class MoveReach(Struct, frozen=True):
    """Where one move leads, or why it cannot be made."""

    action: Action
    squares: Fraction
    costs: Mapping[Square, Fraction]
    refusal: str


class Going(Struct, frozen=True):
    """Everything asked for."""

    field: Battlefield
    rules: Ruleset
    battle: Battle
    unit: Unit
    mode: Mode
    moves: tuple[MoveReach, ...]
    threatened: frozenset[Square]
    planned: PlannedPath | None
    draws: tuple[ProvokedReaction, ...]
    """What the way draws."""
    sets_off: tuple[str, ...]
    """What it sets off and whom that catches, in sentences."""


def explore(scene: Scene, rules: Ruleset, query: ReachQuery) -> Going:
    """Where a unit can go in a turn of its own.

    Raises:
        Unknown: no such unit, move or mode.
        Illegal: the goal cannot be reached so.
        BattleboardError: a square is named where a unit is meant.
    """
    end = find_end(scene.map, query.unit)
    if end.unit is None:
        raise BattleboardError(f"{end.id} is a square; name a unit.")
    battle = fresh_turn(scene, rules, end.id)
    unit = battle.unit(end.id)
    moves = {action.id: action for action in rules.actions.values() if action.kind == "move"}
    if query.action and query.action not in moves:
        raise Unknown("move", query.action, moves)
    manner = MoveOptions(query.mode, _altitude(battle.field, query.altitude))
    chosen = [moves[query.action]] if query.action else list(moves.values())
    reaches = tuple(_reach(battle, rules, unit, action, manner) for action in chosen)
    planned: PlannedPath | None = None
    drawn: tuple[ProvokedReaction, ...] = ()
    sets_off: tuple[str, ...] = ()
    if query.goal:
        stops = [_square(battle.field, name) for name in (*query.via, query.goal)]
        planned = plan_path(battle, rules, unit, stops, query.action, manner)
        mover = unit if manner.altitude is None else replace(unit, altitude=manner.altitude)
        drawn = planned.reactions
        sets_off = tuple(set_off_words(battle, rules, mover, planned.path))
    mode = mode_of(battle, rules, unit, query.mode)
    return Going(battle.field, rules, battle, unit, mode, reaches, threatened(battle, unit), planned, drawn, sets_off)


def reach_words(going: Going) -> list[str]:
    """A line for each move, a drawing of where they lead, and the path asked for."""
    unit = going.unit
    lines = [f"{unit.name} at {unit.at.name}, {going.rules.name}, {going.mode.label}:"]
    rows = []
    for mark, move in zip(_marks(going), going.moves, strict=True):
        if move.refusal:
            rows.append((mark, move.action.label, "", "", f"unavailable: {move.refusal}"))
            continue
        ends = len(move.costs) - (unit.at in move.costs)
        last = move.action.straight_last
        straight = ", in a straight line" if move.action.is_straight else f", the last {last} straight" if last else ""
        rows.append(
            (
                mark,
                move.action.label,
                _distance_text(going, move.squares),
                squares(move.squares),
                f"can end on {squares(Fraction(ends))}{straight}",
            )
        )
    lines += table(rows, indent=2, right=(2, 3))
    lines += ["", *_drawing(going)]
    near = [square.name for square in sorted(_reached(going) & going.threatened, key=_reading)]
    if near:
        lines += ["", *wrapped(f"Next to an enemy: {', '.join(near)}.", 0, 2)]
    if going.planned is not None:
        lines += ["", *_path_words(going, going.planned)]
    return lines


def reach_json(going: Going) -> dict[str, Any]:
    """The same for scripts: every square by its name with its cost in squares."""
    return {
        "map": going.field.name,
        "ruleset": going.rules.id,
        "unit": going.unit.id,
        "from_square": going.unit.at.name,
        "mode": going.mode.id,
        "moves": [
            {
                "action": move.action.id,
                "label": move.action.label,
                "possible": not move.refusal,
                "reason": move.refusal,
                "straight": move.action.straight_last or move.action.is_straight,
                "squares": number(move.squares),
                "distance": {
                    "value": number(counted_distance(move.squares, going.field, going.rules)),
                    "unit": going.rules.distance.unit,
                },
                "count": len(move.costs) - (going.unit.at in move.costs),
                "costs": {square.name: number(cost) for square, cost in move.costs.items()},
            }
            for move in going.moves
        ],
        "threatened": [square.name for square in sorted(going.threatened, key=_reading)],
        "path": None if going.planned is None else _path_json(going, going.planned),
    }


def _reach(battle: Battle, rules: Ruleset, unit: Unit, action: Action, manner: MoveOptions) -> MoveReach:
    found = movement_range(battle, rules, unit, action.id, manner)
    if found.strides:
        return MoveReach(action, found.strides[0].squares, found.reaches[0].costs, "")
    reason = refusal(battle, rules, unit, action) or "it does not reach that altitude"
    return MoveReach(action, Fraction(0), {}, clause(reason))


def _altitude(field: Battlefield, text: str) -> Height | None:
    """An altitude in the map's unit, as "30" or "2.5"; None for none."""
    if not text:
        return None
    if NUMBER.fullmatch(text) is None:
        raise BattleboardError(
            f"--altitude {text!r} is not a height; expected {field.unit} above the ground, such as 30."
        )
    return int(Fraction(text) * 100)


def _square(field: Battlefield, name: str) -> Square:
    square = parse_square(name)
    if square not in field:
        raise OffMap(square, field)
    return square


def _drawing(going: Going) -> list[str]:
    """The part of the map that the moves reach, with the mark of the shortest move that leads to each square."""
    marks: dict[Square, str] = {}
    marked = sorted(
        zip(_marks(going), going.moves, strict=True), key=lambda one: (one[1].action.is_straight, one[1].squares)
    )
    for mark, move in marked:
        for square in move.costs:
            marks.setdefault(square, mark)
    if not marks:
        return ["No move is possible."]
    for unit in going.battle.units.values():
        if not unit.is_defeated:
            marks |= dict.fromkeys(unit.squares, "x" if unit.is_enemy_of(going.unit) else "o")
    marks |= dict.fromkeys(going.unit.squares, "@")
    if going.planned is not None:
        marks |= dict.fromkeys(going.planned.path[1:], "*")
    reached = _reached(going) | set(going.unit.squares)
    columns = range(min(square.column for square in reached), max(square.column for square in reached) + 1)
    rows = range(min(square.row for square in reached), max(square.row for square in reached) + 1)
    margin = len(str(rows[-1] + 1)) + 1
    lines = [" " * margin + head for head in column_heads(columns)]
    lines += [
        f"{row + 1:>{margin - 1}} "
        + "".join(marks.get(Square(column, row)) or _ground(going.field, Square(column, row)) for column in columns)
        for row in rows
    ]
    key = [f"{mark} {move.action.label}" for mark, move in zip(_marks(going), going.moves, strict=True) if move.costs]
    key += ["@ the unit", "x enemies", "o other units", "# impassable"] + (["* the path"] if going.planned else [])
    return [*lines, *wrapped(f"{', '.join(key)}.", 0)]


def _ground(field: Battlefield, square: Square) -> str:
    return "#" if field.ground_at(square).blocks_movement else "."


def _marks(going: Going) -> str:
    return MARKS[: len(going.moves)]


def _reached(going: Going) -> set[Square]:
    return {square for move in going.moves for square in move.costs}


def _reading(square: Square) -> tuple[int, int]:
    return square.row, square.column


def _path_words(going: Going, planned: PlannedPath) -> list[str]:
    path = ", ".join(square.name for square in planned.path)
    action, most = planned.stride.action.label, number_text(round(planned.stride.squares, 2))
    lines = wrapped(
        f"{action} to {planned.path[-1].name}: {squares(planned.cost)} of {most}.",
        0,
    )
    lines += wrapped(f"Path: {path}.", 2, 4)
    if planned.doors:
        lines += wrapped(f"Opens: {', '.join(edge.name for edge in planned.doors)}.", 2, 4)
    if not (going.draws or going.sets_off):
        return [*lines, "  Provokes no reactions."]
    said = [*(f"Step {draw.step}: {provoked_words(draw, going.battle)}" for draw in going.draws), *going.sets_off]
    return lines + [line for sentence in said for line in wrapped(sentence, 2, 4)]


def _path_json(going: Going, planned: PlannedPath) -> dict[str, Any]:
    return {
        "action": planned.stride.action.id,
        "squares": [square.name for square in planned.path],
        "cost": number(planned.cost),
        "of": number(planned.stride.squares),
        "doors": [edge.name for edge in planned.doors],
        "sets_off": list(going.sets_off),
        "draws": [
            {
                "reaction": draw.reaction.id,
                "label": draw.reaction.label,
                "reactor": draw.reactor,
                "step": draw.step,
                "square": draw.square.name,
                "because": provoked_words(draw, going.battle),
                "source": draw.reaction.origin.source,
            }
            for draw in going.draws
        ],
    }


def _distance_text(going: Going, squares: Fraction) -> str:
    """A number of squares as a distance in the ruleset's unit; "" where that is squares."""
    rules = going.rules
    return "" if rules.distance.unit == "squares" else measured(counted_distance(squares, going.field, rules), rules)
