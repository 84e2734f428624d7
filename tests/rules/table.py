"""A table to play on: a hand-drawn map, units on it, a shipped ruleset, typed dice. Everything goes through the pipe.

table = fight("occult-ops", "a...b", a="gunman", b="gunman")
table.shot().ledger.total               # what the attack would be
table.do(Attack("a", "b"), (45,), (10,))    # the lines of the log; a group of dice for each roll
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from engine.answers import Given, GivenAnswer, Needs
from engine.battle import command as cmd
from engine.battle import events as ev
from engine.battle.apply import apply, apply_all
from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.unit_edits import Place, SetCondition, SetPosture
from engine.battle.defence_choices import defence_question
from engine.battle.magazines import magazine
from engine.battle.narration import narrate
from engine.battle.setup import begin, enlist, set_up
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.views.fog_of_war import Memory, SideObserver
from engine.dice.sources import RollAsk
from engine.errors import Illegal, Unknown
from engine.geometry.squares import Square, parse_square
from engine.rules.ledger import Entry, Ledger
from engine.rules.model import Ruleset, Value
from engine.values import replace
from maps import parse_map
from rulesets import load_ruleset, parse_ruleset, shipped_rulesets

SCALES = {
    "occult-ops": (5, "feet"),
    "cwn": (2, "metres"),
    "aog": (2, "metres"),
    "eva": (1, "metres"),
    "volt": (1, "metres"),
}
"""Side of a square and its unit, where a test does not say."""

FIRST = {"volt": ((1, 1), (20, 20))}
"""Dice for the order of the one who goes first and of the others, where more is not simply better."""

SEED = "tests"
Kind = TypeVar("Kind")


@cache
def ruleset(name: str) -> Ruleset:
    """A shipped ruleset, read once."""
    return load_ruleset(shipped_rulesets()[name])


@cache
def with_more(name: str, toml: str) -> Ruleset:
    """A shipped ruleset with more tables."""
    texts = ruleset(name).texts
    return parse_ruleset({**texts, "ruleset.toml": f"{texts['ruleset.toml']}\n{toml}"}, name)


def entry(ledger: Ledger, entry_id: str) -> Entry | None:
    """The line of that id; None when it is not in the ledger."""
    return next((line for line in ledger.entries if line.id == entry_id), None)


def defends(unit: str, defence: str, *, is_one_of_several: bool = False) -> GivenAnswer:
    """The answer that somebody takes a defence, "" for none, against what strikes a unit."""
    return GivenAnswer(defence_question(unit, is_one_of_several=is_one_of_several), choose=defence)


def given(*answers: tuple[int, ...] | GivenAnswer) -> Given:
    """Answers; a group of numbers is typed for the next roll."""
    return tuple(one if isinstance(one, GivenAnswer) else GivenAnswer("", one) for one in answers)


def remember(memory: Memory, battle: Battle, side: str) -> Memory:
    """A side's memory after a look round at a battle as it stands now."""
    observer = SideObserver(memory)
    observer.observe(battle, side)
    return observer.memory


def defence_asked(need: Needs) -> DefenceAsk:
    """The question of a defence."""
    assert isinstance(need.ask, DefenceAsk)
    return need.ask


def roll_asked(need: Needs) -> RollAsk:
    """The question of a roll."""
    assert isinstance(need.ask, RollAsk)
    return need.ask


