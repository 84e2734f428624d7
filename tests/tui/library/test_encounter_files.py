"""Encounters as files: read, refused with every problem at once, started, saved, started again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from engine.battle.state.battle import Battle
from engine.errors import BattleboardError, Illegal, Unknown, Unreadable
from engine.journal.session import Session
from engine.values import replace
from tests.examples import examples
from tui.application.commands.runner import do
from tui.application.library.battle_files import find_playable, open_battle
from tui.application.library.encounter_files import (
    _load_map,
    begin_encounter,
    encounter_heads,
    new_encounter,
    read_encounter,
    save_encounter,
    write_new_encounter,
)
from tui.application.library.encounters import parse_encounter, write_encounter

ANNA = 'ruleset = "occult-ops"\nname = "Anna"\nweapons = ["usp9"]\n'
PARTIES = '[lantern]\ncharacters = ["anna", "bo"]\n[spare]\ncharacters = ["anna"]\n'
AMBUSH = """\
name = "Ambush at the warehouse"
map = "warehouse"
party = "lantern"
party_side = "crew"
opening = "Rain on the roof."
light = "dark"
seed = "7"

[wind]
towards = "NE"
squares = 2

[places]
bo = "C8"

[[opponent]]
role = "gunman"
count = 3
side = "guards"

[[opponent]]
character = "thug"
count = 2
side = "guards"
hidden = true

[[opponent]]
role = "rifleman"
side = "guards"
at = ["T4", "T5"]
facing = "W"
posture = "kneeling"

