"""Runner of typed commands without a screen: parses, commits and describes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.answers import Given, GivenAnswer, Needs
from engine.battle.attacks.area_odds import friends_at_risk
from engine.battle.attacks.attack_preview import consider
from engine.battle.attacks.auto_reactions import still_open
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.attacks.reactions import can_answer, takes_any_action
from engine.battle.command import Attack, Command, Move
from engine.battle.commands.order_commands import FinishBattle, RollInitiative, SetTurn
from engine.battle.events import ActionTaken, AttackRolled, Event, OpeningGiven, TurnBegan, TurnGiven
from engine.battle.moves.moves import NO, YES, MoveAsk
from engine.battle.narration import continuity, drops_in_its_turn, narrate, summarise
from engine.battle.narration.preview_text import friend_words
from engine.battle.narration.question_text import option_words, question_words
from engine.battle.state.battle import Battle, HeldCommand
from engine.battle.views.view import project
from engine.dice.sources import RollAsk
from engine.errors import BattleboardError, Illegal
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.text import upper_first
from engine.values import replace
from tui.application.commands.actions import NOBODY
from tui.application.commands.dice_prompts import rolls_named
from tui.application.commands.forms import split_dice
from tui.application.commands.naming import Names, expect, names_of, take_whole, unit_names
from tui.application.commands.order import declare_words, declaring_sides, parse_declared
from tui.application.commands.questions import turn_words
from tui.application.commands.registry import BY_WORD, hear, line_of
from tui.application.commands.results import (
    Correction,
    Export,
    Finish,
    NewEncounter,
    SaveEncounter,
    Setting,
    ShowPanel,
    Spoken,
    StartTour,
    SubmitCommand,
    TakePicture,
    TextResult,
    UndoRedo,
)
from tui.application.describe.turn_choice import choice_words, is_choice
from tui.application.library.finished_battles import NO_DIFFERENCE, changed_characters, check_finish, write_accepted
from tui.application.terminal.output import width

Ask = Callable[[Sequence[str]], str]
"""Asks a question of a few lines and returns the answer."""
CANCEL = "cancel"


def do(session: Session, line: str, ask: Ask | None = None, attack: Attack | None = None) -> tuple[list[str], Spoken]:
    """Runs a typed line and describes the outcome.

    Args:
        session: the battle.
        line: the typed line.
        ask: asks for dice and defences; None refuses commands that need an answer.
        attack: the latest attack.

    Raises:
        Illegal, Unknown, OffMap, CannotSave: nothing happened.
    """
    setting = Setting(session.battle, session.rules, attack=attack, steps=session.history.steps())
    spoken = hear(line, setting)
    try:
        return _execute(session, spoken, ask), spoken
    except _TakenBack as taken:
        dropped = f"Cancelled: “{line.strip()}”."
        return ([dropped, *_travel(session, taken.more)] if taken.more else [dropped]), spoken


def _execute(session: Session, spoken: Spoken, ask: Ask | None) -> list[str]:
    match spoken:
        case TextResult():
            has_details = spoken.cards and spoken.more  # there is no Enter to ask for them
            return [*spoken.lines, *(("", *spoken.more()) if has_details and spoken.more else ())]
        case UndoRedo():
            return _travel(session, spoken.back)
        case Finish():
            return _finish(session, spoken)
        case StartTour():
            raise Illegal("words", "The tour runs only on the board's screen.")
        case ShowPanel():
            raise Illegal("words", "Panels exist only on the board's screen.")
        case NewEncounter():
            return []  # whoever holds the session goes on in another
        case Export():
            return [_exported_words(session, spoken)]
        case TakePicture():
            raise Illegal("words", "A picture of the screen needs the screen: “export svg” draws the board.")
        case SaveEncounter():
            return saved_words(session, spoken)
        case Correction():
            return describe_events(session.correct(spoken.typed), session)
        case SubmitCommand():
            before = session.battle
            if spoken.command == RollInitiative() and ask is not None:
                spoken = replace(spoken, command=_declared(session, ask))
            warnings = _warnings(before, session.rules, spoken.command)
            events, command = _commit(session, spoken, ask, warnings), spoken.command
            active = session.battle.turns.active
            has_new_turn = active != before.turns.active
            lines = [
                *warnings,
                *_let_pass(before, events, session.battle, session.rules),
                *describe_events(events, session, turn_said=active if has_new_turn else ""),
            ]
            lines += _reaction_commands(events, command, session)
            lines += [spoken.note] * bool(spoken.note)
            if has_new_turn or drops_in_its_turn(events, session.battle):
                lines.append(turn_words(project(session.battle, session.rules)))
            if is_choice(events, session.battle, session.rules) and not isinstance(command, SetTurn):
                lines.append(choice_words(session.battle, session.rules))
            return lines


def _finish(session: Session, command: Finish) -> list[str]:
    """Ends the battle if it is not finished, and writes or lists what it has changed of characters."""
    check_finish(session)
    lines = [] if session.battle.is_finished else _ended(session)
    changed = changed_characters(session.battle, session.rules)
    if command.units is not None:
        return [*lines, *write_accepted(session.rules, [one for one in changed if one.unit.id in command.units])]
    if not changed:
        return [*lines, NO_DIFFERENCE]
    lines += [line for one in changed for line in one.words()]
    ways = f"“finish all” writes this into the files, “finish {changed[0].unit.id}” one of them"
    return [*lines, f"No file is changed yet: {ways}."]


def _ended(session: Session) -> list[str]:
    """Ends the battle: the end card, and what happened."""
    from tui.application.exports.battle_titles import battle_title
    from tui.application.exports.end_card import whole_card
    from tui.application.exports.end_card_rows import card_text

    said = describe_events(session.submit(FinishBattle()), session)
    card = whole_card(battle_title(session), session.history.steps_with_battles(), session.rules)
    return [*card_text(card, width()), "", *said]


def saved_words(session: Session, command: SaveEncounter) -> list[str]:
    """Writes what stands in a battle as an encounter; says where, and what is not in it.

    Raises:
        Illegal: there is one of that name, and nobody said to replace it; or as `save_encounter`.
        BattleboardError: it cannot be written.
    """
    from tui.application.library.encounter_files import save_encounter

    try:
        saved = save_encounter(session, command.name, is_sure=command.is_sure)
    except FileExistsError as error:
        name = error.args[0].stem
        raise Illegal(
            "encounter", f"There is already an encounter {name}: “save {command.name} replace” replaces it."
        ) from None
    lines = [f"Saved as {saved.path}: “battleboard play {saved.path.stem}” starts it."]
    return [*lines, f"Not in it: {'; '.join(saved.left_out)}."] if saved.left_out else lines


def _exported_words(session: Session, command: Export) -> str:
    """Writes a battle into a new file; says where. Raises as `write_export`, and Illegal after Ctrl+C."""
    from tui.application.exports.export_files import write_export
    from tui.application.exports.format_list import CANCELLED
    from tui.application.terminal.progress_line import with_progress_line

    try:
        return with_progress_line(write_export(session, command.format, command.name, command.side))
    except KeyboardInterrupt:
        raise Illegal("export", CANCELLED) from None


def begun_by(command: NewEncounter) -> Session:
    """Starts the battle that a line asks for, in its set-up phase. Raises as `new_encounter`."""
    from tui.application.library.encounter_files import new_encounter

    return new_encounter(command.map, command.party, command.ruleset)


def describe_events(events: Sequence[Event], session: Session, *, turn_said: str = "") -> list[str]:
    """Describes events in order; if they have no sentences, the command.

    The beginning of the turn of the unit `turn_said`, which a line of its own says, is left out.
    """
    battle, rules = session.battle, session.rules
    ahead, behind = continuity(events, battle)
    lines: list[str] = []
    for place, event in enumerate(events):
        is_said = isinstance(event, TurnBegan | TurnGiven) and event.unit == turn_said
        if isinstance(event, TurnBegan) and event.is_extra:
            is_said = False
        said = "" if is_said else narrate(event, battle, rules)
        lines += filter(None, (ahead.get(place), said, behind.get(place)))
    return lines or [summarise(events, battle, rules) or "Done."] * (not turn_said)


def _warnings(battle: Battle, rules: Ruleset, command: Command) -> list[str]:
    """What to say before the dice: that an attack may strike units of the attacker's own side."""
    if not isinstance(command, Attack):
        return []
    try:
        shot = consider(battle, rules, command)
        warned = friend_words(shot, friends_at_risk(battle, rules, shot))
    except BattleboardError:  # submitting it says what is wrong
        return []
    return [warned] if warned else []


