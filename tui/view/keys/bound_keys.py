"""Textual's bindings, made of keys; and the keys that a screen has bound."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding, BindingType
from textual.dom import DOMNode

from tui.application.keys.battle_keys import key_name
from tui.application.keys.board_keys import UNBOUND
from tui.application.keys.key import Key


def bind(keys: Iterable[Key]) -> list[BindingType]:
    """The bindings of a screen or widget."""
    return [
        Binding(one.key, one.action, one.description, one.show, priority=one.priority, tooltip=one.tooltip, id=one.id)
        for one in keys
    ]


def by_action(node: DOMNode) -> list[tuple[list[str], Binding]]:
    """The bindings of a node, each action once with all its keys, in the order of binding.

    Changed keys replace the defaults.
    """
    found: dict[str, tuple[list[str], Binding]] = {}
    changed = node.app._keymap
    for bindings in node._bindings.key_to_bindings.values():
        for binding in bindings:
            if binding.id is None or binding.key.startswith(UNBOUND):  # Textual's own, or without a key
                continue
            keys, _ = found.setdefault(binding.action, ([], binding))
            if binding.id not in changed:
                keys.append(key_name(binding.key))
            elif not keys:
                keys += [key_name(key) for key in changed[binding.id].split(",")]
    return list(found.values())
