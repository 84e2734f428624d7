"""Turns and rounds: their order, and the effects of their start and end."""
