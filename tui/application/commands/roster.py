"""Commands that add, duplicate, rename, hide, reassign and remove units."""

from __future__ import annotations

from engine.battle.command import Command
from engine.battle.commands.order_commands import FormGroup
from engine.battle.commands.roster_commands import (
    AddGroup,
    AddUnit,
    CopyUnit,
    RemoveUnit,
    RenameUnit,
    SetHidden,
    SetSide,
)
from engine.battle.moves.deployment import StartingPlace, usual_place, zone_called
from engine.battle.state.characters import Character
from engine.errors import Illegal
from engine.geometry.squares import Square
from engine.journal.session import Session
from engine.text import clean, side_called, side_name
from engine.values import replace
from maps.groups import load_groups
from tui.application.commands.amounts import MOST_TYPED, NUMBER, parse_rounds
from tui.application.commands.forms import Form, MenuLine, MenuState
from tui.application.commands.naming import (
    Missing,
    Names,
    Words,
    expect,
    is_square,
    names_of,
    no_more,
    skip,
    take,
    take_last,
    take_square,
    take_whole,
    unit_names,
)
from tui.application.commands.order import read_members
from tui.application.commands.own_characters import check_once, check_ruleset, is_on_board, side_names, take_path
from tui.application.commands.results import Setting
from tui.application.commands.vocabulary import read_units, several, take_some
from tui.application.library.character_files import add_party, characters_for, read_character, read_parties
from tui.application.settings.folders import group_file

ZONE = "zone"


def parse_recruits(
    text: str, role: str, side: str, place: StartingPlace | Square, own: Character | None = None
) -> AddUnit:
    """Parses new units of a role, or with a character's sheet.

    "3", "Cole", "3 Bandit hidden", "Hawk at 20"; "" is one with the role's name.
    A leading number is the count, a final "hidden" hides them, "at 20" is an altitude in the map's unit.

    Raises:
        Illegal: the count is not valid.
    """
    words: Words = clean(text, MOST_TYPED).split()
    is_hidden, words = take_last("hidden", words)
    altitude = 0
    if len(words) >= 2 and words[-2].casefold() == "at" and NUMBER.fullmatch(words[-1]):
        altitude, words = int(words[-1]) * 100, words[:-2]
    count = 1
    if words and words[0].isdecimal():
        if not NUMBER.fullmatch(words[0]) or not int(words[0]):
            raise Illegal("roster", f"{words[0]} is not a valid number of units.")
        count, words = int(words[0]), words[1:]
    size, name = own.size if own else 1, " ".join(words)
    found = place if isinstance(place, StartingPlace) else StartingPlace(place)
    return AddUnit(
        role,
        side,
        found.at,
        name,
        count,
        altitude=altitude,
        size=size,
        is_hidden=is_hidden,
        character=own,
        zone=found.zone,
    )


def read_add(words: Words, setting: Setting) -> Command:
    """ "add rifleman outlaws D4", "add 3 rifleman guards zone B Bandit hidden", "add anna law D4", "add party law D4".

    In the set-up phase the place may be left out: opponents take the second start zone, hidden ones the ambush zone.
    """
    if words and words[0].casefold() == "party":
        return _read_add_party(words[1:], setting)
    count, words = (words[0], words[1:]) if words and words[0].isdecimal() else ("", words)
    own = characters_for(setting.rules)
    roles = [(role, sheet.label) for role, sheet in setting.rules.units.sheets.items() if role not in own]
    names, found, called, character = names_of([*own.items(), *roles]), "", "", None
    if by_path := take_path(words, setting.rules):
        character, words = by_path
    else:
        if not take_whole(words, names):
            check_ruleset(words, setting.rules)
            _refuse_ambiguous(words, names)
        typed = words
        found, words = expect("character or role", words, names)
        called = "" if found in own else _called(" ".join(typed[: len(typed) - len(words)]), found, setting)
    is_hidden, words = take_last("hidden", words)
    side, place, words = _side_and_place(words, setting, is_hidden=is_hidden)
    if found in own:
        character = read_character(found, setting.rules).character
    text = " ".join((count, *words, "hidden" * is_hidden))
    added = parse_recruits(text, "" if character else found, side, place, character)
    if character:
        check_once(character, setting.battle, added.count)
    return replace(added, name=added.name or called)


def _refuse_ambiguous(words: Words, names: Names) -> None:
    """Raises Illegal where the first word stands in several names: "guard" in “Veteran guard”, “Vicious guard dog”."""
    word = words[0].casefold() if words else ""
    alike = [called[-1] for called in names.values() if any(word in name.split() for name in called)]
    if len(alike) > 1:
        raise Illegal("words", f"“{word}” is ambiguous: type one of {', '.join(sorted(alike))}.")


