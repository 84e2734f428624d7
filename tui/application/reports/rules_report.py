"""A ruleset as a rule book: rule by rule under headings, conditions in words, each with its source and our ruling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import inf
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from engine.battle.wording import ruling_words
from engine.dice.dice_expressions import Dice
from engine.rules.display_stats import Derived
from engine.rules.expressions import Expression, Template
from engine.rules.initiative_kinds import Initiative
from engine.rules.model import (
    NEVER,
    Action,
    BandTable,
    Budget,
    Condition,
    Distances,
    Effect,
    Grade,
    Modifier,
    NamedFact,
    Pool,
    Restriction,
    Ruleset,
    Stat,
    Strikes,
)
from engine.rules.named_rules import named_rules
from engine.rules.reaction_rules import Defence, MeleeRule, Reaction
from engine.rules.rulings import Ruling
from engine.rules.space_rules import AltitudeBand, BlastZone, BurstRule, Mode, Scatter, SightRule
from engine.rules.test_kinds import Test
from engine.rules.turn_rules import Trigger
from engine.sight_model import RULINGS as SIGHT_RULINGS
from engine.values import replace
from tui.application.reports.action_rules import (
    HAPPENS,
    action_lines,
    condition_lines,
    defence_lines,
    reaction_lines,
    trigger_lines,
)
from tui.application.reports.distance_rules import (
    altitude_words,
    band_lines,
    burst_lines,
    distance_lines,
    mode_lines,
    scatter_lines,
    table_lines,
    zone_lines,
)
from tui.application.reports.equipment_rules import (
    accessory_words,
    innate_words,
    sheet_lines,
    stat_lines,
    stat_rows,
    stat_words,
    weapon_lines,
    worn_lines,
)
from tui.application.reports.formula_words import FormulaWords
from tui.application.reports.grouped_rules import grouped, with_shared_source
from tui.application.reports.rule_book import (
    DETAIL,
    INDENT,
    RuleBook,
    effect_lines,
    flat,
    rule_lines,
    worth,
)
from tui.application.reports.rulings_report import ours_words
from tui.application.terminal.output import filling, number, wrapped

OURS, STATS = "Modifiers that the chapter does not have", "Stats"
IN_TABLES = (OURS, STATS)
"""Chapters in columns, which are not grouped."""
POOLS = "Hit points and other pools"
GEAR = (POOLS, "Weapons", "Armour", "Accessories", "Stat blocks")
"""Chapters of which most have one source."""
ACTIONS = "Actions"
FAMILIES = (ACTIONS, POOLS)
"""Chapters in which neighbours differ in a word or two."""
UNBROKEN = 100_000
"""Columns in which no line is broken."""


def rules_words(rules: Ruleset, has_formulas: bool = False) -> list[str]:
    """The whole ruleset for reading.

    Args:
        rules: the ruleset.
        has_formulas: whether formulas stand beside their words, for authors.
    """
    book = RuleBook(rules, FormulaWords(rules), has_formulas)
    named = named_rules(rules)
    says, colons = frozenset(one.say for one in named), [one.label for one in named if ":" in one.label]
    lines = [f"{rules.name} ({rules.id})", *wrapped(rules.summary, 0), ""]
    for heading, paragraphs in _rules_by_chapter(book):
        if heading in IN_TABLES:
            written = [one for one in paragraphs if one]
        else:
            with filling(UNBROKEN):
                unbroken = [one for one in paragraphs if one]
            shared = with_shared_source(unbroken) if heading in GEAR else unbroken
            written = grouped(shared, says, colons, families=heading in FAMILIES)
        if written:
            lines += [heading.upper(), *flat(written), ""]
    return lines[:-1]


def rules_about(rules: Ruleset, words: str) -> list[str]:
    """The rules that have these words, under their headings; those first that are called so, with whole formulas.

    Empty if no rule has them.
    """
    book = RuleBook(rules, FormulaWords(rules, inf), False)
    typed, words, called, others = words, words.casefold(), list[str](), list[str]()
    for heading, written in _chapters(book):
        for rule in written:
            if words in rule[0].partition(":")[0].casefold():
                called += [heading.upper()] * (heading.upper() not in called) + rule
            elif any(words in line.casefold() for line in rule) or words in heading.casefold():
                others += [heading.upper()] * (heading.upper() not in others) + rule
    between = ["", f"Other rules that mention “{typed}”:", ""] if called and others else []
    return [*called, *between, *others]


def rules_json(rules: Ruleset) -> dict[str, Any]:
    """The whole ruleset for scripts: every table under its own name, formulas as texts, no files."""
    found: dict[str, Any] = _plain(rules)
    del found["texts"]
    distance = found.pop("distance")
    found |= {"distance_origin": distance.pop("origin"), **distance}
    for part in ("units", "gear", "attack", "turns", "space"):
        found |= found.pop(part)
    return found


def action_words(action: Action, rules: Ruleset) -> list[str]:
    """One action as a rule book has it: what it costs, what it requires, what it does."""
    return action_lines(action, RuleBook(rules, FormulaWords(rules, inf), False))


def _chapters(book: RuleBook) -> Iterator[tuple[str, list[list[str]]]]:
    """Every heading with the lines of each of its rules; headings without a rule are left out."""
    for heading, rules in _rules_by_chapter(book):
        if written := [lines for lines in rules if lines]:
            yield heading, written


def _rules_by_chapter(book: RuleBook) -> Iterator[tuple[str, Iterable[list[str]]]]:
    rules = book.rules
    attack, units, space, turns = rules.attack, rules.units, rules.space, rules.turns
    yield "Rulings: decisions where the rules leave something open", _rulings(rules.rulings.values())
    yield OURS, ours_words(rules)
    yield "Distance", [distance_lines(rules)]
    yield "Attack roll", [_test(book)]
    yield "Outcomes of the roll: the first that applies", (_grade(grade, book) for grade in attack.grades)
    yield "Range bands", band_lines(book)
    if space.melee:
        yield "Melee", [_melee(space.melee, book)]
    if space.sight:
        yield "Sight", [_sight(space.sight)]
    yield "Altitude bands", (_altitude(band, book) for band in space.altitudes)
    yield (
        "Attack modifiers",
        (
            _modifier(modifier, book)
            for modifier in sorted(attack.modifiers, key=lambda modifier: attack.steps.index(modifier.step))
        ),
    )
    yield "An attack is not possible", (_restriction(restriction, book) for restriction in attack.restrictions)
    yield "Terms", (_named_fact(fact, book) for fact in attack.facts)
    yield "Number of hits", [_strikes(book)]
    yield "Effects of an attack", (effect_lines(effect, book) for effect in attack.effects)
    yield "Automatic effects", (trigger_lines(trigger, book) for trigger in turns.triggers)
    yield ACTIONS, (action_lines(action, book) for action in rules.actions.values())
    yield "Scatter: the first table that applies", (scatter_lines(scatter, book) for scatter in space.scatters)
    yield "Blast rings", (zone_lines(zone, book) for zone in space.zones)
    if space.burst:
        yield "Units in the blast radius", [burst_lines(space.burst, book)]
    yield "Movement modes: the first that applies", (mode_lines(mode, book) for mode in space.modes)
    yield "Reactions", (reaction_lines(each, book) for each in turns.reactions)
    yield "Defences", (defence_lines(each, book) for each in attack.defences)
    yield "Initiative", [_initiative(turns.initiative, book)]
    words = book.words.condition(units.defeated)
    lines = [f"A unit is out of the fight if {words}", *book.formula(when=units.defeated)]
    yield "Out of the fight", [flat(wrapped(line, INDENT, DETAIL) for line in lines)]
    yield STATS, (stat_lines(group, rules) for group in dict.fromkeys(one.group for one in units.stats.values()))
    yield POOLS, (_pool(pool, book) for pool in units.pools.values())
    yield "Derived values", (_derived(one, book) for one in units.derived.values())
    yield "Each turn a unit has", (_budget(budget, book) for budget in units.budgets.values())
    yield "Conditions", (condition_lines(condition, book) for condition in units.conditions.values())
    innate = innate_words("Innate weapons of every unit", rules.gear.innate_weapons, rules)
    yield "Weapons", (innate, *(weapon_lines(weapon, rules) for weapon in rules.gear.weapons.values()))
    yield "Armour", (worn_lines(suit, [stat_words(suit.stats, rules)]) for suit in rules.gear.armour.values())
    yield "Accessories", (worn_lines(one, accessory_words(one, rules)) for one in rules.gear.accessories.values())
    yield "Stat blocks", (sheet_lines(sheet, rules) for sheet in units.sheets.values())


def rule_paragraph(rule: Any, book: RuleBook) -> list[str]:
    """The lines of one rule that has a name; see `engine.rules.named_rules`."""
    match rule:
        case Ruling():
            return _ruling(rule, "")
        case Distances():
            return distance_lines(book.rules)
        case Test():
            return _test(book)
        case MeleeRule():
            return _melee(rule, book)
        case SightRule():
            return _sight(rule)
        case Initiative():
            return _initiative(rule, book)
        case Strikes():
            return _strikes(book)
        case Stat():
            return stat_rows(rule)
        case BandTable():
            return table_lines(rule, book)
    return PARAGRAPHS[next(kind for kind in PARAGRAPHS if isinstance(rule, kind))](rule, book)


def _melee(melee: MeleeRule, book: RuleBook) -> list[str]:
    words = f"An adjacent enemy counts for melee {book.condition(melee.when)}"
    return rule_lines(words, book.formula(when=melee.when), melee.origin)


def _sight(sight: SightRule) -> list[str]:
    return rule_lines("; ".join(_sight_words(sight)), [], sight.origin)


def _altitude(band: AltitudeBand, book: RuleBook) -> list[str]:
    return rule_lines(f"{band.label}: {altitude_words(band, book.rules)}", [], band.origin)


def _pool(pool: Pool, book: RuleBook) -> list[str]:
    means = f"{pool.label}, {pool.help}" if pool.help else pool.label
    return rule_lines(f"{means}: {book.words.value(pool.start)}", book.formula(start=pool.start), pool.origin)


def _derived(one: Derived, book: RuleBook) -> list[str]:
    return rule_lines(f"{one.label}: {book.words.value(one.value)}", book.formula(value=one.value), one.origin)


def _budget(budget: Budget, book: RuleBook) -> list[str]:
    restored = f"{'counted anew' if budget.counts else 'restored'} {HAPPENS[budget.refills]}"
    head = f"{budget.label}: {book.words.value(budget.start)}, {restored}"
    return rule_lines(head, book.formula(start=budget.start), budget.origin)


def _test(book: RuleBook) -> list[str]:
    test = book.rules.attack.test
    text = test.describe()
    details = [*text.details] if book.has_formulas else []
    difficulty = getattr(test, "difficulty", None)
    if difficulty is not None:
        details.insert(0, f"{test.difficulty_label}: {book.words.value(difficulty)}")
    if (called := book.rules.attack.critical_label) != "critical":
        details.append(f"a critical hit is called {called}")
    return rule_lines(f"Roll {text.words.format(**text.gaps)}", details, test.origin)


def _grade(grade: Grade, book: RuleBook) -> list[str]:
    condition = book.condition(grade.when) or "in all other cases"
    hit = {(True, False): " (a hit)", (True, True): " (a critical hit)", (False, True): " (a fumble)"}
    details = [*book.formula(when=grade.when), *(() if grade.goes_off else ("an explosive does not go off",))]
    return rule_lines(
        f"{grade.label}{hit.get((grade.is_hit, grade.is_critical), '')}: {condition}", details, grade.origin
    )


def _modifier(modifier: Modifier, book: RuleBook) -> list[str]:
    value = modifier.value
    nothing = "no modifier" if modifier.note is not None else "no effect"
    amount = nothing if value.text == "0" else worth(value, book)
    what = f" to {book.rules.attack.test.difficulty_label}" if modifier.of else ""
    head = f"{modifier.label} ({modifier.step}): {amount}{what} {book.condition(modifier.when)}".rstrip()
    details = [book.why(modifier.because), *book.formula(value=value, when=modifier.when)]
    return rule_lines(head, details, modifier.origin)


def _restriction(restriction: Restriction, book: RuleBook) -> list[str]:
    head = f"{restriction.label}: {book.condition(restriction.when) or 'always'}"
    return rule_lines(head, [book.why(restriction.because), *book.formula(when=restriction.when)], restriction.origin)


def _named_fact(fact: NamedFact, book: RuleBook) -> list[str]:
    when = "" if fact.after == "situation" else ", after the roll"
    head = f"{fact.label}{when}: {book.words.value(fact.value)}"
    return rule_lines(head, book.formula(**{fact.id: fact.value}), fact.origin)


def _strikes(book: RuleBook) -> list[str]:
    strikes = book.rules.attack.strikes
    if strikes is None:
        return []
    details = []
    if strikes.onto:
        near = f"{book.words.value(strikes.onto)} {book.unit}"
        details.append(f"hits left when the target drops go to the next enemy within {near}")
    if strikes.shares.text != NEVER.text:
        details.append(f"the GM may split them between such enemies before the roll {book.condition(strikes.shares)}")
    details += book.formula(count=strikes.count, may_split=strikes.shares)
    return rule_lines(f"{strikes.label}: {book.words.value(strikes.count)}", details, strikes.origin)


def _rulings(rulings: Iterable[Ruling]) -> Iterator[list[str]]:
    """Rulings; a decision of ours that stands behind several is printed once, the others refer to the first."""
    first: dict[tuple[str, str], str] = {}
    for ruling in rulings:
        decided = ruling.origin.source, ruling.origin.ruling
        label = first.setdefault(decided, ruling.label) if ruling.origin.ruling else ruling.label
        yield _ruling(ruling, "" if label == ruling.label else label)


def _ruling(ruling: Ruling, like: str) -> list[str]:
    """A ruling; its source is that of the ruling `like`, "" for its own."""
    choices = f" (or {', '.join(ruling_words(one) for one in ruling.choices if one != ruling.value)})"
    steps = f" (in steps of {ruling.step})" if ruling.step > 1 else ""
    head = f"{ruling.label}: {ruling_words(ruling.value)}{choices if ruling.choices else steps} [{ruling.id}]"
    about = "meaning" if ruling.id.startswith(SIGHT_RULINGS) else "because"  # those of sight say what values mean
    details = [f"{about}: {ruling.because}", *[f"source and ruling: as for “{like}”"] * bool(like)]
    return rule_lines(head, details, ruling.origin, within=replace(ruling.origin, say="") if like else None)


def _initiative(asked: Initiative, book: RuleBook) -> list[str]:
    words = book.words
    details = []
    if asked.score:
        details.append(f"place in the turn order: {words.value(asked.score)}, highest first")
    if asked.bonus.text != "0":
        details.append(f"bonus: {words.value(asked.bonus)}")
    if asked.ties:
        details.append(f"ties: the higher of {words.value(asked.ties)} goes first")
    if asked.tie_dice:
        details.append(f"units that still tie roll {asked.tie_dice}")
    if asked.declares:
        details.append("units declare their actions first; a unit that declares none attacks with the weapon in hand")
    details += book.formula(bonus=asked.bonus, score=asked.score, ties=asked.ties)
    return rule_lines(f"Roll {asked.dice} for each {asked.rolled_for}, once a {asked.every}", details, asked.origin)


PARAGRAPHS: Mapping[type, Callable[[Any, RuleBook], list[str]]] = {
    Grade: _grade,
    Modifier: _modifier,
    Restriction: _restriction,
    NamedFact: _named_fact,
    Effect: effect_lines,
    Trigger: trigger_lines,
    Action: action_lines,
    Scatter: scatter_lines,
    BlastZone: zone_lines,
    BurstRule: burst_lines,
    Mode: mode_lines,
    AltitudeBand: _altitude,
    Reaction: reaction_lines,
    Defence: defence_lines,
    Pool: _pool,
    Derived: _derived,
    Budget: _budget,
    Condition: condition_lines,
}
"""The lines of each kind of rule."""


def _plain(value: Any) -> Any:
    """A JSON value for anything a ruleset holds."""
    match value:
        case None | bool() | str():
            return value
        case int() | Fraction():
            return number(value)
        case Expression() | Template() | Dice():
            return value.text
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case tuple():
            return [_plain(item) for item in value]
    if isinstance(value, Struct):
        kind = {"kind": value.kind} if isinstance(value, Effect | Test | Initiative) else {}
        return kind | {name: _plain(item) for name, item in asdict(value).items()}
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _sight_words(sight: SightRule) -> list[str]:
    """What of sight is otherwise than usual, and whether units are in the way."""
    model = sight.model
    size = f" from size {model.bodies}" if model.bodies > 1 else ""
    words = [f"Units{size} in the line give cover" if model.bodies else "Units in the line give no cover"]
    if not model.lean:
        words.append("units do not lean out of cover")
    if model.own_cover != "rise":
        is_look = model.own_cover == "look"
        words.append("units look over what is lower than their eyes" if is_look else "low things are in the way")
    if model.positions:
        words.append(f"both are possible for a unit that is {' or '.join(model.positions).replace('_', ' ')}")
    smoke = sight.smoke.describe()
    return [*words, smoke] if smoke else words
