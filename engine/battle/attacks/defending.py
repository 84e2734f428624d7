"""Defences: what somebody may do against an attack whose roll is known, before anything follows from it.

A defence is paid for, its effects run, and the roll is graded again with what they came to. One for each attack, or for
each whom a cone or a burst strikes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.attacks.following import Blow, NamingSource, follow
from engine.battle.attacks.perils import foreseen
from engine.battle.attacks.shots import consider, is_allowed, reckoned
from engine.battle.battle import Battle
from engine.battle.cause import Cause
from engine.battle.commands import Answering, Attack, Command
from engine.battle.distances import distance_between
from engine.battle.draft import Draft, costs, is_left, left_after
from engine.battle.narration import percent, price_words
from engine.battle.outcome import outcome
from engine.battle.pinned import ASK, AUTO, POLICIES
from engine.battle.setup import full_facts
from engine.battle.situation import BARE_SQUARE, Situation, observe_again, unit_facts, weapon_facts, with_facts
from engine.battle.units import Unit
from engine.dice.distributions import distribution
from engine.dice.expressions import Dice
from engine.dice.sources import DiceSource, NeedDice, Request
from engine.errors import BattleboardError, Illegal, Unknown
from engine.rules.checks import judge, lesser_grade, roll_facts, strikes_of
from engine.rules.effects import comes_after, consequences
from engine.rules.exchanges import AIMED, BURST, REDIRECTED, Defence
from engine.rules.model import Ruleset, Value
from engine.values import replace

NO_DEFENCE = ("", "none")
SHARED = "shared"
"""What sort of attack it is for those on whom hits fall that were rolled against another: what is done against an
attack on oneself may be done against them, but for what answers with a blow."""


class Answer(Struct, frozen=True):
    """One way to answer: its id for `Attack.defence`, what it is called, what it costs and how likely it stops it."""

    id: str
    label: str
    note: str
    unit: str = ""
    """Id of the one who would defend."""
    kind: str = ""
    """Id of the defence."""


class NeedAnswer(Exception):
    """The table has to say whether somebody defends against an attack, and how; "" is no.

    Not an error of the user's: a screen catches it, asks, and decides again with the command `answered`.
    """

    def __init__(self, question: str, answers: tuple[Answer, ...], struck: Unit | None = None, drawn: str = "") -> None:
        self.question = question
        self.answers = answers
        self.struck = struck
        """The one of those whom a cone or a burst strikes that is asked; None when the attack has one target."""
        self.drawn = drawn
        """Which attack it is, when not the command's own but one that it has drawn and that is made by itself."""
        self.rolls = 0
        """How many rolls of the command came before it: dice typed with the answer are for the rolls after these."""
        super().__init__(question)

    def answered(self, wish: Command, answer: str) -> Command:
        """The same command with what was said."""
        answer = "" if answer in NO_DEFENCE else answer
        if self.drawn and isinstance(wish, Answering):
            struck = self.struck.id if self.struck else ""
            return replace(wish, answers=(*wish.answers, (self.drawn, struck, answer)))
        if not isinstance(wish, Attack):
            return wish
        if self.struck is None:
            return replace(wish, defence=answer)
        return replace(wish, defences=(*wish.defences, (self.struck.id, answer)))


class Answers(Struct, frozen=True):
    """What was said of those whom a cone or a burst strikes, and whether to ask of the others."""

    said: tuple[tuple[str, str], ...]
    asks: bool


class Option(Struct, frozen=True):
    """A defence that somebody may take now, and its price."""

    defence: Defence
    unit: Unit
    cost: Mapping[str, int]
    is_by_itself: bool = False
    """Whether nobody was asked."""

    @property
    def id(self) -> str:
        """What `Attack.defence` says for it; an ally's names the ally."""
        return self.defence.id if self.defence.by == "target" else f"{self.defence.id}:{self.unit.id}"


