"""Rows of text with styles, as plain values: what draws them makes its own of them."""

from __future__ import annotations

from engine.battle.views.view import UnitView

StyledRow = tuple[tuple[str, str], ...]
"""The pieces of a row, each with its style; "" for none."""


def row_text(row: StyledRow) -> str:
    """A row without its styles."""
    return "".join(text for text, _ in row)


def side_style(unit: UnitView) -> str:
    """The style of a unit's letter: its side's colour, of which there are four."""
    return f"bold $side-{unit.side_index % 4}"
