"""Command line of the board: parses, runs and reports typed commands, with completion and history."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from engine.answers import Given, Needs
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.order_commands import FinishBattle, RollInitiative
from engine.dice.sources import RollAsk, parse_typed
from engine.errors import BattleboardError, Illegal
from engine.rules.named_rules import NO_SENTENCE
from engine.text import count, sentence
from engine.values import replace
from tui.application.commands.completion import completed, completions, suggested, usage
from tui.application.commands.dice_prompts import dice_questions
from tui.application.commands.registry import hear
from tui.application.commands.results import (
    Correction,
    Export,
    Finish,
    NewEncounter,
    RuleCard,
    SaveEncounter,
    Setting,
    ShowPanel,
    StartTour,
    SubmitCommand,
    TakePicture,
    TextResult,
    UndoRedo,
)
from tui.application.commands.runner import begun_by, saved_words
from tui.application.commands.sessions import dropped_words, rolls_shown
from tui.application.describe.dice_tray import Tray, prompt_of, rolled_rows, title_of
from tui.application.describe.text_layout import wrap
from tui.application.focus import focus as foci
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import SHEET_KEYS
from tui.application.library.finished_battles import (
    NO_DIFFERENCE,
    Accepted,
    changed_characters,
    check_finish,
    write_accepted,
)
from tui.application.presenter.command_questions import CORRECTION_DROPPED, CORRECTION_KEYS, ask_defence
from tui.application.presenter.display import Pieces
from tui.application.presenter.presenter import Presenter
from tui.application.presenter.undo import travel
from tui.application.prompts.choice import Choice, Column, MenuQuestion, Picked
from tui.application.prompts.line_help import LineHelp
from tui.application.terminal.output import filling

SHORT = 2
"""Most lines and rows of an answer in place of the verdict; a longer one opens a text modal."""
MOST_KEPT = 200
NO_SENTENCE_HERE = f"{NO_SENTENCE} {{sheet.details}} shows the formula."
WHOLE_TEXT, RULE_COLUMNS = "text", (Column("name"), Column("kind"))
"""Id of the row of the list of rules that opens their text, and the columns of that list."""
CARD_WORD = 10
"""Columns of the words before the rows of a rule's card."""
NEXT = "{battle.library} library: the next encounter, a report."
"""What may come after a battle."""
ROLLED = Attack | Act | Move | EndTurn | RollInitiative
"""Commands whose dice the board asks for, from keys and from typed commands."""


def ask_line(presenter: Presenter, value: str = "", *, is_listed: bool = False) -> None:
    """Asks for a command and runs it; `is_listed` says at once what may follow `value`."""

    pages = Pages()

    def complete(text: str) -> str:
        setting = _setting(presenter)
        line = completed(text, setting)
        found = completions(text, setting)
        presenter.say(pages.next(line, found, presenter.has_room) if found else usage(text, setting))
        return line

    def suggest(text: str) -> str:
        return suggested(text, _setting(presenter))

    def answered(text: str) -> None:
        presenter.typed_lines = [*(line for line in presenter.typed_lines if line != text), text][-MOST_KEPT:]
        _run_line(presenter, text)

    if is_listed:
        value = complete(value)
    presenter.ask(":", answered, value, help=LineHelp(complete, suggest, presenter.typed_lines))


def help_after(presenter: Presenter, begun: str, but: Collection[str] = ()) -> LineHelp:
    """Help for a question that is answered with the rest of a command: Tab lists what may follow, without `but`."""
    pages = Pages()

    def complete(text: str) -> str:
        setting = _setting(presenter)
        line = completed(begun + text, setting, but).removeprefix(begun)
        found = completions(begun + text, setting, but)
        presenter.say(pages.next(line, found, presenter.has_room) if found else usage(begun, setting))
        return line

    return LineHelp(complete, lambda text: "", ())


class Pages:
    """Pages of completions that fit; Tab again on the same line shows the next page."""

    def __init__(self) -> None:
        self._line, self._begin = "", 0

    def next(self, line: str, found: Sequence[str], has_room: Callable[[str], bool]) -> str:
        """The next completions that fit, with the number of all."""
        begin = self._begin if line == self._line and self._begin < len(found) else 0
        end = len(found)
        while end > begin + 1 and not has_room(_offered(found, begin, end)):
            end -= 1
        self._line, self._begin = line, end
        return _offered(found, begin, end)


def _offered(found: Sequence[str], begin: int, end: int) -> str:
    if not begin and end == len(found):
        return f"{' · '.join(found)}."
    return f"{' · '.join(found[begin:end])}. {begin + 1}–{end} of {len(found)}: Tab for more."


def hear_line(presenter: Presenter, text: str) -> None:
    """Runs a typed command and shows the outcome, or why it is refused."""
    try:
        _run_line(presenter, text)
    except BattleboardError as reason:
        presenter.say(str(reason))


