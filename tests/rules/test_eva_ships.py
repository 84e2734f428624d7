"""EVA-25: starships board and ram one another."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.command import Attack
from engine.battle.setup import enlist
from engine.battle.state.units import Placement
from engine.geometry.squares import Square
from engine.rules.model import Value
from tests.rules.table import Table, defends, fight, ruleset

EVA = "eva"

SHIP: Mapping[str, Value] = {
    "weapon_skill": 40, "strength": 60, "toughness": 60, "agility": 40, "wound_points": 40, "size_step": 3,
    "marines": 10, "starship": True, "armour_body": 12, "dodge_trained": True,
}  # fmt: skip


def ships(row: str, weapon: str, b: str = "drone", stats: Mapping[str, Value] = SHIP) -> Table:
    """Two starships; a map's roles know none, so drones are given the numbers of the sheet."""
    return fight(EVA, row, a="drone", b=b, stats={"a": SHIP, "b": stats}).arm("a", weapon)


def test_eva_25_the_sheet_of_a_starship_is_what_the_tests_play() -> None:
    """EVA-25: numbers of the sheet that the ruleset has for ships."""
    sheet = ships("ab", "marines").rules.units.sheets["starship"].stats
    assert {name: sheet[name] for name in SHIP if name != "dodge_trained"} == {
        name: value for name, value in SHIP.items() if name != "dodge_trained"
    }


def test_eva_25_a_map_may_give_a_unit_a_sheet_that_only_this_ruleset_has() -> None:
    """EVA-25: so a starship comes onto a map; under other rulesets its role counts."""
    ship = Placement("a", "A", "drone", "law", Square(0, 0), sheet="starship")
    assert enlist(ship, ruleset(EVA)).gear.weapons == ("ship-cannon", "marines", "ram")
    assert enlist(ship, ruleset("cwn")).role == "drone"


def test_eva_25_boarding_is_ws_with_marines_and_goes_straight_to_the_hull() -> None:
    """EVA-25: no armour and no Toughness bonus; on starships alone; it may be repelled and not parried."""
    table = ships("ab", "marines")
    assert table.worth("boarding", action="boarding") == 10
    table.do(Attack("a", "b", action="boarding"), (60,), (5,))
    assert 40 - table.unit("b").pools["wounds"] == 5 + 4  # the profile alone
    table.turn_of("a").do(Attack("a", "b", action="boarding"), defends("b", "repel"), (60,), (50,))
    assert table.attacked().is_hit and table.unit("b").pools["wounds"] == 31
    assert "is not possible" in table.turn_of("a").refusal(
        Attack("a", "b", action="boarding"), defends("b", "parry"), (9,)
    )
    assert "only starships" in ships("ab", "marines", "rifleman", {}).refusal(Attack("a", "b", action="boarding"))


def test_eva_25_a_ram_hurts_both() -> None:
    """EVA-25: 1d10+SB with the size doubled in damage and penetration; the other's size once, back; a dodge is free."""
    table = ships("a.............b", "ram")
    table.walk("a", "N1", action="charge")
    assert table.worth("ram", action="ram") == 20
    table.do(Attack("a", "b", action="ram"), (44,), (9,), (8,))
    assert 40 - table.unit("b").pools["wounds"] == 9 + 6 + 6 - 6 - (12 - 6)
    assert 40 - table.unit("a").pools["wounds"] == 8 + 6 + 3 - 6 - (12 - 3)
    table = ships("a.............b", "ram")
    table.walk("a", "N1", action="charge")
    table.do(Attack("a", "b", action="ram"), defends("b", "dodge"), (50,), (40,))
    assert (table.unit("b").pools["wounds"], table.unit("b").turn.budget["reaction"]) == (40, 1)
