"""Badges are given when a unit joins and never change; players count a group as they first see its units."""

from __future__ import annotations

import pytest

from engine.battle.apply import apply
from engine.battle.narration import narrate
from engine.battle.state.battle import PLAYERS, Battle
from engine.battle.views.unit_letters import letter_event, signs_of
from engine.battle.views.view import project
from engine.errors import Unknown
from engine.rules.rulings import ONE_NUMBERING
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


def test_the_gms_board_wears_its_badges_from_the_set_up_on_and_for_good() -> None:
    battle = replace(started(), turns=replace(started().turns, round=0))
    battle = lettered(Battle(battle.field), battle)
    assert signs_of(battle) == {"ada": "A", "bo": "B", "crook": "c", "cutter": "u", "dog": "d"}
    seen = lettered(battle, moved(opened(battle), "cutter", "D4"))
    assert signs_of(seen) == signs_of(battle)


def test_the_log_says_once_whom_players_see_for_the_first_time() -> None:
    battle = fresh()
    first = letter_event(Battle(started().field), started())
    there = moved(battle, "cutter", "D4")
    later = letter_event(battle, there)
    assert first is not None and narrate(first, battle, rules()) == ""
    assert later is not None and narrate(later, there, rules()) == "First seen: Cutter."
    assert letter_event(lettered(battle, there), lettered(battle, there)) is None


def goons(*names: str) -> Battle:
    """The battle as it begins with those too, all out of sight."""
    goon = started().unit("crook")
    new = {f"goon-{place}": replace(goon, id=f"goon-{place}", name=name) for place, name in enumerate(names, 1)}
    battle = replace(started(), units={**started().units, **new})
    return lettered(Battle(battle.field), battle)


def test_a_group_has_one_letter_of_its_noun_and_the_numbers_of_its_names() -> None:
    battle = goons("gang goon 1", "gang goon 2", "gang goon 12", "guard 1", "Goon Rex")
    assert [signs_of(battle)[f"goon-{place}"] for place in range(1, 6)] == ["g1", "g2", "g12", "a1", "r"]


def test_players_count_a_group_as_they_first_see_it_and_keep_that() -> None:
    battle = goons("goon 1", "goon 2", "goon 3")
    seen = lettered(battle, moved(battle, "goon-3", "D4"))
    both = lettered(seen, moved(seen, "goon-1", "D3"))
    law_view, _ = law(both)
    assert [(law_view.unit(id).name, law_view.unit(id).badge) for id in ("goon-3", "goon-1")] == [
        ("goon 1", "g1"),
        ("goon 2", "g2"),
    ]
    gm = project(both, rules())
    assert [(gm.unit(id).badge, gm.unit(id).players_badge) for id in ("goon-1", "goon-2", "goon-3")] == [
        ("g1", "g2"),
        ("g2", ""),
        ("g3", "g1"),
    ]
    ruled = replace(both, gm=replace(both.gm, rulings={ONE_NUMBERING: True}))
    assert {unit.name for unit in law(ruled)[0].units} >= {"goon 1", "goon 3"}
    assert project(ruled, rules()).unit("goon-3").players_badge == ""


def test_what_players_see_is_the_same_whatever_unseen_members_a_group_has() -> None:
    one, other = goons("goon 1"), goons("goon 1", "goon 2", "goon 3")
    one = lettered(one, moved(one, "goon-1", "D4"))
    other = lettered(other, moved(other, "goon-3", "D4"))
    first, second = law(one)[0].unit("goon-1"), law(other)[0].unit("goon-3")
    assert replace(first, id="") == replace(second, id="") and first.badge == "g1"


def test_the_gm_and_the_players_see_the_same_letters_whatever_is_hidden() -> None:
    battle = fresh()
    battle = lettered(battle, moved(opened(battle), "ada", "D3"))
    hidden = battle.with_unit(replace(battle.unit("dog"), is_hidden=True))
    hidden = lettered(battle, moved(hidden, "crook", "H3"))
    players, _ = law(hidden)
    gm = {unit.id: unit.letter for unit in project(hidden, rules()).units}
    assert {unit.id: unit.letter for unit in players.units} == {unit.id: gm[unit.id] for unit in players.units}
    assert gm["dog"] == "d"


def test_opponents_that_came_first_are_not_the_players() -> None:
    """As in an encounter without a party: who is added later has the letters and the first side's colour."""
    battle = started()
    units = {
        unit.id: replace(unit, side="opponents" if unit.side != "law" else "law")
        for unit in sorted(battle.units.values(), key=lambda unit: unit.side == "law")
    }
    battle = replace(battle, units=units, turns=replace(battle.turns, round=0))
    battle = lettered(Battle(battle.field), battle)
    assert signs_of(battle) == {"ada": "A", "bo": "B", "crook": "c", "cutter": "u", "dog": "d"}
    assert {unit.side: unit.side_index for unit in project(battle, rules()).units} == {"law": 0, "opponents": 1}


def test_a_letter_is_nobody_elses_when_its_unit_is_gone_or_has_another_name() -> None:
    battle = fresh()
    left = replace(battle, units={id: unit for id, unit in battle.units.items() if id != "dog"})
    named = lettered(left, left.with_unit(replace(left.unit("crook"), name="Dan")))
    dan = replace(started().unit("crook"), id="dan", name="Dan")
    joined = lettered(named, named.with_unit(dan))
    assert signs_of(joined)["crook"] == "c" and signs_of(joined)["dan"] == "a"


def test_a_battle_of_an_earlier_version_keeps_the_letters_it_was_shown_with() -> None:
    battle = started()
    shown = {unit.id: unit.letter for unit in project(battle, rules()).units}
    assert shown == {"ada": "A", "bo": "B", "crook": "c", "cutter": "u", "dog": "d"}
    later = lettered(battle, moved(battle, "ada", "B3"))
    assert dict(signs_of(later)) == shown == later.badges == later.seen_as[PLAYERS]
    assert letter_event(later, moved(later, "ada", "B2")) is None


def test_commands_take_the_badge_and_case_decides_only_between_two() -> None:
    names = unit_names(goons("goon 1", "goon 2", "goon 12", "Bert"))
    signs = ("A", "d", "c", "g2", "G12", "B", "b", "D")
    assert [expect("unit", [sign], names)[0] for sign in signs] == [
        "ada",
        "dog",
        "crook",
        "goon-2",
        "goon-3",
        "bo",
        "goon-4",
        "dog",
    ]
    with pytest.raises(Unknown):
        expect("unit", ["g3"], names)
