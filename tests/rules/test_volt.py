"""VOLT: a test for each clause of VOLT-0 to 19, and for what the chapter leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from engine.answers import Needs, typed_dice
from engine.battle import events as ev
from engine.battle.apply import apply
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.reactions import draws
from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import RollInitiative, SetTurn
from engine.battle.commands.other_actions import refusal
from engine.battle.commands.roster_commands import SetHidden
from engine.battle.commands.ruling_commands import Adjust, SetCover, SetRuling
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import SetPool
from engine.battle.narration import summarise
from engine.battle.narration.preview_text import damage_words
from engine.battle.narration.question_text import option_words
from engine.battle.turns.turn_order import may_be_next, upcoming
from engine.battle.views.fog_of_war import NOTHING_SEEN, seat_view
from engine.battle.views.view import project
from engine.dice.dice_text import percent
from engine.errors import Illegal
from engine.geometry.los.sight import trace
from engine.geometry.squares import Direction, Square, parse_square
from engine.rules.derived_facts import logged_facts
from engine.rules.ledger import Adjustment
from engine.rules.model import Value
from engine.tactics.options import next_turns
from engine.values import replace
from tests.rules.table import Table, defence_asked, defends, fight, given, remember, roll_asked
from tui.application.commands.dice_prompts import rolls_named
from tui.application.commands.questions import unit_words

VOLT = "volt"
Stats = Mapping[str, Mapping[str, Value]]
MISS = (20, 20)
"""Two dice that never succeed at a value below 20."""


def duel(metres: int = 4, a: str = "gunman", b: str = "civilian", stats: Stats | None = None) -> Table:
    """Two units in the open so many metres apart, facing each other."""
    if metres > 60:
        return fight(VOLT, "a" + "." * (metres // 10 - 1) + "b", a=a, b=b, stats=stats, scale=(10, "metres"))
    return fight(VOLT, "a" + "." * (metres - 1) + "b", a=a, b=b, stats=stats)


def skilled(**stats: Value) -> Stats:
    """The first unit with these numbers."""
    return {"a": stats}


def grade(table: Table, *dice: tuple[int, ...], action: str = "", at: str = "b") -> str:
    """What an attack with typed dice comes to."""
    table.do(Attack("a", at, action=action), *dice)
    return next(attack.grade for attack in table.happened(ev.AttackRolled) if attack.unit == "a")


def turned(table: Table, unit: str, facing: Direction) -> None:
    """A unit faces another way, as it did before its turn."""
    table.battle = apply(table.battle, ev.UnitTurned(unit, facing))


def told(lines: list[str], label: str) -> str:
    """What a line of the log says after a label; of a calculation its result."""
    said = next((line.split(": ", 1)[1].rstrip(".") for line in lines if line.startswith(f"{label}: ")), "")
    return said.rpartition(" = ")[2]


def value(table: Table, weapon: str = "", action: str = "", at: str = "b") -> object:
    return table.shot(weapon, action, at=at).ledger.total


# --- VOLT-0: two dice read apart --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "dice", "degree"),
    [(9, (12, 5), "5"), (22, (16, 1), "21"), (22, (13, 2), "22"), (8, (2, 18), "2"), (8, (10, 12), "")],
)
def test_volt_0_the_degree_is_the_highest_die_that_fits(number: int, dice: tuple[int, int], degree: str) -> None:
    """EX-VOLT-1, 2, 3, 4: at or under the value; past 20 a die counts 20 more where it still fits."""
    table = duel(stats=skilled(ranged_combat=number - 7))
    assert value(table) == number
    lines = table.do(Attack("a", "b"), dice)
    assert told(lines, "Degree of success") == degree
    assert table.attacked().is_hit is bool(degree)


@pytest.mark.parametrize(
    ("number", "percent"), [(4, 36), (6, 51), (8, 64), (9, 70), (10, 75), (11, 80), (12, 84), (15, 94)]
)
def test_volt_0_the_chances_are_those_of_the_table(number: int, percent: int) -> None:
    """EX-VOLT-6: 1 - (1 - v/20)², rounded."""
    chance = duel(stats=skilled(ranged_combat=number - 7)).shot().odds.hit
    assert chance == 1 - Fraction(20 - number, 20) ** 2
    assert round(chance * 100) == percent


def test_volt_0_each_die_hits_on_its_own() -> None:
    """Above the range number and at or under the value: one such die is a hit, both are a full hit."""
    shots = {dice: grade(duel(50, "rifleman"), dice) for dice in [(3, 3), (4, 3), (4, 8), (9, 8), (9, 9), (3, 9)]}
    assert shots == {
        (3, 3): "not-enough",
        (4, 3): "struck",
        (4, 8): "full-hit",
        (9, 8): "struck",
        (9, 9): "failed",
        (3, 9): "not-enough",
    }


def test_volt_0_past_20_the_raised_die_is_what_must_beat_the_range_number() -> None:
    table = duel(50, stats=skilled(ranged_combat=15))  # value 22, range 3
    assert grade(table, (1, 3)) == "struck"  # 21 and 3


def test_volt_0_a_full_hit_pierces_2_and_harms_5_more() -> None:
    lines = duel().do(Attack("a", "b"), (5, 6), (20,), (19,))
    assert told(lines, "Damage value") == "20"
    lines = duel(b="rifleman").do(Attack("a", "b"), (5, 6))
    assert told(lines, "Armour") == "pierced"  # 11 and 2 against 12


# --- VOLT-1: one action a turn ----------------------------------------------------------------------------------------


def test_volt_1_a_turn_has_one_combat_action() -> None:
    table = duel()
    table.do(Attack("a", "b"), MISS)
    assert "1 combat action, none left" in table.refusal(Attack("a", "b"))


def test_volt_1_letting_go_of_what_is_in_hand_is_free_and_taking_up_a_weapon_is_not() -> None:
    table = duel()
    table.do(Ready("a", "unarmed"))
    assert table.unit("a").turn.budget["action"] == 1
    table.do(Ready("a", "knife"))
    assert table.unit("a").turn.budget["action"] == 0


@pytest.mark.parametrize(("weapon", "turns"), [("pistol", 1), ("revolver", 2), ("machine-gun", 3)])
def test_volt_1_what_takes_long_spans_turns(weapon: str, turns: int) -> None:
    table = duel().arm("a", weapon).load("a", weapon, 0)
    for turn in range(turns):
        assert table.unit("a").gear.rounds[weapon] == 0, turn
        table.do(Act("a", "reload"))
        assert "1 combat action" in table.refusal(Act("a", "reload")) or turn == turns - 1
        if turn < turns - 1:
            table.turn_of("a")
    assert table.unit("a").gear.rounds[weapon] == table.rules.gear.weapons[weapon].fields["magazine"]
    assert not {"loading", "nearly_loaded"} & set(table.unit("a").conditions)


# --- VOLT-2: the order ------------------------------------------------------------------------------------------------


def four() -> Table:
    """Two gunmen of value 8, a brawler of Strike 8 and Close combat 3, a rifleman of value 8; no order yet."""
    return fight(VOLT, "a..b..c..d", a="gunman", b="gunman", c="brawler", d="rifleman", is_begun=False)


def test_volt_2_successes_go_from_high_to_low_and_failures_after_them_from_high_to_low() -> None:
    table = four()
    table.do(RollInitiative(), (3, 20), (10, 19), (11, 2), (9, 13))
    assert table.battle.turns.order == ("c", "a", "b", "d")
    assert table.battle.turns.initiative == {"c": 11, "a": 3, "b": -2, "d": -8}


def test_volt_2_what_is_declared_is_what_is_rolled() -> None:
    """A move rolls Agility, 8 and 9; an attack the value it is made with."""
    table = four()
    turned(table, "b", Direction.W)
    turned(table, "d", Direction.W)
    table.do(RollInitiative({"a": "move", "c": "move"}), (8, 20), (8, 20), (10, 20), (8, 20))
    assert table.battle.turns.initiative == {"a": 8, "b": 8, "c": -1, "d": 8}


def test_volt_2_who_does_something_else_than_it_declared_is_told() -> None:
    """VOLT-2: all declare first; nobody is bound, and nobody profits in silence from the best value."""
    table = fight(VOLT, "a......b", a="gunman", b="gunman", is_begun=False)
    table.do(RollInitiative({"a": "move", "b": "aim"}), (1, 1), (2, 2))
    if table.battle.turns.active == "b":
        table.do(SetTurn("a"))
    assert "A declared Move, does Attack." in table.do(Attack("a", "b"), MISS)
    assert " does " not in " ".join(table.do(EndTurn()))
    if table.battle.turns.active != "b":
        table.do(EndTurn())
    assert " does " not in " ".join(table.do(Act("b", "aim", "a")))
    assert " does " not in " ".join(ends(table))


def test_volt_2_what_is_joined_to_the_declared_action_or_still_possible_breaks_nothing() -> None:
    table = fight(VOLT, "a......b", a="gunman", b="gunman", is_begun=False)
    table.do(RollInitiative({"b": "move"}), (1, 1), (2, 2))
    if table.battle.turns.active != "a":
        table.do(SetTurn("a"))
    way = Move("a", table.way("a", "B1"), "half-move")
    assert "declared" not in " ".join(table.do(way)), "the attack that it has declared may be joined to it"
    lines = ends(table)
    assert "B declared Move, does nothing." not in lines, "the round is not over"
    lines = table.do(EndTurn())
    while table.battle.turns.round == 1:
        lines = table.do(EndTurn())
    said = [line for line in lines if "declared" in line and "stays" not in line]
    assert said == ["A declared Attack, does Half a move.", "B declared Move, does nothing."]
    assert lines.index(said[0]) < next(place for place, line in enumerate(lines) if line.startswith("Round 2"))
    while table.battle.turns.round == 2:
        assert " does " not in " ".join(table.do(EndTurn())), "it was for the first turn"


def test_volt_2_each_rolls_as_if_resolving_the_declared_action() -> None:
    """VOLT-2: range, cover, snap and aim count as they do in the attack; by a ruling the plain value."""
    wall = '[legend]\n"w" = { object = "wall", height = 1.0, cover = "heavy" }'
    found = []
    for value in ("as resolved", "plain value"):
        table = fight(VOLT, "a......wb", a="gunman", b="rifleman", toml=wall, is_begun=False)
        turned(table, "a", Direction.W)
        shot = table.shot()
        assert (shot.situation.facts["shot"], table.worth("part-cover")) == ("snap", -2)
        if value != "as resolved":
            table.do(SetRuling("initiative", value))
        table.do(RollInitiative(), (1, 20), (1, 20))
        found.append((table.happened(ev.InitiativeRolled)[0].bonus, shot.ledger.total))
    pistol = table.rules.gear.weapons["pistol"].fields
    assert found == [(pistol["snap"] + 1 - 2,) * 2, (pistol["directed"] + 1, pistol["snap"] + 1 - 2)]


def test_volt_2_the_order_stays_for_the_battle() -> None:
    table = four()
    table.do(RollInitiative(), (3, 20), (10, 19), (11, 2), (9, 13))
    before = table.battle.turns.order
    for _ in range(9):
        table.do(EndTurn())
    assert (table.battle.turns.round, table.battle.turns.order) == (3, before)


# --- VOLT-3: shots against the distance -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metres", "number"),
    [(4, 0), (5, 1), (14, 1), (15, 2), (34, 2), (35, 3), (50, 3), (100, 4), (200, 5), (400, 6), (800, 7)],
)
def test_volt_3_the_distance_gives_the_range_number(metres: int, number: int) -> None:
    """EX-VOLT-7: about 100 m is 4, under 5 m every success hits."""
    shot = duel(metres, "marksman").shot()
    assert (shot.ledger.band_label, shot.situation.facts["distance"]) == (f"range {number}", metres)


def test_volt_3_at_100_m_the_success_must_be_higher_than_4() -> None:
    """EX-VOLT-7."""
    assert grade(duel(100, "rifleman"), (4, 20)) == "not-enough"
    assert grade(duel(100, "rifleman"), (5, 20)) == "struck"
    assert grade(duel(4, "rifleman"), (1, 20)) == "struck"


def test_volt_3_one_step_past_the_range_is_5_less_and_two_are_not_possible() -> None:
    assert duel(50).worth("stretched") is None
    assert duel(100).worth("stretched") == -5
    assert "reaches range 3" in duel(200).refusal(Attack("a", "b"))


def test_volt_3_heights_count_in_the_distance() -> None:
    table = fight(VOLT, "a....b", a="rifleman", b="flyer", altitudes={"b": 30})
    assert table.shot().situation.facts["distance"] == 30
    assert table.worth("height") == 0


# --- VOLT-4: blows against the guard ----------------------------------------------------------------------------------


def close(a: str = "brawler", b: str = "brawler", stats: Stats | None = None) -> Table:
    return duel(1, a, b, stats)


def test_volt_4_a_blow_must_beat_the_unarmed_guard_of_one_who_does_not_fight_back() -> None:
    """Unarmed Guard 4 and Close combat 3, whatever is in the hand."""
    table = close()
    assert table.shot().situation.facts["guard"] == 7
    assert grade(table, (7, 20)) == "not-enough"
    assert grade(close(), (8, 20)) == "struck"


def test_volt_4_the_guard_of_a_close_attack_made_this_turn_counts() -> None:
    table = close().turn_of("b")
    table.do(Attack("b", "a"), MISS)
    assert table.shot().situation.facts["guard"] == 9  # a club's 6 and Close combat 3
    table.do(EndTurn())
    assert table.battle.turns.round == 2
    assert table.shot().situation.facts["guard"] == 7


def test_volt_4_a_close_attack_declared_with_a_move_counts_as_about_to_be_made() -> None:
    table = fight(VOLT, "a...b", a="brawler", b="brawler")
    assert table.shot(by="b", at="a").situation.facts["guard"] == 7
    table.walk("a", "D1", action="move")
    assert table.shot(by="b", at="a").situation.facts["guard"] == 9


def test_volt_4_who_walks_where_nobody_is_near_is_not_about_to_strike() -> None:
    """VOLT-4: the Guard of an attack about to be made needs somebody to attack where the move ends."""
    for goal, guard in (("E1", 4 + 3), ("G1", 6 + 3)):
        table = fight(VOLT, "ab.....c..", a="brawler", b="brawler", c="gunman", allies="c").turn_of("b")
        table.do(Move("b", table.way("b", goal), "move"))
        assert table.shot().situation.facts["guard"] == guard, goal


def test_volt_4_strike_and_close_combat_are_the_value_and_the_damage_modifier_adds_to_pierce_and_damage() -> None:
    table = close(b="civilian")
    assert value(table) == 11
    table = close(b="shield-bearer")
    lines = table.do(Attack("a", "b"), (11, 20))
    assert told(lines, "Damage value") == "9"  # 12 and 2, less what the armour's 11 is above Pierce 4 and 2
    assert "Armour: stops the hit." in lines


def test_volt_4_an_unaware_target_has_no_guard() -> None:
    table = close().condition("b", "unaware")
    assert table.shot().situation.facts["guard"] == 0


def test_volt_4_a_blow_needs_a_neighbouring_square() -> None:
    assert "adjacent square" in duel(2, "brawler").refusal(Attack("a", "b"))


# --- VOLT-5: counterattacks -------------------------------------------------------------------------------------------


def clash(*dice: tuple[int, ...], defence: str = "counterattack") -> Table:
    """A brawler strikes another, who answers."""
    table = close()
    table.do(Attack("a", "b"), defends("b", defence), *dice)
    return table


def grades(table: Table) -> list[tuple[str, str]]:
    return [(attack.unit, attack.grade) for attack in table.happened(ev.AttackRolled)]


def test_volt_5_a_defender_who_has_not_acted_may_answer_at_once_and_has_acted_then() -> None:
    table = clash(MISS, MISS)
    assert grades(table) == [("a", "failed"), ("b", "failed")]
    assert table.unit("b").conditions == ("countered",)
    table.do(EndTurn())
    assert (table.battle.turns.active, table.unit("b").turn.budget) == ("b", {"action": 0, "move": 0})
    table.do(EndTurn())
    assert "countered" not in table.unit("b").conditions


def test_volt_5_one_who_has_acted_may_not_and_one_who_let_its_turn_pass_may() -> None:
    table = close()
    table.do(Attack("a", "b"), MISS)
    table.turn_of("b")
    assert "is not possible" in table.refusal(Attack("b", "a"), defends("a", "counterattack"), MISS)
    table = close().turn_of("b")
    table.do(Attack("b", "a"), defends("a", "counterattack"), MISS, MISS)
    assert grades(table) == [("b", "failed"), ("a", "failed")]
    assert table.unit("a").turn.budget["action"] == 0


def test_volt_5_a_counterattack_is_declared_before_the_dice_are_seen() -> None:
    """At once is before the result: nothing of the roll is told with the question, whatever dice were typed."""
    table = close()
    with pytest.raises(Needs) as asked:
        decide(table.battle, Attack("a", "b"), table.rules, typed_dice((MISS,)), asks=True)
    ask = defence_asked(asked.value)
    assert not [event for event in ask.happened if isinstance(event, ev.AttackRolled | ev.EffectComputed)]
    assert [answer.stops for answer in ask.options] == [0]


def test_volt_5_a_counterattack_is_offered_with_what_it_comes_to() -> None:
    """Against the Guard of the one who attacks, as the counterattack is rolled; it is the combat action of the turn."""
    table = close()
    with pytest.raises(Needs) as asked:
        decide(table.battle, Attack("a", "b"), table.rules, asks=True)
    table.do(Attack("a", "b"), MISS)
    table.condition("b", "countered")
    shot = with_odds(table.battle, table.rules, table.shot(by="b", at="a"))
    assert shot.outlook is not None and 0 < shot.odds.hit < 1
    hits, hurts = percent(shot.odds.hit), percent(shot.outlook.hurt)
    action = "its action and moves this turn, at Guard 9 instead of 7"
    fresh = close()
    odds = with_odds(fresh.battle, fresh.rules, fresh.shot())
    assert odds.defended is not None
    then = f"the attack then hits {percent(odds.defended.outlook.hit)}"
    assert [option_words(answer, table.rules)[1] for answer in defence_asked(asked.value).options] == [
        f"{action}, {then}, its own attack hits {hits}, wounds {hurts}"
    ]


def test_volt_5_the_odds_show_both_guards_and_count_the_counterattack() -> None:
    """The Guard as it is, and the one of the answer."""
    table = close()
    shot = with_odds(table.battle, table.rules, table.shot())
    shown = dict(logged_facts(table.rules, shot.situation.facts, "situation"))
    assert (shown["Guard"], shown["Guard if it counterattacks"]) == (7, 9)
    assert shot.defended is not None and shot.outlook is not None
    assert shot.defended.outlook.hit < shot.outlook.hit
    table.do(Attack("a", "b"), MISS)
    assert table.turn_of("b").shot(by="b", at="a").situation.facts["guard_in_answer"] == 0  # it has acted


def test_both_dice_of_the_damage_are_asked_for_and_typed_at_once() -> None:
    """Wounds page: damage is rolled with two d20; a table throws them together."""
    table, wish, nobody = close(), Attack("a", "b"), defends("b", "")
    with pytest.raises(Needs) as need:
        decide(table.battle, wish, table.rules, given(nobody, (8, 20)), asks_dice=True)
    ask = roll_asked(need.value)
    assert ask.further == ("black die",)
    assert rolls_named(ask) == "Damage, white die, 14 or less, then black die, 1d20 each"
    assert ask.answers("4 7") == given((4,), (7,)) and ask.answers("") == given((), ())
    with pytest.raises(Needs) as alone:  # who types one of them is asked for the other
        decide(table.battle, wish, table.rules, given(nobody, (8, 20), *ask.answers("4")), asks_dice=True)
    assert rolls_named(roll_asked(alone.value)) == "Damage, black die, 14 or less, 1d20"
    table.do(wish, nobody, (8, 20), *ask.answers("4 7"))
    assert [rolled.roll.total for rolled in table.happened(ev.EffectRolled)] == [4, 7]


def test_volt_5_the_guard_of_the_counterattack_counts_against_the_attack() -> None:
    """A club's Guard of 6 and Close combat 3 in place of the unarmed 4 and 3: an 8 is a hit no more."""
    assert grades(clash((8, 20), (14,), (14,), defence=""))[0] == ("a", "struck")
    table = clash((8, 20), MISS)
    assert (grades(table)[0], table.happened(ev.AttackTurned)) == (("a", "not-enough"), [])
    (first, *_) = table.happened(ev.AttackRolled)
    assert first.chance < table.turn_of("a").shot(by="a", at="b").odds.hit  # what it is rolled against is what is shown


