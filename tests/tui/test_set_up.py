"""The set-up phase as it is played: by typing, line by line, and with keys on the board."""

from __future__ import annotations

import io
from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.battle.commands.roster_commands import SetHidden
from engine.battle.views.view import project
from tests.tui.play import NARROW, USUAL, play, said, settled, typed
from tui.__main__ import main
from tui.application.commands.runner import do
from tui.application.describe.battle_start import set_up_words
from tui.application.keys.battle_keys import with_keys
from tui.application.library.battle_files import battles, open_battle
from tui.application.library.encounter_files import begin_encounter, new_encounter
from tui.application.presenter.presenter import WHO_IS_SURPRISED
from tui.application.reports.seat_report import read_seat
from tui.view.app.board_app import BoardApp
from tui.view.panels.order_panel import order_rows, with_marks_legend
from tui.view.panels.side_panels import AttackPanel, OrderPanel
from tui.view.panels.styled_text import lines
from tui.view.screens.battle_screen import BattleScreen

CHARACTER = 'ruleset = "occult-ops"\nname = "{name}"\nweapons = ["usp9"]\n'
AMBUSH = """\
name = "Ambush"
map = "warehouse"
party = "lantern"

[[opponent]]
role = "gunman"
count = 3
side = "guards"

[[opponent]]
role = "rifleman"
count = 2
side = "guards"
hidden = true
"""
SCRIPT = (
    "new encounter warehouse party lantern",
    "add party",
    "add 3 gunman guards zone B",
    "add 2 rifleman guards zone C hidden",
    "begin",
)
"""As `look/encounter.md` types it."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))
    (tmp_path / "characters").mkdir()
    (tmp_path / "encounters").mkdir()
    for name in ("anna", "bo", "cy", "dee"):
        (tmp_path / "characters" / f"{name}.toml").write_text(CHARACTER.format(name=name.capitalize()))
    (tmp_path / "party.toml").write_text(
        'default = "spare"\n[lantern]\ncharacters = ["anna", "bo", "cy", "dee"]\n[spare]\ncharacters = ["anna"]\n'
    )
    (tmp_path / "encounters" / "ambush.toml").write_text(AMBUSH)
    return tmp_path


def talk(monkeypatch: pytest.MonkeyPatch, *lines: str, words: tuple[str, ...] = ("frontier-trail",)) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["play", *words, "--plain"])


def test_the_set_up_says_who_is_out_before_it_begins(data: Path) -> None:
    anna = data / "characters" / "anna.toml"
    anna.write_text(anna.read_text() + "[pools]\nhp = 0\n")
    with closing(begin_encounter("ambush")) as session:
        assert session.battle.unit("anna").is_defeated
        assert set_up_words(session, "Keys.").startswith("Out already: Anna (“:heal Lantern 99” heals).")


def opened(name: str) -> Path:
    return next(path for path in battles() if path.stem == name)


def test_the_script_of_an_encounter_goes_from_a_map_to_round_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert talk(monkeypatch, *SCRIPT) == 0
    out = capsys.readouterr().out
    assert "Warehouse, night shift, Occult Ops: warehouse-night-shift-1. Set-up: nobody has a turn." in out
    with closing(open_battle(opened("warehouse-night-shift-1"), read_only=True)) as session:
        battle = session.battle
        zones = {zone.id: zone.squares for zone in battle.field.zones}
        assert battle.turns.round == 1 and len(battle.units) == 9
        sides = {"Lantern": "A", "guards": "B"}
        for unit in battle.units.values():
            assert unit.at in zones["C" if unit.is_hidden else sides[unit.side]]
        assert len({unit.at for unit in battle.units.values()}) == 9


def test_do_runs_the_same_script(capsys: pytest.CaptureFixture[str]) -> None:
    with closing(new_encounter("rooftops", "spare")) as session:
        name = session.journal.path.stem
    assert main(["do", name, *SCRIPT, "order"]) == 0
    assert "Anna" in capsys.readouterr().out
    with closing(open_battle(opened(name), read_only=True)) as before:
        assert before.battle.is_set_up and not before.battle.units


def test_all_that_is_for_the_game_master_works_while_nobody_has_a_turn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (
        "move anna A15",
        "place bo E1",
        "hide gunman-1",
        "reveal gunman-1",
        "stat anna dexterity 9",
        "give bo knife",
    )
    asked = (
        "units",
        "map",
        "order",
        "note D4 the safe",
        "undo",
        "set anna prone",
        "face anna W",
        "sheet anna",
        "notes",
    )
    status = talk(monkeypatch, *lines, *asked, "end", "shoot anna gunman-1", words=("ambush",))
    told = capsys.readouterr()
    refused = "Nobody has a turn yet: “begin” rolls initiative."
    assert status == 1 and told.err.splitlines()[-2:] == [refused, refused], told.err
    with closing(open_battle(opened("ambush-1"), read_only=True)) as session:
        anna = session.battle.unit("anna")
        assert (anna.at.name, anna.posture, session.battle.unit("bo").at.name) == ("A15", "prone", "E1")


def test_play_starts_for_a_party_or_with_the_maps_own_units(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert talk(monkeypatch, "units", "begin", words=("warehouse", "--party", "lantern")) == 0
    assert talk(monkeypatch, "units", "begin", words=("warehouse", "--set-up", "--ruleset", "cwn")) == 0
    out = capsys.readouterr().out
    assert out.count("Set-up: nobody has a turn. “begin” rolls initiative.") == 2 and "Raven (leader, crew)" in out
    assert main(["play", "warehouse", "--party", "lantern", "--ruleset", "cwn", "--plain"]) == 2
    assert main(["play", "ambush", "--party", "lantern", "--plain"]) == 2
    assert main(["play", "warehouse-night-shift-1", "--set-up", "--plain"]) == 2


def test_encounters_are_listed_checked_and_begun_anew(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    assert main(["encounters"]) == 0
    assert capsys.readouterr().out == "ambush  Ambush  warehouse  lantern  5 opponents\n"
    assert main(["encounters", "new", "Night raid", "rooftops", "--ruleset", "cwn"]) == 0
    assert main(["encounters", "check"]) == 0
    assert "night-raid: no errors (encounter 'Night raid', Rooftops, cwn, 0 opponents)" in capsys.readouterr().out
    (data / "encounters" / "bad.toml").write_text("map = 3")
    assert main(["encounters", "check"]) == 1 and main(["encounters"]) == 1
    assert main(["check", str(data / "encounters" / "ambush.toml")]) == 0


@pytest.mark.long
def test_players_who_watch_see_the_curtain(data: Path) -> None:
    with closing(begin_encounter("ambush", "7")) as session:
        path = session.journal.path
    seat = read_seat(path, "")
    assert seat.view.is_curtain and not seat.view.units and not seat.moments
    assert main(["do", path.stem, "begin"]) == 0
    then = read_seat(path, "lantern", seat)
    assert not then.view.is_curtain and {unit.name for unit in then.view.units} >= {"Anna", "Bo", "Cy", "Dee"}
    assert read_seat(path, "lantern").view == then.view


def title(screen: BattleScreen) -> str:
    return str(screen.query_one("#title", Static).render()).strip()


@pytest.mark.long
def test_seventeen_keys_end_with_initiative_and_m_moves_anywhere() -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert title(screen).startswith("SET-UP  nobody has a turn  i rolls initiative")
        assert screen.query_one("#title").has_class("-set-up")
        unit = screen.session.battle.unit("anna")
        await pilot.press("m", "right", "right", "right", "right", "right")
        assert said(screen).startswith("m places Anna on ")
        goal = screen.presenter.focus.cursor
        await pilot.press("m")
        assert screen.session.battle.unit("anna").at == goal != unit.at
        await pilot.press("U")
        assert screen.session.battle.unit("anna").at == unit.at
        await pilot.press("e")
        assert said(screen) == "Nobody has a turn yet: i rolls initiative."
        await pilot.press("q")
        assert said(screen) == "q does nothing here. ? lists the keys, Q quits."
        for key in ("ctrl+z", "ctrl+y"):
            await pilot.press(key)
            assert said(screen) == "U undoes the last command, R redoes it."
        await pilot.press("i", "enter")
        assert screen.session.battle.turns.round == 1
        assert title(screen).startswith("Round 1") and not screen.query_one("#title").has_class("-set-up")

    play(BoardApp(begin_encounter("ambush", "7")), script, NARROW)


def test_numbered_units_of_different_kinds_are_told_apart_and_the_keys_say_how_to_save() -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for at, kind in (("A1", "gunman"), ("A2", "rifleman")):
            do(screen.session, f"add 2 {kind} bad {at} Veteran {kind}")
        await pilot.pause()
        shown = screen.query_one(OrderPanel).shown
        assert shown is not None
        view = project(screen.session.battle, screen.session.rules)
        rows = [row.plain for row, _ in order_rows(view, "", "", 32, 0)]
        names = [row[6:14].strip() for row in rows if row[6:7] == "V"]
        assert names == ["V gun… 1", "V gun… 2", "V rif… 1", "V rif… 2"]
        assert ": save NAME" in str(screen.query_one("#keys").render())

    play(BoardApp(begin_encounter("ambush", "7")), script, NARROW)


def test_both_sides_are_listed_without_numbers() -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        shown = screen.query_one(OrderPanel).shown
        assert shown is not None
        listed = [row for row, _ in order_rows(shown[0], "", "", 40, 20)]
        rows, _, legend = lines(with_marks_legend(shown[0], listed, 40, 20)).plain.partition("\n\n")
        assert [unit.badge for unit in shown[0].units if unit.is_hidden] == ["r1", "r2"], "they wear their badges"
        assert str(screen.query_one("#keys").render()).strip().startswith("i begin  m place  + add, hide  d change")
        assert [row.split()[1] for row in rows.splitlines()] == [
            "Anna",
            "Bo",
            "Cy",
            "Dee",
            *["gunman"] * 3,
            *["rifleman"] * 2,
        ]
        assert all(unit.initiative is None for unit in shown[0].units)
        assert legend.strip() == "◌ hidden from the players"
        assert "hidden" not in lines(with_marks_legend(shown[0], listed, 40, 10)).plain, "where there is no room for it"

        await pilot.press("1")
        await settled(pilot)
        first, _, *others = screen.query_one(AttackPanel).build(60, 20).plain.split("\n")
        assert first == "Anna could attack from G5:", "its chance to hit each enemy from there"
        assert sum("gunman" in row.lower() or "rifleman" in row.lower() for row in others) == 5

    play(BoardApp(begin_encounter("ambush", "7")), script, USUAL)


@pytest.mark.slow
def test_typed_on_the_board_it_saves_and_continues_in_a_new_encounter(data: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("colon", *typed("save fight"), "enter")
        assert "“battleboard play fight” starts it" in said(screen)
        assert (data / "encounters" / "fight.toml").is_file()
        await pilot.press("colon", *typed("new encounter rooftops party spare"), "enter")
        await pilot.pause()
        other = next(screen for screen in pilot.app.screen_stack if isinstance(screen, BattleScreen))
        assert other.session.battle.field.name == "Rooftops" and other.session.battle.is_set_up
        assert not other.session.battle.units
        await pilot.press("colon", *typed("add party"), "enter")
        assert [unit.name for unit in other.session.battle.units.values()] == ["Anna"]

    play(BoardApp(begin_encounter("ambush", "7")), script, USUAL)


@pytest.mark.slow
def test_no_key_of_the_board_stops_it_while_nobody_has_a_turn() -> None:
    opened = ("a", "v", "W", "r", "w", "Y", "V", "C", "A", "G", "P", "B", "slash", "d", "g")
    keys = ("t", "f", "x", "I", *(key for one in opened for key in (one, "escape")), "greater_than_sign", "enter", "s")

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for key in (*keys, "i", "enter"):
            await pilot.press(key)
            await pilot.pause()

    play(BoardApp(begin_encounter("ambush", "7")), script, USUAL)
    play(BoardApp(new_encounter("warehouse", "lantern")), script, NARROW)


@pytest.mark.long
@pytest.mark.parametrize(("ruleset", "is_said"), [("eva", True), ("occult-ops", False)])
def test_who_is_surprised_is_asked_where_the_ruleset_has_it_and_somebody_hides(ruleset: str, is_said: bool) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.session.submit(SetHidden("watchman"))
        await pilot.press("i", "enter", "enter", "enter", "enter")
        assert screen.session.battle.turns.round == 1
        assert (with_keys(WHO_IS_SURPRISED) in screen.presenter.result) == is_said

    play(BoardApp(new_encounter("warehouse", ruleset=ruleset, has_cast=True)), script, USUAL)
