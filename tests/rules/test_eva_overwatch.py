"""EVA-21: the kill zone of an overwatch, its conditions, and how they go off on the board."""

from __future__ import annotations

import pytest

from engine.battle import events as ev
from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_edits import SetCondition
from engine.battle.narration.preview_text import outside_words
from engine.battle.narration.unit_states import states
from engine.battle.state.codec import from_json, to_json
from engine.errors import Unreadable
from engine.geometry.battlefield import OffMap
from engine.geometry.squares import Direction, parse_square
from engine.journal.history import event_rows, replay
from engine.values import replace
from tests.rules.table import Table, defends, fight, with_more

EVA = "eva"
TOUGH = {"b": {"wound_points": 90}, "c": {"wound_points": 90}}


def at(table: Table, unit: str, action: str, square: str) -> list[str]:
    return table.do(Act(unit, action, square=parse_square(square)))


def openings(table: Table) -> list[tuple[str, str]]:
    return [(held.unit, held.against) for held in table.battle.openings]


def watching(act: str, zone: str = "", square: str = "", on: str = "", rows: tuple[str, ...] = ()) -> Table:
    """A watches from the west, B and C are against it; B's turn."""
    drawn = rows or ("......b", "a......", "......c")
    roles = {letter: "rifleman" for letter in "abc" if any(letter in row for row in drawn)}
    table = fight(EVA, *drawn, stats={one: TOUGH[one] for one in TOUGH if one in roles}, **roles)
    if zone:
        at(table, "a", zone, square)
    table.do(Act("a", act, on, attack="standard"))
    table.do(EndTurn())
    return table


def with_ally(act: str, on: str = "") -> Table:
    """A watches, D beside it is its ally, B is against both."""
    rows, roles = ("a......b", "d......."), {"a": "rifleman", "b": "rifleman", "d": "rifleman"}
    table = fight(EVA, *rows, allies="d", stats={"b": TOUGH["b"]}, **roles)
    table.do(Act("a", act, on, attack="standard"))
    return table


def test_eva_21_the_kill_zone_may_be_an_arc_towards_a_square() -> None:
    """EVA-21: it is declared anywhere around the unit, not only where it faces."""
    table = watching("overwatch", "kill-zone-arc", "A1", rows=("......b", "a......"))
    assert table.unit("a").about["zone_arc"] == "A1"
    assert not any("overwatch" in line for line in table.walk("b", "F1", action="half-move"))
    ahead = watching("overwatch", "kill-zone-arc", "B1", rows=("......b", "a......"))
    assert any("overwatch" in line for line in ahead.walk("b", "F1", action="half-move"))
    assert openings(ahead) == [("a", "b")]


def test_eva_21_the_kill_zone_may_be_an_area_around_a_square() -> None:
    """EVA-21: whoever moves within five squares of it draws the attack, whoever stays farther off does not."""
    rows = ("a...........b", ".............")
    table = watching("overwatch", "kill-zone-area", "G1", rows=rows)
    said = table.do(Move("b", table.way("b", "I1"), "full-move"), (1,), (99,))
    assert any("overwatch" in line for line in said)
    assert table.unit("b").at.name == "L1"
    far = watching("overwatch", "kill-zone-area", "C1", rows=rows)
    assert not any("overwatch" in line for line in far.walk("b", "K1", action="half-move"))


def test_eva_21_overwatch_may_be_turned_to_a_square() -> None:
    """EVA-21: the 90 degrees in front, where the unit turns to as it goes on overwatch."""
    table = fight(EVA, "a......b", a="rifleman", b="rifleman")
    table.do(Act("a", "overwatch", square=parse_square("C1"), attack="standard"))
    assert table.unit("a").facing.name == "E" and "watching" in table.unit("a").conditions


