"""A whole ruleset of few lines, for tests that change one thing and look at the message."""

from __future__ import annotations

from engine.battle.state.units import ROLES
from engine.rules.model import Ruleset
from rulesets import parse_ruleset

RULESET = """\
format = 1
id = "small"
name = "Small"
summary = "As little as a ruleset can say."
steps = ["base", "more"]
magazine_field = "magazine"
[distance]
unit = "feet"
metric = "chebyshev"
rounding = "down"
source = "ours"
[stat.skill]
label = "Skill"
default = 50
kind = "number"
min = -100
max = 100
group = "Skills"
help = "Rolled to hit."
[pool.hp]
label = "hit points"
start = "unit.skill / 5"
source = "ours"
[budget.main]
label = "main action"
start = 1
source = "ours"
[condition.stunned]
label = "stunned"
mark = "s"
until = "round end"
source = "ours"
[initiative]
kind = "each"
dice = "1d10"
source = "ours"
[defeat]
when = "unit.hp <= 0"
source = "ours"
[weapon_fields]
reach = 0
damage = ""
magazine = 0
loud = true
[test]
kind = "roll-under"
dice = "1d100"
equal = "hit"
source = "ours"
[[grade]]
id = "good"
label = "Good"
when = "success"
hit = true
source = "ours"
[[grade]]
id = "bad"
label = "Bad"
hit = false
source = "ours"
[[bands]]
id = "range"
label = "Range"
step = "base"
when = "ranged"
beyond = "{distance} ft is too far"
[[bands.band]]
id = "near"
label = "near"
to = "floor(weapon.reach / 2)"
value = 10
source = "ours"
[[bands.band]]
id = "far"
label = "far"
from = "floor(weapon.reach / 2) + 1"
to = "weapon.reach"
value = 0
source = "ours"
[[modifier]]
id = "skill"
step = "more"
label = "Skill"
value = "attacker.skill"
because = "skill {attacker.skill}"
source = "ours"
[[restriction]]
id = "apart"
step = "base"
label = "Too far apart"
when = "melee and not adjacent"
because = "not next to it"
source = "ours"
[[effect]]
id = "damage"
label = "Damage"
on = ["hit"]
roll = "weapon.damage"
as = "damage"
source = "ours"
[[effect]]
id = "loss"
label = "hurt"
on = ["good"]
lose = "damage"
pool = "hp"
source = "ours"
[action.attack]
label = "Attack"
kind = "attack"
weapons = ["ranged", "melee"]
ammo = 1
cost = { main = 1 }
flags = { wild = true }
source = "ours"
[[action.attack.require]]
holds = "not attacker.stunned"
reason = "stunned"
[action.walk]
label = "Walk"
kind = "move"
distance = 30
source = "ours"
[[action.walk.effect]]
id = "down"
label = "down"
posture = "standing"
source = "ours"
"""

WEAPONS = """\
[[weapon]]
id = "gun"
label = "Gun"
kind = "ranged"
reach = 33
damage = "2d6"
magazine = 6
source = "ours"
[[weapon]]
id = "fist"
label = "Fist"
kind = "melee"
damage = "1d3"
source = "ours"
[[armour]]
id = "coat"
label = "Coat"
stats = { skill = 45 }
source = "ours"
"""

SHEETS = "".join(
    f'[[sheet]]\nrole = "{role}"\nlabel = "{role}"\nweapons = ["gun", "fist"]\narmour = "coat"\nsource = "ours"\n'
    for role in ROLES
)


def small(more: str = "", old: str = "", new: str = "") -> Ruleset:
    """The ruleset with more TOML at its end, and the one place that reads `old` changed to `new`."""
    whole = texts(old, new)
    return parse_ruleset(whole | {"ruleset.toml": whole["ruleset.toml"] + more}, "small")


def texts(old: str = "", new: str = "") -> dict[str, str]:
    """The three texts, with the one place that reads `old` changed to `new`."""
    whole = {"ruleset.toml": RULESET, "weapons.toml": WEAPONS, "sheets.toml": SHEETS}
    if not old:
        return whole
    changed = {name: text.replace(old, new, 1) for name, text in whole.items() if old in text}
    assert changed, old
    name = next(iter(changed))
    return whole | {name: changed[name]}
