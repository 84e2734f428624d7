"""A battle to show to friends: web page, picture, recording; what the GM hid and what a side did not see is in none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pyte
import pytest

from engine.answers import typed_dice
from engine.battle import command as cmd
from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.unit_edits import Place, SetPosture
from engine.battle.events import UnitMoved
from engine.battle.moves.moves import movement_range
from engine.battle.views.aftermath import Aftermath, Mark, Shot, Walk
from engine.battle.views.attack_outcomes import HIT, MISS
from engine.battle.views.fog_of_war import in_sight, sides_of
from engine.errors import BattleboardError, Unknown
from engine.generators import result_of
from engine.geometry.squares import Square, parse_square
from engine.journal.branch import Branch
from engine.journal.session import Session
from engine.values import replace
from tests.golden.battles import FIRST, scripts
from tests.tui.play import session_for
from tui.__main__ import main
from tui.application.commands.runner import do
from tui.application.exports.export_files import new_file, write_export
from tui.application.exports.format_list import DRAWING, FORMATS, PLAYERS
from tui.application.exports.formats import WRITERS, exported
from tui.application.exports.frames import ReplayFrame, frames_of, merged
from tui.application.exports.side_words import side_words
from tui.application.library.battle_files import new_battle, open_battle
from tui.view.exports.board_pictures import MOST_COLUMNS, crop_of
from tui.view.exports.drawn_formats import DRAWN_FORMATS

SHOWN = [name for name, one in FORMATS.items() if one.has_side]
NASTY = "<img src=x onerror=alert(1)>"
SECRET = "gold is buried here"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A fight with a hidden unit, a note of the GM's, a name that is HTML, and a command that was undone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BATTLEBOARD_DATA", str(tmp_path_factory.mktemp("data")))
        with closing(new_battle("frontier-trail", "occult-ops", "demo-17")) as session:
            for line in ("hide cutter", f"note all: {SECRET}", f"name lookout {NASTY}"):
                do(session, line)
            session.submit(cmd.Attack("todd", "bandit", "", ""), typed_dice(((45,), (10,))))
            session.submit(SetPosture("todd", "prone"))
            session.undo()
            for _ in range(8):
                session.submit(cmd.EndTurn())
            session.submit(cmd.Attack("todd", "bandit", "", ""), typed_dice(((99,),)))
            yield session


@pytest.fixture(scope="module")
def frames(session: Session) -> list[ReplayFrame]:
    return result_of(frames_of(session))


def test_every_format_is_listed_and_written(session: Session) -> None:
    assert {*WRITERS, *DRAWN_FORMATS} == {*FORMATS} and not {*WRITERS} & {*DRAWN_FORMATS}
    assert len({one.suffix for one in FORMATS.values()}) == len(FORMATS)
    with pytest.raises(BattleboardError, match="holds the whole battle"):
        exported(session, "toml", "law")
    with pytest.raises(Unknown, match="law"):
        exported(session, "svg", "lav")


def test_what_draws_is_refused_where_nothing_draws(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in DRAWN_FORMATS:
        monkeypatch.delitem(DRAWING, name)
    with pytest.raises(BattleboardError, match="svg needs the board, which nothing draws here"):
        exported(session, "svg")
    assert exported(session, "markdown")


@pytest.mark.long
@pytest.mark.parametrize("name", SHOWN)
def test_what_the_gm_hid_and_noted_is_in_no_format_but_the_gms(session: Session, name: str) -> None:
    hidden = session.battle.units["cutter"].name
    if name in ("markdown", "html"):
        assert hidden in exported(session, name)
    for side in (PLAYERS, *sides_of(session.battle)):
        text = exported(session, name, side)
        assert SECRET not in text
        assert hidden not in text
        assert session.journal.header.seed not in text or (name in ("markdown", "html") and side == PLAYERS)


class Page(HTMLParser):
    """Collects the tags and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_the_page_has_a_picture_a_round_and_receipts_and_loads_nothing(session: Session) -> None:
    text = exported(session, "html")
    page = Page(text)
    assert page.tags.count("figure") == session.battle.turns.round + 1 == 3, "and one of the final board"
    assert {"details", "table", "svg"} <= set(page.tags)
    assert not {"img", "script", "link", "iframe", "image"} & set(page.tags)
    assert not {"src", "href", "xlink:href", "onerror"} & {name for name, _ in page.attributes}
    assert "&lt;img src=x" in text
    assert not re.search(r"url\((?!#)|@import|@font-face", text)
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_the_picture_is_an_svg_of_the_board_without_fonts_from_elsewhere(session: Session) -> None:
    text = exported(session, "svg")
    root = ElementTree.fromstring(text)
    said = " ".join("".join(root.itertext()).split())
    assert "Frontier trail" in said.replace("\xa0", " ")
    assert "@font-face" not in text
    assert "https://cdnjs" not in text