def _rolls(rules: Ruleset, defence_id: str) -> bool:
    """Whether a defence rolls dice."""
    taken = next(one for one in rules.attack.defences if one.id == defence_id)
    return bool(taken.counter) or any(effect.thrown is not None for effect in taken.effects)


def _let_pass(before: Battle, events: Sequence[Event], after: Battle, rules: Ruleset) -> list[str]:
    """Describes the rights to attack out of turn that were not used."""
    made = {(event.unit, event.target) for event in events if isinstance(event, AttackRolled)}
    acted = {event.unit for event in events if isinstance(event, ActionTaken)} | {
        way.unit for way in after.turns.declared
    }
    able = {unit.id for unit in after.units.values() if not unit.is_defeated}
    lost = [held for held in before.openings if held not in after.openings]
    lost = [one for one in lost if (one.unit, one.against) not in made and {one.unit, one.against} <= able]
    lost = [one for one in lost if not (one.unit in acted and takes_any_action(rules, one.reaction))]
    ways = ["act before" if takes_any_action(rules, one.reaction) else "attack" for one in lost]
    return [
        f"{upper_first(after.called(one.unit))} lets the chance to {way} {after.called(one.against)} pass."
        for one, way in zip(lost, ways, strict=True)
    ]


def _reaction_commands(events: Sequence[Event], command: Command, session: Session) -> list[str]:
    """Describes the commands that use or pass up the open rights to attack out of turn."""
    held = still_open(session.battle, events)
    if not held:
        return []
    battle, rules = session.battle, session.rules
    setting = Setting(battle, rules)
    able = [one for one in held if _can_attack(one, session)]
    attacks = (Attack(one.unit, one.against, action=one.attack) for one in able)
    acting = dict.fromkeys(one.unit for one in held if takes_any_action(rules, one.reaction))
    ways = " or ".join(f"“{line_of(attack, setting)}”" for attack in attacks)
    acts = " or ".join(f"“act {unit} ACTION”" for unit in acting)
    ways = ", ".join(filter(None, (ways and f"{ways} attacks out of turn", acts and f"{acts} acts out of turn")))
    match battle.turns.held_by(held[0].against):
        case None:
            return [f"{ways}; “end” lets the chance pass."]
        case HeldCommand(kind="move") as rest:
            by = f" by {command.action}" if isinstance(command, Move) and command.action else ""
            onward = f"“move {rest.unit} {rest.path[-1].name}{by}” continues"
            return [f"{ways}; {onward} and lets the chance pass."]
    onward = "the same command again continues and lets the chance pass"
    return [f"No dice are rolled yet: {ways}; {onward}."]


