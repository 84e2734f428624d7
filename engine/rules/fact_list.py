"""The facts that rules may ask for: name, kind and meaning. The list is checked at load and printed by the program.

Geometry and state supply every fact; a ruleset only interprets them. Besides these, a ruleset's own stats, pools,
budgets and conditions are facts of every unit, its weapon fields facts of the weapon, its action flags facts of the
action.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Fact(Struct, frozen=True):
    """One fact: what kind of value it has ("number", "whole", "yes/no", "word") and what it means."""

    name: str
    kind: str
    meaning: str


ATTACK_FACTS = (
    Fact("round", "whole", "the round of the battle, from 1"),
    Fact("square", "number", "side of a square of the map, in the ruleset's unit"),
    Fact("ranged", "yes/no", "a shot or a throw, not a blow"),
    Fact("melee", "yes/no", "a blow in close combat"),
    Fact("thrown", "yes/no", "the weapon is thrown"),
    Fact("distance", "number", "from attacker to target in the ruleset's unit, by its metric and rounding"),
    Fact("distance_squares", "number", "the same in squares"),
    Fact("adjacent", "yes/no", "the two stand on neighbouring squares and within a body's height of each other"),
    Fact("in_leap", "yes/no", "adjacent, or one square lies between and no wall, door or solid thing bars the way"),
    Fact("visible", "number", "share of the target's body that the attacker sees, 0 to 1"),
    Fact("covered", "number", "share of the target's body that a shot cannot reach, 0 to 1"),
    Fact("clear", "yes/no", "the line from eye to eye is free"),
    Fact("sight", "word", "the line of sight in one sentence"),
    Fact("cover", "word", "what covers most of the target, as 'the cart at D5'; empty for nothing"),
    Fact("cover_material", "word", "protection of that thing: '', 'light', 'medium' or 'heavy'"),
    Fact("cover_window", "yes/no", "that thing is a window: an opening in a wall, with a sill or a lintel"),
    Fact("cover_wear", "whole", "what `wear` effects have taken from that thing so far"),
    Fact("smoke", "number", "squares of smoke on the line, times density"),
    Fact("smoke_squares", "whole", "squares with smoke on the line, both ends included"),
    Fact("light", "word", "light where the target stands: 'dark', 'dim' or 'bright'"),
    Fact("rise", "number", "target's feet above the attacker's, in the ruleset's unit; negative when below"),
    Fact("burst_share", "number", "share of its effect that a burst has where the target is; 1 for any other attack"),
    Fact("burst_zone", "word", "id of the ring of a burst that the target is in; empty for any other attack"),
    Fact("caught", "whole", "how many an attack on an area strikes: in its cone, in a burst; 1 for any other attack"),
    Fact("caught_number", "whole", "which of them this one is, from 1; 0 when nobody is caught"),
    Fact("turned", "yes/no", "the attack was turned: it counts as another grade, or against somebody else"),
    Fact("attack_number", "whole", "which attack of the attacker's turn this is, from 1"),
    Fact("empty_target", "yes/no", "the target is a bare square"),
    Fact("indoors", "yes/no", "the map says that it lies under a roof"),
    Fact("defence", "word", "id of the defence that was taken against the attack; empty before, and for none"),
    Fact("hostile", "yes/no", "the target is an enemy of the attacker: on another side, and neither is neutral"),
    Fact("bystanders", "whole", "how many of the attacker's side, itself left out, are next to the target"),
)

PAIR_FACTS = (Fact("aside", "whole", "degrees between its facing and the line to the other one: 0 ahead, 180 behind"),)
"""Of one of two who have to do with each other."""

PAIRED = ("attacker", "target", "reactor")
"""Who has them: the two of an attack, and whoever reacts to another."""

ACTION_FACTS = (
    Fact("action.id", "word", "the action chosen"),
    Fact("action.kind", "word", "'attack', 'move' or 'other'"),
    Fact("action.taken", "whole", "times it was taken already since the latest turn of its unit began"),
)

UNIT_FACTS = (
    Fact("id", "word", "the unit's id"),
    Fact("name", "word", "its name"),
    Fact("role", "word", "its role, as 'gunman'"),
    Fact("side", "word", "its side"),
    Fact("posture", "word", "'standing', 'kneeling' or 'prone'"),
    Fact("size", "whole", "side of its footprint in squares"),
    Fact("altitude", "number", "feet above the ground, in the ruleset's unit; 0 on the ground"),
    Fact("altitude_band", "word", "id of the ruleset's altitude band it is in; empty where there is none"),
    Fact("moved", "number", "squares of movement spent since its latest turn began"),
    Fact("moved_straight", "yes/no", "it moved since its latest turn began, all in one straight line"),
    Fact("displaced", "number", "squares between where its latest turn began and where it stands"),
    Fact("attacks", "whole", "attacks made since its latest turn began"),
    Fact("in_melee", "yes/no", "an enemy that is in the fight is next to it"),
    Fact("enemies_adjacent", "whole", "how many such enemies"),
    Fact("standing_enemies_adjacent", "whole", "how many of them are not prone"),
    Fact("melee_enemies", "whole", "how many of them keep it in melee, by `[melee]`; without that, all"),
    Fact("friends_adjacent", "whole", "how many of its own side that are in the fight are next to it"),
    Fact("light", "word", "light where it stands"),
    Fact("defeated", "yes/no", "it is out of the fight"),
    Fact("has_acted", "yes/no", "it took an action since its latest turn began, a free one or not"),
    Fact("turn_come", "yes/no", "its turn in this round has come: it is its turn, or that was earlier in the round"),
    Fact("passed_over", "yes/no", "it was surprised, and has no turn in this round"),
    Fact("on_its_way", "yes/no", "it has declared a move that is walked when the round ends, and has not walked it"),
    Fact("laid", "whole", "charges it has laid that have not gone off"),
    Fact("weapon_at_feet", "yes/no", "a weapon lies on its square that it does not carry"),
)

WEAPON_FACTS = (
    Fact("id", "word", "the weapon's id"),
    Fact("kind", "word", "'ranged', 'melee' or 'thrown'"),
    Fact("rounds", "whole", "rounds left in its magazine"),
    Fact("full", "whole", "rounds that its magazine holds, with a larger one where it is fitted"),
)

REACTION_FACTS = ("ranged", "melee", "thrown", "adjacent", "distance")
"""Those of ATTACK_FACTS that reactions may ask for: what the attack is made with, none for a move; and whether the one
who acts is next to the one who reacts, and how far off."""

BAND_FACTS = (
    Fact("band", "word", "id of the range band that applies; empty when none does"),
    Fact("band_number", "whole", "how many bands of its table are nearer; 0 in the first, and when none applies"),
)

ROLL_FACTS = (
    Fact("roll", "whole", "sum of the dice of the attack roll"),
    Fact("total", "number", "total of the ledger"),
    Fact("target_number", "number", "what the roll is compared with"),
    Fact("margin", "number", "how far inside success the roll is; negative when it failed"),
    Fact("success", "yes/no", "the roll is inside the target number, before grades"),
)

MOST_DICE = 4
DICE_FACTS = tuple(f"die_{place}" for place in range(1, MOST_DICE + 1))

SINGLE_DICE = tuple(
    Fact(name, "whole", f"what die {place} of the attack roll shows; 0 where there is none")
    for place, name in enumerate(DICE_FACTS, start=1)
)

GRADE_FACTS = (
    Fact("grade", "word", "id of the grade the roll came to"),
    Fact("hit", "yes/no", "that grade is a hit"),
)

STRIKE_FACTS = (
    Fact("strikes", "whole", "how often what follows from this hit happens; 1 where the ruleset does not say"),
    Fact("strike_number", "whole", "which of these times this is, from 1"),
)


INITIATIVE_FACTS = (
    Fact("rolled", "whole", "sum of the dice for initiative"),
    Fact("bonus", "whole", "what is added to them"),
)

MOMENT_FACTS = (Fact("fallen", "number", "how far the unit fell, in the ruleset's unit; 0 when it did not"),)


def facts_by_name() -> Mapping[str, Fact]:
    """All built-in facts by full name, for the fact list: units under `attacker.`, `target.`, `unit.` and so on."""
    after = (*ROLL_FACTS, *SINGLE_DICE, *GRADE_FACTS, *STRIKE_FACTS, *MOMENT_FACTS, *INITIATIVE_FACTS)
    found = {fact.name: fact for fact in (*ATTACK_FACTS, *ACTION_FACTS, *BAND_FACTS, *after)}
    for prefix in ("attacker", "target", "unit", "reactor", "defender"):
        found |= {f"{prefix}.{fact.name}": fact for fact in UNIT_FACTS}
    found |= {f"{prefix}.{fact.name}": fact for prefix in PAIRED for fact in PAIR_FACTS}
    weapons = ("weapon", "target_weapon", "defender_weapon")
    return found | {f"{prefix}.{fact.name}": fact for prefix in weapons for fact in WEAPON_FACTS}
