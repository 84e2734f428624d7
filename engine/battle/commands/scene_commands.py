"""GM commands for smoke, wind and charges on the ground."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.attacks.explosives import decide_clear_charge, decide_set_off
from engine.battle.command import Command, Deciding, Events
from engine.battle.parameters import CloudId
from engine.battle.state.battle import SMOKE, free_id
from engine.bounds import Count
from engine.errors import Illegal
from engine.geometry.battlefield import OffMap
from engine.geometry.blast.smoke_clouds import MOST_RADIUS, MOST_WIND, THICK, THIN, Cloud, Wind
from engine.geometry.squares import Direction, Square

MOST_ROUNDS = 1000


class SetCloud(Command, frozen=True, tag="set-cloud"):
    """The GM places a cloud of smoke, or changes the one with that id; an empty id makes a new one."""

    centre: Square
    radius: Count
    density: Count = THICK
    rounds: Count = 0
    """Rounds that it lasts; 0 for no limit."""
    cloud: CloudId = ""

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        if self.centre not in battle.field:
            raise OffMap(self.centre, battle.field)
        known = {cloud.id: cloud for cloud in battle.scene.clouds}
        if not 0 <= self.radius <= MOST_RADIUS:
            raise Illegal("cloud", f"The radius of a cloud must be 0 to {MOST_RADIUS} squares, not {self.radius}.")
        if self.density not in (THIN, THICK):
            raise Illegal("cloud", f"Smoke must be thin ({THIN}) or thick ({THICK}), not {self.density}.")
        if not 0 <= self.rounds <= MOST_ROUNDS:
            raise Illegal("cloud", f"A cloud lasts 0 to {MOST_ROUNDS} rounds, 0 for no limit.")
        cloud_id = self.cloud or free_id(SMOKE, known)
        cloud = Cloud(cloud_id, self.centre, self.radius, self.density, self.rounds, rules.distance.metric)
        if known.get(cloud_id) == cloud:
            raise Illegal("cloud", f"The smoke around {self.centre.name} is already like that.")
        return (ev.CloudSet(cloud),)


class ClearCloud(Command, frozen=True, tag="clear-cloud"):
    """The GM clears a cloud of smoke; an empty id clears all of them."""

    cloud: CloudId = ""

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        found = [cloud for cloud in battle.scene.clouds if self.cloud in ("", cloud.id)]
        if not found:
            raise Illegal("cloud", "There is no smoke to clear.")
        return tuple(ev.CloudCleared(cloud) for cloud in found)


class SetWind(Command, frozen=True, tag="set-wind"):
    """The GM sets the wind: its direction, and squares a round; 0 squares for none."""

    towards: Direction
    squares: Count

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        if not 0 <= self.squares <= MOST_WIND:
            raise Illegal("wind", f"The wind must be 0 to {MOST_WIND} squares a round, not {self.squares}.")
        wind = Wind(self.towards, self.squares) if self.squares else None
        if wind == battle.scene.wind:
            raise Illegal("wind", "The wind already blows like that." if wind else "There is already no wind.")
        return (ev.WindSet(wind),)


class SetOff(Command, frozen=True, tag="set-off"):
    """The GM detonates the charges on a square."""

    square: Square

    def decide(self, now: Deciding) -> Events:
        return decide_set_off(now.battle, now.rules, self.square)


class ClearCharge(Command, frozen=True, tag="clear-charge"):
    """The GM removes the charges on a square."""

    square: Square

    def decide(self, now: Deciding) -> Events:
        return decide_clear_charge(now.battle, now.rules, self.square)


KINDS = (SetCloud, ClearCloud, SetWind, SetOff, ClearCharge)
