"""The board without a screen: a conversation on standard input, and lines done one after another by `do`."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from engine.battle.command import Attack, EndTurn
from engine.battle.commands.order_commands import SetTurn
from engine.battle.narration import summarise
from engine.geometry.squares import Direction
from tests.rules.table import defends
from tests.tui.play import session_for, shipped_rulesets
from tui.__main__ import main
from tui.application.commands.runner import do
from tui.application.library.battle_files import battles, open_battle
from tui.cli.plain import converse

HERE = ["--ruleset", "occult-ops", "--seed", "demo-17", "--plain"]


def talk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *lines: str) -> tuple[int, str, str]:
    """What a conversation on the demo's map says: exit status, standard output, standard error."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    status = main(["play", "frontier-trail", *HERE])
    told = capsys.readouterr()
    return status, told.out, told.err


def test_a_conversation_plays_the_battle_and_keeps_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = talk(
        monkeypatch, capsys, "# a comment", "shoot bandit dice", "45", "8", "", "move P9", "undo", "end", "quit", "end"
    )
    assert (status, err) == (0, "")
    assert out.startswith(
        "Frontier trail, Occult Ops. Round 1, Todd's turn. Remaining: 1 attack action, 1 move action.\n"
    )
    assert "Todd attacks Bandit, 1d100 under 60: type the dice, or press Enter to roll them.\n" in out
    hit = out.index("59 % to hit: rolled 45 (typed) vs 60: armour hit.\n")
    assert hit < out.index("Damage, 2d6: type the dice, or press Enter to roll them.\n")
    assert "Todd → Bandit, Attack, USP9, 20 ft, 59 % to hit: rolled 45 (typed) vs 60: armour hit." in out
    assert "Undone: Todd moves N10 → P9" in out
    assert out.endswith("Round 1, The Boss's turn. Remaining: 1 attack action, 1 move action.\n")
    (path,) = battles()
    session = open_battle(path, read_only=True)
    assert session.battle.turns.active == "boss"
    session.close()


def test_dice_that_cannot_be_are_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = talk(monkeypatch, capsys, "shoot bandit dice", "45", "20", "8", "")
    assert (status, err) == (0, "")
    assert "Damage: 2d6 gives 2 to 12, so 20 cannot be its total.\nDamage, 2d6: type the dice" in out
    assert "Damage: 2d6 = 8, typed." in out


