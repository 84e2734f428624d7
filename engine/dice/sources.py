"""Where dice come from: a seed that can be replayed, or the numbers that real dice on a table showed.

A *roll request* is the unit: one expression rolled for one purpose. A source answers it with faces, or, when the table
typed only a sum, with the total. Sources count on; make a fresh one from (seed, position) for every decision. A plain
number asks for no dice, so it makes no request.
"""

from __future__ import annotations

import re
from collections import deque
from hashlib import sha256
from typing import Final, Literal, Protocol

from engine.bounds import Text, Whole
from engine.dice.expressions import Constant, Dice, DiceThrow, Extreme, Node, Operation, combined, standing
from engine.errors import Illegal
from engine.values import Stored, replace

KEPT: Final = "kept"
DROPPED: Final = "dropped"
EXPLODED: Final = "exploded"
REROLLED: Final = "rerolled"
MOST_REROLLS = 20
MOST_TYPED_CHARACTERS = 2000

_GROUP = re.compile(r"\s*([0-9]{1,9}(\s+[0-9]{1,9})*\s*)?", re.ASCII)


def question_of(dice: Dice, purpose: str) -> str:
    """What is asked for a roll: "Damage: 2d6"."""
    return f"{purpose}: {dice.text}"


class NeedDice(Exception):
    """The table has to roll: `dice`, for `purpose`. `typed` are the numbers given so far for this very roll.

    `further` are what the rolls of one die each are called that follow at once with the same dice, whatever this one
    shows: a table throws them together, and `groups` takes them together.

    Not an error of the user's: a screen catches it, asks for these dice and decides again with them added.
    """

    def __init__(self, purpose: str, dice: Dice, typed: tuple[int, ...] = (), further: tuple[str, ...] = ()) -> None:
        self.purpose = purpose
        self.dice = dice
        self.typed = typed
        self.further = further
        self.before: tuple[tuple[int, ...], ...] = ()
        """What answered the rolls of the command before this one."""
        super().__init__(question_of(dice, purpose))

    def groups(self, text: str) -> tuple[tuple[int, ...], ...]:
        """What was typed for it, a group for each roll; nothing typed lets the seed roll it and what follows at once.

        Raises:
            Illegal: it is no dice.
        """
        groups = parse_typed(text) or ((),)
        if not groups[0]:
            return (*((),) * len(self.further), *groups)
        if len(groups[0]) == 1 + len(self.further):
            return (*((die,) for die in groups[0]), *groups[1:]) if self.further else groups
        return groups


class DieFace(Stored, frozen=True):
    """One die as it fell. `exploded` counts and was followed by another die; `dropped` and `rerolled` do not count."""

    sides: Whole
    value: Whole
    fate: Literal["kept", "dropped", "exploded", "rerolled"]


class Roll(Stored, frozen=True):
    """A finished roll: the expression's text, its total, every die thrown; no faces when only a total was typed."""

    text: Text
    total: Whole
    faces: tuple[DieFace, ...]
    is_typed: bool = False

    @property
    def dice(self) -> tuple[int, ...]:
        """What each die that counts shows; nothing when only a total was typed."""
        return tuple(face.value for face in self.faces if face.fate == KEPT)


NO_ROLL = Roll("", 0, ())
"""What stands for the dice where nothing is rolled."""


class DiceSource(Protocol):
    """Anything that answers roll requests."""

    def request(self, dice: Dice, purpose: str) -> Request:
        """The answer to one roll request, die by die."""
        ...


class SeededSource:
    """Dice that depend on a seed and a position alone: the same on every machine, and undone by going back.

    `position` is the number of the next die; every die drawn moves it by one.
    """

    __slots__ = ("position", "seed")

    def __init__(self, seed: str, position: int = 0) -> None:
        self.seed = seed
        self.position = position

    def draw(self, sides: int) -> int:
        """One die, 1 to `sides`."""
        digest = sha256(f"{self.seed}:{self.position}".encode()).digest()
        self.position += 1
        return int.from_bytes(digest, "big") % sides + 1

    def request(self, dice: Dice, purpose: str) -> Request:
        return Request(dice, purpose, (), self)


Asked = tuple[str, tuple[int, ...]]
"""A question, as `question_of` puts it, and the numbers that answered it; none let the seed roll."""


