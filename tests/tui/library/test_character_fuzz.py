"""Mutated files of characters and parties: read, or one clear message; nothing half-loaded, nothing written."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.battle.setup import enlist
from engine.battle.state.units import Placement
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from rulesets.character_imports import read_sheets_csv
from rulesets.characters import OwnSheet, parse_character, write_character
from rulesets.swnr_actors import read_actor
from tests.rules.table import ruleset
from tests.rulesets.test_character_imports import SAMPLES
from tests.rulesets.test_characters import ANNA
from tests.tui.library.test_encounter_files import AMBUSH, PARTIES
from tests.tui.library.test_encounter_files import ANNA as OPS_ANNA
from tests.tui.play import session_for
from tui.commands.runner import do
from tui.library.battle_files import open_battle
from tui.library.character_files import import_characters, read_character, read_parties
from tui.library.encounter_files import _load_map
from tui.library.encounters import parse_encounter

HOW_MANY = 1000
MOST_WORDS = 20_000
PARTY = (
    'default = "lantern"\n[lantern]\nname = "The Lantern"\ncharacters = ["anna", "bo"]\n[other]\ncharacters = ["bo"]\n'
)
HOSTILE = (
    "\x00", "\x1b[2J", "\u202e", "\ud7ff", "\uffff", "\\u202e", "\"", "'''", "[", "]", "[[", "{", "}", "=", "#", "\n",
    ",", "nan", "inf", "-1", "1e999", "9" * 30, "99999999", "0x10", "true", "1979-05-27", "[" * 400, "a." * 200, "\r",
    "[stats]\n", "[pools]\nhp = -5\n", "[rounds]\nfists = 1\n", "dotted.key = 1\n", "é", "忍" * 50, "x" * 5000,
    'name = "Bo"\n', 'kind = "opponent"\n', "size = 9\n", 'weapons = ["fists", "fists"]\n', "notes = 3\n",
)  # fmt: skip


def mutated(text: str, chance: random.Random) -> str:
    """A text with one to four changes: cut, doubled, swapped, or with something hostile inside."""
    for _ in range(chance.randint(1, 4)):
        at, end = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        end = min(end, at + chance.choice((1, 3, 20, 200)))
        match chance.randrange(5):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:end] + text[at:end] + text[end:]
            case 2:
                text = text[:at] + chance.choice(HOSTILE) + text[end:]
            case 3:
                text = text[:at] + chance.choice(HOSTILE) + text[at:]
            case _:
                lines = text.split("\n")
                chance.shuffle(lines)
                text = "\n".join(lines)
    return text


def read_or_refused(read: Callable[[], object]) -> bool:
    """Whether something was read; a refusal is one message that says something."""
    try:
        read()
    except BattleboardError as error:
        words = str(error)
        assert 10 < len(words) < MOST_WORDS, words[:300]
        assert all(character.isprintable() or character == "\n" for character in words)
        return False
    return True


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path / "data"))
    folder = tmp_path / "data" / "characters"
    folder.mkdir(parents=True)
    for name in ("anna", "bo"):
        (folder / f"{name}.toml").write_text(ANNA.replace("Anna Vale", name.capitalize()))
    return tmp_path / "data"


@pytest.mark.slow
def test_mutated_characters_are_whole_or_one_message() -> None:
    rules, chance, read = ruleset("aog"), random.Random("characters"), 0
    for number in range(HOW_MANY):
        text = mutated(ANNA, chance)

        def one(text: str = text, number: int = number) -> None:
            sheet = parse_character(text, "anna.toml", lambda _: rules, lambda: [ruleset("eva")])
            unit = enlist(Placement("a", "A", "", "law", Square(0, 0), character=sheet.character), rules)
            assert unit.pools
            again = write_character(OwnSheet("aog", sheet.character), rules)
            assert parse_character(again, "anna.toml", lambda _: rules).character == sheet.character, number

        read += read_or_refused(one)
    assert 10 < read < HOW_MANY


@pytest.mark.slow
def test_mutated_parties_are_whole_or_one_message(data: Path) -> None:
    chance, read = random.Random("parties"), 0
    for _ in range(HOW_MANY):
        (data / "party.toml").write_text(mutated(PARTY, chance), encoding="utf-8", errors="surrogatepass")
        read += read_or_refused(read_parties)
    assert 10 < read < HOW_MANY


@pytest.mark.slow
def test_mutated_encounters_are_whole_or_one_message(data: Path) -> None:
    for name in ("anna", "bo", "thug"):
        (data / "characters" / f"{name}.toml").write_text(OPS_ANNA.replace("Anna", name.capitalize()))
    (data / "party.toml").write_text(PARTIES)
    chance, read = random.Random("encounters"), 0
    before = sorted(data.rglob("*"))
    for _ in range(HOW_MANY):
        text = mutated(AMBUSH, chance)
        read += read_or_refused(lambda text=text: parse_encounter(text, "fuzz.toml", _load_map))  # type: ignore[misc]
        assert sorted(data.rglob("*")) == before, text
    assert 10 < read < HOW_MANY


@pytest.mark.slow
def test_mutated_files_to_import_write_all_or_nothing(data: Path, tmp_path: Path) -> None:
    chance = random.Random("imports")
    actor, table = (SAMPLES / "mara.json").read_text(), (SAMPLES / "lantern.csv").read_text()
    cwn, ours = ruleset("cwn"), ruleset("occult-ops")
    for _ in range(HOW_MANY):
        text, lines = mutated(actor, chance), mutated(table, chance)
        read_or_refused(lambda text=text: read_actor(text, "x.json", cwn))  # type: ignore[misc]
        read_or_refused(lambda lines=lines: read_sheets_csv(lines, "x.csv", ours))  # type: ignore[misc]
    for _ in range(30):
        before = sorted((data / "characters").iterdir())
        (file := tmp_path / "x.csv").write_text(mutated(table, chance), encoding="utf-8", errors="surrogatepass")
        if not read_or_refused(lambda file=file: import_characters(file, "occult-ops")):  # type: ignore[misc]
            assert sorted((data / "characters").iterdir()) == before
        for path in {*(data / "characters").iterdir()} - {*before}:
            assert read_character(path.stem).ruleset == "occult-ops"
            path.unlink()


@pytest.mark.slow
def test_a_battle_takes_a_mutated_character_whole_or_not_at_all(data: Path, tmp_path: Path) -> None:
    chance, file, session = (
        random.Random("battles"),
        data / "characters" / "anna.toml",
        session_for(tmp_path, ruleset="aog"),
    )
    for _ in range(100):
        file.write_text(text := mutated(ANNA, chance), encoding="utf-8", errors="surrogatepass")
        kept, before = file.read_bytes(), session.battle
        if read_or_refused(lambda: do(session, "add anna law D4")):
            do(session, "undo")
        assert session.battle.encode() == before.encode(), text
        assert file.read_bytes() == kept
    path = session.journal.path
    session.close()
    with closing(open_battle(path, read_only=True)) as again:
        assert "anna" not in again.battle.units