def test_eva_21_another_kill_zone_takes_the_place_of_the_first_and_goes_with_the_overwatch() -> None:
    """EVA-21: one zone at a time, for one overwatch."""
    table = fight(EVA, "a......b", a="rifleman", b="rifleman", stats={"b": {"wound_points": 90}})
    assert "own square" in table.refusal(Act("a", "kill-zone-arc", square=parse_square("A1")))
    with pytest.raises(OffMap):
        at(table, "a", "kill-zone-arc", "A9")
    assert "needs a target square" in table.refusal(Act("a", "kill-zone-arc"))
    assert "takes no square" in table.refusal(Act("a", "stand", square=parse_square("C1")))
    at(table, "a", "kill-zone-arc", "C1")
    assert at(table, "a", "kill-zone-area", "D1")[0] == "A → D1: Kill zone, around a square."
    assert set(table.unit("a").conditions) == {"zone_area"}
    table.do(Act("a", "overwatch", attack="standard"))
    table.turn_of("a")
    assert set(table.unit("a").conditions) == {"zone_area", "watching", "declared"}
    table.walk("a", "B1", action="half-move")
    table.turn_of("a")
    assert set(table.unit("a").conditions) == set()


def test_eva_21_the_condition_may_be_any_action_at_all() -> None:
    """EVA-21: an act waits for the quicker overwatch and goes through afterwards."""
    table = watching("overwatch-all", "kill-zone-area", "G1", rows=("a.....b",))
    said = table.do(Act("b", "aim"), (35,), (36,))
    assert "First comes: the overwatch." in said
    assert openings(table) == [("a", "b")]
    assert table.unit("b").turn.budget["action"] == 2
    table.do(Attack("a", "b"), (90,), (35,))
    table.do(Act("b", "aim"))
    assert (table.unit("b").turn.budget["action"], "aiming" in table.unit("b").conditions) == (1, True)
    assert table.unit("b").turn.drawn_by_attack == ()


def test_eva_21_an_act_that_is_quicker_is_done_first() -> None:
    """EVA-21: the opposed test of Agility decides for acts as for attacks."""
    table = watching("overwatch-all", rows=("a.....b",))
    said = table.do(Act("b", "aim"), (36,), (35,))
    assert "First comes: the action, then the overwatch if it still can." in said
    assert "aiming" in table.unit("b").conditions
    assert openings(table) == [("a", "b")]
    table.do(Attack("a", "b"), (90,), (35,))
    assert openings(table) == []


def test_eva_21_an_overwatch_that_is_passed_over_is_lost_with_the_act() -> None:
    """EVA-21: the GM goes on, the act is done, and nobody may attack for it any more."""
    table = watching("overwatch-all", rows=("a.....b",))
    table.do(Act("b", "aim"), (35,), (36,))
    table.do(Act("b", "aim"))
    assert openings(table) == []
    (taken,) = table.happened(ev.ActionTaken)
    assert taken.resumes
    assert from_json(ev.ActionTaken, to_json(taken)) == taken


def test_eva_21_the_condition_may_be_an_enemy_out_of_reactions() -> None:
    """EVA-21: it goes off when the attack is over against which the last reaction went, or at whatever comes after."""
    table = fight(
        EVA, "a......b", "d.......", a="rifleman", b="rifleman", d="rifleman", allies="d", stats={"b": TOUGH["b"]}
    )
    table.do(Act("a", "overwatch-spent", attack="standard"))
    table.turn_of("d")
    said = table.do(Attack("d", "b"), defends("b", "dodge"), (5,), (90,))
    assert any(line.startswith("A may attack B now") for line in said)
    assert openings(table) == [("a", "b")]
    table.do(Attack("a", "b"), (90,), (90,))
    assert "pinned" in table.unit("b").conditions


def test_eva_21_who_has_a_reaction_left_draws_no_such_overwatch() -> None:
    """EVA-21: an attack that nobody dodges spends none."""
    table = fight(
        EVA, "a......b", "d.......", a="rifleman", b="rifleman", d="rifleman", allies="d", stats={"b": TOUGH["b"]}
    )
    table.do(Act("a", "overwatch-spent", attack="standard"))
    table.turn_of("d")
    table.do(Attack("d", "b"), (95,))
    assert openings(table) == []


def test_eva_21_the_condition_may_be_an_attack_on_one_ally() -> None:
    """EVA-21: attacks on others do not meet it."""
    for target, drawn in (("a", []), ("d", [("a", "b")])):
        table = with_ally("overwatch-ally", "d")
        while table.battle.turns.active != "b":
            table.do(EndTurn())
        table.do(Attack("b", target), *(((35,), (36,)) if drawn else ((95,),)))
        assert openings(table) == drawn


