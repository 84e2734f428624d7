"""Where a side saw the others last, and what the turn order shows it of those out of sight."""

from __future__ import annotations

from functools import cache

from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.battle.views.view import View
from engine.geometry.battlefield import Barrier
from engine.geometry.squares import Direction, edge_of, parse_square
from engine.geometry.terrain_edits import with_barriers
from engine.rules.model import Ruleset
from engine.rules.rulings import BLANK, NOT_SHOWN, SHOWN, UNKNOWN_TURNS
from engine.values import replace
from maps import parse_map
from rulesets import find_ruleset, load_ruleset
from tests.seats import follow

MAP = """
format = 1
name = "Corridor"
[scale]
square = 5
unit = "feet"
[map]
squares = '''
############
#..........#
########.###
########.###
########.###
############
'''
[[unit]]
id = "ada"
role = "gunman"
side = "law"
at = "B2"
facing = "E"
[[unit]]
id = "crook"
role = "gunman"
side = "outlaws"
at = "G2"
facing = "W"
[[unit]]
id = "cutter"
role = "brawler"
side = "outlaws"
at = "I5"
facing = "W"
"""
"""A corridor, with a recess that nobody sees into from its west end."""


@cache
def rules() -> Ruleset:
    return load_ruleset(find_ruleset("occult-ops"))


@cache
def started() -> Battle:
    """Law sees Crook, and not Cutter, who waits in the recess."""
    found = parse_map(MAP, "corridor.toml")
    battle = apply_all(Battle(found.battlefield), [begin(found.placements, rules(), "1")])
    order = ("crook", "ada", "cutter")
    return apply_all(battle, [ev.OrderSet(order, {"ada": 5, "crook": 9}), ev.RoundBegan(1), ev.TurnBegan("crook", {})])


def moved(battle: Battle, unit: str, square: str) -> Battle:
    return battle.with_unit(replace(battle.unit(unit), at=parse_square(square)))


def walked(battle: Battle, unit: str, *squares: str) -> Battle:
    """A unit has walked over these squares in its turn."""
    start = battle.unit(unit)
    trail = (start.at, *map(parse_square, squares))
    return battle.with_unit(replace(start, at=trail[-1], turn=replace(start.turn, start=start.at, trail=trail)))


def law(*moments: Battle) -> View:
    return follow(moments, rules(), "law")[0]


def last_seen(*moments: Battle) -> dict[str, tuple[str, int]]:
    return {one.id: (one.at.name, one.round) for one in law(*moments).last_seen}


def test_who_is_in_sight_is_not_among_those_last_seen_nor_is_who_was_never_met() -> None:
    assert [unit.id for unit in law(started()).units] == ["ada", "crook"]
    assert last_seen(started()) == {}


def test_who_walks_away_is_remembered_where_it_left_sight() -> None:
    away = walked(started(), "crook", "H2", "I2", "I3", "I4")
    view = law(started(), away)
    assert [unit.id for unit in view.units] == ["ada"]
    assert last_seen(started(), away) == {"crook": ("I3", 1)}
    (one,) = view.last_seen
    assert (one.name, one.side, one.side_index, one.size, one.is_defeated) == ("Crook", "outlaws", 1, 1, False)
    assert one.letter == law(started()).unit("crook").letter


def test_who_is_simply_gone_is_remembered_where_it_was_seen() -> None:
    blocked = replace(started(), field=replace(started().field, smoke=(3,) * len(started().field.smoke)))
    assert last_seen(started(), blocked) == {"crook": ("G2", 1)}
    later = replace(blocked, turns=replace(blocked.turns, round=2))
    assert last_seen(started(), blocked, moved(later, "crook", "I4")) == {"crook": ("G2", 1)}


def test_a_place_that_is_seen_to_be_empty_is_shown_for_a_round_more() -> None:
    away = moved(started(), "crook", "I4")
    _, memory = follow((started(), away), rules(), "law")
    assert memory.met["crook"].is_gone, "Ada sees that nobody is on G2 any more"
    for number, shown in ((1, {"crook": ("G2", 1)}), (2, {"crook": ("G2", 1)}), (3, {})):
        assert last_seen(started(), away, replace(away, turns=replace(away.turns, round=number))) == shown


def test_who_ducks_where_it_stands_is_not_gone() -> None:
    """A body that lies behind something low is out of sight, and so would one be that stayed."""
    field = started().field
    low = Barrier("wall", top=400, blocks_sight=True, stops_shots=True, blocks_movement=True)
    battle = replace(started(), field=with_barriers(field, [edge_of(parse_square("G2"), Direction.W)], low))
    assert "crook" in [unit.id for unit in law(battle).units]
    ducked = battle.with_unit(replace(battle.unit("crook"), posture="prone"))
    view, memory = follow((battle, ducked), rules(), "law")
    assert [unit.id for unit in view.units] == ["ada"]
    assert not memory.met["crook"].is_gone


def test_what_becomes_of_those_out_of_sight_changes_nothing_that_is_remembered() -> None:
    away = walked(started(), "crook", "H2", "I2", "I3", "I4")
    crook, expected = away.unit("crook"), law(started(), away).last_seen
    for other in (
        moved(away, "crook", "I5"),
        away.with_unit(replace(crook, name="Somebody else", side="strays")),
        away.with_unit(replace(crook, is_defeated=True)),
        apply_all(away, [ev.UnitHidden("crook")]),
        apply_all(away, [ev.UnitRemoved("crook", "Crook")]),
    ):
        assert law(started(), away, other).last_seen == expected


def ruled(battle: Battle, how: str) -> Battle:
    return replace(battle, gm=replace(battle.gm, rulings={**battle.gm.rulings, UNKNOWN_TURNS: how}))


def test_turns_of_units_out_of_sight_are_shown_as_the_gm_rules() -> None:
    def turns(battle: Battle, how: str) -> list[tuple[str, str, bool]]:
        view = law(ruled(battle, how))
        return [(turn.before, turn.name, turn.is_active) for turn in view.unknown_turns]

    battle = started()
    assert turns(battle, NOT_SHOWN) == []
    assert turns(battle, BLANK) == [("", "", False)]
    assert turns(battle, SHOWN) == [("", "Cutter", False)]
    gone = moved(battle, "crook", "I4")
    assert turns(gone, BLANK) == [("ada", "", True), ("", "", False)]
    assert turns(gone, SHOWN) == [("ada", "Crook", True), ("", "Cutter", False)]
    hidden = apply_all(gone, [ev.UnitHidden("cutter")])
    assert turns(hidden, SHOWN) == [("ada", "Crook", True)], "who is hidden stands in no turn order"
    assert [turn.unit for turn in law(battle, ruled(gone, SHOWN)).unknown_turns] == ["crook", ""], "it has seen Crook"
    assert [turn.unit for turn in law(battle, ruled(gone, BLANK)).unknown_turns] == ["", ""]
    grouped = replace(gone, turns=replace(gone.turns, groups=(("crook", "cutter"),)))
    assert [(turn[0], turn[2]) for turn in turns(grouped, BLANK)] == [("ada", True)], "a group has one place"
