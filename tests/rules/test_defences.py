"""Defences, instants and budgets of rounds, under a shipped ruleset with more rules of a test's own."""

from __future__ import annotations

from functools import cache

import pytest

from engine.answers import Needs, typed_dice
from engine.battle.command import Act, Attack, EndTurn
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.unit_edits import SetPool
from engine.battle.events import (
    ActionTaken,
    AttackRolled,
    AttackTurned,
    DefenceTaken,
    EffectComputed,
    EffectRolled,
    RoundBegan,
)
from engine.battle.narration.question_text import option_words, question_words
from engine.battle.state.battle import Battle
from engine.battle.state.codec import from_json, to_json
from engine.journal.history import History, event_rows, replay
from engine.rules.model import Ruleset
from rulesets import parse_ruleset
from tests.rules.table import Table, defence_asked, defends, fight, given, roll_asked, ruleset

MORE = """
[budget.reaction]
label = "reaction"
start = 1
source = "ours"

[[defence]]
id = "dodge-it"
label = "Dodge"
on = ["hit"]
when = "ranged and defender.posture == 'standing'"
cost = { reaction = 1 }
source = "ours"

[[defence.effect]]
id = "dodge-roll"
label = "Dodge"
roll = "1d100"
as = "dodged_with"
source = "ours"

[[defence.effect]]
id = "dodged"
label = "dodged"
let = "dodged_with <= 40"
as = "dodged"
show = true
source = "ours"

[[defence]]
id = "step-in"
label = "Step in"
by = "ally"
within = 10
on = ["always"]
redirects = true
source = "ours"

[[defence.effect]]
id = "stepped"
label = "stepped in"
let = "defender_weapon.kind == 'melee'"
as = "redirected"
source = "ours"

[[defence.effect]]
id = "kneels"
label = "kneels"
posture = "kneeling"
source = "ours"

[[defence]]
id = "answer"
label = "Strike back"
on = ["always"]
when = "melee"
counter = "attack"
together = true
source = "ours"

[[defence]]
id = "riposte"
label = "Riposte"
on = ["always"]
when = "melee"
counter = "attack"
counter_when = "deflected"
source = "ours"

[[defence.effect]]
id = "deflects"
label = "Deflects"
roll = "1d6"
as = "deflection"
source = "ours"

[[defence.effect]]
id = "deflected"
label = "deflected"
let = "deflection >= 4"
as = "deflected"
source = "ours"

[[defence]]
id = "cover-up"
label = "Cover up"
on = ["always"]
cost = { reaction = 1 }
source = "ours"

[[defence.effect]]
id = "covers-up"
label = "covers up"
condition = "dodging"
source = "ours"

[action.snap]
label = "Snap shot"
kind = "attack"
weapons = ["ranged"]
ammo = 1
instant = true
cost = { quick = 1 }
source = "ours"

[action.duck]
label = "Duck"
kind = "other"
instant = true
cost = { quick = 1 }
source = "ours"

[[action.duck.effect]]
id = "ducks"
label = "ducks"
posture = "prone"
source = "ours"

[budget.quick]
label = "quick act"
start = 1
refills = "round start"
source = "ours"
"""

EVADED = """[[grade]]
id = "evaded"
label = "Evaded"
when = "dodged or deflected"
hit = false
source = "ours"

"""


@cache
def ours() -> Ruleset:
    texts = dict(ruleset("occult-ops").texts)
    text = texts["ruleset.toml"]
    place = text.index("[[grade]]")
    texts["ruleset.toml"] = text[:place] + EVADED + text[place:] + MORE
    return parse_ruleset(texts, "ours")


def table(*rows: str, allies: str = "", **roles: str) -> Table:
    found = fight("occult-ops", *rows, allies=allies, is_begun=False, **roles)
    found.rules = ours()
    found.do(RollInitiative(), (20,), *[(place,) for place in range(len(roles) - 1, 0, -1)])
    assert found.battle.turns.active == next(iter(roles))
    return found


def grades(found: Table) -> list[str]:
    return [event.grade for event in found.happened(AttackTurned)]


