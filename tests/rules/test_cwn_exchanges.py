"""Cities Without Number, what is done in others' turns: snap attacks, swarms, screens, total defence, held actions."""

from __future__ import annotations

import pytest

from engine.answers import GivenAnswer, Needs, typed_dice
from engine.battle.command import Act, Attack, EndTurn
from engine.battle.commands.decide import decide
from engine.battle.commands.gear_commands import Give
from engine.battle.commands.order_commands import SetTurn, Surprise
from engine.battle.commands.ruling_commands import SetPolicy, SetRuling
from engine.battle.commands.unit_edits import SetPool
from engine.battle.defence_choices import screen_question
from engine.battle.events import AttackRolled, AttackTurned, DefenceTaken
from engine.battle.narration.question_text import option_words, question_words
from engine.battle.state.units import ROLES
from engine.errors import Unreadable
from engine.rules.model import Value
from tests.rules.table import Table, defence_asked, defends, fight, ruleset, with_more

CWN = "cwn"


def duel(*rows: str, **roles: str) -> Table:
    return fight(CWN, *(rows or ("a..b",)), **(roles or {"a": "gunman", "b": "gunman"}))


def armour_class(table: Table, by: str = "a", at: str = "b", action: str = "") -> object:
    return table.shot(by=by, at=at, action=action).ledger.target_number


# --- CWN-9 and CWN-10: Instants and snap attacks --------------------------------------------------------------------


def test_cwn_9_the_round_gives_a_main_and_a_move_that_are_spent_before_or_in_or_after_the_turn() -> None:
    """CWN-9: one Main and one Move a round; Instants at any time."""
    table = duel()
    assert (table.unit("b").turn.budget["main"], table.unit("b").turn.budget["move"]) == (1, 1)
    table.do(EndTurn())
    assert (table.battle.turns.active, table.unit("a").turn.budget["main"]) == ("b", 1)
    table.do(EndTurn())
    assert (table.battle.turns.round, table.unit("b").turn.budget["main"]) == (2, 1)


def test_cwn_10_a_snap_attack_spends_the_main_action_still_to_come() -> None:
    """CWN-10: an Instant for the Main action to come, at -4."""
    table = duel()
    assert table.worth("snap", action="snap", by="b", at="a") == -4
    table.do(Attack("b", "a", action="snap"), (2,))
    assert table.unit("b").turn.budget["main"] == 0
    assert "none left" in table.refusal(Attack("b", "a", action="snap"), (2,))
    table.do(EndTurn())
    assert table.battle.turns.active == "b"
    assert "none left" in table.refusal(Attack("b", "a"), (2,))
    assert table.unit("b").turn.budget["move"] == 1


def test_cwn_10_a_snap_attack_spends_a_main_action_that_was_left() -> None:
    table = duel()
    table.do(EndTurn())
    table.do(Attack("a", "b", action="snap"), (2,))
    assert table.unit("a").turn.budget["main"] == 0
    assert "turn" in table.refusal(Attack("a", "b"), (2,))


def test_cwn_10_snap_attacks_at_the_same_time_are_simultaneous() -> None:
    table = duel()
    table.do(SetPool("b", "hp", 1))
    lines = table.do(Attack("a", "b", action="snap"), defends("b", "snap-back"), (19,), (19,), (8,), (1,), (8,), (1,))
    assert table.unit("b").is_defeated
    assert table.unit("a").pools["hp"] < 15
    assert [event.is_hit for event in table.happened(AttackRolled)] == [True, True]
    assert (table.unit("a").turn.budget["main"], table.unit("b").turn.budget["main"]) == (0, 0)
    assert any("Simultaneous snap attack" in line for line in lines)


def test_cwn_10_who_is_shot_at_by_a_snap_attack_may_snap_at_another_at_the_same_time() -> None:
    """A shoots at B, who is about to shoot at C: B is shot down and still shoots at C."""
    table = fight(CWN, "a..b", "..c.", allies="c", a="gunman", b="gunman", c="gunman")
    table.do(SetPool("b", "hp", 1))
    snap = Attack("a", "b", action="snap")
    with pytest.raises(Needs) as need:
        decide(table.battle, snap, table.rules, asks_dice=True)
    asked = defence_asked(need.value)
    assert [one.id for one in asked.options] == ["snap-back", "snap-back:c"]
    assert [option_words(one, table.rules)[0] for one in asked.options] == [
        "B: Simultaneous snap attack",
        "B: Simultaneous snap attack on C",
    ]
    table.do(snap, defends("b", "snap-back:c"), (19,), (19,), (8,), (1,), (8,), (1,))
    assert [(event.unit, event.target) for event in table.happened(AttackRolled)] == [("a", "b"), ("b", "c")]
    assert table.unit("b").is_defeated and table.unit("c").pools["hp"] < table.unit("a").pools["hp"]


