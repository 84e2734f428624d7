"""What waits between the terminal and the app is bounded, and the latest of it is always there."""

from __future__ import annotations

import pytest
from textual import events
from textual.events import AppBlur, AppFocus, Key, MouseMove, MouseScrollDown, Paste, Resize

from tui.view.terminal.input_queue import KEPT, MOST_REPEATS, MOST_WAITING, InputQueue


def key(name: str) -> Key:
    return Key(name, name)


def move(x: int) -> MouseMove:
    return MouseMove(None, x, 0, 0, 0, 0, False, False, False)


def names(queue: InputQueue) -> list[str]:
    found = []
    while (event := queue.take()) is not None:
        name = event.key if isinstance(event, Key) else type(event).__name__
        found.append(f"{name} {event.x}" if isinstance(event, MouseMove) else name)
    return found


def test_a_long_line_waits_whole_and_in_order() -> None:
    queue, typed = InputQueue(), [chr(ord("a") + place % 26) for place in range(MOST_WAITING)]
    for letter in typed:
        queue.put(key(letter))
    assert names(queue) == typed
    assert not queue.dropped


@pytest.mark.long
def test_of_a_flood_the_latest_wait_and_after_it_a_line_again() -> None:
    queue = InputQueue()
    for place in range(100_000):
        queue.put(key("abc"[place % 3]))
        assert len(queue) <= MOST_WAITING
    queue.put(key("question_mark"))
    assert len(queue) == KEPT
    assert names(queue)[-1] == "question_mark"
    for place in range(100):
        queue.put(key("abc"[place % 3]))
    assert len(queue) == 100


def test_a_key_held_down_waits_a_few_times_and_what_is_typed_after_it_does_too() -> None:
    queue = InputQueue()
    for _ in range(3_000):
        queue.put(key("escape"))
    queue.put(key("question_mark"))
    assert names(queue) == ["escape"] * MOST_REPEATS + ["question_mark"]
    assert queue.dropped == 3_000 - MOST_REPEATS
    for _ in range(3_000):
        queue.put(MouseScrollDown(None, 1, 1, 0, 0, 0, False, False, False))
    assert len(queue) == MOST_REPEATS


def test_of_many_events_of_the_mouse_the_latest_waits_and_no_key_is_lost() -> None:
    queue = InputQueue()
    queue.put(key("a"))
    for x in range(20_000):
        queue.put(MouseScrollDown(None, x, 1, 0, 0, 0, False, False, False))
        queue.put(move(x))
        assert len(queue) <= MOST_REPEATS + 2
    queue.put(key("b"))
    found = names(queue)
    assert [name for name in found if not name.startswith("Mouse")] == ["a", "b"]
    assert found[-2:] == ["MouseMove 19999", "b"]


def test_of_motion_sizes_and_focus_the_latest_counts() -> None:
    queue = InputQueue()
    queue.put(key("a"))
    for x in range(20_000):
        queue.put(move(x))
    queue.put(key("b"))
    queue.put(move(7))
    for columns in (80, 90, 100):
        queue.put(Resize.from_dimensions((columns, 24), None))
        queue.put(AppFocus())
        queue.put(AppBlur())
    queue.put(Paste("x"))
    expected = ["a", "MouseMove 19999", "b", "MouseMove 7", "Resize", "AppFocus", "AppBlur", "Paste"]
    assert names(queue) == expected


def test_a_size_is_never_dropped_for_keys() -> None:
    queue = InputQueue()
    queue.put(Resize.from_dimensions((80, 24), None))
    for place in range(5_000):
        queue.put(key("abc"[place % 3]))
    assert isinstance(queue.take(), events.Resize)
