"""The verdict on every attack of the golden battles keeps the rules of how sentences are written."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from engine.battle.events import AttackRolled, BattleBegan, CoverRuled, InitiativeRolled, OrderSet, PolicySet
from engine.battle.narration import narrate
from engine.battle.views.verdict import verdict_of
from tests.golden import battles
from tui.application.library.battle_files import open_battle

FILES = [f"{folder.name}/{name}" for folder in battles.folders() for name in battles.scripts(folder)]
MOST_WORDS, MOST_NUMBERS = 12, 2
NUMBER = re.compile(r"(?<![A-Za-z])\d+")
COORDINATE = re.compile(r"\b[A-Z]{1,2}\d+\b")


def faults(verdict: str, ids: set[str]) -> list[str]:
    """Which rules a verdict breaks."""
    said = re.split(r"(?<=[.!?]) (?=[A-Z0-9])", verdict)
    first = COORDINATE.sub("", said[0])
    found = [
        ("more than two sentences", len(said) > 2),
        ("a long first sentence", len(said[0].split()) > MOST_WORDS),
        ("more than two numbers first", len(NUMBER.findall(first)) > MOST_NUMBERS),
        ("brackets or semicolons", bool(re.search(r"[()\[\];]", verdict))),
        ("an id", any(re.search(rf"\b{re.escape(id)}\b", verdict) for id in ids if "-" in id)),
        ("a coined word", bool(re.search(r"\b(stride|budget|deflector)\b", verdict))),
        ("no capital, or no full stop", not re.fullmatch(r"[A-Z0-9“].*\.", verdict)),
    ]
    return [rule for rule, is_broken in found if is_broken]


@pytest.mark.long
@pytest.mark.parametrize("file", FILES)
def test_verdicts_keep_the_rules(file: str, tmp_path: Path) -> None:
    copied = Path(shutil.copy(battles.FOLDER / f"{file}.battle", tmp_path))
    session = open_battle(copied)
    try:
        steps = [one for one in session.history.steps() if any(isinstance(each, AttackRolled) for each in one.events)]
        said = [(verdict_of(one.events, one.after, session.rules), {*one.after.units}) for one in steps]
    finally:
        session.close()
    assert said
    broken = {verdict: found for verdict, ids in said if (found := faults(verdict, ids))}
    assert not broken


DICE = re.compile(r"\((?:\d|[ ,×−+\-]|typed|vs|and|of)*\)")
"""Dice in brackets, as "2d6 (3, 4)": the one thing that stands in them."""


LABELS = re.compile(r"Aim \(half\)|a fall of \(m\)|flies \(1 north, then clockwise\)")
"""What rules of older formats call things."""


@pytest.mark.long
@pytest.mark.parametrize("file", FILES)
def test_no_sentence_of_the_log_has_brackets_or_semicolons(file: str, tmp_path: Path) -> None:
    copied = Path(shutil.copy(battles.FOLDER / f"{file}.battle", tmp_path))
    session = open_battle(copied)
    try:
        said = {
            narrate(event, step.after, session.rules)
            for step in session.history.steps()
            for event in step.events
            if not isinstance(event, BattleBegan | OrderSet | InitiativeRolled | PolicySet | CoverRuled)
        }
    finally:
        session.close()
    bare = (DICE.sub("", LABELS.sub("", one)) for one in said)
    broken = sorted(one for one in bare if re.search(r"[()\[\];]", one))
    assert not broken
