"""Places in the order: waiting, the GM's hand, groups that share a place, surprise; under each way of rolling."""

from __future__ import annotations

import pytest

from engine.battle import command as cmd
from engine.battle.command import EndTurn
from engine.battle.commands.order_commands import Delay, DissolveGroup, FormGroup, RollInitiative, SetPlace, Surprise
from engine.battle.commands.roster_commands import RemoveUnit
from engine.battle.commands.unit_edits import SetPool
from engine.battle.events import InitiativeRolled, TurnBegan, TurnTakenUp
from engine.battle.narration.unit_states import StateShown
from engine.battle.state.battle import Battle
from engine.battle.state.codec import from_json, to_json
from engine.battle.views.fog_of_war import NOTHING_SEEN, seat_view
from engine.battle.views.view import project
from engine.journal.history import History, event_rows, replay
from tests.rules.table import Table, fight, remember

OCC = "occult-ops"
FOUR = {"a": "gunman", "b": "gunman", "c": "brawler", "d": "brawler"}


def table(name: str = OCC, allies: str = "b") -> Table:
    """A and B against C and D; A's turn, in that order."""
    return fight(name, "a.b..c.d", allies=allies, **FOUR)


def order(at: Table) -> str:
    return "".join(at.battle.turns.order)


def test_who_waits_acts_after_the_other_with_all_that_it_has() -> None:
    at = table()
    assert (order(at), at.battle.turns.active) == ("abcd", "a")
    before = at.unit("a").turn.budget
    assert at.do(Delay("a", "c")) == ["A delays: acts after C.", "B's turn."]
    assert (order(at), at.battle.turns.active, at.battle.turns.delayed) == ("bcad", "b", ("a",))
    assert at.battle.turns.initiative["a"] == at.battle.turns.initiative["c"]
    at.do(EndTurn())
    assert at.do(EndTurn()) == ["A's delayed turn."]
    assert at.happened(TurnTakenUp) and not at.happened(TurnBegan)
    assert (at.battle.turns.active, at.unit("a").turn.budget, at.battle.turns.delayed, at.battle.turns.round) == (
        "a",
        before,
        (),
        1,
    )
    at.do(EndTurn())
    assert at.battle.turns.active == "d"
    at.do(EndTurn())
    assert (at.battle.turns.active, at.battle.turns.round, order(at)) == ("b", 2, "bcad")


def test_who_is_still_to_come_may_wait_too() -> None:
    at = table()
    at.do(Delay("b", "d"))
    assert (order(at), at.battle.turns.active, at.battle.turns.delayed) == ("acdb", "a", ())


def test_what_cannot_wait_is_reported_why() -> None:
    at = table()
    assert "does not act after it" in at.refusal(Delay("b", "a"))
    assert "it is the same unit" in at.refusal(Delay("b", "b"))
    assert "already has that place" in at.refusal(Delay("c", "b")) or "does not act after it" in at.refusal(
        Delay("c", "b")
    )
    at.do(cmd.Attack("a", "c"), (99,), (20,))
    assert "already acted this turn" in at.refusal(Delay("a", "c"))
    at.do(EndTurn())
    assert "its turn this round is over" in at.refusal(Delay("a", "c"))
    at.do(SetPool("d", "hp", 0))
    assert "out of the fight" in at.refusal(Delay("b", "d"))
    unrolled = fight(OCC, "a.b", a="gunman", b="gunman", is_begun=False)
    assert "Nobody has a turn yet" in unrolled.refusal(Delay("a", "b"))


def test_where_everybody_declares_to_wait_is_an_act_and_there_are_no_groups() -> None:
    at = table("volt")
    waits = "on its turn a unit takes “Wait” or “Wait with a declared action” instead."
    assert at.refusal(Delay("a", "c")) == f"VOLT rolls initiative for declared actions: {waits}"
    assert "has no groups" in at.refusal(FormGroup(("c", "d")))
    others = [one for one in at.battle.turns.order if one != at.battle.turns.active]
    at.do(SetPlace(others[0], others[-1]))
    assert at.battle.turns.order[-1] == others[0]


def test_sides_stay_together() -> None:
    at = table("cwn")
    assert at.battle.turns.order[:2] in (("a", "b"), ("b", "a"))
    first, second, third, last = at.battle.turns.order
    assert "each side takes its turns together" in at.refusal(Delay(first, third))
    assert "each side takes its turns together" in at.refusal(SetPlace(last, ""))
    at.do(Delay(first, second))
    assert at.battle.turns.order == (second, first, third, last)
    at.do(FormGroup((third, last)))
    assert project(at.battle, at.rules).groups[0][1] == (third, last)


def test_the_game_master_moves_a_unit_up_down_and_first() -> None:
    at = table()
    assert at.do(SetPlace("d", "a")) == ["GM: D acts after A."]
    assert (order(at), at.battle.turns.active) == ("adbc", "a")
    at.do(SetPlace("b", "c"))
    assert order(at) == "adcb"
    assert at.do(SetPlace("c")) == ["GM: C acts first."]
    assert order(at) == "cadb"
    assert "already has that place" in at.refusal(SetPlace("c"))
    assert "use delay instead" in at.refusal(SetPlace("a", "b"))
    scores = [at.battle.turns.initiative[one] for one in at.battle.turns.order]
    assert scores == sorted(scores, reverse=True)


