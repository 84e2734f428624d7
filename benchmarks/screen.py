"""S1 to S6, F6, U1 and U2: what the board writes to a terminal and how soon, against curses, stock Textual and itself.

The curses program shows the very screens that the board showed, one for each key.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

import pyte
from pyte.graphics import FG_BG_256

from benchmarks.evening import RULESET, write_map
from benchmarks.measure import Row
from benchmarks.peers.curses_screen import Run, Screen
from benchmarks.terminal import Answer, Terminal
from maps import shipped_maps
from tui.view.terminal.frame_diff import SWITCH

SIZES = ((120, 40), (240, 70))
ROUNDS = 24
LARGEST = 500
"""Squares along the side of the largest map that the board takes."""

WHEEL_DOWN, WHEEL_RIGHT = "\x1b[<65;30;12M", "\x1b[<69;30;12M"
ASIDE = ("l", "h")
DEEDS = (
    ("a cursor's move aside", ASIDE * 4, 1.0),
    ("a cursor's move down", ("j", "k") * 4, 1.0),
    ("rows panned by two", (WHEEL_DOWN,) * 6, 0.8),
    ("columns panned by two", (WHEEL_RIGHT,) * 6, 0.4),
    ("what the unit sees laid over the map", ("v", "2"), 0.8),
)
SITTING = (
    "lllljjjjhhkk",  # looks about
    "LLJJHK",
    "ttTt",  # aims
    "v2",  # what the unit sees
    "lljjhk",
    "\x1b",
    "m",  # where it can go
    "lljjkkhh",
    "\x1b",
    "jjjkkkllll",
    "tt",
    "kkkjjjlh",
)
"""Sixty keys and one: the cursor, targets, what is seen, a way that is planned."""
WHOLE = {SWITCH: "whole"}
LONGEST = "aog"
"""The ruleset that takes longest to read."""
BOARD = range(1, SIZES[0][1] - 3)
"""Rows of a board without panels: all but title, sentence and keys."""
AFTERMATHS = (
    ("the aftermath of a shot", ("_",), (":shoot bandit\r",), "\r", 400),
    ("a blast of radius 4 with its footprint", ("_", ":give todd frag-grenade\r"), (":throw bandit\r",), "\r", 2_000),
    ("a health bar that changes", ("_", "z"), (":hp bandit 12",), "\r", 120),
)
"""What is shown, keys before it, keys of the command, the last key, most bytes."""
OVERLAY_KEYS = ("v", "4")
"""What is seen from the cursor: the overlay that is made anew with each of its moves."""


def rows() -> Iterator[Row]:
    """All rows of the screen, in a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        yield from _bytes(place)
        yield from _sitting(place)
        yield from _speed(place)
        yield from _aftermath(place)
        yield from _live_on_shipped_maps(place)
        yield from _beginning(place)


def board(folder: Path, size: tuple[int, int], side: int = 200, more: Mapping[str, str] | None = None) -> Terminal:
    """The board on a terminal: a new battle of fifty on a square map."""
    battlefield = folder / f"plain-{side}.toml"
    if not battlefield.exists():
        write_map(battlefield, side)
    words = [sys.executable, "-m", "tui", "play", str(battlefield), "--ruleset", RULESET, "--seed", "x"]
    data = tempfile.mkdtemp(dir=folder)
    return Terminal(words, size, {"BATTLEBOARD_DATA": data, **(more or {})})


# S1: bytes against curses


def _bytes(folder: Path) -> Iterator[Row]:
    for size in SIZES:
        screens, ours = _screens(folder, size)
        path = folder / "screens.json"
        path.write_text(json.dumps(screens), encoding="utf-8")
        peer = Terminal([sys.executable, "-m", "benchmarks.peers.curses_screen", str(path)], size, {})
        theirs = [len(peer.begin().written), *(len(peer.press("x").written) for _ in screens[1:])]
        peer.end()
        at = 1
        for what, keys, limit in DEEDS:
            mine, curses = ours[at : at + len(keys)], theirs[at : at + len(keys)]
            at += len(keys)
            if what.startswith("what"):  # the key before has laid a menu over the map
                mine, curses = mine[-1:], curses[-1:]
            yield _row("S1", f"bytes of {what}, {_named(size)}", median(mine), median(curses), limit)
        yield _row("S1", f"bytes of the first paint, {_named(size)}", ours[0], theirs[0], 0.75)


