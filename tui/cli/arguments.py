"""The command line: what may be asked for, and which report or screen answers. Light: each command imports its own.

Nothing is decided here that another script could not see: words and JSON come from `reports`, battles from `battles`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from engine.errors import BattleboardError
from engine.text import clause
from tui.application.exports.format_list import add_writers
from tui.application.settings.folders import DATA_VARIABLE, data_folder
from tui.application.terminal.capabilities import check_terminal, prepare, uncollected, with_lines
from tui.application.terminal.output import say
from tui.cli.argument_types import altitude, battle_name, file_name, map_or_battle_name, ruleset_name
from tui.cli.character_commands import add_characters
from tui.cli.library_commands import add_library, add_screen_options, open_library
from tui.cli.party_commands import add_parties
from tui.cli.shell_completion import add_completion
from tui.view.exports.drawn_formats import DRAWN_FORMATS

if TYPE_CHECKING:
    from engine.journal.session import Session
    from engine.rules.model import Ruleset
    from tui.application.library.listings import Listing
    from tui.application.reports.report_scene import Scene

A_SCENE = "a map's id or file, or a battle's name or file, in its current state"


class UsageError(BattleboardError):
    """The command line itself is wrong, whatever the files say. `program` is the command that says how it is used."""

    def __init__(self, program: str, message: str) -> None:
        super().__init__(f"{program}: {message}\nSee {program} --help.")


class _ArgumentParser(argparse.ArgumentParser):
    """A parser whose mistakes go the way of all other messages.

    With the default `takes_input` its first “-” stands for arguments and options in standard input, one per line.
    """

    def print_help(self, file: object = None) -> None:
        """Prints the help; argparse would not say that it cannot be written."""
        say(self.format_help().rstrip())

    def error(self, message: str) -> NoReturn:
        raise UsageError(self.prog, f"{clause(message)}.")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        return super().parse_known_args(with_lines(args) if self.get_default("takes_input") else args, namespace)


def run(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives the exit status.

    Raises:
        UsageError: the command line is wrong.
        BattleboardError: what it names is wrong, or a “-” stands for lines that cannot be read.
    """
    try:
        words = list(sys.argv[1:] if argv is None else argv)
        chosen = command_parser(is_board=words[:1] in ([], ["play"], ["demo"])).parse_args(words)
    except SystemExit as ended:  # --help and --version
        return int(ended.code or 0)
    add_writers(DRAWN_FORMATS)
    command: Callable[[argparse.Namespace], int] = chosen.command
    with uncollected("reduced_motion" in chosen and not getattr(chosen, "plain", False)):
        return command(chosen)


