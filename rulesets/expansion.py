"""Expansion of shorthand in a ruleset's tables, before they are read: templates, families, inherited sources.

What comes out is what an author could have written in full. `Document.aliases` says where each table that came from
elsewhere was written, so that an error is shown there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from engine.errors import near_miss
from engine.toml_positions import Path
from engine.toml_reader import Document, described, quoted

TEMPLATE, USES, TAKES, EACH = "template", "uses", "takes", "each"
EFFECT, CONTEST = "effect", "contest"
INHERITING = (EFFECT, CONTEST, "band")
"""Nested tables that have their parent's source and ruling, unless they state a source."""
MOST_ROWS = 100
"""Tables that one `each` makes at most."""
MOST_TABLES = 20_000
"""Tables of a file after expansion."""
RANGE = re.compile(r"([0-9]{1,4})\.\.([0-9]{1,4})")

Table = dict[str, Any]


def expand(document: Document) -> None:
    """Puts the tables that are meant in place of `template`, `uses` and `each`, and adds inherited sources.

    What is wrong is noted with the document, and left out.
    """
    _Expansion(document).run()


class _Expansion:
    """The expansion of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.templates: dict[str, Table] = {}
        self.written: dict[int, tuple[Path, object]] = {}
        """Where tables were written, by their identity; the tables themselves, so that no other gets that."""
        self.count = 0

    def run(self) -> None:
        root = self.document.tables
        for name, template in self._templates():
            self.templates[name] = self._table(template, (TEMPLATE, name))
        whole = self._table(root, ())
        root.clear()
        root.update(whole)
        self.document.aliases = lambda: dict(self._aliases(root, ()))

    def _templates(self) -> Iterator[tuple[str, Table]]:
        found = self.document.tables.pop(TEMPLATE, {})
        if not isinstance(found, dict):
            self.document.note((TEMPLATE,), f"{TEMPLATE} is {described(found)}; expected tables, as [template.name]")
            return
        for name, template in found.items():
            if isinstance(template, dict):
                yield name, template
            else:
                self.document.note((TEMPLATE, name), f"{name} is {described(template)}; expected a table")

    def _table(self, table: Table, at: Path) -> Table:
        """A table with everything in it expanded."""
        self.count += 1
        if self.count > MOST_TABLES:
            return {}
        if self.count == MOST_TABLES:
            self.document.note(at, f"the file has too many tables; at most {MOST_TABLES:,} are read")
        table = self._merged(table, at)
        found: Table = {}
        for key, value in table.items():
            place = (*at, key)
            if isinstance(value, dict):
                for name, body, where in self._family(key, value, self._place(value, place)):
                    if name in found or (name in table and name != key):
                        self.document.note(where, f"{quoted(name)} is already there; each name must be unique")
                    found[name] = self._table(body, where)
            elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
                found[key] = [*self._items(key, value, place)]
            else:
                found[key] = value
        for key in INHERITING:
            for child in found.get(key, ()) if "source" in found else ():
                if isinstance(child, dict) and "source" not in child:
                    child |= {name: found[name] for name in ("source", "ruling") if name in found and name not in child}
        self.written[id(found)] = self._place(table, at), found
        return found

    def _items(self, key: str, items: Sequence[Table], place: Path) -> Iterator[Table]:
        """The tables of an array; one that uses a template with such an array stands for all of them."""
        for index, item in enumerate(items):
            for _, body, where in self._family(key, item, self._place(item, (*place, index))):
                spliced = self._spliced(key, body, where)
                for one in [body] if spliced is None else spliced:
                    yield self._table(one, self._place(one, where))

    def _family(self, key: str, table: Table, at: Path) -> Iterator[tuple[str, Table, Path]]:
        """The tables that `each` makes of one, with their names; the table itself without `each`."""
        if EACH not in table:
            yield key, table, at
            return
        body = {name: value for name, value in table.items() if name != EACH}
        for row in self._rows(table[EACH], (*at, EACH)):
            yield _filled(key, row), self._copied(body, row, at), at

    def _rows(self, each: object, at: Path) -> Iterator[Mapping[str, Any]]:
        """The rows of values of an `each`: those of a list, or all combinations of a table's lists and ranges."""
        if isinstance(each, list) and each and all(isinstance(row, dict) for row in each):
            yield from each[:MOST_ROWS]
            return
        if not isinstance(each, dict) or not each:
            self.document.note(at, f'{EACH} is {described(each)}; expected a table, as {{ hits = "2..10" }}')
            return
        columns: list[list[Any]] = []
        for name, values in each.items():
            bounds = RANGE.fullmatch(values) if isinstance(values, str) else None
            if bounds is not None:
                values = [*range(int(bounds[1]), min(int(bounds[2]), int(bounds[1]) + MOST_ROWS) + 1)]
            if not isinstance(values, list) or not values or any(isinstance(one, dict | list) for one in values):
                self.document.note(
                    (*at, name), f'{name} is {described(values)}; expected a range, as "2..10", or a list'
                )
                return
            columns.append(values)
        rows = [dict(zip(each, row, strict=True)) for row in _few(product(*columns))]
        if len(rows) > MOST_ROWS:
            self.document.note(at, f"{EACH} makes more than {MOST_ROWS} tables")
            return
        yield from rows

    def _merged(self, table: Table, at: Path) -> Table:
        """A table with what it uses: its own keys win, then the last template's; arrays of tables are put together."""
        found = {name: value for name, value in table.items() if name != USES}
        for body in reversed([*self._used(table, at)]):
            for name, value in body.items():
                own = found.get(name)
                if isinstance(own, dict) and isinstance(value, dict):
                    found[name] = {**value, **own}
                elif isinstance(own, list) and isinstance(value, list):
                    for index, one in enumerate(own):
                        self.written.setdefault(id(one), ((*at, name, index), one))
                    found[name] = [*value, *own]
                elif name not in found:
                    found[name] = value
        self.written[id(found)] = at, found
        return found

    def _spliced(self, key: str, table: Table, at: Path) -> list[Table] | None:
        """The tables for which one of an array stands; None where neither it nor a template it uses has such an array.

        Its other keys hold for each of them, its `when` besides theirs.
        """
        own_rows = [{key: [*self._items(key, table[key], (*at, key))]}] if isinstance(table.get(key), list) else []
        bodies = [*self._used(table, at), *own_rows] if USES in table else own_rows
        if key == CONTEST:  # its tables are effects
            bodies = [{CONTEST: body.get(EFFECT), **body} for body in bodies]
        if not any(isinstance(body.get(key), list) for body in bodies):
            return None
        own = {name: value for name, value in table.items() if name not in (USES, "when", key)}
        found: list[Table] = []
        for body in bodies:
            for one in body.get(key) or ():
                both = [f"({text})" for text in (table.get("when"), one.get("when")) if text is not None]
                joined = {"when": " and ".join(both)} if len(both) == 2 else {}
                when = {"when": table["when"]} if "when" in table and not joined else joined
                whole = {**one, **own, **when}
                self.written[id(whole)] = self._place(one, at), whole
                found.append(whole)
        return found

    def _used(self, table: Table, at: Path) -> Iterator[Table]:
        """The templates that a table uses, filled in."""
        uses: object = table.get(USES, {})
        names = [uses] if isinstance(uses, str) else uses
        if isinstance(names, list):
            names = {name: {} for name in names if isinstance(name, str)}
        if not isinstance(names, dict):
            self.document.note((*at, USES), f"{USES} is {described(uses)}; expected the name of a template")
            return
        for name, argument in names.items():
            template = self.templates.get(name)
            if template is None:
                near = near_miss(name, self.templates)
                hint = f"did you mean {near!r}?" if near else f"there are {', '.join(self.templates) or 'none'}"
                self.document.note((*at, USES), f"no template is called {quoted(name)}; {hint}")
                continue
            takes = template.get(TAKES, [])
            if not isinstance(argument, dict) or not isinstance(takes, list) or {*argument} != {*takes}:
                takes = ", ".join(map(str, takes)) if isinstance(takes, list) else ""
                self.document.note((*at, USES), f"the template {quoted(name)} takes {takes or 'nothing'}")
                continue
            body = {key: value for key, value in template.items() if key != TAKES}
            yield self._copied(body, argument, (TEMPLATE, name))

    def _copied(self, value: Any, row: Mapping[str, Any], at: Path) -> Any:
        """A copy with the names of a row, in braces, replaced by their values."""
        match value:
            case str():
                return _filled(value, row)
            case list():
                return [self._copied(one, row, (*at, index)) for index, one in enumerate(value)]
            case dict():
                place = self._place(value, at)
                found = {name: self._copied(one, row, (*place, name)) for name, one in value.items()}
                self.written[id(found)] = place, found
                return found
        return value

    def _place(self, table: object, at: Path) -> Path:
        """Where a table was written."""
        return self.written.get(id(table), (at, None))[0]

    def _aliases(self, table: Table, at: Path) -> Iterator[tuple[Path, Path]]:
        place = self._place(table, at)
        if place != at:
            yield at, place
        for key, value in table.items():
            for step, one in _inner(key, value):
                yield from self._aliases(one, (*at, *step))


def _inner(key: str, value: object) -> Iterator[tuple[Path, Table]]:
    if isinstance(value, dict):
        yield (key,), value
    elif isinstance(value, list):
        yield from (((key, index), one) for index, one in enumerate(value) if isinstance(one, dict))


def _filled(text: str, row: Mapping[str, Any]) -> Any:
    """A text with values in place of names in braces; the value itself where the text is nothing else."""
    whole = row.get(text[1:-1]) if text.startswith("{") and text.endswith("}") else None
    if whole is not None:
        return whole
    for name, value in row.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def _few(rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """So many rows that it can be said that there are too many."""
    yield from (row for _, row in zip(range(MOST_ROWS + 1), rows, strict=False))
