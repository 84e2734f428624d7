"""The rulesets that ship: whole, sourced, and sane for every weapon and every role."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from engine.battle.state.units import ROLES
from engine.dice.dice_expressions import parse_dice
from engine.errors import Unreadable
from engine.rules.model import Number, Ruleset, Value, Weapon
from engine.rules.origin import Origin
from rulesets import load_ruleset, parse_ruleset, shipped_rulesets
from rulesets.loader import check_ruleset

SHIPPED = sorted(shipped_rulesets())


@pytest.fixture(scope="module", params=SHIPPED)
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return load_ruleset(shipped_rulesets()[request.param])


@pytest.fixture(scope="module")
def occult() -> Ruleset:
    return load_ruleset(shipped_rulesets()["occult-ops"])


def origins(ruleset: Ruleset) -> Iterator[tuple[str, Origin]]:
    yield "distance", ruleset.distance.origin
    yield "test", ruleset.attack.test.origin
    yield "initiative", ruleset.turns.initiative.origin
    units, gear, attack = ruleset.units, ruleset.gear, ruleset.attack
    for group in (
        units.pools.values(), units.budgets.values(), units.conditions.values(), attack.grades, attack.modifiers,
        attack.restrictions, attack.effects, ruleset.actions.values(), gear.weapons.values(),
        [band for table in attack.bands for band in table.bands],
        [effect for action in ruleset.actions.values() for effect in action.effects],
    ):  # fmt: skip
        for entry in group:
            yield entry.id, entry.origin
    for sheet in ruleset.units.sheets.values():
        yield sheet.role, sheet.origin


def test_what_ships_passes_the_checks_for_authors(ruleset: Ruleset):
    assert check_ruleset(shipped_rulesets()[ruleset.id]) == ruleset


def test_every_role_has_a_sheet_with_a_weapon_it_can_attack_with(ruleset: Ruleset):
    kinds = {kind for action in ruleset.actions.values() for kind in action.weapons}
    for role in ROLES:
        has = (*ruleset.units.sheets[role].weapons, *ruleset.gear.innate_weapons)
        weapons = [ruleset.gear.weapons[weapon] for weapon in has]
        assert weapons and all(weapon.kind in kinds for weapon in weapons)


def test_every_rule_says_where_it_stands(ruleset: Ruleset):
    assert all(origin.source for _, origin in origins(ruleset))


def test_a_rule_that_the_chapter_does_not_have_carries_a_ruling(ruleset: Ruleset):
    silent = [(name, origin) for name, origin in origins(ruleset) if origin.source.endswith(": no rule")]
    assert silent
    assert [name for name, origin in silent if not origin.ruling] == []


def test_every_step_of_the_ledger_is_used(ruleset: Ruleset):
    used = {entry.step for entry in (*ruleset.attack.modifiers, *ruleset.attack.restrictions, *ruleset.attack.bands)}
    assert used == set(ruleset.attack.steps)


def test_every_text_of_dice_is_dice(ruleset: Ruleset):
    for weapon in ruleset.gear.weapons.values():
        for field in ("damage", "critical", "trauma_die"):
            text = weapon.fields.get(field, "")
            assert text == "" or parse_dice(str(text)).lowest >= 1


def edges(ruleset: Ruleset, weapon: Weapon) -> list[Number]:
    """The last distance of each band for a weapon in average hands."""
    fields = {**ruleset.gear.weapon_fields, **weapon.fields, "id": weapon.id}
    facts: dict[str, Value] = {f"weapon.{name}": value for name, value in fields.items()}
    facts = {**facts, "square": 5, "ranged": weapon.kind != "melee", "thrown": weapon.kind == "thrown"}
    facts |= {f"attacker.{stat.id}": stat.default for stat in ruleset.units.stats.values()}
    facts |= {f"action.{name}": False for action in ruleset.actions.values() for name in action.flags}
    facts |= {f"attacker.{held}": False for held in ruleset.units.conditions}
    for named in ruleset.attack.facts:
        if named.after == "situation":
            is_known = named.value.names <= facts.keys() | {f"attacker.{held}_on" for held in ruleset.units.conditions}
            facts[named.id] = named.value.evaluate(facts) if is_known else False
    found: list[Number] = []
    for table in ruleset.attack.bands:
        if table.when.evaluate(facts):
            for band in table.bands:
                upto = band.upto.evaluate(facts)
                assert isinstance(upto, (int, Fraction))
                found.append(upto)
    return found


def test_bands_rise_for_every_weapon_and_a_blow_has_none(ruleset: Ruleset):
    for weapon in ruleset.gear.weapons.values():
        found = edges(ruleset, weapon)
        assert found == sorted(set(found)), weapon.id
        assert bool(found) == (weapon.kind != "melee")


def test_the_desert_eagle_has_the_bands_of_the_example(occult: Ruleset):
    assert edges(occult, occult.gear.weapons["desert-eagle"]) == [5, 15, 31, 64, 65]


def test_the_gunman_is_the_one_of_the_example(occult: Ruleset):
    sheet = occult.units.sheets["gunman"]
    assert (sheet.stats["dexterity"], sheet.stats["weapon_pistol"], sheet.weapons[0]) == (8, True, "usp9")
    assert (sheet.stats["armour_points"], sheet.stats["armour_resistance"]) == (50, 10)
    assert edges(occult, occult.gear.weapons["usp9"])[0] < 20 <= edges(occult, occult.gear.weapons["usp9"])[1]


def test_a_critical_is_full_damage_and_a_die(occult: Ruleset):
    for weapon in (one for one in occult.gear.weapons.values() if one.fields.get("damage")):
        damage, critical = parse_dice(str(weapon.fields["damage"])), parse_dice(str(weapon.fields["critical"]))
        assert (critical.lowest, critical.highest) == (damage.highest + 1, damage.highest + 6), weapon.id


@pytest.mark.parametrize(
    ("endurance", "hp", "fatigue"), [(2, 12, 8), (4, 16, 9), (6, 20, 10), (8, 22, 12), (10, 26, 14)]
)
def test_endurance_gives_hit_points_and_fatigue(occult: Ruleset, endurance: int, hp: int, fatigue: int):
    facts: dict[str, Value] = {"unit.endurance": endurance}
    assert (occult.units.pools["hp"].start.evaluate(facts), occult.units.pools["fatigue"].start.evaluate(facts)) == (
        hp,
        fatigue,
    )


@pytest.mark.parametrize(("dexterity", "wit", "bonus"), [(8, 10, 5), (6, 6, 0), (2, 2, -8), (10, 8, 4), (4, 4, -4)])
def test_initiative_adds_dexterity_and_wit(occult: Ruleset, dexterity: int, wit: int, bonus: int):
    facts: dict[str, Value] = {"unit.dexterity": dexterity, "unit.wit": wit}
    assert occult.turns.initiative.bonus.evaluate(facts) == bonus


@pytest.mark.long
def test_names_of_weapons_in_sheets_are_checked_in_what_ships(ruleset: Ruleset):
    whole = dict(ruleset.texts)
    first = next(iter(ruleset.units.sheets.values())).weapons[0]
    whole["weapons.toml"] = whole["weapons.toml"].replace(f'id = "{first}"', 'id = "gone"', 1)
    with pytest.raises(Unreadable, match="no weapon is called"):
        parse_ruleset(whole, ruleset.id)


def test_speed_is_6_squares_and_what_dexterity_and_endurance_add_but_for_those_that_fly(occult: Ruleset):
    by_dexterity, by_endurance = {4: -1, 6: 0, 8: 1, 10: 2}, {4: 0, 6: 0, 8: 0, 10: 1}
    for sheet in occult.units.sheets.values():
        dexterity, endurance = sheet.stats["dexterity"], sheet.stats["endurance"]
        assert isinstance(dexterity, int) and isinstance(endurance, int)
        flies = 2 if sheet.role in ("flyer", "drone") else 0
        assert sheet.stats["speed"] == 6 + by_dexterity[dexterity] + by_endurance[endurance] + flies, sheet.role


def test_attributes_are_spread_where_a_sheet_says_so(occult: Ruleset):
    spread = [sheet for sheet in occult.units.sheets.values() if "attributes are spread" in sheet.origin.source]
    assert len(spread) == 8
    for sheet in spread:
        left = [10, 8, 6, 6, 4, 2]
        for name in ("strength", "endurance", "dexterity", "wit"):
            left.remove(sheet.stats[name])  # type: ignore[arg-type]


def test_an_aimed_shot_and_kneeling_down_both_take_the_move_action(occult: Ruleset):
    assert set(occult.actions["aimed"].cost) == set(occult.units.budgets)
    assert occult.actions["kneel"].cost["move"].evaluate({"unit.move": 1}) == 1


ORIGIN = ("source", "ruling")


def nested(table: dict[str, Any], kind: str = "", but: tuple[str, ...] = ORIGIN) -> Iterator[tuple[str, str]]:
    """The nested tables of a ruleset by kind and by what they say, apart from some keys such as where it comes from."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from nested(value, key, but)
        elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            for one in value:
                if kind and key in ("effect", "require", "contest", "band"):
                    said = {name: its for name, its in one.items() if name not in but}
                    yield key, json.dumps(said, sort_keys=True)
                yield from nested(one, key, but)


