"""Commands for smoke, wind and laid charges."""

from __future__ import annotations

from engine.battle.command import Command
from engine.battle.commands.scene_commands import ClearCharge, ClearCloud, SetCloud, SetOff, SetWind
from engine.battle.state.battle import Battle
from engine.errors import Illegal
from engine.geometry.blast.smoke_clouds import THICK, THIN
from engine.geometry.squares import Direction, Square
from engine.text import clean
from tui.application.commands.forms import Form, MenuLine
from tui.application.commands.naming import Missing, Words, no_more, take_square
from tui.application.commands.results import Setting

SMOKE_HINT = "Type “3” (radius), “3 5” (for 5 rounds), “3 5 thin”, “clear”, “wind E 2” or “wind 0”."
"""What is typed in the prompt for a square."""
WIND_HINT = "Type a direction and squares per round: “wind E 2”; “wind 0” for no wind."


def smoke_hint(here: Square) -> str:
    """What is typed after the command."""
    smoke = f"smoke {here.name}"
    return f"Type “{smoke} 3” (radius), “{smoke} 3 5” (for 5 rounds), “{smoke} 3 5 thin” or “smoke clear {here.name}”."


def parse_smoke(text: str, here: Square, battle: Battle, hint: str = SMOKE_HINT) -> SetCloud | ClearCloud | SetWind:
    """Parses smoke around a square, or the wind.

    "3" is a cloud of radius 3 for as long as nobody clears it, "3 5" one for five rounds, "3 5 thin" a thin one; the
    cloud with that centre is changed. "clear" takes away the cloud on the square, or all where there is none. "wind E
    2" blows east by two squares a round, "wind 0" not at all.

    Raises:
        Illegal: not of that form; the message is the hint.
    """
    words = clean(text, 60).lower().split()
    same = next((cloud.id for cloud in battle.scene.clouds if cloud.centre == here), "")
    match words:
        case ["clear"]:
            return ClearCloud(same)
        case ["wind", "0"]:
            return SetWind(Direction.N, 0)
        case ["wind", direction, squares] if direction.upper() in Direction.__members__ and squares.isdecimal():
            return SetWind(Direction[direction.upper()], int(squares[:4]))
        case [radius, *rest] if radius.isdecimal() and len(rest) <= 2:
            density = THIN if "thin" in rest else THICK
            rounds = [word for word in rest if word not in ("thin", "thick")]
            if len(rounds) <= 1 and all(word.isdecimal() for word in rounds):
                return SetCloud(here, int(radius[:4]), density, int(rounds[0][:5]) if rounds else 0, same)
    is_begun = words in ([], ["wind"], *(["wind", direction.name.lower()] for direction in Direction))
    raise (Missing if is_begun else Illegal)("smoke", hint)


def read_smoke(words: Words, setting: Setting) -> Command:
    """ "smoke D4 3", "smoke D4 3 5 thin" (radius, rounds), "smoke clear D4", "smoke clear"."""
    is_clearing = bool(words) and words[0].casefold() == "clear"
    found = take_square(words[is_clearing:], setting.battle)
    if is_clearing and found is None:
        no_more(words[1:])
        return ClearCloud()
    here, words = found or (_here(setting), words[is_clearing:])
    return parse_smoke("clear" if is_clearing else " ".join(words), here, setting.battle, smoke_hint(here))


def read_wind(words: Words, setting: Setting) -> Command:
    """ "wind E 2": two squares a round towards the east; "wind 0"."""
    return parse_smoke(f"wind {' '.join(words)}", Square(0, 0), setting.battle, WIND_HINT)


def _here(setting: Setting) -> Square:
    if setting.square is not None:
        return setting.square
    if setting.actor:
        return setting.battle.unit(setting.actor).at
    raise Missing("words", "Type a square such as D4.")


def write_smoke(command: SetCloud | ClearCloud, setting: Setting) -> str:
    if isinstance(command, ClearCloud):
        centres = [cloud.centre.name for cloud in setting.battle.scene.clouds if cloud.id == command.cloud]
        return " ".join(("smoke clear", *centres))
    rounds = f" {command.rounds}" if command.rounds else ""
    return f"smoke {command.centre.name} {command.radius}{rounds}{' thin' * (command.density == THIN)}"


FORMS = (
    Form("smoke SQUARE RADIUS [ROUNDS] [thin] | clear [SQUARE]", "lay or clear smoke", (SetCloud, ClearCloud),
         read_smoke, write_smoke),
    Form("wind DIRECTION SQUARES | 0", "set the wind: the direction it blows to, and squares per round", (SetWind,),
         read_wind,
         lambda wind, setting: f"wind {wind.towards.name} {wind.squares}"),
    Form("setoff SQUARE", "set off the charge laid on a square", (SetOff,),
         menu=MenuLine("f", "set off the charge on {square}", hidden_unless_possible=True)),
    Form("takeup SQUARE", "remove the charge laid on a square", (ClearCharge,),
         menu=MenuLine("p", "remove the charge on {square}", hidden_unless_possible=True)),
)  # fmt: skip
