"""The form of a character: its fields, what they make, and its screen."""
