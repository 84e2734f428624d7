"""A battle's report in Markdown, for readers: rounds and turns, who did what with which dice, and the result.

Undone commands are left out; for the players also the GM's notes and units that were hidden from them. Names come
from files that others wrote; none of them is Markdown or HTML here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from engine.battle import events as ev
from engine.battle.narration import continuity, name_of, narrate
from engine.battle.setup import pools_of
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.views.unit_letters import players_side
from engine.dice.dice_text import percent, signed
from engine.dice.sources import NO_ROLL
from engine.journal.history import Step
from engine.journal.store import Header
from engine.rules.ledger import Entry
from engine.rules.model import Ruleset
from engine.text import count, side_name, upper_first
from tui.application.exports.format_list import PLAYERS, view_words
from tui.application.exports.log_cleanup import (
    Hidden,
    Veiled,
    known_events,
    orders_thrown_away,
    rounds_played,
    rounds_shown,
    table_set_up,
    target_of_effect,
    veiled,
    what_counts,
)
from tui.application.terminal.jobs import Job

SPECIAL = re.compile(r"([\\`*_\[\]|#~!$])")
FIRST = re.compile(r"^(\s*\d*(?=[.)])|\s*(?=[-+]))(.)")
"""What would begin a list at the beginning of a line."""
OF_TURNS = ev.TurnEnded | ev.RoundBegan | ev.TurnBegan
"""With these a turn or a round is over or begins."""
OF_TABLE = ev.InitiativeRolled | ev.TieRolled | ev.OrderSet | ev.UnitRemoved | ev.TurnGiven
"""What comes with these, and is about the table none the less."""
OF_ATTACKS = ev.Adjusted | ev.AdjustmentsCleared | ev.CoverRuled | ev.CoverRulingEnded
"""What is said about the attack that comes next."""
BLANKS = re.compile(r"\n{3,}")
HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def write_markdown(header: Header, steps: Sequence[Step], rules: Ruleset, *, is_for_players: bool = False) -> Job[str]:
    """The whole report; a part of the job is a step.

    Args:
        header: what the battle began with.
        steps: those that count, the beginning first.
        rules: the battle's.
        is_for_players: whether it leaves out what the GM has hidden; else it is whole.
    """
    battle = steps[-1].after if steps else None
    lines = [f"# {plain(header.title)}", "", f"{plain(rules.name)}, begun {plain(header.created[:10])}."]
    if battle is None or not battle.units:
        return "\n".join([*lines, "", "There are no units yet.", ""])
    veil = veiled(steps, is_for_players=is_for_players)
    battle = veil[-1][0].after
    people = [unit for unit in battle.units.values() if not (is_for_players and unit.is_hidden)]
    sides = dict.fromkeys(unit.side for unit in people)
    lines[-1] += f" {rounds_words(rounds_played(veil))}: {_between([plain(side_name(side)) for side in sides])}."
    lines += ["", f"*{view_words(PLAYERS if is_for_players else '')}*"]
    log: list[str] = []
    for public, of_step in enumerate(_rounds_of(veil, rules), 1):
        log += of_step
        yield Fraction(min(public, len(steps)), len(steps))
    lines += ["", "## Units", "", *_people(people, rules), *without_empty(log)]
    lines += _fallen(veil, battle)
    lines += _spent(veil, battle, rules)
    seed = "" if is_for_players else f"Seed of the dice: {plain(header.seed)}. "  # which tells what dice are to come
    lines += ["", f"*{seed}Written by battleboard {plain(header.version)}.*", ""]
    return BLANKS.sub("\n\n", "\n".join(lines))


def rounds_words(played: int) -> str:
    """How many rounds were fought: "3 rounds"."""
    return count(max(1, played), "round")


def _between(sides: Sequence[str]) -> str:
    """Whom a battle is between: "law against outlaws", "crew, guards and bystanders"."""
    return " against ".join(sides) if len(sides) < 3 else f"{', '.join(sides[:-1])} and {sides[-1]}"


def plain(text: str) -> str:
    """A text that stands for itself in Markdown, wherever on a line it is."""
    return FIRST.sub(r"\1\\\2", SPECIAL.sub(r"\\\1", text.translate(HTML)))


def _people(units: Iterable[Unit], rules: Ruleset) -> Iterator[str]:
    """Everybody and what is left of them, as a table: the first number, and what is no longer full."""
    yield "| Name | Side | Role | Left | At the end |"
    yield "|---|---|---|---|---|"
    for unit in units:
        full = pools_of(rules, unit) if unit.character or unit.role in rules.units.sheets else {}
        left = [
            f"{pool.label} {unit.pools.get(pool.id, 0)} of {full.get(pool.id, 0)}"
            for place, pool in enumerate(rules.units.pools.values())
            if place == 0 or unit.pools.get(pool.id, 0) != full.get(pool.id, 0)
        ]
        known = [rules.units.conditions[held] for held in unit.conditions if held in rules.units.conditions]
        labels = [one.label for one in known if not one.internal]
        state = [unit.out or "out of the fight"] * unit.is_defeated + labels * (not unit.is_defeated)
        state += ["hidden"] * unit.is_hidden
        cells = (unit.name, side_name(unit.side), unit.role, "; ".join(left), ", ".join(state))
        yield f"| {' | '.join(plain(cell) for cell in cells)} |"


def _rounds_of(veil: Veiled, rules: Ruleset) -> Iterator[list[str]]:
    """What happened, round by round and turn by turn, a list for each step; an attack's ledger is folded below it.

    What the GM sets up before anybody does anything stands before the first round, though a turn has begun by then. A
    round that begins with the turn of somebody hidden begins with the next turn that is told. In bold is the final
    result of an attack.
    """
    said = ["", "## Before the first round", ""]
    round_number = 0
    first_turn: list[str] = []
    unsaid: list[str] = []
    thrown_away, set_up = orders_thrown_away(veil), table_set_up(veil)
    for number_of_step, (step, hidden) in enumerate(veil):
        if number_of_step == set_up:
            said += first_turn
        ahead, behind = continuity(step.events, step.after, hidden or ())
        ends = what_counts(step.events)
        is_of_turn, is_unsaid, turns_shown = False, False, _turns_shown(step, hidden)
        if unsaid and any(turns_shown):
            if number_of_step < set_up:
                first_turn += unsaid
            else:
                said += unsaid
            unsaid = []
        for place, (happened, public) in enumerate(zip(step.events, known_events(step, hidden, rules), strict=True)):
            if step.number in thrown_away and not isinstance(happened, ev.BattleBegan):
                continue
            if isinstance(happened, ev.RoundBegan) and happened.round == round_number:  # the order was rolled anew
                continue
            round_number = happened.round if isinstance(happened, ev.RoundBegan) else round_number
            is_unsaid = is_unsaid or (isinstance(happened, ev.RoundBegan) and turns_shown[-1:] == [False])
            lines = [
                *(f"- {plain(aside)}" for aside in (ahead.get(place),) if aside),
                *_event(step, place, public, hidden, ends, rules),
                *(f"- {plain(aside)}" for aside in (behind.get(place),) if aside),
            ]
            is_of_turn = is_of_turn or isinstance(public, OF_TURNS)
            waits = isinstance(happened, OF_ATTACKS) or (is_of_turn and not isinstance(happened, OF_TABLE))
            if is_unsaid:
                unsaid += lines
            elif waits and number_of_step < set_up:
                first_turn += lines
            else:
                said += lines
        yield said
        said = []
    if set_up == len(veil):
        yield first_turn


def _turns_shown(step: Step, hidden: Hidden) -> list[bool]:
    """For each turn that begins or continues in a step, whether players are told of it."""
    turns = (event for event in step.events if isinstance(event, ev.TurnBegan | ev.TurnTakenUp | ev.TurnResumed))
    return [event.unit not in (hidden or ()) for event in turns]


def _event(
    step: Step, place: int, event: ev.Event | None, hidden: Hidden, ends: Mapping[int, int], rules: Ruleset
) -> Iterator[str]:
    """One event of a step, as it is told, in words."""
    match event:
        case ev.RoundBegan():
            yield from ("", f"## Round {event.round}", "")
        case ev.TurnBegan() | ev.TurnTakenUp() | ev.TurnResumed():
            yield from ("", f"### {plain(turn_heading(event, step.after))}", "")
        case _:
            if sentence := plain(event_words(step, place, event, hidden, ends, rules)):
                is_bold = event is None or place in ends.values()
                yield f"- **{sentence}**" if is_bold else f"- {sentence}"
    if isinstance(event, ev.AttackRolled):
        yield from _ledger(event, rules)


def turn_heading(event: ev.TurnBegan | ev.TurnTakenUp | ev.TurnResumed, battle: Battle) -> str:
    """Whose turn it is: "Cutter", "Cutter, extra turn", "Deputy, continued"."""
    is_extra = isinstance(event, ev.TurnBegan) and event.is_extra
    more = ", extra turn" if is_extra else ", continued" if isinstance(event, ev.TurnResumed) else ""
    return f"{name_of(event.unit, battle)}{more}"


def event_words(
    step: Step, place: int, event: ev.Event | None, hidden: Hidden, ends: Mapping[int, int], rules: Ruleset
) -> str:
    """The sentence for an event of a step; "" for none, and for the beginning of a turn.

    Args:
        step: its command.
        place: that of the event among those of the step.
        event: as it is told; None where it is not.
        hidden: ids of those who are hidden from the players; None for the GM.
        ends: as `what_counts` gives them.
        rules: the battle's.
    """
    happened = step.events[place]
    match event:
        case None:
            if not isinstance(happened, ev.AttackRolled) or not hidden or hidden >= {happened.unit, happened.target}:
                return ""
            if happened.target in hidden:
                who = upper_first(name_of(happened.unit, step.after))
                return f"{who} attacks an unseen target with {happened.weapon_label}."
            attacked = f"An unseen attacker attacks {name_of(happened.target, step.after)}"
            return f"{attacked}: {attack_result(step, place, ends, rules, hidden)}."
        case ev.RoundBegan() | ev.TurnBegan() | ev.TurnTakenUp() | ev.TurnResumed():
            return ""
        case ev.PolicySet() | ev.PolicyEnded():
            return ""  # nothing that happened
        case _ if hidden is None:
            pass
        case _ if target_of_effect(step.events, place) in hidden:
            return ""
        case ev.MarkerSet() | ev.MarkerCleared() if not _is_players(event.unit, step.after):
            return ""  # the GM's own words, which players see of their own units alone
        case ev.ActionTaken() | ev.RoundsChanged() if any(isinstance(one, ev.ChargeLaid) for one in step.events):
            return ""  # it may lie there yet
    return narrate(event, step.after, rules)


def _is_players(unit: str, battle: Battle) -> bool:
    return unit in battle.units and battle.units[unit].side == players_side(battle)


def attack_result(
    step: Step, place: int, ends: Mapping[int, int], rules: Ruleset, unnamed: Collection[str] | None
) -> str:
    """What an attack came to in the end: the ruleset's word for it, or who was hit in place of the target.

    Args:
        step: its command.
        place: that of the attack's roll among the events.
        ends: as `what_counts` gives them.
        rules: the battle's.
        unnamed: ids of those who may not be named.
    """
    rolled, end = step.events[place], step.events[ends[place]]
    assert isinstance(rolled, ev.AttackRolled) and isinstance(end, ev.AttackRolled | ev.AttackTurned)
    is_hit = any(grade.id == end.grade and grade.is_hit for grade in rules.attack.grades)
    if end.target == rolled.target or rolled.square is not None or not is_hit:
        return end.grade_label.lower()
    return "miss" if end.target in (unnamed or ()) else f"{name_of(end.target, step.after)} is hit instead"


def without_empty(report_lines: Sequence[str]) -> list[str]:
    """Without the rounds and turns in which nothing happened; the first round always stays."""
    kept: list[str] = []
    below = ""
    for line in reversed(report_lines):
        is_empty = not below or (below.startswith("#") and below.count("#") <= line.count("#"))
        if line.startswith("#") and is_empty and line != "## Round 1":
            continue
        kept.append(line)
        below = line or below
    return kept[::-1]


def _ledger(event: ev.AttackRolled, rules: Ruleset) -> Iterator[str]:
    """Every line that counted, under its attack, to be unfolded."""
    yield ""
    needed = "no roll" if event.roll == NO_ROLL else rules.attack.test.needs(event, event.chance).words
    summary = f"Modifiers ({needed}; {percent(event.chance)})"
    yield f"  <details><summary>{summary.translate(HTML)}</summary>"
    yield ""
    yield "  | | | | |"
    yield "  |---:|---|---|---|"
    noted = {modifier.id for modifier in rules.attack.modifiers if modifier.note is not None}
    idle = [entry for entry in event.entries[1:] if entry.is_idle and entry.id not in noted]
    for entry in event.entries:
        if entry not in idle:
            because = entry.because if entry.because != entry.label else ""
            words = (_value(entry), entry.label, because, entry.source)
            yield f"  | {' | '.join(plain(word) for word in words)} |"
    if idle:
        yield from ("", f"  {plain('No effect: ' + ', '.join(entry.label.lower() for entry in idle) + '.')}")
    yield ""
    yield f"  {plain(event.sight)}"
    yield ""
    yield "  </details>"
    yield ""


def _value(entry: Entry) -> str:
    if entry.forbids:
        return "no"
    return signed(entry.value) if entry.active else f"({signed(entry.value)}, not counted)"


def _fallen(veil: Veiled, battle: Battle) -> Iterator[str]:
    """Who is out of the fight, since when and by whom."""
    fell: dict[str, str] = {}
    for (step, unknown), round_number in zip(veil, rounds_shown(veil), strict=True):
        hidden, attacker, mine = unknown or frozenset[str](), "", ""
        for event in step.events:
            match event:
                case ev.AttackRolled():
                    attacker, mine = event.unit if event.unit not in hidden else "", ""
                case ev.ChargeSetOff():
                    attacker, mine = "", f", by {event.label}"
                case ev.UnitDefeated() if event.unit in hidden:
                    pass
                case ev.UnitDefeated():
                    by = f", by {name_of(attacker, battle)}" if attacker and attacker != event.unit else mine
                    unit = step.after.units.get(event.unit)
                    how = f" ({unit.out})" if unit and unit.out else ""
                    fell[event.unit] = f"{name_of(event.unit, battle)}{how}, in round {round_number}{by}"
                case ev.UnitRecovered():
                    fell.pop(event.unit, None)
    yield from ("", "## Out of the fight", "")
    yield from (f"- {plain(words)}" for words in fell.values())
    if not fell:
        yield "Nobody."


def _spent(veil: Veiled, battle: Battle, rules: Ruleset) -> Iterator[str]:
    """Rounds fired, by unit and weapon; not those that the GM took away."""
    rounds: Counter[tuple[str, str]] = Counter()
    for step, unknown in veil:
        hidden = unknown or ()
        for event in step.events:
            if not isinstance(event, ev.RoundsChanged) or event.by_gm or event.unit in hidden:
                continue
            if event.after < event.before:
                rounds[event.unit, event.weapon] += event.before - event.after
    yield from ("", "## Ammunition spent", "")
    for (unit, weapon), fired in rounds.items():
        label = rules.gear.weapons[weapon].label if weapon in rules.gear.weapons else weapon
        yield f"- {plain(name_of(unit, battle))}: {fired} ({plain(label)})"
    if not rounds:
        yield "None."
