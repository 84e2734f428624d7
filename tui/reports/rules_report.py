"""The report on one ruleset: its tables rule by rule, each with its source and our ruling if there is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from engine.battle.wording import ruling_words
from engine.dice.dice_expressions import Dice
from engine.dice.dice_text import number as told_number
from engine.rules.expressions import Expression, Template, shown
from engine.rules.initiative_kinds import Initiative
from engine.rules.model import (
    NEVER,
    SQUARE,
    Action,
    Band,
    Effect,
    Grade,
    NamedFact,
    Ruleset,
    Sheet,
    Value,
    Weapon,
)
from engine.rules.origin import Origin
from engine.rules.reaction_rules import Defence, Reaction
from engine.rules.roll_odds import grade_of
from engine.rules.rulings import Ruling
from engine.rules.sheets import Accessory, Armour
from engine.rules.space_rules import NOTHING, AltitudeBand, BlastZone, BurstRule, Mode, Scatter
from engine.rules.test_kinds import Test
from engine.rules.turn_rules import Moment
from tui.terminal.output import number, wrapped

INDENT = 2
DETAIL = 6

TARGETS = {"enemy": "on an enemy", "ally": "on an ally", "any": "on anybody else", SQUARE: "at a square"}

ALWAYS = "True"
"""The condition of a rule that has none."""


def rules_words(rules: Ruleset) -> list[str]:
    """The whole ruleset for reading: a heading for each table, formulas as they are written."""
    lines = [f"{rules.name} ({rules.id})", *wrapped(rules.summary, 0), ""]
    for heading, paragraphs in _chapters(rules):
        if paragraphs:
            lines += [heading.upper(), *paragraphs, ""]
    return lines[:-1]


def rules_json(rules: Ruleset) -> dict[str, Any]:
    """The whole ruleset for scripts: every table under its own name, formulas as texts, no files."""
    found: dict[str, Any] = _plain(rules)
    del found["texts"]
    distance = found.pop("distance")
    found |= {"distance_origin": distance.pop("origin"), **distance}
    for part in ("units", "gear", "attack", "turns", "space"):
        found |= found.pop(part)
    return found


def _chapters(rules: Ruleset) -> Iterator[tuple[str, list[str]]]:
    yield "Rulings, each to be decided otherwise in one line", _flat(_ruling(each) for each in rules.rulings.values())
    yield "Distance", _distance(rules)
    yield "The roll", _test(rules.attack.test)
    yield (
        "Outcomes, the first that fits",
        _flat(
            _rule(f"{grade.label}{' (a hit)' if grade.is_hit else ''}", _of_grade(grade), grade.origin)
            for grade in rules.attack.grades
        ),
    )
    yield "Range bands", _flat(_bands(rules))
    if rules.space.melee:
        yield (
            "Melee",
            _rule("Enemies that keep one in melee", [_when(rules.space.melee.when)], rules.space.melee.origin),
        )
    if rules.space.sight:
        told = (
            "Bodies of others in the line cover" if rules.space.sight.units_cover else "Bodies of others do not cover"
        )
        yield "Sight", _rule(told, [], rules.space.sight.origin)
    yield (
        "Altitude bands",
        _flat(_rule(f"{band.label}: {_heights(band, rules)}", [], band.origin) for band in rules.space.altitudes),
    )
    yield (
        f"Modifiers, in the order {', '.join(rules.attack.steps)}",
        _flat(
            _rule(
                f"{modifier.label}: {_signed(modifier.value)} ({modifier.step})",
                [_when(modifier.when), f"because: {modifier.because}"],
                modifier.origin,
            )
            for modifier in sorted(rules.attack.modifiers, key=lambda modifier: rules.attack.steps.index(modifier.step))
        ),
    )
    yield (
        "No attack when",
        _flat(
            _rule(verdict.label, [_when(verdict.when), f"because: {verdict.because}"], verdict.origin)
            for verdict in rules.attack.verdicts
        ),
    )
    yield "Facts of its own", _flat(_named_fact(fact) for fact in rules.attack.facts)
    if rules.attack.strikes:
        head = f"{rules.attack.strikes.label}: {rules.attack.strikes.count} times"
        onto = rules.attack.strikes.onto
        details = [f"what the fallen leave goes to others, {onto} {rules.distance.unit} off at most"] if onto else []
        if rules.attack.strikes.shares.text != NEVER.text:
            details.append(f"given to such others in advance where {rules.attack.strikes.shares}")
        yield "How often a hit strikes", _rule(head, details, rules.attack.strikes.origin)
    yield "What follows from a roll", _flat(_effect(effect, rules) for effect in rules.attack.effects)
    yield "What happens by itself", _flat(_moment(moment, rules) for moment in rules.turns.moments)
    yield "Actions", _flat(action_words(action, rules) for action in rules.actions.values())
    yield "Throws that stray, the first that fits", _flat(_scatter(scatter) for scatter in rules.space.scatters)
    yield "Rings of a burst", _flat(_zone(zone, rules) for zone in rules.space.zones)
    if rules.space.burst:
        yield "Who is in the blast radius", _burst(rules.space.burst, rules)
    yield "How units get about, the first that holds", _flat(_mode(mode) for mode in rules.space.modes)
    yield "What moves and attacks draw from enemies", _flat(_reaction(each, rules) for each in rules.turns.reactions)
    yield "Defences against an attack that is rolled", _flat(_defence(each, rules) for each in rules.attack.defences)
    yield "Initiative", _initiative(rules.turns.initiative)
    yield "Out of the fight", wrapped(f"when {rules.units.defeated}", INDENT, DETAIL)
    yield (
        "Numbers that change",
        _flat(_rule(f"{pool.label}: {pool.start}", [], pool.origin) for pool in rules.units.pools.values()),
    )
    yield (
        "Numbers that follow from others",
        _flat(_rule(f"{one.label}: {one.value}", [], one.origin) for one in rules.units.derived.values()),
    )
    yield (
        "What a turn has to spend",
        _flat(
            _rule(f"{budget.label}: {budget.start}, refilled at the {budget.refills}", [], budget.origin)
            for budget in rules.units.budgets.values()
        ),
    )
    yield (
        "Conditions",
        _flat(
            _rule(
                f"{condition.label}{f', shown as {condition.mark}' if condition.mark else ''}, until {condition.until}",
                [
                    *([f"about a {condition.about}"] if condition.about else []),
                    *([f"while any {rules.units.budgets[condition.holds].label} is left"] if condition.holds else []),
                ],
                condition.origin,
            )
            for condition in rules.units.conditions.values()
        ),
    )
    yield "Weapons", _flat(_weapon(weapon, rules) for weapon in rules.gear.weapons.values())
    yield "Armour", _flat(_worn(suit, [_stats(suit.stats, rules)]) for suit in rules.gear.armour.values())
    yield "Accessories", _flat(_worn(one, _accessory(one, rules)) for one in rules.gear.accessories.values())
    yield "Sheets", _flat(_sheet(sheet, rules) for sheet in rules.units.sheets.values())


def _distance(rules: Ruleset) -> list[str]:
    rounding = "exact" if rules.distance.rounding == "exact" else f"rounded {rules.distance.rounding}"
    squares = "" if rules.distance.square is None else f", squares of {told_number(rules.distance.square)}"
    return _rule(f"in {rules.distance.unit}{squares}, {rules.distance.metric}, {rounding}", [], rules.distance.origin)


def _test(test: Test) -> list[str]:
    text = test.describe()
    return _rule(text.words.format(**text.gaps), text.details, test.origin)


def _named_fact(fact: NamedFact) -> list[str]:
    when = "before the roll" if fact.after == "situation" else "after the roll"
    return _rule(f"{fact.label} ({fact.id}), {when}{', told' if fact.is_told else ''}", [str(fact.value)], fact.origin)


def _bands(rules: Ruleset) -> Iterator[list[str]]:
    for bands in rules.attack.bands:
        yield wrapped(f"{bands.label}: {_when(bands.when)}", INDENT, DETAIL)
        for band in bands.bands:
            yield _rule(f"{band.label}: {_extent(band)}, counts {band.value}", [], band.origin, INDENT + 2)
        yield wrapped(f"further: no attack, {bands.beyond}", INDENT + 2, DETAIL + 2)


def _extent(band: Band) -> str:
    return f"up to {band.upto}" if band.start is None else f"from {band.start} up to {band.upto}"


def _heights(band: AltitudeBand, rules: Ruleset) -> str:
    start = told_number(band.start)
    return (
        f"from {start} {rules.distance.unit} up"
        if band.upto is None
        else f"{start} to {told_number(band.upto)} {rules.distance.unit}"
    )


def _effect(effect: Effect, rules: Ruleset, indent: int = INDENT) -> list[str]:
    after = f"{', '.join(effect.on)}{', once' if effect.is_once else ''}: " if effect.on else ""
    condition = [_when(effect.when)] if effect.when.text != ALWAYS else []
    return _rule(f"{after}{_deed(effect, rules)}", condition, effect.origin, indent)


def _deed(effect: Effect, rules: Ruleset) -> str:
    """What an effect does, in words."""
    text = effect.describe()
    gaps = {gap: _named(gap, said, rules) for gap, said in text.gaps.items()}
    return f"{effect.label}: {text.words.format(whom=effect.whom, unit=rules.distance.unit, **gaps)}"


def _named(gap: str, said: str, rules: Ruleset) -> str:
    """What stands in a gap of a rule's words: the label of what it names, else the text itself."""
    match gap:
        case "grade":
            return grade_of(rules, said).label
        case "pool":
            held = rules.units.pools.get(said) or rules.units.budgets.get(said)
            return held.label if held else said
        case "condition" if said in rules.units.conditions:
            return rules.units.conditions[said].label
    return said


