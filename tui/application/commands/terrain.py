"""Commands for terrain: doors, light, lamps, ground, heights, barriers and destruction."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial

from engine.battle.command import Command
from engine.battle.commands.terrain_commands import (
    Draw,
    SetBarrier,
    SetEdges,
    SetElevation,
    SetGround,
    SetLamp,
    SetLight,
    SetSmoke,
    SetZone,
)
from engine.errors import Illegal
from engine.geometry.battlefield import LIGHTS, SMOKE_NAMES, Battlefield, Ground, Height
from engine.geometry.squares import ORTHOGONAL, Direction, Square, edge_of
from engine.geometry.terrain_edits import edges_along, rectangle
from engine.text import clean
from maps import palette
from tui.application.commands.amounts import MOST_TYPED, NUMBER
from tui.application.commands.demolish import wreck_choices
from tui.application.commands.forms import Form, MenuLine
from tui.application.commands.naming import Missing, Words, expect, expect_square, names_of, no_more, skip, take_square
from tui.application.commands.results import Setting

STATES = {"open": "open", "close": "closed", "lock": "locked", "unlock": "closed", "break": "broken"}
SIDE_NAMES = {side.name: side for side in ORTHOGONAL}
AROUND = "around"
NOTHING, OFF = "nothing", "off"
HEIGHT = re.compile(r"-?\d{1,5}(\.\d{1,2})?")


LIGHT_HINT = "Type “dark”, “dim 3” (squares around), “bright all”, “lamp 2 6” (bright, dim) or “lamp off”."
"""What is typed in the prompt for a square."""


def light_hint(square: str) -> str:
    """What is typed after the command."""
    return (
        f"Type “light dark”, “light dim” or “light bright” (the whole map), or “light dim {square} 3” (squares around)."
    )


def parse_light(text: str, here: Square, field: Battlefield, hint: str = LIGHT_HINT) -> SetLight | SetLamp:
    """Parses light: "dark all", "dim" on the square, "dim 3" around it; "lamp 2 6", "lamp 2 6 8", "lamp off".

    Of a lamp the numbers are how far it is bright, how far it is dim, and its height above the ground.

    Raises:
        Illegal: not of that form.
    """
    words = clean(text, MOST_TYPED).lower().split()
    match words:
        case ["lamp", "off"]:
            return SetLamp(here, 0, 0)
        case ["lamp", *numbers] if 1 <= len(numbers) <= 3 and all(NUMBER.fullmatch(number) for number in numbers):
            bright, dim, height = (*map(int, numbers), *([int(numbers[0])] if len(numbers) == 1 else []), 0)[:3]
            return SetLamp(here, bright, dim, height * 100)
        case [light] if light in LIGHTS:
            return SetLight(light, (here,))
        case [light, "all"] if light in LIGHTS:
            return SetLight(light)
        case [light, radius] if light in LIGHTS and NUMBER.fullmatch(radius):
            return SetLight(light, squares_around(here, int(radius), field))
    raise (Missing if words in (["all"], ["lamp"]) else Illegal)("light", hint)


def squares_around(here: Square, radius: int, field: Battlefield) -> tuple[Square, ...]:
    """The squares of the map within a distance in columns and rows."""
    columns = range(max(0, here.column - radius), min(field.columns, here.column + radius + 1))
    rows = range(max(0, here.row - radius), min(field.rows, here.row + radius + 1))
    return tuple(Square(column, row) for row in rows for column in columns)


def parse_height(text: str) -> Height:
    """Parses a height in the map's unit, with at most two decimals, to hundredths.

    Raises:
        Illegal: it is not a height.
    """
    found = HEIGHT.fullmatch(text.strip().replace("−", "-"))
    if found is None:
        raise (Illegal if text else Missing)("elevation", "Type a height such as 10, -5 or 1.5.")
    return int(Fraction(found[0]) * 100)


def read_light(words: Words, setting: Setting) -> Command:
    """ "light dark", "light dim D4", "light dim D4 3"."""
    light, *rest = words or [""]
    found = take_square(skip(rest, "at", "on", "all"), setting.battle)
    if found is None:
        no_more(skip(rest, "all"))
        return parse_light(f"{light} all", Square(0, 0), setting.battle.field, light_hint("D4"))
    return parse_light(" ".join((light, *found[1])), found[0], setting.battle.field, light_hint(found[0].name))


def read_lamp(words: Words, setting: Setting) -> Command:
    """ "lamp D4 2 6", "lamp D4 2 6 8" (bright, dim, height), "lamp D4 off"."""
    here, words = expect_square(words, setting.battle)
    lamp = f"lamp {here.name}"
    hint = f"Type “{lamp} 2 6” (squares of bright, of dim light), “{lamp} 2 6 8” (and its height) or “{lamp} off”."
    return parse_light(f"lamp {' '.join(words)}", here, setting.battle.field, hint)


def read_wreck(words: Words, setting: Setting) -> Command:
    """ "wreck D4", "wreck D4 N": what stands on the square, or on that side of it, is destroyed."""
    here, words = expect_square(words, setting.battle)
    choices = wreck_choices(setting.battle, here)
    wanted = f"{words[0].upper()} of {here.name}" if words else f"on {here.name}"
    no_more(words[1:])
    fitting = [choice for label, choice in choices.items() if label.endswith(wanted)]
    if not fitting and not words and len(choices) == 1:
        fitting = list(choices.values())
    if not fitting:
        there = f"There is {', '.join(choices)}." if choices else f"Nothing stands on {here.name} or its sides."
        raise Illegal("words", f"Nothing there can be destroyed. {there}")
    return fitting[0]


def read_paint(words: Words, setting: Setting) -> Command:
    """ "paint D4 rubble", "paint D4 F7 wall", "paint D4 crate", "paint D4 nothing": ground, or a thing on it; smoke."""
    squares, words = _squares(words, setting)
    field = setting.battle.field
    names = names_of((name, name) for name in (*palette.TERRAINS, *palette.THINGS, *SMOKE_NAMES, NOTHING))
    name, words = expect("ground, object or smoke", words, names)
    no_more(words)
    if name in SMOKE_NAMES:
        return SetSmoke(squares, SMOKE_NAMES.index(name))

    def ground(square: Square) -> Ground:
        there = field.ground_at(square)
        if name == NOTHING:
            return palette.bare(there, field.unit)
        is_thing = name in palette.THINGS
        return palette.thing(name, field.unit, there) if is_thing else palette.terrain(name, field.unit)

    found: dict[Ground, list[Square]] = {}
    for square in squares:
        found.setdefault(ground(square), []).append(square)
    return Draw(tuple(SetGround(tuple(alike), laid) for laid, alike in found.items()))


def read_wall(words: Words, setting: Setting) -> Command:
    """ "wall D4 N", "wall D4 F7 around", "wall D4 N door", "wall D4 N nothing": something thin on edges."""
    squares, words = _squares(words, setting)
    side, words = expect("side", words, names_of((name, name) for name in (*SIDE_NAMES, AROUND)))
    name = "wall"
    if words:
        name, words = expect("barrier", words, names_of((one, one) for one in (*palette.EDGES, NOTHING)))
    no_more(words)
    edges = edges_along(squares, SIDE_NAMES.values() if side == AROUND else [SIDE_NAMES[side]])
    return SetEdges(edges, None if name == NOTHING else palette.thin(name, setting.battle.field.unit))


def read_ground(words: Words, setting: Setting) -> Command:
    """ "ground D4 10", "ground D4 F7 -5": how high the ground is, in the map's unit."""
    squares, words = _squares(words, setting)
    height = parse_height(words[0] if words else "")
    no_more(words[1:])
    return SetElevation(squares, height)


