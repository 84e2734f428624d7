"""Glyph tables: one cell each, complete, and ASCII where they say so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import astuple
from rich.cells import cell_len

import tui.view.board as drawn_with
from engine.battle.narration.unit_states import STATE_MARKS, marks_of
from engine.geometry.squares import Direction
from maps import kinds
from tests.tui.play import load_ruleset, shipped_rulesets
from tui.application.describe.glyphs import ASCII, GLYPH_SETS, UNICODE, GlyphSet
from tui.application.overlays.markings import TINTS
from tui.application.overlays.overlay_list import OVERLAY_TINTS
from tui.view.board.glyph_keys import barrier_look, object_look, terrain_look
from tui.view.board.legend import EDGES, OBJECTS, TERRAINS, legend
from tui.view.modals.help_screen import KEYS

SETS = list(GLYPH_SETS.values())


def signs(value: object) -> Iterator[str]:
    """Every character of a table, however deep, besides names."""
    if isinstance(value, str):
        yield from value
    elif isinstance(value, dict):
        for part in value.values():
            yield from signs(part)
    elif isinstance(value, Struct):
        yield from signs(astuple(value))
    elif isinstance(value, tuple):
        for part in value:
            yield from signs(part)


def table(glyphs: GlyphSet) -> list[str]:
    return list(signs(astuple(glyphs)[1:]))


@pytest.mark.parametrize("glyphs", SETS, ids=lambda glyphs: glyphs.name)
def test_every_glyph_is_one_cell(glyphs: GlyphSet) -> None:
    assert [sign for sign in table(glyphs) if cell_len(sign) != 1] == []


def test_ascii_glyphs_are_ascii() -> None:
    assert "".join(table(ASCII)).isascii()
    assert not ASCII.has_unicode
    assert UNICODE.has_unicode


@pytest.mark.parametrize("glyphs", SETS, ids=lambda glyphs: glyphs.name)
def test_letters_are_left_to_units(glyphs: GlyphSet) -> None:
    signs_on_ground = [*signs(dict(glyphs.terrains)), *signs(dict(glyphs.objects)), *signs(dict(glyphs.tints))]
    edges = [sign for edge in glyphs.edges.values() for sign in signs(astuple(edge))]
    assert [sign for sign in signs_on_ground + edges if sign.isascii() and sign.isalpha()] == []


@pytest.mark.parametrize("glyphs", SETS, ids=lambda glyphs: glyphs.name)
def test_tables_are_complete(glyphs: GlyphSet) -> None:
    assert set(glyphs.tints) == set(TINTS)
    assert {len(sign) for sign in (glyphs.bar, glyphs.brackets, glyphs.acting, glyphs.line, glyphs.ledge)} == {2}
    assert len(glyphs.corners) == 4
    assert {len(frame) for frame in glyphs.frames.values()} == {8}
    for four, six in glyphs.pictures.values():
        assert [len(line) for line in four] == [4, 4] and [len(line) for line in six] == [6, 6, 6]
    assert len(glyphs.above) == len(glyphs.below) == 10
    assert {len(row) for row in glyphs.facings.values()} == {8}
    assert {(len(edge.upright), len(edge.level)) for edge in glyphs.edges.values()} == {(3, 6)}
    assert {len(edge.floor) for edge in glyphs.edges.values()} == {2}


@pytest.mark.parametrize("glyphs", SETS, ids=lambda glyphs: glyphs.name)
def test_every_kind_that_maps_know_has_a_look(glyphs: GlyphSet) -> None:
    for name in kinds.OBJECTS:
        assert object_look(kinds.ground("floor", name, "feet", "o")) in glyphs.objects
    for name in kinds.EDGES:
        assert barrier_look(kinds.barrier(name, "feet")) in glyphs.edges


def test_costly_terrain_is_marked() -> None:
    for name, kind in kinds.TERRAINS.items():
        if kind.move_cost > 1:
            assert terrain_look(kinds.ground(name, "", "feet", ".")) in UNICODE.terrains


def test_facings_differ_for_each_direction_and_stance() -> None:
    drawn = [UNICODE.facing(stance, way) for stance in UNICODE.facings for way in Direction]
    assert len(set(drawn)) == len(drawn) == 32


def test_things_on_edges_differ() -> None:
    upright = [edge.upright for edge in UNICODE.edges.values()]
    level = [edge.level for edge in UNICODE.edges.values()]
    assert len(set(upright)) == len(set(level)) == len(UNICODE.edges)


def test_levels() -> None:
    assert [UNICODE.level(level) for level in (0, 1, 9, 40, -2)] == ["", "¹", "⁹", "⁴⁰", "₋₂"]


@pytest.mark.parametrize("glyphs", SETS, ids=lambda glyphs: glyphs.name)
def test_the_legend_explains_every_edge_and_object(glyphs: GlyphSet) -> None:
    assert set(EDGES) == set(glyphs.edges)
    assert set(OBJECTS) == set(glyphs.objects)
    assert set(TERRAINS) == set(glyphs.terrains)
    assert all(signs and words for signs, words in legend(glyphs, STATE_MARKS))


@pytest.mark.parametrize("glyphs", SETS, ids=lambda glyphs: glyphs.name)
@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_help_explains_every_sign_that_the_board_draws(glyphs: GlyphSet, ruleset: str) -> None:
    rules = load_ruleset(shipped_rulesets()[ruleset])
    marks = {condition.mark for condition in rules.units.conditions.values()} | set(STATE_MARKS)
    drawn = set(table(glyphs)) - {" "} | {glyphs.states.get(mark, mark) for mark in marks if mark}
    explained = "".join(signs for signs, _ in legend(glyphs, marks_of(rules), OVERLAY_TINTS))
    assert drawn - set(explained) == set()
    assert not [signs for signs, _ in legend(glyphs, marks_of(rules), OVERLAY_TINTS) if len(signs) > KEYS]


@pytest.mark.parametrize("glyphs", SETS, ids=lambda glyphs: glyphs.name)
def test_marks_other_objects_shelves_and_stairs_have_each_a_sign_of_its_own_at_every_zoom(glyphs: GlyphSet) -> None:
    def drawn(look: str) -> set[str]:
        pictures = "".join(line for picture in glyphs.pictures.get(look, ()) for line in picture)
        return {*glyphs.objects.get(look, ""), *glyphs.terrains.get(look, ""), *pictures} - {" "}

    marks = {glyphs.states.get(mark, mark) for mark in MARKED}
    shelf = drawn("shelf") | {*glyphs.shelves}
    assert marks.isdisjoint(drawn("thing"))
    assert shelf.isdisjoint(drawn("stairs")) and len(shelf) == len(drawn("stairs")) == 1


def test_no_sign_of_the_board_stands_outside_the_tables() -> None:
    """Those that the test above knows; the scale line has words, lines of fire are computed dots."""
    for path in Path(drawn_with.__path__[0]).glob("*.py"):
        if path.name in ("glyphs.py", "legend.py", "rulers.py"):
            continue
        nodes = [node.value for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if hasattr(node, "value")]
        texts = [text for text in nodes if isinstance(text, str) and len(text) < LEAST_PROSE]
        found = {sign for text in texts for sign in text if not sign.isascii()}
        assert found <= {*table(UNICODE), *MARKED}, path.name


MARKED = "»!✚~≠§◆"
LEAST_PROSE = 10
"""Characters of a docstring; texts of signs are shorter."""
MEANT = {
    "overwatch": "◆", "exposed": "!", "surprised": "!", "burning": "✚", "stunned": "~", "dazed": "~", "pinned": "≠",
    "seized": "§", "grappled": "§", "held": "§",
}  # fmt: skip


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_states_that_all_rulesets_have_wear_the_same_marks(ruleset: str) -> None:
    conditions = load_ruleset(shipped_rulesets()[ruleset]).units.conditions.values()
    for condition in conditions:
        for word, mark in MEANT.items():
            if condition.mark and re.search(rf"\b(on )?{word}\b(?! by a stun)", condition.label):
                assert condition.mark == mark, condition.label
    assert not [one.label for one in conditions if one.mark in "✚≠§◆" and one.mark and not any(
        mark == one.mark and word in one.label for word, mark in MEANT.items()
    )]  # fmt: skip


def test_help_names_each_sign_of_the_turn_order_by_itself() -> None:
    rules = load_ruleset(shipped_rulesets()["aog"])
    told: dict[str, list[str]] = {}
    for sign, words in legend(UNICODE, marks_of(rules)):
        told.setdefault(sign, []).append(words)
    before = "turn order, before a name: "
    assert [told[sign][-1] for sign in "▸›•◎"] == [
        f"{before}{words}"
        for words in ("whose turn it is", "the unit under the cursor", "the selected unit", "the target")
    ]
    assert told["›"][0] == "beside a unit's state: moves at the end of the round"
