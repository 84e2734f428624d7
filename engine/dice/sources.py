"""Where dice come from: a seed that can be replayed, or the numbers that real dice on a table showed.

A *roll request* is the unit: one expression rolled for one purpose. A source answers it with faces, or, when the table
typed only a sum, with the total. Sources count on; make a fresh one from (seed, position) for every decision. A plain
number asks for no dice, so it makes no request.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Final, Literal, Protocol

from engine.answers import Ask, Given, GivenAnswer, Needs, typed_dice
from engine.bounds import ListOf, Text, Whole
from engine.dice.dice_expressions import Constant, Dice, DiceThrow, Extreme, Node, Operation, combined, faces_left
from engine.errors import Illegal
from engine.text import clean, count
from engine.values import Stored, replace

KEPT: Final = "kept"
DROPPED: Final = "dropped"
EXPLODED: Final = "exploded"
REROLLED: Final = "rerolled"
MOST_REROLLS = 20
MOST_TYPED_CHARACTERS = 2000
MOST_QUOTED = 30
"""Cells of what was typed that a refusal quotes."""

_GROUP = re.compile(r"\s*([0-9]{1,9}(\s+[0-9]{1,9})*\s*)?", re.ASCII)


def question_of(dice: Dice, purpose: str) -> str:
    """Question for a roll: "Damage: 2d6"."""
    return f"{purpose}: {dice.text}"


def purpose_of(question: str) -> str:
    """What the roll is for that a question asks for.

    >>> purpose_of("Damage: 2d6")
    'Damage'
    """
    return question.rpartition(": ")[0]


class RollAsk(Ask, frozen=True):
    """The table has to roll `dice`, for `purpose`."""

    purpose: str
    dice: Dice
    further: tuple[str, ...] = ()
    """What the rolls of one die each are called that follow at once with the same dice, whatever this one shows: a
    table throws them together, and `answers` takes them together."""
    needed: str = ""
    """The dice and what they need, without a colon, where that is settled: "1d100, 25 or less"; "" elsewhere."""

    def answers(self, text: str) -> Given:
        """Typed dice for it, an answer for each roll; nothing typed lets the seed roll it.

        Raises:
            Illegal: it is no dice.
        """
        groups = _groups(text) or ((),)
        if not groups[0]:
            groups = (*((),) * len(self.further), *groups)
        elif self.further and len(groups[0]) == 1 + len(self.further):
            groups = (*((die,) for die in groups[0]), *groups[1:])
        return typed_dice(groups)


def needs_roll(dice: Dice, purpose: str) -> Needs:
    """The exception that asks for a roll."""
    return Needs(RollAsk(question_of(dice, purpose), purpose, dice))


class DieFace(Stored, frozen=True):
    """One die as it fell. `exploded` counts and was followed by another die; `dropped` and `rerolled` do not count."""

    sides: Whole
    value: Whole
    fate: Literal["kept", "dropped", "exploded", "rerolled"]


class Roll(Stored, frozen=True):
    """A finished roll: the expression's text, its total, every die thrown; no faces when only a total was typed."""

    text: Text
    total: Whole
    faces: ListOf[DieFace]
    is_typed: bool = False

    @property
    def dice(self) -> tuple[int, ...]:
        """Faces of the dice that count; empty when only a total was typed."""
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


class TableSource:
    """Dice typed by people, and their choices; the rest is rolled by `fallback`, or asked for.

    An answer without a question is for the next roll. One with a question waits until that comes up. One with no dice
    lets the seed roll.
    """

    __slots__ = ("_asked", "_left", "_skips", "asks", "fallback")

    def __init__(
        self,
        answers: Iterable[GivenAnswer] = (),
        fallback: SeededSource | None = None,
        *,
        asks: bool = False,
        skips: Iterable[int] = (),
    ):
        self.fallback = fallback
        self.asks = asks
        """Whether to ask for each roll that nobody has answered."""
        self._skips = list(skips)  # dice of the seed that the next typed rolls take the place of
        self._left = list(answers)
        self._asked: list[GivenAnswer | Request] = []

    @property
    def asked(self) -> Given:
        """All questions so far, each with its answer."""
        return tuple(one.answer if isinstance(one, Request) else one for one in self._asked)

    @property
    def left(self) -> Given:
        """The answers that no question has taken."""
        return tuple(self._left)

    def trial(self) -> TableSource:
        """The answers that nobody has taken, without a fallback: what is rolled with it takes none of them."""
        return TableSource(self._left)

    def request(self, dice: Dice, purpose: str) -> Request:
        q = question_of(dice, purpose)
        waiting = [one for one in self._left if one.dice is not None]
        answer = next((one for one in waiting if one.q == q or (one is waiting[0] and not one.q)), None)
        if answer is None and self.asks:
            raise needs_roll(dice, purpose)
        group = answer.dice or () if answer and not answer.by_seed else ()
        if group and self._skips and self.fallback is not None:
            self.fallback.position += self._skips.pop(0)
        request = Request(dice, purpose, group, self.fallback)
        self._take(answer, request)
        return request

    def choice(self, q: str) -> str | None:
        """The answer to a question; None where nobody has answered it."""
        answer = next((one for one in self._left if one.q == q and one.choose is not None), None)
        if answer is None:
            return None
        self._take(answer, answer)
        return answer.choose

    def _take(self, answer: GivenAnswer | None, given: GivenAnswer | Request) -> None:
        self._asked.append(given)
        if answer is not None:
            self._left = [one for one in self._left if one is not answer]


