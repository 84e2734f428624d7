"""Effects: what follows from a roll or from an action, step by step.

Every effect has exactly one of EFFECT_KINDS as a key: what it does.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from engine.documents import Reader, quoted
from engine.field.silhouette import POSTURES
from engine.rules.expressions import Expression, constant
from engine.rules.model import ABOUT_WHOM, EFFECT_KINDS, NEARBY, Effect, Grade, Value
from engine.rules.syntax import ExpressionError
from rulesets import reading
from rulesets.attacks import GRADE_WORDS
from rulesets.declarations import Declarations
from rulesets.reading import Sample

FOR_SEVERAL = ("condition", "posture", "strike")
"""Effects that may be about several units."""

ONLY_IN_ACTS = ("lay", "set_off")
"""Effects of acts alone."""

NEEDS_A_TARGET = ("strike", "push", "seize", "wear")
"""Effects that need somebody who was attacked, or for a push somebody who is acted on."""


class Stage(Struct, frozen=True):
    """Where effects stand: after an attack's roll (with its grades), or after an action without a roll (with none)."""

    sample: Sample
    grades: tuple[Grade, ...]
    whom: str
    """Whom an effect is about where it does not say."""
    has_target: bool = True
    """Whether there is somebody else whom it may be about."""


def read_effects(entries: Collection[Reader], stage: Stage, names: Declarations) -> tuple[Effect, ...]:
    """Effects in order; what `roll` and `let` name is a fact of the later ones."""
    effects: list[Effect] = []
    known: dict[str, Value] = dict(stage.sample)
    for entry in entries:
        effect = _read_effect(entry, {effect.id for effect in effects}, stage, known, names)
        effects.append(effect)
        if effect.kind in ("roll", "let") and effect.name:
            known[effect.name] = _typical(effect, known)
    return tuple(effects)


def _read_effect(entry: Reader, taken: set[str], stage: Stage, known: Sample, names: Declarations) -> Effect:
    effect_id = reading.hyphened(entry, "id", taken, "the effect")
    deeds = [deed for deed in EFFECT_KINDS if entry.has(deed)]
    if len(deeds) != 1:
        found = "none" if not deeds else " and ".join(deeds)
        entry.problem(None, f"an effect has exactly one of {', '.join(EFFECT_KINDS)}; found {found}")
    kind = deeds[0] if deeds else "let"
    if kind in NEEDS_A_TARGET and not (stage.has_target if kind in ("push", "seize") else stage.grades):
        entry.problem(kind, f"{kind} follows from an attack's roll; an action without one has no target")
    if kind in ONLY_IN_ACTS and stage.grades:
        entry.problem(kind, f"{kind} belongs to an act; an attack lays nothing")
    name, value = _deed(entry, kind, stage, known, names) if deeds else ("", reading.BROKEN)
    effect = Effect(
        effect_id,
        kind,
        reading.label(entry),
        _on(entry, stage),
        reading.condition(entry, "when", known),
        _whom(entry, kind, stage, names),
        name,
        value,
        reading.origin(entry),
        reading.amount(entry, "rounds", known) if kind == "condition" and entry.has("rounds") else None,
        reading.amount(entry, "within", known) if entry.has("within") else None,
        is_told=entry.flag("told", False) if kind == "let" else False,
        is_shared=entry.flag("shared", False) if kind == "roll" else False,
        way=reading.amount(entry, "way", known) if kind == "disarm" else None,
        is_once=entry.flag("once", False) if stage.grades else False,
        because=reading.template(entry, "because", known) if kind == "roll" and entry.has("because") else None,
    )
    if len(deeds) == 1:
        entry.finish()
    return effect


def _whom(entry: Reader, kind: str, stage: Stage, names: Declarations) -> str:
    if kind == "wear":
        return "target"
    choices = list(dict.fromkeys((stage.whom, "attacker")))
    if stage.has_target and stage.whom != "target":
        choices.append("target")
    if kind in FOR_SEVERAL:
        choices += ["friends", "enemies"]
    if kind in (*FOR_SEVERAL, "expose"):
        choices += ["friend", "bystander"] if stage.has_target else ["friend"]
    if kind in ("condition", "posture"):
        choices += [f"{held.id}{ABOUT_WHOM}" for held in names.conditions.values() if held.about == "unit"]
    whom = entry.text("whom", stage.whom, choices=choices)
    if (whom in NEARBY) != entry.has("within"):
        entry.problem("whom", "whom = 'friends', 'friend', 'enemies' or 'bystander' and within = how far go together")
    return whom


def _deed(entry: Reader, kind: str, stage: Stage, known: Sample, names: Declarations) -> tuple[str, Expression]:
    match kind:
        case "roll":
            return _named(entry, stage), reading.dice_formula(entry, "roll", known)
        case "let":
            return _named(entry, stage), reading.any_value(entry, "let", known)
        case "lose" | "gain":
            key, of = ("budget", names.budgets) if entry.has("budget") else ("pool", names.pools)
            return entry.text(key, choices=of), reading.amount(entry, kind, known)
        case "condition":
            name = entry.text("condition", choices=names.conditions)
            return name, constant(0 if entry.flag("leave", False) else 1)
        case "posture":
            return entry.text("posture", choices=POSTURES), constant(1)
        case "strike":
            return entry.text("strike", choices=[grade.id for grade in stage.grades]), constant(1)
        case "push" | "disarm" | "wear" | "rise" | "lay":
            return "", reading.amount(entry, kind, known)
        case "sink":
            return "fall" if entry.flag("falls", False) else "", reading.amount(entry, kind, known)
    if not entry.flag(kind):
        entry.problem(kind, f"{kind} = false does nothing; leave the effect out")
    return "", constant(1)


def _named(entry: Reader, stage: Stage) -> str:
    name = entry.text("as")
    if not entry.has("as"):
        return ""
    if not reading.is_identifier(name):
        entry.problem("as", f"as = {quoted(name)} is no name for a fact; expected small letters, digits and _")
    elif name in stage.sample:
        entry.problem("as", f"{quoted(name)} is a fact already; call it something else")
    return name


def _on(entry: Reader, stage: Stage) -> tuple[str, ...]:
    return read_grade_words(entry, stage.grades) if stage.grades else ("always",)


def read_grade_words(entry: Reader, grades: Collection[Grade]) -> tuple[str, ...]:
    """`on`: the grades after which something happens, or words for all grades of a kind."""
    on = entry.texts("on")
    known = (*GRADE_WORDS, *(grade.id for grade in grades))
    for word in on:
        if word not in known:
            entry.problem("on", f"no grade is called {quoted(word)}; there is {', '.join(known)}")
    if entry.has("on") and not on:
        entry.problem("on", "on is empty; expected grades, or hit, miss or always")
    return on


def _typical(effect: Effect, known: Sample) -> Value:
    """A value to try later formulas on: what a `let` comes to, 1 for a roll."""
    if effect.kind == "roll":
        return 1
    try:
        return effect.value.evaluate(known)
    except ExpressionError:
        return 1
