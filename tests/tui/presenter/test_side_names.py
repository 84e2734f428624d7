"""A side is shown with blanks for hyphens, and commands take it as it is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.battle.views.fog_of_war import find_side
from engine.errors import Unknown
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.application.exports.formats import exported
from tui.application.library.battle_list import BattleEntry


@pytest.fixture
def ghosts(tmp_path: Path) -> Conversation:
    """A battle in which each side rolls for initiative, and one is called after the party The Ghosts."""
    talk = Conversation(session_for(tmp_path, ruleset="cwn"))
    for unit in [unit.id for unit in talk.battle.units.values() if unit.side == "law"]:
        talk.line(f"side {unit} the-ghosts")
    return talk


def test_sentences_say_the_side_in_words(ghosts: Conversation) -> None:
    assert ghosts.said.endswith("joins the ghosts, was law.")
    ghosts.do("initiative")
    assert ghosts.asked.startswith("Initiative of the ghosts, 1d8")
    ghosts.answer("")
    texts = exported(ghosts.presenter.session, "markdown"), exported(ghosts.presenter.session, "markdown", "the ghosts")
    for text in texts:
        assert "the ghosts" in text and "the-ghosts" not in text


def test_commands_take_a_side_as_it_is_shown(ghosts: Conversation) -> None:
    assert find_side(ghosts.battle, "the ghosts") == find_side(ghosts.battle, "the-ghosts") == "the-ghosts"
    with pytest.raises(Unknown, match="Did you mean 'the-ghosts'"):
        find_side(ghosts.battle, "the goats")
    ghosts.line("side bandit the ghosts")
    assert ghosts.unit("bandit").side == "the-ghosts"
    ghosts.line("damage the ghosts 1")
    assert ghosts.said.count("hit points") > 1
    ghosts.line("damage the outlaws 1")
    assert "hit points" in ghosts.said
    ghosts.choose("table", "side", "another")
    ghosts.answer("the ghosts of old")
    assert "the ghosts of old" in {unit.side for unit in ghosts.battle.units.values()}, "a new side is as it is typed"


def test_the_library_heads_a_partys_battles_with_its_name() -> None:
    assert BattleEntry(Path("x.battle"), "Warehouse", party="the-ghosts").group == "the ghosts · Warehouse"
