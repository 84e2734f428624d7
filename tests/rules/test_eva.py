"""EVA-1 to 5, 9, 11, 12, 16, 17, 19, 24 and 26: turns, moves, ranges, altitudes, and what counts in an attack."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.battle.attacks.split_hits import share_answers
from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_edits import SetCondition, SetPool
from engine.battle.facts import circumstances
from engine.rules.model import Value
from tests.rules.table import Table, entry, fight

EVA = "eva"
Stats = Mapping[str, Mapping[str, Value]]


def duel(
    distance: int = 10,
    a: str = "rifleman",
    b: str = "rifleman",
    stats: Stats | None = None,
    scale: tuple[float, str] | None = None,
) -> Table:
    """Two on open ground, so many squares apart."""
    return fight(EVA, "a" + "." * (distance - 1) + "b", a=a, b=b, stats=stats, scale=scale)


def skill(unit_id: str, **stats: Value) -> Stats:
    return {unit_id: stats}


# --- EVA-1: turns ---------------------------------------------------------------------------------------------------


def test_eva_1_a_turn_has_two_half_actions_a_reaction_an_attack_and_a_concentration_action() -> None:
    """EVA-1: one full or two half actions, one reaction, one Attack and one Concentration action a turn."""
    assert duel().unit("a").turn.budget == {"action": 2, "reaction": 1, "attack": 1, "concentration": 1, "parry": 0}


def test_eva_1_two_half_actions_or_one_full_one() -> None:
    """EVA-1: aim and shoot; a full action takes both halves."""
    table = duel()
    table.do(Act("a", "aim"))
    table.do(Attack("a", "b"), (99,))
    assert table.unit("a").turn.budget["action"] == 0
    assert "it costs 1 half action, none left" in table.refusal(Move("a", table.way("a", "B1"), "half-move"))
    full = duel(30)
    full.do(Act("a", "aim-well"))
    assert "half action" in full.refusal(Attack("a", "b"))


def test_eva_1_one_attack_and_one_concentration_action_a_turn() -> None:
    """EVA-1: the second Attack or Concentration action of a turn is refused while half actions are left."""
    shot, aimed = duel(), duel()
    shot.do(Attack("a", "b"), (90,))
    assert shot.unit("a").turn.budget["action"] == 1
    assert "Attack action, none left" in shot.refusal(Attack("a", "b"))
    aimed.do(Act("a", "aim"))
    assert "Concentration action, none left" in aimed.refusal(Act("a", "aim"))


# --- EVA-2: surprise ------------------------------------------------------------------------------------------------


def surprised() -> Table:
    table = fight(EVA, "a.........b", a="rifleman", b="rifleman", is_begun=False)
    table.do(SetCondition("b", "surprised", True))
    table.do(RollInitiative(), (10,), (1,))
    return table


def test_eva_2_attacks_on_the_surprised_have_30() -> None:
    """EVA-2: +30 to attack actions against them."""
    assert surprised().worth("surprised") == 30


def test_eva_2_the_surprised_lose_their_first_turn_and_their_reactions() -> None:
    """EVA-2: nothing to spend on the first turn, everything on the second."""
    table = surprised()
    table.do(EndTurn())
    assert (
        table.battle.turns.active,
        table.unit("b").turn.budget["action"],
        table.unit("b").turn.budget["reaction"],
    ) == (
        "b",
        0,
        0,
    )
    assert table.refusal(Attack("b", "a"))
    table.turn_of("b")
    assert (table.unit("b").turn.budget["action"], table.unit("b").turn.budget["reaction"]) == (2, 1)
    assert table.worth("surprised") is None


# --- EVA-4: movement ------------------------------------------------------------------------------------------------


SQUARES = ((1, "metres"), (1.5, "metres"), (5, "feet"), (2, "metres"))
"""Sides of a square; the shipped maps have the last three."""


@pytest.mark.parametrize("scale", SQUARES, ids=str)
@pytest.mark.parametrize(("move", "squares"), [("half-move", 3), ("full-move", 6), ("charge", 9), ("run", 12)])
def test_eva_4_moves_are_1_2_3_and_4_times_the_agility_bonus(move: str, squares: int, scale: tuple[float, str]) -> None:
    """EVA-4: Agility 35 walks 3, 6, charges 9 and runs 12 squares, whatever a square measures."""
    table = duel(20, scale=scale)
    path = table.way("a", f"{chr(ord('A') + squares)}1")
    assert f"{squares} left" in table.refusal(Move("a", table.way("a", f"{chr(ord('A') + squares + 1)}1"), move))
    table.do(Move("a", path, move))
    assert table.unit("a").turn.moved == squares


@pytest.mark.parametrize("scale", SQUARES, ids=str)
def test_eva_4_who_crawls_gets_a_square_further(scale: tuple[float, str]) -> None:
    """EVA-4: half of the half move while prone, and never nothing."""
    table = duel(20, stats=skill("a", agility=10), scale=scale).posture("a", "prone")
    table.do(Move("a", table.way("a", "B1"), "half-move"))
    assert table.unit("a").at.name == "B1"


def test_eva_5_weapon_ranges_are_in_metres_whatever_a_square_measures() -> None:
    """EVA-5: ten squares are 10, 15 and 20 metres to a gun."""
    for scale, metres in ((SQUARES[0], 10), (SQUARES[1], 15), (SQUARES[3], 20)):
        situation = duel(10, scale=scale).shot().situation
        assert (situation.facts["distance"], situation.distance) == (metres, f"{metres} m")


def test_eva_16_hits_go_10_squares_far_on_any_map() -> None:
    """EVA-16: squares of 2 metres, too."""
    table = fight(EVA, "a....b.........c.d", a="rifleman", b="rifleman", c="rifleman", d="rifleman", scale=SQUARES[3])
    answer = share_answers((("d", 1),))
    assert "12 squares from B, 10 squares at most" in table.refusal(Attack("a", "b", action="burst-4"), *answer)
    table.do(Attack("a", "b", action="burst-4"), *share_answers((("c", 1),)), (99,))


def test_eva_4_size_and_other_modifiers_change_the_half_move() -> None:
    """EVA-4: the Agility bonus plus modifiers; what doubles, trebles and quadruples is the sum."""
    for stats, full in ((skill("a", size_step=-1), 4), (skill("a", move_bonus=2), 10)):
        table = duel(20, stats=stats)
        assert f"{full} left" in table.refusal(Move("a", table.way("a", "S1"), "full-move"))


def test_eva_4_two_half_moves_go_as_far_as_a_full_one() -> None:
    """EVA-4: two half actions of moving."""
    table = duel(20)
    table.walk("a", "D1", action="half-move")
    table.walk("a", "G1", action="half-move")
    assert table.unit("a").turn.budget["action"] == 0


# --- EVA-5: how far -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metres", "band", "value"),
    [(2, "point-blank", 30), (15, "short", 10), (30, "normal", 0), (31, "long", -10), (60, "long", -10)],
)
def test_eva_5_bands_go_by_the_weapons_range_and_end_at_twice_it(metres: int, band: str, value: int) -> None:
    """EVA-5: a pistol of range 30 reaches 60 m."""
    ledger = duel(metres, "gunman").shot().ledger
    assert ledger.band == band
    assert next(line for line in ledger.entries if line.id == f"range.{band}").value == value


def test_eva_5_past_twice_the_range_there_is_no_shot() -> None:
    """EVA-5: maximum distance is double the stated range."""
    assert "maximum range of 60 m" in duel(61, "gunman").refusal(Attack("a", "b"))


def test_eva_5_melee_wants_a_neighbouring_square() -> None:
    """EVA-5: two squares away is out of reach."""
    assert "melee needs an adjacent square" in duel(2, "brawler").refusal(Attack("a", "b"))
    assert not duel(1, "brawler").shot().refusal


# --- EVA-16, 17, 19, 24: what the actions add -------------------------------------------------------------------------


def test_eva_16_a_standard_attack_has_10() -> None:
    """EVA-16: +10."""
    assert duel().worth("standard") == 10


@pytest.mark.parametrize(
    ("hits", "value"), [(2, 0), (3, -5), (4, -10), (5, -15), (6, -20), (7, -25), (8, -30), (9, -30), (10, -30)]
)
def test_eva_16_a_burst_has_10_less_5_a_hit_and_never_less_than_minus_30(hits: int, value: int) -> None:
    """EVA-16: the net penalty stops at -30."""
    table = duel(40).arm("a", "rotary-gun")
    assert table.worth("burst", action=f"burst-{hits}") == value
    assert table.worth("standard", action=f"burst-{hits}") is None


def test_eva_16_no_more_hits_are_meant_than_the_weapon_makes() -> None:
    """EVA-16: a rifle of 4 hits fires no burst of 5, a pistol none at all."""
    assert " has no “" in duel().refusal(Attack("a", "b", action="burst-5"))
    assert " has no “" in duel(a="gunman").refusal(Attack("a", "b", action="burst-2"))


def test_eva_16_a_flurry_is_the_same_in_melee() -> None:
    """EVA-16: two blows of a sword at +0."""
    assert duel(1, "brawler").worth("flurry", action="flurry-2") == 0
    assert duel(1, "brawler").arm("a", "twin-blade").worth("flurry", action="flurry-3") == -5


def test_eva_16_a_burst_takes_a_round_for_every_hit_that_is_meant() -> None:
    """EVA-16: four of thirty."""
    table = duel()
    table.do(Attack("a", "b", action="burst-4"), (90,))
    assert table.unit("a").gear.rounds["assault-rifle"] == 26


def test_eva_17_a_called_shot_has_minus_20_in_place_of_10() -> None:
    """EVA-17: -20, and the location is the one that was called."""
    table = duel()
    assert table.worth("called", action="called-head") == -20
    assert table.worth("standard", action="called-head") is None
    told = table.do(Attack("a", "b", action="called-head"), (1,), (5,))
    assert any("Location" in line and "head" in line for line in told)


def test_eva_19_a_heavy_attack_has_30_and_takes_the_turn() -> None:
    """EVA-19: a full action."""
    table = duel(1, "brawler")
    assert table.worth("heavy", action="heavy") == 30
    table.do(Attack("a", "b", action="heavy"), (99,))
    assert table.unit("a").turn.budget["action"] == 0


def test_eva_19_guard_mode_costs_attackers_20_until_the_next_turn() -> None:
    """EVA-19: -20 to attacks on who guards itself."""
    table = fight(EVA, "ab", a="brawler", b="brawler")
    table.do(Act("a", "guard"))
    table.do(EndTurn())
    assert table.worth("guarded", by="b", at="a") == -20
    table.do(EndTurn())
    assert table.worth("guarded", by="b", at="a") is None


def test_eva_24_aim_gives_10_or_20_to_the_next_attack_alone() -> None:
    """EVA-24: half +10, full +20, gone with the attack."""
    half, full = duel(), duel()
    half.do(Act("a", "aim"))
    assert half.worth("aim") == 10
    half.do(Attack("a", "b"), (99,))
    assert half.worth("aim") is None
    full.do(Act("a", "aim-well"))
    full.turn_of("a")
    assert full.worth("aim") == 20


def test_eva_24_another_action_first_loses_the_aim() -> None:
    """EVA-24: a step, and the bonus is gone."""
    table = duel()
    table.do(Act("a", "aim"))
    told = table.walk("a", "B1")
    assert any("aiming" in line for line in told)
    assert table.worth("aim") is None


# --- EVA-11 and EVA-12: altitude --------------------------------------------------------------------------------------


def aloft(a: float, b: float, role: str = "flyer") -> Table:
    """Two flyers, 5 squares apart, at these heights."""
    return fight(EVA, "a....b", a=role, b=role, altitudes={"a": a, "b": b})


@pytest.mark.parametrize(("height", "band"), [(0, "ground"), (2, "ground"), (60, "low"), (400, "low"), (401, "high")])
def test_eva_11_bands_of_altitude(height: float, band: str) -> None:
    """EVA-11: Ground with a metre or two of hovering, Low, High from 400 on."""
    table = aloft(height, 0)
    assert circumstances(table.battle, table.rules, table.unit("a"))["unit.altitude_band"] == band


def test_eva_11_from_the_ground_low_is_20_harder_and_no_blow_reaches_it() -> None:
    """EVA-11: no melee, -20 to other attacks; between two that fly low nothing; down from Low nothing."""
    assert aloft(0, 60).worth("altitude") == -20
    assert aloft(60, 60).worth("altitude") is None
    assert aloft(60, 0).worth("altitude") is None
    low = fight(EVA, "ab", a="brawler", b="flyer", altitudes={"b": 2.2})
    assert "melee from the ground cannot reach it" in low.refusal(Attack("a", "b"))


def test_eva_11_high_neither_attacks_nor_is_attacked_from_below_but_by_long_ranged_weapons() -> None:
    """EVA-11: a ship's cannon reaches, a submachine gun does not."""
    for heights in ((0, 500), (500, 0), (60, 500), (500, 60)):
        assert "special long-range" in aloft(*heights).refusal(Attack("a", "b"))
        assert "specially" not in aloft(*heights).arm("a", "ship-cannon").shot().refusal
    assert not aloft(500, 500).shot().refusal


