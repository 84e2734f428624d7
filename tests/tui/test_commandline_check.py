"""`battleboard check`: maps, rulesets and battles, good and bad, in one go."""

from __future__ import annotations

from pathlib import Path

import pytest

from maps import shipped_maps
from rulesets import shipped_rulesets
from tui.__main__ import main
from tui.battles import new_battle


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def check(capsys: pytest.CaptureFixture[str], *files: str | Path) -> tuple[int, str, str]:
    status = main(["check", *map(str, files)])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_everything_that_ships_is_fine(capsys: pytest.CaptureFixture[str]) -> None:
    maps = [str(path) for path in shipped_maps().values()]
    folders = [str(path) for path in shipped_rulesets().values()]
    status, out, err = check(capsys, *maps, *folders)
    assert (status, err) == (0, "")
    assert out.count(": fine (") == len(maps) + len(folders)
    trail = next(path for path in maps if "frontier" in path)
    assert f"{trail}: fine (map, 36×20, 8 units)" in out


def test_one_file_of_a_ruleset_stands_for_all(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("ruleset.toml", "weapons.toml", "sheets.toml"):
        status, out, _ = check(capsys, shipped_rulesets()["occult-ops"] / name)
        assert status == 0
        assert "fine (ruleset occult-ops, " in out


def test_a_ruleset_may_be_called_by_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = check(capsys, "eva", "cwn")
    assert status == 0
    assert "eva: fine (ruleset eva, " in out
    assert "cwn: fine (ruleset cwn, " in out


def test_good_battle_is_fine_and_left_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    session = new_battle("frontier-trail", "occult-ops", "7")
    path = session.journal.path
    session.close()
    before = path.read_bytes(), path.stat().st_mtime_ns
    status, out, err = check(capsys, path)
    assert (status, err) == (0, "")
    assert out == f"{path}: fine (battle, Frontier trail under Occult Ops, round 1, 1 step)\n"
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [other.name for other in path.parent.iterdir()] == [path.name]


def test_battle_that_is_being_played_can_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    session = new_battle("frontier-trail", "occult-ops", "7")
    assert check(capsys, session.journal.path)[0] == 0
    session.close()


def test_bad_files_do_not_keep_good_ones_from_being_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("format = 1\nname = 'x'\nsqares = 3\n")
    trail = shipped_maps()["frontier-trail"]
    status, out, err = check(capsys, bad, str(trail))
    assert status == 1
    assert out == f"{trail}: fine (map, 36×20, 8 units)\n"
    assert f"{bad}:3:" in err
    assert "fine" not in err


def test_every_problem_of_a_ruleset_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("ruleset.toml", "weapons.toml", "sheets.toml"):
        text = (shipped_rulesets()["occult-ops"] / name).read_text()
        (tmp_path / name).write_text(text.replace("usp9", "usp10") if name == "weapons.toml" else text)
    with (tmp_path / "ruleset.toml").open("a") as file:
        file.write("[nonsense]\n")
    status, out, err = check(capsys, tmp_path)
    assert (status, out) == (1, "")
    assert "ruleset.toml:" in err
    assert "sheets.toml:" in err


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.battle", b"", "it is empty"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(4000), "cannot be opened as a battle"),
        ("map.txt", b"format = 1\n", "cannot be opened as a battle"),
        ("latin.toml", b"name = '\xe9'\n", "is not UTF-8"),
    ],
)
def test_foreign_files_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    status, out, err = check(capsys, path)
    assert (status, out) == (1, "")
    assert str(path) in err
    assert said in err
    assert path.read_bytes() == content


def test_what_is_not_there_and_what_is_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _, err = check(capsys, tmp_path / "none.toml", tmp_path / "none.battle", tmp_path, "x" * 5000)
    assert status == 1
    assert f"There is no file {tmp_path / 'none.toml'}." in err
    assert f"There is no file {tmp_path / 'none.battle'}." in err
    assert f"{tmp_path} is a folder without ruleset.toml" in err
    assert "cannot be read" in err