def test_the_recording_is_asciicast_v2_and_its_differences_add_up(session: Session, frames: list[ReplayFrame]) -> None:
    first, *events = [json.loads(line) for line in exported(session, "cast").splitlines()]
    assert (first["version"], first["title"]) == (2, "Frontier trail")
    screen = pyte.Screen(first["width"], first["height"])
    stream, before = pyte.Stream(screen), 0.0
    for seconds, kind, data in events:
        assert before <= seconds
        before = seconds
        assert kind in "om"
        if kind == "o":
            stream.feed(data)
    assert [data for _, kind, data in events if kind == "m"] == ["Round 1", "Round 2"]
    assert f"round 2 · Game Master's view · step {len(frames)}" in screen.display[0]
    assert screen.display[1].split()[:3] == ["A", "B", "C"]
    assert all(len(json.dumps(event)) < 8_000 for event in events[3:]), "a step is its difference from the one before"


def test_a_side_has_no_number_and_no_receipt_of_others(session: Session) -> None:
    law, outlaws = exported(session, "markdown", "law"), exported(session, "markdown", "outlaws")
    assert "as law saw it" in law
    assert "Todd → Bandit, USP9: " in law
    assert "<details>" not in law + outlaws
    assert "to hit" not in law + outlaws
    assert re.search(r"^\| Bandit \| outlaws \|  \|", law, re.MULTILINE)
    assert re.search(r"^\| Bandit \| outlaws \| [^|]*\d+ of \d+", outlaws, re.MULTILINE)


def test_who_acts_out_of_sight_is_named_only_once_it_comes_into_sight(tmp_path: Path) -> None:
    """The heading of its turn does not name it; the move that ends in sight says that it comes into sight there."""
    with closing(session_for(tmp_path, "warehouse", "eva")) as session:
        session.submit(SetTurn("sergeant"))
        seen, _ = in_sight(session.battle, "crew")
        sergeant = session.battle.units["sergeant"]
        assert "sergeant" not in seen
        reach = movement_range(session.battle, session.rules, sergeant)
        goals = sorted({goal for found in reach.reaches for goal in found.costs})

        def ends_in_sight(goal: Square) -> bool:
            there = session.battle.with_unit(replace(sergeant, at=goal))
            return "sergeant" in in_sight(there, "crew")[0]

        shown = next(filter(ends_in_sight, goals), None)
        hidden = next(goal for goal in goals if not ends_in_sight(goal) and goal != sergeant.at)
        session.submit(cmd.Move("sergeant", reach.path(hidden)))
        assert "Sergeant" not in exported(session, "markdown", "crew")
        session.undo()
        assert shown is not None
        session.submit(cmd.Move("sergeant", reach.path(shown)))
        said = exported(session, "markdown", "crew")
        assert re.search(rf"^- Sergeant comes into sight on {shown.name}\.$", said, re.MULTILINE)
        assert "Sergeant moves to" not in said and "### A unit out of sight" in said


@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.slow) for one in scripts()])
def test_a_sides_frames_show_nothing_out_of_its_sight(name: str) -> None:
    with closing(open_battle(FIRST / f"{name}.battle", read_only=True)) as session:
        for side in sides_of(session.battle):
            frames = result_of(frames_of(session, side))
            for frame in frames:
                sight, done = frame.sight, frame.done
                assert {mark.unit for mark in done.marks} <= sight.after
                assert {end for shot in done.shots for end in (shot.attacker, shot.target) if end} <= sight.after
                assert not any(shot.squares for shot in done.shots if not shot.target)  # a shot at nobody known
                assert all({*area} <= sight.squares for area in done.rings)
                assert done.landed is None or done.landed in sight.squares
            never = {unit.name for unit in session.battle.units.values()}
            never -= {unit.name for frame in frames for unit in frame.view.units}
            said = " ".join(words for frame in frames for _, words in frame.words)
            assert not [one for one in never if re.search(rf"\b{re.escape(one)}\b", said)]


def test_a_line_of_fire_needs_both_of_its_ends(session: Session) -> None:
    battle = session.battle
    todd, bandit = battle.units["todd"], battle.units["bandit"]
    far = Square(0, 0)
    found = Aftermath(
        walks=(Walk("todd", (far,)),), shots=(Shot("todd", "bandit", (todd.at, bandit.at), True),),
        marks=(Mark("bandit", bandit.at, 1, HIT, 7),), thrower="todd", aimed=far, landed=bandit.at,
        rings=((bandit.at, far),),
    )  # fmt: skip
    both, one, near = {"todd", "bandit"}, {"bandit"}, {bandit.at}
    seen = found.seen_by(both, both, near)
    assert (seen.shots, seen.trail, seen.rings) == (found.shots, (far,), ((bandit.at,),))
    assert not found.seen_by(one, both, near).trail
    seen = found.seen_by(one, one, near)
    assert (seen.shots, seen.marks) == ((), found.marks)
    assert found.seen_by((), (), ()).is_empty


