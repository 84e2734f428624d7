"""The unit's panel: pools as bars, and always what is in hand and what is left of the turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.command import Attack
from engine.battle.commands.unit_edits import SetPool
from engine.battle.views.view import project
from engine.values import replace
from tests.rules.table import defends, fight
from tests.tui.play import NARROW, USUAL, app_for, play, shipped_rulesets
from tui.application.describe.glyphs import UNICODE
from tui.view.board.ground import DrawingStyle
from tui.view.board.palette import MONO
from tui.view.board.tokens import token
from tui.view.board.zoom_levels import ZOOMS
from tui.view.panels.order_panel import order_rows
from tui.view.panels.side_panels import UnitPanel
from tui.view.panels.unit_panel import LEFT, REMAINING, unit_text
from tui.view.screens.battle_screen import BattleScreen


def rows(screen: BattleScreen) -> list[str]:
    return str(screen.query_one(UnitPanel).render()).splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_the_weapon_and_what_is_left_are_always_shown(tmp_path: Path, ruleset: str, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("2")
        await pilot.pause()
        shown = rows(screen)
        assert len(shown) <= screen.query_one(UnitPanel).content_size.height
        assert any(row.startswith("in hand  ") for row in shown), shown
        assert any(row.startswith((f"{REMAINING} ", f"{LEFT} ")) for row in shown), shown
        first = next(iter(screen.session.rules.units.pools.values()))
        bar = next(row for row in shown if row.startswith(first.label))
        full = screen.session.battle.unit(screen.presenter.focus.unit).pools[first.id]
        assert "━" in bar and bar.rstrip().endswith(f"/{full}")

    play(app_for(tmp_path, ruleset=ruleset), script, size)


@pytest.mark.slow
def test_scores_are_numbers_in_one_line_and_pools_are_bars(tmp_path: Path) -> None:
    """Where scores can be lowered, as eva's characteristics, they are told together and none is a bar."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(SetPool(screen.presenter.focus.unit, "ws", 21))
        await pilot.pause()
        shown = rows(screen)
        assert not [row for row in shown if "━" in row and row.split()[0] in ("WS", "BS", "S", "T", "Ag", "WP")]
        assert any(row.startswith("characteristics ") and "WS 21(" in row for row in shown), shown
        assert any(row.startswith("fatigue left ") and "━" in row for row in shown)

    play(app_for(tmp_path, ruleset="eva"), script, USUAL)


def test_armour_points_stand_on_the_panel_and_characteristics_are_no_bars() -> None:
    table = fight("eva", "a...b", a="rifleman", b="rifleman")
    shown = unit_text(project(table.battle, table.rules).units[0], "m", 60).plain
    assert "AP head 3 · AP body 4" in " ".join(shown.split())
    assert next(row for row in shown.split("\n") if row.startswith("characteristics")).count("━") == 0


def test_a_pool_stays_before_what_is_left_of_the_turn_takes_a_second_row() -> None:
    table = fight("cwn", "a...b", a="leader", b="gunman")
    leader = project(table.battle, table.rules).units[0]
    for height in range(7, 14):
        shown = unit_text(leader, "m", 32, height).plain.split("\n")
        assert len(shown) <= height
        assert [row for row in shown if row.startswith("damage soak")], shown
        assert [row for row in shown if row.startswith(("remaining", "left "))], shown


def test_the_bar_of_who_is_out_at_once_is_empty_whatever_its_numbers() -> None:
    """As after `kill`, which changes no number."""
    table = fight("cwn", "a...b", a="gunman", b="gunman")
    view = project(table.battle.with_unit(replace(table.battle.units["b"], is_defeated=True)), table.rules)
    unit = view.unit("b")
    assert unit is not None and unit.pools[0].now == unit.pools[0].full
    panel = next(row for row in unit_text(unit, "m", 40).plain.split("\n") if row.startswith("hit points"))
    order = next(row.plain for row, _ in order_rows(view, "", "", 40, 9) if " b " in row.plain)
    assert "/" not in order, "who is out has no number that reads as fighting"
    rows = unit_text(unit, "m", 40).plain.split("\n")
    assert rows.index("out of the fight") == 2, "it stands above the pools"
    tokens = [token(unit, DrawingStyle(zoom, UNICODE, MONO), is_filled=False, is_in_smoke=False) for zoom in ZOOMS]
    assert "━" not in panel + order and "─" in panel and "─" in order
    inks = {sign.ink.split()[0] for rows in tokens for row in rows for sign in row}
    assert not any(ink.startswith("bar-") and ink != "bar-rest" for ink in inks)


def test_who_has_nothing_left_has_it_until_its_turn() -> None:
    table = fight("volt", "a...b", a="rifleman", b="rifleman")
    active = table.battle.turns.active
    for unit in table.battle.units.values():
        spent = replace(unit, turn=replace(unit.turn, budget=dict.fromkeys(unit.turn.budget, 0)))
        shown = unit_text(project(table.battle.with_unit(spent), table.rules).unit(unit.id), "m", 60).plain.split("\n")
        (row,) = [row for row in shown if row.startswith(("remaining", "left "))]
        assert row.endswith("nothing" if unit.id == active else "waits for its turn")


def test_what_is_counted_is_not_among_what_remains() -> None:
    """The mode of fire used is no action left; in a short row "actions" stays where its number has no other word."""
    table = fight("aog", "a...b", a="gunman", b="gunman")
    rows = unit_text(project(table.battle, table.rules).unit("a"), "m", 30, 7).plain.split("\n")
    assert "left 2 actions, 2 reactions" in [row.strip() for row in rows]
    table.do(Attack("a", "b", action="semi"), defends("b", ""), (90,))
    rows = unit_text(project(table.battle, table.rules).unit("a"), "m", 60).plain.split("\n")
    (left,) = (row for row in rows if row.startswith("remaining"))
    assert "used" not in left
    assert any(row.startswith("already") and "1 mode of fire used" in row for row in rows)
