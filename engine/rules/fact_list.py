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
    Fact("round", "whole", "round of the battle, from 1"),
    Fact("square", "number", "side of a square of the map, in the unit of weapon ranges"),
    Fact("ranged", "yes/no", "the attack is a shot or a throw"),
    Fact("melee", "yes/no", "the attack is made in close combat"),
    Fact("thrown", "yes/no", "the weapon is thrown, or used so by the attack"),
    Fact("distance", "number", "from attacker to target in the unit of weapon ranges, by its metric and rounding"),
    Fact("distance_squares", "number", "from attacker to target in squares"),
    Fact("adjacent", "yes/no", "the two stand on adjacent squares, within a body's height of each other"),
    Fact("within_two_squares", "yes/no", "adjacent, or one square apart with no wall, door or solid thing in between"),
    Fact("visible", "number", "share of the target's body that the attacker sees, 0 to 1"),
    Fact("covered", "number", "share of the target's body that a shot cannot reach, 0 to 1"),
    Fact("square_covered", "number", "the same for somebody who stands on the target's square: where a throw can go"),
    Fact("clear", "yes/no", "the line from eye to eye is free"),
    Fact("sight", "word", "line of sight in one sentence"),
    Fact("cover", "word", "what covers most of the target, such as 'the cart at D5'; empty for nothing"),
    Fact("cover_material", "word", "protection of the cover: '', 'light', 'medium' or 'heavy'"),
    Fact("cover_window", "yes/no", "the cover is a window: an opening in a wall, with a sill or a lintel"),
    Fact("cover_damage", "whole", "what `damage_cover` effects have taken from the cover so far"),
    Fact("smoke", "number", "squares of smoke on the line, times density"),
    Fact("smoke_squares", "whole", "squares with smoke on the line, both ends included"),
    Fact("light", "word", "light at the target: 'dark', 'dim' or 'bright'"),
    Fact(
        "height_difference", "number", "how much higher the target stands, in the ruleset's unit; negative when lower"
    ),
    Fact("burst_share", "number", "share of a blast's effect at the target; 1 for any other attack"),
    Fact("burst_zone", "word", "id of the blast ring that the target is in; empty for any other attack"),
    Fact("area_targets", "whole", "how many targets a cone or a blast strikes; 1 for any other attack"),
    Fact("area_target_number", "whole", "number of this target among them, from 1; 0 when there is none"),
    Fact("outcome_changed", "yes/no", "an effect has given the attack another grade or another target"),
    Fact("attack_number", "whole", "number of this attack in the attacker's turn, from 1"),
    Fact("empty_target", "yes/no", "the target is an empty square"),
    Fact("indoors", "yes/no", "the map is under a roof"),
    Fact("defence", "word", "id of the defence taken against the attack; empty before it, and for none"),
    Fact("reaction", "word", "id of the reaction that the attack is made with; empty for none"),
    Fact("hostile", "yes/no", "the target is an enemy: on another side, and neither of the two is neutral"),
    Fact(
        "allies_near_target",
        "whole",
        "how many of the attacker's side, without the attacker, are adjacent to the target",
    ),
)

PAIR_FACTS = (Fact("bearing", "whole", "degrees from its facing to the other one: 0 ahead, 180 behind"),)
"""Of one of two who have to do with each other."""

PAIRED = ("attacker", "target", "reactor")
"""The units that have them: attacker, target and reacting unit."""

ACTION_FACTS = (
    Fact("action.id", "word", "id of the chosen action"),
    Fact("action.kind", "word", "'attack', 'move' or 'other'"),
    Fact("action.times_taken", "whole", "how often the unit has taken it since its latest turn began"),
)

