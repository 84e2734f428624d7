"""Events of turns: start of battle, initiative, rounds, turns, actions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from engine.battle.events.event import OWN_UNITS, Event, LogEvent, scores_without, without
from engine.battle.state.battle import Battle, HeldCommand, Interrupted
from engine.battle.state.open_reactions import resumed, with_affordable_reactions, without_held_command
from engine.battle.state.units import Turn, Unit
from engine.bounds import MANY, SOME, Amount, Count, Id, ListOf, Position, Text
from engine.dice.sources import Roll
from engine.values import replace

__all__ = [
    "ActionTaken",
    "BattleBegan",
    "BattleFinished",
    "ClosingBegan",
    "CommandHeld",
    "DeclarationBroken",
    "DiceDrawn",
    "GroupDissolved",
    "GroupFormed",
    "InitiativeRolled",
    "LastTurnCame",
    "OrderSet",
    "PlaceTaken",
    "RoundBegan",
    "RoundRestarted",
    "TieRolled",
    "TurnBegan",
    "TurnDelayed",
    "TurnDropped",
    "TurnEnded",
    "TurnGiven",
    "TurnResumed",
    "TurnTakenUp",
    "TurnWaits",
    "UnitsSurprised",
]


class BattleBegan(Event, frozen=True, tag="battle-began"):
    """The units as the ruleset's sheets made them, and the seed of the dice."""

    version = 3
    units: ListOf[Unit]
    seed: Text
    party: Text = ""
    """Id of the party that it is for; "" for none."""
    encounter: Text = ""
    """The name of the encounter's file; "" for none."""

    def apply(self, battle: Battle) -> Battle:
        units = {unit.id: unit for unit in self.units}
        return replace(battle, units=units, dice=replace(battle.dice, seed=self.seed), party=self.party)

    def redacted(self, hidden: frozenset[str], before: Battle) -> BattleBegan | None:
        seen = tuple(unit for unit in self.units if unit.id not in hidden)
        return replace(self, units=seen) if seen else None


class BattleFinished(Event, frozen=True, tag="battle-finished"):
    """The battle is over: nothing more happens in it, unless this is undone."""

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, is_finished=True)


class InitiativeRolled(Event, frozen=True, tag="initiative-rolled"):
    """One roll for initiative. `who` is a unit id, a group's name or a side; `total` the score; `declared` the label of
    its action."""

    version = 2
    who: Id
    roll: Roll
    bonus: Amount
    total: Amount
    declared: Text = ""
    units: ListOf[Id] = ()
    """Ids of those for whom it counts; none in rows of version 1."""

    def apply(self, battle: Battle) -> Battle:
        if not self.declared:
            return battle
        announced = {**battle.turns.announced, self.who: self.declared}
        now = max(battle.turns.round, 1)
        return replace(battle, turns=replace(battle.turns, announced=announced, announced_in=now))

    def redacted(self, hidden: frozenset[str], before: Battle) -> InitiativeRolled | None:
        units = without(self.units or _rolling(self.who, before), hidden)
        return replace(self, units=units) if units else None


class DeclarationBroken(Event, frozen=True, tag="declaration-broken"):
    """A unit does something else than it declared for the order; `done` is the label of that, "" for nothing."""

    unit: Id
    declared: Text
    done: Text = ""

    def apply(self, battle: Battle) -> Battle:
        announced = {unit: label for unit, label in battle.turns.announced.items() if unit != self.unit}
        return replace(battle, turns=replace(battle.turns, announced=announced))


class TieRolled(LogEvent, frozen=True, tag="tie-rolled"):
    """One roll more between those who are tied for initiative. `who` as for `InitiativeRolled`."""

    version = 2
    who: Id
    roll: Roll
    units: ListOf[Id] = ()
    """As for `InitiativeRolled`."""
    tied: ListOf[Id] = ()
    """Ids of the others with whom they are tied; none in rows of version 1."""

    def redacted(self, hidden: frozenset[str], before: Battle) -> TieRolled | None:
        """None where all the others are hidden: a roll with no other beside it would tell of them."""
        units, tied = without(self.units or _rolling(self.who, before), hidden), without(self.tied, hidden)
        return replace(self, units=units, tied=tied) if units and (tied or not self.tied) else None


