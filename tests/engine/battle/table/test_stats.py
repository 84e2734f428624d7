"""The GM sets any stat of a unit: the numbers that follow from it, the ledger and the log say so."""

from __future__ import annotations

from engine.battle.command import Attack
from engine.battle.commands.gear_commands import Give, SetStat
from engine.battle.commands.unit_edits import SetPool
from engine.battle.events import AttackRolled
from engine.battle.gear import stats_of
from engine.battle.setup import pools_of
from engine.battle.views.view import project
from engine.values import replace
from tests.rules.table import Table, entry, fight


def duel(rules: str = "aog") -> Table:
    return fight(rules, "a...b", a="gunman", b="gunman")


def test_a_stat_counts_from_then_on_and_the_ledger_says_who_set_it() -> None:
    table = duel()
    before = table.shot().ledger.target_number
    assert table.do(SetStat("a", "small_arms", 75)) == ["GM: A's Small Arms: 75, was 55."]
    ledger = table.shot().ledger
    assert ledger.target_number == before + 20
    line = entry(ledger, "skill")
    assert line is not None
    assert line.because.endswith("; A's Small Arms 75, set by the GM")
    assert not any("by the GM" in other.because for other in ledger.entries if other.id != "skill")
    assert ("Small Arms (GM)", 75) in project(table.battle, table.rules).unit("a").stats
    table.do(Attack("a", "b"), (60,))
    (rolled,) = table.happened(AttackRolled)
    assert "by the GM" in " ".join(one.because for one in rolled.entries)


def test_numbers_that_rest_on_it_change_by_the_gain_and_wounds_stay() -> None:
    table = duel("occult-ops")
    full = pools_of(table.rules, table.unit("a"))["hp"]
    table.do(SetPool("a", "hp", full - 5))
    table.do(SetStat("a", "endurance", 8))
    gain = pools_of(table.rules, table.unit("a"))["hp"] - full
    assert gain > 0
    assert table.unit("a").pools["hp"] == full - 5 + gain
    assert table.do(SetStat("a", "endurance", 6)) == ["GM: A's END: 6, the sheet's value, was 8."]
    assert table.unit("a").overrides.stats == ()
    assert table.unit("a").pools["hp"] == full - 5


def test_a_number_that_falls_to_nothing_puts_out_of_the_fight() -> None:
    table = duel("occult-ops")
    table.do(SetPool("a", "hp", 1))
    table.do(SetStat("a", "endurance", 1))
    assert table.unit("a").is_defeated


def test_what_is_refused() -> None:
    table = duel()
    assert "small_arms" in table.refusal(SetStat("a", "smal_arms", 5))
    assert table.refusal(SetStat("a", "small_arms", "good")) == "Small Arms is 0 to 120, not “good”."
    assert table.refusal(SetStat("a", "small_arms", True)) == "Small Arms is 0 to 120, not yes."
    assert table.refusal(SetStat("a", "small_arms", 55)) == "A's Small Arms is already 55."
    assert table.refusal(SetStat("a", "small_arms", 121)) == "Small Arms is 0 to 120, not 121."
    assert table.refusal(SetStat("a", "small_arms", -1)) == "Small Arms is 0 to 120, not −1."
    assert table.refusal(SetStat("a", "night_sight", 1)) == "Night sight is yes or no, not 1."


def test_the_sheets_own_value_comes_back_though_equipment_took_it_past_the_bounds() -> None:
    """A jacket that adds more than the stat may be set to."""
    table = duel("cwn")
    (stat, more), worn = next((pair, one) for one in table.rules.gear.accessories.values() for pair in one.adds.items())
    table.do(Give("a", worn.id))
    own = stats_of(table.rules, table.unit("a"))[stat]
    assert isinstance(own, int) and isinstance(more, int)
    stats = {**table.rules.units.stats, stat: replace(table.rules.units.stats[stat], high=own - 1)}
    table.rules = replace(table.rules, units=replace(table.rules.units, stats=stats))
    table.do(SetStat("a", stat, own - 1))
    table.do(SetStat("a", stat, own))
    assert table.unit("a").overrides.stats == ()


def test_what_is_worn_keeps_to_a_stat_that_was_set() -> None:
    """A stat that was set counts before armour and accessories."""
    table = duel("cwn")
    stat = next(stat for armour in table.rules.gear.armour.values() for stat in armour.stats)
    table.do(SetStat("a", stat, 7))
    assert dict(table.unit("a").overrides.stats) == {stat: 7}


def test_a_line_that_rests_on_a_number_which_begins_as_the_stat_says_who_set_it() -> None:
    """Under eva the ledger begins with a pool, and that with the stat."""
    table = fight("eva", "a...b", a="rifleman", b="rifleman")
    table.do(SetStat("a", "ballistic_skill", 60))
    line = entry(table.shot().ledger, "bs")
    assert line is not None and line.because.endswith("; A's Ballistic Skill 60, set by the GM")
