"""ALL-2: every map that ships plays under every ruleset that ships, and under one that nobody ships."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine.battle import command as cmd
from engine.battle.apply import apply_all
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.errors import Illegal
from engine.journal.history import History, event_rows, replay
from engine.rules.model import Ruleset
from maps import BattleMap, load_map, shipped_maps
from rulesets import load_ruleset, shipped_rulesets
from tests.examples import grid
from tests.rules.random_play import as_on_disk, check, legal_actions, roam

SIXTH = "sixth"
MAPS = sorted(shipped_maps())
RULESETS = [*sorted(shipped_rulesets()), SIXTH]
everything = pytest.mark.parametrize(("map_id", "name"), grid(MAPS, RULESETS))


@cache
def the_map(map_id: str) -> BattleMap:
    return load_map(shipped_maps()[map_id])


@cache
def the_rules(name: str) -> Ruleset:
    return load_ruleset(Path(__file__).parents[1] / "rulesets" / SIXTH if name == SIXTH else shipped_rulesets()[name])


def begun(map_id: str, name: str, seed: str) -> tuple[Battle, History]:
    """The bare field, and a battle on it with the order rolled."""
    drawn, rules = the_map(map_id), the_rules(name)
    bare = Battle(drawn.battlefield)
    opening = (begin(drawn.placements, rules, seed),)
    opening += decide(apply_all(bare, opening), RollInitiative(), rules)
    return bare, History(bare).take(opening)


@pytest.mark.long
@everything
def test_it_opens_and_every_unit_has_something_to_do(map_id: str, name: str):
    rules, history = the_rules(name), begun(map_id, name, "opens")[1]
    battle = history.battle
    check(battle, (), rules)
    waiting = {unit.id for unit in battle.units.values() if not unit.is_defeated}
    for _ in range(3 * len(waiting)):
        found = legal_actions(battle, rules, battle.unit(battle.turns.active))
        assert found, f"{battle.turns.active} has nothing to do"
        waiting.discard(battle.turns.active)
        if not waiting:
            return
        battle = apply_all(battle, decide(battle, cmd.EndTurn(), rules))
    raise AssertionError(f"{waiting} never had a turn")


@everything
def test_a_few_random_commands_keep_everything_in_order(map_id: str, name: str):
    play_at_random(map_id, name, 25, "short")


@pytest.mark.slow
@everything
def test_a_thousand_random_commands_keep_everything_in_order(map_id: str, name: str):
    done, fight = 0, 0
    while done < 1000:
        done += play_at_random(map_id, name, 1000 - done, f"long {fight}")
        fight += 1


def play_at_random(map_id: str, name: str, commands: int, seed: str) -> int:
    """Plays one fight at random until it or the commands are over, then takes it back and replays it.

    Returns:
        How many commands were played.
    """
    rules = the_rules(name)
    bare, history = begun(map_id, name, seed)
    start = history.battle
    opening = history.done
    assert opening is not None
    roamed = roam(history, rules, Random(f"{map_id} {name} {seed}"), commands)
    end = roamed.history
    rows = as_on_disk([event_rows(opening.events), *roamed.rows])
    assert replay(bare, rows).battle == end.battle
    back = end
    while True:
        try:
            back = back.undo()
        except Illegal:
            break
    assert back.battle == start
    return max(1, len(roamed.rows))
