"""Dice tray: each roll of a command whose dice are asked for, with its faces, and what is needed of the next one."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from engine.answers import GivenAnswer, Needs
from engine.battle import command as cmd
from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.gear import in_hand
from engine.battle.narration.preview_text import dice_to_type, roll_needed
from engine.battle.state.battle import Battle
from engine.battle.wording import COMPASS_WORDS
from engine.dice.sources import RollAsk, purpose_of
from engine.rules.model import Ruleset
from engine.text import lower_first
from tui.application.describe.attack_result import Result

TO_HIT, SCATTER, DIRECTION = "to hit", "Scatter", "direction"
"""What the roll of an attack is for; how the purposes of rolls for the scatter of a throw begin; its first one."""
REST = "/"
"""The answer that lets the program roll what is asked and all that comes after it."""

INITIATIVE = "Initiative of "
"""How the purpose of a roll for the turn order begins."""


class DieRow(Struct, frozen=True):
    """A roll: what it is for, its dice, and the faces of one that is made; the one that is asked for has none."""

    label: str
    dice: str
    faces: tuple[int, ...] = ()
    is_typed: bool = False
    """Whether somebody typed them; else the program rolled."""
    means: str = ""
    """What its faces mean, where that is no number: "north-east"."""
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
    rows = rolled_rows(asked, battle, rules)
    is_first = need is None or not need.asked
    if is_first and shot is not None:
        dice = rules.attack.test.dice.text
        rows.append(DieRow(TO_HIT, dice, needed=_without_dice(roll_needed(shot, rules), dice), is_asked=True))
    elif need is not None and isinstance(need.ask, RollAsk):
        ask = need.ask
        needed = _without_dice(ask.needed, ask.dice.text) or _table_of_directions(ask.purpose)
        label = _label(ask.purpose, battle)
        rows.append(DieRow(label, ask.dice.text, needed=needed, is_asked=True))
        rows += (DieRow(name.lower(), ask.dice.text) for name in ask.further)
    purposes = [purpose_of(one.q) for one in asked if one.dice is not None]
    scattered = max((place for place, words in enumerate(purposes, 1) if words.startswith(SCATTER)), default=1)
    return Tray(title_of(command, battle, rules), tuple(rows), result, None if result else shot, scattered)


def rolled_rows(answers: Iterable[GivenAnswer], battle: Battle, rules: Ruleset) -> list[DieRow]:
    """The rows of the rolls that are made, in turn."""
    return [_rolled(one, battle, rules) for one in answers if one.dice is not None]


def prompt_of(tray: Tray | None, rules: Ruleset) -> str:
    """The roll that is asked for, in a few words: "to hit 1d100, 40 or less >".

    Where the dice of an attack have names, these in turn: "to hit, the white die, then the black, …".
    """
    asked = [row for row in tray.rows if not row.faces] if tray is not None else []
    if not asked:
        return "dice >"
    first, *further = asked
    named = ", ".join((first.label, *(row.label for row in further)))
    dice = f"{named} {first.dice}{' each' if further else ''}"
    if first.label == TO_HIT and rules.attack.test.die_names:
        dice = f"{named}, {dice_to_type(rules)}"
    return f"{', '.join(filter(None, (dice, first.needed)))} >"


def tray_keys(tray: Tray | None) -> tuple[tuple[str, str], ...]:
    """The keys of a question for dice, each with what it does."""
    cancel = ("{battle.cancel}", "cancel")
    if tray is None or not any(row.faces for row in tray.rows):
        return ("Enter", "roll all"), cancel
    return ("Enter", "roll it"), (REST, "roll the rest"), ("Backspace", "back one die"), cancel


def title_of(command: cmd.Command, battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    """Who does it, with what, to whom, of an attack; nothing of other commands."""
    if not isinstance(command, cmd.Attack):
        return ()
    unit = battle.units.get(command.unit)
    weapon = command.weapon or (in_hand(rules, unit) if unit else "")
    named = rules.gear.weapons[weapon].label if weapon in rules.gear.weapons else ""
    aim = command.square.name if command.square else battle.called(command.target)
    return tuple(filter(None, (battle.called(command.unit), named, aim)))


def _rolled(answer: GivenAnswer, battle: Battle, rules: Ruleset) -> DieRow:
    """The row of a roll that is made."""
    dice, purpose, faces = answer.q.rpartition(": ")[2], purpose_of(answer.q), answer.dice or ()
    means = _direction(purpose, sum(faces), rules)
    return DieRow(_label(purpose, battle), dice, faces, not answer.by_seed, means)


def _direction(purpose: str, total: int, rules: Ruleset) -> str:
    """The direction that a roll for the scatter of a throw gives: "north-east"; "" for any other roll."""
    tables = [one for one in rules.space.scatters if purpose.startswith(f"{one.label}: {DIRECTION}")]
    word = next((one.towards[total] for one in tables if total in one.towards), "")
    return COMPASS_WORDS.get(word, word)


def _label(purpose: str, battle: Battle) -> str:
    """What a roll is for, in a few words: TO_HIT for that of an attack, "distance" for "Scatter: distance", whose it is
    for INITIATIVE.
    """
    if any(purpose.startswith(f"{unit.name} attacks ") for unit in battle.units.values()):
        return TO_HIT
    said = purpose.rpartition(": ")[2].partition(" (")[0]
    said = SCATTER if said == DIRECTION else said
    return said.removeprefix(INITIATIVE) if said.startswith(INITIATIVE) else lower_first(said)


def _table_of_directions(purpose: str) -> str:
    """What each total of a roll for the direction of a scatter gives: "1 N, then clockwise"; "" for any other roll."""
    _, is_direction, table = purpose.partition(f": {DIRECTION} (")
    return table.removesuffix(")") if is_direction else ""


def _without_dice(needed: str, dice: str) -> str:
    """What is needed without the dice, which have a column: "40 or less"."""
    return needed.removeprefix(dice).lstrip(",: ")
