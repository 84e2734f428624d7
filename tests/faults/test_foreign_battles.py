"""A battle of any hand is refused in one sentence or can be played: no traceback, no wait, no flood of memory.

Each battle here is one that was played, with something in its events changed and its hash chain made whole again: the
chain proves damage, not origin.
"""

from __future__ import annotations

import json
import random
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from engine.errors import BattleboardError
from engine.journal.batches import Batch
from engine.journal.row_kinds import REDO, UNDO
from engine.journal.store import Header, Journal
from tests.examples import sample
from tests.rules.random_play import roam
from tests.stamps import NOW
from tui.application.commands.runner import do
from tui.application.exports.formats import exported
from tui.application.library.battle_files import new_battle, open_battle
from tui.application.reports.check_report import check_file

MOST_SECONDS = 3
MOST_GROWTH = 300 * 1024
"""Kibibytes."""
Event = dict[str, Any]
Events = list[Event]
Played = tuple[Header, Events]

NUMBERS = (-1, 0, 1, 2, 5, 99, 1000, 100_000, 10**6, 10**9, -(10**9), 10**30)
TEXTS = (
    "",
    "nobody",
    "A1",
    "ZZ99",
    "A9999",
    "1/0",
    "-7/3",
    "1e999999999",
    "x" * 5000,
    "9" * 5000,
    "N",
    "[/]",
    "\x1b[2J",
)
LINES = ("units", "order", "map", "log 99", "who", "end", "end", "undo")


@pytest.fixture(scope="module")
def battles_played(tmp_path_factory: pytest.TempPathFactory) -> list[Played]:
    """Fights of random commands, and what the GM did at one of the tables."""
    found = []
    for map_id, ruleset in (("frontier-trail", "occult-ops"), ("warehouse", "eva"), ("warehouse", "aog")):
        with closing(new_battle(map_id, ruleset, "7", tmp_path_factory.mktemp(ruleset))) as session:
            for line in ("note hello", "smoke K8 2", "hide " + next(iter(session.battle.units))):
                do(session, line)
            roamed = roam(session.history, session.rules, random.Random(ruleset), 25)
            session.journal.extend([Batch(rows, NOW) for rows in roamed.rows])
            rows = [{"batch": row.batch, "kind": row.kind, "body": row.body} for row in session.journal.rows()]
            header = session.journal.header
            found.append((header, rows))
    return found


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place inside a JSON value: what holds it, and under which key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from places(item)


def change_a_value(events: Events, die: random.Random) -> None:
    event = die.choice(events[:1] * 3 + events)
    found = list(places(event["body"]))
    if not found:
        return
    holder, key = die.choice(found)
    others = [inner[at] for inner, at in (die.choice(found) for _ in range(5))]
    holder[key] = deepcopy(die.choice((die.choice(NUMBERS), die.choice(TEXTS), die.choice(others), None, [], {}, True)))


def change_one_of_its_kind(events: Events, die: random.Random) -> None:
    """Another number for a number, another text for a text: what a careful hand would write."""
    event = die.choice(events[:1] * 3 + events)
    found = [(holder, key) for holder, key in places(event["body"]) if type(holder[key]) in (int, str)]
    if not found:
        return
    holder, key = die.choice(found)
    same = [inner[at] for inner, at in found if type(inner[at]) is type(holder[key])]
    holder[key] = die.choice((die.choice(same), die.choice(NUMBERS if type(holder[key]) is int else TEXTS)))


def drop_a_part(events: Events, die: random.Random) -> None:
    found = list(places(die.choice(events[:1] * 3 + events)["body"]))
    if found:
        holder, key = die.choice(found)
        del holder[key]


def drop_an_event(events: Events, die: random.Random) -> None:
    del events[die.randrange(len(events))]


def repeat_an_event(events: Events, die: random.Random) -> None:
    events.insert(die.randrange(len(events)), deepcopy(die.choice(events)))


def swap_events(events: Events, die: random.Random) -> None:
    one, other = (die.randrange(len(events)) for _ in range(2))
    events[one], events[other] = events[other], events[one]


def repeat_an_item(events: Events, die: random.Random) -> None:
    lists = [holder for event in events for holder, _ in places(event["body"]) if isinstance(holder, list)]
    chosen = die.choice(lists)
    chosen += [deepcopy(die.choice(chosen)) for _ in range(die.choice((1, 50, 2000)))]


def cut(events: Events, die: random.Random) -> None:
    del events[die.randrange(1, len(events)) :]


CHANGES: tuple[Callable[[Events, random.Random], None], ...] = (
    change_a_value,
    change_one_of_its_kind,
    change_one_of_its_kind,
    change_one_of_its_kind,
    drop_a_part,
    drop_an_event,
    repeat_an_event,
    swap_events,
    repeat_an_item,
    cut,
)


def write(path: Path, header: Header, events: Events) -> None:
    """A battle's file with these events, its chain whole."""
    batches: list[list[tuple[str, Any]]] = []
    last = None
    for event in events:
        alone = event["kind"] in (UNDO, REDO)
        if alone or event["batch"] != last or not batches:
            batches.append([])
        batches[-1].append((event["kind"], event["body"]))
        last = None if alone else event["batch"]
    path.unlink(missing_ok=True)
    with Journal.create(path, header) as journal:
        journal.extend([Batch(rows, NOW) for rows in batches])


def verdict(path: Path) -> str:
    """ "fine" for a battle that can be played, else the one sentence why not; every way into it says the same."""
    said = []
    for ask in (check_file, open_and_play):
        start = time.process_time()
        try:
            ask(path)
            said.append("fine")
        except BattleboardError as error:
            said.append(str(error))
        assert time.process_time() - start < MOST_SECONDS
    assert said[0] == said[1]
    assert "\n" not in said[0]
    assert len(said[0]) < 1000
    return said[0]


def open_and_play(path: Path) -> None:
    with closing(open_battle(path)) as session:
        for line in LINES:
            try:
                do(session, line)
            except BattleboardError as error:
                assert "a result beyond" not in str(error), line
        exported(session, "markdown")


def outcome(path: Path, played: list[Played], seed: int) -> str:
    die = random.Random(seed)
    header, events = deepcopy(die.choice(played))
    for _ in range(die.choice((1, 1, 2))):
        die.choice(CHANGES)(events, die)
    write(path, header, json.loads(json.dumps(events)))
    try:
        return verdict(path)
    except BaseException as error:
        error.add_note(f"seed {seed}")
        raise


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def run(path: Path, played: list[Played], seeds: range) -> list[str]:
    before = memory()
    said = [outcome(path, played, seed) for seed in seeds]
    assert memory() - before < MOST_GROWTH
    return said


@pytest.mark.long
@pytest.mark.parametrize("first", sample(range(0, 300, 15)))
def test_hundreds_of_changed_battles_are_refused_or_played(
    tmp_path: Path, battles_played: list[Played], first: int
) -> None:
    said = run(tmp_path / "fight.battle", battles_played, range(first, first + 15))
    assert 0 < said.count("fine") < 15


@pytest.mark.slow
def test_thousands_of_changed_battles_are_refused_or_played(tmp_path: Path, battles_played: list[Played]) -> None:
    said = run(tmp_path / "fight.battle", battles_played, range(300, 2300))
    assert 320 < said.count("fine") < 1680
