"""What glyphs and names stand for: reads [legend], [edges] and the fields of squares, edges and heights."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from msgspec import Struct

from engine.errors import near_miss, near_or_known
from engine.geometry.battlefield import SKY, Barrier, Ground, Height
from engine.geometry.squares import Direction, Edge
from engine.toml_reader import REQUIRED, Reader, Required, quoted
from engine.values import replace
from maps import kinds
from maps.glyph_rows import glyph_fault
from maps.model import MOST_HEIGHT, OUTSIDE

COVERS = ("none", "light", "medium", "heavy")
SIDES = ("N", "E", "S", "W")
WAYS = ("seen_through", "walked_through")
"""Keys of the ways in which one looks or walks through a thin thing that is otherwise in the way."""

STATES = ("closed", "open", "locked", "broken")
_SIDES = ", ".join(SIDES)
UP_TO_THE_SKY = "sky"
MOST_COST = 99
MOST_NAME = 24
HUNDREDTHS = 100


class WallOpening(Struct, frozen=True):
    """A square of a wall that is a door or window: the floor of its neighbours, with the barrier on open sides."""

    kind: str


SquareMeaning = Ground | WallOpening


def filled(reader: Reader, key: str, default: str | Required = REQUIRED, *, most: int = 80) -> str:
    """A text that must not be empty where it is stated."""
    text = reader.text(key, default, most=most)
    if not text and reader.raw(key) == "":
        reader.problem(key, f"{key} is empty; expected text")
    return text


def height(
    reader: Reader,
    key: str,
    default: Height | Required = REQUIRED,
    *,
    least: Fraction | int = 0,
    most: int = MOST_HEIGHT,
    has_sky: bool = True,
) -> Height:
    """A height in the map's unit as whole hundredths; "sky", unless `has_sky` is false, is higher than anything.

    Finer fractions are noted.
    """
    if isinstance(text := reader.raw(key), str):
        if not has_sky or text != UP_TO_THE_SKY:
            expected = f"a number of feet or metres{f', or “{UP_TO_THE_SKY}”' if has_sky else ''}"
            reader.problem(key, f"{key} = {quoted(text)} is not a length; expected {expected}")
        return SKY if has_sky else int(least * HUNDREDTHS)
    stated = default if isinstance(default, Required) else Fraction(default, HUNDREDTHS)
    if not reader.has(key) and not isinstance(default, Required):
        return default
    hundredths = reader.number(key, stated, least=least, most=most) * HUNDREDTHS
    if hundredths.denominator != 1:
        reader.problem(key, f"{key} has too many decimals; expected at most two")
    return int(hundredths)


def read_legend(reader: Reader, unit: str) -> dict[str, SquareMeaning]:
    """Meanings of the square glyphs: the built-in ones, changed and added to by [legend]."""
    meanings = {glyph: _named_square(name, unit, glyph) for glyph, name in kinds.SQUARE_GLYPHS.items()}
    for glyph in _glyphs(reader):
        if isinstance(reader.raw(glyph), str):
            name = _known(reader, glyph, "kind of square", (*kinds.TERRAINS, *kinds.OBJECTS, *kinds.OPENINGS))
            meanings[glyph] = _named_square(name or "floor", unit, glyph)
        else:
            table = reader.table(glyph)
            meanings[glyph] = _read_ground(table, unit, glyph)
            table.finish()
    return meanings


def read_edges(reader: Reader, unit: str) -> dict[str, Barrier]:
    """Meanings of the edge glyphs of a drawn map: the built-in ones, changed and added to by [edges]."""
    meanings = {glyph: kinds.barrier(name, unit) for glyph, name in kinds.EDGE_GLYPHS.items()}
    for glyph in _glyphs(reader):
        if glyph == "+":
            reader.problem(glyph, "'+' marks corners; expected another glyph")
        elif isinstance(reader.raw(glyph), str):
            name = _known(reader, glyph, "kind of edge", kinds.EDGES)
            meanings[glyph] = kinds.barrier(name or "wall", unit)
            if name in kinds.ONE_WAY:
                reader.problem(glyph, f'expected {{ kind = "{name}", {kinds.ONE_WAY[name]} = … }} with one of {_SIDES}')
        else:
            table = reader.table(glyph)
            meanings[glyph] = read_barrier(table, unit, None)
            table.finish()
    return meanings


def read_barrier(reader: Reader, unit: str, present: Barrier | None) -> Barrier:
    """The thin thing a table describes: a built-in kind with changes, or changes to what is `present` already."""
    if present is None or reader.has("kind"):
        kind = _known(reader, "kind", "kind of edge", kinds.EDGES) or "door"
        present = kinds.barrier(kind, unit)
        if kind in kinds.ONE_WAY and not reader.has(kinds.ONE_WAY[kind]):
            reader.problem(
                None, f"{_article(kind)} works in one direction; expected {kinds.ONE_WAY[kind]} = one of {_SIDES}"
            )
    if reader.has("state") and not present.state:
        reader.problem(
            "state", f"{_article(present.kind)} cannot have a state; only doors, gates and curtains have one"
        )
    barrier = Barrier(
        kind=filled(reader, "name", present.kind, most=MOST_NAME),
        state=reader.text("state", present.state, choices=STATES) if reader.has("state") else present.state,
        bottom=height(reader, "bottom", present.bottom),
        top=height(reader, "height", present.top),
        sill=height(reader, "sill", present.sill or 0) if reader.has("sill") else present.sill,
        lintel=height(reader, "lintel", present.lintel or 0) if reader.has("lintel") else present.lintel,
        blocks_sight=reader.flag("blocks_sight", present.blocks_sight),
        stops_shots=reader.flag("stops_shots", present.stops_shots),
        blocks_movement=reader.flag("blocks_movement", present.blocks_movement),
        contains_blast=reader.flag("contains_blast", present.contains_blast),
        cover=_cover(reader, present.cover),
        seen_through=_way(reader, "seen_through", present.seen_through),
        walked_through=_way(reader, "walked_through", present.walked_through),
        door=reader.text("door", present.door, most=MOST_NAME),
    )
    levels = [barrier.bottom, barrier.sill, barrier.lintel, barrier.top]
    stated = [level for level in levels if level is not None]
    if barrier.bottom >= barrier.top or stated != sorted(stated) or barrier.sill == barrier.lintel is not None:
        reader.problem(None, "heights are out of order; expected bottom, sill, lintel, height, each above the last")
    return barrier


def way_fault(barrier: Barrier, key: str, edge: Edge) -> str | None:
    """What is wrong with one of the WAYS through a barrier where it stands, or None: it must lead across the edge."""
    way: Direction | None = getattr(barrier, key)
    across = ("N", "S") if edge.side == "N" else ("E", "W")
    if way is None or way.name in across:
        return None
    return f"{key} = {quoted(way.name)} runs along the edge {edge.name}; expected {' or '.join(across)}"


def base_ground(terrain: str, thing: str, unit: str, glyph: str) -> Ground:
    """What names alone say of a square; an object of the map's own is taken for something solid."""
    floor = terrain if terrain in kinds.TERRAINS else "floor"
    base = kinds.ground(floor, thing if thing in kinds.OBJECTS else "", unit, glyph)
    if thing and thing not in kinds.OBJECTS:
        base = replace(base, blocks_sight=True, stops_shots=True, blocks_movement=True, cover="medium")
    return replace(base, terrain=terrain, object=thing)


