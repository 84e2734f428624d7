"""Dice read apart, facts that a ruleset names itself, hits that strike several times: with a ruleset of a few lines."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle import events as ev
from engine.battle.command import Attack
from engine.errors import Unreadable
from engine.rules.model import Ruleset
from engine.rules.roll_odds import judge, roll_facts
from rulesets import parse_ruleset
from tests.rules.table import Table, fight
from tests.rulesets.texts import texts
from tui.view.panels.attack_panel import shot_text

ATTACK = Attack("a", "b")

APART = """
[[fact]]
id = "threshold"
label = "To beat"
value = "floor(distance / 5)"
after = "situation"
show = true
source = "ours"
[[fact]]
id = "first"
label = "First die"
value = "0 if die_1 > target_number else die_1 + 20 if die_1 + 20 <= target_number else die_1"
after = "roll"
source = "ours"
[[fact]]
id = "second"
label = "Second die"
value = "0 if die_2 > target_number else die_2 + 20 if die_2 + 20 <= target_number else die_2"
after = "roll"
source = "ours"
[[fact]]
id = "degree"
label = "Degree"
value = "max(first, second)"
after = "roll"
show = true
source = "ours"
[[fact]]
id = "hits"
label = "Dice that hit"
value = "(1 if first > threshold else 0) + (1 if second > threshold else 0)"
after = "roll"
source = "ours"
"""

FACT = '[[fact]]\nid = "{}"\nlabel = "x"\nvalue = "{}"\nafter = "{}"\nsource = "ours"\n'

STRIKES = """
[strikes]
count = "margin // 10 + 1"
label = "Blow"
source = "ours"
"""


def rules_of(*changes: tuple[str, str], more: str = "") -> Ruleset:
    """The small ruleset with some of its text changed, and more of it."""
    whole = texts()
    for old, new in changes:
        assert any(old in text for text in whole.values()), old
        whole = {name: text.replace(old, new, 1) for name, text in whole.items()}
    return parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + more}, "small")


def apart(value: int = 13, equal: str = "hit") -> Ruleset:
    """Two d20 against a value, each read by itself; a die hits that is above a threshold of a fifth of the distance."""
    half = '[[grade]]\nid = "half"\nlabel = "Half"\nwhen = "hits == 1"\nhit = true\nsource = "ours"\n'
    return rules_of(
        ('kind = "roll-under"', 'kind = "each-under"'),
        ('dice = "1d100"\nequal = "hit"', f'dice = "2d20"\nequal = "{equal}"'),
        ('value = "attacker.skill"', f"value = {value - 10}"),
        ('when = "success"', 'when = "hits > 1"'),
        ('[[grade]]\nid = "bad"', f'{half}[[grade]]\nid = "bad"'),
        ('on = ["good"]', 'on = ["hit"]'),
        more=APART,
    )


def table(rules: Ruleset, row: str = "a.b") -> Table:
    return fight(rules, row, scale=(5, "feet"), a="gunman", b="gunman")


@pytest.mark.parametrize(
    ("value", "dice", "degree", "success"),
    [(9, (12, 5), 5, True), (22, (16, 1), 21, True), (22, (13, 2), 22, True), (8, (2, 18), 2, True),
     (8, (10, 12), 0, False), (13, (13, 20), 13, True), (13, (4, 9), 9, True)],
)  # fmt: skip
def test_each_die_is_read_by_itself(value: int, dice: tuple[int, int], degree: int, success: bool) -> None:
    """VOLT-0: a die succeeds at or under the value; the degree is the highest that does; 20 is added where it fits."""
    shot = table(apart(value)).shot()
    assert shot.ledger.target_number == value
    known = roll_facts(apart(value), shot.situation.facts, shot.ledger, sum(dice), dice)
    assert (known["die_1"], known["die_2"], known["die_3"]) == (*dice, 0)
    assert (known["degree"], known["success"]) == (degree, success)


@pytest.mark.parametrize(
    ("dice", "equal", "margin", "success"),
    [((12, 5), "hit", 1, True), ((20, 13), "hit", 0, True), ((20, 13), "miss", 0, False), ((19, 15), "hit", -2, False),
     ((13, 4), "miss", 9, True)],
)  # fmt: skip
def test_the_margin_is_that_of_the_highest_die_that_fits(
    dice: tuple[int, int], equal: str, margin: int, success: bool
) -> None:
    """VOLT-0: and where none fits, that of the lowest."""
    rules = apart(13, equal)
    shot = table(rules).shot()
    known = roll_facts(rules, shot.situation.facts, shot.ledger, sum(dice), dice)
    assert (known["margin"], known["success"]) == (margin, success)


@pytest.mark.parametrize(
    ("dice", "grade"),
    [((12, 5), "good"), ((2, 13), "half"), ((20, 3), "half"), ((2, 1), "bad"), ((20, 19), "bad")],
)
def test_a_die_hits_above_the_threshold_and_at_or_under_the_value(dice: tuple[int, int], grade: str) -> None:
    """VOLT-0, VOLT-3: ten feet are a threshold of 2; one die is a hit, two are a full hit."""
    rules = apart(13)
    shot = table(rules).shot()
    assert shot.situation.facts["threshold"] == 2
    assert judge(rules, shot.situation.facts, shot.ledger, sum(dice), dice).id == grade


def test_odds_go_through_every_pair_of_dice() -> None:
    """VOLT-0: two dice with 11 faces each that hit."""
    shot = table(apart(13)).shot()
    chances = {grade.id: chance for grade, chance in shot.odds.grades}
    assert chances == {"good": Fraction(121, 400), "half": Fraction(2 * 11 * 9, 400), "bad": Fraction(81, 400)}
    assert shot.odds.hit == 1 - Fraction(9, 20) ** 2


def test_logged_facts_are_in_the_log_and_the_roll_is_reported_die_by_die() -> None:
    told = table(apart(13)).do(ATTACK, (12, 5), (3, 4))
    assert any("80 % to hit: rolled 12 and 5 (typed) vs 1–13: good" in line for line in told), told
    assert told.index("To beat: 2.") < told.index("Degree: 12.") < told.index("Damage: 2d6 (3, 4) = 7, typed.")
    assert not any("Dice that hit" in line for line in told)


def test_what_is_known_before_the_roll_is_reported_beside_the_ledger() -> None:
    rules = apart(13)
    shown = shot_text(table(rules).shot(), rules, 60, 30).plain
    assert "Gun, attack · 10 ft · near · To beat 2" in shown
    assert "Roll 2d20: 13 or less on either die hits" in shown


def test_the_sum_alone_is_refused_where_dice_are_read_apart() -> None:
    assert "type each die" in table(apart(13)).refusal(ATTACK, (17,), (7,))


def test_a_fact_set_by_hand_stands_and_the_others_follow_it() -> None:
    here = table(apart(13))
    assert here.shot(changed={"distance": 20}).situation.facts["threshold"] == 4
    assert here.shot(changed={"distance": 20, "threshold": 1}).situation.facts["threshold"] == 1


def test_named_facts_serve_every_rule_of_an_attack() -> None:
    rules = rules_of(
        ('to = "floor(weapon.reach / 2)"', 'to = "half_reach"'),
        ('from = "floor(weapon.reach / 2) + 1"', 'from = "half_reach + 1"'),
        ('when = "melee and not adjacent"', 'when = "half_reach > 20"'),
        ('holds = "not attacker.stunned"', 'holds = "half_reach < 30"'),
        ('because = "skill {attacker.skill}"', 'because = "half reach {half_reach}"'),
        more=FACT.format("half_reach", "floor(weapon.reach / 2)", "situation"),
    )
    ledger = table(rules).shot().ledger
    assert [entry.because for entry in ledger.entries] == ["10 ft, near (up to 16 ft)", "half reach 16"]


# --- strikes ----------------------------------------------------------------------------------------------------------


def test_a_hit_strikes_as_often_as_the_ruleset_says() -> None:
    """Each time rolls its own dice, on what the times before left."""
    here = table(rules_of(more=STRIKES))
    told = here.do(ATTACK, (40,), (1, 1), (1, 2))  # skill 45 and 10 for the range: margin 15
    assert [event.number for event in here.happened(ev.StrikeBegan)] == [1, 2]
    assert told[-6:] == [
        "Blow 1 of 2 on B.", "Damage: 2d6 (1, 1) = 2, typed.", "B: hit points 9 → 7, hurt.",
        "Blow 2 of 2 on B.", "Damage: 2d6 (1, 2) = 3, typed.", "B: hit points 7 → 4, hurt.",
    ]  # fmt: skip
    changes = [(event.before, event.after) for event in here.happened(ev.PoolChanged)]
    assert changes == [(9, 7), (7, 4)]


def test_what_is_once_happens_for_the_first_strike_alone() -> None:
    here = table(rules_of(('lose = "damage"', 'once = true\nlose = "damage * strikes"'), more=STRIKES))
    here.do(ATTACK, (40,), (1, 1), (1, 2))
    assert [(event.before, event.after) for event in here.happened(ev.PoolChanged)] == [(9, 5)]


def test_strikes_end_when_somebody_is_out_of_the_fight() -> None:
    here = table(rules_of(more=STRIKES))
    here.do(ATTACK, (5,), (3, 3), (4, 4))  # six blows, the second fells
    assert [event.number for event in here.happened(ev.StrikeBegan)] == [1, 2]
    assert here.unit("b").is_defeated


def test_a_hit_may_come_to_no_strike_and_a_miss_happens_once() -> None:
    rules = rules_of(
        ('on = ["good"]', 'on = ["always"]'),
        ('lose = "damage"', "lose = 1"),
        more=STRIKES.replace("margin // 10 + 1", "0"),
    )
    here = table(rules)
    assert "No blow lands on B." in here.do(ATTACK, (40,))
    assert here.happened(ev.PoolChanged) == []
    here = table(rules)
    here.do(ATTACK, (90,))
    assert len(here.happened(ev.PoolChanged)) == 1


def test_one_strike_is_reported_as_ever() -> None:
    here = table(rules_of(more=STRIKES))
    here.do(ATTACK, (50,), (1, 1))
    assert here.happened(ev.StrikeBegan) == []


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (FACT.format("ranged", "1", "roll"), "'ranged' is already a fact"),
        (FACT.format("strikes", "1", "roll"), "'strikes' is already a fact"),
        (FACT.format("x-y", "1", "roll"), "is not a valid fact name"),
        (FACT.format("x", "roll", "situation"), "no fact is called 'roll'"),
        (FACT.format("x", "band", "situation"), "no fact is called 'band'"),
        (FACT.format("x", "y", "roll") + FACT.format("y", "1", "roll"), "no fact is called 'y'"),
        (FACT.format("x", "1", "situation") * 2, "'x' is already a fact"),
        (FACT.format("x", "1", "later"), "known values: situation, roll"),
        ("[strikes]\ncount = \"'many'\"\nsource = \"ours\"\n", "expected a number"),
        ('[strikes]\nsource = "ours"\n', "has no 'count'"),
        ('[strikes]\ncount = 2\n', "has no 'source'"),
    ],
)  # fmt: skip
def test_mistakes_are_reported(more: str, message: str) -> None:
    with pytest.raises(Unreadable, match=message.replace("[", r"\[")):
        rules_of(more=more)


@pytest.mark.parametrize("dice", ["2d20kh1", "1d6!", "5d20"])
def test_dice_that_are_read_one_by_one_are_plain_and_few(dice: str) -> None:
    with pytest.raises(Unreadable, match="cannot be read die by die"):
        rules_of(('dice = "1d100"', f'dice = "{dice}"'), ('when = "success"', 'when = "die_1 > 3"'))
    with pytest.raises(Unreadable, match="cannot be read die by die"):
        rules_of(('kind = "roll-under"\ndice = "1d100"', f'kind = "each-under"\ndice = "{dice}"'))