def test_who_may_be_attacked_in_answer_is_named_before_the_roll() -> None:
    more = '[[defence]]\nid = "spite"\nlabel = "Spite"\non = ["hit"]\nwhen = "hit"\ncounter = "snap"\nsource = "Here"\n'
    with pytest.raises(Unreadable, match="counters_anyone needs together = true"):
        with_more(CWN, f"{more}counters_anyone = true\n")


def test_cwn_10_only_a_snap_attack_is_answered_at_the_same_time_and_only_for_the_main_action() -> None:
    table = duel()
    assert "its condition does not hold" in table.refusal(Attack("a", "b"), defends("b", "snap-back"), (19,))
    table.do(Act("b", "total-defence"))
    assert "Main action" in table.refusal(Attack("a", "b", action="snap"), defends("b", "snap-back"), (19,))


def test_cwn_10_without_a_main_action_there_is_no_snap_attack() -> None:
    table = duel()
    table.do(Attack("a", "b"), (2,))
    table.do(EndTurn())
    assert "none left" in table.refusal(Attack("a", "b", action="snap"), (2,))


# --- CWN-11: swarms -------------------------------------------------------------------------------------------------


def mob() -> Table:
    """A, C, D, E and F round B."""
    others = dict.fromkeys("cdef", "brawler")
    return fight(CWN, "cd...", "eb...", "fa...", a="brawler", b="gunman", allies="cdef", **others)


def joined(table: Table, *joiners: str) -> Table:
    for unit_id in joiners:
        while table.battle.turns.active != unit_id:
            table.do(EndTurn())
        table.do(Act(unit_id, "swarm", "b"))
    return table


def test_cwn_11_each_other_attacker_of_the_swarm_adds_two_to_hit_up_to_six() -> None:
    """CWN-11: +2 to hit for each other surviving attacker, at most +6; one attack for all."""
    table = joined(mob(), "a", "c")
    assert table.worth("swarm", action="swarm-attack", by="c") == 2
    joined(table, "d", "e")
    assert table.worth("swarm", action="swarm-attack", by="e") == 6
    assert table.unit("e").turn.budget["main"] == 0
    while table.battle.turns.active != "f":
        table.do(EndTurn())
    assert "already has four attackers" in table.refusal(Act("f", "swarm", "b"))


def test_cwn_11_only_those_who_can_still_fight_count() -> None:
    table = joined(mob(), "a", "c", "d")
    table.do(SetPool("c", "hp", 0))
    assert table.worth("swarm", action="swarm-attack", by="d") == 2


def test_cwn_11_a_swarm_needs_two() -> None:
    """CWN-11: the bonus and the Shock are those of a mob; who is alone in it strikes as ever."""
    table = joined(mob(), "a")
    assert "a swarm needs two" in table.refusal(Attack("a", "b", action="swarm-attack"), (19,))
    assert "a swarm needs two" in table.shot(action="swarm-attack").refusal
    assert table.shot(action="swarm-attack").odds.hit == 0
    joined(table, "c")
    assert table.shot(action="swarm-attack", by="c").refusal == ""
    table.do(SetPool("a", "hp", 0))
    assert "a swarm needs two" in table.refusal(Attack("c", "b", action="swarm-attack"), (19,))


def test_cwn_11_the_gm_rules_how_many_a_swarm_needs() -> None:
    table = joined(joined(mob(), "a"), "c")
    table.do(SetRuling("swarm_least", 3))
    assert "a swarm needs 3" in table.shot(action="swarm-attack", by="c").refusal


def test_cwn_11_joining_a_swarm_ends_no_other_and_says_what_it_ends() -> None:
    """CWN-11: several swarms at once; the held action of one who joins is told to be over."""
    others = dict.fromkeys("cd", "brawler")
    table = fight(CWN, "ac...", ".b...", "..f..", "..d..", a="brawler", b="gunman", f="gunman", allies="cd", **others)
    table.do(Act("a", "swarm", "b"))
    table.turn_of("d")
    table.do(Act("d", "hold"))
    lines = table.do(Act("d", "swarm", "f"))
    assert any(line.startswith("D is no longer holding an action") for line in lines)
    assert [unit.id for unit in table.battle.units.values() if "swarming" in unit.conditions] == ["a", "d"]


