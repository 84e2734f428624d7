"""Frames: what a battle's board shows after each step, for pictures and recordings.

For the players what the GM has hidden and noted is in none of them; for a side, what that side saw, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial

from msgspec import Struct

from engine.battle.events import UnitMoved, UnitsAdded
from engine.battle.state.battle import Battle
from engine.battle.views.aftermath import NOTHING_DONE, Aftermath, together
from engine.battle.views.fog_of_war import named_by
from engine.battle.views.side_moments import SideMoment, side_moments, table_moments, view_of
from engine.battle.views.unit_letters import named_for
from engine.battle.views.view import View
from engine.geometry.squares import Square
from engine.journal.history import NEW, Moment, Step, aftermath_of
from engine.journal.session import Session
from engine.journal.side_history import SideHistory, hidden_at
from engine.rules.model import Ruleset
from engine.values import replace
from tui.application.exports.attack_tally import AttackMade, attacks_of
from tui.application.exports.format_list import PLAYERS
from tui.application.exports.log_cleanup import Sight, hidden_on_arrival, known_events, what_counts
from tui.application.exports.markdown_report import event_words
from tui.application.exports.side_words import side_words
from tui.application.terminal.jobs import Job


class ReplayFrame(Struct, frozen=True):
    """What is seen after a step."""

    number: int
    """1 for the first step of the battle, or for the first in which a side sees something."""
    battle: Battle
    """The battle after the step, as far as it may be known."""
    project: Callable[[], View]
    """Works out `view`, which of most frames nobody asks for, and all of which together would fill the memory."""
    done: Aftermath
    """What the step did."""
    words: tuple[tuple[str, str], ...]
    """What happened in it: "" with a sentence; for a side ROUND or TURN with the heading of a round or a turn."""
    sight: Sight
    attacks: tuple[AttackMade, ...] = ()
    """The attacks that are known of it, and what was lost without one."""

    @property
    def view(self) -> View:
        """What is seen then; worked out each time."""
        return self.project()

    @property
    def sentences(self) -> list[str]:
        """What happened in it, without headings."""
        return [words for mark, words in self.words if not mark]

    @property
    def round(self) -> int:
        return self.battle.turns.round


def frames_of(session: Session, side: str = "") -> Job[list[ReplayFrame]]:
    """A frame for each step that counts, the first one when the battle is set up; a part of the job is a step.

    For players steps in which they see nothing are none: their number and their time would tell of them. What leads to
    the turn of somebody hidden is in one frame with what they see next.

    Args:
        session: the battle.
        side: whose sight; PLAYERS for all that the GM has not hidden, "" for everything.
    """
    return (yield from frames_of_steps(session.history.steps_with_battles(), session.rules, side))


def frames_of_steps(steps: Sequence[Step], rules: Ruleset, side: str = "") -> Job[list[ReplayFrame]]:
    """The same of the steps that count, the first one first, each with the battle after it."""
    arrived = hidden_on_arrival(steps) if side else (frozenset[str](),) * len(steps)
    battles = [_with_hidden(step.after, hidden) for step, hidden in zip(steps, arrived, strict=True)]
    moments: Iterable[SideMoment]
    if side == PLAYERS:
        hidden = {step.number: hidden_at(step) | new for step, new in zip(steps, arrived, strict=True)}
        moments, see = table_moments(battles), partial(_of_all, rules, hidden)
    elif side:
        moments, see = side_moments(battles, side), partial(_of_side, rules)
    else:
        moments, see = map(_whole, battles), partial(_of_all, rules, None)
    history = SideHistory[ReplayFrame](see)
    for number, (step, now) in enumerate(zip(steps, moments, strict=True), 1):
        yield Fraction(number, len(steps))
        history.take(Moment(NEW, step, step.after), now)
    numbered = [(number, frame) for number, shown in enumerate(history.done, 1) for frame in shown]
    if side:
        numbered = [(number, frame) for number, (_, frame) in enumerate(numbered, 1)]
    return [replace(frame, number=number) for number, frame in numbered]


def _table_words(step: Step, sight: Sight | None, rules: Ruleset) -> Iterator[str]:
    """What happened in a step: all of it, or what those know who have this sight."""
    came = (unit.id for event in step.events if isinstance(event, UnitsAdded) for unit in event.units)
    everybody = {*step.after.units, *(step.previous.after.units if step.previous else ()), *came}
    hidden = frozenset(everybody - sight.known) if sight else None
    ends = what_counts(step.events)
    for place, event in enumerate(known_events(step, hidden, rules)):
        if said := event_words(step, place, event, hidden, ends, rules):
            yield said


def _whole(battle: Battle) -> SideMoment:
    """What the GM knows: all."""
    return SideMoment(None if battle.is_set_up else battle)


def _of_all(
    rules: Ruleset,
    hidden: Mapping[int, frozenset[str]] | None,
    steps: Sequence[Step],
    before: SideMoment | None,
    now: SideMoment,
) -> ReplayFrame | None:
    """The frame of all but those who are hidden: their ids by the steps' numbers, None for the GM."""
    if now.battle is None:
        return None
    parts = [(step, _whole_sight(step, hidden[step.number] if hidden else frozenset())) for step in steps]
    done = together([_aftermath(step, sight, rules) for step, sight in parts], now.battle.units)
    is_whole = hidden is None
    told = parts if is_whole else [(_told(step, named_for(step.after)), sight) for step, sight in parts]
    words = [("", said) for step, sight in told for said in _table_words(step, None if is_whole else sight, rules)]
    attacks = tuple(made for step, sight in parts for made in attacks_of(step, rules, None if is_whole else sight))
    frame = ReplayFrame(0, now.battle, partial(view_of, now, rules), done, tuple(words), parts[-1][1], attacks)
    return frame if is_whole or _is_seen(frame, before, now, rules) else None


