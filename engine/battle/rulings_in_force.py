"""Rulings in force in a battle: the ruleset's own, or the GM's."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.state.battle import Battle
from engine.context import Cache
from engine.rules.model import Ruleset, Value
from engine.rules.rulings import Ruling

RULINGS: Cache[Mapping[str, Value]] = Cache(4)
"""As they held last: every attack that is weighed asks for all of them."""


def ruling_facts(battle: Battle, rules: Ruleset) -> Mapping[str, Value]:
    """The fact `ruling.<id>` of every ruling, as it holds in this battle."""

    def found() -> dict[str, Value]:
        return {f"ruling.{ruling.id}": ruling_now(battle, ruling) for ruling in rules.rulings.values()}

    return RULINGS.get((battle.gm.rulings, rules.rulings), None, found)


def ruling_now(battle: Battle, ruling: Ruling) -> bool | int | str:
    """How a ruling is decided in this battle."""
    return battle.gm.rulings.get(ruling.id, ruling.value)