[[note]]
at = "D4"
text = "The safe."
"""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))
    for folder in ("characters", "encounters"):
        (tmp_path / folder).mkdir()
    (tmp_path / "characters" / "anna.toml").write_text(ANNA)
    (tmp_path / "characters" / "bo.toml").write_text(ANNA.replace("Anna", "Bo"))
    (tmp_path / "characters" / "thug.toml").write_text(ANNA.replace("Anna", "Thug") + 'kind = "opponent"\n')
    (tmp_path / "party.toml").write_text(PARTIES)
    (tmp_path / "encounters" / "ambush.toml").write_text(AMBUSH)
    return tmp_path


def problems(data: Path, text: str) -> list[str]:
    (data / "encounters" / "bad.toml").write_text(text)
    with pytest.raises(Unreadable) as caught:
        read_encounter("bad")
    return [f"{problem.line}:{problem.column} {problem.message}" for problem in caught.value.problems]


def standing(battle: Battle) -> dict[str, tuple[object, ...]]:
    """All that is to be the same again."""
    return {
        unit.id: (unit.name, unit.at, unit.side, unit.facing, unit.posture, unit.is_hidden, unit.role, unit.character)
        for unit in battle.units.values()
    }


def started(name: str) -> Session:
    return begin_encounter(name)


def test_it_starts_in_its_set_up_phase_with_everything_placed(data: Path) -> None:
    with closing(started("ambush")) as session:
        battle = session.battle
        assert battle.is_set_up and battle.party == "lantern" and battle.dice.seed == "7"
        assert {(unit.name, unit.side) for unit in [*battle.units.values()][:2]} == {("Anna", "crew"), ("Bo", "crew")}
        zones = {zone.id: zone.squares for zone in battle.field.zones}
        assert battle.unit("bo").at.name == "C8" and battle.unit("anna").at in zones["A"]
        assert all(battle.unit(f"gunman-{number}").at in zones["B"] for number in (1, 2, 3))
        thugs = [battle.unit("thug-1~"), battle.unit("thug-2~")]
        assert all(thug.is_hidden and thug.at in zones["C"] and thug.character for thug in thugs)
        assert [battle.unit(f"rifleman-{number}").at.name for number in (1, 2)] == ["T4", "T5"]
        assert {note.text for note in battle.gm.notes} == {"Rain on the roof.", "The safe."}
        assert {*battle.field.light} == {0} and battle.scene.wind is not None
        assert session.journal.header.title == "Ambush at the warehouse"
    with closing(started("ambush")) as again:
        assert standing(again.battle) == standing(battle) and again.journal.path != session.journal.path


def test_what_is_written_reads_back_the_same(data: Path) -> None:
    ready = read_encounter("ambush")
    again = parse_encounter(write_encounter(ready.encounter), "again.toml", _load_map)
    assert again.encounter == ready.encounter


def test_saved_and_started_again_the_same_units_stand_at_the_same_places(data: Path) -> None:
    with closing(started("ambush")) as session:
        for line in ("move anna E10", "remove gunman-2", "add 2 brawler thugs X8", "hide gunman-1", "note X9 a trap"):
            do(session, line)
        saved = save_encounter(session, "Second try")
        assert saved.path.name == "second-try.toml" and not saved.left_out
        before, notes = (
            sorted(standing(session.battle).values(), key=repr),
            {note.text for note in session.battle.gm.notes},
        )
    with closing(started("second-try")) as again:
        assert (
            sorted(standing(again.battle).values(), key=repr) == before
        )  # hidden from the start, a unit has another id
        assert {note.text for note in again.battle.gm.notes} == notes
    head = next(head for head in encounter_heads() if head.id == "second-try")
    assert (head.name, head.map, head.party, head.opponents) == ("Second try", "warehouse", "lantern", 8)


def test_saving_says_what_is_not_in_the_file(data: Path) -> None:
    with closing(started("ambush")) as session:
        lines, _ = do(session, "stat anna dexterity 9")
        do(session, "ground D1 3")
        lines, _ = do(session, "save encounter third")
        assert "“battleboard play third” starts it" in lines[0]
        assert lines[1] == "Not in it: the changed ground: save it as a map; changed stats and armour of Anna."
        with pytest.raises(Illegal, match="Warehouse is the name of a map"):
            save_encounter(session, "Warehouse")
        with pytest.raises(FileExistsError):
            save_encounter(session, "third")
        with pytest.raises(Illegal, match="There is already an encounter third: “save third replace” replaces it"):
            do(session, "save third")
        assert "Saved as" in do(session, "save third replace")[0][0]


def test_every_problem_comes_at_once_with_its_place(data: Path) -> None:
    found = problems(
        data,
        'name = "X"\nmap = "warehose"\nparty = "lantren"\nlight = "dusk"\nx = 1\n'
        '[wind]\ntowards = "UP"\nsquares = 0\n[[opponent]]\ncount = 0\n[[note]]\nat = "9"\n',
    )
    assert [line.split(" ")[0] for line in found] == sorted(
        (line.split(" ")[0] for line in found), key=lambda place: [*map(int, place.split(":"))]
    )
    whole = "\n".join(found)
    for part in (
        "2:7 No map is called 'warehose'. Did you mean 'warehouse'?",
        "no party is called 'lantren'; did you mean 'lantern'?",
        "light = 'dusk' is not known",
        "has no key 'x'",
        "'UP' is not a direction",
        "squares is 0; expected 1 to",
        "[[opponent]] has no 'role'",
        "count is 0; expected 1 to 50",
        "'9' is not a square",
        "[[note]] has no 'text'",
    ):
        assert part in whole, whole


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ('party = "lantern"\n', "", "the encounter has no party and no ruleset; expected one of them"),
        ('party = "lantern"', 'party = "lantern"\nruleset = "cwn"', "is for occult-ops, not for cwn"),
        ('role = "gunman"', 'role = "gunmann"', "has no sheet for the role 'gunmann'; did you mean 'gunman'?"),
        ('character = "thug"', 'character = "thgu"', "No character is called 'thgu'. Did you mean 'thug'?"),
        ('side = "guards"\n\n', 'side = "guards"\nzone = "Q"\n\n', "the map has no zone 'Q'; known: A, B, C"),
        ('at = ["T4", "T5"]', 'at = ["S4", "S4"]', "a unit cannot stand on S4 (crate)"),
        ('at = ["T4", "T5"]', 'at = ["T4", "T4"]', "another unit already stands on T4"),
        ('at = ["T4", "T5"]', 'at = ["T4", "ZZ4"]', "ZZ4 is off the map"),
        ('at = ["T4", "T5"]', 'at = ["T4", "T5"]\ncount = 3', "2 squares for 3 units; expected one for each"),
        ('bo = "C8"', 'boo = "C8"', "'boo' is not in the party lantern; did you mean 'bo'?"),
        ('bo = "C8"', 'bo = "T4"', "another unit already stands on T4"),
        ('at = "D4"', 'at = "D99"', "D99 is off the map"),
    ],
)
def test_a_problem_is_named(data: Path, old: str, new: str, part: str) -> None:
    assert part in "\n".join(problems(data, AMBUSH.replace(old, new, 1)))


def test_a_new_encounter_is_a_file_to_fill_in(data: Path) -> None:
    path = write_new_encounter("Night raid", "rooftops", "lantern")
    assert path.stem == "night-raid" and "# [[opponent]]" in path.read_text()
    assert read_encounter("night-raid").encounter.name == "Night raid"
    with pytest.raises(Illegal, match="already an encounter called night-raid"):
        write_new_encounter("night raid", "rooftops", "lantern")
    with pytest.raises(Unreadable):
        write_new_encounter("Other", "rooftop", "lantern")


def test_encounters_are_found_by_name_and_by_path(data: Path) -> None:
    assert find_playable("ambush").is_encounter
    assert find_playable(str(data / "encounters" / "ambush.toml")).is_encounter
    assert not find_playable("warehouse").is_encounter
    with pytest.raises(Unknown, match="Did you mean 'ambush'"):
        begin_encounter("ambosh")


def test_a_new_battle_is_for_the_party_and_nobody_is_there_yet(data: Path) -> None:
    with closing(new_encounter("warehouse", "spare")) as session:
        assert not session.battle.units and session.battle.party == "spare"
        do(session, "add party")
        assert [unit.name for unit in session.battle.units.values()] == ["Anna"]
        path = session.journal.path
    with closing(open_battle(path)) as again:
        assert again.battle.is_set_up and again.battle.party == "spare"
    with closing(new_encounter("warehouse", "spare", brings_party=True)) as session:
        zone = session.battle.field.zones[0]
        assert [(unit.name, unit.side) for unit in session.battle.units.values()] == [("Anna", "Spare")]
        assert session.battle.unit("anna").at in zone.squares
    with closing(new_encounter("warehouse", ruleset="occult-ops", has_cast=True)) as session:
        assert session.battle.is_set_up and "raven" in session.battle.units


PIECES = ["'", '"', "\n", "[[opponent]]\n", "[", "]", "=", ".", "Q", " ", "9", "-", "忍", "\x1b", "1e9", "at = "]
CHANGES = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 4), st.sampled_from(PIECES)), min_size=1, max_size=4
)


VALUES = ['""', '"A1"', '"T4"', '["T4", "T5"]', '["A1:B2"]', "[]", "0", "2", "60", "-1", "1.5", "true", '"cwn"']
OTHERS = [
    '"gunman"',
    '"thug"',
    '"anna"',
    '"C"',
    '"warehouse"',
    '"rooftops"',
    '"lantern"',
    '"\\u001b"',
    "{}",
    '{ a = "A1" }',
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder for all mutated encounters."""
    with pytest.MonkeyPatch.context() as patch:
        found: Path = data.__wrapped__(tmp_path_factory.mktemp("mutated"), patch)  # type: ignore[attr-defined]
        yield found


