"""Options: what a unit may do now, as commands, each with its price or with why it is refused.

    [option.command for option in options(battle, rules, unit) if option.is_allowed]

It is to a battle what `legal_moves` is to a board of chess: menus, suggestions, opponents and players' seats read it.
The commands are those that the unit's player may give without the Game Master's leave. A command that is not listed is
refused, too: `decide` takes one if and only if it is here without a refusal. Aims at squares are listed on demand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Generic, TypeVar

from msgspec import Struct

from engine.answers import Ask, GivenAnswer
from engine.battle.attacks.attack_choices import attack_action, attack_actions, attacks_in_hand, weapon_of
from engine.battle.attacks.attack_preview import AttackPreview, permitted
from engine.battle.attacks.attack_refusals import price_on_anybody, refuse_unless_in_hand
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.command import Act, Attack, Command, Deciding, EndTurn, Move
from engine.battle.commands.order_commands import Delay, SetTurn, delayed
from engine.battle.commands.other_actions import (
    declarable,
    declared_attack,
    facts_unless_refused,
    possible_targets,
    takes_square,
)
from engine.battle.commands.unit_actions import RESOLVERS, Face, Ready
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
from engine.battle.moves.moves import (
    NO,
    YES,
    MoveAsk,
    Range,
    Stride,
    movement_range,
    no_move_left,
    refuse_unless_payable,
    strides,
)
from engine.battle.seats import ONLY_THE_GM
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.turns.turn_order import may_be_next
from engine.dice.sources import TableSource
from engine.errors import BattleboardError, Illegal
from engine.geometry.squares import Direction, Square
from engine.rules.model import SQUARE, Action, Ruleset

Price = Mapping[str, int]
"""What an option costs, by the ruleset's budgets; empty for nothing, or where that is not known: it is refused before,
or rests on the target of what is done to nobody yet."""


Listed = TypeVar("Listed", bound=Command, covariant=True)
Tried = TypeVar("Tried", bound=Command)


class Option(Struct, Generic[Listed], frozen=True):
    """One command that a unit's player could give now."""

    command: Listed
    cost: Price = {}
    refusal: BattleboardError | None = None
    """Why it is refused; None where it is not."""
    shot: AttackPreview | None = None
    """Of an attack that is not refused: its situation, ledger and odds."""

    @property
    def is_allowed(self) -> bool:
        return self.refusal is None

    @property
    def hit(self) -> Fraction:
        """The chance of an attack to hit; 0 of one that is refused, and of what is no attack."""
        return self.shot.odds.hit if self.shot else Fraction(0)


class MoveOption(Struct, frozen=True):
    """A move that a unit could make now, and where it leads."""

    unit: str
    action: Action
    cost: Price = {}
    """Nothing where it is paid for already."""
    refusal: BattleboardError | None = None
    strides: tuple[Stride, ...] = ()
    """What is paid for first, then what it pays for; none where it is refused."""
    range: Range | None = None
    """Everywhere it leads, with the paths; None where it is refused, or that was not asked for."""

    @property
    def is_allowed(self) -> bool:
        return self.refusal is None

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


