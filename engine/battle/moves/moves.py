"""Moves: how far a unit may go with which action, and walking a path.

A move action buys a stride of so many squares. What is left of the stride may be walked later in the turn, before
another action is paid for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct

from engine.answers import Ask, GivenAnswer, Needs
from engine.battle import events as ev
from engine.battle.attacks.contested_reactions import split_by_contest
from engine.battle.attacks.explosives import trodden
from engine.battle.attacks.reactions import MoveReactions, ProvokedReaction, draws, give_openings, is_able
from engine.battle.attacks.resolve_effects import act
from engine.battle.command import Deciding, Move, held_command
from engine.battle.defence_choices import Choices
from engine.battle.distances import adjacent_enemies, in_squares, new_altitude
from engine.battle.event_builder import (
    EventBuilder,
    costs,
    is_left,
    refuse_below_ground,
    refuse_unless_affordable,
    refuse_unless_met,
    refuse_unless_turn,
)
from engine.battle.facts import action_facts
from engine.battle.moves.movement_modes import AS_IT_IS, MoveOptions, bands_apart, in_manner
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.wording import price_words
from engine.dice.sources import DiceSource
from engine.errors import Illegal, Unknown
from engine.geometry.battlefield import Battlefield
from engine.geometry.movement.best_path import Provoked, best_path, names_provoked, provokes_nothing, turns
from engine.geometry.movement.paths import doors_opened, path_cost, path_through
from engine.geometry.movement.reach import Arrival, Reach, reach
from engine.geometry.movement.steps import MoveRules, refusal_to_end
from engine.geometry.squares import Direction, Edge, Square
from engine.geometry.straight_lines import is_straight, straight_path
from engine.rules.expressions import shown
from engine.rules.formula_values import number
from engine.rules.model import Action, Ruleset
from engine.text import lower_first, upper_first
from engine.values import replace


class Stride(Struct, frozen=True):
    """One possible move: an action, the squares it gives, and whether it is already paid."""

    action: Action
    squares: Fraction
    is_paid: bool


class Approach(Struct, frozen=True):
    """One way to end a move in a straight line: where the line begins, how the move arrives there, and the line."""

    arrivals: tuple[Arrival, ...]
    line: tuple[Square, ...]
    """From its first square to the goal."""


class StraightReach(Struct, frozen=True):
    """Reach along straight lines within one budget, or by paths that end in one."""

    costs: Mapping[Square, Fraction]
    within: Reach
    approaches: Mapping[Square, tuple[Approach, ...]]
    """For each square those that cost the least."""

    def path(self, goal: Square, provoked: Provoked = provokes_nothing) -> tuple[Square, ...]:
        """The cheapest such path there that provokes least and turns least often."""
        paths = (
            best_path(
                [{self.within.is_odd: self.within.leg(one.arrivals, one.line[1:])}],
                provoked,
                self.within.is_odd,
                one.line[1:],
            )
            for one in self.approaches[goal]
        )
        return min(paths, key=lambda path: (len(names_provoked(path, provoked)), turns(path)))


class PlannedPath(Struct, frozen=True):
    """One path, before it is committed."""

    stride: Stride
    path: tuple[Square, ...]
    """The start first."""
    cost: Fraction
    """In squares, rising and sinking included."""
    doors: tuple[Edge, ...]
    """Closed doors that are opened on it."""
    reactions: tuple[ProvokedReaction, ...]
    """What it provokes."""


class Range(Struct, frozen=True):
    """Everywhere a unit can go now, by the first stride that leads there."""

    start: Square
    strides: tuple[Stride, ...]
    reaches: tuple[Reach | StraightReach, ...]
    reactions: tuple[MoveReactions, ...]
    """What the steps of each may provoke."""

    def stride_to(self, square: Square) -> int | None:
        """Index of the first stride that reaches a square; None when none does."""
        return next((index for index, found in enumerate(self.reaches) if square in found.costs), None)

    def path(self, square: Square) -> tuple[Square, ...]:
        """The cheapest path there that provokes the fewest reactions, with the fewest turns.

        Raises:
            Illegal: no move reaches it.
        """
        index = self.stride_to(square)
        if index is None:
            raise Illegal("reach", f"{square.name} is out of reach this turn.")
        return self.reaches[index].path(square, self.reactions[index].provoked)


def strides(battle: Battle, rules: Ruleset, unit: Unit, action_id: str = "") -> tuple[Stride, ...]:
    """Moves that the unit could make now, what is paid for first, then the ruleset's order.

    Args:
        battle: now.
        rules: the ruleset.
        unit: who moves.
        action_id: the move to make. Without one, those that do nothing but move; a run or a charge is chosen by name.
    """
    found = []
    paid = rules.actions.get(unit.turn.stride_action)
    if unit.turn.stride > 0 and paid is not None and action_id in ("", paid.id):
        found.append(Stride(paid, min(unit.turn.stride, _allowance(battle, rules, unit, paid)), True))
    for action in moves_meant(rules, action_id):
        try:
            refuse_unless_affordable(unit, action, action_facts(battle, rules, unit, action), rules)
        except Illegal:
            continue
        found.append(Stride(action, _allowance(battle, rules, unit, action), False))
    return tuple(found)


def moves_meant(rules: Ruleset, action_id: str = "") -> list[Action]:
    """The move of that id; without one, those that do nothing but move."""
    moves = [action for action in rules.actions.values() if action.kind == "move"]
    if action_id:
        return [action for action in moves if action.id == action_id]
    return [action for action in moves if not (action.effects or action.is_straight or action.straight_last)]


def movement_range(
    battle: Battle, rules: Ruleset, unit: Unit, action_id: str = "", manner: MoveOptions = AS_IT_IS
) -> Range:
    """Everywhere the unit can go now, for the board to tint; `action_id` as for `strides`.

    A flyer that changes its altitude climbs or descends first, then moves with what is left of each stride.

    Raises:
        Illegal: it may not act now, or cannot be at that altitude.
        Unknown: the ruleset has no such mode.
    """
    refuse_unless_turn(battle, unit, rules)
    how, lift = in_manner(battle, rules, unit, manner)
    bands = bands_apart(battle, rules, unit, manner.altitude)
    lifted = tuple(
        replace(stride, squares=stride.squares - lift)
        for stride in strides(battle, rules, unit, action_id)
        if stride.squares >= lift and _may_change(stride, bands)
    )
    mover = unit if manner.altitude is None else replace(unit, altitude=manner.altitude)
    reactions = tuple(MoveReactions(battle, rules, mover, stride.action, _passed(unit, stride)) for stride in lifted)
    return Range(unit.at, lifted, tuple(_reach(battle, unit, stride, how) for stride in lifted), reactions)


def _passed(unit: Unit, stride: Stride) -> tuple[str, ...]:
    """Reactions that the same move has provoked already, where it goes on."""
    return unit.turn.drawn_by_move if stride.is_paid else ()


def plan_path(
    battle: Battle,
    rules: Ruleset,
    unit: Unit,
    stops: Sequence[Square],
    action_id: str = "",
    manner: MoveOptions = AS_IT_IS,
) -> PlannedPath:
    """The best path through several squares to the last of them, by the first stride that leads there.

    Of the cheapest paths it is one that provokes the fewest reactions, and of those one with the fewest turns.

    Args:
        battle, rules, unit, action_id, manner: as for `movement_range`.
        stops: waypoints in order, the goal last.

    Raises:
        Illegal: no stride leads there; what stops the longest is said, of several waypoints the first that fails.
        Unknown: the ruleset has no such mode.
    """
    found = movement_range(battle, rules, unit, action_id, manner)
    how, lift = in_manner(battle, rules, unit, manner)
    refused, furthest = no_move_left(battle, rules, unit, action_id), Fraction(-1)
    for stride, reached, reactions in zip(found.strides, found.reaches, found.reactions, strict=True):
        try:
            path = _path_through(battle.field, stops, stride, reached, how, unit.turn.odd_diagonals, reactions)
        except Illegal as reason:
            if stride.squares > furthest:
                refused, furthest = reason, stride.squares
            continue
        cost = path_cost(battle.field, path, how, unit.turn.odd_diagonals) + lift
        return PlannedPath(stride, path, cost, doors_opened(battle.field, path, how), reactions.along(path))
    if refused.reason == "out of reach" and (number := _moves_needed(battle, rules, unit, stops, found.strides, how)):
        words = f"{stops[-1].name} is out of reach of one move; {number} moves get there: move part of the way first."
        raise Illegal("out of reach", words)
    raise refused


def _moves_needed(
    battle: Battle, rules: Ruleset, unit: Unit, stops: Sequence[Square], found: Sequence[Stride], how: MoveRules
) -> int:
    """How many moves that the unit can pay for, one after the other, lead to the last of some squares; 0 for none."""
    spent, squares, number = dict[str, int](), Fraction(0), 0
    for stride in (one for one in found for _ in range(MOST_MOVES)):
        if not stride.is_paid:
            cost = costs(stride.action.cost, action_facts(battle, rules, unit, stride.action))
            together = {budget: spent.get(budget, 0) + amount for budget, amount in cost.items()}
            if not any(amount > 0 for amount in cost.values()) or not is_left(unit, together):
                continue
            spent |= together
        elif number:
            continue
        squares, number = squares + stride.squares, number + 1
        with suppress(Illegal):
            path_through(battle.field, (unit.at, *stops), squares, how, unit.turn.odd_diagonals)
            return number
    return 0


def _path_through(
    field: Battlefield,
    stops: Sequence[Square],
    stride: Stride,
    reached: Reach | StraightReach,
    how: MoveRules,
    odd: bool,
    reactions: MoveReactions,
) -> tuple[Square, ...]:
    if isinstance(reached, Reach):
        return path_through(field, (reached.start, *stops), stride.squares, how, odd, reactions.provoked)
    if len(stops) > 1 or stops[0] not in reached.costs:
        raise Illegal("path", f"“{stride.action.label}” needs one straight line, and none leads to {stops[-1].name}.")
    return reached.path(stops[0], reactions.provoked)


MOST_MOVES = 4
"""How many moves of one kind one after the other are tried for a square that is out of reach of one."""
YES, NO = "yes", "no"


class MoveAsk(Ask, frozen=True):
    """Question whether a unit pays for a move with something else that it could do."""

    words: str
    """As "Todd moves to D4 for 1 main action (Second move)?", perhaps after the reason for asking."""
    instead: str
    """What to type where nobody can be asked, as "To make it, add “by second-move” to the command."."""

    def answer(self, said: str) -> GivenAnswer:
        return GivenAnswer(self.q, choose=YES if said == YES else NO)


def _refuse_unless_wanted(
    battle: Battle, rules: Ruleset, mover: Unit, command: Move, stride: Stride, choices: Choices
) -> None:
    """Asks before a move that was not named takes an action which is asked first, or one ends beside nobody in vain.

    Raises:
        Needs: nobody has answered yet.
        Illegal: it is not wanted.
    """
    action, goal, unit = stride.action, command.path[-1], battle.unit(mover.id)
    changed = new_altitude(battle.field, mover, command.path)
    arrived = replace(mover, at=goal, altitude=mover.altitude if changed is None else changed)
    is_in_vain = action.ends_beside_enemy and not adjacent_enemies(battle, arrived)
    if stride.is_paid or not (is_in_vain or (action.asks_first and not command.action)):
        return
    q = f"price of a move of {unit.id}"
    said = choices.take(q)
    if said is None and choices.asks:
        price = price_words(costs(action.cost, action_facts(battle, rules, unit, action)), rules)
        words = f"{upper_first(unit.name)} moves to {goal.name} for {price} ({action.label})?"
        if is_in_vain:
            lost = f"the attack at the end of the {lower_first(action.label)} is lost"
            why = f"No enemy is adjacent to {goal.name}: {lost}."
            raise Needs(MoveAsk(q, f"{why} {words}", "End it beside an enemy, or move otherwise."))
        raise Needs(MoveAsk(q, words, f"To make it, add “by {action.id}” to the command."))
    if said == NO:
        raise Illegal("declined", f"{unit.name} stays on {unit.at.name}.")


def decide_move(now: Deciding, command: Move) -> tuple[ev.Event, ...]:
    """Walks a path with the stride that is paid for, else with the action named or the first plain one that reaches.

    It stops where the path draws a reaction that this move has not drawn yet; what is left of the stride may be walked
    after it.
    """
    battle, rules, dice = now.battle, now.rules, now.dice
    unit = battle.unit(command.unit)
    refuse_unless_turn(battle, unit, rules)
    if not command.path or command.path[0] != unit.at:
        raise Illegal("path", f"The path must start at {unit.at.name}, where {unit.name} stands.")
    altitude = unit.altitude if command.altitude is None else command.altitude
    if len(command.path) < 2 and altitude == unit.altitude:
        raise Illegal("path", f"{unit.name} already stands on {unit.at.name}.")
    if altitude != unit.altitude and not unit.can_fly:
        raise Illegal("altitude", f"{unit.name} cannot fly.")
    refuse_below_ground(unit, altitude)
    refuse_unless_payable(battle, rules, unit, command.action)
    how, lift = in_manner(battle, rules, unit, MoveOptions(altitude=command.altitude))
    cost = path_cost(battle.field, command.path, how, unit.turn.odd_diagonals) + lift
    stride = _stride_for(battle, rules, unit, command, cost)
    bands = bands_apart(battle, rules, unit, command.altitude)
    if not _may_change(stride, bands):
        most = 0 if stride.is_paid else stride.action.altitude_bands
        allowed = f"{most or 'no'} altitude {'band' if most == 1 else 'bands'}{' once begun' if stride.is_paid else ''}"
        raise Illegal("altitude", f"“{stride.action.label}” changes {allowed}, not {bands}.")
    if stride.action.is_straight and not is_straight((*unit.turn.trail[:-1], *command.path)):
        raise Illegal("path", f"“{stride.action.label}” needs one straight line.")
    last = stride.action.straight_last
    if last and not _ends_straight((*unit.turn.trail[:-1], *command.path), last):
        raise Illegal("path", f"“{stride.action.label}” must end with {last} squares in one direction.")
    mover = replace(unit, altitude=altitude)
    _refuse_unless_wanted(battle, rules, mover, command, stride, now.choices)
    if stride.action.is_at_round_end:
        return _declare(now, command, stride, cost)
    drawn = draws(battle, rules, mover, command.path, stride.action, _passed(unit, stride))
    draft = now.draft()
    stop, early, late = _stops_on_path(draft, unit, stride.action, drawn, len(command.path), dice)
    stop = min(stop, trodden(battle, rules, mover, command.path)[0])
    here = [draw for draw in early if draw.stop == stop]
    while here and refusal_to_end(command.path[stop], how, unit.at):  # it cannot wait on an ally's square
        stop -= 1
    path = command.path[: stop + 1]
    cost = path_cost(battle.field, path, how, unit.turn.odd_diagonals) + lift
    if not stride.is_paid:
        draft.pay(unit, stride.action, action_facts(battle, rules, unit, stride.action))
    draft.open_doors(doors_opened(battle.field, path, how))
    if altitude != unit.altitude:
        draft.add(ev.AltitudeChanged(unit.id, unit.altitude, altitude))
    keeps = stride.action.keeps_facing is not None and bool(
        stride.action.keeps_facing.evaluate(action_facts(battle, rules, unit, stride.action))
    )
    facing = Direction.towards(path[-2], path[-1]) if len(path) > 1 and not keeps else unit.facing
    left, is_begun = stride.squares - cost, not stride.is_paid
    ends_at = new_altitude(battle.field, mover, path)
    draft.add(ev.UnitMoved(unit.id, stride.action.id, path, cost, left, facing, is_begun, ends_at))
    if is_begun:
        act(draft, unit.id, stride.action, dice)
    after = [draw for draw in late if draw.stop <= stop and is_able(draft.battle, rules, draw, unit.id)]
    give_openings(draft, unit.id, [*here, *after])
    if here and stop + 1 < len(command.path):
        rest = replace(command, path=command.path[stop:], action=stride.action.id, altitude=None)
        draft.add(ev.CommandHeld(held_command(rest)))
    return draft.events


def _stops_on_path(
    draft: EventBuilder, unit: Unit, action: Action, drawn: Sequence[ProvokedReaction], end: int, dice: DiceSource
) -> tuple[int, list[ProvokedReaction], list[ProvokedReaction]]:
    """Where a path is stopped by a reaction, with those that stop it there, and those that come after the move.

    The contests of their rules say which; each is rolled once the path comes to it.
    """
    late: list[ProvokedReaction] = []
    for stop in sorted({draw.stop for draw in drawn}):
        early, slow = split_by_contest(draft, unit, action, [draw for draw in drawn if draw.stop == stop], dice)
        late += slow
        if early:
            return stop, early, late
    return end, [], late


def _declare(now: Deciding, command: Move, stride: Stride, cost: Fraction) -> tuple[ev.Event, ...]:
    """Pays for a move that is made at the end of the round.

    What it draws comes before it is declared, from those who can attack the unit where it stands; the same command then
    goes through.
    """
    battle, rules = now.battle, now.rules
    unit, action = battle.unit(command.unit), stride.action
    if any(move.unit == unit.id for move in battle.turns.declared):
        raise Illegal("declared", f"{unit.name} has already declared its move: undo it to change it.")
    draft = now.draft()
    if answered := draws(battle, rules, unit, command.path, action, unit.turn.drawn_by_move):
        give_openings(draft, unit.id, answered)
        draft.add(ev.CommandHeld(held_command(command)))
        return draft.events
    draft.pay(unit, action, action_facts(battle, rules, unit, action))
    draft.add(ev.PathDeclared(unit.id, action.id, action.label, command.path, cost, command.altitude))
    act(draft, unit.id, action, now.dice)
    return draft.events


def _allowance(battle: Battle, rules: Ruleset, unit: Unit, action: Action) -> Fraction:
    """Squares of a move action for the unit in its present state."""
    if action.distance is None:
        return Fraction(0)
    distance = number(action.distance, action_facts(battle, rules, unit, action))
    return Fraction(in_squares(distance, battle.field, rules))


def _may_change(stride: Stride, bands: int) -> bool:
    """Whether a stride changes so many altitude bands: it does so as it begins, not once it is paid."""
    most = stride.action.altitude_bands
    return not bands or most is None or (bands <= most and not stride.is_paid)


def _reach(battle: Battle, unit: Unit, stride: Stride, how: MoveRules) -> Reach | StraightReach:
    found = reach(battle.field, unit.at, stride.squares, how, unit.turn.odd_diagonals)
    if stride.action.straight_last:
        return _straight_ends(found, stride)
    if not stride.action.is_straight:
        return found
    costs: dict[Square, Fraction] = {}
    approaches: dict[Square, tuple[Approach, ...]] = {}
    here = tuple(arrival for arrival in found.arrivals(unit.at) if not arrival.cost)
    for goal in found.costs:
        path = straight_path(unit.at, goal)
        if goal == unit.at or (len(unit.turn.trail) > 1 and not is_straight((*unit.turn.trail[:-1], *path))):
            continue
        cost = found.cost_along(path)
        if cost is not None:
            costs[goal], approaches[goal] = cost, (Approach(here, path),)
    return StraightReach(costs, found, approaches)


def _straight_ends(found: Reach, stride: Stride) -> StraightReach:
    """Where a move leads whose last steps go in one direction."""
    last = stride.action.straight_last
    costs: dict[Square, Fraction] = {}
    approaches: dict[Square, tuple[Approach, ...]] = {}
    for goal in found.costs:
        priced: dict[Fraction, list[Approach]] = {}
        for direction in Direction:
            line = [Square(goal.column - last * direction.dx, goal.row - last * direction.dy)]
            while len(line) <= last:
                line.append(line[-1].step(direction))
            by_cost: dict[Fraction, list[Arrival]] = {}
            for arrival in found.arrivals(line[0]):
                cost = found.cost_along(line, arrival)
                if cost is not None and cost <= stride.squares and _comes_from_elsewhere(found, arrival, line):
                    by_cost.setdefault(cost, []).append(arrival)
            for cost, arrivals in by_cost.items():
                priced.setdefault(cost, []).append(Approach(tuple(arrivals), tuple(line)))
        if priced:
            costs[goal] = min(priced)
            approaches[goal] = tuple(priced[costs[goal]])
    return StraightReach(costs, found, approaches)


def _comes_from_elsewhere(found: Reach, arrival: Arrival, line: Sequence[Square]) -> bool:
    """Whether a cheapest path arrives at the first square of a line without having walked on the others."""
    earlier = (other for square in line[1:] for other in found.arrivals(square) if other.cost < arrival.cost)
    return not any(earlier) or found.leg([arrival], line[1:]).is_open


def _ends_straight(trail: tuple[Square, ...], last: int) -> bool:
    """Whether a path has so many steps and the last of them go in one direction."""
    steps = {(there.column - here.column, there.row - here.row) for here, there in pairwise(trail[-last - 1 :])}
    return len(trail) > last and len(steps) == 1


def no_move_left(battle: Battle, rules: Ruleset, unit: Unit, action_id: str = "") -> Illegal:
    """Why a unit has no stride: what every move requires of it, else that nothing is left; `action_id` as there."""
    moves, unmet = moves_meant(rules, action_id), ""
    for action in moves:
        try:
            refuse_unless_met(unit, action, action_facts(battle, rules, unit, action))
        except Illegal as reason:
            unmet = unmet or reason.brief
        else:
            unmet = ""
            break
    if unmet:
        return Illegal("requirement", f"{unit.name} cannot move: {unmet}.", unmet)
    return Illegal("budget", f"{unit.name} has no move left this turn.")


def refuse_unless_payable(battle: Battle, rules: Ruleset, unit: Unit, action_id: str) -> None:
    """Raises Illegal for a move that is named, not paid for yet, and can neither be paid for nor taken now.

    Raises:
        Unknown: there is no such move.
    """
    if not action_id:
        return
    action = rules.actions.get(action_id)
    if action is None or action.kind != "move":
        raise Unknown("move", action_id, (known.id for known in rules.actions.values() if known.kind == "move"))
    if unit.turn.stride_action != action.id or unit.turn.stride <= 0:
        refuse_unless_affordable(unit, action, action_facts(battle, rules, unit, action), rules)
    if action.is_at_round_end and any(move.unit == unit.id for move in battle.turns.declared):
        raise Illegal("declared", f"{unit.name} has already declared its move: undo it to change it.")


def _stride_for(battle: Battle, rules: Ruleset, unit: Unit, command: Move, cost: Fraction) -> Stride:
    action = rules.actions.get(command.action)
    if action is not None and unit.turn.stride < cost:
        refuse_unless_affordable(unit, action, action_facts(battle, rules, unit, action), rules)
    able = strides(battle, rules, unit, command.action)
    fitting = [stride for stride in able if stride.squares >= cost]
    if fitting:
        bands = bands_apart(battle, rules, unit, command.altitude)
        return next((stride for stride in fitting if _may_change(stride, bands)), fitting[-1])
    most = max((stride.squares for stride in able), default=Fraction(0))
    if not able:
        raise no_move_left(battle, rules, unit, command.action)
    why = f"{shown(cost)} squares needed, {shown(most)} left this turn"
    raise Illegal("reach", f"{unit.name} cannot move to {command.path[-1].name}: {why}.")
