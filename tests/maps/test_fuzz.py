"""Whatever a file holds, it is a map or it is refused in words; nothing else ever comes out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Unreadable
from maps import parse_map, shipped_maps, write_map
from tests.examples import examples

TEXTS = [entry.read_text() for entry in shipped_maps().values()]
PIECES = [
    "'",
    '"',
    "\\",
    "\n",
    "[[unit]]\n",
    "[",
    "]",
    "{",
    "=",
    ".",
    "Q",
    "+",
    " ",
    "\t",
    "9",
    "-",
    "é",
    "忍",
    "\x1b",
    "1e9",
]


def read_or_refused(text: str) -> None:
    try:
        battle_map = parse_map(text, "fuzz.toml")
    except Unreadable as error:
        assert str(error).startswith("fuzz.toml:")
        assert all(problem.line >= 1 and problem.column >= 1 for problem in error.problems)
    else:
        assert parse_map(write_map(battle_map), "again.toml") == battle_map


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    read_or_refused(text)


@examples(200)
@given(
    st.sampled_from(TEXTS),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 3), st.sampled_from(PIECES)), max_size=4),
)
def test_good_map_with_a_few_characters_changed(text: str, changes: list[tuple[float, int, str]]) -> None:
    for place, removed, piece in changes:
        at = int(place * len(text))
        text = text[:at] + piece + text[at + removed :]
    read_or_refused(text)


@examples(100)
@given(st.sampled_from(TEXTS), st.data())
def test_good_map_with_lines_changed(text: str, data: st.DataObject) -> None:
    lines = text.splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["drop", "double", "swap", "value"])):
            case "drop":
                del lines[at]
            case "double":
                lines.insert(at, lines[at])
            case "swap":
                other = data.draw(st.integers(0, len(lines) - 1))
                lines[at], lines[other] = lines[other], lines[at]
            case "value" if " = " in lines[at]:
                value = data.draw(
                    st.sampled_from(["-1", "true", "[]", "{}", "nan", "''", "1979-05-27", "[[1]]", "99999"])
                )
                lines[at] = lines[at].split(" = ")[0] + f" = {value}\n"
    read_or_refused("".join(lines))


@pytest.mark.parametrize("glyph", ["\x1b", "\u202e", "\ud800", "\x9b", "\u200d"])
def test_hostile_characters_never_reach_a_message(glyph: str) -> None:
    text = TEXTS[0].replace("*", glyph).replace("gunman", f"gun{glyph}man").replace("side", f"{glyph}")
    with pytest.raises(Unreadable) as caught:
        parse_map(text, "fuzz.toml")
    assert glyph not in str(caught.value)
