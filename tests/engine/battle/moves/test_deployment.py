"""Where units start: in zones with cover first, around a square, never stacked, never stranded."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.battle.commands.roster_commands import AddGroup, AddUnit
from engine.battle.moves import deployment
from engine.battle.moves.deployment import (
    WATER,
    StartingPlace,
    has_cover,
    squares_around,
    usual_place,
    usual_square,
    usual_zone,
)
from engine.battle.state.units import Unit
from engine.errors import Illegal
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import ORTHOGONAL, Direction, Square, edge_of, parse_square
from engine.values import replace
from maps import load_map, shipped_maps
from rulesets import shipped_rulesets
from tests.examples import examples
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


@examples(300)
@given(
    ground=st.lists(st.text("......#~o9", min_size=9, max_size=9), min_size=4, max_size=7),
    count=st.integers(1, 14),
    size=st.sampled_from([1, 1, 2]),
)
def test_nobody_is_stacked_or_stranded_wherever_a_zone_lies(ground: list[str], count: int, size: int) -> None:
    """Those placed stand alone on open ground, all joined; who is outside is counted, or nobody comes."""
    drawn = [row.replace("9", ".") for row in ground]
    drawn[0], drawn[3] = f"a{drawn[0][1:]}", f"{drawn[3][:6]}.{drawn[3][7:]}"
    heights = "\n".join("".join(sign if sign == "9" else "." for sign in row) for row in ground)
    area = zone('"D1:G4"')
    table = room(*drawn, toml=f"{area}[elevation]\nrows = '''\n{heights}\n'''\n")
    command = AddGroup((gunmen(count, size=size),))
    try:
        lines = table.do(command)
    except Illegal as refused:
        assert re.search(r"no room around [A-I][1-7] for Goon|Goon", str(refused))
        return
    field, inside = table.battle.field, {Square(column, row) for column in range(3, 7) for row in range(4)}
    units = [unit for unit in table.battle.units.values() if unit.id != "a"]
    taken = Counter(square for unit in table.battle.units.values() for square in unit.squares)
    assert max(taken.values()) == 1
    assert not any(field.ground_at(square).blocks_movement for square in taken)
    outside = [unit for unit in units if not inside.issuperset(unit.squares)]
    assert f"{len(outside)} stand" in lines[0] or not outside or len(outside) == 1
    dry = [at for at in inside if field.ground_at(at).terrain not in WATER and not field.ground_at(at).blocks_movement]
    if dry and size == 1:  # who comes first stands well; water is the last resort of a crowd
        assert units[0].at in dry
    joined, waiting = {units[0].at}, [units[0].at]
    while waiting:
        here = waiting.pop()
        near = (here.step(way) for way in Direction)
        fresh = [at for at in near if at in field and at not in joined and not field.ground_at(at).blocks_movement]
        joined.update(fresh)
        waiting += fresh
    assert {unit.at for unit in units} <= joined


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


def joined(field: Battlefield, centre: Square) -> set[Square]:
    """What one can walk to from a centre, square by square."""
    found, waiting = {centre}, [centre]
    while waiting:
        here = waiting.pop()
        for there in map(here.step, ORTHOGONAL):
            wall = field.barriers.get(edge_of(here, Direction.towards(here, there)))
            is_walled = wall is not None and wall.blocks_movement and not wall.is_open
            if there in field and there not in found and not is_walled and not field.ground_at(there).blocks_movement:
                found.add(there)
                waiting.append(there)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_around_a_square_come_all_that_one_can_walk_to_each_once_and_a_flyer_comes_anywhere(seed: int) -> None:
    chance = Random(seed)
    columns, rows = chance.randint(4, 13), chance.randint(3, 9)
    drawn = ["".join(chance.choices(".#~o", (9, 2, 2, 1), k=columns)) for _ in range(rows)]
    edges = [
        f'[[edge]]\nat = "{Square(column, row).name}"\nside = "{side}"\nkind = "{kind}"\n'
        for kind in ("wall", "door", "railing")
        for side in "NW"
        for column, row in {chance.randrange(1, columns): chance.randrange(1, rows) for _ in range(3)}.items()
    ]
    table = room(f"a{drawn[0][1:]}", *drawn[1:], toml="".join(edges))
    battle, unit = table.battle, table.battle.unit("a")
    for centre in battle.field.squares():
        found = [*squares_around(battle, table.rules, unit, centre)]
        assert len(found) == len(set(found)) and set(found) == joined(battle.field, centre)
        assert found[0] == centre
        if battle.field.ground_at(centre).blocks_movement:
            far = [max(abs(at.column - centre.column), abs(at.row - centre.row)) for at in found]
            assert far == sorted(far)
    flown = [*squares_around(battle, table.rules, replace(unit, altitude=10), centre)]
    assert len(flown) == len(set(flown)) == columns * rows


@pytest.mark.parametrize(("middle", "altitude"), [(".", 0), ("#", 0), (".", 10)])
def test_to_place_a_crowd_costs_no_search_of_the_whole_map(
    middle: str, altitude: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ranking every square of a map of 500 × 500 would take seconds for each group."""
    ranked: list[int] = []
    for side in (150, 300):
        rows = ["." * side] * side
        centre = Square(side // 2, side // 2)
        rows[centre.row] = f"{'.' * centre.column}{middle}{'.' * (side - centre.column - 1)}"
        table = room(f"a{rows[0][1:]}", *rows[1:], toml="")
        far, asked = deployment._far, list[Square]()
        with monkeypatch.context() as patch:
            patch.setattr(deployment, "_far", lambda *pair, far=far, asked=asked: asked.append(pair[1]) or far(*pair))
            unit = replace(table.battle.unit("a"), altitude=altitude)
            assert len([*islice(squares_around(table.battle, table.rules, unit, centre), 50)]) == 50
        ranked.append(len(asked))
    assert ranked[0] == ranked[1]