UNIT_FACTS = (
    Fact("id", "word", "the unit's id"),
    Fact("name", "word", "its name"),
    Fact("role", "word", "its role, such as 'gunman'"),
    Fact("side", "word", "its side"),
    Fact("posture", "word", "'standing', 'kneeling' or 'prone'"),
    Fact("size", "whole", "side of its footprint in squares"),
    Fact("altitude", "number", "height above the ground, in the ruleset's unit; 0 on the ground"),
    Fact("altitude_band", "word", "id of its altitude band; empty where there is none"),
    Fact("moved", "number", "squares of movement spent since its latest turn began"),
    Fact("moved_straight", "yes/no", "it has moved since its latest turn began, in one straight line"),
    Fact("squares_from_start", "number", "squares from where its latest turn began to where it stands"),
    Fact("attacks", "whole", "attacks made since its latest turn began"),
    Fact("in_melee", "yes/no", "an enemy that can fight is adjacent"),
    Fact("enemies_adjacent", "whole", "how many enemies that can fight are adjacent"),
    Fact("standing_enemies_adjacent", "whole", "how many of them are not prone"),
    Fact("melee_enemies", "whole", "how many of them count for melee by `[melee]`; without that table, all"),
    Fact("allies_adjacent", "whole", "how many of its own side that can fight are adjacent"),
    Fact("light", "word", "light where it stands"),
    Fact("defeated", "yes/no", "it is out of the fight"),
    Fact("has_acted", "yes/no", "it has taken an action since its latest turn began, free or not"),
    Fact("on_turn", "yes/no", "it is its turn now, and no attack out of turn"),
    Fact("turn_started", "yes/no", "its turn of this round has started; it may be over"),
    Fact("turn_skipped", "yes/no", "it was surprised and loses its turn of this round"),
    Fact("move_pending", "yes/no", "it has declared a move for the end of the round, and has not made it yet"),
    Fact(
        "enemies_at_goal",
        "whole",
        "how many enemies that can fight are adjacent to where that move ends; 0 without one",
    ),
    Fact("charges_laid", "whole", "charges it has laid that have not gone off"),
    Fact("weapon_at_feet", "yes/no", "a weapon lies on one of its squares"),
)

WEAPON_FACTS = (
    Fact("id", "word", "the weapon's id"),
    Fact("kind", "word", "'ranged', 'melee' or 'thrown'"),
    Fact("rounds", "whole", "rounds left in its magazine"),
    Fact("capacity", "whole", "rounds that fit into its magazine, a larger one included"),
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
    Fact("total", "number", "total of the modifiers"),
    Fact("target_number", "number", "number that the roll is compared with"),
    Fact("margin", "number", "how much the roll succeeds by; negative when it fails"),
    Fact("success", "yes/no", "the roll meets the target number, before grades"),
)

MOST_DICE = 4
DICE_FACTS = tuple(f"die_{place}" for place in range(1, MOST_DICE + 1))

SINGLE_DICE = tuple(
    Fact(name, "whole", f"face of die {place} of the attack roll; 0 where there is none")
    for place, name in enumerate(DICE_FACTS, start=1)
)

GRADE_FACTS = (
    Fact("grade", "word", "id of the grade of the roll"),
    Fact("hit", "yes/no", "the grade is a hit"),
)

STRIKE_FACTS = (
    Fact("strikes", "whole", "number of hits of this attack; 1 where the ruleset does not say"),
    Fact("strike_number", "whole", "number of this hit among them, from 1"),
    Fact("target_strike", "whole", "number of this hit among those on the same target, from 1"),
)


INITIATIVE_FACTS = (
    Fact("rolled", "whole", "sum of the dice for initiative"),
    Fact("bonus", "whole", "bonus that is added to them"),
)

DECLARED_FACTS = (
    Fact("can_attack_now", "yes/no", "the declared attack is possible on an enemy, as things are"),
    Fact("attack_total", "whole", "total of its modifiers on the nearest such enemy, rounded down; 0 for none"),
)

TRIGGER_FACTS = (Fact("fall_height", "number", "how far the unit fell, in the ruleset's unit; 0 for no fall"),)


def facts_by_name() -> Mapping[str, Fact]:
    """All built-in facts by full name, for the fact list: units under `attacker.`, `target.`, `unit.` and so on."""
    after = (*ROLL_FACTS, *SINGLE_DICE, *GRADE_FACTS, *STRIKE_FACTS, *TRIGGER_FACTS, *INITIATIVE_FACTS, *DECLARED_FACTS)
    found = {fact.name: fact for fact in (*ATTACK_FACTS, *ACTION_FACTS, *BAND_FACTS, *after)}
    for prefix in ("attacker", "target", "unit", "reactor", "defender"):
        found |= {f"{prefix}.{fact.name}": fact for fact in UNIT_FACTS}
    found |= {f"{prefix}.{fact.name}": fact for prefix in PAIRED for fact in PAIR_FACTS}
    weapons = ("weapon", "target_weapon", "defender_weapon")
    return found | {f"{prefix}.{fact.name}": fact for prefix in weapons for fact in WEAPON_FACTS}
