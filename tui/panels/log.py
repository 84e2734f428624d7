"""The log: what happened, newest last, one sentence for each event."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from engine.battle.battle import Battle
from engine.battle.events import AttackRolled, RoundBegan, TurnBegan
from engine.battle.narration import name_of, signed, tell, unharmed
from engine.battle.record.history import Step
from engine.rules.model import Ruleset
from tui.text import lines, plain, wrap


def log_text(steps: Sequence[Step], battle: Battle, rules: Ruleset, width: int, height: int) -> Content:
    """As many of the last lines as fit, turns and rounds set off."""
    rows: list[Content] = []
    for step in reversed(steps):
        rows = [row for place in range(len(step.events)) for row in _told(step, place, battle, rules, width)] + rows
        if len(rows) >= height:
            break
    return lines(rows[-height:] if height else rows)


def whole_log(steps: Sequence[Step], battle: Battle, rules: Ruleset, width: int) -> Content:
    """Everything, newest first, each attack with every line of its ledger."""
    rows: list[Content] = []
    for step in reversed(steps):
        for place, event in enumerate(step.events):
            rows += _told(step, place, battle, rules, width)
            if isinstance(event, AttackRolled):
                for entry in event.entries:
                    value = "no" if entry.forbids else signed(entry.value)
                    said = f"{value} {entry.label}: {entry.because} ({entry.source})"
                    rows += [plain(f"    {row}", "$muted") for row in wrap(said, width - 4)]
        rows.append(plain(""))
    return lines(rows)


def _told(step: Step, place: int, battle: Battle, rules: Ruleset, width: int) -> list[Content]:
    """One event of a step as rows; none for what says nothing. Who came off unharmed is said after the last of it."""
    event, sentence = step.events[place], tell(step.events[place], battle, rules)
    style = "bold" if isinstance(event, AttackRolled) else ""
    if isinstance(event, (RoundBegan, TurnBegan)):
        style = "bold $panel-title" if isinstance(event, RoundBegan) else "$panel-title"
    rows = [plain(row if i == 0 else f"  {row}", style) for i, row in enumerate(wrap(sentence, width - 2))]
    if unhurt := unharmed(step.events).get(place):
        rows.append(plain(f"{name_of(unhurt, battle)} loses nothing."))
    return rows
