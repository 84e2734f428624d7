"""Every command there is."""

from __future__ import annotations

from engine.battle.command import Command
from engine.battle.commands import actions, gear, notes, order, roster, rulings, scene, terrain, unit_edits

COMMANDS: tuple[type[Command], ...] = (
    *actions.KINDS,
    *order.KINDS,
    *unit_edits.KINDS,
    *gear.KINDS,
    *roster.KINDS,
    *terrain.KINDS,
    *scene.KINDS,
    *rulings.KINDS,
    *notes.KINDS,
)
