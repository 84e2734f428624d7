"""The panels of a character's form: pages, fields with their help, and what the sheet makes."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import var

from engine.dice.dice_text import percent
from tui.application.characters.sheet_fields import CARRIED, NUMBER, WEAPON, Field
from tui.application.characters.sheet_form import SheetForm
from tui.application.describe.text_layout import fit, wrap
from tui.view.characters.sheet_preview import SheetPreview, WeaponOdds
from tui.view.panels.panel import Panel
from tui.view.panels.styled_text import join, lines, plain

SET = "$warn"
CHOSEN = "on $prompt-back"
VALUE, DEFAULT, FULL = 5, 8, 5
"""Columns of a value, of its default, and of what is full where there is little room."""
LINE = "─"
HIT, DAMAGE, WIDE_DAMAGE, BAR = 6, 6, 13, 9
"""Columns of a chance, of the mean damage without and with room, and of a chance's bar where there is room."""
ROOMY, WIDE, MOST_WIDE = 32, 40, 64
"""Columns from which a row has more to say, and those that one has at most: farther apart, one does not see which
value is whose."""
MOST_ROWS = 3
"""Of a long value."""
AGAINST = "Against your equal: the chance before a defence, the damage a round after it."
"""What the odds of weapons are worked out for."""


class PagesPanel(Panel):
    """The pages of the form, the chosen one marked."""

    TITLE = "Pages"
    shown: var[tuple[SheetForm, object]] = var((None, None), init=False)  # type: ignore[arg-type]

    def build(self, width: int, height: int) -> Content:
        form = self.shown[0]
        if width <= 0:  # not in sight
            return plain("")
        rows: list[Content] = []
        for place, page in enumerate(form.groups):
            is_chosen = place == form.group and not form.is_derived
            note = f"{page.note} set" if page.note and width >= 22 and page.counts_set else page.note
            mark, back = ("▸", f" {CHOSEN}") if is_chosen else (" ", "")
            label = plain(fit(f"{mark}{page.label}", width - len(note)), ("bold" if is_chosen else "") + back)
            rows.append(join([label, plain(note, f"{SET}{back}")]))
        if form.has_derived_page:
            mark, style = ("▸", f"bold {CHOSEN}") if form.is_derived else (" ", "")
            rows.append(plain(fit(f"{mark}{PreviewPanel.TITLE}", width), style))
        named = "not saved yet" if form.is_new else form.own.file
        file = f"{named}.toml" if named and named == form.own.file and "/" not in named else named
        about = [f"Letter  {form.own.letter or 'auto'}", f"Size    {form.own.size} × {form.own.size}", file]
        ends = [plain(fit(f" {row}", width), "$muted") for row in about if row]
        if len(rows) + len(ends) + 4 <= height:
            legend = plain(fit(" coloured:", width), SET), plain(fit(" not the default", width), "$muted")
            ends = [*legend, plain(""), *ends]
        if len(rows) + len(ends) < height:
            rows += [plain("")] * (height - len(rows) - len(ends)) + ends
        return lines(_around(rows, len(form.groups) if form.is_derived else form.group, 1, height))


class FieldsPanel(Panel):
    """The fields of a page; below them the help of the chosen one."""

    TITLE = "Fields"
    shown: var[tuple[SheetForm, object]] = var((None, None), init=False)  # type: ignore[arg-type]

    def build(self, width: int, height: int) -> Content:
        form, width = self.shown[0], min(width, MOST_WIDE)
        if width <= 0:  # not in sight
            return plain("")
        pages = len(form.groups) + form.has_derived_page
        self.border_title = plain(
            f"{form.page.label} · {form.group + 1} of {pages}" if form.has_derived_page else form.page.label
        )
        help_rows = _help(form.field, width)
        default = DEFAULT if width >= ROOMY else FULL if form.page.label == CARRIED else 0
        head = _head(form, width, default)
        room = max(3, height - len(head) - len(help_rows) - 1)
        rows: list[Content] = []
        chosen, tall = 0, 1
        for field in form.page.fields:
            is_chosen = field is form.field
            found = _field_rows(field, form.typed if is_chosen else None, is_chosen, width, default)
            if is_chosen:
                chosen, tall = len(rows), len(found)
            rows += found
        fields = [*head, *_around(rows, chosen, tall, room)]
        below = [plain(LINE * width, "$panel-line"), *help_rows]
        gap = [plain("")] if len(fields) + len(below) < height else []
        return lines([*fields, *gap, *below][:height])