def test_eva_21_the_gm_sets_and_ends_a_kill_zone_by_hand_and_it_survives_the_journal() -> None:
    """EVA-21: a condition about a square; without one it is about the unit's own."""
    table = fight(EVA, "a......b", a="rifleman", b="rifleman")
    before = table.battle
    table.do(SetCondition("a", "zone_area", True, about="E1"))
    assert table.unit("a").about["zone_area"] == "E1"
    with pytest.raises(OffMap):
        table.do(SetCondition("a", "zone_arc", True, about="Z9"))
    assert replay(before, [event_rows(table.events)]).battle == table.battle
    table.do(SetCondition("a", "zone_area", False))
    table.do(SetCondition("a", "zone_arc", True))
    assert table.unit("a").about == {"zone_arc": "A1"}


def test_eva_21_the_attack_is_declared_with_the_overwatch() -> None:
    """EVA-21: standard or a burst of so many hits with the gun in hand; which one is said when it is set."""
    table = fight(EVA, "a......b", a="rifleman", b="rifleman", stats={"b": TOUGH["b"]})
    assert table.refusal(Act("a", "overwatch")).endswith("name one after “with”: standard, burst-2, burst-3, burst-4.")
    assert "burst-5" in table.refusal(Act("a", "overwatch", attack="burst-5"))  # the gun has 4 hits
    assert "declares no attack" in table.refusal(Act("a", "aim", attack="standard"))
    said = table.do(Act("a", "overwatch", attack="burst-3"))
    assert "A is set to attack: Burst, 3 hits." in said
    assert table.unit("a").about["declared"] == "burst-3"
    table.do(EndTurn())
    table.walk("b", "G1", action="half-move")
    (opening,) = table.battle.openings
    assert opening.attack == "burst-3"
    assert table.refusal(Attack("a", "b", action="standard"))
    table.do(Attack("a", "b"), (92,), (35,))
    assert table.attacked().action == "burst-3"
    assert set(table.unit("a").conditions) == set()


def test_eva_21_an_overwatch_with_one_way_to_fire_declares_it_by_itself() -> None:
    """EVA-21: where the gun fires single shots alone, nothing is asked."""
    table = fight(EVA, "a......b", a="marksman", b="rifleman")
    table.do(Act("a", "overwatch"))
    assert table.unit("a").about["declared"] == "standard"


def test_eva_21_a_declared_burst_that_the_magazine_no_longer_has_does_not_go_off() -> None:
    """EVA-21: what was declared is made, or nothing is."""
    table = fight(EVA, "a......b", a="rifleman", b="rifleman")
    table.do(Act("a", "overwatch", attack="burst-4"))
    table.load("a", "assault-rifle", 3)
    table.do(EndTurn())
    table.walk("b", "G1", action="half-move")
    assert openings(table) == []


def test_eva_21_the_gm_declares_an_attack_by_hand() -> None:
    """EVA-21: a condition about an attack; without one any attack may be made."""
    table = fight(EVA, "a......b", a="rifleman", b="rifleman")
    table.do(SetCondition("a", "declared", True, about="burst-2"))
    assert table.unit("a").about["declared"] == "burst-2"
    assert "attack" in table.refusal(SetCondition("a", "declared", True, about="wave"))
    free = fight(EVA, "a......b", a="rifleman", b="rifleman").condition("a", "watching")
    free.do(EndTurn())
    free.walk("b", "G1", action="half-move")
    assert [held.attack for held in free.battle.openings] == [""]


@pytest.mark.long
def test_what_is_declared_must_be_an_attack() -> None:
    """A misspelt attack is named with the nearest."""
    more = '[action.lurk]\nlabel = "Lurk"\nkind = "other"\ndeclares = ["standart"]\nsource = "ours"\n'
    with pytest.raises(Unreadable, match="no attack is called 'standart'; did you mean 'standard'"):
        with_more(EVA, more)
    with pytest.raises(Unreadable, match="declares is empty"):
        with_more(EVA, more.replace('"standart"', ""))
    wrong = more.replace('"other"', '"move"\ndistance = 1').replace("standart", "standard")
    with pytest.raises(Unreadable, match="declares is only for actions of the kind 'other'"):
        with_more(EVA, wrong)


