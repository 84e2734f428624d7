"""`replace`: the same value of the engine with other fields.

It is msgspec's own; mypy checks the changes only under the name that it knows from the standard library.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace
else:
    from msgspec.structs import replace

__all__ = ["replace"]
