"""EVA-6, 14, 16, 18 to 20, 23 and 24: dodges, parries, deflectors, and blows between turns."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from engine.answers import Needs, typed_dice
from engine.battle import events as ev
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.attacks.split_hits import share_answers, shared_chances, with_share
from engine.battle.command import Act, Attack, EndTurn
from engine.battle.commands.decide import decide
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_edits import SetPool
from engine.rules.model import Value
from tests.rules.table import Table, defence_asked, defends, fight, given
from tui.application.commands.registry import hear
from tui.application.commands.results import Setting, SubmitCommand

EVA = "eva"
Stats = Mapping[str, Mapping[str, Value]]
TOUGH: Stats = {"b": {"wound_points": 90}}


def duel(distance: int = 10, a: str = "rifleman", b: str = "rifleman", stats: Stats = TOUGH) -> Table:
    return fight(EVA, "a" + "." * (distance - 1) + "b", a=a, b=b, stats=stats)


def hits(table: Table) -> int:
    return sum(event.label == "Damage" for event in table.happened(ev.EffectRolled))


def offered(table: Table, attack: Attack, roll: int) -> list[str]:
    """The defences that are asked for after an attack's roll."""
    try:
        decide(table.battle, attack, table.rules, typed_dice(((roll,),)), asks_dice=True)
    except Needs as asked:
        return [answer.id for answer in asked.ask.options] if isinstance(asked.ask, DefenceAsk) else []
    return []


# --- EVA-6: evasion -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("roll", "stops"), [(35, True), (36, False)])
def test_eva_6_a_dodge_is_a_reaction_that_stops_a_single_hit(roll: int, stops: bool) -> None:
    """EVA-6: a test of Agility 35 that costs the one reaction of the turn."""
    table = duel()
    table.do(Attack("a", "b"), defends("b", "dodge"), (50,), (roll,), *[(5,)] * (not stops))
    assert hits(table) == (not stops)
    assert table.unit("b").turn.budget["reaction"] == 0
    assert "dodge" not in offered(table.turn_of("a"), Attack("a", "b"), 50) or table.unit("b").turn.budget["reaction"]


def test_eva_6_each_degree_evades_one_of_several_hits() -> None:
    """EVA-6: four hits, a dodge with two degrees, two are left; with four, none."""
    table = duel()
    table.do(Attack("a", "b", action="burst-4"), defends("b", "dodge"), (10,), (25,), (5,), (5,))
    assert hits(table) == 2
    none = duel(stats={"b": {"wound_points": 90, "agility": 45}})
    none.do(Attack("a", "b", action="burst-4"), defends("b", "dodge"), (10,), (9,))
    assert (hits(none), none.happened(ev.AttackTurned)[0].grade) == (0, "evaded")


def test_eva_6_only_one_evasion_and_only_with_a_reaction_left() -> None:
    """EVA-6: none for a second attack before its next turn."""
    table = fight(EVA, "a....b", "c.....", a="rifleman", b="rifleman", c="rifleman", allies="c", stats=TOUGH)
    table.do(Attack("a", "b"), defends("b", "dodge"), (50,), (20,))
    while table.battle.turns.active != "c":
        table.do(EndTurn())
        if table.battle.turns.active == "b":
            return  # its reaction came back before the third could shoot
    assert offered(table, Attack("c", "b"), 50) == []


def test_eva_6_a_parry_is_for_blows_and_takes_a_weapon_in_hand() -> None:
    """EVA-6: WS 45 with a sword; shots are not parried, bare hands do not parry."""
    table = duel(1, "brawler", "brawler")
    table.do(Attack("a", "b"), defends("b", "parry"), (50,), (45,))
    assert hits(table) == 0
    assert set(offered(duel(1, "brawler", "brawler"), Attack("a", "b"), 50)) >= {"dodge", "parry"}
    assert offered(duel(1, "brawler", "brawler").arm("b", "unarmed"), Attack("a", "b"), 50) == ["dodge"]
    assert offered(duel(5, "rifleman", "brawler"), Attack("a", "b"), 50) == ["dodge"]


