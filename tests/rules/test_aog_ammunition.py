"""Ammunition and attachments of aog: chosen at loading or set by the GM, and what they are worth in the ledger."""

from __future__ import annotations

import pytest

from engine.battle import events as ev
from engine.battle.commands import Act, Attack, SetCondition
from tests.rules.table import Table, fight

AOG = "aog"


def shooting(apart: int = 5, **stats: int) -> Table:
    row = "a" + "." * apart + "b"
    return fight(AOG, row, a="rifleman", b="rifleman", stats={"b": {"build": 0, **stats}})


def stopped(table: Table, *dice: tuple[int, ...]) -> int:
    table.do(Attack("a", "b", action="single"), *dice)
    (found,) = (event for event in table.happened(ev.EffectReckoned) if event.label == "Stopped by armour")
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
    assert "full of them" in table.turn_of("a").refusal(Act("a", "load-armour-piercing"))
    table.do(Act("a", "load-tracer"))
    assert {held for held in table.unit("a").conditions if held.startswith("loaded")} == {"loaded_tracer"}
    table.turn_of("a").load("a", table.unit("a").weapon, 1)
    table.do(Act("a", "reload"))
    assert not [held for held in table.unit("a").conditions if held.startswith("loaded")]
    laser = next(one.id for one in table.rules.weapons.values() if one.fields.get("family") == "energy")
    assert "fires such rounds" in table.turn_of("a").arm("a", laser).refusal(Act("a", "load-tracer"))


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
    auto = next(one.id for one in table.rules.weapons.values() if one.fields.get("auto", 0) and one.fields["single"])
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
        one.id for one in table.rules.weapons.values()
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
