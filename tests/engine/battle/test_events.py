"""Every event is listed by its family, and says what it does to a battle."""

from __future__ import annotations

import ast
from pathlib import Path

from engine.battle.events import EVENTS
from engine.battle.events.event import Event, LogEvent

FAMILIES = sorted((Path(__file__).parents[3] / "engine" / "battle" / "events").glob("*_events.py"))


def test_each_family_lists_its_events() -> None:
    for path in FAMILIES:
        classes = {node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.ClassDef)}
        listed = {kind.__name__ for kind in EVENTS if kind.__module__.endswith(f".{path.stem}")}
        assert listed == classes, f"{path.name}: an event is missing in __all__, or its family in events/__init__.py"


def test_every_event_is_applied_by_a_method_of_its_own_or_is_for_the_log_alone() -> None:
    for kind in EVENTS:
        assert issubclass(kind, LogEvent) != ("apply" in vars(kind)), kind.__name__
        assert kind.apply is not Event.apply, kind.__name__