class PreviewPanel(Panel):
    """What the sheet makes: pools, derived numbers, chances of its weapons; first that of the field chosen."""

    TITLE = "Derived values"
    shown: var[tuple[SheetPreview | None, str]] = var((None, ""), init=False)

    def build(self, width: int, height: int) -> Content:
        (found, chosen), width = self.shown, min(width, MOST_WIDE)
        if found is None or width <= 0:  # nothing yet, or not in sight
            return plain("…", "$muted")
        rows = [
            join([plain(fit(label, width - cell_len(value) - 1)), plain(f" {value}", "bold")])
            if value
            else plain(fit(label, width), "$muted")
            for label, value in found.numbers
        ]
        room = max(4, height // 2) if found.weapons else height
        rows = rows if len(rows) <= room else [*rows[: room - 1], plain("…", "$muted")]
        damage = WIDE_DAMAGE if width >= ROOMY else DAMAGE
        if found.weapons:
            rows += [plain(""), *(plain(row, "$muted") for row in wrap(AGAINST, width))]
            called = "avg. damage" if width >= ROOMY else "dmg"
            rows.append(plain("hit".rjust(width - damage) + called.rjust(damage), "$muted"))
        for weapon in sorted(found.weapons, key=lambda one: one.id != chosen):
            rows += [*_odds_rows(weapon, width, damage), plain("")]
        if not found.is_whole:
            rows.append(plain("…", "$muted"))
        return lines(rows[:height])


def _odds_rows(weapon: WeaponOdds, width: int, columns: int) -> list[Content]:
    """A weapon's name, numbers and chances."""
    rows = [plain(row, "bold $panel-title") for row in wrap(weapon.label, width)[:2]]
    numbers = wrap(weapon.numbers, width)
    numbers = numbers if len(numbers) <= 2 else [numbers[0], fit(f"{numbers[1]} …", width)]
    rows += [plain(row, "$muted") for row in numbers]
    rows += [plain(fit(weapon.at, width))] if weapon.at else []
    against = " · ".join(penalty.words for penalty in weapon.penalties)
    rows += [plain(row, "$bad") for row in wrap(against, width)]
    bar = BAR if width >= WIDE else 0
    for where, hit, damage in weapon.rows:
        filled = round(hit * (bar - 1))
        rows.append(
            join(
                [
                    plain(fit(f" {where}", width - HIT - columns - bar)),
                    plain("━" * filled, "$panel-title"),
                    plain("─" * (bar - 1 - filled) + " " * (bar > 0), "$panel-line"),
                    plain(f"{percent(hit):>{HIT}}", "bold"),
                    plain(f"{damage or '-':>{columns}}", "$muted"),
                ]
            )
        )
    return rows + [plain(row, "$muted") for row in wrap(weapon.why, width)]


def _head(form: SheetForm, width: int, default: int) -> list[Content]:
    """The names of the columns, where a page has numbers."""
    if not any(field.kind == NUMBER for field in form.page.fields) or form.group == 0:
        return []
    what = "now" if form.page.label == CARRIED else "value"
    usual = "full" if form.page.label == CARRIED else "default"
    columns = f"{what:>{VALUE}}" + (f"{usual:>{default}}" if default else "")
    return [plain(columns.rjust(width), "$muted")]


def _field_rows(field: Field, typed: str | None, is_chosen: bool, width: int, default: int) -> list[Content]:
    """A field's label, value and default; its label is broken and not cut, and a long value has rows of its own."""
    mark, back = ("▸", f" {CHOSEN}") if is_chosen else (" ", "")
    value = f"{typed}▏" if typed is not None else field.value
    name = ("bold" if is_chosen else "") + back
    tone = "bold reverse" if typed is not None else f"bold {SET}{back}" if field.is_set else name
    if cell_len(value) < VALUE and cell_len(field.default) < DEFAULT and value:
        first, *more = wrap(field.label, width - 1 - VALUE - default)
        row = [
            plain(fit(f"{mark}{first}", width - cell_len(value) - default), name),
            plain(value, tone),
            plain(f"{field.default:>{default}}" if default else "", f"$muted{back}"),
        ]
        return [join(row), *(plain(fit(f" {each}", width), name) for each in more)]
    room = width - 2 - cell_len(field.label)
    if 0 < cell_len(value) <= room and field.kind != WEAPON:
        return [join([plain(fit(f"{mark}{field.label}", width - cell_len(value)), name), plain(value, tone)])]
    first, *more = wrap(field.label, width - 1)
    values = wrap(value, width - 3)[:MOST_ROWS] if value else []
    style = f"$muted{back}" if field.kind == WEAPON else tone
    return [
        plain(fit(f"{mark}{first}", width), name),
        *(plain(fit(f" {each}", width), name) for each in more),
        *(plain(fit(f"   {each}", width), style) for each in values),
    ]


def _help(field: Field, width: int) -> list[Content]:
    """The name of a field, what it may be, its default, and what it is for."""
    default = f", default {field.default}" if field.default and field.default != field.value and not field.key else ""
    head = [plain(f" {row}", "bold") for row in wrap(f"{field.label}: {field.allowed}{default}", width - 1)[:2]]
    return [*head, *(plain(f" {row}", "$muted") for row in wrap(field.help, width - 1)[:3])]


def _around(rows: list[Content], chosen: int, tall: int, height: int) -> list[Content]:
    """As many rows as fit, around the chosen ones."""
    start = max(0, min(chosen + tall // 2 - height // 2, len(rows) - height))
    return rows[start : start + height]
