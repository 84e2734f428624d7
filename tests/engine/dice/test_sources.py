"""Rolling: seeded dice that replay, typed dice that fit, and what becomes of every die."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answers import GivenAnswer, Needs, typed_dice
from engine.dice.dice_expressions import parse_dice
from engine.dice.distributions import distribution
from engine.dice.sources import DieFace, Roll, RollAsk, SeededSource, TableSource, describe, parse_typed, roll
from engine.errors import BattleboardError, Illegal

EXPRESSIONS = (
    "d6",
    "2d6+2",
    "4d6kh3",
    "d8!2",
    "3d4!1dl1",
    "2d20kh1",
    "d6r1",
    "2d6ro<3",
    "d%",
    "max(1, d6-3)",
    "-d4//2",
)


def typed(dice: str, numbers: str, fallback: SeededSource | None = None) -> Roll:
    return roll(parse_dice(dice), TableSource(parse_typed(numbers), fallback), "to hit")


def test_die_n_is_the_hash_of_seed_and_position():
    source = SeededSource("dock", 7)
    expected = [int.from_bytes(sha256(f"dock:{n}".encode()).digest(), "big") % 100 + 1 for n in (7, 8)]
    assert [source.draw(100), source.draw(100)] == expected
    assert source.position == 9


@given(st.sampled_from(EXPRESSIONS), st.text(max_size=20), st.integers(0, 10**6))
def test_seeded_rolls_replay_and_count_every_die(text, seed, position):
    dice = parse_dice(text)
    first, second = SeededSource(seed, position), SeededSource(seed, position)
    rolled = roll(dice, first, "any")
    assert roll(dice, second, "other words") == rolled
    assert first.position == position + len(rolled.faces)
    assert not rolled.is_typed


@given(st.sampled_from(EXPRESSIONS), st.integers(0, 10**6))
def test_rolls_lie_within_the_support(text, position):
    dice = parse_dice(text)
    rolled = roll(dice, SeededSource("support", position), "any")
    assert distribution(dice)[rolled.total] > 0
    assert dice.lowest <= rolled.total <= dice.highest


@given(st.sampled_from(("2d6+2", "4d6kh3", "d8!2", "3d4!1dl1", "d6r1", "2d6ro<3")), st.integers(0, 10**6))
def test_typing_what_was_rolled_gives_the_same_roll(text, position):
    """First the dice as thrown, then those that explosions and rerolls added: the order of the request."""
    dice = parse_dice(text)
    count, source = dice.count, SeededSource("again", position)
    rolled = roll(dice, source, "any")
    drawn = SeededSource("again", position)
    sides = rolled.faces[0].sides
    numbers = tuple(drawn.draw(sides) for _ in range(len(rolled.faces)))
    assert len(numbers) >= count
    again = roll(dice, TableSource(typed_dice((numbers,))), "any")
    assert (again.total, again.faces, again.is_typed) == (rolled.total, rolled.faces, True)


def test_seeded_dice_are_even():
    source = SeededSource("fair", 0)
    counts = [0] * 6
    for _ in range(6000):
        counts[source.draw(6) - 1] += 1
    assert all(880 < count < 1120 for count in counts)


def test_a_plain_number_asks_for_no_dice():
    source = TableSource(typed_dice(((4,),)))
    assert roll(parse_dice("5"), source, "damage") == Roll("5", 5, ())
    assert source.left == typed_dice([(4,)])


@pytest.mark.parametrize(
    ("dice", "numbers", "total", "faces"),
    [
        ("d100", "45", 45, [45]),
        ("d100", "00", 100, [100]),
        ("d%", "0", 100, [100]),
        ("d10", "0", 10, [10]),
        ("2d10", "0 4", 14, [10, 4]),
        ("d20+5", "12", 17, [12]),
        ("2d6+2", "4 6", 12, [4, 6]),
        ("2d6+2", "9", 9, []),
        ("4d6kh3", "11", 11, []),
        ("d6!", "6 6 2", 14, [6, 6, 2]),
        ("d6r1", "1 1 4", 4, [1, 1, 4]),
        ("2d6!", "6 3 6 1", 16, [6, 6, 1, 3]),
        ("d6+2d4", "5 1 2", 8, [5, 1, 2]),
    ],
)
def test_typed_numbers_are_faces_or_the_total(dice, numbers, total, faces):
    rolled = typed(dice, numbers)
    assert (rolled.total, [face.value for face in rolled.faces], rolled.is_typed) == (total, faces, True)


@pytest.mark.parametrize(
    ("dice", "numbers", "sentence"),
    [
        ("d6", "7", "To hit: a d6 shows 1 to 6, not 7."),
        ("d6", "0", "To hit: a d6 shows 1 to 6, not 0."),
        ("d100", "101", "To hit: a d100 shows 1 to 100, not 101."),
        ("2d6", "4 7", "To hit: a d6 shows 1 to 6, not 7."),
        ("2d6+2", "3", "To hit: 2d6+2 gives 4 to 14, so 3 cannot be its total."),
        ("2d6+2", "15", "To hit: 2d6+2 gives 4 to 14, so 15 cannot be its total."),
        ("2d10", "0", "To hit: 2d10 gives 2 to 20, so 0 cannot be its total."),
        ("4d6kh3", "4 6", "To hit: 4d6kh3 takes 4 numbers or one total, but 2 numbers were typed."),
        ("2d6", "4 6 1", "To hit: 2d6 takes 2 numbers here, but 3 numbers were typed."),
        ("d100", "4 5", "To hit: d100 takes 1 number here, but 2 numbers were typed."),
        ("d6!", "5 3", "To hit: d6! takes 1 number here, but 2 numbers were typed."),
    ],
)
def test_typed_numbers_that_cannot_be_are_refused(dice, numbers, sentence):
    with pytest.raises(Illegal) as caught:
        typed(dice, numbers, SeededSource("x", 0))
    assert (str(caught.value), caught.value.reason) == (sentence, "typed-dice")


def test_each_roll_takes_the_next_group():
    source = TableSource(parse_typed("45 / 4 6"))
    assert roll(parse_dice("d100"), source, "to hit").total == 45
    assert source.left == typed_dice([(4, 6)])
    assert roll(parse_dice("2d6"), source, "damage").total == 10
    assert source.left == ()
    assert [one.q for one in source.asked] == ["to hit: d100", "damage: 2d6"]


def test_an_empty_group_and_a_missing_one_are_rolled():
    fallback = SeededSource("table", 3)
    source = TableSource(parse_typed("/ 4 6"), fallback)
    first = roll(parse_dice("d100"), source, "to hit")
    assert first == roll(parse_dice("d100"), SeededSource("table", 3), "to hit")
    assert fallback.position == 4
    assert roll(parse_dice("2d6"), source, "damage").is_typed
    assert fallback.position == 4
    assert not roll(parse_dice("d10"), source, "location").is_typed
    assert fallback.position == 5


@pytest.mark.parametrize(
    ("dice", "numbers"),
    [("d100", ""), ("2d6", "/ 4 6"), ("d6!", "6"), ("d6r1", "1")],
)
def test_without_a_fallback_the_table_is_asked(dice, numbers):
    with pytest.raises(Needs) as caught:
        typed(dice, numbers)
    assert caught.value.ask == RollAsk(f"to hit: {dice}", "to hit", parse_dice(dice))
    assert not isinstance(caught.value, BattleboardError)


def test_further_dice_come_from_the_fallback():
    rolled = typed("d6!", "6", SeededSource("more", 0))
    assert rolled.faces[0] == DieFace(6, 6, "exploded")
    assert len(rolled.faces) >= 2
    assert rolled.is_typed


def test_every_die_has_its_fate():
    assert typed("4d6kh3r1", "1 5 2 6 3").faces == (
        DieFace(6, 1, "rerolled"),
        DieFace(6, 3, "kept"),
        DieFace(6, 5, "kept"),
        DieFace(6, 2, "dropped"),
        DieFace(6, 6, "kept"),
    )
    assert typed("2d6!kl1", "6 4 2").faces == (
        DieFace(6, 6, "dropped"),
        DieFace(6, 2, "dropped"),
        DieFace(6, 4, "kept"),
    )


def test_explosions_stop_at_their_cap():
    assert typed("d2!", " ".join(["2"] * 21)).total == 42
    assert typed("d6!1", "6 6").total == 12


def test_endless_rerolls_come_to_an_end():
    dice = parse_dice("d1000r<1000")
    assert roll(dice, SeededSource("any", 0), "x").total == 1000
    assert typed("d6r<3", " ".join(["1"] * 21 + ["4"])).total == 6
    assert typed("d6ro1", "1 1").total == 1


@pytest.mark.parametrize(
    ("dice", "numbers", "line"),
    [
        ("2d6", "4 6", "2d6 (4, 6) = 10, typed"),
        ("2d6+2", "9", "2d6+2 = 9, typed"),
        ("d100", "45", "d100 = 45, typed"),
        ("d20+5", "12", "d20+5 (12) = 17, typed"),
        ("4d6kh3", "5 1 3 6", "4d6kh3 (5, 1 dropped, 3, 6) = 14, typed"),
        ("d6!", "6 2", "d6! (6!, 2) = 8, typed"),
        ("d6r1", "1 2", "d6r1 (1 rerolled, 2) = 2, typed"),
        ("7", "", "7"),
        ("3+4", "", "3+4 = 7"),
    ],
)
def test_a_roll_in_one_line(dice, numbers, line):
    assert describe(typed(dice, numbers)) == line


def test_a_seeded_roll_is_not_called_typed():
    assert describe(Roll("2d6", 10, (DieFace(6, 4, "kept"), DieFace(6, 6, "kept")))) == "2d6 (4, 6) = 10"


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("", ()),
        ("  ", ()),
        ("45", ((45,),)),
        ("45 / 10", ((45,), (10,))),
        ("45/4 6", ((45,), (4, 6))),
        ("/ 4 6", ((), (4, 6))),
        ("/", ((), ())),
        ("00", ((0,),)),
    ],
)
def test_typed_groups(text, groups):
    assert parse_typed(text) == typed_dice(groups)


@pytest.mark.parametrize("text", ["x", "4,6", "-3", "4.5", "4 / six", "٣", "1" * 10, "1 " * 1001, "4\x006"])
def test_other_things_typed_are_refused(text):
    with pytest.raises(Illegal, match="is no roll"):
        parse_typed(text)


@given(st.text(max_size=60) | st.text(alphabet="0123456789 /", max_size=60))
def test_arbitrary_typing_is_groups_or_illegal(text):
    try:
        groups = tuple(one.dice or () for one in parse_typed(text))
    except Illegal:
        return
    again = parse_typed(" / ".join(" ".join(map(str, group)) for group in groups))
    assert again == typed_dice(groups if groups != ((),) else ())


def test_an_answer_waits_for_its_question():
    """What has a question is kept until that comes up; dice without one are for the next roll."""
    later = GivenAnswer("damage: 2d6", (4, 6))
    source = TableSource((later, GivenAnswer("who", choose="ann"), *parse_typed("45")), asks=True)
    with pytest.raises(Needs):  # what is typed stands behind an answer to another question
        roll(parse_dice("d100"), source, "to hit")
    assert roll(parse_dice("2d6"), source, "damage").dice == (4, 6)
    assert roll(parse_dice("d100"), source, "to hit").total == 45
    assert (source.choice("whom"), source.choice("who"), source.choice("who")) == (None, "ann", None)
    assert source.asked == (later, GivenAnswer("to hit: d100", (45,)), GivenAnswer("who", choose="ann"))
