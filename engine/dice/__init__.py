"""Dice expressions, seeded and typed sources, exact distributions."""
