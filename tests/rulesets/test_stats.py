"""What every stat of a ruleset has to say, and where a value of a file is refused."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.rules.model import Ruleset
from rulesets import load_ruleset, parse_ruleset, shipped_rulesets
from rulesets.stats import MOST_HELP
from tests.rulesets.texts import small, texts

FRAME = """
[stat.frame]
label = "Frame"
kind = "choice"
choices = { slim = "Slim", broad = "Broad" }
default = "slim"
group = "Body"
help = "How much room it takes."
"""
TOUGH = """
[stat.tough]
label = "Tough"
kind = "flag"
default = false
group = "Body"
help = "Hard to hurt."
"""
WHOLE = 'kind = "number"\nmin = -100\nmax = 100\ngroup = "Skills"\nhelp = "Rolled to hit."\n'


def refused(old: str, new: str, more: str = "") -> tuple[str, list[str]]:
    """The first message and what its caret points at; and all messages."""
    whole = texts(old, new)
    with pytest.raises(Unreadable) as caught:
        parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + more}, "small")
    return caught.value.problems[0].source_line[caught.value.problems[0].column - 1 :], [
        problem.message for problem in caught.value.problems
    ]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("kind", "number, flag or choice"),
        ("min", "the smallest number that it may be"),
        ("max", "the largest number that it may be"),
        ("group", 'the heading that lists it, as "Skills"'),
        ("help", "one line on what it does in a fight"),
    ],
)
def test_each_key_is_required_and_a_missing_one_is_the_only_message(key: str, expected: str) -> None:
    lines = WHOLE.splitlines(keepends=True)
    (line,) = [line for line in lines if line.startswith(key)]
    at, messages = refused(line, "")
    assert messages == [f"[stat] skill has no {key!r}; expected {expected}"]
    assert at == "skill]"


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ('kind = "number"', 'kind = "numbr"', '"numbr"', "did you mean 'number'?"),
        ("default = 50", "default = 500", "500", "default is 500; expected −100 to 100"),
        ("max = 100", "max = -100", "-100", "max is -100; expected more than min, which is -100"),
        ("min = -100", "min = 0.5", "0.5", "min is 0.5; expected a whole number"),
        ('group = "Skills"', 'group = ""', '""', 'group is empty; expected the heading that lists it, as "Skills"'),
        ('help = "Rolled to hit."', 'help = ""', '""', "help is empty; expected one line"),
        ('help = "Rolled', f'help = "{"x" * 100}', '"xxx', "characters wide; at most 100 fit"),
        ("max = 100", "max = 100\nchoices = { a = 'A' }", "{ a", "choices are only for a choice, and this is a number"),
        ("stats = { skill = 45 }", "stats = { skill = 101 }", "101", "skill is 101; expected −100 to 100"),
        ("stats = { skill = 45 }", "stats = { skill = true }", "true", "skill is true; expected a number"),
        ('role = "drone"', 'role = "drone"\nstats = { skill = 120 }', "120", "skill is 120; expected −100 to 100"),
    ],
)
def test_a_mistake_is_reported_with_its_place(old: str, new: str, at: str, message: str) -> None:
    shown, messages = refused(old, new)
    assert message in messages[0], messages
    assert shown.startswith(at)


@pytest.mark.parametrize(
    ("more", "old", "new", "message"),
    [
        (TOUGH, "default = false", "default = 1", "default is 1; expected true or false"),
        (
            TOUGH,
            "default = false",
            "default = false\nmin = 0",
            "min is only for numbers, and this is a flag; remove it",
        ),
        (FRAME, 'default = "slim"', 'default = "slom"', "default is the text 'slom'; expected slim or broad"),
        (FRAME, 'default = "slim"', "default = 3", "default is 3; expected the id of one of its choices"),
        (
            FRAME,
            'choices = { slim = "Slim", broad = "Broad" }\n',
            "",
            "[stat] frame has no 'choices'; expected what it",
        ),
        (FRAME, '{ slim = "Slim", broad = "Broad" }', "{}", "choices is empty; expected what it may be, as {"),
        (FRAME, '{ slim = "Slim", broad = "Broad" }', '["slim"]', "choices is a list; expected a table"),
        (FRAME, "choices =", "max = 3\nchoices =", "max is only for numbers, and this is a choice; remove it"),
    ],
)
def test_a_flag_or_a_choice_that_cannot_be(more: str, old: str, new: str, message: str) -> None:
    assert old in more
    messages = refused("", "", more.replace(old, new, 1))[1]
    assert any(message in one for one in messages), messages


def test_an_accessory_keeps_to_the_bounds_with_what_it_sets_and_not_with_what_it_adds() -> None:
    worn = '[[accessory]]\nid = "pad"\nlabel = "Pad"\n{} = {{ skill = 150 }}\nsource = "ours"\n[[armour]]'
    whole = parse_ruleset(texts("[[armour]]", worn.format("adds")), "small")
    assert whole.gear.accessories["pad"].adds == {"skill": 150}
    at, messages = refused("[[armour]]", worn.format("stats"))
    assert at.startswith("150") and messages == ["skill is 150; expected −100 to 100"]


def test_a_stat_that_is_no_table_is_reported_once() -> None:
    messages = refused("[pool.hp]", "[stat]\nluck = 5\n[pool.hp]")[1]
    assert messages == ["luck is 5; expected a table such as [luck]"]


def test_a_choice_is_the_id_in_formulas_and_a_slip_is_reported() -> None:
    rule = '[[modifier]]\nid = "x"\nstep = "more"\nlabel = "x"\nvalue = 1\nbecause = "x"\nsource = "ours"\nwhen = '
    rules = small(FRAME + rule + "\"attacker.frame == 'broad'\"\n")
    frame = rules.units.stats["frame"]
    assert (frame.choices, frame.allowed) == ({"slim": "Slim", "broad": "Broad"}, "slim or broad")
    with pytest.raises(Unreadable, match=r"never 'brod'; expected one of 'slim', 'broad'; did you mean 'broad'"):
        small(FRAME + rule + "\"attacker.frame == 'brod'\"\n")


@pytest.fixture(scope="module", params=sorted(shipped_rulesets()))
def shipped(request: pytest.FixtureRequest) -> Ruleset:
    return load_ruleset(shipped_rulesets()[request.param])


def test_every_stat_that_ships_says_what_it_is_for(shipped: Ruleset) -> None:
    stats = shipped.units.stats.values()
    for stat in stats:
        assert stat.kind == ("flag" if isinstance(stat.default, bool) else "number"), stat.id
        assert stat.help.endswith(".") and 10 <= len(stat.help) <= MOST_HELP, stat.id
        assert stat.group[:1].isupper() and stat.accepts(stat.default)
        assert stat.kind != "number" or stat.low < stat.high
    assert 3 <= len({stat.group for stat in stats}) <= 6 or len(stats) < 10
    for one in (*shipped.units.sheets.values(), *shipped.gear.armour.values(), *shipped.gear.accessories.values()):
        for stat_id, value in one.stats.items():
            assert shipped.units.stats[stat_id].accepts(value), (one, stat_id)


def test_what_armour_sets_says_so(shipped: Ruleset) -> None:
    numbers = {stat for suit in shipped.gear.armour.values() for stat in suit.stats}
    for stat in (shipped.units.stats[name] for name in numbers):
        if stat.group == "Armour":
            assert stat.kind != "number" or stat.help.endswith("Set by the armour worn."), stat.id