def action_words(action: Action, rules: Ruleset) -> list[str]:
    """One action as it is written: what it costs and asks, and what follows from it."""
    costs = _costs(action.cost, rules)
    details = [f"costs {costs}" if costs else "costs nothing"]
    if action.is_instant:
        details.append("at any time, in others' turns too")
    if action.weapons:
        those = f" for which {action.fits}" if action.fits else ""
        details.append(f"with {', '.join(action.weapons)} weapons{those}")
    if action.is_at_round_end:
        details.append("declared now, walked when the round ends, with all others")
    if action.after_moves:
        details.append("after those moves, by one who walked so")
    if action.target:
        details.append(TARGETS[action.target])
    if action.ammo:
        details.append(f"rounds: {action.ammo}")
    if action.cone:
        details.append(f"strikes everybody seen in a cone of {action.cone.arc} degrees, {action.cone.length} long")
    if action.distance:
        details.append(f"distance: {action.distance} {rules.distance.unit}")
    if action.altitude_bands is not None:
        details.append(f"a flyer changes {action.altitude_bands} altitude bands at most")
    details += [f"needs {need.holds} (else: {need.reason})" for need in action.requires]
    lines = _rule(f"{action.label} ({action.kind}, {action.id})", details, action.origin)
    return lines + _flat(_effect(effect, rules, DETAIL) for effect in action.effects)


