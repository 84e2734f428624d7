"""Ruleset: named tables of numbers, conditions and small formulas, each with its source. Data only.

`rulesets` builds these from TOML; `ledger`, `roll_odds` and `effects` interpret them. Nothing here names a system.
Formulas are compiled `Expression`s over facts (see `facts`); texts shown to the GM are `Template`s over the same facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct, field

from engine.rules.display_stats import Derived
from engine.rules.effect_kinds import Effect as Effect
from engine.rules.expressions import Expression, Template, constant
from engine.rules.initiative_kinds import Initiative
from engine.rules.origin import Origin
from engine.rules.reaction_rules import Defence, MeleeRule, Reaction
from engine.rules.rulings import Ruling
from engine.rules.sheets import Accessory, Armour
from engine.rules.sheets import Sheet as Sheet
from engine.rules.space_rules import AltitudeBand, BlastZone, BurstRule, Cone, Mode, Scatter, SightRule
from engine.rules.stats import Stat as Stat
from engine.rules.test_kinds import Test
from engine.rules.turn_rules import Trigger
from engine.values import Number as Number
from engine.values import Value as Value

NEVER = constant(False)

ROUNDINGS = ("down", "nearest", "up", "exact")
ACTION_KINDS = ("attack", "move", "ready", "face", "other")
WEAPON_KINDS = ("ranged", "melee", "thrown")
MOST_STRIKES = 100
FACT_TIMES = ("situation", "roll")
ABOUT = ("unit", "weapon", "square", "attack")
SQUARE = "square"
"""The target of an act at a place; what a condition is about that is about one."""
ATTACK = "attack"
"""What a condition is about that is about an attack which was declared."""
TARGETS = ("enemy", "ally", "any", SQUARE)
NEARBY = ("nearest_ally", "allies", "enemies", "ally_near_target")
ONE_NEARBY = ("nearest_ally", "ally_near_target")
"""Whom an effect may be about that are named by a distance (see `Effect.whom`)."""
ABOUT_WHOM = "_on"
"""With the name of a condition before it: the unit that this condition of the acting one is about."""
NEXT_ACTION = "next action"
SURPRISED = "surprised"
"""Id of the condition of surprised units, if a ruleset has it."""
REFILLS = ("own turn start", "round start")
BATTLE_END = "battle end"
DURATIONS = ("own turn start", "own turn end", "round end", BATTLE_END, NEXT_ACTION)


class Pool(Struct, frozen=True):
    """A number on a unit that changes: wounds, armour points. `start` is a formula over `unit.<stat>`."""

    id: str
    label: str
    start: Expression
    origin: Origin
    group: str = ""
    """What it is shown under together with others, in one line; "" by itself."""
    part: str = ""
    """What of the group it is a number of: those of one part stand together."""
    protects: bool = False
    """Whether its mean loss is shown beside the damage of an attack: armour that wears off."""
    harm: str = ""
    """What it is called to lose any of it. Where pools have it, odds tell the chance of each, and no sum of losses."""
    is_apart: bool = False
    """Whether its loss is shown besides the damage and is no part of it; other sums are shown then all the same."""
    carries: bool = False
    """Whether what is lost of it stays lost after the battle, on a character's sheet: wounds, wear of armour."""
    show: Expression = constant(True)
    """Whether it is shown with the unit's numbers, over `unit.`."""
    help: str = ""
    """What the number means, where its label does not say it, as "20 less the worst Injury"."""
    lost: str = ""
    """What damage takes away of it, where that is not the label: "lethal damage" of "lethal damage left"."""


class Budget(Struct, frozen=True):
    """What a unit can spend: actions, moves, reactions. Refilled to `start` at the moment `refills`, one of REFILLS.

    Before a unit's first turn it has all of it too: it may react. What is refilled with the round may be spent before
    its own turn in it, and what its turn leaves after it, by what may be done out of turn.
    """

    id: str
    label: str
    start: Expression
    origin: Origin
    refills: str = "own turn start"
    plural: str = ""
    """What several are called, where that is not the label with an s."""
    counts: bool = False
    """Whether it says how much has been done instead of what is left; actions add to it with a negative cost."""
    internal: bool = False
    """Whether it is the rules' own bookkeeping, which the table never sees: no panel, no price, no log has it."""
    short: str = ""
    """What any number of it is called where room is short: "attack" for attack actions; "" for the label or plural."""
    sign: str = ""
    """A letter that tells its amounts from those of others in a column of costs: "1A1m"; "" for none."""

    def counted(self, amount: int, *, is_short: bool = False) -> str:
        """So many of it, in words: "1 reaction", "2 attack actions", in short "2 attack"."""
        return f"{amount} {(is_short and self.short) or self.called(amount)}"

    def called(self, amount: int) -> str:
        """What so many of it are called: "reaction", "reactions"."""
        return self.label if amount == 1 else self.plural or f"{self.label}s"


