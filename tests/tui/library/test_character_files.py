"""Files of characters and parties, and the characters on the board."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.battle.gear import armour_of, stat_sources, stats_of
from engine.battle.setup import enlist
from engine.battle.state.units import Placement, UnitOverrides
from engine.errors import BattleboardError, Illegal, Unknown, Unreadable
from engine.geometry.squares import Square
from engine.journal.session import Session
from engine.values import replace
from maps import load_map, parse_map, write_map
from rulesets import shipped_rulesets
from tests.rules.table import ruleset
from tests.tui.play import YARD, put_characters, session_for
from tui.application.commands.runner import do
from tui.application.library.battle_files import new_battle, open_battle
from tui.application.library.character_files import (
    Party,
    character_heads,
    characters_for,
    party_members,
    read_character,
    read_parties,
    save_character,
)
from tui.application.library.save_as_map import save_map

ANNA = """\
ruleset = "occult-ops"  # a comment
name = "Anna"
weapons = ["usp9"]

[stats]
dexterity = 9
"""


@pytest.fixture(autouse=True)
def data(tmp_path: Path) -> Path:
    folder = put_characters(tmp_path, anna=ANNA, bo=ANNA.replace("Anna", "Bo")).parent
    (folder / "party.toml").write_text(
        'default = "lantern"\n[other]\ncharacters = ["bo"]\n'
        '[lantern]\nname = "The Lantern"\ncharacters = ["anna", "bo"]\n'
    )
    return folder


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with closing(session_for(tmp_path)) as found:
        yield found


def test_a_character_is_found_by_its_name_and_by_its_path(data: Path, tmp_path: Path) -> None:
    (elsewhere := tmp_path / "zoe.toml").write_text(ANNA.replace("Anna", "Zoë"))
    assert read_character("anna").character.file == "anna"
    found = read_character(str(elsewhere)).character
    assert (found.name, found.file) == ("Zoë", str(elsewhere))
    with pytest.raises(Unknown, match="Did you mean 'anna'"):
        read_character("ana")
    with pytest.raises(Illegal, match="Anna is a character of Occult Ops, not of Ashes of Gaia"):
        read_character("anna", ruleset("aog"))
    for impossible in ("x" * 300, "a\0b", "~nobody/x.toml"):
        with pytest.raises(Unknown):
            read_character(impossible)


def test_a_character_is_saved_with_its_comments_and_a_new_one_beside_it(data: Path) -> None:
    sheet, rules = read_character("anna"), ruleset("occult-ops")
    save_character(replace(sheet, character=replace(sheet.character, stats=(("dexterity", 7),))), rules)
    assert (data / "characters" / "anna.toml").read_text() == ANNA.replace("= 9", "= 7")
    new = save_character(replace(sheet, character=replace(sheet.character, file="")), rules)
    assert new.character.file == "anna-2"
    assert read_character("anna-2").character.stats == (("dexterity", 9),)


def test_parties_are_read_the_default_first_and_problems_all_at_once(data: Path) -> None:
    lantern, other = read_parties().values()
    assert (lantern.name, lantern.is_default, other.name) == ("The Lantern", True, "Other")
    assert [sheet.character.name for sheet in party_members(lantern)] == ["Anna", "Bo"]
    (data / "party.toml").write_text('default = "x"\n[crew]\ncharacters = ["ana", "bo", "bo"]\nnmae = "Crew"\n')
    with pytest.raises(Unreadable) as refused:
        read_parties(checks_members=True)
    assert [one.message for one in refused.value.problems] == [
        "no party is called 'x'",
        "no character is called 'ana'; did you mean 'anna'?",
        "'bo' is in the party twice",
        "[crew] has no key 'nmae'; did you mean 'name'?",
    ]


def test_a_party_of_two_rulesets_is_refused(data: Path) -> None:
    (data / "characters" / "bo.toml").write_text('ruleset = "aog"\nname = "Bo"\n')
    with pytest.raises(Illegal, match="The party The Lantern has characters of aog and occult-ops"):
        party_members(next(iter(read_parties().values())))


def test_a_character_and_a_party_are_added_by_typing(session: Session) -> None:
    assert do(session, "add anna law D4")[0] == ["GM: Anna on D4 (9 ft up) joins law."]
    assert do(session, "add party lantern heroes D8")[0] == ["GM: Bo on D8 joins heroes."]
    assert session.battle.unit("anna").character == read_character("anna").character
    with pytest.raises(BattleboardError, match=r"No character or role is called 'ana'"):
        do(session, "add ana law D4")


def test_a_character_is_on_the_board_once_and_a_stat_block_often(data: Path, session: Session) -> None:
    (data / "characters" / "thug.toml").write_text(
        ANNA.replace("Anna", "Thug").replace("\n", '\nkind = "opponent"\n', 1)
    )
    do(session, "add anna law D4")
    for line in ("add anna law D6", "add anna law D6 Bea"):
        with pytest.raises(Illegal, match=r"Anna is on the board already\."):
            do(session, line)
    with pytest.raises(Illegal, match="Bo is one character"):
        do(session, "add 2 bo law D6")
    assert do(session, "add party law D8")[0] == ["GM: Bo on D8 joins law."], "who is missing is added"
    with pytest.raises(Illegal, match=r"Everybody of The Lantern is on the board already\."):
        do(session, "add party")
    do(session, "add thug outlaws K8")
    do(session, "add thug outlaws K9")
    assert {"thug", "thug-2"} <= {*session.battle.units}


def test_a_partys_side_is_shown_by_its_name_and_typed_by_its_id(data: Path, session: Session) -> None:
    file = data / "party.toml"
    file.write_text(file.read_text().replace("[lantern]", "[night-watch]").replace("lantern", "night-watch"))
    file.write_text(file.read_text().replace("The Lantern", "The Night Watch"))
    assert do(session, "add party D8")[0][0] == "GM: Anna on D8, Bo on D7 join The Night Watch."
    for side in ("night-watch", "the night watch", "The-Night-Watch"):
        do(session, f"damage {side} 1 hp")
    assert [session.battle.unit(name).pools["hp"] for name in ("anna", "bo")] == [17, 17]
    do(session, "add gunman night-watch D9")
    assert session.battle.unit("gunman").side == session.battle.unit("anna").side
    with pytest.raises(Illegal, match="Bo is on the board already"):
        do(session, "add bo night-watch D9")
    assert Party("crew", "The Crew of the Starship Lantern", ()).side == "crew"


def test_a_square_is_a_square_and_no_side(session: Session) -> None:
    do(session, "add party D8")
    assert {unit.side for unit in session.battle.units.values() if unit.character} == {"The-Lantern"}
    assert session.battle.unit("anna").at.name == "D8"
    with pytest.raises(BattleboardError, match="Type the side"):
        do(session, "add gunman D9")


def test_a_character_of_another_ruleset_says_so_and_a_path_is_read(
    data: Path, tmp_path: Path, session: Session
) -> None:
    (data / "characters" / "otto-brandt.toml").write_text('ruleset = "aog"\nname = "Otto Brandt"\n')
    for line in ("add otto-brandt law D5", "add Otto Brandt law D5", "sheet todd otto-brandt"):
        with pytest.raises(
            Illegal, match="Otto Brandt is a character of Ashes of Gaia; this battle is played by Occult Ops"
        ):
            do(session, line)
    dee = tmp_path / "dee.toml"
    dee.write_text(ANNA.replace("Anna", "Dee"))
    assert do(session, f"add {dee} law D5")[0] == ["GM: Dee on D5 (6 ft up) joins law."]
    assert do(session, f"sheet todd {dee}")[0] == ["GM: Todd has Dee's sheet."]
    with pytest.raises(BattleboardError, match="No character is called"):
        do(session, f"add {tmp_path}/nobody.toml law D5")


def test_a_unit_gets_a_sheet_and_reads_it_again(data: Path, session: Session) -> None:
    assert do(session, "sheet todd bo")[0] == ["GM: Todd has Bo's sheet."]
    assert session.battle.unit("todd").character == read_character("bo").character
    file = data / "characters" / "bo.toml"
    file.write_text(file.read_text().replace("= 9", "= 10"))
    assert do(session, "sheet todd")[0] == ["GM: Todd has Bo's sheet."]
    assert dict(session.battle.unit("todd").character.stats) == {"dexterity": 10}  # type: ignore[union-attr]


def test_a_battle_keeps_the_character_as_it_was(data: Path, session: Session) -> None:
    do(session, "add anna law D4")
    (data / "characters" / "anna.toml").unlink()
    path = session.journal.path
    session.close()
    with closing(open_battle(path)) as again:
        assert dict(again.battle.unit("anna").character.stats) == {"dexterity": 9}  # type: ignore[union-attr]


def test_a_map_names_a_character_and_overrides_single_stats(data: Path, tmp_path: Path) -> None:
    (path := tmp_path / "yard.toml").write_text(YARD)
    assert parse_map(write_map(load_map(path)), "again.toml") == load_map(path)
    with closing(new_battle(path, "occult-ops", "1", tmp_path)) as session:
        unit = session.battle.unit("anna")
        assert unit.character == read_character("anna").character
        assert unit.overrides.stats == (("wit", 12),)
        saved = save_map(session, "Yard again")
        assert 'character = "anna"' in saved.read_text()
        with closing(new_battle(saved, "occult-ops", "1", tmp_path)) as second:
            assert second.battle.unit("anna").overrides == unit.overrides


def test_a_unit_of_a_map_has_its_characters_name_unless_the_map_names_it(data: Path, tmp_path: Path) -> None:
    (data / "characters" / "anna.toml").write_text(ANNA.replace("Anna", "Anna Vale of York"))
    (path := tmp_path / "yard.toml").write_text(YARD)
    with closing(new_battle(path, "occult-ops", "1", tmp_path)) as session:
        assert session.battle.unit("anna").name == "Anna Vale of York"
    path.write_text(YARD.replace('character = "anna"', 'character = "anna"\nname = "The medic"'))
    with closing(new_battle(path, "occult-ops", "1", tmp_path)) as session:
        assert session.battle.unit("anna").name == "The medic"


def test_a_map_with_a_character_of_another_ruleset_says_so(tmp_path: Path) -> None:
    (path := tmp_path / "yard.toml").write_text(YARD)
    with pytest.raises(Unreadable, match=r"yard\.toml:22:13: Anna is a character of Occult Ops, not of Ashes of Gaia"):
        new_battle(path, "aog", "1", tmp_path)


def test_which_characters_a_ruleset_has(data: Path) -> None:
    assert characters_for(ruleset("occult-ops")) == {"anna": "Anna", "bo": "Bo"}
    assert characters_for(ruleset("aog")) == {}
    (data / "characters" / "broken.toml").write_text("name = ")
    assert "broken" not in characters_for(ruleset("occult-ops"))


def test_give_knows_talents_and_the_sheet_says_where_each_stat_is_from(data: Path, session: Session) -> None:
    do(session, "add anna law D4")
    assert do(session, "give anna wrestling")[0] == ["GM: Anna's Wrestling: yes, was no."]
    do(session, "stat anna wit 7")
    do(session, "give anna kevlar-vest")
    rules = session.rules
    sources = stat_sources(rules, session.battle.unit("anna"))
    assert [sources[one] for one in ("dexterity", "wit", "wrestling", "armour_points", "strength")] == [
        "Anna's sheet", "GM", "GM", rules.gear.armour["kevlar-vest"].label, "default",
    ]  # fmt: skip
    assert stat_sources(rules, session.battle.unit("todd"))["dexterity"] == rules.units.sheets["gunman"].label
    assert do(session, "give")[0][-1].startswith("Talents: ")


@pytest.mark.parametrize("name", shipped_rulesets())
def test_the_sources_are_those_of_the_values(name: str) -> None:
    """Each unit of a role, with what its ruleset has to wear."""
    rules = ruleset(name)
    defaults = {stat.id: stat.default for stat in rules.units.stats.values()}
    for sheet in rules.units.sheets.values():
        for armour in (None, "", *rules.gear.armour):
            for worn in (None, tuple(rules.gear.accessories)):
                overrides = UnitOverrides(armour, worn)
                unit = replace(enlist(Placement("u", "U", sheet.role, "law", Square(0, 0)), rules), overrides=overrides)
                stats, sources = stats_of(rules, unit), stat_sources(rules, unit)
                assert all(stats[one] == defaults[one] for one, source in sources.items() if source == "default")
                suit = rules.gear.armour.get(armour_of(rules, unit))
                for stat, source in sources.items():
                    if suit and source == suit.label:
                        assert stats[stat] == suit.stats[stat]


def test_names_in_lists_and_refusals_are_plain_text(data: Path) -> None:
    (file := data / "characters" / "eve.toml").parent.mkdir(parents=True, exist_ok=True)
    file.write_text('ruleset = "c\\u202ewn"\nname = "E\\u001bve"\n', encoding="utf-8")
    head = next(head for head in character_heads() if head.id == "eve")
    assert (head.name, head.ruleset) == ("Eve", "cwn")
