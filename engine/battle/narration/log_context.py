"""Shared words of narrators: names of units, reasons."""

from __future__ import annotations

from msgspec import Struct

from engine.battle.facts import BARE_SQUARE
from engine.battle.narration.reason_text import WORDS
from engine.battle.state.battle import Battle
from engine.battle.state.reasons import Because, Reason
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset


class LogContext(Struct, frozen=True):
    """Input of a narrator besides its event: any battle with the same units, and the ruleset for labels."""

    battle: Battle
    rules: Ruleset

    def name(self, unit_id: str) -> str:
        """Present or former name of a unit."""
        return name_of(unit_id, self.battle)

    def names(self, unit_ids: tuple[str, ...]) -> str:
        """Names of several units: "Todd, Bandit"."""
        return ", ".join(map(self.name, unit_ids))

    def place(self, square: Square) -> str:
        """A square with the height of its ground, where that is not the map's zero: "H1 (3 m up)"."""
        height = self.battle.field.elevation_at(square) if square in self.battle.field else 0
        way = "up" if height > 0 else "down"
        return f"{square.name} ({abs(height) / 100:g} {self.sign} {way})" if height else square.name

    def because(self, reason: Because) -> str:
        """Why something happened, in a few words."""
        return reason_words(reason, self.battle)

    @property
    def sign(self) -> str:
        """The sign of the map's unit of length: "ft"."""
        return UNIT_SIGNS[self.battle.field.unit]


def name_of(unit_id: str, battle: Battle) -> str:
    """Present or former name of a unit; the stand-in for an empty square is "the square"."""
    return "the square" if unit_id == BARE_SQUARE else battle.called(unit_id)


def reason_words(because: Because, battle: Battle) -> str:
    """A reason in a few words; one that is in words already as it is."""
    if not isinstance(because, Reason):
        return because
    at = because.at.name if because.at else ""
    return WORDS[because.kind].format(unit=name_of(because.unit, battle), label=because.label, at=at)


def by_hand(is_by_gm: bool) -> str:
    """That the GM has changed something by hand, where that is so."""
    return f", {WORDS['by-gm']}" if is_by_gm else ""
