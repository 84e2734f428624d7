"""Advice: what would better an attack, and where to stand. Nothing here decides anything."""
