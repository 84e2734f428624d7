"""What the GM pins to the battle and throws on the table: notes, cover by her word, free dice, a roll put right."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle import commands as cmd
from engine.battle import events as ev
from engine.battle.battle import Battle, free_id
from engine.battle.pinned import CoverRuling, Note
from engine.dice.expressions import parse_dice
from engine.dice.sources import DiceSource, Roll, roll
from engine.errors import Illegal, Unknown
from engine.field.battlefield import OffMap
from engine.text import clean

MATERIALS = ("light", "medium", "heavy")
MOST_NOTES = 500
MOST_NOTE = 400
MOST_PURPOSE = 60


def decide_cover(battle: Battle, wish: cmd.SetCover) -> tuple[ev.Event, ...]:
    """Says how well a target is covered from an attacker, or lets what is seen count again."""
    attacker, target = battle.unit(wish.attacker), battle.unit(wish.target)
    if attacker.id == target.id:
        raise Illegal("cover", f"{attacker.name} is not covered from itself.")
    held = battle.gm.cover_ruling(attacker.id, target.id)
    if wish.covered is None:
        if held is None:
            raise Illegal("cover", f"What {attacker.name} sees of {target.name} counts already.")
        return (ev.CoverRulingEnded(attacker.id, target.id),)
    if not 0 <= wish.covered <= 1:
        raise Illegal("cover", "Cover hides 0 to 100 % of a body.")
    if wish.covered and wish.material not in MATERIALS:
        raise Unknown("cover", wish.material, MATERIALS)
    material = wish.material if wish.covered else ""
    ruling = CoverRuling(attacker.id, target.id, wish.covered, material, wish.is_pinned)
    if ruling == held:
        raise Illegal("cover", f"{target.name} is covered like that from {attacker.name} already.")
    return (ev.CoverRuled(ruling),)


def decide_note(battle: Battle, wish: cmd.SetNote) -> tuple[ev.Event, ...]:
    """Pins a note, changes one, or takes it away."""
    known = {note.id: note for note in battle.gm.notes}
    held = known.get(wish.note)
    if wish.note and held is None:
        raise Unknown("note", wish.note, known)
    text = clean(wish.text, MOST_NOTE).strip()
    if not text:
        if held is None:
            raise Illegal("note", "There is nothing to note.")
        return (ev.NoteCleared(held),)
    if wish.at is not None and wish.unit:
        raise Illegal("note", "A note is on a unit or on a square, not on both.")
    if wish.at is not None and wish.at not in battle.field:
        raise OffMap(wish.at, battle.field)
    if wish.unit:
        battle.unit(wish.unit)
    if held is None and len(known) >= MOST_NOTES:
        raise Illegal("note", f"There are {MOST_NOTES} notes; no more fit.")
    note = Note(wish.note or free_id("note", known), text, wish.at, wish.unit)
    if note == held:
        raise Illegal("note", "The note says that already.")
    return (ev.NoteSet(note),)


def decide_throw(wish: cmd.ThrowDice, dice: DiceSource) -> tuple[ev.Event, ...]:
    """Rolls some dice for the table.

    Raises:
        DiceError: the text is no dice expression.
    """
    rolled = roll(parse_dice(wish.dice), dice, clean(wish.purpose, MOST_PURPOSE) or wish.dice)
    return (ev.DiceThrown(rolled, clean(wish.purpose, MOST_PURPOSE)),)


def rolls_of(events: Iterable[ev.Event]) -> tuple[Roll, ...]:
    """All rolls among some events, in order."""
    found = list[Roll]()
    for event in events:
        match event:
            case ev.BurstLanded():
                found += event.rolls
            case ev.AttackRolled() | ev.InitiativeRolled() | ev.TieRolled() | ev.EffectRolled() | ev.DiceThrown():
                found.append(event.roll)
    return tuple(found)