def test_a_defence_is_paid_for_and_the_roll_is_graded_again() -> None:
    found = table("a...b", a="gunman", b="gunman")
    before = found.unit("b").pools
    said = found.do(Attack("a", "b"), defends("b", "dodge-it"), (40,), (17,))
    assert said[-4:] == [
        "B: Dodge, 1 reaction.",
        "Dodge: 1d100 = 17, typed.",
        "dodged: 1.",
        "The attack on B fails: Evaded, Dodge.",
    ]
    assert found.unit("b").pools == before
    assert found.unit("b").turn.budget["reaction"] == 0
    (taken,) = found.happened(DefenceTaken)
    assert (taken.unit, taken.against, dict(taken.spent)) == ("b", "a", {"reaction": 1})


def test_one_that_fails_leaves_the_attack_as_it_was() -> None:
    found = table("a...b", a="gunman", b="gunman")
    before = found.unit("b").pools
    found.do(Attack("a", "b"), defends("b", "dodge-it"), (40,), (41,))
    assert grades(found) == []
    assert found.unit("b").pools != before


def test_nobody_is_asked_unless_asking_is_on() -> None:
    found = table("a...b", a="gunman", b="gunman")
    found.do(Attack("a", "b"), (40,))
    assert found.happened(DefenceTaken) == []
    for no in ("", "none"):
        found = table("a...b", a="gunman", b="gunman")
        found.do(Attack("a", "b"), defends("b", no), (40,))
        assert found.happened(DefenceTaken) == []


def test_the_question_gives_the_roll_and_each_answer_its_price_and_chance() -> None:
    found = table("a...b", a="gunman", b="gunman")
    with pytest.raises(Needs) as asked:
        decide(found.battle, Attack("a", "b"), found.rules, typed_dice(((40,),)), asks_dice=True)
    assert question_words(defence_asked(asked.value), found.rules).startswith("A → B: rolled 40 (typed) vs")
    told = [(answer.id, *option_words(answer, found.rules)) for answer in defence_asked(asked.value).options]
    assert told[0] == ("dodge-it", "B: Dodge", "1 reaction, stops it 40 %")
    assert told[1:] == [("cover-up", "B: Cover up", "1 reaction")]


def test_the_seed_may_roll_while_answers_are_asked() -> None:
    found = table("a...b", a="gunman", b="gunman")
    with pytest.raises(Needs) as asked:
        decide(found.battle, Attack("a", "b"), found.rules, asks=True)
    rolled = decide(found.battle, Attack("a", "b"), found.rules, given(defends("b", "none")))
    (attack,) = [event for event in rolled if isinstance(event, AttackRolled)]
    assert f"A → B: rolled {attack.roll.total} " in question_words(defence_asked(asked.value), found.rules)


def test_typed_dice_are_asked_for_one_after_the_other() -> None:
    found = table("a...b", a="gunman", b="gunman")
    with pytest.raises(Needs) as attack:
        decide(found.battle, Attack("a", "b"), found.rules, asks_dice=True)
    assert roll_asked(attack.value).purpose == "A attacks B"
    with pytest.raises(Needs) as dodge:
        decide(found.battle, Attack("a", "b"), found.rules, given((40,), defends("b", "dodge-it")), asks_dice=True)
    assert roll_asked(dodge.value).purpose == "Dodge of B"


def test_who_cannot_pay_or_does_not_fit_is_not_asked() -> None:
    found = table("a...b", a="gunman", b="gunman")
    found.do(Attack("a", "b", is_free=True), defends("b", "dodge-it"), (40,), (99,))
    with pytest.raises(Needs):  # nobody can defend, so the next roll is the damage's
        decide(found.battle, Attack("a", "b"), found.rules, typed_dice(((40,),)), asks_dice=True)
    assert "is not possible" in found.refusal(Attack("a", "b"), defends("b", "dodge-it"), (40,))
    fresh = table("a...b", a="gunman", b="gunman")
    fresh.do(Attack("a", "b"), defends("b", "dodge-it"), (95,), (20,))  # a miss needs no dodge
    assert fresh.happened(DefenceTaken) == []
    assert "Did you mean" in fresh.refusal(Attack("a", "b", is_free=True), defends("b", "dodge"), (40,))


