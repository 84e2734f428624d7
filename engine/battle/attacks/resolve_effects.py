"""Events of effects, after an attack's roll or an action without one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct

from engine.answers import Needs
from engine.battle import events as ev
from engine.battle.cause import NOTHING, ActOn, Cause, affected_units
from engine.battle.event_builder import EventBuilder
from engine.battle.facts import BARE_SQUARE, Situation, action_facts, bare_square, facts_on, with_facts
from engine.battle.setup import full_facts
from engine.battle.state.battle import Battle
from engine.battle.state.reasons import Reason
from engine.battle.state.units import Unit
from engine.dice.dice_expressions import Dice
from engine.dice.sources import DiceSource, Request
from engine.rules.calculation import with_labels
from engine.rules.derived_facts import logged_facts
from engine.rules.effects import Consequences, consequences
from engine.rules.expressions import shown
from engine.rules.ledger import Ledger
from engine.rules.model import FACT_TIMES, NEARBY, Action, Grade, Ruleset, Value
from engine.rules.reaction_rules import Reaction
from engine.rules.roll_odds import roll_facts, strikes_of
from engine.values import replace


@contextmanager
def log_before_question(draft: EventBuilder, unit_id: str) -> Iterator[None]:
    """Where a question stops what a unit does, it says what has happened until then."""
    try:
        yield
    except Needs as need:
        if need.battle is None:
            rolls = (ev.EffectRolled(unit_id, one.label, one.roll, one.against) for one in need.rolled)
            need.happened, need.battle = (*draft.events, *rolls), draft.battle
        raise


class Blow(Struct, frozen=True):
    """A rolled attack against one target: the result of the roll, and its grade."""

    situation: Situation
    ledger: Ledger
    rolled: int
    grade: Grade
    dice: tuple[int, ...] = ()
    """What each die of the roll shows; nothing when only their sum was typed."""
    learned: Mapping[str, Value] = {}
    """Facts that what followed so far made other than they were."""

    @property
    def who(self) -> Mapping[str, str]:
        """Unit ids of "attacker" and "target"; a bare square is no target."""
        target = self.situation.target.id
        return {"attacker": self.situation.attacker.id} | ({} if target == BARE_SQUARE else {"target": target})


class Hits(Struct, frozen=True):
    """Some of the times that a hit strikes: `count` of them, from number `first` on, `of` all that there are."""

    first: int
    count: int
    of: int


_NEEDED = re.compile(r", -?[0-9]+ or (less|more)$")
"""What a test needs, at the end of its question."""


class NamingSource:
    """Dice source that adds words to each question, before what the roll needs: "Dodge of Moth, 35 or less"."""

    def __init__(self, dice: DiceSource, words: str) -> None:
        self.unnamed = dice
        """Where they come from, for those that are not about it."""
        self._words = words

    def request(self, dice: Dice, purpose: str) -> Request:
        needed = found.group() if (found := _NEEDED.search(purpose)) else ""
        label = purpose.removesuffix(needed)
        words = "" if label.endswith(self._words.removeprefix(",")) else self._words
        return self.unnamed.request(dice, f"{label}{words}{needed}")


def act(draft: EventBuilder, unit_id: str, action: Action, dice: DiceSource, on: ActOn = NOTHING) -> None:
    """Carries out a paid action that is no attack, on a unit or a square.

    Raises:
        Illegal: the magazine holds too few rounds.
    """
    unit = draft.battle.unit(unit_id)
    facts = facts_of_act(draft.battle, draft.rules, unit, action, on)
    facts["action.times_taken"] = (
        unit.turn.tally.get(action.id, 1) - 1
    )  # it has been paid for, and does not count itself
    draft.spend_rounds(unit, unit.gear.weapon, action, facts)
    found = consequences(action.effects, facts, None, dice, tells=draft.tells)
    who = {"attacker": unit_id} | ({"target": on.target} if on.target else {})
    add_consequences(draft, found, Cause(who, action.label, on=replace(on, action=action.id)))


def facts_of_act(battle: Battle, rules: Ruleset, unit: Unit, action: Action, on: ActOn) -> dict[str, Value]:
    """Facts for the effects of an action that is no attack."""
    square = bare_square(on.square) if on.square else None
    target = battle.unit(on.target) if on.target else square
    own = full_facts(rules, unit, "attacker")
    if target is None:
        return action_facts(battle, rules, unit, action) | own
    return facts_on(battle, rules, unit, action, target) | full_facts(rules, target, "target") | own


def react(draft: EventBuilder, unit_id: str, action: Action, reaction: Reaction, dice: DiceSource) -> bool:
    """Runs the effects on a unit that has used a reaction for this attack; returns whether it may attack again."""
    unit = draft.battle.unit(unit_id)
    facts = action_facts(draft.battle, draft.rules, unit, action) | full_facts(draft.rules, unit, "attacker")
    found = consequences(reaction.effects, facts, None, dice, tells=draft.tells)
    add_consequences(draft, found, Cause({"attacker": unit_id}, reaction.label))
    return reaction.again is not None and bool(reaction.again.evaluate(facts))


def facts_of_roll(rules: Ruleset, blow: Blow) -> dict[str, Value]:
    """The facts of a blow's situation and of its roll."""
    return roll_facts(rules, blow.situation.facts, blow.ledger, blow.rolled, blow.dice)


