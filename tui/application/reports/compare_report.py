"""The report on one shot under every ruleset, side by side: what modifiers each adds up, and the result.

Units keep their roles, of which every ruleset has a sheet; a character of one ruleset takes the role of the same kind
under the others. A battle's own ruleset is asked about the battle as it is, the others about the same ground with
everybody fresh.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.battle.narration.preview_text import chance_to_hit, to_roll
from engine.battle.state.battle import Battle
from engine.battle.state.units import Placement
from engine.dice.dice_text import number as number_text
from engine.dice.dice_text import percent
from engine.errors import BattleboardError, first_line
from engine.rules.model import Ruleset
from engine.values import replace
from tui.application.reports.endpoints import find_end
from tui.application.reports.odds_report import OddsQuery, OddsReport, bill, odds_json, preview_odds, total
from tui.application.reports.report_scene import Scene
from tui.application.terminal.output import table

HEADS = ("", "attack", "total", "hit", "wounds", "drops", "avg. damage")
RIGHT = (2, 3, 4, 5, 6)


class Compared(Struct, frozen=True):
    """The shot under one ruleset, or in one sentence why there is none."""

    id: str
    name: str
    answer: OddsReport | None = None
    reason: str = ""
    roles: Mapping[str, str] = {}
    """By the name of a character of another ruleset that attacks or is the target: the role that it takes here."""

    @property
    def refusal(self) -> str:
        """Why there is no attack; "" where there may be one."""
        return self.reason or (self.answer.shot.refusal if self.answer else "")

    @property
    def roles_words(self) -> str:
        """Who takes which role: "Anna Vale as Rifleman, Bo Ram as Gunman"; "" where nobody has to."""
        return ", ".join(f"{name} as {role}" for name, role in self.roles.items())


def compare(scene: Scene, rules: Ruleset, question: OddsQuery) -> Compared:
    """The shot under one ruleset; the weapon is of the kind that the battle's unit has in hand.

    Raises:
        Unknown, OffMap, BattleboardError: one of the ends cannot be that; it does not depend on the ruleset.
    """
    find_end(scene.map, question.target)
    if find_end(scene.map, question.attacker).unit is None:
        raise BattleboardError(f"{question.attacker} is a square; name a unit as the attacker.")
    is_own = scene.rules is not None and scene.rules.id == rules.id
    roles: Mapping[str, str] = {}
    if not is_own:
        ends = [found.id for name in (question.attacker, question.target) if (found := find_end(scene.map, name).unit)]
        there = _with_roles(scene, rules)
        known = rules.units.sheets
        changed = [one for one, was in zip(there.map.placements, scene.map.placements, strict=True) if one is not was]
        roles = {one.name: known[one.role].label for one in changed if one.id in ends}
        question = replace(question, weapon=_weapon(there, rules, question), action="")
    try:
        answer = preview_odds(scene if is_own else Scene(there.map, file=scene.file), rules, question)
    except BattleboardError as error:
        return Compared(rules.id, rules.name, reason=first_line(error), roles=roles)
    return Compared(rules.id, rules.name, answer, roles=roles)


def _with_roles(scene: Scene, rules: Ruleset) -> Scene:
    """The scene under another ruleset: its characters in the role of the same kind, as far as their own rules tell."""
    own = scene.rules
    if own is None:
        return scene
    placements = tuple(
        replace(one, role=role_alike(one, own, rules, scene.battle), character_file="", character=None, stats=())
        if one.character
        else one
        for one in scene.map.placements
    )
    return replace(scene, map=replace(scene.map, placements=placements))


def role_alike(unit: Placement, own: Ruleset, rules: Ruleset, battle: Battle | None = None) -> str:
    """The role under other rules that is most like a character: its own role where it has one there.

    Else of the roles that both rulesets have the first of those that share most with it: the weapon in hand first,
    other weapons, the kind of weapon in hand.
    """
    if unit.role in rules.units.sheets:
        return unit.role
    carried = unit.character.weapons if unit.character else ()
    held = battle.units[unit.id].gear.weapon if battle and unit.id in battle.units else next(iter(carried), "")
    kinds = {id: weapon.kind for id, weapon in own.gear.weapons.items()}

    def likeness(role: str) -> tuple[bool, int, bool]:
        weapons = own.units.sheets[role].weapons
        first = weapons[0] if weapons else ""
        return first == held, len({*weapons} & {*carried}), kinds.get(first) == kinds.get(held)

    shared = [role for role in own.units.sheets if role in rules.units.sheets] or [*rules.units.sheets]
    return max(shared, key=likeness) if shared[0] in own.units.sheets else shared[0]


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
    lines = [head, *([f"  {one.roles_words}"] if one.roles else []), *table(bill(rules, shot), indent=2, right=(1,))]
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
            (odds_json(one.answer) if one.answer else {"ruleset": one.id, "possible": False, "reason": one.reason})
            | ({"roles": dict(one.roles)} if one.roles else {})
            for one in compared
        ],
    }
