"""Turn order panel: one row for each unit or group, with score, first pool and state."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content

from engine.battle.narration.unit_states import MARKER_MARK, NOTE_MARK, OPENING_MARK, STATE_MARKS
from engine.battle.views.view import UnitView, View
from engine.context import Cache
from engine.dice.dice_text import number
from engine.values import replace
from tui.application.describe.battle_start import SETTING_UP
from tui.application.describe.gauges import meter
from tui.application.describe.order_blocks import Block, blocks, turn_id
from tui.application.describe.styled_rows import side_style
from tui.application.describe.text_layout import fit, fit_name, wrap
from tui.application.keys.battle_keys import with_keys
from tui.view.panels.order_folding import OrderPlace, folded, standing_words
from tui.view.panels.styled_text import pieced, plain

MARKS, NAME, STATE, SCORE = 2, 9, 8, 4
"""Columns of the marks, fewest of a name, most of a state; of a score with the blank behind it."""
MARK = "●"
"""Before a marked unit."""
ACTS, HAS_ACTED, STILL_TO_ACT = "▸", "✓", "…"
WIDE = 36
"""Rows with so many columns have the score in the turn order and a longer bar."""
MOST_WIDE = 48
"""Columns of a row at most: farther apart, one does not see which numbers are whose."""
BADGE = 3
"""Cells of a badge: "g12"."""
BAR, LONG_BAR = 5, 6
NARROW_NAME, NARROW_STATE = 8, 5
AFTER = 3
"""Rows after the active one that stay in sight."""
SHARED_MARKS = {mark: STATE_MARKS[mark] for mark in (NOTE_MARK, OPENING_MARK, MARKER_MARK)}
"""Marks with words of their own for each unit, and what they mean for all."""


class Columns(Struct, frozen=True):
    """Columns of the rows of a turn order."""

    width: int
    """Cells of a row."""
    numbers: int = 0
    """Cells of the pools' numbers, of all alike."""
    has_scores: bool = True
    """Whether there is a column for the score of initiative."""


class OrderOfView(Struct, frozen=True):
    """What the turn order of a view has whatever is under the cursor."""

    columns: Columns
    declares: bool
    """Whether its units have declared different actions."""
    blocks: list[Block]
    signs: dict[str, str]
    """As `signs_of` has it."""
    rows: dict[tuple[str, str, str], Content]
    """The rows so far of its units, by their marks and what their end says: one or two change when the cursor moves."""
    unseen: dict[str, str]
    """Who is out of sight and where it was seen last, by unit id: "K4 R2"; "" for who never was."""


ORDERS: Cache[OrderOfView] = Cache(2)


def _order_of(view: View, width: int) -> OrderOfView:
    return OrderOfView(
        columns_of(view, width), declares_differ(view), blocks(view), signs_of(view), {}, unseen_units(view)
    )


def unseen_units(view: View) -> dict[str, str]:
    """Where those out of sight were seen last, and in which round or that they were out: "K4 R2", by unit id."""
    never_seen = {turn_id(number, turn): "" for number, turn in enumerate(view.unknown_turns)}
    return never_seen | {
        one.id: f"{one.at.name} {'out' if one.is_defeated else f'R{one.round}'}" for one in view.last_seen
    }


def signs_of(view: View) -> dict[str, str]:
    """The sign before the acting unit, before those below it that have acted, and those above it that have not.

    By unit id; of all others their place says whether they have.
    """
    if view.active not in view.order:
        return {}
    place = view.order.index(view.active)
    early = {unit: HAS_ACTED for unit in view.order[place + 1 :] if unit in view.acted}
    late = {unit: STILL_TO_ACT for unit in view.order[:place] if unit in view.upcoming and unit not in view.acted}
    return {**early, **late, view.active: ACTS}


def declares_differ(view: View) -> bool:
    """Whether the units in the order have declared different actions."""
    in_order = frozenset(view.order)
    return len({unit.declared for unit in view.units if unit.id in in_order}) > 1


def columns_of(view: View, width: int) -> Columns:
    """The columns that the units of a view need in rows of `width` cells."""
    numbers = max((len(_wounds(unit)) for unit in view.units), default=0)
    return Columns(
        min(width, MOST_WIDE), numbers, width >= WIDE and any(unit.initiative is not None for unit in view.units)
    )


def with_marks_legend(view: View, rows: list[Content], width: int, height: int) -> list[Content]:
    """Rows of the turn order, and below them, where there is room, what their marks mean; a sentence where none are."""
    if view.is_curtain:
        return [plain(SETTING_UP, "$muted")]
    if not view.units:
        return [plain(with_keys("Nobody is on the map yet. {battle.table} adds units."), "$muted")]
    said = [plain(f" {row}", "$muted") for row in wrap(marks_legend(view), width - 2)]
    return [*rows, Content(""), *said] if said and len(rows) + 1 + len(said) <= height else rows


