"""The report on one attack: the ledger line by line, what to roll, and the exact chance of every outcome.

It asks the same `consider` as the board does, on the battle asked about or, for a map, on one that has just begun:
the attacker's turn, everything fresh.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from engine.battle.apply import apply_all
from engine.battle.attacks.area_odds import friends_at_risk, with_odds
from engine.battle.attacks.attack_preview import (
    AreaRisk,
    AttackPreview,
    DamageOdds,
    DefendedDamageOdds,
    aim_of,
    consider,
)
from engine.battle.attacks.effect_analysis import damage_pools
from engine.battle.attacks.open_defences import with_open_defences
from engine.battle.attacks.scatter import has_scatter
from engine.battle.attacks.split_hits import Share, check_share, shared_chances, with_share
from engine.battle.command import Attack
from engine.battle.magazines import magazine
from engine.battle.narration.preview_text import (
    RARE,
    answers_words,
    beside_chance,
    catches,
    friend_words,
    roll_needed,
    shared_words,
    to_roll,
    verdict,
    wounding_misses,
)
from engine.battle.setup import begin, set_up
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.dice.dice_text import number as number_text
from engine.dice.dice_text import percent, percents, signed
from engine.errors import BattleboardError, Unknown
from engine.rules.derived_facts import logged_facts
from engine.rules.expressions import shown
from engine.rules.ledger import UNIT_SIGNS, Entry
from engine.rules.model import Grade, Ruleset, Value
from engine.rules.roll_odds import worths
from engine.tactics.own_turn import in_own_turn
from engine.text import upper_first
from engine.values import replace
from tui.application.library.character_files import with_characters
from tui.application.reports.endpoints import End, find_end
from tui.application.reports.fact_overrides import read_settings
from tui.application.reports.report_scene import Scene
from tui.application.reports.sight_report import blocker_json
from tui.application.terminal.output import exact, hanging_table, number, table, wrapped

UNBROKEN = "\N{NO-BREAK SPACE}"
SEED = "odds"
"""Nothing is rolled; a battle needs one."""


class OddsQuery(Struct, frozen=True):
    """Who attacks whom with what, as the command line says it; empty texts leave the choice to the ruleset."""

    attacker: str
    target: str
    weapon: str = ""
    action: str = ""
    settings: Sequence[str] = ()
    share: Share = ()
    """Hits of it that go to others than the target."""


class OddsReport(Struct, frozen=True):
    """The shot asked for, and what was set by hand."""

    rules: Ruleset
    attacker: End
    target: End
    shot: AttackPreview
    set_by_hand: Mapping[str, Value] = {}
    friends: Sequence[tuple[Unit, Fraction]] = ()
    """Units of the attacker's side that the attack may strike, each with the chance to be in its area."""
    is_ahead: bool = False
    """Whether it is the attacker's next turn that is looked at: it is somebody else's now."""


def preview_odds(scene: Scene, rules: Ruleset, question: OddsQuery) -> OddsReport:
    """What an attack would be.

    Any weapon of the ruleset may be named, whether or not the attacker's sheet has it.

    Raises:
        Unknown: no such unit, square, weapon, action or fact.
        BattleboardError: the attacker is a square, or the attack fits no weapon.
    """
    attacker, target = find_end(scene.map, question.attacker), find_end(scene.map, question.target)
    if attacker.unit is None:
        raise BattleboardError(f"{attacker.id} is a square; name a unit as the attacker.")
    if attacker.id == target.id:
        raise BattleboardError(f"{attacker.unit.name} cannot attack itself.")
    battle = fresh_turn(scene, rules, attacker.id)
    battle = _armed(battle, rules, attacker.id, question.weapon)
    attack = Attack(attacker.id, target.id, question.weapon, question.action)
    square = None if target.unit else target.at
    shot = consider(battle, rules, attack, square=square)
    changed = read_settings(question.settings, shot.situation.facts)
    if changed:
        shot = consider(battle, rules, attack, square=square, changed=changed)
        shot = replace(shot, situation=replace(shot.situation, distance=_distance(shot, rules)))
    if question.share:
        check_share(battle, rules, shot, question.share)
        shot = with_share(battle, shot, question.share)
    shot = with_open_defences(battle, rules, with_odds(battle, rules, shot))
    friends = friends_at_risk(battle, rules, shot)
    return OddsReport(rules, attacker, target, shot, changed, friends, is_ahead(scene, attacker.id))


