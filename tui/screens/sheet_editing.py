"""A unit's sheet in the form, from the board: it changes this battle, the file, or both, as the user chooses."""

from __future__ import annotations

from textual.screen import Screen

from engine.battle.commands.gear_commands import SetCharacter
from engine.battle.gear import accessories_of, armour_of, sheet_of
from engine.battle.state.characters import Character
from engine.battle.state.units import ROLES, Unit
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from engine.values import replace
from tui.library.character_files import read_character
from tui.library.character_forms import open_form_with, saving
from tui.modals.choice import Choice
from tui.modals.menu import Menu
from tui.presenter.presenter import Presenter

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
        weapons=unit.gear.weapons,
        armour=armour_of(rules, unit),
        accessories=accessories_of(rules, unit),
    )


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
        except BattleboardError as error:
            presenter.say(str(error).partition("\n")[0])
            return
        files: list[str] = []
        write = saving(rules, files)

        def save(sheet: Character) -> str:
            said = write(sheet) if what != BATTLE else ""
            if what != FILE:
                session.submit(SetCharacter(unit_id, replace(sheet, file=files[0]) if files else sheet))
                said = f"{unit.name} has this sheet in the battle. {said}".rstrip()
            return said

        open_form_with(screen.app, own, rules, save, lambda _: presenter.show_all())

    choices = [
        Choice(BATTLE, "this battle", "the file stays as it is"),
        Choice(FILE, named, "this battle stays as it is"),
        Choice(BOTH, "both"),
    ]
    screen.app.push_screen(Menu(f"What does {unit.name}'s form change?", choices), chosen)
