"""Reading TOML with positions: every problem at once, each with its line and column, within stated bounds."""

import tomllib
from fractions import Fraction

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Unreadable
from engine.toml_positions import Positions
from engine.toml_reader import MOST_BYTES, Document, parse

SAMPLE = """\
# a sample
title = "x"
[scale]
square = 5
"odd key".deep = 'v'
[map]
squares = \'\'\'
##
#.
\'\'\'
list = [ 1, # one
  [2, 3], { a = "#]" } ]
[[unit]]
id = "a"
[[unit]]
id = "b"
[unit.gear]
gun = true
[[unit.round]]
n = 7
"""


def places(document: Document) -> list[tuple[int, int]]:
    return [(problem.line, problem.column) for problem in document.problems]


def refusal(text: str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        parse(text, "f.toml")
    return caught.value


@pytest.mark.parametrize(
    ("path", "token"),
    [
        (("title",), '"x"'),
        (("scale",), "scale]"),
        (("scale", "square"), "5\n"),
        (("scale", "odd key", "deep"), "'v'"),
        (("map", "squares"), "'''\n##"),
        (("map", "list", 1, 0), "2, 3"),
        (("map", "list", 2, "a"), '"#]"'),
        (("unit", 1), 'unit]]\nid = "b"'),
        (("unit", 1, "gear", "gun"), "true"),
        (("unit", 1, "round", 0, "n"), "7"),
    ],
)
def test_values_have_positions(path: tuple[str | int, ...], token: str) -> None:
    assert SAMPLE.startswith(token, Positions(SAMPLE).values[path])


KEYS = st.text(min_size=1, max_size=6).filter(str.isprintable)
VALUES = st.recursive(
    st.integers(-999, 999) | st.booleans() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def leaves(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], object]]:
    if isinstance(value, dict):
        return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
    if isinstance(value, list):
        return [leaf for index, item in enumerate(value) for leaf in leaves(item, (*path, index))]
    return [(path, value)]


@pytest.mark.long
@given(st.dictionaries(KEYS, VALUES, max_size=5), st.booleans())
def test_every_value_of_any_document_is_found_where_it_stands(tables: dict[str, object], multiline: bool) -> None:
    text = tomli_w.dumps(tables, multiline_strings=multiline).replace("\r\n", "\n")
    found = Positions(text)
    for path, value in leaves(tomllib.loads(text)):
        start = text[found.values[path] :]
        match value:
            case bool():
                assert start.startswith("true" if value else "false")
            case int():
                assert start.startswith(str(value))
            case _:
                assert start.startswith('"')


def test_all_problems_come_at_once_each_at_its_place() -> None:
    document = parse('a = 1\nb = "x"\n[t]\nc = 1.5\nd = [1]\n', "f.toml")
    root = document.root
    root.text("a"), root.whole("b")
    table = root.table("t")
    table.whole("c"), table.texts("d"), table.flag("e")
    assert places(document) == [(1, 5), (2, 5), (4, 5), (5, 6), (3, 2)]
    with pytest.raises(Unreadable) as caught:
        document.check()
    assert str(caught.value).startswith("f.toml:1:5: a is 1; expected text in quotes\n    a = 1\n        ^\nf.toml:2:5")
    assert "[t] has no 'e'; it is required" in str(caught.value)


def test_good_document_passes_and_never_looks_up_positions() -> None:
    document = parse(SAMPLE, "f.toml")
    document.root.text("title")
    document.check()
    assert "positions" not in document.__dict__


def test_unknown_keys_suggest_the_near_miss() -> None:
    document = parse("[t]\nheigth = 3\nzzz = 1\n", "f.toml")
    table = document.root.table("t")
    table.number("height", 0), table.text("name", "")
    table.finish(), document.root.finish()
    assert [problem.message for problem in document.problems] == [
        "[t] has no key 'heigth'; did you mean 'height'?",
        "[t] has no key 'zzz'; known keys: height, name",
    ]
    assert places(document) == [(2, 1), (3, 1)]


def test_unknown_choice_suggests_the_near_miss() -> None:
    document = parse('posture = "knealing"', "f.toml")
    assert document.root.text("posture", choices=("standing", "kneeling")) == "standing"
    assert document.problems[0].message.endswith("did you mean 'kneeling'?")


def test_numbers_are_exact_and_bounded() -> None:
    document = parse(
        "a = 1.1\nb = 2\nc = inf\nd = 1e999999999\ne = 11\nf = true\ng = -2_000_000\nh = 1_0.5e-1", "f.toml"
    )
    root = document.root
    assert root.number("a") == Fraction(11, 10)
    assert root.number("b") == 2
    assert root.number("h") == Fraction(105, 100)
    assert not document.problems
    assert root.number("c", 7) == 7
    assert root.number("d", 7) == 7
    assert root.whole("e", least=1, most=10) == 1
    assert root.whole("f", 3) == 3
    assert root.whole("g", 0) == 0
    assert [problem.line for problem in document.problems] == [3, 4, 5, 6, 7]


