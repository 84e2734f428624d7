"""Commands for the turn order: initiative, delay, places, groups, surprise."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.battle.attacks.attack_choices import thrown_weapons
from engine.battle.command import Command
from engine.battle.commands.order_commands import (
    Delay,
    DissolveGroup,
    FormGroup,
    RollInitiative,
    SetPlace,
    SetTurn,
    Surprise,
    why_not_surprised,
)
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.turns.turn_order import may_be_next
from engine.battle.views.view import project
from engine.errors import Illegal, Unknown, near_miss
from engine.rules.model import Ruleset
from engine.text import clean, side_name
from tui.application.commands.actions import read_act
from tui.application.commands.amounts import named
from tui.application.commands.forms import Form, MenuLine
from tui.application.commands.naming import (
    Missing,
    Words,
    expect,
    names_of,
    no_more,
    shared_start,
    skip,
    take_badges,
    take_unit,
    take_whole,
    unit_names,
)
from tui.application.commands.questions import read_order
from tui.application.commands.results import Setting, SubmitCommand, TextResult
from tui.application.commands.vocabulary import examples, read_units, take_actor
from tui.application.describe.order_blocks import blocks
from tui.application.describe.turn_choice import choice_words

DELAY = "delay"
PLACES = ("after", "before", "first", "last", "up", "down")


def declared_example(battle: Battle, rules: Ruleset, side: str) -> str:
    """An example of declared actions of a side: "todd move, ada take cover"."""
    able = [unit.id for unit in battle.units.values() if not unit.is_defeated and unit.side == side]
    acts = _example_actions(rules)
    return ", ".join(f"{unit} {act}" for unit, act in zip(able, acts, strict=False))


def _example_actions(rules: Ruleset) -> list[str]:
    """The labels of the first move and of the first other action."""
    first = {action.kind: action.label.lower() for action in reversed(tuple(rules.actions.values()))}
    return [first[kind] for kind in ("move", "other") if kind in first]


def declare_words(battle: Battle, rules: Ruleset, side: str) -> str:
    """What a side is asked before initiative is rolled: "law: declare actions, e.g. “todd move”; all others
    attack"."""
    return f"{side_name(side)}: declare actions, e.g. “{declared_example(battle, rules, side)}”; all others attack"


def declare_words_in_brief(battle: Battle, rules: Ruleset, side: str) -> str:
    """The same for a narrow screen: "law: e.g. “todd move”; others attack"."""
    example = declared_example(battle, rules, side).partition(",")[0]
    return f"{side_name(side)}: e.g. “{example}”; others attack"


def declaring_sides(battle: Battle, rules: Ruleset) -> list[str]:
    """The sides that declare before initiative is rolled; none where the ruleset asks for no declared actions."""
    declares = rules.turns.initiative.declares
    return [*dict.fromkeys(unit.side for unit in battle.units.values() if declares and not unit.is_defeated)]


def parse_declared(text: str, battle: Battle, rules: Ruleset) -> RollInitiative:
    """Parses declared actions: "todd aimed shot, ada dodge"; an empty text declares none.

    Raises:
        Illegal: a unit without an action.
        Unknown: no such unit or action.
    """
    declared: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in clean(text, 400).lower().split(","))):
        unit = next((unit for unit in battle.units.values() if _begins(part, unit.id, unit.name)), None)
        if unit is None:
            raise Unknown("unit", part.split()[0], battle.units)
        name = next(part[len(word) :].strip() for word in (unit.id.lower(), unit.name.lower()) if _begins(part, word))
        if not name:
            raise Missing("declared", f"Type an action after {unit.name}, such as “{unit.id} move”.")
        declared[unit.id] = _action_called(name, unit, rules)
    return RollInitiative(declared)


def declared_words(roll: RollInitiative, battle: Battle, rules: Ruleset) -> str:
    """What units declare: "Declared: Todd Move, Ada Take cover."; "" for nothing."""
    actions = [f"{battle.units[unit].name} {rules.actions[action].label}" for unit, action in roll.declared.items()]
    return f"Declared: {', '.join(actions)}." if actions else ""


