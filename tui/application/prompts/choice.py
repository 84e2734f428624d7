"""Menu items, their keys, and the answer to a menu."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from engine.text import upper_first
from engine.values import replace
from tui.application.describe.text_layout import fit

KEYS = "123456789abcdefghilmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Without j and k, which move the selection."""
LABELS = 46
"""Cells for the labels of a group's items."""
GROUP = "group "
"""The start of the id of a group's line."""
UNFOLDS, LIST_KEY = ".", "/"
"""The keys that show the items of a card that are not possible, and the card as a list."""
NO_PASTE = "Paste after {battle.line}"
"""What a paste is told where there is no caret."""
MOST_NUMBERED = 9
"""Items of a card that have no keys of their own and are numbered; more are a list."""


class Choice(Struct, frozen=True):
    """A menu item; `reason` says why it is disabled, "" if it is enabled. Without a `key` it gets the next free one.

    Of two keys the first opens the item's group.
    """

    id: str
    label: str
    note: str = ""
    reason: str = ""
    key: str = ""
    group: str = ""
    """Label of its group; "" for none."""
    heading: str = ""
    """The heading under which it stands; "" for none."""
    cells: tuple[str, ...] = ()
    """Its numbers in the columns of the card; of two the second takes the room of all others."""
    below: tuple[str, str] | None = None
    """Words and a number on a row below it, as a warning."""
    sign: str = ""
    """A sign before its label, in a list."""
    says: str = ""
    """What it does, in a sentence, where the card has columns in place of a note."""

    @property
    def is_group(self) -> bool:
        """Whether it opens a group."""
        return self.id.startswith(GROUP)


class Column(Struct, frozen=True):
    """A column: its title, when it gives way, and what stands in it."""

    title: str
    drop: int = 0
    """Those with the highest rank go first; 0 stays."""
    is_number: bool = False
    least: int = 0
    """Cells to which it is cut before any column goes; 0 where it is never cut."""


class MenuQuestion(Struct, frozen=True):
    """A card or a list, with a question above it."""

    title: str
    choices: Sequence[Choice]
    question: str = ""
    more_keys: Mapping[str, str] = {}
    """Further keys that choose the selected item, with their labels."""
    typed: str | None = None
    """Dice typed early, for the roll after the choice; None if digits choose items."""
    is_by_letter: bool = False
    """Whether letters choose in either case, `j` and `k` too, where no other item has them; further signs of a key are
    waited for, and Enter takes the first item that begins with those typed."""
    narrows: bool = False
    """Whether it is a list of any length that letters narrow, in which no letter is a key."""
    counts: bool = False
    """Whether digits before the letters of such a list are how many: "3 gu"."""
    folds: bool = False
    """Whether disabled items are one row until UNFOLDS is pressed."""
    is_passing: bool = False
    """Whether its items have numbers alone, and any other key closes it and does what it does on the board."""
    columns: tuple[str, ...] = ()
    """Titles of a card's columns of numbers; () for notes beside the labels."""
    table: tuple[Column, ...] = ()
    """Columns of a list, that of the labels first; () for notes beside them."""
    two_columns_from: int = 0
    """The width of a card from which on the rows of its first heading stand beside the others; 0 for never."""
    wraps: bool = False
    """Whether a note that has no room beside its label stands whole on rows below it."""
    escape: str = "back"
    """What Esc does."""
    warning: str = ""
    """What the first Esc says, for another to do it; "" where the first one does."""
    usual: str = ""
    """Id of the item that is marked at first; "" for the first one."""
    later: Callable[[], Iterator[Choice | None]] | None = None
    """Works out numbers little by little while the card is open, and gives each item that has changed."""

    @property
    def is_list(self) -> bool:
        """Whether letters narrow it: a card has a key for each item."""
        return self.narrows or sum(not one.key for one in self.choices) > MOST_NUMBERED


class Picked(Struct, frozen=True):
    """The answer to a menu."""

    id: str
    """Id of the choice; "" if cancelled."""
    key: str = ""
    """The further key that chose it; "" for Enter or the item's key."""
    typed: str = ""
    """Dice typed while the menu was open; of a list that counts, how many."""


def numbers_for(choices: Sequence[Choice]) -> list[str]:
    """The number of each choice, from 1; "" after the ninth."""
    return [str(number) if number < 10 else "" for number in range(1, len(choices) + 1)]


def keys_for(choices: Sequence[Choice], taken: Collection[str] = ()) -> list[str]:
    """The key of each choice: its own, else the next of KEYS that is neither taken nor another's; "" when none is."""
    own = {choice.key for choice in choices}
    free = iter([key for key in KEYS if key not in own and key not in taken])
    return [choice.key or next(free, "") for choice in choices]


