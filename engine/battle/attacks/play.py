"""Playing an attack: each step of the flow happens once, with the dice and the answers of the table, as events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.attacks import resolve
from engine.battle.attacks.defence_flow import DeclaredDefence, chosen, defend
from engine.battle.attacks.defences import SHARED, DefenceOption
from engine.battle.attacks.resolve import Result
from engine.battle.attacks.resolve_effects import Blow, Hits, NamingSource, add_consequences, blow_facts, turned
from engine.battle.attacks.split_hits import Share, enemies_near, hits_kept, hits_of
from engine.battle.cause import Cause, affected_units
from engine.battle.defence_choices import NOBODY_ASKED, Choices
from engine.battle.event_builder import EventBuilder
from engine.battle.facts import observe_again
from engine.battle.state.battle import Battle
from engine.dice.sources import DiceSource, Roll
from engine.rules.effect_kinds import EffectChange
from engine.rules.effects import consequences
from engine.rules.model import Ruleset, Value
from engine.rules.reaction_rules import AIMED
from engine.rules.roll_odds import grade_of
from engine.values import replace


class Sharing(Struct, frozen=True):
    """How the hits of an attack go to others than its target, who may defend themselves against theirs."""

    share: Share
    rolled: Blow
    """The attack as it was rolled, before its target has done anything against it."""
    choices: Choices

    def own(self, rules: Ruleset, blow: Blow, strikes: int) -> Hits:
        """The hits that are the target's, once it has defended; one at least was meant for it."""
        if not self.share or not self.rolled.grade.is_hit or not blow.grade.is_hit:
            return Hits(1, strikes, strikes)
        scored = hits_of(rules, self.rolled)
        return Hits(1, max(0, self.hits_for_target(rules, scored) - (scored - strikes)), scored)

    def hits_for_target(self, rules: Ruleset, scored: int) -> int:
        """How many of the hits that were scored are meant for the target, which is hit first."""
        if not self.share:
            return scored
        return min(scored, hits_kept(rules, self.rolled.situation, self.rolled.ledger, _hits_shared(self.share)))


class Played(Struct, frozen=True):
    """State of an attack on one target."""

    dice: DiceSource
    """Where further dice come from."""
    facts: Mapping[str, Value]
    """Of the attack and of what has followed."""
    only: Hits
    """Those of the attack's hits that are this target's."""
    sharing: Sharing | None = None
    """None where none go to others."""
    shared: dict[str, Roll] | None = None
    """Rolls that serve all whom an attack on an area strikes, by effect; None for an attack on one."""
    changes: tuple[EffectChange, ...] = ()
    learned: Mapping[str, Value] = {}
    """Facts that these changes made other than they were."""
    left: int = 0
    """How many of its hits this target did not need."""