def options(draft: Draft, blow: Blow, against: str = AIMED) -> tuple[Option, ...]:
    """Every defence of those AGAINST it that may be taken against an attack that was rolled, the nearest ally first."""
    found: list[Option] = []
    for defence in draft.rules.attack.defences:
        if blow.situation.target.id == BARE_SQUARE or not is_against(defence, against) or not _follows(defence, blow):
            continue
        for unit in defenders(draft.battle, draft.rules, blow.situation, defence):
            facts = _facts(draft, blow, unit)
            if not defence.when.evaluate(facts):
                continue
            cost = costs(defence.cost, facts)
            if not is_left(unit, cost):
                continue
            if not defence.counter or can_counter(draft.battle, draft.rules, unit, blow, defence):
                found.append(Option(defence, unit, cost))
    return tuple(found)


def chosen(
    draft: Draft, before: Battle, blow: Blow, wish: str | None, asks: bool, against: str = AIMED, words: str = ""
) -> Option | None:
    """The defence that is taken; None for none.

    Args:
        draft: with the attack's roll.
        before: the battle before the attack.
        blow: the attack and what its roll came to.
        wish: id of a defence, of an ally's with ":" and the ally's id; "" or "none" for none; None where nobody said:
            then what is taken by itself is taken.
        asks: whether to ask where nobody said and nothing is taken by itself.
        against: what sort of attack it is, SHARED or one of AGAINST; of a cone or a burst each is asked whom it
            strikes.
        words: what else is said when it is asked.

    Raises:
        NeedAnswer: it is to be asked.
        Unknown: there is no such defence.
        Illegal: nobody can take it against this attack.
    """
    if wish in NO_DEFENCE or (wish is None and not asks and not draft.battle.gm.policies):
        return None
    found = options(draft, blow, against)
    if wish is None:
        by_policy = {how: [option for option in found if _policy(draft, option) == how] for how in POLICIES}
        if by_policy[AUTO]:
            return _best(draft, before, blow, by_policy[AUTO], against)
        found = tuple(by_policy[ASK])
        if not found or not asks:
            return None
        told = " ".join(filter(None, (outcome(draft.events, draft.battle, draft.rules), words)))
        struck = None if against == AIMED else draft.battle.unit(blow.situation.target.id)
        raise NeedAnswer(told, tuple(_answer(draft, before, blow, option, against) for option in found), struck)
    known = {defence.id: defence for defence in draft.rules.attack.defences}
    name = wish.partition(":")[0]
    if name not in known:
        raise Unknown("defence", wish, known)
    taken = next((option for option in found if wish in (option.id, option.defence.id)), None)
    if taken is None and _follows(known[name], blow):
        raise Illegal("defence", f"“{known[name].label}” cannot be done against this attack.")
    return taken


def defend_struck(draft: Draft, blow: Blow, answers: Answers, dice: DiceSource, against: str, words: str = "") -> Blow:
    """The blow on one of several whom an attack strikes, after what that one does against it, if anything."""
    now = replace(blow, situation=replace(blow.situation, target=draft.battle.unit(blow.situation.target.id)))
    wish = dict(answers.said).get(now.situation.target.id)
    option = chosen(draft, draft.battle, now, wish, answers.asks, against, words)
    return blow if option is None else defend(draft, draft.battle, now, option, dice, against)


def defend(draft: Draft, before: Battle, blow: Blow, option: Option, dice: DiceSource, against: str = AIMED) -> Blow:
    """Takes a defence: pays for it, runs its effects, and grades the roll again.

    Against a cone or a burst the ledger stays the one that was rolled against. What bursts strikes as its ruleset says,
    whatever was rolled: it comes to a lesser grade only where the defence makes that grade hold.

    Args:
        draft: where it is added.
        before: the battle before the attack; what it was made of stays as it was then.
        blow: the attack.
        option: from `options`.
        dice: where further dice come from.
        against: what sort of attack it is.
    """
    rules, defence, unit = draft.rules, option.defence, option.unit
    left = left_after(unit, option.cost)
    taken = (defence.id, defence.label, dict(option.cost), left, option.is_by_itself)
    draft.add(ev.DefenceTaken(unit.id, blow.who["attacker"], *taken))
    source = NamingSource(dice, f" of {unit.name}")
    found = consequences(defence.effects, _facts(draft, blow, unit), None, source)
    follow(draft, found, Cause({**blow.who, "defender": unit.id}, defence.label))
    told = {name: int(value) if isinstance(value, bool) else value for name, value in found.values.items()}
    learned: dict[str, Value] = {"defence": defence.id}
    learned |= {name: value for name, value in told.items() if name in rules.attack.defence_facts}
    is_redirected = defence.redirects and bool(told.get(REDIRECTED))
    situation = _again(draft, before, blow.situation, unit if is_redirected else None, learned)
    ledger = reckoned(draft.battle, rules, situation) if against == AIMED else blow.ledger
    if against == BURST:
        grade = lesser_grade(
            rules, (blow.situation.facts, situation.facts), ledger, (blow.rolled, blow.dice), blow.grade
        )
    else:
        grade = judge(rules, situation.facts, ledger, blow.rolled, blow.dice)
    if is_redirected or grade != blow.grade:
        told_as = (situation.attacker.id, situation.target.id, grade.id, grade.label)
        draft.add(ev.AttackTurned(*told_as, defence.label))
    return replace(blow, situation=situation, ledger=ledger, grade=grade)


