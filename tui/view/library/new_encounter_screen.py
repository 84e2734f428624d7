"""The new encounter on the screen: three lists that letters narrow, each with a preview, and then the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from engine.battle.narration.preview_text import mean_words
from engine.context import Context
from engine.dice.dice_text import number, percent
from engine.errors import BattleboardError, first_line
from engine.generators import result_of
from engine.rules.ledger import UNIT_SIGNS
from engine.tactics.balance import CALCULATING, Kind, weigh
from engine.text import count
from maps import BattleMap, load_map
from tui.application.describe.text_layout import shortened
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import ENCOUNTER_KEYS
from tui.application.library.battle_list import scenery_of
from tui.application.library.character_files import Party, character_heads, party_members, read_parties
from tui.application.library.listings import SHIPPED, known_maps, known_rulesets
from tui.application.library.new_encounter import (
    CAST,
    Prospect,
    RosterLine,
    Side,
    StatBlock,
    Typed,
    begin_roster,
    kinds_of,
    prospect,
    side_of,
    stat_blocks,
    usual_distance,
    with_line,
)
from tui.application.library.party_files import party_rulesets
from tui.application.library.ruleset_files import read_ruleset, ruleset_title
from tui.application.prompts.choice import Choice, Column, narrowed
from tui.application.prompts.table_rows import Sorting, ordered, rows_of
from tui.application.settings.folders import map_folders, ruleset_folders
from tui.view.keys.bound_keys import bind
from tui.view.library.list_panels import NARROWS, Listed, NarrowingList, TextPanel
from tui.view.library.map_preview import Preview
from tui.view.library.party_screen import PartyScreen
from tui.view.library.previews import party_rows, unit_rows
from tui.view.modals.help_screen import keys_text
from tui.view.modals.messages import Chosen
from tui.view.modals.text_modal import TextModal
from tui.view.panels.key_footer import KeyFooter
from tui.view.panels.layout import usual_side
from tui.view.panels.styled_text import join, lines, plain
from tui.view.terminal.worker_threads import left_as_found

MAP, PARTY, OPPONENT = 0, 1, 2
NEW_PARTY = "new-party"
STEPS = ("1 map", "2 party", "3 opponents")
LISTED = ("Map", "Party or ruleset", "Opponents")
"""What the list of each step offers."""
NOT_YET = "…"
ELSEWHERE = dict.fromkeys(("hide", "distance(-1)", "distance(1)", "erase"), "")
"""What the footer leaves out where no opponents are listed."""
LIST, WIDE_LIST = 34, 56
"""Cells of the list of maps and parties, and from ROOMY columns on."""
BESIDE, ROOMY, TALL = 60, 110, 30
"""Columns from which on something stands beside the list, and it is wider; rows for the stat block below it."""
NAMED = (Column("name"), Column(""))
OPPONENTS = (
    Column("name"),
    Column("weapon", 1),
    Column("hp", is_number=True),
    Column("wears", 2),
    Column("hit", is_number=True),
    Column("avg", 3, is_number=True),
    Column("moves", 4, is_number=True),
)
RANGE_STEP = 2
"""Squares by which a key changes the distance."""


class NewEncounterScreen(Screen[None]):
    """Ends in a battle in its set-up phase, which the app shows, or goes back to the library."""

    BINDINGS = bind(ENCOUNTER_KEYS)
    BINDING_GROUP_TITLE = "New encounter"
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-close")]  # noqa: RUF012 - Textual's way
    DEFAULT_CSS = """
    NewEncounterScreen NarrowingList { width: 100%; height: 1fr; }
    NewEncounterScreen #detail { width: 100%; }
    NewEncounterScreen.-narrow #middle { layout: vertical; }
    NewEncounterScreen #frame { width: 1fr; height: 1fr; border: round $panel-line; padding: 0 1; }
    NewEncounterScreen TextPanel { width: 1fr; height: 1fr; }
    NewEncounterScreen #sentence { height: 2; background: $bar-back; }
    """

    def __init__(self, last_map: str = "", *, ascii_only: bool = False) -> None:
        """`last_map` is the id of the map that is marked first."""
        super().__init__()
        self.step = MAP
        self.typed = Typed()
        self.place = 0
        self.has_walked = False
        """Whether arrows have marked an opponent: then Enter adds it though nothing is typed."""
        self.note = ""
        self._party_fault = ""
        """Why no party can be chosen; "" where they can be read."""
        self.map_id = last_map
        self.map: BattleMap | None = None
        self.side: Side | None = None
        self.blocks: tuple[StatBlock, ...] = ()
        self.roster: tuple[RosterLine, ...] = ()
        self.distance = 1
        self.balance = CALCULATING
        self.prospects: dict[str, Prospect] = {}
        self.sorting = Sorting()
        self.shows_block = False
        """Whether the marked stat block stands in place of the roster, where there is not room for both."""
        self._answers = Context()
        """What each stat block does to the party at the present distance."""
        self._is_ascii = ascii_only
        self._files: Mapping[str, tuple[Path, str]] = known_maps(map_folders())
        self._maps: dict[str, BattleMap | str] = {}
        self._sides: dict[str, Side | str] = {}
        self._parties: Mapping[str, Party] = {}
        self._rulesets: dict[str, str] = {}
        """Of parties, by their ids; as far as the heads of the files say."""
        self._has_characters = any(not head.is_opponent for head in character_heads())
        self._is_begun = False
        self._read_parties()
        self.note = self._party_fault
        self._mark(self.map_id)

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="list"):
                yield NarrowingList()
                yield TextPanel(id="detail")
            with Vertical(id="frame"):
                yield Preview(ascii_only=self._is_ascii, id="board")
            yield TextPanel(id="about")
        yield Static(id="sentence", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self.show_all()

    def on_resize(self) -> None:
        self.show_all()

    def _read_parties(self) -> None:
        try:
            self._parties = read_parties()
        except BattleboardError as error:
            self._party_fault = first_line(error)
        self._rulesets = party_rulesets(self._parties)

    # What there is to choose

    @property
    def choices(self) -> list[Choice]:
        """What the list of this step shows now."""
        return narrowed(self._offered(), self.typed.letters)

    def _offered(self) -> Sequence[Choice]:
        if self.step == MAP:
            return [
                Choice(id, id, "" if where == SHIPPED else "yours") for id, (_, where) in sorted(self._files.items())
            ]
        if self.step == PARTY:
            parties = [
                Choice(f"party {id}", party.name, self._party_note(party)) for id, party in self._parties.items()
            ]
            rulesets = sorted(known_rulesets(ruleset_folders()))
            new = [Choice(NEW_PARTY, "new party …")] if self._has_characters and not self._party_fault else []
            return [*parties, *new, *(Choice(f"ruleset {id}", id, ruleset_title(id)) for id in rulesets)]
        offered = {block.id: Choice(block.id, block.name, cells=self._block_cells(block)) for block in self.blocks}
        return [offered[row.id] for row in ordered(rows_of(offered.values()), OPPONENTS, self.sorting)]

    def _party_note(self, party: Party) -> str:
        missing = f"{len(party.missing)} missing" if party.missing else ""
        return " · ".join(filter(None, (f"{len(party.characters)}", missing, self._rulesets[party.id])))

    def _block_cells(self, block: StatBlock) -> tuple[str, ...]:
        """A stat block's cells in the columns of opponents, after its name."""
        if block.id == CAST:
            return count(len(self.map.placements), "unit") if self.map else "", "", "", "", "", ""
        found, has_party = self.prospects.get(block.id), bool(self.side and self.side.units)
        hit = damage = squares = NOT_YET if has_party else ""
        if found is not None:
            hit, damage = (percent(found.hit), mean_words(found.damage)) if found.hit else ("-", "-")
            squares = number(found.squares) if found.squares else "-"
        return block.weapon, block.health.partition(" ")[0], block.armour, hit, damage, squares

    @property
    def marked(self) -> str:
        """Id of the marked choice; "" for none."""
        choices = self.choices
        return choices[min(self.place, len(choices) - 1)].id if choices else ""

    @property
    def is_line_empty(self) -> bool:
        """Whether nothing is typed or marked that would be added to the roster."""
        return self.step == OPPONENT and not self.typed and not self.has_walked

    def _mark(self, id: str) -> None:
        self.place = next((place for place, one in enumerate(self.choices) if one.id == id), 0)

    def _map(self, id: str) -> BattleMap | str:
        """A map, or why it cannot be used."""
        if id not in self._maps:
            try:
                self._maps[id] = load_map(self._files[id][0])
            except BattleboardError as error:
                self._maps[id] = first_line(error)
        return self._maps[id]

    def _side(self, id: str) -> Side | str:
        """A party with its characters or a ruleset, or why it cannot be used."""
        if id not in self._sides:
            kind, _, name = id.partition(" ")
            party = self._parties[name] if kind == "party" else None
            try:
                if party and party.missing:
                    party_members(party)
                ruleset = self._rulesets[name] if party else name
                self._sides[id] = side_of(read_ruleset(ruleset), party)
            except BattleboardError as error:
                self._sides[id] = first_line(error)
        return self._sides[id]

    # What is shown

    def show_all(self) -> None:
        if not self.query(TextPanel):  # a late message while the screen closes
            return
        offered = tuple(self._offered())
        choices = tuple(narrowed(offered, self.typed.letters))
        place = -1 if self.is_line_empty else min(self.place, len(choices) - 1)
        is_roster = self.step == OPPONENT
        listed = Listed(
            LISTED[self.step],
            choices,
            place,
            self.typed.words,
            OPPONENTS if is_roster else NAMED,
            f"{NARROWS} · a number first is how many" if is_roster else NARROWS,
            offered,
            self.sorting if is_roster else Sorting(),
            counts=is_roster,
        )
        self.query_one(NarrowingList).shown = listed
        self._lay_out()
        names = [plain(f"{name}", "bold" if place == self.step else "$muted") for place, name in enumerate(STEPS)]
        dot = plain(" · ", "$muted")
        title_parts = [plain(" New encounter  ", "bold"), names[0], dot, names[1], dot, names[2]]
        self.query_one("#title", Static).update(join(title_parts))
        is_map = self.step == MAP
        self.query_one("#frame").display = is_map
        about = self.query_one(TextPanel)
        about.display = not is_map
        if is_map:
            found = self._map(self.marked) if self.marked else ""
            preview = self.query_one(Preview)
            scenery = scenery_of(found) if isinstance(found, BattleMap) else None
            if preview.shown != scenery:
                preview.shown = scenery
        else:
            about.shown = self._about_side() if self.step == PARTY else self._about_roster()
        rows = shortened(self.sentence, self.size.width - 2, 2)
        self.query_one("#sentence", Static).update(lines(plain(f" {row}", "bold") for row in rows))
        self.query_one(KeyFooter).show(names={} if self.step == OPPONENT else ELSEWHERE)

    def _lay_out(self) -> None:
        """Gives the opponents all the room that the roster leaves, and their stat block some below them."""
        size, is_roster = self.size, self.step == OPPONENT
        room = size.width - usual_side(size.width)
        wide = room if is_roster and size.width >= BESIDE else min(room, WIDE_LIST if size.width >= ROOMY else LIST)
        self.query_one("#list").styles.width = wide if size.width >= BESIDE else "100%"
        block = self._marked_block()
        detail = self.query_one("#detail", TextPanel)
        detail.display = self._has_detail
        detail.shown = (block.name, tuple(self._about_block(block)), ()) if block else ("", (), ())

    @property
    def _has_detail(self) -> bool:
        """Whether there is room for the marked stat block below the list."""
        return self.step == OPPONENT and self.size.height >= TALL

    def _marked_block(self) -> StatBlock | None:
        marked = "" if self.is_line_empty else self.marked
        return next((one for one in self.blocks if one.id == marked and one.unit is not None), None)

    def _about_block(self, block: StatBlock) -> Iterator[Content]:
        """A stat block in full, and what it does to the party."""
        found = self.prospects.get(block.id)
        if found is not None and found.hit:
            said = f"Hits you {percent(found.hit)}, {mean_words(found.damage)} a shot on average."
            yield plain(said, "bold")
            yield plain("")
        if block.unit is not None and self.side is not None:
            yield from unit_rows(block.unit, self.side.rules)

    def _about_side(self) -> tuple[str, tuple[Content, ...], tuple[str, ...]]:
        if self.marked == NEW_PARTY:
            return "Party", (), ()
        found = self._side(self.marked) if self.marked else ""
        if isinstance(found, str):
            return "Party", (), (found,)
        title = found.party.name if found.party else found.rules.name
        return title, tuple(party_rows(found)), () if found.party else (found.rules.summary,)

    def _about_roster(self) -> tuple[str, tuple[Content, ...], tuple[str, ...]]:
        rows = [plain(line.words) for line in self.roster] or [plain("nobody yet", "$muted")]
        block = self._marked_block()
        if block is not None and not self._has_detail:
            if self.shows_block:
                return block.name, tuple(self._about_block(block)), ()
            found = self.prospects.get(block.id)
            hits = f" · hits you {percent(found.hit)}" if found else ""
            said = f"{block.weapon} · {block.health}{hits}"
            more = with_keys("{encounter.detail} shows more", ENCOUNTER_KEYS)
            rows += [plain(""), plain(block.name, "bold $panel-title"), plain(said), plain(more, "$muted")]
        return "Roster", tuple(rows), self._balance_words()

    def _balance_words(self) -> tuple[str, ...]:
        """The distance and how to change it; then the balance, or whom the chances are against."""
        if self.map is None or self.side is None or not self.side.units:
            return ()
        field = self.map.battlefield
        far = Fraction(self.distance * field.square_size, 100)
        keys = with_keys("{encounter.nearer} nearer, {encounter.farther} farther", ENCOUNTER_KEYS)
        at = f"At {self.distance} squares ({number(far)} {UNIT_SIGNS[field.unit]}; {keys})"
        if not self.roster:
            return (f"{at}. “hit” is its chance with the weapon in hand against an average member of your party.",)
        what = "best weapon, standing; no cover, movement or area attacks"
        return (f"{at}: {what}. {self.balance}",)

    @property
    def sentence(self) -> str:
        """The note, or what is marked, and what Enter does."""
        return self.note or self._sentence()

    def _sentence(self) -> str:
        if self.step == MAP:
            return self._map_sentence()
        if self.step == PARTY and self._party_fault:
            return self._party_fault
        if self.step == PARTY:
            if self.marked == NEW_PARTY:
                return with_keys("{encounter.take} makes a party of your characters.", ENCOUNTER_KEYS)
            found = self._side(self.marked) if self.marked else ""
            if isinstance(found, str):
                return found or "No match."
            words = f"{found.party.name}, {found.rules.name}" if found.party else f"{found.rules.name}, without a party"
            said = f"{words}. {{encounter.take}} takes it; {{encounter.leave}}: the map."
            return with_keys(said, ENCOUNTER_KEYS)
        if self.is_line_empty:
            ends = "{encounter.take} begins the set-up" if self.roster else "{encounter.take}: set-up without opponents"
            return with_keys(
                f"Type how many and a few letters: 3 gu. {{encounter.hide}} hides them. {ends}.",
                ENCOUNTER_KEYS,
            )
        line = self._line()
        if line is None:
            return f"No opponent begins with “{self.typed.letters}”."
        hidden = ", hidden" if line.is_hidden else ""
        return with_keys(f"{{encounter.take}} adds {line.count} {line.block.name}{hidden}.", ENCOUNTER_KEYS)

    def _map_sentence(self) -> str:
        found = self._map(self.marked) if self.marked else "No match."
        if isinstance(found, str):
            return found
        field = found.battlefield
        zones = ", ".join(f"{zone.id}{f' ({zone.label})' if zone.label else ''}" for zone in field.zones)
        begins = f"start zones {zones}" if zones else "no start zones"
        return f"{field.name}, {field.columns}×{field.rows} squares, {begins}. {found.description}"

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """Handles every key in its turn, commands and letters alike: none may overtake another in a burst."""
        for node, bindings in self._binding_chain:
            if node is self and (bound := bindings.key_to_bindings.get(event.key)):
                event.stop()
                await self.run_action(bound[0].action)
                return
        if event.character and event.is_printable:
            event.stop()
            sign = event.character.casefold()
            is_letter = self.step != OPPONENT
            self.typed = (
                Typed(letters=f"{self.typed.letters}{sign}".lstrip()) if is_letter else self.typed.with_sign(sign)
            )
            self._narrow()

    def _narrow(self) -> None:
        self.place, self.note, self.has_walked = 0, "", False
        self.show_all()

    def action_move(self, step: int) -> None:
        here = -1 if self.is_line_empty and step > 0 else self.place
        self.place = min(max(here + step, 0), max(0, len(self.choices) - 1))
        self.has_walked, self.note = self.step == OPPONENT, ""
        self.show_all()

    def action_erase(self) -> None:
        """Takes back what is typed; on an empty line the last line of the roster."""
        if self.typed:
            self.typed = self.typed.erased()
            self._narrow()
        else:
            self.action_remove()

    def action_clear(self) -> None:
        self.typed = Typed()
        self._narrow()

    def action_remove(self) -> None:
        if self.roster and self.step == OPPONENT:
            self.note = f"Removed: {self.roster[-1].words}."
            self.roster = self.roster[:-1]
            self._weigh()
            self.show_all()

    def action_hide(self) -> None:
        if self.step == OPPONENT:
            self.typed = Typed(self.typed.count, self.typed.letters, not self.typed.is_hidden)
            self.note = ""
            self.show_all()

    def action_distance(self, step: int) -> None:
        if self.step == OPPONENT:
            self.distance = max(1, self.distance + step * RANGE_STEP)
            self.prospects = {}
            self._weigh()
            self.show_all()

    def action_leave(self) -> None:
        """Drops what is typed; else goes one step back, and from the first to the library."""
        if self.typed or self.has_walked:
            self.action_clear()
        elif self.step == MAP:
            self.workers.cancel_all()
            self.dismiss(None)
        else:
            before = self.map_id if self.step == PARTY else ""
            self.step -= 1
            self._narrow()
            self._mark(before)
            self.show_all()

    def action_take(self) -> None:
        """Takes what is marked and goes on to the next step."""
        if self.step == OPPONENT:
            self._take_opponents()
            return
        if self.step == PARTY and self.marked == NEW_PARTY:
            self.app.push_screen(PartyScreen(), self._party_made)
            return
        found = (self._map if self.step == MAP else self._side)(self.marked) if self.marked else "No match."
        if isinstance(found, str):
            self.note = found
            self.show_all()
            return
        if isinstance(found, BattleMap):
            if self.map is not found:
                self.map_id, self.map, self.distance = self.marked, found, usual_distance(found)
        elif self.side is not found:
            self.side, self.roster, self.prospects = found, (), {}
        self.step += 1
        self.typed = Typed()
        if self.step == OPPONENT and self.map and self.side:
            self.blocks = stat_blocks(self.side.rules, self.map)
            still_known = [line for line in self.roster if line.block in self.blocks]
            self.roster = tuple(still_known)
            self._weigh()
        self._narrow()

    def _party_made(self, party: Party | None) -> None:
        """Marks a party that was just made."""
        if party is not None:
            self._read_parties()
            self._narrow()
            self._mark(f"party {party.id}")
            self.show_all()

    def _line(self) -> RosterLine | None:
        block = next((one for one in self.blocks if one.id == self.marked), None)
        if block is None:
            return None
        if block.id == CAST:
            return RosterLine(block, len(self.map.placements) if self.map else 0)
        return RosterLine(block, int(self.typed.count or 1), self.typed.is_hidden)

    def _take_opponents(self) -> None:
        line = self._line()
        if self.is_line_empty:
            self._begin()
        elif line is not None:
            self.roster = with_line(self.roster, line)
            self.typed = Typed()
            self._weigh()
            self._narrow()

    def _begin(self) -> None:
        if self.map is None or self.side is None or self._is_begun:
            return
        try:
            session = begin_roster(self.map, self._files[self.map_id][0], self.side, self.roster)
        except BattleboardError as error:
            self.note = str(error)
            self.show_all()
        else:
            self._is_begun = True
            self.workers.cancel_all()
            self.post_message(Chosen(session))  # and not dismissed: the library would be seen before the board

    def action_detail(self) -> None:
        """Shows the marked stat block in place of the roster, or the roster again."""
        self.shows_block = self.step == OPPONENT and not self.shows_block
        self.show_all()

    def on_narrowing_list_sorted(self, event: NarrowingList.Sorted) -> None:
        if self.step == OPPONENT:
            marked = self.marked
            self.sorting = self.sorting.clicked(event.column)
            self._mark(marked)
            self.show_all()

    def action_help(self) -> None:
        self.app.push_screen(TextModal("Help", lambda width: keys_text((("New encounter", self),), width)))

    # The balance, between the keys

    def _weigh(self) -> None:
        """Works the balance and the chances out anew."""
        self.balance = CALCULATING
        if self.side is not None and self.side.units and self.map is not None:
            self._work_out(self.map, self.side, self.roster, self.distance)

    @work(thread=True, exclusive=True, exit_on_error=False)
    def _work_out(self, drawn: BattleMap, side: Side, roster: tuple[RosterLine, ...], distance: int) -> None:
        """The balance, pair by pair, then the chance of each stat block to hit; in a thread, so that no key waits."""
        worker, field = get_current_worker(), drawn.battlefield

        def show_later(show: Callable[..., None], *found: object) -> bool:
            if worker.is_cancelled or not self.is_running:
                return False
            self.call_later(show, *found)
            return True

        with left_as_found(self._answers):
            ours, theirs = tuple(map(Kind, side.units)), kinds_of(roster, drawn, side.rules)
            if theirs:
                for balance in weigh(side.rules, ours, theirs, distance, field.unit, field.square_size):
                    if not show_later(self._balanced, distance, roster, balance.words):
                        return
            for block in self.blocks:
                found = result_of(prospect(block, side, distance, field))
                if found is not None and not show_later(self._known, distance, block.id, found):
                    return

    def _balanced(self, distance: int, roster: tuple[RosterLine, ...], words: str) -> None:
        if (distance, roster) == (self.distance, self.roster):
            self.balance = words
            self.show_all()

    def _known(self, distance: int, id: str, found: Prospect) -> None:
        if distance == self.distance:
            self.prospects[id] = found
            self.show_all()
