"""What a report asks about: a map with its units as they begin, or a battle with its units as they stand."""

from __future__ import annotations

from contextlib import closing

from msgspec import Struct

from engine.battle.state.battle import Battle
from engine.battle.state.units import placed
from engine.rules.model import Ruleset
from maps import BattleMap
from tui.application.library.battle_files import battle_file, open_battle, read_map


class Scene(Struct, frozen=True):
    """The ground and who is where; for a battle, the battle itself and the rules in its file as well."""

    map: BattleMap
    battle: Battle | None = None
    rules: Ruleset | None = None
    file: str = ""
    """The map's, for messages; "" for a battle."""


def read_scene(name: str) -> Scene:
    """The scene of a map or a battle, each by its id, name or path.

    Raises:
        Unknown: there is none; the message names the nearest.
        Unreadable, NotABattle: it is not what it should be.
    """
    path = battle_file(name)
    if path is None:
        return Scene(read_map(name), file=name)
    with closing(open_battle(path, read_only=True)) as session:
        return scene_of(session.battle, session.rules)


def scene_of(battle: Battle, rules: Ruleset) -> Scene:
    """The scene of a battle that is open."""
    return Scene(BattleMap(battle.field, tuple(map(placed, battle.units.values()))), battle, rules)
