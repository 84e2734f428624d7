"""A side's seat: what it knows, what it remembers, and that nothing it has not seen alters anything it is shown."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from engine.battle import command as cmd
from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.commands.decide import decide
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.views.fog_of_war import NOTHING_SEEN, Memory, find_side, seat_view, side_names, sides_of
from engine.battle.views.view import View
from engine.errors import Unknown
from engine.geometry.battlefield import NOTHING
from engine.geometry.squares import Edge, Square, parse_square
from engine.geometry.terrain_edits import with_barriers
from engine.rules.model import Ruleset
from engine.smoke_opacity import SmokeOpacity
from engine.values import replace
from maps import parse_map
from rulesets import find_ruleset, load_ruleset
from tests.rules.table import remember
from tests.seats import follow

MAP = """
format = 1
name = "Two rooms"
[scale]
square = 5
unit = "feet"
[map]
squares = '''
###########
#....#....#
#....+....#
#....#....#
###########
'''
[[unit]]
id = "ada"
role = "gunman"
side = "law"
at = "B2"
facing = "E"
[[unit]]
id = "bo"
role = "leader"
side = "law"
at = "B4"
facing = "E"
[[unit]]
id = "crook"
role = "gunman"
side = "outlaws"
at = "I2"
facing = "W"
[[unit]]
id = "cutter"
role = "brawler"
side = "outlaws"
at = "I4"
facing = "W"
[[unit]]
id = "dog"
role = "civilian"
side = "strays"
at = "D2"
facing = "W"
"""
DOOR = Edge(5, 2, "W")


@cache
def rules() -> Ruleset:
    return load_ruleset(find_ruleset("occult-ops"))


@cache
def started() -> Battle:
    found = parse_map(MAP, "rooms.toml")
    battle = apply_all(Battle(found.battlefield), [begin(found.placements, rules(), "1")])
    opening: list[ev.Event] = [
        ev.OrderSet(("crook", "ada", "dog", "bo", "cutter"), {"ada": 5, "crook": 9}),
        ev.RoundBegan(1),
    ]
    return apply_all(battle, [*opening, ev.TurnBegan("crook", {})])


def moved(battle: Battle, unit: str, square: str) -> Battle:
    return battle.with_unit(replace(battle.unit(unit), at=parse_square(square)))


def opened(battle: Battle) -> Battle:
    """The same battle with the doors between the rooms open."""
    field = battle.field
    for edge, barrier in field.barriers.items():
        field = with_barriers(field, [edge], replace(barrier, state="open"))
    return replace(battle, field=field)


def law(battle: Battle, memory: Memory = NOTHING_SEEN):  # type: ignore[no-untyped-def]
    memory = remember(memory, battle, "law")
    return seat_view(battle, rules(), "law", memory), memory


def test_a_side_knows_its_own_whole_and_of_others_what_shows() -> None:
    view, _ = law(started())
    assert [unit.id for unit in view.units] == ["ada", "bo", "dog"]
    ada, dog = view.unit("ada"), view.unit("dog")
    assert ada.pools
    assert ada.stats
    assert (dog.name, dog.side, dog.pools, dog.stats, dog.role, dog.initiative) == ("Dog", "strays", (), (), "", None)


def test_order_and_turn_name_nobody_who_is_not_known() -> None:
    view, _ = law(started())
    assert view.order == ("ada", "dog", "bo")
    assert view.active == ""
    assert view.round == 1


def test_the_room_behind_the_closed_door_is_nothing() -> None:
    view, _ = law(started())
    assert view.field.ground_at(parse_square("C3")).terrain == "floor"
    assert view.field.ground_at(parse_square("F2")).terrain == "wall"
    for square in ("H2", "I3", "K1"):
        assert view.field.ground_at(parse_square(square)) == NOTHING
    assert not view.field.lamps


def test_an_open_door_shows_who_is_behind_it_and_the_ground_is_remembered() -> None:
    battle = moved(opened(started()), "ada", "D3")
    battle = moved(battle, "crook", "H3")
    view, memory = law(battle)
    assert "crook" in [unit.id for unit in view.units]
    assert view.active == "crook"
    gone = moved(battle, "crook", "J2")
    closed = replace(gone, field=started().field)
    later, memory = law(closed, memory)
    assert "crook" not in [unit.id for unit in later.units]
    assert later.field.ground_at(parse_square("H3")).terrain == "floor", "it has been seen"
    assert {"dog", "crook"} <= set(memory.met)


def test_what_changes_out_of_sight_is_remembered_as_it_was() -> None:
    battle = moved(opened(started()), "ada", "D3")
    seen, memory = law(battle)
    there = parse_square("H3")
    assert seen.field.ground_at(there).terrain == "floor"
    wall = next(ground for ground in battle.field.legend if ground.terrain == "wall")
    field = started().field
    ground = list(field.ground)
    ground[field.index(there)] = field.legend.index(wall)
    changed = replace(battle, field=replace(field, ground=tuple(ground)))
    view, _ = law(changed, memory)
    assert view.field.ground_at(there).terrain == "floor"


def test_who_is_in_the_dark_is_seen_from_the_next_square_only() -> None:
    dark = replace(started(), field=replace(started().field, light=(0,) * len(started().field.light)))
    view, _ = law(dark)
    assert "dog" not in [unit.id for unit in view.units]
    view, _ = law(moved(dark, "dog", "C2"))
    assert "dog" in [unit.id for unit in view.units]


def test_nobody_is_seen_through_much_smoke() -> None:
    field = started().field
    smoke = [0] * len(field.smoke)
    for row in range(field.rows):
        smoke[field.index(Square(2, row))] = 2
        smoke[field.index(Square(3, row))] = 2
    view, _ = law(replace(started(), field=replace(field, smoke=tuple(smoke))))
    assert "dog" not in [unit.id for unit in view.units]


@pytest.mark.parametrize(("most", "is_seen"), [(None, False), (3, False), (4, True), (0, False)])
def test_the_rules_say_through_how_much_smoke_a_seat_sees(most: int | None, is_seen: bool) -> None:
    field = started().field
    smoke = [0] * len(field.smoke)
    for row in range(field.rows):
        smoke[field.index(Square(2, row))] = 2
        smoke[field.index(Square(3, row))] = 2
    obscured = replace(field, smoke=tuple(smoke), smoke_opacity=SmokeOpacity(most))
    battle = moved(moved(replace(started(), field=obscured), "dog", "E2"), "bo", "B3")
    view, _ = law(battle)
    assert ("dog" in [unit.id for unit in view.units]) is is_seen
    assert (view.field.ground_at(parse_square("E2")) != NOTHING) is is_seen
    assert view.field.smoke_opacity == SmokeOpacity(most)


def test_who_is_hidden_by_the_gm_is_in_no_seat() -> None:
    hidden = started().with_unit(replace(started().unit("bo"), is_hidden=True))
    view, _ = law(hidden)
    assert [unit.id for unit in view.units] == ["ada", "dog"]
    assert sides_of(hidden) == ["law", "outlaws", "strays"]


def test_letters_stay_as_they_were_first_given() -> None:
    battle = moved(opened(started()), "ada", "D3")
    view, memory = law(moved(battle, "cutter", "H3"))
    first = {unit.id: unit.letter for unit in view.units}
    view, memory = law(moved(battle, "crook", "H3"), memory)
    view, memory = law(moved(moved(battle, "crook", "H3"), "cutter", "I3"), memory)
    now = {unit.id: unit.letter for unit in view.units}
    assert {unit: now[unit] for unit in first if unit in now} == {unit: first[unit] for unit in first if unit in now}


@pytest.mark.parametrize("seed", range(8))
def test_what_is_not_seen_never_alters_a_view(seed: int) -> None:
    """Whatever becomes of units behind the wall, and whether there are any at all, the seat is shown the same."""
    chance = Random(seed)
    battle, plain_memory = started(), NOTHING_SEEN
    other, other_memory = battle, NOTHING_SEEN
    for _ in range(4):
        for unit_id in ("crook", "cutter"):
            square = Square(chance.randint(6, 9), chance.randint(1, 3))
            unit: Unit = replace(other.unit(unit_id), at=square, posture=chance.choice(("standing", "prone")))
            other = other.with_unit(replace(unit, is_defeated=chance.random() < 0.3, name=f"Name {chance.random()}"))
        if chance.random() < 0.5:
            stranger = replace(other.unit("crook"), id=f"x{chance.random()}", at=Square(9, 2), side="nobody's")
            other = replace(
                other,
                units={stranger.id: stranger, **other.units},
                turns=replace(other.turns, active=chance.choice(("crook", stranger.id))),
            )
        step = Square(chance.randint(1, 4), chance.randint(1, 3))
        if battle.at(step) is None:
            battle = battle.with_unit(replace(battle.unit("ada"), at=step))
            other = other.with_unit(replace(other.unit("ada"), at=step))
        view, plain_memory = law(battle, plain_memory)
        other_view, other_memory = law(other, other_memory)
        assert replace(view, active="") == replace(other_view, active="")
        assert view.active == other_view.active == ""


def test_a_side_that_is_not_there_is_named_with_the_nearest() -> None:
    with pytest.raises(Unknown, match="Did you mean 'law'"):
        find_side(started(), "laws")


def with_turns(*turns: str, hidden: str = "") -> list[Battle]:
    """A fight of two rounds, the units having their turns in this order: the battle after every command."""
    found = parse_map(MAP, "rooms.toml")
    battle = apply_all(Battle(found.battlefield), [begin(found.placements, rules(), "1")])
    for unit_id in [unit_id for unit_id in battle.units if unit_id not in turns]:
        battle = apply_all(battle, [ev.UnitRemoved(unit_id, unit_id)])
    if hidden:
        battle = apply_all(battle, [ev.UnitHidden(hidden)])
    battle = apply_all(battle, [ev.OrderSet(turns, dict.fromkeys(turns, 5)), ev.RoundBegan(1)])
    moments = [apply_all(battle, [ev.TurnBegan(turns[0], {})])]
    for _ in range(2 * len(turns)):
        moments.append(apply_all(moments[-1], decide(moments[-1], cmd.EndTurn(), rules())))
    return moments


def published(moments: list[Battle]) -> list[View]:
    """What a seat is shown, one view after the other, without those that are as the one before."""
    views = [follow(moments[: end + 1], rules(), "law")[0] for end in range(len(moments))]
    return [view for number, view in enumerate(views) if not number or view != views[number - 1]]


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_turn_of_somebody_hidden_is_no_step_of_the_view(place: int) -> None:
    """Over two rounds, whoever is hidden wherever in the order: what is published is the same as without them."""
    turns = ["ada", "dog", "bo"]
    without = published(with_turns(*turns))
    turns.insert(place, "crook")
    assert len(without) == 7
    assert published(with_turns(*turns, hidden="crook")) == without
    assert len(published(with_turns(*turns))) == 9, "of somebody who is merely out of sight"


def test_before_anybody_who_is_seen_has_a_turn_nobody_has() -> None:
    moments = with_turns("crook", "ada", "bo", hidden="crook")
    first, *later = published(moments)
    assert (first.active, first.round) == ("", 0)
    told = [(view.active, view.round) for view in later]
    assert told == [(view.active, view.round) for view in published(with_turns("ada", "bo"))][: len(told)]
    assert told[0] == ("ada", 1)


def test_who_is_hidden_in_a_turn_of_somebody_hidden_is_gone_at_once() -> None:
    *moments, last = with_turns("ada", "dog", "crook", hidden="crook")[:3]
    assert last.turns.active == "crook"
    gone = apply_all(last, [ev.UnitHidden("dog")])
    view, _ = follow([*moments, last, gone], rules(), "law")
    assert [unit.id for unit in view.units] == ["ada"]
    assert view.active == ""


def known_ground(view: View) -> set[Square]:
    return {square for square in view.field.squares() if view.field.ground_at(square) != NOTHING}


def test_a_side_that_is_renamed_remembers_what_it_saw() -> None:
    """One unit after the other gets the new name; the first one brings the memory along, the last one ends the old."""
    shut = started()
    seen = opened(moved(shut, "ada", "E3"))
    renamed = apply_all(moved(shut, "ada", "B2"), [ev.SideChanged("ada", "law", "order")])
    both = apply_all(renamed, [ev.SideChanged("bo", "law", "order")])
    moments = [shut, seen, moved(shut, "ada", "B2"), renamed, both]
    before, memory = follow(moments[:3], rules(), "law")
    after, remembered = follow(moments, rules(), "order")
    assert known_ground(after) == known_ground(before)
    assert [*memory.met] == ["dog", "crook", "cutter"] == [*remembered.met][:3]
    assert [unit.id for unit in after.units] == ["ada", "bo", "dog"]
    assert side_names(moments, "order") == ("law", "law", "law", "order", "order")
    assert side_names(moments, "outlaws") == ("outlaws",) * 5


def test_who_changes_to_a_side_that_is_there_tells_it_nothing() -> None:
    """Nor does its old side learn from the new one when the unit returns."""
    shut = started()
    turned = apply_all(shut, [ev.SideChanged("dog", "strays", "outlaws")])
    returned = apply_all(turned, [ev.SideChanged("dog", "outlaws", "strays")])
    alone, _ = follow([shut, turned], rules(), "outlaws")
    assert Square(1, 1) not in known_ground(follow([shut], rules(), "outlaws")[0])
    assert Square(1, 1) in known_ground(alone), "what it sees now"
    before, after = (follow(moments, rules(), "strays")[0] for moments in ([shut], [shut, turned, returned]))
    assert known_ground(after) == known_ground(before)


def test_a_side_without_units_keeps_its_seat_and_its_memory() -> None:
    shut = started()
    gone = apply_all(shut, [ev.SideChanged("dog", "strays", "law")])
    assert find_side(gone, "strays", [shut]) == "strays"
    view, _ = follow([shut, gone], rules(), "strays")
    assert view.units == ()
    assert known_ground(view) == known_ground(follow([shut], rules(), "strays")[0])
