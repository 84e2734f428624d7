"""Policies: what is never taken, asked for, or taken by itself, by kind, by side and by unit."""

from __future__ import annotations

import pytest

from engine.answers import Needs, typed_dice
from engine.battle import command as cmd
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.command import Attack, Move
from engine.battle.commands.decide import decide
from engine.battle.commands.roster_commands import RemoveUnit
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_edits import SetPool
from engine.battle.events import AttackRolled, DefenceTaken, OpeningGiven, PolicyEnded, PolicySet, ReactionTaken
from engine.battle.narration import narrate, summarise
from engine.battle.narration.question_text import option_words
from engine.battle.policies import policy_kinds
from engine.battle.state.battle import Battle
from engine.battle.state.codec import from_json, to_json
from engine.battle.state.gm_overrides import ASK, AUTO, OFF, Policy
from engine.errors import Illegal
from engine.journal.history import History, event_rows, replay
from engine.values import replace
from tests.rules.table import Table, defence_asked, defends, fight
from tests.rules.test_defences import MORE

OCC = "occult-ops"
KIND = "disengaging"


def said(table: Table, how: str, kind: str = "", unit: str = "", side: str = "") -> Table:
    table.do(SetPolicy(how, kind, unit, side))
    return table


def melee() -> Table:
    return fight(OCC, "ba.....", a="gunman", b="brawler")


def gun_fight() -> Table:
    """A shoots at B, who may dodge for a reaction, and whom C may step in for."""
    return fight(OCC, "a...b", "....c", a="gunman", b="gunman", c="brawler", more_rules=MORE)


def asked(table: Table, wish: cmd.Command, *dice: tuple[int, ...]) -> DefenceAsk:
    with pytest.raises(Needs) as need:
        decide(table.battle, wish, table.rules, typed_dice(dice), asks=True)
    return defence_asked(need.value)


# --- which one holds ------------------------------------------------------------------------------------------------


def test_a_unit_counts_before_its_side_and_a_kind_before_all_kinds() -> None:
    table = melee()
    unit = table.unit("b")
    steps = [
        (Policy(OFF), OFF),
        (Policy(AUTO, KIND), AUTO),
        (Policy(OFF, "", "", "outlaws"), OFF),
        (Policy(AUTO, KIND, "", "outlaws"), AUTO),
        (Policy(OFF, "", "b"), OFF),
        (Policy(ASK, KIND, "b"), ASK),
    ]
    assert table.battle.gm.policy(unit, KIND) == ASK
    for policy, holds in steps:
        said(table, policy.how, policy.kind, policy.unit, policy.side)
        assert table.battle.gm.policy(unit, KIND) == holds
        assert policy in table.battle.gm.policies
    said(table, "", KIND, "b")
    assert table.battle.gm.policy(unit, KIND) == OFF


def test_what_cannot_be_said_is_refused_with_a_sentence() -> None:
    table = melee()
    assert "Did you mean 'disengaging'" in table.refusal(SetPolicy(OFF, "disengagin"))
    assert "No unit" in table.refusal(SetPolicy(OFF, KIND, "z"))
    assert "No side" in table.refusal(SetPolicy(OFF, KIND, side="nobody"))
    assert "No policy" in table.refusal(SetPolicy("perhaps", KIND))
    assert "not both" in table.refusal(SetPolicy(OFF, KIND, "b", "outlaws"))
    assert "no such policy to clear" in table.refusal(SetPolicy("", KIND))
    said(table, OFF, KIND, "b")
    assert table.refusal(SetPolicy(OFF, KIND, "b")) == "Already set: interrupt attack for B: never."
    table.rules = replace(
        table.rules, turns=replace(table.rules.turns, reactions=()), attack=replace(table.rules.attack, defences=())
    )
    assert "no reactions and no defences" in table.refusal(SetPolicy(OFF))


# --- reactions ------------------------------------------------------------------------------------------------------


def test_a_reaction_that_is_never_taken_stops_no_move() -> None:
    table = said(melee(), OFF, KIND)
    table.walk("a", "E1")
    assert (table.unit("a").at.name, table.battle.openings) == ("E1", ())
    table = said(melee(), OFF, "", "b")
    table.walk("a", "E1")
    assert table.unit("a").at.name == "E1"


def test_a_reaction_by_itself_is_made_at_once_and_the_move_continues() -> None:
    table = said(melee(), AUTO, KIND)
    lines = table.walk("a", "E1")
    assert lines[1] == "B attacks A automatically: interrupt attack, as A leaves its reach at B1."
    assert lines[2].startswith("B → A")
    assert table.unit("a").at.name == "E1" or table.unit("a").is_defeated
    assert table.attacked().roll.is_typed is False
    assert table.battle.openings == () and table.battle.dice.drawn > 0