@pytest.mark.parametrize("name", SHIPPED)
def test_no_nested_table_is_a_copy_of_another(name: str) -> None:
    """What several tables share stands in a template."""
    text = (shipped_rulesets()[name] / "ruleset.toml").read_text("utf-8")
    found = Counter(nested(tomllib.loads(text)))
    assert [said for said, count in found.items() if count > 1] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_no_nested_table_does_the_same_as_another_under_another_label(name: str) -> None:
    """A single key, as `posture = "prone"`, is shorter than the template that would say it."""
    text = (shipped_rulesets()[name] / "ruleset.toml").read_text("utf-8")
    found = Counter(nested(tomllib.loads(text), but=(*ORIGIN, "id", "label")))
    assert [said for said, count in found.items() if count > 1 and len(json.loads(said[1])) > 1] == []


SIZES = {
    "aog": (3621, 119_297),
    "cwn": (1810, 66_629),
    "eva": (2489, 98_797),
    "occult-ops": (2299, 69_855),
    "volt": (1805, 58_531),
}
"""Lines and bytes of each `ruleset.toml`, sentences aside, at most. What a ruling adds, raises them by as much."""
SENTENCE = re.compile(r'(?:\n|, )(?:say|help) = (?:"""(?:.|\n)*?"""|"[^"]*")')


