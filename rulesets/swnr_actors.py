"""Actors of Foundry's system `swnr` as JSON: the characters of Cities Without Number and their opponents.

The fields are those of version 2 of that system (Foundry 12 and 13). What it works out itself, such as modifiers and
saves, is worked out here by its own formulas; files do not hold it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from engine.battle.state.characters import Character
from engine.bounds import MOST_AMOUNT
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from engine.text import clean
from engine.values import replace
from rulesets.character_imports import ImportedCharacters, checked, named, not_carried
from rulesets.characters import MOST_NAME
from rulesets.value_readers import labels

RULESET = "cwn"
"""Id of the ruleset that these actors are for, where the Game Master names no other."""
SYSTEM = "swnr"
MOST_VALUES = 200_000
"""Values in JSON, counted roughly by brackets and commas before any of it is read."""
MOST_DIGITS = 9
MOST_ITEMS = 1000
TYPES = ("character", "npc")
SKILLS = {"shoot": "shoot", "stab": "stab", "punch": "punch"}
SCORES = ("str", "dex", "con", "int", "wis", "cha")
TRAUMA = 6
"""Trauma Target without armour."""
STATS = (
    "npc", "skill", "attack_bonus", "strength_mod", "dexterity_mod", "shoot", "stab", "punch", "melee_ac", "ranged_ac",
    "hit_points", "damage_soak", "trauma_target", "evasion_save", "physical_save", "move_rate",
)  # fmt: skip
BOOKKEEPING = {
    "_id", "_key", "_stats", "flags", "folder", "img", "items", "name", "ownership", "permission", "prototypeToken",
    "sort", "system", "token", "type",
}  # fmt: skip
"""What an actor has besides what is read and listed: Foundry's own."""
MOST_LISTED = 40


def is_json(text: str) -> bool:
    """Whether a text is JSON rather than a table."""
    return text.lstrip("\ufeff \t\r\n").startswith(("{", "["))


def read_actor(text: str, file: str, rules: Ruleset) -> ImportedCharacters:
    """The character in an actor's JSON.

    Args:
        text: the whole file.
        file: its name, for messages.
        rules: a ruleset with the stats of Cities Without Number.

    Raises:
        BattleboardError: it is no actor of that system, or a number of it is none or out of its bounds.
    """
    if missing := [stat for stat in STATS if stat not in rules.units.stats]:
        raise BattleboardError(f"{file} is an actor of {SYSTEM}; {rules.name} has no stat called {missing[0]!r}.")
    actor = _Actor(_parsed(text, file), file, rules)
    found = actor.character()
    for wrong in checked(found, rules):
        raise BattleboardError(f"{file}: {found.name}: {wrong}.")
    return ImportedCharacters((found,), tuple(actor.notes))


def _parsed(text: str, file: str) -> Mapping[str, Any]:
    expected = f"expected an actor of the Foundry system {SYSTEM}, exported as JSON"
    if sum(map(text.count, "[{,")) > MOST_VALUES:
        raise BattleboardError(f"{file} holds too many values for an actor; at most {MOST_VALUES:,} are read.")
    try:
        value = json.loads(text, parse_int=_whole, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise BattleboardError(f"{file}:{error.lineno}:{error.colno}: this is not JSON: {error.msg}.") from None
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:120]
        raise BattleboardError(f"{file} cannot be read as an actor: {why}.") from None
    if not isinstance(value, dict) or not isinstance(value.get("system"), dict) or "type" not in value:
        raise BattleboardError(f"{file} is not an actor; {expected}.")
    made = value["_stats"] if isinstance(value.get("_stats"), dict) else {}
    system = made.get("systemId", SYSTEM)
    if system != SYSTEM:
        raise BattleboardError(f"{file} is an actor of the system {clean(str(system), MOST_NAME)!r}; {expected}.")
    if value["type"] not in TYPES:
        kind = clean(str(value["type"]), MOST_NAME)
        raise BattleboardError(f"{file} is an actor of the type {kind!r}; expected {' or '.join(TYPES)}.")
    if not isinstance(value["system"].get("health"), dict):
        raise BattleboardError(f"{file} has no system.health; {expected}.")
    return value


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > MOST_DIGITS:
        return MOST_AMOUNT * 10  # a time stamp, or out of every bound
    return int(digits)


def _holds_anything(value: object) -> bool:
    """Whether a value of JSON is more than nothing, 0, no and empty text."""
    values = [value]
    while values:
        one = values.pop()
        if isinstance(one, Mapping):
            values += one.values()
        elif isinstance(one, list):
            values += one
        elif one:
            return True
    return False


