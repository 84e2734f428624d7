"""Dice from the table: typed all at once, asked for one by one, or left to the seed."""

from __future__ import annotations

import pytest

from engine.answers import GivenAnswer, Needs, typed_dice
from engine.battle import events as ev
from engine.battle.command import Attack, Command, EndTurn
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.unit_actions import Face
from engine.dice.sources import Roll
from engine.errors import Illegal
from engine.geometry.squares import Direction
from tests.rules.table import Table, defends, fight, roll_asked

HIT, MISS = (45,), (95,)


def duel() -> Table:
    return fight("occult-ops", "a...b", a="gunman", b="gunman")


def rolls(table: Table) -> list[Roll]:
    return [event.roll for event in table.events if isinstance(event, ev.AttackRolled | ev.EffectRolled)]


def asked_for(table: Table, command: Command, *groups: tuple[int, ...]) -> tuple[str, str]:
    with pytest.raises(Needs) as need:
        decide(table.battle, command, table.rules, typed_dice(groups), asks_dice=True)
    ask = roll_asked(need.value)
    return ask.purpose, ask.dice.text


def test_typed_dice_are_taken_as_they_fell_and_marked() -> None:
    table = duel()
    table.do(Attack("a", "b"), HIT, (4, 6))
    to_hit, damage = rolls(table)
    assert (to_hit.total, to_hit.is_typed) == (45, True)
    assert (damage.total, [face.value for face in damage.faces], damage.is_typed) == (10, [4, 6], True)
    assert table.battle.dice.drawn == 0
    assert not table.happened(ev.DiceDrawn)


def test_several_dice_may_be_typed_as_their_total() -> None:
    table = duel()
    table.do(Attack("a", "b"), HIT, (10,))
    damage = rolls(table)[1]
    assert (damage.total, damage.faces, damage.is_typed) == (10, (), True)


def test_the_seed_rolls_what_nobody_typed() -> None:
    table = duel()
    table.do(Attack("a", "b"), HIT)
    assert [roll.is_typed for roll in rolls(table)] == [True, False]
    assert table.happened(ev.DiceDrawn) == [ev.DiceDrawn(2)]
    assert table.battle.dice.drawn == 2


def test_an_empty_group_leaves_one_roll_to_the_seed() -> None:
    seeded, mixed = duel(), duel()
    seeded.do(Attack("a", "b"))
    mixed.do(Attack("a", "b"), (), *([(7,)] if rolls(seeded)[1:] else []))
    assert rolls(mixed)[0] == rolls(seeded)[0]
    assert not rolls(mixed)[0].is_typed


def test_an_empty_group_too_many_is_no_dice_too_many() -> None:
    table = duel()
    table.do(Attack("a", "b"), HIT, (4, 6), ())
    assert rolls(table)[1].total == 10


def test_the_same_seed_and_place_give_the_same_dice_and_the_next_attack_others() -> None:
    once, again = duel(), duel()
    for table in (once, again):
        table.do(Attack("a", "b"))
    assert once.events == again.events
    assert once.battle.dice.drawn > 0
    before = [event for event in once.events if isinstance(event, ev.AttackRolled)]
    later = []
    for _ in range(4):
        once.turn_of("a").do(Attack("a", "b"))
        later.append(once.attacked().roll)
    assert len({before[0].roll, *later}) > 1


def test_every_die_drawn_moves_the_seed_on() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman", is_begun=False)
    table.do(RollInitiative())
    assert table.battle.dice.drawn == 2
    drawn = table.battle.dice.drawn
    table.turn_of(table.battle.turns.order[0])
    assert table.battle.dice.drawn == drawn


def test_dice_are_asked_for_one_roll_after_the_other() -> None:
    table = duel()
    attack = Attack("a", "b")
    assert asked_for(table, attack) == ("A attacks B", "1d100")
    assert asked_for(table, attack, HIT) == ("Damage", "2d6")
    events = decide(table.battle, attack, table.rules, typed_dice((HIT, (4, 6))), asks_dice=True)
    table.do(attack, HIT, (4, 6))
    assert events == table.events


