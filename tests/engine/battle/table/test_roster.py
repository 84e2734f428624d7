"""Who is on the table: adding, copying, naming, hiding, taking away; whose turn it is; rounds in a magazine."""

from __future__ import annotations

import pytest

from engine.battle import events as ev
from engine.battle.command import Attack, EndTurn
from engine.battle.commands.gear_commands import SetAmmunition
from engine.battle.commands.note_commands import SetNote
from engine.battle.commands.order_commands import FormGroup, SetTurn
from engine.battle.commands.roster_commands import (
    AddGroup,
    AddUnit,
    CopyUnit,
    RemoveUnit,
    RenameUnit,
    SetHidden,
    SetOut,
    SetSide,
)
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_edits import Place, SetAltitude, SetCondition, SetPool
from engine.battle.narration import narrate
from engine.battle.views.fog_of_war import NOTHING_SEEN, seat_view
from engine.battle.views.view import View, project
from engine.geometry.battlefield import OffMap
from engine.geometry.squares import Direction, Square, parse_square
from rulesets import shipped_rulesets
from tests.rules.table import Table, fight, remember

OCC = "occult-ops"
WALL = '[[edge]]\nat = ["C1", "C2", "C3"]\nside = "W"\nkind = "wall"'


def room(name: str = OCC, toml: str = "") -> Table:
    return fight(name, "a....", ".....", "....b", toml=toml, a="gunman", b="gunman")


def at(name: str) -> Square:
    return parse_square(name)


def as_seen(table: Table) -> View:
    """The battle from the seat of the first side, as it sees it now."""
    return seat_view(table.battle, table.rules, "law", remember(NOTHING_SEEN, table.battle, "law"))


def test_a_unit_is_added_fresh_from_the_sheet_of_its_role() -> None:
    table = room()
    lines = table.do(AddUnit("rifleman", "outlaws", at("C2"), facing=Direction.W, posture="kneeling"))
    assert lines == ["GM: rifleman on C2 joins outlaws."]
    unit, model = table.unit("rifleman"), table.rules.units.sheets["rifleman"]
    assert (unit.name, unit.at, unit.facing, unit.posture) == ("rifleman", at("C2"), Direction.W, "kneeling")
    assert (
        unit.gear.weapons == (*model.weapons, *table.rules.gear.innate_weapons)
        and unit.pools["hp"] > 0
        and unit.turn.budget
    )
    assert table.battle.turns.order == ("a", "b", "rifleman")


def test_several_stand_around_a_square_and_are_numbered() -> None:
    table = room()
    table.do(AddUnit("gunman", "outlaws", at("A1"), "Bandit", count=3))
    added = [unit for unit in table.battle.units.values() if unit.name.startswith("Bandit")]
    assert [unit.name for unit in added] == ["Bandit 1", "Bandit 2", "Bandit 3"]
    assert [unit.at.name for unit in added] == ["B1", "A2", "B2"]
    assert [unit.id for unit in added] == ["bandit-1", "bandit-2", "bandit-3"]
    table.do(AddUnit("gunman", "outlaws", at("E1"), "Bandit"))
    assert table.unit("bandit-4").name == "Bandit 4"
    table.do(RemoveUnit("bandit-2"))
    table.do(AddUnit("gunman", "outlaws", at("D1"), "Bandit"))
    assert [unit.name for unit in table.battle.units.values()][-1] == "Bandit 5", "the log knows another Bandit 2"


def test_nobody_is_put_behind_a_wall_from_the_square_that_was_meant() -> None:
    table = room(toml=WALL)
    table.do(AddUnit("gunman", "outlaws", at("B2"), "Guard", count=5))
    assert {unit.at.column for unit in table.battle.units.values() if "Guard" in unit.name} == {0, 1}
    assert "no room around B2" in table.refusal(AddUnit("gunman", "outlaws", at("B2"), count=2))


def test_a_group_of_several_roles_comes_in_one_go_and_goes_in_one() -> None:
    table = room()
    before = table.battle
    table.do(
        AddGroup((AddUnit("leader", "outlaws", at("C2"), "Boss"), AddUnit("rifleman", "outlaws", at("C2"), count=3)))
    )
    assert len(table.events) == 1
    assert [unit.name for unit in table.battle.units.values()][2:] == [
        "Boss",
        "rifleman 1",
        "rifleman 2",
        "rifleman 3",
    ]
    assert len(before.units) == 2


