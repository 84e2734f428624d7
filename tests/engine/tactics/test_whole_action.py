"""The attacks that one price pays for, by the ledgers of each."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.attacks.damage_odds import outlook
from engine.battle.command import Attack
from engine.battle.narration.preview_text import mean_words
from engine.battle.state.battle import Battle
from engine.generators import result_of
from engine.tactics.whole_action import further_attacks
from tests.rules.table import Table, fight
from tui.application.focus.focus import Focus
from tui.application.presenter.action_rows import action_choices, with_numbers


def every(table: Table, action: str) -> list[tuple[Battle, AttackPreview]]:
    """Each attack of an action, with the battle in which it is made."""
    command = Attack("a", "b", action=action)
    shot = consider(table.battle, table.rules, command)
    return [(table.battle, shot), *further_attacks(table.battle, table.rules, command, shot)]


def chain(table: Table, action: str) -> list[AttackPreview]:
    return [shot for _, shot in every(table, action)]


def further(table: Table, action: str) -> Battle:
    """The battle in which the second attack is made."""
    return every(table, action)[1][0]


def shoot(table: Table, action: str, dice: tuple[int, ...]) -> None:
    """Attacks with dice that miss."""
    table.do(Attack("a", "b", action=action), dice)


def totals(shots: list[AttackPreview]) -> list[int]:
    """The sums of the modifiers of each."""
    return [sum(int(entry.value) for entry in shot.ledger.entries if entry.active) for shot in shots]


@pytest.mark.parametrize(
    ("ruleset", "role", "first", "actions", "missed"),
    [
        ("aog", "gunman", "semi", ["semi", "semi"], (80,)),
        ("volt", "rifleman", "auto", ["auto", "auto-second"], (19, 20)),
    ],
)
def test_the_ledger_of_a_further_attack_is_that_of_the_real_one_after_a_miss(
    ruleset: str, role: str, first: str, actions: list[str], missed: tuple[int, ...]
) -> None:
    table = fight(ruleset, "a.b", a=role, b="gunman")
    foreseen = chain(table, first)
    assert [shot.situation.action.id for shot in foreseen] == actions
    before = foreseen[0].situation.attacker
    table.battle = further(table, first)
    assert table.unit("a").turn.attacks == before.turn.attacks + 1
    real = fight(ruleset, "a.b", a=role, b="gunman")
    shoot(real, first, missed)
    then = consider(real.battle, real.rules, Attack("a", "b", action=actions[1]))
    assert totals([foreseen[1]]) == totals([then]) and foreseen[1].odds == then.odds
    assert table.unit("a").turn.budget == real.unit("a").turn.budget
    assert table.unit("a").gear.rounds == real.unit("a").gear.rounds


def test_the_card_sums_the_damage_of_all_attacks_of_the_action() -> None:
    table = fight("aog", "a.b", a="gunman", b="gunman")
    focus = Focus(unit="a", target="b", cursor=table.unit("b").at)
    rows = {one.id: one for one in action_choices(focus, table.battle, table.rules)}
    found = {
        id: result_of(with_numbers(rows[id], focus, table.battle, table.rules))
        for id in ("single", "semi")
        if id in rows
    }
    each = [outlook(battle, table.rules, shot) for battle, shot in every(table, "semi")]
    assert len(each) == 2 and all(each)
    assert found["semi"].cells[2] == mean_words(sum((one.expected for one in each if one), Fraction(0)))
    assert "2 attacks" in found["semi"].says
    single = outlook(table.battle, table.rules, consider(table.battle, table.rules, Attack("a", "b", action="single")))
    assert single and found["single"].cells[2] == mean_words(single.expected), "one attack, as before"
    assert "attacks" not in found["single"].says


def test_what_was_paid_for_before_counts_alone() -> None:
    table = fight("aog", "a.b", a="gunman", b="gunman")
    shoot(table, "semi", (80,))
    assert [shot.situation.action.id for shot in chain(table, "semi")] == ["semi"]
