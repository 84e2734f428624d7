"""Every action of every ruleset is offered under `a` to who holds what it is done with, and has a key of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from engine.rules.model import works_with
from tests.rules.table import fight, ruleset
from tests.tui.play import USUAL, app_for, screen_of, shipped_rulesets
from tui.application.focus.focus import Focus
from tui.application.presenter.action_rows import action_choices
from tui.application.prompts.choice import Choice, keys_for
from tui.view.app.board_app import BoardApp
from tui.view.modals.card import Card


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_every_action_is_offered(name: str) -> None:
    rules = ruleset(name)
    attacks = {action.id for action in rules.actions.values() if action.kind == "attack"}
    others = {action.id for action in rules.actions.values() if action.kind in ("move", "other")}
    offered: set[str] = set()
    table = fight(name, "a.b.c", a="gunman", b="gunman", c="gunman")
    for weapon in rules.gear.weapons.values():
        if not any(works_with(rules.actions[id], weapon, rules.gear.weapon_fields) for id in attacks):
            continue
        choices = action_choices(Focus("a", "b", weapon=weapon.id), table.battle, rules)
        offered |= {choice.id for choice in choices}
        assert len({choice.id for choice in choices}) == len(choices)
        assert all(choice.label for choice in choices)
        attacks -= offered
        if not attacks and others <= offered:
            break
    assert others <= offered
    assert not attacks, f"never offered: {sorted(attacks)}"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_every_entry_of_the_menu_has_a_key(tmp_path: Path, name: str) -> None:
    """As many as the longest menu of the demo has; what comes later would be for the arrows alone."""
    others = ruleset(name).actions.keys() - {"attack"}

    async def menu_of(app: BoardApp) -> tuple[Choice, ...]:
        async with app.run_test(size=USUAL) as pilot:
            await pilot.press("escape", "t", "a")  # VOLT asks first what each side declares
            await pilot.pause()
            assert isinstance(app.screen, Card)
            choices = app.screen.choices
            place = next(i for i, choice in enumerate(choices) if choice.id in others and not choice.reason)
            await pilot.press(keys_for(choices)[place])
            await pilot.pause()
            screen = screen_of(app)
            chosen = choices[place].id
            kind = screen.session.rules.actions[chosen].kind
            if kind == "attack":
                assert screen.presenter.focus.action == chosen
            elif kind == "move":
                assert (screen.presenter.focus.overlay, screen.presenter.focus.move) == ("reach", chosen)
            return choices

    choices = asyncio.run(menu_of(app_for(tmp_path, ruleset=name)))
    keys = keys_for(choices)
    assert all(keys)
    possible = [key for key, choice in zip(keys, choices, strict=True) if not choice.reason]
    assert len(set(possible)) == len(possible)
    letters = {action.id: action.letter for action in ruleset(name).actions.values()}
    alike = {key for key in keys if keys.count(key) > 1}  # no posture allows both: standing up, and getting up
    assert alike <= {letters.get(choice.id) for choice in choices}
