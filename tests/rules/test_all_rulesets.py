"""What every ruleset that ships must have: ALL-1 to ALL-5."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from engine.battle.attacks.attack_preview import consider
from engine.battle.command import Attack
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.state.units import ROLES
from engine.rules.ledger import Ledger
from engine.rules.model import Value
from engine.rules.roll_odds import every_worth
from rulesets import shipped_rulesets
from rulesets.coverage import every_rule
from tests.rules.table import Table, fight, ruleset

RULESETS = sorted(shipped_rulesets())
IN_MOTION = ("running", "ran", "charging", "charged", "moving", "moving_target")
"""What rulesets call the condition of who has been moving fast."""

TOPICS: Mapping[str, Mapping[str, Value]] = {
    "light cover": {"covered": Fraction(1, 2), "cover_material": "light", "cover": "the hedge"},
    "heavy cover": {"covered": Fraction(19, 20), "cover_material": "heavy", "cover": "the wall"},
    "smoke": {"smoke": 2, "smoke_squares": 1},
    "darkness": {"light": "dark", "target.light": "dark"},
    "higher ground": {"height_difference": -10},
    "target prone": {"target.posture": "prone"},
    "target kneeling": {"target.posture": "kneeling"},
    "target moving": {"target.moved": 8, "target.squares_from_start": 8, "target.move_pending": True}
    | {f"target.{how}": True for how in IN_MOTION},
    "attacker prone": {"attacker.posture": "prone"},
    "attacker kneeling": {"attacker.posture": "kneeling"},
    "attacker moving": {"attacker.moved": 4, "attacker.squares_from_start": 4},
    "attacker in melee": {"attacker.in_melee": True, "attacker.enemies_adjacent": 1, "attacker.melee_enemies": 1},
    "shooting into melee": {"target.in_melee": True, "target.enemies_adjacent": 1, "allies_near_target": 1},
    "second attack": {"attack_number": 2, "attacker.attacks": 1},
    "unseen target": {"visible": 0},
}  # fmt: skip


def open_ground(name: str) -> Table:
    """Two gunmen, ten squares apart."""
    return fight(name, "a.........b", a="gunman", b="gunman", scale=(2, "metres"))


def answers(ledger: Ledger) -> set[tuple[str, object, str]]:
    return {(entry.id, entry.value, entry.because) for entry in ledger.entries}


@pytest.mark.parametrize("name", RULESETS)
def test_all_1_what_is_ours_says_so(name: str) -> None:
    """ALL-1: every weapon, armour and sheet has its source, or says in a ruling that it is ours."""
    rules = ruleset(name)
    for held in (*rules.gear.weapons.values(), *rules.units.sheets.values()):
        assert held.origin.source
    assert any(sheet.origin.ruling for sheet in rules.units.sheets.values())


@pytest.mark.parametrize("name", RULESETS)
def test_all_2_every_role_has_a_sheet_with_a_weapon(name: str) -> None:
    """ALL-2: any map plays under any ruleset."""
    rules = ruleset(name)
    assert set(ROLES) <= rules.units.sheets.keys()
    assert all(rules.units.sheets[role].weapons or rules.gear.innate_weapons for role in ROLES)


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("name", RULESETS)
def test_all_3_the_ledger_says_what_each_circumstance_counts(name: str, topic: str) -> None:
    """ALL-3: each has a line of its own, be it "no effect" with a ruling, or forbids the attack with a reason."""
    table = open_ground(name)
    wish = Attack("a", "b")
    plain = consider(table.battle, table.rules, wish)
    changed = consider(table.battle, table.rules, wish, changed=TOPICS[topic])
    assert answers(changed.ledger) - answers(plain.ledger)


@pytest.mark.parametrize("name", RULESETS)
def test_all_3_distance_has_a_band(name: str) -> None:
    """ALL-3: distance and band."""
    assert open_ground(name).shot().ledger.band


@pytest.mark.parametrize("word", ["aim", "called", "shield"])
@pytest.mark.parametrize("name", RULESETS)
def test_all_3_aim_called_shots_and_shields_are_answered(name: str, word: str) -> None:
    """ALL-3: some rule speaks of each, be it a ruling that there is none."""
    rules = ruleset(name)
    spoken = [f"{rule.name} {rule.label} {rule.origin.ruling}" for rule in every_rule(rules)]
    spoken += [sheet.armour for sheet in rules.units.sheets.values()]
    assert any(word in text.lower() for text in spoken)


@pytest.mark.parametrize("name", RULESETS)
def test_all_4_a_grenade_strays_and_bursts(name: str) -> None:
    """ALL-4: what is thrown has scatter and rings in every ruleset."""
    rules = ruleset(name)
    assert rules.space.scatters and rules.space.zones and rules.space.burst
    assert any(weapon.kind == "thrown" for weapon in rules.gear.weapons.values())


@pytest.mark.parametrize("name", RULESETS)
def test_all_5_everybody_has_a_place_in_the_order(name: str) -> None:
    """ALL-5: initiative works in every ruleset."""
    table = fight(name, "a...b", a="gunman", b="leader", is_begun=False)
    table.do(RollInitiative())
    assert set(table.battle.turns.order) == {"a", "b"}
    assert table.battle.turns.active == table.battle.turns.order[0]


@pytest.mark.parametrize("name", RULESETS)
def test_all_3_every_modifier_says_what_it_is_worth(name: str) -> None:
    """ALL-3: the chance without it, with the range band still known."""
    table = open_ground(name)
    shot = table.shot()
    worth = {one.entry for one in every_worth(table.rules, shot.situation.facts, shot.ledger)}
    assert worth <= {entry.id for entry in shot.ledger.entries}
