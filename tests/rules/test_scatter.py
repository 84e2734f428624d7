"""Grenades that stray and their bursts, rule by rule."""

from __future__ import annotations

from fractions import Fraction

from engine.battle.attacks.blast_rings import caught, rings
from engine.battle.attacks.scatter import landing_odds, scatter_odds, throw_of
from engine.geometry.blast.blast import zones
from engine.geometry.squares import Square, parse_square
from tests.engine.geometry.bursting import walled
from tests.rules.table import fight


def test_occ_11_every_roll_of_a_throw_is_accounted_for() -> None:
    table = fight(
        "occult-ops", "." * 12, "a....b......", "." * 12, "." * 12, "." * 12, "." * 12, a="grenadier", b="gunman"
    )
    shot = table.shot("frag-grenade")
    outcomes = scatter_odds(table.rules, shot)
    by_label = {found.label if found else "": chance for chance, found in outcomes}
    assert by_label == {
        "": shot.odds.hit,
        "Bursts in the hand": Fraction(10, 100),
        "Grenade scatter": 1 - shot.odds.hit - Fraction(1, 10),
    }
    field = table.battle.field
    chances = landing_odds(field, throw_of(field, table.rules, parse_square("A2"), parse_square("F2")), outcomes)
    assert sum(chances.values()) == 1
    assert chances[parse_square("A2")] == Fraction(1, 10)
    assert chances[parse_square("F6")] == (1 - shot.odds.hit - Fraction(1, 10)) / 32


def test_occ_11_a_wall_on_the_way_is_where_it_bursts() -> None:
    table = fight("occult-ops", "a....b#.....", a="grenadier", b="gunman")
    outcomes = scatter_odds(table.rules, table.shot("frag-grenade"))
    field = table.battle.field
    chances = landing_odds(field, throw_of(field, table.rules, parse_square("A1"), parse_square("F1")), outcomes)
    astray = next(chance for chance, stray in outcomes if stray and stray.at == "aim")
    # east is the wall, and the map ends everywhere else but in the west: there it goes 1 to 4 squares
    assert chances[parse_square("F1")] == table.shot("frag-grenade").odds.hit + astray * Fraction(7, 8)
    assert chances[parse_square("B1")] == astray / 32


def test_occ_12_rings_are_full_half_and_a_quarter() -> None:
    table = fight("occult-ops", "a....b......", a="grenadier", b="gunman")
    found = rings(table.battle.field, table.rules, table.shot("frag-grenade").situation.facts)
    assert [(ring.zone.id, ring.share) for ring in found] == [
        ("short", 1),
        ("medium", Fraction(1, 2)),
        ("long", Fraction(1, 4)),
    ]
    field = walled(*["." * 21] * 21)
    areas = zones(field, Square(10, 10), [ring.radius for ring in found])
    assert [len(area) for area in areas] == [9, 25 - 9, 81 - 25]
    assert not rings(table.battle.field, table.rules, table.shot("knife").situation.facts)


def test_occ_12_chances_of_units_are_counted_burst_by_burst() -> None:
    table = fight(
        "occult-ops",
        "............",
        "a..b..c.....",
        "....#.......",
        ".....d......",
        a="grenadier",
        b="gunman",
        c="gunman",
        d="brawler",
    )
    field, rules = table.battle.field, table.rules
    shot = table.shot("frag-grenade")
    found = rings(field, rules, shot.situation.facts)
    chances = landing_odds(
        field, throw_of(field, rules, parse_square("A2"), parse_square("D2")), scatter_odds(rules, shot)
    )
    answer = caught(table.battle, rules, chances, found)
    assert answer.keys() == {"a", "b", "c", "d"}
    for unit in table.battle.units.values():
        for number, _ in enumerate(found):
            counted_share = sum(
                chance
                for square, chance in chances.items()
                if unit.at
                in zones(field, square, [ring.radius for ring in found], metric=rules.distance.metric)[number]
            )
            assert answer[unit.id][number] == counted_share


def test_a_flyer_high_above_is_out_of_the_blast() -> None:
    table = fight("occult-ops", "a....b......", a="grenadier", b="flyer", altitudes={"b": 60})
    field, rules = table.battle.field, table.rules
    found = rings(field, rules, table.shot("frag-grenade").situation.facts)
    assert caught(table.battle, rules, {parse_square("F1"): Fraction(1)}, found)["b"] == (0, 0, 0)
    low = fight("occult-ops", "a....b......", a="grenadier", b="flyer", altitudes={"b": 9})
    assert caught(low.battle, rules, {parse_square("F1"): Fraction(1)}, found)["b"] == (0, 1, 0)


def test_cwn_a_grenade_bounces_up_to_ten_metres_and_bursts_five_around() -> None:
    table = fight("cwn", *["." * 15] * 4, "a......b.......", *["." * 15] * 6, a="grenadier", b="gunman")
    field, rules, shot = table.battle.field, table.rules, table.shot("frag-grenade")
    outcomes = scatter_odds(rules, shot)
    assert {found.label if found else "": chance for chance, found in outcomes} == {
        "": shot.odds.hit,
        "Scatter": 1 - shot.odds.hit,
    }
    chances = landing_odds(field, throw_of(field, rules, parse_square("A5"), parse_square("H5")), outcomes)
    # 1d10 metres on squares of 2 metres: 1-2 one square, 3-4 two, 5-6 three, 7-8 four, 9-10 five
    assert chances[parse_square("I5")] == (1 - shot.odds.hit) / 8 / 5
    assert chances[parse_square("H10")] == (1 - shot.odds.hit) / 8 / 5
    (ring,) = rings(field, rules, shot.situation.facts)
    assert len(zones(field, parse_square("H5"), [ring.radius])[0]) == 25
    table.arm("a", "thrown-knife")
    assert {found for _, found in scatter_odds(rules, table.shot())} == {None}
