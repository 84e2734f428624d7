"""The compiled library of the kernel: built from the C files beside it, loaded when it is asked first."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent
SOURCES = ("line.c", "shares.c", "sweep.c", "sight.h")
SUFFIXES = {"darwin": "dylib", "macos": "dylib", "win": "dll"}
"""Of libraries, by a part of the platform's name, the first that fits; elsewhere "so"."""
HOW_TO_BUILD = (
    "no C compiler was found when it was built; install one (Debian: gcc, macOS: Xcode command line tools) "
    "and run `uv sync --reinstall-package battleboard`"
)
OTHER_SOURCE = "it was built from other files; run `uv sync --reinstall-package battleboard`"


def name_on(platform: str) -> str:
    """What the library is called on a platform, by Python's name of it or zig's."""
    return f"sight.{next((suffix for part, suffix in SUFFIXES.items() if part in platform), 'so')}"


NAME = name_on(sys.platform)


def source_hash(folder: Path = FOLDER) -> str:
    """Hash of the C files; the library has that of those which it was built from."""
    return sha256(b"\0".join((folder / name).read_bytes() for name in SOURCES)).hexdigest()[:16]


@cache
def library() -> ctypes.CDLL | None:
    """The library; None where there is none that fits, see `why_not`."""
    return None if why_not() else ctypes.CDLL(str(FOLDER / NAME))


@cache
def why_not() -> str:
    """Why there is no library to call; "" where there is one."""
    path = FOLDER / NAME
    if not path.is_file():
        return HOW_TO_BUILD
    try:
        found = ctypes.CDLL(str(path))
        found.sight_source.restype = ctypes.c_char_p
        made_of = found.sight_source().decode()
    except (OSError, AttributeError) as error:
        return f"it cannot be loaded: {error}"
    return "" if made_of == source_hash() else OTHER_SOURCE
