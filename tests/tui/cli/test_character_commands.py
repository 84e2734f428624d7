"""`battleboard characters`: list, new, edit, check, copy, import."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesets import shipped_rulesets
from rulesets.characters import OwnSheet, archetype
from tests.rules.table import ruleset
from tests.rulesets.test_character_imports import SAMPLES
from tests.tui.cli.test_arguments import run
from tui.application.library.character_files import read_character

BROKEN = """\
ruleset = "aog"
name = "Zed"
weapns = ["fists"]

[stats]
long_arm = 63
shoot = 1
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_a_new_character_is_a_file_that_a_person_would_have_written(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, "characters", "new", "Anna Vale", "--ruleset", "occult-ops")
    file = data / "characters" / "anna-vale.toml"
    assert (status, out) == (0, f"Written to {file}. “add anna-vale” brings it into a battle.\n")
    assert file.read_text() == 'ruleset = "occult-ops"\nname = "Anna Vale"\n'
    assert read_character("anna-vale").character.name == "Anna Vale"


@pytest.mark.long
@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_archetype_is_copied_out_as_it_is(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    rules = ruleset(name)
    for role in rules.units.sheets:
        assert run(capsys, "characters", "copy", role, f"my {role}", "--ruleset", name)[0] == 0
        shipped, copied = archetype(rules, role), read_character(f"my-{role}").character
        assert (copied.stats, copied.weapons, copied.armour) == (shipped.stats, shipped.weapons, shipped.armour)
        assert (set(copied.accessories), copied.is_opponent) == (set(shipped.accessories), True)


def test_a_new_one_like_an_archetype_is_a_character(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "characters", "new", "Bo", "--ruleset", "aog", "--like", "rifleman")[0] == 0
    found = read_character("bo").character
    assert not found.is_opponent
    assert dict(found.stats)["long_arms"] == 55
    status, _, err = run(capsys, "characters", "new", "Bo", "--ruleset", "aog", "--like", "riflemann")
    assert status == 1
    assert "No role of Ashes of Gaia is called 'riflemann'. Did you mean 'rifleman'?" in err


def test_a_copy_of_one_s_own_keeps_the_comments(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "characters", "new", "Bo", "--ruleset", "aog")
    file = data / "characters" / "bo.toml"
    file.write_text(file.read_text() + "\n[stats]\nlong_arms = 63  # since the docks\n")
    assert run(capsys, "characters", "copy", "bo", "Cy")[0] == 0
    assert (data / "characters" / "cy.toml").read_text() == file.read_text().replace("Bo", "Cy")
    assert run(capsys, "characters", "copy", "bo", "?!")[0] == 1


def test_the_list_says_ruleset_kind_and_party(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "No characters in" in run(capsys, "characters")[1]
    run(capsys, "characters", "new", "Bo", "--ruleset", "aog")
    run(capsys, "characters", "copy", "gunman", "Thug", "--ruleset", "cwn")
    (data / "party.toml").write_text('[lantern]\nname = "The Lantern"\ncharacters = ["bo"]\n')
    status, out, _ = run(capsys, "characters", "list")
    assert status == 0
    assert [line.split() for line in out.splitlines()] == [
        ["bo", "Bo", "aog", "character", "The", "Lantern"],
        ["thug", "Thug", "cwn", "opponent"],
    ]
    values = json.loads(run(capsys, "characters", "--json")[1])
    assert [(one["id"], one["kind"], one["parties"]) for one in values] == [
        ("bo", "character", ["lantern"]),
        ("thug", "opponent", []),
    ]
    (data / "characters" / "zed.toml").write_text("name = ")
    status, out, err = run(capsys, "characters")
    assert (status, len(out.splitlines())) == (1, 2)
    assert "zed.toml:1:7: this is not TOML" in err


@pytest.mark.parametrize("command", [("characters", "check"), ("check",)])
def test_check_finds_every_problem_with_its_place(
    command: tuple[str, ...], data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run(capsys, "characters", "new", "Bo", "--ruleset", "aog")
    (broken := tmp_path / "zed.toml").write_text(BROKEN)
    good = str(data / "characters" / "bo.toml")
    assert run(capsys, *command, good)[:2] == (0, f"{good}: no errors (character Bo, ruleset aog)\n")
    status, out, err = run(capsys, *command, str(broken), good)
    assert (status, out.count("no errors")) == (1, 1)
    assert f"{broken}:3:1: the file has no key 'weapns'; did you mean 'weapons'?" in err
    assert f"{broken}:6:1: Ashes of Gaia has no stat called 'long_arm'; did you mean 'long_arms'?" in err
    assert f"{broken}:7:1: Ashes of Gaia has no stat called 'shoot'; it is one of Cities Without Number" in err


def test_check_without_files_checks_all_and_the_parties(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "characters", "check")[:2] == (0, "There are no characters to check.\n")
    run(capsys, "characters", "new", "Bo", "--ruleset", "aog")
    (data / "party.toml").write_text('[lantern]\ncharacters = ["boo"]\n')
    status, out, err = run(capsys, "characters", "check")
    assert (status, out.count("no errors")) == (1, 1)
    assert "party.toml:2:15: no character is called 'boo'; did you mean 'bo'?" in err


def test_import_writes_files_or_nothing(data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, "characters", "import", str(SAMPLES / "mara.json"))
    assert status == 0
    assert out.startswith(f"Written to {data / 'characters' / 'mara-voss.toml'}.")
    assert "  Mara Voss: no weapon is called 'Plasma Whip'; not carried over." in out
    assert read_character("mara-voss").character.weapons == ("combat-rifle", "knife")
    csv = str(SAMPLES / "lantern.csv")
    assert "name it with --ruleset ID" in run(capsys, "characters", "import", csv)[2]
    assert run(capsys, "characters", "import", csv, "--ruleset", "occult-ops")[0] == 0
    assert run(capsys, "characters", "check")[0] == 0
    before = sorted((data / "characters").iterdir())
    (bad := tmp_path / "bad.csv").write_text("name,dexterity\nAnna,9\nBo,good\n")
    status, out, err = run(capsys, "characters", "import", str(bad), "--ruleset", "occult-ops")
    assert (status, out) == (1, "")
    assert f"{bad}:3:1: row 3, column dexterity is 'good'; expected a whole number" in err
    assert sorted((data / "characters").iterdir()) == before


def test_edit_opens_the_form_of_a_character_or_of_a_new_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, "characters", "new", "Anna", "--ruleset", "aog")
    opened: list[OwnSheet] = []
    monkeypatch.setattr("tui.application.terminal.capabilities.check_terminal", lambda: None)
    monkeypatch.setattr("tui.application.terminal.capabilities.prepare", lambda _: None)
    monkeypatch.setattr("tui.view.app.board_app.run_form", lambda sheet, ascii_only: opened.append(sheet) or 0)
    assert run(capsys, "characters", "edit", "anna")[0] == 0
    assert run(capsys, "characters", "edit", "Bo", "--ruleset", "volt")[0] == 0
    assert [(sheet.ruleset, sheet.character.name, sheet.character.file) for sheet in opened] == [
        ("aog", "Anna", "anna"),
        ("volt", "Bo", ""),
    ]
    status, _, wrong = run(capsys, "characters", "edit", "ana")
    assert status and "Did you mean 'anna'?" in wrong


def test_edit_knows_a_character_by_its_name_or_a_part_of_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, "characters", "new", "Otto Brandt", "--ruleset", "aog")
    run(capsys, "characters", "new", "Otto Vale", "--ruleset", "aog")
    opened: list[OwnSheet] = []
    monkeypatch.setattr("tui.application.terminal.capabilities.check_terminal", lambda: None)
    monkeypatch.setattr("tui.application.terminal.capabilities.prepare", lambda _: None)
    monkeypatch.setattr("tui.view.app.board_app.run_form", lambda sheet, ascii_only: opened.append(sheet) or 0)
    for words in (("Otto Brandt",), ("brandt",), ("otto brandt", "--ruleset", "aog")):
        assert run(capsys, "characters", "edit", *words)[0] == 0
    assert [sheet.character.file for sheet in opened] == ["otto-brandt"] * 3
    assert "ambiguous: type more of otto-brandt, otto-vale" in run(capsys, "characters", "edit", "otto")[2]
    said = run(capsys, "characters", "edit", "Otto Brandt", "--ruleset", "cwn")[2]
    assert "Otto Brandt is a character of Ashes of Gaia, not of Cities Without Number." in said
    assert len(opened) == 3


def test_a_rest_restores_what_battles_carried_over_and_nothing_else(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = data / "characters" / "anna.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = 'ruleset = "occult-ops"  # ours\nname = "Anna"\nweapons = ["usp9"]\n\n[stats]\ndexterity = 9\n'
    path.write_text(f"{whole}\n[rounds]\nusp9 = 2\n\n[pools]\nhp = 1\n")
    said = "Anna: hit points 1 → full (20), rounds in USP9 2 → full (15).\n"
    assert run(capsys, "characters", "rest", "anna")[:2] == (0, said)
    assert path.read_text() == whole
    assert run(capsys, "characters", "rest", "anna")[:2] == (0, "Anna: nothing to restore.\n")
    path.write_text(hurt := f"{whole}\n[pools]\nhp = 1\n")
    assert run(capsys, "characters", "rest", "anna", "nobody")[0] != 0
    assert path.read_text() == hurt