def test_each_reaction_on_the_way_comes_in_its_place() -> None:
    table = fight(OCC, ".....", "b...c", ".....", "a....", a="gunman", b="brawler", c="brawler")
    table.do(SetPool("a", "hp", 500))
    said(table, AUTO)
    table.walk("a", "A3", "D3", "D4")
    assert table.unit("a").at.name == "D4"
    assert [attack.unit for attack in table.happened(AttackRolled)] == ["b", "c"]


def test_one_that_is_asked_for_stops_the_move_after_those_by_themselves() -> None:
    table = fight(OCC, ".....", "b...c", ".....", "a....", a="gunman", b="brawler", c="brawler")
    table.do(SetPool("a", "hp", 500))
    said(table, AUTO, "", "b")
    table.walk("a", "A3", "D3", "D4")
    assert (table.unit("a").at.name, [held.unit for held in table.battle.openings]) == ("D3", ["c"])


def test_who_falls_goes_no_further() -> None:
    table = melee()
    table.do(SetPool("a", "hp", 1))
    said(table, AUTO, KIND)
    for number in range(40):
        table.battle = replace(table.battle, dice=replace(table.battle.dice, seed=f"dice {number}"))
        before = table.battle
        table.walk("a", "E1")
        if table.unit("a").is_defeated:
            assert table.unit("a").at.name == "B1"
            break
        table.battle = before
    else:
        raise AssertionError("B never hits")


def test_an_attack_that_draws_one_is_made_after_it_with_the_dice_typed_for_it() -> None:
    table = fight(OCC, "ba...c", a="gunman", b="brawler", c="gunman")
    table.do(SetPool("a", "hp", 500))
    said(table, AUTO)
    table.do(Attack("a", "c"), (99,))
    first, second = table.happened(AttackRolled)
    assert (first.unit, first.roll.is_typed) == ("b", False)
    assert (second.unit, second.roll.total) == ("a", 99)
    told = summarise(table.events, table.battle, table.rules)
    assert told.index("B attacks A automatically") < told.index("B → A") < told.index("A → C")


def test_a_policy_that_says_never_ends_what_is_open() -> None:
    table = melee()
    table.walk("a", "E1")
    assert table.battle.openings
    said(table, OFF, "", "b")
    assert table.battle.openings == ()


# --- defences -------------------------------------------------------------------------------------------------------


def test_a_defence_that_is_never_taken_is_not_asked_for() -> None:
    table = gun_fight()
    shot, dice = Attack("a", "b"), ((5,),)
    assert {answer.kind for answer in asked(table, shot, *dice).options} == {"dodge-it", "cover-up", "step-in"}
    said(said(table, OFF, "dodge-it"), OFF, "cover-up")
    assert {answer.kind for answer in asked(table, shot, *dice).options} == {"step-in"}
    said(table, OFF, "step-in", side="outlaws")
    assert any(
        isinstance(event, AttackRolled)
        for event in decide(table.battle, shot, table.rules, typed_dice(dice), asks_dice=False)
    )
    events = decide(table.battle, shot, table.rules, typed_dice(dice), asks=True)
    assert not any(isinstance(event, DefenceTaken) for event in events)
    said(table, ASK, "dodge-it", "b")
    assert {answer.kind for answer in asked(table, shot, *dice).options} == {"dodge-it"}


def test_a_defence_by_itself_is_taken_and_reported() -> None:
    table = said(gun_fight(), AUTO, "dodge-it", "b")
    lines = table.do(Attack("a", "b"), (5,), (80,))
    (taken,) = table.happened(DefenceTaken)
    assert (taken.defence, taken.is_by_itself, taken.unit) == ("dodge-it", True, "b")
    assert "B: Dodge, automatic, 1 reaction." in lines
    assert table.unit("b").turn.budget["reaction"] == 0
    again = decide(table.battle, Attack("a", "b", is_free=True), table.rules, typed_dice([(5,)]))
    assert not [event for event in again if isinstance(event, DefenceTaken)]  # nothing is left to pay with


def test_of_several_the_likeliest_to_stop_it_is_taken_then_the_cheapest() -> None:
    table = said(gun_fight(), AUTO)
    table.do(Attack("a", "b"), (5,))
    (taken,) = table.happened(DefenceTaken)
    need = asked(said(gun_fight(), ASK), Attack("a", "b"), (5,))
    chances = {answer.kind: option_words(answer, table.rules)[1] for answer in need.options}
    assert chances == {"dodge-it": "1 reaction", "cover-up": "1 reaction", "step-in": "free, stops it 100 %"}
    assert taken.defence == "step-in"
    table = said(said(gun_fight(), AUTO), OFF, "step-in")
    table.do(Attack("a", "b"), (5,))
    assert [taken.defence for taken in table.happened(DefenceTaken)] == ["dodge-it"]  # alike: the ruleset's first


def test_what_the_game_master_says_counts_before_any_policy() -> None:
    table = said(gun_fight(), AUTO)
    table.do(Attack("a", "b"), defends("b", ""), (5,))
    assert not table.happened(DefenceTaken)
    table = said(gun_fight(), OFF)
    table.do(Attack("a", "b"), defends("b", "dodge-it"), (5,), (30,))
    (taken,) = table.happened(DefenceTaken)
    assert not taken.is_by_itself


