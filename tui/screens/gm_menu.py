"""The table menu: who is on the table, what is seen of them, whose turn it is, what is drawn, lit, noted and thrown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine.answers import Given, Needs
from engine.battle import command as cmd
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.commands.decide import decide
from engine.battle.commands.gear_commands import TakeAway
from engine.battle.commands.note_commands import SetNote
from engine.battle.commands.other_actions import refusal
from engine.battle.commands.roster_commands import CopyUnit, RemoveUnit, SetHidden, SetSide
from engine.battle.gear import carried
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import Note
from engine.battle.state.units import Unit
from engine.dice.sources import RollAsk, parse_typed
from engine.errors import BattleboardError, Illegal
from engine.rules.model import SQUARE
from maps.groups import load_groups
from tui.commands.amounts import parse_rounds
from tui.commands.demolish import wreck_choices
from tui.commands.dice_prompts import dice_question
from tui.commands.forms import Form, MenuLine
from tui.commands.notes import parse_note
from tui.commands.registry import BY_NAME, FORMS
from tui.commands.results import Setting, SubmitCommand
from tui.commands.roster import parse_recruits
from tui.commands.terrain import parse_light
from tui.keys.battle_keys import by_action
from tui.modals.menu import Choice
from tui.panels.prompt import PromptBar
from tui.settings.folders import group_file

if TYPE_CHECKING:
    from tui.screens.conversation import Conversation
    from tui.screens.gm_actions import Hand

ANOTHER = "another"
NEW = "new"


SCREEN_LINES = {
    "terrain": MenuLine("M", "edit the ground", "brush, rectangle, fill, walls, heights; see below"),
    "save": MenuLine(
        "m",
        "save as a map",
        "ground and units as they are now, in your maps folder; smoke and wounds are left out",
    ),
}
"""Lines of the GM tools that are no commands."""


class GmTool(Struct, frozen=True):
    """A line of the GM tools: what it says, what it does, and why it cannot be done now."""

    id: str
    label: str
    do: Callable[[Hand], None]
    note: str = ""
    reason: str = ""
    letter: str = ""


def open_table(talk: Hand) -> None:
    """Offers all that the GM's hand may do to the table; the unit under the cursor is meant, else the one in focus."""
    tools = {tool.id: tool for tool in _tools(talk)}

    def chosen(tool: str | None) -> None:
        if tool:
            tools[tool].do(talk)

    choices = [Choice(tool.id, tool.label, tool.note, tool.reason, tool.letter) for tool in tools.values()]
    talk.choose("The table", choices, chosen)


def _tools(talk: Hand) -> list[GmTool]:
    keys = {binding.action: shown[0] for shown, binding in by_action(talk)}
    actions = {"terrain": lambda talk: talk.action_terrain(), "save": lambda talk: talk.action_save_map()}
    found = [tool for form in FORMS if form.menu and (tool := _tool(talk, form, form.menu, keys))]
    found += _laid(talk)
    return found + [
        GmTool(name, line.label, actions[name], _key(keys, name, line), letter=line.letter)
        for name, line in SCREEN_LINES.items()
    ]


def _tool(talk: Hand, form: Form, line: MenuLine, keys: Mapping[str, str]) -> GmTool | None:
    """The line of a form; None where it is about a unit and nobody is meant, or about a charge and none was laid."""
    battle, rules, here, unit = talk.session.battle, talk.session.rules, talk.looked.cursor, meant(talk)
    if "{unit" in line.label and unit is None:
        return None
    weapon = rules.gear.weapons[unit.gear.weapon].label if unit and unit.gear.weapon else ""
    words = {"unit": unit.name if unit else "", "square": here.name, "weapon": weapon or "its weapon"}
    label, note, reason = line.label.format(**words), _key(keys, ACTIONS.get(form.name, ""), line), ""
    given = form.given(unit.id if unit else "", here)
    do = OPENERS.get(form.name)
    match form.name:
        case "hide" if unit is not None:
            label = f"{unit.name}: {'show it to the players' if unit.is_hidden else 'hide it from the players'}"
        case "side" if unit is not None:
            note = unit.side
        case "rounds" if unit is not None:
            held = unit.gear.rounds.get(unit.gear.weapon)
            note = f"{held} now" if held is not None else ""
            reason = "" if held is not None else "it counts no rounds" if weapon else "nothing is in hand"
        case "correct":
            note, reason = _last_roll(talk)
    if do is None and form.read:
        do = _types(f"{form.name} {unit.id if unit else here.name} ")
    if do is None and not line.ask:
        heard = form.hear((), _setting(talk), given)
        assert isinstance(heard, SubmitCommand)
        try:
            decide(battle, heard.command, rules)
        except BattleboardError as refusal:
            if form.name in ONLY_WHERE_POSSIBLE:
                return None
            reason = (refusal.brief if isinstance(refusal, Illegal) else str(refusal)).rstrip(".")
        do = _submits(heard.command)
    return GmTool(form.name, label, do or _asks(form, line, given, words), note, reason, line.letter)


