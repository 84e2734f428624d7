"""Cover that wears: shots take from what covers the target, the battle keeps it, rules ask how much is gone."""

from __future__ import annotations

import json

import pytest

from engine.battle import events as ev
from engine.battle.command import Attack
from engine.battle.commands.unit_edits import Place
from engine.battle.state.codec import canonical, from_json, to_json
from engine.errors import Unreadable
from engine.geometry.squares import parse_square
from engine.journal.history import event_rows, read_event
from tests.rules.table import Table, fight, with_more

OCC = "occult-ops"
WEARS = """
[[effect]]
id = "wears"
label = "shot to pieces"
on = ["miss"]
when = "cover != ''"
damage_cover = "3 if cover_damage < 5 else 1"
source = "ours"
[[modifier]]
id = "thinner"
step = "conditions"
label = "Worn cover"
value = "cover_damage"
when = "cover_damage > 0"
because = "{cover} has lost {cover_damage}"
source = "ours"
"""
CART = '[legend]\n"c" = { terrain = "dirt", object = "cart", height = 3, cover = "medium" }\n'
WALL = '[[edge]]\nat = "E1"\nside = "W"\nkind = "low-wall"\n'


def behind_a_cart() -> Table:
    return fight(OCC, "a..cb.d", a="gunman", b="gunman", d="gunman", toml=CART, more_rules=WEARS)


def test_what_covers_is_worn_and_rules_ask_how_much():
    table = behind_a_cart()
    facts = table.shot().situation.facts
    assert (facts["cover"], facts["cover_damage"]) == ("the cart at D1", 0)
    lines = table.do(Attack("a", "b"), (89,))
    assert lines[-1] == "The cart at D1: cover damage 0 → 3, shot to pieces."
    assert table.worth("thinner") == 3
    table.turn_of("a").do(Attack("a", "b"), (89,))
    table.turn_of("a").do(Attack("a", "b"), (89,))
    assert table.worth("thinner") == 7
    assert table.battle.scene.wear(parse_square("D1")) == 7


def test_thin_walls_wear_on_their_edge_seen_from_either_side():
    table = fight(OCC, "a..b.c", a="gunman", b="gunman", c="gunman", toml=WALL.replace("E1", "D1"), more_rules=WEARS)
    table.do(Attack("a", "b"), (89,))
    (worn,) = table.happened(ev.CoverWorn)
    assert worn.edge is not None and worn.name == "low wall"
    assert table.battle.scene.wear(worn.edge) == 3
    table.do(Place("b", parse_square("C1")))
    table.do(Place("a", parse_square("E1")))
    assert table.shot().situation.facts["cover_damage"] == 3


def test_where_nothing_covers_nothing_wears():
    table = fight(OCC, "a..b", a="gunman", b="gunman", more_rules=WEARS.replace("when = \"cover != ''\"", ""))
    table.do(Attack("a", "b"), (89,))
    assert not table.happened(ev.CoverWorn)
    assert not table.battle.scene.worn


def test_the_journal_keeps_what_is_worn():
    table = behind_a_cart()
    table.do(Attack("a", "b"), (89,))
    assert from_json(type(table.battle), json.loads(canonical(to_json(table.battle)))) == table.battle
    (worn,) = table.happened(ev.CoverWorn)
    row = next(row for row in event_rows(table.events) if row[0] == "event/cover-worn")
    assert read_event(row[0], json.loads(json.dumps(row[1]))) == worn


def test_only_an_attack_wears_cover():
    shove = '[action.shove]\nlabel = "Shove"\nkind = "other"\nsource = "ours"\n'
    wears = '[[action.shove.effect]]\nid = "wears"\nlabel = "w"\ndamage_cover = 1\nsource = "ours"\n'
    with pytest.raises(Unreadable, match="damage_cover needs an attack roll"):
        with_more(OCC, shove + wears)
