"""Turn order: initiative alone or by sides, by declared actions, and ties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import floor

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import consider
from engine.battle.command import Attack
from engine.battle.distances import distance_between
from engine.battle.event_builder import EventBuilder, acts_any_time
from engine.battle.facts import action_facts, circumstances, weapon_facts
from engine.battle.gear import weapon_in_hand
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.wording import group_name
from engine.dice.sources import DiceSource, Roll, refuse_unless_separate, roll
from engine.errors import Illegal, Unknown
from engine.rules.fact_list import DECLARED_FACTS, DICE_FACTS
from engine.rules.formula_values import whole_down
from engine.rules.model import Action, Ruleset, Value, Weapon
from engine.rules.origin import Origin
from engine.text import side_name
from engine.values import replace

NOTHING = Action("", "nothing", "", {}, (), Origin(""))
"""A stand-in for the action of a unit that has nothing to attack with."""


class Contender(Struct, frozen=True):
    """Who rolls once: a unit, or a side with its members; the facts are those of the one with the best bonus."""

    who: str
    name: str
    members: tuple[Unit, ...]
    facts: Mapping[str, Value]
    declared: str
    """Label of what is declared; "" where nothing is asked."""
    bonus: int
    tie: int


class InitiativeScore(Struct, frozen=True):
    """Initiative of a contender; high goes first."""

    contender: Contender
    score: int
    tie_roll: int = 0

    @property
    def rank(self) -> tuple[int, int]:
        return self.score, self.contender.tie


def upcoming(battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    """Ids of the units whose turns come after the active one's, as far as that is settled: interrupted turns first.

    Who acts after declared moves is settled once they are made, and who begins the next round once its order is rolled.
    """
    turns = battle.turns
    if battle.is_finished or not turns.active:
        return ()
    waiting = (turn.unit for turn in reversed(turns.interrupted))
    is_rolled_anew = rules.turns.initiative.every == "round" or (bool(turns.declared) and not turns.closing)
    gone = {*turns.surprised, *([turns.active] if turns.is_own_turn else ())}
    again = () if is_rolled_anew else (one for one in turns.order if one not in gone)
    come = dict.fromkeys((*waiting, *turns.closing[1:], *to_act(battle, rules), *again))
    return tuple(one for one in come if not battle.units[one].is_defeated)


def to_act(battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    """Ids of the units whose turn of this round has not begun, the next one first.

    Where sides act together, those of the side that is acting come before the others.
    """
    turns = battle.turns
    left = [one for one in turns.order if one not in turns.started and one not in turns.surprised]
    if rules.turns.initiative.is_by_side and turns.started and turns.current_place in battle.units:
        side = battle.units[turns.current_place].side
        left.sort(key=lambda one: battle.units[one].side != side)
    return tuple(one for one in left if not battle.units[one].is_defeated)


def may_be_next(battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    """Ids of those among whom the Game Master may choose who acts now, the acting unit first; none without a choice.

    Where sides act together, that is everybody of the side that is acting who has not acted, until the acting unit
    does something; after simultaneous moves everybody who may still act then.
    """
    turns = battle.turns
    if battle.is_finished or not turns.active or battle.openings or turns.held:
        return ()
    if turns.closing:
        found = () if turns.interrupted else turns.closing
    elif not rules.turns.initiative.is_by_side or not turns.is_own_turn or battle.units[turns.active].turn.is_used:
        return ()
    else:
        waiting = (one.unit for one in reversed(turns.interrupted) if not one.is_extra)
        side = battle.units[turns.active].side
        others = (one for one in (*waiting, *to_act(battle, rules)) if battle.units[one].side == side)
        found = (turns.active, *others)
    return found if len(found) > 1 else ()


def still_to_act(battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    """Ids of those who wait or hold an action, in the last turn of a round: as it ends they may act no more."""
    turns = battle.turns
    if battle.is_finished or turns.active not in turns.order or turns.interrupted or turns.closing:
        return ()
    return () if to_act(battle, rules) else others_at_any_time(battle, rules, turns.active)


def others_at_any_time(battle: Battle, rules: Ruleset, but: str) -> tuple[str, ...]:
    """Ids of all units but one that may act out of their turn."""
    others = (unit for unit in battle.units.values() if unit.id != but)
    return tuple(unit.id for unit in others if acts_any_time(unit, rules))


def roll_order(draft: EventBuilder, dice: DiceSource, declared: Mapping[str, str]) -> None:
    """Rolls the turn order of all units in the fight again.

    Args:
        draft: where the rolls and the order are added.
        dice: where they come from.
        declared: action ids by unit id, where the ruleset asks what units declare; those left out attack with what
            they have in hand.

    Raises:
        Illegal: nobody is left, or what is declared is not asked or cannot be done.
        Unknown: no such unit or action.
    """
    battle, rules = draft.battle, draft.rules
    fighting = [unit for unit in battle.units.values() if not unit.is_defeated]
    if not fighting:
        raise Illegal("nobody", "No unit is left to fight.")
    for unit_id in declared:
        battle.unit(unit_id)
        if not rules.turns.initiative.declares:
            raise Illegal("declared", f"{rules.name} rolls initiative without declared actions.")
    places = [_rolled(draft, each, dice) for each in _contenders(battle, rules, fighting, declared)]
    places = _tied(draft, places, dice)
    places.sort(key=lambda place: (*place.rank, place.tie_roll), reverse=True)
    scores = {unit.id: place.score for place in places for unit in place.contender.members}
    order = [unit.id for place in places for unit in place.contender.members]
    order = list(gathered(order, battle.turns.groups))
    draft.add(ev.OrderSet(tuple(order), {unit.id: scores[unit.id] for unit in fighting}))


def gathered(order: Sequence[str], groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The order with the members of each group one after the other, from the place of the first."""
    whole = {unit_id: [one for one in order if one in group] for group in groups for unit_id in group}
    found: dict[str, None] = {}
    for unit_id in order:
        found |= dict.fromkeys(whole.get(unit_id, [unit_id]))
    return tuple(found)


