"""The outlook is what comes of attacks: exact chances of damage and defeat against dice that are rolled and counted."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import inf, log

import pytest

from engine.answers import typed_dice
from engine.battle.apply import apply_all
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import AttackPreview, DamageOdds
from engine.battle.attacks.damage_odds import outlook
from engine.battle.attacks.effect_analysis import damage_pools
from engine.battle.attacks.play import PlayDriver
from engine.battle.attacks.resolve import defended, follow
from engine.battle.attacks.resolve_effects import Blow
from engine.battle.command import Attack
from engine.battle.commands.decide import decide
from engine.battle.event_builder import EventBuilder
from engine.battle.narration.preview_text import damage_words
from engine.battle.state.units import Unit
from engine.dice.sources import SeededSource, roll
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from engine.rules.roll_odds import judge
from engine.values import replace
from rulesets import shipped_rulesets
from tests.rules.table import Table, fight
from tests.rules.test_rolls import STRIKES, apart, rules_of, table
from tui.view.panels.attack_panel import shot_text

SIGMAS = 5
Result = tuple[int, bool]
"""What the vital pools lost, and whether the target dropped."""


def odds_of(here: Table, shot: AttackPreview) -> DamageOdds:
    found = outlook(here.battle, here.rules, shot)
    assert found is not None
    assert sum(chance for _, chance in found.damage) + found.unsettled == 1
    assert found.hurt == sum(chance for amount, chance in found.damage if amount)
    assert found.expected == sum(amount * chance for amount, chance in found.damage)
    return found


def result(rules: Ruleset, before: Unit, after: Unit) -> Result:
    lost = (before.pools[pool] - after.pools[pool] for pool in damage_pools(rules))
    return sum(max(0, amount) for amount in lost), after.is_defeated


def rolled(here: Table, shot: AttackPreview, dice: SeededSource) -> Result:
    """One attack as the battle makes it, from its roll on."""
    rules = here.rules
    made = roll(rules.attack.test.dice, dice, "attack")
    grade = judge(rules, shot.situation.facts, shot.ledger, made.total, made.dice)
    draft = EventBuilder(here.battle, rules)
    PlayDriver(draft, dice).run(defended(Blow(shot.situation, shot.ledger, made.total, grade, made.dice), follow))
    target = shot.situation.target.id
    return result(rules, here.battle.unit(target), draft.battle.unit(target))


def divergence(share: float, chance: float) -> float:
    """Kullback–Leibler divergence of a share from a chance: so far or further has at most exp(−rolls × divergence)."""
    parts = ((share, chance), (1 - share, 1 - chance))
    return sum(one * log(one / other) if other else inf for one, other in parts if one)


def agrees(found: DamageOdds, counted: Counter[Result], rolls: int) -> None:
    """Each count as close to its chance as five standard deviations are, also where it is so rare that it has none."""
    drops = sum(times for (_, is_dropped), times in counted.items() if is_dropped)
    amounts = Counter[int]()
    for (amount, _), times in counted.items():
        amounts[amount] += times
    chances = dict(found.damage)
    assert set(amounts) <= set(chances)
    for times, chance in [(drops, found.drop), *((amounts[amount], chance) for amount, chance in found.damage)]:
        assert rolls * divergence(times / rolls, float(chance)) <= SIGMAS**2 / 2


PAIRS = (
    ("a..ob", "gunman", "gunman"),
    ("ab", "brawler", "shield-bearer"),
    ("a.....b", "rifleman", "civilian"),
    ("a.b", "machine-gunner", "leader"),
)


def attacks(name: str) -> tuple[tuple[Table, AttackPreview], ...]:
    """Under one ruleset, every kind of attack with every weapon of some fighters, as far as it has an outlook."""
    found: list[tuple[Table, AttackPreview]] = []
    for row, attacker, target in PAIRS:
        here = fight(name, row, a=attacker, b=target)
        own = here.unit("a").gear.weapons
        for weapon, action in product(own, here.rules.actions.values()):
            if action.kind != "attack":
                continue
            here = fight(name, row, a=attacker, b=target).arm("a", weapon, *own)
            with suppress(BattleboardError):  # it does not fit the weapon
                shot = here.shot(weapon, action.id)
                if outlook(here.battle, here.rules, shot):
                    found.append((here, shot))
    return tuple(found)


def own_tables() -> list[Table]:
    """Fights under small rulesets: strikes, dice read apart, and what one strike leaves for the next."""
    once = rules_of(('lose = "damage"', 'once = true\nlose = "damage * strikes"'), more=STRIKES)
    worn = rules_of(('lose = "damage"', 'lose = "damage if target.hp > 4 else 1 + strike_number"'), more=STRIKES)
    return [table(rules) for rules in (rules_of(more=STRIKES), once, worn, apart(13), apart(24))]


@pytest.mark.parametrize("number", range(5))
def test_strikes_and_dice_read_apart_come_out_as_the_odds_say(number: int) -> None:
    here, rolls = own_tables()[number], 400
    shot, dice = here.shot(), SeededSource(f"outlook {number}")
    agrees(odds_of(here, shot), Counter(rolled(here, shot, dice) for _ in range(rolls)), rolls)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_attacks_of_the_shipped_rulesets_come_out_as_the_odds_say(name: str) -> None:
    dice, rolls = SeededSource(f"outlook {name}"), 150
    for row, attacker, target in PAIRS[:2]:
        here = fight(name, row, a=attacker, b=target)
        shot = here.shot()
        agrees(odds_of(here, shot), Counter(rolled(here, shot, dice) for _ in range(rolls)), rolls)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_a_hundred_thousand_attacks_come_out_as_the_odds_say(name: str) -> None:
    found = attacks(name)
    dice, rolls = SeededSource(name), 100_000 // len(shipped_rulesets()) // len(found)
    for here, shot in found:
        agrees(odds_of(here, shot), Counter(rolled(here, shot, dice) for _ in range(rolls)), rolls)


def test_every_way_the_dice_can_fall_gives_the_very_chances() -> None:
    """Two strikes of 1d3 after a d20, every die typed: not a sample, all of them."""
    rules = rules_of(
        ('dice = "1d100"', 'dice = "1d20"'),
        ('value = "attacker.skill"', "value = 2"),
        ('damage = "2d6"', 'damage = "1d3"'),
        ('lose = "damage"', 'lose = "damage + (strike_number if target.hp < 9 else 0)"'),
        ("{ skill = 45 }", "{ skill = 25 }"),
        more=STRIKES.replace("// 10", "// 6"),
    )
    here = table(rules)
    found, counted = odds_of(here, here.shot()), Counter[Result]()
    for first, one, other in product(range(1, 21), range(1, 4), range(1, 4)):
        typed: tuple[tuple[int, ...], ...] = ((first,), (one,), (other,))
        for use in (typed, typed[:2], typed[:1]):
            try:
                events = decide(here.battle, Attack("a", "b"), rules, typed_dice(use))
            except BattleboardError:  # more was typed than is rolled
                continue
            counted[result(rules, here.unit("b"), apply_all(here.battle, events).unit("b"))] += 1
            break
    assert sum(counted.values()) == 180
    assert found.drop == Fraction(sum(times for (_, out), times in counted.items() if out), 180)
    assert dict(found.damage) == {
        amount: Fraction(sum(times for (lost, _), times in counted.items() if lost == amount), 180)
        for amount in {lost for lost, _ in counted}
    }


def test_what_cannot_be_or_has_no_target_has_no_outlook() -> None:
    here = fight("occult-ops", "a..#b", a="gunman", b="gunman")
    assert outlook(here.battle, here.rules, here.shot(changed={"distance": 10_000})) is None


def test_too_many_ways_are_left_out_and_it_says_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    here = table(rules_of(more=STRIKES))
    whole = odds_of(here, here.shot())
    monkeypatch.setattr(
        "engine.battle.attacks.damage_odds.MOST_STATES", 15
    )  # enough for 2d6, but not after several strikes
    part = odds_of(here, here.shot())
    assert whole.unsettled == 0 < part.unsettled < 1
    assert part.hurt <= whole.hurt <= part.hurt + part.unsettled
    assert part.drop <= whole.drop <= part.drop + part.unsettled


@pytest.mark.parametrize(
    ("hurt", "drop", "expected", "told", "brief"),
    [
        (Fraction(4, 9), Fraction(1, 900), Fraction(7, 3), "wounds 44 % · drops 0.1 % · avg. damage 2.3",
         "wounds 44 % · drops 0.1 % · dmg 2.3"),
        (Fraction(1), Fraction(999, 1000), Fraction(12), "wounds 100 % · drops >99 % · avg. damage 12",
         "wounds 100 % · drops >99 % · dmg 12"),
        (Fraction(1, 50), Fraction(0), Fraction(1, 40), "wounds 2 % · drops 0 % · avg. damage 0.1",
         "wounds 2 % · drops 0 % · dmg 0.1"),
    ],
)  # fmt: skip
def test_it_is_reported_in_a_few_words(
    hurt: Fraction, drop: Fraction, expected: Fraction, told: str, brief: str
) -> None:
    found = DamageOdds(hurt, hurt, drop, expected, ())
    assert (damage_words(found), damage_words(found, is_brief=True)) == (told, brief)
    assert damage_words(replace(found, unsettled=Fraction(1, 100)), is_brief=True) == brief.replace(" %", " %+") + "+"


def test_the_panel_shows_it_with_the_chance_to_hit_on_top() -> None:
    here = fight("cwn", "a...b", a="gunman", b="gunman")
    shot = with_odds(here.battle, here.rules, here.shot())
    rows = [row.rstrip() for row in shot_text(shot, here.rules, 32, 10).plain.split("\n")]
    assert rows[0].startswith(" HIT 85 %") and "wounds 85 %·drops 7.1 %·dmg 4.8" in rows
    high = [" ".join(row.split()) for row in shot_text(shot, here.rules, 60, 30).plain.split("\n")]
    assert "wounds ━━━━━━━━━━━━━━━━━─── 85 %" in high and "drops ━─────────────────── 7.1 %" in high
    assert "avg. damage 4.8" in high


def test_what_is_set_by_hand_is_what_it_starts_from() -> None:
    here = fight("cwn", "a...b", a="gunman", b="gunman")
    usual = odds_of(here, here.shot())
    frail = odds_of(here, here.shot(changed={"target.hp": 1}))
    assert usual.drop < frail.drop == frail.hurt == frail.expected


@pytest.mark.parametrize("name", ["aog", "cwn", "eva", "occult-ops"])
def test_who_is_out_already_cannot_drop(name: str) -> None:
    here = fight(name, "a...b", a="gunman", b="gunman")
    down = {f"target.{pool}": 0 for pool in here.unit("b").pools}
    assert odds_of(here, here.shot(changed={f"target.{pool}": 1 for pool in here.unit("b").pools})).drop > 0
    assert odds_of(here, here.shot(changed=down)).drop == 0