class _Actor:
    """An actor being read; `notes` is what is not carried over."""

    def __init__(self, value: Mapping[str, Any], file: str, rules: Ruleset) -> None:
        self.file, self.rules = file, rules
        self.system: Mapping[str, Any] = value["system"]
        self.is_npc = value["type"] == "npc"
        name = value.get("name")
        self.name = clean(name, MOST_NAME) if isinstance(name, str) else ""
        if not self.name:
            raise BattleboardError(f"{file} is an actor without a name.")
        items = value.get("items", [])
        if not isinstance(items, list) or len(items) > MOST_ITEMS:
            raise BattleboardError(f"{file}: items is not a list of at most {MOST_ITEMS} things.")
        self.items = [item for item in items if isinstance(item, dict) and isinstance(item.get("name"), str)]
        self.notes: list[str] = []
        self._value = value
        self._read = {"meleeAb"}
        """Paths in `system` that were read."""

    def character(self) -> Character:
        """The character; notes what is not carried over."""
        stats = self._npc_stats() if self.is_npc else self._own_stats()
        stats |= {"attack_bonus": self._number("ab", 1), "move_rate": self._number("speed", 10)}
        stats["hit_points"] = self._number("health.max", 10)
        worn, accessories = self._worn()
        suit = self._known(worn, labels(self.rules.gear.armour))
        bare = Character(self.name, armour=suit)
        stats |= self._protection(worn)
        weapons, rounds = self._weapons()
        accessories += self._skills_and_others(stats)
        pools = {"hp": self._number("health.value", stats["hit_points"])}
        if stats["damage_soak"]:
            pools["soak"] = stats.pop("soak_now")
        stats.pop("soak_now", None)
        if pools["hp"] >= stats["hit_points"]:
            del pools["hp"]
        if pools.get("soak", 0) >= stats["damage_soak"]:
            pools.pop("soak", None)
        if self.system.get("meleeAb", stats["attack_bonus"]) != stats["attack_bonus"]:
            self.notes.append(f"{self.name}: its own melee attack bonus is not carried over; one bonus is for all.")
        unread = list(self._unread())
        self.notes += [f"{self.name}: {field} is not carried over." for field in unread[:MOST_LISTED]]
        if len(unread) > MOST_LISTED:
            self.notes.append(f"{self.name}: {len(unread) - MOST_LISTED} more fields are not carried over.")
        given = self._implied_stats(suit)
        return replace(
            bare,
            stats=tuple((one, stats[one]) for one in STATS if one in stats and stats[one] != given[one]),
            weapons=weapons,
            accessories=tuple(dict.fromkeys(accessories)),
            rounds=rounds,
            pools=tuple((pool, left) for pool, left in pools.items() if pool in self.rules.units.pools),
            is_opponent=self.is_npc,
        )

    def _unread(self) -> Iterator[str]:
        """Fields of the actor that hold something and were not read: "system.systemStrain", "effects"."""
        for key, value in self.system.items():
            inside = {path.partition(".")[2].partition(".")[0] for path in self._read if path.partition(".")[0] == key}
            if not inside:
                if _holds_anything(value):
                    yield clean(f"system.{key}", MOST_NAME)
            elif isinstance(value, Mapping):
                for part, held in value.items():
                    if part not in inside and _holds_anything(held):
                        yield clean(f"system.{key}.{part}", MOST_NAME)
        for key, value in self._value.items():
            if key not in BOOKKEEPING and _holds_anything(value):
                yield clean(key, MOST_NAME)

    def _implied_stats(self, suit: str) -> Mapping[str, Any]:
        """Stats that need not be said: defaults, and those of its armour."""
        default = {stat.id: stat.default for stat in self.rules.units.stats.values()}
        return default | dict(self.rules.gear.armour[suit].stats if suit else {})

    def _own_stats(self) -> dict[str, Any]:
        modifiers = {score: self._modifier(score) for score in SCORES}
        save = 16 - self._number("level.value", 1)
        return {
            "strength_mod": modifiers["str"],
            "dexterity_mod": modifiers["dex"],
            "physical_save": max(1, save - max(modifiers["str"], modifiers["con"])),
            "evasion_save": max(1, save - max(modifiers["dex"], modifiers["int"])),
        }

    def _npc_stats(self) -> dict[str, Any]:
        saves = self._number("saves", 15)
        return {"npc": True, "skill": self._number("skillBonus", 0), "physical_save": saves, "evasion_save": saves}

    def _modifier(self, score: str) -> int:
        """Of 3 −2, from 4 −1, from 8 0, from 14 +1, of 18 +2; and what the sheet adds."""
        total = self._number(f"stats.{score}.base", 9) + sum(
            self._number(f"stats.{score}.{part}", 0) for part in ("boost", "temp")
        )
        plain = -2 if total <= 3 else -1 if total <= 7 else 0 if total <= 13 else 1 if total <= 17 else 2
        return plain + self._number(f"stats.{score}.bonus", 0) + self._number(f"stats.{score}.modModifier", 0)

    def _worn(self) -> tuple[list[Mapping[str, Any]], list[str]]:
        """Armour that is in use and readied, and ids of what is an accessory here, such as a shield."""
        known, accessories, worn = labels(self.rules.gear.accessories), [], []
        for item in self._of("armor"):
            kept = item["system"]
            if not self.is_npc and not (kept.get("use") and kept.get("location", "readied") == "readied"):
                self.notes.append(f"{self.name}: the armour {self._called(item)} is not worn; not carried over.")
            elif accessory := named(item["name"], known):
                accessories.append(accessory)
            else:
                worn.append(item)
                if named(item["name"], labels(self.rules.gear.armour)) is None:
                    what = f"no armour is called {self._called(item)!r}"
                    self.notes.append(f"{self.name}: {what}; only its numbers are carried over.")
        return worn, accessories

    def _known(self, worn: list[Mapping[str, Any]], known: dict[str, str]) -> str:
        """Id of the armour that protects best among those that the armoury has; "" for none."""
        suits = [(self._number_in(item, "ac", 10), named(item["name"], known)) for item in worn]
        return max(((ac, suit) for ac, suit in suits if suit), default=(0, ""))[1] or ""

    def _protection(self, worn: list[Mapping[str, Any]]) -> dict[str, Any]:
        """Armour Classes, soak and Trauma Target, as the system adds them up; without Dexterity, which rules add."""
        ranged = melee = self._number("baseAc", 10)
        trauma = self._number("traumaTarget", TRAUMA)
        full, now = (self._number("baseSoakTotal.max", 0), self._number("baseSoakTotal.value", 0))
        if self.is_npc:
            melee = self._number("meleeAc", ranged)
        for item in worn:
            ac, own = self._number_in(item, "ac", 10), self._number_in(item, "meleeAc", 0)
            penalty = self._number_in(item, "traumaDiePenalty", 0)
            if self.is_npc:
                trauma += penalty
            elif ac > ranged:
                ranged = ac
                if own:
                    melee, trauma = own, trauma + penalty
            if (most := self._number_in(item, "soak.max", 0)) > 0:
                full, now = full + most, now + self._number_in(item, "soak.value", most)
            if item["system"].get("shield") and ac < ranged:
                ranged += self._number_in(item, "shieldACBonus", 0)
                melee += self._number_in(item, "shieldMeleeACBonus", 0)
        return {
            "ranged_ac": ranged, "melee_ac": melee, "trauma_target": trauma, "damage_soak": full, "soak_now": now
        }  # fmt: skip

    def _weapons(self) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
        """Ids of weapons, those that are readied first, and the rounds of those that are not full."""
        known, rounds = labels(self.rules.gear.weapons), {}
        items = sorted(self._of("weapon"), key=lambda item: item["system"].get("location", "readied") != "readied")
        weapons: list[str] = []
        for item in items:
            weapon = named(item["name"], known)
            if weapon is None:
                self.notes.append(not_carried(self.name, "weapon", item["name"], known))
            elif weapon not in weapons:
                weapons.append(weapon)
                most, left = self._number_in(item, "ammo.max", 0), self._number_in(item, "ammo.value", 0)
                magazine = self.rules.gear.weapons[weapon].fields.get(self.rules.gear.magazine_field, 0)
                if magazine and 0 <= left < most:
                    rounds[weapon] = left
        return tuple(weapons), tuple(rounds.items())

    def _skills_and_others(self, stats: dict[str, Any]) -> list[str]:
        """Sets the combat skills, gives the accessories among the other items, and notes the rest by kind."""
        known, accessories = labels(self.rules.gear.accessories), []
        rest: dict[str, list[str]] = {}
        for item in self.items:
            kind, name = str(item.get("type")), item["name"].strip()
            if kind == "skill" and name.casefold() in SKILLS and not self.is_npc:
                stats[SKILLS[name.casefold()]] = self._number_in(item, "rank", -1)
            elif kind not in ("weapon", "armor", "skill") and (found := named(name, known)):
                accessories.append(found)
            elif kind not in ("weapon", "armor"):
                rest.setdefault(clean(kind, 20), []).append(self._called(item))
        for kind, names in rest.items():
            shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
            self.notes.append(f"{self.name}: {kind} not carried over: {shown}.")
        return accessories

    def _of(self, kind: str) -> Iterator[Mapping[str, Any]]:
        for item in self.items:
            if item.get("type") == kind:
                yield item if isinstance(item.get("system"), dict) else {**item, "system": {}}

    def _called(self, item: Mapping[str, Any]) -> str:
        return clean(item["name"], MOST_NAME)

    def _number(self, path: str, default: int) -> int:
        self._read.add(path)
        return self._at(self.system, f"system.{path}", path, default)

    def _number_in(self, item: Mapping[str, Any], path: str, default: int) -> int:
        values = item["system"] if isinstance(item.get("system"), dict) else {}
        return self._at(values, f"{self._called(item)}: system.{path}", path, default)

    def _at(self, values: Mapping[str, Any], shown: str, path: str, default: int) -> int:
        """A number at a path; the default where there is none.

        Raises:
            BattleboardError: something else is there.
        """
        value: Any = values
        for key in path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is None:
            return default
        if isinstance(value, float) and value == value // 1:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise BattleboardError(f"{self.file}: {shown} is {clean(repr(value), 40)}; expected a whole number.")
        if not -MOST_AMOUNT <= value <= MOST_AMOUNT:
            raise BattleboardError(f"{self.file}: {shown} is larger than {MOST_AMOUNT:,} allows.")
        return value
