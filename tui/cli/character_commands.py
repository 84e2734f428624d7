"""The commands of characters: list, new, check, copy, import. Each imports its own."""

from __future__ import annotations

import argparse
from pathlib import Path

from tui.cli.argument_types import file_name, role_name, role_or_character_name, ruleset_name
from tui.cli.library_commands import Add, subcommands

A_RULESET = "a ruleset's id or folder"


def add_characters(add: Add) -> None:
    """Adds the commands to the command line; `add` makes a parser of a name, a command and its help."""
    group = add("characters", _list, "List, make, check, copy and import characters and stat blocks of opponents")
    group.add_argument("--json", action="store_true", help="print JSON")
    add_one = subcommands(group)
    listed = add_one("list", _list, "List them with ruleset, kind and party")
    listed.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")
    made = add_one("new", _new, "Write the file of a new character")
    made.add_argument("name", metavar="NAME", help="the character's name, in quotes if it has spaces")
    made.add_argument("--ruleset", metavar="ID", type=ruleset_name, required=True, help=A_RULESET)
    made.add_argument("--like", metavar="ROLE", type=role_name, help="start from this archetype of the ruleset")
    edited = add_one("edit", _edit, "Fill in a character's form on the screen; with --ruleset a new one")
    edited.add_argument("name", metavar="CHARACTER", type=role_or_character_name, help="a character's name or file")
    edited.add_argument("--ruleset", metavar="ID", type=ruleset_name, help="make a new one for this ruleset")
    checked = add_one("check", _check, "Check characters and parties for errors")
    checked.add_argument(
        "files", metavar="FILE", type=file_name, nargs="*", help="files; all of the data folder if omitted"
    )
    copied = add_one("copy", _copy, "Copy a character, or an archetype of a ruleset as a stat block")
    copied.add_argument(
        "source", metavar="ROLE|CHARACTER", type=role_or_character_name, help="a role with --ruleset, else a character"
    )
    copied.add_argument("name", metavar="NEWNAME", help="the name of the copy")
    copied.add_argument("--ruleset", metavar="ID", type=ruleset_name, help="copy the archetype of this ruleset")
    rested = add_one("rest", _rest, "Restore what battles have carried over: wounds, armour, conditions, rounds")
    rested.add_argument(
        "names", metavar="CHARACTER", type=role_or_character_name, nargs="+", help="names or files of characters"
    )
    taken = add_one("import", _import, "Import characters from a Foundry actor (swnr, JSON) or a table (CSV)")
    help = "an actor exported as JSON, or CSV with a header of stat names"
    taken.add_argument("file", metavar="FILE", type=file_name, help=help)
    taken.add_argument("--ruleset", metavar="ID", type=ruleset_name, default="", help="the ruleset of a table")


def _import(chosen: argparse.Namespace) -> int:
    from tui.application.library.character_files import import_characters
    from tui.application.terminal.output import say

    written, notes = import_characters(Path(chosen.file), chosen.ruleset)
    say("\n".join([*map(_written, written), *(f"  {note}" for note in notes)]))
    return 0


def _list(chosen: argparse.Namespace) -> int:
    from tui.application.library.listings import list_characters
    from tui.application.settings.folders import characters_folder
    from tui.application.terminal.output import complain, give, say

    listing = list_characters()
    if chosen.json:
        give(listing.values)
    elif listing.rows:
        say("\n".join(listing.words()))
    elif not listing.errors:
        say(f"No characters in {characters_folder()}. “battleboard characters new NAME --ruleset ID” makes one.")
    for error in listing.errors:
        complain(error)
    return 1 if listing.errors else 0


def _new(chosen: argparse.Namespace) -> int:
    from engine.battle.state.characters import Character
    from engine.errors import Unknown
    from engine.values import replace
    from rulesets.characters import OwnSheet, archetype
    from tui.application.library.character_files import new_character
    from tui.application.library.ruleset_files import read_ruleset
    from tui.application.terminal.output import say

    rules = read_ruleset(chosen.ruleset)
    found = Character(chosen.name)
    if chosen.like is not None:
        if chosen.like not in rules.units.sheets:
            raise Unknown(f"role of {rules.name}", chosen.like, rules.units.sheets)
        found = replace(archetype(rules, chosen.like), is_opponent=False)
    say(_written(new_character(OwnSheet(rules.id, found), rules, chosen.name)))
    return 0


def _edit(chosen: argparse.Namespace) -> int:
    from engine.battle.state.characters import Character
    from engine.errors import BattleboardError
    from rulesets.characters import OwnSheet
    from tui.application.library.character_files import character_called, character_heads, read_character
    from tui.application.terminal.capabilities import check_terminal, prepare

    names = {head.id: head.name for head in character_heads()}
    is_there = chosen.name in names or chosen.name.casefold() in map(str.casefold, names.values())
    if chosen.ruleset and not is_there:
        sheet = OwnSheet(chosen.ruleset, Character(chosen.name))
    else:
        sheet = read_character(str(character_called(chosen.name)))
        if chosen.ruleset and sheet.ruleset != chosen.ruleset:
            from tui.application.library.ruleset_files import ruleset_label

            raise BattleboardError(
                f"{sheet.character.name} is a character of {ruleset_label(sheet.ruleset)}, "
                f"not of {ruleset_label(chosen.ruleset)}."
            )
    check_terminal()
    prepare(getattr(chosen, "reduced_motion", False))
    from tui.view.app.board_app import run_form

    return run_form(sheet, ascii_only=getattr(chosen, "ascii", False))


def _check(chosen: argparse.Namespace) -> int:
    from tui.application.library.character_files import character_files
    from tui.application.reports.check_report import check_characters
    from tui.application.settings.folders import party_file
    from tui.application.terminal.output import complain, say

    files = [Path(file) for file in chosen.files]
    if not files:
        files = [*character_files().values(), *([party_file()] if party_file().exists() else [])]
    if not files:
        say("There are no characters to check.")
    status = 0
    for path, found, wrong in check_characters(files):
        if wrong:
            complain(wrong)
            status = 1
        else:
            say(f"{path}: no errors ({found})")
    return status


def _rest(chosen: argparse.Namespace) -> int:
    from tui.application.characters.sheet_form import rest_words
    from tui.application.library.character_files import rest_characters
    from tui.application.terminal.output import say

    for name, changes in rest_characters(chosen.names):
        say(f"{name}: {rest_words(changes)}." if changes else f"{name}: nothing to restore.")
    return 0


def _copy(chosen: argparse.Namespace) -> int:
    from engine.errors import Unknown
    from rulesets.characters import OwnSheet, archetype
    from tui.application.library.character_files import copy_character, new_character
    from tui.application.library.ruleset_files import read_ruleset
    from tui.application.terminal.output import say

    if chosen.ruleset is None:
        say(_written(copy_character(chosen.source, chosen.name)))
        return 0
    rules = read_ruleset(chosen.ruleset)
    if chosen.source not in rules.units.sheets:
        raise Unknown(f"role of {rules.name}", chosen.source, rules.units.sheets)
    say(_written(new_character(OwnSheet(rules.id, archetype(rules, chosen.source)), rules, chosen.name)))
    return 0


def _written(path: Path) -> str:
    return f"Written to {path}. “add {path.stem}” brings it into a battle."
