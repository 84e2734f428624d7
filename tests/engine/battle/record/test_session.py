"""A session: what the GM's hand does is in the journal, comes back from it and is undone; a roll is put right."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from engine.battle import commands as cmd
from engine.battle.events import AttackRolled, RollCorrected
from engine.battle.narration import tell
from engine.battle.record.journal import Header, Journal
from engine.battle.record.session import Session
from engine.errors import Illegal
from engine.field.squares import Edge, Square
from engine.values import replace
from maps import kinds, load_map, shipped_maps
from tests.rules.table import ruleset

RULES = ruleset("occult-ops")
MAP = load_map(shipped_maps()["frontier-trail"])


def now() -> str:
    return "2026-01-02T03:04:05+00:00"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    header = Header("id", "0.1.0", now(), "T", "t.toml", "", RULES.id, RULES.texts, "seed")
    found = Session.start(MAP.battlefield, MAP.placements, RULES, Journal.create(tmp_path / "t.battle", header), now)
    yield found
    found.close()


def shooting(session: Session) -> cmd.Attack:
    """A free attack that is possible."""
    for one in session.battle.units.values():
        for other in session.battle.units.values():
            if one.is_enemy_of(other):
                wish = cmd.Attack(one.id, other.id, is_free=True)
                try:
                    session.submit(wish, ((95,),))
                except Illegal:
                    continue
                session.undo()
                return wish
    raise AssertionError("nobody can shoot anybody")


def test_everything_that_the_gms_hand_does_comes_back_from_the_journal_and_is_undone(session: Session) -> None:
    start = session.battle
    first, second, *_ = start.units
    here = next(square for square in start.field.squares() if not start.at(square))
    mirror = replace(kinds.barrier("mirror", "feet"), seen_through=None)
    wishes: tuple[cmd.Command, ...] = (
        cmd.AddUnit("rifleman", "third", start.units[first].at, count=2, is_hidden=True),
        cmd.CopyUnit(second, start.units[second].at),
        cmd.RenameUnit(first, "Alias"),
        cmd.SetSide(second, "third"),
        cmd.SetHidden(second),
        cmd.SetTurn(second),
        cmd.SetOut(second, "surrenders"),
        cmd.SetGround((here,), kinds.ground("floor", "crate", "feet", "o"), "dropped"),
        cmd.SetElevation((here,), 500),
        cmd.SetEdges((Edge(here.column, here.row, "W"),), mirror),
        cmd.SetLight("dim"),
        cmd.SetLamp(Square(0, 0) if not start.field.ground_at(Square(0, 0)).blocks_sight else here, 2, 5),
        cmd.SetCover(first, second, Fraction(3, 4), "heavy", True),
        cmd.SetNote("Beware.", unit=first),
        cmd.ThrowDice("2d6"),
        cmd.RemoveUnit(first),
    )
    states = [session.battle]
    for wish in wishes:
        session.submit(wish)
        states.append(session.battle)
    again = Session.resume(MAP.battlefield, RULES, session.journal, now)
    assert again.battle == session.battle
    assert again.battle.encode() == session.battle.encode()
    for before in reversed(states[:-1]):
        session.undo()
        assert session.battle == before
    assert Session.resume(MAP.battlefield, RULES, session.journal, now).battle == start


def test_a_roll_is_put_right_and_the_log_says_so(session: Session) -> None:
    wish = shooting(session)
    before = session.battle
    session.submit(wish, ((95,),))
    missed = session.history.steps_taken
    events = session.correct(((5,),))
    assert events[0] == RollCorrected((95,), (5,))
    assert tell(events[0], session.battle, RULES) == "GM: the roll counts 5, not 95."
    attack = next(event for event in events if isinstance(event, AttackRolled))
    assert attack.roll.total == 5 and attack.roll.is_typed
    assert session.history.steps_taken == missed + 1
    assert Session.resume(MAP.battlefield, RULES, session.journal, now).battle == session.battle
    session.correct(((95,),))
    session.undo()
    assert session.battle == before


def test_a_roll_that_cannot_be_put_right_changes_nothing(session: Session) -> None:
    session.submit(cmd.SetLight("dark"))
    with pytest.raises(Illegal, match="rolled no dice"):
        session.correct(((5,),))
    session.undo()
    wish = shooting(session)
    session.submit(wish, ((95,),))
    battle = session.battle
    with pytest.raises(Illegal, match="shows 1 to 100"):
        session.correct(((500,),))
    assert session.battle == battle
    session.submit(cmd.ThrowDice("d6"), ((2,),))
    session.undo()
    session.correct(((94,),))  # the one before is known as well
    with pytest.raises(Illegal, match="is forgotten"):
        Session.resume(MAP.battlefield, RULES, session.journal, now).correct(((5,),))
