"""What a Game Master does at the board, key by key."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path

import pytest
from textual import events
from textual.containers import Vertical
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.commands.order_commands import SetInitiative
from engine.battle.commands.unit_edits import Place, SetAltitude
from engine.battle.events import AttackRolled, InitiativeRolled
from engine.battle.facts import sight_line
from engine.battle.moves.moves import movement_range
from engine.dice.dice_text import percent
from engine.dice.sources import describe
from engine.geometry.squares import parse_square
from engine.values import replace
from maps import shipped_maps
from rulesets import shipped_rulesets
from tests.examples import sample
from tests.tui.play import NARROW, USUAL, app_for, asked, play, said, typed
from tui.app.board_app import BoardApp
from tui.board.board_view import BoardView
from tui.focus import focus as foci
from tui.focus.square_text import path_words
from tui.library.battle_files import DEMO_SEED, begin_battle, open_battle, read_scenario
from tui.modals.choice import DEFENCE_HINT, keys_for
from tui.modals.menu import Menu
from tui.panels.prompt import PromptBar, PromptInput
from tui.presenter.command_line import hear_line
from tui.presenter.menu_choices import action_choices
from tui.screens.battle_screen import BattleScreen
from tui.terminal.raw_widgets import Sentence


@pytest.mark.slow
def test_a_shot_is_settled_in_three_keys(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter")
        assert screen.session.battle.units["todd"].turn.attacks == 1
        assert "Todd → Bandit" in said(screen)

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_aiming_begins_with_the_nearest_in_sight(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        battle = screen.session.battle
        todd = battle.units["todd"]
        found = []
        for _ in foci.enemies(battle, "todd"):
            await pilot.press("t")
            found.append(battle.units[screen.presenter.focus.target])
        seen = [sight_line(battle, screen.session.rules, todd, enemy).can_see for enemy in found]
        assert seen == sorted(seen, reverse=True)
        assert len({enemy.id for enemy in found}) == len(found)

    play(app_for(tmp_path), script, NARROW)


def test_who_stands_under_another_is_reached_by_the_same_key(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        here = screen.session.battle.units["todd"].at
        screen.presenter.submit(SetAltitude("bandit", 1000))
        screen.presenter.submit(Place("bandit", here))
        shown = []
        for _ in range(3):
            await pilot.press("s")
            shown.append(screen.presenter.focus.unit)
        assert shown == ["bandit", "todd", "bandit"]

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_a_long_question_keeps_what_it_is_about_and_what_to_do(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f")
        label = str(screen.query_one(PromptBar).query_one(Static).render())
        assert label == " Todd → Bandit: 1d100 under 60 (59 %). Enter rolls: "

    play(app_for(tmp_path), script, (60, 24))


@pytest.mark.slow
def test_typed_dice_hit_the_armour_and_wear_it_down(tmp_path: Path) -> None:
    """OCC-4 and OCC-9 on the board: a 45 strikes the armour, and 10 damage takes a flak jacket from 50 to 45."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t")
        assert "Roll 1d100 under 60: 59 %." in said(screen)
        await pilot.press("f", "4", "5", "enter")
        assert screen.session.battle.units["bandit"].pools["armour"] == 50, "nothing counts before the damage is known"
        assert screen.query_one(PromptBar).is_asking
        await pilot.press("1", "0", "enter")
        assert screen.session.battle.units["bandit"].pools["armour"] == 45
        assert "rolled 45 (typed)" in said(screen)
        assert "armour points 50 → 45" in said(screen)

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_undo_takes_everything_back_and_redo_gives_it_again(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        before = screen.session.battle.encode()
        await pilot.press("t", "f", "enter")
        after = screen.session.battle.encode()
        await pilot.press("U")
        assert screen.session.battle.encode() == before
        assert said(screen).startswith("Taken back")
        await pilot.press("R")
        assert screen.session.battle.encode() == after
        await pilot.press("U", "U")
        assert "Nothing to undo" in said(screen)

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_a_move_takes_two_keys_and_the_way(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        start = screen.session.battle.units["todd"].at
        await pilot.press("m")
        assert screen.query_one(BoardView).overlay.tints[start] == "reach-1"
        await pilot.press("k", "k", "m")
        assert screen.session.battle.units["todd"].at.row == start.row - 2
        assert "moves" in said(screen)

    play(app_for(tmp_path), script, NARROW)


def test_a_run_is_chosen_by_name_and_goes_further(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        start = screen.session.battle.units["todd"].at
        await pilot.press("a")
        menu = pilot.app.screen
        assert isinstance(menu, Menu)
        await pilot.press(keys_for(menu.choices)[[choice.id for choice in menu.choices].index("run")])
        await pilot.press("K", "k", "k", "m")
        todd = screen.session.battle.units["todd"]
        assert (todd.at.row, todd.pools["fatigue"]) == (start.row - 7, 9)

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_a_square_out_of_reach_is_refused_with_a_sentence(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        before = screen.session.battle.encode()
        await pilot.press("m", *["L"] * 4)
        assert said(screen).startswith("Out of reach.")
        await pilot.press("m")
        assert "cannot reach" in said(screen)
        assert screen.session.battle.encode() == before

    play(app_for(tmp_path), script, USUAL)


def test_a_door_opens_in_two_keys_from_beside_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        field = screen.session.battle.field
        edge = next(edge for edge, barrier in field.barriers.items() if barrier.state == "closed")
        screen.query_one(BoardView).move_cursor(edge.squares[1])
        await pilot.pause()
        await pilot.press("o")
        if isinstance(pilot.app.screen, Menu):
            await pilot.press("1")
        assert any(barrier.state == "open" for barrier in screen.session.battle.field.barriers.values())
        assert "is open" in said(screen)

    play(app_for(tmp_path, "warehouse"), script, NARROW)


@pytest.mark.slow
def test_the_gm_adds_a_line_to_the_ledger_and_it_holds_for_one_attack(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "g", *typed("+10 sun behind"), "enter")
        assert isinstance(screen.presenter.shot, AttackPreview)
        assert screen.presenter.shot.ledger.target_number == 70
        assert screen.presenter.shot.ledger.entries[-1].author == "GM"
        await pilot.press("g", *typed("5 off"), "enter")
        assert isinstance(screen.presenter.shot, AttackPreview)
        assert screen.presenter.shot.ledger.target_number == 80
        await pilot.press("f", "enter")
        assert screen.session.battle.gm.adjustments == ()

    play(app_for(tmp_path), script, USUAL)


def test_damage_and_numbers_are_set_by_hand(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t")
        for text, pool, value in (("-5", "hp", 15), ("armour 12", "armour", 12), ("+5", "hp", 20)):
            await pilot.press("d", *typed(text), "enter")
            assert screen.session.battle.units["bandit"].pools[pool] == value

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_postures_and_conditions_are_set_by_hand(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "d", *typed("prone"), "enter")
        assert screen.session.battle.units["bandit"].posture == "prone"
        await pilot.press("t", "T", "d", *typed("intimidated 2"), "enter")
        assert screen.session.battle.units["bandit"].timers == {"intimidated": 2}

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_nonsense_in_a_prompt_is_refused_with_a_sentence(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        before = screen.session.battle.encode()
        for key, text, sentence in (
            ("g", "what", "Type a modifier and why, as “+10 high ground”"),
            ("d", "9x", "No number, posture or condition is called '9x'."),
            ("f", "4 5 6", "1d100 takes 1 number"),
            ("f", "101", "a d100 shows 1 to 100, not 101."),
        ):
            await pilot.press("t", "T", key, *typed(text), "enter")
            assert sentence in said(screen)
            await pilot.press("escape")
            assert screen.session.battle.encode() == before

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_an_action_is_chosen_from_the_menu_by_one_key(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "a", "2")
        assert isinstance(screen.presenter.shot, AttackPreview)
        assert screen.presenter.shot.situation.action.id == "aimed"
        assert screen.presenter.shot.ledger.target_number == 75
        await pilot.press("a")
        menu = pilot.app.screen
        assert isinstance(menu, Menu)
        await pilot.press(keys_for(menu.choices)[[choice.id for choice in menu.choices].index("kneel")])
        assert screen.session.battle.units["todd"].posture == "kneeling"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_an_action_keeps_its_letter_whatever_is_in_hand(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        def letters() -> dict[str, str]:
            choices = action_choices(screen.presenter.focus, screen.session.battle, screen.session.rules)
            kinds = screen.session.rules.actions
            keys = zip(choices, keys_for(choices), strict=True)
            return {choice.id: key for choice, key in keys if kinds[choice.id].kind != "attack"}

        before, unit = letters(), screen.session.battle.units["todd"]
        assert len(unit.gear.weapons) > 1
        for weapon in unit.gear.weapons:
            screen.presenter.focus = replace(screen.presenter.focus, weapon=weapon)
            assert letters() == before

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_what_is_not_allowed_in_a_menu_cannot_be_chosen(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "a", "3")
        menu = pilot.app.screen
        assert isinstance(menu, Menu)
        assert menu.choices[2].reason == "this weapon fires no bursts"
        hint = menu.query_one("#hint", Static)
        assert str(hint.content) == f"{menu.choices[2].label}: this weapon fires no bursts."
        await pilot.press("escape")
        assert screen.presenter.focus.action == ""

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_the_turn_ends_and_the_next_unit_is_in_focus(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("e")
        battle = screen.session.battle
        assert battle.turns.active == battle.turns.order[1] == screen.presenter.focus.unit

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_who_is_not_on_turn_is_refused_but_may_attack_for_free(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.query_one(BoardView).move_cursor(screen.session.battle.units["bandit"].at)
        await pilot.pause()
        await pilot.press("s", "t", "f")
        assert "It is Todd's turn" in said(screen)
        await pilot.press("F", "enter")
        assert screen.session.battle.units["bandit"].turn.attacks == 1
        assert screen.session.battle.turns.active == "todd"

    play(app_for(tmp_path), script, USUAL)


def test_a_wrong_die_is_asked_for_again_and_those_before_it_still_count(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "4", "5", "enter", "9", "9", "enter")
        assert "cannot be its total" in said(screen)
        assert screen.query_one(PromptBar).is_asking
        await pilot.press("1", "0", "enter")
        assert screen.session.battle.units["bandit"].pools["armour"] == 45

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_dice_of_several_rolls_are_typed_at_once(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", *typed("45 / 4 6"), "enter")
        assert screen.session.battle.units["bandit"].pools["armour"] == 45

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.parametrize("burst", sample(["?qq", "tf45\r10\re", "a\r\r", "ta111", "a\x1b\x1b", "tr\x1b\x1bq"]))
def test_keys_in_a_burst_break_nothing(tmp_path: Path, burst: str) -> None:
    """Over a slow line keys arrive together, before a menu or sheet that they open is there to take them."""
    names = {"\r": ("enter", "\r"), "\x1b": ("escape", None), "?": ("question_mark", "?")}

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for sign in burst:
            pilot.app.post_message(events.Key(*names.get(sign, (sign, sign))))
        await pilot.pause(0.2)
        await pilot.press("escape", "escape", "t")
        assert pilot.app.screen is screen
        assert screen.presenter.focus.target

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_place_in_the_order_and_height_are_set_by_hand(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "d", *typed("initiative 30"), "enter")
        assert screen.session.battle.turns.order[0] == "bandit"
        await pilot.press("t", "T", "d", *typed("altitude 20"), "enter")
        assert screen.session.battle.units["bandit"].altitude == 2000

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_initiative_is_typed_die_by_die(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("i", "1", "2", "enter")
        prompt = screen.query_one(PromptBar)
        assert prompt.is_asking
        for _ in range(7):
            await pilot.press("enter")
        assert screen.session.battle.turns.initiative["todd"] == 13

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_one_panel_at_a_time_on_a_narrow_screen_and_all_on_a_usual_one(tmp_path: Path) -> None:
    async def narrow(pilot: Pilot[None], screen: BattleScreen) -> None:
        for key, panel in (("1", "shot"), ("2", "unit"), ("3", "order"), ("4", "log")):
            await pilot.press(key)
            shown = [name for name in ("shot", "unit", "order", "log") if screen.query_one(f"#{name}").region]
            assert shown == [panel]

    async def usual(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert all(screen.query_one(f"#{name}").region for name in ("shot", "unit", "order", "log"))

    play(app_for(tmp_path / "one"), narrow, NARROW)
    play(app_for(tmp_path / "two"), usual, USUAL)


@pytest.mark.slow
def test_shadings_zooms_and_sheets_can_be_drawn_on_every_map_and_under_every_ruleset(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(
            "t", "v", "1", "v", "m", "z", "z", "z", "r", "escape", "question_mark", "escape", "ctrl+p", "escape"
        )
        assert pilot.app.screen is screen

    for map_id, ruleset in zip(cycle(shipped_maps()), shipped_rulesets(), strict=False):
        play(app_for(tmp_path / map_id / ruleset, map_id, ruleset), script, USUAL)


@pytest.mark.slow
def test_the_same_map_plays_under_another_ruleset_with_other_bands_and_modifiers(tmp_path: Path) -> None:
    seen = {}
    for ruleset in ("occult-ops", "cwn"):

        async def script(pilot: Pilot[None], screen: BattleScreen, ruleset: str = ruleset) -> None:
            await pilot.press("t")
            assert isinstance(screen.presenter.shot, AttackPreview)
            seen[ruleset] = screen.presenter.shot
            await pilot.press("f", "enter")
            assert screen.session.battle.units["todd"].turn.attacks == 1

        play(app_for(tmp_path / ruleset, "frontier-trail", ruleset), script, USUAL)
    ours, theirs = seen["occult-ops"], seen["cwn"]
    assert ours.situation.target.id == theirs.situation.target.id == "bandit"
    assert ours.situation.distance == "20 ft"
    assert theirs.situation.distance == "6 m"
    assert not {entry.label for entry in ours.ledger.entries} & {entry.label for entry in theirs.ledger.entries}


def test_an_opening_is_taken_with_one_key_and_the_question_names_who_attacks(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("x")
        assert "Nobody may attack out of turn" in said(screen)
        screen.presenter.submit(Place("bandit", parse_square("O10")))
        await pilot.press("t", "f")
        assert said(screen).endswith("interrupt attack, as Todd attacks.")
        assert asked(screen).startswith("Interrupt attack: Bandit may ")
        assert asked(screen).endswith("n let pass  A always fire")
        await pilot.press("n", *typed("95"), "enter", *typed("19"), "enter")
        assert said(screen).endswith("may attack Todd now (free): fumble 19: a lowered guard.")
        assert asked(screen).startswith("Opportunity: Bandit may ") and asked(screen).endswith("n let pass")
        await pilot.press("x")
        assert str(screen.query_one(PromptBar).query_one(Static).content).strip().startswith("Bandit → Todd:")
        await pilot.press(*typed("80"), "enter", "enter")
        assert screen.session.battle.openings == ()
        assert screen.session.battle.turns.active == "todd"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_a_move_stops_for_a_reaction_and_goes_on_with_the_same_key(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(Place("bandit", parse_square("O10")))
        await pilot.press("m", "left", "left", "m")
        todd = screen.session.battle.units["todd"]
        assert todd.at == todd.turn.start
        assert said(screen).endswith("as Todd leaves its reach at N10).")
        assert asked(screen).startswith("Bandit may fire at Todd (")
        await pilot.press("x")
        assert str(screen.query_one(PromptBar).query_one(Static).content).strip().startswith("Bandit → Todd:")
        await pilot.press(*typed("80"), "enter", "enter")
        assert (screen.presenter.focus.unit, screen.presenter.focus.shading, screen.session.battle.openings) == (
            "todd",
            "reach",
            (),
        )
        await pilot.press("U", "x", "escape", "escape")  # not made, but not let pass either
        assert (screen.presenter.focus.unit, screen.presenter.reactions.interrupted) == ("todd", None)
        await pilot.press("m", "enter", "m")
        assert screen.session.battle.units["todd"].at == parse_square("N10")
        await pilot.press("n")
        assert screen.session.battle.units["todd"].at == parse_square("L10")

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_what_was_begun_in_words_goes_on_with_the_same_keys(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(Place("bandit", parse_square("O10")))
        await pilot.press(":", *typed("move L10"), "enter")
        assert "n let pass" in asked(screen)
        await pilot.press("x", *typed("80"), "enter", "enter", "m")
        assert screen.session.battle.units["todd"].at == parse_square("L10")
        screen.presenter.submit(Place("bandit", parse_square("M10")))
        await pilot.press(":", *typed("shoot lookout"), "enter")
        assert "n let pass" in asked(screen)
        await pilot.press("x", *typed("80"), "enter", "enter", "f")
        assert str(screen.query_one(PromptBar).query_one(Static).content).strip().startswith("Todd → Lookout:")

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_who_may_attack_now_and_why_is_said_first_where_room_is_short(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(Place("bandit", parse_square("O10")))
        screen.presenter.submit(Place("cutter", parse_square("O11")))
        await pilot.press(":", *typed("move L10"), "enter")
        shown = " ".join(str(row) for row in screen.query_one(Sentence).rows)
        assert "Bandit may attack Todd now" in shown and "Cutter may attack Todd now" in shown

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_a_defence_is_asked_for_when_the_roll_is_known(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t")
        assert isinstance(screen.presenter.shot, AttackPreview)
        just = int(screen.presenter.shot.ledger.target_number - screen.presenter.shot.ledger.total)
        await pilot.press("f", *typed(str(just)), "enter")
        menu = pilot.app.screen
        assert isinstance(menu, Menu)
        question = str(menu.query_one("#question", Static).content)
        assert question.startswith(f"Todd → Bandit: rolled {just} (typed)")
        assert [(each.label, each.note) for each in menu.choices] == [
            ("Bandit: Total defence", "1 Main action, stops it 100 %"),
            ("no defence", ""),
        ]
        assert screen.session.battle.units["todd"].turn.attacks == 0
        await pilot.press("t")
        assert said(screen).endswith("The attack on Bandit fails: Miss (Total defence).")
        assert screen.session.battle.units["bandit"].turn.budget["main"] == 0
        await pilot.press("U", "f", *typed(str(just)), "enter", "escape", *typed("3"), "enter", "enter")
        assert "defending" not in screen.session.battle.units["bandit"].conditions
        assert screen.session.battle.units["todd"].turn.attacks == 1

    play(app_for(tmp_path, ruleset="cwn"), script, NARROW)


def test_a_die_typed_ahead_of_the_question_who_defends_is_kept_for_its_roll(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t")
        assert isinstance(screen.presenter.shot, AttackPreview)
        just = int(screen.presenter.shot.ledger.target_number - screen.presenter.shot.ledger.total)
        await pilot.press("f", *typed(str(just)), "enter", "1", "2", "enter")
        menu = pilot.app.screen
        assert isinstance(menu, Menu)
        assert str(menu.query_one("#hint", Static).content) == f"{DEFENCE_HINT} · 12: kept for the next roll"
        await pilot.press("escape")
        bar = screen.query_one(PromptBar)
        assert bar.is_asking and bar.query_one(PromptInput).value == "12"

    play(app_for(tmp_path, ruleset="cwn"), script, NARROW)


@pytest.mark.slow
def test_a_slash_lets_the_seed_roll_one_die_and_the_table_the_rest(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "slash", "enter")
        if isinstance(pilot.app.screen, Menu):
            await pilot.press("escape")
        bar = screen.query_one(PromptBar)
        assert bar.is_asking, said(screen)
        assert screen.session.battle.units["todd"].turn.attacks == 0
        await pilot.press(*typed("3"), "enter", "enter")
        (attack,) = (one for one in screen.session.history.steps()[-1].events if isinstance(one, AttackRolled))
        assert "typed" not in describe(attack.roll)

    play(app_for(tmp_path, ruleset="cwn"), script, NARROW)


def test_two_slashes_let_the_seed_roll_all_that_is_left(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("i", *typed("5"), "enter")  # the first of eight; Enter alone would ask for the next
        bar = screen.query_one(PromptBar)
        assert bar.is_asking
        await pilot.press(*typed("//"), "enter")
        assert not bar.is_asking
        rolls = screen.session.history.steps()[-1].events
        told = [describe(one.roll) for one in rolls if isinstance(one, InitiativeRolled)]
        assert len(told) == 8 and ["typed" in one for one in told].count(True) == 1

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_the_way_says_what_it_draws(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(Place("bandit", parse_square("O10")))
        await pilot.press("m", "h", "h")
        assert "Bandit" in said(screen) and "leaves" in said(screen)
        assert "from there" not in said(screen)

    play(app_for(tmp_path), script, USUAL)


def test_the_way_says_what_the_shot_would_be_from_there(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "m", "l", "l")
        promised = said(screen).partition("Bandit from there: ")[2].rstrip(".")
        await pilot.press("m")
        assert isinstance(screen.presenter.shot, AttackPreview)
        assert percent(screen.presenter.shot.odds.hit) == promised

    play(app_for(tmp_path), script, USUAL)


def test_the_whole_log_has_the_receipt_of_every_attack(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter", "E")
        await pilot.pause()
        log = pilot.app.screen.query_one(OptionList)

        def shown() -> str:
            return "\n".join(str(option.prompt) for option in log.options)

        def rows() -> str:
            return str(pilot.app.screen.query_one(Vertical).border_title)

        assert "Base to hit" not in shown()
        await pilot.press("enter", "k", "enter")
        assert "Base to hit: 20 ft" in shown()
        assert "Turn order: Todd" in shown()
        await pilot.press("f")
        assert ("1 of 2" in rows(), "Turn order: Todd" in shown()) == (True, False)
        await pilot.press("f", "f", "slash", *"begins", "enter")
        assert ("1 of 2" in rows(), "Base to hit" in shown()) == (True, False)
        await pilot.press("slash", "escape")
        assert "2 of 2" in rows()
        await pilot.press("escape")
        assert pilot.app.screen is screen

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
@pytest.mark.parametrize(("onward", "back"), [("down", "up"), ("pagedown", "pageup")])
def test_every_line_of_an_opened_entry_of_the_log_is_reached(tmp_path: Path, onward: str, back: str) -> None:
    """An entry that is longer than the list, opened at its very end."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter", "E")
        await pilot.pause()
        log = pilot.app.screen.query_one(OptionList)
        await pilot.press("enter")
        await pilot.pause()
        first, height = log.highlighted, log.content_size.height
        assert first is not None and log.option_count - first > height, "the entry is longer than the list"
        assert log.scroll_offset.y == first, "as much as there is room for is shown at once"
        for key in (onward, back):
            seen: set[int] = set()
            for _ in range(log.option_count):
                seen |= set(range(log.scroll_offset.y, log.scroll_offset.y + height))
                await pilot.press(key)
            assert seen >= set(range(first, log.option_count))

    play(app_for(tmp_path), script, (80, 18))


def test_a_long_refusal_keeps_its_beginning_and_a_long_result_its_end(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        hear_line(screen.presenter, "give guard zzzz")
        await pilot.pause()
        nothing = "No weapon or armour of Ashes of Gaia is called 'zzzz'."
        assert said(screen) == f"{nothing} … “give” alone lists all that there is."
        hear_line(screen.presenter, "set guard zzzz")
        await pilot.pause()
        assert said(screen).startswith("No number, posture or condition is called 'zzzz'. Known: ")
        assert said(screen).endswith("…")
        screen.presenter.result = (
            f"Owl strikes {'and strikes ' * 9}. {'More. ' * 40}At last {'and ever ' * 14} this is the end."
        )
        screen.presenter.say(screen.presenter.result)
        await pilot.pause()
        assert said(screen).endswith("the end.")

    play(app_for(tmp_path, "rooftops", "aog"), script, (110, 34))


def test_a_question_keeps_the_keys_and_its_target(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "tab")
        await pilot.click(BoardView, offset=(20, 5))
        assert screen.presenter.focus.target == "bandit"
        await pilot.press("4", "5", "enter", "1", "0", "enter")
        assert screen.session.battle.units["bandit"].pools["armour"] == 45

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_nothing_is_done_where_it_cannot_be_seen(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        before = screen.session.battle.encode()
        await pilot.resize_terminal(50, 12)
        await pilot.press("e", "t", "f", "enter")
        assert screen.session.battle.encode() == before
        await pilot.resize_terminal(80, 24)
        await pilot.press("e")
        assert screen.session.battle.encode() != before

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(40, 12), (1, 1)])
def test_sheets_and_menus_live_through_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for key in ("question_mark", "r", "a"):
            await pilot.press("t", key)
            await pilot.resize_terminal(*size)
            await pilot.resize_terminal(120, 40)
            await pilot.press("escape")
        assert pilot.app.screen is screen

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_a_pinned_line_outlives_others_of_the_gm(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "g", *typed("+10 aim"), "enter", "g", *typed("+5 luck!"), "enter", "f", "enter")
        await pilot.press("g", *typed("-20 dark"), "enter")
        assert {held.label: held.value for held in screen.session.battle.gm.adjustments} == {"luck": 5, "dark": -20}

    play(app_for(tmp_path), script, USUAL)


NAMES = ["[/] Orc [@click=app.quit]x[/]", "[b]Bold[/b", "$panel-title", "忍者", "\\[/", "[link=http://x]y"]


@pytest.mark.parametrize("name", sample(NAMES))
def test_names_are_shown_as_they_are_and_do_nothing(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    text = shipped_maps()["frontier-trail"].read_text(encoding="utf-8")
    changed = text.replace('name = "Todd"', f"name = {json.dumps(name, ensure_ascii=False)}")
    if changed == text:
        changed = text.replace('id = "todd"', f'id = "todd"\nname = {json.dumps(name, ensure_ascii=False)}')
    (folder / "own.toml").write_text(changed, encoding="utf-8")
    session = begin_battle(read_scenario(folder / "own.toml", "occult-ops"), DEMO_SEED, tmp_path)
    app = BoardApp(session)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert session.battle.units["todd"].name == name
        await pilot.press("2", "2", "t", "r", "escape", "f", "enter", "a", "escape", "w", "escape")
        await pilot.click("#order", offset=(6, 2))
        assert pilot.app.screen is screen
        assert name[:3] in said(screen)

    play(app, script, USUAL)


@pytest.mark.slow
def test_a_battle_closed_and_opened_again_is_where_it_was(tmp_path: Path) -> None:
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter", "m", "k", "m", "e")

    play(app, script, USUAL)
    state, path = app.session.battle.encode(), app.session.journal.path
    app.session.close()
    again = BoardApp(open_battle(path))

    async def look(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert screen.session.battle.encode() == state
        await pilot.press("U")
        assert screen.session.battle.turns.active == "todd"

    play(again, look, USUAL)


@pytest.mark.slow
def test_the_cursor_says_what_it_is_on(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.query_one(BoardView).move_cursor(parse_square("Q10"))
        await pilot.pause()
        assert said(screen).startswith("Q10: dirt, cart 3 ft high, medium cover.")
        assert "15 ft from Todd" in said(screen)

    play(app_for(tmp_path), script, USUAL)


def test_the_wind_stands_in_the_title_and_a_flyer_on_the_ground_does_not_sink(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("S", *typed("wind W 2"), "enter")
        assert "wind W 2" in str(screen.query_one("#title", Static).content)
        screen.presenter.submit(SetInitiative("moth", 99))
        while screen.session.battle.turns.active != "moth":
            await pilot.press("e")
        await pilot.press("greater_than_sign")
        assert "m here does only that" in said(screen)
        await pilot.press("l")
        await pilot.pause()
        assert "4 m up" in said(screen)
        await pilot.press(*["less_than_sign"] * 4)
        assert said(screen) == "Moth is on the ground then: m lands."

    play(app_for(tmp_path, "warehouse"), script, NARROW)


@pytest.mark.slow
def test_the_footer_of_a_narrow_screen_offers_the_other_panels(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert "p panel" in str(screen.query_one("#keys", Static).content)

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_a_board_that_is_not_there_any_more_takes_no_command(tmp_path: Path) -> None:
    app = app_for(tmp_path)
    gone = BattleScreen(app.session)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert screen.check_action("end_turn", ())
        assert not gone.check_action("end_turn", ())

    play(app, script, USUAL)


@pytest.mark.slow
def test_a_flyer_s_way_says_how_the_ground_lies_below_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        session = screen.session
        flyer = next(unit for unit in session.battle.units.values() if unit.can_fly)
        while session.battle.turns.active != flyer.id:
            await pilot.press("e")
        field = session.battle.field
        reach = movement_range(session.battle, session.rules, flyer, "")
        goal = next(
            square
            for square, _ in sorted(reach.reaches[0].costs.items())
            if field.elevation_at(square) != field.elevation_at(flyer.at)
        )
        focus = replace(screen.presenter.focus, unit=flyer.id, cursor=goal)
        said = path_words(reach, reach.path(goal), focus, session.battle, session.rules)
        rise = (field.elevation_at(goal) - field.elevation_at(flyer.at)) // 100
        assert f"up over ground {abs(rise)} m {'higher' if rise > 0 else 'lower'}" in said

    play(app_for(tmp_path, "rooftops"), script, NARROW)


@pytest.mark.slow
def test_notes_are_listed_one_below_the_other(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for line in ("note rain", "note bandit has the key", "notes"):
            hear_line(screen.presenter, line)
            await pilot.pause()
        (text,) = (str(widget.render()) for widget in pilot.app.screen.query(Static) if "rain" in str(widget.render()))
        assert [line.strip() for line in text.splitlines()] == [
            "note-1, the battle: rain",
            "note-2, Bandit: has the key",
        ]

    play(app_for(tmp_path), script, USUAL)
