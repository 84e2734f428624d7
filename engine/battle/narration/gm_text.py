"""Log sentences for GM events: doors, rulings, modifiers, notes, free dice, smoke and wind."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.narration.log_context import LogContext
from engine.battle.narration.narrators import narrates, says
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import Note
from engine.battle.wording import COMPASS_WORDS, cover_words, policy_words, ruling_words
from engine.dice.dice_text import signed
from engine.dice.sources import describe
from engine.geometry.blast.smoke_clouds import THICK, THIN, Cloud
from engine.geometry.squares import Edge
from engine.text import count, verb

DENSITY = {THIN: "thin smoke", THICK: "thick smoke"}


@narrates(ev.BarrierChanged)
def barrier_changed(event: ev.BarrierChanged, log: LogContext) -> str:
    now = "unlocked and closed" if (event.before, event.after) == ("locked", "closed") else event.after
    return f"The {event.kind} {_between(event.edge, log.battle)} {verb(event.kind, 'is', 'are')} {now}."


def _between(edge: Edge, battle: Battle) -> str:
    """Where a thin thing stands, by its squares; one at the map's border by its square and side."""
    one, other = edge.squares
    if one in battle.field and other in battle.field:
        return f"between {one.name} and {other.name}"
    return f"on {edge.name}"


@narrates(ev.RulingSet)
def ruling_set(event: ev.RulingSet, log: LogContext) -> str:
    before, after = ruling_words(event.before), ruling_words(event.after)
    return f"GM: “{event.label}” set to {after} for this battle, was {before}."


@narrates(ev.Adjusted)
def adjusted(event: ev.Adjusted, log: LogContext) -> str:
    held = event.adjustment
    until = _until(is_pinned=held.is_pinned)
    name = held.label or held.entry
    if not held.active:
        return f"GM: “{name}” ignored {until}."
    value = signed(held.value) if held.value is not None else "applies"
    note = f", {held.note}" if held.note not in ("", name) else ""
    return f"GM: “{name}” {value}{note}, {until}."


def _until(*, is_pinned: bool) -> str:
    """How long a GM override of attacks lasts."""
    return "pinned" if is_pinned else "next attack"


@narrates(ev.CloudSet)
def cloud_set(event: ev.CloudSet, log: LogContext) -> str:
    cloud = event.cloud
    squares = count(cloud.radius, "square")
    rounds = f" for {count(cloud.rounds, 'round')}" if cloud.rounds else ""
    place = f"around {cloud.centre.name}, radius {squares}"
    return f"{event.weapon or 'GM'}: {DENSITY[cloud.density]} {place}{rounds}."


says(ev.CloudCleared, lambda event, log: f"GM: the smoke around {event.cloud.centre.name} clears.")


@narrates(ev.WindSet)
def wind_set(event: ev.WindSet, log: LogContext) -> str:
    wind = event.wind
    if wind is None:
        return "GM: no wind."
    squares = count(wind.squares, "square")
    return f"GM: the wind blows towards the {COMPASS_WORDS[wind.towards.name]}, {squares} a round."


@narrates(ev.CloudsDrifted)
def clouds_drifted(event: ev.CloudsDrifted, log: LogContext) -> str:
    """ "" when the round changed nothing visible."""
    later = {cloud.id: cloud for cloud in event.after}
    return " ".join(filter(None, (_drift(cloud, later.get(cloud.id)) for cloud in event.before)))


def _drift(before: Cloud, after: Cloud | None) -> str:
    """Visible change of a cloud over one round; "" for none."""
    if after is None:
        return f"The smoke around {before.centre.name} clears."
    thins = after.density < before.density
    if after.centre != before.centre:
        return f"The smoke drifts {before.centre.name} → {after.centre.name}{' and thins' if thins else ''}."
    return f"The smoke around {before.centre.name} thins." if thins else ""


@narrates(ev.CoverRuled)
def cover_ruled(event: ev.CoverRuled, log: LogContext) -> str:
    ruling = event.ruling
    until = _until(is_pinned=ruling.is_pinned)
    return (
        f"GM: cover of {log.name(ruling.target)} against {log.name(ruling.attacker)}: {cover_words(ruling)}, {until}."
    )


@narrates(ev.CoverRulingEnded)
def cover_ruling_ended(event: ev.CoverRulingEnded, log: LogContext) -> str:
    if event.is_spent:
        return ""
    return f"GM: cover of {log.name(event.target)} against {log.name(event.attacker)}: from line of sight."


says(ev.PolicySet, lambda event, log: f"GM: {_policy(event, log)}.")
says(ev.PolicyEnded, lambda event, log: f"GM: {_policy(event, log)}, cleared.")


def _policy(event: ev.PolicySet | ev.PolicyEnded, log: LogContext) -> str:
    return policy_words(event.policies[0], event.label, log.battle)


says(ev.NoteSet, lambda event, log: f"Note{_pinned_to(event.note, log)}: {event.note.text}")
says(ev.NoteCleared, lambda event, log: f"Note{_pinned_to(event.note, log)} removed: {event.note.text}")


def _pinned_to(note: Note, log: LogContext) -> str:
    place = log.name(note.unit) if note.unit else note.at.name if note.at else ""
    return f" on {place}" if place else ""


says(ev.DiceThrown, lambda event, log: f"{event.purpose or 'Dice'}: {describe(event.roll)}.")


@narrates(ev.RollCorrected)
def roll_corrected(event: ev.RollCorrected, log: LogContext) -> str:
    before, after = (" ".join(map(str, dice)) for dice in (event.before, event.after))
    purpose = f", {event.purpose}" if event.purpose else ""
    if before == after:
        return f"GM: roll stays {after}{purpose}."
    return f"GM: roll corrected to {after}, was {before}{purpose}."
