"""The table itself in words: units, turns, rounds, light, cover, notes, dice, the ground."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from engine.battle import command as cmd
from engine.battle.commands.gear_commands import Give, SetAmmunition, TakeAway
from engine.battle.commands.note_commands import SetNote, ThrowDice
from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.roster_commands import (
    AddGroup,
    AddUnit,
    CopyUnit,
    RemoveUnit,
    RenameUnit,
    SetHidden,
    SetSide,
)
from engine.battle.commands.ruling_commands import SetCover
from engine.battle.commands.terrain_commands import (
    Draw,
    SetEdges,
    SetElevation,
    SetGround,
    SetLamp,
    SetLight,
    SetSmoke,
    SetZone,
)
from engine.battle.commands.unit_edits import SetBudget, SetPosture
from engine.errors import BattleboardError, Illegal
from engine.geometry.squares import Edge, Square, parse_square
from engine.journal.session import Session
from maps import palette
from tests.tui.play import session_for, shipped_rulesets
from tui.application.commands.completion import completions
from tui.application.commands.registry import hear
from tui.application.commands.results import Correction, Setting, Spoken, SubmitCommand, TextResult
from tui.application.commands.runner import do
from tui.application.terminal.output import filling


def heard(session: Session, line: str) -> Spoken:
    return hear(line, Setting(session.battle, session.rules))


def command(session: Session, line: str) -> cmd.Command:
    spoken = heard(session, line)
    assert isinstance(spoken, SubmitCommand)
    return spoken.command


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return session_for(tmp_path_factory.mktemp("battle"))


def at(name: str) -> Square:
    return parse_square(name)


RUBBLE = palette.terrain("rubble", "feet")
P12, Q12 = at("P12"), at("Q12")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("add rifleman outlaws P12", AddUnit("rifleman", "outlaws", P12)),
        ("add 3 rif out at P12 Lurker hidden", AddUnit("rifleman", "outlaws", P12, "Lurker", 3, is_hidden=True)),
        ("add drone wolves P12 at 20", AddUnit("drone", "wolves", P12, altitude=2000)),
        ("copy bandit P12 3", CopyUnit("bandit", P12, 3)),
        ("remove bandit", RemoveUnit("bandit")),
        ("name bandit Big Ned", RenameUnit("bandit", "Big Ned")),
        ("side bandit law", SetSide("bandit", "law")),
        ("side bandit neutral", SetSide("bandit", "outlaws", True)),
        ("hide bandit", SetHidden("bandit")),
        ("reveal bandit", SetHidden("bandit", False)),
        ("now bandit", SetTurn("bandit")),
        ("rounds todd 5", SetAmmunition("todd", 5)),
        ("give bandit flak", Give("bandit", "flak-jacket")),
        ("give knife", Give("todd", "knife")),
        ("lose todd usp9", TakeAway("todd", "usp9")),
        ("light dark", SetLight("dark")),
        ("light dim all", SetLight("dim")),
        ("light dim P12", SetLight("dim", (P12,))),
        ("lamp P12 2 6 8", SetLamp(P12, 2, 6, 800)),
        ("lamp P12 off", SetLamp(P12, 0, 0)),
        ("cover bandit none", SetCover("todd", "bandit", Fraction(0))),
        ("cover deputy bandit 75 heavy!", SetCover("deputy", "bandit", Fraction(3, 4), "heavy", True)),
        ("note P12 a trap", SetNote("a trap", P12)),
        ("note bandit has the key", SetNote("has the key", unit="bandit")),
        ("note rain from round 4", SetNote("rain from round 4")),
        ("note clear note-1", SetNote("", note="note-1")),
        ("roll 3d6+2 wolves there", ThrowDice("3d6+2", "wolves there")),
        ("paint P12 rubble", Draw((SetGround((P12,), RUBBLE),))),
        ("paint P12 Q12 thick smoke", SetSmoke((P12, Q12), 2)),
        ("paint P12 clear air", SetSmoke((P12,), 0)),
        ("zone d P12 Q12", SetZone("D", (P12, Q12))),
        ("zone A P12 off", SetZone("A", (P12,), is_inside=False)),
        ("ground P12 Q12 -5", SetElevation((P12, Q12), -500)),
        ("wall P12 N door", SetEdges((Edge(15, 11, "N"),), palette.thin("door", "feet"))),
        ("wall P12 W nothing", SetEdges((Edge(15, 11, "W"),), None)),
    ],
)
def test_what_a_line_means(session: Session, line: str, meant: cmd.Command) -> None:
    assert hear(line, Setting(session.battle, session.rules)) == SubmitCommand(meant)


def test_a_room_is_walled_around_and_a_thing_stands_on_the_ground_that_is_there(session: Session) -> None:
    setting = Setting(session.battle, session.rules)
    room = hear("wall P12 Q13 around", setting)
    assert isinstance(room, SubmitCommand) and isinstance(room.command, SetEdges) and len(room.command.edges) == 8
    crates = hear("paint P12 P13 crate", setting)
    assert isinstance(crates, SubmitCommand) and isinstance(crates.command, Draw)
    assert [
        (part.ground.object, part.ground.terrain) for part in crates.command.parts if isinstance(part, SetGround)
    ] == [
        ("crate", "dirt"),
        ("crate", "sand"),
    ]


def test_groups_come_by_id_or_name(session: Session) -> None:
    spoken = hear("group fire team wolves P12 hidden", Setting(session.battle, session.rules))
    assert isinstance(spoken, SubmitCommand) and isinstance(spoken.command, AddGroup)
    assert all(member.side == "wolves" and member.is_hidden for member in spoken.command.members)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("add", "Type the character or role"),
        ("add wizard law P12", "No character or role is called 'wizard'"),
        ("add rifleman law", "Type a square"),
        ("add rifleman hidden", "Type the side"),
        ("group patrol hidden", "Type the side"),
        ("group", "Type the group"),
        ("remove", "Type the unit"),
        ("rounds todd many", "Type a number"),
        ("light gloomy", "Type “light dark”"),
        ("cover bandit paper", "Type none"),
        ("correct", "correct 45 / 4 6"),
        ("paint P12 lava", "No ground, object or smoke is called 'lava'"),
        ("wall P12 sideways", "No side is called"),
        ("ground P12 high", "Type a height"),
        ("wreck P12", "Nothing stands on P12"),
    ],
)
def test_what_cannot_be_heard_says_why(session: Session, line: str, said: str) -> None:
    with pytest.raises(BattleboardError) as wrong:
        hear(line, Setting(session.battle, session.rules))
    assert said in str(wrong.value)


def test_a_groups_file_that_is_wrong_stops_no_completion(session: Session, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "groups.toml").write_text("format = 1\n[a]\n")
    assert "bandit" in completions("group ", Setting(session.battle, session.rules))
    with pytest.raises(BattleboardError, match=r"groups\.toml:2:2"):
        hear("group a law P12", Setting(session.battle, session.rules))


def test_an_evening_in_words(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    assert do(session, "add 2 gunman outlaws P12 Lurker hidden")[0][0].endswith("join outlaws, hidden.")
    assert do(session, "note lurker 1 waits for a shot")[0] == ["Note on Lurker 1: waits for a shot"]
    assert do(session, "notes")[0] == ["note-1, Lurker 1: waits for a shot"]
    do(session, "paint S12 wall")
    assert do(session, "wreck S12")[0] == ["GM: S12: rubble, destroyed."]
    do(session, "roll 2d6 wolves dice 1 2")
    assert do(session, "correct 6 6")[0] == [
        "GM: roll corrected to 6 6, was 1 2, wolves.",
        "wolves: 2d6 (6, 6) = 12, typed.",
    ]
    with pytest.raises(Illegal):
        do(session, "correct 9 9")
    said, spoken = do(session, "correct 5 5")
    assert isinstance(spoken, Correction) and said[-1].endswith("= 10, typed.")
    assert isinstance(do(session, "help add")[1], TextResult)
    session.close()


def test_a_note_on_the_battle_may_begin_with_a_name(session: Session) -> None:
    for line in ("note all: bandit is a ghost", "note ALL: bandit is a ghost"):
        assert command(session, line) == SetNote("bandit is a ghost")


def test_notes_stand_each_on_a_line_of_its_own(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    do(session, "note rain")
    do(session, "note bandit has the key")
    spoken = hear("notes", Setting(session.battle, session.rules))
    assert isinstance(spoken, TextResult) and spoken.is_list
    assert spoken.lines == ("note-1, the battle: rain", "note-2, Bandit: has the key")
    session.close()


def test_several_units_or_a_side_are_removed_at_once_and_one_undo_brings_them_back(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    before = session.battle
    do(session, "remove bandit boss")
    assert not {"bandit", "boss"} & set(session.battle.units)
    do(session, "undo")
    assert session.battle == before
    side = before.unit("bandit").side
    do(session, f"remove {side}")
    assert {unit.side for unit in session.battle.units.values()} == {one.side for one in before.units.values()} - {side}
    session.close()


def test_give_alone_lists_all_that_may_be_given(session: Session) -> None:
    spoken = heard(session, "give todd")
    assert isinstance(spoken, TextResult)
    weapons, armour, talents = spoken.lines
    assert weapons.startswith("Weapons: assault-rifle, ") and "usp9" in weapons and "…" not in weapons
    assert armour == ("Armour: combat-armour, flak-jacket, kevlar-vest, leather-jacket, metal-hull, riot-armour.")
    assert talents.startswith("Talents: shield, ")
    with pytest.raises(Illegal, match="“give” alone lists all gear"):
        heard(session, "give todd xyz")


def test_give_names_the_way_for_what_is_no_gear(session: Session) -> None:
    """Every condition and every stat that is no gear, by its id: a scope is a condition in this ruleset."""
    units = session.rules.units
    for known, line in ((units.conditions, "set todd {}"), (units.stats, "stat todd {} …")):
        for name in known:
            with_hyphens = name.replace("_", "-")
            try:
                heard(session, f"give todd {with_hyphens}")
            except Illegal as reason:
                assert line.format(name) in str(reason)
    with pytest.raises(
        Illegal, match="“laser” is a condition of a unit in Occult Ops, not gear: “set todd laser_sight”"
    ):
        heard(session, "give todd laser")


def test_a_unit_is_known_by_its_name_with_hyphens_and_not_by_the_blanks_of_its_id(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    do(session, "name boss Gun nest")
    for name in ("gun-nest", "Gun nest", "boss"):
        assert command(session, f"hide {name}") == SetHidden("boss")
    do(session, "copy bandit P12")
    (copied,) = (unit for unit in session.battle.units.values() if unit.at == P12)
    do(session, f"name {copied.id} Maul kneeling")
    do(session, "add gunman wolves Q12 Old kneeling")
    do(session, "name old-kneeling Old")
    assert command(session, "set old kneeling") == SetPosture("old-kneeling", "kneeling")
    session.close()


def test_a_condition_gets_its_rounds_and_ends(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    do(session, "set bandit intimidated")
    for rounds in (3, 1, 4):
        (said,) = do(session, f"set bandit intimidated {rounds}")[0]
        assert said.startswith(f"Bandit is intimidated for {rounds} round")
        assert session.battle.unit("bandit").timers["intimidated"] == rounds
    assert do(session, "set bandit intimidated off")[0] == ["Bandit is no longer intimidated, set by the GM."]
    assert "intimidated" not in session.battle.unit("bandit").conditions
    with pytest.raises(Illegal, match="is not intimidated"):
        do(session, "set bandit intimidated off")
    session.close()


def test_the_gm_takes_an_action_and_gives_one_back(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    before = session.battle
    assert do(session, "set todd move action 0")[0] == ["Todd: move action 1 → 0, set by the GM."]
    assert do(session, "set todd attack +1")[0] == ["Todd: attack action 1 → 2, set by the GM."]
    do(session, "undo 2")
    assert session.battle == before
    with pytest.raises(Illegal, match="already has 1 move action left"):
        do(session, "set todd move 1")
    session.close()


def test_the_order_shows_posture_conditions_and_surprise(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    for line in ("set bandit prone", "set bandit intimidated", "surprise boss", "note bandit has the key"):
        do(session, line)
    told = {line.split(" ")[0]: line for line in do(session, "order")[0]}
    assert told["Bandit"].endswith(", prone, intimidated")
    assert told["The"].endswith(", surprised: no turn this round")
    session.close()


def test_scatter_takes_another_chance_in_its_own_words(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse")
    with pytest.raises(BattleboardError, match="“hit 40” calculates with 40 % anyway"):
        do(session, "scatter spark X4")
    told = do(session, "scatter spark X4 hit 40")[0]
    assert any("40 % to land as aimed" in line for line in told)
    with pytest.raises(BattleboardError, match="hit 400 is not allowed"):
        do(session, "scatter spark X4 hit 400")
    session.close()


def test_scatter_heeds_another_chance_where_only_a_plain_miss_strays(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse", "eva")
    told = do(session, "scatter spark N8 with frag-grenade hit 30")[0]
    assert any("30 % to land as aimed" in line and "1 square in all" not in line for line in told)
    session.close()


def test_rows_that_are_too_long_continue_below_their_column(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse")
    with filling(64):
        told = do(session, "actions raven")[0] + do(session, "odds raven watchman")[0]
    assert max(len(line) for line in told if not line.startswith("Occult Ops: ")) <= 64
    place = next(at for at, line in enumerate(told) if line.startswith("Long burst"))
    assert told[place].endswith("shoot … long-burst")
    assert told[place + 1] == "    unavailable: this weapon cannot fire bursts"
    place = next(at for at, line in enumerate(told) if line.startswith("  Darkness"))
    assert told[place + 1].strip() == "light"
    assert told[place + 1].index("light") == told[place].index("dim")
    session.close()


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_every_budget_is_set_by_its_name(tmp_path: Path, ruleset: str) -> None:
    session = session_for(tmp_path, ruleset=ruleset)
    for budget in session.rules.units.budgets.values():
        assert command(session, f"set todd {budget.label} 7") == SetBudget("todd", budget.id, 7)
        assert command(session, f"set todd {budget.id} 7") == SetBudget("todd", budget.id, 7)
    session.close()


def test_odds_of_a_unit_without_the_turn_are_those_of_its_next_and_say_so(tmp_path: Path) -> None:
    session = session_for(tmp_path, "frontier-trail", "aog")
    do(session, "shoot todd bandit dice 90")
    first, *now = do(session, "odds todd bandit")[0]
    do(session, "end")
    ahead, *later = do(session, "odds todd bandit")[0]
    assert first.endswith("Single shot") and any("second attack" in line for line in now)
    assert ahead.endswith("Single shot, in its next turn") and not any("second attack" in line for line in later)
    session.close()


def test_what_the_gm_sets_above_the_full_value_says_so(tmp_path: Path) -> None:
    session = session_for(tmp_path, ruleset="aog")
    full = session.battle.unit("bandit").pools["hp"]
    (said,) = do(session, "hp bandit 99")[0]
    assert said.startswith(f"Bandit: hit points {full} → 99, above the full {full}")
    assert "above" not in do(session, f"hp bandit {full}")[0][0]
    session.close()


def test_a_unit_is_typed_as_its_file_is_called_without_accents(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    do(session, "add gunman law Q12 Borys Wójcik")
    do(session, "add gunman law Q14 Michał Øre")
    assert {"borys-wojcik", "michal-ore"} <= {*session.battle.units}
    session.close()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("light purple", "Type “light dark”, “light dim” or “light bright” (the whole map), or “light dim D4 3”"),
        ("light purple K5", "or “light dim K5 3”"),
        ("wind NE", "Type a direction and squares per round: “wind E 2”"),
        (
            "smoke K5",
            "Type “smoke K5 3” (radius), “smoke K5 3 5” (for 5 rounds), “smoke K5 3 5 thin” or “smoke clear K5”.",
        ),
        ("lamp K5 x", "Type “lamp K5 2 6”"),
        (
            "give nobody frag-grenade",
            "No unit is called “nobody”. No weapon or armour of Occult Ops is called 'nobody'.",
        ),
    ],
)
def test_a_refused_line_says_what_is_typed_at_the_same_place(session: Session, line: str, says: str) -> None:
    with pytest.raises(BattleboardError) as wrong:
        heard(session, line)
    assert says in str(wrong.value)
    for typed in re.findall(r"“((?:light|wind|smoke|lamp) [^”]*)”", str(wrong.value)):
        assert command(session, typed), "what the hint says is a command"
