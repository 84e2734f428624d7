"""What a sheet makes: pools, derived numbers, chances of its weapons. Worked out a piece at a time, between keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.command import Attack
from engine.battle.facts import circumstances
from engine.battle.setup import pools_of
from engine.battle.state.characters import Character
from engine.battle.views.view import derived_numbers
from engine.context import Cache
from engine.dice.dice_text import number, percent
from engine.errors import BattleboardError
from engine.rules.expressions import shown
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset
from engine.tactics.duel import ATTACKER, TARGET, Round, duel, round_between
from engine.text import lower_first
from engine.values import replace
from rulesets.characters import fresh
from tui.application.characters.sheet_fields import in_hand, numbers
from tui.view.panels.attack_panel import counts_against, is_base, label_and_value

METRES, FEET = "metres", "feet"
SQUARE = {METRES: 150, FEET: 500}
"""Side of a square in hundredths of the unit, where the ruleset does not say."""
DISTANCES = (16, 8, 4, 2, 1)
"""Squares at which a shot is weighed: the first of them at which it may hit."""
BLAST = "Its damage depends on who is in the blast."
NO_CHANCE = "0 % at every distance that was tried."
NO_ATTACK = "No attack is made with it: other actions use it."
ALL_SOAKED = "The target's armour stops all damage."
BEHIND = "No damage behind"
"""Before covers that stop all of it."""
COVERS = (
    ("in the open", Fraction(0), ""),
    ("light cover", Fraction(1, 2), "light"),
    ("heavy cover", Fraction(1, 2), "heavy"),
)
HALF_COVER = "half cover"
COVER_FACTS = frozenset({"covered", "visible", "square_covered", "cover_material", "cover_window"})
ADJACENT = "adjacent"
MELEE = "melee"
"""Kind of a weapon that may be thrown too, or leapt with: its attack on an adjacent target is shown besides."""
MOST_WEAPONS = 12
ROUNDS: Cache[Round | None] = Cache(128)


class Penalty(Struct, frozen=True):
    """A modifier that counts against a weapon's attack in the open."""

    words: str
    """As the Shot panel names it: "Wild attack −20"."""
    because: str
    is_of_sheet: bool
    """Whether only stats of the sheet and the weapon decide it."""


class WeaponOdds(Struct, frozen=True):
    """A weapon with its best attack, and its chances at a distance."""

    id: str
    label: str
    numbers: str
    at: str
    """The distance and the attack: "24 m, semi-auto"."""
    rows: tuple[tuple[str, Fraction, str], ...] = ()
    """Where the target is, the chance to hit, the damage of a round in words; "" for a blast."""
    why: str = ""
    """Why there are no rows, or no damage."""
    penalties: tuple[Penalty, ...] = ()


class SheetPreview(Struct, frozen=True):
    """What a sheet makes."""

    numbers: tuple[tuple[str, str], ...]
    """Pools and derived numbers, with their values."""
    weapons: tuple[WeaponOdds, ...]
    is_whole: bool = True
    """Whether nothing is left to work out."""


def previews(own: Character, rules: Ruleset) -> Iterator[SheetPreview]:
    """What a sheet makes, ever more of it; the last is whole. Wounds of now are shown, and count for no chance."""
    now = dict(own.pools)
    own = replace(own, pools=(), rounds=(), conditions=())
    unit = fresh(own, rules)
    unit_name, square = _scale(rules)
    fight = duel(rules, unit, unit, DISTANCES[0], unit_name, square)
    pools = _pool_rows(rules, pools_of(rules, unit), now)
    derived = [
        (label, shown(value))
        for label, value in derived_numbers(rules, circumstances(fight, rules, fight.unit(ATTACKER)))
    ]
    rows = (*pools, *((label, value) for label, value in derived if value != "0"))
    found: tuple[WeaponOdds, ...] = ()
    yield SheetPreview(rows, found, is_whole=not own.weapons)
    for place, weapon in enumerate(own.weapons[:MOST_WEAPONS]):
        for odds in _weapon_odds(own, rules, weapon):
            found = (*found[:place], odds)
            yield SheetPreview(rows, found, is_whole=False)
    yield SheetPreview(rows, found)


