"""What the library shows of a character and of a party beside its list. Rows of text, without Textual's widgets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from textual.content import Content

from engine.battle.gear import accessories_of, armour_of, sheet_of, weapon_label
from engine.battle.setup import pools_of
from engine.battle.state.characters import Character
from engine.battle.state.units import Unit
from engine.dice.dice_text import number
from engine.rules.expressions import shown
from engine.rules.model import Ruleset
from rulesets.characters import fresh
from tui.application.library.character_files import Party
from tui.application.library.new_encounter import Side, health_of
from tui.view.panels.styled_text import join, plain

MOST_STATS = 30


def party_rows(side: Side) -> Iterator[Content]:
    """The members of a party: letter and name, below them the first vital pool and the weapon in hand."""
    for sheet, unit in zip(side.members, side.units, strict=True):
        yield join([plain(f"{letter_of(sheet)}  ", "bold $side-0"), plain(sheet.name, "bold")])
        yield plain(f"   {health_of(unit, side.rules)} · {weapon_label(side.rules, unit) or 'no weapon'}", "$muted")


def character_rows(own: Character, rules: Ruleset, parties: Iterable[Party]) -> Iterator[Content]:
    """A character or stat block: letter, pools, weapons, armour, conditions, notes, and its own stats; not wrapped."""
    kind = "stat block" if own.is_opponent else "character"
    yield join([plain(f"{letter_of(own)}  ", "bold $side-0"), plain(own.name, "bold"), plain(f"  {kind}", "$muted")])
    inside = [party.name for party in parties if own.file in party.characters]
    if inside:
        yield plain(f"   in {', '.join(inside)}", "$muted")
    yield plain("")
    yield from unit_rows(fresh(own, rules), rules)
    for paragraph in own.notes.splitlines():
        yield plain(paragraph, "$muted")


def unit_rows(unit: Unit, rules: Ruleset) -> Iterator[Content]:
    """A unit's pools, weapons, armour, conditions and own stats; not wrapped."""
    full, sheet = pools_of(rules, unit), sheet_of(rules, unit)
    for id, pool in rules.units.pools.items():
        now, most = unit.pools.get(id, 0), full[id]
        if most:
            tone = "bold $warn" if now < most else ""
            yield join([plain(f"{pool.label}  "), plain(f"{now}/{number(Fraction(most))}", tone)])
    yield plain("")
    fitted: dict[str, list[str]] = {}
    for condition in unit.conditions:
        if (weapon := unit.about.get(condition, "")) in unit.gear.weapons:
            fitted.setdefault(weapon, []).append(rules.units.conditions[condition].label)
    for place, weapon in enumerate(unit.gear.weapons):
        loaded = f", {unit.gear.rounds[weapon]} rounds" if weapon in unit.gear.rounds else ""
        with_it = f", {', '.join(fitted[weapon])}" if weapon in fitted else ""
        yield plain(f"{rules.gear.weapons[weapon].label}{loaded}{with_it}", "" if place else "bold")
    if not unit.gear.weapons:
        yield plain("no weapon", "$muted")
    worn = [rules.gear.armour[armour].label] if (armour := armour_of(rules, unit)) in rules.gear.armour else []
    worn += [rules.gear.accessories[id].label for id in accessories_of(rules, unit)]
    if worn:
        yield plain(f"Wears {', '.join(worn)}")
    states = [
        rules.units.conditions[id].label for id in unit.conditions if unit.about.get(id, "") not in unit.gear.weapons
    ]
    if states:
        yield plain(f"Is {', '.join(states)}", "$warn")
    stats = ((rules.units.stats[id].label, value) for id, value in sheet.own.items() if id in rules.units.stats)
    stated = [label if value is True else f"{label} {shown(value)}" for label, value in stats if value is not False]
    if stated:
        yield plain("")
        yield plain(" · ".join(stated[:MOST_STATS]))


def letter_of(own: Character) -> str:
    """The letter that a character asks for, or the first one of its name."""
    return own.letter or own.name[:1].upper()
