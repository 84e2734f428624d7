"""State of a battle: the battle, its units, the GM's overrides, reasons; and their form in files."""
