"""Laws that hold in any fight: random commands, legal and not, on every shipped map under every shipped ruleset."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from engine.answers import Needs, typed_dice
from engine.battle import command as cmd
from engine.battle import events as ev
from engine.battle.apply import apply, apply_all
from engine.battle.commands.decide import decide
from engine.battle.commands.gear_commands import SetAmmunition
from engine.battle.commands.note_commands import SetNote, ThrowDice
from engine.battle.commands.order_commands import RollInitiative, SetTurn
from engine.battle.commands.roster_commands import AddUnit, CopyUnit, RemoveUnit, RenameUnit, SetHidden, SetOut, SetSide
from engine.battle.commands.ruling_commands import Adjust, ClearAdjustments, SetCover
from engine.battle.commands.scene_commands import ClearCharge, ClearCloud, SetCloud, SetOff, SetWind
from engine.battle.commands.terrain_commands import (
    BARRIER_STATES,
    SetBarrier,
    SetEdges,
    SetElevation,
    SetGround,
    SetLamp,
    SetLight,
    SetSmoke,
    SetZone,
)
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import Place, SetCondition, SetPool, SetPosture
from engine.battle.facts import circumstances, sight_line
from engine.battle.magazines import magazine
from engine.battle.moves.moves import movement_range
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.battle.state.codec import from_json
from engine.battle.state.units import Unit
from engine.errors import BattleboardError, Illegal
from engine.geometry.battlefield import Barrier, Battlefield
from engine.geometry.body import POSTURES
from engine.geometry.squares import Direction, Edge, Square
from engine.journal.history import History, event_rows, read_event, replay
from engine.journal.row_kinds import REDO, UNDO
from engine.rules.ledger import Adjustment
from engine.rules.model import SQUARE, Ruleset
from engine.values import replace
from maps import load_map, shipped_maps
from rulesets import shipped_rulesets
from tests.examples import grid
from tests.rules.table import ruleset
from tests.sealing import sealed

COMMANDS, FEW_COMMANDS = 200, 100
"""How many a fight has in the slow run, and in the quick one."""
SPECK = Battlefield("", 1, 1, "metres", 100, (), (), (), (), ())
PAIRS = grid(shipped_rulesets(), shipped_maps())
FIGHTS = [
    pytest.param((*pair.values, seed, count), marks=marks, id=f"{'-'.join(map(str, pair.values))}-{count}")
    for seed, pair in enumerate(PAIRS, 60)
    for count, marks in ((FEW_COMMANDS, ()), (COMMANDS, pytest.mark.slow))
    if count == COMMANDS or not pair.marks
]
"""Every pair of a ruleset and a map; those of the quick run are played a little way there, too."""

Row = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Fight:
    """A whole random fight: its history and the rows that a journal would hold."""

    rules: Ruleset
    count: int
    """Of commands."""
    start: Battle
    history: History
    batches: tuple[list[Row], ...]
    refusals: tuple[str, ...]


def mark(battle: Battle) -> tuple[str, Battlefield, dict[Edge, Barrier]]:
    """Everything in a battle that could change under it: itself spelled out, and a copy of its map's mapping."""
    return repr(replace(battle, field=SPECK)), battle.field, dict(battle.field.barriers)


def play(rules: Ruleset, place: str, seed: int, count: int = COMMANDS) -> Fight:
    """A fight of so many commands that counted, each step checked."""
    random = Random(seed)
    drawn = load_map(shipped_maps()[place])
    start = Battle(drawn.battlefield)
    opening: tuple[ev.Event, ...] = (begin(drawn.placements, rules, f"law {seed}"),)
    opening += decide(apply_all(start, opening), RollInitiative(), rules)
    history = History(start).take(opening)
    batches, refusals = [event_rows(opening)], []
    for _ in range(20 * count):
        if len(batches) > count:
            break
        battle = history.battle
        before = mark(battle)
        turn = random.random()
        try:
            if turn < 0.05:
                history = history.undo()
                batches.append([(UNDO, {})])
            elif turn < 0.07 or (history.undone and turn < 0.4):
                history = history.redo()
                batches.append([(REDO, {})])
            else:
                command = wish(random, battle, rules)
                typed = (tuple(random.randint(1, 20) for _ in range(random.choice((0, 1, 1, 2)))),)
                events = decide(battle, command, rules, typed_dice(typed if random.random() < 0.2 else ()))
                check_step(battle, events, rules)
                history = history.take(events)
                batches.append(event_rows(events))
        except BattleboardError as reason:
            refusals.append(str(reason))
        assert mark(battle) == before
    return Fight(rules, count, start, history, tuple(batches), tuple(refusals))


