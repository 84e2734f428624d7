"""Replay screen: the battle screen in read-only mode, with keys for its steps."""

from __future__ import annotations

from engine.battle.narration import headline, summarise
from engine.errors import BattleboardError
from engine.journal.session import Session
from tui.board.legend import legend
from tui.focus.focus import Focus
from tui.keys.battle_keys import with_keys
from tui.keys.bindings import REPLAY_KEYS
from tui.library.battle_files import open_battle
from tui.modals.help_screen import help_text
from tui.modals.messages import Chosen
from tui.modals.text_modal import TextModal
from tui.screens.battle_screen import BattleScreen
from tui.screens.replay_session import Replay, branch
from tui.settings.settings import USUAL, Settings

INTRODUCTION = (
    "The replay shows a battle step by step, one command at a time. Nothing changes here; {replay.branch} starts a "
    "new battle from the shown step."
)


class ReplayScreen(BattleScreen, inherit_bindings=False):
    """Replay of one battle."""

    BINDINGS = REPLAY_KEYS
    BINDING_GROUP_TITLE = "Replay"
    IDLE = "log"

    def __init__(self, session: Session, settings: Settings = USUAL) -> None:
        self.replay = Replay(session)
        super().__init__(self.replay, settings)

    def on_mount(self) -> None:
        super().on_mount()
        self._tell()

    @property
    def title_state(self) -> str:
        return "replay"

    @property
    def state(self) -> str:
        """The step, shown in the title."""
        return f"replay, step {self.replay.place + 1} of {len(self.replay.steps)}"

    def action_help(self) -> None:
        groups, signs = (("Replay", self), ("Board", self.board)), legend(self.board.glyphs)
        self.app.push_screen(
            TextModal("Help", lambda width: help_text(groups, signs, width, with_keys(INTRODUCTION, REPLAY_KEYS)))
        )

    def action_go(self, steps: int) -> None:
        self._go_to(self.replay.place + steps, steps)

    def action_go_round(self, step: int) -> None:
        self._go_to(self.replay.next_round(step), step)

    def _go_to(self, place: int, step: int) -> None:
        """Shows a step, at most the first or last; says so if it is shown already."""
        place = min(max(place, 0), len(self.replay.steps) - 1)
        if place == self.replay.place:
            self.presenter.say(
                "This is the start of the battle." if step < 0 else "This is the last step of the battle."
            )
        else:
            self._show_step(place)

    def action_jump(self) -> None:
        def answered(text: str) -> None:
            try:
                self._show_step(self.replay.find(text))
            except BattleboardError as reason:
                self.presenter.say(str(reason))

        label = f"Go to step 1–{len(self.replay.steps)}, round (r3) or event (e57):"
        self.ask(label, answered)

    def action_branch(self) -> None:
        try:
            session = open_battle(branch(self.replay))
        except BattleboardError as reason:
            self.presenter.say(str(reason))
        else:
            self.post_message(Chosen(session))

    def _show_step(self, place: int) -> None:
        active = self.session.battle.turns.active
        self.replay.go(place)
        battle = self.session.battle
        if battle.turns.active != active and battle.turns.active in battle.units:
            self.presenter.focus = Focus(unit=battle.turns.active, cursor=battle.units[battle.turns.active].at)
        self._tell()

    def _tell(self) -> None:
        """Describes the step."""
        step, rules = self.replay.step, self.session.rules
        told = (
            summarise(step.events, step.after, rules) if self.replay.place else headline(step.events, step.after, rules)
        )
        self.presenter.say(told or "This step has no visible effect.")
