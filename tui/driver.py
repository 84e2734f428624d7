"""Textual's terminal driver, but for one thing: a stray byte on the keyboard is no reason to die."""

from __future__ import annotations

import codecs
import sys
from functools import partial

from textual.driver import Driver


def driver_class() -> type[Driver] | None:
    """The driver for this system; None leaves the choice to Textual.

    Textual 8.2.8 decodes the keyboard strictly, so that one byte of a Latin-1 layout ends the program.
    """
    if sys.platform == "win32":
        return None
    from textual.drivers import linux_driver

    class BoardDriver(linux_driver.LinuxDriver):
        """Reads what is no UTF-8 as the replacement character."""

        def run_input_thread(self) -> None:
            linux_driver.getincrementaldecoder = _lenient  # type: ignore[assignment,attr-defined]
            super().run_input_thread()

    return BoardDriver


def _lenient(encoding: str) -> partial[codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")
