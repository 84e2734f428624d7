"""What decided a roll: the entries but for which it would have turned out otherwise."""

from __future__ import annotations

from fractions import Fraction

from engine.rules.ledger import Entry
from engine.rules.roll_odds import deciding
from tests.rules.table import fight


def entry(id: str, step: str, value: int) -> Entry:
    return Entry(id, step, id, value, "because", "source")


def test_under_a_number() -> None:
    rules = fight("occult-ops", "a.b", a="gunman", b="gunman").rules
    base = entry("base", rules.attack.steps[0], 60)
    cover, strike = entry("cover", rules.attack.steps[1], -10), entry("strike", rules.attack.steps[1], 20)
    ledger = (base, cover, strike)
    assert deciding(rules, 75, ledger, 70, 70) == [cover]
    assert deciding(rules, 65, ledger, 70, 70) == [strike]
    assert deciding(rules, 30, ledger, 70, 70) == []
    assert deciding(rules, 95, ledger, 70, 70) == []


def test_over_a_number() -> None:
    rules = fight("cwn", "a.b", a="gunman", b="gunman").rules
    bonus, range_, zero = entry("bonus", "attack", 6), entry("range", "range", -2), entry("zero", "range", 0)
    ledger = (bonus, range_, zero)
    assert deciding(rules, 9, ledger, 4, 14) == [range_]
    assert deciding(rules, 10, ledger, Fraction(4), 14) == [bonus]


def test_dice_that_are_read_apart_are_decided_by_no_single_entry() -> None:
    rules = fight("volt", "a.b", a="gunman", b="gunman").rules
    assert deciding(rules, 12, (entry("base", rules.attack.steps[0], 9),), 9, 9) == []
