"""Sight and cover among many bodies at once. `pairs` is the door; `horizons` decides any set of lines exactly."""
