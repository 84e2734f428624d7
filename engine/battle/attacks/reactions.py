"""Reactions provoked by a move, an attack or an action: who reacts, at which step, why, and how.

A move stops where it draws something, an attack or act is not made yet; then the enemies that react have an opening.
Who waits for somebody's defence has one when the attack is over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, product

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.attacks.attack_choices import attack_actions, kinds_of_opening, kinds_to_answer, weapon_to_answer
from engine.battle.attacks.attack_preview import is_allowed
from engine.battle.command import Attack
from engine.battle.distances import adjacent_enemies, carried_to, is_adjacent, range_between
from engine.battle.event_builder import EventBuilder, costs, is_left
from engine.battle.facts import (
    Situation,
    action_facts,
    bare_square,
    circumstances,
    pair_facts,
    sees,
    unit_facts,
    weapon_facts,
)
from engine.battle.state.battle import Battle, Opening
from engine.battle.state.gm_overrides import OFF
from engine.battle.state.reasons import Reason, ReasonKind
from engine.battle.state.units import Unit
from engine.geometry.battlefield import MAX_COLUMNS, MAX_ROWS
from engine.geometry.movement.best_path import Provoked, provokes_nothing
from engine.geometry.squares import Square
from engine.rules.expressions import Expression
from engine.rules.model import ABOUT_WHOM, Action, Ruleset, Value
from engine.rules.reaction_rules import ACT_TRIGGERS, ACTS, ATTACKS, DEFENDS, Reaction
from engine.values import replace

DRAWN_BY: Mapping[str, ReasonKind] = {
    "leaves reach": "leaves-reach",
    "enters reach": "enters-reach",
    "moves in sight": "moves-in-sight",
    ATTACKS: "attacks",
    ACTS: "acts",
    DEFENDS: "defends",
}
"""What a trigger is as the reason of an attack at once."""
FARTHEST = MAX_COLUMNS * MAX_ROWS


class ProvokedReaction(Struct, frozen=True):
    """One reaction that an action provokes."""

    reaction: Reaction
    reactor: str
    """The enemy's id."""
    step: int
    """Which step of the path draws it, from 1; 0 for an act on the spot."""
    square: Square
    """Where the one who acts is then: on the square it leaves, or on the one where it comes into reach or sight."""
    because: Reason
    """What it is and by which act it is drawn."""
    cost: Mapping[str, int]
    """What it takes from the enemy's budget."""
    attack: str
    """Id of the attack that may be made; "" for any."""

    @property
    def name(self) -> str:
        """By this it is known as drawn already."""
        return f"{self.reaction.id} {self.reactor}"

    @property
    def stop(self) -> int:
        """How many steps of the path are walked when it happens."""
        return self.step - 1 if self.reaction.trigger == "leaves reach" else self.step


