"""What the program does and says, without a screen: it imports neither Textual nor Rich."""
