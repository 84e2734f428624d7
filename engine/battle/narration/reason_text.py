"""Words for the engine's own reasons, in which `unit`, `label` and `at` are filled in."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.state.reasons import ReasonKind

WORDS: Mapping[ReasonKind, str] = {
    "by-gm": "the GM says so",
    "turn-comes": "its next turn has come",
    "turn-ends": "the turn is over",
    "round-ends": "the round is over",
    "rounds-over": "its rounds are over",
    "has-acted": "its next action has come",
    "budget-spent": "no {label} is left",
    "not-adjacent": "{unit} is no longer adjacent",
    "unit-out": "{unit} is out of the fight",
    "unit-gone": "{unit} is gone",
    "weapon-gone": "the {label} is gone",
    "leaves-reach": "{label}, as {unit} leaves its reach at {at}",
    "enters-reach": "{label}, as {unit} comes into its reach at {at}",
    "moves-in-sight": "{label}, as {unit} moves in its sight at {at}",
    "moves-into-sight": "{label}, as {unit} moves into its sight at {at}",
    "attacks": "{label}, as {unit} attacks",
    "acts": "{label}, as {unit} acts",
    "defends": "{label}, as {unit} defends",
    "in-the-way": "{unit} is there",
    "there-first": "{unit} is there first",
    "comes-towards": "{unit} comes the other way",
    "charge-goes-off": "something goes off",
    "is-out": "it is out of the fight",
    "is-elsewhere": "it is no longer on {at}",
    "no-enemy-near": "no enemy is near enough, so nothing happens",
    "no-ally-near": "no ally is near enough, so nothing happens",
    "no-adjacent-enemy": "no enemy next to {unit} can attack",
    "no-room": "{unit} has no room to go",
}
