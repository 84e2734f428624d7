"""The least Textual app that imports NumPy: a label."""

from __future__ import annotations

import numpy  # noqa: F401
from textual.app import App, ComposeResult
from textual.widgets import Label


class Hello(App[None]):
    """Says hello."""

    def compose(self) -> ComposeResult:
        yield Label("Hello")


if __name__ == "__main__":
    Hello().run()