def _key(keys: Mapping[str, str], action: str, line: MenuLine) -> str:
    """The board's key for an action, where it is another than the line's letter."""
    return "" if keys.get(action) == line.letter else keys.get(action, "")


def _asks(form: Form, line: MenuLine, given: Mapping[str, Any], words: Mapping[str, str]) -> Callable[[Hand], None]:
    """Asks for what the menu does not know."""

    def ask(talk: Hand) -> None:
        parse = partial(_parse, talk, form, given)
        talk.ask_command(line.ask.format(**words), parse, value=line.value.format(**words))

    return ask


def _parse(talk: Hand, form: Form, given: Mapping[str, Any], text: str) -> cmd.Command:
    """The command of a form's line, without the words that are known."""
    heard = form.hear(text.split(), _setting(talk), given)
    assert isinstance(heard, SubmitCommand)
    return heard.command


def _types(start: str) -> Callable[[Hand], None]:
    """Begins a line; the rest of it is typed, and may be completed."""

    def do(talk: Hand) -> None:
        from tui.screens.command_line import ask_line

        ask_line(talk, start)

    return do


def _setting(talk: Hand) -> Setting:
    return Setting(talk.session.battle, talk.session.rules, talk.looked.unit, talk.looked.cursor)


def _laid(talk: Hand) -> list[GmTool]:
    """What the unit in focus could lay under the cursor, free."""
    session, here = talk.session, talk.looked.cursor
    battle, rules, unit = session.battle, session.rules, session.battle.units.get(talk.looked.unit)
    found = []
    if unit is not None and unit.gear.weapon in rules.gear.weapons and here not in unit.squares:
        label = rules.gear.weapons[unit.gear.weapon].label
        for act in rules.actions.values():
            if act.target == SQUARE and any(effect.lays_charge for effect in act.effects):
                wish = cmd.Act(unit.id, act.id, square=here, is_free=True)
                if not refusal(battle, rules, unit, act, square=here, is_free=True):
                    found.append(GmTool(act.id, f"{unit.name} has laid {label} on {here.name}", _submits(wish)))
    return found


def _submits(command: cmd.Command) -> Callable[[Hand], None]:
    return lambda talk: talk.submit(command)


def meant(talk: Hand) -> Unit | None:
    """The unit under the cursor, else the one in focus."""
    battle = talk.session.battle
    return battle.at(talk.looked.cursor) or battle.units.get(talk.looked.unit)


def _unit(talk: Hand) -> Unit:
    unit = meant(talk)
    assert unit is not None  # else its line is not there
    return unit


# Who is on the table


def add_unit(talk: Hand) -> None:
    """A role, a side, then how many and what they are called."""
    here, sheets = talk.looked.cursor, talk.session.rules.units.sheets
    choices = [Choice(role, role.replace("-", " ")) for role in sheets]

    def chosen(role: str | None) -> None:
        if role:
            _with_side(talk, f"{role.replace('-', ' ').capitalize()}: on which side?", lambda side: ask(role, side))

    def ask(role: str, side: str) -> None:
        label = f"{role.capitalize()} on {here.name}: Enter, or number, name, at 20, hidden:"
        talk.ask_command(label, lambda text: parse_recruits(text, role, side, here), takes_nothing=True)

    talk.choose("Who comes?", choices, chosen)


