"""Where units start: in zones with cover first, around a square, never stacked, never stranded."""

from __future__ import annotations

from engine.battle.commands.roster_commands import AddGroup, AddUnit
from engine.battle.moves.deployment import StartingPlace, has_cover, usual_place, usual_square, usual_zone
from engine.battle.state.units import Unit
from engine.geometry.squares import Direction, Square, parse_square
from maps import load_map, shipped_maps
from rulesets import shipped_rulesets
from tests.rules.table import Table, fight

OCC = "occult-ops"


def zone(squares: str, id: str = "A", more: str = "") -> str:
    return f'[[zone]]\nid = "{id}"\nsquares = {squares}\n{more}\n'


def room(*rows: str, toml: str) -> Table:
    return fight(OCC, *rows, toml=toml, a="gunman")


def added(table: Table, *members: AddUnit) -> list[Unit]:
    before = set(table.battle.units)
    table.do(AddGroup(members))
    return [unit for unit in table.battle.units.values() if unit.id not in before]


def gunmen(count: int, zone_id: str = "A", size: int = 1) -> AddUnit:
    return AddUnit("gunman", "outlaws", Square(0, 0), "Goon", count, zone=zone_id, size=size)


def places(units: list[Unit]) -> list[str]:
    return [unit.at.name for unit in units]


def test_a_zone_fills_from_its_first_square() -> None:
    table = room("a.......", "........", "........", toml=zone('["F2", "E1:G3"]'))
    assert places(added(table, gunmen(5))) == ["F2", "F1", "E2", "G2", "F3"]


def test_squares_with_cover_towards_the_middle_come_first() -> None:
    table = room("a.........", "........o.", "..........", ".......=..", toml=zone('["J4", "I1:J3", "I4"]'))
    units = added(table, gunmen(3))
    assert places(units) == ["I4", "J2", "I1"]
    assert has_cover(table.battle.field, parse_square("J2")) and not has_cover(table.battle.field, parse_square("J4"))


def test_nobody_stands_in_water_or_on_a_roof_that_cannot_be_reached() -> None:
    heights = "[elevation]\nrows = '''\n........\n.....99.\n........\n'''\n"
    table = room("a...~~..", "........", "........", toml=zone('"E1:G3"') + heights)
    assert sorted(places(added(table, gunmen(5)))) == ["E2", "E3", "F3", "G1", "G3"]


def test_a_zone_that_is_all_roof_is_used_all_the_same() -> None:
    heights = "[elevation]\nrows = '''\n........\n.....99.\n........\n'''\n"
    table = room("a.......", "........", "........", toml=zone('"F2:G2"') + heights)
    assert places(added(table, gunmen(2))) == ["F2", "G2"]


def test_a_zone_too_small_says_how_many_stand_outside() -> None:
    table = room("a.......", "........", "........", toml=zone('"E1:F1"'))
    lines = table.do(gunmen(4))
    assert lines[0].endswith("join outlaws. Zone A is too small: 2 stand outside it.")
    units = [unit for unit in table.battle.units.values() if unit.id != "a"]
    assert places(units)[:2] == ["E1", "F1"] and len({unit.at for unit in units}) == 4


def test_a_large_unit_fits_whole_into_its_zone() -> None:
    table = room("a.......", "........", "........", toml=zone('["E1", "F1:G2"]'))
    assert places(added(table, gunmen(1, size=2))) == ["F1"]


def test_nobody_shares_a_square_where_somebody_stands_already() -> None:
    table = room("a.......", "........", toml=zone('"A1:C1"'))
    assert places(added(table, gunmen(2))) == ["B1", "C1"]


def test_an_unknown_zone_is_refused_with_the_near_one() -> None:
    table = room("a.......", toml=zone('"A1:C1"', "yard"))
    assert "Did you mean 'yard'?" in table.refusal(gunmen(1, "yarrd"))


def test_without_zones_a_side_takes_six_by_four_squares_around_its_own() -> None:
    table = room("a" + "." * 19, *["." * 20] * 9, toml="")
    units = added(table, AddUnit("gunman", "outlaws", parse_square("J5"), "Goon", 24))
    assert {unit.at.column for unit in units} == set(range(6, 12)) and {unit.at.row for unit in units} == set(
        range(2, 6)
    )
    assert units[0].at.name == "J5"


def test_usual_zones_and_squares_of_sides() -> None:
    field = load_map(shipped_maps()["warehouse"]).battlefield
    found = [usual_zone(field, is_party=party, is_hidden=hidden) for party, hidden in ((1, 0), (0, 0), (0, 1))]
    assert [one.id for one in found if one] == ["A", "B", "C"]
    bare = room("a" + "." * 19, "." * 20, toml="").battle.field
    assert usual_square(bare, is_party=True).name == "D2" and usual_square(bare).name == "Q2"
    assert usual_place(bare, parse_square("F1")) == StartingPlace(parse_square("F1"))


def test_who_starts_without_an_enemy_looks_to_the_middle_of_the_map() -> None:
    table = fight(OCC, "....a", "....b", toml=zone('"A1:A2"'), a="gunman", b="gunman")
    table.do(AddUnit("gunman", "b", Square(0, 0), zone="A"))
    assert table.unit("gunman").facing in (Direction.E, Direction.SE)


def test_every_zone_of_the_shipped_maps_takes_eight_of_every_ruleset() -> None:
    from engine.battle.apply import apply_all
    from engine.battle.commands.decide import decide
    from engine.battle.setup import begin, set_up
    from tests.rules.table import ruleset

    for id, path in shipped_maps().items():
        for name in shipped_rulesets():
            rules, field = ruleset(name), load_map(path).battlefield
            battle = apply_all(set_up(field, rules), [begin((), rules, "1")])
            for one in field.zones:
                role = "gunman" if "gunman" in rules.units.sheets else next(iter(rules.units.sheets))
                (event,) = decide(battle, AddUnit(role, one.id, Square(0, 0), count=8, zone=one.id), rules)
                assert not event.outside, (id, name, one.id)
