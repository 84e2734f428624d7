"""The commands of the library: battles and maps that come in, battles that go out. Each imports its own."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tui.application.exports.format_list import CANCELLED, DEFAULT_FORMAT, FORMATS, PLAYERS
from tui.cli.argument_types import battle_name, file_name, map_or_battle_name, ruleset_name, square_size

if TYPE_CHECKING:
    from engine.rules.model import Ruleset
    from tui.application.reports.report_scene import Scene

Command = Callable[[argparse.Namespace], int]
Add = Callable[[str, Command, str], argparse.ArgumentParser]

BATTLE = "BATTLE"
A_BATTLE = "a battle's name or file"


class _ImportedFormats:
    """The names of the formats that are imported; found out only when the help is printed."""

    def __str__(self) -> str:
        from maps.importers.detection import FORMATS

        return ", ".join(format.name for format in FORMATS)


def add_library(add: Add) -> None:
    """Adds the commands to the command line; `add` makes a parser of a name, a command and its help."""
    shown = add("library", _library, "Show your battles, encounters, maps and characters, and put a new fight together")
    shown.add_argument("--list", action="store_true", help="print the battles and encounters instead")
    shown.add_argument("--json", action="store_true", help="print them as JSON")
    add_screen_options(shown)
    made = add("new", _new, "Make a blank map in your maps folder and open it in the terrain editor")
    made.add_argument("what", metavar="map", choices=("map",), help="a blank map")
    made.add_argument("size", metavar="SIZE", help="columns and rows: 30x20")
    made.add_argument("--square", metavar="N", default="5ft", help="the side of a square: 5ft (the default), 1.5m")
    made.add_argument("--name", metavar="NAME", default="", help="the map's name; “Blank map” if omitted")
    made.add_argument("--ruleset", metavar="ID", type=ruleset_name, help="the ruleset of the battle on it")
    add_screen_options(made)
    taken = add("import", _import, "Import a battle, or a map from another tool")
    help = "an exported battle (TOML, JSON lines), or a map from another tool: %(formats)s"
    vars(taken.add_argument("file", metavar="FILE", type=file_name, help=help))["formats"] = _ImportedFormats()
    taken.add_argument(
        "--square", metavar="N", type=square_size, help="side of a square; from the file if omitted, else 5"
    )
    taken.add_argument("--unit", choices=("feet", "metres"), help="the unit of --square")
    taken.add_argument("--level", metavar="NAME", default="", help="the level of a Foundry scene with several")
    taken.add_argument(
        "-o", metavar="OUT", type=file_name, dest="out", help="the new file; a free name in the data folder if omitted"
    )
    listed = add("encounters", _encounters, "List your encounters, write a new one, or check them")
    listed.add_argument("--json", action="store_true", help="print JSON")
    kinds = listed.add_subparsers(title="commands", metavar="COMMAND")
    new = kinds.add_parser("new", help="write a new encounter to fill in", allow_abbrev=False)
    new.add_argument("name", metavar="NAME", help="its name")
    new.add_argument("map", metavar="MAP", type=map_or_battle_name, help="a map's id")
    rules = new.add_mutually_exclusive_group(required=True)
    rules.add_argument("--party", metavar="P", default="", help="the party that it is for")
    rules.add_argument("--ruleset", metavar="ID", type=ruleset_name, default="", help="the ruleset, without a party")
    new.set_defaults(command=_new_encounter)
    checked = kinds.add_parser("check", help="check encounters for errors; all without a name", allow_abbrev=False)
    checked.add_argument("names", metavar="ENCOUNTER", nargs="*", help="an encounter's name or file")
    checked.set_defaults(command=_check_encounters)
    given = add("export", _export, "Export a battle: report, web page, picture, recording, or all of it as text")
    given.add_argument("battle", metavar=BATTLE, type=battle_name, help=A_BATTLE)
    manner = given.add_mutually_exclusive_group()
    for one in FORMATS.values():
        help = f"{one.means}{' (the default)' if one.name == DEFAULT_FORMAT else ''}"
        manner.add_argument(f"--{one.name}", dest="manner", action="store_const", const=one.name, help=help)
    view = given.add_mutually_exclusive_group()
    view.add_argument(
        "--side", metavar="S", default="", help="only what this side saw, without the other side's numbers"
    )
    hidden = "without hidden units, the Game Master's notes and rolls; without this and --side nothing is left out"
    view.add_argument("--players", dest="side", action="store_const", const=PLAYERS, help=hidden)
    given.add_argument("-o", metavar="OUT", type=file_name, dest="out", help="write to this new file")
    given.set_defaults(manner=DEFAULT_FORMAT)
    again = add("replay", _replay, "Replay a battle, by itself or step by step, and branch at any step")
    again.add_argument("battle", metavar=BATTLE, type=battle_name, help=A_BATTLE)
    add_screen_options(again)
    keys = add("keys", _keys, "List every key, what it does, and its name in keys.toml")
    form = keys.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--toml", action="store_true", help="print a keys.toml to start from")
    form.add_argument("--markdown", action="store_true", help="print the documentation page")
    seen = add(
        "watch",
        _watch,
        "Show the player view of a side, read-only, while the battle is played elsewhere, for the Game Master's second "
        "screen",
    )
    seen.epilog = (
        "For the Game Master's second screen. This is not access control: anybody who can run programs under your "
        "account can read your battles. BATTLEBOARD_SIDE restricts it to one side."
    )
    seen.add_argument("battle", metavar=BATTLE, type=battle_name, help=A_BATTLE)
    seen.add_argument("--side", metavar="S", default="", help="the side; the first side if omitted")
    seen.add_argument("--json", action="store_true", help="print the view as JSON and exit")
    seen.add_argument("--reader", action="store_true", help=argparse.SUPPRESS)  # the child of `follow_file`
    add_screen_options(seen)
    compared = add("compare", _compare, "Compare one attack under every ruleset")
    compared.set_defaults(takes_input=True)
    compared.add_argument(
        "map", metavar="MAP|BATTLE", type=map_or_battle_name, help="a map's id or file, or a battle's name or file"
    )
    compared.add_argument("start", metavar="FROM", help="the attacking unit")
    compared.add_argument("end", metavar="TO", help="a unit's id or name, or a square")
    compared.add_argument("--json", action="store_true", help="print JSON")


def add_screen_options(parser: argparse.ArgumentParser, default: object = argparse.SUPPRESS) -> None:
    parser.add_argument("--ascii", action="store_true", default=default, help="draw with plain ASCII characters")
    parser.add_argument("--reduced-motion", action="store_true", default=default, help="no animation")


def subcommands(group: argparse.ArgumentParser) -> Add:
    """What adds commands below one: it makes a parser of a name, a command and its help."""
    commands = group.add_subparsers(title="commands", metavar="COMMAND")

    def add(name: str, command: Command, help: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help, description=f"{help}.", allow_abbrev=False)
        added.set_defaults(command=command)
        return added

    return add


def _keys(chosen: argparse.Namespace) -> int:
    from tui.application.keys.keymap import read_keymap
    from tui.application.reports.key_report import keys_json, keys_markdown, keys_toml, keys_words
    from tui.application.settings.folders import keys_file
    from tui.application.terminal.output import complain, give, say

    keymap, refused = read_keymap(keys_file())
    if chosen.json:
        give(keys_json(keymap))
    elif chosen.markdown:
        say(keys_markdown().removesuffix("\n"))
    else:
        say("\n".join(keys_toml(keymap) if chosen.toml else keys_words(keymap)))
    if refused is not None:
        complain(str(refused))
    return 0 if refused is None else 1


def _import(chosen: argparse.Namespace) -> int:
    from maps.importers import Scale
    from tui.application.library.importing import take_in
    from tui.application.terminal.output import say

    scale = None
    if chosen.square is not None or chosen.unit is not None:
        unit = chosen.unit or "feet"
        scale = Scale(chosen.square or {"feet": 500, "metres": 150}[unit], unit)
    taken = take_in(Path(chosen.file), Path(chosen.out) if chosen.out else None, scale, chosen.level)
    say("\n".join([taken.words, *(f"  {note}" for note in taken.notes)]))
    return 0


def _encounters(chosen: argparse.Namespace) -> int:
    from tui.application.library.listings import list_encounters
    from tui.application.terminal.output import complain, give, say

    listing = list_encounters()
    give(listing.values) if chosen.json else say("\n".join(listing.words()))
    for error in listing.errors:
        complain(error)
    return 1 if listing.errors else 0


def _new_encounter(chosen: argparse.Namespace) -> int:
    from tui.application.library.encounter_files import write_new_encounter
    from tui.application.terminal.output import say

    path = write_new_encounter(chosen.name, chosen.map, chosen.party, chosen.ruleset)
    say(f"Written to {path}: add opponents to it; “battleboard play {path.stem}” starts it.")
    return 0


def _check_encounters(chosen: argparse.Namespace) -> int:
    from engine.errors import BattleboardError
    from tui.application.library.encounter_files import check_encounter, encounter_files, find_encounter
    from tui.application.terminal.output import complain, say

    status = 0
    for name in chosen.names or encounter_files():
        try:
            say(f"{name}: no errors ({check_encounter(find_encounter(name))})")
        except BattleboardError as error:
            complain(str(error))
            status = 1
    return status


def _library(chosen: argparse.Namespace) -> int:
    if not (chosen.list or chosen.json):
        return open_library(chosen)
    from tui.application.library.library_listing import list_library
    from tui.application.terminal.output import complain, give, say

    listing = list_library()
    give(listing.values) if chosen.json else say("\n".join(listing.words()) or "No battles and no encounters yet.")
    for error in listing.errors:
        complain(error)
    return 1 if listing.errors else 0


def _new(chosen: argparse.Namespace) -> int:
    from rulesets import DEFAULT
    from tui.application.library.blank_maps import BLANK_NAME, begin_blank, parse_size, write_blank
    from tui.application.terminal.capabilities import check_terminal, prepare
    from tui.application.terminal.output import say

    size, name = f"{chosen.size} {chosen.square}", chosen.name or BLANK_NAME
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        path = write_blank(parse_size(size), name)
        say(f"Written to {path}. “battleboard play {path.stem} --set-up” starts a battle on it.")
        return 0
    check_terminal()
    prepare(chosen.reduced_motion)
    session = begin_blank(size, name, chosen.ruleset or DEFAULT)
    try:
        from tui.view.app.board_app import run_board

        return run_board(session, ascii_only=chosen.ascii, edits_terrain=True)
    finally:
        session.close()


def open_library(chosen: argparse.Namespace) -> int:
    """Opens the library on the screen."""
    from tui.application.terminal.capabilities import check_terminal, prepare

    check_terminal()
    prepare(chosen.reduced_motion)
    from tui.view.app.board_app import run_library

    return run_library(ascii_only=getattr(chosen, "ascii", False))


def _export(chosen: argparse.Namespace) -> int:
    from contextlib import closing

    from tui.application.exports.formats import export_job
    from tui.application.exports.restore import write_new
    from tui.application.exports.toml_tables import harmless
    from tui.application.library.battle_files import open_battle, the_battle
    from tui.application.terminal.output import can_print, say
    from tui.application.terminal.progress_line import with_progress_line

    out = Path(chosen.out) if chosen.out and chosen.out != "-" else None
    try:
        with closing(open_battle(the_battle(chosen.battle), read_only=True)) as session:
            text = with_progress_line(export_job(session, chosen.manner, chosen.side))
        if out is not None:
            write_new(out, text)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(CANCELLED) from None
    if out is not None:
        say(f"Written to {out}.")
    else:
        if chosen.manner == "toml" and not can_print(text):
            text = harmless(text, is_ascii=True)
        say(text.removesuffix("\n"))
    return 0


def _compare(chosen: argparse.Namespace) -> int:
    from tui.application.reports.compare_report import compare, compare_json, compare_words
    from tui.application.reports.odds_report import OddsQuery
    from tui.application.reports.report_scene import read_scene
    from tui.application.terminal.output import complain, give, say

    scene, question = read_scene(chosen.map), OddsQuery(chosen.start, chosen.end)
    rulesets, errors = _rulesets(scene)
    compared = [compare(scene, rules, question) for rules in rulesets]
    give(compare_json(scene, question, compared)) if chosen.json else say("\n".join(compare_words(compared)))
    for error in errors:
        complain(error)
    return 1 if errors else 0


def _rulesets(scene: Scene) -> tuple[list[Ruleset], list[str]]:
    """A battle's own rules first, then all others that are there; and what could not be read."""
    from engine.errors import BattleboardError
    from tui.application.library.listings import known_rulesets
    from tui.application.library.ruleset_files import read_ruleset
    from tui.application.settings.folders import ruleset_folders

    found = [] if scene.rules is None else [scene.rules]
    errors: list[str] = []
    for name in sorted(known_rulesets(ruleset_folders())):
        if all(name != rules.id for rules in found):
            try:
                found.append(read_ruleset(name))
            except BattleboardError as error:
                errors.append(str(error))
    return found, errors


