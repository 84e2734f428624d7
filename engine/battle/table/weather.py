"""Smoke and wind in a battle: each round's end drifts and thins the clouds, and the log tells of them."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.field.burst.clouds import THICK, THIN, Cloud, Wind, drifted

SMOKE = "smoke"
"""What ids of clouds begin with."""
DENSITY = {THIN: "thin smoke", THICK: "thick smoke"}
COMPASS_WORDS = {
    "N": "north",
    "NE": "north-east",
    "E": "east",
    "SE": "south-east",
    "S": "south",
    "SW": "south-west",
    "W": "west",
    "NW": "north-west",
}


def clouds_drift(battle: Battle) -> tuple[ev.Event, ...]:
    """What a round's end does to the clouds; nothing where there are none or all stay as they are."""
    after = drifted(battle.bare_field, battle.scene.clouds, battle.scene.wind)
    return (ev.CloudsDrifted(battle.scene.clouds, after),) if after != battle.scene.clouds else ()


def tell_weather(event: ev.CloudSet | ev.CloudCleared | ev.WindSet | ev.CloudsDrifted) -> str:
    """A line for the log; "" when a round changed nothing that one sees."""
    match event:
        case ev.CloudSet(cloud, weapon):
            squares = f"{cloud.radius} {'square' if cloud.radius == 1 else 'squares'}"
            rounds = f" for {cloud.rounds} {'round' if cloud.rounds == 1 else 'rounds'}" if cloud.rounds else ""
            return f"{weapon or 'GM'}: {DENSITY[cloud.density]} around {cloud.centre.name}, {squares} each way{rounds}."
        case ev.CloudCleared(cloud):
            return f"GM: the smoke around {cloud.centre.name} is gone."
        case ev.WindSet(wind):
            return f"GM: {_wind(wind)}"
        case ev.CloudsDrifted(before, after):
            later = {cloud.id: cloud for cloud in after}
            told = (_change(cloud, later.get(cloud.id)) for cloud in before)
            return " ".join(sentence for sentence in told if sentence)


def _change(before: Cloud, after: Cloud | None) -> str:
    """What a round did to a cloud, as far as one sees it."""
    if after is None:
        return f"The smoke around {before.centre.name} is gone."
    thins = after.density < before.density
    if after.centre != before.centre:
        return f"The smoke drifts {before.centre.name} → {after.centre.name}{' and thins' if thins else ''}."
    return f"The smoke around {before.centre.name} thins." if thins else ""


def _wind(wind: Wind | None) -> str:
    if wind is None:
        return "the wind drops."
    squares = f"{wind.squares} {'square' if wind.squares == 1 else 'squares'}"
    return f"the wind blows to the {COMPASS_WORDS[wind.towards.name]}, {squares} a round."
