"""Words for events of the battlefield: what the GM has drawn, raised, lit and broken on it."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.narration.log_context import LogContext
from engine.battle.narration.narrators import narrates
from engine.battle.wording import places


@narrates(ev.GroundSet)
def ground_set(event: ev.GroundSet, log: LogContext) -> str:
    because = f" ({event.because})" if event.because else ""
    return f"GM: {places(event.squares)}: {event.ground.name}{because}."


@narrates(ev.ElevationSet)
def elevation_set(event: ev.ElevationSet, log: LogContext) -> str:
    return f"GM: the ground of {places(event.squares)} is at {event.height / 100:g} {log.sign}."


@narrates(ev.EdgesSet)
def edges_set(event: ev.EdgesSet, log: LogContext) -> str:
    what = event.barrier.kind if event.barrier else "nothing any more"
    where = event.edges[0].name if len(event.edges) == 1 else f"{len(event.edges)} edges"
    return f"GM: on {where}: {what}."


@narrates(ev.LightSet)
def light_set(event: ev.LightSet, log: LogContext) -> str:
    return f"GM: {places(event.squares) if event.squares else 'the whole map'}: {event.light} now."


@narrates(ev.LampSet)
def lamp_set(event: ev.LampSet, log: LogContext) -> str:
    if event.lamp is None:
        return f"GM: the lamp over {event.at.name} is out."
    return f"GM: a lamp over {event.at.name}, bright {event.lamp.bright}, dim {event.lamp.dim} squares far."
