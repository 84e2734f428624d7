"""Commands for gear, rounds and stats of units."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle.command import Command
from engine.battle.commands.gear_commands import Give, SetAmmunition, SetCharacter, SetStat, TakeAway
from engine.battle.gear import givable, stats_of, weapon_label
from engine.battle.state.units import Unit
from engine.errors import Illegal, Unknown
from engine.journal.session import Session
from engine.rules.expressions import shown
from engine.rules.model import Ruleset, Value
from tui.application.commands.amounts import changed, is_amount
from tui.application.commands.forms import Form, MenuLine, MenuState
from tui.application.commands.naming import Missing, Words, expect, names_of, no_more, take, unit_names
from tui.application.commands.own_characters import check_ruleset, take_path
from tui.application.commands.results import Setting, TextResult
from tui.application.commands.vocabulary import stat_names, take_actor
from tui.application.library.character_files import characters_for, read_character
from tui.application.settings.folders import characters_folder

YES_OR_NO = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


def parse_stat(name: str, text: str, unit: Unit, rules: Ruleset) -> SetStat:
    """Parses a stat: a number (9, =-1) or a change (+2, -1, -=1), yes or no, or one of its choices.

    Raises:
        Illegal: the value is of another kind, or a minus that may be a value below 0 as well as a change.
    """
    stat, before = rules.units.stats[name], stats_of(rules, unit)[name]
    match stat.kind:
        case "flag" if text.lower() in YES_OR_NO:
            return SetStat(unit.id, name, YES_OR_NO[text.lower()])
        case "flag":
            raise Illegal("stat", f"{stat.refusal(text)} Type “stat {unit.id} {name} yes”.")
        case "choice":
            found = take(text.split(), names_of(stat.choices.items()))
            return SetStat(unit.id, name, found[0] if found and not found[1] else text)
    is_change = text[:2] in ("-=", "+=", "−=")
    amount = text[0] + text[2:].strip() if is_change else text.removeprefix("=").strip()
    if not is_amount(amount) or isinstance(before, str) or before != int(before):
        raise Illegal("stat", f"{stat.refusal(text)} Type “stat {unit.id} {name} {_typed(before)}”.")
    if stat.low < 0 and text[0] in "-−" and not is_change:
        here, value = f"stat {unit.id} {name}", int(amount[1:])
        lower = f"“{here} -={value}” lowers it by {value}, from {shown(before)} to {shown(int(before) - value)}"
        raise Illegal("stat", f"{stat.title} may be below 0: “{here} =-{value}” sets it to −{value}; {lower}.")
    now = 0 if text.startswith("=") else int(before)
    return SetStat(unit.id, name, changed(now, amount))


def read_give(words: Words, setting: Setting) -> Command | TextResult:
    """ "give bandit rifle", "give bandit plates": a weapon, armour in place of its own, an accessory, or a talent.

    "give" alone lists all of them.
    """
    said = words
    unit, words = take_actor(words, setting)
    if not words:
        return _givable(setting)
    rules = setting.rules
    things, talents = givable(rules), talents_of(rules)
    try:
        item, words = expect(f"weapon or armour of {rules.name}", words, names_of([*things.items(), *talents.items()]))
    except Unknown as reason:
        if other := _no_gear(" ".join(words), unit.id, rules):
            raise Illegal("gear", other) from None
        nobody = f"No unit is called “{said[0]}”. " if len(words) > 1 and words is said else ""
        raise Illegal("gear", f"{nobody}{reason} “give” alone lists all gear.") from None
    no_more(words)
    return Give(unit.id, item) if item in things else SetStat(unit.id, item, value=True)


def _no_gear(said: str, unit_id: str, rules: Ruleset) -> str:
    """How a condition or a stat that is called so is set, where no gear is; "" where nothing is."""
    meant = said.casefold().replace("_", " ").replace("-", " ")
    units = rules.units
    kinds = (("a condition", units.conditions, "set {} {}"), ("a stat", units.stats, "stat {} {} …"))
    for kind, known, way in kinds:
        for name, one in known.items():
            words = name.replace("_", " ")
            if meant in (words, one.label.casefold()) or meant in words.split():
                return f"“{said}” is {kind} of a unit in {rules.name}, not gear: “{way.format(unit_id, name)}”."
    return ""


def talents_of(rules: Ruleset) -> dict[str, str]:
    """Labels of stats that a unit has or has not, by id; without those that come with an accessory."""
    worn = {stat for accessory in rules.gear.accessories.values() for stat in accessory.stats}
    stats = rules.units.stats.values()
    return {stat.id: stat.label for stat in stats if isinstance(stat.default, bool) and stat.id not in worn}


def _givable(setting: Setting) -> TextResult:
    """Lists all gear by kind."""
    rules = setting.rules
    kinds: tuple[tuple[str, Iterable[str]], ...] = (
        ("Weapons", rules.gear.weapons),
        ("Armour", rules.gear.armour),
        ("Accessories", rules.gear.accessories),
        ("Talents", talents_of(rules)),
    )
    listed = tuple(f"{label}: {', '.join(sorted(things))}." for label, things in kinds if things)
    return TextResult("Gear", listed, is_list=True)


def read_stat(words: Words, setting: Setting) -> Command:
    """ "stat todd dexterity 9", "stat todd dexterity +2", "stat todd npc yes": any stat that the ruleset declares."""
    name, words = expect("unit", words, unit_names(setting.battle))
    stat, words = expect("stat", words, stat_names(setting.rules))
    if not words:
        raise Missing("words", f"Type a value after the stat: stat {name} {stat} 9.")
    return parse_stat(stat, " ".join(words), setting.battle.unit(name), setting.rules)


def read_sheet(words: Words, setting: Setting) -> Command:
    """ "sheet todd anna": the sheet of a character; "sheet anna": its own, read from its file again."""
    name, words = expect("unit", words, unit_names(setting.battle))
    unit = setting.battle.unit(name)
    if not words and unit.character and unit.character.file:
        return SetCharacter(name, read_character(unit.character.file, setting.rules).character)
    if by_path := take_path(words, setting.rules):
        own_sheet, words = by_path
        no_more(words)
        return SetCharacter(name, own_sheet)
    check_ruleset(words, setting.rules)
    own = characters_for(setting.rules)
    if not own:
        raise Illegal("character", f"There are no characters of {setting.rules.name} in {characters_folder()}.")
    found, words = expect("character", words, names_of(own.items()))
    no_more(words)
    return SetCharacter(name, read_character(found, setting.rules).character)


def write_sheet(command: SetCharacter, setting: Setting) -> str:
    file = command.character.file
    return f"sheet {command.unit} {file}" if file in characters_for(setting.rules) else ""


def write_stat(command: SetStat, setting: Setting) -> str:
    return f"stat {command.unit} {command.stat} {_typed(command.value)}"


def _typed(value: Value) -> str:
    """A value as it is typed: a number below 0 with =, since its sign alone would be a change."""
    is_below = not isinstance(value, bool | str) and value < 0
    return f"={shown(value)}".replace("−", "-") if is_below else shown(value)


def rounds_state(session: Session, unit: str) -> MenuState:
    """The rounds in the weapon in hand, or why there are none."""
    gear = session.battle.unit(unit).gear
    held = gear.rounds.get(gear.weapon)
    if held is not None:
        return MenuState(note=f"{held} now")
    has_weapon = weapon_label(session.rules, session.battle.unit(unit))
    return MenuState(reason="it uses no ammunition" if has_weapon else "no weapon in hand")


FORMS = (
    Form("rounds [UNIT] NUMBER [WEAPON]", "set the rounds in a weapon", (SetAmmunition,),
         asks={"rounds": "Type a number such as 6."},
         menu=MenuLine("u", "{unit}: rounds in {weapon}", "up to a full magazine", "Rounds in {unit}'s {weapon}:",
                       state=rounds_state),
         like=("round", "bullets")),
    Form("give [UNIT] [ITEM]",
         "give a loaded weapon, an accessory, armour that replaces what is worn, or a talent; alone: list all of them",
         (Give,), read_give, lambda give, setting: f"give {give.unit} {give.item}",
         menu=MenuLine("v", "{unit}: give a weapon or armour",
                       "a loaded weapon; undamaged armour that replaces what is worn; an accessory")),
    Form("lose [UNIT] GEAR", "remove a weapon or the armour", (TakeAway,),
         menu=MenuLine("l", "{unit}: remove gear")),
    Form("sheet UNIT [CHARACTER]", "give a unit a character's sheet, or read its own from the file again",
         (SetCharacter,), read_sheet, write_sheet),
    Form("stat UNIT STAT NUMBER|yes|no",
         "set any stat of a unit: stat {unit} {stat} 9, stat {unit} {stat} +2; =-1 sets −1, -=1 takes 1 off",
         (SetStat,), read_stat, write_stat,
         menu=MenuLine("b", "{unit}: set a stat", "any stat of the ruleset; modifiers and log mark it as yours")),
)  # fmt: skip