@pytest.mark.long
def test_a_defence_against_an_attack_by_itself_is_asked_for_and_kept_with_the_move() -> None:
    table = fight(OCC, "ba.....", a="gunman", b="brawler", more_rules=MORE.replace("ranged and ", ""))
    table.do(SetPool("a", "hp", 500))
    said(table, AUTO, KIND)
    way = Move("a", table.way("a", "E1"))
    need = asked(table, way)
    assert (need.options[0].unit, need.drawn) == ("a", "disengaging b a")
    taken = need.options[0].kind
    assert need.answer(taken).q == "defence of a against disengaging b a"
    events = decide(table.battle, way, table.rules, (need.answer(taken),), asks=True)
    assert [(event.unit, event.defence) for event in events if isinstance(event, DefenceTaken)] == [("a", taken)]
    none = decide(table.battle, way, table.rules, (need.answer("none"),), asks=True)
    assert not any(isinstance(event, DefenceTaken) for event in none)


SHOWN_UP = """
[[trigger]]
id = "shown-up"
label = "shown up"
at = "own turn end"
source = "ours"
[[trigger.effect]]
id = "exposed"
label = "exposed"
provoke = true
source = "ours"
"""


def test_a_defence_against_an_attack_that_the_end_of_a_turn_draws_is_asked_for_too() -> None:
    rules = MORE.replace("ranged and ", "") + SHOWN_UP
    table = said(fight(OCC, "ba.....", a="gunman", b="brawler", more_rules=rules), AUTO, unit="b")
    need = asked(table.turn_of("a"), cmd.EndTurn())
    assert need.options[0].unit == "a"
    events = decide(table.battle, cmd.EndTurn(), table.rules, (need.answer(need.options[0].kind),), asks=True)
    assert [event.unit for event in events if isinstance(event, DefenceTaken)] == ["a"]


def test_all_of_one_label_are_one_kind() -> None:
    table = fight("eva", "a...b", a="gunman", b="rifleman")
    alike = [each.id for each in table.rules.turns.reactions if each.label == "overwatch"]
    assert len(alike) > 1 and [kind for kind in policy_kinds(table.rules) if kind in alike] == alike[:1]
    lines = table.do(SetPolicy(OFF, alike[1], "b"))
    assert lines == ["GM: overwatch for B: never."]
    assert {table.battle.gm.policy(table.unit("b"), kind) for kind in alike} == {OFF}
    table.do(SetPolicy("", alike[0], "b"))
    assert table.battle.gm.policies == ()


# --- kept -----------------------------------------------------------------------------------------------------------


def test_policies_survive_the_journal_and_undo_and_are_reported() -> None:
    table = melee()
    history = History(table.battle)
    rows = []
    for wish in (SetPolicy(AUTO, KIND), SetPolicy(OFF, "", "b"), SetPolicy("", "", "b")):
        table.do(wish)
        rows.append(event_rows(table.events))
        history = history.take(table.events)
    assert replay(Battle(table.battle.field), ()).battle.gm.policies == ()
    assert replay(history.start, rows).battle.encode() == table.battle.encode()
    assert history.undo().battle.gm.policies[-1] == Policy(OFF, "", "b")
    assert from_json(Battle, to_json(table.battle)).gm.policies == table.battle.gm.policies != ()
    told = [narrate(event, table.battle, table.rules) for event in
            (PolicySet((Policy(AUTO, KIND),), "Interrupt"), PolicySet((Policy(OFF, "", "", "law"),)),
             PolicyEnded((Policy(ASK, KIND, "b"),), "Interrupt"), ReactionTaken("b", "a", "a slip"))]  # fmt: skip
    assert told == [
        "GM: Interrupt: automatic.",
        "GM: every reaction and defence for law: never.",
        "GM: Interrupt for B: ask, cleared.",
        "B attacks A automatically: a slip.",
    ]


def test_an_old_journal_has_no_policies_and_its_defences_were_asked_for() -> None:
    body = {"unit": "b", "against": "a", "defence": "d", "label": "D", "spent": {}, "budget": {}}
    assert from_json(DefenceTaken, body).is_by_itself is False
    assert melee().battle.gm.policies == ()


def test_a_unit_that_is_taken_off_takes_its_policies_with_it() -> None:
    table = said(said(melee(), OFF, KIND, "b"), OFF, KIND)
    table.do(RemoveUnit("b"))
    assert {policy.unit for policy in table.battle.gm.policies} == {""}


def test_without_policies_nothing_is_other_than_it_was() -> None:
    table = melee()
    table.walk("a", "E1")
    assert table.happened(OpeningGiven) and not table.happened(ReactionTaken)
    assert KIND in policy_kinds(table.rules)
    with pytest.raises(Illegal):
        decide(table.battle, SetPolicy(""), table.rules)
