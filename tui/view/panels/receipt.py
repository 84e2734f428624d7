"""Receipt of a shot: every modifier with its source and effect, and the line of sight step by step."""

from __future__ import annotations

from textual.content import Content

from engine.battle.attacks.area_odds import throw_risks
from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.facts import BARE_SQUARE
from engine.battle.state.battle import Battle
from engine.dice.dice_text import percent, signed_percent
from engine.errors import BattleboardError
from engine.geometry.los.profile import profile
from engine.geometry.los.trace import Crossing
from engine.rules.model import Ruleset
from engine.rules.roll_odds import worths
from tui.application.describe.side_view import drawn, key
from tui.application.describe.text_layout import ENDLESS, fit, wrap
from tui.view.panels.attack_panel import shot_text
from tui.view.panels.styled_text import lines, plain

SIDE_ROWS = 10
TITLE = "bold $panel-title"


def receipt_text(shot: AttackPreview, battle: Battle, rules: Ruleset, width: int, *, is_ascii: bool = False) -> Content:
    """Renders the whole receipt, as many rows as needed."""
    rows: list[Content | str] = [shot_text(shot, rules, width, ENDLESS)]
    labels = {entry.id: entry.label for entry in shot.ledger.entries}
    known = worths(rules, shot.situation.facts, shot.ledger)
    if known:
        rows += ["", plain("Effect of each modifier on the chance to hit", TITLE)]
    for worth in known:
        rows.append(f"{fit(labels[worth.entry], 26)} {signed_percent(worth.change)}")
    rows += _caught(shot, battle, rules, width)
    field = battle.field
    rows += ["", plain("Line of sight, step by step", TITLE), *wrap(shot.situation.words, width)]
    attacker, target = shot.situation.attacker.body(field), shot.situation.target.body(field)
    side = profile(field, attacker, target, shot.situation.trace)
    rows += ["", *(plain(row) for row in drawn(side, width, SIDE_ROWS, is_ascii=is_ascii))]
    there = shot.situation.target
    stands = f"a unit standing on {there.name}" if there.id == BARE_SQUARE else there.name
    rows += [*wrap(f"{key(shot.situation.trace, shot.situation.attacker.name, stands)}.", width), ""]
    rows += [_crossing(crossing) for crossing in shot.situation.trace.crossings]
    origin = rules.attack.test.origin
    source_text = f"{origin.source} · ruling: {origin.ruling}" if origin.ruling else origin.source
    rows += ["", plain("Roll", TITLE), *wrap(source_text, width)]
    return lines(rows)


def _caught(shot: AttackPreview, battle: Battle, rules: Ruleset, width: int) -> list[Content | str]:
    """The units that the blast of a throw could catch, unless the panel above lists them."""
    if shot.area_risks:
        return []
    try:
        found = throw_risks(battle, rules, shot, shot.situation.target.at) if shot.ledger.is_possible else None
    except BattleboardError:  # the overlay says why
        return []
    if found is None or not found.caught:
        return []
    rows = [f"{fit(unit.name, 26)} {percent(risk)}" for unit, risk in found.caught]
    return ["", plain("Risk of being caught, with scatter", TITLE), *rows]


def _crossing(crossing: Crossing) -> Content:
    place = crossing.edge.name if crossing.edge else crossing.square.name
    height = f"{float(crossing.line_start) / 100:.1f} → {float(crossing.line_end) / 100:.1f}"
    does = "blocks" if crossing.blocks_sight else "stops shots" if crossing.stops_shots else ""
    smoke = " smoke" if crossing.smoke else ""
    style = "$bad" if does else "$muted"
    return plain(f"{place:<6} line at {height:<12} {crossing.name}{smoke}{f', {does}' if does else ''}", style)
