"""A party on the screen: a list of characters, Space picks them, Enter saves; beside it the marked one's sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from engine.errors import BattleboardError, first_line
from tui.application.describe.text_layout import shortened
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import PARTY_KEYS
from tui.application.library.character_files import CharacterHead, Party, character_heads, read_character
from tui.application.library.party_draft import draft_of
from tui.application.library.party_files import save_party
from tui.application.library.ruleset_files import read_ruleset
from tui.application.prompts.choice import Choice, narrowed
from tui.application.prompts.open_prompt import NOTHING_TYPED
from tui.view.keys.bound_keys import bind
from tui.view.library.list_panels import NARROWS, Listed, NarrowingList, TextPanel
from tui.view.library.previews import character_rows
from tui.view.modals.help_screen import keys_text
from tui.view.modals.text_modal import TextModal
from tui.view.panels.key_footer import KeyFooter
from tui.view.panels.prompt import PromptBar, PromptScreen
from tui.view.panels.styled_text import join, lines, plain


class PartyScreen(PromptScreen[Party | None]):
    """Its result is the party as it was saved, None where nothing was."""

    BINDINGS = bind(PARTY_KEYS)
    BINDING_GROUP_TITLE = "Party"
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-close"), (110, "-roomy")]  # noqa: RUF012 - Textual's way
    DEFAULT_CSS = """
    PartyScreen #list { width: 34; height: 1fr; }
    PartyScreen.-roomy #list { width: 56; }
    PartyScreen.-narrow #middle { layout: vertical; }
    PartyScreen.-narrow #list { width: 100%; height: 1fr; }
    PartyScreen TextPanel { width: 1fr; height: 1fr; }
    PartyScreen #sentence { height: 2; background: $bar-back; }
    """

    def __init__(self, party: Party | None = None) -> None:
        """`party` is the one to change; None for a new one."""
        super().__init__()
        self.draft = draft_of(party or Party("", "", ()), tuple(character_heads()))
        self.typed = ""
        self.place = 0
        self.note = ""
        self._is_leaving = False
        """Whether the last key asked to leave without saving."""
        self._sheets: dict[str, tuple[Content, ...] | str] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="list"):
                yield NarrowingList(id="board")
            yield TextPanel(id="about")
        yield Static(id="sentence", markup=False)
        yield PromptBar(id="prompt")
        yield KeyFooter()

    def on_mount(self) -> None:
        listed = self.query_one(NarrowingList)
        listed.can_focus = True
        self.set_focus(listed)
        self.show_all()
        if not self.draft.party.name:
            self.action_name()

    def on_resize(self) -> None:
        self.show_all()

    # What is shown

    @property
    def choices(self) -> list[Choice]:
        """The characters that the typed letters leave, with their ruleset and whether they are in.

        Those of the same name have the names of their files too.
        """
        names = Counter(head.name for head in self.draft.heads)
        offered = [
            Choice(
                head.id,
                f"[{'x' if self.draft.is_in(head.id) else ' '}] {head.name}",
                ", ".join([*[head.id] * (names[head.name] > 1), head.ruleset or "missing"]),
            )
            for head in self.draft.heads
        ]
        return narrowed(offered, self.typed)

    @property
    def marked(self) -> CharacterHead | None:
        """The marked character; None where none is listed."""
        choices = self.choices
        if not choices:
            return None
        id = choices[min(self.place, len(choices) - 1)].id
        return next(head for head in self.draft.heads if head.id == id)

    def show_all(self) -> None:
        if not self.query(TextPanel):  # a late message while the screen closes
            return
        party, marked = self.draft.party, self.marked
        head = "Party" if party.id else "New party"
        members = f"{len(party.characters)} {self.draft.ruleset}" if party.characters else ""
        default = "  default" if party.is_default else ""
        title = [
            plain(f" {head}  ", "bold"),
            plain(party.name or "no name yet", "bold"),
            plain(f"  {members}{default}"),
        ]
        self.query_one("#title", Static).update(join(title))
        choices = tuple(self.choices)
        is_naming = self.query_one(PromptBar).is_asking  # then the letters are the name's
        hint = "" if is_naming else NARROWS
        listed = Listed("Characters", choices, min(self.place, len(choices) - 1), self.typed, hint=hint)
        self.query_one(NarrowingList).shown = listed
        self.query_one(TextPanel).shown = (marked.name if marked else "", *self._about(marked))
        rows = shortened(self.note or self._sentence(), self.size.width - 2, 2)
        self.query_one("#sentence", Static).update(lines(plain(f" {row}", "bold") for row in rows))
        self.query_one(KeyFooter).show()

    def _about(self, marked: CharacterHead | None) -> tuple[tuple[Content, ...], tuple[str, ...]]:
        names = {head.id: head.name for head in self.draft.heads}
        inside = ", ".join(names.get(id, id) for id in self.draft.party.characters)
        foot = (f"In the party: {inside}",) if inside else ("Nobody is in the party yet.",)
        if marked is None:
            return (), foot
        if marked.id not in self._sheets:
            try:
                found = read_character(marked.id)
                rules = read_ruleset(found.ruleset)
                self._sheets[marked.id] = tuple(character_rows(found.character, rules, ()))
            except BattleboardError as error:
                self._sheets[marked.id] = first_line(error)
        sheet = self._sheets[marked.id]
        return ((), (sheet, *foot)) if isinstance(sheet, str) else (sheet, foot)

    def _sentence(self) -> str:
        return with_keys(" ".join(self._parts()), PARTY_KEYS)

    def _parts(self) -> Iterator[str]:
        marked = self.marked
        if self.query_one(PromptBar).is_asking:  # then the keys are the name's
            yield "Type the name of the party; an empty line changes nothing."
            return
        if not self.draft.heads:
            yield "There are no characters yet: make one in the library first."
        elif marked is None:
            yield f"No character begins with “{self.typed}”."
        elif why := self.draft.why_not(marked.id):
            yield why
        else:
            does = "takes {} out" if self.draft.is_in(marked.id) else "puts {} in"
            yield f"{{party.pick}} {does.format(marked.name)}."
        if self.draft.party.characters:
            yield "{party.save} saves the party."

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """Handles every key in its turn, commands and letters alike: none may overtake another in a burst."""
        if any(bar.is_asking for bar in self.query(PromptBar)):
            return
        for node, bindings in self._binding_chain:
            if node is self and (bound := bindings.key_to_bindings.get(event.key)):
                event.stop()
                is_leaving, self._is_leaving = self._is_leaving, False
                if bound[0].action == "leave" and is_leaving:
                    self.dismiss(None)
                    return
                await self.run_action(bound[0].action)
                return
        if event.character and event.is_printable:
            event.stop()
            self.typed = f"{self.typed}{event.character.casefold()}"
            self._narrow()

    def _narrow(self) -> None:
        self.place, self.note = 0, ""
        self.show_all()

    def action_move(self, step: int) -> None:
        self.place = min(max(self.place + step, 0), max(0, len(self.choices) - 1))
        self.note = ""
        self.show_all()

    def action_erase(self) -> None:
        self.typed = self.typed[:-1]
        self._narrow()

    def action_clear(self) -> None:
        self.typed = ""
        self._narrow()

    def action_pick(self) -> None:
        """Puts the marked character into the party, or takes it out."""
        marked = self.marked
        if marked is None:
            return
        self.note = self.draft.why_not(marked.id)
        if not self.note:
            self.draft = self.draft.toggled(marked.id)
            self.typed = ""
            self.place = next(place for place, one in enumerate(self.choices) if one.id == marked.id)
        self.show_all()

    def action_name(self) -> None:
        def answered(name: str) -> None:
            if name:
                self.draft = self.draft.named(name)
            self.note = "" if name else NOTHING_TYPED
            self.show_all()

        self.query_one(PromptBar).ask("Name of the party:", answered, self.draft.party.name, cancelled=self.show_all)
        self.show_all()

    def action_default(self) -> None:
        """Makes it the party that is taken first."""
        self.draft = self.draft.as_default()
        self.note = "New encounters and “add party” take this party first."
        self.show_all()

    def action_save(self) -> None:
        if not self.draft.party.name:
            self.action_name()
            return
        try:
            saved = save_party(self.draft.party)
        except BattleboardError as error:
            self.note = first_line(error)
            self.show_all()
        else:
            self.dismiss(saved)

    def action_leave(self) -> None:
        """Drops what is typed; else leaves, after a second press where something is not saved."""
        if self.typed:
            self.action_clear()
        elif self.draft.changed:
            self._is_leaving = True
            self.note = with_keys("Not saved: {party.save} saves the party, {party.leave} again drops it.", PARTY_KEYS)
            self.show_all()
        else:
            self.dismiss(None)

    def action_help(self) -> None:
        self.app.push_screen(TextModal("Help", lambda width: keys_text((("Party", self),), width)))
