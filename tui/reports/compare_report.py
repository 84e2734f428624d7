"""The report on one shot under every ruleset, side by side: what modifiers each adds up, and the result.

Units keep their roles, of which every ruleset has a sheet; a battle's own ruleset is asked about the battle as it is,
the others about the same ground with everybody fresh.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from engine.battle.narration.preview_text import chance_to_hit, to_roll
from engine.dice.dice_text import number as number_text
from engine.dice.dice_text import percent
from engine.errors import BattleboardError, first_line
from engine.rules.model import Ruleset
from engine.values import replace
from tui.reports.endpoints import find_end
from tui.reports.odds_report import OddsQuery, OddsReport, bill, odds_json, preview_odds, total
from tui.reports.report_scene import Scene
from tui.terminal.output import table

HEADS = ("", "attack", "total", "hit", "wounds", "drops", "avg. damage")
RIGHT = (2, 3, 4, 5, 6)


class Compared(Struct, frozen=True):
    """The shot under one ruleset, or in one sentence why there is none."""

    id: str
    name: str
    answer: OddsReport | None = None
    reason: str = ""

    @property
    def refusal(self) -> str:
        """Why there is no attack; "" where there may be one."""
        return self.reason or (self.answer.shot.refusal if self.answer else "")


def compare(scene: Scene, rules: Ruleset, question: OddsQuery) -> Compared:
    """The shot under one ruleset; the weapon is of the kind that the battle's unit has in hand.

    Raises:
        Unknown, OffMap, BattleboardError: one of the ends cannot be that; it does not depend on the ruleset.
    """
    find_end(scene.map, question.target)
    if find_end(scene.map, question.attacker).unit is None:
        raise BattleboardError(f"{question.attacker} is a square; name a unit as the attacker.")
    is_own = scene.rules is not None and scene.rules.id == rules.id
    own = next((each.character for each in scene.map.placements if each.character), None)
    if not is_own and own and scene.rules:
        return Compared(rules.id, rules.name, reason=f"{own.name} is a character of {scene.rules.name}.")
    if not is_own:
        question = replace(question, weapon=_weapon(scene, rules, question), action="")
    try:
        answer = preview_odds(scene if is_own else Scene(scene.map, file=scene.file), rules, question)
    except BattleboardError as error:
        return Compared(rules.id, rules.name, reason=first_line(error))
    return Compared(rules.id, rules.name, answer)


def _weapon(scene: Scene, rules: Ruleset, question: OddsQuery) -> str:
    """The first of the unit's weapons that is of the kind it has in hand under the battle's own rules."""
    unit = find_end(scene.map, question.attacker).unit
    if unit is None or unit.role not in rules.units.sheets:
        return ""
    carried = rules.units.sheets[unit.role].weapons
    if scene.battle is None or scene.rules is None or unit.id not in scene.battle.units:
        return carried[0] if carried else ""
    held = scene.rules.gear.weapons.get(question.weapon or scene.battle.units[unit.id].gear.weapon)
    return next((weapon for weapon in carried if held and rules.gear.weapons[weapon].kind == held.kind), "")


def rows_of(compared: Iterable[Compared]) -> list[tuple[str, ...]]:
    """The result of each ruleset, as rows of a table under HEADS."""
    return [_row(one) for one in compared]


def _row(one: Compared) -> tuple[str, ...]:
    if one.answer is None or not one.answer.shot.ledger.is_possible:
        return (one.name, "no attack", "", "", "", "", "")
    shot, rules = one.answer.shot, one.answer.rules
    outlook, situation = shot.outlook, shot.situation
    attack = f"{situation.weapon.label}, {situation.action.label}"
    hurts = ("", "", "")
    if outlook is not None:
        more = "+" if outlook.unsettled else ""
        expected = "" if not outlook.has_damage else number_text(round(outlook.expected, 1)) + more
        hurts = (percent(outlook.hurt) + more, percent(outlook.drop) + more, expected)
    return (one.name, attack, total(rules, shot)[1], percent(shot.odds.hit), *hurts)


def compare_words(compared: Sequence[Compared]) -> list[str]:
    """The table, and below it each ruleset's bill."""
    lines = table([HEADS, *rows_of(compared)], right=RIGHT)
    for one in compared:
        lines += ["", *entries_of(one)]
    return lines


def entries_of(one: Compared) -> list[str]:
    """One ruleset's ledger under its name: every entry, the total, the roll."""
    if one.answer is None:
        return [one.name, f"  No attack. {one.reason}"]
    rules, shot = one.answer.rules, one.answer.shot
    band = f", {shot.ledger.band_label}" if shot.ledger.band_label else ""
    head = f"{one.name}: {shot.situation.distance}{shot.situation.on_map}{band}"
    lines = [head, *table(bill(rules, shot), indent=2, right=(1,))]
    if shot.ledger.is_possible:
        lines.append(f"  {to_roll(shot, rules)}: {chance_to_hit(shot)}.")
    if shot.refusal:
        lines.append(f"  {'Not allowed now' if shot.ledger.is_possible else 'No attack'}: {shot.refusal}")
    return lines


def compare_json(scene: Scene, question: OddsQuery, compared: Sequence[Compared]) -> dict[str, Any]:
    """The same for scripts: for each ruleset what `odds --json` gives."""
    return {
        "attacker": find_end(scene.map, question.attacker).id,
        "target": find_end(scene.map, question.target).id,
        "rulesets": [
            odds_json(one.answer) if one.answer else {"ruleset": one.id, "possible": False, "reason": one.reason}
            for one in compared
        ],
    }
