"""The result card: why a defence did not help, what stopped damage, a row for each target, a sign where it is cut."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from engine.battle import command as cmd
from engine.battle.events import BurstCaught, DefenceTaken, Event, PoolChanged
from engine.battle.state.battle import Battle
from engine.journal.session import Session
from engine.values import replace
from tests.tui.play import session_for
from tui.describe.styled_text import ENDLESS
from tui.panels.result_card import MOST_UNITS, Result, receipt_of, result_text, result_title


def shot(folder: Path) -> tuple[Session, tuple[Event, ...], Battle]:
    session = session_for(folder)
    events = tuple(session.submit(cmd.Attack("todd", "bandit")))
    session.close()
    return session, events, session.battle


def test_the_title_says_who_and_the_first_row_the_sum_against_the_number(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    found = Result(events, battle)
    assert result_title(found) == "Result · Todd → Bandit"
    rows = result_text(found, session.rules, 40, 18).plain.split("\n")
    assert rows[0].strip() == "HIT  rolled 42 vs 60"
    assert "Damage resistance 4." in rows, "what stopped the damage"
    assert "It was 59 % to hit." in rows


def test_a_defence_in_vain_says_so(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    defence = DefenceTaken("bandit", "todd", "dodge", "Dodge", {}, {})
    told = " ".join(result_text(Result((*events, defence), battle), session.rules, 60, 30).plain.split())
    assert "Bandit: Dodge. It does not help: the attack stays “Armour hit”." in told


def test_each_target_has_a_row_at_most_eight_and_the_receipt_has_all(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    bandit = battle.units["bandit"]
    crowd = {f"crowd-{number}": replace(bandit, id=f"crowd-{number}", name=f"Crook {number}") for number in range(10)}
    battle = replace(battle, units={**battle.units, **crowd})
    caught = tuple(BurstCaught("todd", unit, "short radius", Fraction(1)) for unit in crowd)
    losses = tuple(PoolChanged(unit, "hp", "hit points", 20, 20 - number, "") for number, unit in enumerate(crowd))
    found = Result((*events, *caught, *losses), battle)
    rows = result_text(found, session.rules, 40, 40).plain.split("\n")
    shown = [row for row in rows if "Crook" in row]
    assert len(shown) == MOST_UNITS and "Crook 9" in shown[0] and shown[0].endswith("20 → 11  −9"), "worst first"
    assert "and 2 more: r" in rows
    whole = receipt_of(found, session.rules, 60).plain
    assert "Crook 0" in whole and "no damage" in whole and "Modifiers of Todd → Bandit" in whole


def test_a_sign_says_where_details_are_cut(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    for height in range(5, 12):
        rows = result_text(Result(events, battle), session.rules, 30, height).plain.split("\n")
        assert len(rows) <= height
        whole = result_text(Result(events, battle), session.rules, 30, ENDLESS).plain.split("\n")
        is_cut = not {row for row in whole if row.startswith(("Damage", "Todd:"))} <= set(rows)
        assert any("r shows" in row for row in rows) == is_cut or height < 7
