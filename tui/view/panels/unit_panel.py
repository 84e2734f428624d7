"""Unit panel: pools, posture, weapon and rounds, actions left this turn, conditions, stats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from textual.content import Content

from engine.battle.views.view import Gauge, UnitView
from engine.dice.dice_text import percent
from engine.rules.expressions import shown
from engine.text import side_name
from engine.values import Value
from tui.application.describe.gauges import lines_of, meter, together
from tui.application.describe.text_layout import ENDLESS, fit, fit_name, wrap
from tui.application.focus.contacts import Contacts
from tui.application.keys.battle_keys import with_keys
from tui.view.panels.order_panel import badge
from tui.view.panels.styled_text import join, lines, pieced, plain

BAR, MOST_BAR = 8, 12
LEAST_LABEL, LABEL = 6, 12
REMAINING, LEFT, ALREADY = "remaining", "left", "already"

SheetRows = Sequence[tuple[str, Value, str]]
"""Label, value and source of each stat."""
ContactRow = tuple[str, tuple[str, ...], str]
"""Label, names of units, and after them a chance, "" for none."""


def unit_text(
    unit: UnitView | None,
    unit_sign: str,
    width: int,
    height: int = ENDLESS,
    sheet: SheetRows = (),
    *,
    has_keys: bool = True,
    is_aimed: bool = False,
    contacts: Sequence[ContactRow] = (),
) -> Content:
    """Renders the panel for a unit, or for none. `unit_sign` is the unit of heights: "ft" or "m".

    With the rows of its `sheet` every stat has a line with its source.

    While the shot panel beside it has an attack (`is_aimed`), the receipt is that attack's.

    `contacts` are the rows of who sees whom; they stand only where there is room for all.

    Rows that do not fit are left out: stats, then all but the first row of what is left this turn, then pools; the
    last row then names the keys that show them, on a screen that has these keys.
    """
    if unit is None:
        how = " {battle.select} selects the unit under the cursor." if has_keys else ""
        return plain(with_keys(f"No unit selected.{how}"), "$muted")
    label = _label_width(unit, width)
    head, pools, state = (
        _head(unit, unit_sign, width, is_sheet=bool(sheet)),
        _pools(unit, width, label),
        _state(unit, width, label),
    )
    stat_texts = [f"{gauge.label} is {gauge.help}" for gauge in unit.pools if gauge.help and gauge.now < gauge.full]
    stat_texts += [label if value is True else f"{label} {shown(value)}" for label, value in unit.stats]
    stats = [plain(row, "$muted") for row in wrap(" · ".join(stat_texts), width)]
    rows = [*head, *pools, *state, *stats, *_sheet(sheet, width)]
    seen = _contacts(contacts, width, label)
    if len(rows) + len(seen) <= height:
        rows += seen
    if len(rows) > height > 0:
        before = "{battle.cancel}, then " if is_aimed else ""
        where = f"… for more press {before}{{battle.receipt}}" if has_keys else "…"
        more = plain(fit(with_keys(where), width), "$muted")
        if len(head) + len(pools) + len(state) + 1 > height:
            state = _state(unit, width, label, is_short=True)
        rows_left = max(1, height - len(head) - len(state) - 1)
        rows = [*[*head, *pools[:rows_left], *state, *stats][: height - 1], more]
    return lines(rows)


def _sheet(sheet: SheetRows, width: int) -> list[Content | str]:
    """A line for each stat: label, value, source."""
    label = max((len(one) for one, _, _ in sheet), default=0) + 1
    number = max((len(shown(value)) for _, value, _ in sheet), default=0) + 2
    rest = max(8, width - label - number)
    rows = [
        join([plain(fit(one, label)), plain(fit(shown(value), number), "bold"), plain(fit(source, rest), "$muted")])
        for one, value, source in sheet
    ]
    return ["", *rows] if rows else []


def _head(unit: UnitView, unit_sign: str, width: int, *, is_sheet: bool) -> list[Content | str]:
    """Name, role, side, position and posture; whether it is out of the fight, whatever its pools hold.

    On its sheet it has its full name.
    """
    called = unit.full_name if is_sheet and unit.full_name else unit.name
    about = f" {', '.join(filter(None, (unit.role, side_name(unit.side))))}"
    name = max(4, min(max(cell_len(called), width - 4 - cell_len(about)), width - 4))
    about = fit(about, max(0, width - 4 - name)).rstrip()
    return [
        join([badge(unit), " ", plain(fit(called, name), "bold"), plain(about, "$muted")]),
        plain(fit(_where(unit, unit_sign), width)),
        *([plain("out of the fight", "bold $bad")] if unit.is_defeated else []),
    ]  # fmt: skip


def _alone(unit: UnitView) -> list[Gauge]:
    """The pools with a row of their own: those in no group that it has or had any of."""
    return [gauge for group, gauges in lines_of(unit.pools) if not group for gauge in gauges if gauge.full or gauge.now]


def _numbers(unit: UnitView) -> int:
    """Columns of the numbers behind the bars."""
    return max((len(f" {gauge.now}/{gauge.full}") for gauge in _alone(unit)), default=0)


def _label_width(unit: UnitView, width: int) -> int:
    """Columns of the labels, as wide as the longest pool's if the bars keep theirs."""
    longest = max((len(gauge.label) + 1 for gauge in _alone(unit)), default=0)
    return max(LEAST_LABEL, min(max(LABEL, longest), width - BAR - _numbers(unit)))