def is_ahead(scene: Scene, unit_id: str) -> bool:
    """Whether `fresh_turn` begins a turn of the unit that it does not have now."""
    return scene.battle is not None and scene.battle.turns.active != unit_id


def fresh_turn(scene: Scene, rules: Ruleset, unit_id: str) -> Battle:
    """A battle with a unit's turn just begun, or as it stands where it is that unit's turn.

    Raises:
        Unknown: the ruleset has no sheet for a role on the map.
    """
    if scene.battle is not None and not is_ahead(scene, unit_id):
        return scene.battle
    drawn = with_characters(scene.map, rules, scene.file) if scene.battle is None else scene.map
    battle = scene.battle or apply_all(set_up(drawn.battlefield, rules), [begin(drawn.placements, rules, SEED)])
    return in_own_turn(battle, rules, unit_id)


def odds_words(answer: OddsReport) -> list[str]:
    """The ledger as a table: labels, numbers, reasons; a line; the total and the chance."""
    rules, shot = answer.rules, answer.shot
    situation, ledger = shot.situation, shot.ledger
    band = f", {ledger.band_label}" if ledger.band_label else ""
    action = f"{situation.action.label}{', in its next turn' if answer.is_ahead else ''}"
    lines = [
        f"{situation.attacker.name} → {situation.target.name}   {situation.weapon.label}, {action}",
        f"{rules.name}: {situation.distance}{situation.on_map}{band}. {situation.words}",
        *filter(None, [friend_words(shot, answer.friends)]),
    ]
    if facts_found := logged_facts(rules, situation.facts, "situation"):
        lines.append(", ".join(f"{label}: {shown(value)}" for label, value in facts_found) + ".")
    if answer.set_by_hand:
        facts = ", ".join(f"{name} = {shown(value)}" for name, value in answer.set_by_hand.items())
        lines.append(f"Set by hand: {facts}.")
    rows = bill(rules, shot)
    drawn, entries = hanging_table(rows, 2, right=(1,)), len(ledger.entries)
    rule = "  " + "─" * max(20, len(table([row[:2] for row in rows], right=(1,))[0]) if entries else 20)
    lines += ["", *(line for row in drawn[:entries] for line in row), rule]
    if not ledger.is_possible:
        return [*lines, f"  No attack. {shot.refusal}"]
    lines += [line for row in drawn[entries:] for line in row]
    of_what = "to land as aimed" if has_scatter(rules, shot) else "to hit"
    before = ", ".join(filter(None, (f"{_chance(shot.odds.hit)} {of_what}", beside_chance(shot))))
    lines.append(f"  {to_roll(shot, rules)}: {before}.")
    if shot.caught is not None:
        lines.append(f"  {catches(shot.caught)}")
    possible = [(grade, chance) for grade, chance in shot.odds.grades if chance]
    shares = percents([chance for _, chance in possible])
    grades = zip(possible, shares, strict=True)
    outcomes = [(grade.label, share, _counts_as(grade)) for (grade, _), share in grades]
    lines += ["", *table(outcomes, indent=2, right=(1,))]
    if shot.share:
        lines += ["", f"  {shared_words(shot, rules)}"]
    if shot.outlook is not None:
        lines += ["", *_outlook(rules, shot.outlook)]
    if shot.defended is not None:
        lines += ["", f"With {answers_words(shot.defended)}:", *_outlook(rules, shot.defended.outlook)]
    if instead := [risk for risk in shot.struck_instead if risk.caught >= RARE]:
        title = f"Hit instead of {situation.target.name}, including the chance of that:"
        lines += ["", *_risk_table(instead, title, "hit instead")]
    if shot.area_risks:
        lines += ["", *area_risk_words(shot.area_risks)]
    return [*lines, "", f"Not allowed now: {shot.refusal}"] if shot.refusal else lines


