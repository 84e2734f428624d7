"""What the GM pins to the battle and throws on the table: notes, cover by her word, free dice, a roll put right."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.pinned import Note
from engine.dice.sources import Roll, describe

MATERIALS = ("light", "medium", "heavy")


def spent_cover(battle: Battle, attacker: str, made: Iterable[ev.Event]) -> tuple[ev.Event, ...]:
    """What ends of the GM's word on cover when an attack is made: all on whom it struck that is not pinned."""
    struck = {event.target for event in made if isinstance(event, ev.AttackRolled | ev.BurstCaught)}
    spent = (held for held in battle.gm.covers if held.attacker == attacker and held.target in struck)
    return tuple(ev.CoverRulingEnded(held.attacker, held.target, True) for held in spent if not held.is_pinned)


def rolls_of(events: Iterable[ev.Event]) -> tuple[Roll, ...]:
    """All rolls among some events, in order."""
    found = list[Roll]()
    for event in events:
        match event:
            case ev.BurstLanded():
                found += event.rolls
            case ev.AttackRolled() | ev.InitiativeRolled() | ev.EffectRolled() | ev.DiceThrown():
                found.append(event.roll)
    return tuple(found)


def tell_pinned(event: ev.Event, battle: Battle) -> str:
    """A line for the log; "" for events of another kind."""

    def who(unit_id: str) -> str:
        return battle.units[unit_id].name if unit_id in battle.units else unit_id

    match event:
        case ev.CoverRuled(ruling):
            until = "pinned" if ruling.is_pinned else "next attack"
            return f"GM: {who(ruling.target)} from {who(ruling.attacker)}: {ruling.told} ({until})."
        case ev.CoverRulingEnded() if not event.is_spent:
            return f"GM: {who(event.target)} is covered from {who(event.attacker)} as it is seen."
        case ev.NoteSet(note):
            return f"Note{_pinned_to(note, who(note.unit))}: {note.text}"
        case ev.NoteCleared(note):
            return f"Note{_pinned_to(note, who(note.unit))} taken away: {note.text}"
        case ev.DiceThrown():
            return f"{event.purpose or 'Dice'}: {describe(event.roll)}."
        case ev.RollCorrected():
            before, after = (" ".join(map(str, dice)) for dice in (event.before, event.after))
            return f"GM: the roll counts {after}, not {before}."
    return ""


def _pinned_to(note: Note, unit: str) -> str:
    place = unit if note.unit else note.at.name if note.at else ""
    return f" on {place}" if place else ""
