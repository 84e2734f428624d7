"""What is laid over the ground agrees with what the engine says of the same squares, and its words say what it is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.strip import Strip

from engine.battle.attacks.reactions import draws
from engine.battle.command import Act
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import SetInitiative
from engine.battle.commands.scene_commands import SetCloud, SetWind
from engine.battle.facts import sight_line
from engine.errors import Illegal
from engine.geometry.body import body
from engine.geometry.kernel import questions
from engine.geometry.los.sight import trace
from engine.geometry.squares import Direction, Square, parse_square
from engine.values import replace
from tests.rules.table import Table, fight
from tests.tui.play import NARROW, USUAL, app_for, play, said, settled, typed
from tui.application.commands.scene import parse_smoke
from tui.application.focus.focus import Focus
from tui.application.overlays.markings import BANDS, TintGrid
from tui.application.overlays.overlay_list import OVERLAYS, compute_overlay, follows_cursor
from tui.application.overlays.sight import SLOW
from tui.view.board.palette import Paper
from tui.view.screens.battle_screen import BattleScreen


def table_with_grenade() -> Table:
    return fight("occult-ops", "a.......", "...##...", "....b...", "........", a="grenadier", b="gunman")


def test_every_lens_says_what_it_shows() -> None:
    table = table_with_grenade()
    for name in OVERLAYS:
        overlay = compute_overlay(Focus("a", cursor=parse_square("E4"), overlay=name), table.battle, table.rules)
        assert overlay.words.endswith("."), name


def test_what_the_unit_sees_is_what_the_tracer_says() -> None:
    table = table_with_grenade()
    field, unit = table.battle.field, table.unit("a")
    overlay = compute_overlay(Focus("a", overlay="sight"), table.battle, table.rules)
    for square in field.squares():
        share = trace(field, unit.body(field), body(square, "feet")).visible
        kind = "seen" if share == 1 else "part" if share >= Fraction(1, 2) else "little" if share else "unseen"
        assert overlay.tints.get(square) == kind, square.name


def on_watch(act: str, *, zone: str = "", at: str = "", on: str = "") -> Table:
    """A faces east and is on overwatch; B, with the turn, and C are against it, D is its ally behind it."""
    rows = ("....#....b", "..a.......", "d........c")
    roles = dict.fromkeys("abcd", "rifleman")
    table = fight("eva", *rows, allies="d", **roles)
    if zone:
        table.do(Act("a", zone, square=parse_square(at)))
    table.do(Act("a", act, on, attack="standard"))
    table.turn_of("b")
    return table


@pytest.mark.parametrize(
    ("act", "zone", "at", "on", "watched", "free"),
    [
        ("overwatch", "", "", "", "F2", "A2"),
        ("overwatch-all", "", "", "", "F2", "A2"),
        ("overwatch-spent", "", "", "", "F2", "A2"),
        ("overwatch-one", "", "", "c", "F2", "A2"),
        ("overwatch-ally", "", "", "d", "A2", ""),
        ("overwatch", "kill-zone-arc", "A2", "", "A2", "F2"),
        ("overwatch", "kill-zone-area", "A2", "", "F2", "I2"),
    ],
)
def test_the_kill_zone_is_drawn_where_the_overwatch_may_answer(
    act: str, zone: str, at: str, on: str, watched: str, free: str
) -> None:
    table = on_watch(act, zone=zone, at=at, on=on)
    for focus in (Focus("b", cursor=table.unit("a").at), Focus("a", cursor=parse_square("J3"))):
        found = compute_overlay(focus, table.battle, table.rules)
        assert parse_square(watched) in found.tints and (not free or parse_square(free) not in found.tints)
        assert [chip.end for chip in found.chips] == ["A"]
    assert not compute_overlay(Focus("b", cursor=parse_square("J3")), table.battle, table.rules).tints


def test_who_may_react_wherever_an_enemy_moves_has_no_kill_zone() -> None:
    table = fight("cwn", "a....b", a="rifleman", b="rifleman")
    table.do(Act("a", next(id for id in table.rules.actions if "hold" in id)))
    assert "holding" in table.unit("a").conditions
    assert not compute_overlay(Focus("a"), table.battle, table.rules).tints
    assert compute_overlay(Focus("b", overlay="overwatch"), table.battle, table.rules).words.startswith("No enemy")


def test_the_kill_zone_is_where_a_move_is_answered_and_the_unit_sees_it() -> None:
    table = on_watch("overwatch")
    found = compute_overlay(Focus("a", cursor=parse_square("A1")), table.battle, table.rules)
    move = table.rules.actions["half-move"]
    field, here = table.battle.field, table.unit("a").at
    for square in field.squares():
        is_near = max(abs(square.column - here.column), abs(square.row - here.row)) < 2  # no rifle is fired there
        if is_near or table.battle.at(square) is not None or field.ground_at(square).blocks_movement:
            continue
        before = next(one for one in (square.step(way) for way in Direction) if one in field)
        battle = table.battle.with_unit(replace(table.unit("b"), at=before))
        drawn = draws(battle, table.rules, battle.unit("b"), (before, square), move)
        assert (square in found.tints) == any("overwatch" in one.reaction.id for one in drawn), square.name


def test_squares_in_reach_that_an_enemy_watches_have_the_sign_of_danger() -> None:
    table = on_watch("overwatch")
    found = compute_overlay(Focus("b", cursor=table.unit("b").at, overlay="reach"), table.battle, table.rules)
    assert found.tints[parse_square("I2")] == "blocked" and "Under overwatch: ×." in found.words
    assert found.reach is not None and found.reach.path(parse_square("I2"))
    menu = compute_overlay(Focus("b", overlay="overwatch"), table.battle, table.rules)
    assert menu.words == "Under overwatch of A: ×." and parse_square("I2") in menu.tints
    none = compute_overlay(Focus("a", overlay="overwatch"), table.battle, table.rules)
    assert none.words == "No enemy of A is on overwatch." and not none.tints


def test_what_is_seen_from_the_cursor_follows_it() -> None:
    table = table_with_grenade()
    here = compute_overlay(Focus("a", cursor=parse_square("H1"), overlay="here"), table.battle, table.rules)
    there = compute_overlay(Focus("a", cursor=parse_square("A4"), overlay="here"), table.battle, table.rules)
    assert follows_cursor(Focus(overlay="here"))
    assert here.tints.get(parse_square("E3")) != there.tints.get(parse_square("H1")) or here.words != there.words
    assert "H1" in here.words


def test_a_burst_names_whom_it_catches_and_stops_at_walls() -> None:
    table = table_with_grenade()
    overlay = compute_overlay(Focus("a", cursor=parse_square("E1"), overlay="blast"), table.battle, table.rules)
    assert overlay.tints[parse_square("E1")] == "blast"
    assert parse_square("E2") not in overlay.tints
    near = compute_overlay(Focus("a", cursor=parse_square("F3"), overlay="blast"), table.battle, table.rules)
    assert table.unit("b").name in near.words


@pytest.mark.slow
def test_a_ring_says_how_far_it_reaches_once() -> None:
    table = fight("aog", "a.........b", a="grenadier", b="gunman").arm("a", "frag-grenade")
    rings = compute_overlay(Focus("a", cursor=parse_square("H1"), overlay="blast"), table.battle, table.rules).words
    assert "within 5 m," in rings and "5 to 10 m," in rings and " to 5 m" not in rings and "10 m to" not in rings
    table = table_with_grenade()
    rings = compute_overlay(Focus("a", cursor=parse_square("E1"), overlay="blast"), table.battle, table.rules).words
    assert " to 20 ft" in rings, "a label without a distance is told with it"


def test_the_chances_of_a_throw_are_those_of_its_landing() -> None:
    table = table_with_grenade()
    overlay = compute_overlay(Focus("a", cursor=parse_square("E3"), overlay="landing"), table.battle, table.rules)
    assert overlay.tints[parse_square("E3")] == "scale-4"
    assert "On E3: 52 %, bursts in the hand 10 %. Caught: B 90 %" in overlay.words


def test_what_neither_strays_nor_bursts_says_so() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman")
    for overlay, words in (
        ("blast", "has no blast; w switches weapon."),
        ("landing", "has no scatter and no blast"),
    ):
        found = compute_overlay(Focus("a", cursor=parse_square("C1"), overlay=overlay), table.battle, table.rules)
        assert words in found.words
        assert not found.tints


def test_smoke_is_foretold_by_rounds() -> None:
    table = fight("occult-ops", "a......b", a="gunman", b="gunman")
    table.do(SetCloud(parse_square("C1"), 0, 2, 3))
    table.do(SetWind(Direction.E, 1))
    overlay = compute_overlay(Focus("a", overlay="smoke"), table.battle, table.rules)
    assert sorted(square.name for square in overlay.tints) == ["C1", "D1", "E1"]
    assert "east" in overlay.words
    there = compute_overlay(Focus("a", cursor=parse_square("D1"), overlay="smoke"), table.battle, table.rules)
    assert there.words.startswith("D1: smoke in round 2.")


def test_smoke_on_the_line_counts_in_the_shot() -> None:
    table = fight("occult-ops", "a......b", a="gunman", b="gunman")
    table.do(SetCloud(parse_square("D1"), 1, 2, 0))
    assert sight_line(table.battle, table.unit("a"), table.unit("b")).smoke_squares == 3


@pytest.mark.parametrize("text", ["", "x", "3 4 5", "wind Q 2", "wind E", "3 thin thick 2"])
def test_nonsense_about_smoke_is_refused(text: str) -> None:
    table = fight("occult-ops", "a.b", a="gunman", b="gunman")
    with pytest.raises(Illegal):
        parse_smoke(text, Square(0, 0), table.battle)


@pytest.mark.parametrize("text", ["3", "2 5", "2 5 thin", "0 1 thick", "wind ne 2", "wind 0"])
def test_smoke_and_wind_as_they_are_typed(text: str) -> None:
    table = fight("occult-ops", "a.b", a="gunman", b="gunman")
    table.do(SetWind(Direction.S, 3))
    assert decide(table.battle, parse_smoke(text, Square(0, 0), table.battle), table.rules)


def test_a_tint_grid_is_a_mapping_of_the_tinted_squares() -> None:
    grid = TintGrid(("", "seen"), bytes([0, 1, 1, 0]), 2)
    assert dict(grid) == {Square(1, 0): "seen", Square(0, 1): "seen"}
    assert len(grid) == 2
    assert Square(0, 0) not in grid
    assert grid.get(Square(5, 5)) is None
    assert grid.differences(TintGrid(("", "seen"), bytes([1, 1, 0, 0]), 2)) == {Square(0, 0), Square(0, 1)}
    assert grid.differences(TintGrid(("", "part"), bytes([0, 1, 1, 0]), 2)) is None


@pytest.mark.long
def test_the_view_key_shows_one_thing_after_another_and_nothing_and_the_cursor_leads(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("v", "4")
        first = said(screen)
        assert "An observer on N10 sees" in first
        await pilot.press("l")
        await settled(pilot)
        assert "An observer on O10 sees" in said(screen)
        await pilot.press("v", "2")
        assert screen.presenter.focus.overlay == "sight"
        await pilot.press("v", "e")
        assert screen.presenter.focus.overlay == "plain"
        assert not screen.board.markings.tints
        await pilot.press("v", "1", "escape")
        assert screen.presenter.focus.overlay == "plain"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.long
@pytest.mark.parametrize("key", ["2", "3", "4"])
def test_what_is_seen_is_worked_out_for_the_squares_on_the_screen_wherever_they_are(tmp_path: Path, key: str) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        def is_right() -> bool:
            battle, rules, focus = screen.session.battle, screen.session.rules, screen.presenter.focus
            shown, whole = screen.board.squares_shown, compute_overlay(focus, battle, rules).tints
            here = {at: tint for at, tint in whole.items() if shown.contains(*at)}
            assert len(here) < len(whole), "the map does not fit the screen"
            return dict(screen.board.markings.tints) == here

        await pilot.press("v", key)
        await settled(pilot)
        assert is_right() and "Only squares on the screen are counted." in screen.presenter.overlay.words
        for keys in (("L", "L"), ("J",), ("h", "k")):
            await pilot.press(*keys)
            await settled(pilot)
            assert is_right(), keys
        await pilot.press("z")
        await settled(pilot)
        assert is_right()
        await pilot.resize_terminal(66, 20)
        await settled(pilot)
        assert is_right()
        await pilot.press("v", key)
        before = screen.presenter.verdict
        screen.board.scroll_to(0, 0, animate=False)
        await settled(pilot)
        assert is_right() and screen.presenter.verdict != before, "the counts are those of the new squares"

    play(app_for(tmp_path), script, (70, 20))


@pytest.mark.long
def test_smoke_is_laid_with_two_keys_and_a_number(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("S", *typed("2 5"), "enter")
        assert screen.session.battle.field.smoke_at(screen.presenter.focus.cursor)
        await pilot.press("U")
        assert not screen.session.battle.field.smoke_at(screen.presenter.focus.cursor)

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_a_grenade_is_thrown_at_the_cursors_square_in_two_keys(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(SetInitiative("spark", 99))
        while screen.session.battle.turns.active != "spark":
            await pilot.press("e")
        await pilot.press("l", "l", "l", "l", "l")
        assert "J7" in said(screen) and "Roll 1d100 under" in said(screen)
        await pilot.press("f", *typed("1"), "enter", "enter")
        assert "goes off on J7. Ox: armour points" in said(screen)
        assert screen.session.battle.units["spark"].turn.attacks == 1

    play(app_for(tmp_path, "warehouse"), script, USUAL)


@pytest.mark.parametrize(
    ("name", "signs"), [("sight", "(·) (-) (=) (blank)"), ("range", "·"), ("reach", "▪"), ("landing", "▁▂▃▅▇")]
)
def test_an_overlay_says_its_signs(name: str, signs: str) -> None:
    table = table_with_grenade()
    words = compute_overlay(Focus("a", cursor=parse_square("E3"), overlay=name), table.battle, table.rules).words
    assert all(sign in words for sign in signs.split(" "))


def test_the_reach_says_when_a_move_is_made_at_the_end_of_the_round() -> None:
    for ruleset, is_later in (("volt", True), ("cwn", False)):
        table = fight(ruleset, "a....", ".....", a="gunman" if ruleset == "cwn" else "rifleman")
        words = compute_overlay(Focus("a", overlay="reach"), table.battle, table.rules).words
        assert words.startswith("A move is declared now and made at the end of the round. In reach") == is_later


@pytest.mark.long
def test_a_square_that_only_another_move_reaches_names_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("m")
        assert said(screen) == "In reach: ▪ move, 7 squares. a lists more moves: run."
        screen.board.move_cursor(parse_square("N1"))
        await pilot.pause()
        await pilot.press("m")
        assert said(screen) == "Todd cannot reach N1 with this move. Run is possible: a chooses it."

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.long
@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_the_line_of_the_scale_says_which_tint_is_which_range_band(tmp_path: Path, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        board = screen.board

        def scale() -> Strip:
            strips = (board.render_line(y) for y in range(board.size.height))
            return next(strip for strip in strips if " a square" in strip.text)

        assert "∴" not in scale().text
        await pilot.press("t", "v", "1")
        await settled(pilot)
        chips = board.markings.chips
        assert [chip.tint for chip in chips] == list(BANDS) and board.picture is not None
        for chip in chips:
            sign = board.glyphs.tints[chip.tint]
            ground = board.picture.manner.cell(sign, "tint", Paper("floor", tint=chip.tint)).style.bgcolor
            there = "".join(text for text, style, _ in scale() if style and style.bgcolor == ground)
            assert there.strip().startswith(sign) and (chip.end in there or chip.label in there)
        await pilot.press("escape", "escape")
        await settled(pilot)
        assert "∴" not in scale().text

    play(app_for(tmp_path), script, size)


@pytest.mark.long
def test_without_a_compiled_kernel_what_is_seen_comes_row_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("v", "2")
        await settled(pilot)
        whole, words = dict(screen.board.markings.tints), said(screen)
        await pilot.press("v", "e")
        monkeypatch.setattr(questions, "library", lambda: None)
        screen.presenter.show_overlay("sight")
        assert SLOW in screen.presenter.verdict
        some = dict(screen.board.markings.tints)
        assert len([tint for tint in some.values() if tint]) < len(whole)
        await settled(pilot)
        assert (dict(screen.board.markings.tints), said(screen)) == (whole, words)

    play(app_for(tmp_path), script, (70, 20))
