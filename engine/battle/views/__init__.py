"""What is shown of a battle: to the GM, and to a side that sees a part of it."""
