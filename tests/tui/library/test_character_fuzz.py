"""Mutated files of characters, parties, encounters: read, or one clear message; nothing half-loaded or written."""

from __future__ import annotations

import random
import re
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
from tui.application.commands.runner import do
from tui.application.library.battle_files import battles, open_battle
from tui.application.library.character_files import import_characters, party_members, read_character, read_parties
from tui.application.library.encounter_files import _load_map as load_encounter_map
from tui.application.library.encounter_files import begin_encounter, encounter_heads, read_encounter
from tui.application.library.encounters import parse_encounter, write_encounter
from tui.application.library.ruleset_files import read_ruleset

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

[[opponent]]
character = "thug"
count = 2
name = "Lookout"
facing = "W"
posture = "prone"
neutral = true

[[note]]
at = "D4"
text = "The safe."
"""
HOSTILE = (
    "\x00", "\x1b[2J", "\u202e", "\ud7ff", "\uffff", "\\u202e", "\"", "'''", "[", "]", "[[", "{", "}", "=", "#", "\n",
    ",", "nan", "inf", "-1", "1e999", "9" * 30, "99999999", "0x10", "true", "1979-05-27", "[" * 400, "a." * 200, "\r",
    "[stats]\n", "[pools]\nhp = -5\n", "[rounds]\nfists = 1\n", "dotted.key = 1\n", "é", "忍" * 50, "x" * 5000,
    'name = "Bo"\n', 'kind = "opponent"\n', "size = 9\n",
    "altitude = 3\n", 'character = "anna"\n', 'role = "sniper"\n',
    'weapons = ["fists", "fists"]\n', "notes = 3\n",
)  # fmt: skip


VALUES = (
    '""', '" "', '"A1"', '"T4"', '"ZZ99"', '["T4", "T4"]', '["A1:B2"]', "[]", "[1]", "{}", '{ at = "A1" }', "0", "1",
    "2", "-1", "61", "1.5", "nan", "inf", "1e999", "9" * 30, "true", '"\\u202e"', "1979-05-27", '"anna"', '"thug"',
    '"law"', '"gunman"', '"rooftops"', '"C"', '"N"', '"kneeling"', '["anna"]', '["thug", "bo"]', '["bo", "bo"]',
)  # fmt: skip


def mutated(text: str, chance: random.Random) -> str:
    """A text with one to four changes: half of the texts in their values alone, the others anywhere."""
    change = chance.choice((_with_another_value, _with_another_piece))
    for _ in range(chance.randint(1, 4)):
        text = change(text, chance)
    return text


def _with_another_value(text: str, chance: random.Random) -> str:
    """A text in which one key has a hostile value, or that of another key."""
    lines = text.split("\n")
    stated = [place for place, line in enumerate(lines) if " = " in line]
    if not stated:
        return text
    place, other = chance.choice(stated), chance.choice(stated)
    key, _, _ = lines[place].partition(" = ")
    _, _, value = lines[other].partition(" = ")
    lines[place] = f"{key} = {value if chance.random() < 0.3 else chance.choice(VALUES)}"
    return "\n".join(lines)


def _with_another_piece(text: str, chance: random.Random) -> str:
    """A text with a piece cut out, doubled, overwritten or put in, or with its lines in another order."""
    at, end = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
    end = min(end, at + chance.choice((1, 3, 20, 200)))
    match chance.randrange(5):
        case 0:
            return text[:at] + text[end:]
        case 1:
            return text[:end] + text[at:end] + text[end:]
        case 2:
            return text[:at] + chance.choice(HOSTILE) + text[end:]
        case 3:
            return text[:at] + chance.choice(HOSTILE) + text[at:]
        case _:
            lines = text.split("\n")
            chance.shuffle(lines)
            return "\n".join(lines)


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
def data(tmp_path: Path) -> Path:
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


def people_of(data: Path, name: str) -> None:
    """Puts two characters and a stat block of a ruleset into the characters folder."""
    for file, kind in (("anna", "character"), ("bo", "character"), ("thug", "opponent")):
        text = re.sub("^kind = .*\n", "", full_sheet(name), flags=re.MULTILINE)
        (data / "characters" / f"{file}.toml").write_text(f'kind = "{kind}"\n{text}')


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
@pytest.mark.parametrize("name", RULESETS)
def test_mutated_parties_are_whole_or_one_message(name: str, data: Path, tmp_path: Path) -> None:
    people_of(data, name)
    rules, chance, read = ruleset(name), random.Random(f"parties {name}"), 0
    with closing(session_for(tmp_path, ruleset=name)) as session:
        before = session.battle.encode()
        for number in range(HOW_MANY):
            (file := data / "party.toml").write_text(mutated(PARTY, chance), encoding="utf-8", errors="surrogatepass")
            kept = file.read_bytes()

            def one() -> None:
                for party in read_parties().values():
                    members = party_members(party, rules)
                    assert [sheet.character.file for sheet in members] == [*party.characters]

            is_read = read_or_refused(one)
            read += is_read
            if number % 20 == 0 and is_read and read_or_refused(lambda: do(session, "add party")):
                do(session, "undo")
            assert session.battle.encode() == before
            assert file.read_bytes() == kept
    assert 10 < read < HOW_MANY


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_mutated_encounters_are_whole_or_one_message(name: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people_of(data, name)
    monkeypatch.setattr("tui.application.library.encounters.read_ruleset", read_once := cache(read_ruleset))
    monkeypatch.setattr("tui.application.library.character_files.read_ruleset", read_once)
    chance, read, begun = random.Random(f"encounters {name}"), 0, 0
    (data / "party.toml").write_text(PARTY)
    (file := data / "encounters" / "ambush.toml").parent.mkdir()
    find = cache(load_encounter_map)
    whole = parse_encounter(ENCOUNTER, "ambush.toml", find)
    assert (whole.rules.id, len(whole.members), {*whole.sheets}) == (name, 2, {"thug"})
    for number in range(HOW_MANY):
        file.write_text(text := mutated(ENCOUNTER, chance), encoding="utf-8", errors="surrogatepass")
        kept = file.read_bytes()

        def one(text: str = text, number: int = number) -> None:
            found = parse_encounter(text, "ambush.toml", find)
            again = parse_encounter(write_encounter(found.encounter), "again.toml", find)
            assert again.encounter == found.encounter, number

        is_read = read_or_refused(one)
        read += is_read
        assert [head.id for head in encounter_heads()] in ([], ["ambush"])
        if number % 10 == 0 and is_read and read_or_refused(lambda: read_encounter("ambush")):
            begun += read_or_refused(lambda: begin_encounter("ambush").close())
            assert len(battles()) == begun
        assert file.read_bytes() == kept
    assert 10 < read < HOW_MANY
    for path in battles():
        with closing(open_battle(path, read_only=True)) as session:
            assert session.battle.is_set_up and session.journal.header.ruleset_id == name


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
