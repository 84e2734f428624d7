"""The end card: who stands, what each unit or group did, and the three shots to remember.

It is a function of attacks and of people as they are known: of a seat only what it saw is given to it, so nothing here
leaves anything out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import log2

from engine.battle.state.battle import Battle
from engine.battle.views.attack_outcomes import CRITICAL, FUMBLE
from engine.battle.views.view import UnitView, project
from engine.dice.dice_text import percent
from engine.journal.history import Step
from engine.rules.model import Ruleset
from engine.text import count, the_side, upper_first, verb
from engine.values import Stored
from tui.application.exports.attack_tally import ASTRAY, AttackMade, attacks_of
from tui.application.exports.log_cleanup import rounds_played, veiled

MOST_SHOTS = 3
LEAST_CHANCE = Fraction(1, 1024)
"""What came although its chance was 0 counts as this."""
UNLIKELY = Fraction(1, 4)
"""A hit with at most this chance is remembered."""
LOW = 4
"""Below one in so many of its hit points a unit is remembered for that."""
OWN_SIDE, DOWN = "own side", "down"
"""Badges of the three shots besides the kinds of attacks."""


class Person(Stored, frozen=True):
    """A unit that is known."""

    id: str
    name: str
    sign: str
    side: str
    side_index: int
    is_defeated: bool = False
    is_neutral: bool = False
    is_own: bool = True
    """Whether its state now is known; else as it was seen last."""
    left: str = ""
    """"bleeding, 3 of 14" where it stands with little left; "" else."""


class SideCount(Stored, frozen=True):
    """How many of a side stand."""

    side: str
    side_index: int
    standing: int
    total: int
    """All of its units; 0 where only those that were seen are known."""

    @property
    def words(self) -> str:
        """ "2 of 7 standing", "2 seen standing"."""
        return f"{self.standing} of {self.total} standing" if self.total else f"{self.standing} seen standing"


class EndCardRow(Stored, frozen=True):
    """What a unit or a group did."""

    sign: str
    side_index: int
    name: str
    shots: int
    hits: int
    dealt: int
    taken: int
    downed: tuple[str, ...] = ()
    """Names of those whom it dropped."""
    remembered: str = ""
    """What it is remembered for; "" for nothing."""
    is_grave: bool = False
    """Whether that is its wounds."""


class BestShot(Stored, frozen=True):
    """One of the three shots."""

    badge: str
    attacker: str
    target: str
    odds: str
    """ "24 m, 15 %"; "" where a seat looks."""
    result: str
    """ "21 damage, down"."""
    round: int


class EndCard(Stored, frozen=True):
    """The card."""

    title: str
    rounds: int
    headline: str
    """The winner, in a sentence."""
    sides: tuple[SideCount, ...]
    rows: tuple[EndCardRow, ...]
    shots: tuple[BestShot, ...]


def winner_words(people: Iterable[Person], *, is_over: bool = True) -> str:
    """Who has won: the side that stands, else "Both withdraw."; bystanders do not count.

    With `is_over` false nobody withdraws: "Both sides stand."
    """
    standing = dict.fromkeys(one.side for one in people if not one.is_defeated and not one.is_neutral)
    if len(standing) == 1:
        side = the_side(next(iter(standing)))
        return f"{upper_first(side)} {verb(side, 'holds', 'hold')} the field."
    if not standing:
        return "Nobody is left standing."
    if not is_over:
        return "Both sides stand." if len(standing) == 2 else "Several sides stand."
    return "Both withdraw." if len(standing) == 2 else "All withdraw."


def end_card(
    title: str,
    rounds: int,
    people: Sequence[Person],
    attacks: Sequence[AttackMade],
    groups: Sequence[tuple[str, tuple[str, ...]]] = (),
    *,
    is_over: bool = True,
) -> EndCard:
    """The card.

    Args:
        title: the battle's.
        rounds: how many were played; one that has just begun is none yet.
        people: the units that are known, in the order of their rows; those of a side stand together on the card.
        attacks: what is known of all attacks, in order.
        groups: names and ids of the members of groups; those have one row.
        is_over: whether the fight ends here; else nobody withdraws.
    """
    known = {one.id: one for one in people}
    sides = sorted({(one.side_index, one.side) for one in people if not one.is_neutral})
    counts = tuple(_count(side, index, people) for index, side in sides)
    rows = tuple(_row(*each, attacks, known) for each in _members(people, groups))
    return EndCard(
        title, max(1, rounds), winner_words(people, is_over=is_over), counts, rows, _three_shots(attacks, known)
    )


def whole_card(title: str, steps: Sequence[Step], rules: Ruleset, *, is_over: bool = True) -> EndCard:
    """The card of the Game Master, who knows all.

    Args:
        title: the battle's.
        steps: those that count, each with its battle, the beginning first.
        rules: the battle's.
        is_over: as for `end_card`.
    """
    battle = steps[-1].after
    view = project(battle, rules)
    people = [person_of(unit, battle, is_own=True) for unit in view.units]
    attacks = [made for step in steps for made in attacks_of(step, rules)]
    return end_card(
        title, rounds_played(veiled(steps, is_for_players=False)), people, attacks, view.groups, is_over=is_over
    )


def person_of(unit: UnitView, battle: Battle, *, is_own: bool) -> Person:
    """A unit as its view has it; `is_own` where what it has left may be told."""
    is_neutral = unit.id in battle.units and battle.units[unit.id].is_neutral
    left = _left(unit) if is_own and not unit.is_defeated else ""
    return Person(
        unit.id, unit.name, unit.badge, unit.side, unit.side_index, unit.is_defeated, is_neutral, is_own, left
    )


def _left(unit: UnitView) -> str:
    """What a unit that is badly hurt has left: "bleeding, 3 of 14"."""
    gauge = next((one for one in unit.pools if one.full > 0), None)
    if gauge is None or gauge.now * LOW >= gauge.full:
        return ""
    states = [one.name for one in unit.conditions if one.mark][:1]
    return ", ".join([*states, f"{gauge.now} of {gauge.full} left"])


def _count(side: str, index: int, people: Sequence[Person]) -> SideCount:
    own = [one for one in people if one.side == side and not one.is_neutral]
    total = len(own) if all(one.is_own for one in own) else 0
    return SideCount(side, index, sum(not one.is_defeated for one in own), total)


def _members(people: Sequence[Person], groups: Sequence[tuple[str, tuple[str, ...]]]) -> list[tuple[str, list[Person]]]:
    """Names and members of the rows: units and groups, by side."""
    known = {one.id: one for one in people}
    found: dict[str, tuple[str, list[Person]]] = {}
    of_group = {
        member: (name, [known[one] for one in members if one in known])
        for name, members in groups
        for member in members
    }
    for one in sorted(people, key=lambda person: person.side_index):
        name, members = of_group.get(one.id, ("", []))
        if len(members) < 2:
            name, members = one.name, [one]
        else:
            name = f"{name} ({len(members)})"
        found.setdefault(members[0].id, (name, members))
    return list(found.values())


def _row(
    name: str, members: Sequence[Person], attacks: Sequence[AttackMade], known: Mapping[str, Person]
) -> EndCardRow:
    ids = {one.id for one in members}
    own = [made for made in attacks if made.attacker in ids]
    losses = [loss for made in own for loss in made.losses]
    downed = dict.fromkeys(known[one.unit].name for one in losses if one.is_down and one.unit in known)
    remembered, is_grave = _remembered(members, own, known)
    return EndCardRow(
        sign=members[0].sign,
        side_index=members[0].side_index,
        name=name,
        shots=len(own),
        hits=sum(made.is_hit for made in own),
        dealt=sum(loss.amount for made in own for loss in made.losses if loss.unit != made.attacker),
        taken=sum(loss.amount for made in attacks for loss in made.losses if loss.unit in ids),
        downed=tuple(downed),
        remembered=remembered,
        is_grave=is_grave,
    )


def _remembered(members: Sequence[Person], own: Sequence[AttackMade], known: Mapping[str, Person]) -> tuple[str, bool]:
    """What a unit or a group is remembered for, and whether that is its wounds: the first that holds."""
    for made in own:
        if hit := next((one for one in made.losses if _is_own_side(made, one.unit, known)), None):
            return f"hit {known[hit.unit].name} of its own side", False
    if critical := next((made for made in own if made.kind == CRITICAL and made.target in known), None):
        return f"a critical hit on {known[critical.target].name}", False
    if any(made.kind == FUMBLE for made in own):
        return "a fumble", False
    if astray := next((made for made in own if made.kind == ASTRAY), None):
        return f"{astray.weapon} astray", False
    if left := next((one.left for one in members if one.left), ""):
        return left, True
    reactions = Counter(made.reaction for made in own if made.reaction and made.is_hit)
    if reactions:
        reaction, hits = reactions.most_common(1)[0]
        return f"{count(hits, 'hit')} from {reaction.lower()}", False
    hits_made = [made for made in own if made.is_hit and made.chance is not None and made.target in known]
    if hits_made:
        best = min(hits_made, key=lambda made: made.chance or Fraction(0))
        if best.chance is not None and best.chance <= UNLIKELY:
            return f"hit {known[best.target].name} at {percent(best.chance)}", False
    return "", False


def _is_own_side(made: AttackMade, unit: str, known: Mapping[str, Person]) -> bool:
    attacker, victim = known.get(made.attacker), known.get(unit)
    return bool(attacker and victim and attacker.id != victim.id and attacker.side == victim.side)


def _three_shots(attacks: Sequence[AttackMade], known: Mapping[str, Person]) -> tuple[BestShot, ...]:
    """The shots with the largest −log₂(chance of what came) × share of the target's hit points, one a unit.

    For a seat, which knows neither, those that cost most. Of equal ones the earlier is first.
    """
    best: dict[str, tuple[Fraction | float, int, AttackMade, str]] = {}
    for place, made in enumerate(attacks):
        if made.attacker not in known:
            continue
        for loss in made.losses:
            if loss.unit not in known:
                continue
            score: Fraction | float = loss.amount
            if made.chance is not None:
                score = -log2(max(made.chance, LEAST_CHANCE)) * float(loss.share or 0)
            if score > 0 and (made.attacker not in best or score > best[made.attacker][0]):
                best[made.attacker] = score, place, made, loss.unit
    chosen = sorted(best.values(), key=lambda each: (-each[0], each[1]))[:MOST_SHOTS]
    return tuple(_best_shot(made, victim, known) for _, _, made, victim in chosen)


def _best_shot(made: AttackMade, victim: str, known: Mapping[str, Person]) -> BestShot:
    loss = next(one for one in made.losses if one.unit == victim)
    is_own = _is_own_side(made, victim, known)
    usual = made.kind if made.kind in (CRITICAL, FUMBLE, ASTRAY) else DOWN if loss.is_down else made.kind
    odds = [made.distance, percent(made.chance)] if made.chance is not None else []
    result = [f"{loss.amount} damage"] * bool(loss.amount) + ["down"] * loss.is_down
    return BestShot(
        badge=OWN_SIDE if is_own else usual,
        attacker=known[made.attacker].name,
        target=known[victim].name,
        odds=", ".join(filter(None, odds)),
        result=", ".join(result),
        round=made.round,
    )
