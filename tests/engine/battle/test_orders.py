"""Orders of players: what refuses them says nothing that their side does not know."""

from __future__ import annotations

import pytest

from engine.answers import GivenAnswer
from engine.battle.command import Attack, Command, Move
from engine.battle.commands.decide import Decision
from engine.battle.commands.order_commands import Delay
from engine.battle.commands.orders import UNKNOWN_REASON, WRONG_ANSWERS, ordered
from engine.battle.commands.unit_edits import SetPool
from engine.battle.events import UnitMoved
from engine.battle.seats import NOT_YOURS, ONLY_THE_GM, Seat
from engine.battle.views.side_moments import known_now
from engine.errors import BattleboardError
from engine.geometry.squares import parse_square
from engine.values import replace
from tests.rules.table import Table, fight

LAW = Seat("anna", "law")
WALLED = ("a....b", "######", "..c...")
"""Of the outlaws one is seen, and one is behind a wall."""


def table(*, hidden: str = "") -> Table:
    """One on the side of the law, with an outlaw hidden by the GM on that square."""
    found = fight("occult-ops", *WALLED, a="gunman", b="gunman", c="gunman")
    if hidden:
        mole = replace(found.unit("c"), id="mole", name="Mole", at=parse_square(hidden), is_hidden=True)
        found.battle = found.battle.with_unit(mole)
    return found


def order(at: Table, command: Command, *answers: GivenAnswer, seat: Seat = LAW) -> tuple[Command, Decision]:
    known = known_now([at.battle], at.rules, "law")
    assert known is not None and "c" not in known.units
    return ordered(at.battle, known, command, at.rules, answers, seat=seat)


def refusal(at: Table, command: Command, *answers: GivenAnswer, seat: Seat = LAW) -> str:
    with pytest.raises(BattleboardError) as why:
        order(at, command, *answers, seat=seat)
    return str(why.value)


def walk(*squares: str) -> Move:
    return Move("a", tuple(map(parse_square, squares)))


@pytest.mark.parametrize("make", [lambda unit: Attack("a", unit), lambda unit: Delay("a", unit)])
def test_somebody_unseen_or_hidden_is_nobody(make) -> None:  # type: ignore[no-untyped-def]
    at = table(hidden="C1")
    words = {refusal(at, make(unit)).replace(repr(unit), "…") for unit in ("c", "mole", "nobody")}
    assert words == {"No unit is called …. Known: a, b."}
    assert "Did you mean" not in refusal(at, make("mol")) and "mole" not in refusal(at, make("mol"))


def test_what_is_refused_by_what_the_side_knows_has_its_reason() -> None:
    assert "F1" in refusal(table(), walk("A1", "B1", "C1", "D1", "E1", "F1"))
    assert refusal(table(), Attack("b", "a")) == NOT_YOURS
    assert refusal(table(), SetPool("a", "fatigue", 1)) == ONLY_THE_GM


def test_a_square_that_looks_free_is_free_until_one_walks_into_it() -> None:
    at = table()
    unseen = replace(at.unit("c"), id="d", at=parse_square("D1"))
    at.battle = at.battle.with_unit(unseen)
    known = known_now([table().battle], at.rules, "law")
    assert known is not None and "d" not in known.units
    given, found = ordered(at.battle, known, walk("A1", "B1", "C1", "D1"), at.rules, seat=LAW)
    assert given == walk("A1", "B1", "C1")
    (moved,) = (event for event in found.events if isinstance(event, UnitMoved))
    assert moved.path[-1] == parse_square("C1")


@pytest.mark.parametrize("path", [("A1", "B1"), ("A1", "B1", "C1")])
def test_whom_the_gm_hides_is_not_walked_into(path: tuple[str, ...]) -> None:
    assert refusal(table(hidden=path[-1]), walk(*path)) == UNKNOWN_REASON


def test_answers_that_do_not_fit_are_refused_without_the_rolls_they_were_for() -> None:
    typed = replace(LAW, types_dice=True)
    assert refusal(table(), Attack("a", "b"), GivenAnswer("", (999,)), seat=typed) == WRONG_ANSWERS
    assert (
        refusal(
            table(), Attack("a", "b"), GivenAnswer("", (5,)), GivenAnswer("", (4, 4)), GivenAnswer("", (6,)), seat=typed
        )
        == WRONG_ANSWERS
    )


def test_an_order_that_nothing_prevents_is_the_command_itself() -> None:
    shot = Attack("a", "b")
    given, found = order(table(hidden="C1"), shot)
    assert given == shot and found.events