def test_volt_5_the_guard_of_the_attack_counts_against_the_counterattack() -> None:
    assert grades(clash(MISS, (9, 20)))[1] == ("b", "not-enough")
    assert grades(clash(MISS, (10, 20), (14,), (14,)))[1] == ("b", "struck")


def test_volt_5_both_are_rolled_before_either_counts() -> None:
    """A blow that puts out of action does not keep the other one from landing."""
    table = close()
    table.arm("a", "sword").arm("b", "sword")
    table.do(
        Attack("a", "b"), defends("b", "counterattack"), (11, 12), (12, 11), (20,), (17,), (19,), (17,),
    )  # fmt: skip
    assert grades(table) == [("a", "full-hit"), ("b", "full-hit")]
    assert table.unit("a").is_defeated and table.unit("b").is_defeated


def test_volt_5_with_a_gun_in_hand_the_defender_answers_with_bare_hands() -> None:
    """Whoever has not acted may; the gun stays in hand."""
    table = close(b="marksman")
    table.do(Attack("a", "b"), defends("b", "counterattack"), MISS, MISS)
    answer = table.happened(ev.AttackRolled)[1]
    assert (answer.unit, answer.weapon, table.unit("b").gear.weapon) == ("b", "unarmed", "bolt-action-rifle")


