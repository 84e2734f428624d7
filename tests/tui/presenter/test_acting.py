"""Acts on somebody: on the target that is picked, on whom the cursor is on, or chosen from a list; rulings."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from engine.battle.attacks.defence_flow import Answer, DefenceAsk
from engine.battle.command import Act, EndTurn
from engine.battle.commands.gear_commands import SetAmmunition
from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.unit_edits import SetCondition
from maps import parse_map
from tests.rules.table import ruleset
from tests.rulesets.texts import small
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tests.tui.test_acting import ACTS, MAP
from tui.application.library.battle_files import Scenario, begin_battle
from tui.application.presenter.command_questions import DEFENCE_KEYS
from tui.application.presenter.menu_choices import defence_choices


def yard(folder: Path, more: str = ACTS) -> Conversation:
    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", small(more)), "seed", folder)
    while session.battle.turns.active != "a":
        session.submit(EndTurn())
    return Conversation(session)


def test_without_a_target_one_is_chosen_from_a_list(tmp_path: Path) -> None:
    talk = yard(tmp_path)
    talk.do("act")
    assert "choose a target" in talk.display.line("trip").note
    talk.display.choose("trip")
    assert talk.display.menu is not None
    assert [(one.label, one.note, bool(one.reason)) for one in talk.display.menu.choices] == [
        ("B", "5 ft", False),
        ("C", "5 ft", False),
        ("D", "20 ft", True),
    ]
    talk.display.choose("c")
    talk.roll_the_rest()
    assert talk.unit("c").pools["hp"] < 9


def test_the_unit_under_the_cursor_is_meant(tmp_path: Path) -> None:
    talk = yard(tmp_path)
    talk.step(0, 1)
    talk.do("act")
    assert talk.display.line("trip").note.startswith("on C")


def test_a_ruling_is_decided_from_a_list(talk: Conversation) -> None:
    talk.do("ruling")
    assert [talk.display.line(name).note for name in ("fumble_table", "darkness")] == ["yes", "0"]
    talk.display.choose("fumble_table", "no")
    assert talk.battle.gm.rulings == {"fumble_table": False}
    for text in ("-20", "dusk"):
        talk.choose("ruling", "darkness")
        talk.answer(text)
        assert talk.battle.gm.rulings["darkness"] == -20
    assert "whole number" in talk.said and talk.asked and talk.display.value == "dusk"
    talk.display.cancel()
    talk.do("undo")
    talk.do("undo")
    assert not talk.battle.gm.rulings


GUARD = """
[condition.guarding]
label = "guarding a place"
mark = "@"
until = "battle end"
about = "square"
source = "ours"
[action.guard-place]
label = "Guard a place"
kind = "other"
target = "square"
cost = { main = 1 }
source = "ours"
[[action.guard-place.effect]]
id = "guards"
label = "guards it"
condition = "guarding"
source = "ours"
"""


def test_an_act_at_a_square_is_where_the_cursor_is(tmp_path: Path) -> None:
    talk = yard(tmp_path, GUARD)
    talk.do("act")
    assert talk.display.line("guard-place").note == "1 main action, then aim with the cursor"
    talk.display.choose("guard-place")
    assert talk.presenter.places == "act" and not talk.unit("a").about
    talk.point("B2")
    talk.do("act")
    assert talk.presenter.places == "act", talk.said
    talk.point("B3")
    talk.do("act")
    assert talk.unit("a").about == {"guarding": "B3"}
    assert "A → B3: Guard a place." in talk.said
    talk.do("undo")
    assert not talk.unit("a").about


LURK = """
[condition.set]
label = "set to fire"
mark = "!"
until = "battle end"
about = "attack"
source = "ours"
[action.volley]
label = "Volley"
kind = "attack"
weapons = ["ranged", "melee", "thrown"]
source = "ours"
[action.lurk]
label = "Lurk"
kind = "other"
declares = ["volley", "attack"]
source = "ours"
[[action.lurk.effect]]
id = "lurks"
label = "lurks"
condition = "set"
source = "ours"
"""


def test_the_attack_that_an_act_declares_is_asked_for(tmp_path: Path) -> None:
    """EVA-21: which attack it will be is said when the overwatch is set, from a list or in words."""
    talk = yard(tmp_path, LURK)
    talk.choose("act", "lurk")
    assert talk.display.menu is not None
    assert [choice.id for choice in talk.display.menu.choices] == ["attack", "volley"]
    talk.display.choose("volley")
    assert talk.unit("a").about == {"set": "volley"}
    assert "set to fire: Volley" in talk.said
    talk.do("undo")
    talk.line("act lurk with volley")
    assert talk.unit("a").about == {"set": "volley"}
    talk.do("undo")
    talk.line("lurk")
    assert "attack, volley" in talk.said


def test_who_has_an_empty_weapon_is_reported_what_fills_it(talk: Conversation) -> None:
    talk.presenter.submit(SetAmmunition("todd", 0))
    talk.do("target", 1)
    talk.do("fire")
    assert "0 rounds left" in talk.said and "Reload" in talk.said


def test_who_has_thrown_all_is_reported_how_to_take_another_weapon(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "cwn"))
    talk.presenter.submit(SetTurn("spark"))
    talk.presenter.submit(SetAmmunition("spark", 0))
    talk.do("target", 1)
    talk.do("fire")
    assert "another weapon" in talk.said


def test_whose_weapon_is_jammed_is_reported_what_clears_it(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "eva"))
    talk.presenter.submit(SetTurn("spark"))
    talk.presenter.submit(SetCondition("spark", "jammed", True))
    talk.do("target", 1)
    talk.do("fire")
    assert "Clear a jam" in talk.said


def test_who_has_waited_is_taken_up_with_the_key_of_attacks_out_of_turn(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "cwn"))
    first = talk.battle.turns.active
    talk.presenter.submit(Act(first, "hold"))
    talk.do("end_turn")
    talk.do("interrupt")
    assert talk.battle.turns.active != first
    assert talk.presenter.focus.unit == first
    assert talk.said.startswith(talk.unit(first).name)


def test_a_defence_has_the_same_letter_in_every_question() -> None:
    """And "no defence" has its own, whoever is asked and whatever else may be done."""
    rules = ruleset("eva")
    asks = [one.id for one in rules.attack.defences]
    letters: dict[str, set[str]] = {}
    for first in range(len(asks)):
        for count in (1, 2, 3):
            options = tuple(
                Answer(id=one, unit="b", name="Bob", kind=one, label=one, cost={}, stops=Fraction(0), because="")
                for one in asks[first : first + count]
            )
            ask = DefenceAsk("", (), None, options, None, False, 0)  # type: ignore[arg-type]
            choices = defence_choices(ask, rules, DEFENCE_KEYS)
            assert choices[0].id == "none"  # Enter alone spends nothing
            for choice in choices:
                letters.setdefault(choice.id, set()).add(choice.key)
    assert all(len(keys) == 1 for keys in letters.values()) and letters["none"] == {"n"}
    assert len({key for keys in letters.values() for key in keys}) == len(letters)


def test_a_move_for_another_action_is_asked_first(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, ruleset="cwn"))
    talk.line("move H10")
    talk.line("move F10")
    assert talk.display.menu is not None
    assert talk.display.menu.question == "Todd moves to F10 for 1 Main action (Second move)?"
    talk.display.cancel()
    assert talk.said == "Todd stays on H10."
    talk.line("move F10")
    talk.display.choose("yes")
    assert talk.unit("todd").at.name == "F10"
    assert talk.unit("todd").turn.budget["main"] == 0


def test_each_side_is_asked_what_it_declares_before_the_order_is_rolled(tmp_path: Path) -> None:
    """VOLT: all declare what they do in the first turn; nobody attacks in silence."""
    talk = Conversation(session_for(tmp_path, "warehouse", "volt"))
    sides = [*dict.fromkeys(unit.side for unit in talk.battle.units.values())]
    talk.do("initiative")
    for side in sides:
        assert talk.asked.startswith(f"{side}: declare actions, e.g.")
        first = next(unit.id for unit in talk.battle.units.values() if unit.side == side)
        talk.answer(f"{first} move")
    talk.roll_the_rest()
    moving = [unit for unit, label in talk.battle.turns.announced.items() if label == "Move"]
    assert len(moving) == len(sides)
