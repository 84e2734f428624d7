"""A typed line: what it is heard as, under every ruleset; what it cannot be is one sentence and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answers import GivenAnswer, typed_dice
from engine.battle.attacks.split_hits import share_answers
from engine.battle.command import Act, Attack, Command, EndTurn, Move
from engine.battle.commands.gear_commands import Give, SetStat, TakeAway
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.roster_commands import RemoveUnit, SetOut
from engine.battle.commands.ruling_commands import Adjust
from engine.battle.commands.scene_commands import ClearCharge, ClearCloud, SetCloud, SetOff, SetWind
from engine.battle.commands.terrain_commands import SetBarrier
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import DamageUnits, HealUnits, Place, SetPool, SetPosture
from engine.battle.defence_choices import defence_question
from engine.errors import BattleboardError
from engine.geometry.squares import Direction, Square, edge_of, parse_square
from engine.journal.session import Session
from engine.rules.model import SQUARE
from tests.examples import examples, sample
from tests.tui.play import session_for, shipped_rulesets
from tui.application.commands.completion import completed, completions
from tui.application.commands.registry import BY_NAME, BY_WORD, hear
from tui.application.commands.results import Setting, Spoken, SubmitCommand, TextResult, UndoRedo
from tui.application.commands.runner import do


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return session_for(tmp_path_factory.mktemp("battle"))


def heard(session: Session, line: str) -> Spoken:
    return hear(line, Setting(session.battle, session.rules, steps=session.history.steps()))


def command(session: Session, line: str) -> Command:
    spoken = heard(session, line)
    assert isinstance(spoken, SubmitCommand)
    return spoken.command


def refused(session: Session, line: str) -> str:
    with pytest.raises(BattleboardError) as caught:
        heard(session, line)
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("shoot todd bandit", Attack("todd", "bandit")),
        ("shoot bandit", Attack("todd", "bandit")),
        ("Todd shoots", None),
        ("SHOOT the boss", Attack("todd", "boss")),
        ("shoot todd the boss aimed", Attack("todd", "boss", action="aimed")),
        ("fire deputy bandit short burst with assault rifle free",
         Attack("deputy", "bandit", "assault-rifle", "short-burst", is_free=True)),
        ("shoot todd bandit defence none", Attack("todd", "bandit")),
        ("shoot D4", Attack("todd", "", square=parse_square("D4"))),
        ("todd kneel", Act("todd", "kneel")),
        ("kneel", Act("todd", "kneel")),
        ("act deputy go prone", Act("deputy", "go-prone")),
        ("kneel free", Act("todd", "kneel", is_free=True)),
        ("setoff D4", SetOff(parse_square("D4"))),
        ("takeup at D4", ClearCharge(parse_square("D4"))),
        ("face todd nw", Face("todd", Direction.NW)),
        ("take deputy ass", Ready("deputy", "assault-rifle")),
        ("take deputy ass free", Ready("deputy", "assault-rifle", is_free=True)),
        ("end", EndTurn()),
        ("initiative", RollInitiative()),
        ("place ban F7", Place("bandit", parse_square("F7"))),
        ("set todd -5", SetPool("todd", "hp", 15)),
        ("damage todd 5", DamageUnits(("todd",), 5)),
        ("damage todd 2 armour", DamageUnits(("todd",), 2, "armour")),
        ("damage the boss 99", DamageUnits(("boss",), 99)),
        ("damage todd deputy 3", DamageUnits(("todd", "deputy"), 3)),
        ("damage law 2", DamageUnits(("todd", "marshal", "deputy", "tracker"), 2)),
        ("stat todd dexterity 9", SetStat("todd", "dexterity", 9)),
        ("stat todd dexterity +1", SetStat("todd", "dexterity", 9)),
        ("heal todd 3", HealUnits(("todd",), 3)),
        ("hp todd 12", SetPool("todd", "hp", 12)),
        ("hp todd -5", SetPool("todd", "hp", 15)),
        ("kill todd", SetOut("todd", "killed")),
        ("kill the boss bleeds out", SetOut("boss", "bleeds out")),
        ("set the boss prone", SetPosture("boss", "prone")),
        ("smoke D4 3 5 thin", SetCloud(parse_square("D4"), 3, 1, 5)),
        ("smoke clear", ClearCloud()),
        ("wind e 2", SetWind(Direction.E, 2)),
    ],
)  # fmt: skip
def test_lines_are_commands(session: Session, line: str, meant: Command | None) -> None:
    if meant is None:
        assert "“shoots” is left over" in refused(session, line) or "called" in refused(session, line)
    else:
        assert command(session, line) == meant


def test_a_move_finds_its_way_through_the_squares_named(session: Session) -> None:
    straight = command(session, "move P9")
    assert isinstance(straight, Move)
    assert (straight.unit, straight.path[0].name, straight.path[-1].name) == ("todd", "N10", "P9")
    round_about = command(session, "todd move to N8 P8 P9")
    assert isinstance(round_about, Move)
    assert [parse_square(name) in round_about.path for name in ("N8", "P8", "P9")] == [True] * 3
    run = command(session, "move todd N14 by run")
    assert isinstance(run, Move)
    assert run.action == "run"


def test_dice_are_typed_behind_or_asked_for(session: Session) -> None:
    spoken = heard(session, "shoot bandit dice 45 / 4 6")
    assert isinstance(spoken, SubmitCommand)
    assert (spoken.answers, spoken.asks) == (typed_dice([(45,), (4, 6)]), False)
    spoken = heard(session, "shoot bandit dice")
    assert isinstance(spoken, SubmitCommand)
    assert (spoken.answers, spoken.asks) == ((), True)


def test_the_game_masters_lines(session: Session) -> None:
    adjust = command(session, "gm +10 high ground")
    assert isinstance(adjust, Adjust)
    assert (adjust.adjustment.value, adjust.adjustment.label) == (10, "high ground")
    assert heard(session, "undo 3") == UndoRedo(3)
    assert heard(session, "redo") == UndoRedo(-1)


def test_doors_by_their_square(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse")
    edge = next(edge for edge, barrier in session.battle.field.barriers.items() if barrier.can_open)
    square = edge.squares[0]
    side = next(side for side in (Direction.N, Direction.E, Direction.S, Direction.W) if edge_of(square, side) == edge)
    assert command(session, f"open {square.name} {side.name}") == SetBarrier(edge, "open")
    assert "no door on its sides" in refused(session, "open A1") or "off the map" in refused(session, "open A1")


def test_changes_to_the_ledger_name_the_lines_of_the_attack_looked_at(session: Session) -> None:
    setting = Setting(session.battle, session.rules)
    looked = hear("odds todd bandit", setting)
    assert isinstance(looked, TextResult)
    assert looked.attack == Attack("todd", "bandit")
    off = hear("gm 2 off", Setting(session.battle, session.rules, attack=looked.attack))
    assert isinstance(off, SubmitCommand)
    assert isinstance(off.command, Adjust)
    assert off.command.adjustment.active is False


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("move T M10", "move todd M10"),
        ("T move M10", "move todd M10"),
        ("place b D6", "place bandit D6"),
        ("shoot b", "shoot todd bandit"),
        ("shoot b T", "shoot bandit todd"),
        ("face T N", "face todd N"),
        ("face N", "face todd N"),
        ("cover b T half", "cover bandit todd half"),
        ("delay b after c", "delay bandit after cutter"),
    ],
)
def test_a_units_letter_on_the_board_stands_for_its_name(session: Session, line: str, meant: str) -> None:
    asked = Setting(session.battle, session.rules, "todd")
    assert session.battle.badges["bandit"] == "b" and session.battle.badges["todd"] == "T"
    assert hear(line, asked) == hear(meant, asked)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "“help” lists them"),
        ("move q D4", "No unit is called 'q'"),
        ("mvoe F7", "Did you mean 'move'"),
        ("shoot", "Type a target"),
        ("shoot bandot", "Did you mean 'bandit'"),
        ("shoot todd bandit wibble", "No attack of Todd is called 'wibble'"),
        ("shoot D4 bandit", "D4 is a square and cannot attack"),
        ("move", "A square is missing"),
        ("move todd ZZ99", "ZZ99"),
        ("move todd P9 by wings", "No move is called 'wings'"),
        ("todd", "No command is called 'todd'"),
        ("out bandit flees", "“set UNITS CONDITION [ROUNDS|off]|POSTURE|NUMBER|POOL NUMBER"),
        ("kneel now", "No unit is called 'now'"),
        ("end it", "“it” was not understood"),
        ("smoke", "(radius)"),
        ("set todd prone 3", "“prone” takes no number: set todd prone."),
        ("undo -1", "Type a number of commands"),
        ("shoot bandit dice x", "is no roll. Type a number"),
        ("log many", "Type a number of lines"),
        ("ruling", "Type the ruling"),
        ("gm 99 off", "There is no modifier 99: no attack has a target"),
        ("gm AC: total defence off", "There is no modifier “AC: total defence”: no attack has a target now."),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(session: Session, line: str, said: str) -> None:
    assert said in refused(session, line)


QUESTIONS = (
    "=", "= bandit", "= D4", "= todd bandit", "units", "order", "actions", "actions bandit", "log", "log 3", "rulings",
    "map", "odds boss todd", "sight todd bandit", "sight D4 H9", "view", "reach", "reach todd P9", "help",
    "help shoot",
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_questions_are_answered_under_every_ruleset(tmp_path: Path, ruleset: str) -> None:
    session = session_for(tmp_path, ruleset=ruleset)
    for line in QUESTIONS:
        spoken = heard(session, line)
        assert isinstance(spoken, TextResult), line
        assert any(spoken.lines), line


def test_a_unit_a_square_and_a_shot_in_words(session: Session) -> None:
    told = heard(session, "= bandit")
    assert isinstance(told, TextResult)
    assert told.lines[0].startswith("Bandit (gunman, outlaws) at R10, facing W, standing: hit points 20 of 20")
    assert told.lines[1].startswith("Todd → Bandit, 20 ft, short: 59 % to hit. 56 % visible; the cart at Q10")
    assert "Roll 1d100 under 60." in told.lines[1]
    (square,) = heard(session, "= D4").lines  # type: ignore[union-attr]
    assert square.startswith("D4: ")


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_every_action_can_be_said(tmp_path: Path, ruleset: str) -> None:
    """By its id and by its label: attacks of weapons that somebody holds, moves and other acts of everybody."""
    session = session_for(tmp_path, ruleset=ruleset)
    unit = session.battle.turns.active
    for action in session.rules.actions.values():
        for name in (action.id, action.label):
            if action.kind == "other":
                if action.target == SQUARE:
                    said = command(session, f"act {unit} {name} at B2")
                    assert said == Act(unit, action.id, square=parse_square("B2"))
                    continue
                target = f" on {unit}" if action.target else ""
                assert command(session, f"act {unit} {name}{target}") == Act(unit, action.id, unit * bool(target))
            elif action.kind == "move":
                said = command(session, f"move {unit} {session.battle.unit(unit).at.name} by {name}")
                assert isinstance(said, Move)
                assert said.action == action.id


WORDS = st.sampled_from(
    [*BY_WORD, "todd", "bandit", "the", "boss", "D4", "P9", "ZZ9", "by", "with", "dice", "45", "/", "-5", "at", "on",
     "aimed", "kneel", "defence", "none", "free", "clear", "N", "“", "[/]", "\x1b", "=", ":", "9" * 30, "", "é"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=7))
@examples(150)
def test_no_line_is_a_bug(session: Session, words: list[str]) -> None:
    setting = Setting(session.battle, session.rules, steps=session.history.steps())
    line = " ".join(words)
    completed(line, setting)
    try:
        hear(line, setting)
    except BattleboardError as reason:
        assert str(reason)


def test_completion(session: Session) -> None:
    setting = Setting(session.battle, session.rules)
    assert completed("sho", setting) == "shoot "
    assert completed("shoot ba", setting) == "shoot bandit "
    assert completions("shoot todd ", setting)[:2] == ["aimed", "attack"]
    assert "assault-rifle" in completions("shoot deputy bandit with ", setting)
    assert "assault-rifle" not in completions("shoot deputy bandit ", setting), "that would be no attack"
    assert completed("shoot todd bandit short", setting) == "shoot todd bandit short-burst "
    assert "long-burst" not in completions("shoot todd bandit with knife ", setting)
    assert completed("act todd ", setting) == "act todd "
    assert completed("zzz t", setting) == "zzz t"
    assert completed(":und", setting) == ":undo "
    assert set(completions("", setting)) == set(BY_NAME)


@pytest.fixture
def gear(tmp_path: Path) -> Iterator[Session]:
    """A battle under rules with many weapons, among them two mines."""
    session = session_for(tmp_path, "rooftops", "aog")
    yield session
    session.close()


def test_completion_finds_a_thing_by_any_word_of_its_name(gear: Session) -> None:
    setting = Setting(gear.battle, gear.rules)
    assert completions("give guard mine", setting) == ["anti-personnel-mine", "claymore-mine"]
    assert "frag-grenade" in completions("give guard gre", setting)
    assert completed("give guard mine", setting) == "give guard mine", "neither is taken for the other"
    assert completed("give guard clay", setting) == "give guard claymore-mine "
    assert completed("give guard personnel", setting) == "give guard anti-personnel-mine "


def test_a_word_that_is_in_one_name_alone_stands_for_it(gear: Session) -> None:
    assert command(gear, "give guard personnel") == Give("guard", "anti-personnel-mine")
    assert command(gear, "give guard person mine") == Give("guard", "anti-personnel-mine")
    assert command(gear, "take guard legate free") == Ready("guard", "assault-rifle-rng-13-legate", is_free=True)
    assert command(gear, "lose guard r9") == TakeAway("guard", "pistol-delmar-r9")
    assert "“mine” is ambiguous: type more of anti-personnel-mine, claymore-mine" in refused(gear, "give guard mine")


def test_the_square_and_unit_in_focus_are_meant_where_none_is_said(session: Session) -> None:
    setting = Setting(session.battle, session.rules, "deputy", Square(3, 3))
    spoken = hear("shoot bandit", setting)
    assert isinstance(spoken, SubmitCommand)
    assert spoken.command == Attack("deputy", "bandit")
    here = hear("=", setting)
    assert isinstance(here, TextResult)
    assert here.lines[0].startswith("D4: ")
    cloud = hear("smoke 2", setting)
    assert isinstance(cloud, SubmitCommand)
    assert cloud.command == SetCloud(Square(3, 3), 2)


def test_hits_are_shared_in_words(session: Session) -> None:
    one, other, third = list(session.battle.units)[:3]
    said = heard(session, f"shoot {one} {other} share 2 to {third}")
    assert isinstance(said, SubmitCommand)
    assert (said.command, said.answers) == (Attack(one, other), share_answers(((third, 2),)))
    assert "Type a number of hits" in refused(session, f"shoot {one} {other} share some to {third}")


def test_parts_of_an_attack_may_stand_before_or_behind_its_dice(session: Session) -> None:
    shot, nobody = Attack("todd", "bandit"), GivenAnswer(defence_question("bandit"), choose="")
    for line in ("shoot bandit defence none dice 45 / 4", "shoot bandit dice 45 / 4 defence none"):
        spoken = heard(session, line)
        assert isinstance(spoken, SubmitCommand)
        assert (spoken.command, spoken.answers, spoken.asks) == (shot, (nobody, *typed_dice([(45,), (4,)])), False)
    spoken = heard(session, "shoot bandit dice free")
    assert isinstance(spoken, SubmitCommand)
    assert spoken.asks
    assert "is no roll. Type a number" in refused(session, "shoot bandit dice 45 / many")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("damage", "Type the unit"),
        ("damage todd", "Type an amount after the unit: damage todd 5."),
        ("heal todd -3", "Type an amount after the unit: heal todd 5."),
        ("heal todd 3 courage", "courage"),
        ("hp todd", "Type a value or a change after the unit: hp todd 12, hp todd -5."),
        ("kill nobody", "nobody"),
        ("kill todd the boss", "One unit at a time: kill todd, then kill boss."),
    ],
)
def test_the_words_for_hit_points_say_what_is_missing(session: Session, line: str, why: str) -> None:
    assert why in refused(session, line)


def test_the_words_for_hit_points_are_completed_and_listed(session: Session) -> None:
    setting = Setting(session.battle, session.rules)
    told = heard(session, "help")
    assert isinstance(told, TextResult)
    for name, form in {"damage": "UNIT", "heal": "UNIT", "hp": "UNIT NUMBER", "kill": "UNIT", "undo": ""}.items():
        assert completed(name[:3], setting).startswith(name)
        assert any(line.startswith(f"{name} {form}".rstrip()) for line in told.lines)
    assert completed("kill ban", setting) == "kill bandit "
    assert "armour" in completions("heal todd 3 ", setting)


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_what_is_taken_by_a_word_is_given_back_and_undone(tmp_path: Path, ruleset: str) -> None:
    session = session_for(tmp_path, ruleset=ruleset)
    before = session.battle
    first = next(iter(session.rules.units.pools))
    full = before.unit("todd").pools[first]
    do(session, "damage todd 5")
    assert session.battle.unit("todd").pools[first] == full - 5
    do(session, "heal todd 3")
    assert session.battle.unit("todd").pools[first] == full - 2
    do(session, "heal todd 30")
    assert session.battle.unit("todd").pools[first] == full
    do(session, "hp todd 4")
    assert session.battle.unit("todd").pools[first] == 4
    lines, _ = do(session, "kill bandit")
    assert session.battle.unit("bandit").is_defeated and "killed" in " ".join(lines)
    do(session, "undo 5")
    assert session.battle == before
    session.close()


def test_every_command_for_several_units_reads_them_alike(tmp_path: Path) -> None:
    """Names, a side, a group, what numbered units are called; with commas or blanks."""
    session = session_for(tmp_path)
    for line in ("add 2 rifleman outlaws D4 Goon", "group bandit, cutter"):
        do(session, line)
    ids = list(session.battle.units)
    goons = tuple(ids[-2:])
    law = tuple(unit.id for unit in session.battle.units.values() if unit.side == "law")
    for said, meant in {
        "todd bandit": ("todd", "bandit"),
        "todd, bandit": ("todd", "bandit"),
        "todd,bandit": ("todd", "bandit"),
        "todd and bandit": ("todd", "bandit"),
        "law": law,
        "bandit, law": ("bandit", *law),
        "group bandit": ("bandit", "cutter"),
        "goons": goons,
        "todd goon": ("todd", *goons),
    }.items():
        damage, heal = command(session, f"damage {said} 5"), command(session, f"heal {said} 5")
        assert isinstance(damage, DamageUnits) and isinstance(heal, HealUnits)
        assert set(damage.units) == set(heal.units) == set(meant), said
        remove = command(session, f"remove {said}")
        assert isinstance(remove, RemoveUnit) and {remove.unit, *remove.others} == set(meant)


def test_a_side_is_surprised_but_for_those_who_have_acted(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    first = session.battle.turns.active
    do(session, "end")
    side = session.battle.units[first].side
    lines, _ = do(session, f"surprise {side}")
    name = session.battle.units[first].name
    assert f"Left out: {name} has had its turn this round." in lines
    assert first not in session.battle.turns.surprised
    assert {unit.id for unit in session.battle.units.values() if unit.side == side} - {first} <= {
        *session.battle.turns.surprised,
        *(unit.id for unit in session.battle.units.values() if "surprised" in unit.conditions),
    }
    assert f"{name} has had its turn" in refused_by(session, f"surprise {first}")


def test_the_ledger_s_changes_are_typed_with_or_without_a_sign_and_reported(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    assert do(session, "gm 10 high ground")[0] == ["GM: “high ground” +10, next attack."]
    assert do(session, "gm clear")[0] == ["GM modifiers removed."]
    assert "no attack has a target now" in refused_by(session, "gm 3 off")


def refused_by(session: Session, line: str) -> str:
    with pytest.raises(BattleboardError) as caught:
        do(session, line)
    return str(caught.value)


def test_a_stat_is_known_by_the_short_name_of_its_label(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse", "eva")
    unit = next(iter(session.battle.units))
    assert command(session, f"stat {unit} bs 50") == SetStat(unit, "ballistic_skill", 50)


def test_actions_say_what_each_costs_and_how_it_is_typed(tmp_path: Path) -> None:
    session = session_for(tmp_path, "frontier-trail", "eva")
    do(session, "now deputy")
    lines, _ = do(session, "actions")
    told = " ".join(" ".join(lines).split())
    assert "shoot … standard 1 half action, 1 Attack" in told
    assert "act overwatch with …" in told
    assert "m away; this needs an adjacent square" in told
    assert not any(line.rstrip().endswith("…") for line in lines)
    assert "name one after “with”: standard, burst-2" in refused_by(session, "act overwatch")


@pytest.mark.parametrize("name", ["stat", "damage", "set", "hp"])
@pytest.mark.parametrize("ruleset", sample(shipped_rulesets(), 2))
def test_examples_of_the_help_fit_the_ruleset_in_play(tmp_path: Path, ruleset: str, name: str) -> None:
    session = session_for(tmp_path, "frontier-trail", ruleset)
    told = heard(session, f"help {name}")
    assert isinstance(told, TextResult)
    found = re.findall(rf"\b{name} [\w-]+(?: [\w-]+)* \+?-?\d+(?: [\w-]+)?", told.lines[1].partition(": ")[2])
    assert found
    for line in found:
        assert isinstance(heard(session, line), SubmitCommand), line


def test_a_unit_whose_id_looks_like_a_square_is_a_unit(session: Session) -> None:
    session.submit(command(session, "add gunman law C6 Tgt10"))
    said = heard(session, "= tgt10")
    assert isinstance(said, TextResult) and said.lines[0].startswith("Tgt10 (gunman, law) at C6")
    session.undo()


def test_an_attack_that_the_weapon_cannot_make_is_refused_as_such(tmp_path: Path) -> None:
    session = session_for(tmp_path, ruleset="aog")
    attack = command(session, "shoot todd bandit full auto")
    assert isinstance(attack, Attack)
    with pytest.raises(BattleboardError, match=r"Todd's Pistol.* has no “Full auto”"):
        session.submit(attack)
