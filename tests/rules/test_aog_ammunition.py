"""Ammunition and attachments of aog: chosen at loading or set by the GM, and what they are worth in the ledger."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle import events as ev
from engine.battle.command import Act, Attack
from engine.battle.commands.gear_commands import SetAmmunition
from engine.battle.commands.unit_edits import SetCondition, SetPool
from engine.battle.magazines import magazine
from engine.errors import Unreadable
from tests.rules.table import Table, fight, with_more

AOG = "aog"


def shooting(apart: int = 5, **stats: int) -> Table:
    row = "a" + "." * apart + "b"
    return fight(AOG, row, a="rifleman", b="rifleman", stats={"b": {"build": 0, **stats}})


def stopped(table: Table, *dice: tuple[int, ...]) -> int:
    table.do(Attack("a", "b", action="single"), *dice)
    (found,) = (event for event in table.happened(ev.EffectComputed) if event.label == "Stopped by armour")
    assert isinstance(found.value, int)
    return found.value


def test_all_4_armour_piercing_ignores_2_of_the_armour_and_hollow_point_meets_2_more() -> None:
    """ALL-4: loaded in place of the magazine that is in, at the price of a reload."""
    found = {}
    for load in ("", "load-armour-piercing", "load-hollow-point"):
        table = shooting()
        if load:
            table.do(Act("a", load))
            table.turn_of("a")
        found[load] = stopped(table, (20,), (12,))
    plain = found[""]
    assert (found["load-armour-piercing"], found["load-hollow-point"]) == (max(0, plain - 2), plain + 2)


def test_all_4_hollow_point_does_1d4_more_where_something_gets_through() -> None:
    """ALL-4: and nothing where the armour holds."""
    table = shooting(hit_points=90)
    table.do(Act("a", "load-hollow-point"))
    table.turn_of("a").do(Attack("a", "b", action="single"), (20,), (12,), (4,))
    rolls = [event.label for event in table.happened(ev.EffectRolled)]
    assert "Hollow point" in rolls


def test_all_4_one_kind_at_a_time_and_a_plain_reload_ends_it() -> None:
    """ALL-4: the log and the board say what is loaded; energy weapons take none of it."""
    table = shooting()
    said = table.do(Act("a", "load-armour-piercing"))
    assert any("armour-piercing" in line for line in said)
    assert "fully loaded with them" in table.turn_of("a").refusal(Act("a", "load-armour-piercing"))
    table.do(Act("a", "load-tracer"))
    assert {held for held in table.unit("a").conditions if held.startswith("loaded")} == {"loaded_tracer"}
    table.turn_of("a").load("a", table.unit("a").gear.weapon, 1)
    table.do(Act("a", "reload"))
    assert not [held for held in table.unit("a").conditions if held.startswith("loaded")]
    laser = next(one.id for one in table.rules.gear.weapons.values() if one.fields.get("family") == "energy")
    assert "cannot fire such rounds" in table.turn_of("a").arm("a", laser).refusal(Act("a", "load-tracer"))


@pytest.mark.parametrize(
    ("condition", "line", "value", "action"),
    [
        ("loaded_tracer", "tracer", 10, "auto"),
        ("laser_pointer", "laser-pointer", 5, "single"),
        ("foregrip", "foregrip", 5, "single"),
        ("compensator", "compensator", 10, "auto"),
        ("muzzle_brake", "muzzle-brake", 5, "auto"),
    ],
)
def test_all_4_what_is_fitted_to_the_weapon_counts_with_it_alone(
    condition: str, line: str, value: int, action: str
) -> None:
    """ALL-4: the GM says what is fitted; another weapon has nothing of it."""
    table = shooting()
    auto = next(
        one.id for one in table.rules.gear.weapons.values() if one.fields.get("auto", 0) and one.fields["single"]
    )
    table.arm("a", auto, "fists").condition("a", condition)
    assert table.worth(line, action=action) == value
    table.do(SetCondition("a", condition, True, about="fists"))
    assert table.worth(line, action=action) is None


def test_all_4_a_bipod_counts_for_who_is_braced_and_has_not_moved() -> None:
    table = shooting().condition("a", "bipod")
    assert table.worth("bipod") is None
    assert table.condition("a", "braced").worth("bipod") == 10


def test_aog_2_a_scope_doubles_the_range_of_single_shots() -> None:
    """AOG-2: -30 past the range it had stays, up to twice as far as without."""
    table = shooting(60)
    short = next(
        one.id for one in table.rules.gear.weapons.values()
        if one.kind == "ranged" and one.fields["range"] == 50 and one.fields["single"]
    )  # fmt: skip
    table.arm("a", short)
    far = table.shot(action="single").ledger.total
    table.condition("a", "scope")
    shot = table.shot(action="single")
    assert (shot.ledger.total, shot.ledger.band) == (far + 30, "long")
    near = shooting(30).arm("a", short)
    before = near.shot(action="single").ledger.total
    near.condition("a", "scope")
    assert near.worth("scope-far", action="single") == -30
    assert near.shot(action="single").ledger.total == before


# --- high-velocity, smart and shock rounds; long barrels and larger magazines ---------------------------------------


def loaded(kind: str, apart: int = 5, **stats: int) -> Table:
    """A has loaded those rounds, and it is A's turn again."""
    table = shooting(apart, **stats)
    table.do(Act("a", f"load-{kind}"))
    return table.turn_of("a")


