"""The battle screen: how the board, the panels and the verdict show what the conversation has come to."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from engine.battle.attacks.attack_preview import Change, Shot
from engine.battle.command import Attack
from engine.battle.facts import BARE_SQUARE
from engine.battle.narration.preview_text import verdict
from engine.battle.setup import full_budget
from engine.battle.state.battle import Battle
from engine.battle.views.view import project
from engine.battle.wording import squares
from engine.geometry.squares import Square
from engine.journal.session import Session
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.roll_odds import Worth, every_worth
from engine.tactics.suggestions import better, changes
from engine.values import replace
from tui.describe.progress_bar import progress
from tui.describe.styled_text import join, plain, shortened
from tui.focus import focus as foci
from tui.focus.square_text import aim_words, path_words, square_words
from tui.keys.battle_keys import by_action, with_keys
from tui.modals.messages import Left, LibraryWanted, SettingsChanged
from tui.overlays.overlay_list import follows_cursor, overlay_of, shade
from tui.overlays.positioning import MEASURES, Prospects, prospects
from tui.panels.layout import NARROW, layout
from tui.panels.prompt import PromptBar
from tui.panels.side_panels import LogPanel, MapPanel, OrderPanel, ShotPanel, UnitPanel
from tui.screens.conversation import NO_TARGET, SLIM
from tui.screens.gm_actions import Hand
from tui.screens.panel_switches import arrange, bare_or_back, bring, off_words, panel_words, resize_panels, show_map
from tui.screens.title_bar import quiet, show_title, state_of, words_for
from tui.settings.settings import PANELS, USUAL, Settings
from tui.terminal.capabilities import LEAST_COLUMNS, LEAST_ROWS
from tui.terminal.compositor import compose_sparingly
from tui.terminal.idle_jobs import SpareTime
from tui.terminal.raw_widgets import Sentence

if TYPE_CHECKING:
    from tui.screens.tour import Tour

SHOWN_EVERY = 16
"""Squares after which what is worked out little by little is shown again."""


class BattleScreen(Hand):
    """One battle, shown."""

    BINDING_GROUP_TITLE = "Battle"

    def __init__(
        self,
        session: Session,
        settings: Settings = USUAL,
        *,
        is_kept: bool = True,
        notice: str = "",
        has_tour: bool = False,
    ) -> None:
        super().__init__(session)
        compose_sparingly(self)
        self.settings = settings
        self.aside = settings.put_aside
        """Panels that are not shown now; digits change it, and it is remembered nowhere."""
        self.is_kept = is_kept
        self.note = notice
        self.has_tour = has_tour
        self.tour: Tour | None = None
        self.panel = self._panel_before = "shot"
        self.spare = SpareTime(self.set_timer)
        self._looking_on: Prospects | None = None
        self._weighed: tuple[Battle | None, Attack | None, tuple[Change, ...], tuple[Worth, ...]] = (None, None, (), ())
        """The attack that was weighed last, what would better it, and what its entries are worth."""

    def compose(self) -> ComposeResult:
        yield Static(id="too-small", markup=False)
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                yield self.board
                yield MapPanel(id="corner")
                with Horizontal(id="below"):
                    yield OrderPanel(id="order")
                    yield LogPanel(id="log")
            with Vertical(id="side"):
                yield ShotPanel(id="shot")
                yield UnitPanel(id="unit")
                yield MapPanel(id="map")
        yield Static(id="tour", markup=False)
        yield Sentence(id="verdict")
        yield PromptBar(id="prompt")
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        board = self.board
        self.watch(board, "overlay", self.follow, init=False)
        for part in ("scroll_x", "scroll_y", "zoom"):
            self.watch(board, part, self._show_map, init=False)
        board.use_ascii(self.settings.glyphs == "ascii")
        self.set_focus(board)
        self.show_all()
        if self.has_tour:
            self.call_after_refresh(self.begin_tour)
        elif self.session.journal.is_writer:
            self.call_after_refresh(self.take_up_held)

    def begin_tour(self) -> None:
        from tui.screens.tour import Tour

        if self.tour is not None:
            self.tour.end()
        self.tour = Tour(self)

    def action_cancel(self) -> None:
        """Clears what is shaded; with nothing shaded, or at its last step, it ends the tour where there is one."""
        is_clear = self.looked.shading == "plain" and self.interrupted is None
        if self.tour is None or not (is_clear or self.tour.is_last):
            super().action_cancel()
            return
        from tui.screens.tour import OVER

        self.tour.end()
        self.tour = None
        self.looked = replace(self.looked, shading="plain", move="", altitude=None, target="")
        self.say(with_keys(OVER))

    def on_resize(self) -> None:
        columns, rows = self.size
        is_too_small = columns < LEAST_COLUMNS or rows < LEAST_ROWS
        self.set_class(is_too_small, "-too-small")
        self.set_class(columns < SLIM, "-slim")
        if is_too_small and self.is_asking:
            self.query_one(PromptBar).close()
        said = f"This terminal has {columns}×{rows} now; the board needs {LEAST_COLUMNS}×{LEAST_ROWS}. Nothing is lost."
        self.query_one("#too-small", Static).update(plain(said), layout=False)
        self.place_panels()
        if self.tour is not None:
            self.tour.show()
        self._show_title()
        self._show_verdict()
        self._show_keys()

    def place_panels(self) -> None:
        """Gives every panel its place."""
        field = self.session.battle.field
        now = replace(self.settings, hidden=self.aside, minimap=True)
        arrange(self, layout(*self.size, (field.columns, field.rows), now, self.panel))

    # What is shown

    def show_all(self) -> None:
        """Everything follows from the session and the focus."""
        battle, rules = self.session.battle, self.session.rules
        self.looked = foci.settle(self.looked, battle)
        self.shot = foci.shot(self.looked, battle, rules)
        view = project(battle, rules)
        board = self.board
        board.view = view
        self.shading = shade(self.looked, battle, rules, self.board.glyphs.tints)
        board.overlay = overlay_of(self.looked, self.shot, self.shading)
        self._show_shot()
        self.query_one(OrderPanel).shown = (view, self.looked.unit, self.looked.target)
        self.query_one(LogPanel).shown = (self.session.told, rules)
        self._show_unit()
        self._show_map()
        self._look_on_soon()
        self._show_title()
        self._show_verdict()
        self._show_keys()

    def way(self) -> tuple[Square, ...]:
        """The way to the cursor that is drawn; nothing where the unit cannot go."""
        return overlay_of(self.looked, self.shot, self.shading).path

    def show_cursor(self) -> None:
        """Only what follows the cursor."""
        battle, rules = self.session.battle, self.session.rules
        if foci.aims_at_cursor(self.looked, battle, rules):
            self.shot = foci.shot(self.looked, battle, rules)
            self._show_shot()
        if follows_cursor(self.looked) or foci.sweeps(self.looked, battle, rules):
            self.shading = shade(self.looked, battle, rules, self.board.glyphs.tints)
        self.board.overlay = overlay_of(self.looked, self.shot, self.shading)
        self._show_unit()
        self._show_map()
        self._show_verdict()
        self._look_on_soon()

    def _look_on_soon(self) -> None:
        """Goes on with what is worked out little by little, where it is shown and not whole yet."""
        if self.looked.shading not in MEASURES or self.looked.unit not in self.session.battle.units:
            self.spare.drop("stand")
            self._looking_on = None
            return
        found = prospects(self.looked, self.session.battle, self.session.rules)
        if found is not self._looking_on and not found.is_whole:
            self._looking_on = found
            self.spare.do("stand", self._look_on(found))

    def _look_on(self, found: Prospects) -> Iterator[None]:
        while not found.is_whole:
            found.look_on()
            if found.is_whole or len(found.known) % SHOWN_EVERY == 0:
                self.show_cursor()
                self._show_title()
            yield

    def _show_shot(self) -> None:
        """The shot at once; what it comes to in the end when the screen has been painted."""
        self.query_one(ShotPanel).shown = (self.shot, self.session.rules)
        if isinstance(self.shot, Shot):
            self.call_after_refresh(self._foresee, self.shot)

    def _foresee(self, shot: Shot) -> None:
        if self.shot is shot:  # else another has come into focus meanwhile
            self.spare.do("foresee", self._foreseen(shot))

    def _foreseen(self, shot: Shot) -> Iterator[None]:
        """Works out what the shot comes to, and shows it."""
        battle, rules = self.session.battle, self.session.rules
        wish = foci.attack_in(self.looked, battle, rules)
        found = yield from foci.with_outlook(shot, self.looked, battle, rules)
        if self.shot is not shot:
            return
        last, about, best, worths = self._weighed
        is_known = last is battle and about == wish
        self.shot = found = replace(found, better=best, worths=worths) if is_known else found
        self.query_one(ShotPanel).shown = (found, rules)
        if found.defended is not None:
            self._show_verdict()
        if not is_known and wish is not None and not wish.square:
            self.spare.do("weigh", self._weigh(found, battle, wish))

    def _weigh(self, shot: Shot, battle: Battle, wish: Attack) -> Iterator[None]:
        """Weighs what would better the shot and what each entry is worth, and shows the best of it."""
        found: list[Change] = []
        for change in changes(battle, self.session.rules, wish):
            found.append(change)
            yield
        best = better(found, shot.odds.hit if shot.ledger.is_possible else Fraction(0))
        known: list[Worth] = []
        for worth in every_worth(self.session.rules, shot.situation.facts, shot.ledger):
            known.append(worth)
            yield
        self._weighed = battle, wish, best, tuple(known)
        if self.shot is shot:
            self.shot = replace(shot, better=best, worths=tuple(known))
            self.query_one(ShotPanel).shown = (self.shot, self.session.rules)

    def _show_unit(self) -> None:
        view = self.board.view
        here = view.at(self.looked.cursor) if view else None
        subject = here or (view.unit(self.looked.unit) if view and self.looked.unit else None)
        sign = UNIT_SIGNS[self.session.battle.field.unit]
        self.query_one(UnitPanel).shown = (subject, sign)

    @property
    def under_way(self) -> str:
        """How far long work has come, and that it can be stopped; "" when there is none."""
        found = self._looking_on
        return (
            "" if found is None or found.is_whole else f"{progress(found.share)}, {with_keys('{battle.cancel} stops')}"
        )

    @property
    def state(self) -> str:
        """What becomes of what is done here."""
        return words_for(self.session) or ("saved" if self.is_kept else "demo, not kept")

    @property
    def title_state(self) -> str:
        """Which of the title bar's states it is; "" where the battle is played and saved."""
        return state_of(self.session)

    def _show_map(self) -> None:
        show_map(self)

    def _show_title(self) -> None:
        battle, rules = self.session.battle, self.session.rules
        state = self.title_state
        words = ", ".join(filter(None, (self.state if state or not self.under_way else "", self.under_way)))
        turn: list[Content] = []
        if battle.turns.active:
            unit = battle.units[battle.turns.active]
            full = full_budget(battle, rules, unit)
            spare = {key: unit.turn.budget.get(key, 0) for key in rules.units.budgets}
            left = [item.counted(spare[key]) for key, item in rules.units.budgets.items() if spare[key] or full[key]]
            if unit.turn.stride:
                left.append(f"{squares(unit.turn.stride)} left")
            turn = [plain(f"Round {battle.turns.round} · "), plain(unit.name, "bold"), plain(f" · {', '.join(left)}")]
        name = plain(f"{battle.field.name} · {rules.name}   ", quiet(state))
        blows = battle.scene.wind and f"wind {battle.scene.wind.towards.name} {battle.scene.wind.squares}   "
        wind = [plain(blows, quiet(state))] if blows else []
        room = self.size.width - len(words) - 6
        titles = (join(parts) for parts in ([name, *wind, *turn], [*wind, *turn]))
        title = next((title for title in titles if title.cell_length <= room), None)
        title = join(turn) if title is None else title
        show_title(self.query_one("#title", Static), title, state, words, self.size.width)

    def _show_verdict(self) -> None:
        told = self.verdict
        rows = shortened(told, self.size.width - 2, self.verdict_rows, keeps_end=told == self.result)
        self.query_one(Sentence).rows = tuple(rows)

    @property
    def verdict(self) -> str:
        """The one sentence: what just happened, else the shot, else what is under the cursor."""
        if self.note:
            return self.note
        if follows_cursor(self.looked):
            return self.shading.words
        battle, rules = self.session.battle, self.session.rules
        if self.shading.reach and (way := self.way()):
            told = path_words(self.shading.reach, way, self.looked, battle, rules)
            return f"{told} {aim_words(self.looked, battle, rules, way)}".rstrip()
        target = battle.units.get(self.looked.target)
        is_at_cursor = isinstance(self.shot, Shot) and (
            self.shot.situation.target.id == BARE_SQUARE or self.shot.caught is not None
        )
        if is_at_cursor or (target is not None and self.looked.cursor in target.squares):
            if isinstance(self.shot, Shot):
                return verdict(self.shot, rules)
            if self.shot:
                return self.shot
        told = square_words(self.looked, battle, rules)
        unit = battle.units.get(self.looked.unit)
        is_afar = self.shading.reach is not None and unit is not None and self.looked.cursor != unit.at
        return f"Out of reach. {told}" if is_afar and battle.at(self.looked.cursor) is None else told

    def _show_keys(self) -> None:
        text = ""
        for keys, binding in by_action(self):
            more = f"{text}  {keys[0]} {binding.description}"
            if binding.show and len(more) < self.size.width:
                text = more
        self.query_one("#keys", Static).update(plain(text[1:], "$muted"), layout=False)

    def action_compare(self) -> None:
        """The shot in focus under every ruleset."""
        from tui.reports.odds_report import OddsQuery
        from tui.reports.report_scene import scene_of
        from tui.screens.comparison import Comparison  # here, as the board's first paint does without

        looked, battle = self.looked, self.session.battle
        if not (looked.unit and looked.target):
            self.say(with_keys(NO_TARGET))
            return
        question = OddsQuery(looked.unit, looked.target, looked.weapon, looked.action)
        self.app.push_screen(Comparison(scene_of(battle, self.session.rules), question))

    def action_settings(self) -> None:
        from tui.modals.settings_menu import choose_setting

        choose_setting(self.app, self.settings, self.change_settings)

    def change_settings(self, settings: Settings, said: str) -> None:
        """The board looks otherwise from now on."""
        self.use_settings(settings)
        self.post_message(SettingsChanged(settings, self.say))
        self.say(said)

    def use_settings(self, settings: Settings) -> None:
        """The board looks otherwise, wherever that was chosen."""
        if settings == self.settings:
            return
        if settings.put_aside != self.settings.put_aside:
            self.aside = settings.put_aside
        self.settings = settings
        self.board.use_ascii(settings.glyphs == "ascii")
        self.place_panels()

    def action_library(self) -> None:
        self.post_message(LibraryWanted())

    def action_leave(self) -> None:
        self.post_message(Left())

    def action_panel(self, name: str = "") -> None:
        """On a narrow screen the panel to be shown, or the next; on others it is shown besides the rest."""
        if self.size.width < NARROW:
            self.show_panel(name or PANELS[(PANELS.index(self.panel or PANELS[-1]) + 1) % len(PANELS)])
        elif name:
            bring(self, name)
        else:
            off = off_words(self.settings)
            self.say(with_keys(f"All panels have room here; {off}. {{battle.settings}} changes that."))

    def show_panel(self, name: str) -> None:
        """The one panel of a narrow screen; "" for none."""
        self.panel, self._panel_before = name, self.panel or self._panel_before
        self.place_panels()
        self._show_map()

    def action_panels(self) -> None:
        """The board alone, or with what stood around it."""
        if self.size.width < NARROW:
            self.show_panel("" if self.panel else self._panel_before)
        else:
            bare_or_back(self)

    def set_panel(self, name: str, is_shown: bool) -> None:
        """Shows or hides a panel from now on: it is remembered."""
        self.aside = self.settings.put_aside
        self.change_settings(self.settings.with_panel(name, is_shown), panel_words(name, is_shown))

    def action_resize(self, part: str, cells: int) -> None:
        resize_panels(self, part, cells)
