"""Comparison of the shot in focus under every ruleset, computed one after another while the modal is open."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from textual.app import App
from textual.containers import VerticalScroll
from textual.content import Content
from textual.worker import Worker, WorkerState

from engine.battle.narration.preview_text import to_roll
from engine.context import Context
from engine.dice.dice_text import signed
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from tui.application.describe.progress_bar import DONE, LEFT, progress
from tui.application.describe.text_layout import fit, wrap
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import SHEET_KEYS
from tui.application.library.listings import known_rulesets
from tui.application.library.ruleset_files import read_ruleset
from tui.application.presenter.presenter import NO_TARGET, Presenter
from tui.application.reports.compare_report import HEADS, RIGHT, Compared, compare, rows_of
from tui.application.reports.odds_report import OddsQuery, bill
from tui.application.reports.report_scene import Scene, scene_of
from tui.application.settings.folders import ruleset_folders
from tui.application.terminal.output import table
from tui.view.modals.text_modal import TextModal
from tui.view.panels.styled_text import join, lines, plain
from tui.view.terminal.worker_threads import left_as_found

TITLE = "bold $panel-title"
LABEL, VALUE = 22, 5
BAR = 16
"""Cells of the bar of the chance to hit."""
ROOMY = 32
"""Rows of a terminal from which rulesets stand apart."""
NO_TABLE = 1
"""The column of HEADS that is left out: it stands above each list of modifiers."""


def open_comparison(app: App[None], presenter: Presenter) -> None:
    """Opens the comparison of the shot in focus; without one it says what is missing."""
    focus, session = presenter.focus, presenter.session
    if not (focus.unit and focus.target):
        presenter.say(with_keys(NO_TARGET))
        return
    question = OddsQuery(focus.unit, focus.target, focus.weapon, focus.action)
    app.push_screen(Comparison(scene_of(session.battle, session.rules), question))


class Comparison(TextModal):
    """Shows a card of the computed rulesets, or all their modifiers; the other rulesets follow."""

    MORE = "{sheet.more} modifiers"

    def __init__(self, scene: Scene, question: OddsQuery) -> None:
        super().__init__("The same shot under every ruleset", self._shown_rows)
        self._scene, self._question = scene, question
        self.compared: tuple[Compared, ...] = ()
        self._left = known_ids(scene)
        self._answers = Context()
        self._shows_bills = False

    def on_mount(self) -> None:
        super().on_mount()
        self._go_on()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Takes the result of one ruleset and starts the next."""
        if event.state is WorkerState.SUCCESS and isinstance(event.worker.result, Compared):
            self.compared = (*self.compared, event.worker.result)
            self._left = self._left[1:]
            self.on_resize()
            self._go_on()

    def _go_on(self) -> None:
        if self._left:
            self.run_worker(self._next, thread=True)

    def _next(self) -> Compared:
        """Computes the next ruleset, in a thread: it must not touch the screen."""
        name = self._left[0]
        try:
            with left_as_found(self._answers):
                own = self._scene.rules
                rules = own if own is not None and own.id == name else read_ruleset(name)
                return compare(self._scene, rules, self._question)
        except BattleboardError as error:
            return Compared(name, name, reason=str(error))

    def _shown_rows(self, width: int) -> Content:
        if self._shows_bills:
            return comparison_text(self.compared, len(self._left), width)
        head = shot_words(self._question, self.compared)
        return card_text(head, self.compared, len(self._left), width, is_roomy=self.app.size.height >= ROOMY)

    def action_more(self) -> None:
        self._shows_bills = not self._shows_bills
        self.on_resize()
        self.query_one(VerticalScroll).scroll_home(animate=False)


def known_ids(scene: Scene) -> tuple[str, ...]:
    """Ids of all rulesets, the battle's own first."""
    own: Ruleset | None = scene.rules
    others = [name for name in sorted(known_rulesets(ruleset_folders())) if own is None or name != own.id]
    return (*([own.id] if own else []), *others)


def shot_words(question: OddsQuery, compared: Sequence[Compared]) -> str:
    """Who attacks whom, and how far away, as the first ruleset that can tell measures it."""
    shot = next((one.answer.shot.situation for one in compared if one.answer), None)
    if shot is None:
        return f"{question.attacker} → {question.target}"
    return f"{shot.attacker.name} → {shot.target.name}, {shot.distance}{shot.on_map}"


