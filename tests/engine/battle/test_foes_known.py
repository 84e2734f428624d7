"""On which numbers of other sides' units a side's chances rest: their own, the usual ones of their kind, or none."""

from __future__ import annotations

import pytest

from engine.battle.attacks.attack_preview import consider
from engine.battle.command import Attack
from engine.battle.commands.gear_commands import SetStat
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_edits import DamageUnits, SetMarker
from engine.battle.state.battle import Battle
from engine.battle.views.side_moments import known_now
from engine.rules.rulings import EXACT, FOES_KNOWN, NOTHING_KNOWN, USUAL
from rulesets import shipped_rulesets
from tests.rules.table import Table, fight


def duel(rules: str) -> Table:
    """With a foe whose numbers are not those of its kind."""
    table = fight(rules, "a...b", a="gunman", b="brawler")
    for stat in table.rules.units.stats.values():
        value = table.rules.units.sheets["brawler"].own.get(stat.id)
        if isinstance(value, int) and value > 1:
            table.do(SetStat("b", stat.id, value - 1))
    table.do(DamageUnits(("b",), 1))
    table.do(SetMarker(("b",), "marked"))
    return table


def ledger(battle: Battle, table: Table) -> object:
    shot = consider(battle, table.rules, Attack("a", "b"))
    return shot.ledger, shot.odds.hit


def known(table: Table, how: str) -> Battle:
    if how != USUAL:
        table.do(SetRuling(FOES_KNOWN, how))
    found = known_now([table.battle], table.rules, table.battle.unit("a").side)
    assert found is not None
    return found


@pytest.mark.parametrize("rules", shipped_rulesets())
def test_exact_numbers_give_the_true_ledger_and_usual_ones_that_of_the_kind(rules: str) -> None:
    table, plain = duel(rules), fight(rules, "a...b", a="gunman", b="brawler")
    assert ledger(known(table, USUAL), table) == ledger(known(plain, USUAL), plain)
    assert ledger(known(table, EXACT), table) == ledger(table.battle, table)


@pytest.mark.parametrize("how", [EXACT, USUAL, NOTHING_KNOWN])
def test_losses_and_markers_are_never_known(how: str) -> None:
    table = duel("occult-ops")
    whole, found = table.battle.unit("b"), known(table, how).unit("b")
    assert found.pools != whole.pools and found.markers == {} and whole.markers