@pytest.mark.slow
@examples(300)
@given(changes=CHANGES)
def test_a_mutated_encounter_is_read_or_refused_in_words(folder: Path, changes: list[tuple[float, int, str]]) -> None:
    text = AMBUSH
    for place, removed, piece in changes:
        at = int(place * len(text))
        text = text[:at] + piece + text[at + removed :]
    read_or_refused(text, folder)


@pytest.mark.slow
@examples(300)
@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from([*VALUES, *OTHERS])), min_size=1, max_size=4))
def test_an_encounter_with_other_values_is_read_or_refused_in_words(
    folder: Path, changes: list[tuple[int, str]]
) -> None:
    lines = AMBUSH.splitlines()
    for number, value in changes:
        key, sign, _ = lines[number % len(lines)].partition(" = ")
        lines[number % len(lines)] = f"{key}{sign}{value}" if sign else ""
    read_or_refused("\n".join(lines), folder)


def read_or_refused(text: str, folder: Path) -> None:
    """It is an encounter that starts, or is refused with places; nothing is left behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BATTLEBOARD_DATA", str(folder))
        _read_or_refused(text, folder)


def _read_or_refused(text: str, folder: Path) -> None:
    try:
        ready = parse_encounter(text, "fuzz.toml", _load_map)
    except Unreadable as error:
        assert str(error).startswith("fuzz.toml:")
        assert all(problem.line >= 1 and problem.column >= 1 for problem in error.problems)
        return
    event("read")
    assert parse_encounter(write_encounter(ready.encounter), "again.toml", _load_map).encounter == ready.encounter
    try:
        begin_encounter_in(ready, folder)
    except BattleboardError:
        assert not list((folder / "battles").glob("*.battle"))


def begin_encounter_in(ready: object, folder: Path) -> None:
    from tui.application.library.encounter_files import begin_ready
    from tui.application.library.encounters import ReadyEncounter

    assert isinstance(ready, ReadyEncounter)
    with closing(begin_ready(replace(ready), "", None, folder)) as session:
        assert session.battle.is_set_up
        path = session.journal.path
    path.unlink()


def test_the_documented_encounter_is_read(data: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "encounters.md"
    text = page.read_text("utf-8").split("```toml\n")[1].split("```")[0]
    (data / "characters" / "sniper.toml").write_text(ANNA.replace("Anna", "Sniper") + 'kind = "opponent"\n')
    ready = parse_encounter(text, "encounters.md", _load_map)
    assert ready.encounter.name == "Ambush at the warehouse" and len(ready.encounter.opponents) == 3


def test_a_list_counts_opponents_by_their_count_or_their_squares(data: Path) -> None:
    rows = '[[opponent]]\nrole = "gunman"\nat = ["T4", "T5"]\n[[opponent]]\nrole = "gunman"\n[[opponent]]\ncount = 3\n'
    (data / "encounters" / "six.toml").write_text(f'name = "Six"\nmap = "warehouse"\nruleset = "aog"\n{rows}')
    assert next(head.opponents for head in encounter_heads() if head.id == "six") == 6
