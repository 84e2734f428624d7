"""The log: what happened, newest last, one sentence for each event."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from engine.battle.battle import Battle
from engine.battle.events import AttackRolled, RoundBegan, TurnBegan
from engine.battle.narration import name_of, signed, taken_up, tell, unharmed
from engine.battle.record.history import Step
from engine.rules.checks import deciding
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


def told_of(step: Step, battle: Battle, rules: Ruleset, width: int) -> list[Content]:
    """Everything one step came to, each attack with every line of its ledger; what decided a roll is marked."""
    rows: list[Content] = []
    for place, event in enumerate(step.events):
        rows += _told(step, place, battle, rules, width)
        if isinstance(event, AttackRolled):
            tipped = deciding(rules, event.roll.total, event.entries, event.total, event.target_number)
            for entry in event.entries:
                value = "no" if entry.forbids else signed(entry.value)
                decided = "; it decided the roll" if entry in tipped else ""
                off = " (off)" if not entry.active else ""
                said = f"{value} {entry.label}{off}: {entry.because} ({entry.source}){decided}"
                style = "bold" if decided else "$muted"
                rows += [plain(f"    {row}", style) for row in wrap(said, width - 4)]
    return rows


def _told(step: Step, place: int, battle: Battle, rules: Ruleset, width: int) -> list[Content]:
    """One event of a step as rows; none for what says nothing. Who came off unharmed is said after the last of it."""
    event, sentence = step.events[place], tell(step.events[place], battle, rules)
    style = "bold" if isinstance(event, AttackRolled) else ""
    if isinstance(event, (RoundBegan, TurnBegan)):
        style = "bold $panel-title" if isinstance(event, RoundBegan) else "$panel-title"
    onward = taken_up(step.events).get(place)
    head = [plain(f"{name_of(onward, battle)}'s attack:")] if onward else []
    rows = head + [plain(row if i == 0 else f"  {row}", style) for i, row in enumerate(wrap(sentence, width - 2))]
    if unhurt := unharmed(step.events).get(place):
        rows.append(plain(f"{name_of(unhurt, battle)} loses nothing."))
    return rows
