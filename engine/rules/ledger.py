"""Ledger of an attack: every number that counts, with its reason and source, and any rule that forbids it.

The panel, the log, the command line and the odds all read the ledger made here; nothing else adds modifiers up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from engine.bounds import Id, Text
from engine.rules.expressions import shown
from engine.rules.formula_values import number
from engine.rules.model import Band, BandTable, Modifier, Restriction, Ruleset, Value
from engine.values import Number, Stored, replace

GM = "GM"
RULE = "rule"
DIFFICULTY = "difficulty"
"""What an entry changes that counts for the number to beat, not for the roll."""
UNIT_SIGNS = {"feet": "ft", "metres": "m", "squares": "squares"}


class Entry(Stored, frozen=True):
    """One line of a ledger. The entry of a restriction counts no number: it forbids the attack."""

    id: Id
    step: Id
    label: Text
    value: Number
    because: Text
    source: Text
    ruling: Id = ""
    author: Id = RULE
    active: bool = True
    forbids: bool = False
    of: Id = ""
    """DIFFICULTY where it changes the number to beat; "" for the roll."""

    @property
    def is_idle(self) -> bool:
        """Whether it only says that something changes nothing."""
        return not self.value and not self.forbids and self.active and self.author != GM


class Adjustment(Stored, frozen=True):
    """GM modifier: switches an entry off, changes its value, or adds an entry.

    `entry` is the id of a rule's entry, or an id of its own for an added line. It holds for one attack, in this turn,
    unless pinned.
    """

    entry: Id
    label: Text = ""
    value: Number | None = None
    active: bool = True
    note: Text = ""
    is_pinned: bool = False


class Ledger(Struct, frozen=True):
    """All entries in the ruleset's order, and their total."""

    entries: tuple[Entry, ...]
    band: str
    """Id of the range band that applies; "" for none."""
    band_label: str
    target_number: Number
    """What the roll is compared with."""
    band_number: int = 0
    """How many bands of its table are nearer."""
    beats: Number = 0
    """What a die that is read apart must be more than to be of use; 0 where nothing says so."""
    noted: tuple[str, ...] = ()
    """Ids of entries that are shown though they change no number: what they say counts."""

    @property
    def band_facts(self) -> dict[str, Value]:
        """What rules may ask of the band that applies (BAND_FACTS)."""
        return {"band": self.band, "band_number": self.band_number}

    @property
    def total(self) -> Number:
        """Sum of the entries that count for the roll."""
        return total(self.entries)

    @property
    def difficulty_change(self) -> Number:
        """Sum of the entries that count for the number to beat."""
        return total(self.entries, DIFFICULTY)

    @property
    def forbidden(self) -> Entry | None:
        """The first entry that forbids the attack; None when it is possible."""
        return next((entry for entry in self.entries if entry.forbids and entry.active), None)

    @property
    def is_possible(self) -> bool:
        return self.forbidden is None

    @property
    def numbered(self) -> tuple[Entry, ...]:
        """The entries in the order of their numbers, from 1: those without effect last, but for the base."""
        return tuple(sorted(self.entries, key=self.is_without_effect))

    def is_without_effect(self, entry: Entry) -> bool:
        """Whether an entry only says that it has no effect."""
        return entry.is_idle and entry.step != self.entries[0].step and entry.id not in self.noted


def itemise(
    rules: Ruleset, facts: Mapping[str, Value], adjustments: Iterable[Adjustment] = (), *, tells: bool = True
) -> Ledger:
    """The ledger of one attack.

    Args:
        rules: the ruleset.
        facts: the situation (see `facts`), without `band`, which is found here.
        adjustments: the GM's changes, in the order she made them.
        tells: whether the entries of modifiers have their reasons.
    """
    bare, facts, entries = _banded(rules, facts)
    changed = _changed(rules, facts)
    # whether one counts is asked of its part: for yes or no that is `evaluate`, and there are fifty of them
    counted = [modifier for modifier in rules.attack.modifiers if modifier.when.compiled().run(facts)]
    entries += [_entry(modifier, facts, changed, tells=tells) for modifier in counted]
    bare = replace(bare, noted=tuple(modifier.id for modifier in counted if modifier.note is not None))
    entries += _restrictions(rules, facts, changed)
    return with_entries(rules, facts, bare, _in_order(rules, adjust(entries, adjustments)))


def prohibition(rules: Ruleset, facts: Mapping[str, Value], adjustments: Iterable[Adjustment] = ()) -> Entry | None:
    """The entry that forbids an attack, as `forbidden` of its ledger, which is not made; None when it is possible.

    Args:
        rules, facts, adjustments: as for `itemise`.
    """
    _, facts, bands = _banded(rules, facts)
    entries = [*(band for band in bands if band.forbids), *_restrictions(rules, facts, _changed(rules, facts))]
    in_order = _in_order(rules, adjust(entries, adjustments)) if entries else ()
    return next((entry for entry in in_order if entry.forbids and entry.active), None)


def with_band(rules: Ruleset, facts: Mapping[str, Value]) -> dict[str, Value]:
    """The facts of an attack with the range band that applies."""
    return _banded(rules, facts)[1]


