"""Making attacks: an attack with its roll and all its effects."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial

from engine.answers import Needs
from engine.battle import events as ev
from engine.battle.attacks.attack_choices import opening_of
from engine.battle.attacks.attack_preview import AttackPreview, caught_facts, consider, pay_for_attack, permitted
from engine.battle.attacks.blast_rings import Ring, rings_of
from engine.battle.attacks.blasts import go_off
from engine.battle.attacks.contested_reactions import split_by_contest
from engine.battle.attacks.defence_flow import DeclaredDefence, declare
from engine.battle.attacks.defences import DefenceOption, counter_attack_command, counters
from engine.battle.attacks.play import PlayDriver, Played, lasting
from engine.battle.attacks.reactions import can_answer, drawn_by_act, drawn_by_attack, give_openings, still_able
from engine.battle.attacks.resolve import Flow, defended, follow, resolve
from engine.battle.attacks.resolve_effects import Blow, NamingSource, log_before_question, log_facts, react
from engine.battle.attacks.screens import screened
from engine.battle.attacks.split_hits import shared_hits, take_shares
from engine.battle.command import Attack, Deciding, held_command
from engine.battle.defence_choices import Choices
from engine.battle.event_builder import EventBuilder, spent_cover
from engine.battle.facts import (
    BARE_SQUARE,
    answered_facts,
    bare_square,
    observe,
    observe_again,
    sight_line,
    with_facts,
)
from engine.battle.state.battle import Opening
from engine.battle.state.units import Unit
from engine.dice.sources import NO_ROLL, DiceSource, Roll, TableSource, refuse_unless_separate, roll
from engine.geometry.squares import Square
from engine.rules.derived_facts import reads_dice
from engine.rules.model import Action, Ruleset
from engine.rules.reaction_rules import ACT_TRIGGERS, DEFENDS, SWEPT, Reaction
from engine.rules.roll_odds import judge, odds
from engine.values import replace


def decide_attack(now: Deciding, command: Attack) -> tuple[ev.Event, ...]:
    """Rolls an attack and everything that follows from it.

    One that draws reactions is not made yet: they are given their openings, and the same command then goes through.

    Args:
        now: with the choices who defends against it, and who of others is given hits.
        command: the attack.

    Raises:
        Illegal, Unknown: it may not be made so now.
        Needs: it is to be asked who defends.
    """
    battle, rules, dice, choices = now.battle, now.rules, now.dice, now.choices
    shot = permitted(battle, rules, command, tells=now.tells)
    situation, permission = shot.situation, shot.permission
    attacker, action = situation.attacker, situation.action
    found = rings_of(battle.field, rules, situation, shot.ledger) if shot.caught is None else ()
    share = () if found else shared_hits(battle, rules, shot, choices)
    draft = now.draft()
    drawn = drawn_by_attack(battle, rules, situation) if permission is None else ()
    early, late = split_by_contest(draft, attacker, action, drawn, dice, situation)
    if early:
        give_openings(draft, attacker.id, early)
        draft.add(ev.CommandHeld(held_command(command)))
        return draft.events
    take_shares(choices, share)
    held = opening_of(battle, command, action.id)
    pay_for_attack(draft, shot)
    with log_before_question(draft, attacker.id):
        if shot.caught is not None:
            blow = _roll(draft, shot, dice, command.square)
            _sweep(draft, blow, shot.caught, dice, choices)
        else:
            if not found:
                _refuse_wrong_dice(rules, shot, dice)
                shot = screened(draft, shot, dice, choices)
            declared = DeclaredDefence(shot) if found else declare(draft, battle, shot, choices, dice)
            roll = partial(_roll, draft, declared.shot, dice, command.square)
            counter = None if found else partial(_counter, draft, dice)
            then = partial(_burst, draft, found, dice, choices) if found else follow
            play = PlayDriver(
                draft, dice, choices, before=battle, share=share, roll=roll, counter=counter, declared=declared
            )
            play.run(resolve(then))
        reaction = next((each for each in rules.turns.reactions if permission and each.id == permission.reaction), None)
        if reaction is not None and react(draft, attacker.id, action, reaction, dice) and held is not None:
            _give_again(draft, held, reaction)
    give_openings(draft, attacker.id, still_able(draft.battle, late))
    _give_to_watchers(draft, action)
    draft.end_changes()
    for spent in spent_cover(battle, attacker.id, draft.events):
        draft.add(spent)
    return draft.events


def _give_again(draft: EventBuilder, held: Opening, reaction: Reaction) -> None:
    """Opens a reaction once more against the same unit, where another attack is still possible."""
    target = draft.battle.units.get(held.against)
    if target is None or target.is_defeated or not can_answer(draft.battle, draft.rules, held):
        return
    is_by_move = reaction.trigger not in ACT_TRIGGERS
    again = ev.OpeningGiven(
        held.unit, held.against, held.because, held.reaction, held.attack, dict(held.cost), is_by_move
    )
    draft.add(again)


def _roll(draft: EventBuilder, shot: AttackPreview, dice: DiceSource, square: Square | None = None) -> Blow:
    """Rolls a paid attack: fires the rounds, turns the attacker, grades the roll."""
    rules, situation, ledger = draft.rules, shot.situation, shot.ledger
    attacker, target, weapon, action = situation.attacker, situation.target, situation.weapon, situation.action
    draft.spend_rounds(attacker, weapon.id, action, situation.facts)
    draft.turn_to(attacker, target.at)
    rolled = _roll_dice(rules, shot, dice)
    grade = judge(rules, situation.facts, ledger, rolled.total, rolled.dice)
    draft.add(
        ev.AttackRolled(
            unit=attacker.id,
            target=target.id,
            weapon=weapon.id,
            weapon_label=weapon.label,
            action=action.id,
            action_label=action.label,
            distance=situation.distance,
            sight=situation.words if draft.tells else "",
            entries=ledger.entries,
            total=ledger.total,
            target_number=ledger.target_number,
            chance=shot.odds.hit if draft.tells else Fraction(0),
            roll=rolled,
            grade=grade.id,
            grade_label=grade.label,
            is_hit=grade.is_hit,
            square=square if target.id == BARE_SQUARE else None,
            beats=ledger.beats,
        )
    )
    blow = Blow(situation, ledger, rolled.total, grade, rolled.dice)
    log_facts(draft, blow)
    return blow


def _roll_dice(rules: Ruleset, shot: AttackPreview, dice: DiceSource) -> Roll:
    """The dice of an attack."""
    situation = shot.situation
    if not situation.action.is_rolled:
        return NO_ROLL

    def needed() -> str:
        need = rules.attack.test.needs(shot.ledger, odds(rules, situation.facts, shot.ledger).hit)
        return need.listed(rules.attack.test.dice)

    rolled = roll(rules.attack.test.dice, dice, f"{situation.attacker.name} attacks {situation.target.name}", needed)
    if reads_dice(rules):
        refuse_unless_separate(rolled)
    return rolled


def _refuse_wrong_dice(rules: Ruleset, shot: AttackPreview, dice: DiceSource) -> None:
    """Raises Illegal for dice typed for an attack that cannot be its roll, before anybody is asked to defend."""
    if isinstance(dice, TableSource):
        with suppress(Needs):  # nothing is typed
            _roll_dice(rules, shot, dice.trial())


def _give_to_watchers(draft: EventBuilder, action: Action) -> None:
    """Opens reactions for units that wait for a defence, against those who defended in this attack."""
    taken = (event for event in draft.events if isinstance(event, ev.DefenceTaken))
    defenders = dict.fromkeys(event.unit for event in taken)
    for unit_id in defenders:
        unit = draft.battle.unit(unit_id)
        if not unit.is_defeated:
            give_openings(draft, unit_id, drawn_by_act(draft.battle, draft.rules, unit, action, DEFENDS))


def _counter(draft: EventBuilder, dice: DiceSource, blow: Blow, option: DefenceOption) -> Blow | None:
    """The roll of the attack that a defence answers with; None when there is none, or it cannot be made."""
    if not counters(draft, blow, option):
        return None
    attack = counter_attack_command(draft.rules, option.unit, blow, option.defence, option.counters)
    return _roll(draft, consider(draft.battle, draft.rules, attack), dice)


def _burst(
    draft: EventBuilder, rings: tuple[Ring, ...], dice: DiceSource, choices: Choices, blow: Blow, cases: Played
) -> Flow[Blow, Played, Played]:
    """Effects of the roll of a throw: a miss has its own, and it may still go off."""
    if not blow.grade.is_hit:
        cases = yield from follow(blow, cases)
    if blow.grade.goes_off:
        go_off(draft, blow, rings, dice, choices)
    return cases


def _sweep(draft: EventBuilder, blow: Blow, caught: Sequence[Unit], dice: DiceSource, choices: Choices) -> None:
    """Attacks every unit in the area, the nearest first; none where there is no area."""
    battle, rules, situation = draft.battle, draft.rules, blow.situation
    if not caught:
        attacker, bare = situation.attacker, bare_square(situation.target.at)
        line = sight_line(battle, attacker, bare)
        changed = {**caught_facts((), bare), **answered_facts(rules, situation)}
        nobody = observe(battle, rules, attacker, bare, situation.weapon, situation.action, line, changed)
        PlayDriver(draft, dice).run(defended(replace(blow, situation=nobody), follow))
    shared: dict[str, Roll] = {}
    for unit in caught:
        draft.add(ev.BurstCaught(situation.attacker.id, unit.id, situation.action.label, Fraction(1)))
        struck = observe_again(draft.battle, rules, situation, unit.id)
        struck = with_facts(rules, struck, caught_facts(caught, unit))
        named = NamingSource(dice, f" to {unit.name}")
        on_one = replace(blow, situation=struck)
        played = PlayDriver(draft, named, choices, against=SWEPT, shared=shared).run(defended(on_one, follow))
        for one in played:
            blow = replace(blow, learned={**blow.learned, **lasting(rules, one.learned)})
