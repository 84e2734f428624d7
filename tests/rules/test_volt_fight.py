"""VOLT: a whole fight of six against six from a seed, with grenades, cover, close combat and two that fly."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fractions import Fraction

import pytest

from engine.battle.apply import apply
from engine.battle.command import Act, Attack, Move
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.unit_actions import Ready
from engine.battle.distances import distance_between
from engine.battle.moves.moves import movement_range
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from maps import parse_map
from tests.rules.table import Table, fight, ruleset
from tests.rules.transcript import Defended, Try, hold, play

VOLT = "volt"
YARD = """
format = 1
name = "The yard"
[scale]
square = 1
unit = "metres"
[map]
squares = '''
....................................
....................................
......w...........C.........w.......
......w...........C.........w.......
......w.....................w.......
...............CC...................
..........................C.........
.........C..........................
...................CC...............
......w.....................w.......
......w...........C.........w.......
......w...........C.........w.......
....................................
....................................
'''
[legend]
w = { object = "low wall", height = 1, cover = "heavy" }
C = { object = "crate", height = 1.2, cover = "medium" }
"""
PEOPLE = (
    ("hale", "Hale", "rifleman", "law", "F3", 0),
    ("quist", "Quist", "marksman", "law", "B7", 0),
    ("brandt", "Brandt", "machine-gunner", "law", "F10", 0),
    ("nils", "Nils", "grenadier", "law", "F11", 0),
    ("olsen", "Olsen", "brawler", "law", "N6", 0),
    ("kestrel", "Kestrel", "flyer", "law", "D1", 10),
    ("pike", "Pike", "gunman", "raiders", "AE3", 0),
    ("rook", "Rook", "leader", "raiders", "AE10", 0),
    ("shaw", "Shaw", "shield-bearer", "raiders", "V6", 0),
    ("tully", "Tully", "brawler", "raiders", "V10", 0),
    ("voss", "Voss", "grenadier", "raiders", "AE4", 0),
    ("drone", "Drone", "drone", "raiders", "AH13", 6),
)


def yard() -> Table:
    """The two bands on their sides of a yard, 25 m apart, with walls to shoot over and crates to go round."""
    text = YARD
    for unit_id, name, role, side, at, altitude in PEOPLE:
        text += f'[[unit]]\nid = "{unit_id}"\nname = "{name}"\nrole = "{role}"\nside = "{side}"\nat = "{at}"\n'
        text += f"altitude = {altitude}\n"
    drawn, rules = parse_map(text, "yard.toml"), ruleset(VOLT)
    return Table(rules, apply(Battle(drawn.battlefield), begin(drawn.placements, rules, "yard 7")))


def fights(table: Table) -> Generator[Try, bool, None]:
    """What the unit whose turn or part it is tries: everybody fights as their role would, and nobody is clever."""
    me = table.battle.unit(table.battle.turns.active)
    foes = sorted(_foes(table, me), key=lambda foe: (_far(table, me, foe), foe.id))
    if table.battle.turns.closing:
        yield from _joins(table, me, foes)
    elif me.role in ("brawler", "shield-bearer"):
        yield from _closes_in(table, me, foes)
    elif me.gear.weapon == "fragmentation-grenade":
        yield from _throws(table, me, foes)
    elif me.role == "machine-gunner" and me.posture == "standing":
        yield Act(me.id, "take-cover")
    else:
        yield from _shoots(table, me, foes)


def _joins(table: Table, me: Unit, foes: list[Unit]) -> Generator[Try, bool, None]:
    """What it joins to its move, now that comes after all moves."""
    if table.rules.gear.weapons[me.gear.weapon].kind == "melee":
        for foe in foes:
            if (yield from _strikes(me, foe)):
                return
        return
    best = max(_shots(table, me, foes), default=None)
    if best and best[0]:
        yield Attack(me.id, best[2], action=best[1])


def _strikes(me: Unit, foe: Unit) -> Generator[Try, bool, bool]:
    """A blow, which is answered by everybody who may."""
    if (yield Defended(Attack(me.id, foe.id), "counterattack")):
        return True
    return (yield Attack(me.id, foe.id))


def _throws(table: Table, me: Unit, foes: list[Unit]) -> Generator[Try, bool, None]:
    """A grenade at enemies in reach with no friend near; else it goes nearer, or takes its gun in hand."""
    for foe in foes:
        near = [unit for unit in _friends(table, me) if _far(table, unit, foe) <= 6]
        if not near and 6 < _far(table, me, foe) <= 24 and (yield Attack(me.id, "", square=foe.at)):
            return
    if me.gear.rounds[me.gear.weapon] and _far(table, me, foes[0]) > 24:
        yield from _walks(table, me, foes[0], "move")
    else:
        yield Ready(me.id, "submachine-gun")


def _closes_in(table: Table, me: Unit, foes: list[Unit]) -> Generator[Try, bool, None]:
    """Strikes the one beside it, or goes for the nearest on the ground."""
    for foe in [foe for foe in foes if not foe.altitude][:1]:
        if not (yield from _strikes(me, foe)):
            yield from _walks(table, me, foe, "move")


def _shoots(table: Table, me: Unit, foes: list[Unit]) -> Generator[Try, bool, None]:
    """The best shot there is; who has none worth it reloads, aims, or goes nearer."""
    best = max(_shots(table, me, foes), default=None)
    if me.role == "marksman" and "aiming" not in me.conditions and best and (yield Act(me.id, "aim", best[2])):
        return
    if best and best[0] >= Fraction(1, 3):
        _, action, foe_id = best
        if (yield Attack(me.id, foe_id, action=action)) and action == "auto":
            again = table.battle.unit(me.id)
            best = max(_shots(table, again, _foes(table, again), "auto-second"), default=None)
            if best:
                yield Attack(me.id, best[2], action="auto-second")
        return
    if not me.gear.rounds[me.gear.weapon]:
        yield Act(me.id, "reload")
    elif not (best and best[0] and "aiming" not in me.conditions and (yield Act(me.id, "aim", best[2]))):
        yield from _walks(table, me, foes[0], "half-move")


def _shots(table: Table, me: Unit, foes: list[Unit], action: str = "") -> Iterator[tuple[Fraction, str, str]]:
    """What the chances are of a shot at each of the nearest three, with as many rounds as are good for it."""
    mode, left = table.rules.gear.weapons[me.gear.weapon].fields["mode"], me.gear.rounds.get(me.gear.weapon, 0)
    for foe in foes[:3]:
        chosen = action
        if not chosen and mode == "auto" and left >= 5:
            chosen = "auto" if left >= 10 and _far(table, me, foe) < 15 else "burst"
        if not chosen:
            chosen = "fast" if mode and left >= 2 else "attack"
        chosen += "-after" if table.battle.turns.closing else ""
        shot = table.shot(action=chosen, by=me.id, at=foe.id)
        if not shot.refusal:
            yield shot.odds.hit, chosen, foe.id


def _walks(table: Table, me: Unit, foe: Unit, action: str) -> Generator[Try, bool, None]:
    """To the square in reach that is nearest to somebody."""
    try:
        offered = movement_range(table.battle, table.rules, me, action)
    except BattleboardError:
        return
    squares = {square for reach in offered.reaches for square in reach.costs} - {me.at}
    goal = min(squares, key=lambda square: (_apart(square, foe.at), square), default=None)
    if goal is not None and _apart(goal, foe.at) < _apart(me.at, foe.at):
        yield Move(me.id, offered.path(goal), action)


def _apart(one: Square, other: Square) -> int:
    return (one.column - other.column) ** 2 + (one.row - other.row) ** 2


def _foes(table: Table, me: Unit) -> list[Unit]:
    return [unit for unit in table.battle.units.values() if unit.is_enemy_of(me) and not unit.is_defeated]


def _friends(table: Table, me: Unit) -> list[Unit]:
    return [unit for unit in table.battle.units.values() if unit.side == me.side and not unit.is_defeated]


def _far(table: Table, one: Unit, other: Unit) -> float:
    return float(distance_between(table.battle.field, table.rules, one, other))


def test_a_whole_fight_reads_as_it_should(request: pytest.FixtureRequest) -> None:
    declared = {"olsen": "move", "shaw": "move", "tully": "move", "brandt": "take-cover"}
    hold(play(yard(), fights, rounds=12, begins=RollInitiative(declared)), VOLT, request)


def test_a_short_fight_with_positions_waiting_pointing_and_counterattacks_reads_as_it_should(
    request: pytest.FixtureRequest,
) -> None:
    """Ann points her gun and waits; Ben takes a firing position behind a wall; Dov strikes Cay, who answers."""
    rows = ("a.....wb", "........", ".c......", ".d......")
    wall = '[legend]\n"w" = { object = "low wall", height = 1.0, cover = "heavy" }'
    roles = {"a": "gunman", "b": "rifleman", "c": "brawler", "d": "brawler"}
    table = fight(VOLT, *rows, allies="c", toml=wall, is_begun=False, **roles)

    def short(table: Table) -> Generator[Try, bool, None]:
        """Each does its part in the order in which the rules let it."""
        me, done = table.battle.turns.active, table.battle.turns.round
        if me == "a":
            yield Act("a", "direct", "b") if done == 1 else Act("a", "wait") if done == 3 else Attack("a", "b")
            if table.battle.openings and (yield Attack("b", "a")):
                yield Attack("a", "b")
        elif me == "b":
            yield Act("b", "firing-position") if done == 1 else Act("b", "poise")
        elif me == "c":
            yield Act("c", "poise") if done == 2 else Defended(Attack("c", "d"), "counterattack")
        else:
            yield Defended(Attack("d", "c"), "counterattack")

    lines = play(table, short, rounds=3)
    text = "\n".join(lines)
    for said in ("is in a firing position", "Point the weapon", "Wait", "Counterattack"):
        assert said in text, said
    hold(lines, "volt-short", request)