def complete_declared(text: str, battle: Battle, rules: Ruleset, side: str) -> tuple[str, list[str]]:
    """The line of declared actions with its last word completed, and all words that fit there."""
    before, comma, last = text.rpartition(",")
    head, part = f"{before}{comma}{' ' * bool(comma)}", last.lstrip()
    able = [unit for unit in battle.units.values() if not unit.is_defeated and unit.side == side]
    unit = next((unit for unit in able if part.lower().startswith((f"{unit.id} ", f"{unit.name.lower()} "))), None)
    if unit is None:
        begun, known = part, [unit.id for unit in able]
    else:
        head += part[: next(len(word) + 1 for word in (unit.id, unit.name) if _begins(part.lower(), word))]
        begun, known = part[len(head.rpartition(",")[2].lstrip()) :], [*_labels(unit, rules)]
    found = [word for word in known if word.startswith(begun.lower().lstrip())]
    return head + (shared_start(found) if found else begun) + " " * (len(found) == 1 and unit is None), found


def _labels(unit: Unit, rules: Ruleset) -> dict[str, str]:
    """What a unit may declare, as it is typed: the labels of actions, and "throw" with what it can throw."""
    throws = {
        f"throw {rules.gear.weapons[weapon].label.lower()}": action.id
        for weapon, action in thrown_weapons(rules, unit).items()
    }
    return {action.label.lower(): action.id for action in rules.actions.values()} | throws


def _action_called(name: str, unit: Unit, rules: Ruleset) -> str:
    """Id of the action that a unit declares, by its id, its label or the beginnings of words of that.

    Raises:
        Illegal: no action is called so.
    """
    if (action := named(name, rules.actions.values())) is not None:
        return action
    labels = _labels(unit, rules)
    words = name.split()
    fitting = [label for label in labels if all(f" {word}" in f" {label}" for word in words)]
    if not fitting:
        near = near_miss(name, labels)
        hint = f"Did you mean “{near}”?" if near else f"Known are “{'”, “'.join(_example_actions(rules))}” and others."
        raise Illegal("declared", f"No action of {unit.name} is called “{name}”. {hint}")
    return labels[min(fitting, key=len)]


def _begins(text: str, *names: str) -> bool:
    return any(f"{text} ".startswith(f"{name.lower()} ") for name in names)


def read_initiative(words: Words, setting: Setting) -> Command:
    """ "initiative", and where the ruleset rolls for what units declare "initiative todd aimed shot, ada dodge"."""
    if not setting.rules.turns.initiative.declares:
        no_more(words)
        return RollInitiative()
    return parse_declared(" ".join(words), setting.battle, setting.rules)


def read_delay(words: Words, setting: Setting) -> Command:
    """ "delay todd after bandit", "delay after bandit": who waits, and until after whom.

    Alone it is the ruleset's own action of that name, where it has one.
    """
    named = take_unit(words, unit_names(setting.battle))
    if DELAY in setting.rules.actions and not (named[1] if named else words):
        return read_act([*words, DELAY], setting)
    if words and words[0].casefold() == "after":
        if not setting.actor:
            raise Illegal("words", "Type the unit that delays: delay {unit} after {other}.".format(**examples(setting)))
        unit = setting.battle.unit(setting.actor)
    else:
        unit, words = take_actor(words, setting)
    other, words = expect("unit", skip(words, "until", "after"), unit_names(setting.battle))
    no_more(words)
    return Delay(unit.id, other)


def read_places(words: Words, setting: Setting) -> Command | TextResult:
    """ "order" alone lists it; "order bandit after todd", "before todd", "first", "last", "up", "down" changes it."""
    if not words:
        return read_order(words, setting)
    names = unit_names(setting.battle)
    unit, words = expect("unit", words, names)
    where, words = expect("place", words, names_of((where, where) for where in PLACES))
    places = [[one.id for one in units] for _, units in blocks(project(setting.battle, setting.rules))]
    here = next((place for place, ids in enumerate(places) if unit in ids), 0)
    after = ""
    if where in ("after", "before"):
        other, words = expect("unit", words, names)
        there = next((place for place, ids in enumerate(places) if other in ids), 0)
        before = [ids for place, ids in enumerate(places[:there]) if place != here]
        after = other if where == "after" else before[-1][-1] if before else ""
    elif where == "last":
        after = places[-1][-1] if places else ""
    elif where in ("up", "down"):
        there = here - 2 if where == "up" else min(here + 1, len(places) - 1)
        after = places[there][-1] if there >= 0 and places else ""
    no_more(words)
    return SetPlace(unit, after)


