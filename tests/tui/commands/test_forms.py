"""Forms: every line is one object, and what it prints, completes and lists is what it reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.battle.command import Command
from engine.battle.commands.command_list import COMMANDS
from engine.battle.parameters import Points, PoolId, UnitId
from engine.errors import BattleboardError
from engine.geometry.squares import Direction
from tests.examples import examples, sample
from tests.tui.play import session_for, shipped_rulesets
from tui.application.commands.completion import completions
from tui.application.commands.forms import Form
from tui.application.commands.handbook import commands_table, tools_table, with_tables
from tui.application.commands.naming import Missing
from tui.application.commands.registry import BY_NAME, BY_WORD, FORMS, hear, line_of
from tui.application.commands.results import Setting, SubmitCommand, TextResult
from tui.application.presenter.gm_menu import SCREEN_LINES
from tui.application.prompts.choice import KEYS

PAGE = Path(__file__).parents[3] / "docs" / "gm.md"
RULESETS = sorted(shipped_rulesets())
DEPTH = 5
"""Words of a line that is completed word by word."""
NO_LINE = {"AddGroup", "Draw", "SetEdges"}
"""Commands that no line has to say: any units in a group, any ground on any squares, something on many edges."""


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Setting]]:
    sessions = {ruleset: session_for(tmp_path_factory.mktemp(ruleset), ruleset=ruleset) for ruleset in RULESETS}
    yield {ruleset: Setting(session.battle, session.rules) for ruleset, session in sessions.items()}
    for session in sessions.values():
        session.close()


def test_every_command_has_a_form_and_every_word_belongs_to_one() -> None:
    assert {kind for form in FORMS for kind in form.makes} == set(COMMANDS)
    words = [word for form in FORMS for word in (form.name, *form.also)]
    assert len(words) == len(set(words)) == len(BY_WORD)


LINES_OF_OLD = {
    "add", "group", "copy", "remove", "hide", "name", "side", "now", "rounds", "give", "lose", "setoff", "takeup",
    "light", "wreck", "note", "roll", "correct",
}  # fmt: skip


def test_the_gm_tools_have_what_they_always_had_and_every_form_its_help(settings: dict[str, Setting]) -> None:
    assert {form.name for form in FORMS if form.menu} >= LINES_OF_OLD
    setting = settings[RULESETS[0]]
    told = hear("help", setting)
    assert isinstance(told, TextResult)
    for form in FORMS:
        assert form.line in told.lines
        for word in (form.name, *form.also):
            one = hear(f"help {word}", setting)
            assert isinstance(one, TextResult) and one.lines[:2] == (form.line, f"{form.explained(setting)}.")


def test_letters_are_unique_in_the_menu() -> None:
    letters = [form.menu.letter for form in FORMS if form.menu] + [line.letter for line in SCREEN_LINES.values()]
    assert len(letters) == len(set(letters))
    assert set(letters) <= set(KEYS), "others move the bar"


class Bless(Command, frozen=True, tag="bless"):
    """An exercise: what its fields name is all that its form needs."""

    units: tuple[UnitId, ...]
    points: Points
    pool: PoolId = ""
    is_loud: bool = False


BLESS = Form("bless UNITS NUMBER [POOL] [loud]", "give points to several units", (Bless,))


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("todd 5", Bless(("todd",), 5)),
        ("todd bandit 5 armour", Bless(("todd", "bandit"), 5, "armour")),
        ("the boss 5 loud", Bless(("boss",), 5, is_loud=True)),
        ("todd 5 fat loud", Bless(("todd",), 5, "fatigue", True)),
    ],
)
def test_a_form_reads_and_prints_what_its_line_says(settings: dict[str, Setting], line: str, meant: Bless) -> None:
    setting = settings["occult-ops"]
    assert BLESS.hear(line.split(), setting) == SubmitCommand(meant)
    assert BLESS.hear(BLESS.print(meant, setting).split()[1:], setting) == SubmitCommand(meant)
    rest = line.partition(" 5 ")[2].split()
    assert BLESS.hear(["5", *rest], setting, {"units": meant.units}) == SubmitCommand(meant)


@pytest.mark.parametrize(
    ("line", "why", "is_begun"),
    [
        ("", "Type the unit", True),
        ("todd", "The command is incomplete: bless UNITS NUMBER [POOL] [loud].", True),
        ("todd 0", "0 is out of range: expected 1 to 1,000,000.", False),
        ("todd many", "No unit is called 'many'", False),
        ("todd 5 courage", "No number is called 'courage'", False),
        ("todd 5 armour loud now", "“now” was not understood", False),
    ],
)
def test_a_form_says_what_is_missing_and_what_is_wrong(
    settings: dict[str, Setting], line: str, why: str, is_begun: bool
) -> None:
    with pytest.raises(BattleboardError) as wrong:
        BLESS.hear(line.split(), settings["occult-ops"])
    assert why in str(wrong.value)
    assert isinstance(wrong.value, Missing) is is_begun


def means_something(line: str, setting: Setting) -> Command | None:
    """The command of a line, None where it is another thing or more words are wanted; a refusal is raised."""
    try:
        spoken = hear(line, setting)
    except Missing:
        return None
    return spoken.command if isinstance(spoken, SubmitCommand) else None


@pytest.mark.long
@given(st.data())
@examples(30)
def test_every_completion_parses(settings: dict[str, Setting], data: st.DataObject) -> None:
    """Word by word, for every form; what comes of it is printed as a line that means the same."""
    setting = settings[data.draw(st.sampled_from(RULESETS))]
    line = data.draw(st.sampled_from(sorted(BY_NAME)))
    for _ in range(data.draw(st.integers(1, DEPTH))):
        found = completions(f"{line} ", setting)
        if not found:
            break
        line = f"{line} {data.draw(st.sampled_from(found))}"
        command = means_something(line, setting)
        printed = line_of(command, setting) if command is not None else ""
        if command is not None and type(command).__name__ not in NO_LINE:
            assert means_something(printed, setting) == command, printed


@pytest.mark.long
@pytest.mark.parametrize("ruleset", sample(RULESETS))
def test_every_name_that_is_offered_first_parses(settings: dict[str, Setting], ruleset: str) -> None:
    setting = settings[ruleset]
    for name in BY_NAME:
        for word in completions(f"{name} ", setting):
            means_something(f"{name} {word}", setting)


LINES = (
    "shoot todd bandit", "shoot todd bandit free defence none", "act todd {act}",
    "face todd N", "take todd {weapon} free", "end", "initiative", "delay todd after bandit",
    "order todd first", "order todd after bandit", "ungroup todd", "surprise todd bandit",
    "now todd", "set todd prone", "set todd initiative 7", "set todd initiative -3",
    "set todd altitude 10", "set todd out flees", "set todd back", "set todd {budget} 3",
    "set todd {condition} 2", "set todd {condition} off", "damage todd bandit 5", "damage bandit 3 {pool}",
    "heal todd 3", "hp todd 12", "kill todd", "place todd {free}", "rounds todd 1",
    "give todd {item}", "lose todd {gear}", "stat todd {stat} 1",
    "add 3 {role} law {free} Cole at 20 hidden",
    "group todd bandit", "copy todd {free} 2", "remove todd bandit", "name todd Cole the Second",
    "marker todd bandit on fire 2",
    "side todd law neutral", "hide todd", "reveal todd", "open {free} N", "close {free} E",
    "lock {free} S", "break {free} W", "light dim", "light dark {free}", "lamp {free} 2 6 8", "lamp {free} off",
    "wall {free} N door", "wall {free} W nothing", "ground {free} -5.5", "smoke {free} 3 5 thin", "smoke clear",
    "zone D {free}", "wind E 2", "wind 0", "setoff {free}", "takeup {free}", "gm +10 high ground!", "gm -2.5",
    "ruling {ruling} {value}", "cover todd bandit 75 heavy!", "cover todd bandit seen", "note {free} a trap",
    "note todd has the key", "note all: bandit is a ghost", "note clear note-1", "roll 3d6+2 wolves there",
    "gm clear", "policy auto", "policy todd off", "policy law usual",
)  # fmt: skip


def test_there_is_a_line_for_every_kind_of_command() -> None:
    firsts = {line.split()[0] for line in LINES}
    assert {form.name for form in FORMS if form.makes} - firsts == {
        "finish",
        "move",
        "paint",
        "sheet",
        "wreck",
        "unlock",
    }


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_command_printed_as_a_line_parses_to_itself(
    settings: dict[str, Setting], ruleset: str, line: str
) -> None:
    setting = settings[ruleset]
    rules, battle = setting.rules, setting.battle
    first = {
        "act": next(action.id for action in rules.actions.values() if action.kind == "other" and not action.target),
        "budget": next(iter(rules.units.budgets)), "condition": next(iter(rules.units.conditions)),
        "free": "P12", "item": next(iter(rules.gear.weapons)), "pool": next(iter(rules.units.pools)),
        "role": next(iter(rules.units.sheets)), "ruling": next(iter(rules.rulings), ""),
        "stat": next(stat.id for stat in rules.units.stats.values() if type(stat.default) is int),
        "weapon": battle.unit("todd").gear.weapons[-1], "gear": battle.unit("todd").gear.weapons[-1],
    }  # fmt: skip
    ruling = rules.rulings.get(first["ruling"])
    first["value"] = "" if ruling is None else {bool: "yes", int: "2", str: "word"}[type(ruling.value)]
    if "{ruling}" in line and ruling is None:
        pytest.skip("no rulings")
    line = line.format(**first)
    try:
        command = means_something(line, setting)
    except BattleboardError as reason:
        pytest.fail(f"{line}: {reason}")
    assert command is not None, line
    printed = line_of(command, setting)
    assert means_something(printed, setting) == command, printed


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_move_is_printed_square_by_square(settings: dict[str, Setting], ruleset: str) -> None:
    setting = settings[ruleset]
    here = setting.battle.unit(setting.actor).at
    there = [square for way in Direction for square in (here.step(way), here.step(way).step(way))]
    said = 0
    for square in there:
        try:
            command = means_something(f"move {square.name}", setting)
        except BattleboardError:
            continue
        assert command is not None
        assert means_something(line_of(command, setting), setting) == command
        said += 1
    assert said


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_pool_budget_condition_and_stat_is_said_by_its_own_line(
    settings: dict[str, Setting], ruleset: str
) -> None:
    setting = settings[ruleset]
    units, unit = setting.rules.units, next(iter(setting.battle.units))
    lines = [f"heal {unit} 1 {pool}" for pool in units.pools] + [f"damage {unit} 1 {pool}" for pool in units.pools]
    lines += [f"set {unit} {condition} 2" for condition in units.conditions]
    lines += [f"set {unit} {budget} 1" for budget in units.budgets]
    lines += [f"stat {unit} {one.id} 1" for one in units.stats.values() if type(one.default) is int]
    for line in lines:
        command = means_something(line, setting)
        assert command is not None, line
        assert means_something(line_of(command, setting), setting) == command, line_of(command, setting)


def test_the_handbook_has_every_line_of_every_form() -> None:
    """When this fails: `uv run python scripts/write_tables.py`."""
    page = PAGE.read_text("utf-8")
    assert page == with_tables(page, {"tools": tools_table(SCREEN_LINES.values()), "commands": commands_table()})
    assert "<!-- table: tools" in page and "<!-- table: commands" in page
