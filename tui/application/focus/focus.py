"""Focus of the screen: selected unit, target, weapon, action, cursor and overlay. Never saved."""

from __future__ import annotations

from collections.abc import Generator

from msgspec import Struct

from engine.battle.attacks.area_odds import odds_in_steps
from engine.battle.attacks.attack_choices import attacks_in_hand
from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.attacks.blast_rings import rings_of
from engine.battle.attacks.open_defences import with_open_defences
from engine.battle.attacks.split_hits import with_share
from engine.battle.command import Act, Attack, Command
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.other_actions import chance_of_success, outcomes_of_act
from engine.battle.event_builder import acts_any_time
from engine.battle.gear import in_hand
from engine.battle.narration.preview_text import verdict
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.dice.dice_text import percent
from engine.errors import BattleboardError
from engine.geometry.battlefield import Height
from engine.geometry.squares import Square
from engine.rules.model import SQUARE, Action, Ruleset
from engine.tactics.options import Option, attack_option, on_anybody
from engine.values import replace
from tui.application.focus.contacts import aims_now, enemies

WALKS = ("reach", "exposure", "shot", "balance")
"""Overlays of squares in reach: the path to the cursor is drawn and can be walked."""


THROWS = ("blast", "landing")
"""Overlays of where a throw may come down."""


class Focus(Struct, frozen=True):
    """Immutable; the screen swaps it for another. Empty ids mean none; an empty weapon or action the usual one."""

    unit: str = ""
    target: str = ""
    weapon: str = ""
    action: str = ""
    share: tuple[tuple[str, int], ...] = ()
    """Hits of the attack split to other units than the target."""
    move: str = ""
    """The special move; "" for the plain moves."""
    altitude: Height | None = None
    """The altitude that a flyer climbs or descends to before it moves; None for the present one."""
    cursor: Square = Square(0, 0)
    overlay: str = "plain"
    """"plain" or one of `overlay_list.OVERLAYS`; with those of WALKS Enter and m walk to the cursor."""
    shown: tuple[Square, Square] | None = None
    """The first and the last square on the screen; None for the whole map."""

    @property
    def attack(self) -> tuple[str, str, str, str]:
        """The identity of the attack: unit, target, weapon, action."""
        return self.unit, self.target, self.weapon, self.action

    @property
    def plain(self) -> Focus:
        """The focus without an overlay and without a planned move."""
        return replace(self, overlay="plain", move="", altitude=None)

    def on_unit(self, unit_id: str) -> Focus:
        """The focus on another unit, with its own weapon and action."""
        if unit_id == self.unit:
            return self
        target = "" if unit_id == self.target else self.target
        return replace(self, unit=unit_id, target=target, weapon="", action="", move="", altitude=None)


def after_attack(focus: Focus, attack: Attack) -> Focus:
    """The focus after an attack: with the weapon in hand again after a throw, and without the throw's overlay.

    The unit in focus keeps the kind of attack that it made.
    """
    overlay = "plain" if focus.overlay in THROWS else focus.overlay
    action = attack.action if attack.unit == focus.unit and attack.action else focus.action
    action = "" if focus.weapon or attack.weapon else action
    return replace(focus, share=(), weapon="", action=action, overlay=overlay)


def settle(focus: Focus, battle: Battle) -> Focus:
    """The focus after a change of the battle, without removed units and without allies as targets."""
    if focus.unit not in battle.units:
        focus = replace(focus, unit=battle.turns.active, weapon="", action="", move="")
    unit = battle.units.get(focus.unit)
    if unit and focus.weapon and focus.weapon not in unit.gear.weapons:
        focus = replace(focus, weapon="", action="")
    target = battle.units.get(focus.target)
    if target is None or unit is None or target.is_defeated or target.side == unit.side:
        focus = replace(focus, target="")
    return focus


_with_odds: Cache[AttackPreview] = Cache(4)
"""Cache of outcome odds while only the cursor moves."""


def shot(focus: Focus, battle: Battle, rules: Ruleset) -> AttackPreview | str | None:
    """The attack in focus; a sentence when there cannot be one; None without a shooter and a target."""
    attack = attack_in(focus, battle, rules)
    if attack is None:
        return None
    try:
        found = with_open_defences(battle, rules, consider(battle, rules, attack))
        return with_share(battle, found, focus.share) if focus.share else found
    except BattleboardError as reason:
        return str(reason)


