"""Every kind of effect, one file a family; to add one, write its class and name it here."""

from __future__ import annotations

from engine.battle.effects import (
    condition_effects,
    explosive_effects,
    move_effects,
    pool_effects,
    roll_effects,
    strike_effects,
    weapon_effects,
)
from engine.rules.effect_kinds import Effect

EFFECTS: tuple[type[Effect], ...] = (
    roll_effects.RollEffect,
    roll_effects.LetEffect,
    pool_effects.LoseEffect,
    pool_effects.GainEffect,
    condition_effects.ConditionEffect,
    condition_effects.PostureEffect,
    weapon_effects.ReloadEffect,
    move_effects.HaltEffect,
    strike_effects.StrikeEffect,
    move_effects.TurnEffect,
    move_effects.PushEffect,
    weapon_effects.DisarmEffect,
    weapon_effects.BreakEffect,
    weapon_effects.RecoverEffect,
    weapon_effects.SeizeEffect,
    strike_effects.ExposeEffect,
    pool_effects.WearEffect,
    move_effects.SinkEffect,
    explosive_effects.LayEffect,
    explosive_effects.SetOffEffect,
)
"""In the order in which messages name them."""