class Request:
    """One roll request being answered: typed numbers first, then the fallback's dice.

    For an expression of several dice a single number is `total`, the sum of everything. Otherwise the first numbers are
    the dice as first thrown, and what follows are the dice that explosions and rerolls add, in their order.
    """

    __slots__ = ("_added", "_drawn", "_fallback", "_first", "dice", "purpose", "total", "typed")

    def __init__(self, dice: Dice, purpose: str, typed: tuple[int, ...], fallback: SeededSource | None) -> None:
        """Raises Illegal when the typed numbers cannot be this roll."""
        self.dice = dice
        self.purpose = purpose
        self.typed = typed
        self.total: int | None = None
        self._fallback = fallback
        self._drawn: list[int] = []
        if len(typed) == 1 and dice.count > 1:
            self.total = typed[0]
            if not dice.lowest <= self.total <= dice.highest:
                cannot = f"{dice.text} gives {dice.lowest} to {dice.highest}, so {self.total} cannot be its total."
                raise _refused(cannot, purpose)
        elif typed and len(typed) < dice.count:
            needed = f"{count(dice.count, 'number')} or one total"
            raise _refused(f"{dice.text} takes {needed}, but {count(len(typed), 'number')} were typed.", purpose)
        self._first = deque(typed[: dice.count])
        self._added = deque(typed[dice.count :])

    @property
    def answer(self) -> GivenAnswer:
        """The question with the dice that were typed, else with those that the seed has rolled, as they fell."""
        dice = self.typed or tuple(self._drawn)
        return GivenAnswer(question_of(self.dice, self.purpose), dice, by_seed=not self.typed)

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
            takes, typed = count(used, "number"), count(len(self.typed), "number")
            raise _refused(f"{self.dice.text} takes {takes} here, but {typed} were typed.", self.purpose)

    def _next(self, typed: deque[int], sides: int) -> int:
        if typed:
            return _face(typed.popleft(), sides, self.purpose)
        if self._fallback is None:
            raise needs_roll(self.dice, self.purpose)
        self._drawn.append(self._fallback.draw(sides))
        return self._drawn[-1]


def roll(dice: Dice, source: DiceSource, purpose: str, needed: Callable[[], str] | None = None) -> Roll:
    """Roll an expression.

    Args:
        dice: a plain number comes back as it is, without a request to the source.
        source: answers one request.
        purpose: what the roll is for, in words a screen can show when it has to ask.
        needed: what the dice need, in words; called when it has to ask.

    Raises:
        Illegal: typed numbers do not fit these dice.
        Needs: the table has to roll and has not typed numbers yet.

    >>> from engine.dice.dice_expressions import parse_dice
    >>> describe(roll(parse_dice("4d6kh3"), TableSource(typed_dice([(5, 1, 3, 6)])), "strength"))
    '4d6kh3 (5, 1 dropped, 3, 6) = 14, typed'
    """
    if not dice.count:
        return Roll(dice.text, dice.lowest, ())
    try:
        return _rolled(dice, source, purpose)
    except Needs as need:
        if needed is not None and isinstance(need.ask, RollAsk):
            need.ask = replace(need.ask, needed=needed())
        raise


def _rolled(dice: Dice, source: DiceSource, purpose: str) -> Roll:
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


def separate_dice(rolled: Roll) -> str:
    """The dice of a roll that are never added up, one by one.

    >>> from engine.dice.dice_expressions import parse_dice
    >>> separate_dice(roll(parse_dice("2d20"), TableSource(typed_dice([(18, 3)])), "strike"))
    '18 and 3, typed'
    """
    shown = [str(face.value) for face in rolled.faces]
    return f"{' and '.join(shown)}{', typed' if rolled.is_typed else ''}"


def refuse_unless_separate(rolled: Roll) -> None:
    """Raises Illegal when only the sum of dice was typed that are read one by one."""
    if not rolled.faces:
        raise Illegal("typed-dice", f"{rolled.text} is read die by die here: type each die, not the sum.")


def parse_typed(text: str) -> Given:
    """Typed numbers: groups divided by `/`, one for each roll; an empty group is rolled by the seed.

    Raises:
        Illegal: anything but whole numbers, blanks and `/`.

    >>> [answer.dice for answer in parse_typed("/ 4 6")]
    [(), (4, 6)]
    """
    return typed_dice(_groups(text))


def _groups(text: str) -> tuple[tuple[int, ...], ...]:
    if not text.strip():
        return ()
    groups = text.split("/")
    if len(text) > MOST_TYPED_CHARACTERS or not all(_GROUP.fullmatch(group) for group in groups):
        raise _refused(f"“{clean(text, MOST_QUOTED)}” is no roll. Type a number, like 45.")
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
    counted = set(order[throw.kept[0] : throw.kept[1]])
    for number, chain in enumerate(chains):
        if number in counted:
            faces += chain
        else:
            faces += [face if face.fate == REROLLED else replace(face, fate=DROPPED) for face in chain]
    return sum(sums[number] for number in counted)


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
    """The face that counts in the end; the throws before it are added to `chain`.

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
    faces = faces_left(throw)
    return faces[request.further(len(faces)) - 1]


def _face(typed: int, sides: int, purpose: str) -> int:
    """A typed number as a face; the 0 of ten-sided and hundred-sided dice is their highest."""
    if typed == 0 and sides in (10, 100):
        return sides
    if not 1 <= typed <= sides:
        raise _refused(f"a d{sides} shows 1 to {sides}, not {typed}.", purpose)
    return typed


def _refused(sentence: str, purpose: str = "") -> Illegal:
    """Why typed numbers cannot be dice, with the roll that they are typed for."""
    named = f"{purpose[0].upper()}{purpose[1:]}: {sentence}" if purpose else sentence
    return Illegal("typed-dice", named)
