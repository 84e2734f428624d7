"""A battle moment by moment, as the table or one side knows it: for reports, recordings and players' screens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.battle.state.battle import Battle
from engine.battle.views.fog_of_war import (
    NOTHING_SEEN,
    Memory,
    SideObserver,
    in_sight,
    known_battle,
    own_units,
    seat_view,
    side_names,
)
from engine.battle.views.known_battle import for_players, is_hidden_turn, leads_to_hidden_turn, table_battle
from engine.battle.views.view import View, project
from engine.context import Cache
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.values import replace

KNOWN_TURN, HIDDEN_TURN_BEGINS, HIDDEN_TURN = "known", "hidden turn begins", "hidden"
"""Whose turn it is: of somebody whom players know or of nobody, or of somebody hidden by the GM."""
VIEWS: Cache[View] = Cache(2)


class SideMoment(Struct, frozen=True):
    """What is known of a battle after one command, undo or redo."""

    battle: Battle | None
    """As the whole table may know it (`table_battle`); None while it is set up."""
    turn: str = KNOWN_TURN
    """KNOWN_TURN, HIDDEN_TURN_BEGINS or HIDDEN_TURN."""
    side: str = ""
    """The side that looks, by its name then; "" for the table, which sees all that is not hidden."""
    memory: Memory = NOTHING_SEEN
    """What the side has seen until then."""
    own: frozenset[str] = frozenset()
    """Ids of its own units."""
    units: frozenset[str] = frozenset()
    """Ids of its own units and of the others that it sees then."""
    squares: frozenset[Square] = frozenset()
    """The squares that it sees then."""


def table_moments(moments: Sequence[Battle]) -> Iterator[SideMoment]:
    """Each of these states of a battle as the whole table may know it.

    Args:
        moments: the whole battle after each command, undo and redo.
    """
    before = public = None
    shown = SideMoment(None)
    for battle, now in zip(moments, for_players(moments), strict=True):
        if now is not public:
            public, shown = now, replace(shown, battle=None if now is None else table_battle(now))
        if battle.is_set_up or not is_hidden_turn(battle):
            turn = KNOWN_TURN
        else:
            turn = HIDDEN_TURN_BEGINS if leads_to_hidden_turn(before, battle) else HIDDEN_TURN
        before, shown = battle, replace(shown, turn=turn)
        yield shown


def side_moments(
    moments: Sequence[Battle], side: str, memory: Memory = NOTHING_SEEN, remembered: int = 0
) -> Iterator[SideMoment]:
    """Each of these states of a battle as one side knows it.

    Args:
        moments: the whole battle after each command, undo and redo.
        side: the side, by its name after the last of them (see `side_names`).
        memory: what the side remembers of the first moments.
        remembered: how many moments those are; they are not observed again, and nothing is said to be in sight then.
    """
    observer, last = SideObserver(memory), SideMoment(None)
    for number, (shown, name) in enumerate(zip(table_moments(moments), side_names(moments, side), strict=True)):
        battle = shown.battle
        if battle is None or number < remembered:
            last = replace(shown, side=name, memory=observer.memory)
            if battle is not None:
                observer.pass_over(battle)
        elif (battle, name) == (last.battle, last.side) and number != remembered:
            last = replace(last, turn=shown.turn)
        else:
            observer.observe(battle, name)
            units, squares = in_sight(battle, name)
            own = frozenset(unit.id for unit in own_units(battle, name))
            last = SideMoment(battle, shown.turn, name, observer.memory, own, units, squares)
        yield last


def view_of(moment: SideMoment, rules: Ruleset) -> View:
    """The view of a side, or of the table, at a moment at which the battle is no longer set up."""
    assert moment.battle is not None
    battle, memory, side = moment.battle, moment.memory, moment.side
    if not side:
        return VIEWS.get((battle, rules), side, lambda: project(battle, rules))
    return VIEWS.get((battle, memory, rules), side, lambda: seat_view(battle, rules, side, memory))


def known_now(moments: Sequence[Battle], rules: Ruleset, side: str) -> Battle | None:
    """The battle as a side knows it after all these states; None while it is set up.

    Args:
        moments, side: as for `side_moments`.
        rules: the battle's.

    Raises:
        BattleboardError: there are no moments.
    """
    if not moments:
        raise BattleboardError("The battle has not begun.")
    *_, now = side_moments(moments, side)
    return None if now.battle is None else known_battle(now.battle, rules, now.side, now.memory)
