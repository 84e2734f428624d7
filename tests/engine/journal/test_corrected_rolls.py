"""Which rolls a correction means: those of the command itself, not those of the automatic reactions that it draws."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.answers import typed_dice
from engine.battle.command import Attack, EndTurn, Move
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_edits import Place, SetPool
from engine.battle.events import AttackRolled, BurstLanded, InitiativeRolled, RollCorrected
from engine.battle.narration import narrate
from engine.battle.state.gm_overrides import AUTO, OFF
from engine.errors import Illegal
from engine.geometry.squares import Square, parse_square
from engine.journal.history import History
from engine.journal.session import Session
from engine.journal.store import Header, Journal
from maps import load_map, shipped_maps
from tests.rules.table import fight, ruleset
from tests.stamps import stamp

RULES = ruleset("occult-ops")
MAP = load_map(shipped_maps()["frontier-trail"])
INTERRUPT = "disengaging"
SHOT = Attack("todd", "bandit")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    header = Header("id", "0.1.0", "", "T", "t.toml", "", RULES.id, RULES.texts, "seed")
    found = Journal.create(tmp_path / "t.battle", header)
    yield found
    found.close()


@pytest.fixture
def session(journal: Journal) -> Session:
    """Todd has the turn, Bandit stands beside him, and every reaction of Bandit's is automatic."""
    found = Session.start(MAP.battlefield, MAP.placements, RULES, journal, stamp)
    while found.battle.turns.active != "todd":
        found.submit(EndTurn())
    at = found.battle.units["todd"].at
    found.submit(Place("bandit", Square(at.column + 1, at.row)))
    for unit in ("todd", "bandit"):
        found.submit(SetPool(unit, "hp", 500))
    found.submit(SetPolicy(AUTO, unit="bandit"))
    return found


def rolled(session: Session) -> list[tuple[str, int]]:
    """Who attacked in the last command, and what was rolled."""
    assert session.history.done is not None
    events = session.history.done.events
    return [(event.unit, event.roll.total) for event in events if isinstance(event, AttackRolled)]


def shown(session: Session) -> list[tuple[int, ...] | None]:
    return [roll.dice for roll in session.correctable[1]]


def corrections(session: Session) -> list[tuple[tuple[int, ...], tuple[int, ...], str]]:
    assert session.history.done is not None
    found = [event for event in session.history.done.events if isinstance(event, RollCorrected)]
    return [(event.before, event.after, event.purpose) for event in found]


def test_a_correction_means_the_attack_and_not_the_automatic_attack_before_it(session: Session) -> None:
    session.submit(SHOT)
    (first, drawn), (own, was) = rolled(session)
    assert (first, own) == ("bandit", "todd")
    assert shown(session)[0] == (was,)
    session.correct(typed_dice(((5,),)))
    assert rolled(session) == [("bandit", drawn), ("todd", 5)]
    assert corrections(session) == [((was,), (5,), "Todd attacks Bandit")]
    assert session.history.done is not None
    (line, *_) = (narrate(event, session.battle, RULES) for event in session.history.done.events)
    assert line == f"GM: roll corrected to 5, was {was}, Todd attacks Bandit."
    session.correct(typed_dice(((was,),)))
    assert rolled(session) == [("bandit", drawn), ("todd", was)]


def test_dice_of_the_seed_stay_where_an_attack_with_an_automatic_one_before_it_is_corrected(session: Session) -> None:
    session.submit(SHOT)
    before, drawn = shown(session), session.battle.dice.drawn
    (was,) = before[0] or ()
    for _ in range(2):
        session.correct(typed_dice(((was,),)))
        assert (shown(session), session.battle.dice.drawn) == (before, drawn)


def test_a_correction_means_the_attack_and_not_the_automatic_attack_after_it(session: Session) -> None:
    """A fumble gives Bandit an attack, once Todd's is over."""
    session.submit(SetPolicy(OFF, INTERRUPT, "bandit"))
    session.submit(SHOT, typed_dice(((95,), (19,))))
    assert [unit for unit, _ in rolled(session)] == ["todd", "bandit"]
    assert shown(session) == [(95,), (19,)]
    session.correct(typed_dice(((5,),)))
    assert rolled(session) == [("todd", 5)]
    assert corrections(session) == [((95,), (5,), "Todd attacks Bandit")]
    session.correct(typed_dice(((96,), (19,))))
    assert [unit for unit, _ in rolled(session)] == ["todd", "bandit"]
    assert [before for before, _, _ in corrections(session)] == [(5,)], "the other roll was for something else"


