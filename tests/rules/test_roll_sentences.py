"""A roll is told as its sum against the number needed, under every ruleset; odds say which defence they leave out."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from engine.answers import typed_dice
from engine.battle import events as ev
from engine.battle.attacks.open_defences import with_open_defences
from engine.battle.command import Attack
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.narration import summarise
from engine.battle.narration.preview_text import to_roll
from engine.battle.narration.roll_text import check_words, result_words
from engine.battle.state.units import Unit
from engine.dice.dice_expressions import parse_dice
from engine.dice.dice_text import sum_words
from engine.dice.sources import DieFace, Roll, TableSource, roll
from engine.values import replace
from tests.rules.table import Table, defends, fight
from tui.__main__ import main

HIT = Attack("a", "b")


def attacked(table: Table, *dice: tuple[int, ...], wish: Attack = HIT) -> tuple[str, str]:
    """The log's line of an attack, and the brief line that a screen shows."""
    lines = table.do(wish, defends("b", "none"), *dice)
    line = next(line for line in lines if line.startswith("A → B"))
    return line, summarise(table.events, table.battle, table.rules)


def cwn(roll_bonus: int = 9, ac: int = 17) -> Table:
    """A gunman who rolls with that bonus against that Armour Class."""
    sheet = {"npc": True, "attack_bonus": roll_bonus, "skill": 0, "shoot": 0}
    return fight("cwn", "a...b", a="gunman", b="gunman", stats={"a": sheet, "b": {"ranged_ac": ac, "dexterity_mod": 0}})


def bonus(table: Table) -> int:
    return int(table.shot().ledger.total)


def test_a_bonus_is_added_before_the_sum_meets_the_number() -> None:
    table = cwn()
    added = bonus(table)
    line, brief = attacked(table, (14,), (3,), (1,))
    told = f"rolled 14 (typed) + {added} = {14 + added} vs 17: hit"
    assert line.endswith(f"{told}.")
    assert brief.startswith(f"A → B: {told}.")


def test_a_penalty_is_taken_off_and_no_bonus_needs_no_sum() -> None:
    table = cwn(-3)
    assert "rolled 14 (typed) − 3 = 11 vs 17: miss." in attacked(table, (14,))[0]
    assert "rolled 14 (typed) vs 17: miss." in attacked(cwn(0), (14,))[0]


def test_a_natural_face_says_what_it_means() -> None:
    assert attacked(cwn(18), (1,))[0].endswith("vs 17: natural 1, miss.")
    assert "= 24 vs 30: natural 20, hit." in attacked(cwn(4, 30), (20,), (3,), (1,))[0]


def test_what_only_the_highest_face_hits_is_said_before_the_roll() -> None:
    assert to_roll(cwn(-1, 21).shot(), cwn().rules) == "Needs a natural 20"
    assert to_roll(cwn(18, 17).shot(), cwn().rules) == "Misses only on a natural 1"
    assert to_roll(cwn().shot(), cwn().rules) == "Roll 1d20 +9, 17 or more"


def test_damage_after_a_miss_is_reported_as_shock() -> None:
    lines = fight("cwn", "ab", a="brawler", b="gunman").do(HIT, (1,))
    at = next(index for index, line in enumerate(lines) if line.endswith("natural 1, miss."))
    assert lines[at + 1 : at + 3] == ["Shock on a miss: 1.", "Full damage: 1."]


def test_a_tackle_is_reported_against_its_number() -> None:
    for rolled, told in ((60, "success, knocks the target down"), (61, "failure")):
        table = fight("occult-ops", "ab", a="brawler", b="brawler")
        table.battle = table.battle.with_unit(
            replace(table.unit("a"), gear=replace(table.unit("a").gear, weapon="punch"))
        )
        lines = table.do(replace(HIT, action="tackle"), (1,), (3,), (rolled,))
        assert f"Tackle: rolled {rolled} (typed) vs 60: {told}." in lines


@pytest.mark.parametrize("name", ["aog", "eva"])
def test_under_a_number_there_is_no_sum(name: str) -> None:
    table = fight(name, "a....b", a="gunman", b="gunman")
    needed = table.shot().ledger.target_number
    assert f"% to hit: rolled 92 (typed) vs {needed}: miss." in attacked(table, (92,))[0]


