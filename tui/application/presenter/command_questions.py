"""Questions that a command asks before it is decided: its dice, the price of a move, who defends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Protocol

from engine.answers import Given, GivenAnswer, Needs
from engine.battle import command as cmd
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.moves.moves import NO, YES, MoveAsk
from engine.battle.narration.question_text import question_words
from engine.battle.state.battle import Battle
from engine.dice.sources import RollAsk, parse_typed
from engine.errors import BattleboardError, Illegal
from engine.journal.session import Session
from tui.application.describe.dice_tray import REST, prompt_of, tray_keys
from tui.application.describe.last_command import LastCommand
from tui.application.presenter.display import Display
from tui.application.presenter.menu_choices import defence_choices
from tui.application.prompts.choice import Choice, MenuQuestion, Picked

POLICY_KEYS: Mapping[str, str] = {
    "a": "always automatic",
    "n": "never",
    "A": "the same for all units",
    "N": "the same for all units",
}
"""Keys of a card of reactions that set the policy of its kind, with their labels."""
DEFENCE_KEYS: Mapping[str, str] = {
    "a": "always automatic",
    "A": "the same for all units",
    "N": "never, for all units",
}
"""The same of a card of defences, where `n` is for none."""
CORRECTION_KEYS = ("Enter", "do it again with these dice"), ("{battle.cancel}", "cancel")
CORRECTION_DROPPED = "The correction is cancelled: the last roll stands."
WRONG_DICE = ("typed-dice", "dice")
"""Refusals of the typed dice, not of the command."""


class Asker(Protocol):
    """What these questions need of the presenter."""

    session: Session
    display: Display
    typed_ahead: str
    typed_again: str
    """Faces of the roll that is asked for again."""
    """Dice typed in the defence menu, for the roll after it."""
    ask_again: Callable[[], None] | None
    """Opens the prompt again in which dice were typed, to correct them."""

    plan: LastCommand | None

    def say(self, sentence: str) -> None: ...

    def show_plan(self, command: cmd.Command, need: Needs | None) -> None: ...

    def cancel_plan(self, words: str) -> None: ...

    def ask(self, label: str, answered: Callable[[str], None], value: str = "", **more: Any) -> None: ...

    def submit_asking(self, command: cmd.Command, answers: Given = (), *, asks_dice: bool = True) -> None: ...

    def keep_line(self, reason: BattleboardError) -> None: ...

    def learn(self, key: str, meant: Iterable[tuple[str, str]]) -> None: ...


def dropped_words(command: cmd.Command, battle: Battle) -> str:
    """The sentence for a command that is cancelled at its dice prompt."""
    if isinstance(command, cmd.Attack):
        aim = command.square.name if command.square else battle.called(command.target)
        what = f"{battle.called(command.unit)}'s attack on {aim}"
    elif isinstance(command, cmd.Move):
        what = f"{battle.called(command.unit)}'s move"
    else:
        what = "The command"
    return f"{what} is cancelled: nothing has happened, and the dice typed for it do not count."


def ask_dice(
    presenter: Asker, command: cmd.Command, before: Given, label: str, need: Needs | None = None, value: str = ""
) -> None:
    """Asks for one roll after another; dice thrown together are asked for together.

    An empty first answer and REST let the seed make this roll and all that come after it, an empty later one this roll
    alone.

    Args:
        command: the command that needs the dice.
        before: the answers so far.
        label: the question.
        need: the open need; None before the first try.
        value: what stands in the prompt at first; "" for dice typed ahead.
    """
    is_first = need is None or all(one.dice is None for one in need.asked)

    def answered(text: str) -> None:
        presenter.ask_again = partial(ask_dice, presenter, command, before, label, need, text)
        try:
            if text.strip() == REST or (not text and is_first):
                presenter.submit_asking(command, before, asks_dice=False)
                return
            roll = need.ask if need is not None and isinstance(need.ask, RollAsk) else None
            typed = roll.answers(text) if roll else parse_typed(text)
            presenter.submit_asking(command, need.answered(*typed) if need else (*before, *typed))
        except Illegal as reason:
            if reason.reason in WRONG_DICE:  # asked again: earlier dice still count
                presenter.show_plan(command, need)
                raise
            presenter.say(str(reason))

    dropped = partial(presenter.cancel_plan, dropped_words(command, presenter.session.battle))
    begun = value or presenter.typed_again or f"{presenter.typed_ahead.strip()} ".lstrip()
    asked = need.asked if need is not None else ()
    presenter.show_plan(command, need)
    tray = presenter.plan.tray if presenter.plan is not None else None
    presenter.ask(
        label,
        answered,
        begun,
        cancelled=dropped,
        warning=lost_words(asked),
        back=partial(_ask_die, presenter, command, asked) if any(map(_is_roll, asked)) else None,
        prompt=prompt_of(tray, presenter.session.rules),
        keys=tray_keys(tray),
        takes_nothing=True,
    )


def lost_words(asked: Given) -> str:
    """The sentence that says what is lost with a command that is cancelled; "" where no die was typed."""
    count = sum(len(one.dice or ()) for one in asked if not one.by_seed)
    dice = "1 typed die" if count == 1 else f"{count} typed dice"
    return f"{dice} would be lost. Esc cancels, any other key goes on." if count else ""


def _is_roll(answer: GivenAnswer) -> bool:
    return answer.dice is not None


def _ask_die(presenter: Asker, command: cmd.Command, asked: Given, die: int) -> None:
    """Asks for a roll again, with the faces that were typed; what the seed rolled stays the same.

    Args:
        presenter: asks.
        command: the command that needs the dice.
        asked: the answers so far.
        die: which of the rolls, from 0 on; -1 for the last.
    """
    place = [place for place, one in enumerate(asked) if _is_roll(one)][die]
    faces = () if asked[place].by_seed else asked[place].dice or ()
    presenter.typed_again = " ".join(map(str, faces))
    try:
        presenter.submit_asking(command, asked[:place])
    finally:
        presenter.typed_again = ""


def ask_price(
    presenter: Asker, command: cmd.Command, ask: MoveAsk, need: Needs, decide: Callable[[Given], None]
) -> None:
    """Asks whether a unit pays for a move with something else, and decides again with the answer."""

    def chosen(picked: Picked) -> None:
        try:
            decide(need.answered(ask.answer(picked.id)))
        except Illegal as reason:
            presenter.say(str(reason))

    presenter.show_plan(command, need)
    choices = [Choice(YES, "move", key="y"), Choice(NO, "do not move", key="n")]
    presenter.display.offer(MenuQuestion("Pay for this move?", choices, ask.words), chosen)


def ask_defence(
    presenter: Asker, command: cmd.Command | None, ask: DefenceAsk, need: Needs, decide: Callable[[Given], None]
) -> None:
    """Opens the card of defences; decides again, and asks again without an answer.

    Without a command, as where the last roll is corrected, there is no plan to show.
    """

    def chosen(picked: Picked) -> None:
        if not picked.id:
            presenter.cancel_plan(dropped_words(command, presenter.session.battle) if command else CORRECTION_DROPPED)
            return
        said: GivenAnswer | None = ask.answer(picked.id)
        presenter.typed_ahead = picked.typed
        if picked.key:
            meant = [one for one in ask.options if one.id == picked.id] or ask.options
            presenter.learn(picked.key, {(answer.kind, answer.unit) for answer in meant})
            is_taken = picked.key in "aA" and picked.id != "none"
            said = said if is_taken else None  # asked again, unless nothing is left to ask
        try:
            decide(need.answered(said) if said else need.answered())
        except BattleboardError as reason:
            presenter.say(str(reason))
            presenter.keep_line(reason)
        presenter.typed_ahead = ""

    who = ask.struck.name if ask.is_one_of_several else "anybody"
    choices = defence_choices(ask, presenter.session.rules, DEFENCE_KEYS)
    question = question_words(ask, presenter.session.rules, need.left)
    menu = MenuQuestion(
        f"Does {who} defend?",
        choices,
        question,
        DEFENCE_KEYS,
        presenter.typed_ahead,
        escape="cancel",
        warning=lost_words(need.asked),
        wraps=True,
    )
    presenter.say("")  # what was refused before no longer counts
    if command is not None:
        presenter.show_plan(command, need)
    presenter.display.offer(menu, chosen)
