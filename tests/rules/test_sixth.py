"""A sixth system, invented and written in TOML alone, plays a whole fight: rules are data, and nothing else is.

It is in `tests/rulesets/sixth` and unlike the five: two dice over a mark, a card for the order, cover as a save that
splinters, distances by the straight line, flasks that bounce on the way they flew.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine.answers import GivenAnswer
from engine.battle import command as cmd
from engine.battle import events as ev
from engine.battle.apply import apply
from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.unit_actions import Ready
from engine.battle.moves.moves import movement_range
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.battle.state.units import ROLES, Unit
from engine.errors import Illegal
from engine.rules.model import Ruleset
from maps import load_map, shipped_maps
from rulesets import load_ruleset
from tests.rules.table import Table
from tests.rules.transcript import Defended, Policy, play

FOLDER = Path(__file__).parents[1] / "rulesets" / "sixth"
ROOT = Path(__file__).parents[2]
MOST_ROUNDS = 60
NEAREST = 3
"""Enemies that are considered."""


@cache
def sixth() -> Ruleset:
    return load_ruleset(FOLDER)


def table_on(map_id: str, seed: str) -> Table:
    drawn, rules = load_map(shipped_maps()[map_id]), sixth()
    return Table(rules, apply(Battle(drawn.battlefield), begin(drawn.placements, rules, seed)))


def enemies(table: Table, unit: Unit) -> list[Unit]:
    def far(other: Unit) -> tuple[int, str]:
        return (other.at.column - unit.at.column) ** 2 + (other.at.row - unit.at.row) ** 2, other.id

    return sorted((o for o in table.battle.units.values() if unit.is_enemy_of(o) and not o.is_defeated), key=far)


def shots(table: Table, unit: Unit) -> list[tuple[AttackPreview, cmd.Attack]]:
    """Every attack that is allowed now, with what it would be."""
    weapon = table.rules.gear.weapons[unit.gear.weapon]
    wishes = [
        cmd.Attack(unit.id, enemy.id, unit.gear.weapon, action.id)
        for action in attack_actions(table.rules, weapon)
        for enemy in enemies(table, unit)[:NEAREST]
    ]
    found = ((consider(table.battle, table.rules, wish), wish) for wish in wishes)
    return [(shot, wish) for shot, wish in found if not shot.refusal]


def defence(unit: Unit, kind: str) -> str:
    """Whoever can duck does."""
    can = kind == "ranged" and unit.turn.budget["riposte"] and not {"braced", "shaken"} & set(unit.conditions)
    return "duck" if can else ""


def worth(shot: AttackPreview) -> float:
    """A sweep over several enemies first, then the best chance; a volley hits with more than one bolt."""
    if shot.caught is not None:
        return sum(unit.is_enemy_of(shot.situation.attacker) for unit in shot.caught) - 1
    return float(shot.odds.hit) * (1.5 if shot.situation.action.id == "volley" else 1)


def walk(table: Table, unit: Unit, enemy: Unit, chance: Random) -> cmd.Move | None:
    """A walk to where the enemy is nearest; anywhere, when none leads nearer."""
    found = movement_range(table.battle, table.rules, unit)
    goals = {square for reach in found.reaches for square in reach.costs}

    def far(column: int, row: int) -> int:
        return (column - enemy.at.column) ** 2 + (row - enemy.at.row) ** 2

    if not goals:
        return None
    best = min(sorted(goals), key=lambda square: far(*square))
    if far(*best) >= far(*unit.at):
        best = chance.choice(sorted(goals))
    return cmd.Move(unit.id, found.path(best))


def fighter() -> Policy:
    """Uses everything that the system has: attacks with the best chance, else nearer, else another weapon or a word."""
    chance = Random("fighter")

    def policy(table: Table):  # type: ignore[no-untyped-def]
        unit = table.unit(table.battle.turns.active)
        if unit.posture == "prone":
            yield cmd.Act(unit.id, "rise")
        if unit.role == "leader":
            shaken = [o for o in table.battle.units.values() if o.side == unit.side and "shaken" in o.conditions]
            for other in shaken:
                yield cmd.Act(unit.id, "hearten", other.id)
        for _ in range(4):
            unit = table.unit(unit.id)
            foes = enemies(table, unit)
            if not foes:
                return
            for opening in table.battle.openings:
                yield cmd.Attack(opening.unit, opening.against)
            if possible := shots(table, unit):
                shot, wish = max(possible, key=lambda one: worth(one[0]))
                ducks = defence(table.unit(wish.target), shot.situation.weapon.kind)
                yield wish if shot.caught is not None else Defended(wish, ducks)
                continue
            if unit.gear.rounds.get(unit.gear.weapon) == 0 and (yield cmd.Act(unit.id, "charge")):
                continue
            step = walk(table, unit, foes[0], chance)
            if step is not None and (yield step):
                continue
            done = False
            for weapon in unit.gear.weapons:
                done = done or (yield Ready(unit.id, weapon))
            if not done:
                yield cmd.Act(unit.id, "jeer")
                yield cmd.Act(unit.id, "brace")
                return

    return policy


@cache
def whole_fight(map_id: str, time: int = 1) -> tuple[Table, list[str], Counter[str]]:
    """A fight to its end, its log and how often each kind of event happened; another `time` is played anew."""
    table, kinds = table_on(map_id, "sixth"), Counter[str]()
    do = table.do

    def counted(command: cmd.Command, *answers: tuple[int, ...] | GivenAnswer) -> list[str]:
        lines = do(command, *answers)
        kinds.update(type(event).__name__ for event in table.events)
        return lines

    table.do = counted  # type: ignore[method-assign]
    return table, play(table, fighter(), MOST_ROUNDS), kinds


def test_it_has_a_sheet_for_every_role_and_is_like_none_of_the_five():
    rules = sixth()
    assert set(ROLES) <= set(rules.units.sheets)
    assert (rules.attack.test.kind, rules.attack.test.dice.text) == ("roll-over", "2d6")
    assert (rules.turns.initiative.dice.text, rules.distance.metric, rules.distance.rounding) == (
        "1d52",
        "euclidean",
        "up",
    )


@pytest.mark.slow
@pytest.mark.parametrize("map_id", sorted(shipped_maps()))
def test_a_whole_fight_is_played_to_its_end(map_id: str):
    table, lines, kinds = whole_fight(map_id)
    sides = {unit.side for unit in table.battle.units.values() if not unit.is_defeated and not unit.is_neutral}
    assert len(sides) == 1, lines[-1]
    assert kinds["AttackRolled"] > 10 and kinds["UnitMoved"] > 5 and kinds["UnitDefeated"] > 2


@pytest.mark.slow
def test_the_same_seed_is_the_same_fight():
    assert whole_fight("frontier-trail", time=2)[1] == whole_fight("frontier-trail")[1]


@pytest.mark.slow
def test_every_part_of_it_comes_up_in_some_fight():
    kinds, told = Counter[str](), list[str]()
    for map_id in sorted(shipped_maps()):
        _, lines, happened = whole_fight(map_id)
        kinds += happened
        told += lines
    missing = {
        "BurstLanded",
        "BurstCaught",
        "CoverWorn",
        "ConditionBegan",
        "DefenceTaken",
        "StrikeBegan",
    } - kinds.keys()
    assert not missing
    for word in ("The cover stops", "Calm against the din", "splinters", "is shaken", "Volley", "Cut", "Over its head"):
        assert any(word in line for line in told), word


def test_nobody_but_its_own_files_and_tests_knows_its_name():
    rules = sixth()
    for folder in ("engine", "maps", "rulesets", "tui"):
        for file in (ROOT / folder).rglob("*.py"):
            text = file.read_text(encoding="utf-8").lower()
            assert rules.id not in text and rules.name.lower() not in text, file


def test_the_order_is_drawn_anew_each_round_and_the_same_card_again():
    table = table_on("warehouse", "cards")
    first, second, *others = table.battle.units
    cards = [(40,), (40,), *((1 + place,) for place, _ in enumerate(others))]
    table.do(RollInitiative(), *cards, (10,), (51,))
    assert table.battle.turns.order == (second, first, *reversed(others))
    while table.battle.turns.round == 1:
        table.do(cmd.EndTurn())
    assert {one.who for one in table.happened(ev.InitiativeRolled)} == {first, second, *others}
    assert table.battle.turns.active == table.battle.turns.order[0]


def test_it_refuses_in_its_own_words():
    table = table_on("warehouse", "words")
    table.do(RollInitiative())
    with pytest.raises(Illegal, match="it stands"):
        table.do(cmd.Act(table.battle.turns.active, "rise"))
