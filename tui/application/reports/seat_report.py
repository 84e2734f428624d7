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
from pathlib import Path
from typing import Any

from engine.battle.state.battle import Battle
from engine.battle.state.codec import from_json, to_json
from engine.battle.views.aftermath import NOTHING_DONE, Aftermath, together
from engine.battle.views.fog_of_war import NOTHING_SEEN, curtain, find_side, memory_in, sides_of
from engine.battle.views.side_moments import SideMoment, side_moments, view_of
from engine.battle.views.unit_letters import players_side
from engine.battle.views.view import LastSeen, UnitView, View
from engine.errors import BattleboardError
from engine.generators import result_of
from engine.journal.history import Moment, Step, aftermath_of
from engine.journal.row_kinds import UNDO
from engine.journal.side_history import SideHistory, hidden_at
from engine.rules.expressions import shown
from engine.rules.model import Ruleset
from engine.values import Stored, replace
from tui.application.describe.view_changes import Told, attack_sentences, view_changes
from tui.application.exports.end_card import EndCard
from tui.application.exports.frames import frames_of_steps
from tui.application.exports.seat_card import seat_card
from tui.application.library.battle_files import open_battle

MOST_MOMENTS, MOST_COMMANDS, MOST_BACK = 100, 200, 8
"""Moments that differ for players which are shown when a battle is opened; commands of which the sentences are kept;
commands that a side saw something of through which what the last one did stays on its board."""
Sentences = tuple[str, ...]
"""What a seat sees of one command."""
SIDE_VARIABLE = "BATTLEBOARD_SIDE"
"""The environment variable that forces a side: where it is set no other may be chosen."""


class SeenCommand(Stored, frozen=True):
    """What a seat sees of one command: sentences, and what it did."""

    told: tuple[Told, ...] = ()
    aftermath: Aftermath = NOTHING_DONE


Shown = tuple[SeenCommand, ...]
"""What is shown with one command: nothing with a secret one; more than one where an undo took what had been shown."""


class SeatReport(Stored, frozen=True):
    """The side, what it sees, and the state from which the next reading continues."""

    side: str
    view: View
    met: tuple[LastSeen, ...] = ()
    """The others that it has seen, as it saw them last."""
    moments: int = 0
    """How many moments of the battle it has seen."""
    did: tuple[Shown, ...] = ()
    """What the side saw of each command, the latest last. What was undone is left out."""
    undid: tuple[Shown, ...] = ()
    """The same of undone commands that can be redone, the next to redo last."""
    card: EndCard | None = None
    """The end card of what the side saw, once the battle is finished."""

    @property
    def events(self) -> tuple[Sentences, ...]:
        """What the side saw happen, a sentence each, by command; the latest last."""
        return tuple(sentences for shown in self.did if (sentences := _sentences(shown)))

    @property
    def told(self) -> tuple[Told, ...]:
        """The same sentences, each with what it begins."""
        return tuple(told for shown in self.did for one in shown for told in one.told)

    @property
    def undone(self) -> tuple[Sentences, ...]:
        """The same of undone commands."""
        return tuple(sentences for shown in self.undid if (sentences := _sentences(shown)))

    @property
    def aftermath(self) -> Aftermath:
        """What the side knows of what the last command did that it saw something of, and that has something to show."""
        seen = [shown for shown in reversed(self.did) if shown][:MOST_BACK]
        found = (one.aftermath for shown in seen for one in reversed(shown))
        return next((done for done in found if not done.is_empty), NOTHING_DONE)


def _sentences(shown: Shown) -> Sentences:
    return tuple(told.sentence for one in shown for told in one.told)


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
    memory, remembered = (memory_in(before.view, before.met), before.moments) if before else (NOTHING_SEEN, 0)
    seen = [*side_moments(battles, side, memory, remembered)]
    history = SideHistory(partial(_seen_of, rules), *((before.did, before.undid) if before else ()))
    first = max(remembered, _first_shown([one.battle for one in seen]))
    for place, (moment, now) in enumerate(zip(moments, seen, strict=True)):
        (history.take if place >= first else history.pass_over)(moment, now)
    view = curtain(battle, rules) if seen[-1].battle is None else view_of(seen[-1], rules)
    met = tuple(seen[-1].memory.met.values())
    card = _end_card(moments, rules, seen[-1].side) if view.is_finished else None
    return SeatReport(side, view, met, len(moments), _kept(history.done), tuple(history.undone), card)


def _end_card(moments: Sequence[Moment], rules: Ruleset, side: str) -> EndCard | None:
    """The end card of what a side saw of the commands that count; None where it saw nothing."""
    battles = {one.step.number: one.battle for one in moments if one.kind != UNDO}
    last = moments[-1].step.previous if moments[-1].kind == UNDO else moments[-1].step
    steps: list[Step] = []
    for step in reversed([*last.backwards()] if last else []):
        kept = battles.get(step.number, step.kept)
        steps.append(replace(step, kept=kept, previous=steps[-1] if steps else None))
    frames = result_of(frames_of_steps(steps, rules, side))
    return seat_card(moments[-1].battle.field.name, frames, side) if frames else None


def _seen_of(rules: Ruleset, steps: Sequence[Step], before: SideMoment | None, now: SideMoment) -> SeenCommand | None:
    """What a side saw of some steps that it is shown together; None for nothing."""
    if before is None or now.battle is None:
        return None
    *earlier, last = steps
    parts = [*(_aftermath(step, now, rules, hidden_at(step)) for step in earlier), _aftermath(last, now, rules)]
    done, view = together(parts, now.battle.units), view_of(now, rules)
    changes = view_changes(view_of(before, rules), view) if before.battle is not None else ()
    seen = SeenCommand((*map(Told, attack_sentences(done, view)), *changes), done)
    return seen if seen != SeenCommand() else None


def _aftermath(step: Step, now: SideMoment, rules: Ruleset, hidden: frozenset[str] = frozenset()) -> Aftermath:
    """What a side knows of what a step did; `hidden` has those of whom it did not know at the time."""
    return aftermath_of(step, rules).seen_by(now.own - hidden, now.units - hidden, now.squares)


def _first_shown(public: Sequence[Battle | None]) -> int:
    """The place of the first moment that is shown when a battle is opened: the last MOST_MOMENTS that differ are."""
    place = shown = 0
    for place in range(len(public) - 1, 0, -1):
        one, other = public[place - 1], public[place]
        shown += one != other
        if shown == MOST_MOMENTS:
            return place
    return 0


def _kept(did: Sequence[Shown]) -> tuple[Shown, ...]:
    """The latest commands, and what those did that may still be shown."""
    seen = [place for place, shown in enumerate(did) if shown]
    first = seen[-MOST_COMMANDS] if len(seen) > MOST_COMMANDS else 0
    bare = seen[-2 * MOST_BACK] if len(seen) > 2 * MOST_BACK else 0
    return tuple(
        tuple(replace(one, aftermath=NOTHING_DONE) if place < bare and one.told else one for one in shown)
        for place, shown in enumerate(did)
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
