"""The report on one throw: where it could come down, with what chance, and who would be caught in which ring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Any

from msgspec import Struct

from engine.battle.attacks.attack_preview import AreaRisk, AttackPreview
from engine.battle.attacks.blast_rings import Ring, burst, caught, rings
from engine.battle.attacks.scatter import Chances, ThrowScatter, landing_odds, scatter_after, scatter_odds, throw_of
from engine.battle.distances import range_side
from engine.battle.setup import set_up
from engine.battle.state.battle import Battle
from engine.dice.dice_text import number as number_text
from engine.dice.dice_text import percent
from engine.errors import BattleboardError, Unknown
from engine.geometry.blast.square_set import Zone
from engine.geometry.squares import Square, column_name
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset, Value, Weapon
from engine.text import count
from tui.application.reports.endpoints import End, find_end
from tui.application.reports.odds_report import (
    OddsQuery,
    area_risk_json,
    area_risk_words,
    fresh_turn,
    json_percent,
    preview_odds,
)
from tui.application.reports.report_scene import Scene
from tui.application.terminal.output import exact, number, table, width

SQUARES_LISTED = 20
CELL = 4
"""Characters of one square in the drawing."""


class ThrowOdds(Struct, frozen=True):
    """A throw, the odds of where it lands, and the odds for each unit in its blast."""

    rules: Ruleset
    thrower: End
    aim: End
    weapon: Weapon
    shot: AttackPreview | None
    """The attack; None when a bare square throws."""
    hit: Fraction
    """Chance to come down where it is aimed at, before anything strays back there."""
    chances: Chances
    rings: tuple[Ring, ...]
    areas: tuple[Zone, ...]
    """Squares of each ring of a burst on the point aimed at."""
    caught: Mapping[str, tuple[Fraction, ...]]
    battle: Battle
    area_risks: tuple[AreaRisk, ...]
    """What it does to those whom it may catch; nothing where the chance to hit was given."""


def throw_odds(scene: Scene, rules: Ruleset, question: OddsQuery, hit: str = "", *, asked: str = "--hit") -> ThrowOdds:
    """Where a throw could come down, and on whom.

    Args:
        scene: the map or battle.
        rules: the ruleset.
        question: who throws what at what; a unit's chance is that of its attack.
        hit: chance to land as aimed in percent, in place of the attack's; a bare square needs one.
        asked: how that chance is said.

    Raises:
        Unknown: no such unit, square or weapon.
        BattleboardError: the chance is missing or none, or the weapon neither strays nor bursts.
    """
    battle_map = scene.map
    thrower, aim = find_end(battle_map, question.attacker), find_end(battle_map, question.target)
    given = _chance(hit, asked) if hit else None
    field = battle_map.battlefield
    shot: AttackPreview | None = None
    outcomes: Sequence[tuple[Fraction, ThrowScatter | None]]
    if thrower.unit is not None:
        shot = preview_odds(scene, rules, question).shot
        if given is None and not shot.ledger.is_possible:
            all_the_same = f"“{asked} 40” calculates with 40 % anyway."
            raise BattleboardError(f"{thrower.phrase} cannot throw there: {shot.refusal} {all_the_same}")
        weapon, facts = shot.situation.weapon, {**shot.situation.facts, **shot.ledger.band_facts}
        outcomes = scatter_odds(rules, shot) if given is None else _hit_weights(rules, facts, given)
        battle = fresh_turn(scene, rules, thrower.id)
    else:
        weapon = _weapon(rules, question.weapon)
        if given is None:
            raise BattleboardError(f"{thrower.id} is a square; give the chance to hit in percent with --hit.")
        facts = _weapon_facts(rules, weapon, range_side(field, rules))
        outcomes = _hit_weights(rules, facts, given)
        units = battle_map.placements
        battle = fresh_turn(scene, rules, units[0].id) if units else set_up(field, rules)
    found = rings(field, rules, facts)
    if not found and all(scatter is None for _, scatter in outcomes):
        raise BattleboardError(f"{weapon.label} has no scatter and no blast under {rules.name}.")
    chances = landing_odds(field, throw_of(field, rules, thrower.at, aim.at), outcomes)
    hits = sum((chance for chance, scatter in outcomes if scatter is None), start=Fraction(0))
    areas = burst(field, rules, aim.at, found)
    reached = caught(battle, rules, chances, found)
    area_risks = shot.area_risks if shot and given is None else ()
    return ThrowOdds(rules, thrower, aim, weapon, shot, hits, chances, found, areas, reached, battle, area_risks)


def scatter_words(odds: ThrowOdds) -> list[str]:
    """The chances drawn on the map's grid, the likeliest squares, and the units with their chance in each ring."""
    rules, aim = odds.rules, odds.aim
    distance = f": {odds.shot.situation.distance}" if odds.shot else ""
    ordered = _ordered(odds)
    lines = [
        f"{odds.thrower.phrase} → {aim.phrase}   {odds.weapon.label}",
        f"{rules.name}{distance}. {percent(odds.hit)} to land as aimed; "
        f"it may land on {count(len(ordered), 'square')}.",
    ]
    for ring, area in zip(odds.rings, odds.areas, strict=True):
        squares = f"{count(len(area), 'square')} around {aim.at.name}"
        share = "" if ring.share == 1 else f", {percent(ring.share)} of the effect"
        lines.append(f"{_ring_words(ring, rules)}: {squares}{share}.")
    lines += ["", "Chance of each square, in percent:", *_drawing(odds), ""]
    lines += table([(square.name, percent(chance)) for square, chance in ordered[:SQUARES_LISTED]], 2, right=(1,))
    if len(ordered) > SQUARES_LISTED:
        rest = sum((chance for _, chance in ordered[SQUARES_LISTED:]), start=Fraction(0))
        lines.append(f"  and {len(ordered) - SQUARES_LISTED} more, {percent(rest)} together")
    if gone := _lost(odds):
        lines.append(f"  leaves the map: {percent(gone)}")
    lines += ["", *_units(odds)] if odds.rings else []
    return [*lines, "", *area_risk_words(odds.area_risks)] if odds.area_risks else lines


