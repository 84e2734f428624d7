"""Each leak that was mended, put back where it was made: the law finds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from engine.battle import events as ev
from engine.battle.command import Act, Command, EndTurn, Move
from engine.battle.commands import order_commands as order
from engine.battle.commands import roster_commands
from engine.battle.commands.gear_commands import SetStat
from engine.battle.commands.note_commands import SetNote, ThrowDice
from engine.battle.commands.roster_commands import AddUnit, RemoveUnit
from engine.battle.commands.unit_edits import Place
from engine.battle.events.event import Event
from engine.battle.state.battle import Battle, TurnOrder
from engine.battle.views import known_battle, side_moments
from engine.battle.views.aftermath import NOTHING_DONE, Aftermath
from engine.geometry.squares import parse_square
from engine.journal.history import Step
from engine.values import replace
from tests.secrets.law import differences
from tests.secrets.secret_commands import MOMENTS, forms
from tests.secrets.stage import VIEWERS, Stage
from tests.secrets.turns import turns_played
from tui.application.exports import frames, log_cleanup
from tui.application.reports.seat_report import SeatReport

Patch = pytest.MonkeyPatch


def note_mark(patch: Patch) -> None:
    cut = known_battle.cut_to

    def cut_with_notes(battle: Battle, *rest: object) -> Battle:
        known = cut(battle, *rest)  # type: ignore[arg-type]
        return replace(known, gm=replace(known.gm, notes=battle.gm.notes))

    patch.setattr(known_battle, "cut_to", cut_with_notes)


def frame_for_each_step(patch: Patch) -> None:
    patch.setattr(frames, "_is_seen", lambda *frame: True)


def rolls_of_gm(patch: Patch) -> None:
    patch.setattr(ev.DiceThrown, "is_for_gm", False)


def initiative_of_sides(patch: Patch) -> None:
    patch.setattr(ev.InitiativeRolled, "redacted", lambda event, hidden, _: None if event.who in hidden else event)


def half_of_tie(patch: Patch) -> None:
    patch.setattr(ev.TieRolled, "redacted", lambda event, hidden, _: None if event.who in hidden else event)


def whole_receipt(patch: Patch) -> None:
    patch.setattr(log_cleanup, "known_receipt", lambda rolled, *rest: rolled)


def place_after_somebody_hidden(patch: Patch) -> None:
    def redacted(event: ev.PlaceTaken, hidden: frozenset[str], _: Battle) -> Event | None:
        return None if {event.unit, event.after} & hidden else event

    patch.setattr(ev.PlaceTaken, "redacted", redacted)


def place_named(patch: Patch) -> None:
    patch.setattr(ev.PlaceTaken, "redacted", lambda event, hidden, _: None if event.unit in hidden else event)


def hidden_and_removed(patch: Patch) -> None:
    arrived = log_cleanup.hidden_on_arrival

    def of_those_left(steps: Sequence[Step]) -> tuple[frozenset[str], ...]:
        """Without whom has left by the end of the battle."""
        return tuple(hidden & steps[-1].after.units.keys() for hidden in arrived(steps))

    for module in (log_cleanup, frames):
        patch.setattr(module, "hidden_on_arrival", of_those_left)


def turned_to_hidden(patch: Patch) -> None:
    patch.setattr(Battle, "known_foes", Battle.foes)


def numbers_count_hidden(patch: Patch) -> None:
    patch.setattr(roster_commands, "_is_secret", lambda unit, battle: False)


def ids_count_hidden(patch: Patch) -> None:
    patch.setattr(roster_commands, "HIDDEN_ID", "")


def hidden_turn_freezes(patch: Patch) -> None:
    def frozen(public: Battle, turns: TurnOrder, before: Battle, now: Battle) -> Battle:
        return public

    patch.setattr(known_battle, "_without_its_turn", frozen)


def marks_wiped(patch: Patch) -> None:
    def of_last(seat: SeatReport) -> Aftermath:
        return seat.did[-1][-1].aftermath if seat.did and seat.did[-1] else NOTHING_DONE

    patch.setattr(SeatReport, "aftermath", property(of_last))


BREAKS: Sequence[tuple[Callable[[Patch], None], str, type[Command]]] = (
    (note_mark, "aog", SetNote),
    (frame_for_each_step, "aog", SetNote),
    (rolls_of_gm, "aog", ThrowDice),
    (initiative_of_sides, "cwn", AddUnit),
    (half_of_tie, "eva", SetStat),
    (whole_receipt, "volt", Place),
    (place_after_somebody_hidden, "aog", order.SetPlace),
    (place_named, "aog", order.SetPlace),
    (place_after_somebody_hidden, "aog", order.Delay),
    (place_named, "aog", order.Delay),
    (hidden_and_removed, "aog", RemoveUnit),
    (turned_to_hidden, "aog", Place),
    (numbers_count_hidden, "aog", AddUnit),
    (ids_count_hidden, "aog", AddUnit),
    (hidden_turn_freezes, "aog", order.SetTurn),
    (marks_wiped, "aog", SetNote),
)
"""What puts a leak back, a ruleset in which it is seen, and the command of which it tells."""


@pytest.mark.slow
@pytest.mark.parametrize(("put_back", "rules", "kind"), BREAKS, ids=lambda value: getattr(value, "__name__", value))
def test_the_law_finds_each_leak_that_is_put_back(
    put_back: Callable[[Patch], None], rules: str, kind: type[Command], monkeypatch: Patch
) -> None:
    secrets = [one for one in forms(Stage.begin(rules)) if type(one.command) is kind and one.is_for_table]
    moments = MOMENTS[: 1 + max(MOMENTS.index(one.moment) for one in secrets)]
    assert differences(rules, secrets, VIEWERS, moments=moments) == []
    put_back(monkeypatch)
    assert differences(rules, secrets, VIEWERS, moments=moments) != []


@pytest.mark.slow
@pytest.mark.parametrize("module", (known_battle, side_moments), ids=lambda module: module.__name__)
def test_the_law_finds_what_leads_to_a_hidden_turn_and_is_told_at_once(module: object, monkeypatch: Patch) -> None:
    monkeypatch.setattr(module, "leads_to_hidden_turn", lambda before, now: False)
    moves = [Move("bo", (parse_square("H2"), parse_square("G2"))), *[EndTurn()] * 6]
    later = [order.SetInitiative("mole", 9)]
    bare = turns_played("volt", moves, until="bo", secrets=later)
    secret = turns_played("volt", moves, until="bo", secrets=later, acts={"mole": Act("mole", "wait")})
    assert secret.differences(bare) != []
