"""The form of a character on the screen."""