def _run_line(presenter: Presenter, text: str) -> None:
    """Runs a typed command and shows the outcome.

    Raises:
        BattleboardError: it is not understood, or refused.
    """
    width = presenter.display.text_width
    presenter.ask_again = partial(ask_line, presenter, text)
    with filling(width):
        spoken = hear(text, _setting(presenter))
    match spoken:
        case SubmitCommand():
            asks = spoken.asks or spoken.answers or isinstance(spoken.command, ROLLED)
            presenter.submit_asking(spoken.command, spoken.answers, asks_dice=bool(asks))
            if spoken.note:
                presenter.say(f"{presenter.note} {spoken.note}")
        case UndoRedo():
            travel(presenter, spoken.back)
        case Correction():
            correct_roll(presenter, spoken.typed)
        case ShowPanel():
            presenter.display.set_panel(spoken.name, spoken.is_shown)
        case Finish():
            finish(presenter, spoken)
        case StartTour():
            presenter.display.begin_tour()
        case SaveEncounter():
            presenter.say(" ".join(saved_words(presenter.session, spoken)))
        case Export():
            from tui.application.exports.export_files import write_export

            presenter.display.export(write_export(presenter.session, spoken.format, spoken.name, spoken.side))
        case TakePicture():
            presenter.display.save_picture(spoken.name)
        case NewEncounter():
            presenter.display.show_battle(begun_by(spoken))
        case TextResult():
            _show_answer(presenter, text, spoken, width)


def finish(presenter: Presenter, command: Finish) -> None:
    """Shows the end card; only its key to carry over ends the battle."""
    from tui.application.exports.battle_titles import battle_title
    from tui.application.exports.end_card import whole_card
    from tui.application.exports.export_files import write_export

    session = presenter.session
    try:
        check_finish(session)
    except Illegal as reason:
        presenter.say(str(reason))
        return
    card = whole_card(battle_title(session), session.history.steps_with_battles(), session.rules)
    presenter.display.show_end_card(
        card, lambda: write_export(session, "html"), lambda: _carry_over(presenter, command)
    )


def _carry_over(presenter: Presenter, command: Finish) -> None:
    """Ends the battle, and writes what it has changed of characters, or asks what of it."""
    session = presenter.session
    if not session.battle.is_finished:
        presenter.submit(FinishBattle())
    said = presenter.note if session.battle.is_finished else ""
    changed = changed_characters(session.battle, session.rules)

    def chosen(accepted: Accepted) -> None:
        presenter.say(" ".join((*write_accepted(session.rules, changed, accepted), with_keys(NEXT))))

    if command.units is not None:
        meant = [one for one in changed if one.unit.id in command.units]
        presenter.say(" ".join(filter(None, (said, *write_accepted(session.rules, meant)))))
    elif changed:
        presenter.display.choose_changes(changed, chosen)
    else:
        presenter.say(f"{said} {NO_DIFFERENCE} {with_keys(NEXT)}".lstrip())


def _show_answer(presenter: Presenter, text: str, answer: TextResult, width_heard: int) -> None:
    """Shows an answer: a short one in place of the verdict, else in a text modal, rendered again for each width."""
    said = " ".join(answer.lines)
    if answer.names:
        _choose_rule(presenter, text, answer, width_heard)
        return
    is_one = not answer.is_list or len(answer.lines) == 1
    if is_one and len(answer.lines) <= SHORT and len(wrap(said, presenter.display.width - 2)) <= SHORT:
        presenter.say(said)
        return

    _open_answer(presenter, text, answer, width_heard)


def _choose_rule(presenter: Presenter, text: str, answer: TextResult, width_heard: int) -> None:
    """Lists rules by their names, with the sentence of the marked one; the last row is the text about all of them."""

    def chosen(picked: Picked) -> None:
        if picked.id == WHOLE_TEXT:
            _open_answer(presenter, text, answer, width_heard)
        elif picked.id:
            hear_line(presenter, f"rules {answer.names[int(picked.id)].name}")

    choices = [
        *(Choice(f"{place}", one.label, one.kind, says=one.sentence) for place, one in enumerate(answer.names)),
        Choice(WHOLE_TEXT, "all of them", "text", says="Every rule of the list with its formula, source and ruling."),
    ]
    presenter.display.offer(MenuQuestion(answer.title, choices, narrows=True, table=RULE_COLUMNS), chosen)


def _open_answer(presenter: Presenter, text: str, answer: TextResult, width_heard: int) -> None:
    def build(width: int) -> list[str | Pieces]:
        if answer.cards:
            return card_rows(answer.cards, width)
        with filling(width):
            again = answer if width == width_heard else hear(text, _setting(presenter))
        assert isinstance(again, TextResult)
        return [row for line in again.lines for row in _rows(line, width)]

    def details(width: int) -> list[str]:
        with filling(width):
            return [row for line in (answer.more() if answer.more else ()) for row in _rows(line, width)]

    presenter.display.open_text(answer.title, build, details if answer.more else None)


