"""Text of others made safe: names, titles and notes are cleaned before anything stores them.

Plain means: composed (NFC), printable, no invisible or direction-changing characters, marks only on a letter and at
most two of them. What is left takes a known number of terminal cells. Whether a text is markup is not decided here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

MARKS_PER_LETTER = 2
FORBIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""General categories that never pass: controls, formats, surrogates, private, unassigned, line and paragraph ends."""

FILLERS = (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0)
INVISIBLE = frozenset([*FILLERS, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""Characters of harmless categories that draw nothing: fillers, then variation selectors."""

BREAKS = re.compile(r"[ \t\n\r\v\f\x1c-\x1f\x85\u2028\u2029]*[\t\n\r\v\f\x1c-\x1f\x85\u2028\u2029][ \t]*")

MOST_SLUG = 40
"""Letters of a file name that is made from a title."""
UNFOLDED = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe"}
)
"""Letters that Unicode does not take apart into a plain letter and an accent."""


def cells(text: str) -> int:
    """Terminal cells that plain text takes: two for wide characters, none for marks, else one.

    >>> cells("Zoë"), cells("忍者")
    (3, 4)
    """
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def is_clean(text: str) -> bool:
    """Whether `clean` would leave every character of the text in place, its length and outer spaces aside."""
    if text.isascii():
        return text.isprintable() or not text
    return _is_clean_beyond_ascii(text)


@lru_cache(4096)  # asked of everything that is drawn, and the same few signs come again and again
def _is_clean_beyond_ascii(text: str) -> bool:
    return unicodedata.normalize("NFC", text) == text and _plain(text) == text


def clean(text: str, most_cells: int) -> str:
    """The text made plain, on one line and cut to a width.

    Line breaks and tabs become one space, any other space an ordinary one, and outer spaces go. A cut text ends in "…".

    Args:
        text: anything, lone surrogates included.
        most_cells: width in terminal cells, 1 or more.

    >>> clean("Todd\\x1b[2J\\n the \\u202eGun", 40), clean("Bartholomew", 6)
    ('Todd[2J the Gun', 'Barth…')
    """
    if text.isascii() and text.isprintable():
        plain = text.strip()
    else:
        composed = unicodedata.normalize("NFC", BREAKS.sub(" ", text))
        plain = unicodedata.normalize("NFC", _plain(composed)).strip()
    if cells(plain) <= most_cells:
        return plain
    shown, room = [], most_cells - 1
    for character in plain:
        room -= _cells_of(character)
        if room < 0:
            break
        shown.append(character)
    return "".join(shown).rstrip() + "…"


def visible(text: str) -> str:
    """The text with one stand-in for each character that is not plain, so that columns keep their places."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " "
        if character == "\t"
        else character
        if unicodedata.category(character)[0] != "M" and is_clean(character)
        else "�"
        for character in text
    )


def _plain(text: str) -> str:
    kept: list[str] = []
    marks = MARKS_PER_LETTER  # a mark with no letter before it would sit on whatever is drawn to its left
    for character in text:
        category = unicodedata.category(character)
        if category in FORBIDDEN or ord(character) in INVISIBLE:
            continue
        if category[0] == "M":
            marks += 1
            if marks <= MARKS_PER_LETTER:
                kept.append(character)
            continue
        marks = MARKS_PER_LETTER if category[0] == "Z" else 0
        kept.append(" " if category == "Zs" else character)
    return "".join(kept)


def _cells_of(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def lower_first(label: str) -> str:
    """A label in the middle of a sentence; abbreviations and labels with further capitals stay.

    >>> lower_first("Damage done"), lower_first("HP of the armour"), lower_first("Damage Modifier")
    ('damage done', 'HP of the armour', 'Damage Modifier')
    """
    return label if label[1:] != label[1:].lower() else f"{label[:1].lower()}{label[1:]}"


def count(number: int, what: str) -> str:
    """So many things: "1 square", "3 squares"."""
    return f"{number} {what if number == 1 else f'{what}s'}"


def plural(noun: str) -> str:
    """A noun for several, by its ending.

    >>> [plural(noun) for noun in ("gunman", "goon", "lash", "sentry", "drone")]
    ['gunmen', 'goons', 'lashes', 'sentries', 'drones']
    """
    if noun.endswith("man"):
        return f"{noun[:-2]}en"
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def upper_first(label: str) -> str:
    """A label at the start of a line, with a capital."""
    return label[:1].upper() + label[1:]


def sentence(text: str) -> str:
    """The text with a capital at its start and a stop at its end."""
    text = upper_first(text)
    return text if text.endswith((".", "!", "?")) else f"{text}."


def clause(text: str) -> str:
    """A text as a part of a sentence, without a stop: the message of an error, a reason that a ruleset gives, a note.

    >>> clause("AD4 is out of reach."), clause("out of reach")
    ('AD4 is out of reach', 'out of reach')
    """
    return text.rstrip(".")


SINGULAR_ENDINGS = ("ss", "us", "is")
NOT_BY_ENDING = {
    **dict.fromkeys(("people", "police", "men", "women", "children", "cattle"), True),
    **dict.fromkeys(
        ("corps", "gas", "lens", "debris", "canvas", "chaos", "cosmos", "series", "omen", "specimen", "abdomen"), False
    ),
}


def is_plural(name: str) -> bool:
    """Whether the name of a side or of a thing on the map takes a plural verb.

    Its main word decides, the one before "of": it ends in s, but not in ss, us or is.

    >>> [name for name in ("guards", "law", "stack of crates", "lawmen", "glass") if is_plural(name)]
    ['guards', 'lawmen']
    """
    words = re.findall(r"\w+", re.split(r" (?:of|on|in|with) ", name.casefold())[0])
    main = words[-1] if words else ""
    if main in NOT_BY_ENDING:
        return NOT_BY_ENDING[main]
    return main.endswith("men") or (main.endswith("s") and not main.endswith(SINGULAR_ENDINGS))


def share_percent(share: int | Fraction) -> str:
    """A share of sight in whole per cent, on its own side of every multiple of 5 %, which is what rules ask for.

    So a body that is covered to 74.81 % is never shown at the 75 % of a rule that it does not meet. What is hidden and
    what is not add up to 100. This is the one place that says how shares are written.

    >>> share_percent(Fraction(2, 5)), share_percent(Fraction(1, 3)), share_percent(Fraction(1))
    ('40 %', '33 %', '100 %')
    >>> share_percent(Fraction(7481, 10000)), share_percent(Fraction(75001, 100000)), share_percent(Fraction(1, 1000))
    ('74 %', '76 %', '1 %')
    """
    points = Fraction(share * 100)
    whole = round(points)
    if whole % 5 == 0:
        whole += (points > whole) - (points < whole)
    return f"{whole} %"


def side_name(side: str) -> str:
    """A side as people read it; commands and files take the side itself too.

    >>> side_name("the-ghosts")
    'the ghosts'
    """
    return side.replace("-", " ")


def the_side(side: str) -> str:
    """A side as a sentence has it.

    >>> the_side("gang"), the_side("the-ghosts")
    ('the gang', 'the ghosts')
    """
    name = side_name(side)
    return name if name.casefold().startswith("the ") else f"the {name}"


def side_called(text: str, sides: Iterable[str]) -> str:
    """The side that is called that, as it is or as people read it; "" if none is."""
    wanted = text.casefold()
    return next((side for side in sides if wanted in (side.casefold(), side_name(side).casefold())), "")


def verb(name: str, singular: str, plural: str) -> str:
    """The form of a verb that goes with the name of a side or of a thing: "guards" roll, "law" rolls."""
    return plural if is_plural(name) else singular


def slug(title: str, most: int = MOST_SLUG) -> str:
    """A title as a plain file name or id of at most so many letters; "" where it has no letter and no digit.

    >>> slug("Zoë of the Hill!"), slug("Michał Wójcik")
    ('zoe-of-the-hill', 'michal-wojcik')
    """
    plain = unicodedata.normalize("NFKD", title.translate(UNFOLDED)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:most].strip("-")
