"""Screens: each owns the conversation with the Game Master; widgets only show."""
