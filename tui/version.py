"""The version that is installed."""

from __future__ import annotations


def version() -> str:
    """As the package's metadata says it; "0" when the program runs without having been installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("battleboard")
    except PackageNotFoundError:
        return "0"
