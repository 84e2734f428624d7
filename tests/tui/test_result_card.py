"""The result card: why a defence did not help, what stopped damage, a row for each target, a sign where it is cut."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from engine.answers import typed_dice
from engine.battle import command as cmd
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import consider
from engine.battle.command import Attack
from engine.battle.commands.unit_edits import SetPool
from engine.battle.events import (
    AttackRolled,
    BurstCaught,
    BurstLanded,
    DefenceTaken,
    EffectComputed,
    Event,
    PoolChanged,
)
from engine.battle.state.battle import Battle
from engine.battle.views.aftermath import UNHURT, aftermath
from engine.battle.views.attack_outcomes import HIT, MISS
from engine.dice.sources import Roll
from engine.geometry.squares import Square
from engine.journal.session import Session
from engine.values import replace
from tests.rules.table import defends, fight
from tests.tui.play import session_for
from tui.application.describe.attack_result import Result
from tui.application.describe.glyphs import UNICODE
from tui.application.describe.text_layout import ENDLESS
from tui.view.board.layers import mark_texts
from tui.view.panels.attack_panel import shot_text
from tui.view.panels.log_panel import log_text
from tui.view.panels.result_card import MOST_UNITS, _ledger, receipt_of, result_text, result_title


def shot(folder: Path) -> tuple[Session, tuple[Event, ...], Battle]:
    session = session_for(folder)
    events = tuple(session.submit(cmd.Attack("todd", "bandit")))
    session.close()
    return session, events, session.battle


def test_the_title_says_who_and_the_first_row_the_sum_against_the_number(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    found = Result(events, battle)
    assert result_title(found) == "Result · Todd → Bandit"
    rows = result_text(found, session.rules, 40, 18).plain.split("\n")
    assert rows[0].strip() == "ARMOUR  rolled 42 vs 60", "armour stopped all of it"
    told = " ".join(row.strip() for row in rows)
    assert "Damage: 2d6 (2, 2) = 4. Damage resistance: 10 % of 50 armour points = 5." in told, "with its dice"
    assert "It was 59 %." in rows


def test_the_number_needed_is_never_cut_off(tmp_path: Path) -> None:
    table = fight("cwn", "a..b", a="gunman", b="gunman")
    before = table.battle
    table.do(cmd.Attack("a", "b"), (19,), (6,), (2,))
    for width in (20, 26, 30, 60):
        rows = result_text(Result(table.events, table.battle, before), table.rules, width, 20).plain.split("\n")
        assert " vs " in " ".join(rows[:2]) and not any("…" in row for row in rows[:2]), rows


def test_a_card_with_room_has_every_modifier_with_its_reason(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    modifiers = [entry for entry in Result(events, battle).rolled[0].entries if entry.value]
    assert len(modifiers) > 4
    rows = result_text(Result(events, battle), session.rules, 40, 30).plain.split("\n")
    assert all(any(entry.label in row for row in rows) for entry in modifiers)
    text = " ".join(" ".join(rows).split())
    assert "44 % behind the cart at Q10" in text and "r shows" not in text


def test_a_defence_in_vain_says_so(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    defence = DefenceTaken("bandit", "todd", "dodge", "Dodge", {}, {})
    told = " ".join(result_text(Result((*events, defence), battle), session.rules, 60, 30).plain.split())
    assert "Bandit: Dodge. The result is still “Armour hit”." in told


def test_a_defence_against_an_attack_that_had_missed_is_not_said_to_be_in_vain(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    missed = [replace(one, is_hit=False) if isinstance(one, AttackRolled) else one for one in events]
    defence = DefenceTaken("bandit", "todd", "dodge", "Dodge", {}, {})
    told = result_text(Result((*missed, defence), battle), session.rules, 60, 30).plain
    assert "Bandit: Dodge." in told and "result is still" not in told


def test_a_roll_that_hits_and_is_dodged_is_no_miss(tmp_path: Path) -> None:
    session = session_for(tmp_path, ruleset="aog")
    before = session.battle
    dice = (*typed_dice([(12,)]), defends("bandit", "dodge"), *typed_dice([(1,)]))
    events = tuple(session.submit(cmd.Attack("todd", "bandit"), dice))
    session.close()
    rows = result_text(Result(events, session.battle, before), session.rules, 60, 30).plain.split("\n")
    assert rows[0].strip().startswith("EVADED  rolled 12 vs")
    log = log_text(session.history.steps()[::-1], session.battle, session.rules, 60, 20).plain
    assert " EVADED" in log and " MISS" not in log
    (mark,) = (mark for mark in aftermath(before, events, session.rules).marks if mark.unit == "bandit")
    assert mark_texts(mark, UNICODE, session.battle.field.unit)[0] == "evaded"


@pytest.mark.parametrize(
    ("defence", "odds"),
    [
        ("", "It was 40 % · wounds 33 % · drops 3.3 %"),
        ("dodge", "It was 40 %, 30 % against Dodge · wounds 25 % · drops 2.6 %"),
    ],
)
def test_the_odds_are_those_with_the_defence_that_was_taken(tmp_path: Path, defence: str, odds: str) -> None:
    session = session_for(tmp_path, ruleset="aog")
    before = session.battle
    foresight = with_odds(before, session.rules, consider(before, session.rules, cmd.Attack("todd", "bandit")))
    events = tuple(session.submit(cmd.Attack("todd", "bandit"), (*typed_dice([(39,)]), defends("bandit", defence))))
    session.close()
    result = Result(events, session.battle, before)
    told = " ".join(result_text(result, session.rules, 60, ENDLESS, foresight).plain.split())
    assert told.endswith(odds)
    brief = result_text(result, session.rules, 60, 40, foresight).plain
    assert f"{odds.partition(' ·')[0]}." in brief and "wounds" not in brief
    unknown = replace(foresight, defended=None)
    told = " ".join(result_text(result, session.rules, 60, ENDLESS, unknown).plain.split())
    assert ("It was 40 % before Dodge · wounds 33 %" in told) is bool(defence)


def test_each_target_has_a_row_at_most_eight_and_the_receipt_has_all(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    bandit = battle.units["bandit"]
    crowd = {f"crowd-{number}": replace(bandit, id=f"crowd-{number}", name=f"Crook {number}") for number in range(10)}
    battle = replace(battle, units={**battle.units, **crowd})
    caught = tuple(BurstCaught("todd", unit, "short radius", Fraction(1)) for unit in crowd)
    losses = tuple(PoolChanged(unit, "hp", "hit points", 20, 20 - number, "") for number, unit in enumerate(crowd))
    found = Result((*events, *caught, *losses), battle)
    rows = result_text(found, session.rules, 40, 40).plain.split("\n")
    shown = [row for row in rows if "Crook" in row and "area" not in row]
    assert len(shown) == MOST_UNITS and "Crook 9" in shown[0] and shown[0].endswith(" −9  20 → 11"), "worst first"
    assert "and 2 more: r" in rows
    whole = receipt_of(found, session.rules, 60).plain
    assert "Crook 0" in whole and "no damage" in whole and "Modifiers of Todd → Bandit" in whole


@pytest.mark.parametrize("width", [30, 40])
def test_a_blast_has_rows_for_its_scatter_and_for_each_target(width: int) -> None:
    table = fight("aog", "a....", "..bcd", "....e", a="gunman", b="gunman", c="gunman", d="gunman", e="gunman")
    table.arm("a", "frag-grenade")
    before, shot = table.battle, table.shot(at="c")
    foresight = with_odds(before, table.rules, shot)
    table.do(cmd.Attack("a", "c"), (20,))
    result = Result(table.events, table.battle, before)
    rows = [row.rstrip() for row in result_text(result, table.rules, width, 18, foresight).plain.split("\n")]
    landed = next(event for event in table.events if isinstance(event, BurstLanded))
    assert len(rows) <= 18 and all(len(row) <= width for row in rows)
    assert any(row.startswith("lands ") and landed.at.name in row for row in rows)
    assert any(row.startswith("damage ") for row in rows)
    for event in table.events:
        if isinstance(event, BurstCaught):
            unit = table.battle.units[event.target]
            row = next(row for row in rows if unit.name[:4] in row and " m " in row)
            assert "→" in row or "no damage" in row
    said = " ".join(row.strip() for row in rows)
    assert "is in the area" not in said, "no prose"


def test_what_a_blast_did_to_a_target_comes_about_by_numbers_below_each_other_on_the_right() -> None:
    table = fight("eva", "a....", "..b..", a="gunman", b="gunman")
    table.arm("a", "frag-grenade")
    before = table.battle
    table.do(cmd.Attack("a", "b"), (20,))
    result = Result(table.events, table.battle, before)
    rows = result_text(result, table.rules, 60, 40).plain.split("\n")
    first = next(place for place, row in enumerate(rows) if " m " in row and ("→" in row or "no damage" in row))
    sums = [row for row in rows[first + 1 :] if row.startswith("    ")]
    computed = {event.label: event.value for event in table.events if isinstance(event, EffectComputed)}
    soak = next(row for row in sums if row.strip().startswith("soak "))
    assert soak.endswith(f" {computed['Soak']}") and {len(row) for row in sums} == {44}
    tight = result_text(result, table.rules, 60, first + 4).plain
    assert "soak  " not in tight, "as a sentence, or not at all, where there is no room"


def test_a_forecast_has_a_row_for_each_of_ones_own_whom_a_blast_may_catch() -> None:
    table = fight("cwn", "a....", "..bcd", "....e", a="gunman", b="gunman", c="gunman", d="gunman", e="gunman")
    table.arm("a", "frag-grenade")
    shot = with_odds(table.battle, table.rules, table.shot(at="c"))
    friend = next(risk for risk in shot.area_risks if risk.unit.id == "b")
    friend = replace(
        friend, unit=replace(friend.unit, side=shot.situation.attacker.side, name="Deputy"), caught=Fraction(3, 4)
    )
    shot = replace(shot, area_risks=(*(risk for risk in shot.area_risks if risk.unit.id != "b"), friend))
    for width in (30, 40):
        rows = shot_text(shot, table.rules, width, 18).plain.split("\n")
        place = next(place for place, row in enumerate(rows) if row.startswith("! own"))
        assert rows[place].split()[-3:] == ["area", "wounds", "drops"]
        assert rows[place + 1].startswith("! ") and any(row.startswith("! Deputy") and " 75 %" in row for row in rows)


def test_a_sign_says_where_details_are_cut(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    for height in range(5, 12):
        rows = result_text(Result(events, battle), session.rules, 30, height).plain.split("\n")
        assert len(rows) <= height
        said = " ".join(row.strip() for row in rows)
        is_cut = not all(words in said for words in ("(2, 2) = 4.", "armour points = 5.", "Todd: USP9 15 → 14 rounds."))
        assert any("r shows" in row for row in rows) == is_cut or height < 7


def test_what_happens_to_one_of_several_stands_below_its_name(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    caught = tuple(BurstCaught("todd", unit, "short radius", Fraction(1)) for unit in ("bandit", "cutter"))
    rows = receipt_of(Result((*events, *caught), battle), session.rules, 60).plain.split("\n")
    assert "Bandit is in the area: short radius." in rows and "Cutter is in the area: short radius." in rows


def test_who_is_out_of_the_fight_is_so_on_the_card(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    battle = battle.with_unit(replace(battle.units["bandit"], is_defeated=True))
    loss = PoolChanged("bandit", "hp", "hit points", 20, 0, "")
    rows = result_text(Result((*events, loss), battle), session.rules, 40, 18).plain.split("\n")
    assert any("Bandit, out" in row for row in rows)


@pytest.mark.parametrize(
    ("ruleset", "dice", "word", "kind", "is_critical"),
    [
        ("occult-ops", ((3,), (4,)), "CRITICAL", HIT, True),
        ("occult-ops", ((25,), (6, 6)), "HIT", HIT, False),
        ("occult-ops", ((55,), (1, 1)), "ARMOUR", UNHURT, False),
        ("occult-ops", ((75,),), "MISS", MISS, False),
        ("occult-ops", ((95,),), "FUMBLE", MISS, False),
        ("aog", ((99,),), "FUMBLE", MISS, False),
        ("eva", ((99,),), "FUMBLE", MISS, False),
        ("volt", ((7, 7),), "CRITICAL", HIT, True),
        ("cwn", ((19,), (6,), (6,)), "DOWN", HIT, True),
        ("cwn", ((19,), (6,), (2,)), "HIT", HIT, False),
    ],
)
def test_the_badge_is_what_the_ruleset_calls_critical_a_fumble_or_stopped(
    ruleset: str, dice: tuple[tuple[int, ...], ...], word: str, kind: str, is_critical: bool
) -> None:
    table = fight(ruleset, "a..b", a="gunman", b="gunman")
    before = table.battle
    table.do(cmd.Attack("a", "b"), *dice)
    rows = result_text(Result(table.events, table.battle, before), table.rules, 60, 30).plain.split("\n")
    (mark,) = (mark for mark in aftermath(before, table.events, table.rules).marks if mark.unit == "b")
    assert (rows[0].split("  ")[0].strip(), mark.kind, mark.is_critical) == (word, kind, is_critical)


def test_a_hit_on_the_own_side_says_so() -> None:
    table = fight("occult-ops", "a..b", allies="b", a="gunman", b="gunman")
    table.do(cmd.Attack("a", "b"), (25,), (6, 6))
    assert result_text(Result(table.events, table.battle), table.rules, 60, 30).plain.startswith(" OWN SIDE ")


def test_the_log_has_a_row_for_an_attack_with_its_outcome_at_the_end(tmp_path: Path) -> None:
    session, _, battle = shot(tmp_path)
    steps = session.history.steps()[::-1]
    rows = log_text(steps[:1], battle, session.rules, 59, 4).plain.split("\n")
    assert rows[0] == "Todd ▸ Bandit, USP9: 42 vs 60".ljust(52) + " ARMOUR"
    said = " ".join(" ".join(rows).split())
    assert rows[1].startswith("  Todd: USP9 15 → 14 rounds. Damage: ") and "Bandit is unharmed." in said
    narrow = log_text(steps, battle, session.rules, 24, 40).plain.split("\n")
    assert narrow[narrow.index("Todd ▸ Bandit:          ") + 1] == "  42 vs 60        ARMOUR"


def test_a_narrow_log_says_the_outcome_and_the_changes_alone(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    step = session.history.steps()[-1]
    losses = (
        BurstLanded("todd", "Fragmentation grenade", Square(3, 4), (Roll("1d8", 2, ()),), ""),
        PoolChanged("bandit", "armour", "armour points", 50, 49, "damage to armour"),
        PoolChanged("bandit", next(iter(session.rules.units.pools)), "hit points", 20, 6, "damage"),
    )
    step = replace(step, events=(*(event for event in events if not isinstance(event, PoolChanged)), *losses))
    rows = log_text([step], battle, session.rules, 24, 20).plain.split("\n")
    assert [row.rstrip() for row in rows] == [
        "Todd ▸ Bandit:",
        "  42 vs 60           HIT",
        "  Fragmentation grenade",
        "  goes off on D5.",
        "  Bandit −1 armour",
        "  points",
        "  Bandit −14, 20 → 6",
    ]
    start = session.history.steps()[0]
    assert "rolls initiative" in log_text([start], battle, session.rules, 59, 40).plain
    told = log_text([start], battle, session.rules, 24, 40).plain
    assert "Turn order: Todd" in told and "initiative" not in told, "the order has the sums"


def test_a_wide_log_has_the_number_of_each_round_beside_its_first_row(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    while session.battle.turns.round < 2:
        session.submit(cmd.EndTurn())
    session.close()
    steps = session.history.steps()[::-1]
    rows = log_text(steps, session.battle, session.rules, 100, 40).plain.split("\n")
    marked = [row for row in rows if row[:5].strip()]
    assert marked == ["R1   Round 1: nobody was hit.", "R2   Round 2."], "whose turn it is would fill the log"
    assert rows[0].startswith("     ")
    last = log_text(steps, session.battle, session.rules, 100, 1).plain
    assert last == marked[-1]
    narrow = log_text(steps, session.battle, session.rules, 59, 40).plain.split("\n")
    assert "Round 2." in narrow


def test_a_result_that_cannot_be_undone_names_no_undo(tmp_path: Path) -> None:
    session, events, battle = shot(tmp_path)
    for can_undo in (True, False):
        text = result_text(Result(events, battle), session.rules, 40, 18, can_undo=can_undo).plain
        assert ("U undo" in text) is can_undo and "r details" in text


def test_more_wounds_than_hits_have_their_reason(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    session.submit(SetPool("bandit", "armour", 1))
    before, rules = session.battle, session.rules
    shot = with_odds(before, rules, consider(before, rules, cmd.Attack("todd", "bandit")))
    assert shot.outlook is not None and shot.outlook.hurt > shot.outlook.hit, "a fumble may be a hit after all"
    assert "Misses may wound too." in shot_text(shot, rules, 36, 24).plain
    events = tuple(session.submit(cmd.Attack("todd", "bandit")))
    told = " ".join(result_text(Result(events, session.battle, before), rules, 60, ENDLESS, shot).plain.split())
    session.close()
    assert "wounds 60 % · drops 0 % · misses may wound too" in told


def test_no_detail_is_cut_as_long_as_blank_rows_can_give_way() -> None:
    table = fight("volt", "a...b", a="rifleman", b="rifleman")
    before = table.battle
    table.do(Attack("a", "b"), (3, 4), (12,), (7,))
    result = Result(table.events, table.battle, before)
    for height in range(10, 30):
        rows = [row.strip() for row in result_text(result, table.rules, 42, height).plain.split("\n")]
        assert len(rows) <= height
        if any("more" in row for row in rows):
            assert len(rows) == height, "what is cut has no room"
            details = int(next(row for row in rows if "more" in row).split()[-2])
            assert details > 2 and "" in rows
        assert rows[-1].startswith("U undo")


def test_a_short_card_has_what_all_modifiers_are_added_to(tmp_path: Path) -> None:
    _, events, _ = shot(tmp_path)
    (rolled,) = (one for one in events if isinstance(one, AttackRolled))
    rows = [row.plain.split() for row in _ledger(rolled, 40, 99)]
    values = [int(row[-1].replace("−", "-")) for row in rows]
    assert sum(values) == rolled.target_number, "the rows add up to the number in the headline"
    assert len(list(_ledger(rolled, 40, 1))) == 2, "of a part of them there is no sum"
