"""A new encounter, step by step: the map, the party or a ruleset, the opponents. Without Textual."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from msgspec import Struct

from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import consider
from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.gear import armour_of, weapon_label
from engine.battle.moves.deployment import StartingPlace, usual_place
from engine.battle.setup import enlist, pools_of
from engine.battle.state.characters import Character
from engine.battle.state.units import OPPONENTS, Placement, Unit
from engine.context import Cache
from engine.errors import BattleboardError
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Square
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.tactics.balance import Kind
from engine.tactics.duel import ATTACKER, attacks, duel, is_out
from engine.tactics.options import moves
from engine.values import replace
from maps import BattleMap
from rulesets.characters import fresh
from tui.application.library.character_files import Party, character_heads, party_members, read_character
from tui.application.library.encounter_files import begin_ready
from tui.application.library.encounters import Encounter, Opponent, ReadyEncounter

MOST_COUNT = 40
"""Of one line of the roster."""
CAST = "cast"
PROSPECTS: Cache[Prospect] = Cache(1024)


class StatBlock(Struct, frozen=True):
    """What a list of opponents offers: a stat block of the user's, an archetype, or the map's own units."""

    id: str
    name: str
    weapon: str = ""
    health: str = ""
    """What its first vital pool has, with its name: "15 hit points"."""
    armour: str = ""
    """What it wears."""
    unit: Unit | None = None
    """Fresh; None for the map's own units."""
    opponent: Opponent = Opponent()
    sheet: Character | None = None


class RosterLine(Struct, frozen=True):
    """So many opponents of a kind."""

    block: StatBlock
    count: int
    is_hidden: bool = False

    @property
    def words(self) -> str:
        """As "3 Gunman · pistol · 15 hit points", "2 Rifleman · hidden"."""
        if self.block.id == CAST:
            return f"{self.count} units of the map's own"
        about = ("hidden",) if self.is_hidden else (self.block.weapon, self.block.health)
        return " · ".join((f"{self.count} {self.block.name}", *filter(None, about)))


class Side(Struct, frozen=True):
    """Who plays: a party with its characters, or nobody; and the ruleset."""

    rules: Ruleset
    party: Party | None = None
    members: tuple[Character, ...] = ()
    units: tuple[Unit, ...] = ()


class Typed(Struct, frozen=True):
    """What is typed into the list of opponents: how many, the letters, whether they hide."""

    count: str = ""
    letters: str = ""
    is_hidden: bool = False

    @property
    def words(self) -> str:
        return " ".join(filter(None, (self.count, self.letters, "!" if self.is_hidden else "")))

    def __bool__(self) -> bool:
        return bool(self.count or self.letters or self.is_hidden)

    def with_sign(self, sign: str) -> Typed:
        """With a digit or a letter more; digits before the first letter are the number."""
        if sign.isdecimal() and sign.isascii() and not self.letters:
            count = str(min(int(f"{self.count}{sign}"), MOST_COUNT)).removeprefix("0")
            return replace(self, count=count)
        return replace(self, letters=f"{self.letters}{sign}".lstrip())

    def erased(self) -> Typed:
        """Without what was typed last."""
        if self.is_hidden:
            return replace(self, is_hidden=False)
        if self.letters:
            return replace(self, letters=self.letters[:-1])
        return replace(self, count=self.count[:-1])


def side_of(rules: Ruleset, party: Party | None = None) -> Side:
    """A party that plays, read; or nobody.

    Raises:
        Unknown, Unreadable, BattleboardError: as `party_members`.
    """
    members = tuple(sheet.character for sheet in party_members(party, rules)) if party else ()
    units = tuple(fresh(each, rules) for each in members)
    return Side(rules, party, members, units)


def stat_blocks(rules: Ruleset, drawn: BattleMap) -> tuple[StatBlock, ...]:
    """The user's stat blocks for a ruleset, its archetypes, and the map's own units; without files that are refused."""
    return (*_own_blocks(rules), *_archetypes(rules), *_cast(drawn))


def board_blocks(rules: Ruleset) -> tuple[StatBlock, ...]:
    """What can be added on the board: the user's characters and stat blocks for a ruleset, then its archetypes."""
    return (*_own_blocks(rules, is_opponent=False), *_own_blocks(rules), *_archetypes(rules))


def _own_blocks(rules: Ruleset, *, is_opponent: bool = True) -> Iterator[StatBlock]:
    for head in character_heads():
        if head.is_opponent == is_opponent and head.ruleset == rules.id:
            try:
                sheet = read_character(head.id, rules).character
            except BattleboardError:
                continue
            opponent = Opponent(character=head.id, name=sheet.name)
            yield _block(f"own {head.id}", sheet.name, opponent, fresh(sheet, rules), rules, sheet)


def _archetypes(rules: Ruleset) -> Iterator[StatBlock]:
    for role, sheet in rules.units.sheets.items():
        opponent = Opponent(role=role, name=sheet.label)
        unit = enlist(Placement("unit", sheet.label, role, OPPONENTS, Square(0, 0)), rules)
        yield _block(role, sheet.label, opponent, unit, rules, None)


def _cast(drawn: BattleMap) -> Iterator[StatBlock]:
    if drawn.placements:
        yield StatBlock(CAST, "the map's own units")


