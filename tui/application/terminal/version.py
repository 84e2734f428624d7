"""The versions that are installed."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

KEPT = ".dist-info"
"""Suffix of the folder with a package's metadata."""


@cache
def version(package: str = "battleboard") -> str:
    """Of a package, as its metadata says it; "0" when the program runs without having been installed.

    The folder's name says it, as a rule. To ask the standard library takes as long as to draw the whole board.
    """
    for place in sys.path:
        for found in Path(place).glob(f"{package}-*{KEPT}"):
            return found.name.removesuffix(KEPT).partition("-")[2]
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed(package)
    except PackageNotFoundError:
        return "0"
