"""The chances shown are the chances there are: exact odds against dice that are rolled and counted."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random

import pytest

from engine.battle import events as ev
from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.command import Attack
from engine.battle.commands.decide import decide
from engine.battle.commands.ruling_commands import Adjust
from engine.dice.distributions import distribution
from engine.dice.sources import SeededSource, roll
from engine.journal.history import History
from engine.rules.ledger import Adjustment
from engine.rules.model import Ruleset
from engine.rules.roll_odds import judge, worths
from tests.examples import sample
from tests.rules.table import Table, entry, fight

SITUATIONS, ROLLS, SIGMAS = 30, 20_000, 5

ROLES = ("gunman", "rifleman", "marksman", "brawler", "leader", "shield-bearer", "civilian", "drone")
GROUND = "......o..%.,..O.."


def random_table(random: Random) -> Table:
    """Two units on a random strip of ground, in random postures, moods and light."""
    name = random.choice(("occult-ops", "cwn"))
    width = random.randint(2, 16)
    rows = ["".join(random.choice(GROUND) for _ in range(width)) for _ in range(3)]
    place = random.randrange(1, width)
    rows[1] = "a" + rows[1][1:place] + "b" + rows[1][place + 1 :]
    toml = f'[light]\nambient = "{random.choice(("bright", "dim", "dark"))}"'
    table = fight(name, *rows, toml=toml, a=random.choice(ROLES), b=random.choice(ROLES))
    for unit in "ab":
        if random.random() < 0.5:
            table.posture(unit, random.choice(("kneeling", "prone")))
        if random.random() < 0.4:
            table.condition(unit, random.choice(list(table.rules.units.conditions)))
    if random.random() < 0.3:
        table.do(Adjust(Adjustment("luck", "Luck", random.choice((-7, 3, Fraction(5, 2))))))
    return table


def random_shot(random: Random) -> tuple[Ruleset, AttackPreview]:
    """An attack that is possible."""
    while True:
        table = random_table(random)
        shot = consider(table.battle, table.rules, Attack("a", "b", random.choice(table.unit("a").gear.weapons)))
        if shot.ledger.is_possible:
            return table.rules, shot


def check(counted: Counter[str], chances: dict[str, Fraction], rolls: int) -> None:
    for grade, chance in chances.items():
        expected, spread = float(rolls * chance), sqrt(rolls * chance * (1 - chance))
        assert abs(counted[grade] - expected) <= SIGMAS * spread, f"{grade}: {counted[grade]}, expected {expected:.0f}"


@pytest.mark.long
@pytest.mark.parametrize("number", range(SITUATIONS))
def test_odds_agree_with_counting(number: int) -> None:
    rules, shot = random_shot(Random(number))
    facts, dice = shot.situation.facts, SeededSource(f"count {number}")
    sides = rules.attack.test.dice.highest
    assert rules.attack.test.dice.text == f"1d{sides}"

    @cache
    def grade(rolled: int) -> str:
        return judge(rules, facts, shot.ledger, rolled).id

    counted = Counter(grade(dice.draw(sides)) for _ in range(ROLLS))
    chances = {found.id: chance for found, chance in shot.odds.grades}
    assert sum(chances.values()) == 1
    assert shot.odds.hit == sum(chance for found, chance in shot.odds.grades if found.is_hit)
    check(counted, chances, ROLLS)


def test_a_roll_of_one_die_is_a_draw_from_the_seed() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman")
    one, other = SeededSource("same", 7), SeededSource("same", 7)
    for _ in range(50):
        assert roll(table.rules.attack.test.dice, one, "test").total == other.draw(100)


@pytest.mark.long
@pytest.mark.parametrize("name", sample(["occult-ops", "cwn"]))
def test_odds_agree_with_attacks_that_are_really_made(name: str) -> None:
    table = fight(name, "a..ob", a="gunman", b="gunman")
    shot, counted, rolls = table.shot(), Counter[str](), 400
    history = History(table.battle)
    for _ in range(rolls):
        events = decide(history.battle, Attack("a", "b"), table.rules)
        (attack,) = [event for event in events if isinstance(event, ev.AttackRolled)]
        counted[attack.grade] += 1
        drawn = events[-1]
        assert isinstance(drawn, ev.DiceDrawn)
        history = History(history.take((drawn,)).battle)
    check(counted, {grade.id: chance for grade, chance in shot.odds.grades}, rolls)


@pytest.mark.parametrize("number", range(10))
def test_every_die_is_judged_once(number: int) -> None:
    """The chance of each grade is the share of the die's faces that come to it."""
    rules, shot = random_shot(Random(100 + number))
    faces = distribution(rules.attack.test.dice)
    chances: Counter[str] = Counter()
    for face, chance in faces.items():
        chances[judge(rules, shot.situation.facts, shot.ledger, face).id] += chance  # type: ignore[assignment]
    assert {grade.id: chance for grade, chance in shot.odds.grades if chance} == dict(chances)


@pytest.mark.parametrize("number", range(10))
def test_what_an_entry_is_worth_is_what_taking_it_away_changes(number: int) -> None:
    random = Random(200 + number)
    while True:
        table = random_table(random)
        shot = table.shot()
        if shot.ledger.is_possible:
            break
    for worth in worths(table.rules, shot.situation.facts, shot.ledger):
        value = 3 if worth.entry == "luck" else None  # the GM's own line is hers to state anew
        without = Table(table.rules, table.battle)
        without.do(Adjust(Adjustment(worth.entry, value=value, active=False)))
        line = entry(without.shot().ledger, worth.entry)
        assert line and not line.active
        assert shot.odds.hit - without.shot().odds.hit == worth.change
