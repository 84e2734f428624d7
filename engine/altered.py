"""`replace` for the frozen dataclasses with slots that battles are made of: as `dataclasses.replace`, in half the time;
and the like for mappings.

A battle of ten thousand events is opened by some thirty thousand of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["replace", "with_item"]

Key = TypeVar("Key")
Item = TypeVar("Item")

if TYPE_CHECKING:  # the types of the changes are checked as there
    from dataclasses import replace
else:

    def replace(value, /, **changes):
        """The same value with other fields.

        Raises:
            TypeError: it has no such field.
        """
        copied, writers = _copier(type(value))
        if copied is None:
            return dataclasses.replace(value, **changes)
        found = copied(value)
        for name, change in changes.items():
            if name not in writers:
                raise TypeError(f"{type(value).__name__} has no field {name!r}")
            writers[name](found, change)
        return found


@cache
def _copier(kind: type) -> tuple[Callable[[Any], Any] | None, dict[str, Callable[[Any, Any], None]]]:
    """What copies a value of a dataclass, and what writes each of its fields past the frost.

    Nothing copies what checks itself when it is made, and what has no slots or a single one.
    """
    names: tuple[str, ...] = tuple(kind.__dict__.get("__slots__", ()))
    if hasattr(kind, "__post_init__") or len(names) < 2 or len(names) != len(dataclasses.fields(kind)):
        return None, {}
    writers = {name: kind.__dict__[name].__set__ for name in names}
    known: dict[str, Any] = {"kind": kind, "new": object.__new__, **{f"set_{name}": writers[name] for name in names}}
    body = [f" set_{name}(made, value.{name})" for name in names]
    exec("\n".join(["def copied(value):", " made = new(kind)", *body, " return made"]), known)  # noqa: S102  # names of fields alone
    return known["copied"], writers


def with_item(mapping: Mapping[Key, Item], key: Key, item: Item) -> Mapping[Key, Item]:
    """The same mapping with one item changed. A view of a dictionary is joined as a whole, five times as quickly."""
    return MappingProxyType(mapping | {key: item})  # type: ignore[operator]  # as dictionaries and views of them can
