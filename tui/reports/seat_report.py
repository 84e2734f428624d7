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
from functools import partial
from itertools import islice, takewhile
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
from engine.journal.history import NEW, Moment, Step
from engine.journal.row_kinds import REDO, UNDO
from engine.rules.expressions import shown
from engine.rules.model import Ruleset
from engine.values import Stored, replace
from tui.describe.view_changes import attack_sentences, view_changes
from tui.library.battle_files import open_battle

MOST_MOMENTS, MOST_COMMANDS, MOST_BACK = 100, 200, 8
"""Moments that differ for players which are shown when a battle is opened; commands of which the sentences are kept;
commands that a side saw something of through which what the last one did stays on its board."""
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
    moments: int = 0
    """How many moments of the battle it has seen."""
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
    moments: list[Moment] = []
    with closing(open_battle(path, read_only=True, recovers=False, each=moments.append)) as session:
        rules = session.rules
    return seat_now(moments, rules, side, before)


def seat_now(moments: Sequence[Moment], rules: Ruleset, side: str, before: SeatReport | None = None) -> SeatReport:
    """What a side sees after these moments of a battle; `read_seat` has the rest."""
    battle = moments[-1].battle
    if battle.is_set_up:
        return SeatReport(side, curtain(battle, rules))
    if not (known := sides_of(battle)):
        raise BattleboardError("The battle has no units that players may see, so there is no side to watch.")
    players, battles = players_side(battle), [one.battle for one in moments]
    side = find_side(battle, side or (players if players in known else known[0]), battles)
    if before is None or before.side != side or not 0 < before.moments <= len(moments):
        before = None
    return _follow(moments, battles, rules, side, before)


def _follow(
    moments: Sequence[Moment], battles: Sequence[Battle], rules: Ruleset, side: str, before: SeatReport | None
) -> SeatReport:
    """What the side sees now, and what it saw happen and was undone, from where it looked before."""
    names = side_names(battles, side)
    public = [one and table_battle(one) for one in for_players(battles)]
    memory, remembered = (memory_in(before.view, before.met), before.moments) if before else (NOTHING_SEEN, 0)
    observer = SideObserver(memory)

    def seen_at(place: int) -> View:
        """The side's view of a moment, on the ground that it remembers now."""
        if (known := public[place]) is None:
            return curtain(battles[place], rules)
        return seat_view(known, rules, names[place], observer.memory)

    def observe(place: int) -> None:
        if (known := public[place]) is not None:
            observer.observe(known, names[place])

    first = max(remembered, _first_shown(public))
    for place in range(remembered, first):
        observe(place)
    view = before.view if before else seen_at(first - 1) if first else None
    did, undid = ([*before.did], [*before.undid]) if before else ([], [])
    places = {one.step.number: place for place, one in enumerate(moments) if one.kind == NEW}
    """The place of the moment at which each step was made, by its number."""
    for place in range(first, len(moments)):
        moment, previous = moments[place], moments[place].step.previous
        observe(place)
        is_new = view is None or not place or (public[place], names[place]) != (public[place - 1], names[place - 1])
        now = seen_at(place) if is_new or view is None else view
        if moment.kind == UNDO:
            undid += [did.pop()] if did else []
            if did and leads_to_hidden_turn(battles[place - 1], moment.battle):  # what was shown stays shown
                did[-1], undid[-1] = _joined(did[-1], undid[-1]), NOTHING_OF_IT
        elif moment.kind == REDO:
            did += [undid.pop()] if undid else []
        elif view is not None and previous is not None:
            if any(isinstance(event, RollCorrected) for event in moment.step.events):  # in place of the last command
                del did[-1:]
                view = seen_at(places[previous.number])
            if leads_to_hidden_turn(battles[place - 1], moment.battle):
                did.append(NOTHING_OF_IT)
            else:
                seen = partial(_seen_of, moment.step, public[place], names[place], rules, view, now)
                alone, more = seen(1), _not_shown_yet(moment.step, did)
                is_joined = more and (alone != NOTHING_OF_IT or not is_hidden_turn(moment.battle))
                did.append(seen(1 + more) if is_joined else alone)
            undid.clear()
        view = now
    last = len(moments) - 1
    return SeatReport(side, view or seen_at(last), observer.memory.met, last + 1, _kept(did), tuple(undid))


def _seen_of(
    step: Step, known: Battle | None, side: str, rules: Ruleset, before: View, now: View, count: int
) -> SeenCommand:
    """What a side saw of a step and those before it, so many in all, which it is shown together.

    Args:
        step: the last of them.
        known: the battle after it as the table may know it; None while it is set up.
        side: whose seat.
        rules: the battle's.
        before: what the side saw before the last of them.
        now: what it sees now.
        count: how many.
    """
    if known is None:
        return NOTHING_OF_IT
    steps = [*islice(step.backwards(), count + 1)]
    events = [event for one in reversed(steps[:count]) for event in one.events]
    part = seat_aftermath(aftermath(steps[count].after, events, rules), known, side, now)
    return SeenCommand((*attack_sentences(part, now), *view_changes(before, now)), part)


def _joined(one: SeenCommand, other: SeenCommand) -> SeenCommand:
    """What was seen of two commands, one after the other."""
    done = one.aftermath if other.aftermath.is_empty else other.aftermath
    return SeenCommand((*one.sentences, *other.sentences), done)


def _not_shown_yet(step: Step, did: Sequence[SeenCommand]) -> int:
    """How many steps before one led to the turn of somebody hidden, or were in it, and are not shown yet."""
    earlier = zip(islice(step.backwards(), 1, None), reversed(did), strict=False)
    return sum(1 for _ in takewhile(lambda one: one[1] == NOTHING_OF_IT and is_hidden_turn(one[0].after), earlier))


def _first_shown(public: Sequence[Battle | None]) -> int:
    """The place of the first moment that is shown when a battle is opened: the last MOST_MOMENTS that differ are."""
    place = shown = 0
    for place in range(len(public) - 1, 0, -1):
        one, other = public[place - 1], public[place]
        shown += one != other
        if shown == MOST_MOMENTS:
            return place
    return 0


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