def without_sentences(name: str) -> str:
    return SENTENCE.sub("", (shipped_rulesets()[name] / "ruleset.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", SHIPPED)
def test_all_no_ruleset_grows_but_by_its_new_rulings(name: str) -> None:
    text = without_sentences(name)
    lines, size = SIZES[name]
    assert len(text.splitlines()) <= lines and len(text.encode()) <= size


@pytest.mark.parametrize("name", SHIPPED)
def test_all_no_line_of_a_ruleset_is_longer_than_160_columns(name: str) -> None:
    """All: files are read beside the chapter, and a difference in them by lines."""
    files = sorted(shipped_rulesets()[name].glob("*.toml"))
    lines = [(file.name, line) for file in files for line in file.read_text(encoding="utf-8").split("\n")]
    assert [(file, line) for file, line in lines if len(line) > 160] == []


def test_the_longest_ruleset_says_things_once() -> None:
    """eva: 3,000 lines at most, 98,800 bytes without its sentences, and lines that fit a wide screen."""
    lines = (shipped_rulesets()["eva"] / "ruleset.toml").read_text("utf-8").splitlines()
    size = len(without_sentences("eva").encode())
    assert (len(lines) <= 3000, size <= 98_800, max(map(len, lines)) <= 160) == (True, True, True)
