"""The rules' own bookkeeping, marked `internal` in a ruleset, stands in no panel, list, menu, log and report."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.battle import events as ev
from engine.battle.commands.unit_edits import SetBudget, SetCondition
from engine.battle.narration import narrate
from engine.battle.narration.unit_states import marks_of
from engine.battle.state.reasons import Reason
from engine.battle.views.view import project
from engine.battle.wording import price_words
from rulesets import shipped_rulesets
from tests.rules.table import ruleset
from tests.tui.play import session_for
from tui.application.commands.completion import completions
from tui.application.commands.questions import turn_words
from tui.application.commands.results import Setting
from tui.application.exports.formats import exported
from tui.view.panels.unit_panel import unit_text
from tui.view.screens.title_bar import battle_title

RULESETS = [name for name in sorted(shipped_rulesets()) if name in ("aog", "cwn", "eva")]
"""Those with bookkeeping of their own."""


@pytest.mark.parametrize("name", RULESETS)
def test_what_is_internal_is_shown_nowhere(name: str, tmp_path: Path) -> None:
    session = session_for(tmp_path, "frontier-trail", name)
    rules, who = session.rules, session.battle.turns.active
    budgets = [one for one in rules.units.budgets.values() if one.internal]
    conditions = [one for one in rules.units.conditions.values() if one.internal]
    assert budgets or conditions
    for budget in budgets:
        session.submit(SetBudget(who, budget.id, 7))
    for condition in conditions:
        session.submit(SetCondition(who, condition.id, True))
    battle = session.battle
    assert {*battle.unit(who).conditions} >= {one.id for one in conditions}
    view = project(battle, rules)
    report = exported(session, "markdown")
    listed = [
        str(unit_text(view.unit(who), "x", 200)),
        turn_words(view),
        str(battle_title(view, battle, rules, "", 200)),
        report.partition("## Units")[2].partition("## ")[0],
        *marks_of(rules).values(),
        *completions(f"set {who} ", Setting(battle, rules)),
        *completions(f"budget {who} ", Setting(battle, rules)),
        *completions(f"condition {who} ", Setting(battle, rules)),
        price_words({one.id: 7 for one in budgets}, rules),
    ]
    for one in conditions:
        began = ev.ConditionBegan(who, one.id, one.label)
        listed += [narrate(began, battle, rules)]
        listed += [narrate(ev.ConditionEnded(who, one.id, one.label, Reason("turn-ended")), battle, rules)]
    for one in budgets:
        listed.append(narrate(ev.BudgetChanged(who, one.id, one.label, 1, 0, Reason("turn-ended")), battle, rules))
    words = [text for one in (*budgets, *conditions) for text in (one.id, one.label)]
    words += [one.called(7) for one in budgets]
    assert [(word, text) for word in words for text in listed if word in text.replace("-", "_").split(", ")] == []
    assert [(one.label, text) for one in (*budgets, *conditions) for text in listed if f" {one.label}" in text] == []


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_what_is_spent_for_a_round_or_a_fight_is_internal(name: str) -> None:
    """What it forbids says so itself.

    In eva `watching_spent` is a watch for enemies who have spent theirs; in cwn `reflexes_spent` is the one line of the
    log that names the free move.
    """
    spent = {
        one.id for one in ruleset(name).units.conditions.values() if one.id.endswith("_spent") and not one.internal
    }
    assert spent <= {"watching_spent", "reflexes_spent"}
