"""Sheets of the Game Master's own: read with every problem at once, written as a person would."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.battle.magazines import magazine
from engine.battle.state.characters import Character
from engine.errors import Unreadable
from engine.values import replace
from rulesets import shipped_rulesets
from rulesets.characters import OwnSheet, archetype, parse_character, write_character
from tests.rules.table import ruleset

ANNA = """\
# Anna, of the Lantern
ruleset = "aog"
name = "Anna Vale"
letter = "V"
weapons = ["assault-rifle-rng-13-legate", "fists"]
armour = "guard-kit"
has = ["night_sight"]
notes = '''
Owes Bo 200.
'''

[stats]
long_arms = 63   # since the docks

[attachments]
assault-rifle-rng-13-legate = ["scope"]

[rounds]
assault-rifle-rng-13-legate = 12

[pools]
hp = 7
"""
RULES = ruleset("aog")


def parsed(text: str) -> Character:
    return parse_character(text, "", lambda _: RULES, lambda: [ruleset("eva")]).character


def problems(text: str) -> list[str]:
    with pytest.raises(Unreadable) as refused:
        parsed(text)
    return [f"{one.line}:{one.column}: {one.message}" for one in refused.value.problems]


def test_a_sheet_says_what_the_character_has() -> None:
    rifle = "assault-rifle-rng-13-legate"
    assert parsed(ANNA) == Character(
        name="Anna Vale",
        stats=(("long_arms", 63), ("night_sight", True)),
        weapons=(rifle, "fists"),
        armour="guard-kit",
        rounds=((rifle, 12),),
        attachments=(("scope", rifle),),
        pools=(("hp", 7),),
        notes="Owes Bo 200.",
        letter="V",
    )


def test_the_documented_character_is_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "characters.md").read_text(encoding="utf-8")
    text = page.split("```toml\n")[1].split("```")[0]
    assert dict(parsed(text).stats) == {"long_arms": 63, "dodge": 40, "night_sight": True}
    rows = re.findall(r"^\| `\[?(\w+)\]?`", page.split("## Parties")[0], re.MULTILINE)
    assert sorted(rows) == sorted(re.findall(r"\w+", problems_of_keys(text).split("known keys:")[1]))


def problems_of_keys(text: str) -> str:
    """The keys that a character may have, as a message lists them."""
    return problems("zzzz = 1\n" + text)[0]


def test_every_problem_is_found_at_once_with_its_place() -> None:
    found = problems(
        ANNA.replace("long_arms", "ballistic_skill").replace('"fists"', '"Legate"').replace('"V"', '"VV"')
        + "[extra]\nx = 1\n"
    )
    assert found == [
        "4:10: letter = 'VV'; expected one letter or digit",
        "5:43: no weapon is called 'Legate'; did you mean 'assault-rifle-rng-13-legate'?",
        "13:1: Ashes of Gaia has no stat called 'ballistic_skill'; it is one of Evangelion d100",
        "23:2: the file has no key 'extra'; known keys: accessories, armour, attachments, conditions, has, kind, "
        "letter, name, notes, pools, role, rounds, ruleset, size, stats, weapons",
    ]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("long_arms = 63", "long_arm = 63", "did you mean 'long_arms'?"),
        ("long_arms = 63", 'long_arms = "good"', "expected a number"),
        ("long_arms = 63", "long_arms = 6.5", "expected a whole number"),
        ('"scope"', '"scoop"', "no attachment is called 'scoop'; did you mean 'scope'?"),
        ("\nassault-rifle-rng-13-legate = 12", "\nbazooka = 12", "'bazooka' is not among its weapons"),
        ('["night_sight"]', '["long_arms"]', "no stat that is yes or no is called 'long_arms'"),
        ('["night_sight"]', '["night_sight", "night_sight"]', "'night_sight' is in has twice"),
        ("long_arms = 63", "night_sight = true", "'night_sight' is in has and in [stats]"),
        ('"guard-kit"', '"guard kit"', "did you mean 'guard-kit'?"),
        ("hp = 7", "hp = -1", "hp is -1"),
        ('"Anna Vale"', '""', "name is empty"),
        ('ruleset = "aog"', 'ruleset = ""', "ruleset is empty"),
        ('letter = "V"', 'kind = "villain"', "kind = 'villain' is not known"),
    ],
)
def test_a_wrong_value_is_named(before: str, after: str, message: str) -> None:
    assert before in ANNA
    assert any(message in problem for problem in problems(ANNA.replace(before, after))), problems(
        ANNA.replace(before, after)
    )


def test_a_changed_sheet_keeps_its_comments_and_their_order() -> None:
    own = parsed(ANNA)
    stats = (("long_arms", 66), ("dodge", 40), ("night_sight", True))
    text = write_character(OwnSheet("aog", replace(own, stats=stats, rounds=())), RULES, ANNA)
    assert text == ANNA.replace("63 ", "66 ").replace("docks\n", "docks\ndodge = 40\n").replace(
        "[rounds]\nassault-rifle-rng-13-legate = 12\n\n", ""
    )


def test_an_unchanged_sheet_is_written_as_it_was() -> None:
    assert write_character(OwnSheet("aog", parsed(ANNA)), RULES, ANNA) == ANNA


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_every_archetype_is_a_stat_block_that_can_be_copied_out(name: str) -> None:
    rules = ruleset(name)
    for role in rules.units.sheets:
        own = OwnSheet(name, archetype(rules, role))
        assert parse_character(write_character(own, rules), "", lambda _, rules=rules: rules) == own


def test_a_file_that_is_written_again_keeps_where_and_in_which_order_things_stood() -> None:
    text = """\
ruleset = "cwn"
name = "Mara"
weapons = ["knife"]
has = ["enhanced-reflexes", "npc", "gunlink"]  # paid for
accessories = ["riot-shield"]

[stats]
shield = true
shoot = 2
"""
    rules = ruleset("cwn")
    own = parse_character(text, "", lambda _: rules).character
    assert write_character(OwnSheet("cwn", own), rules, text) == text
    bare = replace(own, accessories=("riot-shield", "gunlink", "absorption-pads"))
    assert write_character(OwnSheet("cwn", bare), rules, text) == text.replace('"enhanced-reflexes", ', "").replace(
        '"riot-shield"', '"riot-shield", "absorption-pads"'
    )


def test_pools_and_rounds_that_are_more_than_full_are_refused_where_they_stand() -> None:
    rules = ruleset("aog")
    weapon = next(name for name in rules.gear.weapons if magazine(rules, name))
    text = f'ruleset = "aog"\nname = "Anna"\nweapons = ["{weapon}"]\n[pools]\nhp = 999\n[rounds]\n{weapon} = 999\n'
    with pytest.raises(Unreadable) as refused:
        parse_character(text, "anna.toml", lambda _: rules)
    assert [(one.line, one.column > 1) for one in refused.value.problems] == [(5, True), (7, True)]
    assert all("is more than full; expected at most" in one.message for one in refused.value.problems)
