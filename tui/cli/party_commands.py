"""The commands of parties: list, new, default. Each imports its own."""

from __future__ import annotations

import argparse

from tui.cli.library_commands import Add, subcommands


def add_parties(add: Add) -> None:
    """Adds the commands to the command line; `add` makes a parser of a name, a command and its help."""
    group = add("parties", _list, "List your parties, make one, or choose the default one")
    group.add_argument("--json", action="store_true", help="print JSON")
    add_one = subcommands(group)
    made = add_one("new", _new, "Make a party of your characters")
    made.add_argument("name", metavar="NAME", help="the party's name, in quotes if it has spaces")
    made.add_argument("characters", metavar="CHARACTER", nargs="+", help="names of characters' files")
    made.add_argument("--default", action="store_true", help="make it the default party")
    chosen = add_one("default", _default, "Choose the party that new encounters and “add party” take first")
    chosen.add_argument("party", metavar="PARTY", help="a party's id or name")


def _list(chosen: argparse.Namespace) -> int:
    from tui.application.library.listings import list_parties
    from tui.application.terminal.output import complain, give, say

    listing = list_parties()
    if chosen.json:
        give(listing.values)
    elif listing.rows:
        say("\n".join(listing.words()))
    elif not listing.errors:
        say("No parties yet. “battleboard parties new NAME CHARACTER …” makes one, and so does the library.")
    for error in listing.errors:
        complain(error)
    return 1 if listing.errors else 0


def _new(chosen: argparse.Namespace) -> int:
    from tui.application.library.character_files import Party
    from tui.application.library.party_files import save_party
    from tui.application.terminal.output import say

    made = save_party(Party("", chosen.name, tuple(chosen.characters), chosen.default))
    say(f"{made.name} is the party {made.id}. “battleboard play MAP --party {made.id}” starts a battle with it.")
    return 0


def _default(chosen: argparse.Namespace) -> int:
    from engine.values import replace
    from tui.application.library.party_files import party_called, save_party
    from tui.application.terminal.output import say

    made = save_party(replace(party_called(chosen.party), is_default=True))
    say(f"{made.name} is the default party.")
    return 0
