"""Names of units in a battle: a noun and a number, "gunman 3", and the badge of that on the board, "g3".

Units that join by one line are numbered; a single one has the noun alone. The full name stays on the sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.battle.state.battle import PLAYERS, Battle
from engine.battle.state.units import Unit
from engine.text import lower_first, upper_first

NUMBER = re.compile(r" (\d+)$")
ASIDE = re.compile(r" (?:of|on|in|with|from|the|at|for)\b| \(|,")
"""What begins the rest of a name after its noun: "captain of the guard"."""
MOST_NUMBER = 99


def stem_of(name: str) -> str:
    """A name without the number at its end.

    >>> stem_of("gunman 3"), stem_of("Todd")
    ('gunman', 'Todd')
    """
    return NUMBER.sub("", name)


def number_of(name: str) -> int:
    """The number at the end 0 for none, and for one larger than any group's.

    >>> number_of("gunman 3"), number_of("Todd"), number_of("Unit 731")
    (3, 0, 0)
    """
    found = NUMBER.search(name)
    number = int(found[1][:4]) if found else 0
    return number if number <= MOST_NUMBER else 0


def renumbered(name: str, number: int) -> str:
    """A numbered name with another number."""
    return f"{stem_of(name)} {number}"


def is_proper(name: str) -> bool:
    """Whether a name is a single unit's own: one word, or capitals after the first letter.

    >>> is_proper("Doctor Vex"), is_proper("Vex"), is_proper("Veteran gunman")
    (True, True, False)
    """
    return " " not in name or name[1:] != name[1:].lower()


def number_in(badge: str) -> int:
    """The number in a badge; 0 for none."""
    return int(badge[1:] or 0)


def known_as(name: str, badge: str, before: str) -> str:
    """A name with the number of a badge in place of that of the badge before; any other name as it is."""
    number = number_in(before)
    return renumbered(name, number_in(badge) or number) if number and number == number_of(name) else name


def words_of(name: str) -> list[str]:
    """The words of a name up to its noun, which is the last; not with capitals where they only begin the name.

    >>> words_of("Veteran gang gunman"), words_of("Captain of the guard"), words_of("SWAT captain")
    (['veteran', 'gang', 'gunman'], ['captain'], ['SWAT', 'captain'])
    """
    main = ASIDE.split(stem_of(name), maxsplit=1)[0].split() or [name]
    return [lower_first(word) for word in main]


def short_stem(full: str, taken: Mapping[str, str]) -> str:
    """The noun of a full name; where others have that noun, with the nearest word that tells it from theirs.

    Args:
        full: without a number.
        taken: the full names of others, by what they are called for short.

    >>> short_stem("Veteran gang gunman", {}), short_stem("Veteran gang gunman", {"gunman": "Gang gunman"})
    ('gunman', 'veteran gunman')
    """
    if known := next((short for short, other in taken.items() if other.casefold() == full.casefold()), ""):
        return known
    *before, noun = words_of(full)
    others = {word.casefold() for other in taken.values() for word in other.split()}
    nearest = sorted(before, key=lambda word: (word.casefold() in others, -before.index(word)))
    ways = (noun, *(f"{word} {noun}" for word in nearest), " ".join((*before, noun)))
    used = {short.casefold() for short in taken}
    return next((way for way in ways if way.casefold() not in used), ways[-1])


def capitalised(sentence: str, battle: Battle) -> str:
    """A sentence with a capital where it begins with the name of a unit: "Gunman 3 is down."

    >>> capitalised("falls: 25", Battle(None))
    'falls: 25'
    """
    if not sentence[:1].islower():
        return sentence
    named = any(sentence.startswith(unit.name) for unit in battle.units.values())
    return upper_first(sentence) if named or sentence.startswith(tuple(battle.gone.values())) else sentence


def is_secret(unit: Unit, battle: Battle) -> bool:
    """Whether the GM has hidden a unit that no player has seen yet."""
    return unit.is_hidden and unit.id not in battle.seen_as.get(PLAYERS, {})


def names_for(battle: Battle, full: str, count: int, *, is_hidden: bool, is_typed: bool) -> list[str]:
    """Names of units that join together: a single one has no number where nobody else is called that.

    Players must not learn of somebody hidden: who is hidden counts for the names of other hidden ones, and for the
    numbers of those with the same full name, which players count for themselves.

    Args:
        battle: before they join.
        full: what they are called in full.
        count: how many they are.
        is_hidden: whether the GM hides them.
        is_typed: whether the GM has typed that name: then it is not shortened.
    """
    known = [unit for unit in battle.units.values() if is_hidden or not is_secret(unit, battle)]
    short = {stem_of(unit.name): unit.full_name or stem_of(unit.name) for unit in known}
    stem = full if is_typed else short_stem(full, short)
    used = {stem_of(unit.name).casefold() for unit in known}
    if count == 1 and stem.casefold() not in used:
        return [stem]
    same = (unit for unit in battle.units.values() if unit in known or unit.full_name.casefold() == full.casefold())
    taken = {name.casefold() for name in (*(unit.name for unit in same), *battle.gone.values())}
    if stem.casefold() in taken:
        taken.add(f"{stem} 1".casefold())
    return list(_free(stem, count, taken))


def _free(stem: str, count: int, taken: set[str]) -> Iterable[str]:
    number = 0
    for _ in range(count):
        number += 1
        while f"{stem} {number}".casefold() in taken:
            number += 1
        yield f"{stem} {number}"
