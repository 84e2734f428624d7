"""Bounds of numbers and texts in events and battles, against hostile files.

A field's bounds stand in its type; a number with none of its own is within MOST_NUMBER.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

from msgspec import Meta

Item = TypeVar("Item")

MOST_NUMBER = 10**9
"""The largest distance from 0 of any number: the bound of a formula's value."""
MOST_AMOUNT = 10**6
"""And one that formulas reckon with; and items of a list or a table."""
MOST_TEXT = 4000
"""Characters of a text."""
MOST_SIZE = 4
"""Squares that a unit fills each way."""

SOME = Meta(min_length=1, max_length=MOST_AMOUNT)
"""Of a list of things: at least one."""
MANY = Meta(max_length=MOST_AMOUNT)
"""Of a table that may be empty."""
ListOf = Annotated[tuple[Item, ...], MANY]
"""A list that may be empty."""
Amount = Annotated[int, Meta(ge=-MOST_AMOUNT, le=MOST_AMOUNT)]
"""A unit's number: of a pool, a budget, a score."""
Count = Annotated[int, Meta(ge=0, le=MOST_AMOUNT)]
"""How many, how often."""
Size = Annotated[int, Meta(ge=1, le=MOST_SIZE)]
"""The side of a unit's footprint, in squares."""
Whole = Annotated[int, Meta(ge=-MOST_NUMBER, le=MOST_NUMBER)]
"""Any number, such as a total of dice."""
Position = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
"""Of a row in a journal, or a die of the seed."""
Text = Annotated[str, Meta(max_length=MOST_TEXT)]
"""Words for people."""
StatValue = bool | Amount | Text
"""What a stat may be set to: a number, yes or no, or a word."""
Id = Annotated[str, Meta(max_length=MOST_TEXT)]
"""What something is called in a ruleset or a battle; `tui.application.exports.battle_check` asks if it is there."""
