"""Moves that are declared in turns and walked together when the round ends, and attacks joined to them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from engine.battle import events as ev
from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.terrain_commands import SetBarrier
from engine.battle.commands.unit_edits import Place, SetCondition, SetPool
from engine.battle.narration.unit_states import WAY_MARK, StateShown
from engine.battle.state.codec import parse_edge
from engine.battle.views.view import project
from engine.errors import Unreadable
from engine.geometry.squares import parse_square
from engine.journal.history import event_rows, read_event
from engine.rules.model import Ruleset
from maps import parse_map
from rulesets import parse_ruleset
from tests.rules.table import Table, fight
from tests.rulesets.texts import small, texts
from tui.application.library.battle_files import Scenario, begin_battle, open_battle

MARCH = """
[budget.legs]
label = "legs"
start = 1
source = "ours"
[action.march]
label = "March"
kind = "move"
distance = 30
resolves = "round end"
cost = { legs = 1 }
source = "ours"
[[action.march.require]]
holds = "not unit.stunned"
reason = "stunned"
[action.lunge]
label = "Lunge"
kind = "attack"
weapons = ["melee"]
after_moves = true
cost = { main = 1 }
source = "ours"
[action.wait]
label = "Wait"
kind = "other"
source = "ours"
[[modifier]]
id = "moving"
step = "more"
label = "Moving"
value = -10
when = "target.move_pending"
because = "on its way"
source = "ours"
"""
RULES: Ruleset = small(MARCH, "distance = 30", "distance = 0")


def scene(*rows: str, allies: str = "", toml: str = "", **roles: str) -> Table:
    return fight(RULES, *rows, allies=allies, toml=toml, **roles)


def march(table: Table, **goals: str) -> list[str]:
    """Everybody declares in turn, straight on, and the round ends; the lines of its end."""
    lines: list[str] = []
    for unit_id in table.battle.turns.order:
        if unit_id in goals:
            assert table.battle.turns.active == unit_id
            table.walk(unit_id, *goals[unit_id].split(), action="march")
        lines = table.do(EndTurn())
    return lines


def places(table: Table) -> dict[str, str]:
    return {unit.id: unit.at.name for unit in table.battle.units.values()}


def duel(*rows: str) -> Table:
    return scene(*(rows or ("a....b",)), a="gunman", b="gunman")


def test_a_declared_way_is_walked_when_the_round_ends() -> None:
    """VOLT-14: from the declaration a moving target, all moves together at the end."""
    table = duel()
    lines = table.walk("a", "C1", action="march")
    assert lines == ["A: March A1 → C1 at the end of the round, 2 squares."]
    assert table.unit("a").at.name == "A1" and table.unit("a").turn.budget["legs"] == 0
    assert table.worth("moving", by="b", at="a") == -10
    table.do(EndTurn())
    assert table.unit("a").at.name == "A1"
    lines = table.do(EndTurn())
    assert lines[0] == "A moves A1 → C1, 2 squares." and "Round 2." in lines
    (moved,) = table.happened(ev.UnitMoved)
    assert (table.unit("a").at.name, moved.cost, table.battle.turns.declared) == ("C1", 2, ())
    assert table.worth("moving", by="b", at="a") is None


def test_one_way_for_each_unit() -> None:
    table = duel()
    table.walk("a", "C1", action="march")
    assert "legs" in table.refusal(Move("a", table.way("a", "B1"), "march"))


def test_two_who_want_one_square_the_earlier_gets_it() -> None:
    """VOLT-14: a ruling of the engine's, where the chapter leaves it open."""
    table = duel("a...b")
    lines = march(table, a="C1", b="C1")
    assert places(table) == {"a": "C1", "b": "D1"}
    assert "B stops: A gets there first." in lines


def test_foes_do_not_walk_through_each_other_and_friends_do() -> None:
    table = duel("a..b")
    lines = march(table, a="C1", b="B1")
    assert places(table) == {"a": "B1", "b": "C1"}
    assert "A stops: B comes the other way." in lines and "B stops: A comes the other way." in lines
    table = scene("a..b...c", allies="b", a="gunman", b="gunman", c="gunman")
    march(table, a="C1", b="B1")
    assert places(table) == {"a": "C1", "b": "B1", "c": "H1"}


def test_who_walks_behind_another_follows() -> None:
    table = scene("ba....c", allies="b", a="gunman", b="gunman", c="gunman")
    march(table, a="D1", b="C1")
    assert places(table) == {"a": "D1", "b": "C1", "c": "G1"}


def test_a_friend_that_stands_is_passed_and_not_stood_on() -> None:
    table = scene("ab...c", allies="b", a="gunman", b="gunman", c="gunman")
    march(table, a="C1")
    assert places(table)["a"] == "C1"
    table = scene("ab...c", allies="b", a="gunman", b="gunman", c="gunman")
    table.walk("a", "C1", action="march")
    table.place("b", "C1")
    table.do(EndTurn())
    table.do(EndTurn())
    assert "A stops: B is there." in table.do(EndTurn())
    assert places(table)["a"] == "B1"