def _screens(folder: Path, size: tuple[int, int]) -> tuple[list[Screen], list[int]]:
    """What the board shows after its beginning and after each key, and how many bytes each took."""
    program = board(folder, size)
    screen = pyte.Screen(*size)
    stream = pyte.ByteStream(screen)
    screens, counts = [], []
    answers = (program.begin(), *(program.press(key, 0.3) for _, keys, _ in DEEDS for key in keys))
    for answer in answers:
        stream.feed(answer.written)
        screens.append(_runs(screen))
        counts.append(len(answer.written))
    program.end()
    return screens, counts


def _runs(screen: pyte.Screen) -> Screen:
    """The screen as the curses program takes it."""
    return [list(_merged(screen.buffer[y][x] for x in range(screen.columns))) for y in range(screen.lines)]


def _merged(cells: Iterable[pyte.screens.Char]) -> Iterator[Run]:
    """Runs of equal style. A blank's ink is not seen: it stays that of the sign before, as is cheapest to write."""
    text = ""
    look: tuple[int, int, list[str]] | None = None
    for cell in cells:
        kinds = {"bold": cell.bold, "underline": cell.underscore, "reverse": cell.reverse}
        own = (_colour(cell.fg), _colour(cell.bg), [name for name, is_on in kinds.items() if is_on])
        if cell.data == " " and look is not None and not {"underline", "reverse"} & {*own[2], *look[2]}:
            own = (look[0], own[1], look[2])
        if own != look and text:
            yield (text, *(look or own))
            text = ""
        text, look = text + cell.data, own
    if look:
        yield (text, *look)


COLOURS = {colour: number for number, colour in reversed(list(enumerate(FG_BG_256)))}
NAMES = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")


def _colour(name: str) -> int:
    if name == "default":
        return -1
    return NAMES.index(name) if name in NAMES else COLOURS[name]


# S2: bytes against stock Textual


def _sitting(folder: Path) -> Iterator[Row]:
    for size in SIZES:
        counts: list[int] = []
        screens: list[list[str]] = []
        for more in ({}, WHOLE):
            program, screen = board(folder, size, 200, more), pyte.Screen(*size)
            stream = pyte.ByteStream(screen)
            stream.feed(program.begin().written)
            written = [program.press(key, 0.25).written for key in "".join(SITTING)]
            stream.feed(b"".join(written))
            counts.append(sum(map(len, written)))
            screens.append(screen.display)
            program.end()
        ours, stock = counts
        yield _row("S2", f"bytes of a sitting of {len(''.join(SITTING))} keys, {_named(size)}", ours, stock, 1 / 7)
        yield Row("S2", f"lines shown otherwise than by stock Textual, {_named(size)}", "", "",
                  sum(one != other for one, other in zip(*screens, strict=True)), 0, "lines")  # fmt: skip


# S3 to S5: time


def _speed(folder: Path) -> Iterator[Row]:
    size = SIZES[0]
    path = folder / "moves.json"
    screens, _ = _screens(folder, size)
    path.write_text(json.dumps([screens[1], screens[2]] * 400), encoding="utf-8")
    curses = Terminal([sys.executable, "-m", "benchmarks.peers.curses_screen", str(path)], size, {})
    small, large = board(folder, size), board(folder, size, LARGEST)
    for program in (curses, small, large):
        program.begin()
    mine, theirs, wide = _moves([small, curses, large], ASIDE)
    yield _timed("S3", "a cursor's move against curses", mine, theirs, 10)
    yield _timed("S3", f"a cursor's move on {LARGEST}² against 200²", wide, mine, 1.2)
    large.end()
    curses.end()
    other = board(folder, size)
    other.begin()
    for _ in range(3):
        small.press("H")
        other.press("L")
    left, right = _moves([small, other], ASIDE)
    yield _timed("S3", "a cursor's move 30 columns further right", right, left, 1.2)
    for key in OVERLAY_KEYS:
        other.press(key, 0.6)
    plain, live = _moves([small, other], ASIDE, 1)
    yield _timed("S4", "a cursor's move with what is seen from it, against one without", live, plain, 15)
    other.listen(1)
    yield Row("S5", "bytes written in three idle seconds", "", "", len(other.listen(3).written), 0, "bytes")
    small.end()
    other.end()