def _counts_as(grade: Grade) -> str:
    """Whether a grade is a hit or a miss; "" where its label says so."""
    word = "hit" if grade.is_hit else "miss"
    label = grade.label.casefold()
    is_said = re.search(rf"\b{word}\b", label) or (not grade.is_hit and "no hit" in label)
    return "" if is_said else f"counts as a {word}"


def bill(rules: Ruleset, shot: AttackPreview) -> list[tuple[str, str, str]]:
    """Label, number and reason of every entry; last, if there is a roll, the total."""
    rows = [(entry.label, _value(rules, entry), entry.because) for entry in shot.ledger.entries]
    is_rolled = shot.ledger.is_possible and shot.situation.action.is_rolled
    return [*rows, total(rules, shot)] if is_rolled else rows


def odds_json(answer: OddsReport) -> dict[str, Any]:
    """The same for scripts: every number with its reason; chances as [numerator, denominator] and in percent."""
    rules, shot = answer.rules, answer.shot
    situation, ledger = shot.situation, shot.ledger
    facts = situation.facts
    worth = {item.entry: item.change for item in worths(rules, {**facts, **ledger.band_facts}, ledger)}
    return {
        "ruleset": rules.id,
        "attacker": situation.attacker.id,
        "target": answer.target.id,
        "weapon": situation.weapon.id,
        "action": situation.action.id,
        "possible": not shot.refusal,
        "reason": shot.refusal,
        "distance": {
            "value": _plain(facts["distance"]),
            "unit": rules.distance.ranges,
            "squares": _plain(facts["distance_squares"]),
        },
        "band": ledger.band,
        "band_label": ledger.band_label,
        "sight": {
            "visible": _plain(facts["visible"]),
            "covered": _plain(facts["covered"]),
            "clear": facts["clear"],
            "cover": blocker_json(situation.trace.cover),
            "first_blocker": blocker_json(situation.trace.first_blocker),
            "smoke_squares": facts["smoke_squares"],
            "light": facts["light"],
            "words": situation.words,
        },
        "facts": {named.id: _plain(facts[named.id]) for named in rules.attack.facts if named.after == "situation"},
        "set": {name: _plain(value) for name, value in answer.set_by_hand.items()},
        "ledger": [_entry_json(entry, worth.get(entry.id, Fraction(0))) for entry in ledger.entries],
        "total": number(ledger.total),
        "target_number": number(ledger.target_number),
        "roll": upper_first(roll_needed(shot, rules)),
        "chance": {
            "hit": exact(shot.odds.hit),
            "hit_percent": json_percent(shot.odds.hit),
            "defences_left_out": list(shot.defences),
            "grades": {grade.id: exact(chance) for grade, chance in shot.odds.grades},
        },
        "outlook": _outlook_json(shot.outlook),
        "defended": _defended_json(shot.defended),
        "share": [
            {"unit": unit.id, "hits": hits, "hit": exact(hit), "hit_percent": json_percent(hit)}
            for unit, hits, hit in shared_chances(rules, shot)
        ],
        "struck_instead": [area_risk_json(risk) for risk in shot.struck_instead],
        "area_risks": [area_risk_json(risk) for risk in shot.area_risks],
        "caught": None if shot.caught is None else [unit.id for unit in shot.caught],
        "words": verdict(shot, rules),
    }


def area_risk_words(area_risks: Sequence[AreaRisk]) -> list[str]:
    """What an attack on an area may do, unit by unit."""
    return _risk_table(area_risks, "Effect on each unit, including the chance to be in the area:", "in the area")


