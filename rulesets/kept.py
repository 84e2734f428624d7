"""Rulesets that were read before, kept as they came out: reading one takes a hundred times as long as finding it here.

What is kept is known by the texts it was read from and by the modules that read them, so neither a change of a ruleset
nor a new version of the program ever meets an old answer. A file here is worth nothing: one that is missing, damaged or
not ours is passed over and written anew, and nothing is made from one but the engine's own values.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from pathlib import Path

from msgspec import Struct

import engine
from engine.rules import expressions
from engine.rules.model import Ruleset

ENDING = ".ruleset"
MOST = 16
"""Rulesets that are kept; those not written for longest go first."""
READERS = ("rules", "dice", "field", "battle/effects")
"""Rooms of the engine whose values rulesets are made of."""


def recall(folder: Path, texts: Mapping[str, str]) -> Ruleset | None:
    """The ruleset that these texts write, if it was kept in the folder."""
    try:
        with _file(folder, texts).open("rb") as file:
            found = _OursAlone(io.BytesIO(file.read())).load()
    except Exception:  # whatever damaged bytes may lead to; the ruleset is read from its texts instead
        return None
    return found if isinstance(found, Ruleset) and found.texts == texts else None


def keep(folder: Path, ruleset: Ruleset) -> None:
    """Keeps a ruleset for the next time. A folder that cannot be written to keeps nothing."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        number, written = tempfile.mkstemp(dir=folder)
        try:
            with open(number, "wb") as file:  # noqa: PTH123  # the file is open already
                file.write(pickle.dumps(ruleset, 5))
            Path(written).replace(_file(folder, ruleset.texts))
        except BaseException:
            Path(written).unlink(missing_ok=True)
            raise
        for old in _oldest(folder.glob(f"*{ENDING}")):
            old.unlink(missing_ok=True)


def _oldest(files: Iterable[Path]) -> list[Path]:
    return sorted(files, key=lambda file: file.stat().st_mtime, reverse=True)[MOST:]


def _file(folder: Path, texts: Mapping[str, str]) -> Path:
    mark = hashlib.sha256(_readers())
    for name, text in sorted(texts.items()):
        mark.update(f"{name} {len(text)} {text}".encode("utf-8", "surrogatepass"))
    return folder / (mark.hexdigest()[:32] + ENDING)


@cache
def _readers() -> bytes:
    """What changes with every change of the modules that read rulesets."""
    own = Path(__file__).parent
    rooms = (own, *(Path(engine.__path__[0]) / room for room in READERS))
    files = [entry for room in rooms for entry in os.scandir(room) if entry.name.endswith(".py")]
    marks = [(file.path, (status := file.stat()).st_size, status.st_mtime_ns) for file in files]
    return repr(sorted(marks)).encode()


PLAIN = {("fractions", "Fraction"): Fraction, ("builtins", "range"): range}


class _OursAlone(pickle.Unpickler):
    """Makes dataclasses and formulas of the engine, fractions and ranges, and nothing else that the file asks for."""

    def find_class(self, module: str, name: str) -> object:
        if (module, name) in PLAIN:
            return PLAIN[module, name]
        if module.startswith("engine."):
            found = super().find_class(module, name)
            is_value = isinstance(found, type) and ("__dataclass_fields__" in vars(found) or issubclass(found, Struct))
            if is_value or found in (expressions.settled_on, expressions.understood):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a ruleset")
