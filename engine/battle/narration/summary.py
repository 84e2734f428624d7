"""Summary of a command in one or two lines; the log has every event."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine.battle import events as ev
from engine.battle.narration.log_context import LogContext, name_of
from engine.battle.narration.log_continuity import continuity, unharmed, unharmed_words
from engine.battle.narration.move_text import move_words
from engine.battle.narration.narrators import narrate
from engine.battle.narration.roll_text import result_words
from engine.battle.state.battle import Battle
from engine.geometry.blast.scatter_path import OFF_MAP
from engine.rules.model import Ruleset
from engine.text import the_side, upper_first, verb

BROKEN = Fraction(10, 3)
"""A side is broken once so many times those who stand are no more than all of it."""


def headline(events: Sequence[ev.Event], battle: Battle, rules: Ruleset, *, is_short: bool = False) -> str:
    """A command in one sentence: the attack, the move, the turn order, else the first sentence of the log.

    With `is_short`, an attack is who attacks whom and its result.
    """
    if events and all(isinstance(event, ev.AdjustmentsCleared) for event in events):
        return "GM modifiers removed."
    attack = next((event for event in events if isinstance(event, ev.AttackRolled)), None) if is_short else None
    if attack is not None:
        return f"{_attack_words(attack, battle, rules)}."
    main = [event for event in events if isinstance(event, ev.AttackRolled | ev.UnitMoved | ev.OrderSet)]
    sentences = (narrate(event, battle, rules) for event in (*main, *events))
    return next((sentence for sentence in sentences if sentence), "")


def main_words(event: ev.AttackRolled | ev.UnitMoved, battle: Battle, rules: Ruleset) -> str:
    """An attack or a move inside a sentence: "Bo moves R3 → Q3 (1 square)"."""
    if isinstance(event, ev.UnitMoved):
        return move_words(event, LogContext(battle, rules))
    return _attack_words(event, battle, rules)


def what_happened(events: Sequence[ev.Event], battle: Battle, rules: Ruleset, *, has_losses: bool = True) -> str:
    """The moves, attacks, turns and, with `has_losses`, losses and gains among events, in order, a sentence each.

    Where there are none of these, the first sentence of the log.
    """
    kinds = ev.UnitMoved | ev.AttackRolled | ev.TurnBegan | ev.RoundBegan
    said = []
    for event in events:
        if isinstance(event, ev.AttackRolled):
            said.append(f"{_attack_words(event, battle, rules)}.")
        elif isinstance(event, kinds) or (has_losses and isinstance(event, ev.PoolChanged | ev.UnitDefeated)):
            said.append(narrate(event, battle, rules, is_brief=True))
    return " ".join(filter(None, said)) or headline(events, battle, rules)


def summarise(
    events: Sequence[ev.Event], battle: Battle, rules: Ruleset, *, is_short: bool = False, is_open: bool = False
) -> str:
    """The result of a command in one line; the log has all of it.

    With `is_short`, an attack has no rolls and sums between the hit and the losses, and whom an area harms comes before
    the others in it, who stand in one sentence. With `is_open`, for a command that
    waits for an answer, nobody is called unharmed: the damage may be still to come.
    """
    rolled = next(((index, event) for index, event in enumerate(events) if isinstance(event, ev.AttackRolled)), None)
    if rolled is None:
        if cleared := headline(events, battle, rules) if len(events) == 1 else "":
            return " ".join(filter(None, (cleared, shared_square(events, battle))))
        given = {event.unit for event in events if isinstance(event, ev.TurnGiven)}
        said = [
            narrate(event, battle, rules)
            for event in events
            if not (isinstance(event, ev.TurnBegan) and event.unit in given and not event.is_extra)
        ]
        return " ".join(filter(None, (*said, left_alone(events, battle), shared_square(events, battle))))
    rolled_at, attack = rolled
    sentences = [narrate(event, battle, rules) for event in events[:rolled_at] if isinstance(event, ev.ReactionTaken)]
    came_down = "".join(f", {_landed(event)}" for event in events if isinstance(event, ev.BurstLanded))
    sentences.append(f"{_attack_words(attack, battle, rules)}{came_down}.")
    ahead, behind = continuity(events, battle)
    behind = {} if is_open else behind
    if is_short and sum(isinstance(event, ev.BurstCaught) for event in events) > 1:
        spared, behind = "" if is_open else unharmed_words([*unharmed(events).values()], battle), {}
    else:
        spared = ""
    fallen: list[str] = []
    """Last, because a line that is too long is cut in the middle."""
    for index, event in enumerate(events[rolled_at + 1 :], rolled_at + 1):
        if is_short and _is_step(event):
            sentences.append(behind.get(index, ""))
            continue
        sentences.append(ahead.get(index, ""))
        lines = fallen if isinstance(event, ev.UnitDefeated) else sentences
        lines.append(narrate(event, battle, rules, is_brief=True))
        sentences.append(behind.get(index, ""))
    return " ".join(filter(None, (*sentences, spared, *fallen, thinned(events, battle), left_alone(events, battle))))


def _attack_words(attack: ev.AttackRolled, battle: Battle, rules: Ruleset) -> str:
    """Who attacks whom and the result, inside a sentence: "Todd → Bandit: rolled 45 vs 60: hit"."""
    target = attack.square.name if attack.square else name_of(attack.target, battle)
    return f"{name_of(attack.unit, battle)} → {target}: {result_words(attack, rules)}"


def _is_step(event: ev.Event) -> bool:
    """Whether an event only leads to another that says what came of it."""
    is_hit = isinstance(event, ev.StrikeBegan) and event.strikes > 0
    return is_hit or isinstance(event, ev.BurstCaught | ev.EffectRolled | ev.EffectComputed)


def drops_in_its_turn(events: Sequence[ev.Event], battle: Battle) -> bool:
    """Whether the acting unit drops: its turn lasts until it is ended."""
    return any(isinstance(event, ev.UnitDefeated) and event.unit == battle.turns.active for event in events)


def thinned(events: Sequence[ev.Event], battle: Battle) -> str:
    """Sentences for sides that these events have brought to their last unit, or to few: "The gang is broken: …".

    Each is said once: by the events that bring a side there.
    """
    fallen = [
        battle.units[one.unit].side for one in events if isinstance(one, ev.UnitDefeated) and one.unit in battle.units
    ]
    return " ".join(filter(None, (_thinned(side, fallen.count(side), battle) for side in dict.fromkeys(fallen))))


def _thinned(side: str, fallen: int, battle: Battle) -> str:
    """The sentence for a side of which so many have just dropped; "" where that changes nothing."""
    ours = [unit for unit in battle.units.values() if unit.side == side and not unit.is_neutral]
    standing = [unit for unit in ours if not unit.is_defeated]
    name = the_side(side)
    if len(standing) == 1 < len(ours):
        return f"{standing[0].name} is the last of {name} standing."
    was = len(standing) + fallen
    if standing and len(standing) * BROKEN <= len(ours) < was * BROKEN:
        return f"{upper_first(name)} {verb(name, 'is', 'are')} broken: {len(standing)} of {len(ours)} stand."
    return ""


def left_alone(events: Sequence[ev.Event], battle: Battle) -> str:
    """Sentence for the sides that are down once only one is left in the fight: "The gang is down."; "" otherwise."""
    if not any(isinstance(event, ev.UnitDefeated) for event in events):
        return ""
    sides = {unit.side for unit in battle.units.values() if not unit.is_defeated and not unit.is_neutral}
    fallen = [battle.units[event.unit] for event in events if isinstance(event, ev.UnitDefeated)]
    down = dict.fromkeys(the_side(unit.side) for unit in fallen if not unit.is_neutral and unit.side not in sides)
    if len(sides) != 1:
        return ""
    return " ".join(f"{upper_first(side)} {verb(side, 'is', 'are')} down." for side in down)


def shared_square(events: Sequence[ev.Event], battle: Battle) -> str:
    """Sentence for units that the GM put on a square of others: "Moth is on the same square."; "" for none."""
    placed = {unit.id for event in events if isinstance(event, ev.UnitsAdded) for unit in event.units}
    placed |= {event.unit for event in events if isinstance(event, ev.UnitPlaced)}
    taken = {square for unit in placed if unit in battle.units for square in battle.units[unit].squares}
    others = [
        unit.name
        for unit in battle.units.values()
        if unit.id not in placed and not unit.is_defeated and not taken.isdisjoint(unit.squares)
    ]
    return f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} on the same square." if others else ""


def _landed(event: ev.BurstLanded) -> str:
    if event.stopped_by == OFF_MAP:
        return f"leaves the map at {event.at.name}"
    return f"goes off on {event.at.name}{f', stopped by {event.stopped_by}' if event.stopped_by else ''}"
