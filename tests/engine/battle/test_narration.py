"""Sentences that close what they began: who came off unharmed, how high a flyer is, how far is how far."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest

from engine.battle.attacks.attack_preview import consider
from engine.battle.attacks.scatter import direction_words
from engine.battle.command import Act, Attack, Move
from engine.battle.commands.gear_commands import SetAmmunition
from engine.battle.commands.order_commands import SetInitiative
from engine.battle.commands.roster_commands import AddUnit, RenameUnit, SetOut
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import Place, SetAltitude, SetCondition, SetPosture
from engine.battle.events import EVENTS, RoundBegan
from engine.battle.narration import NARRATORS, SILENT, reason_words, summarise
from engine.battle.narration.narrators import narrates
from engine.battle.narration.preview_text import dice_to_type, verdict
from engine.battle.narration.reason_text import WORDS
from engine.battle.state.reasons import Reason, ReasonKind
from engine.battle.wording import squares
from engine.geometry.squares import Direction, parse_square
from engine.rules.model import DURATIONS
from engine.rules.space_rules import RINGS
from engine.text import the_side, upper_first, verb
from tests.rules.table import entry, fight
from tui.application.commands.rulings import parse_adjustment


@pytest.mark.parametrize(
    ("count", "said"),
    [(1, "1 square"), (0, "0 squares"), (Fraction(7, 3), "2.33 squares"), (Fraction(9, 2), "4.5 squares")],
)
def test_squares_are_reported_to_the_hundredth(count: Fraction, said: str) -> None:
    assert squares(Fraction(count)) == said


STOPPED = "Damage 2. Damage resistance: 10 % of 50 armour points = 5."
"""What could be stopped, not only what was."""


def test_who_loses_nothing_is_said_after_the_harm_was_worked_out() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman")
    table.do(Attack("a", "b"), (45,), (2,))
    assert summarise(table.events, table.battle, table.rules).endswith(f"{STOPPED} B is unharmed.")
    assert summarise(table.events, table.battle, table.rules, is_open=True).endswith(STOPPED)
    table.do(Attack("a", "b", is_free=True), (45,), (10,))
    assert "is unharmed" not in summarise(table.events, table.battle, table.rules)


def test_a_unit_put_on_high_ground_is_said_to_be_so_high() -> None:
    table = fight("eva", "a.b", a="gunman", b="gunman", toml='[elevation]\nrows = """\n.7.\n"""\n')
    assert table.do(Place("a", parse_square("B1"))) == ["GM: A placed on B1 (10.5 m up)."]
    assert table.do(Place("a", parse_square("A1"))) == ["GM: A placed on A1."]


def test_everybody_whom_a_burst_catches_and_does_not_harm_is_named() -> None:
    table = fight("occult-ops", "a....", ".....", "...bc", a="grenadier", b="gunman", c="gunman")
    table.do(Attack("a", "", square=parse_square("D2")), (30,), (6,))
    said = summarise(table.events, table.battle, table.rules)
    assert said.endswith("40 armour points = 4. A is unharmed.")
    assert said.count("is unharmed") == 1


def test_in_short_whom_an_area_harms_comes_before_the_others_in_it() -> None:
    table = fight("occult-ops", "a....", ".....", "d..bc", a="grenadier", b="gunman", c="gunman", d="gunman")
    table.do(Attack("a", "", square=parse_square("D2")), (30,), (6,))
    said = summarise(table.events, table.battle, table.rules, is_short=True)
    assert "in the area" not in said
    assert said.endswith("D2. B: armour points 50 → 49. C: armour points 50 → 49. Unharmed: A, D.")


def test_where_a_throw_came_down_is_said_with_its_roll() -> None:
    table = fight("occult-ops", "a....", ".....", "...bc", a="grenadier", b="gunman", c="gunman")
    table.do(Attack("a", "", square=parse_square("D2")), (30,), (6,))
    said = summarise(table.events, table.battle, table.rules)
    first = said.partition(". ")[0]
    assert first.startswith("A → D2: rolled 30 ") and first.endswith(", goes off on D2")
    assert said.count("goes off on") == 1
    table.do(Attack("a", "", square=parse_square("D2"), is_free=True), (75,), (8,), (4,))
    first = summarise(table.events, table.battle, table.rules).partition(". ")[0]
    assert ", goes off on" in first and first.endswith(", stopped by the edge of the map")


def test_a_flyer_rises_sinks_and_lands() -> None:
    table = fight("occult-ops", "a...b", a="drone", b="gunman")
    assert table.do(SetAltitude("a", 1000))[-1] == "A climbs to 10 ft above the ground, set by the GM."
    assert table.do(SetAltitude("a", 500))[-1] == "A descends to 5 ft above the ground, set by the GM."
    assert table.do(SetAltitude("a", 0))[-1] == "A lands, set by the GM."
    assert table.do(Move("a", table.way("a", "B1")))[-1] == "A moves A1 → B1, 1 square."


def test_who_turns_is_reported_and_who_turns_with_an_attack_is_not() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman")
    assert table.do(Face("a", Direction.SW)) == ["A faces SW."]
    assert not any("faces" in line for line in table.do(Attack("a", "b"), (80,)))


def test_what_a_direction_s_dice_mean() -> None:
    compass, bearings = (tuple(ring.steps) for ring in RINGS)
    turned = (*bearings[3:], *bearings[:3])
    assert direction_words(enumerate(turned, 1)) == "1 back-right, then clockwise"
    twelve = [(total, compass[(total - 1) // 12 - 1]) for total in range(1, 97)]
    assert direction_words([*twelve, (97, "again"), (98, "again")]) == "1–12 NW, then clockwise, 97–98 again"
    parted = {1: "right", **dict.fromkeys(range(2, 8), "left"), 8: "right", 9: "right"}
    assert direction_words(parted.items()) == "1 right, 2–7 left, 8–9 right"
    wide_north = [(1, "N"), *enumerate(compass, 2)]
    assert direction_words(wide_north) == "1–2 N, 3 NE, 4 E, 5 SE, 6 S, 7 SW, 8 W, 9 NW", "not equally wide"


def test_a_distance_in_the_ruleset_s_unit_is_reported_in_the_map_s_as_well() -> None:
    table = fight("occult-ops", "a...b", scale=(2, "metres"), a="gunman", b="gunman")
    assert verdict(table.shot(), table.rules).startswith("B, 26 ft (8 m)")
    assert table.shot().situation.distance == "26 ft"
    plain = fight("occult-ops", "a...b", a="gunman", b="gunman")
    assert verdict(plain.shot(), plain.rules).startswith("B, 20 ft, ")


def test_nobody_fights_on_an_empty_square() -> None:
    table = fight("occult-ops", "a.....b", a="grenadier", b="gunman")
    here = consider(table.battle, table.rules, Attack("a", "", square=parse_square("F1")))
    assert entry(here.ledger, "into-melee") is None


def test_it_is_said_when_one_side_alone_is_left() -> None:
    table = fight("cwn", "a...b", "....c", a="gunman", b="gunman", c="gunman")
    table.do(SetOut("b", "surrenders"))
    assert "down." not in summarise(table.events, table.battle, table.rules)
    table.do(SetOut("c", "surrenders"))
    side = the_side(table.unit("c").side)
    left = f"{upper_first(side)} {verb(side, 'is', 'are')} down."
    assert summarise(table.events, table.battle, table.rules).endswith(left)


def test_a_roll_is_reported_with_what_it_is_up_against() -> None:
    table = fight("cwn", "a....b", a="grenadier", b="gunman")
    lines = table.do(Attack("a", "b", weapon="frag-grenade"), (20,), (11,), (13,), (5,))
    assert "Evasion save: rolled 13 (typed) vs 14: failure." in lines
    said = summarise(table.events, table.battle, table.rules)
    assert "Evasion save: rolled 13 (typed) vs 14: failure. Trauma die: rolled 5 (typed) vs 6: no Trauma." in said


def test_dice_read_apart_are_reported_with_what_they_must_be_more_than() -> None:
    """VOLT-5: the degree must be higher than the range number."""
    table = fight("volt", "a" + "." * 30 + "b", a="rifleman", b="gunman")
    shot = table.shot()
    assert shot.ledger.beats
    assert f"Roll 2d20: {shot.ledger.beats + 1} to {shot.ledger.target_number} on either die hits" in verdict(
        shot, table.rules
    )
    assert dice_to_type(table.rules) == "the white die, then the black"


def test_what_the_gm_changes_by_hand_is_reported_as_hers() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman")
    for wish, told in (
        (SetPosture("a", "prone"), "A is prone, set by the GM."),
        (SetCondition("a", "intimidated", True, 3), "A is intimidated for 3 rounds, set by the GM."),
        (SetCondition("a", "intimidated", False), "A is no longer intimidated, set by the GM."),
        (SetAmmunition("a", 3), " → 3 rounds, set by the GM."),
        (SetInitiative("b", 40), "Turn order: B (40), A ("),
        (Ready("a", table.rules.gear.innate_weapons[0], is_free=True), "equips Bare hands, set by the GM."),
    ):
        (line,) = table.do(wish)
        assert told in line and line.endswith(", set by the GM."), line
    assert "set by the GM" not in " ".join(table.do(Act("a", "get-up")))


def test_a_gms_reason_stands_once() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman")
    ledger = table.shot().ledger
    assert table.do(parse_adjustment("+10 high ground", ledger, table.battle)) == [
        "GM: “high ground” +10, next attack."
    ]
    (added,) = [line for line in table.shot().ledger.entries if line.label == "high ground"]
    assert added.because == "set by the GM"
    other = table.do(parse_adjustment("1 -5 bad light", ledger, table.battle))
    assert other == [f"GM: “{ledger.entries[0].label}” −5, bad light, next attack."]


def test_nothing_left_is_reported_in_the_plural() -> None:
    rules = fight("cwn", "a..b", a="gunman", b="gunman").rules
    assert [rules.units.budgets["main"].counted(count) for count in (0, 1, 2)] == [
        "0 Main actions",
        "1 Main action",
        "2 Main actions",
    ]


def test_every_class_of_event_has_a_narrator_or_is_named_as_silent() -> None:
    assert NARRATORS.keys() | SILENT == set(EVENTS)
    assert not NARRATORS.keys() & SILENT


def test_a_narrator_stands_in_the_module_called_like_the_one_of_its_event() -> None:
    for kind, narrator in NARRATORS.items():
        family = kind.__module__.rpartition(".")[2].removesuffix("_events")
        assert narrator.__module__ == f"engine.battle.narration.{family}_text", kind.__name__


def test_no_class_of_event_has_two_narrators() -> None:
    with pytest.raises(TypeError, match="RoundBegan has two narrators"):
        narrates(RoundBegan)(lambda event, log: "Again.")


def test_every_reason_has_words() -> None:
    assert WORDS.keys() == set(get_args(ReasonKind))


BATTLE = Path(__file__).parents[3] / "engine" / "battle"
MAKERS = {*(kind.__name__ for kind in EVENTS), "set_condition", "let_go_of", "expire"}
"""What makes events that say why."""


@pytest.mark.parametrize("path", sorted(BATTLE.rglob("*.py")), ids=lambda path: str(path.relative_to(BATTLE)))
def test_no_event_is_made_with_a_sentence(path: Path) -> None:
    """Texts in events are labels of the ruleset, names, refusals, what people wrote; reasons are data."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAKERS:
            inside = [one for argument in (*node.args, *node.keywords) for one in ast.walk(argument)]
            texts = [one.value for one in inside if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            sentences = [text for text in texts if " " in text and text not in DURATIONS]
            assert not sentences, f"line {node.lineno}: {sentences}"


def test_a_reason_is_reported_with_the_name_that_its_unit_has_now() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman")
    drawn = Reason("leaves-reach", "b", "Opportunity attack", parse_square("C1"))
    assert reason_words(drawn, table.battle) == "Opportunity attack, as B leaves its reach at C1"
    table.do(RenameUnit("b", "{at}"))
    assert reason_words(drawn, table.battle) == "Opportunity attack, as {at} leaves its reach at C1"
    assert reason_words("as an older battleboard wrote it", table.battle) == "as an older battleboard wrote it"


def test_who_is_put_on_the_square_of_another_is_told() -> None:
    table = fight("volt", "a....", ".....", a="drone", altitudes={"a": 3})
    table.do(AddUnit("rifleman", "law", parse_square("A1"), "Guard"))
    assert summarise(table.events, table.battle, table.rules).endswith("A is on the same square.")
    table.do(Place("guard", parse_square("C1")))
    assert "same square" not in summarise(table.events, table.battle, table.rules)
    table.do(Place("guard", parse_square("A1")))
    assert summarise(table.events, table.battle, table.rules).endswith("A is on the same square.")
