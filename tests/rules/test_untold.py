"""Commands decided without what only people read: the same rolls, grades, totals and state, and the same refusals.

Random legal commands, each decided twice; so is whether an attack is allowed, which asks for no line where it need not.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.answers import Needs
from engine.battle import command as cmd
from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.attacks.attack_preview import consider, is_allowed
from engine.battle.commands.decide import Decision, decided
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.policies import policy_kinds
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.journal.history import History
from engine.rules.ledger import Entry
from engine.rules.model import Ruleset
from engine.values import replace
from rulesets import shipped_rulesets
from tests.rules import random_play
from tests.rules.test_every_map import SIXTH, begun, the_rules

RULESETS = [*sorted(shipped_rulesets()), SIXTH]
MAPS = ("rooftops", "warehouse")
SLOW, COMMANDS = 8, 40


def bare(event: ev.Event) -> ev.Event:
    """An event without what only people read."""
    if not isinstance(event, ev.AttackRolled):
        return event
    entries = tuple(_bare(entry) for entry in event.entries)
    return replace(event, sight="", chance=event.chance * 0, entries=entries)


def _bare(entry: Entry) -> Entry:
    return replace(entry, because="")


def outcome(battle: Battle, command: cmd.Command, rules: Ruleset, answers: Any, *, tells: bool) -> Decision | str:
    """What comes of a command: its decision, else why there is none, with all that was asked until then."""
    try:
        return decided(battle, command, rules, answers, tells=tells)
    except (BattleboardError, Needs) as reason:
        return f"{type(reason).__name__}: {reason}"


class Twice:
    """Decides commands with and without words, and compares."""

    def __init__(self) -> None:
        self.attacks = 0
        """How many were made."""

    def __call__(self, battle: Battle, command: cmd.Command, rules: Ruleset, answers: Any = ()) -> tuple[ev.Event, ...]:
        told = outcome(battle, command, rules, answers, tells=True)
        untold = outcome(battle, command, rules, answers, tells=False)
        if isinstance(command, cmd.Attack):
            self._compare_permission(battle, rules, command)
        if isinstance(told, str) or isinstance(untold, str):
            assert told == untold
            return decided(battle, command, rules, answers).events
        assert told.answers == untold.answers
        events = [bare(event) for event in told.events if not isinstance(event, ev.EffectComputed)]
        assert events == [bare(event) for event in untold.events]
        assert apply_all(battle, told.events) == apply_all(battle, untold.events)
        self.attacks += sum(isinstance(event, ev.AttackRolled) for event in events)
        return told.events

    @staticmethod
    def _compare_permission(battle: Battle, rules: Ruleset, attack: cmd.Attack) -> None:
        try:
            refusal = consider(battle, rules, attack).refusal
        except BattleboardError as reason:
            refusal = str(reason)
        if "No roll can hit" not in refusal:
            assert is_allowed(battle, rules, attack) == (not refusal), refusal


def play(map_id: str, name: str, seed: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Plays a fight of random commands in which all react by themselves; returns how many attacks were made."""
    rules, history, twice = the_rules(name), begun(map_id, name, seed)[1], Twice()
    for kind in policy_kinds(rules):
        history = history.take(decided(history.battle, SetPolicy("auto", kind, ""), rules).events)
    monkeypatch.setattr(random_play, "decide", twice)
    random_play.roam(History(history.battle), rules, Random(f"{map_id} {name} {seed}"), COMMANDS)
    return twice.attacks


@pytest.mark.long
@pytest.mark.parametrize("map_id", MAPS)
@pytest.mark.parametrize("name", RULESETS)
def test_what_nobody_reads_changes_nothing(map_id: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert play(map_id, name, "quick", monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SLOW))
@pytest.mark.parametrize("map_id", MAPS)
@pytest.mark.parametrize("name", RULESETS)
def test_what_nobody_reads_changes_nothing_in_many_fights(
    map_id: str, name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(map_id, name, str(seed), monkeypatch)
