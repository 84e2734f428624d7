"""Attacks: aiming, typed dice, corrections by the GM, openings and defences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.commands.unit_edits import Place, SetAltitude, SetBudget
from engine.battle.events import AttackRolled, InitiativeRolled
from engine.battle.facts import sight_line
from engine.dice.sources import describe
from engine.geometry.squares import parse_square
from engine.values import replace
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.application.describe.attack_result import Result
from tui.application.focus.contacts import enemies
from tui.application.presenter.action_rows import action_choices
from tui.application.presenter.focus_actions import choose_square
from tui.application.prompts.choice import keys_for
from tui.view.panels.attack_panel import shot_text


def shot(talk: Conversation) -> AttackPreview:
    found = talk.presenter.shot
    assert isinstance(found, AttackPreview)
    return found


def just(talk: Conversation) -> str:
    """The roll that just hits."""
    ledger = shot(talk).ledger
    return str(int(ledger.target_number - ledger.total))


@pytest.fixture
def cwn(tmp_path: Path) -> Conversation:
    return Conversation(session_for(tmp_path, ruleset="cwn"))


def test_aiming_begins_with_the_nearest_in_sight(talk: Conversation) -> None:
    todd, found = talk.unit("todd"), []
    for _ in enemies(talk.battle, "todd"):
        talk.do("target", 1)
        found.append(talk.unit(talk.presenter.focus.target))
    seen = [sight_line(talk.battle, todd, enemy).can_see for enemy in found]
    assert seen == sorted(seen, reverse=True)
    assert len({enemy.id for enemy in found}) == len(found)


def test_who_stands_under_another_is_reached_by_the_same_key(talk: Conversation) -> None:
    talk.presenter.submit(SetAltitude("bandit", 1000))
    talk.presenter.submit(Place("bandit", talk.unit("todd").at))
    shown = []
    for _ in range(3):
        talk.do("select")
        shown.append(talk.presenter.focus.unit)
    assert shown == ["bandit", "todd", "bandit"]


def test_typed_dice_hit_the_armour_and_wear_it_down(talk: Conversation) -> None:
    """OCC-4 and OCC-9 on the board: a 45 strikes the armour, and 10 damage takes a flak jacket from 50 to 45."""
    talk.do("target", 1)
    assert "1d100 under 60" in talk.said
    talk.do("fire")
    talk.answer("45")
    assert talk.unit("bandit").pools["armour"] == 50, "nothing counts before the damage is known"
    talk.answer("10")
    assert talk.unit("bandit").pools["armour"] == 45
    assert talk.said == "Hit, but the armour takes all of it. Rolled 45 vs 60."


def test_one_enter_too_many_after_the_dice_leaves_the_result(talk: Conversation) -> None:
    talk.presenter.submit(SetBudget("todd", "attack", 2))
    talk.do("target", 1)
    talk.do("fire")
    talk.answer("45 / 10")
    result = talk.presenter.attack
    assert isinstance(result, Result)
    verdict = talk.said
    choose_square(talk.presenter, talk.unit("bandit").at)
    assert talk.presenter.attack == result and talk.said.startswith(verdict) and "f attacks again" in talk.said


def test_no_further_attack_is_suggested_to_who_has_none_left(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "volt"))
    talk.line("now raven")
    talk.do("target", 1)
    talk.do("fire")
    talk.roll_the_rest()
    target = talk.last(AttackRolled)[0].target
    verdict = talk.said
    choose_square(talk.presenter, talk.unit(target).at)
    assert talk.said in (verdict, f"{verdict} t aims at the next enemy; r: details."), "it is not wiped"
    talk.do("target", 1)
    talk.do("target", -1)
    assert talk.said.startswith("Unavailable: it costs 1 combat action, none left this turn. Gun nest, 9 m")


def test_dice_of_several_rolls_are_typed_at_once(talk: Conversation) -> None:
    talk.do("target", 1)
    talk.do("fire")
    talk.answer("45 / 4 6")
    assert talk.unit("bandit").pools["armour"] == 45


def test_a_wrong_die_is_asked_for_again_and_those_before_it_still_count(talk: Conversation) -> None:
    talk.do("target", 1)
    talk.do("fire")
    talk.answer("45", "99")
    assert "cannot be its total" in talk.said
    talk.answer("10")
    assert talk.unit("bandit").pools["armour"] == 45


def test_undo_takes_everything_back_and_redo_gives_it_again(talk: Conversation) -> None:
    before = talk.battle.encode()
    talk.do("target", 1)
    talk.do("fire")
    talk.answer("")
    after = talk.battle.encode()
    talk.do("undo")
    assert talk.battle.encode() == before
    talk.do("redo")
    assert talk.battle.encode() == after
    talk.do("undo")
    talk.do("undo")
    assert "Nothing to undo" in talk.said


def test_the_gm_adds_a_line_to_the_ledger_and_it_holds_for_one_attack(talk: Conversation) -> None:
    talk.do("target", 1)
    talk.do("adjust")
    talk.answer("+10 sun behind")
    assert shot(talk).ledger.target_number == 70
    assert shot(talk).ledger.entries[-1].author == "GM"
    talk.do("adjust")
    talk.answer("5 off")
    assert shot(talk).ledger.target_number == 80
    talk.do("fire")
    talk.answer("")
    assert talk.battle.gm.adjustments == ()


def test_a_line_of_the_ledger_is_named_or_has_the_number_that_is_shown(talk: Conversation) -> None:
    talk.do("target", 1)
    talk.do("adjust")
    talk.answer('"Partial cover" off')
    assert shot(talk).ledger.target_number == 70
    talk.line("gm pistol -10 wet!")
    assert shot(talk).ledger.target_number == 50
    talk.line("gm partial covr on")
    assert talk.said == "No modifier is called 'partial covr'. Did you mean 'Partial cover'?"
    talk.line("gm clear")
    rows = str(shot_text(shot(talk), talk.presenter.session.rules, 46, 40)).splitlines()
    shown = [match[1] for row in rows if (match := re.match(r" ?(\d+) [A-Z]", row))]
    assert shown == [str(number + 1) for number in range(len(shown))], rows


def test_lines_without_effect_have_the_last_numbers(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, ruleset="aog"))
    talk.do("target", 1)
    idle = [entry.is_idle for entry in shot(talk).ledger.numbered[1:]]
    assert idle == sorted(idle) and any(idle) and idle != [entry.is_idle for entry in shot(talk).ledger.entries[1:]]
    last = len(idle) + 1
    name = shot(talk).ledger.numbered[-1].label
    talk.line(f"gm {last} +2")
    assert talk.battle.gm.adjustments[0].label == name


def test_a_pinned_line_outlives_others_of_the_gm(talk: Conversation) -> None:
    talk.do("target", 1)
    for text in ("+10 aim", "+5 luck!"):
        talk.do("adjust")
        talk.answer(text)
    talk.do("fire")
    talk.answer("")
    talk.do("adjust")
    talk.answer("-20 dark")
    assert {held.label: held.value for held in talk.battle.gm.adjustments} == {"luck": 5, "dark": -20}


@pytest.mark.parametrize(
    ("action", "text", "said"),
    [
        ("adjust", "what", "+10 high ground"),
        ("damage", "9x", "'9x'"),
        ("fire", "4 5 6", "1d100 takes 1 number"),
        ("fire", "101", "a d100 shows 1 to 100, not 101."),
    ],
)
def test_nonsense_in_a_prompt_is_refused_with_a_sentence(talk: Conversation, action: str, text: str, said: str) -> None:
    before = talk.battle.encode()
    talk.do("target", 1)
    talk.do(action)
    talk.answer(text)
    assert said in talk.said
    assert talk.battle.encode() == before


def test_an_action_keeps_its_letter_whatever_is_in_hand(talk: Conversation) -> None:
    def letters() -> dict[str, str]:
        session = talk.presenter.session
        choices = action_choices(talk.presenter.focus, session.battle, session.rules)
        keys, actions = zip(choices, keys_for(choices), strict=True), session.rules.actions
        return {choice.id: key for choice, key in keys if (known := actions.get(choice.id)) and known.kind != "attack"}

    before, unit = letters(), talk.unit("todd")
    assert len(unit.gear.weapons) > 1
    for weapon in unit.gear.weapons:
        talk.presenter.focus = replace(talk.presenter.focus, weapon=weapon)
        assert letters() == before


def test_who_is_not_on_turn_is_refused_but_may_attack_for_free(talk: Conversation) -> None:
    talk.point(talk.unit("bandit").at.name)
    talk.do("select")
    talk.do("target", 1)
    talk.do("fire")
    assert "Todd's turn" in talk.said and not talk.asked
    talk.do("fire_free")
    talk.answer("")
    assert talk.unit("bandit").turn.attacks == 1
    assert talk.battle.turns.active == "todd"


def test_the_same_map_plays_under_another_ruleset_with_other_bands_and_modifiers(
    talk: Conversation, cwn: Conversation
) -> None:
    seen = []
    for each in (talk, cwn):
        each.do("target", 1)
        seen.append(shot(each))
        each.do("fire")
        each.answer("")
        if each.display.menu:
            each.display.cancel()
        assert each.unit("todd").turn.attacks == 1
    ours, theirs = seen
    assert ours.situation.target.id == theirs.situation.target.id == "bandit"
    assert (ours.situation.distance, theirs.situation.distance) == ("20 ft", "6 m")
    assert not {entry.label for entry in ours.ledger.entries} & {entry.label for entry in theirs.ledger.entries}


def test_a_defence_is_asked_for_when_the_roll_is_known(cwn: Conversation) -> None:
    cwn.do("target", 1)
    roll = just(cwn)
    cwn.do("fire")
    cwn.answer(roll)
    assert cwn.display.menu is not None
    assert f"Todd → Bandit: rolled {roll} (typed)" in cwn.display.menu.question
    assert [(each.label, each.note) for each in cwn.display.menu.choices] == [
        ("none", ""),  # what Enter takes
        ("Bandit: Total defence", "1 Main action · 0 % then"),
    ]
    assert cwn.unit("todd").turn.attacks == 0
    cwn.display.choose("Bandit: Total defence")
    assert cwn.said.startswith("Bandit is not hit: total defence. Rolled ")
    assert cwn.unit("bandit").turn.budget["main"] == 0
    cwn.do("undo")
    cwn.do("fire")
    cwn.answer(roll)
    assert cwn.display.menu is not None and cwn.display.menu.warning.startswith("1 typed die would be lost.")
    before = cwn.battle
    cwn.display.cancel()
    assert cwn.battle is before and "is cancelled: nothing has happened" in cwn.said
    cwn.do("fire")
    cwn.answer(roll)
    cwn.display.choose("none")
    cwn.answer("3")
    cwn.roll_the_rest()
    assert "defending" not in cwn.unit("bandit").conditions
    assert cwn.unit("todd").turn.attacks == 1


def test_a_slash_lets_the_seed_roll_all_that_is_left(talk: Conversation) -> None:
    talk.do("initiative")
    talk.answer("5")  # the first of eight; Enter alone would ask for the next
    talk.answer("/")
    assert not talk.asked
    told = [describe(one.roll) for one in talk.last(InitiativeRolled)]
    assert len(told) == 8 and ["typed" in one for one in told].count(True) == 1


def test_initiative_is_typed_die_by_die(talk: Conversation) -> None:
    talk.do("initiative")
    talk.answer("12", *[""] * 7)
    assert talk.battle.turns.initiative["todd"] == 13 and not talk.asked


def test_an_opening_is_taken_and_the_question_names_who_attacks(talk: Conversation) -> None:
    talk.do("interrupt")
    assert not talk.asked
    talk.presenter.submit(Place("bandit", parse_square("O10")))
    talk.do("target", 1)
    talk.do("fire")
    assert ", free: interrupt attack, as Todd attacks" in talk.said
    assert "Bandit" in talk.asked and talk.display.takes_a_key
    talk.answer("pass", "95", "19")
    assert ", free: fumble 19: a lowered guard" in talk.said
    assert "Bandit" in talk.asked and talk.display.takes_a_key
    talk.answer("fire")
    assert talk.asked.startswith("Bandit → Todd:")
    talk.answer("80")
    talk.roll_the_rest()
    assert talk.battle.openings == ()
    assert talk.battle.turns.active == "todd"


def test_aiming_keeps_the_mode_of_fire_that_was_begun_and_leaves_one_that_is_spent(tmp_path: Path) -> None:
    """Semi-auto is two attacks in Ashes of Gaia; then one mode of fire is spent, and what is left is no shot."""
    talk = Conversation(session_for(tmp_path, "warehouse", "aog"))
    for line in ("place sergeant J4", "place moth G4", "now moth"):
        talk.line(line)
    talk.do("target", 1)
    foe = talk.presenter.focus.target
    assert shot(talk).situation.action.id == "single"
    talk.line(f"shoot {foe} semi dice 90")
    talk.do("target", 1)
    assert shot(talk).situation.action.id == "semi" and not shot(talk).refusal
    talk.presenter.look_at(replace(talk.presenter.focus, action="single"))
    talk.do("target", 1)
    assert shot(talk).situation.action.id == "semi", "a single shot is not possible any more"


def test_whom_an_attack_can_hit_is_aimed_at_before_the_others_even_if_hidden(tmp_path: Path) -> None:
    """A sword reaches the hidden neighbour alone."""
    talk = Conversation(session_for(tmp_path, "warehouse", "aog"))
    for line in ("place hauler J7", "hide hauler", "now ox"):
        talk.line(line)
    talk.do("target", 1)
    assert talk.presenter.focus.target == "hauler"


def test_the_rows_of_the_panel_are_numbered_without_a_gap(tmp_path: Path) -> None:
    """ "Into melee" changes no number and is shown; what has no effect comes after it."""
    talk = Conversation(session_for(tmp_path, "warehouse", "aog"))
    for line in ("place sergeant J4", "place raven J5", "place moth G4", "now moth"):
        talk.line(line)
    talk.presenter.look_at(replace(talk.presenter.focus, target="sergeant"))
    rows = str(shot_text(shot(talk), talk.presenter.session.rules, 46, 40)).splitlines()
    shown = [match[1] for row in rows if (match := re.match(r" ?(\d+) [A-Z]", row))]
    assert any("Into melee" in row for row in rows) and any("No effect" in row for row in rows)
    assert shown == [str(number + 1) for number in range(len(shown))], rows


def test_redo_says_who_attacked_whom_and_how_it_went_where_there_is_little_room(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "aog"), width=80)
    for line in ("place sergeant J4", "place moth G4", "now moth", "shoot sergeant semi defence none dice 3 / 4"):
        talk.line(line)
    talk.do("undo")
    talk.do("redo")
    assert talk.said.startswith("Redone: Moth's hit on Sergeant. · ")
    assert talk.presenter.has_room(talk.said)


def test_where_no_roll_can_hit_the_question_says_what_is_spent_for_nothing(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, ruleset="occult-ops"))
    talk.do("target", 1)
    talk.do("adjust")
    talk.answer("-100 pitch dark")
    assert shot(talk).odds.hit == 0
    talk.do("fire")
    assert talk.asked == "No roll can hit. Enter spends 1 attack action anyway, Esc cancels."
    talk.display.cancel()
    talk.do("fire_free")
    assert talk.asked == "No roll can hit. Enter rolls anyway, Esc cancels."
