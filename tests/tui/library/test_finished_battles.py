"""The end of a battle: differences of characters, and what goes into their files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import BattleboardError, Illegal
from engine.journal.branch import Branch
from engine.journal.session import Session
from tests.tui.play import put_characters, session_for
from tui.application.commands.runner import do
from tui.application.library.battle_files import open_battle
from tui.application.library.finished_battles import changed_characters, write_accepted

ANNA = """\
ruleset = "occult-ops"
name = "Anna"
weapons = ["usp9", "knife"]  # her father's

[stats]
dexterity = 9
endurance = 8  # since spring
"""


@pytest.fixture(autouse=True)
def file(tmp_path: Path) -> Path:
    thug = ANNA.replace("Anna", "Thug").replace("weapons", 'kind = "opponent"\nweapons')
    return put_characters(tmp_path, anna=ANNA, thug=thug) / "anna.toml"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with closing(session_for(tmp_path)) as found:
        do(found, "add anna law D4")
        yield found


def after_card(lines: list[str]) -> list[str]:
    """What is said after the end card."""
    return lines[lines.index("GM: The battle is finished.") :]


def wounded(session: Session) -> None:
    for line in ("damage anna 5 hp", "rounds anna 3 usp9", "lose anna knife", "stat anna dexterity 10"):
        do(session, line)


def test_finish_shows_what_is_other_and_touches_no_file(session: Session, file: Path) -> None:
    wounded(session)
    lines = after_card(do(session, "finish")[0])
    assert lines == [
        "GM: The battle is finished.",
        "Anna, anna.toml:",
        "  hit points: full (22) → 17",
        "  rounds in USP9: full (15) → 3",
        "  Knife: yes → no",
        "  DEX: 9 → 10",
        "No file is changed yet: “finish all” writes this into the files, “finish anna” one of them.",
    ]
    assert file.read_text() == ANNA


def test_what_is_accepted_is_written_as_a_person_would_and_another_battle_begins_with_it(
    session: Session, file: Path, tmp_path: Path
) -> None:
    wounded(session)
    assert after_card(do(session, "finish all")[0]) == ["GM: The battle is finished.", "Anna: written to anna.toml."]
    assert file.read_text() == (
        ANNA.replace(', "knife"', "").replace("= 9", "= 10") + "\n[rounds]\nusp9 = 3\n\n[pools]\nhp = 17\n"
    )
    assert do(session, "finish")[0] == ["The battle changed no character files."]
    with closing(session_for(tmp_path / "next")) as again:
        do(again, "add anna law D4")
        anna = again.battle.unit("anna")
        assert (anna.pools["hp"], anna.gear.rounds, anna.gear.weapons) == (17, {"usp9": 3}, ("usp9", "punch", "kick"))
        do(again, "heal anna 20 hp")
        do(again, "rounds anna 15 usp9")
        do(again, "finish anna")
        assert "[pools]" not in file.read_text()
        assert "[rounds]" not in file.read_text()


def test_who_has_nothing_left_is_out_when_the_next_battle_is_set_up(session: Session, tmp_path: Path) -> None:
    do(session, "damage anna 40 hp")
    do(session, "finish all")
    with closing(session_for(tmp_path / "next")) as again:
        said, _ = do(again, "add anna law D4")
        assert again.battle.unit("anna").is_defeated and "Anna is out of the fight." in said
        do(again, "heal anna 5 hp")
        assert not again.battle.unit("anna").is_defeated


def test_finish_none_and_finish_of_another_leave_the_file(session: Session, file: Path) -> None:
    do(session, "copy anna D6")
    wounded(session)
    unchanged = "No file was changed. “finish” lists the changes again."
    assert after_card(do(session, "finish none")[0]) == ["GM: The battle is finished.", unchanged]
    assert do(session, "finish anna-2")[0] == [unchanged]
    assert file.read_text() == ANNA


def test_a_finished_battle_takes_no_command_until_undo_reopens_it(session: Session) -> None:
    path = session.journal.path
    do(session, "finish")
    with pytest.raises(Illegal, match=r"The battle is finished\. Undo reopens it"):
        do(session, "damage anna 5 hp")
    session.close()
    with closing(open_battle(path)) as again:
        assert again.battle.is_finished
        do(again, "undo")
        assert not again.battle.is_finished
        do(again, "damage anna 5 hp")


def test_a_file_that_changed_since_is_shown_beside_and_only_accepted_values_change(
    session: Session, file: Path
) -> None:
    do(session, "damage anna 5 hp")
    file.write_text(ANNA.replace("dexterity = 9", "dexterity = 11") + "wit = 7\n[pools]\nhp = 20\n")
    lines = after_card(do(session, "finish")[0])
    assert lines[1:3] == [
        "Anna, anna.toml, which has changed since the battle began:",
        "  hit points: full (22) → 17 (the file now says 20)",
    ]
    text = file.read_text()
    do(session, "undo")
    do(session, "rounds anna 3 usp9")
    assert after_card(do(session, "finish all")[0])[1:] == [
        "Anna: written to anna.toml.",
        "Anna: not written: hit points: full (22) → 17 (the file now says 20).",
    ]
    assert file.read_text() == text + "\n[rounds]\nusp9 = 3\n"
    (anna,) = changed_characters(session.battle, session.rules)
    write_accepted(session.rules, [anna], {anna.unit.id: {row.difference.key for row in anna.rows}})
    assert "[pools]\nhp = 17\n" in file.read_text(), "accepted on its own"


@pytest.mark.parametrize("text", [None, "name = ", ANNA.replace("occult-ops", "aog"), ANNA + "wit = true\n"])
def test_a_file_that_cannot_be_written_says_why_and_stays(session: Session, file: Path, text: str | None) -> None:
    do(session, "damage anna 5 hp")
    file.unlink() if text is None else file.write_text(text)
    lines, _ = do(session, "finish")
    assert any("It cannot be written: " in line for line in lines)
    (said,) = do(session, "finish all")[0]
    assert said.startswith("Anna: anna.toml is as it was. ")
    assert text is None or file.read_text() == text


def test_stat_blocks_and_units_without_a_file_are_left_out(session: Session) -> None:
    do(session, "add 2 thug outlaws D8")
    do(session, "damage thug-1 5 hp")
    do(session, "damage todd 5 hp")
    assert after_card(do(session, "finish")[0])[1:] == ["The battle changed no character files."]
    with pytest.raises(BattleboardError, match="No character is called 'todd'"):
        do(session, "finish todd")


def test_a_branch_cannot_be_finished(session: Session, file: Path) -> None:
    wounded(session)
    with pytest.raises(Illegal, match="A what-if branch cannot be finished"):
        do(Branch(session), "finish all")
    assert file.read_text() == ANNA
    assert not session.battle.is_finished
