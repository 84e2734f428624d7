"""Rows of cards: weapons, overlays, defences, doors."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.commands.terrain_commands import SetBarrier
from engine.battle.narration.question_text import option_in_brief, option_words
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.wording import price_words
from engine.errors import brief
from engine.geometry.squares import ORTHOGONAL, Edge, Square, edge_of
from engine.rules.model import Ruleset
from engine.tactics.options import readies
from engine.text import count
from tui.application.focus.focus import Focus
from tui.application.keys.battle_keys import with_keys
from tui.application.overlays.overlay_list import OVERLAYS
from tui.application.prompts.choice import KEYS, Choice, with_keys_of_rows

NO_DEFENCE = "none"
"""Id of the item for no defence."""


def weapon_choices(battle: Battle, rules: Ruleset, unit: Unit) -> list[Choice]:
    """The weapons a unit carries, with the rounds in each and the price of switching to it."""
    found = []
    for option in readies(battle, rules, unit):
        weapon = option.command.weapon
        if weapon in unit.gear.weapons:
            left = unit.gear.rounds.get(weapon)
            rounds = "" if left is None else count(left, "round")
            note = ", ".join(filter(None, (rounds, price_words(option.cost, rules))))
            found.append(Choice(weapon, rules.gear.weapons[weapon].label, note, brief(option.refusal)))
    return found


def overlay_choices(focus: Focus) -> list[Choice]:
    """The overlays; at the end none, if one is shown."""
    shown = [Choice(name, kind.label, "shown now" * (name == focus.overlay)) for name, kind in OVERLAYS.items()]
    nothing = [Choice("plain", "no overlay", with_keys("{battle.cancel} on the board does this too"))]
    return with_keys_of_rows(shown + nothing * (focus.overlay != "plain"))


def defence_choices(ask: DefenceAsk, rules: Ruleset, taken: Collection[str]) -> list[Choice]:
    """No defence, which spends nothing and so is what Enter takes, then the defences against an attack.

    Each has the same letter in every menu. Digits stay free for dice typed early. If several units may use a defence,
    the first has its letter.
    """
    letters = {NO_DEFENCE: "n"}
    for defence in sorted(rules.attack.defences, key=lambda one: len(one.label)):  # the plain ones choose first
        letters[defence.id] = _free_letter(defence.label, {*taken, *letters.values()})
    held, found = {*taken, *letters.values()}, list[Choice]()
    for answer in ask.options:
        (label, _), note = option_words(answer, rules), option_in_brief(answer, rules)
        key = letters[answer.kind]
        if any(choice.key == key for choice in found):
            key = _free_letter(answer.name, {*held, *(choice.key for choice in found)})
        found.append(Choice(answer.id, label, note, key=key))
    return [Choice(NO_DEFENCE, "none", "", key=letters[NO_DEFENCE]), *found]


def _free_letter(label: str, held: Collection[str]) -> str:
    """The first free letter of a label, else the next free key; "" if none is left."""
    signs = (*label.casefold(), *KEYS)
    return next((sign for sign in signs if sign in KEYS and sign.isalpha() and sign not in held), "")


def no_door_words(battle: Battle, square: Square) -> str:
    """Why no door next to a square can be opened: what stands there instead, and where the nearest door is."""
    barriers = battle.field.barriers
    sides = (edge_of(square, side) for side in ORTHOGONAL)
    kinds = dict.fromkeys(barriers[edge].kind for edge in sides if edge in barriers)
    said = f"No door beside {square.name}"
    said += f": the {' and the '.join(kinds)} there cannot be opened." if kinds else "."
    doors = [edge for edge, barrier in barriers.items() if barrier.can_open and barrier.state != "broken"]
    if not doors:
        return f"{said} The map has no door."

    def far(edge: Edge) -> int:
        return min(max(abs(one.column - square.column), abs(one.row - square.row)) for one in edge.squares)

    return f"{said} The next is at {min(doors, key=far).name}."


def door_choices(battle: Battle, square: Square) -> Mapping[str, SetBarrier]:
    """Commands for the doors on the four sides of a square, by label."""
    found: dict[str, SetBarrier] = {}
    for side in ORTHOGONAL:
        edge = edge_of(square, side)
        barrier = battle.field.barriers.get(edge)
        if barrier is None or not barrier.can_open:
            continue
        place = f"the {barrier.kind} {side.name} of {square.name}"
        if barrier.state == "locked":
            found[f"unlock {place}"] = SetBarrier(edge, "closed")
            found[f"break {place}"] = SetBarrier(edge, "broken")
        elif barrier.state == "closed":
            found[f"open {place}"] = SetBarrier(edge, "open")
        elif barrier.state == "open":
            found[f"close {place}"] = SetBarrier(edge, "closed")
    return found
