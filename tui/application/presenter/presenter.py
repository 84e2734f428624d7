"""Presenter of a battle: holds the session, the focus and the shown sentence; decides no rules and draws nothing.

The session decides, the display draws. No module of this folder imports Textual, so that tests need no
screen. Each key's command is a function in `key_actions`; modes (move, attack out of turn) are separate objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from engine.answers import Given, Needs
from engine.battle import command as cmd
from engine.battle.attacks.area_odds import friends_at_risk
from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.attacks.attack_refusals import out_of_turn
from engine.battle.attacks.auto_reactions import still_open
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.attacks.reactions import drawn_by_attack, takes_any_action
from engine.battle.attacks.scatter import has_scatter
from engine.battle.attacks.split_hits import share_answers
from engine.battle.commands.order_commands import Delay, RollInitiative, SetTurn
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_actions import Ready
from engine.battle.events import AttackRolled, Event, LastTurnCame, RoundBegan, TurnBegan
from engine.battle.facts import BARE_SQUARE
from engine.battle.moves.moves import MoveAsk
from engine.battle.narration import drops_in_its_turn, left_alone, narrate, summarise
from engine.battle.narration.preview_text import friend_words, roll_needed, verdict
from engine.battle.state.battle import Battle, Opening
from engine.battle.state.gm_overrides import ASK, AUTO, OFF
from engine.battle.turns.turn_order import may_be_next
from engine.battle.unit_names import capitalised
from engine.battle.views.unit_letters import signs_of
from engine.battle.views.verdict import verdict_of
from engine.battle.views.view import project
from engine.battle.wording import price_words
from engine.dice.dice_text import number, percent
from engine.dice.sources import RollAsk
from engine.errors import BattleboardError, Illegal
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Square
from engine.journal.history import Step
from engine.journal.session import Session
from engine.rules.model import SURPRISED
from engine.text import sentence
from engine.values import replace
from tui.application.commands.dice_prompts import dice_questions
from tui.application.describe.attack_result import Result
from tui.application.describe.dice_tray import Tray
from tui.application.describe.last_command import LastCommand, last_command, plan_of
from tui.application.describe.round_line import round_line
from tui.application.describe.text_layout import ENDLESS, wrap
from tui.application.describe.turn_choice import choice_title, is_choice
from tui.application.focus import focus as foci
from tui.application.focus.focus import Focus
from tui.application.focus.square_text import aim_words, path_words, square_words
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import ACT, ALWAYS, LATER, PASS, REPEAT
from tui.application.overlays.overlay_list import compute_overlay, follows_cursor, follows_window, overlay_of
from tui.application.overlays.overlay_tints import NO_TINTS, OverlayTints
from tui.application.overlays.overwatch import zone_aimed
from tui.application.presenter.alternatives import instead
from tui.application.presenter.command_questions import WRONG_DICE, ask_defence, ask_dice, ask_price
from tui.application.presenter.display import Display
from tui.application.presenter.placing import ACTS, FIRES, MOVES, Placing
from tui.application.presenter.reaction_prompt import reaction_question, turn_ends_words
from tui.application.presenter.reactions import Reactions
from tui.application.prompts.choice import Choice, MenuQuestion, Picked
from tui.application.prompts.line_help import LineHelp
from tui.application.prompts.open_prompt import ask_until_taken

POLICIES_OF_KEYS = {"a": AUTO, "n": OFF}
RESUMES = (cmd.Move, cmd.Attack, cmd.Act, Ready)
"""Commands of a unit that continue past open reactions to it."""
RESUMES_WITH = {
    "move": "{battle.move} continues the move.",
    "attack": "{battle.fire} makes the attack.",
    "act": "{battle.act} continues the action.",
}
"""How to continue a command that reactions have stopped."""
ENDS_TURN = (cmd.EndTurn, Delay, SetTurn, RollInitiative)
"""Commands that end the rights to attack out of turn."""
WHO_IS_SURPRISED = "Somebody is hidden. Type “surprise” and a side after {battle.line} to mark who is surprised."
DECLARES_ANEW = "{battle.initiative} declares actions anew and rolls for them."
HOW_TO_FINISH = "· {battle.table} F ends the fight"
LATER_KEY = "{battle.cancel} look around first"
ANY_ACTION = "{battle.act} opens its actions, {battle.cancel} goes back."
NO_UNIT = "No unit is selected: {battle.select} selects the unit under the cursor."
NOBODY_YET = "Nobody has a turn yet: {battle.initiative} rolls initiative."
FINISHED = "The battle is finished: {battle.undo} reopens it."
STILL_HIDDEN = "is still hidden: {battle.table} h on it shows it to the players."
NO_TARGET = (
    "Choose a target first: {battle.next_target} aims at the next enemy, {board.choose} at the one under the cursor."
)


class Presenter:
    """Runs the commands and questions of a battle; everything shown follows from the session and the focus."""

    def __init__(self, session: Session, display: Display) -> None:
        self.session = session
        self.display = display
        turns = session.battle.turns
        first = session.battle.units.get(turns.active) or next(iter(session.battle.units.values()), None)
        start = first.at if first else _middle(session.battle.field)
        self.focus = Focus(unit=turns.active, cursor=start)
        self.shot: AttackPreview | str | None = None
        """The attack in focus, or why there is none."""
        self.overlay = NO_TINTS
        self.note = ""
        """The latest sentence, shown in place of the verdict until the next key."""
        self.result = ""
        """The outcome of the last command; if it is too long, its end is shown."""
        self.question = ""
        """What is asked, where dice are."""
        self.ask_again: Callable[[], None] | None = None
        """Opens the command line or the dice prompt again, to correct dice typed in it; None where none were typed."""
        self.typed_lines: list[str] = []
        """Typed commands so far, oldest first."""
        self.marks: tuple[str, ...] = ()
        """Ids of the marked units, in the order of marking; some may be gone."""
        self.reactions = Reactions()
        self.placing: Placing | None = None
        """What the cursor places, a move or an aim; nothing after any event."""
        self.typed_ahead = self.typed_again = ""
        """Dice typed in the defence menu, for the roll after it."""
        self.plan: LastCommand | None = None
        """What is known of the command whose dice are asked for; None where none are."""
        self._last: tuple[Step | None, LastCommand] = None, LastCommand()
        """What was worked out last, with the step after which it was."""
        self._over: Step | None = None
        """The step up to which the board shows nothing of what was done."""

    # The focus, and what follows from it

    @property
    def focus(self) -> Focus:
        """The focus. The display knows where the cursor is."""
        cursor = self.display.cursor
        if cursor is None or cursor == self._focus.cursor:
            return self._focus
        return replace(self._focus, cursor=cursor)

    @focus.setter
    def focus(self, focus: Focus) -> None:
        self._focus = focus
        self.display.move_cursor(focus.cursor)

    @property
    def marked(self) -> tuple[str, ...]:
        """Ids of the marked units that are on the map."""
        return tuple(unit for unit in self.marks if unit in self.session.battle.units)

    @property
    def path(self) -> tuple[Square, ...]:
        """The planned path to the cursor; empty if it is out of reach."""
        return overlay_of(self.focus, self.shot, self.overlay).path

    @property
    def last(self) -> LastCommand:
        """The command whose dice are asked for, as far as it is known; else the last one with something to show, until
        the next aim, plan of a move, Esc or undo."""
        if self.plan is not None:
            return self.plan
        done = self.session.history.done
        if self._last[0] is not done:
            self._last = done, last_command(done, self._over, self.session.rules)
        return self._last[1]

    @property
    def attack(self) -> AttackPreview | Result | Tray | str | None:
        """What the shot panel shows: the dice of a command that asks for some, else the result of the last attack, else
        the attack in focus or why there is none."""
        if self.plan is not None and (tray := self.plan.tray) is not None:
            return replace(tray, shot=self.shot) if tray.shot and isinstance(self.shot, AttackPreview) else tray
        shot = self.shot or (with_keys(FINISHED) if self.session.battle.is_finished else None)
        return shot if self.reactions.looked_from else self.last.result or shot

    @property
    def unmark_words(self) -> str:
        """That units are marked, with the key that unmarks them; "" if none is."""
        if not (marked := self.marked):
            return ""
        units = f"{self.session.battle.units[marked[0]].name} is" if len(marked) == 1 else f"{len(marked)} units are"
        return with_keys(f"{units} marked: {{battle.cancel}} unmarks {'it' if len(marked) == 1 else 'them'}.")

    @property
    def go_back_words(self) -> str:
        """That the selected unit has not the turn, with the key that goes back to the one that has; "" if it has."""
        battle = self.session.battle
        selected, active = battle.units.get(self.focus.unit), battle.units.get(battle.turns.active)
        if selected is None or active is None or selected is active or self.reactions.interrupted is not None:
            return ""
        return with_keys(f"{selected.name} is selected: {{battle.cancel}} goes back to {active.name}.")

    def clear_last(self) -> None:
        """Shows nothing more of what was done."""
        self._over = self.session.history.done
        self._last = self._over, LastCommand()

    def show_all(self) -> None:
        """Computes and shows everything again."""
        battle, rules = self.session.battle, self.session.rules
        self.focus = foci.settle(self.focus, battle)
        self.shot = foci.shot(self.focus, battle, rules)
        self.overlay = self._shaded()
        self.display.show_all()

    def show_cursor(self, *, is_moved: bool = False) -> None:
        """Computes and shows again what depends on the cursor; a slow overlay once the move is painted."""
        battle, rules = self.session.battle, self.session.rules
        if foci.aims_at_cursor(self.focus, battle, rules):
            self.shot = foci.shot(self.focus, battle, rules)
        is_slow = follows_window(self.focus) and follows_cursor(self.focus)
        if is_moved and (is_slow or self.places == ACTS):
            self.display.show_later(self._show_overlay)
        elif follows_cursor(self.focus) or self.focus.overlay == "plain":
            self.overlay = self._shaded()
        self.display.show_cursor()

    def window_changed(self) -> None:
        """Computes the overlay for other squares on the screen, once these are painted."""
        if follows_window(self.focus):
            self.display.show_later(self._show_overlay)

    def _show_overlay(self) -> None:
        legend, self.overlay = self.overlay.words, self._shaded()
        if self.note == legend:
            self.note = self.overlay.words
        self.display.show_cursor()

    def _shaded(self) -> OverlayTints:
        """The overlay; what is left to be looked at follows when there is time, some squares at once."""
        focus, battle, rules = replace(self.focus, shown=self.display.shown), self.session.battle, self.session.rules
        if self.placing is not None and self.places == ACTS and focus.overlay == "plain":
            found = zone_aimed(focus, battle, rules, self.placing.action)
        else:
            found = compute_overlay(focus, battle, rules, self.display.glyphs.tints)
        if found.has_more:
            self.display.show_later(self._show_overlay)
        return found

    def look_at(self, focus: Focus, *, whole: bool = True) -> None:
        """Changes the focus; clears the latest sentence, and split hits of another attack."""
        if focus.attack != self._focus.attack and focus.share == self._focus.share:
            focus = replace(focus, share=())
        is_aimed = focus.attack != self._focus.attack and bool(focus.target)
        if is_aimed or (focus.overlay in foci.WALKS and focus.overlay != self._focus.overlay):
            self.clear_last()
        self.focus, self.note = focus, ""
        self.show_all() if whole else self.show_cursor()

    def cursor_moved(self, cursor: Square) -> None:
        """Follows the board's cursor directly; with a message the sentence would lag by one frame."""
        if self.display.is_asking:
            self.focus = self._focus
        elif cursor != self._focus.cursor:
            self._focus, self.note = foci.at_cursor(self.focus, self.session.battle, self.session.rules), ""
            self.show_cursor(is_moved=True)

    def go_to(self, square: Square) -> None:
        """Puts the cursor on a square."""
        self.display.move_cursor(square)
        self.cursor_moved(square)

    def show_overlay(self, overlay: str, move: str = "") -> None:
        """Shows an overlay and its legend."""
        if overlay in foci.WALKS or not self.is_aiming:
            self.placing = None  # a caller that plans a move sets it again
        self.look_at(replace(self.focus, overlay=overlay, move=move))
        if not follows_cursor(self.focus):  # those show their own legend
            self.note = self.overlay.words
            self.show_cursor()

    # Sentences

    def say(self, sentence: str) -> None:
        """Shows a sentence in place of the verdict until the next key."""
        self.note = capitalised(sentence, self.session.battle)
        self.show_all()

    def summary(self, events: Sequence[Event]) -> str:
        """Describes the outcome of a command: the verdict on an attack, else all of it if there is room."""
        battle, rules = self.session.battle, self.session.rules
        if verdict := verdict_of(events, battle, rules):
            return verdict
        whole = summarise(events, battle, rules)
        return whole if self.has_room(whole) else summarise(events, battle, rules, is_short=True)

    def has_room(self, sentence: str) -> bool:
        """Whether a sentence fits."""
        return len(wrap(sentence, self.display.width - 2)) <= self.display.sentence_rows

    def fitting(self, labels: Sequence[str]) -> str:
        """The first question that fits the prompt, else the last."""
        return next(filter(self.display.has_room_to_ask, labels), labels[-1])

    def in_a_row(self, sentences: Sequence[str]) -> str:
        """The first sentence that fits in a row, else the last."""
        return next((one for one in sentences if len(one) <= self.display.width - 2), sentences[-1])

    @property
    def asked_words(self) -> str:
        """The status row while dice are asked for: the question, then what is known so far; before both why an answer
        is refused, or a warning."""
        is_urgent = self.note not in ("", self.result)
        whole = (self.note, self.question) if is_urgent else (self.question, self.note)
        return " ".join(filter(None, whole))

    @property
    def verdict(self) -> str:
        """The sentence on the screen: what just happened, else the shot, else the square under the cursor."""
        if self.note:
            return self.note
        if follows_cursor(self.focus):
            return self.overlay.words
        battle, rules = self.session.battle, self.session.rules
        if self.overlay.reach and (path := self.path):
            words = path_words(self.overlay.reach, path, self.focus, battle, rules)
            return f"{words} {aim_words(self.focus, battle, rules, path)}".rstrip()
        target = battle.units.get(self.focus.target)
        is_at_cursor = isinstance(self.shot, AttackPreview) and (
            self.shot.situation.target.id == BARE_SQUARE or self.shot.caught is not None
        )
        if is_at_cursor or (target is not None and self.focus.cursor in target.squares):
            if isinstance(self.shot, AttackPreview):
                before = foci.whose_shot(self.shot, battle, rules) or foci.why_not_now(self.shot)
                return f"{before}{verdict(self.shot, rules)}"
            if self.shot:
                return self.shot
        words = square_words(self.focus, battle, rules)
        if self.placing is not None and self.places == ACTS:
            action = rules.actions[self.placing.action]
            return f"{action.label} {'towards' if action.is_directed else 'at'} {self.focus.cursor.name}. {words}"
        unit = battle.units.get(self.focus.unit)
        if unit_placed := battle.units.get(self.focus.unit) if battle.is_set_up and self.is_move_planned else None:
            return f"{with_keys('{battle.move}')} places {unit_placed.name} on {self.focus.cursor.name}. {words}"
        is_afar = self.overlay.reach is not None and unit is not None and self.focus.cursor != unit.at
        return f"Out of reach. {words}" if is_afar and battle.at(self.focus.cursor) is None else words

    # Commands

    def submit(self, command: cmd.Command, answers: Given = ()) -> None:
        """Commits a command with dice from the seed and shows the outcome. A refusal is shown and changes nothing."""
        self.roll(command, answers, asks_dice=False)

    def roll(self, command: cmd.Command, answers: Given = (), *, asks_dice: bool = True) -> None:
        """Commits a command and asks for the dice that it needs and that are not typed; a refusal is shown."""
        self.ask_again = None
        try:
            self.submit_asking(command, answers, asks_dice=asks_dice)
        except Illegal as reason:
            self.say(self._refused(reason, command))

    def _refused(self, reason: Illegal, command: cmd.Command) -> str:
        """Why a command is refused, with the key that lets go of marked or selected units, where it is about them."""
        marked = self.unmark_words if isinstance(command, EditUnits) else ""
        return " ".join(filter(None, (str(reason), marked, self.go_back_words if reason.reason == "turn" else "")))

    def submit_asking(self, command: cmd.Command, answers: Given = (), *, asks_dice: bool = True) -> None:
        """Commits a command with answers, or asks for the next answer that it needs.

        Without `asks_dice` the seed rolls the dice that are not typed.

        Raises:
            Illegal: nothing happened.
        """
        if self._asks_first(command, answers):
            return
        before, self.plan = self.session.battle, None
        try:
            events = self.session.submit(command, answers, asks=True, asks_dice=asks_dice)
        except Needs as need:
            if isinstance(need.ask, DefenceAsk):
                ask_defence(self, command, need.ask, need, partial(self.submit_asking, command, asks_dice=asks_dice))
            elif isinstance(need.ask, MoveAsk):
                ask_price(self, command, need.ask, need, partial(self.submit_asking, command, asks_dice=asks_dice))
            elif isinstance(need.ask, RollAsk):
                question = self.in_a_row(dice_questions(need.ask))
                self.note = self.result = self._before_roll(command, need)
                ask_dice(self, command, answers, question, need)
        except Illegal:
            raise
        except BattleboardError as reason:
            self.say(str(reason))
        else:
            self._go_along(before)
            self._say_result(command, events, before.turns.active)

    def show_plan(self, command: cmd.Command, need: Needs | None, before: Battle | None = None) -> None:
        """Shows what is known of a command that asks for something.

        What the last command did gives way to it, and comes back where this one is cancelled.

        Args:
            command: the command.
            need: what it asks for; None before its first question.
            before: the battle before it; None for the present one.
        """
        shot = self.shot if isinstance(self.shot, AttackPreview) and isinstance(command, cmd.Attack) else None
        self.plan = plan_of(command, need, before or self.session.battle, self.session.rules, shot)
        self.show_cursor()

    def cancel_plan(self, words: str) -> None:
        """Says that the command whose dice were asked for is cancelled."""
        self.plan = None
        self.say(words)

    def _go_along(self, before: Battle) -> None:
        """Takes the cursor along with the unit in focus, and with the acting one, that it was on when they moved."""
        battle, cursor = self.session.battle, self.focus.cursor
        for unit in (self.focus.unit, battle.turns.active):
            was, now = before.units.get(unit), battle.units.get(unit)
            if was and now and was.at != now.at and cursor in was.squares and cursor not in now.squares:
                self.focus = replace(self.focus, cursor=now.at)
                return

    def _before_roll(self, command: cmd.Command, need: Needs) -> str:
        """The sentence above a dice prompt: what has happened so far, else the chance of success."""
        if any(one.dice is not None for one in need.asked) and need.happened:
            return summarise(need.happened, need.battle, self.session.rules, is_open=True)
        return foci.above_dice(command, self.session.battle, self.session.rules)

    def keep_line(self, reason: BattleboardError) -> None:
        """Opens the prompt again in which dice were typed that were refused."""
        if self.ask_again and isinstance(reason, Illegal) and reason.reason in WRONG_DICE:
            self.ask_again()

    # Reactions: each one needs an answer

    @property
    def unanswered(self) -> list[Opening]:
        """The open rights to attack out of turn, in order."""
        return self.reactions.unanswered(self.session.battle)

    def ask_reaction(self) -> None:
        """Asks about the first open reaction; its attack is in focus, and only the keys in the question answer it."""
        held = self.unanswered[0]
        question = reaction_question(held, self.session.battle, self.session.rules, self.display.width - 1)
        self.reactions.looked_from = self.focus
        self.focus = replace(self._focus_on(held), cursor=self.focus.cursor)
        self.display.ask_key(question, partial(self._answer_reaction, held))
        self.show_all()

    def _answer_reaction(self, held: Opening, answer: str) -> None:
        before, self.reactions.looked_from = self.reactions.looked_from, None
        self.focus = before or self.focus
        if answer == REPEAT:
            question = reaction_question(held, self.session.battle, self.session.rules, ENDLESS)
            self.say(with_keys(f"{question}  {LATER_KEY}"))
            self.ask_reaction()
        elif answer == LATER:
            who, whom = (self.session.battle.units[one].name for one in (held.unit, held.against))
            when = f"{whom}'s next move or action" if held.reaction else "the end of the turn"
            self.say(
                with_keys(
                    f"{who} may still attack {whom}: {{battle.interrupt}} attacks; the board asks again at {when}."
                )
            )
        elif answer == PASS:
            self.reactions.let_pass(held)
            if self.unanswered:
                self.ask_reaction()
            else:
                self._do_stopped()
        elif answer == ACT:
            self._act_out_of_turn(held)
        elif answer == ALWAYS and not held.reaction:
            self.ask_reaction()
        else:
            if answer == ALWAYS:
                self.learn_opening("a", held)
            self.attack_out_of_turn(held)

    def _do_stopped(self) -> None:
        """Runs the command that waited for the answers."""
        waiting, self.reactions.stopped = self.reactions.stopped, None
        if waiting is None:
            self.say("Nobody attacks out of turn.")
        else:
            waiting()

    def _resume(self, command: cmd.Command, answers: Given) -> None:
        """Continues a stopped command with its answers."""
        self.focus = self.focus.plain
        self.roll(command, answers)

    def _asks_first(self, command: cmd.Command, answers: Given) -> bool:
        """Asks about a reaction that a command would skip; returns whether it asks. The command then waits, in place of
        any that was stopped before."""
        resumes = isinstance(command, RESUMES) and self.reactions.awaits(self.session.battle, command.unit)
        if resumes or (isinstance(command, ENDS_TURN) and self.unanswered):
            self.focus = self._focus_of(command)
            self.reactions.stopped = partial(self._resume, command, answers)
            self.note = "" if resumes else turn_ends_words(self.session.battle)
            self.ask_reaction()
            return True
        return False

    def _say_result(self, command: cmd.Command, events: tuple[Event, ...], active_before: str) -> None:
        """Shows the outcome of a command, and asks about the reactions that it provokes."""
        battle, rules = self.session.battle, self.session.rules
        self.follow_turn("" if any(isinstance(one, TurnBegan) for one in events) else active_before)
        said = self.summary(events)
        open_now = still_open(battle, events)
        if open_now:
            if not self.has_room(said):  # the rest is in the log
                said = " ".join(narrate(one, battle, rules) for one in open_now)
            if any(one.reaction for one in open_now):
                self.focus = self._focus_of(command)
                self._hold(open_now[0].against)
        if ended := round_line(self.session.history.done, rules):
            said = f"{ended} {said}"
        if any(isinstance(one, LastTurnCame) for one in events):
            said = f"{said} {with_keys('{battle.interrupt} selects a unit that holds its action.')}"
        is_new_round = any(isinstance(one, RoundBegan) for one in events) and battle.turns.round > 1
        if is_new_round and rules.turns.initiative.declares and not isinstance(command, RollInitiative):
            said = f"{said} {with_keys(DECLARES_ANEW)}"
        if drops_in_its_turn(events, battle):
            whose = f"It is still {battle.called(battle.turns.active)}'s turn"
            said = f"{said} {whose}: {with_keys('{battle.end_turn} ends it.')}"
        if left_alone(events, battle):
            said = f"{said} {with_keys(HOW_TO_FINISH)}"
        if isinstance(command, RollInitiative) and battle.turns.order:
            said = self._order_words()
        if isinstance(command, RollInitiative) and not active_before and SURPRISED in rules.units.conditions:
            hidden = [unit for unit in battle.units.values() if unit.is_hidden]
            said += f" {with_keys(WHO_IS_SURPRISED)}" * bool(hidden)
        if battle.turns.active != active_before:
            self.reactions.interrupted = self.reactions.stopped = None
        is_attack = any(isinstance(event, AttackRolled) for event in events)
        if is_attack and isinstance(command, cmd.Attack):
            self.focus = foci.after_attack(self.focus, command)
            if (unit := battle.units.get(command.unit)) and unit.is_hidden:
                said = f"{said} {with_keys(f'{unit.name} {STILL_HIDDEN}')}"
        is_answer = is_attack or (self.reactions.interrupted is not None and isinstance(command, RESUMES))
        if is_answer and isinstance(command, RESUMES) and not is_attack:
            for held in self.unanswered:
                if held.unit == command.unit:
                    self.reactions.let_pass(held)
        if self.reactions.interrupted is not None and is_answer:
            self.go_back(self.reactions.interrupted)
        if is_answer and not self.unanswered and battle.turns.held:
            said = f"{said} {with_keys(RESUMES_WITH[battle.turns.held[-1].kind])}"
        self.result = "" if open_now else said
        self.say(said)
        if self.unanswered and (open_now or is_answer):
            self.ask_reaction()
        elif is_choice(events, battle, rules) and not isinstance(command, SetTurn):
            self._ask_who_acts()

    def _ask_who_acts(self) -> None:
        """Opens the card of those of whom one may act now; the first has the turn already."""
        battle = self.session.battle
        first, *others = may_be_next(battle, self.session.rules)
        signs = signs_of(battle)
        labels = {one: f"{signs[one]}  {battle.units[one].name}" for one in (first, *others)}
        choices = [Choice(first, labels[first], "has the turn"), *(Choice(one, labels[one]) for one in others)]

        def chosen(picked: Picked) -> None:
            if picked.id not in ("", first):
                self.submit(SetTurn(picked.id))

        self.display.offer(MenuQuestion(choice_title(battle), choices, is_passing=True, escape="go on"), chosen)

    def _order_words(self) -> str:
        """The turn order, as much of it as there is room for: "Turn order: Todd (18), Bandit (14), …" """
        view = project(self.session.battle, self.session.rules)
        units = [view.unit(unit) for unit in view.order if not view.unit(unit).is_defeated]
        named = [f"{unit.name}{'' if unit.initiative is None else f' ({number(unit.initiative)})'}" for unit in units]
        whole = [f"Turn order: {', '.join(named)}."]
        cut = [f"Turn order: {', '.join(named[:count])}, …" for count in range(len(named) - 1, 0, -1)]
        return next(filter(self.has_room, whole + cut), whole[0])

    def _hold(self, unit: str) -> None:
        """Holds the rest of a unit's command until the reactions to it are answered."""
        held = self.session.battle.turns.held_by(unit)
        self.reactions.stopped = None if held is None else partial(self._resume, cmd.command_of(held), held.answers)

    def resume_held(self) -> None:
        """Asks about the reactions still open from a closed battle; the command that they stopped continues after."""
        if self.unanswered:
            self._hold(self.unanswered[0].against)
            self.ask_reaction()

    def _focus_of(self, command: cmd.Command) -> Focus:
        """The focus in which the usual key continues a stopped command."""
        battle = self.session.battle
        if isinstance(command, cmd.Move | cmd.Attack | cmd.Act) and battle.units[command.unit].is_defeated:
            return self.focus
        match command:
            case cmd.Move():
                self.plan_move(command.unit)
                focus = self.focus.on_unit(command.unit)
                altitude = None if command.altitude == battle.units[command.unit].altitude else command.altitude
                goal = command.path[-1]
                return replace(focus, overlay="reach", move=command.action, altitude=altitude, cursor=goal)
            case cmd.Attack():
                cursor = command.square or battle.units[command.target].at
                focus = replace(self.focus.on_unit(command.unit), target=command.target, cursor=cursor)
                return replace(focus, weapon=command.weapon, action=command.action)
        return self.focus

    def follow_turn(self, active_before: str) -> None:
        """Puts the acting unit into focus, unless it is the one that acted before; "" where a turn has begun."""
        self.reactions.forget_used(self.session.battle)
        battle, self.placing = self.session.battle, None
        active = battle.turns.active
        if active and active != active_before:
            overlay = self.focus.overlay if self.focus.overlay not in foci.WALKS else "plain"
            self.focus = Focus(unit=active, cursor=battle.units[active].at, overlay=overlay)

    # Attacks

    def fire(self, *, is_free: bool = False) -> None:
        """Makes the attack in focus: asks for its dice, unless reactions come first."""
        battle, rules = self.session.battle, self.session.rules
        if self.shot is None or foci.aims_at_cursor(self.focus, battle, rules):  # the cursor may have moved
            self.shot = foci.shot(self.focus, battle, rules)
        shot = self.shot
        if not isinstance(shot, AttackPreview):
            self.say(shot or with_keys(NO_TARGET))
            return
        meant = foci.attack_in(self.focus, battle, rules)
        if meant is None:
            self.say(with_keys(NO_TARGET))
            return
        command, answers = replace(meant, is_free=is_free), share_answers(self.focus.share)
        if why_not := foci.refusal(command, battle, rules):
            refused = f"{sentence(why_not)}{with_keys(instead(self.focus, shot, battle, rules))}"
            self.say(f"{refused} {self.go_back_words}".rstrip())
            return
        is_given = out_of_turn(battle, rules, command, shot.situation.action) is not None
        drawn = () if is_given else drawn_by_attack(battle, rules, shot.situation)
        is_provoked = any(battle.gm.policy(battle.unit(draw.reactor), draw.reaction.id) == ASK for draw in drawn)
        if is_provoked or self.reactions.awaits(battle, command.unit):
            self.roll(command, answers)  # reactions come first, and their contests
            return
        if not shot.situation.action.is_rolled:
            self.roll(command, answers)  # its effects may ask for dice
            return
        who, needed = f"{shot.situation.attacker.name} → {shot.situation.target.name}", roll_needed(shot, rules)
        aimed = " to land as aimed" if has_scatter(rules, shot) else ""
        chance = f"{needed}, {percent(shot.odds.hit)}{aimed}."
        label = self.in_a_row([f"{who}: {chance}", chance])
        if not aimed and not shot.odds.hit:
            price = "" if is_free else price_words(foci.option(self.focus, battle, rules).cost, rules)
            label = f"No roll can hit. Enter {f'spends {price}' if price else 'rolls'} anyway, Esc cancels."
        self.note = ""
        if warning := friend_words(shot, friends_at_risk(battle, rules, shot)):
            whole = f"{warning} {self.verdict}"
            self.note = whole if self.has_room(whole) else warning
            self.show_cursor()
        self.ask_again = partial(ask_dice, self, command, answers, label)
        self.ask_again()

    def attack_out_of_turn(self, held: Opening) -> None:
        """Attacks out of turn; the focus before it returns afterwards."""
        self.reactions.interrupted = self.reactions.interrupted or self.focus
        self.look_at(self._focus_on(held))
        self.fire()

    def _focus_on(self, held: Opening) -> Focus:
        """The focus on an attack out of turn."""
        focus = replace(self.focus.on_unit(held.unit), target=held.against, action=held.attack)
        cursor = self.session.battle.units[held.against].at
        return replace(focus.plain, weapon="", cursor=cursor)

    def _act_out_of_turn(self, held: Opening) -> None:
        """Puts a unit that may take any action into focus; the focus before it returns afterwards."""
        if not takes_any_action(self.session.rules, held.reaction):
            self.ask_reaction()
            return
        self.reactions.interrupted = self.reactions.interrupted or self.focus
        unit = self.session.battle.units[held.unit]
        focus = replace(self.focus.on_unit(held.unit), target=held.against, action="", weapon="")
        self.look_at(replace(focus.plain, cursor=unit.at))
        self.say(with_keys(f"{unit.name} may take any action now: {ANY_ACTION}"))

    def go_back(self, focus: Focus) -> None:
        """Restores the focus before an attack out of turn."""
        self.focus, self.reactions.interrupted = focus, None
        if focus.overlay == "reach":
            self.plan_move(focus.unit)

    def plan_move(self, unit: str) -> None:
        """Marks a unit's move as planned, so that the move key makes it, until the next event."""
        self.place(Placing(self.session.battle, unit))

    def place(self, placing: Placing) -> None:
        """Begins to place a move or an aim with the cursor."""
        self.placing = placing
        self.display.show_cursor()  # what the keys do now

    @property
    def can_move(self) -> bool:
        """Whether the unit in focus has a move as its reach is shown."""
        return self.overlay.reach is not None and bool(self.overlay.reach.strides)

    @property
    def places(self) -> str:
        """The action of the key that does what is placed, of MOVES, FIRES and ACTS; "" while nothing is."""
        placing, focus = self.placing, self._focus
        if placing is None or placing.battle is not self.session.battle or placing.unit != focus.unit:
            return ""
        is_shown = focus.overlay == "reach" if placing.key == MOVES else focus.overlay not in foci.WALKS
        if placing.key == FIRES:
            is_shown = is_shown and (placing.weapon, placing.action) == (focus.weapon, focus.action)
        return placing.key if is_shown else ""

    @property
    def is_move_planned(self) -> bool:
        """Whether the move of the unit in focus is planned in the present battle."""
        return self.places == MOVES

    @property
    def is_aiming(self) -> bool:
        """Whether the cursor aims an attack on an area, or an act."""
        return self.places in (FIRES, ACTS)

    def cancel(self) -> None:
        """Cancels an aim, else an attack out of turn, marks, overlay, target; else returns to the acting unit."""
        battle = self.session.battle
        self.clear_last()
        if self.placing is not None and self.placing.before is not None and self.is_aiming:
            before, self.placing = self.placing.before, None
            self.look_at(replace(before, cursor=self.focus.cursor))
        elif self.marked:
            self.marks = ()
            self.say("No unit is marked.")
        elif self.reactions.interrupted is not None:
            self.go_back(self.reactions.interrupted)
            self.look_at(self.focus)
        elif self.focus.overlay != "plain":
            self.look_at(self.focus.plain)
        elif self.focus.target or not battle.turns.active:
            self.look_at(replace(self.focus, target=""))
        else:
            active = battle.units[battle.turns.active]
            self.look_at(replace(self.focus.on_unit(active.id), cursor=active.at))

    # Policies of reactions and defences

    def learn(self, key: str, meant: Iterable[tuple[str, str]]) -> None:
        """Commits the policy of a key of POLICY_KEYS for kinds of reactions and defences of units."""
        for kind, unit in sorted(meant):
            try:
                self.session.submit(SetPolicy(POLICIES_OF_KEYS[key.lower()], kind, "" if key.isupper() else unit))
            except BattleboardError as reason:
                self.say(str(reason))

    def learn_opening(self, key: str, held: Opening) -> None:
        """Commits the policy for the reaction behind a right to attack out of turn."""
        if held.reaction:
            self.learn(key, {(held.reaction, held.unit)})
        else:
            self.say("This is not a reaction of the ruleset: the board asks each time.")

    # Questions

    def ask(self, label: str, answered: Callable[[str], None], value: str = "", **more: Any) -> None:
        """Asks for a line; Enter calls `answered` with it, and what that refuses is asked again.

        `more` as for `ask_until_taken`.
        """
        self.ask_again = None
        self.question = label if "prompt" in more else ""
        ask_until_taken(self.display, self.say, label, answered, value, **more)

    def choose_command(self, title: str, commands: Mapping[str, cmd.Command]) -> None:
        """Submits the one command, or opens a menu of several by their labels."""

        def chosen(label: str) -> None:
            if label:
                self.submit(commands[label])

        if len(commands) == 1:
            chosen(next(iter(commands)))
        else:
            self.choose(title, [Choice(label, label) for label in commands], chosen)

    def choose(
        self, title: str, choices: Sequence[Choice], chosen: Callable[[str], None], *, folds: bool = False
    ) -> None:
        """Opens a menu; `chosen` gets the chosen id, "" if cancelled. `folds` makes one line of the disabled items."""
        self.display.offer(MenuQuestion(title, choices, folds=folds), lambda picked: chosen(picked.id))

    def ask_command(
        self,
        label: str,
        parse: Callable[[str], cmd.Command],
        value: str = "",
        *,
        takes_nothing: bool = False,
        help: LineHelp | None = None,
    ) -> None:
        """Asks for a typed command and commits it; an empty line changes nothing unless `takes_nothing`."""

        def answered(text: str) -> None:
            self.submit_asking(parse(text), asks_dice=False)

        self.ask(label, answered, value, takes_nothing=takes_nothing, help=help)


def _middle(field: Battlefield) -> Square:
    """The square nearest to the middle of a map on which somebody can stand; the middle where there is none."""
    middle = Square(field.columns // 2, field.rows // 2)
    free = (square for square in field.squares() if not field.ground_at(square).blocks_movement)
    return min(free, key=lambda one: (one.column - middle.column) ** 2 + (one.row - middle.row) ** 2, default=middle)
