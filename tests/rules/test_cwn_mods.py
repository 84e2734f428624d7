"""Cities Without Number: what is fitted to a weapon, and slugs, as conditions of that weapon."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.attacks.area_odds import with_odds
from engine.battle.command import Act, Attack, EndTurn
from engine.battle.commands.unit_edits import SetCondition
from engine.battle.magazines import magazine
from tests.rules.table import Table, fight

CWN = "cwn"
LOW = (1,)
"""A Trauma die that does nothing."""


def duel(squares: int = 4, weapon: str = "heavy-pistol", **stats: int) -> Table:
    """A gunman against another who soaks nothing, so many squares of 2 m apart."""
    table = fight(
        CWN, "a" + "." * (squares - 1) + "b", a="gunman", b="gunman", stats={"b": {"hit_points": 60, **stats}}
    )
    return table.arm("a", weapon, "knife")


def lost(table: Table) -> int:
    return sum(one.before - one.after for one in table.happened(ev.PoolChanged) if one.pool == "hp")


def rolls(table: Table) -> list[str]:
    return [one.label for one in table.happened(ev.EffectRolled)]


def test_cwn_1_an_extended_magazine_holds_twice_the_rounds() -> None:
    """CWN-1: fitted by the GM to the weapon in hand; a reload fills it, and the rounds go when it comes off."""
    table = duel().condition("a", "extended_mag")
    assert magazine(table.rules, "heavy-pistol", table.unit("a")) == 16
    assert table.unit("a").about["extended_mag"] == "heavy-pistol"
    table.do(Act("a", "reload"))
    assert table.unit("a").gear.rounds["heavy-pistol"] == 16
    table.do(SetCondition("a", "extended_mag", False))
    assert table.unit("a").gear.rounds["heavy-pistol"] == 8


def test_cwn_3_stun_rounds_halve_the_range() -> None:
    """CWN-3: normal and long range both; another weapon has nothing of it."""
    found = {}
    for metres in (4, 6, 50, 52):
        table = fight(CWN, "a" + "." * (metres // 2 - 1) + "b", a="gunman", b="gunman").condition("a", "stun_rounds")
        shot = table.shot()
        found[metres] = (shot.ledger.band, shot.ledger.is_possible)
    assert found == {4: ("normal", True), 6: ("long", True), 50: ("long", True), 52: ("", False)}
    other = duel(4, "light-pistol").condition("a", "stun_rounds")
    other.do(SetCondition("a", "stun_rounds", True, about="knife"))
    assert other.shot().ledger.band == "normal"


def test_cwn_1_stun_rounds_do_2_less_and_have_no_trauma_die() -> None:
    """CWN-1: and the log says that nobody dies of it."""
    table = duel().condition("a", "stun_rounds")
    said = table.do(Attack("a", "b"), (15,), (7,))
    assert lost(table) == 5
    assert rolls(table) == ["Damage"]
    assert any("knocked out" in line for line in said)
    small = duel().condition("a", "stun_rounds")
    small.do(Attack("a", "b"), (15,), (1,))
    assert lost(small) == 0


def test_cwn_1_a_shock_burst_adds_2d6_to_the_next_attack_once_a_fight() -> None:
    """CWN-1: On Turn; gone with the attack, hit or miss; not again in this fight."""
    table = duel().condition("a", "shock_burst")
    before = dict(table.unit("a").turn.budget)
    table.do(Act("a", "shock-burst"))
    assert table.unit("a").turn.budget == before
    plain, burst = (with_odds(one.battle, one.rules, one.shot()).outlook for one in (duel(), table))
    assert plain is not None and burst is not None and burst.expected > plain.expected
    table.do(Attack("a", "b"), (15,), (4,), (9,), LOW)
    assert (lost(table), rolls(table)) == (13, ["Damage", "Shock burst", "Trauma die"])
    assert "charged" not in table.unit("a").conditions
    assert "already used in this fight" in table.turn_of("a").refusal(Act("a", "shock-burst"))
    missed = duel().condition("a", "shock_burst")
    missed.do(Act("a", "shock-burst"))
    missed.do(Attack("a", "b"), (1,))
    assert "charged" not in missed.unit("a").conditions
    assert "has no shock burst" in duel().refusal(Act("a", "shock-burst"))


def test_cwn_16_a_shock_burst_adds_2_to_the_shock_of_a_blow() -> None:
    """CWN-16: what a miss does, where the Armour Class is low enough."""
    table = duel(1, "knife", melee_ac=15).condition("a", "shock_burst")
    table.do(Act("a", "shock-burst"))
    table.do(Attack("a", "b", "knife"), (2,))
    assert lost(table) == 1 + 2


def test_cwn_3_slugs_double_both_ranges_and_cost_1_to_hit() -> None:
    """CWN-3: loaded into a shotgun as a Main action; a plain reload ends it."""
    table = duel(10, "shotgun")
    assert table.shot().ledger.band == "long"
    table.do(Act("a", "load-slugs"))
    assert table.unit("a").turn.budget["main"] == 0
    assert (table.shot().ledger.band, table.worth("slugs")) == ("normal", -1)
    assert "fully loaded with them" in table.turn_of("a").refusal(Act("a", "load-slugs"))
    table.do(Act("a", "reload"))
    assert table.unit("a").conditions == ()
    assert table.worth("slugs") is None
    assert "no shotgun" in duel().refusal(Act("a", "load-slugs"))
    table.do(EndTurn())
