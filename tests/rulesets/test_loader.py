"""Loading: a small whole ruleset, and every kind of mistake with its place and its sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.battle.effects.pool_effects import LoseEffect
from engine.errors import Unreadable
from engine.rules.expressions import constant
from rulesets import Unreadables, load_ruleset, loader, parse_ruleset, shipped_rulesets
from rulesets.loader import check_ruleset
from tests.rulesets.texts import SHEETS, small, texts


def refusal(old: str, new: str) -> str:
    with pytest.raises(Unreadable) as caught:
        parse_ruleset(texts(old, new), "small")
    return str(caught.value)


def test_a_small_ruleset_loads_whole():
    ruleset = parse_ruleset(texts(), "small")
    assert (ruleset.id, ruleset.distance.unit, ruleset.gear.magazine_field) == ("small", "feet", "magazine")
    assert ruleset.texts["sheets.toml"] == SHEETS
    assert ruleset.gear.weapons["fist"].fields == {"reach": 0, "damage": "1d3", "magazine": 0, "loud": True}
    assert [grade.is_hit for grade in ruleset.attack.grades] == [True, False]
    assert ruleset.actions["attack"].cost == {"main": constant(1)}
    assert ruleset.actions["walk"].effects[0].whom == "attacker"
    assert isinstance(lost := ruleset.attack.effects[1], LoseEffect)
    assert lost.pool == "hp"


def test_armour_sets_stats_and_the_sheet_has_the_last_word():
    assert parse_ruleset(texts(), "small").units.sheets["drone"].stats == {"skill": 45}
    own = texts('role = "drone"', 'role = "drone"\nstats = { skill = 70 }')
    assert parse_ruleset(own, "small").units.sheets["drone"].stats == {"skill": 70}


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ('value = "attacker.skill"', 'value = "attacker.skil"', '"attacker.skil"', "did you mean 'attacker.skill'"),
        ('when = "success"', 'when = "roll > 1 and sucess"', "sucess", "did you mean 'success'"),
        ('when = "ranged"', 'when = "1 == band"', "band", "no fact is called 'band'"),
        ('start = "unit.skill / 5"', 'start = "1 + unit.hp"', "unit.hp", "no fact is called 'unit.hp'"),
        ('because = "skill {attacker.skill}"', 'because = "skill {attacker.skill"', "{att", "without its }"),
        ('when = "melee and not adjacent"', 'when = "melee or or x"', "or x", "not a formula"),
        ('value = "attacker.skill"', 'value = "weapon.damage"', '"weapon', "expected a number"),
        ('lose = "damage"', 'lose = "1 + damagee"', "damagee", "did you mean 'damage'"),
        ('lose = "damage"', "lose = \"'much'\"", "\"'much", "lose is the text 'much'"),
        ('as = "damage"', 'as = "distance"', '"distance', "is already a fact"),
        ('as = "damage"\n', "", "effect]]", "has no 'as'"),
        ('roll = "weapon.damage"', 'roll = "2d6x"', 'x"', "not a dice expression"),
        ('pool = "hp"', 'pool = "hpp"', '"hpp', "did you mean 'hp'"),
        ('on = ["good"]', 'on = ["goood"]', '["goood', "no grade is called 'goood'"),
        ('on = ["good"]\n', "", "effect]]", "has no 'on'"),
        ('lose = "damage"', 'gain = 1\nlose = "damage"', "effect]]", "exactly one of"),
        ('step = "more"', 'step = "mor"', '"mor', "did you mean 'more'"),
        ("cost = { main = 1 }", "cost = { mian = 1 }", "1 }", "no budget is called 'mian'"),
        ('id = "bad"', 'id = "good"', '"good', "the grade 'good' already exists"),
        ('id = "bad"', 'id = "miss"', '"miss', "choose another id"),
        ('id = "apart"', 'id = "skill"', '"skill', "the ledger entry 'skill' already exists"),
        ("[budget.main]", "[budget.skill]", "skill]", "'skill' is already declared"),
        ("[pool.hp]", "[pool.posture]", "posture]", "'posture' is already a built-in fact of every unit"),
        ("[pool.hp]", "[pool.h-p]", "h-p]", "is not a valid fact name"),
        ("hit = false\n", 'hit = false\nwhen = "roll > 5"\n', '"roll', "must apply to every other roll"),
        ('mark = "s"', 'mark = "忍"', '"忍', "one character, one column wide"),
        ("reach = 0", "rounds = 0", "0", "'rounds' is already built in for every weapon"),
        ('magazine_field = "magazine"', 'magazine_field = "loud"', '"loud', "not a weapon field with"),
        ('equal = "hit"', 'equal = "hit"\ndifficulty = 3', "3", "roll-under test has no difficulty"),
        ('kind = "roll-under"', 'kind = "roll-over"', "test]", "has no 'difficulty'"),
        ('dice = "1d100"', 'dice = "1d"', '"', "not a dice expression"),
        ('reason = "stunned"', 'reason = "stunned"\nwhy = 1', "why", "has no key 'why'"),
        ('kind = "move"', 'kind = "other"', "30", "distance is only for actions of the kind 'move'"),
        ("distance = 30\n", "", "walk]", "has no 'distance'"),
        ("ammo = 1", "straight = true", "true", "straight is only for actions of the kind 'move'"),
        ("distance = 30\n", "distance = 30\nstraight = 0\n", "0", "expected 1 to"),
        ('posture = "standing"', "halt = false", "false", "halt = false does nothing"),
        ('posture = "standing"', "push = 3", "3", "push needs an attack roll"),
        ('lose = "damage"\npool = "hp"', 'set_grade = "goood"', '"goood', "did you mean 'good'"),
        ('posture = "standing"', "reload = false", "false", "reload = false does nothing"),
        ('value = "attacker.skill"', "value = \"'x' if attacker.stunned else 3\"", "\"'x'", "the text 'x'"),
        ('value = "attacker.skill"', 'value = "ranged and 3"', '"ranged', "is false"),
        ("cost = { main = 1 }", 'cost = { main = "attacker.main > 3" }', '"attacker', "is false"),
        ("distance = 30", 'distance = "unit.skill > 100 or 5"', '"unit', "is true"),
        ('posture = "standing"', 'posture = "standin"', '"standin', "did you mean 'standing'"),
        ("flags = { wild = true }", "flags = { id = true }", "true", "action.id is already a fact"),
        ("[action.walk]", "[action.walk.flags]\nwild = 3\n[action.walk]", "3", "another action sets the flag 'wild'"),
        ("value = 10\n", "value = 10\nx =\n", "", "this is not TOML"),
        ('label = "near"', 'labbel = "near"', "labbel", "did you mean 'label'"),
        ('value = 10\nsource = "ours"\n', "value = 10\n", "band]]", "has no 'source'"),
        ('value = 10\nsource = "ours"\n', 'value = 10\nsource = ""\n', '""', "source is empty"),
        ('damage = "2d6"', "damage = 2", "2", "expected a text in quotes"),
        ('damage = "2d6"', 'damage = "2d6 extra"', '"2d6 extra', "not a dice expression"),
        ("magazine = 6", "magazine = -6", "-6", "expected 0 to"),
        ("magazine = 6", "magasine = 6", "magasine", "did you mean 'magazine'"),
        ('id = "fist"', 'id = "gun"', '"gun', "the weapon 'gun' already exists"),
        ('kind = "melee"', 'kind = "meele"', '"meele', "did you mean 'melee'"),
        ("stats = { skill = 45 }", "stats = { skil = 45 }", "skil", "did you mean 'skill'"),
        ("stats = { skill = 45 }", "stats = { skill = -45 }", "sheet]]", "'hp' starts at -9 for this sheet"),
        ('weapons = ["gun", "fist"]', 'weapons = ["gunn", "fist"]', '["gunn', "did you mean 'gun'"),
        ('weapons = ["gun", "fist"]', "weapons = []", "[]", "leave it out"),
        ('armour = "coat"', 'armour = "goat"', '"goat', "did you mean 'coat'"),
        ('role = "drone"', 'role = "dronne"', "[[sheet]]", "roles drone"),
        ('role = "drone"', 'role = "gunman"', '"gunman', "'gunman' already exists"),
    ],
)
def test_a_mistake_is_reported_with_its_place(old: str, new: str, at: str, message: str):
    with pytest.raises(Unreadable) as caught:
        parse_ruleset(texts(old, new), "small")
    told = [problem for problem in caught.value.problems if message in problem.message]
    assert told, str(caught.value)
    assert told[0].source_line[told[0].column - 1 :].startswith(at), str(caught.value)


def test_effects_of_an_attack_belong_to_the_roll():
    extra = '[[action.attack.effect]]\nid = "x"\nlabel = "x"\nlose = 1\npool = "hp"\nsource = "ours"\n[action.walk]'
    assert "effects of an attack belong in [[effect]]" in refusal("[action.walk]", extra)


READY = '[action.{0}]\nlabel = "x"\nkind = "ready"\ncost = {{ main = "{1}" }}\nsource = "ours"\n'


def test_one_action_says_what_it_costs_to_take_the_weapon_that_is_taken():
    loud = READY.format("draw", "1 if weapon.loud else unit.main")
    draw = parse_ruleset(texts("[action.walk]", f"{loud}[action.walk]"), "small").actions["draw"]
    assert draw.kind == "ready"
    assert draw.cost["main"].evaluate({"weapon.loud": True}) == 1
    again = loud + READY.format("stow", "0")
    assert "stow" not in refusal("[action.walk]", f"{loud}[action.walk]\nx = 1\n")
    assert "'draw' already has kind = 'ready'" in refusal("[action.walk]", f"{again}[action.walk]")


def test_a_move_in_a_straight_line_and_an_act_that_ends_a_move():
    changed = texts("distance = 30\n", "distance = 30\nstraight = true\n")
    changed["ruleset.toml"] = changed["ruleset.toml"].replace('posture = "standing"', "halt = true")
    small = parse_ruleset(changed, "small")
    assert small.actions["walk"].is_straight and not small.actions["attack"].is_straight
    assert [effect.kind for effect in small.actions["walk"].effects] == ["halt"]


def test_every_mistake_of_all_files_comes_at_once():
    wrong = texts('value = "attacker.skill"', 'value = "attacker.skil"')
    wrong |= {name: texts('damage = "2d6"', "damage = 2")[name] for name in ("weapons.toml",)}
    wrong |= {name: texts('armour = "coat"', 'armour = "goat"')[name] for name in ("sheets.toml",)}
    with pytest.raises(Unreadables) as caught:
        parse_ruleset(wrong, "small")
    text = str(caught.value)
    assert [file.file for file in caught.value.files] == [f"small/{name}" for name in wrong]
    assert len(caught.value.problems) == 3
    assert all(f"small/{name}:" in text for name in wrong)


def test_a_missing_file_is_named():
    whole = texts()
    del whole["weapons.toml"]
    with pytest.raises(Unreadable, match="the file is missing; a ruleset needs"):
        parse_ruleset(whole, "small")


def test_an_empty_ruleset_is_refused_in_sentences():
    with pytest.raises(Unreadables) as caught:
        parse_ruleset(dict.fromkeys(texts(), ""), "empty")
    assert "sheets are missing for the roles gunman, rifleman" in str(caught.value)


def test_a_folder_is_read_and_its_faults_named(tmp_path):
    for name, text in texts().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert load_ruleset(tmp_path).name == "Small"
    (tmp_path / "weapons.toml").write_bytes(b"# ours\nlabel = '\xff'\n")
    (tmp_path / "sheets.toml").unlink()
    (tmp_path / "sheets.toml").mkdir()
    with pytest.raises(Unreadables) as caught:
        load_ruleset(tmp_path)
    assert "weapons.toml:2:10: the file is not UTF-8 text" in str(caught.value)
    assert "sheets.toml:1:1: this is a folder; expected a ruleset file" in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    for name, text in texts().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "weapons.toml").unlink()
    os.mkfifo(tmp_path / "weapons.toml")
    with pytest.raises(Unreadable, match="this is not a plain file; expected"):
        load_ruleset(tmp_path)


def test_a_folder_that_is_not_there_is_unreadable(tmp_path):
    with pytest.raises(Unreadable):
        load_ruleset(tmp_path / "none")


def folder_of(path: Path, whole: dict[str, str]) -> Path:
    """A folder with a ruleset."""
    for name, text in whole.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def test_a_ruleset_is_read_once_and_again_when_it_was_edited(tmp_path):
    folder = folder_of(tmp_path, texts())
    before = load_ruleset(folder)
    assert load_ruleset(folder) is before
    folder_of(tmp_path, texts('name = "Small"', 'name = "Smaller"'))
    assert load_ruleset(folder).name == "Smaller"
    assert check_ruleset(folder) == load_ruleset(folder)
    assert check_ruleset(folder) is not load_ruleset(folder)


def test_so_many_rulesets_are_remembered_and_no_more():
    first = parse_ruleset(texts(), "first")
    for number in range(loader.MOST_KNOWN):
        assert parse_ruleset(texts('name = "Small"', f'name = "Small {number}"'), "small").name == f"Small {number}"
    again = parse_ruleset(texts(), "first")
    assert again == first
    assert again is not first


@pytest.mark.long
def test_only_what_ships_is_spared_the_checks_for_authors(tmp_path, monkeypatch):
    loader._read_once.cache_clear()
    checked = []
    monkeypatch.setattr("rulesets.enumerations.check_words", lambda documents, rules: checked.append(documents[0].file))
    shipped = load_ruleset(shipped_rulesets()["volt"])
    assert parse_ruleset(shipped.texts, "in a battle") is shipped
    assert checked == []
    edited = {**shipped.texts, "ruleset.toml": shipped.texts["ruleset.toml"] + "\n# ours\n"}
    load_ruleset(folder_of(tmp_path, edited))
    parse_ruleset({**edited, "sheets.toml": edited["sheets.toml"] + "\n# and more\n"}, "in a battle")
    check_ruleset(shipped_rulesets()["volt"])
    assert [Path(file).parent.name for file in checked] == [tmp_path.name, "in a battle", "volt"]


ACT = """
[action.{name}]
label = "Act"
kind = "other"
source = "ours"
[[action.{name}.effect]]
id = "named"
label = "Named"
let = "{value}"
as = "{fact}"
source = "ours"
[[action.{name}.effect]]
id = "lost"
label = "Lost"
lose = "own + 0 if own == 1 else own"
pool = "hp"
source = "ours"
"""


@pytest.mark.parametrize(
    ("value", "fact", "said"),
    [
        ("'x'", "own", "lose is the text 'x'; expected a number"),
        ("1 > 0", "own", "lose is false; expected a number"),
        ("1", "other", "no fact is called 'own'"),
    ],
)
def test_a_formula_that_stands_twice_is_checked_with_the_facts_of_each_place(value: str, fact: str, said: str):
    small(ACT.format(name="one", value="1", fact="own"))
    with pytest.raises(Unreadable) as caught:
        small(ACT.format(name="one", value="1", fact="own") + ACT.format(name="two", value=value, fact=fact))
    (problem,) = [problem for problem in caught.value.problems if "lose" in problem.source_line]
    assert said in problem.message