def _live_on_shipped_maps(folder: Path) -> Iterator[Row]:
    """F6: a cursor's move with what is seen from it, against one without: the cursor itself, and all of it."""
    for name in shipped_maps():
        words = [sys.executable, "-m", "tui", "play", name, "--ruleset", RULESET, "--seed", "x"]
        plain, live = (Terminal(words, SIZES[0], {"BATTLEBOARD_DATA": tempfile.mkdtemp(dir=folder)}) for _ in "ab")
        for program in (plain, live):
            program.begin()
        for key in OVERLAY_KEYS:
            live.press(key, 0.6)
        taken: list[tuple[Answer, Answer]] = []
        for place in range(ROUNDS):
            without, with_it = (program.press(ASIDE[place % 2], 0.3) for program in (plain, live))
            taken.append((without, with_it))
        first, live_first = median(one.first for one, _ in taken), median(other.first for _, other in taken)
        last, live_last = median(one.seconds for one, _ in taken), median(other.seconds for _, other in taken)
        yield _timed("F6", f"the cursor's move under a live overlay, {name}", live_first, first, 1.1)
        yield _timed("F6", f"the overlay after it, {name}", live_last, last, 2)
        plain.end()
        live.end()


def _moves(programs: Sequence[Terminal], keys: Sequence[str], quiet: float = 0.12) -> list[float]:
    """Median seconds from a key to the last byte, the programs in turn."""
    taken: list[list[float]] = [[] for _ in programs]
    for place in range(ROUNDS):
        for program, own in zip(programs, taken, strict=True):
            own.append(program.press(keys[place % len(keys)], quiet).seconds)
    return [median(own) for own in taken]


# S6: what a command shows on the board


def _aftermath(folder: Path) -> Iterator[Row]:
    """Bytes of what commands of the demo show on the board, which has all rows between the bars."""
    columns, lines = SIZES[0]
    for what, before, command, answer, limit in AFTERMATHS:
        program = Terminal([sys.executable, "-m", "tui", "demo"], SIZES[0], {"BATTLEBOARD_DATA": str(folder)})
        screen = pyte.Screen(columns, lines)
        stream = pyte.ByteStream(screen)
        stream.feed(program.begin().written)
        for keys in (*before, *command):
            stream.feed(program.press(keys, 0.4).written)
        written = program.press(answer, 0.8).written
        program.end()
        yield Row(
            "S6", f"bytes on the board of {what}", "", "", _inside(written, screen, stream, BOARD), limit, "bytes"
        )


def _inside(written: bytes, screen: pyte.Screen, stream: pyte.ByteStream, rows: range) -> int:
    """How many bytes leave the cursor in some rows: what is drawn there, its colours, and the way to it."""
    found = 0
    for part in re.findall(rb"\x1b\[[0-9;?]*[ -/]*[@-~]|[^\x1b]+|\x1b", written):
        stream.feed(part)
        found += len(part) * (screen.cursor.y in rows)
    return found


# U1 and U2: beginning


def _beginning(folder: Path) -> Iterator[Row]:
    data = tempfile.mkdtemp(dir=folder)
    hello = [sys.executable, "-m", "benchmarks.peers.hello"]
    commands = ([sys.executable, "-m", "tui", "demo", "--ruleset", LONGEST], hello)
    taken: list[list[float]] = [[] for _ in commands]
    for _ in range(10):
        for command, own in zip(commands, taken, strict=True):
            program = Terminal(command, SIZES[0], {"BATTLEBOARD_DATA": data})
            own.append(program.begin().seconds)
            program.end()
    ours, numpy = (median(own) for own in taken)
    yield _timed("U1", f"first full paint of the demo, {LONGEST}, against a hello that imports NumPy", ours, numpy, 1.5)
    for word in ("--help", "--version"):
        yield Row("U2", f"slow modules loaded by {word}", "", "", len(_slow(word, data)), 0, "modules")


def _slow(word: str, data: str) -> list[str]:
    """Modules of Textual and NumPy that a command loads."""
    script = (
        "import sys, contextlib, io\nfrom tui.__main__ import main\n"
        f"with contextlib.redirect_stdout(io.StringIO()): main([{word!r}])\n"
        "print(*[name for name in sys.modules if name.partition('.')[0] in ('textual', 'numpy', 'rich')])"
    )
    environment = {**os.environ, "BATTLEBOARD_DATA": data}
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    return ended.stdout.split()


def _row(target: str, what: str, ours: float, peer: float, limit: float) -> Row:
    return Row(target, what, f"{ours:.0f} B", f"{peer:.0f} B", ours / peer, limit)


def _timed(target: str, what: str, ours: float, peer: float, limit: float) -> Row:
    return Row(target, what, f"{ours * 1000:.2f} ms", f"{peer * 1000:.2f} ms", ours / peer, limit)


def _named(size: tuple[int, int]) -> str:
    return f"{size[0]}×{size[1]}"
