"""Deciding a ruling otherwise for this battle: which one, and how."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.rulings_in_force import ruling_now
from engine.battle.wording import ruling_words
from engine.rules.rulings import Ruling
from tui.commands.rulings import parse_ruling
from tui.modals.menu import Choice

if TYPE_CHECKING:
    from tui.screens.conversation import Conversation

YES_OR_NO = (True, False)


def choose_ruling(talk: Conversation) -> None:
    """Offers the ruleset's rulings with what holds now, and asks how the chosen one shall be decided."""
    rules = talk.session.rules
    if not rules.rulings:
        talk.say(f"{rules.name} leaves nothing to decide.")
        return
    battle = talk.session.battle
    choices = [
        Choice(ruling.id, ruling.label, ruling_words(ruling_now(battle, ruling))) for ruling in rules.rulings.values()
    ]

    def chosen(name: str | None) -> None:
        if name:
            _decide(talk, rules.rulings[name], ruling_now(battle, rules.rulings[name]))

    talk.choose("Rulings of this battle", choices, chosen)


def _decide(talk: Conversation, ruling: Ruling, now: bool | int | str) -> None:
    choices = ruling.choices or (YES_OR_NO if isinstance(ruling.value, bool) else ())
    if not choices:
        talk.ask_command(f"{ruling.label}, now {ruling_words(now)}:", partial(parse_ruling, ruling=ruling))
        return
    values = {ruling_words(value): value for value in choices}

    def chosen(told: str | None) -> None:
        if told:
            talk.submit(SetRuling(ruling.id, values[told]))

    reasons = {told: "as it is" if value == now else "" for told, value in values.items()}
    talk.choose(ruling.label, [Choice(told, told, "", reasons[told]) for told in values], chosen)
