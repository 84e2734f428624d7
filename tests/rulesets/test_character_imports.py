"""Characters from other tools: a Foundry actor and tables; hand-made samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import BattleboardError, Unreadable
from rulesets import shipped_rulesets
from rulesets.character_imports import read_sheets_csv
from rulesets.swnr_actors import read_actor
from tests.rules.table import ruleset

SAMPLES = Path(__file__).parent / "samples"
MARA = (SAMPLES / "mara.json").read_text()
CWN = ruleset("cwn")


def changed(**system: Any) -> str:
    actor = json.loads(MARA)
    actor["system"] |= system
    return json.dumps(actor)


def table(text: str, name: str = "occult-ops") -> list[str]:
    with pytest.raises(BattleboardError) as refused:
        read_sheets_csv(text, "x.csv", ruleset(name))
    error = refused.value
    return [one.message for one in error.problems] if isinstance(error, Unreadable) else [str(error)]


def test_an_actor_has_the_numbers_of_its_sheet() -> None:
    (mara,) = read_actor(MARA, "mara.json", CWN).characters
    assert (mara.name, mara.is_opponent) == ("Mara Voss", False)
    assert mara.weapons == ("combat-rifle", "knife")
    assert (mara.armour, mara.accessories) == ("light-suit", ("gunlink",))
    assert dict(mara.stats) == {
        "attack_bonus": 2,
        "dexterity_mod": 1,
        "shoot": 2,
        "stab": 0,
        "hit_points": 14,
        "evasion_save": 12,
        "physical_save": 13,
    }
    assert (mara.rounds, mara.pools) == ((("combat-rifle", 11),), (("hp", 9), ("soak", 2)))


def test_what_an_actor_has_and_the_ruleset_does_not_is_listed_and_nothing_is_guessed() -> None:
    assert read_actor(MARA, "mara.json", CWN).notes == (
        "Mara Voss: the armour Street Leathers is not worn; not carried over.",
        "Mara Voss: no weapon is called 'Plasma Whip'; not carried over.",
        "Mara Voss: skill not carried over: Talk.",
        "Mara Voss: item not carried over: Rope.",
        "Mara Voss: its own melee attack bonus is not carried over; one bonus is for all.",
        "Mara Voss: system.systemStrain is not carried over.",
    )


def test_every_field_of_an_actor_that_is_not_read_is_listed() -> None:
    actor = json.loads(MARA) | {"effects": [{"name": "Blessed"}], "img": "mara.png", "empty": {"a": [0, ""]}}
    actor["system"] |= {"foo": 3, "biography": "", "level": {"value": 3, "exp": 12}, "stress": {"value": 0}}
    notes = read_actor(json.dumps(actor), "x", CWN).notes
    assert [one.partition(": ")[2] for one in notes if "is not carried over" in one and "bonus" not in one] == [
        "system.level.exp is not carried over.",
        "system.systemStrain is not carried over.",
        "system.foo is not carried over.",
        "effects is not carried over.",
    ]
    actor["system"] |= {f"x{number}": 1 for number in range(60)}
    assert read_actor(json.dumps(actor), "x", CWN).notes[-1] == "Mara Voss: 24 more fields are not carried over."


def test_armour_that_is_not_in_the_armoury_leaves_its_numbers() -> None:
    found = read_actor(MARA.replace("Light armored suit", "Old coat"), "x", CWN)
    (mara,) = found.characters
    assert "Mara Voss: no armour is called 'Old coat'; only its numbers are carried over." in found.notes
    stats = dict(mara.stats)
    assert mara.armour == ""
    assert [stats[one] for one in ("ranged_ac", "melee_ac", "trauma_target", "damage_soak")] == [16, 13, 8, 5]


def test_an_opponent_has_one_bonus_and_one_save() -> None:
    actor = json.loads(MARA) | {"type": "npc"}
    actor["system"] |= {"skillBonus": 2, "saves": 14, "meleeAc": 12, "baseAc": 13}
    actor["items"] = []
    (found,) = read_actor(json.dumps(actor), "x", CWN).characters
    stats = dict(found.stats)
    assert found.is_opponent
    assert [stats[one] for one in ("npc", "skill", "evasion_save", "ranged_ac", "melee_ac")] == [True, 2, 14, 13, 12]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "x:1:2: this is not JSON"),
        ("[]", "x is not an actor; expected an actor of the Foundry system swnr"),
        (MARA.replace("swnr", "dnd5e"), "x is an actor of the system 'dnd5e'"),
        (MARA.replace('"type": "character"', '"type": "ship"'), "type 'ship'; expected character or npc"),
        (changed(health={"value": 9, "max": "many"}), "system.health.max is 'many'; expected a whole number"),
        (changed(ab=2.5), "system.ab is 2.5; expected a whole number"),
        (changed(ab=True), "system.ab is True; expected a whole number"),
        (changed(ab=10**30), "system.ab is larger than 1,000,000 allows"),
        (changed(health=3), "x has no system.health"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 300_000, "too many values"),
        (MARA.replace("Mara Voss", "\\u202e"), "an actor without a name"),
    ],
)
def test_an_actor_that_is_none_is_one_message(text: str, message: str) -> None:
    with pytest.raises(BattleboardError) as refused:
        read_actor(text, "x", CWN)
    assert message in str(refused.value)
    assert len(str(refused.value)) < 300


def test_another_ruleset_has_not_the_stats_of_an_actor() -> None:
    with pytest.raises(BattleboardError, match="Occult Ops has no stat called 'npc'"):
        read_actor(MARA, "x", ruleset("occult-ops"))


def test_a_table_names_stats_by_id_or_label_and_lists_what_it_does_not_know() -> None:
    found = read_sheets_csv((SAMPLES / "lantern.csv").read_text(), "lantern.csv", ruleset("occult-ops"))
    anna, bo, guard = found.characters
    assert dict(anna.stats) == {"dexterity": 9, "endurance": 8, "wrestling": True}
    assert (anna.weapons, anna.letter, anna.notes) == (("usp9", "punch"), "A", "Owes Bo 200.")
    assert (bo.name, dict(bo.stats)) == ("Bo Vale", {"dexterity": 7, "wrestling": False})
    assert (bo.is_opponent, guard.is_opponent) == (False, True)
    assert found.notes == (
        "Column 'Hair colour' is not carried over.",
        "Anna: no weapon is called 'blunderbuss'; not carried over.",
    )


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_stat_of_every_ruleset_may_stand_in_a_table(name: str) -> None:
    rules = ruleset(name)
    stats = list(rules.units.stats.values())
    values = {True: "no", False: "yes"}
    row = [values[one.default] if isinstance(one.default, bool) else str(one.default) for one in stats]
    weapons = "; ".join(one.label for one in list(rules.gear.weapons.values())[:2])
    for header in ([one.id for one in stats], [f'"{one.label}"' for one in stats]):
        text = ",".join(["name", "weapons", *header]) + "\n" + ",".join(["Zoë", weapons, *row])
        (found,) = read_sheets_csv(text, "x.csv", rules).characters
        assert [one for one, _ in found.stats] == [one.id for one in stats]
        assert found.weapons == tuple(list(rules.gear.weapons)[:2])


def test_semicolons_and_tabs_divide_fields_too() -> None:
    for text in ('name;dexterity;weapons\nAnna;9;"usp9; punch"', "name\tdexterity\tweapons\nAnna\t9\tusp9; punch"):
        (found,) = read_sheets_csv(text, "x.csv", ruleset("occult-ops")).characters
        assert (dict(found.stats), found.weapons) == ({"dexterity": 9}, ("usp9", "punch"))


def test_every_value_that_does_not_fit_is_named_with_row_and_column() -> None:
    text = "name,dexterity,wrestling,kind,letter,size\nAnna,good,maybe,foe,A,9\n,9,,,,\nBo,7,yes,,AB,1\n"
    assert table(text) == [
        "row 2, column dexterity is 'good'; expected a whole number",
        "row 2, column kind is 'foe'; expected one of character, opponent",
        "row 2, column size is 9; expected 1 to 4",
        "row 2, column wrestling is 'maybe'; expected yes or no",
        "row 3, column name is empty; expected a name",
        "row 4, letter = 'AB'; expected one letter or digit",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.csv has no rows; expected a header with stat names, and a row for each character."),
        ("dexterity\n9\n", "no column “name”"),
        ("name,DEX,dexterity\nAnna,9,9\n", "has the column 'dexterity' twice"),
        ("name\n" + "Anna\n" * 600, "more than 500 rows"),
        ("name\n" + "a" * 5000, "field of more than 4,000 characters"),
        ("name" + ",x" * 400 + "\n", "401 columns; at most 300"),
        ('name\n"Anna', "this is not CSV"),
        ("name,dexterity\nAnna," + "9" * 50, "expected a whole number"),
    ],
)
def test_a_table_that_is_none_is_one_message(text: str, message: str) -> None:
    (found,) = table(text)
    assert message in found