def rise(table: Table, metres: float, move: str, *squares: str) -> list[str]:
    return table.do(Move("a", table.way("a", *squares), move, altitude=int(100 * metres)))


def test_eva_12_a_half_move_changes_one_band_longer_moves_two() -> None:
    """EVA-12: from Ground to Low with a half move, to High with a full one; the way on is not shortened."""
    table = aloft(0, 0)
    rise(table, 60, "half-move", "A1")
    assert table.unit("a").altitude == 6000
    assert "changes 1 altitude band, not 2" in aloft(0, 0).refusal(
        Move("a", aloft(0, 0).way("a", "A1"), "half-move", altitude=50000)
    )
    for move in ("full-move", "run"):
        table = aloft(0, 0)
        rise(table, 500, move, "D1")
        assert (table.unit("a").altitude, table.unit("a").at.name) == (50000, "D1")


def test_eva_12_a_band_is_changed_as_a_move_begins_and_once() -> None:
    """EVA-12: a second half move changes a second band; what is left of it goes on at its height."""
    table = aloft(0, 0)
    rise(table, 60, "half-move", "B1")
    rise(table, 500, "half-move", "C1")
    assert (table.unit("a").altitude, table.unit("a").turn.budget["action"]) == (50000, 0)
    assert "once begun" in table.refusal(Move("a", table.way("a", "D1"), "half-move", altitude=6000))
    table.walk("a", "D1")


