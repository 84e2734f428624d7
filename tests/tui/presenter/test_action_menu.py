"""The menu of actions: one letter for each verb, groups with a second key, what is not possible folded at the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.battle.apply import apply_all
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import SetTurn
from engine.values import replace
from tests.rules.table import fight
from tests.tui.play import session_for, shipped_rulesets
from tests.tui.presenter.table import Conversation
from tui.application.focus import focus as foci
from tui.application.focus.focus import Focus
from tui.application.presenter.action_rows import action_choices
from tui.application.prompts.choice import Choice, MenuQuestion, group_of, grouped, key_place, keys_for
from tui.view.modals.card_rows import card_rows
from tui.view.panels.attack_panel import shot_text


def menu(talk: Conversation) -> list[Choice]:
    talk.do("act")
    assert talk.display.menu is not None and talk.display.menu.folds
    found = list(talk.display.menu.choices)
    talk.display.cancel()
    return found


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_the_possible_ones_stand_first_and_each_key_once(tmp_path: Path, name: str) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", name))
    talk.do("target", 1)
    choices = menu(talk)
    reasons = [bool(one.reason) for one in choices]
    assert reasons == sorted(reasons) and reasons[0] is False
    enabled = [one for one in choices if not one.reason]
    keys = [key for key, one in zip(keys_for(choices), choices, strict=True) if not one.reason]
    assert all(len(key) == 1 for key in keys) and len(set(keys)) == len(enabled)


def test_a_group_opens_with_its_letter_and_takes_a_second_key(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "frontier-trail", "aog"))
    talk.do("target", 1)
    talk.press("a", "x")
    assert talk.display.menu is not None and talk.display.menu.title.endswith("  Called shot")
    assert {one.label: one.key for one in talk.display.menu.choices} == {
        "Head": "h", "Chest": "c", "Stomach": "s", "Right arm": "a", "Left arm": "A",
        "Right leg": "l", "Left leg": "L",
    }  # fmt: skip
    able = next(one for one in talk.display.menu.choices if not one.reason)
    talk.press(able.key)
    assert talk.presenter.focus.action == able.id


def test_called_shots_of_eva_have_the_initials_of_their_parts(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "eva"))
    talk.presenter.submit(SetTurn("raven"))
    talk.do("target", 1)
    talk.press("a", "x")
    assert talk.display.menu is not None
    assert {one.label: one.key for one in talk.display.menu.choices} == {
        "Head": "h", "Body": "b", "Right arm": "r", "Left arm": "l", "Right leg": "R", "Left leg": "L",
        "Its weapon": "w", "An object": "o",
    }  # fmt: skip
    talk.press("R")
    assert talk.presenter.focus.action == "called-right-leg"


def test_called_shots_of_eva_say_which_parts_are_behind_cover(tmp_path: Path) -> None:
    table = session_for(tmp_path, "warehouse", "eva")
    battle = apply_all(table.battle, decide(table.battle, SetTurn("raven"), table.rules))
    notes = {one.id: one.note for one in action_choices(Focus(unit="raven", target="watchman"), battle, table.rules)}
    assert notes["called-head"].startswith("not behind the crate at R7 (AP 8), 1 half action")
    assert notes["called-right-leg"].startswith("behind the crate at R7 (AP 8), 1 half action")
    assert "crate" not in notes["standard"], "only where the parts differ"


def test_a_group_of_attacks_says_the_mean_damage_of_each_after_armour_and_cover(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "eva"))
    talk.presenter.submit(SetTurn("raven"))
    talk.presenter.look_at(replace(talk.presenter.focus, unit="raven", target="watchman"))
    talk.press("a", "x")
    assert talk.display.menu is not None
    assert talk.display.menu.later is not None
    known = {one.id: one.cells for one in talk.display.menu.later() if one is not None}
    assert known["called-head"] == ("1h1A", "15%", "0.3", "0%") and known["called-right-leg"][2] == "0.1"


def test_the_panel_says_what_cover_stops_in_eva(tmp_path: Path) -> None:
    table = session_for(tmp_path, "warehouse", "eva")
    said = shot_text(
        foci.shot(Focus(unit="raven", target="watchman"), table.battle, table.rules), table.rules, 60, 40
    ).plain
    assert "Cover 0 all but head behind the crate at R7 (AP 8)" in " ".join(said.split())
    assert "No effect" not in said or "cover" not in said.partition("No effect")[2].partition("\n")[0]


def test_a_shot_that_may_hit_an_ally_beside_the_target_says_so_in_panel_and_menu() -> None:
    table = fight("aog", "a....db", allies="d", a="rifleman", b="rifleman", d="rifleman")
    for height in range(12, 26):
        assert "No effect: into melee" not in shot_text(table.shot(at="b"), table.rules, 44, height).plain
    notes = {one.id: one.note for one in action_choices(Focus(unit="a", target="b"), table.battle, table.rules)}
    assert any("reversed digits of 01-35 hit an ally instead" in note for note in notes.values())


def test_a_burst_says_how_many_rounds_it_takes(tmp_path: Path) -> None:
    table = fight("occult-ops", "a...b", a="rifleman", b="gunman")
    notes = {one.id: one.note for one in action_choices(Focus(unit="a", target="b"), table.battle, table.rules)}
    left = table.unit("a").gear.rounds[table.unit("a").gear.weapon]
    assert notes["long-burst"].startswith(f"{left} of {left} rounds, ") and "rounds" not in notes["attack"]
    shot = table.shot(action="long-burst")
    assert f"long burst, {left} of {left} rounds" in shot_text(shot, table.rules, 80, 40).plain


@pytest.mark.long
def test_the_same_letters_move_kneel_and_stand_in_every_ruleset(tmp_path: Path) -> None:
    for name in sorted(shipped_rulesets()):
        talk = Conversation(session_for(tmp_path / name, "frontier-trail", name))
        talk.presenter.submit(SetTurn("todd"))
        talk.press("a", "n")
        talk.roll_the_rest()
        assert talk.unit("todd").posture == "kneeling", name
        talk.do("undo")
        talk.press("a", "m")
        assert talk.presenter.focus.overlay == "reach", name


CHOICES = [
    Choice("a", "Aim", key="a"),
    Choice("x1", "Called shot, head", key="x1", group="Called shot"),
    Choice("x2", "Called shot, leg", "", "out of reach", "x2", "Called shot"),
    Choice("w1", "Grapple: hold", "", "not adjacent", "w1", "Grapple"),
    Choice("r", "Reload", "", "full", "r"),
]


def test_a_group_without_a_possible_item_is_folded_with_its_items() -> None:
    assert [(one.id, one.key, one.reason) for one in grouped(CHOICES)] == [
        ("a", "a", ""),
        ("group x", "x", ""),
        ("group w", "w", "none available"),
        ("w1", "w1", "not adjacent"),
        ("r", "r", "full"),
    ]
    assert [(one.label, one.key, one.reason) for one in group_of(CHOICES, "group x")] == [
        ("Head", "1", ""),
        ("Leg", "2", "out of reach"),
    ]


def test_no_line_of_a_menu_repeats_its_key_or_its_group() -> None:
    grapple = Choice("wg", "Grapple", "hit 40 %", key="wg", group="Grapple")
    hold = Choice("wh", "Grapple: hold", key="wh", group="Grapple")
    (alone,), (both,) = grouped([grapple]), grouped([grapple, hold])
    assert (alone.label, alone.note) == ("Grapple …", "hit 40 %")
    assert (both.label, both.note) == ("Grapple …", "hold")
    bursts = [Choice("2", "2 hits", "hit 40 %", key="2"), Choice("0", "10 hits", key="0")]
    rows = card_rows(MenuQuestion("Burst", bursts), ("2", "0"), 28, is_unfolded=False)
    assert [row.text.plain for row in rows] == [" 2 hits  hit 40 %", " 0 10 hits"]


def test_what_is_not_possible_is_one_line_of_the_card() -> None:
    def rows(choices: Sequence[Choice], *, folds: bool, is_unfolded: bool = False) -> list[str]:
        menu = MenuQuestion("Acts", choices, folds=folds)
        keys = keys_for(choices)
        return [row.text.plain for row in card_rows(menu, keys, 28, is_unfolded=is_unfolded)]

    assert rows(grouped(CHOICES), folds=True)[-1] == "   2 not now · . shows why"
    assert rows(grouped(CHOICES), folds=True, is_unfolded=True)[-1].endswith("full")
    assert not any("not now" in row for row in rows(CHOICES, folds=False))


def test_a_key_by_letter_is_of_either_case_but_its_own_first() -> None:
    assert key_place("b", ["B", "c"], is_by_letter=True) == 0
    assert key_place("b", ["B", "b"], is_by_letter=True) == 1
    assert key_place("b", ["B", "c"]) is None


def test_the_rest_of_a_paid_move_can_be_chosen(talk: Conversation) -> None:
    talk.presenter.submit(SetTurn("cutter"))
    talk.press("m", "right", "right", "right", "right", "m")
    assert talk.unit("cutter").turn.budget["move"] == 0 and talk.unit("cutter").turn.stride == 1
    talk.do("act")
    line = talk.display.line("move")
    assert (line.reason, line.note, line.cells) == ("", "paid already, then choose a path", ("", "1 sq"))
    talk.display.choose("move")
    assert talk.presenter.is_move_planned and talk.presenter.overlay.reach is not None


def test_an_attack_without_a_target_has_its_price(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "aog"))
    talk.line("now moth")
    found = {
        one.id: one.note for one in action_choices(talk.presenter.focus, talk.battle, talk.presenter.session.rules)
    }
    assert {name: found[name] for name in ("single", "careful", "stun")} == {
        "single": "1 action, then t aims",
        "careful": "2 actions, then t aims",
        "stun": "2 actions, then t aims",
    }