# --- pinning, and what ends it --------------------------------------------------------------------------------------


def test_eva_21_an_attack_on_ones_own_turn_while_on_overwatch_pins_nobody() -> None:
    """EVA-21: the attack that the overwatch makes pins; another by the same unit does not."""
    table = fight(EVA, "a......b", a="rifleman", b="rifleman")
    table.do(Act("a", "overwatch", attack="standard"))
    table.turn_of("a")
    table.do(Attack("a", "b", action="standard"), (99,))
    assert [event.label for event in table.happened(ev.EffectRolled)] == []
    assert "watching" not in table.unit("a").conditions


def on_watch_beside(*conditions: str) -> Table:
    """A, on overwatch for attacks, is next to B, who leaves: an attack of opportunity of A with bare hands."""
    table = fight(EVA, "......ba", a="rifleman", b="rifleman", stats={"b": TOUGH["b"]})
    table.do(Act("a", "overwatch-attacks", attack="standard"))
    for condition in conditions:
        table.condition("a", condition)
    table.do(EndTurn())
    assert any("attack of opportunity" in line for line in table.walk("b", "E1", action="half-move"))
    return table


def test_eva_21_an_attack_of_opportunity_while_on_overwatch_pins_nobody() -> None:
    """EVA-21: it is another reaction than the overwatch."""
    table = on_watch_beside()
    table.do(Attack("a", "b", action="standard"), (99,))
    assert table.attacked().weapon == "unarmed"
    assert [event.label for event in table.happened(ev.EffectRolled)] == []


def test_eva_21_an_attack_of_opportunity_is_a_free_action_and_keeps_the_overwatch_but_not_the_aim() -> None:
    """EVA-3, EVA-21, EVA-24: free actions end no overwatch; the aim is for the first attack test."""
    table = on_watch_beside("aiming", "working")
    table.do(Attack("a", "b", action="standard"), (99,))
    assert set(table.unit("a").conditions) == {"watching_attacks", "declared", "working"}
    table = on_watch_beside()
    table.do(SetRuling("free_actions_count", True))
    table.do(Attack("a", "b", action="standard"), (99,))
    assert set(table.unit("a").conditions) == set()


def test_a_move_outside_an_overwatch_names_it_and_says_where_its_zone_lies() -> None:
    rows = ("......b", "a......")

    def words(table: Table, goal: str) -> str:
        action = table.rules.actions["half-move"]
        return outside_words(table.battle, table.rules, table.unit("b"), table.way("b", goal), action)

    assert words(watching("overwatch", rows=rows), "F1") == ""
    backwards = watching("overwatch", rows=rows)
    backwards.battle = backwards.battle.with_unit(replace(backwards.unit("a"), facing=Direction.W))
    assert words(backwards, "F1") == "outside A's overwatch (facing W)"
    arc = watching("overwatch", "kill-zone-arc", "A1", rows=rows)
    assert words(arc, "F1") == "outside A's overwatch (towards A1)"
    area = watching("overwatch", "kill-zone-area", "B1", rows=("a...........b", "." * 13))
    assert words(area, "L1") == "outside A's overwatch (around B1)"
    assert words(watching("overwatch-attacks", rows=rows), "F1") == ""


def test_the_state_of_a_unit_on_overwatch_says_which_way_its_zone_faces() -> None:
    def said(table: Table) -> list[str]:
        found = (held.words for held in states(table.battle, table.rules, table.unit("a")))
        return [label for label in found if label.startswith("overwatch:")]

    assert said(watching("overwatch")) == said(watching("overwatch-attacks")) == ["overwatch: facing E"]
    assert said(watching("overwatch", "kill-zone-arc", "A1")) == ["overwatch: towards A1"]
    assert said(watching("overwatch", "kill-zone-area", "B1")) == ["overwatch: around B1"]
    assert said(with_ally("overwatch-ally", "d")) == []
    assert said(fight(EVA, "a......b", a="rifleman", b="rifleman")) == []
