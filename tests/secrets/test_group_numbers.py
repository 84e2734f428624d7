"""What a side sees is the same whatever unseen members a group has: two battles that differ only in those."""

from __future__ import annotations

import pytest

from engine.battle import command as cmd
from engine.battle.commands.order_commands import FinishBattle, RollInitiative, SetTurn
from engine.battle.commands.roster_commands import AddUnit, RemoveUnit
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_edits import DamageUnits, Place
from engine.geometry.squares import parse_square
from engine.rules.rulings import ONE_NUMBERING
from tests.secrets.stage import Stage, watched


def fought(members: int, seen: tuple[int, int], *, is_one: bool = False) -> tuple[Stage, tuple[str, str]]:
    """Two of some thugs in the back room come into the hall, one is hurt, the other is removed."""
    stage = Stage.begin("occult-ops")
    stage.do(AddUnit("gunman", "outlaws", parse_square("L2"), "Thug", members))
    stage.do(RollInitiative())
    stage.do(SetTurn("ada"))
    if is_one:
        stage.do(SetRuling(ONE_NUMBERING, True))
    first, second = ids = (f"thug-{seen[0]}", f"thug-{seen[1]}")
    stage.do(Place(first, parse_square("H3")))
    stage.do(Place(second, parse_square("H4")))
    stage.do(cmd.Attack("ada", first, is_free=True))
    stage.do(DamageUnits((second,), 1))
    stage.do(RemoveUnit(second))
    return stage, ids


def made(stage: Stage, ids: tuple[str, str]) -> str:
    """Everything that the law reads: the ids of the two, which it may know, as in the other battle."""
    text = f"{stage.seen('law')} {watched(stage.seat('law'))}"
    for place, id in enumerate(ids):
        text = text.replace(f"'{id}'", f"'first{place}'").replace(f'"{id}"', f'"first{place}"')
    return text


@pytest.mark.parametrize(("members", "seen"), [(3, (2, 3)), (6, (5, 6)), (4, (1, 4))])
def test_a_group_is_numbered_as_it_is_seen(members: int, seen: tuple[int, int]) -> None:
    one, other = made(*fought(2, (1, 2))), made(*fought(members, seen))
    assert one == other
    assert "Thug 1" in one and "Thug 2" in one and "Thug 3" not in other


def test_with_one_numbering_all_read_the_gms_numbers() -> None:
    stage, ids = fought(6, (5, 6), is_one=True)
    text = made(stage, ids)
    assert "Thug 5" in text and "Thug 1" not in text


def test_an_end_card_and_the_players_report_have_their_numbers() -> None:
    stage, _ = fought(6, (5, 6))
    stage.do(FinishBattle())
    assert "Thug 1" in str(stage.seen("law")["card"]) and "Thug 5" not in str(stage.seen("law")["card"])
