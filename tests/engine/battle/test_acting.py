"""Acts on somebody, what an act costs the second time, and conditions about a unit or a weapon."""

from __future__ import annotations

import pytest

from engine.battle import events as ev
from engine.battle.command import Act, Attack
from engine.battle.commands.other_actions import possible_targets, refusal
from engine.battle.commands.unit_edits import SetCondition, SetPool
from engine.errors import Unreadable
from engine.geometry.squares import Direction
from engine.journal.history import event_rows, read_event
from engine.values import replace
from rulesets import parse_ruleset
from tests.rules.table import Table, fight
from tests.rulesets.texts import small, texts

ACTS = """
[condition.aiming]
label = "aiming"
mark = "a"
until = "battle end"
about = "unit"
source = "ours"
[condition.jammed]
label = "jammed"
mark = "j"
until = "battle end"
about = "weapon"
source = "ours"
[budget.wind]
label = "wind"
start = 5
source = "ours"
[action.aim]
label = "Aim"
kind = "other"
target = "enemy"
cost = { wind = "action.times_taken + 1" }
source = "ours"
[[action.aim.require]]
holds = "visible > 0 and distance <= 40"
reason = "{distance} ft is too far for {unit.name}"
[[action.aim.effect]]
id = "aims"
label = "aims"
whom = "attacker"
condition = "aiming"
source = "ours"
[action.trip]
label = "Trip"
kind = "other"
target = "any"
source = "ours"
[[action.trip.require]]
holds = "adjacent"
reason = "out of reach"
[[action.trip.effect]]
id = "hurt"
label = "tripped"
lose = "2 + action.times_taken"
pool = "hp"
source = "ours"
[[action.trip.effect]]
id = "down"
label = "down"
when = "target.hp <= 8"
posture = "prone"
source = "ours"
[[action.trip.effect]]
id = "back"
label = "back"
push = "square"
source = "ours"
[action.cheer]
label = "Cheer"
kind = "other"
target = "ally"
source = "ours"
[[action.cheer.effect]]
id = "heals"
label = "cheered"
gain = 3
pool = "hp"
source = "ours"
[action.jam]
label = "Jam"
kind = "other"
source = "ours"
[[action.jam.effect]]
id = "jams"
label = "jams"
condition = "jammed"
source = "ours"
[[effect]]
id = "jams"
label = "jams"
on = ["miss"]
whom = "attacker"
condition = "jammed"
source = "ours"
[[effect]]
id = "breaks"
label = "breaks"
on = ["miss"]
when = "roll == 100"
whom = "attacker"
break = true
source = "ours"
[[restriction]]
id = "jammed"
step = "base"
label = "Jammed"
when = "attacker.jammed and attacker.jammed_on == weapon.id"
because = "it is jammed"
source = "ours"
"""
RULES = small(ACTS)


def scene(*rows: str) -> Table:
    return fight(RULES, *(rows or ("ac..b....d",)), allies="c", a="gunman", b="gunman", c="gunman", d="gunman")


def test_an_act_is_on_the_target_named_and_turns_to_it() -> None:
    table = scene()
    lines = table.do(Act("a", "aim", "b"))
    assert lines == ["A → B: Aim.", "A is aiming: B."]
    assert table.unit("a").about == {"aiming": "b"} and table.unit("a").facing is Direction.E
    assert table.do(Act("a", "aim", "b")) == ["A → B: Aim."], "it costs 2 now, and changes nothing more"
    assert table.unit("a").turn.budget["wind"] == 2
    assert table.refusal(Act("a", "aim", "b")) == ("A cannot take “Aim”: it costs 3 winds, 2 left this turn.")


def test_what_it_asks_may_be_about_the_target() -> None:
    table = scene()
    assert table.refusal(Act("a", "aim", "d")) == "A cannot take “Aim”: 45 ft is too far for A."
    assert table.refusal(Act("a", "trip", "b")) == "A cannot take “Trip”: out of reach."
    table.do(Act("a", "trip", "c"))
    assert (
        table.unit("c").pools["hp"] == 8 - 1 and table.unit("c").posture == "prone" and table.unit("c").at.column == 2
    )
    assert table.unit("a").posture == "standing"


def test_an_act_knows_how_often_it_was_taken_before() -> None:
    table = scene()
    table.do(Act("a", "trip", "c"))
    table.place("c", "B1")
    table.do(Act("a", "trip", "c"))
    assert [event.before - event.after for event in table.happened(ev.PoolChanged)] == [3]


