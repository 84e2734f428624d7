"""What the word that is being typed may become."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from engine.battle.table.gear import carried, givable
from engine.field.silhouette import POSTURES
from engine.field.squares import Direction
from maps import palette
from tui.settings import PANELS
from tui.words.spoken import Setting
from tui.words.verbs import BY_WORD, VERBS

KIND = re.compile(r"[A-Z]+|[a-z]+")
FIRST = re.compile(r"(\[[^]]*\]\s*)*[^\s[]*")
"""What may stand next to the verb: what may be left out, and the first that may not."""


def completions(text: str, setting: Setting) -> list[str]:
    """The words that the last word of a line begins, sorted, then those of which it begins a part after a hyphen.

    All that fit there where it is blank.
    """
    words = text.removeprefix(":").split(" ")
    begun = words[-1].casefold()
    if len(words) == 1:
        return [name for name in VERBS if name.startswith(begun)]
    verb = BY_WORD.get(words[0].casefold())
    if verb is None:
        return []
    forms = verb.form.split(" | ")
    if len(words) == 2:
        forms = [found[0] for form in forms if (found := FIRST.match(form))]
    fitting = sorted({word for word in _fitting(forms, setting) if f"-{begun}" in f"-{word.casefold()}"})
    return sorted(fitting, key=lambda word: not word.casefold().startswith(begun))


def completed(text: str, setting: Setting) -> str:
    """The line with its last word as far as all that it begins agree, and a blank where only one fits."""
    begun = text.rpartition(" ")[2].removeprefix(":")
    fitting = completions(text, setting)
    found = [word for word in fitting if word.casefold().startswith(begun.casefold())]
    if not found and len(fitting) == 1:
        found = fitting
    if not found:
        return text
    head = text[: len(text) - len(begun)]
    return f"{head}{found[0]} " if len(found) == 1 else f"{head}{_shared(found)}"


def _fitting(forms: Iterable[str], setting: Setting) -> Iterable[str]:
    """Every word that the forms of a verb have room for."""
    rules, battle = setting.rules, setting.battle
    for kind in KIND.findall(" ".join(forms)):
        match kind:
            case "UNIT":
                yield from battle.units
            case "MOVE" | "ATTACK" | "ACTION":
                wanted = {"MOVE": "move", "ATTACK": "attack", "ACTION": "other"}[kind]
                yield from (action.id for action in rules.actions.values() if action.kind == wanted)
            case "WEAPON":
                yield from (weapon for unit in battle.units.values() for weapon in unit.gear.weapons)
            case "ITEM":
                yield from givable(rules)
            case "GEAR":
                yield from (item for unit in battle.units.values() for item in carried(rules, unit))
            case "DEFENCE":
                yield from (defence.id for defence in rules.attack.defences)
            case "REACTION":
                yield from (reaction.id for reaction in rules.turns.reactions)
            case "CONDITION":
                yield from rules.units.conditions
            case "POSTURE":
                yield from POSTURES
            case "BUDGET":
                yield from rules.units.budgets
            case "STAT":
                yield from rules.units.stats
            case "POOL":
                yield from rules.units.pools
            case "DIRECTION":
                yield from (way.name for way in Direction)
            case "RULING":
                yield from rules.rulings
            case "ROLE":
                yield from rules.units.sheets
            case "SIDE":
                yield from {unit.side for unit in battle.units.values()}
            case "GROUND":
                yield from (*palette.TERRAINS, *palette.THINGS)
            case "THIN":
                yield from palette.EDGES
            case "NOTE":
                yield from (note.id for note in battle.gm.notes)
            case "PANEL":
                yield from PANELS
            case "WORD":
                yield from VERBS
            case _ if kind.islower():
                yield kind


def _shared(words: Sequence[str]) -> str:
    """The beginning that all words share."""
    first, last = min(words), max(words)
    same = (place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1])
    return first[: next(same, min(len(first), len(last)))]
