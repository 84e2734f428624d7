"""The form of a character on the screen: pages, fields, what the sheet makes. By keyboard alone, at 80×24 too."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from engine.battle import carry_over
from engine.battle.gear import attachments
from engine.battle.state.characters import Character
from engine.errors import BattleboardError, first_line
from engine.rules.model import Ruleset
from engine.text import count
from rulesets.characters import fresh
from tui.application.characters import sheet_fields as fields
from tui.application.characters.sheet_form import SheetForm
from tui.application.describe.text_layout import wrap
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import FORM_KEYS
from tui.application.prompts.choice import Choice, Column, MenuQuestion
from tui.view.characters.form_panels import FieldsPanel, PagesPanel, PreviewPanel
from tui.view.characters.sheet_preview import SheetPreview, effect_words, penalty_words, previews
from tui.view.keys.bound_keys import bind
from tui.view.modals.choosing import choose_one
from tui.view.modals.help_screen import keys_text
from tui.view.modals.picker import Picker
from tui.view.modals.text_modal import TextModal
from tui.view.panels.key_footer import KeyFooter
from tui.view.panels.prompt import PromptBar, PromptScreen
from tui.view.panels.styled_text import join, lines, plain
from tui.view.terminal.idle_jobs import IdleJobs

Save = Callable[[Character], str]
"""Saves a sheet; gives a sentence, or raises BattleboardError."""
THREE_COLUMNS = 100
"""Columns from which what the sheet makes stands beside the fields; below, it is a page of its own."""
ROUNDS, IN_HAND, REMOVE = carry_over.ROUNDS, "in-hand", "remove"


SIGNS = [
    Binding("minus" if sign == "-" else sign, f"type('{sign}')", show=False, priority=True) for sign in "0123456789-"
] + [Binding("backspace", "erase", show=False, priority=True)]
"""What is typed into a number. Bindings as the other keys are: so none overtakes another, however fast they come."""


class CharacterForm(PromptScreen[Character | None]):
    """A character's form; its result is the sheet as it was saved last, None for none."""

    BINDINGS = [*bind(FORM_KEYS), *SIGNS]  # noqa: RUF012 - Textual's way
    BINDING_GROUP_TITLE = "Character"
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-close"), (100, "-wide"), (110, "-roomy")]  # noqa: RUF012 - Textual's way
    DEFAULT_CSS = """
    CharacterForm #pages { width: 21; height: 1fr; }
    CharacterForm #board { width: 1fr; height: 1fr; }
    CharacterForm #preview { width: 28; height: 1fr; }
    CharacterForm.-wide #pages, CharacterForm.-roomy #pages { width: 26; }
    CharacterForm.-wide #preview { width: 36; }
    CharacterForm.-roomy #preview { width: 1fr; }
    CharacterForm.-narrow #pages, CharacterForm.-narrow #preview, CharacterForm.-close #preview { display: none; }
    CharacterForm.-derived #board { display: none; }
    CharacterForm.-derived #preview { display: block; width: 1fr; }
    CharacterForm #said { height: 2; background: $bar-back; }
    """

    def __init__(self, own: Character, rules: Ruleset, save: Save, *, is_new: bool = False, where: str = "") -> None:
        """`where` says what the form changes, where that is not a file alone: "this battle only"."""
        super().__init__()
        self._where = where
        self._to_library = False
        """Whether the library opens when the form is left."""
        self.form = SheetForm(own, rules, is_new=is_new)
        self._save = save
        self._result: Character | None = None
        self._jobs = IdleJobs(self.set_interval, self.call_after_refresh)
        self._weighed: Character | None = None
        self._whole: SheetPreview | None = None
        """What the sheet made when that was last known whole."""
        self._effect = "", ""
        """What the latest change has changed, and the field where it was made."""

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            yield PagesPanel(id="pages")
            yield FieldsPanel(id="board")
            yield PreviewPanel(id="preview")
        yield Static(id="said", markup=False)
        yield PromptBar(id="prompt")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(FieldsPanel).can_focus = True
        self.set_focus(self.query_one(FieldsPanel))
        self.show_all()
        if self.form.is_new and not self.form.own.name:
            self._ask(self.form.field)

    def on_resize(self) -> None:
        self.show_all()

    # What is shown

    def show_all(self) -> None:
        if not self.query(PreviewPanel):  # a late message while the screen closes
            return
        form = self.form
        form.has_derived_page = self.size.width < THREE_COLUMNS
        form.is_derived = form.is_derived and form.has_derived_page
        self.set_class(form.is_derived, "-derived")
        about = (form.own, form.group, form.is_new, form.has_derived_page, form.is_derived)
        state = (*about, form.row, form.typed)
        self.query_one(PagesPanel).shown = (form, about)
        self.query_one(FieldsPanel).shown = (form, state)
        preview = self.query_one(PreviewPanel)
        preview.shown = (preview.shown[0], form.field.id)
        self.query_one("#title", Static).update(self._title())
        rows = wrap(form.said or self._sentence(), self.size.width - 2)[:2]
        self.query_one("#said", Static).update(lines(plain(f" {row}", "bold") for row in rows))
        self.query_one(KeyFooter).show()
        if self._weighed is not form.own:
            self._weighed, self._effect = form.own, ("", form.field.id)
            self._jobs.do("preview", self._weigh(form.own))

    def _weigh(self, own: Character) -> Iterator[None]:
        for found in previews(own, self.form.rules):
            self.query_one(PreviewPanel).shown = (found, self.form.field.id)
            yield
        if self._whole is not None:
            self._effect = effect_words(self._whole, found), self._effect[1]
        self._whole = found
        self.show_all()

    def _title(self) -> Content:
        form = self.form
        changes = form.changes
        unsaved = f"{count(changes, 'change')} not saved" if changes else "saved"
        unsaved = "new, not saved" if form.is_new and not changes else unsaved
        head = f" {fields.KINDS[form.own.is_opponent].capitalize()}  "
        name = f"{form.own.name or 'no name yet'}" + (f" · {self._where}" if self._where else "")
        gap = max(1, self.size.width - len(head) - len(name) - 2 - len(form.rules.name) - len(unsaved) - 1)
        return join([plain(head, "$muted"), plain(name, "bold"), plain(f"  {form.rules.name}{' ' * gap}", "$muted"),
                     plain(unsaved, "$warn" if changes else "$muted")])  # fmt: skip

    def _sentence(self) -> str:
        field = self.form.field
        if self.form.typed is not None:
            return with_keys("{form.edit} keeps, {form.leave} cancels, {form.default} resets.", FORM_KEYS)
        if field.kind == fields.WEAPON:
            return with_keys("{form.edit}: rounds, attachments, in hand; {form.default} removes it.", FORM_KEYS)
        if field.kind == fields.PICK_WEAPON:
            return with_keys("{form.edit} lists all weapons with their numbers.", FORM_KEYS)
        effect = self._effect[0] if self._effect[1] == field.id else ""
        return f"{field.label}: {field.value or 'nothing yet'}. {effect}".strip()

    # Keys

    def action_type(self, sign: str) -> None:
        form = self.form
        form.is_derived = False
        if not form.type(sign) and form.field.kind != fields.NUMBER:
            takes = f" takes {form.field.allowed}" if form.field.allowed else " takes no digits"
            form.said = with_keys(f"{form.field.label}{takes}: {{form.edit}} changes it.", FORM_KEYS)
        self.show_all()

    def action_erase(self) -> None:
        self.form.erase()
        self.show_all()

    def action_move(self, step: int) -> None:
        self.form.is_derived = False
        self.form.move(step)
        self.show_all()

    def action_turn(self, step: int) -> None:
        self.form.turn(step)
        self.show_all()

    def action_edit(self) -> None:
        """Keeps what is typed, else opens the field as its kind asks for."""
        self.form.is_derived = False
        form, field = self.form, self.form.field
        if form.typed is not None:
            form.keep()
        elif field.kind == fields.NUMBER:
            form.typed = ""
        elif field.kind == fields.FLAG:
            form.flip()
        elif field.kind == fields.ACCESSORY:
            form.enter(fields.YES_NO[field.value != fields.YES_NO[True]])
        elif field.kind == fields.CHOICE:
            self._choose(field)
        elif field.kind == fields.WEAPON:
            self._weapon(field)
        elif field.kind == fields.PICK_WEAPON:
            columns, known = fields.armoury(form.rules)
            self._pick("Add a weapon", known, columns)
        elif field.kind == fields.PICK_ARMOUR:
            none = Choice(fields.NOTHING, "no armour")
            worn = [
                Choice(one.id, one.label, fields.stat_words(one.stats, form.rules))
                for one in form.rules.gear.armour.values()
            ]
            self._pick("Armour", [none, *worn])
        else:
            self._ask(field)
        self.show_all()

    def _choose(self, field: fields.Field) -> None:
        stat = self.form.rules.units.stats.get(field.id)
        known = stat.choices if stat else {label: label for label in fields.KINDS.values()}
        choose_one(self.app, field.label, [Choice(id, label) for id, label in known.items()], self._entered)

    def _pick(self, title: str, choices: list[Choice], columns: tuple[Column, ...] = ()) -> None:
        self.app.push_screen(Picker(MenuQuestion(title, choices, table=columns)), self._entered)

    def _entered(self, chosen: str | None) -> None:
        if chosen:
            self.form.enter("" if chosen == fields.NOTHING else chosen)
            self.show_all()

    def _ask(self, field: fields.Field) -> None:
        value = field.value if field.is_set else ""
        if value and field.id == fields.NOTES:
            value += fields.NEXT_LINE  # one adds a line to notes: what ends in a blank is not selected
        self.query_one(PromptBar).ask(f"{field.label}:", self._typed, value)

    def _typed(self, text: str) -> None:
        self.form.enter(text)
        self.show_all()

    def _weapon(self, field: fields.Field) -> None:
        """The menu of a carried weapon."""
        form, own = self.form, self.form.own
        choices = []
        if own.weapons[0] != field.id:
            choices.append(Choice(IN_HAND, "in hand when a battle begins"))
        if dict(fresh(own, form.rules).gear.rounds).get(field.id) is not None:
            choices.append(Choice(ROUNDS, "rounds loaded"))
        fitted = attachments(form.rules).items()
        choices += [Choice(id, label, "fitted" if (id, field.id) in own.attachments else "") for id, label in fitted]
        choices.append(Choice(REMOVE, "remove"))

        def chosen(what: str | None) -> None:
            if what == IN_HAND:
                form.change(fields.in_hand(own, field.id))
                form.row = 0
            elif what == REMOVE:
                form.enter("")
            elif what == ROUNDS:
                form.go_to(fields.field_id((ROUNDS, field.id)))
                form.typed = ""
            elif what:
                form.change(fields.with_attachment(own, form.rules, what, field.id))
            self.show_all()

        choose_one(self.app, field.label, choices, chosen)

    def action_default(self) -> None:
        self.form.is_derived = False
        self.form.drop()
        self.form.enter("")
        self.form.move(0)
        self.show_all()

    def action_undo(self) -> None:
        self.form.undo()
        self.form.move(0)
        self.show_all()

    def action_rest(self) -> None:
        self.form.rest()
        self.show_all()

    def action_find(self) -> None:
        def answered(text: str) -> None:
            self.form.is_derived = False
            self.form.find(text)
            self.show_all()

        if self.form.keep():
            self.query_one(PromptBar).ask("Find a field:", answered)

    def action_note(self) -> None:
        if self.form.keep():
            self.form.find(fields.NOTES)
            self._ask(self.form.field)
            self.show_all()

    def action_save(self) -> None:
        """Saves the sheet; the first time under the name that it has."""
        form = self.form
        if not form.keep():
            self.show_all()
            return
        try:
            said = self._save(form.own)
        except BattleboardError as reason:
            form.said = first_line(reason)
        else:
            form.saved, form.is_new = form.own, False
            *_, made = previews(form.own, form.rules)
            parts = said, penalty_words(made.weapons), with_keys("{form.leave} leaves the form.", FORM_KEYS)
            form.said = " ".join(filter(None, parts))
            self._result = form.own
        self.show_all()

    def action_help(self) -> None:
        self.app.push_screen(TextModal("Help", lambda width: keys_text((("Character", self),), width)))

    def action_leave(self) -> None:
        """Drops what is typed; else leaves, and asks first where something is not saved."""
        if self.form.drop():
            self.show_all()
            return
        if self.form.own == self.form.saved:
            self._close()
            return

        def answered(choice: str | None) -> None:
            if choice == "save":
                self.action_save()
            if choice == "drop" or (choice == "save" and self.form.own == self.form.saved):
                self._close()
            else:
                self._to_library = False

        choices = [Choice("save", "save and leave"), Choice("drop", "leave without saving")]
        choose_one(self.app, "The sheet is not saved", choices, answered)

    def action_library(self) -> None:
        """Leaves the form for the library, and asks first where something is not saved."""
        self.form.drop()
        self._to_library = True
        self.action_leave()

    def _close(self) -> None:
        below = self.app.screen_stack[-2]
        self.dismiss(self._result)
        if self._to_library and hasattr(below, "action_library"):
            below.call_after_refresh(below.action_library)