def test_a_roll_that_is_equal_but_not_enough_says_so() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman")
    needed = int(table.shot().ledger.target_number)
    assert f"rolled {needed} (typed) vs {needed} (needs under {needed}): miss." in attacked(table, (needed,))[0]


def test_dice_that_are_read_apart_are_reported_against_the_faces_that_hit() -> None:
    table = fight("volt", "a....b", a="gunman", b="gunman")
    ledger = table.shot().ledger
    low, high = int(ledger.beats) + 1, int(ledger.target_number)
    assert to_roll(table.shot(), table.rules) == f"Roll 2d20: {low} to {high} on either die hits"
    assert f"rolled 19 and 20 (typed) vs {low}–{high}: miss." in attacked(table, (19, 20))[0]


@pytest.mark.parametrize(
    ("needed", "beats", "told"),
    [(6, 0, "vs 1–6: miss"), (9, 8, "vs 9: miss"), (1, 0, "vs 1: miss"), (6, 6, "no die can hit: miss")],
)
def test_faces_that_hit_are_never_reported_as_one_number_that_reads_as_another(
    needed: int, beats: int, told: str
) -> None:
    table = fight("volt", "a....b", a="gunman", b="gunman")
    table.do(HIT, (19, 20))
    event = replace(table.attacked(), target_number=needed, beats=beats)
    rolled = "rolled 19 and 20 (typed)"
    assert result_words(event, table.rules) == f"{rolled}{', ' if told.startswith('no') else ' '}{told}"


def test_initiative_below_a_value_does_not_read_as_a_sum() -> None:
    table = fight("volt", "a..b", a="gunman", b="gunman", is_begun=False)
    lines = [line for line in table.do(RollInitiative(), (5, 13), (19, 20)) if "rolls initiative" in line]
    value = table.happened(ev.InitiativeRolled)[0].bonus
    assert lines[0].endswith(f": 5 (5 and 13 (typed) vs {value}).")
    assert lines[1].endswith(f": −1 (19 and 20 (typed) vs {value}).")


def test_one_face_that_hits_is_reported_in_the_singular() -> None:
    table = fight("volt", "a....b", a="gunman", b="gunman")
    shot = table.shot()
    ledger = shot.ledger
    one = replace(shot, ledger=replace(ledger, beats=ledger.target_number - 1))
    face = int(ledger.target_number)
    article = "an" if face in (8, 11, 18) else "a"
    assert to_roll(one, table.rules) == f"Roll 2d20: {article} {face} on either die hits"


def test_a_check_says_what_it_resulted_in() -> None:
    def rolled(*faces: int) -> Roll:
        return roll(parse_dice("1d100"), TableSource(typed_dice((faces,))), "test")

    assert check_words("Dodge", rolled(20), "45 or less") == "Dodge: rolled 20 (typed) vs 45: success"
    assert check_words("Dodge", rolled(46), "45 or less") == "Dodge: rolled 46 (typed) vs 45: failure"
    assert (
        check_words("Save", rolled(18), "14 or more halves it") == "Save: rolled 18 (typed) vs 14: success, halves it"
    )
    assert check_words("Trauma die", rolled(7), "8 or more is Trauma") == "Trauma die: rolled 7 (typed) vs 8: no Trauma"
    assert check_words("Damage", rolled(7), "") == "Damage: 1d100 = 7, typed"


@pytest.mark.parametrize(
    ("dice", "faces", "added", "words"),
    [
        ("1d20+3", (14,), 0, "14 (typed) + 3 = 17"),
        ("2d6", (3, 4), 1, "3 + 4 (typed) + 1 = 8"),
        ("2d20kh1", (3, 14), 2, "14 (3 dropped, 14) (typed) + 2 = 16"),
        ("1d20", (14,), Fraction(-1, 2), "14 (typed) − 0.5 = 13.5"),
    ],
)
def test_sums_name_their_parts(dice: str, faces: tuple[int, ...], added: int, words: str) -> None:
    assert sum_words(roll(parse_dice(dice), TableSource(typed_dice((faces,))), "test"), added) == words


