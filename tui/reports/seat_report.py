"""The player view of a side as JSON: what one side sees of a battle, and nothing else.

`watch` reads battles through this report in a process of its own, so that the process with the players' screen never
holds the seed, the notes or hidden units.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.battle.events import RollCorrected
from engine.battle.state.battle import Battle
from engine.battle.state.codec import from_json, to_json
from engine.battle.views.aftermath import NOTHING_DONE, Aftermath, aftermath
from engine.battle.views.fog_of_war import (
    NOTHING_SEEN,
    Memory,
    curtain,
    find_side,
    follow,
    memory_in,
    seat_aftermath,
    side_names,
    sides_of,
)
from engine.battle.views.unit_letters import players_side
from engine.battle.views.view import UnitView, View
from engine.errors import BattleboardError
from engine.journal.batches import batches
from engine.journal.history import read_event
from engine.journal.row_kinds import COMMAND, KINDS, REDO, UNDO
from engine.journal.session import Session
from engine.rules.expressions import shown
from engine.values import Stored, replace
from tui.describe.view_changes import attack_sentences, view_changes
from tui.library.battle_files import open_battle
from tui.panels.last_command import last_command

MOST_MOMENTS, MOST_COMMANDS = 100, 200
"""Moments of a battle that are shown when it is opened; commands of which the sentences are kept."""
CORRECTED = KINDS[RollCorrected]
Sentences = tuple[str, ...]
"""What a seat sees of one command."""
SIDE_VARIABLE = "BATTLEBOARD_SIDE"
"""The environment variable that forces a side: where it is set no other may be chosen."""


class Seat(Stored, frozen=True):
    """The side, what it sees, and the state from which the next reading continues."""

    side: str
    view: View
    met: tuple[str, ...] = ()
    """Ids of the others that it has seen."""
    looked: int = 0
    """How many moments of the battle have been looked at."""
    aftermath: Aftermath = NOTHING_DONE
    """What the side knows of what the last command did."""
    events: tuple[Sentences, ...] = ()
    """What the side saw happen, a sentence each, by command; the latest last. What was undone is left out."""
    undone: tuple[Sentences, ...] = ()
    """The same of undone commands that can be redone, the next to redo last."""


def forced_side(asked: str) -> str:
    """The side to watch from: the one asked for, or the one that the environment forces; "" for the first.

    Raises:
        BattleboardError: another side is asked for than the one forced, or the variable is empty.
    """
    if SIDE_VARIABLE not in os.environ:
        return asked
    forced = os.environ[SIDE_VARIABLE]
    if not forced:
        raise BattleboardError(f"{SIDE_VARIABLE} is set, but empty: it must name a side.")
    if asked not in ("", forced):
        raise BattleboardError(f"You may not watch the side {asked!r}: {SIDE_VARIABLE} allows only {forced!r}.")
    return forced


def read_seat(path: Path, side: str, before: Seat | None = None) -> Seat:
    """What a side sees of a battle now; while it is set up a curtain, the same for any side.

    The file is opened read-only; nothing is written, not even after a crash.

    Args:
        path: the battle's file.
        side: whose seat; "" for the first side there is.
        before: what it saw of the same battle earlier, so that only what came after is looked at.

    Raises:
        Unknown: there is no such side; the message names the nearest.
        BattleboardError: the battle cannot be opened, or there is nobody yet.
    """
    moments: list[Battle] = []
    with closing(open_battle(path, read_only=True, recovers=False, each=moments.append)) as session:
        if session.battle.is_set_up:
            return Seat(side, curtain(session.battle, session.rules))
        if not (known := sides_of(session.battle)):
            raise BattleboardError("The battle has no units that players may see, so there is no side to watch.")
        players = players_side(session.battle)
        side = find_side(session.battle, side or (players if players in known else known[0]), moments)
        if before is None or before.side != side or not 0 < before.looked <= len(moments):
            before = None
        view, memory, events, undone = _follow(session, moments, side, before)
        done = last_command(session.history.done, None, session.rules).aftermath
        after = seat_aftermath(done, session.battle, side, view)
        return Seat(side, view, memory.met, len(moments), after, events[-MOST_COMMANDS:], undone)


def _follow(
    session: Session, moments: Sequence[Battle], side: str, before: Seat | None
) -> tuple[View, Memory, tuple[Sentences, ...], tuple[Sentences, ...]]:
    """What the side sees now, its memory, and what it saw happen and was undone, from where it looked before."""
    memory, looked = (memory_in(before.view, before.met), before.looked) if before else (NOTHING_SEEN, 0)
    view, events, undone = (
        before.view if before else None,
        [*before.events] if before else [],
        [*before.undone] if before else [],
    )
    first = max(looked, len(moments) - MOST_MOMENTS)
    names = side_names(moments, side)
    done: list[int] = []
    taken_back: list[int] = []
    """Places of the moments after the commands that count, and after those that can be redone."""
    for place, batch in enumerate(batches(session.journal.rows())):
        kind = batch.rows[0][0]
        corrects = any(row[0] == CORRECTED for row in batch.rows)  # it stands in place of the last command
        if kind == UNDO:
            taken_back.append(done.pop())
        elif kind == REDO:
            done.append(taken_back.pop())
        else:
            taken_back.clear()
            del done[len(done) - corrects :]
            done.append(place)
        if place < first:
            continue
        now, memory = follow(moments[: place + 1], session.rules, names, memory, looked)
        looked = place + 1
        if kind == UNDO:
            undone += [events.pop()] if events else []
        elif kind == REDO:
            events += [undone.pop()] if undone else []
        elif view is not None and len(done) > 1:
            made = [read_event(*row) for row in batch.rows if not row[0].startswith(COMMAND)]
            before_it = done[-2]
            if corrects:
                del events[-1:]
                view, _ = follow(moments[: before_it + 1], session.rules, names, memory, before_it + 1)
            did = aftermath(moments[before_it], made, session.rules)
            seen = seat_aftermath(did, moments[place], names[place], now)
            events.append((*attack_sentences(seen, now), *view_changes(view, now)))
            undone.clear()
        view = now
    if view is None or first == len(moments):  # nothing has happened since
        view, memory = follow(moments, session.rules, names, memory, looked)
    return view, memory, tuple(events), tuple(undone)


def seat_json(seat: Seat, *, is_whole: bool = False) -> dict[str, Any]:
    """The seat as JSON; numbers of a sheet that are fractions are written as the panel shows them.

    Args:
        seat: what the side sees.
        is_whole: with the state from which the next reading continues.
    """
    units = tuple(replace(unit, stats=_plain_stats(unit)) for unit in seat.view.units)
    found: dict[str, Any] = to_json(replace(seat, view=replace(seat.view, units=units)))
    return found if is_whole else {"side": found["side"], "view": found["view"]}


def seat_of(text: str) -> Seat:
    """The seat that `seat_json` wrote. Raises ValueError when it is none."""
    return from_json(Seat, json.loads(text))


def _plain_stats(unit: UnitView) -> tuple[tuple[str, Any], ...]:
    return tuple((label, shown(value) if isinstance(value, Fraction) else value) for label, value in unit.stats)
