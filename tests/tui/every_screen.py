"""Every screen of the program, each by what opens it, for tests of what must hold on all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

from tui.application.commands.runner import do
from tui.application.library.battle_files import DEMO_SEED, new_battle
from tui.application.library.character_files import read_character
from tui.application.library.encounter_files import begin_encounter
from tui.view.app.board_app import BoardApp
from tui.view.screens.follow_file import FollowedFile

CHARACTER = 'ruleset = "{ruleset}"\nname = "{name}"\nweapons = [{weapons}]\n'
FILES = {
    "characters/anna.toml": CHARACTER.format(ruleset="occult-ops", name="Anna", weapons='"usp9", "knife"'),
    "characters/cleo.toml": CHARACTER.format(ruleset="aog", name="Cleo", weapons='"assault-rifle-rng-13-legate"'),
    "party.toml": 'default = "lantern"\n[lantern]\nname = "The Lantern crew"\ncharacters = ["anna"]\n',
    "encounters/ambush.toml": 'name = "Ambush"\nmap = "warehouse"\nparty = "lantern"\n'
    '[[opponent]]\nrole = "gunman"\ncount = 3\nside = "guards"\n',
}
"""What the user has of their own."""


class Opened(NamedTuple):
    """A screen: what the program is started with, commands given before, keys pressed."""

    start: str
    lines: tuple[str, ...] = ()
    keys: str = ""


FOUGHT = ("now raven", "shoot hauler dice 15 / 5", "end")
SCREENS = {
    "board": Opened("frontier-trail occult-ops"),
    "aim": Opened("warehouse cwn", ("now raven", "move raven L6"), "t"),
    "result": Opened("warehouse cwn", ("now raven", "move raven L6"), "t f 1 9 enter 5 enter"),
    "blast": Opened("frontier-trail occult-ops", ("give todd frag-grenade",), "t a g enter"),
    "move": Opened("frontier-trail occult-ops", (), "m right down"),
    "overlay": Opened("rooftops volt", (), "t v 1"),
    "prompt": Opened("frontier-trail occult-ops", (), "colon m o v e"),
    "dice": Opened("frontier-trail occult-ops", (), "t f"),
    "menu": Opened("frontier-trail occult-ops", (), "plus"),
    "menu of actions": Opened("frontier-trail occult-ops", (), "t a"),
    "picker": Opened("frontier-trail occult-ops", (), "plus a"),
    "settings": Opened("frontier-trail occult-ops", (), "O"),
    "help": Opened("frontier-trail occult-ops", (), "question_mark"),
    "receipt": Opened("frontier-trail occult-ops", (), "t r"),
    "ruling": Opened("frontier-trail eva", (), "G"),
    "policies": Opened("frontier-trail eva", (), "A"),
    "modifiers": Opened("frontier-trail occult-ops", (), "t g"),
    "close-up": Opened("warehouse occult-ops", (), "t t t slash"),
    "comparison": Opened("frontier-trail occult-ops", (), "t C"),
    "order": Opened("frontier-trail occult-ops", (), "Y j space"),
    "log": Opened("frontier-trail occult-ops", ("damage todd 1",), "E enter"),
    "notes": Opened("frontier-trail occult-ops", ("note todd limps",), "N"),
    "what-if": Opened("frontier-trail occult-ops", (), "I e I"),
    "terrain": Opened("frontier-trail occult-ops", (), "M l l m j"),
    "palette": Opened("frontier-trail occult-ops", (), "ctrl+p"),
    "tour": Opened("tour"),
    "set-up": Opened("encounter ambush"),
    "end card": Opened("frontier-trail occult-ops", ("shoot bandit dice 20 / 6 6",), "plus F"),
    "carry over": Opened(
        "frontier-trail occult-ops", ("add anna law D4", "damage anna 5 hp"), "colon f i n i s h enter enter"
    ),
    "replay": Opened("replay warehouse cwn", FOUGHT, "full_stop"),
    "player view": Opened("watch warehouse cwn", FOUGHT),
    "library": Opened("library", (), "down down"),
    "new encounter": Opened("library", (), "n"),
    "party": Opened("library party", (), "down down"),
    "form": Opened("form cleo", (), "tab tab down 6 3"),
}


def put_files(folder: Path) -> None:
    """Writes what the user has of their own into a data folder."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@contextmanager
def opened(screen: Opened) -> Iterator[BoardApp]:
    """The app that shows a screen once `keys_of` it are pressed."""
    kind, _, name = screen.start.rpartition(" ")
    what, _, map_id = kind.rpartition(" ")
    if screen.start.startswith("library"):
        yield BoardApp(None)
    elif kind == "form":
        yield BoardApp(None, sheet=read_character(name))
    else:
        is_tour = screen.start == "tour"
        made = begin_encounter(name, DEMO_SEED) if kind == "encounter" else new_battle(
            *(("frontier-trail", "occult-ops") if is_tour else (map_id, name)), DEMO_SEED
        )  # fmt: skip
        with closing(made) as session:
            for line in screen.lines:
                do(session, line)
            if what == "watch":
                yield BoardApp(None, watch=FollowedFile(session.journal.path))
            else:
                yield BoardApp(session, is_replay=what == "replay", has_tour=is_tour)


async def show(pilot: Pilot[None], screen: Opened) -> None:
    """Presses the keys that lead to a screen."""
    await pilot.pause()
    for key in screen.keys.split():
        await pilot.press(key)
    await pilot.pause()
