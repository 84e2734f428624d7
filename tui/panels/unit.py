"""A unit: its numbers, posture, weapon and rounds, what it has left this turn, its conditions."""

from __future__ import annotations

from textual.content import Content

from engine.battle.projection import UnitView
from engine.rules.expressions import shown
from tui.gauges import lines_of, together
from tui.screens.keys import with_keys
from tui.text import ENDLESS, fit, join, lines, plain, side_style, wrap

BAR = 10
LABEL = 15


def unit_text(unit: UnitView | None, unit_sign: str, width: int, height: int = ENDLESS) -> Content:
    """The panel's text for a unit, or for none. `unit_sign` is what heights are told in: "ft" or "m".

    What there is no room for is cut off, and the last row says how it can be seen.
    """
    if unit is None:
        return plain(with_keys("No unit here. {battle.select} picks the one under the cursor."), "$muted")
    name_style = side_style(unit)
    rows: list[Content | str] = [
        join([plain(f"{unit.letter} ", name_style), plain(fit(unit.name, max(4, width - 22)), "bold"),
              plain(fit(", ".join(filter(None, (unit.role, unit.side))), 20).rstrip(), "$muted")]),
        plain(fit(_where(unit, unit_sign), width)),
    ]  # fmt: skip
    for group, gauges in lines_of(unit.pools):
        if not group:
            rows += [_gauge(gauge.label, gauge.now, gauge.full, width) for gauge in gauges if gauge.full or gauge.now]
        elif whole := together(gauges):
            wide = max(LABEL, len(group) + 1)
            rows += [plain(f"{fit('' if i else group, wide)}{row}") for i, row in enumerate(wrap(whole, width - wide))]
    if unit.weapon:
        rounds = f"  {unit.rounds} of {unit.magazine}" if unit.magazine else ""
        weapon = fit(unit.weapon, max(0, min(len(unit.weapon), width - LABEL - len(rounds))))
        rows.append(plain(fit(f"{fit('in hand', LABEL)}{weapon}{rounds}", width)))
    left = ", ".join(f"{gauge.label} {gauge.now}" for gauge in unit.budget)
    rows += [plain(f"{fit('' if i else 'left', LABEL)}{row}") for i, row in enumerate(wrap(left, width - LABEL))]
    if unit.declared and not unit.is_defeated:
        rows.append(plain(fit(f"{fit('declared', LABEL)}{unit.declared}", width)))
    if unit.is_defeated:
        rows.append(plain("out of the fight", "bold $bad"))
    rows += [plain(fit(f"{mark or ' '} {label}", width), "$warn") for mark, label in unit.conditions]
    told = [label if value is True else f"{label} {shown(value)}" for label, value in unit.stats]
    rows += [plain(row, "$muted") for row in wrap(" · ".join(told), width)]
    if len(rows) > height > 0:
        rows[height - 1 :] = [plain(fit(with_keys("… Esc, {battle.receipt} shows the rest"), width), "$muted")]
    return lines(rows)


def _where(unit: UnitView, sign: str) -> str:
    height = f", {unit.altitude / 100:g} {sign} up" if unit.altitude else ""
    return f"{unit.at.name}, facing {unit.facing.name}, {unit.posture}{height}"


def _gauge(label: str, now: int, full: int, width: int) -> Content:
    filled = 0 if not full else max(1 if now else 0, min(BAR, round(BAR * now / full)))
    style = "$good" if now * 2 > full else "$warn" if now * 4 > full else "$bad"
    return join(
        [fit(label, LABEL), plain("■" * filled, style), plain("·" * (BAR - filled), "$faint"), f" {now}/{full}"]
    )
