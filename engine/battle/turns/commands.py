"""Commands about the order itself: waiting, other places, groups that share one, surprise."""

from __future__ import annotations

from engine.values import Stored


class Delay(Stored, frozen=True, tag="delay"):
    """A unit that has not acted yet waits, and acts after another that is still to come."""

    unit: str
    after: str


class SetPlace(Stored, frozen=True, tag="set-place"):
    """The GM gives a unit another place in the order: after another, or first where none is named."""

    unit: str
    after: str = ""


class FormGroup(Stored, frozen=True, tag="form-group"):
    """The GM lets several units of a side share one place in the order and one roll for it."""

    members: tuple[str, ...]


class DissolveGroup(Stored, frozen=True, tag="dissolve-group"):
    """The members of a unit's group have places of their own again."""

    unit: str


class Surprise(Stored, frozen=True, tag="surprise"):
    """The GM says who is surprised: they lose their turn in this round."""

    units: tuple[str, ...]
