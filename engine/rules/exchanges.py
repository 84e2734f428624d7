"""What one unit may do in another's turn: reactions to moves and attacks, defences against attacks. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.rules.expressions import Expression
from engine.rules.origin import Origin

if TYPE_CHECKING:
    from engine.rules.model import Effect

ATTACKS = "attacks"
TRIGGERS = ("leaves reach", "enters reach", "moves in sight", ATTACKS)


@dataclass(frozen=True, slots=True)
class Reaction:
    """What a move or an attack draws from an enemy: leave to attack at once, before the act goes on.

    trigger `leaves reach`: a step from a square next to the enemy to one that is not; `enters reach`: the other way
    round; `moves in sight`: a step that ends where the enemy sees the mover; `attacks`: an attack, before it is rolled,
    by one who is next to the enemy or seen by it. One act draws it once from each enemy. `when` asks of the one who
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
    cost: Mapping[str, Expression] = field(default_factory=dict)
    """What it takes from the enemy's budgets, over the same facts."""
    attack: str = ""
    """Id of the attack that the enemy may make; "" for any."""
    effects: tuple[Effect, ...] = ()
    """What happens to the enemy after it has made use of it, as for an action of its own."""