def test_eva_6_point_defence_shoots_down_what_bursts() -> None:
    """EVA-6: BS with a weapon made for it; the rocket does not go off."""
    table = duel(30).arm("a", "rocket-launcher").arm("b", "rotary-gun")
    assert offered(table, Attack("a", "b"), 30) == ["point-defence"]
    table.do(Attack("a", "b"), defends("b", "point-defence"), (30,), (40,))
    assert not table.happened(ev.BurstLanded)
    missed = duel(30).arm("a", "rocket-launcher").arm("b", "rotary-gun")
    missed.do(Attack("a", "b"), defends("b", "point-defence"), (30,), (41,))
    assert missed.happened(ev.BurstLanded)


def test_eva_6_the_stunned_and_the_surprised_do_not_evade() -> None:
    """EVA-2, EVA-6: no reactions."""
    for held in ("stunned", "surprised"):
        assert offered(duel().condition("b", held), Attack("a", "b"), 50) == []


def test_eva_22_a_launcher_that_jams_does_not_launch() -> None:
    """EVA-22: nothing bursts."""
    table = duel(30).arm("a", "rocket-launcher")
    table.do(Attack("a", "b"), (97,))
    assert not table.happened(ev.BurstLanded)


# --- EVA-14: deflectors ---------------------------------------------------------------------------------------------


def shielded(**stats: Value) -> Table:
    return duel(stats={"b": {"wound_points": 90, "deflector_strength": 50, **stats}})


def test_eva_14_a_deflector_is_free_and_evades_a_hit_for_every_degree() -> None:
    """EVA-14: strength 50 is what to test under; it costs no reaction and works again and again."""
    table = shielded()
    table.do(Attack("a", "b", action="burst-4"), defends("b", "deflect"), (10,), (39,), (5,))
    assert (hits(table), table.unit("b").turn.budget["reaction"]) == (1, 1)  # 39 against 50 is three degrees
    table.turn_of("a").do(Attack("a", "b"), defends("b", "deflect"), (50,), (50,))
    assert hits(table) == 0
    table.turn_of("a").do(Attack("a", "b"), defends("b", "deflect"), (50,), (51,), (5,))
    assert hits(table) == 1


def test_eva_14_the_strongest_source_counts_and_what_weakens_one_weakens_all() -> None:
    """EVA-14: 30 and 60 are 60; weakened by 20 they are 40."""
    table = shielded(deflector_strength=30, second_deflector=60)
    assert table.unit("b").pools["deflector"] == 60
    table.do(SetPool("b", "deflector", 40))
    table.do(Attack("a", "b"), defends("b", "deflect"), (50,), (41,), (5,))
    assert hits(table) == 1


def test_eva_14_deflecting_is_the_one_evasion_against_that_attack() -> None:
    """EVA-14: deflect or dodge, not both."""
    assert offered(shielded(), Attack("a", "b"), 50) == ["deflect", "dodge"]


def test_eva_16_how_likely_a_defence_stops_it_counts_the_units_own_hits() -> None:
    """EVA-16: of four hits two are given away; two degrees stop the target's own, and as many those of the other."""
    stats: Stats = {name: {"wound_points": 90, "deflector_strength": 50} for name in "bc"}
    row = "a.........b"
    table = fight(EVA, row, "..........c", a="rifleman", b="rifleman", c="rifleman", stats=stats)
    wish, share = Attack("a", "b", action="burst-4"), share_answers((("c", 2),))
    with pytest.raises(Needs) as caught:
        decide(table.battle, wish, table.rules, given(*share, (5,)), asks=True)
    first = defence_asked(caught.value)
    assert {one.id: one.stops for one in first.options}["deflect"] == Fraction(49, 100)  # four need four degrees: 29
    with pytest.raises(Needs) as caught:
        decide(table.battle, wish, table.rules, given(*share, (5,), first.answer("none"), (1,), (1,)), asks=True)
    second = defence_asked(caught.value)
    assert (second.struck.id, second.hits) == ("c", 2)
    assert {one.id: one.stops for one in second.options}["deflect"] == Fraction(49, 100)


# --- EVA-16: hits that are left -------------------------------------------------------------------------------------


