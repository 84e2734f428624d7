"""An attack that no roll makes a hit is refused, where nothing else can come of it; with “free” it is made."""

from __future__ import annotations

import pytest

from engine.battle.attacks.area_odds import with_odds
from engine.battle.command import Attack
from engine.battle.commands.ruling_commands import Adjust
from engine.errors import BattleboardError
from engine.rules.ledger import Adjustment
from rulesets import shipped_rulesets
from tests.golden import fractions
from tests.rules.table import fight, ruleset

WORDS = "No roll can hit"
REFUSES = ("aog", "eva", "volt")
"""In `cwn` a natural 20 always hits; in `occult-ops` a fumble may be a hit after all."""


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_what_is_refused_can_do_nothing(name: str) -> None:
    """Every attack at the GM's −200: what the exact odds say of it is why it is refused, or not."""
    refused = 0
    for action, weapon in fractions.attacks(ruleset(name)):
        here = fight(name, "....ab..c", a="brawler", b="gunman", c="civilian").arm("a", weapon)
        here.do(Adjust(Adjustment("hopeless", "Hopeless", -200, is_pinned=True)))
        try:
            shot = here.shot(weapon, action)
        except BattleboardError:  # it cannot be made on this target
            continue
        if not shot.ledger.is_possible or shot.odds.hit or shot.caught is not None or WORDS not in shot.refusal:
            continue
        refused += 1
        found = with_odds(here.battle, here.rules, shot)
        assert not found.area_risks and found.outlook is not None
        odds = found.outlook
        states = [chance for one, chance in odds.outcomes if one.whom == "target"]
        assert not any((odds.hurt, odds.drop, odds.unsettled, *states, *(mean for _, mean in odds.worn))), action
        assert here.refusal(Attack("a", "b", weapon, action)).startswith(WORDS)
        assert here.do(Attack("a", "b", weapon, action, is_free=True))
    assert bool(refused) == (name in REFUSES)


def test_eva_24_suppressive_fire_that_cannot_hit_still_pins() -> None:
    """EVA: hits or not, those in its arc are tested."""
    here = fight("eva", "a...b", a="machine-gunner", b="gunman")
    here.do(Adjust(Adjustment("hopeless", "Hopeless", -200, is_pinned=True)))
    shot = here.shot(action="suppress-auto")
    assert not shot.odds.hit and not shot.refusal
    found = with_odds(here.battle, here.rules, shot).area_risks
    assert any(one.id == "pinned" and chance for risk in found for one, chance in risk.outlook.outcomes)
