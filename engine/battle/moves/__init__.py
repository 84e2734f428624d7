"""How units move, by their own will and by force."""
