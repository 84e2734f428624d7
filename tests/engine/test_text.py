"""Text from others is plain after `clean`: no control, no direction change, no invisible character, a known width."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.text import FORBIDDEN, INVISIBLE, cells, clean, is_clean, is_plural, verb, visible

ANY_TEXT = st.text(
    st.characters(codec=None, categories=None) | st.characters(categories=["Cs", "Cf", "Mn", "Zs", "Co"])
)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Todd", "Todd"),
        ("  Todd\tthe\r\n Gun ", "Todd the Gun"),
        ("a\x1b]0;owned\x07b", "a]0;ownedb"),
        ("a\x9b31mb", "a31mb"),
        ("\u202egnuG", "gnuG"),
        ("A\u200bB\u2060C\ufeffD", "ABCD"),
        ("Cafe\u0301", "Café"),
        ("Z\u0351\u0351\u0351\u0351algo", "Z\u0351\u0351algo"),
        ("\u0301Todd", "Todd"),
        ("A\ufe0f", "A"),
        ("\ud800x", "x"),
        ("\ue000x\U000f0000", "x"),
        ("no\u00a0break", "no break"),
        ("[b]Orc[/b]", "[b]Orc[/b]"),
        ("忍者", "忍者"),
    ],
)
def test_text_is_made_plain(text: str, plain: str) -> None:
    assert clean(text, 80) == plain


def test_width_is_counted_in_cells() -> None:
    assert cells("忍者a") == 5
    assert clean("忍者忍者", 5) == "忍者…"
    assert clean("忍者忍者", 4) == "忍…"
    assert clean("abcdef", 6) == "abcdef"
    assert clean("abcdefg", 6) == "abcde…"
    assert clean("abcdefg", 1) == "…"


@given(ANY_TEXT, st.integers(1, 50))
@example("e\u200d\u0301", 5)
@example("\u1100\u200b\u1161", 5)
def test_cleaned_text_is_clean_and_stays(text: str, most: int) -> None:
    plain = clean(text, most)
    assert is_clean(plain)
    assert clean(plain, most) == plain
    assert cells(plain) <= most
    assert not any(unicodedata.category(character) in FORBIDDEN or ord(character) in INVISIBLE for character in plain)


@given(ANY_TEXT)
def test_clean_text_is_left_alone(text: str) -> None:
    if is_clean(text):
        assert clean(text, 10_000) == text.strip()


@given(ANY_TEXT)
def test_visible_keeps_every_place(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text)
    assert is_clean(shown)


@pytest.mark.parametrize(
    ("name", "plural"),
    [
        *[(name, True) for name in ("guards", "outlaws", "sandbags", "bars", "stairs", "lawmen", "town police")],
        *[(name, False) for name in ("law", "crew", "glass", "bus", "debris", "stack of crates", "chassis", "")],
    ],
)
def test_names_of_sides_and_things_take_the_verb_that_fits(name: str, plural: bool) -> None:
    assert is_plural(name) is plural
    assert verb(name, "is", "are") == ("are" if plural else "is")
