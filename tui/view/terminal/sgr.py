"""Styles as a terminal takes them (SGR), and the shortest way from one to another."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple


class Look(NamedTuple):
    """A style in the parameters of SGR. Equal looks from `look_of` are the same object."""

    attributes: frozenset[str] = frozenset()
    ink: str = ""
    """"" for the terminal's own."""
    ground: str = ""


PLAIN = Look()

OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "6": "25", "7": "27", "8": "28", "9": "29", "21": "24",
       "51": "54", "52": "54", "53": "55"}  # fmt: skip
"""What takes an attribute back; "22" takes two."""

SEEN_ON_BLANKS = frozenset({"4", "5", "6", "7", "9", "21", "51", "52", "53"})
"""Attributes that show where no sign stands."""

_known: dict[Look, Look] = {PLAIN: PLAIN}


@cache
def look_of(parameters: str) -> Look:
    """The look that SGR parameters such as "1;38;5;12;48;5;4" give, from the plain one."""
    attributes, ink, ground = set(), "", ""
    parts = iter(parameters.split(";") if parameters else ())
    for part in parts:
        if part in ("38", "48"):
            kind = next(parts)
            colour = ";".join((part, kind, *(next(parts) for _ in range(1 if kind == "5" else 3))))
            ink, ground = (colour, ground) if part == "38" else (ink, colour)
        elif part in OFF:
            attributes.add(part)
        elif part[:-1] in ("3", "9"):
            ink = "" if part == "39" else part
        else:
            ground = "" if part == "49" else part
    look = Look(frozenset(attributes), ink, ground)
    return _known.setdefault(look, look)


@cache
def blank_look(look: Look) -> Look:
    """What is to be seen of a look where no sign stands."""
    if look.attributes & SEEN_ON_BLANKS:
        return look
    blank = Look(ground=look.ground)
    return _known.setdefault(blank, blank)


@lru_cache(1024)  # of all pairs of looks
def between(before: Look, after: Look, is_blank: bool) -> tuple[str, Look]:
    """What makes a terminal write in another look, and the look it then writes in.

    Args:
        before: how it writes now.
        after: how it shall.
        is_blank: whether a blank is to be written, for which the ink may stay.
    """
    if is_blank and not after.attributes:
        visible_look = Look(before.attributes - SEEN_ON_BLANKS, before.ink, after.ground)
        after = _known.setdefault(visible_look, visible_look)
    if before is after:
        return "", before
    lost, gained = before.attributes - after.attributes, after.attributes - before.attributes
    off = {OFF[attribute] for attribute in lost}
    again = {attribute for attribute in after.attributes if OFF[attribute] in off} | gained
    step = [*sorted(off), *sorted(again)]
    if before.ink != after.ink:
        step.append(after.ink or "39")
    if before.ground != after.ground:
        step.append(after.ground or "49")
    anew = ["", *sorted(after.attributes), *(colour for colour in (after.ink, after.ground) if colour)]
    # On Linux's console a bright ink is a bold one, until all is taken back, and stays so without bold's own code.
    is_bright, stays_bright = before.ink[:1] == "9", after.ink[:1] == "9" and "22" not in off
    shortest = ";".join(anew) if is_bright and not stays_bright else min(";".join(step), ";".join(anew), key=len)
    return f"\x1b[{shortest}m", after
