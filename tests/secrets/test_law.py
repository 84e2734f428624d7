"""One secret command changes no byte of anything made for players."""

from __future__ import annotations

from functools import cache

import pytest

from engine.battle.command import Command
from engine.battle.commands.command_list import COMMANDS
from rulesets import shipped_rulesets
from tests.secrets.law import Published, differences, play, viewers_of, without
from tests.secrets.secret_commands import FIGHT, NONE, SET_UP, forms
from tests.secrets.stage import VIEWERS, Stage


@pytest.mark.long
@pytest.mark.parametrize("rules", shipped_rulesets())
def test_secret_commands_change_no_byte_of_anything_made_for_players(rules: str) -> None:
    """All of them in one battle, up to the fight; the slow test below tells which one it is that tells."""
    for is_for_table, viewers in ((True, VIEWERS), (False, ("law",))):
        secrets = [one for one in forms(Stage.begin(rules)) if one.is_for_table == is_for_table]
        assert differences(rules, secrets, viewers, moments=(SET_UP, FIGHT)) == []


@cache
def bare_story(rules: str, viewers: tuple[str, ...]) -> Published:
    """Everything that is made of the story without a secret, for those that need nothing before them."""
    return play(rules, [], viewers, is_whole=True)[0]


@pytest.mark.slow
@pytest.mark.parametrize("rules", shipped_rulesets())
@pytest.mark.parametrize("kind", [one for one in COMMANDS if one not in NONE], ids=lambda kind: kind.__name__)
def test_one_secret_command_changes_no_byte_of_any_file_for_players(rules: str, kind: type[Command]) -> None:
    for secret in forms(Stage.begin(rules)):
        if type(secret.command) is kind:
            viewers, base = viewers_of(secret), without(secret)
            with_it, _ = play(rules, [secret], viewers, is_whole=True)
            needs = base.before or base.command
            without_it = play(rules, [base], viewers, is_whole=True)[0] if needs else bare_story(rules, viewers)
            assert (secret.command, with_it.differences(without_it)) == (secret.command, [])


@pytest.mark.slow
def test_every_secret_form_is_accepted_under_some_ruleset() -> None:
    tried, accepted = set[type[object]](), set[type[object]]()
    for rules in shipped_rulesets():
        for secret in forms(Stage.begin(rules)):
            accepted |= play(rules, [secret], ())[1]
            tried.add(type(secret.command))
    assert tried - accepted == set()


def test_every_command_has_a_secret_form_or_a_reason_why_it_has_none() -> None:
    tried = {type(one.command) for rules in shipped_rulesets() for one in forms(Stage.begin(rules))}
    assert tried.isdisjoint(NONE)
    assert {*COMMANDS} == {*(one for one in tried if one is not str), *NONE}
