"""What earlier versions wrote is read in today's form; the golden battles hold whole battles of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.battle.setup import begin
from engine.battle.state.codec import to_json
from engine.battle.state.units import Gear, Turn
from engine.journal import format_1, row_kinds, upcasters
from engine.journal.history import event_rows, read_event
from engine.journal.journal_rows import digest_after
from engine.journal.language_2 import with_whole_stats
from engine.journal.session import Session
from engine.journal.store import Header, Journal, JournalRow, NotABattle
from engine.journal.upcasters import TextUpcaster, upcast, upcast_texts
from maps import parse_map
from rulesets import load_ruleset, shipped_rulesets
from tests.rules.table import fight
from tests.stamps import NOW
from tui.application.library.battle_files import open_battle

HEADER = Header("id", "0.1.0", "now", "A fight", "m.toml", "squares", "volt", {"rules.toml": "x"}, "1866")
BEGAN, ADDED = "event/battle-began", "event/units-added"


def flat_unit() -> dict[str, Any]:
    """A unit as format 1 wrote it at first."""
    unit: dict[str, Any] = to_json(fight("occult-ops", "a.b", a="gunman", b="gunman").unit("a"))
    gear, turn, worn = unit.pop("gear"), unit.pop("turn"), unit.pop("overrides")
    del worn["stats"]
    return unit | gear | worn | {was: turn[now] for was, now in format_1.TURN.items()}


def row_1(seq: int, kind: str, body: Mapping[str, Any], batch: int = 0) -> JournalRow:
    return JournalRow(seq, batch or seq, NOW, kind, body)


def test_gear_and_turn_that_stood_among_a_units_own_fields() -> None:
    (row,) = format_1.today(iter([row_1(1, "BattleBegan", {"units": [flat_unit()], "seed": "1"})]))
    event = read_event(row.kind, row.body)
    assert row.kind == BEGAN
    assert to_json(event)["units"] == [to_json(fight("occult-ops", "a.b", a="gunman", b="gunman").unit("a"))]


def test_every_field_that_moved_is_there() -> None:
    assert {*format_1.GEAR} == {*Gear.__struct_fields__}
    assert {*format_1.TURN.values()} == {*Turn.__struct_fields__}


@pytest.mark.parametrize("kind", ["BattleBegan", "UnitsAdded"])
@pytest.mark.parametrize("units", [None, 5, "x", [5], [{"turn_start": 5}], {}])
def test_what_does_not_fit_is_left_for_the_reader_to_refuse(kind: str, units: Any) -> None:
    (row,) = format_1.today(iter([row_1(1, kind, {"units": units, "seed": "1"})]))
    with pytest.raises(ValueError):
        read_event(row.kind, row.body)


def test_an_undo_of_format_1_named_a_step_and_now_names_the_batch() -> None:
    rows = [row_1(1, "TurnEnded", {}), row_1(2, "TurnEnded", {}, 1), row_1(3, "TurnEnded", {})]
    travels = [row_1(4, "Undone", {"step": 2}), row_1(5, "Redone", {"step": 2}), row_1(6, "Undone", {"step": "x"})]
    found = list(format_1.today(iter([*rows, *travels])))
    assert [row.kind for row in found] == [*["event/turn-ended"] * 3, "undo", "redo", "undo"]
    assert [row.body["batch"] for row in found[3:]] == [3, 3, 0]


def test_a_row_of_an_earlier_version_is_read_in_todays_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exercise: a unit's end of turn was once called by another field."""
    path, kind = tmp_path / "t.battle", "event/turn-ended"
    with Journal.create(path, HEADER) as journal:
        journal.append([(kind, {"who": "todd"})], NOW)
    before = path.read_bytes()
    monkeypatch.setitem(row_kinds.VERSIONS, kind, 3)  # type: ignore[arg-type]  # read only by its type
    monkeypatch.setitem(upcasters.UPCASTERS, (kind, 1), lambda body: {"name": body["who"]})
    monkeypatch.setitem(upcasters.UPCASTERS, (kind, 2), lambda body: {"unit": body["name"]})
    with Journal.open(path, read_only=True) as journal:
        assert [*journal.rows()] == [JournalRow(1, 1, NOW, kind, {"unit": "todd"}, 3)]
    assert path.read_bytes() == before
    with Journal.open(path) as journal:
        journal.append([(kind, {"unit": "ox"})], NOW)
    with Journal.open(path, read_only=True) as journal:
        assert [(row.version, row.body["unit"]) for row in journal.rows()] == [(3, "todd"), (3, "ox")]
        assert journal.digest == digest_after(journal.header, journal.rows()), "as an export has the rows"


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [("event/action-taken", "goes_on", "resumes"), ("event/unit-turned", "is_wish", "is_chosen")],
)
def test_a_field_with_an_old_name_is_read_under_the_new_one(kind: str, old: str, new: str) -> None:
    assert upcast(kind, 1, {"unit": "todd", old: True}) == {"unit": "todd", new: True}
    assert upcast(kind, 1, {"unit": "todd"}) == {"unit": "todd"}


