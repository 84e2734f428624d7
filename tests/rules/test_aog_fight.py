"""Ashes of Gaia: a whole fight of six against six from a seed, its log held as a text."""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction

import pytest

from engine.battle import command as cmd
from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import consider
from engine.battle.commands.other_actions import declarable
from engine.battle.commands.unit_actions import Ready
from engine.battle.distances import distance_between, is_adjacent
from engine.battle.moves.moves import movement_range
from engine.battle.state.units import Unit
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from tests.rules.table import Table, fight
from tests.rules.transcript import Defended, Try, hold, play

YARD = (
    "..............................",
    "..g.....o............o...m....",
    "...co......==.......o....h....",
    ".a..........=....o............",
    ".........o..........o..i......",
    ".b.....o.......##.............",
    "....o.........o.........ojk...",
    ".e.d.......o.........o........",
    "........==........o....l......",
    "...........=..................",
)
"""Sixty metres by twenty: crates and barricades, a stub of wall, a cloud of smoke in the middle."""

TOML = """
[legend]
"o" = "crate"
"=" = "barricade"
[smoke]
rows = '''
..............................
..............................
..............................
..............1...............
.............121..............
..............1...............
..............................
..............................
..............................
..............................
'''
"""

GOOD, FAIR, POOR = Fraction(45, 100), Fraction(25, 100), Fraction(15, 100)
CLEAR_OF_FRIENDS = 10
"""Metres that a grenade is thrown away from friends and oneself."""

Choice = Generator[cmd.Command, bool, None]


def chosen(table: Table) -> Choice:
    """What a plain fighter does: stand up and clear its weapon, throw, shoot or strike, and else come nearer."""
    for _ in range(10):
        unit = table.unit(table.battle.turns.active)
        if unit.is_defeated or (
            not unit.turn.budget["action"] and not unit.turn.stride and not _is_in_the_middle(unit)
        ):
            return
        choices = _upkeep, _grenade, _suppression, _closing_in, _blow, _shot, _way, _watch
        for choice in choices:
            wish = choice(table, unit)
            if wish is not None and (yield _answered(table, wish)):
                break
        else:
            return
        for opening in table.battle.openings:
            yield _answered(table, cmd.Attack(opening.unit, opening.against, action=opening.attack))


def _answered(table: Table, wish: cmd.Command) -> Try:
    """The wish; an attack with what its target does against it: leaders strike back, others parry or dodge."""
    if not isinstance(wish, cmd.Attack):
        return wish
    attacker, target = table.unit(wish.unit), table.unit(wish.target)
    if table.rules.gear.weapons[attacker.gear.weapon].fields["fragmentation"]:
        return wish
    is_blow = table.rules.gear.weapons[attacker.gear.weapon].kind == "melee"
    if not target.turn.budget["reaction"] or {"watching", "stunned"} & set(target.conditions):
        return wish
    has_blade = table.rules.gear.weapons[target.gear.weapon].kind == "melee"
    defence = "dodge" if not is_blow else "counter" if target.role == "leader" else "parry" if has_blade else "dodge"
    return Defended(wish, defence)


def _is_in_the_middle(unit: Unit) -> bool:
    """Whether it has begun several attacks, or charged, and may go on for nothing."""
    return any(unit.turn.budget[left] for left in ("semi_shots", "auto_shots", "fast_blows", "focused_blows")) or (
        "charging" in unit.conditions
    )


def _upkeep(table: Table, unit: Unit) -> cmd.Command | None:
    if unit.about.get("jammed") == unit.gear.weapon:
        return cmd.Act(unit.id, "unjam")
    if "pinned" in unit.conditions and unit.posture != "prone":
        return cmd.Act(unit.id, "go-prone")
    if unit.posture == "prone" and "pinned" not in unit.conditions:
        return cmd.Act(unit.id, "get-up")
    if unit.gear.rounds.get(unit.gear.weapon) == 0:
        if unit.gear.weapon == "frag-grenade":
            return Ready(unit.id, unit.gear.weapons[1])
        return cmd.Act(unit.id, "reload")
    return None


