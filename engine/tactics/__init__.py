"""Advice: better attacks, and where to stand. Nothing here decides anything."""
