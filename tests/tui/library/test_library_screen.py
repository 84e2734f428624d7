"""What stands beside the library's list."""

from __future__ import annotations

from engine.battle.state.characters import Character
from tests.rules.table import ruleset
from tui.library.list_panels import TextPanel
from tui.library.previews import character_rows


def test_the_sheet_beside_the_list_is_wrapped_to_the_width_that_it_is_drawn_in() -> None:
    """However wide the panel was when the sheet was read: it may not have been laid out yet."""
    own = Character("Anna", (("strength", 8), ("endurance", 8)), ("sniper-rifle",))
    panel = TextPanel()
    panel.set_reactive(TextPanel.shown, ("Anna", tuple(character_rows(own, ruleset("occult-ops"), ())), ("Foot.",)))
    for width, expected in ((42, ["STR 8 · END 8"]), (8, ["STR 8 ·", "END 8"])):
        rows = [row.rstrip() for row in str(panel.build(width, 24)).splitlines()]
        start = rows.index(expected[0])
        assert rows[start : start + len(expected)] == expected
        assert rows[-1] == "Foot." and len(rows) == 24