def test_volt_5_the_unaware_do_not_answer() -> None:
    table = close().condition("b", "unaware")
    assert "is not possible" in table.refusal(Attack("a", "b"), defends("b", "counterattack"), (8, 20))


# --- VOLT-6: harder and easier targets --------------------------------------------------------------------------------


def test_volt_6_the_gm_makes_targets_harder_and_easier() -> None:
    table = duel()
    table.do(Adjust(Adjustment("entrenched", "Entrenched", -3)))
    assert value(table) == 5
    table.do(Attack("a", "b"), (6, 20))
    assert not table.attacked().is_hit


def test_volt_6_prone_and_small_targets_are_harder_to_hit() -> None:
    assert duel().posture("b", "prone").worth("prone-target") == -2
    assert duel(b="drone").worth("small-target") == -2


def test_volt_6_large_targets_are_easier_to_hit() -> None:
    assert duel().shot(changed={"target.size": 3}).ledger.total == 8 + 4


# --- VOLT-7: aimed, directed, snap ------------------------------------------------------------------------------------


def test_volt_7_each_kind_of_shot_has_its_value() -> None:
    """EX-VOLT-8: 3, 8, 10 in the hands of Ranged combat +2 are 5, 10, 12."""
    table = duel(20, "leader")
    assert value(table) == 10
    turned(table, "a", Direction.W)
    assert value(table) == 5
    table.do(Act("a", "aim", "b"))
    table.turn_of("a")
    assert value(table) == 12


@pytest.mark.parametrize("name", ["volt", "aog"])
def test_volt_7_to_face_out_of_turn_is_the_gms_word_and_says_so(name: str) -> None:
    """VOLT-7: facing tells snap from directed, so a turn out of turn is not the player's; under every ruleset."""
    table = fight(name, "a....b", a="gunman", b="gunman")
    assert "A faces S." in table.do(Face("a", Direction.S))
    assert table.do(Face("b", Direction.S)) == ["B faces S, set by the GM."]
    table.do(EndTurn())
    assert table.do(Face("a", Direction.E)) == ["A faces E, set by the GM."]
    assert "B faces W." in table.do(Face("b", Direction.W))
    before = fight(name, "a....b", a="gunman", b="gunman", is_begun=False)
    assert before.do(Face("a", Direction.S)) == ["A faces S, set by the GM."]


@pytest.mark.parametrize(
    ("facing", "kind"), [("E", "directed"), ("NE", "directed"), ("SE", "directed"), ("N", "snap"), ("W", "snap")]
)
def test_volt_7_the_weapon_points_where_its_bearer_faces(facing: str, kind: str) -> None:
    table = duel(20)
    if facing != "E":
        turned(table, "a", Direction[facing])
    assert table.shot().situation.facts["shot"] == kind


def test_volt_7_one_who_has_fired_points_there_the_turn_after() -> None:
    table = fight(VOLT, "c....", "a...b", a="gunman", b="civilian", c="civilian")
    turned(table, "a", Direction.N)
    assert table.shot(at="c").situation.facts["shot"] == "directed"
    table.do(Attack("a", "b"), MISS)
    table.turn_of("a")
    assert table.shot(at="b").situation.facts["shot"] == "directed"
    assert table.shot(at="c").situation.facts["shot"] == "snap"


def test_volt_7_aiming_takes_the_whole_turn_and_is_at_one_target_for_the_next_turn_only() -> None:
    table = fight(VOLT, "....c", "a...b", a="gunman", b="civilian", c="civilian")
    table.do(Act("a", "aim", "b"))
    assert "1 combat action" in table.refusal(Attack("a", "b"))
    table.turn_of("a")
    assert table.shot(at="b").situation.facts["shot"] == "aimed"
    assert table.shot(at="c").situation.facts["shot"] == "directed"
    table.turn_of("a")
    assert table.shot(at="b").situation.facts["shot"] == "directed"


def test_volt_7_after_an_aimed_shot_it_takes_another_turn_of_aiming() -> None:
    table = duel(20)
    table.do(Act("a", "aim", "b"))
    table.turn_of("a").do(Attack("a", "b"), MISS)
    assert table.turn_of("a").shot().situation.facts["shot"] == "directed"


def test_volt_7_one_who_has_aimed_may_wait_with_the_shot() -> None:
    table = duel(20)
    table.do(Act("a", "aim", "b"))
    table.turn_of("a").do(Act("a", "wait"))
    table.do(EndTurn())
    assert table.shot().situation.facts["shot"] == "aimed"


