"""Replay screen: the battle screen in read-only mode, with keys for its steps."""

from __future__ import annotations

from typing import Any

from textual.timer import Timer

from engine.battle.narration import headline, summarise
from engine.battle.narration.unit_states import marks_of
from engine.errors import BattleboardError
from engine.journal.session import Session
from engine.values import replace
from tui.application.exports.playback import SPEEDS, USUAL_SPEED, speed_words, step_seconds
from tui.application.focus.focus import Focus
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import REPLAY_KEYS
from tui.application.library.battle_files import open_battle
from tui.application.library.replay_session import Replay, branch
from tui.application.overlays.overlay_list import OVERLAY_TINTS
from tui.application.settings.settings import USUAL, Settings
from tui.view.board.legend import legend
from tui.view.keys.bound_keys import bind
from tui.view.modals.help_screen import help_text
from tui.view.modals.messages import Chosen, Left
from tui.view.modals.text_modal import TextModal
from tui.view.panels.key_footer import KeyFooter
from tui.view.screens.battle_screen import BattleScreen

INTRODUCTION = (
    "The replay shows a battle step by step, one command at a time. {replay.play} plays it, and pauses; any step by "
    "hand pauses, too. Nothing changes here; {replay.branch} starts a new battle from the shown step."
)


class ReplayScreen(BattleScreen, inherit_bindings=False):
    """Replay of one battle."""

    BINDINGS = bind(REPLAY_KEYS)
    BINDING_GROUP_TITLE = "Replay"

    def __init__(self, session: Session, settings: Settings = USUAL) -> None:
        self.replay = Replay(session)
        self._speed = USUAL_SPEED
        self._next: Timer | None = None
        """Shows the next step; None while paused."""
        super().__init__(self.replay, settings)

    def on_mount(self) -> None:
        super().on_mount()
        self._describe_step()

    @property
    def title_state(self) -> str:
        return "replay"

    @property
    def state(self) -> str:
        """The step, and whether the replay plays, shown in the title."""
        does = "playing" if self.is_playing else "paused"
        speed = "" if self._speed == USUAL_SPEED else f" {speed_words(SPEEDS[self._speed])}"
        return f"replay, step {self.replay.place + 1} of {len(self.replay.steps)}, {does}{speed}"

    # Playing

    @property
    def is_playing(self) -> bool:
        return self._next is not None

    def action_play(self) -> None:
        """Plays on, from the start if the end is shown; or pauses."""
        if self.is_playing:
            self._pause()
            self._show_title()
        elif self.replay.place == len(self.replay.steps) - 1:
            self._show_step(0)
            self._play_on()
        else:
            self._play_on()

    def action_speed(self, steps: int) -> None:
        """Plays faster or slower."""
        self._speed = min(max(self._speed + steps, 0), len(SPEEDS) - 1)
        if self.is_playing:
            self._play_on()
        self._show_title()

    def _play_on(self) -> None:
        """Shows the next step after the time of this one, and so on; nothing is drawn in between."""
        self._pause()
        if self.replay.place < len(self.replay.steps) - 1:
            seconds = step_seconds(self.replay.aftermath, SPEEDS[self._speed])
            # An interval that ends after one tick: Textual leaves out a one-shot timer that comes late.
            self._next = self.set_interval(seconds, self._show_next)
        self._show_title()

    def _show_next(self) -> None:
        self._pause()
        self._show_step(self.replay.place + 1)
        self._play_on()

    def _show_title(self) -> None:
        super()._show_title()
        self._show_keys()

    def _show_keys(self) -> None:
        self.query_one(KeyFooter).show(names={"play": "pause"} if self.is_playing else {})

    def _pause(self) -> None:
        if self._next is not None:
            self._next.stop()
            self._next = None

    def on_screen_suspend(self) -> None:
        """Pauses while another screen is shown."""
        self._pause()

    def on_screen_resume(self) -> None:
        self._show_title()

    def ask(self, *question: Any, **more: Any) -> None:
        self._pause()
        super().ask(*question, **more)

    # Keys

    def action_end(self) -> None:
        """Clears the overlay or the target; without one, ends the replay."""
        presenter = self.presenter
        if presenter.focus.overlay != "plain" or presenter.focus.target:
            presenter.look_at(replace(presenter.focus.plain, target=""))
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Goes back to the screen below."""
        self.post_message(Left())

    def action_help(self) -> None:
        groups, marks = (("Replay", self), ("Board", self.board)), marks_of(self.presenter.session.rules)
        signs = legend(self.board.glyphs, marks, OVERLAY_TINTS)
        self.app.push_screen(
            TextModal("Help", lambda width: help_text(groups, signs, width, with_keys(INTRODUCTION, REPLAY_KEYS)))
        )

    def action_go(self, steps: int) -> None:
        self._go_to(self.replay.place + steps, steps)

    def action_go_round(self, step: int) -> None:
        self._go_to(self.replay.next_round(step), step)

    def _go_to(self, place: int, step: int) -> None:
        """Shows a step, at most the first or last; says so if it is shown already."""
        self._pause()
        place = min(max(place, 0), len(self.replay.steps) - 1)
        if place == self.replay.place:
            self.presenter.say(
                "This is the start of the battle." if step < 0 else "This is the last step of the battle."
            )
        else:
            self._show_step(place)

    def action_jump(self) -> None:
        def answered(text: str) -> None:
            self._show_step(self.replay.find(text))

        label = f"Go to step 1–{len(self.replay.steps)}, round (r3) or event (e57):"
        self.presenter.ask(label, answered)

    def action_branch(self) -> None:
        try:
            session = open_battle(branch(self.replay))
        except BattleboardError as reason:
            self.presenter.say(str(reason))
        else:
            self.post_message(Chosen(session))

    def _show_step(self, place: int) -> None:
        """Shows a step, with the cursor on who did it."""
        self.replay.go(place)
        battle, done = self.session.battle, self.replay.aftermath
        actor, overlay = battle.units.get(self.replay.actor), self.presenter.focus.overlay
        if actor is not None:
            self.presenter.focus = Focus(unit=actor.id, cursor=actor.at, overlay=overlay)
        self._describe_step()
        seen = [done.landed] if done.landed else [mark.at for mark in done.marks]
        if seen:
            self.board.reveal(seen[0])

    def _describe_step(self) -> None:
        """Describes the step."""
        step, rules = self.replay.step, self.session.rules
        step_text = (
            summarise(step.events, step.after, rules) if self.replay.place else headline(step.events, step.after, rules)
        )
        self.presenter.say(step_text or "This step has no visible effect.")
