"""Glyph tables: one in Unicode, one in plain ASCII. Every glyph is one cell wide. Data only.

Tables are keyed by what `glyph_keys` makes of a map: the look of a square, an object or a thin thing on an edge.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.geometry.squares import Direction


class EdgeGlyphs(Struct, frozen=True):
    """A thin thing. `upright` and `level` stand between boxed squares; the others share a tight square's cells."""

    upright: str
    level: str
    """First, middle and last cell; the middle one is repeated as far as the square goes."""
    left: str
    """In the left cell of the square that lies east of the edge."""
    right: str
    """In the right cell of the square that lies west of it, when a unit fills the other."""
    floor: str
    """Both cells of the square that lies north of the edge."""


class GlyphSet(Struct, frozen=True):
    """All signs the board draws with."""

    name: str
    edges: Mapping[str, EdgeGlyphs]
    corners: str
    """Sixteen signs by which of the lines north 1, east 2, south 4, west 8 meet."""
    ledge: EdgeGlyphs
    terrains: Mapping[str, str]
    """Looks of ground without an entry are plain."""
    objects: Mapping[str, str]
    tints: Mapping[str, str]
    solid: str
    plain: str
    cross: str
    """Where the borders of boxed squares cross."""
    smoke: str
    """Thin, then thick."""
    dark: str
    dim: str
    above: str
    """Levels 1 to 9 of high ground."""
    below: str
    """Levels 1 to 9 of low ground."""
    facings: Mapping[str, str]
    """Eight signs clockwise from north, by how the unit holds itself: standing, kneeling, prone, airborne."""
    defeated: str
    wounded: str
    climbs: str
    """Before a figure: so high in the air."""
    brackets: str
    """Around the cursor."""
    line: str
    stop: str
    path: str
    goal: str
    landed: str
    """Where a throw came down."""
    past: str
    """Behind a target that was missed."""
    blast: str
    """Squares of a blast: its first ring, the others."""
    minus: str
    fell: str
    """Before how far a unit fell."""
    dropped: str
    """A weapon on the ground."""
    charge: str
    """Something that waits there to go off."""
    note: str
    """A note of the GM's on the square."""

    @property
    def has_unicode(self) -> bool:
        return not self.solid.isascii()

    def facing(self, stance: str, direction: Direction) -> str:
        return self.facings[stance][tuple(Direction).index(direction)]

    def level(self, level: int) -> str:
        """The sign of high or low ground; "" on level 0."""
        if level == 0:
            return ""
        return (self.above if level > 0 else self.below)[min(abs(level), 9) - 1]


UNICODE = GlyphSet(
    name="unicode",
    edges={
        "wall": EdgeGlyphs("│", "───", "▏", "▕", "▁▁"),
        "door": EdgeGlyphs("▮", "┝━┥", "▌", "▐", "▄▄"),
        "locked": EdgeGlyphs("◙", "┝◙┥", "◙", "◙", "◙◙"),
        "open": EdgeGlyphs("▯", "┤ ├", "▘", "▝", "▖▗"),
        "broken": EdgeGlyphs("╳", "┤╳├", "╳", "╳", "╳╳"),
        "window": EdgeGlyphs("║", "═══", "║", "║", "‗‗"),
        "glass": EdgeGlyphs("┃", "━━━", "┃", "┃", "▂▂"),
        "bars": EdgeGlyphs("╪", "┼┼┼", "╪", "╪", "⊥⊥"),
        "curtain": EdgeGlyphs("∫", "∼∼∼", "∫", "∫", "∼∼"),
        "drawn": EdgeGlyphs("⌠", "∼ ∼", "⌠", "⌠", "∽ "),
        "railing": EdgeGlyphs("╎", "╌╌╌", "╎", "╎", "……"),
        "low wall": EdgeGlyphs("╏", "╍╍╍", "╏", "╏", "▖▖"),
    },
    corners=" ╵╶└╷│┌├╴┘─┴┐┤┬┼",
    ledge=EdgeGlyphs("┊", "┈┈┈", "┊", "┊", "┈┈"),
    terrains={
        "rubble": "∵",
        "rough": "⌃",
        "water": "≈",
        "deep water": "≋",
        "scrub": '"',
        "grass": "'",
        "mud": "∼",
        "snow": "*",
        "stairs": "≡",
        "pit": "▼",
    },
    objects={
        "box": "▣",
        "barrel": "◍",
        "vehicle": "▦",
        "machine": "▩",
        "counter": "▬",
        "shelf": "▤",
        "pillar": "●",
        "statue": "♜",
        "rock": "▲",
        "tree": "♣",
        "heap": "≏",
        "table": "π",
        "fire": "♨",
        "hedge": "♠",
        "thing": "◆",
    },
    tints={
        "band-0": "·",
        "band-1": "∶",
        "band-2": "∴",
        "band-3": "∷",
        "band-4": "∺",
        "scale-0": "▁",
        "scale-1": "▂",
        "scale-2": "▃",
        "scale-3": "▅",
        "scale-4": "▇",
        "reach-1": "▪",
        "reach-2": "▫",
        "seen": "·",
        "part": "-",
        "little": "=",
        "unseen": " ",
        "blast": "∗",
        "edge": "∘",
        "blocked": "×",
    },
    solid="█",
    plain="·",
    cross="·",
    smoke="░▒",
    dark="╱",
    dim="′",
    above="¹²³⁴⁵⁶⁷⁸⁹",
    below="₁₂₃₄₅₆₇₈₉",
    facings={
        "standing": "▲◥►◢▼◣◄◤",
        "kneeling": "↑↗→↘↓↙←↖",
        "prone": "△◹▷◿▽◺◁◸",
        "airborne": "⇑⇗⇒⇘⇓⇙⇐⇖",
    },
    defeated="†",
    wounded="♡",
    climbs="↑",
    brackets="[]",
    line="•",
    stop="✕",
    path="◦",
    goal="◎",
    landed="✶",
    blast="∗∘",
    past="×",
    minus="−",
    fell="↓",
    dropped="⌐",
    charge="¤",
    note="¶",
)

