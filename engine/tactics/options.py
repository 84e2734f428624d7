"""Options: what a unit may do now, as commands, each with its price or with why it is refused.

    [option.command for option in options(battle, rules, unit) if option.is_allowed]

It is to a battle what `legal_moves` is to a board of chess: menus, suggestions, opponents and players' seats read it.
The commands are those that the unit's player may give without the Game Master's leave. A command that is not listed is
refused, too: `decide` takes one if and only if it is here without a refusal. Aims at squares are listed on demand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import AttackPreview, permitted
from engine.battle.command import Act, Attack, Command, Deciding, EndTurn, Move
from engine.battle.commands.order_commands import Delay, delayed
from engine.battle.commands.other_actions import (
    declarable,
    declared_attack,
    facts_unless_refused,
    takes_square,
)
from engine.battle.commands.unit_actions import Ready
from engine.battle.event_builder import (
    costs,
    refuse_if_finished,
    refuse_in_set_up,
    refuse_unless_active,
    refuse_unless_turn,
)
from engine.battle.events import ActionTaken
from engine.battle.facts import action_facts
from engine.battle.gear import own_weapons
from engine.battle.moves.moves import Range, movement_range, no_move_left, refuse_unless_payable
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.dice.sources import TableSource
from engine.errors import BattleboardError, Illegal
from engine.geometry.squares import Square
from engine.rules.model import SQUARE, Action, Ruleset

Price = Mapping[str, int]
"""What an option costs, by the ruleset's budgets; empty for nothing, or where it is refused before that is known."""


class Option(Struct, frozen=True):
    """One command that a unit's player could give now."""

    command: Command
    cost: Price = {}
    refusal: BattleboardError | None = None
    """Why it is refused; None where it is not."""
    shot: AttackPreview | None = None
    """Of an attack that is not refused: its situation, ledger and odds."""

    @property
    def is_allowed(self) -> bool:
        return self.refusal is None


class MoveOption(Struct, frozen=True):
    """A move that a unit could make now, and where it leads."""

    unit: str
    action: Action
    cost: Price = {}
    """Nothing where it is paid for already."""
    refusal: BattleboardError | None = None
    range: Range | None = None
    """Everywhere it leads, with the paths; None where it is refused."""

    def squares(self) -> Iterator[Square]:
        """The squares that it leads to, but for those of the start."""
        if self.range is not None:
            for reach in self.range.reaches:
                yield from (square for square in reach.costs if square != self.range.start)

    def to(self, square: Square) -> Move:
        """The command for the best path to a square.

        Raises:
            Illegal: it does not lead there.
        """
        if self.range is None:
            raise Illegal("reach", f"{square.name} is out of reach this turn.")
        return Move(self.unit, self.range.path(square), self.action.id)


