"""What if: a branch of the battle on the board, played like the battle, compared with it, and then kept or dropped."""

from __future__ import annotations

from engine.battle.narration.differences import differences
from engine.errors import BattleboardError
from engine.journal.branch import Branch
from tui.keys.battle_keys import with_keys
from tui.modals.choice import Choice, MenuQuestion
from tui.presenter.presenter import Presenter

MOST_SHOWN = 8
BEGUN = (
    "What if: everything works as ever, with other dice, and nothing is kept. {battle.what_if} compares, keeps or "
    "drops."
)


def rehearse(presenter: Presenter) -> None:
    """Begins a branch; in one, compares it with the battle and asks what becomes of it. Without a deed it just ends."""
    session = presenter.session
    if not isinstance(session, Branch):
        presenter.session = Branch(session)
        presenter.say(with_keys(BEGUN))
        return
    if not session.done:
        presenter.session = session.real
        presenter.say("Back to the battle: nothing was tried.")
        return
    lines = differences(session.real.battle, session.battle, session.rules)
    more = [f"… and {len(lines) - MOST_SHOWN} more."] if len(lines) > MOST_SHOWN else []
    told = "\n".join([*lines[:MOST_SHOWN], *more]) or "Nothing is otherwise than in the battle."
    choices = [
        Choice("keep", "keep it", "it becomes real, and one undo takes it back"),
        Choice("drop", "drop it", "back to the battle as it is"),
        Choice("on", "go on", "as Esc does"),
    ]
    menu = MenuQuestion("What if", choices, told)
    presenter.display.offer(menu, lambda picked: _chosen(presenter, session, picked.id))


def _chosen(presenter: Presenter, session: Branch, choice: str) -> None:
    if choice == "keep":
        try:
            session.keep()
        except BattleboardError as reason:
            presenter.say(str(reason))
            return
        presenter.session = session.real
        presenter.say(with_keys("Kept: what was tried is what happened. {battle.undo} takes it back, all of it."))
    elif choice == "drop":
        presenter.session = session.real
        presenter.say("Dropped: the battle is as it was.")
