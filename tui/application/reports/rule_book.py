"""What every part of the rule book needs: its layout, and effects and costs in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from engine.dice.dice_text import number as number_text
from engine.rules.expressions import Expression, Template, shown
from engine.rules.model import (
    ABOUT_WHOM,
    Effect,
    Ruleset,
    Value,
)
from engine.rules.origin import Origin
from engine.rules.roll_odds import grade_of
from tui.application.reports.formula_words import FormulaWords
from tui.application.terminal.output import wrapped

INDENT = 2

DETAIL = 6

ALWAYS = "True"
"""The condition of a rule that has none."""

WHOM = {
    "allies": "each ally nearby",
    "nearest_ally": "the nearest ally",
    "enemies": "each enemy nearby",
    "ally_near_target": "the ally nearest to the target",
}

ROLLED_ON = {"hit": "on a hit", "miss": "on a miss", "always": "after every attack"}


class RuleBook(Struct, frozen=True):
    """One ruleset and the words of its formulas."""

    rules: Ruleset
    words: FormulaWords
    has_formulas: bool
    """Whether each formula is printed beside its words."""

    @property
    def unit(self) -> str:
        return self.rules.distance.unit

    def condition(self, formula: Expression) -> str:
        """`if …` for a condition; "" for none."""
        return "" if self.words.always(formula) else f"if {self.words.condition(formula)}"

    def formula(self, **formulas: Expression | Template | None) -> Iterator[str]:
        """A line for each formula as it is written, where they are asked for."""
        for key, one in formulas.items():
            if self.has_formulas and one is not None and one.text != ALWAYS and is_formula(one):
                yield f"formula: {key.rstrip('_')} = {one.text}"

    def why(self, because: Template) -> str:
        return f"because: {self.words.template(because)}"


def rule_lines(
    head: str, details: Iterable[str], origin: Origin, indent: int = INDENT, within: Origin | None = None
) -> list[str]:
    """One rule: head, sentence, details, source and ruling; those only where the rule that it is `within` differs."""
    lines = wrapped(head, indent, indent + 4)
    if origin.say and (within is None or origin.say != within.say):
        lines += wrapped(origin.say, indent + 4, indent + 6)
    for detail in details:
        lines += wrapped(detail, indent + 4, indent + 6)
    if within is None or origin.source != within.source:
        lines += wrapped(f"source: {origin.source}", indent + 4, indent + 6)
    if origin.ruling and (within is None or origin.ruling != within.ruling):
        lines += wrapped(f"ruling: {origin.ruling}", indent + 4, indent + 6)
    return lines


def effect_lines(effect: Effect, book: RuleBook, indent: int = INDENT, within: Origin | None = None) -> list[str]:
    """An effect; none that never happens, as one that a template has for other kinds than this."""
    if book.words.always(effect.when) is False:
        return []
    on = _occasion(effect.on, book) if indent == INDENT else ""
    after = f" ({on}{', first hit only' if effect.is_once else ''})" if on and on != ROLLED_ON["hit"] else ""
    head = f"{_does(effect, book, indent == INDENT)}{after} {book.condition(effect.when)}".rstrip()
    fields = {name: getattr(effect, name) for name in effect.__struct_fields__}
    formulas = {name: one for name, one in fields.items() if isinstance(one, Expression)}
    return rule_lines(head, book.formula(**formulas), effect.origin, indent, within)


def _occasion(on: Sequence[str], book: RuleBook) -> str:
    """The results of an attack that have an effect: each named, or all hits but one."""
    hits = [grade.id for grade in book.rules.attack.grades if grade.is_hit]
    others = [grade for grade in hits if grade not in on]
    if len(on) > 2 and len(others) <= 1 and set(on) <= set(hits):
        return f"on a hit{f' but “{grade_label(others[0], book)}”' if others else ''}"
    return on_words(on, book)


def on_words(on: Sequence[str], book: RuleBook) -> str:
    """After which results of a roll something comes: "on a hit", "on “Graze” or on a miss"."""
    return " or ".join(ROLLED_ON.get(word) or f"on “{grade_label(word, book)}”" for word in on)


def effect_words(effect: Effect, book: RuleBook) -> str:
    """What an effect of an attack does, in words after its label."""
    return _does(effect, book, True)


def _does(effect: Effect, book: RuleBook, is_attack: bool) -> str:
    """What an effect does, in words."""
    text = effect.describe()
    gaps = {gap: _in_gap(gap, said, effect, book) for gap, said in text.gaps.items()}
    words = text.words.replace("the {whom}", "{whom}")
    return f"{effect.label}: {words.format(whom=_whom(effect.whom, book, is_attack), unit=book.unit, **gaps)}"


def _whom(whom: str, book: RuleBook, is_attack: bool) -> str:
    """Whom an effect is about, with its article."""
    held = book.rules.units.conditions.get(whom.removesuffix(ABOUT_WHOM))
    if held and whom.endswith(ABOUT_WHOM):
        return f"the subject of “{held.label}”"
    if whom == "attacker" and not is_attack:
        return "the unit"
    return WHOM.get(whom, f"the {whom}")


def _in_gap(gap: str, said: str, effect: Effect, book: RuleBook) -> str:
    """What stands in a gap of a rule's words: a formula in words, the label of what it names, else the text itself."""
    rules = book.rules
    content = getattr(effect, gap, None)
    if isinstance(content, Expression):
        return book.words.value(content)
    match gap:
        case "grade":
            return grade_of(rules, said).label
        case "pool":
            held = rules.units.pools.get(said) or rules.units.budgets.get(said)
            return held.label if held else said
        case "condition" if said in rules.units.conditions:
            return f"“{rules.units.conditions[said].label}”"
    return said


def grade_label(name: str, book: RuleBook) -> str:
    return next((grade.label for grade in book.rules.attack.grades if grade.id == name), name)


def cost_words(cost: Mapping[str, Expression], book: RuleBook) -> str:
    """What is taken from which budget, in words; "" for nothing."""
    return _amounts(cost, book, 1)


def added_words(cost: Mapping[str, Expression], book: RuleBook) -> str:
    """What an action adds to budgets that count instead of running out: negative costs; "" for nothing."""
    return _amounts(cost, book, -1)


def _amounts(cost: Mapping[str, Expression], book: RuleBook, sign: int) -> str:
    """What is taken (`sign` 1) or added (−1)."""
    budgets = book.rules.units.budgets
    found = [book.words.amount(amount, budgets[one].called, sign) for one, amount in cost.items()]
    is_plain = all(" if " not in words and ":" not in words for words in found)
    return (", " if is_plain else "; ").join(filter(None, found))


def worth(value: Expression, book: RuleBook) -> str:
    return book.words.value(value) if is_formula(value) else signed_text(value.text)


def is_formula(one: Expression | Template) -> bool:
    return not re.fullmatch(r"-?[0-9.]+", one.text)


def signed_text(text: str) -> str:
    """A plain number with its sign."""
    return f"+{text}" if text != "0" and text[0] != "-" else text.replace("-", "−")


def value_text(value: Value) -> str:
    return shown(value) if isinstance(value, bool | str) else number_text(value)


def flat(paragraphs: Iterable[list[str]]) -> list[str]:
    return [line for paragraph in paragraphs for line in paragraph]
