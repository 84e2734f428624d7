"""Key actions on the unit in focus and on the square under the cursor."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.command import Command
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_actions import Ready
from engine.battle.commands.unit_edits import Place
from engine.battle.views.view import UnitView, project
from engine.geometry.squares import ORTHOGONAL, Square, edge_of
from engine.values import replace
from tui.application.commands.order import (
    complete_declared,
    declare_words,
    declare_words_in_brief,
    declared_words,
    declaring_sides,
    parse_declared,
)
from tui.application.commands.results import Setting
from tui.application.commands.rulings import parse_adjustment, parse_cover
from tui.application.commands.scene import parse_smoke
from tui.application.commands.unit_edits import parse_changes
from tui.application.commands.vocabulary import known
from tui.application.describe.attack_result import Result
from tui.application.focus import focus as foci
from tui.application.focus.contacts import enemies
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.aim_mode import do_aimed
from tui.application.presenter.command_line import Pages, help_after
from tui.application.presenter.menu_choices import door_choices, no_door_words, overlay_choices, weapon_choices
from tui.application.presenter.move_mode import go, show_reach
from tui.application.presenter.presenter import NO_TARGET, NO_UNIT, NOBODY_YET, Presenter
from tui.application.prompts.choice import Choice, MenuQuestion
from tui.application.prompts.line_help import LineHelp

MARKED = "{battle.damage} changes them, {battle.put} moves them to the cursor, {battle.table} hides or removes them."
MOST_NAMED = 3
"""Units that a prompt names; of more it says how many."""


def aim(presenter: Presenter, step: int) -> None:
    """Aims at the next or the previous enemy."""
    battle = presenter.session.battle
    if not enemies(battle, presenter.focus.unit):
        unit = battle.units.get(presenter.focus.unit)
        nobody = NOBODY_YET if battle.is_set_up else NO_UNIT
        presenter.say(f"{unit.name} has no enemy in the fight." if unit else with_keys(nobody))
        return
    presenter.look_at(foci.next_target(presenter.focus, battle, presenter.session.rules, step))


def select(presenter: Presenter) -> None:
    """Selects the unit under the cursor."""
    here = foci.next_here(presenter.session.battle, presenter.focus.cursor, presenter.focus.unit)
    if here is None:
        presenter.say(f"No unit on {presenter.focus.cursor.name}.")
    else:
        presenter.look_at(presenter.focus.on_unit(here.id))


def find(presenter: Presenter) -> None:
    """Asks for a unit by its badge and puts the cursor on it; moves the cursor and nothing else.

    Of a group the nearest comes first, so a letter and Enter are enough.
    """
    view, cursor = project(presenter.session.battle, presenter.session.rules), presenter.focus.cursor
    places = {(unit.letter, unit.number > 0): place for place, unit in reversed([*enumerate(view.units)])}

    def far(unit: UnitView) -> tuple[bool, int, int]:
        away = max(abs(unit.at.column - cursor.column), abs(unit.at.row - cursor.row))
        return unit.is_defeated, places[unit.letter, unit.number > 0], away if unit.number else 0

    standing_first = sorted(view.units, key=far)
    choices = [
        Choice(unit.id, unit.name, f"{unit.at.name}, out" if unit.is_defeated else unit.at.name, key=unit.badge)
        for unit in standing_first
    ]

    def chosen(unit_id: str) -> None:
        unit = presenter.session.battle.units.get(unit_id)
        if unit is not None:
            presenter.go_to(unit.at)

    question = MenuQuestion("Go to a unit", choices, is_by_letter=True)
    presenter.display.offer(question, lambda picked: chosen(picked.id))


def walk_order(presenter: Presenter, step: int) -> None:
    """Puts the cursor on the next unit of the turn order, or the one before; it moves the cursor and nothing else."""
    battle, cursor = presenter.session.battle, presenter.focus.cursor
    here = battle.at(cursor)
    order = [unit for unit in battle.turns.order if unit in battle.units] or list(battle.units)
    now = next((unit for unit in (here.id if here else "", battle.turns.active) if unit in order), "")
    if here is None and now:  # from an empty square to whose turn it is
        presenter.go_to(battle.units[now].at)
        return
    place = order.index(now) if now else -1 if step > 0 else 0
    walked = (order[(place + step * far) % len(order)] for far in range(1, len(order) + 1))
    at = next((battle.units[unit].at for unit in walked if cursor not in battle.units[unit].squares), cursor)
    presenter.go_to(at)


AGAIN = "{battle.fire} attacks again, "
NEXT_AIM = "{battle.next_target} aims at the next enemy; {battle.receipt}: details."


def choose_square(presenter: Presenter, square: Square) -> None:
    """Aims at an enemy on a square, selects a friend on it, or moves there if the reach is shown."""
    battle, focus = presenter.session.battle, presenter.focus
    if presenter.is_aiming:
        do_aimed(presenter)
        return
    here = foci.next_here(battle, square, focus.target, focus.unit)
    subject = battle.units.get(focus.unit)
    if here is None or here.is_defeated:
        if focus.overlay in foci.WALKS:
            move(presenter)
        return
    result = presenter.attack
    if isinstance(result, Result) and here.id in {event.target for event in result.rolled}:
        again = with_keys(f"{AGAIN if foci.is_allowed(presenter.shot) else ''}{NEXT_AIM}")
        whole = f"{presenter.result} {again}".strip()
        presenter.say(whole if presenter.has_room(whole) else presenter.result)  # one key too many after the dice
        return
    then = replace(focus, cursor=square)
    if subject and here.side != subject.side:
        then = foci.with_attack(replace(then, target=here.id), battle, presenter.session.rules)
    else:
        then = then.on_unit(here.id)
    if then != focus:
        presenter.look_at(then)


def move(presenter: Presenter) -> None:
    """Shows the unit's reach, or moves; a stopped move keeps its goal."""
    if presenter.reactions.interrupted is not None and not presenter.is_move_planned:
        presenter.go_back(presenter.reactions.interrupted)
    go(presenter)