def _can_attack(given: OpeningGiven, session: Session) -> bool:
    battle, rules = session.battle, session.rules
    return can_answer(battle, rules, given)


def _commit(session: Session, submitted: SubmitCommand, ask: Ask | None, warnings: list[str]) -> tuple[Event, ...]:
    """Submits a command, and asks for the dice and defences that it needs; the first question takes the warnings."""
    answers, asks_dice, happened = submitted.answers, submitted.asks, list[str]()
    if asks_dice and ask is None:
        raise Illegal("words", "Dice cannot be asked for here: add them to the command, such as “dice 45 / 4”.")
    need: Needs | None = None
    refused = ""
    while True:
        try:
            return session.submit(submitted.command, answers, asks=True, asks_dice=asks_dice)
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
                answers = need.answered(*_dice(session, ask, roll, [*warnings, *new], refused))
                warnings.clear()
            case MoveAsk() as price:
                answers = need.answered(_price(session, price, ask))
            case DefenceAsk() as defence:
                said, asks_more = _defence(session, defence, ask, warnings, need.left)
                warnings.clear()
                own = need.left[:1] if defence.is_before_roll else ()  # the attack's dice come before the answer's
                answers = (*need.asked, *said[:1], *own, *said[1:], *need.left[len(own) :])
                asks_dice = asks_dice or asks_more


class _TakenBack(Exception):
    """Raised to cancel a command that waits for an answer; `more` earlier commands are undone too."""

    def __init__(self, more: int) -> None:
        self.more = more
        super().__init__()


def _asked(session: Session, ask: Ask, question: Sequence[str], names: Names, refused: str = "") -> list[str]:
    """Asks for an answer; read-only commands are answered first, and the question is repeated.

    Args:
        session: the battle before the command.
        ask: asks the question.
        question: its lines.
        names: the possible answers, which are never read as commands.
        refused: why the previous answer was refused; shown once above the question.

    Raises:
        _TakenBack: the answer is undo or cancel.
    """
    lines = [refused, *question] if refused else question
    while True:
        words = ask(lines).split()
        if words and words[0].casefold() == CANCEL and not take_whole(words, names):
            raise _TakenBack(0)
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
                lines = ["Answer first, or type “cancel”: the command is then not done.", *question]