class TableSource:
    """Dice that were typed in, one group of numbers for each roll request (see `parse_typed`).

    After the last group come answers that are kept from a time before, each when its question comes up again. An empty
    group, and every other request, is rolled by `fallback`; without one it raises NeedDice.
    """

    __slots__ = ("_given", "_kept", "_requests", "fallback", "groups")

    def __init__(
        self, groups: tuple[tuple[int, ...], ...], fallback: SeededSource | None = None, kept: tuple[Asked, ...] = ()
    ) -> None:
        self.groups = groups
        self.fallback = fallback
        self._kept = list(kept)
        self._requests: list[Asked] = []
        self._given = 0

    @property
    def taken(self) -> int:
        """How many rolls were asked for."""
        return len(self._requests)

    @property
    def unused(self) -> tuple[tuple[int, ...], ...]:
        """The groups that no request has taken yet."""
        return self.groups[self.taken :]

    @property
    def given(self) -> tuple[Asked, ...]:
        """The requests up to the last that somebody answered, each with its answer."""
        return tuple(self._requests[: self._given])

    def has(self, dice: Dice, purpose: str) -> bool:
        """Whether somebody has answered the request that comes next."""
        return bool(self.unused) or self._kept_answer(question_of(dice, purpose)) is not None

    def request(self, dice: Dice, purpose: str) -> Request:
        question, is_typed = question_of(dice, purpose), bool(self.unused)
        kept = None if is_typed else self._kept_answer(question)
        group = self.unused[0] if is_typed else kept[1] if kept else ()
        if kept:
            self._kept.remove(kept)
        self._requests.append((question, group))
        if is_typed or kept:
            self._given = len(self._requests)
        return Request(dice, purpose, group, self.fallback)

    def _kept_answer(self, question: str) -> Asked | None:
        return next((kept for kept in self._kept if kept[0] == question), None)


class Request:
    """One roll request being answered: typed numbers first, then the fallback's dice.

    For an expression of several dice a single number is `total`, the sum of everything. Otherwise the first numbers are
    the dice as first thrown, and what follows are the dice that explosions and rerolls add, in their order.
    """

    __slots__ = ("_added", "_fallback", "_first", "dice", "purpose", "total", "typed")

    def __init__(self, dice: Dice, purpose: str, typed: tuple[int, ...], fallback: SeededSource | None) -> None:
        """Raises Illegal when the typed numbers cannot be this roll."""
        self.dice = dice
        self.purpose = purpose
        self.typed = typed
        self.total: int | None = None
        self._fallback = fallback
        if len(typed) == 1 and dice.count > 1:
            self.total = typed[0]
            if not dice.lowest <= self.total <= dice.highest:
                raise _refused(
                    f"{dice.text} gives {dice.lowest} to {dice.highest}, so {self.total} cannot be its total."
                )
        elif typed and len(typed) < dice.count:
            raise _refused(
                f"{dice.text} takes {_numbers(dice.count)} or one total, but {_numbers(len(typed))} were typed."
            )
        self._first = deque(typed[: dice.count])
        self._added = deque(typed[dice.count :])

    def first(self, sides: int) -> int:
        """The next of the dice first thrown."""
        return self._next(self._first, sides)

    def further(self, sides: int) -> int:
        """A die that an explosion or a reroll adds."""
        return self._next(self._added, sides)

    def close(self) -> None:
        """Raises Illegal when numbers are left over."""
        if self._added:
            used = len(self.typed) - len(self._added)
            raise _refused(f"{self.dice.text} takes {_numbers(used)} here, but {_numbers(len(self.typed))} were typed.")

    def _next(self, typed: deque[int], sides: int) -> int:
        if typed:
            return _face(typed.popleft(), sides)
        if self._fallback is None:
            raise NeedDice(self.purpose, self.dice, self.typed)
        return self._fallback.draw(sides)


def roll(dice: Dice, source: DiceSource, purpose: str) -> Roll:
    """Roll an expression.

    Args:
        dice: a plain number comes back as it is, without a request to the source.
        source: answers one request.
        purpose: what the roll is for, in words a screen can show when it has to ask.

    Raises:
        Illegal: typed numbers do not fit these dice.
        NeedDice: the table has to roll and has not typed numbers yet.

    >>> from engine.dice.expressions import parse_dice
    >>> describe(roll(parse_dice("4d6kh3"), TableSource(((5, 1, 3, 6),)), "strength"))
    '4d6kh3 (5, 1 dropped, 3, 6) = 14, typed'
    """
    if not dice.count:
        return Roll(dice.text, dice.lowest, ())
    request = source.request(dice, purpose)
    if request.total is not None:
        return Roll(dice.text, request.total, (), is_typed=True)
    faces: list[DieFace] = []
    total = _total(dice.root, request, faces)
    request.close()
    return Roll(dice.text, total, tuple(faces), is_typed=bool(request.typed))