class MoveReactions:
    """Reactions that one move may provoke, step by step, each worked out once.

    The search for a path and the preview of it both ask here, so that they never disagree.
    """

    def __init__(
        self,
        battle: Battle,
        rules: Ruleset,
        unit: Unit,
        action: Action,
        passed: Collection[str] = (),
        *,
        ignores_zones: bool = False,
    ) -> None:
        """What may be provoked by a move.

        Args:
            battle: now.
            rules: the ruleset, which says what is provoked by what.
            unit: who would move, from where it stands.
            action: the move that its steps are part of.
            passed: names of those that the same move has provoked already.
            ignores_zones: as if every enemy faced the unit and every square that a reaction is about were its own.
        """
        self.battle, self.rules, self.unit, self.action = battle, rules, unit, action
        self.passed, self.ignores_zones = frozenset(passed), ignores_zones
        by_moves = (each for each in rules.turns.reactions if each.trigger not in ACT_TRIGGERS)
        self.reactions = [each for each in by_moves if action.id not in each.except_actions]
        self.foes = {foe.id: foe for foe in battle.foes(unit)} if self.reactions else {}
        self._places: dict[Square, tuple[Unit, frozenset[str]]] = {}
        self._found: dict[tuple[str, str, Square, Square], ProvokedReaction | None] = {}
        self._can_hold: dict[tuple[str, str], bool] = {}

    @cached_property
    def at_once(self) -> tuple[ProvokedReaction, ...]:
        """What a move at the end of the round provokes when it is declared; of any other move nothing."""
        return tuple(self._step(self.unit.at, self.unit.at, ())) if self.action.is_at_round_end else ()

    @cached_property
    def _have_seen(self) -> frozenset[str]:
        return frozenset(draw.reactor for draw in self.at_once)

    @property
    def provoked(self) -> Provoked:
        """The names of what a step provokes, for the search for a path."""
        return self._names if self.foes else provokes_nothing

    def along(self, path: Sequence[Square]) -> tuple[ProvokedReaction, ...]:
        """Everything that a path provokes, step by step; each reaction once from each enemy.

        A move at the end of the round is declared where the unit stands: who sees it there sees it move, and has no
        other right against it.

        Args:
            path: the start first; whether it may be walked is another question.
        """
        found = [draw for draw in self.at_once if draw.name not in self.passed]
        seen = set(self.passed)
        for number, (here, there) in enumerate(pairwise(path), 1):
            for draw in self._of_step(here, there, seen):
                seen.add(draw.name)
                found.append(replace(draw, step=number))
        return tuple(found)

    def _names(self, here: Square, there: Square, before: frozenset[str]) -> frozenset[str]:
        return frozenset(draw.name for draw in self._of_step(here, there, before | self.passed))

    def _of_step(self, here: Square, there: Square, seen: Collection[str]) -> Iterator[ProvokedReaction]:
        """As `_step`; of a move at the end of the round, what is left to those who did not see it declared."""
        for draw in self._step(here, there, seen):
            if not self.action.is_at_round_end or (
                draw.reactor not in self._have_seen and is_able(self.battle, self.rules, draw, self.unit.id)
            ):
                yield draw

    def _step(self, here: Square, there: Square, seen: Collection[str]) -> Iterator[ProvokedReaction]:
        """What a step draws that is not among those seen already, as if it were the first step."""
        if not self.foes:
            return
        (before, old), (after, new) = self._place(here), self._place(there)
        for reaction in self.reactions:
            leaves = reaction.trigger == "leaves reach"
            mover, other = (before, after) if leaves else (after, before)
            changed = old - new if leaves else new - old
            for foe_id, foe in self.foes.items():
                if reaction.trigger != "moves in sight" and foe_id not in changed:
                    continue
                if f"{reaction.id} {foe_id}" in seen or not self._may_hold(reaction, foe):
                    continue
                key = (reaction.id, foe_id, here, there)
                if key not in self._found:
                    self._found[key] = _draw(self.battle, self.rules, mover, foe, self.action, reaction, 1, other,
                                             ignores_zones=self.ignores_zones)  # fmt: skip
                if draw := self._found[key]:
                    yield draw

    def _may_hold(self, reaction: Reaction, foe: Unit) -> bool:
        """Whether a reaction may hold at any step, as far as an enemy's conditions, budgets, pools and stats decide."""
        key = reaction.id, foe.id
        if key not in self._can_hold:
            units = self.rules.units
            own = {
                f"reactor.{name}"
                for kind in (units.conditions, units.budgets, units.pools, units.stats)
                for name in kind
            }
            facts = unit_facts(self.battle, self.rules, foe, "reactor")
            settled = {name: facts[name] for name in reaction.when.names & own if name in facts}
            self._can_hold[key] = reaction.when.settled(settled, reaction.when.names - settled.keys()).can_hold
        return self._can_hold[key]

    def _place(self, square: Square) -> tuple[Unit, frozenset[str]]:
        """The unit on a square, and the enemies that are next to it there."""
        if square not in self._places:
            unit = carried_to(self.battle.field, self.unit, square)
            near = {enemy.id for enemy in adjacent_enemies(self.battle, unit)}
            self._places[square] = unit, frozenset(near)
        return self._places[square]


def draws(
    battle: Battle, rules: Ruleset, unit: Unit, path: Sequence[Square], action: Action, drawn: Sequence[str] = ()
) -> tuple[ProvokedReaction, ...]:
    """Everything that a path provokes; arguments as for `MoveReactions`."""
    return MoveReactions(battle, rules, unit, action, drawn).along(path)


def missed_zones(
    battle: Battle, rules: Ruleset, unit: Unit, path: Sequence[Square], action: Action
) -> tuple[ProvokedReaction, ...]:
    """Reactions that a path would draw, but for where it lies: outside the zone that an enemy on overwatch covers."""
    if not any(is_of_zone(name) for reaction in rules.turns.reactions for name in reaction.when.names):
        return ()
    inside = [draw.name for draw in draws(battle, rules, unit, path, action)]
    return MoveReactions(battle, rules, unit, action, inside, ignores_zones=True).along(path)


def is_of_zone(fact: str) -> bool:
    """Whether a fact of a reaction says where the unit that acts is: off the enemy's facing, or off a square."""
    return fact.startswith("reactor.") and fact.endswith(("bearing", "_distance"))


