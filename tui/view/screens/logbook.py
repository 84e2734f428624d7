"""Logbook: a row for each command, beside or below it the marked one's events and modifiers; with search and filter.

An attack is a row of a table: who at whom, with what, what that cost, what it came to. A round ends in its line.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.events import AttackRolled, PoolChanged, RoundBegan
from engine.battle.narration import narrate, summarise, what_happened
from engine.battle.state.battle import Battle
from engine.battle.views.attack_outcomes import AttackOutcome, attack_outcomes
from engine.journal.history import Step
from engine.rules.model import Ruleset
from tui.application.describe.round_line import round_line
from tui.application.describe.text_layout import fit
from tui.application.prompts.choice import Column
from tui.application.prompts.table_rows import TableRow, widths
from tui.view.modals.long_list import KEYS, LongList
from tui.view.panels.log_panel import aimed_at, step_rows
from tui.view.panels.outcome_badges import BADGES, badge_text, outcome_words
from tui.view.panels.styled_text import join, lines, plain
from tui.view.panels.table import header, row_text

MOST = 400
"""Most rows listed, the latest; a search covers all."""
HITS, ATTACKS, EVERYTHING, UNIT = "hits", "attacks", "everything", "unit"
HELP = "Tab receipt · / search · f hits, attacks, all, one unit · Esc "
LEAVES, CLEARS = "back", "clear"
"""What Esc does without a filter, and with one."""
ALONE, LIST = "-alone", "arrows scroll · Esc list"
"""The class of a log whose receipt takes the place of the list, and its keys."""


COLUMNS = (Column("who"), Column("what", 1, least=8), Column("lost", 2, is_number=True), Column(""))


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


def _is_hit(row: LogRow) -> bool:
    """Whether an attack of the row came to anything: a hit, or a fumble."""
    return any(one.is_hit or one.is_critical for one in row.attacks)


def _outcome(row: LogRow, rules: Ruleset) -> tuple[str, str]:
    """What the attacks of a row came to, each word once: "2 HIT MISS"; and the colour of the weightiest."""
    words = [
        (outcome_words(outcome, row.step.events, row.step.after, rules), outcome.grade_label) for outcome in row.attacks
    ]
    said = [badge_text(word, label, rules) for word, label in words]
    first = min((word for word, _ in words), key=list(BADGES).index)
    text = " ".join(f"{said.count(one)} {one}" if said.count(one) > 1 else one for one in dict.fromkeys(said))
    return text, f"bold {BADGES[first]}"


def _lost(row: LogRow, rules: Ruleset) -> str:
    """What the target had and has of its first vital pool: "15 → 3"; of several, or of others, what all lost: "−9"."""
    vital = next(iter(vital_pools(rules)), "")
    changes = [one for one in row.step.events if isinstance(one, PoolChanged) and one.pool == vital]
    units = list(dict.fromkeys(one.unit for one in changes if one.after != one.before))
    aimed = {one.target for one in row.attacks[:1]}
    if len(units) > 1 or not aimed.issuperset(units):
        return f"−{sum(one.before - one.after for one in changes)}"
    return f"{changes[0].before} → {changes[-1].after}" if units else ""


class LogDetail(VerticalScroll):
    """What stands beside the list; it asks for its text as soon as it has room."""

    def on_resize(self) -> None:
        if isinstance(self.screen, Logbook):
            self.screen.show_receipt()


class Logbook(ModalScreen[None]):
    """Shows the log; `name` is the unit of the unit filter."""

    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-beside")]  # noqa: RUF012 - Textual's way
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-below")]  # noqa: RUF012 - Textual's way
    DEFAULT_CSS = """
    Logbook { align: center middle; }
    Logbook .box {
        width: 94%; max-width: 160; height: 94%;
        border: round $panel-title; border-title-color: $panel-title; background: $panel-back; padding: 0 1;
    }
    Logbook OptionList {
        height: 1fr; border: none; background: $panel-back; padding: 0; scrollbar-size-vertical: 1;
    }
    Logbook .box > Static { height: 1; color: $muted; }
    Logbook #middle { height: 1fr; }
    Logbook #detail { display: none; height: 40%; min-height: 10; }
    Logbook #detail { scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    Logbook #receipt { height: auto; }
    Logbook.-below #detail { display: block; border-top: solid $panel-line; }
    Logbook.-beside #middle { layout: horizontal; }
    Logbook.-beside OptionList { width: 1fr; }
    Logbook.-beside #detail {
        display: block; width: 40%; min-width: 34; height: 1fr; border-top: none; border-left: solid $panel-line;
        padding: 0 0 0 1;
    }
    Logbook.-alone OptionList, Logbook.-alone #titles { display: none; }
    Logbook.-alone #detail { display: block; width: 1fr; height: 1fr; border: none; padding: 0; }
    Logbook Input { height: 1; border: none; padding: 0; background: $prompt-back; display: none; }
    """

    def __init__(self, steps: Sequence[Step], battle: Battle, rules: Ruleset, name: str) -> None:
        super().__init__()
        self._battle, self._rules, self._who = battle, rules, name
        self._rows = log_rows(steps, battle, rules)
        self._sizes: list[tuple[int, int]] = []
        self._shown: list[LogRow] = []
        has_hits = any(_is_hit(row) for row in self._rows)
        self._usual = HITS if has_hits else EVERYTHING
        self._wanted, self._sought = self._usual, ""

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = plain("Log")
            yield Static(id="titles", markup=False)
            with Container(id="middle"):
                yield LongList()
                with LogDetail(id="detail", can_focus=False):
                    yield Static(id="receipt", markup=False)
            search = Input(placeholder="search for", compact=True)
            search.cursor_blink = False
            yield search
            yield Static(id="help", markup=False)

    def on_resize(self) -> None:
        self.call_after_refresh(
            lambda: self._list() if self.query(LongList) else None
        )  # a quick key may have closed it

    def _list(self) -> None:
        """Lists the filtered rows and selects the last."""
        words = self._sought.casefold()
        wanted = [
            row
            for row in self._rows
            if (self._wanted != ATTACKS or row.attacks)
            and (self._wanted != HITS or self._sought or _is_hit(row) or round_line(row.step, self._rules))
            and (self._wanted != UNIT or self._who.casefold() in row.sentence.casefold())
            and (words in row.sentence.casefold() or words in self._whole(row))
        ]
        self._shown = wanted[-MOST:]
        self._fill()
        of = f"{len(self._shown)} of {len(self._rows)}"
        kind = f" · {self._who if self._wanted == UNIT else self._wanted}"
        sought = f" · “{self._sought}”" if self._sought else ""
        self.query_one(".box").border_title = plain(f"Log, {of}{kind}{sought}")
        self._show_help()

    def _show_help(self) -> None:
        leaves = LIST if self.has_class(ALONE) else HELP + (CLEARS if self._is_filtered else LEAVES)
        self.query_one("#help", Static).update(plain(leaves), layout=False)

    @property
    def _is_filtered(self) -> bool:
        return self._wanted != self._usual or bool(self._sought)

    def _fill(self) -> None:
        """Fills the list and selects the last row."""
        options = self.query_one(LongList)
        width = max(20, options.content_size.width - 3)
        self._sizes = widths(COLUMNS, [self._cells(row) for row in self._shown if row.attacks], width - 3)
        titles = header(COLUMNS, self._sizes) if any(row.attacks for row in self._shown) else plain("")
        self.query_one("#titles", Static).update(join(["   ", titles]))
        options.clear_options()
        options.add_options([Option(self._headline(row, width)) for row in self._shown])
        if not self._shown:
            options.add_option(Option(plain("No row of the log matches.", "$muted"), disabled=True))
        options.action_last()
        self.show_receipt()

    def show_receipt(self) -> None:
        """Shows the events of the marked row, each attack with its modifiers."""
        place, detail = self.query_one(LongList).highlighted, self.query_one("#detail", VerticalScroll)
        if not detail.display:
            return
        width = max(20, detail.scrollable_content_region.width)
        rows = step_rows(self._shown[place].step, self._battle, self._rules, width) if place is not None else []
        self.query_one("#receipt", Static).update(lines(rows))
        detail.scroll_home(animate=False, force=True, immediate=True)

    def _whole(self, row: LogRow) -> str:
        """The text of an open row without the sources, in lower case, for the search."""
        sentences = [narrate(event, self._battle, self._rules) for event in row.step.events]
        rolled = (event for event in row.step.events if isinstance(event, AttackRolled))
        sentences += [f"{entry.label}: {entry.because}" for event in rolled for entry in event.entries]
        return "\n".join(sentences).casefold()

    def _cells(self, row: LogRow) -> TableRow:
        """A command with attacks as a row: who at whom, with what, what that cost, what it came to."""
        rolled = row.attacks[0].rolled
        assert rolled is not None
        who = f"{self._battle.called(rolled.unit)} ▸ {aimed_at(rolled, self._battle)}"
        what = rolled.weapon_label if len(row.step.commands) < 2 else row.sentence
        outcome, style = _outcome(row, self._rules)
        return TableRow(str(row.step.number), (who, what, _lost(row, self._rules), outcome), ("", "$muted", "", style))

    def _headline(self, row: LogRow, width: int) -> Content:
        """The line of a row: the round, then a row of the table, or a sentence, muted where it is no attack."""
        before = plain(f"{row.round or '':>2} ", "$muted")
        if row.attacks:
            return join([before, row_text(COLUMNS, self._sizes, self._cells(row))])
        said = round_line(row.step, self._rules)
        if said:
            rule = "─" * max(0, width - len(before) - len(said) - 3)
            return join([before, plain(f"  {said} ", "bold $panel-title"), plain(rule, "$panel-line")])
        return join([before, plain(fit(f"  {row.sentence}", width - len(before)))])

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
        is_alone = self.has_class(ALONE)
        match event.key:
            case "escape" if is_alone:
                self._toggle()
            case "escape" if self._is_filtered:
                self._wanted, self._sought = self._usual, ""
                self._list()
            case "escape" | "q" | "E":
                self.dismiss()
            case key if key in KEYS and is_alone:
                self._scroll(key)
            case key if key in KEYS:
                options.move_bar(key)
            case "enter" | "space" | "tab":
                self._toggle()
            case "f" if not is_alone:
                kinds = (HITS, ATTACKS, EVERYTHING, UNIT) if self._who else (HITS, ATTACKS, EVERYTHING)
                self._wanted = kinds[(kinds.index(self._wanted) + 1) % len(kinds)]
                self._list()
            case "slash" if not is_alone:
                search.value, search.display = "", True
                self.set_focus(search)

    def _scroll(self, key: str) -> None:
        """Scrolls the receipt by one of KEYS."""
        detail = self.query_one("#detail", VerticalScroll)
        page, end = detail.content_size.height, detail.max_scroll_y
        down = {"down": 1, "j": 1, "up": -1, "k": -1, "pagedown": page, "pageup": -page, "home": -end, "end": end}
        detail.scroll_relative(y=down[key], animate=False, force=True, immediate=True)

    def _toggle(self) -> None:
        """Shows the receipt of the marked row alone, or the list again."""
        self.toggle_class(ALONE)
        self._show_help()

    def on_option_list_option_highlighted(self) -> None:
        self.show_receipt()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._toggle()
