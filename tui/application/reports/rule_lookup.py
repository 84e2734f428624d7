"""Looking a rule up: its sentence, its number, when it applies, and behind Enter formula, ruling, source and uses.

What it means for the actor and target of now is in `rule_here`, its last use in `rule_last_use`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from math import inf
from typing import Any

from engine.battle.wording import ruling_words
from engine.dice.dice_text import signed
from engine.rules.expressions import Expression, compile_expression
from engine.rules.formula_values import number
from engine.rules.model import (
    Action,
    BandTable,
    Budget,
    Condition,
    Effect,
    Grade,
    Modifier,
    NamedFact,
    Pool,
    Restriction,
    Ruleset,
    Stat,
    Value,
)
from engine.rules.named_rules import NamedRule, named_rules, rule_name
from engine.rules.reaction_rules import Defence, Reaction
from engine.rules.rulings import CHAPTER_ONLY, Ruling
from engine.rules.space_rules import Scatter
from engine.rules.turn_rules import Trigger
from tui.application.reports.action_rules import HAPPENS, TRIGGERED, UNTIL
from tui.application.reports.distance_rules import band_extent
from tui.application.reports.formula_words import LONG, FormulaWords
from tui.application.reports.grouped_rules import broken
from tui.application.reports.rule_book import RuleBook, cost_words, effect_words, flat, on_words, value_text, worth
from tui.application.reports.rules_report import UNBROKEN, rule_paragraph, rules_about
from tui.application.terminal.output import filling, hanging_table, wrapped

NUMBER, WHEN, NEEDS = "number", "when", "needs"
MOST_CELLS = 180
"""Cells of a row of the short answer: three rows on a narrow screen."""
MOST_VALUE = 90
"""Cells of a value; what takes more is a calculation, and stands behind Enter."""
UNSAID = frozenset({"empty_target", f"ruling.{CHAPTER_ONLY}"})
"""What goes without saying in a condition, as do facts of the ruleset's own that no screen shows: there is a target,
and the ruling that turns off what is ours is off."""
MOST_NEEDS = 3
"""Requirements of an action in the short answer."""
MOST_USES = 12
"""Rules named that use one."""

NOTHING: Mapping[str, Value] = {}

Rows = list[tuple[str, str]]
"""What a row says, in a word, and its text."""


def find_names(rules: Ruleset, words: str) -> tuple[tuple[NamedRule, ...], tuple[NamedRule, ...]]:
    """The rules that are called exactly so, and the others with these words in their name, rulings last.

    Args:
        rules: the ruleset.
        words: what was typed, with blanks or hyphens between words.
    """
    name = rule_name(words)
    if not name:
        return (), ()
    known = named_rules(rules)
    exact = tuple(one for one in known if one.name == name)
    others = [one for one in known if name in one.name and one.name != name]
    return exact, tuple(sorted(others, key=lambda one: (one.kind == "ruling", not one.name.startswith(name))))


def short_rows(named: NamedRule, book: RuleBook, decided: Mapping[str, Value] = NOTHING) -> Rows:
    """The number of a rule and when it applies, in words; rows that would be too long are left to Enter.

    Args:
        named: the rule.
        book: the words of its ruleset.
        decided: the facts of rulings as they hold in a battle; without them, as the ruleset has them.
    """
    several = len(named.rules) > 1
    found: Rows = []
    for rule in named.rules[:MOST_NEEDS]:
        number, when, word = _facts(rule, book, decided or _as_written(book.rules))
        if several and number and when:
            found.append((NUMBER, f"{number}: {when}"))
        else:
            found += [(NUMBER, number)] * bool(number) + [(word, when)] * bool(when)
    kept = [(word, text) for word, text in dict.fromkeys(found) if LONG not in text]
    return [(word, _cut(text)) for word, text in kept]


def detail_lines(named: Iterable[NamedRule], rules: Ruleset) -> list[str]:
    """Everything about some rules: formulas, requirements, source, ruling, and which rules use them."""
    book = RuleBook(rules, FormulaWords(rules, inf), True)
    found: list[str] = []
    for one in named:
        found += [""] * bool(found)
        found += broken(line for rule in one.rules for line in _unwrapped(rule, book) if line.strip() != one.say)
        if users := _users(one, book):
            found += wrapped(f"used by: {', '.join(users)}", 6, 8)
    return found


def lookup_lines(rules: Ruleset, words: str) -> list[str]:
    """What the command line says of a rule without a battle: its sentence, number and conditions, then the rest.

    Of several with these words in their names, a list; else all rules that have them; empty for none.
    """
    exact, others = find_names(rules, words)
    if not exact and len(others) == 1:
        exact = others
    if not exact:
        return name_lines(others) if others else rules_about(rules, words)
    book, found = RuleBook(rules, FormulaWords(rules), False), list[str]()
    for one in exact:
        found += [f"{one.label}, {one.kind}", *wrapped(one.sentence, 0)]
        found += [*flat(hanging_table(short_rows(one, book), 2)), ""]
    return [*found, *detail_lines(exact, rules)]


def name_lines(named: Iterable[NamedRule]) -> list[str]:
    """Rules in a list, each with its kind and its sentence."""
    return flat(hanging_table([(one.label, one.kind, one.sentence) for one in named]))


def _users(named: NamedRule, book: RuleBook) -> list[str]:
    """The rules whose formulas name a rule, by their kinds and labels."""
    sign = f"“{named.label}”"
    found = (
        f"{other.kind} “{other.label}”"
        for other in named_rules(book.rules)
        if other.label != named.label and any(sign in line for rule in other.rules for line in _unwrapped(rule, book))
    )
    listed = list(found)
    more = [f"{len(listed) - MOST_USES} more"] if len(listed) > MOST_USES else []
    return [*listed[:MOST_USES], *more]


def condition_parts(text: str) -> Iterator[str]:
    """The conditions of a formula of which all must hold.

    >>> [*condition_parts("ranged and (not thrown and covered > 0)")]
    ['ranged', 'not thrown', 'covered > 0']
    """
    queue: list[ast.expr] = [ast.parse(text.strip(), mode="eval").body]
    while queue:
        node = queue.pop(0)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            queue = [*node.values, *queue]
        else:
            yield ast.unparse(node)


def _as_written(rules: Ruleset) -> Mapping[str, Value]:
    return {f"ruling.{one.id}": one.value for one in rules.rulings.values()}


def _worth(value: Expression, book: RuleBook, decided: Mapping[str, Value]) -> str:
    """What a modifier adds: a number where it rests on rulings alone, else its words."""
    if value.text == "0":
        return "no effect"
    if value.names and value.names <= decided.keys():
        return signed(number(value, decided))
    return worth(value, book)


def _facts(rule: Any, book: RuleBook, decided: Mapping[str, Value]) -> tuple[str, str, str]:
    """Number, when it applies, and the word for that; "" for what it has not."""
    words = book.words
    unsaid = UNSAID.union(one.id for one in book.rules.attack.facts if not one.is_shown)

    def when(formula: Expression) -> str:
        whole = [*condition_parts(formula.text)]
        parts = [one for one in whole if one.removeprefix("not ") not in unsaid] or whole
        shown = compile_expression(" and ".join(f"({one})" for one in parts) or "True", _known(formula))
        return "" if words.always(shown) else words.condition(shown)

    def value(formula: Expression) -> str:
        said = words.value(formula)
        return said if len(said) <= MOST_VALUE else ""

    match rule:
        case Modifier():
            of = f" to {book.rules.attack.test.difficulty_label}" if rule.of else ""
            return f"{_worth(rule.value, book, decided)}{of}", when(rule.when), WHEN
        case Restriction():
            return "no attack", when(rule.when), WHEN
        case BandTable():
            bands = "; ".join(f"{one.label} {worth(one.value, book)}, {band_extent(one, book)}" for one in rule.bands)
            short = ", ".join(f"{one.label} {worth(one.value, book)}" for one in rule.bands)
            return (bands if len(bands) <= MOST_CELLS and LONG not in bands else short), when(rule.when), WHEN
        case Grade():
            return "", when(rule.when), WHEN
        case Ruling():
            choices = [ruling_words(one) for one in rule.choices if one != rule.value]
            return ruling_words(rule.value), f"or {', '.join(choices)}" if choices else "", "choices"
        case Action():
            needs = [when(one.holds) for one in rule.requires if not one.condition][:MOST_NEEDS]
            return _price(rule.cost, book), "; ".join(filter(None, needs)), NEEDS
        case Reaction():
            asked = when(rule.when)
            return _price(rule.cost, book), TRIGGERED[rule.trigger] + f", if {asked}" * bool(asked), WHEN
        case Defence():
            on = "before the attack roll" if rule.is_before_roll else on_words(rule.on, book)
            return _price(rule.cost, book), on, WHEN
        case Trigger():
            return "", f"{HAPPENS[rule.at]} {book.condition(rule.when)}".rstrip(), WHEN
        case Condition():
            return "", UNTIL[rule.until], "lasts"
        case Effect():
            return effect_words(rule, book).removeprefix(f"{rule.label}: "), when(rule.when), WHEN
        case NamedFact():
            return value(rule.value), "after the roll" if rule.after == "roll" else "", WHEN
        case Pool() | Budget():
            return value(rule.start), "", WHEN
        case Stat():
            return f"{rule.allowed}, usually {value_text(rule.labelled(rule.default))}", "", WHEN
    return _rest(rule, book), "", WHEN


def _price(cost: Mapping[str, Expression], book: RuleBook) -> str:
    """What an action, a reaction or a defence costs."""
    words = cost_words(cost, book)
    return f"costs {words}" if words else "free"


def _known(formula: Expression) -> Mapping[str, Any]:
    """The names of a formula, for compiling a part of it."""
    return {**dict.fromkeys(formula.names, 0), **formula.behind}


def _rest(rule: Any, book: RuleBook) -> str:
    """The first line of a rule in the rule book without its label; of scatter the directions and distances."""
    first, *others = (line.strip() for line in _unwrapped(rule, book))
    label = f"{getattr(rule, 'label', '')}: "
    if isinstance(rule, Scatter):
        return "; ".join(line for line in others if line.startswith(("direction", "distance", "lands")))
    return first.removeprefix(label)


def _unwrapped(rule: Any, book: RuleBook) -> list[str]:
    """The lines of a rule, none of them broken."""
    with filling(UNBROKEN):
        return rule_paragraph(rule, book) or [""]


def _cut(text: str) -> str:
    """A text of at most three rows, cut at a word."""
    if len(text) <= MOST_CELLS:
        return text
    return f"{text[:MOST_CELLS].rpartition(' ')[0]} …"