def test_one_who_is_defeated_or_gone_or_unable_stays() -> None:
    for command, why in (
        (SetPool("a", "hp", 0), "it is out of the fight"),
        (Place("a", parse_square("A2")), "it is no longer on A1"),
        (SetCondition("a", "stunned", True), "stunned"),
    ):
        table = duel("a....b", "......")
        table.walk("a", "C1", action="march")
        table.do(EndTurn())
        table.do(command)
        lines = table.do(EndTurn())
        assert lines[0] == f"A stops: {why}." and not table.happened(ev.UnitMoved)


def test_what_is_shut_meanwhile_stops() -> None:
    door = '[[edge]]\nat = "C1"\nside = "W"\nkind = "door"\nstate = "open"'
    table = scene("a....b", toml=door, a="gunman", b="gunman")
    table.walk("a", "D1", action="march")
    table.do(EndTurn())
    table.do(SetBarrier(parse_edge("C1 W"), "closed"))
    lines = table.do(EndTurn())
    assert places(table)["a"] == "B1" and lines[0] == "A moves A1 → B1, 1 square." and lines[1].startswith("A stops: ")


def test_an_attack_joined_to_a_move_is_made_when_all_have_walked() -> None:
    """VOLT-15: an attack combined with a move happens after all moves."""
    table = duel("ab")
    table.arm("a", "fist")
    assert table.refusal(Attack("a", "b", action="lunge")) == "“Lunge” comes after all moves."
    table = duel("a....b")
    table.arm("a", "fist").arm("b", "fist")
    lines = march(table, a="C1", b="D1")
    assert lines == ["A moves A1 → C1, 2 squares.", "B moves F1 → D1, 2 squares.", "All moves are done: A may act."]
    assert (table.battle.turns.active, table.battle.turns.closing, table.battle.turns.round) == ("a", ("a", "b"), 1)
    assert "only the attack joined to its move is left" in table.refusal(Act("a", "wait"))
    assert "only the attack joined" in table.refusal(Attack("a", "b", action="attack"))
    assert "after all moves" in table.refusal(Attack("b", "a", action="lunge")), "its part is yet to come"
    table.do(Attack("a", "b"), (30,), (2,))
    assert table.attacked().action == "lunge", "what fits the part is meant without a word"
    assert table.do(EndTurn()) == ["All moves are done: B may act."]
    table.do(Attack("b", "a"), (99,))
    lines = table.do(EndTurn())
    assert lines[:2] == ["Round 2.", "A's turn."] and not table.battle.turns.closing


def test_who_cannot_attack_after_its_move_has_no_part_in_it() -> None:
    table = duel("a....b")
    table.arm("a", "fist")
    assert "Round 2." in march(table, a="C1"), "nobody is in reach"
    table = duel("a....b")
    table.arm("a", "fist").arm("b", "fist")
    table.walk("a", "D1", action="march")
    table.do(EndTurn())
    table.walk("b", "E1", action="march")
    assert table.do(EndTurn())[-1] == "All moves are done: A may act."
    table.do(SetPool("b", "hp", 0))
    assert "Round 2." in table.do(EndTurn()), "who is out meanwhile makes none"


def test_events_are_read_as_written_and_everything_is_taken_back(tmp_path: Path) -> None:
    for event in (
        ev.PathDeclared("a", "march", "March", (parse_square("A1"), parse_square("B1")), Fraction(1)),
        ev.PathEnded("a", "B is there"),
        ev.ClosingBegan(("a", "b")),
    ):
        ((kind, body),) = event_rows([event])
        assert read_event(kind, body) == event
    text = 'format = 1\nname = "Yard"\n[scale]\nsquare = 5\nunit = "feet"\n[map]\nsquares = """\n......\n"""\n'
    for unit, at in (("a", "A1"), ("b", "F1")):
        text += f'[[unit]]\nid = "{unit}"\nrole = "gunman"\nside = "{unit}"\nat = "{at}"\n'
    session = begin_battle(Scenario(parse_map(text, "y.toml"), "y.toml", RULES), "seed", tmp_path)
    first = session.battle.turns.active
    ways = {"a": ("A1", "B1", "C1"), "b": ("F1", "E1", "D1")}
    states = [session.battle.encode()]

    def do(command: Move | EndTurn) -> None:
        session.submit(command)
        states.append(session.battle.encode())

    for unit in (first, "b" if first == "a" else "a"):
        do(Move(unit, tuple(parse_square(name) for name in ways[unit]), "march"))
        do(EndTurn())
    assert session.battle.units["a"].at.name == "C1" and session.battle.turns.round == 2
    path = session.journal.path
    session.close()
    session = open_battle(path)
    for state in states[::-1][1:]:
        session.undo()
        assert session.battle.encode() == state
    session.close()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('resolves = "round end"', 'resolves = "turn end"', "'turn end' is not known"),
        (
            "after_moves = true\n",
            'after_moves = true\nresolves = "round end"\n',
            "is only for actions of the kind 'move'",
        ),
        ('resolves = "round end"', "after_moves = true", "is only for actions of the kind 'attack'"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, message: str) -> None:
    whole = texts()
    with pytest.raises(Unreadable, match=message):
        parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + MARCH.replace(old, new, 1)}, "small")


def test_who_is_on_its_way_is_marked() -> None:
    table = duel()
    table.walk("a", "C1", action="march")
    view = project(table.battle, table.rules).unit("a")
    assert StateShown(WAY_MARK, "moves to C1 at the end of the round") in view.conditions
