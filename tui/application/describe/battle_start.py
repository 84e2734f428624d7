"""The first sentence of a new battle. It is shown with the first paint, so nothing here loads the commands."""

from __future__ import annotations

from engine.battle.events import InitiativeRolled
from engine.battle.state.units import Unit
from engine.battle.views.seen_units import sees_body
from engine.journal.session import Session
from engine.text import side_name

SETTING_UP = "The Game Master is setting up."
"""What players are shown until the battle begins."""


def opening_words(session: Session, word: str) -> str:
    """The sentence that says what is declared where a new battle has rolled initiative; "" where nothing is.

    Args:
        session: the battle.
        word: the command or key that rolls initiative again.
    """
    done = session.history.done
    if done is None or not asks_declarations(session):
        return ""
    rolled = (event.declared for event in done.events if isinstance(event, InitiativeRolled))
    declared = " or ".join(dict.fromkeys(rolled))
    again = f"{word} asks each side what it declares and rolls again."
    return f"Initiative is rolled as if all units declare “{declared}”: {again}" if declared else ""


def asks_declarations(session: Session) -> bool:
    """Whether a new battle has rolled initiative at once, and its sides have not been asked what they declare."""
    done = session.history.done
    is_new = done is not None and done.previous is None and bool(session.battle.turns.round)
    return is_new and session.rules.turns.initiative.declares


def set_up_words(session: Session, keys: str) -> str:
    """The sentence that says what to do in the set-up phase, who is out before it begins, and whether anybody of the
    first side sees an opponent; "" for a battle that has begun.

    Args:
        session: the battle.
        keys: what does it, in a sentence.
    """
    battle = session.battle
    if not battle.is_set_up:
        return ""
    units = [unit for unit in battle.units.values() if not unit.is_neutral]
    side = units[0].side if units else ""
    party = [unit for unit in units if unit.side == side]
    shown = [unit for unit in units if unit.side != side and not unit.is_hidden]
    field = battle.field

    def is_seen(other: Unit) -> bool:
        return any(sees_body(field, unit.body(field), other.body(field)) for unit in party)

    blind = f" From there {side_name(side)} can see no opponent." if shown and not any(map(is_seen, shown)) else ""
    out = [unit for unit in units if unit.is_defeated]
    names = ", ".join(unit.name for unit in out)
    gone = f" Out already: {names} (“:heal {out[0].side} 99” heals)." if out else ""
    return f"{gone}{blind} {keys}".strip() if out else f"{keys}{blind}"
