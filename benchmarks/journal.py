"""J1, J2 and M1: what a saved event costs, how soon a long battle opens, undo at its end, and what it all weighs."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.evening import RULESET, play, write_map
from benchmarks.measure import Row, ratio
from benchmarks.terminal import Terminal
from engine.battle.state.codec import canonical
from engine.journal.history import event_rows
from engine.journal.store import Journal
from tui.application.library.battle_files import begin_battle, open_battle, read_scenario, stamp

EVENTS = 10_000
EARLY = 1_000


def rows() -> Iterator[Row]:
    """One long evening, played once."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        scenario = read_scenario(write_map(place / "plain.toml", 200), RULESET)
        session = begin_battle(scenario, "x", place)
        told = sum(play(session, EARLY))
        file = session.journal.path
        early = file.with_name("early.battle")
        session.close()
        early.write_bytes(file.read_bytes())
        before = _on_screen(early, place)
        session = open_battle(file)
        at_first = resident()
        sum(play(session, EVENTS - told, 2))
        grown = resident() - at_first
        yield _append(early, event_rows(session.history.steps()[-1].events)[:1], place / "bare")
        yield _seconds("J2", f"undo at {EVENTS} events", [_taken(session.undo) for _ in range(20)], 0.05)
        session.close()
        yield _seconds("J1", f"opening {EVENTS} events", [_opening(file) for _ in range(5)], 1)
        yield Row("M1", f"the board, 200² with 50 units, {EARLY} events", f"{before:.0f} MiB", "", before, 120, "MiB")
        yield Row("M1", f"growth over {EVENTS - EARLY} events more", f"{grown:.1f} MiB", "", grown, 10, "MiB")


def _append(file: Path, body: list[tuple[str, Mapping[str, Any]]], bare: Path) -> Row:
    """One event saved, against the same bytes written and synced."""
    text = canonical(body[0][1])
    with Journal.open(file) as journal, bare.open("ab") as plain:

        def peer() -> None:
            plain.write(text)
            plain.flush()
            os.fsync(plain.fileno())

        def ours() -> object:
            return journal.append(body, stamp())

        return ratio("J1", "a durable event against a bare append and fsync", ours, peer, 6, rounds=200, least=0.0)


def _taken(deed: Callable[[], object]) -> float:
    start = perf_counter()
    deed()
    return perf_counter() - start


def _opening(file: Path) -> float:
    """Seconds to open a battle, all of it checked and replayed."""
    start = perf_counter()
    session = open_battle(file)
    taken = perf_counter() - start
    session.close()
    return taken


def _on_screen(file: Path, folder: Path) -> float:
    """MiB that the whole program takes with a battle on its screen."""
    words = [sys.executable, "-m", "tui", "play", str(file)]
    program = Terminal(words, (120, 40), {"BATTLEBOARD_DATA": str(folder)})
    program.begin()
    found = program.resident()
    program.end()
    return found


def _seconds(target: str, what: str, taken: list[float], limit: float) -> Row:
    middle = median(taken)
    return Row(target, what, f"{middle * 1000:.1f} ms", "", middle, limit, "s")


def resident() -> float:
    """MiB of memory that this process takes."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no such line")
