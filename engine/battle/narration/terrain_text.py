"""Log sentences for battlefield events: ground, elevation, edges, light and lamps that the GM set."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.light_rules import counts_light, rulings_on_light
from engine.battle.narration.log_context import LogContext
from engine.battle.narration.narrators import narrates
from engine.battle.wording import places
from engine.geometry.battlefield import LIGHTS, SMOKE_NAMES


@narrates(ev.GroundSet)
def ground_set(event: ev.GroundSet, log: LogContext) -> str:
    because = f", {event.because}" if event.because else ""
    return f"GM: {places(event.squares)}: {event.ground.name}{because}."


@narrates(ev.ElevationSet)
def elevation_set(event: ev.ElevationSet, log: LogContext) -> str:
    return f"GM: elevation of {places(event.squares)}: {event.height / 100:g} {log.sign}."


@narrates(ev.EdgesSet)
def edges_set(event: ev.EdgesSet, log: LogContext) -> str:
    where = event.edges[0].name if len(event.edges) == 1 else f"{len(event.edges)} edges"
    return f"GM: {event.barrier.kind} placed on {where}." if event.barrier else f"GM: barrier removed from {where}."


@narrates(ev.LightSet)
def light_set(event: ev.LightSet, log: LogContext) -> str:
    said = f"GM: light on {places(event.squares) if event.squares else 'the whole map'}: {event.light}."
    if event.light == LIGHTS[-1] or counts_light(log.battle, log.rules, event.light):
        return said
    rulings = " and ".join(f"“{label}”" for label in rulings_on_light(log.rules))
    but = f", but the ruling {rulings} can give it one" if rulings else ""
    return f"{said} {log.rules.name} has no rule for it{but}."


@narrates(ev.LampSet)
def lamp_set(event: ev.LampSet, log: LogContext) -> str:
    if event.lamp is None:
        return f"GM: lamp over {event.at.name} removed."
    return f"GM: lamp over {event.at.name}, bright to {event.lamp.bright}, dim to {event.lamp.dim} squares."


@narrates(ev.SmokeSet)
def smoke_set(event: ev.SmokeSet, log: LogContext) -> str:
    return f"GM: {SMOKE_NAMES[event.density]} on {places(event.squares)}."


@narrates(ev.ZoneSet)
def zone_set(event: ev.ZoneSet, log: LogContext) -> str:
    return f"GM: {event.zone.name}: {places(event.zone.squares)}." if event.zone else f"GM: zone {event.id} removed."
