"""Words: one sentence for a shot, one line for each event. The screen, the log and the command line say the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from engine.battle import events as ev
from engine.battle.asides import name_of
from engine.battle.attacks.shots import Outlook, Peril, Shot
from engine.battle.battle import Battle
from engine.battle.rolls import check_words, initiative_words, number, result_words, signed, what_to_roll
from engine.battle.table.hand import BY_GM
from engine.battle.table.rulings import told_ruling
from engine.battle.table.telling import tell_table
from engine.battle.table.weather import tell_weather
from engine.battle.units import Unit
from engine.dice.sources import NO_ROLL, describe
from engine.field.squares import Edge
from engine.rules.facts import DICE_FACTS
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset
from engine.text import sentence, verb

ByHand = ev.OrderSet | ev.AltitudeChanged | ev.PostureTaken | ev.WeaponReadied | ev.RoundsChanged | ev.ConditionBegan


def percent(chance: Fraction) -> str:
    """A chance for people: "59 %", "0.5 %"; never 0 or 100 unless it is that exactly.

    >>> percent(Fraction(59, 100)), percent(Fraction(1, 3)), percent(Fraction(1, 200))
    ('59 %', '33.3 %', '0.5 %')
    """
    shown = f"{float(chance * 100):.1f}".removesuffix(".0")
    if chance and shown == "0":
        shown = "under 0.1"
    if chance < 1 and shown == "100":
        shown = "over 99.9"
    return f"{shown} %"


def squares(count: Fraction) -> str:
    """A number of squares, to the hundredth: "1 square", "2.33 squares"."""
    return f"{number(round(count, 2))} {'square' if count == 1 else 'squares'}"


def dice_to_type(rules: Ruleset) -> str:
    """What a table types of an attack's roll: "the die", "the dice", "the white die, then the black"."""
    names = rules.attack.test.die_names
    if names:
        return f"the {names[0]} die{''.join(f', then the {name}' for name in names[1:])}"
    return "the die" if rules.attack.test.dice.count == 1 else "the dice"


def to_roll(shot: Shot, rules: Ruleset) -> str:
    """What is rolled for an attack: "Roll 1d100 under 60", "Needs a natural 20", or that nothing is."""
    if not shot.situation.action.is_rolled:
        return "No roll to hit"
    what = what_to_roll(rules, shot.ledger, shot.odds.hit)
    return f"Roll {what}" if what[0].isdigit() else f"{what[0].upper()}{what[1:]}"


def foretold(outlook: Outlook, *, is_brief: bool = False) -> str:
    """What an attack comes to: "hurt 44.4 % · out 3.9 % · damage 1.8"; a + where ways were left out.

    Briefly, in whole percents.
    """
    more = "+" if outlook.unsettled else ""

    def told(chance: Fraction) -> str:
        if not is_brief:
            return percent(chance)
        points = round(chance * 100)
        return "<1 %" if chance and not points else ">99 %" if chance < 1 and points == 100 else f"{points} %"

    mean = f"{max(0.1, float(outlook.expected)):.1f}".removesuffix(".0") if outlook.expected else "0"
    return f"hurt {told(outlook.hurt)}{more} · out {told(outlook.drop)}{more} · damage {mean}{more}"


def imperilled(peril: Peril, *, is_brief: bool = False) -> str:
    """What an attack on an area may do to one unit: "Nena, caught 62 %: hurt 40.1 % · out 12 % · damage 3.2"."""
    caught = "" if peril.caught == 1 else f", caught {percent(peril.caught)}"
    return f"{peril.unit.name}{caught}: {foretold(peril.outlook, is_brief=is_brief)}"


def verdict(shot: Shot, rules: Ruleset) -> str:
    """A shot in one or two sentences: who, how far, what is in the way, what to roll, the chance."""
    situation, ledger = shot.situation, shot.ledger
    band = f", {ledger.band_label}" if ledger.band_label else ""
    head = f"{situation.target.name}, {situation.distance}{situation.on_map}{band}: "
    if ledger.forbidden:
        return f"{head}no attack. {sentence(ledger.forbidden.because)}"
    sight = situation.words if situation.weapon.kind != "melee" else ""
    caught = f" {catches(shot.caught)}" if shot.caught is not None else ""
    return f"{head}{sight}{' ' if sight else ''}{to_roll(shot, rules)}: {chance_to_hit(shot)}.{caught}"


