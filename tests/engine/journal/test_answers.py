"""Answers as they stand in a battle's file: what was asked, what was chosen, which dice fell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.answers import Given, Needs, typed_dice
from engine.battle import command as cmd
from engine.battle.attacks.split_hits import share_answers
from engine.battle.commands.note_commands import SetNote
from engine.battle.events import EffectRolled
from engine.errors import Illegal
from engine.journal.history import History
from engine.journal.session import Session
from engine.journal.store import Header, Journal
from tests.rules.table import Table, defence_asked, fight
from tests.stamps import stamp


def played(table: Table, journal: Journal) -> Session:
    """A battle with a burst in it: hits are given to a second, some dice are typed, and both are asked."""
    session = Session(table.rules, History(table.battle), journal, stamp)
    session.submit(SetNote("It begins."))
    wish = cmd.Attack("a", "b", action="burst-4")
    answers: Given = (*share_answers((("c", 2),)), *typed_dice(((5,),)))
    for defence in ("", "dodge"):
        with pytest.raises(Needs) as need:
            session.submit(wish, answers, asks=True)
        answers = need.value.answered(defence_asked(need.value).answer(defence))
    session.submit(wish, answers, asks=True)
    return session


@pytest.fixture
def burst(tmp_path: Path) -> Iterator[Session]:
    tough = {name: {"wound_points": 90, "agility": 50} for name in "bc"}
    table = fight("eva", "a.........b", "..........c", a="rifleman", b="rifleman", c="rifleman", stats=tough)
    header = Header("id", "0.1.0", "", "T", "t.toml", "", table.rules.id, table.rules.texts, "seed")
    session = played(table, Journal.create(tmp_path / "t.battle", header))
    yield session
    session.close()


def kept_answers(session: Session) -> list[dict[str, object]]:
    answers: list[dict[str, object]] = [
        *next(row.body["answers"] for row in reversed([*session.journal.rows()]) if row.kind == "command/attack")
    ]
    return answers


def test_the_page_on_battles_shows_answers_as_they_stand_in_a_file(burst: Session) -> None:
    page = Path(__file__).parents[3].joinpath("docs/battles.md").read_text("utf-8").partition("### Answers")[2]
    shown = [json.loads(line) for line in page.splitlines() if line.startswith("    {")]
    assert kept_answers(burst) == shown


def test_dice_that_the_seed_rolled_before_a_question_stand_in_the_file(burst: Session) -> None:
    """They once stood there as none; and they are the seed's still where the attack is corrected."""
    by_seed = [answer for answer in kept_answers(burst) if answer.get("by_seed")]
    damage = [answer["dice"] for answer in by_seed if str(answer["q"]).startswith("Damage")]
    assert burst.history.done is not None
    rolled = [one.roll for one in burst.history.done.events if isinstance(one, EffectRolled) and one.label == "Damage"]
    assert damage == [[*roll.dice] for roll in rolled[:2]] != [[], []]
    drawn = burst.battle.dice.drawn
    burst.correct(typed_dice(((6,),)))
    assert [answer for answer in kept_answers(burst) if answer.get("by_seed")] == by_seed
    assert burst.battle.dice.drawn == drawn


def test_answers_whose_question_a_correction_does_not_ask_are_dropped(burst: Session) -> None:
    """A miss strikes nobody else; dice that were typed for it have to find their roll."""
    battle = burst.battle
    with pytest.raises(Illegal, match="7 not used"):
        burst.correct(typed_dice(((95,), (7,))))
    assert burst.battle is battle
    burst.correct(typed_dice(((95,),)))
    assert [answer["q"] for answer in kept_answers(burst)] == ["hits for c", "A attacks B: 1d100", "defence of b"]