def test_one_that_is_added_where_somebody_stands_takes_the_next_free_square() -> None:
    table = room()
    table.do(AddUnit("gunman", "law", at("E3"), "Cole"))
    assert table.unit("b").at == at("E3")
    column, row = table.unit("cole").at
    assert max(abs(column - at("E3").column), abs(row - at("E3").row)) == 1


def test_what_cannot_be_added_is_refused() -> None:
    table = room()
    assert "Did you mean 'rifleman'" in table.refusal(AddUnit("riflman", "law", at("C2")))
    assert "needs a side" in table.refusal(AddUnit("gunman", " ", at("C2")))
    assert "1 to 50 units" in table.refusal(AddUnit("gunman", "law", at("C2"), count=0))
    assert "1 to 50 units" in table.refusal(AddGroup(()))
    assert "1 to 4 squares" in table.refusal(AddUnit("gunman", "law", at("C2"), size=9))
    assert "does not fit on the map" in table.refusal(AddUnit("gunman", "law", at("E1"), size=2))
    assert "No posture" in table.refusal(AddUnit("gunman", "law", at("C2"), posture="asleep"))
    with pytest.raises(OffMap):
        table.do(AddUnit("gunman", "law", at("Z9")))


@pytest.mark.parametrize("name", shipped_rulesets())
def test_who_joins_has_a_turn_in_the_round_under_every_ruleset(name: str) -> None:
    table = room(name)
    table.do(AddUnit("gunman", "law", at("C2"), "Late"))
    table.turn_of("late")
    assert table.unit("late").turn.budget
    table.turn_of("a")


def test_a_copy_has_the_wounds_and_rounds_of_its_model() -> None:
    table = room().condition("a", "stunned" if "stunned" in room().rules.units.conditions else "intimidated")
    weapon = table.unit("a").gear.weapon
    table.do(SetPool("a", "hp", 7))
    table.do(SetAmmunition("a", 2))
    assert table.do(CopyUnit("a", at("A1"), 2)) == ["GM: A 2 on B1, A 3 on A2 join law."]
    copy, model = table.unit("a-2"), table.unit("a")
    assert (copy.pools, copy.gear.rounds[weapon], copy.conditions) == (model.pools, 2, model.conditions)
    assert (copy.turn.trail, copy.turn.attacks, dict(copy.turn.tally)) == ((), 0, {})
    assert table.refusal(CopyUnit("a", at("A1"), 0))


def test_who_is_removed_leaves_nothing_behind() -> None:
    table = room()
    table.do(AddUnit("gunman", "outlaws", at("C2"), "Cole"))
    table.do(SetNote("has the key", unit="b"))
    assert table.do(RemoveUnit("b")) == ["GM: B removed from the battle."]
    assert set(table.battle.units) == {"a", "cole"}
    assert table.battle.turns.order == ("a", "cole") and "b" not in table.battle.turns.initiative
    assert table.battle.gm.notes == ()
    assert "No unit is called 'b'" in table.refusal(Attack("a", "b"))


def test_who_surrenders_is_out_of_the_fight_whatever_its_numbers_say() -> None:
    table = room()
    table.do(SetOut("b", "surrenders"))
    assert table.unit("b").is_defeated and table.unit("b").pools == room().unit("b").pools
    table.do(SetPool("b", "hp", 12))
    assert table.unit("b").is_defeated
    assert table.refusal(SetOut("b", "surrenders")) == "B is already out: surrenders."
    assert table.do(SetOut("b")) == ["GM: B is no longer taken out.", "B is back in the fight."]
    assert not table.unit("b").is_defeated
    assert table.refusal(SetOut("b")) == "B was not taken out by the GM."


def test_who_is_out_by_its_numbers_is_healed_and_not_called_back() -> None:
    table = room()
    table.do(SetPool("b", "hp", 0))
    refusal = "B is out by its hit points, not by the GM: “heal b 5” gives it points back."
    assert table.refusal(SetOut("b")) == refusal


