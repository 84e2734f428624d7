"""Deciding: a command, checked against a battle and its ruleset, becomes events, or one sentence why not. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from engine.answers import Given, GivenAnswer, Needs
from engine.battle import commands as cmd
from engine.battle import events as ev
from engine.battle.acting import decide_act
from engine.battle.apply import apply_all
from engine.battle.attacks.attacking import decide_attack
from engine.battle.attacks.charges import decide_clear_charge, decide_set_off
from engine.battle.attacks.defending import Choices
from engine.battle.attacks.unasked import left_to_do, with_unasked
from engine.battle.battle import Battle
from engine.battle.draft import Draft
from engine.battle.moves.moving import decide_move
from engine.battle.table.gear import decide_give, decide_stat, decide_take_away
from engine.battle.table.hand import (
    decide_altitude,
    decide_ammunition,
    decide_barrier,
    decide_budget,
    decide_clear,
    decide_condition,
    decide_damage,
    decide_face,
    decide_initiative_score,
    decide_place,
    decide_pool,
    decide_posture,
    decide_ready,
)
from engine.battle.table.pins import decide_cover, decide_note, decide_throw
from engine.battle.table.policies import decide_policy
from engine.battle.table.roster import (
    decide_add,
    decide_add_group,
    decide_copy,
    decide_hidden,
    decide_out,
    decide_remove,
    decide_rename,
    decide_side,
)
from engine.battle.table.rulings import decide_ruling
from engine.battle.table.terrain import (
    decide_edges,
    decide_elevation,
    decide_ground,
    decide_lamp,
    decide_light,
    decide_stroke,
)
from engine.battle.table.weather import decide_clear_cloud, decide_cloud, decide_wind
from engine.battle.turns.lapsing import lapses
from engine.battle.turns.moments import see_through
from engine.battle.turns.passing import decide_end_of_turn, decide_initiative, decide_turn
from engine.battle.turns.places import (
    decide_delay,
    decide_dissolve,
    decide_group,
    decide_place_in_order,
    decide_surprise,
)
from engine.dice.sources import DiceSource, SeededSource, TableSource
from engine.errors import Illegal
from engine.rules.model import Ruleset

OF_TURNS = cmd.EndTurn | cmd.RollInitiative | cmd.SetTurn | cmd.RemoveUnit | cmd.Delay | cmd.Surprise
"""Commands by which turns end and begin."""


class Decision(Struct, frozen=True):
    """What a command comes to, and what people gave for it."""

    events: tuple[ev.Event, ...]
    answers: Given


def decide(
    battle: Battle,
    command: cmd.Command,
    rules: Ruleset,
    answers: Iterable[GivenAnswer] = (),
    *,
    asks: bool = False,
    asks_dice: bool = False,
) -> tuple[ev.Event, ...]:
    """The events that a command leads to: `decided`, for whom the answers do not matter."""
    return decided(battle, command, rules, answers, asks=asks, asks_dice=asks_dice).events


def decided(
    battle: Battle,
    command: cmd.Command,
    rules: Ruleset,
    answers: Iterable[GivenAnswer] = (),
    *,
    asks: bool = False,
    asks_dice: bool = False,
) -> Decision:
    """What a command comes to.

    Args:
        battle: now; it is not changed.
        command: the wish.
        rules: the ruleset of the battle.
        answers: what people gave: dice for the next rolls, and answers for when their questions come up.
        asks: whether to ask what nobody has answered, as who defends; the seed rolls what is not typed.
        asks_dice: whether to ask for each roll, too.

    Raises:
        Illegal: not allowed now, or the typed dice do not fit.
        Unknown, OffMap: the command names something that is not there.
        Needs: a question came up that is to be asked.
    """
    seed = SeededSource(battle.dice.seed, battle.dice.drawn)
    table = TableSource(answers, seed, asks=asks_dice)

    def part(now: Battle, wish: cmd.Command, drawn: str) -> tuple[ev.Event, ...]:
        dice: DiceSource = seed if drawn else table
        choices = Choices(table, asks or asks_dice, drawn)
        return _with_moments(now, wish, rules, dice, _decide(now, wish, rules, dice, choices))

    try:
        found = part(battle, command, "")
        if battle.gm.policies:
            found = with_unasked(battle, rules, command, found, part)
    except Needs as need:
        need.given, need.left = table.asked, table.left
        raise
    found = (*found, *lapses(battle, rules, found))
    left = [" ".join(map(str, one.dice)) for one in table.left if one.dice and not one.q]
    if left and not _waits(battle, command, found):
        raise Illegal("dice", f"More dice were typed than were rolled: {' / '.join(left)} is left over.")
    if seed.position != battle.dice.drawn:
        found = (*found, ev.DiceDrawn(seed.position))
    return Decision(found, table.given)


def _waits(battle: Battle, command: cmd.Command, found: tuple[ev.Event, ...]) -> bool:
    """Whether a command waits for attacks at once that it has drawn: then its dice are not rolled yet."""
    is_drawn = any(isinstance(event, ev.OpeningGiven) and event.reaction for event in found)
    return is_drawn and left_to_do(apply_all(battle, found), command, found) is not None


def _with_moments(
    battle: Battle, command: cmd.Command, rules: Ruleset, dice: DiceSource, found: tuple[ev.Event, ...]
) -> tuple[ev.Event, ...]:
    """What a command came to, with what that brings about by itself."""
    if not (rules.turns.moments or battle.scene.charges) or isinstance(command, OF_TURNS):  # those see to their own
        return found
    draft = Draft(battle, rules)
    for event in found:
        draft.add(event)
    see_through(draft, 0, dice)
    return draft.events


def _decide(
    battle: Battle, command: cmd.Command, rules: Ruleset, dice: DiceSource, choices: Choices
) -> tuple[ev.Event, ...]:
    match command:
        case cmd.Move():
            return decide_move(battle, rules, command, dice)
        case cmd.Attack():
            return decide_attack(battle, rules, command, dice, choices)
        case cmd.Act():
            return decide_act(battle, rules, command, dice)
        case cmd.EndTurn():
            return decide_end_of_turn(battle, rules, dice)
        case cmd.RollInitiative():
            return decide_initiative(battle, rules, dice, command.declared)
        case cmd.Face():
            return decide_face(battle, command)
        case cmd.Ready():
            return decide_ready(battle, rules, command)
        case cmd.SetBarrier():
            return decide_barrier(battle, command)
        case cmd.DamageUnits():
            return decide_damage(battle, rules, command)
        case cmd.SetStat():
            return decide_stat(battle, rules, command)
        case cmd.SetPool():
            return decide_pool(battle, rules, command)
        case cmd.SetBudget():
            return decide_budget(battle, rules, command)
        case cmd.SetCondition():
            return decide_condition(battle, rules, command)
        case cmd.SetPosture():
            return decide_posture(battle, command)
        case cmd.SetInitiative():
            return decide_initiative_score(battle, command)
        case cmd.Delay():
            return decide_delay(battle, rules, command, dice)
        case cmd.SetPlace():
            return decide_place_in_order(battle, rules, command)
        case cmd.FormGroup():
            return decide_group(battle, rules, command)
        case cmd.DissolveGroup():
            return decide_dissolve(battle, command)
        case cmd.Surprise():
            return decide_surprise(battle, rules, command, dice)
        case cmd.SetAltitude():
            return decide_altitude(battle, command)
        case cmd.Place():
            return decide_place(battle, command)
        case cmd.Adjust():
            return (ev.Adjusted(command.adjustment),)
        case cmd.ClearAdjustments():
            return decide_clear(battle, command)
        case cmd.SetRuling():
            return decide_ruling(battle, rules, command)
        case cmd.SetCloud():
            return decide_cloud(battle, rules, command)
        case cmd.ClearCloud():
            return decide_clear_cloud(battle, command)
        case cmd.SetWind():
            return decide_wind(battle, command)
        case cmd.SetOff():
            return decide_set_off(battle, rules, command)
        case cmd.ClearCharge():
            return decide_clear_charge(battle, rules, command)
        case cmd.AddUnit():
            return decide_add(battle, rules, command)
        case cmd.AddGroup():
            return decide_add_group(battle, rules, command)
        case cmd.CopyUnit():
            return decide_copy(battle, rules, command)
        case cmd.RemoveUnit():
            return decide_remove(battle, rules, command, dice)
        case cmd.RenameUnit():
            return decide_rename(battle, command)
        case cmd.SetSide():
            return decide_side(battle, command)
        case cmd.SetHidden():
            return decide_hidden(battle, command)
        case cmd.SetOut():
            return decide_out(battle, rules, command)
        case cmd.SetTurn():
            return decide_turn(battle, rules, command.unit, dice)
        case cmd.SetAmmunition():
            return decide_ammunition(battle, rules, command)
        case cmd.Give():
            return decide_give(battle, rules, command)
        case cmd.TakeAway():
            return decide_take_away(battle, rules, command)
        case cmd.SetGround():
            return decide_ground(battle, command)
        case cmd.SetElevation():
            return decide_elevation(battle, command)
        case cmd.SetEdges():
            return decide_edges(battle, command)
        case cmd.Draw():
            return decide_stroke(battle, command)
        case cmd.SetLight():
            return decide_light(battle, command)
        case cmd.SetLamp():
            return decide_lamp(battle, command)
        case cmd.SetCover():
            return decide_cover(battle, command)
        case cmd.SetPolicy():
            return decide_policy(battle, rules, command)
        case cmd.SetNote():
            return decide_note(battle, command)
        case cmd.ThrowDice():
            return decide_throw(command, dice)
