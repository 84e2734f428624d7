"""The whole life of a character of each ruleset: form, party, fight by commands, wounds, carry over, the next fight."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing, suppress
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec import Struct
from textual.pilot import Pilot

from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import consider
from engine.battle.carry_over import ATTACHMENT, OF_THE_MOMENT, POOL, ROUNDS, battle_values, differences
from engine.battle.command import Attack
from engine.battle.gear import stat_sources
from engine.battle.magazines import magazine
from engine.battle.state.characters import Character
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.text import slug
from rulesets import shipped_rulesets
from tests.rules.table import ruleset
from tests.tui.play import typed
from tui.application.characters.sheet_fields import PICK_ARMOUR, PICK_WEAPON
from tui.application.commands.runner import do
from tui.application.library.character_files import Party, read_character, rest_characters
from tui.application.library.encounter_files import new_encounter
from tui.application.library.party_files import save_party
from tui.view.app.board_app import BoardApp
from tui.view.characters.form_screen import CharacterForm
from tui.view.library.character_forms import saving

MAP, PARTY, OPPONENT = "warehouse", "lantern", "rifleman"
NEARBY = [(column, row) for row in range(-3, 4) for column in range(-4, 5) if (column, row) != (0, 0)]
MOST_SHOTS = 60
FEW_ROUNDS = 6


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))
    return tmp_path


class Person(Struct, frozen=True):
    """A player character with values of its own."""

    name: str
    stats: dict[str, int | bool]
    weapons: tuple[str, ...]
    armour: str

    @property
    def id(self) -> str:
        return slug(self.name)


PEOPLE = {
    "aog": Person(
        "Otto Brandt",
        {"dexterity": 58, "constitution": 52, "willpower": 47, "long_arms": 63, "small_arms": 41, "dodge": 38},
        ("assault-rifle-rng-13-legate", "combat-knife"),
        "guard-kit",
    ),
    "cwn": Person(
        "Mara Voss",
        {"attack_bonus": 4, "dexterity_mod": 1, "shoot": 2, "stab": 0, "hit_points": 24, "evasion_save": 12},
        ("combat-rifle", "light-pistol"),
        "",
    ),
    "eva": Person(
        "Jonas Hale",
        {"ballistic_skill": 46, "weapon_skill": 33, "agility": 41, "wound_points": 12, "dodge_trained": True},
        ("assault-rifle", "knife"),
        "flak-suit",
    ),
    "occult-ops": Person(
        "Irene Castle",
        {"strength": 7, "endurance": 8, "dexterity": 10, "wit": 9, "weapon_rifle": True},
        ("assault-rifle", "usp9"),
        "kevlar-vest",
    ),
    "volt": Person(
        "Lee Tanaka", {"agility": 10, "ranged_combat": 2, "close_combat": -1}, ("assault-rifle", "knife"), "vest"
    ),
}


def entered(rules: Ruleset, person: Person) -> None:
    """Enters a character in the form by keys alone, and saves it."""
    made: list[str] = []
    screen = CharacterForm(Character(""), rules, saving(rules, made), is_new=True)
    app = BoardApp(None)

    async def find(pilot: Pilot[None], words: str, is_there: Callable[[], bool]) -> None:
        for _ in range(12):
            await pilot.press("slash", *typed(words), "enter")
            if is_there():
                return
        raise AssertionError(words)

    async def pick(pilot: Pilot[None], words: str, kind: str, item: str) -> None:
        await find(pilot, words, lambda: screen.form.field.kind == kind)
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press(*typed(item.replace("-", " ").replace("_", " ")), "enter")
        await pilot.pause()

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            app.push_screen(screen)
            await pilot.pause()
            await pilot.press(*typed(person.name), "enter")
            for stat, value in person.stats.items():
                await find(pilot, stat, lambda stat=stat: screen.form.field.id == stat)  # type: ignore[misc]
                keys = ["enter"] if value is True else [*str(value).replace("-", "−"), "enter"]
                await pilot.press(*(("minus" if key == "−" else key) for key in keys))
            for weapon in person.weapons:
                await pick(pilot, "add a weapon", PICK_WEAPON, weapon)
            if person.armour:
                await pick(pilot, "armour", PICK_ARMOUR, person.armour)
            await pilot.press("s")
            await pilot.pause()

    asyncio.run(run())
    assert made == [person.id], screen.form.said


def begun(who: str, seed: str) -> Session:
    """A fight of the party against one opponent that it can see and that sees it; defences and reactions are off."""
    session = new_encounter(MAP, PARTY, seed=seed, brings_party=True)
    for line in (f"add {OPPONENT} guards zone B", "begin", "policy off"):
        do(session, line)
    field, anna = session.battle.field, session.battle.unit(who).at
    worth: dict[str, Fraction] = {}
    for column, row in NEARBY:
        at = Square(anna.column + column, anna.row + row)
        if 0 <= at.column < field.columns and 0 <= at.row < field.rows:
            with suppress(BattleboardError):
                do(session, f"place {OPPONENT} {at.name}")
                mine, theirs = chances(session, who, OPPONENT), chances(session, OPPONENT, who)
                worth[at.name] = min(max(mine.values(), default=Fraction(0)), max(theirs.values(), default=Fraction(0)))
    do(session, f"place {OPPONENT} {max(worth, key=lambda name: worth[name])}")
    return session


def chances(session: Session, by: str, at: str) -> dict[str, Fraction]:
    """Chances to hit of the attacks with the weapon in hand in a unit's own turn, by action; the likeliest first."""
    battle, rules, found = session.battle, session.rules, {}
    for action in attack_actions(rules, rules.gear.weapons[battle.unit(by).gear.weapon]):
        with suppress(BattleboardError):
            shot = consider(battle, rules, Attack(by, at, action=action.id))
            if shot.ledger.is_possible and shot.odds.hit:
                found[action.id] = shot.odds.hit
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def shoot(session: Session, by: str, at: str) -> None:
    """One attack in a unit's next turn; undone where it puts the target out of the fight, and other dice come next."""
    do(session, "end")
    while session.battle.turns.active != by:
        do(session, "end")
    gun = session.battle.unit(by).gear.weapon
    if by == OPPONENT and session.battle.unit(by).gear.rounds[gun] < FEW_ROUNDS:
        do(session, f"rounds {by} {magazine(session.rules, gun, session.battle.unit(by))} {gun}")
    for action in chances(session, by, at):
        with suppress(BattleboardError):
            do(session, f"shoot {by} {at} {action}")
            if session.battle.unit(at).is_defeated:
                do(session, "undo")
                do(session, "roll 1d6")
            return


