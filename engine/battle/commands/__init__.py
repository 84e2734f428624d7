"""Commands, a family each, and how they are decided; what all have in common is in `command`."""
