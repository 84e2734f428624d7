"""A party as it is put together: who is in it, who could be, what is still in the way. Without Textual."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.values import replace
from tui.application.library.character_files import MOST_PARTY, CharacterHead, Party
from tui.application.library.ruleset_files import ruleset_label


class PartyDraft(Struct, frozen=True):
    """A party that is made or changed; the ruleset is that of its first character."""

    party: Party
    heads: tuple[CharacterHead, ...]
    """Every character of the user's, and the stat blocks that are in the party already."""
    changed: bool = False

    @property
    def ruleset(self) -> str:
        """The ruleset of those who are in it; "" for nobody."""
        own = {head.id: head.ruleset for head in self.heads}
        return next((own[id] for id in self.party.characters if own.get(id)), "")

    def is_in(self, id: str) -> bool:
        return id in self.party.characters

    def why_not(self, id: str) -> str:
        """Why a character cannot join; "" where it can, or is in the party."""
        head = next(head for head in self.heads if head.id == id)
        if self.is_in(id):
            return ""
        if not head.ruleset:
            return f"{head.name}.toml is missing."
        if self.ruleset not in ("", head.ruleset):
            whose, ours = ruleset_label(head.ruleset), ruleset_label(self.ruleset)
            return f"{head.name} is a character of {whose}; this party is for {ours}."
        if len(self.party.characters) == MOST_PARTY:
            return f"A party has at most {MOST_PARTY} characters."
        return ""

    def toggled(self, id: str) -> PartyDraft:
        """With a character more, or without it."""
        members = self.party.characters
        after = tuple(one for one in members if one != id) if self.is_in(id) else (*members, id)
        return replace(self, party=replace(self.party, characters=after), changed=True)

    def named(self, name: str) -> PartyDraft:
        return replace(self, party=replace(self.party, name=name), changed=True)

    def as_default(self) -> PartyDraft:
        """As the party that a new encounter and `add party` take first."""
        return replace(self, party=replace(self.party, is_default=True), changed=True)


def draft_of(party: Party, heads: Sequence[CharacterHead]) -> PartyDraft:
    """A party to be changed, with everybody who could be in it: members first, then those of its ruleset."""
    own = {head.id: head for head in heads}
    ruleset = next((own[id].ruleset for id in party.characters if id in own), "")
    listed = [head for head in heads if not head.is_opponent or head.id in party.characters]
    listed += [CharacterHead(id, id, "", False) for id in party.missing if id not in own]
    order = {id: place for place, id in enumerate(party.characters)}

    def rank(head: CharacterHead) -> tuple[int, bool, str, str]:
        return order.get(head.id, len(order)), head.ruleset != ruleset, head.ruleset, head.name.casefold()

    return PartyDraft(party, tuple(sorted(listed, key=rank)))
