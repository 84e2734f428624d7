"""How an attack is settled: the roll, its grades, range bands, modifiers and restrictions, read from `ruleset.toml`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.dice.distributions import MOST_OUTCOMES, single_dice
from engine.rules.derived_facts import reads_dice
from engine.rules.expressions import Expression, compile_expression, constant
from engine.rules.ledger import DIFFICULTY
from engine.rules.model import Band, BandTable, Grade, Modifier, Restriction, Ruleset
from engine.rules.origin import Origin
from engine.rules.rulings import CHAPTER_ONLY, OFF_IN_CHAPTER
from engine.rules.test_kinds import TESTS, Test
from engine.toml_reader import Reader, quoted
from rulesets import rulings, value_readers
from rulesets.value_readers import Sample
from rulesets.vocabulary import Vocabulary

WHEN, VALUE = f"({{}}) and not ruling.{CHAPTER_ONLY}", f"{OFF_IN_CHAPTER}{{}})"
"""How a formula asks for the ruling that turns it off."""
GRADE_WORDS = ("hit", "miss", "always")
"""What effects say for all grades of a kind; no grade is called so."""


class ReadBands(Struct, frozen=True):
    """A band table with the places it was read from, for checks that need weapons."""

    table: BandTable
    entry: Reader
    rows: tuple[Reader, ...]
    is_sound: bool
    """Whether every edge could be read."""


def read_steps(root: Reader) -> tuple[str, ...]:
    """The steps of the ledger, in order."""
    steps = root.texts("steps")
    if root.has("steps") and (not steps or len(set(steps)) < len(steps)):
        root.problem("steps", "steps must list each step of the modifiers once, and at least one")
    return steps or ("",)


def read_test(root: Reader, sample: Sample) -> Test:
    """`[test]`: the roll that settles an attack."""
    entry = root.table("test")
    kinds = {kind.kind: kind for kind in TESTS}
    kind = kinds[entry.text("kind", choices=kinds)]
    dice = value_readers.dice(entry, "dice")
    is_equal_enough = entry.text("equal", choices=("hit", "miss")) == "hit"
    label = entry.text("difficulty_label", "target number", most=value_readers.MOST_LABEL)
    found = kind.read(
        value_readers.RuleReader(entry, sample), (dice, is_equal_enough, label, value_readers.origin(entry))
    )
    entry.finish()
    return found


def read_grades(root: Reader, sample: Sample) -> tuple[Grade, ...]:
    """`[[grade]]`: how a roll can come out; the last one must always hold."""
    grades: list[Grade] = []
    entries = root.tables("grade")
    for entry in entries:
        name = value_readers.hyphened(entry, "id", {grade.id for grade in grades}, "the grade")
        if name in GRADE_WORDS:
            entry.problem("id", f"effects use {quoted(name)} for a group of grades; choose another id")
        when = value_readers.condition(entry, "when", sample)
        is_hit, goes_off = entry.flag("hit"), entry.flag("detonates", True)
        if is_hit and not goes_off:
            entry.problem(
                "detonates",
                "an explosive always detonates on a hit; detonates = false is only for grades that are not hits",
            )
        is_critical = entry.flag("critical", False)
        label, origin = value_readers.label(entry), value_readers.origin(entry)
        grades.append(Grade(name, label, when, is_hit, origin, goes_off, is_critical))
        entry.finish()
    if not grades:
        root.problem(None, "[[grade]] is missing; expected at least a hit and a miss")
    elif not value_readers.is_broken(grades[-1].when) and grades[-1].when.text != "True":
        entries[-1].problem("when", "the last grade must apply to every other roll; remove its 'when'")
    return tuple(grades)


def read_bands(root: Reader, steps: Sequence[str], words: Vocabulary, taken: set[str]) -> list[ReadBands]:
    """`[[bands]]`: range bands for the attacks that `when` names."""
    found: list[ReadBands] = []
    for entry in root.tables("bands"):
        name = _entry_id(entry, taken)
        step = entry.text("step", choices=steps)
        when = value_readers.condition(entry, "when", words.situation)
        rows = tuple(entry.tables("band"))
        bands: list[Band] = []
        for row in rows:
            bands.append(_read_band(row, {band.id for band in bands}, words.situation))
        if not rows:
            entry.problem(None, "[[bands]] has no [[bands.band]]; expected at least one range band")
            bands.append(Band("", "", None, value_readers.BROKEN, constant(0), Origin("")))
        beyond = value_readers.template(entry, "beyond", words.situation)
        say = value_readers.say(entry)
        table = BandTable(name, value_readers.label(entry), step, when, tuple(bands), beyond, say)
        entry.finish()
        formulas = [when, *(band.upto for band in bands), *(band.start for band in bands if band.start)]
        found.append(ReadBands(table, entry, rows, not any(map(value_readers.is_broken, formulas))))
    return found


def read_modifiers(
    root: Reader, steps: Sequence[str], sample: Sample, taken: set[str], test: Test
) -> tuple[Modifier, ...]:
    """`[[modifier]]`: lines of the ledger that count."""
    found: list[Modifier] = []
    for entry in root.tables("modifier"):
        ours = entry.flag(rulings.OURS, False)
        found.append(
            Modifier(
                _entry_id(entry, taken),
                entry.text("step", choices=steps),
                value_readers.label(entry),
                value_readers.amount(entry, "value", sample),
                _unless_chapter_only(value_readers.condition(entry, "when", sample), sample, WHEN, ours),
                value_readers.template(entry, "because", sample),
                value_readers.origin(entry),
                entry.text("of", choices=(DIFFICULTY,)) if entry.has("of") else "",
                value_readers.condition(entry, "note", sample) if entry.has("note") else None,
                ours,
            )
        )
        if found[-1].of and not test.has_difficulty:
            entry.problem("of", f"the {test.kind} test has no number to beat; change the ledger's total")
        entry.finish()
    return tuple(found)


def read_restrictions(root: Reader, steps: Sequence[str], sample: Sample, taken: set[str]) -> tuple[Restriction, ...]:
    """`[[restriction]]`: lines of the ledger that forbid the attack."""
    found: list[Restriction] = []
    for entry in root.tables("restriction"):
        ours = entry.flag(rulings.OURS, False)
        found.append(
            Restriction(
                _entry_id(entry, taken),
                entry.text("step", choices=steps),
                value_readers.label(entry),
                _unless_chapter_only(value_readers.condition(entry, "when", sample), sample, WHEN, ours),
                value_readers.template(entry, "because", sample),
                value_readers.origin(entry),
                ours,
            )
        )
        entry.finish()
    return tuple(found)


def _read_band(row: Reader, taken: set[str], sample: Sample) -> Band:
    name = value_readers.hyphened(row, "id", taken, "the band")
    label = value_readers.label(row)
    start = value_readers.amount(row, "from", sample) if row.has("from") else None
    if not row.has("to"):
        row.problem(None, f"the band {quoted(name)} has no 'to'; every band ends, the last one at the longest range")
    upto = value_readers.amount(row, "to", sample, 0)
    ours = row.flag(rulings.OURS, False)
    value = _unless_chapter_only(value_readers.amount(row, "value", sample), sample, VALUE, ours)
    band = Band(name, label, start, upto, value, value_readers.bare_origin(row), ours)
    row.finish()
    return band


def _unless_chapter_only(formula: Expression, sample: Sample, how: str, ours: bool) -> Expression:
    """A formula of what the system does not have, with the ruling that turns it off in it."""
    if not ours or value_readers.is_broken(formula):
        return formula
    return compile_expression(how.format(formula.text), sample)


def _entry_id(entry: Reader, taken: set[str]) -> str:
    """An id for lines of the ledger, unique among bands, modifiers and restrictions: a GM's change finds its line."""
    name = value_readers.hyphened(entry, "id", taken, "the ledger entry")
    taken.add(name)
    return name


def check_single_dice(test: Reader, rules: Ruleset) -> None:
    """Notes when rules read each die of the attack roll and its dice cannot be read one by one."""
    if reads_dice(rules) and single_dice(rules.attack.test.dice) is None:
        message = (
            f"{quoted(rules.attack.test.dice.text)} cannot be read die by die, but {_reader_of_dice(rules)} needs it"
        )
        test.problem("dice", f"{message}; expected plain dice with at most {MOST_OUTCOMES} possible results, like 2d20")


def _reader_of_dice(rules: Ruleset) -> str:
    return (
        f"a test of the kind {quoted(rules.attack.test.kind)}"
        if rules.attack.test.reads_each_die
        else "a rule on die_1"
    )
