"""Deciding: a command, checked against a battle and its ruleset, becomes events, or one sentence why not. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from engine.answers import Given, GivenAnswer, Needs
from engine.battle import command as cmd
from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.attacks.auto_reactions import with_automatic_reactions
from engine.battle.commands.declarations import with_broken_declarations
from engine.battle.commands.references import check_references
from engine.battle.commands.unit_actions import RESOLVERS
from engine.battle.defence_choices import Choices
from engine.battle.event_builder import refuse_if_finished
from engine.battle.seats import GAME_MASTER, Seat, refuse_unless_permitted
from engine.battle.state.battle import Battle
from engine.battle.turns.condition_expiry import lapses
from engine.battle.turns.triggers import see_through
from engine.dice.sources import SeededSource, TableSource, purpose_of
from engine.errors import Illegal
from engine.rules.model import Ruleset
from engine.values import replace


class Decision(Struct, frozen=True):
    """Events of a command, and the answers to all that it asked."""

    events: tuple[ev.Event, ...]
    answers: Given
    """With the dice that the seed rolled for it, but not for automatic reactions to it."""


def decide(
    battle: Battle,
    command: cmd.Command,
    rules: Ruleset,
    answers: Iterable[GivenAnswer] = (),
    *,
    asks: bool = False,
    asks_dice: bool = False,
    seat: Seat = GAME_MASTER,
    tells: bool = True,
) -> tuple[ev.Event, ...]:
    """The events that a command leads to: `decided`, for whom the answers do not matter."""
    return decided(battle, command, rules, answers, asks=asks, asks_dice=asks_dice, seat=seat, tells=tells).events


def decided(
    battle: Battle,
    command: cmd.Command,
    rules: Ruleset,
    answers: Iterable[GivenAnswer] = (),
    *,
    asks: bool = False,
    asks_dice: bool = False,
    skips: Sequence[int] = (),
    optional: Given = (),
    seat: Seat = GAME_MASTER,
    tells: bool = True,
) -> Decision:
    """Decides a command: its events, and the answers it used.

    Args:
        battle: now; it is not changed.
        command: the command.
        rules: the ruleset of the battle.
        answers: what people gave: dice for the next rolls, and answers for when their questions come up.
        asks: whether to ask what nobody has answered, as who defends; the seed rolls what is not typed.
        asks_dice: whether to ask for each roll, too.
        skips: dice of the seed that the first rolls which are typed take the place of, so that later ones stay.
        optional: those of the answers whose question need not come up.
        seat: who gives the command.
        tells: whether events have what only people read (see `Deciding`).

    Raises:
        Illegal: not allowed now, the typed dice do not fit, or no question takes an answer.
        Unknown, OffMap: the command names something that is not there.
        Needs: a question came up that is to be asked.
    """
    refuse_if_finished(battle)
    answers = tuple(answers)
    refuse_unless_permitted(battle, rules, command, seat, answers)
    seed = SeededSource(battle.dice.seed, battle.dice.drawn)
    table = TableSource(answers, seed, asks=asks_dice, skips=skips)

    def part(now: Battle, step: cmd.Command, drawn: str) -> tuple[ev.Event, ...]:
        check_references(now, rules, step)
        choices = Choices(table, asks or asks_dice, drawn)
        against = cmd.Deciding(now, rules, seed if drawn else table, RESOLVERS, choices, tells)
        return _with_moments(against, step, step.decide(against))

    try:
        found = part(battle, command, "")
        if battle.gm.policies:
            found = with_automatic_reactions(battle, rules, command, found, part)
    except Needs as need:
        need.asked, need.left = table.asked, table.left
        raise
    except Illegal as refused:
        rolls = _rolls(table)
        if refused.reason != "typed-dice" or len(_typed_at_once(answers)) < 2 or not rolls:
            raise
        raise Illegal(refused.reason, f"{refused} {rolls}") from None
    found = (*found, *lapses(battle, rules, found))
    found = with_broken_declarations(battle, rules, found)
    found = tuple(_with_answers(event, table.left) for event in found)
    said = [one for one in table.left if one.choose is not None or (one.dice and not one.by_seed)]
    left = [one for one in said if one not in optional]
    if left and not _waits(battle, command, found):
        raise _left_over(battle, left, _rolls(table))
    if seed.position != battle.dice.drawn:
        found = (*found, ev.DiceDrawn(seed.position))
    return Decision(found, table.asked)


def _with_answers(event: ev.Event, left: Given) -> ev.Event:
    """The event; a held command keeps the answers that it has not used yet."""
    return replace(event, held=replace(event.held, answers=left)) if isinstance(event, ev.CommandHeld) else event


def _waits(battle: Battle, command: cmd.Command, found: tuple[ev.Event, ...]) -> bool:
    """Whether a command waits for reactions that it has drawn, so that its dice are not rolled yet."""
    if not any(isinstance(event, ev.CommandHeld) for event in found):
        return False
    unit = getattr(command, "unit", "")
    return apply_all(battle, found).turns.held_by(unit) is not None


def _typed_at_once(answers: Sequence[GivenAnswer]) -> list[str]:
    """The dice that were typed for whatever rolls come up, each group as typed."""
    return [" ".join(map(str, one.dice)) for one in answers if one.dice and not one.q]


def _rolls(table: TableSource) -> str:
    """In which order dice were taken, for those who typed them all at once; "" where none were."""
    names = [purpose_of(one.q).partition(" (")[0] for one in table.asked if one.dice is not None]
    return f"Dice were taken for: {'; '.join(names)}." if names else ""


def _left_over(battle: Battle, left: Sequence[GivenAnswer], rolls: str) -> Illegal:
    """The refusal of a command with answers that no question has taken; `rolls` are those that dice were taken for."""
    if dice := _typed_at_once(left):
        words = f"Not done: more dice typed than rolled, {' / '.join(dice)} not used."
        return Illegal("dice", f"{words} {rolls}".rstrip())
    said = (" ".join(map(str, one.dice)) if one.dice else one.choose or "none" for one in left)
    asked = (" ".join(map(battle.called, one.q.split(" "))) for one in left)  # names in place of ids
    answers = ", ".join(f"{answer} ({about})" for answer, about in zip(said, asked, strict=True))
    return Illegal("answer", f"Not asked for: {answers}. Nothing was done.")


def _with_moments(now: cmd.Deciding, command: cmd.Command, found: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
    """Events of a command, with the moments that they trigger."""
    if not (now.rules.turns.triggers or now.battle.scene.charges) or command.ends_turns:  # those see to their own
        return found
    draft = now.draft()
    for event in found:
        draft.add(event)
    see_through(draft, 0, now.dice)
    return draft.events