def read_zone(words: Words, setting: Setting) -> Command:
    """ "zone A D4 F7", "zone A D4 off": squares are added to a start zone, or taken out of it."""
    if not words:
        raise Missing("words", "Type a zone and its squares, such as “zone A D4 F7”, or “zone A D4 off”.")
    squares, rest = _squares(words[1:], setting)
    is_inside = not (rest and rest[0].casefold() == OFF)
    no_more(rest if is_inside else rest[1:])
    return SetZone(words[0].upper() if len(words[0]) == 1 else words[0], squares, is_inside)


def _squares(words: Words, setting: Setting) -> tuple[tuple[Square, ...], Words]:
    """One square, or all between two corners."""
    first, words = expect_square(words, setting.battle)
    second = take_square(skip(words, "to"), setting.battle)
    return (rectangle(first, second[0]), second[1]) if second else ((first,), words)


def read_door(verb: str, words: Words, setting: Setting) -> Command:
    """ "open D4", "open D4 N": the door on that side of the square, or the only one that there is."""
    square, words = expect_square(words, setting.battle)
    known = {side: edge_of(square, side) for side in ORTHOGONAL}
    doors = {
        side: edge
        for side, edge in known.items()
        if edge in setting.battle.field.barriers and setting.battle.field.barriers[edge].can_open
    }
    if words:
        side, words = expect("side", words, names_of((side.name, side.name) for side in ORTHOGONAL))
        no_more(words)
        return SetBarrier(known[Direction[side]], STATES[verb])
    if len(doors) != 1:
        which = f"doors {' and '.join(side.name for side in doors)}: type one, such as {verb} {square.name} N"
        raise Illegal("words", f"{square.name} has {which if doors else 'no door on its sides'}.")
    return SetBarrier(next(iter(doors.values())), STATES[verb])


