"""What the Game Master looks at, and what is there, in words."""
