"""The shortest way from one style to another ends in the same style as a fresh start, judged by an emulator."""

from __future__ import annotations

import itertools

import pyte

from tui.view.terminal.sgr import PLAIN, between, blank_look, look_of

LOOKS = (
    "", "1", "2", "1;2", "4", "7;9", "3;4;1", "31", "97;44", "38;5;12", "48;5;4", "1;38;5;12;48;5;4", "39;49",
    "38;2;1;2;3", "48;2;9;8;7", "4;38;2;1;2;3;48;2;9;8;7", "2;48;2;9;8;7", "107",
)  # fmt: skip
PAIRS = tuple(itertools.product(LOOKS, LOOKS))


def drawn(written: str) -> pyte.screens.Char:
    screen = pyte.Screen(3, 1)
    pyte.Stream(screen).feed(written)
    return screen.buffer[0][0]


def test_any_way_ends_where_it_should() -> None:
    for before, after in PAIRS:
        way, look = between(look_of(before), look_of(after), is_blank=False)
        assert look is look_of(after)
        assert drawn(f"\x1b[{before}m{way}x") == drawn(f"\x1b[{after}mx"), (before, after)
        assert len(way) <= len(f"\x1b[;{after}m")


def test_a_blank_shows_its_ground_and_its_lines() -> None:
    for before, after in PAIRS:
        way, look = between(look_of(before), blank_look(look_of(after)), is_blank=True)
        found, wanted = drawn(f"\x1b[{before}m{way} "), drawn(f"\x1b[{after}m ")
        assert (found.bg, found.underscore, found.reverse) == (wanted.bg, wanted.underscore, wanted.reverse)
        straight = between(PLAIN, look, is_blank=False)[0]
        assert drawn(f"\x1b[{before}m{way}x") == drawn(f"\x1b[m{straight}x"), (before, after)


def on_the_linux_console(written: str) -> tuple[str, bool, bool]:
    """Ink, brightness and reverse as Linux's own console takes them: a bright ink is bold until 22 or 0, whatever ink
    comes next (drivers/tty/vt/vt.c, csi_m)."""
    ink, is_bright, is_reversed = "7", False, False
    for sequence in written.split("\x1b[")[1:]:
        for code in sequence.partition("m")[0].split(";"):
            if code in ("", "0"):
                ink, is_bright, is_reversed = "7", False, False
            elif code in ("1", "22"):
                is_bright = code == "1"
            elif code in ("7", "27"):
                is_reversed = code == "7"
            elif code[:-1] in ("3", "9"):
                ink, is_bright = code[-1].replace("9", "7"), is_bright or code[0] == "9"
    return ink, is_bright, is_reversed


def test_no_brightness_stays_behind_on_the_linux_console() -> None:
    looks = ("", "1", "33;40", "93;40", "1;33;40", "1;93;40", "7;93;40", "1;7;96;40", "4;37;40", "30;47")
    for before, after in itertools.product(looks, looks):
        way, _ = between(look_of(before), look_of(after), is_blank=False)
        found = on_the_linux_console(f"\x1b[;{before}m{way}")
        assert found == on_the_linux_console(f"\x1b[;{after}m"), (before, after)


def test_equal_looks_are_one_object() -> None:
    assert look_of("1;31") is look_of("31;1")
    assert blank_look(look_of("1;31")) is PLAIN
    assert between(look_of("1"), look_of("1"), is_blank=False) == ("", look_of("1"))