def _lost(odds: ThrowOdds) -> Fraction:
    """The chance that the throw leaves the map and is gone."""
    return 1 - sum(odds.chances.values(), start=Fraction(0))


def scatter_json(odds: ThrowOdds) -> dict[str, Any]:
    """The same for scripts: chances as [numerator, denominator] and in percent; squares by falling chance."""
    return {
        "ruleset": odds.rules.id,
        "from": odds.thrower.id,
        "aim": odds.aim.id,
        "aim_square": odds.aim.at.name,
        "weapon": odds.weapon.id,
        "hit": exact(odds.hit),
        "hit_percent": json_percent(odds.hit),
        "possible": odds.shot is None or not odds.shot.refusal,
        "reason": odds.shot.refusal if odds.shot else "",
        "off_map": exact(_lost(odds)),
        "squares": [
            {"square": square.name, "chance": exact(chance), "percent": json_percent(chance)}
            for square, chance in _ordered(odds)
        ],
        "zones": [
            {
                "id": ring.zone.id,
                "label": ring.zone.label,
                "radius": number(ring.stated),
                "radius_squares": floor(ring.radius),
                "share": exact(ring.share),
                "around_aim": [square.name for square in area],
            }
            for ring, area in zip(odds.rings, odds.areas, strict=True)
        ],
        "units": [
            {
                "id": unit_id,
                "zones": {
                    ring.zone.id: {"chance": exact(chance), "percent": json_percent(chance)}
                    for ring, chance in zip(odds.rings, shares, strict=True)
                },
                "any": exact(sum(shares, start=Fraction(0))),
                "any_percent": json_percent(sum(shares, start=Fraction(0))),
            }
            for unit_id, shares in odds.caught.items()
        ],
        "area_risks": [area_risk_json(risk) for risk in odds.area_risks],
    }


def _ordered(odds: ThrowOdds) -> list[tuple[Square, Fraction]]:
    """The squares where it can come down, the likeliest first, then from the top of the map."""
    return sorted(
        ((square, chance) for square, chance in odds.chances.items() if chance),
        key=lambda item: (-item[1], item[0].row, item[0].column),
    )


