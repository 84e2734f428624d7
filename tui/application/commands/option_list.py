"""The list of what a unit may do now: each option as the line that gives it, with its price and its chance to hit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from engine.battle.command import Act, Attack, Command
from engine.battle.commands.order_commands import Delay, SetTurn
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.views.fog_of_war import find_side, foes_known, own_units
from engine.battle.views.side_moments import known_now
from engine.battle.wording import price_words
from engine.dice.dice_text import percent
from engine.errors import BattleboardError, Illegal, Unknown, brief
from engine.journal.history import Moment
from engine.rules.model import Ruleset
from engine.rules.rulings import NOTHING_KNOWN
from engine.tactics.options import MoveOption, Option, moves, options
from engine.values import replace
from tui.application.commands.registry import line_of
from tui.application.commands.results import Setting
from tui.application.library.battle_files import open_battle
from tui.application.reports.endpoints import find_end
from tui.application.reports.odds_report import fresh_turn, json_percent
from tui.application.reports.report_scene import Scene
from tui.application.terminal.output import exact, number, table


class Options(Struct, frozen=True):
    """Everything that a unit may do, and what it may not with the reasons."""

    battle: Battle
    rules: Ruleset
    unit: Unit
    moves: Sequence[MoveOption]
    options: Sequence[Option[Command]]
    shows_chances: bool = True
    """Whether the chances of attacks may be shown: not to a side that knows no numbers of others."""


def list_options(scene: Scene, rules: Ruleset, name: str) -> Options:
    """The options of a unit in a battle as it stands, or, on a map, in a turn that has just begun.

    Raises:
        Unknown: no such unit.
        BattleboardError: a square is named.
    """
    end = find_end(scene.map, name)
    if end.unit is None:
        raise BattleboardError(f"{end.id} is a square; name a unit.")
    battle = scene.battle or fresh_turn(scene, rules, end.id)
    return _options_of(battle, rules, end.id)


def list_known_options(path: Path, name: str, side: str) -> Options:
    """The options of a unit of a side, from what the side knows: as its player may read them.

    Args:
        path: the battle's file; it is opened read-only.
        name: the unit's id or name.
        side: the side.

    Raises:
        Unknown: the side has no such unit; in the same words whether there is another one of that name or not.
        BattleboardError: the battle cannot be opened, or is being set up.
    """
    moments: list[Moment] = []
    with closing(open_battle(path, read_only=True, recovers=False, each=moments.append)) as session:
        rules = session.rules
    battles = [one.battle for one in moments]
    side = find_side(battles[-1], side, battles)
    known = known_now(battles, rules, side)
    if known is None:
        raise BattleboardError("The battle is being set up: players see nothing of it yet.")
    own = {unit.id: unit.name for unit in own_units(known, side)}
    chosen = next((unit for unit, called in own.items() if name.casefold() in (unit, called.casefold())), "")
    if not chosen:
        raise Unknown("unit", name, own)
    return replace(_options_of(known, rules, chosen), shows_chances=foes_known(known, rules) != NOTHING_KNOWN)


def _options_of(battle: Battle, rules: Ruleset, unit_id: str) -> Options:
    unit = battle.unit(unit_id)
    return Options(battle, rules, unit, moves(battle, rules, unit), [*options(battle, rules, unit)])


def options_words(found: Options, *, with_refused: bool = False) -> list[str]:
    """A line for each option, by kind; those that are refused last, each with its reason."""
    unit, rules = found.unit, found.rules
    able = [*dict.fromkeys(_rows(found, is_allowed=True))]
    lines = [f"{unit.name} at {unit.at.name}, {rules.name}:"]
    lines += table(able, indent=2, right=(2,)) if able else ["  nothing now"]
    refused = [*dict.fromkeys(_rows(found, is_allowed=False))]
    if with_refused and refused:
        return [*lines, "", "Refused:", *table(refused, indent=2)]
    left = f"{len(refused)} more options are refused; --all lists them, each with its reason."
    return [*lines, *([left] if refused else [])]


def _rows(found: Options, *, is_allowed: bool) -> Iterator[tuple[str, ...]]:
    """The typed line, the price and what is known of each; or the line and the reason."""
    setting = Setting(found.battle, found.rules)
    for move in found.moves:
        if move.is_allowed != is_allowed:
            continue
        line = f"move {found.unit.id} SQUARE by {move.action.id}"
        price, ends = price_words(move.cost, found.rules), len({*move.squares()})
        yield (line, price, f"{ends} squares") if is_allowed else (line, brief(move.refusal))
    for option in found.options:
        if option.is_allowed != is_allowed:
            continue
        line = _line(option.command, setting)
        chance = "" if option.shot is None else percent(option.shot.odds.hit) if found.shows_chances else "?"
        yield (line, price_words(option.cost, found.rules), chance) if is_allowed else (line, brief(option.refusal))


def _line(command: Command, setting: Setting) -> str:
    if isinstance(command, Face):
        return f"face {command.unit} DIRECTION"
    return line_of(command, setting) or type(command).__name__


def options_json(found: Options) -> dict[str, Any]:
    """The same for scripts: every option, refused or not, with its command's fields."""
    setting = Setting(found.battle, found.rules)
    return {
        "map": found.battle.field.name,
        "ruleset": found.rules.id,
        "unit": found.unit.id,
        "moves": [
            {
                "action": move.action.id,
                **_verdict(move),
                "squares": {
                    square.name: number(cost)
                    for reach in (move.range.reaches if move.range else ())
                    for square, cost in reach.costs.items()
                    if square != found.unit.at
                },
            }
            for move in found.moves
        ],
        "options": [
            {
                "kind": _kind(option.command),
                "line": line_of(option.command, setting),
                **_fields(option.command),
                **_verdict(option),
                "hit": exact(option.shot.odds.hit) if option.shot and found.shows_chances else None,
                "hit_percent": json_percent(option.shot.odds.hit) if option.shot and found.shows_chances else None,
            }
            for option in found.options
        ],
    }


def _kind(command: Command) -> str:
    match command:
        case Attack():
            return "attack"
        case Act():
            return "act"
        case Ready():
            return "ready"
        case Delay():
            return "delay"
        case Face():
            return "face"
        case SetTurn():
            return "turn"
    return "end"


def _fields(command: Command) -> dict[str, str]:
    """What a command names, by field."""
    names = ("weapon", "action", "target", "attack", "after", "facing")
    return {name: str(getattr(command, name)) for name in names if hasattr(command, name)}


def _verdict(option: Option[Command] | MoveOption) -> dict[str, Any]:
    refusal = option.refusal
    return {
        "allowed": refusal is None,
        "cost": dict(option.cost),
        "reason": refusal.reason if isinstance(refusal, Illegal) else "",
        "sentence": str(refusal) if refusal else "",
    }
