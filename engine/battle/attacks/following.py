"""What follows: the events that effects come to, after an attack's roll or an action without one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.attacks.reactions import can_attack
from engine.battle.battle import Charge, free_id
from engine.battle.distances import adjacent_enemies, distance_between, in_squares, radius_squares
from engine.battle.draft import Draft
from engine.battle.moves.falling import lift, sink
from engine.battle.moves.pushing import pushed
from engine.battle.pinned import OFF
from engine.battle.setup import full_facts
from engine.battle.situation import BARE_SQUARE, Situation, action_facts, bare_square, facts_on, with_facts
from engine.battle.turns.beginning import begin_turn
from engine.battle.units import Unit
from engine.dice.expressions import Dice
from engine.dice.sources import DiceSource, Request, Roll
from engine.errors import Illegal
from engine.field.burst.flight import course
from engine.field.solids import GROUND
from engine.field.squares import Direction, Square
from engine.field.trace import Blocker
from engine.rules.checks import roll_facts, strikes_of
from engine.rules.effects import Change, Consequences, consequences
from engine.rules.exchanges import Reaction
from engine.rules.expressions import shown
from engine.rules.ledger import Ledger
from engine.rules.model import ABOUT_WHOM, FACT_TIMES, NEARBY, Action, Grade, Ruleset, Value
from engine.rules.named import told_facts
from engine.values import replace


class Blow(Struct, frozen=True):
    """An attack that was rolled, as it strikes one target: what the roll came to, and the grade that it counts as."""

    situation: Situation
    ledger: Ledger
    rolled: int
    grade: Grade
    dice: tuple[int, ...] = ()
    """What each die of the roll shows; nothing when only their sum was typed."""
    learned: Mapping[str, Value] = {}
    """Facts that what followed so far made other than they were."""

    @property
    def who(self) -> Mapping[str, str]:
        """Unit ids of "attacker" and "target"; a bare square is no target."""
        target = self.situation.target.id
        return {"attacker": self.situation.attacker.id} | ({} if target == BARE_SQUARE else {"target": target})


OTHER = {"attacker": "target", "target": "attacker", "enemies": "attacker", "defender": "attacker"}


class Struck(Struct, frozen=True):
    """What followed from a blow: its changes in order, and the facts that they made other than they were."""

    changes: tuple[Change, ...]
    learned: Mapping[str, Value]
    left: int = 0
    """How many times it was to happen besides, when one of the two was out of the fight."""


class Hits(Struct, frozen=True):
    """Some of the times that a hit strikes: `count` of them, from number `first` on, `of` all that there are."""

    first: int
    count: int
    of: int


class NamingSource:
    """Dice that are asked for with more words on what they are about."""

    def __init__(self, dice: DiceSource, words: str) -> None:
        self.unnamed = dice
        """Where they come from, for those that are not about it."""
        self._words = words

    def request(self, dice: Dice, purpose: str) -> Request:
        return self.unnamed.request(dice, f"{purpose}{self._words}")


class ActOn(Struct, frozen=True):
    """What an act is about besides who acts."""

    target: str = ""
    square: Square | None = None
    attack: str = ""
    """Id of the attack that is declared with it."""
    action: str = ""
    """Id of the act."""


NOTHING = ActOn()


def act(draft: Draft, unit_id: str, action: Action, dice: DiceSource, on: ActOn = NOTHING) -> None:
    """Does what an action that is no attack does, once it is paid for; on somebody or at a square.

    Raises:
        Illegal: the magazine holds too few rounds.
    """
    unit = draft.battle.unit(unit_id)
    square = bare_square(on.square) if on.square else None
    target = draft.battle.unit(on.target) if on.target else square
    if target is None:
        facts = action_facts(draft.battle, draft.rules, unit, action)
    else:
        facts = facts_on(draft.battle, draft.rules, unit, action, target)
        facts |= full_facts(draft.rules, target, "target")
    facts["action.taken"] = unit.tally.get(action.id, 1) - 1  # it has been paid for, and does not count itself
    draft.spend_rounds(unit, unit.weapon, action, facts)
    facts |= full_facts(draft.rules, unit, "attacker")
    found = consequences(draft.rules, action.effects, facts, None, dice)
    who = {"attacker": unit_id} | ({"target": on.target} if on.target else {})
    follow(draft, found, who, action.label, on=replace(on, action=action.id))


def react(draft: Draft, unit_id: str, action: Action, reaction: Reaction, dice: DiceSource) -> None:
    """Does what happens to a unit that has made use of a reaction with that attack."""
    unit = draft.battle.unit(unit_id)
    facts = action_facts(draft.battle, draft.rules, unit, action) | full_facts(draft.rules, unit, "attacker")
    found = consequences(draft.rules, reaction.effects, facts, None, dice)
    follow(draft, found, {"attacker": unit_id}, reaction.label)


def blow_facts(rules: Ruleset, blow: Blow) -> tuple[dict[str, Value], int]:
    """The facts on which everything that follows from a blow rests, and how often it strikes."""
    situation = blow.situation
    facts = roll_facts(rules, situation.facts, blow.ledger, blow.rolled, blow.dice)
    facts |= full_facts(rules, situation.attacker, "attacker") | full_facts(rules, situation.target, "target")
    facts |= blow.learned
    strikes = strikes_of(rules, facts, blow.grade)
    return facts | {"strikes": strikes}, strikes


def turned(rules: Ruleset, blow: Blow, grade: Grade) -> Blow:
    """A blow that what followed from its roll has turned into another grade."""
    return replace(blow, situation=with_facts(rules, blow.situation, {"turned": True}), grade=grade)


def strike(
    draft: Draft,
    blow: Blow,
    dice: DiceSource,
    shared: dict[str, Roll] | None = None,
    only: Hits | None = None,
) -> Struck:
    """Adds everything that follows from an attack's roll for one target, and says what it came to.

    It happens as often as the ruleset's `[strikes]` say, each time with dice of its own and on what the times before
    left, until one of the two is out of the fight.

    Args:
        draft: where it is added.
        blow: the attack and what its roll counts as.
        dice: where further dice come from.
        shared: rolls that serve several targets, by effect.
        only: those of the times that are this target's; None for all.
    """
    rules, situation = draft.rules, blow.situation
    facts, strikes = blow_facts(rules, blow)
    if only is None:
        only = Hits(1, strikes, strikes)
    facts["strikes"] = strikes = only.of
    label = rules.strikes.label if rules.strikes else ""
    if not only.count:
        draft.add(ev.StrikeBegan(situation.attacker.id, situation.target.id, label, 0, 0))
    changes: list[Change] = []
    learned: dict[str, Value] = {}
    made = 0
    for number in range(only.first, only.first + only.count):
        facts["strike_number"], made = number, made + 1
        source = dice
        if strikes > 1:
            draft.add(ev.StrikeBegan(situation.attacker.id, situation.target.id, label, number, strikes))
            source = NamingSource(dice, f", {label.lower()} {number} of {strikes}")
        for_all = dice.unnamed if isinstance(dice, NamingSource) else dice
        found = consequences(rules, rules.effects, facts, blow.grade, source, shared, for_all)
        follow(draft, found, blow.who, blow.grade.label, situation.weapon.id, situation.trace.cover)
        changes += found.changes
        learned |= found.learned
        facts |= found.learned
        if any(draft.battle.unit(unit_id).is_defeated for unit_id in blow.who.values()):
            break
    return Struck(tuple(changes), learned, only.count - made)


def tell_facts(draft: Draft, blow: Blow) -> None:
    """Adds what the ruleset's own facts come to that are told."""
    facts = roll_facts(draft.rules, blow.situation.facts, blow.ledger, blow.rolled, blow.dice)
    for after in FACT_TIMES:
        for label, value in told_facts(draft.rules, facts, after):
            _reckon(draft, blow.who["attacker"], label, value)