def test_volt_7_in_one_s_own_turn_facing_is_a_part_of_directing() -> None:
    """VOLT-7: turning makes a snap shot a directed one, so it is the combat action; the GM's is free."""
    table = fight(VOLT, "....c", "a...b", a="gunman", b="civilian", c="civilian")
    broken = "A declared Attack, does Point the weapon that way."
    assert table.do(Face("a", Direction.N)) == ["A: Point the weapon that way.", "A faces N.", broken]
    assert table.unit("a").turn.budget["action"] == 0
    assert "1 combat action" in table.refusal(Face("a", Direction.E))
    assert "1 combat action" in table.refusal(Attack("a", "c"))
    table = behind(1.3, "kneeling").turn_of("b")
    table.do(Act("b", "firing-position"))
    table.do(Face("b", Direction.E))  # joined with a firing position it is free
    assert table.unit("b").facing is Direction.E


def test_volt_7_a_move_ends_facing_its_last_step_unless_the_weapon_is_pointed() -> None:
    """VOLT-7, VOLT-15: directing may be joined to half a move."""
    table = fight(VOLT, "a......b", a="gunman", b="rifleman")
    table.walk("a", "C1", action="half-move")
    ends(table)
    assert table.unit("a").facing is Direction.E
    table = fight(VOLT, "a......b", a="gunman", b="rifleman")
    table.walk("a", "C1", action="half-move")
    table.do(Face("a", Direction.N))
    assert table.unit("a").turn.budget["action"] == 0
    ends(table)
    assert (table.unit("a").at.name, table.unit("a").facing) == ("C1", Direction.N)
    table = fight(VOLT, "......", "a.....", "b.....", a="gunman", b="rifleman")
    table.walk("a", "C2", action="half-move")
    table.do(Act("a", "direct-place", square=parse_square("F2")))  # it already faces there, and keeps it
    assert "directing" in table.unit("a").conditions


def test_volt_7_pointing_the_weapon_is_an_action() -> None:
    table = duel(20)
    turned(table, "a", Direction.W)
    table.do(Act("a", "direct", "b"))
    assert table.unit("a").facing is Direction.E
    assert "1 combat action" in table.refusal(Attack("a", "b"))
    assert table.turn_of("a").shot().situation.facts["shot"] == "directed"


# --- VOLT-8 to 13: what weapons ask and do ----------------------------------------------------------------------------


def test_volt_8_a_prep_weapon_is_made_ready_before_each_attack() -> None:
    table = duel(20).arm("a", "bow")
    assert "must be readied first" in table.refusal(Attack("a", "b"))
    table.do(Act("a", "prepare"))
    assert "combat action" in table.refusal(Attack("a", "b"))
    table.turn_of("a").do(Attack("a", "b"), MISS)
    assert "must be readied first" in table.turn_of("a").refusal(Attack("a", "b"))


def test_volt_8_making_ready_may_be_combined_with_directing_and_not_with_aiming() -> None:
    table = duel(20).arm("a", "bow")
    turned(table, "a", Direction.W)
    table.do(Act("a", "prepare"))
    assert "combat action" in table.refusal(Act("a", "aim", "b"))
    table.do(Act("a", "direct", "b"))
    assert table.unit("a").facing is Direction.E
    table.turn_of("a").do(Act("a", "aim", "b"))
    assert value(table.turn_of("a")) == 9 + 1


def test_volt_8_it_is_the_weapon_made_ready_that_counts() -> None:
    table = duel(20).arm("a", "bow", "light-anti-tank")
    table.do(Act("a", "prepare"))
    table.turn_of("a").do(Ready("a", "light-anti-tank"))
    assert "must be readied first" in table.turn_of("a").refusal(Attack("a", "b"))


def test_volt_9_a_slow_weapon_is_not_directed_in_the_turn_after_firing() -> None:
    table = duel(20, "marksman")
    assert value(table) == 7 + 3
    table.do(Attack("a", "b"), MISS)
    assert value(table.turn_of("a")) == 2 + 3
    table.do(EndTurn())
    while table.battle.turns.active != "a":
        table.do(EndTurn())
    assert value(table) == 7 + 3


def test_volt_10_two_quick_shots_do_1_more_up_to_range_4() -> None:
    near = duel(20).do(Attack("a", "b", action="fast"), (8, 20), (16,), (20,))
    assert told(near, "Damage value") == "16"
    far = duel(200, "rifleman", stats=skilled(ranged_combat=5)).do(
        Attack("a", "b", action="fast"), (8, 20), (18,), (20,)
    )
    assert told(far, "Damage value") == "weapon damage 18"
    assert " has no “" in duel(20, "marksman").refusal(Attack("a", "b", action="fast"))


def test_volt_11_a_burst_hits_1_better_up_to_range_3() -> None:
    assert value(duel(50, "rifleman"), action="burst") == 9
    assert value(duel(100, "rifleman"), action="burst") == 8
    assert duel(100, "rifleman").worth("burst-far", action="burst") == 0


def test_volt_11_a_weapon_that_fires_bursts_fires_fast_too() -> None:
    for action in ("fast", "burst", "auto"):
        assert duel(4, "rifleman").shot(action=action).refusal == ""


def sprays(table: Table) -> Table:
    table.do(Attack("a", "b", action="auto"), MISS)
    return table


def three(a: str = "rifleman", c: str = "....c", facing: Direction = Direction.E) -> Table:
    """A gun, one enemy 4 m in front, another at the end of the first row."""
    table = fight(VOLT, c, "a...b", a=a, b="civilian", c="civilian")
    if facing is not Direction.E:
        turned(table, "a", facing)
    return table


def test_volt_12_full_auto_is_two_attacks_on_one_target_or_two() -> None:
    table = sprays(three())
    table.do(Attack("a", "c", action="auto-second"), MISS)
    assert "follows a full auto attack" in table.refusal(Attack("a", "c", action="auto-second"))
    table = sprays(three())
    table.do(Attack("a", "b", action="auto-second"), MISS)
    assert "follows a full auto attack" in three().refusal(Attack("a", "b", action="auto-second"))


def test_volt_12_snap_makes_snap_and_directed_makes_directed() -> None:
    assert sprays(three()).shot(action="auto-second", at="c").situation.facts["shot"] == "directed"
    assert sprays(three(facing=Direction.W)).shot(action="auto-second", at="c").situation.facts["shot"] == "snap"


def test_volt_12_aimed_makes_directed() -> None:
    table = three()
    table.do(Act("a", "aim", "b"))
    table.turn_of("a")
    assert table.shot(action="auto").situation.facts["shot"] == "aimed"
    table = sprays(table)
    for target in ("b", "c"):
        assert table.shot(action="auto-second", at=target).situation.facts["shot"] == "directed"


def test_volt_12_the_second_target_must_lie_in_the_general_direction_too() -> None:
    table = sprays(three(c="c....", facing=Direction.NE))
    assert table.shot(action="auto-second", at="c").situation.facts["shot"] == "snap"


def test_volt_12_full_auto_is_good_to_range_1() -> None:
    assert duel(10, "rifleman").worth("stretched", action="auto") is None
    assert duel(20, "rifleman").worth("stretched", action="auto") == -5
    assert "reaches range 1" in duel(40, "rifleman").refusal(Attack("a", "b", action="auto"))


@pytest.mark.parametrize(("weapon", "posture"), [("machine-gun", "prone"), ("mounted-machine-gun", "standing")])
def test_volt_13_on_its_mount_a_machine_gun_is_free_of_both_limits(weapon: str, posture: str) -> None:
    table = duel(100, "machine-gunner").arm("a", weapon)
    if posture != "standing":
        table.posture("a", posture)
    assert table.worth("burst", action="burst") == 1
    assert table.worth("stretched", action="auto") is None
    assert table.shot(action="auto").refusal == ""


def test_volt_13_a_bipod_stands_only_when_its_gunner_is_down() -> None:
    table = duel(100, "machine-gunner")
    assert table.worth("burst", action="burst") is None
    assert "reaches range 1" in table.refusal(Attack("a", "b", action="auto"))


# --- VOLT-14 and 15: moves --------------------------------------------------------------------------------------------


def ends(table: Table) -> list[str]:
    """The lines from the end of the last turn of the round."""
    lines: list[str] = []
    this_round = table.battle.turns.round
    while table.battle.turns.round == this_round and not table.battle.turns.closing:
        lines = table.do(EndTurn())
    return lines


def test_volt_14_a_move_goes_up_to_agility_metres_at_the_end_of_the_turn() -> None:
    table = fight(VOLT, "a............", "b............", a="rifleman", b="machine-gunner")
    assert "8 left" in table.refusal(Move("a", table.way("a", "J1"), "move"))
    table.walk("a", "I1", action="move")
    assert table.unit("a").at.name == "A1"
    assert "A moves A1 → I1, 8 squares." in ends(table)
    assert table.unit("a").at.name == "I1"


