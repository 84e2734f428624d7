"""Notes, cover by the GM's word, dice for the table."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.answers import Needs
from engine.battle import events as ev
from engine.battle.command import Attack
from engine.battle.commands.decide import decide
from engine.battle.commands.note_commands import SetNote, ThrowDice
from engine.battle.commands.ruling_commands import SetCover
from engine.battle.narration.preview_text import verdict
from engine.dice.dice_expressions import DiceError
from engine.geometry.battlefield import OffMap
from engine.geometry.squares import parse_square
from engine.rules.ledger import GM
from rulesets import shipped_rulesets
from tests.rules.table import Table, entry, fight

OCC = "occult-ops"
CART = '[legend]\n"c" = { object = "cart", height = 3, cover = "medium" }'
HALF = Fraction(1, 2)


def todd(name: str = OCC, *rows: str) -> Table:
    """Half hidden by the cart."""
    return fight(name, *(rows or ("a..cb",)), toml=CART, a="gunman", b="gunman")


# --- cover ----------------------------------------------------------------------------------------------------------


def test_no_cover_by_the_gms_word_takes_the_covers_line_away_and_says_so() -> None:
    table = todd()
    before = table.shot()
    assert entry(before.ledger, "partial-cover") is not None
    assert table.do(SetCover("a", "b", Fraction(0))) == ["GM: cover of B against A: no cover, next attack."]
    shot = table.shot()
    assert entry(shot.ledger, "partial-cover") is None
    told = entry(shot.ledger, "gm-cover")
    assert told is not None and told.author == GM and told.value == 0
    assert told.because == "no cover; measured cover 44 %"
    assert shot.odds.hit > before.odds.hit
    assert "Set by the GM: no cover." in verdict(shot, table.rules)


def test_cover_by_the_gms_word_counts_where_nothing_stands() -> None:
    table = todd(OCC, "a...b")
    free = table.shot().ledger.total
    table.do(SetCover("a", "b", HALF, "heavy"))
    assert table.shot().ledger.total < free
    assert "50 % behind cover set by the GM" in [line.because for line in table.shot().ledger.entries]
    assert table.shot(by="b", at="a").situation.ruling is None


@pytest.mark.parametrize("name", shipped_rulesets())
def test_who_is_uncovered_by_the_gms_word_can_be_shot_at_through_a_wall(name: str) -> None:
    table = fight(name, "a.#.b", a="gunman", b="gunman")
    assert not table.shot().ledger.is_possible
    table.do(SetCover("a", "b", Fraction(0)))
    assert table.shot().ledger.is_possible


def test_the_gms_word_on_cover_holds_for_one_attack_unless_it_is_pinned() -> None:
    table = todd()
    table.do(SetCover("a", "b", Fraction(0)))
    table.do(Attack("a", "b"), (95,))
    assert table.battle.gm.covers == ()
    table.do(SetCover("a", "b", HALF, "heavy", True))
    table.do(Attack("a", "b", is_free=True), (95,))
    assert table.battle.gm.cover_ruling("a", "b") is not None
    assert table.do(SetCover("a", "b", None)) == ["GM: cover of B against A: from line of sight."]
    assert table.battle.gm.covers == ()


def test_cover_that_cannot_be_is_refused() -> None:
    table = todd()
    assert "0 to 100 %" in table.refusal(SetCover("a", "b", Fraction(2)))
    assert "No cover is called 'paper'" in table.refusal(SetCover("a", "b", HALF, "paper"))
    assert "against itself" in table.refusal(SetCover("a", "a", HALF))
    assert "already has the cover" in table.refusal(SetCover("a", "b", None))
    table.do(SetCover("a", "b", HALF))
    assert "already has that cover" in table.refusal(SetCover("a", "b", HALF))


# --- notes ----------------------------------------------------------------------------------------------------------


def test_notes_are_pinned_changed_and_taken_away() -> None:
    table = todd()
    assert table.do(SetNote("The safe is empty.", parse_square("C1"))) == ["Note on C1: The safe is empty."]
    assert table.do(SetNote("Has the key.", unit="b")) == ["Note on B: Has the key."]
    assert table.do(SetNote("Rain from round 4.")) == ["Note: Rain from round 4."]
    assert [note.id for note in table.battle.gm.notes] == ["note-1", "note-2", "note-3"]
    table.do(SetNote("The safe holds a gun.", parse_square("C1"), note="note-1"))
    assert table.battle.gm.notes[0].text == "The safe holds a gun."
    assert table.do(SetNote("", note="note-2")) == ["Note on B removed: Has the key."]
    assert [note.id for note in table.battle.gm.notes] == ["note-1", "note-3"]
    table.do(SetNote("Anew."))
    assert table.battle.gm.notes[-1].id == "note-2"


def test_notes_that_say_nothing_or_are_nowhere_are_refused() -> None:
    table = todd()
    assert table.refusal(SetNote("  ")) == "The note has no text."
    assert "not both" in table.refusal(SetNote("x", parse_square("A1"), "b"))
    assert "No unit" in table.refusal(SetNote("x", unit="nobody"))
    assert "No note" in table.refusal(SetNote("x", note="note-7"))
    with pytest.raises(OffMap):
        table.do(SetNote("x", parse_square("Z9")))


# --- dice -----------------------------------------------------------------------------------------------------------


def test_dice_are_thrown_by_the_seed_or_typed() -> None:
    table = todd()
    assert table.do(ThrowDice("3d6+2", "How many wolves"), (1, 2, 3)) == [
        "How many wolves: 3d6+2 (1, 2, 3) = 8, typed."
    ]
    table.do(ThrowDice("d20"))
    (thrown,) = table.happened(ev.DiceThrown)
    assert 1 <= thrown.roll.total <= 20 and table.battle.dice.drawn == 1
    with pytest.raises(Needs):
        decide(table.battle, ThrowDice("d20"), table.rules, asks_dice=True)
    with pytest.raises(DiceError):
        table.do(ThrowDice("three dice"))
