"""Units, commands, events, turns, undo, projection, and the journal that keeps them."""