def test_volt_14_all_moves_happen_together() -> None:
    table = fight(VOLT, "...a...", "...b...", a="rifleman", b="rifleman", allies="b")
    table.walk("a", "A1", action="move")
    table.turn_of("b").walk("b", "G1", action="move")
    assert (table.unit("a").at.name, table.unit("b").at.name) == ("D1", "D2")
    ends(table)
    assert [moved.unit for moved in table.happened(ev.UnitMoved)] == ["a", "b"]
    assert (table.unit("a").at.name, table.unit("b").at.name) == ("A1", "G1")


def test_volt_14_one_who_is_put_out_of_action_before_does_not_arrive() -> None:
    table = fight(VOLT, "a........b", a="civilian", b="rifleman")
    table.walk("a", "D1", action="move")
    table.turn_of("b").do(Attack("b", "a"), (5, 20), (18,), (20,))
    assert table.unit("a").is_defeated
    ends(table)
    assert table.unit("a").at.name == "A1"


def test_volt_14_from_the_declaration_to_the_end_of_the_turn_it_is_a_moving_target() -> None:
    table = fight(VOLT, "a..............b", a="gunman", b="gunman")
    table.walk("a", "E1", action="half-move")
    assert table.worth("moving-target", by="b", at="a") == -2
    table.do(EndTurn())
    assert table.worth("moving-target", by="b", at="a") == -2
    ends(table)
    assert table.worth("moving-target", by="b", at="a") is None


def test_volt_14_who_is_next_is_known_up_to_the_moves_and_after_them() -> None:
    """VOLT-14: who may act after all moves depends on where these end."""
    table = waits("wait")
    assert upcoming(table.battle, table.rules) == ("a",)  # who begins the next round, were there no moves
    table.walk("b", "H1", action="half-move")
    assert upcoming(table.battle, table.rules) == ()
    ends(table)
    assert table.battle.turns.closing == ("a", "b")
    assert not [*next_turns(table.battle, table.rules, table.unit("a"))], "b is of another side"
    assert upcoming(table.battle, table.rules) == ("b", "a")


def test_volt_15_a_close_attack_may_be_joined_to_a_whole_move_without_penalty() -> None:
    table = fight(VOLT, "a........b...", a="brawler", b="civilian")
    table.walk("a", "I1", action="move")
    ends(table)
    assert (table.battle.turns.active, table.battle.turns.round) == ("a", 1)
    assert table.shot(action="attack-after").ledger.total == 11
    table.do(Attack("a", "b"), MISS)
    assert table.attacked().action == "attack-after"
    table.do(EndTurn())
    assert table.battle.turns.round == 2


def test_volt_15_no_shot_is_joined_to_a_whole_move() -> None:
    table = fight(VOLT, "a...........b", a="gunman", b="civilian")
    table.walk("a", "I1", action="move")
    ends(table)
    assert table.battle.turns.round == 2


def test_volt_15_another_action_halves_the_way_has_2_less_and_comes_after_all_moves() -> None:
    table = fight(VOLT, "a..............b", a="gunman", b="civilian")
    assert "4 left" in table.refusal(Move("a", table.way("a", "F1"), "half-move"))
    table.walk("a", "E1", action="half-move")
    assert "comes after all moves" in table.refusal(Attack("a", "b"))
    ends(table)
    assert (table.battle.turns.active, table.battle.turns.round, table.unit("a").at.name) == ("a", 1, "E1")
    assert table.worth("on-the-move", action="attack-after") == -2
    assert value(table, action="attack-after") == 7 + 1 - 2
    table.do(Attack("a", "b", action="fast-after"), MISS)
    assert "combat action" in table.refusal(Attack("a", "b"))


def test_volt_15_full_auto_after_a_move_is_two_attacks_too() -> None:
    table = fight(VOLT, "a.............b", a="rifleman", b="civilian")
    table.walk("a", "E1", action="half-move")
    ends(table)
    table.do(Attack("a", "b", action="auto-after"), MISS)
    table.do(Attack("a", "b", action="auto-second-after"), MISS)
    assert table.unit("a").gear.rounds["assault-rifle"] == 20


def test_volt_15_the_move_is_declared_before_what_is_joined_to_it() -> None:
    table = duel()
    table.do(Attack("a", "b"), MISS)
    assert "must be declared first" in table.refusal(Move("a", table.way("a", "B1"), "half-move"))


# --- VOLT-16 and 17: cover and firing positions -----------------------------------------------------------------------

WALL = '[legend]\n"w" = { object = "low wall", height = HIGH, cover = "heavy" }'


def behind(height: float, posture: str = "standing") -> Table:
    """A target right behind a wall of that height, in a posture."""
    table = fight(VOLT, "a......wb", a="gunman", b="rifleman", toml=WALL.replace("HIGH", str(height)))
    return table if posture == "standing" else table.posture("b", posture)


def test_volt_16_full_cover_leaves_no_line_either_way() -> None:
    table = behind(1.3, "kneeling")
    assert table.shot().situation.facts["covered"] == 1
    assert "no line of sight" in table.refusal(Attack("a", "b"))
    table.turn_of("b")
    assert "no line of sight" in table.refusal(Attack("b", "a"))


def test_volt_16_taking_cover_is_an_action_and_may_join_a_move() -> None:
    table = duel()
    table.do(Act("a", "take-cover"))
    assert (table.unit("a").posture, table.unit("a").turn.budget["action"]) == ("kneeling", 0)
    table = fight(VOLT, "a......b", a="gunman", b="rifleman")
    table.walk("a", "C1", action="half-move")
    table.do(Act("a", "take-cover"))
    assert (table.unit("a").posture, table.unit("a").turn.budget["action"]) == ("standing", 0)
    ends(table)
    table.do(EndTurn())
    assert (table.unit("a").posture, table.unit("a").at.name, table.battle.turns.round) == ("kneeling", "C1", 2)
    assert "getting_down" not in table.unit("a").conditions


@pytest.mark.parametrize("cover", ["take-cover", "lie-down"])
@pytest.mark.parametrize(("move", "goal"), [("half-move", "C1"), ("move", "G1")])
def test_volt_16_cover_and_attack_are_never_in_one_turn(cover: str, move: str, goal: str) -> None:
    """VOLT-16: joined to a move it is the turn's one action; a blow alone joins a move freely (VOLT-15)."""
    table = fight(VOLT, "a......b", a="brawler", b="rifleman")
    table.walk("a", goal, action=move)
    table.do(Act("a", cover))
    assert table.unit("a").turn.budget["action"] == 0
    ends(table)
    assert table.battle.turns.closing == ()
    table = duel()
    table.do(Attack("a", "b"), MISS)
    assert "combat action" in table.refusal(Act("a", cover))
    free = fight(VOLT, "a......b", a="brawler", b="rifleman")
    free.walk("a", "G1", action="move")
    ends(free)
    free.do(Attack("a", "b", action="attack-after"), MISS)


@pytest.mark.parametrize(("height", "worth"), [(0.4, None), (0.6, -1), (1.0, -2), (1.4, -3), (1.6, -3)])
def test_volt_17_a_firing_position_is_worth_what_it_covers(height: float, worth: int | None) -> None:
    """-1 for each whole quarter of the body that the shot cannot reach."""
    table = behind(height).condition("b", "in_position")
    covered = table.shot().situation.facts["covered"]
    assert isinstance(covered, (int, Fraction)) and 0 < covered < 1
    assert (table.worth("firing-position") or None) == worth, covered
    assert int(4 * covered) == -(worth or 0)


def test_volt_17_the_angle_of_attack_counts() -> None:
    table = fight(
        VOLT, "a......wb", ".........", "........c", a="gunman", b="rifleman", c="gunman", allies="c",
        toml=WALL.replace("HIGH", "1.0"),
    )  # fmt: skip
    table.condition("b", "in_position")
    assert table.worth("firing-position") == -2
    assert table.worth("firing-position", by="c") is None


def test_volt_17_a_firing_position_is_a_state_which_an_action_takes_standing_too() -> None:
    table = behind(0.6).turn_of("b")
    assert table.unit("b").posture == "standing"
    told = table.do(Act("b", "firing-position"))
    assert "B is in a firing position." in told
    assert ("in_position" in table.unit("b").conditions, table.unit("b").turn.budget["action"]) == (True, 0)
    table.turn_of("b")
    assert "already in a firing position" in table.refusal(Act("b", "firing-position"))


def test_volt_17_it_lasts_through_turns_and_shots_until_the_unit_takes_cover() -> None:
    for cover, posture in (("take-cover", "kneeling"), ("lie-down", "prone")):
        table = behind(0.6).turn_of("b")
        table.do(Act("b", "firing-position"))
        table.turn_of("b")
        table.do(Attack("b", "a"), MISS)
        ends(table)
        table.turn_of("b")
        assert "in_position" in table.unit("b").conditions
        table.do(Act("b", cover))
        assert (table.unit("b").posture, "in_position" in table.unit("b").conditions) == (posture, False)


