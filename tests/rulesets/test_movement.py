"""`[movement]` and `[[reaction]]`: what they say, and every mistake with its sentence."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.errors import Unreadable
from engine.rules.model import Ruleset
from rulesets import load_ruleset, parse_ruleset, shipped_rulesets
from tests.rulesets.texts import texts

MOVEMENT = """
[movement]
climb_cost = 2
door_cost = 1
source = "ours"
[movement.mode.crawl]
label = "crawl"
when = "unit.posture == 'prone'"
pace = 2.5
source = "ours"
[movement.mode.swim]
label = "swim"
when = "unit.light == 'dark'"
climb_cost = 0
source = "ours"
ruling = "so"
"""

REACTION = """
[[reaction]]
id = "swipe"
label = "a swipe"
trigger = "leaves reach"
when = "reactor.hp > 1 and not unit.stunned and weapon.loud and action.id == 'walk'"
except_actions = ["walk"]
cost = { main = 1 }
attack = "attack"
source = "ours"
[[reaction.effect]]
id = "spent"
label = "spent"
condition = "stunned"
source = "ours"
"""


def parsed(more: str) -> Ruleset:
    whole = texts()
    return parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + more}, "small")


def test_a_ruleset_that_says_nothing_leaves_walking_as_it_is() -> None:
    assert parsed("").space.modes == ()
    assert parsed("").turns.reactions == ()


def test_modes_differ_from_the_movement_in_what_they_state() -> None:
    crawl, swim, walk = parsed(MOVEMENT).space.modes
    assert [mode.id for mode in (crawl, swim, walk)] == ["crawl", "swim", "walk"]
    assert (walk.pace, walk.climb_cost, walk.door_cost) == (1, 2, 1)
    assert (crawl.pace, crawl.climb_cost, crawl.door_cost) == (Fraction(5, 2), 2, 1)
    assert (swim.pace, swim.climb_cost, swim.door_cost) == (1, 0, 1)
    assert swim.origin.ruling == "so"


def test_a_reaction_is_read() -> None:
    (reaction,) = parsed(REACTION).turns.reactions
    assert (reaction.id, reaction.trigger, reaction.except_actions) == ("swipe", "leaves reach", ("walk",))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("climb_cost = 2", "climb_cost = -2", "climb_cost is -2; expected 0 to 100"),
        ("climb_cost = 2", "climbcost = 2", "did you mean 'climb_cost'?"),
        ("door_cost = 1", 'door_cost = "high"', "expected a number"),
        ("door_cost = 1", "max_climb = 2", "'max_climb' is no longer read: a step of half a human's height is free"),
        ("door_cost = 1", "drop_cost = 2", "'drop_cost' is no longer read: 'climb_cost' counts up and down"),
        ("pace = 2.5", 'impassable = ["mud"]', "'impassable' is no longer read: the map says what terrain costs"),
        ('condition = "stunned"', "climb = 2", "'climb' is no longer read: a unit climbs by its own move"),
        ("pace = 2.5", "pace = 0", "pace is 0; expected 0.1 to 100"),
        ("mode.crawl", "mode.Crawl", "'Crawl' is not a valid id"),
        ("mode.crawl", "mode.walk", "'walk' is the name of [movement] itself"),
        ("when = \"unit.posture == 'prone'\"\n", "", "the mode 'crawl' has no 'when'"),
        ("unit.posture ==", "unit.postur ==", "did you mean 'unit.posture'"),
        ('label = "crawl"\n', "", "has no 'label'"),
        ('source = "ours"\n[movement.mode.crawl]', "[movement.mode.crawl]", "has no 'source'"),
        ("leaves reach", "leaves", "trigger = 'leaves' is not known"),
        ('["walk"]', '["wlak"]', "no move is called 'wlak'"),
        ('["walk"]', '["attack"]', "no move is called 'attack'"),
        ("reactor.hp", "attacker.hp", "no fact is called 'attacker.hp'"),
        ("except_actions", "excepts", "has no key 'excepts'"),
        ("leaves reach", "attacks", "no attack is called 'walk'"),
        ("main = 1", "mian = 1", "no budget is called 'mian'"),
        ('attack = "attack"', 'attack = "walk"', "attack = 'walk' is not known"),
        ('condition = "stunned"', 'condition = "stuned"', "condition = 'stuned' is not known"),
        ('id = "swipe"', 'id = "Swipe it"', "is not a valid id"),
    ],
)
def test_mistakes_are_reported(old: str, new: str, message: str) -> None:
    text = MOVEMENT + REACTION
    assert old in text
    with pytest.raises(Unreadable) as caught:
        parsed(text.replace(old, new, 1))
    assert message in str(caught.value)


RACE = """
[[reaction.contest]]
id = "quick"
label = "quick"
let = true
as = "in_time"
source = "ours"
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('trigger = "attacks"', 'trigger = "defends"', "a contest needs another trigger"),
        ("in_time", "early", "no effect of the contest sets 'in_time'"),
        ('let = true\nas = "in_time"', 'posture = "prone"', "not allowed in a contest"),
    ],
)
def test_a_race_says_who_comes_first_and_changes_nothing(old: str, new: str, message: str) -> None:
    text = REACTION.replace("leaves reach", "attacks").replace('except_actions = ["walk"]\n', "") + RACE
    assert parsed(text).turns.reactions[0].race[0].name == "in_time"
    assert old in text
    with pytest.raises(Unreadable, match=message):
        parsed(text.replace(old, new, 1))


@pytest.mark.parametrize("name", shipped_rulesets())
def test_shipped_rulesets_say_what_leaving_a_melee_draws(name: str) -> None:
    rules = load_ruleset(shipped_rulesets()[name])
    assert "leaves reach" in [reaction.trigger for reaction in rules.turns.reactions]
    assert all(reaction.origin.source for reaction in rules.turns.reactions)
