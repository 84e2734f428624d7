"""What rules may ask of others nearby: facings, the target's weapon, who stands beside whom, allies in the way."""

from __future__ import annotations

import pytest

from engine.battle import events as ev
from engine.battle.command import Act, Attack
from engine.battle.commands.unit_actions import Face
from engine.battle.commands.unit_edits import Place
from engine.errors import Unreadable
from engine.geometry.squares import Direction, parse_square
from tests.rules.table import fight, with_more

OCC = "occult-ops"
FROM_BEHIND = """
[[modifier]]
id = "from-behind"
step = "conditions"
label = "From behind"
value = "target.bearing"
when = "target.bearing > 90"
because = "{target.bearing} degrees off its facing, {attacker.bearing} off one's own"
source = "ours"
"""
STRAY = """
[[effect]]
id = "stray"
label = "into the melee"
on = ["always"]
when = "allies_near_target > 0 and ranged and not outcome_changed"
whom = "ally_near_target"
within = 5
set_grade = "armour-hit"
source = "ours"
"""
SHOUT = """
[action.shout]
label = "Shout"
kind = "other"
source = "ours"
[[action.shout.effect]]
id = "shouted-at"
label = "shouted at"
whom = "enemies"
within = 20
condition = "intimidated"
source = "ours"
"""


def test_aside_is_how_far_off_the_facing_the_other_one_is():
    table = fight(OCC, "a..b", a="gunman", b="gunman", more_rules=FROM_BEHIND)
    assert (table.unit("a").facing, table.unit("b").facing) == (Direction.E, Direction.W)
    facts = table.shot().situation.facts
    assert (facts["attacker.bearing"], facts["target.bearing"]) == (0, 0)
    table.do(Face("b", Direction.NE))
    assert table.worth("from-behind") == 135
    table.do(Face("a", Direction.S))
    line = next(line for line in table.shot().ledger.entries if line.id == "from-behind")
    assert line.because == "135 degrees off its facing, 90 off one's own"


def test_the_weapon_in_the_targets_hand_is_asked_for():
    table = fight(OCC, "a..b", a="gunman", b="rifleman")
    facts = table.shot().situation.facts
    weapon = table.rules.gear.weapons[table.unit("b").gear.weapon]
    assert facts["target_weapon.id"] == weapon.id != facts["weapon.id"]
    assert facts["target_weapon.kind"] == "ranged"
    assert facts["target_weapon.max_range"] == weapon.fields["max_range"]


def test_friends_enemies_and_bystanders_are_counted():
    table = fight(OCC, "a.cb.", "...d.", allies="c", a="gunman", b="gunman", c="brawler", d="brawler")
    facts = table.shot().situation.facts
    assert (facts["hostile"], facts["allies_near_target"]) == (True, 1)
    assert (facts["target.allies_adjacent"], facts["target.enemies_adjacent"]) == (1, 1)
    assert (facts["attacker.allies_adjacent"], facts["attacker.enemies_adjacent"]) == (0, 0)
    friendly = table.shot(at="c").situation.facts
    assert (friendly["hostile"], friendly["allies_near_target"]) == (False, 0)


def test_a_shot_into_melee_strikes_the_ally_nearest_to_the_target_once():
    table = fight(
        OCC, "a..cb", "....d", allies="cd", a="gunman", b="gunman", c="brawler", d="brawler", more_rules=STRAY
    )
    before = table.unit("c").pools["armour"]
    table.do(Attack("a", "b"), (89,), (3, 3))
    (turned,) = table.happened(ev.AttackTurned)
    assert (turned.target, turned.grade) == ("c", "armour-hit")
    assert table.unit("c").pools["armour"] < before or table.unit("c").pools["hp"] < 20
    table.do(Place("c", parse_square("A2")))
    table.do(Place("d", parse_square("B2")))
    table.turn_of("a")
    table.do(Attack("a", "b"), (89,))
    assert not table.happened(ev.AttackTurned)


def test_a_strike_that_would_turn_round_for_ever_ends():
    for_ever = STRAY.replace(" and not outcome_changed", "")
    table = fight(
        OCC, "a..cb", "...d.", allies="cd", a="gunman", b="gunman", c="brawler", d="brawler", more_rules=for_ever
    )
    table.do(Attack("a", "b"), (89,), (3, 3), (3, 3))
    assert [one.target for one in table.happened(ev.AttackTurned)] == ["c", "d"]


def test_enemies_within_a_distance_are_all_meant():
    table = fight(OCC, "a..b.c", "d.....", allies="d", a="leader", b="gunman", c="gunman", d="gunman", more_rules=SHOUT)
    lines = table.do(Act("a", "shout"))
    assert [unit.id for unit in table.battle.units.values() if "intimidated" in unit.conditions] == ["b"]
    assert lines == ["A: Shout.", "B is intimidated."]
    table.do(Place("b", parse_square("F2")))
    assert table.do(Act("a", "shout"))[-1] == "shouted at: no effect, no enemy in range."


@pytest.mark.parametrize("broken", ["whom = 'enemies'", "whom = 'ally_near_target'\nwithin = 5"])
def test_who_is_named_by_a_distance_needs_one_and_a_bystander_needs_a_target(broken: str):
    with pytest.raises(Unreadable, match="whom"):
        with_more(OCC, SHOUT.replace('whom = "enemies"\nwithin = 20', broken))
