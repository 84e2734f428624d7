"""The law of options: `decide` accepts a command if and only if it is an option without a refusal, else says the same.

The space of commands is written down here by what the rules know, not by what lists the options. A state is asked about
one unit and one kind of command, which its seed draws; in the quick suite about a few weapons, targets and squares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple, TypeVar

import pytest

from engine.answers import GivenAnswer, Needs
from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.command import Act, Attack, Command, EndTurn, Move
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import Delay, RollInitiative, SetTurn
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.gear import innate_weapons
from engine.battle.moves.movement_modes import move_rules
from engine.battle.moves.moves import MoveAsk
from engine.battle.seats import GAME_MASTER, Seat
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import BattleboardError, Illegal
from engine.geometry.movement.paths import path_through
from engine.geometry.squares import Direction, Square
from engine.geometry.straight_lines import straight_path
from engine.journal.history import History
from engine.rules.model import SQUARE, Ruleset
from engine.tactics import options
from maps import load_map, shipped_maps
from rulesets import load_ruleset, shipped_rulesets
from tests.rules.random_play import roam

T = TypeVar("T")
QUICK, TENTH, ALL = 20, 200, 2000
"""How many states of each ruleset are asked about."""
FEW = 2
"""How many weapons, targets and squares of each kind the quick suite asks about in one state."""
AWAY = 12
"""How many states of a fight are asked about, before another one begins."""


@cache
def the_rules(name: str) -> Ruleset:
    return load_ruleset(shipped_rulesets()[name])


def states(name: str, seed: str, number: int) -> Iterator[tuple[Battle, Random]]:
    """Battles that random play comes to, each with what is drawn for it."""
    rules, chance = the_rules(name), Random(f"{name} {seed}")
    while True:
        drawn = load_map(shipped_maps()[chance.choice(sorted(shipped_maps()))])
        history = History(Battle(drawn.battlefield)).take((begin(drawn.placements, rules, str(chance.random())),))
        if chance.random() < 0.95:
            history = history.take(decide(history.battle, RollInitiative(), rules))
        for _ in range(AWAY):
            yield history.battle, chance
            if not (number := number - 1):
                return
            for _ in range(chance.randint(1, 4)):
                if history.battle.turns.active:
                    history = roam(history, rules, chance, 1).history


def asked_unit(battle: Battle, chance: Random) -> Unit:
    """The unit that a state is asked about: mostly one that may act."""
    able = [battle.turns.active, *(opening.unit for opening in battle.openings)]
    return battle.units.get(chance.choice(able if chance.random() < 0.8 else [*battle.units])) or next(
        iter(battle.units.values())
    )


def near(battle: Battle, at: Square, away: int) -> list[Square]:
    """The squares of the map within so many steps of one."""
    sides = product(range(-away, away + 1), repeat=2)
    found = (Square(at.column + across, at.row + down) for across, down in sides)
    return [square for square in found if square in battle.field]


class Drawn(NamedTuple):
    """What of a state is asked about."""

    battle: Battle
    rules: Ruleset
    unit: Unit
    chance: Random
    most: int
    """How many weapons, targets and squares of each kind."""

    def some(self, known: Sequence[T]) -> list[T]:
        return self.chance.sample(known, min(self.most, len(known)))


def attack_space(drawn: Drawn) -> Iterator[Attack]:
    """Each weapon with each attack, that work together or not, on each unit; one weapon at a few squares."""
    battle, rules, unit, chance, _ = drawn
    attacks = [action.id for action in rules.actions.values() if action.kind == "attack"]
    weapons = [*unit.gear.weapons, *chance.sample(sorted({*rules.gear.weapons} - {*unit.gear.weapons}), 3)]
    weapons += [name for name in innate_weapons(rules, unit) if name not in weapons]
    others = drawn.some([*battle.units])
    for weapon, action in product(drawn.some(weapons), attacks):
        works = action in {one.id for one in attack_actions(rules, rules.gear.weapons[weapon])}
        if works or chance.random() < 0.05:
            yield from (Attack(unit.id, other, weapon, action) for other in others)
    one, squares = chance.choice(weapons), [unit.at, *drawn.some(near(battle, unit.at, 6))]
    yield from (Attack(unit.id, "", one, action, square=at) for action, at in product(drawn.some(attacks), squares))


def act_space(drawn: Drawn) -> Iterator[Act]:
    """Each act alone, on each unit, and at squares around; with an attack that may be declared with it."""
    battle, rules, unit, _, _ = drawn
    squares, others = [*near(battle, unit.at, 1), *drawn.some(near(battle, unit.at, 4))], drawn.some([*battle.units])
    for action in rules.actions.values():
        if action.kind != "other":
            continue
        for attack in action.declares or ("",):
            yield Act(unit.id, action.id, attack=attack)
            yield from (Act(unit.id, action.id, other, attack=attack) for other in others)
            if action.target == SQUARE:
                yield from (Act(unit.id, action.id, square=square, attack=attack) for square in squares)


def move_space(drawn: Drawn) -> Iterator[Move]:
    """Each move to squares around, by the cheapest path that there is without any limit, or in a straight line."""
    battle, rules, unit, _, _ = drawn
    how = move_rules(battle, rules, unit)
    for action in rules.actions.values():
        if action.kind != "move":
            continue
        for square in (*drawn.some(near(battle, unit.at, 4)), *drawn.some(near(battle, unit.at, 12))):
            if action.is_straight:
                yield Move(unit.id, straight_path(unit.at, square), action.id)
            elif not action.straight_last:
                try:
                    path = path_through(battle.field, (unit.at, square), 99, how, unit.turn.odd_diagonals)
                except BattleboardError:
                    continue
                yield Move(unit.id, path, action.id)


def other_space(drawn: Drawn) -> Iterator[Command]:
    """The end of the turn, delays, weapons to ready, directions to face, who else acts now."""
    battle, unit = drawn.battle, drawn.unit
    yield EndTurn()
    yield from (Face(unit.id, direction) for direction in Direction)
    yield from (SetTurn(other) for other in battle.units)
    yield from (Delay(unit.id, other) for other in battle.units)
    yield from (Ready(unit.id, weapon) for weapon in unit.gear.weapons)


def decided(battle: Battle, rules: Ruleset, command: Command, seat: Seat = GAME_MASTER) -> BattleboardError | None:
    """Why a command is refused; None when it is accepted: it has events, or a question, each of whose answers is."""
    try:
        decide(battle, command, rules, asks=True, seat=seat)
    except Needs as need:
        return answered_wrongly(battle, rules, command, need)
    except BattleboardError as refusal:
        return refusal
    return None


def answered_wrongly(battle: Battle, rules: Ruleset, command: Command, need: Needs) -> BattleboardError | None:
    """Why an answer that is listed is refused, or that another one is not; None where all is right."""
    listed = options.answers(need.ask)
    for answer in (*listed, GivenAnswer(need.ask.q, choose="nonsense")):
        if isinstance(need.ask, MoveAsk) and answer not in listed:
            continue  # whatever is not yes is no
        try:
            decide(battle, command, rules, need.answered(answer), asks=True)
        except Needs:
            continue  # there is more to ask
        except BattleboardError as refusal:
            if answer in listed and not (isinstance(refusal, Illegal) and refusal.reason == "declined"):
                return refusal
        else:
            if answer not in listed:
                return Illegal("answer", f"{answer} is accepted, but not listed")
    return None


def differences(drawn: Drawn) -> tuple[list[str], int]:
    """Where options and decisions differ about one kind of command that is drawn, and how many were accepted."""
    battle, rules, unit, chance, _ = drawn
    kind, known = chance.choice(["attacks", "attacks", "acts", "moves", "others"]), dict[Command, options.Option]()
    if kind == "moves":
        return move_differences(drawn)
    space: list[Command] = []
    if kind == "attacks":
        space += (asked := [*attack_space(drawn)])
        targets, squares = (
            {one.target: None for one in asked if one.target},
            {one.square: None for one in asked if one.square},
        )
        own = dict.fromkeys((*unit.gear.weapons, *innate_weapons(rules, unit)))
        weapons = {one.weapon: None for one in asked if one.weapon in own}
        targets.pop(unit.id, None)
        listed = options.attacks(battle, rules, unit, weapons=weapons, targets=targets, squares=squares)
    elif kind == "acts":
        space += act_space(drawn)
        squares = dict.fromkeys(one.square for one in space if isinstance(one, Act) and one.square is not None)
        listed = options.acts(battle, rules, unit, squares=squares)
    else:
        space += other_space(drawn)
        listed = iter(
            [
                *options.readies(battle, rules, unit),
                *options.facings(battle, rules, unit),
                *options.delays(battle, rules, unit),
                *options.next_turns(battle, rules, unit),
                options.end(battle, unit),
            ]
        )
    for option in listed:
        assert option.command not in known, f"{option.command} is listed twice"
        known[option.command] = option
    found, accepted = [], 0
    for command in space:
        seat = Seat("player", unit.side) if isinstance(command, (Face, SetTurn)) else GAME_MASTER
        refusal, option = decided(battle, rules, command, seat), known.get(command)
        if isinstance(command, SetTurn) and battle.turns.active != unit.id:
            continue  # it is another's to give away
        if isinstance(command, EndTurn) and battle.turns.active != unit.id and refusal is None:
            continue  # it ends somebody else's turn
        accepted += refusal is None
        found += [said(command, refusal, option)] if differ(refusal, option) else []
    return found, accepted


def move_differences(drawn: Drawn) -> tuple[list[str], int]:
    """The same of moves: what is in reach, by the option's own path too."""
    battle, rules, unit, _, _ = drawn
    known = {option.action.id: option for option in options.moves(battle, rules, unit)}
    found, accepted = [], 0
    for command in move_space(drawn):
        option, goal = known[command.action], command.path[-1]
        if goal in set(option.squares()):
            accepted += 1
            if why := decided(battle, rules, option.to(goal)):
                found.append(f"{option.to(goal)}: listed, but {why}")
            continue
        refusal = decided(battle, rules, command)
        if refusal is None:
            found.append(f"{command}: accepted, but listed as {option.refusal or 'out of reach'}")
        elif option.refusal and len(command.path) > 1 and reason(option.refusal) != reason(refusal):
            found.append(f"{command}: “{refusal}”, but listed as “{option.refusal}”")
    return found, accepted


