"""How many terminal cells a square takes.

All cells of a square are its own. What stands on its west edge has the first column, what stands on its south edge the
last line; everything else fills the square and gives way there. In a tight square, two cells, they share.
"""

from __future__ import annotations

from msgspec import Struct

from engine.geometry.squares import Edge, Square


class Zoom(Struct, frozen=True):
    """A size of squares on the screen, in cells."""

    name: str
    width: int
    height: int

    @property
    def is_boxed(self) -> bool:
        return self.height > 1

    @property
    def centre(self) -> tuple[int, int]:
        """Column and line, within the square, of the cell that says what the square is."""
        return (self.width // 2, self.height // 2) if self.is_boxed else (1, 0)

    def cell(self, square: Square | Edge) -> tuple[int, int]:
        """Column and line of that cell on the canvas of the whole map."""
        column, line = self.centre
        return square.column * self.width + column, square.row * self.height + line

    def canvas(self, columns: int, rows: int) -> tuple[int, int]:
        """Width and height of a whole map in cells; one column more than the squares take, for the last west edges."""
        return columns * self.width + 1, rows * self.height


SMALL = Zoom("small", 2, 1)
MEDIUM = Zoom("medium", 4, 2)
LARGE = Zoom("large", 6, 3)
ZOOMS = (SMALL, MEDIUM, LARGE)
