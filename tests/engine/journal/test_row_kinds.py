"""The list of kinds says what stands in files, and nobody changes that without a new version and an upcaster."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.journal.row_kinds import ROWS, VALUES, VERSIONS
from engine.journal.upcasters import UPCASTERS
from tests.engine.journal.listed import refusals, row_lines, unwrapped, value_lines

RELEASED = sorted(Path(__file__).parents[2].joinpath("golden").glob("format-*/fields.txt"))
"""The list of each released format, as it was then."""


def test_the_list_says_what_the_classes_hold() -> None:
    assert unwrapped(ROWS) == row_lines(), "say in engine/journal/row_kinds.py what a row holds now"
    assert unwrapped(VALUES) == value_lines(), "say in engine/journal/row_kinds.py what a value holds now"


def test_every_version_but_the_first_has_an_upcaster_from_the_one_before() -> None:
    wanted = {(kind, version) for kind, newest in VERSIONS.items() for version in range(1, newest)}
    assert {*UPCASTERS} == wanted


@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.parent.name)
def test_what_was_released_stays_readable(released: Path) -> None:
    rows, _, values = released.read_text("utf-8").partition("\n\n")
    assert refusals((rows, values), (ROWS, VALUES), UPCASTERS) == []


THEN = (
    "event/hurt 1 unit wound=Wound\nevent/healed 1 unit\nundo 1 seat",
    "Wound depth place=Place\nPlace name",
)


@pytest.mark.parametrize(
    ("rows", "values", "refused"),
    [
        (THEN[0], THEN[1], []),
        (THEN[0].replace("healed 1 unit", "healed 1 whom"), THEN[1], ["event/healed 1"]),
        (THEN[0].replace("event/healed 1 unit\n", ""), THEN[1], ["event/healed 1"]),
        (THEN[0].replace("event/hurt", "event/wounded"), THEN[1], ["event/hurt 1"]),
        (THEN[0], THEN[1].replace("Place name", "Place name side"), ["event/hurt 1"]),
        (THEN[0].replace("=Wound", "=Harm"), THEN[1].replace("Wound", "Harm"), []),  # no file names a class
        (THEN[0].replace("healed 1 unit", "healed 2 whom"), THEN[1], ["event/healed 1"]),  # without an upcaster
        (THEN[0].replace("hurt 1", "hurt 2"), THEN[1].replace("depth", "how_deep"), []),  # with one, below
        (THEN[0] + "\nevent/rested 1 unit", THEN[1], []),
    ],
)
def test_a_change_needs_a_version_and_an_upcaster(rows: str, values: str, refused: list[str]) -> None:
    """An exercise on a list of three kinds."""
    assert refusals(THEN, (rows, values), {("event/hurt", 1)}) == refused
