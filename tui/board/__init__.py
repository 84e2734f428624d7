"""The board: renders a view of a battle and an overlay in terminal cells."""
