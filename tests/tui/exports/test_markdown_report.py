"""The report to read: rounds, who did what with which dice, the ledgers folded, the fallen; nothing of it runs."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from engine.answers import typed_dice
from engine.battle import command as cmd
from engine.battle.attacks.attack_preview import consider
from engine.battle.commands.gear_commands import SetAmmunition
from engine.battle.commands.note_commands import SetNote, ThrowDice
from engine.battle.commands.order_commands import Delay, RollInitiative, SetTurn
from engine.battle.commands.roster_commands import AddUnit, RemoveUnit, SetHidden, SetOut
from engine.battle.commands.ruling_commands import Adjust, SetPolicy
from engine.battle.commands.scene_commands import SetOff
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import Place, SetAltitude, SetPool, SetPosture
from engine.battle.events import ConditionEnded
from engine.battle.state.reasons import Reason
from engine.geometry.squares import Direction, parse_square
from engine.rules.ledger import Adjustment
from tests.rules.table import defends, fight, given
from tui.application.exports.format_list import PLAYERS
from tui.application.exports.formats import exported
from tui.application.exports.markdown_report import plain
from tui.application.library.battle_files import new_battle, open_battle


def report(path: Path, side: str = "") -> str:
    with closing(open_battle(path, read_only=True)) as session:
        return exported(session, "markdown", side)


def test_the_report_describes_the_fight(battle: Path) -> None:
    text = report(battle)
    assert text.startswith("# Frontier trail\n")
    for heading in ("## Units", "## Round 1", "### Todd", "## Out of the fight", "## Ammunition spent"):
        assert f"\n{heading}\n" in text
    assert "rolled 45 (typed)" in text
    assert "<details><summary>Modifiers (1d100 under " in text
    assert text.count("<details>") == text.count("</details>") == 1
    assert "\n\n\n" not in text


def test_rounds_that_the_gm_takes_away_are_not_fired(battle: Path) -> None:
    fired = report(battle).split("## Ammunition spent")[1]
    assert "- Todd: 1 (USP9)" in fired
    with closing(open_battle(battle)) as session:
        session.submit(SetAmmunition("todd", 3))
    assert report(battle).split("## Ammunition spent")[1] == fired


def test_what_was_taken_back_is_not_reported(battle: Path) -> None:
    assert "### Bandit" not in report(battle)


def test_rounds_and_turns_without_an_action_are_left_out_and_one_who_gave_up_is_reported(battle: Path) -> None:
    with closing(open_battle(battle)) as session:
        session.submit(SetOut("bandit", "surrenders"))
        session.submit(SetPolicy("off"))
        session.submit(RollInitiative())
        session.submit(cmd.EndTurn())
    text = report(battle)
    assert text.count("## Round 1\n") == 1
    assert not re.search(r"### .*\n\n##", text)
    assert "- Bandit (surrenders), in round 1" in text and "never" not in text
    assert "GM: Bandit: surrenders." in text


def test_the_gms_notes_are_not_given_away(battle: Path) -> None:
    with closing(open_battle(battle)) as session:
        session.submit(SetNote("The Boss is a ghost.", unit="boss"))
        session.submit(SetNote("", note="note-1"))
        session.submit(ThrowDice("d6", "Wolves"))
    text = report(battle, PLAYERS)
    assert "ghost" not in text and "Wolves" not in text
    assert "The Boss is a ghost." in report(battle), "the GM's own report is whole"


def test_a_mine_that_lies_there_is_not_given_away(tmp_path: Path) -> None:
    with closing(new_battle("warehouse", "cwn", "seed", tmp_path)) as session:
        session.submit(AddUnit("sapper", "crew", parse_square("H9"), "Sap"))
        session.submit(Ready("sap", "anti-personnel-mine", is_free=True))
        session.submit(cmd.Act("sap", "lay-mine", square=parse_square("G8"), is_free=True))
        path = session.journal.path
    text = report(path, PLAYERS)
    assert "G8" not in text and "2 → 1" not in text and "G8" in report(path)
    with closing(open_battle(path)) as session:
        session.submit(SetPool("sap", "hp", 1))
        session.submit(SetPool("sap", "soak", 0))
        session.submit(SetOff(parse_square("G8")), typed_dice(((8,), (1,), (1,))))
    text = report(path)
    assert "Anti-personnel mine goes off on G8." in text
    assert "- Sap, in round 1, by Anti-personnel mine\n" in text


def test_lines_that_count_nothing_are_named_in_one(tmp_path: Path) -> None:
    with closing(new_battle("frontier-trail", "cwn", "seed", tmp_path)) as session:
        session.submit(cmd.Attack("todd", "bandit", is_free=True))
        path = session.journal.path
    assert "  No effect: range, minor cover.\n" in report(path)


def test_one_who_takes_up_a_turn_has_a_heading(battle: Path) -> None:
    with closing(open_battle(battle)) as session:
        session.submit(RollInitiative())
        session.submit(Delay(session.battle.turns.active, session.battle.turns.order[-1]))
        waits = session.battle.turns.order[-1]
        while session.battle.turns.active != waits:
            session.submit(cmd.EndTurn())
        facing = Direction.N if session.battle.unit(waits).facing is Direction.S else Direction.S
        session.submit(Face(waits, facing))
    text = report(battle)
    assert f"### {session.battle.unit(waits).name}\n" in text[text.rindex("###") - 1 :]


def test_who_is_hidden_from_the_players_is_not_reported(battle: Path) -> None:
    with closing(open_battle(battle)) as session:
        session.submit(AddUnit("gunman", "ghosts", parse_square("M9"), "Ambusher", is_hidden=True))
        session.submit(SetAltitude("ambusher~", 500))
        session.submit(cmd.Attack("ambusher~", "todd", "", "", is_free=True))
        session.submit(cmd.Attack("todd", "ambusher~", "", "", is_free=True))
    text = report(battle, PLAYERS)
    assert "mbusher" not in text and "ghosts" not in text
    assert "**An unseen attacker attacks Todd: " in text
    assert "- **Todd attacks an unseen target with USP9.**" in text
    assert "*The players' view. Left out: units while they are hidden, " in text
    assert "the Game Master's notes and rolls.*" in text
    assert "| Ambusher | ghosts | gunman |" in (whole := report(battle)) and "| hidden |" in whole
    assert "Todd → Ambusher" in whole and "*For you alone: it shows hidden units" in whole
    with closing(open_battle(battle)) as session:
        session.submit(SetHidden("ambusher~", is_hidden=False))
    text = report(battle, PLAYERS)
    assert "Ambusher is shown to the players." in text and "| Ambusher | ghosts |" in text
    assert "Ambusher → " not in text


def test_who_was_hidden_right_after_joining_was_never_seen(battle: Path) -> None:
    with closing(open_battle(battle)) as session:
        session.submit(cmd.Attack("todd", "bandit", is_free=True))
        session.submit(AddUnit("gunman", "ghosts", parse_square("M9"), "Ambusher"))
        session.submit(AddUnit("gunman", "ghosts", parse_square("M8"), "Runner"))
        session.submit(SetHidden("ambusher"))
        session.submit(cmd.EndTurn())
    text = report(battle, PLAYERS)
    assert "mbusher" not in text and "Runner" in text
    with closing(open_battle(battle)) as session:
        session.submit(cmd.Attack("todd", "runner", is_free=True))
        session.submit(SetHidden("runner"))
    assert "Runner" in report(battle, PLAYERS), "it was fought before it was hidden"


@pytest.mark.parametrize("ruleset", ["aog", "cwn", "eva", "occult-ops", "volt"])
def test_what_is_done_to_somebody_hidden_is_not_reported_with_what_it_did_to_others(
    tmp_path: Path, ruleset: str
) -> None:
    with closing(new_battle("warehouse", ruleset, "7", tmp_path)) as session:
        session.submit(SetHidden("watchman"))
        session.submit(Place("raven", parse_square("S8")))
        session.submit(cmd.Attack("raven", "watchman", is_free=True))
        session.submit(cmd.Attack("raven", "watchman", is_free=True))
        attacks = exported(session, "markdown", PLAYERS).split("## Round 1")[1].split("## Out of the fight")[0]
    lines = [line for line in attacks.splitlines() if line.startswith("-") and "rounds." not in line]
    assert [line for line in lines if "attacks an unseen target with" in line] == lines != []


def test_a_hidden_attacker_who_hits_another_than_its_target_did_not_hit_that_one(tmp_path: Path) -> None:
    with closing(new_battle("warehouse", "aog", "7", tmp_path)) as session:
        session.submit(SetHidden("watchman"))
        for unit, square in (("raven", "L6"), ("watchman", "L9"), ("sergeant", "L5")):
            session.submit(Place(unit, parse_square(square)))
        session.submit(cmd.Attack("watchman", "raven", is_free=True), typed_dice(((22,),)))
        players, side = exported(session, "markdown", PLAYERS), exported(session, "markdown", "crew")
    words = "An unseen attacker attacks Raven: Sergeant is hit instead."
    assert words in players and words in side


def test_the_players_are_told_neither_of_corrected_rolls_nor_of_whom_they_see_first(tmp_path: Path) -> None:
    with closing(new_battle("warehouse", "occult-ops", "7", tmp_path)) as session:
        session.submit(Place("raven", parse_square("L6")))
        session.submit(AddUnit("gunman", "ghosts", parse_square("M9"), "Ambusher", is_hidden=True))
        session.submit(cmd.Attack("ambusher~", "raven", is_free=True), typed_dice(((99,),)))
        session.correct(typed_dice(((98,),)))
        whole, text = exported(session, "markdown"), exported(session, "markdown", PLAYERS)
    assert "roll corrected to 98" in whole and "First seen: Hauler" in whole
    assert "mbusher" not in text and "corrected" not in text and "First seen" not in text


@pytest.mark.parametrize("kind", ["markdown", "html"])
def test_the_players_are_not_told_the_seed_which_says_what_dice_are_to_come(tmp_path: Path, kind: str) -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "demo-17", tmp_path)) as session:
        session.submit(cmd.EndTurn())
        assert "demo-17" not in exported(session, kind, PLAYERS).replace(session.journal.path.stem, "")


def test_an_order_that_was_rolled_anew_is_not_reported_nor_who_was_hidden_before_the_fight(tmp_path: Path) -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "demo-17", tmp_path)) as session:
        session.submit(SetHidden("cutter"))
        session.submit(SetPool("todd", "hp", 19))
        text = exported(session, "markdown", PLAYERS)
        assert text.count("- Turn order: ") == 1 and "Cutter" not in text
        session.submit(RollInitiative())
        session.submit(cmd.EndTurn())
        text = exported(session, "markdown", PLAYERS)
        assert text.count("- Turn order: ") == 1 and "Cutter" not in text
        assert text.index("Before the first round") < text.index("Todd: ") < text.index("- Turn order: ")


def test_a_round_that_has_only_begun_is_not_counted(tmp_path: Path) -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "demo-17", tmp_path)) as session:
        for rounds in ("1 round", "2 rounds"):
            before = session.battle.turns.round
            while session.battle.turns.round == before:
                session.submit(cmd.EndTurn())
            assert f"begun {session.journal.header.created[:10]}. {rounds}: " in exported(session, "markdown")


def test_the_final_result_of_an_attack_is_in_bold(tmp_path: Path) -> None:
    """A hit that a total defence makes a miss of."""
    with closing(new_battle("frontier-trail", "cwn", "demo-17", tmp_path)) as session:
        shot = consider(session.battle, session.rules, cmd.Attack("todd", "bandit"))
        just = int(shot.ledger.target_number - shot.ledger.total)
        session.submit(cmd.Attack("todd", "bandit"), given(defends("bandit", "total-defence"), (just,)))
        text = exported(session, "markdown")
    assert [line for line in text.splitlines() if "**" in line] == [
        "- **The attack on Bandit fails: Miss, Total defence.**"
    ]
    assert "- Todd → Bandit" in text


def test_names_and_notes_stand_for_themselves(battle: Path) -> None:
    text = report(battle)
    assert r"Sun in \*his\* eyes" in text
    assert r"low &lt;sun&gt; \[here\](x)" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a", r"\- a"),
        ("1. a", r"1\. a"),
        ("12) a", r"12\) a"),
        ("a - b", "a - b"),
        ("2026-11-22", "2026-11-22"),
        ("<b>", "&lt;b&gt;"),
        ("a|b", r"a\|b"),
    ],
)
def test_signs_of_markdown_are_escaped(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_the_fallen_are_named_with_round_and_hand(battle: Path) -> None:
    with closing(open_battle(battle)) as session:
        session.submit(SetPool("bandit", next(iter(session.rules.units.pools)), 0))
        is_out = session.battle.unit("bandit").is_defeated
    assert ("Bandit, in round 1" in report(battle)) == is_out


def test_how_the_table_is_set_up_stands_before_the_first_round(tmp_path: Path) -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "demo-17", tmp_path)) as session:
        first = session.battle.turns.active
        name = session.battle.unit(first).name
        session.submit(SetPosture("deputy", "prone"))
        session.submit(RemoveUnit(first))
        session.submit(RemoveUnit("deputy"))
        session.submit(RollInitiative())
        session.submit(SetTurn("bandit"))
        session.submit(Adjust(Adjustment("gm-1", "low sun", -5, note="low sun")))
        session.submit(cmd.Attack("bandit", "boss", is_free=True), typed_dice(((99,), (20,))))
        text = exported(session, "markdown")
    assert f"### {name}" not in text
    before, _, first_round = text.partition("## Round 1\n")
    for line in (
        f"GM: {name} removed from the battle.",
        "Bandit acts, out of turn.",
        "Deputy is prone, set by the GM.",
    ):
        assert line in before and line not in first_round
    assert before.count("- Turn order: ") == 1 and "Turn order: " not in first_round
    assert first_round.count("- GM:") == 1 and first_round.lstrip().startswith("### Bandit\n\n- GM: “low sun” −5")


def test_rounds_that_the_gm_takes_are_not_reported_as_spent(tmp_path: Path) -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "demo-17", tmp_path)) as session:
        session.submit(SetAmmunition("todd", 3))
        session.submit(cmd.Attack("todd", "bandit", is_free=True))
        text = exported(session, "markdown")
    assert "- Todd: 1 (" in text


def test_a_line_of_the_gms_says_its_reason_once(tmp_path: Path) -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "demo-17", tmp_path)) as session:
        session.submit(Adjust(Adjustment("gm-1", "high ground", 2, note="high ground")))
        session.submit(cmd.Attack("todd", "bandit", is_free=True))
        text = exported(session, "markdown")
    (line,) = (line for line in text.splitlines() if "high ground" in line and "|" in line)
    assert line.count("high ground") == 1


def test_who_is_hidden_from_the_players_is_no_reason_either() -> None:
    ended = ConditionEnded("todd", "held", "held", Reason("unit-out", "ambusher"))
    before = fight("occult-ops", "a.b", a="gunman", b="gunman").battle
    assert ended.redacted(frozenset({"ambusher"}), before) is None
    assert ended.redacted(frozenset({"lurker"}), before) == ended
