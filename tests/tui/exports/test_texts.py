"""Battles as JSON lines and as TOML, and back: nothing is lost, and what is not a battle is refused with its place."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BattleboardError
from engine.journal.batches import Batch
from engine.journal.store import Journal
from rulesets import shipped_rulesets
from tests.golden.battles import FIRST
from tests.rules.random_play import roam
from tests.stamps import NOW
from tui.__main__ import main
from tui.application.exports.battle_record import record_of
from tui.application.exports.json_lines import write_jsonlines
from tui.application.exports.restore import is_record, read_record
from tui.application.exports.toml_tables import _read, _written, harmless, write_tables
from tui.application.library.battle_files import battles, new_battle, open_battle
from tui.application.library.importing import take_in

MANNERS = ("jsonl", "toml")


def exported(path: Path, manner: str) -> str:
    with Journal.open(path, read_only=True) as journal:
        return "\n".join({"jsonl": write_jsonlines, "toml": write_tables}[manner](record_of(journal)))


def imported(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "given.txt"
    file.write_text(text, encoding="utf-8")
    return take_in(file).path


def refusal(tmp_path: Path, text: str) -> str:
    before = battles()
    with pytest.raises(BattleboardError) as refused:
        imported(tmp_path, text)
    assert battles() == before, "nothing is left behind"
    return str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize("manner", MANNERS)
def test_export_import_export_is_equal_to_the_byte_and_so_is_the_battle(
    tmp_path: Path, battle: Path, manner: str
) -> None:
    text = exported(battle, manner)
    assert is_record(text)
    again = imported(tmp_path, text)
    assert again != battle
    assert exported(again, manner) == text
    with Journal.open(battle, read_only=True) as first, Journal.open(again, read_only=True) as second:
        assert record_of(first) == record_of(second)
        assert first.digest == second.digest
    with closing(open_battle(battle)) as first, closing(open_battle(again)) as second:
        while True:
            assert first.battle.encode() == second.battle.encode()
            assert [step.number for step in first.history.steps()] == [step.number for step in second.history.steps()]
            if first.history.undone is None:
                break
            assert first.redo() == second.redo()


def test_the_command_line_gives_what_the_command_line_takes(
    tmp_path: Path, battle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", battle.stem, "--jsonl", "-o", str(tmp_path / "out.jsonl")]) == 0
    assert main(["export", battle.stem, "--jsonl", "-o", str(tmp_path / "out.jsonl")]) == 1
    assert "already exists" in capsys.readouterr().err
    assert main(["import", str(tmp_path / "out.jsonl"), "-o", str(tmp_path / "new.battle")]) == 0
    assert "Imported as" in capsys.readouterr().out
    assert main(["export", str(tmp_path / "new.battle"), "--jsonl"]) == 0
    assert capsys.readouterr().out.rstrip() + "\n" == (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert main(["import", str(tmp_path / "out.jsonl"), "-o", str(tmp_path / "new.battle")]) == 1
    assert main(["export", "nobody"]) == 1


@pytest.mark.parametrize("name", ["", "000005.ldb"])
def test_a_foundry_pack_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    pack = tmp_path / "maps"
    pack.mkdir()
    for part in ("CURRENT", "MANIFEST-000004", "000005.ldb"):
        (pack / part).write_bytes(b"\x80\x00")
    assert main(["import", str(pack / name)]) == 1
    said = capsys.readouterr().err
    assert "a Foundry pack (a LevelDB folder); battleboard imports Universal VTT" in said
    assert "choose Export Data" in said


def row(number: int, change: Callable[[dict[str, Any]], object]) -> Callable[[list[str]], None]:
    def spoil(lines: list[str]) -> None:
        value = json.loads(lines[number])
        change(value)
        lines[number] = json.dumps(value)

    return spoil


def cut(lines: list[str]) -> None:
    lines.pop()


SPOILT: dict[str, tuple[Callable[[list[str]], object], str]] = {
    "a line is missing at the end": (cut, ":1:1: rows is "),
    "no number": (row(2, lambda value: value.update(seq=7)), ":3:1: seq is 7; expected 2"),
    "no command": (row(2, lambda value: value.update(batch=9)), ":3:1: batch is 9"),
    "another stamp": (row(2, lambda value: value["stamp"].update(time="later")), ":3:1: the rows of one command"),
    "no seat": (row(1, lambda value: value["stamp"].pop("seat")), ":2:1: Stamp: seat is missing"),
    "a stamp that says more": (
        row(1, lambda value: value["stamp"].update(mood="x")),
        ":2:1: Stamp: the text 'mood' is not a field",
    ),
    "no stamp": (row(1, lambda value: value.update(stamp=5)), ":2:1: Stamp: 5; expected a table"),
    "a time that steers": (row(1, lambda value: value["stamp"].update(time="\x1b[2J")), ":2:1: "),
    "no such event": (
        row(1, lambda value: value.update(kind="event/battle-begun")),
        "did you mean 'event/battle-began'?",
    ),
    "no such field": (row(1, lambda value: value["body"].update(x=1)), ":2:1: this is not a valid event/battle-began"),
    "an escape sequence": (row(1, lambda value: value["body"].update(seed="\x1b[2J")), "is not plain text"),
    "a text without end": (row(1, lambda value: value["body"].update(seed="x" * 5000)), "is not plain text"),
    "a fraction": (row(1, lambda value: value["body"].update(seed=1.5)), ":2:1: "),
    "a monstrous number": (row(1, lambda value: value["body"].update(seed=10**30)), "too large"),
    "a title that steers": (row(0, lambda value: value.update(title="\x1b[2J")), ":1:1: title is not plain text"),
    "no title": (row(0, lambda value: value.pop("title")), ":1:1: title is missing"),
    "something else": (row(0, lambda value: value.update(titel="x")), "did you mean 'title'?"),
    "a newer format": (row(0, lambda value: value.update(format=3)), "reads format 2, and 1"),
    "another map": (row(0, lambda value: value.update(map_text="format = 1")), "map_text:1:1"),
    "another seed": (row(0, lambda value: value.update(seed="another")), "its hash does not match"),
    "not a number": (lambda lines: lines.__setitem__(1, '{"seq": NaN}'), ":2:1: not allowed in a battle"),
    "a key twice": (lambda lines: lines.__setitem__(1, '{"seq": 1, "seq": 1}'), "twice"),
    "no JSON": (lambda lines: lines.__setitem__(1, '{"seq": 1'), ":2:10: this is not JSON"),
    "too deep": (lambda lines: lines.__setitem__(1, "[" * 100_000), ":2:1: "),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_is_no_battle_is_one_message_with_its_line(tmp_path: Path, battle: Path, name: str) -> None:
    spoil, expected = SPOILT[name]
    lines = exported(battle, "jsonl").splitlines()
    spoil(lines)
    message = refusal(tmp_path, "\n".join(lines))
    assert expected in message


def test_events_that_cannot_have_followed_each_other_are_refused_where_they_stand(tmp_path: Path, battle: Path) -> None:
    lines = exported(battle, "jsonl").splitlines()
    place = next(number for number, line in enumerate(lines) if '"event/turn-ended"' in line)
    row(place, lambda value: value["body"].update(unit="nobody"))(lines)
    assert ":1: this event is not possible" in refusal(tmp_path, "\n".join(lines))


def test_toml_that_is_no_battle_is_one_message_with_its_line(tmp_path: Path, battle: Path) -> None:
    text = exported(battle, "toml")
    spoilt = text.replace('kind = "event/battle-began"', 'kind = "event/battle-begun"')
    line = spoilt[: spoilt.index("event/battle-begun")].count("\n") + 1
    message = refusal(tmp_path, spoilt)
    found = int(message.partition("given.txt:")[2].partition(":")[0])
    assert "did you mean 'event/battle-began'?" in message
    assert found == line - 3, "the heading of the event"
    assert "this is not TOML" in refusal(tmp_path, text + "\n[[event]\n")


def test_a_hash_that_is_left_out_is_not_missed(tmp_path: Path, battle: Path) -> None:
    lines = exported(battle, "jsonl").splitlines()
    row(0, lambda value: (value.pop("hash"), value.update(title="Another evening")))(lines)
    path = imported(tmp_path, "\n".join(lines))
    assert path.stem == "another-evening-1"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["null", "null~", "null~~", "a", "é "]), inner, max_size=2)
    ),
    max_leaves=12,
)


@given(JSON)
def test_toml_keeps_what_it_has_no_word_for(value: object) -> None:
    assert _read(_written(value)) == value


def test_plain_text_stays_and_what_could_steer_a_terminal_is_escaped() -> None:
    assert harmless('a = "é→"\nb = "\u202e\t"') == 'a = "é→"\nb = "\\U0000202E\\U00000009"'
    assert harmless('a = "é"', is_ascii=True) == 'a = "\\U000000E9"'


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", shipped_rulesets())
def test_a_fight_of_anything_that_is_allowed_comes_back_whole(ruleset: str) -> None:
    """Whatever events a ruleset's fights hold, they can be written, read, and opened again."""
    with closing(new_battle("warehouse", ruleset, "7")) as session:
        roamed = roam(session.history, session.rules, Random(ruleset), 25)
        session.journal.extend([Batch(rows, NOW) for rows in roamed.rows])
        record, path = record_of(session.journal), session.journal.path
    for text in ("\n".join(write_jsonlines(record)), "\n".join(write_tables(record))):
        assert read_record(text, "there") == record
    with closing(open_battle(path)) as again:
        assert again.battle == roamed.history.battle


