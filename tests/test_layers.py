"""Imports point one way: tui → maps, rulesets → engine; inside the engine geometry, dice → rules → battle → journal.

Inside tui: command line → view → application. What else holds there is a contract with a name and a reason.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
OURS = {"engine", "maps", "rulesets", "tui"}
ALLOWED = {
    "engine": {"engine"},
    "maps": {"maps", "engine"},
    "rulesets": {"rulesets", "engine"},
    "tui": OURS,
}
ROOMS = {
    "geometry": {"geometry"},
    "dice": {"dice"},
    "rules": {"rules", "dice"},
    "battle": {"battle", "rules", "dice", "geometry"},
    "journal": {"journal", "battle", "rules", "dice", "geometry"},
    "tactics": {"tactics", "battle", "rules", "dice", "geometry"},
}
ENGINE_MAY_USE = set(sys.stdlib_module_names) | {"engine", "icepool", "msgspec", "numpy", "tomli"}


class Contract(NamedTuple):
    """What some folders of `tui` never import, and why."""

    name: str
    reason: str
    folders: tuple[str, ...]
    never: tuple[str, ...]
    """Packages and modules, with everything inside."""


def of_floor(floor: str, *rooms: str) -> tuple[str, ...]:
    return tuple(f"tui.{floor}.{room}" for room in rooms)


ANSWERS = of_floor("application", "library", "characters", "reports")
CONVERSATION = of_floor("application", "commands", "presenter")
CONTRACTS = (
    Contract(
        "the application has no screen",
        "who serves seats, prints an answer or tests a conversation loads neither Textual nor Rich, not even late",
        ("tui.application",),
        ("textual", "rich", "tui.view", "tui.cli", "tui.__main__"),
    ),
    Contract(
        "the view does not know who opens it",
        "the command line chooses a screen and loads it late; a screen that knew the commands would load them all",
        ("tui.view",),
        ("tui.cli", "tui.__main__"),
    ),
    Contract(
        "values lie below answers",
        "words, keys, questions, overlays and exports are the same for each who answers, so they ask for no answer",
        of_floor("application", "describe", "exports", "focus", "keys", "overlays", "prompts", "settings", "terminal"),
        (*ANSWERS, *CONVERSATION),
    ),
    Contract(
        "answers lie below the conversation",
        "files and reports serve the command line too, where nobody is asked anything",
        ANSWERS,
        CONVERSATION,
    ),
    Contract(
        "a command is the same without a board",
        "what is typed on the board, with --plain and after do is read and run alike",
        of_floor("application", "commands"),
        of_floor("application", "presenter", "overlays", "prompts", "keys"),
    ),
    Contract(
        "board and panels draw what they are given",
        "the same widget shows a battle, a replay and a player's view; files and commands are the business of screens",
        of_floor("view", "board", "panels"),
        (*ANSWERS, *CONVERSATION, *of_floor("view", "screens", "modals", "library", "characters", "app")),
    ),
    Contract(
        "what stands before the terminal knows no battle",
        "frames, keys and bytes are the same for every screen",
        of_floor("view", "terminal", "keys"),
        (*ANSWERS, *CONVERSATION, *of_floor("view", "app", "board", "panels", "modals", "screens", "library")),
    ),
)


class Source(NamedTuple):
    """What a file says, as far as it is asked for here; read once."""

    imports: set[str]
    """Full names of the modules and packages that it imports from, lazily imported ones included."""
    imported: set[str]
    """The same, with `from package import module` as that module."""
    classes: list[str]
    calls: list[tuple[str, int]]
    """Bare names that it calls, each with its line."""
    texts: list[tuple[str, int]]
    """Texts, each with its line."""


@cache
def source(path: Path) -> Source:
    found = Source(set(), set(), [], [], [])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names):
                found.imports.update(alias.name for alias in names)
                found.imported.update(alias.name for alias in names)
            case ast.ImportFrom(module, names, level):
                assert level == 0, f"{path} imports relatively"
                found.imports.add(module or "")
                folder = ROOT.joinpath(*(module or "").split("."))
                parts = {f"{module}.{alias.name}" for alias in names if (folder / f"{alias.name}.py").exists()}
                found.imported.update(parts if len(parts) == len(names) else {*parts, module or ""})
            case ast.ClassDef(name):
                found.classes.append(name)
            case ast.Call(ast.Name(name)):
                found.calls.append((name, node.lineno))
            case ast.Constant(str(text)):
                found.texts.append((text, node.lineno))
    return found


def imports_of(path: Path) -> set[str]:
    return source(path).imports


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("package", sorted(OURS))
def test_packages_import_only_what_lies_below_them(package: str) -> None:
    for path in modules(package):
        used = {name.partition(".")[0] for name in imports_of(path)} & OURS
        assert used <= ALLOWED[package], f"{path.relative_to(ROOT)} imports {used - ALLOWED[package]}"


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_rooms_of_the_engine_import_only_what_lies_below_them(room: str) -> None:
    for path in modules(f"engine/{room}"):
        used = {name.split(".")[1] for name in imports_of(path) if name.startswith("engine.")} & ROOMS.keys()
        assert used <= ROOMS[room], f"{path.relative_to(ROOT)} imports {used - ROOMS[room]}"


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.name)
def test_a_contract_of_the_floors_holds(contract: Contract) -> None:
    """Imports for type checking, and those inside functions, count."""
    broken = [
        f"{path.relative_to(ROOT)} imports {name}"
        for folder in contract.folders
        for path in modules(folder.replace(".", "/"))
        for name in sorted(source(path).imports | source(path).imported)
        if any(f"{name}.".startswith(f"{never}.") for never in contract.never)
    ]
    assert broken == [], contract.reason


def test_the_rooms_of_the_contracts_are_there() -> None:
    named = {name for contract in CONTRACTS for name in (*contract.folders, *contract.never) if name.startswith("tui")}
    assert [
        name
        for name in named
        if not (place := ROOT / name.replace(".", "/")).is_dir() and not place.with_suffix(".py").exists()
    ] == []


def test_the_engine_uses_the_standard_library_and_four_packages_alone() -> None:
    for path in modules("engine"):
        used = {name.partition(".")[0] for name in imports_of(path)}
        assert used <= ENGINE_MAY_USE, f"{path.relative_to(ROOT)} imports {used - ENGINE_MAY_USE}"


def test_nothing_is_pickled() -> None:
    for package in sorted(OURS):
        for path in modules(package):
            used = imports_of(path) & {"pickle", "marshal", "shelve", "copyreg"}
            assert not used, f"{path.relative_to(ROOT)} imports {used}"


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Python before 3.11.5, which Debian 12 has, matches too much there (cpython #100061)."""
    for path in (path for package in sorted(OURS) for path in modules(package)):
        assert not re.search(r"\)[*+?}]\+", path.read_text("utf-8")), path.relative_to(ROOT)


