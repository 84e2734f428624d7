"""Every command there is."""

from __future__ import annotations

from engine.battle.command import Command
from engine.battle.commands import (
    gear_commands,
    note_commands,
    order_commands,
    roster_commands,
    ruling_commands,
    scene_commands,
    several_edits,
    terrain_commands,
    unit_actions,
    unit_edits,
)

COMMANDS: tuple[type[Command], ...] = (
    *unit_actions.KINDS,
    *order_commands.KINDS,
    *unit_edits.KINDS,
    *several_edits.KINDS,
    *gear_commands.KINDS,
    *roster_commands.KINDS,
    *terrain_commands.KINDS,
    *scene_commands.KINDS,
    *ruling_commands.KINDS,
    *note_commands.KINDS,
)
