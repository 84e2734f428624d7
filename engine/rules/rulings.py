"""Rulings: decisions of a ruleset where its rule book is silent, which a GM may change. Data only."""

from __future__ import annotations

from msgspec import Struct

from engine.rules.origin import Origin

CHAPTER_ONLY = "chapter_only"
"""The ruling that turns off every modifier, range band and restriction that a ruleset marks as `ours`."""
OFF_IN_CHAPTER = f"0 if ruling.{CHAPTER_ONLY} else ("
"""Begins the value of a range band of ours; a bracket ends it."""
FOES_KNOWN = "foes_known"
"""The ruling on which numbers players' chances against others rest."""
EXACT, USUAL, NOTHING_KNOWN = FOES_CHOICES = ("exact", "usual", "none")
"""Their own numbers; those of the sheet of their kind; none, so that chances are not shown."""

UNKNOWN_TURNS = "unknown_turns"
"""The ruling on what players see in the turn order of units that they do not see."""
SHOWN, BLANK, NOT_SHOWN = TURN_CHOICES = ("shown", "blank", "none")
"""Their names; a place without a name for each; nothing."""
ONE_NUMBERING = "one_numbering"
"""The ruling that players know the units of a group by the GM's numbers."""


class Ruling(Struct, frozen=True):
    """A decision of ours that a GM may change: the fact `ruling.<id>`, in one place, for the whole battle.

    `value` is yes or no, a whole number or a word; with `choices` one of these; a number is a multiple of `step`.
    """

    id: str
    label: str
    value: bool | int | str
    choices: tuple[bool | int | str, ...]
    because: str
    origin: Origin
    step: int = 1
