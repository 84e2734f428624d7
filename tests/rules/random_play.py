"""Fights of random legal commands, and what must hold whatever is done: numbers, places, what is paid.

history = roam(History(start), rules, Random("seed"), commands=40)
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from engine.answers import Given
from engine.battle import command as cmd
from engine.battle import events as ev
from engine.battle.apply import apply
from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_refusals import attack_refusal
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import SetInitiative, SetTurn
from engine.battle.commands.other_actions import possible_targets, refusal
from engine.battle.commands.roster_commands import AddUnit, CopyUnit, RemoveUnit
from engine.battle.commands.ruling_commands import Adjust, SetCover, SetRuling
from engine.battle.commands.scene_commands import SetCloud
from engine.battle.commands.terrain_commands import SetBarrier, SetGround
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import Place, SetAltitude, SetCondition, SetPool, SetPosture
from engine.battle.event_builder import refuse_unless_fits
from engine.battle.magazines import magazine
from engine.battle.moves.movement_modes import MoveOptions
from engine.battle.moves.moves import movement_range
from engine.battle.setup import pools_of
from engine.battle.state.battle import Battle
from engine.battle.state.codec import canonical
from engine.battle.state.units import Unit
from engine.errors import Illegal, Unknown
from engine.geometry.squares import Direction, Square
from engine.journal.history import History, event_rows
from engine.journal.row_kinds import REDO, UNDO
from engine.rules.ledger import Adjustment
from engine.rules.model import SQUARE, Ruleset
from tests.rules.table import defends

TRIES = 60
"""Wishes tried before the turn is ended."""


@dataclass
class Roamed:
    """A fight of random commands: its history, and the rows that a journal would hold, one list for each command."""

    history: History
    rows: list[list[tuple[str, dict[str, Any]]]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    """What was done, for whoever looks for a fault."""


def legal_actions(battle: Battle, rules: Ruleset, unit: Unit) -> list[str]:
    """Ids of the actions that a unit may take now, attacks with what it has in hand among them."""
    others = [action for action in rules.actions.values() if action.kind == "other"]
    moves = [action for action in rules.actions.values() if action.kind == "move"]
    found = [action.id for action in others if not refusal(battle, rules, unit, action)]
    found += [action.id for action in moves if _can_go(battle, rules, unit, action.id)]
    weapon = rules.gear.weapons.get(unit.gear.weapon)
    if weapon is not None:
        fitting = attack_actions(rules, weapon)
        found += [one.id for one in fitting if not attack_refusal(battle, rules, unit, weapon, one)]
    return found


def roam(start: History, rules: Ruleset, chance: Random, commands: int) -> Roamed:
    """Plays so many random commands that are allowed, checking after each of them."""
    roamed = Roamed(start)
    for _ in range(commands):
        if chance.random() < 0.05 and _step_back(roamed, chance):
            continue
        battle = roamed.history.battle
        events = _something(battle, rules, chance, roamed.told)
        if events is None:
            break  # nobody is left to act
        check(battle, events, rules)
        roamed.rows.append(event_rows(events))
        roamed.history = roamed.history.take(events)
    return roamed


def check(battle: Battle, events: tuple[ev.Event, ...], rules: Ruleset) -> None:
    """Asserts what holds after every command: what was paid was there, no number is below 0, all stand somewhere.

    A cost below 0 gives: shots of a burst that are paid for with its first.
    """
    for event in events:
        if isinstance(event, ev.ActionTaken):
            had = battle.unit(event.unit).turn.budget
            for budget, spent in event.spent.items():
                assert spent <= had.get(budget, 0), f"{event} of {dict(had)}"
                assert event.budget[budget] == had.get(budget, 0) - spent
        battle = apply(battle, event)
    for unit in battle.units.values():
        for number in (
            *unit.pools.values(),
            *unit.gear.rounds.values(),
            *unit.turn.budget.values(),
            unit.turn.moved,
            unit.turn.stride,
        ):
            assert number >= 0, unit
        for weapon, rounds in unit.gear.rounds.items():
            assert rounds <= magazine(rules, weapon, unit), unit
        assert unit.gear.weapon == "" or unit.gear.weapon in unit.gear.weapons
        assert unit.altitude >= 0, unit
        assert all(square in battle.field for square in unit.squares), unit
        if not unit.is_defeated:
            refuse_unless_fits(battle, unit, unit.body(battle.field))


def as_on_disk(rows: list[list[tuple[str, dict[str, Any]]]]) -> list[list[tuple[str, dict[str, Any]]]]:
    """Rows as they come back from a file."""
    return [[(kind, body) for kind, body in batch] for batch in json.loads(canonical(rows))]


def _step_back(roamed: Roamed, chance: Random) -> bool:
    """Takes the last command back, or does it again; whether there was one."""
    kind = chance.choice((UNDO, REDO))
    try:
        roamed.history = roamed.history.undo() if kind == UNDO else roamed.history.redo()
    except Illegal:
        return False
    roamed.rows.append([(kind, {})])
    roamed.told.append(kind)
    return True


def _something(battle: Battle, rules: Ruleset, chance: Random, told: list[str]) -> tuple[ev.Event, ...] | None:
    """The events of a random command that is allowed; of the turn's end when none is found."""
    for _ in range(TRIES):
        wish = _wish(battle, rules, chance)
        if wish is None:
            continue
        try:
            events = decide(battle, wish, rules, _defence(rules, wish, chance))
        except (Illegal, Unknown):
            continue
        told.append(repr(wish))
        return events
    try:
        return decide(battle, cmd.EndTurn(), rules)
    except Illegal:
        return None


