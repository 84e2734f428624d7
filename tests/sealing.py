"""Values whose mappings cannot be written to: mappings are plain dictionaries, immutable by type alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from engine.values import replace


def sealed(value: Any) -> Any:
    """The same value, whose mappings refuse to be written to."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: sealed(item) for key, item in value.items()})
    if isinstance(value, tuple) and value and isinstance(value[0], Struct):
        return tuple(map(sealed, value))
    if isinstance(value, Struct):
        changed = {name: found for name, item in asdict(value).items() if (found := sealed(item)) is not item}
        return replace(value, **changed) if changed else value
    return value
