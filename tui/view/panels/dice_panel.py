"""Dice tray in the panel of the shot: what the roll has come to, a row for each roll, and whom it has struck so far."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from textual.content import Content

from engine.rules.model import Ruleset
from tui.application.describe.dice_tray import DieRow, Tray
from tui.application.describe.text_layout import ENDLESS, fit, fit_name, wrap
from tui.application.keys.battle_keys import with_keys
from tui.view.panels.attack_panel import shot_text
from tui.view.panels.result_card import head_rows, landing, loss_rows
from tui.view.panels.styled_text import join, lines, plain

TITLE = "Dice"
MUTED, STRONG, LOSS = "$muted", "bold", "bold $warn"
FIRST_KEYS = ("Enter rolls all", "{battle.cancel} cancels")
KEYS = ("Enter rolls it", "/ the rest", "Backspace back", "{battle.cancel} cancels")
MOST_LABEL, LEAST_LABEL, DICE = 18, 8, 6
WITH_DICE = 34
"""Columns of a panel from which on the rows name their dice."""
MOST_UNITS = 6
LEAST_SHOT = 5
"""Rows that are worth a look at the attack below its first question."""


def tray_title(tray: Tray, room: int) -> str:
    """Who does what to whom, in at most so many cells: without the weapon where that is too long."""
    parts = tray.title or (TITLE,)
    whole = " ▸ ".join(parts)
    return whole if cell_len(whole) <= room else " ▸ ".join((parts[0], *parts[1:][-1:]))


def tray_text(tray: Tray, rules: Ruleset, width: int, height: int) -> Content:
    """Renders the tray in so many cells and rows."""
    head = [*head_rows(tray.result, rules, width), plain("")] if tray.result else []
    rolls = list(die_rows(tray, width))
    landed = (
        [_labelled("lands", landing(tray.result, rules), width)] if tray.result and landing(tray.result, rules) else []
    )
    losses = list(loss_rows(tray.result, rules, width, MOST_UNITS)) if tray.result else []
    struck = [plain("─" * width, "$panel-line"), *losses] if losses else []
    is_first = not any(row.faces for row in tray.rows)
    keys = [plain(row, MUTED) for row in wrap(with_keys(" · ".join(FIRST_KEYS if is_first else KEYS)), width)]
    rows = [*head, *rolls[: tray.scattered], *landed, *rolls[tray.scattered :], *struck]
    if (over := len(rows) + len(keys) - height) > 0:  # what is asked stays in sight: the first rolls give way
        settled = [row for row, die in zip(rolls, tray.rows, strict=True) if die.faces][:over]
        rows = [row for row in rows if not any(row is one for one in settled)]
    room = height - len(rows) - len(keys) - 2
    if tray.shot is not None and room >= LEAST_SHOT and height < ENDLESS:
        rows += ["", *shot_text(tray.shot, rules, width, room).split(allow_blank=True)]
    blank = height - len(rows) - len(keys)
    return lines([*rows[: height - len(keys)], *[plain("")] * max(0, blank), *keys])


def die_rows(tray: Tray, width: int) -> Iterator[Content]:
    """A row for each roll: what it is for, its dice, its faces or what is needed."""
    longest = max((cell_len(row.label) for row in tray.rows), default=0)
    label = max(LEAST_LABEL, min(longest, MOST_LABEL, width // 2))
    for row in tray.rows:
        mark = plain("▸", "bold $panel-title") if row.is_asked else plain(" ")
        dice = f"{fit(row.dice, DICE)} " if width >= WITH_DICE else ""
        named = plain(f"{fit_name(row.label, label)} {dice}", STRONG if row.is_asked else MUTED)
        yield join([mark, named, *_faces(row, width - 1 - named.cell_length)])


def _faces(row: DieRow, room: int) -> list[Content]:
    """The faces of a roll with their sum, and who threw them if there is room; of the one that is asked for a caret and
    what is needed."""
    if row.is_asked:
        return [plain("_", "bold reverse"), plain(f"  {row.needed}" if row.needed else "")]
    if not row.faces:
        return [plain("·", MUTED)]
    faces = " ".join(map(str, row.faces))
    total = f" = {sum(row.faces)}" if len(row.faces) > 1 else ""
    by = "  typed" if row.is_typed else "  rolled"
    return [
        plain(f"{faces}{total}", STRONG if row.is_typed else MUTED),
        plain(by if cell_len(f"{faces}{total}{by}") <= room else "", MUTED),
    ]


def _labelled(label: str, words: str, width: int) -> Content:
    return join([plain(f" {fit(label, LEAST_LABEL)} ", MUTED), fit(words, width - LEAST_LABEL - 2).rstrip()])
