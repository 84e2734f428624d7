"""Where maps are: files on disk, the GM's own folders, and the maps that ship. The package's one door to the disk."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from engine.errors import BattleboardError, Problem, Unknown, Unreadable
from maps.model import MOST_BYTES, BattleMap
from maps.reader import parse_map

SUFFIX = ".toml"
SHIPPED = Path(__file__).parent


def load_map(path: str | Path) -> BattleMap:
    """The map in a file.

    Raises:
        BattleboardError: there is no such file, or it is a folder, a pipe or a device, or cannot be opened.
        Unreadable: it is too large, not UTF-8, or not a map.
    """
    return parse_map(read_text(Path(path), "a map file"), str(path))


def read_text(path: Path, what: str) -> str:
    """The text of a plain file of bearable size; `what` is what was expected: "a map file".

    Raises:
        BattleboardError: there is no such file, or it is a folder, a pipe or a device, or cannot be opened.
        Unreadable: it is too large or not UTF-8.
    """
    content, name = _content(path, what), str(path)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        byte = content[error.start]
        raise Unreadable(name, [Problem(line, column, f"byte 0x{byte:02X} is not UTF-8; expected a text")]) from None


def shipped_maps() -> Mapping[str, Path]:
    """The maps that ship, by id, which is the file's name without its suffix."""
    return maps_in(SHIPPED)


def maps_in(folder: Path) -> Mapping[str, Path]:
    """The maps in a folder by id; none when there is no such folder."""
    if not folder.is_dir():
        return {}
    return {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}")) if path.is_file()}


def find_map(name: str, folders: Iterable[Path] = ()) -> Path:
    """The file that a name or a path stands for: a path that exists, else a map in the folders, else a shipped one.

    Raises:
        Unknown: nothing answers to the name.
    """
    path = Path(name)
    if "\0" not in name and (path.is_file() or (path.exists() and (path.suffix or len(path.parts) > 1))):
        return path
    known: dict[str, Path] = dict(shipped_maps())
    for folder in reversed(list(folders)):
        known |= maps_in(folder)
    found = known.get(name) or known.get(name.removesuffix(SUFFIX))
    if found is None:
        raise Unknown("map", name, known)
    return found


def _content(path: Path, what: str) -> bytes:
    """The bytes of a regular file of bearable size."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise BattleboardError(f"{path} is a folder; expected {what}.")
        if not stat.S_ISREG(status.st_mode):
            raise BattleboardError(f"{path} is not a plain file; expected {what}.")
        if status.st_size > MOST_BYTES:
            raise Unreadable(
                str(path), [Problem(1, 1, f"the file is too large; at most {MOST_BYTES:,} bytes are read")]
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise BattleboardError(f"There is no file {path}.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BattleboardError(f"{path} cannot be read: {reason}.") from None
