"""The log: what happened, newest last, one sentence for each event."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from engine.battle.battle import Battle
from engine.battle.events import AttackRolled, RoundBegan, TurnBegan
from engine.battle.history import Step
from engine.battle.narration import tell
from engine.rules.model import Ruleset
from tui.text import lines, plain, wrap


def log_text(steps: Sequence[Step], battle: Battle, rules: Ruleset, width: int, height: int) -> Content:
    """As many of the last lines as fit, turns and rounds set off."""
    rows: list[Content] = []
    for step in reversed(steps):
        told = [(event, tell(event, battle, rules)) for event in step.events]
        block: list[Content] = []
        for event, sentence in told:
            if not sentence:
                continue
            style = "bold" if isinstance(event, AttackRolled) else ""
            if isinstance(event, (RoundBegan, TurnBegan)):
                style = "bold $panel-title" if isinstance(event, RoundBegan) else "$panel-title"
            wrapped = wrap(sentence, width - 2)
            block += [plain(row if i == 0 else f"  {row}", style) for i, row in enumerate(wrapped)]
        rows = block + rows
        if len(rows) >= height:
            break
    return lines(rows[-height:] if height else rows)
