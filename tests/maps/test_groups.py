"""Groups of units: those that ship, the GM's own, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import BattleboardError, Unreadable
from engine.geometry.squares import Square
from maps.groups import load_groups, parse_groups
from rulesets import shipped_rulesets
from tests.rules.table import fight

OWN = """format = 1
[patrol]
[[patrol.unit]]
role = "marksman"
name = "Scout"
count = 2
posture = "prone"
[starships]
name = "Wing"
[[starships.unit]]
role = "starship"
own_sheet = true
size = 3
"""


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_group_that_ships_can_be_put_on_the_table_under_every_ruleset(name: str, tmp_path: Path) -> None:
    table = fight(name, *["." * 12] * 8, "a" + "." * 11, "...........b", a="gunman", b="gunman")
    for group in load_groups(tmp_path / "groups.toml").values():
        table.do(group.placed("third", Square(6, 4)))
        assert group.members_text
    assert len(table.battle.units) > 20


def test_the_gms_own_groups_come_beside_and_before_those_that_ship(tmp_path: Path) -> None:
    shipped = load_groups(tmp_path / "groups.toml")
    (tmp_path / "groups.toml").write_text(OWN)
    found = load_groups(tmp_path / "groups.toml")
    assert set(found) == {*shipped, "starships"}
    assert found["patrol"].members_text == "2 marksman" and found["patrol"].name == "Patrol"
    wish = found["patrol"].placed("law", Square(1, 1), is_hidden=True)
    assert [(unit.name, unit.count, unit.posture, unit.is_hidden) for unit in wish.members] == [
        ("Scout", 2, "prone", True)
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("format = 2", "reads format 1"),
        ("format = 1\n[a]", "a.toml:2:2: the group 'a' has no units; expected [[a.unit]]"),
        ('format = 1\n[[a.unit]]\nrole = "riflman"', "did you mean 'rifleman'?"),
        ('format = 1\n[[a.unit]]\nrole = "rifleman"\ncont = 3', "did you mean 'count'"),
        ('format = 1\n[[a.unit]]\nrole = "rifleman"\ncount = 90', "expected 1 to 50"),
        ('format = 1\n[A_b]\n[["A_b".unit]]\nrole = "rifleman"', "lower-case letters, digits and hyphens"),
        (
            'format = 1\n[[a.unit]]\nrole = "rifleman"\ncount = 30\n[[a.unit]]\nrole = "leader"\ncount = 30',
            "too many units",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, said: str) -> None:
    with pytest.raises(Unreadable) as wrong:
        parse_groups(text, "a.toml")
    assert said in str(wrong.value)


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(BattleboardError, match="cannot be read"):
        load_groups(tmp_path)
    (tmp_path / "groups.toml").write_bytes(b"\xff")
    with pytest.raises(BattleboardError, match="not UTF-8"):
        load_groups(tmp_path / "groups.toml")


def test_the_groups_that_the_page_shows_are_read() -> None:
    page = Path(__file__).parents[2] / "docs" / "gm.md"
    text = page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    assert parse_groups(text, "gm.md")["ambush"].members_text == "leader, 4 rifleman, drone, starship, civilian"
