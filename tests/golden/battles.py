"""The golden battles: one for each shipped ruleset, which together hold every kind of event that a journal knows.

`format-1/` and `format-2/` have, for each of them,

    occult-ops.battle    a battle's file as the program of that format wrote it; never written anew
    occult-ops.steps     what each batch of the journal changes, fact by fact; undone ones too
    occult-ops.json      the end: the Game Master's view, what the first side has seen, ledgers and exact chances
    occult-ops.md        the log as it is exported

`kinds.txt`: every kind of row, and the first line that brings it about; and since format 2 `fields.txt`: every kind
with its version and its fields, as `scripts/row_tables.py` listed them when the format was released.

`today/` is about commands, not files:

    occult-ops.lines     lines to type, one command each, with words on what they are for
    occult-ops.steps     what each of them changes under the rules of format 1, fact by fact

`python -m tests.golden.battles --make` types the lines and writes the steps anew, for where a command was meant to do
something else; and where the program writes a format that has no folder yet, it makes that. `--tell` writes the texts
about all battles anew from their files, for where a sentence was meant to change; nothing but words may differ then.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.battle.command import Attack
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.journal.branch import Branch
from engine.journal.history import Moment
from engine.journal.session import Session
from engine.journal.store import FORMAT, Header, Journal
from maps import load_map
from scripts.row_tables import list_text
from tests.golden.battle_facts import Facts, changes, facts, view_facts
from tests.golden.fractions import MAP, numbers_of
from tests.stamps import stamp
from tui.application.commands.runner import do
from tui.application.exports.formats import exported
from tui.application.library.battle_files import open_battle
from tui.application.reports.odds_report import OddsQuery, odds_json, preview_odds
from tui.application.reports.report_scene import scene_of
from tui.application.reports.seat_report import read_seat

FOLDER = Path(__file__).parent
FIRST = FOLDER / "format-1"
TODAY = FOLDER / "today"
KINDS = FIRST / "kinds.txt"
FIELDS = "fields.txt"
THEN = "2026-11-23T12:00:00+00:00"
VERSION = "0.1.0"
WHAT_IF, KEEP, LOOK = "what if", "keep", "look "
"""Lines of a script that stand for keys: a branch begins, it is kept as one step, an attack is looked at."""


def folders() -> list[Path]:
    """The folders of all formats that were released."""
    return sorted(FOLDER.glob("format-*"))


def scripts(folder: Path = FIRST) -> list[str]:
    """The ids of the golden battles."""
    return sorted(path.stem for path in folder.glob("*.battle"))


def lines_of(script: Path) -> list[str]:
    """The commands of a script, without its words."""
    lines = (line.partition("#")[0].strip() for line in script.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def make(script: Path, file: Path) -> dict[str, str]:
    """Types the lines of a script into a new battle under the rules of its first one, and writes its file.

    What ships may have mended its rules since.

    Returns:
        The first line that brings each kind of event about.

    Raises:
        BattleboardError: a line was refused; a note says which.
    """
    drawn = load_map(MAP)
    with closing(open_battle(FIRST / f"{script.stem}.battle", read_only=True)) as first:
        rules = first.rules
    header = Header(
        battle_id=f"golden {script.stem}",
        version=VERSION,
        created=THEN,
        title=drawn.battlefield.name,
        map_file=MAP.name,
        map_text=drawn.text,
        ruleset_id=rules.id,
        ruleset_texts=rules.texts,
        seed="golden",
    )
    with TemporaryDirectory() as folder:
        made = Path(folder, file.name)
        journal = Journal.create(made, header)
        session = Session.start(drawn.battlefield, drawn.placements, rules, journal, lambda: stamp(THEN))
        with closing(session):
            typist = Typist(session)
            found = dict.fromkeys((row.kind for row in journal.rows()), "the beginning")
            for line in lines_of(script):
                before = len([*journal.rows()])
                try:
                    typist.do(line)
                except BattleboardError as error:
                    error.add_note(f"{script.name}: {line}")
                    raise
                for row in [*journal.rows()][before:]:
                    found.setdefault(row.kind, line)
        shutil.copyfile(made, file)
    return found


class Typist:
    """Does one line after another, as a Game Master does at the screen."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.attack: Attack | None = None
        """What was looked at last: `gm 2 off` is about its ledger."""

    def do(self, line: str) -> None:
        """Raises as `tui.application.commands.runner.do`."""
        if line == WHAT_IF:
            self.session = Branch(self.session)
        elif line == KEEP:
            assert isinstance(self.session, Branch)
            self.session.keep()
            self.session = self.session.real
        elif line.startswith(LOOK):
            attacker, target = line.removeprefix(LOOK).split()
            self.attack = Attack(attacker, target)
        else:
            do(self.session, line, attack=self.attack)


