"""What the Game Master types about the table itself, turned into commands: new units, light, cover, notes, dice."""

from __future__ import annotations

import re
from fractions import Fraction

from engine.battle.battle import Battle
from engine.battle.commands.notes import SetNote, ThrowDice
from engine.battle.commands.roster import AddUnit
from engine.battle.commands.rulings import SetCover
from engine.battle.commands.terrain import SetLamp, SetLight
from engine.battle.table.pins import MATERIALS
from engine.errors import Illegal
from engine.field.battlefield import LIGHTS, Battlefield, Height
from engine.field.squares import Square
from engine.text import clean
from tui.commands.naming import Missing

MOST_TYPED = 400
SHARES = {
    "none": Fraction(0),
    "quarter": Fraction(1, 4),
    "half": Fraction(1, 2),
    "most": Fraction(3, 4),
    "full": Fraction(1),
}
"""Words for how much of a body is covered."""
PERCENT = re.compile(r"(\d{1,3})\s*%?")
HEIGHT = re.compile(r"-?\d{1,5}(\.\d{1,2})?")
NUMBER = re.compile(r"\d{1,3}")


def parse_recruits(text: str, role: str, side: str, at: Square) -> AddUnit:
    """New units of a role: "3", "Cole", "3 Bandit hidden", "Hawk at 20"; nothing at all is one of the role's name.

    A number first is how many, "hidden" last hides them, "at 20" is a height above the ground in the map's unit.

    Raises:
        Illegal: the number is none.
    """
    words = clean(text, MOST_TYPED).split()
    is_hidden = bool(words) and words[-1].casefold() == "hidden"
    words = words[:-1] if is_hidden else words
    altitude = 0
    if len(words) >= 2 and words[-2].casefold() == "at" and NUMBER.fullmatch(words[-1]):
        altitude, words = int(words[-1]) * 100, words[:-2]
    count = 1
    if words and words[0].isdecimal():
        if not NUMBER.fullmatch(words[0]) or not int(words[0]):
            raise Illegal("roster", f"{words[0]} is no number of units.")
        count, words = int(words[0]), words[1:]
    return AddUnit(role, side, at, " ".join(words), count, altitude=altitude, is_hidden=is_hidden)


def parse_light(text: str, here: Square, field: Battlefield) -> SetLight | SetLamp:
    """Light: "dark all", "dim" on the square, "dim 3" so many squares around it; "lamp 2 6", "lamp 2 6 8", "lamp off".

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
    raise (Missing if words in (["all"], ["lamp"]) else Illegal)(
        "light", "Type “dark”, “dim 3” (squares around), “bright all”, “lamp 2 6” (bright, dim) or “lamp off”."
    )


def squares_around(here: Square, radius: int, field: Battlefield) -> tuple[Square, ...]:
    """The squares of the map that are at most so far away in columns and rows."""
    columns = range(max(0, here.column - radius), min(field.columns, here.column + radius + 1))
    rows = range(max(0, here.row - radius), min(field.rows, here.row + radius + 1))
    return tuple(Square(column, row) for row in rows for column in columns)


def parse_cover(text: str, attacker: str, target: str) -> SetCover:
    """Cover: "none", "half", "75 heavy", "full"; "seen" lets what is seen count again; a "!" at the end pins it.

    Raises:
        Illegal: not of that form.
    """
    text = clean(text, MOST_TYPED).lower()
    is_pinned = text.endswith("!")
    words = text.removesuffix("!").split()
    if words == ["seen"]:
        return SetCover(attacker, target, None)
    share, *rest = words or [""]
    percent = PERCENT.fullmatch(share)
    covered = SHARES.get(share, Fraction(int(percent[1]), 100) if percent else None)
    material = rest[0] if rest else "medium"
    if covered is None or len(rest) > 1 or material not in MATERIALS:
        known = ", ".join(SHARES)
        raise (Illegal if words else Missing)(
            "cover", f"Type {known} or a percentage, then light, medium or heavy; or “seen”."
        )
    return SetCover(attacker, target, covered, material, is_pinned)


def parse_note(text: str, here: Square, battle: Battle) -> SetNote:
    """A note on whoever stands on a square, else on the square; with "all:" first, on the battle.

    Raises:
        Illegal: nothing is typed.
    """
    text = clean(text, MOST_TYPED)
    if text.casefold().startswith("all:"):
        return SetNote(text[4:].strip())
    unit = battle.at(here)
    return SetNote(text, None if unit else here, unit.id if unit else "")


def parse_throw(text: str) -> ThrowDice:
    """Dice, and after a blank what for: "3d6+2 wolves".

    Raises:
        Illegal: nothing is typed.
    """
    dice, _, purpose = clean(text, MOST_TYPED).partition(" ")
    if not dice:
        raise Missing("dice", "Type dice, as 3d6+2, and after a blank what for.")
    return ThrowDice(dice, purpose.strip())


def parse_rounds(text: str) -> int:
    """A number of rounds.

    Raises:
        Illegal: it is none.
    """
    if not NUMBER.fullmatch(text.strip()):
        raise Illegal("ammunition", "Type how many rounds are in it, as 6.")
    return int(text)


def parse_height(text: str) -> Height:
    """A height in the map's unit, with at most two decimals, as hundredths of it.

    Raises:
        Illegal: it is none.
    """
    found = HEIGHT.fullmatch(text.strip().replace("−", "-"))
    if found is None:
        raise (Illegal if text else Missing)("elevation", "Type a height, as 10, -5 or 1.5.")
    return int(Fraction(found[0]) * 100)