class Table:
    """A battle that goes on from command to command, and its ruleset."""

    def __init__(self, rules: Ruleset, battle: Battle) -> None:
        self.rules = rules
        self.battle = battle
        self.events: tuple[ev.Event, ...] = ()
        """Those of the last command."""

    def unit(self, unit_id: str) -> Unit:
        return self.battle.unit(unit_id)

    def roll(self, command: cmd.Command, *answers: tuple[int, ...] | GivenAnswer) -> tuple[Battle, list[str]]:
        """The battle after a command with answers, a group of dice for each roll, and the lines of the log."""
        before = repr(self.battle)
        self.events = decide(self.battle, command, self.rules, given(*answers))
        assert repr(self.battle) == before
        self.battle = apply_all(self.battle, self.events)
        lines = (narrate(event, self.battle, self.rules) for event in self.events)
        return self.battle, [line for line in lines if line]

    def do(self, command: cmd.Command, *answers: tuple[int, ...] | GivenAnswer) -> list[str]:
        """The lines of the log after a command."""
        return self.roll(command, *answers)[1]

    def refusal(self, command: cmd.Command, *answers: tuple[int, ...] | GivenAnswer) -> str:
        """The sentence with which a command is refused; the battle stays as it was."""
        before = repr(self.battle)
        try:
            decide(self.battle, command, self.rules, given(*answers))
        except (Illegal, Unknown) as reason:
            assert repr(self.battle) == before
            return str(reason)
        raise AssertionError(f"{command} was allowed")

    def shot(
        self,
        weapon: str = "",
        action: str = "",
        by: str = "a",
        at: str = "b",
        changed: Mapping[str, Value] | None = None,
    ) -> AttackPreview:
        """What an attack would be; `changed` are facts set by hand."""
        return consider(self.battle, self.rules, cmd.Attack(by, at, weapon, action), changed=changed)

    def worth(self, entry_id: str, weapon: str = "", action: str = "", by: str = "a", at: str = "b") -> object:
        """What a line of the ledger counts in an attack; None when it is not there."""
        found = entry(self.shot(weapon, action, by, at).ledger, entry_id)
        return None if found is None else found.value

    def happened(self, kind: type[Kind]) -> list[Kind]:
        """The events of a kind after the last command."""
        return [event for event in self.events if isinstance(event, kind)]

    def attacked(self) -> ev.AttackRolled:
        """The one attack of the last command."""
        (attack,) = self.happened(ev.AttackRolled)
        return attack

    def walk(self, unit_id: str, *squares: str, action: str = "") -> list[str]:
        """Walk from square to square; those in between are filled in, straight or diagonal."""
        return self.do(cmd.Move(unit_id, self.way(unit_id, *squares), action))

    def way(self, unit_id: str, *squares: str) -> tuple[Square, ...]:
        path = [self.unit(unit_id).at]
        for goal in map(parse_square, squares):
            while path[-1] != goal:
                here = path[-1]
                dx, dy = goal.column - here.column, goal.row - here.row
                path.append(Square(here.column + (dx > 0) - (dx < 0), here.row + (dy > 0) - (dy < 0)))
        return tuple(path)

    def turn_of(self, unit_id: str) -> Table:
        """End turns until it is a unit's turn, its present one not counted."""
        self.do(cmd.EndTurn())
        for _ in range(100):
            if self.battle.turns.active == unit_id:
                return self
            self.do(cmd.EndTurn())
        raise AssertionError(f"{unit_id} never has a turn")

    def place(self, unit_id: str, square: str) -> Table:
        self.do(Place(unit_id, parse_square(square)))
        return self

    def posture(self, unit_id: str, posture: str) -> Table:
        self.do(SetPosture(unit_id, posture))
        return self

    def condition(self, unit_id: str, condition: str) -> Table:
        self.do(SetCondition(unit_id, condition, True))
        return self

    def arm(self, unit_id: str, *weapons: str) -> Table:
        """Give a unit other weapons than its sheet has, fully loaded; the first is in hand."""
        rounds = {weapon: magazine(self.rules, weapon) for weapon in weapons if magazine(self.rules, weapon)}
        armed = replace(
            self.unit(unit_id), gear=replace(self.unit(unit_id).gear, weapons=weapons, weapon=weapons[0], rounds=rounds)
        )
        self.battle = self.battle.with_unit(armed)
        return self

    def load(self, unit_id: str, weapon: str, rounds: int) -> Table:
        """Leave so many rounds in a weapon."""
        before = self.unit(unit_id).gear.rounds[weapon]
        self.battle = apply(self.battle, ev.RoundsChanged(unit_id, weapon, before, rounds))
        return self


def fight(
    name: str | Ruleset,
    *rows: str,
    toml: str = "",
    allies: str = "",
    neutral: str = "",
    scale: tuple[float, str] | None = None,
    stats: Mapping[str, Mapping[str, Value]] | None = None,
    altitudes: Mapping[str, float] | None = None,
    is_begun: bool = True,
    more_rules: str = "",
    **roles: str,
) -> Table:
    """A fight between units drawn as letters, each with its role; the first has the first turn.

    Args:
        name: of the shipped ruleset, or a ruleset of one's own; that is played in feet on squares of 5.
        rows: the map with one glyph a square, as in map files; a letter of `roles` is a unit on the floor.
        toml: more of the map's file: legend, elevation, smoke, light, edges.
        allies: letters on the side of the first unit; all others are against it.
        neutral: letters of bystanders, nobody's enemies.
        scale: side of a square and its unit.
        stats: numbers that a unit's sheet shall have in place of its role's.
        altitudes: of the units that fly, in the map's unit.
        is_begun: whether the order is rolled.
        more_rules: tables that the ruleset's file shall have besides its own.
        roles: role by letter.
    """
    square, unit = scale or (SCALES[name] if isinstance(name, str) else (5, "feet"))
    rules = (with_more(name, more_rules) if more_rules else ruleset(name)) if isinstance(name, str) else name
    sheets = dict(rules.units.sheets)
    first = next(iter(roles))
    text = f'format = 1\nname = "Test"\n[scale]\nsquare = {square}\nunit = "{unit}"\n[map]\nsquares = """\n'
    text += "\n".join("".join("." if glyph in roles else glyph for glyph in row) for row in rows)
    text += f'\n"""\n{toml}\n'
    for letter, role in roles.items():
        row = next(number for number, line in enumerate(rows) if letter in line)
        side = "law" if letter in (first, *allies) else "outlaws"
        at = Square(rows[row].index(letter), row).name
        text += f'[[unit]]\nid = "{letter}"\nrole = "{role}"\nside = "{side}"\nat = "{at}"\n'
        text += f"altitude = {(altitudes or {}).get(letter, 0)}\nneutral = {str(letter in neutral).lower()}\n"
    drawn = parse_map(text, "test.toml")
    placements = list(drawn.placements)
    for letter, numbers in (stats or {}).items():
        own = f"{roles[letter]} {letter}"
        like = sheets[roles[letter]]
        sheets[own] = replace(like, role=own, stats={**like.stats, **numbers}, own={**like.own, **numbers})
        placements = [replace(each, role=own) if each.id == letter else each for each in placements]
    if stats:
        rules = replace(rules, units=replace(rules.units, sheets=sheets))
    table = Table(rules, apply(set_up(drawn.battlefield, rules), begin(placements, rules, SEED)))
    assert table.unit(first) == enlist(placements[0], rules)
    if is_begun:
        usual = ((rules.turns.initiative.dice.highest,), (rules.turns.initiative.dice.lowest,))
        first_rolls, others_roll = FIRST.get(rules.id, usual)
        rolls = len({each.side for each in placements}) if rules.turns.initiative.is_by_side else len(placements)
        table.do(RollInitiative(), first_rolls, *[others_roll] * (rolls - 1))
        while table.battle.turns.active != first:
            table.do(cmd.EndTurn())
    return table
