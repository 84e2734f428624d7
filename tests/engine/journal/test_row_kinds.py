"""The list of kinds says what stands in files, and nobody changes that without a new version and an upcaster."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from engine.journal.row_kinds import VERSIONS
from engine.journal.upcasters import UPCASTERS
from scripts.row_tables import list_text
from scripts.write_tables import PAGES, made

RELEASED = sorted(Path(__file__).parents[2].joinpath("golden").glob("format-*/fields.txt"))
"""The list of each released format, as it was then."""


Listed = tuple[str, str]
"""The rows and the values of a list."""


def halves(text: str) -> Listed:
    rows, _, values = text.partition("\n\n")
    return rows, values


def refusals(then: Listed, now: Listed, upcast: Collection[tuple[str, int]]) -> list[str]:
    """Kind and version of what was released and could not be read any more.

    Args:
        then: the list as it was released.
        now: the list of today.
        upcast: kind and version of what is brought into the form of the next version.
    """
    found, today = [], _shapes(now)
    newest = dict(today.keys())
    for (kind, version), shape in _shapes(then).items():
        is_upcast = kind in newest and all((kind, one) in upcast for one in range(version, newest[kind]))
        if shape != today.get((kind, version)) and not (is_upcast and version < newest[kind]):
            found.append(f"{kind} {version}")
    return found


def _shapes(listed: Listed) -> dict[tuple[str, int], Any]:
    """What a row of each kind and version holds, values and all, without the names of classes."""
    rows, values = listed
    inside = {name: fields for name, *fields in map(str.split, values.splitlines())}

    def shape(fields: list[str]) -> list[Any]:
        parts = (field.partition("=") for field in fields)
        return [[name, [shape(inside[one]) for one in named.split("|") if one]] for name, _, named in parts]

    return {(kind, int(version)): shape(fields) for kind, version, *fields in map(str.split, rows.splitlines())}


def test_the_list_in_the_docs_says_what_the_classes_hold() -> None:
    """When this fails: `uv run python scripts/write_tables.py`."""
    page = next(page for page in PAGES if page.name == "battles.md")
    assert page.read_text("utf-8") == made(page)


def test_every_version_but_the_first_has_an_upcaster_from_the_one_before() -> None:
    wanted = {(kind, version) for kind, newest in VERSIONS.items() for version in range(1, newest)}
    assert {*UPCASTERS} == wanted


@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.parent.name)
def test_what_was_released_stays_readable(released: Path) -> None:
    assert refusals(halves(released.read_text("utf-8")), halves(list_text()), UPCASTERS) == []


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
