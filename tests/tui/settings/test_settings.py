"""Settings: chosen on the board, kept in a file, and read tolerantly."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.play import NARROW, USUAL, app_for, play, said
from tui.application.describe.glyphs import ASCII
from tui.application.settings.settings import THEME_NAMES, Settings, read_settings, settings_file, write_settings
from tui.application.settings.settings import USUAL as USUAL_SETTINGS
from tui.view.modals.card import Card
from tui.view.modals.long_list import LongList
from tui.view.screens.battle_screen import BattleScreen


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    settings = Settings("daylight", "ascii", False, ("unit", "log"), 4, -2, "on")
    write_settings(tmp_path / "new" / "settings.toml", settings)
    assert read_settings(tmp_path / "new" / "settings.toml") == (settings, "")


def test_no_file_means_the_usual_settings(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "settings.toml") == (USUAL_SETTINGS, "")


@pytest.mark.parametrize(
    ("text", "found", "message"),
    [
        (
            'theme = "daylihgt"\nglyphs = "ascii"\n',
            Settings(glyphs="ascii"),
            "settings.toml:1:9: theme = 'daylihgt' is not known; did you mean 'daylight'? "
            "That setting uses its default.",
        ),
        (
            'glyphs = "ascii"\ncolour = 3\n',
            Settings(glyphs="ascii"),
            "settings.toml:2:1: the file has no key 'colour'; known keys: below, glyphs, hidden",
        ),
        ("theme = 3\nglyphs = 4\n", USUAL_SETTINGS, "(and 1 more). That setting uses its default."),
        ("theme = \n", USUAL_SETTINGS, "this is not TOML"),
    ],
)
def test_bad_content_gets_one_message_and_the_rest_counts(
    tmp_path: Path, text: str, found: Settings, message: str
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    settings, notice = read_settings(path)
    assert settings == found
    assert message in notice and "\n" not in notice


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"theme" * 100_000])
def test_what_is_no_settings_file_at_all_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    settings, notice = read_settings(path)
    assert settings == USUAL_SETTINGS
    assert "settings.toml" in notice and notice.endswith("All settings use their defaults.")


def test_a_folder_in_the_files_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").mkdir()
    assert "cannot be read" in read_settings(tmp_path / "settings.toml")[1]


@pytest.mark.slow
def test_a_theme_is_chosen_in_two_keys_and_remembered(tmp_path: Path) -> None:
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("O", "2")
        await pilot.pause()
        assert app.theme == "daylight"
        assert said(screen) == "Theme daylight: light, like paper."
        assert read_settings(settings_file())[0].theme == "daylight"

    play(app, script, NARROW)


@pytest.mark.slow
def test_the_library_has_the_same_key_and_the_board_below_it_follows(tmp_path: Path) -> None:
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("ctrl+o")
        await pilot.pause()
        library = app.screen
        await pilot.press("O")
        menu = app.screen
        assert isinstance(menu, Card) and [choice.label[:5] for choice in menu.choices] == ["theme"] * 3 + [
            "Unico",
            "plain",
            "trace",
        ]
        await pilot.press("2", "O", "5")
        await pilot.pause()
        assert app.screen is library
        assert app.theme == "daylight" and app.export_screenshot(simplify=True).isascii()
        await pilot.press("escape")
        assert screen.board.glyphs is ASCII and (screen.settings.theme, screen.settings.glyphs) == ("daylight", "ascii")
        await pilot.press("O", "1", "ctrl+o")
        await pilot.pause()
        assert app.theme == "lamplight" and app.settings.glyphs == "ascii"

    play(app, script, USUAL)


@pytest.mark.slow
def test_signs_are_changed_at_once_everywhere(tmp_path: Path) -> None:
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "O")
        menu = app.screen
        assert isinstance(menu, Card)
        await pilot.press("5")
        await pilot.pause()
        assert screen.board.glyphs is ASCII
        assert app.export_screenshot(simplify=True).isascii()
        await pilot.press("O", "4")
        await pilot.pause()
        assert not app.export_screenshot(simplify=True).isascii()

    play(app, script, USUAL)


def test_the_option_for_ascii_outdoes_the_settings(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert screen.board.glyphs is ASCII

    play(app_for(tmp_path, ascii_only=True), script, USUAL)


def test_a_notice_stands_in_the_verdicts_place(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert said(screen) == "settings.toml:1:1: no."

    play(app_for(tmp_path, notice="settings.toml:1:1: no."), script, NARROW)


@pytest.mark.long
def test_a_disk_that_refuses_is_said_and_the_choice_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").write_text("")
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path / "plain" / "inside"))
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("O", "3")
        await pilot.pause()
        assert app.theme == "contrast"
        assert "cannot be saved" in said(screen)

    play(app, script, USUAL)


def test_without_colours_the_selected_line_is_reversed_and_no_theme_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("O")
        menu = pilot.app.screen
        assert isinstance(menu, Card)
        assert [choice.reason for choice in menu.choices[:4]] == ["NO_COLOR is set"] * 3 + [""]
        lines = menu.query_one(LongList)
        strips = [lines.render_line(y) for y in range(lines.size.height)]
        marked = [strip.text for strip in strips if any(style and style.reverse for _, style, _ in strip)]
        assert lines.highlighted == 3 and [text[3:].startswith(menu.choices[3].label) for text in marked] == [True]

    play(app_for(tmp_path), script, USUAL)


def test_the_page_about_the_look_names_every_setting_and_theme() -> None:
    page = (Path(__file__).parents[3] / "docs" / "look.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in Settings.__struct_fields__)
    assert all(f'"{theme}"' in page for theme in THEME_NAMES)


def test_the_tracer_of_older_settings_is_motion(tmp_path: Path) -> None:
    for text, motion in (
        ("tracer = true\n", "on"),
        ("tracer = false\n", "auto"),
        ('motion = "off"\n', "off"),
        ("", "auto"),
    ):
        (file := tmp_path / "settings.toml").write_text(text)
        assert (read_settings(file)[0].motion, read_settings(file)[1]) == (motion, "")