def test_a_row_of_a_later_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, kind = tmp_path / "t.battle", "event/turn-ended"
    with monkeypatch.context() as later:
        later.setitem(row_kinds.VERSIONS, kind, 2)  # type: ignore[arg-type]
        with Journal.create(path, HEADER) as journal:
            journal.append([(kind, {"unit": "todd"})], NOW)
    with Journal.open(path) as journal, pytest.raises(NotABattle, match="has version 2; this battleboard reads"):
        list(journal.rows())
    with pytest.raises(ValueError, match="version 0"):
        upcast(kind, 0, {})


def test_map_and_rules_of_an_earlier_language_are_read_in_todays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exercise: a key of maps and a file of rulesets were once called otherwise."""
    rules = load_ruleset(shipped_rulesets()["volt"])
    (tmp_path / "m.toml").write_text("")
    map_text = Path(__file__).parents[2].joinpath("golden", "yard.toml").read_text("utf-8")
    first, *others = rules.texts
    old = {"once.toml": rules.texts[first], **{name: rules.texts[name] for name in others}}
    renamed = TextUpcaster(
        map=lambda text: text.replace("titel =", "name ="),
        ruleset=lambda texts: {first if name == "once.toml" else name: text for name, text in texts.items()},
    )
    header = Header("id", "0", "now", "T", "m.toml", map_text.replace("name =", "titel =", 1), "volt", old, "1", "1")
    drawn = parse_map(map_text, "m.toml")
    path = tmp_path / "t.battle"
    with Journal.create(path, header) as journal:
        journal.append(event_rows([begin(drawn.placements, rules, "1")]), NOW)
    with pytest.raises(NotABattle, match="the map or the rules inside cannot be used"):
        open_battle(path, read_only=True)
    monkeypatch.setattr(upcasters, "TEXTS", [renamed])
    before = path.read_bytes()
    session: Session = open_battle(path, read_only=True)
    assert session.battle.field.name == drawn.battlefield.name
    session.close()
    assert path.read_bytes() == before
    monkeypatch.setattr(upcasters, "TEXTS", [])
    later = Header("id", "0", "now", "T", "m.toml", map_text, "volt", rules.texts, "1", "2")
    with Journal.create(tmp_path / "later.battle", later):
        pass
    with pytest.raises(NotABattle, match="use language '2'; this battleboard reads 1"):
        open_battle(tmp_path / "later.battle", read_only=True)


OLD_STATS = """
[stat.a]
label = "A"
default = 5
[stat.b]
  default = false # no
label = "B"
[stat]
c = { label = "C", default = "slim" }
d.label = "D"
d.default = 1.5
d.listed = true
[[armour]]
id = "x"
stats = { c = "very broad" }
"""


def test_stats_of_language_2_get_what_they_have_to_say() -> None:
    whole = tomllib.loads(with_whole_stats({"ruleset.toml": OLD_STATS})["ruleset.toml"])["stat"]
    told = {"group": "Stats", "help": "From a battle that began before stats had help."}
    bounds = {"kind": "number", "min": -1_000_000, "max": 1_000_000}
    assert whole == {
        "a": {"label": "A", "default": 5, **bounds, **told},
        "b": {"label": "B", "default": False, "kind": "flag", **told},
        "c": {
            "label": "C",
            "default": "slim",
            "kind": "choice",
            "choices": {"slim": "slim", "very broad": "very broad"},
            **told,
        },
        "d": {"label": "D", "default": 1.5, "listed": True, **bounds, **told},
    }


def test_restrictions_of_language_3_were_called_verdicts() -> None:
    now = {"ruleset.toml": '[[restriction]]\nid = "far"\nlabel = "No verdict"\n', "gear.toml": "[weapon.knife]\n"}
    was = {name: text.replace("[[restriction]]", "[[verdict]]") for name, text in now.items()}
    assert upcast_texts("3", "", was) == ("", now)
    assert upcast_texts("4", "", was) == ("", was)


@pytest.mark.long
def test_what_is_whole_is_not_toml_or_has_no_stats_stays_as_it_is() -> None:
    for folder in shipped_rulesets().values():
        shipped = dict(load_ruleset(folder).texts)
        again = with_whole_stats(shipped)
        assert tomllib.loads(again["ruleset.toml"]).keys() == tomllib.loads(shipped["ruleset.toml"]).keys()
        assert {name: text for name, text in again.items() if name != "ruleset.toml"} == {
            name: text for name, text in shipped.items() if name != "ruleset.toml"
        }
    for text in ("stat = = 1", "stat = 5", "[[stat]]\ndefault = 1", "[stat]\na = 1", "[stat.a]\ndefault = [1]"):
        assert "min" not in with_whole_stats({"ruleset.toml": text})["ruleset.toml"]
