"""What the program found on this machine: what `doctor` prints, a line each, for a question to the developers."""

from __future__ import annotations

import locale
import os
import platform
import sys
from collections.abc import Iterator

from engine.geometry.kernel.library import why_not
from tui.application.settings.folders import data_folder
from tui.application.terminal.version import version

KINDS = ("battles", "encounters", "characters", "maps", "rulesets")
"""Folders inside the data folder."""


def kernel_state() -> str:
    """Whether the sight kernel is compiled, and if not, what to do: "compiled"."""
    return f"slow: {missing}" if (missing := why_not()) else "compiled"


def doctor_rows() -> Iterator[tuple[str, str]]:
    """What was looked at, and what was found."""
    yield "battleboard", version()
    yield "Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield "sight kernel", kernel_state()
    named = " ".join(f"{key}={os.environ[key]}" for key in ("TERM", "COLORTERM", "NO_COLOR") if key in os.environ)
    size = f"{'×'.join(map(str, os.get_terminal_size(1)))} cells" if sys.stdout.isatty() else "not a terminal"
    yield "terminal", f"{named or 'TERM is not set'}, {size}"
    yield "encoding", f"{getattr(sys.stdout, 'encoding', None) or 'unknown'}, {locale.getpreferredencoding(False)}"
    folder = data_folder()
    there = [kind for kind in KINDS if (folder / kind).is_dir()]
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    state = "can be written" if os.access(nearest, os.W_OK) else "cannot be written"
    yield "data folder", f"{folder}, {state}; has {', '.join(there) if there else 'nothing yet'}"


def doctor_lines() -> list[str]:
    """The rows as text."""
    rows = [*doctor_rows()]
    width = max(len(name) for name, _ in rows)
    return [f"{name:{width}}  {found}" for name, found in rows]