def _drawing(odds: ThrowOdds) -> list[str]:
    """The squares with their chances under the map's letters and numbers; too wide a spread is left to the list."""
    squares = [square for square, _ in _ordered(odds)]
    columns = range(min(square.column for square in squares), max(square.column for square in squares) + 1)
    rows = range(min(square.row for square in squares), max(square.row for square in squares) + 1)
    if (len(columns) + 1) * CELL > width():
        return ["  (too wide to draw here; see the list)"]
    lines = [" " * CELL + "".join(f"{column_name(column):>{CELL}}" for column in columns)]
    for row in rows:
        cells = (_cell(odds.chances.get(Square(column, row), Fraction(0))) for column in columns)
        lines.append(f"{row + 1:>{CELL}}" + "".join(f"{cell:>{CELL}}" for cell in cells))
    return lines


def _cell(chance: Fraction) -> str:
    """A chance in three characters at most: "85", "4.5", "·" for none."""
    if not chance:
        return "·"
    whole = floor(100 * chance + Fraction(1, 2))
    return str(whole) if whole else "<1"


def _units(odds: ThrowOdds) -> list[str]:
    several = len(odds.rings) > 1
    head = ("unit", *(ring.zone.label for ring in odds.rings), *(["any"] if several else []))
    rows = [
        (
            odds.battle.unit(unit_id).name,
            *(percent(share) for share in shares),
            *([percent(sum(shares, start=Fraction(0)))] if several else []),
        )
        for unit_id, shares in odds.caught.items()
        if any(shares)
    ]
    if not rows:
        return ["No unit can be in the area."]
    return ["Chance to be in the area:", *table([head, *rows], 2, right=range(1, len(head)))]


def _ring_words(ring: Ring, rules: Ruleset) -> str:
    """A ring's name and how far it goes, once: in the ruleset's unit, and in squares of the map."""
    squares, far, name = (
        floor(ring.radius),
        f"{number_text(ring.stated)} {UNIT_SIGNS[rules.distance.ranges]}",
        ring.zone.label,
    )
    return f"{name if ring.names_radius(far) else f'{name}, {far}'} ({count(squares, 'square')})"


def _chance(text: str, asked: str) -> Fraction:
    """A chance given in percent."""
    try:
        found = Fraction(text.strip().removesuffix("%").strip()) if len(text) <= 12 else Fraction(-1)
    except (ValueError, ZeroDivisionError):
        found = Fraction(-1)
    if not 0 <= found <= 100:
        raise BattleboardError(f"{asked} {text[:12]} is not allowed; expected a chance in percent, 0 to 100.")
    return found / 100


def _hit_weights(
    rules: Ruleset, facts: Mapping[str, Value], hit: Fraction
) -> list[tuple[Fraction, ThrowScatter | None]]:
    """Plain hits and plain misses in the shares given; what only a special grade does, as a fumble, is left out.

    The plain one of each kind is the last in the ruleset's order, to which a roll comes that is nothing special.
    """
    plain = {grade.is_hit: grade.id for grade in rules.attack.grades}
    outcomes = [(hit, True), (1 - hit, False)]
    return [
        (chance, scatter_after(rules, facts, plain.get(is_hit, ""), is_hit)) for chance, is_hit in outcomes if chance
    ]


def _weapon(rules: Ruleset, weapon: str) -> Weapon:
    if not weapon:
        raise BattleboardError("A square has no weapon: name the thrown weapon with --weapon.")
    if weapon not in rules.gear.weapons:
        raise Unknown(f"weapon of {rules.name}", weapon, rules.gear.weapons)
    return rules.gear.weapons[weapon]


def _weapon_facts(rules: Ruleset, weapon: Weapon, side: int | Fraction) -> dict[str, Value]:
    """What can be known of an attack of which only the weapon is known."""
    kind = weapon.kind
    facts: dict[str, Value] = {"square": side, "ranged": kind != "melee", "melee": kind == "melee"}
    facts |= {"thrown": kind == "thrown", "weapon.id": weapon.id, "weapon.kind": kind}
    facts |= {f"ruling.{name}": ruling.value for name, ruling in rules.rulings.items()}
    return facts | {f"weapon.{name}": value for name, value in {**rules.gear.weapon_fields, **weapon.fields}.items()}
