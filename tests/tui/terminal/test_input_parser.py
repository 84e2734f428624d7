"""What the terminal sends: what it answers is never a key, and what is a key stays one."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.message import Message

from tests.tui.terminal.replies import READ, REPLIES
from tui.view.terminal.control_sequences import UNDECODABLE
from tui.view.terminal.input_parser import MOST_IN_SEQUENCE, BoardParser

KEYS = [sequence for sequence in ANSI_SEQUENCES_KEYS if sequence not in ("\x1b", "\x1b\x1b", "\x9b")]
KITTY = ["\x1b[27u", "\x1b[13u", "\x1b[101;;101u", "\x1b[69;2;69u", "\x1b[97;5u", "\x1b[57399;1;48u", "\x1b[1;2A"]
LONG_KITTY = "\x1b[101;;101:102:103:104:105:106:107:108u"


def fed(*parts: str | float) -> list[Message]:
    """The messages of characters and of silences between them, in seconds; the last silence is a long one."""
    parser = BoardParser()
    found: list[Message] = []
    for part in (*parts, 1.5):
        if isinstance(part, str):
            found.extend(parser.feed(part))
            continue
        for seconds in (part, 0.0, 0.0):  # what one silence ends may leave something that it ends, too
            found.extend(parser.silence(seconds))
    return found


def keys(*parts: str | float) -> list[str]:
    """Keys and pastes, in words."""
    return list(words(fed(*parts)))


def words(messages: Iterable[Message]) -> Iterable[str]:
    for message in messages:
        if isinstance(message, events.Key):
            yield message.key
        elif isinstance(message, events.Paste):
            yield f"paste {message.text}"


def pieces(reply: str) -> list[int]:
    """Places at which a reply is cut in two: all of a short one."""
    return list(range(1, min(len(reply), 90))) + ([len(reply) - 1] if len(reply) > 90 else [])


@pytest.mark.long
@pytest.mark.parametrize("reply", [*REPLIES.values(), *READ.values()], ids=[*REPLIES, *READ])
def test_a_reply_is_never_a_key(reply: str) -> None:
    assert keys(reply) == [], "whole"
    assert keys(*reply) == [], "a character at a time"
    assert keys(reply * 2) == keys(reply, reply) == [], "doubled"
    assert keys("t", 2.0, reply, 2.0, "t") == ["t", "t"], "late, between keys"
    assert keys(f"t{reply}t") == ["t", "t"], "between keys that come with it"
    paused = [part for character in reply[:200] for part in (character, 0.03)]
    assert keys(*paused, reply[200:]) == [], "with a pause behind each character"
    for at in pieces(reply):
        assert keys(reply[:at], reply[at:]) == [], f"in two pieces, at {at}"
        assert set(keys(reply[:at], 0.09, reply[at:])) == set(), f"with a pause at {at}"


def is_lone_escape(reply: str, at: int) -> bool:
    """Whether what comes before that place ends in the Esc that begins a sequence."""
    return reply[at - 1] == "\x1b" and reply[at] not in "\\\x1b"


@pytest.mark.parametrize("reply", [reply for reply in REPLIES.values() if len(reply) < 500])
def test_what_comes_of_a_reply_after_a_long_pause_is_no_key_either(reply: str) -> None:
    for at in range(1, len(reply)):
        # A lone Esc is the key, whatever comes later. The last letter alone could be a key of its own.
        expected = ["escape"] * is_lone_escape(reply, at)
        for pause in (0.25, 3.0):
            found = keys(reply[:at], pause, reply[at:])
            last_alone = at == len(reply) - 1 and reply[-1].isalpha() and found == [reply[-1]]
            assert found == expected or (last_alone and "\x1b[" in reply[:2]), f"{reply[:at]!r} … {reply[at:]!r}"
        rest = [part for character in reply[at:] for part in (character, 0.02)]
        if len(rest) > 2 and at % 3 == 1:
            assert keys(reply[:at], 0.3, *rest) == expected, f"{reply[:at]!r} … {reply[at:]!r}, slowly"


def test_the_last_letter_of_a_report_is_dropped_however_late() -> None:
    for name in ("DA1, VT220", "DA2, xterm", "window in characters", "cursor", "DECRPM, ANSI", "Kitty keyboard"):
        assert keys(REPLIES[name][:-1], 0.5, REPLIES[name][-1]) == [], name


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_a_key_after_an_unfinished_reply_works(reply: str) -> None:
    reply = reply.translate({0x9B: "\x1b[", 0x90: "\x1bP", 0x9D: "\x1b]"})[:2_000]
    for at in range(2, min(len(reply), 40)):
        if is_lone_escape(reply, at):
            continue
        for typed in ("e", "?", ":", "\r"):
            found = keys(reply[:at], 0.3, typed)
            (key,) = keys(typed)
            finishes = typed == reply[at : at + 1] and at == len(reply) - 1
            assert found == [key] or finishes, f"{reply[:at]!r}, then {typed}"
        assert keys(reply[:at], 0.3, "\x1b", 0.3, "?") == ["escape", "question_mark"], reply[:at]
        assert keys(reply[:at], 0.3, ":end", 0.2, "\r") == ["colon", "e", "n", "d", "enter"], reply[:at]
        assert keys(reply[:at], 0.3, "\x1b[A") == ["up"], reply[:at]
        assert keys(reply[:at], 0.3, "\x1b[200~end\x1b[201~") == ["paste end"], reply[:at]


@pytest.mark.parametrize(("begun", "held"), [("\x1b", "]"), ("\x1b", "P"), ("\x1b]11;rgb:1e", "z")])
def test_a_key_that_is_held_after_escape_or_a_cut_reply_is_that_key(begun: str, held: str) -> None:
    repeats: list[str | float] = [part for _ in range(60) for part in (held, 0.03)]
    found = keys(begun, 1.0, *repeats, 0.6, ":")
    named = {"]": "right_square_bracket"}.get(held, held)
    assert found == ["escape"] * (begun == "\x1b") + [named] * 60 + ["colon"]


def test_a_string_ends_after_64_kib_at_the_next_short_silence() -> None:
    assert keys("\x1b]52;c;" + "e" * (MOST_IN_SEQUENCE - 10), 0.1, "e" * 20, 0.3, "t") == ["t"]
    assert keys("\x1b]52;c;" + "e" * (MOST_IN_SEQUENCE + 10), 0.04, "e" * 20, 0.06, "t", 0.06) == ["t"]
    assert keys("\x1b]52;c;" + "e" * 500_000 + "\x1b\\t") == ["t"]
    assert keys("\x1b]52;c;" + "e" * 500_000, 0.06, "e" * 9_000, 0.02, "ee\x07", "t") == ["t"]


def test_a_paste_whose_begin_comes_in_two_pieces_is_a_paste() -> None:
    begin, end = "\x1b[200~", "\x1b[201~"
    for at in range(1, len(begin)):
        found = keys(begin[:at], 0.3, begin[at:] + "end" + end, "t")
        assert found == ["escape"] * (at == 1) + ["paste end", "t"]
        assert keys(begin + "end" + end[:at], 0.5, end[at:], "t") == ["paste end", "t"]


def test_a_paste_ends_by_itself_after_a_second() -> None:
    assert keys("\x1b[200~xyz", 0.9, "more", 1.1, "e") == ["paste xyzmore", "e"]
    assert keys("\x1b[200~xyz", 1.1, "\x1b[201~", "e") == ["paste xyz", "e"]
    assert keys("\x1b[200~" + "x" * 50_000, 1.1, "e") == ["paste " + "x" * 10_000, "e"]


def test_the_rest_of_a_paste_that_stood_still_is_no_key() -> None:
    assert keys("\x1b[200~xx", 1.5, "eeUee\re\x1b[201~", 0.2) == ["paste xx"]
    assert keys("\x1b[200~xx", 1.5, "eeU", "ee\re\x1b[201~", 0.2, "e", 0.2) == ["paste xx", "e"]
    rest = "e" * 200
    assert keys("\x1b[200~xx", 1.5, rest[:100], 0.2, rest[100:] + "\x1b[201~", 0.2) == ["paste xx", f"paste {rest}"]


def test_keys_after_a_paste_without_an_end_work() -> None:
    assert keys("\x1b[200~xx", 1.5, "e", 0.2, "\x1b[A", 0.2) == ["paste xx", "e", "up"]
    assert keys("\x1b[200~xx", 12.0, "eU", 0.2) == ["paste xx", "e", "U"]


def typed(*parts: str) -> list[tuple[str, str | None]]:
    return [(key.key, key.character) for key in fed(*parts) if isinstance(key, events.Key)]


def of_textual(sequence: str) -> list[tuple[str, str | None]]:
    parser = XTermParser()
    messages = [*parser.feed(sequence)]
    return [(key.key, key.character) for key in messages if isinstance(key, events.Key)]


def test_every_key_that_textual_knows_is_that_key() -> None:
    for sequence in (*KEYS, *KITTY):
        expected = of_textual(sequence)
        assert typed(sequence) == typed(*sequence) == expected, sequence
        assert typed(f"{sequence}t{sequence}") == [*expected, ("t", "t"), *expected], sequence


def test_escape_and_keys_with_alt_are_keys() -> None:
    assert keys("\x1b") == keys("\x1b[27u") == ["escape"]
    assert keys("\x1b", 0.2, "e") == ["escape", "e"]
    assert keys("\x1b\x1b\x1b") == ["escape"] * 3
    assert keys("\x1b\x1b[A") == ["escape", "up"]
    assert keys("\x1be") == ["alt+e"]
    assert keys("\x1b", 0.2, "[") == ["escape", "left_square_bracket"]
    assert keys("\x1b", 0.2, "]", 0.2, "e") == ["escape", "right_square_bracket", "e"]
    assert keys("\x1b", 0.2, "]]]") == ["escape"] + ["right_square_bracket"] * 3
    assert keys("\x1b", 0.2, "[[[e") == ["escape"] + ["left_square_bracket"] * 3 + ["e"]


def test_a_key_of_modify_other_keys_has_its_modifiers() -> None:
    """Alt and U was U, which undoes."""
    assert keys("\x1b[27;3;117~") == ["alt+u"]
    assert keys("\x1b[27;5;13~") == ["ctrl+enter"]
    assert keys("\x1b[27;5;117~") == ["ctrl+u"]
    assert keys("\x1b[27;3;27~") == ["alt+escape"]
    assert typed("\x1b[27;2;85~") == typed("U") == [("U", "U")]
    assert typed("\x1b[27;2;196~") == [("Ä", "Ä")]


def test_a_key_with_a_long_text_is_that_text() -> None:
    assert keys(LONG_KITTY) == list("efghijkl")


def test_what_is_read_is_a_message() -> None:
    names = {name: [type(message).__name__ for message in fed(sequence)] for name, sequence in READ.items()}
    assert names == {
        "focus": ["AppFocus"],
        "no focus": ["AppBlur"],
        "synchronized output": ["TerminalSupportsSynchronizedOutput"],
        "in-band size": ["Resize"],
        "size in subparameters": ["Resize"],
        "mouse": ["MouseMove"],
        "wheel": ["MouseScrollUp"],
        "mouse, rxvt": [],
    }
    assert [type(message).__name__ for message in fed("\x1b[M !!")] == []


def test_a_control_of_eight_bits_begins_a_sequence_in_bytes_too() -> None:
    assert b"\x9b?62;22c".decode(errors=UNDECODABLE) == "\x9b?62;22c"
    assert b"\x90>|x\x9c\xe4 \xff\xc3".decode(errors=UNDECODABLE) == "\x90>|x\x9c\N{REPLACEMENT CHARACTER} " + (
        "\N{REPLACEMENT CHARACTER}" * 2
    )


@given(st.lists(st.one_of(st.sampled_from([*REPLIES.values(), *READ.values()]).map(lambda reply: reply[:300]),
                          st.text(max_size=5), st.floats(0, 0.3)), max_size=12))  # fmt: skip
def test_nothing_that_comes_ends_the_parser_or_mutes_it(parts: list[str | float]) -> None:
    assert keys(*parts, 1.2, "t")[-1:] == ["t"]