def test_a_miss_asks_for_no_damage() -> None:
    table = duel()
    assert asked_for(table, Attack("a", "b"), MISS) == ("Epic fumble table", "1d20")
    assert decide(table.battle, Attack("a", "b"), table.rules, typed_dice(((80,),)), asks_dice=True)


def test_an_empty_group_answers_a_question_with_the_seeds_dice() -> None:
    table = duel()
    events = decide(table.battle, Attack("a", "b"), table.rules, typed_dice((HIT, ())), asks_dice=True)
    assert isinstance(events[-1], ev.DiceDrawn)
    assert asked_for(table, Attack("a", "b"), ()) in (("Damage", "2d6"), ("Epic fumble table", "1d20"))


def test_initiative_asks_for_every_unit_by_name() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman", is_begun=False)
    assert asked_for(table, RollInitiative()) == ("Initiative of A", "1d20")
    assert asked_for(table, RollInitiative(), (5,)) == ("Initiative of B", "1d20")
    sides = fight("cwn", "a...b", a="gunman", b="gunman", is_begun=False)
    assert asked_for(sides, RollInitiative()) == ("Initiative of law", "1d8")


def test_asking_leaves_the_battle_as_it_was() -> None:
    table = duel()
    before = table.battle.encode()
    asked_for(table, Attack("a", "b"), HIT)
    assert table.battle.encode() == before


def test_what_is_refused_is_refused_before_any_die_is_asked_for() -> None:
    table = duel()
    with pytest.raises(Illegal, match="It is A's turn"):
        decide(table.battle, Attack("b", "a"), table.rules, asks_dice=True)


TAKEN = "Dice were taken for: A attacks B"
"""Who types several groups at once is told in which order they were taken."""


@pytest.mark.parametrize(
    ("dice", "sentence"),
    [
        (((101,),), "A attacks B: a d100 shows 1 to 100, not 101."),
        ((HIT, (13,)), f"Damage: 2d6 gives 2 to 12, so 13 cannot be its total. {TAKEN}."),
        ((HIT, (7, 1)), f"Damage: a d6 shows 1 to 6, not 7. {TAKEN}; Damage."),
        ((HIT, (1, 2, 3)), f"Damage: 2d6 takes 2 numbers here, but 3 numbers were typed. {TAKEN}; Damage."),
        ((HIT, (4, 6), (3,)), f"Not done: more dice typed than rolled, 3 not used. {TAKEN}; Damage."),
        (((80,), (4, 6)), f"Not done: more dice typed than rolled, 4 6 not used. {TAKEN}."),
    ],
)
def test_dice_that_cannot_have_fallen_are_refused(dice: tuple[tuple[int, ...], ...], sentence: str) -> None:
    assert duel().refusal(Attack("a", "b"), *dice) == sentence


def test_a_command_without_a_roll_takes_no_dice() -> None:
    for command in (EndTurn(), Face("a", Direction.S)):
        assert "typed" in duel().refusal(command, (5,))


@pytest.mark.parametrize("command", [Attack("a", "b"), EndTurn()])
@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ((defends("z", "dodge"),), "Not asked for: dodge (defence of z). Nothing was done."),
        (
            (defends("z", ""), GivenAnswer("Damage: 9d9", (3, 4))),
            "Not asked for: none (defence of z), 3 4 (Damage: 9d9). Nothing was done.",
        ),
    ],
)
def test_answers_that_no_question_takes_are_refused(
    command: Command, answers: tuple[GivenAnswer, ...], sentence: str
) -> None:
    """They once vanished."""
    assert duel().refusal(command, *answers) == sentence


def test_an_answer_given_twice_is_refused() -> None:
    twice = defends("b", ""), defends("b", "")
    assert "Not asked for: none (defence of B)" in duel().refusal(Attack("a", "b"), *twice)


def test_two_noughts_read_100() -> None:
    table = duel()
    table.do(Attack("a", "b"), (0,), (20,))
    assert table.attacked().roll.total == 100
    assert table.attacked().grade == "epic-fumble"
