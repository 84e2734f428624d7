"""Every kind of effect in the registry answers all that is asked of one."""

from __future__ import annotations

import pytest

from engine.battle.effects import EFFECTS
from engine.rules.effect_kinds import Certain, Chance, EffectChange
from engine.rules.fact_list import facts_by_name
from engine.rules.model import Effect
from tests.rulesets.texts import small

ROWS = {
    "roll": 'roll = "2d6"\nas = "found"',
    "let": 'let = "1 + 1"\nas = "found"\nshow = true',
    "lose": 'lose = 2\npool = "hp"',
    "gain": 'gain = 1\nbudget = "main"',
    "condition": 'condition = "stunned"\nrounds = 2',
    "posture": 'posture = "prone"',
    "reload": "reload = true",
    "halt": "halt = true",
    "set_grade": 'set_grade = "bad"',
    "extra_turn": "extra_turn = true",
    "push": "push = 5",
    "disarm": "disarm = 5\ndirection = 3",
    "break": "break = true",
    "pick_up": "pick_up = true",
    "seize": "seize = true",
    "provoke": "provoke = true",
    "damage_cover": "damage_cover = 2",
    "descend": "descend = 5\nfalls = true",
    "lay": "lay = 5",
    "set_off": "set_off = true",
}
"""What each kind needs to be read: its own key and those that it requires."""
FACTS = {"target.hp": 9, "target.hp.full": 9, "target.main": 1, "target.main.full": 3, "cover_damage": 0}


def read(kind: type[Effect]) -> Effect:
    """An effect of a kind, as a file writes it, where such effects may stand."""
    where = "action.walk.effect" if kind.only_in_acts else "effect"
    on = "" if kind.only_in_acts else 'on = ["hit"]\n'
    rules = small(f'[[{where}]]\nid = "one"\nlabel = "One"\n{on}{ROWS[kind.kind]}\nsource = "ours"\n')
    effects = rules.actions["walk"].effects if kind.only_in_acts else rules.attack.effects
    return effects[-1]


def test_kinds_have_a_key_of_their_own_and_say_what_they_do() -> None:
    assert len({kind.kind for kind in EFFECTS}) == len(EFFECTS)
    assert all(kind.kind and kind.__doc__ for kind in EFFECTS)
    assert {kind.kind for kind in EFFECTS} == ROWS.keys()


@pytest.mark.parametrize("kind", EFFECTS, ids=lambda kind: kind.kind)
def test_a_kind_answers_everything(kind: type[Effect]) -> None:
    effect = read(kind)
    assert type(effect) is kind
    assert len(effect.makes()) <= 1
    assert effect.asks() <= {*FACTS, *facts_by_name()}
    assert effect.settled({}, effect.asks()) == effect
    outcome = effect.run(FACTS)
    match outcome:
        case Chance():
            assert {outcome.name} == effect.makes()
            assert kind.has_dice and effect.thrown is not None
        case Certain():
            assert outcome.facts.keys() <= effect.makes()
            change = effect.change(FACTS, outcome.facts)
            assert isinstance(change, EffectChange) == kind.changes_units
            assert change is None or change.effect is effect
    assert (kind.events is not Effect.events) == (kind.changes_units and not effect.turns_into)
    assert (effect.typical({}) is None) == kind.changes_units
    assert (effect.state_change is None) == bool(kind.no_state_change), "it names its outcome, or says why it has none"
    text = effect.describe()
    gaps = dict.fromkeys(text.gaps, "x")
    assert text.words.format(whom="target", unit="feet", **gaps)


def test_what_the_interface_asks_of_an_effect_is_a_question_to_it() -> None:
    found = {kind.kind: read(kind) for kind in EFFECTS}
    assert [name for name, effect in found.items() if effect.reloads] == ["reload"]
    assert [name for name, effect in found.items() if effect.lays_charge] == ["lay"]
    assert [name for name, effect in found.items() if effect.begins == "stunned"] == ["condition"]
    assert [name for name, effect in found.items() if effect.turns_into == "bad"] == ["set_grade"]
    ended = small(
        '[[effect]]\nid = "one"\nlabel = "One"\non = ["hit"]\ncondition = "stunned"\nremove = true\nsource = "o"'
    )
    assert (ended.attack.effects[-1].begins, ended.attack.effects[-1].ends) == ("", "stunned")
