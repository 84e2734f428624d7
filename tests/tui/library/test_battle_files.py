"""The library of battles: where they are kept, how they begin, and what is refused."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from fractions import Fraction
from pathlib import Path

import pytest

from engine.battle.command import EndTurn
from engine.battle.state.gm_overrides import CoverRuling
from engine.battle.state.units import UnitOverrides
from engine.bounds import StatValue
from engine.errors import Unknown, Unreadable
from engine.journal import session
from engine.journal.history import event_rows
from engine.journal.store import CannotSave, Journal, NotABattle, OpenElsewhere
from engine.values import replace
from maps import shipped_maps
from tests.stamps import NOW
from tui.application.exports.battle_check import check_battle
from tui.application.library import battle_files
from tui.application.library.battle_files import (
    demo_session,
    find_playable,
    is_battle,
    last_battle,
    new_battle,
    open_battle,
)
from tui.application.settings.folders import data_folder

HOLDER = """
import sys
from pathlib import Path
from tui.application.exports.battle_check import check_battle
from tui.application.library.battle_files import open_battle
session = open_battle(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def begun(seed: str = "7") -> Path:
    """The file of a new battle that is closed again."""
    with closing(new_battle("frontier-trail", "occult-ops", seed)) as session:
        return session.journal.path


@contextmanager
def held_by_another_process(path: Path) -> Iterator[None]:
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        yield
        holder.kill()


def test_new_battle_lies_in_the_data_folder_for_its_owner_only(folder: Path) -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "7")) as session:
        path = session.journal.path
        assert path == folder / "battles" / "frontier-trail-1.battle"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert session.journal.header.seed == "7"
        assert session.journal.header.title == "Frontier trail"
        assert session.journal.header.ruleset_texts == session.rules.texts
        assert session.battle.turns.round == 1
    assert [other.name for other in path.parent.iterdir()] == [path.name]


def test_battles_are_numbered() -> None:
    assert [begun().name, begun().name] == ["frontier-trail-1.battle", "frontier-trail-2.battle"]


@pytest.mark.slow
def test_seeds_are_made_up_where_none_is_given() -> None:
    with (
        closing(new_battle("frontier-trail", "occult-ops")) as one,
        closing(new_battle("frontier-trail", "occult-ops")) as other,
    ):
        assert one.journal.header.seed != other.journal.header.seed
        assert len(one.journal.header.seed) == 16


def test_same_seed_is_the_same_battle() -> None:
    with closing(open_battle(begun())) as one, closing(open_battle(begun())) as other:
        assert one.battle.encode() == other.battle.encode()


def test_map_by_path_and_strange_titles(tmp_path: Path) -> None:
    text = Path(str(shipped_maps()["frontier-trail"])).read_text()
    own = tmp_path / "own.toml"
    own.write_text(text.replace('name = "Frontier trail"', 'name = "../Ça & là / Ø"'))
    with closing(new_battle(str(own), "occult-ops", "7")) as session:
        assert session.journal.path.name == "ca-la-o-1.battle"
        assert session.journal.header.map_file == "own.toml"
    own.write_text(text.replace('name = "Frontier trail"', 'name = "忍者"'))
    with closing(new_battle(own, "occult-ops", "7")) as session:
        assert session.journal.path.name == "battle-1.battle"


def test_opened_battle_is_the_one_that_was_left() -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "7")) as session:
        session.submit(EndTurn())
        path, left = session.journal.path, session.battle.encode()
    with closing(open_battle(path)) as session:
        assert session.battle.encode() == left
        session.submit(EndTurn())