def zone_facts(battle: Battle, rules: Ruleset, unit: Unit, reaction: Reaction) -> frozenset[str]:
    """The facts of its zone that decide whether a unit makes a reaction as it stands; none where it makes none."""
    asked = reaction.when.names
    if not any(map(is_of_zone, asked)):
        return frozenset()
    weapon = rules.gear.weapons.get(weapon_to_answer(rules, unit, reaction.weapons))
    facts = {**circumstances(battle, rules, unit), **unit_facts(battle, rules, unit, "reactor")}
    facts |= weapon_facts(rules, unit, weapon)
    open_facts = {name for name in asked if name not in facts or name.startswith("unit.")}
    if not holds_somewhere(reaction.when, facts, open_facts):
        return frozenset()
    zone = frozenset(filter(is_of_zone, asked))
    return reaction.when.settled(facts, open_facts | zone).names & zone


def holds_somewhere(formula: Expression, facts: Mapping[str, Value], left_open: Collection[str] = ()) -> bool:
    """Whether a reaction may hold for an actor in any of the nearest and the farthest places, ahead and behind.

    Args:
        formula: the `when` of the reaction.
        facts: all that it asks for but the place.
        left_open: of these facts those that may yet be others.
    """
    by_place = [name for name in formula.names if is_of_zone(name)]
    for degrees, far, is_adjacent_there in product((0, 180), (0, FARTHEST), (False, True)):
        place: dict[str, Value] = {name: degrees if name.endswith("bearing") else far for name in by_place}
        place |= {"adjacent": is_adjacent_there, "distance": far}
        if formula.settled({**facts, **place}, frozenset(left_open).difference(place)).can_hold:
            return True
    return False


def drawn_by_attack(battle: Battle, rules: Ruleset, situation: Situation) -> tuple[ProvokedReaction, ...]:
    """Reactions that an attack provokes before it is made, without those that it has already provoked."""
    return drawn_by_act(battle, rules, situation.attacker, situation.action, ATTACKS, situation)


def drawn_by_act(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action, trigger: str, attack: Situation | None = None
) -> tuple[ProvokedReaction, ...]:
    """Reactions that an action of a unit provokes, without those that it has already provoked.

    Args:
        battle: now.
        rules: the ruleset.
        unit: who acts.
        action: the attack or other act that it is part of.
        trigger: what the act is, one of ACT_TRIGGERS.
        attack: the unit's own attack, where it is one.
    """
    found: list[ProvokedReaction] = []
    for reaction in rules.turns.reactions:
        if reaction.trigger != trigger or action.id in reaction.except_actions:
            continue
        for enemy in battle.foes(unit):
            if f"{reaction.id} {enemy.id}" in unit.turn.drawn_by_attack:
                continue
            draw = _draw(battle, rules, unit, enemy, action, reaction, 0, unit, attack)
            if draw is not None:
                found.append(draw)
    return tuple(found)


def still_able(battle: Battle, drawn: Sequence[ProvokedReaction]) -> list[ProvokedReaction]:
    """Those whose enemies are still in the fight."""
    return [draw for draw in drawn if not battle.unit(draw.reactor).is_defeated]


def give_openings(draft: EventBuilder, unit_id: str, drawn: Sequence[ProvokedReaction]) -> None:
    """Opens the provoked reactions against the acting unit."""
    for draw in drawn:
        draft.add(
            ev.OpeningGiven(
                draw.reactor,
                unit_id,
                draw.because,
                draw.reaction.id,
                draw.attack,
                draw.cost,
                draw.reaction.trigger not in ACT_TRIGGERS,
            )
        )


def threatened(battle: Battle, unit: Unit) -> frozenset[Square]:
    """Squares where a unit would be next to an enemy that is in the fight; walls between the two count.

    Each is the north-west square of the unit's footprint, like the squares of its reach. Where it cannot stand is not
    left out.
    """
    found: set[Square] = set()
    for enemy in battle.foes(unit):
        columns = range(enemy.at.column - unit.size, enemy.at.column + enemy.size + 1)
        rows = range(enemy.at.row - unit.size, enemy.at.row + enemy.size + 1)
        for square in (Square(column, row) for row in rows for column in columns):
            body = carried_to(battle.field, unit, square)
            if not all(one in battle.field for one in body.squares) or set(body.squares) & set(enemy.squares):
                continue
            if is_adjacent(battle.field, body, enemy):
                found.add(square)
    return frozenset(found)


