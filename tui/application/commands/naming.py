"""Name parsing: the longest id or label that the next words spell, in full or abbreviated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from engine.battle.state.battle import Battle
from engine.battle.unit_names import number_in
from engine.battle.views.unit_letters import signs_of
from engine.errors import Illegal, Unknown
from engine.geometry.battlefield import OffMap
from engine.geometry.squares import NotASquare, Square, parse_square

Words = Sequence[str]
Names = Mapping[str, tuple[str, ...]]
"""Names by id."""

TOWARDS = ("to", "at", "on")
"""Fillers before a square, a unit or a direction."""
SIGN = "@"
"""Before the badge of a unit among its names."""
SEVERAL = re.compile(r"([A-Za-z])(?:\*|(\d{1,2})-\1?(\d{1,2}))")
"""Several badges of a letter: all, or from one number to another."""
LEAST_BEGINNING = 2
"""Least letters of an unambiguous abbreviation."""


class Missing(Illegal):
    """An incomplete line: more words may complete it."""


def names_of(things: Iterable[tuple[str, str]]) -> Names:
    """Names of (id, label) pairs: the id, the id with blanks for hyphens, the label.

    >>> names_of([("aimed-shot", "Aimed Shot (full)")])
    {'aimed-shot': ('aimed-shot', 'aimed shot', 'aimed shot (full)')}
    """
    return {
        id: tuple(dict.fromkeys((id.casefold(), id.casefold().replace("-", " "), " ".join(label.casefold().split()))))
        for id, label in things
    }


def unit_names(battle: Battle) -> Names:
    """Names of units: the id, the name, the name with hyphens such as "gun-nest", the full name, and their badges."""
    badges, found = signs_of(battle), dict[str, tuple[str, ...]]()
    for unit in battle.units.values():
        name, whole = (" ".join(one.casefold().split()) for one in (unit.name, unit.sheet_name))
        called = (unit.id.casefold(), name, name.replace(" ", "-"), whole, SIGN + badges[unit.id])
        found[unit.id] = tuple(dict.fromkeys(called))
    return found


def take_sign(words: Words, names: Names, *, is_exact: bool = False) -> tuple[str, Words] | None:
    """Parses the badge of a unit where the first word is one; case decides only between two that differ by it.

    With `is_exact`, where a square may stand too, case decides between the badge and a square: "g3" and "G3".

    >>> names = {"todd": ("todd", "@T"), "boss": ("the boss", "@t"), "goon-3": ("goon 3", "@g3")}
    >>> take_sign(["T", "5"], names), take_sign(["G3"], names), take_sign(["G3"], names, is_exact=True)
    (('todd', ['5']), ('goon-3', []), None)
    """
    sign = SIGN + words[0] if words else ""
    found = [id for id, called in names.items() if sign in called]
    if not found and not (is_exact and words and is_square(words[0])):
        found = [id for id, called in names.items() if sign.casefold() in map(str.casefold, called)]
    return (found[0], words[1:]) if len(found) == 1 else None


def take_badges(words: Words, battle: Battle) -> tuple[list[str], Words] | None:
    """Parses the units of a letter, or of some of its numbers: "g*", "g1-3"; None where the first word is neither.

    Case decides only where both are in use.

    Raises:
        Illegal: nobody wears such a badge.
    """
    found = SEVERAL.fullmatch(words[0]) if words else None
    if found is None:
        return None
    badges = signs_of(battle)
    letter, first, last = found[1], int(found[2] or 0), int(found[3] or 0)
    if not any(badge[0] == letter for badge in badges.values()):
        letter = letter.swapcase()
    ids = [id for id, badge in badges.items() if badge[0] == letter]
    if first:
        ids = [id for id in ids if first <= (number_in(badges[id]) or 1) <= last]
    if not ids:
        raise Illegal("words", f"Nobody wears a badge of “{words[0]}”.")
    return sorted(ids, key=lambda id: number_in(badges[id])), words[1:]


def take_unit(words: Words, names: Names, *, is_exact: bool = False) -> tuple[str, Words] | None:
    """As `take`, else parses the badge of a unit on the board, as `take_sign`.

    Raises:
        Illegal: the name is ambiguous.
    """
    return take(words, names) or take_sign(words, names, is_exact=is_exact)


def take_whole(words: Words, names: Names) -> tuple[str, Words] | None:
    """Parses the longest full name: its id and the rest of the words; None if there is none.

    Raises:
        Illegal: the name is ambiguous.

    >>> take_whole(["gun", "cop", "F7"], {"cop-1": ("cop-1", "gun cop"), "gun": ("gun",)})
    ('cop-1', ['F7'])
    """
    longest = max((name.count(" ") + 1 for called in names.values() for name in called), default=0)
    for count in range(min(longest, len(words)), 0, -1):
        spelt = " ".join(words[:count]).casefold()
        by_id = [id for id in names if id.casefold() == spelt]
        found = by_id or [id for id, called in names.items() if spelt in called]
        if len(found) > 1:
            raise Illegal("words", f"“{spelt}” is ambiguous: type one of {', '.join(found)}.")
        if found:
            return found[0], words[count:]
    return None


def take(words: Words, names: Names) -> tuple[str, Words] | None:
    """As `take_whole`, else parses an abbreviation.

    Raises:
        Illegal: the name is ambiguous.

    >>> take(["ban", "aimed"], {"bandit": ("bandit",), "todd": ("todd",)})
    ('bandit', ['aimed'])
    """
    if found := take_whole(words, names):
        return found
    if not words or len(words[0]) < LEAST_BEGINNING:
        return None
    begun = words[0].casefold()
    near = [id for id, called in names.items() if any(name.startswith(begun) for name in called)]
    if len(near) > 1:
        raise Illegal("words", f"“{words[0]}” is ambiguous: type more of {', '.join(sorted(near))}.")
    return (near[0], words[1:]) if near else None


def expect(what: str, words: Words, names: Names) -> tuple[str, Words]:
    """As `take`, but required; any unambiguous words of a name are enough, also abbreviated.

    >>> expect("weapon", ["mine", "free"], {"claymore-mine": ("claymore-mine",), "rifle": ("rifle",)})
    ('claymore-mine', ['free'])

    Raises:
        Unknown: there is none; the message names the nearest.
        Illegal: there are no words, or the name is ambiguous.
    """
    if found := take(words, names) or take_sign(words, names) or take_part(words, names):
        return found
    if not words:
        missing = f"Type the {what}: {', '.join(names)}." if names else f"There is no {what}."
        raise (Missing if names else Illegal)("words", missing)
    raise Unknown(what, words[0], names)


def take_part(words: Words, names: Names) -> tuple[str, Words] | None:
    """Parses words that are parts of one name; full words come before abbreviated ones.

    Raises:
        Illegal: the name is ambiguous.
    """
    parts = {id: [name.replace("-", " ").split() for name in called] for id, called in names.items()}
    longest = max((len(split) for called in parts.values() for split in called), default=0)
    for count in range(min(longest, len(words)), 0, -1):
        said = [word.casefold() for word in words[:count]]
        if min(map(len, said)) < LEAST_BEGINNING:
            continue
        whole = [id for id, called in parts.items() if any(set(said) <= set(split) for split in called)]
        begun = [
            id
            for id, called in parts.items()
            if any(all(any(part.startswith(word) for part in split) for word in said) for split in called)
        ]
        if found := whole or begun:
            if len(found) > 1:
                raise Illegal("words", f"“{' '.join(said)}” is ambiguous: type more of {', '.join(sorted(found))}.")
            return found[0], words[count:]
    return None


def take_unit_or_square(words: Words, names: Names, battle: Battle) -> tuple[str | Square, Words] | None:
    """Parses a full name or a badge of a group as it is worn, else a square: "g3" is that unit, "G3" the square.

    Raises:
        OffMap: the square is outside the map.
    """
    worn = take_sign(words, names, is_exact=True) if words and is_square(words[0]) else None
    return take_whole(words, names) or worn or take_square(words, battle)


def take_square(words: Words, battle: Battle) -> tuple[Square, Words] | None:
    """Parses a square; None if the first word is not one.

    Raises:
        OffMap: the square is outside the map.
    """
    if not words:
        return None
    try:
        square = parse_square(words[0])
    except NotASquare:
        return None
    if square not in battle.field:
        raise OffMap(square, battle.field)
    return square, words[1:]


def is_square(word: str) -> bool:
    """Whether a word is a square, on the map or off it.

    >>> is_square("D4"), is_square("guards")
    (True, False)
    """
    try:
        parse_square(word)
    except NotASquare:
        return False
    return True


def expect_square(words: Words, battle: Battle) -> tuple[Square, Words]:
    """As `take_square`, but required.

    Raises:
        Illegal: the word is not a square.
        OffMap: the square is outside the map.
    """
    if found := take_square(words, battle):
        return found
    said = f"“{words[0]}” is not a square" if words else "A square is missing"
    raise (Illegal if words else Missing)("words", f"{said}: type a column letter and a row number such as D4.")


def skip(words: Words, *fillers: str) -> Words:
    """The words without a leading filler: "at", "on" …"""
    return words[1:] if words and words[0].casefold() in fillers else words


def take_last(word: str, words: Words) -> tuple[bool, Words]:
    """Whether the last word is this one, and the words without it.

    >>> take_last("free", ["bandit", "Free"])
    (True, ['bandit'])
    """
    is_last = bool(words) and words[-1].casefold() == word
    return is_last, words[:-1] if is_last else words


def no_more(words: Words) -> None:
    """Raises Illegal if words are left."""
    if words:
        raise Illegal("words", f"“{' '.join(words)}” was not understood: nothing was done.")


def shared_start(words: Sequence[str]) -> str:
    """The common prefix of words."""
    first, last = min(words), max(words)
    same = (place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1])
    return first[: next(same, min(len(first), len(last)))]