def read_members(words: Words, setting: Setting) -> Command | None:
    """ "group goon-1, goon-2, goon-3": units that share a place in the order; None where no unit is named first."""
    names = unit_names(setting.battle)
    said = " ".join(words).replace(",", " ").split()
    if take_whole(said, names) is None and take_badges(said, setting.battle) is None:
        return None
    return FormGroup(read_units(words, setting))


def read_surprise(words: Words, setting: Setting) -> SubmitCommand:
    """ "surprise goon-1 goon-2", "surprise outlaws": they lose their turn in this round, but for those who cannot."""
    return surprise(read_units(words, setting), setting.battle, setting.rules)


def surprise(unit_ids: Sequence[str], battle: Battle, rules: Ruleset) -> SubmitCommand:
    """Builds the command that surprises the units that can be, with a note about the others; all if none can."""
    in_order = [one for one in battle.turns.order if one in unit_ids]
    unit_ids = (*in_order, *(one for one in unit_ids if one not in in_order))
    reasons = {one: why_not_surprised(battle, rules, battle.unit(one)) for one in unit_ids}
    able = tuple(one for one, why in reasons.items() if not why and one in battle.turns.order)
    if not able:
        return SubmitCommand(Surprise(tuple(unit_ids)))
    left = "; ".join(f"{battle.units[one].name} {why}" for one, why in reasons.items() if why)
    return SubmitCommand(Surprise(able), note=f"Left out: {left}." if left else "")


def read_choice(words: Words, setting: Setting) -> SubmitCommand | TextResult | None:
    """The number of a unit on the card of those who may act now; None where there is no card or that is no number.

    Raises:
        Illegal: nobody has that number.
    """
    choices = may_be_next(setting.battle, setting.rules)
    if not choices or len(words) != 1 or not re.fullmatch("[0-9]{1,4}", words[0]):
        return None
    number = int(words[0])
    if not 1 <= number <= len(choices):
        raise Illegal("words", f"Nobody has the number {number}. {choice_words(setting.battle, setting.rules)}")
    chosen = setting.battle.units[choices[number - 1]]
    if chosen.id == setting.battle.turns.active:
        return TextResult(chosen.name, (f"{chosen.name} has the turn.",))
    return SubmitCommand(SetTurn(chosen.id))


def write_initiative(roll: RollInitiative, setting: Setting) -> str:
    return f"initiative {', '.join(f'{unit} {action}' for unit, action in roll.declared.items())}".rstrip()


def write_place(place: SetPlace, setting: Setting) -> str:
    return f"order {place.unit} after {place.after}" if place.after else f"order {place.unit} first"


FORMS = (
    Form("initiative [UNIT ACTION, …]",
         "roll initiative, with declared actions if the ruleset asks for them; ends the set-up, begins round 1",
         (RollInitiative,), read_initiative, write_initiative, ("begin",), rolls=True),
    Form("delay [UNIT] after UNIT", "delay a unit's turn until after another unit", (Delay,), read_delay,
         lambda delay, setting: f"delay {delay.unit} after {delay.after}", rolls=True,
         like=("wait", "hold", "postpone"), key="battle.order"),
    Form("order [UNIT after|before UNIT | UNIT first|last|up|down]", "list the turn order, or move a unit in it",
         (SetPlace,), read_places, write_place),
    Form("ungroup UNIT", "dissolve a unit's group: its members get their own places", (DissolveGroup,)),
    Form("surprise UNITS", "mark units as surprised: they lose their turn in this round", (Surprise,), read_surprise,
         lambda surprise, setting: f"surprise {' '.join(surprise.units)}"),
    Form("now UNIT [again]",
         "start the turn of a unit that has not acted this round; with “again”, one more turn of one that has",
         (SetTurn,),
         menu=MenuLine("t", "{unit}: start turn now",
                       "for a unit that has not acted this round; the present turn continues after it")),
)  # fmt: skip