def initiative(presenter: Presenter, *, is_opening: bool = False) -> None:
    """Rolls initiative; asks each side for declared actions first if the ruleset has them.

    With `is_opening`, of a new battle that has rolled as if all attack: if nothing else is declared, that holds.
    """
    battle, rules = presenter.session.battle, presenter.session.rules
    sides = declaring_sides(battle, rules)

    def ask(place: int, before: Mapping[str, str]) -> None:
        def answered(text: str) -> None:
            said = parse_declared(text, battle, rules)
            declared = {**before, **said.declared}
            presenter.say(declared_words(said, battle, rules))
            if place + 1 < len(sides):
                ask(place + 1, declared)
            elif declared or not is_opening:
                presenter.submit_asking(RollInitiative(declared), ())

        pages = Pages()

        def complete(text: str) -> str:
            line, found = complete_declared(text, battle, rules, sides[place])
            presenter.say(pages.next(line, found, presenter.has_room) if found else "Nothing that fits.")
            return line

        help = LineHelp(complete, lambda text: "", ())
        words = declare_words(battle, rules, sides[place])
        brief = declare_words_in_brief(battle, rules, sides[place])
        labels = (f"{words} (Tab lists the actions):", f"{words} (Tab):", f"{brief} (Tab):")
        label = presenter.fitting(labels)
        presenter.ask(label, answered, takes_nothing=True, help=help)

    if sides:
        ask(0, {})
    else:
        presenter.roll(RollInitiative())


def choose_overlay(presenter: Presenter) -> None:
    """Opens the menu of overlays."""

    def chosen(overlay: str) -> None:
        if overlay:
            presenter.focus = replace(presenter.focus, altitude=None)
            unit = presenter.session.battle.units.get(presenter.focus.unit)
            show_reach(presenter, "", unit.at) if overlay == "reach" and unit else presenter.show_overlay(overlay)

    presenter.choose("Overlay", overlay_choices(presenter.focus), chosen)


def weapon(presenter: Presenter) -> None:
    """Opens the menu of weapons to switch to."""
    battle, rules = presenter.session.battle, presenter.session.rules
    unit = battle.units.get(presenter.focus.unit)
    if unit is None or not unit.gear.weapons:
        presenter.say("No weapon to switch to.")
        return

    def chosen(weapon: str) -> None:
        if weapon:
            presenter.focus = replace(presenter.focus, weapon="", action="")
            presenter.submit(Ready(unit.id, weapon))

    presenter.choose(f"{unit.name}: switch weapon", weapon_choices(battle, rules, unit), chosen)


def door(presenter: Presenter) -> None:
    """Opens or closes a door next to the cursor; where nothing is beside that, one next to the unit in focus."""
    battle, cursor = presenter.session.battle, presenter.focus.cursor
    unit = battle.units.get(presenter.focus.unit)
    is_open = not any(edge_of(cursor, side) in battle.field.barriers for side in ORTHOGONAL)
    choices = door_choices(battle, cursor)
    for square in unit.squares if unit and is_open else ():
        choices = {**choices, **door_choices(battle, square)}
    if not choices:
        presenter.say(no_door_words(battle, cursor))
        return
    presenter.choose_command("Doors", choices)