def with_keys_of_rows(choices: Sequence[Choice]) -> list[Choice]:
    """The choices of a card that always has the same rows, each with its key."""
    return [replace(one, key=key) for one, key in zip(choices, keys_for(choices), strict=True)]


def key_place(character: str, keys: Sequence[str], *, is_by_letter: bool = False) -> int | None:
    """The place of the item that a key chooses; None for none. By letter that of the other case, if it is one alone."""
    if character in keys:
        return keys.index(character)
    alike = [place for place, key in enumerate(keys) if is_by_letter and key and key == character.swapcase()]
    return alike[0] if len(alike) == 1 else None


def begun_keys(typed: str, keys: Sequence[str]) -> list[int]:
    """The places of the items with a key of several signs that begins with these, in the other case where none does.

    >>> begun_keys("g", ["T", "g1", "g2"]), begun_keys("G", ["T", "g1", "g2"]), begun_keys("g1", ["g1", "g2"])
    ([1, 2], [1, 2], [])
    """
    for text in (typed, typed.swapcase()):
        if any(key.startswith(text) and key != text for key in keys):
            return [place for place, key in enumerate(keys) if key.startswith(text)]
    return []


def narrowed(choices: Sequence[Choice], typed: str) -> list[Choice]:
    """The choices with every typed word at the beginning of one of theirs; those that begin with it all first."""
    found = [one for one in choices if fits(f"{one.label} {one.id} {one.note if one.is_group else ''}", typed)]
    return sorted(found, key=lambda choice: not choice.label.casefold().startswith(typed.casefold().strip()))


def split_count(typed: str) -> tuple[str, str]:
    """Splits how many from the letters after it.

    >>> split_count("3 gu"), split_count("12"), split_count("gu")
    (('3', 'gu'), ('12', ''), ('', 'gu'))
    """
    letters = typed.lstrip("0123456789")
    return typed.removesuffix(letters), letters.lstrip()


def fits(text: str, typed: str) -> bool:
    """Whether every typed word is at the beginning of a word of the text.

    >>> fits("Night shift, warehouse", "wa ni"), fits("rooftops", "tops")
    (True, False)
    """
    words = text.casefold().replace("-", " ").replace("_", " ").split()
    return all(any(word.startswith(want) for word in words) for want in typed.casefold().split())


def grouped(choices: Sequence[Choice]) -> list[Choice]:
    """The items of a menu with a line for each group that has an enabled one, and all disabled ones last.

    The line of a group has the id GROUP and its key. Where no item of a group is enabled they stand singly, behind a
    disabled line for the group.
    """
    found: dict[str, Choice] = {}
    disabled: dict[str, Choice] = {}
    open_groups = {one.group for one in choices if one.group and not one.reason}
    for one in choices:
        id = f"{GROUP}{one.key[:1]}"
        if one.group in open_groups:
            ours = [other for other in choices if other.group == one.group and not other.reason]
            others = [other for other in ours if other.label.casefold() != other.group.casefold()]
            labels = ", ".join(_in_group(other) for other in others) or ours[0].note  # its name is on the line already
            note, says = fit(labels, LABELS).rstrip(), f"{one.group}: {labels}."
            found.setdefault(
                id,
                Choice(id, f"{one.group} …", note, "", one.key[:1], "", ours[0].heading, _best_cells(ours), says=says),
            )
        elif one.group:
            disabled.setdefault(id, Choice(id, f"{one.group} …", "", "none available", one.key[:1]))
            disabled[one.id] = one
        else:
            (disabled if one.reason else found)[one.id] = one
    return [*found.values(), *disabled.values()]


def _best_cells(choices: Sequence[Choice]) -> tuple[str, ...]:
    """The numbers of a group: the least cost, and its best chance as "≤40%"."""
    known = [one.cells for one in choices if len(one.cells) > 2]
    if not known:
        return ()
    costs = sorted({numbers[0] for numbers in known})
    best = max((numbers[1] for numbers in known), key=lambda text: float(text.strip("<>%·") or 0))
    return f"{costs[0]}{'+' * (len(costs) > 1)}", f"≤{best}" if "%" in best else best, "", ""


def group_of(choices: Sequence[Choice], id: str) -> list[Choice]:
    """The items of the group that a line of `grouped` stands for, with their keys in it, the disabled ones last."""
    key = id.removeprefix(GROUP)
    ours = [one for one in choices if one.group and one.key[:1] == key]
    members = [replace(one, label=upper_first(_in_group(one)), key=one.key[1:], group="") for one in ours]
    return sorted(members, key=lambda one: bool(one.reason))


def _in_group(choice: Choice) -> str:
    """An item's label without its group's: "head" for "Called shot, head"."""
    size = len(choice.group)
    is_named = choice.label[:size].casefold() == choice.group.casefold() and choice.label[size : size + 1] in (":", ",")
    return choice.label[size:].lstrip(":, ") if is_named else choice.label
