"""Shell completion: a script that shtab makes from the parser, and the names that it asks for at each Tab."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from tui.cli.argument_types import (
    battle_name,
    file_name,
    map_or_battle_name,
    role_name,
    role_or_character_name,
    ruleset_name,
)
from tui.cli.library_commands import Add

SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")
NAMES: Mapping[Callable[[str], str], str] = {
    map_or_battle_name: "maps-and-battles",
    battle_name: "battles",
    ruleset_name: "rulesets",
    role_name: "roles",
    role_or_character_name: "roles-and-characters",
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
        from tui.application.library.listings import known_rulesets
        from tui.application.settings.folders import ruleset_folders

        return sorted(known_rulesets(ruleset_folders()))
    if kind.startswith("roles"):
        from engine.battle.state.units import ROLES
        from tui.application.library.character_files import character_files

        return sorted({*ROLES, *(character_files() if kind != "roles" else ())})
    from tui.application.library.battle_files import battles

    found = {path.stem for path in battles()}
    if kind == "battles":
        return sorted(found)
    from maps import maps_in
    from tui.application.library.listings import known_maps
    from tui.application.settings.folders import encounters_folder, map_folders

    return sorted(found | known_maps(map_folders()).keys() | maps_in(encounters_folder()).keys())


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script of a shell."""
    import shtab

    fills: dict[Any, Any] = {kind: _asked(names) for kind, names in NAMES.items()}
    fills[file_name] = shtab.FILE
    for action in (one for _, command in all_commands(parser) for one in command._actions):
        if action.type in fills:
            action.complete = fills[action.type]  # type: ignore[attr-defined]
    return shtab.complete(parser, shell)


def all_commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The commands of a parser with their names, each before its own, as "characters" before "characters new"."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield name, command
                yield from ((f"{name} {inner}", found) for inner, found in all_commands(command))


def _asked(kind: str) -> dict[str, Any]:
    """How shells ask for names; zsh by a function, as a command would run when the script is loaded."""
    import shtab

    command = f"battleboard completion {kind}"
    asked: dict[str, Any] = dict(shtab.cmd(command))
    function = f"_battleboard_{kind.replace('-', '_')}"
    preamble = {**asked["preamble"], "zsh": f'{function}() {{ compadd -- ${{(f)"$({command})"}}; _files }}\n'}
    return {**asked, "zsh": function, "preamble": preamble}


def _completion(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> int:
    from tui.application.terminal.output import say

    say(script(parser, chosen.what) if chosen.what in SHELLS else "\n".join(names(chosen.what)))
    return 0