class PlayDriver:
    """The driver of an attack in play."""

    def __init__(
        self,
        draft: EventBuilder,
        dice: DiceSource,
        choices: Choices = NOBODY_ASKED,
        *,
        before: Battle | None = None,
        against: str = AIMED,
        share: Share = (),
        shared: dict[str, Roll] | None = None,
        roll: Callable[[], Blow] | None = None,
        counter: Callable[[Blow, DefenceOption], Blow | None] | None = None,
        declared: DeclaredDefence | None = None,
    ) -> None:
        """How it is played.

        Args:
            draft: where events are added.
            dice: where dice come from.
            choices: who defends.
            before: the battle before the attack; None for as it is.
            against: what sort of attack it is, SHARED or one of AGAINST.
            share: hits that are given to others than the target.
            shared: as in `Played`.
            roll: rolls the attack, where it is not rolled yet.
            counter: rolls the attack that answers it, if there is one; None where none may.
            declared: what was declared before the roll; None where nothing could be.
        """
        self._draft, self._before, self._dice, self._choices = draft, before or draft.battle, dice, choices
        self._against, self._share, self._shared, self._roll, self._counter = against, share, shared, roll, counter
        self._rolled: Blow | None = None
        self._taken = declared.option if declared else None
        self._said = declared.said if declared else None

    def run(self, flow: resolve.Flow[Blow, Played, Result]) -> Result:
        """Plays a flow to its end; returns its result."""
        return resolve.drive(flow, self._answer)

    def _answer(self, step: resolve.Step[Blow, Played]) -> Any:
        rules = self._draft.rules
        match step:
            case resolve.RollAttack():
                assert self._roll is not None
                return self._roll()
            case resolve.Choose(blow):
                self._rolled = blow
                if self._taken is not None:
                    return [(self._taken, blow)]
                now = blow if self._against == AIMED else _now(self._draft, blow)
                sharing = Sharing(self._share, blow, self._choices)
                own = sharing.hits_for_target(rules, hits_of(rules, blow)) if self._share else 0
                option = chosen(self._draft, self._before, now, self._choices, self._against, said=self._said, own=own)
                return [(option, blow if option is None else now)]
            case resolve.Defend(blow, option):
                if option is self._taken:
                    return blow
                return defend(self._draft, self._before, blow, option, self._dice, self._against)
            case resolve.Counter(blow, option):
                answer = self._counter(blow, option) if self._counter else None
                return answer and (answer, self._begun(answer, self._dice, Sharing((), answer, NOBODY_ASKED)))
            case resolve.Judge(blow):
                sharing = Sharing(self._share, self._rolled or blow, self._choices)
                return [(blow, self._begun(blow, self._dice, sharing, self._shared))]
            case resolve.Ends(blow, played, number):
                if not played.only.count:
                    self._draft.add(ev.StrikeBegan(blow.who["attacker"], blow.situation.target.id, _label(rules), 0, 0))
                is_over = number >= played.only.count or (number > 0 and _is_over(self._draft, *blow.who.values()))
                left = played.only.count - number
                return (replace(played, left=left), None) if is_over else (None, played)
            case resolve.Run(blow, played, number):
                return self._run(blow, played, number)
            case resolve.TurnsInto(blow, played):
                return [(_turns(self._draft, blow, played), played)]
            case resolve.CountAs(blow, played, unit, grade, because):
                return [self._turn(blow, played, unit, grade, because)]
            case resolve.Spill(blow, played):
                if played.shared is None and played.sharing is not None:
                    _share_out(self._draft, blow, played)
                return played
            case resolve.Join((played,), before):
                return played if before is None else replace(before, learned={**before.learned, **played.learned})
        raise AssertionError(step)

    def _begun(self, blow: Blow, dice: DiceSource, sharing: Sharing, shared: dict[str, Roll] | None = None) -> Played:
        """Before anything has followed from an attack."""
        facts, strikes = blow_facts(self._draft.rules, blow)
        return Played(dice, facts, sharing.own(self._draft.rules, blow, strikes), sharing, shared)

    def _run(self, blow: Blow, played: Played, number: int) -> Played:
        """Runs the effects of a grade once more."""
        draft, rules, situation, dice = self._draft, self._draft.rules, blow.situation, played.dice
        strikes, place = played.only.of, played.only.first + number - 1
        facts = {**played.facts, "strikes": strikes, "strike_number": place, "target_strike": number}
        source = dice
        if strikes > 1:
            label = _label(rules)
            draft.add(ev.StrikeBegan(situation.attacker.id, situation.target.id, label, place, strikes))
            source = NamingSource(dice, f", {label.lower()} {place} of {strikes}")
        for_all = dice.unnamed if isinstance(dice, NamingSource) else dice
        found = consequences(rules.attack.effects, facts, blow.grade, source, played.shared, for_all, tells=draft.tells)
        add_consequences(
            draft, found, Cause(blow.who, situation.action.label, situation.weapon.id, situation.trace.cover)
        )
        learned = {**played.learned, **found.learned}
        facts = {**played.facts, **found.learned}
        return replace(played, facts=facts, changes=(*played.changes, *found.changes), learned=learned)

    def _turn(self, blow: Blow, played: Played, unit: str, grade_id: str, because: str) -> tuple[Blow, Played]:
        """The attack that has turned into another grade against a unit."""
        rules, grade = self._draft.rules, grade_of(self._draft.rules, grade_id)
        self._draft.add(ev.AttackTurned(blow.who["attacker"], unit, grade.id, grade.label, because))
        if unit == blow.situation.target.id:
            again = replace(blow, learned={**blow.learned, **played.learned})
        else:
            again = replace(blow, situation=observe_again(self._draft.battle, rules, blow.situation, unit), learned={})
        again = turned(rules, again, grade)
        dice = NamingSource(played.dice, f" to {again.situation.target.name}")
        return again, self._begun(again, dice, Sharing((), again, NOBODY_ASKED))