def can_counter(battle: Battle, rules: Ruleset, unit: Unit, blow: Blow, defence: Defence) -> bool:
    """Whether the defender could attack back with the defence's own attack."""
    return is_allowed(battle, rules, counter_wish(unit, blow, defence))


def counter_wish(unit: Unit, blow: Blow, defence: Defence) -> Attack:
    """The attack that a defence answers with."""
    return Attack(unit.id, blow.who["attacker"], action=defence.counter, is_free=True)


def changes_attack(battle: Battle, rules: Ruleset, blow: Blow, option: Option, against: str) -> bool:
    """Whether a defence changes the ledger or the grade of the attack; True where that depends on its dice."""
    try:
        after = defend(Draft(battle, rules), battle, blow, option, _Certain(), against)
    except NeedDice:
        return True
    before, now = blow.ledger, after.ledger
    is_same = (before.total, before.target_number, before.beats) == (now.total, now.target_number, now.beats)
    return not is_same or after.grade != blow.grade


def counters(draft: Draft, blow: Blow, option: Option) -> bool:
    """Whether the defender attacks back now, after the defence has come to what it has come to."""
    defence, unit = option.defence, draft.battle.unit(option.unit.id)
    if not defence.counter or not defence.counter_when.evaluate(_facts(draft, blow, unit)):
        return False
    return can_counter(draft.battle, draft.rules, unit, blow, defence)


def _policy(draft: Draft, option: Option) -> str:
    return draft.battle.gm.policy(option.unit, option.defence.id)


def _best(draft: Draft, before: Battle, blow: Blow, found: Sequence[Option], against: str) -> Option:
    """The one most likely to stop the attack, of those alike the cheapest, then the first."""

    def worth(option: Option) -> tuple[Fraction, int]:
        chance = _chance(draft, before, blow, option, against) if len(found) > 1 else None
        return chance or Fraction(0), -sum(option.cost.values())

    return replace(max(found, key=worth), is_by_itself=True)


def is_against(defence: Defence, against: str) -> bool:
    """Whether a defence is for that sort of attack: SHARED or one of AGAINST."""
    if against == SHARED:
        return AIMED in defence.against and not defence.counter
    return against in defence.against


def _follows(defence: Defence, blow: Blow) -> bool:
    """Whether a defence is for attacks that come to such a grade."""
    return comes_after(defence.on, blow.grade.id, blow.grade.is_hit)


def defenders(battle: Battle, rules: Ruleset, situation: Situation, defence: Defence) -> list[Unit]:
    """Those who might take a defence against an attack, the nearest ally first."""
    attacker, target = battle.unit(situation.attacker.id), battle.unit(situation.target.id)
    if defence.by == "target":
        return [target] if not target.is_defeated and target.id != attacker.id else []
    far: dict[str, float] = {}
    for other in battle.units.values():
        if other.side != target.side or other.is_defeated or other.id in (target.id, attacker.id):
            continue
        distance = distance_between(battle.field, rules, target, other)
        if defence.within is None or distance <= defence.within:
            far[other.id] = float(distance)
    return [battle.units[unit_id] for unit_id in sorted(far, key=lambda unit_id: far[unit_id])]


def _facts(draft: Draft, blow: Blow, unit: Unit) -> dict[str, Value]:
    """Facts for a defence: those of the attack, its roll and its grade, and of the one who defends."""
    rules, situation = draft.rules, blow.situation
    facts = roll_facts(rules, situation.facts, blow.ledger, blow.rolled, blow.dice)
    facts |= {"grade": blow.grade.id, "hit": blow.grade.is_hit}
    return facts | defender_facts(draft.battle, rules, situation, unit)


