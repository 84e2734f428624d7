"""The title bar: what if, replay and read-only colour the whole of it, in every theme, and say so in words."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest
from rich.color import ColorSystem
from textual.color import Color
from textual.pilot import Pilot
from textual.theme import Theme
from textual.widgets import Static

from engine.battle.views.view import project
from engine.journal.session import Beginning
from tests.examples import sample
from tests.tui.play import NARROW, USUAL, app_for, play, said, session_for
from tests.tui.sent import Sent, sent_rows, text_of
from tui.application.library.battle_files import begin_battle, new_battle, open_battle, read_scenario
from tui.view.app.board_app import BoardApp
from tui.view.board.palette import contrast
from tui.view.board.themes import SIXTEEN, THEMES
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.follow_file import FollowedFile
from tui.view.screens.title_bar import battle_title

STATES = ("what-if", "replay", "read-only", "set-up")
SIZES = pytest.mark.parametrize("size", sample([NARROW, USUAL]), ids=["80x24", "120x40"])
Script = Callable[[Pilot[None]], Awaitable[None]]


@pytest.fixture
def battle(tmp_path: Path) -> Path:
    """A battle that is kept."""
    with closing(new_battle("warehouse", "occult-ops", "7")) as session:
        return session.journal.path


def run(app: BoardApp, script: Script, size: tuple[int, int]) -> None:
    async def go() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot)

    asyncio.run(go())


def title(app: BoardApp) -> list[Sent]:
    return sent_rows(app)[0]


def looks(row: list[Sent]) -> tuple[set[str], set[str], set[bool]]:
    """The grounds and the inks of a row, and whether it is in reverse video."""
    inks = {cell.look.ink for cell in row if cell.sign.strip()}
    return {cell.look.ground for cell in row}, inks, {"7" in cell.look.attributes for cell in row}


def shown_in(state: str, battle: Path, size: tuple[int, int], theme: str = "") -> tuple[list[Sent], list[Sent]]:
    """The title of a battle that is played, and that of a state."""
    found: list[list[Sent]] = []

    def keep(*keys: str) -> Script:
        async def script(pilot: Pilot[None]) -> None:
            assert isinstance(pilot.app, BoardApp)
            pilot.app.theme = theme or pilot.app.theme
            await pilot.press(*keys)
            await pilot.pause()
            found.append(title(pilot.app))

        return script

    with closing(open_battle(battle)) as session:
        run(BoardApp(session), keep(), size)
        if state == "what-if":
            run(BoardApp(session), keep("I"), size)
    if state == "set-up":
        with closing(begin_battle(read_scenario("warehouse", "occult-ops"), "7", None, Beginning())) as session:
            run(BoardApp(session), keep(), size)
    elif state != "what-if":
        with closing(open_battle(battle, read_only=True)) as session:
            run(BoardApp(session, is_replay=state == "replay"), keep(), size)
    played, special = found
    return played, special


WORDS = {
    "what-if": "WHAT IF, not saved",
    "replay": "replay, step 1 of",
    "read-only": "read-only",
    "set-up": "SET-UP  nobody has a turn  i rolls",
}


@pytest.mark.long
@SIZES
@pytest.mark.parametrize("theme", sample([theme.name for theme in THEMES]))
@pytest.mark.parametrize("state", sample(STATES, 2))
def test_a_state_colours_the_whole_title_bar(battle: Path, state: str, theme: str, size: tuple[int, int]) -> None:
    played, special = shown_in(state, battle, size, theme)
    (ground,), (ink,), reverse = looks(special)
    assert ground not in looks(played)[0], "the usual bar looks otherwise"
    assert ink and reverse == {False}
    assert WORDS[state] in text_of(special)
    assert len(special) == size[0]


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_sixteen_colours_have_one_for_each_state(battle: Path, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    monkeypatch.delenv("COLORTERM")
    monkeypatch.setenv("TERM", "xterm-16color")
    played, special = shown_in(state, battle, NARROW)
    (ground,), inks, _ = looks(special)
    assert inks == {"30" if state == "set-up" else "97"}, "dark ink would be grey where it is bold"
    assert not (state == "set-up" and any("1" in cell.look.attributes for cell in special))
    assert looks(played)[0] == {"40"}
    assert ground == {"what-if": "45", "replay": "44", "read-only": "41", "set-up": "42"}[state]


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_without_colour_the_bar_is_in_reverse_video(battle: Path, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    played, special = shown_in(state, battle, NARROW)
    assert looks(special) == ({""}, {""}, {True})
    assert False in looks(played)[2], "of the usual bar only the badges are"
    assert WORDS[state] in text_of(special)


@pytest.mark.parametrize("system", [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT], ids=["true", "256"])
@pytest.mark.parametrize("theme", [*THEMES, SIXTEEN], ids=lambda theme: theme.name)
def test_every_states_title_can_be_read(theme: Theme, system: ColorSystem) -> None:
    colours = theme.variables
    backs = {state: shown(colours[f"{state}-back"], system) for state in STATES}
    for state, back in backs.items():
        ink = colours["set-up-ink" if state == "set-up" else "ink"]
        assert contrast(shown(ink, system), back) >= 4.5, state
    assert len({*backs.values(), shown(colours["bar-back"], system)}) == len(STATES) + 1, "each differs from the others"


def shown(colour: str, system: ColorSystem) -> Color:
    """A colour as a terminal shows it."""
    return Color(*Color.parse(colour).rich_color.downgrade(system).get_truecolor())


def test_the_title_names_who_acts_and_as_many_of_the_next_as_fit(tmp_path: Path) -> None:
    with closing(session_for(tmp_path)) as session:
        battle, rules = session.battle, session.rules
        view = project(battle, rules)
        wide, narrow, coloured = (
            battle_title(view, battle, rules, state, room) for state, room in (("", 110), ("", 60), ("what-if", 110))
        )
    assert str(wide).startswith(
        "Frontier trail · Occult Ops    Round 1   Todd  1 attack action, 1 move action  next The Boss"
    )
    assert str(narrow) == " Round 1   Todd  1 attack, 1 move  next The Boss  Deputy", "shortened before the next goes"
    assert any("side-1" in str(span.style) for span in wide.spans)
    assert not [span for span in coloured.spans if "side" in str(span.style)], "names on a coloured bar are in its ink"


def test_a_disk_that_fails_colours_the_bar(tmp_path: Path) -> None:
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        before = looks(title(app))[0]
        path = screen.session.journal.path
        copy = path.with_suffix(".copy")
        shutil.copy(path, copy)
        copy.replace(path)  # another file in its place: nothing more can be saved
        await pilot.press("e")
        await pilot.pause()
        assert "cannot be saved" in said(screen)
        (ground,), _, _ = looks(title(app))
        assert ground not in before
        assert "FILE GONE, not saved" in text_of(title(app))

    play(app, script, NARROW)


@pytest.mark.slow
@SIZES
def test_the_bar_keeps_its_words_while_something_is_worked_out(tmp_path: Path, size: tuple[int, int]) -> None:
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("I", "W")
        while "Esc stops" not in text_of(title(app)) and not screen.spare.is_done:
            await pilot.pause(0.01)
        assert "WHAT IF" in text_of(title(app)) and len(looks(title(app))[0]) == 1
        await pilot.press("escape", "M")
        await pilot.pause()
        assert "Terrain editor" in text_of(title(app))
        assert "WHAT IF" in text_of(title(app))
        await pilot.press("escape", "I")
        await pilot.pause()
        assert "WHAT IF" not in text_of(title(app))

    play(app, script, size)


@pytest.mark.long
@SIZES
def test_who_watches_sees_that_it_is_read_only(battle: Path, size: tuple[int, int]) -> None:
    app = BoardApp(None, watch=FollowedFile(battle, "crew"))

    async def script(pilot: Pilot[None]) -> None:
        while "looking round" in text_of(title(app)):
            await pilot.pause(0.05)
        await pilot.pause()
        assert "read-only, view of crew" in text_of(title(app))
        banner = str(app.screen.query_one("#banner", Static).content)
        assert "Round 1" in banner and "a unit out of sight" in banner, "whose turn stands whole, however narrow"
        assert len(looks(title(app))[0]) == len(looks(title(app))[1]) == 1

    run(app, script, size)


def test_a_narrow_title_has_what_is_left_of_the_turn_before_the_next(tmp_path: Path) -> None:
    session = begin_battle(read_scenario("warehouse", "eva"), "5", tmp_path)
    view = project(session.battle, session.rules)
    wide, usual, narrow = (battle_title(view, session.battle, session.rules, "", room).plain for room in (120, 66, 43))
    whole = "2 half actions, 1 reaction, 1 Attack action, 1 Concentration action"
    assert f"  {whole}  next " in wide
    assert usual.endswith("  2 half, 1 reaction, 1 Attack, 1 Concentration")
    assert narrow.endswith("  2 half, 1 reaction, …")
    session.close()
