"""Hits of a burst given to others: chosen from a list, said, and given back."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.battle import command as cmd
from maps import parse_map
from tests.rules.table import ruleset
from tests.tui.presenter.table import Conversation
from tests.tui.test_sharing import MAP
from tui.application.library.battle_files import Scenario, begin_battle


@pytest.mark.long
def test_hits_are_given_from_a_list_and_may_be_given_back(tmp_path: Path) -> None:
    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", ruleset("eva")), "seed", tmp_path)
    while session.battle.turns.active != "a":
        session.submit(cmd.EndTurn())
    talk = Conversation(session)
    talk.do("share")
    assert talk.display.menu is None
    talk.do("target", 1)
    talk.do("share")
    assert talk.display.menu is None and "one hit" in talk.said
    talk.choose("act", "group b", "burst-2")
    talk.do("share")
    assert talk.display.menu is not None
    first, *_ = talk.display.menu.choices
    talk.display.choose(first.id)
    assert talk.presenter.focus.share == (("c", 1),)
    assert "1 to C" in talk.said
    talk.choose("share", first.id)
    assert "1 at most" in talk.said
    assert talk.presenter.focus.share == (("c", 1),)
    talk.do("share")
    assert talk.display.line("d").reason
    back = talk.display.menu.choices[2]
    talk.display.choose(back.id)
    assert talk.presenter.focus.share == ()
    talk.choose("share", first.id)
    talk.do("target", 1)
    assert (talk.presenter.focus.target, talk.presenter.focus.share) == ("c", ())
