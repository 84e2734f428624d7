"""Actions: what a unit may choose to do, what it costs, what must hold."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.errors import near_or_known
from engine.rules.expressions import Expression
from engine.rules.model import (
    ACTION_KINDS,
    SQUARE,
    TARGETS,
    WEAPON_KINDS,
    Action,
    Requirement,
    Value,
    Weapon,
    works_with,
)
from engine.rules.space_rules import Cone
from engine.toml_reader import Reader, quoted
from rulesets import value_readers
from rulesets.declarations import Declarations
from rulesets.effects import Stage, read_effects
from rulesets.value_readers import Sample
from rulesets.vocabulary import Vocabulary

ONLY_FOR = {
    "resolves": "move",
    "after_moves": "attack",
    "weapons": "attack",
    "weapon_filter": "attack",
    "distance": "move",
    "straight": "move",
    "altitude_bands": "move",
    "keeps_facing": "move",
    "declares": "other",
    "area": "attack",
    "roll": "attack",
    "as": "attack",
    "empty_handed": "attack",
    "confirm": "move",
}
ONE_OF_A_KIND = ("ready", "face")
"""Kinds of which a ruleset has one action at most."""
AREAS = ("cone",)


RESOLVES = ("round end",)
"""When a move may be walked that is not walked at once."""


class Frame(Struct, frozen=True):
    """What actions refer to."""

    names: Declarations
    words: Vocabulary


def read_actions(root: Reader, frame: Frame) -> dict[str, Action]:
    """`[action.<id>]`: every action by its id."""
    found: dict[str, Action] = {}
    actions = root.table("action")
    for name in list(actions.keys()):
        if not value_readers.HYPHENED.fullmatch(name):
            actions.problem(name, f"{quoted(name)} is not a valid id; expected lower-case letters, digits and hyphens")
        found[name] = _read_action(actions.table(name), name, frame)
    if not any(action.kind == "attack" for action in found.values()):
        root.problem(None, "no [action.…] has kind = 'attack'; expected at least one")
    _check_declared(actions, found)
    for kind in ONE_OF_A_KIND:
        alike = [name for name, action in found.items() if action.kind == kind]
        for name in alike[1:]:
            message = f"{quoted(alike[0])} already has kind = {kind!r}; only one action may have it"
            actions.table(name).problem("kind", message)
    return found


def _read_action(entry: Reader, name: str, frame: Frame) -> Action:
    kind = entry.text("kind", choices=ACTION_KINDS)
    is_attack = kind == "attack"
    target = entry.text("target", "", choices=(SQUARE,) if is_attack else TARGETS)
    if target and kind not in ("attack", "other"):
        entry.problem("target", f"target is only for actions of the kind 'other' or 'attack', not {kind!r}")
    sample = frame.words.attack if is_attack else frame.words.act_on if target else frame.words.act
    for key, owner in ONLY_FOR.items():
        if entry.has(key) and kind != owner:
            entry.problem(key, f"{key} is only for actions of the kind {owner!r}, not {kind!r}")
    if kind == "move" and not entry.has("distance"):
        entry.problem(None, f"the move {quoted(name)} has no 'distance'; expected the distance it covers")
    if is_attack and entry.has("effect"):
        message = f"effects of an attack belong in [[effect]], with when = \"action.id == '{name}'\""
        entry.problem("effect", message)
    action = Action(
        name,
        value_readers.label(entry),
        kind,
        read_cost(entry.table("cost"), sample, frame.names),
        _requirements(entry, sample),
        value_readers.origin(entry),
        _weapon_kinds(entry) if is_attack else (),
        _fits(entry, sample) if is_attack else None,
        value_readers.amount(entry, "ammo", sample) if entry.has("ammo") else None,
        _flags(entry.table("flags")),
        value_readers.amount(entry, "distance", sample, 0) if kind == "move" else None,
        () if is_attack else read_effects(entry.tables("effect"), _stage(sample, target), frame.names),
        *_straight(entry),
        _cone(entry, frame.words),
        entry.whole("altitude_bands", least=0, most=100) if entry.has("altitude_bands") else None,
        target=target,
        is_at_round_end=kind == "move" and entry.has("resolves") and bool(entry.text("resolves", choices=RESOLVES)),
        after_moves=is_attack and entry.flag("after_moves", False),
        is_instant=_instant(entry, kind),
        declares=_declares(entry) if kind == "other" else (),
        asks_first=entry.flag("confirm", False),
        used_as=entry.text("as", choices=WEAPON_KINDS) if entry.has("as") else "",
        keeps_facing=value_readers.condition(entry, "keeps_facing", sample) if entry.has("keeps_facing") else None,
        is_rolled=not is_attack or entry.flag("roll", True),
        empty_handed=entry.text("empty_handed", "") if is_attack else "",
    )
    entry.finish()
    return action


def check_empty_handed(
    root: Reader, actions: Mapping[str, Action], weapons: Mapping[str, Weapon], fields: Mapping[str, Value]
) -> None:
    """Notes attacks of empty hands whose weapon is missing, or with which they cannot be made."""
    table = root.table("action")
    for action in actions.values():
        weapon = weapons.get(action.empty_handed)
        if action.empty_handed and (weapon is None or not works_with(action, weapon, fields)):
            message = f"empty_handed = {quoted(action.empty_handed)} is no weapon that the attack can be made with"
            table.table(action.id).problem("empty_handed", message)


def _declares(entry: Reader) -> tuple[str, ...]:
    """`declares`: attacks, of which `_check_declared` knows whether they are there."""
    found = entry.texts("declares", ())
    if entry.has("declares") and not found:
        entry.problem("declares", "declares is empty; expected the attacks that can be declared")
    return found


def _check_declared(actions: Reader, found: Mapping[str, Action]) -> None:
    attacks = [action.id for action in found.values() if action.kind == "attack"]
    for action in found.values():
        for name in action.declares:
            if name not in attacks:
                expected = near_or_known(name, attacks)
                actions.table(action.id).problem("declares", f"no attack is called {quoted(name)}; {expected}")


def _cone(entry: Reader, words: Vocabulary) -> Cone | None:
    """`area`: the shape of what the attack strikes, with the keys that belong to it."""
    if not entry.has("area"):
        for key in ("arc", "length"):
            if entry.has(key):
                entry.problem(key, f'{key} is only for attacks on an area; add area = "cone"')
        return None
    entry.text("area", choices=AREAS)
    return Cone(entry.whole("arc", least=1, most=360), value_readers.amount(entry, "length", words.situation))


def _stage(sample: Sample, target: str) -> Stage:
    """What effects of an act may be about: the unit itself, or where it acts on somebody that one before all."""
    has_target = target not in ("", SQUARE)
    return Stage(sample, (), "target" if has_target else "attacker", has_target=has_target)


def _instant(entry: Reader, kind: str) -> bool:
    if entry.has("instant") and kind not in ("attack", "other"):
        entry.problem("instant", f"instant is only for actions of the kinds 'attack' and 'other', not {kind!r}")
    return entry.flag("instant", False)


def _straight(entry: Reader) -> tuple[bool, int]:
    """`straight`: true for the whole way, or how many steps at its end."""
    if entry.has("straight") and not isinstance(entry.raw("straight"), bool):
        return False, entry.whole("straight", least=1, most=100)
    return entry.flag("straight", False), 0


def read_cost(entry: Reader, sample: Sample, names: Declarations) -> dict[str, Expression]:
    found: dict[str, Expression] = {}
    for budget in list(entry.keys()):
        if entry.has(budget) and budget not in names.budgets:
            entry.problem(budget, f"no budget is called {quoted(budget)}; known: {', '.join(names.budgets) or 'none'}")
            continue
        found[budget] = value_readers.amount(entry, budget, sample)
    return found


def _requirements(entry: Reader, sample: Sample) -> tuple[Requirement, ...]:
    found: list[Requirement] = []
    for row in entry.tables("require"):
        if not row.has("holds"):
            row.problem(None, "a requirement has no 'holds'; expected a formula with the value yes or no")
        holds = value_readers.condition(row, "holds", sample)
        found.append(Requirement(holds, value_readers.template(row, "reason", sample)))
        row.finish()
    return tuple(found)


def _weapon_kinds(entry: Reader) -> tuple[str, ...]:
    kinds = entry.texts("weapons")
    if entry.has("weapons") and (not kinds or not set(kinds) <= set(WEAPON_KINDS)):
        entry.problem("weapons", f"weapons takes one or more of {', '.join(WEAPON_KINDS)}")
    return kinds


def _fits(entry: Reader, sample: Sample) -> Expression | None:
    if not entry.has("weapon_filter"):
        return None
    return value_readers.condition(
        entry, "weapon_filter", {name: value for name, value in sample.items() if name.startswith("weapon.")}
    )


def _flags(entry: Reader) -> dict[str, Value]:
    return {name: entry.value(name) for name in list(entry.keys())}