def test_cwn_11_two_swarms_of_a_side_on_two_targets_strike_both() -> None:
    """CWN-11: the chapter speaks of a mob against one target; another mob against another is not touched by it."""
    others = dict.fromkeys("cde", "brawler")
    table = fight(CWN, "ac...", ".b...", "..f..", "..de.", a="brawler", b="gunman", f="gunman", allies="cde", **others)
    for joiner, target in (("a", "b"), ("c", "b"), ("d", "f"), ("e", "f")):
        while table.battle.turns.active != joiner:
            table.do(EndTurn())
        table.do(Act(joiner, "swarm", target))
    table.do(Attack("c", "b", action="swarm-attack"), (2,))
    assert [unit.id for unit in table.battle.units.values() if "swarming" in unit.conditions] == ["d", "e"]
    table.do(Attack("e", "f", action="swarm-attack"), (2,))
    assert not [unit.id for unit in table.battle.units.values() if "swarming" in unit.conditions]


def test_cwn_11_damage_grows_but_never_above_what_the_weapon_can_do() -> None:
    """CWN-11: +1 damage for each other attacker, up to +3 and the weapon's maximum."""
    for rolled, done in ((1, 3), (2, 4), (3, 4), (4, 4)):
        table = joined(mob().arm("d", "knife"), "a", "c", "d")
        before = table.unit("b").pools["hp"]
        table.do(Attack("d", "b", action="swarm-attack"), (19,), (rolled,), (1,))
        assert before - table.unit("b").pools["hp"] == done


def test_cwn_11_shock_always_harms() -> None:
    """CWN-11: a miss of a swarm does its Shock whatever the Armor Class; the bonus does not add to it."""
    stats = {"b": {"melee_ac": 30}}
    table = fight(CWN, "c.", "ab", a="brawler", b="gunman", c="brawler", allies="c", stats=stats)
    joined(table.arm("c", "club"), "a", "c")
    before = table.unit("b").pools["hp"]
    table.do(Attack("c", "b", action="swarm-attack"), (2,))
    assert before - table.unit("b").pools["hp"] == table.rules.gear.weapons["club"].fields["shock"]


def test_cwn_11_after_the_attack_the_swarm_is_over() -> None:
    table = joined(mob(), "a", "c", "d")
    table.do(Attack("a", "b", action="swarm-attack"), (2,))
    assert [unit.id for unit in table.battle.units.values() if "swarming" in unit.conditions] == []
    assert "has not joined" in table.refusal(Attack("c", "b", action="swarm-attack"), (2,))


# --- CWN-13: screening an ally --------------------------------------------------------------------------------------


def screened(stab: int = 2) -> Table:
    """A is attacked by B; C, a fighter, screens it."""
    stats = {"c": {"npc": False, "stab": stab, "shoot": 0, "punch": 0, "strength_mod": 1, "dexterity_mod": 0}}
    table = fight(CWN, "ca...", ".b...", c="brawler", a="gunman", b="brawler", allies="a", stats=stats)
    table.arm("c", "club").arm("b", "club")
    table.do(Act("c", "screen", "a"))
    return table.turn_of("b")


def steps_in(target: str, who: str) -> GivenAnswer:
    """The answer that somebody screens a target, before the roll."""
    return GivenAnswer(screen_question(target), choose=who)


def test_cwn_13_the_screen_turns_the_attack_on_the_one_who_screens() -> None:
    """CWN-13: an opposed check; where the attacker fails, its roll is against the one who screens."""
    table = screened()
    before, other = table.unit("a").pools, table.unit("c").pools["hp"]
    said = table.do(Attack("b", "a"), steps_in("a", "screen:c"), (6,), (5,), (19,), (3,), (1,))
    assert table.attacked().target == "c"
    assert "The attack goes to C: Screen." in said
    assert "Attacker's total: 6 + skill 2 = 8." in said
    assert "Screening unit's total: 5 + strength modifier 1 + stab 2 = 8." in said
    assert (table.unit("a").pools, table.unit("c").pools["hp"] < other) == (before, True)


