"""What a Game Master has chosen, and where her own files are."""
