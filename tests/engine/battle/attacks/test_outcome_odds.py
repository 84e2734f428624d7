"""Odds of what is no damage: conditions, postures, weapons lost, against attacks whose events are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from math import sqrt
from unittest.mock import patch

import pytest

from engine.answers import Needs, typed_dice
from engine.battle import events as ev
from engine.battle.attacks import damage_odds
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import AttackPreview, DamageOdds, aim_of
from engine.battle.attacks.blast_rings import rings_of
from engine.battle.attacks.blasts import go_off
from engine.battle.attacks.damage_odds import outlook
from engine.battle.attacks.making_attacks import _sweep
from engine.battle.attacks.play import PlayDriver
from engine.battle.attacks.resolve import defended, follow
from engine.battle.attacks.resolve_effects import Blow
from engine.battle.command import Attack
from engine.battle.commands.decide import decide
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.defence_choices import NOBODY_ASKED
from engine.battle.event_builder import EventBuilder
from engine.battle.state.gm_overrides import AUTO
from engine.context import Cache
from engine.dice.distributions import distribution
from engine.dice.sources import SeededSource, roll
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from engine.rules.roll_odds import judge
from engine.values import replace
from rulesets import shipped_rulesets
from tests.examples import sample
from tests.golden import fractions
from tests.rules.table import Table, fight, roll_asked, ruleset
from tests.rules.test_rolls import STRIKES, rules_of

SIGMAS, RARE_EVENTS = 5, 3
"""A count may differ by so many standard deviations, and by a few more where something hardly ever happens."""
Happened = frozenset[tuple[str, str]]
"""Unit and id of each change of state."""


def happened(events: Iterable[ev.Event]) -> Happened:
    """Changes of state that events tell: an own list, from what is in the log and not from effects."""
    found = set[tuple[str, str]]()
    for event in events:
        match event:
            case ev.ConditionBegan(unit, condition):
                found.add((unit, condition))
            case ev.ConditionEnded(unit, condition):
                found.add((unit, f"no-{condition}"))
            case ev.PostureTaken(unit, posture):
                found.add((unit, posture))
            case ev.WeaponDropped(unit):
                found.add((unit, "disarmed"))
            case ev.WeaponBroken(unit):
                found.add((unit, "weapon-broken"))
            case ev.UnitPushed(unit):
                found.add((unit, "pushed"))
            case ev.OpeningGiven(_, against):
                found.add((against, "exposed"))
            case ev.TurnBegan(unit) | ev.TurnWaits(unit):
                found.add((unit, "extra-turn"))
    return frozenset(found)


def chances(odds: DamageOdds, target: str = "b") -> dict[tuple[str, str], Fraction]:
    """The chance of each change, by unit and id."""
    whose = {"attacker": "a", "target": target}
    assert len({(one.whom, one.id) for one, _ in odds.outcomes}) == len(odds.outcomes)
    return {(whose[one.whom], one.id): chance for one, chance in odds.outcomes}


def odds_of(here: Table, shot: AttackPreview) -> DamageOdds:
    found = outlook(here.battle, here.rules, shot)
    assert found is not None
    return found


def agrees(odds: DamageOdds, counted: Counter[tuple[str, str]], rolls: int, target: str = "b") -> None:
    for which, chance in chances(odds, target).items():
        spread = sqrt(rolls * chance * (1 - chance))
        most = SIGMAS * spread + (RARE_EVENTS if 0 < chance < 1 else 0)
        assert abs(counted[which] - rolls * chance) <= most, (which, counted[which], rolls, float(chance))


def rolled(here: Table, shot: AttackPreview, dice: SeededSource) -> Happened:
    """One attack as the battle makes it, from its roll on."""
    rules, made = here.rules, roll(here.rules.attack.test.dice, dice, "attack")
    grade = judge(rules, shot.situation.facts, shot.ledger, made.total, made.dice)
    draft, blow = EventBuilder(here.battle, rules), Blow(shot.situation, shot.ledger, made.total, grade, made.dice)
    rings = rings_of(here.battle.field, rules, shot.situation, shot.ledger)
    if shot.caught is not None:
        _sweep(draft, blow, shot.caught, dice, NOBODY_ASKED)
    elif not rings or not grade.is_hit:
        PlayDriver(draft, dice).run(defended(blow, follow))
    if rings and grade.goes_off:
        go_off(draft, blow, rings, dice, NOBODY_ASKED)
    return happened(draft.events)


def fights(name: str, pairs: Iterable[tuple[str, str]] = ()) -> Iterator[tuple[Table, AttackPreview]]:
    """Under one ruleset every attack with a weapon, beside the target or at a distance, that may change any state."""
    for action, weapon in pairs or fractions.attacks(ruleset(name)):
        for row in ("....ab...c", "....a...b.c"):
            here = fight(name, row, a="brawler", b="gunman", c="civilian")
            here = here.arm("a", weapon)
            with suppress(BattleboardError):
                shot = with_odds(here.battle, here.rules, here.shot(weapon, action))
                area = any(risk.outlook.outcomes for risk in shot.area_risks)
                if shot.ledger.is_possible and (area or (shot.outlook and shot.outlook.outcomes)):
                    yield here, shot
                    break


def count(here: Table, shot: AttackPreview, dice: SeededSource, rolls: int) -> None:
    counted = Counter(one for _ in range(rolls) for one in rolled(here, shot, dice))
    if shot.outlook is not None:
        assert not shot.outlook.unsettled
        agrees(shot.outlook, counted, rolls)
        listed, own = chances(shot.outlook), {each for each in counted if each[0] == "b"}
        assert all(listed.get(each) for each in own), own
    for risk in shot.area_risks:
        agrees(risk.outlook, counted, rolls, risk.unit.id)


def is_for_state(shot: AttackPreview) -> bool:
    """Whether an attack changes the state of somebody else at least about as often as it wounds."""
    found = [shot.outlook] if shot.outlook is not None else [risk.outlook for risk in shot.area_risks]
    return any(
        one.whom == "target" and chance and 2 * chance >= odds.hurt for odds in found for one, chance in odds.outcomes
    )


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_attacks_made_for_a_condition_bring_it_as_often_as_the_odds_say(name: str) -> None:
    found = [one for one in fights(name) if is_for_state(one[1])]
    assert found or name in ("cwn", "volt")
    for here, shot in found:
        count(here, shot, SeededSource(f"outcomes {name}"), 60)


@pytest.mark.parametrize(
    ("name", "grenade"), [("aog", "flashbang"), ("cwn", "flash-grenade"), ("occult-ops", "flash-grenade")]
)
def test_a_flash_stuns_or_blinds_as_often_as_the_odds_say(name: str, grenade: str) -> None:
    pairs = [pair for pair in fractions.weapons(ruleset(name)) if pair[1] == grenade]
    ((here, shot),) = fights(name, pairs)
    assert shot.area_risks and is_for_state(shot)
    count(here, shot, SeededSource(f"flash {name}"), 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_every_attack_changes_states_as_often_as_the_odds_say(name: str) -> None:
    rules = ruleset(name)
    found = list(fights(name, sorted({*fractions.attacks(rules), *fractions.weapons(rules)})))
    assert found
    for here, shot in found:
        count(here, shot, SeededSource(f"outcomes {name}"), 1500)


def every_way(here: Table, command: Attack, *typed: tuple[int, ...]) -> Iterator[tuple[Fraction, Happened]]:
    """Every way the dice of an attack can fall, each typed, with its chance."""
    try:
        yield Fraction(1), happened(decide(here.battle, command, here.rules, typed_dice(typed), asks_dice=True))
    except Needs as need:
        for total, chance in distribution(roll_asked(need).dice).items():
            for share, found in every_way(here, command, *typed, (total,)):
                yield chance * share, found


def counted_exactly(here: Table, command: Attack) -> dict[tuple[str, str], Fraction]:
    """The chance of each change, by every way the dice can fall."""
    found, whole = dict[tuple[str, str], Fraction](), Fraction(0)
    for share, changes in every_way(here, command):
        whole += share
        for one in changes:
            found[one] = found.get(one, Fraction(0)) + share
    assert whole == 1
    return found


OPPOSED = """
[[effect]]
id = "own-test"
label = "Own test"
on = ["hit"]
when = "target.hp > 6"
roll = "1d12"
as = "own_test"
source = "ours"
[[effect]]
id = "their-test"
label = "Their test"
on = ["hit"]
when = "target.hp > 6"
roll = "1d12"
as = "their_test"
source = "ours"
[[effect]]
id = "wins"
label = "Wins"
on = ["hit"]
when = "target.hp > 6 and (1 if own_test > 4 else 0) + (1 if own_test > 8 else 0) > (1 if their_test > 6 else 0)"
posture = "prone"
source = "ours"
"""
EFFECTS = """
[[effect]]
id = "nerve"
label = "Nerve"
on = ["hit"]
roll = "1d4"
as = "nerve"
source = "ours"
[[effect]]
id = "stuns"
label = "Stun"
on = ["hit"]
when = "nerve > 2 and not target.stunned"
condition = "stunned"
source = "ours"
[[effect]]
id = "stuns-too"
label = "Another stun"
on = ["hit"]
when = "nerve == 1 and margin > 8"
condition = "stunned"
source = "ours"
[[effect]]
id = "floors"
label = "Down"
on = ["hit"]
when = "target.hp < 9 and nerve != 2"
posture = "prone"
source = "ours"
[[effect]]
id = "disarms"
label = "Out of hand"
on = ["hit"]
when = "strike_number == 2"
disarm = 5
direction = 1
source = "ours"
[[effect]]
id = "stumbles"
label = "Stumbles"
on = ["bad"]
whom = "attacker"
when = "roll == 20"
posture = "prone"
source = "ours"
[[effect]]
id = "notes"
label = "Bookkeeping"
on = ["always"]
whom = "attacker"
condition = "stunned"
source = "ours"
"""


def small() -> Ruleset:
    """A d20, up to two strikes of 1d2 each, and effects on the state of both."""
    return rules_of(
        ('dice = "1d100"', 'dice = "1d20"'),
        ('value = "attacker.skill"', "value = 2"),
        ('damage = "2d6"', 'damage = "1d2"'),
        more=STRIKES.replace("// 10", "// 6") + EFFECTS,
    )


@pytest.mark.long
def test_every_way_the_dice_can_fall_gives_the_very_chances_of_states() -> None:
    """Two ways to stun, one strike after another, what is asked for and changed at once: every die typed."""
    here = fight(small(), "a.b", scale=(5, "feet"), a="gunman", b="gunman")
    odds, counted = odds_of(here, here.shot()), counted_exactly(here, Attack("a", "b"))
    assert chances(odds) == {each: chance for each, chance in counted.items() if each != ("a", "stunned")}
    assert {("b", "stunned"), ("b", "prone"), ("b", "disarmed"), ("a", "prone")} == set(chances(odds))
    assert sum(chance for _, chance in odds.damage) == 1


def test_two_opposed_rolls_are_told_apart_by_what_they_come_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many states as dice would be too many here; where they are not rolled, nothing is asked of them."""
    rules = rules_of(('dice = "1d100"', 'dice = "1d20"'), ('damage = "2d6"', 'damage = "1d4"'), more=OPPOSED)
    here = fight(rules, "a.b", scale=(5, "feet"), a="gunman", b="gunman")
    monkeypatch.setattr("engine.rules.joint_distribution.MOST_PAIRS", 100)
    odds = odds_of(here, here.shot())
    assert not odds.unsettled
    wins = Fraction(4 + 4, 12) * Fraction(6, 12) + Fraction(4, 12) * Fraction(6, 12)  # own 1 beats 0; own 2 beats both
    hp = here.unit("b").pools["hp"]
    alive = Fraction(sum(hp - damage > 6 for damage in range(1, 5)), 4)
    assert alive > 0
    assert chances(odds)["b", "prone"] == odds.hit * alive * wins