def _happened(need: Needs, session: Session) -> list[str]:
    """Describes what has happened before a roll; nothing before the first."""
    if need.battle is None or all(one.dice is None for one in need.asked):
        return []
    sentences = (narrate(event, need.battle, session.rules, is_brief=True) for event in need.happened)
    return [line for line in sentences if line]


def _dice(session: Session, ask: Ask, roll: RollAsk, happened: Sequence[str], refused: str) -> Given:
    question = [*happened, f"{rolls_named(roll)}: type the dice, or press Enter to roll them."]
    while True:
        try:
            return roll.answers(" ".join(_asked(session, ask, question, {}, refused)))
        except Illegal as reason:
            refused = str(reason)


def _price(session: Session, need: MoveAsk, ask: Ask | None) -> GivenAnswer:
    """Asks whether a unit pays for a move so."""
    if ask is None:
        raise Illegal("words", f"{need.words} {need.instead}")
    known: Names = {YES: (YES, "y"), NO: (NO, "n")}
    said = _asked(session, ask, [f"{need.words} Type yes or no."], known)
    return need.answer(expect("answer", said, known)[0] if said else NO)


def _declared(session: Session, ask: Ask) -> RollInitiative:
    """Asks each side what it declares, where the ruleset rolls initiative for declared actions."""
    battle, rules, declared = session.battle, session.rules, dict[str, str]()
    for side in declaring_sides(battle, rules):
        refused, is_open = "", True
        while is_open:
            question = f"{declare_words(battle, rules, side)}. Press Enter if the whole side attacks."
            said = _asked(session, ask, [question], unit_names(battle), refused)
            try:
                declared |= parse_declared(" ".join(said), battle, rules).declared
                is_open = False
            except BattleboardError as reason:
                refused = str(reason)
    return RollInitiative(declared)


def _defence(
    session: Session, need: DefenceAsk, ask: Ask | None, warnings: Sequence[str], waiting: Given
) -> tuple[Given, bool]:
    """Asks for a defence, below warnings: the answer with its typed dice, and whether to ask for the others.

    `waiting` are answers for what comes after it.
    """
    labels = {answer.id: option_words(answer, session.rules) for answer in need.options}
    asked = question_words(need, session.rules, waiting)
    known = {**names_of((name, label) for name, (label, _) in labels.items()), NOBODY: ("none", "no", "no defence")}
    if ask is None and need.drawn:
        policies = " or ".join(f"“policy {answer.unit} {answer.kind} auto”" for answer in need.options)
        raise Illegal(
            "words",
            f"{asked} Questions cannot be answered here: type {policies} before the command, or “off” for never.",
        )
    if ask is None:
        whose = f" for {need.struck.id}" if need.is_one_of_several else ""
        may = " or ".join(f"“defence {answer.id.replace(':', ' by ')}{whose}”" for answer in need.options)
        raise Illegal("words", f"{asked} Add {may} or “defence none{whose}” to the command.")
    ways = [f"{name}: {label}, {note}" for name, (label, note) in labels.items()]
    rolls = [answer.id for answer in need.options if _rolls(session.rules, answer.kind)]
    dice = f" You can add dice: {rolls[0]} dice 45." if rolls else ""
    cancels = " “cancel” cancels the command." if need.options else ""
    question = [*warnings, asked, *ways, f"{NOBODY}: no defence.{dice}{cancels}"]
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
                raise Illegal("words", f"“{left}” was not understood; type dice after the word dice: {answer} dice 45.")
        except BattleboardError as reason:
            refused = str(reason)
        else:
            return (need.answer(answer), *typed), asks


def _travel(session: Session, back: int) -> list[str]:
    """Undoes or redoes commands, as many as there are."""
    lines: list[str] = []
    for _ in range(abs(back)):
        try:
            events = session.undo() if back > 0 else session.redo()
        except Illegal:
            if not lines:
                raise
            break
        said = " ".join(describe_events(events, session))
        lines.append(f"{'Undone' if back > 0 else 'Redone'}: {said}")
    return [*lines, turn_words(project(session.battle, session.rules))]
