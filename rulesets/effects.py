"""Effects: what follows from a roll or from an action, step by step.

Every effect has exactly one of the keys that stand for a kind of effect (see `engine.battle.effects`): what it does.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from engine.battle.effects import EFFECTS
from engine.battle.effects.roll_effects import LetEffect
from engine.rules.effect_kinds import Common
from engine.rules.model import ABOUT_WHOM, NEARBY, ONE_NEARBY, Effect, Grade, Value
from engine.toml_reader import Reader, quoted
from rulesets import value_readers
from rulesets.attacks import GRADE_WORDS
from rulesets.declarations import Declarations
from rulesets.value_readers import Sample


class Stage(Struct, frozen=True):
    """Where effects stand: after an attack's roll (with its grades), or after an action without a roll (with none)."""

    sample: Sample
    grades: tuple[Grade, ...]
    whom: str
    """Whom an effect is about where it does not say."""
    has_target: bool = True
    """Whether there is somebody else whom it may be about."""
    is_by_itself: bool = False
    """Whether they are part of a trigger, which nobody starts."""


def read_effects(entries: Collection[Reader], stage: Stage, names: Declarations) -> tuple[Effect, ...]:
    """Effects in order; what `roll` and `let` name is a fact of the later ones."""
    effects: list[Effect] = []
    known: dict[str, Value] = dict(stage.sample)
    for entry in entries:
        effect = _read_effect(entry, {effect.id for effect in effects}, stage, known, names)
        if effect.outcome and any(one.outcome for one in effects):
            entry.problem("outcome", "only one effect may have outcome = true")
        effects.append(effect)
        typical = effect.typical(known)
        if typical is not None:
            known |= dict.fromkeys(filter(None, effect.makes()), typical)
    return tuple(effects)


def _read_effect(entry: Reader, taken: set[str], stage: Stage, known: Sample, names: Declarations) -> Effect:
    effect_id = value_readers.hyphened(entry, "id", taken, "the effect")
    row = EffectReader(entry, effect_id, stage, known, names)
    kinds = [kind for kind in EFFECTS if entry.has(kind.kind)]
    if len(kinds) != 1:
        found = "none" if not kinds else " and ".join(kind.kind for kind in kinds)
        entry.problem(None, f"an effect needs exactly one of {', '.join(kind.kind for kind in EFFECTS)}; found {found}")
    if not kinds:
        return LetEffect(*row.common(LetEffect), value_readers.BROKEN, "", False)
    kind = kinds[0]
    if message := kind.misplaced(row):
        entry.problem(kind.kind, message)
    effect = kind.read(row)
    if len(kinds) == 1:
        entry.finish()
    return effect


class EffectReader(value_readers.RuleReader):
    """One effect being read; see `EffectRow`."""

    def __init__(self, entry: Reader, effect_id: str, stage: Stage, known: Sample, names: Declarations) -> None:
        super().__init__(entry, known)
        self.has_target, self.is_by_itself = stage.has_target, stage.is_by_itself
        self.grades = tuple(grade.id for grade in stage.grades)
        self.pools: Collection[str] = names.pools
        self.budgets: Collection[str] = names.budgets
        self.conditions: Collection[str] = names.conditions
        self._id, self._stage, self._names = effect_id, stage, names

    def common(self, kind: type[Effect]) -> Common:
        entry, stage = self.entry, self._stage
        return (
            self._id,
            value_readers.label(entry),
            read_grade_words(entry, stage.grades) if stage.grades else ("always",),
            value_readers.condition(entry, "when", self.known),
            kind.only_whom or self._whom(kind),
            value_readers.origin(entry),
            entry.flag("once", False) if stage.grades else False,
            self.amount("within") if entry.has("within") else None,
            self.amount("nth") if entry.has("nth") else None,
        )

    def _whom(self, kind: type[Effect]) -> str:
        entry, stage = self.entry, self._stage
        choices = list(dict.fromkeys((stage.whom, "attacker")))
        if stage.has_target and stage.whom != "target":
            choices.append("target")
        choices += [word for word in kind.several if stage.has_target or word != "ally_near_target"]
        if kind.is_about_held:
            choices += [f"{held.id}{ABOUT_WHOM}" for held in self._names.conditions.values() if held.about == "unit"]
        whom = entry.text("whom", stage.whom, choices=choices)
        if (whom in NEARBY) != entry.has("within"):
            nearby = " or ".join(map(repr, NEARBY))
            entry.problem("whom", f"whom = {nearby} needs within, and within needs one of them")
        if entry.has("nth") and whom not in ONE_NEARBY:
            entry.problem("nth", f"nth is only for whom = {' or '.join(map(repr, ONE_NEARBY))}")
        return whom

    def new_fact(self, key: str, *, is_lasting: bool = False) -> str:
        name = self.entry.text(key)
        if not self.entry.has(key):
            return ""
        if not value_readers.is_identifier(name):
            self.entry.problem(
                key, f"{key} = {quoted(name)} is not a valid fact name; expected lower-case letters, digits and _"
            )
        elif name in self._stage.sample and not is_lasting:
            self.entry.problem(key, f"{quoted(name)} is already a fact; choose another name")
        return name


def read_grade_words(entry: Reader, grades: Collection[Grade]) -> tuple[str, ...]:
    """`on`: the grades after which something happens, or words for all grades of a kind."""
    on = entry.texts("on")
    known = (*GRADE_WORDS, *(grade.id for grade in grades))
    for word in on:
        if word not in known:
            entry.problem("on", f"no grade is called {quoted(word)}; known: {', '.join(known)}")
    if entry.has("on") and not on:
        entry.problem("on", "on is empty; expected grades, hit, miss or always")
    return on
