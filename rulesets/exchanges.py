"""What a unit may do in another's turn: `[[reaction]]`."""

from __future__ import annotations

from collections.abc import Mapping

from engine.documents import Reader, quoted
from engine.rules.exchanges import ATTACKS, TRIGGERS, Reaction
from engine.rules.model import Action
from rulesets import reading
from rulesets.actions import Frame, read_cost
from rulesets.effects import Stage, read_effects


def read_reactions(root: Reader, frame: Frame, actions: Mapping[str, Action]) -> tuple[Reaction, ...]:
    """`[[reaction]]`: what moves and attacks draw from enemies."""
    found: list[Reaction] = []
    sample, after = frame.words.reaction, Stage(frame.words.act, (), "attacker", has_target=False)
    for entry in root.tables("reaction"):
        name = reading.hyphened(entry, "id", {reaction.id for reaction in found}, "the reaction")
        trigger = entry.text("trigger", choices=TRIGGERS)
        kind = "attack" if trigger == ATTACKS else "move"
        exceptions = entry.texts("except_actions", ())
        for action in exceptions:
            if action not in actions or actions[action].kind != kind:
                entry.problem("except_actions", f"no {kind} is called {quoted(action)}")
        found.append(
            Reaction(
                name,
                reading.label(entry),
                trigger,
                reading.condition(entry, "when", sample),
                exceptions,
                reading.origin(entry),
                read_cost(entry.table("cost"), sample, frame.names),
                read_attack(entry, "attack", actions),
                read_effects(entry.tables("effect"), after, frame.names),
            )
        )
        entry.finish()
    return tuple(found)


def read_attack(entry: Reader, key: str, actions: Mapping[str, Action]) -> str:
    """Id of an attack action; "" where the entry has none."""
    if not entry.has(key):
        return ""
    attacks = [action.id for action in actions.values() if action.kind == "attack"]
    return entry.text(key, choices=attacks)
