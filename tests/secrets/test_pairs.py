"""Battles that differ only in what the GM keeps secret: everything made for players is equal, byte by byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from engine.battle import command as cmd
from engine.battle.command import Command
from engine.battle.commands.gear_commands import Give, SetAmmunition, TakeAway
from engine.battle.commands.note_commands import SetNote, ThrowDice
from engine.battle.commands.order_commands import DissolveGroup, FormGroup, SetInitiative, SetPlace, Surprise
from engine.battle.commands.roster_commands import AddUnit, CopyUnit, RemoveUnit, RenameUnit, SetOut, SetSide
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.scene_commands import SetCloud
from engine.battle.commands.terrain_commands import SetBarrier, SetElevation, SetGround, SetLight
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import (
    DamageUnits,
    HealUnits,
    Place,
    SetBudget,
    SetCondition,
    SetMarker,
    SetPool,
    SetPosture,
)
from engine.battle.state.units import Unit
from engine.battle.views.known_battle import is_hidden_turn
from engine.errors import BattleboardError
from engine.geometry.battlefield import Ground
from engine.geometry.body import POSTURES
from engine.geometry.squares import Direction, Edge, Square
from rulesets import shipped_rulesets
from tests.secrets.law import Published, story
from tests.secrets.secret_commands import ACTS, FIGHT, SET_UP
from tests.secrets.stage import VIEWERS, Stage

PAIRS = 40
"""Of each ruleset."""
MOVES = 14
"""Commands that everybody may know in a battle."""
OPEN = [Square(column, row) for column in range(1, 9) for row in (1, 2)]
"""Where players' units and the enemies that they know stand: out of reach of those who hide."""
HIDEOUT = [Square(column, row) for column in range(1, 9) for row in (4, 5)]
BACK_ROOM = [Square(column, row) for column in (13, 14) for row in range(1, 6)]
"""Of which the law sees nothing, nor of the room before it."""
NAMES = ("Thug", "Guard", "Ada", "")
ROLES = ("gunman", "leader", "brawler", "rifleman")

Draw = Callable[[], Command | str]


def public_command(random: Random, stage: Stage) -> Command:
    """One that everybody may know: mostly of the unit whose turn it is."""
    battle, rules = stage.battle, stage.rules
    known = [unit for unit in battle.units.values() if not unit.is_hidden and unit.id != "lurker"]
    active = battle.units.get(battle.turns.active, known[0])
    one, free = random.choice(known), [at for at in OPEN if not battle.on(at)]
    pool = next(iter(rules.units.pools))
    choices: Sequence[tuple[int, Draw]] = (
        (5, cmd.EndTurn),
        (5, lambda: cmd.Attack(active.id, random.choice(known).id, is_free=random.random() < 0.7)),
        (4, lambda: cmd.Move(active.id, path(random, active, free))),
        (1, lambda: Face(active.id, random.choice(list(Direction)))),
        (1, lambda: Ready(active.id, random.choice(active.gear.weapons))),
        (2, lambda: DamageUnits((one.id,), random.randint(1, 3))),
        (1, lambda: HealUnits((one.id,), 2)),
        (1, lambda: SetPool(one.id, pool, random.randint(1, 9))),
        (1, lambda: SetPosture(one.id, random.choice(POSTURES))),
        (1, lambda: SetMarker((one.id,), "on fire")),
        (1, lambda: Place(one.id, random.choice(free))),
        (2, lambda: AddUnit(random.choice(ROLES), one.side, random.choice(free), random.choice(NAMES))),
        (1, lambda: SetInitiative(one.id, random.randint(1, 20))),
        (1, lambda: SetPlace(one.id, random.choice(known).id)),
        (1, lambda: FormGroup(tuple({one.id, random.choice(known).id}))),
        (1, lambda: SetOut(one.id, random.choice(("", "flees")))),
        (1, lambda: SetBarrier(Edge(9, 3, "W"), random.choice(("open", "closed")))),
        (1, lambda: SetCloud(random.choice(OPEN), 0)),
    )
    return drawn(random, choices)


def secret_command(random: Random, stage: Stage, viewers: tuple[str, ...]) -> Command | str:
    """One whose every object the viewers do not know."""
    battle, rules = stage.battle, stage.rules
    hidden = [unit for unit in battle.units.values() if unit.is_hidden]
    one, other = random.choice(hidden), random.choice(hidden)
    late = [unit.id for unit in hidden if unit.id.endswith("~")] or ["nobody"]
    free = [at for at in HIDEOUT if not battle.on(at)]
    weapon, pool = random.choice(list(rules.gear.weapons)), next(iter(rules.units.pools))
    side = random.choice(("law", "outlaws", "third", "fourth"))
    back = random.choice(BACK_ROOM)
    choices: Sequence[tuple[int, Draw]] = (
        (3, lambda: AddUnit(random.choice(ROLES), side, random.choice(free), random.choice(NAMES), is_hidden=True)),
        (1, lambda: CopyUnit(one.id, random.choice(free))),
        (2, lambda: RemoveUnit(random.choice(late))),
        (3, lambda: Place(one.id, random.choice(free))),
        (2, lambda: SetNote("a spy", unit=random.choice([*battle.units]))),
        (1, lambda: SetNote("a trap", at=random.choice(OPEN))),
        (2, lambda: ThrowDice("2d6", "wolves")),
        (1, lambda: DamageUnits((one.id,), 2)),
        (1, lambda: HealUnits((one.id,), 1)),
        (1, lambda: SetPool(one.id, pool, random.randint(0, 9))),
        (1, lambda: SetBudget(one.id, random.choice(list(rules.units.budgets)), random.randint(0, 2))),
        (1, lambda: SetCondition(one.id, random.choice(list(rules.units.conditions)), True)),
        (1, lambda: SetMarker((one.id,), "ready")),
        (1, lambda: SetPosture(one.id, random.choice(POSTURES))),
        (1, lambda: Give(one.id, weapon)),
        (1, lambda: SetAmmunition(one.id, 1)),
        (1, lambda: TakeAway(one.id, random.choice(one.gear.weapons or ("none",)))),
        (1, lambda: RenameUnit(one.id, random.choice(("Thug 2", "Ada 2", "Wolf")))),
        (1, lambda: SetSide(one.id, side)),
        (1, lambda: SetOut(one.id, random.choice(("", "sleeps")))),
        (3, lambda: SetInitiative(one.id, random.randint(1, 20))),
        (2, lambda: SetPlace(one.id, random.choice(battle.turns.order))),
        (1, lambda: FormGroup(tuple({one.id, other.id}))),
        (1, lambda: DissolveGroup(one.id)),
        (1, lambda: Surprise((one.id,))),
        (1, lambda: SetPolicy("off", unit=one.id)),
    )
    if viewers == ("law",) and random.random() < 0.4:
        lamp = SetLight(random.choice(("dark", "dim")), (back,))
        return random.choice(
            (SetGround((back,), Ground("mud", move_cost=2)), SetElevation((back,), -100), lamp, SetCloud(back, 0))
        )
    return drawn(random, choices)