def check_step(battle: Battle, events: tuple[ev.Event, ...], rules: Ruleset) -> None:
    """Every event leaves the battle before it alone, survives being written down, and breaks no law."""
    assert events
    for event in events:
        before = mark(battle)
        after = apply(battle, event)
        assert mark(battle) == before
        (row,) = event_rows([event])
        assert read_event(row[0], json.loads(json.dumps(row[1]))) == event
        assert after.dice.drawn >= battle.dice.drawn
        battle = after
        if isinstance(event, ev.UnitMoved | ev.UnitPlaced):
            check_place(battle, battle.unit(event.unit))
    for unit in battle.units.values():
        check_unit(battle, unit, rules)
    assert battle.turns.active in battle.turns.order


def check_unit(battle: Battle, unit: Unit, rules: Ruleset) -> None:
    assert all(left >= 0 for left in (*unit.pools.values(), *unit.gear.rounds.values(), *unit.turn.budget.values()))
    assert all(rounds <= magazine(rules, weapon, unit) for weapon, rounds in unit.gear.rounds.items())
    assert unit.turn.stride >= 0 and unit.turn.moved >= 0 and unit.turn.attacks >= 0
    assert unit.posture in POSTURES
    assert set(unit.conditions) <= rules.units.conditions.keys()
    assert unit.is_defeated == bool(unit.out or rules.units.defeated.evaluate(circumstances(battle, rules, unit)))


def check_place(battle: Battle, unit: Unit) -> None:
    """A unit that went somewhere stands on the map, on nothing solid, with nobody in its square."""
    for square in unit.squares:
        assert square in battle.field
        ground = battle.field.ground_at(square)
        assert not ground.blocks_movement or 0 < ground.height <= unit.altitude, f"{unit.name} in {ground.name}"
        for other in battle.units.values():
            if other.id != unit.id and not other.is_defeated and other.altitude == unit.altitude:
                assert square not in other.squares


def wish(random: Random, battle: Battle, rules: Ruleset) -> cmd.Command:
    """Any command at all; most of those that can be legal are about the unit whose turn it is."""
    active, units = battle.unit(battle.turns.active), list(battle.units.values())
    actor = active if random.random() < 0.85 else random.choice(units)
    if battle.scene.charges and random.random() < 0.05:
        return random.choice((SetOff, ClearCharge))(random.choice(battle.scene.charges).at)
    kind = random.choices(range(14), (30, 26, 14, 10, 2, 3, 5, 3, 4, 3, 3, 5, 4, 6))[0]
    match kind:
        case 0:
            return cmd.Move(actor.id, way(random, battle, rules, actor), any_action(random, rules, "move"))
        case 1:
            weapon = random.choice(("", *actor.gear.weapons))
            foe = random.choice(_seen(battle, rules, actor) or units if random.random() < 0.5 else units).id
            is_free = random.random() < 0.2
            return cmd.Attack(actor.id, foe, weapon, any_action(random, rules, "attack"), is_free)
        case 2:
            action = any_action(random, rules, "other")
            at = place(random, battle, actor).at if rules.actions[action].target == SQUARE else None
            return cmd.Act(actor.id, action, square=at, is_free=at is not None and random.random() < 0.2)
        case 3:
            return cmd.EndTurn()
        case 4:
            return RollInitiative()
        case 5:
            return Face(actor.id, random.choice(list(Direction)))
        case 6:
            return Ready(actor.id, random.choice(actor.gear.weapons or ("none",)))
        case 7:
            edges = sorted(battle.field.barriers)
            edge = random.choice([edge for edge in edges if battle.field.barriers[edge].can_open] or edges)
            return SetBarrier(edge, random.choice(BARRIER_STATES))
        case 8:
            return SetPool(random.choice(units).id, random.choice(list(rules.units.pools)), random.randint(-1, 25))
        case 9:
            conditions = list(rules.units.conditions)
            return SetCondition(actor.id, random.choice(conditions), random.random() < 0.5)
        case 10:
            return random.choice((SetPosture(actor.id, random.choice(POSTURES)), place(random, battle, actor)))
        case 12:
            return weather(random, actor)
        case 13:
            return hand(random, battle, rules, actor)
    entries = (
        [modifier.id for modifier in rules.attack.modifiers]
        + [restriction.id for restriction in rules.attack.restrictions]
        + ["own"]
    )
    change = Adjustment(
        random.choice(entries),
        "Luck",
        random.choice((None, 0, 5, -10, Fraction(5, 2))),
        active=random.random() < 0.8,
        is_pinned=random.random() < 0.2,
    )
    return random.choice((Adjust(change), Adjust(change), ClearAdjustments()))