def test_cwn_13_the_check_comes_before_the_attack_roll() -> None:
    table = screened()
    with pytest.raises(Needs) as asked:
        decide(table.battle, Attack("b", "a"), table.rules, asks=True)
    ask = defence_asked(asked.value)
    assert not any(isinstance(event, AttackRolled) for event in ask.happened)
    assert [(each.id, option_words(each, table.rules)[1]) for each in ask.options] == [
        ("screen:c", "free, stops it 66 %")
    ]
    assert question_words(ask, table.rules) == "A is attacked; the attack is not rolled yet."
    table.do(Attack("b", "a"), steps_in("a", "screen:c"), (6,), (5,), (19,), (3,), (1,))
    order = [type(event) for event in table.events if isinstance(event, AttackRolled | DefenceTaken)]
    assert order == [DefenceTaken, AttackRolled]


def test_cwn_13_the_roll_is_against_the_armor_class_of_the_one_who_screens() -> None:
    table = screened()
    table.do(Attack("b", "a"), steps_in("a", "screen:c"), (6,), (5,), (2,))
    assert table.attacked().target_number == 14
    again = screened()
    again.do(Attack("b", "a"), steps_in("a", "screen:c"), (8,), (5,), (2,))
    assert (again.attacked().target, again.attacked().target_number) == ("a", 10)


def test_cwn_13_opponents_by_hit_dice_check_with_the_skill_that_is_printed_with_them() -> None:
    printed = {role: sheet.stats.get("skill", 0) for role, sheet in ruleset(CWN).units.sheets.items()}
    assert (printed["marksman"], printed["brawler"], printed["security"], printed["basic-guard"]) == (3, 2, 1, 0)


def test_cwn_13_who_beats_the_screen_attacks_as_meant() -> None:
    table = screened()
    table.do(Attack("b", "a"), steps_in("a", "screen:c"), (8,), (5,), (19,), (3,), (1,))
    assert table.happened(AttackTurned) == []
    assert table.unit("c").turn.budget["screens"] == 1


def test_cwn_13_as_many_attackers_as_the_highest_combat_skill() -> None:
    table = screened(stab=1)
    table.do(Attack("b", "a", is_free=True), steps_in("a", "screen:c"), (12,), (2,), (2,))
    assert "is not possible" in table.refusal(Attack("b", "a"), steps_in("a", "screen:c"), (2,))
    none = fight(CWN, "ca...", ".b...", c="brawler", a="gunman", b="brawler", allies="a", stats={"c": {"skill": 0}})
    assert "needs a combat skill of level 1 or more" in none.refusal(Act("c", "screen", "a"))


@pytest.mark.parametrize("role", [role for role in ROLES if ruleset(CWN).units.sheets[role].stats["npc"]])
def test_cwn_13_who_has_hit_dice_screens_with_its_skill(role: str) -> None:
    """CWN-13: as it attacks against a screen; as many attackers as the number, and with 0 none."""
    table = fight(CWN, "ab", "c.", allies="c", a="gunman", b="brawler", c=role)
    skill = table.rules.units.sheets[role].stats["skill"]
    if not isinstance(skill, int) or skill < 1:
        assert "needs a combat skill of level 1 or more" in table.turn_of("c").refusal(Act("c", "screen", "a"))
        return
    table.turn_of("c").do(Act("c", "screen", "a"))
    assert table.unit("c").turn.budget["screens"] == skill
    said = table.turn_of("b").do(Attack("b", "a", is_free=True), steps_in("a", "screen:c"), (2,), (12,))
    own = table.rules.units.sheets[role].stats
    total = 12 + skill + max(int(own["strength_mod"]), int(own["dexterity_mod"]))
    assert any(line.startswith("Screening unit's total: ") and line.endswith(f"{total}.") for line in said), said


def three_screens() -> Table:
    """A is attacked by B; C and D screen it, E screens F."""
    fighter: dict[str, Value] = {"npc": False, "stab": 2, "strength_mod": 1, "dexterity_mod": 0}
    others = {"c": "brawler", "d": "brawler", "e": "brawler", "f": "gunman"}
    stats = dict.fromkeys("cde", fighter)
    table = fight(CWN, "cadef", ".b...", **others, a="gunman", b="brawler", allies="adef", stats=stats)
    for who in "bcde":
        table.arm(who, "club")
    for who, ally in (("c", "a"), ("d", "a"), ("e", "f")):
        if table.battle.turns.active != who:
            table.do(SetTurn(who))
        table.do(Act(who, "screen", ally))
    table.do(SetTurn("b"))
    return table


