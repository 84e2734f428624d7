"""The panels of a character's form: pages, fields with their help, and what the sheet makes."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import var

from tui.characters.sheet_fields import WEAPON, Field
from tui.characters.sheet_form import SheetForm
from tui.characters.sheet_preview import SheetPreview, chance_words
from tui.describe.styled_text import fit, join, lines, plain, wrap
from tui.panels.panel import Panel

CHOSEN = "reverse"
SET = "$warn"
VALUE = 8
LINE = "─"
BAR = 8


class PagesPanel(Panel):
    """The pages of the form, the chosen one marked."""

    TITLE = "Pages"
    shown: var[tuple[SheetForm, object]] = var((None, None), init=False)  # type: ignore[arg-type]

    def build(self, width: int, height: int) -> Content:
        form = self.shown[0]
        rows: list[Content] = []
        for place, page in enumerate(form.groups):
            is_chosen = place == form.group
            mark, room = "▸ " if is_chosen else "  ", width - 2 - len(page.note) - 1
            style = "bold" if is_chosen else ""
            rows.append(join([plain(f"{mark}{fit(page.label, room)} ", style), plain(page.note, SET)]))
        told = [f"Letter  {form.own.letter or '-'}", f"Size    {form.own.size} × {form.own.size}"]
        named = "not saved yet" if form.is_new else form.own.file
        file = f"{named}.toml" if named and named == form.own.file and "/" not in named else named
        ends = [plain(fit(row, width), "$muted") for row in (*told, file)]
        if len(rows) + len(ends) < height:
            rows += [plain("")] * (height - len(rows) - len(ends)) + ends
        return lines(_around(rows, form.group, height))


class FieldsPanel(Panel):
    """The fields of a page; below them the help of the chosen one."""

    TITLE = "Fields"
    shown: var[tuple[SheetForm, object]] = var((None, None), init=False)  # type: ignore[arg-type]

    def build(self, width: int, height: int) -> Content:
        form = self.shown[0]
        self.border_title = plain(form.page.label)
        help_rows = _help(form.field, width)
        room = max(3, height - len(help_rows) - 1)
        rows = [_field_row(form, place, field, width) for place, field in enumerate(form.page.fields)]
        fields = _around(rows, form.row, room)
        below = [plain(LINE * width, "$panel-line"), *help_rows]
        gap = [plain("")] * max(0, height - len(fields) - len(below))
        return lines([*fields, *gap, *below][:height])


class PreviewPanel(Panel):
    """What the sheet makes: pools, derived numbers, chances of its weapons."""

    TITLE = "What it makes"
    shown: var[SheetPreview | None] = var(None, init=False)

    def build(self, width: int, height: int) -> Content:
        found = self.shown
        if found is None:
            return plain("…", "$muted")
        label = max(8, width - 8)
        rows = [join([plain(fit(name, label)), plain(fit(value, 8), "bold")]) for name, value in found.numbers]
        half = max(4, height // 2)
        rows = rows if len(rows) <= half else [*rows[: half - 1], plain("…", "$muted")]
        for weapon in found.weapons:
            rows += [plain(""), plain(fit(weapon.label, width), "bold $panel-title")]
            rows += [plain(row, "$muted") for row in wrap(weapon.numbers, width)[:2]]
            rows += [plain(fit(weapon.at, width))] if weapon.at else []
            for where, hit, damage in weapon.rows:
                chance = chance_words(hit)
                rows.append(
                    join(
                        [
                            plain(fit(f" {where}", width - 13)),
                            plain(f"{chance:>6}", "bold"),
                            plain(f" {damage:>5}", "$muted"),
                        ]
                    )
                )
        if found.weapons and found.weapons[0].rows:
            rows.append(plain(fit("on an equal, covered by half", width), "$muted"))
        if not found.is_whole:
            rows.append(plain("…", "$muted"))
        return lines(rows[:height])


def _field_row(form: SheetForm, place: int, field: Field, width: int) -> Content:
    is_chosen = place == form.row
    mark = "▸" if is_chosen else " "
    typed = form.typed if is_chosen else None
    if field.kind == WEAPON:
        room = max(10, width - 3 - max(8, min(len(field.value), width // 2)))
        return join(
            [
                plain(f"{mark} {fit(field.label, room)}", "bold" if is_chosen else ""),
                plain(f" {fit(field.value, width - room - 3)}", "$muted"),
            ]
        )
    value_width = max(VALUE, min(len(field.value), width // 2))
    default_width = VALUE if width >= 32 + value_width else 0
    label = width - 2 - value_width - 1 - default_width
    value = f"{typed}▏" if typed is not None else field.value
    tone = "bold reverse" if typed is not None else f"bold {SET}" if field.is_set else ""
    parts = [
        plain(f"{mark} {fit(field.label, label)}", "bold" if is_chosen else ""),
        plain(fit(value, value_width), tone),
    ]
    if default_width:
        parts.append(plain(f" {fit(field.default, default_width)}", "$muted"))
    return join(parts)


def _help(field: Field, width: int) -> list[Content]:
    """The name of a field, what it may be, its default, and what it is for."""
    default = f", default {field.default}" if field.default and field.default != field.value else ""
    head = [plain(row, "bold") for row in wrap(f"{field.label}: {field.allowed}{default}", width)[:2]]
    return [*head, *(plain(row, "$muted") for row in wrap(field.help, width)[:3])]


def _around(rows: list[Content], chosen: int, height: int) -> list[Content]:
    """As many rows as fit, around the chosen one."""
    start = max(0, min(chosen - height // 2, len(rows) - height))
    return rows[start : start + height]
