"""Problems of several files at once: a ruleset is three files, and its author hears of all of them together."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import Unreadable
from engine.toml_reader import Document


class Unreadables(Unreadable):
    """Several files of one ruleset that cannot be used. Its text is theirs, file after file."""

    def __init__(self, where: str, files: Iterable[Unreadable]) -> None:
        self.files = tuple(files)
        super().__init__(where, [problem for file in self.files for problem in file.problems])
        self.args = ("\n".join(str(file) for file in self.files),)


def refuse(where: str, files: Iterable[Unreadable]) -> None:
    """Nothing when there are none.

    Raises:
        Unreadable: the one file that cannot be used, or `Unreadables` when there are several.
    """
    found = tuple(files)
    if len(found) == 1:
        raise found[0]
    if found:
        raise Unreadables(where, found)


def check_all(where: str, documents: Iterable[Document]) -> None:
    """Nothing when no document has a problem; else raises as `refuse` does."""
    refuse(where, [Unreadable(document.file, document.problems) for document in documents if document.problems])
