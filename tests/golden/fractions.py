"""The golden fractions: what attacks add up to and how likely everything is, exactly, as kept in `fractions.json`.

Every shipped ruleset, every attack, three targets on `yard.toml`: one beside the attacker in thin smoke, one near in
the open, one far behind a crate in dim light. Besides these the grenade of every grenadier on all three, and every
weapon on the near one. The numbers are those of `battleboard odds MAP A B --json`: fractions as texts, "9/20", and no
words, so that a sentence may change and a number may not.

`python -m tests.golden.fractions --write` writes the file anew. Do that where a rule was meant to change, never because
the program that works the rules out did; `git diff` then shows one line for each number that moved.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.battle.attacks.attack_choices import attack_actions
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from maps import load_map
from rulesets import load_ruleset, shipped_rulesets
from tui.application.reports.odds_report import OddsQuery, odds_json, preview_odds
from tui.application.reports.report_scene import Scene

FOLDER = Path(__file__).parent
FILE = FOLDER / "fractions.json"
MAP = FOLDER / "yard.toml"

TARGETS = {"beside": ("dot", "ivy"), "near": ("ada", "gus"), "far": ("ben", "hal")}
"""Who attacks whom."""
ALL = tuple(TARGETS)
GRENADIER = "grenadier"

Numbers = dict[str, Any]
"""The numbers of one attack on one target."""
TextResult = dict[str, dict[str, Numbers]]
"""Of each attack, as "single with pistol", the numbers for each target."""


def the_scene() -> Scene:
    return Scene(load_map(MAP))


def attacks(rules: Ruleset) -> list[tuple[str, str]]:
    """Every attack of a ruleset with a weapon that it works with, and the grenadier's first attack with its grenade.

    The weapon is the first that a role carries, else the first that there is.
    """
    carried = [rules.gear.weapons[weapon] for sheet in rules.units.sheets.values() for weapon in sheet.weapons]
    known = [*carried, *rules.gear.weapons.values()]
    found = {
        (action.id, next(weapon.id for weapon in known if action in attack_actions(rules, weapon)))
        for action in rules.actions.values()
        if action.kind == "attack"
    }
    return sorted({*found, grenade_attack(rules)})


def grenade_attack(rules: Ruleset) -> tuple[str, str]:
    """The first attack with what a grenadier has in hand. Of all attacks it takes longest to work out."""
    grenade = rules.gear.weapons[rules.units.sheets[GRENADIER].weapons[0]]
    return attack_actions(rules, grenade)[0].id, grenade.id


def named(pair: tuple[str, str]) -> str:
    """An attack and its weapon as `fractions.json` calls them."""
    return " with ".join(pair)


def weapons(rules: Ruleset) -> list[tuple[str, str]]:
    """Every weapon that attacks, with the first attack that it is good for."""
    ways = ((attack_actions(rules, weapon), weapon.id) for weapon in rules.gear.weapons.values())
    return sorted(((fitting[0].id, weapon) for fitting, weapon in ways if fitting), key=lambda pair: pair[1])


def asked(scene: Scene, rules: Ruleset, pairs: Iterable[tuple[str, str]], targets: Sequence[str]) -> TextResult:
    """The numbers of attacks with weapons on some of TARGETS."""
    return {
        named((action, weapon)): {
            name: numbers(scene, rules, OddsQuery(*TARGETS[name], weapon=weapon, action=action)) for name in targets
        }
        for action, weapon in pairs
    }


def numbers(scene: Scene, rules: Ruleset, question: OddsQuery) -> Numbers:
    """What one attack adds up to: the ledger line by line, the total, every chance; or that it cannot be asked."""
    try:
        told = odds_json(preview_odds(scene, rules, question))
    except BattleboardError:
        return {"cannot be asked": True}
    return numbers_of(told)


def numbers_of(told: dict[str, Any]) -> Numbers:
    """The numbers of what `odds --json` prints, without its words."""
    found: Numbers = {
        "may": told["possible"],
        "ledger": [_line(entry) for entry in told["ledger"]],
        "total": _number(told["total"]),
        "target number": _number(told["target_number"]),
        "hit": _fraction(told["chance"]["hit"]),
        "grades": {grade: _fraction(chance) for grade, chance in told["chance"]["grades"].items()},
    }
    if told["caught"] is not None:
        found["caught"] = told["caught"]
    if told["outlook"] is not None:
        found |= _outlook(told["outlook"])
    for risk in (*told["area_risks"], *told["struck_instead"]):
        found[f"on {risk['id']}"] = {"caught": _fraction(risk["caught"]), **_outlook(risk)}
    return found


def _outlook(told: dict[str, Any]) -> Numbers:
    found = {name: _fraction(told[name]) for name in ("hurt", "drop", "expected_damage") if name in told}
    if told.get("unsettled", [0, 1])[0]:
        found["unsettled"] = _fraction(told["unsettled"])
    for outcome in told.get("outcomes", ()):
        if outcome["whom"] == "target":
            found[outcome["id"]] = _fraction(outcome["chance"])
    return found


def _line(entry: dict[str, Any]) -> str:
    """ "close-range -30", "cover-ruled 0 off", "out-of-reach forbids"."""
    value = "forbids" if entry["forbids"] else _number(entry["value"])
    return f"{entry['id']} {value}{'' if entry['active'] else ' off'}"


def _fraction(pair: list[int]) -> str:
    return str(Fraction(*pair))


def _number(value: int | float) -> str:
    return str(Fraction(value).limit_denominator(10**6))


def differences(kept: TextResult, now: TextResult) -> list[str]:
    """What is not as it is kept, of all that was asked now: a line for each number, with the attack and the target."""
    return [
        f"{attack} on the target {target}, {name}: was {was.get(name, 'not there')}, is {found.get(name, 'not there')}"
        for attack, targets in now.items()
        for target, found in targets.items()
        for was in [kept.get(attack, {}).get(target, {})]
        for name in {**was, **found}
        if was.get(name) != found.get(name)
    ]


def kept() -> dict[str, dict[str, TextResult]]:
    """What is committed: by ruleset, of its `attacks` and of its `weapons`."""
    found: dict[str, dict[str, TextResult]] = json.loads(FILE.read_text("utf-8"))
    return found


def write() -> None:
    """Writes all numbers as they are now: an attack a paragraph, a target a line."""
    scene, rulesets = the_scene(), []
    for name, folder in sorted(shipped_rulesets().items()):
        rules = load_ruleset(folder)
        parts = {
            "attacks": asked(scene, rules, attacks(rules), ALL),
            "weapons": asked(scene, rules, weapons(rules), ["near"]),
        }
        texts = [f'    "{part}": {{\n' + ",\n".join(_attack_text(*each) for each in told.items()) + "\n    }"
                 for part, told in parts.items()]  # fmt: skip
        rulesets.append(f'  "{name}": {{\n' + ",\n".join(texts) + "\n  }")
    FILE.write_text("{\n" + ",\n".join(rulesets) + "\n}\n", "utf-8")


def _attack_text(attack: str, told: dict[str, Numbers]) -> str:
    rows = [f"        {json.dumps(target)}: {json.dumps(found)}" for target, found in told.items()]
    return f"      {json.dumps(attack)}: {{\n" + ",\n".join(rows) + "\n      }"


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("python -m tests.golden.fractions --write")
    write()
