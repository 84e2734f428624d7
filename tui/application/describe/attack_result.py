"""The result of an attack: its events, the battle before and after it, and the odds that it had."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from msgspec import Struct

from engine.battle.attacks.area_odds import odds_in_steps
from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.command import Attack
from engine.battle.events import AttackRolled, Event
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.rules.model import Ruleset


class Result(Struct, frozen=True):
    """A command with an attack, the battle after it, and the one before it."""

    events: Sequence[Event]
    battle: Battle
    before: Battle | None = None
    is_open: bool = False
    """Whether it asks for more dice: the events are those so far."""

    @property
    def rolled(self) -> tuple[AttackRolled, ...]:
        """Its attack rolls, in order."""
        return tuple(event for event in self.events if isinstance(event, AttackRolled))


def is_attack(events: Sequence[Event]) -> bool:
    """Whether there is an attack among the events of a command."""
    return any(isinstance(event, AttackRolled) for event in events)


def forecast_of(result: Result, rules: Ruleset) -> Generator[None, None, AttackPreview | None]:
    """The last attack of a command before its roll, with its odds, little by little; None where there are none."""
    rolled, before = result.rolled[-1], result.before
    attack = Attack(
        rolled.unit, "" if rolled.square else rolled.target, rolled.weapon, rolled.action, square=rolled.square
    )
    if before is None:
        return None
    try:
        return (yield from odds_in_steps(before, rules, consider(before, rules, attack)))
    except BattleboardError:  # it was possible only in the middle of the command
        return None
