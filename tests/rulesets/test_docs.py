"""The page on rulesets says everything: every key that is read, every fact, every effect, every function."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from engine.battle.command import Act
from engine.battle.commands.unit_edits import SetPool
from engine.battle.effects import EFFECTS
from engine.geometry.metric import METRICS
from engine.rules.fact_list import facts_by_name
from engine.rules.functions import FUNCTIONS
from engine.rules.initiative_kinds import EVERY, INITIATIVES
from engine.rules.model import (
    ABOUT,
    ACTION_KINDS,
    DURATIONS,
    FACT_TIMES,
    NEARBY,
    REFILLS,
    ROUNDINGS,
    TARGETS,
    WEAPON_KINDS,
)
from engine.rules.reaction_rules import BY, TRIGGERS
from engine.rules.space_rules import LANDS_AT, RINGS
from engine.rules.test_kinds import TESTS
from engine.rules.turn_rules import MOMENTS
from engine.toml_reader import Reader
from rulesets import parse_ruleset, shipped_rulesets
from rulesets.loader import FILES, check_ruleset
from tests.rules.table import fight

PAGE = (Path(__file__).parents[2] / "docs" / "rulesets.md").read_text("utf-8")
IN_CODE = re.compile(r"`([^`\n]+)`")
NAMED = re.compile(r"^(stat|pool|derived|budget|condition|ruling|action|movement\.mode)\.[^.]+")
"""Sections whose tables are called as their author likes."""
OWN_WORDS = (
    "stat", "pool", "derived", "budget", "condition", "ruling", "action", "action_group", "movement.mode",
    "action.*.cost", "action.*.flags",
    "armour.stats", "accessory.stats", "accessory.adds", "sheet.stats", "weapon_fields", "scatter.towards",
    "reaction.cost", "defence.cost",
)  # fmt: skip
"""Tables whose keys are ids or words of the ruleset's own."""
ASKING = ("has", "raw", "text", "block", "whole", "number", "flag", "texts", "value", "table", "tables")


def said(text: str) -> set[str]:
    """Words in code in a part of the page."""
    return set(IN_CODE.findall(text))


def parts() -> Mapping[str, set[str]]:
    """What the page says in code about each section, by the section's path; effects have a chapter of their own."""
    found: dict[str, set[str]] = {"": said(PAGE.partition("### The top of")[2].partition("\n### ")[0])}
    for heading, text in re.findall(r"^### (.*)\n((?:(?!^#).*\n)*)", PAGE, flags=re.M):
        for name in IN_CODE.findall(heading):
            path = re.sub(r"<[a-z]+>", "*", name.strip("[]"))
            found[path] = said(text)
    effects = said(PAGE.partition("## What effects can do")[2].partition("\n## ")[0])
    return defaultdict(set, found) | {"effect": effects}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, set[str]]]:
    """The keys that the loader asks for, by section, while the shipped rulesets are read."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in ASKING:
        original = getattr(Reader, name)

        def noting(self: Reader, key: str, *more: object, original: object = original, **named: object) -> object:
            path = NAMED.sub(r"\1.*", ".".join(str(part) for part in self.path if not isinstance(part, int)))
            found[path].add(key)
            return original(self, key, *more, **named)  # type: ignore[operator]

        monkeypatch.setattr(Reader, name, noting)
    for folder in shipped_rulesets().values():
        check_ruleset(folder)  # anew, whoever read it before
    yield found


def test_every_key_is_documented_in_its_section(asked: dict[str, set[str]]) -> None:
    known = parts()
    common = {"id", "label", "say", "source", "ruling"}
    for path, keys in asked.items():
        if path in OWN_WORDS or path == "weapon":
            continue
        here = known["effect"] | common if path.split(".")[-1] in ("effect", "contest") else known[path]
        missing = [key for key in sorted(keys - here) if path or f"[{key}" not in PAGE]
        assert missing == [], f"[{path}]"


def test_every_fact_is_documented() -> None:
    chapter = said(PAGE.partition("## Facts")[2])
    of_units = r"^(attacker|target|unit|reactor|defender|weapon|target_weapon|defender_weapon)\."
    plain = {re.sub(of_units, "", name) for name in facts_by_name()}
    assert sorted(plain - chapter) == []


@pytest.mark.parametrize(
    "words",
    [
     *(tuple(kind.kind for kind in kinds) for kinds in (EFFECTS, INITIATIVES, TESTS)), ACTION_KINDS, DURATIONS, METRICS,
     ROUNDINGS, WEAPON_KINDS, FUNCTIONS, TRIGGERS, LANDS_AT, ABOUT, EVERY, FACT_TIMES, MOMENTS, NEARBY, REFILLS,
     TARGETS, BY,
    ],
)  # fmt: skip
def test_every_word_that_a_key_takes_is_documented(words: tuple[str, ...]) -> None:
    assert sorted(set(words) - said(PAGE)) == []


def test_bearings_are_documented_by_example() -> None:
    assert "ahead" in RINGS[1].steps
    assert {"ahead", "back-left"} <= said(PAGE)


def test_the_page_s_tutorial_is_true() -> None:
    """The weapon, the ruling and the condition of the page work in a copy of the ruleset they are about."""
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.S)
    identity, modifier, weapon, condition = blocks[:4]
    folder = shipped_rulesets()["occult-ops"]
    texts = {name: (folder / name).read_text("utf-8") for name in FILES}
    rules = texts["ruleset.toml"]
    for line in identity.strip().splitlines():
        key = line.partition(" = ")[0]
        rules = re.sub(rf"^{key} = .*$", line, rules, count=1, flags=re.M)
    old = re.search(r'\[\[modifier\]\]\nid = "into-melee"\n(?:.+\n)+', rules)
    assert old
    rules = rules.replace(old.group(), modifier) + condition
    changed = parse_ruleset(
        {**texts, "ruleset.toml": rules, "weapons.toml": texts["weapons.toml"] + weapon}, "house-rules"
    )
    assert changed.id == "house-rules"
    assert changed.gear.weapons["sawn-off"].fields["max_range"] == 30
    assert "deafened" in changed.units.conditions
    assert any(line.id == "into-melee" and line.value.text == "-20" for line in changed.attack.modifiers)


@pytest.mark.long
@pytest.mark.parametrize(
    ("roll", "wounds", "lost"), [(30, 9, {}), (31, 9, {"wounds": 2}), (31, 1, {"wounds": 1, "lethal": 1})]
)
def test_the_page_s_damage_and_check_work(roll: int, wounds: int, lost: dict[str, int]) -> None:
    """In a copy of eva: a shove that the target resists at Agility 30, and damage past its last wound."""
    (block,) = (one for one in re.findall(r"```toml\n(.*?)```", PAGE, flags=re.S) if "[template.damage]" in one)
    block = re.sub(r"\b(template|uses)\.(damage|check)\b", r"\1.page-\2", block)
    stats = {"b": {"agility": 30, "fate_points": 1, "wound_points": 10}}
    table = fight("eva", "ab", a="rifleman", b="gunman", stats=stats, more_rules=block)
    table.do(SetPool("b", "wounds", wounds))
    before = dict(table.unit("b").pools)
    said = table.do(Act("a", "shove", "b"), (roll,))
    after = table.unit("b").pools
    assert {pool: before[pool] - after[pool] for pool in before if before[pool] != after[pool]} == lost
    assert any(line.startswith("Agility to keep its feet: rolled") for line in said)
