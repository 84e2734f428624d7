"""Things of a battle in words and characters: squares, side views, close-ups."""
