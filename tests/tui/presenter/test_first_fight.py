"""What a newcomer stumbled on: whom `t` offers first, the prompt of `d`, the order after `i`, friends in a blast."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.unit_edits import Place, SetPool
from engine.battle.events import AttackRolled
from engine.geometry.squares import parse_square
from tests.tui.play import session_for, shipped_rulesets
from tests.tui.presenter.table import Conversation
from tui.application.focus.contacts import enemies


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_whom_the_attack_can_hit_is_offered_before_whom_it_cannot(tmp_path: Path, name: str) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", name))
    possible: list[bool] = []
    for _ in enemies(talk.battle, talk.presenter.focus.unit):
        talk.do("target", 1)
        shot = talk.presenter.shot
        possible.append(isinstance(shot, AttackPreview) and shot.ledger.is_possible and shot.odds.hit > 0)
    assert possible == sorted(possible, reverse=True)


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_the_prompt_of_damage_fits_80_columns_and_names_no_id(tmp_path: Path, name: str) -> None:
    talk = Conversation(session_for(tmp_path, ruleset=name), width=80)
    talk.press("d")
    assert len(talk.asked) <= 70 and ": “-5”" in talk.asked and talk.asked.endswith("“out”:")
    pools = talk.presenter.session.rules.units.pools.values()
    assert not [pool.id for pool in pools if "_" in pool.id and pool.id in talk.asked]


def test_the_order_is_shown_after_initiative(talk: Conversation) -> None:
    talk.do("initiative")
    talk.roll_the_rest()
    first, second, *_ = talk.battle.turns.order
    assert talk.said.startswith(f"Turn order: {talk.unit(first).name} ")
    assert f", {talk.unit(second).name} " in talk.said


def test_a_blast_that_may_strike_friends_is_warned_of_before_the_dice(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "occult-ops"))
    talk.presenter.submit(SetTurn("spark"))
    talk.press("t", "a", "g", "f")
    assert talk.asked and talk.said.startswith("Warning: this may strike Spark's own side: Raven ")
    talk.display.cancel()
    for place, name in enumerate(("raven", "ox", "moth")):
        talk.presenter.submit(Place(name, parse_square(f"{'ABC'[place]}1")))
    talk.point(talk.unit("spark").at.name)
    talk.press("t", "a", "g", "f")
    assert talk.asked and "own side: Raven" not in talk.said


def test_after_a_throw_its_scatter_is_gone_and_the_weapon_in_hand_is_aimed_again(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "occult-ops"))
    talk.presenter.submit(SetTurn("spark"))
    talk.press("t", "a", "g", "f")
    assert (talk.presenter.focus.overlay, talk.presenter.focus.weapon) == ("landing", "frag-grenade")
    talk.roll_the_rest()
    assert talk.last(AttackRolled)
    assert (talk.presenter.focus.overlay, talk.presenter.focus.weapon) == ("plain", "")


def test_who_has_nothing_to_throw_is_told_so(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "cwn"))
    talk.presenter.submit(SetTurn("watchman"))
    talk.press("a")
    assert talk.display.line("Throw").key == "g"
    assert talk.display.line("Throw").reason == "Watchman has nothing to throw; Hauler has 2 × Thrown knife"


def test_a_window_is_no_door_and_the_nearest_door_is_named(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "cwn"))
    talk.point("F4")
    talk.do("door")
    assert talk.said == "No door beside F4: the window there cannot be opened. The next is at F7 W."


def test_the_last_side_in_the_fight_is_told_how_the_battle_ends(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "frontier-trail", "occult-ops"))
    enemies = [unit.id for unit in talk.battle.units.values() if unit.side != talk.unit("todd").side]
    for one in enemies:
        talk.presenter.submit(SetPool(one, "hp", 0))
    assert talk.said.endswith("The outlaws are down. · + F ends the fight")
