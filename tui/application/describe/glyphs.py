"""Glyph tables: one in Unicode, one in plain ASCII. Every glyph is one cell wide. Data only.

Tables are keyed by what `glyph_keys` makes of a map: the look of a square, an object or a thin thing on an edge.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.geometry.squares import Direction


class EdgeGlyphs(Struct, frozen=True):
    """A thin thing. `upright` and `level` have cells of boxed squares; the others share a tight square's cells."""

    upright: str
    """In the first column of the square that lies east of the edge: first, middle and last line."""
    level: str
    """In the last line of the square that lies north of it: six cells, or four without the second and the fifth."""
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
    ledge: str
    """On the south edge of a square, where the ground falls too far to be walked: in a tight square, in a boxed one."""
    frames: Mapping[str, str]
    """Frames of objects: low, high and round ones, clockwise from the corner on the left above."""
    pictures: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    """Objects and terrains that fill a boxed square without a frame: its lines at four cells, at six."""
    terrains: Mapping[str, str]
    """Looks of ground without an entry are plain."""
    objects: Mapping[str, str]
    """Both cells of a tight square."""
    shelves: str
    """The middle of a shelf that has a frame."""
    tints: Mapping[str, str]
    solid: str
    plain: str
    smoke: str
    """Thin, then thick."""
    dark: str
    dim: str
    above: str
    """The ten figures of levels of high ground."""
    below: str
    """The ten figures of levels of low ground, after `pit`."""
    pit: str
    facings: Mapping[str, str]
    """Eight signs clockwise from north, by how the unit holds itself: standing, kneeling, prone, airborne."""
    kneels: str
    """A mark beside where a kneeling unit faces, where the signs of that do not say how it holds itself; else ""."""
    defeated: str
    bar: str
    """A cell of health that is left, and one that is gone."""
    gap: str
    """A cell of health with a gap on its left; "" where there is none."""
    brackets: str
    """Beside the target, and a unit under the cursor."""
    acting: str
    """Beside the unit that acts."""
    corners: str
    """Of the square under the cursor, clockwise from the one on the left above."""
    marked: str
    """On a unit that is marked to be changed with others."""
    veil: str
    """Beside the letter of a hidden unit."""
    shared: str
    """On a unit that shares its square with another."""
    more: str
    """More conditions than there is room for."""
    states: Mapping[str, str]
    """Other signs for marks of a unit's state."""
    line: str
    """A line of fire where no finer dots are to be had, and one that missed."""
    stop: str
    path: str
    onward: tuple[str, str, str, str]
    """Left, right, up and down: that the map continues beyond the window."""
    trail: str
    """The path that a unit has walked."""
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
    lamp: str
    """A lamp over the square, for the GM who hangs it."""

    @property
    def has_unicode(self) -> bool:
        return not self.solid.isascii()

    def facing(self, stance: str, direction: Direction) -> str:
        return self.facings[stance][tuple(Direction).index(direction)]

    def level(self, level: int) -> str:
        """The sign of high or low ground, as "²", "¹²" and "₋₂"; "" on level 0."""
        if level == 0:
            return ""
        digits, sign = (self.above, "") if level > 0 else (self.below, self.pit)
        return sign + "".join(digits[int(digit)] for digit in str(abs(level)))


