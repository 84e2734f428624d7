"""Tables of the handbook, generated from the forms; `scripts/write_tables.py` writes them between marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tui.application.commands.forms import MenuLine
from tui.application.commands.registry import FORMS

MARK = "<!-- table: {name} (scripts/write_tables.py) -->"
END = "<!-- end of table -->"
PLACES = {"unit": "UNIT", "square": "SQUARE", "weapon": "its weapon"}


def commands_table() -> str:
    """The table of all commands."""
    rows = []
    for form in FORMS:
        also = f"; also {', '.join(f'`{word}`' for word in form.also)}" if form.also else ""
        rows.append((f"`{form.line}`", f"{form.explained()}{also}"))
    return table(("line", "what it does"), rows)


def tools_table(others: Iterable[MenuLine]) -> str:
    """The table of the GM tools; `others` are those that are not commands."""
    rows = ((f"`{letter}`", label, means) for letter, label, means in tool_rows(others))
    return table(("key", "line", "what it does"), rows)


def tool_rows(others: Iterable[MenuLine]) -> Iterator[tuple[str, str, str]]:
    """Key, label and meaning of each of the GM tools; `others` are those that are not commands."""
    lines = [(form.menu, form.explained()) for form in FORMS if form.menu] + [(line, "") for line in others]
    return ((line.letter, line.label.format(**PLACES), line.help or means) for line, means in lines)


def with_tables(text: str, tables: Mapping[str, str]) -> str:
    """Replaces the tables between the marks of a page.

    Raises:
        KeyError: a mark names no table.
    """

    def made(found: re.Match[str]) -> str:
        return f"{MARK.format(name=found[1])}\n{tables[found[1]]}\n{END}"

    mark = re.escape(MARK).replace(r"\{name\}", "(.+?)")
    return re.sub(rf"{mark}\n.*?{re.escape(END)}", made, text, flags=re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