def _whole_sight(step: Step, hidden: frozenset[str]) -> Sight:
    """All squares, and all units but some."""
    field = step.after.field
    before = frozenset(step.previous.after.units if step.previous else ()) - hidden
    after = frozenset(step.after.units) - hidden
    return Sight(before | after, after, after, _squares(field.columns, field.rows), after - before)


@lru_cache(1)
def _squares(columns: int, rows: int) -> frozenset[Square]:
    return frozenset(Square(column, row) for row in range(rows) for column in range(columns))


def _aftermath(step: Step, sight: Sight, rules: Ruleset) -> Aftermath:
    return aftermath_of(step, rules).seen_by(sight.own, sight.after, sight.squares)


def _of_side(rules: Ruleset, steps: Sequence[Step], before: SideMoment | None, now: SideMoment) -> ReplayFrame | None:
    """The frame of what a side saw."""
    if now.battle is None:
        return None
    was = before or SideMoment(None)
    sight = Sight(was.units | now.units, now.own, now.units, was.squares | now.squares, now.units - was.units)
    parts = _parts(steps, sight)
    effects = [_aftermath(step, seen, rules) for step, seen in parts]
    words = [
        said
        for (step, seen), done in zip(parts, effects, strict=True)
        for said in side_words(_told(step, named_by(step.after, now.side, now.memory.met)), seen, done, rules)
    ]
    done = together(effects, now.battle.units)
    attacks = tuple(made for step, seen in parts for made in attacks_of(step, rules, seen))
    frame = ReplayFrame(0, now.battle, partial(view_of, now, rules), done, tuple(words), sight, attacks)
    return frame if _is_seen(frame, before, now, rules) else None


def _told(step: Step, named: Battle) -> Step:
    """A step as those tell of it who know its units by these names."""
    return replace(step, kept=named)


def _parts(steps: Sequence[Step], sight: Sight) -> list[tuple[Step, Sight]]:
    """Steps that are shown together, each with whom and what is in sight of those who were not hidden then.

    Who comes into sight does so with the first of them, but with its own move where it moves, and as it is revealed.
    """
    parts: list[tuple[Step, Sight]] = []
    new = sight.new
    for place, step in enumerate(steps[:-1]):
        moved = {event.unit for later in steps[place + 1 :] for event in later.events if isinstance(event, UnitMoved)}
        hidden = hidden_at(step)
        appeared = (new & step.after.units.keys()) - hidden - moved
        parts.append(
            (step, Sight(sight.known - hidden, sight.own - hidden, sight.after - hidden, sight.squares, appeared))
        )
        new -= appeared
    return [*parts, (steps[-1], replace(sight, new=new))]


def _is_seen(frame: ReplayFrame, before: SideMoment | None, now: SideMoment, rules: Ruleset) -> bool:
    """Whether anything is seen of what was done, by the board or in words."""
    if before is None or before.battle is None or not frame.done.is_empty or frame.sentences:
        return True
    if before.battle is now.battle and before.memory is now.memory:
        return False
    return view_of(now, rules) != view_of(before, rules)


def _with_hidden(battle: Battle, hidden: frozenset[str]) -> Battle:
    """A battle with those hidden already who are before anybody acts."""
    if not hidden:
        return battle
    units = {key: replace(unit, is_hidden=True) if key in hidden else unit for key, unit in battle.units.items()}
    return replace(battle, units=units)


def merged(frames: Sequence[ReplayFrame]) -> Aftermath:
    """What several steps did together: all paths and lines, and what each unit lost in all, where it is at the end."""
    if not frames:
        return NOTHING_DONE
    last = frames[-1]
    return together([frame.done for frame in frames], {unit: last.battle.units[unit] for unit in last.sight.after})