def follow(
    draft: Draft,
    found: Consequences,
    who: Mapping[str, str],
    because: str,
    weapon: str = "",
    cover: Blocker | None = None,
    on: ActOn = NOTHING,
) -> None:
    """Adds the events of what effects came to; a `strike` is the attack's own to carry out.

    Args:
        draft: where they are added.
        found: from `effects.consequences`.
        who: unit ids of "attacker" and "target"; a change on someone left out is dropped.
        because: what caused it, for the log.
        weapon: id of the attacker's weapon, where it need not be the one in hand.
        cover: what covers the target.
        on: what an act is at that is on nobody, and the attack that it declares.
    """
    for named in found.rolls:
        draft.add(ev.EffectRolled(who["attacker"], named.label, named.roll, named.against))
    for label, value in found.reckoned:
        _reckon(draft, who["attacker"], label, value)
    for change in found.changes:
        units = meant(draft, change, who)
        if not units and change.whom in NEARBY and change.whom != "friends":
            nobody = "no enemy" if change.whom == "enemies" else "no ally"
            draft.add(
                ev.EffectReckoned(who["attacker"], change.label, words=f"{nobody} is near enough, so nothing happens")
            )
        for unit_id in units:
            if change.kind == "wear":
                _wear(draft, change, cover)
            elif change.kind == "seize":
                _seize(draft, unit_id, who.get(OTHER.get(change.whom, ""), ""))
            elif change.kind in ("disarm", "break"):
                _lose_weapon(draft, unit_id, change, weapon if change.whom == "attacker" else "")
            else:
                _change(draft, unit_id, change, who, because, weapon, on)
    for unit_id in dict.fromkeys(who.values()):
        draft.settle(unit_id)


