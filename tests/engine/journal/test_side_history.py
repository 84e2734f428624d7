"""What a side is shown of each command, as commands come, are undone, done again and take the place of others."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle.command import EndTurn
from engine.battle.events import RulingSet
from engine.battle.state.battle import Battle
from engine.battle.views.side_moments import HIDDEN_TURN, HIDDEN_TURN_BEGINS, KNOWN_TURN, SideMoment
from engine.journal.history import History, Step, moment_between
from engine.journal.side_history import SideHistory
from engine.journal.submitted_commands import SubmittedCommand
from tests.engine.geometry.bursting import walled


class Table:
    """Steps with names of which a side sees those with a capital letter."""

    def __init__(self) -> None:
        self.history = History(Battle(walled("..", "..")))
        self.seen = SideHistory[str](self.see)
        self.names: dict[int, str] = {}
        self.do("start")

    def see(self, steps: Sequence[Step], before: SideMoment | None, now: SideMoment) -> str | None:
        words = "+".join(self.names[step.number] for step in steps)
        return words if words != words.lower() else None

    def do(self, name: str, turn: str = KNOWN_TURN, *, corrects: int = 0) -> None:
        """A step of that name, or an undo or a redo, after which it is the turn of somebody known or hidden."""
        before = self.history
        if name in ("undo", "redo"):
            self.history = before.undo() if name == "undo" else before.redo()
        else:
            self.names[before.steps_taken + 1] = name
            command = SubmittedCommand(EndTurn(), (), corrects)
            self.history = before.take([RulingSet("dusk", "Dusk", 0, 1)], *([command] if corrects else []))
        self.seen.take(moment_between(before, self.history), SideMoment(None, turn))

    @property
    def shown(self) -> list[str]:
        """What is shown of each step after the first."""
        return [", ".join(one) for one in self.seen.done[1:]]


def test_a_step_is_shown_where_something_of_it_is_seen() -> None:
    table = Table()
    for name in ("Walk", "note", "Shot"):
        table.do(name)
    assert table.shown == ["Walk", "", "Shot"]


def test_undo_takes_it_back_and_redo_shows_it_again_until_there_is_a_new_command() -> None:
    table = Table()
    for name in ("Walk", "Shot", "undo", "undo"):
        table.do(name)
    assert (table.shown, table.seen.undone) == ([], [("Shot",), ("Walk",)])
    table.do("redo")
    assert (table.shown, table.seen.undone) == (["Walk"], [("Shot",)])
    table.do("Blow")
    assert (table.shown, table.seen.undone) == (["Walk", "Blow"], [])


def test_commands_before_those_that_are_known_are_undone_as_nothing() -> None:
    table = Table()
    table.do("Walk")
    table.seen = SideHistory[str](table.see)
    table.do("undo")
    assert table.seen.undone == [()]
    table.do("redo")
    assert table.seen.done == [()]


def test_a_corrected_roll_takes_the_place_of_the_last_command() -> None:
    table = Table()
    table.do("Walk")
    table.do("Shot")
    assert table.history.done is not None
    table.do("Miss", corrects=table.history.done.batch)
    assert table.shown == ["Walk", "Miss"]


def test_what_leads_to_a_hidden_turn_is_shown_with_the_next_known_turn() -> None:
    table = Table()
    table.do("End", HIDDEN_TURN_BEGINS)
    table.do("note", HIDDEN_TURN)
    assert table.shown == ["", ""]
    table.do("next")
    assert table.shown == ["", "", "End+next"]


def test_or_with_the_first_thing_that_is_seen_in_the_hidden_turn() -> None:
    table = Table()
    table.do("End", HIDDEN_TURN_BEGINS)
    table.do("walk", HIDDEN_TURN)
    table.do("Shot", HIDDEN_TURN)
    table.do("Next")
    assert table.shown == ["", "", "End+Shot", "Next"]


def test_several_hidden_turns_are_skipped_together() -> None:
    table = Table()
    table.do("End", HIDDEN_TURN_BEGINS)
    table.do("walk", HIDDEN_TURN)
    table.do("end", HIDDEN_TURN_BEGINS)
    table.do("next")
    assert table.shown[-1] == "End+end+next"


def test_an_undo_back_into_a_hidden_turn_leaves_shown_what_was() -> None:
    table = Table()
    table.do("End", HIDDEN_TURN_BEGINS)
    table.do("next")
    table.do("undo", HIDDEN_TURN_BEGINS)
    assert (table.shown, table.seen.undone) == (["End+next"], [()])
    table.do("redo")
    assert table.shown == ["End+next", ""]
