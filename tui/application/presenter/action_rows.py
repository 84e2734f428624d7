"""The card of actions: a row for each attack, throw, move and act of the unit in focus, with its cost and its odds."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod

from engine.battle.attacks.area_odds import odds_in_steps
from engine.battle.attacks.attack_choices import thrown_weapons
from engine.battle.attacks.attack_preview import AreaRisk, AttackPreview, DamageOdds, aim_of, rounds_words
from engine.battle.attacks.scatter import has_scatter
from engine.battle.command import Act
from engine.battle.commands.other_actions import chance_of_success, outcomes_of_act
from engine.battle.effects.condition_effects import PostureEffect
from engine.battle.effects.explosive_effects import LayEffect
from engine.battle.effects.weapon_effects import RecoverEffect, ReloadEffect
from engine.battle.gear import in_hand
from engine.battle.narration.preview_text import mean_words, outcome_parts
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.wording import price_signs, price_words
from engine.dice.dice_text import percent
from engine.errors import BattleboardError, Illegal, brief
from engine.geometry.squares import Direction, Square
from engine.rules.model import SQUARE, Action, Ruleset
from engine.tactics.options import MoveOption, Option, acts, moves
from engine.tactics.whole_action import further_attacks
from engine.text import count, sentence
from engine.values import replace
from tui.application.describe.throwers import throwers_words
from tui.application.focus import focus as foci
from tui.application.focus.focus import Focus
from tui.application.keys.battle_keys import with_keys
from tui.application.prompts.choice import KEYS, Choice

THROWS, THROW = "g", "throw"
"""The key of throws in the card of actions, and the start of their ids there."""
NOT_KNOWN, WORKED_OUT = "·", "…"
"""In a column: that there is nothing to say, and that it is worked out."""
OTHER = "other"
HEADINGS: Mapping[str, tuple[type, ...]] = {
    "stance": (PostureEffect,),
    "gear": (ReloadEffect, RecoverEffect, LayEffect),
}
"""Headings of the card of actions by what an act does; "attack" and "move" are the kinds of actions, the rest OTHER."""
ORDER = ("attack", "move", *HEADINGS, OTHER)
OWN_SIDE = "own side in the blast"


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
        choice = _attack_choice(_focus_of(Choice(name, ""), focus, battle, rules), battle, rules, action, keys)
        found.append(replace(choice, id=name, label=f"Throw: {rules.gear.weapons[weapon].label}"))
    found = _with_throw_key(found, thrown)
    if not thrown and any(weapon.kind == "thrown" for weapon in rules.gear.weapons.values()):
        reason = f"{unit.name} has nothing to throw; {throwers_words(battle, rules, unit)}"
        found.append(Choice("no-throw", "Throw", reason=reason, key=THROWS, heading="attack"))
    found += [_move_choice(option, rules, keys) for option in moves(battle, rules, unit, with_range=False)]
    found += [_act_choice(focus, battle, rules, action, keys) for action in others if action.kind == "other"]
    return sorted(found, key=lambda choice: (bool(choice.reason), ORDER.index(choice.heading)))


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
    """The card's row of an attack with the weapon in focus; its damage is worked out later."""
    option = foci.option(replace(focus, action=action.id), battle, rules)
    price = price_words(option.cost, rules)
    if option.shot is not None:
        situation, facts = option.shot.situation, option.shot.situation.facts
        noted = {one.id for one in rules.attack.modifiers if one.note is not None and one.note.evaluate(facts)}
        because = (one.because for one in option.shot.ledger.entries if one.active and one.id in noted)
        aimed = f"lands as aimed {percent(option.hit)}" if has_scatter(rules, option.shot) else ""
        parts, chance = [aimed, rounds_words(situation), *because, price], cell_percent(option.hit)
    else:
        parts, chance = [price, with_keys("then {battle.next_target} aims")], NOT_KNOWN
    return _row(
        action, keys, parts, option.refusal, "attack", price_signs(option.cost, rules), chance, WORKED_OUT, WORKED_OUT
    )


def _move_choice(option: MoveOption, rules: Ruleset, keys: Mapping[str, str]) -> Choice:
    """The card's row of a move."""
    stride = option.strides[0] if option.strides else None
    far = f"{float(stride.squares):g} sq" if stride else ""
    price = "paid already" if stride and stride.is_paid else price_words(option.cost, rules)
    return _row(
        option.action,
        keys,
        [price, "then choose a path"],
        option.refusal,
        "move",
        price_signs(option.cost, rules),
        far,
    )


def _act_choice(focus: Focus, battle: Battle, rules: Ruleset, action: Action, keys: Mapping[str, str]) -> Choice:
    """The card's row of an act, with what it is done to now."""
    option = act_in(focus, battle, rules, action)
    act, price = option.command, price_words(option.cost, rules)
    if action.target == SQUARE or action.is_directed:
        parts = [price, "then aim with the cursor"]
    elif act.target:
        parts = [f"on {battle.units[act.target].name}", price]
    else:
        parts = [price, "then choose a target" if action.target else ""]
    chance = None
    if option.is_allowed:
        unit = battle.units[act.unit]
        parts = [act_chance(battle, rules, unit, action, act.target, act.square), *parts]
        chance = chance_of_success(battle, rules, unit, action, act.target, act.square)
    heading = next(
        (name for name, kinds in HEADINGS.items() if any(isinstance(one, kinds) for one in action.effects)), OTHER
    )
    far = "" if chance is None else cell_percent(chance)
    return _row(action, keys, parts, option.refusal, heading, price_signs(option.cost, rules), far)