def _risk_table(area_risks: Sequence[AreaRisk], title: str, caught: str) -> list[str]:
    """What an attack may do, unit by unit; `caught` heads the chance that it is one of those whom it strikes."""
    names, has_damage = tuple(harm for harm, _ in area_risks[0].outlook.harms), area_risks[0].outlook.has_damage
    likely = sorted(
        ((one, chance) for risk in area_risks for one, chance in risk.outlook.outcomes if chance >= RARE),
        key=lambda each: -each[1],
    )
    states = tuple(dict.fromkeys(one for one, _ in likely))
    worn = tuple(dict.fromkeys(label for risk in area_risks for label, _ in risk.outlook.worn))
    chances_of = ("wounds", *names, "drops", "avg. damage") if has_damage else (*names, "drops")
    head = ("unit", caught, *chances_of, *(one.label for one in states), *(f"avg. {label}" for label in worn))
    rows = []
    for risk in area_risks:
        outlook = risk.outlook
        more = "+" if outlook.unsettled else ""
        lost = (f"{float(dict(outlook.worn).get(label, 0)):.2f}" for label in worn)
        shares = [*([outlook.hurt] if has_damage else ()), *(chance for _, chance in outlook.harms)]
        chances = (f"{percent(chance)}{more}" for chance in (*shares, outlook.drop))
        mean = () if not has_damage else (f"{float(outlook.expected):.2f}{more}",)
        changed = (f"{percent(dict(outlook.outcomes).get(one, Fraction(0)))}{more}" for one in states)
        rows.append((risk.unit.name, percent(risk.caught), *chances, *mean, *changed, *lost))
    lines = [
        title,
        *table([head, *rows], 2, right=range(1, len(head))),
    ]
    unsettled = max(risk.outlook.unsettled for risk in area_risks)
    if unsettled:
        sentence = (
            f"There are too many outcomes to calculate: a chance with + may be up to {percent(unsettled)} higher."
        )
        lines += wrapped(sentence, 2)
    return lines


def area_risk_json(risk: AreaRisk) -> dict[str, Any]:
    """What an attack on an area may do to one unit."""
    outlook = _outlook_json(risk.outlook) or {}
    return {"id": risk.unit.id, "caught": exact(risk.caught), "caught_percent": json_percent(risk.caught), **outlook}


def _outlook(rules: Ruleset, outlook: DamageOdds) -> list[str]:
    """What comes of it: hurt, out of the fight, the mean, every amount with its chance."""
    pools_hit = [rules.units.pools[pool] for pool in damage_pools(rules)]
    labels = [pool.lost or pool.label for pool in pools_hit]
    pools = f" to {labels[0]}" if len(labels) == 1 else f" ({' and '.join(labels)})"
    chances = [f"{amount}: {percent(chance)}".replace(" ", UNBROKEN) for amount, chance in outlook.damage if amount]
    harms = list(outlook.harms)
    named = [("Wounds", outlook.hurt), *harms, ("drops", outlook.drop)]
    if not outlook.has_damage:
        named = [*harms, ("out", outlook.drop)]
    odds = [*(f"{harm} {percent(chance)}" for harm, chance in named), *filter(None, [wounding_misses(outlook)])]
    of_target, of_attacker = (
        ", ".join(
            f"{one.label} {percent(chance)}" for one, chance in outlook.outcomes if one.whom == whom and chance >= least
        )
        for whom, least in (("target", 0), ("attacker", RARE))
    )
    no_damage = "" if aim_of(outlook) is None else "; no damage"
    lines = [f"  {', '.join(odds)}."] if aim_of(outlook) is None else []
    lines += wrapped(f"The target: {of_target}{no_damage}.", 2, 4) if of_target else []
    lines += wrapped(f"The attacker: {of_attacker}.", 2, 4) if of_attacker else []
    if outlook.has_damage and chances:
        rows = wrapped(" · ".join(chances), 4)
        lines += wrapped(f"{float(outlook.expected):.2f} damage on average{pools}; each amount and its chance:", 2)
        lines += [row.replace(UNBROKEN, " ") for row in rows]
    lines += [f"  {float(mean):.2f} {label} lost on average." for label, mean in outlook.worn if mean]
    if outlook.unsettled:
        unsettled_text = percent(outlook.unsettled)
        lines += wrapped(
            f"There are too many outcomes to calculate: each chance may be up to {unsettled_text} higher.", 2
        )
    return lines


