"""Attacks on an area: everybody in the cone whom the attacker sees is struck, friend and foe, the nearest first."""

from __future__ import annotations

import pytest

from engine.battle import events as ev
from engine.battle.attacks.swept_areas import squares_swept
from engine.battle.command import Act, Attack
from engine.battle.commands.unit_actions import Face
from engine.battle.narration.preview_text import verdict
from engine.errors import Unreadable
from engine.geometry.squares import Direction, parse_square
from tests.rules.table import Table, fight, with_more
from tui.application.focus.focus import Focus, aims_at_cursor
from tui.application.overlays.overlay_list import compute_overlay

OCC = "occult-ops"
SWEEP = """
[action.sweep]
label = "Sweeping fire"
kind = "attack"
weapons = ["ranged"]
ammo = 3
cost = { attack = 1 }
area = "cone"
arc = 45
length = 25
source = "ours"
[condition.pinned]
label = "pinned"
mark = "p"
until = "battle end"
source = "ours"
[[effect]]
id = "heat"
label = "Heat"
on = ["always"]
when = "action.id == 'sweep'"
roll = "1d6"
as = "heat"
shared = true
source = "ours"
[[effect]]
id = "nerve"
label = "Nerve"
on = ["always"]
when = "action.id == 'sweep' and hostile"
roll = "1d100"
as = "nerve"
source = "ours"
[[effect]]
id = "pins"
label = "pinned"
on = ["always"]
when = "action.id == 'sweep' and hostile and nerve > 50 + 10 * heat"
condition = "pinned"
source = "ours"
[[effect]]
id = "told"
label = "Caught"
on = ["always"]
when = "action.id == 'sweep'"
let = "100 + 10 * area_targets + area_target_number"
as = "numbers"
show = true
source = "ours"
"""
ROWS = (
    "..........",
    "....#d....",
    "a.bc#....g",
    "..........",
    "..e....f..",
)


def table(rows: tuple[str, ...] = ROWS, more: str = SWEEP) -> Table:
    roles = {"a": "gunman"} | dict.fromkeys(sorted(set("".join(rows)) - set(".#a")), "gunman")
    return fight(OCC, *rows, allies="c", more_rules=more, **roles)


def caught(found: Table) -> list[str]:
    return [one.target for one in found.happened(ev.BurstCaught)]


def test_everybody_seen_in_the_cone_is_struck_the_nearest_first():
    found = table()
    # d is behind the wall, e and f are outside of the arc, g is past the length; c is an ally
    shot = found.shot(action="sweep")
    assert [unit.id for unit in shot.caught or ()] == ["b", "c"]
    assert verdict(shot, found.rules).endswith("In the area: B, C.")
    assert (shot.situation.facts["area_targets"], shot.situation.facts["area_target_number"]) == (2, 1)
    lines = found.do(Attack("a", "b", action="sweep"), (85,), (2,), (80,))
    assert caught(found) == ["b", "c"]
    assert [(one.label, one.value) for one in found.happened(ev.EffectComputed) if one.label == "Caught"] == [
        ("Caught", 121),
        ("Caught", 122),
    ]
    assert "B is in the area: Sweeping fire." in lines
    assert [one.unit for one in found.happened(ev.ConditionBegan)] == ["b"]  # C is no enemy, and asked for no nerve
    assert found.unit("a").gear.rounds["usp9"] == 12


def test_dice_that_serve_all_are_rolled_once_and_the_others_for_each():
    found = table(("......", "a.bb2."[:3] + "cd.", "......"))
    found.do(Attack("a", "b", action="sweep"), (85,), (1,), (90,), (90,))
    labels = [one.label for one in found.happened(ev.EffectRolled)]
    assert labels == ["Heat", "Nerve", "Nerve"]
    assert [one.unit for one in found.happened(ev.ConditionBegan)] == ["b", "d"]


def test_a_bare_square_gives_the_direction():
    found = table()
    found.do(Attack("a", "", action="sweep", square=parse_square("A5")), (85,), (1,))
    assert caught(found) == []
    assert found.unit("a").facing is Direction.S
    assert [one.value for one in found.happened(ev.EffectComputed) if one.label == "Caught"] == [100]
    assert not found.happened(ev.PoolChanged)
    found.turn_of("a").do(Attack("a", "", action="sweep", square=parse_square("F4")), (85,), (1,), (90,))
    assert caught(found) == ["b", "c"]
    assert "aim at a unit" in found.refusal(Attack("a", "", square=parse_square("F4")))
    assert found.refusal(Attack("a", "", action="sweep", square=parse_square("A3"))).startswith("A stands on A3")