def _seen(battle: Battle, rules: Ruleset, unit: Unit) -> list[Unit]:
    """Enemies in the fight whom a unit sees: most attacks at random would be through walls."""
    foes = (other for other in battle.units.values() if unit.is_enemy_of(other) and not other.is_defeated)
    return [foe for foe in foes if sight_line(battle, unit, foe).can_see]


def way(random: Random, battle: Battle, rules: Ruleset, unit: Unit) -> tuple[Square, ...]:
    """A path: now and then one that the board would offer, else a few steps anywhere."""
    if random.random() < 0.3:
        found = movement_range(battle, rules, unit)
        goals = [square for reach in found.reaches for square in reach.costs]
        if goals:
            return found.path(random.choice(goals))
    path = [unit.at]
    heading = random.choice(list(Direction))
    for _ in range(random.randint(1, 6)):
        path.append(path[-1].step(heading if random.random() < 0.8 else random.choice(list(Direction))))
    return tuple(path)


def place(random: Random, battle: Battle, unit: Unit) -> Place:
    near = random.random() < 0.5
    column = unit.at.column + random.randint(-4, 4) if near else random.randrange(battle.field.columns + 1)
    row = unit.at.row + random.randint(-4, 4) if near else random.randrange(battle.field.rows + 1)
    return Place(unit.id, Square(column, row))


def weather(random: Random, unit: Unit) -> cmd.Command:
    cloud = SetCloud(unit.at, random.randint(-1, 4), random.choice((1, 2)), random.randint(0, 4))
    wind = SetWind(random.choice(list(Direction)), random.randint(0, 3))
    return random.choice((cloud, cloud, ClearCloud(random.choice(("", "smoke-1", "smoke-2"))), wind))


def hand(random: Random, battle: Battle, rules: Ruleset, unit: Unit) -> cmd.Command:
    """What the GM does to the table itself."""
    other = random.choice(list(battle.units.values()))
    where = place(random, battle, unit).at
    squares = tuple(where.step(way) for way in random.sample(list(Direction), 3))
    edge = Edge(where.column, where.row, random.choice("NW"))
    barriers = [None, *battle.field.barriers.values()]
    roles = [*rules.units.sheets, "nobody"]
    wishes: tuple[cmd.Command, ...] = (
        AddUnit(random.choice(roles), unit.side, where, count=random.randint(0, 2), is_hidden=random.random() < 0.3),
        CopyUnit(other.id, where, random.randint(0, 2)),
        RenameUnit(other.id, random.choice((unit.name, "Alias", ""))),
        SetSide(other.id, random.choice((unit.side, "third", "")), random.random() < 0.2),
        SetHidden(other.id, random.random() < 0.5),
        SetOut(other.id, random.choice(("", "", "surrenders"))),
        SetTurn(other.id),
        SetAmmunition(other.id, random.randint(-1, 20), random.choice(("", *other.gear.weapons))),
        SetGround(squares, random.choice(battle.field.legend), "shot to pieces"),
        SetElevation(squares, random.randint(-2, 4) * 500),
        SetEdges((edge,), random.choice(barriers)),
        SetLight(random.choice(("dark", "dim", "bright", "gloomy")), random.choice((squares, ()))),
        SetLamp(where, random.randint(0, 2), random.randint(0, 6), random.choice((0, 600))),
        SetSmoke(squares, random.randint(0, 3)),
        SetZone(random.choice(("A", "D", "no zone")), squares, random.random() < 0.7),
        SetCover(unit.id, other.id, random.choice((None, Fraction(0), Fraction(3, 4))), "heavy", random.random() < 0.5),
        SetNote(random.choice(("", "Beware.")), random.choice((None, where)), note=random.choice(("", "note-1"))),
        ThrowDice("2d6+1", "Wolves"),
    )
    if layers := [known for known in rules.actions.values() if any(done.lays_charge for done in known.effects)]:
        armed = [one for one in battle.units.values() if one.gear.weapon in MINES]
        lay = [cmd.Act(one.id, layers[0].id, square=where, is_free=True) for one in armed]
        wishes = (*wishes, *(8 * lay))
    able = [known for known in battle.turns.order if not battle.unit(known).is_defeated]
    if len(able) > 3:
        wishes = (*wishes, RemoveUnit(other.id))
    return random.choice(wishes)


MINES = ("anti-personnel-mine", "claymore-mine", "anti-vehicle-mine")


def any_action(random: Random, rules: Ruleset, kind: str) -> str:
    known = [action.id for action in rules.actions.values() if action.kind == kind]
    return random.choice(known if kind == "other" else ["", "", *known])


def with_mines(rules: Ruleset) -> Ruleset:
    """The same rules, where grenadiers carry mines as well, if there are any."""
    grenadier = rules.units.sheets["grenadier"]
    mines = tuple(mine for mine in MINES if mine in rules.gear.weapons)
    armed = replace(grenadier, weapons=(*mines, *grenadier.weapons))
    return replace(rules, units=replace(rules.units, sheets={**rules.units.sheets, "grenadier": armed}))


