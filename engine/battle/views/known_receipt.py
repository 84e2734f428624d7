"""The receipt of an attack as those may read it who do not know every unit that had a part in it.

The result is the true one: what somebody unseen did to it stands in no line.
"""

from __future__ import annotations

from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.command import Attack
from engine.battle.events import AttackRolled
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from engine.values import replace


def known_receipt(rolled: AttackRolled, before: Battle, known: Battle, rules: Ruleset) -> AttackRolled:
    """A roll with the ledger, the chance and the sight of what is known; as it is where they are the same.

    Args:
        rolled: the attack.
        before: the whole battle before it was paid for.
        known: what is known of that.
        rules: the battle's.
    """
    if before.units.keys() == known.units.keys():
        return rolled
    target = "" if rolled.square else rolled.target
    attack = Attack(rolled.unit, target, rolled.weapon, rolled.action, is_free=True, square=rolled.square)
    try:
        whole, seen = (consider(battle, rules, attack) for battle in (before, known))
    except BattleboardError:  # as with a weapon that has gone since
        return rolled
    if _shown(whole) == _shown(seen):
        return rolled
    return replace(
        rolled,
        entries=seen.ledger.entries,
        total=seen.ledger.total,
        target_number=seen.ledger.target_number,
        beats=seen.ledger.beats,
        chance=seen.odds.hit,
        sight=seen.situation.words,
        distance=seen.situation.distance,
    )


def _shown(shot: AttackPreview) -> tuple[object, ...]:
    return shot.ledger, shot.odds.hit, shot.situation.words