class OrderSet(Event, frozen=True, tag="order-set"):
    """Who acts in which order from now on; `scores` by unit id."""

    order: ListOf[Id]
    scores: Annotated[Mapping[Id, Amount], MANY]
    by_gm: bool = False

    def apply(self, battle: Battle) -> Battle:
        return battle.with_order(self.order, self.scores)

    def redacted(self, hidden: frozenset[str], before: Battle) -> OrderSet | None:
        """None where nothing changes for those who are known."""
        order, scores = without(self.order, hidden), scores_without(self.scores, hidden)
        was = without(before.turns.order, hidden), scores_without(before.turns.initiative, hidden)
        return replace(self, order=order, scores=scores) if order and (order, scores) != was else None


class PlaceTaken(Event, frozen=True, tag="place-taken"):
    """A unit, with its group, has another place in the order: after another, or first."""

    unit: Id
    after: Text
    """"" for first."""
    order: ListOf[Id]
    scores: Annotated[Mapping[Id, Amount], MANY]
    is_delay: bool = False
    """Whether it waits; else the GM says so."""

    def apply(self, battle: Battle) -> Battle:
        return _reordered(battle, self.order, self.scores)

    def redacted(self, hidden: frozenset[str], before: Battle) -> PlaceTaken | None:
        """The place among those who are known; None where the GM gives one that is the same among them."""
        order = without(self.order, hidden)
        if self.unit in hidden or (not self.is_delay and order == without(before.turns.order, hidden)):
            return None
        ahead = order[: order.index(self.unit)]
        own = before.turns.group_of(self.unit)
        after = next((unit for unit in reversed(ahead) if unit not in own), "")
        named = self.after if self.after in before.turns.group_of(after) and self.after not in hidden else after
        return replace(self, after=named, order=order, scores=scores_without(self.scores, hidden))


class TurnDelayed(Event, frozen=True, tag="turn-delayed"):
    """A unit delays its turn before it has done anything; its budgets are kept."""

    unit: Id

    def apply(self, battle: Battle) -> Battle:
        turns = battle.turns
        turns = replace(
            turns,
            delayed=(*turns.delayed, self.unit),
            started=without(turns.started, frozenset({self.unit})),
            interrupted=tuple(waiting for waiting in turns.interrupted if waiting.unit != self.unit),
            held=(),
        )
        return replace(battle, turns=turns, openings=())


class TurnTakenUp(Event, frozen=True, tag="turn-taken-up"):
    """A turn that was put off is taken now."""

    unit: Id

    def apply(self, battle: Battle) -> Battle:
        turns = battle.turns
        turns = replace(
            turns,
            active=self.unit,
            delayed=without(turns.delayed, frozenset({self.unit})),
            started=(*without(turns.started, frozenset({self.unit})), self.unit),
        )
        return replace(battle, turns=turns)


class LastTurnCame(LogEvent, frozen=True, tag="last-turn-came"):
    """The turn that begins is the round's last, and these have waited and may still act before the round is over.

    Said to the GM: for players a turn of somebody hidden may come after it.
    """

    is_for_gm = True
    waiting: ListOf[Id]


class GroupFormed(Event, frozen=True, tag="group-formed"):
    """Several units share one place in the order, and one roll for it. `order` is empty where none is rolled yet."""

    members: ListOf[Id]
    order: ListOf[Id]
    scores: Annotated[Mapping[Id, Amount], MANY]

    def apply(self, battle: Battle) -> Battle:
        left = (tuple(one for one in group if one not in self.members) for group in battle.turns.groups)
        groups = (*(group for group in left if len(group) > 1), self.members)
        return _reordered(replace(battle, turns=replace(battle.turns, groups=groups)), self.order, self.scores)

    def redacted(self, hidden: frozenset[str], before: Battle) -> GroupFormed | None:
        members, order = without(self.members, hidden), without(self.order, hidden)
        scores = scores_without(self.scores, hidden)
        return replace(self, members=members, order=order, scores=scores) if len(members) > 1 else None


class GroupDissolved(Event, frozen=True, tag="group-dissolved"):
    members: ListOf[Id]

    def apply(self, battle: Battle) -> Battle:
        groups = tuple(one for one in battle.turns.groups if set(one) != set(self.members))
        return replace(battle, turns=replace(battle.turns, groups=groups))

    def redacted(self, hidden: frozenset[str], before: Battle) -> GroupDissolved | None:
        members = without(self.members, hidden)
        return replace(self, members=members) if len(members) > 1 else None


