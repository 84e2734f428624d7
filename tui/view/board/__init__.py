"""The board: renders a view of a battle and markings in terminal cells."""
