"""Mutated files of characters, parties, encounters: read, or one clear message; nothing half-loaded or written."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from engine.battle.setup import enlist
from engine.battle.state.units import Placement
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.values import replace
from rulesets import shipped_rulesets
from rulesets.character_imports import read_sheets_csv
from rulesets.characters import OwnSheet, archetype, parse_character, write_character
from rulesets.swnr_actors import read_actor
from tests.rules.table import ruleset
from tests.rulesets.test_character_imports import SAMPLES
from tests.rulesets.test_characters import ANNA
from tests.tui.play import session_for
from tui.commands.runner import do
from tui.library.battle_files import battles, open_battle
from tui.library.character_files import import_characters, read_character, read_parties
from tui.library.encounter_files import _load_map as load_encounter_map
from tui.library.encounter_files import begin_encounter, encounter_heads, read_encounter
from tui.library.encounters import parse_encounter, write_encounter

HOW_MANY = 1000
RULESETS = sorted(shipped_rulesets())
MOST_WORDS = 20_000
PARTY = (
    'default = "lantern"\n[lantern]\nname = "The Lantern"\ncharacters = ["anna", "bo"]\n[other]\ncharacters = ["bo"]\n'
)
ENCOUNTER = """\
name = "Ambush"
map = "warehouse"
party = "lantern"
opening = "Rain on the roof."
light = "dark"
seed = "7"

[wind]
towards = "NE"
squares = 2

[places]
anna = { at = "G6", facing = "W", posture = "prone" }
bo = "C8"

[[opponent]]
role = "gunman"
count = 3
side = "guards"
zone = "B"

[[opponent]]
role = "rifleman"
at = ["T4", "T5"]
hidden = true

[[note]]
at = "D4"
text = "The safe."
"""
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


def full_sheet(name: str) -> str:
    """A character of a ruleset with something under every key that a rifleman of the ruleset can have."""
    rules = ruleset(name)
    own = archetype(rules, "rifleman")
    stats = {stat.id: stat.default if stat.kind != "number" else stat.high for stat in rules.units.stats.values()}
    own = replace(
        own,
        name="Anna Vale",
        letter="A",
        size=2,
        notes="Owes Bo 200.\nAfraid of heights.",
        stats=tuple((stats | dict(own.stats)).items()),
        rounds=((own.weapons[0], 1),),
        pools=tuple((pool, 1) for pool in rules.units.pools),
    )
    return write_character(OwnSheet(name, own), rules)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_mutated_characters_are_whole_or_one_message(name: str) -> None:
    rules, chance, read = ruleset(name), random.Random(f"characters {name}"), 0
    text, others = full_sheet(name), [ruleset(other) for other in RULESETS if other != name]
    assert parse_character(text, "anna.toml", lambda _: rules).ruleset == name
    for number in range(HOW_MANY):

        def one(text: str = mutated(text, chance), number: int = number) -> None:
            sheet = parse_character(text, "anna.toml", lambda _: rules, lambda: others)
            unit = enlist(Placement("a", "A", "", "law", Square(0, 0), character=sheet.character), rules)
            assert unit.pools
            again = write_character(OwnSheet(name, sheet.character), rules)
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
def test_mutated_encounters_are_whole_or_one_message(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.library.encounters.read_ruleset", lambda _: ruleset("aog"))
    chance, read, file = random.Random("encounters"), 0, data / "encounters" / "ambush.toml"
    (data / "party.toml").write_text(PARTY)
    file.parent.mkdir()
    find = cache(load_encounter_map)
    for number in range(HOW_MANY):
        file.write_text(text := mutated(ENCOUNTER, chance), encoding="utf-8", errors="surrogatepass")
        kept = file.read_bytes()

        def one(text: str = text, number: int = number) -> None:
            found = parse_encounter(text, "ambush.toml", find)
            again = parse_encounter(write_encounter(found.encounter), "again.toml", find)
            assert again.encounter == found.encounter, number

        read += read_or_refused(one)
        assert [head.id for head in encounter_heads()] in ([], ["ambush"])
        if number % 20 == 0 and read_or_refused(lambda: read_encounter("ambush")):
            read_or_refused(lambda: begin_encounter("ambush").close())
        assert file.read_bytes() == kept
    assert 10 < read < HOW_MANY
    for path in battles():
        with closing(open_battle(path, read_only=True)) as session:
            assert session.battle.is_set_up


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
