"""Hostile and broken files: whatever is done to a text, loading gives a ruleset or one readable refusal."""

from __future__ import annotations

import random

import pytest

from engine.errors import Unreadable
from rulesets import load_ruleset, parse_ruleset, shipped_rulesets
from tests.rulesets.texts import texts

PIECES = (
    '"', "'", "[", "]", "{", "}", "=", "\n", "0", "-1", "1e400", "nan", "true", "''", "[[", "é", "\x1b[2J", "‮", "\0",
    "9" * 30, "1979-05-27", "[]", "{}", "weapon.damage", "attacker.", "1 / 0", "not ", " and ", "x" * 200, "(" * 40,
)  # fmt: skip


def mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text))
        match chance.randrange(5):
            case 0:
                text = text[:at] + text[at + chance.randint(1, 12) :]
            case 1:
                text = text[:at] + chance.choice(PIECES) + text[at:]
            case 2:
                lines = text.split("\n")
                del lines[chance.randrange(len(lines))]
                text = "\n".join(lines)
            case 3:
                lines = text.split("\n")
                lines.insert(chance.randrange(len(lines)), chance.choice(lines))
                text = "\n".join(lines)
            case _:
                lines = text.split("\n")
                line = chance.randrange(len(lines))
                key = lines[line].partition("=")[0]
                lines[line] = f"{key}= {chance.choice(PIECES)}"
                text = "\n".join(lines)
    return text


def mutate_and_load(whole: dict[str, str], chance: random.Random) -> None:
    name = chance.choice(sorted(whole))
    changed = whole | {name: mutated(whole[name], chance)}
    try:
        parse_ruleset(changed, "broken")
    except Unreadable as error:
        assert error.problems
        assert "\x1b" not in str(error) and "\0" not in str(error)


@pytest.mark.slow
def test_a_damaged_small_ruleset_is_refused_in_words():
    chance = random.Random("small")
    for _ in range(1500):
        mutate_and_load(texts(), chance)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_a_damaged_shipped_ruleset_is_refused_in_words(name: str):
    whole = dict(load_ruleset(shipped_rulesets()[name]).texts)
    chance = random.Random(name)
    for _ in range(12):
        mutate_and_load(whole, chance)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_a_damaged_shipped_ruleset_is_refused_in_words_at_length(name: str):
    whole = dict(load_ruleset(shipped_rulesets()[name]).texts)
    chance = random.Random(f"{name} at length")
    for _ in range(400):
        mutate_and_load(whole, chance)


def test_a_table_where_a_text_belongs_and_the_other_way_round():
    for key in (
        "distance",
        "test",
        "initiative",
        "defeat",
        "stat",
        "pool",
        "action",
        "weapon_fields",
        "steps",
        "grade",
    ):
        for value in ("3", '"x"', "[1]", "[{}]", "{ a = 1 }", "{ a = { b = 1 } }"):
            with pytest.raises(Unreadable):
                parse_ruleset(dict.fromkeys(texts(), f"{key} = {value}\n"), "broken")
