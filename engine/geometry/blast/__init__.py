"""Blasts and what shelters from them, cones, the flight of what is thrown, clouds of smoke."""
