"""Every command is one object: in the registry, with a kind of its own, and references that exist."""

from __future__ import annotations

from typing import get_type_hints

import pytest
from msgspec.structs import fields

from engine.battle.command import Act, Attack, Command, Deciding
from engine.battle.commands.command_list import COMMANDS
from engine.battle.commands.gear_commands import Give, SetStat
from engine.battle.commands.references import REFERENCES, check_references, named_by
from engine.battle.commands.unit_actions import RESOLVERS, Face
from engine.battle.commands.unit_edits import DamageUnits, SetPool
from engine.battle.defence_choices import NOBODY_ASKED
from engine.dice.sources import TableSource
from engine.errors import Unknown
from engine.geometry.squares import Direction, Square
from tests.rules.table import fight

OF_THE_UNIT = {"weapon", "gear", "action", "role"}
"""What there is of these depends on the unit, or is refused in other words: the command itself looks."""


def subclasses(kind: type[Command]) -> set[type[Command]]:
    found = set(kind.__subclasses__())
    return found | {inner for one in found for inner in subclasses(one)}


def test_the_registry_has_every_command_once() -> None:
    assert len(COMMANDS) == len(set(COMMANDS))
    ours = {kind for kind in subclasses(Command) if kind.__module__.startswith("engine.")}
    assert set(COMMANDS) == ours


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_a_command_decides_and_names_what_can_be_looked_up(kind: type[Command]) -> None:
    assert kind.decide is not Command.decide
    hints = get_type_hints(kind, include_extras=True)
    named = {named_by(hints[field.name]) for field in fields(kind)} - {""}
    assert named <= REFERENCES.keys() | OF_THE_UNIT
    units = [field.name for field in fields(kind) if field.name in ("unit", "units", "target", "attacker")]
    assert all(named_by(hints[name]) == "unit" for name in units)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (SetPool("nobody", "hp", 3), "No unit is called 'nobody'"),
        (SetPool("a", "courage", 3), "No number is called 'courage'"),
        (DamageUnits(("a", "bb"), 1), "No unit is called 'bb'"),
        (SetStat("a", "dexterty", 3), "No stat of Occult Ops is called 'dexterty'. Did you mean 'dexterity'?"),
        (Give("a", "rifel"), "No weapon, armour or accessory of Occult Ops is called 'rifel'"),
    ],
)
def test_a_name_of_nothing_is_refused_with_the_near_miss(command: Command, said: str) -> None:
    table = fight("occult-ops", "a.b", a="gunman", b="gunman")
    with pytest.raises(Unknown) as wrong:
        check_references(table.battle, table.rules, command)
    assert said in str(wrong.value)


def test_what_names_nothing_by_default_is_let_pass() -> None:
    table = fight("occult-ops", "a.b", a="gunman", b="gunman")
    for command in (DamageUnits(("a",), 1), Attack("a", "", square=Square(1, 0)), Act("a", "kneel")):
        check_references(table.battle, table.rules, command)


def test_a_command_decides_by_itself() -> None:
    table = fight("occult-ops", "a.b", a="gunman", b="gunman")
    before = table.battle.unit("a").facing
    facing = Direction.N if before is not Direction.N else Direction.S
    (event,) = Face("a", facing).decide(Deciding(table.battle, table.rules, TableSource(()), RESOLVERS))
    assert event.unit == "a"  # type: ignore[union-attr]


def test_what_a_command_is_decided_against_never_changes() -> None:
    """What nobody was asked was once one object for everybody, to which answers could be given."""
    assert NOBODY_ASKED.table is None and NOBODY_ASKED.left == () and NOBODY_ASKED.take("defence of a") is None
