"""Dice tray in the panel of the shot: what the roll has come to, a row for each roll, and whom it has struck so far."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from textual.content import Content

from engine.rules.model import Ruleset
from tui.application.describe.dice_tray import DieRow, Tray
from tui.application.describe.text_layout import ENDLESS, fit, fit_name
from tui.view.panels.attack_panel import shot_text
from tui.view.panels.result_card import head_rows, landing, loss_rows
from tui.view.panels.styled_text import join, lines, plain

TITLE = "Dice"
MUTED, STRONG, LOSS = "$muted", "bold", "bold $warn"
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
    return lines(row for row, _ in tray_rows(tray, rules, width, height))


def die_at(tray: Tray, rules: Ruleset, width: int, height: int, line: int) -> int | None:
    """Which of the rolls that are made stands on a line of the tray, from 0 on; None for another line."""
    rows = tray_rows(tray, rules, width, height)
    die = rows[line][1] if line < len(rows) else None
    return die if die is not None and tray.rows[die].faces else None


def tray_rows(tray: Tray, rules: Ruleset, width: int, height: int) -> list[tuple[Content | str, int | None]]:
    """The rows of the tray in so many cells and rows, each with the number of its roll, from 0 on; None for others."""
    head = [*head_rows(tray.result, rules, width), plain("")] if tray.result else []
    rows = [*((row, None) for row in head), *_rolls(tray, rules, width)]
    if (over := len(rows) - height) > 0:  # what is asked stays in sight: the first rolls give way
        made = [die for _, die in rows if die is not None and tray.rows[die].faces][:over]
        rows = [(row, die) for row, die in rows if die is None or die not in made]
    room = height - len(rows) - 2
    if tray.shot is not None and room >= LEAST_SHOT and height < ENDLESS:
        shot = shot_text(tray.shot, rules, width, room).split(allow_blank=True)
        rows += [("", None), *((row, None) for row in shot)]
    return rows[:height]


def rolls_text(tray: Tray, rules: Ruleset, width: int) -> list[Content | str]:
    """The rolls and what they have done, without what they came to: for above a card."""
    return [row for row, _ in _rolls(tray, rules, width)]


def _rolls(tray: Tray, rules: Ruleset, width: int) -> list[tuple[Content | str, int | None]]:
    """A row for each roll with its number, where a throw has come down after those for that, then who is struck."""
    rolls: list[tuple[Content | str, int | None]] = [(row, die) for die, row in enumerate(die_rows(tray, width))]
    landed = landing(tray.result, rules) if tray.result else ""
    if landed:
        rolls.insert(tray.scattered, (_labelled("lands", landed, width), None))
    losses = list(loss_rows(tray.result, rules, width, MOST_UNITS)) if tray.result else []
    struck = [plain("─" * width, "$panel-line"), *losses] if losses else []
    return [*rolls, *((row, None) for row in struck)]


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
        return [plain("_", "bold reverse"), plain(fit(f"  {row.needed}", room - 1).rstrip() if row.needed else "")]
    if not row.faces:
        return [plain("·", MUTED)]
    faces = " ".join(map(str, row.faces))
    total = f" = {sum(row.faces)}" if len(row.faces) > 1 else f"  {row.means}" if row.means else ""
    by = "  typed" if row.is_typed else "  rolled"
    return [
        plain(f"{faces}{total}", STRONG if row.is_typed else MUTED),
        plain(by if cell_len(f"{faces}{total}{by}") <= room else "", MUTED),
    ]


def _labelled(label: str, words: str, width: int) -> Content:
    return join([plain(f" {fit(label, LEAST_LABEL)} ", MUTED), fit(words, width - LEAST_LABEL - 2).rstrip()])
