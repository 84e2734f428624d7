"""What drifts and lies about: smoke, wind, and what was laid on a square."""

from __future__ import annotations

from engine.battle.commands import Command
from engine.battle.commands.scene import ClearCharge, ClearCloud, SetCloud, SetOff, SetWind
from engine.field.burst.clouds import THIN
from engine.field.squares import Square
from tui.commands.forms import Form, MenuLine
from tui.commands.naming import Missing, Words, no_more, take_square
from tui.commands.results import Setting
from tui.typed import parse_smoke


def read_smoke(words: Words, setting: Setting) -> Command:
    """ "smoke D4 3", "smoke D4 3 5 thin" (radius, rounds), "smoke clear D4", "smoke clear"."""
    is_clearing = bool(words) and words[0].casefold() == "clear"
    found = take_square(words[is_clearing:], setting.battle)
    if is_clearing and found is None:
        no_more(words[1:])
        return ClearCloud()
    here, words = found or (_here(setting), words[is_clearing:])
    return parse_smoke("clear" if is_clearing else " ".join(words), here, setting.battle)


def read_wind(words: Words, setting: Setting) -> Command:
    """ "wind E 2": two squares a round towards the east; "wind 0"."""
    return parse_smoke(f"wind {' '.join(words)}", Square(0, 0), setting.battle)


def _here(setting: Setting) -> Square:
    if setting.square is not None:
        return setting.square
    if setting.actor:
        return setting.battle.unit(setting.actor).at
    raise Missing("words", "Say where: a square, as D4.")


def write_smoke(command: SetCloud | ClearCloud, setting: Setting) -> str:
    if isinstance(command, ClearCloud):
        centres = [cloud.centre.name for cloud in setting.battle.scene.clouds if cloud.id == command.cloud]
        return " ".join(("smoke clear", *centres))
    rounds = f" {command.rounds}" if command.rounds else ""
    return f"smoke {command.centre.name} {command.radius}{rounds}{' thin' * (command.density == THIN)}"


FORMS = (
    Form("smoke SQUARE RADIUS [ROUNDS] [thin] | clear [SQUARE]", "lay or clear smoke", (SetCloud, ClearCloud),
         read_smoke, write_smoke),
    Form("wind DIRECTION SQUARES | 0", "where the wind blows to, and how many squares a round", (SetWind,), read_wind,
         lambda wind, setting: f"wind {wind.towards.name} {wind.squares}"),
    Form("setoff SQUARE", "what was laid there goes off", (SetOff,),
         menu=MenuLine("f", "what was laid on {square} goes off")),
    Form("takeup SQUARE", "take up what was laid there", (ClearCharge,),
         menu=MenuLine("p", "take up what was laid on {square}")),
)  # fmt: skip
