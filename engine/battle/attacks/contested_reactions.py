"""Races: an attack or an act and the reactions that it draws, and which of them come before it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle.attacks.attack_choices import kinds_to_answer
from engine.battle.attacks.reactions import ProvokedReaction, reaction_facts
from engine.battle.attacks.resolve_effects import NamingSource, add_consequences
from engine.battle.cause import Cause
from engine.battle.event_builder import EventBuilder
from engine.battle.facts import Situation
from engine.battle.state.units import Unit
from engine.dice.sources import DiceSource
from engine.rules.effects import consequences
from engine.rules.model import Action
from engine.rules.reaction_rules import IN_TIME


def split_by_contest(
    draft: EventBuilder,
    actor: Unit,
    action: Action,
    drawn: Sequence[ProvokedReaction],
    dice: DiceSource,
    attack: Situation | None = None,
) -> tuple[list[ProvokedReaction], list[ProvokedReaction]]:
    """Reactions that come before an action, and those that come after it, by the contests of their rules.

    Args:
        draft: where the rolls are added.
        actor: whose act it is.
        action: the act.
        drawn: what it draws.
        dice: where dice come from.
        attack: the act, where it is an attack.
    """
    early: list[ProvokedReaction] = []
    late: list[ProvokedReaction] = []
    for draw in drawn:
        enemy = draft.battle.unit(draw.reactor)
        if not draw.reaction.race:
            early.append(draw)
            continue
        race = draw.reaction.race_between(enemy.name, actor.name)
        asked = frozenset[str]().union(*(one.asks() for one in race))
        kinds = kinds_to_answer(draft.battle, draft.rules, enemy, actor, draw.reaction.weapons)
        facts = reaction_facts(asked, draft.battle, draft.rules, actor, enemy, action, attack, kinds)
        is_named = race != draw.reaction.race
        about = f", {draw.reaction.label}" if is_named else f", {enemy.name} against {actor.name}"
        source = NamingSource(dice, about)
        found = consequences(race, facts, None, source, tells=draft.tells)
        add_consequences(draft, found, Cause({"attacker": enemy.id}, draw.reaction.label))
        (early if found.values.get(IN_TIME) else late).append(draw)
    return early, late
