"""Rulings: facts that the GM decides otherwise, in the file or for one battle."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.battle import events as ev
from engine.battle.command import Attack
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.rulings_in_force import ruling_facts
from engine.battle.state.codec import from_json, to_json
from engine.errors import Unreadable
from engine.journal.history import event_rows, read_event
from engine.values import replace
from maps import parse_map
from rulesets import parse_ruleset
from tests.rules.table import Table, fight
from tests.rulesets.texts import small, texts
from tests.tui.test_acting import MAP
from tui.application.library.battle_files import Scenario, begin_battle, open_battle

RULINGS = """
[ruling.dusk]
label = "What dusk counts"
value = -5
because = "nobody said"
source = "ours"
[ruling.wild]
label = "Wild attacks count double"
value = false
because = "it is simpler"
source = "ours"
[ruling.smoke]
label = "What smoke is"
value = "cover"
choices = ["cover", "nothing", "darkness"]
because = "one must say"
source = "ours"
[pool.luck]
label = "luck"
start = "3 if ruling.wild else 2"
source = "ours"
[[modifier]]
id = "dusk"
step = "more"
label = "Dusk"
value = "ruling.dusk * (2 if ruling.wild else 1)"
when = "ruling.smoke != 'nothing'"
because = "{ruling.smoke}"
source = "ours"
[action.rest]
label = "Rest"
kind = "other"
source = "ours"
[[action.rest.require]]
holds = "ruling.wild"
reason = "only the wild rest"
"""


def scene() -> Table:
    return fight(small(RULINGS), "a..b", a="gunman", b="gunman")


def test_a_ruling_is_a_fact_of_every_rule() -> None:
    table = scene()
    assert table.worth("dusk") == -5 and table.unit("a").pools["luck"] == 2
    assert table.do(SetRuling("dusk", -7)) == ["GM: “What dusk counts” set to -7 for this battle, was -5."]
    table.do(SetRuling("wild", True))
    assert table.worth("dusk") == -14
    table.do(SetRuling("smoke", "nothing"))
    assert table.worth("dusk") is None
    facts = ruling_facts(table.battle, table.rules).items()
    assert {name: value for name, value in facts if not name.startswith("ruling.sight_")} == {
        "ruling.dusk": -7,
        "ruling.wild": True,
        "ruling.smoke": "nothing",
        "ruling.foes_known": "usual",
        "ruling.unknown_turns": "none",
        "ruling.one_numbering": False,
    }


def test_the_file_decides_for_all_battles() -> None:
    rules = small(RULINGS.replace("value = false", "value = true"))
    assert fight(rules, "a..b", a="gunman", b="gunman").unit("a").pools["luck"] == 3


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (SetRuling("dusk", -5), "“What dusk counts” is already -5."),
        (SetRuling("dusk", True), "“What dusk counts” must be a whole number, not yes."),
        (SetRuling("wild", 1), "“Wild attacks count double” must be yes or no, not 1."),
        (
            SetRuling("smoke", "fog"),
            "“What smoke is” must be one of cover, nothing, darkness, not fog.",
        ),
    ],
)
def test_what_cannot_be_decided_so(command: SetRuling, sentence: str) -> None:
    assert scene().refusal(command) == sentence
    assert "Did you mean 'dusk'" in scene().refusal(SetRuling("dust", 1))


def test_what_is_decided_is_kept_and_taken_back(tmp_path: Path) -> None:
    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", small(RULINGS)), "seed", tmp_path)
    before = session.battle.encode()
    session.submit(SetRuling("wild", True))
    after = session.battle.encode()
    session.undo()
    assert session.battle.encode() == before
    session.redo()
    path = session.journal.path
    session.close()
    again = open_battle(path)
    assert again.battle.encode() == after and dict(again.battle.gm.rulings) == {"wild": True}
    again.close()


@pytest.mark.parametrize("values", [(False, True), (-5, 7), ("cover", "nothing")])
def test_the_event_is_read_as_it_was_written(values: tuple[bool | int | str, bool | int | str]) -> None:
    event = ev.RulingSet("r", "R", *values)
    ((kind, body),) = event_rows([event])
    again = read_event(kind, body)
    assert isinstance(again, ev.RulingSet) and again == event and type(again.after) is type(event.after)
    assert from_json(ev.RulingSet, to_json(event)) == replace(event)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("value = -5", "value = 0.5", "expected a whole number"),
        ("value = -5", "value = '-5'", "is a word; add choices"),
        ('value = "cover"', 'value = "fog"', "is not one of the choices"),
        (
            'choices = ["cover", "nothing", "darkness"]',
            "choices = [1, 2]",
            "like 'cover'; expected a text in quotes each",
        ),
        ('because = "nobody said"\n', "", "because"),
        ("ruling.dusk * (2", "ruling.dust * (2", "did you mean 'ruling.dusk'"),
        ("[ruling.dusk]", "[ruling.Dusk]", "is not a valid fact name"),
    ],
)
def test_what_is_wrong_with_a_ruling_is_said(old: str, new: str, message: str) -> None:
    whole = texts()
    assert old in RULINGS
    with pytest.raises(Unreadable, match=message):
        parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + RULINGS.replace(old, new, 1)}, "small")


def test_occult_ops_leaves_eleven_rulings_and_sight_to_the_gm() -> None:
    """OCC-7, OCC-12, OCC-16, ALL-3: partial and full cover, smoke grenades, the fumble table, darkness, melees."""
    table = fight("occult-ops", "a...b", a="gunman", b="gunman")
    assert len(table.rules.rulings) == 11 + 10
    table.do(SetRuling("fumble_table", False))
    assert not any("Epic fumble table" in line for line in table.do(Attack("a", "b"), (95,)))
    table = fight("occult-ops", "a...b", a="gunman", b="gunman", toml='[light]\nambient = "dark"')
    assert table.worth("light") == 0
    table.do(SetRuling("darkness", -20))
    assert table.worth("light") == -20
    cart = '[legend]\n"c" = { object = "cart", height = 3, cover = "medium" }'
    table = fight("occult-ops", "a..cb", a="gunman", b="gunman", toml=cart)
    assert table.worth("partial-cover") == -10
    table.do(SetRuling("full_cover", 30))
    assert table.worth("partial-cover") is None and table.worth("full-cover") == -25
    table.do(SetRuling("partial_cover", 80))
    table.do(SetRuling("full_cover", 85))
    assert table.worth("partial-cover") is None and table.worth("full-cover") is None


def test_cwn_leaves_fifteen_rulings_and_sight_to_the_gm() -> None:
    """CWN-1, CWN-5, CWN-6, CWN-7, ALL-3: cover, smoke, who hinders a shot, bare squares, shots into melee."""
    table = fight("cwn", "ba..c", a="gunman", b="brawler", c="gunman")
    assert len(table.rules.rulings) == 15 + 10
    table.posture("b", "prone")
    assert table.worth("one-handed-in-melee", at="c") == -4
    table.do(SetRuling("downed_in_melee", False))
    assert table.worth("one-handed-in-melee", at="c") is None
    table.do(SetRuling("into_melee", -4))
    assert table.worth("into-melee", by="c", at="b") == -4
