"""What-if branch: play on in a copy of the battle, compare it, then keep or drop it."""

from __future__ import annotations

from engine.battle.narration.differences import differences
from engine.errors import BattleboardError
from engine.journal.branch import Branch
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.presenter import Presenter
from tui.application.prompts.choice import Choice, MenuQuestion

MOST_SHOWN = 8
BEGUN = (
    "What-if branch: play on with fresh dice; nothing is kept unless you keep it. {battle.what_if}: compare, keep or "
    "drop it."
)


def rehearse(presenter: Presenter) -> None:
    """Starts a branch; in a branch, compares it with the battle and asks whether to keep it. An empty one ends."""
    session = presenter.session
    if not isinstance(session, Branch):
        presenter.session = Branch(session)
        presenter.say(with_keys(BEGUN))
        return
    if not session.command_count:
        presenter.session = session.real
        presenter.say("The what-if is closed: nothing was tried.")
        return
    lines = differences(session.real.battle, session.battle, session.rules)
    more = [f"… and {len(lines) - MOST_SHOWN} more."] if len(lines) > MOST_SHOWN else []
    changes_text = "\n".join([*lines[:MOST_SHOWN], *more]) or "No changes yet."
    choices = [
        Choice("keep", "keep it", "the branch becomes the battle; a single undo reverts it"),
        Choice("drop", "drop it", "back to the battle as it was"),
        Choice("on", "continue", "same as Esc"),
    ]
    menu = MenuQuestion("What if", choices, changes_text)
    presenter.display.offer(menu, lambda picked: _chosen(presenter, session, picked.id))


def _chosen(presenter: Presenter, session: Branch, choice: str) -> None:
    if choice == "keep":
        try:
            session.keep()
        except BattleboardError as reason:
            presenter.say(str(reason))
            return
        presenter.session = session.real
        presenter.say(with_keys("Branch kept: it is the battle now. {battle.undo} undoes all of it."))
    elif choice == "drop":
        presenter.session = session.real
        presenter.say("Branch dropped: the battle has not changed.")
