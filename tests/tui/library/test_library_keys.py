"""What the keys of the library do, without a screen: search, names, copies, the trash, new battles, import, export."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from engine.battle.command import EndTurn
from engine.battle.state.characters import Character
from engine.values import replace
from maps import load_map
from rulesets import shipped_rulesets
from rulesets.characters import OwnSheet
from tests.tui.library.conversation import LibraryConversation
from tui.application.commands.runner import do
from tui.application.keys.bindings import LIBRARY_KEYS
from tui.application.library.battle_files import battles, new_battle, open_battle
from tui.application.library.battle_list import (
    BattleEntry,
    CharacterEntry,
    EncounterEntry,
    MapEntry,
    NewEntry,
    PartyEntry,
)
from tui.application.library.blank_maps import begin_blank
from tui.application.library.character_files import Party, read_parties, save_character
from tui.application.library.encounter_files import begin_encounter, save_encounter
from tui.application.library.library_actions import ACTIONS
from tui.application.library.party_files import save_party
from tui.view.app import board_app
from tui.view.library.library_screen import LibraryScreen

ANNA = 'ruleset = "occult-ops"\nname = "Anna"\nweapons = ["usp9"]\n'


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


@pytest.fixture
def anna(data_folder: Path) -> Path:
    """The file of a character."""
    (data_folder / "characters").mkdir(parents=True)
    (data_folder / "characters" / "anna.toml").write_text(ANNA, encoding="utf-8")
    return data_folder / "characters" / "anna.toml"


@pytest.fixture
def conversation() -> Iterator[LibraryConversation]:
    """The library; a test begins battles before it asks for it by `library.list_all`."""
    talk = LibraryConversation()
    yield talk
    for session in talk.battles:
        session.close()


def begun(map_id: str = "frontier-trail", turns: int = 0) -> Path:
    with closing(new_battle(map_id, "occult-ops", "demo-17")) as session:
        for _ in range(turns):
            session.submit(EndTurn())
        return session.journal.path


def test_damaged_characters_and_encounters_are_listed_with_the_first_error(data_folder: Path, anna: Path) -> None:
    (anna.parent / "bo.toml").write_text('ruleset = "aog"\nname = \n')
    (data_folder / "encounters").mkdir()
    (data_folder / "encounters" / "ambush.toml").write_text('name = "Ambush"\nruleset = "aog"\n')
    talk = LibraryConversation()
    assert talk.shelf.count("damaged") == 2
    talk.find(CharacterEntry, "bo")
    assert "bo.toml:2:8:" in talk.said and talk.said.endswith("Nothing was changed.")
    talk.press("enter")
    assert talk.form is None and "bo.toml:2:8:" in talk.said
    talk.find(EncounterEntry, "ambush")
    assert "ambush.toml" in talk.said and "map" in talk.said
    talk.press("enter")
    assert not talk.battles


def test_what_breaks_only_under_its_ruleset_is_listed_as_damaged_until_it_is_mended(
    data_folder: Path, anna: Path
) -> None:
    (bo := anna.with_name("bo.toml")).write_text('ruleset = "aog"\nname = "Bo"\n\n[stats]\nballistic_skill = 40\n')
    (data_folder / "encounters").mkdir()
    opponent = '[[opponent]]\ncharacter = "thug"\n'
    (data_folder / "encounters" / "ambush.toml").write_text(
        f'name = "Ambush"\nruleset = "aog"\nmap = "warehouse"\n\n{opponent}'
    )
    talk = LibraryConversation()
    assert talk.shelf.count("damaged") == 2
    talk.find(CharacterEntry, "Bo")
    assert "bo.toml:5:1:" in talk.said and "it is one of Evangelion d100" in talk.said
    talk.find(EncounterEntry, "Ambush")
    assert "ambush.toml:6:13:" in talk.said and "thug" in talk.said
    assert talk.said.endswith("Nothing was changed.") and talk.library.scenery() is None
    talk.press("enter")
    assert not talk.battles
    bo.write_text('ruleset = "aog"\nname = "Bo"\n')
    anna.with_name("thug.toml").write_text('ruleset = "aog"\nname = "Thug"\n')
    talk.library.list_all()
    assert "damaged" not in talk.shelf


def test_a_battle_is_finished_in_the_library_and_its_wounds_are_carried_over(data_folder: Path, anna: Path) -> None:
    path = begun()
    with closing(open_battle(path)) as session:
        do(session, "add anna law D4")
        do(session, "damage anna 5 hp")
    talk = LibraryConversation()
    talk.press("F", "1")
    assert not cast(BattleEntry, talk.entry).is_finished
    talk.press("F", "2")
    assert cast(BattleEntry, talk.entry).is_finished and [one.unit.name for one in talk.changed] == ["Anna"]
    talk.changes_chosen({"anna": {row.difference.key for row in talk.changed[0].rows}})
    assert talk.said == "Anna: written to anna.toml." and "[pools]\nhp = " in anna.read_text()
    talk.press("F")
    assert "is finished. The battle changed no character files" in talk.said
    talk.find(CharacterEntry, "Anna")
    talk.press("F")
    assert talk.said == "Select a battle first."


def test_every_key_has_its_action() -> None:
    for binding in LIBRARY_KEYS:
        name = binding.action.partition("(")[0]
        assert hasattr(LibraryScreen, f"action_{name}"), name
    assert all(hasattr(LibraryScreen, f"action_{name}") for name in ACTIONS)


def test_battles_and_maps_are_listed_with_what_matters() -> None:
    begun(turns=9)
    damaged = begun("warehouse")
    damaged.write_bytes(damaged.read_bytes()[:-5000])
    talk = LibraryConversation()
    assert (
        "Frontier trail" in talk.shelf
        and "4 vs 4 round 2 occult-ops" in " ".join(talk.shelf.split())
        and "damaged" in talk.shelf
    )
    for name in ("frontier-trail", "rooftops", "warehouse"):
        assert name in talk.shelf
    assert "cannot be opened as a battle" in talk.said
    talk.press("enter")
    assert not talk.battles and "cannot be opened" in talk.said
    talk.press("j")
    assert "round 2, 10 steps" in talk.said and talk.library.standing.endswith("turn. Law 4 of 4, outlaws 4 of 4.")
    assert len(battles()) == 2, "nothing is deleted"


def test_a_search_is_followed_letter_by_letter_and_says_what_it_finds_and_how_it_ends() -> None:
    begun()
    talk = LibraryConversation()
    everything = len(talk.library.entries)
    talk.press("slash", "w", "a")
    assert [entry.name for entry in talk.library.entries] == ["warehouse"], "before Enter"
    assert talk.said.startswith(f"Search “wa”: 1 of {everything}; Esc shows everything. Warehouse, night shift")
    rows = [row.split() for row in talk.shelf.splitlines()]
    assert rows == [["Maps", "size", "round"], ["▸", "warehouse", "26×15", "new"]], "no section without a match"
    talk.press("enter", "slash", "xyz", "enter")
    assert "No match for “xyz”" in talk.said and talk.shelf.strip() == "Nothing with “xyz”."
    talk.press("enter", "delete", "c", "f2", "escape")
    assert len(talk.library.entries) == everything and "no encounters yet" in talk.shelf
    talk.press("slash", "ro", "escape")
    assert len(talk.library.entries) == everything, "Esc at the question shows everything, too"


def test_a_battle_gets_a_name_and_keeps_everything() -> None:
    path = begun(turns=2)
    talk = LibraryConversation()
    talk.press("f2", "The old mill", "enter")
    assert isinstance(talk.entry, BattleEntry) and talk.entry.name == "The old mill"
    assert "The old mill" in talk.shelf and not path.exists()
    with closing(open_battle(path.with_name("The old mill.battle"))) as session:
        assert len(session.history.steps()) == 3
        assert session.journal.header.title == "Frontier trail"


def test_the_trash_says_in_which_parties_a_character_is(data_folder: Path, anna: Path) -> None:
    save_party(Party("", "The Lantern", ("anna",)))
    talk = LibraryConversation()
    talk.find(CharacterEntry, "Anna")
    talk.press("delete")
    assert talk.said == "Anna is in the trash. Missing now in The Lantern. U brings it back."
    talk.find(PartyEntry, "The Lantern")
    assert "1 missing" in talk.shelf and "anna.toml is missing." in talk.said


def test_the_trash_gives_back_what_was_thrown_away_last(data_folder: Path) -> None:
    begun(turns=1)
    begun("warehouse")
    talk = LibraryConversation()
    talk.press("delete")
    assert "is in the trash. U brings it back." in talk.said
    talk.press("delete")
    assert battles() == [] and len(list((data_folder / "trash").glob("*/battles/*.battle"))) == 2
    talk.press("delete")
    assert "comes with battleboard" in talk.said
    talk.press("U", "U", "U")
    assert "The trash is empty." in talk.said
    assert sorted(path.stem for path in battles()) == ["frontier-trail-1", "warehouse-night-shift-1"]
    assert not list((data_folder / "trash").iterdir())


def test_the_open_battle_is_neither_thrown_away_nor_opened_again() -> None:
    with closing(open_battle(begun())) as session:
        talk = LibraryConversation(session)
        talk.press("delete")
        assert "is open on the board" in talk.said and len(battles()) == 1
        talk.press("enter")
        assert talk.has_left and not talk.battles
        talk.press("f2", "Mill", "enter")
        assert session.journal.path.exists(), "the app closes it first"


def test_battles_are_sorted_by_name_or_last_played() -> None:
    begun("warehouse")
    begun("frontier-trail")
    talk = LibraryConversation()
    names = [entry.name for entry in talk.library.entries if isinstance(entry, BattleEntry)]
    assert names == ["Frontier trail", "Warehouse, night shift"]
    talk.press("o", "o", "o")
    assert "Battles by name." in talk.said
    talk.press("o")
    assert "last played first" in talk.said


def test_an_encounter_is_listed_renamed_copied_and_begun(data_folder: Path) -> None:
    with closing(new_battle("warehouse", "occult-ops")) as session:
        save_encounter(session, "ambush")
    with closing(begin_encounter("ambush")):
        pass
    talk = LibraryConversation()
    talk.press("tab")
    assert isinstance(talk.entry, EncounterEntry) and "sets it up on the board" in talk.said
    talk.press("f2", "Ambush 2", "enter")
    assert isinstance(talk.entry, EncounterEntry) and (talk.entry.id, talk.entry.name) == ("ambush-2", "Ambush 2")
    assert not (data_folder / "encounters" / "ambush.toml").exists(), "the file follows"
    talk.press("c", "Third", "enter")
    assert (data_folder / "encounters" / "third.toml").is_file() and talk.entry.name == "Third"
    talk.press("enter")
    assert talk.battles[0].battle.is_set_up
    talk.battles[0].close()
    groups = [entry.group for entry in LibraryConversation().library.entries if isinstance(entry, BattleEntry)]
    assert {"ambush", "third"} <= set(groups)


def test_a_blank_map_opens_in_the_terrain_editor(conversation: LibraryConversation, data_folder: Path) -> None:
    conversation.find(NewEntry, "blank map")
    conversation.press("enter", "12x8 1.5m", "enter", "Pier", "enter")
    assert conversation.edits_terrain
    battle = conversation.battles[0].battle
    assert (battle.is_set_up, battle.field.name) == (True, "Pier")
    assert (battle.field.columns, battle.field.rows) == (12, 8)
    assert load_map(data_folder / "maps" / "pier.toml").battlefield.square_size == 150


def test_characters_open_in_the_form_and_a_new_one_is_marked(anna: Path) -> None:
    talk = LibraryConversation()
    talk.find(CharacterEntry)
    assert "Anna, character of occult-ops" in talk.said
    talk.press("enter")
    assert talk.form is not None and (talk.form[0].name, talk.form[2]) == ("Anna", False)
    talk.press("c", "enter", "end", "enter", "2")
    assert talk.form[0].name == "" and talk.form[1].id == sorted(shipped_rulesets())[0] and talk.form[2]
    saved = save_character(OwnSheet("aog", replace(Character(""), name="Bo")), talk.form[1])
    talk.form_closed(saved.character)
    assert isinstance(talk.entry, CharacterEntry) and talk.entry.name == "Bo"
    assert sorted(path.name for path in anna.parent.iterdir()) == ["anna-2.toml", "anna.toml", "bo.toml"]


def test_parties_are_renamed_copied_and_thrown_away(anna: Path, data_folder: Path) -> None:
    (data_folder / "party.toml").write_text('[lantern]\nname = "Lantern"\ncharacters = ["anna"]\n')
    talk = LibraryConversation()
    talk.find(PartyEntry)
    assert talk.library.makes == "new party"
    talk.press("f2", "Lantern crew", "enter")
    assert read_parties()["lantern"].name == "Lantern crew"
    talk.press("c", "enter")
    assert [*read_parties()] == ["lantern", "lantern-crew-2"]
    talk.press("delete")
    assert [*read_parties()] == ["lantern"]
    talk.press("U")
    assert [*read_parties()] == ["lantern", "lantern-crew-2"]
    talk.press("enter")
    assert talk.party is not None and talk.party.name.startswith("Lantern crew")


def test_a_party_that_was_just_saved_ends_the_search_and_is_marked(anna: Path) -> None:
    talk = LibraryConversation()
    talk.press("slash", "new party", "enter", "enter")
    assert talk.entry.name == "new party …" and talk.library.wanted
    talk.party_closed(save_party(Party("", "Night shift", ("anna",))))
    assert isinstance(talk.entry, PartyEntry) and talk.entry.name == "Night shift"
    assert not talk.library.wanted and "begins an encounter; its second step takes the party" in talk.said
    talk.press("home", "n")
    assert talk.last_map is not None, "the new encounter is open"


def test_maps_of_ones_own_are_copied_and_thrown_away(conversation: LibraryConversation, data_folder: Path) -> None:
    talk = conversation
    assert isinstance(talk.entry, MapEntry)
    talk.press("f2")
    assert "comes with battleboard" in talk.said
    talk.press("c", "Old trail", "enter")
    assert load_map(data_folder / "maps" / "old-trail.toml").battlefield.name == "Old trail"
    assert isinstance(talk.entry, MapEntry) and talk.entry.where != "shipped"
    talk.press("f2", "Trail", "enter")
    assert [path.name for path in (data_folder / "maps").iterdir()] == ["trail.toml"]
    talk.press("delete")
    assert not [*(data_folder / "maps").iterdir()]


def test_a_new_battle_from_map_rules_and_seed(conversation: LibraryConversation) -> None:
    talk = conversation
    assert "no battles yet" in talk.shelf
    talk.press("down", "down")
    assert "warehouse" in talk.entry.name
    talk.press("s", "x 7", "enter", "r", "2")
    assert f"with ruleset {talk.library.ruleset} (r) and seed x 7 (s)" in talk.said
    talk.press("enter", "enter")
    (session,) = talk.battles
    assert session.rules.id == talk.library.ruleset
    assert session.journal.header.seed == "x 7" and session.battle.field.name == "Warehouse, night shift"
    assert len(battles()) == 1, "Enter twice in a burst begins one battle"


def test_a_chosen_ruleset_is_said_and_stands_first_for_the_next_character(anna: Path) -> None:
    talk = LibraryConversation()
    talk.find(CharacterEntry)
    talk.press("r", "3")
    assert talk.said.startswith("New battles and characters begin with ")
    talk.press("end", "enter", "enter")
    assert talk.form is not None and talk.form[1].id == talk.library.ruleset != "occult-ops"


def test_the_new_encounter_marks_the_map_that_was_played_last() -> None:
    begun("warehouse")
    talk = LibraryConversation()
    talk.press("n")
    assert talk.last_map == "warehouse"


def test_export_and_import_by_keys(tmp_path: Path) -> None:
    begun(turns=1)
    (tmp_path / "cellar.txt").write_text("####\n#..#\n####\n", encoding="utf-8")
    talk = LibraryConversation()
    for keys, ending in ((("1", "1"), ".md"), (("1", "3"), "-2.md"), (("6",), ".jsonl"), (("6",), "-2.jsonl")):
        talk.press("x", *keys)
        assert (tmp_path / f"frontier-trail-1{ending}").is_file()
        assert "Saved as" in talk.said
    assert "For you alone" in (tmp_path / "frontier-trail-1.md").read_text("utf-8")
    assert "What law saw. Left out" in (tmp_path / "frontier-trail-1-2.md").read_text("utf-8")
    talk.press("i", "frontier-trail-1.jsonl", "enter")
    assert len(battles()) == 2 and "Imported as" in talk.said
    talk.press("i", "cellar.txt", "enter")
    assert isinstance(talk.entry, MapEntry) and talk.entry.id == "cellar"
    talk.press("i", "nothing.txt", "enter")
    assert "There is no file nothing.txt" in talk.said, "and the prompt stays"
    talk.press("escape", "tab", "x")
    assert talk.said == "Select a battle first."


def test_the_board_begins_in_the_terrain_editor_where_it_is_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[bool] = []
    monkeypatch.setattr(board_app, "_run", lambda app: shown.append(app.edits_terrain) or 0)
    with closing(begin_blank("12x9 5ft", "Yard", "cwn")) as session:
        board_app.run_board(session, edits_terrain=True)
        board_app.run_board(session)
    assert shown == [True, False]
