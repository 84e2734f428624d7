"""Title bar: the round, the acting unit and the next ones. Its colour shows set-up, or that commands are not saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content
from textual.widgets import Static

from engine.battle.state.battle import Battle
from engine.battle.views.view import UnitView, View
from engine.battle.wording import left_words
from engine.journal.branch import Branch
from engine.journal.session import Session
from engine.rules.model import Ruleset
from tui.application.describe.order_blocks import next_units
from tui.application.describe.styled_rows import side_style
from tui.application.keys.battle_keys import with_keys
from tui.view.panels.styled_text import join, plain

STATES = ("what-if", "replay", "read-only", "set-up")
"""CSS classes of the bar, each with its own colour; without one the battle is played and saved."""
WORDS = {"": "", "set-up": "", "what-if": "WHAT IF, not saved", "read-only": "read-only"}
SET_UP = "SET-UP  nobody has a turn  {battle.initiative} rolls initiative"
NEXT = "next "
OUT_OF_SIGHT = "a unit out of sight"
"""What players read in place of the acting unit."""


def state_of(session: Session) -> str:
    """The state of a session out of STATES; "" for a battle that is played. Its screen knows about a replay."""
    if isinstance(session, Branch):
        return "what-if"
    if session.journal.read_only or not session.journal.is_in_place:
        return "read-only"
    return "set-up" if session.battle.is_set_up else ""


def words_for(session: Session) -> str:
    """Words for a session's state; "" for a battle that is played and saved."""
    state = state_of(session)
    return "FILE GONE, not saved" if state == "read-only" and not session.journal.is_in_place else WORDS[state]


def quiet(state: str) -> str:
    """The style of less important words in the title; none on a coloured bar."""
    return "" if state else "$muted"


def battle_title(view: View, battle: Battle, rules: Ruleset, state: str, room: int) -> Content:
    """The title of a battle in at most `room` cells: what is less important is left out first.

    The map and the ruleset, the wind, the round, the acting unit, what it has left, and as many of the next as fit.
    What it has left is shortened before the next goes, "1 attack" for "1 attack action", and cut only after.
    """
    name = plain(f"{battle.field.name} · {rules.name}   ", quiet(state))
    blows = battle.scene.wind and f"wind {battle.scene.wind.towards.name} {battle.scene.wind.squares}   "
    wind = [plain(blows, quiet(state))] if blows else []
    if battle.is_set_up and not battle.turns.active:
        turn = plain(with_keys(SET_UP))  # not bold: where bold is bright, dark ink would be grey
        return _first_that_fits(([turn, plain("   "), *wind, name], [turn]), room)
    is_nobodys = not battle.turns.active and not battle.is_finished
    then, unit = next_units(view), battle.units.get(battle.turns.active)
    left, short = (left_words(unit, rules, is_short=brief) if unit else [] for brief in (False, True))
    cut = [[*short[:count], "…"] for count in range(len(short) - 1, 0, -1)]
    turn, brief, *cuts = (
        Content("") if is_nobodys else turn_words(view, state, ", ".join(said)) for said in (left, short, *cut, [])
    )
    forms = ([name, *wind, turn], [*wind, turn], [*wind, brief])
    least = len(then[0].name) + 2 + len(NEXT) if then else 0
    title = _first_that_fits(forms, room - least)
    if title.cell_length > room - least:
        title = _first_that_fits((*forms[1:], [turn], [brief], *([one] for one in cuts)), room)
    return join([title, _names(then, state, room - title.cell_length)])


def turn_words(view: View, state: str, left: str = "") -> Content:
    """The round and the acting unit, filled on the bar of a battle that is played; then what it has `left`.

    Of a finished battle the round and that it is finished.
    """
    if view.is_finished:
        return join([plain(f"Round {view.round} · "), plain("finished", "bold")])
    if not view.round:
        return Content("")
    acting = next((unit for unit in view.units if unit.is_active), None)
    unseen = next((turn.name for turn in view.unknown_turns if turn.is_active and turn.name), OUT_OF_SIGHT)
    left = f" · {left}" if left else ""
    if state:
        name = acting.name if acting else unseen
        return join([plain(f"Round {view.round} · "), plain(name, "bold"), plain(left)])
    badge = plain(f" {acting.name} ", f"{side_style(acting)} reverse") if acting else plain(unseen)
    return join([plain(f" Round {view.round} ", "bold reverse"), " ", badge, plain(left[2:], "$muted")])


def _names(units: Sequence[UnitView], state: str, room: int) -> Content:
    """ "next", then the names of the next units, as many as fit, in their side's colour; on a coloured bar its ink."""

    def fitting() -> Iterator[Content]:
        free = room - len(NEXT)
        for place, unit in enumerate(units):
            free -= len(unit.name) + 2
            if free < 0:
                return
            before = "" if place else plain(NEXT, quiet(state))
            yield join(
                ["  ", before, plain(unit.name, "" if state else f"not bold {side_style(unit).removeprefix('bold ')}")]
            )

    return join(fitting())


def _first_that_fits(titles: Sequence[Sequence[Content]], room: int) -> Content:
    """The first title of at most `room` cells, else the last."""
    joined = [join(parts) for parts in titles]
    return next((title for title in joined if title.cell_length <= room), joined[-1])


def show_title(bar: Static, title: Content, state: str, words: str, width: int) -> None:
    """Shows a title and at the right the uncut words for its state on a bar of `width` cells in the state's colour."""
    for name in STATES:
        bar.set_class(name == state, f"-{name}")
    end = f"  ● {words} " if words else ""
    room = max(1, width - 1 - len(end))
    shown = title.truncate(room, ellipsis=True, pad=bool(end) or bool(state))
    look = "$good" if words == "saved" and not state else quiet(state)
    bar.update(join([" ", shown, plain(end, look)]).truncate(width, pad=bool(state)), layout=False)