def _contenders(
    battle: Battle, rules: Ruleset, fighting: Sequence[Unit], declared: Mapping[str, str]
) -> list[Contender]:
    asked = rules.turns.initiative
    found: dict[str, list[tuple[Unit, dict[str, Value], str]]] = {}
    for unit in fighting:
        facts, label = circumstances(battle, rules, unit), ""
        if asked.declares:
            action, weapon = _declared(rules, unit, declared.get(unit.id, ""))
            facts = {**action_facts(battle, rules, unit, action), **weapon_facts(rules, unit, weapon)}
            if not asked.bonus.names.isdisjoint(fact.name for fact in DECLARED_FACTS):
                facts |= _declared_attack(battle, rules, unit, action, weapon)
            label = action.label
        key = asked.contender(unit.side, battle.turns.group_of(unit.id)[0])
        found.setdefault(key, []).append((unit, facts, label))
    contenders = []
    for who, rows in found.items():
        bonuses = [whole_down(asked.bonus, facts) for _, facts, _ in rows]
        ties = [whole_down(asked.ties, facts) for _, facts, _ in rows] if asked.ties else bonuses
        first = bonuses.index(max(bonuses))
        members = sorted(range(len(rows)), key=lambda at: (ties[at], bonuses[at]), reverse=True)
        name = side_name(who) if asked.is_by_side else rows[0][0].name
        if len(rows) > 1 and not asked.is_by_side:
            who = name = group_name([unit for unit, _, _ in rows])
        ordered = tuple(rows[at][0] for at in members)
        label = "" if asked.is_by_side else rows[0][2]
        contenders.append(Contender(who, name, ordered, rows[first][1], label, bonuses[first], max(ties)))
    return contenders


def _rolled(draft: EventBuilder, contender: Contender, dice: DiceSource) -> InitiativeScore:
    asked = draft.rules.turns.initiative
    rolled = roll(asked.dice, dice, f"Initiative of {contender.name}")
    score = rolled.total + contender.bonus
    if asked.score is not None:
        facts = {**contender.facts, **_roll_facts(asked.score.names, rolled), "bonus": contender.bonus}
        score = whole_down(asked.score, facts)
    units = _ids(draft, [contender])
    draft.add(ev.InitiativeRolled(contender.who, rolled, contender.bonus, score, contender.declared, units))
    return InitiativeScore(contender, score)


def _roll_facts(names: frozenset[str], rolled: Roll) -> dict[str, Value]:
    if not names.isdisjoint(DICE_FACTS):
        refuse_unless_separate(rolled)
    dice = (*rolled.dice, *(0 for _ in DICE_FACTS))
    return {"rolled": rolled.total, **dict(zip(DICE_FACTS, dice, strict=False))}


def _tied(draft: EventBuilder, places: Sequence[InitiativeScore], dice: DiceSource) -> list[InitiativeScore]:
    """The same places, with a roll more for those who are tied."""
    times = Counter(place.rank for place in places)
    found = []
    for place in places:
        tie_dice = draft.rules.turns.initiative.tie_dice
        if tie_dice is not None and times[place.rank] > 1:
            rolled = roll(tie_dice, dice, f"{place.contender.name}, tied for initiative")
            tied = [other.contender for other in places if other.rank == place.rank and other is not place]
            draft.add(ev.TieRolled(place.contender.who, rolled, _ids(draft, [place.contender]), _ids(draft, tied)))
            place = replace(place, tie_roll=rolled.total)
        found.append(place)
    return found


def _ids(draft: EventBuilder, contenders: Sequence[Contender]) -> tuple[str, ...]:
    """Ids of all for whom these roll, as the battle has them."""
    members = {unit.id for contender in contenders for unit in contender.members}
    return tuple(unit for unit in draft.battle.units if unit in members)


def _declared_attack(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action, weapon: Weapon | None
) -> dict[str, Value]:
    """DECLARED_FACTS: what a declared attack would be on the nearest enemy on whom it is possible."""
    if action.kind == "attack" and weapon is not None:
        foes = sorted(battle.known_foes(unit), key=lambda foe: distance_between(battle.field, rules, unit, foe))
        for foe in foes:
            ledger = consider(battle, rules, Attack(unit.id, foe.id, weapon.id, action.id)).ledger
            if ledger.is_possible:
                return {"can_attack_now": True, "attack_total": floor(ledger.total)}
    return {"can_attack_now": False, "attack_total": 0}


def _declared(rules: Ruleset, unit: Unit, action_id: str) -> tuple[Action, Weapon | None]:
    """Declared action of a unit, and the weapon for it: the one in hand where that fits, else the first that does."""
    held = weapon_in_hand(rules, unit)
    if not action_id:
        fitting = attack_actions(rules, held) if held else ()
        return (fitting[0] if fitting else NOTHING), held
    action = rules.actions.get(action_id)
    if action is None:
        raise Unknown("action", action_id, rules.actions)
    if action.kind != "attack":
        return action, held
    carried = [rules.gear.weapons[weapon] for weapon in dict.fromkeys((unit.gear.weapon, *unit.gear.weapons)) if weapon]
    weapon = next((one for one in carried if action in attack_actions(rules, one)), None)
    if weapon is None:
        raise Illegal("weapon", f"{unit.name} has no weapon for “{action.label}”.")
    return action, weapon