def effect_words(before: SheetPreview, after: SheetPreview) -> str:
    """What a change of the sheet has changed most of all: a weapon's chance in the open, else a number."""
    was = {weapon.id: weapon for weapon in before.weapons if weapon.rows}
    for weapon in after.weapons:
        old = was.get(weapon.id)
        if old and weapon.rows and old.at == weapon.at and old.rows[0][1] != weapon.rows[0][1]:
            now, then = (percent(one.rows[0][1]) for one in (weapon, old))
            return f"{weapon.label} hits at {weapon.at}: {now}, was {then}." if now != then else ""
    numbers = dict(before.numbers)
    changed = (f"{label}: {value}, was {numbers[label]}." for label, value in after.numbers if label in numbers
               and numbers[label] != value)  # fmt: skip
    return next(changed, "")


def penalty_words(weapons: Iterable[WeaponOdds]) -> str:
    """The first penalty that the sheet itself gives weapons: "Wild attack −20 with USP9: not trained with it."."""
    found = [(weapon.label, one) for weapon in weapons for one in weapon.penalties if one.is_of_sheet]
    if not found:
        return ""
    first = found[0][1]
    labels = [label for label, one in found if one == first]
    return f"{first.words} with {', '.join(labels)}: {first.because}."


def _penalties(shot: AttackPreview, rules: Ruleset) -> tuple[Penalty, ...]:
    own = {f"attacker.{stat}" for stat in rules.units.stats} | set(rules.gear.weapon_fields)
    asked = {rule.id: rule.when.names | rule.value.names for rule in rules.attack.modifiers}
    return tuple(
        Penalty("\N{NO-BREAK SPACE}".join(label_and_value(entry)), entry.because, asked.get(entry.id, {""}) <= own)
        for entry in shot.ledger.entries
        if counts_against(entry) and not is_base(entry, rules)
    )


