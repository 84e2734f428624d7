"""The dice language: what it means, where its limits are, and that nothing else gets in."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice.dice_expressions import DiceError, DiceThrow, parse_dice


@pytest.mark.parametrize(
    ("text", "lowest", "highest", "count"),
    [
        ("5", 5, 5, 0),
        ("d6", 1, 6, 1),
        ("D%", 1, 100, 1),
        ("2d6+2", 4, 14, 2),
        (" 2d6 - d4 ", -2, 11, 3),
        ("4d6kh3", 3, 18, 4),
        ("4d6dl1", 3, 18, 4),
        ("2d20kl", 1, 20, 2),
        ("3d6dh2", 1, 6, 3),
        ("3d6dh0", 3, 18, 3),
        ("d8!", 1, 168, 1),
        ("d8!1", 1, 16, 1),
        ("d6r<3", 3, 6, 1),
        ("d6r6!", 1, 5, 1),
        ("d6r<6!2", 18, 18, 1),
        ("d6ro1", 1, 6, 1),
        ("2d6×10", 20, 120, 2),
        ("d100//10", 0, 10, 1),
        ("-d6*2", -12, -2, 1),
        ("--3", 3, 3, 0),
        ("+d4", 1, 4, 1),
        ("max(1, d6-2)", 1, 4, 1),
        ("MIN ( d6 , 3, d4 )", 1, 3, 2),
        ("(d6+1)*(d4-2)", -7, 14, 2),
        ("d6!kh1", 1, 126, 1),
        ("7 - 2 - 1", 4, 4, 0),
        ("7 // 2 * 2", 6, 6, 0),
        ("-7//2", -4, -4, 0),
    ],
)
def test_the_text_decides_the_range_and_the_number_of_dice(text, lowest, highest, count):
    dice = parse_dice(text)
    assert (dice.lowest, dice.highest, dice.count) == (lowest, highest, count)
    assert str(dice) == text.strip()
    assert parse_dice(str(dice)) == dice


def test_modifiers_may_stand_in_any_order():
    assert parse_dice("4d6kh3!r1").root == parse_dice("4d6r1!kh3").root == DiceThrow(4, 6, (1, 4), 20, range(1, 2))


@pytest.mark.parametrize(
    ("text", "column", "part"),
    [
        ("", 0, "expected dice like 2d6, a number or (, found the end"),
        ("2d", 2, "expected the number of sides, or %"),
        ("2d6+", 4, "expected dice like 2d6"),
        ("2d6 2", 4, "expected one of + - * // or the end, found '2'"),
        ("2x6", 1, "found 'x'"),
        ("2 / 3", 2, "found '/'"),
        ("(2d6", 4, "expected ), found the end"),
        ("max(1 2)", 6, "expected ), found '2'"),
        ("0d6", 0, "the number of dice must be 1 to 1000"),
        ("d0", 1, "the number of sides must be 1 to 1000"),
        ("1001d6", 0, "the number of dice must be 1 to 1000"),
        ("600d6+401d6", 6, "at most 1000 dice"),
        ("4d6kh5", 5, "the number of dice kept must be 1 to 4"),
        ("4d6dl4", 5, "the number of dice dropped must be 0 to 3"),
        ("4d6kh1dl1", 6, "appears twice"),
        ("d6!!", 3, "appears twice"),
        ("d1!", 2, "forever"),
        ("d6!21", 3, "1 to 20"),
        ("d6r", 3, "expected a face"),
        ("d6r7", 3, "the face must be 1 to 6"),
        ("d6r<=6", 2, "forever"),
        ("d6//(d4-1)", 10, "the divisor could be 0"),
        ("999999999*2", 11, "totals beyond"),
        ("2d６", 2, "expected the number of sides"),
        ("1" * 201, 200, "at most 200 characters"),
        ("(" * 40 + "1" + ")" * 40, 33, "nested"),
    ],
)
def test_anything_else_is_refused_with_its_place(text, column, part):
    with pytest.raises(DiceError) as caught:
        parse_dice(text)
    assert caught.value.column == column
    assert part in caught.value.message
    assert caught.value.text == text
    assert f"character {column + 1}: " in str(caught.value)


@given(st.text(max_size=250) | st.text(alphabet="0123456789dDkhl!ro<>=%+-*/×(), minax", max_size=210))
def test_arbitrary_text_is_dice_or_a_dice_error(text):
    try:
        dice = parse_dice(text)
    except DiceError as error:
        assert 0 <= error.column <= len(text)
    else:
        assert dice.lowest <= dice.highest


@pytest.mark.parametrize("text", ["-" * 200, "(" * 200, "1+" * 100, "-(" * 100, "min(" * 50, "9" * 200, "d6" * 100])
def test_hostile_text_is_settled_at_once(text):
    started = time.process_time()
    with pytest.raises(DiceError):
        parse_dice(text)
    assert time.process_time() - started < 2


def test_the_deepest_expression_is_read_at_once():
    started = time.process_time()
    assert parse_dice("1+(" * 30 + "1" + ")" * 30).lowest == 31
    assert parse_dice("+".join(["d6"] * 66)).highest == 396
    assert time.process_time() - started < 2