def test_only_the_journal_touches_the_disk() -> None:
    disk = {"sqlite3", "pathlib", "os", "io", "shutil", "tempfile", "fcntl"}
    for path in modules("engine"):
        if path.name.startswith("journal_") or path == ROOT / "engine/journal/store.py":
            continue
        if path == ROOT / "engine/geometry/kernel/library.py":  # the compiled library, beside its sources
            continue
        assert not imports_of(path) & disk, f"{path.relative_to(ROOT)} reaches for the disk"


def test_the_engine_asks_no_clock_and_draws_no_random_number() -> None:
    for path in modules("engine"):
        used = imports_of(path) & {"random", "secrets", "time", "datetime"}
        assert not used, f"{path.relative_to(ROOT)} imports {used}"


def loaded_after(names: list[str]) -> set[str]:
    """The modules that a fresh process has loaded once it has imported these."""
    program = f"import importlib, sys\nfor name in {names!r}: importlib.import_module(name)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def names_of(folder: str) -> list[str]:
    """The full names of the modules of a folder."""
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in modules(folder) if path.stem != "__init__"
    ]


def test_a_fresh_engine_brings_no_screen_with_it() -> None:
    assert not loaded_after(names_of("engine")) & {"textual", "rich", "icepool", "maps", "rulesets", "tui"}


def test_a_fresh_application_brings_no_screen_with_it() -> None:
    loaded = {".".join(name.split(".")[:2]) for name in loaded_after(names_of("tui/application"))}
    assert "tui.application" in loaded and not loaded & {"textual", "rich", "tui.view", "tui.cli", "tui.__main__"}


@pytest.mark.long
def test_the_way_to_the_first_paint_brings_no_numpy_with_it() -> None:
    assert "numpy" not in loaded_after(
        [
            "tui.view.app.board_app",
            "tui.view.screens.battle_screen",
            "tui.application.library.battle_files",
            "maps",
            "rulesets",
        ]
    )


def test_no_ruleset_is_named_in_the_engine_or_the_screens() -> None:
    ids = {path.name for path in (ROOT / "rulesets").iterdir() if (path / "ruleset.toml").exists()}
    assert ids
    for path in [*modules("engine"), *modules("tui")]:
        for text, line in source(path).texts:
            assert text not in ids, f"{path.relative_to(ROOT)}:{line} names the ruleset {text}"


def test_class_names_are_unique() -> None:
    where: dict[str, list[str]] = {}
    for folder in sorted(OURS):
        for path in modules(folder):
            for name in source(path).classes:
                where.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


def test_no_two_modules_of_attacks_call_a_function_alike() -> None:
    names = [
        node.name
        for path in modules("engine/battle/attacks")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]
    assert len(names) == len(set(names))


def test_no_code_is_made_of_texts() -> None:
    for folder in sorted(OURS):
        for path in modules(folder):
            for name, line in source(path).calls:
                assert name not in ("exec", "eval"), f"{path.relative_to(ROOT)}:{line}"


@pytest.mark.parametrize("package", sorted(OURS))
def test_no_module_imports_itself_by_way_of_others(package: str) -> None:
    """Imports for type checking, and those inside functions, count."""
    known = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules(package)}
    left = {name.removesuffix(".__init__"): source(path).imported for name, path in known.items()}
    left = {name: imports & left.keys() - {name} for name, imports in left.items()}
    assert not in_cycles(left)


@pytest.mark.parametrize("package", sorted(OURS))
def test_no_folders_import_each_other_in_a_circle(package: str) -> None:
    known = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules(package)}
    names = {name.removesuffix(".__init__") for name in known}
    found: dict[str, set[str]] = {}
    for path in known.values():
        folder = ".".join(path.parent.relative_to(ROOT).parts)
        of = ((ROOT / name.replace(".", "/")) for name in source(path).imported & names)
        folders = {".".join((place if place.is_dir() else place.parent).relative_to(ROOT).parts) for place in of}
        found.setdefault(folder, set()).update(folders - {folder})
    assert not in_cycles(found)


@pytest.mark.parametrize("package", sorted(OURS))
def test_module_names_are_unique_in_their_package(package: str) -> None:
    names = Counter(path.stem for path in modules(package) if path.stem != "__init__")
    assert [name for name, number in names.items() if number > 1] == []


def in_cycles(imports: Mapping[str, set[str]]) -> set[str]:
    """Those that import each other in a circle."""
    reached = {name: set(direct) for name, direct in imports.items()}
    for middle in imports:
        for found in reached.values():
            if middle in found:
                found |= reached[middle]
    return {name for name, found in reached.items() if name in found}
