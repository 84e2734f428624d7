"""The board of the terrain editor: the left button of the mouse draws, the right one clears. Decides nothing."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message

from engine.geometry.squares import Direction, Square
from tui.view.board.board_view import LEFT, RIGHT, BoardView


class DrawingBoard(BoardView):
    """A board on which the mouse draws: from the press of a button to its release is one stroke."""

    @dataclass
    class StrokeBegun(Message):
        """A button is pressed on a square."""

        square: Square
        clears: bool
        side: Direction | None
        """The side of the square that it is pressed at; None in the middle, and in small squares."""

    @dataclass
    class StrokeEnded(Message):
        """It is released; the cursor is where the stroke ends."""

        clears: bool

    _button = 0
    """The button that draws; 0 for none."""

    @property
    def is_drawing(self) -> bool:
        """Whether a button is held down."""
        return self._button != 0

    def on_mouse_down(self, event: events.MouseDown) -> None:
        square = self.square_under(event)
        if self._button or event.button not in (LEFT, RIGHT) or square is None:
            return
        self._button = event.button
        self.capture_mouse()
        self.move_cursor(square)
        self.post_message(self.StrokeBegun(square, self._button == RIGHT, self._side_under(event, square)))

    def _side_under(self, event: events.MouseEvent, square: Square) -> Direction | None:
        """The side of a square in whose cells the mouse is."""
        offset, (left, top), zoom = event.get_content_offset(self), self.place_in_window(square), self.zoom
        if offset is None or not zoom.is_boxed:
            return None
        across = {left: Direction.W, left + zoom.width - 1: Direction.E}
        down = {top: Direction.N, top + zoom.height - 1: Direction.S}
        return across.get(offset.x) or down.get(offset.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        square = self.square_under(event) if self._button else None
        if square is not None:
            self.move_cursor(square)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._button and event.button == self._button:
            self.release_mouse()
            self.post_message(self.StrokeEnded(self._button == RIGHT))
            self._button = 0

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()  # of BoardView: the click has drawn already
