"""The battle in words: a typed line becomes a command, a step back, or an answer. Board and shell read alike."""
