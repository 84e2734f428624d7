"""What is typed about the table: new units, light, cover, notes, dice, heights."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from engine.battle.commands.note_commands import SetNote
from engine.battle.commands.roster_commands import AddUnit
from engine.battle.commands.ruling_commands import SetCover
from engine.battle.commands.terrain_commands import SetLamp, SetLight
from engine.errors import Illegal
from engine.geometry.squares import Square
from tests.rules.table import fight
from tui.application.commands.amounts import parse_rounds
from tui.application.commands.notes import parse_note
from tui.application.commands.roster import parse_recruits
from tui.application.commands.rulings import parse_cover
from tui.application.commands.terrain import parse_height, parse_light

HERE = Square(2, 0)
BATTLE = fight("occult-ops", "a...b", a="gunman", b="gunman").battle


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("", AddUnit("drone", "law", HERE)),
        ("3", AddUnit("drone", "law", HERE, count=3)),
        ("Red Eye", AddUnit("drone", "law", HERE, "Red Eye")),
        ("2 Red Eye at 20 hidden", AddUnit("drone", "law", HERE, "Red Eye", 2, altitude=2000, is_hidden=True)),
        ("hidden", AddUnit("drone", "law", HERE, is_hidden=True)),
    ],
)
def test_recruits(text: str, wish: AddUnit) -> None:
    assert parse_recruits(text, "drone", "law", HERE) == wish


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("dark", SetLight("dark", (HERE,))),
        ("Dim all", SetLight("dim")),
        ("bright 1", SetLight("bright", (Square(1, 0), HERE, Square(3, 0)))),
        ("lamp 2", SetLamp(HERE, 2, 2)),
        ("lamp 2 6", SetLamp(HERE, 2, 6)),
        ("lamp 2 6 8", SetLamp(HERE, 2, 6, 800)),
        ("lamp off", SetLamp(HERE, 0, 0)),
    ],
)
def test_light(text: str, wish: SetLight | SetLamp) -> None:
    assert parse_light(text, HERE, BATTLE.field) == wish


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("none", SetCover("a", "b", Fraction(0))),
        ("half", SetCover("a", "b", Fraction(1, 2))),
        ("75% heavy!", SetCover("a", "b", Fraction(3, 4), "heavy", True)),
        ("full light", SetCover("a", "b", Fraction(1), "light")),
        ("seen", SetCover("a", "b", None)),
    ],
)
def test_cover(text: str, wish: SetCover) -> None:
    assert parse_cover(text, "a", "b") == wish


def test_notes_rounds_and_heights() -> None:
    assert parse_note("A trap", HERE, BATTLE) == SetNote("A trap", HERE)
    assert parse_note("Afraid", Square(4, 0), BATTLE) == SetNote("Afraid", unit="b")
    assert parse_note("all: Rain", HERE, BATTLE) == SetNote("Rain")
    assert parse_rounds("6") == 6
    assert [parse_height(text) for text in ("10", "−5", "1.25")] == [1000, -500, 125]


@pytest.mark.parametrize(
    "parse",
    [
        lambda: parse_recruits("0", "drone", "law", HERE),
        lambda: parse_light("gloomy", HERE, BATTLE.field),
        lambda: parse_light("lamp 1 2 3 4", HERE, BATTLE.field),
        lambda: parse_light("", HERE, BATTLE.field),
        lambda: parse_cover("", "a", "b"),
        lambda: parse_cover("half paper", "a", "b"),
        lambda: parse_cover("half heavy metal", "a", "b"),
        lambda: parse_rounds("many"),
        lambda: parse_height("1.234"),
    ],
)
def test_what_cannot_be_read_says_what_to_type(parse: Callable[[], object]) -> None:
    with pytest.raises(Illegal) as wrong:
        parse()
    assert len(str(wrong.value).split()) > 4
