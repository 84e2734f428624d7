"""Advice: better attacks, and where to stand. Nothing here changes a battle."""
