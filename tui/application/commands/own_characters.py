"""Characters in commands: by the name of a file, by their own name, or by a path; and who is on the board already."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle.state.battle import Battle
from engine.battle.state.characters import Character
from engine.errors import BattleboardError, Illegal
from engine.rules.model import Ruleset
from tui.application.commands.naming import Names, Words, names_of, take_whole
from tui.application.library.character_files import character_heads, read_character, read_parties
from tui.application.library.ruleset_files import ruleset_label
from tui.application.library.text_files import ENDING


def take_path(words: Words, rules: Ruleset) -> tuple[Character, Words] | None:
    """Reads the character that the first word is the path of; None if it is no path. Raises as `read_character`."""
    if not words or not ("/" in words[0] or words[0].endswith(ENDING)):
        return None
    return read_character(words[0], rules).character, words[1:]


def check_ruleset(words: Words, rules: Ruleset) -> None:
    """Raises Illegal if the words name a character of another ruleset, and none of this one."""
    heads = {head.id: head for head in character_heads()}
    own = names_of((head.id, head.name) for head in heads.values() if head.ruleset == rules.id)
    others = names_of((head.id, head.name) for head in heads.values() if head.ruleset != rules.id)
    if not take_whole(words, own) and (found := take_whole(words, others)):
        head = heads[found[0]]
        raise Illegal(
            "character",
            f"{head.name} is a character of {ruleset_label(head.ruleset)}; this battle is played by {rules.name}.",
        )


def side_names(sides: Iterable[str]) -> Names:
    """Names of sides; that of a party may be called by the party's id, too."""
    try:
        parties = {party.side: party.id for party in read_parties().values()}
    except BattleboardError:
        parties = {}
    return names_of((side, parties.get(side, side)) for side in sides)


def is_on_board(own: Character, battle: Battle) -> bool:
    """Whether a character is a unit of the battle already; stat blocks are used many times."""
    sheets = (unit.character for unit in battle.units.values())
    return bool(own.file) and not own.is_opponent and any(one and one.file == own.file for one in sheets)


def check_once(own: Character, battle: Battle, count: int = 1) -> None:
    """Raises Illegal if a character would be on the board twice."""
    if is_on_board(own, battle):
        raise Illegal("character", f"{own.name} is on the board already.")
    if count > 1 and own.file and not own.is_opponent:
        raise Illegal("character", f"{own.name} is one character: only stat blocks and roles are added several times.")