class Condition(Struct, frozen=True):
    """A state a unit can be in. `mark` is one character for the board, or none; `until` is one of DURATIONS.

    NEXT_ACTION: it is over once the unit has acted again; that action still sees it.
    """

    id: str
    label: str
    mark: str
    until: str
    origin: Origin
    acts_out_of_turn: bool = False
    """Whether a unit in it may act at any time with what it has left to spend: a held action."""
    about: str = ""
    """One of ABOUT: what it is about, whose id is the fact `<condition>_on`; "" for nothing. It ends when that unit is
    defeated, or when that weapon is lost. An attack is the one that the act declares. Where a square lies is asked by
    `<condition>_bearing` and `<condition>_distance`."""
    magazine: Number = 1
    """How many times as many rounds the weapon that it is about holds."""
    holds: str = ""
    """The budget that is held back in it, with which it ends; "" for none."""
    while_adjacent: bool = False
    """Whether it ends when its bearer and the unit it is about, adjacent so far, are adjacent no longer: a hold."""
    continues: tuple[str, ...] = ()
    """NEXT_ACTION: actions that it outlasts."""
    free_actions_end: Expression = constant(True)
    """NEXT_ACTION: over unit and action, whether it ends with an act, a defence or an attack that costs nothing."""
    carries: bool = False
    """Whether it stays after the battle, on a character's sheet: an injury, what is fitted to a weapon."""
    ends_with: str = ""
    """Id of another condition of the same unit, with which it ends; "" for none."""
    only_actions: tuple[str, ...] = ()
    """The actions that a unit in it may still take: every other one requires that it is not in it. None: all."""
    internal: bool = False
    """Whether it is the rules' own bookkeeping, which the table never sees: no panel, no board, no log has it."""


class Grade(Struct, frozen=True):
    """One possible result of a roll. The first grade whose condition holds is the result.

    Besides the situation's facts, `when` may ask `roll` (sum of the dice), `die_1` to `die_4` (each of them),
    `target_number`, `total` (the ledger's), `margin` (how far inside success; negative when failed), `success`. Where
    the dice are read apart, `margin` is that of the highest die that fits, else of the lowest.
    """

    id: str
    label: str
    when: Expression
    is_hit: bool
    origin: Origin
    goes_off: bool = True
    """Whether what bursts goes off after it; not where the weapon jams, or what was thrown is stopped on its way."""
    is_critical: bool = False
    """Whether it is a critical hit; of a grade that is no hit, a fumble."""


class Band(Struct, frozen=True):
    """One range band: distances above the band before it, up to and including `upto`."""

    id: str
    label: str
    start: Expression | None
    """First distance of the band, where the file says so; None when it follows from the band before."""
    upto: Expression
    value: Expression
    origin: Origin
    ours: bool = False
    """Whether the system does not have its value: the ruling CHAPTER_ONLY, which the formula asks for, makes it 0."""


class BandTable(Struct, frozen=True):
    """Range bands for the attacks that `when` names. Past the last band no attack is possible."""

    id: str
    label: str
    step: str
    when: Expression
    bands: tuple[Band, ...]
    beyond: Template
    """The reason shown when the target is past the last band."""
    say: str = ""
    """What the table does, in one sentence for the GM; "" where its file has none."""


class Modifier(Struct, frozen=True):
    """One line of the ledger: counts `value` when `when` holds, because of `because`."""

    id: str
    step: str
    label: str
    value: Expression
    when: Expression
    because: Template
    origin: Origin
    of: str = ""
    """What it changes: "difficulty" for the number to beat, "" for the roll."""
    note: Expression | None = None
    """Its reason is shown even if it counts 0, and where this holds in the menu of actions; None for neither."""
    ours: bool = False
    """Whether the system does not have it: `when` then asks that the ruling CHAPTER_ONLY is not in force."""


class Restriction(Struct, frozen=True):
    """A line of the ledger that forbids the attack when `when` holds; `because` is the sentence shown."""

    id: str
    step: str
    label: str
    when: Expression
    because: Template
    origin: Origin
    ours: bool = False
    """As of a modifier."""


class NamedFact(Struct, frozen=True):
    """A formula with a name: a fact that the ruleset works out itself, once, for all rules that ask for it.

    `after` "situation": before the roll; every rule about an attack may ask for it. "roll": grades and effects may.
    It sees the named facts before it.
    """

    id: str
    label: str
    value: Expression
    after: str
    is_shown: bool
    """Whether it is shown: before the roll beside the ledger, afterwards in the log."""
    origin: Origin


