"""The end card: its numbers, its three shots, its winner, what a seat has of it, its screen and its exports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.commands.order_commands import FinishBattle
from engine.battle.commands.roster_commands import SetOut
from engine.battle.views.attack_outcomes import CRITICAL, HIT
from engine.journal.session import Session
from tests.tui.play import NARROW, USUAL, play, session_for
from tests.tui.presenter.table import Conversation
from tui.application.commands.runner import do
from tui.application.exports.attack_tally import AttackMade, UnitLoss
from tui.application.exports.end_card import EndCard, EndCardRow, Person, end_card, whole_card, winner_words
from tui.application.exports.end_card_rows import card_text
from tui.application.exports.format_list import PLAYERS
from tui.application.exports.formats import exported
from tui.view.app.board_app import BoardApp
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.end_card_screen import EndCardScreen

TRAIL = ("shoot bandit dice 45 / 6 6", "shoot bandit free dice 20 / 6 6", "shoot bandit free dice 10 / 6 6")
"""In occult-ops: the armour takes the first, the second takes 12 of 20, the third the last 8."""
WAREHOUSE = (
    "now raven",
    "move raven L6",
    "shoot hauler dice 15 / 5",
    "shoot hauler free dice 1",
    "shoot hauler free dice 20 / 6",
    "shoot watchman free dice 20 / 8",
    "shoot hauler free dice 20 / 6",
    "shoot watchman free dice 19 / 4",
)
"""In cwn: Hauler loses 5, 6 and the last 4 of 15, Watchman 3 behind its soak and 4; one shot misses."""


def fought(folder: Path, lines: Sequence[str], map_id: str = "frontier-trail", rules: str = "occult-ops") -> Session:
    session = session_for(folder, map_id, rules)
    for line in lines:
        do(session, line)
    return session


def card_of(session: Session) -> EndCard:
    return whole_card("The fight", session.history.steps_with_battles(), session.rules)


def row(card: EndCard, name: str) -> EndCardRow:
    return next(row for row in card.rows if row.name == name)


def numbers(card: EndCard, name: str) -> tuple[int, int, int, int]:
    found = row(card, name)
    return found.shots, found.hits, found.dealt, found.taken


def test_a_row_counts_what_a_unit_did_in_occult_ops(tmp_path: Path) -> None:
    with closing(fought(tmp_path, TRAIL)) as session:
        card = card_of(session)
    assert numbers(card, "Todd") == (3, 3, 20, 0) and row(card, "Todd").downed == ("Bandit",)
    assert numbers(card, "Bandit") == (0, 0, 0, 20)
    assert [(side.side, side.words) for side in card.sides] == [
        ("law", "4 of 4 standing"),
        ("outlaws", "3 of 4 standing"),
    ]
    assert [(shot.attacker, shot.target, shot.result) for shot in card.shots] == [("Todd", "Bandit", "12 damage")]


def test_a_row_counts_what_a_unit_did_in_cwn(tmp_path: Path) -> None:
    with closing(fought(tmp_path, WAREHOUSE, "warehouse", "cwn")) as session:
        card = card_of(session)
    assert numbers(card, "Raven") == (6, 5, 22, 0) and row(card, "Raven").downed == ("Hauler",)
    assert (numbers(card, "Hauler"), numbers(card, "Watchman")) == ((0, 0, 0, 15), (0, 0, 0, 7))
    (shot,) = card.shots  # 4 of 15 at 45 % is 0.31; 6 of 15 at 65 % is 0.25
    assert (shot.target, shot.odds, shot.result) == ("Watchman", "11 m, 45 %", "4 damage")
    assert not any(side.side == "bystanders" for side in card.sides), "a bystander is on no side of the fight"


def test_an_undone_shot_counts_no_more(tmp_path: Path) -> None:
    with closing(fought(tmp_path, [*TRAIL, "undo"])) as session:
        assert numbers(card_of(session), "Todd") == (2, 2, 12, 0)


def test_a_round_that_has_just_begun_does_not_count(tmp_path: Path) -> None:
    with closing(fought(tmp_path, TRAIL)) as session:
        while session.battle.turns.round == 1:
            do(session, "end")
        assert card_of(session).rounds == 1


def test_a_group_has_one_row(tmp_path: Path) -> None:
    with closing(fought(tmp_path, ("group bandit cutter", *TRAIL))) as session:
        (group,) = (one for one in card_of(session).rows if one.name.endswith("(2)"))
        assert (group.taken, group.side_index) == (20, 1)


PEOPLE = [Person(name, name.title(), name[0], side, index) for index, side in enumerate(("crew", "gang")) for name in (
    ("anna", "bo", "cy") if side == "crew" else ("guard", "gunman")
)]  # fmt: skip


def shot_by(attacker: str, chance: Fraction, share: Fraction, target: str = "guard", kind: str = HIT) -> AttackMade:
    loss = UnitLoss(target, int(share * 20), share)
    return AttackMade(attacker, target, kind, "Rifle", chance=chance, round=1, losses=(loss,))


def test_the_three_shots_are_the_least_likely_and_heaviest_one_a_unit_and_the_earlier_first() -> None:
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    attacks = [
        shot_by("anna", half, quarter),  # 1 × 1/4
        shot_by("anna", quarter, half),  # 2 × 1/2: her best
        shot_by("bo", half, half),  # 1 × 1/2
        shot_by("gunman", quarter, quarter, "anna"),  # 2 × 1/4: as much as Bo's, but later
        shot_by("cy", Fraction(1), Fraction(1)),  # certain: 0
        AttackMade("guard", "anna", chance=Fraction(1, 100), round=2),  # a miss takes nothing
    ]
    found = end_card("Test", 2, PEOPLE, attacks).shots
    assert [(one.attacker, one.odds) for one in found] == [("Anna", "25 %"), ("Bo", "50 %"), ("Gunman", "25 %")]


def test_what_a_unit_is_remembered_for() -> None:
    quarter = Fraction(1, 4)
    attacks = [
        shot_by("anna", quarter, quarter, kind=CRITICAL),
        shot_by("bo", quarter, quarter, "cy"),
        shot_by("gunman", quarter, quarter, "anna"),
    ]
    card = end_card("Test", 1, PEOPLE, attacks)
    assert [row(card, name).remembered for name in ("Anna", "Bo", "Gunman", "Cy")] == [
        "a critical hit on Guard",
        "hit Cy of its own side",
        "hit Anna at 25 %",
        "",
    ]
    assert card.shots[1].badge == "own side"


def test_the_side_that_stands_has_won_else_both_withdraw(tmp_path: Path) -> None:
    with closing(session_for(tmp_path)) as session:
        assert card_of(session).headline == "Both withdraw."
        for unit in session.battle.units.values():
            if unit.side == "outlaws":
                session.submit(SetOut(unit.id, "flees"))
        assert card_of(session).headline == "The law holds the field."
    assert winner_words([]) == "Nobody is left standing."
    third = Person("spy", "Spy", "s", "spies", 2)
    assert winner_words([*PEOPLE, third]) == "All withdraw."
    bystander = Person("clerk", "Clerk", "k", "staff", 2, is_neutral=True)
    assert winner_words([PEOPLE[0], bystander]) == "The crew holds the field."


@pytest.mark.parametrize("columns", [80, 120, 200])
def test_the_card_fits_the_screen_and_has_what_is_remembered_where_there_is_room(tmp_path: Path, columns: int) -> None:
    with closing(fought(tmp_path, TRAIL)) as session:
        rows = card_text(card_of(session), columns)
    assert max(map(len, rows)) <= columns - 4
    assert any("remembered for" in line for line in rows) == (columns > 80)
    assert any(line.split()[:6] == ["T", "Todd", "3", "3", "20", "0"] for line in rows)


def test_plain_mode_prints_the_card_when_the_battle_ends(tmp_path: Path) -> None:
    with closing(fought(tmp_path, TRAIL)) as session:
        lines, _ = do(session, "finish")
        assert lines[0].split() == ["FRONTIER", "TRAIL", "·", "1", "round", "·"]
        assert "GM: The battle is finished." in lines
        assert not any("three shots" in line for line in do(session, "finish")[0]), "once"


def test_enter_carries_over_and_escape_keeps_playing(tmp_path: Path) -> None:
    session = fought(tmp_path, TRAIL)
    app = BoardApp(session)

    async def script(pilot: Pilot[None], board: BattleScreen) -> None:
        rows = [*session.journal.rows()]
        await pilot.press("plus", "F")
        await pilot.pause()
        assert isinstance(app.screen, EndCardScreen)
        await pilot.press("f", "e", "escape")
        await pilot.pause()
        assert app.screen is board and not session.battle.is_finished
        assert [*session.journal.rows()] == rows, "no key of the card reaches the battle"
        await pilot.press("plus", "F")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen is board and session.battle.is_finished

    play(app, script, USUAL)


def test_x_exports_and_the_card_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = fought(tmp_path / "data", TRAIL)
    app = BoardApp(session)

    async def script(pilot: Pilot[None], board: BattleScreen) -> None:
        await pilot.press("plus", "F")
        await pilot.pause()
        await pilot.press("x")
        for _ in range(100):
            await pilot.pause(0.05)
            if [*tmp_path.glob("*.html")]:
                break
        await pilot.pause(0.1)
        assert isinstance(app.screen, EndCardScreen) and app.screen._words.startswith("Saved as ")
        assert not session.battle.is_finished

    play(app, script, NARROW)


def test_the_side_that_is_down_is_told_with_the_key_that_ends_the_fight(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path))
    for unit in list(talk.battle.units.values()):
        if unit.side == "outlaws":
            talk.presenter.submit(SetOut(unit.id, "flees"))
    assert talk.said.endswith("The outlaws are down. · + F ends the fight")


def test_a_finished_battle_shows_its_card_again(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path))
    talk.presenter.submit(FinishBattle())
    talk.line("finish")
    assert talk.display.end_card.headline == "Both withdraw."
    talk.display.carry_over()
    assert "The battle changed no character files" in talk.said


@pytest.mark.parametrize("side", ["", PLAYERS, "law"])
def test_the_html_report_opens_with_the_card_and_the_final_board(tmp_path: Path, side: str) -> None:
    with closing(fought(tmp_path, [*TRAIL, "finish"])) as session:
        page = exported(session, "html", side)
    _, body = page.split("<body>")
    headings = re.findall(r"<h\d>(.*?)</h\d>", body)
    assert headings[:4] == ["Frontier trail", "Both withdraw.", "The fight in three shots", "The board at the end"]
    assert body.index("The board at the end") < body.index("<svg") < body.index("Round 1</h2>")
    counts = "law 4 of 4 standing" if side != PLAYERS else "law 4 seen standing"
    assert f"1 round: {counts}, outlaws {'3 of 4' if not side else '3 seen'} standing" in body
    assert ("59 %: 12 damage" in body.partition("<svg")[0]) == (not side), "chances are for the Game Master"


@pytest.mark.parametrize("side", ["", PLAYERS, "law"])
def test_each_round_of_the_html_report_has_a_table_of_its_attacks(tmp_path: Path, side: str) -> None:
    with closing(fought(tmp_path, [*TRAIL, "finish"])) as session:
        page = exported(session, "html", side)
    table = page.partition("Round 1</h2>")[2].partition("<table>")[2].partition("</table>")[0]
    heads, *rows = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in table.split("</tr>")[:-1]]
    assert heads == ["Who", "At", "With", "To hit", "Came to", "Lost"]
    assert [row[:4] for row in rows] == [["Todd", "Bandit", "USP9", "" if side else "59 %"]] * 3
    assert [row[4:] for row in rows] == [["hit", ""], ["hit", "Bandit −12"], ["hit", "Bandit −8 down"]]


def test_a_page_of_a_battle_that_is_not_finished_has_no_winner(tmp_path: Path) -> None:
    with closing(fought(tmp_path, TRAIL)) as session:
        assert "<h2>Both sides stand.</h2>" in exported(session, "html")
