"""Sentences for the engine's own reasons; `unit`, `label` and `at` are placeholders."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.state.reasons import ReasonKind

WORDS: Mapping[ReasonKind, str] = {
    "by-gm": "set by the GM",
    "turn-comes": "its next turn begins",
    "turn-ends": "end of the turn",
    "round-ends": "end of the round",
    "rounds-over": "its time is up",
    "has-acted": "it acts again",
    "budget-spent": "no {label} left",
    "not-adjacent": "{unit} is no longer adjacent",
    "unit-out": "{unit} is out of the fight",
    "unit-gone": "{unit} left the battle",
    "weapon-gone": "the {label} is gone",
    "leaves-reach": "{label}, as {unit} leaves its reach at {at}",
    "enters-reach": "{label}, as {unit} enters its reach at {at}",
    "moves-in-sight": "{label}, as {unit} moves in view at {at}",
    "moves-into-sight": "{label}, as {unit} comes into view at {at}",
    "attacks": "{label}, as {unit} attacks",
    "acts": "{label}, as {unit} acts",
    "defends": "{label}, as {unit} defends",
    "in-the-way": "{unit} is there",
    "there-first": "{unit} gets there first",
    "comes-towards": "{unit} comes the other way",
    "charge-goes-off": "a charge goes off",
    "is-out": "it is out of the fight",
    "is-elsewhere": "it is no longer on {at}",
    "no-enemy-near": "no effect, no enemy in range",
    "no-ally-near": "no effect, no ally in range",
    "no-adjacent-enemy": "no enemy adjacent to {unit} can attack",
    "no-room": "{unit} has no room to move",
}