def test_a_round_is_the_sum_of_its_steps(frames: list[ReplayFrame]) -> None:
    at = next(unit.at for unit in frames[-1].view.units if unit.id == "bandit")

    def step(kind: str, amount: int) -> ReplayFrame:
        return replace(frames[-1], done=Aftermath(marks=(Mark("bandit", Square(0, 0), 1, kind, amount),)))

    (mark,) = merged([step(HIT, 3), step(MISS, 0), step(HIT, 4)]).marks
    assert (mark.kind, mark.amount, mark.at) == (HIT, 7, at)
    assert merged([]).is_empty


def test_a_large_map_is_shown_around_its_units(frames: list[ReplayFrame]) -> None:
    whole = crop_of(frames)
    assert whole.size == (frames[-1].view.field.columns, frames[-1].view.field.rows)
    view, battle = frames[-1].view, frames[-1].battle
    wide = replace(battle, field=replace(battle.field, columns=MOST_COLUMNS * 3))
    crop = crop_of([replace(frames[-1], battle=wide)])
    assert crop.size[0] <= MOST_COLUMNS
    assert all(crop.left <= unit.at.column < crop.right for unit in view.units)


def test_no_file_is_written_over(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    stem = session.journal.path.stem
    assert [result_of(write_export(session, "svg")).split(". ")[0] for _ in range(2)] == [
        f"Saved as {tmp_path / stem}{end}.svg" for end in ("", "-2")
    ]
    assert new_file("here", "x", ".html") == tmp_path / "here.html"
    assert new_file("here.html", "x", ".html") == tmp_path / "here.html"
    with pytest.raises(BattleboardError, match="already exists: type another name"):
        write_export(session, "svg", stem)
    with pytest.raises(BattleboardError, match="what-if"):
        write_export(Branch(session), "svg")


def test_a_line_exports_and_says_where(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (said,), _ = do(session, "export markdown last night side law")
    assert said.startswith(f"Saved as {tmp_path / 'last night.md'}. What law saw. Left out: ")
    assert "as law saw it" in (tmp_path / "last night.md").read_text("utf-8")
    (said,), _ = do(session, "export svg evening players")
    assert said.startswith(f"Saved as {tmp_path / 'evening.svg'}. The players' view. Left out: ")
    for wrong, why in (("export jpg", "No format"), ("picture", "needs the screen")):
        with pytest.raises(BattleboardError, match=why):
            do(session, wrong)


def test_the_command_line_exports_a_side(tmp_path: Path, session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = str(session.journal.path), tmp_path / "law.md"
    assert main(["export", path, "--side", "law", "-o", str(out)]) == 0
    assert "as law saw it" in out.read_text("utf-8")
    assert main(["export", path, "--players", "-o", str(tmp_path / "all.md")]) == 0
    assert "The players' view." in (tmp_path / "all.md").read_text("utf-8")
    assert main(["export", path, "--jsonl", "--side", "law"]) == 1
    assert "holds the whole battle" in capsys.readouterr().err


def test_a_side_s_report_says_who_is_revealed_and_names_only_numbers_that_are_not_full(tmp_path: Path) -> None:
    with closing(session_for(tmp_path, "warehouse", "aog")) as session:
        for line in ("hide hauler", "place hauler J7", "damage ox 2", "now ox", "reveal hauler"):
            do(session, line)
        do(session, "shoot hauler ox free defence none dice 90")
        report = exported(session, "markdown", "crew")
    assert report.index("- Hauler is in sight on J7.") < report.index("Hauler → Ox")
    (ox,) = (row for row in report.splitlines() if row.startswith("| Ox "))
    assert re.fullmatch(r"hit points \d+ of \d+", ox.split(" | ")[2])


def test_a_move_in_two_parts_is_told_square_by_square(tmp_path: Path) -> None:
    """As one that a reaction interrupts."""
    with closing(new_battle("warehouse", "occult-ops", "7", tmp_path)) as session:
        session.submit(Place("raven", parse_square("L6")))
        session.submit(Place("watchman", parse_square("L9")))
        session.submit(SetTurn("watchman"))
        session.submit(cmd.Move("watchman", tuple(map(parse_square, ("L9", "L8", "L7")))))
        frame = result_of(frames_of(session, "crew"))[-1]
        taken = session.history.done
        assert taken is not None
        (whole,) = (event for event in taken.events if isinstance(event, UnitMoved))
        parts = tuple(replace(whole, path=whole.path[place : place + 2]) for place in range(len(whole.path) - 1))
        step = replace(taken, events=parts)
        assert [*side_words(step, frame.sight, frame.done, session.rules)] == [
            ("", "Watchman comes into sight on L8."),
            ("", "Watchman moves to L7."),
        ]
