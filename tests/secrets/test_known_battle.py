"""The battle as a side knows it, and all that is worked out from it, rests on nothing that the side cannot know."""

from __future__ import annotations

import sys
from random import Random

import pytest

from engine.battle.command import Act, Attack, Command, EndTurn, Move
from engine.battle.commands.note_commands import SetNote
from engine.battle.commands.order_commands import Delay, SetPlace, SetTurn
from engine.battle.commands.orders import UNKNOWN_REASON, ordered
from engine.battle.commands.roster_commands import RenameUnit
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_actions import Ready
from engine.battle.commands.unit_edits import Place, SetMarker
from engine.battle.seats import Seat
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.views import fog_of_war
from engine.battle.views.fog_of_war import own_units
from engine.battle.views.side_moments import known_now
from engine.errors import BattleboardError
from engine.geometry.squares import Direction
from engine.rules.model import Ruleset
from engine.tactics.options import attacks, moves, options
from rulesets import shipped_rulesets
from tests.examples import sample
from tests.secrets.stage import Stage
from tests.secrets.test_pairs import BACK_ROOM, MOVES, Player, public_command, secret_act, secret_command

SIDES = ("law", "outlaws")
QUICK, LONG = 1, 12
"""Pairs of battles of each ruleset."""


class Knower(Player):
    """A battle that is played on, with what a side knows after each command and everything that follows from it."""

    def __init__(self, rules: str, side: str) -> None:
        self.side, self.known = side, list[tuple[str, ...]]()
        super().__init__(rules, ())

    def look(self) -> None:
        found = known_now(self.stage.battles, self.stage.rules, self.side)
        if found is None:
            self.known.append(("set up",))
            return
        refused = refusals(self.stage.battle, found, self.stage.rules, self.side)
        self.known.append((repr(found), *conclusions(found, self.stage.rules), *refused))


def conclusions(known: Battle, rules: Ruleset) -> list[str]:
    """What is worked out from a known battle about the unit whose turn it is: options, ledgers, reach, refusals."""
    unit = known.units.get(known.turns.active)
    if unit is None:
        return []
    found = [f"{option.command} {dict(option.cost)} {option.refusal}" for option in options(known, rules, unit)]
    shots = (option.shot for option in attacks(known, rules, unit) if option.shot is not None)
    found += [f"{shot.ledger} {shot.odds.grades} {shot.situation.words}" for shot in shots]
    for move in moves(known, rules, unit):
        found.append(f"{move.action.id} {move.refusal} {sorted((at.name, move.to(at).path) for at in move.squares())}")
    return found


def refusals(battle: Battle, known: Battle, rules: Ruleset, side: str) -> list[str]:
    """Orders of the unit whose turn it is, or of its side's first, each with why it is refused by what is known.

    An order that is carried out, or refused by something unknown, is one that the side learns something by.
    """
    own = known.units.get(known.turns.active)
    unit = own if own is not None and own.side == side else next(iter(own_units(known, side)), None)
    if unit is None:
        return []
    names = ("ada", "bo", "lurker", "mole", "imp", "ghost", "mole~", "nobody", "")
    around = [unit.at.step(direction) for direction in Direction]
    orders: list[Command] = [EndTurn(), *(SetTurn(name) for name in names), *(Delay(unit.id, name) for name in names)]
    orders += [Attack(unit.id, name) for name in names]
    orders += [Move(unit.id, (unit.at, square)) for square in around if square in known.field]
    orders += [Act(unit.id, action) for action in (*sorted(rules.actions)[:6], "nothing")]
    orders += [Ready(unit.id, weapon) for weapon in (*unit.gear.weapons, "nothing")]
    found = []
    for order in orders:
        try:
            ordered(battle, known, order, rules, seat=Seat("anna", side))
            words = "given"
        except BattleboardError as refused:
            words = "given" if str(refused) == UNKNOWN_REASON else str(refused)
        found.append(f"{order}: {words}")
    return found


def of_known_foe(random: Random, stage: Stage, side: str) -> Command:
    """What is kept of a foe that the side sees, does not show from outside, and does not change what it does."""
    foe = stage.battle.unit("bo" if side == "law" else "ada")
    return random.choice(
        (
            SetMarker((foe.id,), random.choice(("angry", "marked"))),
            SetPolicy("off", unit=foe.id),
            SetNote("she knows", unit=foe.id),
        )
    )


def of_unseen_foe(random: Random) -> Command:
    """What becomes of the outlaw whom nobody of the law sees, in the room that they do not look into."""
    return random.choice(
        (
            Place("lurker", random.choice(BACK_ROOM)),
            SetMarker(("lurker",), random.choice(("angry", "marked"))),
            RenameUnit("lurker", random.choice(("Wolf", "Thug"))),
        )
    )