def add_group(talk: Hand) -> None:
    """A group of the GM's file or of those that ship, and its side."""
    here = talk.looked.cursor
    try:
        groups = load_groups(group_file())
    except BattleboardError as reason:
        talk.say(str(reason))
        return

    def chosen(key: str | None) -> None:
        if key:
            title = f"{groups[key].name}: on which side?"
            _with_side(talk, title, lambda side: talk.submit(groups[key].placed(side, here)))

    talk.choose("Which group?", [Choice(group.id, group.name, group.told) for group in groups.values()], chosen)


def _with_side(talk: Hand, title: str, go_on: Callable[[str], None]) -> None:
    """One of the sides on the table, the enemies of the unit in focus first; or another that is typed."""
    battle = talk.session.battle
    own = battle.units[talk.looked.unit].side if talk.looked.unit in battle.units else ""
    sides = sorted({unit.side for unit in battle.units.values()}, key=lambda side: (side == own, side))

    def chosen(side: str | None) -> None:
        if side == ANOTHER:
            talk.query_one(PromptBar).ask("Name of the side:", lambda text: go_on(text) if text else None)
        elif side:
            go_on(sides[int(side)])

    listed = [Choice(str(place), side) for place, side in enumerate(sides)]
    talk.choose(title, [*listed, Choice(ANOTHER, "another side")], chosen)


def _copy(talk: Hand) -> None:
    unit, at = _unit(talk), talk.looked.cursor

    def parse(text: str) -> CopyUnit:
        return CopyUnit(unit.id, at, parse_rounds(text) if text else 1)

    talk.ask_command(f"Copies of {unit.name} around {at.name}: Enter for one, or how many:", parse, takes_nothing=True)


def _change_side(talk: Hand) -> None:
    unit = _unit(talk)
    _with_side(talk, f"{unit.name}: on which side?", lambda side: talk.submit(SetSide(unit.id, side)))


def _take_away(talk: Hand) -> None:
    unit = _unit(talk)
    has = carried(talk.session.rules, unit)

    def chosen(item: str | None) -> None:
        if item:
            talk.submit(TakeAway(unit.id, item))

    if has:
        talk.choose(f"{unit.name} has no longer", [Choice(item, label) for item, label in has.items()], chosen)
    else:
        talk.say(f"{unit.name} has nothing that could be taken away.")


# What is drawn and lit


def set_light(talk: Hand) -> None:
    """The light of the cursor's square, around it, or of the whole map; a lamp over it."""
    here, field = talk.looked.cursor, talk.session.battle.field
    label = f"Light on {here.name}: dark, dim 3 (around), bright all, lamp 2 6, lamp off:"
    talk.ask_command(label, lambda text: parse_light(text, here, field))


def wreck(talk: Hand) -> None:
    """What stands on the cursor's square or on its sides is shot to pieces."""
    choices = wreck_choices(talk.session.battle, talk.looked.cursor)
    if not choices:
        talk.say(f"Nothing on {talk.looked.cursor.name} that could be shot to pieces.")
    elif len(choices) == 1:
        talk.submit(next(iter(choices.values())))
    else:

        def chosen(label: str | None) -> None:
            if label:
                talk.submit(choices[label])

        talk.choose("Shot to pieces", [Choice(label, label) for label in choices], chosen)


# Notes


def notes(talk: Hand) -> None:
    """All notes, to be read, changed and taken away, and a new one for where the cursor is."""
    battle, here = talk.session.battle, talk.looked.cursor
    if not battle.gm.notes:
        _new_note(talk)
        return
    on = battle.at(here)
    listed = [Choice(note.id, f"{place_of(note, battle)}: {note.text}") for note in battle.gm.notes]
    known = {note.id: note for note in battle.gm.notes}

    def chosen(note: str | None) -> None:
        if note == NEW:
            _new_note(talk)
        elif note:
            _change_note(talk, known[note])

    talk.choose(
        "Notes: no player sees them", [Choice(NEW, f"a new note on {on.name if on else here.name}"), *listed], chosen
    )


