"""GM tools menu: units, visibility, turns, terrain, light, notes and dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine.battle import command as cmd
from engine.battle.commands.decide import decide
from engine.battle.commands.gear_commands import TakeAway
from engine.battle.commands.note_commands import SetNote
from engine.battle.commands.other_actions import refusal
from engine.battle.commands.roster_commands import AddUnit, CopyUnit, RemoveUnit, SetHidden, SetSide
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_edits import SetMarker
from engine.battle.gear import carried, weapon_label
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import Note
from engine.battle.state.units import OPPONENTS, Unit
from engine.battle.views.unit_letters import players_side
from engine.dice.dice_text import percent
from engine.errors import BattleboardError, brief
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import SQUARE
from engine.text import clause, side_called, side_name
from engine.values import replace
from maps.groups import load_groups
from tui.application.commands.amounts import parse_rounds
from tui.application.commands.demolish import wreck_choices
from tui.application.commands.forms import Form, MenuLine, MenuState
from tui.application.commands.notes import parse_note
from tui.application.commands.own_characters import check_once, is_on_board
from tui.application.commands.registry import BY_NAME, FORMS
from tui.application.commands.results import Finish, Setting, SubmitCommand
from tui.application.commands.roster import parse_recruits
from tui.application.commands.terrain import parse_light
from tui.application.commands.unit_edits import parse_marker
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.command_line import ask_correction, ask_line, finish
from tui.application.presenter.presenter import Presenter
from tui.application.presenter.save_map_prompt import ask_to_save
from tui.application.prompts.choice import Choice, Column, MenuQuestion, Picked
from tui.application.settings.folders import group_file

if TYPE_CHECKING:
    from tui.application.library.new_encounter import Side, StatBlock

HEADINGS = UNIT, SQUARE_ITSELF, BATTLE = "unit", "square", "battle"
"""The headings of the tools, in their order; the first two with the unit and the square."""
FIRST_TOOL, TWO_COLUMNS = "add", 46
"""Id of the tool that is marked at first; the width of the card from which on it has two columns."""
LAYS = "y"
"""The key of the tool that lays a charge."""
ANOTHER = "another"
NEW = "new"
ROSTER = (Column("name"), Column("hp", is_number=True), Column("hit", is_number=True))
"""Columns of the list of units that can be added."""
NOT_YET = "…"
"""The chance to hit that is not worked out yet."""
USUAL_SIDES = ("party", OPPONENTS)
"""Sides that are offered where a battle has fewer than two."""


SCREEN_LINES = {
    "terrain": MenuLine("M", "edit the terrain", "brush, rectangle, fill, walls, heights", key="battle.terrain"),
    "save": MenuLine(
        "m",
        "save as a map",
        "the present terrain and units, in your maps folder; without smoke and wounds",
    ),
}
"""GM tools that are not commands."""


class GmTool(Struct, frozen=True):
    """A GM tool: label, function, note, and why it is disabled."""

    id: str
    label: str
    do: Callable[[Presenter], None]
    note: str = ""
    reason: str = ""
    letter: str = ""
    heading: str = ""


def open_table(presenter: Presenter) -> None:
    """Opens the GM tools for the unit under the cursor, else the unit in focus."""
    tools = {tool.id: tool for tool in _tools(presenter)}

    def chosen(tool: str) -> None:
        if tool:
            tools[tool].do(presenter)

    choices = [
        Choice(tool.id, tool.label, tool.note, tool.reason, tool.letter, heading=tool.heading)
        for tool in tools.values()
    ]
    choices.sort(key=lambda one: (bool(one.reason), HEADINGS.index(one.heading.partition(" ")[0])))
    question = MenuQuestion("GM tools", choices, folds=True, usual=FIRST_TOOL, two_columns_from=TWO_COLUMNS)
    presenter.display.offer(question, lambda picked: chosen(picked.id))


def _tools(presenter: Presenter) -> list[GmTool]:
    found = [tool for form in FORMS if form.menu and (tool := _tool(presenter, form, form.menu))]
    found += _laid(presenter)
    return found + [
        GmTool(name, line.label, SCREEN_ACTIONS[name], _key(line), letter=line.letter, heading=BATTLE)
        for name, line in SCREEN_LINES.items()
    ]


def _tool(presenter: Presenter, form: Form, line: MenuLine) -> GmTool | None:
    """The tool of a form; None if it needs a unit and there is none, or is hidden as it is not possible."""
    session = presenter.session
    battle, rules = session.battle, session.rules
    marked = presenter.marked if line.is_for_several else ()
    here, unit = presenter.focus.cursor, battle.units[marked[0]] if marked else chosen_unit(presenter)
    if "{unit" in line.label and unit is None:
        return None
    id = unit.id if unit else ""
    weapon = weapon_label(rules, unit) if unit else ""
    who = f"{len(marked)} marked units" if marked else unit.name if unit else ""
    words = {"unit": who, "square": here.name, "weapon": weapon or "its weapon"}
    state = line.state(session, id) if line.state else MenuState()
    label, note, reason = (state.label or line.label).format(**words), state.note or _key(line), state.reason
    values = form.filled(id, here)
    if marked and "units" in values:
        values["units"] = marked
    do = OPENERS.get(form.name)
    if do is None and form.read:
        do = _types(f"{form.name} {id or here.name} ")
    if do is None and not line.ask:
        heard = form.hear((), _setting(presenter), values)
        assert isinstance(heard, SubmitCommand)
        try:
            decide(battle, heard.command, rules)
        except BattleboardError as refusal:
            if line.hidden_unless_possible:
                return None
            reason = clause(brief(refusal))
        do = _submits(heard.command)
    heading = f"{UNIT} · {who}" if "{unit" in line.label else f"{SQUARE_ITSELF} · {here.name}"
    heading = heading if "{unit" in line.label or "{square}" in line.label else BATTLE
    label = label.removeprefix(f"{who}: ").removesuffix(f" around {here.name}")
    return GmTool(form.name, label, do or _asks(form, line, values, words), note, reason, line.letter, heading)


def _key(line: MenuLine) -> str:
    """The board's key for the same, unless it is the tool's letter."""
    key = with_keys(f"{{{line.key}}}") if line.key else ""
    return "" if key == line.letter else key


def _asks(
    form: Form, line: MenuLine, given: Mapping[str, Any], words: Mapping[str, str]
) -> Callable[[Presenter], None]:
    """Asks for the arguments that the menu does not know."""

    def ask(presenter: Presenter) -> None:
        parse = partial(_parse, presenter, form, given)
        presenter.ask_command(line.ask.format(**words), parse, value=line.value.format(**words))

    return ask


def _parse(presenter: Presenter, form: Form, given: Mapping[str, Any], text: str) -> cmd.Command:
    """Parses the arguments of a form."""
    heard = form.hear(text.split(), _setting(presenter), given)
    assert isinstance(heard, SubmitCommand)
    return heard.command


def _types(start: str) -> Callable[[Presenter], None]:
    """Opens the command line with a start."""

    def do(presenter: Presenter) -> None:
        ask_line(presenter, start, is_listed=True)

    return do


def _setting(presenter: Presenter) -> Setting:
    return Setting(presenter.session.battle, presenter.session.rules, presenter.focus.unit, presenter.focus.cursor)


def _laid(presenter: Presenter) -> list[GmTool]:
    """Tools for the charges that the unit in focus could lay at the cursor, at no cost."""
    session, here = presenter.session, presenter.focus.cursor
    battle, rules, unit = session.battle, session.rules, session.battle.units.get(presenter.focus.unit)
    found: list[GmTool] = []
    if unit is not None and unit.gear.weapon in rules.gear.weapons and here not in unit.squares:
        label, heading = rules.gear.weapons[unit.gear.weapon].label, f"{SQUARE_ITSELF} · {here.name}"
        for act in rules.actions.values():
            if act.target == SQUARE and any(effect.lays_charge for effect in act.effects):
                command = cmd.Act(unit.id, act.id, square=here, is_free=True)
                if not refusal(battle, rules, unit, act, square=here, is_free=True):
                    letter = "" if found else LAYS
                    found.append(
                        GmTool(
                            act.id,
                            f"lay {label} on {here.name}",
                            _submits(command),
                            letter=letter,
                            heading=heading,
                        )
                    )
    return found


def _submits(command: cmd.Command) -> Callable[[Presenter], None]:
    return lambda presenter: presenter.submit(command)


def chosen_unit(presenter: Presenter) -> Unit | None:
    """The unit under the cursor, else the one in focus."""
    battle = presenter.session.battle
    return battle.at(presenter.focus.cursor) or battle.units.get(presenter.focus.unit)


def _several(presenter: Presenter) -> tuple[str, ...]:
    """Ids of the marked units, else of the one that is meant."""
    return presenter.marked or (_unit(presenter).id,)


def _remove(presenter: Presenter) -> None:
    """Removes units from the battle."""
    first, *others = _several(presenter)
    presenter.submit(RemoveUnit(first, tuple(others)))


def _hide(presenter: Presenter) -> None:
    """Hides units from the players, or shows them."""
    units = _several(presenter)
    is_hidden = not presenter.session.battle.units[units[0]].is_hidden
    if len(units) == 1:
        presenter.submit(SetHidden(units[0], is_hidden))
    else:
        presenter.submit(EditUnits(tuple(SetHidden(unit, is_hidden) for unit in units)))


def _unit(presenter: Presenter) -> Unit:
    unit = chosen_unit(presenter)
    assert unit is not None  # else its line is not there
    return unit


# Units


def add_unit(presenter: Presenter) -> None:
    """Asks for a character, a stat block or a role, a side, then number and name, and adds units."""
    from tui.application.library.new_encounter import (  # with all that makes an encounter
        board_blocks,
        prospect,
    )

    cursor, session = presenter.focus.cursor, presenter.session
    blocks = {block.id: block for block in board_blocks(session.rules)}

    def chosen(picked: Picked) -> None:
        if not picked.id:
            return
        block = blocks[picked.id]
        if block.sheet and is_on_board(block.sheet, session.battle):
            presenter.say(f"{block.name} is on the board already.")
            return
        here = cursor if block.unit and block.unit.can_fly else _nearest_floor(session.battle.field, cursor)
        _with_side(presenter, "Which side?", lambda side: ask(block, side, picked.typed, here))

    def ask(block: StatBlock, side: str, number: str, here: Square) -> None:
        def parse(text: str) -> AddUnit:
            added = parse_recruits(text, block.opponent.role, side, here, block.sheet)
            if block.sheet:
                check_once(block.sheet, presenter.session.battle, added.count)
                return added
            return replace(added, name=added.name or block.name)

        is_one = block.sheet is not None and not block.sheet.is_opponent
        flies = " at 20" if block.unit is not None and block.unit.can_fly else ""
        example = (
            f"“2 {block.name}{flies} hidden”{f' (20 {UNIT_SIGNS[session.battle.field.unit]} up)' if flies else ''}"
        )
        asks = ["or type how many, a name and “hidden”, as ", "or type e.g. "]
        ends = ["or type a name"] if is_one else [f"{begin}{example}" for begin in asks]
        labels = [f"Add {block.name} on {here.name}. Enter adds {number or 'one'}, {end}:" for end in ends]
        label = presenter.fitting(labels)
        presenter.ask_command(label, parse, f"{number} ".lstrip(), takes_nothing=True)

    party, distance = _party_near(presenter)
    not_yet = NOT_YET if party.units else ""
    choices = [
        Choice(id, block.name, cells=(block.health.partition(" ")[0], not_yet), says=_block_words(block))
        for id, block in blocks.items()
    ]

    def later() -> Iterator[Choice | None]:
        for one in choices if party.units else ():
            found = yield from prospect(blocks[one.id], party, distance, session.battle.field)
            yield replace(one, cells=(one.cells[0], percent(found.hit) if found and found.hit else "-"))

    question = MenuQuestion(
        f"Add which unit at {cursor.name}?", choices, narrows=True, counts=True, table=ROSTER, later=later
    )
    presenter.display.offer(question, chosen)


def _party_near(presenter: Presenter) -> tuple[Side, int]:
    """The players' units that still fight, and the squares from the cursor to the nearest of them."""
    from tui.application.library.new_encounter import Side

    battle, cursor = presenter.session.battle, presenter.focus.cursor
    side = players_side(battle)
    units = [unit for unit in battle.units.values() if unit.side == side and not unit.is_defeated]
    far = [max(abs(unit.at.column - cursor.column), abs(unit.at.row - cursor.row)) for unit in units]
    return Side(presenter.session.rules, units=tuple(units)), max(1, min(far, default=1))


