"""Actions: what a unit may choose to do, what it costs, what must hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_letters, digits

from msgspec import Struct

from engine.errors import near_or_known
from engine.geometry.body import POSTURES
from engine.rules.expressions import Expression, compile_expression, compile_template
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
    "ends_beside_enemy": "move",
    "declares": "other",
    "directed": "other",
    "area": "attack",
    "roll": "attack",
    "as": "attack",
    "confirm": "move",
}
ONE_OF_A_KIND = ("ready", "face")
"""Kinds of which a ruleset has one action at most."""
AREAS = ("cone",)
MENU_KINDS = ("attack", "move", "other")
MENU_LETTERS = frozenset(ascii_letters) - {"j", "k"}
"""Letters that may stand for an action or a group: j and k move the selection in a menu."""
MENU_KEYS = MENU_LETTERS | frozenset(digits)
"""Keys of an action within its group."""
LETTERS_EXPECTED = "expected a letter other than j and k, in a group with a second letter or a number from 1 to 10"


RESOLVES = ("round end",)
"""When a move may be walked that is not walked at once."""


class Frame(Struct, frozen=True):
    """What actions refer to."""

    names: Declarations
    words: Vocabulary


def read_actions(root: Reader, frame: Frame) -> dict[str, Action]:
    """`[action.<id>]`: every action by its id; `[action_group]`: names of groups in the menu by their letters."""
    found: dict[str, Action] = {}
    groups = _read_groups(root)
    actions = root.table("action")
    for name in list(actions.keys()):
        if not value_readers.HYPHENED.fullmatch(name):
            actions.problem(name, f"{quoted(name)} is not a valid id; expected lower-case letters, digits and hyphens")
        found[name] = _read_action(actions.table(name), name, frame, groups)
    if not any(action.kind == "attack" for action in found.values()):
        root.problem(None, "no [action.…] has kind = 'attack'; expected at least one")
    _check_declared(actions, found)
    for kind in ONE_OF_A_KIND:
        alike = [name for name, action in found.items() if action.kind == kind]
        for name in alike[1:]:
            message = f"{quoted(alike[0])} already has kind = {kind!r}; only one action may have it"
            actions.table(name).problem("kind", message)
    return found


def _read_action(entry: Reader, name: str, frame: Frame, groups: Mapping[str, str]) -> Action:
    kind = entry.text("kind", "other", choices=ACTION_KINDS)
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
        (*_left_by_conditions(name, frame, "attacker" if is_attack else "unit"), *_requirements(entry, sample)),
        value_readers.origin(entry),
        value_readers.weapon_kinds(entry) if is_attack else (),
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
        is_directed=_directed(entry, target),
        asks_first=entry.flag("confirm", False),
        ends_beside_enemy=entry.flag("ends_beside_enemy", False),
        used_as=entry.text("as", choices=WEAPON_KINDS) if entry.has("as") else "",
        keeps_facing=value_readers.condition(entry, "keeps_facing", sample) if entry.has("keeps_facing") else None,
        is_rolled=not is_attack or entry.flag("roll", True),
        letter=(letter := _letter(entry, kind, groups)),
        group=groups.get(letter[:1], ""),
    )
    entry.finish()
    return action


def _read_groups(root: Reader) -> dict[str, str]:
    """`[action_group]`: the name of each group of actions by its letter in the menu."""
    table, found = root.table("action_group"), dict[str, str]()
    for letter in list(table.keys()):
        if letter not in MENU_LETTERS:
            table.problem(letter, f"{quoted(letter)} is no letter of a group; {LETTERS_EXPECTED}")
        found[letter] = table.text(letter)
    return found


def _letter(entry: Reader, kind: str, groups: Mapping[str, str]) -> str:
    """`letter`: the action's key in the menu, or its group's key and its own within the group."""
    if not entry.has("letter"):
        return ""
    letter = entry.text("letter")
    first, second = letter[:1], {"10": "0"}.get(letter[1:], letter[1:])
    if kind not in MENU_KINDS:
        entry.problem("letter", f"an action of the kind {kind!r} is in no menu; letter is for {', '.join(MENU_KINDS)}")
    elif not first or first not in MENU_LETTERS or (second and second not in MENU_KEYS):
        entry.problem("letter", f"letter = {quoted(letter)}; {LETTERS_EXPECTED}")
    elif second and first not in groups:
        entry.problem("letter", f"letter = {quoted(letter)}: no [action_group] has the letter {quoted(first)}")
    return first + second


def check_letters(
    root: Reader, actions: Mapping[str, Action], weapons: Mapping[str, Weapon], fields: Mapping[str, Value]
) -> None:
    """Notes actions that would have the same key in one menu.

    A menu has the attacks of one weapon, the moves and the other actions. Two that no posture allows both may share a
    letter, such as standing up from kneeling and from lying down.
    """
    table = root.table("action")
    lettered = [action for action in actions.values() if action.letter]

    def have_no_weapon_in_common(one: Action, other: Action) -> bool:
        return not any(
            works_with(one, weapon, fields) and works_with(other, weapon, fields) for weapon in weapons.values()
        )

    for place, action in enumerate(lettered):
        for other in lettered[:place]:
            is_key_shared = action.letter == other.letter and not (action.group and len(action.letter) == 1)
            if not is_key_shared or not (_postures(action) & _postures(other)):
                continue
            if action.kind == other.kind == "attack" and have_no_weapon_in_common(action, other):
                continue
            message = f"{quoted(other.id)} has the letter {quoted(action.letter)} already, in the same menu"
            table.table(action.id).problem("letter", message)
            break


def _postures(action: Action) -> frozenset[str]:
    """The postures in which an action's requirements can hold."""
    asked = [each.holds for each in action.requires if each.holds.names == {"unit.posture"}]
    return frozenset(one for one in POSTURES if all(holds.evaluate({"unit.posture": one}) for holds in asked))


def _directed(entry: Reader, target: str) -> bool:
    """`directed`: only of an action that is on nothing else."""
    found = entry.flag("directed", False)
    if found and target:
        entry.problem("directed", f"directed is only for actions without a target, not with {quoted(target)}")
    return found


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


def _left_by_conditions(action: str, frame: Frame, whose: str) -> Iterator[Requirement]:
    """That the unit is in no condition which leaves it only other actions."""
    for held in frame.names.conditions.values():
        if held.only_actions and action not in held.only_actions:
            fact, label = f"{whose}.{held.id}", held.label.replace("{", "{{").replace("}", "}}")
            holds, reason = compile_expression(f"not {fact}", (fact,)), compile_template(f"it is {label}", ())
            yield Requirement(holds, reason, held.id)


def _fits(entry: Reader, sample: Sample) -> Expression | None:
    if not entry.has("weapon_filter"):
        return None
    return value_readers.condition(
        entry, "weapon_filter", {name: value for name, value in sample.items() if name.startswith("weapon.")}
    )


def _flags(entry: Reader) -> dict[str, Value]:
    return {name: entry.value(name) for name in list(entry.keys())}
