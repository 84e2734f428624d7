"""A unit's sheet in the form, from the board: it changes this battle, the file, or both, as the user chooses.

What changes this battle alone is the GM's, as `stat` and `give` are: the unit keeps the sheet that its file has, and
`finish` lists what is other than there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from textual.screen import Screen

from engine.battle.carry_over import (
    ACCESSORY,
    ARMOUR,
    ATTACHMENT,
    CONDITION,
    KINDS,
    OF_THE_MOMENT,
    POOL,
    ROUNDS,
    STAT,
    WEAPON,
    Key,
    Values,
    battle_values,
    differences,
    sheet_values,
    with_values,
)
from engine.battle.commands.gear_commands import Give, SetAmmunition, SetCharacter, SetStat, TakeAway
from engine.battle.commands.several_edits import EditUnits, UnitEdit
from engine.battle.commands.unit_edits import SetCondition, SetPool
from engine.battle.gear import accessories_of, armour_of, listed_weapons, sheet_of
from engine.battle.magazines import magazine
from engine.battle.setup import check_character, pools_of
from engine.battle.state.characters import Character
from engine.battle.state.units import ROLES, Unit
from engine.bounds import StatValue
from engine.errors import BattleboardError, first_line
from engine.rules.model import Ruleset
from engine.values import replace
from rulesets.characters import fresh
from tui.application.library.character_files import read_character
from tui.application.presenter.presenter import Presenter
from tui.application.prompts.choice import Choice
from tui.view.library.character_forms import open_form_with, saving
from tui.view.modals.choosing import choose_one

BATTLE, FILE, BOTH = "battle", "file", "both"


def sheet_in_battle(unit: Unit, rules: Ruleset) -> Character:
    """A unit's sheet as the battle has it, with what the GM has changed; that of an archetype as a stat block."""
    sheet, changed = sheet_of(rules, unit), dict(unit.overrides.stats)
    role = unit.role if unit.role in ROLES else ""
    own = unit.character or Character(unit.name, size=unit.size, role=role, is_opponent=True)
    stated = dict(own.stats) if unit.character else {
        name: value for name, value in sheet.own.items() if isinstance(value, int | str)
    }  # fmt: skip
    stats = stated | changed
    return replace(
        own,
        stats=tuple((name, stats[name]) for name in rules.units.stats if name in stats),
        weapons=listed_weapons(rules, unit),
        armour=armour_of(rules, unit),
        accessories=accessories_of(rules, unit),
    )


def with_wounds(own: Character, unit: Unit, rules: Ruleset) -> Character:
    """A sheet of a unit with the wounds, conditions and rounds that the unit has now."""
    now, stated = battle_values(rules, unit), sheet_values(rules, unit, own)
    return with_values(own, {key: now.get(key) for key in (*now, *stated) if key[0] in OF_THE_MOMENT})


def battle_edits(unit: Unit, rules: Ruleset, before: Character, after: Character) -> tuple[UnitEdit, ...]:
    """The GM's edits that change a unit as its sheet was changed in the form."""
    was, now = (sheet_values(rules, fresh(own, rules), own) for own in (before, after))
    changed = {key: now.get(key) for key in (*now, *was) if now.get(key) != was.get(key)}
    return tuple(_edits(unit, rules, after, changed, was))


def edits_with_file(unit: Unit, rules: Ruleset, before: Character, after: Character) -> tuple[UnitEdit, ...]:
    """The edits that give a unit a sheet that was changed in the form: what else the battle has changed stays."""
    was, now = (sheet_values(rules, fresh(own, rules), own) for own in (before, after))
    changed = {key for key in (*now, *was) if now.get(key) != was.get(key)}
    wanted = {one.key: one.after for one in differences(rules, unit)
              if one.kind not in OF_THE_MOMENT and one.key not in changed}  # fmt: skip
    wanted |= {key: now.get(key) for key in changed if key[0] in OF_THE_MOMENT}
    return SetCharacter(unit.id, after), *_edits(unit, rules, after, wanted, was)


def _edits(
    unit: Unit, rules: Ruleset, own: Character, wanted: Mapping[Key, StatValue | None], was: Values
) -> Iterator[UnitEdit]:
    """Stats first, then gear, what is in it, and the pools that rest on them."""
    full = pools_of(rules, fresh(own, rules))
    for (kind, name), value in sorted(wanted.items(), key=lambda one: -KINDS.index(one[0][0])):
        if kind == STAT:
            default = rules.units.stats[name].default
            yield SetStat(
                unit.id,
                name,
                value if value is not None else int(default) if isinstance(default, Fraction) else default,
            )
        elif kind == POOL:
            yield SetPool(unit.id, name, full[name] if value is None else int(value))
        elif kind == ROUNDS and name in own.weapons:
            yield SetAmmunition(unit.id, magazine(rules, name, unit) if value is None else int(value), name)
        elif kind == ATTACHMENT:
            yield SetCondition(unit.id, name, value is not None, about=str(value or was[kind, name]))
        elif kind == CONDITION:
            yield SetCondition(unit.id, name, value is not None)
        elif kind == ARMOUR and value is None:
            yield TakeAway(unit.id, armour_of(rules, unit))
        elif kind == ARMOUR:
            yield Give(unit.id, str(value))
        elif kind in (WEAPON, ACCESSORY):
            yield (TakeAway if value is None else Give)(unit.id, name)


def edit_sheet(screen: Screen[None], presenter: Presenter, unit_id: str) -> None:
    """Asks what the form changes, then opens it."""
    session = presenter.session
    unit, rules = session.battle.unit(unit_id), session.rules
    file = unit.character.file if unit.character else ""
    named = f"the file {file.rpartition('/')[2].removesuffix('.toml')}.toml" if file else "a new file"

    def chosen(what: str | None) -> None:
        if not what:
            return
        try:
            own = read_character(file, rules).character if file and what != BATTLE else sheet_in_battle(unit, rules)
            own = with_wounds(own, unit, rules) if what == BATTLE else own
        except BattleboardError as error:
            presenter.say(first_line(error))
            return
        files: list[str] = []
        write = saving(rules, files)

        def save(sheet: Character) -> str:
            nonlocal own
            check_character(sheet, rules)
            said, now = write(sheet) if what != BATTLE else "", session.battle.unit(unit_id)
            if what != FILE:
                filed = replace(sheet, file=files[0]) if files else sheet
                edits = (battle_edits if what == BATTLE else edits_with_file)(now, rules, own, filed)
                if edits:
                    session.submit(EditUnits(edits))
                    said = f"{unit.name} has this sheet in the battle. {said}".rstrip()
                elif not said:
                    said = "Nothing changes in this battle: name, letter, size and notes are kept in the file alone."
            own = sheet
            return said

        where = {BATTLE: "this battle only", BOTH: "this battle and the file"}.get(what, "")
        open_form_with(screen.app, own, rules, save, lambda _: presenter.show_all(), where=where)

    choices = [
        Choice(BATTLE, "this battle", "the file stays as it is"),
        Choice(FILE, named, "this battle stays as it is"),
        Choice(BOTH, "both"),
    ]
    choose_one(screen.app, f"What does {unit.name}'s form change?", choices, chosen)
