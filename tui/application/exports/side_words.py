"""What one side saw happen in a step, in words: built up from what it may know, and never cut down.

Of its own units everything is told but the rolls against others; of others what is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.battle import events as ev
from engine.battle.events.event import OWN_UNITS, UNITS_IN_SIGHT, units_named
from engine.battle.narration import name_of, narrate
from engine.battle.state.battle import Battle
from engine.battle.views.aftermath import HEALED, Aftermath
from engine.battle.views.attack_outcomes import HIT
from engine.journal.history import Step
from engine.rules.model import Ruleset
from engine.text import upper_first
from tui.application.exports.log_cleanup import Sight, events_with_battles, what_counts
from tui.application.exports.markdown_report import attack_result, turn_heading

HEADINGS = ev.RoundBegan | ev.TurnBegan | ev.TurnTakenUp | ev.TurnResumed
ROUND, TURN = "## ", "### "
"""Marks of the headings of a round and a turn."""


def side_words(step: Step, sight: Sight, done: Aftermath, rules: Ruleset) -> Iterator[tuple[str, str]]:
    """What a side saw happen in a step: ROUND or TURN with a heading, "" with a sentence.

    Args:
        step: what happened, and the step before it.
        sight: whom and what the side sees.
        done: what the side knows of what it did.
        rules: the battle's.
    """
    battle, events = step.after, step.events
    ends = what_counts(events)
    moved = {event.unit for event in events if isinstance(event, ev.UnitMoved)}
    appeared, coming = sorted(sight.new - moved) if step.previous else [], {*sight.new}
    for place, (event, before) in enumerate(events_with_battles(step)):
        if not isinstance(event, HEADINGS):
            yield from _sentences(_in_sight(appeared, battle))
            appeared = []
        unknown = {*before.units, *battle.units} - sight.known
        match event:
            case ev.RoundBegan():
                yield ROUND, f"Round {event.round}"
            case ev.TurnBegan() | ev.TurnTakenUp() | ev.TurnResumed():
                if event.unit in sight.known:
                    yield TURN, turn_heading(event, battle)
                elif event.unit in before.units and not before.units[event.unit].is_hidden:
                    yield TURN, "A unit out of sight"
            case ev.AttackRolled():
                result = attack_result(step, place, ends, rules, unknown)
                yield from _sentences(_attack(event, result, sight, battle))
            case ev.BurstLanded() if event.at in sight.squares:
                yield "", f"{event.weapon_label} goes off on {event.at.name}."
            case ev.UnitMoved() if event.unit in sight.after - sight.own:
                to = event.path[-1]
                if to in sight.squares or to == battle.units[event.unit].at:
                    moves = "comes into sight on" if event.unit in coming else "moves to"
                    coming.discard(event.unit)
                    yield "", f"{upper_first(name_of(event.unit, battle))} {moves} {to.name}."
            case _ if _is_reported(event, sight):
                said = narrate(event, battle, rules)
                if said and unknown.isdisjoint(units_named(event)):
                    yield "", said
    yield from _sentences(_in_sight(appeared, battle))
    for mark in done.marks:
        if mark.unit not in sight.own and mark.kind in (HIT, HEALED):
            does = "loses" if mark.kind == HIT else "regains"
            yield "", f"{upper_first(name_of(mark.unit, battle))} {does} {mark.amount}."


def _sentences(said: Iterable[str]) -> Iterator[tuple[str, str]]:
    return (("", words) for words in said)


def _is_reported(event: ev.Event, sight: Sight) -> bool:
    """Whether a side's report has an event as the log has it."""
    units = {OWN_UNITS: sight.own, UNITS_IN_SIGHT: sight.after}.get(event.reported_for, frozenset())
    return getattr(event, "unit", "") in units


def _in_sight(units: Sequence[str], battle: Battle) -> Iterator[str]:
    """Those whom a step brings into sight without a move of theirs: revealed, added, or in light now."""
    yield from (f"{upper_first(name_of(unit, battle))} is in sight on {battle.units[unit].at.name}." for unit in units)


def _attack(event: ev.AttackRolled, result: str, sight: Sight, battle: Battle) -> Iterator[str]:
    """An attack, as far as its two ends are known."""
    target = name_of(event.target, battle) if event.target in sight.known else ""
    if event.square is not None and (event.unit in sight.own or event.square in sight.squares):
        target = event.square.name
    if event.unit in sight.known:
        end = f": {result}" if target or event.unit in sight.own else ""
        yield f"{upper_first(name_of(event.unit, battle))} → {target or 'unseen target'}, {event.weapon_label}{end}."
    elif target and event.square is None:
        yield f"An unseen attacker attacks {target}: {result}."