def options(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[Option]:
    """All options of a unit but its moves and aims at squares: attacks, acts, weapons to ready, delays, the turn's end.

    The next is computed on demand.
    """
    yield from attacks(battle, rules, unit)
    yield from acts(battle, rules, unit)
    yield from readies(battle, rules, unit)
    yield from delays(battle, rules, unit)
    yield end(battle, unit)


def attacks(
    battle: Battle,
    rules: Ruleset,
    unit: Unit,
    *,
    weapons: Iterable[str] | None = None,
    targets: Iterable[str] | None = None,
    squares: Iterable[Square] = (),
) -> Iterator[Option]:
    """Attacks of a unit: each of its weapons with each attack that works with it on each target.

    Args:
        battle: now.
        rules: the ruleset.
        unit: who attacks.
        weapons: ids of some of its weapons; None for all, the innate ones last.
        targets: ids of units; None for all others.
        squares: to aim at in place of units, for attacks that burst, sweep an area or are at a square.
    """
    others = [one for one in battle.units if one != unit.id] if targets is None else [*targets]
    aims = [*((other, None) for other in others), *(("", square) for square in squares)]
    for weapon in own_weapons(rules, unit) if weapons is None else weapons:
        for action in attack_actions(rules, rules.gear.weapons[weapon]):
            yield from (
                _attack(battle, rules, Attack(unit.id, target, weapon, action.id, square=square))
                for target, square in aims
            )


def _attack(battle: Battle, rules: Ruleset, attack: Attack) -> Option:
    try:
        _refuse_unless_begun(battle)
        shot = permitted(battle, rules, attack)
    except BattleboardError as refusal:
        return Option(attack, refusal=refusal)
    own = costs(shot.situation.action.cost, shot.situation.facts)
    return Option(attack, own if shot.permission is None else shot.permission.cost, shot=shot)


def acts(battle: Battle, rules: Ruleset, unit: Unit, *, squares: Iterable[Square] = ()) -> Iterator[Option]:
    """Acts of a unit: alone, on each other unit, or at some squares; with each attack that one may declare with it."""
    places = [*squares]
    for action in rules.actions.values():
        if action.kind != "other":
            continue
        aims: list[tuple[str, Square | None]] = [("", None)]
        if action.target == SQUARE:
            aims = [("", square) for square in places]
        elif action.target:
            others = [other for other in battle.units if other != unit.id]
            aims = [(other, square) for other in others for square in (None, *(places if takes_square(action) else ()))]
        declared = [attack.id for attack in declarable(rules, unit, action)] or [""]
        for target, square in aims:
            refusal, cost = _act(battle, rules, unit, action, target, square)
            for attack in declared:
                yield Option(Act(unit.id, action.id, target, square, attack), cost, refusal)


def _act(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action, target: str, square: Square | None
) -> tuple[BattleboardError | None, Price]:
    try:
        _refuse_unless_begun(battle)
        facts = facts_unless_refused(battle, rules, unit, action, target, square)
        if not declarable(rules, unit, action):
            declared_attack(rules, unit, action, "")
    except BattleboardError as refusal:
        return refusal, {}
    return None, costs(action.cost, facts)


def moves(battle: Battle, rules: Ruleset, unit: Unit) -> list[MoveOption]:
    """The moves of a unit, each by itself, at the altitude that it has."""
    return [_move(battle, rules, unit, action) for action in rules.actions.values() if action.kind == "move"]


def _move(battle: Battle, rules: Ruleset, unit: Unit, action: Action) -> MoveOption:
    try:
        _refuse_unless_begun(battle)
        refuse_unless_turn(battle, unit, rules)
        refuse_unless_payable(battle, rules, unit, action.id)
        found = movement_range(battle, rules, unit, action.id)
        if not found.strides:
            raise no_move_left(battle, rules, unit, action.id)
    except BattleboardError as refusal:
        return MoveOption(unit.id, action, refusal=refusal)
    is_paid = found.strides[0].is_paid
    price = {} if is_paid else costs(action.cost, action_facts(battle, rules, unit, action))
    return MoveOption(unit.id, action, price, range=found)


def readies(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[Option]:
    """Each other weapon that a unit carries or has by nature, to take it in hand."""
    for weapon in own_weapons(rules, unit):
        command = Ready(unit.id, weapon)
        try:
            events = command.decide(Deciding(battle, rules, TableSource()))
        except BattleboardError as refusal:
            yield Option(command, refusal=refusal)
        else:
            yield Option(command, next((event.spent for event in events if isinstance(event, ActionTaken)), {}))


def delays(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[Option]:
    """To delay the unit's turn until after that of each other unit."""
    for other in (one for one in battle.units if one != unit.id):
        command = Delay(unit.id, other)
        try:
            delayed(battle, rules, unit.id, other)
        except BattleboardError as refusal:
            yield Option(command, refusal=refusal)
        else:
            yield Option(command)


def end(battle: Battle, unit: Unit) -> Option:
    """The end of the unit's turn."""
    try:
        _refuse_unless_begun(battle)
        refuse_unless_active(battle, unit)
    except BattleboardError as refusal:
        return Option(EndTurn(), refusal=refusal)
    return Option(EndTurn())


def _refuse_unless_begun(battle: Battle) -> None:
    """Raises Illegal before the first turn and after the battle."""
    refuse_if_finished(battle)
    refuse_in_set_up(battle)