def _nearest_floor(field: Battlefield, square: Square) -> Square:
    """The square itself, or the nearest that one can stand on where an obstacle fills it."""
    open_squares = (one for one in field.squares() if not field.ground_at(one).blocks_movement)

    def far(one: Square) -> tuple[int, int]:
        across, down = abs(one.column - square.column), abs(one.row - square.row)
        return max(across, down), across + down

    return min(open_squares, key=far, default=square) if field.ground_at(square).blocks_movement else square


def _block_words(block: StatBlock) -> str:
    """What stands below the list of a unit that can be added: weapon, armour, and whether its sheet is the user's."""
    sheet = block.sheet
    whose = "" if sheet is None else "yours" if sheet.is_opponent else "your character"
    return " · ".join(filter(None, (block.weapon, block.armour, whose)))


def add_group(presenter: Presenter) -> None:
    """Asks for a group and its side, and adds it."""
    here = presenter.focus.cursor
    try:
        groups = load_groups(group_file())
    except BattleboardError as reason:
        presenter.say(str(reason))
        return

    def chosen(key: str) -> None:
        if key:
            _with_side(presenter, "Which side?", lambda side: presenter.submit(groups[key].placed(side, here)))

    presenter.choose(
        "Add which group?", [Choice(group.id, group.name, group.members_text) for group in groups.values()], chosen
    )


