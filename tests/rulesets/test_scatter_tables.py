"""Scatter tables: one form says those of very different systems, and says what is wrong with a bad one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import atan2, degrees

import pytest

from engine.battle.attacks import scatter
from engine.errors import Unreadable
from engine.geometry.squares import parse_square
from engine.rules.derived_facts import reads_dice
from engine.rules.model import Ruleset
from engine.rules.space_rules import RINGS, DirectionRing, Scatter
from rulesets import parse_ruleset
from rulesets import scatter as reader
from tests.engine.geometry.bursting import walled
from tests.rulesets.texts import RULESET, SHEETS, WEAPONS, texts
from tui.application.reports.rules_report import rules_words

HEAD = '\n[[scatter]]\nid = "astray"\nlabel = "Astray"\non = ["miss"]\nsource = "ours"\n'
EIGHT = 'dice = "1d8"\ntowards = { N = 1, NE = 2, E = 3, SE = 4, S = 5, SW = 6, W = 7, NW = 8 }\n'
HUNDRED = """\
dice = "1d100"
distance = "2d10"
again_distance = "4d10"
[scatter.towards]
NW = "1-12"
N = "13-24"
NE = "25-36"
E = "37-48"
SE = "49-60"
S = "61-72"
SW = "73-84"
W = "85-96"
again = "97-100"
"""
TEN = """\
dice = "1d10"
distance = "1d10"
plus = "-attacker.skill // 10"
towards = { NW = 1, N = 2, NE = 3, W = 4, E = 5, SW = "6-7", S = 8, SE = "9, 10" }
"""
BLOCK = """\
dice = "1d10"
distance = "weapon.damage"
plus = "ceil(-margin / 3)"
squares = true
[scatter.towards]
ahead = 1
ahead-right = 2
right = 3
back-right = 4
back = 5
back-left = 6
left = 7
ahead-left = 8
stays = "9-10"
"""


def with_table(text: str) -> Mapping[str, str]:
    return {"ruleset.toml": RULESET + text, "weapons.toml": WEAPONS, "sheets.toml": SHEETS}


def read(text: str) -> Ruleset:
    return parse_ruleset(with_table(text), "small")


def table(text: str) -> Scatter:
    (found,) = read(HEAD + text).space.scatters
    return found


def complaint(text: str) -> str:
    with pytest.raises(Unreadable) as refused:
        read(text)
    return str(refused.value)


def test_eight_directions_clockwise_from_north():
    found = table(EIGHT + 'distance = "1d4"\nsquares = true\n')
    assert [found.towards[total] for total in range(1, 9)] == ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    assert found.in_squares
    assert found.on == ("miss",)


def test_a_hundred_sides_with_another_roll():
    found = table(HUNDRED)
    assert [found.towards[total] for total in (1, 12, 13, 48, 96, 97, 100)] == ["NW", "NW", "N", "E", "W"] + [
        "again"
    ] * 2
    assert found.again_distance is not None
    assert not found.in_squares


def test_uneven_faces_and_a_skill_that_shortens_the_way():
    found = table(TEN)
    assert sorted(found.towards.values()).count("SW") == 2
    assert found.plus.names == {"attacker.skill"}


def test_directions_along_the_throw_with_a_margin_and_dice_of_the_weapon():
    found = table(BLOCK)
    assert found.towards[2] == "ahead-right"
    assert found.towards[9] == "stays"


def test_a_weapon_whose_distance_is_no_dice_is_found_at_load():
    bad = with_table(HEAD + BLOCK)
    weapons = bad["weapons.toml"].replace('damage = "2d6"', 'damage = "lots"')
    with pytest.raises(Unreadable) as refused:
        parse_ruleset({**bad, "weapons.toml": weapons}, "small")
    assert "('gun', astray)" in str(refused.value)


def test_a_table_without_dice_stays_where_it_is():
    found = table('at = "attacker"\n')
    assert found.dice is None
    assert found.at == "attacker"


def test_rings_are_formulas_over_the_weapon():
    (zone,) = read(
        '[[zone]]\nid = "near"\nlabel = "near"\nradius = "weapon.reach / 3"\nshare = 0.5\nsource = "ours"\n'
        '[burst]\ngrade = "good"\nsource = "ours"\n'
    ).space.zones
    assert zone.radius.names == {"weapon.reach"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + 'distance = "1d4"\n', "distance needs 'dice'"),
        (HEAD + 'dice = "1d8"\ndistance = "1d4"\n', "has no 'towards'"),
        (HEAD + EIGHT.replace("NW = 8", "X = 8") + 'distance = "1d4"\n', "'X' is not a direction"),
        (HEAD + EIGHT.replace("NW = 8", "NW = 9") + 'distance = "1d4"\n', "1d8 cannot roll 9"),
        (HEAD + EIGHT.replace("NW = 8", "NW = 7") + 'distance = "1d4"\n', "7 is already W"),
        (HEAD + EIGHT.replace(", NW = 8", "") + 'distance = "1d4"\n', "no direction for 8 of 1d8"),
        (HEAD + EIGHT.replace("NW = 8", "left = 8") + 'distance = "1d4"\n', "mixes compass directions"),
        (HEAD + EIGHT.replace("NW = 8", "NW = 'eight'") + 'distance = "1d4"\n', "is not a list of totals"),
        (HEAD + EIGHT.replace("NW = 8", "NW = true") + 'distance = "1d4"\n', "expected totals"),
        (HEAD + 'dice = "1d2"\ntowards = { again = "1-2" }\ndistance = "1d4"\n', "every total rolls again"),
        (HEAD + EIGHT + 'distance = "1d4"\nagain_distance = "2d4"\n', "again_distance needs a direction"),
        (HEAD + EIGHT, "has no 'distance'"),
        (HEAD + EIGHT + 'distance = "2d6+"\n', "not a dice expression"),
        (HEAD.replace("miss", "fumble") + 'at = "aim"\n', "no grade is called 'fumble'"),
        (HEAD + 'at = "aim"\n' + HEAD + 'at = "aim"\n', "'astray' already exists"),
        (HEAD + 'at = "hand"\n', "at = 'hand' is not known"),
        ('[[zone]]\nid = "near"\nlabel = "near"\nsource = "ours"\n', "has no 'radius'"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str):
    assert said in complaint(text)


def test_rings_want_to_know_how_they_strike():
    ring = '[[zone]]\nid = "near"\nlabel = "near"\nradius = 3\nsource = "ours"\n'
    assert read(ring).space.burst is None
    with pytest.raises(Unreadable, match="did you mean 'good'"):
        read(ring + '[burst]\ngrade = "goood"\nsource = "ours"\n')
    with pytest.raises(Unreadable, match=r"needs \[\[zone\]\]"):
        read('[burst]\ngrade = "good"\nsource = "ours"\n')


def test_after_some_grades_nothing_goes_off():
    whole = texts('when = "success"\nhit = true\n', 'when = "success"\nhit = true\ndetonates = false\n')
    with pytest.raises(Unreadable, match="always detonates on a hit"):
        parse_ruleset(whole, "small")
    duds = parse_ruleset(
        texts('label = "Bad"\nhit = false\n', 'label = "Bad"\nhit = false\ndetonates = false\n'), "small"
    )
    assert [grade.goes_off for grade in duds.attack.grades] == [True, False]


def test_the_rule_book_lists_totals_that_are_not_next_to_each_other():
    parted = 'dice = "1d10"\ndistance = "1d4"\ntowards = { N = "1, 8-9", S = "2-7", stays = 10 }\n'
    told = " ".join(" ".join(rules_words(read(HEAD + parted))).split())
    assert "direction 1d10: 1 N, 2–7 S, 8–9 N, 10 stays" in told
    assert "direction 1d8: 1 N, then clockwise" in " ".join(rules_words(read(HEAD + EIGHT + 'distance = "1d4"\n')))


def test_no_direction_is_in_two_rings_and_each_ring_goes_clockwise():
    words = [word for ring in RINGS for word in ring.steps]
    assert len(words) == len(set(words))
    for ring in RINGS:
        turns = [(degrees(atan2(x, -y)) + 360) % 360 for x, y in ring.steps.values()]
        assert turns == sorted(turns) and turns[0] == 0


def test_a_formula_of_the_second_distance_counts_among_those_that_ask_for_dice():
    assert table(HUNDRED).formulas.keys() == {"when", "distance", "again_distance", "plus", "lost_off_map"}
    assert not reads_dice(read(HEAD + HUNDRED))
    asks = "\"'4d10' if die_1 > 3 else '2d10'\""
    assert reads_dice(read(HEAD + HUNDRED.replace('again_distance = "4d10"', f"again_distance = {asks}")))


def test_a_clock_of_its_own_is_one_more_ring(monkeypatch: pytest.MonkeyPatch):
    steps = {"12h": (0, -1), "2h": (2, -1), "4h": (2, 1), "6h": (0, 1), "8h": (-2, 1), "10h": (-2, -1)}
    for module in (reader, scatter):
        monkeypatch.setattr(module, "RINGS", (*RINGS, DirectionRing("hours of a hex clock", steps)))
    hex_clock = """\
dice = "2d6"
distance = "2"
squares = true
towards = { 12h = "2-3", 2h = "4-5", 4h = "6-7", 6h = "8-9", 8h = 10, 10h = "11-12" }
"""
    found = scatter.scatter_after(read(HEAD + hex_clock.replace('"2"', '"2d1"')), {}, "bad", False)
    assert found is not None
    field, aim = walled(*[".........."] * 10), parse_square("E5")
    chances = scatter.landing_odds(field, scatter.Throw(aim, aim, 1, "chebyshev"), [(Fraction(1), found)])
    assert {square.name: 36 * chance for square, chance in chances.items()} == {
        "E3": 3, "G4": 7, "G6": 11, "E7": 9, "C6": 3, "C4": 3,
    }  # fmt: skip
    assert "mixes compass directions and hours of a hex clock" in complaint(HEAD + hex_clock.replace("8h", "W"))