# --- EVA-26: what the chapter names without figures -------------------------------------------------------------------


def test_eva_26_fatigue_costs_10() -> None:
    """EVA-26: a level of fatigue or several, -10."""
    table = duel()
    assert table.worth("fatigue") is None
    full = table.unit("a").pools["stamina"]
    for left, levels in ((full - 1, "1 level of fatigue"), (full - 3, "3 levels of fatigue")):
        table.do(SetPool("a", "stamina", left))
        assert table.worth("fatigue") == -10
        found = entry(table.shot().ledger, "fatigue")
        assert found is not None and found.because == levels


def test_eva_26_smoke_costs_shots_20_once() -> None:
    """EVA-26: fog or smoke on the line, shots alone."""
    smoke = '[smoke]\nrows = """\n..12..\n"""'
    table = fight(EVA, "a....b", a="rifleman", b="rifleman", toml=smoke)
    assert table.shot().situation.facts["smoke_squares"] == 2
    assert table.worth("smoke") == -20
    close = fight(EVA, "ab", a="brawler", b="rifleman", toml='[smoke]\nrows = """\n11\n"""')
    assert close.worth("smoke") is None


def test_eva_26_higher_ground_gives_10() -> None:
    """EVA-26: from a metre on, with blows too; nothing for who looks up."""
    hill = '[elevation]\nrows = """\n1%s\n"""'
    table = fight(EVA, "a....b", a="rifleman", b="rifleman", toml=hill % ".....")
    assert (table.worth("higher"), table.worth("higher", by="b", at="a")) == (10, None)
    assert fight(EVA, "ab", a="brawler", b="rifleman", toml=hill % ".").worth("higher") == 10


