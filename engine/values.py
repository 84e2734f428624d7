"""Values of the engine: immutable Structs, changed by `replace`, and how they stand in files.

Squares, edges and directions stand there by their names ("C7", "C7 W", "NE"), fractions as "3/5"; see `battle.codec`.
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from dataclasses import replace  # msgspec's own takes any change; mypy checks them only under this name

    Number = int | Fraction
    Value = bool | int | Fraction | str
else:
    from msgspec.structs import replace

    Number = Rational  # no union of msgspec may hold fractions; so it asks the codec
    Value = bool | int | str  # what can be read back

__all__ = ["Number", "Stored", "Value", "replace"]


class Stored(Struct, frozen=True, forbid_unknown_fields=True):
    """A value that is read from files: a field that it does not have is refused."""
