"""What units of a ruleset are made of: stats, pools, budgets, conditions; and who acts first, and who is out.

Read in two passes: names first, because every formula may ask for any of them, then the formulas.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from engine.dice.distributions import single_dice
from engine.errors import near_miss
from engine.rules.display_stats import Derived
from engine.rules.expressions import Expression, Template
from engine.rules.fact_list import DECLARED_FACTS, DICE_FACTS, INITIATIVE_FACTS, UNIT_FACTS
from engine.rules.initiative_kinds import EVERY, INITIATIVES, Initiative
from engine.rules.model import (
    ABOUT,
    BATTLE_END,
    DURATIONS,
    NEXT_ACTION,
    REFILLS,
    SQUARE,
    Budget,
    Condition,
    Pool,
    Stat,
)
from engine.rules.origin import Origin
from engine.text import cells
from engine.toml_reader import Reader, quoted
from engine.values import replace
from rulesets import value_readers
from rulesets.stats import MOST_HELP, read_stat
from rulesets.value_readers import BROKEN, Sample
from rulesets.vocabulary import Vocabulary, with_fact_of_units

RESERVED = {fact.name for fact in UNIT_FACTS}


class Declarations(Struct, frozen=True):
    """Everything that a ruleset says of every unit."""

    stats: Mapping[str, Stat]
    pools: Mapping[str, Pool]
    budgets: Mapping[str, Budget]
    conditions: Mapping[str, Condition]


def read_names(root: Reader) -> Declarations:
    """What is declared, with the formulas still open: enough to know every name."""
    taken: set[str] = set(RESERVED)
    blank = Origin("")
    stats: dict[str, Stat] = {}
    for name, stat in _declared(root, "stat", taken):
        stats[name] = read_stat(name, stat)
    pools = {name: Pool(name, "", BROKEN, blank) for name, _ in _declared(root, "pool", taken)}
    budgets = {name: Budget(name, "", BROKEN, blank) for name, _ in _declared(root, "budget", taken)}
    conditions: dict[str, Condition] = {}
    declared = _declared(root, "condition", taken)
    for name, entry in declared:
        until = entry.text("until", choices=DURATIONS)
        acts, about = entry.flag("acts_out_of_turn", False), entry.text("about", "", choices=ABOUT)
        larger = entry.number("magazine", 1, least=1, most=10)
        if entry.has("magazine") and about != "weapon":
            entry.problem("magazine", 'a magazine needs about = "weapon"')
        held_budget = entry.text("held_budget", choices=list(budgets)) if entry.has("held_budget") else ""
        adjacent = entry.flag("while_adjacent", False)
        if adjacent and about != "unit":
            entry.problem("while_adjacent", 'while_adjacent needs about = "unit"')
        for key in ("continues", "free_actions_end"):
            if entry.has(key) and until != NEXT_ACTION:
                entry.problem(key, f'{key} needs until = "{NEXT_ACTION}"')
        carries = entry.flag("carries", False)
        if carries and (until != BATTLE_END or about not in ("", "weapon")):
            entry.problem("carries", f'carries needs until = "{BATTLE_END}" and a condition about nothing or a weapon')
        internal = entry.flag("internal", False)
        if internal and entry.has("mark"):
            entry.problem("mark", "an internal condition is not drawn: leave its mark out")
        conditions[name] = Condition(
            name,
            value_readers.label(entry),
            _mark(entry),
            until,
            value_readers.origin(entry),
            acts,
            about,
            larger,
            held_budget,
            adjacent,
            entry.texts("continues", ()),
            carries=carries,
            ends_with=entry.text("ends_with", ""),
            only_actions=entry.texts("only_actions", ()),
            internal=internal,
        )
        if about and f"{name}_on" in taken:
            entry.problem("about", f"'{name}_on' is already declared; it names what {name} is about")
        if about == "unit" and f"{name}_by" in taken:
            entry.problem("about", f"'{name}_by' is already declared; it counts the units with {name} about a unit")
        for fact in (f"{name}_bearing", f"{name}_distance") if about == SQUARE else ():
            if fact in taken:
                entry.problem("about", f"'{fact}' is already declared; it gives the position of the square of {name}")
        entry.finish()
    for name, entry in declared:
        if entry.has("ends_with") and conditions[name].ends_with not in conditions.keys() - {name}:
            entry.problem("ends_with", "ends_with needs another condition of this ruleset")
    return Declarations(stats, pools, budgets, conditions)


def read_formulas(root: Reader, names: Declarations, words: Vocabulary) -> Declarations:
    """The same declarations with their formulas."""
    pools: dict[str, Pool] = {}
    for name, entry in value_readers.subtables(root, "pool"):
        start = value_readers.amount(entry, "start", words.start)
        group, part = (entry.text(key, "", most=value_readers.MOST_LABEL) for key in ("group", "part"))
        if bool(group) != bool(part):
            entry.problem("group" if group else "part", "group and part must be given together")
        protects, harm = entry.flag("protects", False), entry.text("harm", "", most=value_readers.MOST_LABEL)
        apart, label = entry.flag("apart", False), value_readers.label(entry)
        if apart and not harm:
            entry.problem("apart", "apart needs harm: what it is called to lose any of it")
        origin, carries = value_readers.origin(entry), entry.flag("carries", False)
        show = value_readers.condition(entry, "show", words.unit)
        help, lost = entry.text("help", "", most=MOST_HELP), entry.text("lost", "", most=value_readers.MOST_LABEL)
        pools[name] = Pool(name, label, start, origin, group, part, protects, harm, apart, carries, show, help, lost)
        entry.finish()
    budgets: dict[str, Budget] = {}
    for name, entry in value_readers.subtables(root, "budget"):
        start = value_readers.amount(entry, "start", words.unit)
        refills = entry.text("refills", REFILLS[0], choices=REFILLS)
        plural, short = (entry.text(key, "", most=value_readers.MOST_LABEL) for key in ("plural", "short"))
        label, origin = value_readers.label(entry), value_readers.origin(entry)
        counts, internal = entry.flag("counts", False), entry.flag("internal", False)
        sign = entry.text("sign", "", most=1)
        budgets[name] = Budget(name, label, start, origin, refills, plural, counts, internal, short, sign)
        entry.finish()
    conditions: dict[str, Condition] = {}
    for name, entry in value_readers.subtables(root, "condition"):
        ends = value_readers.condition(entry, "free_actions_end", words.act)
        conditions[name] = replace(names.conditions[name], free_actions_end=ends)
    return Declarations(names.stats, pools, budgets, conditions)


def check_actions(root: Reader, actions: Collection[str]) -> None:
    """Notes every action that a condition outlasts or leaves, and that the ruleset does not have."""
    for name, entry in value_readers.subtables(root, "condition"):
        for key, verb in (("continues", "continues in"), ("only_actions", "leaves")):
            for action in entry.texts(key, ()):
                if action not in actions:
                    near = near_miss(action, actions)
                    hint = f"; did you mean {near!r}?" if near else ""
                    entry.problem(key, f"{name} {verb} {quoted(action)}, which is not an action{hint}")


DECLARED_SAMPLE = dict(zip((fact.name for fact in DECLARED_FACTS), (True, 1), strict=True))


def read_initiative(root: Reader, words: Vocabulary) -> Initiative:
    """`[initiative]`: who acts when."""
    entry = root.table("initiative")
    kinds = {kind.kind: kind for kind in INITIATIVES}
    kind = kinds[entry.text("kind", choices=kinds)]
    declares = entry.flag("declares", False)
    sample = {**words.act, **DECLARED_SAMPLE} if declares else words.unit
    rolled = {**sample, **dict.fromkeys((*DICE_FACTS, *(fact.name for fact in INITIATIVE_FACTS)), 1)}
    found = kind(
        value_readers.dice(entry, "dice"),
        value_readers.amount(entry, "bonus", sample, 0),
        value_readers.origin(entry),
        entry.text("every", "battle", choices=EVERY),
        value_readers.amount(entry, "score", rolled) if entry.has("score") else None,
        value_readers.amount(entry, "ties", sample) if entry.has("ties") else None,
        value_readers.dice(entry, "tie_dice") if entry.has("tie_dice") else None,
        declares,
    )
    if found.score and not found.score.names.isdisjoint(DICE_FACTS) and single_dice(found.dice) is None:
        entry.problem("dice", f"{quoted(found.dice.text)} cannot be read die by die; expected plain dice, like 2d20")
    entry.finish()
    return found


def read_derived(root: Reader, words: Vocabulary) -> tuple[dict[str, Derived], Vocabulary]:
    """`[derived.<name>]`: facts of a unit that follow from its others, and the words with theirs among them."""
    found: dict[str, Derived] = {}
    for name, entry in _declared(root, "derived", {one.removeprefix("unit.") for one in words.unit}):
        value = value_readers.any_value(entry, "value", words.unit)
        found[name] = Derived(
            name, value_readers.label(entry), value, value_readers.origin(entry), entry.flag("show", True)
        )
        entry.finish()
        words = with_fact_of_units(words, name, value)
    return found, words


def read_defeat(root: Reader, sample: Sample) -> tuple[Expression, str, Template | None]:
    """`[defeat]`: when a unit is out of the fight; the label and the words for why."""
    entry = root.table("defeat")
    if not entry.has("when"):
        entry.problem(None, "[defeat] has no 'when'; expected when a unit is out of the fight")
    found = value_readers.condition(entry, "when", sample, False)
    label = value_readers.label(entry) if entry.has("because") else ""
    because = value_readers.template(entry, "because", sample) if entry.has("because") else None
    value_readers.bare_origin(entry)
    entry.finish()
    return found, label, because


def _declared(root: Reader, key: str, taken: set[str]) -> list[tuple[str, Reader]]:
    found = value_readers.subtables(root, key)
    for name, entry in found:
        if name in RESERVED:
            entry.problem(
                None, f"{quoted(name)} is already a built-in fact of every unit; choose another name for the {key}"
            )
        elif name in taken:
            entry.problem(
                None,
                f"{quoted(name)} is already declared; stats, pools, budgets, conditions and derived share their names",
            )
        taken.add(name)
    return found


def _mark(entry: Reader) -> str:
    mark = entry.text("mark", "")
    if entry.has("mark") and (len(mark) != 1 or cells(mark) != 1):
        entry.problem("mark", f"mark = {quoted(mark)} does not fit the board; expected one character, one column wide")
    return mark[:1]