def _banded(rules: Ruleset, facts: Mapping[str, Value]) -> tuple[Ledger, dict[str, Value], list[Entry]]:
    """A ledger without entries but with its range band, the facts with that band, and the entries of range bands."""
    bare = Ledger((), "", "", 0)
    known = {**facts, **bare.band_facts}
    entries: list[Entry] = []
    for table in rules.attack.bands:
        if table.when.evaluate(known):
            entry, found = _band_entry(rules, table, known)
            entries.append(entry)
            if found and not bare.band:
                bare = replace(bare, band=found.id, band_label=found.label, band_number=table.bands.index(found))
                known |= bare.band_facts
    return bare, known, entries


def _restrictions(rules: Ruleset, facts: Mapping[str, Value], changed: Mapping[str, str]) -> list[Entry]:
    """The entries of the restrictions that hold."""
    held = (one for one in rules.attack.restrictions if one.when.compiled().run(facts))
    return [_entry(restriction, facts, changed) for restriction in held]


def _in_order(rules: Ruleset, entries: list[Entry]) -> list[Entry]:
    """The entries in the order of the ruleset's steps."""
    if len(entries) > 1:
        order = {step: position for position, step in enumerate(rules.attack.steps)}
        entries.sort(key=lambda entry: order.get(entry.step, len(order)))
    return entries


def with_entries(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger, entries: Sequence[Entry]) -> Ledger:
    """The same ledger with other entries, and their target number."""
    facts = {**facts, **ledger.band_facts}
    test, change = rules.attack.test, total(entries, DIFFICULTY)
    target, beats = test.target_number(total(entries), facts, change), test.least(facts, change)
    return replace(ledger, entries=tuple(entries), target_number=target, beats=beats)


def total(entries: Iterable[Entry], of: str = "") -> Number:
    """Sum of the entries that count, for the roll or for the number to beat."""
    return sum((entry.value for entry in entries if entry.active and entry.of == of), start=0)


def adjust(entries: Sequence[Entry], adjustments: Iterable[Adjustment]) -> list[Entry]:
    """Entries with the GM's modifiers; a changed entry is the GM's and names the rule's own value."""
    changed = list(entries)
    for adjustment in adjustments:
        position = next((i for i, entry in enumerate(changed) if entry.id == adjustment.entry), None)
        if position is None:
            if adjustment.value is not None:
                changed.append(
                    Entry(
                        adjustment.entry,
                        "",
                        adjustment.label or "GM",
                        adjustment.value,
                        "set by the GM" if adjustment.note in ("", adjustment.label) else adjustment.note,
                        "GM ruling",
                        author=GM,
                        active=adjustment.active,
                    )
                )
            continue
        entry = changed[position]
        value = entry.value if adjustment.value is None or entry.forbids else adjustment.value
        because = adjustment.note or (entry.because if adjustment.active else f"ignored ({entry.because})")
        if value != entry.value:
            because = f"{because} (rule: {float(entry.value):+g})"
        changed[position] = replace(entry, value=value, active=adjustment.active, because=because, author=GM)
    return changed


def _changed(rules: Ruleset, facts: Mapping[str, Value]) -> dict[str, str]:
    """Rulings that the GM has changed: the note for each, where a rule asks for it."""
    found: dict[str, str] = {}
    for ruling in rules.rulings.values():
        now = facts.get(f"ruling.{ruling.id}", ruling.value)
        if now != ruling.value:
            found[f"ruling.{ruling.id}"] = f"ruling changed from {shown(ruling.value)}"
    return found


def _entry(
    rule: Modifier | Restriction, facts: Mapping[str, Value], changed: Mapping[str, str], *, tells: bool = True
) -> Entry:
    value: Number = number(rule.value, facts) if isinstance(rule, Modifier) else 0
    because, origin = rule.because.render(facts) if tells else "", rule.origin
    if changed and tells:
        asked = rule.when.names | (rule.value.names if isinstance(rule, Modifier) else frozenset())
        because = "; ".join([because, *(said for name, said in changed.items() if name in asked)])
    return Entry(
        rule.id,
        rule.step,
        rule.label,
        value,
        because,
        origin.source,
        origin.ruling,
        forbids=isinstance(rule, Restriction),
        of=rule.of if isinstance(rule, Modifier) else "",
    )


def band_at(table: BandTable, facts: Mapping[str, Value]) -> tuple[Band, Number, Number] | None:
    """The band that the fact `distance` falls into, with its first and last distance; None past the last band."""
    distance = facts["distance"]
    below: Number = -1
    for band in table.bands:
        upto = number(band.upto, facts)
        first = below + 1 if band.start is None else number(band.start, facts)
        if isinstance(distance, (int, Fraction)) and distance <= upto:
            return band, max(0, first), upto
        below = upto
    return None


def _band_entry(rules: Ruleset, table: BandTable, facts: Mapping[str, Value]) -> tuple[Entry, Band | None]:
    unit = UNIT_SIGNS[rules.distance.ranges]
    found = band_at(table, facts)
    if found is None:
        source = table.bands[-1].origin.source
        because = table.beyond.render(facts)
        return Entry(f"{table.id}.beyond", table.step, table.label, 0, because, source, forbids=True), None
    band, first, upto = found
    edges = f"up to {shown(upto)} {unit}" if not first else f"{shown(first)}–{shown(upto)} {unit}"
    entry = Entry(
        f"{table.id}.{band.id}",
        table.step,
        table.label,
        number(band.value, facts),
        f"{shown(facts['distance'])} {unit}, {band.label} ({edges})",
        band.origin.source,
        band.origin.ruling,
    )
    return entry, band
