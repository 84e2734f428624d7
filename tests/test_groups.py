"""What is installed for whom: the program needs no dependency group, and each command names the group it needs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
GROUPS = {"pytest": "dev", "ruff": "dev", "mypy": "dev", "mkdocs": "docs", "python -m benchmarks": "bench"}
"""Programs and the group that installs each."""
COMMAND = re.compile(r"uv run(?P<groups>(?: --group \w+)*) (?P<program>python (?:-m )?[\w./]+|[\w-]+)")
KINDS = {"", ".md", ".py", ".toml", ".yaml", ".yml"}
FILES = [
    *(ROOT / name for name in (".ci/run", ".pre-commit-config.yaml", "mkdocs.yml", "pyproject.toml")),
    *(path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"),
    *(path for folder in ("docs", ".github", "scripts", "tests", "benchmarks") for path in (ROOT / folder).rglob("*")),
]


def commands() -> list[tuple[str, str, str]]:
    """Each `uv run` that the repository writes: its file, the groups it names, the program it runs."""
    return [
        (str(path.relative_to(ROOT)), each["groups"].replace("--group ", "").strip(), each["program"])
        for path in FILES
        if path.is_file() and path.suffix in KINDS and path != Path(__file__)
        for each in COMMAND.finditer(path.read_text("utf-8"))
    ]


def test_a_plain_run_installs_no_group() -> None:
    assert PROJECT["tool"]["uv"]["default-groups"] == []
    tools = {re.split(r"[<>=]", each)[0] for each in PROJECT["dependency-groups"]["dev"]}
    assert not tools & {re.split(r"[<>=]", each)[0] for each in PROJECT["project"]["dependencies"]}


def test_every_command_names_the_group_it_needs_and_no_other() -> None:
    found = commands()
    assert {file for file, _, _ in found} >= {"README.md", "CONTRIBUTING.md", ".ci/run", ".pre-commit-config.yaml"}
    assert [(file, groups, program) for file, groups, program in found if groups != GROUPS.get(program, "")] == []


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_a_page_that_begins_with_uv_says_first_how_to_get_the_folder(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert -1 < text.find("git clone") < text.index("pip install uv")
