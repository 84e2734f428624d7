"""Words that can only be one of a few: a comparison with any other would never hold, so it is a slip."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from engine.field.battlefield import LIGHTS
from engine.field.silhouette import POSTURES
from engine.rules.model import ACTION_KINDS, WEAPON_KINDS

CLOSED: Mapping[str, tuple[str, ...]] = {
    "posture": POSTURES,
    "light": LIGHTS,
    "cover_material": ("", "light", "medium", "heavy"),
}
"""Facts that are one of a few words, of whomever they are."""
KINDS = {"weapon": ("", *WEAPON_KINDS), "action": ACTION_KINDS}
"""The same for `kind`, by whose it is; empty hands have none."""


def slip(text: str) -> tuple[str, int] | None:
    """What is wrong with the first comparison that can never hold, and its column; None when there is none.

    Args:
        text: a formula that can be read.
    """
    for node in ast.walk(ast.parse(text.strip().replace("\n", " "), mode="eval")):
        if isinstance(node, ast.Compare):
            for name, said in _pairs(node):
                choices = _choices(name)
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


def _choices(name: str) -> tuple[str, ...]:
    owner, _, fact = name.rpartition(".")
    if fact == "kind":
        return KINDS.get("weapon" if owner.endswith("weapon") else owner, ())
    return CLOSED.get(fact, ())


def _message(name: str, said: str, choices: tuple[str, ...]) -> str:
    return f"{name} is never {said!r}; it is one of {', '.join(repr(each) for each in choices)}"