def test_who_is_gone_is_still_called_by_name() -> None:
    table = room()
    table.do(RenameUnit("b", "Zed"))
    table.do(RemoveUnit("b"))
    assert narrate(ev.UnitShown("b"), table.battle, table.rules) == "GM: Zed is shown to the players."


def test_of_several_on_a_square_whose_turn_it_is_stands_first() -> None:
    table = room()
    table.do(SetAltitude("b", 500))
    table.do(Place("b", at("A1")))
    assert [unit.id for unit in table.battle.on(at("A1"))] == ["a", "b"]
    table.do(EndTurn())
    assert [unit.id for unit in table.battle.on(at("A1"))] == ["b", "a"]
    view = project(table.battle, table.rules)
    here = view.at(at("A1"))
    assert here is not None and here.id == "b"


def test_who_is_removed_in_its_turn_ends_it_first() -> None:
    table = room()
    table.do(AddUnit("gunman", "outlaws", at("C2"), "Cole"))
    lines = table.do(RemoveUnit("a"))
    assert lines[-2:] == ["GM: A removed from the battle.", "B's turn."]
    assert table.battle.turns.active == "b"
    table.do(RemoveUnit("cole"))
    table.do(RemoveUnit("b"))
    assert table.battle.turns.active == "" and not table.battle.turns.order


def test_conditions_about_somebody_who_is_removed_end() -> None:
    table = room("cwn")
    about = next(held for held in table.rules.units.conditions.values() if held.about == "unit")
    table.do(SetCondition("a", about.id, True, about="b"))
    table.do(RemoveUnit("b"))
    assert not table.unit("a").conditions


def test_names_and_sides_change() -> None:
    table = room()
    assert table.do(RenameUnit("a", "Ada")) == ["GM: A renamed to Ada."]
    assert table.refusal(RenameUnit("b", "ada")) == "Another unit is already called ada."
    assert table.refusal(RenameUnit("b", "  ")) == "B needs a name."
    assert table.refusal(RenameUnit("b", "B")) == "B already has that name."
    assert table.do(SetSide("b", "law")) == ["GM: B joins law, was outlaws."]
    assert not table.unit("b").is_enemy_of(table.unit("a"))
    assert table.refusal(SetSide("b", "law")) == "B is already on that side."
    assert ", neutral" in table.do(SetSide("b", "outlaws", True))[0]
    assert not table.unit("b").is_enemy_of(table.unit("a"))
    assert table.refusal(SetSide("b", "")) == "A unit needs a side."


def test_hidden_units_and_notes_never_alter_what_players_see() -> None:
    table = room()
    players = as_seen(table)
    table.do(AddUnit("gunman", "third", at("C2"), "Ambusher", is_hidden=True))
    table.do(SetNote("an ambush", at("C2")))
    gm = project(table.battle, table.rules)
    assert as_seen(table) == players
    assert gm.unit("ambusher~").is_hidden and len(gm.notes) == 1
    assert {unit.id: unit.letter for unit in gm.units if not unit.is_hidden} == {
        unit.id: unit.letter for unit in players.units
    }
    table.turn_of("ambusher~")
    assert as_seen(table).active == ""
    assert table.do(SetHidden("ambusher~", False)) == ["GM: Ambusher is shown to the players."]
    assert as_seen(table).unit("ambusher~")
    assert table.refusal(SetHidden("ambusher~", False)) == "Ambusher is already shown."
    assert table.do(SetHidden("a")) == ["GM: A is hidden from the players."]


def test_somebody_hidden_makes_way_for_those_whom_players_see() -> None:
    table = room()
    table.do(AddUnit("gunman", "third", at("C2"), "Ambusher", is_hidden=True))
    lines = table.do(AddUnit("gunman", "law", at("C2"), "Cole"))
    assert lines[0] == f"GM: Ambusher placed on {table.unit('ambusher~').at.name}."
    assert table.unit("cole").at == at("C2") != table.unit("ambusher~").at
    table.do(AddUnit("gunman", "third", at("C2"), "Spy", is_hidden=True))
    assert table.unit("cole").at == at("C2") != table.unit("spy~").at
    full = fight("aog", "ab.", a="gunman", b="gunman")
    full.do(AddUnit("gunman", "third", at("C1"), "Ambusher", is_hidden=True))
    assert full.refusal(AddUnit("gunman", "law", at("C1"))) == "There is no room around C1 for Ambusher."


