"""For every command a form that is secret, or the reason why it has none.

Secret is a command whose every object (unit, square, note, roll, policy, place in the order) those who look do not
know: `table` ones concern hidden units and what the GM keeps for herself; the others what is out of the law's sight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from engine.battle import command as cmd
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
from engine.battle.state.characters import Character
from engine.geometry.battlefield import Barrier, Ground
from engine.geometry.squares import Direction, Edge, parse_square
from engine.rules.ledger import Adjustment
from tests.secrets.stage import Stage

SET_UP, FIGHT, HIDDEN_TURN = "set-up", "fight", "turn of somebody hidden"
ACTS = ("kneel", "wait", "go-prone", "reload", "overwatch", "dodge", "brace", "hold", "guard", "defensive-stance")
"""Actions that change nothing but the unit that takes them."""
SPEED = "agility"
"""The stat by which ties are broken, in the ruleset that rolls for the rest."""
MOMENTS = (SET_UP, FIGHT, HIDDEN_TURN)


class Secret(Struct, frozen=True):
    """A secret command, given as the battle comes to a moment; "undo" and "redo" of one are secret, too."""

    command: Command | str | None
    moment: str = FIGHT
    is_for_table: bool = True
    """Whether nobody but the GM knows its objects; else the law does not."""
    before: Sequence[Command | str] = ()
    """What both battles, with and without it, have done first."""
    instead: Command | None = None
    """What the other battle has in its place: the same to those who look."""


NONE: Mapping[type[Command], str] = {
    order_commands.FinishBattle: "the end of a battle is its end for everybody",
    order_commands.RollInitiative: "the order is rolled for everybody in the fight",
    ruling_commands.ClearAdjustments: "it takes back what an attack that the table saw was to have",
    ruling_commands.SetRuling: "the rules hold for everybody, and the table is told them",
    scene_commands.SetWind: "the wind blows over the whole map",
}


def forms(stage: Stage) -> list[Secret]:
    """The secret commands on a stage, in an order in which they can be given one after the other."""
    rules, at = stage.rules, parse_square
    pool = next(iter(rules.units.pools))
    full = stage.battle.unit("mole").pools[pool]
    budget = next(iter(rules.units.budgets))
    condition = next(iter(rules.units.conditions))
    stat = next(iter(rules.units.stats.values()))
    weapon = next(one for one in rules.gear.weapons if one not in stage.battle.unit("imp").gear.weapons)
    action = next(one for one in ACTS if one in rules.actions)
    back, door = (at("N5"), at("N6")), Edge(12, 3, "W")
    mud = Ground("mud", move_cost=2)
    lays = next((one.id for one in rules.actions.values() if any(effect.lays_charge for effect in one.effects)), "")
    mine = next((one for one in rules.gear.weapons if "mine" in one), "")
    arms = gear_commands.Give("lurker", mine), unit_actions.Ready("lurker", mine, is_free=True)
    lay = cmd.Act("lurker", lays, square=at("K3"), is_free=True)
    edits = unit_edits
    roster = roster_commands
    tied = SPEED if SPEED in rules.units.stats else stat.id
    score = order_commands.SetInitiative
    owl = roster.AddUnit("gunman", "ninth", at("F2"), "Owl"), roster.SetHidden("owl")

    def law(command: Command, *before: Command) -> Secret:
        return Secret(command, is_for_table=False, before=before)

    def turn(command: Command, *before: Command) -> Secret:
        return Secret(command, HIDDEN_TURN, before=(order_commands.SetTurn("mole"), *before))

    return [
        Secret(roster.AddUnit("gunman", "third", at("G4"), "Sneak", is_hidden=True), SET_UP),
        Secret(roster.AddUnit("leader", "eighth", at("G5"), "Chief", is_hidden=True), SET_UP),
        Secret(edits.Place("imp", at("C3")), SET_UP),
        Secret(note_commands.SetNote("The vault opens at noon."), SET_UP),
        Secret(roster.RemoveUnit("sneak~"), SET_UP),
        Secret(roster.RemoveUnit("owl"), SET_UP, before=owl),
        Secret(gear_commands.SetStat("imp", tied, 37), SET_UP, before=(gear_commands.SetStat("ben", tied, 37),)),
        Secret(note_commands.SetNote("a traitor", unit="ada")),
        Secret(note_commands.SetNote("a trap", at=at("C3"))),
        Secret("undo", before=(note_commands.SetNote("a door"),)),
        Secret("redo", before=(note_commands.SetNote("a door"), "undo")),
        Secret(note_commands.ThrowDice("1d6", "wolves")),
        Secret(edits.SetPool("mole", pool, full - 1)),
        Secret(edits.DamageUnits(("mole", "imp"), 1)),
        Secret(edits.HealUnits(("mole",), 1), before=(edits.DamageUnits(("mole",), 1),)),
        Secret(edits.SetBudget("mole", budget, 1)),
        Secret(edits.SetCondition("mole", condition, True)),
        Secret(edits.SetMarker(("mole",), "on fire")),
        Secret(edits.SetPosture("mole", "prone")),
        Secret(edits.SetAltitude("ghost", 200)),
        Secret(edits.Place("mole", at("D4"))),
        Secret(several_edits.EditUnits((edits.SetPool("mole", pool, full - 1), edits.Place("imp", at("E5"))))),
        Secret(gear_commands.Give("imp", weapon)),
        Secret(gear_commands.SetAmmunition("mole", 1)),
        Secret(gear_commands.TakeAway("imp", weapon), before=(gear_commands.Give("imp", weapon),)),
        Secret(gear_commands.SetStat("mole", stat.id, stat.choices[0] if stat.choices else 4)),
        Secret(gear_commands.SetCharacter("imp", Character("Imp", role="gunman"))),
        Secret(roster.AddUnit("gunman", "outlaws", at("F4"), "Thug", 2, is_hidden=True)),
        Secret(roster.AddGroup((roster.AddUnit("gunman", "fourth", at("F3"), "New", is_hidden=True),))),
        Secret(roster.CopyUnit("mole", at("D3"))),
        Secret(roster.RenameUnit("imp", "Attacks")),
        Secret(roster.SetSide("ghost", "fifth")),
        Secret(roster.SetOut("imp", "sleeps")),
        Secret(roster.SetOut("imp")),
        Secret(order_commands.SetInitiative("imp", 15)),
        Secret(order_commands.SetInitiative("ghost", 1)),
        Secret(order_commands.SetPlace("imp", "mole")),
        Secret(
            order_commands.SetPlace("cy", "imp"),
            before=(score("imp", 14),),
            instead=order_commands.SetPlace("cy", "bo"),
        ),
        Secret(
            order_commands.Delay("ben", "imp"), before=(score("imp", 8),), instead=order_commands.Delay("ben", "lurker")
        ),
        Secret(order_commands.FormGroup(("mole", "imp"))),
        Secret(order_commands.DissolveGroup("mole"), before=(order_commands.FormGroup(("mole", "imp")),)),
        Secret(order_commands.Surprise(("imp",))),
        Secret(ruling_commands.SetCover("mole", "ghost", Fraction(1, 2), is_pinned=True)),
        Secret(ruling_commands.SetPolicy("ask", unit="mole")),
        Secret(ruling_commands.SetPolicy("auto", unit="ben")),
        Secret(roster.SetSide("mole", "sixth")),
        Secret(edits.Place("mole", at("H3"))),
        Secret(edits.Place("imp", at("C2"))),
        law(roster.SetHidden("lurker")),
        law(roster.SetHidden("lurker", False), roster.SetHidden("lurker")),
        law(edits.DamageUnits(("lurker",), 1)),
        law(edits.Place("lurker", at("K5"))),
        law(scene_commands.SetCloud(at("N5"), 0)),
        law(scene_commands.ClearCloud("smoke-1"), scene_commands.SetCloud(at("N5"), 0)),
        law(terrain_commands.SetGround((back[0],), mud)),
        law(terrain_commands.SetElevation((back[0],), -100)),
        law(terrain_commands.SetEdges((Edge(13, 4, "W"),), Barrier("wall"))),
        law(terrain_commands.Draw((terrain_commands.SetGround((back[1],), mud),))),
        law(terrain_commands.SetSmoke((back[0],), 2)),
        Secret(terrain_commands.SetZone("D", back)),
        law(terrain_commands.SetLight("dim", (back[0],))),
        law(terrain_commands.SetLamp(back[0], 1, 1, 200)),
        law(terrain_commands.SetBarrier(door, "open")),
        *(
            [
                law(lay, *arms),
                law(scene_commands.ClearCharge(at("K3")), *arms, lay),
                law(scene_commands.SetOff(at("K3")), *arms, lay),
            ]
            if mine
            else []
        ),
        turn(order_commands.Delay("mole", "imp")),
        Secret(order_commands.SetTurn("mole"), HIDDEN_TURN),
        turn(unit_actions.Face("mole", Direction.N)),
        turn(unit_actions.Ready("mole", weapon), gear_commands.Give("mole", weapon)),
        turn(cmd.Act("mole", action, is_free=True)),
        turn(cmd.Attack("mole", "ghost", is_free=True)),
        turn(cmd.Move("mole", (at("D4"), at("D5"))), edits.Place("mole", at("D4"))),
        turn(edits.DamageUnits(("mole",), 1)),
        turn(ruling_commands.Adjust(Adjustment("gm", "sniper on the roof", -10))),
        turn(cmd.EndTurn()),
        Secret(order_commands.SetTurn("ghost"), HIDDEN_TURN),
        turn(roster.RemoveUnit("imp")),
    ]