def reason(refusal: BattleboardError) -> str:
    return refusal.reason if isinstance(refusal, Illegal) else type(refusal).__name__


def differ(refusal: BattleboardError | None, option: options.Option | None) -> bool:
    """Whether a decision and an option disagree: on whether, or on why not."""
    if option is None or option.refusal is None or refusal is None:
        return (refusal is None) != (option is not None and option.refusal is None)
    return reason(refusal) != reason(option.refusal)


def said(command: Command, refusal: BattleboardError | None, option: options.Option | None) -> str:
    listed = "not listed" if option is None else f"listed with “{option.refusal}”" if option.refusal else "listed"
    return f"{command} is {'refused: ' + str(refusal) if refusal else 'accepted'}; {listed}"


def hold(name: str, seed: str, number: int, most: int) -> None:
    rules, accepted = the_rules(name), 0
    for battle, chance in states(name, seed, number):
        unit = asked_unit(battle, chance)
        wrong, taken = differences(Drawn(battle, rules, unit, chance, most))
        accepted += taken
        assert not wrong, f"{name}, {unit.id}, round {battle.turns.round}:\n" + "\n".join(wrong[:10])
    assert accepted > number, "hardly anything was accepted: the states are not what they should be"


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_what_is_decided_is_what_is_listed(name: str) -> None:
    hold(name, "quick", QUICK, FEW)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_what_is_decided_is_what_is_listed_in_a_tenth_of_the_states(name: str) -> None:
    hold(name, "tenth", TENTH, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_what_is_decided_is_what_is_listed_in_many_states(name: str) -> None:
    hold(name, "all", ALL, 40)