def kinds_in(file: Path) -> list[tuple[int, list[str]]]:
    """The kinds of rows of each batch, as they stand in the file."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        is_first = connection.execute("PRAGMA user_version").fetchone()[0] == 1
        table = "event" if is_first else "journal"
        rows = connection.execute(f"SELECT batch, kind FROM {table} ORDER BY seq").fetchall()
    return [(batch, [kind for _, kind in group]) for batch, group in groupby(rows, key=lambda row: row[0])]


def states(file: Path) -> list[Battle]:
    """The battle after each batch: after every command, undo and redo."""
    found: list[Moment] = []
    with closing(open_battle(file, read_only=True, each=found.append)):
        return [moment.battle for moment in found]


def told_steps(file: Path) -> str:
    """What each batch changes, fact by fact."""
    lines: list[str] = []
    before: Facts = {}
    for number, ((_, kinds), battle) in enumerate(zip(kinds_in(file), states(file), strict=True), 1):
        after = facts(battle)
        counted = [f"{kind} x {len([*group])}".removesuffix(" x 1") for kind, group in groupby(kinds)]
        lines += ["", f"{number}. {', '.join(counted)}", *(f"  {line}" for line in changes(before, after))]
        before = after
    return "\n".join([*lines[1:], ""])


def told_end(file: Path) -> dict[str, Any]:
    """The end of a battle: what the Game Master sees, what the first side has seen, what attacks would be."""
    with closing(open_battle(file, read_only=True)) as session:
        battle = session.battle
        view, asked = view_facts(battle, session.rules), dict(_asked(session))
    first = next(iter(battle.units.values())).side
    return {"view": view, "seats": {first: _seat(file, first)}, "ledgers": asked}


def told_log(file: Path) -> str:
    """The log, as it is exported."""
    with closing(open_battle(file, read_only=True)) as session:
        return exported(session, "markdown")


def _asked(session: Session) -> Iterator[tuple[str, Any]]:
    """Of everybody still in the fight, the numbers of an attack on an enemy: the first, the second, and so round."""
    scene = scene_of(session.battle, session.rules)
    fighting = [unit for unit in session.battle.units.values() if not unit.is_defeated and unit.gear.weapon]
    for place, unit in enumerate(fighting):
        enemies = [other.id for other in fighting if unit.is_enemy_of(other)]
        for enemy in enemies[place % len(enemies) :][:1] if enemies else ():
            answer = preview_odds(scene, session.rules, OddsQuery(unit.id, enemy))
            yield f"{unit.id} on {enemy} with {unit.gear.weapon}", numbers_of(odds_json(answer))


def _seat(file: Path, side: str) -> dict[str, Any]:
    seat = read_seat(file, side)
    view = seat.view
    return {
        "moments": seat.moments,
        "met": [one.id for one in seat.met],
        "sees": {unit.id: unit.at.name for unit in view.units},
    }


def tell(folder: Path, name: str) -> None:
    """Writes all texts about a battle."""
    file = folder / f"{name}.battle"
    file.with_suffix(".steps").write_text(told_steps(file), "utf-8")
    file.with_suffix(".json").write_text(json_text(told_end(file)), "utf-8")
    file.with_suffix(".md").write_text(told_log(file), "utf-8")


def json_text(value: dict[str, Any]) -> str:
    """JSON with a line for each thing two levels down."""
    parts = []
    for name, inner in value.items():
        if isinstance(inner, dict):
            rows = ",\n".join(f"    {json.dumps(key)}: {json.dumps(each)}" for key, each in inner.items())
            parts.append(f"  {json.dumps(name)}: {{\n{rows}\n  }}")
        else:
            parts.append(f"  {json.dumps(name)}: {json.dumps(inner)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def make_format(folder: Path) -> None:
    """Writes the battles of the format that the program writes now, and the texts about them."""
    folder.mkdir()
    kinds: dict[str, str] = {}
    for script in sorted(TODAY.glob("*.lines")):
        made = make(script, folder / f"{script.stem}.battle")
        kinds = {kind: f"{script.stem}: {line}" for kind, line in made.items()} | kinds
        tell(folder, script.stem)
    rows = [f"{kind:28} {line}\n" for kind, line in sorted(kinds.items())]
    (folder / KINDS.name).write_text("".join(rows), "utf-8")
    (folder / FIELDS).write_text(list_text(), "utf-8")


def main(words: list[str]) -> None:
    if words == ["--make"]:
        for script in sorted(TODAY.glob("*.lines")):
            with TemporaryDirectory() as made:
                make(script, file := Path(made, f"{script.stem}.battle"))
                script.with_suffix(".steps").write_text(told_steps(file), "utf-8")
        if not (folder := FOLDER / f"format-{FORMAT}").exists():
            make_format(folder)
    elif words == ["--tell"]:
        for folder in folders():
            for name in scripts(folder):
                tell(folder, name)
    else:
        sys.exit("python -m tests.golden.battles --make | --tell")


if __name__ == "__main__":
    main(sys.argv[1:])
