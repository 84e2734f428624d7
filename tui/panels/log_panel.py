"""Log panel: one sentence for each event, newest last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.content import Content

from engine.battle.events import AttackRolled, Event, RoundBegan, TurnBegan
from engine.battle.narration import continuity, narrate
from engine.battle.state.battle import Battle
from engine.dice.dice_text import signed
from engine.journal.history import Step
from engine.rules.model import Ruleset
from engine.rules.roll_odds import deciding
from tui.describe.styled_text import lines, plain, wrap


def log_text(latest_first: Iterable[Step], battle: Battle, rules: Ruleset, width: int, height: int) -> Content:
    """Renders as many of the last lines as fit, turns and rounds highlighted."""
    rows: list[Content] = []
    for step in latest_first:
        rows = [row for event_rows in _event_rows(step, battle, rules, width) for row in event_rows] + rows
        if len(rows) >= height:
            break
    return lines(rows[-height:] if height else rows)


def step_rows(step: Step, battle: Battle, rules: Ruleset, width: int) -> list[Content]:
    """Renders the events of a step, each attack with all its modifiers; the deciding one is marked."""
    rows: list[Content] = []
    for event, event_rows in zip(step.events, _event_rows(step, battle, rules, width), strict=True):
        rows += event_rows
        if isinstance(event, AttackRolled):
            rows += modifier_rows(event, rules, width)
    return rows


def modifier_rows(event: AttackRolled, rules: Ruleset, width: int) -> list[Content]:
    """All modifiers of an attack with reason and source; the deciding one is marked."""
    rows: list[Content] = []
    tipped = deciding(rules, event.roll.total, event.entries, event.total, event.target_number)
    for entry in event.entries:
        value = "no" if entry.forbids else signed(entry.value)
        decided = "; it decided the roll" if entry in tipped else ""
        off = " (off)" if not entry.active else ""
        said = f"{value} {entry.label}{off}: {entry.because} ({entry.source}){decided}"
        style = "bold" if decided else "$muted"
        rows += [plain(f"    {row}", style) for row in wrap(said, width - 4)]
    return rows


def _event_rows(step: Step, battle: Battle, rules: Ruleset, width: int) -> list[list[Content]]:
    """Rows of each event of a step, none for a silent one, with the sentences before and after it."""
    ahead, behind = continuity(step.events, battle)
    return [
        [
            *(plain(row) for row in wrap(ahead.get(place, ""), width)),
            *_rows(event, narrate(event, battle, rules), width),
            *(plain(row) for row in wrap(behind.get(place, ""), width)),
        ]
        for place, event in enumerate(step.events)
    ]


def _rows(event: Event, sentence: str, width: int) -> Iterator[Content]:
    style = "bold" if isinstance(event, AttackRolled) else ""
    if isinstance(event, (RoundBegan, TurnBegan)):
        style = "bold $panel-title" if isinstance(event, RoundBegan) else "$panel-title"
    return (plain(row if i == 0 else f"  {row}", style) for i, row in enumerate(wrap(sentence, width - 2)))
