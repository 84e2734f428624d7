"""Unit panel: pools, posture, weapon and rounds, actions left this turn, conditions, stats."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from engine.battle.views.view import UnitView
from engine.rules.expressions import shown
from engine.values import Value
from tui.describe.gauges import lines_of, together
from tui.describe.styled_text import ENDLESS, fit, join, lines, plain, side_style, wrap
from tui.keys.battle_keys import with_keys

BAR = 10
LABEL = 15
NUMBERS = 8
"""Columns after a bar: 999/999."""


SheetRows = Sequence[tuple[str, Value, str]]
"""Label, value and source of each stat."""


def unit_text(
    unit: UnitView | None, unit_sign: str, width: int, height: int = ENDLESS, sheet: SheetRows = ()
) -> Content:
    """Renders the panel for a unit, or for none. `unit_sign` is the unit of heights: "ft" or "m".

    With the rows of its `sheet` every stat has a line with its source.

    Rows that do not fit are left out, pools before the weapon in hand and the actions left; the last row then
    names the keys that show them.
    """
    if unit is None:
        return plain(with_keys("No unit selected. {battle.select} selects the unit under the cursor."), "$muted")
    head, pools, state = _head(unit, unit_sign, width), _pools(unit, width), _state(unit, width)
    told = [label if value is True else f"{label} {shown(value)}" for label, value in unit.stats]
    stats = [plain(row, "$muted") for row in wrap(" · ".join(told), width)]
    rows = [*head, *pools, *state, *stats, *_sheet(sheet, width)]
    if len(rows) > height > 0:
        more = plain(fit(with_keys("… {battle.cancel}, then {battle.receipt} shows the rest"), width), "$muted")
        kept = max(1, height - len(head) - len(state) - 1)
        rows = [*[*head, *pools[:kept], *state, *stats][: height - 1], more]
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


def _head(unit: UnitView, unit_sign: str, width: int) -> list[Content | str]:
    """Name, role, side, position and posture."""
    return [
        join([plain(f"{unit.letter} ", side_style(unit)), plain(fit(unit.name, max(4, width - 22)), "bold"),
              plain(fit(", ".join(filter(None, (unit.role, unit.side))), 20).rstrip(), "$muted")]),
        plain(fit(_where(unit, unit_sign), width)),
    ]  # fmt: skip


def _pools(unit: UnitView, width: int) -> list[Content | str]:
    """A bar for each pool, and a line of numbers for each group of pools."""
    rows: list[Content | str] = []
    kinds = lines_of(unit.pools)
    alone = [gauge for group, gauges in kinds if not group for gauge in gauges if gauge.full or gauge.now]
    longest = max((len(gauge.label) + 1 for gauge in alone), default=0)
    label = max(LABEL, min(longest, width - BAR - NUMBERS))
    for group, gauges in kinds:
        if not group:
            rows += [_gauge(gauge.label, gauge.now, gauge.full, label) for gauge in gauges if gauge in alone]
        elif whole := together(gauges):
            wide = max(LABEL, len(group) + 1)
            rows += [plain(f"{fit('' if i else group, wide)}{row}") for i, row in enumerate(wrap(whole, width - wide))]
    return rows


def _state(unit: UnitView, width: int) -> list[Content | str]:
    """Weapon in hand, actions left, declared action, conditions."""
    rows: list[Content | str] = []
    if unit.weapon:
        rounds = f"  {unit.rounds} of {unit.magazine}" if unit.magazine else ""
        weapon = fit(unit.weapon, max(0, min(len(unit.weapon), width - LABEL - len(rounds))))
        rows.append(plain(fit(f"{fit('in hand', LABEL)}{weapon}{rounds}", width)))
    left = ", ".join(f"{gauge.label} {gauge.now}" for gauge in unit.budget)
    rows += [plain(f"{fit('' if i else 'remaining', LABEL)}{row}") for i, row in enumerate(wrap(left, width - LABEL))]
    if unit.declared and not unit.is_defeated:
        rows.append(plain(fit(f"{fit('declared', LABEL)}{unit.declared}", width)))
    if unit.is_defeated:
        rows.append(plain("out of the fight", "bold $bad"))
    return [*rows, *(plain(fit(f"{mark or ' '} {label}", width), "$warn") for mark, label in unit.conditions)]


def _where(unit: UnitView, sign: str) -> str:
    height = f", {unit.altitude / 100:g} {sign} up" if unit.altitude else ""
    return f"{unit.at.name}, facing {unit.facing.name}, {unit.posture}{height}"


def _gauge(label: str, now: int, full: int, wide: int) -> Content:
    filled = 0 if not full else max(1 if now else 0, min(BAR, round(BAR * now / full)))
    style = "$good" if now * 2 > full else "$warn" if now * 4 > full else "$bad"
    return join([fit(label, wide), plain("■" * filled, style), plain("·" * (BAR - filled), "$faint"), f" {now}/{full}"])
