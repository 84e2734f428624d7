"""Turns and rounds: their order, and what begins and ends with them."""