def differences(rules: str, side: str, seed: int) -> tuple[list[object], list[str]]:
    """The first moment at which two battles that differ in secrets are known otherwise; and the commands until then."""
    random = Random(f"{rules} {side} known {seed}")
    bare, secret = Knower(rules, side), Knower(rules, side)
    given: list[object] = []
    acts = (secret_act(random, secret.stage) for _ in iter(int, 1))
    for _ in range(MOVES):
        for _ in range(random.randint(0, 2)):
            if random.random() < 0.3:
                command: Command | str = of_known_foe(random, secret.stage, side)
            elif side == "law" and random.random() < 0.4:
                command = of_unseen_foe(random)
            else:
                command = secret_command(random, secret.stage, (side,))
            given.append(("secret", command))
            secret.give(command)
        command = public_command(random, bare.stage)
        given.append(command)
        accepted = [player.give(command) for player in (bare, secret)]
        if accepted[0] != accepted[1]:
            is_of_order = isinstance(command, SetPlace)  # "already has that place": the Game Master alone reads that
            return given, [] if is_of_order else [f"accepted: {accepted}"]
        bare.end_hidden_turns(iter(()))
        secret.end_hidden_turns(acts)
        for player in (bare, secret):
            player.look()
        pairs = zip(bare.known[-1], secret.known[-1], strict=False)
        if wrong := [f"{one}\n  {other}" for one, other in pairs if one != other]:
            return given, wrong
        assert len(bare.known[-1]) == len(secret.known[-1])
    assert any(len(known) > 1 for known in bare.known), "nothing was ever worked out from it"
    return given, []


@pytest.mark.long
@pytest.mark.parametrize("rules", sample(sorted(shipped_rulesets())))
def test_what_a_side_knows_rests_on_nothing_secret(rules: str) -> None:
    for side in SIDES:
        given, found = differences(rules, side, QUICK)
        assert (found[:3], given) == ([], given)


def others(battle: Battle, side: str) -> list[Unit]:
    """All units of other sides, seen or not, hidden or not."""
    return [one for one in battle.units.values() if one.side != side]


LEAKS = {
    "a foe whole": ("from_outside", lambda unit, rules: unit),
    "the whole map": ("_field", lambda field, memory, now: field),
    "notes, policies and unknown units": ("cut_to", lambda battle, units, own: battle),
    "everybody": (
        "seen_others",
        lambda battle, side, but=(): [one for one in battle.units.values() if one.side != side],
    ),
}
"""What the law must find when it is put in: what is put in place of a function of the module."""


@pytest.mark.slow
@pytest.mark.parametrize("leak", LEAKS)
def test_each_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fog_of_war, *LEAKS[leak])
    assert any(differences("occult-ops", "law", seed)[1] for seed in range(LONG)), f"nobody finds {leak}"


@pytest.mark.slow
def test_orders_that_are_refused_by_the_whole_battle_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    carried_out = ordered

    def by_all(battle: Battle, known: Battle, order: Command, rules: Ruleset, *, seat: Seat) -> object:
        return carried_out(battle, battle, order, rules, seat=seat)

    monkeypatch.setattr(sys.modules[__name__], "ordered", by_all)
    assert any(differences("occult-ops", "law", seed)[1] for seed in range(LONG))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(LONG))
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("rules", sorted(shipped_rulesets()))
def test_what_a_side_knows_rests_on_nothing_secret_in_many_battles(rules: str, side: str, seed: int) -> None:
    given, found = differences(rules, side, seed)
    assert (found[:3], given) == ([], given)


@pytest.mark.parametrize("rules", sorted(shipped_rulesets()))
def test_a_known_battle_has_nothing_of_the_unknown(rules: str) -> None:
    stage = Player(rules, ()).stage
    known = known_now(stage.battles, stage.rules, "law")
    assert known is not None
    assert {"lurker", "mole", "imp", "ghost"}.isdisjoint(known.units)
    text = repr(known)
    for secret in ("lurker", "mole", "imp", "ghost", "seed-7"):
        assert secret not in text
    for unit in known.units.values():
        if unit.side != "law":
            whole = stage.battle.unit(unit.id)
            assert (unit.at, unit.posture, unit.gear.weapon) == (whole.at, whole.posture, whole.gear.weapon)
            assert unit.conditions == () and not unit.turn.budget
    for unit in stage.battle.units.values():
        if unit.id not in known.units:
            with pytest.raises(BattleboardError):
                known.unit(unit.id)
