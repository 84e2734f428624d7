"""Menus for the policies of reactions and defences."""

from __future__ import annotations

from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.policies import policy_kinds
from engine.battle.state.gm_overrides import POLICIES
from engine.battle.wording import POLICY_WORDS
from engine.text import side_name, upper_first
from tui.application.commands.rulings import ALL_KINDS, policy_now
from tui.application.presenter.presenter import Presenter
from tui.application.prompts.choice import Choice

USUAL = "usual"


def choose_policy(presenter: Presenter) -> None:
    """Opens a menu of all kinds with their policies, and asks for units and the new policy of one."""
    battle, rules = presenter.session.battle, presenter.session.rules
    kinds = policy_kinds(rules)
    if not kinds:
        presenter.say(f"{rules.name} has no reactions or defences.")
        return
    choices = [Choice(kind, upper_first(label), policy_now(battle, kind)) for kind, label in kinds.items()]
    choices.append(Choice(USUAL, upper_first(ALL_KINDS), policy_now(battle, "")))

    def chosen(kind: str) -> None:
        if kind:
            _for_whom(presenter, "" if kind == USUAL else kind, upper_first(kinds.get(kind, ALL_KINDS)))

    presenter.choose("Reactions and defences: never, ask, automatic", choices, chosen)


def _for_whom(presenter: Presenter, kind: str, label: str) -> None:
    battle = presenter.session.battle
    held = next(iter(battle.openings), None)
    here = battle.at(presenter.focus.cursor)
    meant = held.unit if held else here.id if here else presenter.focus.unit
    unit = battle.units.get(meant)
    whom = {"all units": SetPolicy("", kind)}
    if unit is not None:
        whom = {
            unit.name: SetPolicy("", kind, unit.id),
            f"all of {side_name(unit.side)}": SetPolicy("", kind, "", unit.side),
        } | whom
    said = {(policy.kind, policy.unit, policy.side): policy.how for policy in battle.gm.policies}
    commands: dict[str, SetPolicy] = {}
    choices = []
    for who, command in whom.items():
        now = said.get((command.kind, command.unit, command.side), "")
        for how in POLICIES:
            line = f"{who}: {POLICY_WORDS[how]}"
            commands[line] = SetPolicy(how, command.kind, command.unit, command.side)
            choices.append(Choice(line, line, "", "current" if how == now else ""))
        if now:
            line = f"{who}: default"
            commands[line] = command
            choices.append(Choice(line, line))

    def chosen(line: str) -> None:
        if line:
            presenter.submit(commands[line])

    presenter.choose(label, choices, chosen)