def test_a_die_that_the_seed_rolled_is_not_marked() -> None:
    assert sum_words(Roll("1d20", 14, (DieFace(20, 14, "kept"),)), 9) == "14 + 9 = 23"


def test_initiative_adds_up_and_sides_take_their_verb() -> None:
    table = fight("cwn", "a..b", a="gunman", b="gunman", is_begun=False)
    lines = table.do(RollInitiative(), (7,), (3,))
    rolled = table.happened(ev.InitiativeRolled)
    told = [line for line in lines if "initiative" in line]
    assert [line.split(" initiative")[0] for line in told] == ["law rolls", "outlaws roll"]
    assert [f"{one.roll.total} (typed)" in line for one, line in zip(rolled, told, strict=True)] == [True, True]


# --- odds say which defence they leave out ----------------------------------------------------------------------------


def left_out(table: Table, by: str = "a", at: str = "b", weapon: str = "", action: str = "") -> tuple[str, ...]:
    shot = table.shot(weapon, action, by, at)
    return with_open_defences(table.battle, table.rules, shot).defences


@pytest.mark.parametrize(("name", "label"), [("aog", "Dodge"), ("eva", "Dodge")])
def test_a_dodge_that_is_left_is_named(name: str, label: str) -> None:
    table = fight(name, "a....b", a="gunman", b="gunman")
    assert label in left_out(table)
    spent = table.battle.with_unit(_without(table, "b", "reaction"))
    table.battle = spent
    assert left_out(table) == ()


def test_a_defence_that_is_never_taken_is_not_named() -> None:
    table = fight("eva", "a....b", a="gunman", b="gunman")
    table.do(SetPolicy("off", "dodge"))
    assert "Dodge" not in left_out(table)


def test_total_defence_is_named_only_where_it_changes_the_roll() -> None:
    assert left_out(cwn()) == ("Total defence",)
    table = cwn()
    table.battle = table.battle.with_unit(_without(table, "b", "main"))
    assert left_out(table) == ()


def test_a_counterattack_that_raises_the_guard_is_named() -> None:
    table = fight("volt", "ab", a="brawler", b="brawler")
    unaware = table.shot().odds.hit
    assert left_out(table) == ("Counterattack",)
    table.do(Attack("a", "b"), defends("b", "counterattack"), (19, 20), (19, 20))
    assert table.shot().odds.hit < unaware
    assert left_out(table) == ()


def test_a_defence_that_only_strikes_back_leaves_the_odds_alone() -> None:
    table = fight("volt", "ab", a="brawler", b="brawler")
    table.battle = table.battle.with_unit(
        replace(table.unit("b"), gear=replace(table.unit("b").gear, weapon="unarmed"))
    )
    assert left_out(table) == ()
    assert "Counter-attack" not in left_out(fight("aog", "ab", a="brawler", b="brawler"))


def test_no_defences_are_named_where_the_rules_have_none() -> None:
    assert left_out(fight("occult-ops", "a...b", a="gunman", b="gunman")) == ()


@pytest.mark.long
def test_the_command_line_says_it_beside_the_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "frontier-trail", "todd", "bandit", "--ruleset", "eva"]) == 0
    assert "60 % (3 in 5) to hit, 39 % against Dodge." in capsys.readouterr().out
    assert main(["odds", "frontier-trail", "todd", "bandit", "--ruleset", "eva", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["chance"]["defences_left_out"] == ["Dodge"]
    assert told["defended"]["with"] == ["Dodge"]
    assert told["defended"]["hit"] == [39, 100]
    assert "60 % to hit, 39 % against Dodge." in told["words"]
    assert main(["compare", "frontier-trail", "todd", "bandit"]) == 0
    assert "Roll 1d100, 60 or less: 60 %, 39 % against Dodge." in capsys.readouterr().out


def _without(table: Table, unit_id: str, budget: str) -> Unit:
    """A unit that has nothing left of a budget."""
    unit = table.unit(unit_id)
    return replace(unit, turn=replace(unit.turn, budget={**unit.turn.budget, budget: 0}))