def chance_to_hit(shot: Shot) -> str:
    """The chance to hit, and what defences make of it: "36 % (22 % with Dodge)"."""
    beside = beside_chance(shot)
    return f"{percent(shot.odds.hit)}{f' ({beside})' if beside else ''}"


def beside_chance(shot: Shot) -> str:
    """What defences make of the chance to hit: "22 % with Dodge"; "" where nobody can defend.

    Where that was not worked out, or on an area, which defences it leaves out: "before Dodge, Parry or Deflect".
    """
    if shot.defended is not None:
        return f"{percent(shot.defended.outlook.hit)} with {_any_of(shot.defended.labels)}"
    return f"before {_any_of(shot.defences)}" if shot.defences else ""


def _any_of(labels: Sequence[str]) -> str:
    """Some words as alternatives: "Dodge, Parry or Deflect"."""
    *others, last = labels
    return f"{', '.join(others)} or {last}" if others else last


def catches(caught: Sequence[Unit]) -> str:
    """Whom an attack on an area strikes, in one sentence."""
    return f"It catches {', '.join(unit.name for unit in caught)}." if caught else "It catches nobody."


def tell(event: ev.Event, battle: Battle, rules: Ruleset) -> str:
    """One line for the log; "" for events that say nothing of their own.

    Args:
        event: what happened.
        battle: any battle with the same units, for their names.
        rules: the ruleset, for labels.
    """

    def who(unit_id: str) -> str:
        return name_of(unit_id, battle)

    match event:
        case ev.BattleBegan():
            return f"The battle begins with {len(event.units)} units."
        case ev.InitiativeRolled():
            declared = f" for “{event.declared}”" if event.declared else ""
            rolls = "rolls" if event.who in battle.units else verb(event.who, "rolls", "roll")
            words = initiative_words(event, is_apart=_reads_apart(rules), is_under=rules.attack.test.reads_each_die)
            return f"{who(event.who)} {rolls} initiative{declared}: {words}."
        case ev.OrderSet():
            places = ", ".join(f"{who(unit)} {number(event.scores.get(unit, 0))}" for unit in event.order)
            return f"Order: {places}{_by_hand(event)}."
        case ev.PlaceTaken() | ev.GroupFormed() | ev.GroupDissolved() | ev.UnitsSurprised():
            return _order_changed(event, who)
        case ev.TurnTakenUp():
            return f"{who(event.unit)}'s turn, put off until now."
        case ev.RoundBegan():
            return f"Round {event.round}."
        case ev.TurnBegan():
            return f"{who(event.unit)} takes an extra turn." if event.is_extra else f"{who(event.unit)}'s turn."
        case ev.TurnWaits():
            return f"{who(event.unit)} takes an extra turn after this one."
        case ev.TurnResumed():
            return f"{who(event.unit)}'s turn goes on."
        case ev.ActionTaken():
            on = f" → {who(event.target)}" if event.target else ""
            return "" if _tells_itself(event, rules) else f"{who(event.unit)}{on}: {event.label}."
        case ev.UnitMoved():
            if len(event.path) < 2:  # it only rose or sank, which says itself
                return ""
            start, end = event.path[0].name, event.path[-1].name
            return f"{who(event.unit)} moves {start} → {end} ({squares(event.cost)})."
        case ev.WayDeclared():
            start, end = event.path[0].name, event.path[-1].name
            return f"{who(event.unit)}: {event.label} {start} → {end} when the round ends ({squares(event.cost)})."
        case ev.WayEnded():
            return f"{who(event.unit)} stops: {event.because}." if event.because else ""
        case ev.ClosingBegan():
            return f"After all moves: {who(event.units[0])}."
        case ev.UnitPushed():
            start, end = event.path[0].name, event.path[-1].name
            return f"{who(event.unit)} is moved {start} → {end} ({event.because})."
        case ev.UnitFell():
            return f"{who(event.unit)} falls {number(Fraction(event.drop, 100))} {_sign(battle)}."
        case ev.UnitPlaced():
            return f"GM: {who(event.unit)} is put on {event.after.name}."
        case ev.AltitudeChanged():
            if event.is_fall:
                return ""
            if not event.after:
                return f"{who(event.unit)} lands{_by_hand(event)}."
            way = "rises" if event.after > event.before else "sinks"
            height = f"{number(Fraction(event.after, 100))} {_sign(battle)} above the ground"
            return f"{who(event.unit)} {way} to {height}{_by_hand(event)}."
        case ev.PostureTaken():
            return f"{who(event.unit)} is {event.posture}{_by_hand(event)}."
        case ev.WeaponReadied():
            return f"{who(event.unit)} takes {event.label} in hand{_by_hand(event)}."
        case ev.WeaponDropped():
            return f"{who(event.unit)}: {event.label} lies on {event.at.name}."
        case ev.WeaponTaken():
            return f"{who(event.unit)} takes up {event.label}."
        case ev.WeaponBroken():
            return f"{who(event.unit)}: {event.label} is broken."
        case ev.OpeningGiven():
            price = price_words(event.cost, rules) or "nothing"
            return f"{who(event.unit)} may attack {who(event.against)} now, for {price} ({event.because})."
        case ev.BurstLanded():
            rolled = f" ({', '.join(describe(one) for one in event.rolls)})" if event.rolls else ""
            stopped = f", stopped by {event.stopped_by}" if event.stopped_by else ""
            return f"{event.weapon_label} bursts on {event.at.name}{rolled}{stopped}."
        case ev.BurstCaught():
            share = "" if event.share == 1 else f", {percent(event.share)} of its effect"
            return f"{who(event.target)} is caught: {event.ring}{share}."
        case ev.CoverWorn():
            place = event.edge.name if event.edge else event.square.name
            return f"The {event.name} at {place}: wear {event.before} → {event.after} ({event.because})."
        case ev.DefenceTaken():
            price = price_words(event.spent, rules)
            by_itself = ", by itself" if event.is_by_itself else ""
            return f"{who(event.unit)}: {event.label}{by_itself}{f' ({price})' if price else ''}."
        case ev.ReactionTaken():
            return f"{who(event.unit)} attacks {who(event.against)} by itself ({event.because})."
        case ev.AttackTurned():
            if any(grade.id == event.grade and not grade.is_hit for grade in rules.attack.grades):
                return f"The attack on {who(event.target)} comes to nothing: {event.grade_label} ({event.because})."
            return f"The attack counts against {who(event.target)}: {event.grade_label} ({event.because})."
        case ev.AttackRolled():
            return _attack(event, who(event.unit), event.square.name if event.square else who(event.target), rules)
        case ev.StrikeBegan():
            if not event.strikes:
                return f"No {event.label.lower()} strikes {who(event.target)}."
            return f"{event.label} {event.number} of {event.strikes}, {who(event.target)}."
        case ev.EffectRolled():
            return f"{check_words(event.label, event.roll, event.against)}."
        case ev.EffectReckoned():
            return f"{event.label}: {event.words or number(event.value)}."
        case ev.PoolChanged() | ev.BudgetChanged():
            because = f" ({event.because})" if event.because else ""
            return f"{who(event.unit)}: {event.label} {event.before} → {event.after}{because}."
        case ev.RoundsChanged():
            label = rules.gear.weapons[event.weapon].label if event.weapon in rules.gear.weapons else event.weapon
            left = "1 round" if event.after == 1 else f"{event.after} rounds"
            return f"{who(event.unit)}: {label} {event.before} → {left}{_by_hand(event)}."
        case ev.ConditionBegan():
            lasting = f" for {event.rounds} {'round' if event.rounds == 1 else 'rounds'}" if event.rounds else ""
            about = f" ({_about(event, rules) or who(event.about)})" if event.about else ""
            return f"{who(event.unit)} is {event.label}{about}{lasting}{_by_hand(event)}."
        case ev.ConditionEnded():
            return f"{who(event.unit)} is no longer {event.label} ({event.because})."
        case ev.UnitDefeated():
            return f"{who(event.unit)} is out of the fight."
        case ev.UnitRecovered():
            return f"{who(event.unit)} is back in the fight."
        case ev.BarrierChanged():
            now = "unlocked and closed" if (event.before, event.after) == ("locked", "closed") else event.after
            return f"The {event.kind} {_between(event.edge, battle)} {verb(event.kind, 'is', 'are')} {now}."
        case ev.RulingSet():
            before, after = told_ruling(event.before), told_ruling(event.after)
            return f"GM: “{event.label}” is {after} in this battle, not {before}."
        case ev.Adjusted():
            return _adjusted(event)
        case ev.CloudSet() | ev.CloudCleared() | ev.WindSet() | ev.CloudsDrifted():
            return tell_weather(event)
        case _:
            return tell_table(event, battle)