def defender_facts(battle: Battle, rules: Ruleset, situation: Situation, unit: Unit) -> dict[str, Value]:
    """Facts of the one who defends, and full values of the two whom the attack is between."""
    return {
        **unit_facts(battle, rules, unit, "defender"),
        **weapon_facts(rules, unit, rules.gear.weapons.get(unit.gear.weapon), "defender_weapon"),
        **full_facts(rules, unit, "defender"),
        **full_facts(rules, situation.attacker, "attacker"),
        **full_facts(rules, situation.target, "target"),
    }


def _again(
    draft: Draft, before: Battle, situation: Situation, ally: Unit | None, learned: Mapping[str, Value]
) -> Situation:
    """The same attack after a defence, on the target as it is now; or on the ally to whom it is redirected."""
    rules = draft.rules
    if ally is not None:
        situation = observe_again(before, rules, situation, ally.id)
    now = draft.battle.unit(situation.target.id)
    facts = unit_facts(draft.battle, rules, now, "target")
    return replace(with_facts(rules, situation, {**facts, **learned}), target=now)


def _answer(draft: Draft, before: Battle, blow: Blow, option: Option, against: str) -> Answer:
    price = price_words(option.cost, draft.rules) or "free"
    chance = _chance(draft, before, blow, option, against)
    stops = f", stops it {percent(chance)}" if chance else ""
    back = _told_counter(draft, before, blow, option, against) if option.defence.counter else ""
    label = f"{option.unit.name}: {option.defence.label}"
    because = option.defence.because
    good = because.render(_facts(draft, blow, option.unit)) if because else ""
    told = ", ".join(filter(None, (f"{price}{stops}", good)))
    return Answer(option.id, label, f"{told}{back}", option.unit.id, option.defence.id)


def _told_counter(draft: Draft, before: Battle, blow: Blow, option: Option, against: str) -> str:
    """How likely the attack that a defence answers with hits and hurts: ", hits 36 %, hurt 20 %"."""
    after, rules = Draft(draft.battle, draft.rules), draft.rules
    with suppress(NeedDice):  # as it is where the defence itself is rolled for
        defend(after, before, blow, option, _Certain(), against)
    shot = consider(after.battle, rules, counter_wish(option.unit, blow, option.defence))
    outlook = foreseen(after.battle, rules, shot).outlook
    return f", hits {percent(shot.odds.hit)}{f', hurt {percent(outlook.hurt)}' if outlook else ''}"


def _chance(draft: Draft, before: Battle, blow: Blow, option: Option, against: str) -> Fraction | None:
    """How likely the defence leaves nothing of a hit; None where that is not plain, or where nothing has hit."""
    if not blow.grade.is_hit or against == SHARED:  # it may be asked for a part of the hits
        return None
    try:
        return Fraction(_stops(draft, before, blow, option, against, _Certain()))
    except NeedDice as need:
        dice = need.dice
    try:
        ways = distribution(dice).items()
        stopped = (chance for total, chance in ways if _stops(draft, before, blow, option, against, _Certain(total)))
        return sum(stopped, start=Fraction(0))
    except (NeedDice, BattleboardError):  # a second roll, or too many dice to count
        return None


class _Certain:
    """One roll that comes to a total; asks for any other, and for that one too while no total is said."""

    def __init__(self, total: int | None = None) -> None:
        self._total = total

    def request(self, dice: Dice, purpose: str) -> Request:
        if self._total is None:
            raise NeedDice(purpose, dice)
        request = Request(dice, purpose, (), None)
        request.total, self._total = self._total, None
        return request


def _stops(draft: Draft, before: Battle, blow: Blow, option: Option, against: str, dice: DiceSource) -> bool:
    after = defend(Draft(draft.battle, draft.rules), before, blow, option, dice, against)
    facts = roll_facts(draft.rules, after.situation.facts, after.ledger, after.rolled, after.dice)
    is_on_another = after.situation.target.id != blow.situation.target.id
    return is_on_another or not after.grade.is_hit or not strikes_of(draft.rules, facts, after.grade)