def command_parser(*, is_board: bool) -> argparse.ArgumentParser:
    """The parser of all commands; for the board, which has to start fast, of its own commands alone."""
    parser = _ArgumentParser(
        prog="battleboard",
        description="A tactical battle board for Game Masters. Without a command it opens your last battle, "
        "or the demo map the first time.",
        epilog=f"Your battles, maps and rulesets are in {data_folder()}; {DATA_VARIABLE} sets another folder. "
        "“-” reads arguments, or commands for “do”, from standard input, where other users cannot see them with ps.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version)
    _add_screen_options(parser)
    parser.add_argument("--read-only", action="store_true", help="open the battle without changing it")
    parser.set_defaults(command=_last)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def add(
        name: str, command: Callable[[argparse.Namespace], int], help: str, *, takes_input: bool = False
    ) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help, description=f"{help}.", allow_abbrev=False)
        added.set_defaults(command=command, takes_input=takes_input)
        return added

    play = add("play", _play, "Start a battle on a map or from an encounter, or continue a battle")
    play.add_argument(
        "file",
        metavar="MAP|ENCOUNTER|BATTLE",
        type=map_or_battle_name,
        help="a map's id or file, an encounter's or a battle's name or file",
    )
    _add_battle_options(play)
    play.add_argument(
        "--party",
        metavar="P",
        help="set a new battle up with this party in its start zone, without the map's own units",
    )
    play.add_argument("--set-up", action="store_true", help="set a new battle up first: nobody has a turn yet")
    play.add_argument(
        "--read-only", action="store_true", default=argparse.SUPPRESS, help="open a battle without changing it"
    )
    demo = add("demo", _demo, "Play the demo fight; nothing is saved")
    demo.add_argument("--tour", action="store_true", help="with a two-minute tour")
    _add_battle_options(demo)
    if is_board:
        return parser
    do = add("do", _do, "Run commands in a battle, such as “move todd F7” or “shoot todd bandit”; “help” lists them")
    do.add_argument("battle", metavar="BATTLE", type=battle_name, help="a battle's name or file")
    do.add_argument("lines", metavar="LINE", nargs="+", help="one command each, in quotes, or “-” for standard input")
    for name, command, help in (
        ("maps", _maps, "List the shipped maps and your own"),
        ("rulesets", _rulesets, "List the shipped rulesets and your own"),
    ):
        _add_json(add(name, command, help))
    rules = add("rules", _rules, "Print a ruleset as a rule book, with sources and rulings")
    rules.add_argument("ruleset", metavar="ID", type=ruleset_name, help="a ruleset's id or folder")
    rules.add_argument(
        "words", metavar="RULE", nargs="*", help="only this rule: what it says, its number, when it applies"
    )
    rules.add_argument("--formulas", action="store_true", help="also print the formulas, for ruleset authors")
    rules.add_argument(
        "--coverage", action="store_true", help="print which rules and tests cover each part of the system"
    )
    _add_json(rules)
    facts = add("facts", _facts, "List the facts that formulas can use")
    facts.add_argument("--ruleset", metavar="ID", type=ruleset_name, help="include the facts of this ruleset")
    _add_json(facts)
    check = add("check", _check, "Check maps, rulesets, characters and battles for errors")
    check.add_argument(
        "files",
        metavar="FILE",
        type=file_name,
        nargs="+",
        help="a map, a battle, a character, parties, or a ruleset's folder, file or id",
    )
    sight = _add_ends(
        add("sight", _sight, "Show the line of sight between two units or squares, with cover", takes_input=True)
    )
    sight.add_argument("--profile", action="store_true", help="draw the line from the side")
    sight.add_argument("--ascii", action="store_true", help="draw it with plain ASCII characters")
    sight.add_argument("--from-square", metavar="SQUARE", help="move FROM to this square first")
    sight.add_argument("--posture", metavar="P", help="FROM's posture: standing, kneeling or prone")
    sight.add_argument("--target-posture", metavar="P", help="TO's posture")
    sight.add_argument(
        "--altitude", metavar="N", type=altitude, help="FROM's height above the ground, in the map's unit"
    )
    sight.add_argument(
        "--points",
        metavar="N",
        type=int,
        choices=(1, 5, 9),
        default=5,
        help="points of TO's body to trace: 1, 5 or 9",
    )
    _add_json(sight)
    reach = add(
        "reach",
        _reach,
        "Show where a unit can move, what a path costs and which reactions it provokes",
        takes_input=True,
    )
    _add_map(reach)
    reach.add_argument("unit", metavar="UNIT", help="a unit's id or name")
    _add_ruleset(reach)
    reach.add_argument("--action", metavar="A", default="", help="a move's id; all moves if omitted")
    reach.add_argument("--mode", metavar="M", default="", help="a movement mode's id; the current one if omitted")
    reach.add_argument(
        "--altitude",
        metavar="H",
        default="",
        help="climb or descend to this height above the ground first, in the map's unit",
    )
    reach.add_argument(
        "--to", metavar="SQUARE", default="", dest="goal", help="show what the path there costs and provokes"
    )
    reach.add_argument("--via", metavar="SQUARE", action="append", default=[], help="pass through this square")
    _add_json(reach)
    options = add("options", _options, "List what a unit may do now, with prices and chances", takes_input=True)
    _add_map(options)
    options.add_argument("unit", metavar="UNIT", help="a unit's id or name")
    _add_ruleset(options)
    options.add_argument(
        "--side", metavar="S", default="", help="only for battles: what this side's player may know of it"
    )
    options.add_argument("--all", action="store_true", help="list what is refused, too, each with the reason")
    _add_json(options)
    view = add("view", _view, "Show what a unit sees: the squares of a map and the units on them", takes_input=True)
    _add_map(view)
    view.add_argument("observer", metavar="UNIT|SQUARE", help="a unit's id or name, or a square such as C7")
    view.add_argument(
        "--posture", metavar="P", default="", help="standing, kneeling or prone; the unit's own if omitted"
    )
    _add_json(view)
    odds = _add_ends(add("odds", _odds, "Show an attack's modifiers and odds", takes_input=True))
    _add_ruleset(odds)
    _add_weapon(odds)
    odds.add_argument(
        "--action",
        metavar="A",
        default="",
        help="an attack's id, or an action on another unit; the first possible attack if omitted",
    )
    odds.add_argument(
        "--set", metavar="FACT=VALUE", action="append", default=[], dest="settings", help="override a fact"
    )
    _add_json(odds)
    scatter = add("scatter", _scatter, "Show where a throw can land, and which units it can hit", takes_input=True)
    _add_map(scatter)
    scatter.add_argument("start", metavar="FROM", help="the throwing unit, or a square")
    scatter.add_argument("end", metavar="SQUARE", help="the target square or unit")
    _add_ruleset(scatter)
    _add_weapon(scatter)
    scatter.add_argument(
        "--action", metavar="A", default="", help="an attack's id; the first that fits the weapon if omitted"
    )
    scatter.add_argument(
        "--hit", metavar="PERCENT", default="", help="the chance to land on target; from the odds if omitted"
    )
    _add_json(scatter)
    add("doctor", _doctor, "Show what was found on this machine: the sight kernel, the terminal, the folders")
    add_library(add)
    add_characters(add)
    add_parties(add)
    add_completion(add, parser)
    return parser


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from tui.application.reports.doctor_report import kernel_state
        from tui.application.terminal.version import version

        _print([f"battleboard {version()}", f"sight kernel: {kernel_state()}"])
        parser.exit()


