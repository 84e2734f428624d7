"""Result card: what the last attack came to, in the shot panel: badge, dice against the number needed, losses, why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct
from textual.content import Content

from engine.battle.events import (
    AttackRolled,
    AttackTurned,
    BurstCaught,
    BurstLanded,
    DefenceTaken,
    Event,
    PoolChanged,
    RoundsChanged,
)
from engine.battle.narration import narrate
from engine.battle.state.battle import Battle
from engine.battle.views.view import UnitView, project
from engine.dice.dice_text import percent, signed
from engine.dice.sources import NO_ROLL
from engine.rules.model import Ruleset
from engine.values import replace
from tui.describe.styled_text import ENDLESS, fit, join, lines, plain, wrap
from tui.keys.battle_keys import with_keys
from tui.panels.log_panel import modifier_rows
from tui.panels.order_panel import badge

HIT, MISS, ASTRAY = " HIT ", " MISS ", " ASTRAY "
BADGES = {HIT: "bold $good reverse", MISS: "bold $muted reverse", ASTRAY: "bold $warn reverse"}
MUTED, LOSS, GAIN, STRONG = "$muted", "bold $warn", "bold $good", "bold"
MOST_UNITS, MOST_ENTRIES = 8, 3
KEYS = "{battle.undo} undo  {battle.receipt} receipt  {battle.next_target} next aim"
MORE = "… {battle.receipt} shows {count} more"


class Result(Struct, frozen=True):
    """A command with an attack, and the battle after it."""

    events: Sequence[Event]
    battle: Battle


def is_attack(events: Sequence[Event]) -> bool:
    """Whether there is an attack among the events of a command."""
    return any(isinstance(event, AttackRolled) for event in events)


def result_title(result: Result) -> str:
    """Who attacked whom, for the frame: of several attacks the last one."""
    event = next(event for event in reversed(result.events) if isinstance(event, AttackRolled))
    return f"Result · {_heading(event, result)}"


def result_text(result: Result, rules: Ruleset, width: int, height: int) -> Content:
    """Renders the card; what the ledger and the details say gives way to the losses, and a last row tells of it."""
    rolled = [event for event in result.events if isinstance(event, AttackRolled)]
    head = [
        row
        for event in rolled[-2:]
        for row in _head(event, result, rules, width, is_named=len(rolled) > 1 or height >= ENDLESS)
    ]
    losses = list(_losses(result, rules, width, MOST_UNITS if height < ENDLESS else ENDLESS))
    details = [plain(row, MUTED) for row in _details(result, rules, width)]
    likely = [] if rolled[-1].roll == NO_ROLL else [plain(f"It was {percent(rolled[-1].chance)} to hit.", MUTED)]
    end = [plain(""), plain(fit(with_keys(KEYS), width), MUTED)]
    fixed = len(head) + len(end) + (len(losses) + 1 if losses else 0)
    room = height - fixed - 1
    if len(details) + len(likely) > room:
        likely = []
    if len(details) > room:
        kept = max(0, room - 1)
        told = with_keys(MORE.replace("{count}", str(len(details) - kept)))
        details = [*details[:kept], plain(fit(told, width).rstrip(), "$ink")]
    spare = room - len(details) - len(likely) - 1
    ledger = list(_ledger(rolled[-1], rules, width)) if spare < ENDLESS // 2 else []
    ledger = [plain(""), *ledger] if ledger and len(ledger) <= spare else []
    middle = [*([plain(""), *losses] if losses else []), *([plain(""), *details] if details else []), *likely]
    return lines([*head, *ledger, *middle, *end][:height])


def receipt_of(result: Result, rules: Ruleset, width: int) -> Content:
    """The whole result: the card uncut, then every modifier of each attack with its reason and source."""
    rows: list[Content | str] = [result_text(result, rules, width, ENDLESS)]
    for event in result.events:
        if isinstance(event, AttackRolled) and event.entries:
            rows += ["", plain(f"Modifiers of {_heading(event, result)}", "bold $panel-title")]
            rows += modifier_rows(event, rules, width)
    return lines(rows)


def _heading(event: AttackRolled, result: Result) -> str:
    target = event.square.name if event.square else result.battle.called(event.target)
    return f"{result.battle.called(event.unit)} → {target}"


def _head(event: AttackRolled, result: Result, rules: Ruleset, width: int, *, is_named: bool) -> Iterator[Content]:
    """Who attacked whom where the title does not say so, the badge, the roll, and with what."""
    if is_named:
        yield plain(fit(_heading(event, result), width), STRONG)
    label, is_hit = _final_grade(event, result, rules)
    is_thrown = any(isinstance(one, BurstLanded) and one.unit == event.unit for one in result.events)
    sign = HIT if is_hit else ASTRAY if is_thrown else MISS
    words = "" if event.roll == NO_ROLL else rules.attack.test.result_text(replace(event.roll, is_typed=False), event)
    yield join([plain(sign, BADGES[sign]), plain(" "), plain(fit(words or label, width - len(sign) - 1), STRONG)])
    about = f"{label} · {event.weapon_label}, {event.action_label.lower()} · {event.distance}"
    yield from (plain(row, MUTED) for row in wrap(about, width))


def _final_grade(event: AttackRolled, result: Result, rules: Ruleset) -> tuple[str, bool]:
    """The label of the attack's grade after all defences, and whether it is a hit."""
    turned = [
        one for one in result.events if isinstance(one, AttackTurned) and one.grade and one.target == event.target
    ]
    grades = {grade.id: grade.is_hit for grade in rules.attack.grades}
    if not turned:
        return event.grade_label, event.is_hit
    return turned[-1].grade_label, grades.get(turned[-1].grade, event.is_hit)


