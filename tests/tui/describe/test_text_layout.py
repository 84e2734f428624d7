"""Text in cells: as wide as Rich draws it, cut and broken as Rich would."""

from __future__ import annotations

import sys

import pytest
from rich.cells import cell_len as drawn_cells
from rich.cells import chop_cells, set_cell_size

from engine.text import is_clean
from tui.application.describe.text_layout import cell_len, fit, wrap

SAMPLES = ["忍者 Zoë → Ünsal", "हिन्दी नाम", "한국 사람 1", "Ꝋld … ×2"]


@pytest.mark.long
def test_every_sign_takes_the_cells_that_rich_draws() -> None:
    signs = (chr(place) for place in range(0x20, sys.maxunicode + 1))
    differing = [sign for sign in signs if is_clean(f"a{sign}") and cell_len(f"a{sign}") != drawn_cells(f"a{sign}")]
    assert differing == []


@pytest.mark.parametrize("text", SAMPLES)
@pytest.mark.parametrize("width", range(2, 24))
def test_a_text_is_cut_padded_and_chopped_as_rich_does_it(text: str, width: int) -> None:
    cut = f"{set_cell_size(text, width - 1).rstrip()}…" if drawn_cells(text) > width else text
    assert fit(text, width) == set_cell_size(cut, width)
    whole = text.replace(" ", "")
    assert wrap(whole, width) == (chop_cells(whole, width) if drawn_cells(whole) > width else [whole])