def _block(id: str, name: str, opponent: Opponent, unit: Unit, rules: Ruleset, sheet: Character | None) -> StatBlock:
    weapon, worn = weapon_label(rules, unit) or "no weapon", rules.gear.armour.get(armour_of(rules, unit))
    return StatBlock(id, name, weapon, health_of(unit, rules), worn.label if worn else "", unit, opponent, sheet)


def health_of(unit: Unit, rules: Ruleset) -> str:
    """What the first vital pool of a unit has: "15 hit points", "6/15 hit points" where it is not full."""
    pool = next(iter(vital_pools(rules)), "")
    if not pool:
        return ""
    now, full = unit.pools.get(pool, 0), pools_of(rules, unit)[pool]
    return f"{now}{f'/{full}' if now < full else ''} {rules.units.pools[pool].label.lower()}"


def with_line(roster: Sequence[RosterLine], line: RosterLine) -> tuple[RosterLine, ...]:
    """The roster with a line more; more of the same kind join its line."""
    same = next((one for one in roster if (one.block, one.is_hidden) == (line.block, line.is_hidden)), None)
    if same is None:
        return (*roster, line)
    if line.block.id == CAST:
        return tuple(roster)
    joined = replace(same, count=min(same.count + line.count, MOST_COUNT))
    return tuple(joined if one is same else one for one in roster)


def kinds_of(roster: Iterable[RosterLine], drawn: BattleMap, rules: Ruleset) -> tuple[Kind, ...]:
    """The opponents of a roster for the balance; of the map's own units those who are somebody's enemy."""
    found: list[Kind] = []
    for line in roster:
        if line.block.unit is not None:
            found.append(Kind(line.block.unit, line.count))
        else:
            found += [Kind(enlist(each, rules)) for each in drawn.placements if not each.is_neutral]
    return tuple(found)


def usual_distance(drawn: BattleMap) -> int:
    """Squares between the zones where the two sides start; without zones half the longer side of the map."""
    field = drawn.battlefield
    places = [usual_place(field, is_party=is_party) for is_party in (True, False)]
    if not all(place.zone for place in places):
        return max(1, max(field.columns, field.rows) // 2)
    one, other = (_middle(drawn, place) for place in places)
    return max(1, abs(one.column - other.column), abs(one.row - other.row))


def _middle(drawn: BattleMap, place: StartingPlace) -> Square:
    zone = next(zone for zone in drawn.battlefield.zones if zone.id == place.zone)
    squares = zone.squares
    columns, rows = sorted(square.column for square in squares), sorted(square.row for square in squares)
    return Square((columns[0] + columns[-1]) // 2, (rows[0] + rows[-1]) // 2)


class Prospect(Struct, frozen=True):
    """What a stat block does to a party with the weapon in hand, and how far it comes in a turn."""

    hit: Fraction
    """Its chance to hit the party's median: half of it is harder to hit, half easier."""
    damage: Fraction
    """The mean damage to whom it has that chance against, misses counted."""
    squares: Fraction = Fraction(0)
    """Its first move; 0 where it has none."""


def prospect(block: StatBlock, side: Side, distance: int, field: Battlefield) -> Generator[None, None, Prospect | None]:
    """What a stat block does to a party at a distance in squares, in the open; pauses after each of the party.

    Who is out does not count. None for the map's own units, or where there is no party.
    """
    unit, rules = block.unit, side.rules
    if unit is None or not side.units:
        return None
    scale = distance, field.unit, field.square_size

    def against(target: Unit) -> Prospect:
        def work_out() -> Prospect:
            battle = duel(rules, unit, target, *scale)
            ways = moves(battle, rules, battle.units[ATTACKER], with_range=False)
            squares = next((way.strides[0].squares for way in ways if way.strides), Fraction(0))
            try:
                shots = [consider(battle, rules, each) for each in attacks(battle, rules, unit.gear.weapons[:1])]
                able = [shot for shot in shots if shot.ledger.is_possible]
                best = max(able, key=lambda shot: shot.odds.hit) if able else None
                outlook = with_odds(battle, rules, best).outlook if best else None
            except BattleboardError:
                best = outlook = None
            hit, damage = best.odds.hit if best else Fraction(0), outlook.expected if outlook else Fraction(0)
            return Prospect(hit, damage, squares)

        return PROSPECTS.get((rules, unit, target), scale, work_out)

    able = [target for target in side.units if not is_out(rules, target, field.unit, field.square_size)]
    found: list[Prospect] = []
    for target in able or side.units:
        found.append(against(target))
        yield
    return sorted(found, key=lambda one: one.hit)[(len(found) - 1) // 2]


def begin_roster(drawn: BattleMap, map_file: Path, side: Side, roster: Sequence[RosterLine]) -> Session:
    """Starts a battle in its set-up phase with a party and a roster of opponents. Raises as `begin_ready`."""
    own = any(line.block.id == CAST for line in roster)
    lines = [line for line in roster if line.block.id != CAST]
    encounter = Encounter(
        name=drawn.battlefield.name,
        map=map_file.stem,
        party=side.party.id if side.party else "",
        ruleset="" if side.party else side.rules.id,
        opponents=tuple(replace(each.block.opponent, count=each.count, is_hidden=each.is_hidden) for each in lines),
        has_cast=own,
    )
    placed = drawn if own else replace(drawn, placements=())
    sheets = {each.block.opponent.character: each.block.sheet for each in lines if each.block.sheet}
    party_side = side.party.side if side.party else ""
    ready = ReadyEncounter(encounter, placed, map_file.name, side.rules, side.members, party_side, sheets)
    return begin_ready(ready)