class Strikes(Struct, frozen=True):
    """How often everything that follows from a hit happens: hits of one burst, blows of one flurry.

    `count` is over the attack, its roll and its grade, rounded down, at most MOST_STRIKES. Each time rolls its own dice
    and finds the two as the time before left them; it ends when one of them is out of the fight. When that is the
    target, the times that are left go to the next of the attacker's enemies `onto` so near, and no harder to hit.
    """

    count: Expression
    label: str
    origin: Origin
    onto: Expression | None = None
    """How far from the target another may be, in the ruleset's unit, over the attack; None: what is left is lost."""
    shares: Expression = NEVER
    """Over the attack before its roll: whether hits may be given to such others in advance."""


class Requirement(Struct, frozen=True):
    """Condition for an action to be legal, and the sentence of its refusal."""

    holds: Expression
    reason: Template
    condition: str = ""
    """Id of the condition that leaves the unit only other actions, of which it comes; "" where the action states it."""


class Action(Struct, frozen=True):
    """Something a unit may choose to do.

    Costs are taken from its turn's budgets; fractions count as one more, of rounds too. The kind `ready` is what taking
    another weapon in hand costs, the kind `face` what turning on the spot does; a ruleset has one of each or none, and
    without one it costs nothing.
    """

    id: str
    label: str
    kind: str
    cost: Mapping[str, Expression]
    requires: tuple[Requirement, ...]
    origin: Origin
    weapons: tuple[str, ...] = ()
    """Weapon kinds that an attack works with."""
    fits: Expression | None = None
    """Over `weapon.` facts: those of that kind that it works with; None for all. The others never offer it."""
    ammo: Expression | None = None
    """Rounds it takes from the magazine of the weapon in hand; None takes none."""
    flags: Mapping[str, Value] = {}
    """Facts `action.<name>` that hold for this action."""
    distance: Expression | None = None
    """How far a move may go, in the ruleset's unit."""
    effects: tuple[Effect, ...] = ()
    is_straight: bool = False
    """For a move: whether its path must be one straight line."""
    straight_last: int = 0
    """For a move: how many steps at its end must go in one direction; 0 for none."""
    cone: Cone | None = None
    """For an attack: whom it strikes in place of its target alone."""
    altitude_bands: int | None = None
    """For a move: how many of the ruleset's altitude bands a flyer may rise or sink as it begins; None for any."""
    is_at_round_end: bool = False
    """For a move: whether it is declared now and walked when the round ends, together with all others."""
    after_moves: bool = False
    """For an attack: whether it is made after those moves, by one who walked so."""
    target: str = ""
    """For an act of the kind `other`: what it is on, one of TARGETS; "" for one that is about nothing else. For an
    attack SQUARE, where it is on a thing that stands on a square."""
    is_instant: bool = False
    """Whether it may be taken in others' turns too, with what is left to spend."""
    declares: tuple[str, ...] = ()
    """For an act of the kind `other`: ids of the attacks of which one is declared with it; none for no such act."""
    is_directed: bool = False
    """For an act of the kind `other` that is on nothing: whether it may name a square, which the unit turns to face."""
    asks_first: bool = False
    """For a move: whether it is asked before one that was not named is taken: it costs what else could be done."""
    ends_beside_enemy: bool = False
    """For a move: whether it is asked before one that ends beside no enemy is paid for, as a charge."""
    used_as: str = ""
    """For an attack: the weapon kind as which it uses the weapon, whose own it is otherwise: a knife that is thrown."""
    keeps_facing: Expression | None = None
    """For a move: whether the unit goes on facing where it did; else it faces where its last step led."""
    is_rolled: bool = True
    """For an attack: whether the test is rolled for it; where not, nothing counts in its ledger, and its grade is the
    first that holds for a roll of 0."""
    letter: str = ""
    """Its key in the menu; in a group the group's key and its own, if it has one; "" for the next free key."""
    group: str = ""
    """Label of the group in which it stands in the menu; "" for none."""


class Weapon(Struct, frozen=True):
    """A weapon: its kind and the fields that the ruleset's formulas ask for (`weapon.<field>`)."""

    id: str
    label: str
    kind: str
    fields: Mapping[str, Value]
    origin: Origin


def works_with(action: Action, weapon: Weapon, defaults: Mapping[str, Value]) -> bool:
    """Whether an attack can be made with a weapon at all; `defaults` are the fields that weapons leave out."""
    if weapon.kind not in action.weapons:
        return False
    if action.fits is None:
        return True
    held = {**defaults, **weapon.fields, "id": weapon.id, "kind": weapon.kind}
    return bool(action.fits.evaluate({f"weapon.{name}": value for name, value in held.items()}))