def describe(rolled: Roll) -> str:
    """A roll in one line: the expression, its dice with their fates, the total, and whether it was typed."""
    marks = {KEPT: "", EXPLODED: "!", DROPPED: " dropped", REROLLED: " rerolled"}
    shown = ", ".join(f"{face.value}{marks[face.fate]}" for face in rolled.faces)
    is_plain = len(rolled.faces) < 2 and shown in ("", str(rolled.total))
    if is_plain and rolled.text == str(rolled.total):
        return rolled.text
    dice = "" if is_plain else f" ({shown})"
    return f"{rolled.text}{dice} = {rolled.total}{', typed' if rolled.is_typed else ''}"


def apart(rolled: Roll) -> str:
    """The dice of a roll that are never added up, one by one.

    >>> from engine.dice.expressions import parse_dice
    >>> apart(roll(parse_dice("2d20"), TableSource(((18, 3),)), "strike"))
    '18 and 3, typed'
    """
    shown = [str(face.value) for face in rolled.faces]
    return f"{' and '.join(shown)}{', typed' if rolled.is_typed else ''}"


def refuse_unless_apart(rolled: Roll) -> None:
    """Raises Illegal when only the sum of dice was typed that are read one by one."""
    if not rolled.faces:
        raise Illegal("typed-dice", f"{rolled.text} is read die by die here: type each of them, not their sum.")


def parse_typed(text: str) -> tuple[tuple[int, ...], ...]:
    """The numbers a table typed: groups divided by `/`, one for each roll; an empty group is rolled for the table.

    Raises:
        Illegal: anything but whole numbers, blanks and `/`.

    >>> parse_typed("45 / 4 6"), parse_typed("/ 4 6")
    (((45,), (4, 6)), ((), (4, 6)))
    """
    if not text.strip():
        return ()
    groups = text.split("/")
    if len(text) > MOST_TYPED_CHARACTERS or not all(_GROUP.fullmatch(group) for group in groups):
        raise _refused("Type dice as whole numbers with blanks between them, and a / before the next roll: 45 / 4 6.")
    return tuple(tuple(int(number) for number in group.split()) for group in groups)


def _total(node: Node, request: Request, faces: list[DieFace]) -> int:
    match node:
        case Constant(value):
            return value
        case DiceThrow():
            return _thrown(node, request, faces)
        case Operation(sign, left, right):
            first = _total(left, request, faces)
            return combined(sign, first, _total(right, request, faces))
        case Extreme(kind, parts):
            totals = [_total(part, request, faces) for part in parts]
            return min(totals) if kind == "min" else max(totals)


def _thrown(throw: DiceThrow, request: Request, faces: list[DieFace]) -> int:
    """The sum of the dice that count; every die thrown is added to `faces`, a die's further throws right behind it."""
    firsts = [request.first(throw.sides) for _ in range(throw.count)]
    chains = [_chain(throw, face, request) for face in firsts]
    sums = [sum(face.value for face in chain if face.fate != REROLLED) for chain in chains]
    order = sorted(range(throw.count), key=sums.__getitem__)
    kept = set(order[throw.kept[0] : throw.kept[1]])
    for number, chain in enumerate(chains):
        if number in kept:
            faces += chain
        else:
            faces += [face if face.fate == REROLLED else replace(face, fate=DROPPED) for face in chain]
    return sum(sums[number] for number in kept)


def _chain(throw: DiceThrow, first: int, request: Request) -> list[DieFace]:
    """A die and the throws that rerolls and explosions add to it."""
    chain: list[DieFace] = []
    face = _settled(throw, first, request, chain)
    for _ in range(throw.explosions):
        if face != throw.sides:
            break
        chain.append(DieFace(throw.sides, face, EXPLODED))
        face = _settled(throw, request.further(throw.sides), request, chain)
    chain.append(DieFace(throw.sides, face, KEPT))
    return chain


def _settled(throw: DiceThrow, face: int, request: Request, chain: list[DieFace]) -> int:
    """The face a die comes to rest on; the throws before it are added to `chain`.

    After MOST_REROLLS one more throw picks among the faces that may stand: the same chances, and an end to it.
    """
    for _ in range(1 if throw.reroll_once else MOST_REROLLS):
        if face not in throw.rerolled:
            return face
        chain.append(DieFace(throw.sides, face, REROLLED))
        face = request.further(throw.sides)
    if throw.reroll_once or face not in throw.rerolled:
        return face
    chain.append(DieFace(throw.sides, face, REROLLED))
    faces = standing(throw)
    return faces[request.further(len(faces)) - 1]


def _face(typed: int, sides: int) -> int:
    """A typed number as a face; the 0 of ten-sided and hundred-sided dice is their highest."""
    if typed == 0 and sides in (10, 100):
        return sides
    if not 1 <= typed <= sides:
        raise _refused(f"A d{sides} shows 1 to {sides}, not {typed}.")
    return typed


def _numbers(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"


def _refused(sentence: str) -> Illegal:
    return Illegal("typed-dice", sentence)
