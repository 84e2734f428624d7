"""A whole ruleset from its three documents: each reader reads its tables, and what only all of them know is checked."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.geometry.metric import METRICS
from engine.rules.model import ROUNDINGS, AttackRules, Distances, GearRules, Ruleset, SpaceRules, TurnRules, UnitRules
from engine.toml_reader import Document
from rulesets import (
    actions,
    armoury,
    attacks,
    checks,
    declarations,
    derived_facts,
    effects,
    enumerations,
    movement,
    reactions,
    rulings,
    scatter,
    sentences,
    sheets,
    sight_and_altitude,
    triggers,
    value_readers,
)
from rulesets.vocabulary import read_defended, read_flags, read_weapon_fields, vocabulary

UNITS = ("feet", "metres", "squares")
FORMAT = 1
SMALLEST_SQUARE = Fraction(1, 100)


def read_whole(documents: list[Document], texts: Mapping[str, str], for_author: bool = True) -> Ruleset:
    """The ruleset; what could not be read is noted in the documents and stands in harmlessly here.

    With `for_author`, what takes long to find is noted too: comparisons that never hold, weapons without bands or dice.
    """
    rules, weapons, people = documents
    root = rules.root
    root.whole("format", least=FORMAT, most=FORMAT)
    distance = root.table("distance")
    names = declarations.read_names(root)
    fields, flags = read_weapon_fields(root), read_flags(root)
    sight, defended = sight_and_altitude.read_sight(root), read_defended(root)
    decided = rulings.read_rulings(root) | sight_and_altitude.sight_rulings(sight)
    declared = (names.stats, names.pools, names.budgets, names.conditions)
    words = vocabulary(*declared, fields, flags, decided, defended)
    derived, words = declarations.read_derived(root, words)
    named_facts, words = derived_facts.read_facts(root, words)
    names = declarations.read_formulas(root, names, words)
    steps = attacks.read_steps(root)
    magazine = root.text("magazine_field", "")
    if magazine and (magazine not in fields or value_readers.kind(fields[magazine]) != "a number"):
        root.problem("magazine_field", f"magazine_field = {magazine!r} is not a weapon field with a number")
        magazine = ""
    test = attacks.read_test(root, words.attack)
    grades = attacks.read_grades(root, words.rolled)
    taken: set[str] = set()
    bands = attacks.read_bands(root, steps, words, taken)
    after_roll = root.tables("effect")
    consequences = effects.read_effects(after_roll, effects.Stage(words.struck, grades, "target"), names)
    frame = actions.Frame(names, words)
    acts = actions.read_actions(root, frame)
    declarations.check_actions(root, acts)
    store = armoury.read_armoury(weapons, fields, magazine, names.stats)
    actions.check_letters(root, acts, store.weapons, fields)
    roles = sheets.read_sheets(people.root, names.stats, names.pools, store, words.start)
    unit = distance.text("unit", choices=UNITS)
    rounding = distance.text("rounding", choices=ROUNDINGS)
    square = distance.number("square", least=SMALLEST_SQUARE) if distance.has("square") else None
    if square is not None and unit == "squares":
        distance.problem("square", "square has no meaning where unit is 'squares'; remove it")
    rings = scatter.read_zones(root, words)
    defeated, defeat_label, defeat_because = declarations.read_defeat(root, words.unit)
    ruleset = Ruleset(
        id=value_readers.hyphened(root, "id", (), "the ruleset"),
        name=value_readers.label(root, "name"),
        summary=root.text("summary", most=value_readers.MOST_TEXT),
        distance=Distances(
            unit=unit,
            ranges=distance.text("ranges", choices=UNITS) if distance.has("ranges") else unit,
            metric=distance.text("metric", choices=METRICS),
            rounding=rounding,
            blasts=distance.text("blasts", rounding, choices=ROUNDINGS),
            square=square,
            origin=value_readers.origin(distance),
        ),
        attack=AttackRules(
            steps=steps,
            test=test,
            grades=grades,
            bands=tuple(read.table for read in bands),
            modifiers=attacks.read_modifiers(root, steps, words.attack, taken, test),
            restrictions=attacks.read_restrictions(root, steps, words.attack, taken),
            effects=consequences,
            defences=reactions.read_defences(root, frame, acts, grades),
            defence_facts={"defence": "", **dict.fromkeys(defended, 0)},
            facts=named_facts,
            strikes=derived_facts.read_strikes(root, words.graded, words.situation),
            critical_label=root.text("critical_label", "critical", most=value_readers.MOST_LABEL),
        ),
        units=UnitRules(
            stats=names.stats,
            pools=names.pools,
            budgets=names.budgets,
            conditions=names.conditions,
            sheets=roles,
            defeated=defeated,
            defeat_label=defeat_label,
            defeat_because=defeat_because,
            derived=derived,
        ),
        gear=GearRules(
            weapon_fields=fields,
            weapons=store.weapons,
            magazine_field=magazine,
            armour=store.armour,
            accessories=store.accessories,
            innate_weapons=sheets.read_innate(root, store) if root.has("innate_weapons") else (),
            weapon_summary=store.summary,
        ),
        actions=acts,
        turns=TurnRules(
            initiative=declarations.read_initiative(root, words),
            triggers=triggers.read_triggers(root, words, names),
            reactions=reactions.read_reactions(root, frame, acts),
        ),
        space=SpaceRules(
            full_cover=Fraction(root.whole("full_cover", 100, least=1, most=100), 100),
            melee=reactions.read_melee(root, words.unit),
            sight=sight,
            altitudes=sight_and_altitude.read_altitudes(root),
            scatters=scatter.read_scatters(root, words, grades),
            zones=rings,
            burst=scatter.read_burst(root, words, grades, bool(rings)),
            modes=movement.read_modes(root, words.unit),
        ),
        texts=texts,
        rulings=decided,
    )
    distance.finish()
    root.finish()
    attacks.check_single_dice(root.table("test"), ruleset)
    if for_author:
        sound = {name: weapon for name, weapon in store.weapons.items() if name in store.entries}
        cases = checks.Cases(words.struck, sound, acts, roles, named_facts)
        checks.check_bands(bands, cases, ruleset.distance.ranges, rounding != "exact")
        checks.check_dice(list(zip(consequences, after_roll, strict=True)), grades, cases, store.entries)
        checks.check_scatter(
            list(zip(ruleset.space.scatters, root.tables("scatter"), strict=True)), cases, store.entries
        )
        enumerations.check_words(documents, ruleset)
        sentences.check_sentences(rules)
    return ruleset
