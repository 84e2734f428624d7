"""Smoke and wind in a battle: the GM lays clouds and says the wind, and each round's end drifts and thins them."""

from __future__ import annotations

from engine.battle import commands as cmd
from engine.battle import events as ev
from engine.battle.battle import SMOKE, Battle, free_id
from engine.errors import Illegal, Unknown
from engine.field.battlefield import OffMap
from engine.field.burst.clouds import MOST_RADIUS, MOST_WIND, THICK, THIN, Cloud, Wind
from engine.rules.model import Ruleset

MOST_ROUNDS = 1000


def decide_cloud(battle: Battle, rules: Ruleset, wish: cmd.SetCloud) -> tuple[ev.Event, ...]:
    """Lays a cloud, or changes one; its radius is counted by the ruleset's metric."""
    if wish.centre not in battle.field:
        raise OffMap(wish.centre, battle.field)
    known = {cloud.id: cloud for cloud in battle.scene.clouds}
    if wish.cloud and wish.cloud not in known:
        raise Unknown("cloud", wish.cloud, known)
    if not 0 <= wish.radius <= MOST_RADIUS:
        raise Illegal("cloud", f"A cloud has a radius of 0 to {MOST_RADIUS} squares, not {wish.radius}.")
    if wish.density not in (THIN, THICK):
        raise Illegal("cloud", f"Smoke is thin ({THIN}) or thick ({THICK}), not {wish.density}.")
    if not 0 <= wish.rounds <= MOST_ROUNDS:
        raise Illegal("cloud", f"A cloud lasts 0 to {MOST_ROUNDS} rounds, 0 for as long as it is wanted.")
    cloud_id = wish.cloud or free_id(SMOKE, known)
    cloud = Cloud(cloud_id, wish.centre, wish.radius, wish.density, wish.rounds, rules.distance.metric)
    if known.get(cloud_id) == cloud:
        raise Illegal("cloud", f"The smoke around {wish.centre.name} is like that already.")
    return (ev.CloudSet(cloud),)


def decide_clear_cloud(battle: Battle, wish: cmd.ClearCloud) -> tuple[ev.Event, ...]:
    """Takes one cloud away, or all."""
    found = [cloud for cloud in battle.scene.clouds if wish.cloud in ("", cloud.id)]
    if not found and wish.cloud:
        raise Unknown("cloud", wish.cloud, (cloud.id for cloud in battle.scene.clouds))
    if not found:
        raise Illegal("cloud", "There is no cloud of smoke to clear.")
    return tuple(ev.CloudCleared(cloud) for cloud in found)


def decide_wind(battle: Battle, wish: cmd.SetWind) -> tuple[ev.Event, ...]:
    """Says the wind."""
    if not 0 <= wish.squares <= MOST_WIND:
        raise Illegal("wind", f"The wind drifts smoke 0 to {MOST_WIND} squares a round, not {wish.squares}.")
    wind = Wind(wish.towards, wish.squares) if wish.squares else None
    if wind == battle.scene.wind:
        raise Illegal("wind", "The wind blows like that already." if wind else "There is no wind already.")
    return (ev.WindSet(wind),)
