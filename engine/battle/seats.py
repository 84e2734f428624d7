"""Seats at the table: who gives a command, and what each may order.

The Game Master may do anything. A player orders the units of a seat, within the rules and without the Game Master's
leave. What a seat may not do is refused before any name in the command is looked up, in the same words for a unit that
is not its own, one that is hidden, and one that does not exist.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.answers import Given
from engine.battle.command import OWN, Command
from engine.battle.state.battle import Battle
from engine.errors import Illegal
from engine.rules.model import Ruleset

Mode = Literal["orders", "looks"]
ORDERS: Mode = "orders"
LOOKS: Mode = "looks"
GM_NAME = "gm"
"""The Game Master's seat in stamps of the journal."""


class Seat(Struct, frozen=True):
    """One seat at the table."""

    name: str
    """As stamps have it."""
    side: str = ""
    """The side that it plays; "" for the Game Master."""
    units: tuple[str, ...] | None = None
    """Ids of the units of that side that it orders; None for all of them."""
    mode: Mode = ORDERS
    """Whether it orders its units, or only looks."""
    types_dice: bool = False
    """Whether it may type dice for its rolls; else the seed rolls them."""

    @property
    def is_gm(self) -> bool:
        return not self.side

    def orders(self, battle: Battle, unit_id: str) -> bool:
        """Whether a unit is there and is one that the seat orders."""
        unit = battle.units.get(unit_id)
        return unit is not None and unit.side == self.side and (self.units is None or unit_id in self.units)


GAME_MASTER = Seat(GM_NAME)
NOT_YOURS = "You do not order that unit."
ONLY_THE_GM = "Only the Game Master may do that."


def refuse_unless_permitted(battle: Battle, rules: Ruleset, command: Command, seat: Seat, answers: Given = ()) -> None:
    """Raises Illegal for a command that a seat may not give.

    Args:
        battle: now.
        rules: its ruleset.
        command: the command; its names are not looked up yet.
        seat: who gives it.
        answers: what was said with it.
    """
    if seat.is_gm:
        return
    if seat.mode == LOOKS:
        raise Illegal("seat", "You look on: you give no orders.")
    if command.may != OWN:
        raise Illegal("seat", ONLY_THE_GM)
    if not all(seat.orders(battle, unit_id) for unit_id in command.ordered(battle)):
        raise Illegal("seat", NOT_YOURS)
    if command.needs_leave(battle, rules):
        raise Illegal("seat", ONLY_THE_GM)
    if not seat.types_dice and any(one.dice and not one.by_seed for one in answers):
        raise Illegal("seat", "Your dice are rolled for you.")
