"""The whole life of a character of each ruleset: form, party, fight by commands, wounds, carry over, the next fight."""

from __future__ import annotations

from contextlib import closing, suppress
from fractions import Fraction
from pathlib import Path

import pytest

from engine.battle.attacks.attack_preview import attack_actions, consider
from engine.battle.carry_over import ATTACHMENT, OF_THE_MOMENT, POOL, ROUNDS, battle_values, differences
from engine.battle.command import Attack
from engine.battle.gear import stat_sources
from engine.battle.magazines import magazine
from engine.battle.state.characters import Character
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.rules.stats import FLAG, NUMBER
from rulesets import shipped_rulesets
from rulesets.characters import OwnSheet, archetype
from tests.rules.table import ruleset
from tui.characters.sheet_fields import PICK_ARMOUR, PICK_WEAPON
from tui.characters.sheet_form import SheetForm
from tui.commands.runner import do
from tui.library.character_files import Party, read_character, rest_characters, save_character
from tui.library.encounter_files import new_encounter
from tui.library.party_files import save_party

MAP, PARTY, OPPONENT = "warehouse", "lantern", "rifleman"
NEARBY = [(column, row) for row in range(-3, 4) for column in range(-4, 5) if (column, row) != (0, 0)]
MOST_SHOTS = 60
FEW_ROUNDS = 6


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))
    return tmp_path


def entered(rules: Ruleset) -> Character:
    """A character entered in the form: the rifleman's gear, and better numbers than the rifleman's."""
    form, like = SheetForm(Character("Anna"), rules), archetype(rules, "rifleman")
    stated, first = dict(like.stats), form.groups[1].label
    for group in form.groups[1:]:
        for field in group.fields:
            stat = rules.units.stats.get(field.id)
            if stat is None or not (field.id in stated or group.label == first):
                continue
            form.go_to(field.id)
            if field.kind == NUMBER:
                number = min(int(stated.get(field.id, stat.default)) + 3, stat.high)
                assert all(form.type(sign) for sign in str(number)) and form.keep(), form.said
            elif field.kind == FLAG and stated.get(field.id):
                form.flip()
    for id, chosen in ((PICK_WEAPON, like.weapons), (PICK_ARMOUR, (like.armour,))):
        for item in chosen:
            form.go_to(id)
            assert form.enter(item), form.said
    return form.own


def begun(seed: str) -> Session:
    """A fight of the party against one opponent that it can see and that sees it; defences and reactions are off."""
    session = new_encounter(MAP, PARTY, seed=seed, brings_party=True)
    for line in (f"add {OPPONENT} guards zone B", "begin", "policy off"):
        do(session, line)
    field, anna = session.battle.field, session.battle.unit("anna").at
    worth: dict[str, Fraction] = {}
    for column, row in NEARBY:
        at = Square(anna.column + column, anna.row + row)
        if 0 <= at.column < field.columns and 0 <= at.row < field.rows:
            with suppress(BattleboardError):
                do(session, f"place {OPPONENT} {at.name}")
                mine, theirs = chances(session, "anna", OPPONENT), chances(session, OPPONENT, "anna")
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


def carries(session: Session) -> dict[tuple[str, str], object]:
    """Wounds, wear and rounds of Anna that are not full."""
    return {key: value for key, value in battle_values(session.rules, session.battle.unit("anna")).items()
            if key[0] in OF_THE_MOMENT}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_entered_fought_wounded_carried_over_and_fought_again(name: str) -> None:
    rules = ruleset(name)
    save_character(OwnSheet(name, own := entered(rules)), rules)
    save_party(Party("", "Lantern", ("anna",), is_default=True))
    with closing(begun("first")) as session:
        assert not carries(session)
        for _ in range(MOST_SHOTS):
            if not {ROUNDS} <= {kind for kind, _ in carries(session)}:
                shoot(session, "anna", OPPONENT)
            if not {POOL} <= {kind for kind, _ in carries(session)}:
                shoot(session, OPPONENT, "anna")
        left = carries(session)
        assert {POOL, ROUNDS} <= {kind for kind, _ in left}, left
        action = next(iter(chances(session, "anna", OPPONENT)))
        shot = consider(session.battle, rules, Attack("anna", OPPONENT, action=action))
        assert any("from Anna's sheet" in entry.because for entry in shot.ledger.entries)
        sources = stat_sources(rules, session.battle.unit("anna"))
        assert {sources[stat] for stat, _ in own.stats} == {"Anna's sheet"}
        do(session, "finish all")
    assert read_character("anna").character.stats == own.stats
    with closing(begun("second")) as session:
        assert carries(session) == left and not differences(rules, session.battle.unit("anna"))
        for _ in range(MOST_SHOTS):
            shoot(session, OPPONENT, "anna")
            shoot(session, "anna", OPPONENT)
            if differences(rules, session.battle.unit("anna")):
                break
        do(session, "finish all")
        worse = carries(session)
        assert worse != left
    rest_characters(["anna"])
    with closing(begun("third")) as session:
        assert not {key: value for key, value in carries(session).items() if key[0] != ATTACHMENT}
