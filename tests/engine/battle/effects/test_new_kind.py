"""The exercise of CONTRIBUTING: a kind of effect that was not there runs whole, from TOML to events, odds and words.

It is one class in one file, and one line of the registry, which the test stands for.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle import events as ev
from engine.battle.attacks.damage_odds import outlook
from engine.battle.command import Attack
from engine.battle.effects import EFFECTS
from engine.errors import Unreadable
from engine.rules.model import Ruleset
from rulesets import parse_ruleset
from tests.engine.battle.effects.halving import HalveEffect
from tests.rules.table import fight
from tests.rulesets.texts import small, texts
from tui.application.reports.rules_report import rules_json, rules_words

LOSS = 'lose = "damage"\npool = "hp"'


@pytest.fixture
def halving(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """A ruleset in which a hit halves, read with the new kind in the registry."""
    monkeypatch.setattr("rulesets.effects.EFFECTS", (*EFFECTS, HalveEffect))
    return small("", LOSS, 'halve = "hp"')


def test_it_is_read_with_its_own_keys(halving: Ruleset) -> None:
    effect = halving.attack.effects[1]
    assert isinstance(effect, HalveEffect)
    assert (effect.pool, effect.whom, effect.on) == ("hp", "target", ("good",))
    for new, message in (('halve = "hpp"', "did you mean 'hp'"), ('halve = "hp"\nrounds = 3', "no key 'rounds'")):
        with pytest.raises(Unreadable, match=message):
            parse_ruleset(texts(LOSS, new), "small")


def test_it_makes_events_that_undo_and_the_log_know(halving: Ruleset) -> None:
    table = fight(halving, "a...b", a="gunman", b="gunman")
    before = table.unit("b").pools["hp"]
    said = table.do(Attack("a", "b"), (1,), (7,))
    assert [(event.before, event.after) for event in table.happened(ev.PoolChanged)] == [(before, before // 2)]
    assert table.unit("b").pools["hp"] == before // 2
    assert any("hurt" in line for line in said)


def test_the_odds_know_what_it_does(halving: Ruleset) -> None:
    table = fight(halving, "a...b", a="gunman", b="gunman")
    shot = table.shot()
    before = table.unit("b").pools["hp"]
    found = outlook(table.battle, halving, shot)
    assert found is not None
    assert found.hurt == found.hit == shot.odds.hit
    assert dict(found.damage) == {0: 1 - found.hit, before - before // 2: found.hit}
    assert found.unsettled == Fraction(0)


def test_it_is_described_for_reading_and_for_scripts(halving: Ruleset) -> None:
    assert any("hurt: the target loses half of its hit points" in line for line in rules_words(halving))
    (row,) = [effect for effect in rules_json(halving)["effects"] if effect["kind"] == "halve"]
    assert (row["pool"], row["whom"]) == ("hp", "target")
