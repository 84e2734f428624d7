"""A crowd against a crowd: to the digit what each attack is by itself, whatever lies between."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from engine.battle.apply import apply_all
from engine.battle.attacks.crowd import ledgers, sight_lines
from engine.battle.attacks.shots import consider
from engine.battle.battle import Battle
from engine.battle.commands import Attack
from engine.battle.setup import begin
from engine.battle.situation import sight_line
from engine.battle.units import Placement
from engine.field.battlefield import SKY, Barrier, Battlefield, Ground
from engine.field.silhouette import POSTURES
from engine.field.squares import Direction, Edge, Square
from engine.rules.model import Ruleset
from rulesets import load_ruleset, shipped_rulesets

SIDE = 20
EACH = 8
SIXTH = Path(__file__).parent.parent / "rulesets" / "sixth"
FOLDERS = {**shipped_rulesets(), "sixth": SIXTH}
LEGEND = (
    Ground("floor"),
    Ground("wall", "", SKY, True, True, True, True, "heavy"),
    Ground("floor", "crate", 400, True, True, True, False, "medium"),
    Ground("floor", "hedge", 300, True),
    Ground("floor", "glass", 700, False, True, True),
)
BARRIERS = (
    Barrier("wall"),
    Barrier("window", sill=300, lintel=650),
    Barrier("parapet", top=300),
    Barrier("mirror", seen_through=Direction.E),
)


def a_map() -> Battlefield:
    """A map with walls, low things, windows, heights, darkness and smoke: some of the lines are free, some are not."""
    random = Random("a crowd's map")
    cells = SIDE * SIDE
    edges = {
        Edge(random.randrange(1, SIDE), random.randrange(1, SIDE), random.choice("NW")): random.choice(BARRIERS)
        for _ in range(30)
    }
    return Battlefield(
        "a crowd's",
        SIDE,
        SIDE,
        "feet",
        500,
        LEGEND,
        tuple(random.choice((0,) * 30 + (1, 2, 3, 4)) for _ in range(cells)),
        tuple(random.choice((0,) * 12 + (200, 400, 900)) for _ in range(cells)),
        tuple(random.choice((0,) * 20 + (1, 2)) for _ in range(cells)),
        tuple(random.choice((0, 1, 2, 2)) for _ in range(cells)),
        edges,
    )


def a_battle(rules: Ruleset) -> Battle:
    """Two crowds on it, small and large; made anew each time, so that no line is known from before."""
    random, field = Random("two crowds"), a_map()
    inner = range(SIDE - 2)
    free = [at for at in map(Square._make, product(inner, inner)) if not field.ground_at(at).blocks_movement]
    placements = [
        Placement(
            f"unit-{number}",
            f"Unit {number}",
            "rifleman",
            "one" if number < EACH else "other",
            at,
            random.choice(list(Direction)),
            posture=random.choice(POSTURES),
            size=random.choice((1, 1, 1, 2)),
        )
        for number, at in enumerate(random.sample(free, 2 * EACH))
    ]
    battle = apply_all(Battle(field), [begin(placements, rules, "crowds")])
    return battle.with_unit(replace(battle.unit("unit-3"), is_defeated=True))


@pytest.mark.parametrize("name", FOLDERS)
def test_a_crowds_ledgers_are_those_of_its_attacks(name: str) -> None:
    rules = load_ruleset(FOLDERS[name])
    together, alone = a_battle(rules), a_battle(rules)
    ids = list(together.units)
    found = ledgers(together, rules, ids[:EACH], ids[EACH - 1 :])
    assert len(found) == EACH * (EACH + 1) - 1
    for (attacker, target), ledger in found.items():
        assert ledger == consider(alone, rules, Attack(attacker, target)).ledger, (attacker, target)


@pytest.mark.parametrize("name", ["cwn", "sixth"])
def test_a_crowds_lines_are_those_of_its_pairs(name: str) -> None:
    """One ruleset in which others' bodies do not count, and one in which they cover."""
    rules = load_ruleset(FOLDERS[name])
    together, alone = a_battle(rules), a_battle(rules)
    units = list(together.units.values())
    found = sight_lines(together, rules, units, units)
    clear = 0
    for (one, other), line in found.items():
        by_itself = sight_line(alone, rules, alone.unit(one), alone.unit(other))
        assert line == by_itself, (one, other)
        assert (line.points, line.left, line.right) == (by_itself.points, by_itself.left, by_itself.right)
        assert line.crossings == by_itself.crossings
        clear += line.visible == 1 and not line.covered
    assert 0 < clear < len(found)
