"""Deciding: a command, checked against a battle and its ruleset, becomes events, or one sentence why not. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.battle import commands as cmd
from engine.battle import events as ev
from engine.battle.answers import GivenAnswer
from engine.battle.apply import apply_all
from engine.battle.attacks.defending import NeedAnswer
from engine.battle.attacks.unasked import left_to_do, with_unasked
from engine.battle.battle import Battle
from engine.battle.commands.actions import resolve
from engine.battle.commands.references import check_references
from engine.battle.draft import Draft
from engine.battle.turns.lapsing import lapses
from engine.battle.turns.moments import see_through
from engine.dice.expressions import Dice
from engine.dice.sources import DiceSource, NeedDice, Request, SeededSource, TableSource
from engine.errors import Illegal
from engine.rules.model import Ruleset


class Decision(Struct, frozen=True):
    """What a command comes to, and what people gave for it."""

    events: tuple[ev.Event, ...]
    answers: tuple[GivenAnswer, ...]


class AskingSource:
    """Typed dice that ask: what nobody has answered raises NeedDice; an empty group lets the seed roll."""

    def __init__(self, table: TableSource) -> None:
        self._table = table

    def request(self, dice: Dice, purpose: str) -> Request:
        if not self._table.unused:
            raise NeedDice(purpose, dice)
        return self._table.request(dice, purpose)


def decide(
    battle: Battle,
    command: cmd.Command,
    rules: Ruleset,
    typed: cmd.Typed = (),
    *,
    asks: bool = False,
    asks_answers: bool = False,
) -> tuple[ev.Event, ...]:
    """The events that a command leads to: `decided`, for whom the answers do not matter."""
    return decided(battle, command, rules, typed, asks=asks, asks_answers=asks_answers).events


def decided(
    battle: Battle,
    command: cmd.Command,
    rules: Ruleset,
    typed: cmd.Typed = (),
    kept: Sequence[GivenAnswer] = (),
    *,
    asks: bool = False,
    asks_answers: bool = False,
) -> Decision:
    """What a command comes to.

    Args:
        battle: now; it is not changed.
        command: the wish.
        rules: the ruleset of the battle.
        typed: dice that the table rolled, one group for each roll; an empty group lets the seed roll.
        kept: answers from a time before, for the rolls after those, each for when its question comes up again.
        asks: whether to ask for each roll that nobody has answered, and for answers.
        asks_answers: whether to ask who defends against an attack, while the seed rolls what is not typed.

    Raises:
        Illegal: not allowed now, or the typed dice do not fit.
        Unknown, OffMap: the command names something that is not there.
        NeedDice: `asks` and a roll without typed dice came up.
        NeedAnswer: somebody may defend against an attack that is rolled, and is to be asked.
    """
    seed = SeededSource(battle.dice.seed, battle.dice.drawn)
    table = TableSource(typed, seed, tuple((one.q, one.dice) for one in kept if one.dice is not None))
    source: DiceSource = AskingSource(table) if asks else table

    def part(now: Battle, wish: cmd.Command, is_unasked: bool) -> tuple[ev.Event, ...]:
        dice, is_asked = (seed if is_unasked else source), asks or asks_answers
        if is_unasked and not isinstance(command, cmd.Answering):
            is_asked = False  # what is answered could not be said again with the command
        check_references(now, rules, wish)
        made = wish.decide(cmd.Deciding(now, rules, dice, is_asked, resolve))
        return _with_moments(now, wish, rules, dice, made)

    try:
        found = part(battle, command, False)
        if battle.gm.policies:
            found = with_unasked(battle, rules, command, found, part)
    except NeedAnswer as need:
        need.rolls = table.taken
        raise
    except NeedDice as need:
        need.before = tuple(group for _, group in table.given)
        raise
    found = (*found, *lapses(battle, rules, found))
    if any(table.unused) and not _waits(battle, command, found):
        left = " / ".join(" ".join(map(str, group)) for group in table.unused if group)
        raise Illegal("dice", f"More dice were typed than were rolled: {left} is left over.")
    if seed.position != battle.dice.drawn:
        found = (*found, ev.DiceDrawn(seed.position))
    return Decision(found, tuple(GivenAnswer(question, dice) for question, dice in table.given))


def _waits(battle: Battle, command: cmd.Command, found: tuple[ev.Event, ...]) -> bool:
    """Whether a command waits for attacks at once that it has drawn: then its dice are not rolled yet."""
    is_drawn = any(isinstance(event, ev.OpeningGiven) and event.reaction for event in found)
    return is_drawn and left_to_do(apply_all(battle, found), command, found) is not None


def _with_moments(
    battle: Battle, command: cmd.Command, rules: Ruleset, dice: DiceSource, found: tuple[ev.Event, ...]
) -> tuple[ev.Event, ...]:
    """What a command came to, with what that brings about by itself."""
    if not (rules.turns.moments or battle.scene.charges) or command.ends_turns:  # those see to their own
        return found
    draft = Draft(battle, rules)
    for event in found:
        draft.add(event)
    see_through(draft, 0, dice)
    return draft.events
