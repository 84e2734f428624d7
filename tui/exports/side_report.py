"""What one side saw of a battle, in words: its report, built up from what it may know and never cut down.

Of its own units the log tells everything but the rolls against others; of others what is seen. Receipts hold the
others' numbers, so there are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.battle import events as ev
from engine.battle.narration import name_of, narrate
from engine.battle.setup import pools_of
from engine.battle.state.battle import Battle
from engine.battle.views.aftermath import HEALED
from engine.battle.views.attack_outcomes import HIT
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.text import side_name
from tui.describe.battle_start import SETTING_UP
from tui.exports.battle_titles import battle_title
from tui.exports.format_list import view_words
from tui.exports.frames import ReplayFrame, frames_of
from tui.exports.log_cleanup import what_counts
from tui.exports.markdown_report import (
    BLANKS,
    attack_result,
    plain,
    rounds_words,
    turn_heading,
    without_empty,
    words_in,
)

OF_OWN = (
    ev.ActionTaken | ev.AltitudeChanged | ev.ConditionBegan | ev.ConditionEnded | ev.PoolChanged | ev.RoundsChanged
    | ev.MarkerCleared | ev.MarkerSet | ev.UnitMoved | ev.WeaponBroken | ev.WeaponDropped | ev.WeaponReadied
    | ev.WeaponTaken
)  # fmt: skip
"""Told of a side's own units as the log tells it."""
OF_ALL = ev.PostureTaken | ev.UnitDefeated | ev.UnitFell | ev.UnitRecovered
"""Told of everybody in sight as the log tells it: no numbers are in it."""
HEADINGS = ev.RoundBegan | ev.TurnBegan | ev.TurnTakenUp | ev.TurnResumed
ROUND, TURN = "## ", "### "
"""How the lines begin that begin a round and a turn."""


def side_markdown(session: Session, side: str) -> str:
    """The report of what a side saw."""
    header, rules = session.journal.header, session.rules
    frames = frames_of(session, side)
    lines = [f"# {plain(battle_title(session))}", "", f"{plain(rules.name)}, begun {plain(header.created[:10])}."]
    if not frames:
        return "\n".join([*lines, "", SETTING_UP, ""])
    lines[-1] += f" {rounds_words(session.history.steps_with_battles())}, as {plain(side_name(side))} saw it."
    log = [_line(words) for frame in frames for words in side_words(frame, rules)]
    lines += ["", f"*{plain(view_words(side))}*"]
    lines += ["", "## Units", "", *_people(frames, session.battle, side, rules), ""]
    lines += without_empty([row for line in log for row in line.split("\n")])
    return BLANKS.sub("\n\n", "\n".join([*lines, "", f"*Written by battleboard {plain(header.version)}.*", ""]))


def _line(words: str) -> str:
    for mark in (TURN, ROUND):
        if words.startswith(mark):
            return f"\n{mark}{plain(words.removeprefix(mark))}\n"
    return f"- {plain(words)}"


def _people(frames: Sequence[ReplayFrame], battle: Battle, side: str, rules: Ruleset) -> Iterator[str]:
    """A side's own units with the first number and what is no longer full, and the others that it met."""
    yield "| Name | Side | Left | When last seen |"
    yield "|---|---|---|---|"
    last = {unit.id: unit for frame in frames for unit in frame.view.units}
    for unit in sorted(last.values(), key=lambda unit: unit.side != side):
        own, left = battle.units.get(unit.id), ""
        if own is not None and unit.side == side and (own.character or unit.role in rules.units.sheets):
            full = pools_of(rules, own)
            pools = rules.units.pools.values()
            left = "; ".join(
                f"{pool.label} {own.pools.get(pool.id, 0)} of {full.get(pool.id, 0)}"
                for place, pool in enumerate(pools)
                if place == 0 or own.pools.get(pool.id, 0) != full.get(pool.id, 0)
            )
        cells = (
            unit.name,
            side_name(unit.side),
            left,
            "out of the fight" if unit.is_defeated else f"on {unit.at.name}",
        )
        yield f"| {' | '.join(plain(cell) for cell in cells)} |"


def side_words(frame: ReplayFrame, rules: Ruleset) -> Iterator[str]:
    """What a side saw happen in a step, a sentence each; rounds and turns begin with ROUND and TURN."""
    sight, battle, events = frame.sight, frame.step.after, frame.step.events
    ends = what_counts(events)
    unknown = {*battle.units} - sight.known
    names = {battle.units[unit].name.casefold() for unit in unknown}
    moved = {event.unit for event in events if isinstance(event, ev.UnitMoved)}
    appeared, coming = sorted(sight.new - moved) if frame.step.previous else [], {*sight.new}
    for place, event in enumerate(events):
        if not isinstance(event, HEADINGS):
            yield from _in_sight(appeared, battle)
            appeared = []
        match event:
            case ev.RoundBegan():
                yield f"{ROUND}Round {event.round}"
            case ev.TurnBegan() | ev.TurnTakenUp() | ev.TurnResumed() if event.unit in sight.after:
                yield f"{TURN}{turn_heading(event, battle)}"
            case ev.TurnBegan() | ev.TurnTakenUp() | ev.TurnResumed() if not battle.units[event.unit].is_hidden:
                yield f"{TURN}A unit out of sight"
            case ev.AttackRolled():
                yield from _attack(event, attack_result(frame.step, place, ends, rules, unknown), frame, battle)
            case ev.BurstLanded() if event.at in sight.squares:
                yield f"{event.weapon_label} goes off on {event.at.name}."
            case ev.UnitMoved() if event.unit in sight.after - sight.own:
                to = event.path[-1]
                if to in sight.squares or to == battle.units[event.unit].at:
                    moves = "comes into sight on" if event.unit in coming else "moves to"
                    coming.discard(event.unit)
                    yield f"{name_of(event.unit, battle)} {moves} {to.name}."
            case _ if (isinstance(event, OF_OWN) and event.unit in sight.own) or (
                isinstance(event, OF_ALL) and event.unit in sight.after
            ):
                said = narrate(event, battle, rules)
                is_safe = unknown.isdisjoint(words_in(event)) and not any(name in said.casefold() for name in names)
                if said and is_safe:
                    yield said
    yield from _in_sight(appeared, battle)
    for mark in frame.done.marks:
        if mark.unit not in sight.own and mark.kind in (HIT, HEALED):
            does = "loses" if mark.kind == HIT else "regains"
            yield f"{name_of(mark.unit, battle)} {does} {mark.amount}."


def _in_sight(units: Sequence[str], battle: Battle) -> Iterator[str]:
    """Those whom a step brings into sight without a move of theirs: revealed, added, or in light now."""
    yield from (f"{name_of(unit, battle)} is in sight on {battle.units[unit].at.name}." for unit in units)


def _attack(event: ev.AttackRolled, result: str, frame: ReplayFrame, battle: Battle) -> Iterator[str]:
    """An attack, as far as its two ends are known."""
    sight = frame.sight
    target = name_of(event.target, battle) if event.target in sight.known else ""
    if event.square is not None and (event.unit in sight.own or event.square in sight.squares):
        target = event.square.name
    if event.unit in sight.known:
        end = f"{target}, {event.weapon_label}: {result}" if target else f"unseen target, {event.weapon_label}"
        yield f"{name_of(event.unit, battle)} → {end}."
    elif target and event.square is None:
        yield f"An unseen attacker attacks {target}: {result}."