def _with_side(presenter: Presenter, title: str, go_on: Callable[[str], None]) -> None:
    """Asks for a side, or for a new name; a number typed too early is no new side."""
    sides = sides_offered(presenter.session.battle)

    def chosen(side: str) -> None:
        if side == ANOTHER:
            presenter.ask("Name of the side:", lambda text: go_on(side_called(text, sides) or text))
        elif side:
            go_on(sides[int(side)])

    listed = [Choice(str(place), side_name(side)) for place, side in enumerate(sides)]
    presenter.choose(title, [*listed, Choice(ANOTHER, "another side", key="a")], chosen)


def sides_offered(battle: Battle) -> list[str]:
    """The sides of a battle: the players' opponents, that with most units first, then the players', the neutral last.

    Where nobody fights yet, what a side is usually called comes first.
    """
    players = players_side(battle)
    fighting = {unit.side for unit in battle.units.values() if not unit.is_neutral}
    units = Counter(unit.side for unit in battle.units.values())
    sides = sorted(units, key=lambda side: (side not in fighting, side == players, -units[side], side))
    if fighting - {players}:
        return sides
    usual = [side for side in USUAL_SIDES if side not in sides]
    return [*(usual[-1:] if sides else usual), *sides]


def _copy(presenter: Presenter) -> None:
    unit, at = _unit(presenter), presenter.focus.cursor

    def parse(text: str) -> CopyUnit:
        return CopyUnit(unit.id, at, parse_rounds(text) if text else 1)

    presenter.ask_command(
        f"Duplicate {unit.name} around {at.name}. Enter makes one copy, or type how many:", parse, takes_nothing=True
    )


