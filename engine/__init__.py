"""The pure core: geometry, dice, rules and battles. It imports no Textual and, but for the journal, touches no file."""
