"""`battleboard check`: maps, rulesets and battles, good and bad, in one go."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.battle.state.codec import to_json
from engine.journal.store import Journal
from maps import shipped_maps
from rulesets import shipped_rulesets
from tests.stamps import NOW
from tests.tui.play import YARD, put_characters
from tui.__main__ import main
from tui.application.library.battle_files import new_battle


def check(capsys: pytest.CaptureFixture[str], *files: str | Path) -> tuple[int, str, str]:
    status = main(["check", *map(str, files)])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.slow
def test_everything_that_ships_is_fine(capsys: pytest.CaptureFixture[str]) -> None:
    maps = [str(path) for path in shipped_maps().values()]
    folders = [str(path) for path in shipped_rulesets().values()]
    status, out, err = check(capsys, *maps, *folders)
    assert (status, err) == (0, "")
    assert out.count(": no errors (") == len(maps) + len(folders)
    trail = next(path for path in maps if "frontier" in path)
    assert f"{trail}: no errors (map, 36×20, 8 units)" in out


@pytest.mark.long
def test_one_file_of_a_ruleset_stands_for_all(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("ruleset.toml", "weapons.toml", "sheets.toml"):
        status, out, _ = check(capsys, shipped_rulesets()["occult-ops"] / name)
        assert status == 0
        assert "no errors (ruleset occult-ops, " in out


@pytest.mark.long
def test_a_ruleset_may_be_called_by_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = check(capsys, "eva", "cwn")
    assert status == 0
    assert "eva: no errors (ruleset eva, " in out
    assert "cwn: no errors (ruleset cwn, " in out


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    put_characters(tmp_path, anna='ruleset = "occult-ops"\nname = "Anna"\n')
    (path := tmp_path / "yard.toml").write_text(YARD)
    return path


def test_a_map_is_fine_where_one_ruleset_knows_what_its_units_change(
    capsys: pytest.CaptureFixture[str], yard: Path
) -> None:
    assert check(capsys, yard) == (0, f"{yard}: no errors (map, 4×1, 2 units)\n", "")
    yard.write_text(YARD.replace("dexterity", "ballistic_skill").replace('character = "anna"', 'role = "leader"'))
    status, _, err = check(capsys, yard)
    assert status == 1 and "no stat called" in err
    yard.write_text(yard.read_text().replace("wit = 12", "ballistic_skill = 30"))
    assert check(capsys, yard)[0] == 0


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("dexterity", "dexterty", "18:11: Occult Ops has no stat called 'dexterty'; did you mean 'dexterity'?"),
        ("dexterity", "ballistic_skill", "18:11: Occult Ops has no stat called 'ballistic_skill'; it is one of"),
        ("wit = 12", "wit = 99", "27:7: wit is 99; expected 0 to 30"),
        ("wit = 12", "wit = true", "27:7: wit is true; expected a number"),
        ('character = "anna"', 'character = "ana"', "22:13: No character is called 'ana'. Did you mean 'anna'?"),
    ],
)
def test_what_a_unit_of_a_map_may_not_change_is_refused_where_it_stands(
    capsys: pytest.CaptureFixture[str], yard: Path, before: str, after: str, message: str
) -> None:
    yard.write_text(YARD.replace(before, after))
    assert f"{yard}:{message}" in check(capsys, yard)[2]
    assert main(["odds", str(yard), "guard", "anna", "--ruleset", "occult-ops"]) != 0
    assert f"{yard}:{message}" in capsys.readouterr().err
    assert main(["play", str(yard), "--ruleset", "occult-ops", "--plain"]) != 0
    assert f"{yard}:{message}" in capsys.readouterr().err


def test_good_battle_is_fine_and_left_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    session = new_battle("frontier-trail", "occult-ops", "7")
    path = session.journal.path
    session.close()
    before = path.read_bytes(), path.stat().st_mtime_ns
    status, out, err = check(capsys, path)
    assert (status, err) == (0, "")
    assert out == f"{path}: no errors (battle, Frontier trail under Occult Ops, round 1, 1 step)\n"
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [other.name for other in path.parent.iterdir()] == [path.name]


def test_battle_that_is_being_played_can_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    session = new_battle("frontier-trail", "occult-ops", "7")
    assert check(capsys, session.journal.path)[0] == 0
    session.close()


def test_bad_files_do_not_keep_good_ones_from_being_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("format = 1\nname = 'x'\nsqares = 3\n")
    trail = shipped_maps()["frontier-trail"]
    status, out, err = check(capsys, bad, str(trail))
    assert status == 1
    assert out == f"{trail}: no errors (map, 36×20, 8 units)\n"
    assert f"{bad}:3:" in err
    assert "fine" not in err


def test_every_problem_of_a_ruleset_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
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


def resaved(path: Path, seq: int, body: str) -> None:
    """Another body in an event of a battle, the hash chain made whole again."""
    with Journal.open(path, read_only=True) as journal:
        header, rows = journal.header, [(row.kind, row.body) for row in journal.rows()]
    rows[seq - 1] = (rows[seq - 1][0], json.loads(body))
    path.unlink()
    with Journal.create(path, header) as journal:
        journal.append(rows, NOW)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"size": 1', '"size": 100000', "size: 100000; expected a whole number from 1 to 4"),
        ('"size": 1', '"size": 0', "size: 0; expected"),
        ('"size": 1', '"size": -1', "size: -1; expected"),
        ('"hp": 10', '"hp": 1000000000', "expected a whole number from -1,000,000 to 1,000,000"),
    ],
)
def test_check_says_of_a_foreign_battle_what_play_and_import_say(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, old: str, new: str, said: str
) -> None:
    session = new_battle("frontier-trail", "occult-ops", "7")
    path, body = session.journal.path, to_json(session.history.steps()[0].events[0])
    session.close()
    pool = next(iter(body["units"][0]["pools"]))
    text = json.dumps(body)
    first = text.index(f'"{pool}": ')
    if "hp" in old:
        old, new = text[first : text.index(",", first)].rstrip("}"), new.replace("hp", pool)
    assert old in text
    spoilt = text.replace(old, new, 1)
    assert main(["export", path.stem, "--jsonl", "-o", str(tmp_path / "out.jsonl")]) == 0
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    head, began = json.loads(lines[0]), json.loads(lines[1])
    del head["hash"]
    began["body"] = json.loads(spoilt)
    (tmp_path / "out.jsonl").write_text("\n".join([json.dumps(head), json.dumps(began), *lines[2:]]))
    resaved(path, 1, spoilt)
    capsys.readouterr()
    for words in (["check", str(path)], ["play", str(path), "--plain"], ["do", str(path), "end"]):
        assert main(words) == 1, words
        told = capsys.readouterr()
        assert said in told.err, words
        assert told.err.count("\n") == 1, words
        assert "Traceback" not in told.err
    start = time.process_time()
    assert main(["import", str(tmp_path / "out.jsonl")]) == 1
    assert said in capsys.readouterr().err
    assert time.process_time() - start < 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE journal SET body = CAST(zeroblob(200000000) AS TEXT) WHERE seq = 3",
        "UPDATE journal SET body = CAST(zeroblob(9000000) AS TEXT) WHERE seq = 3",
        "UPDATE meta SET value = CAST(zeroblob(200000000) AS TEXT) WHERE key = 'map_text'",
    ],
)
def test_a_text_that_would_eat_the_memory_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, statement: str
) -> None:
    session = new_battle("frontier-trail", "occult-ops", "7", tmp_path)
    path = session.journal.path
    session.close()
    change = "import sqlite3, sys; file = sqlite3.connect(sys.argv[1]); file.execute(sys.argv[2]); file.commit()"
    subprocess.run([sys.executable, "-c", change, str(path), statement], check=True)  # its memory is not ours
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for words in (["check", str(path)], ["play", str(path), "--plain"]):
        assert main(words) == 1
        told = capsys.readouterr().err
        assert "too large" in told
        assert told.count("\n") == 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024


@pytest.mark.parametrize("error", [MemoryError(), RecursionError("maximum depth"), RuntimeError("set changed size")])
def test_what_the_machine_refuses_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> str:
        raise error

    monkeypatch.setattr("tui.application.reports.check_report.check_file", fail)
    status, out, err = check(capsys, "anything")
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_a_map_may_be_named_as_play_takes_it(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = check(capsys, "warehouse", "ware")
    assert status == 1 and "There is no file ware." in err
    assert out.startswith("warehouse: no errors (map, ")
