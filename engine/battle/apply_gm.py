"""Applying GM events: roster, battlefield, notes and overrides."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle import events as ev
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import OFF, CoverRuling, Policy
from engine.battle.state.units import AS_THE_SHEET
from engine.geometry.battlefield import LIGHTS
from engine.geometry.terrain_edits import with_barriers, with_elevation, with_ground, with_lamp, with_light
from engine.values import replace

LEVELS = {light: level for level, light in enumerate(LIGHTS)}


def apply_to_table(battle: Battle, event: ev.Event) -> Battle | None:
    """The battle after an event of these; None after one of another kind."""
    match event:
        case ev.UnitsAdded():
            units = {**battle.units, **{unit.id: unit for unit in event.units}}
            scores = event.scores
            return replace(battle, units=units, turns=replace(battle.turns, order=event.order, initiative=scores))
        case ev.UnitRemoved():
            return _without_unit(battle, event.unit)
        case ev.UnitRenamed():
            return battle.with_unit(replace(battle.units[event.unit], name=event.after))
        case ev.SideChanged():
            changed = replace(battle.units[event.unit], side=event.after, is_neutral=event.is_neutral)
            return battle.with_unit(changed)
        case ev.LettersGiven():
            letters, digits = {**battle.letters, **event.letters}, {**battle.digits, **event.digits}
            return replace(battle, letters=letters, digits=digits)
        case ev.UnitHidden():
            return battle.with_unit(replace(battle.units[event.unit], is_hidden=True))
        case ev.UnitOut():
            return battle.with_unit(replace(battle.units[event.unit], out=event.why))
        case ev.UnitShown():
            return battle.with_unit(replace(battle.units[event.unit], is_hidden=False))
        case ev.WeaponGiven():
            unit = battle.units[event.unit]
            rounds = unit.gear.rounds if event.rounds is None else {**unit.gear.rounds, event.weapon: event.rounds}
            weapons = (*unit.gear.weapons, event.weapon)
            return battle.with_unit(
                replace(
                    unit,
                    gear=replace(unit.gear, weapons=weapons, weapon=unit.gear.weapon or event.weapon, rounds=rounds),
                )
            )
        case ev.WornChanged():
            unit = battle.units[event.unit]
            pools = {**unit.pools, **event.pools}
            worn = replace(unit.overrides, armour=event.armour, accessories=event.accessories)
            return battle.with_unit(replace(unit, overrides=worn, pools=pools))
        case ev.StatSet():
            unit = battle.units[event.unit]
            other_stats = tuple(one for one in unit.overrides.stats if one[0] != event.stat)
            stats = other_stats if event.is_sheets else (*other_stats, (event.stat, event.after))
            pools = {**unit.pools, **event.pools}
            return battle.with_unit(replace(unit, overrides=replace(unit.overrides, stats=stats), pools=pools))
        case ev.CharacterSet():
            unit = battle.units[event.unit]
            pools = {**unit.pools, **event.pools}
            sheet = replace(unit, character=event.character, overrides=AS_THE_SHEET, gear=event.gear, pools=pools)
            return battle.with_unit(sheet)
        case ev.TurnGiven():
            return replace(battle, turns=replace(battle.turns, interrupted=(), closing=()), openings=())
        case ev.CoverRuled(ruling):
            others = (held for held in battle.gm.covers if _pair(held) != _pair(ruling))
            return replace(battle, gm=replace(battle.gm, covers=(*others, ruling)))
        case ev.CoverRulingEnded():
            left = tuple(held for held in battle.gm.covers if _pair(held) != _pair(event))
            return replace(battle, gm=replace(battle.gm, covers=left))
        case ev.PolicySet(policies):
            return _with_policies(battle, (*_policies_but(battle, policies), *policies))
        case ev.PolicyEnded(policies):
            return _with_policies(battle, _policies_but(battle, policies))
        case ev.NoteSet(note):
            known = {held.id: held for held in battle.gm.notes} | {note.id: note}
            return replace(battle, gm=replace(battle.gm, notes=tuple(known.values())))
        case ev.NoteCleared(note):
            return replace(
                battle, gm=replace(battle.gm, notes=tuple(held for held in battle.gm.notes if held.id != note.id))
            )
        case ev.DiceThrown() | ev.RollCorrected():
            return battle
    return _on_field(battle, event)


def apply_all_to_table(battle: Battle, happened: Iterable[ev.Event]) -> Battle:
    """The battle after a row of such events."""
    for event in happened:
        battle = apply_to_table(battle, event) or battle
    return battle


def _on_field(battle: Battle, event: ev.Event) -> Battle | None:
    field = battle.field
    match event:
        case ev.GroundSet():
            worn = tuple(each for each in battle.scene.worn if each.edge or each.square not in event.squares)
            return replace(battle, scene=replace(battle.scene, worn=worn)).with_field(
                with_ground(field, event.squares, event.ground)
            )
        case ev.ElevationSet():
            return battle.with_field(with_elevation(field, event.squares, event.height))
        case ev.EdgesSet():
            worn = tuple(each for each in battle.scene.worn if each.edge not in event.edges)
            return replace(battle, scene=replace(battle.scene, worn=worn)).with_field(
                with_barriers(field, event.edges, event.barrier)
            )
        case ev.LightSet():
            return battle.with_field(with_light(field, event.squares, LEVELS[event.light]))
        case ev.LampSet():
            return battle.with_field(with_lamp(field, event.at, event.lamp))
    return None


def _policies_but(battle: Battle, others: Iterable[Policy]) -> tuple[Policy, ...]:
    about = {policy.about for policy in others}
    return tuple(held for held in battle.gm.policies if held.about not in about)


def _with_policies(battle: Battle, policies: tuple[Policy, ...]) -> Battle:
    """With other policies; a right to attack at once that is never taken any more is gone."""
    changed = replace(battle, gm=replace(battle.gm, policies=policies))
    left = (held for held in battle.openings if changed.gm.policy(battle.units[held.unit], held.reaction) != OFF)
    return replace(changed, openings=tuple(left))


def _pair(of: CoverRuling | ev.CoverRulingEnded) -> tuple[str, str]:
    return of.attacker, of.target


def _without_unit(battle: Battle, unit_id: str) -> Battle:
    """Without a unit, and without all that was about it."""
    return replace(
        battle,
        units={known: unit for known, unit in battle.units.items() if known != unit_id},
        gone={**battle.gone, unit_id: battle.called(unit_id)},
        turns=replace(
            battle.turns,
            order=tuple(known for known in battle.turns.order if known != unit_id),
            initiative={known: score for known, score in battle.turns.initiative.items() if known != unit_id},
            announced={known: said for known, said in battle.turns.announced.items() if known != unit_id},
            active="" if battle.turns.active == unit_id else battle.turns.active,
            interrupted=tuple(waiting for waiting in battle.turns.interrupted if waiting.unit != unit_id),
            declared=tuple(way for way in battle.turns.declared if way.unit != unit_id),
            closing=tuple(known for known in battle.turns.closing if known != unit_id),
            groups=tuple(left for group in battle.turns.groups if len(left := _but(group, unit_id)) > 1),
            surprised=_but(battle.turns.surprised, unit_id),
            delayed=_but(battle.turns.delayed, unit_id),
        ),
        openings=tuple(held for held in battle.openings if unit_id not in (held.unit, held.against)),
        gm=replace(
            battle.gm,
            covers=tuple(held for held in battle.gm.covers if unit_id not in _pair(held)),
            policies=tuple(held for held in battle.gm.policies if held.unit != unit_id),
            notes=tuple(note for note in battle.gm.notes if note.unit != unit_id),
        ),
    )


def _but(ids: tuple[str, ...], unit_id: str) -> tuple[str, ...]:
    return tuple(known for known in ids if known != unit_id)