UNICODE = GlyphSet(
    name="unicode",
    edges={
        "wall": EdgeGlyphs("▌▌▌", "▂▂▂▂▂▂", "▏", "▕", "▁▁"),
        "door": EdgeGlyphs("███", "▄▄▄▄▄▄", "▌", "▐", "▄▄"),
        "locked": EdgeGlyphs("██◙", "▄▄◙◙▄▄", "◙", "◙", "◙◙"),
        "open": EdgeGlyphs("▘ ▖", "▖    ▗", "▘", "▝", "▖▗"),
        "broken": EdgeGlyphs("╳╳╳", "▖ ╳╳ ▗", "╳", "╳", "╳╳"),
        "window": EdgeGlyphs("║║║", "▂════▂", "║", "║", "‗‗"),
        "glass": EdgeGlyphs("┃┃┃", "━━━━━━", "┃", "┃", "▂▂"),
        "bars": EdgeGlyphs("╪╪╪", "┴┴┴┴┴┴", "╪", "╪", "⊥⊥"),
        "curtain": EdgeGlyphs("∫∫∫", "∼∼∼∼∼∼", "∫", "∫", "∼∼"),
        "drawn": EdgeGlyphs("⌠⌠⌠", "∼    ∼", "⌠", "⌠", "∽ "),
        "railing": EdgeGlyphs("╎╎╎", "╌╌╌╌╌╌", "╎", "╎", "……"),
        "low wall": EdgeGlyphs("▖▖▖", "▖▖▖▖▖▖", "▖", "▗", "▖▖"),
    },
    ledge="┈▁",
    frames={"low": "┌─┐│┘─└│", "high": "╔═╗║╝═╚║", "round": "╭─╮│╯─╰│"},
    pictures={
        "tree": (("▗█♣▖", "▝♣█▘"), (" ▗██▖ ", "▐█♣♣█▌", " ▝██▘ ")),
        "hedge": ((" ♠ ♠", " ♠ ♠"), (" ♠ ♠ ♠", " ♠ ♠ ♠", " ♠ ♠ ♠")),
        "rock": (("▗▄▄▖", "▜██▛"), (" ▗▄▄▖ ", "▟████▙", "▜████▛")),
        "table": (("▄▄▄▄", "▌  ▐"), ("▄▄▄▄▄▄", "▌    ▐", "▌    ▐")),
        "counter": (("▄▄▄▄", "████"), ("▄▄▄▄▄▄", "██████", "██████")),
        "heap": (("    ", "≏≏≏≏"), ("      ", "≏≏≏≏≏≏", "≏≏≏≏≏≏")),
        "rubble": ((" ∵  ", "   ∴"), (" ∵    ", "   ∴  ", "    ∵ ")),
        "stairs": (("≡≡≡≡", "≡≡≡≡"), ("≡≡≡≡≡≡", "≡≡≡≡≡≡", "≡≡≡≡≡≡")),
    },
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
        "box": "▣ ",
        "barrel": "◍ ",
        "vehicle": "▦▦",
        "machine": "▩▩",
        "counter": "▬▬",
        "shelf": "▤ ",
        "pillar": "● ",
        "statue": "♜ ",
        "rock": "▲▲",
        "tree": "♣ ",
        "heap": "≏≏",
        "table": "π ",
        "fire": "♨ ",
        "hedge": "♠ ",
        "thing": "■ ",
    },
    shelves="▤",
    tints={
        "burst-0": "∗",
        "burst-1": "∘",
        "burst-2": "·",
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
    smoke="░▒",
    dark="╱",
    dim="′",
    above="⁰¹²³⁴⁵⁶⁷⁸⁹",
    below="₀₁₂₃₄₅₆₇₈₉",
    pit="₋",
    facings={
        "standing": "▲◥►◢▼◣◄◤",
        "kneeling": "↑↗→↘↓↙←↖",
        "prone": "△◹▷◿▽◺◁◸",
        "airborne": "⇑⇗⇒⇘⇓⇙⇐⇖",
    },
    kneels="",
    defeated="†",
    bar="▄▁",
    gap="▗",
    brackets="[]",
    acting="▐▌",
    corners="┌┐┘└",
    veil="┆",
    shared="+",
    more="…",
    states={},
    marked="●",
    line="•·",
    stop="✕",
    path="◦",
    onward=("◂", "▸", "▴", "▾"),
    trail="∙",
    goal="◎",
    landed="✶",
    blast="∗∘",
    past="×",
    minus="−",
    fell="↓",
    dropped="⌐",
    charge="¤",
    note="¶",
    lamp="☼",
)

