"""A key and what it does: plain data, from which a screen makes its bindings."""

from __future__ import annotations

from msgspec import Struct


class Key(Struct, frozen=True):
    """A key, or several, of one action. Where a screen binds it, it is one of Textual's bindings."""

    key: str
    """Textual's name of the key; of several with commas between them."""
    action: str
    """The screen's action, with its parameters: "target(1)"."""
    description: str = ""
    """What the footer calls it."""
    show: bool = True
    """Whether the footer shows it."""
    priority: bool = False
    """Whether it is handled before the next key is read, so that keys in a burst keep their order."""
    tooltip: str = ""
    """What it does, for help, palette and documentation."""
    id: str = ""
    """Its name in `keys.toml`."""