def test_cwn_13_a_screen_is_for_the_ally_it_names() -> None:
    table = three_screens()
    assert [table.unit(who).about["screening"] for who in "cde"] == ["a", "a", "f"]
    with pytest.raises(Needs) as asked:
        decide(table.battle, Attack("b", "a"), table.rules, asks=True)
    assert [each.id for each in defence_asked(asked.value).options] == ["screen:c", "screen:d", "screen:all"]
    assert "is not possible" in table.refusal(Attack("b", "a"), steps_in("a", "screen:e"), (2,))


def test_cwn_13_of_several_who_screen_the_lowest_success_takes_the_attack() -> None:
    table = three_screens()
    table.do(Attack("b", "a"), steps_in("a", "screen:all"), (6,), (9,), (7,), (2,))
    assert table.attacked().target == "d"
    assert [table.unit(who).turn.budget["screens"] for who in "cde"] == [1, 1, 2]
    again = three_screens()
    again.do(Attack("b", "a"), steps_in("a", "screen:all"), (6,), (9,), (2,), (2,))
    assert again.attacked().target == "c"
    neither = three_screens()
    neither.do(Attack("b", "a"), steps_in("a", "screen:all"), (12,), (2,), (2,), (2,))
    assert neither.attacked().target == "a"


def test_cwn_13_a_policy_lets_a_unit_screen_without_being_asked() -> None:
    table = screened()
    table.do(SetPolicy("auto", "screen", "c"))
    table.do(Attack("b", "a"))
    (taken,) = table.happened(DefenceTaken)
    assert (taken.unit, taken.is_by_itself) == ("c", True)


def test_cwn_13_gunfire_is_not_screened_nor_are_those_far_off() -> None:
    table = screened()
    table.arm("b", "heavy-pistol")
    assert "is not possible" in table.refusal(Attack("b", "a", is_free=True), steps_in("a", "screen:c"), (2,))
    far = screened()
    far.place("c", "E2")
    assert "is not possible" in far.refusal(Attack("b", "a"), steps_in("a", "screen:c"), (2,))


def test_cwn_13_gunfire_is_screened_with_integral_cyber_armour() -> None:
    table = screened()
    table.do(Give("c", "integral-cyber-armour"))
    table.arm("b", "heavy-pistol")
    table.do(Attack("b", "a", is_free=True), steps_in("a", "screen:c"), (2,), (12,), (2,))
    assert table.attacked().target == "c"


def test_cwn_13_a_grenade_is_not_screened_and_arrows_are_by_a_ruling() -> None:
    table = screened().place("b", "E2").arm("b", "frag-grenade")
    assert "Not asked for" in table.refusal(Attack("b", "a"), steps_in("a", "screen:c"), (10,))
    table.arm("b", "advanced-bow")
    table.do(Attack("b", "a", is_free=True), steps_in("a", "screen:c"), (2,), (12,), (2,))
    assert table.attacked().target == "c"
    table.do(SetRuling("screen_arrows", False))
    table.arm("b", "advanced-bow")
    assert "is not possible" in table.refusal(Attack("b", "a", is_free=True), steps_in("a", "screen:c"), (2,))


def test_cwn_13_a_move_to_an_ally_pays_for_the_screen() -> None:
    stats = {"c": {"npc": False, "stab": 1}}
    table = fight(CWN, "c...a.", "....b.", c="brawler", a="gunman", b="brawler", allies="a", stats=stats)
    assert "the ally is 8 m away" in table.refusal(Act("c", "screen", "a"))
    table.walk("c", "D1")
    table.do(Act("c", "screen", "a"))
    assert "screening" in table.unit("c").conditions
    assert (table.unit("c").turn.budget["move"], table.unit("c").turn.budget["main"]) == (0, 1)


# --- CWN-14: total defence ------------------------------------------------------------------------------------------


def test_cwn_14_total_defence_is_an_instant_that_costs_the_main_action() -> None:
    """CWN-14: an Instant, +2 AC until the next turn."""
    table = duel()
    before = armour_class(table)
    table.do(Act("b", "total-defence"))
    assert armour_class(table) == before + 2
    assert table.unit("b").turn.budget["main"] == 0
    assert "it is already in total defence" in table.refusal(Act("b", "total-defence"))
    table.do(EndTurn())
    assert "defending" not in table.unit("b").conditions
    table.do(Attack("b", "a", is_free=True), (2,))
    assert "none left" in table.refusal(Attack("b", "a"), (2,))