def test_a_move_that_rolled_nothing_itself_says_that_only_automatic_reactions_rolled(session: Session) -> None:
    at = session.battle.units["todd"].at
    session.submit(Move("todd", tuple(Square(at.column - steps, at.row) for steps in range(3))))
    assert [unit for unit, _ in rolled(session)] == ["bandit"]
    battle = session.battle
    with pytest.raises(Illegal, match="Only automatic reactions rolled dice") as refused:
        session.correct(typed_dice(((5,),)))
    assert session.battle is battle and refused.value.brief == "only automatic reactions rolled dice"
    with pytest.raises(Illegal, match="Only automatic reactions rolled dice"):
        _ = session.correctable


def test_the_turn_order_is_corrected_roll_by_roll(session: Session) -> None:
    session.submit(RollInitiative())
    before = shown(session)
    assert session.history.done is not None
    events = [event for event in session.history.done.events if isinstance(event, InitiativeRolled)]
    assert [event.roll.dice for event in events] == before[: len(events)]
    session.correct(typed_dice(((), (3,))))
    ((was, now_, purpose),) = corrections(session)
    assert (was, now_) == (before[1], (3,)) and purpose
    assert shown(session)[:1] + shown(session)[2 : len(events)] == before[:1] + before[2 : len(events)]


def test_a_command_that_was_undone_and_redone_is_corrected_as_it_was(session: Session) -> None:
    session.submit(SHOT)
    before, ((_, drawn), (_, was)) = shown(session), rolled(session)
    session.undo()
    session.redo()
    assert shown(session) == before
    session.correct(typed_dice(((5,),)))
    assert rolled(session) == [("bandit", drawn), ("todd", 5)]
    session.undo()
    session.redo()
    assert shown(session)[0] == (5,)
    session.correct(typed_dice(((was,),)))
    assert rolled(session) == [("bandit", drawn), ("todd", was)]


def test_a_battle_that_was_reopened_corrects_the_same_roll(session: Session, journal: Journal) -> None:
    session.submit(SHOT)
    (_, drawn), _ = rolled(session)
    again = Session.resume(MAP.battlefield, RULES, journal, stamp)
    assert shown(again) == shown(session)
    again.correct(typed_dice(((5,),)))
    assert rolled(again) == [("bandit", drawn), ("todd", 5)]
    once_more = Session.resume(MAP.battlefield, RULES, journal, stamp)
    assert (once_more.battle, corrections(once_more)) == (again.battle, corrections(again))


def test_every_roll_of_a_blast_is_shown_and_the_one_that_is_typed_is_replaced(journal: Journal) -> None:
    table = fight("occult-ops", "a....b", "......", ".....c", a="grenadier", b="gunman", c="gunman")
    table.arm("a", "frag-grenade").load("a", "frag-grenade", 2)
    session = Session(table.rules, History(table.battle), journal, stamp)
    session.submit(SetPolicy(AUTO))
    session.submit(Attack("a", "", square=parse_square("F1")), typed_dice(((99,),)))
    before = shown(session)
    assert session.history.done is not None
    (landed,) = (event for event in session.history.done.events if isinstance(event, BurstLanded))
    assert [roll.dice for roll in landed.rolls] == before[1 : 1 + len(landed.rolls)]
    session.correct(typed_dice(((99,), (20,))))
    assert [(was, counts) for was, counts, _ in corrections(session)] == [((99,), (99,)), (before[1], (20,))]
    assert shown(session) == [(99,), (20,), *before[2:]]


def test_an_empty_group_keeps_the_dice_that_were_typed(session: Session) -> None:
    session.submit(SHOT, typed_dice(((45,), (2, 3))))
    assert [dice for who, dice in rolled(session) if who == "todd"] == [45]
    session.correct(typed_dice(((), (6, 6))))
    assert [dice for who, dice in rolled(session) if who == "todd"] == [45], "typed dice stay, and are not rolled anew"
