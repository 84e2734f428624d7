"""Loading a ruleset: three TOML files become one `Ruleset`, or one error with everything that is wrong with them."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path

from engine.documents import MOST_BYTES, Document, parse
from engine.errors import Problem, Unreadable
from engine.rules.model import Ruleset
from rulesets import kept
from rulesets.problems import check_all, refuse

RULES, WEAPONS, SHEETS = FILES = ("ruleset.toml", "weapons.toml", "sheets.toml")


def load_ruleset(folder: Path, kept_in: Path | None = None) -> Ruleset:
    """The ruleset in a folder.

    Args:
        folder: holds `ruleset.toml`, `weapons.toml` and `sheets.toml`; other files are left alone.
        kept_in: see `parse_ruleset`.

    Raises:
        Unreadable: a file is missing, is not UTF-8 text, or says what no ruleset can mean; every problem is in it.
    """
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
    return parse_ruleset(texts, str(folder), kept_in)


def _content(path: Path) -> bytes:
    """The bytes of a plain file, one more than may be read at most. A pipe is not opened: it might never end."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a plain file"
        raise Unreadable(str(path), [Problem(1, 1, f"this is {what}; expected a file of a ruleset")])
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def parse_ruleset(texts: Mapping[str, str], where: str, kept_in: Path | None = None) -> Ruleset:
    """The ruleset that three texts write.

    Args:
        texts: by file name; see FILES.
        where: the folder, for messages.
        kept_in: a folder in which rulesets are kept as they came out, so that the same texts are read once only.

    Raises:
        Unreadable: something is wrong; `Unreadables` when it is in several of the files.
    """
    own = {name: texts[name] for name in FILES if name in texts}
    if kept_in is not None and (known := kept.recall(kept_in, own)) is not None:
        return known
    from rulesets.whole import read_whole  # with its two dozen readers, of which a kept ruleset needs none

    documents: list[Document] = []
    bad: list[Unreadable] = []
    for name in FILES:
        file = f"{where}/{name}"
        if name not in texts:
            message = f"the file is missing; a ruleset is made of {', '.join(FILES)}"
            bad.append(Unreadable(file, [Problem(1, 1, message)]))
            continue
        try:
            documents.append(parse(texts[name], file))
        except Unreadable as error:
            bad.append(error)
    refuse(where, bad)
    ruleset = read_whole(documents, own)
    check_all(where, documents)
    if kept_in is not None:
        kept.keep(kept_in, ruleset)
    return ruleset
