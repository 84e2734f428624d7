"""Menus that change a ruling for this battle."""

from __future__ import annotations

from functools import partial

from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.rulings_in_force import ruling_now
from engine.battle.wording import ruling_words
from engine.rules.rulings import Ruling
from tui.application.commands.rulings import parse_ruling
from tui.application.presenter.presenter import Presenter
from tui.application.prompts.choice import Choice

YES_OR_NO = (True, False)


def choose_ruling(presenter: Presenter) -> None:
    """Opens a menu of the rulings with their values, and asks for the new value of one."""
    rules = presenter.session.rules
    if not rules.rulings:
        presenter.say(f"{rules.name} has no rulings to change.")
        return
    battle = presenter.session.battle
    choices = [
        Choice(ruling.id, ruling.label, ruling_words(ruling_now(battle, ruling))) for ruling in rules.rulings.values()
    ]

    def chosen(name: str) -> None:
        if name:
            _decide(presenter, rules.rulings[name], ruling_now(battle, rules.rulings[name]))

    presenter.choose("Rulings for this battle", choices, chosen)


def _decide(presenter: Presenter, ruling: Ruling, now: bool | int | str) -> None:
    choices = ruling.choices or (YES_OR_NO if isinstance(ruling.value, bool) else ())
    if not choices:
        presenter.ask_command(f"{ruling.label}, now {ruling_words(now)}:", partial(parse_ruling, ruling=ruling))
        return
    values = {ruling_words(value): value for value in choices}

    def chosen(label: str) -> None:
        if label:
            presenter.submit(SetRuling(ruling.id, values[label]))

    reasons = {label: "current" if value == now else "" for label, value in values.items()}
    presenter.choose(ruling.label, [Choice(label, label, "", reasons[label]) for label in values], chosen)