def _row(
    action: Action,
    keys: Mapping[str, str],
    parts: Sequence[str],
    refusal: BattleboardError | None,
    heading: str,
    *numbers: str,
) -> Choice:
    """A row of the card; what it does is a sentence of the parts."""
    note = ", ".join(filter(None, parts))
    said = sentence(f"{action.label}: {note}") if note else sentence(action.label)
    return Choice(
        action.id,
        action.label,
        note,
        brief(refusal),
        keys.get(action.id, ""),
        action.group,
        heading,
        numbers,
        says=said,
    )


def cell_percent(chance: Fraction) -> str:
    """A chance in four cells: "40%", "4.5%"; "0%" and "100%" only if it is that exactly."""
    return percent(chance).replace(" ", "").replace("<0.1%", "<1%")


def act_in(focus: Focus, battle: Battle, rules: Ruleset, action: Action) -> Option[Act]:
    """An act as the unit in focus would do it now: alone, at the cursor, or on somebody.

    That is the target in focus, else the unit under the cursor; on nobody yet where the act is for neither. An act at a
    square where it may not be taken is at one beside the unit, or at a charge, where it may.
    """
    unit, here = battle.units[focus.unit], battle.at(focus.cursor)
    if action.target == SQUARE:
        near = (unit.at.step(one) for one in Direction)
        squares = [
            focus.cursor,
            *(one for one in near if one in battle.field),
            *(one.at for one in battle.scene.charges),
        ]
        found = [*acts(battle, rules, unit, actions=[action.id], squares=squares)]
        return next((option for option in found if option.is_allowed), found[0])
    aims = [aim for aim in (focus.target, here.id if here else "") if aim]
    known = acts(battle, rules, unit, actions=[action.id], targets=[*aims, ""], squares=[focus.cursor])
    return next(option for option in known if not (option.command.target and _is_misfit(option)))


def _is_misfit(option: Option[Act]) -> bool:
    """Whether an act is not for such a target at all."""
    return isinstance(option.refusal, Illegal) and option.refusal.reason == "target"


def with_numbers(choice: Choice, focus: Focus, battle: Battle, rules: Ruleset) -> Generator[None, None, Choice]:
    """The row of an attack with its mean damage after armour, and the chance that its target drops, little by little.

    Both are of the whole action: where its price pays for further attacks they count, too, each at a target unhurt by
    the others.

    Of an attack on an area it is the damage to all enemies; that to the own side stands on a row below. An attack that
    may change the state of its target about as often as it wounds says so in its sentence.
    """
    focus = _focus_of(choice, focus, battle, rules)
    shot = foci.shot(focus, battle, rules)
    if not isinstance(shot, AttackPreview):
        return _with_cells(choice, NOT_KNOWN, NOT_KNOWN)
    found = yield from odds_in_steps(battle, rules, shot)
    odds = found.outlook
    if odds is not None:
        aim = aim_of(odds)
        is_often = aim is not None or (bool(odds.outcomes) and 2 * odds.outcomes[0][1] >= odds.hurt)
        often = outcome_parts(odds)[:1] if is_often else []
        command = foci.attack_in(focus, battle, rules)
        further: list[DamageOdds] = []
        for later, follow in further_attacks(battle, rules, command, shot) if command else ():
            yield
            worked_out = yield from odds_in_steps(later, rules, follow)
            further += [worked_out.outlook] if worked_out.outlook else []
        expected = sum((one.expected for one in further), odds.expected)
        stands = prod((1 - one.drop for one in further), start=1 - odds.drop)
        mean = mean_words(expected) if aim is None and odds.has_damage else NOT_KNOWN
        many = [count(len(further) + 1, "attack")] if further else []
        says = ", ".join((choice.says.removesuffix("."), *many, *often)) + "."
        return replace(_with_cells(choice, mean, cell_percent(1 - stands)), says=says)
    own: list[AreaRisk] = []
    others: list[AreaRisk] = []
    for risk in found.area_risks:
        (own if risk.unit.side == shot.situation.attacker.side else others).append(risk)
    if not found.area_risks:
        return _with_cells(choice, NOT_KNOWN, NOT_KNOWN)
    drops = max((risk.outlook.drop for risk in others), default=Fraction(0))
    hurt = _mean(own)
    below = (OWN_SIDE, f"−{mean_words(hurt)}") if hurt else None
    return replace(_with_cells(choice, mean_words(_mean(others)), cell_percent(drops)), below=below)


def _mean(risks: Iterable[AreaRisk]) -> Fraction:
    """The mean damage to all of them."""
    return sum((risk.outlook.expected for risk in risks), Fraction(0))


def _with_cells(choice: Choice, *numbers: str) -> Choice:
    """The row with its cost and chance, and other numbers after them."""
    return replace(choice, cells=(*choice.cells[:2], *numbers))


def _focus_of(choice: Choice, focus: Focus, battle: Battle, rules: Ruleset) -> Focus:
    """The focus on the attack of a row; a throw is aimed at the cursor where there is no target."""
    if choice.id in (thrown := throws(focus, battle, rules)):
        weapon, action = thrown[choice.id]
        return foci.at_cursor(replace(focus, weapon=weapon, action=action.id, overlay="landing"), battle, rules)
    return replace(focus, action=choice.id)
