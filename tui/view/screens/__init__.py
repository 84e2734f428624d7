"""Screens: each runs a dialogue with the Game Master; widgets only display."""
