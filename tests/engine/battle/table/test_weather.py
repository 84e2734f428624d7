"""Smoke and wind in a battle: laid by the GM, seen by the tracer, drifting at the round's end, undone and replayed."""

from __future__ import annotations

import json

import pytest

from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.command import EndTurn
from engine.battle.commands.decide import decide
from engine.battle.commands.scene_commands import ClearCloud, SetCloud, SetWind
from engine.battle.commands.terrain_commands import SetBarrier
from engine.battle.state.battle import Battle
from engine.battle.state.codec import from_json, parse_edge
from engine.geometry.battlefield import OffMap
from engine.geometry.blast.smoke_clouds import Cloud, Wind
from engine.geometry.squares import Direction, parse_square
from engine.journal.history import History, event_rows, read_event, replay
from tests.rules.table import Table, fight

D1 = parse_square("D1")


def duel(toml: str = "") -> Table:
    return fight("occult-ops", "a.....b...", "..........", a="gunman", b="gunman", toml=toml)


def round_over(table: Table) -> list[str]:
    """The log of the turns up to the next round."""
    before, lines = table.battle.turns.round, []
    while table.battle.turns.round == before:
        lines += table.do(EndTurn())
    return lines


def test_a_cloud_lies_in_the_field_that_the_tracer_reads() -> None:
    table = duel()
    assert table.shot().situation.facts["smoke_squares"] == 0
    lines = table.do(SetCloud(D1, 1, 2, 4))
    assert lines == ["GM: thick smoke around D1, radius 1 square for 4 rounds."]
    assert table.battle.scene.clouds == (Cloud("smoke-1", D1, 1, 2, 4, "chebyshev"),)
    assert table.battle.field.smoke_at(D1) == 2
    assert table.shot().situation.facts["smoke_squares"] == 3
    assert table.do(ClearCloud("smoke-1")) == ["GM: the smoke around D1 clears."]
    assert table.shot().situation.facts["smoke_squares"] == 0


def test_the_maps_own_smoke_comes_back() -> None:
    table = duel('[smoke]\nrows = """\n.1........\n..........\n"""')
    before = table.battle
    table.do(SetCloud(parse_square("B1"), 1))
    assert table.battle.field.smoke_at(parse_square("B1")) == 2
    assert table.battle.bare_field.smoke == before.field.smoke
    table.do(ClearCloud())
    assert table.battle == before


def test_smoke_drifts_thins_and_goes_at_the_end_of_rounds() -> None:
    table = duel()
    table.do(SetCloud(D1, 1, 2, 3))
    assert table.do(SetWind(Direction.E, 2)) == ["GM: the wind blows towards the east, 2 squares a round."]
    assert "The smoke drifts D1 → F1." in round_over(table)
    assert table.battle.field.smoke_at(parse_square("C1")) == 0
    assert "The smoke drifts F1 → H1 and thins." in round_over(table)
    assert table.battle.field.smoke_at(parse_square("H1")) == 1
    assert "The smoke around H1 clears." in round_over(table)
    assert not table.battle.scene.clouds
    round_over(table)
    assert not table.happened(ev.CloudsDrifted)
    assert table.do(SetWind(Direction.E, 0)) == ["GM: no wind."]


def test_a_round_is_reported_once_with_its_result() -> None:
    table = duel()
    table.do(SetCloud(D1, 1, 2, 3))
    table.do(SetCloud(parse_square("B2"), 0, 1))
    while not table.happened(ev.RoundBegan):
        table.do(EndTurn())
    (drift,) = table.happened(ev.CloudsDrifted)
    assert drift.after == (Cloud("smoke-1", D1, 1, 2, 2), Cloud("smoke-2", parse_square("B2"), 0, 1, 0))
    assert table.events.index(drift) < table.events.index(table.happened(ev.RoundBegan)[0])


