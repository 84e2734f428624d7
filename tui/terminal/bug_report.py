"""Bugs: what has happened, without what was in the battle, is written down for a report."""

from __future__ import annotations

import tempfile
import traceback
from pathlib import Path


def write_down(error: BaseException) -> str:
    """Writes an error's traceback into a new file for its owner's eyes alone; gives the sentence that says where."""
    told = "".join(traceback.format_exception(error))
    try:
        report = Path(tempfile.mkdtemp(prefix="battleboard-bug-")) / "report.txt"
        report.write_text(told, encoding="utf-8")
    except OSError as refused:
        return f"What happened could not be written down ({refused.strerror}): {told.splitlines()[-1]}"
    return f"What happened is written down in {report}."
