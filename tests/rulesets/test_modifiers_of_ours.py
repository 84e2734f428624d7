"""Modifiers that a chapter does not have: marked in the data, listed, and turned off together by one ruling."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from engine.battle import events as ev
from engine.battle.commands.ruling_commands import SetRuling
from engine.rules.ledger import itemise
from engine.rules.model import Band, Modifier, Restriction, Ruleset
from engine.rules.rulings import CHAPTER_ONLY
from rulesets import shipped_rulesets
from tests.rules.table import fight, ruleset
from tui.application.reports.rulings_report import ours_rows, rulings_words

SHIPPED = sorted(shipped_rulesets())
NOT_THE_SYSTEMS = re.compile(r"Parent game|no rule\b|family of games|the chapter has no ")
"""What the source or the ruling of a rule says that no page of its system has."""


def counted(rules: Ruleset) -> Iterator[Modifier | Band]:
    """Every modifier and range band that may count something."""
    for one in (*rules.attack.modifiers, *(band for table in rules.attack.bands for band in table.bands)):
        if one.value.can_hold:
            yield one


def said(one: Modifier | Band | Restriction) -> str:
    return f"{one.origin.source} {one.origin.ruling}"


@pytest.mark.parametrize("name", SHIPPED)
def test_what_counts_and_no_page_of_the_system_has_is_marked_as_ours(name: str) -> None:
    unmarked = [one.id for one in counted(ruleset(name)) if NOT_THE_SYSTEMS.search(said(one)) and not one.ours]
    assert unmarked == []


@pytest.mark.parametrize("name", SHIPPED)
def test_the_list_of_rulings_has_every_modifier_of_ours(name: str) -> None:
    rules = ruleset(name)
    ours = [one for one in (*counted(rules), *rules.attack.restrictions) if one.ours]
    assert len(ours) == len(ours_rows(rules)) > 0
    listed = rulings_words(rules, {one.id: one.value for one in rules.rulings.values()})
    assert (
        f"Modifiers that the chapter does not have ({len(ours)}); “ruling chapter_only yes” turns all"
        in listed[listed.index("") + 1]
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_chapter_only_turns_each_of_them_off_and_nothing_else(name: str) -> None:
    """Every rule of ours asks for the ruling, and no other does."""
    rules = ruleset(name)
    switch = f"ruling.{CHAPTER_ONLY}"
    for one in (*rules.attack.modifiers, *rules.attack.restrictions):
        assert (switch in one.when.names) == one.ours, one.id
    for table in rules.attack.bands:
        for band in table.bands:
            assert (switch in band.value.names) == band.ours, band.id


def test_the_ruling_is_logged_and_counts_in_the_ledger() -> None:
    """eva at short range in the dark: the skill and the action are the chapter's, the rest is not."""
    table = fight("eva", "a....b", a="rifleman", b="rifleman")
    facts = {**table.shot().situation.facts, "light": "dark"}
    before = {one.id: one.value for one in itemise(table.rules, facts).entries if one.value}
    told = table.do(SetRuling(CHAPTER_ONLY, True))
    assert table.happened(ev.RulingSet)
    assert any("Chapter only" in line for line in told)
    facts = {**table.shot().situation.facts, "light": "dark"}
    after = {one.id: one.value for one in itemise(table.rules, facts).entries if one.value}
    assert set(before) - set(after) == {"range.short", "dark"}
    assert set(after) <= set(before)


def test_a_gun_is_fired_in_melee_where_the_gm_rules_so() -> None:
    for ruling, value in (("pistols_in_melee", False), (CHAPTER_ONLY, True)):
        table = fight("eva", "ab", a="rifleman", b="rifleman")
        assert table.shot().ledger.forbidden is not None
        table.do(SetRuling(ruling, value))
        assert table.shot().ledger.forbidden is None