def test_battle_needs_neither_map_nor_ruleset_any_more(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_bytes(shipped_maps()["frontier-trail"].read_bytes())
    with closing(new_battle(own, "occult-ops", "7")) as session:
        path = session.journal.path
    own.unlink()
    open_battle(path).close()


def test_read_only_battle_takes_nothing() -> None:
    path = begun()
    with closing(open_battle(path, read_only=True)) as session, pytest.raises(CannotSave):
        session.submit(EndTurn())


@pytest.mark.slow
def test_battle_open_elsewhere_says_so_and_opens_read_only() -> None:
    path = begun()
    with held_by_another_process(path):
        with pytest.raises(OpenElsewhere, match=r"is open elsewhere \(process [0-9]+ on .*open it read-only"):
            open_battle(path)
        open_battle(path, read_only=True).close()


@pytest.mark.parametrize("size", [0, 1, 100, 5000, 20000])
def test_truncated_battle_is_refused_and_left_as_it_is(size: int) -> None:
    path = begun()
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(NotABattle, match=r"frontier-trail-1\.battle cannot be opened as a battle: .*\."):
        open_battle(path)
    assert path.stat().st_size == size
    assert [other.name for other in path.parent.iterdir()] == [path.name]


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "notes.battle"
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
        connection.commit()
    with pytest.raises(NotABattle, match="belongs to another program"):
        open_battle(foreign)
    text = tmp_path / "text.battle"
    text.write_text("once upon a time " * 100)
    with pytest.raises(NotABattle):
        open_battle(text)
    with pytest.raises(NotABattle):
        open_battle(tmp_path / "none.battle")


@pytest.mark.parametrize(
    ("kind", "body", "said"),
    [
        ("Exploded", {}, "unknown event kind 'Exploded'"),
        ("event/turn-ended", {"unit": "nobody"}, "its events contradict each other"),
        ("event/turn-ended", {"unit": 7}, "TurnEnded: unit: 7; expected a text"),
        ("undo", {}, "Nothing to undo"),
        ("event/note-set", {"note": {"id": "n", "text": "x", "at": None, "unit": "nobody"}}, "who is not there"),
        ("event/note-set", {"note": {"id": "n", "text": "x", "at": "ZZ99", "unit": ""}}, "not on its map"),
        (
            "event/cover-ruled",
            {"ruling": {"attacker": "todd", "target": "bandit", "covered": "2", "material": ""}},
            "more than",
        ),
        ("event/ground-set", {"squares": ["ZZ99"], "ground": {"terrain": "mud"}}, "off the map"),
        (
            "event/ground-set",
            {"squares": ["A1"], "ground": {"terrain": "mud", "move_cost": 0}},
            "impossible values",
        ),
        (
            "event/condition-began",
            {"unit": "todd", "condition": "", "label": "x"},
            "'no name', which is unknown to its rules",
        ),
        ("event/posture-taken", {"unit": "todd", "posture": ""}, "'no name', which is unknown to its rules"),
        ("event/posture-taken", {"unit": "todd", "posture": "asleep"}, "'asleep', which is unknown to its rules"),
        ("event/elevation-set", {"squares": ["A1"], "height": 10**9}, "the ground is too high"),
        ("event/light-set", {"squares": [], "light": "gloomy"}, "its events contradict each other"),
        ("event/lamp-set", {"at": "A1", "lamp": {"at": "A1", "bright": 9, "dim": 900}}, "the lamp at A1 is not valid"),
        ("event/edges-set", {"edges": ["ZZ99 N"], "barrier": {"kind": "wall"}}, "off the map"),
        (
            "event/edges-set",
            {"edges": ["B2 N"], "barrier": {"kind": "pane", "seen_through": "E"}},
            "has a direction along its edge",
        ),
        ("event/edges-set", {"edges": ["B2 N"], "barrier": {"kind": "wall", "top": -5}}, "impossible values"),
    ],
)
def test_sound_file_with_events_that_cannot_be_is_refused(kind: str, body: dict[str, object], said: str) -> None:
    path = begun()
    with Journal.open(path) as opened:
        opened.append([(kind, body)], NOW)
    with pytest.raises(NotABattle, match=said):
        open_battle(path)
    with Journal.open(path):  # the lock was given back
        pass


def test_battle_whose_map_is_no_map_is_refused(tmp_path: Path) -> None:
    with closing(open_battle(begun())) as opened:
        header, rows = opened.journal.header, event_rows(opened.history.steps()[0].events)
    broken = replace(header, map_text="format = 1\nname = 3\n")
    path = tmp_path / "broken.battle"
    with Journal.create(path, broken) as opened_journal:
        opened_journal.append(rows, NOW)
    with pytest.raises(NotABattle, match=r"broken\.battle .* the map .* \(frontier-trail\.toml, line 1: .*\)\."):
        open_battle(path)


def test_battle_that_cannot_begin_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> None:
        raise CannotSave(Path("x"), "no room")

    monkeypatch.setattr(session.Session, "start", failing)
    with pytest.raises(CannotSave):
        new_battle("frontier-trail", "occult-ops", "7")
    assert list((folder / "battles").iterdir()) == []


def test_unknown_map_or_ruleset_creates_nothing(folder: Path) -> None:
    with pytest.raises(Unknown, match="Did you mean 'frontier-trail'"):
        new_battle("frontier-trial", "occult-ops")
    with pytest.raises(Unknown, match="Did you mean 'cwn'"):
        new_battle("frontier-trail", "cwm")
    assert not folder.exists()


def test_data_folder_that_takes_nothing_is_one_message(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")
    with pytest.raises(CannotSave, match="cannot be saved"):
        new_battle("frontier-trail", "occult-ops", "7", occupied)


def test_last_battle_is_the_one_changed_last_and_skips_what_is_none(folder: Path) -> None:
    assert last_battle() is None
    assert battle_files.battles() == []
    first, second = begun(), begun()
    foreign = folder / "battles" / "foreign.battle"
    foreign.write_text("no")
    for age, path in enumerate([foreign, first, second]):
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    assert battle_files.battles() == [foreign, first, second]
    assert last_battle() == first
    assert not is_battle(foreign)
    assert not is_battle(folder)


def test_data_folder_is_the_system_s_unless_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert data_folder() == tmp_path / "data"
    monkeypatch.setenv("BATTLEBOARD_DATA", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert data_folder().name == "battleboard"


def test_what_a_word_stands_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kept = begun()
    (tmp_path / "frontier-trail").mkdir()
    (tmp_path / "here.toml").write_text("")
    (tmp_path / "here.battle").write_text("")
    assert not find_playable("frontier-trail").is_battle
    assert find_playable("here.toml") == battle_files.Playable(Path("here.toml"), is_battle=False)
    assert find_playable("here.battle") == battle_files.Playable(Path("here.battle"), is_battle=True)
    assert find_playable("frontier-trail-1") == battle_files.Playable(kept, is_battle=True)
    assert find_playable("frontier-trail-1.battle") == battle_files.Playable(kept, is_battle=True)
    assert find_playable(str(kept)) == battle_files.Playable(kept, is_battle=True)
    with pytest.raises(Unknown, match="Did you mean 'frontier-trail-1'"):
        find_playable("frontier-trail-11")
    with pytest.raises(Unreadable):
        battle_files.read_map("here.toml")


def test_demo_leaves_the_data_folder_alone_and_todd_begins(folder: Path) -> None:
    with closing(demo_session()) as session:
        assert session.battle.turns.active == "todd"
        assert session.journal.path.is_file()
        assert not (folder / "battles").exists()


@pytest.mark.slow
def test_demo_goes_away_with_the_program() -> None:
    module = "tui.application.library.battle_files"
    script = f"from {module} import demo_session\ns = demo_session()\nprint(s.journal.path)\ns.close()\n"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    path = Path(ended.stdout.strip())
    assert path.name == "frontier-trail-1.battle"
    assert not path.parent.parent.exists()


@pytest.mark.parametrize(("about", "is_fine"), [("P5", True), ("ZZ99", False), ("nowhere", False)])
def test_a_condition_about_a_square_names_one_of_the_map(about: str, is_fine: bool) -> None:
    with closing(new_battle("frontier-trail", "eva", "7")) as session:
        rules, battle = session.rules, session.battle
    held = next(condition.id for condition in rules.units.conditions.values() if condition.about == "square")
    todd = battle.unit("todd")
    battle = battle.with_unit(replace(todd, conditions=(held,), about={held: about}))
    if is_fine:
        check_battle(battle, rules)
        return
    with pytest.raises(ValueError, match="is unknown to"):
        check_battle(battle, rules)


@pytest.mark.parametrize("held", [("dexterity", "much"), ("dexterity", True), ("no-stat", 5), ("", 5)])
def test_a_stat_that_was_set_is_one_of_the_rules_and_of_its_kind(held: tuple[str, StatValue]) -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "7")) as session:
        rules, battle = session.rules, session.battle
    todd = battle.unit("todd")
    fine = battle.with_unit(replace(todd, overrides=UnitOverrides(stats=(("dexterity", 9),))))
    check_battle(fine, rules)
    with pytest.raises(ValueError, match="is unknown to"):
        check_battle(battle.with_unit(replace(todd, overrides=UnitOverrides(stats=(held,)))), rules)


UNSOUND: dict[str, tuple[str, dict[str, object]]] = {
    "an order that names nobody": ("turns", {"order": ("nobody",)}),
    "an order with an empty place": ("turns", {"order": ("todd", "")}),
    "two places in the order": ("turns", {"order": ("todd", "todd")}),
    "a cover that names nobody": ("gm", {"covers": (CoverRuling("todd", "nobody", Fraction(1), ""),)}),
    "more than all of a target": ("gm", {"covers": (CoverRuling("todd", "bandit", Fraction(2), ""),)}),
    "a group that names nobody": ("turns", {"groups": (("todd", "nobody"),)}),
    "a ruling nobody knows": ("gm", {"rulings": {"nothing": True}}),
    "a turn of nobody": ("turns", {"active": "nobody", "round": 1}),
}
"""What is wrong, by the part of the battle in which it stands."""


@pytest.mark.parametrize(("part", "changes"), UNSOUND.values(), ids=list(UNSOUND))
def test_what_is_wrong_is_found_after_a_battle_that_was_sound(part: str, changes: dict[str, object]) -> None:
    with closing(new_battle("frontier-trail", "eva", "7")) as session:
        rules, battle = session.rules, session.battle
    check_battle(battle, rules)
    unsound = replace(battle, **{part: replace(getattr(battle, part), **changes)})
    for before in (None, battle):
        with pytest.raises(ValueError, match=r"^(it|a unit|turns|.bandit.) "):
            check_battle(unsound, rules, before)


def test_who_left_is_found_missing_where_nothing_else_has_changed() -> None:
    with closing(new_battle("frontier-trail", "eva", "7")) as session:
        rules, battle = session.rules, session.battle
    battle = replace(battle, turns=replace(battle.turns, order=tuple(battle.units)))
    check_battle(battle, rules)
    gone = replace(
        battle,
        units={name: unit for name, unit in battle.units.items() if name != "todd"},
        turns=replace(battle.turns, active=""),
    )
    with pytest.raises(ValueError, match="'todd', who is not there"):
        check_battle(gone, rules, battle)
