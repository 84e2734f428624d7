"""Automatic reactions (policy `auto`): made at once, with the seed's dice; the interrupted command then continues.

They belong to the command that has drawn them: one undo takes all of it back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction

from engine.battle import events as ev
from engine.battle.attacks.attack_choices import attack_actions, kinds_of_opening, weapon_of_opening
from engine.battle.attacks.attack_preview import permitted
from engine.battle.command import Act, Attack, Command, Move, command_of
from engine.battle.event_builder import EventBuilder
from engine.battle.state.battle import Battle, Opening
from engine.battle.state.gm_overrides import AUTO
from engine.errors import BattleboardError, Illegal
from engine.rules.model import Ruleset

MOST = 100
"""Most automatic attacks in one command, so that a chain of reactions to reactions ends."""

Decide = Callable[[Battle, Command, str], tuple[ev.Event, ...]]
"""Decides a command as a part of another one; the name of an automatic attack, "" for any other."""


def with_automatic_reactions(
    battle: Battle, rules: Ruleset, command: Command, found: Sequence[ev.Event], decide: Decide
) -> tuple[ev.Event, ...]:
    """A decided command with all its automatic reactions.

    Args:
        battle: before the command.
        rules: the ruleset.
        command: the command; where only such attacks interrupted it, it continues after them.
        found: the events of the command without automatic reactions.
        decide: decides a part.

    Raises:
        Needs: somebody may defend against such an attack.
    """
    draft = EventBuilder(battle, rules)
    for event in found:
        draft.add(event)
    passed, is_stopped = list(battle.openings), False
    for _ in range(MOST):
        due = next((held for held in draft.battle.openings if held not in passed and _is_due(draft.battle, held)), None)
        if due is not None:
            passed.append(due)
            if _attack(draft, due, decide):
                passed.remove(due)  # it is used up; what it opens again is a new one
                is_stopped = True
            continue
        onward = _rest_of_command(draft.battle, command) if is_stopped else None
        if onward is None:
            break
        is_stopped = False
        try:
            more = decide(draft.battle, onward, "")
        except Illegal as reason:
            draft.add(ev.PathEnded(onward.unit, reason.brief.rstrip(".")))
            break
        for event in more:
            draft.add(event)
    return draft.events


def _is_due(battle: Battle, held: Opening) -> bool:
    return battle.gm.policy(battle.unit(held.unit), held.reaction) == AUTO


def _attack(draft: EventBuilder, due: Opening, decide: Decide) -> bool:
    """Makes one automatic attack; returns whether it was still possible."""
    attack = _best(draft.battle, draft.rules, due)
    if attack is None:
        return False
    name = f"{due.reaction} {due.unit} {due.against}"
    try:
        made = decide(draft.battle, attack, name)
    except Illegal:
        return False
    draft.add(ev.ReactionTaken(due.unit, due.against, due.because))
    for event in made:
        draft.add(event)
    return True


def _best(battle: Battle, rules: Ruleset, due: Opening) -> Attack | None:
    """The attack most likely to hit among those that the opening allows, the ruleset's first of those alike."""
    weapon = rules.gear.weapons.get(weapon_of_opening(battle, rules, due))
    if weapon is None:
        return None
    kinds = kinds_of_opening(battle, rules, due)
    named = [due.attack] if due.attack else [action.id for action in attack_actions(rules, weapon, kinds)]
    found: dict[Attack, Fraction] = {}
    for action in named:
        attack = Attack(due.unit, due.against, action=action)
        with suppress(BattleboardError):
            found[attack] = permitted(battle, rules, attack).odds.hit
    return max(found, key=lambda attack: found[attack], default=None)


def _rest_of_command(battle: Battle, command: Command) -> Move | Attack | Act | None:
    """The rest of an interrupted command; None where there is none, or where the table must answer first."""
    held = battle.turns.held_by(command.unit) if isinstance(command, Move | Attack | Act) else None
    if held is None or any(one.against == held.unit and one.reaction for one in battle.openings):
        return None
    is_off = bool(held.path) and held.path[0] != battle.unit(held.unit).at
    return None if is_off else command_of(held)


def still_open(battle: Battle, own: Sequence[ev.Event]) -> list[ev.OpeningGiven]:
    """Reactions that a command has opened and that are still open after it."""
    held = {(one.unit, one.against) for one in battle.openings}
    return [one for one in own if isinstance(one, ev.OpeningGiven) and (one.unit, one.against) in held]