def _change_side(presenter: Presenter) -> None:
    unit = _unit(presenter)
    _with_side(presenter, "Which side?", lambda side: presenter.submit(SetSide(unit.id, side)))


def _mark(presenter: Presenter) -> None:
    """Asks for the words of a marker on the marked units, else on the one that is meant."""
    units, battle, rules = _several(presenter), presenter.session.battle, presenter.session.rules
    who = battle.units[units[0]].name if len(units) == 1 else f"{len(units)} marked units"
    held = ", ".join(dict.fromkeys(f"“{marker}”" for unit in units for marker in battle.units[unit].markers))
    ends = f"the same words again end {held}" if held else "the same words again end it"
    labels = [f"Marker on {who}, as “on fire” or “on fire 3” (rounds); {ends}:", f"Marker on {who}, as “on fire 3”:"]

    def parse(text: str) -> SetMarker:
        return parse_marker(text, units, presenter.session.battle, rules)

    presenter.ask_command(presenter.fitting(labels), parse)


def _take_away(presenter: Presenter) -> None:
    unit = _unit(presenter)
    has = carried(presenter.session.rules, unit)

    def chosen(item: str) -> None:
        if item:
            presenter.submit(TakeAway(unit.id, item))

    if has:
        presenter.choose(f"Remove gear from {unit.name}", [Choice(item, label) for item, label in has.items()], chosen)
    else:
        presenter.say(f"{unit.name} has no gear to remove.")


