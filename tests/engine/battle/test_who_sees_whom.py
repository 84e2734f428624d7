"""Who sees whom: the kernel's answer for lists, keys and reactions is that of the line that panels explain."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from engine.battle.facts import sees, sight_line
from engine.battle.views.seen_units import are_seen, eyes_of, sees_body, sight_on
from engine.geometry.body import POSTURES
from engine.geometry.squares import Square
from engine.values import replace
from maps import shipped_maps
from rulesets import shipped_rulesets
from tests.examples import grid
from tests.tui.play import session_for


@pytest.mark.parametrize(("map_name", "ruleset"), grid(sorted(shipped_maps()), sorted(shipped_rulesets())))
def test_units_anywhere_see_each_other_as_traced(tmp_path: Path, map_name: str, ruleset: str) -> None:
    session, random = session_for(tmp_path, map_name, ruleset), Random(map_name + ruleset)
    battle = session.battle
    field, units = battle.field, {}
    for unit in battle.units.values():
        at = Square(random.randrange(field.columns - unit.size + 1), random.randrange(field.rows - unit.size + 1))
        units[unit.id] = replace(unit, at=at, posture=random.choice(POSTURES))
    battle = replace(battle, units=units)
    obscured = sight_on(field).field
    import_module("numpy")  # until it is loaded, lines are traced
    for side in {unit.side for unit in units.values()}:
        others = [unit.body(obscured) for unit in units.values()]
        traced = [any(sees_body(obscured, eye.body(obscured), one) for eye in eyes_of(battle, side)) for one in others]
        assert are_seen(battle, side, others) == traced
    for one in units.values():
        for other in units.values():
            if one is not other:
                assert sees(battle, one, other) == sight_line(battle, one, other).can_see, (one.at, other.at)
    session.close()
