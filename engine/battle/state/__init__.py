"""What a battle is: the battle, its units, what the GM pins to it, reasons; and how values stand in files."""