def card_rows(cards: Sequence[RuleCard], width: int) -> list[str | Pieces]:
    """The rows of rules' short answers: the sentence in bold, and below it each word with its text."""
    found: list[str | Pieces] = []
    for card in cards:
        if len(cards) > 1:
            found += [""] * bool(found)
            found.append(((card.label, "bold $panel-title"), (f" · {card.kind}", "$muted")))
        say = with_keys(NO_SENTENCE_HERE, SHEET_KEYS) if card.sentence == NO_SENTENCE else card.sentence
        found += [((row, "bold"),) for row in wrap(say, width)]
        found.append("")
        before = ""
        for word, text in card.rows:
            rows = wrap(text, width - CARD_WORD) or [""]
            for place, row in enumerate(rows):
                head = word if place == 0 and word != before else ""
                found.append(((head.ljust(CARD_WORD), "$muted"), (row, "")))
            before = word
    return found


def _rows(line: str, width: int) -> list[str]:
    """Wraps a line; all rows have the indent of the first."""
    indent = " " * (len(line) - len(line.lstrip()))
    return [f"{indent}{row}" for row in wrap(line.strip(), width - len(indent))] or [""]


def _setting(presenter: Presenter) -> Setting:
    battle, rules = presenter.session.battle, presenter.session.rules
    attack = foci.attack_in(presenter.focus, battle, rules)
    steps, is_ascii = presenter.session.history.steps(), not presenter.display.glyphs.has_unicode
    return Setting(battle, rules, presenter.focus.unit, presenter.focus.cursor, attack, steps, is_ascii, with_keys)


def ask_correction(presenter: Presenter) -> None:
    """Asks for the correct dice of the last command, with those that fell beside the board, and repeats it."""
    session, last = presenter.session, presenter.last
    try:
        command, rolls = session.correctable
    except Illegal as reason:
        presenter.say(str(reason))
        return
    battle, rules = session.history.undo().battle, session.rules
    rows = tuple(rolled_rows(rolls, battle, rules))
    presenter.plan = replace(last, tray=Tray(title_of(command, battle, rules), rows, last.result, scattered=len(rows)))
    drops, dropped = dropped_words(session), partial(presenter.cancel_plan, CORRECTION_DROPPED)

    def answered(text: str) -> None:
        correct_roll(presenter, parse_typed(text)) if text else dropped()

    presenter.note = presenter.result
    presenter.ask(
        f"The last command is done again with the dice that you type.{f' {sentence(drops)}' if drops else ''}",
        answered,
        cancelled=dropped,
        prompt=presenter.fitting(
            [f"{rolls_shown(rolls, named)}, correct: / keeps one >" for named in range(len(rolls), -1, -1)]
        ),
        keys=CORRECTION_KEYS,
        takes_nothing=True,
    )
    presenter.show_all()


def correct_roll(presenter: Presenter, typed: Given, answers: Given | None = None) -> None:
    """Repeats the last command with these dice, asks for missing ones, and shows the outcome.

    Raises:
        BattleboardError: nothing happened.
    """
    session, active = presenter.session, presenter.session.battle.turns.active

    def more(text: str, roll: RollAsk, need: Needs) -> None:
        typed = roll.answers(text)
        before = (one for one in need.asked if one.dice is not None)
        correct_roll(presenter, (*before, *typed), need.answered(*typed))

    command, _ = session.correctable
    before, undone = session.history.undo().battle, len(session.history.steps_undone())
    drops = f" Dropped: {count(undone, 'undone command')} after it." if undone else ""
    try:
        events = session.correct(typed, asks=True, answers=answers)
    except Needs as need:
        match need.ask:
            case RollAsk() as roll:
                presenter.show_plan(command, need, before)
                tray = presenter.plan.tray if presenter.plan is not None else None
                presenter.note = presenter.result
                presenter.ask(
                    presenter.in_a_row(dice_questions(roll)),
                    partial(more, roll=roll, need=need),
                    cancelled=partial(presenter.cancel_plan, CORRECTION_DROPPED),
                    prompt=prompt_of(tray, session.rules),
                    keys=CORRECTION_KEYS,
                    takes_nothing=True,
                )
            case DefenceAsk() as ask:
                presenter.show_plan(command, need, before)
                ask_defence(presenter, None, ask, need, partial(correct_roll, presenter, typed))
    else:
        presenter.plan = None
        presenter.follow_turn(active)
        presenter.result = f"{presenter.summary(events)}{drops}"
        presenter.say(presenter.result)
