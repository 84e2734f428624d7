"""`maps`, `rulesets`, `rules` and `facts`: what there is, and what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.rules.fact_list import facts_by_name
from maps import shipped_maps
from rulesets import shipped_rulesets
from tui.__main__ import main

MAP = "format = 1\nname = 'Mine'\n[scale]\nsquare = 5\nunit = 'feet'\n[map]\nsquares = '''\n...\n...\n'''\n"


def words(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(argv) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def value(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    return json.loads(words(capsys, *argv, "--json"))


def test_maps_lists_what_ships(capsys: pytest.CaptureFixture[str]) -> None:
    found = {item["id"]: item for item in value(capsys, "maps")}
    assert found.keys() == shipped_maps().keys()
    trail = found["frontier-trail"]
    assert (trail["columns"], trail["rows"], trail["square"], trail["unit"]) == (36, 20, 5.0, "feet")
    assert "todd" in trail["units"]
    assert trail["where"] == "shipped"
    out = words(capsys, "maps")
    assert "frontier-trail" in out
    assert "36×20 squares of 5 feet" in out
    assert all(len(line) <= 100 for line in out.splitlines())


def test_maps_lists_the_user_s_own_and_names_the_bad(capsys: pytest.CaptureFixture[str], data_folder: Path) -> None:
    folder = data_folder / "maps"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(MAP)
    assert {"mine"} == {item["id"] for item in value(capsys, "maps") if item["where"] == str(folder)}
    (folder / "bad.toml").write_text("format = 1\n[")
    assert main(["maps"]) == 1
    printed = capsys.readouterr()
    assert "mine" in printed.out
    assert "frontier-trail" in printed.out
    assert f"{folder / 'bad.toml'}:2:" in printed.err


@pytest.mark.slow
def test_rulesets_lists_what_ships(capsys: pytest.CaptureFixture[str]) -> None:
    found = {item["id"]: item for item in value(capsys, "rulesets")}
    assert found.keys() == shipped_rulesets().keys()
    assert found["occult-ops"]["name"] == "Occult Ops"
    assert found["occult-ops"]["where"] == "shipped"
    assert "Occult Ops" in words(capsys, "rulesets")


def test_rulesets_lists_a_copy_in_the_user_s_folder(capsys: pytest.CaptureFixture[str], data_folder: Path) -> None:
    mine = data_folder / "rulesets" / "occult-ops"
    mine.mkdir(parents=True)
    for name in ("ruleset.toml", "weapons.toml", "sheets.toml"):
        (mine / name).write_bytes((shipped_rulesets()["occult-ops"] / name).read_bytes())
    found = {item["id"]: item["where"] for item in value(capsys, "rulesets")}
    assert found["occult-ops"] == str(data_folder / "rulesets")
    assert found["cwn"] == "shipped"
    (mine / "weapons.toml").unlink()
    assert main(["rulesets"]) == 1
    assert "weapons.toml" in capsys.readouterr().err


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_rules_prints_every_rule_with_its_source(capsys: pytest.CaptureFixture[str], ruleset: str) -> None:
    found = value(capsys, "rules", ruleset)
    out = words(capsys, "rules", ruleset)
    flowing = " ".join(out.split())
    assert found["id"] == ruleset
    entries = [*found["grades"], *found["modifiers"], *found["restrictions"], *found["effects"]]
    tables = ("actions", "weapons", "armour", "accessories", "sheets", "pools")
    entries += [entry for table in tables for entry in found[table].values()]
    assert len(entries) > 40
    for entry in entries:
        assert entry["label"] in flowing
        assert entry["origin"]["source"]
        assert f"source: {' '.join(entry['origin']['source'].split())}" in flowing
        assert not entry["origin"]["ruling"] or " ".join(entry["origin"]["ruling"].split()) in flowing
    assert all(len(line) <= 100 for line in out.splitlines())


def test_rules_says_formulas_as_they_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    found = value(capsys, "rules", "occult-ops")
    assert found["test"]["dice"] == "1d100"
    modifiers = {modifier["id"]: modifier for modifier in found["modifiers"]}
    assert modifiers["weapon-pistol"]["when"] == "group == 'pistol' and attacker.weapon_pistol"
    assert "texts" not in found


def test_rules_of_an_unknown_id_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "ocult-ops"]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "No ruleset is called 'ocult-ops'. Did you mean 'occult-ops'?\n")


def test_facts_are_the_documented_ones(capsys: pytest.CaptureFixture[str]) -> None:
    found = {item["name"]: item for item in value(capsys, "facts")}
    assert found.keys() == facts_by_name().keys()
    assert found["covered"]["kind"] == "number"
    out = words(capsys, "facts")
    assert "covered" in out
    assert ".posture" in out


def test_facts_of_a_ruleset_add_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = {item["name"]: item["kind"] for item in value(capsys, "facts", "--ruleset", "occult-ops")}
    assert kinds["attacker.dexterity"] == "number"
    assert kinds["target.dodging"] == "yes/no"
    assert kinds["unit.hp"] == "whole"
    assert kinds["weapon.max_range"] == "number"
    assert kinds["action.aimed"] == "yes/no"
    assert kinds.keys() > facts_by_name().keys()


def test_coverage_names_the_clauses_of_each_row_and_counts_them(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["id"]: row for row in value(capsys, "rules", "eva", "--coverage")}
    assert rows["EVA-21"]["clauses"][1] == {
        "id": "EVA-21.2",
        "says": "Overwatch: a ranged attack is named, standard or burst",
        "rules": ["condition.declared"],
        "left_out": "",
        "gm": "",
    }
    lines = words(capsys, "rules", "eva", "--coverage").splitlines()
    assert lines[-1] == "133 clauses: 129 done, 4 left out; the GM decides a part of 4."
    said = " ".join(" ".join(lines).split())
    assert "EVA-10.5 Unarmed Warrior and Unarmed Master change it: left out: the chapter only names" in said
