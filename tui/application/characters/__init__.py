"""The form of a character as values: its fields, and what they make."""
