"""The GM tools: the menu, and what is asked for by its lines and by keys of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.battle.commands.unit_edits import SetCondition
from engine.battle.narration.unit_states import HIDDEN_MARK, NOTE_MARK, StateShown
from engine.battle.views.view import UnitView, project
from engine.battle.wording import cover_words
from engine.geometry.squares import Square
from engine.values import replace
from maps import load_map
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.application.commands.forms import Form, MenuLine
from tui.application.library.battle_files import begin_battle, read_scenario
from tui.application.presenter import gm_menu
from tui.application.prompts.choice import keys_for
from tui.view.panels.unit_panel import unit_text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def shown(talk: Conversation, unit: str) -> UnitView:
    """A unit as the board shows it."""
    found = project(talk.battle, talk.presenter.session.rules).unit(unit)
    assert found is not None
    return found


def test_units_are_added_by_role_side_and_number(talk: Conversation) -> None:
    talk.step(0, 2)
    talk.choose("table", "add", "rifleman", "outlaws")
    talk.answer("2 Lurker hidden")
    assert "Lurker 1 on N12, Lurker 2 on N11" in talk.said
    assert shown(talk, "lurker-1~").is_hidden
    assert HIDDEN_MARK in [held.mark for held in shown(talk, "lurker-1~").conditions]
    talk.do("undo")
    assert "lurker-1~" not in talk.battle.units


def test_the_question_for_new_units_has_an_example_of_the_unit_and_no_height_for_who_cannot_fly(
    talk: Conversation,
) -> None:
    talk.choose("table", "add", "rifleman", "outlaws")
    here = talk.presenter.focus.cursor.name
    example = "or type how many, a name and “hidden”, as “2 Rifleman hidden”:"
    assert talk.asked == f"Add Rifleman on {here}. Enter adds one, {example}"
    talk.answer("2 Rifleman hidden")
    assert {"rifleman-1~", "rifleman-2~"} <= {*talk.battle.units}
    talk.choose("table", "add", "drone", "outlaws")
    assert "“2 Drone at 20 hidden” (20 ft up):" in talk.asked


def test_one_is_added_beside_one_who_stands_under_the_cursor(talk: Conversation) -> None:
    talk.choose("table", "add", "rifleman", "outlaws")
    talk.answer("Cole")
    cole, todd = (talk.unit(name).at for name in ("cole", "todd"))
    assert max(abs(cole.column - todd.column), abs(cole.row - todd.row)) == 1
    assert talk.unit("cole").side == "outlaws"


def test_characters_and_stat_blocks_of_ones_own_are_in_the_list(talk: Conversation, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "characters"
    folder.mkdir(parents=True)
    ruleset = talk.presenter.session.rules.id
    weapon = next(iter(talk.presenter.session.rules.gear.weapons))
    for name, kind in (("Anna", "character"), ("Thug", "opponent")):
        text = f'ruleset = "{ruleset}"\nname = "{name}"\nkind = "{kind}"\nweapons = ["{weapon}"]\n'
        (folder / f"{name.lower()}.toml").write_text(text)
    talk.do("table")
    talk.display.choose("add")
    menu = talk.display.menu
    assert menu is not None and menu.narrows and [one.label for one in menu.choices[:2]] == ["Anna", "Thug"]
    assert [one.says.rpartition(" · ")[2] for one in menu.choices[:2]] == ["your character", "yours"]
    assert [column.title for column in menu.table] == ["name", "hp", "hit"]
    assert all(one.cells[0].isdigit() and one.cells[1] == "…" for one in menu.choices), "what it has, its chance later"
    assert menu.later is not None
    known = [one for one in menu.later() if one is not None]
    assert [one.id for one in known] == [one.id for one in menu.choices]
    assert all(one.cells[1].endswith("%") or one.cells[1] == "-" for one in known)
    talk.press(*"an", "enter")
    talk.display.choose("outlaws")
    talk.answer("2")
    assert talk.said == "Anna is one character: only stat blocks and roles are added several times."
    talk.answer("")
    anna = talk.unit("anna").character
    assert anna is not None and anna.file == "anna"
    talk.choose("table", "add", "Anna")
    assert talk.said == "Anna is on the board already."
    talk.choose("table", "add", "Thug", "outlaws")
    talk.answer("2")
    assert {"thug-1", "thug-2"} <= {*talk.battle.units}


def test_a_unit_is_called_what_was_chosen_and_digits_before_the_letters_are_how_many(tmp_path: Path) -> None:
    """The list of the board takes "3 gua", as that of a new encounter; a digit is no side."""
    talk = Conversation(session_for(tmp_path, ruleset="cwn"))
    talk.do("table")
    talk.display.choose("add")
    talk.press(*"2", "space", *"br", "u", "enter")
    menu = talk.display.menu
    assert menu is not None
    assert [(one.label, key) for one, key in zip(menu.choices, keys_for(menu.choices), strict=True)] == [
        ("outlaws", "1"),
        ("law", "2"),
        ("another side", "a"),
    ]
    talk.press("1")
    assert talk.asked.startswith("Add Veteran gang bruiser on N10. Enter adds 2,")
    talk.press("enter")
    assert talk.said.startswith("GM: bruiser 1 on ")
    assert {unit.side for unit in talk.battle.units.values() if unit.full_name.startswith("Veteran")} == {"outlaws"}
    talk.line("add bruiser outlaws D4")
    assert talk.said.startswith("GM: bruiser 3 on D4")
    talk.line("add guard outlaws D4")
    assert talk.said == (
        "“guard” is ambiguous: type one of corp guard or city cop, veteran guard, vicious guard dog."
    ), "the first that begins with it would be the dog"
    talk.display.cancel()
    talk.presenter.focus = talk.presenter.focus.on_unit("bandit")
    talk.choose("table", "add", "brawler")
    assert talk.display.menu is not None and talk.display.menu.choices[0].label == "outlaws", "opponents are added"


def test_a_weapon_is_given_in_words_and_taken_away_from_a_list(talk: Conversation) -> None:
    before = talk.unit("todd").gear.weapons
    talk.choose("table", "give")
    assert "Tab for more" in talk.said, "what may be given is listed at once"
    talk.answer(f"{talk.display.value}excalibur")
    assert talk.said.startswith("No weapon or armour") and "excalibur" in talk.said
    assert (talk.asked, talk.display.value) == (":", "give todd excalibur"), "what was typed stays to be corrected"
    talk.display.value = "give todd "
    sword = next(weapon for weapon in talk.presenter.session.rules.gear.weapons if weapon.startswith("swo"))
    talk.answer(f"{talk.display.value}{sword}")
    (given,) = set(talk.unit("todd").gear.weapons) - set(before)
    label = talk.presenter.session.rules.gear.weapons[given].label
    assert label in talk.said
    talk.choose("table", "lose", label)
    assert talk.unit("todd").gear.weapons == before


def test_a_group_comes_around_the_cursor_for_a_side_that_is_typed(talk: Conversation) -> None:
    talk.step(0, 2)
    talk.choose("table", "group", "Patrol", "another")
    talk.answer("wolves")
    assert [unit.name for unit in talk.battle.units.values() if unit.side == "wolves"] == [
        "leader",
        "rifleman 1",
        "rifleman 2",
        "rifleman 3",
    ]


def test_a_groups_file_that_is_wrong_says_where(talk: Conversation, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "groups.toml").write_text("format = 1\n[a]\n")
    talk.choose("table", "group")
    assert "groups.toml:2:2: the group 'a' has no units" in talk.said


def test_a_unit_is_copied_renamed_hidden_given_a_side_and_the_turn_and_taken_away(talk: Conversation) -> None:
    battle = talk.battle
    talk.choose("table", "copy")
    talk.answer(talk.display.value)
    copy = next(unit for unit in talk.battle.units.values() if unit.id not in battle.units)
    assert copy.name == "Todd 2"
    talk.point(copy.at.name)
    talk.choose("table", "name")
    talk.answer("Ned")
    talk.choose("table", "hide")
    assert (talk.unit(copy.id).name, talk.unit(copy.id).is_hidden) == ("Ned", True)
    talk.choose("table", "side", "outlaws")
    talk.choose("table", "now")
    assert talk.battle.turns.active == copy.id and talk.presenter.focus.unit == copy.id
    talk.choose("table", "rounds")
    talk.answer("3")
    assert talk.unit(copy.id).gear.rounds[copy.gear.weapon] == 3
    talk.choose("table", "remove")
    assert set(talk.battle.units) == set(battle.units)


def test_the_unit_in_focus_is_put_on_the_cursor(talk: Conversation) -> None:
    talk.step(0, 2)
    talk.do("put")
    assert talk.unit("todd").at.name == "N12" and "N12" in talk.said


def test_cover_by_the_gms_word_is_in_the_ledger(talk: Conversation) -> None:
    talk.do("cover")
    assert "target" in talk.said and not talk.asked
    talk.do("target", 1)
    talk.do("cover")
    talk.answer("75 heavy!")
    (ruling,) = talk.battle.gm.covers
    assert (cover_words(ruling), ruling.is_pinned) == ("75 % covered (heavy)", True)
    talk.do("cover")
    talk.answer("seen")
    assert not talk.battle.gm.covers


def test_notes_are_written_listed_changed_and_taken_away(talk: Conversation) -> None:
    talk.do("note")
    talk.answer("Afraid of dogs")
    assert StateShown(NOTE_MARK, "Afraid of dogs") in shown(talk, "todd").conditions
    talk.step(0, 2)
    talk.choose("note", "new")
    talk.answer("A trap")
    assert [note.at for note in talk.battle.gm.notes] == [None, Square(13, 11)]
    (_, trap) = talk.battle.gm.notes
    talk.choose("note", trap.id)
    assert talk.display.value == "A trap"
    talk.answer("")
    assert len(talk.battle.gm.notes) == 1


def test_light_is_set_and_what_stands_there_is_shot_to_pieces(talk: Conversation) -> None:
    talk.choose("table", "light")
    talk.answer("dark all")
    assert "dark" in talk.said
    field = talk.battle.field
    crate = next(square for square in field.squares() if field.ground_at(square).object == "crate")
    wall = next(square for square in field.squares() if field.ground_at(square).terrain == "wall")
    for square in (crate, wall):
        talk.point(square.name)
        talk.do("wreck")
        if talk.display.menu:
            talk.display.choose(next(one.id for one in talk.display.menu.choices if "wall" in one.label))
        ground = talk.battle.field.ground_at(square)
        assert "rubble" in (ground.terrain, ground.object)
    talk.point("N12")
    before = talk.battle
    talk.do("wreck")
    assert talk.battle is before and "N12" in talk.said


def test_the_battle_is_saved_as_a_map_and_one_that_is_there_is_kept(talk: Conversation, folder: Path) -> None:
    talk.choose("table", "save")
    talk.answer("Docks")
    path = folder / "maps" / "docks.toml"
    assert load_map(path).battlefield.name == "Docks" and "docks" in talk.said
    path.write_text("mine")
    talk.choose("table", "save")
    talk.answer("Docks")
    talk.display.choose("no")
    assert path.read_text() == "mine"
    talk.choose("table", "save")
    talk.answer("Docks")
    talk.display.choose("yes")
    assert load_map(path).battlefield.name == "Docks"


def test_a_letter_is_the_same_whatever_the_menu_holds(talk: Conversation) -> None:
    found = []
    for unit in ("todd", "bandit"):
        talk.point(talk.unit(unit).at.name)
        talk.do("table")
        assert talk.display.menu is not None
        found.append({choice.id: choice.key for choice in talk.display.menu.choices if choice.key})
        talk.display.cancel()
    assert found[0] == found[1] and found[0]["copy"] == "c"


@pytest.mark.parametrize(
    ("condition", "is_hidden", "shown"),
    [("known", False, "stun Bandit"), ("nowhere", False, "stun Bandit"), ("nowhere", True, "")],
)
def test_a_form_alone_is_a_tool(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch, condition: str, is_hidden: bool, shown: str
) -> None:
    """An exercise: a command that sets one condition; where the rules do not have it, it is grey or left out."""
    known = next(iter(talk.presenter.session.rules.units.conditions))
    sets = {"condition": known if condition == "known" else condition, "is_on": True}
    line = MenuLine("!", "stun {unit}", hidden_unless_possible=is_hidden)
    monkeypatch.setattr(gm_menu, "FORMS", (Form("stun UNIT", "stun a unit", (SetCondition,), sets=sets, menu=line),))
    talk.point(talk.unit("bandit").at.name)
    talk.do("table")
    assert talk.display.menu is not None
    (tool,) = [choice for choice in talk.display.menu.choices if choice.id == "stun"] or [None]
    assert (tool.label if tool else "") == shown
    if tool is not None and not tool.reason:
        talk.display.choose("stun")
        assert known in talk.unit("bandit").conditions
    else:
        assert condition == "nowhere"


def test_the_battle_is_finished_from_the_menu_only_past_the_end_card(talk: Conversation) -> None:
    rows = [*talk.presenter.session.journal.rows()]
    talk.choose("table", "finish")
    assert talk.display.end_card.title == "Frontier trail" and not talk.battle.is_finished
    assert [*talk.presenter.session.journal.rows()] == rows, "nothing is written before the key to carry over"
    talk.display.carry_over()
    assert talk.battle.is_finished
    assert talk.presenter.attack == "The battle is finished: U reopens it.", "and no enemies to shoot at"
    talk.do("line")
    talk.answer("finish")
    talk.display.carry_over()
    assert "The battle changed no character files" in talk.said


def test_the_prompt_and_the_log_say_what_a_number_means_that_its_label_does_not_say(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "volt"))
    talk.point(talk.unit("raven").at.name)
    talk.do("damage")
    assert talk.asked.startswith("Raven: “-5” health (20 less the worst Injury), ")
    talk.answer("-15")
    assert talk.said.startswith("Raven: health 20 → 5, set by the GM, 20 less the worst Injury. Out of action: ")
    view = project(talk.battle, talk.presenter.session.rules)
    assert "health is 20 less the worst Injury · " in str(unit_text(view.unit("raven"), "m", 60))
    assert "less the worst" not in str(unit_text(view.unit("ox"), "m", 60))


def test_on_a_map_without_units_the_cursor_starts_where_somebody_can_stand_and_two_sides_are_offered(
    tmp_path: Path,
) -> None:
    (pit := tmp_path / "pit.toml").write_text(
        'format = 1\nname = "Pit"\n[scale]\nsquare = 5\nunit = "feet"\n[map]\n'
        "squares = '''\n#####\n#####\n###..\n#####\n'''\n"
    )
    talk = Conversation(begin_battle(read_scenario(pit, "cwn"), "7", tmp_path))
    assert talk.presenter.focus.cursor.name == "D3"
    talk.choose("table", "add", "gunman")
    assert talk.display.menu is not None
    assert [choice.label for choice in talk.display.menu.choices] == ["party", "opponents", "another side"]
    talk.display.choose("party")
    talk.answer("")
    talk.choose("table", "add", "gunman")
    assert [choice.label for choice in talk.display.menu.choices] == ["opponents", "party", "another side"]
    talk.display.cancel()
    talk.presenter.focus = replace(talk.presenter.focus, cursor=Square(0, 0))
    talk.choose("table", "add", "gunman")
    talk.display.choose("party")
    assert talk.asked.startswith("Add Veteran gang gunman on D3.")  # walls fill A1 and what is beside it
    talk.answer("")


def test_a_marker_is_asked_for_by_its_words_for_all_marked_units(talk: Conversation) -> None:
    talk.choose("table", "marker")
    assert talk.asked == "Marker on Todd, as “on fire” or “on fire 3” (rounds); the same words again end it:"
    talk.answer("on fire 2")
    assert talk.unit("todd").markers == {"on fire": 2}
    talk.choose("table", "marker")
    assert talk.asked.endswith("the same words again end “on fire”:")
    talk.answer("On Fire")
    assert not talk.unit("todd").markers
    talk.presenter.marks = ("todd", "bandit")
    talk.choose("table", "marker")
    talk.answer("deaf")
    assert talk.unit("todd").markers == talk.unit("bandit").markers == {"deaf": 0}


def test_opponents_are_offered_first_and_neutrals_last(tmp_path: Path) -> None:
    talk = Conversation(begin_battle(read_scenario("warehouse", "cwn"), "7", tmp_path))
    assert gm_menu.sides_offered(talk.battle) == ["guards", "crew", "bystanders"]
    for unit in [unit.id for unit in talk.battle.units.values() if unit.side == "guards"]:
        talk.line(f"remove {unit}")
    assert gm_menu.sides_offered(talk.battle) == ["opponents", "crew", "bystanders"], "nobody to fight"