def _wish(battle: Battle, rules: Ruleset, chance: Random) -> cmd.Command | None:
    unit = battle.unit(battle.turns.active)
    makes = chance.choices((_attack, _move, _act, _ready, _gm, _end), (8, 6, 5, 1, 2, 2))[0]
    return makes(battle, rules, unit, chance)


def _attack(battle: Battle, rules: Ruleset, unit: Unit, chance: Random) -> cmd.Command | None:
    if battle.openings and chance.random() < 0.8:
        opening = chance.choice(battle.openings)
        return cmd.Attack(opening.unit, opening.against)
    weapon = rules.gear.weapons.get(unit.gear.weapon)
    fitting = attack_actions(rules, weapon) if weapon else ()
    if not fitting:
        return None
    action = chance.choice(fitting).id
    others = [other for other in battle.units.values() if other.id != unit.id]
    enemies = [other for other in others if unit.is_enemy_of(other) and not other.is_defeated]
    if not others or chance.random() < 0.2:
        return cmd.Attack(unit.id, "", unit.gear.weapon, action, square=_square(battle, chance, unit.at))
    target = chance.choice(enemies if enemies and chance.random() < 0.9 else others)
    return cmd.Attack(unit.id, target.id, unit.gear.weapon, action, chance.random() < 0.05)


def _defence(rules: Ruleset, wish: cmd.Command, chance: Random) -> Given:
    """What the one attacked does against it, if anything."""
    said = chance.choice([None, "", *(defence.id for defence in rules.attack.defences)])
    return () if said is None or not isinstance(wish, cmd.Attack) else (defends(wish.target, said),)


def _move(battle: Battle, rules: Ruleset, unit: Unit, chance: Random) -> cmd.Command | None:
    moves = [action.id for action in rules.actions.values() if action.kind == "move"]
    action = chance.choice(["", *moves])
    altitude = None
    if unit.can_fly and chance.random() < 0.5:
        altitude = chance.randrange(4) * battle.field.square_size
    try:
        found = movement_range(battle, rules, unit, action, MoveOptions(altitude=altitude))
    except (Illegal, Unknown):
        return None
    goals = sorted({square for reach in found.reaches for square in reach.costs})
    return cmd.Move(unit.id, found.path(chance.choice(goals)), action, altitude) if goals else None