def options(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[Option[Command]]:
    """All options of a unit but its moves and aims at squares: attacks, acts, weapons, facings, delays, who acts next.

    The next is computed on demand.
    """
    yield from attacks(battle, rules, unit)
    yield from acts(battle, rules, unit)
    yield from readies(battle, rules, unit)
    yield from facings(battle, rules, unit)
    yield from delays(battle, rules, unit)
    yield from next_turns(battle, rules, unit)
    yield end(battle, unit)


def attacks(
    battle: Battle,
    rules: Ruleset,
    unit: Unit,
    *,
    weapons: Iterable[str] | None = None,
    actions: Collection[str] | None = None,
    targets: Iterable[str] | None = None,
    squares: Iterable[Square] = (),
) -> Iterator[Option[Attack]]:
    """Attacks of a unit: each of its weapons with each attack that works with it on each target.

    Args:
        battle: now.
        rules: the ruleset.
        unit: who attacks.
        weapons: ids of some of its weapons; None for all, the innate ones last.
        actions: ids of some attacks; None for all.
        targets: ids of units; None for all others.
        squares: to aim at in place of units, for attacks that burst, sweep an area or are at a square.
    """
    others = [one for one in battle.units if one != unit.id] if targets is None else [*targets]
    aims = [*((other, None) for other in others), *(("", square) for square in squares)]
    for weapon in own_weapons(rules, unit) if weapons is None else weapons:
        for action in attack_actions(rules, rules.gear.weapons[weapon]):
            if actions is None or action.id in actions:
                yield from (
                    attack_option(battle, rules, Attack(unit.id, target, weapon, action.id, square=square))
                    for target, square in aims
                )


def on_anybody(battle: Battle, rules: Ruleset, unit: Unit, weapon: str = "") -> Iterator[Option[Attack]]:
    """The attacks of a unit with a weapon, else with what it has in hand, on nobody yet (see `attack_option`)."""
    for action in attacks_in_hand(rules, unit, weapon):
        yield attack_option(battle, rules, Attack(unit.id, "", weapon, action.id))


def attack_option(battle: Battle, rules: Ruleset, attack: Attack, *, in_any_turn: bool = False) -> Option[Attack]:
    """The option of one attack; of one without a target, whether there may be one, and the price on any target.

    `in_any_turn` only what makes it impossible refuses it: not whose turn it is, nor what its attacker has left.
    """
    try:
        if not in_any_turn:
            _refuse_unless_begun(battle)
        if not attack.target and attack.square is None:
            return Option(attack, _price_on_anybody(battle, rules, attack))
        shot = permitted(battle, rules, attack, in_any_turn=in_any_turn)
    except BattleboardError as refusal:
        return Option(attack, refusal=refusal)
    own = costs(shot.situation.action.cost, shot.situation.facts)
    return Option(attack, own if shot.permission is None else shot.permission.cost, shot=shot)


def _price_on_anybody(battle: Battle, rules: Ruleset, attack: Attack) -> Price:
    """The price of an attack on any target.

    Raises:
        BattleboardError: it may be made on nobody.
    """
    unit = battle.unit(attack.unit)
    weapon = weapon_of(rules, unit, attack.weapon)
    action = attack_action(rules, unit, weapon, attack.action)
    refuse_unless_in_hand(battle, rules, unit, weapon)
    return price_on_anybody(battle, rules, unit, weapon, action)


def acts(
    battle: Battle,
    rules: Ruleset,
    unit: Unit,
    *,
    actions: Collection[str] | None = None,
    targets: Iterable[str] | None = None,
    squares: Iterable[Square] = (),
) -> Iterator[Option[Act]]:
    """Acts of a unit: alone, on each unit, or at some squares; with each attack that one may declare with it.

    Args:
        battle: now.
        rules: the ruleset.
        unit: who acts.
        actions: ids of some acts; None for all.
        targets: ids of units, or "" for nobody yet: whether there is a target, else what the nearest lacks; None for
            all that an act is for, the nearest first.
        squares: for acts at a square, and for those on a unit that may name one too.
    """
    wanted, places = None if targets is None else [*targets], [*squares]
    for action in rules.actions.values():
        if action.kind != "other" or (actions is not None and action.id not in actions):
            continue
        aims: list[tuple[str, Square | None]] = [("", None)]
        if action.target == SQUARE:
            aims = [("", square) for square in places]
        elif action.is_directed:
            aims += [("", square) for square in places]
        elif action.target:
            able = wanted
            if able is None:
                able = [other.id for other in possible_targets(battle, rules, unit, action)]
            aims = [(other, None) for other in able]
            if takes_square(action):
                aims += [(other, square) for other in able if other for square in places]
        declared = [attack.id for attack in declarable(rules, unit, action)] or [""]
        for target, square in aims:
            refusal, cost = _act(battle, rules, unit, action, target, square)
            for attack in declared:
                yield Option(Act(unit.id, action.id, target, square, attack), cost, refusal)


def _act(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action, target: str, square: Square | None
) -> tuple[BattleboardError | None, Price]:
    if action.target not in ("", SQUARE) and not target:
        return _act_on_anybody(battle, rules, unit, action)
    try:
        _refuse_unless_begun(battle)
        facts = facts_unless_refused(battle, rules, unit, action, target, square)
        if not declarable(rules, unit, action):
            declared_attack(rules, unit, action, "")
    except BattleboardError as refusal:
        return refusal, {}
    return None, costs(action.cost, facts)


def _act_on_anybody(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action
) -> tuple[BattleboardError | None, Price]:
    """Why an act can be done to nobody, as the nearest says; its price on any target."""
    why: BattleboardError | None = None
    for option in acts(battle, rules, unit, actions=[action.id]):
        if option.is_allowed:
            return None, costs(action.cost, action_facts(battle, rules, unit, action))
        why = why or option.refusal
    return why or Illegal("target", f"“{action.label}” has no valid target.", "no valid target"), {}


def moves(battle: Battle, rules: Ruleset, unit: Unit, *, with_range: bool = True) -> list[MoveOption]:
    """The moves of a unit, each by itself, at its present altitude; where they lead only `with_range`."""
    known = [action for action in rules.actions.values() if action.kind == "move"]
    return [_move(battle, rules, unit, action, with_range=with_range) for action in known]


def _move(battle: Battle, rules: Ruleset, unit: Unit, action: Action, *, with_range: bool) -> MoveOption:
    try:
        _refuse_unless_begun(battle)
        refuse_unless_turn(battle, unit, rules)
        refuse_unless_payable(battle, rules, unit, action.id)
        found = movement_range(battle, rules, unit, action.id) if with_range else None
        able = strides(battle, rules, unit, action.id) if found is None else found.strides
        if not able:
            raise no_move_left(battle, rules, unit, action.id)
    except BattleboardError as refusal:
        return MoveOption(unit.id, action, refusal=refusal)
    price = {} if able[0].is_paid else costs(action.cost, action_facts(battle, rules, unit, action))
    return MoveOption(unit.id, action, price, strides=able, range=found)


def readies(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[Option[Ready]]:
    """Each other weapon that a unit carries or has by nature, to take it in hand."""
    for weapon in own_weapons(rules, unit):
        yield _tried(battle, rules, Ready(unit.id, weapon))


def facings(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[Option[Face]]:
    """Each direction in which the unit could turn on the spot; out of its turn the Game Master turns it."""
    for direction in Direction:
        command = Face(unit.id, direction)
        if command.needs_leave(battle, rules):
            yield Option(command, refusal=Illegal("seat", ONLY_THE_GM))
        else:
            yield _tried(battle, rules, command)


def _tried(battle: Battle, rules: Ruleset, command: Tried) -> Option[Tried]:
    """The option of a command that is cheap to decide."""
    try:
        refuse_if_finished(battle)
        events = command.decide(Deciding(battle, rules, TableSource(), RESOLVERS))
    except BattleboardError as refusal:
        return Option(command, refusal=refusal)
    return Option(command, next((event.spent for event in events if isinstance(event, ActionTaken)), {}))


def delays(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[Option[Delay]]:
    """To delay the unit's turn until after that of each other unit."""
    for other in (one for one in battle.units if one != unit.id):
        command = Delay(unit.id, other)
        try:
            delayed(battle, rules, unit.id, other)
        except BattleboardError as refusal:
            yield Option(command, refusal=refusal)
        else:
            yield Option(command)


def next_turns(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[Option[SetTurn]]:
    """The others of its side who may act now in the unit's place, where its side chooses who does."""
    able = may_be_next(battle, rules)
    own = [other for other in able if battle.units[other].side == unit.side]
    yield from (Option(SetTurn(other)) for other in own if able[0] == unit.id != other)


def answers(ask: Ask) -> tuple[GivenAnswer, ...]:
    """The answers to an open question (`Needs.ask`), that to do nothing first; none to a roll, which the seed makes.

    What each costs and is good for stands in the question, as in `DefenceAsk.options`.
    """
    match ask:
        case DefenceAsk(options=offered):
            return (ask.answer(""), *(ask.answer(one.id) for one in offered))
        case MoveAsk():
            return ask.answer(NO), ask.answer(YES)
    return ()


def end(battle: Battle, unit: Unit) -> Option[EndTurn]:
    """The end of the unit's turn."""
    try:
        _refuse_unless_begun(battle)
        refuse_unless_active(battle, unit)
    except BattleboardError as refusal:
        return Option(EndTurn(), refusal=refusal)
    return Option(EndTurn())


def is_listed(battle: Battle, rules: Ruleset, command: Command) -> bool:
    """Whether a command can be an option, now or later; of other kinds than attacks and acts every command can.

    An attack must work with its weapon, or where none is named with one that its unit has; an act must be for its
    target.
    """
    match command:
        case Attack(unit=unit, weapon=weapon, action=action) if action:
            weapons = [weapon] if weapon else own_weapons(rules, battle.unit(unit))
            return any(rules.actions[action] in attack_actions(rules, rules.gear.weapons[one]) for one in weapons)
        case Act(unit=unit, action=action, target=target) if target:
            able = possible_targets(battle, rules, battle.unit(unit), rules.actions[action])
            return any(one.id == target for one in able)
    return True


def _refuse_unless_begun(battle: Battle) -> None:
    """Raises Illegal before the first turn and after the battle."""
    refuse_if_finished(battle)
    refuse_in_set_up(battle)