def crowd() -> Table:
    """A burst at somebody with one wound left, others near it."""
    row = "a.........b" + "." * 20
    rows = (row, row.replace("a", ".").replace("b", "."), "............c" + "." * 18, "." * 20 + "d" + "." * 10)
    tough: Stats = {name: {"wound_points": 90} for name in "cd"}
    table = fight(EVA, *rows, a="rifleman", b="rifleman", c="rifleman", d="rifleman", stats=tough)
    table.do(SetPool("b", "wounds", 1))
    return table


def test_eva_16_hits_that_the_fallen_leave_go_to_others_within_10_squares() -> None:
    """EVA-16: the first of four fells, three go to the next that is near and no harder to hit."""
    table = crowd()
    told = table.do(Attack("a", "b", action="burst-4"), (5,), (9,), (8,), (8,), (8,))
    assert [event.target for event in table.happened(ev.StrikeBegan)] == ["b", "c", "c", "c"]
    assert "Hit 4 of 4 on C." in told
    assert hits(table) == 4


def test_eva_16_hits_do_not_go_to_who_is_harder_to_hit_or_too_far() -> None:
    """EVA-16: a runner is left alone, one 20 squares off too."""
    table = crowd().condition("c", "running")
    table.do(Attack("a", "b", action="burst-4"), (5,), (9,), (8,), (8,), (8,))
    assert [event.target for event in table.happened(ev.StrikeBegan)] == ["b", "d", "d", "d"]
    table = crowd().condition("c", "running").place("d", "AD4")
    table.do(Attack("a", "b", action="burst-4"), (5,), (9,))
    assert [event.target for event in table.happened(ev.StrikeBegan)] == ["b"]


def test_eva_16_hits_may_be_given_to_others_before_the_roll() -> None:
    """EVA-16: the target is hit first, the others have what was given to them, as far as the hits go."""
    table = crowd()
    table.do(SetPool("b", "wounds", 9))
    table.do(Attack("a", "b", action="burst-4"), *share_answers((("c", 2),)), (5,), (1,), (1,), (8,), (8,))
    assert [event.target for event in table.happened(ev.StrikeBegan)] == ["b", "b", "c", "c"]
    fewer = crowd()
    fewer.do(SetPool("b", "wounds", 9))
    fewer.do(Attack("a", "b", action="burst-4"), *share_answers((("c", 2), ("d", 1))), (35,), (1,), (8,))
    assert [event.target for event in fewer.happened(ev.StrikeBegan)] == ["b", "c"]
    for shares in ((("c", 4),), (("c", 2), ("d", 2))):
        more = crowd().refusal(Attack("a", "b", action="burst-4"), *share_answers(shares))
        assert (
            more == "“Burst, 4 hits” scores at most 4 hits, and B takes 1 or more: 3 at most can go to others, not 4."
        )


@pytest.mark.parametrize(("roll", "struck"), [(35, "bb"), (25, "bbc"), (5, "bbcc")])
def test_eva_16_the_target_has_its_own_hits_first(roll: int, struck: str) -> None:
    """EVA-16: of four hits two are the others'; where fewer are scored, the others go without first."""
    table = crowd()
    table.do(SetPool("b", "wounds", 90))
    table.do(Attack("a", "b", action="burst-4"), *share_answers((("c", 2),)), (roll,), *[(1,)] * len(struck))
    degrees = table.attacked()
    assert degrees.is_hit
    assert [event.target for event in table.happened(ev.StrikeBegan)] == list(struck)