def _act(battle: Battle, rules: Ruleset, unit: Unit, chance: Random) -> cmd.Command | None:
    others = [action for action in rules.actions.values() if action.kind == "other"]
    if not others:
        return None
    action = chance.choice(others)
    if action.target == SQUARE:
        return cmd.Act(unit.id, action.id, square=_square(battle, chance, unit.at))
    near = [other.id for other in possible_targets(battle, rules, unit, action)[:3]] if action.target else [""]
    return cmd.Act(unit.id, action.id, chance.choice(near)) if near else None


def _ready(battle: Battle, rules: Ruleset, unit: Unit, chance: Random) -> cmd.Command | None:
    return Ready(unit.id, chance.choice(unit.gear.weapons)) if unit.gear.weapons else None


def _end(battle: Battle, rules: Ruleset, unit: Unit, chance: Random) -> cmd.Command:
    return cmd.EndTurn()


def _gm(battle: Battle, rules: Ruleset, unit: Unit, chance: Random) -> cmd.Command | None:
    """Something that the Game Master does by hand; who is out of the fight stays out."""
    someone = chance.choice(list(battle.units.values()))
    if someone.is_defeated:
        return None
    match chance.randrange(17):
        case 0:
            pool, full = chance.choice(list(pools_of(rules, someone).items()))
            return SetPool(someone.id, pool, chance.randint(0, full))
        case 1 if rules.units.conditions:
            return SetCondition(someone.id, chance.choice(list(rules.units.conditions)), chance.random() < 0.7)
        case 2:
            return SetPosture(someone.id, chance.choice(("standing", "kneeling", "prone")))
        case 3:
            return Place(someone.id, _square(battle, chance, someone.at))
        case 4:
            return Face(someone.id, chance.choice(tuple(Direction)))
        case 5 if battle.field.barriers:
            edge = chance.choice(list(battle.field.barriers))
            return SetBarrier(edge, chance.choice(("open", "closed", "locked", "broken")))
        case 6:
            return SetCloud(_square(battle, chance, someone.at), chance.randint(0, 2), rounds=chance.randint(0, 3))
        case 7 if someone.can_fly:
            return SetAltitude(someone.id, chance.randrange(5) * battle.field.square_size)
        case 8:
            return Adjust(Adjustment("gm-1", "GM", chance.randint(-3, 3), True, "", chance.random() < 0.2))
        case 9 if rules.rulings:
            ruling = chance.choice(list(rules.rulings.values()))
            return SetRuling(ruling.id, chance.choice(ruling.choices or (ruling.value,)))
        case 10:
            return SetInitiative(someone.id, chance.randint(1, 60))
        case 11 if len(battle.units) < 40:
            return AddUnit(someone.role, someone.side, someone.at, count=2)
        case 12 if sum(not other.is_defeated for other in battle.units.values()) > 4:
            return RemoveUnit(someone.id)
        case 13:
            return SetTurn(someone.id)
        case 14:
            return SetGround((_square(battle, chance, someone.at),), chance.choice(battle.field.legend))
        case 15:
            share = chance.choice((None, Fraction(0), Fraction(1, 2), Fraction(1)))
            return SetCover(unit.id, someone.id, share, "heavy", chance.random() < 0.2)
        case 16 if len(battle.units) < 40:
            return CopyUnit(someone.id, someone.at)
    return None


def _square(battle: Battle, chance: Random, near: Square) -> Square:
    """A square of the map, mostly one nearby."""
    field = battle.field
    if chance.random() < 0.2:
        return Square(chance.randrange(field.columns), chance.randrange(field.rows))
    column, row = near.column + chance.randint(-8, 8), near.row + chance.randint(-8, 8)
    return Square(min(max(column, 0), field.columns - 1), min(max(row, 0), field.rows - 1))


def _can_go(battle: Battle, rules: Ruleset, unit: Unit, action: str) -> bool:
    try:
        return any(reach.costs for reach in movement_range(battle, rules, unit, action).reaches)
    except Illegal:
        return False
