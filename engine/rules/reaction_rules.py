"""Reactions to moves and attacks, and defences against attacks. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from engine.rules.effect_kinds import Effect
from engine.rules.expressions import Expression, Template, constant
from engine.rules.origin import Origin
from engine.values import replace

TRUE = constant(True)
ATTACKS, ACTS, DEFENDS = "attacks", "acts", "defends"
ACT_TRIGGERS = (ATTACKS, ACTS, DEFENDS)
"""Triggers that are no part of a move."""
IN_TIME = "in_time"
TRIGGERS = ("leaves reach", "enters reach", "moves in sight", *ACT_TRIGGERS)
TRIGGERED_BY = {ATTACKS: "attack", ACTS: "other", DEFENDS: "attack"}
"""The kind of action that such an act is part of; other triggers are parts of moves."""


class Reaction(Struct, frozen=True):
    """Reaction that a move or an attack provokes from an enemy: an attack at once, before the action continues.

    trigger `leaves reach`: a step from a square next to the enemy to one that is not; `enters reach`: the other way
    round; `moves in sight`: a step that ends where the enemy sees the mover; `attacks`: an attack, before it is rolled,
    by one who is next to the enemy or seen by it; `acts`: any other act, before it is done; `defends`: a defence
    against any attack, once that is over. One action provokes it once from each enemy. `when` asks of the one who
    acts (`unit.`), whom it attacks (`target.`), the enemy (`reactor.`), the enemy's weapon in hand (`weapon.`) and the
    act (`action.`, `ranged`, `melee`, `thrown`).
    """

    id: str
    label: str
    trigger: str
    when: Expression
    except_actions: tuple[str, ...]
    """Acts that draw none."""
    origin: Origin
    cost: Mapping[str, Expression] = {}
    """What it takes from the enemy's budgets, over the same facts."""
    attack: str = ""
    """Id of the attack that the enemy may make; "<condition>_on": the one that its condition is about; "" for any."""
    effects: tuple[Effect, ...] = ()
    """What happens to the enemy after it has made use of it, as for an action of its own."""
    weapons: tuple[str, ...] = ()
    """Weapon kinds that it is made with: the weapon in hand, else the first innate weapon of such a kind, else none;
    empty for whatever is in hand."""
    again: Expression | None = None
    """Over the one that reacts and its attack, once that is made: whether it may attack once more; None for never."""
    race: tuple[Effect, ...] = ()
    """Rolls and what they let, over the same facts: where IN_TIME is no, the act comes before what it draws."""
    is_any_action: bool = False
    """Whether the enemy may take any other action of its own instead, also where it can not attack. It is one that may
    act out of its turn."""
    short: str = ""
    """Its label where room is short, as "interrupt"; "" for the label itself."""

    def race_between(self, reactor: str, unit: str) -> tuple[Effect, ...]:
        """The race with these names for {reactor.name} and {unit.name} in its labels."""
        return tuple(
            replace(one, label=one.label.replace("{reactor.name}", reactor).replace("{unit.name}", unit))
            for one in self.race
        )


class MeleeRule(Struct, frozen=True):
    """Which adjacent enemies hold a unit in melee, for the fact `melee_enemies`.

    `when` asks of the enemy (`unit.`) and its weapon in hand (`weapon.`).
    """

    when: Expression
    origin: Origin


TARGET, ALLY = "target", "ally"
BY = (TARGET, ALLY)
AIMED, SWEPT, BURST = "aimed", "cone", "burst"
AGAINST = (AIMED, SWEPT, BURST)
"""What a defence is against: an attack on its target, one that sweeps a cone, what bursts where somebody is caught."""
REDIRECTED = "redirected"
"""What the effects of a defence let be true when the attack goes to the one who defends."""


class Defence(Struct, frozen=True):
    """Answer to the roll of an attack, before its effects: a dodge, a parry.

    `when` asks of the attack, its roll and grade, and of the one who defends (`defender.`, `defender_weapon.`). What
    the effects let or roll is a fact of the attack from then on, 0 where nobody defended, as is `defence`; the roll is
    graded again with it.
    """

    id: str
    label: str
    on: tuple[str, ...]
    """Grades that may be defended against, as for effects."""
    when: Expression
    origin: Origin
    cost: Mapping[str, Expression] = {}
    """What it takes from the defender's budgets."""
    by: str = "target"
    """One of BY: the one attacked, or an ally of theirs `within` a distance."""
    within: Fraction | None = None
    """How far off an ally may be, in the ruleset's unit; None for as far as it likes."""
    effects: tuple[Effect, ...] = ()
    counter: str = ""
    """Id of the attack that the defender answers with, at no further cost."""
    counter_when: Expression = TRUE
    """Whether the counter-attack is allowed, from the result of the defence."""
    counter_weapons: tuple[str, ...] = ()
    """Weapon kinds that it is made with, as those of a reaction."""
    is_together: bool = False
    """Whether it is declared before the attack is rolled, and answered before anything follows from either."""
    counters_anyone: bool = False
    """Whether the counter-attack may be on any enemy in place of the attacker; only for what is declared."""
    against: tuple[str, ...] = (AIMED,)
    """Some of AGAINST. Each target of a cone or a burst may take it separately."""
    redirects: bool = False
    """Whether the attack goes to the defender where the effects let `redirected` be true."""
    is_before_roll: bool = False
    """Whether it is taken before the attack's roll: by allies, all who like, who may take the attack."""
    lowest: str = ""
    """Before the roll: the name by which, of several whose effects let `redirected` be true, the one with the least
    takes the attack; "" for the nearest."""
    because: Template | None = None
    """What it is good for against this attack, over the same facts: shown where it is asked for; empty for nothing."""