def test_volt_17_who_kneels_in_it_takes_cover_without_lying_down() -> None:
    table = behind(0.6, "prone").turn_of("b")
    table.do(Act("b", "firing-position"))
    assert table.unit("b").posture == "kneeling"
    table.turn_of("b")
    table.do(Act("b", "take-cover"))
    assert (table.unit("b").posture, "in_position" in table.unit("b").conditions) == ("kneeling", False)
    table.turn_of("b")
    assert "it is kneeling" in table.refusal(Act("b", "take-cover"))


@pytest.mark.parametrize("ends_it", [True, False])
def test_volt_17_a_move_ends_it_by_a_named_ruling(ends_it: bool) -> None:
    table = fight(VOLT, "a......b", a="gunman", b="rifleman")
    if not ends_it:
        table.do(SetRuling("position_ends", False))
    table.do(Act("a", "firing-position"))
    ends(table)
    table.turn_of("a")
    table.walk("a", "C1", action="half-move")
    assert "in_position" in table.unit("a").conditions, "it still stands there"
    ends(table)
    table.do(EndTurn())
    assert (table.unit("a").at.name, "in_position" in table.unit("a").conditions) == ("C1", not ends_it)


def test_volt_17_joined_to_half_a_move_it_is_taken_where_the_move_ends() -> None:
    table = fight(VOLT, "a......b", a="gunman", b="rifleman").posture("a", "kneeling")
    table.walk("a", "B1", action="half-move")
    table.do(Act("a", "firing-position"))
    assert (table.unit("a").posture, "in_position" in table.unit("a").conditions) == ("kneeling", False)
    ends(table)
    table.do(EndTurn())
    assert table.unit("a").at.name == "B1"
    assert (table.unit("a").posture, table.unit("a").conditions) == ("standing", ("in_position",))
    table.turn_of("a")
    table.walk("a", "D1", action="move")
    assert "full move" in table.refusal(Act("a", "firing-position"))


def test_volt_17_cover_outside_a_firing_position_counts_as_much_by_a_named_ruling() -> None:
    """The chapter's -3 is for a firing position; another good place is the Game Master's to rule."""
    table = behind(1.0)
    assert (table.worth("firing-position"), table.worth("part-cover")) == (None, -2)
    behind_it = table.shot().odds.hit
    table.do(SetRuling("part_cover", "does not count"))
    assert table.worth("part-cover") is None
    assert table.shot().odds.hit > behind_it
    table.condition("b", "in_position")
    assert (table.worth("firing-position"), table.worth("part-cover")) == (-2, None)
    assert table.shot().odds.hit == behind_it


def test_volt_17_round_a_corner_the_cover_that_the_gm_sets_makes_the_shot_and_the_penalty() -> None:
    table = fight(VOLT, "a....", ".###.", "....b", a="gunman", b="rifleman")
    assert "no line of sight" in table.refusal(Attack("a", "b"))
    table.condition("b", "in_position")
    table.do(SetCover("a", "b", Fraction(3, 4)))
    assert table.worth("firing-position") == -3
    assert table.shot().odds.hit > 0


def test_volt_7_round_a_corner_the_firing_position_makes_the_line_of_sight_both_ways_until_it_takes_cover() -> None:
    """The action's ruling and the list of clauses said that the Game Master sets it, as there was no line."""
    table = fight(VOLT, "####..b", "####...", "####...", "..a....", a="rifleman", b="rifleman")
    for by, at in (("a", "b"), ("b", "a")):
        assert table.shot(by=by, at=at).situation.words == "Blocked by the wall at D3."
    table.do(Act("a", "firing-position"))
    assert table.shot().situation.words.startswith("20 % visible when the observer leans south-east;")
    assert table.shot(by="b", at="a").situation.words == (
        "10 % visible: the target leans out south-east and shows its head."
    )
    assert table.worth("firing-position", by="b", at="a") == -3
    table.turn_of("a").do(Act("a", "take-cover"))
    assert "no line of sight" in table.turn_of("b").refusal(Attack("b", "a"))
    assert "Game Master" not in table.rules.actions["firing-position"].origin.ruling


def corner(row: int) -> Table:
    """A at the end of a wall, B twenty squares away, so many rows beyond its end."""
    rows = [f"{'.' * 20}#{'.' * 2}"] * 6 + ["." * 23] * 6
    rows[5] = f"{'.' * 20}#a."
    rows[5 + row] = f"b{rows[5 + row][1:]}"
    return fight(VOLT, *rows, a="rifleman", b="rifleman")


@pytest.mark.parametrize("row", [1, 2, 3, 4, 6])
def test_volt_17_a_firing_position_names_whom_it_opens_to_and_is_refused_unpaid_where_that_is_nobody(row: int) -> None:
    """VOLT-17: the nearer the enemy stands to the line of the wall, the less leaning out opens."""
    table = corner(row)
    before = table.battle
    refused = ""
    try:
        told = table.do(Act("a", "firing-position"))
    except Illegal as reason:
        refused, told = str(reason), []
    seen = replace(table.unit("a"), conditions=("in_position",)).body(table.battle.field)
    is_open = trace(table.battle.field, seen, table.unit("b").body(table.battle.field)).can_see
    assert is_open is (row >= 3)
    if is_open:
        assert "A's firing position opens to B." in told and not refused
    else:
        assert refused == (
            "A cannot take “Firing position”: no enemy is in view from there. With “free” it takes it all the same."
        )
        assert table.battle is before and "no enemy is in view" in refusal(
            table.battle, table.rules, table.unit("a"), table.rules.actions["firing-position"]
        )
        table.do(Act("a", "firing-position", is_free=True))
        assert "in_position" in table.unit("a").conditions


def test_volt_17_nobody_who_is_hidden_is_named_and_at_the_end_of_a_move_it_is_tried_there() -> None:
    table = corner(6)
    table.do(SetHidden("b", True))
    assert not any("opens to" in line for line in table.do(Act("a", "firing-position")))
    table = fight(VOLT, "b..................", "...........######a.", "...................", a="rifleman", b="rifleman")
    table.walk("a", "R3", action="half-move")
    table.do(Act("a", "firing-position"))
    lines = ends(table)
    while table.battle.turns.round == 1:
        lines = table.do(EndTurn())
    assert "A's firing position opens to B." in lines


def test_volt_17_out_of_full_cover_is_an_action_which_may_be_joined_with_directing_and_not_with_aiming() -> None:
    table = behind(1.3, "kneeling").turn_of("b")
    turned(table, "b", Direction.E)
    table.do(Act("b", "firing-position"))
    assert table.unit("b").posture == "standing"
    assert "combat action" in table.refusal(Act("b", "aim", "a"))
    assert "combat action" in table.refusal(Attack("b", "a"))
    table.do(Act("b", "direct", "a"))
    assert table.turn_of("b").shot(by="b", at="a").situation.facts["shot"] == "directed"


def test_volt_17_the_weapon_may_be_pointed_at_a_place_where_nobody_is() -> None:
    """VOLT-17: free with the firing position, an action by itself; whoever comes there later is shot at directed."""
    table = behind(1.3, "kneeling").turn_of("b")
    turned(table, "b", Direction.E)
    place = table.unit("a").at
    beside = Square(place.column + 1, place.row)
    table.do(Act("b", "firing-position"))
    table.do(Act("b", "direct-place", square=beside))
    assert table.unit("b").facing is Direction.W
    assert "already points there" in table.refusal(Act("b", "direct-place", square=beside))
    assert table.turn_of("b").shot(by="b", at="a").situation.facts["shot"] == "directed"
    turned(table, "b", Direction.E)
    table.do(Act("b", "direct-place", square=beside))
    assert table.unit("b").turn.budget["action"] == 0


def test_volt_18_an_attack_in_mind_cuts_off_any_other_act() -> None:
    """VOLT-18: it comes before what the other is about to do, which then goes on."""
    table = waits("poise")
    table.do(Act("b", "aim", "a"))
    assert "aiming" not in table.unit("b").conditions
    table.do(Attack("a", "b"), (20, 20))
    assert "poised" not in table.unit("a").conditions
    table.do(Act("b", "aim", "a"))
    assert "aiming" in table.unit("b").conditions


# --- VOLT-18: waiting -------------------------------------------------------------------------------------------------


def waits(action: str, b: str = "rifleman") -> Table:
    """A gunman who waits, and an enemy whose turn it is."""
    table = fight(VOLT, "a.........b", a="gunman", b=b)
    table.do(Act("a", action))
    table.do(EndTurn())
    assert table.battle.turns.active == "b"
    return table


def test_volt_18_a_named_act_cuts_in_before_another_s() -> None:
    table = waits("poise")
    table.do(Attack("b", "a"))
    assert not table.happened(ev.AttackRolled)
    table.do(Attack("a", "b"), MISS)
    assert table.unit("a").turn.budget["action"] == 0
    assert "poised" not in table.unit("a").conditions
    table.do(Attack("b", "a"), MISS)
    assert [attack.unit for attack in table.happened(ev.AttackRolled)] == ["b"]