ASCII = GlyphSet(
    name="ascii",
    edges={
        "wall": EdgeGlyphs("|", "---", "|", "|", "__"),
        "door": EdgeGlyphs("+", "+++", "+", "+", "++"),
        "locked": EdgeGlyphs("$", "$$$", "$", "$", "$$"),
        "open": EdgeGlyphs("/", "///", "/", "/", "//"),
        "broken": EdgeGlyphs("%", "%%%", "%", "%", "%%"),
        "window": EdgeGlyphs('"', "===", '"', '"', "=="),
        "glass": EdgeGlyphs('"', '"""', '"', '"', '""'),
        "bars": EdgeGlyphs("!", "!!!", "!", "!", "!!"),
        "curtain": EdgeGlyphs("{", "~~~", "{", "}", "~~"),
        "drawn": EdgeGlyphs("(", "(((", "(", ")", "( "),
        "railing": EdgeGlyphs(":", "...", ":", ":", ".."),
        "low wall": EdgeGlyphs(";", ":::", ";", ";", "::"),
    },
    corners=" |-+||++-+-+++++",
    ledge=EdgeGlyphs("'", "'''", "'", "'", "''"),
    terrains={
        "rubble": ",",
        "rough": ",",
        "water": "~",
        "deep water": "~",
        "scrub": '"',
        "mud": "~",
        "stairs": "=",
        "pit": "%",
        "grass": "'",
        "snow": "'",
    },
    objects={
        "box": "&",
        "barrel": "&",
        "vehicle": "&",
        "machine": "&",
        "counter": "=",
        "shelf": "=",
        "pillar": "#",
        "statue": "#",
        "rock": "^",
        "tree": "%",
        "heap": "=",
        "table": "=",
        "fire": "^",
        "hedge": "%",
        "thing": "&",
    },
    tints={
        "band-0": ".",
        "band-1": ":",
        "band-2": ";",
        "band-3": "!",
        "band-4": "?",
        "scale-0": "1",
        "scale-1": "2",
        "scale-2": "3",
        "scale-3": "4",
        "scale-4": "5",
        "reach-1": "'",
        "reach-2": "`",
        "seen": ".",
        "part": "-",
        "little": "=",
        "unseen": " ",
        "blast": "*",
        "edge": "+",
        "blocked": "-",
    },
    solid="#",
    plain=".",
    cross=".",
    smoke=":%",
    dark="\\",
    dim=",",
    above="123456789",
    below=";" * 9,
    facings={
        "standing": "^'>.v,<`",
        "kneeling": ";;;;;;;;",
        "prone": "________",
        "airborne": '""""""""',
    },
    defeated="x",
    wounded="!",
    climbs="^",
    brackets="[]",
    line="*",
    stop="X",
    path="-",
    goal="@",
    landed="X",
    blast="*o",
    past="x",
    minus="-",
    fell="v",
    dropped=")",
    charge="o",
    note='"',
)
GLYPH_SETS = {"unicode": UNICODE, "ascii": ASCII}
