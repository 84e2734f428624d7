"""Names of keys are Textual's."""

from __future__ import annotations

import sys

from textual.keys import Keys, _character_to_key

from tui.application.keys.key_names import NAMED, key_of


def test_the_keys_with_a_name_are_those_of_textual() -> None:
    assert sorted(NAMED) == sorted(key.value for key in Keys if not key.value.startswith("<"))


def test_a_character_has_the_name_that_textual_gives_its_key() -> None:
    characters = [one for one in map(chr, range(sys.maxunicode + 1)) if one.isprintable()]
    assert [one for one in characters if key_of(one) != _character_to_key(one)] == []
