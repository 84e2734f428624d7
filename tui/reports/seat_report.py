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
from itertools import takewhile
from pathlib import Path
from typing import Any

from engine.battle.events import RollCorrected
from engine.battle.state.battle import Battle
from engine.battle.state.codec import from_json, to_json
from engine.battle.views.aftermath import NOTHING_DONE, Aftermath, aftermath
from engine.battle.views.fog_of_war import (
    NOTHING_SEEN,
    SideObserver,
    curtain,
    find_side,
    memory_in,
    seat_aftermath,
    seat_view,
    side_names,
    sides_of,
)
from engine.battle.views.known_battle import for_players, is_hidden_turn, leads_to_hidden_turn, table_battle
from engine.battle.views.unit_letters import players_side
from engine.battle.views.view import UnitView, View
from engine.errors import BattleboardError
from engine.journal.batches import batches
from engine.journal.history import read_event
from engine.journal.row_kinds import COMMAND, KINDS, REDO, UNDO
from engine.journal.session import Session
from engine.rules.expressions import shown
from engine.rules.model import Ruleset
from engine.values import Stored, replace
from tui.describe.view_changes import attack_sentences, view_changes
from tui.library.battle_files import open_battle

MOST_MOMENTS, MOST_COMMANDS, MOST_BACK = 100, 200, 8
"""Moments that players are told of which are shown when a battle is opened; commands of which the sentences are kept;
commands that a side saw something of through which what the last one did stays on its board."""
CORRECTED = KINDS[RollCorrected]
Sentences = tuple[str, ...]
"""What a seat sees of one command."""
SIDE_VARIABLE = "BATTLEBOARD_SIDE"
"""The environment variable that forces a side: where it is set no other may be chosen."""


class SeenCommand(Stored, frozen=True):
    """What a seat sees of one command: sentences, and what it did; nothing of one that is secret."""

    sentences: Sentences = ()
    aftermath: Aftermath = NOTHING_DONE


NOTHING_OF_IT = SeenCommand()


class SeatReport(Stored, frozen=True):
    """The side, what it sees, and the state from which the next reading continues."""

    side: str
    view: View
    met: tuple[str, ...] = ()
    """Ids of the others that it has seen."""
    looked: int = 0
    """How many moments of the battle have been looked at."""
    did: tuple[SeenCommand, ...] = ()
    """What the side saw of each command, the latest last. What was undone is left out."""
    undid: tuple[SeenCommand, ...] = ()
    """The same of undone commands that can be redone, the next to redo last."""

    @property
    def events(self) -> tuple[Sentences, ...]:
        """What the side saw happen, a sentence each, by command; the latest last."""
        return tuple(one.sentences for one in self.did if one.sentences)

    @property
    def undone(self) -> tuple[Sentences, ...]:
        """The same of undone commands."""
        return tuple(one.sentences for one in self.undid if one.sentences)

    @property
    def aftermath(self) -> Aftermath:
        """What the side knows of what the last command did that it saw something of, and that has something to show."""
        seen = [one for one in reversed(self.did) if one != NOTHING_OF_IT][:MOST_BACK]
        return next((one.aftermath for one in seen if not one.aftermath.is_empty), NOTHING_DONE)


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


def read_seat(path: Path, side: str, before: SeatReport | None = None) -> SeatReport:
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
        return seat_now(session, moments, side, before)


def seat_now(session: Session, moments: Sequence[Battle], side: str, before: SeatReport | None = None) -> SeatReport:
    """What a side sees of a battle whose moments are known; `read_seat` has the rest."""
    if session.battle.is_set_up:
        return SeatReport(side, curtain(session.battle, session.rules))
    if not (known := sides_of(session.battle)):
        raise BattleboardError("The battle has no units that players may see, so there is no side to watch.")
    players = players_side(session.battle)
    side = find_side(session.battle, side or (players if players in known else known[0]), moments)
    if before is None or before.side != side or not 0 < before.looked <= len(moments):
        before = None
    return _follow(session, moments, side, before)