def carries(session: Session, who: str) -> dict[tuple[str, str], object]:
    """Wounds, wear and rounds of a character that are not full."""
    return {key: value for key, value in battle_values(session.rules, session.battle.unit(who)).items()
            if key[0] in OF_THE_MOMENT}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_entered_fought_wounded_carried_over_and_fought_again(name: str) -> None:
    rules, person = ruleset(name), PEOPLE[name]
    entered(rules, person)
    who, own = person.id, read_character(person.id).character
    assert dict(own.stats) == person.stats and (own.weapons, own.armour) == (person.weapons, person.armour)
    save_party(Party("", "Lantern", (who,), is_default=True))
    with closing(begun(who, "first")) as session:
        assert not carries(session, who)
        for _ in range(MOST_SHOTS):
            if not {ROUNDS} <= {kind for kind, _ in carries(session, who)}:
                shoot(session, who, OPPONENT)
            if not {POOL} <= {kind for kind, _ in carries(session, who)}:
                shoot(session, OPPONENT, who)
        left = carries(session, who)
        assert {POOL, ROUNDS} <= {kind for kind, _ in left}, left
        action = next(iter(chances(session, who, OPPONENT)))
        shot = consider(session.battle, rules, Attack(who, OPPONENT, action=action))
        assert any(f"from {person.name}'s sheet" in entry.because for entry in shot.ledger.entries)
        sources = stat_sources(rules, session.battle.unit(who))
        assert {sources[stat] for stat, _ in own.stats} == {f"{person.name}'s sheet"}
        do(session, "finish all")
    assert read_character(who).character.stats == own.stats
    with closing(begun(who, "second")) as session:
        assert carries(session, who) == left and not differences(rules, session.battle.unit(who))
        for _ in range(MOST_SHOTS):
            shoot(session, OPPONENT, who)
            shoot(session, who, OPPONENT)
            if differences(rules, session.battle.unit(who)):
                break
        do(session, "finish all")
        worse = carries(session, who)
        assert worse != left
    rest_characters([who])
    with closing(begun(who, "third")) as session:
        assert not {key: value for key, value in carries(session, who).items() if key[0] != ATTACHMENT}
