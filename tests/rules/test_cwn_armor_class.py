"""Cities Without Number: what changes the Armor Class stands in the ledger, line by line."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle.command import Act, Attack
from engine.battle.commands.ruling_commands import Adjust
from engine.errors import BattleboardError
from engine.rules.ledger import DIFFICULTY, Adjustment
from engine.rules.model import Value
from tests.rules.table import entry, fight, with_more
from tui.application.commands.rulings import parse_adjustment

CONDITIONS = {
    "exposed": ("target-charged", -2),
    "dazzled": ("target-dazzled", -2),
    "defending": ("target-defending", 2),
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_cwn_1_what_changes_the_armor_class_is_a_line_of_the_ledger(condition: str) -> None:
    name, change = CONDITIONS[condition]
    table = fight("cwn", "ab", a="brawler", b="leader")
    before = table.shot().ledger
    after = table.condition("b", condition).shot().ledger
    line = entry(after, name)
    assert line is not None and (line.of, line.value) == (DIFFICULTY, change)
    assert line.because and line.source
    assert after.total == before.total
    assert after.target_number == before.target_number + change == 15 + change
    assert after.difficulty_change == change


@pytest.mark.parametrize(
    "said", ["AC: total defence off", "total defence off", "total-defence off", "ac:-total-defence off"]
)
def test_cwn_14_the_line_of_total_defence_is_named_in_words_or_as_the_action(said: str) -> None:
    table = fight("cwn", "ab", a="brawler", b="leader").condition("b", "defending")
    found = parse_adjustment(said, table.shot().ledger, table.battle)
    assert isinstance(found, Adjust) and found.adjustment.entry == "target-defending"


@pytest.mark.parametrize("change", [2, -1])
def test_cwn_1_dexterity_is_a_line_of_the_armor_class(change: int) -> None:
    stats: dict[str, dict[str, Value]] = {"b": {"dexterity_mod": change}}
    ledger = fight("cwn", "ab", a="brawler", b="leader", stats=stats).shot().ledger
    line = entry(ledger, "target-dexterity")
    assert line is not None and line.value == change
    assert ledger.target_number == 15 + change


def test_cwn_14_the_gm_switches_the_armor_class_of_total_defence_off() -> None:
    table = fight("cwn", "ab", a="brawler", b="leader").condition("b", "defending")
    assert table.shot().odds.hit == Fraction(10, 20)
    table.do(Adjust(Adjustment("target-defending", active=False)))
    ledger = table.shot().ledger
    assert ledger.target_number == 15
    assert table.shot().odds.hit == Fraction(12, 20)


def test_cwn_14_the_log_keeps_the_lines_of_the_armor_class() -> None:
    table = fight("cwn", "ab", a="brawler", b="leader")
    table.do(Act("b", "total-defence"))
    table.do(Attack("a", "b"), (10,))
    attacked = table.attacked()
    assert (attacked.total, attacked.target_number) == (6, 17)
    assert not attacked.is_hit
    assert [line.id for line in attacked.entries if line.of] == ["target-defending"]


def test_cwn_1_a_weapon_aimed_at_a_point_has_no_lines_of_armor_class() -> None:
    stats: dict[str, dict[str, Value]] = {"b": {"dexterity_mod": 2}}
    table = fight("cwn", "a..b", a="grenadier", b="leader", stats=stats).condition("b", "exposed")
    ledger = table.shot("frag-grenade").ledger
    assert ledger.target_number == 10
    assert not any(line.of for line in ledger.entries)


def test_only_a_test_with_a_number_to_beat_has_modifiers_of_it() -> None:
    modifier = '[[modifier]]\nid = "x"\nof = "difficulty"\nstep = "base"\nlabel = "X"\nvalue = 1\n'
    modifier += 'because = "x"\nsource = "x"\n'
    with pytest.raises(BattleboardError, match="has no number to beat"):
        with_more("occult-ops", modifier)


def test_dice_read_apart_have_a_number_to_beat_that_modifiers_change_too() -> None:
    modifier = '[[modifier]]\nid = "x"\nof = "difficulty"\nstep = "value"\nlabel = "X"\nvalue = 2\n'
    modifier += 'because = "x"\nsource = "x"\n'
    plain = fight("volt", "a....b", a="gunman", b="gunman")
    changed = fight("volt", "a....b", a="gunman", b="gunman", more_rules=modifier)
    before, after = plain.shot().ledger, changed.shot().ledger
    assert (after.beats, after.total, after.target_number) == (before.beats + 2, before.total, before.target_number)
