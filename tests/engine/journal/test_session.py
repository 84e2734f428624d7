"""A session: what the GM's hand does is in the journal, comes back from it and is undone; a roll is put right."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.answers import typed_dice
from engine.battle import command as cmd
from engine.battle.commands.note_commands import SetNote, ThrowDice
from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.roster_commands import AddUnit, CopyUnit, RemoveUnit, RenameUnit, SetHidden, SetOut, SetSide
from engine.battle.commands.ruling_commands import SetCover
from engine.battle.commands.scene_commands import SetCloud
from engine.battle.commands.terrain_commands import SetEdges, SetElevation, SetGround, SetLamp, SetLight
from engine.battle.commands.unit_edits import Place
from engine.battle.events import AttackRolled, EffectRolled, RollCorrected
from engine.battle.narration import narrate
from engine.battle.seats import Seat
from engine.battle.state.battle import PLAYERS
from engine.battle.views.side_moments import known_now
from engine.errors import Illegal
from engine.geometry.squares import Edge, Square, parse_square
from engine.journal.batches import batches
from engine.journal.history import command_rows, event_rows, further
from engine.journal.session import Session
from engine.journal.store import CannotSave, Header, Journal, JournalRow
from engine.journal.submitted_commands import SubmittedCommand
from engine.smoke_opacity import SmokeOpacity
from engine.values import replace
from maps import kinds, load_map, shipped_maps
from tests.examples import examples
from tests.rules.table import ruleset, with_more
from tests.stamps import NOW, stamp

RULES = ruleset("occult-ops")
MAP = load_map(shipped_maps()["frontier-trail"])


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    header = Header("id", "0.1.0", NOW.time, "T", "t.toml", "", RULES.id, RULES.texts, "seed")
    found = Session.start(MAP.battlefield, MAP.placements, RULES, Journal.create(tmp_path / "t.battle", header), stamp)
    yield found
    found.close()


def test_a_battle_carries_how_its_rules_let_smoke_obscure(tmp_path: Path) -> None:
    rules = with_more("occult-ops", '[sight]\nsmoke_ends_sight = 2\nsource = "ours"\n')
    header = Header("id", "0.1.0", NOW.time, "T", "t.toml", "", rules.id, rules.texts, "seed")
    begun = Session.start(MAP.battlefield, MAP.placements, rules, Journal.create(tmp_path / "s.battle", header), stamp)
    assert begun.battle.field.smoke_opacity == SmokeOpacity(2)
    begun.submit(SetCloud(begun.battle.field.squares()[0], 2))
    again = Session.resume(MAP.battlefield, rules, begun.journal, stamp)
    assert again.battle == begun.battle
    assert again.battle.bare_field.smoke_opacity == SmokeOpacity(2)
    begun.close()


def shooting(session: Session) -> cmd.Attack:
    """A free attack that is possible."""
    for one in session.battle.units.values():
        for other in session.battle.units.values():
            if one.is_enemy_of(other):
                wish = cmd.Attack(one.id, other.id, is_free=True)
                try:
                    session.submit(wish, typed_dice(((95,),)))
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
        AddUnit("rifleman", "third", start.units[first].at, count=2, is_hidden=True),
        CopyUnit(second, start.units[second].at),
        RenameUnit(first, "Alias"),
        SetSide(second, "third"),
        SetHidden(second),
        SetTurn(second),
        SetOut(second, "surrenders"),
        SetGround((here,), kinds.ground("floor", "crate", "feet", "o"), "dropped"),
        SetElevation((here,), 500),
        SetEdges((Edge(here.column, here.row, "W"),), mirror),
        SetLight("dim"),
        SetLamp(Square(0, 0) if not start.field.ground_at(Square(0, 0)).blocks_sight else here, 2, 5),
        SetCover(first, second, Fraction(3, 4), "heavy", True),
        SetNote("Beware.", unit=first),
        ThrowDice("2d6"),
        RemoveUnit(first),
    )
    states = [session.battle]
    for wish in wishes:
        session.submit(wish)
        states.append(session.battle)
    again = Session.resume(MAP.battlefield, RULES, session.journal, stamp)
    assert again.battle == session.battle
    assert again.battle.encode() == session.battle.encode()
    for before in reversed(states[:-1]):
        session.undo()
        assert session.battle == before
    assert Session.resume(MAP.battlefield, RULES, session.journal, stamp).battle == start


def test_a_roll_is_put_right_and_the_log_says_so(session: Session) -> None:
    wish = shooting(session)
    before = session.battle
    session.submit(wish, typed_dice(((95,),)))
    missed = session.history.steps_taken
    events = session.correct(typed_dice(((5,),)))
    assert events[0] == RollCorrected((95,), (5,), "Todd attacks Bandit")
    assert narrate(events[0], session.battle, RULES) == "GM: roll corrected to 5, was 95, Todd attacks Bandit."
    attack = next(event for event in events if isinstance(event, AttackRolled))
    assert attack.roll.total == 5 and attack.roll.is_typed
    assert session.history.steps_taken == missed + 1
    assert Session.resume(MAP.battlefield, RULES, session.journal, stamp).battle == session.battle
    session.correct(typed_dice(((95,),)))
    session.undo()
    assert session.battle == before


def test_a_roll_that_cannot_be_put_right_changes_nothing(session: Session) -> None:
    session.submit(SetLight("dark"))
    with pytest.raises(Illegal, match="rolled no dice"):
        session.correct(typed_dice(((5,),)))
    session.undo()
    wish = shooting(session)
    session.submit(wish, typed_dice(((95,),)))
    battle = session.battle
    with pytest.raises(Illegal, match="shows 1 to 100"):
        session.correct(typed_dice(((500,),)))
    assert session.battle == battle
    session.submit(ThrowDice("d6"), typed_dice(((2,),)))
    session.undo()
    session.correct(typed_dice(((94,),)))  # the one before is known as well


def rows(session: Session) -> list[JournalRow]:
    return list(session.journal.rows())


def test_a_command_stands_before_its_events_in_one_batch(session: Session) -> None:
    wish = shooting(session)
    before = len(rows(session))
    session.submit(wish, typed_dice(((95,),)))
    first, *others = rows(session)[before:]
    assert first.kind == "command/attack"
    assert {row.batch for row in (first, *others)} == {first.seq}
    assert all(row.kind.startswith("event/") for row in others)
    fields = {"unit": wish.unit, "target": wish.target, "is_free": True}
    assert fields.items() <= first.body["fields"].items()
    answer, *others = first.body["answers"]
    assert all(other["by_seed"] for other in others)
    assert answer["dice"] == [95] and answer["q"].endswith("1d100")
    assert {**first.body, "fields": {}, "answers": []} == {"fields": {}, "answers": [], "corrects": 0}
    session.undo()
    session.redo()
    assert [(row.kind, row.body) for row in rows(session)[-2:]] == [
        ("undo", {"batch": first.seq}),
        ("redo", {"batch": first.seq}),
    ]


def test_the_last_roll_is_corrected_after_reopening_in_one_batch(session: Session) -> None:
    wish = shooting(session)
    before = session.battle
    session.submit(wish, typed_dice(((95,),)))
    shot, steps = rows(session)[-1].batch, session.history.steps_taken
    again = Session.resume(MAP.battlefield, RULES, session.journal, stamp)
    again.correct(typed_dice(((5,),)))
    added = [row for row in rows(session) if row.seq > shot and row.batch != shot]
    assert {row.batch for row in added} == {added[0].seq}, "all or nothing"
    assert (added[0].kind, added[0].body["corrects"], added[1].kind) == ("command/attack", shot, "event/roll-corrected")
    assert again.history.steps_taken == steps + 1
    once_more = Session.resume(MAP.battlefield, RULES, session.journal, stamp)
    assert once_more.battle == again.battle != session.battle
    once_more.correct(typed_dice(((95,),)))
    once_more.undo()
    assert once_more.battle == before
    once_more.redo()
    session.history = once_more.history
    assert Session.resume(MAP.battlefield, RULES, session.journal, stamp).battle == once_more.battle


def test_what_was_answered_besides_is_kept_where_it_is_asked_again(session: Session) -> None:
    wish = shooting(session)
    session.submit(wish, typed_dice(((5,), (4,))))
    session.correct(typed_dice(((4,),)))
    assert session.history.done is not None
    rolls = [event.roll for event in session.history.done.events if isinstance(event, AttackRolled | EffectRolled)]
    assert [(roll.dice, roll.is_typed) for roll in rolls] == [((4,), True), ((4,), True)]
    assert answered(session) == [[4], [4]]
    session.correct(typed_dice(((6,),)))  # no critical hit: other dice are asked for
    assert answered(session) == [[6]]


def test_dice_of_the_seed_stay_where_another_roll_is_corrected(session: Session) -> None:
    """Twice, too: only the roll that is named becomes another."""

    def rolled() -> list[int]:
        assert session.history.done is not None
        events = session.history.done.events
        return [event.roll.total for event in events if isinstance(event, AttackRolled | EffectRolled)]

    wish = shooting(session)
    for _ in range(60):
        session.submit(wish)
        if len(rolled()) > 1 and rolled()[1] < 12:
            break
        session.undo()
        session.submit(ThrowDice("d6"))  # other dice next time
    first, *others = rolled()
    session.correct(typed_dice([(first - 1 or 2,)]))
    if len(rolled()) == 1 + len(others):
        assert rolled()[1:] == others
    session.correct(typed_dice([(first,)]))
    assert rolled() == [first, *others]


def answered(session: Session) -> list[list[int]]:
    """The dice that were typed for the last attack."""
    body = next(row for row in reversed(rows(session)) if row.kind == "command/attack").body
    return [answer["dice"] for answer in body["answers"] if not answer.get("by_seed")]


def test_how_the_battle_began_is_not_corrected(session: Session) -> None:
    with pytest.raises(Illegal, match="This roll started the battle"):
        session.correct(typed_dice(((5,),)))


def test_where_no_command_was_kept_it_says_so(session: Session) -> None:
    wish = shooting(session)
    events = session.submit(wish, typed_dice(((95,),)))
    session.undo()
    session.journal.append(event_rows(events), NOW)
    with pytest.raises(Illegal, match="An older version of battleboard saved the events without the command: undo it"):
        Session.resume(MAP.battlefield, RULES, session.journal, stamp).correct(typed_dice(((5,),)))


@pytest.mark.parametrize("batch", [0, 1, 10**6])
def test_only_what_was_done_last_is_corrected(session: Session, batch: int) -> None:
    wish = shooting(session)
    session.submit(wish, typed_dice(((95,),)))
    session.submit(ThrowDice("d6"), typed_dice(((2,),)))
    last = session.history.done
    assert last is not None
    (row,) = command_rows(SubmittedCommand(ThrowDice("d6"), corrects=batch))
    if not batch:
        assert further(session.history, [row]).done is not last
        return
    with pytest.raises(ValueError, match="is not the last step"):
        further(session.history, [row])


def test_a_disk_that_refuses_a_correction_leaves_the_command(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was once taken back first, and then not done again."""
    session.submit(shooting(session), typed_dice(((95,),)))
    battle, before = session.battle, rows(session)

    def full(*_: object) -> None:
        raise CannotSave(session.journal.path, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(session.journal, "append", full)
        with pytest.raises(CannotSave):
            session.correct(typed_dice(((5,),)))
    assert session.battle is battle
    assert rows(session) == before
    session.correct(typed_dice(((5,),)))


WAREHOUSE = load_map(shipped_maps()["warehouse"])
SQUARES = {"hauler": ("J6", "O10"), "sergeant": ("K7", "X4"), "clerk": ("J8", "Z2")}
"""Squares of the warehouse map before the crew's eyes, and out of their sight."""
STEPS = st.lists(st.tuples(st.sampled_from((*SQUARES, "undo", "redo")), st.booleans()), max_size=6)


@given(STEPS)
@example([("hauler", True), ("undo", True), ("sergeant", True), ("hauler", True)])
@examples(6)
def test_a_letter_is_one_units_for_ever_whatever_is_undone(steps: list[tuple[str, bool]]) -> None:
    """Players have seen it: a command that was undone does not make a letter free."""
    rules = ruleset("cwn")
    header = Header("id", "0.1.0", NOW.time, "T", "t.toml", "", rules.id, rules.texts, "seed")
    with TemporaryDirectory() as folder:
        journal = Journal.create(Path(folder) / "t.battle", header)
        session = Session.start(WAREHOUSE.battlefield, WAREHOUSE.placements, rules, journal, stamp)
        session.submit(RenameUnit("hauler", "Sam"))
        session.submit(RenameUnit("clerk", "Sue"))
        shown: dict[str, str] = {}
        for step, is_seen in steps:
            try:
                if step == "undo":
                    session.undo()
                elif step == "redo":
                    session.redo()
                else:
                    session.submit(Place(step, parse_square(SQUARES[step][not is_seen])))
            except Illegal:
                continue
            for unit, letter in session.battle.seen_as.get(PLAYERS, {}).items():
                assert shown.setdefault(letter, unit) == unit, f"{letter} was {shown[letter]}'s"
        again = Session.resume(WAREHOUSE.battlefield, rules, journal, stamp)
        assert again.history.seen_as == session.history.seen_as
        session.close()


def test_stamps_say_which_seat_gave_a_command_and_who_asked_for_an_undo(session: Session) -> None:
    unit = session.battle.unit(session.battle.turns.active)
    player = Seat("anna", unit.side)
    known = known_now([session.battle], session.rules, unit.side)
    assert known is not None
    session.order(cmd.EndTurn(), known, player)
    session.undo("anna")
    session.redo()
    seats = [batch.stamp.seat for batch in batches(session.journal.rows())]
    assert seats[-3:] == ["anna", "anna", "gm"]
    with pytest.raises(Illegal, match="Only the Game Master"):
        session.order(SetLight("dim"), known, player)
