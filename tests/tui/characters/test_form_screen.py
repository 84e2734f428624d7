"""The form of a character on the screen, by keyboard alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.widgets import Static

from engine.battle.state.characters import Character
from engine.errors import BattleboardError
from engine.values import replace
from rulesets.characters import archetype
from tests.rules.table import ruleset
from tests.tui.play import session_for
from tui.application.characters.sheet_fields import groups_of
from tui.view.app.board_app import BoardApp
from tui.view.characters.form_panels import MOST_WIDE, FieldsPanel, PreviewPanel
from tui.view.characters.form_screen import CharacterForm
from tui.view.library.library_screen import LibraryScreen
from tui.view.modals.picker import Picker


class Kept:
    """Stands in for the file."""

    def __init__(self) -> None:
        self.sheets: list[Character] = []
        self.left: list[Character | None] = []
        self.refuses = False

    def save(self, own: Character) -> str:
        if self.refuses:
            raise BattleboardError("The disk is full.")
        self.sheets.append(own)
        return "Saved."


def filled(
    keys: list[str],
    kept: Kept,
    size: tuple[int, int] = (80, 24),
    then: Callable[[CharacterForm], None] = lambda screen: None,
) -> CharacterForm:
    rules = ruleset("aog")
    screen = CharacterForm(replace(archetype(rules, "rifleman"), weapons=("fists",)), rules, kept.save)

    async def run() -> None:
        app = BoardApp(None)
        async with app.run_test(size=size) as pilot:
            app.push_screen(screen, kept.left.append)
            await pilot.pause()
            for key in keys:
                await pilot.press(key)
            await pilot.pause()
            then(screen)

    asyncio.run(run())
    return screen


SKILLS = ["tab", "tab"]


@pytest.mark.long
def test_a_number_is_typed_kept_and_saved() -> None:
    kept = Kept()
    screen = filled([*SKILLS, "down", "6", "3", "enter", "s", "escape"], kept)
    assert [dict(own.stats)["long_arms"] for own in kept.sheets] == [63]
    assert kept.left == kept.sheets
    assert screen.form.said == "Saved. Esc leaves the form."


@pytest.mark.slow
def test_escape_drops_what_is_typed_and_then_leaves() -> None:
    kept = Kept()
    filled([*SKILLS, "down", "6", "3", "escape", "escape"], kept)
    assert (kept.sheets, kept.left) == ([], [None])


@pytest.mark.slow
def test_leaving_asks_where_something_is_not_saved() -> None:
    kept = Kept()
    filled([*SKILLS, "down", "6", "3", "enter", "escape", "1"], kept)
    assert len(kept.sheets) == 1 and kept.left == kept.sheets
    kept = Kept()
    filled([*SKILLS, "down", "6", "3", "enter", "escape", "2"], kept)
    assert (kept.sheets, kept.left) == ([], [None])


@pytest.mark.slow
def test_a_weapon_is_found_by_its_letters_which_ctrl_u_clears() -> None:
    kept, page = Kept(), ["shift+tab"] * 4 + ["end", "pagedown", "enter"]
    screen = filled([*page, *"xyz", "ctrl+u", *"hor", "enter", "s"], kept)
    assert not isinstance(screen, Picker)
    assert screen.form.own.weapons[-1] == "pistol-krz-21-hornet"


@pytest.mark.slow
def test_the_name_is_typed_in_the_prompt_and_undone() -> None:
    kept = Kept()
    screen = filled(["enter", *["backspace"] * 8, *"Anna", "enter", "s", "U"], kept)
    assert [own.name for own in kept.sheets] == ["Anna"]
    assert screen.form.own.name == "Rifleman"


def test_a_digit_on_a_field_of_another_kind_says_what_it_takes() -> None:
    rules = ruleset("cwn")
    screen = CharacterForm(archetype(rules, "gunman"), rules, Kept().save)  # not shown: keys act on it all the same
    screen.form.go_to("npc")
    screen.action_type("1")
    assert screen.form.said == "By hit dice takes yes or no: Enter changes it." and screen.form.typed is None
    screen.action_move(1)
    assert screen.form.said == ""
    screen.action_type("1")
    assert (screen.form.typed, screen.form.said) == ("1", "")


def test_hit_points_stand_first_among_the_defences() -> None:
    rules = ruleset("cwn")
    page = next(page for page in groups_of(archetype(rules, "gunman"), rules) if page.label == "Defences")
    assert page.fields[0].id == "hit_points"


def test_a_disk_that_refuses_is_said_and_nothing_is_lost() -> None:
    kept, rules = Kept(), ruleset("aog")
    kept.refuses = True
    screen = CharacterForm(archetype(rules, "rifleman"), rules, kept.save)  # not shown: keys act on it all the same
    screen.form.go_to("long_arms")
    screen.action_type("6")
    screen.action_type("3")
    screen.action_save()
    assert (screen.form.said, dict(screen.form.own.stats)["long_arms"], screen.form.changes) == (
        "The disk is full.",
        63,
        1,
    )


def test_no_key_overtakes_a_digit() -> None:
    """Digits and commands go the same way through Textual: both are bindings that its app looks at first."""
    typed = {binding.key: binding for binding in CharacterForm.BINDINGS if isinstance(binding, Binding)}
    assert all(typed[key].priority for key in ("0", "9", "minus", "backspace", "enter,space", "tab,right"))


@pytest.mark.long
def test_values_stand_near_their_labels_on_a_wide_screen() -> None:
    form, panel = filled(SKILLS, Kept()).form, FieldsPanel()
    panel.set_reactive(FieldsPanel.shown, (form, None))
    rows = panel.build(140, 50).plain.split("\n")
    assert {len(row) for row in rows if "Melee" in row} == {MOST_WIDE}
    assert len(rows) < 20 and rows[-1].startswith(" Rolled with"), "the help stands below the fields"


@pytest.mark.long
def test_ctrl_o_leaves_the_form_or_the_help_for_the_library_and_asks_first(tmp_path: Path) -> None:
    rules, session = ruleset("occult-ops"), session_for(tmp_path)
    screen = CharacterForm(archetype(rules, "rifleman"), rules, Kept().save, where="this battle only")
    app = BoardApp(session)

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("question_mark", "ctrl+o")
            await pilot.pause()
            assert isinstance(app.screen, LibraryScreen)
            await pilot.press("question_mark", "ctrl+o")
            await pilot.pause()
            assert isinstance(app.screen, LibraryScreen), "the help alone is closed"
            await pilot.press("escape")
            app.push_screen(screen)
            await pilot.pause()
            assert "Rifleman · this battle only" in str(screen.query_one("#title", Static).content)
            screen.form.change(replace(screen.form.own, letter="Z"))
            await pilot.press("question_mark", "ctrl+o")
            await pilot.pause()
            assert not isinstance(app.screen, CharacterForm | LibraryScreen), "it asks"
            await pilot.press("2")
            await pilot.pause()
            assert isinstance(app.screen, LibraryScreen)

    asyncio.run(run())
    app.close_battle()


@pytest.mark.long
def test_on_a_small_screen_what_the_sheet_makes_is_a_page_and_the_groups_are_a_title() -> None:
    def derived(screen: CharacterForm) -> None:
        assert screen.form.is_derived
        assert not screen.query_one("#pages").display and not screen.query_one("#board").display
        assert screen.query_one("#preview").size.width > 50

    def skills(screen: CharacterForm) -> None:
        assert dict(screen.form.own.stats)["long_arms"] == 63 and not screen.form.is_derived
        assert "Skills · 3 of 9" in str(screen.query_one(FieldsPanel).border_title)
        assert screen.query_one(FieldsPanel).size.width > 50

    def fields_again(screen: CharacterForm) -> None:
        assert not screen.form.is_derived, "a key for a field shows the fields"
        assert screen.query_one("#pages").display and not screen.query_one("#preview").display

    filled(["shift+tab"], Kept(), (60, 18), derived)
    filled([*SKILLS, "down", "6", "3", "enter"], Kept(), (60, 18), skills)
    filled(["shift+tab", "5"], Kept(), (80, 24), fields_again)


@pytest.mark.long
def test_a_weapon_without_training_is_named_beside_its_odds_and_when_the_sheet_is_saved() -> None:
    kept, rules = Kept(), ruleset("occult-ops")
    screen = CharacterForm(Character("Anna", weapons=("usp9",)), rules, kept.save)
    shown: list[str] = []

    async def run() -> None:
        app = BoardApp(None)
        async with app.run_test(size=(120, 40)) as pilot:
            app.push_screen(screen)
            await pilot.pause()
            await pilot.press("s")
            await pilot.pause()
            preview = screen.query_one(PreviewPanel)
            shown.append(str(preview.build(36, 40)))

    asyncio.run(run())
    assert "Wild attack −20" in shown[0]
    assert screen.form.said.startswith("Saved. Wild attack") and "not trained with this weapon" in screen.form.said
