"""Attacks: what one would be, why it cannot be made, and what making it does, in order."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.attacks.attack_preview import consider
from engine.battle.command import Attack
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.unit_actions import Face
from engine.battle.commands.unit_edits import Place, SetPool
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError, Illegal, Unknown
from engine.geometry.squares import Direction, parse_square
from engine.values import replace
from maps import load_map, shipped_maps
from rulesets import shipped_rulesets
from tests.examples import grid
from tests.rules.table import Table, fight, ruleset

OCC, CWN = "occult-ops", "cwn"


def duel(distance: int = 4, name: str = OCC) -> Table:
    return fight(name, "a" + "." * (distance - 1) + "b", a="gunman", b="gunman")


# --- what an attack does --------------------------------------------------------------------------------------------


def test_an_attack_pays_fires_turns_rolls_and_hurts_in_this_order() -> None:
    table = duel()
    table.do(Face("a", Direction.N))
    lines = table.do(Attack("a", "b"), (20,), (4, 6))
    assert [type(event).__name__ for event in table.events] == [
        "ActionTaken",
        "RoundsChanged",
        "UnitTurned",
        "AttackRolled",
        "EffectRolled",
        "PoolChanged",
    ]
    assert lines == [
        "A: USP9 15 → 14 rounds.",
        "A → B, Attack, USP9, 20 ft, 69 % to hit: rolled 20 (typed) vs 70: penetrating hit.",
        "Damage: 2d6 (4, 6) = 10, typed.",
        "B: hit points 20 → 10, penetrating hit.",
    ]
    a, b = table.unit("a"), table.unit("b")
    assert (a.turn.budget["attack"], a.gear.rounds["usp9"], a.facing, a.turn.attacks) == (0, 14, Direction.E, 1)
    assert (b.pools["hp"], b.is_defeated) == (10, False)


def test_an_attack_is_recorded_with_its_whole_receipt() -> None:
    table = duel()
    shot = table.shot()
    table.do(Attack("a", "b"), (20,), (4, 6))
    attack = table.attacked()
    assert attack.entries == shot.ledger.entries
    assert (attack.total, attack.target_number, attack.chance) == (70, 70, shot.odds.hit)
    assert (attack.distance, attack.sight) == ("20 ft", shot.situation.trace.words)
    assert (attack.weapon, attack.action, attack.grade, attack.is_hit) == ("usp9", "attack", "past-armour", True)


def test_a_unit_without_hit_points_is_out_of_the_fight() -> None:
    table = duel()
    lines = table.do(Attack("a", "b"), (1,), (6,))
    assert table.unit("b").pools["hp"] == 2
    table.turn_of("a")
    lines = table.do(Attack("a", "b"), (20,), (4, 6))
    assert lines[-1] == "B is out of the fight."
    assert table.unit("b").is_defeated and table.unit("b").pools["hp"] == 0


def test_no_pool_falls_below_nothing() -> None:
    table = duel()
    table.do(SetPool("b", "hp", 1))
    table.do(Attack("a", "b"), (20,), (6, 6))
    (change,) = table.happened(ev.PoolChanged)
    assert (change.before, change.after) == (1, 0)


def test_who_faces_the_target_already_is_not_turned() -> None:
    table = duel()
    table.do(Attack("a", "b"), (95,), (20,))
    table.turn_of("a").do(Attack("a", "b"), (95,), (20,))
    assert not table.happened(ev.UnitTurned)


def test_attacks_of_a_turn_are_counted() -> None:
    table = duel()
    assert table.shot().situation.facts["attack_number"] == 1
    table.do(Attack("a", "b"), (95,), (20,))
    assert table.shot().situation.facts["attack_number"] == 2
    assert table.worth("further-attack") == 0
    table.turn_of("a")
    assert table.shot().situation.facts["attack_number"] == 1


def test_a_free_attack_costs_nothing_and_needs_no_turn_but_rounds() -> None:
    table = duel()
    table.do(Attack("b", "a", is_free=True), (95,), (20,))
    assert not table.happened(ev.ActionTaken)
    assert table.unit("b").gear.rounds["usp9"] == 14
    assert table.battle.turns.active == "a"
    table.load("b", "usp9", 0)
    assert "0 rounds left" in table.refusal(Attack("b", "a", is_free=True))
    table.do(SetPool("b", "hp", 0))
    assert table.refusal(Attack("b", "a", is_free=True)) == "B is out of the fight."


def test_a_weapon_without_a_magazine_counts_no_rounds() -> None:
    table = duel(1)
    table.do(Attack("a", "b", "knife"), (80,))
    assert not table.happened(ev.RoundsChanged)


# --- refusals -------------------------------------------------------------------------------------------------------


def test_nobody_attacks_itself_or_the_fallen() -> None:
    table = duel()
    assert table.refusal(Attack("a", "a")) == "A cannot attack itself."
    table.do(SetPool("b", "hp", 0))
    assert table.refusal(Attack("a", "b")) == "B is already out of the fight."


def test_an_attack_that_the_ruleset_forbids_is_refused_with_its_reason() -> None:
    for command, reason in (
        (Attack("a", "b", "knife"), "Out of reach: the target is 20 ft away; melee needs an adjacent square"),
        (
            Attack("a", "b", "knife", is_free=True),
            "Out of reach: the target is 20 ft away; melee needs an adjacent square",
        ),
    ):
        assert duel().refusal(command).rstrip(".") == reason


def test_a_forbidden_attack_is_refused_in_a_whole_sentence() -> None:
    walled = fight(CWN, "a.#.b", a="gunman", b="gunman")
    for table, command in (
        (duel(), Attack("a", "b", "knife")),
        (duel(21), Attack("a", "b")),
        (duel(16, CWN).arm("a", "shotgun"), Attack("a", "b")),
        (walled, Attack("a", "b")),
    ):
        assert table.refusal(command).endswith(".")


def test_names_that_nothing_answers_to_are_refused_with_the_nearest() -> None:
    table = duel()
    assert table.refusal(Attack("a", "bb")).startswith("No unit is called 'bb'.")
    assert table.refusal(Attack("a", "b", "usp")) == "No weapon of A is called 'usp'. Did you mean 'usp9'?"
    assert table.refusal(Attack("a", "b", "sword")).startswith("No weapon of A is called 'sword'.")
    assert table.refusal(Attack("a", "b", action="aim")) == "No attack is called 'aim'. Did you mean 'aimed'?"
    assert table.refusal(Attack("a", "b", action="dodge")).startswith("No attack is called 'dodge'.")


def test_an_action_must_work_with_the_weapon() -> None:
    assert duel(1).refusal(Attack("a", "b", "knife", "aimed")) == "A's Knife has no “Aimed shot”."


def test_who_holds_nothing_attacks_with_nothing() -> None:
    table = duel()
    empty = replace(table.unit("a"), gear=replace(table.unit("a").gear, weapon="", weapons=(), rounds={}))
    table.battle = table.battle.with_unit(empty)
    table.rules = replace(table.rules, gear=replace(table.rules.gear, innate_weapons=()))
    assert table.refusal(Attack("a", "b")) == "A holds no weapon."
    with pytest.raises(Illegal):
        table.shot()


def test_a_bare_square_can_be_considered() -> None:
    table = fight(OCC, "a..#...b", a="grenadier", b="gunman")
    shot = consider(table.battle, table.rules, Attack("a", "", "frag-grenade"), square=parse_square("C1"))
    assert shot.situation.distance == "10 ft"
    assert [line.id for line in shot.ledger.entries if line.step == "defence"] == []
    assert shot.ledger.target_number == 60


def test_what_if_changes_the_facts_and_nothing_else() -> None:
    table = duel()
    before = table.battle.encode()
    assert table.shot(changed={"distance": 50}).ledger.band == "long"
    assert table.battle.encode() == before
    assert table.shot().ledger.band == "short"


# --- the shot and the attack say the same ---------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("place", "name"), grid(shipped_maps(), shipped_rulesets()))
def test_the_shot_considered_is_the_attack_made(name: str, place: str) -> None:
    """What the panel shows and what is rolled are one: refusal, entries, chance."""
    random, rules = Random(3), ruleset(name)
    drawn = load_map(shipped_maps()[place])
    battle = apply_all(Battle(drawn.battlefield), [begin(drawn.placements, rules, place)])
    battle = apply_all(battle, decide(battle, RollInitiative(), rules))
    units, made, refused = list(battle.units), 0, 0
    for _ in range(60):
        attacker, target = random.choice([battle.turns.active, random.choice(units)]), random.choice(units)
        spots = [(square.column, square.row) for square in drawn.battlefield.squares()]
        column, row = random.choice(spots)
        try:
            square = battle.unit(target).at._replace(column=column, row=row)
            moved = apply_all(battle, decide(battle, Place(target, square), rules))
        except BattleboardError:
            moved = battle
        wish = Attack(attacker, target, random.choice(("", *battle.unit(attacker).gear.weapons)))
        shot = consider(moved, rules, wish)
        try:
            events = decide(moved, wish, rules)
        except (Illegal, Unknown) as reason:
            assert shot.refusal == str(reason)
            refused += 1
        else:
            assert not shot.refusal
            (attack,) = [event for event in events if isinstance(event, ev.AttackRolled)]
            assert attack.entries == shot.ledger.entries
            assert attack.chance == shot.odds.hit
            assert 0 <= attack.chance <= 1
            made += 1
    assert refused > 5


def test_a_forbidden_attack_never_hits() -> None:
    shot = duel().shot("knife")
    assert shot.odds.hit == Fraction(0)
    assert sum(chance for _, chance in shot.odds.grades) == 0


# --- distances ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "scale", "squares", "told"),
    [
        (OCC, (1.5, "metres"), 4, "20 ft"),  # 19.685, but near enough to squares of 5 feet
        (OCC, (2, "metres"), 3, "19 ft"),  # 19.685
        (OCC, (5, "feet"), 4, "20 ft"),
        (CWN, (5, "feet"), 7, "11 m"),  # 10.668
        (CWN, (5, "feet"), 5, "8 m"),  # 7.62
        (CWN, (5, "feet"), 4, "6 m"),  # 6.096
        (CWN, (2, "metres"), 4, "8 m"),
    ],
)
def test_distances_are_reported_in_the_rulesets_unit_and_rounded_its_way(
    name: str, scale: tuple[float, str], squares: int, told: str
) -> None:
    table = fight(name, "a" + "." * (squares - 1) + "b", a="gunman", b="gunman", scale=scale)
    assert table.shot().situation.distance == told


@pytest.mark.parametrize(
    ("rounding", "distance"), [("down", 19), ("up", 20), ("nearest", 20), ("exact", Fraction(7500, 381))]
)
def test_a_ruleset_may_round_down_up_to_the_nearest_or_not_at_all(rounding: str, distance: int | Fraction) -> None:
    table = fight(OCC, "a..b", a="gunman", b="gunman", scale=(2, "metres"))
    table.rules = replace(table.rules, distance=replace(table.rules.distance, rounding=rounding))
    assert table.shot().situation.facts["distance"] == distance


def test_a_diagonal_counts_as_one_square() -> None:
    for name, told in ((OCC, "15 ft"), (CWN, "6 m")):
        table = fight(name, "a...", "....", "....", "...b", a="gunman", b="gunman")
        assert table.shot().situation.distance == told
