"""Rolling for the order: scores of one's own, ties, what units declare, anew each round."""

from __future__ import annotations

import pytest

from engine.battle import events as ev
from engine.battle.command import EndTurn
from engine.battle.commands.order_commands import RollInitiative
from engine.errors import Unreadable
from engine.journal.history import event_rows, read_event
from engine.rules.model import Ruleset
from rulesets import parse_ruleset
from tests.rules.table import Table, fight
from tests.rulesets.texts import small, texts

BEFORE = 'kind = "each"\ndice = "1d10"'
APART = """
kind = "each"
dice = "2d20"
declares = true
bonus = "10 if action.wild else 5"
score = "max(die_1, die_2) + 100 * (die_1 <= bonus) + (50 if weapon.reach > 0 else 0)"
"""


def ruled(order: str, more: str = "") -> Ruleset:
    return small(more, BEFORE, order)


def three(rules: Ruleset, **more: object) -> Table:
    return fight(rules, "a..b..c", a="gunman", b="gunman", c="gunman", is_begun=False, **more)  # type: ignore[arg-type]


def test_ties_go_by_a_formula_then_by_a_roll_then_by_the_map() -> None:
    rules = ruled('kind = "each"\ndice = "1d10"\nbonus = "unit.skill / 10"\nties = "-unit.skill"\ntie_dice = "1d10"')
    table = three(rules, stats={"a": {"skill": 45}, "b": {"skill": 45}, "c": {"skill": 41}})
    lines = table.do(RollInitiative(), (5,), (5,), (5,), (2,), (7,))
    assert table.battle.turns.order == ("c", "b", "a"), "the formula first, then the roll"
    assert "A, tied for initiative: 1d10 = 2, typed." in lines
    table.do(RollInitiative(), (5,), (5,), (1,), (7,), (7,))
    assert table.battle.turns.order == ("a", "b", "c")
    assert len(table.happened(ev.TieRolled)) == 2, "who is not tied rolls no more"


def test_tied_sides_roll_once_each() -> None:
    rules = ruled('kind = "sides"\ndice = "1d10"\ntie_dice = "1d10"')
    table = three(rules)
    table.do(RollInitiative(), (5,), (5,), (2,), (7,))
    assert table.battle.turns.order == ("b", "c", "a")


def test_a_score_reads_the_dice_apart_and_what_is_declared() -> None:
    table = three(ruled(APART))
    lines = table.do(RollInitiative({"b": "walk"}), (3, 17), (8, 2), (11, 4))
    assert table.battle.turns.initiative == {"a": 167, "b": 58, "c": 61}
    assert lines[0] == "A rolls initiative for “Attack”: 167 (3 and 17, typed, +10)."
    assert lines[1].startswith("B rolls initiative for “Walk”: 58")
    assert table.battle.turns.order == ("a", "c", "b")


def test_the_weapon_of_a_declared_attack_is_the_one_it_works_with() -> None:
    punch = '[action.punch]\nlabel = "Punch"\nkind = "attack"\nweapons = ["melee"]\nsource = "ours"\n'
    table = three(ruled(APART, punch))
    table.do(RollInitiative({"a": "punch", "b": "attack"}), (20, 1), (20, 1), (20, 1))
    assert table.battle.turns.initiative == {"a": 20, "b": 70, "c": 70}
    assert "Did you mean 'punch'" in table.refusal(RollInitiative({"a": "punhc"}))
    assert "'x'" in table.refusal(RollInitiative({"x": "punch"}))
    throw = punch.replace("punch", "throw").replace("melee", "thrown")
    assert "no weapon for “Punch”" in three(ruled(APART, throw)).refusal(RollInitiative({"a": "throw"}))


def test_nothing_is_declared_where_nothing_is_asked() -> None:
    assert three(small()).refusal(RollInitiative({"a": "attack"})) == "Small rolls initiative without declared actions."


def test_dice_read_apart_are_typed_apart() -> None:
    assert "die by die" in three(ruled(APART)).refusal(RollInitiative(), (20,))


def test_the_order_is_rolled_anew_each_round() -> None:
    rules = ruled('kind = "each"\ndice = "1d10"\nevery = "round"')
    table = three(rules)
    table.do(RollInitiative(), (3,), (2,), (1,))
    table.do(EndTurn())
    table.do(EndTurn())
    lines = table.do(EndTurn(), (1,), (2,), (3,))
    assert (
        table.battle.turns.order == ("c", "b", "a")
        and table.battle.turns.active == "c"
        and table.battle.turns.round == 2
    )
    assert lines[0] == "Round 2." and lines[-2:] == ["Turn order: C (3), B (2), A (1).", "C's turn."]


def test_rolling_anew_in_a_round_begins_no_round_for_the_moments() -> None:
    moment = '[[trigger]]\nid = "m"\nlabel = "m"\nat = "round start"\nsource = "ours"\n'
    moment += '[[trigger.effect]]\nid = "e"\nlabel = "e"\nlose = 1\npool = "hp"\nsource = "ours"\n'
    table = three(small(moment))
    table.do(RollInitiative())
    table.do(RollInitiative())
    assert table.unit("a").pools["hp"] == 8


def test_what_was_rolled_before_anything_was_declared_still_reads() -> None:
    table = three(small())
    table.do(RollInitiative())
    rolled = table.happened(ev.InitiativeRolled)[0]
    ((kind, body),) = event_rows([rolled])
    del body["declared"]
    assert read_event(kind, body) == rolled


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ('kind = "each"\ndice = "1d10"\nevery = "turn"', "'turn' is not known"),
        ('kind = "each"\ndice = "4d6kh3"\nscore = "die_1"', "cannot be read die by die"),
        ('kind = "each"\ndice = "1d10"\nscore = "action.wild"', "action.wild"),
        ('kind = "each"\ndice = "1d10"\nbonus = "rolled"', "rolled"),
        ('kind = "each"\ndice = "1d10"\ntie_dice = "d"', "is not a dice expression"),
    ],
)
def test_what_is_wrong_with_an_order_is_said(order: str, message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        parse_ruleset(texts(BEFORE, order), "small")
