"""`dataclass` for the frozen dataclasses with slots that all of this is made of: as `dataclasses.dataclass`, but cheap.

The standard library looks at every field and writes and compiles six functions for each of them; for three hundred of
them that was a third of the time until the board is on the screen. Here all that waits until something first asks for
it: of most of them no value is made before the first paint. What their values do is the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from threading import RLock
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]

if TYPE_CHECKING:  # fields are checked as there
    from dataclasses import dataclass
else:

    def dataclass(kind=None, /, **how):
        """Makes a dataclass; one that is not frozen, has no slots or has an order in the usual way.

        All fields come in by `__init__`, by place or by name.
        """
        if kind is None:
            return lambda own: dataclass(own, **how)
        if how in ({**FROZEN, "eq": False}, FROZEN):
            return _frozen(kind, how.get("eq", True))
        return dataclasses.dataclass(kind, **how)


FROZEN = {"frozen": True, "slots": True}
_ONE_AT_A_TIME = RLock()
"""Whoever asks for fields while another thread works them out waits for it."""


class _Fields:
    """`__dataclass_fields__` of a class: the standard library works them out when something first asks for them."""

    def __init__(self, plain: type) -> None:
        self._plain = plain
        """The class as it was written."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner: Any = owner

    def __get__(self, value: object, kind: type | None = None) -> dict[str, dataclasses.Field[Any]]:
        with _ONE_AT_A_TIME:
            found = self._owner.__dict__["__dataclass_fields__"]
            if found is self:
                known: Any = dataclasses.dataclass(self._plain, init=False, repr=False, eq=False, match_args=False)
                self._owner.__dataclass_params__ = known.__dataclass_params__
                self._owner.__dataclass_fields__ = found = known.__dataclass_fields__
        return found  # type: ignore[no-any-return]


def _frozen(kind: type, eq: bool) -> Any:
    if kind.__doc__ is None:  # else a signature is worked out for it
        kind.__doc__ = kind.__name__
    body = {name: what for name, what in kind.__dict__.items() if name not in ("__dict__", "__weakref__")}
    above = getattr(kind, "__match_args__", ())
    written = [name for name, what in kind.__annotations__.items() if not str(what).startswith("ClassVar")]
    for name in written:
        body.pop(name, None)  # its default would be where its slot is to be
    own = tuple(name for name in written if name not in above)
    body["__slots__"], body["__match_args__"], body["__dataclass_fields__"] = own, (*above, *own), _Fields(kind)
    made: Any = type(kind)(kind.__name__, kind.__bases__, body)
    made.__qualname__ = kind.__qualname__
    made.__init__ = _postponed(made, "__init__", _written)
    made.__setattr__, made.__delattr__ = _refuse_assignment, _refuse_deletion
    made.__getstate__, made.__setstate__ = _state, _restore
    if "__repr__" not in body:
        made.__repr__ = _spelt
    if eq:
        if "__eq__" not in body:
            made.__eq__ = _postponed(made, "__eq__", _equal)
        if "__hash__" not in body:
            made.__hash__ = _postponed(made, "__hash__", _hashed)
    return made


def _postponed(kind: Any, name: str, write: Callable[[Any], Callable[..., Any]]) -> Callable[..., Any]:
    """A method that its first call replaces by the real one."""

    def method(self: object, *args: object, **named: object) -> Any:
        written = write(kind)
        setattr(kind, name, written)
        return written(self, *args, **named)

    return method


def _written(kind: Any) -> Callable[..., None]:
    """The `__init__` of a dataclass, which fills the slots past the frost by their own writers: nothing is quicker."""
    names: dict[str, object] = {"_missing": MISSING}
    taken, body = ["self"], []
    for field in dataclasses.fields(kind):
        name = field.name
        names[f"_set_{name}"] = getattr(kind, name).__set__
        given = name
        if field.default is not MISSING:
            names[f"_default_{name}"] = field.default
            taken.append(f"{name}=_default_{name}")
        elif field.default_factory is not MISSING:
            names[f"_make_{name}"] = field.default_factory
            taken.append(f"{name}=_missing")
            given = f"_make_{name}() if {name} is _missing else {name}"
        else:
            taken.append(name)
        body.append(f" _set_{name}(self, {given})")
    if hasattr(kind, "__post_init__"):
        body.append(" self.__post_init__()")
    exec("\n".join([f"def __init__({', '.join(taken)}):", *body, " return None"]), names)  # noqa: S102  # names of fields alone
    written: Any = names["__init__"]
    written.__qualname__ = f"{kind.__qualname__}.__init__"
    return written  # type: ignore[no-any-return]


def _reader(kind: Any) -> Callable[[object], tuple[object, ...]]:
    """What reads the fields of a value that are compared, always as a tuple."""
    match [field.name for field in dataclasses.fields(kind) if field.compare]:
        case []:
            return lambda value: ()
        case [name]:
            return lambda value: (getattr(value, name),)
        case names:
            return attrgetter(*names)


def _equal(kind: Any) -> Callable[[object, object], bool]:
    parts = _reader(kind)

    def __eq__(self: object, other: object) -> bool:
        return parts(self) == parts(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hashed(kind: Any) -> Callable[[object], int]:
    parts = _reader(kind)

    def __hash__(self: object) -> int:
        return hash(parts(self))

    return __hash__


@recursive_repr()
def _spelt(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_assignment(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[object]:
    return [getattr(self, name) for name in self.__match_args__]


def _restore(self: Any, state: list[object]) -> None:
    for name, value in zip(self.__match_args__, state, strict=True):
        object.__setattr__(self, name, value)
