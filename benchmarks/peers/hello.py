"""The least Textual app: a label. With a word on the command line it imports NumPy first."""

from __future__ import annotations

import sys

from textual.app import App, ComposeResult
from textual.widgets import Label

if len(sys.argv) > 1:
    import numpy  # noqa: F401


class Hello(App[None]):
    """Says hello."""

    def compose(self) -> ComposeResult:
        yield Label("Hello")


if __name__ == "__main__":
    Hello().run()
