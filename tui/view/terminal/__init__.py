"""What is written by hand between Textual and the terminal."""