def _follow(session: Session, moments: Sequence[Battle], side: str, before: SeatReport | None) -> SeatReport:
    """What the side sees now, and what it saw happen and was undone, from where it looked before."""
    rules, names = session.rules, side_names(moments, side)
    public = [one and table_battle(one) for one in for_players(moments)]
    memory, looked = (memory_in(before.view, before.met), before.looked) if before else (NOTHING_SEEN, 0)
    did, undid = ([*before.did], [*before.undid]) if before else ([], [])
    first = max(looked, _first_shown(public))
    observer = SideObserver(memory)
    for place in range(looked, first):
        _observe(observer, public[place], names[place])
    view = before.view if before else None
    if before is None and first:
        view = _seen(public, moments, first - 1, rules, names, observer)
    done: list[int] = []
    taken_back: list[int] = []
    """Places of the moments after the commands that count, and after those that can be redone."""
    taken = [batch.rows for batch in batches(session.journal.rows())]
    for place, rows in enumerate(taken):
        kind = rows[0][0]
        corrects = any(row[0] == CORRECTED for row in rows)  # it stands in place of the last command
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
        _observe(observer, public[place], names[place])
        is_new = view is None or not place or (public[place], names[place]) != (public[place - 1], names[place - 1])
        now = _seen(public, moments, place, rules, names, observer) if is_new or view is None else view
        if kind == UNDO:
            undid += [did.pop()] if did else []
            if did and leads_to_hidden_turn(moments[place - 1], moments[place]):  # what was told stays told
                did[-1], undid[-1] = _joined(did[-1], undid[-1]), NOTHING_OF_IT
        elif kind == REDO:
            did += [undid.pop()] if undid else []
        elif view is not None and len(done) > 1:
            if corrects:
                del did[-1:]
                view = _seen(public, moments, done[-2], rules, names, observer)

            def seen(count: int, view: View = view, now: View = now, place: int = place) -> SeenCommand:
                """What the side saw of the last commands that count, which it is told together."""
                made = [
                    read_event(*row) for one in done[-count:] for row in taken[one] if not row[0].startswith(COMMAND)
                ]
                battle = public[place]
                if battle is None:
                    return NOTHING_OF_IT
                whole = aftermath(moments[done[-1 - count]], made, rules)
                part = seat_aftermath(whole, battle, names[place], now)
                return SeenCommand((*attack_sentences(part, now), *view_changes(view, now)), part)

            if leads_to_hidden_turn(moments[place - 1], moments[place]):
                did.append(NOTHING_OF_IT)
            else:
                alone, untold = seen(1), _untold(moments, done, did)
                is_told = untold and (alone != NOTHING_OF_IT or not is_hidden_turn(moments[place]))
                did.append(seen(1 + untold) if is_told else alone)
            undid.clear()
        view = now
    last = len(moments) - 1
    view = view or _seen(public, moments, last, rules, names, observer)
    return SeatReport(side, view, observer.memory.met, last + 1, _kept(did), tuple(undid))


def _joined(one: SeenCommand, other: SeenCommand) -> SeenCommand:
    """What was seen of two commands, one after the other."""
    done = one.aftermath if other.aftermath.is_empty else other.aftermath
    return SeenCommand((*one.sentences, *other.sentences), done)


def _untold(moments: Sequence[Battle], done: Sequence[int], did: Sequence[SeenCommand]) -> int:
    """How many commands before the last led to the turn of somebody hidden, or were in it, and are not told yet."""
    earlier = zip(reversed(done[:-1]), reversed(did), strict=False)
    untold = takewhile(lambda one: one[1] == NOTHING_OF_IT and is_hidden_turn(moments[one[0]]), earlier)
    return sum(1 for _ in untold)


def _first_shown(public: Sequence[Battle | None]) -> int:
    """The place of the first moment that is shown when a battle is opened: the last MOST_MOMENTS that differ are."""
    place = shown = 0
    for place in range(len(public) - 1, 0, -1):
        one, other = public[place - 1], public[place]
        shown += one != other
        if shown == MOST_MOMENTS:
            return place
    return 0


def _observe(observer: SideObserver, public: Battle | None, name: str) -> None:
    if public is not None:
        observer.observe(public, name)


def _seen(
    public: Sequence[Battle | None],
    moments: Sequence[Battle],
    place: int,
    rules: Ruleset,
    names: Sequence[str],
    observer: SideObserver,
) -> View:
    """The side's view of a moment, on the ground that it remembers now."""
    battle = public[place]
    if battle is None:
        return curtain(moments[place], rules)
    return seat_view(battle, rules, names[place], observer.memory)


def _kept(did: Sequence[SeenCommand]) -> tuple[SeenCommand, ...]:
    """The latest commands, and what those did that may still be shown."""
    seen = [place for place, one in enumerate(did) if one != NOTHING_OF_IT]
    first = seen[-MOST_COMMANDS] if len(seen) > MOST_COMMANDS else 0
    bare = seen[-2 * MOST_BACK] if len(seen) > 2 * MOST_BACK else 0
    return tuple(
        replace(one, aftermath=NOTHING_DONE) if place < bare and one.sentences else one
        for place, one in enumerate(did)
        if place >= first
    )


def seat_json(seat: SeatReport, *, is_whole: bool = False) -> dict[str, Any]:
    """The seat as JSON; numbers of a sheet that are fractions are written as the panel shows them.

    Args:
        seat: what the side sees.
        is_whole: with the state from which the next reading continues.
    """
    units = tuple(replace(unit, stats=_plain_stats(unit)) for unit in seat.view.units)
    found: dict[str, Any] = to_json(replace(seat, view=replace(seat.view, units=units)))
    return found if is_whole else {"side": found["side"], "view": found["view"]}


def seat_of(text: str) -> SeatReport:
    """The seat that `seat_json` wrote. Raises ValueError when it is none."""
    return from_json(SeatReport, json.loads(text))


def _plain_stats(unit: UnitView) -> tuple[tuple[str, Any], ...]:
    return tuple((label, shown(value) if isinstance(value, Fraction) else value) for label, value in unit.stats)