@pytest.mark.long
@pytest.mark.parametrize("action", sample(["trip", "hold", "throw"]))
def test_occ_14_a_trip_a_hold_and_a_flip_by_every_die(action: str) -> None:
    """OCC-14: 59 of 100 rolls and the fumble that hits after all."""
    here = fight("occult-ops", "ab", a="brawler", b="gunman").arm("a", "kick" if action == "trip" else "punch")
    shot = here.shot(action=action)
    odds = odds_of(here, shot)
    aim = aim_of(odds)
    assert aim is not None and not odds.hurt
    counted = counted_exactly(here, Attack("a", "b", action=action))
    assert chances(odds)["b", aim.id] == counted["b", aim.id] > shot.odds.hit
    assert {each: chance for each, chance in counted.items() if each[0] == "b"} == {
        each: chance for each, chance in chances(odds).items() if each[0] == "b"
    }


def test_what_the_target_has_already_is_no_outcome() -> None:
    here = fight("occult-ops", "ab", a="brawler", b="gunman").arm("a", "kick")
    assert ("b", "prone") in chances(odds_of(here, here.shot(action="trip")))
    here.posture("b", "prone")
    assert ("b", "prone") not in chances(odds_of(here, here.shot(action="trip")))


def test_who_has_nothing_in_hand_is_not_disarmed() -> None:
    here = fight("occult-ops", "ab", a="brawler", b="gunman").arm("a", "punch")
    assert ("b", "disarmed") in chances(odds_of(here, here.shot(action="disarm")))
    bare = here.battle.unit("b")
    here.battle = here.battle.with_unit(replace(bare, gear=replace(bare.gear, weapons=(), weapon="")))
    assert ("b", "disarmed") not in chances(odds_of(here, here.shot(action="disarm")))