def option(focus: Focus, battle: Battle, rules: Ruleset) -> Option[Attack]:
    """The attack in focus as an option; on nobody yet where it is aimed at nothing."""
    attack = attack_in(focus, battle, rules) or Attack(focus.unit, "", focus.weapon, focus.action)
    return attack_option(battle, rules, attack)


def refusal(attack: Attack, battle: Battle, rules: Ruleset) -> str:
    """Why an attack that can be previewed may not be made now; "" if it may."""
    found = consider(battle, rules, attack)
    return found.ledger.forbidden.because if found.ledger.forbidden else found.refusal


def is_allowed(shot: AttackPreview | str | None) -> bool:
    """Whether there is an attack in focus, and it may be made now."""
    return isinstance(shot, AttackPreview) and shot.ledger.is_possible and not shot.refusal


def whose_shot(shot: AttackPreview, battle: Battle, rules: Ruleset) -> str:
    """Whose attack it is where that unit has no turn now: "Not its turn: Hauler → "; "" for any other."""
    attacker, active = shot.situation.attacker, battle.turns.active
    is_its_turn = attacker.id == active or not active or shot.permission is not None or acts_any_time(attacker, rules)
    return "" if is_its_turn else f"Not its turn: {attacker.name} → "


def why_not_now(shot: AttackPreview) -> str:
    """Why an attack that can be previewed may not be made now, as a sentence before its odds; "" if it may."""
    return f"Unavailable: {shot.refusal_brief}. " if shot.refusal and shot.ledger.is_possible else ""


def above_dice(command: Command, battle: Battle, rules: Ruleset) -> str:
    """The sentence above a dice prompt: an attack's verdict, an action's chance, or what initiative does."""
    if isinstance(command, Act) and command.unit in battle.units and command.action in rules.actions:
        unit, action = battle.units[command.unit], rules.actions[command.action]
        chance = chance_of_success(battle, rules, unit, action, command.target, command.square)
        if chance is None:
            return ""
        on = f" on {battle.called(command.target)}" if command.target else ""
        outcomes = outcomes_of_act(battle, rules, unit, action, command.target, chance)
        more = [f"{one.words} {percent(one.chance)}" for one in outcomes if one.chance != chance]
        return f"{action.label}{on}: {'; '.join([f'succeeds {percent(chance)}', *more])}."
    if isinstance(command, RollInitiative) and battle.turns.order:
        return "Rolls the turn order anew and begins with its first unit."
    if not isinstance(command, Attack):
        return ""
    return verdict(with_open_defences(battle, rules, consider(battle, rules, command)), rules)


def with_outlook(
    found: AttackPreview, focus: Focus, battle: Battle, rules: Ruleset
) -> Generator[None, None, AttackPreview]:
    """Computes the outcome odds of the shot in focus in slices."""
    attack = attack_in(focus, battle, rules)
    about = attack, focus.share
    known = _with_odds.known((battle, rules), about)
    if known is not None:
        return known
    whole = with_open_defences(battle, rules, (yield from odds_in_steps(battle, rules, found)))
    return _with_odds.get((battle, rules), about, lambda: whole)


def attack_in(focus: Focus, battle: Battle, rules: Ruleset) -> Attack | None:
    """The attack of the focus: on its target, else on the cursor's square for a weapon with a blast."""
    unit = battle.units.get(focus.unit)
    if unit is None:
        return None
    if is_at_thing(focus, rules):
        at_cursor = Attack(focus.unit, "", focus.weapon, focus.action, square=focus.cursor)
        return at_cursor if focus.cursor not in unit.squares else None
    if focus.target:
        return Attack(focus.unit, focus.target, focus.weapon, focus.action)
    if not aims_at_cursor(focus, battle, rules) or focus.cursor == unit.at:
        return None
    here = battle.at(focus.cursor)
    if here is not None and not here.is_defeated:
        return Attack(focus.unit, here.id, focus.weapon, focus.action)
    return Attack(focus.unit, "", focus.weapon, focus.action, square=focus.cursor)