def test_a_group_has_one_place_and_one_roll() -> None:
    at = table()
    at.do(SetPlace("b", "c"))
    assert order(at) == "acbd"
    assert at.do(FormGroup(("d", "c"))) == ["GM: C, D act as one group."]
    assert order(at) == "acdb"
    assert at.battle.turns.initiative["d"] == at.battle.turns.initiative["c"]
    assert project(at.battle, at.rules).groups == (("C ×2", ("c", "d")),)
    at.do(RollInitiative(), (20,), (10,), (1,))
    rolls = at.happened(InitiativeRolled)
    assert [rolled.who for rolled in rolls] == ["a", "b", "C ×2"]
    assert "cd" in order(at) or "dc" in order(at)
    (line,) = at.do(DissolveGroup("d"))
    who, _, kept = line.partition(": they ")
    assert who in ("GM: C, D are no longer a group", "GM: D, C are no longer a group")
    assert kept == "keep its place in the turn order, one after the other."
    assert at.battle.turns.groups == ()
    assert "in no group" in at.refusal(DissolveGroup("d"))


def test_a_group_moves_and_waits_as_one() -> None:
    at = fight(OCC, "a.bcd.e", allies="", a="gunman", b="brawler", c="brawler", d="brawler", e="gunman")
    at.do(SetPlace("e", "d"))
    at.do(FormGroup(("b", "c", "d")))
    at.do(Delay("c", "e"))
    assert order(at) == "aebcd"
    assert "is in its group" in at.refusal(SetPlace("b", "c"))
    at.do(SetPlace("b", "a"))
    assert order(at) == "abcde"
    at.do(EndTurn())
    at.do(Delay("b", "e"))
    assert (order(at), at.battle.turns.active) == ("aebcd", "e")
    at.do(EndTurn())
    at.do(EndTurn())
    assert at.battle.turns.active == "c"
    assert "its group has already acted" in at.refusal(Delay("c", "d"))
    at.do(RemoveUnit("d"))
    assert at.battle.turns.groups == (("b", "c"),)
    at.do(RemoveUnit("b"))
    assert at.battle.turns.groups == ()


def test_what_makes_no_group_is_reported() -> None:
    at = table()
    assert "two members or more" in at.refusal(FormGroup(("a",)))
    assert "C belongs to outlaws, A to law" in at.refusal(FormGroup(("a", "c")))
    at.do(EndTurn())
    at.do(EndTurn())
    at.do(FormGroup(("c", "d")))  # C's turn: the others of its group come after it
    assert "already a group" in at.refusal(FormGroup(("d", "c")))
    at.do(DissolveGroup("c"))
    at.do(EndTurn())
    again = table()
    again.do(SetPlace("b", "d"))
    again.do(EndTurn())
    again.do(EndTurn())
    assert "form the group after this round" in again.refusal(FormGroup(("a", "b")))


def test_who_is_surprised_loses_the_turn_of_this_round() -> None:
    at = table()
    assert at.do(Surprise(("b", "d"))) == ["GM: B, D are surprised and lose their turns this round."]
    at.do(EndTurn())
    assert at.battle.turns.active == "c"
    assert StateShown("!", "surprised", "no turn this round") in project(at.battle, at.rules).unit("d").conditions
    assert "already surprised" in at.refusal(Surprise(("d",)))
    assert "has had its turn" in at.refusal(Surprise(("a",)))
    at.do(EndTurn())
    assert (at.battle.turns.active, at.battle.turns.round, at.battle.turns.surprised) == ("a", 2, ())
    at.do(Surprise(("a",)))
    assert at.battle.turns.active == "b"


def test_a_ruleset_with_a_condition_for_surprise_uses_that() -> None:
    """EVA-2: the surprised lose their first turn, have no reactions, and are easier to hit."""
    at = table("eva")
    at.do(Surprise(("b", "c", "d")))
    assert at.battle.turns.surprised == ()
    assert "surprised" in at.unit("c").conditions
    at.do(EndTurn())
    acting = at.unit(at.battle.turns.active)
    assert "surprised" in acting.conditions and acting.turn.budget["reaction"] == 0


@pytest.mark.parametrize("name", [OCC, "cwn", "aog", "eva", "volt"])
def test_everything_about_the_order_survives_the_journal_undo_and_a_new_roll(name: str) -> None:
    at = table(name)
    law, outlaws = ("a", "b"), ("c", "d")
    if at.battle.turns.order[1] != "b":
        at.do(SetPlace("b", "a"))
    history, rows = History(at.battle), []
    first, second = law
    third, last = outlaws
    commands: list[cmd.Command] = [Surprise((last,)), SetPlace(third, last)]
    if name != "volt":
        commands = [
            FormGroup((third, last)),
            Delay(first, second),
            EndTurn(),
            Surprise((last,)),
            DissolveGroup(last),
        ]
    for wish in [*commands, EndTurn(), EndTurn(), RollInitiative(), EndTurn()]:
        at.do(wish)
        rows.append(event_rows(at.events))
        history = history.take(at.events)
        assert at.battle.turns.active in at.battle.turns.order and set(at.battle.turns.order) == set("abcd")
    assert replay(history.start, rows).battle.encode() == at.battle.encode() == history.battle.encode()
    assert from_json(Battle, to_json(at.battle)).encode() == at.battle.encode()
    for _ in rows:
        history = history.undo() if history.done and history.done.previous else history


def test_no_side_sees_the_groups_of_another() -> None:
    at = table()
    at.do(FormGroup(("c", "d")))
    seen = {
        side: seat_view(at.battle, at.rules, side, remember(NOTHING_SEEN, at.battle, side)).groups
        for side in ("law", "outlaws")
    }
    assert seen == {"law": (), "outlaws": (("C ×2", ("c", "d")),)}
