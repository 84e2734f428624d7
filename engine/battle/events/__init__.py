"""Events: facts about a battle, in the past tense. They hold results (dice, damage, squares), never formulas.

An event's tag is what files call it, whatever its class is called; `journal.row_kinds` lists them.
"""

from __future__ import annotations

from engine.battle.events.attack_events import (
    AttackRolled,
    AttackTurned,
    BurstCaught,
    BurstLanded,
    CoverWorn,
    DefenceTaken,
    EffectComputed,
    EffectRolled,
    OpeningGiven,
    ReactionTaken,
    StrikeBegan,
)
from engine.battle.events.gm_events import (
    Adjusted,
    AdjustmentsCleared,
    BarrierChanged,
    CloudCleared,
    CloudsDrifted,
    CloudSet,
    CoverRuled,
    CoverRulingEnded,
    DiceThrown,
    NoteCleared,
    NoteSet,
    PolicyEnded,
    PolicySet,
    RollCorrected,
    RulingSet,
    WindSet,
)
from engine.battle.events.move_events import (
    AltitudeChanged,
    PathDeclared,
    PathEnded,
    PostureTaken,
    StrideForfeited,
    UnitFell,
    UnitMoved,
    UnitPlaced,
    UnitPushed,
    UnitTurned,
)
from engine.battle.events.roster_events import (
    LettersGiven,
    SideChanged,
    UnitHidden,
    UnitOut,
    UnitRemoved,
    UnitRenamed,
    UnitsAdded,
    UnitShown,
)
from engine.battle.events.terrain_events import EdgesSet, ElevationSet, GroundSet, LampSet, LightSet
from engine.battle.events.turn_events import (
    ActionTaken,
    BattleBegan,
    BattleFinished,
    ClosingBegan,
    CommandHeld,
    DiceDrawn,
    GroupDissolved,
    GroupFormed,
    InitiativeRolled,
    LastTurnCame,
    OrderSet,
    PlaceTaken,
    RoundBegan,
    TieRolled,
    TurnBegan,
    TurnDelayed,
    TurnDropped,
    TurnEnded,
    TurnGiven,
    TurnResumed,
    TurnTakenUp,
    TurnWaits,
    UnitsSurprised,
)
from engine.battle.events.unit_events import (
    BudgetChanged,
    CharacterSet,
    ChargeLaid,
    ChargeSetOff,
    ChargeTakenUp,
    ConditionBegan,
    ConditionEnded,
    ConditionTicked,
    PoolChanged,
    RoundsChanged,
    StatSet,
    UnitDefeated,
    UnitRecovered,
    WeaponBroken,
    WeaponDropped,
    WeaponGiven,
    WeaponReadied,
    WeaponTaken,
    WeaponTakenAway,
    WornChanged,
)

__all__ = [
    "ActionTaken",
    "Adjusted",
    "AdjustmentsCleared",
    "AltitudeChanged",
    "AttackRolled",
    "AttackTurned",
    "BarrierChanged",
    "BattleBegan",
    "BattleFinished",
    "BudgetChanged",
    "BurstCaught",
    "BurstLanded",
    "CharacterSet",
    "ChargeLaid",
    "ChargeSetOff",
    "ChargeTakenUp",
    "ClosingBegan",
    "CloudCleared",
    "CloudSet",
    "CloudsDrifted",
    "CommandHeld",
    "ConditionBegan",
    "ConditionEnded",
    "ConditionTicked",
    "CoverRuled",
    "CoverRulingEnded",
    "CoverWorn",
    "DefenceTaken",
    "DiceDrawn",
    "DiceThrown",
    "EdgesSet",
    "EffectComputed",
    "EffectRolled",
    "ElevationSet",
    "Event",
    "GroundSet",
    "GroupDissolved",
    "GroupFormed",
    "InitiativeRolled",
    "LampSet",
    "LastTurnCame",
    "LettersGiven",
    "LightSet",
    "NoteCleared",
    "NoteSet",
    "OpeningGiven",
    "OrderSet",
    "PathDeclared",
    "PathEnded",
    "PlaceTaken",
    "PolicyEnded",
    "PolicySet",
    "PoolChanged",
    "PostureTaken",
    "ReactionTaken",
    "RollCorrected",
    "RoundBegan",
    "RoundsChanged",
    "RulingSet",
    "SideChanged",
    "StatSet",
    "StrideForfeited",
    "StrikeBegan",
    "TieRolled",
    "TurnBegan",
    "TurnDelayed",
    "TurnDropped",
    "TurnEnded",
    "TurnGiven",
    "TurnResumed",
    "TurnTakenUp",
    "TurnWaits",
    "UnitDefeated",
    "UnitFell",
    "UnitHidden",
    "UnitMoved",
    "UnitOut",
    "UnitPlaced",
    "UnitPushed",
    "UnitRecovered",
    "UnitRemoved",
    "UnitRenamed",
    "UnitShown",
    "UnitTurned",
    "UnitsAdded",
    "UnitsSurprised",
    "WeaponBroken",
    "WeaponDropped",
    "WeaponGiven",
    "WeaponReadied",
    "WeaponTaken",
    "WeaponTakenAway",
    "WindSet",
    "WornChanged",
]

Event = (
    BattleBegan
    | BattleFinished
    | InitiativeRolled
    | TieRolled
    | OrderSet
    | GroupDissolved
    | GroupFormed
    | PlaceTaken
    | TurnDelayed
    | TurnTakenUp
    | LastTurnCame
    | UnitsSurprised
    | RoundBegan
    | TurnBegan
    | TurnEnded
    | CommandHeld
    | TurnWaits
    | TurnDropped
    | TurnResumed
    | ActionTaken
    | ClosingBegan
    | UnitMoved
    | PathDeclared
    | PathEnded
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
    | WeaponGiven
    | WeaponTakenAway
    | WornChanged
    | StatSet
    | CharacterSet
    | OpeningGiven
    | ReactionTaken
    | AttackRolled
    | DefenceTaken
    | BurstLanded
    | BurstCaught
    | AttackTurned
    | StrikeBegan
    | CoverWorn
    | EffectRolled
    | EffectComputed
    | DiceDrawn
    | PoolChanged
    | BudgetChanged
    | ChargeLaid
    | ChargeSetOff
    | ChargeTakenUp
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
    | TurnGiven
    | UnitsAdded
    | UnitRemoved
    | UnitRenamed
    | SideChanged
    | LettersGiven
    | UnitHidden
    | UnitOut
    | UnitShown
    | GroundSet
    | ElevationSet
    | EdgesSet
    | LightSet
    | LampSet
    | CoverRuled
    | CoverRulingEnded
    | PolicySet
    | PolicyEnded
    | NoteSet
    | NoteCleared
    | DiceThrown
    | RollCorrected
)
