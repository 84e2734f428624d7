"""Loading a ruleset: three TOML files become one `Ruleset`, or one error with everything that is wrong with them.

A ruleset is read once a process: asked for again with the same texts, the same value comes back. The long checks, which
try every weapon in everybody's hands, are for authors: what ships was checked by the tests and is not checked again.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

from engine.errors import Problem, Unreadable
from engine.rules.model import Ruleset
from engine.rules.renamed_words import deleted_keys, renamed_words
from engine.toml_reader import MOST_BYTES, Document, parse
from rulesets.expansion import expand
from rulesets.problems import check_all, refuse
from rulesets.ruleset_reader import read_whole

RULES, WEAPONS, SHEETS = FILES = ("ruleset.toml", "weapons.toml", "sheets.toml")
SHIPPED = Path(__file__).parent
MOST_KNOWN = 16
"""Rulesets that are remembered; those not asked for longest go first."""

Texts = tuple[str | None, ...]
"""Of the three files in their order; None where one is missing."""


def load_ruleset(folder: Path) -> Ruleset:
    """The ruleset in a folder, checked for authors unless it ships.

    Args:
        folder: holds `ruleset.toml`, `weapons.toml` and `sheets.toml`; other files are left alone.

    Raises:
        Unreadable: a file is missing, is not UTF-8 text, or says what no ruleset can mean; every problem is in it.
    """
    texts = _texts(folder)
    if folder.parent == SHIPPED:
        return _read_once(texts, str(folder), False)
    return _ruleset(texts, str(folder))


def check_ruleset(folder: Path) -> Ruleset:
    """The ruleset in a folder, read anew and checked for authors whether it ships or not; raises as `load_ruleset`."""
    return _read(_texts(folder), str(folder), True)


def parse_ruleset(texts: Mapping[str, str], where: str) -> Ruleset:
    """The ruleset that three texts write, checked for authors unless they ship.

    Args:
        texts: by file name; see FILES.
        where: the folder, for messages.

    Raises:
        Unreadable: something is wrong; `Unreadables` when it is in several of the files.
    """
    return _ruleset(tuple(map(texts.get, FILES)), where)


def _ruleset(texts: Texts, where: str) -> Ruleset:
    shipped = _shipped_texts()
    return _read_once(texts, shipped.get(texts, where), texts not in shipped)


@cache
def _shipped_texts() -> Mapping[Texts, str]:
    """The texts of what ships, with their folders."""
    found: dict[Texts, str] = {}
    for path in SHIPPED.glob(f"*/{RULES}"):
        with suppress(Unreadable):
            found[_texts(path.parent)] = str(path.parent)
    return found


def _texts(folder: Path) -> Texts:
    """The texts of a folder's files; raises as `load_ruleset`."""
    texts: dict[str, str] = {}
    bad: list[Unreadable] = []
    for name in FILES:
        try:
            texts[name] = _content(folder / name).decode("utf-8")
        except Unreadable as error:
            bad.append(error)
        except FileNotFoundError:
            continue  # `_read` says what is missing
        except UnicodeDecodeError as error:
            lines = error.object[: error.start].split(b"\n")
            message = "the file is not UTF-8 text; save it as UTF-8"
            bad.append(Unreadable(str(folder / name), [Problem(len(lines), len(lines[-1]) + 1, message)]))
        except OSError as error:
            bad.append(Unreadable(str(folder / name), [Problem(1, 1, f"cannot be read: {error.strerror or error}")]))
    refuse(str(folder), bad)
    return tuple(map(texts.get, FILES))


def _content(path: Path) -> bytes:
    """The bytes of a plain file, one more than may be read at most. A pipe is not opened: it might never end."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a plain file"
        raise Unreadable(str(path), [Problem(1, 1, f"this is {what}; expected a ruleset file")])
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _read(texts: Texts, where: str, for_author: bool) -> Ruleset:
    documents: list[Document] = []
    bad: list[Unreadable] = []
    for name, text in zip(FILES, texts, strict=True):
        file = f"{where}/{name}"
        if text is None:
            message = f"the file is missing; a ruleset needs {', '.join(FILES)}"
            bad.append(Unreadable(file, [Problem(1, 1, message)]))
            continue
        try:
            document = parse(text, file, is_shipped=not for_author)
            if for_author:
                refuse_old_words(document)
            expand(document)
            documents.append(document)
        except Unreadable as error:
            bad.append(error)
    refuse(where, bad)
    ruleset = read_whole(documents, dict(zip(FILES, map(str, texts), strict=True)), for_author)
    check_all(where, documents)
    return ruleset


def refuse_old_words(document: Document) -> None:
    """Nothing when a file has today's words; else raises `Unreadable`, with what to write for each old one."""
    found = [(word.offset, f"{word.old!r} is now called {word.new!r}") for word in renamed_words(document)]
    found += [(offset, f"{key!r} is no longer read: {instead}") for offset, key, instead in deleted_keys(document)]
    if found:
        raise Unreadable(document.file, [document.problem_at(offset, words) for offset, words in sorted(found)])


_read_once = lru_cache(MOST_KNOWN)(_read)


def times_read() -> int:
    """How often a ruleset was read so far that was not known from before."""
    return _read_once.cache_info().misses
