"""What happened, kept: history, journal, and the session that writes both."""