def test_eva_16_the_others_chance_of_a_hit_is_that_of_more_hits_than_the_target_keeps() -> None:
    """EVA-16: of four hits one goes to c and one to d, after two for the target; each roll of 100 counted."""
    table = crowd()
    shot = with_share(table.battle, table.shot(action="burst-4"), (("c", 1), ("d", 1)))
    score = int(shot.ledger.target_number)
    scored = [min(4, 1 + score // 10 - roll // 10) if roll <= score else 0 for roll in range(1, 101)]
    expected = [
        ("C", 1, Fraction(sum(hits > 2 for hits in scored), 100)),
        ("D", 1, Fraction(sum(hits > 3 for hits in scored), 100)),
    ]
    assert [(unit.name, hits, chance) for unit, hits, chance in shared_chances(table.rules, shot)] == expected
    assert expected[1][2] > 0


@pytest.mark.parametrize(("ruled", "defences"), [(False, ["dodge"]), (True, ["dodge", "parry"])])
def test_eva_4_bare_hands_parry_where_the_gm_rules_so(ruled: bool, defences: list[str]) -> None:
    table = fight(EVA, "ab", a="brawler", b="gunman")
    if ruled:
        table.do(SetRuling("bare_hands_parry", True))
    assert offered(table, Attack("a", "b"), 5) == defences


def test_eva_16_hits_are_given_to_others_in_words() -> None:
    """EVA-16: as the B key does on the board."""
    line = hear("shoot a b burst-4 share 2 to c", Setting((table := crowd()).battle, table.rules))
    assert isinstance(line, SubmitCommand) and line.answers == share_answers((("c", 2),))


def test_eva_16_no_hit_is_given_to_who_is_too_far_or_harder_to_hit_nor_by_a_single_shot() -> None:
    """EVA-16: and what nobody has is left to the target; a flurry reaches as far as its blade."""
    table = crowd().condition("c", "running").place("d", "AD4")
    for one, why in ("c", "harder to hit than B"), ("d", "19 squares from B, 10 squares at most"):
        assert why in table.refusal(Attack("a", "b", action="burst-4"), *share_answers(((one, 1),)))
    assert "no hits to split" in crowd().refusal(Attack("a", "b"), *share_answers((("c", 1),)))
    assert "1 or more needed" in crowd().refusal(Attack("a", "b", action="burst-4"), *share_answers((("c", 0),)))
    stats: Stats = {name: {"wound_points": 90} for name in "bcd"}
    blades = fight(EVA, "ab..d", "c....", a="brawler", b="rifleman", c="rifleman", d="rifleman", stats=stats)
    two = next(
        one for one in blades.rules.gear.weapons.values() if one.kind == "melee" and one.fields.get("hits", 1) >= 2
    )
    blades.arm("a", two.id)
    assert "cannot take a hit" in blades.refusal(Attack("a", "b", action="flurry-2"), *share_answers((("d", 1),)))
    blades.do(Attack("a", "b", action="flurry-2"), *share_answers((("c", 1),)), (5,))
    assert [event.target for event in blades.happened(ev.StrikeBegan)] == ["b", "c"]


# --- EVA-19, 23: what makes evasion harder --------------------------------------------------------------------------


def test_eva_19_after_a_heavy_attack_evasion_is_30_harder() -> None:
    """EVA-19: Agility 35 dodges at 5."""
    table = fight(EVA, "ab", a="rifleman", b="rifleman", stats={"a": {"wound_points": 90}}).arm("a", "knife")
    table.do(Attack("a", "b", action="heavy"), (90,))
    table.do(EndTurn())
    table.arm("b", "knife").do(Attack("b", "a"), defends("a", "dodge"), (30,), (6,), (4,))
    assert hits(table) == 1


def test_eva_19_after_a_heavy_attack_a_deflector_is_30_weaker() -> None:
    """EVA-19: to deflect is to evade: strength 50 deflects at 20."""
    stats = {"a": {"wound_points": 90, "deflector_strength": 50}}
    table = fight(EVA, "ab", a="rifleman", b="rifleman", stats=stats).arm("a", "knife")
    table.do(Attack("a", "b", action="heavy"), (90,))
    table.do(EndTurn())
    table.arm("b", "knife").do(Attack("b", "a"), defends("a", "deflect"), (30,), (21,), (4,))
    assert hits(table) == 1


def test_eva_23_a_grapple_may_be_dodged_and_not_parried() -> None:
    """EVA-23: initiating it."""
    assert offered(duel(1, "brawler", "brawler"), Attack("a", "b", action="grapple"), 20) == ["dodge"]


def test_eva_23_after_a_feint_the_next_standard_or_called_attack_is_neither_parried_nor_dodged() -> None:
    """EVA-23: a heavy attack would be."""
    table = duel(1, "brawler", "brawler")
    table.do(Act("a", "feint", "b"), (20,), (90,))
    assert offered(table, Attack("a", "b"), 50) == []
    assert offered(table, Attack("a", "b", action="called-head"), 20) == []
    assert offered(table, Attack("a", "b", action="flurry-2"), 20) != []


# --- EVA-20: between turns ------------------------------------------------------------------------------------------


def test_eva_20_leaving_melee_draws_a_standard_attack_unless_one_disengages() -> None:
    """EVA-20: free, at +10."""
    for move, squares in (("half-move", "D1"), ("run", "F1"), ("disengage", "D1")):
        table = fight(EVA, "ba....", b="brawler", a="rifleman", stats={"a": {"wound_points": 90}}).turn_of("a")
        said = table.walk("a", squares, action=move)
        assert any("attack of opportunity" in line for line in said) == (move != "disengage")
        if move != "disengage":
            assert table.worth("standard", by="b", at="a") == 10
            table.do(Attack("b", "a"), (55,), (5,))
            assert hits(table) == 1
            assert table.unit("b").turn.budget["attack"] == 1


def test_eva_20_who_has_a_gun_in_hand_strikes_with_bare_hands() -> None:
    """EVA-10, EVA-20: one is always treated as having an unarmed weapon; the gun stays in hand."""
    gun = fight(EVA, "ba....", b="gunman", a="rifleman", stats={"a": {"wound_points": 90}}).turn_of("a")
    assert any("opportunity" in line for line in gun.walk("a", "D1", action="half-move"))
    gun.do(Attack("b", "a"), (40,), (5,))  # WS 30, standard 10
    assert (gun.attacked().weapon, gun.attacked().target_number) == ("unarmed", 40)
    assert gun.unit("b").gear.weapon == "pistol"


def test_eva_20_a_ruling_says_who_is_engaged_in_melee() -> None:
    """EVA-20: adjacent and hostile, or who has struck the other in this fight."""
    table = fight(EVA, "ba....", b="brawler", a="rifleman", stats={"a": {"wound_points": 90}})
    table.do(SetRuling("engaged", "has struck"))
    table.turn_of("a")
    assert not any("opportunity" in line for line in table.walk("a", "D1", action="half-move"))
    table.place("a", "B1").turn_of("b").do(Attack("b", "a"), (99,))
    assert any("opportunity" in line for line in table.turn_of("a").walk("a", "D1", action="half-move"))


def test_eva_20_a_counter_attack_follows_a_parry_at_20_once() -> None:
    """EVA-20: as part of the parry, for who has the talent; not again before its next turn."""
    table = duel(1, "brawler", "brawler", {"a": {"wound_points": 90}, "b": {"wound_points": 90}})
    table.do(Attack("a", "b"), defends("b", "parry-and-counter"), (50,), (30,), (20,), (5,))
    blow = table.happened(ev.AttackRolled)[-1]
    assert (blow.unit, blow.action, blow.target_number) == ("b", "counter-attack", 25)
    assert 90 - table.unit("a").pools["wounds"] == 5 + 4 - 4  # on the head
    table.turn_of("b").do(EndTurn())
    assert "countered" not in table.unit("b").conditions


def test_eva_20_a_counter_attack_without_a_parry_is_refused_in_its_own_words() -> None:
    """EVA-20: as part of a parry; no sum of reactions that nobody can have."""
    table = duel(1, "brawler", "brawler")
    refused = table.refusal(Attack("a", "b", action="counter-attack"))
    assert "1 parry" in refused and "reaction" not in refused


def test_eva_20_no_counter_attack_after_a_parry_that_failed() -> None:
    """EVA-20: only when it is successful."""
    table = duel(1, "brawler", "brawler")
    table.do(Attack("a", "b"), defends("b", "parry-and-counter"), (50,), (46,), (5,))
    assert len(table.happened(ev.AttackRolled)) == 1
    assert "countered" not in table.unit("b").conditions


# --- EVA-24: aim ----------------------------------------------------------------------------------------------------


def test_eva_24_a_reaction_first_loses_the_aim() -> None:
    """EVA-24: whoever dodges aims no longer; a deflector is no reaction."""
    table = duel(stats={"a": {"wound_points": 90}, "b": {"wound_points": 90}})
    table.do(Act("a", "aim-well"))
    table.do(EndTurn())
    table.do(Attack("b", "a"), defends("a", "dodge"), (50,), (20,))
    assert "aiming_well" not in table.unit("a").conditions
