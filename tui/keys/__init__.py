"""Keys: the bindings of every screen, and the keymap that changes them."""