def aims_at_cursor(focus: Focus, battle: Battle, rules: Ruleset) -> bool:
    """Whether the attack is another when the cursor moves: one without a target, while no move is planned.

    It is a throw of what bursts, or an attack on an area or on a thing; a launcher's while an overlay shows its blast.
    """
    if focus.overlay not in WALKS and is_at_thing(focus, rules):
        return True
    if focus.target or focus.overlay in WALKS:
        return False
    if sweeps(focus, battle, rules):
        return True
    unit = battle.units.get(focus.unit)
    weapon = rules.gear.weapons.get(focus.weapon or in_hand(rules, unit)) if unit else None
    if weapon is None or not rules.space.zones:
        return False
    return weapon.kind == "thrown" or (focus.overlay in THROWS and _bursts_at_cursor(focus, battle, rules))


def _bursts_at_cursor(focus: Focus, battle: Battle, rules: Ruleset) -> bool:
    """Whether the attack in focus, as that of a launcher, would burst on the cursor's square."""
    try:
        found = consider(battle, rules, Attack(focus.unit, "", focus.weapon, focus.action, square=focus.cursor))
        return bool(rings_of(battle.field, rules, found.situation, found.ledger))
    except BattleboardError:
        return False


def at_cursor(focus: Focus, battle: Battle, rules: Ruleset) -> Focus:
    """The focus without its target where an attack on an area aims at the cursor instead: off target and attacker."""
    unit, target = battle.units.get(focus.unit), battle.units.get(focus.target)
    if unit is None or target is None or focus.cursor in (*unit.squares, *target.squares):
        return focus
    free = replace(focus, target="")
    found = shot(free, battle, rules) if aims_at_cursor(free, battle, rules) else None
    if not isinstance(found, AttackPreview):
        return focus
    is_area = found.situation.action.cone is not None or rings_of(battle.field, rules, found.situation, found.ledger)
    return free if is_area else focus


def is_at_thing(focus: Focus, rules: Ruleset) -> bool:
    """Whether the action in focus is an attack on a thing that stands on the square under the cursor."""
    action = rules.actions.get(focus.action)
    return action is not None and action.kind == "attack" and action.target == SQUARE


def sweeps(focus: Focus, battle: Battle, rules: Ruleset) -> bool:
    """Whether the attack in focus strikes an area."""
    known = attacks(focus, battle, rules)
    chosen = next((action for action in known if action.id == focus.action), known[0] if known else None)
    return chosen is not None and chosen.cone is not None


def next_target(focus: Focus, battle: Battle, rules: Ruleset, step: int = 1) -> Focus:
    """The next enemy, round and round: those that can be hit first, then others in sight, each the nearest first.

    Of each of these, whom players do not know of come last. The attack is one that can be made now, if there is one.
    """
    if not enemies(battle, focus.unit):
        return focus
    focus = with_attack(focus, battle, rules)
    attack = Attack(focus.unit, "", focus.weapon, focus.action)
    found = [aim.unit for aim in aims_now(battle, rules, attack)]
    position = found.index(focus.target) + step if focus.target in found else (0 if step > 0 else -1)
    target = found[position % len(found)]
    return replace(focus, target=target, cursor=battle.units[target].at)


def with_attack(focus: Focus, battle: Battle, rules: Ruleset) -> Focus:
    """The focus with an attack that its unit may make now: the one in focus, else the first; as it is if there is none.

    Whether the target can be attacked so is another question.
    """
    unit, known = battle.units.get(focus.unit), attacks(focus, battle, rules)
    if unit is None or not known:
        return focus
    meant = focus.action if any(one.id == focus.action for one in known) else ""
    if attack_option(battle, rules, Attack(unit.id, "", focus.weapon, meant)).is_allowed:
        return focus
    able = (one.command.action for one in on_anybody(battle, rules, unit, focus.weapon) if one.is_allowed)
    return replace(focus, action=next(able, focus.action))


def next_here(battle: Battle, square: Square, *shown: str) -> Unit | None:
    """The unit of a square; of several above each other, the next after the one shown."""
    everybody = battle.on(square)
    here = [unit for unit in everybody if not unit.is_defeated] or everybody
    ids = [unit.id for unit in here]
    after = next((ids.index(one) + 1 for one in shown if one in ids), 0)
    return here[after % len(here)] if here else None


def attacks(focus: Focus, battle: Battle, rules: Ruleset) -> tuple[Action, ...]:
    """Attack actions that the weapon in focus allows."""
    unit = battle.units.get(focus.unit)
    return () if unit is None else attacks_in_hand(rules, unit, focus.weapon)
