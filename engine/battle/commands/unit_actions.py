"""Simple unit commands: facing and weapon in hand; and what carries out moves, attacks and other actions."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.attacks.making_attacks import decide_attack
from engine.battle.attacks.resolve_effects import act
from engine.battle.command import OWN, Act, Attack, Command, Deciding, EndTurn, Events, Move, Resolvers
from engine.battle.commands.other_actions import decide_act
from engine.battle.event_builder import (
    face_action,
    ready_action,
    refuse_unless_affordable,
    refuse_unless_turn,
)
from engine.battle.facts import action_facts, weapon_facts
from engine.battle.gear import carried_weapon
from engine.battle.moves.moves import decide_move
from engine.battle.parameters import UnitId, WeaponId
from engine.battle.state.battle import Battle
from engine.battle.turns.turn_flow import decide_end_of_turn
from engine.errors import Illegal
from engine.geometry.squares import Direction
from engine.rules.model import Ruleset


class Face(Command, frozen=True, tag="face"):
    """Turn on the spot, for the ruleset's price, where it has one; out of the unit's turn it is the GM who turns it."""

    may = OWN

    unit: UnitId
    facing: Direction

    def needs_leave(self, battle: Battle, rules: Ruleset) -> bool:
        return battle.turns.active != self.unit

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit = battle.unit(self.unit)
        if unit.facing is self.facing:
            raise Illegal("facing", f"{unit.name} already faces that way.")
        by_gm = battle.turns.active != unit.id
        draft = now.draft()
        action = None if by_gm else face_action(rules)
        if action is not None:
            facts = action_facts(battle, rules, unit, action)
            refuse_unless_affordable(unit, action, facts, rules)
            draft.pay(unit, action, facts)
        draft.add(ev.UnitTurned(unit.id, self.facing, is_chosen=True, by_gm=by_gm))
        if action is not None:
            act(draft, unit.id, action, now.dice)
        return draft.events


class Ready(Command, frozen=True, tag="ready"):
    """Take another of its weapons in hand: in its turn and for the ruleset's price, where it has one.

    In the set-up phase it is free.
    """

    may = OWN

    unit: UnitId
    weapon: WeaponId
    is_free: bool = False
    """Costs nothing and needs no turn: the GM's leave."""

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit = battle.unit(self.unit)
        weapon = rules.gear.weapons[carried_weapon(rules, unit, self.weapon)]
        if unit.gear.weapon == weapon.id:
            raise Illegal("weapon", f"{unit.name} already holds the {weapon.label}.", "in hand")
        draft = now.draft()
        action, is_free = ready_action(rules), self.is_free or battle.is_set_up
        if action is not None and not is_free:
            refuse_unless_turn(battle, unit, rules)
            facts = {
                **action_facts(battle, rules, unit, action),
                **weapon_facts(rules, unit, weapon),
            }
            refuse_unless_affordable(unit, action, facts, rules)
            draft.pay(unit, action, facts)
        draft.add(ev.WeaponReadied(unit.id, weapon.id, weapon.label, is_free))
        return draft.events


RESOLVERS = Resolvers(decide_move, decide_attack, decide_act, decide_end_of_turn)
"""The engine's rules for the commands that name no others."""

KINDS = (Move, Attack, Act, EndTurn, Face, Ready)