def test_volt_18_a_named_act_cuts_off_a_move_when_it_is_declared() -> None:
    table = waits("poise")
    way = Move("b", table.way("b", "H1"), "move")
    assert table.do(way) == [
        "A may attack B or take another action now, 1 combat action: interrupt, as B moves in view at K1."
    ]
    assert table.battle.turns.declared == ()
    table.do(Attack("a", "b"), MISS)
    assert "poised" not in table.unit("a").conditions
    table.do(way)
    assert [declared.unit for declared in table.battle.turns.declared] == ["b"]
    assert project(table.battle, table.rules).declared_paths == (way.path,)
    sees = seat_view(
        table.battle, table.rules, table.unit("a").side, remember(NOTHING_SEEN, table.battle, table.unit("a").side)
    )
    assert sees.declared_paths == (), "only the GM and its own side see where it goes"


def test_volt_18_what_was_not_named_comes_after_the_event() -> None:
    table = waits("wait")
    table.do(Attack("b", "a"), MISS)
    assert [attack.unit for attack in table.happened(ev.AttackRolled)] == ["b"]
    table.do(Attack("a", "b"), MISS)
    assert table.unit("a").turn.budget["action"] == 0


def test_volt_18_any_declared_act_cuts_off_another_s() -> None:
    """VOLT-18: one specified action, not an attack alone: cover is taken before the shot, which then goes on."""
    table = waits("poise")
    table.do(Attack("b", "a"))
    assert not table.happened(ev.AttackRolled)
    table.do(Act("a", "lie-down"))
    assert (table.unit("a").posture, "poised" in table.unit("a").conditions) == ("prone", False)
    table.do(Attack("b", "a"), MISS)
    assert table.attacked().total == table.rules.gear.weapons["assault-rifle"].fields["directed"] - 2
    assert table.unit("a").turn.budget["action"] == 0


@pytest.mark.parametrize("act", ["lie-down", "take-cover", "aim"])
def test_volt_18_any_act_may_be_declared_where_no_attack_is_possible(act: str) -> None:
    """VOLT-18: one specified action: whoever has only a knife takes cover before the shot or the move."""
    for provoking in ("attack", "move"):
        table = waits("poise")
        table.arm("a", *(("knife",) if act != "aim" else ("pistol",)))
        way: Attack | Move = Attack("b", "a") if provoking == "attack" else Move("b", table.way("b", "H1"), "move")
        (said,) = table.do(way)
        assert said.startswith("A may attack B or take another action now, 1 combat action: interrupt, as B ")
        assert not table.happened(ev.AttackRolled) and table.battle.turns.declared == ()
        if act != "aim":
            assert table.refusal(Attack("a", "b"))
        table.do(Act("a", act, "b" if act == "aim" else ""))
        assert (table.battle.openings, "poised" in table.unit("a").conditions) == ((), False)
        table.do(way, *([MISS] if provoking == "attack" else []))
        assert table.happened(ev.AttackRolled if provoking == "attack" else ev.PathDeclared)


def test_volt_18_one_who_waits_in_close_combat_cuts_off_a_move_once() -> None:
    """VOLT-18: the move is one act, whether it leaves the reach of whoever waits or not."""
    for goal in ("C1", "A2"):
        table = fight(VOLT, "ab..", "....", a="brawler", b="brawler")
        table.do(Act("a", "poise"))
        table.do(EndTurn())
        way = Move("b", table.way("b", goal), "move")
        table.do(way)
        assert [held.unit for held in table.battle.openings] == ["a"]
        table.do(way)  # let pass
        assert table.happened(ev.PathDeclared)


def test_volt_18_one_who_waits_sees_a_move_begin_that_ends_out_of_sight() -> None:
    """VOLT-18: the move is cut off when it is declared, though its first step goes behind a wall."""
    wall = '[legend]\n"w" = { object = "wall", height = 3.0 }'
    table = fight(VOLT, "......", "...ww.", "a...b.", a="gunman", b="gunman", toml=wall)
    table.place("b", "F3")
    table.do(Act("a", "poise"))
    table.do(EndTurn())
    path = table.way("b", "F1")
    (seen,) = draws(table.battle, table.rules, table.unit("b"), path, table.rules.actions["move"])
    assert (seen.reactor, seen.square) == ("a", table.unit("b").at), "the preview knows it too"
    assert "A may attack B or take another action now" in table.do(Move("b", path, "move"))[0]


def test_volt_18_who_waits_may_answer_what_happens_when_all_move() -> None:
    """VOLT-18: the moves are the event; what was not named comes after them, in the same round."""
    table = waits("wait")
    table.walk("b", "H1", action="half-move")
    assert "All moves are done: A may act." in ends(table)
    assert (table.battle.turns.active, table.unit("b").at.name, table.battle.turns.round) == ("a", "H1", 1)
    assert "after all moves" in table.refusal(Move("a", table.way("a", "B1"), "half-move"))
    table.do(Attack("a", "b"), MISS)
    assert table.attacked().action == "attack"
    assert "All moves are done: B may act." in table.do(EndTurn())  # the attack that B may join to its move
    table.do(EndTurn())
    assert (table.battle.turns.round, table.unit("a").conditions) == (2, ())
    still = waits("wait")
    assert not [line for line in ends(still) if "All moves" in line]  # nobody has moved


def test_volt_18_after_the_moves_the_gm_may_choose_who_acts_first() -> None:
    table = waits("wait")
    table.walk("b", "H1", action="half-move")
    ends(table)
    assert may_be_next(table.battle, table.rules) == ("a", "b")
    assert table.do(SetTurn("b")) == ["All moves are done: B may act."]
    assert may_be_next(table.battle, table.rules) == ("b", "a")
    table.do(Attack("b", "a", action="attack-after"), MISS)
    assert "All moves are done: A may act." in table.do(EndTurn())
    table.do(EndTurn())
    assert table.battle.turns.round == 2


def test_volt_18_next_turn_it_is_back_in_its_place() -> None:
    table = waits("wait")
    order = table.battle.turns.order
    table.do(Attack("a", "b"), MISS)
    table.do(EndTurn())
    assert (table.battle.turns.active, table.battle.turns.round, table.battle.turns.order) == ("a", 2, order)
    assert table.unit("a").conditions == ()


# --- VOLT-19: rounds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("action", "rounds"), [("attack", 1), ("fast", 2), ("burst", 5), ("auto", 10)])
def test_volt_19_each_way_of_firing_takes_its_rounds(action: str, rounds: int) -> None:
    table = duel(4, "rifleman")
    table.do(Attack("a", "b", action=action), MISS)
    assert table.unit("a").gear.rounds["assault-rifle"] == 30 - rounds
    short = duel(4, "rifleman").load("a", "assault-rifle", rounds - 1)
    assert "assault rifle" in short.refusal(Attack("a", "b", action=action)).lower()


def test_volt_19_the_second_attack_of_full_auto_takes_none() -> None:
    table = sprays(three())
    table.do(Attack("a", "c", action="auto-second"), MISS)
    assert table.unit("a").gear.rounds["assault-rifle"] == 20


# --- wounds and armour ------------------------------------------------------------------------------------------------


def test_volt_damage_is_rolled_with_two_dice_and_the_degree_is_the_wound() -> None:
    """EX-VOLT-5: Damage 15, dice 9 and 13: Injury 13."""
    lines = duel().do(Attack("a", "b"), (5, 20), (9,), (13,))
    assert told(lines, "Damage value") == "weapon damage 15"
    assert told(lines, "Injury") == "13"
    table = duel()
    table.do(Attack("a", "b"), (5, 20), (9,), (13,))
    assert table.unit("b").pools == {"health": 7, "injuries": 2, "wits": 20}


def test_volt_a_damage_roll_that_fails_marks_the_lowest_row_left() -> None:
    table = duel()
    assert told(table.do(Attack("a", "b"), (5, 20), (16,), (20,)), "Injury") == "1"
    table.turn_of("a")
    assert told(table.do(Attack("a", "b"), (5, 20), (16,), (20,)), "Injury") == "2"


def test_volt_a_white_die_above_coverage_goes_past_the_armour() -> None:
    """A vest's Coverage of 11 and Protection of 12 against a pistol's Pierce of 11; the white die need not hit."""
    assert told(duel(b="rifleman").do(Attack("a", "b"), (8, 20), (1,), (1,)), "Armour") == "holds"
    assert told(duel(b="rifleman").do(Attack("a", "b"), (11, 8), (1,), (1,)), "Armour") == "holds"
    assert told(duel(b="rifleman").do(Attack("a", "b"), (12, 8), (1,), (1,)), "Armour") == "bypassed"
    assert told(duel(b="drone").do(Attack("a", "b"), (20, 6), (1,), (1,)), "Armour") == "holds"