def test_cwn_14_it_may_be_taken_when_the_dice_are_rolled() -> None:
    table = duel()
    shot = table.shot()
    just = int(shot.ledger.target_number - shot.ledger.total)
    with pytest.raises(Needs) as asked:
        decide(table.battle, Attack("a", "b"), table.rules, typed_dice(((just,),)), asks_dice=True)
    assert [(each.id, option_words(each, table.rules)[1]) for each in defence_asked(asked.value).options] == [
        ("total-defence", "1 Main action, stops it 100 %")
    ]
    before = table.unit("b").pools
    said = table.do(Attack("a", "b"), defends("b", "total-defence"), (just,))
    assert said[-1] == "The attack on B fails: Miss, Total defence."
    assert table.unit("b").pools == before
    assert len(table.happened(DefenceTaken)) == 1


def test_cwn_14_nobody_is_asked_where_it_changes_nothing() -> None:
    table = duel()
    shot = table.shot()
    for roll in (int(shot.ledger.target_number - shot.ledger.total) + 2, 2):
        assert "is not possible" in table.refusal(Attack("a", "b"), defends("b", "total-defence"), (roll,))
    table.do(Act("b", "total-defence"))
    assert "is not possible" in table.refusal(Attack("a", "b"), defends("b", "total-defence"), (2,))


def test_cwn_14_against_a_grenade_nobody_is_asked() -> None:
    """CWN-14: it goes for a point, whatever anybody's Armour Class is."""
    table = duel("a....b", a="grenadier", b="gunman")
    assert "is not possible" in table.refusal(Attack("a", "b", "frag-grenade"), defends("b", "total-defence"), (9,))


def asked_of_blow(weapon: str, roll: int, **stats: int) -> list[str]:
    """What the one struck is asked after the roll of a blow."""
    table = fight(CWN, "ab", a="brawler", b="gunman", stats={"b": stats})
    table.arm("a", weapon)
    try:
        decide(table.battle, Attack("a", "b"), table.rules, typed_dice(((roll,),)), asks=True)
    except Needs as need:
        return [option_words(answer, table.rules)[1] for answer in defence_asked(need).options]
    return []


def test_cwn_14_of_a_blow_it_is_asked_where_its_shock_could_tell() -> None:
    """CWN-14: a club's 1d4 does no less than its Shock of 1; a sword's 1d8 may do less than its Shock of 2."""
    assert asked_of_blow("club", 18) == []
    assert asked_of_blow("sword", 18) == ["1 Main action, prevents Shock 2"]
    assert asked_of_blow("club", 2) == ["1 Main action, prevents Shock 1"]
    assert asked_of_blow("club", 1) == ["1 Main action, prevents Shock 1"]
    assert asked_of_blow("sword", 20) == ["1 Main action, prevents Shock 2"]
    assert asked_of_blow("sword", 18, melee_ac=14) == []
    assert asked_of_blow("club", 5) == ["1 Main action, stops it 100 %, prevents Shock 1"]


def test_cwn_14_a_shield_that_stops_the_shock_leaves_nothing_to_ask() -> None:
    assert asked_of_blow("club", 2, shield=True, melee_ac=12) == []


def test_cwn_14_it_stops_shock() -> None:
    table = fight(CWN, "ab", a="brawler", b="gunman")
    table.arm("a", "club")
    before = table.unit("b").pools
    table.do(Attack("a", "b"), defends("b", "total-defence"), (2,))
    assert table.unit("b").pools == before
    again = fight(CWN, "ab", a="brawler", b="gunman")
    again.arm("a", "club")
    again.do(Attack("a", "b"), (2,))
    assert again.unit("b").pools != before


def test_cwn_14_shock_does_nothing_for_the_whole_round_and_the_armor_class_holds_until_the_next_turn() -> None:
    """CWN-14: no Shock for the round, +2 AC until the next turn."""
    table = fight(CWN, "acb", a="brawler", b="gunman", c="brawler", allies="c").arm("a", "club").arm("c", "club")
    before = armour_class(table, by="c")
    table.do(Act("b", "total-defence"))
    assert (armour_class(table, by="c"), table.shot(by="c").situation.facts["target.shockproof"]) == (before + 2, True)
    table.turn_of("b")
    assert table.battle.turns.round == 1
    assert armour_class(table, by="c") == before
    hit_points = table.unit("b").pools["hp"]
    table.do(Attack("c", "b", is_free=True), (2,))
    assert table.unit("b").pools["hp"] == hit_points
    table.do(EndTurn())
    assert table.battle.turns.round == 2
    table.do(Attack("c", "b", is_free=True), (2,))
    assert table.unit("b").pools["hp"] < hit_points


