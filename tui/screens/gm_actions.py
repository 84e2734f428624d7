"""The conversation about the table itself: what the GM's hand puts there, changes and takes away.

What a key opens is loaded by that key, as in `conversation`.
"""

from __future__ import annotations

from engine.battle.commands.unit_edits import Place
from tui.keys.battle_keys import with_keys
from tui.screens.attack_flow import Exchange
from tui.screens.conversation import NO_TARGET


class Hand(Exchange):
    """The GM's hand: the table menu, and keys for what is done most."""

    def action_table(self) -> None:
        from tui.screens.gm_menu import open_table

        open_table(self)

    def action_put(self) -> None:
        """The unit in focus is put on the cursor's square, as if picked up by hand."""
        unit = self.session.battle.units.get(self.looked.unit)
        if unit is None:
            self.say(with_keys("Nobody is chosen: {battle.select} takes the unit under the cursor."))
            return
        self.submit(Place(unit.id, self.looked.cursor))

    def action_throw(self) -> None:
        from tui.screens.gm_menu import throw

        throw(self)

    def action_note(self) -> None:
        from tui.screens.gm_menu import notes

        notes(self)

    def action_cover(self) -> None:
        """The GM's word on how well the target is covered from the unit in focus."""
        from tui.commands.rulings import parse_cover

        units = self.session.battle.units
        unit, target = units.get(self.looked.unit), units.get(self.looked.target)
        if unit is None or target is None:
            self.say(with_keys(NO_TARGET))
            return
        label = f"{target.name} from {unit.name}: none, half, 75 heavy, full, seen; a last ! keeps it:"
        self.ask_command(label, lambda text: parse_cover(text, unit.id, target.id))

    def action_wreck(self) -> None:
        from tui.screens.gm_menu import wreck

        wreck(self)

    def action_terrain(self) -> None:
        """Edits the ground; the battle is shown again when that is left."""
        from tui.screens.terrain_editor import TerrainScreen

        def left(_: None) -> None:
            self.say("")

        self.app.push_screen(TerrainScreen(self.session, self.looked.cursor, self.board), left)

    def action_save_map(self) -> None:
        from tui.screens.save_map_prompt import ask_to_save

        ask_to_save(self)
