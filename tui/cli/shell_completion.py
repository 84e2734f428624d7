"""Shell completion: a script that shtab makes from the parser, and the names that it asks for at each Tab."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tui.cli.argument_types import battle_name, file_name, map_or_battle_name, ruleset_name
from tui.cli.library_commands import Add

SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")
NAMES: Mapping[Callable[[str], str], str] = {
    map_or_battle_name: "maps-and-battles",
    battle_name: "battles",
    ruleset_name: "rulesets",
}
"""The names that fill an argument, by its type."""


def add_completion(add: Add, parser: argparse.ArgumentParser) -> None:
    """Adds the command that prints completion for all commands of a parser."""
    made = add("completion", partial(_completion, parser), "Print a script that completes commands in your shell")
    made.add_argument(
        "what",
        metavar="SHELL",
        choices=(*SHELLS, *NAMES.values()),
        help=f"{', '.join(SHELLS)}; or {', '.join(NAMES.values())}: the names that the script completes",
    )


def names(kind: str) -> list[str]:
    """What there is of one of the kinds of `NAMES`, shipped or the user's own, sorted."""
    if kind == "rulesets":
        from tui.library.listings import known_rulesets
        from tui.settings.folders import ruleset_folders

        return sorted(known_rulesets(ruleset_folders()))
    from tui.library.battle_files import battles

    found = {path.stem for path in battles()}
    if kind == "battles":
        return sorted(found)
    from maps import maps_in
    from tui.library.listings import known_maps
    from tui.settings.folders import encounters_folder, map_folders

    return sorted(found | known_maps(map_folders()).keys() | maps_in(encounters_folder()).keys())


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script of a shell."""
    import shtab

    fills: dict[Any, Any] = {kind: _asked(names) for kind, names in NAMES.items()}
    fills[file_name] = shtab.FILE
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for action in (one for command in commands.choices.values() for one in command._actions):
        if action.type in fills:
            action.complete = fills[action.type]
    return shtab.complete(parser, shell)


def _asked(kind: str) -> dict[str, Any]:
    """How shells ask for names; zsh by a function, as a command would run when the script is loaded."""
    import shtab

    command = f"battleboard completion {kind}"
    asked: dict[str, Any] = dict(shtab.cmd(command))
    function = f"_battleboard_{kind.replace('-', '_')}"
    preamble = {**asked["preamble"], "zsh": f'{function}() {{ compadd -- ${{(f)"$({command})"}}; _files }}\n'}
    return {**asked, "zsh": function, "preamble": preamble}


def _completion(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> int:
    from tui.terminal.output import say

    say(script(parser, chosen.what) if chosen.what in SHELLS else "\n".join(names(chosen.what)))
    return 0