def _reckon(draft: Draft, unit_id: str, label: str, value: Value) -> None:
    """Adds what something came to: a number, or words."""
    if isinstance(value, bool | str):
        draft.add(ev.EffectReckoned(unit_id, label, words=shown(value)))
    else:
        draft.add(ev.EffectReckoned(unit_id, label, value))


def _seize(draft: Draft, unit_id: str, by: str) -> None:
    """Somebody takes the weapon out of another's hand and carries it from now on; one like its own falls instead."""
    unit = draft.battle.unit(unit_id)
    if not by or unit.weapon not in unit.weapons:
        return
    taker, lost, label = draft.battle.unit(by), unit.weapon, draft.rules.weapons[unit.weapon].label
    rounds = unit.rounds.get(lost)
    draft.add(ev.WeaponDropped(unit_id, lost, label, taker.at, rounds))
    if lost not in taker.weapons:
        draft.add(ev.WeaponTaken(by, lost, label, rounds))


def meant(draft: Draft, change: Change, who: Mapping[str, str]) -> list[str]:
    """Ids of the units that a change is about."""
    battle = draft.battle
    if change.whom.endswith(ABOUT_WHOM):
        held = battle.unit(who["attacker"]).about.get(change.whom.removesuffix(ABOUT_WHOM), "")
        return [held] if held in battle.units else []
    if change.whom not in NEARBY:
        return [who[change.whom]] if change.whom in who else []
    unit = battle.unit(who["attacker"])
    middle = battle.units.get(who.get("target", "")) if change.whom == "bystander" else unit
    if middle is None:
        return []
    left_out = {unit.id, middle.id}

    def far(other: Unit) -> int | float:
        return float(distance_between(battle.field, draft.rules, middle, other))

    def is_meant(other: Unit) -> bool:
        return unit.is_enemy_of(other) if change.whom == "enemies" else other.side == unit.side

    near = [
        other
        for other in battle.units.values()
        if is_meant(other) and other.id not in left_out and not other.is_defeated and far(other) <= change.within
    ]
    near = sorted(near, key=far)[:1] if change.whom in ("friend", "bystander") else near
    return [other.id for other in near]


def _shares(draft: Draft, unit: Unit, condition: str, who: Mapping[str, str]) -> bool:
    """Whether a friend's condition is about the same as the attacker's own, where that is in it, too."""
    own = draft.battle.unit(who["attacker"]).about.get(condition, "")
    return not own or unit.about.get(condition, "") == own


