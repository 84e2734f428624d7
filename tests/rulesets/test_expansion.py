"""`template`, `uses`, `each` and inherited sources; every mistake is shown where it was written."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.rules.model import Ruleset
from engine.toml_reader import Document, parse
from rulesets import parse_ruleset
from rulesets.expansion import expand
from tests.rulesets.texts import texts


def expanded(text: str) -> Document:
    document = parse(text, "rules")
    expand(document)
    return document


def parsed(more: str) -> Ruleset:
    whole = texts()
    return parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + more}, "small")


def test_each_makes_a_table_of_every_row() -> None:
    text = """
[action."burst-{hits}"]
each = { hits = "2..3" }
label = "Burst, {hits} hits"
ammo = "{hits}"
needs = "weapon.hits >= {hits} and {other}"
"""
    actions = expanded(text).tables["action"]
    assert actions == {
        f"burst-{hits}": {
            "label": f"Burst, {hits} hits",
            "ammo": hits,
            "needs": f"weapon.hits >= {hits} and {{other}}",
        }
        for hits in (2, 3)
    }


def test_each_takes_all_combinations_or_the_rows_that_are_listed() -> None:
    every = expanded('[[x]]\neach = { a = [1, 2], b = ["l", "r"] }\nid = "{a}{b}"\n').tables["x"]
    assert [one["id"] for one in every] == ["1l", "1r", "2l", "2r"]
    listed = expanded('[[x]]\neach = [{ a = 1, b = "l" }, { a = 2, b = "r" }]\nid = "{a}{b}"\n').tables["x"]
    assert [one["id"] for one in listed] == ["1l", "2r"]


TESTED = """
[template.paid]
cost = { action = 1 }
[[template.paid.require]]
holds = "first"
[template.test]
takes = ["score"]
[[template.test.effect]]
id = "score"
let = "{score}"
when = "hit"
[[template.test.effect]]
id = "rolls"
"""


def test_a_table_uses_templates_and_its_own_keys_win() -> None:
    text = f"""{TESTED}
[action.kick]
uses = ["paid"]
cost = {{ attack = 1 }}
source = "Kick"
[[action.kick.require]]
holds = "second"
"""
    kick = expanded(text).tables["action"]["kick"]
    assert kick == {
        "cost": {"action": 1, "attack": 1},
        "source": "Kick",
        "require": [{"holds": "first"}, {"holds": "second"}],
    }


def test_one_of_an_array_stands_for_the_array_of_its_template() -> None:
    text = f"""{TESTED}
[action.kick]
source = "Kick"
ruling = "Ours"
[[action.kick.effect]]
when = "near"
whom = "target"
uses.test.score = "attacker.s + 10"
[[action.kick.effect]]
id = "last"
source = "Elsewhere"
"""
    assert expanded(text).tables["action"]["kick"]["effect"] == [
        {
            "id": "score",
            "let": "attacker.s + 10",
            "when": "(near) and (hit)",
            "whom": "target",
            "source": "Kick",
            "ruling": "Ours",
        },
        {"id": "rolls", "when": "near", "whom": "target", "source": "Kick", "ruling": "Ours"},
        {"id": "last", "source": "Elsewhere"},
    ]


def test_a_contest_stands_for_the_effects_of_a_template() -> None:
    text = f"""{TESTED}
[reaction.watch]
source = "Watch"
[[reaction.watch.contest]]
uses.test.score = "unit.agility"
"""
    assert expanded(text).tables["reaction"]["watch"]["contest"] == [
        {"id": "score", "let": "unit.agility", "when": "hit", "source": "Watch"},
        {"id": "rolls", "source": "Watch"},
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[a.b]\nuses = 'tset'\n", 14, "no template is called 'tset'; did you mean 'test'?"),
        ("[a.b]\nuses = 'test'\n", 14, "the template 'test' takes score"),
        ("[a.b]\nuses.paid.score = 1\n", 14, "the template 'paid' takes nothing"),
        ("[a.b]\nuses = 3\n", 14, "uses is 3; expected the name of a template"),
        ("[a.b]\neach = 3\n", 14, "each is 3; expected a table"),
        ("[a.b]\neach = { x = 'many' }\n", 14, "x is the text 'many'; expected a range"),
        ("[a.b]\neach = { x = '1..99', y = '1..9' }\n", 14, "each makes more than 100 tables"),
        ("[a.b]\neach = { x = '1..2' }\n", 13, "'b' is already there; each name must be unique"),
    ],
)
def test_a_mistake_is_shown_where_it_was_written(text: str, line: int, message: str) -> None:
    document = expanded(TESTED.strip() + "\n" + text)
    assert [(problem.line, problem.message) for problem in document.problems if message in problem.message] != []
    assert document.problems[0].line == line


def test_what_readers_find_wrong_is_shown_in_the_template() -> None:
    more = """
[template.weak]
[[template.weak.effect]]
id = "weak"
label = "weak"
condition = "stnned"

[action.shout]
label = "Shout"
kind = "other"
uses = "weak"
source = "ours"
"""
    with pytest.raises(Unreadable) as error:
        parsed(more)
    lines = (texts()["ruleset.toml"] + more).split("\n")
    assert [lines[problem.line - 1] for problem in error.value.problems] == ['condition = "stnned"']