def place_of(note: Note, battle: Battle) -> str:
    """Where a note is, in a word."""
    return battle.unit(note.unit).name if note.unit else note.at.name if note.at else "the battle"


def _new_note(talk: Hand) -> None:
    battle, here = talk.session.battle, talk.looked.cursor
    on = battle.at(here)
    label = f"Note on {on.name if on else here.name} (all: for the battle):"
    talk.ask_command(label, lambda text: parse_note(text, here, battle))


def _change_note(talk: Hand, note: Note) -> None:
    """The note's text to be changed; with nothing left of it, it is taken away."""
    place = place_of(note, talk.session.battle)
    talk.ask_command(
        f"Note on {place} (empty takes it away):",
        lambda text: SetNote(text, note.at, note.unit, note.id),
        value=note.text,
        takes_nothing=True,
    )


# Dice


def throw(talk: Hand) -> None:
    """Dice for anything."""
    talk.ask_command("Throw dice, as 3d6+2 wolves:", partial(_parse, talk, BY_NAME["roll"], {}))


def correct(talk: Hand) -> None:
    """The last command done again with the dice that count."""
    try:
        _, rolls = talk.session.correctable
    except Illegal as reason:
        talk.say(str(reason))
        return
    shown = " / ".join(" ".join(map(str, rolled.dice or (rolled.total,))) for rolled in rolls)

    def answered(text: str) -> None:
        if not text:
            return
        try:
            typed = parse_typed(text)
        except Illegal as reason:
            talk.say(str(reason))
        else:
            correct_roll(talk, typed)

    talk.query_one(PromptBar).ask(f"It rolled {shown}. What counts, as 45 / 4 6:", answered)


def correct_roll(talk: Conversation, typed: Given, answers: Given | None = None) -> None:
    """Does the last command again with these dice, asking for those that are left out, and says what it came to."""
    session, active = talk.session, talk.session.battle.turns.active

    def more(text: str, roll: RollAsk, need: Needs) -> None:
        try:
            given = roll.answers(text)
            before = (one for one in need.asked if one.dice is not None)
            correct_roll(talk, (*before, *given), need.answered(*given))
        except Illegal as reason:
            talk.say(str(reason))

    try:
        events = session.correct(typed, asks=True, answers=answers)
    except Needs as need:
        match need.ask:
            case RollAsk() as roll:
                question = dice_question(roll, session.rules, is_first=False)
                dropped = partial(talk.say, "The correction is cancelled: the last roll stays as it was.")
                talk.query_one(PromptBar).ask(question, partial(more, roll=roll, need=need), cancelled=dropped)
            case DefenceAsk() as ask:
                again, given = partial(correct_roll, talk, typed), need.answered
                talk.ask_defence(ask, lambda said: again(given(*([said] if said else ()))))
    except BattleboardError as reason:
        talk.say(str(reason))
        talk.keep_line(reason)
    else:
        talk.follow_turn(active)
        talk.result = talk.summary(events)
        talk.say(talk.result)


def _last_roll(talk: Hand) -> tuple[str, str]:
    """What the menu says beside the last roll, and why it cannot be put right."""
    try:
        _, rolls = talk.session.correctable
    except Illegal as reason:
        return "", reason.brief
    return f"it was {', '.join(str(rolled.total) for rolled in rolls[:3])}", ""


OPENERS: Mapping[str, Callable[[Hand], None]] = {
    "add": add_unit,
    "group": add_group,
    "copy": _copy,
    "remove": lambda talk: talk.submit(RemoveUnit(_unit(talk).id)),
    "hide": lambda talk: talk.submit(SetHidden(_unit(talk).id, not _unit(talk).is_hidden)),
    "side": _change_side,
    "lose": _take_away,
    "light": set_light,
    "wreck": wreck,
    "note": notes,
    "roll": throw,
    "correct": correct,
}
"""What opens for a form's line; the others are submitted, or asked for by what their line lacks."""
ACTIONS = {"roll": "throw", "note": "note", "wreck": "wreck"}
"""The board's action that a key does, too."""
ONLY_WHERE_POSSIBLE = frozenset({"setoff", "takeup"})