def mark(presenter: Presenter) -> None:
    """Marks the unit under the cursor, or no longer."""
    unit = presenter.session.battle.at(presenter.focus.cursor)
    if unit is None:
        presenter.say(f"No unit on {presenter.focus.cursor.name}.")
        return
    marked = presenter.marked
    others = tuple(one for one in marked if one != unit.id)
    presenter.marks = others if unit.id in marked else (*marked, unit.id)
    presenter.say(with_keys(f"{marked_words(presenter)}. {MARKED}" if presenter.marks else "No unit is marked."))


def marked_words(presenter: Presenter) -> str:
    """The marked units in words: "3 marked: Bandit, Cutter, Lookout"."""
    units, marked = presenter.session.battle.units, presenter.marked
    return f"{len(marked)} marked: {', '.join(units[one].name for one in marked)}"


def damage(presenter: Presenter) -> None:
    """Changes a number, posture or condition of the marked units, else of the unit under the cursor or the target."""
    battle, rules, marked = presenter.session.battle, presenter.session.rules, presenter.marked
    unit = battle.at(presenter.focus.cursor) or battle.units.get(presenter.focus.target)
    if unit is None and not marked:
        presenter.say("Move the cursor to a unit first.")
        return
    units = marked or (unit.id,) if unit else marked
    first, *_, last = (*rules.units.pools.values(),) * 2
    who = ", ".join(battle.units[one].name for one in units) if len(units) <= MOST_NAMED else f"{len(units)} units"
    means = f" ({first.help})" if first.help else ""
    short = f"{who}: “-5” {first.label}"
    pools, listed = f"{short}{means}", "a condition (Tab lists them; again ends it) or “out”:"
    texts = [
        f"{pools}, “{last.label} 12”, “prone”, {listed}",
        f"{pools}, “prone”, {listed}",
        f"{pools}, “prone”, a condition (Tab lists them) or “out”:",
        f"{pools}, “prone”, a condition (Tab) or “out”:",
        f"{short}, “prone”, a condition (Tab) or “out”:",
        f"{who}: “-5”, “prone”, a condition (Tab) or “out”:",
        f"{who}: “-5”, “prone”, “out”:",
    ]
    label = presenter.fitting(texts)

    def parse(text: str) -> Command:
        return parse_changes(text, units, Setting(presenter.session.battle, rules))

    names = known("UNITS", Setting(battle, rules)) or ()
    presenter.ask_command(label, parse, help=help_after(presenter, f"set {units[0]} ", names))


def smoke(presenter: Presenter) -> None:
    """Lays or clears smoke around the cursor, or sets the wind."""
    here = presenter.focus.cursor
    label = f"Smoke around {here.name}: radius [rounds] [thin], or clear, or wind E 2:"
    presenter.ask_command(label, lambda text: parse_smoke(text, here, presenter.session.battle))


def adjust(presenter: Presenter) -> None:
    """Adds, changes or switches off a modifier."""
    ledger = presenter.shot.ledger if isinstance(presenter.shot, AttackPreview) else None
    label = "Modifier (+10 reason, 3 off, 3 -5 reason, clear; ! keeps it):"
    presenter.ask_command(label, lambda text: parse_adjustment(text, ledger, presenter.session.battle))


def put(presenter: Presenter) -> None:
    """Puts the unit in focus on the cursor's square, without a move; marked units as they stand to the first."""
    battle, cursor = presenter.session.battle, presenter.focus.cursor
    unit = battle.units.get(presenter.focus.unit)
    marked = [battle.units[one] for one in presenter.marked]
    if marked:
        first = marked[0].at
        goals = [
            (one.id, cursor.column + one.at.column - first.column, cursor.row + one.at.row - first.row)
            for one in marked
        ]
        on_map = [(one, Square(*goal)) for one, *goal in goals if min(goal) >= 0 and Square(*goal) in battle.field]
        ahead = sorted(on_map, key=lambda put: -_along(put[1], cursor, first))  # who stands in the way goes first
        presenter.submit(EditUnits(tuple(Place(one, goal) for one, goal in ahead)))
    elif unit is None:
        presenter.say(with_keys(NO_UNIT))
    else:
        presenter.submit(Place(unit.id, cursor))


def _along(square: Square, to: Square, start: Square) -> int:
    """How far a square lies in the direction from `start` to `to`."""
    return square.column * (to.column - start.column) + square.row * (to.row - start.row)


def cover(presenter: Presenter) -> None:
    """Asks for the target's cover from the unit in focus."""
    units = presenter.session.battle.units
    unit, target = units.get(presenter.focus.unit), units.get(presenter.focus.target)
    if unit is None or target is None:
        presenter.say(with_keys(NO_TARGET))
        return
    label = f"Cover of {target.name} (none, half, 75 heavy, full, seen; ! keeps it):"
    presenter.ask_command(
        label, lambda text: parse_cover(text, unit.id, target.id, presenter.session.rules.space.full_cover)
    )
