"""The order in words: who acts when, who waits, who is put elsewhere, groups that share a place, surprise."""

from __future__ import annotations

from engine.battle.commands.order import Delay, DissolveGroup, FormGroup, SetPlace, Surprise
from engine.battle.projection import project
from engine.errors import Illegal, Unknown
from tui.panels.order import blocks
from tui.words.answers import read_order
from tui.words.deeds import read_act
from tui.words.naming import Words, expect, names_of, no_more, skip, take, take_whole, unit_names
from tui.words.spoken import Setting, SubmitCommand, Told, take_actor

DELAY = "delay"
WAYS = ("after", "before", "first", "last", "up", "down")


def read_delay(words: Words, setting: Setting) -> SubmitCommand:
    """ "delay todd after bandit", "delay after bandit": who waits, and until after whom.

    Alone it is the ruleset's own action of that name, where it has one.
    """
    named = take(words, unit_names(setting.battle))
    if DELAY in setting.rules.actions and not (named[1] if named else words):
        return read_act([*words, DELAY], setting)
    if words and words[0].casefold() == "after":
        if not setting.actor:
            raise Illegal("words", "Say who waits: delay todd after bandit.")
        unit = setting.battle.unit(setting.actor)
    else:
        unit, words = take_actor(words, setting)
    other, words = expect("unit", skip(words, "until", "after"), unit_names(setting.battle))
    no_more(words)
    return SubmitCommand(Delay(unit.id, other))


def read_places(words: Words, setting: Setting) -> SubmitCommand | Told:
    """ "order" alone lists it; "order bandit after todd", "before todd", "first", "last", "up", "down" changes it."""
    if not words:
        return read_order(words, setting)
    names = unit_names(setting.battle)
    unit, words = expect("unit", words, names)
    way, words = expect("place", words, names_of((way, way) for way in WAYS))
    places = [[one.id for one in units] for _, units in blocks(project(setting.battle, setting.rules))]
    here = next((place for place, ids in enumerate(places) if unit in ids), 0)
    after = ""
    if way in ("after", "before"):
        other, words = expect("unit", words, names)
        there = next((place for place, ids in enumerate(places) if other in ids), 0)
        before = [ids for place, ids in enumerate(places[:there]) if place != here]
        after = other if way == "after" else before[-1][-1] if before else ""
    elif way == "last":
        after = places[-1][-1] if places else ""
    elif way in ("up", "down"):
        there = here - 2 if way == "up" else min(here + 1, len(places) - 1)
        after = places[there][-1] if there >= 0 and places else ""
    no_more(words)
    return SubmitCommand(SetPlace(unit, after))


def read_members(words: Words, setting: Setting) -> SubmitCommand | None:
    """ "group goon-1 goon-2 goon-3": units that share a place in the order; None where no unit is named first."""
    names = unit_names(setting.battle)
    if take_whole(words, names) is None:
        return None
    return SubmitCommand(FormGroup(_units(words, setting)))


def read_ungroup(words: Words, setting: Setting) -> SubmitCommand:
    """ "ungroup goon-1": the whole group of that unit."""
    unit, words = expect("unit", words, unit_names(setting.battle))
    no_more(words)
    return SubmitCommand(DissolveGroup(unit))


def read_surprise(words: Words, setting: Setting) -> SubmitCommand:
    """ "surprise goon-1 goon-2", "surprise outlaws": they lose their turn in this round."""
    battle = setting.battle
    if side := _side_alone(words, setting):
        in_order = (battle.units[unit_id] for unit_id in battle.turns.order)
        return SubmitCommand(Surprise(tuple(one.id for one in in_order if one.side == side and not one.is_defeated)))
    return SubmitCommand(Surprise(_units(words, setting)))


def read_units(words: Words, setting: Setting) -> tuple[str, ...]:
    """Units one after another, or a side alone for all of it; at least one.

    Raises:
        Unknown: a word names no unit.
        Illegal: nobody is named.
    """
    if side := _side_alone(words, setting):
        return tuple(unit.id for unit in setting.battle.units.values() if unit.side == side)
    return _units(words, setting)


def _side_alone(words: Words, setting: Setting) -> str:
    """The side that the words are the name of; "" where they are not, or a unit is called so."""
    battle = setting.battle
    found = take_whole(words, names_of((unit.side, unit.side) for unit in battle.units.values()))
    return found[0] if found and not found[1] and take_whole(words, unit_names(battle)) is None else ""


def _units(words: Words, setting: Setting) -> tuple[str, ...]:
    names = unit_names(setting.battle)
    found: list[str] = []
    while words:
        taken = take(skip(words, "and", "with"), names)
        if taken is None:
            raise Unknown("unit", words[0], names)
        found.append(taken[0])
        words = taken[1]
    if not found:
        raise Illegal("words", f"Say who: {', '.join(names)}.")
    return tuple(found)
