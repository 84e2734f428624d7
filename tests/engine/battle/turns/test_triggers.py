"""Moments: what happens by itself at the turns of turns and rounds, in falls, to whoever is out of the fight."""

from __future__ import annotations

import pytest

from engine.battle import events as ev
from engine.battle.command import Act, Attack, EndTurn
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.unit_edits import SetAltitude, SetCondition, SetPool
from engine.errors import Unreadable
from rulesets import parse_ruleset
from tests.rules.table import Table, fight
from tests.rulesets.texts import small, texts


def moment(at: str, *effects: str, when: str = "true", name: str = "") -> str:
    """A moment of that kind with effects, each as one line of TOML."""
    name = name or at.replace(" ", "-")
    told = f'[[trigger]]\nid = "{name}"\nlabel = "{name}"\nat = "{at}"\nwhen = "{when}"\nsource = "ours"\n'
    for number, effect in enumerate(effects, 1):
        told += f'[[trigger.effect]]\nid = "{name}-{number}"\nlabel = "{name}"\nsource = "ours"\n{effect}\n'
    return told.replace('when = "true"\n', "")


def scene(*moments: str, altitudes: dict[str, float] | None = None, more: str = "") -> Table:
    rules = small("".join(moments) + more)
    return fight(rules, "a..b", a="gunman", b="flyer", altitudes=altitudes)


LOSE = 'lose = 1\npool = "hp"'


@pytest.mark.parametrize(
    ("at", "lost"),
    [
        ("own turn start", {"a": 1, "b": 2}),
        ("own turn end", {"a": 2, "b": 1}),
        ("round start", {"a": 1, "b": 1}),
        ("round end", {"a": 1, "b": 1}),
    ],
)
def test_what_happens_at_turns_and_rounds(at: str, lost: dict[str, int]) -> None:
    table = scene(moment(at, LOSE))
    before = {unit: table.unit(unit).pools["hp"] for unit in lost}
    for _ in range(3):
        table.do(EndTurn())
    assert {unit: before[unit] - table.unit(unit).pools["hp"] for unit in lost} == lost


def test_the_first_turn_and_round_count_as_well() -> None:
    table = fight(small(moment("round start", LOSE) + moment("own turn start", LOSE)), "a..b", a="gunman", b="gunman")
    assert {unit.id: unit.pools["hp"] for unit in table.battle.units.values()} == {"a": 7, "b": 8}


def test_rounds_end_in_the_order_of_turns_before_the_conditions_of_the_round() -> None:
    table = scene(moment("round end", LOSE, when="unit.stunned"))
    table.do(SetCondition("a", "stunned", True))
    table.do(EndTurn())
    lines = table.do(EndTurn())
    assert lines[:3] == ["A: hit points 9 → 8, round-end.", "A is no longer stunned: end of the round.", "Round 2."]


def test_rolling_anew_ends_the_turn_that_continues() -> None:
    table = scene(moment("own turn end", LOSE))
    table.do(RollInitiative(), (1,), (2,))
    assert table.unit("a").pools["hp"] == 8


def test_dice_of_a_moment_are_typed_with_the_command() -> None:
    table = scene(moment("own turn end", 'roll = "1d6"\nas = "bleeding"', 'lose = "bleeding"\npool = "hp"'))
    assert table.do(EndTurn(), (4,))[:2] == ["own-turn-end: 1d6 = 4, typed.", "A: hit points 9 → 5, own-turn-end."]


def test_who_is_out_in_the_air_comes_down_and_falls() -> None:
    down = moment("defeated", 'descend = "unit.altitude"\nfalls = true', when="unit.altitude > 0")
    fallen = moment("falls", 'let = "fall_height"\nas = "how_far"\nshow = true', 'posture = "prone"')
    table = scene(down, fallen, altitudes={"b": 25})
    lines = table.do(SetPool("b", "hp", 0))
    assert lines == [
        "B: hit points 9 → 0, set by the GM.",
        "B is out of the fight.",
        "B falls 25 ft.",
        "falls: 25.",
        "B is prone.",
    ]
    assert (table.unit("b").altitude, table.unit("b").posture) == (0, "prone")
    table = scene(down, fallen, altitudes={"b": 25})
    assert "B falls 25 ft." in table.do(Attack("a", "b"), (1,), (6, 6))


