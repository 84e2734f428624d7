"""Parties: made, changed, copied, renamed, thrown away; party.toml stays as a person wrote it."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import BattleboardError, Illegal, Unknown
from tests.tui.library.conversation import LibraryConversation
from tests.tui.play import NARROW, typed
from tui.application.library.battle_list import PartyEntry
from tui.application.library.character_files import CharacterHead, Party, character_heads, party_members, read_parties
from tui.application.library.encounter_files import _load_map, new_encounter
from tui.application.library.encounters import parse_encounter
from tui.application.library.file_moves import restore_last, throw_away, throw_away_party
from tui.application.library.listings import list_parties
from tui.application.library.party_draft import draft_of
from tui.application.library.party_files import (
    copy_party,
    parties_of,
    party_called,
    put_back_party,
    rename_party,
    save_party,
    take_out_party,
)
from tui.cli.arguments import run
from tui.view.app.board_app import BoardApp
from tui.view.library.library_screen import LibraryScreen
from tui.view.library.party_screen import PartyScreen

CHARACTER = 'ruleset = "{ruleset}"\nname = "{name}"\n'
BY_HAND = """\
# Tuesdays
default = "lantern"

[lantern]   # the usual four
name = "The Lantern crew"
characters = [
  "anna",   # our medic
  "bo",
]

[spare]
characters = ["bo"]
"""


@pytest.fixture(autouse=True)
def party_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the parties are; three characters of one ruleset, one of another, and a stat block."""
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))
    folder = tmp_path / "characters"
    folder.mkdir()
    for name, ruleset in (("anna", "aog"), ("bo", "aog"), ("cy", "aog"), ("kim", "cwn")):
        (folder / f"{name}.toml").write_text(CHARACTER.format(ruleset=ruleset, name=name.capitalize()))
    (folder / "thug.toml").write_text(CHARACTER.format(ruleset="aog", name="Thug") + 'kind = "opponent"\n')
    return tmp_path / "party.toml"


def test_the_first_party_is_written_as_a_person_writes_it(party_file: Path) -> None:
    made = save_party(Party("", "The Lantern crew", ("bo", "anna")))
    assert (made.id, made.is_default) == ("the-lantern-crew", True)
    assert party_file.read_text() == (
        'default = "the-lantern-crew"\n\n[the-lantern-crew]\nname = "The Lantern crew"\ncharacters = ["bo", "anna"]\n'
    )
    other = save_party(Party("", "The Lantern crew!", ("kim",)))
    assert (other.id, other.is_default) == ("the-lantern-crew-2", False)
    assert save_party(Party("", "Default", ("kim",))).id == "party", "a key of the file is no id"


def test_a_change_keeps_comments_and_what_is_as_it_was(party_file: Path) -> None:
    party_file.write_text(BY_HAND)
    lantern = read_parties()["lantern"]
    save_party(lantern)
    assert party_file.read_text() == BY_HAND
    save_party(Party("lantern", lantern.name, ("anna", "cy"), is_default=True))
    text = party_file.read_text()
    assert "# Tuesdays" in text and "# the usual four" in text and '"anna",   # our medic' in text
    assert read_parties()["lantern"].characters == ("anna", "cy")
    assert save_party(Party("spare", "Spare hands", ("bo", "cy"), is_default=True)).is_default
    assert [*read_parties()] == ["spare", "lantern"]


def test_what_is_no_party_is_refused_and_nothing_is_written(party_file: Path) -> None:
    refused = [
        (Party("", " ", ("anna",)), "needs a name"),
        (Party("", "!!", ("anna",)), "needs letters or digits"),
        (Party("", "Crew", ()), "1 to 50 characters"),
        (Party("", "Crew", ("anna", "kim")), "characters of aog and cwn"),
    ]
    for party, words in refused:
        with pytest.raises(Illegal, match=words):
            save_party(party)
    with pytest.raises(Unknown):
        save_party(Party("", "Crew", ("nobody",)))
    assert not party_file.exists()
    party_file.write_text("[crew]\ncharacters = 3\n")
    with pytest.raises(BattleboardError):
        save_party(Party("", "Crew", ("anna",)))
    assert party_file.read_text() == "[crew]\ncharacters = 3\n"


def test_a_copy_and_another_name_leave_the_id_of_the_first(party_file: Path) -> None:
    party_file.write_text(BY_HAND)
    assert copy_party("lantern", "Lantern, Friday").id == "lantern-friday"
    assert rename_party("lantern", "The crew").id == "lantern", "encounters and battles know it by its id"
    assert {id: party.name for id, party in read_parties().items()} == {
        "lantern": "The crew",
        "spare": "Spare",
        "lantern-friday": "Lantern, Friday",
    }


def test_the_trash_takes_a_party_and_gives_it_back(party_file: Path) -> None:
    party_file.write_text(BY_HAND)
    throw_away_party("lantern")
    assert [*read_parties()] == ["spare"] and "# Tuesdays" in party_file.read_text()
    save_party(Party("", "Lantern", ("cy",)))
    back = restore_last()
    assert back is not None and back.name == "lantern-2"
    assert read_parties()["lantern-2"].characters == ("anna", "bo")
    assert restore_last() is None
    text = take_out_party("spare")
    party_file.unlink()
    assert put_back_party(text).id == "spare" and read_parties()["spare"].is_default


