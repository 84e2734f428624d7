"""The end card in Markdown, with which the HTML report opens: the Game Master's whole, a seat's from what it saw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.journal.session import Session
from engine.text import count, side_name
from tui.application.exports.battle_titles import battle_title
from tui.application.exports.end_card import EndCard, whole_card
from tui.application.exports.frames import ReplayFrame
from tui.application.exports.markdown_report import plain
from tui.application.exports.seat_card import seat_card

HEADS = ("", "Who", "Shots", "Hits", "Dealt", "Taken", "Downed", "Remembered for")


def card_markdown(session: Session, side: str, frames: Sequence[ReplayFrame]) -> str:
    """The card as a report of a side has it; "" where the battle is still set up.

    Args:
        session: the battle.
        side: as for `frames_of`: "" for the Game Master.
        frames: those of the side.
    """
    if not frames:
        return ""
    title = battle_title(session)
    if side:
        card = seat_card(title, frames, side)
    else:
        steps = session.history.steps_with_battles()
        card = whole_card(title, steps, session.rules, is_over=session.battle.is_finished)
    return "\n".join(_lines(card))


def _lines(card: EndCard) -> Iterator[str]:
    yield from (f"## {plain(card.headline)}", "")
    sides = (f"{side_name(side.side)} {side.words}" for side in card.sides)
    yield f"{count(card.rounds, 'round')}: {plain(', '.join(sides))}."
    yield from ("", f"| {' | '.join(HEADS)} |", f"|{'---|' * len(HEADS)}")
    for row in card.rows:
        numbers = (str(number) for number in (row.shots, row.hits, row.dealt, row.taken))
        cells = (row.sign, row.name, *numbers, ", ".join(row.downed), row.remembered)
        yield f"| {' | '.join(plain(cell) for cell in cells)} |"
    if card.shots:
        yield from ("", "### The fight in three shots", "")
    for shot in card.shots:
        odds = f", {shot.odds}" if shot.odds else ""
        said = f"{shot.attacker} → {shot.target}{odds}: {shot.result}, round {shot.round}."
        yield f"- **{plain(shot.badge)}**: {plain(said)}"
