"""Programs of our own that the board's program is measured against, each run in a process of its own."""