def test_a_draft_takes_one_ruleset_and_lists_members_first() -> None:
    heads = [CharacterHead(id, id.capitalize(), ruleset, id == "thug") for id, ruleset in
             (("anna", "aog"), ("bo", "aog"), ("cy", "aog"), ("kim", "cwn"), ("thug", "aog"))]  # fmt: skip
    draft = draft_of(Party("lantern", "Lantern", ("cy", "anna")), heads)
    assert [head.id for head in draft.heads] == ["cy", "anna", "bo", "kim"], "no stat blocks"
    assert draft.ruleset == "aog" and draft.why_not("bo") == "" and not draft.changed
    assert draft.why_not("kim") == "Kim is a character of Cities Without Number; this party is for Ashes of Gaia."
    empty = draft.toggled("cy").toggled("anna")
    assert empty.ruleset == "" and empty.why_not("kim") == "" and empty.changed
    assert empty.toggled("kim").why_not("anna") != ""


def test_parties_from_the_command_line(party_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["parties"]) == 0 and "No parties yet." in capsys.readouterr().out
    assert run(["parties", "new", "The crew", "anna", "bo"]) == 0
    assert run(["parties", "new", "Spare", "cy", "--default"]) == 0
    capsys.readouterr()
    assert run(["parties"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["spare", "Spare", "aog", "default", "cy"],
        ["the-crew", "The", "crew", "aog", "anna,", "bo"],
    ]
    assert run(["parties", "default", "the-crew"]) == 0
    assert run(["parties", "--json"]) == 0
    assert '"is_default": true' in capsys.readouterr().out.partition("}")[0]
    with pytest.raises(Unknown, match="Did you mean 'anna'"):
        run(["parties", "new", "Other", "ana"])


@pytest.mark.slow
def test_a_party_is_made_changed_and_thrown_away_by_keys(party_file: Path) -> None:
    async def visit() -> None:
        app = BoardApp(None)
        async with app.run_test(size=NARROW) as pilot:
            await pilot.pause()
            screen = pilot.app.screen
            assert isinstance(screen, LibraryScreen)
            while "new party" not in (screen.presenter.entry.name if screen.presenter.entry else ""):
                await pilot.press("down")
            assert "n new party" in str(screen.query_one("#keys").render())
            await pilot.press("n", *typed("Lantern"), "enter", "space", "down", "space", "k", "i", "space")
            party = pilot.app.screen
            assert isinstance(party, PartyScreen)
            assert party.draft.party.characters == ("anna", "bo") and "of Cities Without Number" in party.note
            await pilot.press("enter")
            await pilot.pause()
            assert isinstance(screen.presenter.entry, PartyEntry) and screen.presenter.entry.name == "Lantern"
            await pilot.press("enter", "down", "down", "space", "escape")
            assert "Not saved" in party_note(pilot.app.screen)
            await pilot.press("escape")
            assert read_parties()["lantern"].characters == ("anna", "bo")
            await pilot.press("f2", *typed("Lantern crew"), "enter")
            assert read_parties()["lantern"].name == "Lantern crew"
            await pilot.press("c", "enter")
            assert [*read_parties()] == ["lantern", "lantern-crew-2"]
            await pilot.press("delete")
            assert [*read_parties()] == ["lantern"]
            await pilot.press("U")
            assert [*read_parties()] == ["lantern", "lantern-crew-2"]

    asyncio.run(visit())


def party_note(screen: object) -> str:
    assert isinstance(screen, PartyScreen)
    return screen.note


def test_a_character_in_the_trash_leaves_the_parties_usable(party_file: Path) -> None:
    party_file.write_text(BY_HAND)
    throw_away(party_file.parent / "characters" / "anna.toml")
    lantern, spare = read_parties().values()
    assert (lantern.missing, spare.missing) == (("anna",), ())
    assert lantern.present.characters == ("bo",) and parties_of("anna") == ("The Lantern crew",)
    assert party_members(spare)[0].character.name == "Bo"
    with pytest.raises(Illegal, match=r"anna\.toml is missing"):
        party_members(lantern)
    assert list_parties().rows[0][-1] == "anna (missing), bo" and not list_parties().errors
    assert rename_party("lantern", "The crew").characters == ("anna", "bo"), "its place is kept"
    assert copy_party("lantern", "Two").characters == ("bo",)
    draft = draft_of(read_parties()["lantern"], tuple(character_heads()))
    assert draft.ruleset == "aog" and draft.toggled("anna").why_not("anna") == "anna.toml is missing."
    restore_last()
    assert not read_parties()["lantern"].missing


def test_a_party_is_meant_by_its_name_or_a_part_that_only_it_has(party_file: Path) -> None:
    party_file.write_text(BY_HAND + '[beacon]\nname = "The Beacon"\ncharacters = ["cy"]\n')
    for name in ("lantern", "The Lantern crew", "the lantern CREW", "crew"):
        assert party_called(name).id == "lantern"
    assert party_called("The Beacon").id == "beacon"
    with pytest.raises(Illegal, match="ambiguous: type more of beacon, lantern"):
        party_called("the ")
    with pytest.raises(Unknown):
        party_called("torch")
    assert run(["parties", "default", "The Beacon"]) == 0 and read_parties()["beacon"].is_default
    with closing(new_encounter("warehouse", "The Beacon", brings_party=True)) as session:
        assert session.battle.party == "beacon"
    talk = LibraryConversation()
    assert "The Beacon · Warehouse" in talk.shelf or talk.library.read_next() or "The Beacon · Warehouse" in talk.shelf
    text = 'name = "A"\nmap = "warehouse"\nparty = "The Beacon"\n'
    assert parse_encounter(text, "a.toml", _load_map).encounter.party == "beacon"


def test_a_party_comes_back_as_the_default_and_no_blank_lines_pile_up(party_file: Path) -> None:
    party_file.write_text(BY_HAND)
    for _ in range(3):
        throw_away_party("lantern")
        assert not read_parties()["spare"].is_default or list(read_parties()) == ["spare"]
        restore_last()
        assert read_parties()["lantern"].is_default
    assert "\n\n\n" not in party_file.read_text() and "# Tuesdays" in party_file.read_text()
