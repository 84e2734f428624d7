"""Settings of the board's look, in `settings.toml` in the data folder.

A damaged file does not stop the program: what can be read applies, the rest has its defaults.
"""

from __future__ import annotations

from pathlib import Path

import tomli_w
from msgspec import Struct
from msgspec.structs import asdict

from engine.errors import BattleboardError, Unreadable
from engine.text import visible
from engine.toml_reader import Document, Reader, parse, quoted
from engine.values import replace
from tui.application.describe.glyphs import GLYPH_SETS
from tui.application.settings.folders import data_folder
from tui.application.terminal.private_files import make_folders, write_new_file

FILE = "settings.toml"
MOST_BYTES = 1 << 16
PANELS = ("shot", "unit", "order", "log", "map", "notes")
TITLES = {
    "shot": "Shot panel",
    "unit": "Unit panel",
    "order": "turn order",
    "log": "log",
    "map": "mini-map",
    "notes": "Notes panel",
}
MOST_WIDER, MOST_HIGHER = 60, 30
THEME_NAMES = ("lamplight", "daylight", "contrast")
"""The themes that a Game Master may choose from, the usual one first."""

MOTIONS = ("auto", "on", "off")
"""Whether anything moves: where the terminal is quick and its colours are many, always, never."""


class Settings(Struct, frozen=True):
    """Settings of the board's look."""

    theme: str = THEME_NAMES[0]
    glyphs: str = "unicode"
    minimap: bool = True
    """Whether a mini-map is shown if the map does not fit on the board."""
    hidden: tuple[str, ...] = ()
    """Panels that are hidden if there is room for several."""
    side: int = 0
    """Extra columns of the panels beside the board."""
    below: int = 0
    """Extra rows of the panels below the board."""
    motion: str = MOTIONS[0]
    """Whether what a command did is seen to happen, for a quarter of a second."""

    @property
    def put_aside(self) -> tuple[str, ...]:
        """The hidden panels, with the mini-map."""
        return tuple(name for name in PANELS if name in self.hidden or (name == "map" and not self.minimap))

    def with_panel(self, name: str, is_shown: bool) -> Settings:
        """These settings with a panel shown or hidden."""
        hidden = {*self.hidden, name} if not is_shown and name != "map" else {*self.hidden} - {name}
        minimap = is_shown if name == "map" else self.minimap
        return replace(self, hidden=tuple(one for one in PANELS if one in hidden), minimap=minimap)


USUAL = Settings()


def settings_file() -> Path:
    """Path of the settings file, which may not exist yet."""
    return data_folder() / FILE


def read_settings(path: Path) -> tuple[Settings, str]:
    """Reads the settings, with one sentence about what is wrong in the file; "" if it is fine or there is none."""
    try:
        document = parse(read_own(path), path.name, MOST_BYTES)
    except FileNotFoundError:
        return USUAL, ""
    except Unreadable as error:
        return USUAL, f"{_first(error)} All settings use their defaults."
    except BattleboardError as error:
        return USUAL, f"{error} All settings use their defaults."
    found = _settings(document)
    try:
        document.check()
    except Unreadable as error:
        return found, f"{_first(error)} That setting uses its default."
    return found, ""


def read_own(path: Path) -> str:
    """Reads a small text file in the data folder.

    Raises:
        FileNotFoundError: there is none.
        BattleboardError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1).decode("utf-8-sig")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise BattleboardError(f"{visible(str(path))} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BattleboardError(f"{visible(str(path))} is not UTF-8 text.") from None


def write_settings(path: Path, settings: Settings) -> None:
    """Writes the settings whole or not at all, for their owner's eyes alone.

    Raises:
        BattleboardError: the disk refuses.
    """
    values = {**asdict(settings), "hidden": list(settings.hidden)}
    fresh = path.with_name(f"{path.name}.new")
    try:
        make_folders(path.parent)
        fresh.unlink(missing_ok=True)
        write_new_file(fresh, tomli_w.dumps(values))
        fresh.replace(path)
    except OSError as error:
        reason = error.strerror
        raise BattleboardError(
            f"The settings apply now, but cannot be saved ({reason}): {visible(str(path))}."
        ) from None


def _settings(document: Document) -> Settings:
    root, usual = document.root, USUAL
    found = Settings(
        theme=root.text("theme", usual.theme, choices=THEME_NAMES),
        glyphs=root.text("glyphs", usual.glyphs, choices=tuple(GLYPH_SETS)),
        minimap=root.flag("minimap", usual.minimap),
        hidden=_panels(root),
        side=root.whole("side", usual.side, least=-MOST_WIDER, most=MOST_WIDER),
        below=root.whole("below", usual.below, least=-MOST_HIGHER, most=MOST_HIGHER),
        motion=root.text("motion", "on" if root.flag("tracer", False) else usual.motion, choices=MOTIONS),
    )
    root.finish()
    return found


def _panels(root: Reader) -> tuple[str, ...]:
    found = root.texts("hidden", USUAL.hidden)
    unknown = [name for name in found if name not in PANELS]
    if unknown:
        root.problem("hidden", f"there is no panel {quoted(unknown[0])}; expected {', '.join(PANELS)}")
    return tuple(name for name in PANELS if name in found)


def _first(error: Unreadable) -> str:
    """Describes the first problem in one sentence, with the number of the others."""
    problem = error.problems[0]
    more = f" (and {len(error.problems) - 1} more)" if len(error.problems) > 1 else ""
    said = f"{error.file}:{problem.line}:{problem.column}: {problem.message}{more}"
    return said if said.endswith("?") else f"{said}."