def test_a_copy_is_in_the_group_of_its_model_and_defends_as_it_does() -> None:
    table = fight("eva", "ab....", "......", "c....d", a="rifleman", b="rifleman", c="gunman", d="gunman", allies="b")
    table.do(FormGroup(("a", "b")))
    table.do(SetPolicy("off", "dodge", "a"))
    lines = table.do(CopyUnit("a", at("A1"), 2))
    assert lines[1:] == [
        "GM: A, B, A 2, A 3 act as one group.",
        "GM: Dodge for A 2: never.",
        "GM: Dodge for A 3: never.",
    ]
    assert table.battle.turns.groups == (("a", "b", "a-2", "a-3"),)
    assert table.battle.turns.order[:4] == ("a", "b", "a-2", "a-3")
    assert table.battle.gm.policy(table.unit("a-3"), "dodge") == "off"


def test_letters_stay_when_somebody_is_hidden_and_shown_again() -> None:
    table = room()
    table.do(RenameUnit("b", "Ann"))  # whose A is taken
    before = {unit.id: (unit.letter, unit.side_index) for unit in project(table.battle, table.rules).units}
    for is_hidden in (True, False):
        table.do(SetHidden("a", is_hidden))
        now = project(table.battle, table.rules).units
        assert {unit.id: (unit.letter, unit.side_index) for unit in now} == before


def test_the_gm_says_whose_turn_it_is_and_the_one_who_was_on_is_next() -> None:
    table = room()
    table.do(AddUnit("gunman", "outlaws", at("C2"), "Cole"))
    lines = table.do(SetTurn("cole"))
    assert "Cole acts, out of turn." in lines and "Cole's turn." in lines
    assert table.battle.turns.active == "cole" and not table.happened(ev.TurnEnded)
    table.do(EndTurn())
    assert (table.battle.turns.active, table.battle.turns.round) == ("a", 1)
    assert table.refusal(SetTurn("a")) == "It is already A's turn."
    table.do(SetPool("b", "hp", 0))
    assert table.refusal(SetTurn("b")) == "B is out of the fight."
    early = fight(OCC, "a..b", a="gunman", b="gunman", is_begun=False)
    assert early.refusal(SetTurn("b")) == "Nobody has a turn yet: “begin” rolls initiative."


@pytest.mark.parametrize("name", shipped_rulesets())
def test_a_turn_can_be_given_under_every_ruleset(name: str) -> None:
    table = room(name)
    table.do(SetTurn("b"))
    assert table.battle.turns.active == "b"
    table.turn_of("a")


def test_rounds_are_set_up_to_a_full_magazine() -> None:
    table = room()
    weapon = table.unit("a").gear.weapon
    full = table.unit("a").gear.rounds[weapon]
    assert table.do(SetAmmunition("a", 1)) == [
        f"A: {table.rules.gear.weapons[weapon].label} {full} → 1 round, set by the GM."
    ]
    assert f"0 to {full} rounds" in table.refusal(SetAmmunition("a", full + 1))
    assert "already has 1 round." in table.refusal(SetAmmunition("a", 1))
    assert table.refusal(SetAmmunition("a", 1, "knife")) == "The Knife has no magazine."
    assert "No weapon of A" in table.refusal(SetAmmunition("a", 1, "bazooka"))


def test_who_joins_faces_its_nearest_enemy() -> None:
    table = fight("volt", "a.....", "......", ".....b", a="gunman", b="gunman")
    table.do(AddUnit("gunman", table.unit("a").side, parse_square("C3")))
    (added,) = (unit for unit in table.battle.units.values() if unit.id not in "ab")
    assert added.facing is Direction.E


def test_why_a_unit_is_out_stands_apart_in_the_sentence() -> None:
    table = fight("occult-ops", "a.b", a="gunman", b="gunman")
    assert table.do(SetOut("b", "heart attack"))[0] == "GM: B: heart attack."
    assert table.do(SetOut("b"))[0] == "GM: B is no longer taken out."
