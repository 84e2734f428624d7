"""The end card as rows of text: for the screen, for plain mode and scripts, and as Markdown for reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.battle.views.attack_outcomes import CRITICAL, FUMBLE, HIT, MISS
from engine.text import count, side_name
from tui.application.describe.styled_rows import StyledRow, row_text
from tui.application.describe.text_layout import cell_len, fit, fit_name
from tui.application.exports.attack_tally import ASTRAY
from tui.application.exports.end_card import DOWN, OWN_SIDE, BestShot, EndCard, EndCardRow, SideCount

LEAST_REMEMBERED = 100
"""Columns from which there is room for what units are remembered for."""
WIDEST = 112
"""Columns that the card takes at most."""
NUMBERS = ("shots", "hits", "dealt", "taken")
NUMBER, GAP, SIGN, ROUND, BADGE = 7, 2, 4, 9, 11
"""Columns of a number, between two texts, of a letter, of a round and of a badge."""
MOST_NAME, MOST_DOWNED = 26, 34
MOST_SIDES = 2
"""Sides beside one another."""
SHOTS = "the fight in three shots"
BADGES = {
    CRITICAL: "$critical",
    HIT: "$good",
    DOWN: "$good",
    FUMBLE: "$bad",
    ASTRAY: "$warn",
    OWN_SIDE: "$warn",
    MISS: "$muted",
}
"""Colours of the badges of shots."""
NO_SHOTS = "Nobody was hurt by an attack."


def card_rows(card: EndCard, columns: int, *, is_short: bool = False) -> list[StyledRow]:
    """The card's rows for so many columns of the terminal.

    With `is_short`, for a screen with few rows, without its title and with few empty rows.
    """
    width = min(WIDEST, columns - 4)
    has_remembered = columns >= LEAST_REMEMBERED
    rounds = f"· {count(card.rounds, 'round')} ·"
    title = _centred(((card.title.upper(), "bold $critical"), ("   ", ""), (rounds, "$muted")), width)
    empty: list[StyledRow] = [] if is_short else [()]
    rows: list[StyledRow] = [
        *([] if is_short else [title, ()]),
        _centred(((card.headline, "bold"),), width),
        *empty,
        *_sides(card.sides, width),
        *empty,
        *_table(card.rows, width, has_remembered=has_remembered),
        *empty,
    ]
    rule = "─" * max(0, width - len(SHOTS) - 4)
    rows.append((("─ ", "$muted"), (SHOTS, "bold $panel-title"), (f" {rule}", "$muted")))
    rows += [_shot(shot, width) for shot in card.shots] or [((NO_SHOTS, "$muted"),)]
    return rows


def card_text(card: EndCard, columns: int) -> list[str]:
    """The same without styles, as plain mode and scripts print it."""
    return [row_text(row).rstrip() for row in card_rows(card, columns)]


def _centred(row: StyledRow, width: int) -> StyledRow:
    return (" " * max(0, (width - cell_len(row_text(row))) // 2), ""), *row


def _colour(index: int) -> str:
    return f"$side-{index % 4}"


def _sides(sides: Sequence[SideCount], width: int) -> Iterator[StyledRow]:
    """Each side with how many stand, and a bar of that where all are known; two beside one another."""
    room = (width - 4) // MOST_SIDES
    for place in range(0, len(sides), MOST_SIDES):
        pair = sides[place : place + MOST_SIDES]
        head: list[tuple[str, str]] = []
        bars: list[tuple[str, str]] = []
        for one in pair:
            name = f" {side_name(one.side)} "
            words = fit(f"  {one.words}", max(1, room - cell_len(name)))
            head += [(name, f"bold {_colour(one.side_index)} reverse"), (f"{words}    ", "bold")]
            cells = room - 4 if one.total else 0
            full = max(one.standing > 0, round(cells * one.standing / one.total)) if one.total else 0
            bars += [("━" * full, _colour(one.side_index)), ("─" * (cells - full), "$muted")]
            bars.append((" " * (room + 4 - cells), ""))
        yield tuple(head)
        yield tuple(bars)


def _table(rows: Sequence[EndCardRow], width: int, *, has_remembered: bool) -> Iterator[StyledRow]:
    """A row for each unit or group."""
    numbers = NUMBER * len(NUMBERS)
    names = min(MOST_NAME, max((cell_len(row.name) for row in rows), default=0) + 1)
    names = max(8, min(names, width - SIGN - numbers - 2 * GAP - 12))
    left = width - SIGN - names - numbers - GAP
    downed = min(MOST_DOWNED, (left - GAP) // 2) if has_remembered else left
    remembered = left - downed - GAP if has_remembered else 0
    heads = "".join(label.rjust(NUMBER) for label in NUMBERS)
    head = f"{' ' * SIGN}{fit('who', names)}{heads}{' ' * GAP}{fit('downed', downed)}"
    yield ((f"{head}{' ' * GAP}{fit('remembered for', remembered)}" if remembered > 0 else head, "$muted"),)
    yield (("─" * width, "$muted"),)
    for row in rows:
        values = "".join(str(value).rjust(NUMBER) for value in (row.shots, row.hits, row.dealt, row.taken))
        pieces = [
            (f" {row.sign} ", f"bold {_colour(row.side_index)} reverse"),
            (f" {fit_name(row.name, names)}{values}{' ' * GAP}", ""),
            (fit(", ".join(row.downed) or "–", downed), "" if row.downed else "$muted"),
        ]
        if remembered > 0:
            pieces += [(" " * GAP, ""), (fit(row.remembered, remembered), "$bad" if row.is_grave else "")]
        yield tuple(pieces)


def _shot(shot: BestShot, width: int) -> StyledRow:
    """One of the three shots: its badge, who at whom and with what chance, what it did, and the round."""
    badge = f" {shot.badge.upper()} "
    result = fit(shot.result, 18)
    room = width - max(BADGE, len(badge) + 1) - len(result) - ROUND - GAP
    who = f"{shot.attacker} → {shot.target}"
    odds = f"  {shot.odds}" if cell_len(who) + cell_len(shot.odds) + GAP <= room else ""
    named = fit(who, room) if cell_len(who) > room else who
    return (
        (badge, f"bold {BADGES.get(shot.badge, '$muted')} reverse"),
        (" " * max(1, BADGE - len(badge)), ""),
        (named, ""),
        (odds, "$muted"),
        (" " * max(0, room - cell_len(named) - cell_len(odds) + GAP), ""),
        (result, ""),
        (f"round {shot.round}".rjust(ROUND), "$muted"),
    )
