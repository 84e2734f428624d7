"""Battlefields for bursts: what contains blast and what does not, flat or hilly, at random or drawn by hand."""

from __future__ import annotations

from random import Random

from engine.geometry.battlefield import SKY, Barrier, Battlefield, Ground
from engine.geometry.squares import Edge
from engine.values import replace
from tests.engine.geometry.drawing import drawn

LEGEND = (
    Ground("floor"),
    Ground("wall", "", SKY, True, True, True, True, "heavy"),
    Ground("floor", "block", 90, True, True, True, True),
    Ground("floor", "parapet", 120, True, True, False, True),
    Ground("floor", "kerb", 60, False, True, False, True),
    Ground("floor", "crate", 120, True, True, True, False),
)
BARRIERS = (
    Barrier("wall"),
    Barrier("low wall", top=90),
    Barrier("parapet", top=110),
    Barrier("window", sill=90, lintel=200),
    Barrier("slit", sill=100, lintel=110),
    Barrier("curtain", contains_blast=False),
    Barrier("sign", bottom=80, top=250),
    Barrier("door", "closed"),
    Barrier("door", "open"),
)


def random_field(random: Random, columns: int = 9, rows: int = 8, is_flat: bool | None = None) -> Battlefield:
    """Squares and edges of every kind, in random density; hills on half of the maps unless it is said."""
    density, walls = random.choice([0, 0.05, 0.15, 0.4]), random.choice([0, 0.05, 0.2])
    flat = random.random() < 0.5 if is_flat is None else is_flat
    level = random.choice([0, 0, 150])
    hills = 0 if flat else random.choice([0.03, 0.3])
    count = columns * rows
    edges = [Edge(column, row, side) for row in range(rows) for column in range(columns) for side in "NW"]
    return replace(
        drawn(*["." * columns] * rows),
        legend=LEGEND,
        ground=tuple(random.randrange(1, len(LEGEND)) if random.random() < density else 0 for _ in range(count)),
        elevation=tuple(
            level + (random.choice([50, 100, 300]) if random.random() < hills else 0) for _ in range(count)
        ),
        barriers={one: random.choice(BARRIERS) for one in edges if random.random() < walls},
    )


def walled(*rows: str, barriers: dict[str, Barrier] | None = None) -> Battlefield:
    """A drawn map whose `#` contain blasts as well."""
    field = drawn(*rows, barriers=barriers)
    return replace(field, legend=tuple(replace(one, contains_blast=one.height >= SKY) for one in field.legend))
