"""Words of ruleset files that were renamed: refused in a user's file, rewritten in the copy inside an old battle."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.rules.renamed_words import with_new_words
from rulesets import parse_ruleset, shipped_rulesets
from rulesets.loader import FILES
from tests.rulesets.texts import small, texts

OLD = """
[condition.watching]
label = "watching"
until = "battle end"
about = "square"
holds = "main"
source = "ours"
[[fact]]
id = "late"
label = "Late"
after = "situation"
value = "target.passed_over or (not target.turn_come and rise > 2 and weapon.full > 1)"
told = true
source = "ours, when it came to the rise"
[[effect]]
id = "mark"
label = "mark"
on = ["hit"]
when = "'rise' != cover and target.watching_aside <= 45 and target.watching_off < 5"
condition = "stunned"
whom = "bystander"
within = 5
leave = true
source = "ours"
[[moment]]
id = "landed"
label = "lands"
at = "falls"
when = 'fallen > 3'
source = "ours"
[[moment.effect]]
id = "landed"
label = "lands"
sink = "unit.altitude"
source = "ours"
[[modifier]]
id = "far"
step = "base"
label = "Aside"
value = 1
when = "attacker.aside > 5"
because = "the rise is {rise}, {attacker.aside} degrees aside"
source = "ours"
[[verdict]]
id = "never"
step = "base"
label = "A verdict"
when = "False"
because = "no verdict"
source = "ours"
"""
NEW = (
    ("holds = ", "held_budget = "),
    ("passed_over", "turn_skipped"),
    ("turn_come", "turn_started"),
    ("and rise > 2", "and height_difference > 2"),
    ("weapon.full", "weapon.capacity"),
    ("told = ", "show = "),
    ('whom = "bystander"', 'whom = "ally_near_target"'),
    ("watching_aside", "watching_bearing"),
    ("watching_off", "watching_distance"),
    ("leave = ", "remove = "),
    ("[[moment", "[[trigger"),
    ("fallen > 3", "fall_height > 3"),
    ("sink = ", "descend = "),
    ("attacker.aside", "attacker.bearing"),
    ("{rise}", "{height_difference}"),
    ("[[verdict", "[[restriction"),
)


def today() -> str:
    text = OLD
    for old, new in NEW:
        assert old in text, old
        text = text.replace(old, new)
    return text


def test_the_copy_inside_a_battle_is_rewritten_word_by_word_and_plain_text_stays() -> None:
    assert with_new_words({"ruleset.toml": OLD}) == {"ruleset.toml": today()}
    assert "the rise is {height_difference}, {attacker.bearing} degrees aside" in today()
    small(today())


@pytest.mark.long
def test_todays_words_and_what_is_not_toml_stay_as_they_are() -> None:
    for folder in shipped_rulesets().values():
        shipped = {name: (folder / name).read_text("utf-8") for name in FILES}
        assert with_new_words(shipped) == shipped
    assert with_new_words({"ruleset.toml": "told = = true"}) == {"ruleset.toml": "told = = true"}


def test_a_name_that_a_ruleset_gives_itself_is_no_old_word() -> None:
    own = '[stat.laid]\nlabel = "laid"\ndefault = 1\n[derived.mines]\nlabel = "m"\nvalue = "unit.laid"\nsource = "o"\n'
    assert with_new_words({"ruleset.toml": own}) == {"ruleset.toml": own}


def test_a_users_file_is_refused_with_the_new_word_beside_each_old_one() -> None:
    whole = texts()
    begins = whole["ruleset.toml"].count("\n")
    with pytest.raises(Unreadable) as caught:
        parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + OLD}, "mine")
    said = [(problem.line - begins, problem.column, problem.message) for problem in caught.value.problems]
    assert (6, 1, "'holds' is now called 'held_budget'") in said
    assert (12, 10, "'target.passed_over' is now called 'target.turn_skipped'") in said
    moment = OLD[: OLD.index("[[moment")].count("\n") + 1
    assert (moment, 3, "'moment' is now called 'trigger'") in said
    assert len(said) == 18
