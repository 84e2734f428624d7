"""Groups of units that are put on the table in one go: those that ship, and the GM's own in a TOML file.

format = 1
[patrol]
name = "Patrol"
[[patrol.unit]]
role = "rifleman"
count = 3
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from engine.battle.commands.roster_commands import AddGroup, AddUnit
from engine.battle.state.units import ROLES
from engine.errors import BattleboardError, near_or_known
from engine.geometry.battlefield import Height
from engine.geometry.body import POSTURES
from engine.geometry.squares import Square
from engine.toml_reader import Reader, parse, quoted
from maps.legend import filled, height
from maps.library import SHIPPED
from maps.model import FORMAT
from maps.placements import MOST_NAME, MOST_SIZE

MOST_MEMBERS = 50
MOST_BYTES = 1 << 20
GROUP_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Member(Struct, frozen=True):
    """Some units of a group that are alike."""

    role: str
    name: str
    count: int
    posture: str
    size: int
    altitude: Height
    is_neutral: bool


class Group(Struct, frozen=True):
    """A group by its name; which side it is on is said when it comes."""

    id: str
    name: str
    members: tuple[Member, ...]

    @property
    def members_text(self) -> str:
        """Who is in it: "leader, 3 rifleman"."""
        return ", ".join(
            f"{member.count} {member.role}" if member.count > 1 else member.role for member in self.members
        )

    def placed(self, side: str, at: Square, is_hidden: bool = False, zone: str = "") -> AddGroup:
        """The command that adds it around a square, or in a start zone."""
        return AddGroup(
            tuple(
                AddUnit(
                    member.role,
                    side,
                    at,
                    member.name,
                    member.count,
                    posture=member.posture,
                    altitude=member.altitude,
                    size=member.size,
                    is_neutral=member.is_neutral,
                    is_hidden=is_hidden,
                    zone=zone,
                )
                for member in self.members
            )
        )


def parse_groups(text: str, file: str) -> Mapping[str, Group]:
    """The groups that a TOML text describes, by id.

    Raises:
        Unreadable: with every problem found, each with its line and column.
    """
    document = parse(text, file, MOST_BYTES)
    root = document.root
    version = root.whole("format", least=1)
    if version > FORMAT:
        root.problem("format", f"format is {version}; this battleboard reads format {FORMAT}")
    found: dict[str, Group] = {}
    for key in root:
        if key == "format":
            continue
        if not GROUP_ID.fullmatch(key):
            root.problem(key, f"{quoted(key)} is not a valid group id; expected lower-case letters, digits and hyphens")
        found[key] = _read_group(root.table(key), key)
    root.finish()
    document.check()
    return found


def load_groups(own: Path) -> Mapping[str, Group]:
    """The groups that ship and, where there is such a file, the GM's own; of the same id hers counts.

    Raises:
        Unreadable: her file is not what it should be.
        BattleboardError: it cannot be read.
    """
    shipped = (SHIPPED / "data" / "groups.toml").read_text(encoding="utf-8")
    found = dict(parse_groups(shipped, "groups.toml"))
    try:
        text = own.read_text(encoding="utf-8")
    except FileNotFoundError:
        return found
    except (OSError, ValueError) as error:
        raise BattleboardError(
            f"{own} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8'}."
        ) from None
    return found | dict(parse_groups(text, str(own)))


def _read_group(reader: Reader, key: str) -> Group:
    name = filled(reader, "name", key.replace("-", " ").capitalize(), most=MOST_NAME)
    members = tuple(_read_member(table) for table in reader.tables("unit"))
    if not members:
        reader.problem(None, f"the group {quoted(key)} has no units; expected [[{key}.unit]]")
    elif sum(member.count for member in members) > MOST_MEMBERS:
        reader.problem(None, f"the group {quoted(key)} has too many units; at most {MOST_MEMBERS} fit")
    reader.finish()
    return Group(key, name, members)


def _read_member(reader: Reader) -> Member:
    role = filled(reader, "role")
    if role and role not in ROLES and not reader.flag("own_sheet", False):
        expected = near_or_known(role, ROLES)
        reader.problem(
            "role", f"{quoted(role)} is not a role; {expected}, or own_sheet = true for a sheet of the ruleset"
        )
    reader.has("own_sheet")
    member = Member(
        role=role,
        name=reader.text("name", "", most=MOST_NAME),
        count=reader.whole("count", 1, least=1, most=MOST_MEMBERS),
        posture=reader.text("posture", "standing", choices=POSTURES),
        size=reader.whole("size", 1, least=1, most=MOST_SIZE),
        altitude=height(reader, "altitude", 0),
        is_neutral=reader.flag("neutral", False),
    )
    reader.finish()
    return member
