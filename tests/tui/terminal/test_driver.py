"""What the driver knows of the terminal's file."""

from __future__ import annotations

from io import StringIO

from tui.view.terminal.driver import CountedFile


def test_a_text_counts_as_written_when_the_file_has_all_of_it() -> None:
    file = StringIO()
    counted = CountedFile(file)
    counted.write("one")
    counted.write("two")
    assert counted.written == 0
    counted.flush()
    assert (counted.written, file.getvalue()) == (2, "onetwo")
