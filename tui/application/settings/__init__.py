"""The user's settings and folders."""
