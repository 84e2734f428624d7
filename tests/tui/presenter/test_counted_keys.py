"""The commonest tasks take the keys that the page of keys counts, and no more."""

from __future__ import annotations

from pathlib import Path

from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.unit_actions import Ready
from engine.battle.events import AttackRolled
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.application.prompts.choice import Choice
from tui.application.reports.key_report import TASKS


def keys_of(task: str) -> tuple[str, ...]:
    return next(keys for name, _, keys in TASKS if name.startswith(task))


def test_the_keys_are_as_few_as_promised() -> None:
    most = {
        "attack": 3,
        "move": 2,
        "throw": 4,
        "open": 1,
        "damage by": 4,
        "damage anywhere": 6,
        "add": 5,
        "undo": 1,
        "end": 1,
    }
    assert {task: len(keys_of(task)) for task in most} == most


def test_a_shot_is_undone_and_a_turn_ended(talk: Conversation) -> None:
    before = talk.unit("todd")
    talk.press(*keys_of("attack"))
    assert talk.last(AttackRolled) and talk.unit("todd").turn.attacks == 1
    talk.press(*keys_of("undo"))
    assert talk.unit("todd") == before
    talk.press(*keys_of("end"))
    assert talk.battle.turns.active != "todd"


def test_a_move_is_two_keys_and_the_way(talk: Conversation) -> None:
    first, last = keys_of("move")
    at = talk.unit("todd").at
    talk.press(first, "up", "up", last)
    assert talk.unit("todd").at.row == at.row - 2


def test_a_grenade_goes_to_the_target_with_its_forecast_shown(tmp_path: Path) -> None:
    """The same keys with a rifle in hand, as the program puts throws of all that is carried under one key."""
    talk = Conversation(session_for(tmp_path, "warehouse", "occult-ops"))
    talk.presenter.submit(SetTurn("spark"))
    belt = [one for one in talk.unit("spark").gear.weapons if "grenade" not in one]
    talk.presenter.submit(Ready("spark", belt[0]))
    talk.press("t")
    target = talk.presenter.focus.target
    act, throw, fire, roll = keys_of("throw")
    talk.press(act, throw)
    assert talk.presenter.places == "fire" and not talk.asked
    assert talk.presenter.focus.overlay == "landing" and talk.presenter.overlay.tints
    assert talk.presenter.focus.target == target
    talk.press(fire)
    assert talk.asked.startswith(f"Spark → {talk.unit(target).name}:")
    talk.press(roll)
    (attack,) = talk.last(AttackRolled)
    assert attack.target == target and "grenade" in attack.weapon
    assert talk.presenter.focus.overlay == "plain", "the footprint is shown, not where it might have come down"


def test_a_grenade_without_a_target_goes_to_the_cursor_or_to_the_first_enemy(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "occult-ops"))
    talk.presenter.submit(SetTurn("spark"))
    talk.press(*keys_of("throw")[:-1])
    assert talk.presenter.focus.target and talk.asked
    talk.display.cancel()
    talk.press("escape", "escape", "escape", "escape")
    assert not talk.presenter.focus.target
    talk.point("J7")
    talk.press(*keys_of("throw")[:-1])
    assert not talk.presenter.focus.target and talk.presenter.focus.cursor.name == "J7"
    assert "J7" in talk.asked


def test_a_door_is_one_key_and_two_where_there_are_two(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "occult-ops"))
    edges = [edge for edge, barrier in talk.battle.field.barriers.items() if barrier.state == "closed"]
    edge = next(edge for edge in edges if edge.squares[1] in talk.battle.field)
    talk.point(edge.squares[1].name)
    talk.press(*keys_of("open"))
    if talk.display.menu is not None:
        talk.press("1")
    assert talk.battle.field.barriers[edge].state == "open"


def test_damage_is_four_keys_here_and_six_anywhere(talk: Conversation) -> None:
    full = dict(talk.unit("bandit").pools)
    talk.press("t")
    talk.press(*keys_of("damage by"))
    pool = next(iter(full))
    hurt = talk.presenter.focus.target
    assert talk.unit(hurt).pools[pool] == max(0, full[pool] - 5) or hurt != "bandit"
    talk.press(*keys_of("undo"))
    letter = next(one.key for one in units(talk) if one.id == "marshal")
    find, _, *rest = keys_of("damage anywhere")
    before = talk.unit("marshal").pools[pool]
    talk.press(find, letter, *rest)
    assert talk.unit("marshal").pools[pool] == max(0, before - 5)


def units(talk: Conversation) -> list[Choice]:
    """The lines of the menu of units."""
    talk.do("find")
    assert talk.display.menu is not None
    found = list(talk.display.menu.choices)
    talk.display.cancel()
    return found


def test_a_unit_is_found_by_its_letter_in_either_case(talk: Conversation) -> None:
    lines = units(talk)
    keys = {one.key for one in lines}
    alone = next(one for one in lines if one.key.isalpha() and one.key.swapcase() not in keys)
    before = talk.presenter.focus.unit
    talk.press("apostrophe", alone.key.swapcase())
    assert talk.presenter.focus.cursor == talk.unit(alone.id).at
    assert talk.presenter.focus.unit == before, "it moves the cursor and nothing else"


def test_a_unit_is_added_in_five_keys_on_the_next_free_square(talk: Conversation) -> None:
    before = set(talk.battle.units)
    at = talk.presenter.focus.cursor
    assert talk.battle.at(at) is not None
    talk.press(*keys_of("add"))
    (new,) = set(talk.battle.units) - before
    assert talk.unit(new).at != at
    assert max(abs(talk.unit(new).at.column - at.column), abs(talk.unit(new).at.row - at.row)) == 1
    talk.press(*keys_of("undo"))
    assert set(talk.battle.units) == before


def test_range_bands_are_two_keys(talk: Conversation) -> None:
    talk.press(*keys_of("see"))
    assert talk.presenter.focus.overlay == "range"
