"""Logbook: a row for each command that opens to its events and modifiers, with search and filter.

A row begins with the badge of whose command it is; that of an attack ends with its outcome.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from engine.battle.events import AttackRolled, RoundBegan
from engine.battle.narration import narrate, summarise, what_happened
from engine.battle.state.battle import Battle
from engine.battle.views.attack_outcomes import AttackOutcome, attack_outcomes
from engine.battle.views.view import project
from engine.journal.history import Step
from engine.rules.model import Ruleset
from tui.application.describe.text_layout import fit
from tui.view.modals.long_list import KEYS, LongList
from tui.view.panels.log_panel import aimed_at, dice_words, step_rows
from tui.view.panels.order_panel import badge
from tui.view.panels.outcome_badges import BADGES, badge_text, outcome_words
from tui.view.panels.styled_text import join, plain

MOST = 400
"""Most rows listed, the latest; a search covers all."""
INDENT = 4
EVERYTHING, ATTACKS, UNIT = "everything", "attacks", "unit"
HELP = "Enter: open · /: search · f: attacks, one unit · Esc: "
LEAVES, CLEARS = "back", "all rows"
"""What Esc does without a filter, and with one."""
NO_BADGE = "   "


class LogRow(Struct, frozen=True):
    """A command in the log: its step, round and sentence, and its attacks and its unit."""

    step: Step
    round: int
    sentence: str
    attacks: Sequence[AttackOutcome]
    unit: str
    """Id of the unit that its first sentence is about; "" for none."""


def log_rows(steps: Sequence[Step], battle: Battle, rules: Ruleset) -> list[LogRow]:
    """Rows of all steps with a sentence, oldest first."""
    found, number = [], 0
    for step in steps:
        began = [event.round for event in step.events if isinstance(event, RoundBegan)]
        number = began[-1] if began else number
        sentence = summarise(step.events, battle, rules)
        if sentence and len(step.commands) > 1:
            sentence = f"What-if of {len(step.commands)} commands: {what_happened(step.events, battle, rules)}"
        if sentence:
            attacks = [one for one in attack_outcomes(step.events, rules) if one.rolled is not None]
            said = (event for event in step.events if narrate(event, battle, rules))
            found.append(LogRow(step, number, sentence, attacks, getattr(next(said), "unit", "")))
    return found


def _outcomes(row: LogRow, rules: Ruleset) -> Content:
    """What the attacks of a row came to, each word once in its colour: " 2 HIT MISS"."""
    words = [(outcome_words(outcome, row.step.events, row.step.after), outcome.grade_label) for outcome in row.attacks]
    said = [(badge_text(word, label, rules), BADGES[word]) for word, label in words]
    return join(
        plain(f" {said.count(one)} {one[0]}" if said.count(one) > 1 else f" {one[0]}", f"bold {one[1]}")
        for one in dict.fromkeys(said)
    )


class Logbook(ModalScreen[None]):
    """Shows the log; `name` is the unit of the unit filter."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    Logbook { align: center middle; }
    Logbook Vertical {
        width: 94%; max-width: 110; height: 94%;
        border: round $panel-title; border-title-color: $panel-title; background: $panel-back; padding: 0 1;
    }
    Logbook OptionList {
        height: 1fr; border: none; background: $panel-back; padding: 0; scrollbar-size-vertical: 1;
    }
    Logbook Static { height: 1; color: $muted; }
    Logbook Input { height: 1; border: none; padding: 0; background: $prompt-back; display: none; }
    """

    def __init__(self, steps: Sequence[Step], battle: Battle, rules: Ruleset, name: str) -> None:
        super().__init__()
        self._battle, self._rules, self._who = battle, rules, name
        self._rows = log_rows(steps, battle, rules)
        self._badges = {unit.id: badge(unit) for unit in project(battle, rules).units}
        self._shown: list[LogRow] = []
        self._beside: list[int] = []
        """The index in `_shown` of each line's row."""
        self._opened: set[int] = set()
        self._wanted, self._sought = EVERYTHING, ""

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = plain("Log")
            yield LongList()
            search = Input(placeholder="search for", compact=True)
            search.cursor_blink = False
            yield search
            yield Static(plain(HELP + LEAVES), markup=False)

    def on_mount(self) -> None:
        self.call_after_refresh(self._list)

    def _list(self) -> None:
        """Lists the filtered rows and selects the last."""
        words = self._sought.casefold()
        wanted = [
            row
            for row in self._rows
            if (self._wanted != ATTACKS or row.attacks)
            and (self._wanted != UNIT or self._who.casefold() in row.sentence.casefold())
            and (words in row.sentence.casefold() or words in self._whole(row))
        ]
        self._shown = wanted[-MOST:]
        self._fill()
        self.query_one(OptionList).action_last()
        of = f"{len(self._shown)} of {len(self._rows)}"
        kind = {EVERYTHING: "", ATTACKS: " · attacks", UNIT: f" · {self._who}"}[self._wanted]
        sought = f" · “{self._sought}”" if self._sought else ""
        self.query_one(Vertical).border_title = plain(f"Log, {of}{kind}{sought}")
        self.query_one(Static).update(plain(HELP + (CLEARS if self._is_filtered else LEAVES)), layout=False)

    @property
    def _is_filtered(self) -> bool:
        return self._wanted != EVERYTHING or bool(self._sought)

    def _fill(self) -> None:
        """Fills the list: one line of a closed row, all lines of an open one."""
        row_lines = [self._lines(row) for row in self._shown]
        self._beside = [place for place, rows in enumerate(row_lines) for _ in rows]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(line) for rows in row_lines for line in rows])
        if not row_lines:
            options.add_option(Option(plain("No row of the log matches.", "$muted"), disabled=True))

    def _whole(self, row: LogRow) -> str:
        """The text of an open row without the sources, in lower case, for the search."""
        sentences = [narrate(event, self._battle, self._rules) for event in row.step.events]
        rolled = (event for event in row.step.events if isinstance(event, AttackRolled))
        sentences += [f"{entry.label}: {entry.because}" for event in rolled for entry in event.entries]
        return "\n".join(sentences).casefold()

    def _lines(self, row: LogRow) -> list[Content]:
        width = max(20, self.query_one(OptionList).content_size.width - 3)
        if row.step.number not in self._opened:
            return [self._headline(row, width)]
        event_lines = step_rows(row.step, self._battle, self._rules, width - INDENT)
        lines = [join([plain(" " * INDENT), line]) for line in event_lines]
        return [self._headline(row, width, has_details=False), *lines]

    def _headline(self, row: LogRow, width: int, *, has_details: bool = True) -> Content:
        """The line of a closed row: round, badges, who attacked whom with which dice, the outcome at the right edge.

        Between them stands what followed, muted. Without attacks it is the badge and the sentence; that of a kept
        what-if is followed by the outcomes.
        """
        before = [plain(f"{row.round:>2} ", "$muted"), self._badges.get(row.unit, NO_BADGE)]
        if not row.attacks:
            return join([*before, " ", plain(fit(row.sentence, width - len(join(before)) - 1))])
        rolled, end = row.attacks[0].rolled, _outcomes(row, self._rules)
        assert rolled is not None
        if len(row.step.commands) > 1:
            return join([*before, " ", plain(fit(row.sentence, width - len(join(before)) - 1 - len(end))), end])
        dice = ", ".join(filter(None, (rolled.weapon_label, dice_words(rolled, self._rules))))
        aim: list[Content | str] = [self._badges[rolled.target], " "] if rolled.target in self._badges else []
        who = [f" {self._battle.called(rolled.unit)} ▸ ", *aim, f"{aimed_at(rolled, self._battle)}: {dice}"]
        head = join([*before, *who])
        rest = row.sentence.partition(". ")[2] if has_details else ""
        room = width - len(head) - len(end)
        if room < 0:
            return join([head.truncate(width - len(end), ellipsis=True), end])
        return join([head, plain(fit(f"  {rest}", room), "$muted"), end])

    def on_key(self, event: events.Key) -> None:
        search, options = self.query_one(Input), self.query_one(LongList)
        if search.display:
            if event.key in ("escape", "enter"):
                event.stop()
                self._sought = search.value.strip() if event.key == "enter" else ""
                search.display = False
                self.set_focus(None)
                self._list()
            return
        event.stop()
        match event.key:
            case "escape" if self._is_filtered:
                self._wanted, self._sought = EVERYTHING, ""
                self._list()
            case "escape" | "q" | "E":
                self.dismiss()
            case key if key in KEYS:
                options.move_bar(key)
            case "enter" | "space":
                self._toggle()
            case "f":
                kinds = (EVERYTHING, ATTACKS, UNIT) if self._who else (EVERYTHING, ATTACKS)
                self._wanted = kinds[(kinds.index(self._wanted) + 1) % len(kinds)]
                self._list()
            case "slash":
                search.value, search.display = "", True
                self.set_focus(search)

    def _toggle(self) -> None:
        """Opens or closes the selected row and scrolls to show as much of it as fits."""
        options = self.query_one(OptionList)
        if options.highlighted is None:
            return
        place = self._beside[options.highlighted]
        self._opened ^= {self._shown[place].step.number}
        above = options.scroll_offset.y
        self._fill()
        first, count = self._beside.index(place), self._beside.count(place)
        above = min(first, max(above, first + count - options.content_size.height))
        options.highlighted = first
        options.scroll_to(y=above, animate=False, force=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._toggle()