def _ruling(ruling: Ruling) -> list[str]:
    choices = f", one of {', '.join(map(ruling_words, ruling.choices))}" if ruling.choices else ""
    head = f"{ruling.label}: {ruling.id} = {ruling_words(ruling.value)}{choices}"
    return _rule(head, [f"because {ruling.because}"], ruling.origin)


def _initiative(asked: Initiative) -> list[str]:
    details = [f"score {asked.score}, with the bonus {asked.bonus}" if asked.score else f"plus {asked.bonus}"]
    if asked.ties:
        details.append(f"ties go by {asked.ties}")
    if asked.tie_dice:
        details.append(f"whoever is tied still rolls {asked.tie_dice}")
    if asked.declares:
        details.append("each declares what it will do; who does not attacks with what it holds")
    return _rule(f"{asked.dice} for each {asked.rolled_for}, once a {asked.every}", details, asked.origin)


def _costs(cost: Mapping[str, Expression], rules: Ruleset) -> str:
    """What is taken from which budget, in words; "" for nothing."""
    return ", ".join(
        f"{amount} {rules.units.budgets[budget].label if budget in rules.units.budgets else budget}"
        for budget, amount in cost.items()
    )


def _moment(moment: Moment, rules: Ruleset) -> list[str]:
    lines = _rule(f"{moment.label}: {moment.at}", [_when(moment.when)], moment.origin)
    return lines + _flat(_effect(effect, rules, DETAIL) for effect in moment.effects)