class UnitsSurprised(Event, frozen=True, tag="units-surprised"):
    """They lose their turn in this round."""

    units: ListOf[Id]

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, turns=replace(battle.turns, surprised=(*battle.turns.surprised, *self.units)))

    def redacted(self, hidden: frozenset[str], before: Battle) -> UnitsSurprised | None:
        units = without(self.units, hidden)
        return replace(self, units=units) if units else None


class RoundRestarted(LogEvent, frozen=True, tag="round-restarted"):
    """The order is rolled again in the middle of a round: who has acted in it acts again, the others do not lose it."""

    acted: ListOf[Id]
    left: ListOf[Id] = ()

    def redacted(self, hidden: frozenset[str], before: Battle) -> RoundRestarted | None:
        acted = without(self.acted, hidden)
        return replace(self, acted=acted, left=without(self.left, hidden)) if acted else None


class RoundBegan(Event, frozen=True, tag="round-began"):
    """`budgets`: budgets at the start of the round of the units for which they change."""

    round: Count
    budgets: Annotated[Mapping[Id, Annotated[Mapping[Id, Amount], MANY]], MANY] = {}

    def apply(self, battle: Battle) -> Battle:
        for unit_id, budget in self.budgets.items():
            unit = battle.units[unit_id]
            battle = battle.with_unit(replace(unit, turn=replace(unit.turn, budget=budget)))
        turns = replace(
            battle.turns,
            round=self.round,
            interrupted=(),
            declared=(),
            closing=(),
            surprised=(),
            delayed=(),
            held=(),
            started=(),
            ended=(),
        )
        return replace(battle, turns=turns, openings=())

    def redacted(self, hidden: frozenset[str], before: Battle) -> RoundBegan:
        return replace(self, budgets={unit: left for unit, left in self.budgets.items() if unit not in hidden})


class TurnBegan(Event, frozen=True, tag="turn-began"):
    """A unit's turn begins with a full budget. An extra one interrupts the active unit's."""

    unit: Id
    budget: Annotated[Mapping[Id, Amount], MANY]
    is_extra: bool = False

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        if self.is_extra:
            waiting_turns = tuple(_with_rest_of_turn(waiting, unit) for waiting in battle.turns.interrupted)
            own = () if battle.turns.active == self.unit else (Interrupted(battle.turns.active),)
            battle = replace(battle, turns=replace(battle.turns, interrupted=(*waiting_turns, *own)))
        battle = battle.with_unit(replace(unit, turn=Turn(self.budget, unit.at)))
        turns = replace(battle.turns, active=self.unit)
        if not self.is_extra:
            started, ended = (without(ids, frozenset({self.unit})) for ids in (turns.started, turns.ended))
            turns = replace(turns, started=(*started, self.unit), ended=ended)
            if not turns.interrupted:  # whoever joined after the moves: nobody's part after them is left
                turns = replace(turns, closing=())
        return replace(battle, turns=turns)


class TurnGiven(Event, frozen=True, tag="turn-given"):
    """The GM sets whose turn it is."""

    version = 2

    unit: Id
    interrupted: ListOf[Interrupted] = ()
    """The turns that wait for it, as in `TurnOrder`."""
    closing: ListOf[Id] = ()
    """Who may attack after its move once these are over."""

    def apply(self, battle: Battle) -> Battle:
        turns = replace(battle.turns, interrupted=self.interrupted, closing=self.closing, held=())
        return replace(battle, turns=turns, openings=())

    def redacted(self, hidden: frozenset[str], before: Battle) -> TurnGiven | None:
        if self.unit in hidden:
            return None
        interrupted = tuple(waiting for waiting in self.interrupted if waiting.unit not in hidden)
        return replace(self, interrupted=interrupted, closing=without(self.closing, hidden))


class TurnEnded(Event, frozen=True, tag="turn-ended"):
    unit: Id

    def apply(self, battle: Battle) -> Battle:
        unit, turns = battle.units[self.unit], battle.turns
        is_over = turns.active == self.unit and turns.is_own_turn
        battle = replace(
            battle, openings=(), turns=replace(turns, held=(), ended=(*turns.ended, *[self.unit] * is_over))
        )
        return battle.with_unit(replace(unit, turn=replace(unit.turn, stride=Fraction(0), stride_action="")))


