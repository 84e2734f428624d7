"""Check that no two rules of a ruleset say the same: two rules that one sentence fits need to be told apart.

What a single sentence may be is checked where it is read: see `value_readers.say`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.rules.named_rules import rule_name
from engine.toml_positions import Path
from engine.toml_reader import Document, quoted
from rulesets.value_readers import SAY


def check_sentences(document: Document) -> None:
    """Notes each sentence that another rule has already said. Rules of one kind and label share theirs."""
    first: dict[str, tuple[tuple[str, str], str]] = {}
    for path, label, said in _said(document.tables):
        rule = str(path[0]), rule_name(label)
        before, name = first.setdefault(said.casefold().strip(), (rule, label))
        if before != rule:
            document.note((*path, SAY), f"{SAY} is that of {quoted(name)}; expected a sentence of its own")


def _said(tables: Mapping[str, object]) -> Iterator[tuple[Path, str, str]]:
    """Place, label and sentence of every rule that has one, in the order of the file."""
    for section, held in tables.items():
        rows: list[tuple[Path, object]] = [((section,), held)]
        if isinstance(held, list):
            rows = [((section, index), row) for index, row in enumerate(held)]
        elif isinstance(held, Mapping) and SAY not in held:
            rows = [((section, key), row) for key, row in held.items()]
        for path, row in rows:
            if isinstance(row, Mapping) and isinstance(row.get(SAY), str):
                yield path, str(row.get("label", section)), row[SAY]