def blow_facts(rules: Ruleset, blow: Blow) -> tuple[dict[str, Value], int]:
    """The facts on which everything that follows from a blow rests, and how often it strikes."""
    situation = blow.situation
    facts = facts_of_roll(rules, blow)
    facts |= full_facts(rules, situation.attacker, "attacker") | full_facts(rules, situation.target, "target")
    facts |= blow.learned
    strikes = strikes_of(rules, facts, blow.grade)
    return facts | {"strikes": strikes}, strikes


def turned(rules: Ruleset, blow: Blow, grade: Grade) -> Blow:
    """A blow that what followed from its roll has turned into another grade."""
    return replace(blow, situation=with_facts(rules, blow.situation, {"outcome_changed": True}), grade=grade)


def log_facts(draft: EventBuilder, blow: Blow) -> None:
    """Adds the values of the ruleset's own facts that the log shows, where there is one."""
    if not draft.tells:
        return
    facts = facts_of_roll(draft.rules, blow)
    for after in FACT_TIMES:
        for label, value in logged_facts(draft.rules, facts, after):
            _log_result(draft, blow.who["attacker"], label, value)


def add_consequences(draft: EventBuilder, found: Consequences, cause: Cause) -> None:
    """Adds the events of the effects; the attack itself carries out a `strike`.

    Args:
        draft: where they are added.
        found: from `engine.rules.effects.consequences`.
        cause: what they follow from.
    """
    for named in found.rolls:
        draft.add(ev.EffectRolled(cause.attacker, named.label, named.roll, named.against))
    for one in found.logged:
        _log_result(draft, cause.attacker, one.label, one.value, one.calculation)
    for change in found.changes:
        effect = change.effect
        units = affected_units(draft.battle, draft.rules, change, cause.who)
        if draft.tells and not units and effect.whom in NEARBY and effect.whom != "allies":
            words = Reason("no-enemy-near" if effect.whom == "enemies" else "no-ally-near")
            draft.add(ev.EffectComputed(cause.attacker, effect.label, words=words))
        for unit_id in units:
            effect.events(change, unit_id, draft, cause)
    for unit_id in dict.fromkeys(cause.who.values()):
        draft.settle(unit_id)


def _log_result(draft: EventBuilder, unit_id: str, label: str, value: Value, how: str = "") -> None:
    """Adds a computed result: words, or a number and perhaps how it comes about."""
    if isinstance(value, bool | str):
        draft.add(ev.EffectComputed(unit_id, label, words=shown(value)))
    else:
        draft.add(ev.EffectComputed(unit_id, label, value, with_labels(how, draft.rules)))