def secret_act(random: Random, stage: Stage) -> Command:
    """What somebody hidden does in its turn, alone in its hideout."""
    unit = stage.battle.unit(stage.battle.turns.active)
    free = [at for at in HIDEOUT if not stage.battle.on(at)]
    others = [one.id for one in stage.battle.units.values() if one.is_hidden and one.id != unit.id]
    acts = [one for one in ACTS if one in stage.rules.actions]
    choices: Sequence[tuple[int, Draw]] = (
        (1, lambda: Face(unit.id, random.choice(list(Direction)))),
        (1, lambda: Ready(unit.id, random.choice(unit.gear.weapons or ("none",)))),
        (2, lambda: cmd.Move(unit.id, path(random, unit, free))),
        (1, lambda: cmd.Act(unit.id, random.choice(acts), is_free=True)),
        (1, lambda: cmd.Attack(unit.id, random.choice(others), is_free=True)),
    )
    return drawn(random, choices)


def drawn(random: Random, choices: Sequence[tuple[int, Draw]]) -> Command:
    """One of several, by their weights."""
    found = random.choices([draw for _, draw in choices], [weight for weight, _ in choices])[0]()
    assert isinstance(found, Command)
    return found


def path(random: Random, unit: Unit, free: Sequence[Square]) -> tuple[Square, ...]:
    """A few steps over free squares."""
    found = [unit.at]
    for _ in range(random.randint(1, 3)):
        steps = [at for at in map(found[-1].step, Direction) if at in free and at not in found]
        found += [random.choice(steps)] if steps else []
    return tuple(found)


class Player:
    """A battle that is played on, with everything that is made of it for some viewers."""

    def __init__(self, rules: str, viewers: tuple[str, ...]) -> None:
        self.stage, self.made = Stage.begin(rules), Published(viewers)
        for command in (*story(SET_UP), *CLEARED, *story(FIGHT)[:-2]):
            self.give(command)

    def give(self, command: Command | str) -> bool:
        """Whether it was accepted."""
        try:
            self.stage.do(command)
        except BattleboardError:
            return False
        self.made.look(self.stage)
        return True

    def end_hidden_turns(self, acts: Iterator[Command]) -> None:
        """The GM plays those who are hidden, until it is somebody's turn whom everybody knows."""
        for _ in range(30):
            if not is_hidden_turn(self.stage.battle):
                return
            if command := next(acts, None):
                self.give(command)
            self.give(cmd.EndTurn())


CLEARED = (
    Place("ben", Square(2, 2)),
    Place("cy", Square(7, 2)),
    Place("imp", Square(5, 4)),
    Place("mole", Square(4, 5)),
)
"""Takes everybody to where they belong."""


def differences_of_pair(rules: str, seed: int) -> tuple[list[object], list[str], int]:
    """What differs between a battle and the same with secrets in between.

    Returns:
        the public commands, the names of what differs, and how many secret commands were accepted.
    """
    random, viewers = Random(f"{rules} {seed}"), VIEWERS if seed % 4 else ("law",)
    bare, secret, count = Player(rules, viewers), Player(rules, viewers), 0
    given: list[object] = []
    acts = (secret_act(random, secret.stage) for _ in iter(int, 1))
    for _ in range(MOVES):
        for _ in range(random.randint(0, 2)):
            command = secret_command(random, secret.stage, viewers)
            count += secret.give(command)
            given.append(("secret", command))
        command = public_command(random, bare.stage)
        given.append(command)
        accepted = [player.give(command) for player in (bare, secret)]
        if accepted[0] != accepted[1]:
            return given, [f"accepted: {accepted}"], count
        bare.end_hidden_turns(iter(()))
        secret.end_hidden_turns(acts)
    for player in (bare, secret):
        player.made.write(player.stage, is_whole=True)
    return given, secret.made.differences(bare.made), count


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(PAIRS))
@pytest.mark.parametrize("rules", shipped_rulesets())
def test_battles_that_differ_only_in_secrets_are_alike_for_players(rules: str, seed: int) -> None:
    given, found, count = differences_of_pair(rules, seed)
    assert (found, given) == ([], given)
    assert count
