"""Aftermath: what the last command did, for the board: paths, lines of fire, losses, where a blast went off.

A function of the battle before the command and of its events, so that it is the same after reopening and in a replay.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence

from engine.battle.apply import apply
from engine.battle.attacks.attack_preview import situation_and_ledger
from engine.battle.attacks.blast_rings import Ring, burst, rings_of
from engine.battle.attacks.effect_analysis import harmful_pools, vital_pools
from engine.battle.command import Attack
from engine.battle.events import (
    AttackRolled,
    AttackTurned,
    BarrierChanged,
    BurstLanded,
    ConditionBegan,
    CoverWorn,
    EdgesSet,
    Event,
    GroundSet,
    PoolChanged,
    UnitFell,
    UnitMoved,
    UnitPushed,
)
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.views.attack_outcomes import DEFENDED, HIT, MISS, NO_DAMAGE, AttackOutcome, attack_outcomes
from engine.errors import BattleboardError
from engine.geometry.blast.scatter_path import OFF_MAP
from engine.geometry.squares import Edge, Square
from engine.geometry.straight_lines import straight_path
from engine.rules.model import Ruleset
from engine.values import Stored, replace

HEALED, UNHURT, STRUCK, AFFECTED, FELL = "healed", "unhurt", "struck", "affected", "fell"


class Walk(Stored, frozen=True):
    """The squares that a unit left behind as it moved."""

    unit: str
    squares: tuple[Square, ...]


class Shot(Stored, frozen=True):
    """A line of fire of the last command."""

    attacker: str
    target: str
    squares: tuple[Square, ...]
    """From the attacker to the target, both included."""
    is_hit: bool
    is_melee: bool = False
    """Whether it was a blow, which ends at the target."""
    reaction: str = ""
    """Label of the reaction that it was, such as overwatch; "" for none."""


class Mark(Stored, frozen=True):
    """What happened to a unit: HIT with its loss, MISS, DEFENDED with the grade's label, HEALED with its gain, UNHURT
    where armour or cover stopped all, STRUCK by a hit that cost it nothing vital, AFFECTED with the label of a
    condition alone where it was caught in an area or a cone, or FELL with the hundredths."""

    unit: str
    at: Square
    size: int
    kind: str
    amount: int = 0
    is_critical: bool = False
    """Whether a critical hit did it."""
    label: str = ""
    """How a defence stopped the attack, or the condition that AFFECTED it; "" for nothing."""
    is_open: bool = False
    """Whether dice that are still to be thrown may change it."""


class Aftermath(Stored, frozen=True):
    """What a command did."""

    walks: tuple[Walk, ...] = ()
    shots: tuple[Shot, ...] = ()
    marks: tuple[Mark, ...] = ()
    thrower: str = ""
    """Id of the unit whose throw or blast it was; "" for none."""
    aimed: Square | None = None
    """Where a throw was aimed, if it came down elsewhere, or has not come down yet."""
    landed: Square | None = None
    """Where a blast went off, or what was thrown came down."""
    rings: tuple[tuple[Square, ...], ...] = ()
    """The squares of a blast, the innermost ring first."""
    edges: tuple[Edge, ...] = ()
    """Doors that were opened or closed, and what was damaged or destroyed on an edge."""
    wrecks: tuple[Square, ...] = ()
    """Squares on which something was damaged or destroyed."""

    @property
    def changed(self) -> frozenset[str]:
        """Ids of the units that it did something to."""
        return frozenset(mark.unit for mark in self.marks)

    @property
    def trail(self) -> tuple[Square, ...]:
        """Squares that units left behind as they moved."""
        return tuple(dict.fromkeys(square for walk in self.walks for square in walk.squares))

    def seen_by(self, own: Collection[str], known: Collection[str], squares: Container[Square]) -> Aftermath:
        """The part of it that a side knows of.

        A line needs both its ends: a target whose attacker is not known has its mark alone, and of an own attack on
        somebody who is out of sight there is the result alone. Conditions it knows of its own units only.

        Args:
            own: ids of the side's own units, whose walks it knows whole.
            known: ids of all units that it sees, its own among them.
            squares: the squares that it sees.
        """
        walks = (
            walk if walk.unit in own else Walk(walk.unit, tuple(there for there in walk.squares if there in squares))
            for walk in self.walks
            if walk.unit in known
        )
        rings = tuple(tuple(square for square in ring if square in squares) for ring in self.rings)
        return Aftermath(
            walks=tuple(walk for walk in walks if walk.squares),
            shots=tuple(
                shot if shot.target in known else replace(shot, target="", squares=())
                for shot in self.shots
                if shot.attacker in own or (shot.attacker in known and shot.target in known)
            ),
            marks=tuple(
                mark for mark in self.marks if mark.unit in known and (mark.kind != AFFECTED or mark.unit in own)
            ),
            thrower=self.thrower if self.thrower in known else "",
            aimed=self.aimed if self.thrower in known and self.aimed in squares else None,
            landed=self.landed if self.landed in squares else None,
            rings=rings if any(rings) else (),
            edges=tuple(edge for edge in self.edges if any(square in squares for square in edge.squares)),
            wrecks=tuple(square for square in self.wrecks if square in squares),
        )

    @property
    def is_empty(self) -> bool:
        return self == Aftermath()


NOTHING_DONE = Aftermath()
UNDECIDED = (UNHURT, STRUCK)
"""Marks of a hit whose damage is not thrown yet."""


def aftermath(before: Battle, events: Sequence[Event], rules: Ruleset) -> Aftermath:
    """What a command did.

    Args:
        before: the battle before it.
        events: of the command, in order.
        rules: the ruleset.
    """
    battle, vital, named = before, vital_pools(rules), harmful_pools(rules)
    walks: list[Walk] = []
    edges: list[Edge] = []
    wrecks: list[Square] = []
    thrower = ""
    shots: dict[tuple[str, str], Shot] = {}
    losses: dict[str, int] = {}
    wounds: dict[str, int] = {}
    """What pools lost that count wounds by name, such as Injuries: shown where nothing else was lost."""
    falls: dict[str, int] = {}
    began: dict[str, str] = {}
    """The label of the first condition that began on each unit."""
    aimed = landed = None
    rings: tuple[Ring, ...] = ()
    thrown: tuple[Battle, AttackRolled] | None = None
    for event in events:
        match event:
            case UnitMoved() | UnitPushed():
                walks.append(Walk(event.unit, event.path[:-1]))
            case UnitFell():
                falls[event.unit] = event.drop
            case AttackRolled():
                attacker, target = battle.units.get(event.unit), battle.units.get(event.target)
                aimed = event.square or (target.at if target else None)
                if event.square is None and attacker and target:
                    path = straight_path(attacker.at, target.at)
                    reaction = _reaction(battle, event, rules)
                    shots[attacker.id, target.id] = Shot(
                        attacker.id, target.id, path, event.is_hit, _is_melee(event, rules), reaction
                    )
                thrown = battle, event
            case AttackTurned() if event.target in battle.units and event.grade:
                is_hit = next((grade.is_hit for grade in rules.attack.grades if grade.id == event.grade), False)
                if (held := shots.get((event.unit, event.target))) is not None:
                    shots[event.unit, event.target] = replace(held, is_hit=is_hit)
            case ConditionBegan():
                began.setdefault(event.unit, event.label)
            case BurstLanded():
                landed, thrower = event.at, thrown[1].unit if thrown else ""
                rings = _rings(*thrown, rules) if thrown and event.stopped_by != OFF_MAP else ()
                shots = {}
            case BarrierChanged():
                edges.append(event.edge)
            case EdgesSet() if event.barrier is None:
                edges += event.edges
            case CoverWorn() if event.edge is not None:
                edges.append(event.edge)
            case CoverWorn():
                wrecks.append(event.square)
            case GroundSet() if event.because:
                wrecks += event.squares
            case PoolChanged() if event.pool in vital:
                lost = wounds if event.pool in named else losses
                lost[event.unit] = lost.get(event.unit, 0) + event.before - event.after
        battle = apply(battle, event)
    marks = tuple(_marks(battle, attack_outcomes(events, rules), {**wounds, **losses}, falls, began))
    return Aftermath(
        tuple(walk for walk in walks if walk.squares),
        tuple(shots.values()),
        marks,
        thrower,
        aimed if landed is not None and aimed != landed else None,
        landed,
        _blast(battle, rules, landed, rings),
        tuple(dict.fromkeys(edges)),
        tuple(dict.fromkeys(wrecks)),
    )


def aftermath_so_far(before: Battle, events: Sequence[Event], rules: Ruleset) -> Aftermath:
    """What is known of a command while its dice are thrown: the marks on units are open, those of bare hits wait, and
    what was thrown at a square is aimed there until it comes down.

    Arguments as for `aftermath`; the events are those so far.
    """
    found = aftermath(before, events, rules)
    marks = (replace(mark, is_open=True) for mark in found.marks if mark.kind not in UNDECIDED)
    thrown = next((event.square for event in reversed(events) if isinstance(event, AttackRolled)), None)
    return replace(found, marks=tuple(marks), aimed=found.aimed if found.landed else thrown)


def together(parts: Sequence[Aftermath], units: Mapping[str, Unit]) -> Aftermath:
    """What several commands did in all: all paths and lines, the last blast, and what each unit lost in all.

    Args:
        parts: what each did, in order.
        units: the units that are known after them, by id: marks stand where they are then.
    """
    if len(parts) == 1:
        return parts[0]
    lost: dict[str, int] = {}
    kinds: dict[str, str] = {}
    marks = [mark for part in parts for mark in part.marks]
    labels = {(mark.unit, mark.kind): mark.label for mark in marks if mark.label}
    for mark in marks:
        if mark.kind == FELL:
            continue
        if mark.kind in (HIT, HEALED):
            lost[mark.unit] = lost.get(mark.unit, 0) + (mark.amount if mark.kind == HIT else -mark.amount)
        is_kept = mark.kind in (MISS, DEFENDED, UNHURT, STRUCK, AFFECTED)
        kinds[mark.unit] = mark.kind if is_kept else kinds.get(mark.unit, MISS)
    summed = []
    for unit, kind in kinds.items():
        if unit in units:
            amount = lost.get(unit, 0)
            kind = HIT if amount > 0 else HEALED if amount < 0 else kind
            label = labels.get((unit, kind), "")
            summed.append(Mark(unit, units[unit].at, units[unit].size, kind, abs(amount), label=label))
    falls = {mark.unit: mark for mark in marks if mark.kind == FELL and mark.unit in units}
    summed += [replace(mark, at=units[mark.unit].at) for mark in falls.values()]
    blast = next((part for part in reversed(parts) if part.landed), NOTHING_DONE)
    return Aftermath(
        walks=tuple(walk for part in parts for walk in part.walks),
        shots=tuple(dict.fromkeys(shot for part in parts for shot in part.shots)),
        marks=tuple(summed),
        thrower=blast.thrower,
        aimed=blast.aimed,
        landed=blast.landed,
        rings=blast.rings,
        edges=tuple(dict.fromkeys(edge for part in parts for edge in part.edges)),
        wrecks=tuple(dict.fromkeys(square for part in parts for square in part.wrecks)),
    )


def _is_melee(rolled: AttackRolled, rules: Ruleset) -> bool:
    """Whether an attack was made in close combat."""
    action, weapon = rules.actions.get(rolled.action), rules.gear.weapons.get(rolled.weapon)
    kind = action.used_as if action is not None else ""
    return (kind or (weapon.kind if weapon is not None else "")) == "melee"


def _reaction(battle: Battle, rolled: AttackRolled, rules: Ruleset) -> str:
    """Short label of the reaction that an attack is made as; "" for none."""
    opening = battle.opening(rolled.unit, rolled.target, rolled.action)
    if opening is None:
        return ""
    return next((known.short or known.label for known in rules.turns.reactions if known.id == opening.reaction), "")


def _rings(battle: Battle, rolled: AttackRolled, rules: Ruleset) -> tuple[Ring, ...]:
    """The rings of the blast that an attack makes; none for another."""
    attack = Attack(
        rolled.unit, "" if rolled.square else rolled.target, rolled.weapon, rolled.action, square=rolled.square
    )
    try:
        situation, ledger, _ = situation_and_ledger(battle, rules, attack)
        return rings_of(battle.field, rules, situation, ledger)
    except BattleboardError:
        return ()


def _blast(
    battle: Battle, rules: Ruleset, landed: Square | None, rings: tuple[Ring, ...]
) -> tuple[tuple[Square, ...], ...]:
    """The squares of each ring that does something."""
    harmful = tuple(ring for ring in rings if ring.share)
    if landed is None or landed not in battle.field or not harmful:
        return ()
    return tuple(tuple(sorted(zone)) for zone in burst(battle.field, rules, landed, harmful))


def _marks(
    battle: Battle,
    outcomes: Iterable[AttackOutcome],
    losses: Mapping[str, int],
    falls: Mapping[str, int],
    began: Mapping[str, str],
) -> Iterable[Mark]:
    attacked: dict[str, list[AttackOutcome]] = {}
    for outcome in outcomes:
        attacked.setdefault(outcome.target, []).append(outcome)
    for unit_id in dict.fromkeys((*attacked, *losses)):
        unit = battle.units.get(unit_id)
        lost = losses.get(unit_id, 0)
        if unit is None:
            continue
        hits = [outcome for outcome in attacked.get(unit_id, ()) if outcome.is_hit]
        is_critical = any(outcome.is_critical for outcome in hits)
        if lost:
            yield Mark(unit_id, unit.at, unit.size, HIT if lost > 0 else HEALED, abs(lost), is_critical and lost > 0)
        elif hits and unit_id in began and all(outcome.is_caught for outcome in hits):
            yield Mark(unit_id, unit.at, unit.size, AFFECTED, label=began[unit_id])
        elif any(outcome.is_followed or outcome.has_changed_target or not outcome.is_caught for outcome in hits):
            is_blocked = any(outcome.kind == NO_DAMAGE for outcome in hits)
            yield Mark(unit_id, unit.at, unit.size, UNHURT if is_blocked else STRUCK)
        elif len(hits) < len(attacked[unit_id]):
            defended = [one.grade_label for one in attacked[unit_id] if one.kind == DEFENDED]
            kind, label = (DEFENDED, defended[0]) if defended else (MISS, "")
            yield Mark(unit_id, unit.at, unit.size, kind, label=label)
    for unit_id, drop in falls.items():
        if unit := battle.units.get(unit_id):
            yield Mark(unit_id, unit.at, unit.size, FELL, drop)