def test_an_aim_that_cannot_come_about_stands_there_with_0() -> None:
    here = fight("eva", "ab", a="brawler", b="gunman", stats={"a": {"weapon_skill": 0}}).arm("a", "unarmed")
    shot = here.shot(action="grapple")
    found = chances(odds_of(here, shot))
    assert not shot.odds.hit and not found["b", "grappled"]


def test_a_defence_takes_its_share_of_the_chance_of_a_state() -> None:
    here = fight("eva", "ab", a="brawler", b="brawler").arm("a", "unarmed")
    shot = with_odds(here.battle, here.rules, here.shot(action="grapple"))
    assert shot.defended is not None and shot.outlook is not None
    before, after = chances(shot.outlook)["b", "grappled"], chances(shot.defended.outlook)["b", "grappled"]
    assert 0 < after < before
    assert after == shot.defended.outlook.hit
    here.do(SetPolicy(AUTO))
    rolls, counted = 80, Counter[tuple[str, str]]()
    for number in range(rolls):
        battle = replace(here.battle, dice=replace(here.battle.dice, seed=f"state {number}"))
        counted.update(happened(decide(battle, Attack("a", "b", action="grapple", is_free=True), here.rules)))
    agrees(shot.defended.outlook, counted, rolls)


@pytest.mark.long
def test_those_struck_together_have_the_states_of_each_by_itself() -> None:
    swept = [one for one in fights("eva") if one[1].caught is not None]
    assert swept
    for here, shot in swept:
        with (
            patch.object(damage_odds, "_outlooks", Cache[DamageOdds](8)),
            patch.object(damage_odds, "state_by_state", lambda course, blow, start: None),
        ):
            assert with_odds(here.battle, here.rules, shot).area_risks == shot.area_risks
