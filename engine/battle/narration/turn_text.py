"""Log sentences for turn events: start of battle, initiative, rounds, turns, actions."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.narration.log_context import LogContext, by_hand
from engine.battle.narration.narrators import narrates, says
from engine.battle.narration.roll_text import check_words, initiative_words
from engine.battle.wording import group_name
from engine.dice.dice_text import number
from engine.rules.fact_list import DICE_FACTS
from engine.rules.model import Ruleset
from engine.text import side_name, verb

says(
    ev.BattleBegan,
    lambda event, log: f"The battle begins with {len(event.units)} units." if event.units else "The battle is set up.",
)

says(ev.BattleFinished, lambda event, log: "GM: The battle is finished.")


@narrates(ev.InitiativeRolled)
def initiative_rolled(event: ev.InitiativeRolled, log: LogContext) -> str:
    declared = f" for “{event.declared}”" if event.declared else ""
    who = _contender(event, log)
    rolls = verb(event.who, "rolls", "roll") if log.rules.turns.initiative.is_by_side else "rolls"
    is_under = log.rules.attack.test.reads_each_die
    words = initiative_words(event, is_apart=_reads_dice_separately(log.rules), is_under=is_under)
    return f"{who} {rolls} initiative{declared}: {words}."


def _contender(event: ev.InitiativeRolled | ev.TieRolled, log: LogContext) -> str:
    """Who rolls for initiative: a unit, a group or a side."""
    if log.rules.turns.initiative.is_by_side:
        return side_name(event.who)
    if event.who in log.battle.units:
        return log.name(event.who)
    members = [unit for unit in log.battle.units.values() if unit.id in event.units]
    return group_name(members) if len(members) > 1 else log.name(event.units[0] if event.units else event.who)


@narrates(ev.DeclarationBroken)
def declaration_broken(event: ev.DeclarationBroken, log: LogContext) -> str:
    return f"{log.name(event.unit)} declared {event.declared}, does {event.done or 'nothing'}."


says(
    ev.TieRolled,
    lambda event, log: f"{check_words(f'{_contender(event, log)}, tied for initiative', event.roll)}.",
)


def _reads_dice_separately(rules: Ruleset) -> bool:
    """Whether the dice for the order are read one by one."""
    score = rules.turns.initiative.score
    return score is not None and not score.names.isdisjoint(DICE_FACTS)


@narrates(ev.OrderSet)
def order_set(event: ev.OrderSet, log: LogContext) -> str:
    places = ", ".join(f"{log.name(unit)} ({number(event.scores.get(unit, 0))})" for unit in event.order)
    return f"Turn order: {places}{by_hand(event.by_gm)}."


@narrates(ev.PlaceTaken)
def place_taken(event: ev.PlaceTaken, log: LogContext) -> str:
    place = f"after {log.name(event.after)}" if event.after else "first"
    unit = log.name(event.unit)
    return f"{unit} delays: acts {place}." if event.is_delay else f"GM: {unit} acts {place}."


says(ev.TurnTakenUp, lambda event, log: f"{log.name(event.unit)}'s delayed turn.")


@narrates(ev.LastTurnCame)
def last_turn_came(event: ev.LastTurnCame, log: LogContext) -> str:
    return f"Last turn of the round. Still to act: {log.names(event.waiting)}."


says(ev.GroupFormed, lambda event, log: f"GM: {log.names(event.members)} act as one group.")
says(
    ev.GroupDissolved,
    lambda event, log: (
        f"GM: {log.names(event.members)} are no longer a group: "
        "they keep its place in the turn order, one after the other."
    ),
)


@narrates(ev.UnitsSurprised)
def units_surprised(event: ev.UnitsSurprised, log: LogContext) -> str:
    is_one = len(event.units) == 1
    loss = "is surprised and loses its turn" if is_one else "are surprised and lose their turns"
    return f"GM: {log.names(event.units)} {loss} this round."


@narrates(ev.RoundBegan)
def round_began(event: ev.RoundBegan, log: LogContext) -> str:
    asked = log.rules.turns.initiative
    stays = asked.declares and asked.every != "round" and event.round > 1
    return f"Round {event.round}.{' The order rolled for the declared actions stays.' if stays else ''}"


@narrates(ev.RoundRestarted)
def round_restarted(event: ev.RoundRestarted, log: LogContext) -> str:
    left = f" {log.names(event.left)} {have(event.left)} not acted." if event.left else ""
    return f"The round starts again.{left} {log.names(event.acted)} {have(event.acted)} acted."


def have(units: tuple[str, ...]) -> str:
    return "has" if len(units) == 1 else "have"


@narrates(ev.TurnBegan)
def turn_began(event: ev.TurnBegan, log: LogContext) -> str:
    unit = log.name(event.unit)
    return f"{unit} takes an extra turn." if event.is_extra else f"{unit}'s turn."


says(ev.TurnGiven, lambda event, log: f"{log.name(event.unit)} acts, out of turn.")


@narrates(ev.TurnWaits)
def turn_waits(event: ev.TurnWaits, log: LogContext) -> str:
    return f"{'GM: ' * event.by_gm}{log.name(event.unit)} takes an extra turn after this one."


says(ev.TurnResumed, lambda event, log: f"{log.name(event.unit)}'s turn continues.")
says(ev.ClosingBegan, lambda event, log: f"All moves are done: {log.name(event.units[0])} may act.")


@narrates(ev.ActionTaken)
def action_taken(event: ev.ActionTaken, log: LogContext) -> str:
    """Attacks, moves and changes of weapon have events with sentences of their own."""
    action = log.rules.actions.get(event.action)
    if action is not None and action.kind in ("attack", "move", "ready"):
        return ""
    on = f" → {log.name(event.target)}" if event.target else ""
    return f"{log.name(event.unit)}{on}: {event.label}."