def _called(typed: str, role: str, setting: Setting) -> str:
    """The name of new units of a role: its name in the ruleset where that is typed; "" where its id is."""
    is_id = role.replace("-", " ").startswith(typed.casefold().replace("-", " "))
    return "" if is_id else setting.rules.units.sheets[role].label


def _read_add_party(words: Words, setting: Setting) -> Command:
    """ "add party", "add party lantern law D4", "add party zone B": the battle's party, the default one, or another.

    Without a place it takes the map's first start zone; on a map without zones the place around the cursor, or its
    usual end of the map.
    """
    parties = read_parties()
    if not parties:
        raise Illegal("party", "There are no parties yet: the library makes one of your characters.")
    usual = setting.battle.party if setting.battle.party in parties else next(iter(parties))
    party, words = take(words, names_of((one.id, one.name) for one in parties.values())) or (usual, words)
    where = skip(words, "at", "on", "in")
    has_side = bool(where) and where[0].casefold() != ZONE and not is_square(where[0])
    side, place, words = _side_and_place(words if has_side else [parties[party].side, *words], setting, is_party=True)
    no_more(words)
    adds = add_party(parties[party], setting.rules, side, place)
    absent = tuple(one for one in adds.members if not (one.character and is_on_board(one.character, setting.battle)))
    if not absent:
        raise Illegal("party", f"Everybody of {parties[party].name} is on the board already.")
    return AddGroup(absent)


def read_group(words: Words, setting: Setting) -> Command:
    """ "group patrol outlaws D4", "group patrol outlaws D4 hidden"; of units on the table "group goon-1 goon-2"."""
    if members := read_members(words, setting):
        return members
    groups = load_groups(group_file())
    key, words = expect("group", words, names_of((group.id, group.name) for group in groups.values()))
    is_hidden, words = take_last("hidden", words)
    side, place, words = _side_and_place(words, setting, is_hidden=is_hidden)
    no_more(words)
    return groups[key].placed(side, place.at, is_hidden, place.zone)


def read_copy(words: Words, setting: Setting) -> Command:
    """ "copy bandit", "copy bandit D4 3"."""
    unit, words = expect("unit", words, unit_names(setting.battle))
    here, words = take_square(skip(words, "at", "on"), setting.battle) or (setting.battle.unit(unit).at, words)
    count = parse_rounds(words[0]) if words else 1
    no_more(words[1:])
    return CopyUnit(unit, here, count)


def read_remove(words: Words, setting: Setting) -> Command:
    """ "remove bandit", "remove bandit cutter", "remove outlaws": units, or all of a side."""
    first, *others = read_units(words, setting)
    return RemoveUnit(first, tuple(others))


def read_side(words: Words, setting: Setting) -> Command:
    """ "side bandit law", "side g1-3 law", "side bandit law neutral"."""
    units, words = take_some(words, setting)
    is_neutral, words = take_last("neutral", words)
    known = (other.side for other in setting.battle.units.values())
    text = " ".join(words)
    side = side_called(text, known) or text or setting.battle.unit(units[0]).side
    return several(SetSide(unit, side, is_neutral) for unit in units)


def read_hide(words: Words, setting: Setting) -> Command:
    """ "hide bandit", "hide g*": units, or all of a side."""
    return several(SetHidden(unit) for unit in read_units(words, setting))


def read_reveal(words: Words, setting: Setting) -> Command:
    """ "reveal bandit", "reveal g1-3"."""
    return several(SetHidden(unit, is_hidden=False) for unit in read_units(words, setting))


def _side_and_place(
    words: Words, setting: Setting, *, is_party: bool = False, is_hidden: bool = False
) -> tuple[str, StartingPlace, Words]:
    """Parses a side, known or new, then "zone B" or a square; by default the usual place, or the context's square."""
    battle = setting.battle
    known = {unit.side for unit in battle.units.values()}
    found = take(words, side_names(known))
    if found is None:
        if not words or is_square(words[0]):
            raise Missing("words", f"Type the side: {', '.join(sorted(known))}.")
        found = words[0], words[1:]
    side, words = found
    rest = skip(words, "at", "on", "in")
    if rest and rest[0].casefold() == ZONE:
        if not battle.field.zones:
            raise Illegal("zone", f"{battle.field.name} has no start zones: type a square such as D4.")
        if not rest[1:]:
            raise Missing("zone", f"Type the zone: {', '.join(zone.id for zone in battle.field.zones)}.")
        zone = zone_called(battle.field, rest[1])
        return side, StartingPlace(zone.squares[0], zone.id), rest[2:]
    square = take_square(skip(words, "at", "on"), battle)
    if square is not None:
        return side, StartingPlace(square[0]), square[1]
    if battle.is_set_up or is_party:
        return side, usual_place(battle.field, setting.square, is_party=is_party, is_hidden=is_hidden), words
    if setting.square is None:
        raise Missing("words", "Type a square such as D4.")
    return side, StartingPlace(setting.square), words