def card_text(head: str, compared: Sequence[Compared], left: int, width: int, *, is_roomy: bool) -> Content:
    """Renders the shot and three rows a ruleset: its attack, the odds, the roll with what costs and helps most.

    Args:
        head: who attacks whom.
        compared: the rulesets that are computed.
        left: how many are not yet.
        width: columns of the card.
        is_roomy: with a blank row between rulesets.
    """
    rows: list[Content | str] = [plain(fit(head, width), "bold"), ""]
    for number, one in enumerate(compared):
        rows += [""] * (is_roomy and number > 0) + _card_rows(one, width)
    return lines([*rows, *_progress(len(compared), left)])


def _card_rows(one: Compared, width: int) -> list[Content | str]:
    shot = one.answer.shot if one.answer else None
    attack = f"{shot.situation.weapon.label}, {shot.situation.action.label.lower()}" if shot else ""
    attack = " · ".join(filter(None, (attack, one.roles_words)))
    first = join([plain(fit(one.name, LABEL), TITLE), plain(fit(f" {attack}", width - LABEL), "$muted")])
    if one.answer is None or shot is None or not shot.ledger.is_possible:
        return [first, plain("no attack", "bold $warn"), plain(fit(one.refusal, width), "$muted")]
    _, _, _, hit, wounds, drops, average = rows_of([one])[0]
    filled = round(shot.odds.hit * BAR)
    chances = f"  wounds {wounds} · drops {drops}" if wounds else ""
    longer = f"{chances} · avg. damage {average}"
    damage = longer if len(longer) <= width - BAR - VALUE - 1 else f"{chances} · dmg {average}"
    odds = damage if average else chances
    bar = [plain(DONE * filled, "$good"), plain(LEFT * (BAR - filled), "$muted"), plain(f" {hit:>{VALUE}}", "bold")]
    biggest = sorted(shot.ledger.entries[1:], key=lambda entry: -abs(Fraction(entry.value)))
    weights = ", ".join(
        f"{entry.label.lower()} {signed(entry.value)}" for entry in biggest if entry.value and entry.active
    )
    roll = to_roll(shot, one.answer.rules)
    return [
        first,
        join([*bar, plain(odds)]),
        plain(fit(f"{roll}{f' · {weights}' if weights else ''}", width), "$muted"),
    ]


def _progress(done: int, left: int) -> list[Content | str]:
    """How far the computation is; nothing at its end."""
    stops = with_keys("{sheet.close} stops", SHEET_KEYS)
    share = Fraction(done, done + left) if left else None
    return [] if share is None else [plain(f"{progress(share)}, {left} to go; {stops}.", "$muted")]


def comparison_text(compared: Sequence[Compared], left: int, width: int) -> Content:
    """Renders the table, the progress, and each ruleset's modifiers."""
    rows = [tuple(cell for place, cell in enumerate(row) if place != NO_TABLE) for row in [HEADS, *rows_of(compared)]]
    head, *others = table([(fit(row[0], LABEL), *row[1:]) for row in rows], right=[place - 1 for place in RIGHT])
    found: list[Content | str] = [plain(head, "$muted"), *(plain(row, "bold") for row in others)]
    found += _progress(len(compared), left)
    for one in compared:
        found += ["", plain(one.name, TITLE), *_bill(one, width)]
    return lines(found)


def _bill(one: Compared, width: int) -> list[Content | str]:
    if one.answer is None:
        return [*wrap(f"No attack. {one.reason}", width)]
    shot, rules = one.answer.shot, one.answer.rules
    band = f", {shot.ledger.band_label}" if shot.ledger.band_label else ""
    situation = shot.situation
    head = f"{situation.weapon.label}, {situation.action.label}, {situation.distance}{situation.on_map}{band}"
    found: list[Content | str] = [*wrap(head, width), *wrap(one.roles_words, width)]
    for label, value, because in bill(rules, shot):
        said = wrap(because, width - LABEL - VALUE - 2) or [""]
        found.append(f"{fit(label, LABEL)} {value:>{VALUE}} {said[0]}")
        found += [plain(" " * (LABEL + VALUE + 2) + row) for row in said[1:]]
    if shot.refusal:
        found += [plain(row, "$warn") for row in wrap(f"Unavailable: {shot.refusal}", width)]
    return found
