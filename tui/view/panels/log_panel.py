"""Log panel, newest last: a row for each attack, its outcome and what followed from it; else a sentence an event.

A narrow panel leaves out how a number came about: the receipt and the opened log have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from textual.content import Content

from engine.battle.events import (
    AttackRolled,
    BurstCaught,
    BurstLanded,
    EffectComputed,
    EffectRolled,
    Event,
    InitiativeRolled,
    OrderSet,
    PoolChanged,
    RoundBegan,
    RoundsChanged,
    StrikeBegan,
    TieRolled,
    TurnBegan,
    UnitMoved,
)
from engine.battle.narration import continuity, narrate
from engine.battle.state.battle import Battle
from engine.battle.views.attack_outcomes import AttackOutcome, attack_outcomes
from engine.dice.dice_text import signed
from engine.dice.sources import NO_ROLL
from engine.journal.history import Step
from engine.rules.model import Ruleset
from engine.rules.roll_odds import deciding
from engine.values import replace
from tui.application.describe.round_line import round_line
from tui.application.describe.text_layout import fit, wrap
from tui.view.panels.outcome_badges import badge_style, badge_text, outcome_words
from tui.view.panels.styled_text import join, lines, plain

INDENT = "  "
GUTTER, LEAST_WITH_ROUNDS = 5, 60
"""Columns of a round's number; columns from which a panel has them."""
LEAST_WITH_WORKINGS = 48
"""Columns from which a panel says how the numbers of an attack came about."""
WORKINGS = (BurstCaught, EffectComputed, EffectRolled, RoundsChanged, StrikeBegan)
"""Events of an attack that a narrow panel leaves out."""


def log_text(latest_first: Iterable[Step], battle: Battle, rules: Ruleset, width: int, height: int) -> Content:
    """Renders as many of the last lines as fit; in a wide panel each round's number stands beside its first line."""
    gutter = GUTTER if width >= LEAST_WITH_ROUNDS else 0
    rows: list[tuple[int, Content]] = []
    now = battle.turns.round
    for step in latest_first:
        for begun, row in reversed(list(_brief(step, battle, rules, width - gutter))):
            if not (begun and gutter) or not rows:
                rows.append((now, row))
            now = begun - 1 if begun else now
        if len(rows) >= height:
            break
    shown = (rows[:height] if height else rows)[::-1]
    if not gutter:
        return lines(row for _, row in shown)
    before = [0, *(number for number, _ in shown)]
    marks = [f"R{number}" if number != last else "" for (number, _), last in zip(shown, before, strict=False)]
    return lines(join([plain(fit(mark, gutter), "$muted"), row]) for mark, (_, row) in zip(marks, shown, strict=True))


LogRow = tuple[int, Content]
"""The number of the round that a row begins, 0 for none; and the row."""


