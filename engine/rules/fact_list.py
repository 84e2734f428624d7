"""The facts that rules may ask for: name, kind and meaning. The list is checked at load and printed by the program.

Geometry and state supply every fact; a ruleset only interprets them. Besides these, a ruleset's own stats, pools,
budgets and conditions are facts of every unit, its weapon fields facts of the weapon, its action flags facts of the
action.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Fact(Struct, frozen=True):
    """One fact: the kind of its value ("number", "whole", "yes/no", "word") and its meaning."""

    name: str
    kind: str
    meaning: str


ATTACK_FACTS = (
    Fact("round", "whole", "the round of the battle, from 1"),
    Fact("square", "number", "side of a square of the map, in the ruleset's unit"),
    Fact("ranged", "yes/no", "a ranged attack: a shot or a throw"),
    Fact("melee", "yes/no", "a melee attack"),
    Fact("thrown", "yes/no", "a thrown weapon"),
    Fact("distance", "number", "from attacker to target in the ruleset's unit, by its metric and rounding"),
    Fact("distance_squares", "number", "the same in squares"),
    Fact("adjacent", "yes/no", "attacker and target stand on adjacent squares, at most a body's height apart"),
    Fact("in_leap", "yes/no", "adjacent, or one square apart with no wall, door or solid object between"),
    Fact("visible", "number", "share of the target's body that the attacker sees, 0 to 1"),
    Fact("covered", "number", "share of the target's body that a shot cannot reach, 0 to 1"),
    Fact("clear", "yes/no", "the line from eye to eye is clear"),
    Fact("sight", "word", "the line of sight in one sentence"),
    Fact("cover", "word", "the main cover of the target, as 'the cart at D5'; empty for none"),
    Fact("cover_material", "word", "material of that cover: '', 'light', 'medium' or 'heavy'"),
    Fact("cover_window", "yes/no", "that cover is a window: an opening in a wall, with a sill or a lintel"),
    Fact("cover_wear", "whole", "damage of that cover so far, from `wear` effects"),
    Fact("smoke", "number", "squares of smoke on the line, times density"),
    Fact("smoke_squares", "whole", "squares with smoke on the line, both ends included"),
    Fact("light", "word", "light where the target stands: 'dark', 'dim' or 'bright'"),
    Fact(
        "rise", "number", "height of the target's feet above the attacker's, in the ruleset's unit; negative when below"
    ),
    Fact("burst_share", "number", "share of the blast effect at the target; 1 for any other attack"),
    Fact("burst_zone", "word", "id of the blast ring that the target is in; empty for any other attack"),
    Fact("caught", "whole", "number of targets in the area of the attack: cone or blast; 1 for any other attack"),
    Fact("caught_number", "whole", "number of this target among them, from 1; 0 when there is none"),
    Fact("turned", "yes/no", "the result was changed: to another grade, or to another target"),
    Fact("attack_number", "whole", "number of this attack in the attacker's turn, from 1"),
    Fact("empty_target", "yes/no", "the target is an empty square"),
    Fact("indoors", "yes/no", "the map marks it as under a roof"),
    Fact("defence", "word", "id of the defence used against the attack; empty before it, and for none"),
    Fact("hostile", "yes/no", "the target is an enemy of the attacker: on another side, and neither is neutral"),
    Fact("bystanders", "whole", "number of the attacker's allies adjacent to the target"),
)

PAIR_FACTS = (Fact("aside", "whole", "degrees between its facing and the line to the other unit: 0 ahead, 180 behind"),)
"""Of one of two who have to do with each other."""

PAIRED = ("attacker", "target", "reactor")
"""Who has them: the two of an attack, and whoever reacts to another."""

ACTION_FACTS = (
    Fact("action.id", "word", "the chosen action"),
    Fact("action.kind", "word", "'attack', 'move' or 'other'"),
    Fact("action.taken", "whole", "number of times taken since the unit's latest turn began"),
)

UNIT_FACTS = (
    Fact("id", "word", "the unit's id"),
    Fact("name", "word", "its name"),
    Fact("role", "word", "its role, as 'gunman'"),
    Fact("side", "word", "its side"),
    Fact("posture", "word", "'standing', 'kneeling' or 'prone'"),
    Fact("size", "whole", "side of its footprint in squares"),
    Fact("altitude", "number", "height of its feet above the ground, in the ruleset's unit; 0 on the ground"),
    Fact("altitude_band", "word", "id of the ruleset's altitude band it is in; empty where there is none"),
    Fact("moved", "number", "squares of movement spent since its latest turn began"),
    Fact("moved_straight", "yes/no", "it moved since its latest turn began, all in one straight line"),
    Fact("displaced", "number", "squares between where its latest turn began and where it stands"),
    Fact("attacks", "whole", "attacks made since its latest turn began"),
    Fact("in_melee", "yes/no", "an enemy in the fight is adjacent"),
    Fact("enemies_adjacent", "whole", "number of such enemies"),
    Fact("standing_enemies_adjacent", "whole", "number of them that are not prone"),
    Fact("melee_enemies", "whole", "number of them that hold it in melee, by `[melee]`; without that, all"),
    Fact("friends_adjacent", "whole", "number of allies in the fight that are adjacent"),
    Fact("light", "word", "light where it stands"),
    Fact("defeated", "yes/no", "it is out of the fight"),
    Fact("has_acted", "yes/no", "it took an action since its latest turn began, free actions included"),
    Fact("turn_come", "yes/no", "its turn this round has begun or is over"),
    Fact("passed_over", "yes/no", "it is surprised and has no turn this round"),
    Fact("on_its_way", "yes/no", "it has declared a move for the end of the round and not made it yet"),
    Fact("laid", "whole", "number of its charges that have not gone off"),
    Fact("weapon_at_feet", "yes/no", "a weapon that it does not carry lies on its square"),
)

WEAPON_FACTS = (
    Fact("id", "word", "the weapon's id"),
    Fact("kind", "word", "'ranged', 'melee' or 'thrown'"),
    Fact("rounds", "whole", "rounds left in its magazine"),
    Fact("full", "whole", "capacity of its magazine, larger magazines included"),
)

REACTION_FACTS = ("ranged", "melee", "thrown", "adjacent", "distance")
"""Those of ATTACK_FACTS that reactions may ask for: what the attack is made with, none for a move; and whether the one
who acts is next to the one who reacts, and how far off."""

BAND_FACTS = (
    Fact("band", "word", "id of the range band that applies; empty when none does"),
    Fact("band_number", "whole", "number of nearer bands in its table; 0 in the first, and when none applies"),
)

ROLL_FACTS = (
    Fact("roll", "whole", "sum of the dice of the attack roll"),
    Fact("total", "number", "total of the ledger"),
    Fact("target_number", "number", "what the roll is compared with"),
    Fact("margin", "number", "margin of success; negative for a failure"),
    Fact("success", "yes/no", "the roll succeeds, before grades"),
)

MOST_DICE = 4
DICE_FACTS = tuple(f"die_{place}" for place in range(1, MOST_DICE + 1))

SINGLE_DICE = tuple(
    Fact(name, "whole", f"what die {place} of the attack roll shows; 0 where there is none")
    for place, name in enumerate(DICE_FACTS, start=1)
)

GRADE_FACTS = (
    Fact("grade", "word", "id of the resulting grade"),
    Fact("hit", "yes/no", "that grade is a hit"),
)

STRIKE_FACTS = (
    Fact("strikes", "whole", "number of times the effects of this hit happen; 1 unless the ruleset says more"),
    Fact("strike_number", "whole", "number of this time, from 1"),
)


INITIATIVE_FACTS = (
    Fact("rolled", "whole", "sum of the dice for initiative"),
    Fact("bonus", "whole", "bonus added to them"),
)

MOMENT_FACTS = (Fact("fallen", "number", "height of the fall, in the ruleset's unit; 0 for none"),)


def facts_by_name() -> Mapping[str, Fact]:
    """All built-in facts by full name, for the fact list: units under `attacker.`, `target.`, `unit.` and so on."""
    after = (*ROLL_FACTS, *SINGLE_DICE, *GRADE_FACTS, *STRIKE_FACTS, *MOMENT_FACTS, *INITIATIVE_FACTS)
    found = {fact.name: fact for fact in (*ATTACK_FACTS, *ACTION_FACTS, *BAND_FACTS, *after)}
    for prefix in ("attacker", "target", "unit", "reactor", "defender"):
        found |= {f"{prefix}.{fact.name}": fact for fact in UNIT_FACTS}
    found |= {f"{prefix}.{fact.name}": fact for prefix in PAIRED for fact in PAIR_FACTS}
    weapons = ("weapon", "target_weapon", "defender_weapon")
    return found | {f"{prefix}.{fact.name}": fact for prefix in weapons for fact in WEAPON_FACTS}