def _ledger(event: AttackRolled, rules: Ruleset, width: int) -> Iterator[Content]:
    """The modifiers that weighed most, largest first."""
    base = event.entries[0].step if event.entries else ""
    known = [one for one in event.entries if one.active and not one.forbids and one.value and one.step != base]
    known.sort(key=lambda one: abs(Fraction(one.value)), reverse=True)
    for entry in known[:MOST_ENTRIES]:
        value = f" {signed(entry.value)}"
        helps = entry.value < 0 if entry.of else entry.value > 0
        yield join([plain(fit(entry.label, width - len(value))), plain(value, "$good" if helps else "$bad")])
    if (others := len(known) - MOST_ENTRIES) > 0:
        yield plain(fit(with_keys(MORE.replace("{count}", str(others))), width), MUTED)


def _losses(result: Result, rules: Ruleset, width: int, most: int) -> Iterator[Content]:
    """A row for each unit whose numbers changed, worst first, with the first change; others of the unit below it."""
    first: dict[tuple[str, str], PoolChanged] = {}
    last: dict[tuple[str, str], int] = {}
    for event in result.events:
        if isinstance(event, PoolChanged):
            first.setdefault((event.unit, event.pool), event)
            last[event.unit, event.pool] = event.after
    rows: dict[str, list[tuple[PoolChanged, int]]] = {}
    for key, event in first.items():
        if event.before != last[key]:
            rows.setdefault(event.unit, []).append((event, last[key]))
    caught = dict.fromkeys(event.target for event in result.events if isinstance(event, BurstCaught))
    units = sorted({**caught, **dict.fromkeys(rows)}, key=lambda unit: min(_changes(rows.get(unit, [])), default=1))
    if not units:
        return
    views = {unit.id: unit for unit in project(result.battle, rules).units}
    shown = [views[unit] for unit in units if unit in views]
    for unit in shown[:most]:
        yield from _unit_rows(unit, rows.get(unit.id, []), width)
    if len(shown) > most:
        yield plain(with_keys(f"and {len(shown) - most} more: {{battle.receipt}}"), MUTED)


def _changes(rows: Sequence[tuple[PoolChanged, int]]) -> list[int]:
    return [after - event.before for event, after in rows]


def _unit_rows(unit: UnitView, rows: Sequence[tuple[PoolChanged, int]], width: int) -> Iterator[Content]:
    """Badge, name and what changed."""
    if not rows:
        yield join([badge(unit), plain(fit(f" {unit.name}", width - 12)), plain("no damage", MUTED)])
        return
    is_plain = len(rows) == 1 and unit.pools[0].id == rows[0][0].pool
    if not is_plain:
        yield join([badge(unit), plain(fit(f" {unit.name}", width - 3), STRONG)])
    for event, after in rows:
        change = after - event.before
        tail = f" {event.before} → {after}  {'+' if change > 0 else '−'}{abs(change)}"
        room = max(0, width - 3 - len(tail))
        about = [badge(unit), plain(fit(f" {unit.name}", room), STRONG)]
        if not is_plain:
            about = [plain(fit(f"    {event.label}", room + 3), MUTED)]
        yield join([*about, plain(tail, GAIN if change > 0 else LOSS)])


def _details(result: Result, rules: Ruleset, width: int) -> Iterator[str]:
    """The other events in words, without those that the card shows already; a defence in vain says so."""
    grades = {event.target: event.grade_label for event in result.events if isinstance(event, AttackRolled)}
    turned = {event.target for event in result.events if isinstance(event, AttackTurned)}
    caught = {event.target for event in result.events if isinstance(event, BurstCaught)}
    for event in sorted(result.events, key=lambda one: isinstance(one, RoundsChanged)):
        if isinstance(event, AttackRolled | PoolChanged) or (isinstance(event, BurstCaught) and len(caught) > 1):
            continue
        words = narrate(event, result.battle, rules, is_brief=True)
        if isinstance(event, DefenceTaken) and event.unit in grades and event.unit not in turned:
            words = f"{words} It does not help: the attack stays “{grades[event.unit]}”."
        yield from wrap(words, width)
