"""Aim mode: the cursor places an attack on an area, or an act at a square or towards one; a key or Enter does it."""

from __future__ import annotations

from engine.battle.command import Act
from engine.battle.commands.other_actions import takes_square
from engine.battle.distances import range_between
from engine.battle.state.units import Unit
from engine.errors import brief
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import SQUARE, Action
from engine.tactics.options import acts
from engine.values import replace
from tui.application.focus import focus as foci
from tui.application.focus.focus import Focus
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.action_rows import act_chance, act_in
from tui.application.presenter.placing import ACTS, FIRES, Placing
from tui.application.presenter.presenter import Presenter
from tui.application.prompts.choice import Choice

NO_SQUARE = "Put the cursor on another square: {battle.cancel} leaves the aim."


def aim_attack(presenter: Presenter, focus: Focus) -> bool:
    """Begins to aim an attack on an area with the cursor, from the target in focus, else at it or the next enemy.

    Returns:
        Whether it is one: what strikes its target alone is not aimed so.
    """
    battle, rules = presenter.session.battle, presenter.session.rules
    before = presenter.focus
    focus = replace(focus, move="", altitude=None)
    is_swept = foci.sweeps(focus, battle, rules) or foci.is_at_thing(focus, rules)
    shown = "plain" if is_swept else "landing"
    if not is_swept and not rules.space.zones:
        return False
    focus = foci.at_cursor(replace(focus, overlay=shown), battle, rules)
    unit = battle.units[focus.unit]
    if not focus.target and focus.cursor in unit.squares:
        focus = foci.next_target(focus, battle, rules)
    if target := battle.units.get(focus.target):
        focus = replace(focus, cursor=target.at)
    presenter.look_at(focus)
    if not is_swept and not presenter.overlay.tints:  # it comes down where it is thrown
        presenter.look_at(replace(presenter.focus, overlay="plain"))
        return False
    presenter.place(Placing(battle, focus.unit, FIRES, focus.weapon, focus.action, before))
    presenter.show_all()
    return True


def aim_act(presenter: Presenter, action: Action) -> None:
    """Begins to aim an act of the unit in focus at a square, or towards one."""
    battle, focus = presenter.session.battle, presenter.focus
    square = act_in(focus, battle, presenter.session.rules, action).command.square
    presenter.look_at(replace(focus.plain, target="", cursor=square or focus.cursor))
    presenter.place(Placing(battle, focus.unit, ACTS, action=action.id, before=focus))
    presenter.show_all()


def do_aimed(presenter: Presenter) -> None:
    """Does what is aimed: asks for the dice of the attack, or takes the act."""
    placing, cursor = presenter.placing, presenter.focus.cursor
    unit = presenter.session.battle.units[presenter.focus.unit]
    if placing is None or (cursor in unit.squares and not presenter.focus.target):
        presenter.say(with_keys(NO_SQUARE))
    elif placing.key == FIRES:
        presenter.fire()
    else:
        action = presenter.session.rules.actions[placing.action]
        declare(presenter, unit, action, Act(unit.id, action.id, square=cursor))


def take_act(presenter: Presenter, unit: Unit, action: Action) -> None:
    """Takes an act as it is in focus; one at a square is aimed first, one on nobody yet asks for its target."""
    battle, rules = presenter.session.battle, presenter.session.rules
    if action.target == SQUARE or action.is_directed:
        aim_act(presenter, action)
        return
    act = act_in(presenter.focus, battle, rules, action).command
    if act.target or not action.target:
        declare(presenter, unit, action, act)
        return
    sign = UNIT_SIGNS[rules.distance.ranges]

    def note(other: Unit) -> str:
        far = f"{float(range_between(battle.field, rules, unit, other)):g} {sign}"
        return ", ".join(filter(None, (far, act_chance(battle, rules, unit, action, other.id))))

    refusals = {one.command.target: one.refusal for one in acts(battle, rules, unit, actions=[action.id])}
    choices = [
        Choice(target, battle.units[target].name, note(battle.units[target]), brief(refusal))
        for target, refusal in refusals.items()
    ]

    def chosen(target: str) -> None:
        if target:
            declare(presenter, unit, action, Act(unit.id, action.id, target))

    presenter.choose(f"{action.label}: choose a target", choices, chosen)


def declare(presenter: Presenter, unit: Unit, action: Action, act: Act) -> None:
    """Takes an act, one on somebody towards the cursor; if it declares one of several attacks, asks which."""
    battle, rules = presenter.session.battle, presenter.session.rules
    square = _towards(presenter, unit, action, act.target) if act.target else act.square
    act = replace(act, square=square, attack="")
    squares = () if square is None else (square,)
    known = acts(battle, rules, unit, actions=[action.id], targets=[act.target], squares=squares)
    attacks = dict.fromkeys(option.command.attack for option in known)
    if len(attacks) < 2:
        presenter.roll(act)
        return

    def chosen(attack: str) -> None:
        if attack:
            presenter.roll(replace(act, attack=attack))

    held = rules.gear.weapons[unit.gear.weapon].label
    choices = [Choice(attack, rules.actions[attack].label, held) for attack in attacks]
    presenter.choose(f"{action.label}: choose an attack", choices, chosen)


def _towards(presenter: Presenter, unit: Unit, action: Action, target: str) -> Square | None:
    """The square under the cursor, for an act that may go in a direction; None on one of the two units."""
    cursor, other = presenter.focus.cursor, presenter.session.battle.units[target]
    return cursor if takes_square(action) and cursor not in (*unit.squares, *other.squares) else None
