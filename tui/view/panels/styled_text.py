"""Every visible string of the screens that holds names or numbers is built here, as styled text that is never parsed.

Names come from files that others wrote; nothing here, and nothing that uses it, treats them as markup.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content, Span


def plain(text: str, style: str = "") -> Content:
    """Text in one style; brackets and all stand for themselves."""
    return Content(text, [Span(0, len(text), style)] if style else None)


def join(parts: Iterable[Content | str]) -> Content:
    """Pieces one after another."""
    return Content("").join([part if isinstance(part, Content) else Content(part) for part in parts])


def pieced(pieces: Iterable[tuple[str, str]]) -> Content:
    """Texts and their styles, one after another."""
    text, spans = "", []
    for piece, style in pieces:
        if piece and style:
            spans.append(Span(len(text), len(text) + len(piece), style))
        text += piece
    return Content(text, spans)


def styled(rows: Iterable[str | tuple[tuple[str, str], ...]]) -> Content:
    """Rows, one under another, each in one style or in pieces of several."""
    return lines(row if isinstance(row, str) else pieced(row) for row in rows)


def lines(rows: Iterable[Content | str]) -> Content:
    """Rows, one under another."""
    return Content("\n").join([row if isinstance(row, Content) else Content(row) for row in rows])