def _replay(chosen: argparse.Namespace) -> int:
    from contextlib import closing

    from tui.application.library.battle_files import open_battle, the_battle
    from tui.application.terminal.capabilities import check_terminal, prepare

    with closing(open_battle(the_battle(chosen.battle), read_only=True)) as session:
        check_terminal()
        prepare(chosen.reduced_motion)
        from tui.view.app.board_app import run_replay

        return run_replay(session, ascii_only=chosen.ascii)


def _watch(chosen: argparse.Namespace) -> int:
    from tui.application.library.battle_files import the_battle
    from tui.application.reports.seat_report import forced_side, read_seat, seat_json, seat_of
    from tui.application.terminal.output import give

    side, path = forced_side(chosen.side), the_battle(chosen.battle)
    if chosen.json:
        give(seat_json(read_seat(path, side)))
        return 0
    if chosen.reader:
        earlier = sys.stdin.read()
        give(seat_json(read_seat(path, side, seat_of(earlier) if earlier else None), is_whole=True))
        return 0
    from tui.application.terminal.capabilities import check_terminal, prepare
    from tui.view.screens.follow_file import FollowedFile

    watch = FollowedFile(path, side)
    check_terminal()
    prepare(chosen.reduced_motion)
    from tui.view.app.board_app import run_watch

    return run_watch(watch, ascii_only=chosen.ascii)
