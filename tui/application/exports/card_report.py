"""What the HTML report has besides the report, in Markdown: the end card, and a table of the attacks of each round.

The Game Master's is whole, a seat's is made of what it saw.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.dice.dice_text import percent
from engine.journal.session import Session
from engine.text import count, side_name
from tui.application.exports.attack_tally import AttackMade
from tui.application.exports.battle_titles import battle_title
from tui.application.exports.end_card import EndCard, whole_card
from tui.application.exports.frames import ReplayFrame
from tui.application.exports.markdown_report import plain
from tui.application.exports.seat_card import seat_card

HEADS = ("", "Who", "Shots", "Hits", "Dealt", "Taken", "Downed", "Remembered for")

ATTACK_HEADS = ("Who", "At", "With", "To hit", "Came to", "Lost")
ROUND = re.compile(r"^## Round (\d+)$", re.MULTILINE)


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
    yield from ("", _row(HEADS), f"|{'---|' * len(HEADS)}")
    for row in card.rows:
        numbers = (str(number) for number in (row.shots, row.hits, row.dealt, row.taken))
        cells = (row.sign, row.name, *numbers, ", ".join(row.downed), row.remembered)
        yield _row(cells)
    if card.shots:
        yield from ("", "### The fight in three shots", "")
    for shot in card.shots:
        odds = f", {shot.odds}" if shot.odds else ""
        said = f"{shot.attacker} → {shot.target}{odds}: {shot.result}, round {shot.round}."
        yield f"- **{plain(shot.badge)}**: {plain(said)}"


def with_attacks(report: str, frames: Sequence[ReplayFrame]) -> str:
    """A report in Markdown with a table of its attacks below the heading of each round.

    Args:
        report: the Game Master's or a side's.
        frames: those of the same; what they have of attacks is what may be known.
    """
    names: dict[str, str] = {}
    rows: dict[int, list[str]] = defaultdict(list)
    for frame in frames:
        if frame.attacks:
            names |= {unit.id: unit.name for unit in frame.battle.units.values()}
            rows[frame.round] += [_attack_row(made, names) for made in frame.attacks if made.attacker]
    tables = {
        number: "\n".join((_row(ATTACK_HEADS), f"|{'---|' * len(ATTACK_HEADS)}", *of))
        for number, of in rows.items()
        if of
    }
    return ROUND.sub(lambda found: "\n\n".join(filter(None, (found[0], tables.get(int(found[1]))))), report)


def _attack_row(made: AttackMade, names: Mapping[str, str]) -> str:
    lost = [
        " ".join(
            filter(None, (names.get(loss.unit, ""), f"−{loss.amount}" if loss.amount else "", "down" * loss.is_down))
        )
        for loss in made.losses
        if loss.amount or loss.is_down
    ]
    chance = "" if made.chance is None else percent(made.chance if made.is_hit else 1 - made.chance)
    return _row(
        (names.get(made.attacker, ""), names.get(made.target, ""), made.weapon, chance, made.kind, ", ".join(lost))
    )


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(plain(cell) for cell in cells)} |"
