"""Enemies in the panels: whom `t` aims at and with what chance, whom a unit sees and who sees it."""

from __future__ import annotations

from fractions import Fraction

from engine.battle.command import Act, Attack
from engine.battle.commands.roster_commands import SetHidden
from engine.battle.commands.unit_edits import SetCondition
from engine.battle.views.view import project
from engine.values import replace
from tests.rules.table import Table, fight
from tui.application.focus import focus as foci
from tui.application.focus.contacts import Aim, Contacts, aims_now, contacts, known_aims, known_contacts
from tui.application.focus.focus import Focus
from tui.view.panels.attack_panel import chance_words, shot_text
from tui.view.panels.unit_panel import contact_rows, unit_text

MAP = ("a..b....c", ".........", "....d....")


def table() -> Table:
    return fight("cwn", *MAP, a="gunman", b="gunman", c="gunman", d="gunman")


def found(here: Table, unit: str) -> Contacts:
    for _ in contacts(here.battle, here.rules, unit):
        pass
    known = known_contacts(here.battle, here.rules, unit)
    assert known is not None
    return known


def test_enemies_are_listed_in_the_order_of_t_with_their_chances() -> None:
    here = table()
    attack = Attack("a", "")
    assert known_aims(here.battle, here.rules, attack) is None
    listed = aims_now(here.battle, here.rules, attack)
    assert known_aims(here.battle, here.rules, attack) == listed
    focus, walked = Focus(unit="a"), []
    for _ in listed:
        focus = foci.next_target(focus, here.battle, here.rules)
        walked.append(focus.target)
    assert [aim.unit for aim in listed] == walked
    assert [aim.chance for aim in listed] == [here.shot(at=one).odds.hit for one in walked]


def test_without_a_target_the_shot_panel_lists_them_as_far_as_there_is_room() -> None:
    here = table()
    view = project(here.battle, here.rules)
    listed = aims_now(here.battle, here.rules, Attack("a", ""))
    targets = [(view.unit(aim.unit), replace(aim, about=())) for aim in listed]
    rows = shot_text(None, here.rules, 40, 20, targets).plain.split("\n")
    assert rows[0].startswith("No target.") and "" in rows
    named = rows[rows.index("") + 1 :]
    assert [row.split()[-2] for row in named] == [chance_words(aim).split()[0] for _, aim in targets]
    assert all(len(row) == 40 for row in named)
    short = shot_text(None, here.rules, 40, len(rows) - 1, targets).plain.split("\n")
    assert len(short) == len(rows) - 1 and short[-1] == "… 2 more"
    assert "…" in shot_text(None, here.rules, 40, 20, [(view.unit("b"), None)]).plain


def test_an_enemys_row_names_what_helps_the_attack_on_it_and_not_what_helps_any() -> None:
    here = fight("eva", "a........b", ".........c", a="gunman", b="gunman", c="gunman")
    here.do(SetCondition("b", "stunned", is_on=True))
    here.do(Act("a", "aim"))
    about = {aim.unit: aim.about for aim in aims_now(here.battle, here.rules, Attack("a", ""))}
    assert about == {"b": ("9 m", "target stunned +20", "short"), "c": ("9 m", "short")}


def test_an_enemy_has_a_row_about_the_attack_where_all_have_one() -> None:
    melee = fight("eva", "a....b", a="brawler", b="gunman")
    assert aims_now(melee.battle, melee.rules, Attack("a", ""))[0].about == ("5 m", "out of reach")
    here = fight("occult-ops", "a...b....", "........c", a="gunman", b="gunman", c="gunman")
    listed = aims_now(here.battle, here.rules, Attack("a", ""))
    assert [aim.about for aim in listed] == [("20 ft", "defence −10", "short"), ("40 ft", "defence −10", "medium")]
    view = project(here.battle, here.rules)
    targets = [(view.unit(aim.unit), aim) for aim in listed]
    rows = shot_text(None, here.rules, 40, 7, targets).plain.split("\n")
    assert [row.strip() for row in rows[rows.index("") + 2 :: 2]] == [" · ".join(aim.about) for aim in listed]
    narrow = shot_text(None, here.rules, 24, 20, targets).plain.split("\n")
    assert narrow[narrow.index("") + 2] == "    20 ft · defence −10", "the last goes where there is no room"
    assert len(shot_text(None, here.rules, 40, 6, targets).plain.split("\n")) == 5, "else it has none"


def test_a_unit_says_whom_it_sees_who_sees_it_and_its_best_shot_where_there_is_room() -> None:
    here = table()
    names = {unit.id: unit.name for unit in here.battle.units.values()}
    met = contact_rows(found(here, "a"), names)
    unit = project(here.battle, here.rules).unit("a")
    bare = unit_text(unit, "m", 40).plain.split("\n")
    rows = unit_text(unit, "m", 40, contacts=met).plain.split("\n")
    assert [row.split()[0] for row in rows[len(bare) + 1 :]] == ["sees", "seen", "best"]
    assert rows[-1].rstrip().endswith("%")
    assert unit_text(unit, "m", 40, len(bare) + 3, contacts=met).plain.split("\n") == bare
    assert [words for _, words, _ in contact_rows(None, names)] == [("…",)] * 3


def test_a_name_with_a_comma_or_a_chance_in_it_is_one_name() -> None:
    here = table()
    unit = project(here.battle, here.rules).unit("a")
    sees = Contacts(("b",), (), Aim("b", False, True, Fraction(9, 20)))
    rows = unit_text(unit, "m", 40, contacts=contact_rows(sees, {"b": "Smith, the 9 %"})).plain.split("\n")[-3:]
    assert [row.rstrip() for row in rows] == [
        "sees        Smith, the 9 %",
        "seen by     nobody",
        "best shot   Smith, the 9 % 45 %",
    ]
    narrow = unit_text(unit, "m", 22, contacts=contact_rows(sees, {"b": "Smith, the 9 %"})).plain.split("\n")[-3:]
    assert "enemies" not in narrow[0] and narrow[-1].endswith(" 45 %")


def test_whom_only_the_gm_sees_counts_neither_way() -> None:
    here = table()
    enemy = found(here, "a").sees[0]
    here.do(SetHidden(enemy, True))
    assert enemy not in (*found(here, "a").sees, *found(here, "a").seen_by)
    assert found(here, enemy).seen_by == () and found(here, enemy).sees