def _change(
    draft: Draft,
    unit_id: str,
    change: Change,
    who: Mapping[str, str],
    because: str,
    weapon: str = "",
    on: ActOn = NOTHING,
) -> None:
    battle, rules = draft.battle, draft.rules
    unit = battle.unit(unit_id)
    match change.kind:
        case "pool" if change.name in rules.budgets:
            label, reason = rules.budgets[change.name].label, change.label or because
            draft.add(ev.BudgetChanged(unit_id, change.name, label, change.before, change.after, reason))
        case "pool":
            label, reason = rules.pools[change.name].label, change.label or because
            draft.add(ev.PoolChanged(unit_id, change.name, label, change.before, change.after, reason))
        case "condition":
            other = who.get(OTHER.get(change.whom, "target"), "")
            if change.whom == "friends" and not change.after and not _shares(draft, unit, change.name, who):
                return
            match rules.conditions[change.name].about:
                case "unit":
                    about = other
                case "weapon":
                    about = weapon if change.whom == "attacker" and weapon else unit.weapon
                case "square":
                    about = (on.square or battle.units.get(other, unit).at).name
                case "attack":
                    about = on.attack
                case _:
                    about = ""
            draft.set_condition(unit_id, change.name, bool(change.after), because, change.rounds, about)
        case "posture":
            draft.add(ev.PostureTaken(unit_id, change.name))
        case "reload":
            draft.reload(unit)
        case "halt":
            draft.add(ev.StrideForfeited(unit_id))
        case "turn":
            _extra_turn(draft, unit)
        case "rise":
            lift(draft, unit_id, change.amount)
        case "sink":
            sink(draft, unit_id, change.amount, falls=bool(change.name))
        case "push":
            away_from = who.get(OTHER.get(change.whom, "attacker"), "")
            squares = in_squares(change.amount, battle.field, rules)
            push = pushed(battle, rules, unit, battle.units[away_from].at, squares) if away_from else None
            if push and len(push.path) > 1:
                draft.add(ev.UnitPushed(unit_id, push.path, change.label))
                if push.drop:
                    draft.add(ev.UnitFell(unit_id, push.drop))
            elif push:
                draft.add(ev.EffectReckoned(who["attacker"], change.label, words=f"{unit.name} has no room to go"))
        case "lay" if unit.weapon in rules.weapons:
            _lay(draft, unit, change, on)
        case "set_off":
            _set_off(draft, unit, on)
        case "recover":
            lying = [item for item in battle.lying_at(unit.at) if item.weapon not in unit.weapons]
            if lying:
                weapon = lying[0].weapon
                draft.add(ev.WeaponTaken(unit_id, weapon, rules.weapons[weapon].label, lying[0].rounds))
        case "expose":
            near = (enemy for enemy in adjacent_enemies(battle, unit) if battle.policy(enemy, "") != OFF)
            able = [enemy for enemy in near if can_attack(battle, rules, enemy, unit)]
            for enemy in able:
                draft.add(ev.OpeningGiven(enemy.id, unit_id, change.label))
            if not able:
                draft.add(
                    ev.EffectReckoned(who["attacker"], change.label, words=f"no enemy next to {unit.name} can attack")
                )


def _lay(draft: Draft, unit: Unit, change: Change, on: ActOn) -> None:
    """The weapon in hand is laid on the act's square, or where the unit stands, and waits for whoever comes so near."""
    field, rules = draft.battle.field, draft.rules
    charge_id = free_id("charge", {held.id for held in draft.battle.charges})
    reach = radius_squares(field, rules, Fraction(change.amount)) if change.amount else Fraction(0)
    charge = Charge(charge_id, unit.id, unit.weapon, on.square or unit.at, reach, on.action)
    draft.add(ev.ChargeLaid(charge, rules.weapons[unit.weapon].label))


def _set_off(draft: Draft, unit: Unit, on: ActOn) -> None:
    """What the unit has laid there goes off.

    Raises:
        Illegal: it has laid nothing there.
    """
    found = [held for held in draft.battle.charges if held.unit == unit.id and on.square in (None, held.at)]
    if not found:
        where = f" on {on.square.name}" if on.square else ""
        raise Illegal(
            "charge", f"{unit.name} has laid nothing{where}.", f"nothing of its own lies{where or ' anywhere'}"
        )
    for held in found:
        draft.add(ev.ChargeSetOff(held, draft.rules.weapons[held.weapon].label, unit.id))


def _extra_turn(draft: Draft, unit: Unit) -> None:
    """A whole turn more for a unit, at once; for the active one, when its own is over."""
    if unit.is_defeated or not draft.battle.active:
        return
    if draft.battle.active == unit.id:
        draft.add(ev.TurnWaits(unit.id))
    else:
        begin_turn(draft, unit.id, is_extra=True)


def _wear(draft: Draft, change: Change, cover: Blocker | None) -> None:
    """Takes from what covers the target; the ground does not wear, and bodies have numbers of their own."""
    if cover is not None and not cover.is_body and cover.name != GROUND:
        worn = ev.CoverWorn(cover.square, cover.edge, cover.name, change.before, change.after, change.label)
        draft.add(worn)


def _lose_weapon(draft: Draft, unit_id: str, change: Change, weapon: str) -> None:
    """The weapon named, or the one in hand, breaks or flies off; nothing where there is none."""
    unit = draft.battle.unit(unit_id)
    lost = weapon or unit.weapon
    if lost not in unit.weapons:
        return
    label = draft.rules.weapons[lost].label
    if change.kind == "break":
        draft.add(ev.WeaponBroken(unit.id, lost, label))
        draft.let_go_of_weapon(unit.id, lost)
        return
    squares = in_squares(change.amount, draft.battle.field, draft.rules)
    way = tuple(Direction)[(change.way - 1) % 8]
    flight = course(draft.battle.field, unit.at, way.dx, way.dy, squares, "chebyshev")
    draft.add(ev.WeaponDropped(unit.id, lost, label, flight.squares[-1], unit.rounds.get(lost)))
    draft.let_go_of_weapon(unit.id, lost)
