"""Loading a ruleset: three TOML files become one `Ruleset`, or one error with everything that is wrong with them.

A ruleset is read once a process: asked for again with the same texts, the same value comes back. The long checks, which
try every weapon in everybody's hands, are for authors: what ships was checked by the tests and is not checked again.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from engine.documents import MOST_BYTES, Document, parse
from engine.errors import Problem, Unreadable
from engine.rules.model import Ruleset
from rulesets.problems import check_all, refuse
from rulesets.whole import read_whole

RULES, WEAPONS, SHEETS = FILES = ("ruleset.toml", "weapons.toml", "sheets.toml")
SHIPPED = Path(__file__).parent
MOST_KNOWN = 16
"""Rulesets that are remembered; those not asked for longest go first."""

_known: dict[tuple[str | None, ...], Ruleset] = {}


def load_ruleset(folder: Path) -> Ruleset:
    """The ruleset in a folder, checked for authors unless it ships.

    Args:
        folder: holds `ruleset.toml`, `weapons.toml` and `sheets.toml`; other files are left alone.

    Raises:
        Unreadable: a file is missing, is not UTF-8 text, or says what no ruleset can mean; every problem is in it.
    """
    return parse_ruleset(_texts(folder), str(folder))


def check_ruleset(folder: Path) -> Ruleset:
    """The ruleset in a folder, read anew and checked for authors whether it ships or not; raises as `load_ruleset`."""
    return _read(_texts(folder), str(folder), for_author=True)


def parse_ruleset(texts: Mapping[str, str], where: str) -> Ruleset:
    """The ruleset that three texts write, checked for authors unless they ship.

    Args:
        texts: by file name; see FILES.
        where: the folder, for messages.

    Raises:
        Unreadable: something is wrong; `Unreadables` when it is in several of the files.
    """
    key = tuple(map(texts.get, FILES))
    found = _known.pop(key, None) or _read(texts, where, for_author=key not in _shipped_texts())
    _known[key] = found
    if len(_known) > MOST_KNOWN:
        del _known[next(iter(_known))]
    return found


@cache
def _shipped_texts() -> frozenset[tuple[str | None, ...]]:
    found: set[tuple[str | None, ...]] = set()
    for path in SHIPPED.glob(f"*/{RULES}"):
        with suppress(Unreadable):
            found.add(tuple(map(_texts(path.parent).get, FILES)))
    return frozenset(found)


def _texts(folder: Path) -> dict[str, str]:
    """The texts of a folder's files, by name; raises as `load_ruleset`."""
    texts: dict[str, str] = {}
    bad: list[Unreadable] = []
    for name in FILES:
        try:
            texts[name] = _content(folder / name).decode("utf-8")
        except Unreadable as error:
            bad.append(error)
        except FileNotFoundError:
            continue  # parse_ruleset says what is missing
        except UnicodeDecodeError as error:
            lines = error.object[: error.start].split(b"\n")
            message = "this is not UTF-8 text; save the file as UTF-8"
            bad.append(Unreadable(str(folder / name), [Problem(len(lines), len(lines[-1]) + 1, message)]))
        except OSError as error:
            bad.append(Unreadable(str(folder / name), [Problem(1, 1, f"cannot be read: {error.strerror or error}")]))
    refuse(str(folder), bad)
    return texts


def _content(path: Path) -> bytes:
    """The bytes of a plain file, one more than may be read at most. A pipe is not opened: it might never end."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a plain file"
        raise Unreadable(str(path), [Problem(1, 1, f"this is {what}; expected a file of a ruleset")])
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _read(texts: Mapping[str, str], where: str, for_author: bool) -> Ruleset:
    documents: list[Document] = []
    bad: list[Unreadable] = []
    for name in FILES:
        file = f"{where}/{name}"
        if name not in texts:
            message = f"the file is missing; a ruleset is made of {', '.join(FILES)}"
            bad.append(Unreadable(file, [Problem(1, 1, message)]))
            continue
        try:
            documents.append(parse(texts[name], file, is_shipped=not for_author))
        except Unreadable as error:
            bad.append(error)
    refuse(where, bad)
    ruleset = read_whole(documents, {name: texts[name] for name in FILES}, for_author)
    check_all(where, documents)
    return ruleset
