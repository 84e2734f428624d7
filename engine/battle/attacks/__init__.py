"""Attacks: preview, resolution and effects."""
