"""A whole fight of six against six: grenades, cover, melee, suppression, overwatch, two that fly; its log is kept."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest

from engine.battle import command as cmd
from engine.battle.attacks.attack_preview import consider
from engine.battle.commands.unit_actions import Ready
from engine.battle.moves.moves import movement_range
from engine.battle.state.units import Unit
from engine.errors import Illegal
from engine.geometry.squares import Square
from tests.rules.table import Table, fight
from tests.rules.transcript import Defended, Try, hold, play

YARD = (
    "......................h.",
    "a.......##..............",
    "......o.##...o..........",
    ".....c.......o.....g....",
    "...........w............",
    ".d.........w...o......i.",
    "......o........o.....j..",
    "....e.......###.........",
    ".b....o.....#.....k.....",
    "..........o.......o...l.",
    "......f.................",
)
LEGEND = """[legend]
"o" = { object = "crates", height = 1.2, cover = "light" }
"w" = { object = "wall", height = 1.1, cover = "heavy" }
"""
HEIGHT = 1500
"""How high the flyer and the drone go, in hundredths of a metre."""
BLAST = 3
"""Metres from where a grenade bursts; thrown where no friend is near."""
BLADES = ("sword", "club", "knife")

Tries = Generator[Try, bool, bool]


def yard() -> Table:
    """Law with a deflector and a flyer against outlaws with a shield and a drone."""
    return fight(
        "eva", *YARD, toml=LEGEND, allies="bcdef", is_begun=False,
        a="rifleman", b="machine-gunner", c="grenadier", d="brawler", e="leader", f="flyer",
        g="rifleman", h="marksman", i="grenadier", j="brawler", k="shield-bearer", l="drone",
    )  # fmt: skip


def squares_apart(one: Unit, other: Unit) -> int:
    return max(abs(one.at.column - other.at.column), abs(one.at.row - other.at.row))


def foes(table: Table, unit: Unit) -> list[Unit]:
    """Enemies in the fight, the nearest first."""
    found = [other for other in table.battle.units.values() if unit.is_enemy_of(other) and not other.is_defeated]
    return sorted(found, key=lambda other: (squares_apart(unit, other), other.id))


def evasion(table: Table, wish: cmd.Attack) -> str:
    """What the target does against it: it deflects, parries with a blade in hand, or dodges where it has learnt to."""
    target, rules = table.unit(wish.target), table.rules
    stats, weapon = (
        rules.units.sheets[target.role].stats,
        rules.gear.weapons[wish.weapon or table.unit(wish.unit).gear.weapon],
    )
    if weapon.fields["blast"]:
        return ""
    if target.pools["deflector"]:
        return "deflect"
    if not target.turn.budget["reaction"]:
        return ""
    if weapon.kind == "melee" and target.gear.weapon in BLADES:
        may_counter = stats["counter_attack"] and "countered" not in target.conditions
        return "parry-and-counter" if may_counter else "parry"
    return "dodge" if stats["dodge_trained"] else ""


def attack(table: Table, wish: cmd.Attack) -> Tries:
    """An attack against which the target does what it can."""
    answer = evasion(table, wish)
    if answer and (yield Defended(wish, answer)):
        return True
    return (yield wish)


def expected(table: Table, wish: cmd.Attack) -> float:
    """Hits that an attack makes in a hundred such; 0 for one that may not be made."""
    try:
        shot = consider(table.battle, table.rules, wish)
    except Illegal:
        return 0
    if shot.refusal:
        return 0
    mark, meant = int(shot.ledger.target_number), int(shot.situation.action.flags.get("hits", 1) or 1)
    return sum(min(meant, 1 + mark // 10 - roll // 10) for roll in range(1, min(95, mark) + 1))


def answers(table: Table) -> Tries:
    """Whoever has the right to strike now does so."""
    was_used = False
    for opening in table.battle.openings:
        was_used = (yield from attack(table, cmd.Attack(opening.unit, opening.against, action="standard"))) or was_used
    return was_used


def walk(table: Table, unit: Unit, goals: Iterator[Square], action: str = "") -> Tries:
    """A move to the first of these squares that it leads to, with what it draws on the way."""
    try:
        reached = movement_range(table.battle, table.rules, unit, action)
    except Illegal:
        return False
    for goal in goals:
        if goal != unit.at and reached.stride_to(goal) is not None:
            path = reached.path(goal)
            if not (yield cmd.Move(unit.id, path, action)):
                return False
            yield from answers(table)
            here = table.unit(unit.id)
            if not here.is_defeated and here.at in path[:-1] and here.at != path[-1]:
                yield cmd.Move(unit.id, path[path.index(here.at) :], action)
            return True
    return False


def nearer(table: Table, unit: Unit, goal: Unit) -> Iterator[Square]:
    """Squares from which the goal is nearer than now, the nearest first."""
    field = table.battle.field
    here = squares_apart(unit, goal)
    squares = [Square(column, row) for row in range(field.rows) for column in range(field.columns)]
    apart = {at: max(abs(at.column - goal.at.column), abs(at.row - goal.at.row)) for at in squares}
    yield from sorted((at for at in squares if 0 < apart[at] < here), key=lambda at: (apart[at], at.row, at.column))


def close_in(table: Table, unit: Unit, foe: Unit) -> Tries:
    """A charge, else nearer."""
    beside = (
        at for at in nearer(table, unit, foe) if max(abs(at.column - foe.at.column), abs(at.row - foe.at.row)) == 1
    )
    if foe.altitude == 0 and (yield from walk(table, unit, beside, "charge")):
        act = "charge-attack" if unit.role == "brawler" else ""
        if act:
            return (yield from attack(table, cmd.Attack(unit.id, foe.id, action=act)))
        return (yield cmd.Act(unit.id, "charge-knock-down", foe.id))
    return (yield from walk(table, unit, nearer(table, unit, foe), "full-move"))


def melee(table: Table, unit: Unit, foe: Unit) -> Tries:
    """Blade in hand, and blows."""
    if table.rules.gear.weapons[unit.gear.weapon].kind != "melee" if unit.gear.weapon else True:
        for blade in (*BLADES, "unarmed"):
            if blade in unit.gear.weapons and (yield Ready(unit.id, blade)):
                break
    if unit.role == "shield-bearer" and foe.posture == "standing" and (yield cmd.Act(unit.id, "knock-down", foe.id)):
        return True
    if unit.role == "brawler" and table.battle.turns.round % 4 == 0 and "grappling" not in unit.conditions:
        yield from attack(table, cmd.Attack(unit.id, foe.id, action="grapple"))
    unit = table.unit(unit.id)
    if "grappling" in unit.conditions:
        return (yield cmd.Act(unit.id, "grapple-damage", unit.about["grappling"]))
    if unit.role == "brawler" and table.battle.turns.round % 3 == 0 and (yield cmd.Act(unit.id, "feint", foe.id)):
        return (yield from attack(table, cmd.Attack(unit.id, foe.id)))
    for action in ("flurry-2", "standard"):
        if (yield from attack(table, cmd.Attack(unit.id, foe.id, action=action))):
            return True
    return False


def shoot(table: Table, unit: Unit, enemies: list[Unit]) -> Tries:
    """Bursts and aimed shots; suppression by the machine gun, grenades by the grenadiers."""
    if unit.gear.weapon == "frag-grenade":
        friends = [other for other in table.battle.units.values() if other.side == unit.side and not other.is_defeated]
        for foe in enemies:
            is_safe = all(squares_apart(foe, friend) > BLAST + 1 for friend in friends)
            if is_safe and foe.altitude == 0 and (yield from attack(table, cmd.Attack(unit.id, foe.id))):
                return True
        if not (unit := table.unit(unit.id)).gear.rounds["frag-grenade"] or table.battle.turns.round % 2 == 0:
            yield Ready(unit.id, "submachine-gun")
    unit = table.unit(unit.id)
    if unit.gear.weapon == "machine-gun":
        yield cmd.Act(unit.id, "brace")
        if table.battle.turns.round % 2 == 0:
            for foe in enemies:
                wish = cmd.Attack(unit.id, foe.id, action="suppress-auto")
                caught = consider(table.battle, table.rules, wish).caught or ()
                if all(unit.is_enemy_of(other) for other in caught) and (yield wish):
                    return True
    if unit.role in ("marksman", "rifleman"):
        yield cmd.Act(unit.id, "aim")
    wishes = [cmd.Attack(unit.id, foe.id, action=action) for foe in enemies[:2] for action in _bursts(table, unit)]
    best = max(wishes, key=lambda wish: expected(table, wish), default=None)
    return (yield from attack(table, best)) if best else False


def _bursts(table: Table, unit: Unit) -> list[str]:
    """Attacks with the weapon in hand: a single shot, and bursts of some lengths."""
    weapon = table.rules.gear.weapons.get(unit.gear.weapon)
    most = int(weapon.fields["hits"]) if weapon and weapon.kind == "ranged" else 0
    return ["standard", *(f"burst-{number}" for number in (2, 4, 6) if number <= most)]


def policy(table: Table) -> Generator[cmd.Command, bool, None]:
    """What each role is good at, in a simple order of preference."""
    unit = table.unit(table.battle.turns.active)
    if unit.role in ("flyer", "drone") and unit.altitude == 0:
        yield cmd.Move(unit.id, (unit.at,), "half-move", altitude=HEIGHT)
    if unit.posture == "prone":
        yield cmd.Act(unit.id, "stand")
    if "grappled" in unit.conditions:
        yield cmd.Act(unit.id, "break-free", unit.about["grappled"])
    if "jammed" in unit.conditions and (yield cmd.Act(unit.id, "clear")):
        return
    if not unit.gear.weapon and not (yield cmd.Act(unit.id, "pick-up")):
        yield Ready(unit.id, unit.gear.weapons[0])
    unit = table.unit(unit.id)
    if unit.gear.weapon in unit.gear.rounds and not unit.gear.rounds[unit.gear.weapon]:
        yield cmd.Act(unit.id, "reload")
    if table.battle.turns.round == 1 and unit.id == "g" and (yield cmd.Act(unit.id, "overwatch", attack="standard")):
        return
    unit = table.unit(unit.id)
    enemies = foes(table, unit)
    beside = [foe for foe in enemies if squares_apart(unit, foe) == 1 and foe.altitude == unit.altitude]
    if beside and unit.altitude == 0 and (yield from melee(table, unit, beside[0])):
        return
    if unit.role in ("brawler", "shield-bearer"):
        grounded = [foe for foe in enemies if foe.altitude == 0]
        if grounded and (yield from close_in(table, unit, grounded[0])):
            return
    if (yield from shoot(table, unit, enemies)):
        return
    yield from walk(table, table.unit(unit.id), nearer(table, unit, enemies[0]), "half-move")
    yield from shoot(table, table.unit(unit.id), foes(table, unit))


@pytest.mark.slow
def test_six_against_six(request: pytest.FixtureRequest) -> None:
    """EVA: a fight to the end from a seed; the log reads as a player of the system would tell it."""
    hold(play(yard(), policy, rounds=8), "eva", request)