class Distances(Struct, frozen=True):
    """How distances are measured and rounded."""

    unit: str
    """"feet", "metres" or "squares": what moves, heights and the distances of formulas are counted in."""
    ranges: str
    """The same for weapon ranges, blast radii and scatter."""
    metric: str
    rounding: str
    blasts: str
    """How distances from the centre of a blast are rounded, as `rounding`."""
    origin: Origin
    square: Fraction | None = None
    """Side of the ruleset's own squares in its unit: a map's squares that are nearly as large count as these."""


class UnitRules(Struct, frozen=True):
    """Pools, budgets, conditions and stats of units."""

    stats: Mapping[str, Stat]
    pools: Mapping[str, Pool]
    budgets: Mapping[str, Budget]
    conditions: Mapping[str, Condition]
    sheets: Mapping[str, Sheet]
    defeated: Expression
    """Over `unit.<…>`: whether a unit is out of the fight."""
    derived: Mapping[str, Derived] = {}
    defeat_label: str = ""
    defeat_because: Template | None = None
    """Why it is, over the same facts, shown under that label; None where it is not shown."""


class GearRules(Struct, frozen=True):
    """Weapons, armour and accessories of units."""

    weapons: Mapping[str, Weapon]
    weapon_fields: Mapping[str, Value]
    """Fields of weapons with their defaults."""
    magazine_field: str
    """Weapon field that holds the rounds in a full magazine; "" where nothing counts rounds."""
    armour: Mapping[str, Armour] = {}
    accessories: Mapping[str, Accessory] = {}
    innate_weapons: tuple[str, ...] = ()
    """Ids of the weapons that every unit has besides those it carries: fists, feet. They are always ready and cannot be
    lost; empty hands hold the first."""
    weapon_summary: tuple[Template, ...] = ()
    """What lists say of a weapon, over its fields; a text is left out where all fields that it asks for are usual."""


class AttackRules(Struct, frozen=True):
    """Modifiers, test, grades and effects of an attack."""

    steps: tuple[str, ...]
    """Order of the ledger."""
    test: Test
    grades: tuple[Grade, ...]
    bands: tuple[BandTable, ...]
    modifiers: tuple[Modifier, ...]
    restrictions: tuple[Restriction, ...]
    effects: tuple[Effect, ...]
    defences: tuple[Defence, ...] = ()
    defence_facts: Mapping[str, Value] = field(default_factory=lambda: {"defence": ""})
    """What a defence makes known, and what lasts for further hits, as it is before any of it."""
    facts: tuple[NamedFact, ...] = ()
    """In the order in which they are worked out."""
    strikes: Strikes | None = None
    """None: what follows from a hit happens once."""
    critical_label: str = "critical"
    """What the board calls a critical hit."""


class SpaceRules(Struct, frozen=True):
    """Rules of space: melee, cover by bodies, heights, blasts, movement modes."""

    full_cover: Fraction = Fraction(1)
    """The share of the body that is hidden in what the ruleset calls full cover; total cover hides all of it."""
    melee: MeleeRule | None = None
    """None where the ruleset says nothing: every enemy next to somebody keeps it in melee."""
    sight: SightRule | None = None
    """None where the ruleset says nothing: bodies of others do not count."""
    altitudes: tuple[AltitudeBand, ...] = ()
    """Lowest first; empty where the ruleset has no bands and counts plain heights."""
    scatters: tuple[Scatter, ...] = ()
    zones: tuple[BlastZone, ...] = ()
    """Rings of a burst, the innermost first."""
    burst: BurstRule | None = None
    """None in a ruleset without rings."""
    modes: tuple[Mode, ...] = ()
    """The most special first; without one that holds a unit walks as a human does."""


class TurnRules(Struct, frozen=True):
    """Turn order, reactions and automatic effects."""

    initiative: Initiative
    reactions: tuple[Reaction, ...] = ()
    triggers: tuple[Trigger, ...] = ()


class Ruleset(Struct, frozen=True):
    """A whole ruleset."""

    id: str
    name: str
    summary: str
    distance: Distances
    units: UnitRules
    gear: GearRules
    actions: Mapping[str, Action]
    attack: AttackRules
    turns: TurnRules
    space: SpaceRules = SpaceRules()
    rulings: Mapping[str, Ruling] = {}
    texts: Mapping[str, str] = {}
    """The files it was read from, whole, by name: they travel inside every battle."""