def marks_legend(view: View) -> str:
    """What the marks at the ends of the rows mean: "» may react now · ◌ hidden from the players"."""
    meanings: dict[str, list[str]] = {}
    for state in (state for unit in view.units if not unit.is_defeated for state in unit.conditions):
        if state.mark:
            meanings.setdefault(state.mark, []).append(SHARED_MARKS.get(state.mark, state.name))
    return " · ".join(f"{mark} {', '.join(dict.fromkeys(names))}" for mark, names in meanings.items())


def order_rows(
    view: View,
    selected: str,
    target: str,
    width: int,
    height: int,
    cursor: str = "",
    marked: Collection[str] = (),
) -> list[tuple[Content, str]]:
    """A row for each unit or group with the id of its unit; the active one is marked, those out of the fight are faint.

    Different declared actions replace the postures. If not all fit, neighbours of one group are folded; then the rows
    around the unit under the cursor, else around the active one, with the next ones are shown; the active one and the
    next are always there.

    Args:
        view: whose units.
        selected: id of the unit in focus.
        target: id of its target.
        width: cells of a row.
        height: most rows; 0 for all.
        cursor: id of the unit under the cursor, "" for none.
        marked: ids of the marked units.
    """
    if view.is_curtain:
        return []
    order = ORDERS.get((view,), width, lambda: _order_of(view, width))
    columns, built = order.columns, order.rows
    places = _places(order, cursor, marked, height, (view.active, target))

    def row_of(place: OrderPlace) -> tuple[Content, str]:
        name, units, unit = place.name, place.units, place.units[0]
        if name:
            if (row := built.get((unit.id, name, "group"))) is None:
                row = folded_row(name, units, columns) if place.is_folded else group_row(name, units, "", columns)
                built[unit.id, name, "group"] = row
            return row, unit.id
        aim = "◎" if unit.id == target else "›" if unit.id == cursor else "•" if unit.id == selected else " "
        first = MARK if unit.id in marked else order.signs.get(unit.id, ACTS if unit.is_active else " ")
        marks = f"{first}{aim}"
        if (row := built.get((unit.id, marks, ""))) is None:
            unseen = order.unseen.get(unit.id)
            row = built[unit.id, marks, ""] = unit_row(unit, marks, columns, declares=order.declares, unseen=unseen)
        return row, unit.id

    if not len(places) > height > 0:
        return [row_of(place) for place in places]
    rows = {unit.id: row for row, place in enumerate(places) for unit in place.units}
    kept = [rows[one] for one in (cursor, view.active, *view.upcoming[:1]) if one in rows]
    place = kept[0] if kept else 0
    start = max(0, min(place - max(0, min(height // 2, height - 1 - AFTER, place)), len(places) - height))
    if height <= AFTER:
        start = max(0, min(place - height // 2, len(places) - height))
    near = [*kept, *sorted(range(start, start + height), key=lambda row: abs(row - place))]
    return [row_of(places[one]) for one in sorted(list(dict.fromkeys(near))[:height])]


def _places(
    order: OrderOfView, cursor: str, marked: Collection[str], height: int, alone: Collection[str]
) -> list[OrderPlace]:
    """What has a row: each unit, and below each group those of its members that stand out; folded where they must.

    `alone` has further units that are never folded.
    """
    places: list[OrderPlace] = []
    for name, units in order.blocks:
        shown = [unit for unit in units if unit.is_active or unit.id == cursor or unit.id in marked] if name else units
        places += [OrderPlace(name, units)] * bool(name) + [OrderPlace("", (unit,)) for unit in shown]
    return folded(places, height, {cursor, *marked, *alone}) if len(places) > height > 0 else places


def rows_out_of_sight(
    view: View,
    width: int,
    rows: Collection[str],
    cursor: str = "",
    marked: Collection[str] = (),
    height: int = 0,
    target: str = "",
) -> str:
    """How many rows stand above and below those shown: "↑ 2 · ↓ 3"; "" for none.

    Args:
        view: whose units.
        width: cells of a row.
        rows: the ids of the units with the rows shown.
        cursor: id of the unit under the cursor.
        marked: ids of the marked units.
        height: for how many rows they were made; 0 for any number.
        target: id of the target.
    """
    order = ORDERS.get((view,), width, lambda: _order_of(view, width))
    ids = [place.units[0].id for place in _places(order, cursor, marked, height, (view.active, target))]
    shown = [place for place, one in enumerate(ids) if one in rows]
    if not shown or len(shown) == len(ids):
        return ""
    middle = shown[len(shown) // 2]
    unseen = set(range(len(ids))).difference(shown)
    above = sum(one < middle for one in unseen)
    return " · ".join(f"{arrow} {count}" for arrow, count in (("↑", above), ("↓", len(unseen) - above)) if count)


def group_row(name: str, units: Sequence[UnitView], marks: str, columns: Columns) -> Content:
    """Row of a group: its marks, its name, its score, how many are still in the fight."""
    able = [unit for unit in units if not unit.is_defeated]
    first = (able or units)[0]
    left = f"{len(able)} left" if able else "out"
    return _columns(marks, first, name, (left, ""), columns, has_bar=False)


def folded_row(name: str, units: Sequence[UnitView], columns: Columns) -> Content:
    """Row of neighbours of one group: their letter, what they are called together, how many still stand."""
    able = [unit for unit in units if not unit.is_defeated]
    first = replace((able or units)[0], number=0, is_defeated=not able)
    room = columns.width - MARKS - BADGE - 1
    ends = (standing_words(units), standing_words(units, is_short=True))
    end = next((one for one in ends if len(name) + len(one) + 1 <= room), ends[1])
    name = f"{fit(name, max(0, room - len(end) - 1))} "
    return pieced(
        [(" " * MARKS, ""), _badge_piece(first), (" ", ""), (name, "" if able else "$muted"), (end, "$muted")]
    )


def unit_row(
    unit: UnitView, marks: str, columns: Columns, *, declares: bool = False, unseen: str | None = None
) -> Content:
    """Row of a unit: its marks, score, first pool, state, and its declared action if `declares`.

    Who is out of the fight with something left in that pool has no numbers: they would read as still fighting. The row
    of somebody out of sight is faint and says where it was seen last, which is `unseen`: "" for nowhere.
    """
    marks_held = list(dict.fromkeys(condition.mark for condition in unit.conditions if condition.mark))
    posture = unit.posture if unit.posture != "standing" else ""
    state = f"{' '.join(marks_held)} {posture}".strip()
    if declares and unit.declared:
        together = "".join(marks_held)
        ways = (f"{unit.declared} {' '.join(marks_held)}".rstrip(), f"{unit.declared} {together}")
        state = next((way for way in ways if cell_len(way) <= STATE), f"{unit.declared}{together}")
    state = "out" if unit.is_defeated else state
    if unseen is not None:
        state, unit = unseen, replace(unit, is_defeated=True)
    is_taken_out = unit.is_defeated and bool(unit.pools) and unit.pools[0].now > 0
    return _columns(marks, unit, unit.name, ("" if is_taken_out else _wounds(unit), state), columns)


def badge(unit: UnitView) -> Content:
    """The unit's badge in its side's colour, three cells; a frame for who is hidden, faint for who is out."""
    return plain(*_badge_piece(unit))


def _badge_piece(unit: UnitView) -> tuple[str, str]:
    frame = "┆" if unit.is_hidden and not unit.is_defeated else " "
    text = f"{frame}{unit.badge}{frame}"[:BADGE] if len(unit.badge) < BADGE else unit.badge
    if unit.is_defeated:
        return text, "$muted"
    return text, f"{side_style(unit)}{'' if unit.is_hidden else ' reverse'}"


def _wounds(unit: UnitView) -> str:
    return f"{number(unit.pools[0].now)}/{unit.pools[0].full}" if unit.pools else ""


def _columns(
    marks: str, unit: UnitView, name: str, ends: tuple[str, str], columns: Columns, *, has_bar: bool = True
) -> Content:
    """One row: what the columns of a fixed width leave is the name's and the state's.

    `ends` are the numbers and the state at its end; without a bar a blank stands in its place. The bar of who is out
    is empty, whatever its numbers.
    """
    numbers, state = ends
    is_wide = columns.width >= WIDE
    long = LONG_BAR if is_wide else BAR
    first = unit.pools[0] if has_bar and unit.pools else None
    left = 0 if first is None or unit.is_defeated else first.now
    gauge = meter(left, first.full, long) if first else ((" " * long, ""),)
    score = "" if unit.initiative is None else number(unit.initiative)
    style = "$muted" if unit.is_defeated else "bold" if unit.is_active else ""
    before = (fit(marks, MARKS), "bold"), _badge_piece(unit), (" ", "")
    after = (
        (f"{score:>{SCORE - 1}} ", "$muted") if columns.has_scores else (" ", ""),
        *gauge,
        (f" {numbers:>{columns.numbers}} ", "$muted" if unit.is_defeated else ""),
    )
    room = columns.width - sum(cell_len(text) for text, _ in (*before, *after))
    least, most = (NAME, STATE) if is_wide else (NARROW_NAME, NARROW_STATE)
    state_room = max(0, min(most, room - least))
    cut = state if is_wide or " " in state else state[:state_room]
    state_style = "$muted" if unit.is_defeated or state == unit.posture else "$warn"
    named = fit_name(name, max(least, room - state_room)), style
    return pieced([*before, named, *after, (fit(cut, state_room), state_style)])