def test_a_door_that_opens_lets_smoke_through() -> None:
    edges = "".join(
        f'[[edge]]\nat = "D{row}"\nside = "W"\nkind = "{kind}"\n' for row, kind in ((1, "door"), (2, "wall"))
    )
    table = duel(edges)
    table.do(SetCloud(parse_square("B1"), 3))
    assert table.battle.field.smoke_at(parse_square("E1")) == 0
    table.do(SetBarrier(parse_edge("D1 W"), "open"))
    assert table.battle.field.smoke_at(parse_square("E1")) == 2
    table.do(SetBarrier(parse_edge("D1 W"), "closed"))
    assert table.battle.field.smoke_at(parse_square("E1")) == 0


def test_a_cloud_is_changed_by_its_id() -> None:
    table = duel()
    table.do(SetCloud(D1, 1))
    table.do(SetCloud(D1, 0))
    assert [cloud.id for cloud in table.battle.scene.clouds] == ["smoke-1", "smoke-2"]
    table.do(SetCloud(parse_square("H1"), 2, 1, 5, "smoke-1"))
    assert {cloud.id: cloud.centre.name for cloud in table.battle.scene.clouds} == {"smoke-1": "H1", "smoke-2": "D1"}
    table.do(ClearCloud("smoke-2"))
    table.do(SetCloud(D1, 0))
    assert {cloud.id for cloud in table.battle.scene.clouds} == {"smoke-1", "smoke-2"}


def test_undo_gives_the_smoke_back_and_replay_gives_the_same() -> None:
    table = duel()
    start = table.battle
    history = History(start).take((ev.DiceDrawn(0),))
    for command in (SetCloud(D1, 2, 2, 2), SetWind(Direction.E, 1), EndTurn(), EndTurn(), EndTurn(), EndTurn()):
        history = history.take(decide(history.battle, command, table.rules))
    rows = [event_rows(step.events) for step in history.steps()]
    written = json.loads(json.dumps(rows))
    assert [[read_event(kind, body) for kind, body in batch] for batch in written] == [
        list(step.events) for step in history.steps()
    ]
    told = replay(start, written)
    assert told.battle == history.battle
    assert told.battle.encode() == history.battle.encode()
    states = [step.after for step in history.steps()]
    for expected in reversed(states[:-1]):
        history = history.undo()
        assert history.battle == expected
    assert history.battle.field.smoke == start.field.smoke


def test_a_battle_with_smoke_survives_being_written_down() -> None:
    table = duel()
    table.do(SetCloud(D1, 2, 2, 2))
    table.do(SetWind(Direction.E, 1))
    body = json.loads(table.battle.encode())
    assert from_json(Battle, body) == table.battle


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (SetCloud(D1, -1), "The radius of a cloud must be 0 to 50 squares, not -1."),
        (SetCloud(D1, 51), "The radius of a cloud must be 0 to 50 squares, not 51."),
        (SetCloud(D1, 1, 3), "Smoke must be thin (1) or thick (2), not 3."),
        (SetCloud(D1, 1, 2, -1), "A cloud lasts 0 to 1000 rounds, 0 for no limit."),
        (SetCloud(D1, 1, 2, 0, "smoke-9"), "No cloud is called 'smoke-9'."),
        (ClearCloud(), "There is no smoke to clear."),
        (ClearCloud("smoke-1"), "No cloud is called 'smoke-1'."),
        (SetWind(Direction.E, 0), "There is already no wind."),
        (SetWind(Direction.E, 51), "The wind must be 0 to 50 squares a round, not 51."),
    ],
)
def test_what_cannot_be_is_refused(command: SetCloud | ClearCloud | SetWind, said: str) -> None:
    assert duel().refusal(command) == said


def test_the_same_again_is_refused() -> None:
    table = duel()
    table.do(SetCloud(D1, 1))
    assert table.refusal(SetCloud(D1, 1, cloud="smoke-1")) == "The smoke around D1 is already like that."
    table.do(SetWind(Direction.E, 1))
    assert table.refusal(SetWind(Direction.E, 1)) == "The wind already blows like that."
    with pytest.raises(OffMap):
        decide(table.battle, SetCloud(parse_square("Z9"), 1), table.rules)


def test_wind_is_part_of_the_battle() -> None:
    table = duel()
    table.do(SetWind(Direction.NW, 3))
    assert table.battle.scene.wind == Wind(Direction.NW, 3)
    assert apply_all(table.battle, (ev.WindSet(None),)).scene.wind is None