def test_the_border_of_the_cone_is_inside_and_large_bodies_are_caught_by_any_square():
    found = table(("..e..", ".....", "a.b..", ".....", "....."), SWEEP.replace("arc = 45", "arc = 90"))
    assert [unit.id for unit in found.shot(action="sweep").caught or ()] == ["b", "e"]
    narrower = table(("..e..", ".....", "a.b..", ".....", "....."), SWEEP.replace("arc = 45", "arc = 89"))
    assert [unit.id for unit in narrower.shot(action="sweep").caught or ()] == ["b"]


def test_a_whole_circle_catches_all_around():
    found = table(("e....", ".ab..", "....."), SWEEP.replace("arc = 45", "arc = 360"))
    assert {unit.id for unit in found.shot(action="sweep").caught or ()} == {"b", "e"}


def test_the_length_is_counted_as_the_ruleset_counts_distances():
    found = table(("a....bc",))
    assert [unit.id for unit in found.shot(action="sweep").caught or ()] == ["b"]  # 25 ft, and 30 ft
    action = found.rules.actions["sweep"]
    assert action.cone is not None
    zone = squares_swept(found.battle, found.rules, found.shot(action="sweep").situation, action.cone)
    assert [square.name for square in zone] == ["B1", "C1", "D1", "E1", "F1"]


def test_rules_that_open_on_one_target_are_untouched():
    found = table()
    assert found.shot().caught is None
    assert (found.shot().situation.facts["area_targets"], found.shot().situation.facts["area_target_number"]) == (1, 1)
    found.do(Act("a", "covering-fire"))
    assert "covering" in found.unit("c").conditions


def test_those_in_a_burst_are_counted_too():
    told = SWEEP.replace("action.id == 'sweep'\"\nlet", 'thrown"\nlet')
    assert told != SWEEP
    found = fight(OCC, "a....bc", a="grenadier", b="gunman", c="gunman", more_rules=told)
    found.do(Attack("a", "b", "frag-grenade"), (30,), (12,))
    numbers = [one.value for one in found.happened(ev.EffectComputed) if one.label == "Caught"]
    assert numbers == [121, 122]


def test_the_board_shades_the_cone_before_it_is_fired():
    found = table()
    focus = Focus("a", target="b", action="sweep", cursor=parse_square("C3"))
    overlay = compute_overlay(focus, found.battle, found.rules)
    assert overlay.tints[parse_square("C3")] == overlay.tints[parse_square("D3")] == "blast"
    assert overlay.tints[parse_square("F2")] == "edge"  # behind the wall
    assert parse_square("A3") not in overlay.tints
    assert parse_square("C5") not in overlay.tints
    assert overlay.words == "45° to 25 ft towards B. In the area: B, C."
    assert not aims_at_cursor(focus, found.battle, found.rules)
    free = Focus("a", action="sweep", cursor=parse_square("C5"))
    assert aims_at_cursor(free, found.battle, found.rules)
    assert parse_square("C5") in compute_overlay(free, found.battle, found.rules).tints
    by_hand = Focus("a", action="sweep", cursor=parse_square("E4"), overlay="blast")
    assert compute_overlay(by_hand, found.battle, found.rules).words.startswith("45° to 25 ft towards E4.")
    assert not compute_overlay(Focus("a", target="b"), found.battle, found.rules).tints


def test_facing_can_be_asked_of_who_sweeps():
    more = SWEEP + '[[action.sweep.require]]\nholds = "attacker.bearing <= 45"\nreason = "it looks elsewhere"\n'
    found = table(more=more)
    found.do(Face("a", Direction.N))
    assert "it looks elsewhere" in found.refusal(Attack("a", "b", action="sweep"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('area = "cone"\n', "", "arc is only for attacks on an area"),
        ("arc = 45", "arc = 400", "arc"),
        ("arc = 45\n", "", "arc"),
        ("length = 25\n", "", "length"),
        ('area = "cone"', 'area = "cube"', "cone"),
    ],
)
def test_what_is_no_area_is_refused(old: str, new: str, message: str):
    with pytest.raises(Unreadable, match=message):
        with_more(OCC, SWEEP.replace(old, new))


def test_only_attacks_have_areas():
    other = '[action.wave]\nlabel = "W"\nkind = "other"\narea = "cone"\narc = 30\nlength = 5\nsource = "ours"\n'
    with pytest.raises(Unreadable, match="area is only for actions of the kind 'attack'"):
        with_more(OCC, other)
