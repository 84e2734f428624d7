"""Result card: what the last attack came to, in the shot panel: badge, dice against the number needed, losses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from textual.content import Content

from engine.battle.events import AttackRolled, AttackTurned, BurstLanded, Event, PoolChanged
from engine.battle.narration import tell
from engine.battle.state.battle import Battle
from engine.dice.dice_text import percent
from engine.dice.sources import NO_ROLL
from engine.rules.model import Ruleset
from tui.describe.styled_text import fit, join, lines, plain, wrap
from tui.keys.battle_keys import with_keys

HIT, MISS, ASTRAY = " HIT ", " MISS ", " ASTRAY "
BADGES = {HIT: "bold $good reverse", MISS: "bold $muted reverse", ASTRAY: "bold $warn reverse"}
MUTED, LOSS, GAIN, STRONG = "$muted", "bold $warn", "bold $good", "bold"
MOST_UNITS = 8
KEYS = "{battle.undo} undo  {battle.panel_log} log  {battle.next_target} next aim"


class Result(Struct, frozen=True):
    """A command with an attack, and the battle after it."""

    events: Sequence[Event]
    battle: Battle


def is_attack(events: Sequence[Event]) -> bool:
    """Whether there is an attack among the events of a command."""
    return any(isinstance(event, AttackRolled) for event in events)


def result_text(result: Result, rules: Ruleset, width: int, height: int) -> Content:
    """Renders the card; details give way to the losses where room is short."""
    rolled = [event for event in result.events if isinstance(event, AttackRolled)]
    head = [row for event in rolled[-2:] for row in _head(event, result, rules, width)]
    losses = list(_losses(result, width))
    details = [plain(f" {row}", MUTED) for row in _details(result, rules, width - 1)]
    end = [plain(""), plain(fit(with_keys(KEYS), width), MUTED)]
    room = max(0, height - len(head) - len(losses) - len(end) - 2)
    return lines([*head, *([plain(""), *losses] if losses else []), plain(""), *details[:room], *end][:height])


def _head(event: AttackRolled, result: Result, rules: Ruleset, width: int) -> Iterator[Content]:
    """Who attacked whom, the badge, the roll, with what, and how likely it was."""
    battle = result.battle
    target = event.square.name if event.square else battle.called(event.target)
    yield plain(fit(f"{battle.called(event.unit)} → {target}", width), STRONG)
    turned = [
        one for one in result.events if isinstance(one, AttackTurned) and one.grade and one.target == event.target
    ]
    label = turned[-1].grade_label if turned else event.grade_label
    grades = {grade.id: grade.is_hit for grade in rules.attack.grades}
    is_hit = grades.get(turned[-1].grade, event.is_hit) if turned else event.is_hit
    is_thrown = any(isinstance(one, BurstLanded) and one.unit == event.unit for one in result.events)
    badge = HIT if is_hit else ASTRAY if is_thrown else MISS
    came_to = "" if event.roll == NO_ROLL else rules.attack.test.came_to(event.roll, event)
    yield join([plain(badge, BADGES[badge]), plain(" "), plain(fit(came_to or label, width - len(badge) - 1), STRONG)])
    likely = "" if event.roll == NO_ROLL else f"It was {percent(event.chance)} to hit."
    for row in wrap(
        f"{label} · {event.weapon_label}, {event.action_label.lower()} · {event.distance}. {likely}", width
    ):
        yield plain(row, MUTED)


def _losses(result: Result, width: int) -> Iterator[Content]:
    """A row for each number that changed: name, label, before and after."""
    first: dict[tuple[str, str], PoolChanged] = {}
    last: dict[tuple[str, str], int] = {}
    for event in result.events:
        if isinstance(event, PoolChanged):
            first.setdefault((event.unit, event.pool), event)
            last[event.unit, event.pool] = event.after
    rows = [(event, last[key]) for key, event in first.items() if event.before != last[key]]
    for event, after in rows[:MOST_UNITS]:
        change = after - event.before
        tail = f" {event.before} → {after}  {'+' if change > 0 else '−'}{abs(change)}"
        who = f"{result.battle.called(event.unit)} {event.label}"
        yield join([plain(fit(who, max(4, width - len(tail)))), plain(tail, GAIN if change > 0 else LOSS)])
    if len(rows) > MOST_UNITS:
        yield plain(f"and {len(rows) - MOST_UNITS} more", MUTED)


def _details(result: Result, rules: Ruleset, width: int) -> Iterator[str]:
    """The other events in words, without those that the card shows already."""
    for event in result.events:
        if not isinstance(event, AttackRolled | PoolChanged):
            yield from wrap(tell(event, result.battle, rules, is_brief=True), width)
