"""What a Game Master has chosen about the look of the board, kept in `settings.toml` in the data folder.

A file that others or time have spoiled is no reason not to start: what can be read of it counts, the rest is as usual.
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
from tui.board.glyphs import GLYPH_SETS
from tui.board.themes import THEMES
from tui.settings.folders import data_folder

FILE = "settings.toml"
MOST_BYTES = 1 << 16
PANELS = ("shot", "unit", "order", "log", "map")
TITLES = {"shot": "the shot", "unit": "the unit", "order": "the order", "log": "the log", "map": "the small map"}
MOST_WIDER, MOST_HIGHER = 60, 30
THEME_NAMES = tuple(theme.name for theme in THEMES)


class Settings(Struct, frozen=True):
    """How the board looks."""

    theme: str = THEME_NAMES[0]
    glyphs: str = "unicode"
    minimap: bool = True
    """Whether a small map is shown where the large one does not fit."""
    hidden: tuple[str, ...] = ()
    """Panels that are not shown where there is room for several."""
    side: int = 0
    """Columns that the panels beside the board have more than usual."""
    below: int = 0
    """Rows that the panels below the board have more than usual."""

    @property
    def put_aside(self) -> tuple[str, ...]:
        """Panels that are not shown, the small map among them."""
        return tuple(name for name in PANELS if name in self.hidden or (name == "map" and not self.minimap))

    def with_panel(self, name: str, is_shown: bool) -> Settings:
        """The same with a panel shown or hidden."""
        hidden = {*self.hidden, name} if not is_shown and name != "map" else {*self.hidden} - {name}
        minimap = is_shown if name == "map" else self.minimap
        return replace(self, hidden=tuple(one for one in PANELS if one in hidden), minimap=minimap)


USUAL = Settings()


def settings_file() -> Path:
    """Where the settings are kept; the file may not exist yet."""
    return data_folder() / FILE


def read_settings(path: Path) -> tuple[Settings, str]:
    """The settings of a file, and one sentence about what of it is not used, "" when all is well or it is not there."""
    try:
        document = parse(read_own(path), path.name, MOST_BYTES)
    except FileNotFoundError:
        return USUAL, ""
    except Unreadable as error:
        return USUAL, f"{_first(error)} All settings are as usual."
    except BattleboardError as error:
        return USUAL, f"{error} All settings are as usual."
    found = _settings(document)
    try:
        document.check()
    except Unreadable as error:
        return found, f"{_first(error)} That setting is as usual."
    return found, ""


def read_own(path: Path) -> str:
    """The text of a small file in the data folder.

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
        raise BattleboardError(f"{visible(str(path))} is not UTF-8; expected a text.") from None


def write_settings(path: Path, settings: Settings) -> None:
    """Writes the settings, whole or not at all.

    Raises:
        BattleboardError: the disk refuses.
    """
    values = {**asdict(settings), "hidden": list(settings.hidden)}
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(tomli_w.dumps(values), encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        reason = error.strerror
        raise BattleboardError(f"The settings hold, but cannot be written ({reason}): {visible(str(path))}.") from None


def _settings(document: Document) -> Settings:
    root, usual = document.root, USUAL
    found = Settings(
        theme=root.text("theme", usual.theme, choices=THEME_NAMES),
        glyphs=root.text("glyphs", usual.glyphs, choices=tuple(GLYPH_SETS)),
        minimap=root.flag("minimap", usual.minimap),
        hidden=_panels(root),
        side=root.whole("side", usual.side, least=-MOST_WIDER, most=MOST_WIDER),
        below=root.whole("below", usual.below, least=-MOST_HIGHER, most=MOST_HIGHER),
    )
    root.finish()
    return found


def _panels(root: Reader) -> tuple[str, ...]:
    found = root.texts("hidden", USUAL.hidden)
    unknown = [name for name in found if name not in PANELS]
    if unknown:
        root.problem("hidden", f"no panel is called {quoted(unknown[0])}; there is {', '.join(PANELS)}")
    return tuple(name for name in PANELS if name in found)


def _first(error: Unreadable) -> str:
    """The first problem as a sentence on one line, with how many there are besides."""
    problem = error.problems[0]
    more = f" (and {len(error.problems) - 1} more)" if len(error.problems) > 1 else ""
    said = f"{error.file}:{problem.line}:{problem.column}: {problem.message}{more}"
    return said if said.endswith("?") else f"{said}."
