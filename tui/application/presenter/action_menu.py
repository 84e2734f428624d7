"""Action menu: attacks, moves and other actions of the unit in focus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.command import Act
from engine.battle.commands.other_actions import takes_square
from engine.battle.distances import range_between
from engine.battle.narration.preview_text import verdict
from engine.battle.state.units import Unit
from engine.battle.wording import left_words
from engine.errors import brief
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Action
from engine.tactics.options import acts
from engine.values import replace
from tui.application.focus import focus as foci
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.action_rows import (
    act_chance,
    act_in,
    action_choices,
    throws,
    with_numbers,
)
from tui.application.presenter.move_mode import show_reach
from tui.application.presenter.presenter import NO_TARGET, Presenter
from tui.application.prompts.choice import GROUP, Choice, MenuQuestion, group_of, grouped

ATTACK = "attack"
COLUMNS = ("cost", "hit", "avg", "kills")


def choose_act(presenter: Presenter) -> None:
    """Opens the action menu of the unit in focus and runs the chosen action."""
    battle, rules = presenter.session.battle, presenter.session.rules
    unit = battle.units.get(presenter.focus.unit)
    if unit is None:
        return

    focus = presenter.focus
    choices = action_choices(focus, battle, rules)
    thrown = throws(focus, battle, rules)
    shot = foci.shot(focus, battle, rules)
    usual = shot.situation.action.id if isinstance(shot, AttackPreview) else ""
    target = battle.units.get(focus.target)
    left = left_words(unit, rules, is_short=True)[:1]
    who = f"{unit.name} ▸ {target.name}" if target else f"{unit.name} · no target"

    def offer(title: str, shown: Sequence[Choice], marked: str) -> None:
        def later() -> Iterator[Choice | None]:
            for one in shown:
                if one.heading == ATTACK and not one.reason and not one.is_group:
                    yield (yield from with_numbers(one, focus, battle, rules))

        question = MenuQuestion(title, shown, folds=True, columns=COLUMNS, usual=marked, later=later)
        presenter.display.offer(question, lambda picked: chosen(picked.id))

    def chosen(id: str) -> None:
        if id.startswith(GROUP):
            label = next(one.group for one in choices if one.group and one.key[:1] == id.removeprefix(GROUP))
            offer(f"{who}  {label}", group_of(choices, id), usual)
        elif id in thrown:
            _throw(presenter, *thrown[id])
        elif id:
            _do(presenter, unit, rules.actions[id])

    rows = grouped(choices)
    in_group = next((f"{GROUP}{one.key[:1]}" for one in choices if one.id == usual and one.group), usual)
    offer("  ".join([who, *left]), rows, usual if any(one.id == usual for one in rows) else in_group)


def _do(presenter: Presenter, unit: Unit, action: Action) -> None:
    """Puts an attack into focus, shows the reach of a move, or takes another action."""
    if action.kind == "attack":
        presenter.look_at(replace(presenter.focus, action=action.id))
        presenter.say(with_keys(_next_step(presenter, action)))
    elif action.kind == "move":
        show_reach(presenter, action.id, unit.at)
        presenter.plan_move(unit.id)
    else:
        _act(presenter, unit, action)


def _next_step(presenter: Presenter, action: Action) -> str:
    """The key that makes the attack in focus and what it would be, or why there is none."""
    shot = presenter.shot
    if isinstance(shot, AttackPreview):
        return f"{{battle.fire}} attacks with “{action.label}”. {verdict(shot, presenter.session.rules)}"
    return f"“{action.label}”: {shot or NO_TARGET}"


def _throw(presenter: Presenter, weapon: str, action: Action) -> None:
    """Aims a throw and asks for its dice: at the cursor's square, from the thrower's own at the target or next enemy.

    What does not burst is thrown at the target in focus. The overlay shows where it may come down.
    """
    battle, rules = presenter.session.battle, presenter.session.rules
    focus = replace(presenter.focus, weapon=weapon, action=action.id, move="", altitude=None)
    focus = replace(foci.at_cursor(replace(focus, overlay="landing"), battle, rules), overlay=focus.overlay)
    unit = battle.units[focus.unit]
    if not focus.target and focus.cursor in unit.squares:
        focus = foci.next_target(focus, battle, rules)
    target = battle.units.get(focus.target)
    cursor = target.at if target else focus.cursor
    presenter.look_at(replace(focus, cursor=cursor, overlay="landing"))
    if not presenter.overlay.tints:  # it comes down where it is thrown
        presenter.look_at(replace(presenter.focus, overlay="plain"))
    if isinstance(presenter.shot, AttackPreview):
        presenter.fire()
    else:
        presenter.say(with_keys(_next_step(presenter, action)))


def _act(presenter: Presenter, unit: Unit, action: Action) -> None:
    """Runs an act as it is in focus; where it is on nobody yet, on one chosen from a menu."""
    battle, rules = presenter.session.battle, presenter.session.rules
    act = act_in(presenter.focus, battle, rules, action).command
    if act.target or act.square is not None or not action.target:
        _declare(presenter, unit, action, act)
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
            _declare(presenter, unit, action, replace(act, target=target))

    presenter.choose(f"{action.label}: choose a target", choices, chosen)


def _towards(presenter: Presenter, unit: Unit, action: Action, target: str) -> Square | None:
    """The square under the cursor, for an act that may go in a direction; None on one of the two units."""
    cursor, other = presenter.focus.cursor, presenter.session.battle.units[target]
    return cursor if takes_square(action) and cursor not in (*unit.squares, *other.squares) else None


def _declare(presenter: Presenter, unit: Unit, action: Action, act: Act) -> None:
    """Runs an act, one on somebody towards the cursor; if it declares one of several attacks, asks which."""
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