ASCII = GlyphSet(
    name="ascii",
    edges={
        "wall": EdgeGlyphs("|||", "______", "|", "|", "__"),
        "door": EdgeGlyphs("+++", "++++++", "+", "+", "++"),
        "locked": EdgeGlyphs("++$", "++$$++", "$", "$", "$$"),
        "open": EdgeGlyphs("/ /", "/    /", "/", "/", "//"),
        "broken": EdgeGlyphs("%%%", "%%%%%%", "%", "%", "%%"),
        "window": EdgeGlyphs('"""', "======", '"', '"', "=="),
        "glass": EdgeGlyphs("'''", '""""""', "'", "'", '""'),
        "bars": EdgeGlyphs("!!!", "!!!!!!", "!", "!", "!!"),
        "curtain": EdgeGlyphs("{{{", "~~~~~~", "{", "}", "~~"),
        "drawn": EdgeGlyphs("(((", "(    (", "(", ")", "( "),
        "railing": EdgeGlyphs(":::", "......", ":", ":", ".."),
        "low wall": EdgeGlyphs(";;;", "::::::", ";", ";", "::"),
    },
    ledge="--",
    frames={"low": "+-+|+-+|", "high": "+=+|+=+|", "round": "/-\\|/-\\|"},
    pictures={
        "tree": (("/%%\\", "\\%%/"), (" /%%\\ ", "%%%%%%", " \\%%/ ")),
        "hedge": ((" % %", " % %"), (" % % %", " % % %", " % % %")),
        "rock": ((" ^^ ", "^^^^"), (" ^^^^ ", "^^^^^^", "^^^^^^")),
        "table": (("----", "|  |"), ("------", "|    |", "|    |")),
        "counter": (("----", "===="), ("------", "======", "======")),
        "heap": (("    ", "===="), ("      ", "======", "======")),
        "rubble": ((" ,  ", "   ,"), (" ,    ", "   ,  ", "    , ")),
        "stairs": ((">>>>", ">>>>"), (">>>>>>", ">>>>>>", ">>>>>>")),
    },
    terrains={
        "rubble": ",",
        "rough": ",",
        "water": "~",
        "deep water": "~",
        "scrub": '"',
        "mud": "~",
        "stairs": ">",
        "pit": "%",
        "grass": "'",
        "snow": "'",
    },
    objects={
        "box": "&&",
        "barrel": "()",
        "vehicle": "{}",
        "machine": "$$",
        "counter": "--",
        "shelf": "==",
        "pillar": "##",
        "statue": "##",
        "rock": "^^",
        "tree": "%%",
        "heap": "==",
        "table": "--",
        "fire": "^ ",
        "hedge": "%%",
        "thing": "[]",
    },
    shelves="=",
    tints={
        "burst-0": "*",
        "burst-1": "+",
        "burst-2": ".",
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
    smoke=":%",
    dark="\\",
    dim=",",
    above="0123456789",
    below="0123456789",
    pit="-",
    facings={
        "standing": "^'>.v,<`",
        "kneeling": ";;;;;;;;",
        "prone": "________",
        "airborne": '""""""""',
    },
    kneels="k",
    defeated="x",
    bar="=-",
    gap="",
    brackets="[]",
    acting="()",
    corners="++++",
    veil="?",
    shared="+",
    more="+",
    states={"◆": "&", "✚": "%", "≠": "#", "§": "$", "»": ">", "›": ">", "¶": '"', "◌": "o", "↷": "/", "◇": ","},
    marked="*",
    line="*.",
    stop="X",
    path="-",
    onward=("<", ">", "^", "v"),
    trail=".",
    goal="@",
    landed="X",
    blast="*o",
    past="x",
    minus="-",
    fell="v",
    dropped=")",
    charge="o",
    note='"',
    lamp="*",
)
GLYPH_SETS = {"unicode": UNICODE, "ascii": ASCII}
