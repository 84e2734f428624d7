"""`replace` for the frozen dataclasses with slots that battles are made of: as `dataclasses.replace`, in half the time.

A battle of ten thousand events is opened by some thirty thousand of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

__all__ = ["replace"]

if TYPE_CHECKING:  # the types of the changes are checked as there
    from dataclasses import replace
else:

    def replace(value, /, **changes):
        """The same value with other fields.

        Raises:
            TypeError: it has no such field.
        """
        parts = _parts(type(value))
        if parts is None:
            return dataclasses.replace(value, **changes)
        values = list(parts.read(value))
        for name, change in changes.items():
            if name not in parts.places:
                raise TypeError(f"{type(value).__name__} has no field {name!r}")
            values[parts.places[name]] = change
        found = object.__new__(type(value))
        for write, one in zip(parts.writers, values, strict=True):
            write(found, one)
        return found


class _Parts(NamedTuple):
    """Of a dataclass: the places of its fields, what reads all of them, and what writes each past the frost."""

    places: dict[str, int]
    read: Callable[[Any], tuple[Any, ...]]
    writers: tuple[Callable[[Any, Any], None], ...]


@cache
def _parts(kind: type) -> _Parts | None:
    """None for what checks itself when it is made, and for what has no slots or a single one."""
    names: tuple[str, ...] = tuple(kind.__dict__.get("__slots__", ()))
    if hasattr(kind, "__post_init__") or len(names) < 2 or len(names) != len(dataclasses.fields(kind)):
        return None
    writers = tuple(kind.__dict__[name].__set__ for name in names)
    return _Parts({name: place for place, name in enumerate(names)}, attrgetter(*names), writers)
