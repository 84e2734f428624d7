"""Which reactions and defences are asked for: decided in a list, and with one key where one is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engine.battle.attacks.defence_flow import Answer
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.policies import policy_kinds
from engine.battle.state.battle import Opening
from engine.battle.state.gm_overrides import AUTO, OFF, POLICIES
from engine.battle.wording import POLICY_WORDS
from engine.errors import BattleboardError
from tui.commands.rulings import ALL_KINDS, policy_now
from tui.modals.menu import Choice

if TYPE_CHECKING:
    from tui.screens.conversation import Conversation

POLICY_KEYS: Mapping[str, str] = {
    "a": "always by itself",
    "n": "never",
    "A": "for all units",
    "N": "for all units",
}
"""Where a reaction or defence is asked for: what is said of its kind from now on."""
HOW = {"a": AUTO, "n": OFF}
USUAL = "usual"


def choose_policy(talk: Conversation) -> None:
    """Offers every kind with what holds now, and asks for whom the chosen one shall be otherwise."""
    battle, rules = talk.session.battle, talk.session.rules
    kinds = policy_kinds(rules)
    if not kinds:
        talk.say(f"{rules.name} has neither reactions nor defences.")
        return
    choices = [Choice(kind, label, policy_now(battle, kind)) for kind, label in kinds.items()]
    choices.append(Choice(USUAL, ALL_KINDS, policy_now(battle, "")))

    def chosen(kind: str | None) -> None:
        if kind:
            _for_whom(talk, "" if kind == USUAL else kind, kinds.get(kind, ALL_KINDS))

    talk.choose("Reactions and defences: never, asked, by itself", choices, chosen)


def _for_whom(talk: Conversation, kind: str, label: str) -> None:
    battle = talk.session.battle
    held = next(iter(battle.openings), None)
    here = battle.at(talk.looked.cursor)
    meant = held.unit if held else here.id if here else talk.looked.unit
    unit = battle.units.get(meant)
    whom = {"everybody": SetPolicy("", kind)}
    if unit is not None:
        whom = {
            unit.name: SetPolicy("", kind, unit.id),
            f"all of {unit.side}": SetPolicy("", kind, "", unit.side),
        } | whom
    said = {(policy.kind, policy.unit, policy.side): policy.how for policy in battle.gm.policies}
    wishes: dict[str, SetPolicy] = {}
    choices = []
    for who, wish in whom.items():
        now = said.get((wish.kind, wish.unit, wish.side), "")
        for how in POLICIES:
            line = f"{who}: {POLICY_WORDS[how]}"
            wishes[line] = SetPolicy(how, wish.kind, wish.unit, wish.side)
            choices.append(Choice(line, line, "", "as it is" if how == now else ""))
        if now:
            line = f"{who}: nothing said"
            wishes[line] = wish
            choices.append(Choice(line, line))

    def chosen(line: str | None) -> None:
        if line:
            talk.submit(wishes[line])

    talk.choose(label, choices, chosen)


def learn_answer(talk: Conversation, key: str, meant: Iterable[Answer]) -> None:
    """What a key of a question says of the defences meant."""
    _learn(talk, key, {(answer.kind, answer.unit) for answer in meant})


def learn_opening(talk: Conversation, key: str, held: Opening) -> None:
    """What a key of the list of attacks at once says of the one meant."""
    if held.reaction:
        _learn(talk, key, {(held.reaction, held.unit)})
    else:
        talk.say("That is no reaction of the ruleset's: it is asked for each time.")


def _learn(talk: Conversation, key: str, meant: Iterable[tuple[str, str]]) -> None:
    is_for_all = key.isupper()
    for kind, unit in sorted(meant):
        try:
            talk.session.submit(SetPolicy(HOW[key.lower()], kind, "" if is_for_all else unit))
        except BattleboardError as reason:
            talk.say(str(reason))
