"""Events: facts about a battle, in the past tense. They hold results (dice, damage, squares), never formulas.

`KINDS` is the register by which the journal reads them back; an event's kind is its class name.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.events.attacks import (
    AttackRolled,
    AttackTurned,
    BurstCaught,
    BurstLanded,
    CoverWorn,
    DefenceTaken,
    EffectReckoned,
    EffectRolled,
    OpeningGiven,
    StrikeBegan,
)
from engine.battle.events.moves import (
    AltitudeChanged,
    PostureTaken,
    StrideForfeited,
    UnitFell,
    UnitMoved,
    UnitPlaced,
    UnitPushed,
    UnitTurned,
    WayDeclared,
    WayEnded,
)
from engine.battle.events.table import (
    Adjusted,
    AdjustmentsCleared,
    BarrierChanged,
    CloudCleared,
    CloudsDrifted,
    CloudSet,
    RulingSet,
    WindSet,
)
from engine.battle.events.turns import (
    ActionTaken,
    BattleBegan,
    ClosingBegan,
    DiceDrawn,
    InitiativeRolled,
    OrderSet,
    RoundBegan,
    TurnBegan,
    TurnDropped,
    TurnEnded,
    TurnResumed,
    TurnWaits,
)
from engine.battle.events.units import (
    ConditionBegan,
    ConditionEnded,
    ConditionTicked,
    PoolChanged,
    RoundsChanged,
    UnitDefeated,
    UnitRecovered,
    WeaponBroken,
    WeaponDropped,
    WeaponReadied,
    WeaponTaken,
)

__all__ = [
    "KINDS",
    "ActionTaken",
    "Adjusted",
    "AdjustmentsCleared",
    "AltitudeChanged",
    "AttackRolled",
    "AttackTurned",
    "BarrierChanged",
    "BattleBegan",
    "BurstCaught",
    "BurstLanded",
    "ClosingBegan",
    "CloudCleared",
    "CloudSet",
    "CloudsDrifted",
    "ConditionBegan",
    "ConditionEnded",
    "ConditionTicked",
    "CoverWorn",
    "DefenceTaken",
    "DiceDrawn",
    "EffectReckoned",
    "EffectRolled",
    "Event",
    "InitiativeRolled",
    "OpeningGiven",
    "OrderSet",
    "PoolChanged",
    "PostureTaken",
    "RoundBegan",
    "RoundsChanged",
    "RulingSet",
    "StrideForfeited",
    "StrikeBegan",
    "TurnBegan",
    "TurnDropped",
    "TurnEnded",
    "TurnResumed",
    "TurnWaits",
    "UnitDefeated",
    "UnitFell",
    "UnitMoved",
    "UnitPlaced",
    "UnitPushed",
    "UnitRecovered",
    "UnitTurned",
    "WayDeclared",
    "WayEnded",
    "WeaponBroken",
    "WeaponDropped",
    "WeaponReadied",
    "WeaponTaken",
    "WindSet",
]

Event = (
    BattleBegan
    | InitiativeRolled
    | OrderSet
    | RoundBegan
    | TurnBegan
    | TurnEnded
    | TurnWaits
    | TurnDropped
    | TurnResumed
    | ActionTaken
    | ClosingBegan
    | UnitMoved
    | WayDeclared
    | WayEnded
    | UnitPushed
    | UnitFell
    | StrideForfeited
    | UnitPlaced
    | AltitudeChanged
    | UnitTurned
    | PostureTaken
    | WeaponReadied
    | WeaponDropped
    | WeaponTaken
    | WeaponBroken
    | OpeningGiven
    | AttackRolled
    | DefenceTaken
    | BurstLanded
    | BurstCaught
    | AttackTurned
    | StrikeBegan
    | CoverWorn
    | EffectRolled
    | EffectReckoned
    | DiceDrawn
    | PoolChanged
    | RoundsChanged
    | ConditionBegan
    | ConditionTicked
    | ConditionEnded
    | UnitDefeated
    | UnitRecovered
    | BarrierChanged
    | RulingSet
    | Adjusted
    | AdjustmentsCleared
    | CloudSet
    | CloudCleared
    | WindSet
    | CloudsDrifted
)

KINDS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in Event.__args__}