_played: dict[tuple[str, str, int, int], Fight] = {}


@pytest.fixture(params=FIGHTS)
def fought(request: pytest.FixtureRequest) -> Iterator[Fight]:
    """One random fight for each ruleset and map, played once."""
    rules, place, seed, count = request.param
    if request.param not in _played:
        _played[request.param] = play(with_mines(ruleset(rules)), place, seed, count)
    yield _played[request.param]


@pytest.mark.long
def test_random_fights_break_no_law_and_are_worth_the_name(fought: Fight) -> None:
    kinds = {kind for batch in fought.batches for kind, _ in batch}
    assert len(fought.batches) == fought.count + 1
    assert {
        "event/unit-moved",
        "event/way-declared",
    } & kinds  # where all walk together a fight may end before anybody does
    assert {"event/attack-rolled", "event/action-taken", "event/turn-began", "event/pool-changed", UNDO, REDO} <= kinds
    assert len(fought.refusals) > 20


@pytest.mark.long
def test_every_refusal_says_why_in_words(fought: Fight) -> None:
    for sentence in fought.refusals:
        assert len(sentence.split()) > 2, sentence
        assert "  " not in sentence and "\n" not in sentence and "Fraction(" not in sentence, sentence


def test_replay_gives_the_same_battle(fought: Fight) -> None:
    told = replay(fought.start, fought.batches)
    assert told.battle == fought.history.battle
    assert told.battle.encode() == fought.history.battle.encode()


def test_replay_of_the_steps_that_count_gives_the_same_battle(fought: Fight) -> None:
    events = [event for step in fought.history.steps() for event in step.events]
    assert apply_all(fought.start, events) == fought.history.battle


@pytest.mark.long
def test_apply_writes_into_nothing_that_it_was_given(fought: Fight) -> None:
    """Mappings are plain dictionaries, immutable by type alone: here writing into one is an error."""
    events = [event for step in fought.history.steps() for event in step.events]
    battle, plain = sealed(fought.start), fought.start
    for event in events:
        battle, plain = sealed(apply(battle, sealed(event))), apply(plain, event)
    assert battle == plain


def test_undo_goes_back_to_the_first_state_byte_for_byte_and_redo_to_the_last(fought: Fight) -> None:
    states = [step.after for step in fought.history.steps()]
    first, last = states[0].encode(), states[-1].encode()
    history = fought.history
    for expected in reversed(states[:-1]):
        history = history.undo()
        assert history.battle == expected
    assert history.battle.encode() == first
    with pytest.raises(Illegal, match="Nothing to undo"):
        history.undo()
    for expected in states[1:]:
        history = history.redo()
        assert history.battle == expected
    assert history.battle.encode() == last
    if not fought.history.undone:
        with pytest.raises(Illegal, match="Nothing to redo"):
            history.redo()


def test_a_command_after_an_undo_drops_what_was_undone(fought: Fight) -> None:
    back = fought.history.undo()
    onward = back.take((ev.DiceDrawn(10**6),))
    assert onward.undone is None
    assert onward.undo().battle == back.battle
    with pytest.raises(Illegal, match="Nothing to redo"):
        onward.redo()


def test_a_battle_survives_being_written_down(fought: Fight) -> None:
    battle = fought.history.battle
    again = from_json(Battle, json.loads(battle.encode()))
    assert again == battle
    assert again.encode() == battle.encode()


def test_deciding_is_pure_and_asking_for_dice_changes_nothing(fought: Fight) -> None:
    random, battle = Random(5), fought.history.battle
    for _ in range(20):
        try:
            command = wish(random, battle, fought.rules)
        except Illegal:  # a path was to be chosen for somebody who cannot move now
            continue
        results: list[object] = []
        for _ in range(2):
            try:
                results.append(decide(battle, command, fought.rules))
            except BattleboardError as reason:
                results.append(str(reason))
        assert results[0] == results[1]
        try:
            asked = decide(battle, command, fought.rules, asks_dice=True)
            assert not any(hasattr(event, "roll") for event in asked)
        except Needs as need:
            assert need.ask.q
        except BattleboardError as reason:
            assert str(reason) == results[0]


@pytest.mark.slow
def test_mines_are_laid_and_go_off_in_random_fights() -> None:
    rules, kinds = with_mines(ruleset("cwn")), set[str]()
    for seed in range(3):
        kinds |= {kind for batch in play(rules, "warehouse", seed).batches for kind, _ in batch}
    assert {"event/charge-laid", "event/charge-set-off"} <= kinds
