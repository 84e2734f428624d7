"""Effects: they run in order, each sees what those before it changed, and nothing passes its bounds."""

from __future__ import annotations

import pytest

from engine.answers import Needs, typed_dice
from engine.battle.effects.condition_effects import ConditionEffect, PostureEffect
from engine.battle.effects.pool_effects import GainEffect, LoseEffect, PoolEffect
from engine.battle.effects.roll_effects import LetEffect, RollEffect
from engine.battle.effects.weapon_effects import ReloadEffect
from engine.dice.dice_expressions import parse_dice
from engine.dice.sources import RollAsk, TableSource
from engine.rules.effect_kinds import NumberChange
from engine.rules.effects import Consequences, consequences
from engine.rules.expressions import compile_expression, constant
from engine.rules.model import Effect, Expression, Grade, Value
from engine.rules.origin import Origin
from tests.rules.table import roll_asked

HERE = Origin("tests")
YES = constant(True)
HIT, MISS, GRAZE = (
    Grade("hit-well", "Hit", YES, True, HERE),
    Grade("miss-plain", "Miss", YES, False, HERE),
    Grade("graze", "Graze", YES, True, HERE),
)
FACTS: dict[str, Value] = {
    "attacker.hp": 5,
    "attacker.hp.full": 20,
    "target.hp": 10,
    "target.hp.full": 12,
    "target.armour": 4,
    "target.armour.full": 4,
    "target.prone": False,
    "weapon.damage": "2d6",
}
NAMES = {*FACTS, "grade", "hit", "damage", "left"}


def formula(text: str) -> Expression:
    return compile_expression(text, NAMES)


def effect(kind: str, value: str = "1", name: str = "hp", **common: str) -> Effect:
    """An effect of a kind, with its formula and what it names; `on`, `when` and `whom` where they are not the usual."""
    when = formula(common.get("when", "True"))
    whom, on = common.get("whom", "target"), (common.get("on", "always"),)
    shared = (f"{kind}-{name}", kind, on, when, whom, HERE, False, None, None)
    match kind:
        case "roll":
            return RollEffect(*shared, formula(value), name, False, None)
        case "let":
            return LetEffect(*shared, formula(value), name, False)
        case "lose":
            return LoseEffect(*shared, formula(value), name)
        case "gain":
            return GainEffect(*shared, formula(value), name)
        case "condition":
            return ConditionEffect(*shared, name, value == "0", None)
        case "posture":
            return PostureEffect(*shared, name)
    return ReloadEffect(*shared)


def run(*effects: Effect, grade: Grade | None = HIT, dice: tuple[tuple[int, ...], ...] = ()) -> Consequences:
    return consequences(effects, FACTS, grade, TableSource(typed_dice(dice)))


def changes(found: Consequences) -> list[tuple[str, str, int, int]]:
    """What pools came to."""
    pools = [(change.effect, change) for change in found.changes if isinstance(change, NumberChange)]
    return [
        (effect.whom, effect.pool, change.before, change.after)
        for effect, change in pools
        if isinstance(effect, PoolEffect)
    ]


def test_roll_rolls_the_dice_that_the_value_names() -> None:
    found = run(effect("roll", "weapon.damage", "damage"), dice=((2, 5),))
    assert [(named.name, named.roll.text, named.roll.total) for named in found.rolls] == [("damage", "2d6", 7)]
    assert found.values == {"damage": 7}
    assert found.changes == ()


def test_roll_asks_the_source_with_the_effects_label() -> None:
    with pytest.raises(Needs) as need:
        run(effect("roll", "weapon.damage", "damage"))
    assert roll_asked(need.value) == RollAsk("roll: 2d6", "roll", parse_dice("2d6"))


def test_let_names_a_value_for_the_effects_after_it() -> None:
    found = run(
        effect("roll", "weapon.damage", "damage"),
        effect("let", "damage - target.armour", "left"),
        effect("lose", "left"),
        dice=((9,),),
    )
    assert found.values == {"damage": 9, "left": 5}
    assert changes(found) == [("target", "hp", 10, 5)]


def test_later_effects_see_what_earlier_ones_changed() -> None:
    found = run(
        effect("lose", "3", "armour"),
        effect("lose", "target.armour", "hp"),
        effect("lose", "1", "hp", when="target.hp == 9"),
    )
    assert changes(found) == [("target", "armour", 4, 1), ("target", "hp", 10, 9), ("target", "hp", 9, 8)]


def test_a_pool_loses_nothing_past_0_and_gains_nothing_past_its_start() -> None:
    assert changes(run(effect("lose", "25"))) == [("target", "hp", 10, 0)]
    assert changes(run(effect("gain", "25"))) == [("target", "hp", 10, 12)]
    assert changes(run(effect("gain", "3", whom="attacker"))) == [("attacker", "hp", 5, 8)]


def test_what_changes_nothing_is_no_change() -> None:
    assert run(effect("lose", "0"), effect("lose", "-4"), effect("gain", "1", "armour")).changes == ()


def test_fractions_are_rounded_down() -> None:
    assert changes(run(effect("lose", "7 / 2"))) == [("target", "hp", 10, 7)]


@pytest.mark.parametrize(
    ("on", "happens"),
    [
        ("always", {"hit-well", "miss-plain", "graze", "none"}),
        ("hit", {"hit-well", "graze", "none"}),
        ("miss", {"miss-plain", "none"}),
        ("graze", {"graze", "none"}),
    ],
)
def test_an_effect_happens_after_the_grades_it_names(on: str, happens: set[str]) -> None:
    grades = {"hit-well": HIT, "miss-plain": MISS, "graze": GRAZE, "none": None}
    assert {name for name, grade in grades.items() if run(effect("lose", "1", on=on), grade=grade).changes} == happens


def test_effects_may_ask_for_the_grade() -> None:
    found = run(effect("lose", "1", when="grade == 'graze'"), effect("lose", "2", when="hit"), grade=GRAZE)
    assert changes(found) == [("target", "hp", 10, 9), ("target", "hp", 9, 7)]


def test_conditions_begin_and_end_and_later_effects_know() -> None:
    begin = effect("condition", "1", "prone")
    found = run(begin, effect("lose", "1", when="target.prone"))
    assert [change.effect.begins for change in found.changes] == ["prone", ""]
    assert (changes(found), found.learned) == ([("target", "hp", 10, 9)], {"target.prone": True, "target.hp": 9})
    ended = run(effect("condition", "0", "prone"))
    assert [change.effect.ends for change in ended.changes] == ["prone"]
    assert ended.learned == {"target.prone": False}


def test_postures_and_reloads_are_passed_on() -> None:
    found = run(effect("posture", "1", "prone", whom="attacker"), effect("reload", "1", "", whom="attacker"))
    assert [(change.effect.kind, change.effect.whom) for change in found.changes] == [
        ("posture", "attacker"),
        ("reload", "attacker"),
    ]
    assert found.learned == {"attacker.posture": "prone"}


def test_a_change_says_what_it_is_called_and_where_it_comes_from() -> None:
    (change,) = run(effect("lose", "2")).changes
    assert isinstance(change, NumberChange)
    assert (change.effect.kind, change.effect.label, change.effect.origin) == ("lose", "lose", HERE)


def test_the_facts_given_are_left_as_they_were() -> None:
    before = dict(FACTS)
    run(effect("lose", "2"), effect("let", "3", "left"))
    assert before == FACTS
