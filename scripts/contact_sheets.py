"""Draws every important screen in every look as SVG, with a page a look to see them side by side.

    uv run python scripts/contact_sheets.py [FOLDER] [WORD ...]

The first theme at three sizes, every other look at 80×24. With words, only pictures whose name has one of them.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from html import escape
from pathlib import Path
from typing import NamedTuple

from take_picture import TRUE_COLOUR, forget_looks, picture

FOLDER = Path(__file__).parent.parent / "build" / "contact-sheets"
SIZES = ("80x24", "120x40", "200x60")
CHARACTER = """\
ruleset = "{ruleset}"
name = "{name}"
weapons = [{weapons}]
"""
FILES = {
    "characters/anna.toml": CHARACTER.format(ruleset="occult-ops", name="Anna", weapons='"usp9", "knife"'),
    "characters/bo.toml": CHARACTER.format(ruleset="occult-ops", name="Bo", weapons='"usp9"'),
    "characters/cleo.toml": CHARACTER.format(ruleset="aog", name="Cleo", weapons='"assault-rifle-rng-13-legate"'),
    "party.toml": 'default = "lantern"\n[lantern]\nname = "The Lantern crew"\ncharacters = ["anna", "bo"]\n',
    "encounters/ambush.toml": 'name = "Ambush"\nmap = "warehouse"\nparty = "lantern"\n'
    '[[opponent]]\nrole = "gunman"\ncount = 3\nside = "guards"\n'
    '[[opponent]]\nrole = "rifleman"\ncount = 2\nside = "guards"\nhidden = true\n',
}
"""What the user has of their own."""
OVER = ("add anna law D4", "add bo law D6", "damage anna 5 hp", "rounds anna 3 usp9", "damage bo 3 hp")
MOVED = ("now raven", "move raven L6")
FOUGHT = (*MOVED, "shoot hauler dice 15 / 5", "end", "set moth 5", "end")


class Scene(NamedTuple):
    """A screen: what is opened, commands given before, keys pressed, and one key a die that is typed."""

    name: str
    opened: str
    lines: tuple[str, ...] = ()
    keys: str = ""


SCENES = (
    Scene("library", "library", keys="down down"),
    Scene("form", "form cleo", keys="tab tab down 6 3"),
    Scene("carry over", "frontier-trail occult-ops", OVER, "colon f i n i s h enter"),
    Scene("set-up", "encounter ambush"),
    Scene("board", "warehouse cwn", MOVED),
    Scene("aim", "warehouse cwn", MOVED, "t"),
    Scene("hit", "warehouse cwn", MOVED, "t f 1 9 enter 5 enter"),
    Scene("blast", "frontier-trail occult-ops", ("give todd frag-grenade",), "t a g enter"),
    Scene("plan", "frontier-trail occult-ops", (), "m right down right down"),
    Scene("miss", "frontier-trail occult-ops", (), "t f 7 0 enter r"),
    Scene("replay", "replay warehouse cwn", FOUGHT, "full_stop full_stop full_stop"),
    Scene("player view", "watch warehouse cwn", FOUGHT),
    Scene("help", "frontier-trail occult-ops", (), "question_mark"),
    Scene("menu", "frontier-trail occult-ops", (), "t a"),
)


class Look(NamedTuple):
    """How the board is drawn: a theme, signs, and what the environment says."""

    name: str
    environment: dict[str, str] = TRUE_COLOUR
    theme: str = "lamplight"
    is_ascii: bool = False
    sizes: tuple[str, ...] = SIZES[:1]


LOOKS = (
    Look("lamplight", sizes=SIZES),
    Look("daylight", theme="daylight"),
    Look("contrast", theme="contrast"),
    Look("256 colours", {"TERM": "xterm-256color"}),
    Look("16 colours", {"TERM": "xterm-16color"}),
    Look("no colour", {**TRUE_COLOUR, "NO_COLOR": "1"}),
    Look("ascii", is_ascii=True),
)


async def draw(scene: Scene, look: Look, size: str) -> str:
    """Opens a screen in a data folder of its own, presses its keys and gives the SVG of what it shows."""
    from tui.application.commands.runner import do
    from tui.application.library.battle_files import DEMO_SEED, new_battle
    from tui.application.library.character_files import read_character
    from tui.application.library.encounter_files import begin_encounter
    from tui.application.settings.settings import Settings
    from tui.view.app.board_app import BoardApp  # here, as Textual reads the environment when it is imported
    from tui.view.screens.follow_file import FollowedFile

    settings = Settings(theme=look.theme, glyphs="ascii" if look.is_ascii else "unicode")
    kind, _, name = scene.opened.rpartition(" ")
    what, _, map_id = kind.rpartition(" ")
    if scene.opened == "library":
        new_battle("frontier-trail", "occult-ops", DEMO_SEED).close()
        return await picture(BoardApp(None, settings=settings), scene.keys, size)
    if kind == "form":
        return await picture(BoardApp(None, sheet=read_character(name), settings=settings), scene.keys, size)
    made = begin_encounter(name, DEMO_SEED) if kind == "encounter" else new_battle(map_id, name, DEMO_SEED)
    with closing(made) as session:
        for line in scene.lines:
            do(session, line)
        if what == "watch":
            followed = await asyncio.to_thread(FollowedFile, session.journal.path)
            app = BoardApp(None, watch=followed, settings=settings)
        else:
            app = BoardApp(session, is_replay=what == "replay", settings=settings)
        return await picture(app, scene.keys, size)


def write(folder: Path, words: list[str]) -> None:
    """Writes the pictures and a page a look."""
    folder.mkdir(parents=True, exist_ok=True)
    for look in LOOKS:
        for size in look.sizes:
            figures = list(_figures(folder, look, size, words))
            if figures:
                page = f"{_file(look.name, size)}.html"
                (folder / page).write_text(_page(f"{look.name}, {size}", figures), encoding="utf-8")
                print(folder / page, flush=True)


def _figures(folder: Path, look: Look, size: str, words: list[str]) -> Iterator[str]:
    for place, scene in enumerate(SCENES, 1):
        path = folder / f"{_file(look.name, size)}-{place:02}-{_file(scene.name)}.svg"
        if words and not any(word in path.stem for word in words):
            continue
        forget_looks()
        os.environ.update(look.environment)
        with tempfile.TemporaryDirectory() as own:
            os.environ["BATTLEBOARD_DATA"] = own
            for name, text in FILES.items():
                Path(own, name).parent.mkdir(exist_ok=True)
                Path(own, name).write_text(text, encoding="utf-8")
            svg = asyncio.run(draw(scene, look, size))
            path.write_text(rounded(svg) if look.name.startswith("256") else svg, encoding="utf-8")
        yield f'<figure><img src="{escape(path.name)}"><figcaption>{escape(scene.name)}</figcaption></figure>'


def rounded(svg: str) -> str:
    """A picture in the 256 colours that such a terminal would show."""
    from rich.color import Color, ColorSystem

    def nearest(found: re.Match[str]) -> str:
        return Color.parse(found[0]).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex

    return re.sub(r"#[0-9a-fA-F]{6}\b", nearest, svg)


def _file(*parts: str) -> str:
    return "-".join(parts).replace(" ", "-")


def _page(title: str, figures: list[str]) -> str:
    style = "body{display:flex;flex-wrap:wrap;background:#333;color:#eee;font:1rem sans-serif}img{width:48rem}"
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
    return f"{head}<style>{style}</style>{''.join(figures)}</html>\n"


if __name__ == "__main__":
    if any(word.startswith("-") for word in sys.argv[1:]):
        sys.exit(__doc__)
    write(Path(sys.argv[1]) if sys.argv[1:] else FOLDER, sys.argv[2:])
