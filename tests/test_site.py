"""The documentation: pages that are made from the program are whole, and what pages name is there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from rulesets import find_ruleset, load_ruleset, shipped_rulesets
from rulesets.coverage import every_rule
from scripts.site_pages import HELP_MARK, HELP_PAGE, command_help, escaped, pages, ruleset_page

ROOT = Path(__file__).parent.parent
OF_ROOT = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
PATH = re.compile(r"`((?:engine|maps|rulesets|tui|tests|docs|scripts|benchmarks|\.ci|\.github)/[\w./-]*)`")
made_pages = cache(pages)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("name", shipped_rulesets())
def test_a_ruleset_s_page_has_every_source_and_every_ruling(name: str) -> None:
    page = ruleset_page(name)
    for rule in every_rule(load_ruleset(find_ruleset(name))):
        assert f"**source** {escaped(rule.origin.source)}\n" in page, rule.name
        assert not rule.origin.ruling or f"**ruling** {escaped(rule.origin.ruling)}\n" in page, rule.name


def test_what_markdown_reads_as_markup_is_escaped() -> None:
    assert escaped("2 * [a_b] < 3 & c") == r"2 \* \[a\_b\] &lt; 3 &amp; c"


def test_every_page_is_in_the_navigation() -> None:
    """mkdocs says the same, where it is installed."""
    named = re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted([*made_pages(), *(page.name for page in (ROOT / "docs").glob("*.md"))])


def test_the_page_of_commands_has_the_help_of_each_and_no_path_of_this_machine() -> None:
    made = command_help()
    assert HELP_MARK in (ROOT / "docs" / HELP_PAGE).read_text("utf-8")
    assert {"## battleboard", "## play", "## odds", "## watch"} <= set(made.splitlines())
    assert str(Path.home()) not in made


def rooms_of_tui() -> list[str]:
    """The folders in the bullets of the architecture page, each below the folder that stands before its bullets."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    floors = re.findall(r"^In `(tui/\w*)/?`.*:\n\n((?:- .*\n)+)", text, re.MULTILINE)
    return [f"{floor.rstrip('/')}/{room}" for floor, bullets in floors for room in re.findall(r"`(\w+)/`", bullets)]


def test_every_folder_has_a_row_in_contributing_or_its_place_in_the_architecture() -> None:
    named = re.findall(r"^\| \**`([\w/]+)/`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    rooms = rooms_of_tui()
    assert len(rooms) == len({*rooms}) and all((ROOT / room).is_dir() for room in rooms)
    named += rooms
    tops = [ROOT / name for name in ("engine", "rulesets", "maps", "tui")]
    inside = [path for top in tops for path in top.rglob("*") if path.is_dir() and any(path.glob("*.[pt]*[yl]"))]
    systems = {ROOT / "rulesets" / name for name in shipped_rulesets()}
    folders = {str(path.relative_to(ROOT)) for path in (*tops, *inside) if path not in systems}
    assert folders - set(named) == set()


@pytest.mark.parametrize("name", [*OF_ROOT, *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))])
def test_files_that_a_page_names_are_there(name: str) -> None:
    """Where a file was moved or renamed: the page names the new place."""
    page = ROOT / name
    text = page.read_text("utf-8")
    assert [path for path in PATH.findall(text) if not (ROOT / path).exists()] == []
    assert set(re.findall(r"`(test_\w+\.py)`", text)) - {path.name for path in (ROOT / "tests").rglob("*.py")} == set()
    linked = {page.parent / target for target in LINK.findall(text)} - {ROOT / "docs" / path for path in made_pages()}
    assert [path for path in linked if not path.exists()] == []
