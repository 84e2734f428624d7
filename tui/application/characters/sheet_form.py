"""The form of a character: where one is in it, what is being typed, undo, and what is said. Without Textual."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle.carry_over import CONDITION, SheetChange, carried, rest
from engine.battle.state.characters import Character
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from rulesets.characters import fresh
from tui.application.characters.sheet_fields import FLAG, NUMBER, Field, FieldGroup, groups_of, with_value

MOST_DIGITS = 7


class SheetForm:
    """A sheet being edited."""

    def __init__(self, own: Character, rules: Ruleset, *, is_new: bool = False) -> None:
        self.rules = rules
        self.saved = own
        """As its file has it."""
        self.own = own
        self.is_new = is_new
        self.group = 0
        self.row = 0
        self.typed: str | None = None
        """What is being typed into the field; None while nothing is."""
        self.said = ""
        self.has_derived_page = False
        """Whether what the sheet makes is a page of its own, behind the last one."""
        self.is_derived = False
        """Whether that page is shown."""
        self._before: list[Character] = []
        self._groups: tuple[Character, tuple[FieldGroup, ...]] | None = None

    @property
    def groups(self) -> tuple[FieldGroup, ...]:
        if self._groups is None or self._groups[0] is not self.own:
            self._groups = self.own, groups_of(self.own, self.rules)
        return self._groups[1]

    @property
    def page(self) -> FieldGroup:
        return self.groups[self.group]

    @property
    def field(self) -> Field:
        return self.page.fields[min(self.row, len(self.page.fields) - 1)]

    @property
    def changes(self) -> int:
        """How many things the sheet states otherwise than its file; than when it was begun, where it has none."""
        return sum(_differ(getattr(self.saved, name), getattr(self.own, name)) for name in Character.__struct_fields__)

    def move(self, step: int) -> None:
        """Goes up or down a row; what is typed is kept first."""
        if self.keep():
            self.said = ""
            self.row = min(max(self.row + step, 0), len(self.page.fields) - 1)

    def turn(self, step: int) -> None:
        """Goes to the next or the previous page; what is typed is kept first."""
        if not self.keep():
            return
        self.said = ""
        pages = len(self.groups) + self.has_derived_page
        page = (len(self.groups) if self.is_derived else self.group) + step
        self.is_derived = page % pages == len(self.groups)
        self.group, self.row = (self.group if self.is_derived else page % pages), 0

    def type(self, sign: str) -> bool:
        """Types a digit or a minus into a number, over what stands there; whether the field takes it."""
        if self.field.kind != NUMBER or not (sign.isdecimal() or (sign == "-" and not self.typed)):
            return False
        self.typed = ((self.typed or "") + sign)[:MOST_DIGITS]
        return True

    def erase(self) -> None:
        """Takes back the last sign that was typed."""
        if self.typed is not None:
            self.typed = self.typed[:-1]

    def drop(self) -> bool:
        """Drops what is typed; whether there was any."""
        was, self.typed = self.typed is not None, None
        return was

    def keep(self) -> bool:
        """Keeps what is typed; whether the field could take it, or there was nothing."""
        if not self.typed:
            self.typed = None
            return True
        return self.enter(self.typed)

    def enter(self, text: str) -> bool:
        """Sets the field to a text, "" for its default; whether it could."""
        try:
            self.change(with_value(self.own, self.rules, self.field, text))
        except BattleboardError as reason:
            self.said = str(reason)
            return False
        return True

    def change(self, own: Character) -> None:
        """Takes a changed sheet, which can be undone. The caret stays on its field, wherever that stands now."""
        self.typed, self.said = None, ""
        if own != self.own:
            here = self.field.id
            self._before.append(self.own)
            self.own = own
            self.row = next((row for row, field in enumerate(self.page.fields) if field.id == here), self.row)

    def flip(self) -> None:
        """Turns yes into no, and back."""
        if self.field.kind == FLAG:
            self.enter("no" if self.field.value == "yes" else "yes")

    def undo(self) -> None:
        """Takes back the last change."""
        if self.drop():
            return
        if not self._before:
            self.said = "Nothing to undo."
            return
        self.own, self.said = self._before.pop(), "Undone."

    def rest(self) -> None:
        """Restores all that battles have carried over: full pools and magazines, none of their conditions."""
        if not self.keep():
            return
        found = rest(self.rules, fresh(self.own, self.rules))
        self.change(carried(self.own, found))
        self.row = min(self.row, len(self.page.fields) - 1)
        self.said = f"Rested: {rest_words(found)}." if found else "Rested: nothing to restore."

    def go_to(self, id: str) -> None:
        """Goes to a field by its id."""
        self.group, self.row = next(
            (page, row)
            for page, group in enumerate(self.groups)
            for row, field in enumerate(group.fields)
            if field.id == id
        )

    def find(self, text: str) -> None:
        """Goes to the next field whose label or id has the text."""
        wanted = text.casefold().strip()
        places = [(page, row) for page, group in enumerate(self.groups) for row in range(len(group.fields))]
        here = places.index((self.group, min(self.row, len(self.page.fields) - 1)))
        for page, row in (*places[here + 1 :], *places[: here + 1]):
            field = self.groups[page].fields[row]
            if wanted and (wanted in field.label.casefold() or wanted in field.id):
                self.group, self.row, self.said = page, row, ""
                return
        for page, group in enumerate(self.groups):
            if wanted and wanted in group.label.casefold():
                self.group, self.row, self.said = page, 0, ""
                return
        self.said = f"No field has “{text.strip()}” in its name."


def rest_words(changes: Iterable[SheetChange]) -> str:
    """What a rest restores, in words: "hit points 7 → full (10), no longer lame"."""
    return ", ".join(
        f"no longer {one.label}" if one.kind == CONDITION else f"{one.label} {one.before_words} → {one.after_words}"
        for one in changes
    )


def _differ(one: object, other: object) -> int:
    """How many entries of a field of two sheets differ; a pair is known by its first part."""
    if one == other or not isinstance(one, tuple) or not isinstance(other, tuple):
        return int(one != other)
    entries = {entry[0] if isinstance(entry, tuple) else entry for entry in {*one} ^ {*other}}
    return max(1, len(entries))