def test_a_defence_that_changes_the_target_changes_its_number() -> None:
    found = table("a...b", a="gunman", b="gunman")
    before = found.shot().ledger.target_number
    found.do(Attack("a", "b"), defends("b", "cover-up"), (int(before) - 1,))
    assert grades(found) == ["miss-plain"]
    assert "dodging" in found.unit("b").conditions


def test_an_ally_takes_the_attack_upon_itself() -> None:
    found = table("a...b", "....c", "....d", a="gunman", b="gunman", c="brawler", d="gunman")
    before, other_pools = found.unit("b").pools, found.unit("c").pools.values()
    with pytest.raises(Needs) as asked:
        decide(found.battle, Attack("a", "b"), found.rules, typed_dice(((20,),)), asks_dice=True)
    assert [answer.id for answer in defence_asked(asked.value).options if answer.id.startswith("step-in")] == [
        "step-in:c",
        "step-in:d",
    ]
    found.do(Attack("a", "b"), defends("b", "step-in:c"), (20,))
    assert [event.target for event in found.happened(AttackTurned)] == ["c"]
    assert found.unit("b").pools == before
    assert found.unit("c").posture == "kneeling"
    assert sum(found.unit("c").pools.values()) < sum(other_pools)
    other = table("a...b", "....c", "....d", a="gunman", b="gunman", c="brawler", d="gunman")
    other.do(Attack("a", "b"), defends("b", "step-in:d"), (20,))
    assert other.happened(AttackTurned) == []
    assert other.unit("b").pools != before


def test_both_are_rolled_before_anything_comes_of_either() -> None:
    found = table("ab", a="brawler", b="brawler")
    found.do(Attack("a", "b"), defends("b", "answer"), (20,), (20,))
    rolls = [type(event).__name__ for event in found.events if isinstance(event, (AttackRolled, EffectRolled))]
    assert rolls[:2] == ["AttackRolled", "AttackRolled"]
    assert [event.unit for event in found.happened(AttackRolled)] == ["a", "b"]
    assert found.unit("b").turn.budget["attack"] == 1
    dying = table("ab", a="brawler", b="brawler")
    dying.do(SetPool("b", "armour", 0)), dying.do(SetPool("b", "hp", 1))
    whole = dying.unit("a").pools
    dying.do(Attack("a", "b"), defends("b", "answer"), (20,), (20,))
    assert dying.unit("b").is_defeated
    assert dying.unit("a").pools != whole


def test_an_answer_may_hang_on_what_the_defence_resulted_in() -> None:
    found = table("ab", a="brawler", b="brawler")
    found.do(Attack("a", "b"), defends("b", "riposte"), (20,), (3,))
    assert [event.unit for event in found.happened(AttackRolled)] == ["a"]
    found = table("ab", a="brawler", b="brawler")
    found.do(Attack("a", "b"), defends("b", "riposte"), (20,), (4,), (20,))
    assert [event.unit for event in found.happened(AttackRolled)] == ["a", "b"]
    assert grades(found) == ["evaded"]


def test_who_has_not_had_a_turn_may_react_and_a_turn_refills() -> None:
    found = table("a...b", a="gunman", b="gunman")
    assert found.unit("b").turn.budget["reaction"] == 1
    found.do(Attack("a", "b"), defends("b", "dodge-it"), (40,), (17,))
    assert found.unit("b").turn.budget["reaction"] == 0
    found.do(EndTurn())
    assert found.unit("b").turn.budget["reaction"] == 1


# --- instants and budgets of rounds -----------------------------------------------------------------------------------


def test_an_instant_spends_what_the_coming_turn_would_have() -> None:
    found = table("a...b", a="gunman", b="gunman")
    assert "turn" in found.refusal(Attack("b", "a"), (99,), (20,))
    found.do(Attack("b", "a", action="snap"), (85,))
    assert found.unit("b").turn.budget["quick"] == 0
    assert [dict(paid.spent) for paid in found.happened(ActionTaken)] == [{"quick": 1}]
    assert "it costs 1 quick act, none left" in found.refusal(Act("b", "duck"))
    found.do(EndTurn())
    assert (found.battle.turns.active, found.unit("b").turn.budget["quick"], found.unit("b").turn.budget["attack"]) == (
        "b",
        0,
        1,
    )
    found.do(EndTurn())
    assert found.happened(RoundBegan)
    assert found.unit("b").turn.budget["quick"] == 1


