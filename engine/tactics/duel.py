"""Duels: two units in the open at a distance, and what each does to the other in a round. For forms and balance."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import AttackPreview, DamageOdds, consider, is_allowed
from engine.battle.attacks.damage_odds import outlook
from engine.battle.attacks.defence_odds import with_likely_defence
from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.command import Attack
from engine.battle.event_builder import costs
from engine.battle.facts import circumstances
from engine.battle.setup import set_up
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import CoverRuling
from engine.battle.state.units import Turn, Unit
from engine.errors import BattleboardError
from engine.geometry.battlefield import Battlefield, Ground, Height
from engine.geometry.squares import Direction, Square
from engine.rules.model import Ruleset
from engine.tactics.own_turn import in_own_turn
from engine.values import replace

ATTACKER, TARGET = "attacker", "target"
MOST_ATTACKS = 6
"""Attacks a turn that are counted."""
OPEN = Ground("floor")


class Round(Struct, frozen=True):
    """What one unit does to another in a round with its best attack."""

    attack: AttackPreview
    odds: DamageOdds
    """Of one attack, after the likely defence."""
    attacks: int
    """How many of them a turn affords."""
    health: int
    """What the target's first vital pool has."""

    @property
    def damage(self) -> Fraction:
        """Mean damage a round."""
        return self.odds.expected * self.attacks

    @property
    def rounds(self) -> Fraction | None:
        """Rounds until the target is down, by the means; None where nothing is lost."""
        lost = max(self.damage / self.health if self.health else Fraction(0), self.odds.drop * self.attacks)
        return 1 / lost if lost else None


def duel(
    rules: Ruleset,
    attacker: Unit,
    target: Unit,
    distance: int,
    unit: str,
    square: Height,
    covered: Fraction = Fraction(0),
    material: str = "",
) -> Battle:
    """A battle of two in the open, the attacker's turn just begun.

    Args:
        rules: the ruleset.
        attacker, target: units of any battle; here they stand up, fresh in the turn, each other's enemies.
        distance: between them, in squares, at least 1.
        unit, square: the map's unit, and the side of a square in hundredths of it.
        covered: the share of the target that a shot cannot reach, as the GM would rule it.
        material: of that cover.
    """
    gap = max(1, distance)
    columns, rows = attacker.size + gap - 1 + target.size, max(attacker.size, target.size)
    many = columns * rows
    field = Battlefield(
        "duel", columns, rows, unit, square, (OPEN,), (0,) * many, (0,) * many, (0,) * many, (2,) * many
    )
    battle = set_up(field, rules)
    for who, one, at, facing, side in (
        (ATTACKER, attacker, Square(0, 0), Direction.E, "one"),
        (TARGET, target, Square(attacker.size + gap - 1, 0), Direction.W, "other"),
    ):
        fresh = replace(one, id=who, at=at, facing=facing, side=side, turn=Turn(start=at), posture="standing")
        battle = battle.with_unit(replace(fresh, is_neutral=False, is_hidden=False, is_defeated=False, out=""))
    if covered:
        battle = replace(battle, gm=replace(battle.gm, covers=(CoverRuling(ATTACKER, TARGET, covered, material),)))
    return in_own_turn(battle, rules, ATTACKER)


def is_out(rules: Ruleset, unit: Unit, map_unit: str, square: Height) -> bool:
    """Whether a unit would be out of the fight as it begins, as one with no hit points.

    Args:
        rules: the ruleset.
        unit: as for `duel`.
        map_unit, square: the map's unit, and the side of a square in hundredths of it.
    """
    battle = duel(rules, unit, unit, 1, map_unit, square)
    return bool(unit.out or rules.units.defeated.evaluate(circumstances(battle, rules, battle.unit(TARGET))))


def attacks(battle: Battle, rules: Ruleset, weapons: tuple[str, ...] = ()) -> Iterator[Attack]:
    """Every attack that the attacker of a duel may make now, with some of its weapons, or with all."""
    unit = battle.unit(ATTACKER)
    for weapon in weapons or unit.gear.weapons:
        for action in attack_actions(rules, rules.gear.weapons[weapon]):
            attack = Attack(ATTACKER, TARGET, weapon, action.id)
            held = _holding(battle, weapon)
            if is_allowed(held, rules, attack):
                yield attack


def round_between(
    rules: Ruleset,
    attacker: Unit,
    target: Unit,
    distance: int,
    unit: str,
    square: Height,
    *,
    covered: Fraction = Fraction(0),
    material: str = "",
    weapons: tuple[str, ...] = (),
) -> Round | None:
    """The best round of a duel, with some of the attacker's weapons or with all; None where no attack can be made.

    Args:
        rules, attacker, target, distance, unit, square, covered, material: as for `duel`.
        weapons: ids of some of its weapons; none for all.
    """
    try:
        return best_round(duel(rules, attacker, target, distance, unit, square, covered, material), rules, weapons)
    except BattleboardError:
        return None


def best_round(battle: Battle, rules: Ruleset, weapons: tuple[str, ...] = ()) -> Round | None:
    """The attack of a duel that does most in a round; None where none can be made."""
    health = battle.unit(TARGET).pools.get(next(iter(vital_pools(rules)), ""), 0)
    found = [_round(battle, rules, attack, health) for attack in attacks(battle, rules, weapons)]
    return max((one for one in found if one), key=lambda one: (one.damage, one.odds.drop), default=None)


def _round(battle: Battle, rules: Ruleset, attack: Attack, health: int) -> Round | None:
    held = _holding(battle, attack.weapon)
    try:
        shot = consider(held, rules, attack)
        odds = outlook(held, rules, shot)
        defended = with_likely_defence(held, rules, shot)
    except BattleboardError:
        return None
    odds = defended.outlook if defended else odds
    return Round(shot, odds, _affordable(held, rules, attack), health) if odds else None


def _affordable(battle: Battle, rules: Ruleset, attack: Attack) -> int:
    """How many such attacks a turn affords: each is paid, and counted, until the next is refused."""
    for made in range(1, MOST_ATTACKS):
        unit = battle.unit(ATTACKER)
        price = costs(rules.actions[attack.action].cost, consider(battle, rules, attack).situation.facts)
        left = {name: have - price.get(name, 0) for name, have in unit.turn.budget.items()}
        tally = {**unit.turn.tally, attack.action: made}
        turn = replace(unit.turn, budget=left, attacks=made, tally=tally)
        battle = battle.with_unit(replace(unit, turn=turn))
        if not is_allowed(battle, rules, attack):
            return made
    return MOST_ATTACKS


def _holding(battle: Battle, weapon: str) -> Battle:
    unit = battle.unit(ATTACKER)
    return (
        battle
        if unit.gear.weapon == weapon
        else battle.with_unit(replace(unit, gear=replace(unit.gear, weapon=weapon)))
    )
