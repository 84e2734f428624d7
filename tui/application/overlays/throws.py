"""Overlays of area attacks: blast rings and scatter of a throw, and cones."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.battle.attacks.area_odds import throw_risks
from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.attacks.blast_rings import Ring, burst, ring_of, rings_of
from engine.battle.attacks.swept_areas import squares_swept
from engine.battle.command import Attack
from engine.battle.narration.preview_text import catches
from engine.battle.state.battle import Battle
from engine.dice.dice_text import number as number_text
from engine.dice.dice_text import percent
from engine.errors import BattleboardError
from engine.geometry.body import body
from engine.geometry.squares import Square
from engine.rules.formula_values import number
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset
from engine.rules.space_rules import Cone
from engine.values import replace
from tui.application.focus.focus import Focus, attack_in
from tui.application.keys.battle_keys import with_keys
from tui.application.overlays.markings import SCALE
from tui.application.overlays.overlay_tints import NO_TINTS, OverlayTints

STEPS = (Fraction(1, 100), Fraction(1, 40), Fraction(1, 16), Fraction(1, 5))
"""Lower bounds of the tints of the scale."""
MOST_NAMED = 4
ANOTHER = "{battle.weapon} switches weapon."


def blast(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints the rings of a blast on the cursor's square, and lists the units in them."""
    shot = _throw(focus, battle, rules)
    if isinstance(shot, str):
        return OverlayTints(words=shot)
    if shot.situation.action.cone is not None:
        return _cone(battle, rules, shot, shot.situation.action.cone)
    try:
        found = rings_of(battle.field, rules, shot.situation, shot.ledger)
    except BattleboardError as reason:
        return OverlayTints(words=str(reason))
    if not found:
        return OverlayTints(words=f"{shot.situation.weapon.label} has no blast; {with_keys(ANOTHER)}")
    areas = burst(battle.field, rules, focus.cursor, found)
    tints = {square: "blast" if number == 0 else "edge" for number, area in enumerate(areas) for square in area}
    named = [
        f"{signs['edge' if number else 'blast']} {_ring_words(ring, UNIT_SIGNS[rules.distance.ranges])}"
        for number, ring in enumerate(found)
    ]
    hit = []
    for unit in battle.units.values():
        number = None if unit.is_defeated else ring_of(battle.field, rules, focus.cursor, unit, found, areas)
        if number is not None:
            hit.append(f"{unit.name} ({number + 1})" if len(found) > 1 else unit.name)
    who = f" Caught{', by ring' if len(found) > 1 else ''}: {', '.join(hit)}." if hit else " Nobody is caught."
    words = f"Blast on {focus.cursor.name}: {', '.join(named)}.{who}"
    return OverlayTints(tints, words, area=frozenset(tints))


def _ring_words(ring: Ring, sign: str) -> str:
    """Describes a ring with its reach, unless its label has it: "burst to 5 m", "5 to 10 m"."""
    label, reach = ring.zone.label.lower(), f"{float(ring.stated):g} {sign}"
    return label if ring.names_radius(reach) else f"{label} to {reach}"


def sweep(focus: Focus, battle: Battle, rules: Ruleset) -> OverlayTints:
    """Tints the cone of the attack in focus, towards its target or the cursor; nothing if it has none."""
    attack = attack_in(focus, battle, rules)
    try:
        shot = consider(battle, rules, attack) if attack else None
    except BattleboardError:
        return NO_TINTS
    area = shot.situation.action.cone if shot else None
    return _cone(battle, rules, shot, area) if shot and area else NO_TINTS


def _cone(battle: Battle, rules: Ruleset, shot: AttackPreview, area: Cone) -> OverlayTints:
    """Tints the squares of a cone, visible ones apart from hidden ones, and lists the units in it."""
    from engine.geometry.los.field_of_view import overlook  # here, as NumPy is not to delay the first paint

    situation, field = shot.situation, battle.field
    zone = squares_swept(battle, rules, situation, area)
    standing = body(Square(0, 0), field.unit, sight=field.sight)
    last = Square(zone.corner.column + zone.side - 1, zone.corner.row + zone.side - 1)
    seen = overlook(field, situation.attacker.body(field), standing, within=(zone.corner, last)).visible
    tints = {square: "blast" if seen[square.row, square.column] > 0 else "edge" for square in zone}
    length = number_text(number(area.length, situation.facts))
    words = f"{area.arc}° to {length} {UNIT_SIGNS[rules.distance.ranges]} towards {situation.target.name}"
    return OverlayTints(tints, f"{words}. {catches(shot.caught or ())}", area=frozenset(tints))


def landings(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints each square by the chance that a throw at the cursor lands there, and lists the units at risk."""
    shot = _throw(focus, battle, rules)
    if isinstance(shot, str):
        return OverlayTints(words=shot)
    if shot.ledger.forbidden:
        return OverlayTints(words=f"No throw at {focus.cursor.name}: {shot.ledger.forbidden.because}")
    try:
        found = throw_risks(battle, rules, shot, focus.cursor)
    except BattleboardError as reason:
        return OverlayTints(words=str(reason))
    if found is None:
        return OverlayTints(words=f"{shot.situation.weapon.label} has no scatter and no blast; {with_keys(ANOTHER)}")
    chances = found.chances
    tints = {square: SCALE[sum(chance >= step for step in STEPS)] for square, chance in chances.items() if chance}
    named = [f"{unit.name} {percent(risk)}" for unit, risk in found.caught[:MOST_NAMED]]
    more = (
        with_keys(f"; {{battle.receipt}} lists {len(found.caught) - MOST_NAMED} more")
        if len(found.caught) > MOST_NAMED
        else ""
    )
    who = f" Caught: {', '.join(named)}{more}." if named else " Nobody is caught."
    there = percent(chances.get(focus.cursor, Fraction(0)))
    own = "".join(f", {label.lower()} {percent(chance)}" for label, chance in found.dropped)
    scale = "".join(signs[tint] for tint in SCALE)
    words = f"Chance to land: {scale} up to 1, 2.5, 6, 20 %, above. On {focus.cursor.name}: {there}{own}.{who}"
    return OverlayTints(tints, words, area=_blast_area(focus, battle, rules, shot))


def _blast_area(focus: Focus, battle: Battle, rules: Ruleset, shot: AttackPreview) -> frozenset[Square]:
    """The squares of a blast on the cursor's square; none of what does not burst."""
    found = rings_of(battle.field, rules, shot.situation, shot.ledger)
    return frozenset().union(*burst(battle.field, rules, focus.cursor, found)) if found else frozenset()


def _throw(focus: Focus, battle: Battle, rules: Ruleset) -> AttackPreview | str:
    """Previews the attack of the unit in focus on the cursor's square, or gives a sentence why there is none."""
    attack = attack_in(replace(focus, target="", overlay="plain"), battle, rules)
    try:
        return consider(
            battle, rules, attack or Attack(focus.unit, "", focus.weapon, focus.action, square=focus.cursor)
        )
    except BattleboardError as reason:
        return str(reason)