def _pools(unit: UnitView, width: int, label: int) -> list[Content | str]:
    """A bar for each pool, and a line of numbers for each group of pools."""
    rows: list[Content | str] = []
    alone, bar = _alone(unit), max(0, min(MOST_BAR, width - label - _numbers(unit)))
    for group, gauges in lines_of(unit.pools):
        if not group:
            own = [gauge for gauge in gauges if gauge in alone]
            rows += [_gauge(gauge, label, bar, is_empty=unit.is_defeated and gauge == unit.pools[0]) for gauge in own]
        elif whole := together(gauges):
            wide = max(label, len(group) + 1)
            rows += _labelled(group, whole, wide, width)
    return rows


def _state(unit: UnitView, width: int, wide: int, *, is_short: bool = False) -> list[Content | str]:
    """Weapon in hand, actions left (in one row if `is_short`), declared action, conditions."""
    rows: list[Content | str] = []
    if unit.weapon:
        rounds = f"  {unit.rounds} of {unit.magazine}" if unit.magazine else ""
        weapon = fit(unit.weapon, max(0, min(len(unit.weapon), width - wide - len(rounds))))
        rows.append(plain(fit(f"{fit('in hand', wide)}{weapon}{rounds}", width)))
    can_spend = [gauge for gauge in unit.budget if gauge.now and not gauge.is_count]
    left, left_in_short = (
        ", ".join(f"{gauge.now} {(is_brief and gauge.short) or gauge.label}" for gauge in can_spend)
        for is_brief in (False, True)
    )
    done = ", ".join(f"{gauge.now} {gauge.label}" for gauge in unit.budget if gauge.now and gauge.is_count)
    nothing = "nothing" if unit.is_active or unit.is_defeated else "waits for its turn"
    if unit.is_defeated or not can_spend:
        left = left_in_short = nothing * bool(unit.budget)
    if is_short and cell_len(left) > width - wide:  # "remaining 1 attack, 1 move"
        ways = [f"{word} {left_in_short}" for word in (REMAINING, LEFT)]
        rows.append(plain(fit(next((way for way in ways if cell_len(way) <= width), ways[-1]), width)))
    else:
        rows += _labelled(REMAINING, left, wide, width)
    rows += _labelled(ALREADY, done, wide, width) if done else []
    if unit.declared and not unit.is_defeated:
        rows.append(plain(fit(f"{fit('declared', wide)}{unit.declared}", width)))
    return [
        *rows,
        *(plain(fit(f"{condition.mark or ' '} {condition.words}", width), "$warn") for condition in unit.conditions),
    ]


def _labelled(label: str, text: str, wide: int, width: int) -> list[Content]:
    """A text in as many rows as it takes, the first one behind its label; `wide` are the columns of the label."""
    return [plain(f"{fit('' if i else label, wide)}{row}") for i, row in enumerate(wrap(text, width - wide))]


def contact_rows(contacts: Contacts | None, names: Mapping[str, str]) -> Sequence[ContactRow]:
    """The rows of whom a unit sees, who sees it, and its best attack; "…" until they are known."""
    if contacts is None:
        return ("sees", ("…",), ""), ("seen by", ("…",), ""), ("best shot", ("…",), "")
    sees, seen_by = (tuple(names[one] for one in seen) or ("nobody",) for seen in (contacts.sees, contacts.seen_by))
    best = contacts.best
    shot = ((names[best.unit],), f" {percent(best.chance)}") if best and best.chance else (("none",), "")
    return ("sees", sees, ""), ("seen by", seen_by, ""), ("best shot", *shot)


def _contacts(contacts: Sequence[ContactRow], width: int, label: int) -> list[Content | str]:
    """A row for each, after a blank one; where the names are too long, their number."""
    rows: list[Content | str] = [""] if contacts else []
    room = width - label
    for name, units, chance in contacts:
        words = ", ".join(units)
        if len(units) > 1 and cell_len(words) > room:
            words = f"{len(units)} enemies"
        fitted = fit(fit_name(words, room - len(chance)).rstrip() + chance, room)
        rows.append(join([plain(fit(name, label), "$muted"), fitted]))
    return rows


def _where(unit: UnitView, sign: str) -> str:
    height = f", {unit.altitude / 100:g} {sign} up" if unit.altitude else ""
    return f"{unit.at.name}, facing {unit.facing.name}, {unit.posture}{height}"


def _gauge(gauge: Gauge, wide: int, cells: int, *, is_empty: bool) -> Content:
    """A pool's label, its bar, and its numbers; the bar of health of who is out is empty, whatever the numbers."""
    bar = pieced(meter(0 if is_empty else gauge.now, gauge.full, cells))
    return join([fit(gauge.label, wide), bar, f" {gauge.now}/{gauge.full}"])