def _scatter(scatter: Scatter) -> list[str]:
    details = [_when(scatter.when), f"from the {'thrower' if scatter.at == 'attacker' else 'point aimed at'}"]
    if scatter.dice:
        rolls: dict[str, list[str]] = {}
        for total, way in scatter.towards.items():
            rolls.setdefault(way, []).append(str(total))
        ways = [f"{way} {rows[0]}" + (f"–{rows[-1]}" if len(rows) > 1 else "") for way, rows in rolls.items()]
        details.append(f"direction {scatter.dice}: {', '.join(ways)}")
        far = scatter.distance.text.strip("'")
        plus = "" if scatter.plus.text == "0" else f", plus {scatter.plus}"
        again = f"; {scatter.again_distance.text.strip(chr(39))} after another roll" if scatter.again_distance else ""
        details.append(f"distance {far}{plus}{' squares' if scatter.in_squares else ''}{again}")
    return _rule(f"{', '.join(scatter.on)}: {scatter.label}", details, scatter.origin)


def _zone(zone: BlastZone, rules: Ruleset) -> list[str]:
    head = f"{zone.label}: up to {zone.radius} {rules.distance.unit}, share of the effect {zone.share}"
    return _rule(head, [], zone.origin)


def _burst(burst: BurstRule, rules: Ruleset) -> list[str]:
    details = []
    if burst.smoke.text != NOTHING.text:
        details.append(f"smoke: radius {burst.smoke} {rules.distance.unit}, for {burst.smoke_rounds} rounds")
    return _rule(f"hit as by “{grade_of(rules, burst.grade).label}”", details, burst.origin)


def _mode(mode: Mode) -> list[str]:
    usual = Mode(mode.id, mode.label, mode.when, mode.origin)
    told = [
        f"{name.replace('_', ' ')} {told_number(value)}"
        for name in ("pace", "climb_cost", "drop_cost", "walks", "climbs", "drops", "door_cost", "lift_cost")
        if (value := getattr(mode, name)) != getattr(usual, name)
    ]
    told += [f"{terrain} {told_number(cost)}" for terrain, cost in mode.terrain.items()]
    told += [f"not {terrain}" for terrain in mode.shut]
    return _rule(f"{mode.label} ({mode.id}): {_when(mode.when)}", ["; ".join(told)] if told else [], mode.origin)


def _reaction(reaction: Reaction, rules: Ruleset) -> list[str]:
    details = [_when(reaction.when)]
    if reaction.except_actions:
        details.append(f"not drawn by {', '.join(reaction.except_actions)}")
    costs = _costs(reaction.cost, rules)
    named = rules.actions.get(reaction.attack)
    attack = f"“{named.label}”" if named else "the attack declared" if reaction.attack else "any attack"
    details.append(f"{attack}, {f'costs {costs}' if costs else 'costs nothing'}")
    lines = _rule(f"{reaction.label}, drawn by whoever {reaction.trigger}", details, reaction.origin)
    return lines + _flat(_effect(effect, rules, DETAIL) for effect in (*reaction.race, *reaction.effects))


