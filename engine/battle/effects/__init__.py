"""Every kind of effect, one file a family; to add one, write its class and name it here."""

from __future__ import annotations

from engine.battle.effects import charges, conditions, moves, pools, rolls, strikes, weapons
from engine.rules.primitives import Effect

EFFECTS: tuple[type[Effect], ...] = (
    rolls.RollEffect,
    rolls.LetEffect,
    pools.LoseEffect,
    pools.GainEffect,
    conditions.ConditionEffect,
    conditions.PostureEffect,
    weapons.ReloadEffect,
    moves.HaltEffect,
    strikes.StrikeEffect,
    moves.TurnEffect,
    moves.PushEffect,
    weapons.DisarmEffect,
    weapons.BreakEffect,
    weapons.RecoverEffect,
    weapons.SeizeEffect,
    strikes.ExposeEffect,
    pools.WearEffect,
    moves.RiseEffect,
    moves.SinkEffect,
    charges.LayEffect,
    charges.SetOffEffect,
)
"""In the order in which messages name them."""
