"""What a unit may do in another's turn: `[[reaction]]`, and `[[defence]]` against an attack that was rolled."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.rules.model import ABOUT_WHOM, ATTACK, Action, Effect, Grade
from engine.rules.reaction_rules import (
    AGAINST,
    AIMED,
    ALLY,
    BY,
    DEFENDS,
    IN_TIME,
    REDIRECTED,
    TARGET,
    TRIGGERED_BY,
    TRIGGERS,
    Defence,
    MeleeRule,
    Reaction,
)
from engine.toml_reader import REQUIRED, Reader, quoted
from rulesets import value_readers
from rulesets.actions import Frame, read_cost
from rulesets.effects import Stage, read_effects, read_grade_words
from rulesets.value_readers import Sample

NOT_AN_ID = ("none",)


def read_reactions(root: Reader, frame: Frame, actions: Mapping[str, Action]) -> tuple[Reaction, ...]:
    """`[[reaction]]`: what moves and attacks draw from enemies."""
    found: list[Reaction] = []
    sample, after = frame.words.reaction, Stage(frame.words.act, (), "attacker", has_target=False)
    for entry in root.tables("reaction"):
        name = value_readers.hyphened(entry, "id", {reaction.id for reaction in found}, "the reaction")
        trigger = entry.text("trigger", choices=TRIGGERS)
        kind = TRIGGERED_BY.get(trigger, "move")
        exceptions = entry.texts("except_actions", ())
        for action in exceptions:
            if action not in actions or actions[action].kind != kind:
                entry.problem(
                    "except_actions", f"no {'action' if kind == 'other' else kind} is called {quoted(action)}"
                )
        found.append(
            Reaction(
                name,
                value_readers.label(entry),
                trigger,
                value_readers.condition(entry, "when", sample),
                exceptions,
                value_readers.origin(entry),
                read_cost(entry.table("cost"), sample, frame.names),
                read_attack(entry, "attack", actions, _declared(frame)),
                read_effects(entry.tables("effect"), after, frame.names),
                value_readers.weapon_kinds(entry, "weapons", ()),
                value_readers.condition(entry, "again", frame.words.act) if entry.has("again") else None,
                _race(entry, trigger, Stage(sample, (), "attacker", has_target=False), frame),
                entry.flag("any_action", False),
                entry.text("short", "", most=value_readers.MOST_LABEL),
            )
        )
        entry.finish()
    return tuple(found)


def read_melee(root: Reader, sample: Sample) -> MeleeRule | None:
    """`[melee]`: which enemies next to somebody keep it in melee; None where it is left out."""
    if not root.has("melee"):
        return None
    entry = root.table("melee")
    known = {name: value for name, value in sample.items() if name != "unit.melee_enemies"}
    found = MeleeRule(value_readers.condition(entry, "when", known, REQUIRED), value_readers.origin(entry))
    entry.finish()
    return found


def _race(entry: Reader, trigger: str, stage: Stage, frame: Frame) -> tuple[Effect, ...]:
    """`[[reaction.race]]`: who is quicker, the enemy that reacts or the attack or act that it reacts to."""
    rows = entry.tables("contest")
    if rows and trigger == DEFENDS:
        entry.problem(
            "contest", f"a contest needs another trigger than {quoted(DEFENDS)}, which comes after the attack"
        )
    effects = read_effects(rows, stage, frame.names)
    for effect, row in zip(effects, rows, strict=True):
        if effect.changes_units:
            row.problem(effect.kind, f"{effect.kind} is not allowed in a contest; expected roll or let")
    if rows and IN_TIME not in {name for effect in effects for name in effect.makes()}:
        entry.problem("contest", f"no effect of the contest sets {quoted(IN_TIME)}")
    return effects


def read_attack(entry: Reader, key: str, actions: Mapping[str, Action], more: Collection[str] = ()) -> str:
    """Id of an attack action, or one of `more` words; "" where the entry has none."""
    if not entry.has(key):
        return ""
    attacks = [action.id for action in actions.values() if action.kind == "attack"]
    return entry.text(key, choices=[*attacks, *more])


def _declared(frame: Frame) -> list[str]:
    """Words for the attack that a condition is about."""
    return [f"{held.id}{ABOUT_WHOM}" for held in frame.names.conditions.values() if held.about == ATTACK]


def read_defences(
    root: Reader, frame: Frame, actions: Mapping[str, Action], grades: tuple[Grade, ...]
) -> tuple[Defence, ...]:
    """`[[defence]]`: what may be done against an attack whose roll is known."""
    found: list[Defence] = []
    words = frame.words.defence
    before = {name: value for name, value in words.items() if name in frame.words.situation or "." in name}
    for entry in root.tables("defence"):
        name = value_readers.hyphened(entry, "id", {defence.id for defence in found}, "the defence")
        if name in NOT_AN_ID:
            entry.problem("id", f"{quoted(name)} means no defence; choose another id")
        by = entry.text("by", TARGET, choices=BY)
        is_before = entry.flag("before_roll", False)
        if is_before and not entry.flag("redirects", False):
            entry.problem("before_roll", "before_roll is only for what redirects the attack to an ally")
        if entry.has("lowest") and not is_before:
            entry.problem("lowest", "lowest needs before_roll = true")
        if entry.has("within") and by == TARGET:
            entry.problem("within", "within is only for by = 'ally'")
        if by == TARGET and entry.has("redirects"):
            entry.problem("redirects", "redirects is only for by = 'ally'")
        for key in ("counter_when", "counter_weapons", "together"):
            if entry.has(key) and not entry.has("counter"):
                entry.problem(key, f"{key} needs counter = '…'")
        if entry.flag("together", False) and entry.texts("on") != ("always",):
            entry.problem("together", "together is declared before the roll: it needs on = ['always']")
        if entry.flag("counters_anyone", False) and not entry.flag("together", False):
            entry.problem("counters_anyone", "counters_anyone needs together = true: another is named before the roll")
        against = _against(entry, by)
        after = entry.tables("effect")
        effects = read_effects(after, Stage(words, (), "defender", has_target=True), frame.names)
        lets = {name: 0 for effect in effects if not effect.changes_units for name in effect.makes()}
        for effect, row in zip(effects, after, strict=True):
            _check_number(effect, row, words)
        if entry.flag("redirects", False) and REDIRECTED not in lets:
            entry.problem("redirects", f"redirects needs an effect that sets {quoted(REDIRECTED)}")
        found.append(
            Defence(
                name,
                value_readers.label(entry),
                read_grade_words(entry, grades),
                value_readers.condition(entry, "when", before if is_before else words),
                value_readers.origin(entry),
                read_cost(entry.table("cost"), before if is_before else words, frame.names),
                by,
                entry.number("within", least=0, most=100_000) if entry.has("within") else None,
                effects,
                read_attack(entry, "counter", actions),
                value_readers.condition(entry, "counter_when", {**words, **lets}),
                value_readers.weapon_kinds(entry, "counter_weapons", ()),
                entry.flag("together", False),
                entry.flag("counters_anyone", False),
                against,
                entry.flag("redirects", False),
                is_before,
                _lowest(entry, lets),
                value_readers.template(entry, "because", words) if entry.has("because") else None,
            )
        )
        entry.finish()
    return tuple(found)


def _lowest(entry: Reader, lets: Mapping[str, int]) -> str:
    """`lowest`: one of the names that the effects of a defence let."""
    name = entry.text("lowest", "")
    if name and name not in lets:
        entry.problem("lowest", f"lowest = {quoted(name)} is nothing that an effect of this defence sets")
    return name


def _against(entry: Reader, by: str) -> tuple[str, ...]:
    """`against`: what sorts of attack a defence is against; those on an area leave no room for anybody's answer."""
    found = entry.texts("against", (AIMED,))
    if not found or not set(found) <= set(AGAINST):
        entry.problem("against", f"against takes one or more of {', '.join(AGAINST)}")
    if set(found) - {AIMED} and (by == ALLY or entry.has("counter")):
        entry.problem("against", "against a cone or a burst, only the target defends and cannot counter-attack")
    return found


def _check_number(effect: Effect, row: Reader, sample: Sample) -> None:
    """Notes what a defence lets be a word: it would be 0 where nobody defends."""
    if isinstance(effect.typical(sample), str):
        row.problem(effect.kind, "a defence can only set a number or yes/no; this is a word")
