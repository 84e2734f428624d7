"""A0: a whole fight without a screen and without thought, in CPU seconds, beside the same fight at an older commit.

`python -m benchmarks.fights MAP RULESET` plays the fights of one cell and prints what they took, a fight.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from random import Random
from statistics import geometric_mean
from time import process_time
from typing import Any

from benchmarks.measure import Row
from engine.battle.apply import apply_all
from engine.battle.attacks import attack_preview
from engine.battle.command import Attack, Command, EndTurn, Move
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.moves.moves import movement_range
from engine.battle.policies import policy_kinds
from engine.battle.setup import begin, set_up
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from maps import BattleMap, load_map, shipped_maps
from rulesets import load_ruleset, shipped_rulesets

BEFORE = "c3eb448f"
"""The commit that fights are compared with: the last one without options."""
LIMITS = {"warehouse": 0.4, "rooftops": 0.6}
"""Seconds of CPU a fight may take, by map."""
RATIO = 0.55
FIGHTS, ROUNDS, ACTS, TRIES = 3, 6, 2, 6
SILENT: dict[str, Any] = {"tells": False} if "tells" in signature(decide).parameters else {}
"""Nobody reads the events; the older commit says all the same."""
ROOT = Path(__file__).resolve().parents[1]


def rows() -> Iterator[Row]:
    """Each map with the ruleset that takes longest; then now against the older commit, over all rulesets."""
    with tempfile.TemporaryDirectory() as folder:
        older = Path(folder)
        archive = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        (older / "benchmarks" / Path(__file__).name).write_text(Path(__file__).read_text("utf-8"), "utf-8")
        for map_id, limit in LIMITS.items():
            now, then = dict[str, float](), dict[str, float]()
            for name in sorted(shipped_rulesets()):
                now[name], then[name] = _cell(ROOT, map_id, name), _cell(older, map_id, name)
            slow = max(now, key=lambda name: now[name])
            what = f"fight of {ROUNDS} rounds, {map_id}, {slow} (the slowest)"
            yield Row("A0", what, f"{now[slow]:.2f} s", "", now[slow], limit, "s")
            ratio = geometric_mean(now[name] / then[name] for name in now)
            means = [f"{geometric_mean(cell.values()):.2f} s" for cell in (now, then)]
            yield Row("A0", f"fight, {map_id}, against {BEFORE}", means[0], means[1], ratio, RATIO)


def _cell(folder: Path, map_id: str, ruleset: str) -> float:
    """CPU seconds that a fight takes in a process of its own, with the code in a folder."""
    words = [sys.executable, "-m", "benchmarks.fights", map_id, ruleset]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return float(subprocess.run(words, cwd=folder, env=environment, check=True, capture_output=True).stdout)


def fight(drawn: BattleMap, rules: Ruleset, seed: int) -> int:
    """Plays one fight: each unit makes an allowed attack of a few that are drawn, else moves towards an enemy.

    Returns:
        How many commands were given.
    """
    chance, given = Random(seed), 0

    def after(battle: Battle, command: Command) -> Battle:
        nonlocal given
        given += 1
        return apply_all(battle, decide(battle, command, rules, **SILENT))

    battle = apply_all(set_up(drawn.battlefield, rules), [begin(drawn.placements, rules, str(seed))])
    for kind in policy_kinds(rules):
        battle = after(battle, SetPolicy("auto", kind, ""))
    battle = after(battle, RollInitiative())
    while battle.turns.round <= ROUNDS and len(_sides(battle)) > 1:
        unit = battle.unit(battle.turns.active)
        try:
            for _ in range(ACTS):
                command = _command(battle, rules, unit.id, chance) if battle.turns.active == unit.id else None
                battle = after(battle, command) if command else battle
        except BattleboardError:
            pass  # a move that is stopped, an attack that must wait: the turn ends
        battle = after(battle, EndTurn()) if battle.turns.active == unit.id else battle
    return given


def _sides(battle: Battle) -> set[str]:
    return {unit.side for unit in battle.units.values() if not unit.is_defeated and not unit.is_neutral}


def _command(battle: Battle, rules: Ruleset, unit_id: str, chance: Random) -> Attack | Move | None:
    unit = battle.unit(unit_id)
    foes = [foe for foe in battle.units.values() if unit.is_enemy_of(foe) and not foe.is_defeated]
    attacks = [action for action in _attacks(rules, unit) if action.cone is None]
    shots = [Attack(unit.id, foe.id, "", action.id) for foe in foes for action in attacks]
    chance.shuffle(shots)
    for shot in shots[:TRIES]:
        if attack_preview.is_allowed(battle, rules, shot):
            return shot
    found = movement_range(battle, rules, unit)
    goals = sorted({square for reach in found.reaches for square in reach.costs if square != unit.at})
    if not goals or not foes:
        return None

    def far(square: Square) -> int:
        return min(max(abs(square.column - foe.at.column), abs(square.row - foe.at.row)) for foe in foes)

    return Move(unit.id, found.path(min(chance.sample(goals, min(8, len(goals))), key=far)))


def _attacks(rules: Ruleset, unit: Unit):  # type: ignore[no-untyped-def]
    """The attacks with the weapon in hand; at the older commit they stand in another module."""
    try:
        from engine.battle.attacks.attack_choices import attacks_in_hand
    except ImportError:
        attacks_in_hand = attack_preview.attacks_in_hand  # type: ignore[attr-defined]
    return attacks_in_hand(rules, unit)


if __name__ == "__main__":
    the_map, the_rules = load_map(shipped_maps()[sys.argv[1]]), load_ruleset(shipped_rulesets()[sys.argv[2]])
    fight(the_map, the_rules, FIGHTS)
    begun = process_time()
    for number in range(FIGHTS):
        fight(the_map, the_rules, number)
    print((process_time() - begun) / FIGHTS)
