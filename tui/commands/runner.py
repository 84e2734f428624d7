"""Doing what a line says, without a screen: it is heard, committed, and told in sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.answers import Given, Needs
from engine.battle.attacks.auto_reactions import still_open
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.command import Attack, Command, Move
from engine.battle.events import AttackRolled, Event
from engine.battle.narration import continuity, summarise, tell
from engine.battle.narration.question_text import option_words, question_words
from engine.battle.state.battle import Battle, HeldCommand
from engine.battle.views.view import project
from engine.dice.sources import RollAsk
from engine.errors import BattleboardError, Illegal
from engine.journal.session import Session
from tui.commands.actions import NOBODY
from tui.commands.dice_prompts import rolls_named
from tui.commands.forms import split_dice
from tui.commands.naming import Names, expect, names_of, take_whole
from tui.commands.questions import turn_words
from tui.commands.registry import BY_WORD, hear, line_of
from tui.commands.results import Correction, Setting, ShowPanel, Spoken, StartTour, SubmitCommand, TextResult, UndoRedo

Ask = Callable[[Sequence[str]], str]
"""Asks with a few lines and gives what was answered."""


def do(session: Session, line: str, ask: Ask | None = None, attack: Attack | None = None) -> tuple[list[str], Spoken]:
    """Does what one line says, and tells what it came to.

    Args:
        session: the battle.
        line: what is typed.
        ask: for dice and defences; None refuses what would have to be asked.
        attack: the attack that was looked at last.

    Raises:
        Illegal, Unknown, OffMap, CannotSave: nothing happened.
    """
    setting = Setting(session.battle, session.rules, attack=attack, steps=session.history.steps())
    spoken = hear(line, setting)
    try:
        return _done(session, spoken, ask), spoken
    except _TakenBack as taken:
        dropped = f"Not done: “{line.strip()}”."
        return ([dropped, *_travel(session, taken.more)] if taken.more else [dropped]), spoken


def _done(session: Session, spoken: Spoken, ask: Ask | None) -> list[str]:
    match spoken:
        case TextResult():
            return list(spoken.lines)
        case UndoRedo():
            return _travel(session, spoken.back)
        case StartTour():
            raise Illegal("words", "There is no tour here: it is on the board's screen.")
        case ShowPanel():
            raise Illegal("words", "There are no panels here: they stand on the board's screen.")
        case Correction():
            return told(session.correct(spoken.typed), session)
        case SubmitCommand():
            before = session.battle
            events, command = _commit(session, spoken, ask), spoken.command
            lines = [*_let_pass(before, events, session.battle), *told(events, session)]
            lines += _at_once(events, command, session)
            lines += [spoken.note] * bool(spoken.note)
            if session.battle.turns.active != before.turns.active:
                lines.append(turn_words(project(session.battle, session.rules)))
            return lines


def told(events: Sequence[Event], session: Session) -> list[str]:
    """Every sentence that events say, in order; where they say none, what the command was."""
    battle, rules = session.battle, session.rules
    ahead, behind = continuity(events, battle)
    lines: list[str] = []
    for place, event in enumerate(events):
        lines += filter(None, (ahead.get(place), tell(event, battle, rules), behind.get(place)))
    return lines or [summarise(events, battle, rules) or "Done."]


def _let_pass(before: Battle, events: Sequence[Event], after: Battle) -> list[str]:
    """Who had a right to attack at once, could still use it and has not."""
    made = {(event.unit, event.target) for event in events if isinstance(event, AttackRolled)}
    able = {unit.id for unit in after.units.values() if not unit.is_defeated}
    lost = [held for held in before.openings if held not in after.openings]
    lost = [one for one in lost if (one.unit, one.against) not in made and {one.unit, one.against} <= able]
    return [f"{after.called(one.unit)} lets the chance to attack {after.called(one.against)} pass." for one in lost]


def _at_once(events: Sequence[Event], command: Command, session: Session) -> list[str]:
    """In which words somebody attacks at once, and what lets that chance pass; nothing where nobody may."""
    held = still_open(session.battle, events)
    if not held:
        return []
    setting = Setting(session.battle, session.rules)
    attacks = (Attack(one.unit, one.against, action=one.attack) for one in held)
    ways = " or ".join(f"“{line_of(attack, setting)}”" for attack in attacks)
    match session.battle.turns.held_by(held[0].against):
        case None:
            return [f"{ways} attacks at once; “end” lets the chance pass."]
        case HeldCommand(kind="move") as rest:
            by = f" by {command.action}" if isinstance(command, Move) and command.action else ""
            onward = f"“move {rest.unit} {rest.path[-1].name}{by}” goes on"
            return [f"{ways} attacks at once; {onward} and lets the chance pass."]
    return [f"Nothing is rolled yet: {ways} attacks at once; the same line again goes on and lets the chance pass."]


def _commit(session: Session, wish: SubmitCommand, ask: Ask | None) -> tuple[Event, ...]:
    """Submits a wish, asking for dice and for a defence as long as they are wanted."""
    answers, asks_dice, happened = wish.answers, wish.asks, list[str]()
    if asks_dice and ask is None:
        raise Illegal("words", "Nobody is here to ask for dice: type them, as “dice 45 / 4”.")
    need: Needs | None = None
    refused = ""
    while True:
        try:
            return session.submit(wish.command, answers, asks=True, asks_dice=asks_dice)
        except Needs as now:
            need, refused = now, ""
        except Illegal as reason:
            if need is None or not isinstance(need.ask, RollAsk) or reason.reason != "typed-dice":
                raise
            refused = str(reason)
        match need.ask:
            case RollAsk() as roll:
                assert ask is not None
                before, happened = happened, _happened(need, session)
                new = happened[len(before) :] if happened[: len(before)] == before else happened
                answers = need.answered(*_dice(session, ask, roll, new, refused))
            case DefenceAsk() as defence:
                said, asks_more = _defence(session, defence, ask)
                answers, asks_dice = need.answered(*said), asks_dice or asks_more


class _TakenBack(Exception):
    """A command that waits for an answer is not done after all; `more` commands before it are taken back as well."""

    def __init__(self, more: int) -> None:
        self.more = more
        super().__init__()


def _asked(session: Session, ask: Ask, question: Sequence[str], names: Names, refused: str = "") -> list[str]:
    """The words of an answer; what only looks is told first, and the question put again.

    Args:
        session: the battle, in which nothing of the command has happened yet.
        ask: for an answer.
        question: what is asked.
        names: what may be answered; such words are no others.
        refused: why the answer before was none; said once, above the question.

    Raises:
        _TakenBack: the command is taken back in place of an answer.
    """
    lines = [refused, *question] if refused else question
    while True:
        words = ask(lines).split()
        if not words or take_whole(words, names) or words[0].casefold() not in BY_WORD:
            return words
        try:
            spoken = hear(" ".join(words), Setting(session.battle, session.rules, steps=session.history.steps()))
        except BattleboardError as reason:
            lines = [str(reason), *question]
            continue
        match spoken:
            case TextResult():
                lines = [*spoken.lines, *question]
            case UndoRedo() if spoken.back > 0:
                raise _TakenBack(spoken.back - 1)
            case _:
                lines = ["Answer first, or say undo to take the command back.", *question]


def _happened(need: Needs, session: Session) -> list[str]:
    """What a command has come to when a roll is asked for; nothing before its first."""
    if need.battle is None or all(one.dice is None for one in need.asked):
        return []
    told = (tell(event, need.battle, session.rules, is_brief=True) for event in need.happened)
    return [line for line in told if line]


def _dice(session: Session, ask: Ask, roll: RollAsk, happened: Sequence[str], refused: str) -> Given:
    question = [*happened, f"{rolls_named(roll)}: type the dice, or nothing to roll them."]
    while True:
        try:
            return roll.answers(" ".join(_asked(session, ask, question, {}, refused)))
        except Illegal as reason:
            refused = str(reason)


def _defence(session: Session, need: DefenceAsk, ask: Ask | None) -> tuple[Given, bool]:
    """What was answered, with the dice that were typed after it, and whether to ask for the others."""
    told = {answer.id: option_words(answer, session.rules) for answer in need.options}
    asked = question_words(need, session.rules)
    known = {**names_of((name, label) for name, (label, _) in told.items()), NOBODY: ("none", "no", "no defence")}
    if ask is None and need.drawn:
        policies = " or ".join(f"“policy {answer.unit} {answer.kind} auto”" for answer in need.options)
        raise Illegal("words", f"{asked} Nobody is here to ask: say {policies} before it, or “off” for never.")
    if ask is None:
        whose = f" for {need.struck.id}" if need.is_one_of_several else ""
        may = " or ".join(f"“defence {answer.id.replace(':', ' by ')}{whose}”" for answer in need.options)
        raise Illegal("words", f"{asked} Say {may} or “defence none{whose}” after it.")
    ways = [f"{name}: {label}, {note}" for name, (label, note) in told.items()]
    dice = f"Dice after it: {need.options[0].id} dice 45. Undo takes the command back." if need.options else ""
    question = [asked, *ways, f"{NOBODY}: no defence. {dice}".rstrip()]
    refused = ""
    while True:
        said = _asked(session, ask, question, known, refused)
        try:
            words, typed, asks = split_dice(said)
            if not words:
                return (need.answer(""), *typed), asks
            answer, words = expect("defence", words, known)
            if words:
                left = " ".join(words)
                raise Illegal("words", f"“{left}” is left over; dice are typed after the word dice: {answer} dice 45.")
        except BattleboardError as reason:
            refused = str(reason)
        else:
            return (need.answer(answer), *typed), asks


def _travel(session: Session, back: int) -> list[str]:
    """Takes commands back, or does them again; as many as there are."""
    lines: list[str] = []
    for _ in range(abs(back)):
        try:
            events = session.undo() if back > 0 else session.redo()
        except Illegal:
            if not lines:
                raise
            break
        said = " ".join(told(events, session))
        lines.append(f"{'Taken back' if back > 0 else 'Done again'}: {said}")
    return [*lines, turn_words(project(session.battle, session.rules))]