def _draw(
    battle: Battle,
    rules: Ruleset,
    actor: Unit,
    enemy: Unit,
    action: Action,
    reaction: Reaction,
    step: int,
    before: Unit,
    attack: Situation | None = None,
    *,
    ignores_zones: bool = False,
) -> ProvokedReaction | None:
    """The reaction of one enemy to an act that triggers it; None when it may or can not answer.

    `before` is the actor as it was before a step.
    """
    if battle.gm.policy(enemy, reaction.id) == OFF:
        return None
    now = battle.with_unit(actor)
    asked = reaction.when.names.union(*(formula.names for formula in reaction.cost.values()))
    kinds = kinds_to_answer(now, rules, enemy, actor, reaction.weapons)
    facts = reaction_facts(asked, now, rules, actor, enemy, action, attack, kinds)
    if ignores_zones:
        facts |= dict.fromkeys(filter(is_of_zone, asked), 0)
    if not reaction.when.evaluate(facts):
        return None
    if not _notices(now, rules, enemy, actor, reaction.trigger):
        return None
    cost = costs(reaction.cost, facts)
    chosen = reaction.attack
    if chosen and chosen not in rules.actions:  # the one that a condition of the enemy's is about
        chosen = enemy.about.get(chosen.removesuffix(ABOUT_WHOM), "")
    if not is_left(enemy, cost) or not (reaction.is_any_action or can_attack(now, rules, enemy, actor, chosen, kinds)):
        return None
    drawn_by = DRAWN_BY[reaction.trigger]
    if drawn_by == "moves-in-sight" and not sees(battle, enemy, before):
        drawn_by = "moves-into-sight"
    because = Reason(drawn_by, actor.id, reaction.label, actor.at)
    return ProvokedReaction(reaction, enemy.id, step, actor.at, because, cost, chosen)


def _notices(battle: Battle, rules: Ruleset, enemy: Unit, actor: Unit, trigger: str) -> bool:
    """Whether an enemy has the trigger's unit in reach or in view."""
    if trigger in ACT_TRIGGERS and is_adjacent(battle.field, enemy, actor):
        return True
    return trigger not in ("moves in sight", *ACT_TRIGGERS) or sees(battle, enemy, actor)


def takes_any_action(rules: Ruleset, reaction_id: str) -> bool:
    """Whether a reaction leaves its unit any action of its own instead of the attack."""
    return any(each.is_any_action for each in rules.turns.reactions if each.id == reaction_id)


def can_attack(
    battle: Battle, rules: Ruleset, unit: Unit, target: Unit, attack: str = "", kinds: Collection[str] = ()
) -> bool:
    """Whether a unit could attack another at once and for nothing: with the attack named, or with any.

    `kinds` are the weapon kinds that it must be made with; empty for whatever is in hand.
    """
    weapon = rules.gear.weapons.get(weapon_to_answer(rules, unit, kinds))
    if weapon is None:
        return False
    attacks = [attack] if attack else [action.id for action in attack_actions(rules, weapon, kinds)]
    commands = (Attack(unit.id, target.id, weapon.id, action_id, is_free=True) for action_id in attacks)
    return any(is_allowed(battle, rules, command) for command in commands)


def can_answer(battle: Battle, rules: Ruleset, held: Opening | ev.OpeningGiven) -> bool:
    """Whether a unit could make the attack that it has the right to make out of turn."""
    kinds = kinds_of_opening(battle, rules, held)
    return can_attack(battle, rules, battle.unit(held.unit), battle.unit(held.against), held.attack, kinds)


def is_able(battle: Battle, rules: Ruleset, draw: ProvokedReaction, target_id: str) -> bool:
    """Whether an enemy could make its reaction against a unit as things are."""
    enemy, target = battle.unit(draw.reactor), battle.unit(target_id)
    kinds = kinds_to_answer(battle, rules, enemy, target, draw.reaction.weapons)
    return not enemy.is_defeated and can_attack(battle, rules, enemy, target, draw.attack, kinds)


def reaction_facts(
    asked: frozenset[str],
    battle: Battle,
    rules: Ruleset,
    actor: Unit,
    enemy: Unit,
    action: Action,
    attack: Situation | None,
    kinds: Collection[str],
) -> dict[str, Value]:
    """Facts that a reaction asks for, and no others: it is asked at every step of a path.

    `kinds` are the weapon kinds that it reacts with; its weapon is the one that it answers with.
    """
    weapon = weapon_to_answer(rules, enemy, kinds)
    owners = {name.partition(".")[0] for name in asked}
    facts: dict[str, Value] = {}
    if owners & {"unit", "action", "round", "square"}:
        facts |= action_facts(battle, rules, actor, action)
    if "reactor" in owners:
        facts |= unit_facts(battle, rules, enemy, "reactor")
        facts |= pair_facts(battle, rules, enemy, actor, "reactor")
    if "target" in owners:
        target = bare_square(actor.at) if attack is None else attack.target
        facts |= unit_facts(battle, rules, target, "target")
    facts |= weapon_facts(rules, enemy, rules.gear.weapons.get(weapon))
    facts |= {name: attack is not None and attack.facts[name] for name in ("ranged", "melee", "thrown")}
    if owners & {"adjacent", "distance"}:
        facts["adjacent"] = is_adjacent(battle.field, enemy, actor)
        facts["distance"] = range_between(battle.field, rules, enemy, actor)
    return facts
