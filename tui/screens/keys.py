"""The keys of a screen or widget as people read them; the footer, the help and the palette are made from this."""

from __future__ import annotations

from textual.binding import Binding
from textual.dom import DOMNode

KEY_NAMES = {
    "question_mark": "?",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "enter": "Enter",
    "home": "Home",
    "end": "End",
    "backspace": "Backspace",
    "escape": "Esc",
}


def by_action(node: DOMNode) -> list[tuple[list[str], Binding]]:
    """Each action of a node once, with all its keys, in the order they were bound."""
    found: dict[str, tuple[list[str], Binding]] = {}
    for bindings in node._bindings.key_to_bindings.values():
        for binding in bindings:
            keys, _ = found.setdefault(binding.action, ([], binding))
            keys.append(KEY_NAMES.get(binding.key, binding.key))
    return list(found.values())
