"""Battles as text: JSON lines and TOML that lose nothing, a report to read, and the way back into a battle's file."""
