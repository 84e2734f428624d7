"""Commands about the order itself: waiting, other places, groups that share one, surprise."""

from __future__ import annotations

from engine.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Delay:
    """A unit that has not acted yet waits, and acts after another that is still to come."""

    unit: str
    after: str


@dataclass(frozen=True, slots=True)
class SetPlace:
    """The GM gives a unit another place in the order: after another, or first where none is named."""

    unit: str
    after: str = ""


@dataclass(frozen=True, slots=True)
class FormGroup:
    """The GM lets several units of a side share one place in the order and one roll for it."""

    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DissolveGroup:
    """The members of a unit's group have places of their own again."""

    unit: str


@dataclass(frozen=True, slots=True)
class Surprise:
    """The GM says who is surprised: they lose their turn in this round."""

    units: tuple[str, ...]