def test_an_instant_spends_what_a_turn_has_left() -> None:
    found = table("a...b", a="gunman", b="gunman")
    found.do(EndTurn())
    assert found.do(Act("a", "duck"))[-1] == "A is prone."
    assert found.unit("a").turn.budget["quick"] == 0
    found.do(EndTurn())
    assert (found.battle.turns.active, found.unit("a").turn.budget["quick"]) == ("a", 1)


def test_the_fallen_take_no_instants() -> None:
    found = table("a...b", a="gunman", b="gunman")
    found.do(SetPool("b", "hp", 0))
    assert "out of the fight" in found.refusal(Act("b", "duck"))


# --- kept -----------------------------------------------------------------------------------------------------------


def test_defences_survive_the_journal() -> None:
    found = table("a...b", a="gunman", b="gunman")
    start = History(found.battle)
    found.do(Attack("a", "b"), defends("b", "dodge-it"), (40,), (17,))
    assert replay(start.battle, [event_rows(found.events)]).battle.encode() == found.battle.encode()
    assert from_json(RoundBegan, {"round": 2}) == RoundBegan(2)
    began = RoundBegan(2, {"b": {"quick": 1}})
    assert from_json(RoundBegan, to_json(began)) == began
    assert from_json(Battle, to_json(found.battle)).units["b"].turn.budget["reaction"] == 0


# --- mistakes -------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('counter = "attack"\ntogether', 'counter = "dodge"\ntogether', "counter = 'dodge' is not known"),
        ('counter = "attack"\ntogether', "together", "together needs counter"),
        ('by = "ally"\nwithin = 10', "within = 10", "only for by = 'ally'"),
        ('as = "redirected"', 'as = "rerouted"', "redirects needs an effect that sets 'redirected'"),
        ('let = "dodged_with <= 40"', "let = \"'well'\"", "can only set a number or yes/no; this is a word"),
        ('as = "dodged"\n', 'as = "distance"\n', "is already a fact"),
        ("defender.posture", "defendr.posture", "did you mean 'defender.posture'"),
        ("{ reaction = 1 }", "{ reacton = 1 }", "no budget is called 'reacton'"),
        ('id = "dodge-it"', 'id = "none"', "means no defence"),
        ('on = ["hit"]\nwhen = "ranged', 'on = ["hitt"]\nwhen = "ranged', "no grade is called 'hitt'"),
        ('refills = "round start"', 'refills = "round"', "refills = 'round' is not known"),
        ("dodged_with <= 40", "dodge_with <= 40", "did you mean 'dodged_with'"),
    ],
)
def test_mistakes_are_reported(old: str, new: str, message: str) -> None:
    texts = dict(ours().texts)
    assert old in texts["ruleset.toml"]
    texts["ruleset.toml"] = texts["ruleset.toml"].replace(old, new, 1)
    with pytest.raises(Exception, match=message.replace("(", r"\(")) as caught:
        parse_ruleset(texts, "ours")
    assert "ruleset.toml:" in str(caught.value)


def test_a_defence_may_ask_what_the_ruleset_calls_facts_of_the_roll() -> None:
    fact = '[[fact]]\nid = "tens"\nlabel = "Tens"\nvalue = "roll // 10"\nafter = "roll"\nsource = "ours"\n'
    dodged = MORE.replace('let = "dodged_with <= 40"', 'let = "dodged_with <= 10 * tens"')
    whole = ruleset("occult-ops").texts
    rules = parse_ruleset({**whole, "ruleset.toml": whole["ruleset.toml"] + fact + dodged}, "ours")
    table = fight(rules, "a...b", scale=(5, "feet"), a="gunman", b="gunman")
    table.do(Attack("a", "b"), defends("b", "dodge-it"), (45,), (40,), (5,))
    assert [told.value for told in table.happened(EffectComputed) if told.label == "dodged"] == [1]
