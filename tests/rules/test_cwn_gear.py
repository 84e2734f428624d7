"""Cities Without Number: weapons and cyberware that a unit has: body weapons, shotguns, rests, Gunlink, reflexes."""

from __future__ import annotations

import pytest

from engine.battle.command import Act, Attack, Move
from engine.battle.commands.gear_commands import Give
from engine.battle.commands.ruling_commands import SetRuling
from engine.rules.model import Value
from tests.rules.table import Table, entry, fight

CWN = "cwn"


def numbers(table: Table) -> tuple[Value, ...]:
    """Whether the weapon lacks a rest, and what it does."""
    facts = table.shot().situation.facts
    return tuple(facts[name] for name in ("unrested", "damage_dice", "trauma_dice", "trauma_rating"))


# --- body weapons ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stab", "punch", "line"), [(-1, 2, "skill-punch"), (2, 1, "skill-stab"), (1, 1, "skill-stab")]
)
def test_cwn_16_a_body_weapon_uses_the_better_of_stab_and_punch(stab: int, punch: int, line: str) -> None:
    stats: dict[str, dict[str, Value]] = {"a": {"stab": stab, "punch": punch}}
    ledger = fight(CWN, "ab", a="machine-gunner", b="leader", stats=stats).arm("a", "body-blades-1").shot().ledger
    found = entry(ledger, line)
    assert found is not None and found.value == max(stab, punch)
    assert sum(one.id.startswith("skill-") for one in ledger.entries) == 1
    assert entry(ledger, "unskilled") is None


def test_cwn_16_punch_adds_nothing_to_the_damage_of_a_body_weapon() -> None:
    odds = []
    for punch in (0, 2):
        stats: dict[str, dict[str, Value]] = {"a": {"stab": -1, "punch": punch}, "b": {"hit_points": 60}}
        table = fight(CWN, "ab", a="civilian", b="gunman", stats=stats).arm("a", "body-blades-1")
        lines = table.do(Attack("a", "b"), (15,), (4,), (1,))
        odds.append(next(line for line in lines if "Damage done" in line))
    assert odds[0] == odds[1]


# --- guns -----------------------------------------------------------------------------------------------------------


def test_cwn_3_every_shotgun_takes_slugs() -> None:
    for weapon in ("shotgun", "combat-shotgun", "semi-auto-shotgun"):
        table = fight(CWN, "a..b", a="machine-gunner", b="gunman").arm("a", weapon)
        table.do(Act("a", "load-slugs"))
        assert table.worth("slugs") == -1


def test_cwn_3_a_sniper_rifle_without_a_rest_is_a_rifle() -> None:
    table = fight(CWN, "a..b", a="marksman", b="gunman")
    assert numbers(table) == (True, "1d10+2", "1d8", 3)
    far = table.shot(changed={"distance": 401})
    assert far.ledger.forbidden
    assert entry(table.shot(changed={"distance": 201}).ledger, "range.long") is not None


@pytest.mark.parametrize("how", ["braced", "prone"])
def test_cwn_3_a_rested_sniper_rifle_shoots_its_whole_range(how: str) -> None:
    table = fight(CWN, "a..b", a="marksman", b="gunman")
    if how == "braced":
        table.do(Act("a", "brace"))
    else:
        table.posture("a", "prone")
    assert numbers(table) == (False, "2d8", "1d10", 4)
    assert entry(table.shot(changed={"distance": 1000}).ledger, "range.normal") is not None


def test_cwn_3_the_gm_rules_that_lying_prone_is_no_rest() -> None:
    table = fight(CWN, "a..b", a="marksman", b="gunman").posture("a", "prone")
    table.do(SetRuling("prone_rests", False))
    assert table.shot().situation.facts["unrested"]


# --- cyberware ------------------------------------------------------------------------------------------------------


def test_cwn_8_a_gunlink_is_given_like_gear() -> None:
    table = fight(CWN, "a..ob", a="gunman", b="gunman")
    assert table.worth("gunlink-cover") is None
    table.do(Give("a", "gunlink"))
    assert table.worth("gunlink-cover") == 2


def test_cwn_15_movement_by_enhanced_reflexes_needs_no_withdrawal() -> None:
    table = fight(CWN, "....", "ab..", a="gunman", b="brawler")
    assert "no Enhanced Reflexes" in table.refusal(Move("a", table.way("a", "A1"), "reflex-move"))
    table.do(Give("a", "enhanced-reflexes"))
    budget = dict(table.unit("a").turn.budget)
    lines = table.walk("a", "A1", "B1", "C1", "D1", action="reflex-move")
    assert table.unit("a").at.name == "D1"
    assert not table.battle.openings
    assert table.unit("a").turn.budget == budget
    assert any("Enhanced Reflexes" in line for line in lines)
    table.walk("a", "D2", action="reflex-move")
    assert "already used" in table.refusal(Move("a", table.way("a", "D1"), "reflex-move"))
