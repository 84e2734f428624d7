"""Odds of the shot in focus, worked out while the screen is idle: outcomes, improvements, what each modifier does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from engine.battle.attacks.attack_preview import AttackPreview, Change
from engine.battle.command import Attack
from engine.battle.state.battle import Battle
from engine.rules.roll_odds import EntryWorth, every_worth
from engine.tactics.suggestions import better, changes
from engine.values import replace
from tui.application.describe.attack_result import Result, forecast_of
from tui.application.focus import focus as foci
from tui.application.presenter.presenter import Presenter
from tui.view.terminal.idle_jobs import IdleJobs


class Show(Protocol):
    """Shows the shot as it is known by now, or the result with the odds that it had."""

    def __call__(self, forecast: AttackPreview | None = None, *, has_defence: bool = False) -> None: ...


class ShotOdds:
    """Replaces the presenter's shot by the same with its odds, as long as it is in focus."""

    def __init__(self, presenter: Presenter, jobs: IdleJobs, show: Show) -> None:
        self._presenter = presenter
        self._jobs = jobs
        self._show = show
        self._weighed: tuple[Battle | None, Attack | None, tuple[Change, ...], tuple[EntryWorth, ...]] = (
            None,
            None,
            (),
            (),
        )
        """The attack evaluated last, its possible improvements, and the effects of its modifiers."""

    def begin(self) -> None:
        """Begins with the odds of the shot in focus, or with those that the last attack had."""
        attack = self._presenter.attack
        if isinstance(attack, Result):
            self._jobs.do("odds", self._recalled(attack))
        elif isinstance(attack, AttackPreview):
            self._jobs.do("odds", self._forecast(attack))

    def _recalled(self, result: Result) -> Iterator[None]:
        found = yield from forecast_of(result, self._presenter.session.rules)
        if self._presenter.last.result is result:
            self._show(found)

    def _forecast(self, shot: AttackPreview) -> Iterator[None]:
        """Computes the outcome odds of the shot and shows them."""
        presenter = self._presenter
        if presenter.shot is not shot:  # another is in focus by now
            return
        battle, rules = presenter.session.battle, presenter.session.rules
        attack = foci.attack_in(presenter.focus, battle, rules)
        found = yield from foci.with_outlook(shot, presenter.focus, battle, rules)
        if presenter.shot is not shot:
            return
        last, about, best, worths = self._weighed
        is_known = last is battle and about == attack
        presenter.shot = found = replace(found, better=best, worths=worths) if is_known else found
        self._show(has_defence=found.defended is not None)
        if not is_known and attack is not None and not attack.square:
            self._jobs.do("weigh", self._weigh(found, battle, attack))

    def _weigh(self, shot: AttackPreview, battle: Battle, attack: Attack) -> Iterator[None]:
        """Computes improvements of the shot and the effect of each modifier, and shows them."""
        presenter, rules = self._presenter, self._presenter.session.rules
        found: list[Change] = []
        for change in changes(battle, rules, attack):
            found.append(change)
            yield
        best = better(found, shot)
        known: list[EntryWorth] = []
        for worth in every_worth(rules, shot.situation.facts, shot.ledger):
            known.append(worth)
            yield
        self._weighed = battle, attack, best, tuple(known)
        if presenter.shot is shot:
            presenter.shot = replace(shot, better=best, worths=tuple(known))
            self._show()
