"""Journal: history, the battle's file, and the session that writes both."""
