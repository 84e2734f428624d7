"""The commands that people type first: each is one, or the message names the one that is meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from engine.battle.command import Act, Attack
from engine.battle.commands.note_commands import SetNote
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_edits import SetPosture
from engine.errors import BattleboardError, Illegal, Unknown
from engine.geometry.squares import parse_square
from engine.journal.session import Session
from engine.values import replace
from tests.rules.table import fight, ruleset
from tests.tui.play import session_for, shipped_rulesets
from tui.application.commands.actions import VERBS, actions_for, brief_line
from tui.application.commands.registry import BY_WORD, FORMS, find_form, hear
from tui.application.commands.results import Setting, SubmitCommand, TextResult
from tui.application.commands.runner import do
from tui.application.commands.unit_edits import parse_changes
from tui.application.keys.battle_keys import with_keys
from tui.application.reports.rules_report import rules_about

TYPED = ("damage", "heal", "kill", "hp", "grenade", "throw", "prone", "overwatch", "status", "tour", "rules", "export",
         "undo")  # fmt: skip


def setting(session: Session, unit: str = "") -> Setting:
    return Setting(session.battle, session.rules, unit)


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return session_for(tmp_path_factory.mktemp("battle"), "warehouse", "occult-ops")


Battles = Callable[[str], Session]


@pytest.fixture(scope="module")
def battles(tmp_path_factory: pytest.TempPathFactory) -> Battles:
    return cache(lambda name: session_for(tmp_path_factory.mktemp(name), "warehouse", name))


@pytest.mark.parametrize("word", TYPED)
def test_the_word_is_a_command(word: str) -> None:
    assert word in BY_WORD and BY_WORD[word].means


@pytest.mark.parametrize(
    ("word", "meant"),
    [("wound", "damage"), ("health", "hp"), ("cure", "heal"), ("dead", "kill"), ("lob", "throw"), ("report", "export"),
     ("manual", "rules"), ("lie", "prone"), ("watch", "overwatch"), ("spawn", "add"), ("teleport", "place"),
     ("put", "place"), ("condition", "set"), ("modifier", "gm"), ("show", "reveal"), ("sneak", "hide"),
     ("delete", "remove"), ("skip", "end"), ("pass", "end"), ("melee", "shoot"), ("wait", "delay")],
)  # fmt: skip
def test_a_word_of_the_same_meaning_names_the_command(warehouse: Session, word: str, meant: str) -> None:
    with pytest.raises(Illegal, match=f"Did you mean .{meant}[ ”]"):
        find_form(word, setting(warehouse))


@pytest.mark.parametrize(
    ("line", "lines"),
    [("burst", ("shoot UNIT short-burst", "shoot UNIT medium-burst")), ("aim", ("shoot UNIT aimed",)),
     ("stand", ("act rise", "act get-up")), ("grapple nest", ("shoot UNIT tackle", "shoot UNIT hold")),
     ("run F7", ("move SQUARE by run",)), ("raven kick", ("shoot UNIT snap-kick", "shoot UNIT karate-kick")),
     ("crouch", ("act kneel",)), ("hand to hand", ("shoot UNIT backhand", "shoot UNIT karate-chop"))],
)  # fmt: skip
def test_what_a_unit_does_is_named_by_the_action_of_the_ruleset(
    warehouse: Session, line: str, lines: tuple[str, ...]
) -> None:
    meant = " or ".join(f"“{one}”" for one in lines)
    with pytest.raises(Illegal, match=f"Did you mean {meant}\\?"):
        hear(line, setting(warehouse))


def test_what_the_ruleset_has_no_action_for_is_said(warehouse: Session) -> None:
    with pytest.raises(Illegal, match="Occult Ops has no charge; “actions” lists what a unit may do"):
        hear("charge", setting(warehouse))


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
@pytest.mark.parametrize("word", sorted({word for words in VERBS.values() for word in words if " " not in word}))
def test_a_suggested_action_is_a_line_that_is_understood(battles: Battles, name: str, word: str) -> None:
    session = battles(name)
    units = list(session.battle.units)
    for action in actions_for(word, session.rules):
        line = brief_line(action).replace("UNIT", units[1]).replace("SQUARE", session.battle.units[units[0]].at.name)
        try:
            hear(line, setting(session, units[0]))
        except BattleboardError as reason:
            assert not isinstance(reason, Unknown), (line, str(reason))


def test_the_board_names_its_keys_beside_the_command(warehouse: Session) -> None:
    on_board = replace(setting(warehouse), name_keys=with_keys)
    for word, key in {"spawn": "+ a", "pass": "e", "kneeling": "a n", "modifier": "g", "aim": "a a"}.items():
        with pytest.raises(Illegal, match=re.escape(f"” ({key})")):
            find_form(word, on_board)


def test_words_for_doors_and_replays_say_what_does_it(warehouse: Session) -> None:
    with pytest.raises(Illegal, match="Did you mean “open SQUARE"):
        find_form("door", setting(warehouse))
    with pytest.raises(Illegal, match="The library replays a battle"):
        find_form("replay", setting(warehouse))
    with pytest.raises(Illegal, match=re.escape(with_keys("The library ({battle.library}) replays a battle"))):
        find_form("replay", replace(setting(warehouse), name_keys=with_keys))
    with pytest.raises(Unknown, match=r"delay and more\.$"):
        find_form("qqqqq", setting(warehouse))


@pytest.mark.parametrize(
    "term",
    ["round", "turn", "action", "unit", "hit", "move", "los", "see", "over", "win", "wound", "condition", "burst",
     "blast", "scene", "map", "side", "seat", "token", "party", "dodge", "cover", "ready", "surprise", "roll"],
)  # fmt: skip
def test_a_term_of_the_game_is_a_command_or_refused_but_never_an_abbreviation(warehouse: Session, term: str) -> None:
    if term not in BY_WORD:
        with pytest.raises((Illegal, Unknown)):
            find_form(term, setting(warehouse))
    assert find_form("overw", setting(warehouse)).name == "overwatch"


def test_round_and_a_number_changes_no_ammunition_and_names_what_may_be_meant(warehouse: Session) -> None:
    before = warehouse.battle
    with pytest.raises(Illegal, match=r"Did you mean “end” or “rounds \[UNIT\] NUMBER \[WEAPON\]”\?"):
        do(warehouse, "round 2")
    assert warehouse.battle == before


def test_no_word_of_the_same_meaning_is_a_command() -> None:
    assert not [word for form in FORMS for word in form.like if word in BY_WORD]


def test_a_grenade_is_thrown_with_what_is_carried(warehouse: Session) -> None:
    spoken = hear("grenade raven", setting(warehouse, "spark"))
    assert isinstance(spoken, SubmitCommand)
    assert spoken.command == Attack("spark", "raven", "frag-grenade", "attack")
    spoken = hear("throw spark raven with concussion", setting(warehouse))
    assert isinstance(spoken, SubmitCommand)
    assert spoken.command == Attack("spark", "raven", "concussion-grenade", "attack")


@pytest.mark.parametrize("line", ["grenade", "grenade nest", "throw raven nest with desert"])
def test_who_has_nothing_to_throw_is_refused_with_a_reason(warehouse: Session, line: str) -> None:
    with pytest.raises(
        Illegal, match=r"(nothing to throw|cannot throw the Desert Eagle); Spark has 3 × Fragmentation grenade\."
    ):
        hear(line, setting(warehouse, "raven"))


@pytest.mark.parametrize("line", ["find grenade", "find grenades", "who has a grenade", "who has grenades?"])
def test_who_has_a_grenade_is_answered_in_one_line(warehouse: Session, line: str) -> None:
    told = hear(line, setting(warehouse, "raven"))
    assert isinstance(told, TextResult) and len(told.lines) == 1
    assert "Spark has 3 × Fragmentation grenade" in told.lines[0]


def test_who_and_find_name_what_is_meant_where_it_is_no_weapon(warehouse: Session) -> None:
    with pytest.raises(Illegal, match=r"Did you mean “sight .*” or “view \[UNIT\]”\?"):
        hear("who sees raven", setting(warehouse))
    for line in ("who raven", "find raven", "find"):
        with pytest.raises(Illegal, match=r"Did you mean “units \[UNITS\]”\?"):
            hear(line, setting(warehouse))
    alone = hear("who", setting(warehouse))
    assert isinstance(alone, TextResult) and alone.title == "Turn order"


def test_where_nobody_has_a_grenade_the_command_that_gives_one_is_named(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    with pytest.raises(
        Illegal, match=r"Todd has nothing to throw; nobody has: “(give todd \S+)” gives one\."
    ) as refused:
        hear("grenade bandit", setting(session, "todd"))
    do(session, str(refused.value).split("“")[1].split("”")[0])
    spoken = hear("grenade bandit", setting(session, "todd"))
    assert isinstance(spoken, SubmitCommand)
    session.close()


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_overwatch_is_the_action_of_the_ruleset_or_says_that_there_is_none(tmp_path: Path, name: str) -> None:
    session = session_for(tmp_path, "warehouse", name)
    unit = next(iter(session.battle.units))
    try:
        spoken = hear("overwatch", setting(session, unit))
    except BattleboardError as reason:
        assert "has no overwatch" in str(reason) and name in ("cwn", "volt")
        return
    assert isinstance(spoken, SubmitCommand) and isinstance(spoken.command, Act)
    assert session.rules.actions[spoken.command.action].letter[:1] == "o"


def test_prone_and_status(warehouse: Session) -> None:
    spoken = hear("prone raven", setting(warehouse))
    assert isinstance(spoken, SubmitCommand) and spoken.command == SetPosture("raven", "prone")
    told = hear("status raven ox", setting(warehouse))
    assert isinstance(told, TextResult) and [line.split(" ")[0] for line in told.lines] == ["Raven", "Ox"]


@pytest.mark.parametrize(("verb", "posture"), [("prone", "prone"), ("kneel", "kneeling"), ("stand", "standing")])
@pytest.mark.parametrize("named", ["raven ox", "raven,ox", "raven, ox and spark", "all"])
def test_a_posture_is_set_for_several_units_at_once(warehouse: Session, verb: str, posture: str, named: str) -> None:
    spoken = hear(f"{verb} {named}", setting(warehouse))
    assert isinstance(spoken, SubmitCommand) and isinstance(spoken.command, EditUnits)
    three = ("raven", "ox", "spark")
    wanted = list(warehouse.battle.units) if named == "all" else [unit for unit in three if unit in named]
    assert spoken.command.edits == tuple(SetPosture(unit, posture) for unit in wanted)


def test_who_takes_an_action_without_a_target_may_stand_behind_it(warehouse: Session) -> None:
    for line in ("reload raven", "raven reload", "act raven reload"):
        spoken = hear(line, setting(warehouse, "ox"))
        assert isinstance(spoken, SubmitCommand) and spoken.command == Act("raven", "reload")


def test_an_unknown_condition_lists_those_of_the_ruleset_and_a_misspelt_one_is_named(warehouse: Session) -> None:
    with pytest.raises(Illegal, match=r"is called 'stunned'\. Conditions of Occult Ops: “intimidated”, .*“blinded”"):
        hear("set raven stunned", setting(warehouse))
    with pytest.raises(Unknown, match="Did you mean 'intimidated'"):
        hear("set raven intimidatd", setting(warehouse))


def test_kneel_alone_is_the_action_with_its_cost(warehouse: Session) -> None:
    for line in ("kneel", "raven kneel"):
        spoken = hear(line, setting(warehouse, "raven"))
        assert isinstance(spoken, SubmitCommand) and spoken.command == Act("raven", "kneel")


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_a_rule_is_looked_up(tmp_path: Path, name: str) -> None:
    session = session_for(tmp_path, "warehouse", name)
    told = hear("rules cover", setting(session))
    assert isinstance(told, TextResult)
    whole = hear("rules", setting(session))
    assert isinstance(whole, TextResult) and 5 < len(told.lines) < len(whole.lines) / 2
    assert any("cover" in line.casefold() for line in told.lines[:4])
    assert told.more and any(line.strip().startswith("source:") for line in told.more())
    with pytest.raises(Illegal, match=r"No rule of .* has “zebra”"):
        hear("rules zebra", setting(session))


def test_the_battle_is_written_where_the_program_was_started(
    warehouse: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = [do(warehouse, line)[0][0] for line in ("export", "export", "export toml")]
    names = sorted(path.name for path in tmp_path.iterdir())
    stem = warehouse.journal.path.stem
    assert names == sorted([f"{stem}.md", f"{stem}-2.md", f"{stem}.toml"])
    assert all(line.startswith("Saved as ") for line in said)


def test_an_unknown_condition_is_answered_with_quoted_names_and_how_many_others_there_are() -> None:
    battle = fight("volt", "a....", a="rifleman").battle
    with pytest.raises(Illegal) as refused:
        parse_changes("asleep", ["a"], Setting(battle, ruleset("volt")))
    named = re.findall("“([^”]*)”", str(refused.value))
    labels = [one.label for one in ruleset("volt").units.conditions.values()]
    assert named == labels[: len(named)] and str(refused.value).endswith(f" and {len(labels) - len(named)} others.")


def test_a_rule_that_is_looked_up_has_its_whole_formula_and_those_that_mention_it_a_heading() -> None:
    lines = rules_about(ruleset("volt"), "Guard")
    assert not [line for line in lines if "--formulas" in line]
    between = lines.index("Other rules that mention “Guard”:")
    assert any("the target's weapon's guard" in line for line in lines[:between])
    for part in (lines[:between], lines[between:]):
        headings = [line for line in part if line.isupper()]
        assert len(headings) == len(set(headings))


def test_a_note_may_have_a_colon_behind_the_unit_or_the_square(warehouse: Session) -> None:
    def note(line: str) -> SetNote:
        spoken = hear(line, setting(warehouse))
        assert isinstance(spoken, SubmitCommand) and isinstance(spoken.command, SetNote)
        return spoken.command

    for colon in ("", ":"):
        assert note(f"note raven{colon} will flank") == SetNote("will flank", unit="raven")
        assert note(f"note gun nest{colon} a trap: loud") == SetNote("a trap: loud", unit="nest")
        assert note(f"note D4{colon} a trap") == SetNote("a trap", parse_square("D4"))
    assert note("note rain: from round 4") == SetNote("rain: from round 4")
    assert note("note all: raven: flanks") == SetNote("raven: flanks")


@pytest.mark.parametrize("words", ["semi", "semi-auto", "overwatch-semi"])
def test_overwatch_names_its_mode_of_fire(tmp_path: Path, words: str) -> None:
    session = session_for(tmp_path, "warehouse", "aog")
    armed = next(
        unit.id
        for unit in session.battle.units.values()
        if session.rules.gear.weapons[unit.gear.weapon].fields.get("semi")
    )
    spoken = hear(f"overwatch with {words}", setting(session, armed))
    assert isinstance(spoken, SubmitCommand) and spoken.command == Act(armed, "overwatch", attack="overwatch-semi")
    session.close()


def test_an_action_that_declares_no_attack_says_so(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse", "aog")
    unit = next(iter(session.battle.units))
    with pytest.raises(BattleboardError, match="“Kneel” declares no attack"):
        hear("act kneel with semi", setting(session, unit))
    session.close()


def test_throwing_knives_are_no_grenades(tmp_path: Path) -> None:
    with closing(session_for(tmp_path, ruleset="cwn")) as session:
        knives = [one for one in session.rules.gear.weapons.values() if one.kind == "thrown" and "knife" in one.id]
        do(session, f"give todd {knives[0].id}")
        (said,) = do(session, "find grenade")[0]
        assert knives[0].label not in said
        (said,) = do(session, "who has something to throw")[0]
        assert f"{knives[0].label}" in said
