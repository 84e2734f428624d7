"""Files that break their format on purpose: each is a map or one message, soon and in little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.errors import BattleboardError, Unreadable
from maps import parse_map, shipped_maps, write_map
from maps.importers import import_map

MOST_SECONDS = 2.0
"""Of a processor, the start of the program with it."""
MOST_MIB = 300
LARGE = 60_000_000
RUN = """
import re, resource, sys, time
from pathlib import Path
from tui.__main__ import main

status = main(sys.argv[1:])
own = Path("/proc/self/status")
found = re.search(r"VmHWM:\\s+(\\d+)", own.read_text()) if own.exists() else None
most = int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(status, time.process_time(), most // 1024)
"""


def at(x: float, y: float) -> dict[str, float]:
    return {"x": x, "y": y}


def uvtt(**changes: Any) -> dict[str, Any]:
    return {
        "format": 0.3,
        "resolution": {"map_origin": at(0, 0), "map_size": at(8, 6), "pixels_per_grid": 70},
        "line_of_sight": [[at(1, 1), at(6, 1), at(6, 5)], [at(1.5, 1), at(3.5, 5)]],
        "objects_line_of_sight": [[at(2, 2), at(4.5, 2), at(4, 4)]],
        "portals": [{"position": at(6, 3), "bounds": [at(6, 2.5), at(6, 3.5)], "closed": True, "rotation": 0}],
        "lights": [{"position": at(4, 3), "range": 3, "intensity": 1, "color": "ffffffff"}],
        "environment": {"ambient_light": "ff808080"},
        "image": "AAAA",
    } | changes


def foundry(**changes: Any) -> dict[str, Any]:
    return {
        "name": "Cellar",
        "grid": {"type": 1, "size": 100, "distance": 5, "units": "ft"},
        "width": 800,
        "height": 600,
        "padding": 0.25,
        "walls": [
            {"c": [200, 200, 700, 200], "move": 20, "sight": 20, "door": 0, "ds": 0, "dir": 0},
            {"c": [300, 200, 300, 400], "move": 20, "sight": 20, "door": 1, "ds": 2},
            {"c": [400, 200, 400, 400], "move": 20, "sight": 0},
        ],
        "lights": [{"x": 400, "y": 300, "config": {"bright": 10, "dim": 20}}],
        "tokens": [{"name": "Goblin"}],
    } | changes


DUNGEON: dict[str, Any] = {
    "title": "Halls",
    "story": "Long ago.",
    "rects": [{"x": 0, "y": 0, "w": 3, "h": 3, "rotunda": True}, {"x": 3, "y": 1, "w": 1, "h": 1}],
    "doors": [{"x": 3, "y": 1, "dir": at(1, 0), "type": 6}],
    "water": [at(0, 0)],
    "columns": [at(1.5, 1.5)],
    "notes": [{"text": "x", "ref": "1", "pos": at(1, 1)}],
}
ROOM = {"x": 0, "y": 0, "w": 498, "h": 498}
TABLES: dict[str, dict[str, Any]] = {"uvtt": uvtt(), "foundry": foundry(), "dungeon": DUNGEON}
TEXTS = {
    "donjon": "\tF\tF\t\n\tF\tDR\tF\n\tSU\t\tDPT\n",
    "drawn": "#######\n#..+..#\n#@.#&%#\n#..+$.#\n##-+-##\n",
    "boxes": "+---+---+\n| . | . |\n+   +-D-+\n| .   . |\n+---+---+\n",
}
WRONG: list[Any] = [
    None, True, False, 0, -1, 2, 0.5, -0.25, 1e9, 1e308, 10**18, 10**39, int("9" * 4000), "", "x", "12", "\ud800",
    "\x1b[2J", "A" * 5000, [], [[]], [1], {}, {"x": 1}, {"x": [], "y": {}}, [{}] * 3, [None] * 4, {"a": {"b": []}},
]  # fmt: skip
"""What stands where something else belongs."""
PIECES = [
    "",
    "\t",
    "\n",
    " ",
    "#",
    "+",
    "-",
    "|",
    "F",
    "DB",
    "Q",
    "é",
    "忍",
    "\x1b",
    "'''",
    "\\",
    '"',
    "{",
    "[",
    "9" * 4000,
]


def changed(value: dict[str, Any], dice: Random) -> str:
    """A file with some values exchanged, left out or doubled, and sometimes with characters changed."""
    whole: Any = deepcopy(value)
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        spots: list[tuple[Any, Any]] = []
        waiting: list[Any] = [whole]
        while waiting:
            inner = waiting.pop()
            keys = list(inner) if isinstance(inner, dict) else range(len(inner))
            spots += [(inner, key) for key in keys]
            waiting += [inner[key] for key in keys if isinstance(inner[key], dict | list)]
        if not spots:
            break
        inner, key = dice.choice(spots)
        if dice.random() < 0.15:
            del inner[key]
        elif dice.random() < 0.1 and isinstance(inner, list):
            inner.extend(deepcopy(inner))
        else:
            inner[key] = deepcopy(dice.choice(WRONG))
    text = in_digits(whole)
    return changed_text(text, dice) if dice.random() < 0.1 else text


def in_digits(value: Any) -> str:
    """JSON, with whole numbers of any length."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return json.dumps(value)
    finally:
        sys.set_int_max_str_digits(limit)


def changed_text(text: str, dice: Random) -> str:
    for _ in range(dice.randint(1, 4)):
        place = dice.randrange(len(text) + 1)
        text = text[:place] + dice.choice(PIECES) + text[place + dice.randint(0, 3) :]
    return text


def read_or_refused(text: str) -> bool:
    """Whether a text is a map, and not one message that names its file."""
    try:
        found = import_map(text, "there.file", "There")
    except BattleboardError as error:
        said = str(error)
        assert said.startswith("there.file")
        assert len(said) < 2000 or isinstance(error, Unreadable)
        assert "\x1b" not in said
        return False
    assert parse_map(write_map(found.map), "again.toml") == found.map
    return True


def mutate(name: str, times: int, seed: int) -> None:
    dice = Random(f"{name} {seed}")
    outcomes = set()
    for _ in range(times):
        text = changed(TABLES[name], dice) if name in TABLES else changed_text(TEXTS[name], dice)
        outcomes.add(read_or_refused(text))
    assert outcomes == {True, False}


@pytest.mark.long
@pytest.mark.parametrize("name", [*TABLES, *TEXTS])
def test_a_file_with_wrong_values_is_a_map_or_one_message(name: str) -> None:
    mutate(name, 300, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
@pytest.mark.parametrize("name", [*TABLES, *TEXTS])
def test_thousands_of_files_with_wrong_values_are_maps_or_one_message(name: str, seed: int) -> None:
    mutate(name, 1000, seed)


@pytest.mark.parametrize("value", [[1], {}, "x", None, 10**30, True, 1.5])
def test_a_door_in_no_known_state_is_a_closed_door(value: Any) -> None:
    scene = foundry(walls=[{"c": [300, 200, 300, 400], "door": 1, "ds": value}])
    barriers = import_map(json.dumps(scene), "there.json", "There").map.battlefield.barriers
    assert {barrier.kind for barrier in barriers.values()} == {"door"}


def spread(dice: Random, points: int, wide: float) -> list[dict[str, float]]:
    return [at(dice.random() * wide, dice.random() * wide) for _ in range(points)]


def outlines(dice: Random) -> str:
    size = {"map_size": at(500, 500)}
    return json.dumps(uvtt(resolution=size, objects_line_of_sight=[spread(dice, 20_000, 500) for _ in range(3)]))


def doors(dice: Random) -> str:
    bounds = [{"bounds": [at(3, 3 + dice.random()), at(4, 3)]} for _ in range(20_000)]
    return json.dumps(uvtt(line_of_sight=[spread(dice, 20_000, 6)], portals=bounds))


def long_number(dice: Random, digits: int = 4000) -> str:
    return json.dumps(uvtt()).replace('"range": 3', f'"range": {"9" * digits}')


def toml(dice: Random, line: str = "[],\n", times: int = 15_000_000) -> str:
    return f"a = [\n{line * times}]\n"


def own_heights(dice: Random) -> str:
    """A scene whose walls have a height of their own each: more than a map's file may hold."""
    walls = [
        {"c": [x, y, x, y + 100], "flags": {"wall-height": {"bottom": number / 10, "top": 20 + number / 10}}}
        for number in range(7000)
        for x, y in [(100 * (number % 200), 100 * (number // 200))]
    ]
    return json.dumps(foundry(width=20_000, height=20_000, padding=0, walls=walls))


HOSTILE: dict[str, Callable[[Random], str]] = {
    "a number of 4,000 digits": long_number,
    "outlines of 60,000 points": outlines,
    "a drawing that begins like boxes": lambda dice: "+" + "---+" * 1000 + "x",
    "60 MB of brackets": lambda dice: "[" * LARGE,
}
"""Files to import."""
LONG: dict[str, Callable[[Random], str]] = {
    "a number of 5,000 digits": lambda dice: long_number(dice, 5000),
    "walls with a height of their own each": own_heights,
    "60 MB of empty lists": lambda dice: f"[{'[],' * (LARGE // 3)}[]]",
    "60 MB of tables": lambda dice: '{"a":' * (LARGE // 5),
    "60 MB of digits": lambda dice: f'{{"a":{"9" * LARGE}}}',
    "60 MB of line ends": lambda dice: "\n" * LARGE,
    "60 MB of walls": lambda dice: "#" * LARGE,
    "60 MB of tabs": lambda dice: "F\t" * (LARGE // 2),
    "60 MB with one wide character": lambda dice: f'{{"a":"{"A" * LARGE}\U0001f600"}}',
    "20,000 doors on each other": doors,
    "200,000 corners": lambda dice: json.dumps(uvtt(line_of_sight=[spread(dice, 20_000, 8) for _ in range(10)])),
    "5,000 rooms on each other": lambda dice: json.dumps(DUNGEON | {"rects": [ROOM] * 5000}),
}
OWN: dict[str, Callable[[Random], str]] = {
    "a number of 4,000 digits": lambda dice: f"format = {'9' * 4000}\n",
    "a hexadecimal number of 4,000 digits": lambda dice: f"format = 0x{'f' * 4000}\n",
    "60 MB of brackets": lambda dice: f"a = {'[' * LARGE}",
    "60 MB of empty lists": toml,
    "15 MB of empty lists": lambda dice: toml(dice, "[]," * 1000 + "\n", 5000),
    "15 MB of keys": lambda dice: "".join(f"k{number} = 1\n" for number in range(1_200_000)),
    "15 MB of backslashes": lambda dice: 'a = """\n' + "\\t" * 7_500_000 + '\n"""\n',
    "100,000 headers": lambda dice: "".join(f"[k{number}]\n" for number in range(100_000)),
}
"""Texts of battleboard's own maps."""


def measured(path: Path, text: str, *words: str) -> str:
    """What the program says of a file, once it was soon and in little memory."""
    path.write_text(text)
    run = subprocess.run([sys.executable, "-c", RUN, *words, str(path)], capture_output=True, text=True, check=False)
    assert "Traceback" not in run.stderr
    status, seconds, mib = run.stdout.split()[-3:]
    assert status == "1"
    assert float(seconds) < MOST_SECONDS
    assert int(mib) < MOST_MIB
    return (run.stderr + run.stdout.rpartition(f"{status} {seconds}")[0]).strip()


@pytest.mark.long
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_soon_in_one_sentence(tmp_path: Path, name: str) -> None:
    said = measured(tmp_path / "there.file", HOSTILE[name](Random(1)), "import")
    assert "\n" not in said
    assert "there.file" in said


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_further_hostile_files_are_refused_soon_in_one_sentence(tmp_path: Path, name: str) -> None:
    said = measured(tmp_path / "there.file", LONG[name](Random(1)), "import")
    assert "\n" not in said
    assert "there.file" in said


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN)
def test_a_hostile_text_of_an_own_map_is_refused_soon(tmp_path: Path, name: str) -> None:
    assert "there.toml:" in measured(tmp_path / "there.toml", OWN[name](Random(1)), "check")


@pytest.mark.parametrize(
    "entry", ["format = {}", "[scale]\nsquare = {}", "name = {}", "[[unit]]\nsize = {}", "[[edge]]\nat = {}"]
)
@pytest.mark.parametrize(
    "value", ["9" * 4000, "9" * 5000, "-" + "9" * 4000, "0x" + "f" * 4000, "1e4000", "9" * 3000 + ".5"]
)
def test_long_numbers_in_an_own_map_are_problems_with_a_place(entry: str, value: str) -> None:
    text = next(iter(shipped_maps().values())).read_text()
    with pytest.raises(Unreadable) as refused:
        parse_map(f"{entry.format(value)}\n{text}", "there.toml")
    assert str(refused.value).startswith("there.toml:")