def write_door(verb: str, command: SetBarrier, setting: Setting) -> str:
    square = next(square for square in command.edge.squares if square in setting.battle.field)
    side = next(side for side in ORTHOGONAL if edge_of(square, side) == command.edge)
    return f"{verb} {square.name} {side.name}" if STATES[verb] == command.state else ""


def write_light(command: SetLight, setting: Setting) -> str:
    """All of the map, or one square; what is lit around one is known by its squares alone."""
    if len(command.squares) > 1:
        return ""
    return f"light {command.light} {command.squares[0].name if command.squares else 'all'}"


def write_lamp(lamp: SetLamp, setting: Setting) -> str:
    if lamp.height % 100:
        return ""
    is_out = not lamp.bright and not lamp.dim
    return f"lamp {lamp.at.name} {'off' if is_out else f'{lamp.bright} {lamp.dim} {lamp.height // 100}'}"


def write_wreck(command: Command, setting: Setting) -> str:
    if not isinstance(command, SetGround) or len(command.squares) != 1:
        return ""
    (here,) = command.squares
    return f"wreck {here.name}" if wreck_choices(setting.battle, here).get(f"on {here.name}") == command else ""


def write_wall(command: SetEdges, setting: Setting) -> str:
    """One edge, with what the palette has."""
    field = setting.battle.field
    names = [name for name in palette.EDGES if palette.thin(name, field.unit) == command.barrier]
    if len(command.edges) > 1 or (command.barrier and not names):
        return ""
    square = next(square for square in command.edges[0].squares if square in field)
    side = next(side for side in ORTHOGONAL if edge_of(square, side) == command.edges[0])
    return f"wall {square.name} {side.name} {names[0] if command.barrier else NOTHING}"


def write_ground(command: SetElevation, setting: Setting) -> str:
    where = _corners(command.squares)
    return f"ground {where} {command.height / 100:g}" if where else ""


def write_smoke(command: Command, setting: Setting) -> str:
    where = _corners(command.squares) if isinstance(command, SetSmoke) else ""
    return f"paint {where} {SMOKE_NAMES[command.density]}" if isinstance(command, SetSmoke) and where else ""


def write_zone(command: SetZone, setting: Setting) -> str:
    where = _corners(command.squares)
    return f"zone {command.id} {where}{'' if command.is_inside else f' {OFF}'}" if where else ""


def _corners(squares: tuple[Square, ...]) -> str:
    """The corners of a rectangle; "" for squares that are none."""
    first, last = squares[0], squares[-1]
    return f"{first.name} {last.name}" if rectangle(first, last) == squares else ""


FORMS = (
    *(Form(f"{name} SQUARE [DIRECTION]", f"{name} the door on a side of the square", (SetBarrier,),
           partial(read_door, name), partial(write_door, name), like=("door",)) for name in STATES),
    Form("light dark|dim|bright [SQUARE [RADIUS]]", "set the light on a square, around it or everywhere", (SetLight,),
         read_light,
         write_light,
         menu=MenuLine("i", "light and lamps",
                       "`dark`, `dim 3` (squares around), `bright all`, `lamp 2 6` (bright, dim), `lamp off`")),
    Form("lamp SQUARE BRIGHT DIM [HEIGHT] | SQUARE off", "hang a lamp over a square, or remove it", (SetLamp,),
         read_lamp,
         write_lamp),
    Form("wreck SQUARE [DIRECTION]", "destroy what stands on a square or on a side of it", (SetGround, SetBarrier),
         read_wreck, write_wreck, ("destroy",),
         menu=MenuLine("X", "destroy what is at {square}", "leaves rubble, or a broken wall or door",
                       key="battle.wreck")),
    Form("paint SQUARE [SQUARE] GROUND|nothing", "set the ground of squares, the object on them, or smoke",
         (Draw, SetSmoke), read_paint, write_smoke),
    Form("wall SQUARE [SQUARE] DIRECTION|around [BARRIER|nothing]", "put a barrier on edges", (SetEdges,), read_wall,
         write_wall),
    Form("ground SQUARE [SQUARE] HEIGHT", "set the height of the ground", (SetElevation,), read_ground, write_ground),
    Form("zone ID SQUARE [SQUARE] [off]", "add squares to a start zone, or take them out", (SetZone,), read_zone,
         write_zone),
)  # fmt: skip