def _of_grade(grade: Grade) -> list[str]:
    return [_when(grade.when), *(() if grade.goes_off else ("what bursts does not go off",))]


def _defence(defence: Defence, rules: Ruleset) -> list[str]:
    near = "" if defence.within is None else f" within {told_number(defence.within)} {rules.distance.unit}"
    who = "the target" if defence.by == "target" else f"an ally of the target{near}"
    costs = _costs(defence.cost, rules)
    details = [_when(defence.when), f"costs {costs}" if costs else "costs nothing"]
    if defence.counter:
        how = "rolled before anything follows from either" if defence.is_together else "after it"
        answer = rules.actions[defence.counter].label if defence.counter in rules.actions else defence.counter
        details.append(f"answers with “{answer}” {_when(defence.counter_when)}, {how}")
    if defence.redirects:
        details.append("takes the attack upon itself where redirected is true")
    lines = _rule(f"{', '.join(defence.on)}: {defence.label} ({defence.id}), by {who}", details, defence.origin)
    return lines + _flat(_effect(effect, rules, DETAIL) for effect in defence.effects)


def _weapon(weapon: Weapon, rules: Ruleset) -> list[str]:
    held = {**rules.gear.weapon_fields, **weapon.fields}
    told = [f"{name} {_told(value)}" for name, value in held.items() if value != rules.gear.weapon_fields.get(name)]
    return _rule(f"{weapon.label} ({weapon.id}, {weapon.kind})", [", ".join(told)] if told else [], weapon.origin)


def _sheet(sheet: Sheet, rules: Ruleset) -> list[str]:
    carries = [rules.gear.weapons[weapon].label if weapon in rules.gear.weapons else weapon for weapon in sheet.weapons]
    worn = ", ".join(filter(None, (sheet.armour, *sheet.accessories)))
    details = [f"carries {', '.join(carries) or 'nothing'}; wears {worn or 'nothing'}", _stats(sheet.stats, rules)]
    return _rule(f"{sheet.label} ({sheet.role})", details, sheet.origin)


def _worn(worn: Armour | Accessory, told: Iterable[str]) -> list[str]:
    return _rule(f"{worn.label} ({worn.id})", filter(None, told), worn.origin)


def _accessory(worn: Accessory, rules: Ruleset) -> list[str]:
    adds = _stats(worn.adds, rules)
    return [f"adds {adds}" if adds else "", _stats(worn.stats, rules)]


def _stats(stats: Mapping[str, Value], rules: Ruleset) -> str:
    known = {name: value for name, value in stats.items() if name in rules.units.stats}
    return "; ".join(f"{rules.units.stats[name].label}: {_told(value)}" for name, value in known.items())


def _rule(head: str, details: Iterable[str], origin: Origin, indent: int = INDENT) -> list[str]:
    lines = wrapped(head, indent, indent + 4)
    for detail in details:
        lines += wrapped(detail, indent + 4, indent + 6)
    lines += wrapped(f"source: {origin.source}", indent + 4, indent + 6)
    if origin.ruling:
        lines += wrapped(f"ruling: {origin.ruling}", indent + 4, indent + 6)
    return lines


def _when(condition: Expression) -> str:
    return "always" if condition.text == ALWAYS else f"when {condition}"


def _signed(formula: Expression) -> str:
    """A plain number with its sign, a formula as it is."""
    text = formula.text
    return f"+{text}" if text.isdecimal() and text != "0" else text


def _told(value: Value) -> str:
    return shown(value) if isinstance(value, bool | str) else told_number(value)


def _flat(paragraphs: Iterable[list[str]]) -> list[str]:
    return [line for paragraph in paragraphs for line in paragraph]


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
