"""`replace`: the same value of the engine with other fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["replace"]

if TYPE_CHECKING:  # mypy checks the changes only under this name
    from dataclasses import replace
else:
    import dataclasses

    import msgspec

    def replace(value, /, **changes):
        """The same value with other fields: of a Struct, or of a dataclass while some are left.

        Raises:
            TypeError: it has no such field.
        """
        if isinstance(value, msgspec.Struct):
            return msgspec.structs.replace(value, **changes)
        return dataclasses.replace(value, **changes)