def test_aog_2_high_velocity_rounds_reach_half_as_far_again_and_a_long_barrel_a_fifth() -> None:
    """AOG-2: the standard range of the rounds and the barrel that are in; both together multiply."""
    table = shooting()
    reach = int(table.rules.gear.weapons[table.unit("a").gear.weapon].fields["range"])
    assert table.shot(action="single").situation.facts["own_range"] == reach
    table.condition("a", "long_barrel")
    assert table.shot(action="single").situation.facts["own_range"] == reach * Fraction(6, 5)
    table.condition("a", "loaded_hv")
    shot = table.shot(action="single")
    assert shot.situation.facts["own_range"] == reach * Fraction(9, 5)
    standard = next(entry for entry in shot.ledger.entries if entry.id == "range.standard")
    assert f"up to {reach * 9 // 5} m" in standard.because


def test_all_4_high_velocity_rounds_roll_dice_a_step_smaller() -> None:
    """ALL-4: of d6 they make d4, what is added stays."""
    for condition, dice in (("loaded_tracer", "2d6+4"), ("loaded_hv", "2d4+4")):
        table = shooting()
        weapon = next(
            one
            for one in table.rules.gear.weapons.values()
            if one.fields.get("damage") == "2d6+4"
            and one.fields.get("single")
            and one.fields["family"] == "conventional"
        )
        table.arm("a", weapon.id).condition("a", condition)
        table.do(Attack("a", "b", action="single"), (20,))
        rolled = next(event.roll.text for event in table.happened(ev.EffectRolled) if event.label == "Damage")
        assert rolled == dice


def test_all_4_smart_rounds_reverse_the_digits_of_single_shots_where_that_is_lower() -> None:
    """ALL-4: 72 reads 27; the location is read from the roll as it fell, and full auto has nothing of it."""
    table = loaded("smart")
    aimed = table.shot(action="single").ledger.target_number
    assert 27 < aimed < 72
    table.do(Attack("a", "b", action="single"), (72,), (7,))
    assert table.attacked().is_hit
    assert "Location" in [event.label for event in table.happened(ev.EffectComputed)]
    plain = shooting()
    plain.do(Attack("a", "b", action="single"), (72,))
    assert not plain.attacked().is_hit
    assert table.shot(action="single").odds.hit > plain.shot(action="single").odds.hit
    bursts = loaded("smart")
    bursts.do(Attack("a", "b", action="semi"), (72,))
    assert not bursts.attacked().is_hit


def test_all_4_shock_rounds_do_1d6_and_stun_who_fails_a_test_of_constitution() -> None:
    """ALL-4: for 1d4 rounds, where they hurt."""
    table = loaded("shock", hit_points=90, constitution=40)
    for name in table.rules.units.pools:
        if name.startswith("torso"):
            table.do(SetPool("b", name, 0))
    table.do(Attack("a", "b", action="single"), (14,), (6,), (41,), (3,))
    rolls = [(event.label, event.roll.text) for event in table.happened(ev.EffectRolled)]
    assert ("Damage", "1d6") in rolls
    assert table.unit("b").timers["stunned"] == 3
    held = loaded("shock", hit_points=90, constitution=40)
    for name in held.rules.units.pools:
        if name.startswith("torso"):
            held.do(SetPool("b", name, 0))
    held.do(Attack("a", "b", action="single"), (14,), (6,), (40,))
    assert "stunned" not in held.unit("b").conditions


@pytest.mark.parametrize("kind", ["high-velocity", "smart", "shock"])
def test_all_4_these_rounds_are_loaded_and_unloaded_as_the_others(kind: str) -> None:
    """ALL-4: one kind at a time."""
    table = loaded(kind)
    assert len([held for held in table.unit("a").conditions if held.startswith("loaded")]) == 1
    assert "fully loaded with them" in table.refusal(Act("a", f"load-{kind}"))
    table.do(Act("a", "load-tracer"))
    assert [held for held in table.unit("a").conditions if held.startswith("loaded")] == ["loaded_tracer"]


def test_all_4_a_drum_holds_twice_the_rounds_and_an_extended_magazine_half_as_many_again() -> None:
    """ALL-4: filled by a reload; what does not fit is gone when it comes off; the panel shows what it holds."""
    for condition, times in (("drum", 2), ("extended", Fraction(3, 2))):
        table = shooting().condition("a", condition)
        weapon = table.unit("a").gear.weapon
        made = magazine(table.rules, weapon)
        full = int(made * times)
        assert magazine(table.rules, weapon, table.unit("a")) == full
        assert table.unit("a").gear.rounds[weapon] == made
        before = table.battle
        table.do(Act("a", "reload"))
        assert table.unit("a").gear.rounds[weapon] == full
        assert "the magazine is full" in table.turn_of("a").refusal(Act("a", "reload"))
        table.do(SetAmmunition("a", full - 1))
        said = table.do(SetCondition("a", condition, False))
        assert any(f"→ {made} rounds" in line for line in said)
        assert table.unit("a").gear.rounds[weapon] == made
        assert before.unit("a").gear.rounds[weapon] == made


@pytest.mark.long
def test_a_larger_magazine_belongs_to_a_weapon() -> None:
    wrong = '[condition.deep]\nlabel = "deep"\nmark = "d"\nuntil = "battle end"\nmagazine = 2\nsource = "ours"\n'
    with pytest.raises(Unreadable, match="a magazine needs about"):
        with_more(AOG, wrong)