def test_a_fall_that_puts_somebody_out_ends_there() -> None:
    down = moment("defeated", 'descend = "unit.altitude"\nfalls = true', when="unit.altitude > 0")
    hurt = moment("falls", 'lose = "fall_height"\npool = "hp"')
    drop = """
[action.drop]
label = "Drop"
kind = "other"
source = "ours"
[[action.drop.effect]]
id = "drops"
label = "drops"
descend = "%s"
%s
source = "ours"
"""
    rules = small(down + hurt + drop % ("unit.altitude", "falls = true"))
    table = fight(rules, "a..b", a="flyer", b="gunman", altitudes={"a": 30})
    lines = table.do(Act("a", "drop"))
    assert lines[1:] == [
        "A falls 30 ft.",
        "A: hit points 9 → 0, falls.",
        "A is out of the fight.",
    ]


def test_sinking_gently_is_no_fall_nor_is_the_air_a_floor() -> None:
    act = '[action.x]\nlabel = "X"\nkind = "other"\nsource = "ours"\n'
    act += '[[action.x.effect]]\nid = "x"\nlabel = "x"\nsource = "ours"\n'
    for deed, altitude, falls in (
        ("descend = 100", 0, 0),
        ("descend = 10\nfalls = true", 2000, 0),
    ):
        table = fight(
            small(f"{act}{deed}\n{moment('falls', LOSE)}"), "a..b", a="flyer", b="gunman", altitudes={"a": 30}
        )
        table.do(Act("a", "x"))
        assert table.unit("a").altitude == altitude and len(table.happened(ev.UnitFell)) == falls, deed
        assert table.unit("a").pools["hp"] == 9
    table = fight(small(act + "descend = 5"), "a..b", a="gunman", b="gunman")
    table.do(Act("a", "x"))
    assert not table.happened(ev.AltitudeChanged), "who stands on the ground sinks no deeper"


def test_moments_that_bring_each_other_about_come_to_an_end() -> None:
    table = scene(
        moment("defeated", 'gain = 9\npool = "hp"', name="up"), moment("defeated", 'lose = 9\npool = "hp"', name="down")
    )
    table.do(SetPool("b", "hp", 0))
    assert 1 < len(table.happened(ev.UnitDefeated)) <= 11


def test_the_defeated_see_rounds_but_no_turns() -> None:
    table = scene(moment("round end", "descend = 10", when="unit.defeated"), altitudes={"b": 25})
    table.do(SetPool("b", "hp", 0))
    table.do(EndTurn())
    assert table.unit("b").altitude == 1500
    table.do(SetAltitude("b", 300))
    table.do(EndTurn())
    assert table.unit("b").altitude == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (moment("sunset", LOSE), "'sunset' is not known"),
        (moment("falls"), "a trigger has no"),
        (moment("falls", "extra_turn = true"), "extra_turn needs an acting unit"),
        (moment("falls", 'set_grade = "good"'), "set_grade needs an attack roll"),
        (moment("falls", "push = 5"), "push needs an attack roll"),
        (moment("falls", LOSE, when="target.hp > 1"), "target.hp"),
        (moment("falls", LOSE) * 2, "the trigger 'falls' already exists"),
        (moment("falls", f"{LOSE}\nfalls = true"), "has no key 'falls'"),
    ],
)
def test_what_is_wrong_with_a_moment_is_said(text: str, message: str) -> None:
    whole = texts()
    with pytest.raises(Unreadable, match=message):
        parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + text}, "small")