def _read_ground(reader: Reader, unit: str, glyph: str) -> Ground:
    if reader.raw("terrain") == "":
        reader.problem("terrain", "terrain is empty; expected text")
    terrain = _custom(reader, "terrain", "floor", kinds.TERRAINS, "move_cost")
    thing = _custom(reader, "object", "", kinds.OBJECTS, "height")
    base = base_ground(terrain, thing, unit, glyph)
    return replace(
        base,
        height=height(reader, "height", base.height),
        blocks_sight=reader.flag("blocks_sight", base.blocks_sight),
        stops_shots=reader.flag("stops_shots", base.stops_shots),
        blocks_movement=reader.flag("blocks_movement", base.blocks_movement),
        contains_blast=reader.flag("contains_blast", base.contains_blast),
        cover=_cover(reader, base.cover),
        move_cost=reader.whole("move_cost", base.move_cost, least=1, most=MOST_COST),
    )


def _named_square(name: str, unit: str, glyph: str) -> SquareMeaning:
    if name in kinds.TERRAINS:
        return kinds.ground(name, "", unit, glyph)
    if name in kinds.OBJECTS:
        return kinds.ground("floor", name, unit, glyph)
    return WallOpening(name)


def _glyphs(reader: Reader) -> list[str]:
    """The keys of a legend that can be glyphs; the others are noted."""
    found = []
    for key in reader:
        fault = "more than one character" if len(key) != 1 else glyph_fault(key)
        if key in (OUTSIDE, "'"):
            fault = f"{key!r}, which always means {'outside the map' if key == OUTSIDE else 'an open door'},"
        reader.has(key)
        if fault:
            reader.problem(key, f"{fault} is not allowed; expected one character, one column wide")
        else:
            found.append(key)
    return found


def _known(reader: Reader, key: str, what: str, known: Collection[str]) -> str | None:
    """A built-in name, its words parted by spaces or hyphens; an unknown one is noted."""
    name = reader.text(key).replace("-", " ")
    if name in known:
        return name
    if reader.has(key) and isinstance(reader.raw(key), str):
        expected = near_or_known(name, known)
        reader.problem(key, f"{quoted(name)} is not a {what}; {expected}")
    return None


def _custom(reader: Reader, key: str, default: str, known: Collection[str], figure: str) -> str:
    """A built-in name, or one of the map's own, which must state the figure that makes it what it is."""
    name = reader.text(key, default, most=MOST_NAME)
    spaced = name.replace("-", " ")
    if spaced in known or not name:
        return spaced
    if not reader.has(figure):
        hint = near_miss(spaced, known)
        expected = f"did you mean {hint!r}?" if hint else f"a custom one needs {figure}"
        reader.problem(key, f"the {key} {quoted(name)} is not built in; {expected}")
    return name


def _cover(reader: Reader, default: str) -> str:
    value = reader.text("cover", default or "none", choices=COVERS)
    return "" if value == "none" else value


def _way(reader: Reader, key: str, default: Direction | None) -> Direction | None:
    """One of the four ways across an edge."""
    if not reader.has(key):
        return default
    name = filled(reader, key).upper()
    if name in SIDES:
        return Direction[name]
    if name:
        reader.problem(key, f"{key} = {quoted(name)} is not a direction across an edge; expected one of {_SIDES}")
    return default


def _article(kind: str) -> str:
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"
