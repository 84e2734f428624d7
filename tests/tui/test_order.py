"""The order on the board and in words: the list and its keys, groups on one row, what is typed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from engine.battle import command as cmd
from engine.battle.commands.order_commands import Delay, DissolveGroup, FormGroup, SetPlace, SetTurn, Surprise
from engine.battle.commands.unit_edits import SetPool
from engine.battle.views.view import LastSeen, UnknownTurn, project
from engine.errors import BattleboardError
from engine.geometry.squares import Direction
from engine.values import replace
from tests.rules.table import fight
from tests.tui.play import NARROW, USUAL, app_for, play, said, session_for, typed
from tests.tui.presenter.table import Conversation
from tui.application.commands.registry import hear
from tui.application.commands.results import Setting, SubmitCommand
from tui.application.commands.runner import do
from tui.application.describe.order_blocks import next_units
from tui.application.exports.formats import exported
from tui.application.presenter.what_now import what_now
from tui.view.panels.order_panel import order_rows, rows_out_of_sight, signs_of
from tui.view.panels.side_panels import OrderPanel
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.order_menu import OrderScreen


def rows(screen: OrderScreen) -> list[str]:
    options = screen.query_one(OptionList)
    return [str(options.get_option_at_index(place).prompt) for place in range(options.option_count)]


def told(screen: OrderScreen) -> str:
    return str(screen.query_one("#said", Static).content)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("delay todd after bandit", Delay("todd", "bandit")),
        ("delay after bandit", Delay("todd", "bandit")),
        ("delay bandit until cutter", Delay("bandit", "cutter")),
        ("order bandit after boss", SetPlace("bandit", "boss")),
        ("order bandit before boss", SetPlace("bandit", "todd")),
        ("order bandit before todd", SetPlace("bandit")),
        ("order bandit first", SetPlace("bandit")),
        ("order boss last", SetPlace("boss", "tracker")),
        ("order deputy up", SetPlace("deputy", "todd")),
        ("order boss down", SetPlace("boss", "deputy")),
        ("group bandit lookout and cutter", FormGroup(("bandit", "lookout", "cutter"))),
        ("ungroup bandit", DissolveGroup("bandit")),
        ("surprise bandit lookout", Surprise(("bandit", "lookout"))),
        ("surprise law", Surprise(("todd", "deputy", "marshal", "tracker"))),
    ],
)
def test_the_order_in_words(tmp_path: Path, line: str, meant: cmd.Command) -> None:
    session = session_for(tmp_path)
    spoken = hear(line, Setting(session.battle, session.rules))
    session.close()
    assert spoken == SubmitCommand(meant)


def test_what_cannot_be_heard_says_why(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    setting = Setting(session.battle, session.rules)
    for line, why in (
        ("delay todd", "Type the unit"),
        ("order bandit sideways", "place"),
        ("surprise", "Type the unit"),
    ):
        with pytest.raises(BattleboardError, match=why):
            hear(line, setting)
    session.close()


def test_the_rulesets_own_action_of_that_name_is_said_by_its_name_alone(tmp_path: Path) -> None:
    session = session_for(tmp_path, ruleset="aog")
    active = session.battle.turns.active
    spoken = hear("delay", Setting(session.battle, session.rules))
    other = next(unit for unit in session.battle.turns.order if unit != active)
    assert spoken == SubmitCommand(cmd.Act(active, "delay"))
    assert hear(f"delay after {other}", Setting(session.battle, session.rules)) == SubmitCommand(Delay(active, other))
    session.close()


def test_a_group_is_one_row_with_the_member_that_acts(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    session.submit(FormGroup(("bandit", "lookout", "cutter")))

    def shown() -> list[str]:
        return [row.plain for row, _ in order_rows(project(session.battle, session.rules), "", "", 36, 20)]

    before = shown()
    assert len(before) == 6 and "Bandit ×3" in before[3] and "3 left" in before[3]
    for _ in range(3):
        session.submit(cmd.EndTurn())
    session.submit(SetPool("cutter", "hp", 0))
    now = shown()
    session.close()
    assert "2 left" in now[3] and now[4].startswith("▸") and "Bandit" in now[4] and len(now) == 7


def test_rows_have_badges_bars_and_conditions_and_the_title_says_who_is_next(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    session.submit(SetPool("cutter", "hp", 5))
    session.submit(SetPool("lookout", "hp", 0))
    view = project(session.battle, session.rules)
    session.close()
    rows = [row.plain for row, _ in order_rows(view, "todd", "bandit", 40, 20, "boss")]
    assert rows[0] == "▸• T  Todd      21 ━━━━━━ 20/20         "
    assert rows[1].startswith(" ›") and rows[3].startswith(" ◎")
    assert "━─────  5/22" in next(row for row in rows if "Cutter" in row)
    assert next(row for row in rows if "Lookout" in row).rstrip().endswith("0/20 out")
    narrow = [row.plain for row, _ in order_rows(view, "", "", 32, 20)]
    assert narrow[1] == "   o  The Boss ━━━━━ 20/20      " and narrow[-1].endswith("20/20 kneel")
    assert [unit.name for unit in next_units(view)][:2] == ["The Boss", "Deputy"]
    assert "Lookout" not in [unit.name for unit in next_units(view)], "who is out has no turn"


def test_units_out_of_sight_stand_where_they_act_and_below_as_they_were_seen_last(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    whole = project(session.battle, session.rules)
    session.close()
    units = {unit.id: unit for unit in whole.units}
    known = replace(whole, units=tuple(one for one in whole.units if one.id not in ("boss", "bandit", "cutter")))
    known = replace(known, order=tuple(one for one in whole.order if one in {unit.id for unit in known.units}))

    def seen(unit: str, *, is_defeated: bool = False) -> LastSeen:
        one = units[unit]
        return LastSeen(one.id, one.name, one.letter, one.side, 1, one.at, False, 1, 0, is_defeated, 2)

    view = replace(
        known,
        unknown_turns=(UnknownTurn("deputy", "", "", True), UnknownTurn("", "Bandit", "bandit", False)),
        last_seen=(seen("bandit"), seen("cutter", is_defeated=True)),
    )
    rows = [row.plain.rstrip() for row, _ in order_rows(view, "", "", 40, 20)]
    ids = [unit for _, unit in order_rows(view, "", "", 40, 20)]
    assert ids[:3] == ["todd", "?0", "deputy"] and ids[-2:] == ["bandit", "cutter"]
    assert rows[1].startswith("▸  ?  unseen"), "its turn it is"
    assert rows[-2].endswith(f"{units['bandit'].at.name} R2") and " b " in rows[-2]
    assert rows[-1].endswith(f"{units['cutter'].at.name} out")


def test_an_interrupted_turn_is_next_and_the_report_has_a_heading_for_each_part_of_it(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path))
    session = talk.presenter.session
    talk.presenter.submit(SetTurn("deputy"))
    talk.press("t", "f")
    talk.answer("95", "2")
    view = project(talk.battle, session.rules)
    assert (view.active, [unit.name for unit in next_units(view)][:4]) == (
        "cutter",
        ["Deputy", "Todd", "The Boss", "Bandit"],
    ), "an extra turn does not take the unit's own, nor that of the one who was on"
    assert "Deputy is next" in what_now(talk.presenter, view, "")
    for line in ("kneel", "end", "kneel"):
        talk.line(line)
    told = exported(session, "markdown")
    session.close()
    headings = [row for row in told.splitlines() if row.startswith("### ")]
    assert headings[-3:] == ["### Deputy", "### Cutter, extra turn", "### Deputy, continued"]
    assert "turn continues" not in told


def test_the_active_unit_and_the_three_next_stay_in_sight(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    view = project(session.battle, session.rules)
    session.close()
    for place in range(len(view.order)):
        now = replace(
            view,
            active=view.order[place],
            upcoming=view.order[place + 1 : place + 2],
            units=tuple(replace(unit, is_active=unit.id == view.order[place]) for unit in view.units),
        )
        shown = [unit for _, unit in order_rows(now, "", "", 32, 5)]
        assert set(view.order[place : place + 4]) <= set(shown)


@pytest.mark.long
def test_keys_walk_the_turn_order_of_a_narrow_screen_and_the_board_takes_them_back(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        units, order = screen.session.battle.units, screen.session.battle.turns.order
        panel = screen.query_one(OrderPanel)
        await pilot.press("3", "down", "down")
        assert panel.has_focus and screen.board.cursor == units[order[2]].at
        await pilot.press("escape", "right")
        assert not panel.has_focus and screen.board.cursor == units[order[2]].at.step(Direction.E)
        await pilot.press("3", "t")  # the Shot panel takes the place of the turn order
        await pilot.pause()
        assert not panel.display
        cursor = screen.board.cursor
        await pilot.press("right")
        assert screen.board.cursor == cursor.step(Direction.E)

    play(app_for(tmp_path), script, (80, 24))


@pytest.mark.long
def test_keys_and_clicks_walk_the_turn_order(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        units, order = screen.session.battle.units, screen.session.battle.turns.order
        before = screen.presenter.focus
        await pilot.press("tab", "tab", "shift+tab")
        assert screen.board.cursor == units[order[1]].at
        assert replace(screen.presenter.focus, cursor=before.cursor) == before, "only the cursor moves"
        await pilot.press("3", "down", "down")
        assert screen.board.cursor == units[order[3]].at
        await pilot.press("enter")
        assert screen.presenter.focus.target == order[3] == "bandit"
        await pilot.press("3", "down", "escape", "right")
        assert screen.board.cursor == units[order[4]].at.step(Direction.E)
        await pilot.click("#order", offset=(6, 3))
        assert screen.presenter.focus.unit == order[2] == "deputy"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.long
def test_the_list_moves_waits_groups_and_surprises_by_keys(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        battle = screen.session.battle
        assert battle.turns.order[:4] == ("todd", "boss", "deputy", "bandit")
        await pilot.press("Y")
        await pilot.pause()
        order = pilot.app.screen
        assert isinstance(order, OrderScreen) and len(rows(order)) == 8
        await pilot.press("j", "J")
        assert screen.session.battle.turns.order[:4] == ("todd", "deputy", "boss", "bandit")
        assert told(order) == "GM: The Boss acts after Deputy."
        await pilot.press("K")
        assert screen.session.battle.turns.order[:4] == ("todd", "boss", "deputy", "bandit")
        await pilot.press("j", "j", "space", "j", "space", "g")
        await pilot.pause()
        assert screen.session.battle.turns.groups == (("bandit", "lookout"),)
        assert len(rows(order)) == 7
        await pilot.press("g")
        assert screen.session.battle.turns.groups == ()
        await pilot.press("s")
        assert screen.session.battle.turns.surprised == ("bandit",)
        await pilot.press("k", "k", "k", "d")
        await pilot.pause()
        await pilot.press("2")
        await pilot.pause()
        assert screen.session.battle.turns.order[:3] == ("boss", "deputy", "todd")
        assert screen.session.battle.turns.active == "boss"
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(pilot.app.screen, OrderScreen)
        assert said(screen).startswith("Todd delays: acts after Deputy.")
        await pilot.press("U")
        assert screen.session.battle.turns.active == "todd"

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_a_refusal_is_said_in_the_list(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("Y", "J")
        await pilot.pause()
        order = pilot.app.screen
        assert isinstance(order, OrderScreen)
        assert "use delay instead" in told(order)
        await pilot.press("g")
        assert "Mark two or more units" in told(order)
        await pilot.press("K", "j", "n")
        await pilot.pause()
        assert screen.session.battle.turns.active == "boss"

    play(app_for(tmp_path), script, USUAL)


def test_where_nobody_delays_no_unit_is_offered_and_it_says_at_once_how_to_wait(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("escape", "Y")
        await pilot.pause()
        order = pilot.app.screen
        assert isinstance(order, OrderScreen)
        assert not any("delay" in str(one.content) or "dissolve" in str(one.content) for one in order.query(Static))
        await pilot.press("d")
        await pilot.pause()
        assert pilot.app.screen is order and "on its turn a unit takes “Wait” or " in told(order)

    play(app_for(tmp_path, "warehouse", "volt"), script, NARROW)


@pytest.mark.slow
def test_those_marked_take_damage(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        first, second, *_ = (screen.session.battle.unit(unit) for unit in screen.session.battle.turns.order)
        await pilot.press("Y", "space", "j", "space", "h")
        await pilot.pause()
        await pilot.press(*typed("5"), "enter")
        await pilot.pause()
        after = screen.session.battle
        assert [after.unit(one.id).pools["hp"] for one in (first, second)] == [
            one.pools["hp"] - 5 for one in (first, second)
        ]
        await pilot.press("U")
        await pilot.pause()
        assert screen.session.battle.units == {**after.units, first.id: first, second.id: second}

    play(app_for(tmp_path), script, USUAL)


def test_who_may_still_act_after_the_moves_is_not_ticked_as_having_acted() -> None:
    table = fight("volt", "a....b", "c.....", allies="c", a="gunman", b="gunman", c="gunman")
    ended = replace(table.battle.turns, active="b", ended=("a", "c"), closing=("b", "a", "c"))
    view = project(replace(table.battle, turns=ended), table.rules)
    assert "✓" not in signs_of(view).values()
    over = project(replace(table.battle, turns=replace(ended, closing=("b",))), table.rules)
    assert set(over.acted) == {"a", "c"}


def test_neighbours_of_a_group_are_one_row_where_there_is_no_room_for_all(tmp_path: Path) -> None:
    with closing(session_for(tmp_path)) as session:
        do(session, "add 5 gunman outlaws K8")
        do(session, "kill g2")
        view = project(session.battle, session.rules)

        def drawn(height: int, cursor: str = "") -> list[str]:
            return [row.plain.rstrip() for row, _ in order_rows(view, "", "", 36, height, cursor)]

        assert sum("gunman" in row for row in drawn(0)) == 5 and sum("gunman" in row for row in drawn(13)) == 5
        assert "   g  gunmen 1–5        4 of 5 stand" in drawn(9)
        alone = drawn(11, "gunman-3")
        assert [row[6:16].strip() for row in alone if "gun" in row] == ["gunmen 1–2", "gunman 3", "gunmen 4–5"], alone
        shown = [unit for _, unit in order_rows(view, "", "", 36, 9)]
        assert rows_out_of_sight(view, 36, shown, height=9) == ""
