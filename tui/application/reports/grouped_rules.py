"""Grouping of paragraphs of the rule book that say the same: one body below several heads, with their own sentences.

Paragraphs come unbroken: a head and its details, each on one line with its indent. Neighbours that differ in a word or
two, as bursts of two to ten hits or armour that wears at four places, have these words side by side in one body.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from tui.application.reports.rule_book import DETAIL, INDENT
from tui.application.terminal.output import wrapped

MOST_DIFFERENT = 4
"""Words at which the bodies of neighbours may differ."""
MOST_SHARE = 4
"""One in so many words of a body may differ at most."""
LEAST_SHARED = 3
"""Pieces of gear that share a source before it is said once for all of them."""
SOURCE = "source: "
PROSE = (SOURCE, "ruling: ", "because: ")
"""Lines that are written, of which no words are put side by side."""

Lines = list[str]
Body = tuple[str, ...]


class Paragraph(Struct, frozen=True):
    """A rule of the book: label, sentence, and body, whose first line is what the head says after the label."""

    label: str
    say: str
    body: Body


def grouped(
    paragraphs: Sequence[Lines], says: Collection[str], labels: Collection[str] = (), *, families: bool = False
) -> list[Lines]:
    """Paragraphs in lines that fit, those that say the same put together, each where the first of them stood.

    Args:
        paragraphs: unbroken, each with its head first.
        says: the sentences of the ruleset, to be found below their heads.
        labels: labels of rules that have a colon.
        families: whether neighbours of different labels may have their words side by side, too, as actions may.
    """
    groups: list[list[Paragraph]] = []
    of_body: dict[Body, list[Paragraph]] = {}
    for lines in paragraphs:
        one = _apart(lines, says, labels)
        if (equal := of_body.get(one.body)) is not None and len(one.body) > 1:
            equal.append(one)
        elif (
            groups
            and (families or groups[-1][0].label.casefold() == one.label.casefold())
            and _side_by_side([*groups[-1], one]) is not None
        ):
            groups[-1].append(one)
        else:
            groups.append([one])
            of_body[one.body] = groups[-1]
    return [[*_lines(group)] for group in groups]


def with_shared_source(paragraphs: Sequence[Lines]) -> list[Lines]:
    """Paragraphs of gear without the source that most of them share, which is said once before all."""
    sources = Counter(line.strip() for lines in paragraphs for line in lines if line.strip().startswith(SOURCE))
    shared, count = next(iter(sources.most_common(1)), ("", 0))
    if count < LEAST_SHARED:
        return [*paragraphs]
    once = [f"{' ' * INDENT}All that name no other source", f"{' ' * DETAIL}{shared}"]
    return [once, *([line for line in lines if line.strip() != shared] for lines in paragraphs)]


def _lines(group: Sequence[Paragraph]) -> Iterator[str]:
    """One or several rules in lines that fit."""
    first, *details = _side_by_side(group) or group[0].body
    said = {one.label: one.say for one in reversed(group) if one.say}
    heads = [(label, said.get(label, "")) for label in dict.fromkeys(one.label for one in group)]
    if len(heads) == 1:
        label, say = heads[0]
        yield from wrapped(f"{label}{first}", INDENT, DETAIL)
        yield from wrapped(say, DETAIL, DETAIL + 2) if say else ()
    else:
        for label, say in heads:
            yield from wrapped(f"{label}: {say}" if say else label, INDENT, DETAIL)
        yield from wrapped(first.removeprefix(": ").strip(), DETAIL, DETAIL + 2)
    yield from broken(details)


def broken(lines: Iterable[str]) -> Iterator[str]:
    """Unbroken lines in lines that fit, each with its indent."""
    for line in lines:
        indent = len(line) - len(line.lstrip())
        yield from wrapped(line.strip(), indent, indent + (4 if indent == INDENT else 2))


def _side_by_side(group: Sequence[Paragraph]) -> Body | None:
    """One body for several; None where they differ in more than a few words."""
    bodies = [*dict.fromkeys(one.body for one in group)]
    if len(bodies) == 1:
        return bodies[0]
    if len({len(body) for body in bodies}) > 1:
        return None
    found: list[str] = []
    different = words = 0
    for rows in zip(*bodies, strict=True):
        split = [row.split() for row in rows]
        if len({len(row) for row in split}) > 1:
            return None
        options = [[*dict.fromkeys(several)] for several in zip(*split, strict=True)]
        if rows[0].strip().startswith(PROSE) and any(len(one) > 1 for one in options):
            return None
        different += sum(len(one) > 1 for one in options)
        words += len(options)
        blank = rows[0][: len(rows[0]) - len(rows[0].lstrip())]
        found.append(blank + " ".join(map(_joined, options)))
    return tuple(found) if different <= min(MOST_DIFFERENT, words // MOST_SHARE) else None


def _joined(words: Sequence[str]) -> str:
    """Words as one.

    >>> _joined(["head,", "arms,", "legs,"]), _joined(["costs"])
    ('head/arms/legs,', 'costs')
    """
    ends, starts = {word[-1] for word in words}, {word[0] for word in words}
    end = ends.pop() if len(words) > 1 and len(ends) == 1 and words[0][-1] in ",;:.”" else ""
    start = starts.pop() if len(words) > 1 and len(starts) == 1 and words[0][0] == "“" else ""
    return start + "/".join(word.removeprefix(start).removesuffix(end) for word in words) + end


def _apart(lines: Lines, says: Collection[str], labels: Collection[str]) -> Paragraph:
    """A paragraph with its label and its sentence apart from the rest."""
    head = lines[0].strip()
    label = max((one for one in labels if head.startswith(one)), key=len, default="")
    rest = head[len(label) :]
    before, colon, after = rest.partition(":")
    label, first = (label + before, colon + after) if colon else (head, "")
    say = lines[1].strip() if len(lines) > 1 and lines[1].strip() in says else ""
    return Paragraph(label, say, (first, *lines[2 if say else 1 :]))
