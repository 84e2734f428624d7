"""`watch`: a battle from a side's seat, kept up with while somebody else plays it; and nothing else of it is shown."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from textual.widgets import Static

from engine.battle.commands.order_commands import FinishBattle
from engine.battle.commands.unit_edits import SetPool
from engine.errors import BattleboardError
from engine.journal.batches import Batch
from engine.rules.expressions import shown
from engine.values import replace
from rulesets import shipped_rulesets
from tests.rules.random_play import roam
from tests.stamps import NOW
from tests.tui.play import NARROW
from tui.__main__ import main
from tui.application.commands.runner import do
from tui.application.describe.glyphs import ASCII
from tui.application.library.battle_files import new_battle, open_battle
from tui.application.reports.seat_report import read_seat, seat_json, seat_of
from tui.view.app.board_app import BoardApp
from tui.view.panels.layout import block
from tui.view.panels.panel import Panel
from tui.view.panels.side_panels import FeedPanel
from tui.view.screens.end_card_screen import EndCardScreen
from tui.view.screens.follow_file import PATIENCE, FollowedFile
from tui.view.screens.player_view import LEAST_EVENTS, PlayerViewScreen


@pytest.mark.long
def test_the_board_follows_the_battle_and_shows_nothing_more() -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        app = BoardApp(None, watch=FollowedFile(played.journal.path, "crew"))

        async def run() -> None:
            async with app.run_test(size=NARROW) as pilot:
                await pilot.pause()
                screen = pilot.app.screen
                assert isinstance(screen, PlayerViewScreen)
                while screen.board.view is None:
                    await pilot.pause(0.05)
                known = {unit.id for unit in screen.board.view.units}
                assert {"raven", "ox", "spark", "moth"} <= known
                assert "sergeant" not in known, "behind walls"
                before = screen.board.view
                played.submit(SetPool("raven", next(iter(played.rules.units.pools)), 3))
                while screen.board.view is before:
                    await pilot.pause(0.05)
                assert screen.board.view.unit("raven").pools[0].now == 3
                text = "\n".join(str(found.content) for found in screen.query(Static))
                assert "Sergeant" not in text
                await pilot.press("e", "f", "U", "m", "question_mark", "escape")
                assert pilot.app.screen is screen
                await pilot.press("O", "2", "O", "5")
                await pilot.pause()
                assert (pilot.app.theme, screen.board.glyphs) == ("daylight", ASCII)
                await pilot.press("Q")

        asyncio.run(run())
        assert len(played.history.steps()) == 2, "nothing was done by whoever watched"


def test_the_end_card_of_the_side_is_shown_while_the_battle_is_finished() -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        app = BoardApp(None, watch=FollowedFile(played.journal.path, "crew"))

        async def run() -> None:
            async with app.run_test(size=NARROW) as pilot:
                await pilot.pause()
                screen = pilot.app.screen
                played.submit(FinishBattle())
                text = ""
                while not isinstance(pilot.app.screen, EndCardScreen) or not text.strip():
                    await pilot.pause(0.05)
                    text = "\n".join(str(found.content) for found in pilot.app.screen.query("EndCardScreen Static"))
                assert "4 of 4 standing" in text and "Raven" in text
                assert "Sergeant" not in text and "carry over" not in text and "Esc close" in text
                await pilot.press("enter", "x")
                assert isinstance(pilot.app.screen, EndCardScreen), "a seat can only close it"
                await pilot.press("escape")
                await pilot.pause()
                assert pilot.app.screen is screen

        asyncio.run(run())


def test_the_end_card_closes_when_the_battle_goes_on() -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        played.submit(FinishBattle())
        app = BoardApp(None, watch=FollowedFile(played.journal.path, "crew"))

        async def run() -> None:
            async with app.run_test(size=NARROW) as pilot:
                while not isinstance(pilot.app.screen, EndCardScreen):
                    await pilot.pause(0.05)
                played.undo()
                while not isinstance(pilot.app.screen, PlayerViewScreen):
                    await pilot.pause(0.05)

        asyncio.run(run())


@pytest.mark.long
@pytest.mark.parametrize(("name", "side"), [("warehouse", "crew"), ("frontier-trail", "law")])
def test_events_have_the_rows_that_the_map_leaves_and_who_is_next_is_said_once(name: str, side: str) -> None:
    with closing(new_battle(name, "occult-ops", "7")) as played:
        for _ in range(8):
            do(played, "end")
        app = BoardApp(None, watch=FollowedFile(played.journal.path, side))

        async def run() -> None:
            async with app.run_test(size=NARROW) as pilot:
                screen = pilot.app.screen
                assert isinstance(screen, PlayerViewScreen)
                while screen.board.view is None:
                    await pilot.pause(0.05)
                await pilot.pause()
                (feed,) = [panel for panel in screen.query(FeedPanel) if panel.display]
                rows = feed.build(feed.content_size.width, feed.content_size.height).plain.split("\n")
                assert len(rows) == feed.content_size.height >= 3
                low = max(screen.board.region.bottom, *(panel.region.bottom for panel in screen.query(Panel)))
                extent = screen.board.view.field.columns, screen.board.view.field.rows
                map_rows = block(screen.board.zoom, extent)[1]
                assert screen.board.size.height - map_rows < LEAST_EVENTS, "no empty rows below the map"
                assert low == NARROW[1] - 1, "nothing between the panels and the footer"
                title, banner = (str(screen.query_one(found, Static).content) for found in ("#title", "#banner"))
                assert "next" not in title + banner

        asyncio.run(run())


@pytest.mark.slow
def test_what_was_taken_back_is_followed_too() -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        watch = FollowedFile(played.journal.path)
        assert watch.side == "crew"
        assert not watch.should_read()
        pool = next(iter(played.rules.units.pools))
        first = watch.view.unit("raven").pools[0].now
        seen = []
        for change in (lambda: played.submit(SetPool("raven", pool, 3)), played.undo, played.redo):
            change()
            assert watch.should_read()
            assert asyncio.run(watch.read_again())
            seen.append(watch.view.unit("raven").pools[0].now)
        assert seen == [3, first, 3]
        assert not asyncio.run(watch.read_again())


@pytest.mark.long
def test_a_window_stays_open_when_the_last_unit_of_its_side_has_left_it() -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        path = played.journal.path
        first = read_seat(path, "crew")
        for unit in ("raven", "ox", "spark", "moth"):
            do(played, f"side {unit} rescued")
        left, heirs = read_seat(path, "crew", first), read_seat(path, "rescued")
    assert (left.side, left.view.units) == ("crew", ())
    assert left.view.field.ground == first.view.field.ground
    assert {"raven", "ox", "spark", "moth"} <= {unit.id for unit in heirs.view.units}
    assert heirs.view.field.ground == first.view.field.ground


@pytest.mark.slow
def test_a_file_that_cannot_be_read_now_is_one_message_and_tried_again_later() -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        path = played.journal.path
    watch, whole = FollowedFile(path), path.read_bytes()
    path.write_bytes(whole[:5000])
    assert watch.should_read()
    with pytest.raises(BattleboardError, match="cannot be opened as a battle"):
        asyncio.run(watch.read_again())
    assert [watch.should_read() for _ in range(PATIENCE)].index(True) == PATIENCE - 1
    path.write_bytes(whole)
    assert watch.should_read()
    assert not asyncio.run(watch.read_again())


@pytest.mark.parametrize("ruleset", shipped_rulesets())
def test_what_goes_from_the_reader_to_the_screen_loses_nothing(ruleset: str) -> None:
    with closing(new_battle("warehouse", ruleset, "7")) as played:
        seat = read_seat(played.journal.path, "")
    again = seat_of(json.dumps(seat_json(seat)))
    plain = [replace(unit, stats=()) for unit in seat.view.units]
    assert replace(again.view, units=()) == replace(seat.view, units=())
    assert [replace(unit, stats=()) for unit in again.view.units] == plain
    for one, other in zip(seat.view.units, again.view.units, strict=True):
        assert [(name, shown(value)) for name, value in one.stats] == [
            (name, shown(value)) for name, value in other.stats
        ]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["occult-ops", "eva"])
def test_a_look_that_continues_from_an_earlier_one_sees_what_a_look_from_the_beginning_does(ruleset: str) -> None:
    with closing(new_battle("frontier-trail", ruleset, "7")) as played:
        roamed = roam(played.history, played.rules, Random(5), 40)
        path, seat = played.journal.path, None
        for batches in (roamed.rows[:10], roamed.rows[10:11], roamed.rows[11:30], roamed.rows[30:]):
            played.journal.extend([Batch(rows, NOW) for rows in batches])
            seat = read_seat(path, "", seat and seat_of(json.dumps(seat_json(seat, is_whole=True))))
            assert seat == read_seat(path, "")


def test_what_a_side_saw_happen_before_the_screen_was_opened_is_told_and_nothing_more() -> None:
    with closing(new_battle("warehouse", "cwn", "7")) as played:
        for line in ("now raven", "move raven L6", "shoot hauler dice 15 / 5", "set sergeant 5", "end", "now ox"):
            do(played, line)
        told = [one for command in read_seat(played.journal.path, "crew").events for one in command]
    turn, *seen, last = told
    assert (turn, last) == ("Raven's turn.", "Ox's turn.")
    attacked = ["Raven attacks Hauler: hit.", "Hauler loses 5."]
    assert seen == ["Raven moves H6 → L6.", "Hauler is in sight at O10.", *attacked]
    assert not any("Sergeant" in sentence for sentence in told), "behind walls"


@pytest.mark.long
def test_what_was_undone_is_no_event_and_what_was_redone_is_one_again() -> None:
    with closing(new_battle("warehouse", "cwn", "7")) as played:
        do(played, "now raven")
        before = read_seat(played.journal.path, "crew", None)
        do(played, "move raven L6")
        moved = read_seat(played.journal.path, "crew", before)
        do(played, "undo")
        back = read_seat(played.journal.path, "crew", moved)
        do(played, "redo")
        again = read_seat(played.journal.path, "crew", back)
    assert moved.events[-1][0] == "Raven moves H6 → L6."
    assert back.events == before.events and back.undone == moved.events[-1:]
    assert (again.events, again.undone) == (moved.events, ())
    assert read_seat(played.journal.path, "crew").events == moved.events


@pytest.mark.long
def test_a_corrected_roll_stands_in_place_of_the_one_before() -> None:
    with closing(new_battle("warehouse", "cwn", "7")) as played:
        do(played, "now raven")
        before = read_seat(played.journal.path, "crew", None)
        do(played, "shoot raven nest dice 2")
        do(played, "correct 19 / 7")
        after = read_seat(played.journal.path, "crew", before)
        do(played, "undo")
        back = read_seat(played.journal.path, "crew", after)
    assert after.events[len(before.events) :] == (("Raven attacks Gun nest: hit.", "Gun nest is unharmed."),)
    assert back.events == before.events


@pytest.mark.long
@pytest.mark.parametrize("looks_between", [False, True])
def test_a_correction_is_no_event_itself(looks_between: bool) -> None:
    with closing(new_battle("warehouse", "cwn", "7")) as played:
        do(played, "now raven")
        do(played, "set nest soak 0")
        do(played, "set nest hp 1")
        seat = read_seat(played.journal.path, "crew", None)
        do(played, "shoot raven nest dice 19 / 8")
        shot = read_seat(played.journal.path, "crew", seat) if looks_between else seat
        do(played, "correct 2")
        missed = read_seat(played.journal.path, "crew", shot)
        do(played, "correct 19 / 8")
        again = read_seat(played.journal.path, "crew", missed)
    assert missed.events[-1] == ("Raven attacks Gun nest: miss.",)
    assert again.events[len(seat.events) :] == (
        ("Raven attacks Gun nest: hit.", "Gun nest loses 1.", "Gun nest is out of the fight."),
    )


@pytest.mark.long
def test_a_battle_that_is_finished_in_the_turn_of_a_hidden_unit_is_finished_for_the_players_too() -> None:
    with closing(new_battle("warehouse", "cwn", "7")) as played:
        do(played, "hide watchman")
        do(played, "now watchman")
        do(played, "set raven 5")
        assert not read_seat(played.journal.path, "crew").view.is_finished
        do(played, "finish")
        view = read_seat(played.journal.path, "crew").view
    assert view.is_finished and not view.active
    assert next(unit for unit in view.units if unit.name == "Raven").pools[0].now == 5


@pytest.mark.skipif(not Path("/proc/self/fdinfo").is_dir(), reason="needs /proc")
def test_players_open_a_battle_for_reading_alone() -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        path = played.journal.path
    with closing(open_battle(path, read_only=True, recovers=False)):
        found = [fd for fd in Path("/proc/self/fd").iterdir() if fd.exists() and fd.readlink() == path]
        flags = [Path(f"/proc/self/fdinfo/{fd.name}").read_text().split("flags:")[1].split()[0] for fd in found]
        assert flags
        assert all(int(flag, 8) & os.O_ACCMODE == os.O_RDONLY for flag in flags)


@pytest.mark.long
def test_a_side_that_is_forced_is_the_only_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        name = played.journal.path.stem
    for forced, asked, expected in (
        ("crew", [], '"side": "crew"'),
        ("guards", [], '"side": "guards"'),
        ("crew", ["--side", "crew"], '"side": "crew"'),
        ("crew", ["--side", "guards"], "BATTLEBOARD_SIDE allows only 'crew'"),
        ("", ["--side", "guards"], "BATTLEBOARD_SIDE is set, but empty"),
        ("nobody", [], "No side is called 'nobody'"),
    ):
        monkeypatch.setenv("BATTLEBOARD_SIDE", forced)
        is_refused = '"side"' not in expected
        assert main(["watch", name, "--json", *asked]) == is_refused
        printed = capsys.readouterr()
        assert expected in (printed.err if is_refused else printed.out)
        assert ("Sergeant" in printed.out) == (forced == "guards" and not is_refused)


def test_help_says_whose_screen_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Game Master's second screen" in told
    assert "not access control" in told
    assert "BATTLEBOARD_SIDE" in told


@pytest.mark.long
def test_no_side_of_that_name_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        name = played.journal.path.stem
    assert main(["watch", name, "--side", "crow"]) == 1
    assert "Did you mean 'crew'?" in capsys.readouterr().err
    assert main(["watch", name]) == 1
    assert "needs a terminal" in capsys.readouterr().err
    assert main(["watch", "nothing"]) == 1


@pytest.mark.long
def test_a_look_that_takes_long_ends_while_the_battle_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.view.screens.player_view.EVERY_S", 0.02)
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        watch = FollowedFile(played.journal.path, "crew")
    looks = {"begun": 0, "ended": 0, "at once": 0}

    async def look() -> bool:
        looks["begun"] += 1
        looks["at once"] = max(looks["at once"], looks["begun"] - looks["ended"])
        await asyncio.sleep(0.2)
        looks["ended"] += 1
        return True

    monkeypatch.setattr(watch, "should_read", lambda: True)  # somebody plays all the time
    monkeypatch.setattr(watch, "read_again", look)

    async def run() -> None:
        async with BoardApp(None, watch=watch).run_test(size=NARROW) as pilot:
            while looks["begun"] < 3:
                await pilot.pause(0.05)

    asyncio.run(asyncio.wait_for(run(), 20))
    assert looks["ended"] >= 2
    assert looks["at once"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("how", ["no process", "no sense"])
def test_a_look_that_goes_wrong_in_another_way_is_one_message_too(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        watch = FollowedFile(played.journal.path)

    async def refuse(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files")

    def nonsense(_: str) -> None:
        raise ValueError("no seat")

    if how == "no process":
        monkeypatch.setattr(asyncio, "create_subprocess_exec", refuse)
    else:
        monkeypatch.setattr("tui.view.screens.follow_file.seat_of", nonsense)
    with pytest.raises(BattleboardError, match=r"The battle cannot be read: (Too many|the answer is not valid)"):
        asyncio.run(watch.read_again())


@pytest.mark.slow
def test_a_side_may_begin_with_a_hyphen() -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        do(played, "side raven -blue", lambda _: "")
        path = played.journal.path
    assert FollowedFile(path, "-blue").side == "-blue"
