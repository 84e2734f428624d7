"""The line `stat UNIT STAT VALUE` for every stat of every ruleset: to each end of what it may be, and back."""

from __future__ import annotations

from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from engine.battle.commands.gear_commands import SetStat
from engine.battle.gear import stats_of
from engine.errors import BattleboardError, Illegal
from engine.rules.model import Stat, Value
from tests.rules.table import fight, with_more
from tests.rulesets.test_stats import FRAME
from tests.tui.play import session_for, shipped_rulesets
from tui.application.commands.gear import parse_stat, write_stat
from tui.application.commands.results import Setting
from tui.application.commands.runner import do


def tries(stat: Stat) -> list[Value]:
    """Values for a stat: both ends and the middle."""
    if stat.kind == "flag":
        return [True, False]
    return [*stat.choices] or [stat.low, (stat.low + stat.high) // 2, stat.high]


@pytest.mark.long
@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_every_stat_can_be_set_to_its_ends_and_back(tmp_path: Path, ruleset: str) -> None:
    session = session_for(tmp_path, ruleset=ruleset)
    unit = next(iter(session.battle.units))

    def now(stat: Stat) -> Value:
        held = session.battle.unit(unit)
        return stats_of(session.rules, held)[stat.id]

    def line(stat: Stat, value: Value) -> str:
        assert not isinstance(value, Fraction)
        return write_stat(SetStat(unit, stat.id, value), Setting(session.battle, session.rules))

    for stat in session.rules.units.stats.values():
        own = now(stat)
        for value in [one for one in tries(stat) if one != own]:
            do(session, line(stat, value))
            assert now(stat) == value
            do(session, line(stat, own))
            assert now(stat) == own and session.battle.unit(unit).overrides.stats == ()
        for far in (stat.low - 1, stat.high + 1) if stat.kind == "number" else (7,):
            with pytest.raises(BattleboardError) as caught:
                do(session, line(stat, far))
            assert str(caught.value).startswith(f"{stat.title} is {stat.allowed}, not ")
    session.close()


def test_a_line_with_another_kind_of_value_says_what_it_may_be() -> None:
    table = fight(with_more("cwn", FRAME), "a...b", a="gunman", b="gunman")
    for stat, text, said in (
        ("shoot", "good", "Shoot is −1 to 10, not “good”. Type “stat a shoot =-1”."),
        ("gunlink", "3", "Gunlink is yes or no, not “3”. Type “stat a gunlink yes”."),
    ):
        with pytest.raises(Illegal) as caught:
            parse_stat(stat, text, table.unit("a"), table.rules)
        assert str(caught.value) == said


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_a_minus_is_no_change_in_silence_where_a_stat_may_be_below_0(tmp_path: Path, ruleset: str) -> None:
    """Where it may be both, both ways are shown, and both work; where it cannot be below 0, it is a change."""
    session = session_for(tmp_path, ruleset=ruleset)
    unit = session.battle.unit(next(iter(session.battle.units)))
    for stat in session.rules.units.stats.values():
        if stat.kind != "number" or not isinstance(before := stats_of(session.rules, unit)[stat.id], int):
            continue
        assert parse_stat(stat.id, "-=1", unit, session.rules).value == before - 1
        if stat.low >= 0:
            assert parse_stat(stat.id, "-1", unit, session.rules).value == before - 1
            continue
        for text in ("-1", "−1"):
            with pytest.raises(Illegal) as caught:
                parse_stat(stat.id, text, unit, session.rules)
            line = f"stat {unit.id} {stat.id}"
            assert f"“{line} =-1” sets it to −1; “{line} -=1” lowers it by 1" in str(caught.value)
        assert parse_stat(stat.id, "=-1", unit, session.rules).value == -1
    session.close()


@pytest.mark.parametrize("text", ["broad", "Broad", "bro"])
def test_a_choice_is_typed_by_its_id_or_its_label(text: str) -> None:
    table = fight(with_more("cwn", FRAME), "a...b", a="gunman", b="gunman")
    command = parse_stat("frame", text, table.unit("a"), table.rules)
    assert command.value == "broad"
    table.do(command)
    assert table.refusal(parse_stat("frame", "brood", table.unit("a"), table.rules)) == (
        "Frame is slim or broad, not “brood”."
    )


def test_set_takes_a_yes_or_no_stat_too(tmp_path: Path) -> None:
    with closing(session_for(tmp_path, ruleset="volt")) as session:
        unit = next(iter(session.battle.units))
        for line, value in (("small", True), ("small no", False), ("small yes", True)):
            do(session, f"set {unit} {line}")
            assert stats_of(session.rules, session.battle.unit(unit))["small"] is value
        for line, said in (
            ("small perhaps", f"Small is yes or no, not “perhaps”. Type “stat {unit} small yes”."),
            ("agility", "Type a value too: “agility 0 to 100”."),
        ):
            with pytest.raises(BattleboardError) as caught:
                do(session, f"set {unit} {line}")
            assert str(caught.value) == said
