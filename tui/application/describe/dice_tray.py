"""Dice tray: each roll of a command whose dice are asked for, with its faces, and what is needed of the next one."""

from __future__ import annotations

from msgspec import Struct

from engine.answers import GivenAnswer, Needs
from engine.battle import command as cmd
from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.gear import in_hand
from engine.battle.narration.preview_text import roll_needed
from engine.battle.state.battle import Battle
from engine.dice.sources import RollAsk, purpose_of
from engine.rules.model import Ruleset
from engine.text import lower_first
from tui.application.describe.attack_result import Result

TO_HIT, SCATTER = "to hit", "Scatter"
"""What the roll of an attack is for; how the purposes of rolls for the scatter of a throw begin."""

INITIATIVE = "Initiative of "
"""How the purpose of a roll for the turn order begins."""


class DieRow(Struct, frozen=True):
    """A roll: what it is for, its dice, and the faces of one that is made; the one that is asked for has none."""

    label: str
    dice: str
    faces: tuple[int, ...] = ()
    is_typed: bool = False
    """Whether somebody typed them; else the program rolled."""
    needed: str = ""
    """What is needed, where that is settled before the roll: "40 or less"."""
    is_asked: bool = False


class Tray(Struct, frozen=True):
    """The rolls of a command so far."""

    title: tuple[str, ...]
    """Who does it, with what, to whom; as many of these as there are."""
    rows: tuple[DieRow, ...]
    result: Result | None = None
    """What the attack has come to so far."""
    shot: AttackPreview | None = None
    """The attack before its first roll."""
    scattered: int = 0
    """How many of the rolls there are up to where a throw has come down."""


def tray_of(
    command: cmd.Command,
    need: Needs | None,
    battle: Battle,
    rules: Ruleset,
    *,
    result: Result | None,
    shot: AttackPreview | None,
) -> Tray:
    """The tray of a command.

    Args:
        command: whose dice are asked for.
        need: what it asks for; None before it was tried.
        battle: before the command.
        rules: the ruleset.
        result: what it has come to so far; None where nothing was rolled.
        shot: the attack in focus, for the roll before it was tried.
    """
    asked = need.asked if need is not None else ()
    rows = [_rolled(one, battle) for one in asked if one.dice is not None]
    is_first = need is None or not need.asked
    if is_first and shot is not None:
        dice = rules.attack.test.dice.text
        rows.append(DieRow(TO_HIT, dice, needed=_without_dice(roll_needed(shot, rules), dice), is_asked=True))
    elif need is not None and isinstance(need.ask, RollAsk):
        ask = need.ask
        needed = _without_dice(ask.needed, ask.dice.text)
        label = _label(ask.purpose, battle)
        rows.append(DieRow(label, ask.dice.text, needed=needed, is_asked=True))
        rows += (DieRow(name.lower(), ask.dice.text) for name in ask.further)
    purposes = [purpose_of(one.q) for one in asked if one.dice is not None]
    scattered = max((place for place, words in enumerate(purposes, 1) if words.startswith(SCATTER)), default=1)
    return Tray(_title(command, battle, rules), tuple(rows), result, None if result else shot, scattered)


def _title(command: cmd.Command, battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    if not isinstance(command, cmd.Attack):
        return ()
    unit = battle.units.get(command.unit)
    weapon = command.weapon or (in_hand(rules, unit) if unit else "")
    named = rules.gear.weapons[weapon].label if weapon in rules.gear.weapons else ""
    aim = command.square.name if command.square else battle.called(command.target)
    return tuple(filter(None, (battle.called(command.unit), named, aim)))


def _rolled(answer: GivenAnswer, battle: Battle) -> DieRow:
    """The row of a roll that is made."""
    dice = answer.q.rpartition(": ")[2]
    return DieRow(_label(purpose_of(answer.q), battle), dice, answer.dice or (), not answer.by_seed)


def _label(purpose: str, battle: Battle) -> str:
    """What a roll is for, in a few words: TO_HIT for that of an attack, "distance" for "Scatter: distance", whose it is
    for INITIATIVE.
    """
    if any(purpose.startswith(f"{unit.name} attacks ") for unit in battle.units.values()):
        return TO_HIT
    said = purpose.rpartition(": ")[2].partition(" (")[0]
    return said.removeprefix(INITIATIVE) if said.startswith(INITIATIVE) else lower_first(said)


def _without_dice(needed: str, dice: str) -> str:
    """What is needed without the dice, which have a column: "40 or less"."""
    return needed.removeprefix(dice).lstrip(", ")
