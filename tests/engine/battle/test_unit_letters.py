"""Letters are given when a player first sees a unit, are the same for all, and never change."""

from __future__ import annotations

import pytest

from engine.battle.apply import apply
from engine.battle.narration import narrate
from engine.battle.state.battle import Battle
from engine.battle.views.unit_letters import NONE_LEFT, letter_event, signs_of
from engine.battle.views.view import project
from engine.errors import Unknown
from engine.values import replace
from tests.engine.battle.test_seat import law, moved, opened, rules, started
from tui.application.commands.naming import expect, unit_names


def lettered(before: Battle, after: Battle) -> Battle:
    """The battle after a command, with the letters that it gave."""
    given = letter_event(before, after)
    return apply(after, given) if given else after


def fresh() -> Battle:
    """The battle as it begins."""
    return lettered(Battle(started().field), started())


def test_who_is_out_of_sight_wears_a_digit_until_players_see_it() -> None:
    battle = fresh()
    assert signs_of(battle) == {"ada": "A", "bo": "B", "crook": "1", "cutter": "2", "dog": "d"}
    seen = lettered(battle, moved(battle, "cutter", "D4"))
    assert signs_of(seen)["cutter"] == "c" and signs_of(seen)["crook"] == "1"
    both = lettered(seen, moved(seen, "crook", "D3"))
    assert signs_of(both)["cutter"] == "c" and signs_of(both)["crook"] == "r"


def test_the_log_says_once_which_letter_a_unit_with_a_digit_gets() -> None:
    battle = fresh()
    first = letter_event(Battle(started().field), started())
    there = moved(battle, "cutter", "D4")
    later = letter_event(battle, there)
    assert first is not None and narrate(first, battle, rules()) == ""
    assert later is not None and narrate(later, there, rules()) == (
        "Players see Cutter (was 2, now c) for the first time."
    )
    assert letter_event(lettered(battle, there), lettered(battle, there)) is None


def test_the_gm_and_the_players_see_the_same_letters_whatever_is_hidden() -> None:
    battle = fresh()
    battle = lettered(battle, moved(opened(battle), "ada", "D3"))
    hidden = battle.with_unit(replace(battle.unit("dog"), is_hidden=True))
    hidden = lettered(battle, moved(hidden, "crook", "H3"))
    players, _ = law(hidden)
    gm = {unit.id: unit.letter for unit in project(hidden, rules()).units}
    assert {unit.id: unit.letter for unit in players.units} == {unit.id: gm[unit.id] for unit in players.units}
    assert gm["dog"] == "d"


def test_no_letter_is_given_in_the_set_up_phase_but_to_the_players_side() -> None:
    battle = replace(started(), turns=replace(started().turns, round=0))
    assert signs_of(lettered(Battle(battle.field), battle)) == {
        "ada": "A",
        "bo": "B",
        "crook": "1",
        "cutter": "2",
        "dog": "3",
    }


def test_opponents_that_came_first_are_not_the_players() -> None:
    """As in an encounter without a party: who is added later has the letters and the first side's colour."""
    battle = started()
    units = {
        unit.id: replace(unit, side="opponents" if unit.side != "law" else "law")
        for unit in sorted(battle.units.values(), key=lambda unit: unit.side == "law")
    }
    battle = replace(battle, units=units, turns=replace(battle.turns, round=0))
    battle = lettered(Battle(battle.field), battle)
    assert signs_of(battle) == {"ada": "A", "bo": "B", "crook": "1", "cutter": "2", "dog": "3"}
    assert {unit.side: unit.side_index for unit in project(battle, rules()).units} == {"law": 0, "opponents": 1}


def test_more_than_ten_whom_nobody_has_seen_have_signs_of_their_own() -> None:
    battle = started()
    crook = battle.unit("crook")
    crowd = {f"crowd-{number}": replace(crook, id=f"crowd-{number}", name="Crook") for number in range(18)}
    battle = replace(battle, units={**battle.units, **crowd})
    signs = signs_of(lettered(Battle(battle.field), battle))
    unseen = [signs[unit] for unit in ("crook", "cutter", *crowd)]
    assert len(set(signs.values())) == len(signs) and NONE_LEFT not in signs.values()
    assert set(unseen) > set("1234567890") and all(sign.isascii() and not sign.isalpha() for sign in unseen)
    named = unit_names(replace(battle, digits=signs))
    assert expect("unit", ["@"], named)[0] == next(unit for unit, sign in signs.items() if sign == "@")


def test_a_unit_with_a_number_in_its_name_wears_that_digit_where_it_is_free() -> None:
    """One whose number is taken wears a digit that is no other's number: "Goon 1" is never 2 beside Goon 2."""
    battle = replace(started(), turns=replace(started().turns, round=0))
    goon = battle.unit("crook")
    names = {"goon-2": "Goon 2", "goon-1": "Goon 1", "cop-1": "Cop 1", "goon-4": "Goon 4", "goon-12": "Goon 12"}
    goons = {id: replace(goon, id=id, name=name) for id, name in names.items()}
    battle = replace(battle, units={**battle.units, **goons})
    signs = signs_of(lettered(Battle(battle.field), battle))
    assert {id: signs[id] for id in names} == {
        "goon-2": "2",
        "goon-1": "1",
        "goon-4": "4",
        "cop-1": "3",
        "goon-12": "8",
    }
    assert {signs[id] for id in ("crook", "cutter", "dog")} == {"5", "6", "7"}


def test_a_letter_is_nobody_elses_when_its_unit_is_gone_or_has_another_name() -> None:
    battle = fresh()
    left = replace(battle, units={id: unit for id, unit in battle.units.items() if id != "dog"})
    named = left.with_unit(replace(left.unit("crook"), name="Dan"))
    seen = lettered(left, moved(opened(named), "crook", "D3"))
    assert signs_of(seen)["crook"] == "a"
    other = seen.with_unit(replace(seen.unit("crook"), name="Zed"))
    assert signs_of(lettered(seen, other))["crook"] == "a"


def test_a_battle_of_an_earlier_version_keeps_the_letters_it_was_shown_with() -> None:
    battle = started()
    shown = {unit.id: unit.letter for unit in project(battle, rules()).units}
    assert shown == {"ada": "A", "bo": "B", "crook": "c", "cutter": "u", "dog": "d"}
    later = lettered(battle, moved(battle, "ada", "B3"))
    assert dict(signs_of(later)) == shown and later.letters == shown
    assert letter_event(later, moved(later, "ada", "B2")) is None


def test_commands_take_the_letter_and_the_digit_that_was_before_it() -> None:
    battle = fresh()
    seen = lettered(battle, moved(opened(battle), "crook", "D3"))
    names = unit_names(seen)
    assert [expect("unit", [sign], names)[0] for sign in ("A", "d", "1", "c", "2")] == [
        "ada",
        "dog",
        "crook",
        "crook",
        "cutter",
    ]
    with pytest.raises(Unknown):
        expect("unit", ["a"], names)
