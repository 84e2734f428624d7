"""What a docstring lists under "Args:" are parameters of its function, or of the class that is made with it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NAMES = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*):")


def documented(docstring: str) -> set[str]:
    """Names that the section "Args:" of a docstring explains; several may share a line."""
    rows = iter(docstring.splitlines())
    names: set[str] = set()
    for row in rows:
        if row == "Args:":
            break
    for row in rows:
        if row and not row.startswith(" "):
            break
        if row[4:5].strip() and (explained := NAMES.match(row, 4)):
            names.update(explained[1].replace("*", "").split(", "))
    return names


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    arguments = node.args
    names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {argument.arg for argument in names if argument}


def test_names_that_share_a_line_are_read() -> None:
    text = "Do it.\n\nArgs:\n    rules, *names: this:\n        and: that\n    last: one.\n\nReturns:\n    of: it."
    assert documented(text) == {"rules", "names", "last"}


@pytest.mark.parametrize("package", ["benchmarks", "engine", "maps", "rulesets", "scripts", "tui"])
def test_documented_parameters_exist(package: str) -> None:
    wrong = []
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            unknown = documented(ast.get_docstring(node) or "") - parameters(node)
            wrong += [f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {name}" for name in sorted(unknown)]
    assert not wrong, "\n".join(wrong)
