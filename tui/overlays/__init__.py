"""Overlays that shade the squares of the board. One module for each kind."""
