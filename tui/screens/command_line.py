"""The line of words on the board: what is typed after `:` is heard, done and told, with completion and history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from engine.battle.command import Act, Attack, EndTurn
from engine.battle.commands.order_commands import RollInitiative
from engine.errors import BattleboardError, Illegal
from tui.commands.completion import completed, completions, usage
from tui.commands.registry import hear
from tui.commands.results import Correction, Setting, ShowPanel, SubmitCommand, Told, TourWanted, Travel
from tui.describe.styled_text import lines, plain, wrap
from tui.focus import focus as foci
from tui.modals.text_modal import SheetScreen, room
from tui.panels.prompt import LineHelp, PromptBar
from tui.screens.gm_menu import correct_roll
from tui.terminal.output import filling

if TYPE_CHECKING:
    from tui.screens.conversation import Conversation

SHORT = 2
"""Lines and rows of an answer that is said in the verdict's place; a longer one gets a sheet."""
MOST_KEPT = 200
ROLLED = Attack | Act | EndTurn | RollInitiative
"""Commands whose dice the board asks for, be they keys or words."""


def ask_line(talk: Conversation, value: str = "") -> None:
    """Asks for a line and does what it says."""

    pages = Pages()

    def complete(text: str) -> str:
        setting = _setting(talk)
        line = completed(text, setting)
        found = completions(text, setting)
        talk.say(pages.next(line, found, talk.has_room) if found else usage(text, setting))
        return line

    def answered(text: str) -> None:
        if text:
            talk.typed_lines = [*(line for line in talk.typed_lines if line != text), text][-MOST_KEPT:]
            hear_line(talk, text)

    talk.query_one(PromptBar).ask(":", answered, value, LineHelp(complete, talk.typed_lines))


class Pages:
    """The words that Tab offers, as many as there is room for; Tab again on the same line shows the next of them."""

    def __init__(self) -> None:
        self._line, self._begin = "", 0

    def next(self, line: str, found: Sequence[str], has_room: Callable[[str], bool]) -> str:
        """The next words that fit, and how many there are besides."""
        begin = self._begin if line == self._line and self._begin < len(found) else 0
        end = len(found)
        while end > begin + 1 and not has_room(_offered(found, begin, end)):
            end -= 1
        self._line, self._begin = line, end
        return _offered(found, begin, end)


def _offered(found: Sequence[str], begin: int, end: int) -> str:
    if not begin and end == len(found):
        return f"{' · '.join(found)}."
    return f"{' · '.join(found[begin:end])}. {begin + 1}–{end} of {len(found)}: Tab for more."


def hear_line(talk: Conversation, text: str) -> None:
    """Does what a line says, and says what it came to."""
    width = room(talk.size.width)
    talk.line = text
    try:
        with filling(width):
            spoken = hear(text, _setting(talk))
    except BattleboardError as reason:
        talk.say(str(reason))
        talk.keep_line(reason)
        return
    match spoken:
        case SubmitCommand():
            asks = spoken.asks or spoken.answers or isinstance(spoken.command, ROLLED)
            try:
                talk.submit_asking(spoken.command, spoken.answers, asks_dice=bool(asks))
                if spoken.note:
                    talk.say(f"{talk.note} {spoken.note}")
            except Illegal as reason:
                talk.say(str(reason))
                talk.keep_line(reason)
        case Travel():
            _travel(talk, spoken.back)
        case Correction():
            correct_roll(talk, spoken.typed)
        case ShowPanel():
            talk.set_panel(spoken.name, spoken.is_shown)
        case TourWanted():
            talk.begin_tour()
        case Told():
            _tell(talk, text, spoken, width)


def _travel(talk: Conversation, back: int) -> None:
    """Takes commands back, or does them again, and names each of them; as many as there are."""
    said: list[str] = []
    for _ in range(abs(back)):
        before = talk.session.battle
        talk.action_undo() if back > 0 else talk.action_redo()
        if talk.session.battle is before:
            break
        said.append(talk.result)
    if len(said) > 1:
        first, *others = said
        others = [one.partition(": ")[2] for one in others]
        talk.result = f"{len(said)} commands, the last first. " * (back > 0) + " ".join([first, *others])
        talk.say(talk.result)


def _tell(talk: Conversation, text: str, told: Told, told_for: int) -> None:
    """An answer: a short one in the verdict's place, else on a sheet, where it is told anew for another width."""
    said = " ".join(told.lines)
    is_one = not told.is_list or len(told.lines) == 1
    if is_one and len(told.lines) <= SHORT and len(wrap(said, talk.size.width - 2)) <= SHORT:
        talk.say(said)
        return

    def build(width: int) -> Content:
        with filling(width):
            again = told if width == told_for else hear(text, _setting(talk))
        assert isinstance(again, Told)
        return lines(plain(row) for line in again.lines for row in _rows(line, width))

    talk.app.push_screen(SheetScreen(told.title, build))


def _rows(line: str, width: int) -> list[str]:
    """A line broken where it is too long, each row as far in as the line begins."""
    indent = " " * (len(line) - len(line.lstrip()))
    return [f"{indent}{row}" for row in wrap(line.strip(), width - len(indent))] or [""]


def _setting(talk: Conversation) -> Setting:
    battle, rules = talk.session.battle, talk.session.rules
    attack = foci.attack_in(talk.looked, battle, rules)
    steps, is_ascii = talk.session.history.steps(), not talk.board.glyphs.has_unicode
    return Setting(battle, rules, talk.looked.unit, talk.looked.cursor, attack, steps, is_ascii)
