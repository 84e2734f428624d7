"""Words that can only be one of a few: a comparison with any other would never hold, so it is a slip."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from engine.errors import near_miss
from engine.geometry.battlefield import LIGHTS
from engine.geometry.body import POSTURES
from engine.rules.model import ABOUT_WHOM, ACTION_KINDS, ATTACK, WEAPON_KINDS, Ruleset
from engine.toml_reader import Document

MOST_NAMED = 12

CLOSED: Mapping[str, tuple[str, ...]] = {
    "posture": POSTURES,
    "light": LIGHTS,
    "cover_material": ("", "light", "medium", "heavy"),
}
"""Facts that are one of a few words, of whomever they are."""
KINDS = {"weapon": ("", *WEAPON_KINDS), "action": ACTION_KINDS}
"""The same for `kind`, by whose it is; empty hands have none."""


Closed = Mapping[str, tuple[str, ...]]
"""The words that a fact can be, by its whole name, or behind a dot by its last part: of whomever it is."""


def closed_words(rules: Ruleset) -> Closed:
    """What facts of one ruleset can be besides: bands, grades, defences, actions; words of stats, rulings, flags."""
    found: dict[str, tuple[str, ...]] = {
        ".altitude_band": ("", *(band.id for band in rules.space.altitudes)),
        "band": ("", *(band.id for table in rules.attack.bands for band in table.bands)),
        "grade": tuple(grade.id for grade in rules.attack.grades),
        "reaction": ("", *(reaction.id for reaction in rules.turns.reactions)),
        "defence": ("", *(defence.id for defence in rules.attack.defences)),
        "action.id": tuple(rules.actions),
    }
    for ruling in rules.rulings.values():
        if isinstance(ruling.value, str):
            found[f"ruling.{ruling.id}"] = tuple(str(choice) for choice in ruling.choices)
    for action in rules.actions.values():
        for flag, value in action.flags.items():
            if isinstance(value, str):
                found[f"action.{flag}"] = tuple(dict.fromkeys((*found.get(f"action.{flag}", ("",)), value)))
    for stat in rules.units.stats.values():
        if stat.choices:
            found[f".{stat.id}"] = tuple(stat.choices)
    for held in rules.units.conditions.values():
        if held.about == ATTACK:
            found[f".{held.id}{ABOUT_WHOM}"] = ("", *rules.actions)
    return found


def check_words(documents: Iterable[Document], rules: Ruleset) -> None:
    """Notes every comparison of the files' formulas that can never hold."""
    closed = closed_words(rules)
    for document in documents:
        for reader, key, text in document.formulas:
            if (wrong := slip(text, closed)) is not None:
                reader.problem(key, wrong[0], offset=wrong[1])


def slip(text: str, closed: Closed) -> tuple[str, int] | None:
    """What is wrong with the first comparison that can never hold, and its column; None when there is none.

    Args:
        text: a formula that can be read.
        closed: what facts can be, besides those of every ruleset.
    """
    for node in ast.walk(ast.parse(text.strip().replace("\n", " "), mode="eval")):
        if isinstance(node, ast.Compare):
            for name, said in _pairs(node):
                choices = _choices(name, closed)
                if choices and said.value not in choices:
                    return _message(name, str(said.value), choices), said.col_offset
    return None


def _pairs(node: ast.Compare) -> Iterator[tuple[str, ast.Constant]]:
    """Facts that are compared with words, by name."""
    sides = [node.left, *node.comparators]
    names = [ast.unparse(side) for side in sides if isinstance(side, ast.Name | ast.Attribute)]
    words = [one for side in sides for one in (side.elts if isinstance(side, ast.Tuple) else [side])]
    for word in words:
        if len(names) == 1 and isinstance(word, ast.Constant) and isinstance(word.value, str):
            yield names[0], word


def _choices(name: str, closed: Closed) -> tuple[str, ...]:
    owner, _, fact = name.rpartition(".")
    if fact == "kind":
        return KINDS.get("weapon" if owner.endswith("weapon") else owner, ())
    return closed.get(name) or closed.get(f".{fact}") or CLOSED.get(fact, ())


def _message(name: str, said: str, choices: tuple[str, ...]) -> str:
    words = [repr(choice) for choice in choices]
    known = ", ".join(words if len(words) <= MOST_NAMED else [*words[:MOST_NAMED], "…"])
    near = near_miss(said, choices)
    hint = f"; did you mean {near!r}?" if near else ""
    return f"{name} is never {said!r}; expected one of {known}{hint}"
