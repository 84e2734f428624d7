"""Range bands are tried on every weapon: no hole, no overlap, no edge that runs backwards."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from rulesets import parse_ruleset
from tests.rulesets.texts import texts

FROM = 'from = "floor(weapon.reach / 2) + 1"'
UPTO = 'to = "weapon.reach"'
TABLE = '[[bands]]\nid = "x"\nlabel = "X"\nstep = "more"\nbeyond = "no"\n'


def refusal(old: str, new: str) -> str:
    with pytest.raises(Unreadable) as caught:
        parse_ruleset(texts(old, new), "small")
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (FROM, 'from = "floor(weapon.reach / 2) + 3"', "no band covers 17 to 18 feet for 'gun'"),
        (FROM, 'from = "floor(weapon.reach / 2) + 2"', "no band covers 17 feet for 'gun'"),
        (FROM, "from = 15", "'near' and 'far' both cover 15 to 16 feet for 'gun'"),
        (UPTO, "to = 10", "'far' ends at 10 feet, before it begins at 17, for 'gun'"),
        (f"{UPTO}\n", "", "the band 'far' has no 'to'; every band ends"),
        ('label = "near"', 'label = "near"\nfrom = 5', "no band covers 0 to 4 feet for 'gun'"),
        (UPTO, "to = \"'far'\"", "to is the text 'far'"),
    ],
)  # fmt: skip
def test_a_faulty_edge_is_reported_with_weapon_and_distances(old: str, new: str, message: str):
    assert message in refusal(old, new)


def test_fractions_of_a_foot_leave_no_hole_when_distances_are_whole():
    assert parse_ruleset(texts(FROM, 'from = "weapon.reach / 2"'), "small")


def test_exact_distances_want_edges_that_meet():
    exact = texts('rounding = "down"', 'rounding = "exact"')
    with pytest.raises(Unreadable, match="no band covers 16 to 17 feet for 'gun'"):
        parse_ruleset(exact, "small")
    exact["ruleset.toml"] = exact["ruleset.toml"].replace(FROM, 'from = "floor(weapon.reach / 2)"')
    assert parse_ruleset(exact, "small")


def test_two_tables_for_one_weapon_are_refused():
    second = (
        '[[bands]]\nid = "x"\nlabel = "X"\nstep = "more"\nbeyond = "no"\n[[bands.band]]\nid = "all"\nlabel = "all"\n'
    )
    second += 'to = 9\nvalue = 0\nsource = "ours"\n[[modifier]]'
    assert "'gun' already uses the table 'range'" in refusal("[[modifier]]", second)


def test_a_table_without_bands_is_refused():
    assert "has no [[bands.band]]" in refusal("[[modifier]]", f"{TABLE}[[modifier]]")
