"""What menus ask of options besides the whole list: on nobody yet, in any turn, moves without where they lead."""

from __future__ import annotations

from engine.battle.attacks.attack_preview import consider
from engine.battle.attacks.attack_refusals import Impossible
from engine.battle.command import Act, Attack
from engine.errors import Illegal, brief
from engine.tactics.options import acts, attack_option, is_listed, moves, on_anybody, readies
from tests.rules.table import Table, fight


def gunmen(*rows: str) -> Table:
    return fight("aog", *rows, allies="d", a="rifleman", b="rifleman", c="rifleman", d="rifleman")


def test_an_attack_on_nobody_yet_has_its_price() -> None:
    table = gunmen("a...b", "...cd")
    prices = {
        one.command.action: one.cost.get("action") for one in on_anybody(table.battle, table.rules, table.unit("a"))
    }
    assert (prices["single"], prices["careful"]) == (1, 2)


def test_an_attack_on_nobody_yet_is_refused_for_what_holds_of_every_target() -> None:
    table = gunmen("a...b", "...cd")
    assert brief(attack_option(table.battle, table.rules, Attack("b", "")).refusal) == "It is A's turn, not B's."
    empty = table.load("a", table.unit("a").gear.weapon, 0)
    refused = attack_option(empty.battle, empty.rules, Attack("a", "", action="single")).refusal
    assert isinstance(refused, Illegal) and refused.reason == "ammunition"
    away = next(name for name in table.unit("a").gear.weapons if name != table.unit("a").gear.weapon)
    refused = attack_option(table.battle, table.rules, Attack("a", "", away)).refusal
    assert isinstance(refused, Illegal) and refused.reason == "weapon"


def test_in_any_turn_only_what_is_impossible_is_refused() -> None:
    table = gunmen("a...b", "...cd")
    attack = Attack("b", "a")
    option = attack_option(table.battle, table.rules, attack, in_any_turn=True)
    assert option.is_allowed and option.hit == consider(table.battle, table.rules, attack).odds.hit > 0
    assert not attack_option(table.battle, table.rules, attack).is_allowed
    walled = gunmen("a.#.b", "..#cd")
    refused = attack_option(walled.battle, walled.rules, attack, in_any_turn=True).refusal
    assert isinstance(refused, Impossible) and refused.situation.distance == "8 m"


def test_an_act_on_somebody_lists_those_it_is_for_the_nearest_first() -> None:
    table = gunmen("ad.cb")
    listed = [one.command.target for one in acts(table.battle, table.rules, table.unit("a"), actions=["push"])]
    assert listed == ["c", "b"]


def test_an_act_on_nobody_yet_says_what_the_nearest_lacks() -> None:
    table = gunmen("ad.cb")
    (option,) = acts(table.battle, table.rules, table.unit("a"), actions=["push"], targets=[""])
    assert brief(option.refusal) == "C is not adjacent"
    near = gunmen("ac..b", "....d")
    (option,) = acts(near.battle, near.rules, near.unit("a"), actions=["push"], targets=[""])
    assert option.is_allowed and option.cost == {"action": 2}


def test_moves_without_where_they_lead_are_refused_alike() -> None:
    table = gunmen("a...b", "...cd")
    table.walk("a", "A1", "A2")
    for unit in ("a", "b"):
        whole = moves(table.battle, table.rules, table.unit(unit))
        quick = moves(table.battle, table.rules, table.unit(unit), with_range=False)
        assert [(one.action.id, brief(one.refusal), one.cost, one.strides) for one in whole] == [
            (one.action.id, brief(one.refusal), one.cost, one.strides) for one in quick
        ]
        assert all(one.range is None for one in quick)


def test_the_weapon_in_hand_is_not_to_be_readied() -> None:
    table = gunmen("a...b", "...cd")
    found = {one.command.weapon: brief(one.refusal) for one in readies(table.battle, table.rules, table.unit("a"))}
    assert found[table.unit("a").gear.weapon] == "in hand"
    assert "" in found.values()


def test_what_no_weapon_makes_and_whom_an_act_is_not_for_is_never_listed() -> None:
    table = gunmen("ad.cb")
    held = table.unit("a").gear.weapon
    assert is_listed(table.battle, table.rules, Attack("a", "b", held, "single"))
    assert not is_listed(table.battle, table.rules, Attack("a", "b", held, "all-out"))
    assert not is_listed(table.battle, table.rules, Attack("a", "b", "", "overload"))
    assert is_listed(table.battle, table.rules, Act("a", "push", "b"))
    assert not is_listed(table.battle, table.rules, Act("a", "push", "d"))
