"""Letters of actions: one for each verb in all rulesets, and no two alike in one menu."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.rules.model import works_with
from rulesets import shipped_rulesets
from tests.rules.table import ruleset
from tests.rulesets.texts import small
from tui.application.presenter.action_rows import menu_keys

ACTION = """
[action.{id}]
label = "{id}"
kind = "{kind}"
letter = "{letter}"
source = "ours"
"""
REQUIRE = """
[[action.{id}.require]]
holds = "unit.posture == '{posture}'"
reason = "it is {{unit.posture}}"
"""
GROUP = """
[action_group]
w = "Wrestle"
"""

VERBS = {
    "Move": "m",
    "Full move": "m",
    "Aim": "a",
    "Aim (half)": "a",
    "Aimed shot": "a",
    "Charge": "c",
    "Run": "R",
    "Kneel": "n",
    "Go prone": "p",
    "Stand up": "u",
    "Stand up from kneeling": "u",
    "Get up": "u",
    "Reload": "r",
    "Burst": "b",
    "Short burst": "b",
    "Burst, 3 hits": "b",
    "Semi-auto": "b",
    "Full auto": "f",
    "Overwatch": "o",
    "Overwatch, for moves": "o",
    "Overwatch: fire at anyone moving in view": "o",
    "Delay": "d",
    "Wait": "d",
    "Hold an action": "d",
    "Grapple": "w",
    "Hold": "w",
    "Called shot, head": "x",
    "Suppressive fire": "v",
    "Covering fire": "v",
    "Dodge": "t",
    "Total defence": "t",
    "Guard mode": "t",
    "Defensive stance": "t",
    "Attack": "s",
    "Single shot": "s",
    "Standard attack": "s",
    "Pick up a weapon": "i",
    "Throw": "g",
    "Disengage": "e",
    "Fighting withdrawal": "e",
    "Clear a jam": "y",
    "Clear the jam": "y",
}
"""The first key of each verb, whatever the ruleset calls it."""


def refused(more: str) -> str:
    with pytest.raises(Unreadable) as caught:
        small(more)
    return str(caught.value)


def act(id: str, letter: str, kind: str = "other", posture: str = "") -> str:
    required = REQUIRE.format(id=id, posture=posture) if posture else ""
    return ACTION.format(id=id, kind=kind, letter=letter) + required


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_a_verb_has_one_letter_in_all_rulesets(name: str) -> None:
    found = {action.label: action.letter[:1] for action in ruleset(name).actions.values()}
    known = {label: letter for label, letter in found.items() if label in VERBS}
    assert known == {label: VERBS[label] for label in known}
    assert len(known) >= 7


def test_the_twenty_verbs_are_there() -> None:
    labels = {action.label for name in shipped_rulesets() for action in ruleset(name).actions.values()}
    assert labels >= set(VERBS)
    assert len(set(VERBS.values())) >= 20


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_every_action_of_a_menu_has_its_own_key(name: str) -> None:
    rules = ruleset(name)
    others = [action for action in rules.actions.values() if action.kind in ("move", "other")]
    for weapon in rules.gear.weapons.values():
        attacks = [
            action
            for action in rules.actions.values()
            if action.kind == "attack" and works_with(action, weapon, rules.gear.weapon_fields)
        ]
        keys = menu_keys([*attacks, *others], rules)
        shown = [keys[action.id] for action in (*attacks, *others) if keys[action.id] != "u"]
        assert len(set(shown)) == len(shown) and all(shown), weapon.id


def test_two_alike_in_one_menu_are_an_error() -> None:
    assert "'hop' has the letter 'h' already, in the same menu" in refused(act("hop", "h") + act("hum", "h"))


def test_two_that_no_posture_allows_both_may_share_a_letter() -> None:
    rules = small(act("rise", "u", posture="kneeling") + act("get-up", "u", posture="prone"))
    assert rules.actions["rise"].letter == rules.actions["get-up"].letter == "u"


@pytest.mark.parametrize(("letter", "said"), [("j", "other than j"), ("wd", "no [action_group]"), ("", "letter")])
def test_a_wrong_letter_is_an_error(letter: str, said: str) -> None:
    assert said in refused(act("hop", letter))


def test_a_letter_is_for_actions_of_the_menu() -> None:
    assert "in no menu" in refused(act("draw", "d", "ready"))


def test_a_group_has_second_keys_of_its_own() -> None:
    more = GROUP + act("grab", "wg") + act("kick", "w") + act("bite", "w10")
    rules = small(more)
    assert {rules.actions[name].group for name in ("grab", "kick", "bite")} == {"Wrestle"}
    keys = menu_keys([rules.actions[name] for name in ("grab", "kick", "bite")], rules)
    assert keys["grab"] == "wg" and keys["kick"] == "w1" and keys["bite"] == "w0"
    assert "already, in the same menu" in refused(more + act("gouge", "wg"))
    assert "letter of a group" in refused('[action_group]\nj = "Jokes"\n')