def _grenade(table: Table, unit: Unit) -> cmd.Command | None:
    """A throw at the foe with most others around it, far enough from friends."""
    if unit.gear.weapon != "frag-grenade":
        return None
    if any(_far(table, foe, unit) <= 8 for foe in _foes(table, unit)):
        return Ready(unit.id, unit.gear.weapons[1])  # too near for it
    foes = [
        foe
        for foe in _foes(table, unit)
        if all(_far(table, foe, friend) >= CLEAR_OF_FRIENDS for friend in (unit, *_friends(table, unit)))
    ]
    wishes = [cmd.Attack(unit.id, foe.id) for foe in foes]
    wishes = [wish for wish in wishes if _chance(table, wish) >= POOR]
    return max(wishes, key=lambda wish: _crowd(table, table.unit(wish.target)), default=None)


def _suppression(table: Table, unit: Unit) -> cmd.Command | None:
    """A machine gun keeps two or more of them down, every other round."""
    if unit.role != "machine-gunner" or table.battle.turns.round % 2 == 0 or unit.turn.budget["action"] < 2:
        return None
    wishes = [cmd.Attack(unit.id, foe.id, action="suppress-auto") for foe in _foes(table, unit)]
    caught = {wish: _caught(table, wish) for wish in wishes}
    found = max(wishes, key=lambda wish: caught[wish], default=None)
    return found if found is not None and caught[found] >= 2 and _chance(table, found) >= FAIR else None


def _caught(table: Table, wish: cmd.Attack) -> int:
    """How many foes an attack on an area would catch; 0 with a friend among them."""
    try:
        caught = consider(table.battle, table.rules, wish).caught or ()
    except BattleboardError:
        return 0
    unit = table.unit(wish.unit)
    return 0 if any(other.side == unit.side for other in caught) else len(caught)


def _closing_in(table: Table, unit: Unit) -> cmd.Command | None:
    """A step inside the longer weapon of whoever stands next to it."""
    near = [foe for foe in _foes(table, unit) if is_adjacent(table.battle.field, unit, foe)]
    held = table.rules.gear.weapons[unit.gear.weapon]
    if held.kind != "melee" or unit.turn.budget["action"] < 2 or unit.turn.attacks:
        return None
    for foe in near:
        other = table.rules.gear.weapons[foe.gear.weapon]
        if other.kind == "melee" and int(held.fields["reach"]) < int(other.fields["reach"]):
            return None if unit.about.get("inside") == foe.id else cmd.Act(unit.id, "close-in", foe.id)
    return None


def _watch(table: Table, unit: Unit) -> cmd.Command | None:
    """Overwatch, where nothing better is to be done with a gun and two actions."""
    if table.rules.gear.weapons[unit.gear.weapon].kind == "ranged" and unit.turn.budget["action"] == 2:
        attacks = declarable(table.rules, unit, table.rules.actions["overwatch"])
        return cmd.Act(unit.id, "overwatch", attack=attacks[-1].id) if attacks else None
    return None


def _crowd(table: Table, middle: Unit) -> int:
    return sum(_far(table, middle, other) <= 10 for other in _friends(table, middle))


def _blow(table: Table, unit: Unit) -> cmd.Command | None:
    """Blows at whoever stands next to it: at the end of a charge, else three fast ones, or two with more weight."""
    if table.rules.gear.weapons[unit.gear.weapon].kind != "melee":
        near = [foe for foe in _foes(table, unit) if is_adjacent(table.battle.field, unit, foe)]
        blade = next((held for held in unit.gear.weapons if table.rules.gear.weapons[held].kind == "melee"), "")
        if (
            near
            and blade
            and unit.turn.budget["action"] == 2
            and table.rules.gear.weapons[unit.gear.weapon].fields["hands"] == 2
        ):
            return Ready(unit.id, blade)
        return None
    near = [foe for foe in _foes(table, unit) if is_adjacent(table.battle.field, unit, foe)]
    for foe in near:
        order = ("charge-attack", "focused", "strong", "fast") if foe.pools["hp"] > 4 else ("charge-attack", "fast")
        for action in order:
            wish = cmd.Attack(unit.id, foe.id, action=action)
            if _chance(table, wish):
                return wish
    return None


def _shot(table: Table, unit: Unit) -> cmd.Command | None:
    """The likeliest shot: in bursts when it is good, with care past friends, aimed first when it is poor."""
    weapon = table.rules.gear.weapons[unit.gear.weapon]
    if weapon.kind != "ranged":
        return None
    for action in (unit.turn.budget["semi_shots"] and "semi", unit.turn.budget["auto_shots"] and "auto"):
        if action:
            return _best(table, unit, (action,), Fraction(1, 20))
    usual = tuple(each.id for each in attack_actions(table.rules, weapon) if each.id in ("auto", "semi", "single"))
    found = _best(table, unit, tuple(reversed(usual)), GOOD) or _best(table, unit, usual, FAIR)
    if (
        found is None
        and not unit.turn.moved
        and "aiming_long" not in unit.conditions
        and _best(table, unit, usual, POOR)
    ):
        return cmd.Act(unit.id, "aim")
    return found