def test_cwn_9_the_surprised_do_nothing_in_that_round() -> None:
    """CWN-9: the round is lost, Instants and free attacks included; the GM may give leave all the same."""
    table = fight(CWN, "ab", a="brawler", b="brawler")
    table.arm("a", "sword").arm("b", "sword")
    table.do(Surprise(("b",)))
    assert "surprised, no turn this round" in table.refusal(Act("b", "total-defence"))
    assert "surprised" in table.refusal(Attack("b", "a", action="snap"))
    assert "is not possible" in table.refusal(Attack("a", "b"), defends("b", "total-defence"), (2,))
    table.do(Attack("b", "a", is_free=True), (2,))
    table.do(EndTurn())
    assert table.battle.turns.round == 2
    table.do(Act("b", "total-defence"))


def test_cwn_9_one_who_is_surprised_acts_all_the_same_in_a_turn_that_the_gm_gives() -> None:
    table = duel()
    table.do(Surprise(("b",)))
    table.do(SetTurn("b"))
    table.do(Attack("b", "a"), (2,))


def test_cwn_15_one_who_is_surprised_has_no_free_attack() -> None:
    for is_surprised in (True, False):
        table = fight(CWN, "ab", "..", "..", a="brawler", b="brawler")
        table.arm("b", "sword")
        if is_surprised:
            table.do(Surprise(("b",)))
        said = table.walk("a", "A3")
        assert any("may attack" in line for line in said) is not is_surprised


# --- CWN-17: holding an action --------------------------------------------------------------------------------------


def test_cwn_17_the_last_turn_of_the_round_says_who_still_holds_an_action() -> None:
    """What is still held when the round ends is lost."""
    table = fight("cwn", "a....b", "......", "c.....", a="gunman", b="gunman", c="gunman")
    last = table.battle.turns.order[-1]
    table.do(Act("a", "hold"))
    said = []
    while table.battle.turns.active != last:
        said = table.do(EndTurn())
    assert said[-1] == "Last turn of the round. Still to act: A."
    assert not any("still wait" in line for line in table.do(EndTurn()))  # nobody holds anything any more


def test_cwn_17_a_held_action_cuts_in_before_a_move_or_an_attack_continues() -> None:
    """CWN-17: what is held in response to an enemy's act is resolved first."""
    table = duel("a...b", a="gunman", b="gunman")
    table.do(Act("a", "hold"))
    table.do(EndTurn())
    said = table.walk("b", "C1")
    assert said[-1].startswith("A may attack B now, 1 Main action: held action, as B moves in view")
    table.do(Attack("a", "b"), (2,))
    assert (table.unit("a").turn.budget["main"], table.unit("a").conditions) == (0, ())
    table.walk("b", "C1")
    assert table.unit("b").at.name == "C1"
    shot = duel("a...b", a="gunman", b="gunman")
    shot.do(Act("a", "hold"))
    shot.do(EndTurn())
    assert shot.do(Attack("b", "a"))[0].startswith("A may attack B now")
    shot.do(Attack("b", "a"), (2,))
    assert shot.attacked().unit == "b"


def test_cwn_17_a_held_action_cuts_in_before_any_other_act() -> None:
    """CWN-17: whatever an enemy is about to do may be answered, and waits for it."""
    table = duel("a...b", a="gunman", b="rifleman")
    table.do(Act("a", "hold"))
    table.do(EndTurn())
    table.do(Act("b", "kneel"))  # not worth the asking
    table.do(Act("b", "rise"))
    said = table.do(Act("b", "go-prone"))
    assert said[0].startswith("A may attack B now, 1 Main action: held action, as B acts")
    assert table.unit("b").posture == "standing"
    table.do(Attack("a", "b"), (2,))
    assert (table.unit("a").turn.budget["main"], table.unit("a").conditions) == (0, ())
    table.do(Act("b", "go-prone"))
    assert table.unit("b").posture == "prone"
