"""Keys: those of every screen, as data, and the keymap that changes them."""
