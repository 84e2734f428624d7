"""Views of a battle: for the GM, and for a side that sees a part of it."""
