"""Menu items of actions, weapons, overlays, defences and doors; disabled ones with the reason."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.battle.attacks.attack_choices import thrown_weapons
from engine.battle.attacks.attack_preview import AttackPreview, aim_of, rounds_words
from engine.battle.attacks.damage_odds import outlook
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.attacks.effect_analysis import is_harmless
from engine.battle.attacks.scatter import has_scatter
from engine.battle.command import Act
from engine.battle.commands.other_actions import chance_of_success, outcomes_of_act
from engine.battle.commands.terrain_commands import SetBarrier
from engine.battle.gear import in_hand
from engine.battle.narration.preview_text import mean_words, outcome_parts
from engine.battle.narration.question_text import option_words
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.wording import price_words, squares
from engine.dice.dice_text import percent
from engine.errors import BattleboardError, Illegal, brief
from engine.geometry.squares import ORTHOGONAL, Edge, Square, edge_of
from engine.rules.model import Action, Ruleset
from engine.tactics.options import MoveOption, Option, acts, moves, readies
from engine.text import count
from engine.values import replace
from tui.application.describe.throwers import throwers_words
from tui.application.focus import focus as foci
from tui.application.focus.focus import Focus
from tui.application.keys.battle_keys import with_keys
from tui.application.overlays.overlay_list import OVERLAYS
from tui.application.prompts.choice import KEYS, Choice

THROWS, THROW = "g", "throw"
"""The key of throws in the menu of actions, and the start of their ids there."""
NO_DEFENCE = "none"
"""Id of the item for no defence."""


def action_choices(focus: Focus, battle: Battle, rules: Ruleset) -> list[Choice]:
    """Attacks with the weapon in hand, each with its chance, throws of other weapons, then moves and other actions.

    The possible ones first. Each has its ruleset's letter, else the same key as ever; throwing has THROWS.
    """
    unit = battle.units[focus.unit]
    others = [action for kind in ("move", "other") for action in rules.actions.values() if action.kind == kind]
    in_hand = foci.attacks(focus, battle, rules)
    keys = menu_keys([*in_hand, *others], rules)
    thrown = throws(focus, battle, rules)
    found = [_attack_choice(focus, battle, rules, action, keys) for action in in_hand if action.id not in thrown]
    for name, (weapon, action) in thrown.items():
        about = foci.at_cursor(replace(focus, weapon=weapon, action=action.id, overlay="landing"), battle, rules)
        choice = _attack_choice(about, battle, rules, action, keys)
        found.append(replace(choice, id=name, label=f"Throw: {rules.gear.weapons[weapon].label}"))
    found = _with_throw_key(found, thrown)
    if not thrown and any(weapon.kind == "thrown" for weapon in rules.gear.weapons.values()):
        reason = f"{unit.name} has nothing to throw; {throwers_words(battle, rules, unit)}"
        found.append(Choice("no-throw", "Throw", reason=reason, key=THROWS))
    found += [_move_choice(option, unit, rules, keys) for option in moves(battle, rules, unit, with_range=False)]
    found += [_act_choice(focus, battle, rules, action, keys) for action in others if action.kind == "other"]
    return sorted(found, key=lambda choice: bool(choice.reason))


def act_chance(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action, target: str, square: Square | None = None
) -> str:
    """How likely an act succeeds, and what its test may do to the acting unit: "succeeds 40.5 %, falls itself 18 %"."""
    chance = chance_of_success(battle, rules, unit, action, target, square)
    if chance is None:
        return ""
    outcomes = outcomes_of_act(battle, rules, unit, action, target, chance)
    own = [one for one in outcomes if one.name == unit.name and one.chance != chance]
    risks = [f"{', '.join(one.labels)} {percent(one.chance)}" for one in own]
    return ", ".join([f"succeeds {percent(chance)}", *risks])


def menu_keys(actions: Sequence[Action], rules: Ruleset) -> dict[str, str]:
    """The key of each action: its letter; in a group without one the next free key of the group; else the next of KEYS.

    Attacks without a letter take digits first, other actions letters.
    """
    lettered = [action for action in rules.actions.values() if action.letter]
    keys = {action.id: action.letter for action in lettered}
    for group in dict.fromkeys(action.letter for action in lettered if action.group and len(action.letter) == 1):
        members = [action for action in lettered if action.group and action.letter[:1] == group]
        free = iter([key for key in KEYS if group + key not in keys.values()])
        keys |= {action.id: group + next(free, "") for action in members if len(action.letter) == 1}
    taken = {THROWS, *(key[:1] for key in keys.values())}
    left = [key for key in KEYS if key not in taken]
    for action in actions:
        if action.id not in keys:
            key = next((key for key in left if action.kind == "attack" or key.isalpha()), "")
            keys[action.id] = key
            left = [other for other in left if other != key]
    return keys


def throws(focus: Focus, battle: Battle, rules: Ruleset) -> dict[str, tuple[str, Action]]:
    """Throws of the weapons that the unit in focus has: weapon and action by the item's id in the menu.

    With the weapon in hand, which stands first, that is the action's id.
    """
    unit = battle.units[focus.unit]
    held = focus.weapon or in_hand(rules, unit)
    return {
        action.id if weapon == held else f"{THROW} {weapon}": (weapon, action)
        for weapon, action in thrown_weapons(rules, unit, held).items()
    }


def _with_throw_key(choices: Sequence[Choice], thrown: Collection[str]) -> list[Choice]:
    """The items with THROWS as the key of the first possible throw, else of the first; the others take a free key."""
    ours = sorted((choice for choice in choices if choice.id in thrown), key=lambda one: bool(one.reason))
    keys = {choice.id: "" if place else THROWS for place, choice in enumerate(ours)}
    return [replace(choice, key=keys[choice.id], group="") if choice.id in keys else choice for choice in choices]


def _attack_choice(focus: Focus, battle: Battle, rules: Ruleset, action: Action, keys: Mapping[str, str]) -> Choice:
    """The menu item of an attack with the weapon in focus."""
    option = foci.option(replace(focus, action=action.id), battle, rules)
    price = price_words(option.cost, rules)
    if option.shot is not None:
        situation, facts = option.shot.situation, option.shot.situation.facts
        noted = {one.id for one in rules.attack.modifiers if one.note is not None and one.note.evaluate(facts)}
        of_what = "lands as aimed" if has_scatter(rules, option.shot) else "hit"
        because = (one.because for one in option.shot.ledger.entries if one.active and one.id in noted)
        parts = [f"{of_what} {percent(option.hit)}", rounds_words(situation), *because, price]
    else:
        parts = [price, "then {battle.next_target} aims"]
    note = with_keys(", ".join(filter(None, parts)))
    return Choice(action.id, action.label, note, brief(option.refusal), keys.get(action.id, ""), action.group)


def _move_choice(option: MoveOption, unit: Unit, rules: Ruleset, keys: Mapping[str, str]) -> Choice:
    """The menu item of a move."""
    is_paid = bool(option.strides) and option.strides[0].is_paid
    price = f"{squares(unit.turn.stride)} left" if is_paid else price_words(option.cost, rules)
    note = ", ".join(filter(None, (price, "then choose a path")))
    action = option.action
    return Choice(action.id, action.label, note, brief(option.refusal), keys[action.id], action.group)


def _act_choice(focus: Focus, battle: Battle, rules: Ruleset, action: Action, keys: Mapping[str, str]) -> Choice:
    """The menu item of an act, with what it is done to now."""
    option = act_in(focus, battle, rules, action)
    act, price = option.command, price_words(option.cost, rules)
    if act.square is not None:
        parts = [f"at {act.square.name}, the cursor", price]
    elif act.target:
        parts = [f"on {battle.units[act.target].name}", price]
    else:
        parts = [price, "then choose a target" if action.target else ""]
    if option.is_allowed:
        parts = [act_chance(battle, rules, battle.units[act.unit], action, act.target, act.square), *parts]
    note = ", ".join(filter(None, parts))
    return Choice(action.id, action.label, note, brief(option.refusal), keys[action.id], action.group)


def act_in(focus: Focus, battle: Battle, rules: Ruleset, action: Action) -> Option[Act]:
    """An act as the unit in focus would do it now: alone, at the cursor, or on somebody.

    That is the target in focus, else the unit under the cursor; on nobody yet where the act is for neither.
    """
    unit, here = battle.units[focus.unit], battle.at(focus.cursor)
    aims = [aim for aim in (focus.target, here.id if here else "") if aim]
    known = acts(battle, rules, unit, actions=[action.id], targets=[*aims, ""], squares=[focus.cursor])
    return next(option for option in known if not (option.command.target and _is_misfit(option)))


def _is_misfit(option: Option[Act]) -> bool:
    """Whether an act is not for such a target at all."""
    return isinstance(option.refusal, Illegal) and option.refusal.reason == "target"


def with_mean_damage(choice: Choice, focus: Focus, battle: Battle, rules: Ruleset) -> Choice:
    """The menu item of an attack on the target in focus with its mean damage after the chance; others as they are.

    It says what armour and cover leave of a called shot, or the hits of a burst. An attack that may change the state of
    its target about as often as it wounds has that chance too, one that does no damage this alone.
    """
    if choice.reason or not focus.target or choice.id not in rules.actions or rules.actions[choice.id].kind != "attack":
        return choice
    shot = foci.shot(replace(focus, action=choice.id), battle, rules)
    try:
        odds = outlook(battle, rules, shot) if isinstance(shot, AttackPreview) else None
    except BattleboardError:  # a rule that fails: making the attack reports it
        return choice
    if odds is None:
        return choice
    is_aim = aim_of(odds) is not None
    damage = [f"dmg {mean_words(odds.expected)}"] if odds.has_damage and not is_aim else []
    often = [part for part in outcome_parts(odds)[:1] if is_aim or 2 * odds.outcomes[0][1] >= odds.hurt]
    hit, comma, more = choice.note.partition(", ")
    return replace(choice, note=f"{', '.join((hit, *damage, *often))}{comma}{more}")


def with_aim(choice: Choice, focus: Focus, battle: Battle, rules: Ruleset) -> Choice:
    """The same for an attack that can do no damage, with the chance of what it is made for; all others as they are.

    The damage of all attacks at once would take too long.
    """
    action = rules.actions.get(choice.id)
    if choice.reason or not focus.target or action is None or action.kind != "attack":
        return choice
    shot = foci.shot(replace(focus, action=choice.id), battle, rules)
    is_for_state = isinstance(shot, AttackPreview) and is_harmless(rules, shot.situation.facts)
    return with_mean_damage(choice, focus, battle, rules) if is_for_state else choice


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
    return shown + nothing * (focus.overlay != "plain")


def defence_choices(ask: DefenceAsk, rules: Ruleset, taken: Collection[str]) -> list[Choice]:
    """No defence, which spends nothing and so is what Enter takes, then the defences against an attack.

    Each has the same letter in every menu. Digits stay free for dice typed early. If several units may use a defence,
    the first has its letter.
    """
    letters = {NO_DEFENCE: "o"}
    for defence in sorted(rules.attack.defences, key=lambda one: len(one.label)):  # the plain ones choose first
        letters[defence.id] = _free_letter(defence.label, {*taken, *letters.values()})
    held, found = {*taken, *letters.values()}, list[Choice]()
    for answer in ask.options:
        label, note = option_words(answer, rules)
        key = letters[answer.kind]
        if any(choice.key == key for choice in found):
            key = _free_letter(answer.name, {*held, *(choice.key for choice in found)})
        found.append(Choice(answer.id, label, note, key=key))
    return [Choice(NO_DEFENCE, "no defence", "", key=letters[NO_DEFENCE]), *found]


def _free_letter(label: str, held: Collection[str]) -> str:
    """The first free letter of a label, else the next free key; "" if none is left."""
    signs = (*label.casefold(), *KEYS)
    return next((sign for sign in signs if sign in KEYS and sign.isalpha() and sign not in held), "")


def no_door_words(battle: Battle, square: Square) -> str:
    """Why no door next to a square can be opened: what stands there instead, and where the nearest door is."""
    barriers = battle.field.barriers
    sides = (edge_of(square, side) for side in ORTHOGONAL)
    kinds = dict.fromkeys(barriers[edge].kind for edge in sides if edge in barriers)
    said = f"No door next to {square.name}"
    said += f": the {' and the '.join(kinds)} there cannot be opened." if kinds else "."
    doors = [edge for edge, barrier in barriers.items() if barrier.can_open and barrier.state != "broken"]
    if not doors:
        return f"{said} The map has no door."

    def far(edge: Edge) -> int:
        return min(max(abs(one.column - square.column), abs(one.row - square.row)) for one in edge.squares)

    return f"{said} The nearest door is at {min(doors, key=far).name}."


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
