"""Bug reports: the traceback without battle data, in a file."""

from __future__ import annotations

import tempfile
import traceback
from pathlib import Path

from tui.application.terminal.private_files import write_new_file


def write_down(error: BaseException) -> str:
    """Writes an error's traceback into a new private file; returns a sentence with its path."""
    text = "".join(traceback.format_exception(error))
    try:
        report = Path(tempfile.mkdtemp(prefix="battleboard-bug-")) / "report.txt"
        write_new_file(report, text.encode("utf-8", "replace").decode())
    except OSError as refused:
        return f"The bug report could not be written ({refused.strerror}): {text.splitlines()[-1]}"
    return f"The bug report is in {report}."
