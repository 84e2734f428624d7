"""Rulings in a list: what a ruleset leaves to the GM, and every modifier of its that the system does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf

from engine.battle.wording import ruling_words
from engine.rules.expressions import Expression, compile_expression
from engine.rules.model import Ruleset, Value
from engine.rules.rulings import CHAPTER_ONLY, OFF_IN_CHAPTER
from engine.text import clause
from tui.application.reports.formula_words import FormulaWords
from tui.application.reports.rule_book import RuleBook, flat, worth
from tui.application.terminal.output import hanging_table, wrapped


def rulings_words(rules: Ruleset, now: Mapping[str, Value]) -> list[str]:
    """Every ruling with its value now, by the ruling's id, then what the system does not have; empty for neither."""
    rows = [(ruling.id, ruling_words(now[ruling.id]), ruling.label) for ruling in rules.rulings.values()]
    lines = [line for row in hanging_table(rows) for line in row]
    if ours := ours_words(rules):
        how = "they are off" if now[CHAPTER_ONLY] else f"“ruling {CHAPTER_ONLY} yes” turns all of them off"
        lines += ["", *wrapped(f"Modifiers that the chapter does not have ({len(ours)}); {how}:", 0), *flat(ours)]
    return lines


def ours_words(rules: Ruleset) -> list[list[str]]:
    """The lines for each modifier of ours: label, value, and where it comes from."""
    rows = [(label, f"{value} ({clause(why)})") for label, value, why in ours_rows(rules)]
    return hanging_table(rows, 2)


def ours_rows(rules: Ruleset) -> list[tuple[str, str, str]]:
    """Label, value in words, and origin of each modifier, range band and restriction that a ruleset marks as `ours`."""
    book = RuleBook(rules, FormulaWords(rules, inf), False)
    return [*_rows(book)]


def _rows(book: RuleBook) -> Iterator[tuple[str, str, str]]:
    attack = book.rules.attack
    for table in attack.bands:
        for band in (one for one in table.bands if one.ours):
            yield (
                f"{table.label}, {band.label}",
                worth(_value(band.value), book),
                band.origin.ruling or band.origin.source,
            )
    for modifier in (one for one in attack.modifiers if one.ours):
        yield modifier.label, worth(modifier.value, book), modifier.origin.ruling or modifier.origin.source
    for restriction in (one for one in attack.restrictions if one.ours):
        yield restriction.label, "no attack", restriction.origin.ruling or restriction.origin.source


def _value(value: Expression) -> Expression:
    """A band's own value, without the ruling that turns it off."""
    return compile_expression(value.text.removeprefix(OFF_IN_CHAPTER).removesuffix(")"), value.names)
