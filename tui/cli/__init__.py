"""The command line: arguments, the conversation without a screen, and the commands of the library."""
