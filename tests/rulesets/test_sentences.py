"""Each rule that has a name says in one sentence what it does at the table."""

from __future__ import annotations

import re

import pytest

from engine.errors import Unreadable
from engine.rules.named_rules import NO_SENTENCE, NamedRule, named_rules
from rulesets import load_ruleset, parse_ruleset, shipped_rulesets
from rulesets.value_readers import MOST_SAY, NOT_SAID
from tests.rulesets.texts import small, texts

SHIPPED = sorted(shipped_rulesets())
FORMULA = re.compile(r"×|÷|≥|≤|≠|==|\b(?:attacker|target|unit|weapon|action|ruling)\.[a-z]| [+/%] [0-9a-z]+ [<>=]")
"""Signs of a formula, and facts as formulas name them."""


def named(name: str) -> tuple[NamedRule, ...]:
    return named_rules(load_ruleset(shipped_rulesets()[name]))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_name_of_every_ruleset_has_a_sentence(name: str) -> None:
    assert [(rule.kind, rule.name) for rule in named(name) if not rule.say] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_every_sentence_is_one_short_sentence_without_brackets_and_formulas(name: str) -> None:
    for rule in named(name):
        assert len(rule.say) <= MOST_SAY, rule
        assert re.match(r"[A-Z0-9+−%]", rule.say), rule
        assert rule.say.endswith(".") and not re.search(r"[.!?] +[A-Z]", rule.say), rule
        assert not NOT_SAID.search(rule.say) and not FORMULA.search(rule.say), rule
        assert rule.kind == "stat" or not set(rule.say) & set(";“”"), rule
        assert not re.search(r"\b[Ww]hoever|\b[Oo]therwise", rule.say), rule


@pytest.mark.parametrize("name", SHIPPED)
def test_no_two_sentences_of_a_ruleset_are_equal(name: str) -> None:
    said: dict[str, NamedRule] = {}
    for rule in named(name):
        before = said.setdefault(rule.say.casefold(), rule)
        assert before is rule, (before.label, rule.label)


@pytest.mark.parametrize("name", SHIPPED)
def test_no_sentence_has_an_id(name: str) -> None:
    """Ids with an underscore, as `into_melee`; one with a hyphen may be English, as `go-prone`."""
    rules = named(name)
    ids = {one for rule in rules for one in rule.ids if "_" in one}
    assert [(rule.say, one) for rule in rules for one in ids if one in rule.say] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_no_sentence_is_that_of_the_source_or_the_ruling(name: str) -> None:
    for rule in named(name):
        for one in rule.rules:
            origin = getattr(one, "origin", None)
            assert origin is None or rule.say.rstrip(".") not in (origin.source, origin.ruling.rstrip(".")), rule


def test_a_ruleset_without_sentences_says_so() -> None:
    rules = [rule for rule in named_rules(small()) if rule.kind == "condition"]
    assert [(rule.name, rule.sentence) for rule in rules] == [("stunned", NO_SENTENCE)]


def test_rules_of_one_kind_and_label_are_one_name() -> None:
    jam = [rule for rule in named("aog") if rule.name == "damage-to-armour"]
    assert [(rule.kind, len(rule.rules)) for rule in jam] == [("effect", 12)]


def test_gear_and_the_rules_own_bookkeeping_have_no_name() -> None:
    names = {rule.name for rule in named("cwn")}
    assert "without-its-shock-burst" not in names
    assert not names & {"combat-rifle", "heavy-pistol", "frag-grenade"}


STUNNED = 'label = "stunned"\n'


@pytest.mark.parametrize(
    ("said", "message", "at"),
    [
        ("It is dazed (and prone).", "say has '('; expected one sentence without brackets, ids and formulas", "(and"),
        ("It has the condition off_balance.", "say has '_'; expected one sentence without", "_balance"),
        ("It is dazed", "say does not end as a sentence; expected one sentence", '"'),
        ("", "say is empty; expected one sentence without brackets, ids and formulas", '""'),
        ("It is " + "very " * 30 + "dazed.", "say is 162 characters wide; at most 140 fit", '"It'),
    ],
)
def test_a_sentence_that_is_none_is_an_error_at_its_place(said: str, message: str, at: str) -> None:
    with pytest.raises(Unreadable) as caught:
        parse_ruleset(texts(STUNNED, f'{STUNNED}say = "{said}"\n'), "small")
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.source_line[problem.column - 1 :].startswith(at)


def test_two_rules_with_one_sentence_are_an_error_at_the_second() -> None:
    whole = texts(STUNNED, f'{STUNNED}say = "It sees stars."\n')
    more = (
        '[condition.dizzy]\nlabel = "dizzy"\nmark = "d"\nuntil = "round end"\nsource = "ours"\nsay = "It sees stars."\n'
    )
    with pytest.raises(Unreadable) as caught:
        parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + more}, "small")
    (problem,) = caught.value.problems
    assert problem.message == "say is that of 'stunned'; expected a sentence of its own"
    assert problem.source_line[problem.column - 1 :] == '"It sees stars."'


def test_gear_has_no_sentence() -> None:
    whole = texts()
    club = whole["weapons.toml"].replace("[[weapon]]\n", '[[weapon]]\nsay = "It is heavy."\n', 1)
    with pytest.raises(Unreadable, match="has no key 'say'"):
        parse_ruleset(whole | {"weapons.toml": club}, "small")


def test_old_words_in_a_sentence_are_words() -> None:
    """`caught` was a fact once; in a sentence it is English."""
    rules = parse_ruleset(texts(STUNNED, f'{STUNNED}say = "It is caught by a flash."\n'), "small")
    assert rules.units.conditions["stunned"].origin.say == "It is caught by a flash."