def _pool_rows(rules: Ruleset, pools: Mapping[str, int], now: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Pools with their full values, "0 of 12" where less is left; of a group's part in one row: "head", "3/2/3"."""
    known = [pool for pool in rules.units.pools.values() if pools[pool.id]]
    parts = {(pool.group, pool.part) for pool in known if pool.part}
    listed: set[tuple[str, str]] = set()
    for pool in rules.units.pools.values():
        place = pool.group, pool.part
        if place in parts and place not in listed:
            if pool.group not in {group for group, _ in listed}:
                yield pool.group, ""
            listed.add(place)
            held = [one.id for one in rules.units.pools.values() if (one.group, one.part) == place]
            whole, worn = ("/".join(number(of[one]) for one in held) for of in (pools, {**pools, **now}))
            yield f" {pool.part}", whole if worn == whole else f"{worn} of {whole}"
        elif not pool.part and pools[pool.id]:
            full, left = pools[pool.id], now.get(pool.id, pools[pool.id])
            yield pool.label, f"{number(left)} of {number(full)}" if left < full else number(full)


def _weapon_odds(own: Character, rules: Ruleset, weapon: str) -> Iterator[WeaponOdds]:
    """A weapon's chances against one's own like, row by row; at the farthest distance at which it may hit."""
    known = rules.gear.weapons[weapon]
    unit_name, square = _scale(rules)
    odds = WeaponOdds(weapon, known.label, numbers(known, rules), "")
    yield odds
    far, is_hitting = 0, False
    for squares in DISTANCES:
        if found := _round(own, rules, weapon, squares, 0):
            far, is_hitting = far or squares, bool(found.attack.odds.hit)
            if is_hitting:
                far = squares
                break
        yield odds
    if not far:
        yield _without_damage(own, rules, odds)
        return
    for place in range(len(COVERS) if far > 1 else 1):
        if found := _round(own, rules, weapon, far, place):
            where = _cover_label(found.attack, rules) if place else ""
            where = where or COVERS[place][0]
            at = f"{_distance(far, square, unit_name)}, {found.attack.situation.action.label.lower()}"
            row = where, found.attack.odds.hit, _damage(found.damage)
            why = "" if is_hitting else NO_CHANCE
            if round(row[1] * 100) and not found.damage:
                why = odds.why or _soaked_words(own, rules, weapon, far, where if place else "")
            alike = len(odds.rows) == 2 and odds.rows[1][1:] == row[1:]  # where the ruleset asks for no material
            rows = (odds.rows[0], (HALF_COVER, *row[1:])) if alike else (*odds.rows, row)
            penalties = odds.penalties if place else _penalties(found.attack, rules)
            odds = replace(odds, at=odds.at or at, rows=rows, why=why, penalties=penalties)
            yield odds
    if known.kind == MELEE and far > 1 and (found := _round(own, rules, weapon, 1, 0)):  # its throw is shown above
        yield replace(odds, rows=(*odds.rows, (ADJACENT, found.attack.odds.hit, _damage(found.damage))))


def _damage(mean: Fraction) -> str:
    """A mean damage: "2.5", "<0.1", "0"."""
    return f"{float(mean):.1f}" if mean >= Fraction(1, 20) else "<0.1" if mean else "0"


def _cover_label(shot: AttackPreview, rules: Ruleset) -> str:
    """What the ruleset calls the cover of a target: the label of what counts for it; "" where nothing does."""
    of_cover = {one.id for one in rules.attack.modifiers if not COVER_FACTS.isdisjoint(one.when.names)}
    counted = (entry.label for entry in shot.ledger.entries if entry.id in of_cover and counts_against(entry))
    return lower_first(next(counted, ""))


def _soaked_words(own: Character, rules: Ruleset, weapon: str, squares: int, cover: str) -> str:
    """What stops all damage of a weapon to one's own like: the cover, or armour in the open; "" for neither."""
    if cover:
        return f"{BEHIND} {cover}."
    bare = fresh(replace(own, armour=""), rules)
    found = round_between(rules, fresh(own, rules), bare, squares, *_scale(rules), weapons=(weapon,))
    return ALL_SOAKED if found and found.damage else ""


def _without_damage(own: Character, rules: Ruleset, odds: WeaponOdds) -> WeaponOdds:
    """The chances of a weapon whose damage is not worked out, or why it cannot attack."""
    unit, (unit_name, square) = fresh(in_hand(own, odds.id), rules), _scale(rules)
    actions = attack_actions(rules, rules.gear.weapons[odds.id])
    refusal = ""
    for squares in DISTANCES if actions else ():
        battle = duel(rules, unit, unit, squares, unit_name, square)
        for action in actions:
            try:
                shot = consider(battle, rules, Attack(ATTACKER, TARGET, odds.id, action.id))
            except BattleboardError as error:
                refusal = str(error).partition(": ")[2] or str(error)
                continue
            if shot.ledger.is_possible:
                at = f"{_distance(squares, square, unit_name)}, {action.label.lower()}"
                rows = ((COVERS[0][0], shot.odds.hit, ""),)
                return replace(odds, at=at, rows=rows, why=BLAST, penalties=_penalties(shot, rules))
    return replace(odds, why=f"No odds: {refusal}" if refusal else NO_ATTACK)


def _distance(squares: int, square: int, unit: str) -> str:
    return f"{number(Fraction(squares * square, 100))} {UNIT_SIGNS[unit]}" if squares > 1 else ADJACENT


def _round(own: Character, rules: Ruleset, weapon: str, squares: int, cover: int) -> Round | None:
    """The best attack with a weapon, on one's own like at a distance behind a cover."""

    def work_out() -> Round | None:
        unit, (_, covered, material) = fresh(own, rules), COVERS[cover]
        return round_between(
            rules, unit, unit, squares, *_scale(rules), covered=covered, material=material, weapons=(weapon,)
        )

    return ROUNDS.get((rules,), (own, weapon, squares, cover), work_out)


def _scale(rules: Ruleset) -> tuple[str, int]:
    """The unit of the map on which the chances are weighed, and the side of its squares in hundredths."""
    unit = rules.distance.ranges if rules.distance.ranges in SQUARE else rules.distance.unit
    unit = unit if unit in SQUARE else METRES
    return unit, SQUARE[unit]
