"""Replay: a battle step by step, by round and by number; and a battle of one's own from any of its steps."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.answers import typed_dice
from engine.battle import command as cmd
from engine.battle.commands.unit_edits import SetPosture
from engine.battle.views.aftermath import NOTHING_DONE
from engine.errors import Illegal
from engine.journal.store import Journal
from tests.tui.play import NARROW, play, said, typed
from tui.application.exports.playback import LONGEST_S, QUIET_S, SPEEDS, step_seconds
from tui.application.library.battle_files import battles, new_battle, open_battle
from tui.application.library.replay_session import Replay, branch
from tui.view.app.board_app import BoardApp
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.replay_screen import ReplayScreen

TURNS = 9
"""Turns ended: into the second round."""


@pytest.fixture
def battle(tmp_path: Path) -> Path:
    """Several turns, one of them taken back and not done again, one taken back and done again."""
    with closing(new_battle("frontier-trail", "occult-ops", "demo-17")) as session:
        session.submit(cmd.Attack("todd", "bandit", "", ""), typed_dice(((45,), (10,))))
        for turn in range(TURNS):
            session.submit(cmd.EndTurn())
            if turn == 2:
                session.submit(SetPosture("bandit", "prone"))
                session.undo()
            if turn == 4:
                session.undo()
                session.redo()
        return session.journal.path


def test_every_step_is_the_battle_as_it_was_then(battle: Path) -> None:
    with closing(open_battle(battle, read_only=True)) as session:
        steps = session.history.steps()
        replay = Replay(session)
        for place, step in enumerate(steps):
            assert replay.go(place) == step.events
            assert replay.battle is step.after
            assert replay.history.steps() == steps[: place + 1]
        replay.go(99)
        assert replay.battle == session.battle


def test_rounds_steps_and_events_are_found_by_their_numbers(battle: Path) -> None:
    with closing(open_battle(battle, read_only=True)) as session:
        replay = Replay(session)
        second = replay.find("r2")
        assert replay.steps[second].after.turns.round == 2
        assert replay.steps[second - 1].after.turns.round == 1
        assert (replay.find("1"), replay.find(" 3 "), replay.find("e1")) == (0, 2, 0)
        replay.go(0)
        assert replay.next_round(1) == second
        replay.go(len(replay.steps) - 1)
        assert replay.next_round(-1) == second
        replay.go(second)
        assert replay.next_round(-1) == 0
        for wrong in ("", "r3", "0", "99", "e9999", "x", "r"):
            with pytest.raises(Illegal):
                replay.find(wrong)
        taken_back = next(row.seq for row in replay.journal.rows() if row.kind == "event/posture-taken")
        with pytest.raises(Illegal, match="was undone"):
            replay.find(f"e{taken_back}")


def test_a_replay_takes_no_command(battle: Path) -> None:
    content = battle.read_bytes()
    with closing(open_battle(battle, read_only=True)) as session:
        replay = Replay(session)
        for wish in (lambda: replay.submit(cmd.EndTurn()), replay.undo, replay.redo):
            with pytest.raises(Illegal, match="replay"):
                wish()
    assert battle.read_bytes() == content


@pytest.mark.slow
def test_a_branch_from_any_step_is_a_battle_of_its_own(battle: Path) -> None:
    content = battle.read_bytes()
    with closing(open_battle(battle, read_only=True)) as session:
        replay = Replay(session)
        for place in range(len(replay.steps)):
            replay.go(place)
            path = branch(replay)
            with closing(open_battle(path)) as new:
                assert new.battle == replay.battle
                assert new.history.steps() == replay.history.steps()
                assert new.journal.header.battle_id != session.journal.header.battle_id
                assert new.journal.header.title == f"Frontier trail, from step {place + 1}"
                new.submit(SetPosture("bandit", "prone"))
    assert battle.read_bytes() == content


@pytest.mark.long
def test_keys_go_through_the_steps_and_branch(battle: Path) -> None:
    app = BoardApp(open_battle(battle, read_only=True), is_replay=True)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert isinstance(screen, ReplayScreen)
        assert "step 1 of 11" in screen.state
        await pilot.press("full_stop")
        assert "rolled 45 (typed)" in said(screen)
        assert screen.query_one("#shot").display, "a narrow screen shows the result"
        await pilot.press("comma", "comma")
        assert screen.query_one("#order").display, "and the turn order where there is none"
        assert "the start of the battle" in said(screen)
        await pilot.press("left_square_bracket")
        assert "the start of the battle" in said(screen)
        await pilot.press("right_square_bracket")
        assert screen.session.battle.turns.round == 2
        await pilot.press("right_square_bracket", "right_square_bracket")
        assert "the last step" in said(screen)
        await pilot.press("left_square_bracket")
        assert screen.session.battle.turns.round == 2
        await pilot.press("e", "f", "U", "m")  # no keys of the replay
        assert screen.session.battle.turns.round == 2
        await pilot.press("g", *typed("r7"), "enter")
        assert "rounds 1 to 2" in said(screen)
        await pilot.press(*typed("2"), "enter", "B")  # typed over what was refused
        await pilot.pause()
        board = pilot.app.screen
        assert isinstance(board, BattleScreen)
        assert not isinstance(board, ReplayScreen)
        assert len(board.session.history.steps()) == 2
        await pilot.press("e")
        assert len(board.session.history.steps()) == 3
        board.session.close()

    play(app, script, NARROW)
    assert sorted(path.stem for path in battles()) == ["frontier-trail-1", "frontier-trail-from-step-2-1"]
    with Journal.open(battle) as journal:
        assert journal.header.title == "Frontier trail"


@pytest.mark.slow
def test_a_replay_plays_itself_until_a_key_and_ends_by_esc(battle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.view.screens.replay_screen.step_seconds", lambda *_: 0.01)
    app = BoardApp(open_battle(battle, read_only=True), is_replay=True)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert isinstance(screen, ReplayScreen)
        assert screen.state == "replay, step 1 of 11, paused"
        await pilot.press("space")
        while screen.is_playing:
            assert "playing" in screen.state
            await pilot.pause(0.01)
        assert screen.state == "replay, step 11 of 11, paused"
        await pilot.press("greater_than_sign", "space", "comma")  # from the start; a step by hand pauses
        assert screen.state.endswith("paused 2×")
        await pilot.press("space", "question_mark")
        assert not screen.is_playing
        await pilot.press("escape", "v", "2", "escape")
        assert (screen.presenter.focus.overlay, app.is_running) == ("plain", True)
        await pilot.press("escape")
        assert app._exit

    play(app, script, NARROW)


def test_the_cursor_is_on_who_did_the_step_and_a_step_stays_as_long_as_there_is_to_see(battle: Path) -> None:
    with closing(open_battle(battle, read_only=True)) as session:
        replay = Replay(session)
        assert (replay.actor, replay.aftermath) == (replay.battle.turns.active, NOTHING_DONE)
        replay.go(1)
        assert (replay.actor, [mark.unit for mark in replay.aftermath.marks]) == ("todd", ["bandit"])
        shot = step_seconds(replay.aftermath)
        replay.go(2)
        assert replay.actor == replay.battle.turns.active  # the end of a turn names nobody
        assert step_seconds(replay.aftermath) == QUIET_S < shot <= LONGEST_S
        assert step_seconds(replay.aftermath, SPEEDS[-1]) == QUIET_S / SPEEDS[-1]