def _by_hand(event: ByHand) -> str:
    """That the GM has changed something by hand, where that is so."""
    return f" ({BY_GM})" if event.by_gm else ""


def _order_changed(
    event: ev.PlaceTaken | ev.GroupFormed | ev.GroupDissolved | ev.UnitsSurprised, who: Callable[[str], str]
) -> str:
    match event:
        case ev.PlaceTaken():
            place = f"after {who(event.after)}" if event.after else "first"
            return f"{who(event.unit)} waits: {place}." if event.is_delay else f"GM: {who(event.unit)} acts {place}."
        case ev.UnitsSurprised():
            lose = "loses its turn" if len(event.units) == 1 else "lose their turns"
            return f"GM: {', '.join(map(who, event.units))}: surprised, {lose} in this round."
    named = ", ".join(map(who, event.members))
    return f"GM: {named} {'act as one group' if isinstance(event, ev.GroupFormed) else 'are no group any more'}."


def headline(events: Sequence[ev.Event], battle: Battle, rules: Ruleset) -> str:
    """What a command was, in one sentence: the attack, the move, the order, else the first thing it told."""
    if events and all(isinstance(event, ev.AdjustmentsCleared) for event in events):
        return "The GM's changes to the ledger are taken back."
    main = [event for event in events if isinstance(event, ev.AttackRolled | ev.UnitMoved | ev.OrderSet)]
    told = (tell(event, battle, rules) for event in (*main, *events))
    return next((sentence for sentence in told if sentence), "")