def test_volt_armour_that_holds_makes_injury_stun_and_takes_the_difference_off_damage() -> None:
    table = duel(b="rifleman")
    lines = table.do(Attack("a", "b"), (8, 20), (14,), (15,))
    assert (told(lines, "Protection above Pierce"), told(lines, "Damage value")) == ("1", "14")
    assert told(lines, "Stun") == "14"
    assert table.unit("b").pools == {"health": 20, "injuries": 3, "wits": 6}


def test_volt_a_weapon_that_stuns_makes_an_injury_roll_besides_on_a_full_hit() -> None:
    table = close(b="civilian")
    table.do(Attack("a", "b"), defends("b", ""), (8, 20), (13,), (20,))
    assert table.unit("b").pools == {"health": 20, "injuries": 3, "wits": 7}
    table = close(b="civilian")
    table.do(Attack("a", "b"), defends("b", ""), (8, 9), (13,), (20,), (6,), (20,))
    assert table.unit("b").pools == {"health": 14, "injuries": 2, "wits": 7}


@pytest.mark.parametrize(("first", "is_out", "is_dead"), [(14, False, False), (15, True, False), (20, True, True)])
def test_volt_an_injury_of_15_puts_out_of_action_and_one_of_20_kills(first: int, is_out: bool, is_dead: bool) -> None:
    table = duel()
    table.do(Attack("a", "b"), (5, 6), (first,), (first,))
    assert (table.unit("b").is_defeated, "dead" in table.unit("b").conditions) == (is_out, is_dead)


def test_volt_three_injuries_put_out_of_action_and_each_costs_1_of_every_value() -> None:
    table = duel(b="gunman")
    for injuries in (1, 2, 3):
        table.do(Attack("a", "b"), (5, 20), (16,), (16,))
        assert table.unit("b").is_defeated is (injuries == 3)
        if injuries < 3:
            assert table.worth("wounds", by="b", at="a") == -injuries
            table.turn_of("a")


def test_volt_a_stun_of_18_puts_out_of_action() -> None:
    table = duel(b="rifleman", stats=skilled(ranged_combat=3)).arm("a", "assault-rifle")
    table.do(SetPool("b", "wits", 2))
    assert table.unit("b").is_defeated


# --- rulings, grenades, falls, and what the chapter leaves open -------------------------------------------------------


def test_volt_a_ruling_is_changed_for_one_battle() -> None:
    table = duel(b="drone")
    assert table.worth("small-target") == -2
    table.do(SetRuling("small_target", 5))
    assert table.worth("small-target") == -5


def test_volt_a_grenade_strikes_everybody_in_its_blast_as_by_a_full_hit_and_others_with_fragments() -> None:
    table = fight(VOLT, "a.........b...c", a="grenadier", b="civilian", c="civilian")
    lines = table.do(Attack("a", "", square=parse_square("K1")), (5, 20), (10,), (10,), (3,), (3,))
    values = [line for line in lines if line.startswith("Damage value")]
    assert values == [
        "Damage value: weapon damage 15 + full hit 5 = 20.",
        "Damage value: weapon damage 15 − fragments 5 = 10.",
    ]


def test_volt_a_blast_counts_exact_metres() -> None:
    """Distances are rounded down for range numbers only: 2.2 m is outside a blast of 2 m."""
    table = fight(VOLT, "g....b.", "......c", g="grenadier", b="civilian", c="civilian")
    near = fight(VOLT, "g....b.", ".......", "......c", g="grenadier", b="civilian", c="civilian")
    for each, zone in ((table, "blast"), (near, "fragments")):
        each.do(Attack("g", "b"), (5, 20))
        zones = {event.target: event.ring for event in each.happened(ev.BurstCaught)}
        assert zones["c"] == zone


def test_volt_the_odds_are_in_the_system_s_own_terms() -> None:
    """Chances of Injury, of Stun and to be out; rows, marks and Stun are no sum."""
    shot = with_odds((table := duel(4, "rifleman", "rifleman")).battle, table.rules, table.shot())
    assert shot.outlook is not None
    injury, stun = (chance for _, chance in shot.outlook.harms)
    assert [harm for harm, _ in shot.outlook.harms] == ["Injury", "Stun"]
    assert injury + stun == shot.outlook.hurt > 0
    words = damage_words(shot.outlook)
    assert words.startswith("Injury ") and "Stun" in words and "damage" not in words


@pytest.mark.parametrize(
    ("pool", "value", "why"),
    [("injuries", 0, "3 Injuries"), ("health", 5, "an Injury of at least 15"), ("wits", 2, "a Stun of at least 18")],
)
def test_volt_the_log_says_what_put_a_unit_out_of_action(pool: str, value: int, why: str) -> None:
    """Three scratches count as a deep wound does: no page has the number, so the log says it."""
    table = duel()
    assert f"Out of action: {why}." in table.do(SetPool("b", pool, value))


def test_volt_the_list_of_units_shows_coverage_and_protection() -> None:
    """What decides whether a hit does harm stands beside the pools."""
    table = duel()
    line = unit_words(project(table.battle, table.rules), table.unit("a"))
    assert "Coverage 12; Protection 5" in line


def test_volt_a_grenade_that_misses_comes_down_elsewhere() -> None:
    table = fight(VOLT, *["." * 12] * 6, "a....b......", *["." * 12] * 6, a="grenadier", b="civilian")
    table.do(Attack("a", "b"), MISS, (5,), (2,))
    (landed,) = table.happened(ev.BurstLanded)
    assert landed.at.name == "F10"  # south, 2 m and the range number 1


def test_volt_a_fall_of_2_metres_or_more_wounds() -> None:
    table = fight(VOLT, "a....b", a="rifleman", b="flyer", altitudes={"b": 5})
    table.do(Attack("a", "b"), (5, 20), (18,), (20,), (7,), (9,))
    assert table.unit("b").is_defeated and table.unit("b").altitude == 0
    assert table.unit("b").pools["injuries"] == 1


def test_volt_smoke_and_darkness_take_from_the_value_of_a_shot() -> None:
    for squares, worth in ((0, None), (1, -3), (2, -6)):
        found = duel().shot(changed={"smoke_squares": squares}).ledger
        assert next((line.value for line in found.entries if line.id == "smoke"), None) == worth
    for light, worth in (("bright", None), ("dim", -3), ("dark", -6)):
        found = duel().shot(changed={"light": light}).ledger
        assert next((line.value for line in found.entries if line.id == "light"), None) == worth


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"light": "dark", "adjacent": True}, "blind-blow"),
        ({"height_difference": 3}, "height"),
        ({"visible": 0, "covered": 0}, "unseen"),
        ({"target.enemies_adjacent": 2}, "into-melee"),
        ({"attacker.in_melee": True}, "in-melee"),
        ({"attacker.posture": "prone"}, "postures"),
        ({"attack_number": 2}, "further-attack"),
        ({"target.squares_from_start": 3}, "stopped-target"),
        ({"attacker.moved": 3}, "moved-attacker"),
    ],
)
def test_volt_where_the_chapter_is_silent_the_panel_says_so(changed: Mapping[str, Value], line: str) -> None:
    weapon = "knife" if line == "blind-blow" else ""
    found = duel().shot(weapon, changed=changed).ledger
    said = next(entry for entry in found.entries if entry.id == line)
    assert (said.value, bool(said.because)) == (0, True)


def test_volt_a_shield_is_worth_2_from_the_front() -> None:
    table = fight(VOLT, "a......b......c", a="gunman", b="shield-bearer", c="gunman", allies="c")
    turned(table, "b", Direction.W)
    assert table.worth("shield") == -2
    assert table.worth("shield", by="c") is None
    near = close(b="shield-bearer")
    assert near.shot().situation.facts["guard"] == 4 + 2 + 2


@pytest.mark.parametrize(("move", "goal", "refused"), [("move", "F1", True), ("half-move", "B1", False)])
def test_volt_15_another_action_joined_to_a_move_halves_it(move: str, goal: str, refused: bool) -> None:
    """VOLT-15: who goes its whole way strikes at most; it takes no other weapon in hand."""
    table = fight(VOLT, "a...........b", a="gunman", b="gunman")
    other = next(
        weapon for weapon in table.unit("a").gear.weapons if weapon not in (table.unit("a").gear.weapon, "unarmed")
    )
    table.walk("a", goal, action=move)
    if refused:
        assert "a full move leaves no other action" in table.refusal(Ready("a", other))
    else:
        table.do(Ready("a", other))


def test_volt_5_whose_blow_does_what_is_reported_where_both_were_rolled_first() -> None:
    table = clash((11, 12), (12, 11), (20,), (17,), (19,), (17,))
    said = summarise(table.events, table.battle, table.rules)
    assert "A's attack: Damage, white die: rolled 20" in said and "B's attack: Damage, white die: rolled 19" in said