def write_add(add: AddUnit, setting: Setting) -> str:
    own = add.character
    role = own.file if own and own.file in characters_for(setting.rules) else add.role
    plain = AddUnit(
        add.role,
        add.side,
        add.at,
        add.name,
        add.count,
        altitude=add.altitude // 100 * 100,
        is_hidden=add.is_hidden,
        character=own,
        size=own.size if own else 1,
        zone=add.zone,
    )
    where = f"zone {add.zone}" if add.zone else add.at.name
    words = [f"add {add.count} {role} {add.side} {where}", add.name]
    words += [f"at {add.altitude // 100}" * bool(add.altitude), "hidden" * add.is_hidden]
    return " ".join(filter(None, words)) if add == plain and role else ""


def write_group(command: Command, setting: Setting) -> str:
    """Formats a group of units; an added group has no line."""
    return f"group {' '.join(command.members)}" if isinstance(command, FormGroup) else ""


def write_side(command: SetSide, setting: Setting) -> str:
    return f"side {command.unit} {command.side}{' neutral' * command.is_neutral}"


def side_state(session: Session, unit: str) -> MenuState:
    """The side that a unit is on."""
    return MenuState(note=side_name(session.battle.unit(unit).side))


def hide_state(session: Session, unit: str) -> MenuState:
    """Whether a unit is hidden, or shown again."""
    is_hidden = session.battle.unit(unit).is_hidden
    return MenuState(f"{{unit}}: {'show to' if is_hidden else 'hide from'} the players")


FORMS = (
    Form("add [NUMBER] ROLE SIDE [SQUARE|zone ZONE] [NAME] [at HEIGHT] [hidden] | party [PARTY] [SIDE] "
         "[SQUARE|zone ZONE]",
         "add units of a role, a character of yours, or your party; in a start zone they take places with cover first",
         (AddUnit,),
         read_add, write_add, like=("spawn", "create", "summon", "insert"),
         menu=MenuLine("a", "add units at {square}",
                       "a role, a side, then `3 Bandit`, `Hawk at 20` or `2 Lurker hidden`; empty adds one with "
                       "the role's name")),
    Form("group GROUP SIDE [SQUARE|zone ZONE] [hidden] | UNITS",
         "add a whole group; or give units one shared place in the turn order", (AddGroup, FormGroup), read_group,
         write_group,
         menu=MenuLine("g", "add a group around {square}", "a whole group around the cursor")),
    Form("copy UNIT [SQUARE] [NUMBER]", "duplicate a unit around a square, or around itself", (CopyUnit,), read_copy,
         lambda copy, setting: f"copy {copy.unit} {copy.at.name} {copy.count}", ("duplicate",), like=("clone",),
         menu=MenuLine("c", "duplicate {unit}",
                       "an identical unit: wounds, rounds, conditions, group and policies")),
    Form("remove UNITS", "remove units from the battle", (RemoveUnit,), read_remove,
         lambda remove, setting: f"remove {' '.join((remove.unit, *remove.others))}",
         like=("delete", "del", "erase", "despawn", "rm"),
         menu=MenuLine("r", "remove {unit}", "if it is its turn, the turn ends first", is_for_several=True)),
    Form("name UNIT NAME", "rename a unit", (RenameUnit,), also=("rename",),
         menu=MenuLine("n", "rename {unit}", ask="New name of {unit}:", value="{unit}")),
    Form("side UNIT SIDE [neutral]", "change a unit's side, or make it neutral; of several: side g1-3 {side}",
         (SetSide,), read_side,
         write_side,
         menu=MenuLine("s", "{unit}: change side", state=side_state)),
    Form("hide UNITS", "hide units from the players", (SetHidden,), read_hide,
         lambda hide, setting: f"hide {hide.unit}" * hide.is_hidden, sets={"is_hidden": True},
         like=("sneak", "stealth", "conceal", "invisible"),
         menu=MenuLine("h", "hide {unit} from the players, or show it",
                       "players do not see a hidden unit; you see it dimmed, with `◌`. "
                       "The id of one that joins hidden ends with `~`: `thug-1~`",
                       is_for_several=True, state=hide_state)),
    Form("reveal UNITS", "show hidden units to the players", (SetHidden,), read_reveal,
         lambda hide, setting: f"reveal {hide.unit}" * (not hide.is_hidden), sets={"is_hidden": False},
         like=("show", "unhide", "discover")),
)  # fmt: skip