def _add_map(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("map", metavar="MAP|BATTLE", type=map_or_battle_name, help=A_SCENE)


def _add_ruleset(parser: argparse.ArgumentParser) -> None:
    help = "a ruleset's id or folder; not for battles"
    parser.add_argument("--ruleset", metavar="ID", type=ruleset_name, default="", help=help)


def _add_weapon(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--weapon", metavar="W", default="", help="a weapon's id; the one in hand if omitted")


def _add_ends(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    _add_map(parser)
    parser.add_argument("start", metavar="FROM", help="a unit's id or name, or a square such as C7")
    parser.add_argument("end", metavar="TO", help="a unit's id or name, or a square")
    return parser


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_screen_options(parser: argparse.ArgumentParser, default: object = False) -> None:
    add_screen_options(parser, default)
    parser.add_argument("--plain", action="store_true", default=default, help="line by line, without the full screen")


def _add_battle_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ruleset", metavar="ID", type=ruleset_name, help="the ruleset of a new battle")
    parser.add_argument("--seed", metavar="N", help="the seed of a new battle's dice; random if omitted")
    _add_screen_options(parser, argparse.SUPPRESS)


def _last(chosen: argparse.Namespace) -> int:
    from rulesets import DEFAULT
    from tui.application.library.battle_files import (
        DEMO_MAP,
        DEMO_SEED,
        begin_battle,
        last_battle,
        open_battle,
        read_scenario,
    )

    path = last_battle()
    if path is not None:
        session = open_battle(path, chosen.read_only)
        if chosen.plain or not session.battle.is_finished:
            return _show(session, chosen)
        session.close()
        return open_library(chosen)
    _check_screen(chosen)
    return _show(begin_battle(read_scenario(DEMO_MAP, DEFAULT), DEMO_SEED), chosen, has_tour=True)


def _play(chosen: argparse.Namespace) -> int:
    from rulesets import DEFAULT
    from tui.application.library.battle_files import begin_battle, find_playable, open_battle, read_scenario

    found = find_playable(chosen.file)
    if found.is_battle:
        if chosen.ruleset is not None or chosen.seed is not None or chosen.party is not None or chosen.set_up:
            raise UsageError("battleboard play", "--ruleset, --seed, --party and --set-up are only for new battles.")
        return _show(open_battle(found.file, chosen.read_only), chosen)
    if chosen.read_only:
        raise UsageError("battleboard play", "--read-only is only for battles, not for maps.")
    if found.is_encounter:
        if chosen.ruleset is not None or chosen.party is not None:
            raise UsageError("battleboard play", "an encounter says its party and ruleset itself.")
        from tui.application.library.encounter_files import begin_encounter

        _check_screen(chosen)
        return _show(begin_encounter(found.file, chosen.seed), chosen)
    if chosen.party is not None or chosen.set_up:
        from tui.application.library.encounter_files import new_encounter

        if chosen.party is not None and chosen.ruleset is not None:
            raise UsageError("battleboard play", "a party has a ruleset: --party or --ruleset, not both.")
        _check_screen(chosen)
        party, ruleset = chosen.party or "", chosen.ruleset or DEFAULT
        session = new_encounter(
            str(found.file), party, ruleset, chosen.seed, has_cast=chosen.party is None, brings_party=True
        )
        return _show(session, chosen)
    scenario = read_scenario(found.file, chosen.ruleset or DEFAULT)
    _check_screen(chosen)
    return _show(begin_battle(scenario, chosen.seed), chosen)


def _demo(chosen: argparse.Namespace) -> int:
    from rulesets import DEFAULT
    from tui.application.library.battle_files import DEMO_SEED, demo_session

    _check_screen(chosen)
    session = demo_session(chosen.ruleset or DEFAULT, chosen.seed or DEMO_SEED)
    return _show(session, chosen, is_kept=False, has_tour=chosen.tour)


def _show(session: Session, chosen: argparse.Namespace, *, is_kept: bool = True, has_tour: bool = False) -> int:
    """Plays a battle on the screen, and closes it whatever happens; `is_kept` is whether its file stays."""
    try:
        if chosen.plain:
            from tui.cli.plain import converse

            return converse(session, is_kept=is_kept)
        check_terminal()
        prepare(chosen.reduced_motion)
        from tui.view.app.board_app import run_board

        return run_board(session, ascii_only=chosen.ascii, is_kept=is_kept, has_tour=has_tour)
    finally:
        session.close()


def _check_screen(chosen: argparse.Namespace) -> None:
    """Refuses before a battle is begun where there is no screen to show it on."""
    if not chosen.plain:
        check_terminal()


def _do(chosen: argparse.Namespace) -> int:
    from tui.application.library.battle_files import battle_file
    from tui.cli.plain import do_lines

    path = battle_file(chosen.battle)
    if path is None:
        raise BattleboardError(f"No battle is called {chosen.battle!r}. “battleboard play MAP --plain” starts one.")
    lines = with_lines(chosen.lines, keeps_empty=True)
    if not any(lines):
        raise UsageError("battleboard do", "standard input is empty; expected commands.")
    do_lines(path, lines)
    return 0


def _maps(chosen: argparse.Namespace) -> int:
    from tui.application.library.listings import list_maps
    from tui.application.settings.folders import map_folders

    return _list(list_maps(map_folders()), chosen)


def _rulesets(chosen: argparse.Namespace) -> int:
    from tui.application.library.listings import list_rulesets
    from tui.application.settings.folders import ruleset_folders

    return _list(list_rulesets(ruleset_folders()), chosen)


def _list(listing: Listing, chosen: argparse.Namespace) -> int:
    from tui.application.terminal.output import complain, give

    if chosen.json:
        give(listing.values)
    else:
        _print(listing.words())
    for error in listing.errors:
        complain(error)
    return 1 if listing.errors else 0


def _rules(chosen: argparse.Namespace) -> int:
    from tui.application.library.ruleset_files import read_coverage_of, read_ruleset
    from tui.application.reports.coverage_report import coverage_json, coverage_words
    from tui.application.reports.rules_report import rules_json, rules_words
    from tui.application.terminal.output import give

    if chosen.coverage:
        rows = read_coverage_of(chosen.ruleset)
        give(coverage_json(rows)) if chosen.json else _print(coverage_words(rows))
        return 0
    rules = read_ruleset(chosen.ruleset)
    if chosen.words:
        from tui.application.reports.rule_lookup import lookup_lines

        words = " ".join(chosen.words)
        if not (found := lookup_lines(rules, words)):
            raise UsageError("battleboard rules", f"no rule of {rules.name} has “{words}”.")
        _print(found)
        return 0
    give(rules_json(rules)) if chosen.json else _print(rules_words(rules, chosen.formulas))
    return 0


def _facts(chosen: argparse.Namespace) -> int:
    from tui.application.reports.fact_report import facts_json, facts_words
    from tui.application.terminal.output import give

    rules = None
    if chosen.ruleset is not None:
        from tui.application.library.ruleset_files import read_ruleset

        rules = read_ruleset(chosen.ruleset)
    give(facts_json(rules)) if chosen.json else _print(facts_words(rules))
    return 0


def _doctor(chosen: argparse.Namespace) -> int:
    from tui.application.reports.doctor_report import doctor_lines

    _print(doctor_lines())
    return 0


def _check(chosen: argparse.Namespace) -> int:
    from tui.application.reports.check_report import check_file
    from tui.application.terminal.output import complain

    status = 0
    for file in chosen.files:
        try:
            found = check_file(Path(file))
        except BattleboardError as error:
            complain(str(error))
            status = 1
        else:
            _print([f"{file}: no errors ({found.words})"])
            for warning in found.warnings:
                complain(f"warning: {warning}")
    return status


def _sight(chosen: argparse.Namespace) -> int:
    from tui.application.reports.endpoints import Stance
    from tui.application.reports.report_scene import read_scene
    from tui.application.reports.sight_report import sight_json, sight_words, trace_ends
    from tui.application.terminal.output import can_print, give

    observes = Stance(chosen.from_square, chosen.posture, chosen.altitude)
    stands = Stance(posture=chosen.target_posture)
    sighting = trace_ends(read_scene(chosen.map), chosen.start, chosen.end, observes, stands, chosen.points)
    if chosen.json:
        give(sight_json(sighting))
    else:
        is_ascii = chosen.ascii or not can_print("█▓•")
        _print(sight_words(sighting, with_profile=chosen.profile, is_ascii=is_ascii))
    return 0


def _scene(chosen: argparse.Namespace, command: str) -> tuple[Scene, Ruleset]:
    """What a report under rules asks about: a battle with its own rules, or a map with those that are named."""
    from tui.application.library.ruleset_files import read_ruleset
    from tui.application.reports.report_scene import read_scene

    scene = read_scene(chosen.map)
    if scene.rules is None and not chosen.ruleset:
        raise UsageError(f"battleboard {command}", "a map needs --ruleset ID.")
    if scene.rules is not None and chosen.ruleset:
        raise UsageError(f"battleboard {command}", "--ruleset is only for maps; a battle has its own ruleset.")
    return scene, scene.rules or read_ruleset(chosen.ruleset)


def _reach(chosen: argparse.Namespace) -> int:
    if chosen.via and not chosen.goal:
        raise UsageError("battleboard reach", "--via needs --to, the end of the path.")
    from tui.application.reports.reach_report import ReachQuery, explore, reach_json, reach_words
    from tui.application.terminal.output import give

    query = ReachQuery(chosen.unit, chosen.action, chosen.mode, chosen.altitude, chosen.goal, chosen.via)
    going = explore(*_scene(chosen, "reach"), query)
    give(reach_json(going)) if chosen.json else _print(reach_words(going))
    return 0


def _options(chosen: argparse.Namespace) -> int:
    from tui.application.commands.option_list import list_known_options, list_options, options_json, options_words
    from tui.application.library.battle_files import the_battle
    from tui.application.reports.seat_report import forced_side
    from tui.application.terminal.output import give

    if side := forced_side(chosen.side):
        found = list_known_options(the_battle(chosen.map), chosen.unit, side)
    else:
        found = list_options(*_scene(chosen, "options"), chosen.unit)
    give(options_json(found)) if chosen.json else _print(options_words(found, with_refused=chosen.all))
    return 0


def _view(chosen: argparse.Namespace) -> int:
    from tui.application.reports.report_scene import read_scene
    from tui.application.reports.view_report import observe_map, view_json, view_words
    from tui.application.terminal.output import give

    panorama = observe_map(read_scene(chosen.map), chosen.observer, chosen.posture)
    give(view_json(panorama)) if chosen.json else _print(view_words(panorama))
    return 0


def _odds(chosen: argparse.Namespace) -> int:
    from tui.application.reports.act_report import act_json, act_words, is_act, weigh_act
    from tui.application.reports.odds_report import OddsQuery, odds_json, odds_words, preview_odds
    from tui.application.terminal.output import give

    question = OddsQuery(chosen.start, chosen.end, chosen.weapon, chosen.action, chosen.settings)
    scene, rules = _scene(chosen, "odds")
    if is_act(rules, chosen.action):
        act = weigh_act(scene, rules, question)
        give(act_json(act)) if chosen.json else _print(act_words(act))
        return 0
    answer = preview_odds(scene, rules, question)
    give(odds_json(answer)) if chosen.json else _print(odds_words(answer))
    return 0


def _scatter(chosen: argparse.Namespace) -> int:
    from tui.application.reports.odds_report import OddsQuery
    from tui.application.reports.scatter_report import scatter_json, scatter_words, throw_odds
    from tui.application.terminal.output import give

    question = OddsQuery(chosen.start, chosen.end, chosen.weapon, chosen.action)
    odds = throw_odds(*_scene(chosen, "scatter"), question, chosen.hit)
    give(scatter_json(odds)) if chosen.json else _print(scatter_words(odds))
    return 0


def _print(lines: Sequence[str]) -> None:
    from tui.application.terminal.output import say

    say("\n".join(lines))