def test_a_line_that_cannot_be_done_says_why_and_continues(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = talk(monkeypatch, capsys, "fly away", "shoot bandit dice", "many", "45", "", "end")
    assert (status, err) == (1, "No command is called 'fly'. Did you mean 'end'?\n") or err.startswith("No command is")
    assert "is no roll. Type a number" in out
    assert "The Boss's turn." in out


@pytest.mark.slow
def test_the_input_ends_where_an_answer_is_wanted_and_nothing_happens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = talk(monkeypatch, capsys, "shoot bandit dice")
    assert status == 0
    assert "Hit" not in out
    (path,) = battles()
    session = open_battle(path, read_only=True)
    assert session.battle.units["todd"].turn.budget["attack"] == 1
    session.close()


def test_changes_name_the_lines_of_the_attack_that_was_asked_about(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, err = talk(monkeypatch, capsys, "odds todd bandit", "gm 2 off", "= todd bandit")
    assert err == ""
    assert "49 % to hit." in out and "Roll 1d100 under 50." in out


@pytest.mark.slow
def test_do_ends_in_the_battle_that_the_same_commands_make(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ruleset in sorted(shipped_rulesets()):
        played = session_for(tmp_path / ruleset / "played", ruleset=ruleset)
        typed = session_for(tmp_path / ruleset / "typed", ruleset=ruleset)
        typed.close()
        name = str(typed.journal.path)
        played.submit(Attack("todd", "bandit", is_free=True), (defends("bandit", ""),))
        played.submit(EndTurn())
        assert main(["do", name, "shoot todd bandit free defence none", "end"]) == 0
        capsys.readouterr()
        again = open_battle(typed.journal.path, read_only=True)
        assert again.battle == played.battle, ruleset
        again.close()
        played.close()


def test_do_stops_at_the_line_that_cannot_be_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = session_for(tmp_path)
    session.close()
    name = str(session.journal.path)
    assert main(["do", name, "kneel", "fly", "end"]) == 1
    told = capsys.readouterr()
    assert told.err.startswith("No command is called 'fly'")
    assert told.err.endswith("\nStopped at line 2, “fly”: 1 after it was not run.\n")
    again = open_battle(session.journal.path, read_only=True)
    assert (again.battle.turns.active, again.battle.units["todd"].posture) == ("todd", "kneeling")
    again.close()
    assert main(["do", name, "shoot bandit dice"]) == 1
    assert "Dice cannot be asked for here" in capsys.readouterr().err
    assert main(["do", name, "panel log off"]) == 1
    assert "Panels exist only" in capsys.readouterr().err
    assert main(["do", "no-such-battle", "end"]) == 1
    assert "No battle is called 'no-such-battle'" in capsys.readouterr().err


def test_do_counts_the_lines_of_its_input_as_an_editor_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = session_for(tmp_path)
    session.close()
    name = str(session.journal.path)
    for text, stopped in {
        "# a fight\n\nkneel\nfly\nend\n\n# done\nend\n": "Stopped at line 4, “fly”: 2 after it were not run.",
        "order\n\nfly\n": "Stopped at line 3, “fly”: it was the last.",
    }.items():
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        assert main(["do", name, "-"]) == 1
        assert capsys.readouterr().err.splitlines()[-1] == stopped
    assert main(["do", name, "fly"]) == 1
    assert "Stopped" not in capsys.readouterr().err, "there was one line"
    monkeypatch.setattr("sys.stdin", io.StringIO("# nothing\n"))
    assert main(["do", name, "-"]) == 2


@pytest.mark.slow
def test_a_defence_is_asked_for_and_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = session_for(tmp_path, ruleset="eva")
    session.close()
    path = session.journal.path
    shot = "shoot todd bandit free dice 1"
    status = main(["do", str(path), shot])
    err = capsys.readouterr().err
    assert status == 1
    assert "Add “defence " in err
    assert "or “defence none” to the command." in err
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{shot}\nperhaps\nnone\nquit\n"))
    assert main(["play", str(path), "--plain"]) == 0
    out = capsys.readouterr().out
    assert "none: no defence" in out
    assert "No defence is called 'perhaps'" in out


def test_an_attack_that_is_stopped_before_its_dice_says_by_whom_and_how_it_continues(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shot = "shoot todd boss dice 60"
    _, out, err = talk(monkeypatch, capsys, "place bandit N9", shot, "shoot bandit todd dice 99 / 20", shot)
    assert err == ""
    assert "Bandit may attack Todd now, free: interrupt attack" in out
    goes_on = "the same command again continues and lets the chance pass.\n"
    assert f"No dice are rolled yet: “shoot bandit todd” attacks out of turn; {goes_on}" in out
    assert out.index("Bandit → Todd") < out.index("Todd → The Boss")


def test_a_move_that_is_stopped_says_in_which_words_it_continues(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, err = talk(monkeypatch, capsys, "place bandit N9", "move N14 by run", "move todd N14 by run")
    assert err == ""
    goes_on = "“move todd N14 by run” continues and lets the chance pass.\n"
    assert f"“shoot bandit todd” attacks out of turn; {goes_on}" in out
    assert "Todd moves N10 → N14" in out


PASSED = "Bandit lets the chance to attack Todd pass.\n"


@pytest.mark.parametrize("line", ["move todd N14 by run", "end", "now boss"])
def test_a_chance_that_a_line_lets_pass_is_reported(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, err = talk(monkeypatch, capsys, "place bandit N9", "move N14 by run", line)
    assert err == ""
    before, passed, after = out.partition(PASSED)
    assert passed and "lets the chance pass.\n" in before
    assert "Todd moves N10" in after or "The Boss's turn" in after


@pytest.mark.parametrize("line", ["odds todd boss", "set todd kneeling", "shoot bandit todd dice 99 / 20", "undo"])
def test_a_chance_that_is_used_or_still_there_is_not_reported_to_pass(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = talk(monkeypatch, capsys, "place bandit N9", "move N14 by run", line)
    assert PASSED not in out


def test_dice_that_nothing_asks_for_are_still_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, err = talk(monkeypatch, capsys, "place bandit N9", "shoot todd bandit free dice 99 / 20 / 7")
    assert "7 not used" in err


def test_a_battle_that_is_open_elsewhere_answers_questions_and_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = session_for(tmp_path)
    name, before = str(session.journal.path), session.battle
    assert main(["do", name, "help move", "order"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("move [UNIT] SQUARE") and "Todd's turn" in told.out
    assert main(["do", name, "order", "end"]) == 1
    told = capsys.readouterr()
    assert "Todd's turn" in told.out and "is open elsewhere" in told.err
    assert session.battle == before
    session.close()


@pytest.mark.slow
def test_the_first_lines_say_how_dice_are_typed_and_the_order_is_rolled_by_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, err = talk(monkeypatch, capsys, "initiative dice", "20", "1")
    assert err == ""
    assert "Add “dice 45 / 4” to a co" in out.splitlines()[1]
    assert out.count("Initiative of ") == 3 and "1d20: type the dice" in out
    _, out, err = talk(monkeypatch, capsys, "initiative dice 20")
    assert " 20 (typed)" in out and not err


def at_the_defence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *lines: str, shot: str = ""
) -> tuple[int, str, str]:
    """What a conversation says in which Bandit may dodge a shot of Todd's that hits."""
    session = session_for(tmp_path, ruleset="eva")
    session.close()
    said = [shot or "shoot todd bandit free dice 1", *lines]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in said)))
    status = main(["play", str(session.journal.path), "--plain"])
    told = capsys.readouterr()
    return status, told.out, told.err


@pytest.mark.parametrize("shot", ["shoot todd bandit free", "shoot todd bandit free dice 1"])
def test_dice_typed_with_a_defence_are_its_dice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shot: str
) -> None:
    status, out, err = at_the_defence(tmp_path, monkeypatch, capsys, "dodge dice 12", shot=shot)
    assert (status, err) == (0, "")
    assert "Dodge: rolled 12 (typed) vs " in out


def test_dice_that_were_typed_for_what_comes_later_stay_behind_those_of_the_defence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shot = "shoot todd bandit free dice 1 / 7"
    _, out, err = at_the_defence(tmp_path, monkeypatch, capsys, "dodge dice 99", shot=shot)
    assert err == ""
    assert "Dodge: rolled 99 (typed) vs " in out
    assert "Damage: 1d10 = 7, typed." in out


def test_dice_of_a_defence_that_is_declared_before_the_roll_come_after_those_of_the_attack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """VOLT-5: the counterattack is declared first; "dice 2 9" are still the attack's, "dice 20 20" the answer's."""
    session = session_for(tmp_path, ruleset="volt")
    session.close()
    there = session.battle.units["todd"].at.step(Direction.E).name
    lines = ["now todd", f"place bandit {there}", "give todd knife", "take todd knife free"]
    lines += ["shoot todd bandit dice 2 9", "counterattack dice 20 20"]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    main(["play", str(session.journal.path), "--plain"])
    out = capsys.readouterr().out
    asked, _, rolled = out.partition("counterattack: Bandit: Counterattack")
    assert asked and "Todd → Bandit" not in asked.split("Todd takes")[-1]
    assert "Todd → Bandit, Attack" in rolled and "rolled 2 and 9 (typed)" in rolled
    assert "Bandit → Todd, Attack" in rolled and "rolled 20 and 20 (typed)" in rolled


@pytest.mark.slow
def test_dice_alone_at_a_defence_ask_for_each_roll(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, err = at_the_defence(tmp_path, monkeypatch, capsys, "dodge dice", "12")
    assert err == ""
    assert "1d100: type the dice" in out and "Dodge: rolled 12 (typed) vs " in out


@pytest.mark.slow
@pytest.mark.parametrize("said", ["dodge 12", "dodge / 12"])
def test_what_is_left_over_behind_a_defence_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], said: str
) -> None:
    _, out, _ = at_the_defence(tmp_path, monkeypatch, capsys, said, "none")
    assert "12” was not understood; type dice after the word dice: dodge dice 45." in out
    assert "Dodge:" not in out


def test_looking_at_a_defence_answers_and_asks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = at_the_defence(
        tmp_path, monkeypatch, capsys, "units", "order", "odds todd bandit", "end", "none"
    )
    assert (status, err) == (0, "")
    assert "Bandit (" in out and "% against Dodge" in out
    assert "Answer first, or type “cancel”: the command is then not done." in out
    assert out.count("none: no defence.") == 5
    assert out.count("Bandit: wounds") + out.count("Damage:") >= 1


def test_why_an_answer_is_refused_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = at_the_defence(tmp_path, monkeypatch, capsys, "vanish", "order", "units", "none")
    assert out.count("No defence is called 'vanish'.") == 1
    assert out.count("none: no defence.") == 4
    assert out.count("Todd → Bandit: rolled ") == 4


@pytest.mark.parametrize("said", ["undo", "cancel"])
def test_undo_at_a_defence_takes_the_attack_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], said: str
) -> None:
    status, out, err = at_the_defence(tmp_path, monkeypatch, capsys, said, "order")
    assert (status, err) == (0, "")
    assert "Cancelled: “shoot todd bandit free dice 1”." in out
    assert "Damage" not in out
    (path,) = tmp_path.rglob("*.battle*")
    again = open_battle(path, read_only=True)
    assert again.history.steps_taken == session_for(tmp_path / "fresh", ruleset="eva").history.steps_taken
    again.close()


def test_undo_of_more_takes_what_came_before_back_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shot = "set bandit wounds 5\nshoot todd bandit free dice 1"
    _, out, err = at_the_defence(tmp_path, monkeypatch, capsys, "undo 2", shot=shot)
    assert err == ""
    assert "Cancelled: “shoot todd bandit free dice 1”.\nUndone: Bandit: wounds" in out


@pytest.mark.parametrize("end", [("quit", "end"), ()])
def test_leaving_at_a_defence_says_that_the_attack_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], end: tuple[str, ...]
) -> None:
    status, out, err = at_the_defence(tmp_path, monkeypatch, capsys, *end)
    assert (status, err) == (0, "")
    assert out.endswith("Cancelled: “shoot todd bandit free dice 1”.\n")


