"""Selects what a report shows of a battle: the final orders, the rounds played, the result of each attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.apply import apply
from engine.battle.state.battle import Battle
from engine.battle.views.known_battle import for_players, table_battle
from engine.battle.views.known_receipt import known_receipt
from engine.battle.views.unit_letters import named_for
from engine.geometry.squares import Square
from engine.journal.history import Step
from engine.journal.side_history import hidden_at
from engine.rules.model import Ruleset
from engine.values import replace

ACTS = (ev.ActionTaken, ev.AttackRolled, ev.UnitMoved)
Hidden = frozenset[str] | None
"""Ids of those who are hidden from the players; None where nothing is left out."""
Veiled = Sequence[tuple[Step, Hidden]]
"""Steps, each with those who are hidden at it."""


class Sight(Struct, frozen=True):
    """Who and what is in sight after a step."""

    known: frozenset[str]
    """Ids of the units known before it or after it."""
    own: frozenset[str]
    """Ids of those whose whole path is known."""
    after: frozenset[str]
    """Ids of the units known after it."""
    squares: frozenset[Square]
    """The squares in sight before it or after it."""
    new: frozenset[str] = frozenset()
    """Ids of the units known after it and not before it."""


def veiled(steps: Sequence[Step], *, is_for_players: bool) -> Veiled:
    """The steps, with the names and unknown units of players; as they are and with None for the GM, who knows all."""
    if not is_for_players:
        return [(step, None) for step in steps]
    hidden = [hidden_at(step) | new for step, new in zip(steps, hidden_on_arrival(steps), strict=True)]
    return [(replace(step, kept=named_for(step.after)), names) for step, names in zip(steps, hidden, strict=True)]


def events_with_battles(step: Step) -> list[tuple[ev.Event, Battle]]:
    """The events of a step, each with the battle before it."""
    battle = step.previous.after if step.previous else Battle(step.after.field)
    found = []
    for event in step.events:
        found.append((event, battle))
        battle = apply(battle, event)
    return found


def known_events(step: Step, hidden: Hidden, rules: Ruleset) -> list[ev.Event | None]:
    """The events of a step as those may read them who do not know some units; None for one that is not for them.

    Args:
        step: its command.
        hidden: ids of these units; None for the GM, who knows all.
        rules: the battle's.
    """
    if hidden is None:
        return [*step.events]
    found: list[ev.Event | None] = []
    happened = events_with_battles(step)
    for place, (event, before) in enumerate(happened):
        known = event.redacted(hidden, before)
        if isinstance(known, ev.AttackRolled):
            first = place  # before its attacker paid for it and turned
            while first and getattr(step.events[first - 1], "unit", "") == known.unit:
                first -= 1
            unpaid = happened[first][1]
            known = known_receipt(known, unpaid, table_battle(unpaid, hidden), rules)
        found.append(known)
    return found


def orders_thrown_away(steps: Veiled) -> frozenset[int]:
    """Numbers of the steps that rolled an order which was rolled anew before anybody did anything."""
    found: set[int] = set()
    latest: int | None = None
    for step, hidden in steps:
        if _rolls_order(step):
            if latest is not None:
                found.add(latest)
            latest = step.number
        elif _acts(step, hidden) or _ends_turn(step, hidden):
            latest = None
    return frozenset(found)


def rounds_played(steps: Veiled) -> int:
    """How many rounds were played: one that has just begun is none yet."""
    played = before = 0
    for (step, hidden), now in zip(steps, rounds_shown(steps), strict=True):
        if before > played and (now > before or _acts(step, hidden)):
            played = before
        before = now
    return played


def rounds_shown(steps: Veiled) -> list[int]:
    """The round after each step, as its readers are told: for players a round begins with a turn that they see."""
    battles = [step.after for step, _ in steps]
    is_for_players = any(hidden is not None for _, hidden in steps)
    return [public.turns.round if public else 0 for public in (for_players(battles) if is_for_players else battles)]


def hidden_on_arrival(steps: Sequence[Step]) -> tuple[frozenset[str], ...]:
    """For each step, who was hidden from the players before anybody acted after it had joined: it never was seen."""
    found: list[frozenset[str]] = []
    acts = (place for place, step in enumerate(steps) if _acts(step, hidden_at(step)))
    for place in (*acts, len(steps)):
        begin = len(found)
        known = steps[begin - 1].after.units if begin else {}
        latest = {unit.id: unit for step in steps[begin:place] for unit in step.after.units.values()}
        arrived = frozenset(unit.id for unit in latest.values() if unit.is_hidden and unit.id not in known)
        found += [arrived] * (place - begin) + [frozenset[str]()] * (place < len(steps))
    return tuple(found)


def table_set_up(steps: Veiled) -> int:
    """How many steps there are before anybody does anything or ends a turn; those set up the table."""
    places = enumerate(steps)
    return next((at for at, (step, hidden) in places if _acts(step, hidden) or _ends_turn(step, hidden)), len(steps))


def what_counts(events: Sequence[ev.Event]) -> Mapping[int, int]:
    """By the place of each attack's roll, the place of what it counts as in the end: itself, or what it turned into.

    What strikes several keeps its roll: each of them has an end of their own.
    """
    found: dict[int, int] = {}
    for place, event in enumerate(events):
        if isinstance(event, ev.AttackRolled):
            later = range(place + 1, len(events))
            again = (at for at in later if isinstance(one := events[at], ev.AttackRolled) and one.unit == event.unit)
            mine = range(place + 1, next(again, len(events)))
            turned = [at for at in mine if isinstance(one := events[at], ev.AttackTurned) and one.unit == event.unit]
            is_many = any(isinstance(events[at], ev.BurstCaught) for at in mine)
            found[place] = place if is_many or not turned else turned[-1]
    return found


def target_of_effect(events: Sequence[ev.Event], place: int) -> str:
    """Id of the unit that an effect of an attack is rolled or worked out against, which its event does not name.

    "" for any other event, and where its unit attacks nobody.
    """
    effect = events[place]
    if not isinstance(effect, ev.EffectRolled | ev.EffectComputed):
        return ""
    for event in reversed(events[:place]):
        match event:
            case ev.AttackRolled() | ev.AttackTurned() | ev.BurstCaught() | ev.StrikeBegan():
                if event.unit == effect.unit:
                    return event.target
            case ev.BurstLanded():  # rolled once for all in the area
                if event.unit == effect.unit:
                    return ""
            case ev.TurnBegan() | ev.TurnEnded() | ev.RoundBegan():
                return ""
    return ""


def _rolls_order(step: Step) -> bool:
    return {ev.OrderSet, ev.InitiativeRolled} <= {type(event) for event in step.events}


def _ends_turn(step: Step, hidden: Hidden) -> bool:
    """Whether somebody's turn is over, and not because it is somebody else's by the GM's hand."""
    kinds = {type(event) for event in step.events}
    is_over = any(isinstance(event, ev.TurnEnded) and event.unit not in (hidden or ()) for event in step.events)
    return is_over and not kinds & {ev.UnitRemoved, ev.TurnGiven} and not _rolls_order(step)


def _acts(step: Step, hidden: Hidden) -> bool:
    return any(isinstance(event, ACTS) and event.unit not in (hidden or ()) for event in step.events)
