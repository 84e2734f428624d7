"""Suggestions: another attack now, or a step aside first. Computed one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from engine.battle.apply import apply_all
from engine.battle.attacks.attack_preview import AttackPreview, Change, DamageOdds, aim_of, situation_of
from engine.battle.attacks.damage_odds import outlook
from engine.battle.command import Attack, Move
from engine.battle.commands.decide import decide
from engine.battle.moves.moves import movement_range
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import BattleboardError
from engine.geometry.squares import Direction, Square
from engine.rules.model import Ruleset
from engine.tactics.options import Option, attack_option, attacks
from engine.values import replace

NO = Fraction(0)


def changes(battle: Battle, rules: Ruleset, attack: Attack) -> Iterator[Change]:
    """Every change that the attacker could make now and still attack; the next is computed on demand."""
    unit = battle.unit(attack.unit)
    try:
        now, _ = situation_of(battle, rules, attack)
    except BattleboardError:
        return
    others = [one.id for one in rules.actions.values() if one.id != now.action.id and one.cone is None]
    known = attacks(battle, rules, unit, weapons=[now.weapon.id], actions=others, targets=[attack.target])
    for option in known:
        if found := _change(battle, rules, option, rules.actions[option.command.action].label):
            yield found
    for way, square in _steps(battle, rules, unit):
        there = _stepped(battle, rules, unit, square)
        if there is not None and (
            found := _change(there, rules, attack_option(there, rules, attack), way.name, is_step=True)
        ):
            yield found


def better(found: Iterable[Change], shot: AttackPreview) -> tuple[Change, ...]:
    """The best other way and the best step, of those that are better than a shot; the straight step where several are.

    What is better has more mean damage, by a tenth at least; where that is not known of all, the greater chance to hit.
    An attack that does no damage is not measured by it. Where the shot is one, better is what makes its aim likelier;
    else the one is added whose aim is likeliest, if that is likelier than a wound.
    """
    changes, is_possible = list(found), shot.ledger.is_possible
    if shot.outlook is not None and (aim := aim_of(shot.outlook)) is not None:
        chance = dict(shot.outlook.outcomes)[aim]
        alike = [replace(change, expected=None, aim=(aim, dict(change.outcomes).get(aim, NO))) for change in changes]
        return _best([change for change in alike if _worth(change) > chance])
    aimed = [change for change in changes if change.aim is not None]
    changes = [change for change in changes if change.aim is None]
    now = _mean_damage(shot.outlook) if is_possible else NO
    if now is None or any(change.expected is None for change in changes):
        changes = [replace(change, expected=None) for change in changes]
        now = shot.odds.hit if is_possible else NO
    wounds = shot.outlook.hurt if shot.outlook is not None else Fraction(1)
    likelier = [change for change in aimed if not change.is_step and _worth(change) > wounds]
    return (*_best([change for change in changes if _is_better(change, now)]), *_best(likelier))


def _best(known: Sequence[Change]) -> tuple[Change, ...]:
    """The best other way and the best step of some changes."""
    ways = max((change for change in known if not change.is_step), key=_worth, default=None)
    steps = max(
        (change for change in known if change.is_step),
        key=lambda change: (_worth(change), -len(change.label)),
        default=None,
    )
    return tuple(change for change in (ways, steps) if change is not None)


def _worth(change: Change) -> Fraction:
    if change.aim is not None:
        return change.aim[1]
    return change.hit if change.expected is None else change.expected


def _is_better(change: Change, now: Fraction) -> bool:
    """Whether a change is better than this mean damage, as far as panels show it, or than this chance to hit."""
    return change.hit > now if change.expected is None else round(change.expected * 10) > round(now * 10)


def _mean_damage(odds: DamageOdds | None) -> Fraction | None:
    """The mean damage of an attack; None where it is not known, or not computed to the end."""
    return odds.expected if odds is not None and odds.has_damage and not odds.unsettled else None


def _steps(battle: Battle, rules: Ruleset, unit: Unit) -> list[tuple[Direction, Square]]:
    """The neighbouring squares that the unit could walk to before it attacks."""
    try:
        found = movement_range(battle, rules, unit)
    except BattleboardError:
        return []
    ways = ((way, unit.at.step(way)) for way in Direction)
    return [(way, square) for way, square in ways if found.stride_to(square) is not None]


def _stepped(battle: Battle, rules: Ruleset, unit: Unit, square: Square) -> Battle | None:
    """The battle after a step, with all that it costs and changes; None where it does not lead there at once."""
    try:
        there = apply_all(battle, decide(battle, Move(unit.id, (unit.at, square)), rules))
    except BattleboardError:
        return None
    return there if there.unit(unit.id).at == square else None


def _change(
    battle: Battle, rules: Ruleset, option: Option[Attack], label: str, *, is_step: bool = False
) -> Change | None:
    """An attack as a change; None where it may not be made, or cannot hit."""
    if option.shot is None or not option.hit:
        return None
    try:
        odds = outlook(battle, rules, option.shot)
    except BattleboardError:
        return None
    if odds is None:
        return Change(is_step, label, option.hit)
    aim = next(((one, chance) for one, chance in odds.outcomes if one == aim_of(odds)), None)
    return Change(is_step, label, option.hit, _mean_damage(odds), odds.outcomes, aim)