def text_of_format_1(path: Path, manner: str) -> str:
    """A battle of format 1 as it was exported then."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        head: dict[str, Any] = dict(connection.execute("SELECT key, value FROM meta"))
        found = connection.execute("SELECT seq, batch, time, kind, body, hash FROM event ORDER BY seq").fetchall()
    head = {"battleboard": "battle", "format": 1, "rows": len(found)} | head | {"hash": found[-1][-1].hex()}
    head["ruleset_texts"] = json.loads(head["ruleset_texts"])
    keys = ("seq", "batch", "time", "kind", "body")
    rows = [dict(zip(keys, (*line[:4], json.loads(line[4])), strict=True)) for line in found]
    if manner == "jsonl":
        return "\n".join(json.dumps(line) for line in (head, *rows))
    events = [{**row, "body": _written(row["body"])} for row in rows]
    return tomli_w.dumps({**head, "event": events}, multiline_strings=True)


@pytest.mark.long
@pytest.mark.parametrize("manner", MANNERS)
def test_what_an_earlier_battleboard_exported_is_imported(tmp_path: Path, manner: str) -> None:
    file = FIRST / "volt.battle"
    text = text_of_format_1(file, manner)
    path = imported(tmp_path, text)
    with Journal.open(file, read_only=True) as old, Journal.open(path, read_only=True) as new:
        assert (old.format, new.format) == (1, 2)
        assert record_of(new) == record_of(old)
        assert new.header.original == old.header.original
    with closing(open_battle(file, read_only=True)) as first, closing(open_battle(path)) as second:
        assert first.battle == second.battle
    spoilt = text.replace("golden volt", "golden bolt")
    assert "its hash does not match" in refusal(tmp_path, spoilt)