def _brief(step: Step, battle: Battle, rules: Ruleset, width: int) -> Iterator[LogRow]:
    """Rows of a step: of an attack who, whom, dice and outcome, then the rest about it in one muted paragraph.

    A move before it has rows of its own, and in a kept what-if whatever came before it.
    """
    outcomes = [outcome for outcome in attack_outcomes(step.events, rules) if outcome.rolled is not None]
    has_workings = width >= LEAST_WITH_WORKINGS
    ended = [plain(row, "bold") for row in wrap(round_line(step, rules), width)]
    if not outcomes:
        is_order = not has_workings and any(isinstance(event, OrderSet) for event in step.events)
        for event, event_rows in zip(step.events, _event_rows(step, battle, rules, width), strict=True):
            is_told = is_order and isinstance(event, InitiativeRolled | TieRolled)  # the order says their sums
            if not is_told and not is_plain_turn(event):
                yield from _with_round(event, event_rows, ended)
        return
    ahead, behind = continuity(step.events, battle)
    ahead = ahead if has_workings else {}
    details: list[str] = []
    has_begun, is_kept_branch = False, len(step.commands) > 1

    def paragraph() -> Iterator[LogRow]:
        rows = wrap(" ".join(filter(None, details)), width - len(INDENT))
        details.clear()
        return ((0, plain(f"{INDENT}{row}", "$muted")) for row in rows)

    for index, event in enumerate(step.events):
        if is_plain_turn(event):
            continue
        words = "" if isinstance(event, WORKINGS) and not has_workings else narrate(event, battle, rules)
        if isinstance(event, AttackRolled):
            if has_begun or is_kept_branch:
                yield from paragraph()
            yield from _with_round(event, _attack_rows(outcomes.pop(0), step.events, battle, rules, width))
            has_begun = True
        elif isinstance(event, UnitMoved) and not has_begun:
            yield from paragraph()
            yield from _with_round(event, _rows(event, words, width))
        elif isinstance(event, RoundBegan | TurnBegan | PoolChanged) and (has_begun or is_kept_branch):
            yield from paragraph()
            if isinstance(event, PoolChanged):
                words = words if has_workings else _change_words(event, battle, rules, width - len(INDENT))
                yield from ((0, plain(f"{INDENT}{row}", "$warn")) for row in wrap(words, width - len(INDENT)))
            else:
                yield from _with_round(event, _rows(event, words, width), ended)
        elif isinstance(event, BurstLanded) and not has_workings:
            details.append(narrate(replace(event, rolls=()), battle, rules))
        else:
            details += [ahead.get(index, ""), words]
        details.append(behind.get(index, ""))
    yield from paragraph()


def is_plain_turn(event: Event) -> bool:
    """Whether it says no more than whose turn it is, which the title says: turns would fill the log."""
    return isinstance(event, TurnBegan) and not event.is_extra


def _with_round(event: Event, rows: Iterable[Content], ended: Iterable[Content] = ()) -> Iterator[LogRow]:
    """Rows of an event; before those of a round that begins stand those of the one that `ended`."""
    begun = event.round if isinstance(event, RoundBegan) else 0
    yield from ((0, row) for row in ended if begun)
    yield from ((begun, row) for row in rows)


def _change_words(event: PoolChanged, battle: Battle, rules: Ruleset, width: int) -> str:
    """What a unit lost or gained: "Hauler −5, hit points 15 → 10", shorter in a narrow panel."""
    change = f"{battle.called(event.unit)} {signed(event.after - event.before)}"
    numbers = f"{event.before} → {event.after}"
    is_first = event.pool == next(iter(rules.units.pools), "")
    forms = (f"{change}, {event.label} {numbers}", f"{change}, {numbers}" if is_first else f"{change} {event.label}")
    return next((said for said in forms if cell_len(said) <= width), forms[-1])


def _attack_rows(
    outcome: AttackOutcome, events: Sequence[Event], battle: Battle, rules: Ruleset, width: int
) -> Iterator[Content]:
    """The row of an attack, "Todd ▸ Bandit: 42 vs 60", with its outcome at the right edge; two if one is too long."""
    rolled, word = outcome.rolled, outcome_words(outcome, events, battle, rules)
    if rolled is None:
        return
    end = plain(f" {badge_text(word, outcome.grade_label, rules)}", f"bold {badge_style(word, outcome, battle, rules)}")
    names = f"{battle.called(rolled.unit)} ▸ {aimed_at(rolled, battle)}"
    dice = dice_words(rolled, rules)
    whole = [f"{names}, {rolled.weapon_label}: {dice}", f"{names}: {dice}"] if dice else [names]
    room = width - len(end)
    row = next((text for text in whole if cell_len(text) <= room), "")
    if not row:
        yield plain(fit(f"{names}:", width))
        row = f"{INDENT}{dice}"
    yield join([plain(fit(row, room)), end])


def aimed_at(rolled: AttackRolled, battle: Battle) -> str:
    """The name of what an attack was made on: a unit or a square."""
    return rolled.square.name if rolled.square else battle.called(rolled.target)


def dice_words(rolled: AttackRolled, rules: Ruleset) -> str:
    """The dice of an attack against the number needed, "42 vs 60"; "" if none were rolled."""
    return "" if rolled.roll == NO_ROLL else rules.attack.test.roll_against(rolled.roll, rolled)


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
