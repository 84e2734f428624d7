"""Log sentences for movement events: moves, pushes, falls, postures, facings."""

from __future__ import annotations

from fractions import Fraction

from engine.battle import events as ev
from engine.battle.narration.log_context import LogContext, by_hand
from engine.battle.narration.narrators import narrates, says
from engine.battle.wording import squares
from engine.dice.dice_text import number


@narrates(ev.UnitMoved)
def unit_moved(event: ev.UnitMoved, log: LogContext) -> str:
    words = move_words(event, log)
    return f"{words}." if words else ""


def move_words(event: ev.UnitMoved, log: LogContext) -> str:
    """A move inside a sentence: "Bo moves R3 → Q3 (1 square)"."""
    if len(event.path) < 2:  # only its altitude changed: that event has a sentence of its own
        return ""
    return f"{log.name(event.unit)} moves {_from_to(event)}, {squares(event.cost)}{_height(event, log)}"


@narrates(ev.PathDeclared)
def path_declared(event: ev.PathDeclared, log: LogContext) -> str:
    return f"{log.name(event.unit)}: {event.label} {_from_to(event)} at the end of the round, {squares(event.cost)}."


@narrates(ev.PathEnded)
def path_ended(event: ev.PathEnded, log: LogContext) -> str:
    return f"{log.name(event.unit)} stops: {log.because(event.because)}." if event.because else ""


@narrates(ev.UnitPushed)
def unit_pushed(event: ev.UnitPushed, log: LogContext) -> str:
    return f"{log.name(event.unit)} is pushed {_from_to(event)}{_height(event, log)}: {event.because}."


def _from_to(event: ev.UnitMoved | ev.PathDeclared | ev.UnitPushed) -> str:
    """From where to where: "C3 → F5"."""
    return f"{event.path[0].name} → {event.path[-1].name}"


def _height(event: ev.UnitMoved | ev.UnitPushed, log: LogContext) -> str:
    """Where a flyer ends over higher or lower ground: ", 3 m above the ground"."""
    if event.altitude is None:
        return ""
    return f", {number(Fraction(event.altitude, 100))} {log.sign} above the ground" if event.altitude else " and lands"


says(ev.UnitFell, lambda event, log: f"{log.name(event.unit)} falls {number(Fraction(event.drop, 100))} {log.sign}.")
says(ev.UnitPlaced, lambda event, log: f"GM: {log.name(event.unit)} placed on {log.place(event.after)}.")


@narrates(ev.AltitudeChanged)
def altitude_changed(event: ev.AltitudeChanged, log: LogContext) -> str:
    if event.is_fall:
        return ""
    if not event.after:
        return f"{log.name(event.unit)} lands{by_hand(event.by_gm)}."
    verb = "climbs" if event.after > event.before else "descends"
    height = f"{number(Fraction(event.after, 100))} {log.sign} above the ground"
    return f"{log.name(event.unit)} {verb} to {height}{by_hand(event.by_gm)}."


@narrates(ev.UnitTurned)
def unit_turned(event: ev.UnitTurned, log: LogContext) -> str:
    return f"{log.name(event.unit)} faces {event.facing.name}{by_hand(event.by_gm)}." if event.is_chosen else ""


says(ev.PostureTaken, lambda event, log: f"{log.name(event.unit)} is {event.posture}{by_hand(event.by_gm)}.")
