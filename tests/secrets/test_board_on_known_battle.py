"""The board runs on the battle as a side knows it, and shows nothing that rests on what the side cannot know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from engine.battle.commands.order_commands import SetTurn
from engine.battle.views.side_moments import known_now
from engine.journal.history import History
from engine.journal.session import Session
from rulesets import shipped_rulesets
from tests.secrets.test_pairs import Player, secret_command
from tests.stamps import NOW
from tests.tui.presenter.table import Conversation
from tui.application.overlays.overlay_list import OVERLAYS

UNKNOWN = {"lurker", "mole", "imp", "ghost", "third", "seed-7"}
"""Ids, sides and the seed that the law cannot know."""
LOOKS = (("target", 1), ("target", 1), ("select",), ("find",), ("overlay",), ("stand",), ("act",), ("weapon",))
"""Actions of keys that change nothing by themselves, with their parameters, in this order."""


def shown(player: Player) -> Iterator[str]:
    """What the board of the law shows in Ada's turn: aims, overlays, menus and questions, one after the other."""
    player.give(SetTurn("ada")) or player.give(SetTurn("ada", again=True))
    known = known_now(player.stage.battles, player.stage.rules, "law")
    assert known is not None and known.turns.active == "ada"
    session = Session(player.stage.rules, History(known).take(()), player.stage.session.journal, lambda: NOW)
    talk = Conversation(session)
    presenter, display = talk.presenter, talk.display
    for name in OVERLAYS:
        presenter.show_overlay(name)
        display.paint()
        yield f"{name}: {presenter.overlay.words} {sorted(presenter.overlay.tints.items())} {presenter.note}"
    presenter.show_overlay("plain")
    for action, *parameters in LOOKS:
        if display.is_asking or display.menu is not None:
            display.cancel()
        talk.do(str(action), *parameters)
        display.paint()
        shot = presenter.shot
        yield f"{action}: {presenter.verdict} {presenter.focus}"
        yield (
            ""
            if shot is None
            else f"{shot.ledger} {[(grade.id, part) for grade, part in shot.odds.grades]} {shot.situation.words}"
        )
        choices = display.menu.choices if display.menu is not None else ()
        yield f"{display.question} {display.value} {choices} {display.text} {display.rows}"


@pytest.mark.long
@pytest.mark.parametrize("rules", shipped_rulesets())
def test_it_shows_the_same_whatever_is_secret(rules: str) -> None:
    random, bare, secret = Random(rules), Player(rules, ()), Player(rules, ())
    given = [secret_command(random, secret.stage, ("law",)) for _ in range(20)]
    assert sum(secret.give(command) for command in given) > 5
    for one, other in zip(shown(bare), shown(secret), strict=True):
        assert one == other
        assert not UNKNOWN & {*re.findall(r"[\w-]+", one.casefold())}, one
