"""Keys as the bindings of Textual."""