def test_value_takes_any_scalar() -> None:
    root = parse('a = 1\nb = true\nc = 0.5\nd = "x\\ty"', "f.toml").root
    assert [root.value(key) for key in root] == [1, True, Fraction(1, 2), "x y"]


def test_text_is_cleaned_and_its_width_checked() -> None:
    document = parse('a = "\\u202eTodd\\n"\nb = "忍者忍者"\nc = "\\u200b"', "f.toml")
    root = document.root
    assert root.text("a") == "Todd"
    assert root.text("b", most=7) == ""
    root.text("c")
    assert places(document) == [(2, 5), (3, 5)]


def test_problem_points_into_a_block() -> None:
    text = "a = '''\n##\n#Q\n'''\nb = '''##\n#Q'''\nc = \"abc\"\nd = \"\"\"\nx\\ty\n\"\"\"\n"
    document = parse(text, "f.toml")
    root = document.root
    root.problem("a", "here", row=1, offset=1)
    root.problem("a", "here")
    root.problem("b", "here", row=0, offset=1)
    root.problem("b", "here", row=1, offset=1)
    root.problem("c", "here", offset=2)
    root.problem("d", "escapes shift columns", row=0, offset=3)
    assert places(document) == [(3, 2), (2, 1), (5, 9), (6, 2), (7, 8), (8, 5)]


def test_tables_of_the_wrong_shape_are_noted_once() -> None:
    document = parse("scale = 5\nunit = 3\nmap = [1]", "f.toml")
    document.root.table("scale").text("needed")
    assert document.root.tables("unit") == []
    assert document.root.tables("map") == []
    assert [problem.line for problem in document.problems] == [1, 2, 3]


def test_missing_table_reads_as_empty() -> None:
    document = parse("", "f.toml")
    assert document.root.table("scale").text("unit", "feet") == "feet"
    document.check()
    document.root.table("scale").text("unit")
    assert document.problems[0].message == "[scale] has no 'unit'; it is required"


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ("a = 1\nb = ", (2, 4), "not TOML"),
        ('a = "x\nb = 2', (1, 7), "not TOML: the text in quotes does not end on its line"),
        ("a = 'x\nb = 'y'", (1, 7), "not TOML: the text in quotes does not end on its line"),
        ("a = 1\na = 2", (2, 6), "Cannot overwrite"),
        ("a = 1\nb = '''\n##", (2, 5), "never closed; expected '''"),
        ('b = """\nx', (1, 5), 'never closed; expected """'),
        ("a.b.c.d.e.f.g.h.i = 1", (1, 16), "too many parts"),
        ("a = " + "[" * 2000, (1, 13), "nested too deeply"),
        ("a = " + "{b=" * 9, (1, 29), "nested too deeply"),
        ("x = 1\na = " + "1" * 5000, (2, 1), "line is too long"),
        ("a = '" + "x" * 5000 + "'\n", (1, 1), "line is too long"),
        ("\x00", (1, 1), "not TOML"),
        ("a = 1979-13-99", (1, 9), "not TOML"),
        ("#" * (MOST_BYTES + 1), (1, 1), "too large"),
    ],
)
def test_bad_text_is_one_clear_problem(text: str, place: tuple[int, int], part: str) -> None:
    error = refusal(text)
    (problem,) = error.problems
    assert part in problem.message
    assert (problem.line, problem.column) == place


def test_long_dotted_key_is_refused_at_once() -> None:
    assert "too many parts" in str(refusal(".".join("a" * 20_000) + " = 1"))


def test_blocks_may_have_long_rows() -> None:
    assert len(parse(f"a = '''\n{'#' * 9000}\n'''", "f.toml").root.block("a")) == 9001


def test_byte_order_mark_and_dos_line_ends_are_read() -> None:
    document = parse("\ufeffa = 1\r\nb = '''\r\n#Q\r\n'''\r\n", "f.toml")
    assert document.root.block("b") == "#Q\n"
    document.root.problem("b", "here", offset=1)
    assert places(document) == [(3, 2)]


def test_shown_line_cannot_reach_the_terminal_raw() -> None:
    document = parse('a = "\u202e\x9b31m" # \u2066', "f.toml")
    document.root.problem("a", "here")
    assert str(document.problems[0].source_line) == 'a = "��31m" # �'


@given(st.text(st.sampled_from("ab.=[]{}\"'\\#\n 0,") | st.characters(), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        document = parse(text, "f.toml")
    except Unreadable as error:
        assert str(error)
        return
    root = document.root
    root.finish()
    for key in root:
        root.text(key), root.whole(key), root.table(key), root.tables(key), root.texts(key)
        root.problem(key, "here", row=1, offset=2)
