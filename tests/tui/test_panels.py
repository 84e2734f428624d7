"""What panels and sheets say where room is short, and what is behind them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.color import Color
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from engine.battle import command as cmd
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import AttackPreview, Change
from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.ruling_commands import Adjust
from engine.battle.commands.unit_edits import SetBudget, SetCondition, SetPosture
from engine.battle.narration.preview_text import verdict
from engine.battle.narration.unit_states import StateShown
from engine.battle.views.view import project
from engine.dice.dice_text import percent
from engine.geometry.squares import parse_square
from engine.rules.ledger import Adjustment
from engine.rules.roll_odds import worths
from engine.tactics.suggestions import better, changes
from engine.values import replace
from tests.rules.table import fight
from tests.tui.play import NARROW, USUAL, app_for, play, said, session_for, settled, typed
from tui.application.focus import focus as foci
from tui.application.focus.focus import Focus
from tui.application.prompts.choice import Choice, MenuQuestion
from tui.application.prompts.table_rows import widths
from tui.view.modals.card_rows import card_rows
from tui.view.modals.text_modal import TextModal
from tui.view.panels.attack_panel import MOST_NAMED, WITH_REASONS, shot_text
from tui.view.panels.order_panel import order_rows, rows_out_of_sight
from tui.view.panels.outcome_badges import BADGES, outcome_words
from tui.view.panels.receipt import receipt_text
from tui.view.panels.unit_panel import unit_text
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.logbook import COLUMNS, Logbook, log_rows
from tui.view.terminal.output_gates import AsciiGate

ROOT = Path(__file__).parents[2]
MOST_EMPTY = 3
"""Rows that the longest reason takes below its modifier."""


def test_the_order_says_how_many_stand_above_and_below_what_it_shows(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    for _ in range(4):
        session.submit(cmd.EndTurn())
    view = project(session.battle, session.rules)
    session.close()
    rows = order_rows(view, "", "", 36, 3)
    assert rows[1][0].plain.startswith("▸") and all(len(row.plain) <= 36 for row, _ in rows)
    assert rows_out_of_sight(view, 36, [unit for _, unit in rows]) == "↑ 3 · ↓ 2"
    assert rows_out_of_sight(view, 36, view.order) == ""


def test_the_acting_unit_stays_in_sight_wherever_the_cursor_is(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    view = project(session.battle, session.rules)
    session.close()
    for unit in view.order:
        shown = [row.plain for row, _ in order_rows(view, "", "", 36, 4, cursor=unit)]
        assert any(row.startswith("▸") for row in shown) and any("›" in row[:2] for row in shown)
        assert any(view.unit(view.upcoming[0]).name in row for row in shown), "the next one too"


def test_a_declared_action_stands_before_the_marks_of_conditions() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    view = project(table.battle, table.rules)
    for marks, state in (("", "Attack"), ("›", "Attack ›"), ("›v", "Attack›v")):
        held = replace(view.unit("a"), declared="Attack", conditions=tuple(StateShown(mark, mark) for mark in marks))
        now = replace(view, units=(held, *(unit for unit in view.units if unit.id != "a")))
        assert order_rows(now, "", "", 40, 0)[now.order.index("a")][0].plain.rstrip().endswith(f" {state}")


def test_signs_of_words_and_panels_have_others_in_ascii() -> None:
    """Those of the board have a table of their own."""
    (drawn,) = AsciiGate().apply([Segment("Bandit ↑3 ↓2 ← »")], Color(0, 0, 0))
    assert drawn.text == "Bandit ^3 v2 < >"
    board = {"glyphs.py", "legend.py", "boxed.py", "ground.py", "close_up.py"}
    texts = [
        path
        for path in (*(ROOT / "tui").rglob("*.py"), *(ROOT / "engine" / "battle").rglob("*.py"))
        if path.name not in board
    ]
    signs = {sign for path in texts for sign in path.read_text(encoding="utf-8") if not sign.isascii()}
    assert {sign for sign in signs if "?" in AsciiGate().apply([Segment(sign)], Color(0, 0, 0))[0].text} == set()


def test_the_order_shows_posture_beside_conditions_and_no_mark_for_a_scope(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    session.submit(SetPosture("todd", "prone"))
    session.submit(SetCondition("todd", "intimidated", True))
    session.submit(SetCondition("todd", "scope", True))
    view = project(session.battle, session.rules)
    row = order_rows(view, "", "", 40, 20)[0][0].plain
    session.close()
    assert "Todd" in row and row.rstrip().endswith("i prone")
    assert "with a scope" in unit_text(view.unit("todd"), "ft", 40).plain


def test_the_panel_says_whether_a_better_attack_does_more_damage_or_hits_more_often(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    battle, rules = session.battle, session.rules
    session.close()
    shot = foci.shot(Focus(unit="todd", target="bandit"), battle, rules)
    assert isinstance(shot, AttackPreview)
    harder, likelier = Change(False, "Aimed shot", Fraction(3, 4), Fraction(31, 10)), Change(True, "E", Fraction(7, 10))
    for width, row in (
        (60, "Better avg. damage: aimed shot 3.1, hit 75 %"),
        (40, "Better dmg: aimed shot 3.1, hit 75 %"),
    ):
        assert row in shot_text(replace(shot, better=(harder,)), rules, width, 40).plain
    assert "Better chance: one step E 70 %" in shot_text(replace(shot, better=(likelier,)), rules, 40, 40).plain


def test_no_row_of_a_shot_moves_when_what_costs_most_is_known(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    battle, rules = session.battle, session.rules
    session.close()
    focus = Focus(unit="todd", target="bandit")
    shot, attack = foci.shot(focus, battle, rules), foci.attack_in(focus, battle, rules)
    assert isinstance(shot, AttackPreview) and attack
    costs = worths(rules, shot.situation.facts, shot.ledger)
    known = replace(shot, worths=costs, better=better(changes(battle, rules, attack), shot))
    for height in (17, 25, 26):
        before, after = (shot_text(one, rules, 39, height).plain.split("\n") for one in (shot, known))
        place = next(place for place, row in enumerate(after) if "costs" in row)
        assert [row.replace("*", " ") for row in after[:place]] == before[:place]


@pytest.mark.long
@pytest.mark.parametrize("ruleset", ["occult-ops", "cwn"])
def test_a_reason_is_cut_only_where_no_row_is_free_to_go_on(ruleset: str, tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse", ruleset)
    battle, rules = session.battle, session.rules
    session.close()
    shot, attack = (find(Focus(unit="raven", target="watchman"), battle, rules) for find in (foci.shot, foci.attack_in))
    assert isinstance(shot, AttackPreview) and attack
    shot = replace(
        shot,
        worths=worths(rules, shot.situation.facts, shot.ledger),
        better=better(changes(battle, rules, attack), shot),
    )
    for width in range(WITH_REASONS, 64):
        for height in range(10, 30):
            rows = shot_text(shot, rules, width, height).plain.split("\n")
            is_cut = any(row.rstrip().endswith("…") for row in rows)
            assert not is_cut or height - len(rows) < MOST_EMPTY, (width, height, rows)


@pytest.mark.long
def test_a_units_panel_cut_short_says_so_and_r_shows_the_whole(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        unit = screen.board.view and screen.board.view.unit("todd")
        assert unit is not None
        whole = unit_text(unit, "ft", 36).plain
        cut = unit_text(unit, "ft", 36, 4).plain.split("\n")
        assert len(cut) == 4 and cut[3].rstrip() == "… for more press r" and len(whole.split("\n")) > 4
        await pilot.press("t", "2", "r")  # the unit's panel alone, while somebody is aimed at
        sheet = pilot.app.screen
        assert isinstance(sheet, TextModal) and sheet.query_one(VerticalScroll).border_title == "Bandit"
        await pilot.press("escape", "escape", "r")
        sheet = pilot.app.screen
        assert isinstance(sheet, TextModal)
        assert whole.split("\n")[-1].split(" · ")[0] in str(sheet.query_one(Static).content)

    play(app_for(tmp_path), script, NARROW)


def test_the_rounds_in_a_weapon_are_never_cut() -> None:
    table = fight("cwn", "a..b", a="grenadier", b="gunman").arm("a", "frag-grenade")
    rows = unit_text(project(table.battle, table.rules).unit("a"), "m", 34).plain.split("\n")
    assert next(row for row in rows if row.startswith("in hand")).rstrip().endswith("  3 of 3")


def test_the_gms_own_line_stays_where_the_ledger_is_cut() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    table.do(Adjust(Adjustment("gm-1", value=2, label="high ground")))
    rows = shot_text(table.shot(), table.rules, 40, 8).plain.split("\n")
    assert any("high ground" in row for row in rows)
    assert any(" smaller " in row for row in rows)


def test_a_change_of_the_number_to_beat_names_it_beside_its_value() -> None:
    table = fight("cwn", "a..b", a="gunman", b="gunman", stats={"b": {"dexterity_mod": 2}})
    rows = shot_text(table.shot(), table.rules, 40, 40).plain.split("\n")
    assert next(row.split()[1:4] for row in rows if "Dexterity" in row and "+2" in row) == ["Dexterity", "AC", "+2"]


def test_the_panel_says_that_a_miss_can_wound() -> None:
    table = fight("cwn", "ab", a="brawler", b="gunman").arm("a", "sword")
    assert (
        "Misses may wound too"
        in shot_text(with_odds(table.battle, table.rules, table.shot()), table.rules, 40, 40).plain
    )


def test_only_a_panel_that_explains_the_star_has_one() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    table.do(Adjust(Adjustment("gm-1", value=20, label="high ground")))
    shot = with_odds(table.battle, table.rules, table.shot())
    shot = replace(shot, worths=worths(table.rules, shot.situation.facts, shot.ledger))
    for height in range(8, 60):
        text = shot_text(shot, table.rules, 40, height).plain
        assert ("+20*" in text) == ("* changes the chance most" in text)
    assert "+20*" in text


def test_a_modifier_that_leaves_the_chance_as_it_is_is_told_from_one_that_does_not_apply() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    table.do(Adjust(Adjustment("gm-1", value=-90, label="blind fire")))
    table.do(Adjust(Adjustment("gm-2", value=-2, label="glare")))
    shot = with_odds(table.battle, table.rules, table.shot())
    shot = replace(shot, worths=worths(table.rules, shot.situation.facts, shot.ledger))
    rows = shot_text(shot, table.rules, 60, 60).plain.split("\n")
    glare = next(row for row in rows if "glare" in row)
    assert "same chance" in glare and "no effect" not in glare


def test_a_panel_writes_every_chance_as_all_chances_are_written() -> None:
    table = fight("volt", "a...b", a="rifleman", b="rifleman")
    table.do(Adjust(Adjustment("gm-1", value=-1, label="glare")))
    shot = with_odds(table.battle, table.rules, table.shot())
    assert shot.outlook is not None
    hit, (label, harm) = percent(shot.odds.hit), shot.outlook.harms[0]
    assert 100 * shot.odds.hit % 1
    text = shot_text(shot, table.rules, 40, 16).plain
    assert f" HIT {hit}" in text and f"{label} {percent(harm)}" in text


def test_a_negative_initiative_has_the_minus_sign_of_all_numbers() -> None:
    table = fight("volt", "a...b", a="rifleman", b="rifleman")
    view = project(table.battle, table.rules)
    view = replace(view, units=tuple(replace(unit, initiative=-8) for unit in view.units))
    for row, _ in order_rows(view, "", "", 40, 0):
        assert " −8 " in row.plain and "-8" not in row.plain


def test_on_a_map_in_another_unit_the_panel_says_both_and_every_distance_is_rounded_alike() -> None:
    table = fight("occult-ops", "a....b....", a="gunman", b="gunman", scale=(2, "metres"))
    text = shot_text(table.shot(), table.rules, 60, 60).plain
    assert "32 ft (10 m)" in text
    table.battle = replace(
        table.battle,
        units={**table.battle.units, "b": replace(table.unit("b"), at=parse_square("I1"))},
    )
    moving = next(entry for entry in table.shot().ledger.entries if entry.label == "Moving target")
    assert moving.because.startswith("now 3 squares, 19 ft, in a straight line")


def test_a_receipt_names_everybody_whom_an_attack_may_catch() -> None:
    names = "bcdefgh"
    table = fight("cwn", "a....", "..bcd", "..fge", "..h..", **dict.fromkeys(f"a{names}", "gunman"))
    table.arm("a", "frag-grenade")
    shot = with_odds(table.battle, table.rules, table.shot(at="c"))
    assert len(shot.area_risks) > MOST_NAMED
    assert "r lists" in shot_text(shot, table.rules, 80, 60).plain
    whole = receipt_text(shot, table.battle, table.rules, 80).plain
    assert "r lists" not in whole
    assert all(risk.unit.name in whole for risk in shot.area_risks)


def test_a_throw_that_cannot_land_as_aimed_leads_with_whom_it_catches() -> None:
    table = fight("volt", "a......b", a="grenadier", b="rifleman").arm("a", "fragmentation-grenade")
    table.do(Adjust(Adjustment("gm-1", value=-20, label="blinded by sparks")))
    shot = table.shot(at="b")
    assert shot_text(shot, table.rules, 40, 8).plain.startswith(" LANDS AS AIMED 0 % ")
    shot = with_odds(table.battle, table.rules, shot)
    caught = percent(shot.area_risks[0].caught)
    rows = shot_text(shot, table.rules, 40, 10).plain.split("\n")
    assert rows[0] == f" IN THE AREA {caught}  B, as aimed 0 %"
    assert "0 % to land as aimed" in verdict(shot, table.rules)
    assert shot_text(shot, table.rules, len(f" AREA {caught}  B"), 10).plain.split("\n")[0] == f" AREA {caught}  B"


def test_a_ledger_that_is_cut_names_what_counts_against_the_attack() -> None:
    table = fight("volt", "a.............b", a="grenadier", b="rifleman").arm("a", "fragmentation-grenade")
    table.do(SetPosture("b", "prone"))
    shot = with_odds(table.battle, table.rules, table.shot(at="b"))
    rows = [row.split() for row in shot_text(shot, table.rules, 40, 9).plain.split("\n")]
    assert ["Target", "lies", "down", "−2"] in rows


@pytest.mark.slow
def test_a_search_of_the_log_looks_into_folded_rows(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter", "E")
        await pilot.pause()
        log = pilot.app.screen
        assert isinstance(log, Logbook)
        rows = log.query_one(OptionList)
        assert not any("Strike" in str(rows.get_option_at_index(place).prompt) for place in range(rows.option_count))
        for words, found in (("strike", "Todd ▸ "), ("grenade", "No row of the log matches.")):
            await pilot.press("slash", *typed(words), "enter")
            await pilot.pause()
            assert found in str(log.query_one(OptionList).get_option_at_index(0).prompt)

    play(app_for(tmp_path), script, USUAL)


def test_an_attack_is_a_row_of_the_opened_log_with_its_outcome_in_its_colour(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    for command in (cmd.Attack("todd", "bandit"), cmd.EndTurn()):
        session.submit(command)
    (begins, attack, turn) = log_rows(session.history.steps(), session.battle, session.rules)
    book = Logbook(session.history.steps(), session.battle, session.rules, "")
    session.close()
    book._sizes = widths(COLUMNS, [book._cells(attack)], 78)
    first, row, last = (book._headline(one, 78) for one in (begins, attack, turn))
    assert first.plain.startswith(" 1   The battle begins") and last.plain.startswith(" 1   The Boss's turn.")
    (word,) = {outcome_words(one, attack.step.events, attack.step.after, session.rules) for one in attack.attacks}
    assert row.plain.startswith(" 1   Todd ▸ Bandit  USP9  ") and row.plain.endswith(f"  {word.upper()}")
    styles = {row.plain[span.start : span.end]: str(span.style) for span in row.spans}
    assert styles[word.upper()] == f"bold {BADGES[word]}"


@pytest.mark.long
@pytest.mark.parametrize(("size", "is_shown"), [(NARROW, False), ((80, 30), True), (USUAL, True)])
def test_the_receipt_stands_beside_or_below_the_log_else_on_tab(
    tmp_path: Path, size: tuple[int, int], is_shown: bool
) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter", "E")
        await settled(pilot)
        log = pilot.app.screen
        assert isinstance(log, Logbook)
        detail, receipt = log.query_one("#detail"), log.query_one("#receipt", Static)
        assert detail.display == is_shown and ("Todd" in str(receipt.content)) == is_shown
        if is_shown:
            assert detail.size.width >= 33 and detail.size.height >= 9, "the rule beside it takes a cell"
        await pilot.press("tab")
        await settled(pilot)
        assert "Todd" in str(receipt.content) and not log.query_one(OptionList).display
        await pilot.press("end", "escape")
        await settled(pilot)
        assert pilot.app.screen is log and log.query_one(OptionList).display and detail.display == is_shown

    play(app_for(tmp_path), script, size)


@pytest.mark.long
def test_esc_in_the_log_shows_what_it_began_with_before_it_closes(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter", "E")
        await pilot.pause()
        log = pilot.app.screen
        assert isinstance(log, Logbook)
        for keys in (("f",), ("slash", *typed("strike"), "enter")):
            await pilot.press(*keys)
            await pilot.pause()
            assert log.query_one(OptionList).option_count == 1
            assert str(log.query_one("#help", Static).content).endswith("Esc clear")
            await pilot.press("escape")
            await pilot.pause()
            assert pilot.app.screen is log and log.query_one(OptionList).option_count == 1, "the hits, as at first"
            assert str(log.query_one("#help", Static).content).endswith("Esc back")
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.screen is screen

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_an_attack_that_is_chosen_says_which_key_rolls_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "a", "s")
        assert said(screen).startswith("f attacks with “Attack”. Bandit, 20 ft")

    play(app_for(tmp_path), script, USUAL)


def test_a_row_that_is_not_possible_says_why_below_itself() -> None:
    choices = [Choice("a", "Aim", reason="no time"), Choice("b", "Burst", reason="no time"), Choice("c", "Club")]
    rows = card_rows(MenuQuestion("Acts", choices), "123", 28, is_unfolded=True)
    assert [row.text.plain.split("\n") for row in rows] == [
        [" 1 Aim".ljust(28), "    no time"],
        [" 2 Burst".ljust(28), "    no time"],
        [" 3 Club"],
    ]


def test_the_panel_names_the_least_natural_number_where_the_die_makes_it_true() -> None:
    table = fight("cwn", "a..b", a="gunman", b="gunman")
    shot = table.shot()
    head = shot_text(shot, table.rules, 40, 30).plain.split("\n")[0].split()
    least = 21 - int(shot.odds.hit * 20)
    assert head[-2:] == ["needs", f"{least}+"]
    assert [shot_text(shot, table.rules, width, 30).plain.split("\n")[0].rstrip() for width in (29, 24, 14)] == [
        f" HIT 85 %  17 in 20 needs {least}+",
        f" HIT 85 %   needs {least}+",  # in place of the fraction
        " HIT 85 %",
    ]
    assert table.rules.attack.test.least_natural(shot.ledger, shot.odds.hit / 3) == 0  # as where a reroll changes it


@pytest.mark.parametrize("ruleset", ["aog", "volt"])
def test_no_natural_number_is_named_where_the_roll_must_be_low(ruleset: str) -> None:
    table = fight(ruleset, "a..b", a="gunman", b="gunman")
    assert "needs" not in shot_text(table.shot(), table.rules, 40, 30).plain.split("\n")[0]


def test_in_ascii_dots_and_arrows_take_two_cells_where_a_blank_can_be_spared() -> None:
    def ascii_of(*texts: str) -> str:
        drawn = AsciiGate().apply([Segment(text) for text in texts], Color(0, 0, 0))
        return "".join(segment.text for segment in drawn)

    assert ascii_of("hit points 8 → 1", "    ", "│") == "hit points 8 -> 1   |"
    assert ascii_of("Bartho…  7 of 7  ") == "Bartho.. 7 of 7  ", "columns stay where they are"
    assert ascii_of("│Todd → Bandit│a  b") == "|Todd ->Bandit|a  b"
    assert ascii_of("─ Todd → Bandit ───╮") == "- Todd -> Bandit --+"
    assert ascii_of("8→1, 9…") == "8>1, 9."


def test_an_attack_that_may_not_be_made_now_has_the_reason_at_the_top_and_a_muted_chance(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse", "volt")
    session.submit(SetTurn("raven"))
    focus = Focus("raven", "nest")
    ready = shot_text(foci.shot(focus, session.battle, session.rules), session.rules, 40, 20)
    assert ready.plain.startswith(" HIT 44 % ") and "Unavailable" not in ready.plain
    session.submit(SetBudget("raven", "action", 0))
    text = shot_text(foci.shot(focus, session.battle, session.rules), session.rules, 60, 20)
    session.close()
    assert text.plain.split("\n")[0] == "Unavailable: it costs 1 combat action, none left this turn"
    assert text.plain.split("\n")[1] == "HIT 44 %  7 in 16"
    assert "reverse" not in str(text.spans) and text.plain.count("Unavailable") == 1
