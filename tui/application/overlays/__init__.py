"""Overlays that tint the squares of the board. One module for each kind."""
