"""Characters: sheets of the Game Master's own, as a battle holds them; `rulesets.characters` has their files."""

from __future__ import annotations

from engine.bounds import Amount, Count, Id, ListOf, Size, StatValue, Text
from engine.values import Stored


class Character(Stored, frozen=True):
    """A sheet of the Game Master's own: a player's character, or a stat block of an opponent.

    It takes the place of the ruleset's archetype: what it does not state has the ruleset's default.
    """

    name: Text
    """As the sheet is called: "Anna" for "Anna's sheet"."""
    stats: ListOf[tuple[Id, StatValue]] = ()
    """Ids of the stats that it states, with their values."""
    weapons: ListOf[Id] = ()
    """Weapon ids; the first is in hand when a battle begins."""
    armour: Id = ""
    accessories: ListOf[Id] = ()
    rounds: ListOf[tuple[Id, Count]] = ()
    """Rounds loaded, by weapon id; a weapon that is not here is full."""
    attachments: ListOf[tuple[Id, Id]] = ()
    """What is fitted to a weapon: id of the condition, id of the weapon."""
    pools: ListOf[tuple[Id, Amount]] = ()
    """Pools that do not begin full: wounds that were carried over."""
    conditions: ListOf[Id] = ()
    """Conditions that a battle begins with."""
    notes: Text = ""
    letter: Text = ""
    """The letter that it asks for on the board; "" for one of its name."""
    size: Size = 1
    role: Id = ""
    """The archetype's role that it fills on a map; "" for none."""
    is_opponent: bool = False
    """A stat block: used many times, numbered where there are several."""
    file: Text = ""
    """Where it came from: the name of a file in the characters folder without its ending, or a path; "" for nowhere."""