def _attack(event: ev.AttackRolled, attacker: str, target: str, rules: Ruleset) -> str:
    head = f"{attacker} → {target}, {event.action_label}, {event.weapon_label}, {event.distance}"
    chance = "" if event.roll == NO_ROLL else f", {percent(event.chance)} to hit"
    return f"{head}{chance}: {result_words(event, rules)}."


def _reads_apart(rules: Ruleset) -> bool:
    """Whether the dice for the order are read one by one."""
    score = rules.turns.initiative.score
    return score is not None and not score.names.isdisjoint(DICE_FACTS)


def _between(edge: Edge, battle: Battle) -> str:
    """Where a thin thing stands, by its squares; one at the map's border by its square and side."""
    one, other = edge.squares
    if one in battle.field and other in battle.field:
        return f"between {one.name} and {other.name}"
    return f"on {edge.name}"


def _sign(battle: Battle) -> str:
    return UNIT_SIGNS[battle.field.unit]


def _adjusted(event: ev.Adjusted) -> str:
    held = event.adjustment
    until = "pinned" if held.is_pinned else "next attack"
    name = held.label or held.entry
    if not held.active:
        return f"GM: “{name}” does not count ({until})."
    value = signed(held.value) if held.value is not None else "counts"
    note = f", {held.note}" if held.note not in ("", name) else ""
    return f"GM: “{name}” {value}{note} ({until})."


def price_words(cost: Mapping[str, int], rules: Ruleset) -> str:
    """What is taken from which budget: "1 attack action, 1 move action"; "" for nothing. What is given is left out."""
    known = rules.units.budgets
    taken = ((budget, amount) for budget, amount in cost.items() if amount > 0)
    return ", ".join(
        known[budget].counted(amount) if budget in known else f"{amount} {budget}" for budget, amount in taken
    )


def _tells_itself(event: ev.ActionTaken, rules: Ruleset) -> bool:
    action = rules.actions.get(event.action)
    return action is not None and action.kind in ("attack", "move", "ready")


def _about(event: ev.ConditionBegan, rules: Ruleset) -> str:
    """Label of the weapon or the attack that a condition is about; "" where it is about a unit."""
    held = rules.units.conditions.get(event.condition)
    if held is None or held.about not in ("weapon", "attack"):
        return ""
    named = (rules.gear.weapons if held.about == "weapon" else rules.actions).get(event.about)
    return named.label if named else ""