class CommandHeld(Event, frozen=True, tag="command-held"):
    """A command has drawn reactions and waits for them."""

    held: HeldCommand

    def apply(self, battle: Battle) -> Battle:
        battle = without_held_command(battle, self.held.unit)
        return replace(battle, turns=replace(battle.turns, held=(*battle.turns.held, self.held)))


class TurnWaits(Event, frozen=True, tag="turn-waits"):
    """An extra turn of the active unit comes when its present one is over."""

    version = 2

    unit: Id
    by_gm: bool = False

    def apply(self, battle: Battle) -> Battle:
        interrupted = (*battle.turns.interrupted, Interrupted(self.unit, is_extra=True))
        return replace(battle, turns=replace(battle.turns, interrupted=interrupted))


class TurnDropped(Event, frozen=True, tag="turn-dropped"):
    """A turn waits no longer: it begins now, or its unit is out of the fight."""

    unit: Id

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, turns=replace(battle.turns, interrupted=battle.turns.interrupted[:-1]))


class TurnResumed(Event, frozen=True, tag="turn-resumed"):
    """An interrupted turn continues with what was left of it."""

    unit: Id

    def apply(self, battle: Battle) -> Battle:
        *rest, waiting = battle.turns.interrupted
        battle = replace(battle, turns=replace(battle.turns, active=waiting.unit, interrupted=tuple(rest)))
        if waiting.turn is None:
            return battle
        return battle.with_unit(replace(battle.units[waiting.unit], turn=waiting.turn))

    def redacted(self, hidden: frozenset[str], before: Battle) -> TurnResumed | None:
        """None after the turn of somebody who is not known: for players it has never stopped."""
        return None if {self.unit, before.turns.active} & hidden else self


class ClosingBegan(Event, frozen=True, tag="closing-began"):
    """All have walked: the first of `units` may make the attack joined to its move now, the others after it."""

    units: Annotated[tuple[Id, ...], SOME]

    def apply(self, battle: Battle) -> Battle:
        turns = replace(battle.turns, closing=self.units, active=self.units[0], held=())
        return replace(battle, turns=turns, openings=())

    def redacted(self, hidden: frozenset[str], before: Battle) -> ClosingBegan | None:
        return replace(self, units=without(self.units, hidden)) if self.units[0] not in hidden else None


class ActionTaken(Event, frozen=True, tag="action-taken"):
    """A unit pays for an action. `budget` is what it has left afterwards; `target` the unit or square it acts on."""

    reported_for = OWN_UNITS
    version = 2

    unit: Id
    action: Id
    label: Text
    spent: Annotated[Mapping[Id, Amount], MANY]
    budget: Annotated[Mapping[Id, Amount], MANY]
    target: Id = ""
    resumes: bool = False
    """Whether it is an act that enemies have reacted to: who of them has not attacked by now may no longer."""

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        tally = {**unit.turn.tally, self.action: unit.turn.tally.get(self.action, 0) + 1}
        unit = replace(unit, turn=replace(unit.turn, budget=self.budget, tally=tally))
        battle = with_affordable_reactions(battle, unit)
        if self.resumes:
            battle, unit = resumed(battle, unit.id), replace(unit, turn=replace(unit.turn, drawn_by_attack=()))
        return battle.with_unit(unit)


class DiceDrawn(Event, frozen=True, tag="dice-drawn"):
    """The seed's dice have been drawn up to `position`."""

    position: Position

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, dice=replace(battle.dice, drawn=self.position))


def _rolling(who: str, battle: Battle) -> tuple[str, ...]:
    """Ids of those for whom a unit or a side rolls; of a group, whose rows name it alone, its name."""
    return tuple(unit.id for unit in battle.units.values() if unit.side == who) or (who,)


def _reordered(battle: Battle, order: tuple[str, ...], scores: Mapping[str, int]) -> Battle:
    """With another turn order; an empty order leaves it as it is."""
    return battle.with_order(order, scores) if order else battle


def _with_rest_of_turn(waiting: Interrupted, unit: Unit) -> Interrupted:
    """The interrupted command, with the rest of its turn where its unit is about to take an extra one."""
    if waiting.unit != unit.id or waiting.is_extra or waiting.turn is not None:
        return waiting
    return replace(waiting, turn=unit.turn)
