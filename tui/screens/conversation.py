"""The conversation with the Game Master: every key's command, what is asked, what is said back.

It decides nothing about the game (the session does) and draws nothing (the battle screen does). Light, as the command
line is: what a key opens over the board is loaded by that key, so that the board is there the sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.screen import Screen

from engine.answers import Given, GivenAnswer, Needs, typed_dice
from engine.battle import command as cmd
from engine.battle.attacks.attack_preview import Shot
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.events import Event
from engine.battle.narration import headline, summarise
from engine.battle.narration.question_text import question_words
from engine.battle.state.battle import Battle
from engine.dice.sources import RollAsk, parse_typed
from engine.errors import BattleboardError, Illegal
from engine.geometry.squares import Square
from engine.journal.session import Session
from engine.values import replace
from tui.board.board_view import BoardView
from tui.board.overlay import Overlay
from tui.describe.styled_text import wrap
from tui.focus import focus as foci
from tui.focus.focus import Focus
from tui.keys.battle_keys import BATTLE_KEYS, with_keys
from tui.overlays.overlay_list import follows_cursor
from tui.overlays.shading import PLAIN
from tui.panels.prompt import WRONG_DICE, PromptBar

if TYPE_CHECKING:
    from tui.modals.menu import Choice

SLIM = 72
"""Narrower than this, the verdict takes a third row."""
NO_TARGET = "Pick a target first: {battle.next_target} for the next enemy, or {board.choose} on one."


def dropped_words(wish: cmd.Command, battle: Battle) -> str:
    """What is said of a command that is cancelled while its dice are asked for."""
    if isinstance(wish, cmd.Attack):
        aim = wish.square.name if wish.square else battle.called(wish.target)
        what = f"{battle.called(wish.unit)}'s attack on {aim}"
    else:
        what = "The command"
    return f"{what} is cancelled: nothing of it has happened, and dice typed for it do not count."


class Conversation(Screen[None]):
    """Holds the session and the focus; everything shown follows from the two."""

    BINDINGS = BATTLE_KEYS  # type: ignore[assignment]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        battle = session.battle
        start = battle.units[battle.turns.active].at if battle.turns.active else Square(0, 0)
        self.board = BoardView(id="board")
        self.looked = Focus(unit=battle.turns.active, cursor=start)
        self.shot: Shot | str | None = None
        self.shading = PLAIN
        self.note = ""
        """What was said last; it stands in the verdict's place until the next key."""
        self.result = ""
        """What the last command came to: of that the end is what counts, where it is too long to be shown."""
        self._typed_ahead = ""
        """Dice typed while it was asked who defends, for the roll after that."""
        self.line = ""
        """The line that is being done, "" for none: where dice typed in it cannot be, it stays to be mended."""
        self.typed_lines: list[str] = []
        """Lines of words typed so far, oldest first."""
        self._drawn: tuple[Battle, str] | None = None
        """The battle and the unit for which a move was drawn to be made; None where anything happened since."""

    @property
    def looked(self) -> Focus:
        """The focus. Where the cursor is the board knows."""
        cursor = self.board.cursor
        return self._looked if cursor is None else replace(self._looked, cursor=cursor)

    @looked.setter
    def looked(self, focus: Focus) -> None:
        self._looked = focus
        self.board.overlay = replace(self.board.overlay, cursor=focus.cursor)

    def show_all(self) -> None:
        """Shows everything anew."""
        raise NotImplementedError

    def show_cursor(self) -> None:
        """Shows what follows the cursor."""
        raise NotImplementedError

    def set_panel(self, name: str, is_shown: bool) -> None:
        """Shows or hides a panel from now on."""
        raise NotImplementedError

    def begin_tour(self) -> None:
        """Begins the tour, from its first step."""
        raise NotImplementedError

    def way(self) -> tuple[Square, ...]:
        """The way to the cursor that is drawn; nothing where the unit cannot go."""
        raise NotImplementedError

    def has_drawn(self, unit: str) -> None:
        """Where a unit can go is drawn now, so that the same key moves it; until anything happens."""
        self._drawn = self.session.battle, unit

    @property
    def is_drawn(self) -> bool:
        """Whether what is drawn is the move of the unit in focus, in the battle as it is now."""
        if self._drawn is None or self.looked.shading != "reach":
            return False
        battle, unit = self._drawn
        return battle is self.session.battle and unit == self.looked.unit

    # Messages of the board

    def follow(self, overlay: Overlay) -> None:
        """At once when the board's cursor has moved: with its message the words would come one frame after it."""
        if overlay.cursor == self._looked.cursor:
            return
        if self.is_asking:
            self.looked = self._looked
            return
        self._looked, self.note = self.looked, ""
        self.show_cursor()

    def on_board_view_square_chosen(self, message: BoardView.SquareChosen) -> None:
        if self.is_asking:
            self.query_one(PromptBar).keep_keys()
            return
        battle = self.session.battle
        here = foci.next_here(battle, message.square, self.looked.target, self.looked.unit)
        looked = replace(self.looked, cursor=message.square)
        subject = battle.units.get(looked.unit)
        if here is None or here.is_defeated:
            if self.looked.shading in foci.WALKS:
                self.action_move()
            return
        looked = replace(looked, target=here.id) if subject and here.side != subject.side else looked.on_unit(here.id)
        if looked != self.looked:
            self.look(looked)

    def look(self, focus: Focus, *, whole: bool = True) -> None:
        """Another focus; what was just said is let go, and so are shares of an attack that is another now."""
        if focus.attack != self._looked.attack and focus.share == self._looked.share:
            focus = replace(focus, share=())
        self.looked, self.note = focus, ""
        self.show_all() if whole else self.show_cursor()

    # Commands

    @property
    def is_asking(self) -> bool:
        return self.query_one(PromptBar).is_asking

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No command while a question is asked, nor where it could not be seen, be it on a board that is gone."""
        return bool(self.query(PromptBar)) and not self.is_asking and not self.has_class("-too-small")

    def submit(self, command: cmd.Command, answers: Given = ()) -> None:
        """Commits a command and shows what it came to; the seed rolls. A refusal is said and changes nothing."""
        self.roll(command, answers, asks_dice=False)

    def _came_to(self, command: cmd.Command, events: tuple[Event, ...], active_before: str) -> None:
        """Says what a command came to, with the unit in focus whose turn it is now."""
        self.follow_turn(active_before)
        self.result = self.summary(events)
        self.say(self.result)

    def summary(self, events: Sequence[Event]) -> str:
        """What a command came to; where that is too long for the verdict, without the sums that lead to it."""
        battle, rules = self.session.battle, self.session.rules
        whole = summarise(events, battle, rules)
        return whole if self.has_room(whole) else summarise(events, battle, rules, is_short=True)

    def follow_turn(self, active_before: str) -> None:
        """When the turn has passed to another unit, that one is in focus."""
        battle, self._drawn = self.session.battle, None
        if battle.turns.active and battle.turns.active != active_before:
            shading = self.looked.shading if self.looked.shading not in foci.WALKS else "plain"
            self.looked = Focus(unit=battle.turns.active, cursor=battle.units[battle.turns.active].at, shading=shading)

    @property
    def verdict_rows(self) -> int:
        """Rows that the verdict has."""
        return 3 if self.size.width < SLIM else 2

    def has_room(self, told: str) -> bool:
        """Whether the verdict shows that whole."""
        return len(wrap(told, self.size.width - 2)) <= self.verdict_rows

    def say(self, sentence: str) -> None:
        """A sentence in the verdict's place until the next key."""
        self.note = sentence
        self.show_all()

    def action_target(self, step: int) -> None:
        battle = self.session.battle
        if not foci.enemies(battle, self.looked.unit):
            unit = battle.units.get(self.looked.unit)
            nobody = with_keys("Nobody is in focus: {battle.select} takes who is here.")
            self.say(f"{unit.name} has no enemy in the fight." if unit else nobody)
            return
        self.look(foci.next_target(self.looked, battle, self.session.rules, step))

    def action_select(self) -> None:
        here = foci.next_here(self.session.battle, self.looked.cursor, self.looked.unit)
        if here is None:
            self.say(f"Nobody stands on {self.looked.cursor.name}.")
            return
        self.look(self.looked.on_unit(here.id))

    def _ask_dice(self, wish: cmd.Command, before: Given, label: str, need: Needs | None = None) -> None:
        """Asks for one roll after another, those that are thrown together at once; an empty first answer lets the seed
        roll them all, a / the first alone, // what is left of them.

        Args:
            wish: the command.
            before: the answers that were given before.
            label: what is asked.
            need: what has asked; None before the command was tried.
        """
        is_first = need is None or all(one.dice is None for one in need.asked)

        def answered(text: str) -> None:
            try:
                if text.strip() == "//" or (not text and is_first):
                    self.submit_asking(wish, before, asks_dice=False)
                    return
                roll = need.ask if need is not None and isinstance(need.ask, RollAsk) else None
                is_seed = text.strip() == "/"
                given = typed_dice([()]) if is_seed else roll.answers(text) if roll else parse_typed(text)
                self.submit_asking(wish, need.answered(*given) if need else (*before, *given))
            except Illegal as reason:
                self.say(str(reason))
                if reason.reason in WRONG_DICE:  # the dice typed before still count
                    self._ask_dice(wish, before, label, need)

        dropped = partial(self.say, dropped_words(wish, self.session.battle))
        self.query_one(PromptBar).ask(label, answered, self._typed_ahead.strip(), cancelled=dropped)

    def roll(self, wish: cmd.Command, answers: Given = (), *, asks_dice: bool = True) -> None:
        """Commits a command, asking for the dice that it needs and that are not typed; a refusal is said."""
        self.line = ""
        try:
            self.submit_asking(wish, answers, asks_dice=asks_dice)
        except Illegal as reason:
            self.say(str(reason))

    def keep_line(self, reason: BattleboardError) -> None:
        """Asks again for the line that is being done, where dice typed in it are what was refused."""
        from tui.screens.command_line import ask_line

        if self.line and isinstance(reason, Illegal) and reason.reason in WRONG_DICE:
            ask_line(self, self.line)

    def submit_asking(self, wish: cmd.Command, answers: Given = (), *, asks_dice: bool = True) -> None:
        """Commits a command with answers, or asks for the next that it needs; raises Illegal.

        Where it does not ask for dice, the seed rolls what is not typed.
        """
        active = self.session.battle.turns.active
        try:
            events = self.session.submit(wish, answers, asks=True, asks_dice=asks_dice)
        except Needs as need:
            if isinstance(need.ask, DefenceAsk):
                again, given = partial(self.submit_asking, wish, asks_dice=asks_dice), need.answered
                self.ask_defence(need.ask, lambda said: again(given(*([said] if said else ()))))
            elif isinstance(need.ask, RollAsk):
                from tui.commands.dice_prompts import dice_question, rolls_named

                is_first = all(one.dice is None for one in need.asked)
                question = dice_question(need.ask, self.session.rules, is_first=is_first)
                self.note = self._before_roll(wish, need)
                if not is_first and not self.query_one(PromptBar).has_room(question):
                    self.note = f"{self.note} {rolls_named(need.ask)}."
                self.result = self.note
                self.show_cursor()
                self._ask_dice(wish, answers, question, need)
        except Illegal:
            raise
        except BattleboardError as reason:
            self.say(str(reason))
        else:
            self._came_to(wish, events, active)

    def _before_roll(self, wish: cmd.Command, need: Needs) -> str:
        """What is said while a roll is asked for: what has happened of the command, else how likely it succeeds."""
        if any(one.dice is not None for one in need.asked) and need.happened:
            return summarise(need.happened, need.battle, self.session.rules)
        return foci.above_dice(wish, self.session.battle, self.session.rules)

    def ask_defence(self, ask: DefenceAsk, go_on: Callable[[GivenAnswer | None], None]) -> None:
        """Asks who defends against an attack that is rolled, and goes on with the answer; None to be asked again."""
        from tui.modals.menu import DEFENCE_HINT, Menu
        from tui.screens.menu_choices import defence_choices
        from tui.screens.policy_menu import POLICY_KEYS, learn_answer

        def chosen(answer: str | None) -> None:
            said: GivenAnswer | None = ask.answer(answer or "")
            self._typed_ahead = menu.typed
            if menu.pressed:
                meant = [one for one in ask.options if one.id == answer] or ask.options
                learn_answer(self, menu.pressed, meant)
                is_taken = menu.pressed in "aA" and answer != "none"
                said = said if is_taken else None  # asked again, unless nothing is left to ask
            try:
                go_on(said)
            except Illegal as reason:
                self.say(str(reason))
                self.keep_line(reason)
            self._typed_ahead = ""

        who = ask.struck.name if ask.is_one_of_several else "anybody"
        choices = defence_choices(ask, self.session.rules, POLICY_KEYS)
        asked = question_words(ask, self.session.rules)
        menu = Menu(f"Does {who} defend?", choices, asked, POLICY_KEYS, self._typed_ahead, DEFENCE_HINT)
        self.app.push_screen(menu, chosen)

    def action_move(self) -> None:
        from tui.screens.move_mode import go

        go(self)

    def action_cancel(self) -> None:
        """Leaves the move, or whatever is shaded, then the target; at last it goes back to whose turn it is."""
        battle = self.session.battle
        if self.looked.shading != "plain":
            self.look(replace(self.looked, shading="plain", move="", altitude=None))
        elif self.looked.target or not battle.turns.active:
            self.look(replace(self.looked, target=""))
        else:
            self.look(replace(self.looked.on_unit(battle.turns.active), cursor=battle.units[battle.turns.active].at))

    def action_end_turn(self) -> None:
        self.roll(cmd.EndTurn())

    def action_undo(self) -> None:
        self._go(self.session.undo, "Taken back")

    def action_redo(self) -> None:
        self._go(self.session.redo, "Done again")

    def _go(self, step: Callable[[], tuple[Event, ...]], said: str) -> None:
        battle, rules = self.session.battle, self.session.rules
        try:
            events = step()
        except BattleboardError as reason:
            self.say(str(reason))
            return
        self.follow_turn(battle.turns.active)
        self.result = f"{said}: {headline(events, battle, rules) or 'the last command.'}"
        self.say(self.result)

    def shade(self, shading: str, move: str = "") -> None:
        """Shows something on the ground, and says what."""
        self._drawn = None  # whoever draws a move to be made says so after it
        self.look(replace(self.looked, shading=shading, move=move))
        if not follows_cursor(self.looked):  # those say themselves what they show
            self.note = self.shading.words
            self.show_cursor()

    def choose(self, title: str, choices: list[Choice], chosen: Callable[[str | None], None]) -> None:
        """Offers a list; `chosen` gets the id of what was taken, "" for nothing."""
        from tui.modals.menu import Menu

        self.app.push_screen(Menu(title, choices), chosen)

    def ask_command(
        self, label: str, parse: Callable[[str], cmd.Command], value: str = "", *, takes_nothing: bool = False
    ) -> None:
        """Asks for a command in words and commits it; nothing typed is nothing done, where it means nothing."""

        def answered(text: str) -> None:
            if not text and not takes_nothing:
                return
            try:
                command = parse(text)
            except BattleboardError as reason:
                self.say(str(reason))
                return
            self.submit(command)

        self.query_one(PromptBar).ask(label, answered, value)