def _best(table: Table, unit: Unit, actions: tuple[str, ...], least: Fraction | int) -> cmd.Attack | None:
    for action in actions:
        near = sorted(_foes(table, unit), key=lambda foe: _far(table, unit, foe))[:4]
        wishes = [cmd.Attack(unit.id, foe.id, action=action) for foe in near]
        found = max(wishes, key=lambda wish: _chance(table, wish), default=None)
        if found is not None and _chance(table, found) > 0 and _chance(table, found) >= least:
            target = table.unit(found.target)
            is_melee = any(is_adjacent(table.battle.field, friend, target) for friend in _friends(table, unit))
            return cmd.Attack(unit.id, found.target, action="careful") if is_melee else found
    return None


def _way(table: Table, unit: Unit) -> cmd.Command | None:
    """Nearer to the nearest foe: a charge or a run for those who fight hand to hand, else a move."""
    foes = sorted(_foes(table, unit), key=lambda foe: _far(table, unit, foe))
    if not foes:
        return None
    is_fighter = table.rules.gear.weapons[unit.gear.weapon].kind == "melee"
    is_far = _far(table, unit, foes[0]) > 24 and unit.turn.budget["action"] == 2 and not unit.altitude
    is_thrower = table.rules.gear.weapons[unit.gear.weapon].kind == "thrown"
    far_ways = ("run",) if is_thrower else ("tactical-advance",)
    for action in ("charge", "run", "move") if is_fighter else far_ways if is_far else ("move",):
        goal = _nearest(table, unit, foes[0], action, 1 if is_fighter else 7)
        if goal is not None:
            return goal
    return None


def _nearest(table: Table, unit: Unit, foe: Unit, action: str, keeps: int) -> cmd.Command | None:
    try:
        ways = movement_range(table.battle, table.rules, unit, action)
    except BattleboardError:
        return None
    squares = {square for reached in ways.reaches for square in reached.costs} - {
        square for other in table.battle.units.values() if other.id != unit.id for square in other.squares
    }

    def off(square: Square) -> tuple[int, int, int]:
        far = max(abs(square.column - foe.at.column), abs(square.row - foe.at.row))
        return abs(far - keeps), square.row, square.column

    goal = min(squares, key=off, default=unit.at)
    is_there = max(abs(goal.column - foe.at.column), abs(goal.row - foe.at.row)) == 1
    if goal == unit.at or off(goal)[0] >= off(unit.at)[0] or (action == "charge" and not is_there):
        return None
    return cmd.Move(unit.id, ways.path(goal), action)


def _chance(table: Table, wish: cmd.Attack) -> Fraction:
    try:
        shot = consider(table.battle, table.rules, wish)
    except BattleboardError:
        return Fraction(0)
    return Fraction(0) if shot.refusal else shot.odds.hit


def _foes(table: Table, unit: Unit) -> list[Unit]:
    return [other for other in table.battle.units.values() if unit.is_enemy_of(other) and not other.is_defeated]


def _friends(table: Table, unit: Unit) -> list[Unit]:
    return [
        other
        for other in table.battle.units.values()
        if other.side == unit.side and other.id != unit.id and not other.is_defeated
    ]


def _far(table: Table, one: Unit, other: Unit) -> int | Fraction:
    return distance_between(table.battle.field, table.rules, one, other)


@pytest.mark.slow
def test_all_1_to_5_a_fight_of_six_against_six(request: pytest.FixtureRequest) -> None:
    """ALL-1, 2, 4, 5: every role fights, with grenades, cover, smoke, blades and one in the air."""
    table = fight(
        "aog",
        *YARD,
        toml=TOML,
        allies="bcdeg",
        altitudes={"g": 4, "m": 4},
        is_begun=False,
        a="leader",
        b="rifleman",
        c="grenadier",
        d="brawler",
        e="shield-bearer",
        g="flyer",
        h="leader",
        i="machine-gunner",
        j="grenadier",
        k="brawler",
        l="marksman",
        m="drone",
    )
    hold(play(table, chosen, rounds=9), "aog", request)
