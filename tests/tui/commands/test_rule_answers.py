"""`rules prone` says what a rule does, its number, when it applies, what it means here and its last use."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.battle.command import Attack
from engine.battle.commands.unit_edits import SetPosture
from engine.errors import Illegal
from engine.journal.session import Session
from engine.rules.named_rules import NO_SENTENCE, named_rules, rule_name
from engine.values import replace
from tests.rules.table import Table, fight, ruleset
from tests.tui.play import NARROW, app_for, play, session_for, settled, shipped_rulesets, typed
from tui.application.commands.completion import completed, completions
from tui.application.commands.registry import hear
from tui.application.commands.results import RuleCard, Setting, TextResult
from tui.application.commands.runner import do
from tui.application.presenter.command_line import CARD_WORD, card_rows
from tui.view.modals.picker import Picker
from tui.view.modals.text_modal import TextModal
from tui.view.screens.battle_screen import BattleScreen

SIZES = ((80, 24), (120, 40))


def looked_up(line: str, setting: Setting) -> TextResult:
    found = hear(line, setting)
    assert isinstance(found, TextResult)
    return found


def rows(card: RuleCard) -> dict[str, str]:
    """The rows of a card by their words; of several with one word the first."""
    return dict(reversed(card.rows))


@pytest.fixture
def table() -> Table:
    """A gunman with a pistol and an enemy 12 metres off."""
    return fight("cwn", "a.......b", a="gunman", b="gunman")


def setting(table: Table, **more: object) -> Setting:
    return replace(Setting(table.battle, table.rules, "a", attack=Attack("a", "b")), **more)


def test_a_rule_is_answered_by_its_name_written_or_typed_as_one_word(table: Table) -> None:
    for line in ("rules target prone", "rules target-prone", "rules Target Prone", "rule target prone"):
        (card,) = looked_up(line, setting(table)).cards
        assert (card.label, card.kind) == ("Target prone", "modifier")
        assert card.sentence == (
            "A prone target is harder to hit from a distance, −2, and easier from an adjacent square, +2."
        )


def test_a_card_has_number_when_here_and_tonight(table: Table) -> None:
    (card,) = looked_up("rules unseen target", setting(table)).cards
    assert [word for word, _ in card.rows] == ["number", "when", "here", "tonight"]
    assert rows(card)["number"] == "−4"
    assert rows(card)["when"].startswith("the attack is ranged and the target's cover is less than 100 %")


def test_here_says_that_a_modifier_applies_with_its_number_and_reason(table: Table) -> None:
    table.do(SetPosture("b", "prone"))
    (card,) = looked_up("rules target prone", setting(table)).cards
    assert rows(card)["here"] == "A > B: −2, prone, out of melee range"


def test_here_says_why_a_modifier_does_not_apply(table: Table) -> None:
    (card,) = looked_up("rules target prone", setting(table)).cards
    assert rows(card)["here"] == "A > B: does not apply, the target is not prone"
    (card,) = looked_up("rules target prone", setting(table, is_ascii=False)).cards
    assert rows(card)["here"].startswith("A ▸ B: ")


def test_here_asks_for_an_aim_where_there_is_none(table: Table) -> None:
    (card,) = looked_up("rules target prone", setting(table, attack=None)).cards
    assert rows(card)["here"] == "Aim at somebody to see what it means there."


def test_here_of_a_range_table_an_outcome_a_refusal_and_an_action(table: Table) -> None:
    def here(line: str) -> str:
        return rows(looked_up(line, setting(table)).cards[-1])["here"]

    assert here("rules range").startswith("A > B: ")
    assert here("rules natural 20 hit").endswith(" 5 %")
    assert here("rules out of reach") == "A > B: does not apply, the attack is not melee"
    assert here("rules snap attack").startswith("A > B: ")
    assert here("rules go prone") == "A: possible now, free"
    assert here("rules stand up") == "A: not now, it is standing"


def test_here_of_conditions_pools_and_stats_names_the_actor_and_the_target(table: Table) -> None:
    def here(line: str) -> list[str]:
        (card,) = (one for one in looked_up(line, setting(table)).cards if one.kind != "modifier")
        return [text for word, text in card.rows if word == "here"]

    assert here("rules braced") == ["A: no", "B: no"]
    assert [one.partition(":")[0] for one in here("rules hit points")] == ["A", "B"]
    assert [one.partition(":")[0] for one in here("rules melee ac")] == ["A", "B"]


def test_tonight_is_the_last_attack_whose_ledger_had_the_rule(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse", "cwn")
    assert rows(card_of("rules attack bonus", session))["tonight"] == "not used yet"
    said, _ = do(session, "shoot spark gun-nest")
    assert said
    tonight = rows(card_of("rules attack bonus", session))["tonight"]
    assert tonight.startswith("Round 1, Spark at Gun nest: +1, ")
    assert rows(card_of("rules unseen target", session))["tonight"] == "not used yet"
    do(session, "undo")
    assert rows(card_of("rules attack bonus", session))["tonight"] == "not used yet"


def card_of(line: str, session: Session) -> RuleCard:
    found = looked_up(line, Setting(session.battle, session.rules, steps=session.history.steps()))
    return found.cards[0]


def test_tonight_of_actions_and_conditions_is_the_sentence_of_the_log(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse", "cwn")
    do(session, "act go-prone")
    assert "Spark" in rows(card_of("rules go prone", session))["tonight"]
    do(session, "set spark dazed")
    assert rows(card_of("rules dazed", session))["tonight"].startswith("Round 1, Spark")


def test_rules_of_one_name_are_a_card_each(table: Table) -> None:
    found = looked_up("rules charge", setting(table))
    assert [(card.label, card.kind) for card in found.cards] == [("Charge", "modifier"), ("Charge", "action")]
    assert rows(found.cards[1])["number"] == "costs 1 Move action, 1 Main action"
    assert rows(found.cards[1])["needs"] == "the unit is standing; the unit's movement is 0"
    assert "Attack at the end of a charge" in rows(found.cards[1])["see also"]


def test_words_in_several_names_list_them_with_their_sentences(table: Table) -> None:
    found = looked_up("rules cover", setting(table))
    assert not found.cards
    assert any(line.startswith("Full cover") for line in found.lines)
    assert found.more and any("source:" in line for line in found.more())


def test_words_in_one_name_alone_are_that_rule(table: Table) -> None:
    (card,) = looked_up("rules corrected", setting(table)).cards
    assert card.label == "Corrected fire"


def test_words_in_no_name_find_the_rules_that_mention_them(table: Table) -> None:
    found = looked_up("rules medium or heavy material", setting(table))
    assert not found.cards and any("Hard cover" in line for line in found.lines)
    with pytest.raises(Illegal, match=r"No rule of .* has “zebra”"):
        hear("rules zebra", setting(table))


def test_behind_enter_stand_formula_source_ruling_and_what_uses_it(table: Table) -> None:
    found = looked_up("rules braced", setting(table))
    assert found.more
    text = " ".join(" ".join(found.more()).split())
    assert "source: " in text and "ruling: It ends with the next move" in text
    assert "used by: automatic “picks up its weapon”, action “Suppressive fire”" in text
    modifier = looked_up("rules target prone", setting(table)).more
    assert modifier and any("formula: when = target.posture == 'prone'" in line for line in modifier())


def test_without_enter_the_plain_form_prints_the_short_answer_and_then_the_rest(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse", "cwn")
    said, _ = do(session, "rules target prone")
    assert said[0] == "A prone target is harder to hit from a distance, −2, and easier from an adjacent square, +2."
    assert said.index("") < next(place for place, line in enumerate(said) if "source:" in line)


def test_completion_offers_the_names(table: Table) -> None:
    assert completed("rules targ", setting(table)) == "rules target-"
    assert completions("rules target-p", setting(table)) == ["target-prone"]
    assert completed("rules natural-20", setting(table)) == "rules natural-20-hit "


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_every_name_that_is_completed_is_answered_by_its_own_sentence(name: str) -> None:
    rules = ruleset(name)
    enemies = fight(name, "a....b", a="gunman", b="gunman")
    now = Setting(enemies.battle, rules, "a", attack=Attack("a", "b"))
    offered = completions("rules ", now)
    assert set(offered) == {one.name for one in named_rules(rules)}
    for rule in named_rules(rules):
        found = looked_up(f"rules {rule.name}", now)
        card = next(card for card in found.cards if (card.kind, rule_name(card.label)) == (rule.kind, rule.name))
        assert card.sentence == rule.say != NO_SENTENCE
        assert all(text and "--formulas" not in text for _, text in card.rows), card


def test_a_card_wraps_its_rows_and_says_each_word_once() -> None:
    card = RuleCard("Prone", "modifier", "It is on the ground.", (("number", "−2"), ("number", "+2"), ("here", "no")))
    said = [row if isinstance(row, str) else "".join(text for text, _ in row) for row in card_rows((card,), 40)]
    blank = " " * CARD_WORD
    assert said == ["It is on the ground.", "", f"{'number':<{CARD_WORD}}−2", f"{blank}+2", f"{'here':<{CARD_WORD}}no"]


@pytest.mark.parametrize("size", SIZES)
def test_on_the_board_the_answer_is_a_text_and_enter_goes_to_the_formula_and_back(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async def script(pilot: object, screen: BattleScreen) -> None:
        press = pilot.press  # type: ignore[attr-defined]
        await press("t", ":", *typed("rules target prone"), "enter")
        modal = screen.app.screen
        assert isinstance(modal, TextModal)
        short = modal._text.plain
        assert short.startswith("A prone target is harder to hit") and "does not apply" in short
        assert "formula" not in short
        await press("enter")
        assert "formula: when = target.posture == 'prone'" in " ".join(modal._text.plain.split())
        await press("enter")
        assert modal._text.plain == short
        await press("slash", *typed("adjacent"), "enter", "enter")
        assert modal._text.plain == short
        await press("escape", "escape")
        assert screen.app.screen is screen

    play(app_for(tmp_path, "warehouse", "cwn"), script, size)


def test_a_rule_without_a_sentence_says_which_key_shows_its_formula() -> None:
    (row, *_) = card_rows((RuleCard("Prone", "modifier", NO_SENTENCE, ()),), 60)
    assert row == (("No sentence yet. Enter shows the formula.", "bold"),)


def test_rules_without_a_name_are_a_list_with_the_sentence_of_the_marked_one(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for line, count in (("rules", len(named_rules(screen.session.rules))), ("rules cover", None)):
            await pilot.press("colon", *typed(line), "enter")
            await settled(pilot)
            listed = pilot.app.screen
            assert isinstance(listed, Picker)
            titles = str(listed.query_one("#titles", Static).content).split()
            assert titles == ["name", "kind"] and (count is None or len(listed.choices) == count + 1)
            await pilot.press("f", "u", "l", "l")
            await settled(pilot)
            says = str(listed.query_one("#says", Static).content)
            assert says.strip() and " ".join(says.split()) == next(
                one.say for one in named_rules(screen.session.rules) if one.label == "Full cover"
            )
            await pilot.press("enter")
            await settled(pilot)
            assert isinstance(pilot.app.screen, TextModal) and "Full cover" in str(pilot.app.screen._title)
            await pilot.press("escape")

    play(app_for(tmp_path, "warehouse", "cwn"), script, NARROW)
