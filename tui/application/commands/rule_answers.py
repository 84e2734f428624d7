"""Answers of `rules`: what a rule says, its number, when it applies, what it means here, its last use."""

from __future__ import annotations

from functools import partial

from engine.battle.rulings_in_force import ruling_facts
from engine.errors import Illegal
from engine.rules.named_rules import NamedRule, named_rules
from tui.application.commands.results import RuleCard, Setting, TextResult
from tui.application.reports.formula_words import FormulaWords
from tui.application.reports.rule_book import RuleBook
from tui.application.reports.rule_here import Here, here_rows
from tui.application.reports.rule_last_use import last_use
from tui.application.reports.rule_lookup import detail_lines, find_names, name_lines, short_rows
from tui.application.reports.rules_report import rules_about, rules_words
from tui.application.terminal.output import hanging_table, wrapped

HERE, TONIGHT, ALSO = "here", "tonight", "see also"
MOST_ALSO = 8
"""Other rules named below a card."""


def answer_about(words: str, setting: Setting) -> TextResult:
    """The answer about a rule by its name; of several with these words in their names, a list; else all that have them.

    Raises:
        Illegal: no rule has these words.
    """
    rules, title = setting.rules, f"Rules: {words}"
    exact, others = find_names(rules, words)
    if not exact and len(others) == 1:
        exact, others = others, ()
    if exact:
        cards = tuple(_card(one, others if one is exact[-1] else (), setting) for one in exact)
        title = cards[0].label if len(cards) > 1 else f"{cards[0].label} · {cards[0].kind}"
        return TextResult(
            title, tuple(_plain(cards)), is_list=True, cards=cards, more=partial(detail_lines, exact, rules)
        )
    if others:
        lines = (*name_lines(others), "", "Type one of these names to look it up.")
        return TextResult(title, lines, is_list=True, more=partial(rules_about, rules, words), names=others)
    if not (found := rules_about(rules, words)):
        raise Illegal("words", f"No rule of {rules.name} has “{words}”: “rules” shows all of them.")
    return TextResult(title, tuple(found), is_list=True)


def answer_whole(setting: Setting) -> TextResult:
    """Every rule that has a name, to choose one; its lines are the whole rule book."""
    rules = setting.rules
    return TextResult(rules.name, tuple(rules_words(rules)), is_list=True, names=named_rules(rules))


def _card(named: NamedRule, others: tuple[NamedRule, ...], setting: Setting) -> RuleCard:
    battle, rules = setting.battle, setting.rules
    here = Here(battle, rules, setting.actor, setting.attack, setting.is_ascii)
    rows = short_rows(named, RuleBook(rules, FormulaWords(rules), False), ruling_facts(battle, rules))
    rows += [(HERE, text) for text in here_rows(named, here)]
    rows.append((TONIGHT, last_use(named, setting.steps, battle, rules)))
    if others:
        labels = [f"{one.label}" for one in others[:MOST_ALSO]]
        more = [f"{len(others) - MOST_ALSO} more"] if len(others) > MOST_ALSO else []
        rows.append((ALSO, ", ".join([*labels, *more])))
    return RuleCard(named.label, named.kind, named.sentence, tuple(rows))


def _plain(cards: tuple[RuleCard, ...]) -> list[str]:
    """Cards in plain lines."""
    found: list[str] = []
    for card in cards:
        found += [""] * bool(found)
        found += [f"{card.label}, {card.kind}"] if len(cards) > 1 else []
        found += wrapped(card.sentence, 0)
        found += [line for row in hanging_table(card.rows, 2) for line in row]
    return found