def _outlook_json(outlook: DamageOdds | None) -> dict[str, Any] | None:
    if outlook is None:
        return None
    return {
        "hurt": exact(outlook.hurt),
        "hurt_percent": json_percent(outlook.hurt),
        "drop": exact(outlook.drop),
        "drop_percent": json_percent(outlook.drop),
        "expected_damage": exact(outlook.expected),
        "damage": [{"amount": amount, "chance": exact(chance)} for amount, chance in outlook.damage],
        "unsettled": exact(outlook.unsettled),
        "worn": {label: exact(mean) for label, mean in outlook.worn},
        "harms": [{"label": harm, "chance": exact(chance)} for harm, chance in outlook.harms],
        "outcomes": [
            {
                "id": one.id,
                "label": one.label,
                "whom": one.whom,
                "chance": exact(chance),
                "percent": json_percent(chance),
            }
            for one, chance in outlook.outcomes
        ],
    }


def _defended_json(defended: DefendedDamageOdds | None) -> dict[str, Any] | None:
    if defended is None:
        return None
    hit = defended.outlook.hit
    record = {"with": [*defended.labels], "hit": exact(hit), "hit_percent": json_percent(hit)}
    return {**record, **(_outlook_json(defended.outlook) or {})}


def _armed(battle: Battle, rules: Ruleset, unit_id: str, weapon: str) -> Battle:
    """The same battle with a weapon in the unit's hands; loaded, where its sheet has it not."""
    unit = battle.unit(unit_id)
    if not weapon:
        return battle
    if weapon in unit.gear.weapons:
        return battle.with_unit(replace(unit, gear=replace(unit.gear, weapon=weapon)))
    if weapon not in rules.gear.weapons:
        raise Unknown(f"weapon of {rules.name}", weapon, rules.gear.weapons)
    rounds = dict(unit.gear.rounds)
    if full := magazine(rules, weapon):
        rounds[weapon] = full
    return battle.with_unit(
        replace(unit, gear=replace(unit.gear, weapons=(*unit.gear.weapons, weapon), weapon=weapon, rounds=rounds))
    )


def _distance(shot: AttackPreview, rules: Ruleset) -> str:
    """The distance as it is shown once facts were set by hand."""
    value = shot.situation.facts["distance"]
    value_text = shown(value) if isinstance(value, str) else number_text(value)
    return f"{value_text} {UNIT_SIGNS[rules.distance.ranges]}"


def _value(rules: Ruleset, entry: Entry) -> str:
    """A base number plainly, a modifier with its sign, a verdict as "no"."""
    if entry.forbids:
        return "no"
    is_base = rules.attack.test.is_under and entry.step == rules.attack.steps[0]
    return number_text(entry.value) if is_base else signed(entry.value)


def total(rules: Ruleset, shot: AttackPreview) -> tuple[str, str, str]:
    """The total of the entries: its label, the number, and the target number in words."""
    if rules.attack.test.is_under:
        return "target number", number_text(shot.ledger.target_number), ""
    needed, change = shot.ledger.target_number, shot.ledger.difficulty_change
    made_of = f" ({number_text(needed - change)} {signed(change)})" if change else ""
    against = f"against {rules.attack.test.difficulty_label} {number_text(needed)}{made_of}"
    return "added to the roll", signed(shot.ledger.total), against


def _chance(chance: Fraction) -> str:
    """ "55 % (11 in 20)"; chances of a hundred-sided die, 0 and 1 in percent alone."""
    is_exact = chance.denominator in (1, 25, 50, 100)
    return percent(chance) if is_exact else f"{percent(chance)} ({chance.numerator} in {chance.denominator})"


def _entry_json(entry: Entry, worth: Fraction) -> dict[str, Any]:
    return {
        "id": entry.id,
        "step": entry.step,
        "label": entry.label,
        "value": number(entry.value),
        "because": entry.because,
        "source": entry.source,
        "ruling": entry.ruling,
        "author": entry.author,
        "active": entry.active,
        "forbids": entry.forbids,
        "of": entry.of or "roll",
        "worth_percent": json_percent(worth),
    }


def json_percent(chance: Fraction) -> int | float:
    """A chance in per cent, to four places."""
    return number(Fraction(round(chance * 100, 4)))


def _plain(value: Value) -> bool | int | float | str:
    return value if isinstance(value, bool | str) else number(value)
