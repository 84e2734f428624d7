"""Cities Without Number: suppressive fire, an area that everybody in it saves against, without a roll to hit."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle import events as ev
from engine.battle.attacks.area_odds import with_odds
from engine.battle.command import Act, Attack
from engine.battle.narration import summarise
from engine.battle.narration.preview_text import verdict
from engine.dice.sources import NO_ROLL
from engine.errors import Unreadable
from engine.geometry.squares import parse_square
from engine.journal.history import History, event_rows, read_event
from tests.rules.table import Table, fight, with_more

CWN = "cwn"
SUPPRESS = "suppress"
SAVED, FAILED = (14,), (13,)
LOW = (1,)
"""A Trauma die that does nothing."""


def gunner(*rows: str, toml: str = "", **roles: str) -> Table:
    """A machine-gunner who lies prone, and others; its bonus to damage is taken off."""
    units = {"a": "machine-gunner"} | roles
    table = fight(CWN, *(rows or ("a...b",)), toml=toml, stats={"a": {"dexterity_mod": 0}}, **units)
    return table.posture("a", "prone")


def fire(table: Table, *dice: tuple[int, ...], at: str = "b") -> list[str]:
    return table.do(Attack("a", at, action=SUPPRESS), *dice)


def lost(table: Table) -> dict[str, int]:
    return {one.unit: one.before - one.after for one in table.happened(ev.PoolChanged) if one.pool == "hp"}


def test_cwn_1_suppressive_fire_is_offered_by_the_weapons_made_for_it() -> None:
    """CWN-1: only the automatic rifle and the heavy machine gun lay it down."""
    table = gunner(b="gunman")
    able = [weapon.id for weapon in table.rules.gear.weapons.values() if weapon.fields.get("suppress")]
    assert able == ["automatic-rifle", "heavy-machine-gun"]
    refused = table.arm("a", "combat-rifle").refusal(Attack("a", "b", action=SUPPRESS))
    assert " has no “" in refused


def test_cwn_1_the_gunner_lies_prone_or_has_the_weapon_braced() -> None:
    """CWN-1: suppressive fire wants a rest; a brace costs nothing and ends with a move."""
    table = gunner(b="gunman").posture("a", "standing")
    assert "must be prone or have the weapon braced" in table.refusal(Attack("a", "b", action=SUPPRESS))
    table.do(Act("a", "brace"))
    assert not table.shot(action=SUPPRESS).refusal
    assert "already braced" in table.refusal(Act("a", "brace"))
    table.walk("a", "B1")
    assert "braced" not in table.unit("a").conditions
    assert table.shot(action=SUPPRESS).refusal


def test_cwn_1_nothing_is_rolled_to_hit_and_nothing_counts_in_the_ledger() -> None:
    """CWN-1: suppressive fire is saved against; what changes an attack roll does not."""
    table = gunner(b="gunman").posture("b", "prone")
    shot = with_odds(table.battle, table.rules, table.shot(action=SUPPRESS))
    assert (shot.ledger.entries, shot.odds.hit) == ((), 1)
    said = verdict(shot, table.rules)
    assert ": no roll to hit. " in said and said.endswith(" In the area: B.") and "%" not in said
    assert [risk.outlook.hurt for risk in shot.area_risks] == [Fraction(13, 20)]  # a save of 14
    lines = fire(table, (6,), FAILED, LOW)
    assert table.attacked().roll == NO_ROLL
    assert lines[1] == "A → B, Suppressive fire, Heavy machine gun, 8 m: Under fire."
    assert summarise(table.events, table.battle, table.rules).startswith("A → B: Under fire. B is in the area")


def test_cwn_1_who_saves_takes_nothing_and_who_fails_takes_half_rounded_up() -> None:
    """CWN-1: one roll of damage for all, halved upwards, and an Evasion save for each."""
    rows = ("....c", "a...b", ".....")
    table = gunner(*rows, b="gunman", c="gunman")
    fire(table, (11,), SAVED, FAILED, LOW)
    assert lost(table) == {"c": 6}
    assert [one.label for one in table.happened(ev.EffectRolled)] == [
        "Damage",
        "Evasion save",
        "Evasion save",
        "Trauma die",
    ]
    assert table.unit("a").gear.rounds["heavy-machine-gun"] == 8
    assert table.unit("a").turn.budget["main"] == 0


def test_cwn_1_trauma_multiplies_the_half_for_each_who_fails() -> None:
    """CWN-1: each who fails has a Trauma roll of its own."""
    table = gunner(b="machine-gunner")
    fire(table, (6,), FAILED, (12,))
    assert [one.value for one in table.happened(ev.EffectComputed) if one.label == "Full damage"] == [9]


def test_cwn_1_those_behind_hard_cover_are_spared_and_light_cover_does_not_count() -> None:
    """CWN-1: suppressive fire spares whoever is behind hard cover; how much of it is a ruling."""
    for protection, struck in (("heavy", {}), ("light", {"b": 3})):
        toml = f'[legend]\n"#" = {{ object = "low wall", height = 1.2, cover = "{protection}" }}\n'
        table = gunner("a..#b", toml=toml, b="gunman").posture("a", "standing")
        table.do(Act("a", "brace"))
        assert table.shot(action=SUPPRESS).situation.facts["covered"] >= Fraction(1, 2)
        fire(table, (6,), *([FAILED, LOW] if struck else []))
        assert lost(table) == struck


def test_cwn_1_a_quarter_circle_out_to_normal_range_friend_and_foe() -> None:
    """CWN-1: an arc of 90 degrees, as far as normal range; a bare square gives the way."""
    rows = ("c...e", ".....", "..a..", ".....", "....b")
    table = fight(CWN, *rows, allies="b", a="machine-gunner", b="gunman", c="gunman", e="gunman")
    table.posture("a", "prone")
    shot = table.shot(action=SUPPRESS, at="b")
    assert [unit.id for unit in shot.caught or ()] == ["b"]
    far = gunner("a" + "." * 104 + "b", b="gunman").arm("a", "automatic-rifle")
    assert far.shot(action=SUPPRESS).caught == ()  # 210 m, past the 200 of normal range
    table.do(Attack("a", "", action=SUPPRESS, square=parse_square("E1")), (8,), (20,))
    assert [one.target for one in table.happened(ev.BurstCaught)] == ["e"]


def test_cwn_1_suppressive_fire_is_taken_back_whole() -> None:
    """CWN-1: undo takes the rounds, the Main action and the harm back, in the journal too."""
    table = gunner(b="gunman")
    before = table.battle
    fire(table, (12,), FAILED, LOW)
    history = History(before).take(()).take(table.events)
    assert history.battle == table.battle
    assert history.undo().battle == before
    rows = event_rows(table.events)
    assert tuple(read_event(kind, body) for kind, body in rows) == tuple(table.events)


def test_only_attacks_are_made_without_a_roll() -> None:
    wrong = '[action.wave]\nlabel = "W"\nkind = "other"\nroll = false\nsource = "ours"\n'
    with pytest.raises(Unreadable, match="roll is only for actions of the kind 'attack'"):
        with_more(CWN, wrong)