def test_eva_26_figures_that_the_chapter_leaves_open_are_the_gms_to_change() -> None:
    """EVA-26: a ruling of one line, or for one battle."""
    table = duel()
    table.do(SetPool("a", "stamina", 1))
    table.do(SetRuling("fatigue", -5))
    assert table.worth("fatigue") == -5
    table.do(SetRuling("called_shot_keeps_bonus", True))
    assert table.worth("called", action="called-head") == -10
    assert table.rules.rulings["higher_ground"].value == 10


# --- ALL-3 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "line", "value"),
    [
        ({"target.posture": "prone"}, "prone-ranged", -10),
        ({"target.posture": "kneeling"}, "kneeling", 0),
        ({"target.moved": 3}, "target-moved", 0),
        ({"target.running": True}, "running", -20),
        ({"attacker.posture": "prone"}, "prone-attacker", 0),
        ({"attacker.posture": "kneeling"}, "kneeling", 0),
        ({"attacker.moved": 3}, "attacker-moved", 0),
        ({"attacker.in_melee": True, "attacker.enemies_adjacent": 1}, "in-melee", 0),
        ({"target.enemies_adjacent": 1}, "into-melee", -20),
        ({"attack_number": 2}, "further-attack", 0),
        ({"light": "dark"}, "dark", -30),
        ({"light": "dim"}, "dim", -10),
        ({"smoke_squares": 1}, "smoke", -20),
        ({"visible": 0}, "unseen", -30),
        ({"height_difference": -2}, "higher", 10),
        ({"target.shield": True}, "shield", 0),
        ({"target.size_step": 2}, "size", 20),
        ({"attacker.pinned": True}, "pinned", -20),
    ],
)
def test_all_3_every_circumstance_has_its_line(changed: Mapping[str, Value], line: str, value: int) -> None:
    """ALL-3: a figure of the system or a ruling, and the panel says which."""
    found = entry(duel().shot(changed=changed).ledger, line)
    assert found is not None and found.value == value
    assert found.source and found.because


@pytest.mark.parametrize(("stats", "value"), [({"hard_target": True}, -40), ({"hard_target": False}, -20)])
def test_ex_eva_3_a_hard_target_on_the_run_costs_shots_40(stats: Mapping[str, Value], value: int) -> None:
    """EX-EVA-3: -40 in place of -20 to shots, +20 to blows either way."""
    table = duel(stats={"b": stats}).condition("b", "running")
    assert table.worth("running") == value
    near = duel(1, "brawler", stats={"b": stats}).condition("b", "running")
    assert near.worth("running") == 20