def test_whom_an_act_may_be_on() -> None:
    table = scene()
    assert table.refusal(Act("a", "aim", "c")) == "“Aim” cannot target C: enemies only."
    assert table.refusal(Act("a", "cheer", "b")) == "“Cheer” cannot target B: allies only."
    assert table.refusal(Act("a", "trip", "a")) == "“Trip” cannot target A: it needs another unit."
    assert table.refusal(Act("a", "aim")) == "“Aim” needs a target: name a unit."
    assert table.refusal(Act("a", "jam", "b")) == "“Jam” takes no target."
    assert "No unit is called 'x'" in table.refusal(Act("a", "aim", "x")) or "'x'" in table.refusal(
        Act("a", "aim", "x")
    )
    table.do(SetPool("b", "hp", 0))
    assert table.refusal(Act("a", "aim", "b")) == "“Aim” cannot target B: already out of the fight."
    table.do(SetPool("c", "hp", 0))
    table.do(Act("a", "cheer", "c"))
    assert table.unit("c").pools["hp"] == 3 and not table.unit("c").is_defeated


def test_the_reason_of_an_act_without_a_target_yet() -> None:
    table = scene()
    aim, trip = RULES.actions["aim"], RULES.actions["trip"]
    assert [other.id for other in possible_targets(table.battle, RULES, table.unit("a"), aim)] == ["b", "d"]
    assert refusal(table.battle, RULES, table.unit("a"), aim) == ""
    assert refusal(table.battle, RULES, table.unit("a"), trip) == ""
    assert refusal(table.battle, RULES, table.unit("a"), trip, "b") == "out of reach"
    assert refusal(table.battle, RULES, table.unit("b"), aim).startswith("It is A's turn")
    lonely = fight(RULES, "a", a="gunman")
    assert refusal(lonely.battle, RULES, lonely.unit("a"), aim) == "no valid target"


def test_bare_hands_may_act_on_somebody() -> None:
    table = scene()
    table.battle = table.battle.with_unit(
        replace(table.unit("a"), gear=replace(table.unit("a").gear, weapon="", weapons=()))
    )
    assert table.do(Act("a", "aim", "b"))[0] == "A → B: Aim."


def test_a_condition_about_a_weapon_is_about_the_one_used() -> None:
    table = scene()
    assert "A is jammed: Gun." in table.do(Attack("a", "b"), (99,))
    assert table.shot().ledger.forbidden and table.shot("fist", at="c").ledger.forbidden is None
    table.turn_of("a")
    assert table.refusal(Attack("a", "b")) == "Jammed: it is jammed."
    table.do(SetCondition("a", "jammed", False))
    table.do(SetCondition("a", "jammed", True))
    assert table.unit("a").about == {"jammed": "gun"}, "without a word the weapon in hand"
    assert "'sling'" in table.refusal(SetCondition("a", "jammed", True, about="sling"))
    assert "takes no unit" in table.refusal(SetCondition("a", "stunned", True, about="b"))
    table.do(SetCondition("a", "aiming", True, about="b"))
    assert table.unit("a").about["aiming"] == "b"


def test_a_condition_about_a_weapon_goes_with_it() -> None:
    table = scene()
    lines = table.do(Attack("a", "b"), (100,))
    assert "A's Gun breaks." in lines and "A is no longer jammed: the Gun is gone." in lines
    assert table.unit("a").conditions == () and table.unit("a").about == {}


def test_an_event_of_before_acts_had_targets_still_reads() -> None:
    taken = ev.ActionTaken("a", "aim", "Aim", {}, {}, "b")
    ((kind, body),) = event_rows([taken])
    assert read_event(kind, body) == taken
    del body["target"]
    assert read_event(kind, body) == ev.ActionTaken("a", "aim", "Aim", {}, {})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('target = "enemy"', 'target = "enemies"', "did you mean 'enemy'"),
        ('kind = "other"\nsource', 'kind = "move"\ntarget = "any"\nsource', "is only for actions of the kind 'other'"),
        ('about = "unit"', 'about = "units"', "did you mean 'unit'"),
        ('"jams"\ncondition', '"jams"\nwhom = "target"\ncondition', "known values: attacker"),
        ('push = "square"', 'set_grade = "good"', "set_grade needs an attack roll"),
        ('lose = "2 + action.times_taken"', 'lose = "2 + band"', "band"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_act_is_said(old: str, new: str, message: str) -> None:
    whole = texts()
    assert old in ACTS
    with pytest.raises(Unreadable, match=message):
        parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + ACTS.replace(old, new, 1)}, "small")
