"""Writes a map as TOML that reads back the same: squares as glyphs, everything thin as [[edge]] tables.

Drawings and comments of the source are not kept; who wants those copies the source text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cache
from itertools import groupby
from math import gcd

import tomli_w
from msgspec.structs import asdict

from engine.battle.state.units import Placement
from engine.errors import BattleboardError
from engine.geometry.battlefield import LIGHTS, NOTHING, SKY, Barrier, Battlefield, Ground, Height
from engine.geometry.squares import Edge, Square
from engine.geometry.zones import START, StartZone
from engine.text import cells, is_clean
from maps import kinds
from maps.legend import HUNDREDTHS, UP_TO_THE_SKY, WAYS, base_ground
from maps.model import DIGITS, FLOOR, FORMAT, LARGEST_SQUARE, LETTERS, OUTSIDE, STEP, BattleMap

Table = dict[str, object]

FIRST_GLYPHS = "ABCDEFGHIJKLMNPQRSUVWXYZ*:;!?@$^_|/(){}[]abcdefghijklmnpqrstuvwxyz0123456789-<>`"
NEVER_GLYPHS = set(OUTSIDE + FLOOR + "'\"\\")
HEIGHT_KEYS = {"height": "height", "bottom": "bottom", "top": "height", "sill": "sill", "lintel": "lintel"}
"""Fields that hold heights, and the keys they are written under."""


def write_map(battle_map: BattleMap) -> str:
    """The map as TOML text; `parse_map` makes an equal map of it.

    Raises:
        BattleboardError: the map has more kinds of squares or heights than there are characters to draw them with.
    """
    battlefield = battle_map.battlefield
    unit = battlefield.unit
    glyphs = _legend_glyphs(battlefield)
    step = _step(battlefield)
    tables: Table = {"format": FORMAT, "name": battlefield.name}
    if battle_map.description:
        tables["description"] = battle_map.description
    tables["scale"] = {"square": figure(battlefield.square_size), "unit": unit, "step": figure(step)}
    tables["map"] = _map_table(battlefield, glyphs)
    tables["legend"] = {
        glyph: _ground_entry(ground, unit)
        for ground, glyph in zip(battlefield.legend, glyphs, strict=True)
        if glyph != OUTSIDE
    }
    for name, table in (
        ("elevation", _elevation_table(battlefield, step)),
        ("smoke", _smoke_table(battlefield)),
        ("light", _light_table(battlefield)),
    ):
        if table:
            tables[name] = table
    parts = [tomli_w.dumps(tables, multiline_strings=True)]
    parts += [f"[[edge]]\n{tomli_w.dumps(table)}" for table in _edge_tables(battlefield)]
    parts += [f"[[lamp]]\n{tomli_w.dumps(table)}" for table in _lamp_tables(battlefield)]
    parts += [f"[[zone]]\n{tomli_w.dumps(_zone_table(zone))}" for zone in battlefield.zones]
    parts += [
        f"[[unit]]\n{tomli_w.dumps(_unit_table(placement))}{_stats(placement)}" for placement in battle_map.placements
    ]
    return "\n".join(parts)


def figure(height: Height) -> int | Decimal | str:
    """Hundredths as the figure that a person would write."""
    if height == SKY:
        return UP_TO_THE_SKY
    return height // HUNDREDTHS if height % HUNDREDTHS == 0 else Decimal(height) / HUNDREDTHS


def _legend_glyphs(battlefield: Battlefield) -> list[str]:
    """A glyph for each entry of the legend: its own where that is free and can be written, else another."""
    own = [ground.glyph for ground in battlefield.legend]
    glyphs: list[str] = []
    unused = (glyph for glyph in _unused_glyphs() if glyph not in own)
    for ground in battlefield.legend:
        glyph = ground.glyph
        if ground == NOTHING:
            glyph = OUTSIDE
        elif glyph in glyphs or (glyph != FLOOR and not _is_writable(glyph)):
            glyph = _next(unused, "kinds of squares")
        glyphs.append(glyph)
    return glyphs


def _is_writable(glyph: str) -> bool:
    return len(glyph) == 1 and glyph not in NEVER_GLYPHS and is_clean(glyph) and cells(glyph) == 1


@cache
def _unused_glyphs() -> str:
    """Characters one cell wide to draw with, the plainest first."""
    further = (chr(code) for code in range(0xA1, 0x3000))
    return FIRST_GLYPHS + "".join(glyph for glyph in further if glyph.isalpha() and _is_writable(glyph))


def _next(spare: Iterator[str], what: str) -> str:
    try:
        return next(spare)
    except StopIteration:
        raise BattleboardError(f"The map cannot be written: too many {what} for the available characters.") from None


def _map_table(battlefield: Battlefield, glyphs: Sequence[str]) -> Table:
    block = _block((glyphs[number] for number in battlefield.ground), battlefield.columns)
    rows = block.splitlines()
    table: Table = {}
    if battlefield.is_indoors:
        table["indoors"] = True
    if rows[0].endswith(OUTSIDE):
        table["columns"] = battlefield.columns
    if not rows[-1].strip(OUTSIDE):
        table["rows"] = battlefield.rows
    return table | {"squares": block}


def _block(glyphs: Iterable[str], columns: int) -> str:
    """Glyphs as rows, each with its line end."""
    text = "".join(glyphs)
    return "".join(text[start : start + columns] + "\n" for start in range(0, len(text), columns))


def _ground_entry(ground: Ground, unit: str) -> Table | str:
    """The shortest way to say what a glyph stands for."""
    base = base_ground(ground.terrain, ground.object, unit, ground.glyph)
    entry: Table = {"terrain": ground.terrain}
    if ground.object:
        entry["object"] = ground.object
    if ground.object and ground.object not in kinds.OBJECTS:
        entry["height"] = figure(ground.height)
    if ground.terrain not in kinds.TERRAINS:
        entry["move_cost"] = ground.move_cost
    entry |= _differences(ground, base, ("terrain", "object", "glyph"))
    if entry == {"terrain": ground.terrain}:
        return ground.terrain
    if entry == {"terrain": "floor", "object": ground.object}:
        return ground.object
    return entry


def _differences(thing: Ground | Barrier, base: Ground | Barrier, but: tuple[str, ...]) -> Table:
    """Keys and values of the fields in which a thing differs from its base."""
    entry: Table = {}
    for name, value in asdict(thing).items():
        if name in but or value == getattr(base, name):
            continue
        if name in HEIGHT_KEYS:
            entry[HEIGHT_KEYS[name]] = figure(value)
        else:
            entry[name] = (value or "none") if name == "cover" else value.name if name in WAYS else value
    return entry


def _edge_tables(battlefield: Battlefield) -> Iterator[Table]:
    """One table for all edges on the same side with the same thing on them."""
    groups: defaultdict[tuple[str, Barrier], list[str]] = defaultdict(list)
    for edge in sorted(battlefield.barriers, key=lambda edge: (edge.row, edge.column, edge.side)):
        square, side = _within(edge, battlefield)
        groups[side, battlefield.barriers[edge]].append(square.name)
    for (side, barrier), squares in groups.items():
        at = squares[0] if len(squares) == 1 else squares
        yield {"at": at, "side": side, **_barrier_entry(barrier, battlefield.unit)}


def _within(edge: Edge, battlefield: Battlefield) -> tuple[Square, str]:
    """A square of the map and its side that an edge is."""
    before, after = edge.squares
    return (after, edge.side) if after in battlefield else (before, "S" if edge.side == "N" else "E")


def _barrier_entry(barrier: Barrier, unit: str) -> Table:
    """A built-in kind and what is different about it."""
    is_whole = getattr(barrier, kinds.ONE_WAY.get(barrier.kind, "kind")) is not None
    own = [barrier.kind] if barrier.kind in kinds.EDGES and is_whole else []
    for name in [*own, "wall", "door"]:
        base = kinds.barrier(name, unit)
        has_openings = (barrier.sill is not None or base.sill is None) and (
            barrier.lintel is not None or base.lintel is None
        )
        if has_openings and bool(barrier.state) == bool(base.state):
            break
    named: Table = {} if barrier.kind == base.kind else {"name": barrier.kind}
    return {"kind": name, **named, **_differences(barrier, base, ("kind",))}


def _step(battlefield: Battlefield) -> Height:
    """The usual step when all heights are a few of them; else the largest that divides them, where that helps."""
    usual = STEP[battlefield.unit]
    heights = {height for height in battlefield.elevation if height > 0}
    most = len(DIGITS + LETTERS) - 1
    for step in (usual, min(gcd(*heights), LARGEST_SQUARE * HUNDREDTHS)):
        if step and all(height % step == 0 and height <= most * step for height in heights):
            return step
    return usual


def _elevation_table(battlefield: Battlefield, step: Height) -> Table:
    heights = sorted(set(battlefield.elevation))
    if heights == [0]:
        return {}
    glyphs = {number * step: glyph for number, glyph in enumerate(DIGITS + LETTERS)} | {0: FLOOR}
    unused = (glyph for glyph in _unused_glyphs() if glyph not in DIGITS + LETTERS)
    legend: dict[str, object] = {}
    for height in heights:
        if height not in glyphs:
            glyphs[height] = _next(unused, "heights")
            legend[glyphs[height]] = figure(height)
    rows = _block((glyphs[height] for height in battlefield.elevation), battlefield.columns)
    return {"rows": rows} | ({"legend": legend} if legend else {})


def _smoke_table(battlefield: Battlefield) -> Table:
    if not any(battlefield.smoke):
        return {}
    return {"rows": _block((str(density) if density else FLOOR for density in battlefield.smoke), battlefield.columns)}


def _light_table(battlefield: Battlefield) -> Table:
    ambient = Counter(battlefield.light).most_common(1)[0][0]
    table: Table = {"ambient": LIGHTS[ambient]}
    if len(set(battlefield.light)) > 1:
        marks = (FLOOR if light == ambient else str(light) for light in battlefield.light)
        table["rows"] = _block(marks, battlefield.columns)
    return table


def _lamp_tables(battlefield: Battlefield) -> Iterator[Table]:
    """One table for all lamps of the same kind that follow each other."""
    for (bright, dim, height), lamps in groupby(battlefield.lamps, lambda lamp: (lamp.bright, lamp.dim, lamp.height)):
        squares = [lamp.at.name for lamp in lamps]
        table: Table = {"at": squares[0] if len(squares) == 1 else squares, "bright": bright, "dim": dim}
        yield table | ({"height": figure(height)} if height else {})


def _zone_table(zone: StartZone) -> Table:
    """A zone as its table: a rectangle by its corners, a single square by its name."""
    areas = [first.name if first == last else f"{first.name}:{last.name}" for first, last in zone.areas]
    table: Table = {"id": zone.id}
    if zone.label:
        table["label"] = zone.label
    if zone.kind != START:
        table["kind"] = zone.kind
    return table | {"squares": areas[0] if len(areas) == 1 else areas}


def _unit_table(placement: Placement) -> Table:
    table: Table = {
        "id": placement.id,
        "name": placement.name,
        **({"role": placement.role} if placement.role else {}),
        "side": placement.side,
        "at": placement.at.name,
        "facing": placement.facing.name,
    }
    if placement.posture != "standing":
        table["posture"] = placement.posture
    if placement.size != 1:
        table["size"] = placement.size
    if placement.altitude:
        table["altitude"] = figure(placement.altitude)
    if placement.is_neutral:
        table["neutral"] = True
    if placement.is_hidden:
        table["hidden"] = True
    if placement.sheet:
        table["sheet"] = placement.sheet
    if placement.character_file:
        table["character"] = placement.character_file
    return table


def _stats(placement: Placement) -> str:
    return f"[unit.stats]\n{tomli_w.dumps(dict(placement.stats))}" if placement.stats else ""
