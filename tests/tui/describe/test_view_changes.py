"""What a seat saw happen, made of two of its views and of nothing else."""

from __future__ import annotations

from engine.battle import command as cmd
from engine.battle.commands.unit_edits import Place, SetPool
from engine.battle.narration.unit_states import StateShown
from engine.battle.views.aftermath import HIT, UNHURT, Aftermath, Mark, Shot, aftermath
from engine.battle.views.view import View
from engine.geometry.squares import parse_square
from engine.values import replace
from tests.rules.table import Table, fight
from tests.seats import follow
from tui.application.describe.view_changes import attack_sentences, view_changes


def seen(table: Table) -> View:
    return follow([table.battle], table.rules, table.battle.units["a"].side)[0]


def changes(before: View, after: View) -> list[str]:
    return [told.sentence for told in view_changes(before, after)]


def test_moves_numbers_and_who_comes_into_sight_are_reported() -> None:
    table = fight("occult-ops", "a...#.b", a="gunman", b="gunman")
    before = seen(table)
    assert [unit.id for unit in before.units] == ["a"]
    table.do(Place("b", parse_square("C1")))
    table.do(SetPool("a", "hp", 3))
    told = changes(before, seen(table))
    name = table.battle.units["b"].name
    assert f"{name} is in sight at C1." in told
    assert any("hit points 20 → 3" in sentence for sentence in told)
    back = changes(seen(table), before)
    assert f"{name} is out of sight." in back


def test_rounds_and_turns_stand_last_and_numbers_of_others_are_not_reported() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    before = seen(table)
    table.do(SetPool("b", "hp", 3))
    assert not [sentence for sentence in changes(before, seen(table)) if "3" in sentence]
    active, number = table.battle.turns.active, table.battle.turns.round
    while table.battle.turns.round == number:
        table.do(cmd.EndTurn())
    told = changes(before, seen(table))
    assert f"Round {number + 1}." in told
    assert active or told


def test_an_attack_whose_ends_are_seen_is_reported() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    a, b = (table.battle.units[one] for one in "ab")
    done = Aftermath(shots=(Shot("a", "b", (a.at, b.at), is_hit=False), Shot("b", "a", (b.at, a.at), is_hit=True)))
    told = list(attack_sentences(done, seen(table)))
    assert told == [f"{a.name} attacks {b.name}: miss.", f"{b.name} attacks {a.name}: hit."]


def test_a_blast_is_reported_and_of_others_what_the_board_shows() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    a, b = (table.battle.units[one] for one in "ab")
    marks = Mark("a", a.at, 1, HIT, 4), Mark("b", b.at, 1, HIT, 7), Mark("b", b.at, 1, UNHURT)
    done = Aftermath(marks=marks, thrower="a", landed=b.at, rings=((b.at,),))
    told = list(attack_sentences(done, seen(table)))
    losses = [f"{b.name} loses 7.", f"{b.name} is unharmed."]
    assert told == [f"{a.name}'s blast goes off on D1.", *losses], "its own losses stand in their numbers"
    assert next(attack_sentences(replace(done, thrower="", rings=()), seen(table))) == "A throw comes down on D1."


def test_a_condition_that_ends_is_told_as_one_that_begins() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    before = seen(table)
    table.condition("a", "blinded")
    held, name = seen(table), table.battle.units["a"].name
    assert changes(before, held) == [f"{name}: blinded."]
    assert changes(held, before) == [f"{name}: no longer “blinded”."]


def test_a_condition_that_is_no_adjective_reads_well() -> None:
    table = fight("aog", "a..b", a="gunman", b="gunman")
    before, name = seen(table), table.battle.units["a"].name
    table.do(cmd.Act("a", "overwatch", attack="overwatch-semi"))
    held = seen(table)
    assert f"{name}: overwatch, facing E." in changes(before, held)
    assert [one for one in changes(held, before) if "no longer" in one] == [f"{name}: no longer “on overwatch”."]


def test_an_own_shot_from_overwatch_is_told_and_not_what_the_overwatch_was_set_to() -> None:
    """Of the stance it is told that it ends; of a shot at somebody who is out of sight again the result alone."""
    table = fight("aog", "a.....", "..##..", "....b.", a="gunman", b="gunman")
    before = seen(table)
    table.do(cmd.Act("a", "overwatch", attack="overwatch-shot"))
    watching = seen(table)
    told = changes(before, watching)
    assert {"A: on overwatch.", "A: set to attack, Single shot from overwatch."} <= {*told}
    assert StateShown("", "set to attack", "Single shot from overwatch") in watching.units[0].conditions
    table.turn_of("b").walk("b", "E2", "E1")
    before_shot = table.battle
    table.do(cmd.Attack("a", "b", action="overwatch-shot"), (90,))
    name, after = table.battle.units["a"].name, seen(table)
    done = aftermath(before_shot, table.events, table.rules)
    bo = table.battle.units["b"].name
    assert [*attack_sentences(done.seen_by({"a"}, {"a", "b"}, ()), after)] == [
        f"{name} fires from overwatch at {bo}: miss."
    ]
    assert [*attack_sentences(done.seen_by({"a"}, {"a"}, ()), after)] == [f"{name} fires from overwatch: miss."]
    assert not done.seen_by({"b"}, {"b"}, ()).shots  # whoever shoots at one's own from out of sight is not told of
    ended = [one for one in changes(watching, after) if "no longer" in one]
    assert ended == [f"{name}: no longer “on overwatch”."]