def _turns(draft: EventBuilder, blow: Blow, played: Played) -> Iterator[tuple[str, str, str]]:
    """Changes of an attack: unit, grade and reason; each one is searched for after the effects of the previous ones."""
    for change in played.changes:
        effect = change.effect
        if effect.turns_into:
            for unit_id in affected_units(draft.battle, draft.rules, change, blow.who):
                yield unit_id, effect.turns_into, effect.label


def _now(draft: EventBuilder, blow: Blow) -> Blow:
    """The attack on one of several, as that one is by now."""
    return replace(blow, situation=replace(blow.situation, target=draft.battle.unit(blow.situation.target.id)))


def _hits_shared(share: Share) -> int:
    """How many hits are given to others."""
    return sum(hits for _, hits in share)


def _label(rules: Ruleset) -> str:
    return rules.attack.strikes.label if rules.attack.strikes else ""


def _is_over(draft: EventBuilder, *unit_ids: str) -> bool:
    """Whether one of these is out of the fight."""
    return any(draft.battle.unit(unit_id).is_defeated for unit_id in unit_ids)


def lasting(rules: Ruleset, learned: Mapping[str, Value]) -> dict[str, Value]:
    """What hits have made known that lasts: the attack's further hits know it, on whomever they strike."""
    names = frozenset[str]().union(*(effect.makes() for effect in rules.attack.effects if effect.lasts))
    return {name: value for name, value in learned.items() if name in names}


def _share_out(draft: EventBuilder, blow: Blow, played: Played) -> None:
    """Hits on others: those split off in advance, then those left over by a target that drops.

    Args:
        draft: where it is added.
        blow: the attack after its target has defended.
        played: its hits on its target, and how the others are shared.
    """
    assert played.sharing is not None
    rules, sharing, left = draft.rules, played.sharing, played.left
    rolled = replace(sharing.rolled, learned={**sharing.rolled.learned, **lasting(rules, played.learned)})
    if rules.attack.strikes is None or rules.attack.strikes.onto is None or not rolled.grade.is_hit:
        return
    scored = hits_of(rules, rolled if sharing.share else blow)
    number = 1 + sharing.hits_for_target(rules, scored)
    attacker = rolled.who["attacker"]
    asked: set[str] = set()
    for unit_id, hits in sharing.share:
        meant_for = min(hits, scored - number + 1)
        if meant_for < 1:
            break
        if _is_over(draft, attacker, unit_id):
            left += meant_for
        else:
            onto = _onto(draft, sharing, rolled, unit_id, Hits(number, meant_for, scored), played.dice)
            left += onto.left
            rolled = replace(rolled, learned={**rolled.learned, **lasting(rules, onto.learned)})
            asked.add(unit_id)
        number += meant_for
    if not left or blow.situation.target.id not in draft.battle.units:
        return
    number = scored - left + 1
    for other in enemies_near(draft.battle, rules, blow.situation, blow.ledger):
        if not left or _is_over(draft, attacker, other.id):
            return
        own = replace(sharing, choices=NOBODY_ASKED) if other.id in asked else sharing
        onto = _onto(draft, own, rolled, other.id, Hits(number, left, scored), played.dice)
        left = onto.left
        rolled = replace(rolled, learned={**rolled.learned, **lasting(rules, onto.learned)})
        number = scored - left + 1


def _onto(draft: EventBuilder, sharing: Sharing, rolled: Blow, unit_id: str, hits: Hits, dice: DiceSource) -> Played:
    """Hits on another unit, which may defend; returns how many are left over when it drops, and what it has learned."""
    rules = draft.rules
    again = observe_again(draft.battle, rules, rolled.situation, unit_id)
    onto = replace(rolled, situation=again)
    named = NamingSource(dice, f" to {again.target.name}")
    option = chosen(draft, draft.battle, _now(draft, onto), sharing.choices, SHARED, hits.count)
    defended = onto if option is None else defend(draft, draft.battle, _now(draft, onto), option, named, SHARED)
    evaded = hits_of(rules, onto) - hits_of(rules, defended)
    own = replace(hits, count=max(0, hits.count - max(0, evaded)))
    if not defended.grade.is_hit:
        own, defended = replace(own, count=0), replace(defended, grade=rolled.grade)
    begun = Played(named, blow_facts(rules, defended)[0], own)
    return PlayDriver(draft, named).run(resolve.strikes(defended, begun))
