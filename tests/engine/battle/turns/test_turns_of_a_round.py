"""Whoever could act has one turn a round, whatever the Game Master does to the order; else the log says so."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.battle import command as cmd
from engine.battle import events as ev
from engine.battle.apply import apply
from engine.battle.command import Attack, EndTurn
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import (
    Delay,
    DissolveGroup,
    FormGroup,
    RollInitiative,
    SetInitiative,
    SetPlace,
    SetTurn,
    Surprise,
)
from engine.battle.commands.roster_commands import AddUnit, RemoveUnit, SetHidden, SetOut, SetSide
from engine.battle.facts import circumstances
from engine.battle.narration import narrate
from engine.battle.state.battle import Battle
from engine.battle.turns.turn_order import may_be_next, to_act, upcoming
from engine.errors import Illegal, Unknown
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from rulesets import shipped_rulesets
from tests.examples import examples
from tests.rules.table import Table, fight

OCC, CWN, VOLT = "occult-ops", "cwn", "volt"
SIX = dict.fromkeys("abcdef", "gunman")


def six(name: str = OCC) -> Table:
    """A, B and C against D, E and F."""
    return fight(name, "a.b.c...d.e.f", allies="bc", scale=(2, "metres"), **SIX)


def active(table: Table) -> str:
    return table.battle.turns.active


def run(table: Table, turns: int = 6) -> str:
    """Who acts in these turns, "|" before the first of a round."""
    found = ""
    for _ in range(turns):
        before = table.battle.turns.round
        table.do(EndTurn())
        found += "|" * (table.battle.turns.round != before) + active(table)
    return found


# --- now ------------------------------------------------------------------------------------------------------------


def test_now_fetches_a_unit_that_has_not_acted_and_the_one_that_was_on_is_next() -> None:
    table = six()
    assert table.battle.turns.order == tuple("abcdef")
    assert table.do(SetTurn("e")) == ["E acts, out of turn.", "E's turn."]
    assert upcoming(table.battle, table.rules)[:4] == ("a", "b", "c", "d")
    assert table.do(EndTurn()) == ["A's turn continues."]
    assert run(table) == "bcdf|ab", "E is not on again in this round, and in its own place in the next"


def test_whoever_was_on_keeps_what_is_left_of_its_turn() -> None:
    table = six()
    table.walk("a", "A1", "B1")
    left = table.unit("a").turn
    table.do(SetTurn("f"))
    assert table.refusal(Attack("a", "d")) == "It is F's turn, not A's."
    table.do(EndTurn())
    assert (active(table), table.unit("a").turn) == ("a", left)
    assert not table.happened(ev.TurnBegan), "its turn does not begin a second time"


def test_one_fetched_before_another_that_was_fetched_comes_first_and_then_the_other() -> None:
    table = six()
    for unit in "dcb":
        table.do(SetTurn(unit))
    assert active(table) + run(table, 6) == "bcdaef|a"
    table = six()
    table.do(SetTurn("d"))
    table.do(SetTurn("a"))  # it was on first: its turn continues
    assert active(table) + run(table, 6) == "adbcef|a"


def test_one_that_has_had_its_turn_is_refused_with_the_way_round() -> None:
    table = six()
    table.do(SetTurn("c"))
    table.do(EndTurn())
    assert table.refusal(SetTurn("a")) == "It is already A's turn."
    said = "C has had its turn this round: “now c again” gives it one more."
    assert table.refusal(SetTurn("c")) == said
    assert table.refusal(SetTurn("b", again=True)) == "B has not acted this round: “now b” starts its turn."


def test_one_more_turn_is_the_gms_and_takes_nobodys() -> None:
    table = six()
    table.do(EndTurn())
    assert table.do(SetTurn("a", again=True)) == ["A acts, out of turn.", "A takes an extra turn."]
    assert table.unit("a").turn.budget["attack"] == 1
    assert run(table) == "bcdef|a"
    assert table.do(SetTurn("a", again=True)) == ["GM: A takes an extra turn after this one."]
    assert run(table, 3) == "abc"


def test_one_who_is_out_is_refused_and_one_who_drops_on_its_turn_does_not_come_back() -> None:
    table = six()
    table.do(SetOut("c", "flees"))
    assert table.refusal(SetTurn("c")) == "C is out of the fight."
    table.do(SetOut("a", "flees"))
    table.do(SetTurn("d"))
    assert run(table, 5) == "bef|bd"


def test_one_who_is_back_in_the_fight_has_its_turn_of_this_round() -> None:
    table = six()
    table.do(SetOut("b", "flees"))
    table.do(EndTurn())
    assert active(table) == "c"
    table.do(SetOut("b"))
    assert run(table, 5) == "bdef|a"


def test_one_who_joins_has_a_turn_and_the_places_that_the_gm_gives_take_none() -> None:
    table = six()
    table.do(EndTurn())
    table.do(SetPlace("a", "d"))  # it has acted: no second turn
    table.do(SetPlace("f"))  # it has not: it is next
    table.do(AddUnit("gunman", "outlaws", Square(6, 0), "New"))
    new = next(one for one in table.battle.units if one not in SIX)
    assert run(table, 5) == f"fcde{new}"
    assert run(table, 1) == "|f"


def test_one_whose_turn_waits_may_be_put_off_surprised_and_removed() -> None:
    table = six()
    table.do(SetTurn("d"))
    assert table.do(Delay("a", "e")) == ["A delays: acts after E."]
    assert run(table, 6) == "bceaf|b"
    table = six()
    table.do(SetTurn("d"))
    assert table.do(Surprise(("a",))) == ["GM: A is surprised and loses its turn this round."]
    assert run(table, 5) == "bcef|a"
    table = six()
    table.do(SetTurn("d"))
    table.do(RemoveUnit("a"))
    assert run(table, 5) == "bcef|b"


def test_a_group_and_a_delayed_unit_are_fetched_alike() -> None:
    table = six()
    table.do(FormGroup(("e", "f")))
    table.do(SetTurn("f"))
    table.do(EndTurn())
    table.do(Delay("a", "d"))
    assert active(table) == "b"
    table.do(SetTurn("a"))
    assert table.happened(ev.TurnTakenUp) and not table.happened(ev.TurnBegan)
    assert run(table, 5) == "bcde|b"


def test_a_round_that_starts_again_says_who_had_acted_and_who_not() -> None:
    table = six()
    table.do(RollInitiative())
    assert not table.happened(ev.RoundRestarted), "nobody had acted"
    first, *others = table.battle.turns.order
    table.do(EndTurn())
    names = ", ".join(one.upper() for one in others)
    assert f"The round starts again. {names} have not acted. {first.upper()} has acted." in table.do(RollInitiative())


# --- what a unit did, not its place ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped_rulesets())
def test_the_turn_has_come_for_those_who_had_it_and_for_nobody_passed_over(name: str) -> None:
    table = six(name)
    last = table.battle.turns.order[-1]
    table.do(SetTurn(last))
    table.do(EndTurn())
    come = {one for one in SIX if circumstances(table.battle, table.rules, table.unit(one))["unit.turn_started"]}
    assert come == {last, active(table)}


# --- the card -------------------------------------------------------------------------------------------------------


def test_where_sides_act_together_any_of_the_side_that_has_not_acted_may_be_next() -> None:
    table = six(CWN)
    side = [one for one in table.battle.turns.order if table.unit(one).side == table.unit(active(table)).side]
    assert may_be_next(table.battle, table.rules) == tuple(side)
    table.do(SetTurn(side[2]))
    assert may_be_next(table.battle, table.rules) == (side[2], side[0], side[1])
    table.do(EndTurn())
    assert may_be_next(table.battle, table.rules) == (side[0], side[1])
    table.do(EndTurn())
    assert may_be_next(table.battle, table.rules) == (), "there is no choice of one"
    table.do(EndTurn())
    others = [one for one in table.battle.turns.order if one not in side]
    assert may_be_next(table.battle, table.rules) == tuple(others)
    unit = active(table)
    table.walk(unit, table.unit(unit).at.name, Square(table.unit(unit).at.column - 1, 0).name)
    assert may_be_next(table.battle, table.rules) == (), "who is on has done something"


def test_a_new_round_begins_with_the_side_that_is_first_in_the_order() -> None:
    table = six(CWN)
    order = "".join(table.battle.turns.order)
    assert active(table) + run(table, 12) == f"{order}|{order}|{order[0]}"


def test_the_card_has_those_who_can_act_and_hidden_ones_too() -> None:
    table = six(CWN)
    side = [one for one in table.battle.turns.order if table.unit(one).side == table.unit(active(table)).side]
    table.do(SetHidden(side[1], True))
    assert may_be_next(table.battle, table.rules) == tuple(side)
    table.do(Surprise((side[2],)))
    table.do(SetOut(side[1], "flees"))
    assert may_be_next(table.battle, table.rules) == ()


def test_a_unit_that_joins_a_side_that_has_acted_acts_after_the_side_that_is_on() -> None:
    table = six(CWN)
    first = table.unit(active(table)).side
    while table.unit(active(table)).side == first:
        table.do(EndTurn())
    table.do(AddUnit("gunman", first, Square(6, 0), "New"))
    new = next(one for one in table.battle.units if one not in SIX)
    assert run(table, 3)[2:] == new
    assert run(table, 1)[0] == "|"


@pytest.mark.parametrize("name", [one for one in shipped_rulesets() if one not in (CWN, VOLT)])
def test_where_each_has_its_own_place_there_is_no_card(name: str) -> None:
    assert may_be_next(six(name).battle, six(name).rules) == ()


# --- the law --------------------------------------------------------------------------------------------------------


class Watch:
    """Who has had a turn in the present round, by the events; what the rules promise is asserted with each."""

    def __init__(self) -> None:
        self.had: list[str] = []

    def follow(self, battle: Battle, events: tuple[ev.Event, ...], rules: Ruleset) -> Battle:
        is_restarted = False
        for event in events:
            match event:
                case ev.RoundRestarted():
                    is_restarted = True
                case ev.RoundBegan() if event.round == battle.turns.round:
                    acted = [one for one in self.had if one in battle.units and battle.units[one].turn.is_used]
                    assert is_restarted or not acted
                    self.had.clear()
                case ev.RoundBegan():
                    self.nobody_is_left_out(battle)
                    self.had.clear()
                case ev.TurnBegan() if not event.is_extra:
                    assert event.unit not in self.had, f"{event.unit} has a second turn"
                    self.had.append(event.unit)
                case ev.TurnBegan():
                    assert "extra turn" in narrate(event, battle, rules)
                case ev.UnitRemoved():
                    self.had = [one for one in self.had if one != event.unit]
            battle = apply(battle, event)
        assert set(battle.turns.started) | set(battle.turns.delayed) == set(self.had) & battle.units.keys()
        assert battle.turns.active in battle.units
        assert not set(to_act(battle, rules)) & set(battle.turns.started)
        return battle

    def nobody_is_left_out(self, battle: Battle) -> None:
        able = [one for one in battle.turns.order if not battle.units[one].is_defeated]
        left = [one for one in able if one not in self.had and one not in battle.turns.surprised]
        assert not left, f"{left} have not acted"
        waiting = [one.unit for one in battle.turns.interrupted if not battle.units[one.unit].is_defeated]
        assert not waiting, f"{waiting} have not ended their turns"


Wish = Callable[[Battle, Random], cmd.Command]


def _any(battle: Battle, chance: Random) -> str:
    return chance.choice([*battle.units])


WISHES: tuple[tuple[int, Wish], ...] = (
    (14, lambda battle, chance: EndTurn()),
    (6, lambda battle, chance: SetTurn(_any(battle, chance), again=chance.random() < 0.2)),
    (3, lambda battle, chance: SetPlace(_any(battle, chance), _any(battle, chance) if chance.random() < 0.7 else "")),
    (3, lambda battle, chance: Delay(_any(battle, chance), _any(battle, chance))),
    (1, lambda battle, chance: SetInitiative(_any(battle, chance), chance.randint(-3, 30))),
    (1, lambda battle, chance: FormGroup((_any(battle, chance), _any(battle, chance)))),
    (1, lambda battle, chance: DissolveGroup(_any(battle, chance))),
    (1, lambda battle, chance: Surprise((_any(battle, chance),))),
    (1, lambda battle, chance: SetHidden(_any(battle, chance), chance.random() < 0.5)),
    (1, lambda battle, chance: SetSide(_any(battle, chance), chance.choice(("law", "outlaws")))),
    (2, lambda battle, chance: SetOut(_any(battle, chance), chance.choice(("", "flees")))),
    (1, lambda battle, chance: AddUnit("gunman", chance.choice(("law", "outlaws")), Square(6, 1))),
    (1, lambda battle, chance: RemoveUnit(_any(battle, chance))),
    (1, lambda battle, chance: RollInitiative() if chance.random() < 0.3 else EndTurn()),
    (3, lambda battle, chance: _act(battle, chance)),
)


def _act(battle: Battle, chance: Random) -> cmd.Command:
    """What the acting unit does: an attack, a step, or an act of the ruleset."""
    unit = battle.unit(battle.turns.active)
    foes = battle.foes(unit)
    if foes and chance.random() < 0.6:
        return Attack(unit.id, chance.choice(foes).id)
    step = Square(unit.at.column, unit.at.row + chance.choice((-1, 1)))
    return cmd.Move(unit.id, (unit.at, step))


@pytest.mark.long
@pytest.mark.parametrize("name", shipped_rulesets())
@given(seed=st.integers(0, 10**9))
@examples(300)
def test_each_has_exactly_one_turn_a_round_unless_the_log_says_otherwise(name: str, seed: int) -> None:
    chance, table = Random(seed), _yard(name)
    watch = Watch()
    watch.had = [*table.battle.turns.started]
    battle, past = table.battle, list[tuple[Battle, list[str]]]()
    weights = [weight for weight, _ in WISHES]
    for _ in range(40):
        if past and chance.random() < 0.06:
            battle, had = past.pop()
            watch.had = [*had]
            continue
        wish = chance.choices(WISHES, weights)[0][1](battle, chance)
        try:
            events = decide(battle, wish, table.rules)
        except (Illegal, Unknown):
            continue
        past.append((battle, [*watch.had]))
        battle = watch.follow(battle, events, table.rules)


YARDS: dict[str, Table] = {}


def _yard(name: str) -> Table:
    if name not in YARDS:
        rows = ("a.b.c...d.e.f", ".............", ".............")
        YARDS[name] = fight(name, *rows, allies="bc", scale=(2, "metres"), **SIX)
    return YARDS[name]