def test_volt_2_initiative_in_words_asks_each_side_what_it_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """VOLT-2: all combatants declare their first actions; what a new battle takes for declared is said at its start."""

    def plays(*lines: str) -> tuple[str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        main(["play", str(session.journal.path), "--plain"])
        told = capsys.readouterr()
        return told.out, told.err

    session = session_for(tmp_path, ruleset="volt")
    session.close()
    assert "Todd rolls" not in plays("", "")[0], "all attack, and that is rolled already"
    out, err = plays("initiative", "todd fly", "todd move", "order", "boss take cover", "order")
    rolled_again = "initiative asks each side what it declares and rolls again."
    assert f"Initiative is rolled as if all units declare “Attack”: {rolled_again}\n" in out
    assert err == ""
    assert "No action of Todd is called “fly”. Known are “half a move”, “aim” and others." in out
    assert out.index("law: declare actions, e.g. “todd") < out.index("outlaws: declare actions, e.g. “bandit")
    before, _, after = out.partition("Turn order: ")
    assert "declared: Move" not in before  # “order” is answered before the second side has declared
    assert "Todd rolls initiative for “Move”" in before and "The Boss rolls initiative for “Take cover”" in before
    assert "declared: Move" in after and "declared: Take cover" in after
    out, err = plays("initiative", "", "undo")
    assert "Press Enter if the whole side attacks, or type any command." not in out
    assert "Cancelled: “initiative”." in out
    assert rolled_again not in out  # it is no new battle any more


@pytest.mark.long
def test_volt_2_a_new_battle_asks_each_side_and_takes_any_command_for_an_end_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """VOLT-2: on every map; what is declared in one line after the other is rolled, and a script needs no answer."""
    for lines, declared in (
        (("todd move", "boss take cover"), ("Todd rolls initiative for “Move”", "The Boss rolls initiative for “Take")),
        (("todd fly", "# a note", "todd move", "order"), ("No action of Todd is called “fly”", "Round 1, ")),
        (("order",), ("acts now",)),
    ):
        session = session_for(tmp_path, ruleset="volt")
        session.close()
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        main(["play", str(session.journal.path), "--plain"])
        told = capsys.readouterr()
        assert all(words in told.out + told.err for words in declared), told


def test_all_a_shot_at_a_friend_is_warned_of_before_the_dice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All: a warning, no refusal; in words, before the question for the dice and in the odds."""
    warning = "Warning: this may strike Todd's own side: Marshal.\n"
    status, out, err = talk(
        monkeypatch, capsys, "place marshal N9", "shoot marshal dice 90", "undo", "shoot marshal dice", "90"
    )
    assert (status, err) == (0, "")
    assert out.count(warning) == 2
    typed, asked = out.split("Undone: ")
    assert typed.index(warning) < typed.index("rolled 90 (typed)")
    assert asked.index(warning) < asked.index("Todd attacks Marshal, 1d100 under ")
    _, out, _ = talk(monkeypatch, capsys, "place marshal N9", "odds todd marshal", "= todd marshal", "odds todd bandit")
    assert out.count(warning.strip()) == 2


def test_all_a_friend_is_warned_of_before_the_defence_and_in_an_area_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All: the warning stands above the first question; friends where a blast is aimed are named."""
    monkeypatch.setattr(
        "sys.stdin", io.StringIO("now todd\nplace marshal N9\nshoot todd marshal standard dice 5\nnone\n")
    )
    main(["play", "frontier-trail", "--ruleset", "eva", "--seed", "demo-17", "--plain"])
    out = capsys.readouterr().out
    assert out.count("Warning: this may strike Todd's own side: Marshal.") == 1
    assert out.index("Warning: this") < out.index("dodge: Marshal: Dodge")
    lines = "now todd\ngive todd frag-grenade\ntake todd frag-grenade free\nplace marshal N9\nshoot todd N9 dice 5\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    main(["play", "frontier-trail", "--ruleset", "aog", "--seed", "demo-17", "--plain"])
    assert "Warning: this may strike Todd's own side: Marshal " in capsys.readouterr().out


def test_all_dice_are_offered_for_defences_that_roll_some(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All: total defence rolls nothing; a dodge does."""
    for ruleset, shot, is_offered in (("cwn", "dice 4", False), ("eva", "standard dice 5", True)):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"now todd\nplace bandit N9\nshoot todd bandit {shot}\nnone\n"))
        main(["play", "frontier-trail", "--ruleset", ruleset, "--seed", "demo-17", "--plain"])
        out = capsys.readouterr().out
        assert "none: no defence." in out and ("You can add dice" in out) is is_offered


def test_all_nothing_is_reported_a_budget_that_is_spent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All: "0 Main actions" is never said."""
    _, out, _ = talk(monkeypatch, capsys, "order", "shoot bandit dice 90", "order", "kneel", "order")
    lines = [line for line in out.splitlines() if line.startswith("Round 1, Todd's turn.")]
    assert [line.partition("Remaining: ")[2] for line in lines] == [
        "1 attack action, 1 move action.", "1 move action.", "nothing."
    ]  # fmt: skip


def test_all_an_attack_that_the_weapon_lacks_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All: whoever types an attack that other weapons make is told that this one has none."""
    for ruleset, said in {
        "aog": "Todd's Pistol NASH X-17 has no full auto.",
        "volt": "Todd's Pistol has no full auto.",
    }.items():
        monkeypatch.setattr("sys.stdin", io.StringIO("shoot todd bandit full-auto\n"))
        main(["play", "frontier-trail", "--ruleset", ruleset, "--seed", "demo-17", "--plain"])
        assert capsys.readouterr().err == f"{said}\n"


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_all_the_natural_die_and_the_sum_stand_beside_the_number_needed(
    ruleset: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All: in the log and the record; a test that only compares the die has no sum."""
    told = {
        "cwn": r"rolled 14 \(typed\) \+ \d+ = \d+ vs \d+: ",
        "volt": r"rolled 14 and 9 \(typed\) vs \d+–\d+: ",
    }.get(ruleset, r"rolled 14 \(typed\) vs \d+: ")
    dice = "14 9" if ruleset == "volt" else "14"
    lines = ["policy off", "place bandit P10", f"shoot todd bandit free dice {dice}", "log"]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    main(["play", "frontier-trail", "--ruleset", ruleset, "--seed", "demo-17", "--plain"])
    out = capsys.readouterr().out
    assert len(re.findall(told, out)) == 2, out  # the line and the log
    (path,) = battles()
    assert main(["export", str(path)]) == 0
    assert re.search(told, capsys.readouterr().out)


def test_eva_20_an_attack_of_opportunity_with_a_gun_in_hand_names_its_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One always has bare hands, so that the line names the attack that the prompt on the screen offers too."""
    lines = (
        "policy dodge off",
        "add rifleman law N9 Tess",
        "place bandit N8",
        "now bandit",
        "move N6 by half-move",
        "shoot tess bandit standard",
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    main(["play", "frontier-trail", *HERE, "--ruleset", "eva"])
    out = capsys.readouterr().out
    assert "“shoot tess bandit standard” attacks out of turn; “move bandit N6 by half-move” continues" in out
    assert "Tess → Bandit, Standard attack, Unarmed" in out


def test_an_action_that_is_unavailable_says_why_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = talk(monkeypatch, capsys, "actions bandit")
    said = " ".join(out.split())
    assert "In the next turn of Bandit, who does not have the turn now:" in said and "Todd's turn, not" not in said
    assert "Get up act get-up unavailable: it is standing" in said
    assert "unavailable: It" not in said


def test_whose_turn_it_is_now_is_said_once(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    for line in ("end", "now lookout"):
        said, _ = do(session, line)
        name = session.battle.unit(session.battle.turns.active).name
        assert len(said) == 1 and said[0].startswith(f"Round 1, {name}'s turn. Remaining: "), said
    events = session.submit(SetTurn("bandit"))
    assert summarise(events, session.battle, session.rules) == "Bandit acts, out of turn."
    session.close()


@pytest.mark.parametrize(("is_kept", "says"), [(True, "Everything is saved at once."), (False, "nothing is saved.")])
def test_the_greeting_says_whether_commands_are_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_kept: bool, says: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    converse(session_for(tmp_path), is_kept=is_kept)
    assert says in capsys.readouterr().out
