"""Overlays by name, and the board overlay of a focus: line of fire, tints, planned path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.state.battle import Battle
from engine.battle.views.aftermath import NOTHING_DONE, Aftermath
from engine.geometry.squares import ORTHOGONAL, Square
from engine.rules.model import Ruleset
from engine.values import replace
from tui.application.describe.glyphs import UNICODE
from tui.application.focus.focus import Focus, sweeps
from tui.application.overlays.dangers import smoke, threats
from tui.application.overlays.markings import BANDS, BURST, SCALE, Markings
from tui.application.overlays.overlay_tints import NO_TINTS, OverlayTints
from tui.application.overlays.overwatch import overwatched, zone_in_focus
from tui.application.overlays.positioning import stand
from tui.application.overlays.ranges import ranges
from tui.application.overlays.reach import reach
from tui.application.overlays.sight import reached_by_unit, seen_by_unit, seen_from_cursor
from tui.application.overlays.throws import blast, landings, sweep


class OverlayKind(Struct, frozen=True):
    """An overlay: its menu label, how it is computed, and whether it depends on the cursor and on what is shown.

    What depends on the squares that are shown takes so long that it is computed for these alone.
    """

    label: str
    compute: Callable[[Focus, Battle, Ruleset, Mapping[str, str]], OverlayTints]
    follows_cursor: bool = False
    follows_window: bool = False


OVERLAYS: Mapping[str, OverlayKind] = {
    "range": OverlayKind("range bands of the weapon", ranges),
    "sight": OverlayKind("field of view of the unit", seen_by_unit, follows_window=True),
    "cover": OverlayKind("field of fire of the unit", reached_by_unit, follows_window=True),
    "here": OverlayKind("field of view from the cursor", seen_from_cursor, follows_cursor=True, follows_window=True),
    "blast": OverlayKind("area of a blast or cone at the cursor", blast, follows_cursor=True),
    "landing": OverlayKind("scatter of a throw at the cursor", landings, follows_cursor=True),
    "threat": OverlayKind("squares next to an enemy", threats),
    "smoke": OverlayKind("smoke over the next rounds", smoke, follows_cursor=True),
    "reach": OverlayKind("squares that the unit can reach", reach),
    "exposure": OverlayKind("where to stand: risk of being hit", partial(stand, "exposure"), follows_cursor=True),
    "shot": OverlayKind("where to stand: best attack", partial(stand, "shot"), follows_cursor=True),
    "balance": OverlayKind(
        "where to stand: net, own hit chance minus risk", partial(stand, "balance"), follows_cursor=True
    ),
    "overwatch": OverlayKind("squares under overwatch of enemies", overwatched, follows_window=True),
}
"""By the `overlay` of the focus."""

OVERLAY_TINTS: Mapping[str, tuple[str, ...]] = {
    "range bands, near to far": BANDS,
    "low to high: chance to land, rounds of smoke": SCALE,
    "in reach with the first move, with a later move": ("reach-1", "reach-2"),
    "visible: fully, at least half, less; blank: not at all": ("seen", "part", "little", "unseen"),
    "blast, its outer rings; in a cone: visible, not visible": ("blast", "edge"),
    "next to an enemy; under overwatch": ("blocked",),
}
"""The tints of overlays by their meaning, for the help page; within one line all signs differ."""


def compute_overlay(
    focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str] = UNICODE.tints
) -> OverlayTints:
    """Computes the overlay of a focus; without one, the area that the attack in focus strikes, or a kill zone.

    `signs` are the board's signs of tints.
    """
    if focus.overlay == "plain" and sweeps(focus, battle, rules):
        return sweep(focus, battle, rules)
    if focus.overlay == "plain":
        return zone_in_focus(focus, battle, rules)
    kind = OVERLAYS.get(focus.overlay)
    return kind.compute(focus, battle, rules, signs) if kind and focus.unit in battle.units else NO_TINTS


def follows_cursor(focus: Focus) -> bool:
    """Whether the overlay changes when only the cursor moves."""
    return focus.overlay in OVERLAYS and OVERLAYS[focus.overlay].follows_cursor


def follows_window(focus: Focus) -> bool:
    """Whether the overlay changes when the map is panned or zoomed: it is computed once that is painted."""
    return focus.overlay == "plain" or (focus.overlay in OVERLAYS and OVERLAYS[focus.overlay].follows_window)


def blast_tints(done: Aftermath) -> dict[Square, str]:
    """The tints of a blast that went off, ring by ring."""
    return {square: BURST[min(ring, 2)] for ring, area in enumerate(done.rings) for square in area}


def outline(area: frozenset[Square]) -> tuple[Square, ...]:
    """The squares of an area that are not surrounded by it."""
    return tuple(one for one in area if not area.issuperset(one.step(side) for side in ORTHOGONAL))


def overlay_of(
    focus: Focus, shot: AttackPreview | str | None, found: OverlayTints, done: Aftermath = NOTHING_DONE
) -> Markings:
    """Builds the board overlay; `done` is what the last command did, which hides the line of the next shot."""
    overlay = Markings(cursor=focus.cursor, selected=focus.unit, target=focus.target, tints=found.tints)
    overlay = replace(overlay, numbered=found.best, chips=found.chips)
    if not done.is_empty:
        asked, struck = found.tints, blast_tints(done)
        return replace(overlay, tints=struck or asked if focus.overlay == "plain" else asked or struck, aftermath=done)
    if isinstance(shot, AttackPreview) and found.reach is None:  # the line would hide the squares in reach
        trace = shot.situation.trace
        blocker = None if trace.can_see else trace.first_blocker
        stop = (blocker.edge or blocker.square) if blocker else None
        overlay = replace(overlay, line=shot.situation.trace.squares, stop=stop)
    if found.reach is None or focus.cursor not in found.tints or focus.cursor == found.reach.start:
        return overlay
    return replace(overlay, path=found.reach.path(focus.cursor))