# Terrain and light


def set_light(presenter: Presenter) -> None:
    """Asks for the light at the cursor's square, around it or on the whole map, or for a lamp."""
    here, field = presenter.focus.cursor, presenter.session.battle.field
    label = f"Light at {here.name}: dark, dim 3 (around), bright all, lamp 2 6, lamp off:"
    presenter.ask_command(label, lambda text: parse_light(text, here, field))


def wreck(presenter: Presenter) -> None:
    """Destroys what stands on the cursor's square or on its sides."""
    choices = wreck_choices(presenter.session.battle, presenter.focus.cursor)
    if not choices:
        presenter.say(f"Nothing to destroy at {presenter.focus.cursor.name}.")
    else:
        presenter.choose_command("Destroy", choices)


# Notes


def notes(presenter: Presenter) -> None:
    """Lists the notes, to change or remove one, or to add one at the cursor."""
    battle, here = presenter.session.battle, presenter.focus.cursor
    if not battle.gm.notes:
        _new_note(presenter)
        return
    on = battle.at(here)
    listed = [Choice(note.id, f"{place_of(note, battle)}: {note.text}") for note in battle.gm.notes]
    known = {note.id: note for note in battle.gm.notes}

    def chosen(note: str) -> None:
        if note == NEW:
            _new_note(presenter)
        elif note:
            _change_note(presenter, known[note])

    presenter.choose(
        "Notes (players do not see them)", [Choice(NEW, f"new note on {on.name if on else here.name}"), *listed], chosen
    )


def place_of(note: Note, battle: Battle) -> str:
    """The place of a note."""
    return battle.unit(note.unit).name if note.unit else note.at.name if note.at else "the battle"


def _new_note(presenter: Presenter) -> None:
    battle, here = presenter.session.battle, presenter.focus.cursor
    on = battle.at(here)
    label = f"Note on {on.name if on else here.name} (all: for the battle):"
    presenter.ask_command(label, lambda text: parse_note(text, here, battle))


def _change_note(presenter: Presenter, note: Note) -> None:
    """Asks for the new text of a note; an empty text removes it."""
    place = place_of(note, presenter.session.battle)
    presenter.ask_command(
        f"Note on {place} (empty removes it):",
        lambda text: SetNote(text, note.at, note.unit, note.id),
        value=note.text,
        takes_nothing=True,
    )


# Dice


def throw(presenter: Presenter) -> None:
    """Asks for dice and rolls them."""
    presenter.ask_command("Roll dice, e.g. 3d6+2 wolves:", partial(_parse, presenter, BY_NAME["roll"], {}))


SCREEN_ACTIONS: Mapping[str, Callable[[Presenter], None]] = {
    "terrain": lambda presenter: presenter.display.edit_terrain(),
    "save": ask_to_save,
}
OPENERS: Mapping[str, Callable[[Presenter], None]] = {
    "add": add_unit,
    "group": add_group,
    "copy": _copy,
    "remove": _remove,
    "hide": _hide,
    "side": _change_side,
    "marker": _mark,
    "lose": _take_away,
    "light": set_light,
    "wreck": wreck,
    "note": notes,
    "roll": throw,
    "correct": ask_correction,
    "finish": lambda presenter: finish(presenter, Finish(None)),
}
"""Functions of forms with their own dialogue; others are submitted, or ask for their missing arguments."""
